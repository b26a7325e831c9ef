/* Our own fences: cells with their options, questions, exercises, notes. */
#include "app/lesson/lesson-private.h"

#include "engine/base/table-order.h"

#include <string.h>

typedef struct {
  LsLessonPart  *part;
  LsStretch     *stretch;
  LsSource      *source;
  LsDiagnostics *findings;
} Reading;

/* What is wrong with the fence as a whole: (reading, code, sentence). */
#define ls_fence_complain(reading, code, ...) \
  ls_lesson_warn ((reading)->findings, (reading)->source, (reading)->stretch->open, LS_SEVERITY_ERROR, code, __VA_ARGS__)

static char *
option (Reading    *reading,
        const char *key)
{
  const char *value = ls_fence_option (reading->stretch->info, key);

  return value != NULL && *value != 0 ? g_strdup (value) : NULL;
}

static double
number (Reading    *reading,
        const char *key,
        double      fallback)
{
  const char *value = ls_fence_option (reading->stretch->info, key);
  char *end = NULL;
  double found = value != NULL ? g_ascii_strtod (value, &end) : fallback;

  if (value == NULL || (end != value && *end == 0 && found > 0))
    return found;
  ls_lesson_warn (reading->findings, reading->source, reading->stretch->open, LS_SEVERITY_ERROR, "lesson/option",
                  "%s takes a number above 0, not \"%s\".", key, value);
  return fallback;
}

/* Is the one the other with a letter too many, too few, another, or two exchanged? */
static gboolean
is_misspelt (const char *word,
             const char *known)
{
  gsize n = strlen (word), m = strlen (known), same = 0, tail = 0;

  while (word[same] != 0 && word[same] == known[same])
    same++;
  while (tail < n - same && tail < m - MIN (m, same) && word[n - 1 - tail] == known[m - 1 - tail])
    tail++;
  n -= MIN (n, same + tail);
  m -= MIN (m, same + tail);
  return m + same + tail > 2 && ((n <= 1 && m <= 1) || (n == 2 && m == 2 && word[same] == known[same + 1] && word[same + 1] == known[same]));
}

/* An option that nobody knows is left out; one that looks like another is an error, since it was meant to do something. */
static void
check_options (Reading           *reading,
               const char *const *known)
{
  g_autoptr (GPtrArray) names = ls_table_names (reading->stretch->info->options);

  for (guint i = 0; i < names->len; i++)
    {
      const char *name = names->pdata[i], *meant = NULL;

      if (*name == '.' || g_strv_contains (known, name))
        continue;
      for (guint k = 0; known[k] != NULL && meant == NULL; k++)
        if (is_misspelt (name, known[k]))
          meant = known[k];
      if (meant != NULL)
        ls_lesson_warn (reading->findings, reading->source, reading->stretch->open, LS_SEVERITY_ERROR, "lesson/option",
                        "%s is no option of this fence; %s may be meant.", name, meant);
      else
        ls_lesson_warn (reading->findings, reading->source, reading->stretch->open, LS_SEVERITY_WARNING, "lesson/option",
                        "%s is no option of this fence; it is left out.", name);
    }
}

/* ---- cells ---- */

/* "plain, tiled": one name for each measurement, in the order of the cell. (transfer full) */
static char **
names_of (Reading *reading)
{
  g_autofree char *text = option (reading, "names");
  char **names = text != NULL ? g_strsplit (text, ",", -1) : NULL;

  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    g_strstrip (names[i]);
  return names;
}

/* Where a run stops, "write C[0]; loop k if k == 3", and what is asked there. */
static void
read_run (Reading      *reading,
          LsLessonPart *part)
{
  g_autofree char *stops = option (reading, "stops");

  part->stops = stops != NULL ? g_strsplit (stops, ";", -1) : NULL;
  for (guint i = 0; part->stops != NULL && part->stops[i] != NULL; i++)
    g_strstrip (part->stops[i]);
  part->ask = option (reading, "ask");
  if (part->ask != NULL && strcmp (part->ask, "element") != 0 && strcmp (part->ask, "value") != 0)
    {
      ls_lesson_warn (reading->findings, reading->source, reading->stretch->open, LS_SEVERITY_ERROR, "lesson/ask",
                      "At a stop the element or the value that is written next is asked for: ask=element or ask=value, not \"%s\".", part->ask);
      g_clear_pointer (&part->ask, g_free);
    }
  if ((part->stops != NULL || part->ask != NULL) && g_strcmp0 (part->view, "run") != 0)
    ls_lesson_warn (reading->findings, reading->source, reading->stretch->open, LS_SEVERITY_ERROR, "lesson/stops",
                    "A run is stopped and asked about where there is one; this cell does not have view=run.");
  else if (part->ask != NULL && part->stops == NULL)
    ls_lesson_warn (reading->findings, reading->source, reading->stretch->open, LS_SEVERITY_ERROR, "lesson/stops",
                    "What is asked is asked at a stop; this cell has no stops=\"...\".");
}

