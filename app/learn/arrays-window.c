/* arrays-window: see the header.
 *
 * The kernel sends a part of both arrays (128 rows and columns at most) around the first element that differs, and which of its elements do; of that part
 * a piece is shown, and the keyboard leads on to the next one.
 */
#include "app/learn/arrays-window.h"

#include "app/rpc/rpc.h"
#include "app/tool/window.h"
#include "views/models/format.h"
#include "views/parts/parts.h"
#include "views/run/grid.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define KEY "arrays"
#define PIECE 32                /* rows and columns that are shown */

typedef struct {
  GtkWidget *window;            /* owns this */
  GtkWidget *sentence, *reason;
  GtkWidget *moves[2];          /* buttons: the difference before, the next one */
  GtkWidget *titles[2], *cells[2], *grids[2];
  GArray    *slice;             /* of gint64: the indices before the last two */
  gint64     row, column;       /* of the part that is known */
  guint      rows[2], columns[2];
  double    *values[2];
  char      *same;              /* a character for each element, '0' where they differ; or NULL: the shapes differ */
  gint64     at;                /* the element of `same` that is shown, or -1 */
  char      *type;
  GVariant  *shapes[2];         /* ax */
  gboolean   following;         /* one grid follows the other */
} Arrays;

/* ---- what the kernel tells ----------------------------------------------------------------- */

/* A list of numbers of an answer, which may have come as JSON. (transfer full) of gint64 */
static GArray *
numbers (GVariant   *told,
         const char *key)
{
  g_autoptr (GVariant) list = ls_params_value (told, key);
  GArray *all = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (gsize i = 0; list != NULL && g_variant_is_container (list) && i < g_variant_n_children (list); i++)
    {
      g_autoptr (GVariant) child = g_variant_get_child_value (list, i);
      g_autoptr (GVariant) one = g_variant_is_of_type (child, G_VARIANT_TYPE_VARIANT) ? g_variant_get_variant (child) : g_variant_ref (child);
      gint64 number = g_variant_is_of_type (one, G_VARIANT_TYPE_INT64) ? g_variant_get_int64 (one)
                      : g_variant_is_of_type (one, G_VARIANT_TYPE_DOUBLE) ? (gint64) g_variant_get_double (one) : 0;

      g_array_append_val (all, number);
    }
  return all;
}

static GVariant *
shape_of (GVariant   *told,
          const char *key)
{
  g_autoptr (GArray) all = numbers (told, key);

  return g_variant_ref_sink (g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, all->data, all->len, sizeof (gint64)));
}

/* "2, 3" */
static char *
words_of (GArray *all)
{
  GString *words = g_string_new (NULL);

  for (guint i = 0; i < all->len; i++)
    g_string_append_printf (words, "%s%" G_GINT64_FORMAT, i > 0 ? ", " : "", g_array_index (all, gint64, i));
  return g_string_free (words, FALSE);
}

static void
take_side (Arrays   *self,
           guint     side,
           GVariant *told)
{
  g_autoptr (GVariant) part = ls_params_value (told, side == 0 ? "yours" : "wanted");
  const char *words = part != NULL ? ls_params_string (part, "values", "") : "";
  gsize n;

  g_clear_pointer (&self->values[side], g_free);
  self->rows[side] = part != NULL ? (guint) CLAMP (ls_params_int (part, "rows", 0), 0, 4096) : 0;
  self->columns[side] = part != NULL ? (guint) CLAMP (ls_params_int (part, "columns", 0), 0, 4096) : 0;
  n = (gsize) self->rows[side] * self->columns[side];
  self->values[side] = g_new0 (double, n + 1);
  for (gsize i = 0; i < n; i++)
    {
      char *end = NULL;

      self->values[side][i] = g_ascii_strtod (words, &end);
      if (end == words)
        break;
      words = end;
    }
}

static void
forget (Arrays *self)
{
  for (guint i = 0; i < 2; i++)
    {
      g_clear_pointer (&self->values[i], g_free);
      g_clear_pointer (&self->shapes[i], g_variant_unref);
    }
  g_clear_pointer (&self->slice, g_array_unref);
  g_clear_pointer (&self->same, g_free);
  g_clear_pointer (&self->type, g_free);
}

