/* graph/edit-popover: see the header.  Why something cannot be done is told as for loops: every condition that does not hold, with the way out. */
#include "views/graph/edit-popover.h"

#include "views/graph/export.h"
#include "views/parts/ask-file.h"
#include "views/parts/parts.h"
#include "views/parts/theme.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct {
  GtkWidget        *popover;    /* owns this */
  GtkWidget        *chosen, *reason;    /* labels */
  GtkWidget        *fuse, *also, *save, *replace, *own;
  GtkWidget        *by;         /* entry */
  LsGraphModel     *model;
  LsGraphCanvas    *canvas;
  GPtrArray        *names;      /* of char *, NULL at the end */
  char             *func;       /* or NULL: nothing is chosen */
  LsGraphEditCheck *check;      /* or NULL */
} Edit;

static void
forget (Edit *self)
{
  g_clear_pointer (&self->names, g_ptr_array_unref);
  g_clear_pointer (&self->func, g_free);
  g_clear_pointer (&self->check, ls_graph_edit_check_free);
}

static void
edit_free (gpointer data)
{
  forget (data);
  g_free (data);
}

/* Names of the chosen calls; those of a group are its members. */
static void
take_chosen (Edit *self)
{
  g_autoptr (GArray) places = ls_graph_canvas_get_marked (self->canvas);
  LsGraphSeries *series = ls_graph_model_get_series (self->model);
  LsGraphState *state = series != NULL ? ls_graph_series_state (series, ls_graph_model_get_state (self->model)) : NULL;
  LsGraph *whole = state != NULL ? ls_graph_get_whole (state->graph) : NULL;

  forget (self);
  self->names = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; whole != NULL && i < whole->nodes->len; i++)
    {
      const LsGraphNode *node = ls_graph_node (whole, i);
      gint place = (gint) state->places[ls_graph_get_shown (state->graph, i)];
      gboolean is_chosen = FALSE;

      for (guint k = 0; k < places->len && node->kind == LS_GRAPH_NODE_CALL; k++)
        is_chosen |= g_array_index (places, gint, k) == place;
      if (!is_chosen || node->name == NULL)
        continue;
      if (self->func == NULL)
        self->func = g_strdup (node->function);
      g_ptr_array_add (self->names, g_strdup (node->name));
    }
  g_ptr_array_add (self->names, NULL);
  if (self->func != NULL)
    self->check = ls_graph_model_check_edit (self->model, self->func, (const char *const *) self->names->pdata);
}

static void
show (Edit *self)
{
  guint n = self->names->len - 1;
  gboolean can = self->check != NULL && self->check->reasons->len == 0;
  g_autofree char *list = n > 0 && n <= 8 ? g_strjoinv (", ", (char **) self->names->pdata) : NULL;
  g_autofree char *words = n == 0 ? g_strdup (_("No call is chosen: click one, others with Ctrl (or Space on the keyboard)."))
                           : list != NULL ? g_strdup_printf (_("Chosen: %s"), list)
                                          : g_strdup_printf (ngettext ("%u call is chosen.", "%u calls are chosen.", n), n);
  const char *by = gtk_editable_get_text (GTK_EDITABLE (self->by));
  g_autofree char *doubt = can && n > 0 && *by != '\0' ? ls_graph_model_doubt (self->model, by) : NULL;
  g_autoptr (GString) reasons = g_string_new (NULL);

  for (guint i = 0; self->check != NULL && i < self->check->reasons->len; i++)
    g_string_append_printf (reasons, "%s%s", i > 0 ? "\n" : "", (const char *) self->check->reasons->pdata[i]);
  if (can && n == 1)
    g_string_append (reasons, _("One call can be replaced; to put calls together, choose another one as well."));
  if (doubt != NULL)
    g_string_append_printf (reasons, "%s%s", reasons->len > 0 ? "\n" : "", doubt);
  gtk_label_set_label (GTK_LABEL (self->chosen), words);
  gtk_label_set_label (GTK_LABEL (self->reason), reasons->str);
  gtk_widget_set_visible (self->reason, reasons->len > 0);
  gtk_widget_set_visible (self->also, self->check != NULL && self->check->with->len > 0);
  gtk_widget_set_sensitive (self->fuse, can && n > 1);
  gtk_widget_set_sensitive (self->save, can && n > 0);
  gtk_widget_set_sensitive (self->own, can && n > 0);
  gtk_widget_set_sensitive (self->by, can && n > 0);
  gtk_widget_set_sensitive (self->replace, can && n > 0 && *by != '\0');
}

