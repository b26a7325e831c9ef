/* LsRunGrid: see the header. */
#include "views/run/grid.h"

#include "views/canvas/draw.h"
#include "views/canvas/look.h"
#include "views/parts/theme.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define LEAST_CELL 5.0f
#define LEAST_HEIGHT 120
#define USUAL_HEIGHT 300
/* They grow with the letters. */
#define GROWN(pixels) ((float) ls_theme_grow_in (GTK_WIDGET (self), (pixels)))
#define MOST_WIDTH GROWN (72)           /* of a cell at 100 percent */
#define MOST_HEIGHT GROWN (24)
#define NUMBER_WIDTH GROWN (60)         /* from here on a cell holds a number, -1.23e-05 */
#define NUMBER_HEIGHT GROWN (14)

struct _LsRunGrid
{
  GtkWidget  parent_instance;

  GVariant  *grid;              /* a{sv}, or NULL */
  GVariant  *values, *written;  /* ad, ab */
  GVariant  *accesses;          /* aa{sv}, or NULL */
  GVariant  *trail;             /* aa{sv}, or NULL */
  char      *buffer;
  gint64     row, column;       /* of the first cell */
  guint      rows, columns;
  double     least, most;
  guint      x, y;              /* of the keyboard */
  gint64     wanted_row, wanted_column;         /* of the array: where the keyboard goes once that part is there; -1: nowhere */
  gint64     asked_row, asked_column;           /* the first cell of the part that was asked for last; -1: it has come */
  guint      serial;
};

G_DEFINE_FINAL_TYPE (LsRunGrid, ls_run_grid, GTK_TYPE_WIDGET)

static guint cell_changed, part_wanted;

static double
value_at (LsRunGrid *self,
          guint      x,
          guint      y)
{
  double value = 0;

  g_variant_get_child (self->values, (gsize) y * self->columns + x, "d", &value);
  return value;
}

static gboolean
is_written (LsRunGrid *self,
            guint      x,
            guint      y)
{
  gboolean written = FALSE;

  g_variant_get_child (self->written, (gsize) y * self->columns + x, "b", &written);
  return written;
}

/* Is the grid at the slice of the access, and where in it? FALSE: it is not shown. */
static gboolean
place_of (LsRunGrid *self,
          GVariant  *access,
          guint     *x,
          guint     *y)
{
  g_autoptr (GVariant) at = g_variant_lookup_value (access, "at", G_VARIANT_TYPE ("ax"));
  g_autoptr (GVariant) slice = g_variant_lookup_value (self->grid, "slice", G_VARIANT_TYPE ("ax"));
  const char *name = "";
  gsize n, m;
  const gint64 *indices, *outer;
  gint64 row, column;

  if (!g_variant_lookup (access, "buffer", "&s", &name) || strcmp (name, self->buffer) != 0 || at == NULL || slice == NULL)
    return FALSE;
  indices = g_variant_get_fixed_array (at, &n, sizeof (gint64));
  outer = g_variant_get_fixed_array (slice, &m, sizeof (gint64));
  for (gsize i = 0; i < m && i < n; i++)
    if (indices[i] != outer[i])
      return FALSE;
  column = (n > 0 ? indices[n - 1] : 0) - self->column;
  row = (n > 1 ? indices[n - 2] : 0) - self->row;
  if (row < 0 || column < 0 || row >= self->rows || column >= self->columns)
    return FALSE;
  *x = (guint) column;
  *y = (guint) row;
  return TRUE;
}

/* ---- drawing -------------------------------------------------------------------------- */

static void
cell_size (LsRunGrid *self,
           float     *width,
           float     *height)
{
  float w = (float) gtk_widget_get_width (GTK_WIDGET (self)), h = (float) gtk_widget_get_height (GTK_WIDGET (self));

  *width = CLAMP (floorf ((w - 4) / (float) MAX (self->columns, 1)), LEAST_CELL, MOST_WIDTH);
  *height = CLAMP (floorf ((h - 4) / (float) MAX (self->rows, 1)), LEAST_CELL, MOST_HEIGHT);
  if (*width < NUMBER_WIDTH)    /* no room for numbers: squares, or up to twice as wide */
    {
      *width = MIN (*width, 2 * *height);
      *height = MIN (*height, *width);
    }
}

