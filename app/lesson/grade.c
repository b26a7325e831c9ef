/* Grading: one fresh Python for each submission, since what one student wrote must not reach another; what stands before an exercise runs first.
 *
 * A student's code runs in the same process as the cases that judge it.  One case more than the lesson has, which must fail with a
 * word that is drawn anew each time, tells when something there answers for the cases; it does not tell a master.
 */
#include "app/lesson/grade.h"

#include "app/lesson/record.h"
#include "app/rpc/rpc.h"
#include "engine/base/base.h"
#include "engine/base/plural.h"

#include <string.h>

#define MEMORY ((guint64) 3 << 30)
#define MOST_BYTES (1 << 20)
#define CELL_SECONDS 60

typedef struct {
  LsLesson    *lesson;
  char       **keys;
  char        *home;            /* of the lesson */
  const char  *folder;
  double       seconds;
  guint        last;            /* part number of the last exercise + 1; 0: there is none */
  GHashTable  *primitives;      /* LsLessonPart -> char *: the right name */
  GHashTable  *records;         /* LsLessonPart that asks at stops -> GVariant: its run */
  GAsyncQueue *done;
  GPtrArray   *grades;
} Grading;

/* ---- one part --------------------------------------------------------------------------------- */

static void
graded_part_free (gpointer data)
{
  g_free (((LsGradedPart *) data)->note);
  g_free (data);
}

static void
grade_free (gpointer data)
{
  LsGrade *self = data;

  g_free (self->file);
  g_free (self->student);
  g_free (self->saved);
  g_free (self->notes);
  g_free (self->print);
  g_ptr_array_unref (self->parts);
  g_free (self);
}

static void
note (LsGrade    *self,
      const char *text)
{
  char *before = self->notes;

  self->notes = before != NULL ? g_strconcat (before, "; ", text, NULL) : g_strdup (text);
  g_free (before);
}

static LsGradedPart *
add_part (LsGrade            *self,
          const LsLessonPart *part,
          guint               points,
          guint               most,
          const char         *why)
{
  LsGradedPart *graded = g_new0 (LsGradedPart, 1);

  *graded = (LsGradedPart) { part, points, most, g_strdup (why) };
  self->points += points;
  self->most += most;
  g_ptr_array_add (self->parts, graded);
  return graded;
}

static guint
count_cases (const char *cases)
{
  g_auto (GStrv) lines = g_strsplit (cases, "\n", -1);
  guint n = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    n += g_str_has_prefix (g_strstrip (lines[i]), "# case:");
  return MAX (n, 1);
}

static void
grade_question (Grading            *grading,
                LsGrade            *self,
                const LsLessonPart *part,
                const char         *value)
{
  const char *right = part->kind == LS_PART_PRIMITIVE ? g_hash_table_lookup (grading->primitives, part) : NULL;

  for (guint i = 0; part->choices != NULL && i < part->choices->len; i++)
    if (((LsLessonChoice *) part->choices->pdata[i])->right)
      right = ((LsLessonChoice *) part->choices->pdata[i])->text;
  if (right == NULL)
    return;
  if (value == NULL)
    add_part (self, part, 0, 1, ls_translate ("not answered"));
  else
    add_part (self, part, strcmp (value, right) == 0, 1, strcmp (value, right) == 0 ? NULL : value);
}

/* What was answered at the stops of a run, against the run of the lesson's own program: its inputs are the same for all. */
static void
grade_stops (Grading            *grading,
             LsGrade            *self,
             const LsLessonPart *part,
             const char         *value)
{
  GVariant *record = g_hash_table_lookup (grading->records, part);
  g_autofree char *first = NULL;
  guint answered, asked, right;

  if (record == NULL)
    return;
  right = ls_lesson_stops_judge (record, g_strcmp0 (part->ask, "value") == 0, value, &answered, &asked, &first);
  add_part (self, part, right, asked, value != NULL ? first : ls_translate ("not answered"));
}

/* ---- an exercise ------------------------------------------------------------------------------ */

/* The cases, and one that has to fail with the word. (transfer full) */
static char *
with_canary (const LsLessonPart *part,
             const char         *word)
{
  gboolean named = strstr (part->cases, "# case:") != NULL;

  return g_strdup_printf ("%s%s\n# case: %s\nraise AssertionError(\"%s\")\n", named ? "" : "# case: 1\n", part->cases, word, word);
}

