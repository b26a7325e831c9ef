/* LsScriptGutter: draws one line's number and marks. */
#include "views/script/gutter.h"

#include "views/parts/theme.h"

#include "views/canvas/draw.h"
#include "views/canvas/text-cache.h"

#include <glib/gi18n.h>
#include <math.h>

#define NUMBER_SIZE 38.0f
#define MARKS_SIZE 42.0f
#define CHIP_SIZE 15.0f

struct _LsScriptGutter
{
  GtkSourceGutterRenderer parent_instance;

  const LsScriptShown *shown;   /* borrowed: the pane owns the gutter */
  LsScriptText *measured;       /* text that `width` is for; only compared */
  int           width;
};

G_DEFINE_FINAL_TYPE (LsScriptGutter, ls_script_gutter, GTK_SOURCE_TYPE_GUTTER_RENDERER)

/* They grow with the letters beside them. */
static float
grown (float size)
{
  return roundf (size * (float) ls_theme_get_scale () / 100.0f);
}

static gboolean
has_note (LsScriptText *text,
          guint         line)
{
  for (guint i = 0; i < ls_script_text_n_notes (text); i++)
    if (ls_script_text_get_note (text, i)->line == line + 1)
      return TRUE;

  return FALSE;
}

static void
draw_background (LsScriptGutter     *self,
                 GtkSnapshot        *snapshot,
                 const LsLook       *look,
                 const LsScriptLine *info,
                 guint               line,
                 float               y,
                 float               height)
{
  float width = (float) gtk_widget_get_width (GTK_WIDGET (self));
  graphene_rect_t row = GRAPHENE_RECT_INIT (0.0f, y, width, height);
  gboolean selected = ls_script_shown_is_selected (self->shown, line);
  gboolean compare = self->shown->compare;

  if (compare ? info->change == LS_LINE_NEW : selected)
    gtk_snapshot_append_color (snapshot, ls_look_get (look, LS_LOOK_SELECTED), &row);
  else if (compare && info->change == LS_LINE_GONE)
    gtk_snapshot_append_color (snapshot, ls_look_get (look, LS_LOOK_WARN_BG), &row);
  if (!selected)
    return;
  row.size.width = 3.0f;
  gtk_snapshot_append_color (snapshot, ls_look_get (look, LS_LOOK_ACCENT), &row);
}

static const char *
change_sign (LsLineChange change)
{
  switch (change)
    {
    case LS_LINE_NEW:
      return "+";
    case LS_LINE_GONE:
      return "−";
    case LS_LINE_MOVED:
      return "→";
    case LS_LINE_SAME:
      return NULL;
    }

  return NULL;
}

/* What a lesson speaks of. */
static void
draw_here (GtkSnapshot  *snapshot,
           PangoContext *pango,
           const LsLook *look,
           float         x,
           float         middle)
{
  static const LsFont font = { .scale = 0.72f, .bold = TRUE };
  g_autoptr (PangoLayout) layout = ls_draw_layout (pango, &font, _("here"));
  graphene_rect_t bounds;
  int width, height;

  pango_layout_get_pixel_size (layout, &width, &height);
  bounds = GRAPHENE_RECT_INIT (x - 2.0f, roundf (middle - (float) height / 2.0f), (float) width + 7.0f, (float) height);
  ls_draw_frame (snapshot, &bounds, 3.0f, 1.0f, ls_look_get (look, LS_LOOK_ACCENT));
  ls_draw_text (snapshot, pango, &font, _("here"), x + 2.0f, middle, 0.0f, 0.5f, ls_look_get (look, LS_LOOK_ACCENT_TEXT));
}

static void
draw_marks (LsScriptGutter     *self,
            GtkSnapshot        *snapshot,
            const LsLook       *look,
            const LsScriptLine *info,
            float               middle)
{
  PangoContext *pango = gtk_widget_get_pango_context (GTK_WIDGET (self));
  float x = grown (NUMBER_SIZE) + 4;
  float y = roundf (middle - grown (CHIP_SIZE) / 2.0f);

  if (self->shown->compare)
    {
      const char *sign = change_sign (info->change);
      LsFont font = { .bold = TRUE, .mono = TRUE };

      if (sign != NULL)
        ls_draw_text (snapshot, pango, &font, sign, x + 12, middle, 0.5f, 0.5f,
                      ls_look_get (look, LS_LOOK_TEXT));
      return;
    }

  if (info->here && info->families.n == 0 && info->step == 0)
    {
      draw_here (snapshot, pango, look, x, middle);
      return;
    }
  ls_draw_chips (snapshot, pango, look, x, y, grown (CHIP_SIZE), &info->families);
  if (info->families.n > 0)
    x += ls_draw_chips_width (&info->families, grown (CHIP_SIZE)) + 3.0f;
  else
    x += 8.0f;
  if (info->step > 0)
    {
      g_autofree char *tag = g_strdup_printf ("%u", info->step);

      ls_draw_badge (snapshot, pango, look, x, y + 1.0f, grown (CHIP_SIZE) - 2.0f, LS_BADGE_OUTLINED, tag);
    }
}

