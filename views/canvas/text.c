/* canvas/text: a text laid out in one of the look's fonts. */
#include "views/canvas/draw.h"

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
  else if (font->scale > 0.0f && pango_font_description_get_size_is_absolute (desc))
    pango_font_description_set_absolute_size (desc, (double) font->scale *
                                              pango_font_description_get_size (desc));
  else if (font->scale > 0.0f)
    pango_font_description_set_size (desc, (int) (font->scale *
                                                  (float) pango_font_description_get_size (desc)));
  pango_layout_set_font_description (layout, desc);
  if (font->tabular)
    {
      PangoAttrList *attrs = pango_attr_list_new ();

      pango_attr_list_insert (attrs, pango_attr_font_features_new ("tnum=1"));
      pango_layout_set_attributes (layout, attrs);
      pango_attr_list_unref (attrs);
    }
  pango_layout_set_text (layout, text, -1);

  return layout;
}
