/* side: one of two programs that are held against each other, run to its end: see part-private.h. */
#include "engine/debug/part-private.h"

#include <math.h>
#include <string.h>

/* ---- what it writes ------------------------------------------------------------------------------ */

static void
record_free (gpointer data)
{
  LsPartRecord *self = data;

  g_free (self->name);
  g_free (self->values);
  g_free (self->peaks);
  g_free (self->clocks);
  g_free (self->writes);
  g_free (self);
}

void
ls_part_side_free (LsPartSide *self)
{
  if (self == NULL)
    return;
  ls_debug_free (self->debug);
  g_ptr_array_unref (self->records);
  g_hash_table_unref (self->by_data);
  if (self->log != NULL)
    g_array_unref (self->log);
  g_free (self->why);
  g_free (self);
}

static guint
param_of (LsPrimFunc *func,
          LsBuffer   *buffer)
{
  for (guint i = 0; i < func->params->n; i++)
    if (ls_prim_func_get_buffer (func, i) == buffer)
      return i;
  return G_MAXUINT;
}

static LsPartRecord *
record_for (LsPartSide       *self,
            const LsRunEvent *event)
{
  LsPartRecord *record = g_hash_table_lookup (self->by_data, event->buffer->data);
  LsRunBuffer view;

  if (record != NULL || ls_debug_memory_of (event->func, event->buffer->data) != event->buffer->data
      || !ls_run_get_buffer (self->debug->run, event->buffer, &view))
    return record;
  record = g_new0 (LsPartRecord, 1);
  record->number = self->records->len;
  record->name = ls_debug_text_name (self->debug->text, event->buffer);
  record->data = event->buffer->data;
  record->buffer = event->buffer;
  record->param = param_of (self->debug->func, event->buffer);
  record->dtype = ls_dtype_element (view.dtype);
  record->ndim = view.ndim;
  record->n = 1;
  record->first = event->clock;
  record->view = view;
  record->is_compact = view.offset == 0;
  for (guint d = view.ndim; d-- > 0;)
    {
      record->is_compact = record->is_compact && view.strides[d] == record->n;
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

/* Row-major number of an element offset of the memory of a record, -1: none of its elements. */
static gint64
number_in (const LsPartRecord *record,
           gint64              element)
{
  gint64 indices[16], number = 0;

  if (record->is_compact)
    return element >= 0 && element < record->n ? element : -1;
  if (!ls_debug_indices (&record->view, element, indices))
    return -1;
  for (guint d = 0; d < record->ndim; d++)
    number = number * record->shape[d] + indices[d];
  return number < record->n ? number : -1;
}

/* The same of an event, -1: of no record.  A buffer that is the memory itself is remembered: most writes come one after the other. */
static gint64
number_of (LsPartSide       *self,
           const LsRunEvent *event,
           LsPartRecord    **out)
{
  LsRunBuffer own, other;
  LsVar *data;

  if (event->buffer == self->last)
    {
      *out = self->last_record;
      return number_in (*out, event->element);
    }
  data = ls_debug_memory_of (event->func, event->buffer->data);
  *out = data == event->buffer->data ? record_for (self, event) : g_hash_table_lookup (self->by_data, data);
  if (*out == NULL)
    return -1;
  if (data == event->buffer->data)
    {
      self->last = event->buffer;
      self->last_record = *out;
      return number_in (*out, event->element);
    }
  if (!ls_run_get_buffer (self->debug->run, (*out)->buffer, &own) || !ls_run_get_buffer (self->debug->run, event->buffer, &other))
    return -1;
  return number_in (*out, (other.data - own.data + event->element * ls_dtype_bytes (other.dtype)) / MAX (ls_dtype_bytes (own.dtype), 1));
}

static void
note_write (LsRun            *run,
            const LsRunEvent *event,
            gpointer          user_data)
{
  LsPartSide *self = user_data;
  LsPartRecord *record = NULL;
  gint64 at = number_of (self, event, &record);

  if (at < 0)
    return;
  if (self->log != NULL && self->log->len == self->most)
    {
      self->end = LS_SIDE_FULL;
      self->limit = event->clock;
      self->debug->has_hit = TRUE;      /* so that it does not go on */
      ls_run_stop (run);
      return;
    }
  if (self->log != NULL)
    {
      LsPartWrite write = { event->clock, at, event->float_value, record->number, record->writes[at] };

      g_array_append_val (self->log, write);
    }
  record->values[at] = event->float_value;
  record->peaks[at] = fmax (record->peaks[at], fabs (event->float_value));
  record->clocks[at] = event->clock + 1;
  record->writes[at]++;
}

static const LsObserver write_observer = { LS_SEE_WRITE, NULL, note_write };

LsPartSide *
ls_part_side_begin (LsModule            *module,
                    const char          *name,
                    const LsDebugInputs *inputs,
                    guint                most,
                    GError             **error)
{
  g_autoptr (LsPartSide) self = g_new0 (LsPartSide, 1);

  self->records = g_ptr_array_new_with_free_func (record_free);
  self->by_data = g_hash_table_new (NULL, NULL);
  self->most = most;
  self->limit = G_MAXUINT64;
  if (most > 0)
    self->log = g_array_new (FALSE, FALSE, sizeof (LsPartWrite));
  self->debug = ls_debug_new (module, name, inputs, error);
  return self->debug != NULL ? g_steal_pointer (&self) : NULL;
}

/* The statement that failed. */
static char *
failed_words (LsPartSide *self)
{
  g_autofree char *clock = g_strdup_printf ("%" G_GUINT64_FORMAT, ls_run_get_clock (self->debug->run) - 1);

  return g_strdup_printf (ls_translate ("The run ends at statement %s: %s"), clock, ls_run_get_error (self->debug->run)->message);
}

gboolean
ls_part_side_go (LsPartSide *self)
{
  LsRun *run = self->debug->run;

  if (self->end != LS_SIDE_RUNS)
    return TRUE;
  ls_run_observe (run, &write_observer, self);
  ls_debug_go_to (self->debug, G_MAXUINT64);
  ls_run_ignore (run, &write_observer, self);
  if (self->end == LS_SIDE_RUNS && ls_run_get_state (run) != LS_RUN_STANDS)
    self->end = ls_run_get_state (run) == LS_RUN_FINISHED ? LS_SIDE_FINISHED : LS_SIDE_FAILED;
  if (self->end == LS_SIDE_FAILED && self->why == NULL)
    self->why = failed_words (self);    /* the run goes back later and forgets it */
  return self->end != LS_SIDE_RUNS;
}

void
ls_part_side_cut (LsPartSide *self)
{
  if (self->end != LS_SIDE_RUNS)
    return;
  self->end = LS_SIDE_CUT;
  self->limit = ls_run_get_clock (self->debug->run);
}

void
ls_part_side_go_to (LsPartSide *self,
                    guint64     clock)
{
  gboolean (*asked) (gpointer) = self->debug->asked;

  self->debug->asked = NULL;
  ls_debug_go_to (self->debug, MIN (clock, self->limit));
  self->debug->asked = asked;
}

char *
ls_part_side_why (LsPartSide *self)
{
  g_autofree char *clock = g_strdup_printf ("%" G_GUINT64_FORMAT, self->limit);

  if (self->end == LS_SIDE_FAILED)
    return g_strdup (self->why);
  if (self->end == LS_SIDE_FULL)
    return g_strdup_printf (ls_translate ("Its first %u writes are kept, up to statement %s; a toy size writes fewer."), self->most, clock);
  if (self->end == LS_SIDE_CUT)
    return g_strdup_printf (ls_translate ("It was paused before statement %s; what comes then is not known."), clock);
  return NULL;
}

LsPartSide *
ls_part_side_run (LsModule            *module,
                  const char          *name,
                  const LsDebugInputs *inputs,
                  GError             **error)
{
  g_autoptr (LsPartSide) self = ls_part_side_begin (module, name, inputs, 0, error);

  if (self == NULL)
    return NULL;
  while (!ls_part_side_go (self))
    continue;
  if (self->end == LS_SIDE_FINISHED)
    return g_steal_pointer (&self);
  g_set_error_literal (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_INPUT, self->why);
  return NULL;
}

/* ---- values and elements ------------------------------------------------------------------- */

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

double
ls_part_ulp (LsDType t,
             double  a,
             double  b)
{
  if (!ls_dtype_is_float (t))
    return fabs (a - b);
  if (isnan (a) || isnan (b))
    return isnan (a) && isnan (b) ? 0 : INFINITY;
  return fabs ((double) ordered_bits (t, a) - (double) ordered_bits (t, b));
}

double
ls_part_epsilon (LsDType t)
{
  if (t.bits == 64)
    return 0x1p-53;
  if (t.bits == 32)
    return 0x1p-24;
  return t.code == LS_TYPE_BFLOAT ? 0x1p-9 : 0x1p-11;
}

LsPartRecord *
ls_part_partner (LsPartRecord *record,
            LsPartSide   *other)
{
  for (guint i = 0; i < other->records->len; i++)
    {
      LsPartRecord *it = other->records->pdata[i];

      if ((record->param != G_MAXUINT ? it->param == record->param : it->param == G_MAXUINT && strcmp (it->name, record->name) == 0)
          && it->ndim == record->ndim && memcmp (it->shape, record->shape, sizeof (gint64) * it->ndim) == 0
          && ls_dtype_equal (it->dtype, record->dtype))
        return it;
    }
  return NULL;
}


char *
ls_part_element (const LsPartRecord *record,
                 gint64              element)
{
  GString *words = g_string_new (record->name);
  gint64 indices[16];

  for (guint d = record->ndim; d-- > 0;)
    {
      indices[d] = element % MAX (record->shape[d], 1);
      element /= MAX (record->shape[d], 1);
    }
  for (guint d = 0; d < record->ndim; d++)
    g_string_append_printf (words, "%s%" G_GINT64_FORMAT, d == 0 ? "[" : ", ", indices[d]);
  if (record->ndim > 0)
    g_string_append_c (words, ']');
  return g_string_free (words, FALSE);
}
