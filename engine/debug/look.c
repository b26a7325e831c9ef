/* look: what is seen where a run stands still, as data for a terminal, a window, or an editor. */
#include "engine/debug/debug-private.h"

#include <math.h>
#include <string.h>

#define MOST_EXPRESSIONS 64

/* ---- values --------------------------------------------------------------------------------- */

char *
ls_debug_value_words (const LsRunValue *value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (ls_dtype_is_bool (value->dtype))
    return g_strdup (value->i != 0 ? "True" : "False");
  if (!ls_dtype_is_float (value->dtype))
    return value->dtype.code == LS_TYPE_UINT ? g_strdup_printf ("%" G_GUINT64_FORMAT, (guint64) value->i)
                                             : g_strdup_printf ("%" G_GINT64_FORMAT, value->i);
  if (isnan (value->f))
    return g_strdup ("nan");
  if (isinf (value->f))
    return g_strdup (value->f > 0 ? "inf" : "-inf");
  return g_strdup (g_ascii_formatd (buffer, sizeof buffer, value->dtype.bits == 64 ? "%.17g" : value->dtype.bits == 32 ? "%.9g" : "%.5g", value->f));
}

static void
put_value (GVariantDict     *dict,
           const LsRunValue *value)
{
  g_autofree char *words = ls_debug_value_words (value);

  g_variant_dict_insert (dict, "text", "s", words);
  g_variant_dict_insert (dict, "value", "d", value->f);
  g_variant_dict_insert (dict, "type", "s", ls_dtype_name (value->dtype));
}

gboolean
ls_debug_indices (const LsRunBuffer *view,
                  gint64             element,
                  gint64            *indices)
{
  gint64 rest = element - view->offset;

  for (guint d = 0; d < view->ndim; d++)
    {
      gint64 stride = MAX (view->strides[d], 1);

      indices[d] = rest / stride;
      if (rest < 0 || indices[d] >= view->shape[d])
        return FALSE;
      rest %= stride;
    }
  return rest == 0;
}

static char *
indices_words (const char   *name,
               const gint64 *indices,
               guint         n)
{
  GString *words = g_string_new (name);

  g_string_append_c (words, '[');
  for (guint d = 0; d < n; d++)
    g_string_append_printf (words, "%s%" G_GINT64_FORMAT, d > 0 ? ", " : "", indices[d]);
  if (n == 0)
    g_string_append (words, "()");
  g_string_append_c (words, ']');
  return g_string_free (words, FALSE);
}

char *
ls_debug_element_words (LsDebug  *self,
                        LsBuffer *buffer,
                        gint64    element)
{
  g_autofree char *name = ls_debug_text_name (self->text, buffer);
  LsRunBuffer view;
  gint64 indices[16];

  if (ls_run_get_buffer (self->run, buffer, &view) && ls_debug_indices (&view, element, indices))
    return indices_words (name, indices, view.ndim);
  return g_strdup_printf ("%s + %" G_GINT64_FORMAT, name, element);
}

LsBuffer *
ls_debug_find_buffer (LsDebug    *self,
                      const char *name)
{
  g_autoptr (GHashTable) names = NULL;
  LsPrimFunc *func;
  guint number = 0;
  LsNode *found;

  if (ls_debug_here (self, &func, &number) == NULL)
    func = self->func;
  names = ls_debug_text_names (self->text, func, number);
  found = g_hash_table_lookup (names, name);
  return ls_is (found, BUFFER) ? (LsBuffer *) found : NULL;
}

const LsDebugPlace *
ls_debug_here (LsDebug     *self,
               LsPrimFunc **func,
               guint       *number)
{
  LsRunFrame frame;

  if (ls_run_get_state (self->run) == LS_RUN_FINISHED)
    return NULL;
  ls_run_get_frame (self->run, ls_run_get_depth (self->run) - 1, &frame);
  if (frame.func == NULL)
    return NULL;
  *func = frame.func;
  *number = frame.number;
  return ls_debug_text_place (self->text, frame.func, frame.number);
}

