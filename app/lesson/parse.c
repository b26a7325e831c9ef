/* A lesson from its text: front matter, stretches to parts, pages, numbers, what refers to what. */
#include "app/lesson/lesson-private.h"
#include "app/lesson/notebook.h"

#include <gio/gio.h>
#include <string.h>

#define SIZE_LIMIT (16u << 20)
#define CELL_TIMEOUT 60
#define FOREIGN_TIMEOUT 900

typedef struct {
  LsLesson      *lesson;
  LsSource      *source;
  LsDiagnostics *findings;
  gboolean       course;        /* cells are {.python .input} */
  gboolean       says_python;   /* some fence says python */
  guint          page;
} Builder;

static void
part_free (gpointer data)
{
  LsLessonPart *part = data;

  g_free (part->id);
  g_free (part->title);
  g_free (part->code);
  g_free (part->view);
  g_free (part->mark);
  g_strfreev (part->names);
  g_strfreev (part->stops);
  g_free (part->ask);
  g_free (part->expect);
  g_free (part->needs);
  g_free (part->output);
  g_free (part->reveal);
  g_free (part->schedule);
  g_free (part->cases);
  g_free (part->hint);
  g_strfreev (part->hints);
  g_free (part->solution);
  g_clear_pointer (&part->blocks, g_ptr_array_unref);
  g_clear_pointer (&part->choices, g_ptr_array_unref);
  g_clear_pointer (&part->answer, g_ptr_array_unref);
  g_free (part);
}

static void
page_clear (gpointer data)
{
  g_free (((LsLessonPage *) data)->title);
}

/* ---- front matter ---- */

static char *
unquote (const char *value)
{
  gsize n = strlen (value);

  if (n >= 2 && (*value == '"' || *value == '\'') && value[n - 1] == *value)
    return g_strndup (value + 1, n - 2);
  return g_strdup (value);
}

static void
take (char **at,
      char  *value)
{
  g_free (*at);
  *at = value;
}

static void
read_key (Builder    *builder,
          guint       line,
          const char *key,
          const char *raw)
{
  g_autofree char *value = unquote (raw);
  LsLesson *lesson = builder->lesson;
  gint64 order;

  if (strcmp (key, "title") == 0)
    take (&lesson->title, g_steal_pointer (&value));
  else if (strcmp (key, "id") == 0)
    take (&lesson->id, g_steal_pointer (&value));
  else if (strcmp (key, "summary") == 0)
    take (&lesson->summary, g_steal_pointer (&value));
  else if (strcmp (key, "needs") == 0)
    take (&lesson->needs, g_steal_pointer (&value));
  else if (strcmp (key, "after") == 0)
    take (&lesson->after, g_steal_pointer (&value));
  else if (strcmp (key, "language") == 0)
    {
      if (strcmp (value, "en") != 0 && strcmp (value, "zh_CN") != 0 && strcmp (value, "ko") != 0)
        ls_lesson_warn (builder->findings, builder->source, line, LS_SEVERITY_WARNING, "lesson/language",
                        "The language is \"%s\"; the window knows en, zh_CN and ko.", value);
      take (&lesson->language, g_steal_pointer (&value));
    }
  else if (strcmp (key, "order") == 0)
    {
      if (g_ascii_string_to_signed (value, 10, 0, 100000, &order, NULL))
        lesson->order = (int) order;
      else
        ls_lesson_warn (builder->findings, builder->source, line, LS_SEVERITY_ERROR, "lesson/order", "order is a number, not \"%s\".", value);
    }
}

/* The first line behind the front matter. */
static guint
read_front_matter (Builder  *builder,
                   char    **lines)
{
  guint end = 1;

  if (lines[0] == NULL || strcmp (g_strchomp (lines[0]), "---") != 0)
    return 0;
  while (lines[end] != NULL && strcmp (g_strchomp (lines[end]), "---") != 0)
    end++;
  if (lines[end] == NULL)
    {
      ls_lesson_warn (builder->findings, builder->source, 1, LS_SEVERITY_ERROR, "lesson/front-matter",
                      "The front matter that begins here has no second line ---; it is read as text.");
      return 0;
    }
  for (guint i = 1; i < end; i++)
    {
      const char *colon = strchr (lines[i], ':');

      if (colon != NULL && g_ascii_isalpha (*lines[i]))
        {
          g_autofree char *key = g_strndup (lines[i], (gsize) (colon - lines[i]));
          g_autofree char *value = g_strstrip (g_strdup (colon + 1));

          read_key (builder, i + 1, g_strstrip (key), value);
        }
    }
  return end + 1;
}

