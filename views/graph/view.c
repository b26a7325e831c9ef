/* LsGraphView: joins the model, the canvas and the pane beside it. */
#include "views/graph/view-private.h"

#include "views/graph/edit-popover.h"
#include "views/graph/map.h"
#include "views/graph/pass-popover.h"
#include "views/graph/styles-popover.h"
#include "views/graph/times.h"
#include "views/models/format.h"
#include "views/parts/choice-name.h"
#include "views/parts/status.h"
#include "views/parts/theme.h"
#include "views/parts/tip.h"
#include "views/parts/later.h"

#include <glib/gi18n.h>
#include <string.h>

G_DEFINE_FINAL_TYPE (LsGraphView, ls_graph_view, GTK_TYPE_WIDGET)

/* ---- wishes --------------------------------------------------------------------------------------- */

static void
node_selected (LsGraphView *self,
               int          place)
{
  if (!ls_graph_view_is_waiting (self))
    ls_graph_model_select (self->model, place);
}

static void
node_chosen (LsGraphView *self,
             int          place,
             gboolean     from_list)
{
  if (!ls_graph_view_is_waiting (self))
    {
      ls_graph_canvas_set_selected (CANVAS (self), place);
      if (place >= 0)
        ls_graph_canvas_reveal (CANVAS (self), place);
    }
  if (!from_list)
    ls_graph_model_select (self->model, place);
}

/* Opens a group; goes to the called function of Relax; else to the pane. */
static void
node_activated (LsGraphView *self,
                int          place)
{
  LsGraphState *state = ls_graph_view_state (self);
  const LsGraphNode *node = state != NULL && place >= 0 && state->nodes[place] >= 0 ? ls_graph_node (state->graph, state->nodes[place]) : NULL;

  if (node == NULL)
    return;
  if (node->kind == LS_GRAPH_NODE_GROUP)
    {
      ls_graph_model_open_group (self->model, node->key, TRUE);
      return;
    }
  ls_graph_model_select (self->model, place);
  ls_graph_pane_focus_detail (PANE (self));
}

static void
canvas_activated (LsGraphView *self,
                  int          place)
{
  if (!ls_graph_view_is_waiting (self))
    node_activated (self, place);
}

static void
previous_state (LsGraphView *self)
{
  ls_graph_model_go_to (self->model, ls_graph_model_get_state (self->model) - 1);
}

static void
next_state (LsGraphView *self)
{
  ls_graph_model_go_to (self->model, ls_graph_model_get_state (self->model) + 1);
}

static void
fold_toggled (LsGraphView *self)
{
  ls_graph_model_set_folded (self->model, gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->fold_constants)));
}

static void
drop_pass (LsGraphView *self)
{
  ls_graph_model_drop_pass (self->model);
}

static void
measure (LsGraphView *self)
{
  ls_graph_model_measure (self->model);
}

static void
call_chosen (LsGraphView *self,
             int          place)
{
  if (place >= 0)
    node_chosen (self, place, FALSE);
}

static void
cancel (LsGraphView *self)
{
  ls_graph_model_cancel (self->model);
}

static void
show_all (LsGraphView *self)
{
  ls_graph_model_set_all (self->model, TRUE);
}

static void
fold_again (LsGraphView *self)
{
  LsGraphSeries *series = ls_graph_view_series (self);
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);

  if (ls_graph_model_get_all (self->model))
    {
      ls_graph_model_set_all (self->model, FALSE);
      return;
    }
  for (guint i = 0; series != NULL && i < series->whole->clusters->len; i++)
    if (ls_graph_cluster (series->whole, i)->kind == LS_GRAPH_CLUSTER_GROUP)
      g_ptr_array_add (keys, g_strdup (ls_graph_cluster (series->whole, i)->key));
  for (guint i = 0; i < keys->len; i++)
    ls_graph_model_open_group (self->model, keys->pdata[i], FALSE);
}

