/* kept-names-put: the lines written: the text is read as anybody would, and what is called otherwise then stands in a line. */
#include "engine/script/kept-names-private.h"

#include "engine/script/script.h"

#include <string.h>

typedef struct {
  GHashTable *seen;
  GHashTable *given;            /* node of the text -> name of the node that was printed */
} Pairs;

static gboolean
is_alike (LsNode *a,
          LsNode *b)
{
  return a != NULL && b != NULL && (ls_kind (a) == ls_kind (b) || (ls_is_var (a) && ls_is_var (b)));
}

static void
pair (Pairs  *self,
      LsNode *printed,
      LsNode *read)
{
  guint n;

  if (!is_alike (printed, read) || ((read->klass->flags & LS_CLASS_IDENTITY) && !g_hash_table_add (self->seen, read)))
    return;
  if (ls_kept_name (read) != NULL && strcmp (ls_kept_name (printed), ls_kept_name (read)) != 0)
    g_hash_table_insert (self->given, read, (gpointer) ls_kept_name (printed));
  n = MIN (ls_node_get_n_children (printed), ls_node_get_n_children (read));
  for (guint i = 0; i < n; i++)
    pair (self, ls_node_get_child (printed, i), ls_node_get_child (read, i));
}

static void
put_function (GString    *out,
              const char *name,
              LsNode     *printed,
              LsNode     *read)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) given = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) named = ls_kept_names_of (read);
  Pairs pairs = { seen, given };
  gboolean any = FALSE;

  pair (&pairs, printed, read);
  for (guint i = 0; i < named->len; i++)
    {
      g_autofree char *key = ls_kept_names_key (counts, named->pdata[i]);
      const char *own = g_hash_table_lookup (given, named->pdata[i]);
      g_autofree char *escaped = own != NULL ? g_strescape (own, NULL) : NULL;

      if (own == NULL)
        continue;
      if (any)
        g_string_append_printf (out, ", %s \"%s\"", key, escaped);
      else
        g_string_append_printf (out, "%s%s: %s \"%s\"", LS_KEPT_NAMES_HEAD, name, key, escaped);
      any = TRUE;
    }
  if (any)
    g_string_append_c (out, '\n');
}

void
ls_kept_names_put (GString *text,
                   LsNode  *root)
{
  g_autoptr (LsSource) source = ls_source_new ("names", text->str, (gssize) text->len);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) read = ls_script_parse (source, findings);
  LsModule *module = ls_is (root, MODULE) ? (LsModule *) root : NULL;

  if (read == NULL || ls_diagnostics_has_error (findings))
    return;
  if (text->len > 0 && text->str[text->len - 1] != '\n')
    g_string_append_c (text, '\n');
  for (guint i = 0; i < ls_array_n (read->functions); i++)
    {
      const char *name = ls_array_at (read->global_vars, i, LsGlobalVar)->name_hint;
      LsNode *printed = module != NULL ? ls_module_get (module, name) : root;

      if (printed != NULL)
        put_function (text, name, printed, read->functions->items[i]);
    }
}