/* ---- pages ---- */

static LsLessonPage *
last_page (Builder *builder)
{
  return &g_array_index (builder->lesson->pages, LsLessonPage, builder->lesson->pages->len - 1);
}

static void
begin_page (Builder    *builder,
            const char *title)
{
  LsLessonPage page = { g_strdup (title), builder->lesson->parts->len, 0 };

  if (builder->lesson->pages->len > 0 && last_page (builder)->first == page.first)
    {
      g_free (last_page (builder)->title);
      last_page (builder)->title = page.title;
      return;
    }
  g_array_append_val (builder->lesson->pages, page);
}

static void
add_part (Builder      *builder,
          LsLessonPart *part)
{
  part->page = builder->lesson->pages->len - 1;
  g_ptr_array_add (builder->lesson->parts, part);
  last_page (builder)->n_parts = builder->lesson->parts->len - last_page (builder)->first;
}

static gboolean
is_page_break (const char *line)
{
  g_autofree char *word = g_strstrip (g_strdup (line));

  return strcmp (word, "<!-- page -->") == 0;
}

static void
add_prose (Builder    *builder,
           const char *text,
           guint       line,
           guint       last)
{
  g_autoptr (GPtrArray) blocks = ls_prose_parse (text);
  const LsLessonBlock *first = blocks->len > 0 ? blocks->pdata[0] : NULL;
  LsLessonPart *part;

  if (first == NULL)
    return;
  if (first->kind == LS_BLOCK_HEADING && first->level == 1 && builder->lesson->title == NULL)
    builder->lesson->title = g_strdup (first->text);
  part = g_new0 (LsLessonPart, 1);
  part->kind = LS_PART_PROSE;
  part->line = line;
  part->last_line = last;
  part->blocks = g_steal_pointer (&blocks);
  add_part (builder, part);
}

/* "Heading" and a line of dashes below is a heading too. */
static gboolean
is_underlined (char **lines,
               guint  i)
{
  return lines[i][strspn (lines[i], " \r")] != 0 && lines[i + 1] != NULL && *lines[i + 1] == '-'
         && lines[i + 1][strspn (lines[i + 1], "- \r")] == 0 && (i == 0 || lines[i - 1][strspn (lines[i - 1], " \r")] == 0);
}

static void
read_prose (Builder   *builder,
            LsStretch *stretch)
{
  g_auto (GStrv) lines = g_strsplit (stretch->text, "\n", -1);
  g_autoptr (GString) text = g_string_new (NULL);
  guint start = stretch->line;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      gboolean heading = g_str_has_prefix (lines[i], "## ") || is_underlined (lines, i);

      if (heading || is_page_break (lines[i]))
        {
          g_autoptr (GPtrArray) blocks = heading ? ls_prose_parse (lines[i]) : NULL;
          const LsLessonBlock *block = heading && blocks->len > 0 ? blocks->pdata[0] : NULL;

          add_prose (builder, text->str, start, stretch->line + i - 1);
          g_string_truncate (text, 0);
          start = stretch->line + i;
          begin_page (builder, block != NULL ? block->text : last_page (builder)->title);
          if (!heading)
            continue;
        }
      g_string_append_printf (text, "%s\n", lines[i]);
    }
  add_prose (builder, text->str, start, stretch->end);
}

/* ---- fences ---- */

/* Text of another language, or a fence of the course that is no cell. */
static void
add_code (Builder   *builder,
          LsStretch *stretch)
{
  LsLessonPart *part = g_new0 (LsLessonPart, 1);
  LsLessonBlock *block = g_new0 (LsLessonBlock, 1);

  block->kind = LS_BLOCK_CODE;
  block->recorded = ls_fence_option (stretch->info, ".output") != NULL;
  block->text = g_strdup (stretch->text);
  block->markup = g_markup_escape_text (stretch->text, -1);
  part->kind = LS_PART_PROSE;
  part->line = stretch->open;
  part->last_line = stretch->end;
  part->blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lesson_block_free);
  g_ptr_array_add (part->blocks, block);
  add_part (builder, part);
}

