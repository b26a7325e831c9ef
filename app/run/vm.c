/* run/vm: the virtual machine of Relax, instruction by instruction: what each did, what the registers hold, in which block of memory each tensor lies and
 * who held it before, and the values of one.
 */
#include "app/run/vm.h"

#include "app/run/begun.h"
#include "app/run/frame.h"
#include "app/rpc/rpc.h"
#include "app/run/vm-words.h"
#include "app/tool/window.h"
#include "views/models/format.h"
#include "views/parts/parts.h"
#include "views/run/grid.h"
#include "views/run/slices.h"

#include <glib/gi18n.h>
#include <string.h>

#define KEY "run-vm"

static const LsRunMove moves[] = {
  { "start", "media-skip-backward-symbolic", N_("To the beginning of the run (Home)"), GDK_KEY_Home, FALSE },
  { "back-continue", "media-seek-backward-symbolic", N_("Back to the last breakpoint (Shift+F8)"), GDK_KEY_F8, TRUE },
  { "back", "go-up-symbolic", N_("An instruction back (Shift+F11)"), GDK_KEY_F11, TRUE },
  { "step", "go-down-symbolic", N_("Next instruction, into what is called (F11)"), GDK_KEY_F11, FALSE },
  { "over", "go-next-symbolic", N_("Over what is called (F10)"), GDK_KEY_F10, FALSE },
  { "out", "go-jump-symbolic", N_("Out of the function (Shift+F10)"), GDK_KEY_F10, TRUE },
  { "continue", "media-playback-start-symbolic", N_("On to the next breakpoint (F8)"), GDK_KEY_F8, FALSE },
  { "end", "media-skip-forward-symbolic", N_("To the end of the run (End)"), GDK_KEY_End, FALSE },
};

typedef struct {
  GtkWidget     *window;        /* owns this */
  GtkWidget    *sizes;          /* what the symbolic sizes are, where there are some */
  LsRunFrame     frame;
  GtkWidget     *plan, *give_up;
  GtkWidget     *list;          /* of instructions */
  GtkStringList *rows;
  GtkWidget     *stop, *stops;
  GtkWidget     *registers, *memory;    /* list views */
  GtkStringList *register_rows, *memory_rows;
  GtkWidget     *slices, *grid, *cell, *foot;
  LsSession     *session;
  LsWorker      *worker;
  GCancellable  *asking;
  GVariant      *look;          /* what was answered last, or NULL */
  char          *wanted;        /* command that waits, or NULL */
  char          *part;          /* " 32 0", as in run/graph.c */
  gint64         chosen;        /* register whose values are shown, -1: none */
  guint          choosing;      /* widgets are being set */
} Machine;

/* ---- what is shown ------------------------------------------------------------------------------ */

static void
show_buttons (Machine *self)
{
  ls_run_frame_set_can (&self->frame, self->look != NULL, self->asking != NULL);
  gtk_widget_set_sensitive (self->give_up, self->asking != NULL);
}

static void
set_rows (Machine       *self,
          GtkStringList *rows,
          char         **all)
{
  self->choosing++;
  gtk_string_list_splice (rows, 0, g_list_model_get_n_items (G_LIST_MODEL (rows)), (const char *const *) all);
  self->choosing--;
}

static void
fill_list (Machine *self)
{
  g_autoptr (GVariant) list = ls_params_value (self->look, "list");
  g_autoptr (GStrvBuilder) rows = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;
  /* The numbers are a column, as wide as the last one. */
  int width = 1;

  for (gsize n = list != NULL ? g_variant_n_children (list) : 0; n > 10; n /= 10)
    width++;
  for (gsize i = 0; list != NULL && i < g_variant_n_children (list); i++)
    {
      g_autofree char *row = NULL;
      guint number, depth;
      const char *text;

      g_variant_get_child (list, i, "(uu&s)", &number, &depth, &text);
      row = g_strdup_printf ("%*s%*u  %s", (int) (2 * (depth - 1)), "", width, number, text);
      g_strv_builder_add (rows, row);
    }
  all = g_strv_builder_end (rows);
  set_rows (self, self->rows, all);
}