static void
read_cell (Reading *reading)
{
  static const char *const known[] = { "id", "view", "mark", "names", "expect", "needs", "timeout", "skip", "folded", "title", "n", "stops", "ask", NULL };
  static const char *const views[] = { "loops", "text", "history", "graph", "chart", "picture", "table", "accesses", "run", "code", "none", NULL };
  static const char *const with_text[] = { "loops", "text", "history", "accesses", NULL };
  LsLessonPart *part = reading->part;

  if (!reading->stretch->info->course)
    check_options (reading, known);
  part->kind = LS_PART_CELL;
  part->code = g_strdup (reading->stretch->text);
  part->code_line = reading->stretch->line;
  part->view = option (reading, "view");
  part->mark = option (reading, "mark");
  part->names = names_of (reading);
  read_run (reading, part);
  part->expect = option (reading, "expect");
  part->needs = option (reading, "needs");
  part->timeout = number (reading, "timeout", 0);
  part->skip = ls_fence_option (reading->stretch->info, "skip") != NULL;
  part->folded = ls_fence_option (reading->stretch->info, "folded") != NULL;
  if (part->view != NULL && !g_strv_contains (views, part->view))
    {
      ls_lesson_warn (reading->findings, reading->source, reading->stretch->open, LS_SEVERITY_ERROR, "lesson/view",
                      "There is no view \"%s\"; there are loops, text, history, graph, chart, picture, table, accesses, run, code, none.", part->view);
      g_clear_pointer (&part->view, g_free);
    }
  if (part->mark != NULL && part->view != NULL && !g_strv_contains (with_text, part->view))
    ls_lesson_warn (reading->findings, reading->source, reading->stretch->open, LS_SEVERITY_ERROR, "lesson/mark",
                    "A mark stands at lines of text, and view=%s has none; loops, text and history have.", part->view);
  if (part->names != NULL && g_strcmp0 (part->view, "chart") != 0)
    ls_lesson_warn (reading->findings, reading->source, reading->stretch->open, LS_SEVERITY_ERROR, "lesson/names",
                    "Names are for the rows of a chart; this cell does not have view=chart.");
}

static void
read_output (Reading *reading)
{
  reading->part->kind = LS_PART_OUTPUT;
  reading->part->output = g_strdup (reading->stretch->text);
  reading->part->close = number (reading, "close", 0);
}

/* ---- questions ---- */

/* "- (x) text": the text, or NULL. */
static const char *
choice_text (const char *line,
             gboolean   *right)
{
  const char *at = line + strspn (line, " ");

  if ((*at != '-' && *at != '*') || at[1] != ' ')
    return NULL;
  at += 1 + strspn (at + 1, " ");
  if (at[0] != '(' || (at[1] != ' ' && at[1] != 'x' && at[1] != 'X') || at[2] != ')')
    return NULL;
  *right = at[1] != ' ';
  return at + 3 + strspn (at + 3, " ");
}

static void
choice_free (gpointer data)
{
  LsLessonChoice *choice = data;

  g_free (choice->markup);
  g_free (choice->reply);
  g_free (choice->text);
  g_free (choice);
}

/* "> text" below a choice is what is said to who chose it; takes such lines out of the text. (transfer full) or NULL */
static char *
take_reply (GString *choice)
{
  g_auto (GStrv) lines = g_strsplit (choice->str, "\n", -1);
  g_autoptr (GString) reply = g_string_new (NULL);

  g_string_truncate (choice, 0);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *at = lines[i] + strspn (lines[i], " ");

      if (i > 0 && *at == '>')
        g_string_append_printf (reply, "%s%s", reply->len > 0 ? " " : "", at + 1 + strspn (at + 1, " "));
      else
        g_string_append_printf (choice, "%s%s", i > 0 ? "\n" : "", lines[i]);
    }
  if (reply->len > 0)
    {
      g_autoptr (GPtrArray) blocks = ls_prose_parse (reply->str);

      return blocks->len > 0 ? g_strdup (((LsLessonBlock *) blocks->pdata[0])->text) : g_strdup (reply->str);
    }
  return NULL;
}

