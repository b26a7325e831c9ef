/* past: what was done before, told by running again: the writes of an element, the last accesses, a value over the run. */
#include "engine/debug/debug-private.h"

#include <string.h>

#define MOST_WRITES 1000        /* writes of one element that are told: the last ones */
#define MOST_TRAIL 1000
#define MOST_POINTS 4096u       /* of a plot; beyond that it is thinned */

/* ---- accesses ------------------------------------------------------------------------------- */

typedef struct {
  LsDebug   *debug;
  LsStop    *stop;              /* writes of these elements; NULL: every access */
  LsVar     *data;              /* of this memory only, or NULL */
  guint      most;
  GQueue     found;             /* of GVariant; the last ones */
} Past;

static gboolean
is_wanted (const LsStop *stop,
           const gint64 *indices,
           guint         n)
{
  for (guint d = 0; d < stop->ndim && d < n; d++)
    if (indices[d] < stop->from[d] || indices[d] >= stop->to[d])
      return FALSE;
  return TRUE;
}

static char *
loops_around (LsDebug *self,
              LsRun   *run)
{
  GString *around = g_string_new (NULL);
  LsVar *vars[16];
  gint64 values[16];
  guint n = MIN (ls_run_loops (run, TRUE, G_N_ELEMENTS (vars), vars, values), G_N_ELEMENTS (vars));

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = ls_debug_text_name (self->text, vars[i]);

      g_string_append_printf (around, "%s%s = %" G_GINT64_FORMAT, i > 0 ? ", " : "", name, values[i]);
    }
  return g_string_free (around, FALSE);
}

static void
note_access (LsRun            *run,
             const LsRunEvent *event,
             gpointer          user_data)
{
  Past *self = user_data;
  g_autofree char *words = NULL;
  g_autofree char *value = NULL;
  g_autofree char *loops = NULL;
  g_autofree char *name = NULL;
  const LsDebugPlace *place;
  GVariantDict dict;
  GVariantBuilder at;
  LsRunBuffer view;
  gint64 indices[16];
  gboolean is_known = ls_run_get_buffer (run, event->buffer, &view) && ls_debug_indices (&view, event->element, indices);

  if (self->stop != NULL && self->stop->ndim > 0 && (!is_known || !is_wanted (self->stop, indices, view.ndim)))
    return;
  words = ls_debug_element_words (self->debug, event->buffer, event->element);
  name = ls_debug_text_name (self->debug->text, event->buffer);
  value = ls_debug_value_words (&(LsRunValue) { event->dtype, event->int_value, event->float_value });
  loops = loops_around (self->debug, run);
  place = ls_debug_text_place (self->debug->text, event->func, event->number);
  g_variant_builder_init (&at, G_VARIANT_TYPE ("ax"));
  for (guint d = 0; is_known && d < view.ndim; d++)
    g_variant_builder_add (&at, "x", indices[d]);
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "clock", "t", event->clock);
  g_variant_dict_insert (&dict, "kind", "s", event->kind == LS_SEE_READ ? "read" : "write");
  g_variant_dict_insert (&dict, "buffer", "s", name);
  g_variant_dict_insert (&dict, "element", "s", words);
  g_variant_dict_insert_value (&dict, "at", g_variant_builder_end (&at));
  g_variant_dict_insert (&dict, "text", "s", value);
  g_variant_dict_insert (&dict, "value", "d", event->float_value);
  g_variant_dict_insert (&dict, "loops", "s", loops);
  g_variant_dict_insert (&dict, "line", "u", place != NULL ? place->line : 0);
  if (self->found.length == self->most)
    g_variant_unref (g_queue_pop_head (&self->found));
  g_queue_push_tail (&self->found, g_variant_ref_sink (g_variant_dict_end (&dict)));
}

static guint
reach_access (LsRun      *run,
              LsPrimFunc *func,
              LsNode     *node,
              guint       number,
              guint       wanted,
              gpointer    user_data)
{
  Past *self = user_data;

  if (!ls_is (node, BUFFER) || (self->data != NULL && ((LsBuffer *) node)->data != self->data))
    return 0;
  return self->stop == NULL ? wanted : wanted & LS_SEE_WRITE;
}

static const LsObserver past_observer = { LS_SEE_READ | LS_SEE_WRITE, reach_access, note_access };

static GVariant *
tell_past (LsDebug *self,
           Past    *past,
           guint64  from)
{
  GVariantBuilder list;
  GVariantDict dict;
  GVariant *one;

  g_queue_init (&past->found);
  if (past->most > 0)
    ls_debug_replay (self, from, ls_run_get_clock (self->run), &past_observer, past);
  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  while ((one = g_queue_pop_head (&past->found)) != NULL)
    {
      g_variant_builder_add_value (&list, one);
      g_variant_unref (one);
    }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, "accesses", g_variant_builder_end (&list));
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

