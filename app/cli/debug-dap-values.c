/* debug-dap-values: frames, scopes and variables.
 *
 * Three scopes: variables, what the statement evaluates, buffers.  A buffer has its first dimension as children, each of these the next
 * one, down to the elements; what was not written yet says so.
 */
#include "app/cli/debug-dap-private.h"

#include <string.h>

#define MOST_CHILDREN 1000      /* unless the client asks for a part */

typedef enum { VARIABLES, EXPRESSIONS, BUFFERS, PART } DapKind;

/* What a reference stands for. */
typedef struct {
  DapKind   kind;
  LsBuffer *buffer;
  guint     n;                  /* indices that are given */
  gint64    at[16];
} DapValue;

void
ls_dap_forget_values (Dap *self)
{
  static const DapKind scopes[] = { VARIABLES, EXPRESSIONS, BUFFERS };

  g_ptr_array_set_size (self->values, 0);
  for (guint i = 0; i < G_N_ELEMENTS (scopes); i++)
    {
      DapValue *value = g_new0 (DapValue, 1);

      value->kind = scopes[i];
      g_ptr_array_add (self->values, value);
    }
}

static gint64
reference (Dap            *self,
           const DapValue *value)
{
  g_ptr_array_add (self->values, g_memdup2 (value, sizeof *value));
  return (gint64) self->values->len;
}

/* ---- frames --------------------------------------------------------------------------------- */

static GVariant *
source_of (Dap      *self,
           gboolean  of_file)
{
  g_autofree char *name = g_path_get_basename (self->path);
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "name", "s", name);
  if (of_file)
    g_variant_dict_insert (&dict, "path", "s", self->path);
  else
    g_variant_dict_insert (&dict, "sourceReference", "x", (gint64) 1);
  return g_variant_dict_end (&dict);
}

static char *
frame_name (Dap              *self,
            const LsRunFrame *frame,
            gboolean          is_next)
{
  LsDebugText *text = ls_debug_get_text (self->debug);

  if (frame->is_loop || ls_is (frame->stmt, FOR))
    {
      LsVar *var = ls_is (frame->stmt, FOR) ? ((LsFor *) frame->stmt)->loop_var : ((LsIterVar *) ((LsAttrStmt *) frame->stmt)->subject)->var;
      g_autofree char *name = ls_debug_text_name (text, var);

      return is_next ? g_strdup_printf ("for %s", name)
                     : g_strdup_printf ("for %s, round %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT, name, frame->round + 1, frame->extent);
    }
  if (ls_is (frame->stmt, BLOCK_REALIZE))
    return g_strdup_printf ("block %s%s", ((LsBlockRealize *) frame->stmt)->block->name_hint, frame->in_init && !is_next ? ", init" : "");
  if (ls_is (frame->stmt, BUFFER_STORE))
    {
      g_autofree char *name = ls_debug_text_name (text, ((LsBufferStore *) frame->stmt)->buffer);

      return g_strdup_printf ("write of %s", name);
    }
  return g_strdup (frame->stmt->klass->name);
}

GVariant *
ls_dap_stack_trace (Dap       *self,
                    GVariant  *arguments,
                    GError   **error)
{
  LsRun *run = ls_debug_get_run (self->debug);
  guint depth = ls_run_get_depth (run), first = (guint) CLAMP (ls_params_int (arguments, "startFrame", 0), 0, depth);
  guint levels = (guint) CLAMP (ls_params_int (arguments, "levels", 0), 0, G_MAXINT);
  GVariantBuilder list;
  GVariantDict body;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = first; i < depth && (levels == 0 || i < first + levels); i++)
    {
      LsRunFrame frame;
      const LsDebugPlace *place;
      g_autofree char *name = NULL;
      gboolean of_file;
      GVariantDict dict;

      ls_run_get_frame (run, depth - 1 - i, &frame);
      place = ls_debug_text_place (ls_debug_get_text (self->debug), frame.func, frame.number);
      of_file = self->has_file && place != NULL && place->file_line > 0;
      name = frame_name (self, &frame, i == 0 && ls_run_get_state (run) == LS_RUN_STANDS);
      g_variant_dict_init (&dict, NULL);
      g_variant_dict_insert (&dict, "id", "x", (gint64) i + 1);
      g_variant_dict_insert (&dict, "name", "s", name);
      g_variant_dict_insert_value (&dict, "source", source_of (self, of_file));
      g_variant_dict_insert (&dict, "line", "x", (gint64) (place == NULL ? 0 : of_file ? place->file_line : place->line));
      g_variant_dict_insert (&dict, "column", "x", (gint64) 1);
      g_variant_builder_add_value (&list, g_variant_dict_end (&dict));
    }
  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert_value (&body, "stackFrames", g_variant_builder_end (&list));
  g_variant_dict_insert (&body, "totalFrames", "x", (gint64) depth);
  return g_variant_ref_sink (g_variant_dict_end (&body));
}

