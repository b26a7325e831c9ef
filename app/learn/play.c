/* LsPlay: a queue of requests to the kernel, and what came of them. */
#include "app/learn/play.h"

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

struct _LsPlay {
  GObject     parent_instance;

  LsLesson   *lesson;
  LsKernel   *kernel;
  GArray     *parts;            /* of LsPlayPart */
  GQueue      jobs;             /* of Job; the first one is under way when `running` */
  gboolean    running;
  gboolean    asked_needs;
  char      **missing;          /* modules, or NULL */
  GHashTable *steps;            /* key of a schedule -> steps that were shown */
  guint       page;
  gint64      interrupted;      /* monotonic, 0 = not */
  guint       save_source;
};

enum { PART_CHANGED, SHOWN, PAGE_CHANGED, KERNEL_CHANGED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (LsPlay, ls_play, G_TYPE_OBJECT)

static void start_next (LsPlay *self);

static LsPlayPart *
at (LsPlay *self,
    guint   part)
{
  return &g_array_index (self->parts, LsPlayPart, part);
}

static const LsLessonPart *
part_of (LsPlay *self,
         guint   part)
{
  return ls_lesson_get_part (self->lesson, part);
}

static void
changed (LsPlay *self,
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

/* ---- progress on disk -------------------------------------------------------- */

static char *
progress_path (LsPlay *self)
{
  g_autofree char *name = g_strdup_printf ("%s.%s.ini", ls_lesson_get_id (self->lesson), ls_lesson_get_language (self->lesson));

  g_strdelimit (name, "/\\", '_');
  return g_build_filename (g_get_user_data_dir (), "loopscope", "lessons", name, NULL);
}

/* A part that is moved in the file keeps its progress by its id, else by its place. */
static char *
group_name (LsPlay *self,
            guint   part)
{
  const LsLessonPart *of = part_of (self, part);

  return of->id != NULL ? g_strdup_printf ("part %s", of->id) : g_strdup_printf ("part %u", part);
}

static void
load (LsPlay *self)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *path = progress_path (self);

  if (!g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL))
    return;
  self->page = (guint) CLAMP (g_key_file_get_integer (file, "lesson", "page", NULL), 0, (int) ls_lesson_get_n_pages (self->lesson) - 1);
  for (guint i = 0; i < self->parts->len; i++)
    {
      g_autofree char *group = group_name (self, i);
      LsPlayPart *part = at (self, i);

      if (!g_key_file_has_group (file, group))
        continue;
      part->code = g_key_file_get_string (file, group, "code", NULL);
      part->revealed = g_key_file_get_boolean (file, group, "revealed", NULL);
      part->solved = g_key_file_get_boolean (file, group, "solved", NULL);
      part->choice = g_key_file_has_key (file, group, "choice", NULL) ? g_key_file_get_integer (file, group, "choice", NULL) : -1;
      if (part_of (self, i)->choices != NULL && part->choice >= (int) part_of (self, i)->choices->len)
        part->choice = -1;
    }
}

void
ls_play_save (LsPlay *self)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *path = progress_path (self);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GError) error = NULL;

  g_clear_handle_id (&self->save_source, g_source_remove);
  g_key_file_set_integer (file, "lesson", "page", (int) self->page);
  for (guint i = 0; i < self->parts->len; i++)
    {
      g_autofree char *group = group_name (self, i);
      const LsPlayPart *part = at (self, i);

      if (part->code != NULL)
        g_key_file_set_string (file, group, "code", part->code);
      if (part->choice >= 0)
        g_key_file_set_integer (file, group, "choice", part->choice);
      if (part->revealed)
        g_key_file_set_boolean (file, group, "revealed", TRUE);
      if (part->solved)
        g_key_file_set_boolean (file, group, "solved", TRUE);
    }
  g_mkdir_with_parents (folder, 0700);
  if (!g_key_file_save_to_file (file, path, &error))
    g_warning ("the progress of the lesson is not kept: %s", error->message);
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

/* ---- what is out of date -------------------------------------------------------- */

static gboolean
is_done (LsPlayState state)
{
  return state == LS_PLAY_DONE || state == LS_PLAY_STALE;
}