/* The register that is chosen stays chosen; else the one that the instruction gave. */
static void
fill_registers (Machine *self)
{
  g_autoptr (GVariant) list = ls_params_value (self->look, "registers");
  g_autoptr (GStrvBuilder) rows = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;
  guint at = GTK_INVALID_LIST_POSITION;

  for (gsize i = 0; list != NULL && i < g_variant_n_children (list); i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (list, i);
      g_autofree char *words = ls_run_vm_register_words (one);

      if (ls_params_int (one, "register", -1) == self->chosen)
        at = (guint) i;
      g_strv_builder_add (rows, words);
    }
  all = g_strv_builder_end (rows);
  set_rows (self, self->register_rows, all);
  self->choosing++;
  gtk_single_selection_set_selected (GTK_SINGLE_SELECTION (gtk_list_view_get_model (GTK_LIST_VIEW (self->registers))), at);
  self->choosing--;
}

static void
fill_memory (Machine *self)
{
  g_autoptr (GVariant) list = ls_params_value (self->look, "storages");
  g_autoptr (GStrvBuilder) rows = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;

  if (list == NULL)
    return;
  for (gsize i = 0; i < g_variant_n_children (list); i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (list, i);
      g_autofree char *row = ls_run_vm_block_words (one);

      g_strv_builder_add (rows, row);
    }
  all = g_strv_builder_end (rows);
  set_rows (self, self->memory_rows, all);
}

static void
say_limit (Machine *self)
{
  g_autofree char *limit = ls_format_bytes (ls_params_int (self->look, "limit", 0));
  /* Translators: the last %s is an amount of memory: 256 MiB */
  g_autofree char *words = g_strdup_printf (_("The machine runs once, with its compiled code and on seeded random numbers; then its run is walked in both directions. A dot marks what the "
                                              "instruction changed. Of what the instructions change %s are kept at most."), limit);

  gtk_label_set_label (GTK_LABEL (self->foot), words);
}

static void
say_position (Machine *self)
{
  g_autofree char *sentence = ls_run_vm_sentence (self->look);
  g_autofree char *reason = ls_run_vm_reason (self->look);

  ls_run_frame_say (&self->frame, sentence, reason);
}

static void
show_slices (Machine  *self,
             GVariant *grid)
{
  g_autoptr (GVariant) shape = grid != NULL ? ls_params_value (grid, "shape") : NULL;
  gsize n = 0;
  const gint64 *extents = shape != NULL ? g_variant_get_fixed_array (shape, &n, sizeof (gint64)) : NULL;

  ls_run_slices_set_shape (LS_RUN_SLICES (self->slices), NULL, extents, n);
}

static void
show_cell (Machine *self)
{
  g_autofree char *words = ls_run_grid_words (LS_RUN_GRID (self->grid));

  gtk_label_set_label (GTK_LABEL (self->cell), words);
}

static void
show_look (Machine *self)
{
  g_autoptr (GVariant) grid = ls_params_value (self->look, "grid");
  guint position = (guint) ls_params_int (self->look, "position", 0);

  say_position (self);
  fill_registers (self);
  fill_memory (self);
  show_slices (self, grid);
  ls_run_grid_set (LS_RUN_GRID (self->grid), grid, NULL);
  show_cell (self);
  self->choosing++;
  gtk_single_selection_set_selected (GTK_SINGLE_SELECTION (gtk_list_view_get_model (GTK_LIST_VIEW (self->list))), position > 0 ? position - 1 : GTK_INVALID_LIST_POSITION);
  if (position > 0)
    gtk_widget_activate_action (self->list, "list.scroll-to-item", "u", position - 1);
  self->choosing--;
}

/* ---- asking ---------------------------------------------------------------------------------------- */

static void send (Machine *self, const char *command);

/* What the instruction gave is what one wants to see, unless a register was chosen by hand and still holds something. */
static void
choose_given (Machine *self)
{
  g_autoptr (GVariant) list = ls_params_value (self->look, "registers");
  gint64 given = -1;
  gboolean there = FALSE;

  for (gsize i = 0; list != NULL && i < g_variant_n_children (list); i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (list, i);

      there |= ls_params_int (one, "register", -1) == self->chosen;
      if (ls_params_bool (one, "wrote", FALSE) || (given < 0 && ls_params_bool (one, "changed", FALSE) && ls_params_int (one, "block", -1) >= 0))
        given = ls_params_int (one, "register", -1);
    }
  if (given >= 0 || !there)
    self->chosen = given;
}

