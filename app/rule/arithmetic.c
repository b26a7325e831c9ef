/* rule/arithmetic: a list over the tables of the engine (engine/arith/rule.h) and the record of their proofs; a word narrows it.
 *
 * An entry is text, "TABLE NUMBER": rows and words are made when they are shown.  Steps of the analyser that are no rules come last,
 * with the table STEPS. */
#include "app/rule/arithmetic.h"

#include "app/tool/window.h"
#include "engine/arith/proof.h"
#include "views/parts/parts.h"
#include "views/parts/tab-stop.h"

#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

#define KEY "arithmetic"
#define STEPS G_MAXUINT

typedef struct {
  GtkWidget    *window;
  GtkWidget    *count;          /* how many are shown, and how many of them proved */
  GtkWidget    *statement;
  GtkWidget    *search;
  GtkStringList *entries;
  GtkSelectionModel *selection;
} Arithmetic;

/* ---- entries ------------------------------------------------------------------------ */

typedef struct { guint table, i; } Entry;

static Entry
entry_of (const char *text)
{
  Entry entry = { 0, 0 };

  if (sscanf (text, "%u %u", &entry.table, &entry.i) != 2)
    g_assert_not_reached ();
  return entry;
}

static const LsRuleTable *
table_of (Entry entry)
{
  guint n;

  return entry.table != STEPS ? ls_rule_tables (&n)[entry.table] : NULL;
}

static const LsStepProof *
step_of (Entry entry)
{
  guint n;

  return &ls_step_proofs (&n)[entry.i];
}

static char *
name_of (Entry entry)
{
  return entry.table == STEPS ? g_strdup (step_of (entry)->name) : ls_rule_name (table_of (entry), entry.i);
}

static char *
text_of (Entry entry)
{
  const LsRule *rule;

  if (entry.table == STEPS)
    return g_strdup (_(step_of (entry)->claim));
  rule = &table_of (entry)->rules[entry.i];
  if (rule->condition == NULL)
    return g_strdup_printf ("%s \u2192 %s", rule->pattern, rule->result);
  /* a rule of arithmetic: x * c1 -> 0 where c1 == 0 */
  return g_strdup_printf (_("%s \u2192 %s where %s"), rule->pattern, rule->result, rule->condition);
}

static LsVerdict
verdict_of (Entry entry)
{
  return entry.table == STEPS ? LS_VERDICT_TESTED : ls_rule_proof_verdict (ls_rule_proof (table_of (entry), entry.i));
}

static char *
statement_of (Entry entry)
{
  const LsStepProof *step;

  if (entry.table != STEPS)
    return ls_rule_statement (table_of (entry), entry.i);
  step = step_of (entry);
  return g_strdup_printf (ngettext ("%s Tested with %u case.", "%s Tested with %u cases.", step->cases), _(step->claim), step->cases);
}

/* ---- rows --------------------------------------------------------------------------- */

static void
set_up_row (GtkSignalListItemFactory *factory,
            GtkListItem              *item)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *name = ls_part_label (NULL, "reason"), *text = ls_part_label (NULL, "code"), *verdict = ls_part_label_at (NULL, "strong", 1.0f);

  gtk_label_set_width_chars (GTK_LABEL (name), 16);
  gtk_label_set_max_width_chars (GTK_LABEL (name), 16);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_END);
  gtk_label_set_ellipsize (GTK_LABEL (text), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (text, TRUE);
  gtk_widget_add_css_class (row, "ranking-row");
  gtk_box_append (GTK_BOX (row), name);
  gtk_box_append (GTK_BOX (row), text);
  gtk_box_append (GTK_BOX (row), verdict);
  gtk_list_item_set_child (item, row);
}

static void
bind_row (GtkSignalListItemFactory *factory,
          GtkListItem              *item)
{
  Entry entry = entry_of (gtk_string_object_get_string (gtk_list_item_get_item (item)));
  GtkWidget *name = gtk_widget_get_first_child (gtk_list_item_get_child (item));
  GtkWidget *text = gtk_widget_get_next_sibling (name), *verdict = gtk_widget_get_next_sibling (text);
  g_autofree char *called = name_of (entry), *words = text_of (entry);

  gtk_label_set_label (GTK_LABEL (name), called);
  gtk_label_set_label (GTK_LABEL (text), words);
  gtk_label_set_label (GTK_LABEL (verdict), ls_verdict_word (verdict_of (entry)));
}

/* ---- what is shown ------------------------------------------------------------------ */

static gboolean
wanted (Entry       entry,
        const char *word)
{
  g_autofree char *name = name_of (entry), *text = text_of (entry);

  return *word == '\0' || strstr (name, word) != NULL || strstr (text, word) != NULL || strcmp (ls_verdict_word (verdict_of (entry)), word) == 0;
}

static void
add_entry (Arithmetic *self,
           Entry       entry,
           const char *word,
           guint      *proved)
{
  g_autofree char *text = g_strdup_printf ("%u %u", entry.table, entry.i);

  if (!wanted (entry, word))
    return;
  gtk_string_list_append (self->entries, text);
  *proved += verdict_of (entry) >= LS_VERDICT_PROVED_NUMBER;
}