static gboolean
is_cell (Builder   *builder,
         LsStretch *stretch)
{
  if (strcmp (stretch->info->name, "python") == 0)
    return builder->course ? stretch->info->course : TRUE;
  return FALSE;
}

static LsLessonPart *
cell_before (Builder *builder)
{
  GPtrArray *parts = builder->lesson->parts;
  LsLessonPart *last = parts->len > 0 ? parts->pdata[parts->len - 1] : NULL;

  return last != NULL && last->kind == LS_PART_CELL ? last : NULL;
}

static void
attach_output (Builder      *builder,
               LsLessonPart *output)
{
  LsLessonPart *cell = cell_before (builder);

  if (cell == NULL || cell->output != NULL)
    {
      ls_lesson_warn (builder->findings, builder->source, output->line, LS_SEVERITY_ERROR, "lesson/output-alone",
                      "This output stands behind no cell; it has to follow its cell directly.");
      add_part (builder, output);
      return;
    }
  cell->output = g_steal_pointer (&output->output);
  cell->close = output->close;
  cell->last_line = output->last_line;
  part_free (output);
}

static void
read_fence_part (Builder   *builder,
                 LsStretch *stretch)
{
  gboolean course_output = ls_fence_option (stretch->info, ".output") != NULL;
  gboolean maybe = !builder->course && !builder->says_python && *stretch->info->name == 0;
  gboolean python = strcmp (stretch->info->name, "python") == 0;
  LsLessonPart *part;

  if (course_output || (python && !is_cell (builder, stretch)) || (*stretch->info->name == 0 && !maybe))
    {
      add_code (builder, stretch);
      return;
    }
  if (maybe)
    {
      g_free (stretch->info->name);
      stretch->info->name = g_strdup ("python");
    }
  part = g_new0 (LsLessonPart, 1);
  part->line = stretch->open;
  part->last_line = stretch->end;
  if (!ls_fence_read (part, stretch, builder->source, builder->findings))
    {
      part_free (part);
      add_code (builder, stretch);
      return;
    }
  part->maybe = maybe;
  part->skip |= part->kind == LS_PART_CELL && !builder->course && part->id == NULL && ls_listing_is_to_read (part->code);
  if (part->kind == LS_PART_OUTPUT)
    {
      attach_output (builder, part);
      return;
    }
  if (part->kind == LS_PART_CELL || part->kind == LS_PART_EXERCISE)
    part->number = ++builder->lesson->n_cells;
  add_part (builder, part);
}

/* ---- what refers to what ---- */

static gboolean
check_id (Builder            *builder,
          GHashTable         *ids,
          const LsLessonPart *part)
{
  if (part->id == NULL || g_hash_table_add (ids, part->id))
    return TRUE;
  ls_lesson_warn (builder->findings, builder->source, part->line, LS_SEVERITY_ERROR, "lesson/id", "Another part has the id \"%s\" already.", part->id);
  return FALSE;
}

static void
connect_parts (Builder *builder)
{
  g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *parts = builder->lesson->parts;

  for (guint i = 0; i < parts->len; i++)
    {
      LsLessonPart *part = parts->pdata[i], *next = i + 1 < parts->len ? parts->pdata[i + 1] : NULL;
      const LsLessonPart *target = NULL;

      check_id (builder, ids, part);
      if (part->kind != LS_PART_PREDICT)
        continue;
      if (part->reveal != NULL)
        target = ls_lesson_find (builder->lesson, part->reveal);
      else if (next != NULL && next->kind == LS_PART_CELL)
        target = next;
      if (target != NULL && target->kind == LS_PART_CELL)
        part->reveal_cell = target->number;
      else if (part->reveal != NULL)
        ls_lesson_warn (builder->findings, builder->source, part->line, LS_SEVERITY_ERROR, "lesson/reveal",
                        "There is no cell with the id \"%s\" to reveal.", part->reveal);
    }
}

/* ---- public ---- */

static char *
name_without_endings (const char *path)
{
  g_autofree char *base = g_path_get_basename (path);
  char *dot = strchr (base, '.');

  if (dot != NULL && dot > base)
    *dot = 0;
  return g_strdup (base);
}

