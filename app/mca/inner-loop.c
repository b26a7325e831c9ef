/* mca/inner-loop: jumps back to a label without another such pair inside, and what their instructions are. */
#include "app/mca/mca.h"

#include <string.h>

typedef struct {
  guint       line;
  const char *text;             /* borrowed */
} Row;

/* ---- single instructions --------------------------------------------------------- */

static gboolean
is_label (const char *text)
{
  return g_str_has_suffix (text, ":");
}

/* The label "LBB0_2" that a jump goes to ("jne .LBB0_2"), or NULL. (transfer full) */
static char *
target_of (const char *text)
{
  const char *at = strstr (text, ".LBB");
  gsize n = 0;

  if (at == NULL || strchr ("jbct", text[0]) == NULL || strchr (text, '(') != NULL)
    return NULL;
  while (g_ascii_isalnum (at[1 + n]) || at[1 + n] == '_')
    n++;
  return g_strndup (at + 1, n);
}

static guint
bits_of (const char *text)
{
  gsize n = strcspn (text, " ");

  if (strstr (text, "%zmm") != NULL)
    return 512;
  if (strstr (text, "%ymm") != NULL)
    return 256;
  if (strstr (text, "%xmm") == NULL || n < 2)
    return 0;
  return text[n - 2] == 'p' ? 128 : text[n - 1] == 'd' ? 64 : 32;
}

/* "vfmadd231ps", "mulss", "vmaxpd": of floating point, and computing. */
static gboolean
is_arithmetic (const char *text)
{
  static const char *const stems[] = { "fmadd", "fmsub", "fnmadd", "fnmsub", "add", "sub", "mul", "div", "max", "min", "sqrt", "rcp", "rsqrt" };
  const char *name = text[0] == 'v' ? text + 1 : text;
  gsize n = strcspn (text, " ");

  if (n < 4 || (text[n - 1] != 's' && text[n - 1] != 'd') || (text[n - 2] != 'p' && text[n - 2] != 's') || strchr (text, '%') == NULL)
    return FALSE;
  if (bits_of (text) == 0)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (stems); i++)
    if (g_str_has_prefix (name, stems[i]))
      return TRUE;
  return FALSE;
}

/* In AT&T's syntax the last operand is the one that is written. */
static void
count_memory (LsInnerLoop *self,
              const char  *text)
{
  const char *operand = strchr (text, '('), *last = strrchr (text, ',');
  gsize n = strcspn (text, " ");
  gboolean moves = strncmp (text, "mov", 3) == 0 || strncmp (text, "vmov", 4) == 0;
  int depth = 0;

  if (operand == NULL || strncmp (text, "lea", 3) == 0 || strncmp (text, "prefetch", 8) == 0 || strncmp (text, "nop", 3) == 0)
    return;
  /* The comma that parts the operands, not one of "(%rax,%rdx,4)". */
  last = NULL;
  for (const char *at = text + n; *at != '\0'; at++)
    {
      depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
      if (*at == ',' && depth == 0)
        last = at;
    }
  if (last != NULL && operand > last)
    {
      self->stores += strncmp (text, "cmp", 3) != 0 && strncmp (text, "test", 4) != 0 && strstr (text, "ucomis") == NULL;
      self->loads += !moves;
    }
  else
    self->loads++;
}

static void
count (LsInnerLoop *self,
       const char  *text)
{
  self->n++;
  count_memory (self, text);
  self->spills += strstr (text, "(%rsp)") != NULL || strstr (text, "(%rbp)") != NULL;
  if (is_arithmetic (text))
    {
      self->arithmetic++;
      self->fused += strstr (text, "madd") != NULL || strstr (text, "msub") != NULL;
      self->bits = MAX (self->bits, bits_of (text));
    }
  if (self->call == NULL && strncmp (text, "call", 4) == 0)
    {
      g_autofree char *words = g_strstrip (g_strdup (text + strcspn (text, " ")));

      self->call = g_strndup (words, strcspn (words, "@"));
    }
}

/* ---- loops ------------------------------------------------------------------------- */

