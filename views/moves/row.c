/* LsMoveRow: one widget for both kinds of row, so that the list can recycle it.  What few rows show (a heading, a repair, the source, the
 * editor) is made when it is first shown: a list has thirty rows, each of them costs at every layout and for a screen reader.
 * The pointer resting on it for 150 ms shows what the move would make. */
#include "views/moves/row.h"

#include "views/moves/editor.h"
#include "views/parts/fit-label.h"
#include "views/parts/parts.h"

#include <glib/gi18n.h>

#define GHOST_DELAY 150

struct _LsMoveRow
{
  GtkWidget   parent_instance;

  LsSession  *session;
  LsMoveItem *item;
  guint       ghost_timer;
  gboolean    unfolded;

  GtkWidget  *box;
  GtkWidget  *header;
  GtkWidget  *header_icon;
  GtkWidget  *header_title;
  GtkWidget  *header_count;
  GtkWidget  *header_try;       /* what is done with the whole group, where there is such a thing */
  GtkWidget  *body;
  GtkWidget  *call;
  GtkWidget  *tag;
  GtkWidget  *reason;
  GtkWidget  *source;
  GtkWidget  *repair_line;
  GtkWidget  *repair;
  GtkWidget  *repair_note;
  GtkWidget  *revealer;
};

G_DEFINE_FINAL_TYPE (LsMoveRow, ls_move_row, GTK_TYPE_WIDGET)

/* ---- parts ---------------------------------------------------------------- */

static void
repair_clicked (LsMoveRow *self)
{
  if (self->item != NULL)
    ls_session_repair (self->session, self->item);
}

/* A row is never wider than its list: what a line cannot hold goes on in the next, inside a word where it must. */
static void
wrap_anywhere (GtkWidget *label)
{
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_natural_wrap_mode (GTK_LABEL (label), GTK_NATURAL_WRAP_WORD);
}

/* The same in what every row has. */
static GtkWidget *
words_new (const char *css_class)
{
  GtkWidget *label = ls_fit_label_new ();

  gtk_widget_add_css_class (label, css_class);
  ls_fit_label_set_lines (LS_FIT_LABEL (label), G_MAXINT);
  return label;
}

/* One of the two, as something is being measured or not. */
static void
add_try (LsMoveRow *self)
{
  GtkWidget *go = gtk_button_new_with_label (_("Try these")), *cancel = gtk_button_new_with_label (_("Cancel"));

  gtk_widget_set_tooltip_text (go, _("Measures each of them as a branch of the history"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (go), "win.try-likely");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (cancel), "win.cancel");
  gtk_widget_add_css_class (go, "flat");
  gtk_widget_add_css_class (cancel, "flat");
  gtk_box_append (GTK_BOX (self->header_try), go);
  gtk_box_append (GTK_BOX (self->header_try), cancel);
  g_object_bind_property (self->session, "running", go, "visible", G_BINDING_SYNC_CREATE | G_BINDING_INVERT_BOOLEAN);
  g_object_bind_property (self->session, "running", cancel, "visible", G_BINDING_SYNC_CREATE);
}

static void
build_header (LsMoveRow *self)
{
  self->header = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  gtk_widget_add_css_class (self->header, "group-header");
  self->header_icon = gtk_image_new ();
  self->header_title = ls_part_label (NULL, "strong");
  gtk_widget_set_hexpand (self->header_title, TRUE);
  gtk_label_set_ellipsize (GTK_LABEL (self->header_title), PANGO_ELLIPSIZE_END);
  self->header_count = ls_part_label (NULL, "figure");
  gtk_widget_add_css_class (self->header_count, "strong");
  gtk_box_append (GTK_BOX (self->header), self->header_icon);
  gtk_box_append (GTK_BOX (self->header), self->header_title);
  gtk_box_append (GTK_BOX (self->header), self->header_count);
  self->header_try = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_set_visible (self->header_try, FALSE);
  gtk_box_append (GTK_BOX (self->header), self->header_try);
  add_try (self);
  gtk_box_prepend (GTK_BOX (self->box), self->header);
}

/* A grid: a box would ask a label that wraps for its width at a height, which it finds by a dozen layouts. */
static void
build_lines (LsMoveRow *self)
{
  GtkWidget *line = gtk_grid_new ();

  self->call = words_new ("code");
  gtk_widget_add_css_class (self->call, "strong");
  self->tag = ls_part_label (NULL, "tag");
  gtk_widget_set_valign (self->tag, GTK_ALIGN_START);
  gtk_grid_set_column_spacing (GTK_GRID (line), 8);
  gtk_grid_attach (GTK_GRID (line), self->call, 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (line), self->tag, 1, 0, 1, 1);
  gtk_box_append (GTK_BOX (self->body), line);

  self->reason = words_new ("reason");
  gtk_box_append (GTK_BOX (self->body), self->reason);
}

