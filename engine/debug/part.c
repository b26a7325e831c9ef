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
#include "engine/debug/debug-private.h"

#include <math.h>
#include <string.h>

#define MOST_WRITES 64          /* of the element that are told, for each side */

/* ---- one side ------------------------------------------------------------------------------ */

typedef struct {
  char    *name;
  LsVar   *data;                /* borrowed */
  LsBuffer *buffer;             /* borrowed */
  guint    param;               /* its position, or G_MAXUINT */
  LsDType  dtype;
  guint    ndim;
  gint64   shape[16];
  gint64   n;
  double  *values;              /* of the last write */
  double  *peaks;
  guint64 *clocks;              /* of the last write + 1; 0: never */
  guint32 *writes;
  guint64  first;               /* clock of the first write */
} Record;

typedef struct {
  LsDebug   *debug;
  GPtrArray *records;           /* of Record */
  GHashTable *by_data;          /* LsVar -> Record */
} Side;

static void
record_free (gpointer data)
{
  Record *self = data;

  g_free (self->name);
  g_free (self->values);
  g_free (self->peaks);
  g_free (self->clocks);
  g_free (self->writes);
  g_free (self);
}

static void
side_free (Side *self)
{
  if (self == NULL)
    return;
  ls_debug_free (self->debug);
  g_ptr_array_unref (self->records);
  g_hash_table_unref (self->by_data);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Side, side_free)

static guint
param_of (LsPrimFunc *func,
          LsBuffer   *buffer)
{
  for (guint i = 0; i < func->params->n; i++)
    if (ls_prim_func_get_buffer (func, i) == buffer)
      return i;
  return G_MAXUINT;
}

static Record *
record_for (Side             *self,
            const LsRunEvent *event)
{
  Record *record = g_hash_table_lookup (self->by_data, event->buffer->data);
  LsRunBuffer view;

  if (record != NULL || ls_debug_memory_of (event->func, event->buffer->data) != event->buffer->data
      || !ls_run_get_buffer (self->debug->run, event->buffer, &view))
    return record;
  record = g_new0 (Record, 1);
  record->name = ls_debug_text_name (self->debug->text, event->buffer);
  record->data = event->buffer->data;
  record->buffer = event->buffer;
  record->param = param_of (self->debug->func, event->buffer);
  record->dtype = ls_dtype_element (view.dtype);
  record->ndim = view.ndim;
  record->n = 1;
  record->first = event->clock;
  for (guint d = 0; d < view.ndim; d++)
    {
      record->shape[d] = view.shape[d];
      record->n *= view.shape[d];
    }
  record->values = g_new0 (double, record->n + 1);
  record->peaks = g_new0 (double, record->n + 1);
  record->clocks = g_new0 (guint64, record->n + 1);
  record->writes = g_new0 (guint32, record->n + 1);
  g_ptr_array_add (self->records, record);
  g_hash_table_insert (self->by_data, record->data, record);
  return record;
}

/* Row-major number of the element in its record, -1: none. */
static gint64
number_of (Side             *self,
           const LsRunEvent *event,
           Record          **out)
{
  LsVar *data = ls_debug_memory_of (event->func, event->buffer->data);
  Record *record = data == event->buffer->data ? record_for (self, event) : g_hash_table_lookup (self->by_data, data);
  LsRunBuffer own, other;
  gint64 element = event->element, number = 0;
  gint64 indices[16];

  if (record == NULL || !ls_run_get_buffer (self->debug->run, record->buffer, &own))
    return -1;
  if (data != event->buffer->data)
    {
      if (!ls_run_get_buffer (self->debug->run, event->buffer, &other))
        return -1;
      element = (other.data - own.data + element * ls_dtype_bytes (other.dtype)) / MAX (ls_dtype_bytes (own.dtype), 1);
    }
  if (!ls_debug_indices (&own, element, indices))
    return -1;
  for (guint d = 0; d < record->ndim; d++)
    number = number * record->shape[d] + indices[d];
  *out = record;
  return number < record->n ? number : -1;
}

static void
note_write (LsRun            *run,
            const LsRunEvent *event,
            gpointer          user_data)
{
  Record *record = NULL;
  gint64 at = number_of (user_data, event, &record);

  if (at < 0)
    return;
  record->values[at] = event->float_value;
  record->peaks[at] = fmax (record->peaks[at], fabs (event->float_value));
  record->clocks[at] = event->clock + 1;
  record->writes[at]++;
}

static const LsObserver write_observer = { LS_SEE_WRITE, NULL, note_write };

