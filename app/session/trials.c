/* session/trials: every move of the selection with each of its choices, measured one after the other and ranked; or one move with
 * each of its factors.
 *
 * A choice that gives a program which an earlier one gave is left out.  The list is sorted anew after each answer; what
 * waits stands last, in the order of the moves.
 */
#include "app/session/trials.h"

#include "engine/runtime/runtime.h"
#include "engine/script/printer.h"
#include "views/models/format.h"

#include <glib/gi18n.h>

#define MOST 40
#define BUDGET_MS 1000          /* of a program in the ranking */

struct _LsTrials
{
  LsSession   *session;
  LsDocument  *document;
  LsMoves     *moves;
  LsMeasuring *measuring;
  gboolean     trying;          /* what is likely to help is being measured */
};

/* ---- the ranking ---------------------------------------------------------------- */

typedef struct {
  LsTrials   *trials;
  LsStepItem *item;             /* of the ranking */
  LsSchedule *schedule;         /* until it is asked for */
} Ranked;

static void
ranked_free (gpointer data)
{
  Ranked *self = data;

  g_object_unref (self->item);
  g_clear_pointer (&self->schedule, ls_schedule_unref);
  g_free (self);
}

/* What waits comes after what was measured, what failed last. */
static double
time_of (const LsStepRecord *record)
{
  return record->state == LS_STEP_MEASURED ? record->timing.median : record->state == LS_STEP_FAILED ? G_MAXDOUBLE : 1e30;
}

static int
by_time (gconstpointer a,
         gconstpointer b,
         gpointer      user_data)
{
  const LsStepRecord *first = ls_step_item_get ((LsStepItem *) a), *second = ls_step_item_get ((LsStepItem *) b);
  double x = time_of (first), y = time_of (second);

  return x < y ? -1 : x > y ? 1 : (int) first->id - (int) second->id;
}

static void
take_ranked (const LsMeasured *measured,
             gpointer          data)
{
  Ranked *ranked = data;
  LsHistoryNode *here = ls_document_get_node (ranked->trials->document);
  LsStepRecord record = *ls_step_item_get (ranked->item);

  if (measured->trouble == NULL && measured->samples == NULL)
    return;
  record.state = measured->trouble == NULL ? LS_STEP_MEASURED : LS_STEP_FAILED;
  record.reason = measured->trouble;
  if (measured->trouble == NULL)
    record.timing = measured->time;
  if (measured->trouble == NULL && here->time.samples > 0 && !here->stale)
    {
      g_autoptr (LsTiming) before = ls_timing_new (here->samples, (int) here->time.samples);
      g_autoptr (LsTiming) after = ls_timing_new (measured->samples, (int) measured->time.samples);
      LsVerdictKind kind = ls_verdict_decide (before, after).kind;

      record.speedup = here->time.median / measured->time.median;
      record.no_difference = kind == LS_VERDICT_NO_DIFFERENCE || kind == LS_VERDICT_TOO_FEW;
    }
  ls_step_item_set (ranked->item, &record);
  ls_session_place_ranked (ranked->trials->session, ranked->item, by_time);
}

