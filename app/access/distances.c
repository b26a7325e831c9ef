/* access/distances: see the header. */
#include "app/access/distances.h"

#include "views/access/distances.h"
#include "views/models/format.h"
#include "views/parts/choice-name.h"
#include "views/parts/parts.h"

#include <glib/gi18n.h>
#include <math.h>

/* What may be chosen: all, a buffer, a loop. */
typedef struct {
  char  *name;
  double counts[LS_MEMORY_BINS];
  double footprint;             /* lines of a round; -1: none is known, or it is no loop */
} Choice;

typedef struct {
  GtkWidget *of, *bars, *sentence;
  GArray    *choices;           /* of Choice */
  double     rooms[LS_LOCALITY_LEVELS];
  guint      n_rooms;
} Distances;

static void
choice_clear (gpointer data)
{
  g_free (((Choice *) data)->name);
}

static void
distances_free (gpointer data)
{
  Distances *self = data;

  g_array_unref (self->choices);
  g_free (self);
}

/* The touches whose distance is below `lines`; of a bin that this cuts, evenly. */
static double
within (const Choice *choice,
        double        lines)
{
  double sum = 0.0;

  for (guint i = 0; i < LS_MEMORY_BINS; i++)
    {
      double from = i == 0 ? 0.0 : ldexp (1.0, (int) i - 1), width = i < 2 ? 1.0 : from;

      sum += choice->counts[i] * CLAMP ((lines - from) / width, 0.0, 1.0);
    }
  return sum;
}

static char *
words_of (Distances    *self,
          const Choice *choice)
{
  double all = within (choice, HUGE_VAL);
  g_autoptr (GString) words = g_string_new (NULL);

  if (all <= 0.0)
    return g_strdup (_("No line is touched twice."));
  for (guint i = 0; i < self->n_rooms; i++)
    {
      g_autofree char *share = ls_format_share (within (choice, self->rooms[i]) / all);
      g_autofree char *room = ls_format_count ((gint64) self->rooms[i]);

      /* Translators: 73 % within the 512 lines of L1 */
      g_string_append_printf (words, i == 0 ? ngettext ("Lines are touched again: %s within the %s line of L%u", "Lines are touched again: %s within the %s lines of L%u", (gulong) self->rooms[i]) : _(", %s within the %s of L%u"), share, room, i + 1);
    }
  g_string_append (words, ".");
  if (choice->footprint >= 0.0)
    {
      g_autofree char *lines = ls_format_count ((gint64) choice->footprint);

      g_string_append (words, " ");
      g_string_append_printf (words, ngettext ("A round touches %s line.", "A round touches %s lines.", (gulong) choice->footprint), lines);
    }
  return g_string_free (g_steal_pointer (&words), FALSE);
}

static void
chosen (Distances *self)
{
  guint at = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->of)), n = LS_MEMORY_BINS;
  const Choice *choice, *all;
  g_autofree char *words = NULL;

  if (at >= self->choices->len)
    return;
  choice = &g_array_index (self->choices, Choice, at);
  all = &g_array_index (self->choices, Choice, 0);
  while (n > 1 && all->counts[n - 1] <= 0.0)
    n--;
  words = words_of (self, choice);
  gtk_label_set_label (GTK_LABEL (self->sentence), words);
  ls_distance_bars_set (LS_DISTANCE_BARS (self->bars), choice->counts, n, self->rooms, self->n_rooms, words);
}

static void
add (Distances     *self,
     GtkStringList *names,
     char          *name,
     const double  *counts,
     double         footprint)
{
  Choice choice = { .name = name, .footprint = footprint };

  memcpy (choice.counts, counts, sizeof choice.counts);
  g_array_append_val (self->choices, choice);
  gtk_string_list_append (names, name);
}

void
ls_access_distances_set (GtkWidget         *widget,
                         const LsMemoryLab *memory)
{
  Distances *self = g_object_get_data (G_OBJECT (widget), "distances");
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  gtk_widget_set_visible (widget, memory != NULL && memory->options.distances && memory->all.accesses > 0.0);
  if (!gtk_widget_get_visible (widget))
    return;
  g_array_set_size (self->choices, 0);
  self->n_rooms = memory->options.n_levels;
  for (guint i = 0; i < self->n_rooms; i++)
    self->rooms[i] = (double) memory->options.levels[i].bytes / memory->options.line_bytes;
  add (self, names, g_strdup (_("All accesses")), memory->all.distances, -1.0);
  for (guint i = 0; i < memory->buffers->len; i++)
    {
      const LsMemoryBuffer *row = &g_array_index (memory->buffers, LsMemoryBuffer, i);

      add (self, names, g_strdup_printf (_("Buffer %s"), row->name), row->distances, -1.0);
    }
  for (guint i = 0; i < memory->loops->len; i++)
    {
      const LsMemoryLoop *row = &g_array_index (memory->loops, LsMemoryLoop, i);

      /* Translators: a loop and, in the second, the block inside it */
      add (self, names, row->block == NULL ? g_strdup_printf (_("Loop %s"), row->name) : g_strdup_printf (_("Loop %s of %s"), row->name, row->block), row->distances,
           row->footprint);
    }
  ls_choice_set_words (GTK_DROP_DOWN (self->of), names);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->of), 0);
  chosen (self);
}

GtkWidget *
ls_access_distances_new (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4), *head = ls_part_row (NULL);
  Distances *self = g_new0 (Distances, 1);
  GtkWidget *title = ls_part_label (_("Reuse distance"), "caption");

  self->choices = g_array_new (FALSE, FALSE, sizeof (Choice));
  g_array_set_clear_func (self->choices, choice_clear);
  self->of = gtk_drop_down_new (NULL, NULL);
  self->bars = ls_distance_bars_new ();
  self->sentence = ls_part_label (NULL, "reason");
  gtk_label_set_wrap (GTK_LABEL (self->sentence), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->of), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Reuse distances of"), -1);
  gtk_widget_set_tooltip_text (title, _("Other cache lines touched between two touches of a line, over all accesses; the lines in the picture are the caches"));
  g_signal_connect_swapped (self->of, "notify::selected", G_CALLBACK (chosen), self);
  gtk_box_append (GTK_BOX (head), title);
  gtk_box_append (GTK_BOX (head), self->of);
  gtk_box_append (GTK_BOX (box), head);
  gtk_box_append (GTK_BOX (box), self->bars);
  gtk_box_append (GTK_BOX (box), self->sentence);
  gtk_widget_add_css_class (box, "access-distances");
  gtk_widget_set_visible (box, FALSE);
  g_object_set_data_full (G_OBJECT (box), "distances", self, distances_free);
  return box;
}