static GVariant *
case_of (GVariant *list,
         gsize     i)
{
  g_autoptr (GVariant) child = g_variant_get_child_value (list, i);

  return g_variant_is_of_type (child, G_VARIANT_TYPE_VARIANT) ? g_variant_get_variant (child) : g_variant_ref (child);
}

/* What the answer says of the cases; FALSE when it cannot be from them. */
static gboolean
count_passed (GVariant   *answer,
              guint       n,
              const char *word,
              guint      *passed,
              char      **why)
{
  g_autoptr (GVariant) list = ls_params_value (answer, "cases"), last = NULL;

  *passed = 0;
  if (list == NULL || !g_variant_is_container (list) || g_variant_n_children (list) != n + 1)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GVariant) one = case_of (list, i);

      if (ls_params_bool (one, "passed", FALSE))
        (*passed)++;
      else if (*why == NULL)
        *why = g_strdup_printf ("%s: %s", ls_params_string (one, "name", "?"), ls_params_string (one, "message", ""));
    }
  last = case_of (list, n);
  return !ls_params_bool (last, "passed", TRUE) && strcmp (ls_params_string (last, "message", ""), word) == 0;
}

static gboolean
grade_exercise (Grading            *grading,
                LsGrade            *self,
                LsKernel           *kernel,
                const LsLessonPart *part,
                const char         *code)
{
  g_autofree char *word = g_strdup_printf ("%08x%08x", g_random_int (), g_random_int ()), *why = NULL, *cases = with_canary (part, word), *name = NULL;
  g_autoptr (GVariant) answer = NULL;
  g_autoptr (GError) error = NULL;
  guint n = count_cases (part->cases), passed = 0;
  GVariantDict params;
  const char *status;

  if (code == NULL)
    {
      add_part (self, part, 0, n, ls_translate ("not handed in"));
      return FALSE;
    }
  name = g_strdup_printf ("exercise %u", part->number);
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "code", "s", code);
  g_variant_dict_insert (&params, "cases", "s", cases);
  g_variant_dict_insert (&params, "name", "s", name);
  answer = ls_kernel_request (kernel, "cases", g_variant_dict_end (&params), MIN (part->timeout, grading->seconds), NULL, &error);
  if (answer == NULL)
    {
      add_part (self, part, 0, n, error->message);
      return FALSE;
    }
  status = ls_params_string (answer, "status", "?");
  if (strcmp (status, "error") == 0)
    why = g_strdup_printf ("%s: %s", ls_params_string (answer, "name", "?"), ls_params_string (answer, "message", ""));
  else if (strcmp (status, "interrupted") == 0)
    why = g_strdup_printf (ls_translate ("it did not end within %g s"), MIN (part->timeout, grading->seconds));
  else if (!count_passed (answer, n, word, &passed, &why))
    {
      passed = 0;
      g_free (why);
      why = g_strdup (ls_translate ("what came back is not from the cases"));
      note (self, ls_translate ("something in the code answers for the cases: look at it"));
    }
  add_part (self, part, passed, n, why);
  return passed == n;
}

/* ---- one submission ---------------------------------------------------------------------------- */

/* Letters and digits of the code without comments: who renamed nothing has the same. */
static void
add_print (GChecksum  *sum,
           const char *code)
{
  g_auto (GStrv) lines = g_strsplit (code, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *comment = strchr (lines[i], '#');

      if (comment != NULL)
        *comment = 0;
      for (const char *at = lines[i]; *at != 0; at++)
        if (!g_ascii_isspace (*at))
          g_checksum_update (sum, (const guchar *) at, 1);
    }
}

/* Runs what a later exercise needs: cells; where the student has no working code, the solution. */
static void
prepare (Grading            *grading,
         LsKernel           *kernel,
         const LsLessonPart *part)
{
  GVariantDict params;
  g_autoptr (GVariant) answer = NULL;
  g_autofree char *name = g_strdup_printf ("cell %u", part->number);
  const char *code = part->kind == LS_PART_EXERCISE ? part->solution : part->code;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "code", "s", code != NULL ? code : "");
  g_variant_dict_insert (&params, "name", "s", name);
  g_variant_dict_insert (&params, "quiet", "b", TRUE);
  answer = ls_kernel_request (kernel, "run", g_variant_dict_end (&params), part->timeout, NULL, NULL);
}