/* A choice is a line of text: what Markdown would begin a list or a heading with ("128.") is said as it is written. */
static void
add_choice (LsLessonPart *part,
            const char   *whole,
            gboolean      right)
{
  LsLessonChoice *choice = g_new0 (LsLessonChoice, 1);
  g_autoptr (GString) own = g_string_new (whole);
  g_autofree char *reply = take_reply (own);
  const char *text = own->str;
  g_autoptr (GPtrArray) blocks = ls_prose_parse (text);
  const LsLessonBlock *block = blocks->len > 0 ? blocks->pdata[0] : NULL;

  if (block != NULL && block->kind == LS_BLOCK_PARAGRAPH)
    {
      choice->markup = g_strdup (block->markup);
      choice->text = g_strdup (block->text);
    }
  else
    {
      choice->text = g_strchomp (g_strdup (text));
      choice->markup = g_markup_escape_text (choice->text, -1);
    }
  choice->right = right;
  choice->reply = g_steal_pointer (&reply);
  g_ptr_array_add (part->choices, choice);
}

static guint
count_right (GPtrArray *choices)
{
  guint n = 0;

  for (guint i = 0; i < choices->len; i++)
    n += ((LsLessonChoice *) choices->pdata[i])->right ? 1 : 0;
  return n;
}

static void
read_predict (Reading *reading)
{
  static const char *const known[] = { "id", "title", "reveal", NULL };
  LsLessonPart *part = reading->part;
  g_auto (GStrv) lines = g_strsplit (reading->stretch->text, "\n", -1);
  g_autoptr (GString) question = g_string_new (NULL);
  g_autoptr (GString) choice = g_string_new (NULL);
  g_autoptr (GString) answer = g_string_new (NULL);
  gboolean right = FALSE, in_choice = FALSE;
  guint i = 0;

  check_options (reading, known);
  part->kind = LS_PART_PREDICT;
  part->reveal = option (reading, "reveal");
  part->choices = g_ptr_array_new_with_free_func (choice_free);
  for (; lines[i] != NULL && strcmp (g_strchomp (lines[i]), "---") != 0; i++)
    {
      gboolean is_right = FALSE;
      const char *text = choice_text (lines[i], &is_right);

      if (text != NULL)
        {
          if (in_choice)
            add_choice (part, choice->str, right);
          g_string_assign (choice, text);
          right = is_right;
          in_choice = TRUE;
        }
      else
        g_string_append_printf (in_choice ? choice : question, in_choice ? "\n%s" : "%s\n", lines[i]);
    }
  if (in_choice)
    add_choice (part, choice->str, right);
  for (i += lines[i] != NULL; lines[i] != NULL; i++)
    g_string_append_printf (answer, "%s\n", lines[i]);
  part->blocks = ls_prose_parse (question->str);
  part->answer = ls_prose_parse (answer->str);
  if (part->blocks->len == 0)
    ls_fence_complain (reading, "lesson/question", "The question has no text.");
  if (part->choices->len == 1)
    ls_fence_complain (reading, "lesson/choices", "One answer is no choice; give two or more, or none.");
  for (guint k = 0; k < part->choices->len; k++)
    if (*((LsLessonChoice *) part->choices->pdata[k])->text == 0)
      ls_fence_complain (reading, "lesson/choices", "An answer has no words.");
  if (part->choices->len > 1 && count_right (part->choices) != 1)
    ls_fence_complain (reading, "lesson/choices", "Exactly one answer has to be marked (x).");
  if (part->choices->len == 0 && part->answer->len == 0)
    ls_fence_complain (reading, "lesson/choices", "There is nothing to reveal: no answers, and no text after a line ---.");
}

static void
read_primitive (Reading *reading)
{
  static const char *const known[] = { "id", "title", "schedule", "step", "drill", NULL };
  LsLessonPart *part = reading->part;

  check_options (reading, known);
  part->kind = LS_PART_PRIMITIVE;
  part->schedule = option (reading, "schedule");
  part->step = (int) number (reading, "step", 0);
  part->drill = ls_fence_option (reading->stretch->info, "drill") != NULL;
  part->blocks = ls_prose_parse (reading->stretch->text);
  if (part->schedule == NULL)
    ls_fence_complain (reading, "lesson/schedule", "schedule=NAME has to say which schedule of the cells is meant.");
  if (part->drill && part->step > 0)
    ls_fence_complain (reading, "lesson/option", "A drill asks for each step in turn: step=NUMBER does not go with it.");
}