static void
zoom_in (LsGraphView *self)
{
  ls_graph_canvas_zoom_by (CANVAS (self), 1.25);
}

static void
zoom_out (LsGraphView *self)
{
  ls_graph_canvas_zoom_by (CANVAS (self), 0.8);
}

static void
fit (LsGraphView *self)
{
  ls_graph_canvas_fit (CANVAS (self));
}

/* ---- passes -------------------------------------------------------------------------------------------- */

/* From the list of passes. TRUE: it could be done. */
static gboolean
pass_chosen (const char *text,
             gpointer    data)
{
  LsGraphView *self = data;

  gtk_menu_button_popdown (GTK_MENU_BUTTON (self->add_pass));
  ls_graph_model_add_pass (self->model, text);
  gtk_widget_grab_focus (self->canvas);
  return ls_graph_model_get_message (self->model) == NULL;
}

/* ---- class ------------------------------------------------------------------------------------------------ */

static void
ls_graph_view_dispose (GObject *object)
{
  LsGraphView *self = LS_GRAPH_VIEW (object);

  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  self->model = NULL;
  g_clear_object (&self->session);
  g_clear_pointer (&self->matches, g_ptr_array_unref);
  g_clear_pointer (&self->kinds, g_array_unref);
  g_clear_pointer (&self->paned, gtk_widget_unparent);
  G_OBJECT_CLASS (ls_graph_view_parent_class)->dispose (object);
}

static void
ls_graph_view_class_init (LsGraphViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_graph_view_dispose;
  g_type_ensure (LS_TYPE_GRAPH_CANVAS);
  g_type_ensure (LS_TYPE_GRAPH_MAP);
  g_type_ensure (LS_TYPE_GRAPH_PANE);
  g_type_ensure (LS_TYPE_GRAPH_TIMES);
  g_type_ensure (LS_TYPE_STATUS);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "graphview");
  gtk_widget_class_set_template_from_resource (widget_class, "/org/loopscope/views/graph/view.ui");
#define BIND(name) gtk_widget_class_bind_template_child (widget_class, LsGraphView, name)
  BIND (paned);
  BIND (bar);
  BIND (kind);
  BIND (search);
  BIND (found);
  BIND (previous_match);
  BIND (next_match);
  BIND (open_match);
  BIND (styles);
  BIND (figure_label);
  BIND (figure);
  BIND (zoom_out);
  BIND (zoom);
  BIND (zoom_in);
  BIND (fit);
  BIND (state_bar);
  BIND (previous_state);
  BIND (next_state);
  BIND (state_name);
  BIND (state_words);
  BIND (fold_constants);
  BIND (add_pass);
  BIND (edit);
  BIND (drop_pass);
  BIND (measure);
  BIND (timeline);
  BIND (times);
  BIND (export);
  BIND (notice_bar);
  BIND (notice);
  BIND (notice_all);
  BIND (notice_button);
  BIND (stack);
  BIND (canvas);
  BIND (map);
  BIND (status);
  BIND (counts);
  BIND (busy);
  BIND (cancel);
  BIND (keys);
  BIND (side);
#undef BIND
}

