/* LsLoopCell: one loop or block in words and marks. */
#include "views/loops/cell.h"

#include "views/loops/view.h"
#include "views/parts/fit-label.h"
#include "views/parts/mark.h"

#include <glib/gi18n.h>
#include <string.h>

struct _LsLoopCell
{
  GtkWidget   parent_instance;

  LsLoopItem *item;
  LsSession  *session;          /* borrowed: the view lives no longer */
  GtkWidget  *box;
  GtkWidget  *kin;              /* chips and name, outlined on hover */
  GtkWidget  *chips;
  GtkWidget  *pins;             /* NULL until there are some: most rows never have any */
  GtkWidget  *name;
  GtkWidget  *kind;
  GtkWidget  *reduction;
  GtkWidget  *code;             /* NULL until its machine code was looked at */
  GtkWidget  *origin;
  GtkWidget  *ghosts;
  guint64     tried;            /* row that is over this one and was tried; 0: none */
  gboolean    fits;             /* and may be dropped here */
};

G_DEFINE_FINAL_TYPE (LsLoopCell, ls_loop_cell, GTK_TYPE_WIDGET)

/* What is dragged: a row means something in its own session only.  That is not held: GTK keeps what a drag offers for as long as its drop was
 * not answered, and a window that goes meanwhile never answers. */
typedef struct {
  GWeakRef session;             /* only compared */
  guint64  row;
} LsDraggedLoop;

static LsDraggedLoop *
dragged_new (LsSession *session,
             guint64    row)
{
  LsDraggedLoop *self = g_new0 (LsDraggedLoop, 1);

  g_weak_ref_init (&self->session, session);
  self->row = row;
  return self;
}

static gpointer
dragged_copy (gpointer data)
{
  LsDraggedLoop *self = data;
  g_autoptr (LsSession) session = g_weak_ref_get (&self->session);

  return dragged_new (session, self->row);
}

static void
dragged_free (gpointer data)
{
  LsDraggedLoop *self = data;

  g_weak_ref_clear (&self->session);
  g_free (self);
}

static gboolean
is_of (const LsDraggedLoop *self,
       LsSession           *session)
{
  g_autoptr (LsSession) own = g_weak_ref_get ((GWeakRef *) &self->session);

  return own != NULL && own == session;
}

#define LS_TYPE_DRAGGED_LOOP (ls_dragged_loop_get_type ())
static GType ls_dragged_loop_get_type (void);
G_DEFINE_BOXED_TYPE (LsDraggedLoop, ls_dragged_loop, dragged_copy, dragged_free)

static void
update_ghosts (LsLoopCell *self)
{
  const char *const *ghost = ls_loop_item_get_ghost (self->item);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->ghosts)) != NULL)
    gtk_box_remove (GTK_BOX (self->ghosts), child);
  for (guint i = 0; ghost != NULL && ghost[i] != NULL; i++)
    {
      GtkWidget *label = gtk_label_new (ghost[i]);

      gtk_widget_add_css_class (label, "ghost");
      gtk_box_append (GTK_BOX (self->ghosts), label);
    }
  gtk_widget_set_visible (self->ghosts, ghost != NULL);
}

/* Where it comes from, or, while something is dragged over it, what would become of that. */
static void
show_origin (LsLoopCell *self,
             const char *instead)
{
  const LsLoopRecord *record = ls_loop_item_get (self->item);
  const char *texts[] = { instead != NULL ? instead : record->origin != NULL ? record->origin : "",
                          instead == NULL ? record->origin_brief : NULL, NULL };

  ls_fit_label_set (LS_FIT_LABEL (self->origin), texts);
}

static void
update_badges (LsLoopCell         *self,
               const LsLoopRecord *record)
{
  const char *letter = ls_loop_kind_letter (record->kind);

  if (letter != NULL)
    ls_mark_set_badge (LS_MARK (self->kind), ls_badge_for_kind (record->kind), letter);
  gtk_widget_set_visible (self->kind, letter != NULL);
  if (record->reduction)
    ls_mark_set_badge (LS_MARK (self->reduction), LS_BADGE_DOUBLE, "R");
  gtk_widget_set_visible (self->reduction, record->reduction);
}