static graphene_rect_t
cell_bounds (float width,
             float height,
             guint x,
             guint y)
{
  return GRAPHENE_RECT_INIT (2 + width * (float) x, 2 + height * (float) y, width - 1, height - 1);
}

/* One drawing for all cells that are not written. */
static void
draw_hatch (LsRunGrid    *self,
            GtkSnapshot  *snapshot,
            const LsLook *look,
            float         width,
            float         height)
{
  const GdkRGBA color = ls_look_fade (look, LS_LOOK_NEUTRAL, 0.7);
  graphene_rect_t all = GRAPHENE_RECT_INIT (0, 0, width * (float) self->columns + 4, height * (float) self->rows + 4);
  cairo_t *cr = ls_draw_cairo (snapshot, &all);

  gdk_cairo_set_source_rgba (cr, &color);
  cairo_set_line_width (cr, 1);
  for (guint y = 0; y < self->rows; y++)
    for (guint x = 0; x < self->columns; x++)
      {
        graphene_rect_t bounds = cell_bounds (width, height, x, y);

        for (float at = 0; !is_written (self, x, y) && at < bounds.size.width; at += bounds.size.height)
          {
            float length = MIN (bounds.size.height, bounds.size.width - at);

            cairo_move_to (cr, bounds.origin.x + at, bounds.origin.y + bounds.size.height);
            cairo_line_to (cr, bounds.origin.x + at + length, bounds.origin.y + bounds.size.height - length);
          }
      }
  cairo_stroke (cr);
  cairo_destroy (cr);
}

static void
draw_cell (LsRunGrid    *self,
           GtkSnapshot  *snapshot,
           const LsLook *look,
           float         width,
           float         height,
           guint         x,
           guint         y)
{
  const LsFont font = { .mono = TRUE, .scale = 0.8f, .tabular = TRUE };
  graphene_rect_t bounds = cell_bounds (width, height, x, y);
  double value = value_at (self, x, y);
  gboolean finite = isfinite (value), numbers = width >= NUMBER_WIDTH && height >= NUMBER_HEIGHT, written = is_written (self, x, y);

  if (!numbers && finite && written)
    {
      double share = self->most > self->least ? (value - self->least) / (self->most - self->least) : 0.5;
      GdkRGBA color = ls_look_fade (look, LS_LOOK_TEXT, 0.08 + 0.72 * CLAMP (share, 0, 1));

      gtk_snapshot_append_color (snapshot, &color, &bounds);
    }
  else if (!finite && written)
    gtk_snapshot_append_color (snapshot, ls_look_get (look, LS_LOOK_ERROR_BG), &bounds);
  if (numbers && written)
    {
      g_autofree char *text = isnan (value) ? g_strdup ("nan") : g_strdup_printf ("%.3g", value);

      gtk_snapshot_push_clip (snapshot, &bounds);
      ls_draw_text (snapshot, gtk_widget_get_pango_context (GTK_WIDGET (self)), &font, text, bounds.origin.x + bounds.size.width - 3,
                    bounds.origin.y + bounds.size.height / 2, 1, 0.5f, ls_look_get (look, finite ? LS_LOOK_TEXT : LS_LOOK_ERROR));
      gtk_snapshot_pop (snapshot);
    }
}

static void
draw_dashed (GtkSnapshot           *snapshot,
             const graphene_rect_t *bounds,
             const GdkRGBA         *color)
{
  float x = bounds->origin.x, y = bounds->origin.y, w = bounds->size.width, h = bounds->size.height;

  for (float at = 0; at < w; at += 6)
    {
      ls_draw_line (snapshot, x + at, y, x + MIN (at + 3, w), y, 2, color);
      ls_draw_line (snapshot, x + at, y + h, x + MIN (at + 3, w), y + h, 2, color);
    }
  for (float at = 0; at < h; at += 6)
    {
      ls_draw_line (snapshot, x, y + at, x, y + MIN (at + 3, h), 2, color);
      ls_draw_line (snapshot, x + w, y + at, x + w, y + MIN (at + 3, h), 2, color);
    }
}