/* ---- expressions ------------------------------------------------------------------------------ */

static gboolean
ask_node (LsDebug    *self,
          LsPrimFunc *func,
          LsExpr     *expr,
          LsRunValue *value)
{
  LsRunExpr *ready = g_hash_table_lookup (self->ready, expr);

  if (ready == NULL)
    {
      ready = ls_run_prepare (self->run, func, expr, NULL);
      if (ready == NULL)
        return FALSE;
      g_hash_table_insert (self->ready, expr, ready);
    }
  return ls_run_ask (self->run, ready, 0, value, NULL);
}

typedef struct {
  LsDebug        *debug;
  LsPrimFunc     *func;
  GArray         *path;         /* of guint32, to the node */
  GVariantBuilder expressions;  /* aa{sv} */
  GVariantBuilder accesses;     /* aa{sv} */
  guint           n;
} Looker;

static void
put_range (Looker       *self,
           GVariantDict *dict)
{
  g_autoptr (LsPath) path = ls_path_new ((guint32 *) self->path->data, self->path->len);
  g_autoptr (GPtrArray) ranges = ls_source_map_find_path (self->debug->text->map, path);

  for (guint i = 0; i < ranges->len; i++)
    {
      const LsSourceRange *range = ranges->pdata[i];

      if (range->role != LS_SOURCE_NODE)
        continue;
      g_variant_dict_insert (dict, "start", "u", range->start);
      g_variant_dict_insert (dict, "end", "u", range->end);
      g_variant_dict_insert (dict, "line", "u", range->line);
      return;
    }
}

static void
add_access (Looker   *self,
            LsBuffer *buffer,
            LsArray  *indices,
            gboolean  is_write)
{
  g_autofree char *name = ls_debug_text_name (self->debug->text, buffer);
  g_autofree char *words = NULL;
  GVariantDict dict;
  GVariantBuilder at;
  LsRunBuffer view;
  gint64 values[16];
  gint64 element;
  LsRunValue value;

  if (indices->n > 16 || !ls_run_get_buffer (self->debug->run, buffer, &view) || view.ndim != indices->n)
    return;
  element = view.offset;
  for (guint d = 0; d < indices->n; d++)
    {
      if (!ask_node (self->debug, self->func, ls_array_at (indices, d, LsExpr), &value))
        return;
      values[d] = value.i;
      element += value.i * view.strides[d];
    }
  g_variant_builder_init (&at, G_VARIANT_TYPE ("ax"));
  for (guint d = 0; d < indices->n; d++)
    g_variant_builder_add (&at, "x", values[d]);
  words = indices_words (name, values, indices->n);
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "kind", "s", is_write ? "write" : "read");
  g_variant_dict_insert (&dict, "buffer", "s", name);
  g_variant_dict_insert (&dict, "words", "s", words);
  g_variant_dict_insert_value (&dict, "at", g_variant_builder_end (&at));
  g_variant_dict_insert (&dict, "written", "b", ls_run_element (&view, element, &value));
  put_value (&dict, &value);
  g_variant_builder_add_value (&self->accesses, g_variant_dict_end (&dict));
}

