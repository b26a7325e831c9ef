/* llvm: effective steps of LLVM's pipelines drawn at random, each compared a second time by LLVM itself.
 *
 * Programs are made at random, opt runs a pipeline on each and prints all dumps.  Of a step (a function before and after a pass) LLVM's own
 * parser reads both sides; what our diff paired gets the same name on both, everything else a name of its own, and LLVM prints the
 * instructions.  Then texts decide: pairs that are called the same or moved must read the same, those called rewritten must not; what was
 * counted as removed must read like nothing that was counted as added, or it was moved; and all counts must add up to what LLVM has.  Each step is
 * done with the tolerant reader and with LLVM's reading of both sides, as the worker makes it. */
#include "engine/codegen/foreign.h"
#include "engine/passlog/passlog.h"

#include <gio/gio.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <string.h>

#define OPT "/usr/lib/llvm-19/bin/opt"
#define STEPS 200
#define N_VARIABLES 5

/* ---- programs ---- */

typedef struct {
  GString *text;
  guint    n;                   /* values and blocks so far */
  guint    budget;              /* statements that may still come */
} Program;

static guint
random_below (guint n)
{
  return (guint) g_test_rand_int_range (0, (int) n);
}

static guint
load (Program *self)
{
  g_string_append_printf (self->text, "  %%v%u = load i32, ptr %%x%u\n", self->n, random_below (N_VARIABLES));
  return self->n++;
}

static void statements (Program *self, guint depth);

static void
assign (Program *self)
{
  static const char *const OPS[] = { "add", "sub", "mul", "and", "or", "xor", "shl", "add nsw" };
  guint a = load (self);

  if (g_test_rand_bit ())
    g_string_append_printf (self->text, "  %%v%u = %s i32 %%v%u, %u\n", self->n, OPS[random_below (G_N_ELEMENTS (OPS))], a, random_below (9));
  else
    {
      guint b = load (self);

      g_string_append_printf (self->text, "  %%v%u = %s i32 %%v%u, %%v%u\n", self->n, OPS[random_below (6)], a, b);
    }
  g_string_append_printf (self->text, "  store i32 %%v%u, ptr %%x%u\n", self->n++, random_below (N_VARIABLES));
}

/* An element of the array is read or written. */
static void
touch_array (Program *self)
{
  guint index = load (self), at = self->n;

  g_string_append_printf (self->text, "  %%v%u = and i32 %%v%u, 63\n  %%v%u = zext i32 %%v%u to i64\n  %%v%u = getelementptr i32, ptr %%p, i64 %%v%u\n", at, index, at + 1, at,
                          at + 2, at + 1);
  self->n += 3;
  if (g_test_rand_bit ())
    {
      guint value = load (self);

      g_string_append_printf (self->text, "  store i32 %%v%u, ptr %%v%u\n", value, at + 2);
    }
  else
    {
      g_string_append_printf (self->text, "  %%v%u = load i32, ptr %%v%u\n  store i32 %%v%u, ptr %%x%u\n", self->n, at + 2, self->n, random_below (N_VARIABLES));
      self->n++;
    }
}

static void
branch (Program *self,
        guint    depth)
{
  guint value = load (self), at = self->n;

  self->n++;
  g_string_append_printf (self->text, "  %%v%u = icmp slt i32 %%v%u, %u\n  br i1 %%v%u, label %%t%u, label %%e%u\nt%u:\n", at, value, random_below (20), at, at, at, at);
  statements (self, depth + 1);
  g_string_append_printf (self->text, "  br label %%j%u\ne%u:\n", at, at);
  if (g_test_rand_bit ())
    statements (self, depth + 1);
  g_string_append_printf (self->text, "  br label %%j%u\nj%u:\n", at, at);
}

