/* code/window: a list of machine code under its lines.  The rows of the selected loop or block are the selected rows; a
 * chosen row selects the loop or block that it comes from. */
#include "app/code/window.h"

#include "app/code/cycles.h"
#include "app/code/fast.h"
#include "app/mca/mca.h"
#include "app/session/code-rows.h"
#include "app/rpc/rpc.h"
#include "app/session/engine.h"
#include "app/tool/window.h"
#include "views/parts/mark.h"
#include "views/parts/parts.h"
#include "views/parts/tab-stop.h"

#include <glib/gi18n.h>
#include <string.h>

#define TIMEOUT_MS 60000
#define KEY "machine-code"

typedef struct {
  GtkWidget         *window;    /* owns this */
  GtkWidget         *sentence;
  GtkWidget         *remarks;
  GtkWidget         *round;     /* cycles of a round, the chain, and the units */
  GtkWidget         *chain;
  GtkWidget         *units;
  LsCodeFast        *fast;      /* what fast mathematics changed */
  GtkWidget         *foot;
  GtkWidget         *list;
  GtkListItemFactory *factory;
  GtkMultiSelection *selection;
  GPtrArray         *bound;     /* of GtkListItem: rows that are shown, borrowed */
  LsSession         *session;
  LsWorker          *worker;
  GCancellable      *asking;    /* of the call under way, or NULL */
  LsScriptText      *text;      /* that the rows are of, or NULL */
  GListStore        *rows;      /* NULL: none yet */
  char              *module;    /* the text that was compiled, or NULL */
  char              *function;  /* that was asked for */
  GVariant          *groups;    /* of the rows, a(usas) */
  char              *cpu;
  LsInnerLoop       *loop;      /* whose cycles are shown or asked for, or NULL */
  LsCodeCycles      *cycles;    /* NULL: not known (yet) */
  GCancellable      *analysing; /* of the question about it, or NULL */
  gboolean           following; /* the selection is being set */
  gboolean           choosing;  /* and it began here: the rows stay where they are, and the keyboard with them */
} Code;

/* ---- rows ------------------------------------------------------------------------ */

/* The pins of its line; those of the lines that only stand around it are theirs. */
static void
show_pins (Code        *self,
           GtkListItem *item)
{
  const LsCodeRecord *record = ls_code_row_get (gtk_list_item_get_item (item));
  GtkWidget *number = gtk_widget_get_first_child (gtk_widget_get_first_child (gtk_list_item_get_child (item)));
  guint8 pins = record->source != NULL && self->text != NULL ? ls_code_pins_of_line (self->text, record->line) : 0;
  g_autofree char *words = ls_pins_describe (pins);

  ls_mark_set_pins (LS_MARK (gtk_widget_get_next_sibling (number)), pins, 0);
  gtk_accessible_update_property (GTK_ACCESSIBLE (gtk_list_item_get_child (item)), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  words != NULL ? words : "", -1);
}

static void
pins_changed (Code *self)
{
  for (guint i = 0; i < self->bound->len; i++)
    show_pins (self, g_ptr_array_index (self->bound, i));
}

static GtkWidget *
gutter_of (GtkListItem *item)
{
  return gtk_widget_get_first_child (gtk_widget_get_last_child (gtk_list_item_get_child (item)));
}

static void
show_cycles (Code        *self,
             GtkListItem *item)
{
  ls_code_gutter_show (gutter_of (item), self->cycles, ls_code_row_get (gtk_list_item_get_item (item))->at);
}

/* What the instruction under the pointer does. */
static gboolean
tip_of_instruction (GtkWidget  *label,
                    int         x,
                    int         y,
                    gboolean    keyboard,
                    GtkTooltip *tip,
                    gpointer    data)
{
  PangoLayout *layout = gtk_label_get_layout (GTK_LABEL (label));
  const char *text = pango_layout_get_text (layout), *begin;
  g_autofree char *line = NULL;
  g_autofree char *words = NULL;
  int left, top, at, trailing;

  gtk_label_get_layout_offsets (GTK_LABEL (label), &left, &top);
  if (keyboard || !pango_layout_xy_to_index (layout, (x - left) * PANGO_SCALE, (y - top) * PANGO_SCALE, &at, &trailing))
    return FALSE;
  for (begin = text + at; begin > text && begin[-1] != '\n';)
    begin--;
  line = g_strndup (begin, strcspn (begin, "\n"));
  words = ls_instruction_words (line);
  if (words != NULL)
    gtk_tooltip_set_text (tip, words);
  return words != NULL;
}