static Side *
side_run (LsModule             *module,
          const char           *name,
          const LsDebugInputs  *inputs,
          GError              **error)
{
  g_autoptr (Side) self = g_new0 (Side, 1);
  g_autofree char *clock = NULL;

  self->records = g_ptr_array_new_with_free_func (record_free);
  self->by_data = g_hash_table_new (NULL, NULL);
  self->debug = ls_debug_new (module, name, inputs, error);
  if (self->debug == NULL)
    return NULL;
  ls_run_observe (self->debug->run, &write_observer, self);
  ls_debug_go_to (self->debug, G_MAXUINT64);
  ls_run_ignore (self->debug->run, &write_observer, self);
  if (ls_run_get_state (self->debug->run) == LS_RUN_FINISHED)
    return g_steal_pointer (&self);
  clock = g_strdup_printf ("%" G_GUINT64_FORMAT, ls_run_get_clock (self->debug->run) - 1);
  g_set_error (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_INPUT, ls_translate ("The run ends at statement %s: %s"), clock,
               ls_run_get_error (self->debug->run)->message);
  return NULL;
}

/* ---- comparing ------------------------------------------------------------------------------- */

typedef enum { SAME, ROUNDING, REAL } Verdict;

typedef struct {
  Verdict verdict;
  Record *left, *right;
  gint64  element;              /* row-major */
  double  ulp;
} Difference;

static gint64
ordered_bits (LsDType t,
              double  v)
{
  guint64 bits = 0;
  guint width = t.bits;

  if (width == 64)
    memcpy (&bits, &v, 8);
  else if (width == 32)
    {
      float f = (float) v;
      guint32 half;

      memcpy (&half, &f, 4);
      bits = half;
    }
  else
    bits = t.code == LS_TYPE_BFLOAT ? ls_bfloat_from_double (v) : ls_half_from_double (v);
  if (bits >> (width - 1))
    return -(gint64) (bits & ~((guint64) 1 << (width - 1)));
  return (gint64) bits;
}

static double
ulp_between (LsDType t,
             double  a,
             double  b)
{
  if (!ls_dtype_is_float (t))
    return fabs (a - b);
  if (isnan (a) || isnan (b))
    return isnan (a) && isnan (b) ? 0 : INFINITY;
  return fabs ((double) ordered_bits (t, a) - (double) ordered_bits (t, b));
}

static double
epsilon_of (LsDType t)
{
  if (t.bits == 64)
    return 0x1p-53;
  if (t.bits == 32)
    return 0x1p-24;
  return t.code == LS_TYPE_BFLOAT ? 0x1p-9 : 0x1p-11;
}

static Verdict
compare_element (const Record *left,
                 const Record *right,
                 gint64        i,
                 double        carried,
                 double       *ulp)
{
  double a = left->values[i], b = right->values[i], peak, allowed;

  *ulp = 0;
  if ((left->clocks[i] == 0) != (right->clocks[i] == 0))
    {
      *ulp = ulp_between (left->dtype, a, b);
      return a == b ? SAME : REAL;      /* what was not written is still as it began */
    }
  if (left->clocks[i] == 0 || a == b || (isnan (a) && isnan (b)))
    return SAME;
  *ulp = ulp_between (left->dtype, a, b);
  if (!ls_dtype_is_float (left->dtype) || !isfinite (a) || !isfinite (b))
    return REAL;
  peak = fmax (fmax (left->peaks[i], right->peaks[i]), fmax (fabs (a), fabs (b)));
  allowed = (epsilon_of (left->dtype) * (8 + 4.0 * (left->writes[i] + right->writes[i])) + 16 * carried) * peak;
  return fabs (a - b) <= allowed ? ROUNDING : REAL;
}

static Record *
partner_of (Record *record,
            Side   *other)
{
  for (guint i = 0; i < other->records->len; i++)
    {
      Record *it = other->records->pdata[i];

      if ((record->param != G_MAXUINT ? it->param == record->param : it->param == G_MAXUINT && strcmp (it->name, record->name) == 0)
          && it->ndim == record->ndim && memcmp (it->shape, record->shape, sizeof (gint64) * it->ndim) == 0
          && ls_dtype_equal (it->dtype, record->dtype))
        return it;
    }
  return NULL;
}

static int
by_first (gconstpointer a,
          gconstpointer b)
{
  const Record *left = *(Record *const *) a, *right = *(Record *const *) b;

  return left->first < right->first ? -1 : left->first > right->first;
}

/* The earlier one of two elements, by when they got their last value on the left. */
static gboolean
is_earlier (const Record *record,
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
compare_sides (Side       *left,
               Side       *right,
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
      Record *record = left->records->pdata[r], *partner = partner_of (record, right);
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
      Record *record = right->records->pdata[r];

      /* a parameter that only the right one writes */
      if (record->param == G_MAXUINT || partner_of (record, left) != NULL)
        continue;
      for (gint64 i = 0; i < record->n; i++)
        if (record->clocks[i] != 0 && record->values[i] != 0)
          verdict = REAL;
    }
  return verdict;
}

