/* mca/loop: which loop is found in a list of instructions, what is counted in it, and what llvm-mca answers for one whose cycles follow from
 * its dependences. */
#include "app/mca/mca.h"

#include <string.h>

/* A group of lines: "line|instruction|instruction". */
static GVariant *
groups_of (const char *const *groups)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(usas)"));
  for (guint i = 0; groups[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (groups[i], "|", -1);

      g_variant_builder_add (&builder, "(us^as)", (guint) g_ascii_strtoull (parts[0], NULL, 10), "main", parts + 1);
    }
  return g_variant_ref_sink (g_variant_builder_end (&builder));
}

/* The outer loop has more instructions, the one inside is taken; of two inside the one that computes more. */
static void
test_innermost (void)
{
  static const char *const code[] = {
    "1|pushq %rbx|movl $0, %eax",
    "2|LBB0_1:|movl $0, %ecx|vmulps %ymm3, %ymm4, %ymm5|vmulps %ymm3, %ymm4, %ymm6|vmulps %ymm3, %ymm4, %ymm7",
    "3|LBB0_2:|vmovups (%rdx,%rcx,4), %ymm0",
    "4|vfmadd231ps (%rsi,%rcx,4), %ymm0, %ymm1|vmovups %ymm1, (%rdi,%rcx,4)",
    "3|addq $8, %rcx|cmpq $128, %rcx|jne .LBB0_2",
    "5|LBB0_3:|vaddss (%rdx), %xmm0, %xmm0|decq %r8|jne .LBB0_3",
    "2|addq $1, %rax|cmpq $128, %rax|jne .LBB0_1",
    "1|popq %rbx|retq", NULL };
  g_autoptr (GVariant) groups = groups_of (code);
  g_autoptr (LsInnerLoop) loop = ls_inner_loop_find (groups), other = NULL, part = NULL, none = NULL;

  g_assert_nonnull (loop);
  g_assert_true (g_str_has_prefix (loop->text, ".LBB0_2:\n"));
  g_assert_nonnull (strstr (loop->text, "jne .LBB0_2\n"));
  g_assert_null (strstr (loop->text, "LBB0_3"));
  g_assert_cmpuint (loop->n, ==, 6);
  g_assert_cmpuint (loop->arithmetic, ==, 1);
  g_assert_cmpuint (loop->fused, ==, 1);
  g_assert_cmpuint (loop->loads, ==, 2);
  g_assert_cmpuint (loop->stores, ==, 1);
  g_assert_cmpuint (loop->bits, ==, 256);
  g_assert_cmpuint (loop->line, ==, 3);
  g_assert_null (loop->call);
  g_assert_cmpuint (loop->first, ==, 7);        /* of all lines, labels too */
  g_assert_cmpuint (loop->last, ==, 13);
  other = ls_inner_loop_find_in (groups, 5, 5);
  g_assert_true (g_str_has_prefix (other->text, ".LBB0_3:\n"));
  part = ls_inner_loop_find_in (groups, 4, 4);  /* most of it comes from line 3 */
  g_assert_true (g_str_has_prefix (part->text, ".LBB0_2:\n"));
  none = ls_inner_loop_find_in (groups, 6, 9);
  g_assert_null (none);
}

static void
test_none (void)
{
  static const char *const straight[] = { "1|vmulps %ymm0, %ymm1, %ymm2|jmp .LBB0_2|LBB0_2:|retq", NULL };
  static const char *const calling[] = { "1|LBB0_1:|vmovss (%rdi), %xmm0|callq expf@PLT|addss %xmm1, %xmm0|decq %rbx|jne .LBB0_1|retq", NULL };
  g_autoptr (GVariant) a = groups_of (straight), b = groups_of (calling);
  g_autoptr (LsInnerLoop) none = ls_inner_loop_find (a), loop = ls_inner_loop_find (b);

  g_assert_null (none);
  g_assert_nonnull (loop);
  g_assert_cmpstr (loop->call, ==, "expf");
  g_assert_cmpuint (loop->bits, ==, 32);
}

