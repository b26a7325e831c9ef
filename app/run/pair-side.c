/* run/pair-side: one of the two programs: its text with the value under the pointer, and the array whose element is made as a grid, with the slice of
 * it that is touched or was chosen.
 */
#include "app/run/pair-private.h"

#include "app/run/value.h"
#include "views/parts/parts.h"
#include "views/parts/source-text.h"
#include "views/run/grid.h"
#include "views/run/slices.h"
#include "views/run/text.h"

#include <glib/gi18n.h>

/* ---- what is shown ---------------------------------------------------------------------------- */

static void
show_cell (LsPairSide *self)
{
  g_autofree char *words = ls_run_grid_words (LS_RUN_GRID (self->grid));

  gtk_label_set_label (GTK_LABEL (self->cell), words);
}

/* The slice follows what is touched, until another one is chosen. */
static void
show_slice (LsPairSide *self,
            GVariant   *grid)
{
  g_autoptr (GVariant) shape = ls_params_value (grid, "shape");
  g_autoptr (GVariant) slice = ls_params_value (grid, "slice");
  gsize n = 0, n_slice = 0;
  const gint64 *extents = shape != NULL ? g_variant_get_fixed_array (shape, &n, sizeof (gint64)) : NULL;
  const gint64 *at = slice != NULL ? g_variant_get_fixed_array (slice, &n_slice, sizeof (gint64)) : NULL;

  ls_run_slices_set_shape (LS_RUN_SLICES (self->slices), ls_params_string (grid, "buffer", ""), extents, n);
  if (!self->has_chosen)
    ls_run_slices_set (LS_RUN_SLICES (self->slices), at, n_slice);
}

void
ls_pair_side_show (LsPairSide *self,
                   GVariant   *answer)
{
  gboolean is_left = self->number == 0;
  g_autoptr (GVariant) look = ls_params_value (answer, is_left ? "left" : "right");
  g_autoptr (GVariant) grid = ls_params_value (answer, is_left ? "grid-left" : "grid-right");
  g_autoptr (GVariant) accesses = look != NULL ? ls_params_value (look, "accesses") : NULL;
  const char *text = ls_params_string (answer, is_left ? "left-text" : "right-text", NULL);
  gint64 line = look != NULL ? ls_params_int (look, "line", 0) : 0;

  if (text != NULL)
    ls_source_text_set (LS_SOURCE_TEXT (self->text), text);
  if (line > 0)
    ls_source_text_mark (LS_SOURCE_TEXT (self->text), (guint) line, (guint) line);
  ls_run_grid_set (LS_RUN_GRID (self->grid), grid, accesses);
  if (grid != NULL)
    show_slice (self, grid);
  show_cell (self);
}

void
ls_pair_side_clear (LsPairSide *self,
                    const char *title)
{
  gtk_label_set_label (GTK_LABEL (self->title), title);
  ls_run_grid_set (LS_RUN_GRID (self->grid), NULL, NULL);
  ls_run_slices_set_shape (LS_RUN_SLICES (self->slices), NULL, NULL, 0);
  show_cell (self);
}

void
ls_pair_side_follow_cursor (LsPairSide *self)
{
  ls_run_text_follow_cursor (self->value);
}

/* ---- what is asked for ------------------------------------------------------------------------- */

void
ls_pair_side_put (LsPairSide   *self,
                  GVariantDict *params)
{
  g_autofree char *slice = self->has_chosen ? ls_run_slices_words (LS_RUN_SLICES (self->slices)) : NULL;

  if (self->part != NULL)
    g_variant_dict_insert (params, self->number == 0 ? "part-left" : "part-right", "s", self->part);
  if (slice != NULL && *slice != '\0')
    g_variant_dict_insert (params, self->number == 0 ? "slice-left" : "slice-right", "s", slice);
}

void
ls_pair_side_forget (LsPairSide *self)
{
  g_clear_pointer (&self->part, g_free);
  self->has_chosen = FALSE;
}

/* The keyboard left what is shown of the array. */
static void
part_wanted (LsRunGrid  *grid,
             gint64      row,
             gint64      column,
             LsPairSide *self)
{
  if (self->run->look == NULL)
    return;
  g_free (self->part);
  self->part = g_strdup_printf (" %" G_GINT64_FORMAT " %" G_GINT64_FORMAT, row, column);
  self->run->look_again (self->run);
}

static void
slice_chosen (LsPairSide *self)
{
  if (self->run->look == NULL)
    return;
  self->has_chosen = TRUE;
  self->run->look_again (self->run);
}

/* Only while both stand still. */
static void
value_wanted (guint     line,
              guint     column,
              GTask    *task,
              gpointer  data)
{
  LsPairSide *self = data;
  GVariantDict params;

  if (self->run->look == NULL || self->run->asking != NULL)
    {
      ls_run_value_busy (task);
      return;
    }
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "leads", "x", (gint64) self->number);
  ls_run_value_ask (self->run->worker, "debug-pair", &params, line, column, task);
}

static const LsRunTextWishes text_wishes = { NULL, value_wanted };

/* ---- the widgets ------------------------------------------------------------------------------------ */

static GtkWidget *
array_box (LsPairSide *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4), *row = ls_part_row (NULL);

  self->value = ls_run_text_value_new (GTK_SOURCE_VIEW (self->text));
  self->slices = ls_run_slices_new ();
  self->cell = ls_part_label (NULL, "code");
  self->grid = ls_run_grid_new ();
  gtk_widget_set_vexpand (self->grid, TRUE);
  gtk_label_set_ellipsize (GTK_LABEL (self->cell), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (self->cell, TRUE);
  g_signal_connect_swapped (self->slices, "changed", G_CALLBACK (slice_chosen), self);
  g_signal_connect_swapped (self->grid, "cell-changed", G_CALLBACK (show_cell), self);
  g_signal_connect (self->grid, "part-wanted", G_CALLBACK (part_wanted), self);
  gtk_box_append (GTK_BOX (row), self->slices);
  gtk_box_append (GTK_BOX (row), self->cell);
  gtk_box_append (GTK_BOX (box), self->value);
  gtk_box_append (GTK_BOX (box), row);
  gtk_box_append (GTK_BOX (box), self->grid);
  gtk_widget_add_css_class (box, "run-part");
  return box;
}

GtkWidget *
ls_pair_side_new (LsPairSide *self,
                  LsPairRun  *run,
                  guint       number)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *panes = gtk_paned_new (GTK_ORIENTATION_VERTICAL), *scroller = gtk_scrolled_window_new ();

  self->run = run;
  self->number = number;
  self->title = ls_part_label (NULL, "strong");
  gtk_label_set_ellipsize (GTK_LABEL (self->title), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (self->title, "run-part");
  self->text = ls_source_text_new (LS_SYNTAX_SCRIPT);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->text), GTK_ACCESSIBLE_PROPERTY_LABEL, number == 0 ? _("The left program") : _("The right program"), -1);
  ls_run_text_make (GTK_SOURCE_VIEW (self->text), &text_wishes, self);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->text);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_widget_set_hexpand (scroller, TRUE);
  gtk_paned_set_start_child (GTK_PANED (panes), scroller);
  gtk_paned_set_end_child (GTK_PANED (panes), array_box (self));
  gtk_paned_set_shrink_end_child (GTK_PANED (panes), FALSE);
  gtk_paned_set_position (GTK_PANED (panes), 190);       /* rows of a grid are as high as there is room, and its columns follow */
  gtk_box_append (GTK_BOX (box), self->title);
  gtk_box_append (GTK_BOX (box), panes);
  return box;
}