static void
loop (Program *self,
      guint    depth)
{
  guint at = self->n;

  self->n++;
  g_string_append_printf (self->text,
                          "  store i32 0, ptr %%i%u\n  br label %%h%u\nh%u:\n  %%a%u = load i32, ptr %%i%u\n  %%c%u = icmp slt i32 %%a%u, %s\n"
                          "  br i1 %%c%u, label %%b%u, label %%d%u\nb%u:\n", depth, at, at, at, depth, at, at, g_test_rand_bit () ? "%n" : "8", at, at, at, at);
  statements (self, depth + 1);
  g_string_append_printf (self->text, "  %%k%u = load i32, ptr %%i%u\n  %%l%u = add i32 %%k%u, 1\n  store i32 %%l%u, ptr %%i%u\n  br label %%h%u\nd%u:\n", at, depth, at, at, at,
                          depth, at, at);
}

static void
statements (Program *self,
            guint    depth)
{
  guint n = 1 + random_below (4);

  for (guint i = 0; i < n && self->budget > 0; i++)
    {
      guint kind = random_below (depth < 3 ? 8 : 5);

      self->budget--;
      if (kind < 3)
        assign (self);
      else if (kind == 3)
        touch_array (self);
      else if (kind == 4)
        {
          guint value = load (self);

          g_string_append_printf (self->text, "  %%v%u = call i32 @helper(i32 %%v%u)\n  store i32 %%v%u, ptr %%x%u\n", self->n, value, self->n, random_below (N_VARIABLES));
          self->n++;
        }
      else if (kind == 5)
        branch (self, depth);
      else
        loop (self, depth);
    }
}

/* (transfer full) */
static char *
make_program (void)
{
  Program self = { g_string_new ("define internal i32 @helper(i32 %x) {\n  %a = mul i32 %x, %x\n  %b = add i32 %a, 3\n  ret i32 %b\n}\n"), 0, 30 };

  g_string_append (self.text, "define i32 @f(ptr %p, i32 %n) {\nentry:\n");
  for (guint i = 0; i < N_VARIABLES; i++)
    g_string_append_printf (self.text, "  %%x%u = alloca i32\n  store i32 %u, ptr %%x%u\n", i, i, i);
  for (guint i = 0; i < 4; i++)
    g_string_append_printf (self.text, "  %%i%u = alloca i32\n", i);
  for (guint i = 0; i < 4; i++)
    statements (&self, 0);
  g_string_append_printf (self.text, "  %%r = load i32, ptr %%x%u\n  ret i32 %%r\n}\n", random_below (N_VARIABLES));
  return g_string_free (self.text, FALSE);
}

/* (transfer full); NULL: LLVM itself failed on the program. */
static LsPassLog *
run_opt (const char *program,
         const char *passes)
{
  const char *const arguments[] = { OPT, "-S", "-", "-o", "/dev/null", passes, "-print-after-all", "-print-module-scope", NULL };
  g_autoptr (GSubprocess) process = g_subprocess_newv (arguments, G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE, NULL);
  g_autofree char *text = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  LsPassLog *log;

  g_subprocess_communicate_utf8 (process, program, NULL, NULL, &text, NULL);
  if (!g_subprocess_get_successful (process))
    {
      g_test_message ("opt %s failed on this program:\n%s", passes, program);
      return NULL;
    }
  bytes = g_bytes_new (text, strlen (text));
  log = ls_pass_log_read (bytes, LS_PASS_LOG_LLVM, &error);
  g_assert_no_error (error);
  return log;
}

/* ---- one side of a step, as LLVM has it ---- */

typedef struct {
  LLVMContextRef context;
  LLVMModuleRef  module;
  GPtrArray     *instructions;  /* LLVMValueRef, in the order of the text */
  GPtrArray     *blocks;        /* LLVMValueRef of the function, then of its blocks: what is a label to the diff */
  GArray        *lines;         /* guint: number of the instruction + 1 that a line is, or of the label, with the highest bit set */
} Side;

#define LABEL (1u << 31)

