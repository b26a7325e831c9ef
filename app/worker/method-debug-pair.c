/* The methods debug-pair and debug-part: two programs in step, which stay in this process between calls; and where two programs part, halved
 * over the steps between them.
 */
#include "app/worker/debugged.h"
#include "app/worker/server.h"

#include "engine/debug/debug.h"

#include <string.h>

#define TURN_US 100000          /* of each program */

static LsDebugPair *pair;
static gboolean is_open;        /* both were run */
static gboolean has_told;       /* and their texts were answered */
static char *toy_words;         /* how they were shrunk, until that was, or NULL */
static gint64 deadline;

static gboolean
is_late (gpointer data)
{
  return g_get_monotonic_time () > deadline;
}

/* Both at a toy size. */
static gboolean
toys_of (GVariant  *params,
         LsModule **left,
         LsModule **right,
         char     **words,
         GError   **error)
{
  g_autoptr (GPtrArray) toys = ls_worker_toys (params, ls_params_int (params, "toy", 0), words, error);

  if (toys == NULL || toys->len != 2)
    return FALSE;
  *left = ls_ref ((LsModule *) toys->pdata[0]);
  *right = ls_ref ((LsModule *) toys->pdata[1]);
  return TRUE;
}

static gboolean
open_pair (GVariant  *params,
           char     **words,
           GError   **error)
{
  const char *left_text = ls_params_require_string (params, "left", error);
  const char *right_text = left_text != NULL ? ls_params_require_string (params, "right", error) : NULL;
  gboolean is_toy = ls_params_int (params, "toy", 0) > 0;
  g_autoptr (LsModule) left = right_text != NULL && !is_toy ? ls_worker_debugged (left_text, 0, error) : NULL;
  g_autoptr (LsModule) right = left != NULL ? ls_worker_debugged (right_text, 0, error) : NULL;
  g_auto (GStrv) set = ls_params_strv (params, "set");
  LsDebugInputs inputs = { NULL, (const char *const *) set, (guint64) ls_params_int (params, "seed", 0) };

  g_clear_pointer (&pair, ls_debug_pair_free);
  if (right_text != NULL && is_toy && !toys_of (params, &left, &right, words, error))
    return FALSE;
  if (right == NULL)
    return FALSE;
  pair = ls_debug_pair_begin (left, right, ls_params_string (params, "func", NULL), &inputs, error);
  if (pair != NULL)
    ls_debug_pair_set_asker (pair, is_late, NULL);
  is_open = FALSE;
  return pair != NULL;
}

/* Both go on for a turn. (transfer floating): how far they are; NULL: they are through. */
static GVariant *
run_on (void)
{
  GVariantDict dict;

  for (guint side = 0; side < 2 && !is_open; side++)
    {
      deadline = g_get_monotonic_time () + TURN_US;
      is_open = ls_debug_pair_run (pair, side);
    }
  if (is_open)
    return NULL;
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "interrupted", "b", TRUE);
  for (guint side = 0; side < 2; side++)
    g_variant_dict_insert (&dict, side == 0 ? "clock-left" : "clock-right", "x", (gint64) ls_run_get_clock (ls_debug_get_run (ls_debug_pair_get (pair, side))));
  return g_variant_dict_end (&dict);
}

/* The grid of one side: the slice and the part of it that its statement touches, or the slice that was chosen ("[2, 0]", or NULL) and the part from the row and
 * column `wanted` on (" 32 0", or NULL). */
static void
add_grid (GVariantDict *dict,
          GVariant     *answer,
          guint         side,
          const char   *name,
          const char   *chosen,
          const char   *wanted)
{
  g_autoptr (GVariant) look = ls_params_value (answer, side == 0 ? "left" : "right");
  g_autofree char *part = wanted != NULL ? g_strdup (wanted) : look != NULL ? ls_worker_part_touched (look, name) : g_strdup ("");
  g_autofree char *slice = chosen != NULL ? g_strconcat (name, chosen, NULL) : look != NULL ? ls_worker_slice_followed (look, name) : g_strdup (name);
  g_autofree char *words = g_strconcat ("grid ", slice, part, NULL);
  g_autoptr (GVariant) grid = ls_debug_command (ls_debug_pair_get (pair, side), words, NULL);

  if (grid != NULL)
    g_variant_dict_insert_value (dict, side == 0 ? "grid-left" : "grid-right", grid);
}

/* left, right (texts), func, set, toy (with base and two steps, see ls_worker_toys()), seed: begins, and
 * command "more" goes on, until both were run -> interrupted, clock-left, clock-right; command "enough": they are known as far as they are.  Then
 * -> left-text, right-text (once), and what ls_debug_pair_command() answers.  command, leads (0, 1) -> that; "more" where it was interrupted; always with grid-left and grid-right: the buffer of the element,
 * the part of it that is touched, or with part-left, part-right (" 32 0") that from this row and column on; with slice-left, slice-right ("[2, 0]") that slice. */
