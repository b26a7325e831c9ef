/* run/buffers: one buffer of the run as a grid, with an index for each dimension above two. */
#include "app/run/private.h"

#include "views/models/format.h"
#include "views/parts/choice-name.h"
#include "views/parts/parts.h"
#include "views/run/grid.h"
#include "views/run/slices.h"

#include <glib/gi18n.h>
#include <string.h>

const char *
ls_run_buffers_shown (LsRun *self)
{
  guint at = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->buffers));

  return self->names != NULL && at < g_strv_length (self->names) ? self->names[at] : NULL;
}

/* What of it is asked for: "C[2, 0]". (transfer full), or NULL */
char *
ls_run_buffers_wanted (LsRun *self)
{
  const char *name = ls_run_buffers_shown (self);
  g_autofree char *slice = NULL;
  GString *words;

  if (name == NULL)
    return NULL;
  words = g_string_new (name);
  slice = ls_run_slices_words (LS_RUN_SLICES (self->slices));
  g_string_append (words, slice);
  if (self->part != NULL)
    g_string_append (words, self->part);
  return g_string_free (words, FALSE);
}

/* The keyboard left what is shown of the buffer. */
static void
part_wanted (LsRunGrid *grid,
             gint64     row,
             gint64     column,
             LsRun     *self)
{
  if (self->look == NULL)
    return;
  g_free (self->part);
  self->part = g_strdup_printf (" %" G_GINT64_FORMAT " %" G_GINT64_FORMAT, row, column);
  self->wants_part = ls_run_is_busy (self);
  if (!self->wants_part)
    self->send (self, "where");
}

static void
grid_wanted (LsRun *self)
{
  if (self->choosing == 0 && self->look != NULL && !ls_run_is_busy (self))
    self->send (self, "where");
}

static void
slice_chosen (LsRun *self)
{
  self->has_chosen = TRUE;
  grid_wanted (self);
}

/* The slice is that of the answer, which follows what is touched, until another one is chosen. */
static void
show_slice (LsRun    *self,
            GVariant *grid)
{
  g_autoptr (GVariant) slice = ls_params_value (grid, "slice");
  gsize n = 0;
  const gint64 *at = slice != NULL ? g_variant_get_fixed_array (slice, &n, sizeof (gint64)) : NULL;

  if (!self->has_chosen && g_strcmp0 (ls_params_string (grid, "buffer", NULL), ls_run_buffers_shown (self)) == 0)
    ls_run_slices_set (LS_RUN_SLICES (self->slices), at, n);
}

static void
show_slices (LsRun *self)
{
  guint at = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->buffers));
  GVariant *shape = at < self->shapes->len ? self->shapes->pdata[at] : NULL;
  gsize n = 0;
  const gint64 *extents = shape != NULL ? g_variant_get_fixed_array (shape, &n, sizeof (gint64)) : NULL;

  ls_run_slices_set_shape (LS_RUN_SLICES (self->slices), ls_run_buffers_shown (self), extents, n);
}

static void
buffer_chosen (LsRun *self)
{
  if (self->choosing > 0)
    return;
  g_clear_pointer (&self->part, g_free);
  self->has_chosen = FALSE;
  show_slices (self);
  grid_wanted (self);
}

/* The drop-down follows what there is; the chosen one stays as long as it is there. */
static void
show_buffers (LsRun *self)
{
  g_autoptr (GVariant) list = ls_params_value (self->look, "buffers");
  g_autofree char *chosen = g_strdup (ls_run_buffers_shown (self));
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
      g_ptr_array_add (shapes, shape != NULL ? shape : g_variant_ref_sink (g_variant_new_array (G_VARIANT_TYPE_INT64, NULL, 0)));
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

    ls_choice_set_words (GTK_DROP_DOWN (self->buffers), model);
  }
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->buffers), at);
  self->choosing--;
  show_slices (self);
}

static void
show_cell (LsRun *self)
{
  g_autofree char *words = ls_run_grid_words (LS_RUN_GRID (self->grid));

  gtk_label_set_label (GTK_LABEL (self->cell), words);
}