static void
opened (Edit *self)
{
  take_chosen (self);
  show (self);
}

static void
typed (Edit *self)
{
  if (self->names != NULL)
    show (self);
}

/* ---- what is done ---------------------------------------------------------------------------- */

/* In the popover, which opens again where a dialog had taken its place. */
static void
say_why_not (Edit       *self,
             const char *message)
{
  if (!gtk_widget_get_mapped (self->popover))
    gtk_popover_popup (GTK_POPOVER (self->popover));
  gtk_label_set_label (GTK_LABEL (self->reason), message);
  gtk_widget_set_visible (self->reason, TRUE);
}

/* A popover that is open has the keyboard: a dialog beside it would hear nothing. */
static void
ask (Edit                 *self,
     GtkFileChooserNative *dialog,
     LsFileChosen          chosen)
{
  gtk_popover_popdown (GTK_POPOVER (self->popover));
  ls_ask_file (dialog, self->popover, chosen, self, NULL);
}

/* As the next state; what is wrong with it is said in the popover, which stays then. */
static void
run (Edit       *self,
     const char *by,
     const char *source)
{
  g_autofree char *text = ls_graph_edit_text (self->func, (const char *const *) self->names->pdata, by, source);
  const char *message;

  ls_graph_model_add_pass (self->model, text);
  message = ls_graph_model_get_message (self->model);
  if (message == NULL)
    {
      gtk_popover_popdown (GTK_POPOVER (self->popover));
      return;
    }
  say_why_not (self, message);
}

static void
fuse (Edit *self)
{
  run (self, NULL, NULL);
}

static void
replace (Edit *self)
{
  const char *by = gtk_editable_get_text (GTK_EDITABLE (self->by));

  if (*by != '\0' && self->func != NULL)
    run (self, by, NULL);
}

static void
choose_also (Edit *self)
{
  LsGraphSeries *series = ls_graph_model_get_series (self->model);
  LsGraphState *state = ls_graph_series_state (series, ls_graph_model_get_state (self->model));
  LsGraph *whole = ls_graph_get_whole (state->graph);

  for (guint i = 0; i < whole->nodes->len; i++)
    for (guint k = 0; k < self->check->with->len; k++)
      if (g_strcmp0 (ls_graph_node (whole, i)->name, self->check->with->pdata[k]) == 0 && g_strcmp0 (ls_graph_node (whole, i)->function, self->func) == 0)
        {
          gint place = (gint) state->places[ls_graph_get_shown (state->graph, i)];
          g_autoptr (GArray) marked = ls_graph_canvas_get_marked (self->canvas);
          gboolean there = FALSE;

          for (guint m = 0; m < marked->len; m++)
            there |= g_array_index (marked, gint, m) == place;
          if (!there)
            ls_graph_canvas_toggle_mark (self->canvas, place);
        }
  opened (self);
}

/* The name of the first function that a text defines, "own" where none is found. (transfer full) */
static char *
function_name (const char *source)
{
  const char *def = strstr (source, "def ");
  gsize n = def != NULL ? strspn (def + 4, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") : 0;

  return n > 0 ? g_strndup (def + 4, n) : g_strdup ("own");
}

static void
own_chosen (GtkWidget *asker,
            GFile     *file,
            gpointer   data)
{
  Edit *self = data;
  g_autofree char *source = NULL, *name = NULL;
  g_autoptr (GError) error = NULL;

  if (self->func == NULL || g_file_peek_path (file) == NULL)
    return;
  if (!g_file_get_contents (g_file_peek_path (file), &source, NULL, &error))
    {
      say_why_not (self, error->message);
      return;
    }
  name = function_name (source);
  run (self, name, source);
}

static void
ask_own (Edit *self)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_("A PrimFunc (.py)"), GTK_WINDOW (gtk_widget_get_root (self->popover)), GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);

  ask (self, dialog, own_chosen);
}

