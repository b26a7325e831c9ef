/* Submissions: written here and by the page of a lesson (app/page/page.js), read by the grader.
 *
 * The seal is a print of all that is in the file.  It notices a hand that slips; nobody's secret is in it, so that it proves nothing.
 */
#include "app/lesson/submission.h"
#include "engine/base/base.h"
#include "engine/base/json.h"

#include <json-glib/json-glib.h>
#include <string.h>

#define FORMAT "loopscope-submission 1"
#define MOST_BYTES (1u << 20)
#define MOST_ANSWERS 1000u

static void
submitted_free (gpointer data)
{
  LsSubmitted *self = data;

  g_free (self->part);
  g_free (self->kind);
  g_free (self->value);
  g_free (self);
}

LsSubmission *
ls_submission_new (const char *lesson,
                   const char *language,
                   const char *student)
{
  LsSubmission *self = g_new0 (LsSubmission, 1);
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();

  self->lesson = g_strdup (lesson);
  self->language = g_strdup (language);
  self->student = g_strdup (student);
  self->saved = g_date_time_format (now, "%Y-%m-%dT%H:%M:%SZ");
  self->answers = g_ptr_array_new_with_free_func (submitted_free);
  return self;
}

void
ls_submission_free (LsSubmission *self)
{
  g_free (self->lesson);
  g_free (self->language);
  g_free (self->student);
  g_free (self->saved);
  g_ptr_array_unref (self->answers);
  g_free (self);
}

void
ls_submission_add (LsSubmission *self,
                   const char   *part,
                   const char   *kind,
                   const char   *value)
{
  LsSubmitted *answer = g_new0 (LsSubmitted, 1);

  answer->part = g_strdup (part);
  answer->kind = g_strdup (kind);
  answer->value = g_utf8_make_valid (value, -1);
  g_ptr_array_add (self->answers, answer);
}

const char *
ls_submission_get (LsSubmission *self,
                   const char   *part)
{
  for (guint i = 0; i < self->answers->len; i++)
    if (strcmp (((LsSubmitted *) self->answers->pdata[i])->part, part) == 0)
      return ((LsSubmitted *) self->answers->pdata[i])->value;
  return NULL;
}

/* ---- the seal --------------------------------------------------------------------------------- */

static char *
seal_of (LsSubmission *self)
{
  g_autoptr (GString) text = g_string_new (FORMAT);

  g_string_append_printf (text, "\n%s\n%s\n%s\n%s", self->lesson, self->language, self->student, self->saved);
  for (guint i = 0; i < self->answers->len; i++)
    {
      const LsSubmitted *answer = self->answers->pdata[i];

      g_string_append_printf (text, "\n%s\n%s\n%" G_GSIZE_FORMAT "\n%s", answer->part, answer->kind, strlen (answer->value), answer->value);
    }
  return g_compute_checksum_for_string (G_CHECKSUM_SHA256, text->str, (gssize) text->len);
}

/* ---- writing ---------------------------------------------------------------------------------- */

char *
ls_submission_print (LsSubmission *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autofree char *seal = seal_of (self);
  g_autoptr (JsonNode) root = NULL;

  json_builder_begin_object (builder);
  ls_json_put_text (builder, "format", FORMAT);
  ls_json_put_text (builder, "lesson", self->lesson);
  ls_json_put_text (builder, "language", self->language);
  ls_json_put_text (builder, "student", self->student);
  ls_json_put_text (builder, "saved", self->saved);
  ls_json_begin_array (builder, "answers");
  for (guint i = 0; i < self->answers->len; i++)
    {
      const LsSubmitted *answer = self->answers->pdata[i];

      json_builder_begin_object (builder);
      ls_json_put_text (builder, "part", answer->part);
      ls_json_put_text (builder, "kind", answer->kind);
      ls_json_put_text (builder, "value", answer->value);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  ls_json_put_text (builder, "seal", seal);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  return json_to_string (root, TRUE);
}

/* ---- reading ---------------------------------------------------------------------------------- */

static const char *
string_of (JsonNode   *node,
           const char *name)
{
  JsonNode *member = node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_object_get_member (json_node_get_object (node), name) : NULL;

  return member != NULL && JSON_NODE_HOLDS_VALUE (member) && json_node_get_value_type (member) == G_TYPE_STRING ? json_node_get_string (member) : NULL;
}

/* "" where it is not there. */
static char *
copy_of (JsonNode   *node,
         const char *name)
{
  const char *text = string_of (node, name);

  return g_strdup (text != NULL ? text : "");
}

static gboolean
read_answers (LsSubmission *self,
              JsonNode     *root)
{
  JsonNode *list = json_object_get_member (json_node_get_object (root), "answers");
  guint n = list != NULL && JSON_NODE_HOLDS_ARRAY (list) ? json_array_get_length (json_node_get_array (list)) : 0;

  for (guint i = 0; i < n && n <= MOST_ANSWERS; i++)
    {
      JsonNode *answer = json_array_get_element (json_node_get_array (list), i);

      if (string_of (answer, "part") != NULL && string_of (answer, "kind") != NULL && string_of (answer, "value") != NULL)
        ls_submission_add (self, string_of (answer, "part"), string_of (answer, "kind"), string_of (answer, "value"));
    }
  return list != NULL && JSON_NODE_HOLDS_ARRAY (list) && n <= MOST_ANSWERS;
}

static LsSubmission *
refuse (GError    **error,
        const char *why)
{
  g_set_error (error, LS_LESSON_ERROR, LS_LESSON_ERROR_READ, ls_translate ("this is no submission: %s"), why);
  return NULL;
}

LsSubmission *
ls_submission_parse (const char *text,
                     gsize       length,
                     GError    **error)
{
  g_autoptr (GError) problem = NULL;
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (LsSubmission) self = NULL;
  g_autofree char *seal = NULL;
  const char *format, *told;

  if (length > MOST_BYTES)
    return refuse (error, ls_translate ("it is larger than 1 MiB"));
  if (memchr (text, 0, length) != NULL || !g_utf8_validate (text, (gssize) length, NULL))
    return refuse (error, ls_translate ("it is no UTF-8 text"));
  if (!ls_json_is_flat (text))
    return refuse (error, ls_translate ("its JSON nests deeper than a submission does"));
  root = json_from_string (text, &problem);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    return refuse (error, problem != NULL ? problem->message : ls_translate ("a JSON object was expected"));
  format = string_of (root, "format");
  if (g_strcmp0 (format, FORMAT) != 0)
    return refuse (error, ls_translate ("its format is not that of a submission"));
  self = ls_submission_new ("", "", "");
  g_free (self->lesson);
  g_free (self->language);
  g_free (self->student);
  g_free (self->saved);
  self->lesson = copy_of (root, "lesson");
  self->language = copy_of (root, "language");
  self->student = copy_of (root, "student");
  self->saved = copy_of (root, "saved");
  if (!read_answers (self, root))
    return refuse (error, ls_translate ("it has no list of answers, or more than 1000"));
  told = string_of (root, "seal");
  seal = seal_of (self);
  self->seal = told == NULL ? LS_SEAL_ABSENT : strcmp (told, seal) == 0 ? LS_SEAL_WHOLE : LS_SEAL_BROKEN;
  return g_steal_pointer (&self);
}
