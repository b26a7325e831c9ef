/* access/plot: how many squares a buffer gets, and which one an element is in. */
#include "views/access/grid.h"

#include "views/models/format.h"

#include <glib/gi18n.h>
#include <math.h>

#define LEAST_CELL 5
#define MOST_CELL 22
#define LEAST_WRAP 16

static gint64
ceil_div (gint64 a,
          gint64 b)
{
  return (a + b - 1) / b;
}

/* The smallest power of two with which `n` elements find room. */
static guint
elements_a_square (gint64 n,
                   double room)
{
  guint per = 1;

  while ((double) ceil_div (n, per) * LEAST_CELL > room && per < n)
    per *= 2;
  return per;
}

LsAccessPlot
ls_access_plot (const LsAccessBuffer *buffer,
                double                width,
                double                height)
{
  gint64 n = MAX (buffer->n, 1);
  LsAccessPlot self = { .columns = MAX (buffer->shape[MAX (buffer->ndim, 1) - 1], 1) };
  double cell;

  if (buffer->ndim <= 1)
    {
      gint64 wrap = LEAST_WRAP;

      while (wrap * wrap < 2 * n && wrap < n)
        wrap *= 2;
      self.wraps = n > wrap;
      self.columns = MIN (n, wrap);
    }
  self.rows = ceil_div (n, self.columns);
  self.per_x = elements_a_square (self.columns, width);
  self.per_y = elements_a_square (self.rows, height);
  self.n_x = (guint) ceil_div (self.columns, self.per_x);
  self.n_y = (guint) ceil_div (self.rows, self.per_y);
  cell = MIN (width / self.n_x, height / self.n_y);
  self.cell = (guint) CLAMP (floor (cell), LEAST_CELL, MOST_CELL);
  return self;
}

void
ls_access_plot_at (const LsAccessPlot *plot,
                   gint64              element,
                   guint              *x,
                   guint              *y)
{
  *x = MIN ((guint) (element % plot->columns / plot->per_x), plot->n_x - 1);
  *y = MIN ((guint) (element / plot->columns / plot->per_y), plot->n_y - 1);
}

char *
ls_access_plot_words (const LsAccessPlot   *plot,
                      const LsAccessBuffer *buffer)
{
  GString *words = g_string_new (NULL);

  for (guint i = 0; i < buffer->ndim; i++)
    {
      g_autofree char *extent = ls_format_count (buffer->shape[i]);

      g_string_append_printf (words, "%s%s", i > 0 ? " × " : "", extent);
    }
  if (plot->wraps)
    {
      g_string_append (words, ", ");
      /* Translators: a buffer of one dimension is drawn in rows of so many elements */
      g_string_append_printf (words, _("in rows of %u"), (guint) plot->columns);
    }
  if (plot->per_x > 1 || plot->per_y > 1)
    {
      g_string_append (words, ", ");
      /* Translators: rows and columns of a buffer's elements in each drawn square */
      g_string_append_printf (words, _("%u × %u elements a square"), plot->per_y, plot->per_x);
    }
  return g_string_free (words, FALSE);
}