GVariant *
ls_debug_past_writes (LsDebug     *self,
                      const char  *rest,
                      GError     **error)
{
  g_autofree char *words = g_strconcat ("write ", rest, NULL);
  LsStop *stop = *rest != '\0' ? ls_debug_stop_parse (self, words, error) : NULL;
  Past past = { self, stop, stop != NULL ? stop->buffer->data : NULL, MOST_WRITES };
  GVariant *answer;

  if (stop == NULL)
    return ls_debug_refuse (error, ls_translate ("A buffer or an element of one is expected."));
  answer = tell_past (self, &past, 0);
  ls_stop_free (stop);
  return answer;
}

/* "12", "12 C", "C" */
GVariant *
ls_debug_past_trail (LsDebug     *self,
                     const char  *rest,
                     GError     **error)
{
  guint64 clock = ls_run_get_clock (self->run), n = 20;
  Past past = { self, NULL, NULL, 0 };
  char *end = NULL;
  const char *name = rest;

  if (g_ascii_isdigit (*rest))
    {
      n = g_ascii_strtoull (rest, &end, 10);
      name = end + strspn (end, " ");
    }
  if (*name != '\0')
    {
      LsBuffer *buffer = ls_debug_find_buffer (self, name);

      if (buffer == NULL)
        return ls_debug_refuse (error, ls_translate ("There is no buffer %s."), name);
      past.data = buffer->data;
    }
  past.most = (guint) MIN (n, MOST_TRAIL);
  n = past.most;
  return tell_past (self, &past, clock - MIN (clock, past.data != NULL ? 64 * n : 4 * n));
}

/* ---- a value over the run ------------------------------------------------------------------------- */

typedef struct {
  guint64 clock;
  double  value;
} Point;

/* Of each four points the least and the most. */
static void
thin (GArray *points)
{
  guint kept = 0;

  for (guint i = 0; i < points->len; i += 4)
    {
      guint least = i, most = i;

      for (guint k = i + 1; k < MIN (i + 4, points->len); k++)
        {
          double value = g_array_index (points, Point, k).value;

          if (value < g_array_index (points, Point, least).value)
            least = k;
          if (value > g_array_index (points, Point, most).value)
            most = k;
        }
      g_array_index (points, Point, kept++) = g_array_index (points, Point, MIN (least, most));
      if (least != most)
        g_array_index (points, Point, kept++) = g_array_index (points, Point, MAX (least, most));
    }
  g_array_set_size (points, kept);
}

typedef struct {
  LsDebug    *debug;
  LsStop     *stop;             /* an element; NULL: an expression at a statement */
  LsPrimFunc *func;
  guint       number;
  LsRunExpr  *ready;
  GArray     *points;           /* of Point */
} Plot;

static void
note_point (LsRun            *run,
            const LsRunEvent *event,
            gpointer          user_data)
{
  Plot *self = user_data;
  Point point = { event->clock, event->float_value };
  LsRunBuffer view;
  gint64 indices[16];
  LsRunValue value;

  if (self->stop != NULL)
    {
      if (!ls_run_get_buffer (run, event->buffer, &view) || !ls_debug_indices (&view, event->element, indices)
          || !is_wanted (self->stop, indices, view.ndim))
        return;
    }
  else if (!ls_run_ask (run, self->ready, 0, &value, NULL))
    return;
  else
    point.value = value.f;
  if (self->points->len >= 2 * MOST_POINTS)
    thin (self->points);
  g_array_append_val (self->points, point);
}

static guint
reach_point (LsRun      *run,
             LsPrimFunc *func,
             LsNode     *node,
             guint       number,
             guint       wanted,
             gpointer    user_data)
{
  Plot *self = user_data;

  if (ls_is (node, BUFFER))
    return self->stop != NULL && ((LsBuffer *) node)->data == self->stop->buffer->data ? wanted & LS_SEE_WRITE : 0;
  return self->stop == NULL && func == self->func && number == self->number ? wanted & LS_SEE_STATEMENT : 0;
}

static const LsObserver plot_observer = { LS_SEE_STATEMENT | LS_SEE_WRITE, reach_point, note_point };

/* C[3, 5] with nothing but numbers: an element. */
static gboolean
is_element (LsExpr *expr)
{
  LsArray *indices = ls_is (expr, BUFFER_LOAD) ? ((LsBufferLoad *) expr)->indices : NULL;
  gint64 value;

  for (guint d = 0; indices != NULL && d < indices->n; d++)
    if (!ls_as_int (indices->items[d], &value))
      return FALSE;
  return indices != NULL;
}

