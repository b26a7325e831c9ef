/* mca/words: what an instruction does, and what a remark of LLVM means, a line each. */
#include "app/mca/mca.h"

#include <glib/gi18n.h>
#include <string.h>

/* ---- instructions -------------------------------------------------------------- */

/* The longest stem that a name begins with counts; a v before it (VEX) is left out.  With `lanes`, how many numbers is said behind it. */
typedef struct {
  const char *stem, *words;
  gboolean    lanes;
} Instruction;

static const Instruction instructions[] = {
  { "fmadd", N_("multiplies two numbers and adds a third, rounded once"), TRUE },
  { "fmsub", N_("multiplies two numbers and subtracts a third, rounded once"), TRUE },
  { "fnmadd", N_("subtracts a product from a number, rounded once"), TRUE },
  { "fnmsub", N_("subtracts a number from the negative of a product, rounded once"), TRUE },
  { "addp", N_("adds"), TRUE }, { "adds", N_("adds"), TRUE },
  { "subp", N_("subtracts"), TRUE }, { "subs", N_("subtracts"), TRUE },
  { "mulp", N_("multiplies"), TRUE }, { "muls", N_("multiplies"), TRUE },
  { "divp", N_("divides: slow, it takes a unit for several cycles"), TRUE }, { "divs", N_("divides: slow, it takes a unit for several cycles"), TRUE },
  { "maxp", N_("takes the larger of two"), TRUE }, { "maxs", N_("takes the larger of two"), TRUE },
  { "minp", N_("takes the smaller of two"), TRUE }, { "mins", N_("takes the smaller of two"), TRUE },
  { "sqrt", N_("square root: slow, it takes a unit for several cycles"), TRUE },
  { "rsqrt", N_("one over the square root, roughly"), TRUE }, { "rcp", N_("one over a number, roughly"), TRUE },
  { "hadd", N_("adds neighbours inside of a register: the end of a sum in vectors"), TRUE },
  { "broadcast", N_("puts one number into all lanes of a register"), FALSE },
  { "gather", N_("collects numbers from places all over memory, one load each"), TRUE },
  { "scatter", N_("stores numbers at places all over memory, one store each"), TRUE },
  { "shuf", N_("moves numbers between the lanes of registers"), TRUE }, { "perm", N_("moves numbers between the lanes of registers"), TRUE },
  { "unpck", N_("interleaves the lanes of two registers"), TRUE }, { "blend", N_("takes each lane from one of two registers"), TRUE },
  { "insert", N_("puts a part into a wider register"), FALSE }, { "pinsr", N_("puts a part into a wider register"), FALSE }, { "pextr", N_("takes a part of a wider register"), FALSE }, { "extract", N_("takes a part of a wider register"), FALSE },
  { "cvt", N_("changes the type of numbers"), TRUE },
  { "round", N_("rounds to whole numbers"), TRUE }, { "rndscale", N_("rounds to whole numbers"), TRUE },
  { "getexp", N_("takes the exponent out of a number"), TRUE }, { "getmant", N_("takes the fraction out of a number"), TRUE },
  { "scalef", N_("multiplies with a power of two"), TRUE }, { "range", N_("takes the larger or the smaller of two"), TRUE }, { "fixupimm", N_("puts right what is not a number, or infinite"), TRUE },
  { "ucomis", N_("compares two numbers for a branch"), FALSE },
  { "comis", N_("compares two numbers for a branch"), FALSE },
  { "xorp", N_("exclusive or; of a register with itself: makes it zero"), FALSE }, { "pxor", N_("exclusive or; of a register with itself: makes it zero"), FALSE },
  { "andp", N_("and of all bits: a mask, or the sign taken off"), FALSE }, { "orp", N_("or of all bits"), FALSE }, { "andn", N_("and of all bits, with one side inverted"), FALSE },
  { "pternlog", N_("combines the bits of three registers: which are chosen, a table of eight says"), FALSE }, { "pand", N_("and of all bits"), FALSE }, { "por", N_("or of all bits"), FALSE }, { "padd", N_("adds whole numbers"), FALSE }, { "psub", N_("subtracts whole numbers"), FALSE },
  { "pmul", N_("multiplies whole numbers"), FALSE }, { "psll", N_("shifts bits to the left"), FALSE }, { "psrl", N_("shifts bits to the right"), FALSE },
  { "psra", N_("shifts bits to the right, keeping the sign"), FALSE }, { "pcmp", N_("compares whole numbers, and leaves a mask"), FALSE },
  { "pmax", N_("takes the larger of two"), TRUE }, { "pmin", N_("takes the smaller of two"), TRUE }, { "pabs", N_("takes the sign off"), TRUE },
  { "phadd", N_("adds neighbours inside of a register: the end of a sum in vectors"), FALSE }, { "prol", N_("rotates bits"), FALSE }, { "pror", N_("rotates bits"), FALSE },
  { "pmadd", N_("multiplies whole numbers and adds neighbours"), FALSE }, { "psad", N_("sums the differences of bytes"), FALSE },
  { "pdpbusd", N_("sums products of four bytes each"), FALSE }, { "pdpwssd", N_("sums products of two words each"), FALSE },
  { "dpbf16", N_("sums products of two numbers of 16 bits each"), FALSE },
  { "ptest", N_("looks at bits, and leaves a mask of the lanes"), FALSE }, { "pack", N_("narrows whole numbers"), FALSE }, { "pmov", N_("narrows whole numbers"), FALSE },
  { "pmovsx", N_("widens whole numbers, keeping the sign"), FALSE }, { "pmovzx", N_("widens whole numbers, filling up with zeros"), FALSE }, { "pmovmskb", N_("collects the signs of the lanes in a number"), FALSE },
  { "movmskp", N_("collects the signs of the lanes in a number"), FALSE }, { "pmovm2", N_("makes lanes of a mask"), FALSE }, { "pmask", N_("copies the lanes of a mask"), FALSE }, { "maskmov", N_("copies the lanes of a mask"), FALSE },
  { "compress", N_("moves the chosen lanes together"), FALSE }, { "expand", N_("spreads neighbours over the chosen lanes"), FALSE }, { "align", N_("moves numbers between the lanes of registers"), FALSE },
  { "popcnt", N_("counts the bits that are one"), FALSE }, { "lzcnt", N_("counts the zeros before the first bit"), FALSE }, { "tzcnt", N_("counts the zeros behind the last bit"), FALSE },
  { "bs", N_("looks for a bit that is one"), FALSE }, { "bswap", N_("turns the order of the bytes"), FALSE }, { "bt", N_("looks at a bit, for the jump behind it"), FALSE }, { "bl", N_("changes the last bit that is one"), FALSE },
  { "zeroupper", N_("empties the upper halves of the registers, for code that does not know them"), FALSE },
  { "mov", N_("copies"), FALSE }, { "movap", N_("copies a register, or memory whose address is a multiple of its size"), TRUE },
  { "movup", N_("copies a register, or memory at any address"), TRUE }, { "movss", N_("copies one number"), FALSE }, { "movsd", N_("copies one number"), FALSE },
  { "movdq", N_("copies a register, or memory"), FALSE }, { "lddqu", N_("copies a register, or memory"), FALSE },
  { "movshdup", N_("doubles numbers: each second one stands in its neighbour's lane too"), FALSE }, { "movsldup", N_("doubles numbers: each second one stands in its neighbour's lane too"), FALSE },
  { "movddup", N_("doubles numbers: each second one stands in its neighbour's lane too"), FALSE },
  { "movnt", N_("stores past the caches"), FALSE }, { "movz", N_("copies and fills up with zeros"), FALSE }, { "movs", N_("copies and keeps the sign"), FALSE },
  { "movh", N_("copies one half of a register"), FALSE }, { "movl", N_("copies four bytes, or the other half of a register"), FALSE },
  { "lea", N_("computes an address: adds and multiplies, without touching memory"), FALSE },
  { "add", N_("adds whole numbers: a counter or an address goes on"), FALSE }, { "sub", N_("subtracts whole numbers"), FALSE }, { "inc", N_("adds one to a counter"), FALSE },
  { "dec", N_("takes one from a counter"), FALSE }, { "imul", N_("multiplies whole numbers"), FALSE }, { "mul", N_("multiplies whole numbers"), FALSE }, { "idiv", N_("divides whole numbers: very slow"), FALSE }, { "div", N_("divides whole numbers: very slow"), FALSE },
  { "adc", N_("adds whole numbers, and what was carried"), FALSE }, { "sbb", N_("subtracts whole numbers, and what was borrowed"), FALSE },
  { "cltq", N_("widens a whole number, keeping the sign"), FALSE }, { "cltd", N_("widens a whole number, keeping the sign"), FALSE }, { "cqto", N_("widens a whole number, keeping the sign"), FALSE },
  { "cwtl", N_("widens a whole number, keeping the sign"), FALSE }, { "rol", N_("rotates bits"), FALSE }, { "ror", N_("rotates bits"), FALSE }, { "sal", N_("shifts bits to the left: a product with a power of two"), FALSE },
  { "xchg", N_("exchanges a number in memory with one in a register, which no other core can see half done"), FALSE }, { "xadd", N_("adds to a number in memory, which no other core can see half done"), FALSE },
  { "cmpxchg", N_("exchanges a number in memory if it is still what was read, which no other core can see half done"), FALSE }, { "lock", N_("lets no other core see the next instruction half done"), FALSE },
  { "mfence", N_("waits until all that was stored is seen"), FALSE }, { "ud2", N_("ends the program: this place is never reached"), FALSE },
  { "neg", N_("negates a whole number"), FALSE }, { "shl", N_("shifts bits to the left: a product with a power of two"), FALSE },
  { "shr", N_("shifts bits to the right"), FALSE }, { "sar", N_("shifts bits to the right, keeping the sign"), FALSE },
  { "and", N_("and of all bits"), FALSE }, { "or", N_("or of all bits"), FALSE }, { "xor", N_("exclusive or; of a register with itself: makes it zero"), FALSE },
  { "not", N_("inverts all bits"), FALSE }, { "cmp", N_("compares, for the jump behind it"), FALSE }, { "test", N_("looks at bits, for the jump behind it"), FALSE },
  { "cmov", N_("copies if a condition holds, without a jump"), FALSE }, { "set", N_("writes whether a condition holds"), FALSE },
  { "jmp", N_("jumps"), FALSE }, { "j", N_("jumps if a condition holds: the round begins again, or the loop ends"), FALSE },
  { "call", N_("calls a function: what the registers hold goes to memory and back"), FALSE }, { "ret", N_("returns"), FALSE },
  { "push", N_("puts a register on the stack, to be restored at the end"), FALSE }, { "pop", N_("restores a register from the stack"), FALSE },
  { "nop", N_("does nothing: what follows begins at a better address"), FALSE }, { "prefetch", N_("asks for a cache line that is needed soon"), FALSE },
  { "kmov", N_("copies a mask of lanes"), FALSE }, { "kortest", N_("looks at masks of lanes, for the jump behind it"), FALSE }, { "k", N_("computes with masks of lanes"), FALSE },
};

