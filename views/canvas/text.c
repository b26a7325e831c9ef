/* canvas/text: a text laid out in one of the look's fonts. */
#include "views/canvas/draw.h"

#include <pango/pangocairo.h>

#define FAR_PX 20.0
#define POINTS_PER_INCH 72.0
#define USUAL_DPI 96.0

/* A share of the size around it.  What is written large to be read from afar (slides, a desktop with large letters) has no letters below FAR_PX again. */
static void
set_scaled (PangoContext         *pango,
            PangoFontDescription *desc,
            float                 scale)
{
  gboolean absolute = pango_font_description_get_size_is_absolute (desc);
  double dots = pango_cairo_context_get_resolution (pango);
  double unit = absolute ? 1.0 : (dots > 0.0 ? dots : USUAL_DPI) / POINTS_PER_INCH, full = pango_font_description_get_size (desc) * unit;
  double size = full >= FAR_PX * PANGO_SCALE ? MAX (full * scale, FAR_PX * PANGO_SCALE) : full * scale;

  if (absolute)
    pango_font_description_set_absolute_size (desc, size);
  else
    pango_font_description_set_size (desc, (int) (size / unit));
}

/* A text without letters is a figure: from right to left its signs would change sides, "4, 5" into "5 ,4". */
static gboolean
is_figure (const char *text)
{
  gboolean digit = FALSE;

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      if (g_unichar_isalpha (g_utf8_get_char (p)))
        return FALSE;
      digit = digit || g_unichar_isdigit (g_utf8_get_char (p));
    }
  return digit;
}

PangoLayout *
ls_draw_layout (PangoContext *pango,
                const LsFont *font,
                const char   *text)
{
  PangoLayout *layout = pango_layout_new (pango);
  g_autoptr (PangoFontDescription) desc = NULL;

  desc = pango_font_description_copy (pango_context_get_font_description (pango));
  if (font->mono)
    pango_font_description_set_family_static (desc, "monospace");
  if (font->bold)
    pango_font_description_set_weight (desc, PANGO_WEIGHT_BOLD);
  if (font->pixels > 0.0f)
    pango_font_description_set_absolute_size (desc, (double) font->pixels * PANGO_SCALE);
  else if (font->scale > 0.0f)
    set_scaled (pango, desc, font->scale);
  pango_layout_set_font_description (layout, desc);
  if (font->tabular)
    {
      PangoAttrList *attrs = pango_attr_list_new ();

      pango_attr_list_insert (attrs, pango_attr_font_features_new ("tnum=1"));
      pango_layout_set_attributes (layout, attrs);
      pango_attr_list_unref (attrs);
    }
  if (pango_context_get_base_dir (pango) == PANGO_DIRECTION_RTL && is_figure (text))
    {
      g_autofree char *isolated = g_strconcat ("\342\201\246", text, "\342\201\251", NULL);

      pango_layout_set_text (layout, isolated, -1);
    }
  else
    pango_layout_set_text (layout, text, -1);

  return layout;
}