static void
draw_number (LsScriptGutter *self,
             GtkSnapshot    *snapshot,
             const LsLook   *look,
             guint           line,
             float           middle)
{
  g_autofree char *number = g_strdup_printf ("%u", line + 1);
  LsFont font = { .mono = TRUE, .tabular = TRUE, .scale = 0.94f };

  ls_draw_text (snapshot, gtk_widget_get_pango_context (GTK_WIDGET (self)), &font, number,
                grown (NUMBER_SIZE) - 2, middle, 1.0f, 0.5f, ls_look_get (look, LS_LOOK_DIM));
}

static void
ls_script_gutter_snapshot_line (GtkSourceGutterRenderer *renderer,
                                GtkSnapshot             *snapshot,
                                GtkSourceGutterLines    *lines,
                                guint                    line)
{
  LsScriptGutter *self = LS_SCRIPT_GUTTER (renderer);
  LsScriptText *text = self->shown->text;
  const LsScriptLine *info;
  int y, cell, above, height;
  float top, row;
  LsLook look;

  if (text == NULL || line >= ls_script_text_n_lines (text))
    return;

  ls_look_from_widget (GTK_WIDGET (self), &look);
  info = ls_script_text_line (text, line);
  gtk_source_gutter_lines_get_line_yrange (lines, line,
                                           GTK_SOURCE_GUTTER_RENDERER_ALIGNMENT_MODE_CELL, &y,
                                           &cell);
  ls_script_shown_get_row (self->shown, line, cell, &above, &height);
  top = (float) (y + above);
  row = (float) height;
  draw_background (self, snapshot, &look, info, line, top, row);
  draw_number (self, snapshot, &look, line, top + row / 2.0f);
  if (has_note (text, line))
    ls_draw_cross (snapshot, grown (NUMBER_SIZE) + 14, top + row / 2.0f, 4.0f,
                   ls_look_get (&look, LS_LOOK_ERROR));
  else
    draw_marks (self, snapshot, &look, info, top + row / 2.0f);
}

/* Wide enough for the line with most chips; 42 px at least, so that it rarely changes. */
static int
marks_width (LsScriptGutter *self)
{
  LsScriptText *text = self->shown->text;
  float widest = grown (MARKS_SIZE);

  for (guint i = 0; text != NULL && i < ls_script_text_n_lines (text); i++)
    {
      const LsScriptLine *info = ls_script_text_line (text, i);

      if (info->families.n > 0)
        widest = MAX (widest, ls_draw_chips_width (&info->families, grown (CHIP_SIZE)) + 8.0f +
                              (info->step > 0 ? grown (CHIP_SIZE) + 3.0f : 0.0f));
    }
  return (int) ceilf (widest);
}

static void
ls_script_gutter_measure (GtkWidget      *widget,
                          GtkOrientation  orientation,
                          int             for_size,
                          int            *minimum,
                          int            *natural,
                          int            *minimum_baseline,
                          int            *natural_baseline)
{
  LsScriptGutter *self = LS_SCRIPT_GUTTER (widget);
  LsScriptText *text = self->shown->text;

  if (orientation == GTK_ORIENTATION_VERTICAL)
    {
      *minimum = *natural = 0;
      return;
    }
  if (self->measured != text || self->width == 0)
    self->width = marks_width (self);
  self->measured = text;
  *minimum = *natural = (int) grown (NUMBER_SIZE) + (self->shown->compare ? (int) grown (MARKS_SIZE) : self->width);
}

/* Numbers and marks differ in many lines at once. */
static void
ls_script_gutter_snapshot (GtkWidget   *widget,
                           GtkSnapshot *snapshot)
{
  ls_draw_renew (snapshot, &GRAPHENE_RECT_INIT (0.0f, 0.0f, (float) gtk_widget_get_width (widget), (float) gtk_widget_get_height (widget)),
                 LS_SCRIPT_GUTTER (widget)->shown->changes);
  GTK_WIDGET_CLASS (ls_script_gutter_parent_class)->snapshot (widget, snapshot);
}

static void
ls_script_gutter_class_init (LsScriptGutterClass *klass)
{
  GTK_WIDGET_CLASS (klass)->measure = ls_script_gutter_measure;
  GTK_WIDGET_CLASS (klass)->snapshot = ls_script_gutter_snapshot;
  GTK_SOURCE_GUTTER_RENDERER_CLASS (klass)->snapshot_line = ls_script_gutter_snapshot_line;
}

static void
ls_script_gutter_init (LsScriptGutter *self)
{
}

GtkSourceGutterRenderer *
ls_script_gutter_new (const LsScriptShown *shown)
{
  LsScriptGutter *self = g_object_new (LS_TYPE_SCRIPT_GUTTER, NULL);

  self->shown = shown;
  ls_text_cache_add (gtk_widget_get_pango_context (GTK_WIDGET (self)));
  return GTK_SOURCE_GUTTER_RENDERER (self);
}