static void
side_init (Side       *self,
           LsPassLog  *log,
           guint       part,
           const char *text)
{
  LsPassPart *at = &g_array_index (log->parts, LsPassPart, part);
  g_autofree char *dump = ls_pass_log_dump_text (log, at->dump), *message = NULL;
  g_autoptr (GPtrArray) operations = ls_pass_operations_read (text, LS_PASS_LOG_LLVM);
  LLVMValueRef function;
  guint instruction = 0, label = 0;

  self->context = LLVMContextCreate ();
  if (LLVMParseIRInContext (self->context, LLVMCreateMemoryBufferWithMemoryRangeCopy (dump, strlen (dump), "dump"), &self->module, &message))
    g_error ("LLVM cannot read a dump of its own: %s", message);
  function = LLVMGetNamedFunction (self->module, at->name);
  g_assert_nonnull (function);
  self->instructions = g_ptr_array_new ();
  self->blocks = g_ptr_array_new ();
  self->lines = g_array_new (FALSE, TRUE, sizeof (guint));
  g_ptr_array_add (self->blocks, function);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock (function); block != NULL; block = LLVMGetNextBasicBlock (block))
    {
      g_ptr_array_add (self->blocks, LLVMBasicBlockAsValue (block));
      for (LLVMValueRef i = LLVMGetFirstInstruction (block); i != NULL; i = LLVMGetNextInstruction (i))
        g_ptr_array_add (self->instructions, i);
    }
  for (guint i = 0; i < operations->len; i++)
    {
      LsPassOperation *op = operations->pdata[i];
      gboolean is_label = strcmp (op->name, "label") == 0;

      if (self->lines->len <= op->line)
        g_array_set_size (self->lines, op->line + 1);
      g_array_index (self->lines, guint, op->line) = is_label ? LABEL | ++label : ++instruction;
    }
  g_assert_cmpuint (instruction, ==, self->instructions->len);
  /* The first block has no label where nothing goes back to it and it has no name. */
  if (label + 1 == self->blocks->len)
    g_ptr_array_remove_index (self->blocks, 1);
  g_assert_cmpuint (label, ==, self->blocks->len);
}

static void
side_clear (Side *self)
{
  g_ptr_array_unref (self->instructions);
  g_ptr_array_unref (self->blocks);
  g_array_unref (self->lines);
  LLVMDisposeModule (self->module);
  LLVMContextDispose (self->context);
}

static void
rename_value (LLVMValueRef value,
              const char  *sign,
              guint        number)
{
  g_autofree char *name = g_strdup_printf ("%s.%u", sign, number);

  if (LLVMGetTypeKind (LLVMTypeOf (value)) != LLVMVoidTypeKind)
    LLVMSetValueName2 (value, name, strlen (name));
}

/* First names that nothing else has, so that no later one is taken. */
static void
name_all (Side       *self,
          const char *sign)
{
  LLVMValueRef function = self->blocks->pdata[0];

  for (guint i = 0; i < self->instructions->len; i++)
    rename_value (self->instructions->pdata[i], sign, i);
  for (guint i = 1; i < self->blocks->len; i++)
    rename_value (self->blocks->pdata[i], sign, 100000 + i);
  for (guint i = 0; i < LLVMCountParams (function); i++)
    rename_value (LLVMGetParam (function, i), "argument", i);
}

/* An instruction as LLVM prints it, without its result's name, metadata, groups of attributes; (transfer full). */
static char *
text_of (LLVMValueRef value)
{
  static GRegex *noise;
  char *printed = LLVMPrintValueToString (value);
  const char *at = printed + strspn (printed, " ");
  g_autofree char *bare = NULL;

  if (noise == NULL)
    noise = g_regex_new ("(,? ![a-zA-Z_.]+ !\\d+)+| #\\d+|\\s+;.*$", G_REGEX_MULTILINE, 0, NULL);
  if (*at == '%' && strstr (at, " = ") != NULL)
    at = strstr (at, " = ") + 3;
  bare = g_regex_replace_literal (noise, at, -1, 0, "", 0, NULL);
  LLVMDisposeMessage (printed);
  return g_steal_pointer (&bare);
}