static void
fill (Arithmetic *self)
{
  const char *word = gtk_editable_get_text (GTK_EDITABLE (self->search));
  guint n, proved = 0, shown;
  LsRuleTable *const *tables = ls_rule_tables (&n);
  g_autofree char *words = NULL;

  gtk_string_list_splice (self->entries, 0, g_list_model_get_n_items (G_LIST_MODEL (self->entries)), NULL);
  for (guint t = 0; t < n; t++)
    for (guint i = 0; i < tables[t]->n; i++)
      add_entry (self, (Entry) { t, i }, word, &proved);
  ls_step_proofs (&n);
  for (guint i = 0; i < n; i++)
    add_entry (self, (Entry) { STEPS, i }, word, &proved);
  shown = g_list_model_get_n_items (G_LIST_MODEL (self->entries));
  words = shown > 0 ? g_strdup_printf (ngettext ("%u rule, %u proved", "%u rules and steps, %u proved", shown), shown, proved)
                    : g_strdup (_("No rule has this in it."));
  gtk_label_set_label (GTK_LABEL (self->count), words);
}

static void
show_statement (Arithmetic *self)
{
  GtkStringObject *chosen = gtk_single_selection_get_selected_item (GTK_SINGLE_SELECTION (self->selection));
  g_autofree char *words = chosen != NULL ? statement_of (entry_of (gtk_string_object_get_string (chosen))) : g_strdup ("");

  gtk_label_set_label (GTK_LABEL (self->statement), words);
}

/* Escape in the field: first all rules again, then the window goes. */
static void
stop_search (Arithmetic *self)
{
  if (*gtk_editable_get_text (GTK_EDITABLE (self->search)) != '\0')
    gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  else
    gtk_window_close (GTK_WINDOW (self->window));
}

static void
arithmetic_free (gpointer data)
{
  Arithmetic *self = data;

  g_signal_handlers_disconnect_by_data (self->selection, self);
  g_object_unref (self->selection);
  g_free (self);
}

static GtkWidget *
list_new (Arithmetic *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new (), *list;
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (set_up_row), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_row), NULL);
  self->entries = gtk_string_list_new (NULL);
  self->selection = GTK_SELECTION_MODEL (gtk_single_selection_new (G_LIST_MODEL (self->entries)));
  g_signal_connect_swapped (self->selection, "notify::selected-item", G_CALLBACK (show_statement), self);
  list = gtk_list_view_new (g_object_ref (self->selection), factory);
  gtk_widget_add_css_class (list, "ranking");
  ls_tab_stop_make (list);
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Rules of arithmetic"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), list);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_widget_set_vexpand (scroller, TRUE);
  return scroller;
}

static void
build (Arithmetic *self,
       GtkWindow  *parent)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *list = list_new (self), *below = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *foot = ls_part_label (_("The texts are those that the simplifier runs. The verdicts are recorded by the prover, and a test compares them."), "reason");

  self->search = gtk_search_entry_new ();
  self->count = ls_part_label (NULL, "strong");
  self->statement = ls_part_label (NULL, NULL);
  gtk_widget_set_hexpand (self->search, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->search), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Find rules"), -1);
  g_object_set (self->search, "placeholder-text", _("Find rules: //, min, floormod, proved, tested"), NULL);
  gtk_label_set_wrap (GTK_LABEL (self->statement), TRUE);
  gtk_label_set_selectable (GTK_LABEL (self->statement), TRUE);
  gtk_widget_add_css_class (head, "compare-head");
  gtk_widget_add_css_class (below, "compare-head");
  gtk_box_append (GTK_BOX (head), self->search);
  gtk_box_append (GTK_BOX (head), self->count);
  gtk_box_append (GTK_BOX (below), self->statement);
  gtk_box_append (GTK_BOX (box), head);
  gtk_box_append (GTK_BOX (box), list);
  gtk_box_append (GTK_BOX (box), below);
  g_signal_connect_swapped (self->search, "search-changed", G_CALLBACK (fill), self);
  g_signal_connect_swapped (self->search, "stop-search", G_CALLBACK (stop_search), self);
  self->window = ls_tool_window_new (parent, _("Rules of arithmetic"), 860, 620, box, foot);
}

static void
show (const LsToolPlace *place)
{
  Arithmetic *self = ls_tool_window_find (place->parent, KEY);

  if (self == NULL)
    {
      self = g_new0 (Arithmetic, 1);
      build (self, place->parent);
      ls_tool_window_keep (self->window, KEY, self, arithmetic_free);
      fill (self);
      show_statement (self);
    }
  gtk_window_present (GTK_WINDOW (self->window));
  gtk_widget_grab_focus (self->search);
}

const LsTool ls_arithmetic_tool = { .id = KEY, .label = N_("Rules of arithmetic"), .accel = "<Control><Shift>t", .show = show };
