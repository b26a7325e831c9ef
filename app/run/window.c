/* run/window: the program of the current step runs in a worker of its own and stands still where it is asked to; text, values and
 * buffers show where it stands.
 *
 * One call to the worker at a time: a command.  A run that goes on for long comes back "interrupted" every fifth of a second and is sent
 * on with "more", until it stops by itself or Pause was pressed; End takes the worker's process away, whatever it does.
 */
#include "app/run/window.h"

#include "app/rpc/rpc.h"
#include "app/session/code-rows.h"
#include "app/session/engine.h"
#include "app/tool/window.h"
#include "views/models/format.h"
#include "views/parts/parts.h"
#include "views/parts/source-text.h"
#include "views/run/grid.h"
#include "views/run/text.h"

#include <glib/gi18n.h>
#include <string.h>

#define KEY "run"
#define MOST_VALUES 40

typedef struct {
  GtkWidget    *window;         /* owns this */
  GtkWidget    *sentence, *reason;
  GtkWidget    *moves[12];      /* buttons that move, in the order of the table */
  GtkWidget    *pause, *again, *toy;
  GtkWidget    *text;
  GtkWidget    *value;          /* of the expression under the cursor */
  GtkWidget    *values;         /* list box: variables, expressions, loops */
  GtkWidget    *buffers;        /* drop-down */
  GtkWidget    *slices;         /* box of spin buttons */
  GtkWidget    *grid, *cell, *summary;
  GtkWidget    *stop;           /* entry: a breakpoint to add */
  GtkWidget    *stops;          /* list box */
  GArray       *lines;          /* of Line: those of the breakpoints */
  LsSession    *session;
  LsWorker     *worker;
  GCancellable *asking;         /* of the call under way, or NULL */
  GVariant     *look;           /* what was answered last, or NULL */
  char        **names;          /* of the buffers in the drop-down */
  GPtrArray    *shapes;         /* of GVariant "ax", as many */
  guint         choosing;       /* the drop-down or the slices are being set */
  gboolean      wants_pause;
  gboolean      asked_grid;     /* with the call before */
  gboolean      asks_value;     /* a question about the expression under the cursor is under way */
  gboolean      asks_again;     /* and the cursor has moved since */
} Run;

typedef struct {
  guint stop, line;
} Line;

/* The moves, as buttons and keys. */
static const struct {
  const char *command, *icon, *words;
  guint       key;
  gboolean    shift;
} moves[] = {
  { "start", "media-skip-backward-symbolic", N_("First statement (Home)"), GDK_KEY_Home, FALSE },
  { "back-continue", "media-seek-backward-symbolic", N_("Back to the last breakpoint (Shift+F8)"), GDK_KEY_F8, TRUE },
  { "back-over", "go-previous-symbolic", N_("Back over what is inside (Shift+F10)"), GDK_KEY_F10, TRUE },
  { "back", "go-up-symbolic", N_("A statement back (Shift+F11)"), GDK_KEY_F11, TRUE },
  { "step", "go-down-symbolic", N_("Next statement, into what it holds (F11)"), GDK_KEY_F11, FALSE },
  { "over", "go-next-symbolic", N_("Over what it holds (F10)"), GDK_KEY_F10, FALSE },
  { "loop", "media-playlist-repeat-symbolic", N_("Next round of the loop (F7)"), GDK_KEY_F7, FALSE },
  { "out", "go-top-symbolic", N_("Out of the loop (F12)"), GDK_KEY_F12, FALSE },
  { "write", "document-edit-symbolic", N_("Next write of the shown buffer (F4)"), GDK_KEY_F4, FALSE },
  { "continue", "media-playback-start-symbolic", N_("On to the next breakpoint (F8)"), GDK_KEY_F8, FALSE },
  { "end", "media-skip-forward-symbolic", N_("To the end of the run (End)"), GDK_KEY_End, FALSE },
};

static void send (Run *self, const char *command);

/* ---- what is shown -------------------------------------------------------------------------- */

static gboolean
is_busy (Run *self)
{
  return self->asking != NULL;
}

static void
show_buttons (Run *self)
{
  gboolean can = self->look != NULL && !is_busy (self);

  for (guint i = 0; i < G_N_ELEMENTS (moves); i++)
    gtk_widget_set_sensitive (self->moves[i], can);
  gtk_widget_set_sensitive (self->pause, is_busy (self));
}

