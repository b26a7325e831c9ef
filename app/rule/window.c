/* rule/window: the text is that of engine/schedule/explain/code-place.h; a drop-down leads to what the primitive does and to each
 * of its conditions. */
#include "app/rule/window.h"

#include "app/session/engine.h"
#include "app/tool/window.h"
#include "engine/schedule/explain/code-place.h"
#include "engine/schedule/explain/explain.h"
#include "views/parts/parts.h"
#include "views/parts/source-text.h"

#include <glib/gi18n.h>
#include <string.h>

#define KEY "rule"

typedef struct {
  const LsInstruction *instruction;
  char       *reason;           /* why it was refused, or NULL */
  GArray     *places;           /* of LsCodePlace, as in the drop-down */
  GPtrArray  *sentences;        /* of char, for each place */
  GPtrArray  *names;            /* of char, as in the drop-down; NULL at the end when it is made */
  const char *shown;            /* file whose text stands in the view */
  guint       at;               /* chosen at first */

  GtkWidget  *window;           /* owns this */
  GtkWidget  *sentence;
  GtkWidget  *place;
  GtkWidget  *choice;
  GtkWidget  *text;
} Rule;

/* ---- places ------------------------------------------------------------------------ */

static void
add_place (Rule              *self,
           const LsCodePlace *place,
           char              *name,
           char              *sentence)
{
  g_array_append_vals (self->places, place, 1);
  g_ptr_array_add (self->names, name);
  g_ptr_array_add (self->sentences, sentence);
}

static guint
find_place (Rule              *self,
            const LsCodePlace *wanted)
{
  for (guint i = 0; i < self->places->len; i++)
    {
      const LsCodePlace *one = &g_array_index (self->places, LsCodePlace, i);

      if (one->line == wanted->line && strcmp (one->file, wanted->file) == 0)
        return i;
    }
  return G_MAXUINT;
}

/* What it does, then each condition where it is checked. */
static void
fill_places (Rule *self)
{
  LsCodePlace place;
  guint n;
  const LsCondition *conditions = ls_instruction_conditions (self->instruction, &n);

  if (ls_code_place_of (self->instruction, &place))
    add_place (self, &place, g_strdup (_("What it does")),
               g_strdup_printf ("%s: %s", self->instruction->name, ls_translate (self->instruction->summary)));
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GArray) places = ls_code_places_of_condition (self->instruction, conditions[i].code);

      for (guint k = 0; k < places->len; k++)
        if (find_place (self, &g_array_index (places, LsCodePlace, k)) == G_MAXUINT)
          add_place (self, &g_array_index (places, LsCodePlace, k), g_strdup (conditions[i].code),
                     g_strdup_printf ("%s: %s", conditions[i].code, conditions[i].sentence));
    }
}

/* The check that refused comes first where the list does not have it, with what it said. */
static void
choose_refused (Rule       *self,
                const char *file,
                guint       line)
{
  LsCodePlace place;
  guint at;

  if (self->reason == NULL || !ls_code_place_at (file, line, &place))
    return;
  at = find_place (self, &place);
  if (at == G_MAXUINT)
    {
      at = self->places->len;
      add_place (self, &place, g_strdup (_("What refused it")), NULL);
    }
  g_free (self->sentences->pdata[at]);
  self->sentences->pdata[at] = g_strdup (self->reason);
  self->at = at;
}

/* ---- showing --------------------------------------------------------------------------- */

/* The lines of the statement that refuses; of a function its name. */
static guint
last_line_of (const LsCodePlace *place)
{
  for (guint line = place->line; line < place->last; line++)
    {
      g_autofree char *text = ls_code_lines (place->file, line, line);

      if (g_str_has_suffix (text, ";\n"))
        return line;
      if (strcmp (text, "{\n") == 0)
        return line - 1;
    }
  return place->line;
}

static void
show_place (Rule *self)
{
  guint at = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->choice));
  const LsCodePlace *place;
  g_autofree char *words = NULL;

  if (at >= self->places->len)
    return;
  place = &g_array_index (self->places, LsCodePlace, at);
  words = g_strdup_printf (_("%s, line %u"), place->file, place->line);
  gtk_label_set_label (GTK_LABEL (self->sentence), self->sentences->pdata[at]);
  gtk_label_set_label (GTK_LABEL (self->place), words);
  if (place->file != self->shown)
    ls_source_text_set (LS_SOURCE_TEXT (self->text), ls_code_text (place->file));
  self->shown = place->file;
  ls_source_text_mark (LS_SOURCE_TEXT (self->text), place->line, last_line_of (place));
}