static void
update_pins (LsLoopCell *self)
{
  guint8 pins = ls_loop_item_get_pins (self->item), uses = ls_loop_item_get_uses (self->item);

  if (self->pins == NULL && (pins | uses) != 0)
    {
      self->pins = ls_mark_new ();
      gtk_box_insert_child_after (GTK_BOX (self->kin), self->pins, self->chips);
    }
  if (self->pins != NULL)
    ls_mark_set_pins (LS_MARK (self->pins), pins, uses);
}

/* What its machine code is; a click shows that. */
static void
update_code (LsLoopCell *self)
{
  const char *code = ls_loop_item_get_code (self->item);

  if (self->code == NULL && code != NULL)
    {
      GtkWidget *label = gtk_label_new (NULL);

      /* Figures of the other columns go before it. */
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
      gtk_label_set_width_chars (GTK_LABEL (label), 8);
      self->code = gtk_button_new ();
      gtk_button_set_child (GTK_BUTTON (self->code), label);
      gtk_widget_add_css_class (self->code, "flat");
      gtk_widget_add_css_class (self->code, "loop-code");
      gtk_widget_set_valign (self->code, GTK_ALIGN_CENTER);
      gtk_widget_set_focusable (self->code, FALSE); /* the rows are gone through by keys; the window of the machine code has one of its own */
      gtk_actionable_set_action_name (GTK_ACTIONABLE (self->code), "win.machine-code");
      gtk_box_insert_child_after (GTK_BOX (self->box), self->code, self->reduction);
    }
  if (self->code == NULL)
    return;
  gtk_widget_set_visible (self->code, code != NULL);
  gtk_label_set_label (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (self->code))), code != NULL ? code : "");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->code), GTK_ACCESSIBLE_PROPERTY_LABEL, code != NULL ? code : "", -1);
  gtk_widget_set_tooltip_text (self->code, ls_loop_item_get_code_words (self->item));
}

static void
update (LsLoopCell *self)
{
  const LsLoopRecord *record = ls_loop_item_get (self->item);
  g_autofree char *description = ls_loop_item_describe (self->item);

  if (record->kind == LS_LOOP_BLOCK)
    ls_mark_set_badge (LS_MARK (self->chips), LS_BADGE_EMPTY, NULL);
  else
    ls_mark_set_families (LS_MARK (self->chips), &record->families);
  gtk_label_set_label (GTK_LABEL (self->name), record->name);
  show_origin (self, NULL);
  update_badges (self, record);
  update_pins (self);
  update_code (self);
  update_ghosts (self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, description,
                                  GTK_ACCESSIBLE_PROPERTY_LEVEL, (int) record->level,
                                  -1);
}

/* The line of the text that opens the loop or block, from 0; G_MAXUINT: none. */
static guint
opening_line (LsScriptText *text,
              guint64       id)
{
  guint n = text != NULL ? ls_script_text_n_lines (text) : 0;

  for (guint i = 0; i < n; i++)
    if (ls_script_text_line (text, i)->id == id)
      return i;
  for (guint i = 0; n > 0 && i < ls_script_text_n_spans (text); i++)
    if (ls_script_text_get_span (text, i)->id == id)
      {
        const char *start = ls_script_text_get_text (text), *end = g_utf8_offset_to_pointer (start, ls_script_text_get_span (text, i)->start);
        guint line = 0;

        for (const char *at = start; at < end; at++)
          line += *at == '\n';
        return line;
      }
  return G_MAXUINT;
}

/* "from line 14 of mm_relu.py". (transfer full), or NULL */
static char *
source_words (LsLoopCell *self)
{
  guint line = self->session != NULL ? opening_line (ls_session_get_script (self->session), ls_loop_item_get (self->item)->id) : G_MAXUINT;
  char *words = NULL;

  if (line != G_MAXUINT)
    ls_session_find_source (self->session, line, &words);
  return words;
}

/* No card may cover the rows while one of them is dragged.  Of a cell that goes meanwhile the end may never be told. */
static LsLoopCell *dragging;    /* or NULL */

