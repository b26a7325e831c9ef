/* parts/words: attributes on the labels, put there when a label comes to have a surface and whenever its text changes. */
#include "views/parts/words.h"

#define LONG_WORD 24            /* characters */

static gboolean
is_hangul (gunichar c)
{
  return g_unichar_get_script (c) == G_UNICODE_SCRIPT_HANGUL;
}

static void
keep (PangoAttrList **attrs,
      guint           start,
      guint           end)
{
  PangoAttribute *attr = pango_attr_allow_breaks_new (FALSE);

  if (*attrs == NULL)
    *attrs = pango_attr_list_new ();
  attr->start_index = start;
  attr->end_index = end;
  pango_attr_list_insert (*attrs, attr);
}

/* The word from `at`: its end; `first` and `last` become the part of it that is to stay whole, equal when none is. */
static const char *
read_word (const char  *at,
           const char **first,
           const char **last)
{
  const char *word = at;
  guint length = 0;

  *first = *last = at;
  for (; *at != '\0' && !g_unichar_isspace (g_utf8_get_char (at)); at = g_utf8_next_char (at))
    {
      length++;
      if (!is_hangul (g_utf8_get_char (at)))
        continue;
      if (*last == word)
        *first = at;
      *last = g_utf8_next_char (at);
    }
  if (*last > *first && length <= LONG_WORD)
    {
      *first = word;
      *last = at;
    }
  return at;
}

PangoAttrList *
ls_words_keep (PangoAttrList *base,
               const char    *text)
{
  PangoAttrList *attrs = base != NULL ? pango_attr_list_copy (base) : NULL;
  const char *at = text, *first, *last;

  while (*at != '\0')
    {
      at = read_word (at, &first, &last);
      if (last > first)
        keep (&attrs, (guint) (first - text), (guint) (last - text));
      if (*at != '\0')
        at = g_utf8_next_char (at);
    }
  return attrs;
}

void
ls_words_keep_in_layout (PangoLayout *layout)
{
  g_autoptr (PangoAttrList) attrs = ls_words_keep (pango_layout_get_attributes (layout), pango_layout_get_text (layout));

  pango_layout_set_attributes (layout, attrs);
}

static GQuark
base_quark (void)
{
  return g_quark_from_static_string ("ls-words");
}

static void
text_changed (GtkLabel *label)
{
  PangoAttrList *base = g_object_get_qdata (G_OBJECT (label), base_quark ());
  g_autoptr (PangoAttrList) attrs = NULL;

  if (!gtk_label_get_wrap (label))
    return;
  attrs = ls_words_keep (base, gtk_label_get_text (label));
  gtk_label_set_attributes (label, attrs);
}

static gboolean
realized (GSignalInvocationHint *hint,
          guint                  n,
          const GValue          *values,
          gpointer               data)
{
  GObject *widget = g_value_get_object (values);
  PangoAttrList *base;

  if (!GTK_IS_LABEL (widget) ||
      g_signal_handler_find (widget, G_SIGNAL_MATCH_FUNC, 0, 0, NULL, text_changed, NULL) != 0)
    return TRUE;
  base = gtk_label_get_attributes (GTK_LABEL (widget));
  if (base != NULL)
    g_object_set_qdata_full (widget, base_quark (), pango_attr_list_ref (base), (GDestroyNotify) pango_attr_list_unref);
  g_signal_connect (widget, "notify::label", G_CALLBACK (text_changed), NULL);
  text_changed (GTK_LABEL (widget));
  return TRUE;
}

/* U+2066 and U+2069: isolated. */
char *
ls_words_isolate (GtkWidget  *widget,
                  const char *figure)
{
  gboolean turned = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL && *figure != '\0';

  return turned ? g_strconcat ("\342\201\246", figure, "\342\201\251", NULL) : g_strdup (figure);
}

void
ls_words_install (void)
{
  static gboolean installed;

  if (installed || !g_str_has_prefix (g_get_language_names ()[0], "ko"))
    return;
  installed = TRUE;
  g_type_ensure (GTK_TYPE_WIDGET);
  g_type_class_unref (g_type_class_ref (GTK_TYPE_WIDGET));
  g_signal_add_emission_hook (g_signal_lookup ("realize", GTK_TYPE_WIDGET), 0, realized, NULL, NULL);
}