/* Has its code been changed since it ran? */
static gboolean
is_ahead (LsPlay *self,
          guint   part)
{
  const LsPlayPart *of = at (self, part);

  return of->ran != NULL && is_done (of->state) && strcmp (of->ran, ls_play_get_code (self, part)) != 0;
}

/* Done and stale parts, anew: what stands behind changed code shows what the old code gave. */
static void
refresh_stale (LsPlay *self)
{
  gboolean behind = FALSE;

  for (guint i = 0; i < self->parts->len; i++)
    {
      LsPlayPart *part = at (self, i);
      LsPlayState state = part->state;

      behind |= is_ahead (self, i);
      if (is_done (state))
        part->state = behind || part->overtaken ? LS_PLAY_STALE : LS_PLAY_DONE;
      if (part->state != state)
        changed (self, i);
    }
}

/* A part starts to run: later ones that ran before it are out of date when its code is another one than then. */
static void
note_run (LsPlay *self,
          guint   number)
{
  LsPlayPart *part = at (self, number);
  const char *code = part_of (self, number)->code != NULL ? ls_play_get_code (self, number) : NULL;

  part->overtaken = FALSE;
  if (code == NULL)
    return;
  if (part->ran != NULL && strcmp (part->ran, code) != 0)
    for (guint i = number + 1; i < self->parts->len; i++)
      at (self, i)->overtaken |= is_done (at (self, i)->state);
  g_free (part->ran);
  part->ran = g_strdup (code);
}

/* ---- what came of a request --------------------------------------------------- */

static void
set_trouble (LsPlayPart *part,
             const char *sentence,
             const char *trouble)
{
  g_free (part->sentence);
  g_free (part->trouble);
  part->sentence = g_strdup (sentence);
  part->trouble = trouble != NULL && *trouble != 0 ? g_strdup (trouble) : NULL;
}

/* Python is gone: nothing that was done counts any more. */
static void
forget_life (LsPlay *self)
{
  g_hash_table_remove_all (self->steps);
  for (guint i = 0; i < self->parts->len; i++)
    {
      LsPlayPart *part = at (self, i);

      part->overtaken = FALSE;
      if (is_done (part->state))
        part->state = LS_PLAY_GONE;
      else if (part->state == LS_PLAY_QUEUED || part->state == LS_PLAY_RUNNING)
        part->state = LS_PLAY_IDLE;
      else
        continue;
      changed (self, i);
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
          changed (self, job->part);
        }
      job_free (job);
    }
}

/* How many steps of a schedule were shown before; from now on all of them. */
static void
note_steps (LsPlay     *self,
            LsPlayPart *part)
{
  part->steps_before = 0;
  for (guint i = 0; part->outputs != NULL && i < ls_outputs_get_n (part->outputs); i++)
    {
      const LsOutput *output = ls_outputs_get (part->outputs, i);
      gint64 key;

      if (output->view == NULL || strcmp (ls_params_string (output->view, "kind", ""), "schedule") != 0)
        continue;
      key = ls_params_int (output->view, "key", 0);
      part->steps_before = GPOINTER_TO_UINT (g_hash_table_lookup (self->steps, GINT_TO_POINTER (key)));
      g_hash_table_replace (self->steps, GINT_TO_POINTER (key), GUINT_TO_POINTER ((guint) ls_params_int (output->view, "steps", 0)));
    }
}

