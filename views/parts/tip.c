/* parts/tip: the text is data of the widget; one handler of "query-tooltip" shows it. */
#include "views/parts/tip.h"

#include "views/parts/fit-label.h"

#include <string.h>

static GQuark
text_quark (void)
{
  return g_quark_from_static_string ("ls-tip");
}

/* A label that shows all of its text says it already. */
static gboolean
is_said (GtkWidget  *widget,
         const char *text)
{
  PangoLayout *layout = NULL;

  if (text != NULL && GTK_IS_LABEL (widget))
    layout = gtk_label_get_layout (GTK_LABEL (widget));
  else if (text != NULL && LS_IS_FIT_LABEL (widget))
    layout = ls_fit_label_get_layout (LS_FIT_LABEL (widget));
  return layout != NULL && strcmp (pango_layout_get_text (layout), text) == 0 && !pango_layout_is_ellipsized (layout);
}

static gboolean
queried (GtkWidget  *widget,
         int         x,
         int         y,
         gboolean    keyboard,
         GtkTooltip *tooltip)
{
  const char *text = g_object_get_qdata (G_OBJECT (widget), text_quark ());

  if (text == NULL || is_said (widget, text))
    return FALSE;
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

void
ls_tip_set (GtkWidget  *widget,
            const char *text)
{
  const char *old = g_object_get_qdata (G_OBJECT (widget), text_quark ());

  if (text != NULL && *text == '\0')
    text = NULL;
  if (g_strcmp0 (old, text) == 0)
    return;
  if (old == NULL && g_signal_handler_find (widget, G_SIGNAL_MATCH_FUNC, 0, 0, NULL, queried, NULL) == 0)
    g_signal_connect (widget, "query-tooltip", G_CALLBACK (queried), NULL);
  g_object_set_qdata_full (G_OBJECT (widget), text_quark (), g_strdup (text), g_free);
  gtk_widget_set_has_tooltip (widget, text != NULL);
}