static void
say (Run        *self,
     const char *sentence,
     const char *reason)
{
  gtk_label_set_label (GTK_LABEL (self->sentence), sentence);
  gtk_label_set_label (GTK_LABEL (self->reason), reason != NULL ? reason : "");
  gtk_widget_set_visible (self->reason, reason != NULL && *reason != '\0');
}

/* "i: round 10 of 128, k: round 1 of 64" */
static char *
loops_words (GVariant *look)
{
  g_autoptr (GVariant) frames = ls_params_value (look, "frames");
  GString *words = g_string_new (NULL);

  for (gsize i = 0; frames != NULL && i < g_variant_n_children (frames); i++)
    {
      g_autoptr (GVariant) frame = g_variant_get_child_value (frames, i);
      gint64 round = ls_params_int (frame, "round", -1);
      g_autofree char *number = ls_format_count (round + 1);
      g_autofree char *extent = ls_format_count (ls_params_int (frame, "extent", 0));

      if (round < 0)
        continue;
      if (words->len > 0)
        g_string_append (words, ", ");
      /* Translators: a loop: its name, the number of its round, how many there are */
      g_string_append_printf (words, _("%s: round %s of %s"), ls_params_string (frame, "name", "?"), number, extent);
    }
  return g_string_free (words, FALSE);
}

static void
say_position (Run *self)
{
  const char *state = ls_params_string (self->look, "state", "");
  g_autoptr (GVariant) hit = ls_params_value (self->look, "hit");
  g_autofree char *loops = loops_words (self->look);
  g_autofree char *clock = ls_format_count (ls_params_int (self->look, "clock", 0));
  g_autofree char *sentence = NULL;
  g_autofree char *reason = NULL;

  if (strcmp (state, "finished") == 0)
    sentence = g_strdup_printf (_("The run is over after %s statements; it can be stepped back."), clock);
  else if (strcmp (state, "failed") == 0)
    sentence = g_strdup_printf (_("The run ends here: %s"), ls_params_string (self->look, "error", ""));
  else if (*loops != '\0')
    sentence = g_strdup_printf (_("Before statement %s, %s."), clock, loops);
  else
    sentence = g_strdup_printf (_("Before statement %s."), clock);
  if (hit != NULL && ls_params_string (hit, "element", NULL) != NULL)
    /* Translators: a breakpoint, an element of an array, its value: write C, C[2, 3], 0.5 */
    reason = g_strdup_printf (strcmp (ls_params_string (hit, "kind", ""), "read") == 0 ? _("Stopped for %s: %s is %s.") : _("Stopped for %s: %s becomes %s."),
                              ls_params_string (hit, "words", ""), ls_params_string (hit, "element", ""), ls_params_string (hit, "text", ""));
  else if (hit != NULL && ls_params_int (hit, "stop", 0) > 0)
    reason = g_strdup_printf (_("Stopped for %s."), ls_params_string (hit, "words", ""));
  say (self, sentence, reason);
}

static void
clear_list (GtkWidget *list)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (list)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (list), child);
}

static void
add_heading (Run        *self,
             const char *words)
{
  GtkWidget *label = ls_part_label (words, "reason");

  gtk_widget_set_margin_start (label, 12);
  gtk_widget_set_margin_top (label, 6);
  gtk_list_box_append (GTK_LIST_BOX (self->values), label);
  gtk_list_box_row_set_selectable (GTK_LIST_BOX_ROW (gtk_widget_get_parent (label)), FALSE);
}

/* Rows "name = value" of a list of the answer. */
static void
add_rows (Run        *self,
          const char *key,
          const char *name,
          const char *heading)
{
  g_autoptr (GVariant) list = ls_params_value (self->look, key);
  gsize n = list != NULL ? MIN (g_variant_n_children (list), MOST_VALUES) : 0;

  if (n > 0)
    add_heading (self, heading);
  for (gsize i = 0; i < n; i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (list, i);
      g_autofree char *words = g_strdup_printf ("%s = %s", ls_params_string (one, name, "?"), ls_params_string (one, "text", "?"));
      GtkWidget *label = ls_part_label (words, "code");

      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
      gtk_widget_set_margin_start (label, 12);
      gtk_widget_set_margin_end (label, 12);
      gtk_list_box_append (GTK_LIST_BOX (self->values), label);
    }
}