static void
judge (LsPlay   *self,
       guint     number,
       GVariant *answer)
{
  const LsLessonPart *of = part_of (self, number);
  LsPlayPart *part = at (self, number);
  const char *status = ls_params_string (answer, "status", "?");
  g_auto (GStrv) names = ls_params_strv (answer, "names");

  part->ns = ls_params_double (answer, "ns", 0);
  part->state = LS_PLAY_DONE;
  set_trouble (part, NULL, NULL);
  if (of->kind != LS_PART_CELL)
    {
      g_clear_pointer (&part->answer, g_variant_unref);
      part->answer = g_variant_ref (answer);
    }
  if (strcmp (status, "interrupted") == 0)
    {
      part->state = LS_PLAY_FAILED;
      set_trouble (part, _("Interrupted."), NULL);
    }
  else if (strcmp (status, "fragment") == 0)
    set_trouble (part, _("This text is no Python; it was left out."), NULL);
  else if (strcmp (status, "error") == 0)
    {
      g_autofree char *sentence = g_strdup_printf ("%s: %s", ls_params_string (answer, "name", "?"), ls_params_string (answer, "message", ""));

      set_trouble (part, sentence, ls_params_string (answer, "traceback", ""));
      if (of->expect == NULL || names == NULL || !g_strv_contains ((const char *const *) names, of->expect))
        part->state = LS_PLAY_FAILED;
    }
  else if (strcmp (status, "failed") == 0)
    part->state = LS_PLAY_FAILED;
  else if (of->kind == LS_PART_EXERCISE)
    part->solved = TRUE;
  note_steps (self, part);
}

static void
fail_job (LsPlay *self,
          Job    *job,
          GError *error)
{
  LsPlayPart *part = at (self, job->part);

  drop_jobs (self);
  if (job->kind == JOB_RUN && part->state == LS_PLAY_RUNNING)
    {
      part->state = LS_PLAY_FAILED;
      set_trouble (part, error->message, NULL);
    }
  if (!g_error_matches (error, LS_KERNEL_ERROR, LS_KERNEL_ERROR_PROTOCOL))
    forget_life (self);
  changed (self, job->part);
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
      at (self, job->part)->solved = ls_params_bool (answer, "right", FALSE);
    }
  else
    {
      judge (self, job->part, answer);
      refresh_stale (self);
      if (at (self, job->part)->state == LS_PLAY_FAILED)
        drop_jobs (self);
    }
  if (job->kind != JOB_NEEDS && answer != NULL)
    {
      changed (self, job->part);
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
  sentence = g_strdup_printf (_("Left out: Python has no module %s here. Install it and open the lesson again."), module);
  part->state = LS_PLAY_SKIPPED;
  set_trouble (part, sentence, NULL);
  changed (self, job->part);
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
    ls_kernel_request_async (self->kernel, "primitive-check", ls_lesson_primitive_params (of, job->text), 30, callback, g_object_ref (self));
  else if (of->kind == LS_PART_EXERCISE)
    ls_kernel_request_async (self->kernel, "cases", ls_lesson_exercise_params (of, ls_play_get_code (self, job->part)), of->timeout, callback, g_object_ref (self));
  else if (of->kind == LS_PART_PRIMITIVE)
    ls_kernel_request_async (self->kernel, "primitive", ls_lesson_primitive_params (of, NULL), 30, callback, g_object_ref (self));
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

          note_run (self, job->part);
          part->state = LS_PLAY_RUNNING;
          g_clear_pointer (&part->outputs, ls_outputs_unref);
          set_trouble (part, NULL, NULL);
          g_clear_pointer (&part->verdict, g_variant_unref);
        }
      send_job (self, job);
      if (job->kind == JOB_RUN && self->running)
        {
          if (ls_kernel_get_outputs (self->kernel) != NULL)
            at (self, job->part)->outputs = ls_outputs_ref (ls_kernel_get_outputs (self->kernel));
          changed (self, job->part);
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
      changed (self, part);
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
ls_play_find_next (LsPlay *self)
{
  const LsLessonPage *page = ls_lesson_get_page (self->lesson, self->page);

  for (guint i = page->first; i < page->first + page->n_parts; i++)
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
    changed (self, job->part);
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
      changed (self, i);
    }
  ls_play_set_page (self, 0);
  save_soon (self);
}

static void
kernel_output (LsPlay *self)
{
  Job *job = g_queue_peek_head (&self->jobs);

  if (self->running && job != NULL && job->kind == JOB_RUN)
    changed (self, job->part);
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
  refresh_stale (self);
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
  changed (self, part);
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
  changed (self, part);
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

void
ls_play_set_page (LsPlay *self,
                  guint   page)
{
  if (page >= ls_lesson_get_n_pages (self->lesson) || page == self->page)
    return;
  self->page = page;
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
  load (self);
  return self;
}
