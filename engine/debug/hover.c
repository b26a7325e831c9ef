/* hover: the value of what stands at a place of the text: any expression of any statement, by the map of the printer.
 *
 * What has no value says why: a variable whose loop, block or let is not under way, an access outside, a call that would do something.
 */
#include "engine/debug/debug-private.h"

#include <math.h>
#include <string.h>

#define MOST_LANES 16
#define MOST_ELEMENTS ((gint64) 1 << 20)        /* of a buffer that are counted while somebody waits */

/* ---- what stands there ---------------------------------------------------------------------------- */

typedef struct {
  LsPrimFunc *func;             /* borrowed */
  LsExpr     *expr;             /* owned; or NULL */
  LsBuffer   *buffer;           /* the whole of it is meant, borrowed; or NULL */
  guint32     start, end;       /* of the text */
  gboolean    is_store;         /* which is a whole statement, of which the target is meant */
} Target;

/* One element of a region whose extents are 1. (transfer full), or NULL */
static LsExpr *
element_of_region (LsBufferRegion *region)
{
  g_autoptr (GPtrArray) indices = NULL;

  for (guint i = 0; i < region->region->n; i++)
    {
      LsNode *extent = LS_NODE (ls_array_at (region->region, i, LsRange)->extent);

      if (!ls_is (extent, INT_IMM) || ((LsIntImm *) extent)->value != 1)
        return NULL;
    }
  indices = g_ptr_array_new ();
  for (guint i = 0; i < region->region->n; i++)
    g_ptr_array_add (indices, ls_ref (ls_array_at (region->region, i, LsRange)->min));
  return ls_buffer_load_new (ls_ref (region->buffer), ls_array_new (indices->pdata, indices->len), NULL);
}

/* The element that a statement writes, as it is now. (transfer full) */
static LsExpr *
target_of_store (LsBufferStore *store)
{
  return ls_buffer_load_new (ls_ref (store->buffer), ls_ref (store->indices), NULL);
}

/* What the ranges around a place, the outermost first, mean by it. */
static gboolean
take (Target    *self,
      GPtrArray *around,
      guint32    offset)
{
  for (guint i = around->len; i-- > 0;)
    {
      const LsSourceRange *range = around->pdata[i], *outer = i > 0 ? around->pdata[i - 1] : NULL;
      LsNode *node = range->node;

      self->start = range->start;
      self->end = range->end;
      if (ls_is (node, BUFFER) && outer != NULL && range->role == LS_SOURCE_USE && outer->start == range->start
          && (ls_is (outer->node, BUFFER_LOAD) || ls_is (outer->node, BUFFER_STORE) || ls_is (outer->node, BUFFER_REGION)))
        continue;               /* its element is meant */
      if (ls_is (node, BUFFER))
        {
          self->buffer = (LsBuffer *) node;
          return TRUE;
        }
      if (ls_is (node, BUFFER_REGION))
        {
          self->expr = element_of_region ((LsBufferRegion *) node);
          self->buffer = self->expr == NULL ? ((LsBufferRegion *) node)->buffer : NULL;
          return TRUE;
        }
      if (ls_is (node, BUFFER_STORE))
        {
          /* before the value stands what is written */
          self->expr = target_of_store ((LsBufferStore *) node);
          self->is_store = TRUE;
          return TRUE;
        }
      if (ls_is_expr (node) && !ls_is (node, STRING_IMM) && !ls_is (node, GLOBAL_VAR))
        {
          self->expr = ls_ref ((LsExpr *) node);
          return TRUE;
        }
      if (ls_is_stmt (node) || ls_is (node, BLOCK) || ls_is (node, PRIM_FUNC))
        return FALSE;           /* a word of the statement itself */
    }
  return FALSE;
}

static LsPrimFunc *
function_around (LsDebugText *text,
                 GPtrArray   *around)
{
  for (guint i = 0; i < around->len; i++)
    {
      const LsSourceRange *range = around->pdata[i];

      if (g_ptr_array_find (text->funcs, range->node, NULL))
        return (LsPrimFunc *) range->node;
    }
  return NULL;
}

static gboolean
find_target (LsDebug *self,
             guint32  offset,
             Target  *target)
{
  g_autoptr (GPtrArray) around = g_ptr_array_new ();
  guint n;
  const LsSourceRange *ranges = ls_source_map_get_ranges (self->text->map, &n);

  for (guint i = 0; i < n && ranges[i].start <= offset; i++)
    if (offset < ranges[i].end)
      g_ptr_array_add (around, (gpointer) &ranges[i]);
  target->func = function_around (self->text, around);
  return target->func != NULL && take (target, around, offset);
}

