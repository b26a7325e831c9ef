/* edit-text: an edit as the text of a call, FuseThese (...) or ReplaceBy (...): written, read, run, and as a title. */
#include "engine/graph/edit.h"
#include "engine/graph/graph-private.h"

#include "engine/script/script.h"

#include <string.h>

gboolean
ls_graph_edit_is (const char *name)
{
  return strcmp (name, "FuseThese") == 0 || strcmp (name, "ReplaceBy") == 0;
}

static const char *
text_of (LsNode *node)
{
  return ls_is (node, STRING) ? ((LsString *) node)->value : NULL;
}

/* The argument of this place, or by its name; NULL: there is none. */
static LsNode *
argument (const LsPassText *call,
          guint             place,
          const char       *name)
{
  return place < ls_array_n (call->positional) ? call->positional->items[place] : ls_map_get (call->keywords, name);
}

LsModule *
ls_graph_edit_run (LsModule         *module,
                   const LsPassText *call,
                   GError          **error)
{
  gboolean replaces = strcmp (call->name, "ReplaceBy") == 0;
  LsNode *list = argument (call, 0, "calls");
  const char *by = replaces ? text_of (argument (call, 1, "by")) : NULL, *func = text_of (argument (call, replaces ? 2 : 1, "func"));
  const char *source = replaces ? text_of (argument (call, 3, "source")) : NULL;
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; ls_is (list, ARRAY) && i < ((LsArray *) list)->n; i++)
    if (text_of (((LsArray *) list)->items[i]) != NULL)
      g_ptr_array_add (names, (gpointer) text_of (((LsArray *) list)->items[i]));
  g_ptr_array_add (names, NULL);
  if (names->len < 2 || (replaces && by == NULL))
    {
      g_set_error (error, LS_GRAPH_ERROR, LS_GRAPH_ERROR_KIND, replaces ? ls_translate ("ReplaceBy ([\"call\", ...], \"function\", func=\"main\", source=None) is expected.")
                                                                        : ls_translate ("FuseThese ([\"call\", \"call\", ...], func=\"main\") is expected."));
      return NULL;
    }
  if (func == NULL)
    func = "main";
  return replaces ? ls_graph_edit_replace (module, func, (const char *const *) names->pdata, by, source, error)
                  : ls_graph_edit_fuse (module, func, (const char *const *) names->pdata, error);
}

char *
ls_graph_edit_doubt_of (LsModule   *module,
                        const char *text)
{
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsPassText) call = ls_script_parse_pass (text, findings);
  const char *by;

  if (call == NULL || strcmp (call->name, "ReplaceBy") != 0 || text_of (argument (call, 3, "source")) != NULL)
    return NULL;
  by = text_of (argument (call, 1, "by"));
  return by != NULL ? ls_graph_edit_doubt (module, by) : NULL;
}

static void
put_quoted (GString    *out,
            const char *text)
{
  g_string_append_c (out, '"');
  for (const char *at = text; *at != '\0'; at++)
    if (*at == '\n')
      g_string_append (out, "\\n");
    else
      g_string_append_printf (out, *at == '"' || *at == '\\' ? "\\%c" : "%c", *at);
  g_string_append_c (out, '"');
}

#define SOURCE ", source="

char *
ls_graph_edit_title (const char *call)
{
  const char *source = g_str_has_prefix (call, "ReplaceBy(") ? strstr (call, SOURCE "\"") : NULL;

  return source != NULL ? g_strdup_printf ("%.*s)", (int) (source - call), call) : g_strdup (call);
}

char *
ls_graph_edit_text (const char        *func,
                    const char *const *names,
                    const char        *by,
                    const char        *source)
{
  GString *out = g_string_new (by != NULL ? "ReplaceBy([" : "FuseThese([");

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_string_append (out, i > 0 ? ", " : "");
      put_quoted (out, names[i]);
    }
  g_string_append (out, "]");
  if (by != NULL)
    {
      g_string_append (out, ", ");
      put_quoted (out, by);
    }
  if (g_strcmp0 (func, "main") != 0)
    {
      g_string_append (out, ", func=");
      put_quoted (out, func);
    }
  if (source != NULL)
    {
      g_string_append (out, SOURCE);
      put_quoted (out, source);
    }
  g_string_append_c (out, ')');
  return g_string_free (out, FALSE);
}