static void
draw_accesses (LsRunGrid    *self,
               GtkSnapshot  *snapshot,
               const LsLook *look,
               float         width,
               float         height)
{
  for (gsize i = 0; self->accesses != NULL && i < g_variant_n_children (self->accesses); i++)
    {
      g_autoptr (GVariant) access = g_variant_get_child_value (self->accesses, i);
      const char *kind = "";
      graphene_rect_t bounds;
      guint x, y;

      if (!place_of (self, access, &x, &y))
        continue;
      g_variant_lookup (access, "kind", "&s", &kind);
      bounds = cell_bounds (width, height, x, y);
      if (strcmp (kind, "write") == 0)
        ls_draw_frame (snapshot, &bounds, 0, 2, ls_look_get (look, LS_LOOK_ACCENT));
      else
        draw_dashed (snapshot, &bounds, ls_look_get (look, LS_LOOK_ACCENT));
    }
}

static void
draw_trail (LsRunGrid    *self,
            GtkSnapshot  *snapshot,
            const LsLook *look,
            float         width,
            float         height)
{
  gsize n = self->trail != NULL ? g_variant_n_children (self->trail) : 0;
  float last_x = 0, last_y = 0;
  gboolean has_last = FALSE;

  for (gsize i = 0; i < n; i++)
    {
      g_autoptr (GVariant) access = g_variant_get_child_value (self->trail, i);
      GdkRGBA color = ls_look_fade (look, LS_LOOK_ACCENT, 0.25 + 0.75 * (double) (i + 1) / (double) n);
      float radius = MIN (width >= NUMBER_WIDTH ? 3 : 4, MIN (width, height) / 4), at_x, at_y;
      const char *kind = "";
      graphene_rect_t bounds;
      guint x, y;

      if (!place_of (self, access, &x, &y))
        {
          has_last = FALSE;     /* of another slice, or beyond what is shown */
          continue;
        }
      g_variant_lookup (access, "kind", "&s", &kind);
      bounds = cell_bounds (width, height, x, y);
      /* where numbers have room, below them at the left */
      at_x = bounds.origin.x + (width >= NUMBER_WIDTH ? 6 : bounds.size.width / 2);
      at_y = bounds.origin.y + (width >= NUMBER_WIDTH ? bounds.size.height - 4 : bounds.size.height / 2);
      if (has_last && (last_x != at_x || last_y != at_y))
        ls_draw_line (snapshot, last_x, last_y, at_x, at_y, 1.5f, &color);
      if (strcmp (kind, "write") == 0)
        ls_draw_disc (snapshot, at_x, at_y, radius, &color);
      else
        ls_draw_ring (snapshot, at_x, at_y, radius, 1.5f, &color);
      last_x = at_x;
      last_y = at_y;
      has_last = TRUE;
    }
}

static void
ls_run_grid_snapshot (GtkWidget   *widget,
                      GtkSnapshot *snapshot)
{
  LsRunGrid *self = LS_RUN_GRID (widget);
  float width, height;
  LsLook look;

  if (self->grid == NULL || self->rows == 0 || self->columns == 0)
    return;
  ls_look_from_widget (widget, &look);
  cell_size (self, &width, &height);
  ls_draw_renew (snapshot, &GRAPHENE_RECT_INIT (0, 0, width * (float) self->columns + 4, height * (float) self->rows + 4), ++self->serial);
  for (guint y = 0; y < self->rows; y++)
    for (guint x = 0; x < self->columns; x++)
      draw_cell (self, snapshot, &look, width, height, x, y);
  draw_hatch (self, snapshot, &look, width, height);
  ls_draw_frame (snapshot, &GRAPHENE_RECT_INIT (1, 1, width * (float) self->columns + 1, height * (float) self->rows + 1), 0, 1,
                 ls_look_get (&look, LS_LOOK_NEUTRAL));
  draw_trail (self, snapshot, &look, width, height);
  draw_accesses (self, snapshot, &look, width, height);
  if (gtk_widget_has_visible_focus (widget))
    {
      graphene_rect_t bounds = cell_bounds (width, height, self->x, self->y);

      ls_draw_frame (snapshot, &GRAPHENE_RECT_INIT (bounds.origin.x - 2, bounds.origin.y - 2, bounds.size.width + 4, bounds.size.height + 4), 2, 2,
                     ls_look_get (&look, LS_LOOK_ACCENT_TEXT));
    }
}

/* ---- the keyboard's cell ------------------------------------------------------------------ */