/* Names that mean another thing in registers of vectors. */
static const struct { const char *stem, *words; } of_vectors[] = {
  { "cmp", N_("compares, and leaves a mask of the lanes") }, { "pcmp", N_("compares whole numbers, and leaves a mask") },
};

/* Numbers of a register: 32 bits each, 64 with the ending d of sd and pd, or where such become others; of whole ones as the last letter says;
 * 0: no register of vectors. */
static guint
lanes_of (const char *text)
{
  gsize n = strcspn (text, " \t");
  guint bits = strstr (text, "%zmm") != NULL ? 512 : strstr (text, "%ymm") != NULL ? 256 : strstr (text, "%xmm") != NULL ? 128 : 0;

  if (bits == 0 || n < 2)
    return 0;
  if (g_str_has_prefix (text, "vp"))
    return bits / (text[n - 1] == 'b' ? 8 : text[n - 1] == 'w' ? 16 : text[n - 1] == 'q' ? 64 : 32);
  if (text[n - 2] == 's' && (text[n - 1] == 's' || text[n - 1] == 'd'))
    return 1;
  return bits / (text[n - 1] == 'd' || g_strstr_len (text, (gssize) n, "pd2") != NULL ? 64 : 32);
}

/* The row of the longest stem that a name of n letters begins with, or NULL. */
static const Instruction *
find (const char *name,
      gsize       n)
{
  const Instruction *found = NULL;
  gsize best = 0;

  for (guint i = 0; i < G_N_ELEMENTS (instructions); i++)
    {
      gsize length = strlen (instructions[i].stem);

      if (length > best && length <= n && strncmp (name, instructions[i].stem, length) == 0)
        {
          best = length;
          found = &instructions[i];
        }
    }
  return found;
}