static void
add_to (GHashTable *texts,
        char       *text,
        int         n)
{
  g_hash_table_insert (texts, text, GINT_TO_POINTER (GPOINTER_TO_INT (g_hash_table_lookup (texts, text)) + n));
}

/* How many of one side's instructions without a partner the other one has not, as a multiset, where `sign` is 1 or -1. */
static guint
count_only (GHashTable *texts,
            int         sign)
{
  GHashTableIter iter;
  gpointer n;
  guint sum = 0;

  g_hash_table_iter_init (&iter, texts);
  while (g_hash_table_iter_next (&iter, NULL, &n))
    sum += (guint) MAX (sign * GPOINTER_TO_INT (n), 0);
  return sum;
}

/* ---- LLVM as the reader ---- */

static guint n_read;            /* functions */

/* LsPassIrRead, without another process. */
static GHashTable *
read_ir (const char        *text,
         const char *const *functions,
         char             **words,
         gpointer           data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsForeign) module = ls_foreign_parse (text, &error);
  GHashTable *found;

  if (module == NULL)
    {
      *words = g_strdup (error->message);
      return NULL;
    }
  *words = ls_foreign_llvm_version ();
  found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
  for (guint i = 0; functions[i] != NULL; i++)
    {
      g_autoptr (GPtrArray) operations = ls_foreign_operations (module, functions[i], &error);
      GPtrArray *copies = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_pass_operation_free);

      g_assert_no_error (error);
      for (guint j = 0; j < operations->len; j++)
        {
          const LsForeignOperation *from = operations->pdata[j];
          LsPassOperation *op = g_new0 (LsPassOperation, 1);

          *op = (LsPassOperation) { j, g_strdup (from->name), g_strdup (from->shape), g_array_ref (from->results), g_array_ref (from->operands) };
          g_ptr_array_add (copies, op);
        }
      g_hash_table_insert (found, g_strdup (functions[i]), copies);
      n_read++;
    }
  return found;
}

/* ---- a step ---- */