static void
take (Arrays   *self,
      GVariant *told)
{
  const char *same = ls_params_string (told, "same", NULL);

  forget (self);
  self->slice = numbers (told, "slice");
  self->row = ls_params_int (told, "row", 0);
  self->column = ls_params_int (told, "column", 0);
  self->type = g_strdup (ls_params_string (told, "type", ""));
  self->shapes[0] = shape_of (told, "shape");
  self->shapes[1] = shape_of (told, "wanted_shape");
  take_side (self, 0, told);
  take_side (self, 1, told);
  self->same = same != NULL && strlen (same) == (gsize) self->rows[0] * self->columns[0] ? g_strdup (same) : NULL;
  self->at = self->same != NULL && strchr (self->same, '0') != NULL ? strchr (self->same, '0') - self->same : -1;
}

/* ---- a piece as a grid ------------------------------------------------------------------------ */

/* From `row`, `column` of the known part on. */
static GVariant *
piece_of (Arrays *self,
          guint   side,
          guint   row,
          guint   column)
{
  guint rows = MIN (PIECE, self->rows[side] - row), columns = MIN (PIECE, self->columns[side] - column);
  double least = INFINITY, most = -INFINITY;
  GVariantBuilder values, written;
  GVariantDict dict;

  g_variant_builder_init (&values, G_VARIANT_TYPE ("ad"));
  g_variant_builder_init (&written, G_VARIANT_TYPE ("ab"));
  for (gsize i = 0; i < (gsize) self->rows[side] * self->columns[side]; i++)
    if (isfinite (self->values[side][i]))
      {
        least = fmin (least, self->values[side][i]);
        most = fmax (most, self->values[side][i]);
      }
  for (guint r = 0; r < rows; r++)
    for (guint c = 0; c < columns; c++)
      {
        g_variant_builder_add (&values, "d", self->values[side][(gsize) (row + r) * self->columns[side] + column + c]);
        g_variant_builder_add (&written, "b", TRUE);
      }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "buffer", "s", "");
  g_variant_dict_insert_value (&dict, "shape", self->shapes[side]);
  g_variant_dict_insert_value (&dict, "slice", g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, self->slice->data, self->slice->len, sizeof (gint64)));
  g_variant_dict_insert (&dict, "row", "x", self->row + row);
  g_variant_dict_insert (&dict, "column", "x", self->column + column);
  g_variant_dict_insert (&dict, "rows", "u", rows);
  g_variant_dict_insert (&dict, "columns", "u", columns);
  g_variant_dict_insert_value (&dict, "values", g_variant_builder_end (&values));
  g_variant_dict_insert_value (&dict, "written", g_variant_builder_end (&written));
  if (least <= most)
    {
      g_variant_dict_insert (&dict, "least", "d", least);
      g_variant_dict_insert (&dict, "most", "d", most);
    }
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

/* Each element of a piece that differs, as an access that has a frame. */
static GVariant *
frames_of (Arrays *self,
           guint   row,
           guint   column)
{
  GVariantBuilder all;

  g_variant_builder_init (&all, G_VARIANT_TYPE ("aa{sv}"));
  for (guint r = row; self->same != NULL && r < MIN (row + PIECE, self->rows[0]); r++)
    for (guint c = column; c < MIN (column + PIECE, self->columns[0]); c++)
      {
        g_autoptr (GArray) at = NULL;
        gint64 last[2] = { self->row + r, self->column + c };
        gboolean has_rows = g_variant_n_children (self->shapes[0]) > 1;

        if (self->same[(gsize) r * self->columns[0] + c] != '0')
          continue;
        at = g_array_copy (self->slice);
        g_array_append_vals (at, has_rows ? last : last + 1, has_rows ? 2 : 1);
        g_variant_builder_open (&all, G_VARIANT_TYPE_VARDICT);
        g_variant_builder_add (&all, "{sv}", "kind", g_variant_new_string ("write"));
        g_variant_builder_add (&all, "{sv}", "buffer", g_variant_new_string (""));
        g_variant_builder_add (&all, "{sv}", "at", g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, at->data, at->len, sizeof (gint64)));
        g_variant_builder_close (&all);
      }
  return g_variant_ref_sink (g_variant_builder_end (&all));
}