static void
show_values (Run *self)
{
  clear_list (self->values);
  add_rows (self, "vars", "name", _("Variables"));
  add_rows (self, "expressions", "expression", _("What the statement evaluates"));
}

static void
stop_removed (GtkWidget *button,
              Run       *self)
{
  g_autofree char *command = g_strdup_printf ("delete %d", GPOINTER_TO_INT (g_object_get_data (G_OBJECT (button), "stop")));

  if (self->look != NULL && self->asking == NULL)
    send (self, command);
}

/* The lines of the breakpoints in the gutter of the text; NULL: there are none. */
static void
mark_lines (Run      *self,
            GVariant *list)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint));

  g_array_set_size (self->lines, 0);
  for (gsize i = 0; list != NULL && i < g_variant_n_children (list); i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (list, i);
      Line line = { (guint) ls_params_int (one, "stop", 0), (guint) ls_params_int (one, "line", 0) };

      if (line.line == 0)
        continue;
      g_array_append_val (self->lines, line);
      g_array_append_val (numbers, line.line);
    }
  ls_run_text_set_stops (GTK_SOURCE_VIEW (self->text), (const guint *) (gpointer) numbers->data, numbers->len);
}

static void
show_stops (Run      *self,
            GVariant *answer)
{
  g_autoptr (GVariant) list = ls_params_value (answer, "stops");

  if (list == NULL)
    return;
  clear_list (self->stops);
  mark_lines (self, list);
  for (gsize i = 0; i < g_variant_n_children (list); i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (list, i);
      GtkWidget *row = ls_part_row (NULL), *away = ls_part_icon_button ("user-trash-symbolic", _("Remove this breakpoint"));
      GtkWidget *label = ls_part_label (ls_params_string (one, "words", ""), "code");

      gtk_widget_set_hexpand (label, TRUE);
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
      g_object_set_data (G_OBJECT (away), "stop", GINT_TO_POINTER (ls_params_int (one, "stop", 0)));
      g_signal_connect (away, "clicked", G_CALLBACK (stop_removed), self);
      gtk_box_append (GTK_BOX (row), label);
      gtk_box_append (GTK_BOX (row), away);
      gtk_list_box_append (GTK_LIST_BOX (self->stops), row);
    }
}

/* ---- buffers ------------------------------------------------------------------------------------ */

static const char *
shown_buffer (Run *self)
{
  guint at = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->buffers));

  return self->names != NULL && at < g_strv_length (self->names) ? self->names[at] : NULL;
}

/* What of it is asked for: "C[2, 0]". (transfer full), or NULL */
static char *
wanted_grid (Run *self)
{
  const char *name = shown_buffer (self);
  GString *words;

  if (name == NULL)
    return NULL;
  words = g_string_new (name);
  for (GtkWidget *spin = gtk_widget_get_first_child (self->slices); spin != NULL; spin = gtk_widget_get_next_sibling (spin))
    g_string_append_printf (words, "%s%d", spin == gtk_widget_get_first_child (self->slices) ? "[" : ", ",
                            gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (spin)));
  if (gtk_widget_get_first_child (self->slices) != NULL)
    g_string_append_c (words, ']');
  return g_string_free (words, FALSE);
}

static void
grid_wanted (Run *self)
{
  if (self->choosing == 0 && self->look != NULL && !is_busy (self))
    send (self, "where");
}

static void
show_slices (Run *self)
{
  guint at = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->buffers));
  GVariant *shape = at < self->shapes->len ? self->shapes->pdata[at] : NULL;
  gsize n = 0;
  const gint64 *extents = shape != NULL ? g_variant_get_fixed_array (shape, &n, sizeof (gint64)) : NULL;
  GtkWidget *child;

  self->choosing++;
  while ((child = gtk_widget_get_first_child (self->slices)) != NULL)
    gtk_box_remove (GTK_BOX (self->slices), child);
  for (gsize d = 0; d + 2 < n; d++)
    {
      GtkWidget *spin = gtk_spin_button_new_with_range (0, (double) MAX (extents[d] - 1, 0), 1);
      g_autofree char *words = g_strdup_printf (_("Index %u"), (guint) d + 1);

      gtk_accessible_update_property (GTK_ACCESSIBLE (spin), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
      g_signal_connect_swapped (spin, "value-changed", G_CALLBACK (grid_wanted), self);
      gtk_box_append (GTK_BOX (self->slices), spin);
    }
  self->choosing--;
}

