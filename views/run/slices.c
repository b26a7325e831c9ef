/* run/slices: an index for each dimension of an array above two. */
#include "views/run/slices.h"

#include <glib/gi18n.h>
#include <string.h>

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

struct _LsRunSlices
{
  GtkWidget  parent_instance;
  char      *name;              /* of the array, or NULL */
  GArray    *extents;           /* of gint64: those above two */
  guint      setting;           /* nobody chooses */
};

G_DEFINE_FINAL_TYPE (LsRunSlices, ls_run_slices, GTK_TYPE_WIDGET)

static void
chosen (LsRunSlices *self)
{
  if (self->setting == 0)
    g_signal_emit (self, signals[CHANGED], 0);
}

static void
add_spin (LsRunSlices *self,
          guint        d)
{
  GtkWidget *spin = gtk_spin_button_new_with_range (0, (double) MAX (g_array_index (self->extents, gint64, d) - 1, 0), 1);
  g_autofree char *words = g_strdup_printf (_("Index %u"), d + 1);

  gtk_accessible_update_property (GTK_ACCESSIBLE (spin), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
  gtk_widget_set_tooltip_text (spin, words);
  g_signal_connect_swapped (spin, "value-changed", G_CALLBACK (chosen), self);
  gtk_widget_set_parent (spin, GTK_WIDGET (self));
}

static void
clear (LsRunSlices *self)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
}

void
ls_run_slices_set_shape (LsRunSlices  *self,
                         const char   *name,
                         const gint64 *extents,
                         gsize         n)
{
  guint above = n > 2 ? (guint) n - 2 : 0;

  if (g_strcmp0 (name, self->name) == 0 && above == self->extents->len && (above == 0 || memcmp (self->extents->data, extents, above * sizeof *extents) == 0))
    return;
  g_free (self->name);
  self->name = g_strdup (name);
  g_array_set_size (self->extents, 0);
  clear (self);
  for (guint d = 0; d < above; d++)
    {
      g_array_append_val (self->extents, extents[d]);
      add_spin (self, d);
    }
  gtk_widget_set_visible (GTK_WIDGET (self), above > 0);
}

void
ls_run_slices_set (LsRunSlices  *self,
                   const gint64 *at,
                   gsize         n)
{
  guint d = 0;

  self->setting++;
  for (GtkWidget *spin = gtk_widget_get_first_child (GTK_WIDGET (self)); spin != NULL && d < n; spin = gtk_widget_get_next_sibling (spin))
    gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), (double) at[d++]);
  self->setting--;
}

char *
ls_run_slices_words (LsRunSlices *self)
{
  GString *words = g_string_new (NULL);

  for (GtkWidget *spin = gtk_widget_get_first_child (GTK_WIDGET (self)); spin != NULL; spin = gtk_widget_get_next_sibling (spin))
    g_string_append_printf (words, "%s%d", words->len == 0 ? "[" : ", ", gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (spin)));
  if (words->len > 0)
    g_string_append_c (words, ']');
  return g_string_free (words, FALSE);
}

/* ---- the widget --------------------------------------------------------------------------------- */

static void
ls_run_slices_dispose (GObject *object)
{
  clear (LS_RUN_SLICES (object));
  G_OBJECT_CLASS (ls_run_slices_parent_class)->dispose (object);
}

static void
ls_run_slices_finalize (GObject *object)
{
  LsRunSlices *self = LS_RUN_SLICES (object);

  g_free (self->name);
  g_array_unref (self->extents);
  G_OBJECT_CLASS (ls_run_slices_parent_class)->finalize (object);
}

static void
ls_run_slices_class_init (LsRunSlicesClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ls_run_slices_dispose;
  G_OBJECT_CLASS (klass)->finalize = ls_run_slices_finalize;
  signals[CHANGED] = g_signal_new ("changed", LS_TYPE_RUN_SLICES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
ls_run_slices_init (LsRunSlices *self)
{
  self->extents = g_array_new (FALSE, FALSE, sizeof (gint64));
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (GTK_WIDGET (self))), 4);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Slice"), -1);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

GtkWidget *
ls_run_slices_new (void)
{
  return g_object_new (LS_TYPE_RUN_SLICES, NULL);
}