/* What a fence says nothing about.  Texts of others know no limits: they search for minutes. */
static void
set_time_limits (LsLesson *lesson)
{
  for (guint i = 0; i < lesson->parts->len; i++)
    {
      LsLessonPart *part = lesson->parts->pdata[i];

      if (part->timeout <= 0)
        part->timeout = lesson->foreign ? FOREIGN_TIMEOUT : CELL_TIMEOUT;
    }
}

static void
finish (Builder *builder)
{
  LsLesson *lesson = builder->lesson;

  lesson->foreign = lesson->id == NULL;
  set_time_limits (lesson);
  if (lesson->id == NULL)
    lesson->id = name_without_endings (lesson->path);
  if (lesson->title == NULL)
    lesson->title = g_strdup (lesson->id);
  if (lesson->language == NULL)
    lesson->language = g_strdup ("en");
  if (*g_array_index (lesson->pages, LsLessonPage, 0).title == 0)
    take (&g_array_index (lesson->pages, LsLessonPage, 0).title, g_strdup (lesson->title));
  if (lesson->parts->len == 0)
    ls_lesson_warn (builder->findings, builder->source, 1, LS_SEVERITY_ERROR, "lesson/empty", "There is nothing in this lesson.");
}

/* The line of a place in the text, from 1. */
static guint
line_at (const char *text,
         const char *at)
{
  guint line = 1;

  for (; text < at; text++)
    line += *text == '\n';
  return line;
}

/* What a notebook cannot be read for is a finding of an empty lesson. */
static LsLesson *
parse_notebook (LsSource      *notebook,
                LsDiagnostics *findings)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = ls_notebook_to_lesson (ls_source_get_text (notebook, NULL), &error);
  LsSource *source = ls_source_new (ls_source_get_name (notebook), text != NULL ? text : "", -1);
  LsLesson *lesson;

  if (error != NULL)
    ls_lesson_warn (findings, source, 1, LS_SEVERITY_ERROR, "lesson/notebook", "%s", error->message);
  lesson = ls_lesson_parse (source, error != NULL ? NULL : findings);
  lesson->source = source;
  return lesson;
}

LsLesson *
ls_lesson_parse (LsSource      *source,
                 LsDiagnostics *findings)
{
  gsize length;
  const char *raw = ls_source_get_text (source, &length), *unread;
  g_autofree char *text = g_utf8_make_valid (raw, (gssize) length);
  g_autoptr (GPtrArray) stretches = NULL;
  g_auto (GStrv) lines = NULL;
  LsLesson *lesson;
  Builder builder;
  guint first;

  if (ls_notebook_is (raw))
    return parse_notebook (source, findings);
  lesson = g_new0 (LsLesson, 1);
  builder = (Builder) { .lesson = lesson, .source = source, .findings = findings };
  g_atomic_ref_count_init (&lesson->refs);
  lesson->path = g_strdup (ls_source_get_name (source));
  lesson->parts = g_ptr_array_new_with_free_func (part_free);
  lesson->pages = g_array_new (FALSE, TRUE, sizeof (LsLessonPage));
  g_array_set_clear_func (lesson->pages, page_clear);
  if (!g_utf8_validate (raw, (gssize) length, &unread))
    ls_lesson_warn (findings, source, line_at (raw, unread), LS_SEVERITY_WARNING, "lesson/utf-8", "The text is not UTF-8 everywhere; what cannot be read is shown as �.");
  lines = g_strsplit (g_str_has_prefix (text, "\xef\xbb\xbf") ? text + 3 : text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_suffix (lines[i], "\r"))
      lines[i][strlen (lines[i]) - 1] = 0;
  first = read_front_matter (&builder, lines);
  stretches = ls_stretches_read (source, lines, first, findings);
  for (guint i = 0; i < stretches->len; i++)
    {
      LsFenceInfo *info = ((LsStretch *) stretches->pdata[i])->info;

      builder.course |= info != NULL && info->course;
      builder.says_python |= info != NULL && strcmp (info->name, "python") == 0;
    }
  begin_page (&builder, lesson->title != NULL ? lesson->title : "");
  for (guint i = 0; i < stretches->len; i++)
    {
      LsStretch *stretch = stretches->pdata[i];

      if (stretch->info == NULL)
        read_prose (&builder, stretch);
      else
        read_fence_part (&builder, stretch);
    }
  connect_parts (&builder);
  finish (&builder);
  return lesson;
}

