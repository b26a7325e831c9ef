/* debug-graph: see the header.
 *
 * Without commands the whole graph as a table, or, with passes or another file, the same tensors before and after, the largest error first.
 */
#include "app/cli/debug-graph.h"

#include "app/cli/debug-talk.h"
#include "app/cli/input.h"
#include "app/cli/remote.h"
#include "engine/frontend/fx/fx.h"
#include "engine/relax/pass/pass.h"
#include "engine/relax/relax.h"

#include <string.h>
#include <unistd.h>

/* ---- what is printed ------------------------------------------------------------------------------- */

static void
print_binding (GVariant *look)
{
  g_autoptr (GVariant) shape = ls_params_value (look, "shape");
  g_autoptr (GString) type = g_string_new ("(");

  for (gsize d = 0; shape != NULL && d < g_variant_n_children (shape); d++)
    {
      gint64 extent;

      g_variant_get_child (shape, d, "x", &extent);
      g_string_append_printf (type, "%s%" G_GINT64_FORMAT, d > 0 ? ", " : "", extent);
    }
  g_string_append_printf (type, ") %s", ls_params_string (look, "type", ""));
  printf ("%3" G_GINT64_FORMAT "  %-12s %-20s ", ls_params_int (look, "number", 0), ls_params_string (look, "binding", "?"), ls_params_string (look, "op", "?"));
  if (ls_params_string (look, "trouble", NULL) != NULL)
    printf ("%s\n", ls_params_string (look, "trouble", ""));
  else
    printf ("%-22s %10.4g %10.4g %10.4g %6" G_GINT64_FORMAT " %6" G_GINT64_FORMAT "\n", type->str, ls_cli_number (look, "least"), ls_cli_number (look, "mean"),
            ls_cli_number (look, "most"), ls_params_int (look, "nan", 0), ls_params_int (look, "infinite", 0));
}

static void
print_nan (GVariant *answer)
{
  g_autoptr (GVariant) inside = answer != NULL ? ls_params_value (answer, "inside") : NULL;
  g_auto (GStrv) inputs = answer != NULL ? ls_params_strv (answer, "inputs") : NULL;
  g_autofree char *from = inputs != NULL ? g_strjoinv (", ", inputs) : NULL;

  if (answer == NULL)
    {
      printf ("no NaN and no infinity in any value\n");
      return;
    }
  printf ("the first NaN or infinity is in %s%s, made by %s%s%s\n", ls_params_string (answer, "binding", "?"), ls_params_string (answer, "first-odd", ""),
          ls_params_string (answer, "op", "?"), from != NULL && *from != '\0' ? " from " : "", from != NULL ? from : "");
  if (inside != NULL)
    ls_cli_debug_print (inside);
}

static void
print_answer (GVariant *answer)
{
  g_autoptr (GVariant) stops = ls_params_value (answer, "stops");
  g_autoptr (GVariant) list = ls_params_value (answer, "bindings");

  if (ls_params_bool (answer, "none", FALSE))
    print_nan (NULL);
  else if (stops != NULL)
    for (gsize i = 0; i < g_variant_n_children (stops); i++)
      {
        g_autoptr (GVariant) one = g_variant_get_child_value (stops, i);

        printf ("%" G_GINT64_FORMAT "  %s\n", ls_params_int (one, "stop", 0), ls_params_string (one, "words", ""));
      }
  else if (list != NULL)
    for (gsize i = 0; i < g_variant_n_children (list); i++)
      {
        g_autoptr (GVariant) one = g_variant_get_child_value (list, i);

        print_binding (one);
      }
  else if (ls_params_string (answer, "buffer", NULL) != NULL)
    ls_cli_debug_print_grid (answer);
  else
    {
      if (ls_params_string (answer, "stopped-for", NULL) != NULL)
        printf ("breakpoint %s\n", ls_params_string (answer, "stopped-for", ""));
      print_binding (answer);
    }
}

/* ---- commands ---------------------------------------------------------------------------------------- */

typedef struct {
  LsDebugGraph *graph;
  FILE         *from;           /* the commands */
} Talk;

