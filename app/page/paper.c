/* A lesson for paper, as a list of what stands on it one below the other: app/draw lays it out and paints it (PDF).  Questions have room for an
 * answer; answers, hints and solutions come at the end, for teachers only. */
#include "app/page/page.h"
#include "app/page/record.h"
#include "app/page/words.h"
#include "engine/base/json.h"

#include <gio/gio.h>
#include <string.h>

#define MOST_PRINTED 6000
#define MOST_PICTURE (2u << 20)

typedef struct {
  JsonBuilder *builder;
  LsLesson    *lesson;
  LsRecord    *record;
  char        *folder;
  guint        n;               /* questions so far */
} Paper;

static const char *
word (Paper      *self,
      const char *name)
{
  return ls_page_word_in (ls_lesson_get_language (self->lesson), name);
}

static void
add (Paper      *self,
     const char *name,
     const char *value)
{
  ls_page_add_member (self->builder, name, value);
}

static void
add_int (Paper      *self,
         const char *name,
         int         value)
{
  json_builder_set_member_name (self->builder, name);
  json_builder_add_int_value (self->builder, value);
}

/* One thing on the paper; more members may follow, then end(). */
static void
begin (Paper      *self,
       const char *kind)
{
  json_builder_begin_object (self->builder);
  add (self, "kind", kind);
}

static void
end (Paper *self)
{
  json_builder_end_object (self->builder);
}

static void
put (Paper      *self,
     const char *kind,
     const char *text)
{
  begin (self, kind);
  add (self, "text", text);
  end (self);
}

/* ---- prose ------------------------------------------------------------------------------------ */

static void
put_image (Paper               *self,
           const LsLessonBlock *block)
{
  g_autofree char *plain = block->target != NULL ? g_uri_unescape_string (block->target, NULL) : NULL;
  g_autofree char *path = plain != NULL ? g_build_filename (self->folder, plain, NULL) : NULL;
  g_autofree char *data = NULL, *coded = NULL;
  gsize n = 0;

  if (path != NULL && g_file_test (path, G_FILE_TEST_IS_REGULAR) && g_file_get_contents (path, &data, &n, NULL) && n <= MOST_PICTURE)
    coded = g_base64_encode ((const guchar *) data, n);
  begin (self, "picture");
  add (self, "title", block->text);
  add (self, "data", coded);
  end (self);
}

static void
put_table (Paper               *self,
           const LsLessonBlock *block)
{
  g_auto (GStrv) rows = g_strsplit (block->markup, "\n", -1);

  begin (self, "rows");
  ls_json_begin_array (self->builder, "rows");
  for (guint i = 0; rows[i] != NULL; i++)
    {
      g_auto (GStrv) cells = g_strsplit (rows[i], "\t", -1);

      if (*rows[i] == 0)
        continue;
      json_builder_begin_array (self->builder);
      for (guint k = 0; cells[k] != NULL; k++)
        json_builder_add_string_value (self->builder, cells[k]);
      json_builder_end_array (self->builder);
    }
  json_builder_end_array (self->builder);
  end (self);
}

static void
put_block (Paper               *self,
           const LsLessonBlock *block)
{
  static const char *const kinds[] = { [LS_BLOCK_HEADING] = "heading", [LS_BLOCK_PARAGRAPH] = "words", [LS_BLOCK_ITEM] = "item", [LS_BLOCK_QUOTE] = "quote",
                                       [LS_BLOCK_CODE] = "code", [LS_BLOCK_RULE] = "rule" };

  if (block->recorded)
    put (self, "words", word (self, "inFile"));
  if (block->kind == LS_BLOCK_IMAGE)
    put_image (self, block);
  else if (block->kind == LS_BLOCK_TABLE)
    put_table (self, block);
  else
    {
      begin (self, kinds[block->kind]);
      add_int (self, "level", block->level);
      if (block->marker != NULL)
        add (self, "marker", block->marker);
      if (block->kind != LS_BLOCK_CODE)
        add (self, "markup", block->markup);
      add (self, "text", block->text);
      end (self);
    }
}