GVariant *
ls_dap_scopes (Dap       *self,
               GVariant  *arguments,
               GError   **error)
{
  static const char *const names[] = { "Variables", "Statement", "Buffers" };
  GVariantBuilder list;
  GVariantDict body;

  if (self->values->len == 0)
    ls_dap_forget_values (self);
  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      GVariantDict dict;

      g_variant_dict_init (&dict, NULL);
      g_variant_dict_insert (&dict, "name", "s", names[i]);
      g_variant_dict_insert (&dict, "variablesReference", "x", (gint64) i + 1);
      g_variant_dict_insert (&dict, "expensive", "b", FALSE);
      g_variant_builder_add_value (&list, g_variant_dict_end (&dict));
    }
  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert_value (&body, "scopes", g_variant_builder_end (&list));
  return g_variant_ref_sink (g_variant_dict_end (&body));
}

/* ---- variables -------------------------------------------------------------------------------- */

static void
add_variable (GVariantBuilder *list,
              const char      *name,
              const char      *value,
              const char      *type,
              gint64           ref,
              gint64           n_indexed,
              const char      *evaluate)
{
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "name", "s", name);
  g_variant_dict_insert (&dict, "value", "s", value);
  g_variant_dict_insert (&dict, "variablesReference", "x", ref);
  if (type != NULL)
    g_variant_dict_insert (&dict, "type", "s", type);
  if (n_indexed > 0)
    g_variant_dict_insert (&dict, "indexedVariables", "x", n_indexed);
  if (evaluate != NULL)
    g_variant_dict_insert (&dict, "evaluateName", "s", evaluate);
  g_variant_builder_add_value (list, g_variant_dict_end (&dict));
}

/* The list `key` of what is seen. */
static void
add_seen (Dap             *self,
          GVariantBuilder *list,
          const char      *key,
          const char      *name)
{
  g_autoptr (GVariant) look = ls_debug_look (self->debug);
  g_autoptr (GVariant) seen = ls_params_value (look, key);

  for (gsize i = 0; seen != NULL && i < g_variant_n_children (seen); i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (seen, i);

      add_variable (list, ls_params_string (one, name, "?"), ls_params_string (one, "text", "?"), ls_params_string (one, "type", NULL), 0, 0,
                    ls_params_string (one, name, "?"));
    }
}

static void
add_buffers (Dap             *self,
             GVariantBuilder *list)
{
  g_autoptr (GPtrArray) buffers = ls_run_buffers (ls_debug_get_run (self->debug));

  for (guint i = 0; i < buffers->len; i++)
    {
      DapValue value = { PART, buffers->pdata[i], 0, { 0 } };
      g_autofree char *name = ls_debug_text_name (ls_debug_get_text (self->debug), value.buffer);
      g_autoptr (GString) shape = g_string_new ("(");
      LsRunBuffer view;

      if (!ls_run_get_buffer (ls_debug_get_run (self->debug), value.buffer, &view))
        continue;
      for (guint d = 0; d < view.ndim; d++)
        g_string_append_printf (shape, "%s%" G_GINT64_FORMAT, d > 0 ? ", " : "", view.shape[d]);
      g_string_append_printf (shape, ") %s", ls_dtype_name (view.dtype));
      add_variable (list, name, shape->str, ls_dtype_name (view.dtype), reference (self, &value), view.ndim > 0 ? view.shape[0] : 0, NULL);
    }
}