/* FALSE: it was refused. */
static gboolean
say (gpointer         talk,
     const char      *line,
     GVariantBuilder *answers)
{
  LsDebugGraph *self = ((Talk *) talk)->graph;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = NULL;

  if (strcmp (line, "into") == 0)
    {
      g_autoptr (LsDebug) inside = ls_debug_graph_into (self, self->at, &error);

      if (inside != NULL)
        ls_cli_debug_talk (inside, ((Talk *) talk)->from, FALSE, FALSE);
      else
        fprintf (stderr, "%s\n", error->message);
      return inside != NULL;
    }
  answer = ls_debug_graph_command (self, strcmp (line, "print") == 0 ? "grid" : line, &error);
  if (answer == NULL)
    fprintf (stderr, "%s\n", error->message);
  else if (answers != NULL)
    g_variant_builder_add_value (answers, answer);
  else if (strcmp (line, "nan") == 0 && !ls_params_bool (answer, "none", FALSE))
    print_nan (answer);
  else
    print_answer (answer);
  return answer != NULL;
}

static void
print_all (GVariantBuilder *list,
           const char      *key,
           GVariant        *odd)
{
  GVariantDict dict;
  g_autoptr (GVariant) all = NULL;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, key, g_variant_builder_end (list));
  if (odd != NULL)
    g_variant_dict_insert_value (&dict, "first-nan", odd);
  all = g_variant_ref_sink (g_variant_dict_end (&dict));
  ls_cli_print_json (all);
}

static int
talk (LsDebugGraph          *self,
      const LsCliDebugGraph *request)
{
  FILE *from = request->batch != NULL ? fopen (request->batch, "r") : stdin;
  Talk talk = { self, from };
  gboolean ok;

  if (from == NULL)
    return ls_cli_fail (request->command, "%s cannot be read", request->batch);
  ok = ls_cli_debug_lines (from, request->batch == NULL ? "(loopscope, graph) " : NULL, request->json, say, &talk);
  if (from != stdin)
    fclose (from);
  return ok || request->batch == NULL ? LS_CLI_DONE : LS_CLI_FAILED;
}

/* ---- before and after ----------------------------------------------------------------------------------- */