/* FALSE with an error. */
static gboolean
plot_begin (Plot        *self,
            const char  *text,
            const char  *line,
            GError     **error)
{
  g_autoptr (LsSource) source = ls_source_new ("expression", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (GHashTable) names = NULL;
  g_autoptr (LsExpr) expr = NULL;
  g_autofree char *words = g_strconcat ("write ", text, NULL);
  LsDebug *debug = self->debug;

  self->func = debug->func;
  if (line != NULL && *line != '\0')
    {
      if (ls_debug_text_at_line (debug->text, (guint) g_ascii_strtoull (line, NULL, 10), &self->func, &self->number) == NULL)
        return ls_debug_refuse (error, ls_translate ("No statement begins on line %s or after it."), line), FALSE;
    }
  else if (ls_debug_here (debug, &self->func, &self->number) == NULL)
    self->number = LS_STOP_ANY;
  names = ls_debug_text_names (debug->text, self->func, self->number != LS_STOP_ANY ? self->number : 0);
  expr = ls_script_parse_expr (source, names, LS_SCRIPT_EXPR_PLAIN, findings);
  if (expr == NULL || ls_diagnostics_has_error (findings))
    return ls_debug_refuse (error, "%s", ls_diagnostics_get_n (findings) > 0 ? ls_diagnostics_get (findings, 0)->message
                                                                    : ls_translate ("An expression is expected.")), FALSE;
  if (is_element (expr))
    {
      self->stop = ls_debug_stop_parse (debug, words, error);
      return self->stop != NULL;
    }
  if (self->number == LS_STOP_ANY)
    return ls_debug_refuse (error, ls_translate ("The line of a statement is expected after the expression: line 12.")), FALSE;
  self->ready = ls_run_prepare (debug->run, self->func, expr, error);
  return self->ready != NULL;
}

static GVariant *
tell_points (Plot       *self,
             const char *text,
             guint64     reached)
{
  const LsDebugPlace *place = self->stop == NULL ? ls_debug_text_place (self->debug->text, self->func, self->number) : NULL;
  GVariantBuilder clocks, values;
  GVariantDict dict;

  while (self->points->len > MOST_POINTS)
    thin (self->points);
  g_variant_builder_init (&clocks, G_VARIANT_TYPE ("at"));
  g_variant_builder_init (&values, G_VARIANT_TYPE ("ad"));
  for (guint i = 0; i < self->points->len; i++)
    {
      g_variant_builder_add (&clocks, "t", g_array_index (self->points, Point, i).clock);
      g_variant_builder_add (&values, "d", g_array_index (self->points, Point, i).value);
    }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "plot", "s", text);
  if (place != NULL)
    g_variant_dict_insert (&dict, "line", "u", place->line);
  g_variant_dict_insert (&dict, "next", "t", reached);
  g_variant_dict_insert_value (&dict, "clocks", g_variant_builder_end (&clocks));
  g_variant_dict_insert_value (&dict, "values", g_variant_builder_end (&values));
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

/* "C[3, 5]", "vk * 2 line 12 from 1000": up to where the run stands; "next" tells from where to go on where it was given up before. */
GVariant *
ls_debug_past_plot (LsDebug     *self,
                    const char  *rest,
                    GError     **error)
{
  g_autoptr (GRegex) regex = g_regex_new ("^(.+?)(?:\\s+line\\s+(\\d+))?(?:\\s+from\\s+(\\d+))?$", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (Point));
  g_autofree char *text = NULL;
  g_autofree char *line = NULL;
  g_autofree char *from = NULL;
  Plot plot = { self, .points = points };
  guint64 first, now = ls_run_get_clock (self->run);
  GVariant *answer;

  if (!g_regex_match (regex, rest, 0, &match))
    return ls_debug_refuse (error, ls_translate ("An expression is expected."));
  text = g_match_info_fetch (match, 1);
  line = g_match_info_fetch (match, 2);
  from = g_match_info_fetch (match, 3);
  first = from != NULL && *from != '\0' ? g_ascii_strtoull (from, NULL, 10) : 0;
  if (!plot_begin (&plot, text, line, error))
    return NULL;
  answer = tell_points (&plot, text, first < now ? ls_debug_replay (self, first, now, &plot_observer, &plot) : now);
  if (plot.stop != NULL)
    ls_stop_free (plot.stop);
  if (plot.ready != NULL)
    ls_run_release (self->run, plot.ready);
  return answer;
}
