/* session/compare: lineage gives the pairs, engine/schedule/lineage-text the words, engine/runtime the verdict. */
#include "app/session/compare.h"

#include "app/session/devices.h"
#include "app/session/module.h"
#include "app/session/step-words.h"
#include "engine/base/table-order.h"
#include "engine/runtime/runtime.h"
#include "engine/schedule/lineage/text.h"
#include "views/models/format.h"

#include <glib/gi18n.h>
#include <string.h>

#define MOST_LABELS 24

typedef struct {
  LsHistory    *left;
  LsHistory    *right;
  guint         left_id;
  guint         right_id;
  LsVersion    *before;         /* as shown */
  LsVersion    *after;
  LsComparison *answer;
  GHashTable   *counts;         /* how -> number */
} Compare;

static LsVersion *
version_of (LsHistory *history,
            guint      id)
{
  LsSchedule *schedule = ls_history_get (history, id)->schedule;

  return ls_schedule_get_version (schedule, ls_schedule_get_n_steps (schedule));
}

/* ---- words ------------------------------------------------------------------- */

static char *
extents_text (LsVersion *version,
              GArray    *entities)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < entities->len; i++)
    {
      const LsEntity *entity = ls_version_at (version, g_array_index (entities, guint, i));
      gint64 extent;

      if (entity->type != LS_ENTITY_LOOP || !ls_as_int (((LsFor *) entity->node)->extent, &extent))
        continue;
      g_string_append_printf (text, "%s%" G_GINT64_FORMAT, text->len > 0 ? " × " : "", extent);
    }
  return g_string_free (text, FALSE);
}

static char *
names_text (LsVersion *version,
            GArray    *entities)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < entities->len; i++)
    {
      g_autofree char *name = ls_version_describe (version, g_array_index (entities, guint, i));

      if (i > 0)
        g_string_append (text, i + 1 == entities->len ? _(" and ") : ", ");
      g_string_append (text, name);
    }
  return g_string_free (text, FALSE);
}

/* The names as the engine's own sentence begins with them: one, or all of them. (transfer full) */
static char *
leading_names (LsVersion  *version,
               GArray     *entities,
               const char *sentence)
{
  g_autoptr (GString) all = g_string_new (NULL);
  g_autofree char *first = NULL;

  for (guint i = 0; i < entities->len; i++)
    {
      g_autofree char *name = ls_version_describe (version, g_array_index (entities, guint, i));

      g_string_append_printf (all, "%s%s", i > 0 ? ", " : "", name);
      if (i == 0)
        first = g_steal_pointer (&name);
    }
  if (all->len > 0 && g_str_has_prefix (sentence, all->str))
    return g_strdup (all->str);
  return g_steal_pointer (&first);
}

/* "k", "moved", "out of j_1, now inside j_0" */
static void
put_words (LsNestLabel           *label,
           const LsLineageChange *change,
           LsLineage             *lineage)
{
  static const char *const things[] = { "loop ", "loops ", "block ", "blocks " };
  gboolean split = strcmp (change->how, "split") == 0, fused = strcmp (change->how, "fused") == 0;
  gboolean gone = change->after->len == 0;
  LsVersion *version = gone ? lineage->before : lineage->after;
  GArray *entities = gone ? change->before : change->after;
  g_autofree char *name = NULL;
  const char *rest = change->text, *arrow;

  label->verb = g_strdup (ls_translate (change->how));
  if ((split || fused) && change->before->len > 0)
    {
      label->head = names_text (lineage->before, change->before);
      label->tail = split ? extents_text (lineage->after, change->after) : g_strdup ("");
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (things); i++)
    if (g_str_has_prefix (rest, things[i]))
      rest += strlen (things[i]);
  arrow = strstr (rest, " -> ");
  name = leading_names (version, entities, rest);
  if (arrow != NULL)
    {
      g_free (name);
      name = g_strndup (rest, (gsize) (arrow - rest));
      rest = arrow + strlen (" -> ");
      if (strcmp (rest, name) == 0)
        rest = "";
      else
        {
          g_free (label->verb);
          label->verb = g_strdup_printf (strcmp (change->how, "replaced") == 0 ? _("%s by") : _("%s to"), ls_translate (change->how));
        }
    }
  else if (name != NULL && g_str_has_prefix (rest, name))
    rest += strlen (name);
  else
    {
      g_free (name);
      name = g_strndup (rest, strcspn (rest, " ,"));
      rest += strlen (name);
    }
  label->head = change->type == LS_ENTITY_BLOCK ? g_strdup_printf (_("block %s"), name) : g_strdup (name);
  label->tail = g_strchomp (g_strdup (rest + strspn (rest, " ,")));
}