/* ---- exercises ---- */

/* What was written since the hint before it is one hint. */
static void
take_hint (GString   *text,
           gsize     *from,
           GPtrArray *hints)
{
  g_autofree char *hint = g_strstrip (g_strdup (text->str + *from));

  *from = text->len;
  if (*hint != 0)
    g_ptr_array_add (hints, g_steal_pointer (&hint));
}

static void
read_exercise (Reading *reading)
{
  static const char *const known[] = { "id", "title", "timeout", "needs", NULL };
  static const char *const names[] = { "start", "cases", "hint", "solution" };
  LsLessonPart *part = reading->part;
  g_auto (GStrv) lines = g_strsplit (reading->stretch->text, "\n", -1);
  g_autoptr (GPtrArray) hints = g_ptr_array_new_with_free_func (g_free);
  GString *texts[5];
  gboolean given[5] = { FALSE };
  gsize hint_from = 0;
  guint at = 0;

  check_options (reading, known);
  for (guint k = 0; k < 5; k++)
    texts[k] = g_string_new (NULL);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      gboolean is_head = g_str_has_prefix (lines[i], "--- ");
      guint found = 0;

      for (guint k = 0; is_head && k < G_N_ELEMENTS (names); k++)
        if (strcmp (g_strstrip (lines[i] + 4), names[k]) == 0)
          found = k + 1;
      if (is_head && found == 0)
        ls_lesson_warn (reading->findings, reading->source, reading->stretch->line + i, LS_SEVERITY_ERROR, "lesson/exercise-section",
                        "There is no section \"%s\" in an exercise; there are start, cases, hint, solution.", lines[i] + 4);
      if (found == 1)
        part->code_line = reading->stretch->line + i + 1;
      if (at == 3 && found > 0)
        take_hint (texts[3], &hint_from, hints);
      if (found > 0)
        at = found;
      if (is_head)
        given[found] = TRUE;
      else if (lines[i + 1] != NULL || *lines[i] != 0)
        g_string_append_printf (texts[at], "%s\n", lines[i]);
    }
  part->kind = LS_PART_EXERCISE;
  part->timeout = number (reading, "timeout", 0);
  part->needs = option (reading, "needs");
  part->blocks = ls_prose_parse (texts[0]->str);
  part->code = g_string_free (texts[1], FALSE);
  part->cases = g_string_free (texts[2], FALSE);
  take_hint (texts[3], &hint_from, hints);
  g_ptr_array_add (hints, NULL);
  part->hints = hints->len > 1 ? (char **) g_ptr_array_free (g_steal_pointer (&hints), FALSE) : NULL;
  part->hint = g_string_free (texts[3], FALSE);
  part->solution = g_string_free (texts[4], FALSE);
  g_string_free (texts[0], TRUE);
  if (!given[2])
    ls_fence_complain (reading, "lesson/exercise-cases", "The exercise has no line \"--- cases\": nothing would be checked.");
  if (!given[4])
    ls_fence_complain (reading, "lesson/exercise-solution", "The exercise has no line \"--- solution\": nobody knows that it can be solved.");
}

static void
read_notes (Reading *reading)
{
  reading->part->kind = LS_PART_NOTES;
  reading->part->blocks = ls_prose_parse (reading->stretch->text);
}

gboolean
ls_fence_read (LsLessonPart  *part,
               LsStretch     *stretch,
               LsSource      *source,
               LsDiagnostics *findings)
{
  static const struct {
    const char *name;
    void      (*read) (Reading *reading);
  } KINDS[] = {
    { "python", read_cell },
    { "output", read_output },
    { "predict", read_predict },
    { "exercise", read_exercise },
    { "primitive", read_primitive },
    { "notes", read_notes },
  };
  Reading reading = { part, stretch, source, findings };

  for (gsize i = 0; i < G_N_ELEMENTS (KINDS); i++)
    if (strcmp (KINDS[i].name, stretch->info->name) == 0)
      {
        KINDS[i].read (&reading);
        part->id = option (&reading, "id");
        part->title = option (&reading, "title");
        return TRUE;
      }
  return FALSE;
}
