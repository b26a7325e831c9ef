/* The frame of a page: head, style, script and data around what was put into it. */
#include "app/page/page.h"
#include "app/page/words.h"
#include "engine/base/json.h"

#include <gio/gio.h>
#include <string.h>

struct _LsPage {
  char        *title, *language, *key;
  GString     *body, *style;
  JsonArray   *views, *questions;
  GHashTable  *seen;            /* print of a view -> its number + 1 */
};

LsPage *
ls_page_new (const char *title,
             const char *language,
             const char *key)
{
  LsPage *self = g_new0 (LsPage, 1);

  self->title = g_strdup (title);
  self->language = g_strdup (language);
  self->key = g_strdup (key);
  self->body = g_string_new (NULL);
  self->style = g_string_new (NULL);
  self->views = json_array_new ();
  self->questions = json_array_new ();
  self->seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

void
ls_page_free (LsPage *self)
{
  g_free (self->title);
  g_free (self->language);
  g_free (self->key);
  g_string_free (self->body, TRUE);
  g_string_free (self->style, TRUE);
  json_array_unref (self->views);
  json_array_unref (self->questions);
  g_hash_table_unref (self->seen);
  g_free (self);
}

const char *
ls_page_get_key (LsPage *self)
{
  return self->key;
}

const char *
ls_page_word (LsPage     *self,
              const char *name)
{
  return ls_page_word_in (self->language, name);
}

/* ---- putting ---------------------------------------------------------------------------------- */

void
ls_page_put_html (LsPage     *self,
                  const char *html)
{
  g_string_append (self->body, html);
}

/* Text as a browser takes it: without what XML cannot say. (transfer full) */
static char *
escape (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);
  GString *out = g_string_new (NULL);

  for (const char *at = valid; *at != 0; at = g_utf8_next_char (at))
    {
      gunichar c = g_utf8_get_char (at);

      if (c == '<')
        g_string_append (out, "&lt;");
      else if (c == '>')
        g_string_append (out, "&gt;");
      else if (c == '&')
        g_string_append (out, "&amp;");
      else if (c == '"')
        g_string_append (out, "&quot;");
      else if (c == '\'')
        g_string_append (out, "&#39;");
      else if (c == '\n' || c == '\t' || (c >= 0x20 && c != 0x7f))
        g_string_append_unichar (out, c);
      else if (c != '\r')
        g_string_append (out, "�");
    }
  return g_string_free (out, FALSE);
}

void
ls_page_put_text (LsPage     *self,
                  const char *text)
{
  g_autofree char *escaped = escape (text);

  g_string_append (self->body, escaped);
}

void
ls_page_put_format (LsPage     *self,
                    const char *format,
                    ...)
{
  va_list args;
  g_autofree char *text = NULL;

  va_start (args, format);
  text = g_markup_vprintf_escaped (format, args);
  va_end (args);
  g_string_append (self->body, text);
}

void
ls_page_put_view (LsPage     *self,
                  JsonNode   *data,
                  const char *plain)
{
  g_autofree char *print = json_to_string (data, FALSE);
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->seen, print));

  if (number == 0)
    {
      json_array_add_element (self->views, data);
      number = json_array_get_length (self->views);
      g_hash_table_insert (self->seen, g_steal_pointer (&print), GUINT_TO_POINTER (number));
    }
  else
    json_node_unref (data);
  ls_page_put_format (self, "<div data-view=\"%u\"><pre class=\"plain\">", number - 1);
  ls_page_put_text (self, plain);
  ls_page_put_html (self, "</pre></div>\n");
}

void
ls_page_put_style (LsPage     *self,
                   const char *css)
{
  g_string_append (self->style, css);
}

void
ls_page_put_drill (LsPage *self)
{
  ls_page_put_format (self, "<section id=\"drill\" class=\"question\"><h3>%s</h3><p>%s</p></section>\n", ls_page_word (self, "drill"),
                      ls_page_word (self, "drillText"));
}

void
ls_page_add_member (JsonBuilder *builder,
                    const char  *name,
                    const char  *value)
{
  g_autofree char *valid = g_utf8_make_valid (value != NULL ? value : "", -1);

  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, valid);
}