/* Both show the piece that has an element of the known part, and the keyboard stands there. */
static void
show_at (Arrays *self,
         gint64  row,
         gint64  column)
{
  self->following = TRUE;
  for (guint i = 0; i < 2; i++)
    {
      guint r = (guint) CLAMP (row, 0, MAX ((gint64) self->rows[i] - 1, 0)) / (PIECE / 2) * (PIECE / 2);
      guint c = (guint) CLAMP (column, 0, MAX ((gint64) self->columns[i] - 1, 0)) / (PIECE / 2) * (PIECE / 2);
      g_autoptr (GVariant) grid = NULL;
      g_autoptr (GVariant) frames = frames_of (self, r, c);

      if (self->rows[i] == 0 || self->columns[i] == 0)
        {
          ls_run_grid_set (LS_RUN_GRID (self->grids[i]), NULL, NULL);
          continue;
        }
      grid = piece_of (self, i, r, c);
      ls_run_grid_set (LS_RUN_GRID (self->grids[i]), grid, frames);
      ls_run_grid_go (LS_RUN_GRID (self->grids[i]), self->row + row, self->column + column);
    }
  self->following = FALSE;
}

static void
show_cells (Arrays *self)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *words = ls_run_grid_words (LS_RUN_GRID (self->grids[i]));

      gtk_label_set_label (GTK_LABEL (self->cells[i]), words);
    }
}

static void
cell_changed (LsRunGrid *grid,
              Arrays    *self)
{
  show_cells (self);
}

/* Both are moved, so that the same elements stand beside each other. */
static void
part_wanted (LsRunGrid *grid,
             gint64     row,
             gint64     column,
             Arrays    *self)
{
  if (!self->following)
    show_at (self, CLAMP (row - self->row, 0, MAX ((gint64) self->rows[0] - 1, 0)), CLAMP (column - self->column, 0, MAX ((gint64) self->columns[0] - 1, 0)));
}

static void
show_difference (Arrays *self)
{
  gboolean before = self->at > 0 && memchr (self->same, '0', (gsize) self->at) != NULL;

  show_at (self, self->at >= 0 ? self->at / self->columns[0] : 0, self->at >= 0 ? self->at % self->columns[0] : 0);
  show_cells (self);
  gtk_widget_set_sensitive (self->moves[0], before);
  gtk_widget_set_sensitive (self->moves[1], self->at >= 0 && strchr (self->same + self->at + 1, '0') != NULL);
}

/* The difference before or after the one that is shown, where there is one. */
static void
move (Arrays  *self,
      gboolean on)
{
  gint64 n = self->same != NULL ? (gint64) strlen (self->same) : 0, to = self->at;

  if (self->at < 0)
    return;
  do
    to += on ? 1 : -1;
  while (to >= 0 && to < n && self->same[to] != '0');
  if (to < 0 || to >= n)
    return;
  self->at = to;
  show_difference (self);
}

static void
on_clicked (Arrays *self)
{
  move (self, TRUE);
}

static void
back_clicked (Arrays *self)
{
  move (self, FALSE);
}

/* ---- the window ----------------------------------------------------------------------------------- */

static void
say (Arrays   *self,
     GVariant *told)
{
  g_autoptr (GArray) first = numbers (told, "first");
  g_autoptr (GArray) shape = numbers (told, "shape");
  g_autoptr (GArray) wanted = numbers (told, "wanted_shape");
  g_autofree char *place = words_of (first);
  g_autofree char *own = words_of (shape);
  g_autofree char *other = words_of (wanted);
  g_autofree char *sentence = NULL;
  g_autofree char *reason = NULL;

  if (self->same == NULL || self->at < 0)
    sentence = g_strdup_printf (_("The shapes differ: yours is (%s), (%s) is wanted."), own, other);
  else
    {
      g_autofree char *n = ls_format_count (ls_params_int (told, "differ", 0));
      g_autofree char *of = ls_format_count (ls_params_int (told, "of", 0));

      /* Translators: the indices of an element, 2, 3, and its two values */
      sentence = g_strdup_printf (_("First at [%s]: yours is %.9g, %.9g is wanted."), place, self->values[0][self->at], self->values[1][self->at]);
      reason = g_strdup_printf (_("%s of %s elements differ."), n, of);
    }
  gtk_label_set_label (GTK_LABEL (self->sentence), sentence);
  gtk_label_set_label (GTK_LABEL (self->reason), reason != NULL ? reason : "");
  gtk_widget_set_visible (self->reason, reason != NULL);
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *title = g_strdup_printf ("%s, (%s) %s", i == 0 ? _("Yours") : _("Wanted"), i == 0 ? own : other, self->type);

      gtk_label_set_label (GTK_LABEL (self->titles[i]), title);
    }
}

