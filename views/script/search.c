/* LsScriptSearch: see the header. */
#include "views/script/search.h"

#include "views/canvas/look.h"

#include <glib/gi18n.h>

#define MOST_TEXTS 2
#define MOST_MARKED 1000        /* matches */

typedef struct {
  GtkTextView            *view;    /* borrowed */
  GtkSourceSearchContext *context;
  GtkTextTag             *matches; /* borrowed from the buffer, or NULL: nothing was ever looked for */
} Text;

struct _LsScriptSearch
{
  GtkWidget                parent_instance;

  GtkSourceSearchSettings *settings;
  Text                     texts[MOST_TEXTS];
  guint                    n_texts;
  Text                    *seen;       /* one of them, or NULL: there is none yet */

  GtkWidget               *bar;
  GtkWidget               *entry;
  GtkWidget               *count;
};

G_DEFINE_FINAL_TYPE (LsScriptSearch, ls_script_search, GTK_TYPE_WIDGET)

enum { PROP_0, PROP_ACTIVE, N_PROPS };

static GParamSpec *props[N_PROPS];

static gboolean
is_active (LsScriptSearch *self)
{
  return gtk_search_bar_get_search_mode (GTK_SEARCH_BAR (self->bar));
}

/* ---- what was found ------------------------------------------------------- */

/* Tags of our own: a search context of GtkSourceView 5.6 gives its tag no background. */
static void
set_match_style (LsScriptSearch *self)
{
  LsLook look;

  ls_look_from_widget (GTK_WIDGET (self), &look);
  for (guint i = 0; i < self->n_texts; i++)
    {
      Text *text = &self->texts[i];

      if (text->matches == NULL)
        text->matches = gtk_text_buffer_create_tag (gtk_text_view_get_buffer (text->view), NULL, "underline", PANGO_UNDERLINE_SINGLE, NULL);
      g_object_set (text->matches, "background-rgba", ls_look_get (&look, LS_LOOK_WARN_BG), NULL);
    }
}

static void
mark_matches (LsScriptSearch *self)
{
  Text *seen = self->seen;
  GtkTextBuffer *buffer;
  gboolean on = is_active (self);
  GtkTextIter here, start, end;

  if (seen == NULL || seen->matches == NULL)
    return;
  buffer = gtk_text_view_get_buffer (seen->view);
  gtk_text_buffer_get_bounds (buffer, &here, &end);
  gtk_text_buffer_remove_tag (buffer, seen->matches, &here, &end);
  for (guint i = 0; on && i < MOST_MARKED && gtk_source_search_context_forward (seen->context, &here, &start, &end, NULL) &&
                    gtk_text_iter_compare (&start, &here) >= 0; i++)
    {
      gtk_text_buffer_apply_tag (buffer, seen->matches, &start, &end);
      here = end;
    }
}

static void
update_count (LsScriptSearch *self)
{
  int n = self->seen != NULL ? gtk_source_search_context_get_occurrences_count (self->seen->context) : -1;
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  g_autofree char *label = NULL;

  if (*text == '\0' || n < 0)
    label = g_strdup ("");
  else
    label = n == 0 ? g_strdup (_("not found"))
                   : g_strdup_printf (ngettext ("%d match", "%d matches", n), n);
  gtk_label_set_label (GTK_LABEL (self->count), label);
  if (n >= 0)
    mark_matches (self);
}

/* ---- looking -------------------------------------------------------------- */

static void
step (LsScriptSearch *self,
      gboolean        from_here)
{
  GtkTextBuffer *buffer;
  GtkTextIter here, start, end;

  if (self->seen == NULL)
    return;
  buffer = gtk_text_view_get_buffer (self->seen->view);
  gtk_text_buffer_get_iter_at_mark (buffer, &here,
                                    from_here ? gtk_text_buffer_get_insert (buffer)
                                              : gtk_text_buffer_get_selection_bound (buffer));
  if (gtk_source_search_context_forward (self->seen->context, &here, &start, &end, NULL))
    {
      gtk_text_buffer_select_range (buffer, &end, &start);
      gtk_text_view_scroll_to_iter (self->seen->view, &start, 0.1, FALSE, 0.0, 0.3);
    }
}

