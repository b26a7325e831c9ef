/* LsPlay: a queue of requests to the kernel, and what came of them. */
#include "app/learn/play-private.h"

#include "app/lesson/record.h"
#include "app/lesson/runner.h"
#include "app/rpc/rpc.h"

#include <glib/gi18n.h>
#include <string.h>

#define UNHEARD_MS 700

typedef enum {
  JOB_NEEDS,
  JOB_RUN,
  JOB_ANSWER,
} JobKind;

typedef struct {
  JobKind  kind;
  guint    part;
  char    *text;
  gboolean before;              /* only runs because a later one was asked for: its result is not brought up */
} Job;

enum { PART_CHANGED, SHOWN, PAGE_CHANGED, KERNEL_CHANGED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (LsPlay, ls_play, G_TYPE_OBJECT)

static void start_next (LsPlay *self);

void
ls_play_part_changed (LsPlay *self,
                      guint   part)
{
  g_signal_emit (self, signals[PART_CHANGED], 0, part);
}

static void
part_clear (gpointer data)
{
  LsPlayPart *part = data;

  g_clear_pointer (&part->code, g_free);
  g_clear_pointer (&part->ran, g_free);
  g_clear_pointer (&part->stops, g_free);
  g_clear_pointer (&part->outputs, ls_outputs_unref);
  g_clear_pointer (&part->sentence, g_free);
  g_clear_pointer (&part->trouble, g_free);
  g_clear_pointer (&part->answer, g_variant_unref);
  g_clear_pointer (&part->verdict, g_variant_unref);
}

static void
job_free (gpointer data)
{
  Job *job = data;

  g_free (job->text);
  g_free (job);
}

static gboolean
save_now (gpointer data)
{
  LsPlay *self = data;

  self->save_source = 0;
  ls_play_save (self);
  return G_SOURCE_REMOVE;
}

static void
save_soon (LsPlay *self)
{
  if (self->save_source == 0)
    self->save_source = g_timeout_add (500, save_now, self);
}

/* ---- what came of a request --------------------------------------------------- */

/* Python is gone: nothing that was done counts any more. */
static void
forget_life (LsPlay *self)
{
  g_hash_table_remove_all (self->steps);
  for (guint i = 0; i < self->parts->len; i++)
    {
      LsPlayPart *part = at (self, i);

      part->overtaken = FALSE;
      if (ls_play_is_done (part->state))
        part->state = LS_PLAY_GONE;
      else if (part->state == LS_PLAY_QUEUED || part->state == LS_PLAY_RUNNING)
        part->state = LS_PLAY_IDLE;
      else
        continue;
      ls_play_part_changed (self, i);
    }
}

static void
drop_jobs (LsPlay *self)
{
  Job *job;

  while ((job = g_queue_pop_head (&self->jobs)) != NULL)
    {
      if (job->kind == JOB_RUN && at (self, job->part)->state == LS_PLAY_QUEUED)
        {
          at (self, job->part)->state = LS_PLAY_IDLE;
          ls_play_part_changed (self, job->part);
        }
      job_free (job);
    }
}

/* The part that somebody asked for: the last one of the queue; what stands before it only leads there. */
static guint
asked_part (LsPlay *self,
            Job    *job)
{
  Job *last = g_queue_peek_tail (&self->jobs);

  return job->kind == JOB_NEEDS && last != NULL ? last->part : job->part;
}

static void
fail_job (LsPlay *self,
          Job    *job,
          GError *error)
{
  guint number = asked_part (self, job);
  g_autofree char *sentence = ls_play_describe_end (self->kernel, error);

  drop_jobs (self);
  at (self, number)->state = LS_PLAY_FAILED;
  ls_play_set_trouble (at (self, number), sentence, NULL);
  if (number != job->part)
    ls_play_part_changed (self, number);
  if (!g_error_matches (error, LS_KERNEL_ERROR, LS_KERNEL_ERROR_PROTOCOL))
    forget_life (self);
  ls_play_part_changed (self, job->part);
}

static void
take_missing (LsPlay   *self,
              GVariant *answer)
{
  g_strfreev (self->missing);
  self->missing = ls_params_strv (answer, "missing");
  self->asked_needs = TRUE;
}

static void
done (GObject      *source,
      GAsyncResult *result,
      gpointer      data)
{
  g_autoptr (LsPlay) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (LsOutputs) outputs = NULL;
  g_autoptr (GVariant) answer = ls_kernel_request_finish (LS_KERNEL (source), result, &outputs, &error);
  Job *job = g_queue_pop_head (&self->jobs);

  self->running = FALSE;
  self->interrupted = 0;
  if (job == NULL)
    return;
  if (job->kind == JOB_RUN)
    {
      g_clear_pointer (&at (self, job->part)->outputs, ls_outputs_unref);
      at (self, job->part)->outputs = ls_outputs_ref (outputs);
    }
  if (answer == NULL)
    fail_job (self, job, error);
  else if (job->kind == JOB_NEEDS)
    take_missing (self, answer);
  else if (job->kind == JOB_ANSWER)
    {
      g_clear_pointer (&at (self, job->part)->verdict, g_variant_unref);
      at (self, job->part)->verdict = g_variant_ref (answer);
      at (self, job->part)->revealed = TRUE;
      at (self, job->part)->solved = ls_params_bool (answer, "right", FALSE) || (at (self, job->part)->solved && part_of (self, job->part)->drill);
    }
  else
    {
      ls_play_judge (self, job->part, answer);
      ls_play_refresh_stale (self);
      if (at (self, job->part)->state == LS_PLAY_FAILED)
        drop_jobs (self);
    }
  if (job->kind != JOB_NEEDS && answer != NULL)
    {
      ls_play_part_changed (self, job->part);
      if (!job->before)
        g_signal_emit (self, signals[SHOWN], 0, job->part);
      save_soon (self);
    }
  job_free (job);
  start_next (self);
  g_signal_emit (self, signals[KERNEL_CHANGED], 0);
}

/* ---- the queue ------------------------------------------------------------------ */

static GVariant *
needs_params (LsPlay *self)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GVariantBuilder modules;
  GVariantDict params;