LsLesson *
ls_lesson_load (const char     *path,
                LsDiagnostics  *findings,
                GError        **error)
{
  g_autoptr (LsSource) source = NULL;
  g_autoptr (GError) problem = NULL;
  g_autofree char *text = NULL, *sentence = NULL;
  const char *zero;
  gsize length;

  if (!g_file_get_contents (path, &text, &length, &problem))
    sentence = g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOENT) ? g_strdup_printf (ls_translate ("There is no file %s."), path)
                                                                           : g_strdup (problem->message);
  else if (length > SIZE_LIMIT)
    sentence = g_strdup_printf (ls_translate ("%s is larger than 16 MiB; a lesson is a Markdown text."), path);
  else if ((zero = memchr (text, 0, length)) != NULL)
    sentence = g_strdup_printf (ls_translate ("%s is no text, its line %u has a zero byte; a lesson is a Markdown file."), path, line_at (text, zero));
  if (sentence != NULL)
    {
      g_set_error_literal (error, LS_LESSON_ERROR, LS_LESSON_ERROR_READ, sentence);
      return NULL;
    }
  source = ls_source_new (path, text, (gssize) length);
  return ls_lesson_parse (source, findings);
}

LsLesson *
ls_lesson_ref (LsLesson *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
ls_lesson_unref (LsLesson *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_free (self->title);
  g_free (self->id);
  g_free (self->language);
  g_free (self->summary);
  g_free (self->needs);
  g_free (self->after);
  g_free (self->path);
  g_ptr_array_unref (self->parts);
  g_array_unref (self->pages);
  g_clear_pointer (&self->source, ls_source_unref);
  g_free (self);
}

const char *
ls_lesson_get_title (LsLesson *self)
{
  return self->title;
}

GPtrArray *
ls_lesson_below_title (LsLesson *self,
                       guint     i)
{
  GPtrArray *blocks = ls_lesson_get_part (self, i)->blocks, *below = g_ptr_array_new ();

  for (guint k = 0; blocks != NULL && k < blocks->len; k++)
    {
      const LsLessonBlock *block = blocks->pdata[k];

      if (i > 0 || k > 0 || block->kind != LS_BLOCK_HEADING || strcmp (block->text, self->title) != 0)
        g_ptr_array_add (below, blocks->pdata[k]);
    }
  return below;
}

const char *
ls_lesson_get_id (LsLesson *self)
{
  return self->id;
}

const char *
ls_lesson_get_language (LsLesson *self)
{
  return self->language;
}

const char *
ls_lesson_get_summary (LsLesson *self)
{
  return self->summary != NULL ? self->summary : "";
}

const char *
ls_lesson_get_needs (LsLesson *self)
{
  return self->needs != NULL ? self->needs : "";
}

const char *
ls_lesson_get_after (LsLesson *self)
{
  return self->after != NULL ? self->after : "";
}

const char *
ls_lesson_get_path (LsLesson *self)
{
  return self->path;
}

int
ls_lesson_get_order (LsLesson *self)
{
  return self->order;
}

gboolean
ls_lesson_is_foreign (LsLesson *self)
{
  return self->foreign;
}

guint
ls_lesson_get_n_parts (LsLesson *self)
{
  return self->parts->len;
}

const LsLessonPart *
ls_lesson_get_part (LsLesson *self,
                    guint     i)
{
  return self->parts->pdata[i];
}

guint
ls_lesson_get_n_pages (LsLesson *self)
{
  return self->pages->len;
}

const LsLessonPage *
ls_lesson_get_page (LsLesson *self,
                    guint     i)
{
  return &g_array_index (self->pages, LsLessonPage, i);
}

guint
ls_lesson_get_n_cells (LsLesson *self)
{
  return self->n_cells;
}

const LsLessonPart *
ls_lesson_find (LsLesson   *self,
                const char *name)
{
  guint64 number = 0;

  for (guint i = 0; i < self->parts->len; i++)
    if (g_strcmp0 (((LsLessonPart *) self->parts->pdata[i])->id, name) == 0)
      return self->parts->pdata[i];
  if (g_ascii_string_to_unsigned (name, 10, 1, G_MAXUINT, &number, NULL))
    for (guint i = 0; i < self->parts->len; i++)
      if (((LsLessonPart *) self->parts->pdata[i])->number == number)
        return self->parts->pdata[i];
  return NULL;
}