static void
add_parts (Dap             *self,
           GVariantBuilder *list,
           const DapValue  *value,
           gint64           start,
           gint64           count)
{
  LsRunBuffer view;
  gint64 extent, base;

  if (!ls_run_get_buffer (ls_debug_get_run (self->debug), value->buffer, &view))
    return;
  extent = value->n < view.ndim ? view.shape[value->n] : 1;
  base = view.offset;
  for (guint d = 0; d < value->n; d++)
    base += value->at[d] * view.strides[d];
  count = count <= 0 ? MOST_CHILDREN : count;
  for (gint64 i = MAX (start, 0); i < extent && i < start + count; i++)
    {
      g_autofree char *name = g_strdup_printf ("[%" G_GINT64_FORMAT "]", i);
      gint64 element = base + (value->n < view.ndim ? i * view.strides[value->n] : 0);
      g_autofree char *whole = ls_debug_element_words (self->debug, value->buffer, element);
      g_autofree char *words = NULL;
      DapValue inner = *value;

      if (value->n + 1 < view.ndim)
        {
          inner.at[inner.n++] = i;
          add_variable (list, name, "", NULL, reference (self, &inner), view.shape[inner.n], NULL);
          continue;
        }
      words = ls_debug_stored_words (self->debug, value->buffer, &view, element);
      add_variable (list, name, words, ls_dtype_name (view.dtype), 0, 0, whole);
    }
}

GVariant *
ls_dap_variables (Dap       *self,
                  GVariant  *arguments,
                  GError   **error)
{
  gint64 ref = ls_params_int (arguments, "variablesReference", 0);
  DapValue value;
  GVariantBuilder list;
  GVariantDict body;

  if (ref < 1 || ref > (gint64) self->values->len)
    {
      g_set_error (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_COMMAND, "this reference is not valid any more");
      return NULL;
    }
  value = *(DapValue *) self->values->pdata[ref - 1];
  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  switch (value.kind)
    {
    case VARIABLES:
      add_seen (self, &list, "vars", "name");
      break;
    case EXPRESSIONS:
      add_seen (self, &list, "expressions", "expression");
      break;
    case BUFFERS:
      add_buffers (self, &list);
      break;
    case PART:
      add_parts (self, &list, &value, ls_params_int (arguments, "start", 0), ls_params_int (arguments, "count", 0));
      break;
    }
  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert_value (&body, "variables", g_variant_builder_end (&list));
  return g_variant_ref_sink (g_variant_dict_end (&body));
}

GVariant *
ls_dap_evaluate (Dap       *self,
                 GVariant  *arguments,
                 GError   **error)
{
  const char *expression = ls_params_string (arguments, "expression", "");
  g_autoptr (GVariant) answer = NULL;
  GVariantDict body;

  /* in the console the commands of the prompt can be said too, after a dot */
  if (strcmp (ls_params_string (arguments, "context", ""), "repl") == 0 && *expression == '.')
    {
      g_autofree char *text = NULL;

      answer = ls_debug_command (self->debug, expression + 1, error);
      if (answer == NULL)
        return NULL;
      text = g_variant_print (answer, FALSE);
      g_variant_dict_init (&body, NULL);
      g_variant_dict_insert (&body, "result", "s", text);
    }
  else
    {
      answer = ls_debug_ask (self->debug, expression, error);
      if (answer == NULL)
        return NULL;
      g_variant_dict_init (&body, NULL);
      g_variant_dict_insert (&body, "result", "s", ls_params_string (answer, "text", ""));
      g_variant_dict_insert (&body, "type", "s", ls_params_string (answer, "type", ""));
    }
  g_variant_dict_insert (&body, "variablesReference", "x", (gint64) 0);
  return g_variant_ref_sink (g_variant_dict_end (&body));
}