  g_variant_builder_init (&modules, G_VARIANT_TYPE ("as"));
  for (guint i = 0; i <= self->parts->len; i++)
    {
      const char *needs = i < self->parts->len ? part_of (self, i)->needs : ls_lesson_get_needs (self->lesson);
      g_auto (GStrv) names = g_strsplit_set (needs != NULL ? needs : "", ", ", -1);

      for (guint k = 0; names[k] != NULL; k++)
        if (*names[k] != 0 && g_hash_table_add (seen, g_strdup (names[k])))
          g_variant_builder_add (&modules, "s", names[k]);
    }
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert_value (&params, "modules", g_variant_builder_end (&modules));
  return g_variant_dict_end (&params);
}

/* The first of these modules that Python does not have. */
static const char *
find_missing (LsPlay     *self,
              const char *needs)
{
  g_auto (GStrv) names = g_strsplit_set (needs != NULL ? needs : "", ", ", -1);

  for (guint i = 0; self->missing != NULL && self->missing[i] != NULL; i++)
    if (g_strv_contains ((const char *const *) names, self->missing[i]))
      return self->missing[i];
  return NULL;
}

static gboolean
skip_job (LsPlay *self,
          Job    *job)
{
  LsPlayPart *part = at (self, job->part);
  const char *module = find_missing (self, part_of (self, job->part)->needs);
  g_autofree char *sentence = NULL;

  if (module == NULL)
    module = find_missing (self, ls_lesson_get_needs (self->lesson));
  if (module == NULL || job->kind != JOB_RUN)
    return FALSE;
  if (g_str_has_prefix (module, "dataset-"))
    sentence = g_strdup_printf (_("Left out: the data set %s is not here. Install it (apt-get install %s) and open the lesson again."), module, module);
  else
    sentence = g_strdup_printf (_("Left out: Python has no module %s here. Install it and open the lesson again."), module);
  part->state = LS_PLAY_SKIPPED;
  ls_play_set_trouble (part, sentence, NULL);
  ls_play_part_changed (self, job->part);
  return TRUE;
}

