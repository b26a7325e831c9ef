/* LsMoveEditor: controls made from the parameter records of a move.
 *
 * The controls are built once; when the session works the move out again, their
 * values are brought up to date in place, so that the entry in use keeps its
 * cursor.
 */
#include "views/moves/editor.h"

#include "views/parts/choice-name.h"
#include "views/parts/fit-label.h"
#include "views/parts/fold.h"
#include "views/parts/parts.h"

#include <glib/gi18n.h>
#include <string.h>

#define MANY_CHOICES 8

struct _LsMoveEditor
{
  GtkWidget   parent_instance;

  LsSession  *session;
  LsMoveItem *item;
  GPtrArray  *controls;         /* per parameter: its value widget, borrowed */
  GPtrArray  *toggles;          /* divisor toggles, borrowed */
  guint       toggled_param;
  gboolean    updating;

  GtkWidget  *box;
  GtkWidget  *grid;
  GtkWidget  *product;
  GtkWidget  *apply;
  GtkWidget  *slider;           /* over the divisors, or NULL */
  GtkWidget  *measure;
  GtkWidget  *preview;
};

enum { APPLIED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (LsMoveEditor, ls_move_editor, GTK_TYPE_WIDGET)

static GQuark
param_quark (void)
{
  return g_quark_from_static_string ("ls-param");
}

static void
edit (LsMoveEditor *self,
      GtkWidget    *control,
      const char   *value)
{
  guint param = GPOINTER_TO_UINT (g_object_get_qdata (G_OBJECT (control), param_quark ()));

  if (!self->updating)
    ls_session_edit (self->session, self->item, param, value);
}

/* ---- controls ----------------------------------------------------------- */

static void
entry_changed (LsMoveEditor *self,
               GtkEditable  *entry)
{
  edit (self, GTK_WIDGET (entry), gtk_editable_get_text (entry));
}

static void
apply_clicked (LsMoveEditor *self)
{
  g_autoptr (LsMoveEditor) kept = g_object_ref (self);  /* what it leads to may take the editor away */

  ls_session_apply (self->session, self->item);
  if (LS_MOVE_GROUP_CAN (ls_move_item_get (self->item)->group))
    g_signal_emit (self, signals[APPLIED], 0);
}

static void
measure_clicked (LsMoveEditor *self)
{
  ls_session_measure_move (self->session, self->item);
}

static void
toggle_clicked (LsMoveEditor    *self,
                GtkToggleButton *toggle)
{
  const char *value = gtk_button_get_label (GTK_BUTTON (toggle));

  if (self->updating)
    return;
  if (gtk_toggle_button_get_active (toggle))
    {
      edit (self, GTK_WIDGET (toggle), value);
      return;
    }
  /* Clicking the chosen one again leaves it chosen. */
  self->updating = TRUE;
  gtk_toggle_button_set_active (toggle, TRUE);
  self->updating = FALSE;
}

static void
choice_changed (LsMoveEditor *self,
                GParamSpec   *pspec,
                GtkDropDown  *drop_down)
{
  GtkStringObject *chosen = gtk_drop_down_get_selected_item (drop_down);

  if (chosen != NULL)
    edit (self, GTK_WIDGET (drop_down), gtk_string_object_get_string (chosen));
}

static void
flag_toggled (LsMoveEditor   *self,
              GtkCheckButton *check)
{
  edit (self, GTK_WIDGET (check), gtk_check_button_get_active (check) ? "True" : "False");
}

static GtkWidget *
entry_new (LsMoveEditor      *self,
           const LsMoveParam *param,
           guint              index,
           int                chars)
{
  GtkWidget *entry = gtk_entry_new ();

  gtk_editable_set_width_chars (GTK_EDITABLE (entry), MIN (chars, 8));
  gtk_editable_set_max_width_chars (GTK_EDITABLE (entry), chars);
  gtk_editable_set_text (GTK_EDITABLE (entry), param->value != NULL ? param->value : "");
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, param->name, -1);
  g_object_set_qdata (G_OBJECT (entry), param_quark (), GUINT_TO_POINTER (index));
  g_signal_connect_swapped (entry, "changed", G_CALLBACK (entry_changed), self);
  g_signal_connect_swapped (entry, "activate", G_CALLBACK (apply_clicked), self);
  return entry;
}

