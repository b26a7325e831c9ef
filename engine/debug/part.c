/* part: where two programs that should do the same part.
 *
 * Both run on the same inputs, and the last value of every element of every buffer that both have is kept: parameters by position, others
 * by name, shape and type.  Two values differ by rounding when their distance is within what the sums that made them may lose,
 *
 *   |a - b| <= (eps (8 + 4 n) + 16 carried) peak
 *
 * with n the writes of the element in both, peak the largest of its values on the way, and carried the largest such difference, by its
 * peak, in a buffer that was written before.  It is a bound with room, no proof: what is larger is called real.
 */
#include "engine/debug/part-private.h"
#include "engine/base/plural.h"

#include <math.h>
#include <string.h>

#define MOST_WRITES 64          /* of the element that are told, for each side */

/* ---- comparing ------------------------------------------------------------------------------- */

typedef enum { SAME, ROUNDING, REAL } Verdict;

typedef struct {
  Verdict verdict;
  LsPartRecord *left, *right;
  gint64  element;              /* row-major */
  double  ulp;
} Difference;

static Verdict
compare_element (const LsPartRecord *left,
                 const LsPartRecord *right,
                 gint64        i,
                 double        carried,
                 double       *ulp)
{
  double a = left->values[i], b = right->values[i], peak, allowed;

  *ulp = 0;
  if ((left->clocks[i] == 0) != (right->clocks[i] == 0))
    {
      *ulp = ls_part_ulp (left->dtype, a, b);
      return a == b ? SAME : REAL;      /* what was not written is still as it began */
    }
  if (left->clocks[i] == 0 || a == b || (isnan (a) && isnan (b)))
    return SAME;
  *ulp = ls_part_ulp (left->dtype, a, b);
  if (!ls_dtype_is_float (left->dtype) || !isfinite (a) || !isfinite (b))
    return REAL;
  peak = fmax (fmax (left->peaks[i], right->peaks[i]), fmax (fabs (a), fabs (b)));
  allowed = (ls_part_epsilon (left->dtype) * (8 + 4.0 * (left->writes[i] + right->writes[i])) + 16 * carried) * peak;
  return fabs (a - b) <= allowed ? ROUNDING : REAL;
}

static int
by_first (gconstpointer a,
          gconstpointer b)
{
  const LsPartRecord *left = *(LsPartRecord *const *) a, *right = *(LsPartRecord *const *) b;

  return left->first < right->first ? -1 : left->first > right->first;
}

/* The earlier one of two elements, by when they got their last value on the left. */
static gboolean
is_earlier (const LsPartRecord *record,
            gint64        i,
            const Difference *than)
{
  guint64 a, b;

  if (than->left == NULL)
    return TRUE;
  a = record->clocks[i] != 0 ? record->clocks[i] : G_MAXUINT64;
  b = than->left->clocks[than->element] != 0 ? than->left->clocks[than->element] : G_MAXUINT64;
  return a < b;
}

/* The verdict over the parameters; `real` and `rounding` get the first elements of any buffer, `ulp` the largest distance over the
 * parameters. */
static Verdict
compare_sides (LsPartSide       *left,
               LsPartSide       *right,
               Difference *real,
               Difference *rounding,
               double     *ulp)
{
  Verdict verdict = SAME;
  double carried = 0;

  *real = *rounding = (Difference) { SAME, NULL, NULL, 0, 0 };
  *ulp = 0;
  g_ptr_array_sort (left->records, by_first);
  for (guint r = 0; r < left->records->len; r++)
    {
      LsPartRecord *record = left->records->pdata[r], *partner = ls_part_partner (record, right);
      double largest = 0;

      for (gint64 i = 0; partner != NULL && i < record->n; i++)
        {
          double distance;
          Verdict one = compare_element (record, partner, i, carried, &distance);
          Difference *found = one == REAL ? real : rounding;

          if (one == SAME)
            continue;
          if (is_earlier (record, i, found))
            *found = (Difference) { one, record, partner, i, distance };
          if (one == ROUNDING)
            largest = fmax (largest, fabs (record->values[i] - partner->values[i]) / fmax (fmax (record->peaks[i], partner->peaks[i]), 1e-300));
          if (record->param != G_MAXUINT)
            {
              verdict = MAX (verdict, one);
              *ulp = fmax (*ulp, distance);
            }
        }
      carried = fmax (carried, largest);
    }
  for (guint r = 0; r < right->records->len; r++)
    {
      LsPartRecord *record = right->records->pdata[r];

      /* a parameter that only the right one writes */
      if (record->param == G_MAXUINT || ls_part_partner (record, left) != NULL)
        continue;
      for (gint64 i = 0; i < record->n; i++)
        if (record->clocks[i] != 0 && record->values[i] != 0)
          verdict = REAL;
    }
  return verdict;
}