static void
build_repair (LsMoveRow *self)
{
  GtkWidget *text;

  self->repair_line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  gtk_widget_add_css_class (self->repair_line, "repair");
  self->repair = gtk_button_new ();
  gtk_widget_set_halign (self->repair, GTK_ALIGN_START);
  text = gtk_label_new (NULL);
  wrap_anywhere (text);
  gtk_button_set_child (GTK_BUTTON (self->repair), text);
  g_signal_connect_swapped (self->repair, "clicked", G_CALLBACK (repair_clicked), self);
  self->repair_note = ls_part_label (NULL, "reason");
  wrap_anywhere (self->repair_note);
  gtk_box_append (GTK_BOX (self->repair_line), self->repair);
  gtk_box_append (GTK_BOX (self->repair_line), self->repair_note);
  gtk_box_insert_child_after (GTK_BOX (self->body), self->repair_line, self->reason);
}

/* Under all but the editor. */
static void
build_source (LsMoveRow *self)
{
  self->source = gtk_button_new_with_label ("");
  gtk_widget_add_css_class (self->source, "flat");
  gtk_widget_add_css_class (self->source, "link");
  gtk_widget_set_halign (self->source, GTK_ALIGN_START);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (self->source), "(sss)", "", "", "");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->source), "win.rule-of");
  gtk_box_insert_child_after (GTK_BOX (self->body), self->source, self->repair_line != NULL ? self->repair_line : self->reason);
}

/* ---- what the item says --------------------------------------------------- */

static void
update_header (LsMoveRow *self)
{
  static const char *const classes[] = { "likely", "can", "risky", "with-change", "cannot" };
  LsMoveGroup group = ls_move_item_get (self->item)->group;
  g_autofree char *count = g_strdup_printf ("%u", ls_move_item_get_count (self->item));

  if (self->header == NULL)
    build_header (self);
  gtk_image_set_from_icon_name (GTK_IMAGE (self->header_icon), ls_move_group_icon (group));
  gtk_label_set_label (GTK_LABEL (self->header_title), ls_move_group_title (group));
  gtk_label_set_label (GTK_LABEL (self->header_count), count);
  gtk_widget_set_visible (self->header_try, group == LS_MOVE_LIKELY && ls_move_item_get_count (self->item) > 0);
  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    if (i == group)
      gtk_widget_add_css_class (self->header_icon, classes[i]);
    else
      gtk_widget_remove_css_class (self->header_icon, classes[i]);
}

/* The button and what stands beside it, in the narrowest pane. */
static gboolean
repair_fits_a_line (const LsMoveRecord *record)
{
  return g_utf8_strlen (record->repair != NULL ? record->repair : "", -1) +
         g_utf8_strlen (record->repair_note != NULL ? record->repair_note : "", -1) <= 32;
}

/* A row out of sight has no surface yet; its button needs one to be pressed through accessibility. */
static void
update_repair (LsMoveRow          *self,
               const LsMoveRecord *record)
{
  const char *repair = record->repair != NULL ? record->repair : "";
  gboolean one_line = repair_fits_a_line (record);

  if (self->repair_line == NULL && record->repair == NULL)
    return;
  if (self->repair_line == NULL)
    build_repair (self);
  gtk_widget_set_visible (self->repair_line, record->repair != NULL);
  gtk_label_set_label (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (self->repair))), repair);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->repair), GTK_ACCESSIBLE_PROPERTY_LABEL, repair, -1);
  gtk_label_set_label (GTK_LABEL (self->repair_note), record->repair_note != NULL ? record->repair_note : "");
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->repair_line), one_line ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL);
  gtk_label_set_wrap (GTK_LABEL (self->repair_note), !one_line);
  if (record->repair != NULL && gtk_widget_get_root (self->repair) != NULL)
    gtk_widget_realize (self->repair);
}

/* A header has nothing to say here but why its group is empty; what a move said is taken away. */
static void
update_body (LsMoveRow *self)
{
  const LsMoveRecord *record = ls_move_item_get (self->item);

  ls_fit_label_set_text (LS_FIT_LABEL (self->call), record->call != NULL ? record->call : "");
  ls_fit_label_set_text (LS_FIT_LABEL (self->reason), record->reason != NULL ? record->reason : "");
  gtk_widget_set_visible (gtk_widget_get_parent (self->call), record->call != NULL);
  gtk_widget_set_visible (self->tag, record->tag != NULL);
  gtk_widget_set_hexpand (self->call, record->tag == NULL);
  gtk_label_set_label (GTK_LABEL (self->tag), record->tag != NULL ? record->tag : "");
  update_repair (self, record);
}

static void
update_editor (LsMoveRow *self)
{
  const LsMoveRecord *record = ls_move_item_get (self->item);
  gboolean show = self->unfolded && !ls_move_item_is_header (self->item) &&
                  (LS_MOVE_GROUP_CAN (record->group) || record->n_params > 0);

  if (self->revealer == NULL && !show)
    return;
  if (self->revealer == NULL)
    {
      self->revealer = gtk_revealer_new ();
      gtk_revealer_set_transition_duration (GTK_REVEALER (self->revealer), 150);
      gtk_box_append (GTK_BOX (self->body), self->revealer);
    }
  if (show && gtk_revealer_get_child (GTK_REVEALER (self->revealer)) == NULL)
    gtk_revealer_set_child (GTK_REVEALER (self->revealer),
                            ls_move_editor_new (self->session, self->item));
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->revealer), show);
  gtk_widget_set_visible (self->revealer, show);
  if (!show)
    gtk_revealer_set_child (GTK_REVEALER (self->revealer), NULL);
}