static void
buffer_chosen (Run *self)
{
  if (self->choosing > 0)
    return;
  show_slices (self);
  grid_wanted (self);
}

/* The drop-down follows what there is; the chosen one stays as long as it is there. */
static void
show_buffers (Run *self)
{
  g_autoptr (GVariant) list = ls_params_value (self->look, "buffers");
  g_autofree char *chosen = g_strdup (shown_buffer (self));
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_autoptr (GPtrArray) shapes = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
  g_auto (GStrv) all = NULL;
  guint at = 0;

  for (gsize i = 0; list != NULL && i < g_variant_n_children (list); i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (list, i);
      const char *name = ls_params_string (one, "name", "?");
      GVariant *shape = ls_params_value (one, "shape");

      if (g_strcmp0 (name, chosen) == 0)
        at = (guint) i;
      g_strv_builder_add (names, name);
      g_ptr_array_add (shapes, shape);
    }
  all = g_strv_builder_end (names);
  if (self->names != NULL && g_strv_equal ((const char *const *) self->names, (const char *const *) all))
    return;
  if (chosen == NULL && g_strv_length (all) > 0)
    at = g_strv_length (all) - 1;
  self->choosing++;
  g_strfreev (self->names);
  self->names = g_steal_pointer (&all);
  g_ptr_array_unref (self->shapes);
  self->shapes = g_steal_pointer (&shapes);
  {
    g_autoptr (GtkStringList) model = gtk_string_list_new ((const char *const *) self->names);

    gtk_drop_down_set_model (GTK_DROP_DOWN (self->buffers), G_LIST_MODEL (model));
  }
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->buffers), at);
  self->choosing--;
  show_slices (self);
}

static void
show_cell (Run *self)
{
  g_autofree char *words = ls_run_grid_words (LS_RUN_GRID (self->grid));

  gtk_label_set_label (GTK_LABEL (self->cell), words);
}

static void
show_grid (Run *self)
{
  g_autoptr (GVariant) grid = ls_params_value (self->look, "grid");
  g_autoptr (GVariant) accesses = ls_params_value (self->look, "accesses");
  g_autofree char *written = ls_format_count (grid != NULL ? ls_params_int (grid, "n-written", 0) : 0);
  g_autofree char *all = ls_format_count (grid != NULL ? ls_params_int (grid, "n", 0) : 0);
  g_autofree char *odd = ls_format_count (grid != NULL ? ls_params_int (grid, "not-finite", 0) : 0);
  g_autofree char *words = NULL;

  ls_run_grid_set (LS_RUN_GRID (self->grid), grid, accesses);
  if (grid != NULL && ls_params_double (grid, "most", -1) < ls_params_double (grid, "least", 0))
    words = g_strdup_printf (_("%s of %s written"), written, all);
  else if (grid != NULL)
    /* Translators: of the elements of an array; the last one counts what is no finite number */
    words = g_strdup_printf (_("%s of %s written, from %.4g to %.4g, %s NaN or infinite"), written, all, ls_params_double (grid, "least", 0),
                             ls_params_double (grid, "most", 0), odd);
  gtk_label_set_label (GTK_LABEL (self->summary), words != NULL ? words : "");
  gtk_widget_set_tooltip_text (self->summary, words);
}

static void
show_look (Run *self)
{
  gint64 line = ls_params_int (self->look, "line", 0);

  if (ls_params_string (self->look, "listing", NULL) != NULL)
    ls_source_text_set (LS_SOURCE_TEXT (self->text), ls_params_string (self->look, "listing", ""));
  if (line > 0)
    ls_source_text_mark (LS_SOURCE_TEXT (self->text), (guint) line, (guint) line);
  say_position (self);
  show_values (self);
  show_buffers (self);
  show_grid (self);
}

/* ---- asking -------------------------------------------------------------------------------------- */

