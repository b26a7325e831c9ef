/* lesson grade: goes through a folder of submissions; a table in the terminal, for a spreadsheet, for a browser, or as JSON. */
#include "app/cli/lesson-grade.h"

#include "app/cli/input.h"
#include "app/lesson/grade.h"
#include "app/page/page.h"

#include "engine/base/json.h"
#include "engine/base/plural.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NO_PROOF LS_TEXT ("A seal notices a file that was changed after it was saved; it is no proof, since who knows how can make it anew. " \
                          "Hidden cases run beside the student's code; what answers in their place is noticed unless it is very well made.")

/* The same in every language: programs read it.  For people it is looked up. */
static const char *
seal_word (const LsGrade *grade)
{
  if (grade->status != LS_GRADE_DONE)
    return grade->status == LS_GRADE_OTHER ? LS_TEXT ("another lesson") : LS_TEXT ("unreadable");
  return grade->seal == LS_SEAL_WHOLE ? LS_TEXT ("whole") : grade->seal == LS_SEAL_BROKEN ? LS_TEXT ("changed") : LS_TEXT ("none");
}

/* ---- the lesson -------------------------------------------------------------------------------- */

/* Of the first file that is a submission. (transfer full) or NULL */
static char *
find_id (const char  *folder,
         char       **language)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  char *id = NULL;

  while (dir != NULL && id == NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL), *text = NULL;
      g_autoptr (LsSubmission) submission = NULL;
      gsize n;

      if (g_str_has_suffix (name, ".json") && g_file_test (path, G_FILE_TEST_IS_REGULAR) && g_file_get_contents (path, &text, &n, NULL))
        submission = ls_submission_parse (text, n, NULL);
      if (submission != NULL)
        {
          id = g_strdup (submission->lesson);
          *language = g_strdup (submission->language);
        }
    }
  return id;
}

static LsLesson *
find_lesson (const char         *command,
             const LsCliGrading *grading)
{
  g_autofree char *own = ls_lesson_folder (), *language = NULL;
  g_autofree char *id = grading->lesson == NULL ? find_id (grading->folder, &language) : NULL;
  g_autoptr (GPtrArray) lessons = id != NULL && own != NULL ? ls_lesson_list (own) : NULL;
  g_autoptr (GError) error = NULL;
  LsLesson *found = NULL;

  if (grading->lesson != NULL)
    {
      found = ls_lesson_load (grading->lesson, NULL, &error);
      if (found == NULL)
        ls_cli_fail (command, "%s", error->message);
      return found;
    }
  for (guint i = 0; lessons != NULL && i < lessons->len; i++)
    {
      LsLesson *lesson = lessons->pdata[i];

      if (strcmp (ls_lesson_get_id (lesson), id) == 0 && (found == NULL || strcmp (ls_lesson_get_language (lesson), language) == 0))
        found = lesson;
    }
  if (found == NULL)
    ls_cli_fail (command, id == NULL ? "there is no submission in %s%s" : "the submissions in %s are of a lesson \"%s\"; --lesson FILE says where it is", grading->folder,
                 id != NULL ? id : "");
  return found != NULL ? ls_lesson_ref (found) : NULL;
}

/* ---- tables ------------------------------------------------------------------------------------ */

/* A field of a spreadsheet: one that it would compute is text. */
static void
put_field (GString    *out,
           const char *text)
{
  g_autoptr (GString) own = g_string_new (text != NULL ? text : "");

  if (own->len > 0 && strchr ("=+-@\t\r", *own->str) != NULL)
    g_string_prepend_c (own, '\'');
  g_string_replace (own, "\"", "\"\"", 0);
  g_string_append_printf (out, "%s\"%s\"", out->len > 0 && out->str[out->len - 1] != '\n' ? "," : "", own->str);
}

static char *
part_name (const LsGradedPart *graded)
{
  const LsLessonPart *part = graded->part;

  if (part->id != NULL)
    return g_strdup (part->id);
  return part->number > 0 ? g_strdup_printf ("exercise %u", part->number) : g_strdup_printf ("line %u", part->line);
}

/* The same for people. (transfer full) */
static char *
part_words (const LsGradedPart *graded)
{
  const LsLessonPart *part = graded->part;

  if (part->id != NULL)
    return g_strdup (part->id);
  return part->number > 0 ? g_strdup_printf (ls_translate ("exercise %u"), part->number) : g_strdup_printf (ls_translate ("line %u"), part->line);
}

static char *
count_words (GPtrArray *grades)
{
  return g_strdup_printf (ls_translate_plural ("%u submission", "%u submissions", grades->len), grades->len);
}