static void
put_blocks (Paper     *self,
            GPtrArray *blocks)
{
  for (guint i = 0; blocks != NULL && i < blocks->len; i++)
    put_block (self, blocks->pdata[i]);
}

/* ---- cells ------------------------------------------------------------------------------------ */

static void
put_printed (Paper      *self,
             const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *cut = strlen (valid) > MOST_PRINTED ? g_utf8_substring (valid, 0, MOST_PRINTED / 4) : NULL;
  g_autofree char *whole = cut != NULL ? g_strconcat (cut, "\n…", NULL) : NULL;

  if (*text != 0)
    put (self, "output", whole != NULL ? whole : valid);
}

static void
put_output (Paper              *self,
            const LsLessonPart *part,
            const LsOutput     *output)
{
  g_autofree char *text = ls_output_get_text (output);
  JsonNode *data = output->kind == LS_OUTPUT_VIEW && output->view != NULL ? ls_page_view (output->view, part) : NULL;

  gboolean shades = data != NULL && json_object_has_member (json_node_get_object (data), "accesses");

  if (data != NULL)
    json_builder_add_value (self->builder, data);
  else
    put_printed (self, text);
  if (shades)
    put (self, "note", word (self, "shades"));
}

static void
put_cell (Paper              *self,
          const LsLessonPart *part)
{
  const LsRecorded *of = ls_record_get (self->record, part);

  if (!part->folded)
    put (self, "code", part->code);
  for (guint i = 0; of != NULL && of->outputs != NULL && i < ls_outputs_get_n (of->outputs); i++)
    put_output (self, part, ls_outputs_get (of->outputs, i));
  if (of != NULL && of->status == LS_RUN_SKIPPED)
    {
      g_autofree char *why = g_strdup_printf ("%s %s", word (self, "skipped"), of->sentence);

      put (self, "note", why);
    }
  else if (of != NULL && of->status == LS_RUN_FAILED)
    put (self, "error", of->sentence);
}

/* ---- questions -------------------------------------------------------------------------------- */

static void
put_question (Paper              *self,
              const LsLessonPart *part,
              const char         *title)
{
  g_autofree char *numbered = g_strdup_printf ("%u  %s", ++self->n, part->title != NULL ? part->title : title);

  put (self, "question", numbered);
  put_blocks (self, part->blocks);
}

static void
put_choice (Paper      *self,
            const char *text)
{
  begin (self, "choice");
  add (self, "text", text);
  end (self);
}

static void
put_room (Paper *self,
          int    lines)
{
  begin (self, "room");
  add_int (self, "lines", lines);
  end (self);
}

static void
put_predict (Paper              *self,
             const LsLessonPart *part)
{
  put_question (self, part, word (self, "predict"));
  for (guint i = 0; i < part->choices->len; i++)
    put_choice (self, ((LsLessonChoice *) part->choices->pdata[i])->text);
  if (part->choices->len == 0)
    put_room (self, 2);
  begin (self, "end");
  end (self);
}

/* The choices of a question that was made when the lesson ran, and what it is about. */
static char **
primitive_choices (Paper              *self,
                   const LsLessonPart *part)
{
  const LsRecorded *of = ls_record_get (self->record, part);

  return of != NULL && of->answer != NULL ? ls_params_strv (of->answer, "choices") : NULL;
}