static void
answered (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  Run *self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;             /* the window may be gone */
  g_clear_object (&self->asking);
  if (answer == NULL)
    {
      if (error->domain != LS_WORKER_ERROR || error->code != LS_WORKER_ERROR_REQUEST)
        g_clear_pointer (&self->look, g_variant_unref);
      say (self, error->message, NULL);
    }
  else if (ls_params_string (answer, "state", NULL) == NULL)
    {
      g_autoptr (GVariant) stops = ls_params_value (answer, "stops");

      show_stops (self, answer);
      if (stops == NULL)
        send (self, "breaks");  /* one was added */
    }
  else
    {
      g_clear_pointer (&self->look, g_variant_unref);
      self->look = g_variant_ref (answer);
      show_look (self);
      if (ls_params_bool (answer, "interrupted", FALSE) && !self->wants_pause)
        {
          send (self, "more");
          return;
        }
      if (!self->asked_grid && shown_buffer (self) != NULL)
        send (self, "where");   /* now it is known which buffers there are */
    }
  show_buttons (self);
}

static void
call (Run          *self,
      GVariantDict *params)
{
  self->asking = g_cancellable_new ();
  ls_worker_call_async (self->worker, "debug", g_variant_dict_end (params), NULL, self->asking, answered, self);
  show_buttons (self);
}

static void
send (Run        *self,
      const char *command)
{
  g_autofree char *grid = wanted_grid (self);
  GVariantDict params;

  if (is_busy (self))
    return;
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "command", "s", command);
  self->asked_grid = grid != NULL;
  if (grid != NULL)
    g_variant_dict_insert (&params, "grid", "s", grid);
  call (self, &params);
}

static void
go (Run        *self,
    const char *command)
{
  g_autofree char *words = NULL;

  if (self->look == NULL)
    return;
  self->wants_pause = FALSE;
  if (strcmp (command, "write") == 0 && shown_buffer (self) != NULL)
    words = g_strconcat ("write ", shown_buffer (self), NULL);
  send (self, words != NULL ? words : command);
}

static void
move_clicked (GtkWidget *button,
              Run       *self)
{
  go (self, g_object_get_data (G_OBJECT (button), "command"));
}

static void
pause_run (Run *self)
{
  self->wants_pause = TRUE;
}

/* The function of the selection, else the first of the text. */
static char *
wanted_function (Run *self)
{
  LsScriptText *text = ls_session_get_script (self->session);
  guint first, last;

  if (text == NULL)
    return NULL;
  if (ls_code_lines_of (text, ls_session_get_selection (self->session), &first, &last))
    return ls_code_function_at (text, first);
  for (guint i = 0; i < ls_script_text_n_lines (text); i++)
    if (ls_script_text_line (text, i)->id != 0)
      return ls_code_function_at (text, i + 1);
  return NULL;
}

static void
leave (Run *self)
{
  if (self->asking != NULL)
    g_cancellable_cancel (self->asking);
  g_clear_object (&self->asking);
}

/* Begins anew with what is shown now. */
static void
begin (Run *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *module = ls_session_export (self->session, LS_EXPORT_MODULE, &error);
  g_autofree char *function = wanted_function (self);
  GVariantDict params;

  leave (self);
  ls_worker_stop (self->worker);
  g_clear_pointer (&self->look, g_variant_unref);
  clear_list (self->values);
  clear_list (self->stops);
  mark_lines (self, NULL);
  gtk_label_set_label (GTK_LABEL (self->value), "");
  ls_run_grid_set (LS_RUN_GRID (self->grid), NULL, NULL);
  if (module == NULL)
    {
      say (self, error->message, NULL);
      show_buttons (self);
      return;
    }
  say (self, _("The run begins."), NULL);
  self->asked_grid = FALSE;
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", module);
  if (function != NULL)
    g_variant_dict_insert (&params, "func", "s", function);
  if (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->toy)))
    g_variant_dict_insert (&params, "toy", "x", (gint64) 8);
  call (self, &params);
}

/* ---- breakpoints ----------------------------------------------------------------------------------- */

static void
stop_added (Run *self)
{
  const char *words = gtk_editable_get_text (GTK_EDITABLE (self->stop));
  g_autofree char *command = g_strconcat ("break ", words, NULL);

  if (*words == '\0' || is_busy (self))
    return;
  send (self, command);
  gtk_editable_set_text (GTK_EDITABLE (self->stop), "");
}

