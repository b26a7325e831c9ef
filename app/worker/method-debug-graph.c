/* The method debug-graph: a graph of Relax under the debugger, which stays in this process between calls; and beside it the same graph after a pass, or what torch
 * computed for it. A run that takes long stands still after a while and is gone on with by "more".
 */
#include "app/worker/debugged.h"
#include "app/worker/graph-turns.h"
#include "app/worker/server.h"

#include "engine/debug/debug.h"
#include "engine/relax/pass/pass.h"

#include <string.h>

static LsDebugGraph *graph, *after;
static LsGraphTurns *turns;
static LsRelaxLineage *lineage; /* of the pass */
static GArray *likes;           /* of LsGraphLike: what `after` has for each value of `graph`, or NULL */
static char *torch_folder;      /* where torch puts its values, or NULL */
static char **torch_names;      /* pairs: node of torch, binding */
static LsGraphBeside *torch;    /* they are there */

static LsModule *
run_pass (LsModule    *module,
          const char  *name,
          GError     **error)
{
  const LsRelaxPass *pass = ls_relax_pass_get (name, error);
  g_autoptr (LsMap) args = pass != NULL ? ls_relax_pass_arguments (pass, NULL, NULL, error) : NULL;
  LsModule *changed;

  ls_relax_lineage_begin (lineage);
  changed = args != NULL ? ls_relax_pass_run (pass, module, args, error) : NULL;
  ls_relax_lineage_end (lineage);
  return changed;
}

static void
forget (void)
{
  g_clear_pointer (&turns, ls_graph_turns_free);
  g_clear_pointer (&likes, g_array_unref);
  g_clear_pointer (&torch, ls_graph_beside_free);
  g_clear_pointer (&torch_folder, g_free);
  g_clear_pointer (&torch_names, g_strfreev);
  g_clear_pointer (&graph, ls_debug_graph_free);
  g_clear_pointer (&after, ls_debug_graph_free);
  g_clear_pointer (&lineage, ls_relax_lineage_unref);
}

/* What goes into the graph, for torch to run on. */
static gboolean
begin_torch (GVariant  *params,
             GError   **error)
{
  g_auto (GStrv) inputs = ls_params_strv (params, "torch-inputs");

  torch_folder = g_strdup (ls_params_string (params, "torch-folder", NULL));
  torch_names = ls_params_strv (params, "torch-names");
  return torch_folder == NULL || inputs == NULL || ls_debug_graph_write_values (graph, torch_folder, (const char *const *) inputs, error);
}

static gboolean
read_torch (GError **error)
{
  if (torch_folder == NULL || torch_names == NULL)
    {
      ls_worker_refuse (error, "Nothing was asked of torch.");
      return FALSE;
    }
  g_clear_pointer (&torch, ls_graph_beside_free);
  torch = ls_graph_beside_read (graph, torch_folder, (const char *const *) torch_names, error);
  return torch != NULL;
}

static gboolean
open_graph (GVariant  *params,
            GError   **error)
{
  const char *text = ls_params_require_string (params, "module", error), *pass = ls_params_string (params, "pass", NULL);
  const char *func = ls_params_string (params, "func", NULL);
  g_auto (GStrv) set = ls_params_strv (params, "set");
  LsDebugInputs inputs = { NULL, (const char *const *) set, (guint64) ls_params_int (params, "seed", 0) };
  g_autoptr (LsModule) module = text != NULL ? ls_worker_debugged (text, 0, error) : NULL;
  g_autoptr (LsModule) changed = NULL;

  forget ();
  lineage = ls_relax_lineage_new ();
  graph = module != NULL ? ls_debug_graph_open (module, func, &inputs, error) : NULL;
  changed = graph != NULL && pass != NULL ? run_pass (module, pass, error) : NULL;
  after = changed != NULL ? ls_debug_graph_open (changed, func, &inputs, error) : NULL;
  if (graph == NULL || (pass != NULL && after == NULL) || !begin_torch (params, error))
    {
      forget ();
      return FALSE;
    }
  turns = ls_graph_turns_new (graph, after);
  return TRUE;
}

/* What torch has for each value, and how far it is away. */
static GVariant *
compared_with_torch (void)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < graph->values->len; i++)
    {
      g_autoptr (GVariant) one = ls_graph_beside_compare (torch, i);

      g_variant_builder_add_value (&list, one != NULL ? one : g_variant_new_array (G_VARIANT_TYPE ("{sv}"), NULL, 0));
    }
  return g_variant_builder_end (&list);
}