static void
add_choice (LsTrials   *self,
            const char *text,
            GPtrArray  *all,
            GHashTable *seen)
{
  g_autoptr (LsSchedule) copy = ls_schedule_copy (ls_document_get_node (self->document)->schedule);
  g_autoptr (LsSource) source = ls_source_new ("move", text, -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  g_autofree char *call = NULL, *module = NULL;
  Ranked *ranked;

  ls_schedule_apply_text (copy, source, 0, diagnostics);
  if (ls_diagnostics_has_error (diagnostics) || ls_schedule_get_n_steps (copy) == 0)
    return;
  module = ls_script_print (ls_schedule_get_module (copy), NULL, NULL);
  if (!g_hash_table_add (seen, g_compute_checksum_for_string (G_CHECKSUM_SHA1, module, -1)))
    return;
  call = ls_schedule_describe_step (copy, ls_schedule_get_n_steps (copy) - 1);
  ranked = g_new (Ranked, 1);
  *ranked = (Ranked) { self, ls_step_item_new (&(LsStepRecord) { .id = all->len, .parent = all->len, .number = all->len + 1, .call = call,
                                                                 .name = call, .state = LS_STEP_UNMEASURED }),
                       g_steal_pointer (&copy) };
  g_object_set_data_full (G_OBJECT (ranked->item), "ls-text", g_strdup (text), g_free);
  g_ptr_array_add (all, ranked);
}

void
ls_trials_rank (LsTrials *self)
{
  GListModel *moves = ls_session_get_moves (self->session);
  g_autoptr (GPtrArray) all = g_ptr_array_new (), items = g_ptr_array_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  if (ls_document_get_node (self->document) == NULL)
    return;
  for (guint i = 0; i < g_list_model_get_n_items (moves); i++)
    {
      g_autoptr (LsMoveItem) move = g_list_model_get_item (moves, i);
      g_autoptr (GPtrArray) texts = ls_moves_choices (self->moves, move);

      for (guint k = 0; k < texts->len && all->len < MOST; k++)
        add_choice (self, g_ptr_array_index (texts, k), all, seen);
    }
  for (guint i = 0; i < all->len; i++)
    g_ptr_array_add (items, ((Ranked *) g_ptr_array_index (all, i))->item);
  ls_session_set_ranking (self->session, items);
  if (ls_document_get_node (self->document)->time.samples == 0)
    ls_measuring_path (self->measuring, FALSE);
  for (guint i = 0; i < all->len; i++)
    {
      Ranked *ranked = g_ptr_array_index (all, i);
      g_autoptr (LsSchedule) schedule = g_steal_pointer (&ranked->schedule);

      ls_measuring_program (self->measuring, schedule, BUDGET_MS, take_ranked, ranked, ranked_free);
    }
}

void
ls_trials_apply_ranked (LsTrials   *self,
                        LsStepItem *item)
{
  const char *text = g_object_get_data (G_OBJECT (item), "ls-text");
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();

  if (ls_document_get_node (self->document) != NULL && text != NULL)
    ls_document_apply (self->document, ls_document_get (self->document)->current, text, diagnostics);
}

/* ---- what is likely to help ------------------------------------------------------- */

void
ls_trials_try_likely (LsTrials *self)
{
  guint here = ls_document_get (self->document)->current;
  g_autoptr (GArray) nodes = NULL;

  if (ls_document_get_node (self->document) == NULL)
    return;
  nodes = ls_likely_branch (self->moves);
  self->trying = nodes->len > 0;
  if (nodes->len > 0 && (ls_document_get_node (self->document)->time.samples == 0 || ls_document_get_node (self->document)->stale))
    ls_measuring_node (self->measuring, here);
  for (guint i = 0; i < nodes->len; i++)
    ls_measuring_node (self->measuring, g_array_index (nodes, guint, i));
}

void
ls_trials_finish (LsTrials *self)
{
  if (self->trying)
    ls_likely_prefer (self->moves);
  self->trying = FALSE;
}

/* ---- the factors of one move ------------------------------------------------------ */

typedef struct {
  LsTrials   *trials;
  LsMoveItem *move;
  gint64      inner;
  gboolean    last;             /* of its move */
} Tried;

static void
tried_free (gpointer data)
{
  g_object_unref (((Tried *) data)->move);
  g_free (data);
}

/* The slider shows it beside the factor. */
static void
keep_factor_time (LsMoveItem *move,
                  gint64      inner,
                  double      median)
{
  GHashTable *times = g_object_get_data (G_OBJECT (move), "ls-times");

  if (times == NULL)
    {
      times = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
      g_object_set_data_full (G_OBJECT (move), "ls-times", times, (GDestroyNotify) g_hash_table_unref);
    }
  g_hash_table_insert (times, g_strdup_printf ("%" G_GINT64_FORMAT, inner), g_memdup2 (&median, sizeof median));
}

/* Keeps the best factor so far on the move itself. */
static void
take_tried (const LsMeasured *measured,
            gpointer          data)
{
  Tried *tried = data;
  LsTrials *self = tried->trials;
  double *best = g_object_get_data (G_OBJECT (tried->move), "ls-best");
  LsHistoryNode *here = ls_document_get_node (self->document);
  g_autofree char *time = NULL, *speedup = NULL, *tag = NULL;

  if (measured->trouble != NULL && !measured->differs)
    {
      ls_session_set_conditions (self->session, ls_session_get_conditions (self->session), measured->trouble);
      return;
    }
  if (measured->samples != NULL)
    keep_factor_time (tried->move, tried->inner, measured->time.median);
  if (measured->samples != NULL && (best == NULL || measured->time.median < best[0]))
    {
      double fresh[2] = { measured->time.median, (double) tried->inner };

      g_object_set_data_full (G_OBJECT (tried->move), "ls-best", best = g_memdup2 (fresh, sizeof fresh), g_free);
    }
  if (best == NULL)
    return;
  time = ls_format_time (best[0]);
  speedup = here->time.samples > 0 ? ls_format_speedup (here->time.median / best[0]) : NULL;
  tag = g_strdup_printf (_("best %d: %s"), (int) best[1], speedup != NULL ? speedup : time);
  ls_moves_tell (self->moves, tried->move, tried->last ? (gint64) best[1] : 0, tag);
}

void
ls_trials_measure_move (LsTrials   *self,
                        LsMoveItem *move)
{
  g_autoptr (GPtrArray) variants = NULL;

  if (ls_document_get_node (self->document) == NULL)
    return;
  variants = ls_moves_variants (self->moves, move);
  if (ls_document_get_node (self->document)->time.samples == 0)
    ls_measuring_node (self->measuring, ls_document_get (self->document)->current);
  for (guint i = 0; i < variants->len; i++)
    {
      LsMoveVariant *variant = g_ptr_array_index (variants, i);
      Tried *tried = g_new (Tried, 1);

      *tried = (Tried) { self, g_object_ref (move), variant->inner, i + 1 == variants->len };
      ls_measuring_program (self->measuring, variant->schedule, 0, take_tried, tried, tried_free);
    }
}

/* ---- life --------------------------------------------------------------------------- */

LsTrials *
ls_trials_new (LsSession   *session,
               LsDocument  *document,
               LsMoves     *moves,
               LsMeasuring *measuring)
{
  LsTrials *self = g_new (LsTrials, 1);

  *self = (LsTrials) { session, g_object_ref (document), moves, measuring, FALSE };
  return self;
}

void
ls_trials_free (LsTrials *self)
{
  g_object_unref (self->document);
  g_free (self);
}
