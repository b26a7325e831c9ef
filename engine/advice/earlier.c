/* earlier: what could be done to the program as it was some steps ago.
 *
 * Recipes ask for nests as they were written.  Where steps have cut and moved them, little can be proposed any more, and the good
 * proposals are those for an earlier step.  Here these are looked for where what was asked of the program as it is promises
 * clearly less.
 */
#include "engine/advice/advice.h"

#include "engine/tir/specialize.h"

#define N_LATEST 2              /* of the steps that change the program, beside the program as it was opened */
#define MOST 2                  /* proposals */
#define CLEARLY 1.3             /* this many times faster */
#define ALIKE 1.1               /* of two that differ by less, the one that keeps more of the steps */

/* Of the first `n` steps those that change the program: how the window and the command line number them. */
static guint
changes_among (LsSchedule *schedule,
               guint       n)
{
  guint changes = 0;

  for (guint i = 0; i < n; i++)
    changes += (ls_schedule_get_step (schedule, i)->instruction->flags & LS_INSTRUCTION_PURE) == 0;
  return changes;
}

static LsModule *
module_after (LsSchedule *schedule,
              guint       n)
{
  return ls_schedule_get_version (schedule, n)->module;
}

/* How many steps are left at each of the places that are looked at, the latest first; the last is 0. (transfer full) of guint */
static GArray *
places_of (LsSchedule *schedule)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (guint));
  guint zero = 0;

  for (guint n = ls_schedule_get_n_steps (schedule); n-- > 1 && places->len < N_LATEST;)
    if (module_after (schedule, n) != module_after (schedule, n + 1) && module_after (schedule, n) != module_after (schedule, 0))
      g_array_append_val (places, n);
  if (module_after (schedule, 0) != ls_schedule_get_module (schedule))
    g_array_append_val (places, zero);
  return places;
}

static double
expected (LsSchedule            *schedule,
          const char            *func,
          GPtrArray             *sizes,
          const LsAdviceMachine *machine)
{
  LsModule *module = ls_schedule_get_module (schedule);
  g_autoptr (LsPrimFunc) sized = ls_prim_func_size ((LsPrimFunc *) ls_module_get (module, func), sizes);
  g_autoptr (LsAdviceCost) cost = ls_advice_cost_new (sized, module, machine);

  return cost->loop == NULL ? cost->seconds : cost->guess;
}

/* The place in `found` (in the order of places) of the next to be taken, or its length: there is none below `limit`. */
static guint
next_of (GPtrArray *found,
         double     limit)
{
  double least = limit;

  for (guint i = 0; i < found->len; i++)
    if (found->pdata[i] != NULL)
      least = MIN (least, ((LsProposal *) found->pdata[i])->estimate);
  for (guint i = 0; i < found->len && least < limit; i++)
    if (found->pdata[i] != NULL && ((LsProposal *) found->pdata[i])->estimate <= least * ALIKE && ((LsProposal *) found->pdata[i])->estimate < limit)
      return i;
  return found->len;
}

void
ls_advice_propose_earlier (GPtrArray             *list,
                           LsSchedule            *schedule,
                           const char            *func,
                           GPtrArray             *sizes,
                           const LsAdviceMachine *machine,
                           GHashTable            *seen,
                           guint                  most)
{
  g_autoptr (GArray) places = places_of (schedule);
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  double limit = expected (schedule, func, sizes, machine);
  guint taken = 0, i;

  for (i = 0; i < list->len; i++)
    limit = MIN (limit, ((LsProposal *) list->pdata[i])->estimate);
  limit /= CLEARLY;
  for (guint k = 0; k < places->len; k++)
    {
      guint kept = g_array_index (places, guint, k);
      g_autoptr (LsSchedule) earlier = ls_schedule_copy (schedule);
      g_autoptr (GPtrArray) some = NULL;

      ls_schedule_undo_to (earlier, kept);
      if (!ls_is (ls_module_get (ls_schedule_get_module (earlier), func), PRIM_FUNC))
        continue;
      some = ls_advice_propose (earlier, func, sizes, machine, 0.0, seen, MOST);
      g_ptr_array_set_free_func (some, NULL);
      for (guint p = 0; p < some->len; p++)
        {
          LsProposal *proposal = some->pdata[p];
          g_autofree char *title = proposal->title;

          proposal->again = TRUE;
          proposal->kept = kept;
          proposal->step = changes_among (schedule, kept);
          proposal->title = g_strdup_printf ("From step %u: %s", proposal->step, title);
          g_ptr_array_add (found, proposal);
        }
    }
  while (taken < MIN (MOST, most) && (i = next_of (found, limit)) < found->len)
    {
      if (list->len >= most)
        g_ptr_array_remove_index (list, list->len - 1);
      g_ptr_array_insert (list, (gint) taken++, found->pdata[i]);
      found->pdata[i] = NULL;
    }
  for (i = 0; i < found->len; i++)
    ls_proposal_free (found->pdata[i]);
}