/* ---- telling --------------------------------------------------------------------------------- */

static GVariant *
writes_of (Side   *side,
           Record *record,
           gint64  element)
{
  g_autoptr (GString) words = g_string_new ("writes ");
  g_autoptr (GVariant) answer = NULL;
  gint64 indices[16];

  for (guint d = record->ndim; d-- > 0;)
    {
      indices[d] = element % MAX (record->shape[d], 1);
      element /= MAX (record->shape[d], 1);
    }
  g_string_append_printf (words, "%s", record->name);
  for (guint d = 0; d < record->ndim; d++)
    g_string_append_printf (words, "%s%" G_GINT64_FORMAT, d == 0 ? "[" : ", ", indices[d]);
  if (record->ndim > 0)
    g_string_append_c (words, ']');
  answer = ls_debug_command (side->debug, words->str, NULL);
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
  double tolerance = 16 * epsilon_of (difference->left->dtype) * fmax (difference->left->peaks[difference->element], difference->right->peaks[difference->element]);

  if (n == 0 || m == 0)
    return g_strdup (n == 0 ? ls_translate ("The left program never writes it.") : ls_translate ("The right program never writes it."));
  if (difference->verdict == REAL)
    {
      gsize i = 0;

      while (i < n && i < m && fabs (a[i] - b[i]) <= tolerance)
        i++;
      if (i < n && i < m)
        return g_strdup_printf (ls_translate ("Write %u of it is the first that differs."), (guint) i + 1);
      return g_strdup_printf (ls_translate ("It is written %u times on the left and %u times on the right."), (guint) n, (guint) m);
    }
  if (n != m)
    return g_strdup_printf (ls_translate ("Rounding: the terms are summed in %u writes on the left and %u on the right."), (guint) n, (guint) m);
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
      Side             *left,
      Side             *right)
{
  g_autoptr (GVariant) left_writes = writes_of (left, difference->left, difference->element);
  g_autoptr (GVariant) right_writes = writes_of (right, difference->right, difference->element);
  g_autofree char *reason = reason_of (difference, left_writes, right_writes);
  g_autoptr (GString) element = g_string_new (difference->left->name);
  gint64 rest = difference->element;
  gint64 indices[16];
  LsRunValue a = { difference->left->dtype, (gint64) difference->left->values[rest], difference->left->values[rest] };
  LsRunValue b = { difference->right->dtype, (gint64) difference->right->values[rest], difference->right->values[rest] };
  g_autofree char *left_words = ls_debug_value_words (&a);
  g_autofree char *right_words = ls_debug_value_words (&b);

  for (guint d = difference->left->ndim; d-- > 0;)
    {
      indices[d] = rest % MAX (difference->left->shape[d], 1);
      rest /= MAX (difference->left->shape[d], 1);
    }
  for (guint d = 0; d < difference->left->ndim; d++)
    g_string_append_printf (element, "%s%" G_GINT64_FORMAT, d == 0 ? "[" : ", ", indices[d]);
  if (difference->left->ndim > 0)
    g_string_append_c (element, ']');
  g_variant_dict_insert (dict, "element", "s", element->str);
  g_variant_dict_insert (dict, "left", "s", left_words);
  g_variant_dict_insert (dict, "right", "s", right_words);
  g_variant_dict_insert (dict, "ulp", "d", difference->ulp);
  g_variant_dict_insert (dict, "why", "s", reason);
  g_variant_dict_insert (dict, "left-n", "t", (guint64) g_variant_n_children (left_writes));
  g_variant_dict_insert (dict, "right-n", "t", (guint64) g_variant_n_children (right_writes));
  g_variant_dict_insert_value (dict, "left-writes", cut (left_writes));
  g_variant_dict_insert_value (dict, "right-writes", cut (right_writes));
}

GVariant *
ls_debug_part (LsModule            *left_module,
               LsModule            *right_module,
               const char          *name,
               const LsDebugInputs *inputs,
               GError             **error)
{
  static const char *const words[] = { "none", "rounding", "real" };
  g_autoptr (Side) left = side_run (left_module, name, inputs, error);
  g_autoptr (Side) right = left != NULL ? side_run (right_module, name, inputs, error) : NULL;
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
  g_autoptr (Side) base = n > 0 ? side_run (modules[0], name, inputs, error) : NULL;
  guint good = 0, bad = n;

  if (base == NULL)
    return n == 0 ? 0 : -1;
  for (guint at = n - 1; at > good && at < bad;)
    {
      g_autoptr (GError) trouble = NULL;
      g_autoptr (Side) side = side_run (modules[at], name, inputs, &trouble);
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
