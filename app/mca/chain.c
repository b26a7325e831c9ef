/* mca/chain: the chain of instructions through registers that a round waits for, from the text of the loop.
 *
 * llvm-mca shows a critical sequence, but on some models it is not the one that takes the time (a counter and its compare where a sum waits for
 * itself).  What a round has to wait for is known from its registers: the longest way from what a register holds at the begin of a round to
 * what it holds at its end.  Where that explains the cycles of a round and the sequence that was shown does not, it takes its place.
 * AT&T's syntax of x86; flags are left out, since what reads them is a branch, which is foretold.
 */
#include "app/mca/mca.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define N_GENERAL 16
#define N_VECTOR 32
#define N_MASK 8
#define N_REGISTERS (N_GENERAL + N_VECTOR + N_MASK)
#define MOST_OPERANDS 4
#define MOST_INSTRUCTIONS 400
#define EXPLAINS 0.8            /* of the cycles of a round */
#define LOAD_CYCLES 5.0         /* where no load of the loop tells */

typedef struct {
  int      reads[MOST_OPERANDS * 2 + 1];        /* registers of operands, then -1 */
  int      address[3];          /* those that an address is made of, then -1 */
  int      writes;              /* or -1 */
  gboolean loads;
  double   cycles;              /* with its load */
} Step;

/* How the value of a register came about: the last instruction, and the way before it. */
typedef struct _Way {
  guint              step;
  int                from;      /* the register by which it waits for the one before */
  double             cycles;
  const struct _Way *before;    /* NULL: what the register held at the begin of the round */
} Way;

/* ---- registers ------------------------------------------------------------------------ */

static int
general (const char *name,
         gsize       n)
{
  static const char *const names[] = { "ax", "bx", "cx", "dx", "si", "di", "bp", "sp" };

  if (n > 1 && name[0] == 'r' && g_ascii_isdigit (name[1]))
    return MIN ((int) g_ascii_strtoull (name + 1, NULL, 10), N_GENERAL - 1);
  if (n == 3 && (name[0] == 'r' || name[0] == 'e'))
    {
      name++;
      n--;
    }
  for (int i = 0; i < (int) G_N_ELEMENTS (names); i++)
    if ((n == 2 && strncmp (name, names[i], 2) == 0) || (n == 2 && i < 4 && name[0] == names[i][0] && (name[1] == 'l' || name[1] == 'h'))
        || (n == 3 && i >= 4 && strncmp (name, names[i], 2) == 0 && name[2] == 'l'))
      return i;
  return -1;
}

/* "%ymm3" and "%xmm3" are one register, "%eax" and "%al" another. */
static int
register_of (const char *text)
{
  gsize n = strspn (text + 1, "abcdefghijklmnopqrstuvwxyz0123456789");

  if (n > 3 && strncmp (text + 2, "mm", 2) == 0)
    return N_GENERAL + MIN ((int) g_ascii_strtoull (text + 4, NULL, 10), N_VECTOR - 1);
  if (n == 2 && text[1] == 'k')
    return N_GENERAL + N_VECTOR + MIN (text[2] - '0', N_MASK - 1);
  return general (text + 1, n);
}

static char *
name_of (int id)
{
  static const char *const names[] = { "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp" };

  if (id >= N_GENERAL + N_VECTOR)
    return g_strdup_printf ("%%k%d", id - N_GENERAL - N_VECTOR);
  if (id >= N_GENERAL)
    return g_strdup_printf ("%%xmm%d", id - N_GENERAL);
  return id < 8 ? g_strdup_printf ("%%%s", names[id]) : g_strdup_printf ("%%r%d", id);
}

/* ---- instructions ----------------------------------------------------------------------- */

static gboolean
begins_with_any (const char        *text,
                 const char *const *words)
{
  for (; *words != NULL; words++)
    if (g_str_has_prefix (text, *words))
      return TRUE;
  return FALSE;
}

/* The operands as they stand; commas inside an address part nothing. (transfer full) */
static GPtrArray *
operands_of (const char *text)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);
  int depth = 0;
  const char *begin = text;

  for (const char *c = text;; c++)
    {
      depth += *c == '(' ? 1 : *c == ')' ? -1 : 0;
      if (*c != '\0' && *c != '#' && (*c != ',' || depth > 0))
        continue;
      if (c > begin)
        g_ptr_array_add (list, g_strstrip (g_strndup (begin, (gsize) (c - begin))));
      if (*c != ',')
        return list;
      begin = c + 1;
    }
}