static void
add_expressions (Looker  *self,
                 LsNode  *node)
{
  guint n = node != NULL ? ls_node_get_n_children (node) : 0;

  if (node == NULL || self->n >= MOST_EXPRESSIONS)
    return;
  if (ls_is_expr (node) && !ls_is_var (node) && !ls_is (node, INT_IMM) && !ls_is (node, FLOAT_IMM) && !ls_is (node, STRING_IMM))
    {
      LsRunValue value;

      if (ask_node (self->debug, self->func, (LsExpr *) node, &value))
        {
          g_autofree char *words = ls_script_print_expr (node);
          GVariantDict dict;

          g_variant_dict_init (&dict, NULL);
          g_variant_dict_insert (&dict, "expression", "s", words);
          put_value (&dict, &value);
          put_range (self, &dict);
          g_variant_builder_add_value (&self->expressions, g_variant_dict_end (&dict));
          self->n++;
        }
      if (ls_is (node, BUFFER_LOAD))
        add_access (self, ((LsBufferLoad *) node)->buffer, ((LsBufferLoad *) node)->indices, FALSE);
    }
  if (!ls_is_expr (node) && !ls_is (node, ARRAY))
    return;
  for (guint i = 0; i < n; i++)
    {
      guint32 step = i;

      g_array_append_val (self->path, step);
      add_expressions (self, ls_node_get_child (node, i));
      g_array_set_size (self->path, self->path->len - 1);
    }
}

/* What the statement itself evaluates; its parts left out. */
static void
look_at_statement (Looker             *self,
                   const LsDebugPlace *place)
{
  guint n = ls_node_get_n_children (place->stmt);

  g_array_set_size (self->path, 0);
  g_array_append_vals (self->path, place->path->steps, place->path->n);
  if (ls_is (place->stmt, BUFFER_STORE))
    add_access (self, ((LsBufferStore *) place->stmt)->buffer, ((LsBufferStore *) place->stmt)->indices, TRUE);
  for (guint i = 0; i < n; i++)
    {
      LsNode *child = ls_node_get_child (place->stmt, i);
      guint32 step = i;

      if (child == NULL || ls_is_stmt (child) || ls_is (place->stmt, SEQ_STMT))
        continue;
      g_array_append_val (self->path, step);
      add_expressions (self, child);
      g_array_set_size (self->path, self->path->len - 1);
    }
}

/* ---- where it stands --------------------------------------------------------------------------- */

static char *
line_of_text (LsDebugText *text,
              guint        line)
{
  guint32 start = line > 0 ? ls_source_map_line_start (text->map, line) : 0;
  const char *at = text->text + start, *end = strchr (at, '\n');

  if (line == 0)
    return g_strdup ("");
  return g_strstrip (end != NULL ? g_strndup (at, (gsize) (end - at)) : g_strdup (at));
}

static GVariant *
frames_of (LsDebug *self)
{
  guint depth = ls_run_get_depth (self->run);
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < depth; i++)
    {
      LsRunFrame frame;
      const LsDebugPlace *place;
      GVariantDict dict;

      ls_run_get_frame (self->run, i, &frame);
      place = frame.func != NULL ? ls_debug_text_place (self->text, frame.func, frame.number) : NULL;
      g_variant_dict_init (&dict, NULL);
      g_variant_dict_insert (&dict, "number", "u", frame.number);
      g_variant_dict_insert (&dict, "line", "u", place != NULL ? place->line : 0);
      g_variant_dict_insert (&dict, "kind", "s", frame.stmt->klass->name);
      if (frame.is_loop)
        {
          LsVar *var = ls_is (frame.stmt, FOR) ? ((LsFor *) frame.stmt)->loop_var : ((LsIterVar *) ((LsAttrStmt *) frame.stmt)->subject)->var;
          g_autofree char *name = ls_debug_text_name (self->text, var);

          g_variant_dict_insert (&dict, "name", "s", name);
          if (i + 1 < depth || ls_run_get_state (self->run) != LS_RUN_STANDS)
            {
              g_variant_dict_insert (&dict, "round", "x", frame.round);
              g_variant_dict_insert (&dict, "extent", "x", frame.extent);
            }
        }
      else if (ls_is (frame.stmt, BLOCK_REALIZE))
        {
          g_variant_dict_insert (&dict, "name", "s", ((LsBlockRealize *) frame.stmt)->block->name_hint);
          g_variant_dict_insert (&dict, "init", "b", frame.in_init);
        }
      g_variant_builder_add_value (&list, g_variant_dict_end (&dict));
    }
  return g_variant_builder_end (&list);
}

