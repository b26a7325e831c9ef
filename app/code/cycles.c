/* code/cycles: see the header. */
#include "app/code/cycles.h"

#include "views/canvas/look.h"

#include <glib/gi18n.h>
#include <string.h>

#define GUTTER 44
#define UNIT_LEAST 82           /* pixels of a unit's bar */
#define UNIT_GAP 10
#define UNIT_BAR 6
#define UNIT_AROUND 8           /* above the words and round the bar */
#define MOST_UNITS 6

/* ---- what is drawn ----------------------------------------------------------------- */

static void
unit_clear (gpointer data)
{
  g_free (((LsMcaUnit *) data)->name);
}

static void
cycles_clear (gpointer data)
{
  LsCodeCycles *self = data;

  g_array_unref (self->cycles);
  g_array_unref (self->chain);
  g_array_unref (self->units);
  g_free (self->sentence);
  g_free (self->chain_words);
}

void
ls_code_cycles_unref (LsCodeCycles *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, cycles_clear);
}

LsCodeCycles *
ls_code_cycles_ref (LsCodeCycles *self)
{
  return self != NULL ? g_atomic_rc_box_acquire (self) : NULL;
}

static gboolean
is_of_chain (const LsMca *mca,
             guint        instruction)
{
  for (guint i = 0; ls_mca_waits (mca) && i < mca->chain->len; i++)
    if (g_array_index (mca->chain, LsMcaLink, i).instruction == instruction)
      return TRUE;
  return FALSE;
}

/* "vmulss 3, vaddss 4": the names of the chain with their cycles. */
static void
say_chain (LsCodeCycles *self,
           char        **lines)
{
  GString *words = g_string_new (NULL);

  for (guint i = 0; i < self->chain->len; i++)
    if (g_array_index (self->chain, gboolean, i))
      {
        const char *name = lines[i] + strspn (lines[i], "\t ");

        g_string_append_printf (words, "%s%.*s %d", words->len > 0 ? ", " : "", (int) strcspn (name, " \t"), name, g_array_index (self->cycles, int, i));
      }
  /* Translators: names of instructions, each with its cycles */
  self->chain_words = self->carried ? g_strdup_printf (_("Critical chain, from round to round (cycles of each with its load): %s."), words->str)
                                    : g_strdup_printf (_("Critical chain (cycles of each with its load): %s."), words->str);
  g_string_free (words, TRUE);
}

static char *
why_of (const LsMca *mca)
{
  if (ls_mca_waits (mca))
    return g_strdup (_("A round waits for operations that depend on each other: no unit is busy all the time."));
  if (mca->unit != NULL && mca->busy >= 0.9 * mca->cycles)
    return g_strdup_printf (_("A round takes as long as unit %s needs."), mca->unit);
  return g_strdup (_("A round takes as long as its instructions need to be started."));
}

LsCodeCycles *
ls_code_cycles_new (const LsInnerLoop *loop,
                    const LsMca       *mca,
                    const char        *cpu)
{
  LsCodeCycles *self = g_atomic_rc_box_new0 (LsCodeCycles);
  g_auto (GStrv) lines = g_strsplit (loop->text, "\n", -1);
  g_autofree char *why = why_of (mca);
  guint instruction = 0;

  self->first = loop->first;
  self->last = loop->last;
  self->cycles = g_array_new (FALSE, FALSE, sizeof (int));
  self->chain = g_array_new (FALSE, FALSE, sizeof (gboolean));
  self->units = g_array_new (FALSE, FALSE, sizeof (LsMcaUnit));
  g_array_set_clear_func (self->units, unit_clear);
  self->round = mca->cycles;
  self->chain_first = G_MAXUINT;
  for (guint i = 0; i <= loop->last - loop->first && lines[i] != NULL; i++)
    {
      gboolean label = g_str_has_suffix (lines[i], ":"), of_chain = !label && is_of_chain (mca, instruction);
      int cycles = label || instruction >= mca->latencies->len ? -1 : (int) g_array_index (mca->latencies, guint, instruction);

      g_array_append_val (self->cycles, cycles);
      g_array_append_val (self->chain, of_chain);
      self->chain_first = of_chain ? MIN (self->chain_first, i) : self->chain_first;
      self->chain_last = of_chain ? i : self->chain_last;
      instruction += !label;
    }
  for (guint i = 0; i < mca->chain->len; i++)
    self->carried |= g_array_index (mca->chain, LsMcaLink, i).carried;
  for (guint i = 0; i < MIN (mca->units->len, MOST_UNITS); i++)
    {
      LsMcaUnit unit = g_array_index (mca->units, LsMcaUnit, i);

      unit.name = g_strdup (unit.name);
      g_array_append_val (self->units, unit);
    }
  /* Translators: cycles, a processor as LLVM calls it (znver4), and a sentence */
  self->sentence = g_strdup_printf (_("A round of its innermost loop takes %.3g cycles on %s where each load hits the first cache. %s"), mca->cycles, cpu, why);
  if (self->chain_first <= self->chain_last && self->chain_first != G_MAXUINT)
    say_chain (self, lines);
  return self;
}