/* The newest first, as one reads them. */
static void
show_trail_words (LsRun    *self,
                  GVariant *trail)
{
  GString *words = g_string_new (NULL);

  for (gsize n = trail != NULL ? g_variant_n_children (trail) : 0; n-- > 0;)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (trail, n);

      g_string_append_printf (words, "%s%s %s", words->len > 0 ? ", " : "", strcmp (ls_params_string (one, "kind", ""), "write") == 0 ? _("writes") : _("reads"),
                              ls_params_string (one, "element", "?"));
    }
  gtk_widget_set_visible (self->trail_words, words->len > 0);
  if (words->len > 0)
    {
      /* Translators: the last accesses of a buffer, the newest first */
      g_autofree char *label = g_strdup_printf (_("Last: %s"), words->str);

      gtk_label_set_label (GTK_LABEL (self->trail_words), label);
      gtk_widget_set_tooltip_text (self->trail_words, label);
    }
  g_string_free (words, TRUE);
}

gboolean
ls_run_buffers_trail (LsRun *self)
{
  return gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->trail));
}

static void
show_grid (LsRun *self)
{
  g_autoptr (GVariant) grid = ls_params_value (self->look, "grid");
  g_autoptr (GVariant) accesses = ls_params_value (self->look, "accesses");
  g_autoptr (GVariant) trail = ls_params_value (self->look, "trail");
  g_autofree char *written = ls_format_count (grid != NULL ? ls_params_int (grid, "n-written", 0) : 0);
  g_autofree char *all = ls_format_count (grid != NULL ? ls_params_int (grid, "n", 0) : 0);
  g_autofree char *odd = ls_format_count (grid != NULL ? ls_params_int (grid, "not-finite", 0) : 0);
  g_autofree char *words = NULL;

  ls_run_grid_set (LS_RUN_GRID (self->grid), grid, accesses);
  if (grid != NULL)
    show_slice (self, grid);
  ls_run_grid_set_trail (LS_RUN_GRID (self->grid), trail);
  show_trail_words (self, trail);
  if (grid != NULL && ls_params_double (grid, "most", -1) < ls_params_double (grid, "least", 0))
    words = g_strdup_printf (_("%s of %s written"), written, all);
  else if (grid != NULL)
    /* Translators: of the elements of an array; the last one counts what is no finite number */
    words = g_strdup_printf (_("%s of %s written, from %.4g to %.4g, %s NaN or infinite"), written, all, ls_params_double (grid, "least", 0),
                             ls_params_double (grid, "most", 0), odd);
  gtk_label_set_label (GTK_LABEL (self->summary), words != NULL ? words : "");
  gtk_widget_set_tooltip_text (self->summary, words);
}

void
ls_run_buffers_show (LsRun *self)
{
  show_buffers (self);
  show_grid (self);
}

GtkWidget *
ls_run_buffers_new (LsRun *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *row = ls_part_row (NULL);

  self->buffers = gtk_drop_down_new (NULL, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->buffers), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Buffer"), -1);
  g_signal_connect_swapped (self->buffers, "notify::selected", G_CALLBACK (buffer_chosen), self);
  self->slices = ls_run_slices_new ();
  g_signal_connect_swapped (self->slices, "changed", G_CALLBACK (slice_chosen), self);
  self->cell = ls_part_label (NULL, "code");
  self->summary = ls_part_label (NULL, "reason");
  gtk_label_set_ellipsize (GTK_LABEL (self->summary), PANGO_ELLIPSIZE_END);
  gtk_label_set_ellipsize (GTK_LABEL (self->cell), PANGO_ELLIPSIZE_END);
  self->trail = gtk_toggle_button_new_with_label (_("Trail"));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->trail), TRUE);
  gtk_widget_set_tooltip_text (self->trail, _("Draw the order of the last accesses: a disc is a write, a ring a read"));
  g_signal_connect_swapped (self->trail, "toggled", G_CALLBACK (grid_wanted), self);
  self->trail_words = ls_part_label (NULL, "reason");
  gtk_label_set_ellipsize (GTK_LABEL (self->trail_words), PANGO_ELLIPSIZE_END);
  self->grid = ls_run_grid_new ();
  gtk_widget_set_vexpand (self->grid, TRUE);
  g_signal_connect_swapped (self->grid, "cell-changed", G_CALLBACK (show_cell), self);
  g_signal_connect (self->grid, "part-wanted", G_CALLBACK (part_wanted), self);
  gtk_box_append (GTK_BOX (row), self->buffers);
  gtk_box_append (GTK_BOX (row), self->slices);
  gtk_box_append (GTK_BOX (row), self->trail);
  gtk_box_append (GTK_BOX (row), self->cell);
  gtk_box_append (GTK_BOX (box), row);
  gtk_box_append (GTK_BOX (box), self->grid);
  gtk_box_append (GTK_BOX (box), self->trail_words);
  gtk_box_append (GTK_BOX (box), self->summary);
  gtk_widget_add_css_class (box, "run-part");
  return box;
}