char *
ls_run_grid_words (LsRunGrid *self)
{
  g_autoptr (GVariant) slice = NULL;
  g_autoptr (GVariant) shape = NULL;
  g_autoptr (GString) words = NULL;
  const gint64 *outer;
  gsize n, n_dims;

  if (self->grid == NULL || self->rows == 0 || self->columns == 0)
    return g_strdup ("");
  slice = g_variant_lookup_value (self->grid, "slice", G_VARIANT_TYPE ("ax"));
  shape = g_variant_lookup_value (self->grid, "shape", G_VARIANT_TYPE ("ax"));
  outer = g_variant_get_fixed_array (slice, &n, sizeof (gint64));
  n_dims = g_variant_n_children (shape);
  words = g_string_new (self->buffer);
  g_string_append_c (words, '[');
  for (gsize i = 0; i < n; i++)
    g_string_append_printf (words, "%" G_GINT64_FORMAT ", ", outer[i]);
  if (n_dims > 1)
    g_string_append_printf (words, "%" G_GINT64_FORMAT ", ", self->row + self->y);
  g_string_append_printf (words, "%" G_GINT64_FORMAT "]", self->column + self->x);
  if (!isnan (value_at (self, self->x, self->y)))
    g_string_append_printf (words, " = %.6g", value_at (self, self->x, self->y));
  else if (is_written (self, self->x, self->y))
    g_string_append (words, " = nan");
  if (is_written (self, self->x, self->y))
    return g_strdup (words->str);
  /* Translators: of an element of an array: C[2, 3] = 0, or C[2, 3] where there is nothing */
  return g_strdup_printf (_("%s, not written yet"), words->str);
}

static void
tell_cell (LsRunGrid *self)
{
  g_autofree char *words = ls_run_grid_words (self);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, *words != '\0' ? words : _("Values"), -1);
  g_signal_emit (self, cell_changed, 0);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* An extent of the array from its end: 0 the columns, 1 the rows. */
static gint64
extent_of (LsRunGrid *self,
           gsize      from_end)
{
  g_autoptr (GVariant) shape = g_variant_lookup_value (self->grid, "shape", G_VARIANT_TYPE ("ax"));
  gsize n = shape != NULL ? g_variant_n_children (shape) : 0;
  gint64 extent = 1;

  if (n > from_end)
    g_variant_get_child (shape, n - 1 - from_end, "x", &extent);
  return extent;
}

/* Where the first row or column of a part has to be for a cell to be well inside. */
static gint64
part_around (gint64 cell,
             gint64 first,
             gint64 shown,
             gint64 extent)
{
  if (cell >= first && cell < first + shown)
    return first;
  return CLAMP (cell - shown / 2, 0, MAX (extent - shown, 0));
}

static void
forget_wanted (LsRunGrid *self)
{
  self->wanted_row = self->wanted_column = self->asked_row = self->asked_column = -1;
}

static gboolean
is_shown (LsRunGrid *self,
          gint64     row,
          gint64     column)
{
  return row >= self->row && column >= self->column && row < self->row + self->rows && column < self->column + self->columns;
}

/* The part from this first cell on, for the element. */
static void
want_part (LsRunGrid *self,
           gint64     y,
           gint64     x,
           gint64     row,
           gint64     column)
{
  self->wanted_row = y;
  self->wanted_column = x;
  self->asked_row = row;
  self->asked_column = column;
  g_signal_emit (self, part_wanted, 0, row, column);
  if (is_shown (self, y, x))
    forget_wanted (self);       /* it came at once */
}

/* The cell of the keyboard, also to where the array goes on beyond what is shown. */
static void
go_by (LsRunGrid *self,
       int        down,
       int        right)
{
  gint64 n_rows = extent_of (self, 1), n_columns = extent_of (self, 0);
  gboolean on_its_way = self->wanted_row >= 0;  /* keys may come faster than parts */
  gint64 y = CLAMP ((on_its_way ? self->wanted_row : self->row + self->y) + down, 0, n_rows - 1);
  gint64 x = CLAMP ((on_its_way ? self->wanted_column : self->column + self->x) + right, 0, n_columns - 1);
  gint64 row = part_around (y, self->row, self->rows, n_rows), column = part_around (x, self->column, self->columns, n_columns);

  if (row != self->row || column != self->column)
    {
      if (!g_signal_has_handler_pending (self, part_wanted, 0, FALSE))
        return;         /* nobody has more of it */
      want_part (self, y, x, row, column);
      return;
    }
  /* What was asked for before is still to come, and will be another part. */
  self->wanted_row = self->asked_row >= 0 ? y : -1;
  self->wanted_column = self->asked_row >= 0 ? x : -1;
  self->x = (guint) (x - column);
  self->y = (guint) (y - row);
}