static void
test_read (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsMca) mca = ls_mca_read ("{\"CodeRegions\":[{\"ResourcePressureView\":{\"ResourcePressureInfo\":["
                                       "{\"InstructionIndex\":0,\"ResourceIndex\":1,\"ResourceUsage\":9.0},"
                                       "{\"InstructionIndex\":2,\"ResourceIndex\":0,\"ResourceUsage\":1.5},"
                                       "{\"InstructionIndex\":2,\"ResourceIndex\":1,\"ResourceUsage\":2.0}]},"
                                       "\"SummaryView\":{\"BlockRThroughput\":1.5,\"Iterations\":100,\"TotalCycles\":410}}],"
                                       "\"TargetInfo\":{\"Resources\":[\"P0\",\"P1.\\u0000\"]}}", &error);
  g_autoptr (LsMca) nothing = NULL;

  g_assert_no_error (error);
  g_assert_cmpfloat_with_epsilon (mca->cycles, 4.1, 1e-9);
  g_assert_cmpfloat_with_epsilon (mca->busy, 2.0, 1e-9);
  g_assert_cmpstr (mca->unit, ==, "P1");
  nothing = ls_mca_read ("{\"CodeRegions\":[]}", &error);
  g_assert_null (nothing);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
}

static void
answered (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

static LsMca *
ask (const char  *text,
     const char  *cpu,
     GError     **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  ls_mca_ask (text, cpu, NULL, answered, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return ls_mca_finish (result, error);
}

#define ROUND(sum) "\tvfmadd231ps (%rdx,%rcx,4), %ymm0, " sum "\n"

/* One sum is a chain of multiply-adds of four cycles each; eight side by side are not. */
static void
test_chain (void)
{
  const char *one = ".LBB0_1:\n" ROUND ("%ymm1") "\taddq $8, %rcx\n\tjne .LBB0_1\n";
  const char *eight = ".LBB0_1:\n" ROUND ("%ymm1") ROUND ("%ymm2") ROUND ("%ymm3") ROUND ("%ymm4") ROUND ("%ymm5") ROUND ("%ymm6") ROUND ("%ymm7")
                      ROUND ("%ymm8") "\taddq $8, %rcx\n\tjne .LBB0_1\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (LsMca) chain = ask (one, "znver3", &error), wide = NULL, wrong = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    {
      g_test_skip ("llvm-mca is not installed");
      return;
    }
  g_assert_no_error (error);
  wide = ask (eight, "znver3", &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (chain->cycles, >, 3.5);
  g_assert_cmpuint (chain->chain->len, ==, 1);
  g_assert_cmpuint (g_array_index (chain->chain, LsMcaLink, 0).instruction, ==, 0);
  g_assert_true (g_str_has_prefix (g_array_index (chain->chain, LsMcaLink, 0).through, "register %")); /* LLVM may name the address */
  g_assert_cmpuint (chain->latencies->len, ==, 3);
  g_assert_cmpuint (chain->units->len, >, 2);
  g_assert_cmpfloat (chain->cycles, >, 2.0 * chain->busy);
  g_assert_cmpfloat (wide->cycles / 8.0, <, 1.0);
  g_assert_nonnull (wide->unit);
  wrong = ask ("\tno such instruction\n", "znver3", &error);
  g_assert_null (wrong);
  g_assert_nonnull (error);
}

/* The sequence of three rounds that LLVM prints: the links of the one in the middle. */
static void
test_sequence (void)
{
  static const char words[] = "Iterations: 200\n\nCritical sequence based on the simulation:\n\n              Instruction                 Dependency Information\n"
    " +----< 2.    vfmadd231ss\t(%r12), %xmm3, %xmm2\n |\n |    < loop carried > \n |\n |      0.    vmovss\t(%r9), %xmm3\n"
    " +----> 2.    vfmadd231ss\t(%r12), %xmm3, %xmm2      ## REGISTER dependency:  %xmm2\n |      3.    addq\t$512, %r12\n"
    " +----> 4.    vmovss\t%xmm2, (%r12)      ## MEMORY dependency.\n |\n"
    " |    < loop carried > \n |\n +----> 2.    vfmadd231ss\t(%r12), %xmm3, %xmm2      ## REGISTER dependency:  %xmm2\n\n\nInstruction Info:\n +----> 9. not this\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (LsMca) mca = ls_mca_read ("{\"CodeRegions\":[{\"SummaryView\":{\"BlockRThroughput\":1.5,\"Iterations\":100,\"TotalCycles\":410}}]}", &error);
  const LsMcaLink *links;

  g_assert_no_error (error);
  ls_mca_read_chain (mca, words);
  g_assert_cmpuint (mca->chain->len, ==, 2);
  links = (const LsMcaLink *) (void *) mca->chain->data;
  g_assert_cmpuint (links[0].instruction, ==, 2);
  g_assert_cmpstr (links[0].through, ==, "register %xmm2");
  g_assert_true (links[0].carried);
  g_assert_cmpuint (links[1].instruction, ==, 4);
  g_assert_cmpstr (links[1].through, ==, "memory");
  g_assert_false (links[1].carried);
  ls_mca_read_chain (mca, "nothing of the kind");
  g_assert_cmpuint (mca->chain->len, ==, 2);
}

static const LsMcaLink *
link_at (LsMca *mca,
         guint  i)
{
  g_assert_cmpuint (mca->chain->len, >, i);
  return &g_array_index (mca->chain, LsMcaLink, i);
}

/* What is known of a loop whose instructions have these latencies, and whose round takes so long; the sequence that is shown is `words`. (transfer full) */
static LsMca *
planted (const char  *words,
         double       cycles,
         const guint *latencies,
         guint        n)
{
  g_autoptr (GError) error = NULL;
  LsMca *mca = ls_mca_read ("{\"CodeRegions\":[{\"SummaryView\":{\"BlockRThroughput\":1.0,\"Iterations\":100,\"TotalCycles\":100}}]}", &error);

  g_assert_no_error (error);
  mca->cycles = cycles;
  g_array_append_vals (mca->latencies, latencies, n);
  ls_mca_read_chain (mca, words);
  return mca;
}

#define SHOWN(number) "Critical sequence\n |    < loop carried >\n +----> " number ".  x  ## REGISTER dependency:  %r10\n"

/* llvm-mca's model of Ice Lake shows the counter as the sequence of a sum that waits for itself. */
static void
test_settle (void)
{
  static const char sum[] = ".LBB0_4:\n\tvmovss (%rsi,%r10,4), %xmm3\n\tvfmadd231ss (%r11), %xmm3, %xmm2\n\tincq %r10\n\taddq $512, %r11\n"
                            "\tcmpq $128, %r10\n\tjne .LBB0_4\n";
  static const char two[] = "\tvmulss %xmm1, %xmm7, %xmm3\n\tvaddss %xmm3, %xmm0, %xmm1\n\tincq %rax\n";
  static const char fresh[] = "\tvmulss %xmm6, %xmm7, %xmm1\n\tvaddss %xmm1, %xmm0, %xmm1\n\tincq %rax\n";
  static const guint sum_cycles[] = { 5, 9, 1, 1, 1, 1 }, two_cycles[] = { 4, 4, 1 };
  g_autoptr (LsMca) wrong = planted (SHOWN ("2"), 4.04, sum_cycles, 6), right = planted (SHOWN ("1"), 4.04, sum_cycles, 6);
  g_autoptr (LsMca) pair = planted ("", 8.0, two_cycles, 3), none = planted (SHOWN ("1"), 8.0, two_cycles, 3);
  g_autoptr (LsMca) longer = planted (SHOWN ("2"), 20.0, sum_cycles, 6), quick = planted (SHOWN ("2"), 1.0, sum_cycles, 6);
  g_autoptr (LsMca) memory = planted ("Critical sequence\n |    < loop carried >\n +----> 2.  x  ## MEMORY dependency.\n", 4.04, sum_cycles, 6);
  g_autoptr (LsMca) real = NULL;
  g_autoptr (GError) error = NULL;

  ls_mca_settle_chain (wrong, sum);
  g_assert_cmpuint (wrong->chain->len, ==, 1);
  g_assert_cmpuint (link_at (wrong, 0)->instruction, ==, 1);
  g_assert_cmpstr (link_at (wrong, 0)->through, ==, "register %xmm2");
  g_assert_true (link_at (wrong, 0)->carried);
  ls_mca_settle_chain (right, sum);             /* it explains the cycles as it is */
  g_assert_cmpstr (link_at (right, 0)->through, ==, "register %r10");
  ls_mca_settle_chain (pair, two);
  g_assert_cmpuint (pair->chain->len, ==, 2);
  g_assert_cmpuint (link_at (pair, 0)->instruction, ==, 0);
  g_assert_cmpstr (link_at (pair, 0)->through, ==, "register %xmm1");
  g_assert_true (link_at (pair, 0)->carried);
  g_assert_cmpuint (link_at (pair, 1)->instruction, ==, 1);
  g_assert_cmpstr (link_at (pair, 1)->through, ==, "register %xmm3");
  g_assert_false (link_at (pair, 1)->carried);
  ls_mca_settle_chain (none, fresh);            /* each round begins with what it writes first: nothing goes round but the counter */
  g_assert_cmpuint (link_at (none, 0)->instruction, ==, 1);
  ls_mca_settle_chain (longer, sum);            /* it takes longer than registers explain */
  g_assert_cmpuint (link_at (longer, 0)->instruction, ==, 2);
  ls_mca_settle_chain (quick, sum);             /* nothing waits */
  g_assert_cmpuint (link_at (quick, 0)->instruction, ==, 2);
  ls_mca_settle_chain (memory, sum);
  g_assert_cmpuint (link_at (memory, 0)->instruction, ==, 2);
  real = ask (sum, "rocketlake", &error);
  if (real == NULL)
    {
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
      return;
    }
  g_assert_cmpuint (link_at (real, 0)->instruction, ==, 1);
  g_assert_cmpuint (real->chain->len, ==, 1);
}

static void
test_words (void)
{
  static const struct { const char *text, *words; } cases[] = {
    { "vfmadd231ps %ymm14, %ymm13, %ymm10", "multiplies two numbers and adds a third, rounded once, 8 at once" },
    { "vfmadd231pd %zmm14, %zmm13, %zmm10", "multiplies two numbers and adds a third, rounded once, 8 at once" },
    { "vaddss %xmm0, %xmm1, %xmm1", "adds, one number" }, { "addq $512, %r12", "adds whole numbers: a counter or an address goes on" },
    { "addps %xmm0, %xmm1", "adds, 4 at once" }, { "vcvtpd2ps %zmm0, %ymm0", "changes the type of numbers, 8 at once" },
    { "vpternlogd $226, %zmm26, %zmm29, %zmm0", "combines the bits of three registers: which are chosen, a table of eight says" }, { "vbroadcastss -4(%r10), %ymm13", "puts one number into all lanes of a register" },
    { "jne .LBB0_3", "jumps if a condition holds: the round begins again, or the loop ends" }, { "callq expf@PLT", "calls a function: what the registers hold goes to memory and back" },
    { "vcmpltps %zmm1, %zmm3, %k1", "compares, and leaves a mask of the lanes" }, { "cmpltps %xmm1, %xmm3", "compares, and leaves a mask of the lanes" },
    { "cmpq %rax, %rcx", "compares, for the jump behind it" }, { "vpcmpeqd %ymm0, %ymm1, %ymm2", "compares whole numbers, and leaves a mask" },
    { "vmovaps %zmm1, %zmm3 {%k1}", "copies a register, or memory whose address is a multiple of its size, 16 at once; where the mask says so" },
    { "vmovups (%rax), %zmm3 {%k1} {z}", "copies a register, or memory at any address, 16 at once; where the mask says so, and zero elsewhere" },
    { "vpbroadcastd .LCPI0_1(%rip), %ymm1", "puts one number into all lanes of a register" }, { "vpmaxsd %ymm1, %ymm9, %ymm1", "takes the larger of two, 8 at once" },
    { "vpmovsxbq .LCPI0_3(%rip), %zmm0", "widens whole numbers, keeping the sign" }, { "vptestnmd %ymm1, %ymm9, %k1 {%k1}", "looks at bits, and leaves a mask of the lanes; where the mask says so" },
    { "vmovshdup %xmm0, %xmm1", "doubles numbers: each second one stands in its neighbour's lane too" }, { "vpdpbusd %zmm0, %zmm1, %zmm2", "sums products of four bytes each" },
    { "mulxq %rax, %rcx, %rcx", "multiplies whole numbers" }, { "cltq", "widens a whole number, keeping the sign" },
    { "LBB0_3:", NULL }, { "frobnicate %xmm0", NULL }, { "", NULL },
  };
  g_autofree char *sum = ls_remark_words ("loop not vectorized: value that could not be identified as reduction is used outside the loop");
  g_autofree char *any = ls_remark_words ("loop not vectorized"), *none = ls_remark_words ("unrolled loop by a factor of 2");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *words = ls_instruction_words (cases[i].text);

      g_assert_cmpstr (words, ==, cases[i].words);
    }
  g_assert_nonnull (strstr (sum, "rfactor"));
  g_assert_nonnull (any);
  g_assert_cmpstr (any, !=, sum);
  g_assert_null (none);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mca/loop/innermost", test_innermost);
  g_test_add_func ("/mca/loop/none", test_none);
  g_test_add_func ("/mca/loop/read", test_read);
  g_test_add_func ("/mca/loop/chain", test_chain);
  g_test_add_func ("/mca/loop/sequence", test_sequence);
  g_test_add_func ("/mca/loop/settle", test_settle);
  g_test_add_func ("/mca/loop/words", test_words);
  return g_test_run ();
}