static GVariant *
vars_of (LsDebug *self)
{
  g_autoptr (GPtrArray) vars = ls_run_vars (self->run);
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < vars->len; i++)
    {
      g_autofree char *name = ls_debug_text_name (self->text, vars->pdata[i]);
      LsRunValue value;
      GVariantDict dict;

      if (!ls_run_get_var (self->run, vars->pdata[i], &value))
        continue;
      g_variant_dict_init (&dict, NULL);
      g_variant_dict_insert (&dict, "name", "s", name);
      put_value (&dict, &value);
      g_variant_builder_add_value (&list, g_variant_dict_end (&dict));
    }
  return g_variant_builder_end (&list);
}

static GVariant *
buffers_of (LsDebug *self)
{
  g_autoptr (GPtrArray) buffers = ls_run_buffers (self->run);
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < buffers->len; i++)
    {
      LsBuffer *buffer = buffers->pdata[i];
      g_autofree char *name = ls_debug_text_name (self->text, buffer);
      LsRunBuffer view;
      GVariantDict dict;
      GVariantBuilder shape;

      if (!ls_run_get_buffer (self->run, buffer, &view))
        continue;
      g_variant_builder_init (&shape, G_VARIANT_TYPE ("ax"));
      for (guint d = 0; d < view.ndim; d++)
        g_variant_builder_add (&shape, "x", view.shape[d]);
      g_variant_dict_init (&dict, NULL);
      g_variant_dict_insert (&dict, "name", "s", name);
      g_variant_dict_insert (&dict, "type", "s", ls_dtype_name (view.dtype));
      g_variant_dict_insert (&dict, "scope", "s", ls_buffer_scope (buffer));
      g_variant_dict_insert_value (&dict, "shape", g_variant_builder_end (&shape));
      g_variant_builder_add_value (&list, g_variant_dict_end (&dict));
    }
  return g_variant_builder_end (&list);
}

static const char *
state_name (LsRunState state)
{
  switch (state)
    {
    case LS_RUN_STANDS: return "stands";
    case LS_RUN_FINISHED: return "finished";
    case LS_RUN_FAILED: return "failed";
    }
  return "?";
}

static GVariant *
hit_of (LsDebug *self)
{
  const LsDebugHit *hit = ls_debug_get_hit (self);
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "stop", "u", hit->stop);
  g_variant_dict_insert (&dict, "words", "s", hit->words);
  if (hit->buffer != NULL)
    {
      g_autofree char *element = ls_debug_element_words (self, hit->buffer, hit->element);
      LsRunValue value = { hit->dtype, (gint64) hit->value, hit->value };

      g_variant_dict_insert (&dict, "element", "s", element);
      g_variant_dict_insert (&dict, "kind", "s", hit->kind == LS_SEE_READ ? "read" : "write");
      put_value (&dict, &value);
    }
  return g_variant_dict_end (&dict);
}

static void
put_statement (LsDebug            *self,
               GVariantDict       *dict,
               LsPrimFunc         *func,
               const LsDebugPlace *place)
{
  g_autofree char *line = line_of_text (self->text, place->line);
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (guint32));
  Looker looker = { .debug = self, .func = func, .path = path };

  g_variant_builder_init (&looker.expressions, G_VARIANT_TYPE ("aa{sv}"));
  g_variant_builder_init (&looker.accesses, G_VARIANT_TYPE ("aa{sv}"));
  look_at_statement (&looker, place);
  g_variant_dict_insert (dict, "line", "u", place->line);
  g_variant_dict_insert (dict, "statement", "s", line);
  g_variant_dict_insert (dict, "kind", "s", place->stmt->klass->name);
  g_variant_dict_insert_value (dict, "expressions", g_variant_builder_end (&looker.expressions));
  g_variant_dict_insert_value (dict, "accesses", g_variant_builder_end (&looker.accesses));
}