static void
send_job (LsPlay *self,
          Job    *job)
{
  const LsLessonPart *of = job->kind != JOB_NEEDS ? part_of (self, job->part) : NULL;
  GAsyncReadyCallback callback = done;

  self->running = TRUE;
  if (job->kind == JOB_NEEDS)
    ls_kernel_request_async (self->kernel, "needs", needs_params (self), 30, callback, g_object_ref (self));
  else if (job->kind == JOB_ANSWER)
    ls_kernel_request_async (self->kernel, "primitive-check", ls_lesson_primitive_params (of, at (self, job->part)->round, job->text), 30, callback, g_object_ref (self));
  else if (of->kind == LS_PART_EXERCISE)
    ls_kernel_request_async (self->kernel, "cases", ls_lesson_exercise_params (of, ls_play_get_code (self, job->part)), of->timeout, callback, g_object_ref (self));
  else if (of->kind == LS_PART_PRIMITIVE)
    ls_kernel_request_async (self->kernel, "primitive", ls_lesson_primitive_params (of, at (self, job->part)->round, NULL), 30, callback, g_object_ref (self));
  else
    ls_kernel_request_async (self->kernel, "run", ls_lesson_cell_params (self->lesson, of, ls_play_get_code (self, job->part)), 0, callback, g_object_ref (self));
}

static void
start_next (LsPlay *self)
{
  while (!self->running && !g_queue_is_empty (&self->jobs))
    {
      Job *job = g_queue_peek_head (&self->jobs);

      if (job->kind != JOB_NEEDS && skip_job (self, job))
        {
          job_free (g_queue_pop_head (&self->jobs));
          continue;
        }
      if (job->kind == JOB_RUN)
        {
          LsPlayPart *part = at (self, job->part);

          ls_play_note_run (self, job->part);
          part->state = LS_PLAY_RUNNING;
          g_clear_pointer (&part->outputs, ls_outputs_unref);
          ls_play_set_trouble (part, NULL, NULL);
          g_clear_pointer (&part->verdict, g_variant_unref);
        }
      send_job (self, job);
      if (job->kind == JOB_RUN && self->running)
        {
          if (ls_kernel_get_outputs (self->kernel) != NULL)
            at (self, job->part)->outputs = ls_outputs_ref (ls_kernel_get_outputs (self->kernel));
          ls_play_part_changed (self, job->part);
        }
      g_signal_emit (self, signals[KERNEL_CHANGED], 0);
    }
}

static void
push (LsPlay     *self,
      JobKind     kind,
      guint       part,
      const char *text)
{
  Job *job = g_new0 (Job, 1);

  job->kind = kind;
  job->part = part;
  job->text = g_strdup (text);
  g_queue_push_tail (&self->jobs, job);
  if (kind == JOB_RUN)
    {
      at (self, part)->state = LS_PLAY_QUEUED;
      ls_play_part_changed (self, part);
    }
}

static gboolean
is_runnable (LsPlay *self,
             guint   part)
{
  const LsLessonPart *of = part_of (self, part);

  return of->kind == LS_PART_CELL && !of->skip;
}

static gboolean
is_to_be_run (LsPlay *self,
              guint   part)
{
  LsPlayState state = at (self, part)->state;

  return state == LS_PLAY_IDLE || state == LS_PLAY_GONE || state == LS_PLAY_STALE;
}

/* Cells before it, and exercises that were solved before. */
static void
push_before (LsPlay *self,
             guint   part)
{
  for (guint i = 0; i < part; i++)
    if (is_to_be_run (self, i)
        && (is_runnable (self, i) || (part_of (self, i)->kind == LS_PART_EXERCISE && at (self, i)->solved)))
      {
        push (self, JOB_RUN, i, NULL);
        ((Job *) g_queue_peek_tail (&self->jobs))->before = TRUE;
      }
}

void
ls_play_run (LsPlay *self,
             guint   part)
{
  LsPlayState state = at (self, part)->state;

  if (state == LS_PLAY_QUEUED || state == LS_PLAY_RUNNING)
    return;
  if (!self->asked_needs)
    push (self, JOB_NEEDS, 0, NULL);
  push_before (self, part);
  push (self, JOB_RUN, part, NULL);
  start_next (self);
}

int
ls_play_find_next (LsPlay *self,
                   int     after)
{
  const LsLessonPage *page = ls_lesson_get_page (self->lesson, self->page);

  for (guint i = MAX (page->first, (guint) (after + 1)); i < page->first + page->n_parts; i++)
    {
      LsPartKind kind = part_of (self, i)->kind;

      if (kind == LS_PART_PREDICT && !at (self, i)->revealed)
        return (int) i;
      if (kind == LS_PART_PRIMITIVE && (is_to_be_run (self, i) || !at (self, i)->revealed))
        return (int) i;
      if (kind == LS_PART_EXERCISE && !at (self, i)->solved)
        return (int) i;
      if (is_runnable (self, i) && is_to_be_run (self, i))
        return (int) i;
    }
  return -1;
}

