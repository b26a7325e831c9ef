/* figure: the page, its type and the files.  GSK's nodes draw themselves onto any
 * cairo surface; without a display the font map of pango-cairo sets the text. */
#include "views/canvas/figure.h"

#include <glib/gi18n.h>

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <math.h>
#include <string.h>

#define FONT "Cantarell, Noto Sans, sans-serif 11"
#define POINTS_PER_PIXEL 0.75
#define MAX_PIXELS 32000.0

void
ls_figure_begin (LsFigure *self,
                 gboolean  dark)
{
  g_autoptr (PangoFontDescription) font = pango_font_description_from_string (FONT);
  cairo_font_options_t *options = cairo_font_options_create ();

  *self = (LsFigure) { .look = ls_look_load (dark) };
  self->snapshot = gtk_snapshot_new ();
  self->pango = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  pango_context_set_font_description (self->pango, font);
  pango_cairo_context_set_resolution (self->pango, 96.0);
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options (self->pango, options);
  pango_context_set_round_glyph_positions (self->pango, FALSE);
  cairo_font_options_destroy (options);
}

void
ls_figure_clear (LsFigure *self)
{
  g_clear_object (&self->snapshot);
  g_clear_object (&self->pango);
}

const char *
ls_figure_extension (LsFigureFormat format)
{
  switch (format)
    {
    case LS_FIGURE_PNG:
      return "png";
    case LS_FIGURE_SVG:
      return "svg";
    case LS_FIGURE_PDF:
      return "pdf";
    }

  return NULL;
}

/* ---- files -------------------------------------------------------------- */

static cairo_status_t
append (void                *closure,
        const unsigned char *data,
        unsigned int         length)
{
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *
make_surface (const LsFigure *self,
              LsFigureFormat  format,
              double          scale,
              GByteArray     *bytes)
{
  double width = POINTS_PER_PIXEL * ceil ((double) self->width);
  double height = POINTS_PER_PIXEL * ceil ((double) self->height);
  cairo_surface_t *surface = NULL;

  switch (format)
    {
    case LS_FIGURE_PNG:
      return cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) ceil (self->width * scale),
                                         (int) ceil (self->height * scale));
    case LS_FIGURE_SVG:
      surface = cairo_svg_surface_create_for_stream (append, bytes, ceil (self->width),
                                                     ceil (self->height));
      cairo_svg_surface_set_document_unit (surface, CAIRO_SVG_UNIT_PX);
      return surface;
    case LS_FIGURE_PDF:
      surface = cairo_pdf_surface_create_for_stream (append, bytes, width, height);
      cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATE_DATE,
                                      "2000-01-01T00:00:00Z");
      return surface;
    }

  return surface;
}

/* A very long figure gets fewer pixels: cairo's images end at 32,767. */
static double
scale_for (const LsFigure *self,
           LsFigureFormat  format,
           double          scale)
{
  switch (format)
    {
    case LS_FIGURE_PNG:
      return MIN (scale, MAX_PIXELS / MAX ((double) self->width, (double) self->height));
    case LS_FIGURE_SVG:
      return 1.0;
    case LS_FIGURE_PDF:
      return POINTS_PER_PIXEL;
    }

  return 1.0;
}

static void
paint (const LsFigure  *self,
       GskRenderNode   *node,
       double           scale,
       cairo_surface_t *surface)
{
  cairo_t *cr = cairo_create (surface);

  gdk_cairo_set_source_rgba (cr, ls_look_get (self->look, LS_LOOK_VIEW));
  cairo_paint (cr);
  cairo_scale (cr, scale, scale);
  if (node != NULL)
    gsk_render_node_draw (node, cr);
  cairo_destroy (cr);
}

/* Why it could not be written follows the last colon of what GLib says. */
static gboolean
write_bytes (GByteArray  *bytes,
             const char  *path,
             GError     **error)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autoptr (GError) problem = NULL;
  const char *colon;

  if (g_file_set_contents (path, (const char *) bytes->data, (gssize) bytes->len, &problem))
    return TRUE;
  colon = g_strrstr (problem->message, ": ");
  g_set_error (error, problem->domain, problem->code, _("%s could not be written (%s); it is as it was before."), name,
               colon != NULL ? colon + 2 : problem->message);
  return FALSE;
}

