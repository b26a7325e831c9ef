/* pass-text: see the header.  The reader of schedule steps reads the call; pattern-text.c makes patterns. */
#include "engine/script/pass-text.h"

#include "engine/script/calls.h"
#include "engine/script/pattern-text.h"

#include <string.h>

void
ls_pass_text_free (LsPassText *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  ls_unref (self->positional);
  ls_unref (self->keywords);
  g_free (self);
}

static gboolean
is_name (const char *text)
{
  for (const char *c = text; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && *c != '_' && *c != '.')
      return FALSE;
  return *text != '\0';
}

/* Patterns are the only arguments with calls and operators. */
static gboolean
holds_calls (const LsCallValue *value)
{
  for (guint i = 0; value->kind != LS_CALL_VALUE_CALL && value->items != NULL && i < value->items->len; i++)
    if (holds_calls (value->items->pdata[i]))
      return TRUE;
  return value->kind == LS_CALL_VALUE_CALL || value->kind == LS_CALL_VALUE_EXPR;
}

static gboolean
value_node (const LsCallValue *value,
            LsSource          *source,
            LsDiagnostics     *diagnostics,
            LsNode           **out)
{
  *out = NULL;
  if (value->kind == LS_CALL_VALUE_NONE)
    return TRUE;
  if (holds_calls (value))
    return ls_call_value_to_pattern_node (value, source, diagnostics, out);
  *out = ls_call_value_to_node (value, diagnostics);
  return *out != NULL;
}

static LsPassText *
read_call (const LsCallStep *step,
           LsSource         *source,
           LsDiagnostics    *diagnostics)
{
  g_autoptr (LsPassText) self = g_new0 (LsPassText, 1);
  g_autofree const char **keys = g_new0 (const char *, step->keywords->len + 1);
  GPtrArray *positional = g_ptr_array_new (), *values = g_ptr_array_new ();
  gboolean fine = TRUE;

  self->name = g_strdup (step->method);
  for (guint i = 0; i < step->args->len && fine; i++)
    {
      LsNode *node;

      fine = value_node (step->args->pdata[i], source, diagnostics, &node);
      g_ptr_array_add (positional, node);
    }
  for (guint i = 0; i < step->keywords->len && fine; i++)
    {
      LsNode *node;

      fine = value_node (step->keyword_values->pdata[i], source, diagnostics, &node);
      keys[i] = step->keywords->pdata[i];
      g_ptr_array_add (values, node);
    }
  self->positional = ls_array_take_ptr_array (positional);
  self->keywords = ls_map_new (keys, values->pdata, values->len);
  g_ptr_array_unref (values);
  return fine ? g_steal_pointer (&self) : NULL;
}

LsPassText *
ls_script_parse_pass (const char    *text,
                      LsDiagnostics *diagnostics)
{
  const char *name = g_strrstr_len (text, (gssize) strcspn (text, "("), ".");
  g_autofree char *call = g_strconcat ("transform.", name != NULL ? name + 1 : text, is_name (text) ? "()" : "", NULL);
  g_autoptr (LsSource) source = ls_source_new ("--pass", call, -1);
  g_autoptr (LsCallList) list = ls_script_parse_calls (source, diagnostics);

  if (ls_diagnostics_has_error (diagnostics))
    return NULL;
  if (ls_call_list_get_n (list) != 1 || ls_call_step_is_alias (ls_call_list_get (list, 0)))
    {
      ls_diagnostics_add (diagnostics, LS_SEVERITY_ERROR, "script/structure", (LsSpan) { ls_source_get_id (source) },
                          "A pass is written as one call, Name (argument=value).");
      return NULL;
    }
  return read_call (ls_call_list_get (list, 0), source, diagnostics);
}