/* Along the row to its begin (-1) or end (1), or to the first or last element of all; where nobody has more of the array, of what is shown. */
static void
go_far (LsRunGrid *self,
        gboolean   all,
        int        way)
{
  const int far = G_MAXINT / 4;

  if (g_signal_has_handler_pending (self, part_wanted, 0, FALSE))
    {
      go_by (self, all ? way * far : 0, way * far);
      return;
    }
  self->x = way < 0 ? 0 : self->columns - 1;
  if (all)
    self->y = way < 0 ? 0 : self->rows - 1;
}

static gboolean
key_pressed (GtkEventControllerKey *keys,
             guint                  key,
             guint                  code,
             GdkModifierType        state,
             LsRunGrid             *self)
{
  gboolean far = (state & GDK_CONTROL_MASK) != 0 && (key == GDK_KEY_Home || key == GDK_KEY_End);

  if ((state & (GDK_ALT_MASK | GDK_SHIFT_MASK)) != 0 || ((state & GDK_CONTROL_MASK) != 0 && !far) || self->rows == 0 || self->columns == 0)
    return FALSE;
  switch (key)
    {
    case GDK_KEY_Left: go_by (self, 0, -1); break;
    case GDK_KEY_Right: go_by (self, 0, 1); break;
    case GDK_KEY_Up: go_by (self, -1, 0); break;
    case GDK_KEY_Down: go_by (self, 1, 0); break;
    case GDK_KEY_Page_Up: go_by (self, -(int) self->rows, 0); break;
    case GDK_KEY_Page_Down: go_by (self, (int) self->rows, 0); break;
    case GDK_KEY_Home: go_far (self, far, -1); break;
    case GDK_KEY_End: go_far (self, far, 1); break;
    default: return FALSE;
    }
  tell_cell (self);
  return TRUE;
}

static void
pressed (GtkGestureClick *click,
         int              n,
         double           x,
         double           y,
         LsRunGrid       *self)
{
  float width, height;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (self->rows == 0 || self->columns == 0)
    return;
  cell_size (self, &width, &height);
  forget_wanted (self);
  self->x = (guint) CLAMP ((x - 2) / width, 0, self->columns - 1);
  self->y = (guint) CLAMP ((y - 2) / height, 0, self->rows - 1);
  tell_cell (self);
}

/* ---- the widget ------------------------------------------------------------------------------ */

/* Another part of the same array has come: the keyboard stays on its element, or goes on to the one that is wanted.  y, x: where it stood. */
static void
keep_cell (LsRunGrid *self,
           gint64     y,
           gint64     x)
{
  if (self->wanted_row >= 0)
    {
      y = self->wanted_row;
      x = self->wanted_column;
    }
  if (self->row == self->asked_row && self->column == self->asked_column)
    self->asked_row = self->asked_column = -1;
  if (is_shown (self, y, x))
    {
      self->x = (guint) (x - self->column);
      self->y = (guint) (y - self->row);
    }
  if (self->wanted_row < 0 || self->asked_row >= 0)
    return;
  if (is_shown (self, y, x))
    forget_wanted (self);
  else          /* keys went on within the part before this one */
    want_part (self, y, x, part_around (y, self->row, self->rows, extent_of (self, 1)), part_around (x, self->column, self->columns, extent_of (self, 0)));
}

