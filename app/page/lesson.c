/* A lesson with what was recorded of it, as one page: prose, cells with what they gave, questions that check themselves, exercises,
 * drills, and what is handed in. */
#include "app/page/page.h"
#include "app/page/record.h"

#include "app/rpc/rpc.h"

#include "engine/base/json.h"

#include <string.h>

#define MOST_PRINTED 20000

typedef struct {
  LsPage     *page;
  LsLesson   *lesson;
  LsRecord   *record;
  char      **keys;
  char       *folder;
  gboolean    solutions;
  guint       n;                /* the part */
} Making;

/* ---- cells ------------------------------------------------------------------------------------ */

static void
put_code (Making     *self,
          const char *code)
{
  ls_page_put_format (self->page, "<pre data-code tabindex=\"0\" aria-label=\"%s\">", ls_page_word (self->page, "code"));
  ls_page_put_text (self->page, code);
  ls_page_put_html (self->page, "</pre>\n");
}

static void
put_plain (Making     *self,
           const char *text,
           const char *class)
{
  gboolean long_one = strlen (text) > MOST_PRINTED;
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *cut = long_one ? g_utf8_substring (valid, 0, MOST_PRINTED / 4) : NULL;

  if (*text == 0)
    return;
  ls_page_put_format (self->page, "<pre class=\"plain %s\" tabindex=\"0\" aria-label=\"%s\">", class, ls_page_word (self->page, "output"));
  ls_page_put_text (self->page, cut != NULL ? cut : valid);
  ls_page_put_html (self->page, cut != NULL ? "\n…</pre>\n" : "</pre>\n");
}

static void
put_output (Making             *self,
            const LsLessonPart *part,
            const LsOutput     *output)
{
  g_autofree char *text = ls_output_get_text (output);
  JsonNode *data = output->kind == LS_OUTPUT_VIEW && output->view != NULL ? ls_page_view (output->view, part) : NULL;

  if (data != NULL && part->ask != NULL && JSON_NODE_HOLDS_OBJECT (data))
    json_object_set_string_member (json_node_get_object (data), "key", self->keys[self->n]);    /* what is answered is kept, and handed in, by it */
  if (data != NULL)
    ls_page_put_view (self->page, data, text);
  else
    put_plain (self, text, output->kind == LS_OUTPUT_TROUBLE ? "dim" : "");
}

static void
put_outputs (Making             *self,
             const LsLessonPart *part,
             const LsRecorded     *of)
{
  ls_page_put_html (self->page, "<div class=\"out\">");
  for (guint i = 0; of->outputs != NULL && i < ls_outputs_get_n (of->outputs); i++)
    put_output (self, part, ls_outputs_get (of->outputs, i));
  if (of->status == LS_RUN_SKIPPED)
    ls_page_put_format (self->page, "<p class=\"dim\">%s %s</p>", ls_page_word (self->page, "skipped"), of->sentence);
  else if (of->status == LS_RUN_FAILED || (part->expect != NULL && *of->sentence != 0))
    ls_page_put_format (self->page, "<p class=\"err\">%s</p>", of->sentence);
  ls_page_put_html (self->page, "</div>");
}

static gboolean
has_output (const LsLessonPart *part,
            const LsRecorded     *of)
{
  return of != NULL && (of->status != LS_RUN_PASSED || part->expect != NULL || (of->outputs != NULL && ls_outputs_get_n (of->outputs) > 0));
}

static void
put_cell (Making             *self,
          const LsLessonPart *part)
{
  const LsRecorded *of = ls_record_get (self->record, part);

  ls_page_put_format (self->page, "<section class=\"cell\" data-cell=\"%u\"", part->number);
  if (part->id != NULL)
    ls_page_put_format (self->page, " id=\"%s\"", part->id);
  ls_page_put_html (self->page, ">");
  if (part->folded)
    ls_page_put_format (self->page, "<details class=\"code\"><summary>%s</summary>", ls_page_word (self->page, "code"));
  put_code (self, part->code);
  if (part->folded)
    ls_page_put_html (self->page, "</details>");
  if (has_output (part, of))
    put_outputs (self, part, of);
  ls_page_put_html (self->page, "</section>\n");
}

/* ---- questions -------------------------------------------------------------------------------- */

static void
add (JsonBuilder *builder,
     const char  *name,
     const char  *value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value != NULL ? value : "");
}

/* FNV-1a, as the script of the page has it: the right answer is not to be read in the file by chance; it is no secret. */
static guint32
print_of (const char *text)
{
  guint32 hash = 0x811c9dc5;

  for (const guchar *at = (const guchar *) text; *at != 0; at++)
    hash = (hash ^ *at) * 0x01000193u;
  return hash;
}

static JsonBuilder *
begin_question (Making     *self,
                const char *kind,
                int         right)
{
  JsonBuilder *builder = json_builder_new ();
  g_autofree char *text = g_strdup_printf ("%s:%s:%d", ls_page_get_key (self->page), self->keys[self->n], right);

  json_builder_begin_object (builder);
  add (builder, "key", self->keys[self->n]);
  add (builder, "kind", kind);
  ls_json_put_int (builder, "right", right >= 0 ? print_of (text) : 0);
  return builder;
}

