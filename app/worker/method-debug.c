/* The method debug: a run under the debugger, which stays in this process between calls.
 *
 * A call that goes on for long answers after a while that it was interrupted; the caller says "more" until it has enough, so that a
 * run can be paused without being ended.  Going back is not cut: it would begin anew.
 */
#include "app/worker/debugged.h"
#include "app/worker/server.h"

#include "engine/debug/debug.h"

#include <string.h>

#define TURN_US 200000

static LsDebug *debug;
static LsDebugGraph *graph;     /* that the run is a call of, or NULL */
static gint64 deadline;

static gboolean
is_late (gpointer data)
{
  return g_get_monotonic_time () > deadline;
}

/* The program of the request, at a toy size where one is asked for. */
static LsModule *
program_of (GVariant  *params,
            char     **words,
            GError   **error)
{
  gint64 toy = ls_params_int (params, "toy", 0);
  const char *text = NULL;

  if (toy > 0 && ls_params_string (params, "base", NULL) != NULL)
    {
      g_autoptr (GPtrArray) toys = ls_worker_toys (params, toy, words, error);

      return toys != NULL && toys->len > 0 ? ls_ref ((LsModule *) toys->pdata[0]) : NULL;
    }
  text = ls_params_require_string (params, "module", error);
  return text != NULL ? ls_worker_debugged (text, toy, error) : NULL;
}

/* The graph is run no further than to the value that is asked for. */
static gboolean
is_before (gpointer data)
{
  guint number = GPOINTER_TO_UINT (data);

  return number >= graph->values->len || ((LsGraphValue *) graph->values->pdata[number])->trouble != NULL;
}

/* The call that made a value of a graph, on what went into it. */
static LsDebug *
open_call (LsModule             *module,
           GVariant             *params,
           const LsDebugInputs  *inputs,
           GError              **error)
{
  gint64 number = ls_params_int (params, "graph", 0);

  graph = ls_debug_graph_open (module, ls_params_string (params, "func", NULL), inputs, error);
  if (graph == NULL)
    return NULL;
  ls_debug_graph_run (graph, is_before, GUINT_TO_POINTER ((guint) number));
  if (number < graph->values->len)
    return ls_debug_graph_into (graph, (guint) number, error);
  ls_worker_refuse (error, "The graph has no such value.");
  return NULL;
}

static gboolean
open_run (GVariant  *params,
          char     **toy_words,
          GError   **error)
{
  g_autoptr (LsModule) module = program_of (params, toy_words, error);
  g_auto (GStrv) set = ls_params_strv (params, "set");
  LsDebugInputs inputs = { NULL, (const char *const *) set, (guint64) ls_params_int (params, "seed", 0) };

  if (module == NULL)
    return FALSE;
  g_clear_pointer (&debug, ls_debug_free);
  g_clear_pointer (&graph, ls_debug_graph_free);
  if (ls_params_int (params, "graph", -1) >= 0)
    debug = open_call (module, params, &inputs, error);
  else
    debug = ls_debug_new (module, ls_params_string (params, "func", NULL), &inputs, error);
  if (debug != NULL)
    ls_debug_set_asker (debug, is_late, NULL);
  return debug != NULL;
}

static void
add_trail (GVariantDict *dict,
           const char   *grid,
           gint64        n)
{
  g_autofree char *name = g_strndup (grid, strcspn (grid, "[ "));
  g_autofree char *words = g_strdup_printf ("trail %" G_GINT64_FORMAT " %s", n, name);
  g_autoptr (GVariant) seen = ls_debug_command (debug, words, NULL);
  g_autoptr (GVariant) list = seen != NULL ? ls_params_value (seen, "accesses") : NULL;

  if (list != NULL)
    g_variant_dict_insert_value (dict, "trail", list);
}

/* module, func, seed, set, toy (with base and steps, see ls_worker_toys()), graph (the number of a value of the Relax function `func`: the call that made it): begins -> text, and what is seen at the first statement.
 * command -> its answer; with `grid`, "C[2]" or "C[2] 32 0", also `grid`: the part of it that the statement touches, or that from this row and column on, with `follow` of the slice that it touches; with `trail` also that many of the
 * last accesses of it, which takes running them again. */
static GVariant *
method_debug (LsRequest  *request,
              GVariant   *params,
              GError    **error)
{
  const char *command = ls_params_string (params, "command", NULL), *grid = ls_params_string (params, "grid", NULL);
  gint64 trail = ls_params_int (params, "trail", 0);
  g_autoptr (GVariant) answer = NULL;
  g_autofree char *toy_words = NULL;
  GVariantDict dict;

  if (command == NULL && !open_run (params, &toy_words, error))
    return ls_worker_asks (params, error);
  if (debug == NULL)
    {
      ls_worker_refuse (error, "No run was begun.");
      return NULL;
    }
  deadline = g_get_monotonic_time () + TURN_US;
  answer = ls_debug_command (debug, command != NULL ? command : "where", error);
  if (answer == NULL)
    return NULL;
  g_variant_dict_init (&dict, answer);
  if (command == NULL)
    g_variant_dict_insert (&dict, "listing", "s", ls_debug_get_text (debug)->text);
  if (toy_words != NULL)
    g_variant_dict_insert (&dict, "toy", "s", toy_words);
  if (grid != NULL)
    {
      g_autofree char *followed = ls_params_bool (params, "follow", FALSE) ? ls_worker_slice_followed (answer, grid) : g_strdup (grid);
      g_autofree char *part = ls_worker_part_touched (answer, followed);
      g_autofree char *words = g_strconcat ("grid ", followed, part, NULL);
      g_autoptr (GVariant) seen = ls_debug_command (debug, words, NULL);

      if (seen != NULL)
        g_variant_dict_insert_value (&dict, "grid", seen);
      if (trail > 0 && !ls_params_bool (answer, "interrupted", FALSE))
        add_trail (&dict, grid, trail);
    }
  return g_variant_dict_end (&dict);
}

const LsMethod ls_methods_debug[] = {
  { "debug", method_debug, "Steps through a run of the interpreter." },
  { NULL, NULL, NULL },
};
