/* captions: arrangements are tried from the best to the poorest; the last one leaves captions out. */
#include "views/canvas/captions.h"

#define GAP 8.0f
#define EDGE 2.0f

static float
form_width (const LsCaption *caption,
            int              form)
{
  return form > 0 && caption->widths[form] > 0.0f ? caption->widths[form] : caption->widths[0];
}

static void
put (LsCaption *caption,
     int        row,
     int        form,
     float      width)
{
  float wide = form_width (caption, form);

  caption->row = row;
  caption->form = form > 0 && caption->widths[form] > 0.0f ? form : 0;
  caption->left = CLAMP (caption->middle - wide / 2.0f, EDGE, MAX (EDGE, width - wide - EDGE));
}

static gboolean
meets (const LsCaption *a,
       const LsCaption *b)
{
  return a->row >= 0 && a->row == b->row && a->left < b->left + form_width (b, b->form) + GAP &&
         b->left < a->left + form_width (a, a->form) + GAP;
}

static gboolean
fits (const LsCaption *captions,
      guint            n,
      guint            at,
      float            width)
{
  if (form_width (captions + at, captions[at].form) > width - 2.0f * EDGE)
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (i != at && meets (captions + i, captions + at))
      return FALSE;
  return TRUE;
}

static gboolean
arrange (LsCaption *captions,
         guint      n,
         guint      rows,
         int        form,
         float      width)
{
  for (guint i = 0; i < n; i++)
    put (captions + i, (int) (i % rows), form, width);
  for (guint i = 0; i < n; i++)
    if (!fits (captions, n, i, width))
      return FALSE;
  return TRUE;
}

static void
thin_out (LsCaption *captions,
          guint      n,
          float      width)
{
  guint farthest = 0;

  for (guint i = 0; i < n; i++)
    {
      captions[i].row = -1;
      farthest = MAX (farthest, captions[i].distance);
    }
  for (guint distance = 0; distance <= farthest; distance++)
    for (guint i = 0; i < n; i++)
      for (int place = 0; captions[i].distance == distance && captions[i].row < 0 && place < 2 * LS_CAPTION_FORMS; place++)
        {
          put (captions + i, place / LS_CAPTION_FORMS, place % LS_CAPTION_FORMS, width);
          if (!fits (captions, n, i, width))
            captions[i].row = -1;
        }
}

guint
ls_captions_place (LsCaption *captions,
                   guint      n,
                   float      width)
{
  static const struct { guint rows; int form; } best[] = { { 1, 0 }, { 1, 1 }, { 2, 0 }, { 2, 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (best); i++)
    if (arrange (captions, n, best[i].rows, best[i].form, width))
      return best[i].rows;
  thin_out (captions, n, width);
  return 2;
}