/* What it does, and on how many numbers; NULL: no one knows. */
static char *
deed_of (const char *text,
         gsize       n)
{
  gboolean vex = text[0] == 'v';
  const Instruction *found;
  guint lanes = lanes_of (text);

  for (guint i = 0; (vex || strstr (text, "%xmm") != NULL) && i < G_N_ELEMENTS (of_vectors); i++)
    if (g_str_has_prefix (text + vex, of_vectors[i].stem))
      return g_strdup (_(of_vectors[i].words));
  found = find (text + vex, n - vex);
  if (found == NULL && n > 2 && vex && text[1] == 'p')
    found = find (text + 2, n - 2);
  if (found == NULL)
    return NULL;
  if (!found->lanes || lanes == 0)
    return g_strdup (_(found->words));
  /* Translators: what an instruction does, and on how many numbers: "adds, 8 at once" */
  return lanes == 1 ? g_strdup_printf (_("%s, one number"), _(found->words)) : g_strdup_printf (_("%s, %u at once"), _(found->words), lanes);
}

char *
ls_instruction_words (const char *text)
{
  gsize n = strcspn (text, " \t");
  g_autofree char *deed = NULL;

  if (n == 0 || text[n - 1] == ':')
    return NULL;
  deed = deed_of (text, n);
  if (deed == NULL || strstr (text, "{%k") == NULL)
    return g_steal_pointer (&deed);
  /* Translators: what an instruction does, and that a mask says in which lanes: "adds, 16 at once; where the mask says so" */
  return g_strdup_printf (strstr (text, "{z}") != NULL ? _("%s; where the mask says so, and zero elsewhere") : _("%s; where the mask says so"), deed);
}

