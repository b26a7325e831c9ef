/* propose: all recipes, sorted by what the model expects, few of a kind. */
#include "engine/advice/recipe.h"

#include "engine/script/script.h"
#include "engine/tir/specialize.h"

#include <string.h>

#define SPREAD 1.8              /* the range of an estimate around its middle */

void
ls_proposal_free (LsProposal *self)
{
  if (self == NULL)
    return;
  ls_schedule_unref (self->schedule);
  g_free ((char *) self->move.block);
  g_free ((char *) self->move.loop);
  g_free (self->title);
  g_free (self->steps);
  g_free (self);
}

static gint
compare (gconstpointer a,
         gconstpointer b)
{
  const LsProposal *x = *(const LsProposal *const *) a, *y = *(const LsProposal *const *) b;

  return (x->estimate > y->estimate) - (x->estimate < y->estimate);
}

/* In relation to what was measured: the model is better at ratios than at times. */
static void
set_ranges (GPtrArray    *made,
            LsAdviceCost *now,
            const LsAdviceMachine *machine,
            double        seconds)
{
  double scale = seconds > 0.0 && now->seconds > 0.0 ? seconds / now->seconds : 1.0;

  if (now->loop != NULL)
    {
      /* Nothing but how they compare is known. */
      for (guint i = 0; i < made->len && seconds > 0.0 && now->guess > 0.0; i++)
        {
          LsProposal *proposal = made->pdata[i];

          proposal->low = seconds * proposal->estimate / now->guess / SPREAD;
          proposal->high = seconds * proposal->estimate / now->guess * SPREAD;
        }
      return;
    }
  for (guint i = 0; i < made->len; i++)
    {
      LsProposal *proposal = made->pdata[i];
      double floor = now->flop / (machine->gflops * 1e9 * machine->cores);
      double own = proposal->estimate, put = proposal->estimate * CLAMP (scale, 1.0 / 8, 8.0);

      proposal->low = MAX (floor, MIN (own, put) / SPREAD);
      proposal->high = MAX (proposal->low, MAX (own, put) * SPREAD);
    }
}

/* The best, but no kind more than twice while others are left. */
static GPtrArray *
choose (GPtrArray *made,
        guint      most)
{
  GPtrArray *chosen = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_proposal_free);
  g_autoptr (GHashTable) kinds = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint limit = 2; limit < 100 && chosen->len < most; limit += 2)
    for (guint i = 0; i < made->len && chosen->len < most; i++)
      {
        LsProposal *proposal = made->pdata[i];
        guint n = proposal != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (kinds, proposal->kind)) : 0;

        if (proposal == NULL || n >= limit)
          continue;
        g_hash_table_insert (kinds, (gpointer) proposal->kind, GUINT_TO_POINTER (n + 1));
        g_ptr_array_add (chosen, proposal);
        made->pdata[i] = NULL;
      }
  return chosen;
}

static void
note_seen (GPtrArray  *chosen,
           GHashTable *seen)
{
  for (guint i = 0; seen != NULL && i < chosen->len; i++)
    g_hash_table_add (seen, ls_script_print (ls_schedule_get_module (((LsProposal *) chosen->pdata[i])->schedule), NULL, NULL));
}

/* The same for the program in which what can be computed where it is read is: often only the two together are faster. */
static void
propose_inlined (LsRecipes *recipes)
{
  LsPrimFunc *prim;
  guint n = 0;
  GString *lines = ls_recipe_inline_lines (recipes, &n);
  g_autofree char *before = g_string_free (lines, FALSE);
  g_autoptr (LsSchedule) copy = ls_schedule_copy (recipes->base);
  g_autoptr (LsSource) source = ls_source_new ("advice", before, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsPrimFunc) sized = NULL;
  g_autoptr (GPtrArray) nests = NULL;
  LsRecipes inlined = *recipes;

  if (n == 0)
    return;
  ls_schedule_set_strict (copy, TRUE);
  ls_schedule_apply_text (copy, source, 0, findings);
  if (ls_diagnostics_has_error (findings))
    return;
  prim = (LsPrimFunc *) ls_module_get (ls_schedule_get_module (copy), recipes->func);
  sized = ls_prim_func_size (prim, recipes->sizes);
  nests = ls_nests_guess (sized);
  ls_nests_give (nests, prim);
  inlined.nests = nests;
  inlined.before = before;
  inlined.inlined = n;
  ls_recipe_tile (&inlined);
  ls_recipe_rows (&inlined);
  ls_recipe_spatial (&inlined);
}

static void
try_all (LsRecipes *recipes)
{
  ls_recipe_tile (recipes);
  ls_recipe_rows (recipes);
  ls_recipe_spatial (recipes);
  ls_recipe_inline (recipes);
  ls_recipe_small (recipes);
  propose_inlined (recipes);
}

/* Sizes of its arrays are no numbers: with them far more could be said. */
static gboolean
is_symbolic (LsPrimFunc *func)
{
  gint64 extent;

  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);

      for (guint k = 0; buffer != NULL && k < ls_array_n (buffer->shape); k++)
        if (!ls_as_int (ls_array_at (buffer->shape, k, LsExpr), &extent))
          return TRUE;
    }
  return FALSE;
}

/* ---- why there is none ------------------------------------------------------------- */