/* What the last operand is written to, and was there before: it is read too. */
static gboolean
reads_last (const char *name,
            GPtrArray  *operands)
{
  static const char *const fresh[] = { "mov", "lea", "cvt", "sqrt", "rsqrt", "rcp", "pshuf", "pabs", "popcnt", "lzcnt", "tzcnt", "bs", "broadcast", "round", "set", NULL };
  static const char *const sums[] = { "vfmadd", "vfmsub", "vfnmadd", "vfnmsub", "vpdp", "vpmadd52", "vdpbf16", "vpternlog", NULL };
  const char *last = operands->pdata[operands->len - 1];

  if (strchr (last, '{') != NULL && strstr (last, "{z}") == NULL)
    return TRUE;                /* what is masked off stays */
  if (name[0] == 'v' || name[0] == 'k')
    return begins_with_any (name, sums);
  return operands->len < 3 && !begins_with_any (name, fresh);
}

/* "vxorps %xmm0, %xmm0, %xmm0" waits for nothing. */
static gboolean
is_zero (const char *name,
         GPtrArray  *operands)
{
  static const char *const zeros[] = { "xor", "pxor", "vxor", "vpxor", "sub", "psub", "vpsub", NULL };

  return operands->len >= 2 && begins_with_any (name, zeros) && strcmp (operands->pdata[0], operands->pdata[1]) == 0;
}

static void
add_address (Step       *step,
             const char *operand)
{
  guint n = 0;

  for (const char *at = strchr (operand, '%'); at != NULL && n < 2; at = strchr (at + 1, '%'))
    {
      int id = register_of (at);

      if (id >= 0)
        step->address[n++] = id;
    }
  step->address[n] = -1;
}

static void
read_step (Step       *step,
           const char *line,
           double      cycles)
{
  static const char *const quiet[] = { "cmp", "test", "ucomis", "vucomis", "comis", "vcomis", "push", "j", "call", "ret", "prefetch", "nop", "bt", "vptest", "kortest", NULL };
  g_autofree char *name = g_strndup (line, strcspn (line, " \t"));
  g_autoptr (GPtrArray) operands = operands_of (line + strlen (name));
  guint n = 0;
  gboolean writes;

  memset (step, 0, sizeof *step);
  step->writes = step->address[0] = -1;
  step->cycles = cycles;
  writes = operands->len > 0 && ((char *) operands->pdata[operands->len - 1])[0] == '%' && !begins_with_any (name, quiet);
  for (guint i = 0; i < operands->len; i++)
    {
      const char *operand = operands->pdata[i];
      gboolean last = i + 1 == operands->len;

      if (strchr (operand, '(') != NULL)
        {
          add_address (step, operand);
          step->loads |= !g_str_has_prefix (name, "lea") && (!last || !g_str_has_prefix (name + (name[0] == 'v'), "mov"));
          continue;
        }
      if (operand[0] != '%' || register_of (operand) < 0)
        continue;
      if (last && writes)
        step->writes = register_of (operand);
      if ((!last || !writes || operands->len == 1 || reads_last (name, operands)) && !is_zero (name, operands) && n < MOST_OPERANDS * 2)
        step->reads[n++] = register_of (operand);
      /* The mask of "%zmm1 {%k1} {z}". */
      if (strchr (operand, '{') != NULL && strstr (operand, "%k") != NULL && n < MOST_OPERANDS * 2)
        step->reads[n++] = register_of (strstr (operand, "%k"));
    }
  step->reads[n] = -1;
}

/* (transfer full) of Step; NULL: too many */
static GArray *
steps_of (LsMca      *mca,
          const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GArray *steps = g_array_new (FALSE, FALSE, sizeof (Step));

  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *line = g_strstrip (lines[i]);
      Step step;

      if (line[0] == '\0' || line[0] == '#' || line[strlen (line) - 1] == ':')
        continue;
      read_step (&step, line, steps->len < mca->latencies->len ? g_array_index (mca->latencies, guint, steps->len) : 1.0);
      g_array_append_val (steps, step);
    }
  if (steps->len <= MOST_INSTRUCTIONS)
    return steps;
  g_array_unref (steps);
  return NULL;
}