static gboolean
key_pressed (GtkEventController *keys,
             guint               key,
             guint               code,
             GdkModifierType     state,
             Arrays             *self)
{
  if (key != GDK_KEY_F4 || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return FALSE;
  move (self, (state & GDK_SHIFT_MASK) == 0);
  return TRUE;
}

static GtkWidget *
side (Arrays *self,
      guint   i)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);

  self->titles[i] = ls_part_label (NULL, "strong");
  self->cells[i] = ls_part_label (NULL, "code");
  self->grids[i] = ls_run_grid_new ();
  gtk_label_set_ellipsize (GTK_LABEL (self->titles[i]), PANGO_ELLIPSIZE_END);
  gtk_label_set_ellipsize (GTK_LABEL (self->cells[i]), PANGO_ELLIPSIZE_END);
  gtk_widget_set_vexpand (self->grids[i], TRUE);
  g_signal_connect (self->grids[i], "cell-changed", G_CALLBACK (cell_changed), self);
  g_signal_connect (self->grids[i], "part-wanted", G_CALLBACK (part_wanted), self);
  gtk_box_append (GTK_BOX (box), self->titles[i]);
  gtk_box_append (GTK_BOX (box), self->cells[i]);
  gtk_box_append (GTK_BOX (box), self->grids[i]);
  gtk_widget_add_css_class (box, "run-part");
  return box;
}

static void
build (Arrays    *self,
       GtkWindow *parent)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *head = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2), *bar = ls_part_row ("compare-head");
  GtkWidget *both = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *foot = ls_part_label (_("Each element that differs has a frame. Arrows move in the arrays."), "reason");
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->moves[0] = ls_part_icon_button ("go-previous-symbolic", _("The difference before (Shift+F4)"));
  self->moves[1] = ls_part_icon_button ("go-next-symbolic", _("The next difference (F4)"));
  g_signal_connect_swapped (self->moves[0], "clicked", G_CALLBACK (back_clicked), self);
  g_signal_connect_swapped (self->moves[1], "clicked", G_CALLBACK (on_clicked), self);
  gtk_box_append (GTK_BOX (bar), self->moves[0]);
  gtk_box_append (GTK_BOX (bar), self->moves[1]);
  self->sentence = ls_part_label (NULL, "strong");
  self->reason = ls_part_label (NULL, "reason");
  gtk_label_set_wrap (GTK_LABEL (self->sentence), TRUE);
  gtk_box_append (GTK_BOX (head), self->sentence);
  gtk_box_append (GTK_BOX (head), self->reason);
  gtk_widget_add_css_class (head, "compare-head");
  gtk_box_set_homogeneous (GTK_BOX (both), TRUE);
  gtk_box_append (GTK_BOX (both), side (self, 0));
  gtk_box_append (GTK_BOX (both), side (self, 1));
  gtk_widget_set_vexpand (both, TRUE);
  gtk_box_append (GTK_BOX (box), ls_part_slim (bar));
  gtk_box_append (GTK_BOX (box), head);
  gtk_box_append (GTK_BOX (box), both);
  self->window = ls_tool_window_new (parent, _("Yours and wanted"), 900, 520, box, foot);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (self->window, keys);
}

static void
arrays_free (gpointer data)
{
  Arrays *self = data;

  forget (self);
  g_free (self);
}

void
ls_arrays_window_show (GtkWindow *parent,
                       GVariant  *arrays)
{
  Arrays *self = ls_tool_window_find (parent, KEY);

  if (self == NULL)
    {
      self = g_new0 (Arrays, 1);
      build (self, parent);
      ls_tool_window_keep (self->window, KEY, self, arrays_free);
    }
  take (self, arrays);
  say (self, arrays);
  show_difference (self);
  gtk_window_present (GTK_WINDOW (self->window));
}