void
ls_debug_put_checkpoints (LsDebug      *self,
                          GVariantDict *dict)
{
  guint n;
  gsize bytes;

  ls_debug_get_checkpoints (self, &n, &bytes);
  g_variant_dict_insert (dict, "checkpoints", "u", n);
  g_variant_dict_insert (dict, "checkpoint-bytes", "t", (guint64) bytes);
  g_variant_dict_insert (dict, "checkpoint-limit", "t", (guint64) self->memory);
}

GVariant *
ls_debug_look (LsDebug *self)
{
  const GError *error = ls_run_get_error (self->run);
  LsPrimFunc *func;
  guint number;
  const LsDebugPlace *place = ls_debug_here (self, &func, &number);
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "clock", "t", ls_run_get_clock (self->run));
  g_variant_dict_insert (&dict, "state", "s", state_name (ls_run_get_state (self->run)));
  if (error != NULL)
    g_variant_dict_insert (&dict, "error", "s", error->message);
  if (self->is_interrupted)
    g_variant_dict_insert (&dict, "interrupted", "b", TRUE);
  if (place != NULL)
    put_statement (self, &dict, func, place);
  g_variant_dict_insert_value (&dict, "frames", frames_of (self));
  g_variant_dict_insert_value (&dict, "vars", vars_of (self));
  g_variant_dict_insert_value (&dict, "buffers", buffers_of (self));
  if (ls_debug_get_hit (self) != NULL)
    g_variant_dict_insert_value (&dict, "hit", hit_of (self));
  ls_debug_put_checkpoints (self, &dict);
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

/* ---- a buffer as a grid --------------------------------------------------------------------------- */

typedef struct {
  double least, most;
  gint64 n_nan, n_written, n;
} Summary;

/* A parameter that the function only reads: all of it is there from the begin. */
static gboolean
is_given (LsDebug  *self,
          LsBuffer *buffer)
{
  for (guint i = 0; i < self->func->params->n; i++)
    if (ls_prim_func_get_buffer (self->func, i) == buffer)
      return !g_hash_table_contains (self->written, buffer->data);
  return FALSE;
}

static inline void
count (Summary *out,
       gboolean known,
       double   value)
{
  out->n++;
  out->n_written += known;
  if (!known)
    return;
  if (!isfinite (value))
    out->n_nan++;
  else
    {
      out->least = MIN (out->least, value);
      out->most = MAX (out->most, value);
    }
}

/* A row of what most arrays are of, all of it inside the memory: a stop shows all of a large array. */
static void
summarise_floats (const LsRunBuffer *view,
                  gboolean           given,
                  gint64             first,
                  gint64             n,
                  gint64             stride,
                  Summary           *out)
{
  for (gint64 i = 0; i < n; i++)
    {
      gint64 byte = (first + i * stride) * (gint64) sizeof (float), mark = byte + view->written_base;
      float value;

      memcpy (&value, view->data + byte, sizeof value);
      count (out, given || (view->written != NULL && (view->written[mark >> 3] >> (mark & 7) & 1) != 0), value);
    }
}

/* Of what was never written only the count; memory that a program allocates holds NaN until then. */
static void
summarise (const LsRunBuffer *view,
           gboolean           given,
           gint64             base,
           gint64             rows,
           gint64             columns,
           gint64             row_stride,
           gint64             column_stride,
           Summary           *out)
{
  *out = (Summary) { G_MAXDOUBLE, -G_MAXDOUBLE, 0, 0, 0 };
  for (gint64 r = 0; r < rows; r++)
    {
      gint64 first = base + r * row_stride, last = first + (columns - 1) * column_stride;

      if (columns > 0 && ls_dtype_equal (view->dtype, LS_FLOAT32) && MIN (first, last) >= view->low && MAX (first, last) < view->high)
        {
          summarise_floats (view, given, first, columns, column_stride, out);
          continue;
        }
      for (gint64 c = 0; c < columns; c++)
        {
          LsRunValue value;
          gboolean known = ls_run_element (view, first + c * column_stride, &value) || given;

          count (out, known, value.f);
        }
    }
}

