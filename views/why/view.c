/* LsWhyView: a sentence on top, the figures it rests on below: the roofline, the times, and tables of what was counted, of the simulated
 * caches and of the machine code.  Each part has a button that opens the window with all of it.  Nothing is asked for while it is not shown.
 */
#include "views/why/view.h"

#include "views/compare/choice.h"
#include "views/models/format.h"
#include "views/parts/later.h"
#include "views/parts/parts.h"
#include "views/parts/status.h"
#include "views/parts/theme.h"
#include "views/parts/tip.h"
#include "views/time/roofline.h"
#include "views/why/times.h"

#include <glib/gi18n.h>

#define ROOFLINE_HEIGHT 320

struct _LsWhyView
{
  GtkWidget  parent_instance;

  LsSession *session;
  guint      beside;            /* node, or LS_WHY_BEFORE */
  gboolean   choosing;          /* the list is being set, or was filled anew: nobody chose */
  gboolean   narrow;            /* the parts stand below each other */

  GtkWidget *stack;
  GtkWidget *status;
  GtkWidget *step;
  GtkWidget *call;
  GtkWidget *choice;
  GtkWidget *sizes;             /* line of an entry and what is wrong in it */
  GtkWidget *entry;
  GtkWidget *trouble;
  GtkWidget *likely;
  GtkWidget *whose;             /* words, where a device is chosen */
  GtkWidget *held;
  GtkWidget *bound;
  GtkWidget *sentence;
  GtkWidget *next;
  GtkWidget *share;             /* line of bar and figure */
  GtkWidget *bar;
  GtkWidget *figure;
  GtkWidget *other;
  GtkWidget *missing;           /* line of words and button */
  GtkWidget *missing_words;
  GtkWidget *missing_button;
  GtkWidget *columns;
  GtkWidget *times;
  GtkWidget *times_words;
  GtkWidget *grids[LS_WHY_N_TABLES];
  GtkWidget *words[LS_WHY_N_TABLES];
};

G_DEFINE_FINAL_TYPE (LsWhyView, ls_why_view, GTK_TYPE_WIDGET)

/* ---- showing -------------------------------------------------------------------- */

static void
set_words (GtkWidget  *label,
           const char *words)
{
  gtk_label_set_label (GTK_LABEL (label), words != NULL ? words : "");
  gtk_widget_set_visible (label, words != NULL && *words != '\0');
}

/* "Step", "3"; and what it did. */
static void
show_step (LsWhyView *self,
           LsWhy     *why)
{
  LsStepItem *item = why->items[LS_WHY_SHOWN];
  g_autofree char *tag = ls_step_item_tag (item), *name = g_strdup_printf (_("Step %s"), tag);

  gtk_label_set_label (GTK_LABEL (self->step), name);
  gtk_label_set_label (GTK_LABEL (self->call), ls_step_item_get (item)->number == 0 ? _("as opened") : ls_step_item_get (item)->call);
  ls_tip_set (self->call, ls_step_item_get (item)->call);
}

/* What stands in the entry is not touched while somebody types in it. */
static void
show_sizes (LsWhyView *self,
            LsWhy     *why)
{
  gtk_widget_set_visible (self->sizes, why->sizes != NULL);
  if (why->sizes != NULL && !gtk_widget_has_css_class (self->entry, "error") && (gtk_widget_get_state_flags (self->entry) & GTK_STATE_FLAG_FOCUS_WITHIN) == 0)
    gtk_editable_set_text (GTK_EDITABLE (self->entry), why->sizes);
}

static void
sizes_entered (LsWhyView *self)
{
  g_autofree char *trouble = NULL;

  if (ls_session_set_sizes (self->session, gtk_editable_get_text (GTK_EDITABLE (self->entry)), &trouble))
    gtk_widget_remove_css_class (self->entry, "error");
  else
    gtk_widget_add_css_class (self->entry, "error");
  set_words (self->trouble, trouble);
}

/* Nothing is wrong with what is being typed. */
static void
sizes_typed (LsWhyView *self)
{
  gtk_widget_remove_css_class (self->entry, "error");
  set_words (self->trouble, NULL);
}