guint
ls_page_add_question (LsPage   *self,
                      JsonNode *data)
{
  json_array_add_element (self->questions, data);
  return json_array_get_length (self->questions) - 1;
}

/* ---- the whole -------------------------------------------------------------------------------- */

static JsonNode *
make_data (LsPage *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  JsonNode *views = json_node_new (JSON_NODE_ARRAY), *questions = json_node_new (JSON_NODE_ARRAY);
  g_auto (GStrv) parts = g_strsplit (self->key, "/", 2);

  json_node_set_array (views, self->views);
  json_node_set_array (questions, self->questions);
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "key");
  json_builder_add_string_value (builder, self->key);
  json_builder_set_member_name (builder, "lesson");
  json_builder_add_string_value (builder, parts[0] != NULL ? parts[0] : "");
  json_builder_set_member_name (builder, "language");
  json_builder_add_string_value (builder, self->language);
  ls_json_begin_object (builder, "words");
  for (guint i = 0; ls_page_words[i].name != NULL; i++)
    {
      json_builder_set_member_name (builder, ls_page_words[i].name);
      json_builder_add_string_value (builder, ls_page_words[i].words[ls_page_language (self->language)]);
    }
  json_builder_end_object (builder);
  json_builder_set_member_name (builder, "views");
  json_builder_add_value (builder, views);
  json_builder_set_member_name (builder, "questions");
  json_builder_add_value (builder, questions);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

/* JSON inside of a script element: what could end that is written by its number. */
static void
append_json (GString  *out,
             JsonNode *data)
{
  g_autofree char *text = json_to_string (data, FALSE);

  for (const char *at = text; *at != 0; at++)
    if (*at == '<' || *at == '>' || *at == '&')
      g_string_append_printf (out, "\\u%04x", (guint) *at);
    else
      g_string_append_c (out, *at);
}

static GBytes *
resource (const char *name)
{
  g_autofree char *path = g_strconcat ("/org/loopscope/page/", name, NULL);
  g_autoptr (GError) error = NULL;
  GBytes *bytes = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, &error);

  g_assert_no_error (error);
  return bytes;
}

/* How a policy names a script: by the print of its text. (transfer full) */
static char *
script_print (GBytes *script)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  guint8 digest[32];
  gsize n = sizeof digest, length;
  gconstpointer text = g_bytes_get_data (script, &length);

  g_checksum_update (sum, text, (gssize) length);
  g_checksum_get_digest (sum, digest, &n);
  return g_base64_encode (digest, n);
}

char *
ls_page_finish (LsPage *self)
{
  g_autoptr (GBytes) style = resource ("page.css"), script = resource ("page.js");
  g_autoptr (JsonNode) data = make_data (self);
  g_autofree char *print = script_print (script), *title = escape (self->title);
  GString *out = g_string_new (NULL);

  g_string_append_printf (out,
                          "<!DOCTYPE html>\n<html lang=\"%s\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
                          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-%s'; "
                          "base-uri 'none'; form-action 'none'\"><link rel=\"icon\" href=\"data:,\"><title>%s · Loopscope</title>\n<style>",
                          ls_page_language (self->language) == 1 ? "zh-CN" : ls_page_language (self->language) == 2 ? "ko" : "en", print, title);
  g_string_append_len (out, g_bytes_get_data (style, NULL), (gssize) g_bytes_get_size (style));
  g_string_append (out, self->style->str);
  g_string_append_printf (out, "</style></head><body>\n<a class=\"skip\" href=\"#main\">%s</a>\n", ls_page_word (self, "skip"));
  g_string_append_len (out, self->body->str, (gssize) self->body->len);
  g_string_append (out, "<script type=\"application/json\" id=\"data\">");
  append_json (out, data);
  g_string_append (out, "</script>\n<script>");
  g_string_append_len (out, g_bytes_get_data (script, NULL), (gssize) g_bytes_get_size (script));
  g_string_append (out, "</script>\n</body></html>\n");
  return g_string_free (out, FALSE);
}