/* ---- kernel ------------------------------------------------------------------------ */

/* An interrupt that is not heard in time changes what the cell says. */
static gboolean
still_unheard (gpointer data)
{
  LsPlay *self = data;
  Job *job = g_queue_peek_head (&self->jobs);

  if (self->running && self->interrupted > 0 && job != NULL && job->kind == JOB_RUN)
    ls_play_part_changed (self, job->part);
  return G_SOURCE_REMOVE;
}

void
ls_play_interrupt (LsPlay *self)
{
  if (!self->running)
    return;
  if (self->interrupted == 0)
    {
      self->interrupted = g_get_monotonic_time ();
      g_timeout_add_full (G_PRIORITY_DEFAULT, UNHEARD_MS, still_unheard, g_object_ref (self), g_object_unref);
    }
  ls_kernel_interrupt (self->kernel);
}

double
ls_play_get_unheard (LsPlay *self)
{
  return self->interrupted > 0 ? (double) (g_get_monotonic_time () - self->interrupted) / G_USEC_PER_SEC : 0;
}

void
ls_play_restart (LsPlay *self)
{
  ls_kernel_stop (self->kernel);
  if (!self->running)
    {
      drop_jobs (self);
      forget_life (self);
    }
  g_signal_emit (self, signals[KERNEL_CHANGED], 0);
}

void
ls_play_reset (LsPlay *self)
{
  ls_kernel_stop (self->kernel);
  for (guint i = 0; i < self->parts->len; i++)
    {
      part_clear (at (self, i));
      *at (self, i) = (LsPlayPart) { .choice = -1 };
      ls_play_part_changed (self, i);
    }
  for (guint i = 0; i < ls_lesson_get_n_pages (self->lesson); i++)
    self->seen[i] = i == 0;
  ls_play_set_page (self, 0);
  save_soon (self);
}

static void
kernel_output (LsPlay *self)
{
  Job *job = g_queue_peek_head (&self->jobs);

  if (self->running && job != NULL && job->kind == JOB_RUN)
    ls_play_part_changed (self, job->part);
}

/* ---- answers and edits ---------------------------------------------------------------- */

const char *
ls_play_get_code (LsPlay *self,
                  guint   part)
{
  const char *edited = at (self, part)->code;

  return edited != NULL ? edited : part_of (self, part)->code;
}

gboolean
ls_play_is_edited (LsPlay *self,
                   guint   part)
{
  return at (self, part)->code != NULL;
}

void
ls_play_set_code (LsPlay     *self,
                  guint       part,
                  const char *code)
{
  LsPlayPart *of = at (self, part);

  if (strcmp (ls_play_get_code (self, part), code) == 0)
    return;
  g_free (of->code);
  of->code = strcmp (code, part_of (self, part)->code) != 0 ? g_strdup (code) : NULL;
  ls_play_refresh_stale (self);
  save_soon (self);
}

void
ls_play_choose (LsPlay *self,
                guint   part,
                int     choice)
{
  if (at (self, part)->choice == choice)
    return;
  at (self, part)->choice = choice;
  ls_play_part_changed (self, part);
  save_soon (self);
}

static int
part_of_cell (LsPlay *self,
              guint   number)
{
  for (guint i = 0; i < self->parts->len; i++)
    if (part_of (self, i)->number == number)
      return (int) i;
  return -1;
}

void
ls_play_reveal (LsPlay  *self,
                guint    part,
                gboolean revealed)
{
  guint cell = part_of (self, part)->reveal_cell;
  int target = cell > 0 ? part_of_cell (self, cell) : -1;

  at (self, part)->revealed = revealed;
  ls_play_part_changed (self, part);
  if (revealed && target >= 0)
    ls_play_run (self, (guint) target);
  save_soon (self);
}

void
ls_play_answer (LsPlay     *self,
                guint       part,
                const char *text)
{
  push_before (self, part);
  push (self, JOB_ANSWER, part, text);
  start_next (self);
}

void
ls_play_again (LsPlay *self,
               guint   part)
{
  LsPlayPart *played = at (self, part);

  played->round++;
  played->choice = -1;
  played->revealed = FALSE;
  g_clear_pointer (&played->answer, g_variant_unref);
  g_clear_pointer (&played->verdict, g_variant_unref);
  ls_play_run (self, part);
}