static char *
points_of (guint points,
           guint most)
{
  return g_strdup_printf ("%u/%u", points, most);
}

static const LsGrade *
first_done (GPtrArray *grades)
{
  for (guint i = 0; i < grades->len; i++)
    if (((LsGrade *) grades->pdata[i])->status == LS_GRADE_DONE)
      return grades->pdata[i];
  return NULL;
}

static char *
make_csv (GPtrArray *grades)
{
  const LsGrade *first = first_done (grades);
  GString *out = g_string_new (NULL);

  put_field (out, "student");
  put_field (out, "points");
  put_field (out, "most");
  put_field (out, "seal");
  for (guint k = 0; first != NULL && k < first->parts->len; k++)
    {
      g_autofree char *name = part_name (first->parts->pdata[k]);

      put_field (out, name);
    }
  put_field (out, "notes");
  put_field (out, "saved");
  put_field (out, "file");
  g_string_append_c (out, '\n');
  for (guint i = 0; i < grades->len; i++)
    {
      const LsGrade *grade = grades->pdata[i];
      g_autofree char *points = g_strdup_printf ("%u", grade->points), *most = g_strdup_printf ("%u", grade->most);

      put_field (out, grade->student);
      put_field (out, grade->status == LS_GRADE_DONE ? points : "");
      put_field (out, grade->status == LS_GRADE_DONE ? most : "");
      put_field (out, seal_word (grade));
      for (guint k = 0; first != NULL && k < first->parts->len; k++)
        {
          const LsGradedPart *graded = k < grade->parts->len ? grade->parts->pdata[k] : NULL;
          g_autofree char *got = graded != NULL ? g_strdup_printf ("%u", graded->points) : NULL;

          put_field (out, got);
        }
      put_field (out, grade->notes);
      put_field (out, grade->saved);
      put_field (out, grade->file);
      g_string_append_c (out, '\n');
    }
  return g_string_free (out, FALSE);
}

static void
put_row (LsPage        *page,
         const LsGrade *grade)
{
  g_autofree char *points = points_of (grade->points, grade->most);

  ls_page_put_format (page, "<tr><th scope=\"row\">%s</th><td>%s</td><td>%s</td>", grade->student != NULL ? grade->student : grade->file,
                      grade->status == LS_GRADE_DONE ? points : "", ls_translate (seal_word (grade)));
  for (guint k = 0; k < grade->parts->len; k++)
    {
      const LsGradedPart *graded = grade->parts->pdata[k];

      ls_page_put_format (page, "<td class=\"%s\">%u/%u", graded->points == graded->most ? "good" : "bad", graded->points, graded->most);
      if (graded->note != NULL && graded->points < graded->most)
        ls_page_put_format (page, "<br><small>%s</small>", graded->note);
      ls_page_put_html (page, "</td>");
    }
  ls_page_put_format (page, "<td>%s</td></tr>\n", grade->notes != NULL ? grade->notes : "");
}

static char *
make_html (LsLesson  *lesson,
           GPtrArray *grades)
{
  const LsGrade *first = first_done (grades);
  /* Translators: the language of the texts: zh_CN, ko, .. */
  LsPage *page = ls_page_new (ls_lesson_get_title (lesson), ls_translate ("en"), "grades");
  g_autofree char *count = count_words (grades);
  char *text;

  ls_page_put_format (page, "<main id=\"main\" style=\"max-width:none\"><h1>%s</h1><p>%s</p><div class=\"scroll\"><table>\n<tr><th scope=\"col\">%s</th>"
                      "<th scope=\"col\">%s</th><th scope=\"col\">%s</th>", ls_lesson_get_title (lesson), count, ls_translate ("Student"), ls_translate ("Points"),
                      ls_translate ("Seal"));
  for (guint k = 0; first != NULL && k < first->parts->len; k++)
    {
      g_autofree char *name = part_words (first->parts->pdata[k]);

      ls_page_put_format (page, "<th scope=\"col\">%s</th>", name);
    }
  ls_page_put_format (page, "<th scope=\"col\">%s</th></tr>\n", ls_translate ("Notes"));
  for (guint i = 0; i < grades->len; i++)
    put_row (page, grades->pdata[i]);
  ls_page_put_format (page, "</table></div><p class=\"dim\">%s</p></main>\n", ls_translate (NO_PROOF));
  text = ls_page_finish (page);
  ls_page_free (page);
  return text;
}

/* ---- JSON, terminal ------------------------------------------------------------------------------ */