/* What was said most often; of those the first in the alphabet, so that it is the same each time. Borrowed. */
static const char *
most_said (GHashTable *refusals)
{
  GHashTableIter iter;
  gpointer message, times;
  const char *most = NULL;
  guint n = 0;

  g_hash_table_iter_init (&iter, refusals);
  while (g_hash_table_iter_next (&iter, &message, &times))
    if (GPOINTER_TO_UINT (times) > n || (GPOINTER_TO_UINT (times) == n && strcmp (message, most) < 0))
      {
        most = message;
        n = GPOINTER_TO_UINT (times);
      }
  return most;
}

/* The loop by which a scan goes on, of what is no reduction of its own element. */
static const char *
scanned (const LsNest *nest)
{
  for (guint i = nest->n_loops; i-- > 0;)
    if ((nest->drives[i] & LS_DRIVES_REDUCTION) != 0)
      return nest->loops[i]->loop_var->name;
  return NULL;
}

/* What the program lacks, or is; NULL: that is not it. (transfer full) */
static char *
why_not (GPtrArray  *nests,
         const char *loop)
{
  gboolean blocks = FALSE;

  if (nests->len == 0)
    return g_strdup (ls_translate (LS_TEXT ("It has no statement that computes.")));
  for (guint i = 0; i < nests->len; i++)
    blocks |= ((LsNest *) nests->pdata[i])->block != NULL;
  if (!blocks)
    return g_strdup (ls_translate (LS_TEXT ("Its statements stand in no block, and what schedules move is blocks: put a T.block around them.")));
  for (guint i = 0; i < nests->len; i++)
    {
      const LsNest *nest = nests->pdata[i];
      const char *scan = nest->block != NULL && ls_nest_is_scan (nest) ? scanned (nest) : NULL;

      if (scan != NULL)
        return g_strdup_printf (ls_translate (LS_TEXT ("Each round of loop %s of block %s uses what an earlier one wrote: they wait for each other, and can neither become vectors nor go to several cores.")),
                                scan, nest->block->name_hint);
    }
  if (g_strcmp0 (loop, LS_LOOP_WHILE) == 0)
    return g_strdup (ls_translate (LS_TEXT ("How many rounds its while loop has depends on what it computes: it can neither be cut into vectors nor be unrolled.")));
  if (loop != NULL)
    return g_strdup_printf (ls_translate (LS_TEXT ("How often loop %s runs depends on data: it can neither be cut into vectors nor be unrolled.")), loop);
  return NULL;
}

char *
ls_advice_why_none (LsSchedule            *schedule,
                    const char            *func,
                    GPtrArray             *sizes,
                    const LsAdviceMachine *machine)
{
  LsPrimFunc *prim = (LsPrimFunc *) ls_module_get (ls_schedule_get_module (schedule), func);
  g_autofree char *loop = NULL;
  g_autoptr (LsPrimFunc) sized = ls_prim_func_size (prim, sizes);
  g_autoptr (GPtrArray) counted = ls_nests_of (sized, &loop);
  g_autoptr (GPtrArray) nests = ls_nests_guess (sized);
  g_autoptr (GPtrArray) made = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_proposal_free);
  g_autoptr (GHashTable) texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) refusals = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  LsRecipes recipes = { schedule, func, machine, sizes, nests, made, NULL, texts, NULL, refusals, 0 };
  char *why;

  if (loop != NULL && is_symbolic (sized))
    return g_strdup_printf (ls_translate (LS_TEXT ("How often loop %s runs is not known before its sizes are given.")), loop);
  ls_nests_give (nests, prim);
  try_all (&recipes);
  if (made->len > 0)
    return NULL;
  why = why_not (nests, loop);
  if (why == NULL)
    why = g_strdup (most_said (refusals));
  return why != NULL ? why : g_strdup (ls_translate (LS_TEXT ("No recipe that is known fits its statements as they are.")));
}

GPtrArray *
ls_advice_propose (LsSchedule            *schedule,
                   const char            *func,
                   GPtrArray             *sizes,
                   const LsAdviceMachine *machine,
                   double                 seconds,
                   GHashTable            *seen,
                   guint                  most)
{
  LsModule *module = ls_schedule_get_module (schedule);
  LsPrimFunc *prim = (LsPrimFunc *) ls_module_get (module, func);
  g_autoptr (LsPrimFunc) sized = ls_prim_func_size (prim, sizes);
  g_autoptr (GPtrArray) nests = ls_nests_guess (sized);
  g_autoptr (LsAdviceCost) now = ls_advice_cost_new (sized, module, machine);
  g_autoptr (GPtrArray) made = g_ptr_array_new ();
  g_autoptr (GHashTable) texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  LsRecipes recipes = { schedule, func, machine, sizes, nests, made, seen, texts, NULL, NULL, 0 };
  GPtrArray *chosen;

  if (now->loop == NULL || !is_symbolic (sized))
    {
      ls_nests_give (nests, prim);
      try_all (&recipes);
    }
  g_ptr_array_sort (made, compare);
  set_ranges (made, now, machine, seconds);
  chosen = choose (made, most);
  for (guint i = 0; i < made->len; i++)
    ls_proposal_free (made->pdata[i]);
  note_seen (chosen, seen);
  return chosen;
}
