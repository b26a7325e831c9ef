/* run/text: see the header.
 *
 * The value under the pointer comes through GtkSourceHover, which asks when the pointer rests and shows the answer beside it.
 */
#include "views/run/text.h"

#include "views/parts/parts.h"

#include <glib/gi18n.h>
#include <string.h>

#define CATEGORY "breakpoint"
#define WISHES "ls-run-wishes"

typedef struct {
  const LsRunTextWishes *wishes;
  gpointer               data;
} Wished;

/* ---- the expression at a place ------------------------------------------------------------------ */

static gboolean
is_word (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '.';
}

/* Past the bracket that closes the one at `at`, or the end of the line. */
static gsize
after_brackets (const char *line,
                gsize       at)
{
  guint depth = 0;
  char quote = '\0';

  for (; line[at] != '\0'; at++)
    {
      if (quote != '\0')
        quote = line[at] == quote ? '\0' : quote;
      else if (line[at] == '"' || line[at] == '\'')
        quote = line[at];
      else if (strchr ("([{", line[at]) != NULL)
        depth++;
      else if (strchr (")]}", line[at]) != NULL && --depth == 0)
        return at + 1;
    }
  return at;
}

/* A name with the indices or arguments that follow it; FALSE: no name stands there. */
static gboolean
name_at (const char *line,
         gsize       at,
         gsize      *from,
         gsize      *to)
{
  if (!is_word (line[at]))
    return FALSE;
  for (*from = at; *from > 0 && is_word (line[*from - 1]); (*from)--)
    continue;
  for (*to = at; is_word (line[*to]); (*to)++)
    continue;
  if (g_ascii_isdigit (line[*from]))
    return FALSE;
  while (line[*to] == '[' || line[*to] == '(')
    *to = after_brackets (line, *to);
  return TRUE;
}

/* Does a part end here: ",", ":", "=" that is no comparison? */
static gboolean
divides (const char *line,
         gsize       at)
{
  if (line[at] == ',' || line[at] == ':')
    return TRUE;
  return line[at] == '=' && line[at + 1] != '=' && (at == 0 || strchr ("=<>!", line[at - 1]) == NULL);
}

/* Everything between the brackets, commas and equals signs around a place. */
static void
part_at (const char *line,
         gsize       at,
         gsize      *from,
         gsize      *to)
{
  guint depth = 0;

  for (*from = at; *from > 0; (*from)--)
    {
      char c = line[*from - 1];

      if (strchr (")]}", c) != NULL)
        depth++;
      else if (strchr ("([{", c) != NULL && depth-- == 0)
        break;
      else if (depth == 0 && divides (line, *from - 1))
        break;
    }
  depth = 0;
  for (*to = at; line[*to] != '\0'; (*to)++)
    {
      if (strchr ("([{", line[*to]) != NULL)
        depth++;
      else if (strchr (")]}", line[*to]) != NULL && depth-- == 0)
        break;
      else if (depth == 0 && divides (line, *to))
        break;
    }
}

/* Words of the language, and what opens a statement. */
static gboolean
is_no_expression (const char *text)
{
  static const char *const words[] = { "", "for", "in", "if", "else", "with", "while", "def", "return", "class", "T", "I", "R", "self", "True", "False", "and", "or", "not", "assert" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strcmp (text, words[i]) == 0)
      return TRUE;
  return g_str_has_prefix (text, "@") || g_str_has_prefix (text, "def ") || g_str_has_prefix (text, "class ") || g_str_has_prefix (text, "T.block(") ||
         g_str_has_prefix (text, "T.axis.") || g_str_has_prefix (text, "T.Buffer(") || g_str_has_prefix (text, "T.grid(");
}

char *
ls_run_text_expression_at (const char *line,
                           glong       column)
{
  const char *comment = strchr (line, '#');
  gsize at, from, to;
  char *text;

  if (column < 0 || column >= g_utf8_strlen (line, -1))
    return NULL;
  at = (gsize) (g_utf8_offset_to_pointer (line, column) - line);
  if (g_ascii_isspace (line[at]) || (comment != NULL && line + at >= comment))
    return NULL;
  if (!name_at (line, at, &from, &to))
    part_at (line, at, &from, &to);
  text = g_strstrip (g_strndup (line + from, to - from));
  if (*text != '\0' && !is_no_expression (text) && strpbrk (text, "\"'") == NULL)
    return text;
  g_free (text);
  return NULL;
}

static char *
expression_at (const GtkTextIter *place)
{
  GtkTextIter start = *place, end;
  g_autofree char *line = NULL;

  gtk_text_iter_set_line_offset (&start, 0);
  end = start;
  if (!gtk_text_iter_ends_line (&end))
    gtk_text_iter_forward_to_line_end (&end);
  line = gtk_text_iter_get_slice (&start, &end);
  return ls_run_text_expression_at (line, gtk_text_iter_get_line_offset (place));
}

char *
ls_run_text_expression_at_cursor (GtkSourceView *view)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  GtkTextIter place;

  gtk_text_buffer_get_iter_at_mark (buffer, &place, gtk_text_buffer_get_insert (buffer));
  return expression_at (&place);
}

/* ---- the value under the pointer ------------------------------------------------------------------- */