static gboolean
ls_loop_cell_query_tooltip (GtkWidget  *widget,
                            int         x,
                            int         y,
                            gboolean    keyboard,
                            GtkTooltip *tooltip)
{
  LsLoopCell *self = LS_LOOP_CELL (widget);
  g_autofree char *words = NULL, *card = NULL, *text = NULL, *source = NULL, *first = NULL;

  if (self->item == NULL || dragging != NULL)
    return FALSE;
  words = ls_loop_item_describe (self->item);
  card = self->session != NULL ? ls_session_describe_row (self->session, ls_loop_item_get (self->item)->id) : NULL;
  source = source_words (self);
  first = source != NULL ? g_strdup_printf ("%s\n%s", words, source) : g_strdup (words);
  text = card != NULL ? g_strdup_printf ("%s\n\n%s", first, card) : g_strdup (first);
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

/* ---- dragged onto another loop ----------------------------------------------- */

static guint64
id_of (LsLoopCell *self)
{
  return self->item != NULL ? ls_loop_item_get (self->item)->id : 0;
}

static GdkContentProvider *
drag_prepare (LsLoopCell    *self,
              double         x,
              double         y,
              GtkDragSource *source)
{
  g_autoptr (GdkPaintable) picture = gtk_widget_paintable_new (self->kin);
  GdkContentProvider *provider;
  LsDraggedLoop *dragged;

  if (self->item == NULL || self->session == NULL || ls_loop_item_get (self->item)->kind == LS_LOOP_BLOCK)
    return NULL;
  gtk_drag_source_set_icon (source, picture, -14, -10);
  dragged = dragged_new (self->session, id_of (self));
  provider = gdk_content_provider_new_typed (LS_TYPE_DRAGGED_LOOP, dragged);
  dragged_free (dragged);
  return provider;
}

static void
show_drop (LsLoopCell *self,
           const char *css_class,
           const char *reason)
{
  GtkWidget *view = gtk_widget_get_ancestor (GTK_WIDGET (self), LS_TYPE_LOOP_VIEW);

  gtk_widget_remove_css_class (GTK_WIDGET (self), "drop-here");
  gtk_widget_remove_css_class (GTK_WIDGET (self), "drop-refused");
  if (css_class != NULL)
    gtk_widget_add_css_class (GTK_WIDGET (self), css_class);
  if (view != NULL)
    ls_loop_view_say (LS_LOOP_VIEW (view), g_strcmp0 (css_class, "drop-refused") == 0 ? reason : NULL);
  if (self->item != NULL)
    show_origin (self, reason);
}

GdkDragAction
ls_loop_cell_try (LsLoopCell   *self,
                  const GValue *dragged)
{
  const LsDraggedLoop *loop = g_value_get_boxed (dragged);
  g_autofree char *reason = NULL;

  if (self->session == NULL || self->item == NULL || (is_of (loop, self->session) && loop->row == id_of (self)))
    return 0;
  if (self->tried == loop->row)
    return self->fits ? GDK_ACTION_MOVE : 0;
  self->tried = loop->row;
  if (!is_of (loop, self->session))
    reason = g_strdup (_("This loop is of another window."));
  self->fits = reason == NULL && ls_session_reorder (self->session, loop->row, id_of (self), FALSE, &reason);
  if (self->fits)
    show_drop (self, "drop-here", _("drop here: the two change places"));
  else
    show_drop (self, "drop-refused", reason);
  return self->fits ? GDK_ACTION_MOVE : 0;
}

/* What is dragged is known when its value is there: it comes from this program. */
static GdkDragAction
drop_motion (LsLoopCell    *self,
             double         x,
             double         y,
             GtkDropTarget *target)
{
  const GValue *value = gtk_drop_target_get_value (target);

  return value != NULL ? ls_loop_cell_try (self, value) : 0;
}

static void
drop_leave (LsLoopCell *self)
{
  self->tried = 0;
  show_drop (self, NULL, NULL);
}

static gboolean
dropped (LsLoopCell    *self,
         const GValue  *value,
         double         x,
         double         y,
         GtkDropTarget *target)
{
  const LsDraggedLoop *loop = g_value_get_boxed (value);
  g_autofree char *reason = NULL;

  self->tried = 0;
  show_drop (self, NULL, NULL);
  return is_of (loop, self->session) && ls_session_reorder (self->session, loop->row, id_of (self), TRUE, &reason);
}

static void
drag_begun (LsLoopCell *self)
{
  dragging = self;
  gtk_widget_trigger_tooltip_query (GTK_WIDGET (self));
}

static void
drag_ended (void)
{
  dragging = NULL;
}

static void
add_drag (LsLoopCell *self)
{
  GtkDragSource *source = gtk_drag_source_new ();
  GtkDropTarget *target = gtk_drop_target_new (LS_TYPE_DRAGGED_LOOP, GDK_ACTION_MOVE);

  gtk_drag_source_set_actions (source, GDK_ACTION_MOVE);
  gtk_drop_target_set_preload (target, TRUE);
  g_signal_connect_swapped (source, "prepare", G_CALLBACK (drag_prepare), self);
  g_signal_connect_swapped (source, "drag-begin", G_CALLBACK (drag_begun), self);
  g_signal_connect (source, "drag-end", G_CALLBACK (drag_ended), NULL);
  g_signal_connect_swapped (target, "motion", G_CALLBACK (drop_motion), self);
  g_signal_connect_swapped (target, "leave", G_CALLBACK (drop_leave), self);
  g_signal_connect_swapped (target, "drop", G_CALLBACK (dropped), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (source));
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}

void
ls_loop_cell_set_session (LsLoopCell *self,
                          LsSession  *session)
{
  self->session = session;
}

static void
ls_loop_cell_dispose (GObject *object)
{
  LsLoopCell *self = LS_LOOP_CELL (object);

  if (dragging == self)
    dragging = NULL;
  ls_loop_cell_set_item (self, NULL);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (ls_loop_cell_parent_class)->dispose (object);
}

static void
ls_loop_cell_class_init (LsLoopCellClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_loop_cell_dispose;
  widget_class->query_tooltip = ls_loop_cell_query_tooltip;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "loopcell");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
ls_loop_cell_init (LsLoopCell *self)
{
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  add_drag (self);
  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));

  self->kin = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_add_css_class (self->kin, "kin");
  gtk_widget_set_valign (self->kin, GTK_ALIGN_CENTER);
  self->chips = ls_mark_new ();
  self->name = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->name, "code");
  gtk_widget_add_css_class (self->name, "strong");
  self->kind = ls_mark_new ();
  self->reduction = ls_mark_new ();
  self->origin = ls_fit_label_new ();
  gtk_widget_add_css_class (self->origin, "reason");
  self->ghosts = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_box_append (GTK_BOX (self->kin), self->chips);
  gtk_box_append (GTK_BOX (self->kin), self->name);
  gtk_box_append (GTK_BOX (self->box), self->kin);
  gtk_box_append (GTK_BOX (self->box), self->kind);
  gtk_box_append (GTK_BOX (self->box), self->reduction);
  gtk_box_append (GTK_BOX (self->box), self->origin);
  gtk_box_append (GTK_BOX (self->box), self->ghosts);
}

