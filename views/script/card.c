/* script/card: words by the glossary, names by the text that was read last; a GtkPopover at the cursor. */
#include "views/script/card.h"

#include "views/models/glossary.h"
#include "views/parts/popover.h"

#include <glib/gi18n.h>
#include <string.h>

#define WIDTH_CHARS 56

/* ---- constructs ---------------------------------------------------------------- */

static char *
line_of (const GtkTextIter *iter)
{
  GtkTextIter start = *iter, end = *iter;

  gtk_text_iter_set_line_offset (&start, 0);
  if (!gtk_text_iter_ends_line (&end))
    gtk_text_iter_forward_to_line_end (&end);
  return gtk_text_iter_get_text (&start, &end);
}

char *
ls_script_card_construct (const GtkTextIter *iter)
{
  g_autofree char *line = line_of (iter);
  g_autofree char *word = ls_glossary_word (line, (guint) gtk_text_iter_get_line_offset (iter));
  const char *meaning = word != NULL ? ls_glossary_get (word) : NULL;

  return meaning != NULL ? g_strdup_printf ("%s\n%s", word, meaning) : NULL;
}

/* ---- names of a text that is being written --------------------------------------- */

static gboolean
is_part (gunichar c)
{
  return c == '_' || g_unichar_isalnum (c);
}

/* The name around a place, or NULL; none after a dot or in a string or comment. (transfer full) */
static char *
name_at (const GtkTextIter *iter)
{
  GtkTextIter start = *iter, end = *iter, before;

  while (!gtk_text_iter_starts_line (&start))
    {
      before = start;
      gtk_text_iter_backward_char (&before);
      if (!is_part (gtk_text_iter_get_char (&before)))
        break;
      start = before;
    }
  while (!gtk_text_iter_is_end (&end) && is_part (gtk_text_iter_get_char (&end)))
    gtk_text_iter_forward_char (&end);
  before = start;
  if (gtk_text_iter_equal (&start, &end) || g_unichar_isdigit (gtk_text_iter_get_char (&start)) ||
      (gtk_text_iter_backward_char (&before) && gtk_text_iter_get_char (&before) == '.'))
    return NULL;
  return gtk_text_iter_get_text (&start, &end);
}

char *
ls_script_card_name (const GtkTextIter *iter)
{
  return name_at (iter);
}

/* The line gives the name to something: it is assigned, a loop's variable, or a parameter. */
static gboolean
defines (const char *line,
         const char *name)
{
  g_autofree char *quoted = g_regex_escape_string (name, -1);
  g_autofree char *pattern = g_strdup_printf ("^\\s*(?:for\\s[^:]*?\\b%s\\b[^:]*?\\bin\\b|[^=(:#\"]*?\\b%s\\b[^=(:\"]*=[^=]|def\\s[^(]*\\(.*\\b%s\\s*:|with\\b.*\\bas\\s[^:]*\\b%s\\b)",
                                              quoted, quoted, quoted, quoted);

  return g_regex_match_simple (pattern, line, 0, 0);
}

/* How many lines up to that of `iter` give something this name; *line gets the last of them (from 0). */
static guint
count_definitions (const GtkTextIter *iter,
                   const char        *name,
                   int               *line)
{
  GtkTextIter at;
  guint n = 0;

  gtk_text_buffer_get_start_iter (gtk_text_iter_get_buffer (iter), &at);
  *line = -1;
  do
    {
      g_autofree char *text = line_of (&at);

      if (strstr (text, name) != NULL && defines (text, name))
        {
          n++;
          *line = gtk_text_iter_get_line (&at);
        }
    }
  while (gtk_text_iter_get_line (&at) < gtk_text_iter_get_line (iter) && gtk_text_iter_forward_line (&at));
  return n;
}

char *
ls_script_card_written (LsScriptText      *known,
                        const GtkTextIter *iter)
{
  g_autofree char *name = name_at (iter);
  const LsScriptThing *thing;
  guint n;
  int line;

  if (name == NULL || known == NULL)
    return ls_script_card_construct (iter);
  n = count_definitions (iter, name, &line);
  thing = ls_script_text_find_thing (known, name, MAX (n, 1));
  if (thing == NULL)
    return ls_script_card_construct (iter);
  return line >= 0 ? g_strdup_printf (_("%s\ndefined in line %d"), thing->words, line + 1) : g_strdup (thing->words);
}

/* ---- the card -------------------------------------------------------------------- */

static void
closed (GtkPopover *popover,
        gpointer    view)
{
  if (gtk_widget_get_mapped (view))
    gtk_widget_grab_focus (view);
}

/* The name that the card is about stands out: all before the first colon or end of line. (transfer full) */
static PangoAttrList *
heading_of (const char *words)
{
  PangoAttrList *attributes = pango_attr_list_new ();
  PangoAttribute *parts[] = { pango_attr_weight_new (PANGO_WEIGHT_BOLD), pango_attr_family_new ("monospace") };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      parts[i]->start_index = 0;
      parts[i]->end_index = (guint) strcspn (words, ":\n");
      pango_attr_list_insert (attributes, parts[i]);
    }
  return attributes;
}

/* The nearest widget around that lays its children out, and so the card too. */
static GtkWidget *
holder_of (GtkWidget *view)
{
  GtkWidget *holder = gtk_widget_get_parent (view);

  while (holder != NULL && gtk_widget_get_layout_manager (holder) == NULL)
    holder = gtk_widget_get_parent (holder);
  return holder;
}

GtkWidget *
ls_script_card_label (const char *words)
{
  GtkWidget *label = gtk_label_new (words);
  g_autoptr (PangoAttrList) heading = heading_of (words);

  gtk_label_set_attributes (GTK_LABEL (label), heading);
  gtk_widget_add_css_class (label, "script-card");
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), WIDTH_CHARS);
  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  return label;
}

void
ls_script_card_show (GtkTextView       *view,
                     const GtkTextIter *iter,
                     const char        *words)
{
  GtkWidget *holder = holder_of (GTK_WIDGET (view)), *popover, *label;
  GdkRectangle place;
  double x, y;
  int left, top;

  if (holder == NULL)
    return;
  gtk_text_view_get_iter_location (view, iter, &place);
  gtk_text_view_buffer_to_window_coords (view, GTK_TEXT_WINDOW_WIDGET, place.x, place.y, &left, &top);
  gtk_widget_translate_coordinates (GTK_WIDGET (view), holder, left, top, &x, &y);
  popover = gtk_popover_new ();
  label = ls_script_card_label (words);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_popover_set_child (GTK_POPOVER (popover), label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (popover), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
  g_signal_connect_object (popover, "closed", G_CALLBACK (closed), view, 0);
  ls_popover_show_once (GTK_POPOVER (popover), holder, &(GdkRectangle) { (int) x, (int) y, MAX (place.width, 1), place.height }, GTK_POS_BOTTOM);
  gtk_label_select_region (GTK_LABEL (label), 0, 0);
}