static guint
end_question (Making      *self,
              JsonBuilder *builder)     /* (transfer full) */
{
  JsonNode *node;

  json_builder_end_object (builder);
  node = json_builder_get_root (builder);
  g_object_unref (builder);
  return ls_page_add_question (self->page, node);
}

static void
begin_box (Making             *self,
           const LsLessonPart *part,
           const char         *kind,
           guint               number,
           const char         *title)
{
  ls_page_put_format (self->page, "<section class=\"question\" data-%s=\"%u\"", kind, number);
  if (part->id != NULL)
    ls_page_put_format (self->page, " id=\"%s\"", part->id);
  ls_page_put_format (self->page, " aria-labelledby=\"t%u\"><h3 id=\"t%u\">%s</h3>\n", self->n, self->n, part->title != NULL ? part->title : title);
  ls_page_put_blocks (self->page, part->blocks, self->folder);
}

static void
begin_choices (Making *self)
{
  ls_page_put_format (self->page, "<fieldset class=\"choices\"><legend class=\"sr\">%s</legend>\n", ls_page_word (self->page, "choices"));
}

static void
put_choice (Making     *self,
            const char *text)
{
  ls_page_put_format (self->page, "<label><input type=\"radio\" name=\"q%u\"><span>%s</span></label>\n", self->n, text);
}

static void
put_buttons (Making *self)
{
  ls_page_put_format (self->page, "<div class=\"bar\"><button type=\"button\" class=\"primary\">%s</button><button type=\"button\" class=\"show\">%s</button></div>"
                      "<p class=\"verdict\" role=\"status\"></p>\n", ls_page_word (self->page, "check"), ls_page_word (self->page, "showMe"));
}

static void
put_predict (Making             *self,
             const LsLessonPart *part)
{
  JsonBuilder *builder;
  int right = -1;

  for (guint i = 0; i < part->choices->len; i++)
    if (((LsLessonChoice *) part->choices->pdata[i])->right)
      right = (int) i;
  builder = begin_question (self, "predict", right);
  ls_json_put_int (builder, "cell", part->reveal_cell);
  ls_json_begin_array (builder, "values");
  for (guint i = 0; i < part->choices->len; i++)
    json_builder_add_string_value (builder, ((LsLessonChoice *) part->choices->pdata[i])->text);
  json_builder_end_array (builder);
  ls_json_begin_array (builder, "replies");
  for (guint i = 0; i < part->choices->len; i++)
    json_builder_add_string_value (builder, ((LsLessonChoice *) part->choices->pdata[i])->reply != NULL ? ((LsLessonChoice *) part->choices->pdata[i])->reply : "");
  json_builder_end_array (builder);
  begin_box (self, part, "question", end_question (self, builder), ls_page_word (self->page, "predict"));
  if (part->choices->len > 0)
    {
      begin_choices (self);
      for (guint i = 0; i < part->choices->len; i++)
        put_choice (self, ((LsLessonChoice *) part->choices->pdata[i])->text);
      ls_page_put_html (self->page, "</fieldset>\n");
    }
  else
    ls_page_put_format (self->page, "<p><textarea class=\"free\" rows=\"2\" aria-label=\"%s\"></textarea></p>\n", ls_page_word (self->page, "think"));
  put_buttons (self);
  ls_page_put_html (self->page, "<div class=\"answer\" hidden>");
  ls_page_put_blocks (self->page, part->answer, self->folder);
  ls_page_put_html (self->page, "</div></section>\n");
}

static void
put_primitive (Making             *self,
               const LsLessonPart *part)
{
  const LsRecorded *of = ls_record_get (self->record, part);
  GVariant *answer = of != NULL ? of->answer : NULL;
  g_auto (GStrv) choices = answer != NULL ? ls_params_strv (answer, "choices") : NULL;
  g_autofree char *diff = NULL;
  JsonBuilder *builder;
  int right = -1;

  if (choices == NULL)
    return;
  for (guint i = 0; choices[i] != NULL; i++)
    if (strcmp (choices[i], ls_params_string (answer, "primitive", "")) == 0)
      right = (int) i;
  diff = ls_page_diff (ls_params_string (answer, "before", ""), ls_params_string (answer, "after", ""));
  builder = begin_question (self, "primitive", right);
  add (builder, "before", ls_params_string (answer, "before", ""));
  add (builder, "after", ls_params_string (answer, "after", ""));
  add (builder, "diff", diff);
  begin_box (self, part, "question", end_question (self, builder), ls_page_word (self->page, "primitive"));
  ls_page_put_html (self->page, "<div class=\"pair\"></div>");
  begin_choices (self);
  for (guint i = 0; choices[i] != NULL; i++)
    put_choice (self, choices[i]);
  ls_page_put_html (self->page, "</fieldset>\n");
  put_buttons (self);
  ls_page_put_format (self->page, "<div class=\"answer\" hidden><p><code>%s</code></p></div></section>\n", ls_params_string (answer, "line", ""));
}

