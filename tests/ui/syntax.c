/* Program texts: GtkSourceView reads them with our language as our own scanner does, in the colours of each look; what the session knows
 * lies over it. */
#include "tests/support/support.h"
#include "views/canvas/look.h"
#include "views/models/script-tokens.h"
#include "views/parts/source-text.h"
#include "views/parts/theme.h"
#include "views/script/pane.h"

#include <string.h>

static GtkSourceBuffer *
buffer_with (LsSyntax    syntax,
             const char *text)
{
  GtkSourceBuffer *buffer = gtk_source_buffer_new (NULL);
  GtkTextIter start, end;

  ls_syntax_attach (buffer, syntax);
  gtk_text_buffer_set_text (GTK_TEXT_BUFFER (buffer), text, -1);
  gtk_text_buffer_get_bounds (GTK_TEXT_BUFFER (buffer), &start, &end);
  gtk_source_buffer_ensure_highlight (buffer, &start, &end);
  return buffer;
}

/* 'k', 's', 'c' for each character of a keyword, string, comment, and '.' elsewhere, by the tags in the buffer. (transfer full) */
static char *
looks_of_tags (GtkSourceBuffer *buffer)
{
  GString *looks = g_string_new (NULL);
  GtkTextIter at;

  gtk_text_buffer_get_start_iter (GTK_TEXT_BUFFER (buffer), &at);
  for (; !gtk_text_iter_is_end (&at); gtk_text_iter_forward_char (&at))
    {
      g_autoptr (GSList) tags = gtk_text_iter_get_tags (&at);
      gboolean bold = FALSE, italic = FALSE, coloured = FALSE;

      for (GSList *tag = tags; tag != NULL; tag = tag->next)
        {
          gboolean weight, style, foreground;

          g_object_get (tag->data, "weight-set", &weight, "style-set", &style, "foreground-set", &foreground, NULL);
          bold |= weight;
          italic |= style;
          coloured |= foreground;
        }
      g_string_append_c (looks, italic ? 'c' : bold ? 'k' : coloured ? 's' : '.');
    }
  return g_string_free (looks, FALSE);
}

/* (transfer full) */
static char *
looks_of_tokens (const char *text)
{
  static const char kinds[] = { [LS_TOKEN_KEYWORD] = 'k', [LS_TOKEN_STRING] = 's', [LS_TOKEN_COMMENT] = 'c' };
  g_autoptr (GArray) tokens = ls_script_tokens (text);
  char *looks = g_strnfill ((gsize) g_utf8_strlen (text, -1), '.');

  for (guint i = 0; i < tokens->len; i++)
    {
      const LsToken *token = &g_array_index (tokens, LsToken, i);

      memset (looks + token->start, kinds[token->kind], token->end - token->start);
    }
  return looks;
}

static void
assert_same (const char *text)
{
  g_autoptr (GtkSourceBuffer) buffer = buffer_with (LS_SYNTAX_SCRIPT, text);
  g_autofree char *by_tags = looks_of_tags (buffer), *by_tokens = looks_of_tokens (text);
  gsize n = strlen (by_tokens), same = 0;
  const char *at = text;

  /* Nobody sees how the end of a line looks. */
  for (gsize i = 0; i < n; i++, at = g_utf8_next_char (at))
    if (*at == '\n')
      by_tags[i] = by_tokens[i] = '.';
  while (same < n && by_tags[same] == by_tokens[same])
    same++;
  if (same < n)
    g_test_message ("characters %" G_GSIZE_FORMAT " on: \"%.40s\"", same, g_utf8_offset_to_pointer (text, (glong) same));
  g_assert_cmpstr (by_tags, ==, by_tokens);
}

static void
test_words (void)
{
  static const char *const texts[] = {
    "for é in x:  # note 'a'\n  s = \"a\\\"b\" + 'c'\n  format = 1\n", "\"\"\"open\n# no comment\n", "'''a\\'''b'''c if d", "x = 'open\nfor y in z",
    "x = \"a\\\n  for\" + in_the_end", "info = informal_in + in2 + _in", "T.axis.remap(\"SSR\", [i, j, k])", "# \"\n\"#\" or ''if", "为in in 为", "",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    assert_same (texts[i]);
}

/* Our own sources are in GtkSourceView's C. */
static void
test_c (void)
{
  static const char text[] = "static int\nf (void)\n{\n  return g (\"if\"); /* for */\n}\n";
  g_autoptr (GtkSourceBuffer) buffer = buffer_with (LS_SYNTAX_C, text);
  g_autofree char *looks = looks_of_tags (buffer);

  g_assert_true (g_str_has_prefix (looks, "kkkkkk"));
  g_assert_cmpint (looks[strstr (text, "return") - text], ==, 'k');
  g_assert_cmpint (looks[strstr (text, "if") - text], ==, 's');
  g_assert_cmpint (looks[strstr (text, "for") - text], ==, 'c');
  g_assert_cmpint (looks[strstr (text, "g (") - text], ==, '.');
}

/* Everything that the product brings along. */
static void
test_samples (void)
{
  g_autofree char *folder = g_build_filename (g_getenv ("LS_SOURCE_ROOT"), "data", "samples", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL), *text = NULL;

      if (!g_str_has_suffix (name, ".py"))
        continue;
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      assert_same (text);
      n++;
    }
  g_assert_cmpuint (n, >, 5);
}