/* The remark that holds these words, or NULL. */
static const char *
remark_with (const LsCodeRecord *record,
             const char         *words)
{
  for (guint i = 0; record->remarks != NULL && record->remarks[i] != NULL; i++)
    if (strstr (record->remarks[i], words) != NULL)
      return record->remarks[i];
  return NULL;
}

/* Side by side in one label. (transfer full) */
static char *
joined (char **remarks)
{
  return remarks != NULL ? g_strjoinv (" · ", remarks) : g_strdup ("");
}

/* Why LLVM made no vectors of the line's loop, in words; NULL: it says nothing of that. (transfer full) */
static char *
warning_of (const LsCodeRecord *record)
{
  if (remark_with (record, "vectorized loop (") != NULL)
    return NULL;
  for (guint i = 0; record->remarks != NULL && record->remarks[i] != NULL; i++)
    if (strstr (record->remarks[i], "not vectorized") != NULL || strstr (record->remarks[i], "not beneficial") != NULL)
      return ls_remark_words (record->remarks[i]);
  return NULL;
}

static void
set_up (GtkSignalListItemFactory *factory,
        GtkListItem              *item)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10), *body = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *number = ls_part_label_at (NULL, "reason", 1.0f), *source = ls_part_label (NULL, "code");
  GtkWidget *remarks = ls_part_label (NULL, "reason"), *warning = ls_part_label (NULL, "warning"), *instructions = ls_part_label (NULL, "code");

  gtk_label_set_width_chars (GTK_LABEL (number), 4);
  gtk_label_set_ellipsize (GTK_LABEL (source), PANGO_ELLIPSIZE_END);
  gtk_label_set_wrap (GTK_LABEL (remarks), TRUE);
  gtk_widget_add_css_class (source, "strong");
  gtk_widget_add_css_class (row, "machine-code");
  gtk_label_set_wrap (GTK_LABEL (warning), TRUE);
  gtk_widget_set_margin_start (warning, 44);
  gtk_widget_set_has_tooltip (instructions, TRUE);
  g_signal_connect (instructions, "query-tooltip", G_CALLBACK (tip_of_instruction), NULL);
  gtk_widget_set_margin_start (remarks, 44);
  for (guint i = 0; i < 4; i++)         /* programs, whatever one reads */
    gtk_widget_set_direction ((GtkWidget *[]) { head, number, source, instructions }[i], GTK_TEXT_DIR_LTR);
  gtk_box_append (GTK_BOX (head), number);
  gtk_box_append (GTK_BOX (head), ls_mark_new ());
  gtk_box_append (GTK_BOX (head), source);
  gtk_box_append (GTK_BOX (row), head);
  gtk_box_append (GTK_BOX (row), remarks);
  gtk_box_append (GTK_BOX (row), warning);
  gtk_widget_set_direction (body, GTK_TEXT_DIR_LTR);
  gtk_box_append (GTK_BOX (body), ls_code_gutter_new (GTK_LABEL (instructions)));
  gtk_box_append (GTK_BOX (body), instructions);
  gtk_box_append (GTK_BOX (row), body);
  gtk_list_item_set_child (item, row);
}