/* ---- where a change is shown -------------------------------------------------- */

/* The row of `shown` for an entity of another version on the path: itself, else one of its family. */
static guint64
row_in (LsVersion      *shown,
        const LsEntity *entity,
        gboolean        strict)
{
  if (ls_version_find_id (shown, entity->id) >= 0)
    return LS_ROW_ID (entity);
  for (guint i = 0; !strict && i < ls_version_get_n (shown); i++)
    if (ls_version_at (shown, i)->type == LS_ENTITY_LOOP && entity->type == LS_ENTITY_LOOP &&
        ls_entity_is_related (ls_version_at (shown, i), entity))
      return LS_ROW_ID (ls_version_at (shown, i));

  return 0;
}

static void
count (Compare    *self,
       const char *how)
{
  g_hash_table_insert (self->counts, (gpointer) how,
                       GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (self->counts, how)) + 1));
}

static void
add_change (Compare               *self,
            const LsLineageChange *change,
            LsLineage             *lineage,
            guint                  step)
{
  LsNestLabel *label;

  if (change->type == LS_ENTITY_BUFFER)
    return;
  count (self, change->how);
  if (self->answer->labels->len >= MOST_LABELS)
    return;
  label = g_new0 (LsNestLabel, 1);
  label->step = step;
  put_words (label, change, lineage);
  if (change->before->len > 0)
    label->before = row_in (self->before, ls_version_at (lineage->before, g_array_index (change->before, guint, 0)), FALSE);
  if (change->after->len > 0)
    label->after = row_in (self->after, ls_version_at (lineage->after, g_array_index (change->after, guint, 0)), FALSE);
  g_ptr_array_add (self->answer->labels, label);
}

/* ---- lineage ------------------------------------------------------------------ */

static gboolean
comes_from (Compare *self)
{
  guint id = self->right_id;

  if (self->left != self->right)
    return FALSE;
  while (id > self->left_id)
    id = ls_history_get (self->right, id)->parent;
  return id == self->left_id;
}

static void
follow_steps (Compare *self)
{
  g_autoptr (GArray) path = ls_history_path_to (self->right, self->right_id);
  g_autoptr (GArray) links = ls_step_links (self->right, self->left_id, self->right_id);

  g_array_append_vals (self->answer->links, links->data, links->len);
  for (guint i = 0; i < path->len; i++)
    {
      LsHistoryNode *node = ls_history_get (self->right, g_array_index (path, guint, i));
      g_autoptr (LsLineage) lineage = NULL;
      g_autoptr (GPtrArray) changes = NULL;

      if (node->number <= ls_history_get (self->left, self->left_id)->number || !LS_HISTORY_DONE (node))
        continue;
      lineage = ls_schedule_lineage (node->schedule, node->first_step, ls_schedule_get_n_steps (node->schedule));
      changes = ls_lineage_describe (lineage);
      for (guint k = 0; k < changes->len; k++)
        add_change (self, g_ptr_array_index (changes, k), lineage, node->number);
    }
}

/* Entities of a fresh version have the same numbers as those of the shown one: both are in pre-order. */
static void
match_programs (Compare *self)
{
  g_autoptr (LsVersion) after = ls_version_new (self->after->module);
  g_autoptr (LsLineage) lineage = ls_lineage_match (self->before, after);
  g_autoptr (GPtrArray) changes = ls_lineage_describe (lineage);

  for (guint i = 0; i < lineage->links->len; i++)
    {
      const LsLineageLink *link = &g_array_index (lineage->links, LsLineageLink, i);
      LsNestLink pair = { .copy = link->how == LS_LINEAGE_COPIED };

      if (link->before < 0 || link->after < 0)
        continue;
      pair.before = LS_ROW_ID (ls_version_at (self->before, link->before));
      pair.after = LS_ROW_ID (ls_version_at (self->after, link->after));
      g_array_append_val (self->answer->links, pair);
    }
  for (guint i = 0; i < changes->len; i++)
    {
      const LsLineageChange *change = g_ptr_array_index (changes, i);
      guint n = self->answer->labels->len;
      LsNestLabel *label;

      add_change (self, change, lineage, 0);
      if (self->answer->labels->len == n)
        continue;
      label = g_ptr_array_index (self->answer->labels, n);
      label->before = change->before->len > 0
                        ? LS_ROW_ID (ls_version_at (self->before, g_array_index (change->before, guint, 0))) : 0;
      label->after = change->after->len > 0
                       ? LS_ROW_ID (ls_version_at (self->after, g_array_index (change->after, guint, 0))) : 0;
    }
}

