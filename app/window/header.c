/* window/header: the title bar: which document this is, whether it has changes that no file has, and the pages: as tabs or, where there is
 * no room for those beside the name, as a list. */
#include "app/window/private.h"

#include "views/parts/choice-name.h"
#include "views/parts/theme.h"
#include "views/parts/tip.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#define BOLD 10                 /* what the tab of the shown page is wider at most, with usual letters */

/* ---- the pages ------------------------------------------------------------- */

static void
page_chosen (LsWindow *self)
{
  GtkSelectionModel *pages = gtk_stack_get_pages (GTK_STACK (self->pages));

  gtk_selection_model_select_item (pages, gtk_drop_down_get_selected (GTK_DROP_DOWN (self->page_list)), TRUE);
  g_object_unref (pages);
}

static void
page_changed (LsWindow *self)
{
  GtkSelectionModel *pages = gtk_stack_get_pages (GTK_STACK (self->pages));
  GtkBitset *selected = gtk_selection_model_get_selection (pages);

  if (!gtk_bitset_is_empty (selected))
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->page_list), gtk_bitset_get_minimum (selected));
  gtk_bitset_unref (selected);
  g_object_unref (pages);
}

void
ls_window_header_init (LsWindow *self)
{
  GtkSelectionModel *pages = gtk_stack_get_pages (GTK_STACK (self->pages));
  GtkWidget *squeezer = adw_squeezer_new (), *tabs = gtk_stack_switcher_new (), *around = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkExpression *title = gtk_property_expression_new (GTK_TYPE_STACK_PAGE, NULL, "title");

  gtk_stack_switcher_set_stack (GTK_STACK_SWITCHER (tabs), GTK_STACK (self->pages));
  self->page_tabs = tabs;
  self->page_list = gtk_drop_down_new (G_LIST_MODEL (pages), title);
  ls_choice_set_name (GTK_DROP_DOWN (self->page_list), _("Page"));
  gtk_widget_set_valign (tabs, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (self->page_list, GTK_ALIGN_CENTER);
  gtk_widget_set_halign (self->page_list, GTK_ALIGN_CENTER);
  /* Tabs that are not shown are asked for their width all the same. */
  gtk_box_append (GTK_BOX (around), tabs);
  adw_squeezer_add (ADW_SQUEEZER (squeezer), around);
  adw_squeezer_add (ADW_SQUEEZER (squeezer), self->page_list);
  gtk_header_bar_set_title_widget (GTK_HEADER_BAR (self->header), squeezer);
  page_changed (self);
  g_signal_connect_swapped (self->page_list, "notify::selected", G_CALLBACK (page_chosen), self);
  g_signal_connect_swapped (self->pages, "notify::visible-child", G_CALLBACK (page_changed), self);
}

static int
measure_width (GtkWidget *widget,
               gboolean   natural)
{
  int least, liked;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &least, &liked, NULL, NULL);
  return natural ? liked : least;
}

static gboolean
has_room_for_tabs (LsWindow *self)
{
  int room = self->width - measure_width (self->header, FALSE) + measure_width (self->page_list, FALSE);

  return room >= measure_width (self->page_tabs, TRUE) + ls_theme_grow (BOLD);
}

gboolean
ls_window_header_fits (LsWindow *self)
{
  return self->page_list == NULL || gtk_widget_get_visible (gtk_widget_get_parent (self->page_tabs)) == has_room_for_tabs (self);
}

void
ls_window_header_fit (LsWindow *self)
{
  if (self->page_list != NULL)
    gtk_widget_set_visible (gtk_widget_get_parent (self->page_tabs), has_room_for_tabs (self));
}

void
ls_window_header_forget (LsWindow *self)
{
  if (self->page_list == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->page_list, self);
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->page_list), NULL);
  gtk_stack_switcher_set_stack (GTK_STACK_SWITCHER (self->page_tabs), NULL);
  self->page_list = self->page_tabs = NULL;
}

/* ---- the document ---------------------------------------------------------- */

void
ls_window_header_set_fast (LsWindow   *self,
                           const char *words)
{
  gtk_widget_set_visible (self->fast, words != NULL);
  ls_tip_set (self->fast, words != NULL ? words : "");
}

void
ls_window_header_update (LsWindow *self)
{
  const char *title = ls_session_get_title (self->session), *place = ls_session_get_place (self->session);
  gboolean changed = self->autosave != NULL && ls_autosave_get_unsaved (self->autosave);
  g_autofree char *marked = g_strdup_printf ("%s •", title != NULL ? title : "Loopscope");
  g_autofree char *words = g_strjoin (changed ? "\n" : NULL, title != NULL ? title : "Loopscope",
                                      changed ? _("Changed since it was saved. What you do is kept in any case.") : NULL, NULL);

  gtk_label_set_label (GTK_LABEL (self->name), title != NULL ? title : "Loopscope");
  ls_tip_set (self->name, words);
  gtk_widget_set_visible (self->unsaved, changed);
  gtk_label_set_label (GTK_LABEL (self->place), place != NULL ? place : "");
  gtk_widget_set_visible (self->place, place != NULL && *place != '\0');
  gtk_window_set_title (GTK_WINDOW (self), changed ? marked : title != NULL ? title : "Loopscope");
}