static void
bind (GtkSignalListItemFactory *factory,
      GtkListItem              *item,
      Code                     *self)
{
  const LsCodeRecord *record = ls_code_row_get (gtk_list_item_get_item (item));
  GtkWidget *head = gtk_widget_get_first_child (gtk_list_item_get_child (item));
  GtkWidget *remarks = gtk_widget_get_next_sibling (head), *warning = gtk_widget_get_next_sibling (remarks), *number = gtk_widget_get_first_child (head);
  g_autofree char *why = warning_of (record);
  g_autofree char *line = record->line > 0 ? g_strdup_printf ("%u", record->line) : g_strdup ("");
  g_autofree char *said = joined (record->remarks);

  gtk_label_set_label (GTK_LABEL (number), line);
  gtk_widget_set_visible (head, record->source != NULL);
  gtk_label_set_label (GTK_LABEL (gtk_widget_get_last_child (head)), record->source != NULL ? record->source : "");
  gtk_label_set_label (GTK_LABEL (remarks), said);
  gtk_widget_set_visible (remarks, record->remarks != NULL);
  gtk_label_set_label (GTK_LABEL (warning), why != NULL ? why : "");
  gtk_widget_set_visible (warning, why != NULL);
  gtk_label_set_label (GTK_LABEL (gtk_widget_get_next_sibling (gutter_of (item))), record->instructions);
  show_pins (self, item);
  show_cycles (self, item);
  g_ptr_array_add (self->bound, item);
}

static void
unbind (GtkSignalListItemFactory *factory,
        GtkListItem              *item,
        Code                     *self)
{
  g_ptr_array_remove_fast (self->bound, item);
}

/* ---- the selection ---------------------------------------------------------------- */

/* What there is to say of the rows from line `first` to `last`. */
static void
say_selected (Code       *self,
              const char *name,
              guint       first,
              guint       last)
{
  guint own = 0, all = 0;
  char **remarks = NULL;
  gboolean spills = FALSE;
  g_autofree char *words = NULL, *all_remarks = NULL, *of_line = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->rows)); i++)
    {
      g_autoptr (LsCodeRow) row = g_list_model_get_item (G_LIST_MODEL (self->rows), i);
      const LsCodeRecord *record = ls_code_row_get (row);

      all += record->n_instructions;
      spills = spills || (remark_with (record, " spills, ") != NULL);
      if (record->line < first || record->line > last || record->line == 0)
        continue;
      own += record->n_instructions;
      if (record->line == first && record->remarks != NULL)
        remarks = record->remarks;
    }
  if (name == NULL)
    words = g_strdup_printf (ngettext ("%u instruction.", "%u instructions.", all), all);
  else if (own == 0)
    words = g_strdup_printf (_("No instruction comes from the lines of %s."), name);
  else
    words = g_strdup_printf (ngettext ("%u of %u instruction comes from the lines of %s.", "%u of %u instructions come from the lines of %s.", all),
                             own, all, name);
  gtk_label_set_label (GTK_LABEL (self->sentence), words);
  /* LLVM says nothing of registers where there were enough. */
  of_line = joined (remarks);
  all_remarks = spills ? g_strdup (of_line) : g_strconcat (of_line, remarks != NULL ? " · " : "", _("no register is spilled"), NULL);
  gtk_label_set_label (GTK_LABEL (self->remarks), all_remarks);
  gtk_widget_set_visible (self->remarks, *all_remarks != '\0');
}

static void
show_row (Code *self,
          guint at)
{
  gtk_widget_activate_action (self->list, "list.scroll-to-item", "u", at);
}

/* ---- the round of the innermost loop ------------------------------------------------- */

static void
show_round (Code       *self,
            const char *words)
{
  for (guint i = 0; i < self->bound->len; i++)
    show_cycles (self, g_ptr_array_index (self->bound, i));
  gtk_label_set_label (GTK_LABEL (self->round), words);
  gtk_widget_set_visible (self->round, words[0] != '\0');
  gtk_label_set_label (GTK_LABEL (self->chain), self->cycles != NULL && self->cycles->chain_words != NULL ? self->cycles->chain_words : "");
  gtk_widget_set_visible (self->chain, self->cycles != NULL && self->cycles->chain_words != NULL);
  ls_code_units_show (self->units, self->cycles);
}

static void
forget_round (Code *self)
{
  if (self->analysing != NULL)
    g_cancellable_cancel (self->analysing);
  g_clear_object (&self->analysing);
  g_clear_pointer (&self->loop, ls_inner_loop_free);
  g_clear_pointer (&self->cycles, ls_code_cycles_unref);
}