/* Each hint unlocks the next. */
static void
put_hints (Making             *self,
           const LsLessonPart *part)
{
  g_auto (GStrv) hints = ls_lesson_hints (part);

  for (guint i = 0; hints[i] != NULL; i++)
    {
      g_autoptr (GPtrArray) blocks = ls_prose_parse (hints[i]);

      ls_page_put_html (self->page, "<div class=\"hint\" hidden>");
      ls_page_put_blocks (self->page, blocks, self->folder);
      ls_page_put_html (self->page, "</div>");
    }
  if (hints[0] != NULL)
    ls_page_put_format (self->page, "<div class=\"bar\"><button type=\"button\" class=\"hint-next\">%s</button></div>", ls_page_word (self->page, "hint"));
}

static void
put_exercise (Making             *self,
              const LsLessonPart *part)
{
  guint number = end_question (self, begin_question (self, "exercise", -1));

  begin_box (self, part, "exercise", number, ls_page_word (self->page, "exercise"));
  ls_page_put_format (self->page, "<textarea rows=\"8\" spellcheck=\"false\" autocapitalize=\"off\" aria-label=\"%s\">\n%s</textarea><p class=\"dim\">%s</p>\n",
                      ls_page_word (self->page, "code"), part->code, ls_page_word (self->page, "exerciseNote"));
  put_hints (self, part);
  if (self->solutions && part->solution != NULL)
    {
      ls_page_put_format (self->page, "<details><summary>%s</summary>", ls_page_word (self->page, "solution"));
      put_code (self, part->solution);
      ls_page_put_html (self->page, "</details>");
    }
  ls_page_put_html (self->page, "</section>\n");
}

/* ---- the whole -------------------------------------------------------------------------------- */

static void
put_prose (Making *self)
{
  g_autoptr (GPtrArray) blocks = ls_lesson_below_title (self->lesson, self->n);

  ls_page_put_blocks (self->page, blocks, self->folder);
}

static void
put_part (Making             *self,
          const LsLessonPart *part)
{
  switch (part->kind)
    {
    case LS_PART_PROSE:
      put_prose (self);
      break;
    case LS_PART_CELL:
      put_cell (self, part);
      break;
    case LS_PART_OUTPUT:
      put_plain (self, part->output, "");
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

static gboolean
has_tasks (LsLesson *lesson)
{
  for (guint i = 0; i < ls_lesson_get_n_parts (lesson); i++)
    {
      LsPartKind kind = ls_lesson_get_part (lesson, i)->kind;

      if (kind == LS_PART_PREDICT || kind == LS_PART_PRIMITIVE || kind == LS_PART_EXERCISE)
        return TRUE;
    }
  return FALSE;
}

static void
put_head (Making *self)
{
  LsLesson *lesson = self->lesson;

  ls_page_put_format (self->page, "<header><strong>%s</strong><span class=\"dim\">%s</span></header>\n<main id=\"main\">\n<h1>%s</h1>\n", ls_lesson_get_title (lesson),
                      ls_page_word (self->page, "keys"), ls_lesson_get_title (lesson));
  if (*ls_lesson_get_summary (lesson) != 0)
    ls_page_put_format (self->page, "<p class=\"dim\">%s</p>\n", ls_lesson_get_summary (lesson));
  ls_page_put_format (self->page, "<noscript><p class=\"dim\">%s</p></noscript>\n", ls_page_word (self->page, "noScript"));
}

static void
put_foot (Making *self)
{
  ls_page_put_drill (self->page);
  if (has_tasks (self->lesson))
    ls_page_put_format (self->page, "<section id=\"hand-in\" class=\"question\"><h3>%s</h3><p>%s</p><div class=\"bar\"><label>%s <input type=\"text\" autocomplete=\"name\"></label>"
                        "<button type=\"button\">%s</button></div><p class=\"verdict\" role=\"status\"></p></section>\n", ls_page_word (self->page, "handIn"),
                        ls_page_word (self->page, "handInText"), ls_page_word (self->page, "name"), ls_page_word (self->page, "save"));
  ls_page_put_html (self->page, "</main>\n");
}

char *
ls_lesson_to_page (LsLesson *lesson,
                   LsRecord *record,
                   gboolean  solutions)
{
  g_autofree char *whole = g_canonicalize_filename (ls_lesson_get_path (lesson), NULL);
  g_autofree char *key = g_strdup_printf ("%s/%s", ls_lesson_get_id (lesson), ls_lesson_get_language (lesson));
  g_autofree char *folder = g_path_get_dirname (whole);
  g_auto (GStrv) keys = ls_lesson_keys (lesson);
  Making self = { ls_page_new (ls_lesson_get_title (lesson), ls_lesson_get_language (lesson), key), lesson, record, keys, folder, solutions, 0 };
  char *text;

  put_head (&self);
  for (; self.n < ls_lesson_get_n_parts (lesson); self.n++)
    put_part (&self, ls_lesson_get_part (lesson, self.n));
  put_foot (&self);
  text = ls_page_finish (self.page);
  ls_page_free (self.page);
  return text;
}