static void
add_grade (JsonBuilder   *builder,
           const LsGrade *grade)
{
  json_builder_begin_object (builder);
  ls_json_put_text (builder, "file", grade->file);
  ls_json_put_text (builder, "student", grade->student);
  ls_json_put_text (builder, "seal", seal_word (grade));
  ls_json_put_int (builder, "points", grade->points);
  ls_json_put_int (builder, "most", grade->most);
  ls_json_put_text (builder, "notes", grade->notes);
  ls_json_begin_array (builder, "parts");
  for (guint k = 0; k < grade->parts->len; k++)
    {
      const LsGradedPart *graded = grade->parts->pdata[k];
      g_autofree char *name = part_name (graded);

      json_builder_begin_object (builder);
      ls_json_put_text (builder, "part", name);
      ls_json_put_int (builder, "points", graded->points);
      ls_json_put_int (builder, "most", graded->most);
      ls_json_put_text (builder, "note", graded->note);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

static void
print_json (LsLesson  *lesson,
            GPtrArray *grades)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  ls_json_put_text (builder, "lesson", ls_lesson_get_id (lesson));
  ls_json_begin_array (builder, "grades");
  for (guint i = 0; i < grades->len; i++)
    add_grade (builder, grades->pdata[i]);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  ls_cli_put_json (builder);
}

/* What a name or a message would do to a terminal stays out of it. (transfer full) */
static char *
calm (const char *text)
{
  GString *out = g_string_new (NULL);

  for (const char *at = text != NULL ? text : ""; *at != 0; at = g_utf8_next_char (at))
    {
      gunichar c = g_utf8_get_char (at);

      g_string_append_unichar (out, g_unichar_iscntrl (c) ? '?' : c);
    }
  return g_string_free (out, FALSE);
}

static void
print_text (GPtrArray *grades)
{
  g_autofree char *count = count_words (grades);

  for (guint i = 0; i < grades->len; i++)
    {
      const LsGrade *grade = grades->pdata[i];
      g_autofree char *points = points_of (grade->points, grade->most), *name = calm (grade->student != NULL ? grade->student : grade->file), *notes = calm (grade->notes);

      const char *seal = ls_translate (seal_word (grade));

      printf ("%s%*s %8s  %s%*s %s\n", name, MAX (24 - ls_cli_columns (name), 0), "", grade->status == LS_GRADE_DONE ? points : "-", seal,
              MAX (14 - ls_cli_columns (seal), 0), "", notes);
      for (guint k = 0; k < grade->parts->len; k++)
        {
          const LsGradedPart *graded = grade->parts->pdata[k];
          g_autofree char *part = part_words (graded), *why = calm (graded->note);

          if (graded->points < graded->most && graded->note != NULL)
            printf ("    %s %u/%u: %s\n", part, graded->points, graded->most, why);
        }
    }
  printf ("%s. %s\n", count, ls_translate (NO_PROOF));
}

static void
tell_progress (const LsGrade *grade,
               guint          done,
               guint          all,
               gpointer       data)
{
  if (isatty (STDERR_FILENO))
    fprintf (stderr, "\r%u of %u", done, all);
  if (isatty (STDERR_FILENO) && done == all)
    fputc ('\n', stderr);
}

static gboolean
write_file (const char *command,
            const char *path,
            const char *text)
{
  g_autoptr (GError) error = NULL;

  if (!g_file_set_contents (path, text, -1, &error))
    ls_cli_fail (command, "%s", error->message);
  return error == NULL;
}

int
ls_cli_lesson_grade (const char         *command,
                     const LsCliGrading *grading)
{
  g_autoptr (LsLesson) lesson = find_lesson (command, grading);
  g_autoptr (GPtrArray) grades = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *csv = NULL, *html = NULL;

  if (lesson == NULL)
    return LS_CLI_FAILED;
  grades = ls_grade_folder (lesson, grading->folder, (guint) CLAMP (grading->jobs, 1, 64), (double) MAX (grading->seconds, 1), tell_progress, NULL, &error);
  if (grades == NULL)
    return ls_cli_fail (command, "%s", error->message);
  if (grading->json)
    print_json (lesson, grades);
  else
    print_text (grades);
  csv = grading->csv != NULL ? make_csv (grades) : NULL;
  html = grading->html != NULL ? make_html (lesson, grades) : NULL;
  if ((csv != NULL && !write_file (command, grading->csv, csv)) || (html != NULL && !write_file (command, grading->html, html)))
    return LS_CLI_FAILED;
  return LS_CLI_DONE;
}