static void
work_through (Grading      *grading,
              LsGrade      *self,
              LsSubmission *submission)
{
  g_autoptr (LsKernel) kernel = ls_kernel_new ();
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  gboolean any = FALSE;

  ls_kernel_set_folder (kernel, grading->home);
  ls_kernel_set_memory_limit (kernel, MEMORY);
  for (guint i = 0; i < ls_lesson_get_n_parts (grading->lesson); i++)
    {
      const LsLessonPart *part = ls_lesson_get_part (grading->lesson, i);
      const char *value = ls_submission_get (submission, grading->keys[i]);

      if (part->kind == LS_PART_CELL && part->ask != NULL)
        grade_stops (grading, self, part, value);
      if (part->kind == LS_PART_PREDICT || part->kind == LS_PART_PRIMITIVE)
        grade_question (grading, self, part, value);
      else if (part->kind == LS_PART_CELL && i < grading->last && !part->skip)
        prepare (grading, kernel, part);
      else if (part->kind == LS_PART_EXERCISE)
        {
          if (value != NULL && strcmp (value, part->code) != 0)
            {
              add_print (sum, value);
              any = TRUE;
            }
          if (!grade_exercise (grading, self, kernel, part, value) && i + 1 < grading->last)
            prepare (grading, kernel, part);
        }
    }
  if (any)
    self->print = g_strdup (g_checksum_get_string (sum));
  ls_kernel_stop (kernel);
}

static LsGrade *
grade_file (Grading    *grading,
            const char *name)
{
  LsGrade *self = g_new0 (LsGrade, 1);
  g_autofree char *path = g_build_filename (grading->folder, name, NULL), *text = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInfo) info = g_file_query_info (file, "standard::type,standard::size", G_FILE_QUERY_INFO_NOFOLLOW_SYMLINKS, NULL, NULL);
  g_autoptr (LsSubmission) submission = NULL;
  g_autoptr (GError) error = NULL;
  gsize n;

  self->file = g_strdup (name);
  self->parts = g_ptr_array_new_with_free_func (graded_part_free);
  self->status = LS_GRADE_UNREADABLE;
  if (info == NULL || g_file_info_get_file_type (info) != G_FILE_TYPE_REGULAR || g_file_info_get_size (info) > MOST_BYTES)
    note (self, ls_translate ("this is no submission: a plain file of at most 1 MiB is expected"));
  else if (!g_file_get_contents (path, &text, &n, &error) || (submission = ls_submission_parse (text, n, &error)) == NULL)
    note (self, error->message);
  if (submission == NULL)
    return self;
  self->student = g_strdup (submission->student);
  self->saved = g_strdup (submission->saved);
  self->seal = submission->seal;
  if (strcmp (submission->lesson, ls_lesson_get_id (grading->lesson)) != 0)
    {
      self->status = LS_GRADE_OTHER;
      note (self, ls_translate ("it is of another lesson"));
      return self;
    }
  if (submission->seal != LS_SEAL_WHOLE)
    note (self, submission->seal == LS_SEAL_BROKEN ? ls_translate ("it was changed after it was saved") : ls_translate ("it has no seal"));
  self->status = LS_GRADE_DONE;
  work_through (grading, self, submission);
  return self;
}

/* ---- the class -------------------------------------------------------------------------------- */

/* In a thread of its own, with a main context of its own, to which its kernel belongs. */
static void
grade_one (gpointer data,
           gpointer user_data)
{
  Grading *grading = user_data;
  g_autofree char *name = data;
  g_autoptr (GMainContext) context = g_main_context_new ();
  LsGrade *grade;

  g_main_context_push_thread_default (context);
  grade = grade_file (grading, name);
  while (g_main_context_iteration (context, FALSE))
    ;
  g_main_context_pop_thread_default (context);
  g_async_queue_push (grading->done, grade);
}