static void
put_counts (Compare *self)
{
  static const char *const order[] = { "split", "fused", "moved", "created", "removed", "inlined" };
  g_autoptr (GPtrArray) rest = NULL;
  gpointer n;

  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    if (g_hash_table_lookup_extended (self->counts, order[i], NULL, &n))
      {
        g_ptr_array_add (self->answer->counts, g_strdup_printf (_("%u %s"), GPOINTER_TO_UINT (n), ls_translate (order[i])));
        g_hash_table_remove (self->counts, order[i]);
      }
  rest = ls_table_names (self->counts);
  for (guint i = 0; i < rest->len; i++)
    g_ptr_array_add (self->answer->counts, g_strdup_printf (_("%u %s"), GPOINTER_TO_UINT (g_hash_table_lookup (self->counts, rest->pdata[i])),
                                                            ls_translate (rest->pdata[i])));
}

/* ---- times -------------------------------------------------------------------- */

static int
by_size (gconstpointer a,
         gconstpointer b)
{
  double first = *(const double *) a, second = *(const double *) b;

  return first < second ? -1 : first > second;
}

/* The share of `of`'s samples that lie below every sample of `than`. */
static gboolean
all_below (const LsComparedSide *of,
           const LsComparedSide *than)
{
  double most = 0.0, least = G_MAXDOUBLE;

  for (guint i = 0; i < of->time.samples; i++)
    most = MAX (most, of->samples[i]);
  for (guint i = 0; i < than->time.samples; i++)
    least = MIN (least, than->samples[i]);
  return most < least;
}

static void
judge (LsComparison *self)
{
  LsComparedSide *left = &self->left, *right = &self->right, *fast, *slow;
  g_autoptr (LsTiming) a = NULL;
  g_autoptr (LsTiming) b = NULL;
  g_autofree char *factor = NULL;
  LsVerdict verdict;

  if (left->samples == NULL || right->samples == NULL)
    {
      self->verdict = g_strdup (_("Not measured yet."));
      return;
    }
  a = ls_timing_new (left->samples, (int) left->time.samples);
  b = ls_timing_new (right->samples, (int) right->time.samples);
  verdict = ls_verdict_decide (a, b);
  fast = right->time.median <= left->time.median ? right : left;
  slow = fast == right ? left : right;
  factor = ls_format_factor (slow->time.median / fast->time.median);
  switch (verdict.kind)
    {
    case LS_VERDICT_FASTER:
      self->verdict = g_strdup_printf (_("Right is %s faster than left."), factor);
      break;
    case LS_VERDICT_SLOWER:
      self->verdict = g_strdup_printf (_("Right is %s slower than left."), factor);
      break;
    case LS_VERDICT_NO_DIFFERENCE:
      self->verdict = g_strdup (_("No real difference."));
      self->why = g_strdup_printf (_("The medians are %s apart, inside the noise of the samples."), factor);
      return;
    case LS_VERDICT_TOO_FEW:
      self->verdict = g_strdup (_("Too few samples to tell."));
      return;
    }
  self->why = all_below (fast, slow)
                ? g_strdup_printf (fast == left ? _("Every one of the %u samples on the left beats every one on the right: this is no noise.")
                                                : _("Every one of the %u samples on the right beats every one on the left: this is no noise."),
                                   fast->time.samples)
                : g_strdup_printf (_("The samples overlap, but chance alone would give this %s."),
                                   verdict.p < 0.0001 ? _("less than once in 10,000 times") : _("less than once in 100 times"));
}

