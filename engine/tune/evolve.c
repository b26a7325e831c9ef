/* evolve: populations of traces, of which a batch of programs is chosen to be measured (tuner.c says how). */
#include "engine/tune/tuner-private.h"

#include "engine/schedule/space/mutate.h"

#include <math.h>

#define HOPELESS 64.0           /* so many times what the best is expected to take, and a program is not tried */

/* A trace with the program that it gives. */
typedef struct {
  LsTrace    *trace;
  LsSchedule *schedule;
  double      score;            /* logarithm of seconds: measured or predicted */
} Member;

static void
member_clear (gpointer data)
{
  Member *self = data;

  g_clear_pointer (&self->trace, ls_trace_unref);
  g_clear_pointer (&self->schedule, ls_schedule_unref);
}

static GArray *
population_new (void)
{
  GArray *members = g_array_new (FALSE, FALSE, sizeof (Member));

  g_array_set_clear_func (members, member_clear);
  return members;
}

static void
add_member (LsTuner    *self,
            GArray     *members,
            LsSchedule *schedule)
{
  Member member = { ls_trace_of (schedule), schedule, ls_tuner_predict (self, schedule) };

  g_array_append_val (members, member);
}

static gint
compare_candidates (gconstpointer a,
                    gconstpointer b)
{
  const LsTuneCandidate *x = *(LsTuneCandidate * const *) a, *y = *(LsTuneCandidate * const *) b;

  return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

static GArray *
first_population (LsTuner *self)
{
  GArray *members = population_new ();
  double least;
  g_autoptr(GArray) of_each = ls_tuner_least_of_designs (self, &least);
  g_autoptr(GPtrArray) timed = g_ptr_array_new ();

  for (guint i = 0; i < self->candidates->len; i++)
    if (((LsTuneCandidate *) self->candidates->pdata[i])->seconds >= 0)
      g_ptr_array_add (timed, self->candidates->pdata[i]);
  g_ptr_array_sort (timed, compare_candidates);
  for (guint i = 0; i < timed->len && i < self->options.population / 3; i++)
    {
      LsTuneCandidate *candidate = timed->pdata[i];
      Member member = { ls_trace_ref (candidate->trace), ls_schedule_ref (candidate->schedule), log (MAX (candidate->seconds, 1e-10)) };

      g_array_append_val (members, member);
    }
  for (guint tries = 0; members->len < self->options.population && tries < 2 * self->options.population && !ls_tuner_is_stopped (self); tries++)
    {
      LsSchedule *schedule = ls_tuner_apply (self, ls_tuner_draw_design (self, of_each, least), FALSE, ls_tuner_next_seed (self));

      if (schedule != NULL)
        add_member (self, members, schedule);
    }
  return members;
}

/* The better the likelier: the weight halves with each doubling of the time. */
static Member *
draw_parent (LsTuner *self,
             GArray  *members)
{
  double best = INFINITY, total = 0, at;

  for (guint i = 0; i < members->len; i++)
    best = fmin (best, g_array_index (members, Member, i).score);
  for (guint i = 0; i < members->len; i++)
    total += exp (best - g_array_index (members, Member, i).score);
  at = ls_tuner_draw_fraction (self) * total;
  for (guint i = 0; i < members->len; i++)
    {
      at -= exp (best - g_array_index (members, Member, i).score);
      if (at <= 0)
        return &g_array_index (members, Member, i);
    }
  return &g_array_index (members, Member, members->len - 1);
}

static LsSchedule *
make_child (LsTuner *self,
            Member  *parent)
{
  g_autoptr(LsTrace) changed = ls_trace_mutate (parent->trace, self->module, self->options.max_jobs, &self->random);

  return changed != NULL ? ls_tuner_apply (self, changed, TRUE, ls_tuner_next_seed (self)) : NULL;
}

static GArray *
next_generation (LsTuner *self,
                 GArray  *members)
{
  GArray *children = population_new ();

  for (guint tries = 0; children->len < self->options.population && tries < 3 * self->options.population && !ls_tuner_is_stopped (self); tries++)
    {
      LsSchedule *child = make_child (self, draw_parent (self, members));

      if (child != NULL)
        add_member (self, children, child);
    }
  return children;
}

/* Does it do so much more than what was measured that a run of it is not waited for?  One that computes a block anew for each number of another may take
 * minutes, and a model that was never told of such a program believes it to be fast. */
static gboolean
is_hopeless (LsTuner    *self,
             LsSchedule *schedule)
{
  return self->starts->len > 0 && self->least_expected > 0.0 &&
         ls_tune_expected_seconds (ls_schedule_get_module (schedule)) > HOPELESS * self->least_expected;
}

static void
collect_unseen (LsTuner   *self,
                GArray    *members,
                GPtrArray *found,
                GHashTable *texts)
{
  for (guint i = 0; i < members->len; i++)
    {
      Member *member = &g_array_index (members, Member, i);
      gboolean is_new;
      LsTuneCandidate *candidate = ls_tuner_meet (self, ls_schedule_ref (member->schedule), &is_new);

      if (is_new && !g_hash_table_contains (texts, candidate->text) && !is_hopeless (self, candidate->schedule))
        {
          g_hash_table_add (texts, candidate->text);
          candidate->predicted = member->score;
          g_ptr_array_add (found, candidate);
        }
      else if (is_new)
        {
          ls_tuner_candidate_free (candidate);
        }
    }
}

static guint
n_queued (LsTuner *self,
          guint    design)
{
  guint n = 0;

  for (GList *at = self->queue.head; at != NULL; at = at->next)
    n += ((LsTuneCandidate *) at->data)->design == design ? 1 : 0;
  return n;
}

/* The first of a design that has not half of the batch already: a model that believes in one design is never told that another is better. */
static guint
first_of_few (LsTuner   *self,
              GPtrArray *found)
{
  if (self->starts->len > 0)
    for (guint i = 0; i < found->len; i++)
      if (n_queued (self, ((LsTuneCandidate *) found->pdata[i])->design) < (self->options.batch + 1) / 2)
        return i;
  return 0;
}

void
ls_tuner_evolve (LsTuner *self)
{
  g_autoptr(GPtrArray) found = g_ptr_array_new_with_free_func (ls_tuner_candidate_free);
  g_autoptr(GHashTable) texts = g_hash_table_new (g_str_hash, g_str_equal);
  GArray *members = first_population (self);

  for (guint g = 0; members->len > 0; g++)
    {
      GArray *children;

      collect_unseen (self, members, found, texts);
      if (g == self->options.generations)
        break;
      children = next_generation (self, members);
      g_array_unref (members);
      members = children;
    }
  g_array_unref (members);
  ls_tuner_temper (self, found);
  g_ptr_array_sort (found, ls_tuner_compare_predicted);
  while (found->len > 0 && g_queue_get_length (&self->queue) < self->options.batch)
    {
      guint at = ls_tuner_draw_fraction (self) < 0.1 ? ls_tuner_draw_below (self, found->len) : first_of_few (self, found);
      LsTuneCandidate *candidate = g_ptr_array_steal_index (found, at);

      ls_tuner_accept (self, candidate);
      g_queue_push_tail (&self->queue, candidate);
    }
}