static gboolean
passed (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

/* A source is opened at a line and stays there: looks that come later laid its lines out again, and it slid away. */
static void
test_place (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("LS_SOURCE_ROOT"), "engine", "schedule", "primitive", "decompose_reduction.c", NULL), *text = NULL;
  GtkWidget *window = gtk_window_new (), *scroller = gtk_scrolled_window_new (), *view = ls_source_text_new (LS_SYNTAX_C);
  gboolean done = FALSE;
  GdkRectangle visible, place;
  GtkTextIter iter;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), view);
  gtk_window_set_child (GTK_WINDOW (window), scroller);
  gtk_window_set_default_size (GTK_WINDOW (window), 900, 500);
  gtk_window_present (GTK_WINDOW (window));
  ls_source_text_set (LS_SOURCE_TEXT (view), text);
  ls_source_text_mark (LS_SOURCE_TEXT (view), 300, 301);
  g_timeout_add (2500, passed, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
  gtk_text_buffer_get_iter_at_line (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), &iter, 299);
  gtk_text_view_get_iter_location (GTK_TEXT_VIEW (view), &iter, &place);
  gtk_text_view_get_visible_rect (GTK_TEXT_VIEW (view), &visible);
  g_assert_cmpint (place.y, >=, visible.y);
  g_assert_cmpint (place.y + place.height, <=, visible.y + visible.height);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* The one tag at a place that has a foreground and the highest priority. */
static GtkTextTag *
top_tag (GtkTextBuffer *buffer,
         int            offset)
{
  g_autoptr (GSList) tags = NULL;
  GtkTextTag *top = NULL;
  GtkTextIter at;

  gtk_text_buffer_get_iter_at_offset (buffer, &at, offset);
  tags = gtk_text_iter_get_tags (&at);
  for (GSList *tag = tags; tag != NULL; tag = tag->next)
    {
      gboolean coloured;

      g_object_get (tag->data, "foreground-set", &coloured, NULL);
      if (coloured && (top == NULL || gtk_text_tag_get_priority (tag->data) > gtk_text_tag_get_priority (top)))
        top = tag->data;
    }
  return top;
}

static gboolean
has_color (GtkTextBuffer *buffer,
           int            offset,
           const GdkRGBA *expected)
{
  GtkTextTag *tag = top_tag (buffer, offset);
  g_autoptr (GdkRGBA) color = NULL;

  if (tag != NULL)
    g_object_get (tag, "foreground-rgba", &color, NULL);
  return color != NULL && gdk_rgba_equal (color, expected);
}

/* In every look: a comment in its quiet colour; where a family lies over one, in that of the family. */
static void
test_looks (void)
{
  const char *words = "i  # i\n";
  g_autoptr (LsScriptText) text = ls_script_text_new (words);
  GtkWidget *window = gtk_window_new (), *pane = ls_script_pane_new ();
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (pane));
  const LsScriptSpan span = { .start = 5, .end = 6, .id = 7, .families = { .n = 1, .family = { 2 } } };

  ls_script_text_add_span (text, &span);
  gtk_window_set_child (GTK_WINDOW (window), pane);
  gtk_widget_add_css_class (window, "loopscope");
  ls_script_pane_set_text (LS_SCRIPT_PANE (pane), text);
  gtk_window_present (GTK_WINDOW (window));
  for (guint round = 0; round < 4; round++)
    {
      gboolean shown = FALSE;

      ls_theme_set_scheme (round % 2 == 0 ? LS_SCHEME_LIGHT : LS_SCHEME_DARK);
      ls_theme_set_contrast (round >= 2);
      /* On a busy machine the look comes to the text some turns later. */
      for (guint i = 0; i < 24000 && !shown; i++)
        {
          GtkTextIter start, end;
          LsLook look;

          while (g_main_context_iteration (NULL, FALSE))
            ;
          gtk_text_buffer_get_bounds (buffer, &start, &end);
          gtk_source_buffer_ensure_highlight (GTK_SOURCE_BUFFER (buffer), &start, &end);
          ls_look_from_widget (pane, &look);
          shown = has_color (buffer, 3, ls_look_get (&look, LS_LOOK_DIM)) && has_color (buffer, 5, ls_look_family (&look, 2));
          if (!shown)
            g_usleep (5000);
        }
      g_assert_true (shown);
    }
  ls_theme_set_contrast (FALSE);
  ls_theme_set_scheme (LS_SCHEME_LIGHT);
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    {
      g_print ("1..0 # SKIP no display\n");
      return 0;
    }
  ls_theme_install (gdk_display_get_default ());
  g_test_add_func ("/ui/syntax/words", test_words);
  g_test_add_func ("/ui/syntax/samples", test_samples);
  g_test_add_func ("/ui/syntax/c", test_c);
  g_test_add_func ("/ui/syntax/place", test_place);
  g_test_add_func ("/ui/syntax/looks", test_looks);
  return g_test_run ();
}