static void
put_primitive (Paper              *self,
               const LsLessonPart *part)
{
  g_auto (GStrv) choices = primitive_choices (self, part);
  const LsRecorded *of = ls_record_get (self->record, part);
  g_autofree char *diff = NULL;

  if (choices == NULL)
    return;
  put_question (self, part, word (self, "primitive"));
  diff = ls_page_diff (ls_params_string (of->answer, "before", ""), ls_params_string (of->answer, "after", ""));
  begin (self, "diff");
  add (self, "before", ls_params_string (of->answer, "before", ""));
  add (self, "after", ls_params_string (of->answer, "after", ""));
  add (self, "diff", diff);
  end (self);
  for (guint i = 0; choices[i] != NULL; i++)
    put_choice (self, choices[i]);
  begin (self, "end");
  end (self);
}

static void
put_exercise (Paper              *self,
              const LsLessonPart *part)
{
  put_question (self, part, word (self, "exercise"));
  put (self, "code", part->code);
  put_room (self, 6);
  begin (self, "end");
  end (self);
}

static void
put_part (Paper *self,
          guint  i)
{
  const LsLessonPart *part = ls_lesson_get_part (self->lesson, i);
  g_autoptr (GPtrArray) blocks = ls_lesson_below_title (self->lesson, i);

  switch (part->kind)
    {
    case LS_PART_PROSE:
      put_blocks (self, blocks);
      break;
    case LS_PART_CELL:
      put_cell (self, part);
      break;
    case LS_PART_OUTPUT:
      put_printed (self, part->output);
      break;
    case LS_PART_PREDICT:
      put_predict (self, part);
      break;
    case LS_PART_PRIMITIVE:
      put_primitive (self, part);
      break;
    case LS_PART_EXERCISE:
      put_exercise (self, part);
      break;
    case LS_PART_NOTES:
      break;
    }
}

/* ---- answers ---------------------------------------------------------------------------------- */

static void
put_answer (Paper              *self,
            const LsLessonPart *part)
{
  g_auto (GStrv) choices = part->kind == LS_PART_PRIMITIVE ? primitive_choices (self, part) : NULL;
  g_autofree char *numbered = NULL;

  if (part->kind != LS_PART_PREDICT && part->kind != LS_PART_EXERCISE && choices == NULL)
    return;
  numbered = g_strdup_printf ("%u", ++self->n);
  begin (self, "heading");
  add_int (self, "level", 3);
  add (self, "text", numbered);
  end (self);
  for (guint i = 0; part->choices != NULL && i < part->choices->len; i++)
    if (((LsLessonChoice *) part->choices->pdata[i])->right)
      put (self, "words", ((LsLessonChoice *) part->choices->pdata[i])->text);
  put_blocks (self, part->answer);
  if (choices != NULL)
    put (self, "code", ls_params_string (ls_record_get (self->record, part)->answer, "line", ""));
  if (part->kind == LS_PART_EXERCISE && part->solution != NULL)
    put (self, "code", part->solution);
}

static void
put_answers (Paper *self)
{
  if (self->n == 0)
    return;
  self->n = 0;
  begin (self, "heading");
  add_int (self, "level", 2);
  add (self, "text", word (self, "answers"));
  end (self);
  for (guint i = 0; i < ls_lesson_get_n_parts (self->lesson); i++)
    put_answer (self, ls_lesson_get_part (self->lesson, i));
}

/* ---- the whole -------------------------------------------------------------------------------- */

JsonNode *
ls_lesson_to_paper (LsLesson *lesson,
                    LsRecord *record,
                    gboolean  solutions)
{
  g_autofree char *whole = g_canonicalize_filename (ls_lesson_get_path (lesson), NULL);
  g_autofree char *folder = g_path_get_dirname (whole);
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  Paper self = { builder, lesson, record, folder, 0 };

  json_builder_begin_object (builder);
  add (&self, "title", ls_lesson_get_title (lesson));
  add (&self, "summary", ls_lesson_get_summary (lesson));
  add (&self, "language", ls_lesson_get_language (lesson));
  ls_json_begin_array (builder, "items");
  for (guint i = 0; i < ls_lesson_get_n_parts (lesson); i++)
    put_part (&self, i);
  if (solutions)
    put_answers (&self);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}