/* ---- its value ------------------------------------------------------------------------------------------ */

typedef struct {
  LsDebug   *debug;
  GPtrArray *bound;             /* variables that have a value now, and those that lets of the expression bind */
  LsVar     *unbound;
} Check;

static LsWalk
check_node (LsNode  *node,
            gpointer user_data)
{
  Check *self = user_data;

  if (ls_is (node, LET))
    g_ptr_array_add (self->bound, ((LsLet *) node)->var);
  else if (ls_is_var (node) && !g_ptr_array_find (self->bound, node, NULL))
    self->unbound = (LsVar *) node;
  return self->unbound != NULL ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

/* A variable of the block that is about to begin has the value that it will be bound to. (transfer full), or NULL */
static LsExpr *
about_to_be (LsDebug *self,
             LsVar   *var)
{
  LsPrimFunc *func;
  guint number;
  const LsDebugPlace *place = ls_debug_here (self, &func, &number);
  LsBlockRealize *realize = place != NULL && ls_is (place->stmt, BLOCK_REALIZE) ? (LsBlockRealize *) place->stmt : NULL;

  for (guint i = 0; realize != NULL && i < realize->block->iter_vars->n; i++)
    if (ls_array_at (realize->block->iter_vars, i, LsIterVar)->var == var)
      return ls_ref (ls_array_at (realize->iter_values, i, LsExpr));
  return NULL;
}

static gboolean
refuse (GError    **error,
        const char *sentence)
{
  g_set_error_literal (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_COMMAND, sentence);
  return FALSE;
}

/* May it be evaluated now? */
static gboolean
has_value (LsDebug  *self,
           LsExpr   *expr,
           GError  **error)
{
  g_autoptr (GPtrArray) bound = ls_run_vars (self->run);
  Check check = { .debug = self, .bound = bound };
  g_autofree char *name = NULL;

  if (ls_dtype (expr).code == LS_TYPE_HANDLE)
    return refuse (error, ls_translate ("It is a place in memory, not a number."));
  if (ls_side_effect (expr) > LS_EFFECT_READ_STATE)
    return refuse (error, ls_translate ("What it calls may do something, so it is not evaluated here."));
  ls_walk (expr, check_node, NULL, &check);
  if (check.unbound == NULL)
    return TRUE;
  name = ls_debug_text_name (self->text, check.unbound);
  if (ls_run_get_state (self->run) != LS_RUN_STANDS)
    g_set_error (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_COMMAND, ls_translate ("%s has no value: the run is over."), name);
  else
    g_set_error (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_COMMAND, ls_translate ("%s has no value now: what binds it is not under way."), name);
  return FALSE;
}

/* Whose memory it is: only read by the program, or its own, or the caller's. */
typedef enum { GIVEN, OWN, ARGUMENT } Whose;

static Whose
whose_memory (LsDebug    *self,
              LsPrimFunc *func,
              LsBuffer   *buffer)
{
  LsVar *data = ls_debug_memory_of (func, buffer->data);

  if (!g_hash_table_contains (self->written, buffer->data) && !g_hash_table_contains (self->written, data))
    return GIVEN;
  for (guint i = 0; i < self->func->params->n; i++)
    if (ls_prim_func_get_buffer (self->func, i) != NULL && ls_prim_func_get_buffer (self->func, i)->data == data)
      return ARGUMENT;
  return OWN;
}

/* What an array of the caller's holds before it is written is a value all the same; memory of the program's own holds none. (transfer full) */
static char *
unwritten_words (Whose       whose,
                 const char *text)
{
  return whose == ARGUMENT ? g_strdup_printf (ls_translate ("%s, not written yet"), text) : g_strdup (ls_translate ("not written yet"));
}

char *
ls_debug_stored_words (LsDebug           *self,
                       LsBuffer          *buffer,
                       const LsRunBuffer *view,
                       gint64             element)
{
  LsRunValue value;
  Whose whose = whose_memory (self, ls_run_get_func (self->run), buffer);
  gboolean is_written = ls_run_element (view, element, &value);
  char *text = ls_debug_value_words (&value);
  char *words = is_written || whose == GIVEN ? NULL : unwritten_words (whose, text);

  if (words == NULL)
    return text;
  g_free (text);
  return words;
}

/* An element that the program has not written yet, of what it writes. */
static gboolean
is_unwritten (LsDebug    *self,
              LsPrimFunc *func,
              LsExpr     *expr)
{
  LsBufferLoad *load = ls_is (LS_NODE (expr), BUFFER_LOAD) ? (LsBufferLoad *) expr : NULL;
  LsRunBuffer view;
  LsRunValue value;
  gint64 element;

  if (load == NULL || ls_dtype (expr).lanes > 1 || !ls_run_get_buffer (self->run, load->buffer, &view) || view.ndim != load->indices->n
      || whose_memory (self, func, load->buffer) == GIVEN)
    return FALSE;
  element = view.offset;
  for (guint d = 0; d < view.ndim; d++)
    {
      LsRunExpr *ready = ls_run_prepare (self->run, func, ls_array_at (load->indices, d, LsExpr), NULL);
      gboolean ok = ready != NULL && ls_run_ask (self->run, ready, 0, &value, NULL);

      if (ready != NULL)
        ls_run_release (self->run, ready);
      if (!ok)
        return FALSE;
      element += value.i * view.strides[d];
    }
  return !ls_run_element (&view, element, &value);
}

/* The answer (taken) of an element that is not written. */
static GVariant *
tell_unwritten (LsDebug    *self,
                LsPrimFunc *func,
                LsExpr     *expr,
                GVariant   *answer)
{
  Whose whose = whose_memory (self, func, ((LsBufferLoad *) expr)->buffer);
  const char *text = "";
  g_autofree char *words = NULL;
  GVariantDict dict;

  g_variant_lookup (answer, "text", "&s", &text);
  words = unwritten_words (whose, text);
  g_variant_dict_init (&dict, answer);
  g_variant_dict_insert (&dict, "text", "s", words);
  g_variant_dict_insert (&dict, "written", "b", FALSE);
  if (whose == OWN)
    g_variant_dict_remove (&dict, "value");
  g_variant_unref (answer);
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

/* All lanes: "[0, 1, 2, 3]". */
static GVariant *
ask_lanes (LsDebug    *self,
           LsRunExpr  *ready,
           guint       lanes,
           const char *text,
           GError    **error)
{
  g_autoptr (GString) words = g_string_new (lanes > 1 ? "[" : NULL);
  LsRunValue value = { 0 };
  GVariantDict dict;

  for (guint lane = 0; lane < MIN (lanes, MOST_LANES); lane++)
    {
      g_autofree char *one = NULL;

      if (!ls_run_ask (self->run, ready, lane, &value, error))
        return NULL;
      one = ls_debug_value_words (&value);
      g_string_append_printf (words, "%s%s", lane > 0 ? ", " : "", one);
    }
  if (lanes > 1)
    g_string_append (words, lanes > MOST_LANES ? ", …]" : "]");
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "expression", "s", text);
  g_variant_dict_insert (&dict, "text", "s", words->str);
  g_variant_dict_insert (&dict, "type", "s", ls_dtype_name (value.dtype));
  if (lanes == 1)
    g_variant_dict_insert (&dict, "value", "d", value.f);
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

static GVariant *
ask_expr (LsDebug    *self,
          LsPrimFunc *func,
          LsExpr     *expr,
          const char *text,
          GError    **error)
{
  g_autoptr (LsExpr) coming = ls_is_var (LS_NODE (expr)) ? about_to_be (self, (LsVar *) expr) : NULL;
  LsExpr *asked = coming != NULL ? coming : expr;
  LsRunExpr *ready = has_value (self, asked, error) ? ls_run_prepare (self->run, func, asked, error) : NULL;
  GVariant *answer = ready != NULL ? ask_lanes (self, ready, MAX (1u, ls_dtype (asked).lanes), text, error) : NULL;

  if (ready != NULL)
    ls_run_release (self->run, ready);
  return answer != NULL && is_unwritten (self, func, asked) ? tell_unwritten (self, func, asked, answer) : answer;
}

GVariant *
ls_debug_ask (LsDebug     *self,
              const char  *text,
              GError     **error)
{
  g_autoptr (LsSource) source = ls_source_new ("expression", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (GHashTable) names = NULL;
  g_autoptr (LsExpr) expr = NULL;
  LsPrimFunc *func = ls_run_get_func (self->run);
  guint number = 0;

  ls_debug_here (self, &func, &number);
  names = ls_debug_text_names (self->text, func, number);
  expr = ls_script_parse_expr (source, names, LS_SCRIPT_EXPR_PLAIN, findings);
  if (expr == NULL || ls_diagnostics_has_error (findings))
    {
      g_set_error (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_COMMAND, "%s",
                   ls_diagnostics_get_n (findings) > 0 ? ls_diagnostics_get (findings, 0)->message : ls_translate ("An expression is expected."));
      return NULL;
    }
  return ask_expr (self, func, expr, text, error);
}

/* "float32 (128, 128), 16 of 16384 written, -1.5 to 3.25". */
static GVariant *
tell_buffer (LsDebug    *self,
             LsBuffer   *buffer,
             const char *text,
             GError    **error)
{
  g_autoptr (GString) words = g_string_new (NULL);
  double least = INFINITY, most = -INFINITY;
  gint64 n = 1, n_written = 0;
  GVariantDict dict;
  LsRunBuffer view;

  if (!ls_run_get_buffer (self->run, buffer, &view))
    {
      g_set_error (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_COMMAND, ls_translate ("%s has no memory now."), text);
      return NULL;
    }
  g_string_append_printf (words, "%s (", ls_dtype_name (view.dtype));
  for (guint d = 0; d < view.ndim; d++)
    {
      g_string_append_printf (words, "%s%" G_GINT64_FORMAT, d > 0 ? ", " : "", view.shape[d]);
      n *= MAX (view.shape[d], 0);
    }
  g_string_append_c (words, ')');
  for (gint64 i = 0; i < n && n <= MOST_ELEMENTS; i++)
    {
      gint64 rest = i, element = view.offset;
      LsRunValue value;

      for (guint d = view.ndim; d-- > 0;)
        {
          element += rest % view.shape[d] * view.strides[d];
          rest /= view.shape[d];
        }
      if (!(ls_run_element (&view, element, &value) | !g_hash_table_contains (self->written, buffer->data)))
        continue;
      n_written++;
      least = fmin (least, value.f);
      most = fmax (most, value.f);
    }
  if (n <= MOST_ELEMENTS && n_written < n)
    {
      g_autofree char *count = g_strdup_printf ("%" G_GINT64_FORMAT, n_written);
      g_autofree char *of = g_strdup_printf ("%" G_GINT64_FORMAT, n);

      g_string_append (words, ", ");
      g_string_append_printf (words, ls_translate ("%s of %s written"), count, of);
    }
  if (least <= most)
    {
      g_string_append (words, ", ");
      g_string_append_printf (words, ls_translate ("%.6g to %.6g"), least, most);
    }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "expression", "s", text);
  g_variant_dict_insert (&dict, "text", "s", words->str);
  g_variant_dict_insert (&dict, "type", "s", ls_dtype_name (view.dtype));
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

/* ---- a place --------------------------------------------------------------------------------------------- */

/* The byte of a character of a line, both from 1. FALSE: the text has no such place. */
static gboolean
offset_of (LsDebugText *text,
           guint        line,
           guint        column,
           guint32     *offset)
{
  const char *at, *end;

  if (line == 0 || line > ls_source_map_get_n_lines (text->map) || column == 0)
    return FALSE;
  at = text->text + ls_source_map_line_start (text->map, line);
  end = at + strcspn (at, "\n");
  for (; column > 1 && at < end; column--)
    at = g_utf8_next_char (at);
  *offset = (guint32) (at - text->text);
  return at < end && !g_ascii_isspace (*at);
}

GVariant *
ls_debug_ask_at (LsDebug  *self,
                 guint     line,
                 guint     column,
                 GError  **error)
{
  Target target = { NULL, NULL, NULL, 0, 0, FALSE };
  g_autoptr (LsExpr) expr = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GError) reason = NULL;
  GVariant *answer;
  GVariantDict dict;
  guint32 offset;

  if (!offset_of (self->text, line, column, &offset) || !find_target (self, offset, &target))
    {
      refuse (error, ls_translate ("No expression stands there."));
      return NULL;
    }
  expr = target.expr;
  text = g_strndup (self->text->text + target.start, target.end - target.start);
  if (target.is_store && strstr (text, " = ") != NULL)
    *strstr (text, " = ") = '\0';
  answer = target.buffer != NULL ? tell_buffer (self, target.buffer, text, &reason) : ask_expr (self, target.func, expr, text, &reason);
  if (answer != NULL)
    return answer;
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "expression", "s", text);
  g_variant_dict_insert (&dict, "reason", "s", reason->message);
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}