static void
analysed (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  Code *self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (LsMca) mca = ls_mca_finish (result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;             /* the window may be gone */
  g_clear_object (&self->analysing);
  if (mca != NULL)
    {
      self->cycles = ls_code_cycles_new (self->loop, mca, self->cpu);
      show_round (self, self->cycles->sentence);
    }
  else
    {
      g_autofree char *words = g_strdup_printf (_("Cycles are not known: %s"), error->message);

      show_round (self, words);
    }
}

/* Asks about the innermost loop of lines `first` to `last` that works most, unless that is known. */
static void
analyse (Code  *self,
         guint  first,
         guint  last)
{
  g_autoptr (LsInnerLoop) loop = self->groups != NULL ? ls_inner_loop_find_in (self->groups, first, last) : NULL;

  if (loop != NULL && self->loop != NULL && loop->first == self->loop->first)
    return;
  forget_round (self);
  show_round (self, "");
  if (loop == NULL)
    return;
  self->loop = g_steal_pointer (&loop);
  if (self->loop->call != NULL)
    {
      g_autofree char *words = g_strdup_printf (_("The innermost loop calls %s, whose cycles llvm-mca does not know."), self->loop->call);

      show_round (self, words);
      return;
    }
  self->analysing = g_cancellable_new ();
  ls_mca_ask (self->loop->text, self->cpu, self->analysing, analysed, self);
}

/* Selects the rows of the line before which a run stands still, else those of what is selected in the session. */
static void
follow (Code *self)
{
  LsLoopItem *selected = ls_session_get_selected (self->session);
  guint first = 0, last = 0, top = G_MAXUINT, stand = ls_session_get_stand (self->session);
  gboolean stands = stand > 0 && self->text == ls_session_get_script (self->session);

  if (self->rows == NULL || self->following)
    return;
  self->following = TRUE;
  gtk_selection_model_unselect_all (GTK_SELECTION_MODEL (self->selection));
  if (selected != NULL && !ls_code_lines_of (self->text, ls_loop_item_get (selected)->id, &first, &last))
    selected = NULL;
  if (stands)
    first = last = stand;
  for (guint i = 0; (selected != NULL || first > 0) && i < g_list_model_get_n_items (G_LIST_MODEL (self->rows)); i++)
    {
      g_autoptr (LsCodeRow) row = g_list_model_get_item (G_LIST_MODEL (self->rows), i);
      guint line = ls_code_row_get (row)->line;

      if (line < first || line > last)
        continue;
      gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->selection), i, FALSE);
      top = MIN (top, i);
    }
  self->following = FALSE;
  analyse (self, selected != NULL || stands ? first : 0, selected != NULL || stands ? last : G_MAXUINT);
  say_selected (self, stands ? _("where the run stands") : selected != NULL ? ls_loop_item_get (selected)->name : NULL, first, last);
  if (top != G_MAXUINT && !self->choosing)
    show_row (self, top);
}

/* A row was chosen here. */
static void
chosen (Code  *self,
        guint  position,
        guint  n)
{
  for (guint i = position; !self->following && i < position + n; i++)
    if (gtk_selection_model_is_selected (GTK_SELECTION_MODEL (self->selection), i))
      {
        g_autoptr (LsCodeRow) row = g_list_model_get_item (G_LIST_MODEL (self->rows), i);
        guint64 id = ls_code_id_at (self->text, ls_code_row_get (row)->line);

        self->choosing = TRUE;
        if (id != 0 && id != ls_session_get_selection (self->session))
          ls_session_select (self->session, id);
        else
          follow (self);
        self->choosing = FALSE;
        return;
      }
}

/* ---- asking ------------------------------------------------------------------------ */

static void
say (Code       *self,
     const char *words)
{
  gtk_selection_model_unselect_all (GTK_SELECTION_MODEL (self->selection));
  gtk_multi_selection_set_model (self->selection, NULL);
  g_clear_object (&self->rows);
  g_clear_pointer (&self->groups, g_variant_unref);
  forget_round (self);
  show_round (self, "");
  gtk_label_set_label (GTK_LABEL (self->sentence), words);
  gtk_widget_set_visible (self->remarks, FALSE);
  ls_code_fast_show (self->fast, -1, NULL, NULL, NULL);
  gtk_label_set_label (GTK_LABEL (self->foot), "");
}