/* `lineage` gets what the passes note. NULL with a message. */
static LsModule *
other_module (const LsCliDebugGraph *request,
              LsModule              *module,
              LsRelaxLineage        *lineage)
{
  g_autoptr (LsModule) at = request->against != NULL ? ls_cli_read_module (request->command, request->against) : ls_ref (module);
  g_autoptr (LsMap) none = ls_map_empty ();

  for (guint i = 0; at != NULL && request->passes[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;
      const LsRelaxPass *pass = ls_relax_pass_get (request->passes[i], &error);
      g_autoptr (LsMap) args = pass != NULL ? ls_relax_pass_arguments (pass, NULL, NULL, &error) : NULL;
      LsModule *next;

      ls_relax_lineage_begin (lineage);
      next = args != NULL ? ls_relax_pass_run (pass, at, args, &error) : NULL;
      ls_relax_lineage_end (lineage);
      if (next == NULL)
        {
          ls_cli_fail (request->command, "%s", error->message);
          return NULL;
        }
      ls_node_unref (LS_NODE (at));
      at = next;
    }
  return g_steal_pointer (&at);
}

static void
print_compared (GVariant *one)
{
  printf ("%-14s %-14s %-11s %-22s ", ls_params_string (one, "binding", "?"), ls_params_string (one, "other", "?"), ls_params_string (one, "matched", ""),
          ls_params_string (one, "op", "?"));
  if (ls_params_string (one, "trouble", NULL) != NULL)
    printf ("%s\n", ls_params_string (one, "trouble", ""));
  else
    printf ("%10.3g %10.3g %8" G_GINT64_FORMAT " of %-8" G_GINT64_FORMAT " %s\n", ls_cli_number (one, "error"), ls_cli_number (one, "relative"),
            ls_params_int (one, "differ", 0), ls_params_int (one, "n", 0), ls_params_string (one, "place", ""));
}

static int
compare (const LsCliDebugGraph *request,
         LsModule              *module,
         LsDebugGraph          *left)
{
  g_autoptr (LsRelaxLineage) lineage = ls_relax_lineage_new ();
  g_autoptr (LsModule) other = other_module (request, module, lineage);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsDebugGraph) right = other != NULL ? ls_debug_graph_new (other, request->func, request->inputs, &error) : NULL;
  g_autoptr (GArray) match = NULL;
  g_autoptr (GVariant) worst = NULL;
  GVariantBuilder list;
  guint n_gone = 0, n_lineage = 0;

  if (right == NULL)
    return other != NULL ? ls_cli_fail (request->command, "%s", error->message) : LS_CLI_FAILED;
  match = ls_debug_graph_match (left, right, request->against == NULL ? lineage : NULL);
  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  if (!request->json)
    printf ("before         after          matched by  operator                    error   relative   differ\n");
  for (guint i = 0; i < match->len; i++)
    {
      LsGraphLike like = g_array_index (match, LsGraphLike, i);
      g_autoptr (GVariant) one = like.other >= 0 ? ls_debug_graph_compare (left, i, right, like) : NULL;

      n_gone += one == NULL;
      n_lineage += like.why == LS_GRAPH_LIKE_LINEAGE;
      if (one == NULL)
        continue;
      if (request->json)
        g_variant_builder_add_value (&list, one);
      else
        print_compared (one);
      if (ls_params_string (one, "trouble", NULL) == NULL && (worst == NULL || ls_cli_number (one, "error") > ls_cli_number (worst, "error")))
        {
          g_clear_pointer (&worst, g_variant_unref);
          worst = g_variant_ref (one);
        }
    }
  if (request->json)
    {
      print_all (&list, "tensors", NULL);
      return LS_CLI_DONE;
    }
  g_variant_builder_clear (&list);
  printf ("%u matched by lineage, %u otherwise\n", n_lineage, match->len - n_lineage - n_gone);
  if (n_gone > 0)
    printf (n_gone == 1 ? "%u value of the first program has none like it in the second\n" : "%u values of the first program have none like them in the second\n", n_gone);
  if (worst != NULL && ls_cli_number (worst, "error") > 0)
    printf ("the largest error is in %s%s: %.3g\n", ls_params_string (worst, "binding", "?"), ls_params_string (worst, "place", ""), ls_cli_number (worst, "error"));
  else
    printf ("all that both have is the same\n");
  return LS_CLI_DONE;
}

/* ---- torch's own values ------------------------------------------------------------------------------ */

static gint64
value_named (LsDebugGraph *graph,
             const char   *name)
{
  for (guint i = 0; name != NULL && i < graph->values->len; i++)
    if (strcmp (((LsGraphValue *) graph->values->pdata[i])->name, name) == 0)
      return i;
  return -1;
}

/* The files for the placeholders, in their order; NULL where one is not there. (transfer full) */
static char **
placeholders (const LsCliDebugGraph *request,
              LsFxGraph             *fx)
{
  g_autoptr (GStrvBuilder) files = g_strv_builder_new ();

  for (guint i = 0; i < ls_fx_graph_get_n (fx); i++)
    {
      LsFxRow row;
      g_autofree char *path = NULL;
      gboolean is_input;

      ls_fx_graph_get_row (fx, i, &row);
      path = g_strdup_printf ("%s/%s.npy", request->torch, row.name);
      is_input = strcmp (row.op, "placeholder") == 0;
      ls_fx_row_clear (&row);
      if (is_input && !g_file_test (path, G_FILE_TEST_IS_REGULAR))
        {
          ls_cli_fail (request->command, "%s is not there: torch's own values are written by export_values of data/scripts/export_fx.py, where torch is installed", path);
          return NULL;
        }
      if (is_input)
        g_strv_builder_add (files, path);
    }
  return g_strv_builder_end (files);
}