GVariant *
ls_debug_grid (LsDebug      *self,
               LsBuffer     *buffer,
               const gint64 *at,
               gint64        row,
               gint64        column,
               guint         rows,
               guint         columns)
{
  g_autofree char *name = ls_debug_text_name (self->text, buffer);
  LsRunBuffer view;
  GVariantDict dict;
  GVariantBuilder values, written, shape, slice;
  gint64 n_rows, n_columns, row_stride, column_stride, base;
  Summary summary;
  gboolean given = is_given (self, buffer);

  if (!ls_run_get_buffer (self->run, buffer, &view))
    return NULL;
  n_columns = view.ndim > 0 ? view.shape[view.ndim - 1] : 1;
  n_rows = view.ndim > 1 ? view.shape[view.ndim - 2] : 1;
  column_stride = view.ndim > 0 ? view.strides[view.ndim - 1] : 0;
  row_stride = view.ndim > 1 ? view.strides[view.ndim - 2] : 0;
  base = view.offset;
  g_variant_builder_init (&shape, G_VARIANT_TYPE ("ax"));
  g_variant_builder_init (&slice, G_VARIANT_TYPE ("ax"));
  for (guint d = 0; d < view.ndim; d++)
    {
      g_variant_builder_add (&shape, "x", view.shape[d]);
      if (d + 2 < view.ndim)
        {
          gint64 i = at != NULL ? CLAMP (at[d], 0, MAX (view.shape[d] - 1, 0)) : 0;

          base += i * view.strides[d];
          g_variant_builder_add (&slice, "x", i);
        }
    }
  row = CLAMP (row, 0, MAX (n_rows - 1, 0));
  column = CLAMP (column, 0, MAX (n_columns - 1, 0));
  rows = (guint) MIN ((gint64) rows, n_rows - row);
  columns = (guint) MIN ((gint64) columns, n_columns - column);
  summarise (&view, given, base, n_rows, n_columns, row_stride, column_stride, &summary);
  g_variant_builder_init (&values, G_VARIANT_TYPE ("ad"));
  g_variant_builder_init (&written, G_VARIANT_TYPE ("ab"));
  for (guint r = 0; r < rows; r++)
    for (guint c = 0; c < columns; c++)
      {
        LsRunValue value;
        gboolean is_written = given | ls_run_element (&view, base + (row + r) * row_stride + (column + c) * column_stride, &value);

        g_variant_builder_add (&values, "d", value.f);
        g_variant_builder_add (&written, "b", is_written);
      }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "buffer", "s", name);
  g_variant_dict_insert (&dict, "type", "s", ls_dtype_name (view.dtype));
  g_variant_dict_insert_value (&dict, "shape", g_variant_builder_end (&shape));
  g_variant_dict_insert_value (&dict, "slice", g_variant_builder_end (&slice));
  g_variant_dict_insert (&dict, "row", "x", row);
  g_variant_dict_insert (&dict, "column", "x", column);
  g_variant_dict_insert (&dict, "given", "b", given);
  g_variant_dict_insert (&dict, "rows", "u", rows);
  g_variant_dict_insert (&dict, "columns", "u", columns);
  g_variant_dict_insert_value (&dict, "values", g_variant_builder_end (&values));
  g_variant_dict_insert_value (&dict, "written", g_variant_builder_end (&written));
  if (summary.least <= summary.most)
    {
      g_variant_dict_insert (&dict, "least", "d", summary.least);
      g_variant_dict_insert (&dict, "most", "d", summary.most);
    }
  g_variant_dict_insert (&dict, "not-finite", "x", summary.n_nan);
  g_variant_dict_insert (&dict, "n-written", "x", summary.n_written);
  g_variant_dict_insert (&dict, "n", "x", summary.n);
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}