/* Where nothing is known that would help, why. (transfer full), or NULL */
static char *
likely_words (LsWhyView *self)
{
  const char *none = ls_session_get_likely_words (self->session);

  return none != NULL ? g_strdup_printf (_("Nothing that is known is likely to help. %s"), none) : NULL;
}

static void
show_verdict (LsWhyView *self,
              LsWhy     *why)
{
  double share = why->shares[LS_WHY_SHOWN];
  g_autofree char *likely = likely_words (self);

  set_words (self->whose, why->whose);
  gtk_label_set_label (GTK_LABEL (self->held), why->whose != NULL ? _("Held back on this machine by") : _("Held back by"));
  gtk_widget_set_visible (self->held, why->bound != NULL);
  set_words (self->bound, why->bound);
  set_words (self->sentence, why->sentence);
  set_words (self->next, why->next);
  set_words (self->likely, likely);
  gtk_widget_set_visible (self->share, share >= 0.0);
  gtk_level_bar_set_value (GTK_LEVEL_BAR (self->bar), CLAMP (share, 0.0, 1.0));
  set_words (self->figure, why->share);
  set_words (self->other, why->beside);
  gtk_widget_set_visible (self->missing, why->missing != NULL);
  set_words (self->missing_words, why->missing);
  gtk_widget_set_visible (self->missing_button, why->button != NULL);
  if (why->button != NULL)
    {
      gtk_button_set_label (GTK_BUTTON (self->missing_button), why->button);
      gtk_actionable_set_action_name (GTK_ACTIONABLE (self->missing_button), why->action);
    }
}

static void
show_table (LsWhyView  *self,
            LsWhyTable *table,
            guint       id)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->grids[id])) != NULL)
    gtk_grid_remove (GTK_GRID (self->grids[id]), child);
  for (guint row = 0; row < table->rows->len; row++)
    {
      char **cells = table->rows->pdata[row];

      for (guint i = 0; cells[i] != NULL; i++)
        {
          GtkWidget *label = ls_part_label_at (NULL, row == 0 ? "caption" : i == 0 ? id == LS_WHY_CACHES ? "code" : NULL : "figure", i == 0 ? 0.0f : 1.0f);

          if (i == 0 || row == 0)
            gtk_label_set_label (GTK_LABEL (label), cells[i]);
          else
            ls_part_set_figure (GTK_LABEL (label), cells[i]);
          gtk_widget_set_hexpand (label, i == 0);
          gtk_grid_attach (GTK_GRID (self->grids[id]), label, (int) i, (int) row, 1, 1);
        }
    }
  gtk_widget_set_visible (self->grids[id], table->rows->len > 0);
  set_words (self->words[id], table->words);
}

/* The step that is compared with stands in the list. */
static void
show_choice (LsWhyView *self,
             LsWhy     *why)
{
  LsStepItem *beside = why->items[LS_WHY_BESIDE];

  self->choosing = TRUE;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->choice), beside != NULL ? ls_compare_choice_position (GTK_DROP_DOWN (self->choice), ls_step_item_get (beside)->id)
                                                                           : GTK_INVALID_LIST_POSITION);
  self->choosing = FALSE;
}

static void
show (LsWhyView *self)
{
  g_autoptr (LsWhy) why = ls_session_get_why (self->session, self->beside);

  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), why != NULL ? "page" : "empty");
  if (why == NULL)
    {
      ls_status_set (LS_STATUS (self->status), _("Nothing is opened."), NULL, NULL, NULL);
      return;
    }
  show_step (self, why);
  show_choice (self, why);
  show_sizes (self, why);
  show_verdict (self, why);
  for (guint i = 0; i < LS_WHY_N_TABLES; i++)
    show_table (self, &why->tables[i], i);
  set_words (self->times_words, ls_why_times_fill (self->times, self->session) ? why->times : _("No step has a time yet."));
}

static void
refresh_idle (gpointer data)
{
  LsWhyView *self = data;

  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    show (self);
}