/* ---- beside the instructions ---------------------------------------------------------- */

typedef struct {
  GtkLabel     *label;          /* borrowed; a sibling */
  LsCodeCycles *cycles;
  guint         at;
} Gutter;

static void
gutter_free (gpointer data)
{
  ls_code_cycles_unref (((Gutter *) data)->cycles);
  g_free (data);
}

static void
draw_number (GtkWidget     *widget,
             cairo_t       *cr,
             const GdkRGBA *color,
             int            cycles,
             double         middle)
{
  g_autofree char *text = g_strdup_printf ("%d", cycles);
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, text);
  int width, height;

  pango_layout_get_pixel_size (layout, &width, &height);
  gdk_cairo_set_source_rgba (cr, color);
  cairo_move_to (cr, GUTTER - 20 - width, middle - height / 2.0);
  pango_cairo_show_layout (cr, layout);
}

/* The part of the chain that goes through this line: a disc where the instruction is of it, a line to its neighbours, and where it goes on in the next round a
 * line back up on the right. */
static void
draw_chain (const LsCodeCycles *cycles,
            cairo_t            *cr,
            const GdkRGBA      *color,
            guint               i,
            double              top,
            double              bottom)
{
  double x = GUTTER - 12, back = GUTTER - 4, middle = (top + bottom) / 2.0;
  double from = i == cycles->chain_first ? middle : top, to = i == cycles->chain_last ? middle : bottom;

  gdk_cairo_set_source_rgba (cr, color);
  cairo_set_line_width (cr, 2.0);
  cairo_move_to (cr, x, from);
  cairo_line_to (cr, x, to);
  cairo_stroke (cr);
  if (cycles->carried)
    {
      cairo_set_line_width (cr, 1.0);
      cairo_move_to (cr, back, from);
      cairo_line_to (cr, back, to);
      if (i == cycles->chain_first || i == cycles->chain_last)
        {
          cairo_move_to (cr, x, middle);
          cairo_line_to (cr, back, middle);
        }
      cairo_stroke (cr);
    }
  if (g_array_index (cycles->chain, gboolean, i))
    {
      cairo_arc (cr, x, middle, 4.0, 0.0, 2 * G_PI);
      cairo_fill (cr);
    }
}

static void
draw_gutter (GtkDrawingArea *area,
             cairo_t        *cr,
             int             width,
             int             height,
             gpointer        data)
{
  Gutter *self = data;
  g_autoptr (PangoLayoutIter) iter = NULL;
  LsLook look;
  guint at = self->at;
  int left, top;

  if (self->cycles == NULL)
    return;
  ls_look_from_widget (GTK_WIDGET (area), &look);
  gtk_label_get_layout_offsets (self->label, &left, &top);
  iter = pango_layout_get_iter (gtk_label_get_layout (self->label));
  do
    {
      PangoRectangle line;
      guint i = at - self->cycles->first;

      pango_layout_iter_get_line_extents (iter, NULL, &line);
      if (at >= self->cycles->first && at <= self->cycles->last && i < self->cycles->cycles->len)
        {
          double begin = top + (double) line.y / PANGO_SCALE, end = begin + (double) line.height / PANGO_SCALE;
          int cycles = g_array_index (self->cycles->cycles, int, i);
          gboolean of_chain = g_array_index (self->cycles->chain, gboolean, i);

          if (cycles >= 0)
            draw_number (GTK_WIDGET (area), cr, &look.colors[of_chain ? LS_LOOK_WARN : LS_LOOK_DIM], cycles, (begin + end) / 2.0);
          if (i >= self->cycles->chain_first && i <= self->cycles->chain_last)
            draw_chain (self->cycles, cr, &look.colors[LS_LOOK_WARN], i, begin, end);
        }
      at++;
    }
  while (pango_layout_iter_next_line (iter));
}

GtkWidget *
ls_code_gutter_new (GtkLabel *instructions)
{
  GtkWidget *area = gtk_drawing_area_new ();
  Gutter *self = g_new0 (Gutter, 1);

  self->label = instructions;
  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (area), GUTTER);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), draw_gutter, self, gutter_free);
  gtk_widget_add_css_class (area, "reason");
  g_object_set_data (G_OBJECT (area), "gutter", self);
  return area;
}