/* `data`: the popover. */
static void
saved (GObject      *model,
       GAsyncResult *result,
       gpointer      data)
{
  g_autoptr (GtkWidget) popover = data;
  Edit *self = g_object_get_data (G_OBJECT (popover), "ls-edit");
  g_autoptr (GError) error = NULL;
  g_autofree char *path = ls_graph_export_finish (LS_GRAPH_MODEL (model), result, &error);

  if (gtk_widget_get_root (popover) == NULL)
    return;
  if (path == NULL)
    {
      say_why_not (self, error->message);
      return;
    }
  gtk_popover_popdown (GTK_POPOVER (popover));
  gtk_widget_activate_action (popover, "win.written", "s", path);
}

static void
save_to (GtkWidget *asker,
         GFile     *file,
         gpointer   data)
{
  Edit *self = data;

  if (self->func != NULL && g_file_peek_path (file) != NULL)
    ls_graph_export_calls_async (self->model, self->func, (const char *const *) self->names->pdata, g_file_peek_path (file), saved, g_object_ref (self->popover));
}

static void
ask_save (Edit *self)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_("Save the chosen calls as a module (.py)"), GTK_WINDOW (gtk_widget_get_root (self->popover)),
                                                              GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);

  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), "calls.py");
  ask (self, dialog, save_to);
}

/* ---- the popover --------------------------------------------------------------------------------- */

GtkWidget *
ls_edit_popover_new (LsGraphModel  *model,
                     LsGraphCanvas *canvas)
{
  Edit *self = g_new0 (Edit, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8), *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  const struct { GtkWidget **button; const char *label; GCallback func; } buttons[] = {
    { &self->also, _("Choose these too"), G_CALLBACK (choose_also) },
    { &self->fuse, _("Fuse these"), G_CALLBACK (fuse) },
    { &self->own, _("Replace by a PrimFunc of a file…"), G_CALLBACK (ask_own) },
    { &self->save, _("Save as a module…"), G_CALLBACK (ask_save) },
  };

  self->popover = gtk_popover_new ();
  self->model = model;
  self->canvas = canvas;
  g_object_set_data_full (G_OBJECT (self->popover), "ls-edit", self, edit_free);
  self->chosen = ls_part_label (NULL, "strong");
  self->reason = ls_part_label (NULL, "reason");
  gtk_label_set_wrap (GTK_LABEL (self->chosen), TRUE);
  gtk_label_set_wrap (GTK_LABEL (self->reason), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (self->reason), 52);
  gtk_label_set_max_width_chars (GTK_LABEL (self->chosen), 52);
  gtk_box_append (GTK_BOX (box), self->chosen);
  gtk_box_append (GTK_BOX (box), self->reason);
  self->by = gtk_entry_new ();
  self->replace = gtk_button_new_with_label (_("Replace by"));
  for (guint i = 0; i < G_N_ELEMENTS (buttons); i++)
    {
      *buttons[i].button = gtk_button_new_with_label (buttons[i].label);
      g_signal_connect_swapped (*buttons[i].button, "clicked", buttons[i].func, self);
      gtk_box_append (GTK_BOX (box), *buttons[i].button);
      if (buttons[i].button == &self->fuse)
        gtk_box_append (GTK_BOX (box), row);
    }
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->by), _("PrimFunc of the module, or env.linear"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->by), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Function that takes their place"), -1);
  gtk_widget_set_hexpand (self->by, TRUE);
  gtk_widget_add_css_class (self->by, "code");
  gtk_box_append (GTK_BOX (row), self->by);
  gtk_box_append (GTK_BOX (row), self->replace);
  gtk_widget_set_size_request (box, ls_theme_grow (360), -1);
  gtk_popover_set_child (GTK_POPOVER (self->popover), box);
  g_signal_connect_swapped (self->replace, "clicked", G_CALLBACK (replace), self);
  g_signal_connect_swapped (self->by, "activate", G_CALLBACK (replace), self);
  g_signal_connect_swapped (self->by, "changed", G_CALLBACK (typed), self);
  g_signal_connect_swapped (self->popover, "map", G_CALLBACK (opened), self);
  return self->popover;
}