/* There is nothing to take it before the rows have widgets. */
static gboolean
take_keyboard (GtkWidget     *list,
               GdkFrameClock *clock,
               gpointer       data)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (list));

  if (gtk_widget_get_first_child (list) == NULL)
    return G_SOURCE_CONTINUE;
  if (focus == NULL || !gtk_widget_is_ancestor (focus, list))
    gtk_widget_grab_focus (list);
  return G_SOURCE_REMOVE;
}

static const char *
target_of (Code *self)
{
  return LS_IS_ENGINE_SESSION (self->session) ? ls_engine_session_get_target (LS_ENGINE_SESSION (self->session)) : "llvm";
}

static void
answered (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  Code *self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);
  g_autofree char *foot = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;             /* the window may be gone */
  g_clear_object (&self->asking);
  if (answer == NULL)
    {
      say (self, error->message);
      return;
    }
  self->rows = ls_code_rows_new (answer, self->text);
  self->groups = g_variant_lookup_value (answer, "groups", G_VARIANT_TYPE ("a(usas)"));
  g_free (self->cpu);
  self->cpu = g_strdup (ls_params_string (answer, "cpu", "?"));
  gtk_multi_selection_set_model (self->selection, G_LIST_MODEL (self->rows));
  /* Translators: of a processor, as LLVM calls it: znver4 */
  foot = g_strdup_printf (_("LLVM optimised this code for %s; the words in grey are its own. Choosing a row selects the loop or block that the row comes from."),
                          self->cpu);
  gtk_label_set_label (GTK_LABEL (self->foot), foot);
  ls_code_fast_show (self->fast, (int) ls_params_int (answer, "fast-lines", -1), self->module, self->function, target_of (self));
  follow (self);
  gtk_widget_add_tick_callback (self->list, take_keyboard, NULL, NULL);
}

/* The function of the selection, else the first of the text. */
static char *
wanted_function (Code *self)
{
  guint first, last;
  guint n = ls_script_text_n_lines (self->text);

  if (ls_code_lines_of (self->text, ls_session_get_selection (self->session), &first, &last))
    return ls_code_function_at (self->text, first);
  for (guint i = 0; i < n; i++)
    if (ls_script_text_line (self->text, i)->id != 0)
      return ls_code_function_at (self->text, i + 1);
  return NULL;
}

static void
stop (Code *self)
{
  if (self->asking != NULL)
    g_cancellable_cancel (self->asking);
  g_clear_object (&self->asking);
}

static void
ask (Code *self)
{
  const LsWorkerOptions options = { .timeout_ms = TIMEOUT_MS };
  g_autoptr (GError) error = NULL;
  GVariantDict params;

  stop (self);
  g_free (self->module);
  self->module = ls_session_export (self->session, LS_EXPORT_MODULE, &error);
  g_set_object (&self->text, ls_session_get_script (self->session));
  g_clear_pointer (&self->function, g_free);
  self->function = self->text != NULL ? wanted_function (self) : NULL;
  if (self->module == NULL || self->function == NULL)
    {
      say (self, self->module == NULL ? error->message : _("There is no loop here that machine code could be made of."));
      return;
    }
  say (self, _("The program is being compiled."));
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", self->module);
  g_variant_dict_insert (&params, "func", "s", self->function);
  g_variant_dict_insert (&params, "target", "s", target_of (self));
  self->asking = g_cancellable_new ();
  ls_worker_call_async (self->worker, "asm", g_variant_dict_end (&params), &options, self->asking, answered, self);
}

static void
selection_changed (Code *self)
{
  g_autofree char *function = self->text != NULL ? wanted_function (self) : NULL;

  if (g_strcmp0 (function, self->function) != 0)
    ask (self);
  else
    follow (self);
}

/* ---- the window ---------------------------------------------------------------------- */