static void
take (Machine  *self,
      GVariant *answer)
{
  g_autoptr (GVariant) stops = ls_params_value (answer, "stops");
  g_autoptr (GVariant) list = ls_params_value (answer, "list");
  g_autoptr (GVariant) grid = ls_params_value (answer, "grid");
  gint64 before = self->chosen;

  if (stops != NULL)
    {
      ls_run_frame_show_stops (self->stops, stops);
      return;
    }
  g_clear_pointer (&self->look, g_variant_unref);
  self->look = g_variant_ref (answer);
  if (list != NULL)
    {
      fill_list (self);
      say_limit (self);
    }
  if (ls_params_string (answer, "command", NULL) == NULL && grid == NULL)
    choose_given (self);
  show_look (self);
  if (self->chosen >= 0 && (grid == NULL || self->chosen != before))
    {
      g_free (self->wanted);
      self->wanted = g_strdup ("where");
    }
}

static void
answered (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  Machine *self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);
  g_autofree char *wanted = NULL;
  g_autofree char *asked = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;             /* the window may be gone */
  g_clear_object (&self->asking);
  asked = answer != NULL ? ls_run_sizes_asked (self->sizes, answer) : NULL;
  if (asked != NULL)
    ls_run_frame_say (&self->frame, asked, NULL);
  else if (answer != NULL)
    take (self, answer);
  else
    {
      ls_run_frame_forget (&self->frame);
      ls_run_frame_say (&self->frame, error->message, NULL);
    }
  show_buttons (self);
  wanted = g_steal_pointer (&self->wanted);
  if (wanted != NULL)
    send (self, wanted);
  if (self->asking == NULL)
    ls_run_frame_go_on (&self->frame);
}

/* "r5[2, 0] 32 0" of the chosen register. (transfer full), NULL: none */
static char *
grid_words (Machine *self)
{
  g_autofree char *slice = NULL;
  GString *words;

  if (self->chosen < 0)
    return NULL;
  slice = ls_run_slices_words (LS_RUN_SLICES (self->slices));
  words = g_string_new (NULL);
  g_string_append_printf (words, "r%" G_GINT64_FORMAT " %s", self->chosen, *slice != '\0' ? slice : "[]");
  if (self->part != NULL)
    g_string_append (words, self->part);
  return g_string_free (words, FALSE);
}

static void
send (Machine    *self,
      const char *command)
{
  gboolean stays = strcmp (command, "where") == 0;
  g_autofree char *grid = stays ? grid_words (self) : NULL;
  GVariantDict params;

  if (self->look == NULL)
    return;
  if (self->asking != NULL)
    {
      g_free (self->wanted);
      self->wanted = g_strdup (command);
      return;
    }
  if (!stays)
    g_clear_pointer (&self->part, g_free);
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "command", "s", command);
  g_variant_dict_insert (&params, "memory", "b", TRUE);
  if (grid != NULL)
    g_variant_dict_insert (&params, "grid", "s", grid);
  self->asking = g_cancellable_new ();
  ls_worker_call_async (self->worker, "debug-vm", g_variant_dict_end (&params), NULL, self->asking, answered, self);
  show_buttons (self);
}

static void
slice_changed (Machine *self)
{
  send (self, "where");
}

static void
part_wanted (LsRunGrid *grid,
             gint64     row,
             gint64     column,
             Machine   *self)
{
  if (self->look == NULL)
    return;
  g_free (self->part);
  self->part = g_strdup_printf (" %" G_GINT64_FORMAT " %" G_GINT64_FORMAT, row, column);
  send (self, "where");
}

static guint
selected_in (GtkWidget *list)
{
  return gtk_single_selection_get_selected (GTK_SINGLE_SELECTION (gtk_list_view_get_model (GTK_LIST_VIEW (list))));
}

/* Behind the instruction that was chosen. */
static void
row_chosen (Machine *self)
{
  guint at = selected_in (self->list);
  g_autofree char *command = g_strdup_printf ("goto %u", at + 1);

  if (self->choosing == 0 && at != GTK_INVALID_LIST_POSITION && self->look != NULL && at + 1 != (guint) ls_params_int (self->look, "position", 0))
    send (self, command);
}

