/* decisions: what was drawn for a program, read off the steps of its schedule.
 *
 * A tile is as many decisions as it has factors, so that "how wide are the vectors" is one of them.  A number that was chosen is named after
 * the mark that it ends up in.  The marks of meta_schedule that hold plain numbers (parallel, vectorize) are changed by its mutators, so they count
 * as drawn.
 */
#include "engine/tune/tune.h"

#include <string.h>

#define MARKS "meta_schedule."

static void
decision_clear (gpointer data)
{
  g_free (((LsTuneDecision *) data)->subject);
}

GArray *
ls_tune_decisions_new (void)
{
  GArray *self = g_array_new (FALSE, TRUE, sizeof (LsTuneDecision));

  g_array_set_clear_func (self, decision_clear);
  return self;
}

gboolean
ls_tune_decision_is (const LsTuneDecision *a,
                     const LsTuneDecision *b)
{
  return a->kind == b->kind && a->nth == b->nth && a->part == b->part && a->n_parts == b->n_parts && g_strcmp0 (a->subject, b->subject) == 0;
}

void
ls_tune_decisions_add (GArray             *decisions,
                       LsTuneDecisionKind  kind,
                       char               *subject,
                       guint               part,
                       guint               n_parts,
                       gint64              value)
{
  LsTuneDecision decision = { kind, subject, 0, part, n_parts, value };

  for (guint i = 0; i < decisions->len; i++)
    {
      const LsTuneDecision *other = &g_array_index (decisions, LsTuneDecision, i);

      if (other->kind == kind && other->part == part && g_strcmp0 (other->subject, subject) == 0)
        decision.nth = other->nth + 1;
    }
  g_array_append_val (decisions, decision);
}

char *
ls_tune_decision_name (const LsTuneDecision *decision)
{
  g_autofree char *again = decision->nth > 0 ? g_strdup_printf (" (%u)", decision->nth + 1) : g_strdup ("");

  switch (decision->kind)
    {
    case LS_TUNE_DESIGN:
      return g_strdup ("design");
    case LS_TUNE_TILE:
      return g_strdup_printf ("%s%s: factor %u of %u", decision->subject, again, decision->part + 1, decision->n_parts);
    case LS_TUNE_PLACE:
      return g_strdup_printf ("place of %s%s", decision->subject, again);
    case LS_TUNE_CHOICE:
    case LS_TUNE_MARK:
      break;
    }
  return g_strdup_printf ("%s%s", decision->subject, again);
}

/* The first argument of a step in the program's names: "j" of "sample_perfect_tile(j, 4, 64)". (transfer full) */
static char *
first_argument (LsSchedule *schedule,
                guint       i)
{
  g_autofree char *text = ls_schedule_describe_step (schedule, i);
  const char *from = strchr (text, '(');

  return from != NULL ? g_strndup (from + 1, strcspn (from + 1, ",)")) : g_strdup (text);
}

/* "parallel" where the step sets meta_schedule's mark of that name, else NULL. Borrowed. */
static const char *
mark_of (const LsStep *step)
{
  LsNode *key = strcmp (step->instruction->name, "annotate") == 0 && step->args->n > 2 ? step->args->items[1] : NULL;

  return key != NULL && ls_is (key, STRING) && g_str_has_prefix (((LsString *) key)->value, MARKS) ? ((LsString *) key)->value + strlen (MARKS) : NULL;
}

/* What the number that step i draws is used for. (transfer full) */
static char *
use_of (LsSchedule *schedule,
        guint       i)
{
  const LsStep *draw = ls_schedule_get_step (schedule, i);

  for (guint k = i + 1; k < ls_schedule_get_n_steps (schedule) && draw->outputs->n > 0; k++)
    {
      const LsStep *step = ls_schedule_get_step (schedule, k);

      for (guint a = 0; a < step->args->n; a++)
        if (step->args->items[a] == draw->outputs->items[0])
          return g_strdup (mark_of (step) != NULL ? mark_of (step) : step->instruction->name);
    }
  return g_strdup (draw->instruction->name);
}

static void
add_tile (GArray       *decisions,
          LsSchedule   *schedule,
          guint         i,
          const LsStep *step)
{
  LsArray *factors = (LsArray *) step->decision;
  g_autofree char *loop = first_argument (schedule, i);

  for (guint k = 0; k < factors->n; k++)
    {
      gint64 value = 0;

      if (ls_as_int (factors->items[k], &value))
        ls_tune_decisions_add (decisions, LS_TUNE_TILE, g_strdup (loop), k, factors->n, value);
    }
}

static void
add_step (GArray       *decisions,
          LsSchedule   *schedule,
          guint         i,
          const LsStep *step)
{
  gint64 value = 0;

  if (step->decision != NULL && ls_is (step->decision, ARRAY))
    add_tile (decisions, schedule, i, step);
  else if (step->decision != NULL && ls_as_int (step->decision, &value) && strcmp (step->instruction->name, "sample_categorical") == 0)
    {
      if (step->values->n > 0 && step->values->items[0] != NULL)
        ls_as_int (step->values->items[0], &value);
      ls_tune_decisions_add (decisions, LS_TUNE_CHOICE, use_of (schedule, i), 0, 1, value);
    }
  else if (step->decision != NULL && ls_as_int (step->decision, &value))
    ls_tune_decisions_add (decisions, LS_TUNE_PLACE, first_argument (schedule, i), 0, 1, value);
  else if (step->decision == NULL && mark_of (step) != NULL && ls_as_int (step->args->items[2], &value))
    ls_tune_decisions_add (decisions, LS_TUNE_MARK, g_strdup (mark_of (step)), 0, 1, value);
}

GArray *
ls_tune_decisions (LsSchedule *schedule)
{
  GArray *decisions = ls_tune_decisions_new ();

  for (guint i = 0; i < ls_schedule_get_n_steps (schedule); i++)
    {
      const LsStep *step = ls_schedule_get_step (schedule, i);

      if (step->instruction->flags & LS_INSTRUCTION_POSTPROC)
        break;
      add_step (decisions, schedule, i, step);
    }
  return decisions;
}