/* ---- telling --------------------------------------------------------------------------------- */

static GVariant *
writes_of (LsPartSide   *side,
           LsPartRecord *record,
           gint64        element)
{
  g_autofree char *words = ls_part_element (record, element);
  g_autofree char *command = g_strconcat ("writes ", words, NULL);
  g_autoptr (GVariant) answer = ls_debug_command (side->debug, command, NULL);

  return answer != NULL ? g_variant_lookup_value (answer, "accesses", NULL) : g_variant_ref_sink (g_variant_new_array (G_VARIANT_TYPE_VARDICT, NULL, 0));
}

static double *
values_of (GVariant *writes,
           gsize    *n)
{
  double *values = g_new0 (double, g_variant_n_children (writes) + 1);

  *n = g_variant_n_children (writes);
  for (gsize i = 0; i < *n; i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (writes, i);

      g_variant_lookup (one, "value", "d", &values[i]);
    }
  return values;
}

static int
by_value (gconstpointer a,
          gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

/* Do both sides add the same terms, in whatever order? */
static gboolean
same_terms (const double *a,
            const double *b,
            gsize         n,
            double        tolerance)
{
  g_autofree double *left = g_new0 (double, n + 1);
  g_autofree double *right = g_new0 (double, n + 1);

  for (gsize i = 1; i < n; i++)
    {
      left[i - 1] = a[i] - a[i - 1];
      right[i - 1] = b[i] - b[i - 1];
    }
  qsort (left, n - 1, sizeof (double), by_value);
  qsort (right, n - 1, sizeof (double), by_value);
  for (gsize i = 0; i + 1 < n; i++)
    if (fabs (left[i] - right[i]) > tolerance)
      return FALSE;
  return TRUE;
}

static char *
reason_of (const Difference *difference,
           GVariant         *left,
           GVariant         *right)
{
  gsize n, m;
  g_autofree double *a = values_of (left, &n);
  g_autofree double *b = values_of (right, &m);
  double tolerance = 16 * ls_part_epsilon (difference->left->dtype) * fmax (difference->left->peaks[difference->element], difference->right->peaks[difference->element]);

  if (n == 0 || m == 0)
    return g_strdup (n == 0 ? ls_translate ("The left program never writes it.") : ls_translate ("The right program never writes it."));
  if (difference->verdict == REAL)
    {
      gsize i = 0;

      while (i < n && i < m && fabs (a[i] - b[i]) <= tolerance)
        i++;
      if (i < n && i < m)
        return g_strdup_printf (ls_translate ("Write %u of it is the first that differs."), (guint) i + 1);
      if (n == 1)
        return g_strdup_printf (ls_translate ("It is written once on the left and %u times on the right."), (guint) m);
      if (m == 1)
        return g_strdup_printf (ls_translate ("It is written %u times on the left and once on the right."), (guint) n);
      return g_strdup_printf (ls_translate ("It is written %u times on the left and %u times on the right."), (guint) n, (guint) m);
    }
  if (n != m)
    return g_strdup_printf (ls_translate_plural ("Rounding: the terms are summed in %u write on the left and %u on the right.", "Rounding: the terms are summed in %u writes on the left and %u on the right.", n), (guint) n, (guint) m);
  if (n > 2 && same_terms (a, b, n, tolerance))
    return g_strdup_printf (ls_translate ("Rounding: the same %u terms are added in another order."), (guint) n - 1);
  return g_strdup (ls_translate ("Rounding: what it is made of differs by rounding."));
}

static GVariant *
cut (GVariant *writes)
{
  GVariantBuilder list;
  gsize n = g_variant_n_children (writes);

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (gsize i = n > MOST_WRITES ? n - MOST_WRITES : 0; i < n; i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (writes, i);

      g_variant_builder_add_value (&list, one);
    }
  return g_variant_builder_end (&list);
}

static void
tell (GVariantDict     *dict,
      const Difference *difference,
      LsPartSide             *left,
      LsPartSide             *right)
{
  g_autoptr (GVariant) left_writes = writes_of (left, difference->left, difference->element);
  g_autoptr (GVariant) right_writes = writes_of (right, difference->right, difference->element);
  g_autofree char *reason = reason_of (difference, left_writes, right_writes);
  g_autofree char *element = ls_part_element (difference->left, difference->element);
  gint64 rest = difference->element;
  LsRunValue a = { difference->left->dtype, (gint64) difference->left->values[rest], difference->left->values[rest] };
  LsRunValue b = { difference->right->dtype, (gint64) difference->right->values[rest], difference->right->values[rest] };
  g_autofree char *left_words = ls_debug_value_words (&a);
  g_autofree char *right_words = ls_debug_value_words (&b);

  g_variant_dict_insert (dict, "element", "s", element);
  g_variant_dict_insert (dict, "left", "s", left_words);
  g_variant_dict_insert (dict, "right", "s", right_words);
  g_variant_dict_insert (dict, "ulp", "d", difference->ulp);
  g_variant_dict_insert (dict, "why", "s", reason);
  g_variant_dict_insert (dict, "left-n", "t", (guint64) g_variant_n_children (left_writes));
  g_variant_dict_insert (dict, "right-n", "t", (guint64) g_variant_n_children (right_writes));
  g_variant_dict_insert_value (dict, "left-writes", cut (left_writes));
  g_variant_dict_insert_value (dict, "right-writes", cut (right_writes));
}

typedef struct {
  LsPartSide *side;
  GPtrArray  *words;
} AtOnce;

static LsWalk
add_at_once (LsNode  *node,
             gpointer user_data)
{
  AtOnce *self = user_data;
  LsForKind kind = ls_is (node, FOR) ? (LsForKind) ((LsFor *) node)->kind : LS_FOR_SERIAL;
  g_autofree char *name = NULL;
  char *words;

  if (kind != LS_FOR_PARALLEL && kind != LS_FOR_VECTORIZED && kind != LS_FOR_THREAD_BINDING)
    return LS_WALK_CONTINUE;
  name = ls_debug_text_name (self->side->debug->text, ((LsFor *) node)->loop_var);
  words = g_strdup_printf ("%s (%s)", name, ls_for_kind_name (kind));
  if (g_ptr_array_find_with_equal_func (self->words, words, g_str_equal, NULL))
    g_free (words);
  else
    g_ptr_array_add (self->words, words);
  return LS_WALK_CONTINUE;
}

/* The loops whose rounds machine code runs at once, here one after the other. */
static void
tell_at_once (GVariantDict *dict,
              LsPartSide   *left,
              LsPartSide   *right)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  AtOnce sides[] = { { left, words }, { right, words } };

  for (guint i = 0; i < 2; i++)
    ls_walk (sides[i].side->debug->func, add_at_once, NULL, &sides[i]);
  if (words->len == 0)
    return;
  g_ptr_array_add (words, NULL);
  g_variant_dict_insert (dict, "at-once", "^as", words->pdata);
}