static void
stops_cleared (Run *self)
{
  if (self->look != NULL && !is_busy (self))
    send (self, "delete");
}

/* A breakpoint on a line goes, or comes on the first statement from there on. */
static void
line_toggled (guint    line,
              gpointer data)
{
  Run *self = data;
  g_autofree char *command = NULL;

  if (self->look == NULL || is_busy (self))
    return;
  for (guint i = 0; i < self->lines->len && command == NULL; i++)
    if (g_array_index (self->lines, Line, i).line == line)
      command = g_strdup_printf ("delete %u", g_array_index (self->lines, Line, i).stop);
  if (command == NULL)
    command = g_strdup_printf ("break line %u", line);
  send (self, command);
}

/* ---- the value of an expression ---------------------------------------------------------------------- */

static void
value_answered (GObject      *source,
                GAsyncResult *result,
                gpointer      data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);

  if (answer == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  g_task_return_pointer (task, g_strdup_printf ("%s = %s", ls_params_string (answer, "expression", "?"), ls_params_string (answer, "text", "?")), g_free);
}

/* Only while the run stands still; it is not cancelled, because that would end the worker and the run with it. */
static void
value_wanted (const char *expression,
              GTask      *task,
              gpointer    data)
{
  Run *self = data;
  g_autofree char *command = g_strconcat ("print ", expression, NULL);
  GVariantDict params;

  if (self->look == NULL || is_busy (self))
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_BUSY, "the run does not stand still");
      g_object_unref (task);
      return;
    }
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "command", "s", command);
  ls_worker_call_async (self->worker, "debug", g_variant_dict_end (&params), NULL, NULL, value_answered, task);
}

static const LsRunTextWishes text_wishes = { line_toggled, value_wanted };

static void cursor_moved (Run *self);

/* The label lives on where the window has gone meanwhile; then it knows no run. */
static void
cursor_answered (GObject      *source,
                 GAsyncResult *result,
                 gpointer      data)
{
  g_autoptr (GtkLabel) label = data;
  g_autofree char *words = g_task_propagate_pointer (G_TASK (result), NULL);
  Run *self = g_object_get_data (G_OBJECT (label), KEY);
  gboolean moved;

  if (self == NULL)
    return;
  moved = self->asks_again;
  self->asks_value = self->asks_again = FALSE;
  gtk_label_set_label (label, words != NULL ? words : "");
  if (moved)
    cursor_moved (self);
}

/* With the keyboard the cursor is what the pointer is with the mouse. */
static void
cursor_moved (Run *self)
{
  g_autofree char *expression = NULL;

  if (self->asks_value)
    {
      self->asks_again = TRUE;
      return;
    }
  expression = gtk_widget_has_focus (self->text) ? ls_run_text_expression_at_cursor (GTK_SOURCE_VIEW (self->text)) : NULL;
  if (expression == NULL)
    {
      gtk_label_set_label (GTK_LABEL (self->value), "");
      return;
    }
  self->asks_value = TRUE;
  value_wanted (expression, g_task_new (NULL, NULL, cursor_answered, g_object_ref (self->value)), self);
}

/* ---- the window --------------------------------------------------------------------------------------- */

static gboolean
key_pressed (GtkEventController *keys,
             guint               key,
             guint               code,
             GdkModifierType     state,
             Run                *self)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self->window));
  gboolean shift = (state & GDK_SHIFT_MASK) != 0;
  gboolean is_text = focus != NULL && (GTK_IS_EDITABLE (focus) || GTK_IS_TEXT_VIEW (focus) || LS_IS_RUN_GRID (focus));

  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return FALSE;
  if (key == GDK_KEY_F2)
    {
      gtk_widget_grab_focus (self->stop);
      return TRUE;
    }
  if (key == GDK_KEY_F9 || key == GDK_KEY_Pause)
    {
      pause_run (self);
      return TRUE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (moves); i++)
    if (moves[i].key == key && moves[i].shift == shift && !(is_text && (key == GDK_KEY_Home || key == GDK_KEY_End)))
      {
        go (self, moves[i].command);
        return TRUE;
      }
  return FALSE;
}