void
ls_play_answer_stop (LsPlay     *self,
                     guint       part,
                     guint       at_statement,
                     const char *given)
{
  LsPlayPart *of = at (self, part);
  char *before = of->stops;

  of->stops = ls_lesson_stops_set (before, at_statement, given);
  g_free (before);
  save_soon (self);
}

void
ls_play_show (LsPlay *self,
              guint   part)
{
  g_signal_emit (self, signals[SHOWN], 0, part);
}

/* ---- the rest ------------------------------------------------------------------------- */

LsLesson *
ls_play_get_lesson (LsPlay *self)
{
  return self->lesson;
}

LsKernel *
ls_play_get_kernel (LsPlay *self)
{
  return self->kernel;
}

const LsPlayPart *
ls_play_get (LsPlay *self,
             guint   part)
{
  return at (self, part);
}

guint
ls_play_get_page (LsPlay *self)
{
  return self->page;
}

int
ls_play_find_part (LsPlay     *self,
                   LsPartKind  kind)
{
  const LsLessonPage *page = ls_lesson_get_page (self->lesson, self->page);

  for (guint i = page->first; i < page->first + page->n_parts; i++)
    if (ls_lesson_get_part (self->lesson, i)->kind == kind)
      return (int) i;
  return -1;
}

void
ls_play_set_page (LsPlay *self,
                  guint   page)
{
  if (page >= ls_lesson_get_n_pages (self->lesson) || page == self->page)
    return;
  self->page = page;
  self->seen[page] = TRUE;
  g_signal_emit (self, signals[PAGE_CHANGED], 0);
  save_soon (self);
}

gboolean
ls_play_is_busy (LsPlay *self)
{
  return self->running;
}

static void
ls_play_dispose (GObject *object)
{
  LsPlay *self = LS_PLAY (object);

  ls_play_present (self, FALSE);
  if (self->save_source != 0)
    ls_play_save (self);
  if (self->kernel != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->kernel, self);
      ls_kernel_stop (self->kernel);
    }
  g_clear_object (&self->kernel);
  G_OBJECT_CLASS (ls_play_parent_class)->dispose (object);
}

static void
ls_play_finalize (GObject *object)
{
  LsPlay *self = LS_PLAY (object);

  g_queue_clear_full (&self->jobs, job_free);
  g_array_unref (self->parts);
  g_hash_table_unref (self->steps);
  g_strfreev (self->missing);
  g_free (self->seen);
  ls_lesson_unref (self->lesson);
  G_OBJECT_CLASS (ls_play_parent_class)->finalize (object);
}

static void
ls_play_class_init (LsPlayClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = ls_play_dispose;
  object_class->finalize = ls_play_finalize;
  signals[PART_CHANGED] = g_signal_new ("part-changed", LS_TYPE_PLAY, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[SHOWN] = g_signal_new ("shown", LS_TYPE_PLAY, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[PAGE_CHANGED] = g_signal_new ("page-changed", LS_TYPE_PLAY, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[KERNEL_CHANGED] = g_signal_new ("kernel-changed", LS_TYPE_PLAY, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ls_play_init (LsPlay *self)
{
  self->kernel = ls_kernel_new ();
  self->steps = g_hash_table_new (NULL, NULL);
  self->parts = g_array_new (FALSE, TRUE, sizeof (LsPlayPart));
  g_array_set_clear_func (self->parts, part_clear);
  g_queue_init (&self->jobs);
  g_signal_connect_object (self->kernel, "output", G_CALLBACK (kernel_output), self, G_CONNECT_SWAPPED);
}

LsPlay *
ls_play_new (LsLesson *lesson)
{
  LsPlay *self = g_object_new (LS_TYPE_PLAY, NULL);
  g_autofree char *whole = g_canonicalize_filename (ls_lesson_get_path (lesson), NULL);
  g_autofree char *folder = g_path_get_dirname (whole);

  self->lesson = ls_lesson_ref (lesson);
  ls_kernel_set_folder (self->kernel, folder);
  g_array_set_size (self->parts, ls_lesson_get_n_parts (lesson));
  for (guint i = 0; i < self->parts->len; i++)
    at (self, i)->choice = -1;
  self->seen = g_new0 (gboolean, ls_lesson_get_n_pages (lesson));
  ls_play_load (self);
  self->seen[self->page] = TRUE;
  return self;
}