void
ls_code_gutter_show (GtkWidget    *gutter,
                     LsCodeCycles *cycles,
                     guint         at)
{
  Gutter *self = g_object_get_data (G_OBJECT (gutter), "gutter");

  ls_code_cycles_ref (cycles);
  ls_code_cycles_unref (self->cycles);
  self->cycles = cycles;
  self->at = at;
  gtk_widget_queue_draw (gutter);
}

/* ---- units ----------------------------------------------------------------------------- */

/* (transfer full) */
static PangoLayout *
unit_words (GtkWidget       *area,
            const LsMcaUnit *unit)
{
  g_autofree char *text = g_strdup_printf ("%s %.3g", unit->name, unit->cycles);

  return gtk_widget_create_pango_layout (area, text);
}

/* What the widest words take, so that none is cut at any size of the letters. */
static void
measure_units (GtkWidget    *area,
               LsCodeCycles *cycles,
               int          *width,
               int          *height)
{
  *width = UNIT_LEAST;
  *height = 0;
  for (guint i = 0; i < cycles->units->len; i++)
    {
      g_autoptr (PangoLayout) layout = unit_words (area, &g_array_index (cycles->units, LsMcaUnit, i));
      int w, h;

      pango_layout_get_pixel_size (layout, &w, &h);
      *width = MAX (*width, w);
      *height = MAX (*height, h);
    }
}

static void
draw_units (GtkDrawingArea *area,
            cairo_t        *cr,
            int             width,
            int             height,
            gpointer        data)
{
  LsCodeCycles *cycles = g_object_get_data (G_OBJECT (area), "cycles");
  double bar = height - UNIT_BAR - 3;
  int wide, high;
  LsLook look;

  if (cycles == NULL)
    return;
  ls_look_from_widget (GTK_WIDGET (area), &look);
  measure_units (GTK_WIDGET (area), cycles, &wide, &high);
  for (guint i = 0; i < cycles->units->len && (int) (i + 1) * (wide + UNIT_GAP) <= width; i++)
    {
      const LsMcaUnit *unit = &g_array_index (cycles->units, LsMcaUnit, i);
      double share = CLAMP (unit->cycles / MAX (cycles->round, 1e-9), 0.0, 1.0), left = (double) i * (wide + UNIT_GAP);
      g_autoptr (PangoLayout) layout = unit_words (GTK_WIDGET (area), unit);

      gdk_cairo_set_source_rgba (cr, &look.colors[LS_LOOK_BORDER]);
      cairo_rectangle (cr, left, bar, wide, UNIT_BAR);
      cairo_fill (cr);
      gdk_cairo_set_source_rgba (cr, &look.colors[share >= 0.9 ? LS_LOOK_WARN : LS_LOOK_ACCENT]);
      cairo_rectangle (cr, left, bar, wide * share, UNIT_BAR);
      cairo_fill (cr);
      gdk_cairo_set_source_rgba (cr, &look.colors[LS_LOOK_DIM]);
      cairo_move_to (cr, left, 2);
      pango_cairo_show_layout (cr, layout);
    }
}

GtkWidget *
ls_code_units_new (void)
{
  GtkWidget *area = g_object_new (GTK_TYPE_DRAWING_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG, NULL);

  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), draw_units, NULL, NULL);
  gtk_widget_add_css_class (area, "reason");
  gtk_widget_set_visible (area, FALSE);
  return area;
}

void
ls_code_units_show (GtkWidget    *units,
                    LsCodeCycles *cycles)
{
  GString *words = g_string_new (_("Cycles of a round in which each unit works:"));

  for (guint i = 0; cycles != NULL && i < cycles->units->len; i++)
    g_string_append_printf (words, " %s %.3g", g_array_index (cycles->units, LsMcaUnit, i).name, g_array_index (cycles->units, LsMcaUnit, i).cycles);
  gtk_accessible_update_property (GTK_ACCESSIBLE (units), GTK_ACCESSIBLE_PROPERTY_LABEL, words->str, -1);
  g_string_free (words, TRUE);
  g_object_set_data_full (G_OBJECT (units), "cycles", ls_code_cycles_ref (cycles), (GDestroyNotify) ls_code_cycles_unref);
  gtk_widget_set_visible (units, cycles != NULL && cycles->units->len > 0);
  if (cycles != NULL)
    {
      int wide, high;

      measure_units (units, cycles, &wide, &high);
      gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (units), high + UNIT_BAR + UNIT_AROUND);
    }
  gtk_widget_queue_draw (units);
}