static void
code_free (gpointer data)
{
  Code *self = data;

  g_signal_handlers_disconnect_by_data (self->session, self);
  g_signal_handlers_disconnect_by_data (self->selection, self);
  g_signal_handlers_disconnect_by_data (self->factory, self);
  g_object_unref (self->factory);
  g_ptr_array_unref (self->bound);
  stop (self);
  forget_round (self);
  ls_code_fast_free (self->fast);
  g_clear_pointer (&self->groups, g_variant_unref);
  g_free (self->cpu);
  g_free (self->module);
  g_object_unref (self->worker);
  g_object_unref (self->session);
  g_object_unref (self->selection);
  g_clear_object (&self->text);
  g_clear_object (&self->rows);
  g_free (self->function);
  g_free (self);
}

static GtkWidget *
list_new (Code *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (set_up), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind), self);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind), self);
  self->factory = g_object_ref (factory);
  self->selection = gtk_multi_selection_new (NULL);
  g_signal_connect_swapped (self->selection, "selection-changed", G_CALLBACK (chosen), self);
  self->list = gtk_list_view_new (GTK_SELECTION_MODEL (g_object_ref (self->selection)), factory);
  ls_tab_stop_make (self->list);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Machine code"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->list);
  gtk_widget_set_vexpand (scroller, TRUE);
  return scroller;
}

static void
build (Code      *self,
       GtkWindow *parent)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *head = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);

  self->sentence = ls_part_label (NULL, "strong");
  self->remarks = ls_part_label (NULL, "reason");
  self->foot = ls_part_label (NULL, "reason");
  gtk_label_set_wrap (GTK_LABEL (self->sentence), TRUE);
  gtk_label_set_wrap (GTK_LABEL (self->remarks), TRUE);
  gtk_widget_add_css_class (head, "compare-head");
  gtk_box_append (GTK_BOX (head), self->sentence);
  gtk_box_append (GTK_BOX (head), self->remarks);
  self->fast = ls_code_fast_new (self->worker);
  gtk_box_append (GTK_BOX (head), ls_code_fast_widget (self->fast));
  self->round = ls_part_label (NULL, "reason");
  self->chain = ls_part_label (NULL, "warning");
  gtk_label_set_wrap (GTK_LABEL (self->round), TRUE);
  gtk_label_set_wrap (GTK_LABEL (self->chain), TRUE);
  gtk_widget_set_visible (self->round, FALSE);
  gtk_widget_set_visible (self->chain, FALSE);
  gtk_box_append (GTK_BOX (head), self->round);
  gtk_box_append (GTK_BOX (head), self->chain);
  self->units = ls_code_units_new ();
  gtk_box_append (GTK_BOX (head), self->units);
  gtk_box_append (GTK_BOX (box), head);
  gtk_box_append (GTK_BOX (box), list_new (self));
  self->window = ls_tool_window_new (parent, _("Machine code"), 620, 640, box, self->foot);
}

static void
show (const LsToolPlace *place)
{
  Code *self = ls_tool_window_find (place->parent, KEY);

  if (self != NULL)
    {
      gtk_window_present (GTK_WINDOW (self->window));
      return;
    }
  self = g_new0 (Code, 1);
  self->session = g_object_ref (place->session);
  self->worker = ls_worker_new ();
  self->bound = g_ptr_array_new ();
  build (self, place->parent);
  ls_tool_window_keep (self->window, KEY, self, code_free);
  g_signal_connect_swapped (self->session, "module-changed", G_CALLBACK (ask), self);
  g_signal_connect_swapped (self->session, "notify::selection", G_CALLBACK (selection_changed), self);
  g_signal_connect_swapped (self->session, "notify::stand", G_CALLBACK (follow), self);
  g_signal_connect_swapped (self->session, "pins-changed", G_CALLBACK (pins_changed), self);
  ask (self);
  gtk_window_present (GTK_WINDOW (self->window));
}

const LsTool ls_code_tool = { .id = KEY, .label = N_("Machine code"), .accel = "<Control><Shift>a", .follows = TRUE, .show = show };