static void
queue_refresh (LsWhyView *self)
{
  if (self->session != NULL)
    ls_later (self, G_PRIORITY_DEFAULT_IDLE, 0, refresh_idle);
}

/* The list selects what it likes when it is filled. */
static void
history_changed (LsWhyView *self)
{
  self->choosing = TRUE;
  queue_refresh (self);
}

/* Another step is shown: again beside the one before it. */
static void
step_changed (LsWhyView *self)
{
  self->beside = LS_WHY_BEFORE;
  queue_refresh (self);
}

static void
beside_chosen (LsWhyView *self)
{
  LsStepItem *item = gtk_drop_down_get_selected_item (GTK_DROP_DOWN (self->choice));

  if (self->choosing || item == NULL)
    return;
  self->beside = ls_step_item_get (item)->id;
  queue_refresh (self);
}

/* ---- building ---------------------------------------------------------------------- */

static GtkWidget *
wrapped_new (const char *css_class)
{
  GtkWidget *label = ls_part_label (NULL, css_class);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  return label;
}

/* A part of the page with its title and the button that leads to where it comes from. */
static GtkWidget *
part_new (const char *title,
          const char *button,
          const char *action)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *head = ls_part_row ("why-head"), *label = ls_part_label (title, "strong");
  GtkWidget *open = gtk_button_new_with_label (button);

  gtk_widget_set_hexpand (label, TRUE);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (open), action);
  gtk_widget_add_css_class (open, "flat");
  gtk_box_append (GTK_BOX (head), label);
  gtk_box_append (GTK_BOX (head), open);
  gtk_box_append (GTK_BOX (box), head);
  gtk_widget_add_css_class (box, "why-part");
  return box;
}

static GtkWidget *
table_new (LsWhyView  *self,
           guint       id,
           const char *title,
           const char *button,
           const char *action)
{
  GtkWidget *box = part_new (title, button, action);

  self->grids[id] = gtk_grid_new ();
  self->words[id] = wrapped_new ("reason");
  gtk_grid_set_column_spacing (GTK_GRID (self->grids[id]), 14);
  gtk_grid_set_row_spacing (GTK_GRID (self->grids[id]), 2);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->grids[id]), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_box_append (GTK_BOX (box), self->grids[id]);
  gtk_box_append (GTK_BOX (box), self->words[id]);
  return box;
}

static GtkWidget *
head_new (LsWhyView *self)
{
  GtkWidget *row = ls_part_row ("pane-header");

  self->step = ls_part_label (NULL, "strong");
  self->call = ls_part_label (NULL, "code");
  self->choice = ls_compare_choice_new (_("Beside"));
  gtk_label_set_ellipsize (GTK_LABEL (self->call), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (self->call, TRUE);
  gtk_box_append (GTK_BOX (row), self->step);
  gtk_box_append (GTK_BOX (row), self->call);
  gtk_box_append (GTK_BOX (row), ls_part_label (_("Beside"), "caption"));
  gtk_box_append (GTK_BOX (row), self->choice);
  g_signal_connect_swapped (self->choice, "notify::selected", G_CALLBACK (beside_chosen), self);
  return row;
}

static GtkWidget *
sizes_new (LsWhyView *self)
{
  self->sizes = ls_part_row ("why-missing");
  self->entry = gtk_entry_new ();
  self->trouble = wrapped_new (NULL);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->entry), 20);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Symbolic sizes"), -1);
  gtk_widget_set_tooltip_text (self->entry, _("What the symbolic sizes of the program are where it is counted, measured, searched and followed, such as n=1024 m=8; Enter takes it"));
  gtk_box_append (GTK_BOX (self->sizes), ls_part_label (_("Sizes"), "caption"));
  gtk_box_append (GTK_BOX (self->sizes), self->entry);
  gtk_box_append (GTK_BOX (self->sizes), self->trouble);
  g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (sizes_entered), self);
  g_signal_connect_swapped (self->entry, "changed", G_CALLBACK (sizes_typed), self);
  return self->sizes;
}