static GVariant *
method_pair (LsRequest  *request,
             GVariant   *params,
             GError    **error)
{
  const char *command = ls_params_string (params, "command", NULL);
  guint leads = ls_params_int (params, "leads", 0) == 1;
  g_autoptr (GVariant) answer = NULL;
  g_autofree char *words = NULL;
  GVariantDict dict;

  if (command == NULL && !open_pair (params, &words, error))
    return ls_worker_asks (params, error);
  if (pair == NULL)
    {
      ls_worker_refuse (error, "No runs were begun.");
      return NULL;
    }
  if (command == NULL)
    {
      has_told = FALSE;
      g_free (toy_words);
      toy_words = g_steal_pointer (&words);
    }
  if (!is_open)
    {
      GVariant *turn;

      if (g_strcmp0 (command, "enough") == 0)
        ls_debug_pair_cut (pair);
      is_open = is_open || g_strcmp0 (command, "enough") == 0;
      turn = run_on ();
      if (turn != NULL)
        return turn;
      command = NULL;
    }
  deadline = g_get_monotonic_time () + 2 * TURN_US;
  answer = ls_debug_pair_command (pair, leads, command != NULL ? command : "where", error);
  /* They begin where both make the first element: before their first statement there is nothing of an array to show. */
  if (command == NULL && answer != NULL && ls_params_string (answer, "element", NULL) != NULL)
    {
      g_clear_pointer (&answer, g_variant_unref);
      answer = ls_debug_pair_command (pair, leads, "goto-write 0", error);
    }
  if (answer == NULL)
    return NULL;
  g_variant_dict_init (&dict, answer);
  if (!has_told)
    {
      has_told = TRUE;
      g_variant_dict_insert (&dict, "left-text", "s", ls_debug_get_text (ls_debug_pair_get (pair, 0))->text);
      g_variant_dict_insert (&dict, "right-text", "s", ls_debug_get_text (ls_debug_pair_get (pair, 1))->text);
      if (toy_words != NULL)
        g_variant_dict_insert (&dict, "toy", "s", toy_words);
    }
  if (ls_params_string (answer, "buffer", NULL) != NULL)
    for (guint side = 0; side < 2; side++)
      {
        const char *name = ls_params_string (answer, side == leads ? "buffer" : "partner", "");

        if (*name != '\0')
          add_grid (&dict, answer, side, name, ls_params_string (params, side == 0 ? "slice-left" : "slice-right", NULL),
                    ls_params_string (params, side == 0 ? "part-left" : "part-right", NULL));
      }
  return g_variant_dict_end (&dict);
}

/* modules (texts, each after one more step), func, set, seed -> what ls_debug_part() answers for the two beside the first step that changes the result,
 * with `step`, its place in `modules`; without such a step for the first and the last. */
static GVariant *
method_part (LsRequest  *request,
             GVariant   *params,
             GError    **error)
{
  g_auto (GStrv) texts = ls_params_strv (params, "modules");
  const char *func = ls_params_string (params, "func", NULL);
  g_auto (GStrv) set = ls_params_strv (params, "set");
  LsDebugInputs inputs = { NULL, (const char *const *) set, (guint64) ls_params_int (params, "seed", 0) };
  g_autoptr (GPtrArray) modules = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr (GVariant) answer = NULL;
  GVariantDict dict;
  int step;

  for (guint i = 0; texts != NULL && texts[i] != NULL; i++)
    {
      LsModule *module = ls_worker_debugged (texts[i], 0, error);

      if (module == NULL)
        return NULL;
      g_ptr_array_add (modules, module);
    }
  if (modules->len < 2)
    {
      ls_worker_refuse (error, "Two programs are expected.");
      return NULL;
    }
  step = modules->len > 2 ? ls_debug_first_step ((LsModule **) modules->pdata, modules->len, func, &inputs, error) : (int) modules->len - 1;
  if (step < 0)
    return NULL;
  answer = ls_debug_part (modules->pdata[step > 0 ? step - 1 : 0], modules->pdata[step > 0 ? step : (int) modules->len - 1], func, &inputs, error);
  if (answer == NULL)
    return NULL;
  g_variant_dict_init (&dict, answer);
  if (step > 0)
    g_variant_dict_insert (&dict, "step", "x", (gint64) step);
  return g_variant_dict_end (&dict);
}

const LsMethod ls_methods_debug_pair[] = {
  { "debug-pair", method_pair, "Steps through two runs of the interpreter, the same element being made in both." },
  { "debug-part", method_part, "Finds where two programs part, and the step that changed the result." },
  { NULL, NULL, NULL },
};