static GtkWidget *
bar (Run *self)
{
  GtkWidget *row = ls_part_row ("compare-head");

  for (guint i = 0; i < G_N_ELEMENTS (moves); i++)
    {
      self->moves[i] = ls_part_icon_button (moves[i].icon, _(moves[i].words));
      g_object_set_data (G_OBJECT (self->moves[i]), "command", (gpointer) moves[i].command);
      g_signal_connect (self->moves[i], "clicked", G_CALLBACK (move_clicked), self);
      gtk_box_append (GTK_BOX (row), self->moves[i]);
    }
  self->pause = ls_part_icon_button ("media-playback-pause-symbolic", _("Pause (F9)"));
  self->again = ls_part_word_button ("view-refresh-symbolic", _("Begin Again"));
  self->toy = gtk_toggle_button_new_with_label (_("Toy Size"));
  gtk_widget_set_tooltip_text (self->toy, _("Extents shrunk to about 8, with the structure kept"));
  g_signal_connect_swapped (self->pause, "clicked", G_CALLBACK (pause_run), self);
  g_signal_connect_swapped (self->again, "clicked", G_CALLBACK (begin), self);
  g_signal_connect_swapped (self->toy, "toggled", G_CALLBACK (begin), self);
  gtk_box_append (GTK_BOX (row), self->pause);
  gtk_box_append (GTK_BOX (row), self->again);
  gtk_box_append (GTK_BOX (row), self->toy);
  return ls_part_slim (row);
}

static GtkWidget *
scrolled (GtkWidget *child)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), child);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_widget_set_hexpand (scroller, TRUE);
  return scroller;
}

static GtkWidget *
stops_box (Run *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4), *row = ls_part_row (NULL);
  GtkWidget *none = ls_part_icon_button ("edit-clear-all-symbolic", _("Remove all breakpoints"));

  self->stop = gtk_entry_new ();
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->stop), _("Breakpoint (F2): line 12, loop k if i == 3, write C[2, 0:4], nan"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->stop), GTK_ACCESSIBLE_PROPERTY_LABEL, _("New breakpoint"), -1);
  gtk_widget_set_hexpand (self->stop, TRUE);
  g_signal_connect_swapped (self->stop, "activate", G_CALLBACK (stop_added), self);
  g_signal_connect_swapped (none, "clicked", G_CALLBACK (stops_cleared), self);
  self->stops = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->stops), GTK_SELECTION_NONE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->stops), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Breakpoints"), -1);
  gtk_box_append (GTK_BOX (row), self->stop);
  gtk_box_append (GTK_BOX (row), none);
  gtk_box_append (GTK_BOX (box), row);
  gtk_box_append (GTK_BOX (box), self->stops);
  gtk_widget_add_css_class (box, "run-part");
  return box;
}

static GtkWidget *
values_box (Run *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *row = ls_part_row (NULL);
  GtkWidget *panes = gtk_paned_new (GTK_ORIENTATION_VERTICAL);

  self->values = gtk_list_box_new ();
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->values), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Values"), -1);
  self->buffers = gtk_drop_down_new (NULL, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->buffers), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Buffer"), -1);
  g_signal_connect_swapped (self->buffers, "notify::selected", G_CALLBACK (buffer_chosen), self);
  self->slices = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  self->cell = ls_part_label (NULL, "code");
  self->summary = ls_part_label (NULL, "reason");
  gtk_label_set_ellipsize (GTK_LABEL (self->summary), PANGO_ELLIPSIZE_END);
  gtk_label_set_ellipsize (GTK_LABEL (self->cell), PANGO_ELLIPSIZE_END);
  self->grid = ls_run_grid_new ();
  gtk_widget_set_vexpand (self->grid, TRUE);
  g_signal_connect_swapped (self->grid, "cell-changed", G_CALLBACK (show_cell), self);
  gtk_box_append (GTK_BOX (row), self->buffers);
  gtk_box_append (GTK_BOX (row), self->slices);
  gtk_box_append (GTK_BOX (row), self->cell);
  gtk_box_append (GTK_BOX (box), row);
  gtk_box_append (GTK_BOX (box), self->grid);
  gtk_box_append (GTK_BOX (box), self->summary);
  gtk_widget_add_css_class (box, "run-part");
  gtk_paned_set_start_child (GTK_PANED (panes), scrolled (self->values));
  gtk_paned_set_end_child (GTK_PANED (panes), box);
  gtk_paned_set_resize_start_child (GTK_PANED (panes), TRUE);
  gtk_paned_set_shrink_end_child (GTK_PANED (panes), FALSE);
  gtk_paned_set_position (GTK_PANED (panes), 200);
  return panes;
}