static void
register_chosen (Machine *self)
{
  g_autoptr (GVariant) list = self->look != NULL ? ls_params_value (self->look, "registers") : NULL;
  guint at = selected_in (self->registers);

  if (self->choosing > 0 || list == NULL || at >= g_variant_n_children (list))
    return;
  {
    g_autoptr (GVariant) one = g_variant_get_child_value (list, at);

    self->chosen = ls_params_int (one, "register", -1);
  }
  g_clear_pointer (&self->part, g_free);
  send (self, "where");
}

static void
stop_added (Machine *self)
{
  g_autofree char *command = ls_run_frame_stop_command (self->stop);

  send (self, command);
}

static void
leave (Machine *self)
{
  if (self->asking != NULL)
    g_cancellable_cancel (self->asking);
  g_clear_object (&self->asking);
  ls_run_frame_forget (&self->frame);
  g_clear_pointer (&self->look, g_variant_unref);
  g_clear_pointer (&self->wanted, g_free);
  g_clear_pointer (&self->part, g_free);
  self->chosen = -1;
}

static void
empty (Machine *self)
{
  char *none[] = { NULL };

  set_rows (self, self->rows, none);
  set_rows (self, self->register_rows, none);
  set_rows (self, self->memory_rows, none);
  ls_run_grid_set (LS_RUN_GRID (self->grid), NULL, NULL);
  gtk_label_set_label (GTK_LABEL (self->stops), "");
}

static void
begin (Machine *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *module = ls_session_export (self->session, LS_EXPORT_MODULE, &error);
  GVariantDict params;

  leave (self);
  ls_worker_stop (self->worker);
  empty (self);
  if (module == NULL)
    {
      ls_run_frame_say (&self->frame, error->message, NULL);
      show_buttons (self);
      return;
    }
  ls_run_frame_say (&self->frame, _("The program is built and runs."), NULL);
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", module);
  g_variant_dict_insert (&params, "plan", "b", gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->plan)));
  g_variant_dict_insert (&params, "memory", "b", TRUE);
  ls_run_begun_put (&params, self->sizes);
  self->asking = g_cancellable_new ();
  ls_worker_call_async (self->worker, "debug-vm", g_variant_dict_end (&params), NULL, self->asking, answered, self);
  show_buttons (self);
}

/* A program that hangs goes with its process. */
static void
give_up (Machine *self)
{
  if (self->asking == NULL)
    return;
  leave (self);
  ls_worker_stop (self->worker);
  empty (self);
  ls_run_frame_say (&self->frame, _("The run was ended."), NULL);
  show_buttons (self);
}

/* ---- the window ---------------------------------------------------------------------------------------- */

static void
go (gpointer    run,
    const char *command)
{
  send (run, command);
}

static gboolean
key_pressed (GtkEventController *keys,
             guint               key,
             guint               code,
             GdkModifierType     state,
             Machine            *self)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self->window));
  gboolean has_ends = focus != NULL && (GTK_IS_EDITABLE (focus) || gtk_widget_is_ancestor (focus, self->list) || gtk_widget_is_ancestor (focus, self->registers)
                                        || gtk_widget_is_ancestor (focus, self->memory) || LS_IS_RUN_GRID (focus));

  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return FALSE;
  if (key == GDK_KEY_F2)
    {
      gtk_widget_grab_focus (self->stop);
      return TRUE;
    }
  return ls_run_frame_press (&self->frame, key, state, has_ends);
}

static GtkWidget *
bar (Machine *self)
{
  GtkWidget *row = ls_part_row ("compare-head");

  ls_run_frame_put_moves (&self->frame, row);
  self->give_up = ls_part_icon_button ("process-stop-symbolic", _("End the run"));
  self->plan = gtk_toggle_button_new_with_label (_("Planned memory"));
  gtk_widget_set_tooltip_text (self->plan, _("Plan the memory before the run (StaticPlanBlockMemory) instead of while it runs"));
  g_signal_connect_swapped (self->give_up, "clicked", G_CALLBACK (give_up), self);
  g_signal_connect_swapped (self->plan, "toggled", G_CALLBACK (begin), self);
  gtk_box_append (GTK_BOX (row), self->give_up);
  self->sizes = ls_run_sizes_new (G_CALLBACK (begin), self);
  gtk_box_append (GTK_BOX (row), self->sizes);
  gtk_box_append (GTK_BOX (row), self->plan);
  return ls_part_wrapped (row);
}