/* llvm: both sides must be read by LLVM. */
static void
check_step (LsPassLog *log,
            guint      part,
            gboolean   llvm)
{
  LsPassPart *at = &g_array_index (log->parts, LsPassPart, part);
  LsPassDump *dump = &g_array_index (log->dumps, LsPassDump, at->dump);
  g_autofree char *before = NULL, *after = NULL, *reader = NULL;
  LsPassCounts counts = { 0 };
  g_autoptr (GArray) changes = NULL;
  int from, to;
  g_autoptr (GHashTable) texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Side a, b;

  ls_pass_log_part_sides (log, part, &before, &after);
  ls_pass_log_side_parts (log, part, &from, &to);
  if (llvm)
    changes = ls_pass_sides_diff (&(LsPassSide) { log, before, from, TRUE }, &(LsPassSide) { log, after, to, FALSE }, &counts, &reader);
  else
    changes = ls_pass_diff (before, after, LS_PASS_LOG_LLVM, &counts);
  g_assert_true (!llvm || g_str_has_prefix (reader, "LLVM "));
  side_init (&a, log, at->before - 1, before);
  side_init (&b, log, part, after);
  name_all (&a, "a");
  name_all (&b, "b");
  for (guint i = 0; i < changes->len; i++)
    {
      LsPassChange *change = &g_array_index (changes, LsPassChange, i);
      guint x = change->a >= 0 ? g_array_index (a.lines, guint, change->a) : 0, y = change->b >= 0 ? g_array_index (b.lines, guint, change->b) : 0;

      if (x == 0 || y == 0)
        continue;
      g_assert_cmpuint (x & LABEL, ==, y & LABEL);
      rename_value ((x & LABEL ? a.blocks : a.instructions)->pdata[(x & ~LABEL) - 1], "pair", i);
      rename_value ((y & LABEL ? b.blocks : b.instructions)->pdata[(y & ~LABEL) - 1], "pair", i);
    }
  for (guint i = 0; i < changes->len; i++)
    {
      LsPassChange *change = &g_array_index (changes, LsPassChange, i);
      guint x = change->a >= 0 ? g_array_index (a.lines, guint, change->a) : 0, y = change->b >= 0 ? g_array_index (b.lines, guint, change->b) : 0;
      g_autofree char *old = NULL, *new = NULL;

      if (((x | y) & LABEL) != 0)
        continue;
      if (x == 0 || y == 0)
        {
          add_to (texts, text_of (x > 0 ? a.instructions->pdata[x - 1] : b.instructions->pdata[y - 1]), x > 0 ? 1 : -1);
          continue;
        }
      old = text_of (a.instructions->pdata[x - 1]);
      new = text_of (b.instructions->pdata[y - 1]);
      if ((change->kind == LS_PASS_REWRITTEN) == (strcmp (old, new) == 0))
        g_error ("%s on %s: kind %d of \"%s\" and \"%s\"\n%s\n----\n%s", dump->pass, at->name, change->kind, old, new, before, after);
    }
  if (count_only (texts, 1) != counts.removed || count_only (texts, -1) != counts.added + counts.duplicated
      || counts.same + counts.moved + counts.rewritten + counts.removed != a.instructions->len
      || counts.same + counts.moved + counts.rewritten + counts.added + counts.duplicated != b.instructions->len)
    {
      GHashTableIter iter;
      gpointer text, n;

      g_hash_table_iter_init (&iter, texts);
      while (g_hash_table_iter_next (&iter, &text, &n))
        if (n != NULL)
          g_printerr ("%+d %s\n", -GPOINTER_TO_INT (n), (char *) text);
      g_error ("%s on %s: LLVM has +%u -%u, the diff +%u -%u ~%u\n%s\n----\n%s", dump->pass, at->name, count_only (texts, -1), count_only (texts, 1),
               counts.added + counts.duplicated, counts.removed, counts.rewritten, before, after);
    }
  side_clear (&a);
  side_clear (&b);
}

static void
test_steps (void)
{
  static const char *const PASSES[] = {
    "-passes=default<O2>", "-passes=default<O3>", "-passes=default<Os>",
    "-passes=function(mem2reg,instcombine,simplifycfg),cgscc(inline),globaldce,function(loop-simplify,lcssa,loop(indvars),loop-unroll,gvn,sink,reassociate,reg2mem,sroa)",
  };
  guint checked = 0, programs = 0, failed = 0;

  for (; checked < STEPS; programs++)
    {
      g_autofree char *program = make_program ();
      g_autoptr (LsPassLog) log = run_opt (program, PASSES[programs % G_N_ELEMENTS (PASSES)]);

      failed += log == NULL;
      if (log != NULL)
        ls_pass_log_set_ir (log, read_ir, NULL, NULL);
      g_assert_cmpuint (failed, <, 4);
      for (guint i = 0; log != NULL && i < log->parts->len && checked < STEPS; i++)
        {
          LsPassPart *part = &g_array_index (log->parts, LsPassPart, i);

          if (part->before == 0 || part->end <= part->start || !ls_pass_log_part_changed (log, i) || random_below (2) == 0)
            continue;
          check_step (log, i, FALSE);
          check_step (log, i, TRUE);
          checked++;
        }
    }
  g_test_message ("%u effective steps of %u programs agree with LLVM, by the tolerant reader and by LLVM's reading (%u functions)", checked, programs, n_read);
  g_assert_cmpuint (n_read, >=, checked);
}

/* Without the compiler nothing can be compared, which is said as a test that was left out. */
static void
test_missing (void)
{
  g_test_skip ("LLVM's opt (package llvm-19) is not installed");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/passlog/llvm/steps", g_file_test (OPT, G_FILE_TEST_IS_EXECUTABLE) ? test_steps : test_missing);
  return g_test_run ();
}
