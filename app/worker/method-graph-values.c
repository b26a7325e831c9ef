/* The method graph-values: two graphs of Relax run on the same numbers in the interpreter, and how far bindings of them are apart. */
#include "app/worker/debugged.h"
#include "app/worker/server.h"

#include "engine/debug/debug.h"

/* Place of a parameter -> its values. (transfer full) */
static GHashTable *
given_values (GVariant   *params,
              const char *key)
{
  g_autoptr (GVariant) list = ls_params_value (params, key);
  GHashTable *given = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_bytes_unref);

  for (gsize i = 0; list != NULL && g_variant_is_of_type (list, G_VARIANT_TYPE ("a{uay}")) && i < g_variant_n_children (list); i++)
    {
      g_autoptr (GVariant) data = NULL;
      guint32 place;

      g_variant_get_child (list, i, "{u@ay}", &place, &data);
      g_hash_table_insert (given, GUINT_TO_POINTER (place), g_variant_get_data_as_bytes (data));
    }
  return given;
}

static LsDebugGraph *
run_side (GVariant    *params,
          const char  *module_key,
          const char  *func_key,
          const char  *given_key,
          const guint *places,
          GError     **error)
{
  const char *text = ls_params_require_string (params, module_key, error);
  g_autoptr (GHashTable) given = given_values (params, given_key);
  LsDebugInputs inputs = { NULL, NULL, (guint64) ls_params_int (params, "seed", 0), places, given };
  g_autoptr (LsModule) module = text != NULL ? ls_worker_debugged (text, 0, error) : NULL;

  return module != NULL ? ls_debug_graph_new (module, ls_params_string (params, func_key, NULL), &inputs, error) : NULL;
}

/* Of each parameter of the right graph its place on the left; past all of them where it has none. (transfer full) */
static guint *
right_places (GVariant *params)
{
  g_autoptr (GVariant) list = ls_params_value (params, "places");
  gsize n = list != NULL && g_variant_is_of_type (list, G_VARIANT_TYPE ("ai")) ? g_variant_n_children (list) : 0;
  guint *places = g_new (guint, n + 256);

  for (gsize i = 0; i < n + 256; i++)
    {
      gint32 place = -1;

      if (i < n)
        g_variant_get_child (list, i, "i", &place);
      places[i] = place >= 0 ? (guint) place : 4096 + (guint) i;
    }
  return places;
}

static GVariant *
difference (LsDebugGraph *left,
            LsDebugGraph *right,
            const char   *name,
            const char   *other)
{
  int a = ls_debug_graph_find (left, name), b = ls_debug_graph_find (right, other);
  GVariantDict dict;

  if (a >= 0 && b >= 0)
    return g_variant_ref_sink (ls_debug_graph_compare (left, (guint) a, right, (LsGraphLike) { b, LS_GRAPH_LIKE_STRUCTURE }));
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "trouble", "s", ls_translate ("it has no single value"));
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

/* left, right (modules), left-func, right-func, seed, places ai (of each parameter of the right its place on the left, -1: none; without it:
 * by position), left-given, right-given a{uay} (values of parameters, the others are random), left-names as, right-names as (bindings, in pairs) -> pairs aa{sv}: what ls_debug_graph_compare() tells */
static GVariant *
method_graph_values (LsRequest  *request,
                     GVariant   *params,
                     GError    **error)
{
  g_autoptr (GVariant) list = ls_params_value (params, "places");
  g_autofree guint *places = list != NULL ? right_places (params) : NULL;
  g_auto (GStrv) names = ls_params_strv (params, "left-names"), others = ls_params_strv (params, "right-names");
  g_autoptr (LsDebugGraph) left = NULL, right = NULL;
  GVariantBuilder pairs;
  GVariantDict dict;

  if (names == NULL || others == NULL || g_strv_length (names) != g_strv_length (others))
    {
      ls_worker_refuse (error, "Names of bindings in pairs are expected.");
      return NULL;
    }
  left = run_side (params, "left", "left-func", "left-given", NULL, error);
  if (left != NULL)
    ls_request_progress (request, 0.5, "");
  right = left != NULL ? run_side (params, "right", "right-func", "right-given", places, error) : NULL;
  if (right == NULL)
    return NULL;
  g_variant_builder_init (&pairs, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (GVariant) one = difference (left, right, names[i], others[i]);

      g_variant_builder_add_value (&pairs, one);
    }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, "pairs", g_variant_builder_end (&pairs));
  return g_variant_dict_end (&dict);
}

const LsMethod ls_methods_graph_values[] = {
  { "graph-values", method_graph_values, "Runs two graphs of Relax on the same numbers and compares bindings of them." },
  { NULL, NULL, NULL },
};