static GtkWidget *
verdict_new (LsWhyView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4), *sizes = sizes_new (self);

  self->whose = wrapped_new (NULL);
  self->held = ls_part_label (NULL, "caption");
  self->bound = wrapped_new ("why-bound");
  self->sentence = wrapped_new (NULL);
  self->next = wrapped_new ("reason");
  self->likely = wrapped_new ("reason");
  self->share = ls_part_row (NULL);
  self->bar = gtk_level_bar_new ();
  self->figure = ls_part_label (NULL, "figure");
  self->other = wrapped_new ("reason");
  self->missing = ls_part_row ("why-missing");
  self->missing_words = wrapped_new (NULL);
  self->missing_button = gtk_button_new ();
  gtk_widget_add_css_class (self->missing_button, "primary");
  gtk_widget_set_valign (self->missing_button, GTK_ALIGN_CENTER);
  /* No colour says whether a share is good: its number does. */
  gtk_level_bar_remove_offset_value (GTK_LEVEL_BAR (self->bar), GTK_LEVEL_BAR_OFFSET_LOW);
  gtk_level_bar_remove_offset_value (GTK_LEVEL_BAR (self->bar), GTK_LEVEL_BAR_OFFSET_HIGH);
  gtk_level_bar_remove_offset_value (GTK_LEVEL_BAR (self->bar), GTK_LEVEL_BAR_OFFSET_FULL);
  gtk_widget_set_size_request (self->bar, 200, -1);
  gtk_widget_set_valign (self->bar, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (self->bar, "why-share");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->bar), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Share of its roof"), -1);
  gtk_box_append (GTK_BOX (self->share), self->bar);
  gtk_box_append (GTK_BOX (self->share), self->figure);
  gtk_box_append (GTK_BOX (self->missing), self->missing_words);
  gtk_box_append (GTK_BOX (self->missing), self->missing_button);
  for (guint i = 0; i < 10; i++)
    gtk_box_append (GTK_BOX (box), (GtkWidget *[]) { self->whose, sizes, self->held, self->bound, self->sentence, self->share, self->next, self->other, self->likely, self->missing }[i]);
  gtk_widget_add_css_class (box, "why-verdict");
  return box;
}

static GtkWidget *
columns_new (LsWhyView *self)
{
  GtkWidget *times = part_new (_("Times"), _("Time pane"), "win.page::explore");
  GtkWidget *left = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *right = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->columns = gtk_box_new (self->narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL, 0);
  self->times = ls_why_times_new ();
  self->times_words = ls_part_label (NULL, "reason");
  gtk_box_append (GTK_BOX (times), self->times);
  gtk_box_append (GTK_BOX (times), self->times_words);
  gtk_box_append (GTK_BOX (left), times);
  gtk_box_append (GTK_BOX (left), table_new (self, LS_WHY_COUNTS, _("Counts"), _("Compare"), "win.page::compare"));
  gtk_box_append (GTK_BOX (right), table_new (self, LS_WHY_CACHES, _("Caches"), _("Access order"), "win.access-order"));
  gtk_box_append (GTK_BOX (right), table_new (self, LS_WHY_CODE, _("Innermost loop"), _("Machine code"), "win.machine-code"));
  gtk_widget_set_hexpand (left, TRUE);
  gtk_widget_set_hexpand (right, TRUE);
  gtk_box_append (GTK_BOX (self->columns), left);
  gtk_box_append (GTK_BOX (self->columns), right);
  return self->columns;
}

static void
ls_why_view_measure (GtkWidget      *widget,
                     GtkOrientation  orientation,
                     int             for_size,
                     int            *minimum,
                     int            *natural,
                     int            *minimum_baseline,
                     int            *natural_baseline)
{
  gtk_widget_measure (LS_WHY_VIEW (widget)->stack, orientation, for_size, minimum, natural, NULL, NULL);
}

static void
turn (gpointer data)
{
  LsWhyView *self = data;

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->columns), self->narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
}

/* As what is in it: else GTK asks that for a height without saying how wide it is, and gives it less than it needs. */
static GtkSizeRequestMode
ls_why_view_get_request_mode (GtkWidget *widget)
{
  return gtk_widget_get_request_mode (LS_WHY_VIEW (widget)->stack);
}