static int
beside_torch (const LsCliDebugGraph *request)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsFxGraph) fx = ls_fx_graph_read (request->file, &error);
  g_autoptr (LsModule) module = fx != NULL ? ls_fx_graph_import (fx, NULL, &error) : NULL;
  g_auto (GStrv) files = module != NULL ? placeholders (request, fx) : NULL;
  LsDebugInputs inputs = { (const char *const *) files, NULL, 0 };
  g_autoptr (LsDebugGraph) graph = files != NULL ? ls_debug_graph_new (module, NULL, &inputs, &error) : NULL;
  g_autoptr (GHashTable) became = module != NULL ? ls_fx_graph_became (fx, module) : NULL;
  g_autoptr (GVariant) worst = NULL;
  guint n = 0, n_without = 0;
  GVariantBuilder list;

  if (graph == NULL)
    return error != NULL ? ls_cli_fail (request->command, "%s", error->message) : LS_CLI_FAILED;
  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  if (!request->json)
    printf ("here           in torch       matched by  operator                    error   relative   differ\n");
  for (guint i = 0; i < ls_fx_graph_get_n (fx); i++)
    {
      LsFxRow row;
      g_autofree char *name = NULL;
      g_autofree char *path = NULL;
      g_autoptr (LsNDArray) array = NULL;
      g_autoptr (GVariant) one = NULL;
      gint64 number;
      gboolean is_value;

      ls_fx_graph_get_row (fx, i, &row);
      name = g_strdup (row.name);
      is_value = strcmp (row.op, "output") != 0;
      ls_fx_row_clear (&row);
      path = g_strdup_printf ("%s/%s.npy", request->torch, name);
      number = value_named (graph, g_hash_table_contains (became, name) ? g_hash_table_lookup (became, name) : name);
      if (!is_value || !g_file_test (path, G_FILE_TEST_IS_REGULAR) || number < 0)
        {
          n_without += is_value;
          continue;
        }
      array = ls_npy_read (path, &error);
      if (array == NULL)
        return ls_cli_fail (request->command, "%s", error->message);
      one = ls_debug_graph_compare_array (graph, (guint) number, name, array);
      n++;
      if (request->json)
        g_variant_builder_add_value (&list, one);
      else
        print_compared (one);
      if (ls_params_string (one, "trouble", NULL) == NULL && (worst == NULL || ls_cli_number (one, "relative") > ls_cli_number (worst, "relative")))
        {
          g_clear_pointer (&worst, g_variant_unref);
          worst = g_variant_ref (one);
        }
    }
  if (request->json)
    {
      print_all (&list, "tensors", NULL);
      return LS_CLI_DONE;
    }
  g_variant_builder_clear (&list);
  printf ("%u value%s of torch compared, %u node%s without one\n", n, n == 1 ? "" : "s", n_without, n_without == 1 ? "" : "s");
  if (worst != NULL && ls_cli_number (worst, "error") > 0)
    printf ("the largest error, by the size of the values, is in %s%s: %.3g\n", ls_params_string (worst, "other", "?"), ls_params_string (worst, "place", ""), ls_cli_number (worst, "relative"));
  return LS_CLI_DONE;
}

int
ls_cli_debug_graph (const LsCliDebugGraph *request)
{
  g_autoptr (LsModule) module = request->torch == NULL ? ls_cli_read_module (request->command, request->file) : NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (LsDebugGraph) self = module != NULL ? ls_debug_graph_new (module, request->func, request->inputs, &error) : NULL;
  g_autoptr (GVariant) odd = NULL;
  GVariantBuilder list;

  if (request->torch != NULL)
    return beside_torch (request);
  if (self == NULL)
    return module != NULL ? ls_cli_fail (request->command, "%s", error->message) : LS_CLI_FAILED;
  if (request->against != NULL || request->passes[0] != NULL)
    return compare (request, module, self);
  if (request->batch != NULL || (isatty (0) && isatty (1) && !request->json))
    return talk (self, request);
  odd = ls_debug_graph_nan (self);
  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  if (!request->json)
    printf ("     binding      operator             shape                       least       mean       most    NaN    inf\n");
  for (guint i = 0; i < self->values->len; i++)
    {
      g_autoptr (GVariant) look = ls_debug_graph_look (self, i);

      if (request->json)
        g_variant_builder_add_value (&list, look);
      else
        print_binding (look);
    }
  if (request->json)
    {
      print_all (&list, "bindings", odd);
      return LS_CLI_DONE;
    }
  g_variant_builder_clear (&list);
  print_nan (odd);
  return LS_CLI_DONE;
}