#define LS_TYPE_RUN_VALUES (ls_run_values_get_type ())
G_DECLARE_FINAL_TYPE (LsRunValues, ls_run_values, LS, RUN_VALUES, GObject)

struct _LsRunValues
{
  GObject parent_instance;
  Wished  wished;
};

static void ls_run_values_provide (GtkSourceHoverProviderInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (LsRunValues, ls_run_values, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GTK_SOURCE_TYPE_HOVER_PROVIDER, ls_run_values_provide))

static void
populate_async (GtkSourceHoverProvider *provider,
                GtkSourceHoverContext  *context,
                GtkSourceHoverDisplay  *display,
                GCancellable           *cancellable,
                GAsyncReadyCallback     callback,
                gpointer                data)
{
  LsRunValues *self = LS_RUN_VALUES (provider);
  GTask *task = g_task_new (self, cancellable, callback, data);
  GtkTextIter place;
  g_autofree char *expression = gtk_source_hover_context_get_iter (context, &place) ? expression_at (&place) : NULL;

  g_task_set_task_data (task, g_object_ref (display), g_object_unref);
  if (expression != NULL)
    {
      self->wished.wishes->ask (expression, task, self->wished.data);
      return;
    }
  g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "no expression stands there");
  g_object_unref (task);
}

static gboolean
populate_finish (GtkSourceHoverProvider *provider,
                 GAsyncResult           *result,
                 GError                **error)
{
  g_autofree char *words = g_task_propagate_pointer (G_TASK (result), error);
  GtkWidget *label;

  if (words == NULL)
    return FALSE;
  label = ls_part_label (words, "code");
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 80);
  gtk_widget_add_css_class (label, "run-value");
  gtk_source_hover_display_append (g_task_get_task_data (G_TASK (result)), label);
  return TRUE;
}

static void
ls_run_values_provide (GtkSourceHoverProviderInterface *iface)
{
  iface->populate_async = populate_async;
  iface->populate_finish = populate_finish;
}

static void
ls_run_values_class_init (LsRunValuesClass *klass)
{
}

static void
ls_run_values_init (LsRunValues *self)
{
}

/* ---- breakpoints ----------------------------------------------------------------------------------- */

static void
activated (GtkSourceView     *view,
           const GtkTextIter *place,
           guint              button,
           GdkModifierType    state,
           int                n_presses,
           Wished            *wished)
{
  if (button == GDK_BUTTON_PRIMARY && n_presses == 1)
    wished->wishes->toggle ((guint) gtk_text_iter_get_line (place) + 1, wished->data);
}

/* Ctrl+B: at the line of the cursor. */
static gboolean
key_pressed (GtkEventController *keys,
             guint               key,
             guint               code,
             GdkModifierType     state,
             Wished             *wished)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (gtk_event_controller_get_widget (keys)));
  GtkTextIter place;

  if (gdk_keyval_to_lower (key) != GDK_KEY_b || (state & gtk_accelerator_get_default_mod_mask ()) != GDK_CONTROL_MASK)
    return FALSE;
  gtk_text_buffer_get_iter_at_mark (buffer, &place, gtk_text_buffer_get_insert (buffer));
  wished->wishes->toggle ((guint) gtk_text_iter_get_line (&place) + 1, wished->data);
  return TRUE;
}

void
ls_run_text_make (GtkSourceView         *view,
                  const LsRunTextWishes *wishes,
                  gpointer               data)
{
  g_autoptr (GtkSourceMarkAttributes) looks = gtk_source_mark_attributes_new ();
  g_autoptr (LsRunValues) values = g_object_new (LS_TYPE_RUN_VALUES, NULL);
  g_autoptr (GFile) picture = g_file_new_for_uri ("resource:///org/loopscope/icons/breakpoint.svg");
  g_autoptr (GIcon) icon = g_file_icon_new (picture);
  GtkEventController *keys = gtk_event_controller_key_new ();
  Wished *wished = g_new (Wished, 1);

  *wished = values->wished = (Wished) { wishes, data };
  g_object_set_data_full (G_OBJECT (view), WISHES, wished, g_free);
  gtk_source_mark_attributes_set_gicon (looks, icon);
  gtk_source_view_set_mark_attributes (view, CATEGORY, looks, 1);
  gtk_source_view_set_show_line_marks (view, TRUE);
  g_signal_connect (view, "line-mark-activated", G_CALLBACK (activated), wished);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed), wished);
  gtk_widget_add_controller (GTK_WIDGET (view), keys);
  gtk_source_hover_add_provider (gtk_source_view_get_hover (view), GTK_SOURCE_HOVER_PROVIDER (values));
}

void
ls_run_text_set_stops (GtkSourceView *view,
                       const guint   *lines,
                       guint          n)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  gtk_source_buffer_remove_source_marks (GTK_SOURCE_BUFFER (buffer), &start, &end, CATEGORY);
  for (guint i = 0; i < n; i++)
    {
      gtk_text_buffer_get_iter_at_line (buffer, &start, (int) lines[i] - 1);
      gtk_source_buffer_create_source_mark (GTK_SOURCE_BUFFER (buffer), NULL, CATEGORY, &start);
    }
}