/* The chosen row leads to the source of its primitive, at the check where it has a reason. */
static void
update_source (LsMoveRow *self)
{
  const LsMoveRecord *record = ls_move_item_get (self->item);
  gboolean show = self->unfolded && !ls_move_item_is_header (self->item) && record->name != NULL;
  g_autofree char *words = show ? g_strdup_printf (_("Source of %s"), record->name) : NULL;

  if (self->source == NULL && show)
    build_source (self);
  if (self->source != NULL)
    gtk_widget_set_visible (self->source, show);
  if (!show)
    return;
  gtk_button_set_label (GTK_BUTTON (self->source), words);
  gtk_widget_set_tooltip_text (self->source, record->source);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->source), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, record->source != NULL ? record->source : "", -1);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (self->source), "(sss)", record->name, record->source != NULL ? record->source : "",
                                    record->source != NULL && record->reason != NULL ? record->reason : "");
}

static void
update (LsMoveRow *self)
{
  gboolean header = ls_move_item_is_header (self->item);
  g_autofree char *description = ls_move_item_describe (self->item);

  if (header)
    update_header (self);
  if (self->header != NULL)
    gtk_widget_set_visible (self->header, header);
  gtk_widget_set_visible (self->body, !header || ls_move_item_get (self->item)->reason != NULL);
  gtk_widget_set_focusable (GTK_WIDGET (self), header);     /* its row is nothing to select, but Tab comes to the first one */
  update_body (self);
  update_source (self);
  update_editor (self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, description, -1);
}

/* ---- pointer ------------------------------------------------------------ */

static gboolean
show_ghost (gpointer data)
{
  LsMoveRow *self = data;

  self->ghost_timer = 0;
  if (self->item != NULL && LS_MOVE_GROUP_CAN (ls_move_item_get (self->item)->group))
    ls_session_preview (self->session, self->item);
  return G_SOURCE_REMOVE;
}

static void
pointer_entered (LsMoveRow *self)
{
  if (self->item == NULL || ls_move_item_is_header (self->item))
    return;
  g_clear_handle_id (&self->ghost_timer, g_source_remove);
  self->ghost_timer = g_timeout_add (GHOST_DELAY, show_ghost, self);
}

static void
pointer_left (LsMoveRow *self)
{
  g_clear_handle_id (&self->ghost_timer, g_source_remove);
  if (!self->unfolded)
    ls_session_preview (self->session, NULL);
}

/* ---- class -------------------------------------------------------------- */

static void
ls_move_row_dispose (GObject *object)
{
  LsMoveRow *self = LS_MOVE_ROW (object);

  g_clear_handle_id (&self->ghost_timer, g_source_remove);
  ls_move_row_set_item (self, NULL);
  g_clear_object (&self->session);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (ls_move_row_parent_class)->dispose (object);
}

static void
ls_move_row_class_init (LsMoveRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_move_row_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "moverow");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
ls_move_row_init (LsMoveRow *self)
{
  GtkEventController *pointer = gtk_event_controller_motion_new ();

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  self->body = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_add_css_class (self->body, "move");
  gtk_box_append (GTK_BOX (self->box), self->body);
  build_lines (self);
  gtk_widget_set_visible (self->body, FALSE);

  g_signal_connect_swapped (pointer, "enter", G_CALLBACK (pointer_entered), self);
  g_signal_connect_swapped (pointer, "leave", G_CALLBACK (pointer_left), self);
  gtk_widget_add_controller (GTK_WIDGET (self), pointer);
}

GtkWidget *
ls_move_row_new (LsSession *session)
{
  LsMoveRow *self = g_object_new (LS_TYPE_MOVE_ROW, NULL);

  self->session = g_object_ref (session);
  return GTK_WIDGET (self);
}

void
ls_move_row_set_item (LsMoveRow  *self,
                      LsMoveItem *item)
{
  if (self->item == item)
    return;
  if (self->item != NULL)
    g_signal_handlers_disconnect_by_func (self->item, update, self);
  if (self->box != NULL && self->revealer != NULL)
    gtk_revealer_set_child (GTK_REVEALER (self->revealer), NULL);
  g_set_object (&self->item, item);
  if (item == NULL)
    return;
  g_signal_connect_swapped (item, "changed", G_CALLBACK (update), self);
  update (self);
}

LsMoveItem *
ls_move_row_get_item (LsMoveRow *self)
{
  return self->item;
}

void
ls_move_row_set_unfolded (LsMoveRow *self,
                          gboolean   unfolded)
{
  self->unfolded = unfolded;
  if (self->item == NULL)
    return;
  update_source (self);
  update_editor (self);
}