static void
build (Run       *self,
       GtkWindow *parent)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *head = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *panes = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL), *left = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *foot = ls_part_label (_("A frame is what the statement writes, a dashed one what it reads; hatched is not written yet. A click beside a line, or Ctrl+B, "
                                     "sets a breakpoint; the pointer or the cursor on an expression shows its value. The run is in a process of its own: "
                                     "Begin Again ends it whatever it does."), "reason");
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->sentence = ls_part_label (NULL, "strong");
  self->reason = ls_part_label (NULL, "reason");
  gtk_label_set_wrap (GTK_LABEL (self->sentence), TRUE);
  gtk_label_set_wrap (GTK_LABEL (self->reason), TRUE);
  gtk_widget_add_css_class (head, "compare-head");
  gtk_box_append (GTK_BOX (head), self->sentence);
  gtk_box_append (GTK_BOX (head), self->reason);
  self->text = g_object_ref_sink (ls_source_text_new ());
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->text), GTK_ACCESSIBLE_PROPERTY_LABEL, _("The program that runs"), -1);
  ls_run_text_make (GTK_SOURCE_VIEW (self->text), &text_wishes, self);
  self->value = g_object_ref_sink (ls_part_label (NULL, "code"));
  g_object_set_data (G_OBJECT (self->value), KEY, self);
  gtk_label_set_ellipsize (GTK_LABEL (self->value), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (self->value, "run-part");
  g_signal_connect_swapped (gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->text)), "notify::cursor-position", G_CALLBACK (cursor_moved), self);
  gtk_box_append (GTK_BOX (left), scrolled (self->text));
  gtk_box_append (GTK_BOX (left), self->value);
  gtk_box_append (GTK_BOX (left), stops_box (self));
  gtk_paned_set_start_child (GTK_PANED (panes), left);
  gtk_paned_set_end_child (GTK_PANED (panes), values_box (self));
  gtk_paned_set_shrink_start_child (GTK_PANED (panes), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (panes), FALSE);
  gtk_paned_set_resize_end_child (GTK_PANED (panes), FALSE);
  gtk_paned_set_position (GTK_PANED (panes), 620);
  gtk_widget_set_vexpand (panes, TRUE);
  gtk_box_append (GTK_BOX (box), bar (self));
  gtk_box_append (GTK_BOX (box), head);
  gtk_box_append (GTK_BOX (box), panes);
  self->window = ls_tool_window_new (parent, _("Run"), 1120, 740, box, foot);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (self->window, keys);
}

static void
run_free (gpointer data)
{
  Run *self = data;

  g_signal_handlers_disconnect_by_data (self->session, self);
  g_signal_handlers_disconnect_by_data (gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->text)), self);
  g_object_set_data (G_OBJECT (self->value), KEY, NULL);
  leave (self);
  ls_worker_stop (self->worker);
  g_object_unref (self->worker);
  g_object_unref (self->session);
  g_clear_pointer (&self->look, g_variant_unref);
  g_object_unref (self->value);
  g_object_unref (self->text);
  g_strfreev (self->names);
  g_ptr_array_unref (self->shapes);
  g_array_unref (self->lines);
  g_free (self);
}

static void
show (const LsToolPlace *place)
{
  Run *self = ls_tool_window_find (place->parent, KEY);

  if (self == NULL)
    {
      self = g_new0 (Run, 1);
      self->session = g_object_ref (place->session);
      self->worker = ls_worker_new ();
      self->shapes = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
      self->lines = g_array_new (FALSE, FALSE, sizeof (Line));
      build (self, place->parent);
      ls_tool_window_keep (self->window, KEY, self, run_free);
      g_signal_connect_swapped (self->session, "module-changed", G_CALLBACK (begin), self);
      begin (self);
    }
  gtk_window_present (GTK_WINDOW (self->window));
}

const LsTool ls_run_tool = { .id = KEY, .label = N_("Run Step by Step"), .accel = "<Control><Shift>d", .follows = TRUE, .show = show };