static GtkWidget *
instructions_box (Machine *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  gtk_box_append (GTK_BOX (box), ls_run_frame_list (_("Instructions of the run"), TRUE, G_CALLBACK (row_chosen), self, &self->list, &self->rows));
  gtk_box_append (GTK_BOX (box), ls_run_frame_stop_row (_("Breakpoint (F2): matmul*, alloc, block 3; empty removes all"), G_CALLBACK (stop_added), self, &self->stop, &self->stops));
  return box;
}

/* As high as it has rows, some nine of them at most: the rest is scrolled to. */
static GtkWidget *
short_list (const char     *name,
            GCallback       chosen,
            Machine        *self,
            GtkWidget     **list,
            GtkStringList **rows)
{
  GtkWidget *scroller = ls_run_frame_list (name, FALSE, chosen, self, list, rows);

  gtk_widget_set_vexpand (scroller, FALSE);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scroller), 220);
  return scroller;
}

static GtkWidget *
values_box (Machine *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *row = ls_part_row (NULL);

  self->slices = ls_run_slices_new ();
  g_signal_connect_swapped (self->slices, "changed", G_CALLBACK (slice_changed), self);
  self->cell = ls_part_label (NULL, "code");
  gtk_label_set_ellipsize (GTK_LABEL (self->cell), PANGO_ELLIPSIZE_END);
  self->grid = ls_run_grid_new ();
  gtk_widget_set_vexpand (self->grid, TRUE);
  g_signal_connect_swapped (self->grid, "cell-changed", G_CALLBACK (show_cell), self);
  g_signal_connect (self->grid, "part-wanted", G_CALLBACK (part_wanted), self);
  gtk_box_append (GTK_BOX (row), self->slices);
  gtk_box_append (GTK_BOX (row), self->cell);
  gtk_box_append (GTK_BOX (box), ls_part_label (_("Registers"), "reason"));
  gtk_box_append (GTK_BOX (box), short_list (_("Registers"), G_CALLBACK (register_chosen), self, &self->registers, &self->register_rows));
  gtk_box_append (GTK_BOX (box), ls_part_label (_("Memory"), "reason"));
  gtk_box_append (GTK_BOX (box), short_list (_("Memory"), NULL, self, &self->memory, &self->memory_rows));
  gtk_box_append (GTK_BOX (box), row);
  gtk_box_append (GTK_BOX (box), self->grid);
  gtk_widget_add_css_class (box, "run-part");
  return box;
}

static void
build (Machine   *self,
       GtkWindow *parent)
{
  GtkWidget *box;

  ls_run_frame_init (&self->frame, moves, G_N_ELEMENTS (moves), go, self);
  self->foot = ls_part_label (_("The machine runs once, with its compiled code and on seeded random numbers; then its run is walked in both directions. A dot marks what the instruction changed."), "reason");
  gtk_label_set_wrap (GTK_LABEL (self->foot), TRUE);
  box = ls_run_frame_build (&self->frame, bar (self), instructions_box (self), values_box (self), 480);
  self->window = ls_tool_window_new (parent, _("Virtual machine, instruction by instruction"), 1120, 740, box, self->foot);
  ls_run_frame_watch (self->window, G_CALLBACK (key_pressed), self);
}

static void
machine_free (gpointer data)
{
  Machine *self = data;

  g_signal_handlers_disconnect_by_data (self->session, self);
  leave (self);
  ls_worker_stop (self->worker);
  g_object_unref (self->worker);
  g_object_unref (self->session);
  g_free (self);
}

static void
show (const LsToolPlace *place)
{
  Machine *self = ls_tool_window_find (place->parent, KEY);

  if (self == NULL)
    {
      self = g_new0 (Machine, 1);
      self->chosen = -1;
      self->session = g_object_ref (place->session);
      self->worker = ls_worker_new ();
      build (self, place->parent);
      ls_tool_window_keep (self->window, KEY, self, machine_free);
      g_signal_connect_swapped (self->session, "module-changed", G_CALLBACK (begin), self);
      begin (self);
    }
  gtk_window_present (GTK_WINDOW (self->window));
}

const LsTool ls_run_vm_tool = { .id = KEY, .label = N_("Run the virtual machine instruction by instruction"), .accel = "<Control><Shift>j", .follows = TRUE, .show = show };