/* What a device measured comes as quartiles, without single samples. */
static void
judge_device (LsComparison *self,
              const char   *device)
{
  const LsStepTime *left = &self->left.time, *right = &self->right.time, *fast = right->median <= left->median ? right : left, *slow = fast == right ? left : right;
  g_autofree char *factor = NULL;

  if (left->samples == 0 || right->samples == 0)
    {
      self->verdict = g_strdup_printf (_("%s has not measured both."), device);
      return;
    }
  factor = ls_format_factor (slow->median / fast->median);
  if (left->q1 <= right->q3 && right->q1 <= left->q3)
    {
      self->verdict = g_strdup (_("No real difference."));
      self->why = g_strdup_printf (_("On %s the medians are %s apart, and the middle halves of the samples overlap."), device, factor);
      return;
    }
  self->verdict = g_strdup_printf (fast == right ? _("Right is %s faster than left.") : _("Right is %s slower than left."), factor);
  self->why = g_strdup_printf (_("Measured on %s: the middle halves of the samples lie apart."), device);
}

/* ---- the whole ---------------------------------------------------------------- */

static void
fill_side (LsComparedSide *side,
           LsHistory      *history,
           guint           id,
           const char     *device)
{
  LsHistoryNode *node = ls_history_get (history, id);
  g_autofree char *tag = ls_step_item_tag (node->item);

  side->title = id == 0 ? g_strdup (node->call)
                        : g_strdup_printf (_("%s, step %s"), ls_history_branch_name (history, node->branch), tag);
  if (device != NULL)
    side->time = ls_device_note_time (ls_device_notes_of (node->devices, device));
  if (device != NULL || node->time.samples == 0 || node->samples == NULL || node->stale)
    return;
  side->time = node->time;
  side->samples = g_memdup2 (node->samples, node->time.samples * sizeof (double));
  qsort (side->samples, node->time.samples, sizeof (double), by_size);
}

static void
fill_program (LsComparedSide *side,
              LsHistory      *history,
              guint           id)
{
  g_autoptr (LsModuleCosts) costs = ls_module_costs_new (ls_schedule_get_module (ls_history_get (history, id)->schedule));

  side->loops = ls_session_build_loops_from (history, id, costs, &side->flop);
  side->text = ls_session_build_text (history, id);
}

static char *
distance_text (Compare *self)
{
  guint a = self->left_id, b = self->right_id, n = 0;

  if (self->left != self->right)
    return g_strdup (_("two files"));
  while (a != b)
    {
      guint *later = a > b ? &a : &b;

      *later = ls_history_get (self->left, *later)->parent;
      n++;
    }
  if (n == 0)
    return g_strdup (_("the same step twice"));
  return g_strdup_printf (ngettext ("%u step apart", "%u steps apart", n), n);
}

LsComparison *
ls_session_compare_begin (LsHistory *left,
                          guint      left_id,
                          LsHistory *right,
                          guint      right_id,
                          const char *device)
{
  LsComparison *answer = ls_comparison_new ();
  Compare self = { left, right, left_id, right_id, NULL, NULL, answer, NULL };

  fill_side (&answer->left, left, left_id, device);
  fill_side (&answer->right, right, right_id, device);
  if (device != NULL)
    judge_device (answer, device);
  else
    judge (answer);
  answer->distance = distance_text (&self);
  return answer;
}

void
ls_session_compare_programs (LsComparison *answer,
                             LsHistory    *left,
                             guint         left_id,
                             LsHistory    *right,
                             guint         right_id)
{
  g_autoptr (GHashTable) counts = g_hash_table_new (g_str_hash, g_str_equal);
  Compare self = { left, right, left_id, right_id, version_of (left, left_id), version_of (right, right_id), answer, counts };

  fill_program (&answer->left, left, left_id);
  fill_program (&answer->right, right, right_id);
  answer->same = strcmp (ls_script_text_get_text (answer->left.text), ls_script_text_get_text (answer->right.text)) == 0;
  ls_script_text_compare (answer->left.text, answer->right.text);
  if (comes_from (&self))
    follow_steps (&self);
  else
    match_programs (&self);
  put_counts (&self);
}

LsComparison *
ls_session_compare (LsHistory *left,
                    guint      left_id,
                    LsHistory *right,
                    guint      right_id,
                    const char *device)
{
  LsComparison *answer = ls_session_compare_begin (left, left_id, right, right_id, device);

  ls_session_compare_programs (answer, left, left_id, right, right_id);
  return answer;
}
