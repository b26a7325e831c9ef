/* stops: breakpoints as one observer of the run, and looking for the next or the last one. */
#include "engine/debug/debug-private.h"

#include <math.h>
#include <string.h>

/* ---- what is in reach ----------------------------------------------------------------- */

static gboolean
is_access (LsStopKind kind)
{
  return kind == LS_STOP_READ || kind == LS_STOP_WRITE || kind == LS_STOP_NAN || kind == LS_STOP_RANGE;
}

static guint
reach_of_buffer (LsStop     *stop,
                 LsPrimFunc *func,
                 LsBuffer   *buffer,
                 guint       wanted)
{
  guint event = stop->kind == LS_STOP_READ ? LS_SEE_READ : LS_SEE_WRITE;

  if (!is_access (stop->kind) || (wanted & event) == 0 || (stop->kind == LS_STOP_NAN && !ls_dtype_is_float (buffer->dtype)))
    return 0;
  if (stop->buffer == NULL || buffer->data == stop->buffer->data)
    return event;
  return func == stop->func && ls_debug_memory_of (func, buffer->data) == ls_debug_memory_of (func, stop->buffer->data) ? event : 0;
}

static guint
reach_of_statement (LsDebug    *self,
                    LsStop     *stop,
                    LsPrimFunc *func,
                    guint       number,
                    guint       wanted)
{
  const LsDebugPlace *place;

  if (stop->func != NULL && stop->func != func)
    return 0;
  switch (stop->kind)
    {
    case LS_STOP_STATEMENT:
      if (stop->number != LS_STOP_ANY)
        return stop->number == number ? wanted & LS_SEE_STATEMENT : 0;
      place = ls_debug_text_place (self->text, func, number);
      return place != NULL && place->depth <= stop->depth ? wanted & LS_SEE_STATEMENT : 0;
    case LS_STOP_ROUND:
      return stop->number == number ? wanted & LS_SEE_ROUND : 0;
    case LS_STOP_BLOCK:
      return stop->number == LS_STOP_ANY || stop->number == number ? wanted & LS_SEE_BLOCK : 0;
    case LS_STOP_READ:
    case LS_STOP_WRITE:
    case LS_STOP_NAN:
    case LS_STOP_RANGE:
      return 0;
    }
  return 0;
}

static guint
reach (LsRun      *run,
       LsPrimFunc *func,
       LsNode     *node,
       guint       number,
       guint       wanted,
       gpointer    user_data)
{
  LsDebug *self = user_data;
  guint seen = 0;

  for (guint i = 0; i <= self->stops->len; i++)
    {
      LsStop *stop = i < self->stops->len ? self->stops->pdata[i] : self->once;

      if (stop == NULL || (self->alone && stop != self->once))
        continue;
      seen |= ls_is (node, BUFFER) ? reach_of_buffer (stop, func, (LsBuffer *) node, wanted) : reach_of_statement (self, stop, func, number, wanted);
    }
  return seen;
}

/* ---- what happens ------------------------------------------------------------------------ */

static gboolean
in_region (LsDebug          *self,
           LsStop           *stop,
           const LsRunEvent *event)
{
  LsRunBuffer own, other;
  gint64 indices[16];
  gint64 element = event->element;

  if (stop->buffer == NULL || (stop->ndim == 0 && event->buffer->data == stop->buffer->data))
    return TRUE;
  if (!ls_run_get_buffer (self->run, stop->buffer, &own) || !ls_run_get_buffer (self->run, event->buffer, &other))
    return FALSE;
  if (own.data != other.data || ls_dtype_bytes (own.dtype) != ls_dtype_bytes (other.dtype))
    element = (other.data - own.data + element * ls_dtype_bytes (other.dtype)) / MAX (ls_dtype_bytes (own.dtype), 1);
  if (stop->ndim == 0)
    return element >= own.low && element < own.high;
  if (!ls_debug_indices (&own, element, indices))
    return FALSE;
  for (guint d = 0; d < stop->ndim; d++)
    if (indices[d] < stop->from[d] || indices[d] >= stop->to[d])
      return FALSE;
  return TRUE;
}