static int
by_name (gconstpointer a,
         gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

static int
by_file (gconstpointer a,
         gconstpointer b)
{
  return strcmp ((*(LsGrade *const *) a)->file, (*(LsGrade *const *) b)->file);
}

/* The same code from two students is said of both. */
static void
compare_prints (GPtrArray *grades)
{
  for (guint i = 0; i < grades->len; i++)
    for (guint k = 0; k < grades->len; k++)
      {
        LsGrade *a = grades->pdata[i], *b = grades->pdata[k];

        if (i != k && a->print != NULL && g_strcmp0 (a->print, b->print) == 0)
          {
            g_autofree char *words = g_strdup_printf (ls_translate ("the same code as in %s"), b->file);

            note (a, words);
            break;
          }
      }
}

/* What the lesson's own run says. */
static void
take_right (const LsRunReport *report,
            gpointer           data)
{
  Grading *grading = data;

  GVariant *record = report->part->ask != NULL ? ls_lesson_record_shown (report->outputs, report->part, NULL) : NULL;

  if (record != NULL)
    g_hash_table_insert (grading->records, (gpointer) report->part, record);
  if (report->answer != NULL && !report->part->drill)
    g_hash_table_insert (grading->primitives, (gpointer) report->part, g_strdup (ls_params_string (report->answer, "primitive", "")));
}

static GPtrArray *
list_files (const char  *folder,
            GError     **error)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, error);
  GPtrArray *names = dir != NULL ? g_ptr_array_new_with_free_func (g_free) : NULL;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".json"))
      g_ptr_array_add (names, g_strdup (name));
  if (names != NULL)
    g_ptr_array_sort (names, by_name);
  return names;
}

static gboolean
run_lesson (Grading  *grading,
            GError  **error)
{
  g_autoptr (LsKernel) kernel = ls_kernel_new ();
  guint failed;

  ls_kernel_set_folder (kernel, grading->home);
  failed = ls_lesson_run (grading->lesson, kernel, FALSE, take_right, grading);
  if (failed > 0)
    g_set_error (error, LS_LESSON_ERROR, LS_LESSON_ERROR_READ,
                 ls_translate_plural ("the lesson itself does not run here: %u of its cells fails; see lesson check",
                                      "the lesson itself does not run here: %u of its cells fail; see lesson check", failed), failed);
  return failed == 0;
}

static void
run_class (Grading     *grading,
           GPtrArray   *names,
           guint        jobs,
           LsGradeFunc  func,
           gpointer     data)
{
  GThreadPool *pool = g_thread_pool_new (grade_one, grading, (int) MAX (jobs, 1), TRUE, NULL);

  for (guint i = 0; i < names->len; i++)
    g_thread_pool_push (pool, g_strdup (names->pdata[i]), NULL);
  for (guint i = 0; i < names->len; i++)
    {
      LsGrade *grade = g_async_queue_pop (grading->done);

      g_ptr_array_add (grading->grades, grade);
      if (func != NULL)
        func (grade, i + 1, names->len, data);
    }
  g_thread_pool_free (pool, FALSE, TRUE);
}

GPtrArray *
ls_grade_folder (LsLesson    *lesson,
                 const char  *folder,
                 guint        jobs,
                 double       seconds,
                 LsGradeFunc  func,
                 gpointer     data,
                 GError     **error)
{
  g_autofree char *whole = g_canonicalize_filename (ls_lesson_get_path (lesson), NULL), *home = g_path_get_dirname (whole);
  g_auto (GStrv) keys = ls_lesson_keys (lesson);
  g_autoptr (GPtrArray) names = list_files (folder, error);
  g_autoptr (GHashTable) primitives = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (GHashTable) records = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_variant_unref);
  g_autoptr (GAsyncQueue) done = g_async_queue_new ();
  Grading grading = { .lesson = lesson, .keys = keys, .home = home, .folder = folder, .seconds = seconds, .primitives = primitives, .records = records, .done = done };

  for (guint i = 0; i < ls_lesson_get_n_parts (lesson); i++)
    if (ls_lesson_get_part (lesson, i)->kind == LS_PART_EXERCISE)
      grading.last = i + 1;
  if (names == NULL || !run_lesson (&grading, error))
    return NULL;
  grading.grades = g_ptr_array_new_with_free_func (grade_free);
  run_class (&grading, names, jobs, func, data);
  g_ptr_array_sort (grading.grades, by_file);
  compare_prints (grading.grades);
  return grading.grades;
}