/* Cycles of the register operands of a step that loads, too: its load begins before them.  What loads of the loop take by themselves tells how long that is. */
static double
cycles_without_load (GArray     *steps,
                     const Step *step)
{
  double load = LOAD_CYCLES;

  for (guint i = 0; i < steps->len; i++)
    {
      const Step *other = &g_array_index (steps, Step, i);

      if (other->loads && other->reads[0] < 0 && other->writes >= 0 && (other->writes >= N_GENERAL) == (step->writes >= N_GENERAL))
        load = other->cycles;
    }
  return step->loads ? MAX (1.0, step->cycles - load) : step->cycles;
}

/* ---- the longest way round ---------------------------------------------------------------- */

static const Way *
longer (const Way *best,
        Way       *own,
        int        from,
        const Way *before,
        guint      i,
        double     cycles)
{
  double all = (before != NULL ? before->cycles : 0.0) + cycles;

  if (best != NULL && best->cycles >= all)
    return best;
  *own = (Way) { i, from, all, before };
  return own;
}

/* The longest way from what `start` holds at the begin of a round to what `end` holds at its end, or NULL: there is none. `ways` has room for one a step. */
static const Way *
way_round (GArray *steps,
           int     start,
           int     end,
           Way    *ways)
{
  const Way *now[N_REGISTERS] = { NULL };
  gboolean reached[N_REGISTERS] = { FALSE };

  reached[start] = TRUE;
  for (guint i = 0; i < steps->len; i++)
    {
      const Step *step = &g_array_index (steps, Step, i);
      const Way *best = NULL;

      for (guint k = 0; step->reads[k] >= 0; k++)
        if (reached[step->reads[k]])
          best = longer (best, &ways[i], step->reads[k], now[step->reads[k]], i, cycles_without_load (steps, step));
      for (guint k = 0; step->address[k] >= 0; k++)
        if (reached[step->address[k]])
          best = longer (best, &ways[i], step->address[k], now[step->address[k]], i, step->cycles);
      if (step->writes < 0)
        continue;
      reached[step->writes] = best != NULL;
      now[step->writes] = best;
    }
  return reached[end] ? now[end] : NULL;
}

static void
put_chain (LsMca     *self,
           const Way *way,
           gboolean   carried)
{
  g_autofree char *name = NULL;
  LsMcaLink link;

  if (way == NULL)
    return;
  put_chain (self, way->before, carried);
  name = name_of (way->from);
  link = (LsMcaLink) { way->step, g_strdup_printf (_("register %s"), name), carried && way->before == NULL };
  g_array_append_val (self->chain, link);
}

/* Cycles of the sequence that is there, a round; `remembers`: it goes through memory, of which registers tell nothing. */
static double
shown_cycles (LsMca    *self,
              GArray   *steps,
              gboolean *remembers)
{
  double sum = 0.0;

  *remembers = FALSE;
  for (guint i = 0; i < self->chain->len; i++)
    {
      const LsMcaLink *link = &g_array_index (self->chain, LsMcaLink, i);

      *remembers |= g_strcmp0 (link->through, _("memory")) == 0;
      if (link->instruction < steps->len)
        sum += cycles_without_load (steps, &g_array_index (steps, Step, link->instruction));
    }
  return sum;
}

void
ls_mca_settle_chain (LsMca      *self,
                     const char *text)
{
  g_autoptr (GArray) steps = ls_mca_waits (self) ? steps_of (self, text) : NULL;
  g_autofree Way *ways = steps != NULL ? g_new0 (Way, steps->len) : NULL;
  g_autofree Way *best = steps != NULL ? g_new0 (Way, steps->len) : NULL;
  gboolean remembers = FALSE;
  double shown, most = 0.0;
  int longest = -1;

  if (steps == NULL)
    return;
  shown = shown_cycles (self, steps, &remembers);
  for (int r = 0; r < N_REGISTERS; r++)
    {
      const Way *way = way_round (steps, r, r, ways);

      if (way == NULL || way->cycles <= most)
        continue;
      most = way->cycles;
      longest = r;
    }
  if (longest < 0 || remembers || most < EXPLAINS * self->cycles || fabs (most - self->cycles) >= fabs (shown - self->cycles))
    return;
  g_array_set_size (self->chain, 0);
  put_chain (self, way_round (steps, longest, longest, best), TRUE);
}