/* Two columns where both have room. */
static void
ls_why_view_size_allocate (GtkWidget *widget,
                           int        width,
                           int        height,
                           int        baseline)
{
  LsWhyView *self = LS_WHY_VIEW (widget);
  int sum = 0, least;

  for (GtkWidget *part = self->columns != NULL ? gtk_widget_get_first_child (self->columns) : NULL; part != NULL; part = gtk_widget_get_next_sibling (part))
    {
      gtk_widget_measure (part, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
      sum += least;
    }
  if (self->narrow != (sum > width))
    {
      self->narrow = !self->narrow;
      ls_later (self, G_PRIORITY_HIGH_IDLE, 0, turn);
    }
  gtk_widget_size_allocate (self->stack, &(GtkAllocation) { 0, 0, width, height }, baseline);
}

static void
ls_why_view_dispose (GObject *object)
{
  LsWhyView *self = LS_WHY_VIEW (object);

  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_pointer (&self->stack, gtk_widget_unparent);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ls_why_view_parent_class)->dispose (object);
}

static void
ls_why_view_class_init (LsWhyViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ls_why_view_dispose;
  GTK_WIDGET_CLASS (klass)->measure = ls_why_view_measure;
  GTK_WIDGET_CLASS (klass)->get_request_mode = ls_why_view_get_request_mode;
  GTK_WIDGET_CLASS (klass)->size_allocate = ls_why_view_size_allocate;
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "whyview");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_REGION);
}

static void
ls_why_view_init (LsWhyView *self)
{
  GtkWidget *page = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->beside = LS_WHY_BEFORE;
  self->stack = gtk_stack_new ();
  gtk_widget_set_parent (self->stack, GTK_WIDGET (self));
  self->status = ls_status_new ();
  gtk_box_append (GTK_BOX (page), head_new (self));
  gtk_stack_add_named (GTK_STACK (self->stack), self->status, "empty");
  gtk_stack_add_named (GTK_STACK (self->stack), page, "page");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Why"), -1);
  g_signal_connect (self, "map", G_CALLBACK (queue_refresh), NULL);
}

GtkWidget *
ls_why_view_new (void)
{
  return g_object_new (LS_TYPE_WHY_VIEW, NULL);
}

void
ls_why_view_set_session (LsWhyView *self,
                         LsSession *session)
{
  GtkWidget *body = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *scroller = gtk_scrolled_window_new (), *roofline = ls_roofline_view_new ();
  GtkWidget *roofs = part_new (_("Roofline"), _("Time pane"), "win.page::explore");

  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  gtk_widget_set_size_request (roofline, -1, ls_theme_grow (ROOFLINE_HEIGHT));
  gtk_box_append (GTK_BOX (roofs), roofline);
  gtk_box_append (GTK_BOX (body), verdict_new (self));
  gtk_box_append (GTK_BOX (body), roofs);
  gtk_box_append (GTK_BOX (body), columns_new (self));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_AUTOMATIC, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), body);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_box_append (GTK_BOX (gtk_stack_get_child_by_name (GTK_STACK (self->stack), "page")), scroller);
  ls_roofline_view_set_part (LS_ROOFLINE_VIEW (roofline), TRUE);
  ls_roofline_view_set_session (LS_ROOFLINE_VIEW (roofline), session);
  /* Before the list has it. */
  g_signal_connect_object (ls_session_get_history (session), "items-changed", G_CALLBACK (history_changed), self, G_CONNECT_SWAPPED);
  self->choosing = TRUE;
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->choice), ls_session_get_history (session));
  g_signal_connect_swapped (session, "why-changed", G_CALLBACK (queue_refresh), self);
  g_signal_connect_swapped (session, "timing-changed", G_CALLBACK (queue_refresh), self);
  g_signal_connect_swapped (session, "module-changed", G_CALLBACK (queue_refresh), self);
  g_signal_connect_swapped (session, "notify::running", G_CALLBACK (queue_refresh), self);
  g_signal_connect_swapped (session, "notify::current", G_CALLBACK (step_changed), self);
  queue_refresh (self);
}