static GtkWidget *
choice_new (LsMoveEditor      *self,
            const LsMoveParam *param,
            guint              index)
{
  GtkWidget *drop_down = gtk_drop_down_new_from_strings (param->choices);

  for (guint i = 0; param->choices[i] != NULL; i++)
    if (g_strcmp0 (param->choices[i], param->value) == 0)
      gtk_drop_down_set_selected (GTK_DROP_DOWN (drop_down), i);
  gtk_widget_set_halign (drop_down, GTK_ALIGN_START);
  ls_choice_set_name (GTK_DROP_DOWN (drop_down), param->name);
  g_object_set_qdata (G_OBJECT (drop_down), param_quark (), GUINT_TO_POINTER (index));
  g_signal_connect_swapped (drop_down, "notify::selected", G_CALLBACK (choice_changed), self);
  return drop_down;
}

static GtkWidget *
flag_new (LsMoveEditor      *self,
          const LsMoveParam *param,
          guint              index)
{
  GtkWidget *check = gtk_check_button_new ();

  gtk_check_button_set_active (GTK_CHECK_BUTTON (check), g_strcmp0 (param->value, "True") == 0);
  gtk_accessible_update_property (GTK_ACCESSIBLE (check),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, param->name, -1);
  g_object_set_qdata (G_OBJECT (check), param_quark (), GUINT_TO_POINTER (index));
  g_signal_connect_swapped (check, "toggled", G_CALLBACK (flag_toggled), self);
  return check;
}

/* ---- rows --------------------------------------------------------------- */

static guint
n_factors (const LsMoveRecord *record)
{
  guint n = 0;

  while (n < record->n_params && record->params[n].kind == LS_MOVE_PARAM_FACTOR)
    n++;
  return n;
}

static GtkWidget *
factors_line (LsMoveEditor       *self,
              const LsMoveRecord *record,
              guint               n)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  for (guint i = 0; i < n; i++)
    {
      GtkWidget *entry = entry_new (self, &record->params[i], i, n > 2 ? 3 : 5);

      if (i > 0)
        gtk_box_append (GTK_BOX (line), ls_part_label ("×", "reason"));
      gtk_box_append (GTK_BOX (line), entry);
      g_ptr_array_add (self->controls, entry);
    }
  self->product = ls_fit_label_new ();
  gtk_widget_add_css_class (self->product, "reason");
  gtk_widget_set_hexpand (self->product, TRUE);
  gtk_box_append (GTK_BOX (line), self->product);
  return line;
}

static void
show_more (LsMoveEditor *self,
           GtkButton    *button)
{
  for (guint i = 0; i < self->toggles->len; i++)
    gtk_widget_set_visible (gtk_widget_get_parent (g_ptr_array_index (self->toggles, i)), TRUE);
  gtk_widget_set_visible (gtk_widget_get_parent (GTK_WIDGET (button)), FALSE);
}

static void
slid (LsMoveEditor *self,
      GtkRange     *range)
{
  guint at = (guint) (gtk_range_get_value (range) + 0.5);

  if (!self->updating && at < self->toggles->len)
    edit (self, g_ptr_array_index (self->toggles, at),
          gtk_button_get_label (GTK_BUTTON (g_ptr_array_index (self->toggles, at))));
}

/* The same choices as a slider: the structure follows it. */
static GtkWidget *
slider_new (LsMoveEditor *self,
            const char   *name)
{
  self->slider = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 0, self->toggles->len - 1, 1);
  gtk_scale_set_draw_value (GTK_SCALE (self->slider), FALSE);
  gtk_range_set_round_digits (GTK_RANGE (self->slider), 0);
  for (guint i = 0; i < self->toggles->len; i++)
    gtk_scale_add_mark (GTK_SCALE (self->slider), i, GTK_POS_BOTTOM, NULL);
  gtk_widget_set_hexpand (self->slider, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->slider), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect_swapped (self->slider, "value-changed", G_CALLBACK (slid), self);
  return self->slider;
}