gboolean
ls_figure_write (LsFigure        *self,
                 LsFigureFormat   format,
                 double           scale,
                 const char      *path,
                 GError         **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GskRenderNode) node = gtk_snapshot_to_node (self->snapshot);
  double fitting = scale_for (self, format, scale);
  cairo_surface_t *surface = make_surface (self, format, fitting, bytes);
  cairo_status_t status;

  paint (self, node, fitting, surface);
  if (format == LS_FIGURE_PNG)
    cairo_surface_write_to_png_stream (surface, append, bytes);
  cairo_surface_finish (surface);
  status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  if (status != CAIRO_STATUS_SUCCESS || bytes->len == 0)
    {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s: %s", path,
                   cairo_status_to_string (status));
      return FALSE;
    }

  return write_bytes (bytes, path, error);
}

char *
ls_figure_svg (LsFigure *self)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GskRenderNode) node = gtk_snapshot_to_node (self->snapshot);
  cairo_surface_t *surface = make_surface (self, LS_FIGURE_SVG, 1.0, bytes);
  cairo_t *cr = cairo_create (surface);
  const char *start;

  if (node != NULL)
    gsk_render_node_draw (node, cr);
  cairo_destroy (cr);
  cairo_surface_finish (surface);
  cairo_surface_destroy (surface);
  g_byte_array_append (bytes, (const guint8 *) "", 1);
  start = strstr ((const char *) bytes->data, "<svg");
  return start != NULL ? g_strdup (start) : NULL;
}

/* ---- type --------------------------------------------------------------- */

static LsFont
font_of (LsTextRole role)
{
  switch (role)
    {
    case LS_ROLE_VERDICT:
      return (LsFont) { .scale = 1.4f, .bold = TRUE };
    case LS_ROLE_STRONG:
      return (LsFont) { .scale = 1.0f, .bold = TRUE, .tabular = TRUE };
    case LS_ROLE_BODY:
      return (LsFont) { .scale = 1.0f, .tabular = TRUE };
    case LS_ROLE_REASON:
      return (LsFont) { .scale = 0.9f };
    case LS_ROLE_CAPTION:
      return (LsFont) { .scale = 0.85f, .tabular = TRUE };
    case LS_ROLE_CODE:
      return (LsFont) { .scale = 0.9f, .mono = TRUE };
    case LS_ROLE_CODE_STRONG:
      return (LsFont) { .scale = 0.9f, .mono = TRUE, .bold = TRUE };
    }

  return (LsFont) { .scale = 1.0f };
}

float
ls_figure_text (LsFigure    *self,
                LsTextRole   role,
                LsLookToken  color,
                const char  *text,
                float        x,
                float        y,
                float        xalign)
{
  LsFont font = font_of (role);

  return ls_draw_text (self->snapshot, self->pango, &font, text, x, y, xalign, 0.5f,
                       ls_look_get (self->look, color));
}

float
ls_figure_text_within (LsFigure    *self,
                       LsTextRole   role,
                       LsLookToken  color,
                       const char  *text,
                       float        x,
                       float        y,
                       float        room)
{
  LsFont font = font_of (role);
  g_autoptr (PangoLayout) layout = ls_draw_layout (self->pango, &font, text);
  int width, height;

  if (room < 12.0f)
    return 0.0f;
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  pango_layout_set_width (layout, (int) (room * PANGO_SCALE));
  pango_layout_get_pixel_size (layout, &width, &height);
  gtk_snapshot_save (self->snapshot);
  gtk_snapshot_translate (self->snapshot,
                          &GRAPHENE_POINT_INIT (roundf (x), roundf (y - (float) height / 2.0f)));
  gtk_snapshot_append_layout (self->snapshot, layout, ls_look_get (self->look, color));
  gtk_snapshot_restore (self->snapshot);

  return (float) width;
}

float
ls_figure_text_width (LsFigure   *self,
                      LsTextRole  role,
                      const char *text)
{
  LsFont font = font_of (role);
  g_autoptr (PangoLayout) layout = ls_draw_layout (self->pango, &font, text);
  int width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  return (float) width;
}

void
ls_figure_rule (LsFigure    *self,
                LsLookToken  color,
                float        x,
                float        y,
                float        width)
{
  gtk_snapshot_append_color (self->snapshot, ls_look_get (self->look, color),
                             &GRAPHENE_RECT_INIT (x, y, width, 1.0f));
}
