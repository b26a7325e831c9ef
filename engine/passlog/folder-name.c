/* folder-name: what the name of a file in a folder of dumps says: which program it is of, where it stands, and its pass.
 *
 * XLA (--xla_dump_to, --xla_dump_hlo_pass_re; openxla.org/xla/hlo_dumps) writes for each module
 *   module_0002.jit_f.before_optimizations.txt
 *   module_0002.jit_f.0005.simplification.after_algsimp.before_dce.txt      number, pipeline, the pass before and the one behind
 *   module_0002.jit_f.cpu_after_optimizations.txt                           also sm_8.0_gpu_after_optimizations.txt, after_optimizations_before_buffer_assignment.txt
 * with a time in front ("1624325116260738.module_0065.f.before_optimizations.txt") or without a name (module_4561.before_optimizations.txt), and beside them what else
 * is known of the module (-buffer-assignment.txt, execution_options.txt).
 * Triton's cache has no numbers; there the order of its stages holds: ttir, ttgir, llir, ptx.  Other names have numbers:
 * a.c.021t.ssa, 0_1_cse.mlir, 003_tir.Simplify.py, abs.2.abi.mlir (IREE's --dump-compilation-phases-to). */
#include "engine/passlog/private.h"

#include <string.h>

/* Endings of Triton's stages, in their order. */
static const char *const STAGES[] = { ".source", ".ttir", ".ttgir", ".llir", ".ptx", ".amdgcn" };

static int
stage_of (const char *path)
{
  for (guint i = 0; i < G_N_ELEMENTS (STAGES); i++)
    if (g_str_has_suffix (path, STAGES[i]))
      return (int) i;
  return -1;
}

/* ---- XLA ---- */

#define XLA_OTHER 5

typedef struct {
  gsize       module;           /* length of "module_0002", with what stands in front of it */
  guint       rank;             /* 0: before all passes, 1: a numbered one, 2 to 4: the program at the end, 5: what else is said of it */
  const char *number;           /* where the numbered one's number begins, or the name behind the module's */
  const char *pass;             /* to the end or to the next dot */
  gsize       pass_length;
} Xla;

/* ".0005.simplification.after_": the last number of four digits in front of a pipeline; the name of a module may end with one, too. */
static const char *
find_number (const char *name)
{
  const char *after = strstr (name, ".after_"), *found = NULL;

  for (const char *at = strchr (name, '.'); after != NULL && at != NULL && at < after; at = strchr (at + 1, '.'))
    if (strspn (at + 1, "0123456789") == 4 && at[5] == '.')
      found = at + 1;
  return found;
}