static GtkWidget *
divisors_line (LsMoveEditor      *self,
               const LsMoveParam *param,
               guint              index)
{
  GtkWidget *flow = gtk_flow_box_new ();
  guint n = g_strv_length ((char **) param->choices);

  gtk_flow_box_set_selection_mode (GTK_FLOW_BOX (flow), GTK_SELECTION_NONE);
  gtk_flow_box_set_max_children_per_line (GTK_FLOW_BOX (flow), 8);
  gtk_flow_box_set_column_spacing (GTK_FLOW_BOX (flow), 4);
  gtk_flow_box_set_row_spacing (GTK_FLOW_BOX (flow), 4);
  gtk_flow_box_set_min_children_per_line (GTK_FLOW_BOX (flow), MIN (n, 3));
  gtk_widget_set_hexpand (flow, TRUE);
  for (guint i = 0; i < n; i++)
    {
      GtkWidget *toggle = gtk_toggle_button_new_with_label (param->choices[i]);

      gtk_widget_add_css_class (toggle, "divisor");
      g_object_set_qdata (G_OBJECT (toggle), param_quark (), GUINT_TO_POINTER (index));
      g_signal_connect_swapped (toggle, "toggled", G_CALLBACK (toggle_clicked), self);
      g_ptr_array_add (self->toggles, toggle);
      gtk_flow_box_insert (GTK_FLOW_BOX (flow), toggle, -1);
      gtk_widget_set_focusable (gtk_widget_get_parent (toggle), FALSE);
      gtk_widget_set_visible (gtk_widget_get_parent (toggle), i < MANY_CHOICES);
    }
  if (n > MANY_CHOICES)
    {
      GtkWidget *more = gtk_button_new_with_label (_("more…"));

      gtk_widget_add_css_class (more, "divisor");
      g_signal_connect_swapped (more, "clicked", G_CALLBACK (show_more), self);
      gtk_flow_box_insert (GTK_FLOW_BOX (flow), more, -1);
      gtk_widget_set_focusable (gtk_widget_get_parent (more), FALSE);
    }
  self->toggled_param = index;
  return flow;
}

static void
add_row (GtkWidget  *grid,
         int         row,
         const char *name,
         GtkWidget  *control)
{
  gtk_grid_attach (GTK_GRID (grid), ls_part_label (name, "reason"), 0, row, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), control, 1, row, 1, 1);
}

static GtkWidget *
grid_new (void)
{
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 8);
  return grid;
}

/* Beside factors the rest is seldom wanted: folded. */
static GtkWidget *
rest_grid (LsMoveEditor       *self,
           const LsMoveRecord *record,
           guint               factors)
{
  GtkWidget *grid, *fold;
  guint n = 0;

  for (guint i = factors; i < record->n_params; i++)
    n += record->params[i].kind != LS_MOVE_PARAM_PLACE;
  if (factors == 0 || n == 0)
    return self->grid;
  grid = grid_new ();
  fold = ls_fold_new (_("Other arguments"), grid);
  gtk_widget_add_css_class (fold, "reason");
  gtk_box_append (GTK_BOX (self->box), fold);
  return grid;
}

static void
build_params (LsMoveEditor       *self,
              const LsMoveRecord *record)
{
  guint factors = n_factors (record);
  GtkWidget *rest = rest_grid (self, record, factors);
  int row = 0;

  if (factors > 0)
    {
      const LsMoveParam *last = &record->params[factors - 1];

      add_row (self->grid, row++, record->params[0].name, factors_line (self, record, factors));
      if (last->choices != NULL && last->choices[0] != NULL)
        add_row (self->grid, row++, last->name, divisors_line (self, last, factors - 1));
      if (self->toggles->len > 2)
        add_row (self->grid, row++, "", slider_new (self, last->name));
    }
  for (guint i = factors; i < record->n_params; i++)
    {
      const LsMoveParam *param = &record->params[i];
      GtkWidget *control = NULL;

      switch (param->kind)
        {
        case LS_MOVE_PARAM_CHOICE:
        case LS_MOVE_PARAM_PLACE:
          control = choice_new (self, param, i);
          break;
        case LS_MOVE_PARAM_FLAG:
          control = flag_new (self, param, i);
          break;
        case LS_MOVE_PARAM_FACTOR:
        case LS_MOVE_PARAM_TEXT:
          control = entry_new (self, param, i, 18);
          break;
        }
      add_row (param->kind == LS_MOVE_PARAM_PLACE ? self->grid : rest, row++, param->name, control);
      g_ptr_array_add (self->controls, control);
    }
  gtk_widget_set_visible (self->grid, row > 0);
}

/* ---- following the move ------------------------------------------------- */

static void
update_choice (GtkDropDown *drop_down,
               const char  *value)
{
  GListModel *choices = gtk_drop_down_get_model (drop_down);

  for (guint i = 0; i < g_list_model_get_n_items (choices); i++)
    {
      g_autoptr (GtkStringObject) one = g_list_model_get_item (choices, i);

      if (strcmp (gtk_string_object_get_string (one), value) == 0 && gtk_drop_down_get_selected (drop_down) != i)
        gtk_drop_down_set_selected (drop_down, i);
    }
}