static GArray *
flatten (GVariant *groups)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (Row));

  for (gsize i = 0; i < g_variant_n_children (groups); i++)
    {
      g_autoptr (GVariant) group = g_variant_get_child_value (groups, i);
      g_autoptr (GVariant) list = g_variant_get_child_value (group, 2);
      Row row = { 0, NULL };

      g_variant_get_child (group, 0, "u", &row.line);
      for (gsize k = 0; k < g_variant_n_children (list); k++)
        {
          g_variant_get_child (list, k, "&s", &row.text);
          g_array_append_val (rows, row);
        }
    }
  return rows;
}

/* The line that most of its instructions come from. */
static guint
line_of (GArray *rows,
         guint   first,
         guint   last)
{
  guint best = 0, most = 0;

  for (guint i = first; i <= last; i++)
    {
      guint line = g_array_index (rows, Row, i).line, n = 0;

      for (guint k = first; line != 0 && k <= last; k++)
        n += g_array_index (rows, Row, k).line == line;
      if (n > most)
        best = line;
      most = MAX (most, n);
    }
  return best;
}

static LsInnerLoop *
loop_new (GArray *rows,
          guint   first,
          guint   last)
{
  LsInnerLoop *self = g_new0 (LsInnerLoop, 1);
  GString *text = g_string_new (NULL);

  for (guint i = first; i <= last; i++)
    {
      const char *words = g_array_index (rows, Row, i).text;

      g_string_append_printf (text, "%s%s\n", is_label (words) ? "." : "\t", words);
      if (!is_label (words))
        count (self, words);
    }
  self->text = g_string_free (text, FALSE);
  self->line = line_of (rows, first, last);
  self->first = first;
  self->last = last;
  for (guint i = first; i <= last; i++)
    {
      guint line = g_array_index (rows, Row, i).line;

      self->from = line != 0 && (self->from == 0 || line < self->from) ? line : self->from;
      self->to = MAX (self->to, line);
    }
  return self;
}

static double
worth (const LsInnerLoop *self)
{
  return (double) self->arithmetic * MAX (self->bits, 32) * 1e6 + (double) (self->loads + self->stores) * 1e3 + self->n;
}

static void
loop_unref (gpointer data)
{
  ls_inner_loop_free (data);
}

GPtrArray *
ls_inner_loops (GVariant *groups)
{
  g_autoptr (GArray) rows = flatten (groups);
  g_autoptr (GHashTable) labels = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GPtrArray *loops = g_ptr_array_new_with_free_func (loop_unref);
  guint inside = 0;             /* rows up to here belong to a loop that ended */

  for (guint i = 0; i < rows->len; i++)
    {
      const char *text = g_array_index (rows, Row, i).text;
      g_autofree char *target = NULL;
      gpointer first;

      if (is_label (text))
        {
          g_hash_table_insert (labels, g_strndup (text, strlen (text) - 1), GUINT_TO_POINTER (i));
          continue;
        }
      target = target_of (text);
      if (target == NULL || !g_hash_table_lookup_extended (labels, target, NULL, &first) || GPOINTER_TO_UINT (first) < inside)
        continue;
      inside = i;
      g_ptr_array_add (loops, loop_new (rows, GPOINTER_TO_UINT (first), i));
    }
  return loops;
}

/* (transfer full), or NULL */
static LsInnerLoop *
take_best (GPtrArray *loops,
           guint      first,
           guint      last)
{
  guint best = loops->len;

  for (guint part = 0; part < 2 && best == loops->len; part++)
    for (guint i = 0; i < loops->len; i++)
      {
        const LsInnerLoop *loop = loops->pdata[i];
        gboolean fits = part ? loop->to >= first && loop->from <= last : loop->line >= first && loop->line <= last;

        if (fits && (best == loops->len || worth (loop) > worth (loops->pdata[best])))
          best = i;
      }
  return best < loops->len ? g_ptr_array_steal_index (loops, best) : NULL;
}

LsInnerLoop *
ls_inner_loop_find (GVariant *groups)
{
  g_autoptr (GPtrArray) loops = ls_inner_loops (groups);
  return take_best (loops, 0, G_MAXUINT);
}

LsInnerLoop *
ls_inner_loop_find_in (GVariant *groups,
                       guint     first,
                       guint     last)
{
  g_autoptr (GPtrArray) loops = ls_inner_loops (groups);

  return take_best (loops, first, last);
}

void
ls_inner_loop_free (LsInnerLoop *self)
{
  if (self == NULL)
    return;
  g_free (self->text);
  g_free (self->call);
  g_free (self);
}