LsRunExpr *
ls_debug_prepare_condition (LsDebug     *self,
                            LsStop      *stop,
                            LsPrimFunc  *func,
                            guint        number,
                            GError     **error)
{
  g_autoptr (LsSource) source = ls_source_new ("condition", stop->condition, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (GHashTable) names = ls_debug_text_names (self->text, func, number);
  g_autoptr (LsExpr) expr = ls_script_parse_expr (source, names, LS_SCRIPT_EXPR_PLAIN, findings);

  if (expr == NULL || ls_diagnostics_has_error (findings))
    {
      const LsDiagnostic *first = ls_diagnostics_get_n (findings) > 0 ? ls_diagnostics_get (findings, 0) : NULL;

      g_set_error (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_COMMAND, "%s: %s", stop->condition, first != NULL ? first->message : "?");
      return NULL;
    }
  return ls_run_prepare (self->run, func, expr, error);
}

static gboolean
condition_holds (LsDebug          *self,
                 LsStop           *stop,
                 const LsRunEvent *event)
{
  LsRunExpr *ready = stop->ready;
  LsRunValue value;

  if (stop->condition == NULL)
    return TRUE;
  if (ready == NULL)
    {
      gpointer key = GUINT_TO_POINTER (event->number + 1), known = NULL;

      if (!g_hash_table_lookup_extended (stop->by_statement, key, NULL, &known))
        {
          known = ls_debug_prepare_condition (self, stop, event->func, event->number, NULL);
          g_hash_table_insert (stop->by_statement, key, known);
        }
      ready = known;
    }
  return ready != NULL && ls_run_ask (self->run, ready, 0, &value, NULL) && (ls_dtype_is_float (value.dtype) ? value.f != 0 : value.i != 0);
}

static gboolean
is_hit (LsDebug          *self,
        LsStop           *stop,
        const LsRunEvent *event)
{
  switch (stop->kind)
    {
    case LS_STOP_STATEMENT:
    case LS_STOP_ROUND:
    case LS_STOP_BLOCK:
      if (event->buffer != NULL || reach_of_statement (self, stop, event->func, event->number, event->kind) == 0)
        return FALSE;
      break;
    case LS_STOP_READ:
      if (event->kind != LS_SEE_READ || !in_region (self, stop, event))
        return FALSE;
      break;
    case LS_STOP_WRITE:
      if (event->kind != LS_SEE_WRITE || !in_region (self, stop, event))
        return FALSE;
      break;
    case LS_STOP_NAN:
      if (event->kind != LS_SEE_WRITE || isfinite (event->float_value) || !in_region (self, stop, event))
        return FALSE;
      break;
    case LS_STOP_RANGE:
      if (event->kind != LS_SEE_WRITE || (event->float_value >= stop->low && event->float_value <= stop->high) || !in_region (self, stop, event))
        return FALSE;
      break;
    }
  return condition_holds (self, stop, event);
}

static void
take_hit (LsDebug          *self,
          LsStop           *stop,
          const LsRunEvent *event)
{
  ls_debug_forget_hit (self);
  self->hit = (LsDebugHit) { stop->id, g_strdup (stop->words), event->kind, event->clock, event->buffer, event->element, event->dtype, event->float_value };
  self->has_hit = TRUE;
}

static void
see (LsRun            *run,
     const LsRunEvent *event,
     gpointer          user_data)
{
  LsDebug *self = user_data;

  if (self->mode == LS_SEEK_NOT || (self->mode == LS_SEEK_ON ? event->clock <= self->from : event->clock >= self->from))
    return;
  if (self->mode == LS_SEEK_ON && self->has_hit)
    return;
  for (guint i = 0; i <= self->stops->len; i++)
    {
      LsStop *stop = i < self->stops->len ? self->stops->pdata[i] : self->once;

      if (stop == NULL || (self->alone && stop != self->once) || !is_hit (self, stop, event))
        continue;
      take_hit (self, stop, event);
      if (self->mode == LS_SEEK_ON)
        {
          stop->hits++;
          ls_run_stop (run);
        }
      return;
    }
}

static const LsObserver observer = {
  LS_SEE_STATEMENT | LS_SEE_ROUND | LS_SEE_BLOCK | LS_SEE_READ | LS_SEE_WRITE, reach, see
};

/* ---- looking for one ---------------------------------------------------------------------- */

void
ls_debug_watch (LsDebug *self)
{
  ls_run_observe (self->run, &observer, self);
}

static gboolean
seek_on (LsDebug *self)
{
  self->mode = LS_SEEK_ON;
  self->has_hit = FALSE;
  ls_debug_run_on (self, G_MAXUINT64);
  return self->has_hit;
}

/* What is looked for is mostly shortly before: a checkpoint there saves looking through a whole stretch. */
static void
come_near (LsDebug *self)
{
  gboolean (*asked) (gpointer) = self->asked;
  guint64 from = self->from, begin = ls_saved_get_clock (self->saved->pdata[ls_debug_checkpoint_before (self, from)]);

  if (from - begin > 2 * (guint64) self->spacing)
    return;             /* checkpoints are rare here: it would take long, and nobody would be asked */
  self->asked = NULL;
  self->mode = LS_SEEK_NOT;
  self->has_hit = FALSE;
  ls_run_restore (self->run, self->saved->pdata[ls_debug_checkpoint_before (self, from)]);
  ls_debug_run_near (self, from);
  self->asked = asked;
}

static void
begin_back (LsDebug *self)
{
  ls_debug_forget_back (self);
  self->back.from = self->back.end = self->from;
  if (ls_run_get_state (self->run) == LS_RUN_STANDS)
    self->back.there = ls_run_save (self->run, self->saved->pdata[ls_debug_checkpoint_before (self, self->from)]);
  come_near (self);
}

/* To where the stretch begins, or to where it was given up. */
static void
enter_stretch (LsDebug *self)
{
  LsDebugBack *back = &self->back;
  LsSaved *saved;

  if (back->here != NULL)
    {
      ls_run_restore (self->run, back->here);
      g_clear_pointer (&back->here, ls_saved_free);
      self->hit = back->hit;
      memset (&back->hit, 0, sizeof back->hit);
      return;
    }
  saved = self->saved->pdata[ls_debug_checkpoint_before (self, back->end - 1)];
  ls_run_restore (self->run, saved);
  back->begin = ls_saved_get_clock (saved);
  back->first = ls_run_save (self->run, saved);
}

/* The run stands where the stretch ends; how far it was looked through is kept. */
static void
give_up_stretch (LsDebug *self)
{
  LsDebugBack *back = &self->back;

  back->here = ls_run_save (self->run, back->first);
  back->hit = self->hit;
  memset (&self->hit, 0, sizeof self->hit);
  self->mode = LS_SEEK_NOT;
  self->has_hit = FALSE;
  if (back->there != NULL)
    ls_run_restore (self->run, back->there);
  else
    ls_debug_run_on (self, G_MAXUINT64);
}

/* Stands at a place that was passed, whatever it takes. */
static void
stand_at (LsDebug *self,
          guint64  target)
{
  self->mode = LS_SEEK_NOT;
  self->has_hit = FALSE;
  ls_debug_return_to (self, target);
  if (ls_run_get_clock (self->run) > target)
    ls_run_restore (self->run, self->saved->pdata[ls_debug_checkpoint_before (self, target)]);
  ls_debug_run_near (self, target);
}

/* Goes on with what begin_back() began. */
static gboolean
seek_back (LsDebug *self)
{
  LsDebugBack *back = &self->back;
  gboolean found = FALSE, (*asked) (gpointer) = self->asked;

  while (!found && back->end > 0)
    {
      self->mode = LS_SEEK_BACK;
      enter_stretch (self);
      while (ls_run_get_clock (self->run) < back->end && ls_run_get_state (self->run) == LS_RUN_STANDS && !self->is_interrupted)
        {
          self->has_hit = FALSE;        /* only the last one counts, so nobody stops for it */
          ls_debug_run_on (self, back->end);
        }
      self->asked = self->is_interrupted ? NULL : asked;
      if (self->is_interrupted)
        {
          give_up_stretch (self);
          self->asked = asked;
          return FALSE;
        }
      found = self->hit.words != NULL;
      g_clear_pointer (&back->there, ls_saved_free);
      back->there = g_steal_pointer (&back->first);
      back->end = back->begin;
    }
  ls_debug_forget_back (self);
  self->asked = NULL;
  stand_at (self, found ? self->hit.clock : 0);
  self->asked = asked;
  return found;
}

static gboolean
seek (LsDebug  *self,
      gboolean  backwards,
      LsStop   *once,
      gboolean  alone)
{
  gboolean found;

  self->once = once;
  self->alone = alone;
  self->is_interrupted = FALSE;
  self->goes_back = backwards;
  ls_debug_forget_hit (self);
  ls_run_look_again (self->run);
  found = backwards ? seek_back (self) : seek_on (self);
  self->mode = LS_SEEK_NOT;
  self->has_hit = FALSE;
  self->goes_back = FALSE;
  self->once = NULL;
  self->alone = FALSE;
  ls_run_look_again (self->run);
  self->left_what = !self->is_interrupted ? LS_LEFT_NOTHING : backwards ? LS_LEFT_BACK : LS_LEFT_SEEK;
  self->left_alone = alone;
  if (self->is_interrupted)
    self->left = once;
  else if (once != NULL)
    ls_stop_free (once);
  return found;
}

gboolean
ls_debug_seek (LsDebug  *self,
               gboolean  backwards,
               LsStop   *once,
               gboolean  alone)
{
  guint64 clock = ls_run_get_clock (self->run);

  g_clear_pointer (&self->left, ls_stop_free);
  /* where it was given up, the statement that comes next was not looked at */
  self->from = self->is_interrupted && self->left_what != LS_LEFT_BACK && !backwards ? clock - MIN (clock, 1) : clock;
  ls_debug_forget_back (self);
  if (backwards)
    begin_back (self);
  return seek (self, backwards, once, alone);
}

gboolean
ls_debug_goes_back (LsDebug *self)
{
  return self->goes_back;
}

gboolean
ls_debug_more (LsDebug *self)
{
  if (self->left_what == LS_LEFT_NOTHING || !self->is_interrupted)
    return FALSE;
  if (self->left_what == LS_LEFT_POSITION)
    ls_debug_go_to (self, self->left_clock);
  else if (self->left_what == LS_LEFT_BACK)
    {
      self->from = self->back.from;
      seek (self, TRUE, g_steal_pointer (&self->left), self->left_alone);
    }
  else
    ls_debug_seek (self, FALSE, g_steal_pointer (&self->left), self->left_alone);
  return TRUE;
}

/* ---- the list --------------------------------------------------------------------------------- */

void
ls_stop_free (LsStop *stop)
{
  g_free (stop->condition);
  g_free (stop->words);
  if (stop->by_statement != NULL)
    g_hash_table_unref (stop->by_statement);
  g_free (stop);
}

guint
ls_debug_add_stop (LsDebug *self,
                   LsStop  *stop)
{
  stop->id = ++self->n_stops;
  g_ptr_array_add (self->stops, stop);
  ls_run_look_again (self->run);
  return stop->id;
}

gboolean
ls_debug_remove_stop (LsDebug *self,
                      guint    id)
{
  for (guint i = 0; i < self->stops->len; i++)
    if (((LsStop *) self->stops->pdata[i])->id == id)
      {
        g_ptr_array_remove_index (self->stops, i);
        ls_run_look_again (self->run);
        return TRUE;
      }
  return FALSE;
}

void
ls_debug_clear_stops (LsDebug *self)
{
  g_ptr_array_set_size (self->stops, 0);
  ls_run_look_again (self->run);
}

GPtrArray *
ls_debug_get_stops (LsDebug *self)
{
  return self->stops;
}