static void
entry_changed (LsScriptSearch *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));

  gtk_source_search_settings_set_search_text (self->settings, *text != '\0' ? text : NULL);
  if (*text != '\0')
    step (self, FALSE);
  update_count (self);
}

static void
mode_changed (LsScriptSearch *self)
{
  set_match_style (self);
  mark_matches (self);
  if (is_active (self))
    gtk_widget_grab_focus (self->entry);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_ACTIVE]);
}

void
ls_script_search_add (LsScriptSearch *self,
                      GtkTextView    *view)
{
  Text *text = &self->texts[self->n_texts];

  g_return_if_fail (self->n_texts < MOST_TEXTS);

  text->view = view;
  text->context = gtk_source_search_context_new (GTK_SOURCE_BUFFER (gtk_text_view_get_buffer (view)), self->settings);
  gtk_source_search_context_set_highlight (text->context, FALSE);
  g_signal_connect_object (text->context, "notify::occurrences-count", G_CALLBACK (update_count), self, G_CONNECT_SWAPPED);
  self->n_texts++;
  if (self->seen == NULL)
    self->seen = text;
}

void
ls_script_search_watch (LsScriptSearch *self,
                        GtkTextView    *view)
{
  for (guint i = 0; i < self->n_texts; i++)
    if (self->texts[i].view == view)
      self->seen = &self->texts[i];
  update_count (self);
}

void
ls_script_search_start (LsScriptSearch *self)
{
  gtk_search_bar_set_search_mode (GTK_SEARCH_BAR (self->bar), TRUE);
  gtk_widget_grab_focus (self->entry);
}

void
ls_script_search_next (LsScriptSearch *self)
{
  if (is_active (self))
    step (self, TRUE);
  else
    ls_script_search_start (self);
}

/* ---- class -------------------------------------------------------------- */

static void
ls_script_search_get_property (GObject    *object,
                               guint       id,
                               GValue     *value,
                               GParamSpec *spec)
{
  if (id == PROP_ACTIVE)
    g_value_set_boolean (value, is_active (LS_SCRIPT_SEARCH (object)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
}

static void
ls_script_search_set_property (GObject      *object,
                               guint         id,
                               const GValue *value,
                               GParamSpec   *spec)
{
  if (id == PROP_ACTIVE)
    gtk_search_bar_set_search_mode (GTK_SEARCH_BAR (LS_SCRIPT_SEARCH (object)->bar), g_value_get_boolean (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
}

static void
ls_script_search_dispose (GObject *object)
{
  LsScriptSearch *self = LS_SCRIPT_SEARCH (object);

  self->seen = NULL;
  for (guint i = 0; i < self->n_texts; i++)
    g_clear_object (&self->texts[i].context);
  self->n_texts = 0;
  g_clear_object (&self->settings);
  g_clear_pointer (&self->bar, gtk_widget_unparent);
  G_OBJECT_CLASS (ls_script_search_parent_class)->dispose (object);
}

static void
ls_script_search_class_init (LsScriptSearchClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = ls_script_search_dispose;
  object_class->get_property = ls_script_search_get_property;
  object_class->set_property = ls_script_search_set_property;
  props[PROP_ACTIVE] = g_param_spec_boolean (LS_SCRIPT_SEARCH_ACTIVE, NULL, NULL, FALSE,
                                             G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/loopscope/views/script/search.ui");
  gtk_widget_class_bind_template_child (widget_class, LsScriptSearch, bar);
  gtk_widget_class_bind_template_child (widget_class, LsScriptSearch, entry);
  gtk_widget_class_bind_template_child (widget_class, LsScriptSearch, count);
}

static void
ls_script_search_init (LsScriptSearch *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->settings = gtk_source_search_settings_new ();
  gtk_source_search_settings_set_wrap_around (self->settings, TRUE);
  gtk_search_bar_connect_entry (GTK_SEARCH_BAR (self->bar), GTK_EDITABLE (self->entry));
  g_signal_connect_swapped (self->entry, "search-changed", G_CALLBACK (entry_changed), self);
  g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (ls_script_search_next), self);
  g_signal_connect_swapped (self->entry, "next-match", G_CALLBACK (ls_script_search_next), self);
  g_signal_connect_swapped (self->bar, "notify::search-mode-enabled", G_CALLBACK (mode_changed), self);
}