void
ls_run_grid_set (LsRunGrid *self,
                 GVariant  *grid,
                 GVariant  *accesses)
{
  g_autoptr (GVariant) kept = grid != NULL ? g_variant_ref (grid) : NULL;
  g_autoptr (GVariant) kept_accesses = accesses != NULL ? g_variant_ref (accesses) : NULL;
  g_autofree char *buffer = g_steal_pointer (&self->buffer);
  gint64 y = self->row + self->y, x = self->column + self->x;
  guint rows = self->rows;

  g_clear_pointer (&self->grid, g_variant_unref);
  g_clear_pointer (&self->values, g_variant_unref);
  g_clear_pointer (&self->written, g_variant_unref);
  g_clear_pointer (&self->accesses, g_variant_unref);
  g_clear_pointer (&self->trail, g_variant_unref);
  self->rows = self->columns = 0;
  if (kept != NULL)
    {
      self->grid = g_steal_pointer (&kept);
      self->accesses = g_steal_pointer (&kept_accesses);
      self->values = g_variant_lookup_value (self->grid, "values", G_VARIANT_TYPE ("ad"));
      self->written = g_variant_lookup_value (self->grid, "written", G_VARIANT_TYPE ("ab"));
      g_variant_lookup (self->grid, "buffer", "s", &self->buffer);
      g_variant_lookup (self->grid, "row", "x", &self->row);
      g_variant_lookup (self->grid, "column", "x", &self->column);
      g_variant_lookup (self->grid, "rows", "u", &self->rows);
      g_variant_lookup (self->grid, "columns", "u", &self->columns);
      self->least = self->most = 0;
      g_variant_lookup (self->grid, "least", "d", &self->least);
      g_variant_lookup (self->grid, "most", "d", &self->most);
    }
  if (self->grid == NULL || g_strcmp0 (self->buffer, buffer) != 0)
    forget_wanted (self);
  else
    keep_cell (self, y, x);
  self->x = MIN (self->x, MAX (self->columns, 1) - 1);
  self->y = MIN (self->y, MAX (self->rows, 1) - 1);
  if (self->rows != rows)
    gtk_widget_queue_resize (GTK_WIDGET (self));
  tell_cell (self);
}

void
ls_run_grid_go (LsRunGrid *self,
                gint64     row,
                gint64     column)
{
  if (!is_shown (self, row, column))
    return;
  forget_wanted (self);
  self->x = (guint) (column - self->column);
  self->y = (guint) (row - self->row);
  tell_cell (self);
}

static void
ls_run_grid_measure (GtkWidget      *widget,
                     GtkOrientation  orientation,
                     int             for_size,
                     int            *minimum,
                     int            *natural,
                     int            *minimum_baseline,
                     int            *natural_baseline)
{
  LsRunGrid *self = LS_RUN_GRID (widget);
  int rows = self->rows > 0 ? (int) ceilf (MOST_HEIGHT * (float) self->rows) + 4 : LEAST_HEIGHT;

  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 264 : LEAST_HEIGHT;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 420 : CLAMP (rows, LEAST_HEIGHT, ls_theme_grow_in (widget, USUAL_HEIGHT));
}

void
ls_run_grid_set_trail (LsRunGrid *self,
                       GVariant  *trail)
{
  if (trail != NULL)
    g_variant_ref (trail);
  g_clear_pointer (&self->trail, g_variant_unref);
  self->trail = trail;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
ls_run_grid_finalize (GObject *object)
{
  LsRunGrid *self = LS_RUN_GRID (object);

  g_clear_pointer (&self->grid, g_variant_unref);
  g_clear_pointer (&self->values, g_variant_unref);
  g_clear_pointer (&self->written, g_variant_unref);
  g_clear_pointer (&self->accesses, g_variant_unref);
  g_clear_pointer (&self->trail, g_variant_unref);
  g_free (self->buffer);
  G_OBJECT_CLASS (ls_run_grid_parent_class)->finalize (object);
}

static void
ls_run_grid_class_init (LsRunGridClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ls_run_grid_finalize;
  widget_class->measure = ls_run_grid_measure;
  widget_class->snapshot = ls_run_grid_snapshot;
  cell_changed = g_signal_new ("cell-changed", LS_TYPE_RUN_GRID, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  part_wanted = g_signal_new ("part-wanted", LS_TYPE_RUN_GRID, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_INT64, G_TYPE_INT64);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
ls_run_grid_init (LsRunGrid *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  forget_wanted (self);
  gtk_widget_set_direction (GTK_WIDGET (self), GTK_TEXT_DIR_LTR);       /* indices count from the left, as the elements lie */
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  g_signal_connect (click, "pressed", G_CALLBACK (pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}

GtkWidget *
ls_run_grid_new (void)
{
  return g_object_new (LS_TYPE_RUN_GRID, NULL);
}