static void
rule_free (gpointer data)
{
  Rule *self = data;

  g_free (self->reason);
  g_array_unref (self->places);
  g_ptr_array_unref (self->sentences);
  g_ptr_array_unref (self->names);
  g_free (self);
}

static GtkWidget *
head_new (Rule *self)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4), *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  self->sentence = ls_part_label (NULL, "strong");
  self->place = ls_part_label (NULL, "reason");
  self->choice = gtk_drop_down_new_from_strings ((const char *const *) self->names->pdata);
  gtk_label_set_wrap (GTK_LABEL (self->sentence), TRUE);
  gtk_label_set_selectable (GTK_LABEL (self->place), TRUE);
  gtk_label_set_ellipsize (GTK_LABEL (self->place), PANGO_ELLIPSIZE_START);
  gtk_widget_set_hexpand (self->place, TRUE);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->choice), self->at);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->choice), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Part of the rule"), -1);
  g_signal_connect_swapped (self->choice, "notify::selected", G_CALLBACK (show_place), self);
  gtk_box_append (GTK_BOX (line), self->place);
  gtk_box_append (GTK_BOX (line), self->choice);
  gtk_box_append (GTK_BOX (head), self->sentence);
  gtk_box_append (GTK_BOX (head), line);
  gtk_widget_add_css_class (head, "compare-head");
  return head;
}

static void
build (Rule      *self,
       GtkWindow *parent)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *scroller = gtk_scrolled_window_new ();
  GtkWidget *foot = ls_part_label (_("The engine's own C source, as it was built into this program. It can be read, not changed."), "reason");
  g_autofree char *title = g_strdup_printf (_("Source of %s"), self->instruction->name);

  self->text = ls_source_text_new (LS_SYNTAX_C);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->text);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_box_append (GTK_BOX (box), head_new (self));
  gtk_box_append (GTK_BOX (box), scroller);
  self->window = ls_tool_window_new (parent, title, 880, 640, box, foot);
}

/* One at a time: another rule takes its place.  `reason` (or NULL) was said by the check at `file` and `line`. */
static void
open_rule (GtkWindow  *parent,
           const char *name,
           const char *file,
           guint       line,
           const char *reason)
{
  const LsInstruction *instruction = ls_instruction_get (name);
  Rule *open = ls_tool_window_find (parent, KEY);
  Rule *self;

  if (instruction == NULL)
    return;
  self = g_new0 (Rule, 1);
  self->instruction = instruction;
  self->reason = reason != NULL && *reason != '\0' ? g_strdup (reason) : NULL;
  self->places = g_array_new (FALSE, FALSE, sizeof (LsCodePlace));
  self->sentences = g_ptr_array_new_with_free_func (g_free);
  self->names = g_ptr_array_new_with_free_func (g_free);
  fill_places (self);
  choose_refused (self, file, line);
  g_ptr_array_add (self->names, NULL);
  build (self, parent);
  ls_tool_window_keep (self->window, KEY, self, rule_free);
  if (open != NULL)
    gtk_window_destroy (GTK_WINDOW (open->window));
  show_place (self);
  gtk_window_present (GTK_WINDOW (self->window));
  gtk_widget_grab_focus (self->text);
}

static void
show_move (GtkWindow          *parent,
           const LsMoveRecord *move)
{
  const char *colon = move->source != NULL ? strrchr (move->source, ':') : NULL;
  g_autofree char *file = colon != NULL ? g_strndup (move->source, (gsize) (colon - move->source)) : NULL;

  open_rule (parent, move->name, file, colon != NULL ? (guint) g_ascii_strtoull (colon + 1, NULL, 10) : 0, colon != NULL ? move->reason : NULL);
}

/* Of a node of the history; the first program has none. */
static void
show (const LsToolPlace *place)
{
  LsHistory *history = LS_IS_ENGINE_SESSION (place->session) ? ls_engine_session_get_history (LS_ENGINE_SESSION (place->session)) : NULL;
  LsHistoryNode *node = history != NULL && place->right < ls_history_get_n (history) ? ls_history_get (history, place->right) : NULL;

  if (place->move != NULL)
    show_move (place->parent, place->move);
  else if (node == NULL || node->parent == node->id || node->name == NULL || ls_instruction_get (node->name) == NULL)
    place->say (place->parent, _("No rule here"), _("This program was made by no primitive; go to a step (Alt+Right) and ask again."));
  else
    open_rule (place->parent, node->name, node->checked_in, node->checked_at, node->refused);
}

const LsTool ls_rule_tool = { .id = KEY, .label = N_("Source of the step's rule"), .accel = "<Control><Shift>r", .show = show };