/* By how the name ends. */
static guint
rank_of (const char *name)
{
  static const struct { const char *suffix; guint rank; } ENDS[] = {
    { ".before_optimizations.txt", 0 }, { "after_optimizations_before_buffer_assignment.txt", 2 }, { "after_optimizations_after_buffer_assignment.txt", 3 },
    { "after_optimizations.txt", 4 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (ENDS); i++)
    if (g_str_has_suffix (name, ENDS[i].suffix))
      return ENDS[i].rank;
  return XLA_OTHER;
}

static gboolean
read_xla (const char *name,
          Xla        *xla)
{
  gsize time = strspn (name, "0123456789");
  const char *stop, *at = time > 0 && name[time] == '.' ? name + time + 1 : name, *target;

  *xla = (Xla) { 0 };
  if (!g_str_has_prefix (at, "module_") || !g_ascii_isdigit (at[7]))
    return FALSE;
  at += 7 + strspn (at + 7, "0123456789");
  xla->module = (gsize) (at - name);
  if (*at != '.')
    return FALSE;
  xla->rank = rank_of (name);
  xla->number = xla->rank == XLA_OTHER ? find_number (at) : NULL;
  if (xla->number != NULL)
    {
      xla->rank = 1;
      xla->pass = strstr (xla->number, ".after_") + strlen (".after_");
      stop = strstr (xla->pass, ".before_");
      xla->pass_length = stop != NULL ? (gsize) (stop - xla->pass) : strcspn (xla->pass, ".");
      return TRUE;
    }
  xla->number = at;
  stop = name + strlen (name) - (g_str_has_suffix (name, ".txt") ? strlen (".txt") : 0);
  for (xla->pass = stop; xla->rank != XLA_OTHER && xla->pass[-1] != '.';)
    xla->pass--;
  target = xla->rank != XLA_OTHER ? strstr (at, ".sm_") : NULL;         /* "sm_8.0_gpu_after_optimizations" has a dot */
  if (target != NULL && target < xla->pass)
    xla->pass = target + 1;
  if (xla->rank == XLA_OTHER)           /* module_0002.jit_f.cpu_after_optimizations-buffer-assignment.txt */
    xla->pass = xla->number + 1;
  xla->pass_length = (gsize) (MAX (stop, xla->pass) - xla->pass);
  return TRUE;
}

/* ---- order ---- */

/* Numbers compared as numbers. */
static int
compare_names (const char *a,
               const char *b)
{
  while (*a != '\0' && *b != '\0')
    {
      if (g_ascii_isdigit (*a) && g_ascii_isdigit (*b))
        {
          char *end, *end_b;
          guint64 x = g_ascii_strtoull (a, &end, 10), y = g_ascii_strtoull (b, &end_b, 10);

          if (x != y)
            return x < y ? -1 : 1;
          a = end;
          b = end_b;
        }
      else if (*a != *b)
        return (guchar) *a < (guchar) *b ? -1 : 1;
      else
        a++, b++;
    }
  return *a == *b ? 0 : *a == '\0' ? -1 : 1;
}

int
ls_pass_file_compare (const char *a,
                      const char *b)
{
  int stage = stage_of (a), stage_b = stage_of (b);
  Xla xla, xla_b;

  if (stage >= 0 && stage_b >= 0)
    {
      g_autofree char *stem = g_strndup (a, (gsize) (strrchr (a, '.') - a)), *stem_b = g_strndup (b, (gsize) (strrchr (b, '.') - b));
      int order = compare_names (stem, stem_b);

      return order != 0 ? order : stage - stage_b;
    }
  if (read_xla (a, &xla) && read_xla (b, &xla_b))
    {
      g_autofree char *module = g_strndup (a, xla.module), *module_b = g_strndup (b, xla_b.module);
      int order = compare_names (module, module_b);

      if (order != 0 || xla.rank != xla_b.rank)
        return order != 0 ? order : (int) xla.rank - (int) xla_b.rank;
      return compare_names (xla.number, xla_b.number);
    }
  return compare_names (a, b);
}

/* ---- what it says ---- */

char *
ls_pass_file_program (const char *name)
{
  Xla xla;

  if (read_xla (name, &xla))
    return g_strndup (name, xla.module);
  return stage_of (name) >= 0 ? g_strndup (name, (gsize) (strrchr (name, '.') - name)) : NULL;
}

char *
ls_pass_file_unit (const char *name)
{
  Xla xla;
  const char *pipeline;

  if (!read_xla (name, &xla))
    return g_strdup ("");
  if (xla.rank == XLA_OTHER)
    return g_strdup (name);
  if (xla.rank != 1)
    return g_strndup (name, xla.module);
  pipeline = xla.number + strcspn (xla.number, ".") + 1;
  return g_strdup_printf ("%.*s.%.*s", (int) xla.module, name, (int) (strstr (pipeline, ".after_") - pipeline), pipeline);
}

char *
ls_pass_file_pass (const char *name)
{
  static const char *const ENDINGS[] = { ".mlir", ".txt", ".py", ".ll", ".tir" };
  g_autofree char *base = g_strdup (name);
  char *at = base;
  Xla xla;

  if (read_xla (name, &xla))
    return g_strndup (xla.pass, xla.pass_length);
  for (guint i = 0; i < G_N_ELEMENTS (ENDINGS); i++)
    if (g_str_has_suffix (base, ENDINGS[i]))
      base[strlen (base) - strlen (ENDINGS[i])] = '\0';
  for (char *c = base; *c != '\0'; c++)
    if (g_ascii_isdigit (*c) && (c == base || strchr ("._-", c[-1]) != NULL))
      {
        char *end = c + strspn (c, "0123456789");

        if (end[0] != '\0' && strchr ("tri", end[0]) != NULL && end[1] == '.')
          end++;
        if (end[0] != '\0' && strchr ("._-", end[0]) != NULL && end[1] != '\0')
          at = end + 1;
      }
  return g_strdup (at);
}