GVariant *
ls_debug_part (LsModule            *left_module,
               LsModule            *right_module,
               const char          *name,
               const LsDebugInputs *inputs,
               GError             **error)
{
  static const char *const words[] = { "none", "rounding", "real" };
  g_autoptr (LsPartSide) left = ls_part_side_run (left_module, name, inputs, error);
  g_autoptr (LsPartSide) right = left != NULL ? ls_part_side_run (right_module, name, inputs, error) : NULL;
  Difference real, rounding;
  Verdict verdict;
  double ulp;
  GVariantDict dict;

  if (right == NULL)
    {
      if (left != NULL)
        g_prefix_error (error, "%s ", ls_translate ("On the right:"));
      return NULL;
    }
  verdict = compare_sides (left, right, &real, &rounding, &ulp);
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "differ", "s", words[verdict]);
  g_variant_dict_insert (&dict, "largest-ulp", "d", ulp);
  tell_at_once (&dict, left, right);
  if (verdict == REAL && real.left != NULL)
    tell (&dict, &real, left, right);
  else if (verdict == ROUNDING && rounding.left != NULL)
    tell (&dict, &rounding, left, right);
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

int
ls_debug_first_step (LsModule           **modules,
                     guint                n,
                     const char          *name,
                     const LsDebugInputs *inputs,
                     GError             **error)
{
  g_autoptr (LsPartSide) base = n > 0 ? ls_part_side_run (modules[0], name, inputs, error) : NULL;
  guint good = 0, bad = n;

  if (base == NULL)
    return n == 0 ? 0 : -1;
  for (guint at = n - 1; at > good && at < bad;)
    {
      g_autoptr (GError) trouble = NULL;
      g_autoptr (LsPartSide) side = ls_part_side_run (modules[at], name, inputs, &trouble);
      Difference real, rounding;
      double ulp;

      /* a program that cannot run to its end differs too */
      if (side == NULL || compare_sides (base, side, &real, &rounding, &ulp) == REAL)
        bad = at;
      else
        good = at;
      if (bad == n)
        return 0;
      at = good + (bad - good) / 2;
    }
  return bad < n ? (int) bad : 0;
}