static void
connect_parts (LsGraphView *self)
{
  const struct { GtkWidget *widget; const char *signal; GCallback func; } parts[] = {
    { self->kind, "notify::selected", G_CALLBACK (ls_graph_view_kind_chosen) },
    { self->figure, "notify::selected", G_CALLBACK (ls_graph_view_figure_chosen) },
    { self->search, "search-changed", G_CALLBACK (ls_graph_view_search_changed) },
    { self->search, "activate", G_CALLBACK (ls_graph_view_next_match) },
    { self->search, "next-match", G_CALLBACK (ls_graph_view_next_match) },
    { self->search, "previous-match", G_CALLBACK (ls_graph_view_previous_match) },
    { self->search, "stop-search", G_CALLBACK (ls_graph_view_leave_search) },
    { self->previous_match, "clicked", G_CALLBACK (ls_graph_view_previous_match) },
    { self->next_match, "clicked", G_CALLBACK (ls_graph_view_next_match) },
    { self->open_match, "clicked", G_CALLBACK (ls_graph_view_open_match) },
    { self->zoom_out, "clicked", G_CALLBACK (zoom_out) },
    { self->zoom_in, "clicked", G_CALLBACK (zoom_in) },
    { self->fit, "clicked", G_CALLBACK (fit) },
    { self->previous_state, "clicked", G_CALLBACK (previous_state) },
    { self->next_state, "clicked", G_CALLBACK (next_state) },
    { self->fold_constants, "toggled", G_CALLBACK (fold_toggled) },
    { self->drop_pass, "clicked", G_CALLBACK (drop_pass) },
    { self->measure, "clicked", G_CALLBACK (measure) },
    { self->export, "clicked", G_CALLBACK (ls_graph_view_export) },
    { self->timeline, "toggled", G_CALLBACK (ls_graph_view_timeline_toggled) },
    { self->times, "chosen", G_CALLBACK (call_chosen) },
    { self->times, "measure", G_CALLBACK (measure) },
    { self->times, "save", G_CALLBACK (ls_graph_view_export_run) },
    { self->notice_all, "clicked", G_CALLBACK (show_all) },
    { self->notice_button, "clicked", G_CALLBACK (fold_again) },
    { self->cancel, "clicked", G_CALLBACK (cancel) },
    { self->canvas, "selected", G_CALLBACK (node_selected) },
    { self->canvas, "activated", G_CALLBACK (canvas_activated) },
    { self->canvas, "letters", G_CALLBACK (ls_graph_view_lay_out) },
    { self->canvas, "zoomed", G_CALLBACK (ls_graph_view_zoomed) },
    { self->side, "chosen", G_CALLBACK (node_chosen) },
    { self->side, "opened", G_CALLBACK (node_activated) },
  };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    g_signal_connect_object (parts[i].widget, parts[i].signal, parts[i].func, self, G_CONNECT_SWAPPED);
  ls_graph_view_add_search_keys (self);
  ls_graph_map_set_canvas (LS_GRAPH_MAP (self->map), CANVAS (self));
}

/* The divider's first place, and that after a turn; in between it is the user's.  Not before the sizes of this orientation are
 * known: a GtkPaned adds their difference from those before to the place that it was told. */
static void
divide (gpointer data)
{
  LsGraphView *self = data;
  int room = self->narrow ? gtk_widget_get_height (self->paned) : gtk_widget_get_width (self->paned);
  int position = gtk_paned_get_position (GTK_PANED (self->paned));

  if (room <= 0 || !self->sized || (self->given != 0 && self->given != position))
    return;
  gtk_paned_set_position (GTK_PANED (self->paned), room * (!self->narrow ? 62 : self->overview ? 76 : 66) / 100);
  self->given = gtk_paned_get_position (GTK_PANED (self->paned));
}

static void
queue_divide (LsGraphView *self)
{
  self->sized = TRUE;
  ls_later (self, G_PRIORITY_HIGH_IDLE, 0, divide);
}

static void
mapped (LsGraphView *self)
{
  if (self->model != NULL)
    ls_graph_model_set_watched (self->model, TRUE);
}

static void
unmapped (LsGraphView *self)
{
  if (self->model != NULL)
    ls_graph_model_set_watched (self->model, FALSE);
}