/* What the graph after the pass has for each value, and how far it is away. */
static GVariant *
compared (void)
{
  GVariantBuilder list;

  if (likes == NULL)
    likes = ls_debug_graph_match (graph, after, lineage);

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < likes->len; i++)
    {
      LsGraphLike like = g_array_index (likes, LsGraphLike, i);
      g_autoptr (GVariant) one = like.other >= 0 ? ls_debug_graph_compare (graph, i, after, like) : NULL;

      if (one != NULL)
        g_variant_builder_add_value (&list, one);
      else
        g_variant_builder_add_value (&list, g_variant_new_array (G_VARIANT_TYPE ("{sv}"), NULL, 0));
    }
  return g_variant_builder_end (&list);
}

static GVariant *
pass_names (void)
{
  guint n = 0;
  const LsRelaxPass *passes = ls_relax_pass_list (&n);
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("as"));
  for (guint i = 0; i < n; i++)
    g_variant_builder_add (&list, "s", passes[i].name);
  return g_variant_builder_end (&list);
}

/* The tensor where it stands, and its like after the pass. */
static void
add_grids (GVariantDict *dict,
           const char   *slice)
{
  g_autofree char *words = g_strconcat ("grid ", slice, NULL);
  g_autoptr (GVariant) grid = ls_debug_graph_command (graph, words, NULL);
  int other = likes != NULL ? g_array_index (likes, LsGraphLike, graph->at).other : -1;

  if (grid != NULL)
    g_variant_dict_insert_value (dict, "grid", grid);
  if (torch != NULL)
    {
      g_autoptr (GVariant) beside = ls_graph_beside_grid (torch, graph->at, slice);

      if (beside != NULL)
        g_variant_dict_insert_value (dict, "grid-after", beside);
    }
  if (other >= 0)
    {
      g_autoptr (GVariant) beside = NULL;

      after->at = (guint) other;
      beside = ls_debug_graph_command (after, words, NULL);
      if (beside != NULL)
        g_variant_dict_insert_value (dict, "grid-after", beside);
    }
}

/* All values so far; once it is through also what the pass made of them, or torch. */
static void
add_all (GVariantDict *dict)
{
  g_autoptr (GVariant) list = ls_debug_graph_command (graph, "list", NULL);
  g_autoptr (GVariant) bindings = ls_params_value (list, "bindings");

  g_variant_dict_insert_value (dict, "bindings", bindings);
  g_variant_dict_insert_value (dict, "passes", pass_names ());
  g_variant_dict_insert (dict, "running", "b", !ls_graph_turns_done (turns));
  g_variant_dict_insert (dict, "whole", "b", ls_graph_turns_done (turns) && graph->is_whole && (after == NULL || after->is_whole));
  if (after != NULL && ls_graph_turns_done (turns))
    g_variant_dict_insert_value (dict, "compared", compared ());
  if (torch != NULL)
    {
      g_variant_dict_insert_value (dict, "compared", compared_with_torch ());
      g_variant_dict_insert (dict, "without", "u", ls_graph_beside_get_n_without (torch));
    }
}

/* module, func, seed, set, pass, torch-folder, torch-inputs and torch-names (pairs of a node of torch and a parameter or binding): runs it for a while -> bindings, passes (names of those that there are), running (say "more"), whole, at its end with a pass
 * compared (for each binding), and what ls_debug_graph_command() answers to "where".
 * command -> its answer, with grid and grid-after; slice ("[0]").  "more" goes on, "give-up" makes nothing more; both answer as above.  With a folder for torch
 * the inputs are written into it, and "torch" reads what torch put there and answers as above, compared and "without": so many nodes of torch have no value here. */
static GVariant *
method_graph (LsRequest  *request,
              GVariant   *params,
              GError    **error)
{
  const char *command = ls_params_string (params, "command", NULL);
  gboolean reads = command != NULL && strcmp (command, "torch") == 0;
  gboolean runs = command == NULL || reads || strcmp (command, "more") == 0 || strcmp (command, "give-up") == 0;
  g_autoptr (GVariant) answer = NULL;
  GVariantDict dict;

  if (command == NULL && !open_graph (params, error))
    return ls_worker_asks (params, error);
  if (graph == NULL)
    {
      ls_worker_refuse (error, "No graph was run.");
      return NULL;
    }
  if (reads && !read_torch (error))
    return NULL;
  if (command != NULL && strcmp (command, "more") == 0)
    ls_graph_turns_more (turns);
  if (command != NULL && strcmp (command, "give-up") == 0)
    ls_graph_turns_end (turns);
  answer = ls_debug_graph_command (graph, runs ? "where" : command, error);
  if (answer == NULL)
    return NULL;
  g_variant_dict_init (&dict, answer);
  if (runs)
    add_all (&dict);
  add_grids (&dict, ls_params_string (params, "slice", ""));
  return g_variant_dict_end (&dict);
}

const LsMethod ls_methods_debug_graph[] = {
  { "debug-graph", method_graph, "Runs a graph of Relax binding by binding, and beside it the same after a pass." },
  { NULL, NULL, NULL },
};