GtkWidget *
ls_loop_cell_new (void)
{
  return g_object_new (LS_TYPE_LOOP_CELL, NULL);
}

void
ls_loop_cell_set_item (LsLoopCell *self,
                       LsLoopItem *item)
{
  if (self->item == item)
    return;
  if (self->item != NULL)
    g_signal_handlers_disconnect_by_func (self->item, update, self);
  g_set_object (&self->item, item);
  self->tried = 0;
  if (item == NULL)
    return;
  g_signal_connect_swapped (item, "changed", G_CALLBACK (update), self);
  update (self);
}

LsLoopItem *
ls_loop_cell_get_item (LsLoopCell *self)
{
  return self->item;
}

void
ls_loop_cell_set_stands (LsLoopCell *self,
                         gboolean    stands)
{
  if (gtk_widget_has_css_class (self->kin, "stands") == stands)
    return;
  if (stands)
    gtk_widget_add_css_class (self->kin, "stands");
  else
    gtk_widget_remove_css_class (self->kin, "stands");
  gtk_widget_set_tooltip_text (self->kin, stands ? _("The run stands here") : NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, stands ? _("The run stands here") : "", -1);
}

void
ls_loop_cell_set_kin (LsLoopCell *self,
                      int         family)
{
  gboolean on = self->item != NULL && family >= 0 &&
                ls_families_contains (&ls_loop_item_get (self->item)->families, (guint) family);

  if (on)
    gtk_widget_add_css_class (self->kin, "related");
  else
    gtk_widget_remove_css_class (self->kin, "related");
}