static void
ls_graph_view_init (LsGraphView *self)
{
  const char *const figures[] = { _("Shapes"), _("Time"), _("Operations"), _("Bytes"), _("Share of roof"), NULL };
  g_autoptr (GtkStringList) list = gtk_string_list_new (figures);

  gtk_widget_init_template (GTK_WIDGET (self));
  self->kinds = g_array_new (FALSE, FALSE, sizeof (LsGraphKind));
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->figure), G_LIST_MODEL (list));
  gtk_widget_set_size_request (self->side, ls_theme_grow (320), ls_theme_grow (160));
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->add_pass), ls_pass_popover_new (pass_chosen, self));
  connect_parts (self);
  g_signal_connect_object (self->paned, "notify::max-position", G_CALLBACK (queue_divide), self, G_CONNECT_SWAPPED);
  g_signal_connect_swapped (self, "map", G_CALLBACK (mapped), self);
  g_signal_connect_swapped (self, "unmap", G_CALLBACK (unmapped), self);
  ls_graph_view_zoomed (self);
  ls_graph_view_show_empty (self);
}

void
ls_graph_view_set_session (LsGraphView *self,
                           LsSession   *session)
{
  const struct { const char *signal; GCallback func; } parts[] = {
    { "changed", G_CALLBACK (ls_graph_view_series_changed) },
    { "state", G_CALLBACK (ls_graph_view_state_changed) },
    { "laid-out", G_CALLBACK (ls_graph_view_layout_changed) },
    { "told", G_CALLBACK (ls_graph_view_told) },
    { "numbers", G_CALLBACK (ls_graph_view_numbers_changed) },
    { "selection", G_CALLBACK (ls_graph_view_selection_changed) },
    { "styles", G_CALLBACK (ls_graph_view_styles_changed) },
  };

  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  self->model = ls_session_get_graph (session);
  g_signal_connect_object (session, "pins-changed", G_CALLBACK (ls_graph_view_pins_changed), self, G_CONNECT_SWAPPED);
  ls_graph_view_pins_changed (self);
  if (self->model == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    g_signal_connect_swapped (self->model, parts[i].signal, parts[i].func, self);
  ls_graph_pane_set_model (PANE (self), self->model);
  ls_graph_times_set_model (LS_GRAPH_TIMES (self->times), self->model);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->styles), ls_styles_popover_new (self->model, GTK_EDITABLE (self->search)));
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->edit), ls_edit_popover_new (self->model, CANVAS (self)));
  ls_graph_model_set_watched (self->model, gtk_widget_get_mapped (GTK_WIDGET (self)));
  ls_graph_view_series_changed (self);
  ls_graph_view_told (self);
}

void
ls_graph_view_set_narrow (LsGraphView *self,
                          gboolean     narrow,
                          gboolean     cramped)
{
  self->cramped = cramped;
  ls_graph_view_show_figure_label (self);
  if (self->narrow == narrow)
    return;
  self->narrow = narrow;
  ls_graph_pane_set_narrow (PANE (self), narrow);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->paned), narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  self->given = 0;
  self->sized = FALSE;
}

void
ls_graph_view_set_overview (LsGraphView *self,
                            gboolean     overview)
{
  self->overview = overview;
  ls_graph_canvas_set_overview (CANVAS (self), overview);
}

void
ls_graph_view_set_slide (LsGraphView *self,
                         gboolean     slide)
{
  ls_graph_canvas_set_slide (CANVAS (self), slide);
  gtk_widget_set_visible (GTK_WIDGET (PANE (self)), !slide);
}

void
ls_graph_view_start_search (LsGraphView *self)
{
  gtk_widget_grab_focus (self->search);
}

void
ls_graph_view_search_next (LsGraphView *self)
{
  ls_graph_view_next_match (self);
}

void
ls_graph_view_focus_pane (LsGraphView *self,
                          guint        pane)
{
  if (pane == 0)
    gtk_widget_grab_focus (self->canvas);
  else if (pane == 1)
    ls_graph_pane_focus_list (PANE (self));
  else
    ls_graph_pane_focus_detail (PANE (self));
}

int
ls_graph_view_find_focus (LsGraphView *self,
                          GtkWidget   *focus)
{
  int pane = ls_graph_pane_find_focus (PANE (self), focus);

  if (focus == self->canvas)
    return 0;
  return pane >= 0 ? pane + 1 : -1;
}