static void
update_control (LsMoveEditor      *self,
                const LsMoveParam *param,
                GtkWidget         *control)
{
  const char *value = param->value != NULL ? param->value : "";

  if (GTK_IS_ENTRY (control))
    {
      if (strcmp (gtk_editable_get_text (GTK_EDITABLE (control)), value) != 0)
        gtk_editable_set_text (GTK_EDITABLE (control), value);
    }
  else if (GTK_IS_DROP_DOWN (control))
    update_choice (GTK_DROP_DOWN (control), value);
  else if (GTK_IS_CHECK_BUTTON (control))
    gtk_check_button_set_active (GTK_CHECK_BUTTON (control), strcmp (value, "True") == 0);
}

/* What has no room is left out. */
static void
say (GtkWidget  *label,
     const char *text)
{
  ls_fit_label_set (LS_FIT_LABEL (label), (const char *const[]) { text != NULL ? text : "", "", NULL });
}

static void
update (LsMoveEditor *self)
{
  const LsMoveRecord *record = ls_move_item_get (self->item);
  guint n = self->toggles->len;
  g_autofree char *measure = NULL;
  g_autofree char *preview = NULL;

  self->updating = TRUE;
  for (guint i = 0; i < MIN (self->controls->len, record->n_params); i++)
    update_control (self, &record->params[i], g_ptr_array_index (self->controls, i));
  for (guint i = 0; i < n && self->toggled_param < record->n_params; i++)
    {
      GtkWidget *toggle = g_ptr_array_index (self->toggles, i);

      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (toggle),
                                    g_strcmp0 (gtk_button_get_label (GTK_BUTTON (toggle)),
                                               record->params[self->toggled_param].value) == 0);
      if (self->slider != NULL && gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (toggle)))
        gtk_range_set_value (GTK_RANGE (self->slider), i);
    }
  self->updating = FALSE;

  if (self->product != NULL)
    say (self->product, record->product);
  gtk_widget_set_sensitive (self->apply, LS_MOVE_GROUP_CAN (record->group));
  measure = g_strdup_printf (_("Measure all %u"), n);
  gtk_button_set_label (GTK_BUTTON (self->measure), measure);
  gtk_widget_set_visible (self->measure, record->measurable && n > 1);
  preview = record->preview != NULL ? g_strdup_printf (_("preview: %s"), record->preview)
                                    : g_strdup ("");
  say (self->preview, preview);
}

/* ---- class -------------------------------------------------------------- */

static void
ls_move_editor_dispose (GObject *object)
{
  LsMoveEditor *self = LS_MOVE_EDITOR (object);

  if (self->item != NULL)
    g_signal_handlers_disconnect_by_data (self->item, self);
  g_clear_object (&self->item);
  g_clear_object (&self->session);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->controls, g_ptr_array_unref);
  g_clear_pointer (&self->toggles, g_ptr_array_unref);
  G_OBJECT_CLASS (ls_move_editor_parent_class)->dispose (object);
}

static void
ls_move_editor_class_init (LsMoveEditorClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_move_editor_dispose;
  signals[APPLIED] = g_signal_new ("applied", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "moveeditor");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
ls_move_editor_init (LsMoveEditor *self)
{
  self->controls = g_ptr_array_new ();
  self->toggles = g_ptr_array_new ();
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  self->grid = grid_new ();
  gtk_box_append (GTK_BOX (self->box), self->grid);
}

static void
add_buttons (LsMoveEditor *self)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  self->apply = gtk_button_new_with_label (_("Apply"));
  gtk_widget_add_css_class (self->apply, "primary");
  g_signal_connect_swapped (self->apply, "clicked", G_CALLBACK (apply_clicked), self);
  self->measure = gtk_button_new ();
  g_signal_connect_swapped (self->measure, "clicked", G_CALLBACK (measure_clicked), self);
  self->preview = ls_fit_label_new ();
  gtk_widget_add_css_class (self->preview, "caption");
  gtk_widget_set_hexpand (self->preview, TRUE);
  gtk_box_append (GTK_BOX (line), self->apply);
  gtk_box_append (GTK_BOX (line), self->measure);
  gtk_box_append (GTK_BOX (line), self->preview);
  gtk_box_append (GTK_BOX (self->box), line);
}

GtkWidget *
ls_move_editor_new (LsSession  *session,
                    LsMoveItem *item)
{
  LsMoveEditor *self = g_object_new (LS_TYPE_MOVE_EDITOR, NULL);

  self->session = g_object_ref (session);
  self->item = g_object_ref (item);
  build_params (self, ls_move_item_get (item));
  add_buttons (self);
  g_signal_connect_swapped (item, "changed", G_CALLBACK (update), self);
  update (self);
  return GTK_WIDGET (self);
}