/* ---- remarks --------------------------------------------------------------------- */

static const struct { const char *begin, *words; } remarks[] = {
  { "loop not vectorized: value that could not be identified as reduction", N_("No vectors here: each round needs the result of the round before, and the order in which numbers are added may not be changed. A loop whose rounds do not "
      "depend on each other has to be innermost (reorder), or the sum be cut into several (rfactor).") },
  { "loop not vectorized: cannot prove it is safe to reorder floating-point operations", N_("No vectors here: the sum would be added up in another order, which changes its last digits. rfactor says that this is wanted; or let a loop of the result be "
      "innermost.") },
  { "loop not vectorized: cannot identify array bounds", N_("No vectors here: LLVM cannot tell which memory the loop touches, so rounds might depend on each other.") },
  { "loop not vectorized: unsafe dependent memory operations", N_("No vectors here: a round may read what another one writes.") },
  { "loop not vectorized: call instruction cannot be vectorized", N_("No vectors here: the loop calls a function that there is for single numbers only.") },
  { "loop not vectorized: loop control flow is not understood", N_("No vectors here: the loop can end in several ways, or has a branch inside. Take the condition out of it (loop_partition), or compute both sides.") },
  { "loop not vectorized: could not determine number of loop iterations", N_("No vectors here: how many rounds the loop has is known only while it runs.") },
  { "the cost-model indicates that vectorization is not beneficial", N_("No vectors here: they could be made, but collecting the numbers for them costs more than they save: neighbours in the loop are not neighbours in memory. Let the loop along the "
      "last index be innermost.") },
  { "loop not vectorized", N_("No vectors here. vectorize on a loop whose rounds do not depend on each other asks for them outright.") },
};

char *
ls_remark_words (const char *remark)
{
  for (guint i = 0; i < G_N_ELEMENTS (remarks); i++)
    if (strstr (remark, remarks[i].begin) != NULL)
      return g_strdup (_(remarks[i].words));
  return NULL;
}
