/* draw-graph-sizes: how large nodes, titles and letters are, before anything is laid out. */
#include "views/canvas/draw-graph-private.h"

#include "views/canvas/text-cache.h"

#include <math.h>
#include <string.h>

#define CARD_LEAST 230.0f
#define CARD_MOST 330.0f
#define CARD_HEIGHT 72.0f
#define GROUP_HEIGHT 72.0f      /* that of a card: a group has numbers too */
#define STADIUM_HEIGHT 34.0f
#define STADIUM_LEAST 72.0f
#define BY_LETTERS 1500          /* nodes; more are measured letter by letter */

const LsFont ls_graph_title_font = { .scale = 0.95f, .bold = TRUE, .mono = TRUE };
const LsFont ls_graph_detail_font = { .scale = 0.85f };
const LsFont ls_graph_name_font = { .scale = 0.9f, .bold = TRUE };

float
ls_graph_text_width (PangoContext *pango,
                     const LsFont *font,
                     const char   *text)
{
  g_autoptr (PangoLayout) layout = NULL;
  int width;

  if (text == NULL || *text == '\0')
    return 0.0f;
  layout = ls_text_cache_get (pango, font, text);
  pango_layout_get_pixel_size (layout, &width, NULL);
  return (float) width;
}

/* Widths of the letters of the two fonts of a card. */
typedef struct {
  PangoContext *pango;
  gboolean      by_letters;     /* the sum of them is good enough: a card has room to spare, and what does not fit is shortened */
  float         title[128], detail[128];        /* 0: not known yet */
} Letters;

static float
letters_width (Letters      *self,
               const LsFont *font,
               float        *widths,
               const char   *text)
{
  float sum = 1.0f;

  for (const char *c = text; self->by_letters && c != NULL && *c != '\0'; c++)
    {
      guint letter = (guchar) *c;

      if (letter >= 128)
        return ls_graph_text_width (self->pango, font, text);
      if (widths[letter] == 0.0f)
        {
          const char ten[] = { *c, *c, *c, *c, *c, *c, *c, *c, *c, *c, '\0' };

          widths[letter] = ls_graph_text_width (self->pango, font, ten) / 10.0f;
        }
      sum += widths[letter];
    }
  return self->by_letters ? ceilf (sum) : ls_graph_text_width (self->pango, font, text);
}

double
ls_graph_smallest_letters (PangoContext *pango)
{
  g_autoptr (PangoLayout) layout = ls_draw_layout (pango, &ls_graph_detail_font, "Ag");
  const PangoFontDescription *font = pango_layout_get_font_description (layout);
  double size = (double) pango_font_description_get_size (font) / PANGO_SCALE;
  double dots = pango_cairo_context_get_resolution (pango);

  return pango_font_description_get_size_is_absolute (font) ? size : size * (dots > 0.0 ? dots : 96.0) / 72.0;
}

float
ls_graph_letter_scale (PangoContext *pango)
{
  g_autoptr (PangoLayout) layout = ls_draw_layout (pango, &ls_graph_detail_font, "Ag");
  int height;

  pango_layout_get_pixel_size (layout, NULL, &height);
  return MAX (1.0f, (float) height / 17.0f);
}

static LsGraphSize
node_size (Letters           *letters,
           const LsGraphNode *node,
           float              scale)
{
  float title = letters_width (letters, &ls_graph_title_font, letters->title, node->title);
  float width = MAX (title, letters_width (letters, &ls_graph_detail_font, letters->detail, node->detail)) + 2.0f * LS_GRAPH_PAD;

  switch (node->kind)
    {
    case LS_GRAPH_NODE_VALUE:
    case LS_GRAPH_NODE_CONSTANT:
    case LS_GRAPH_NODE_RESULT:
      return (LsGraphSize) { CLAMP (title + 2.0f * LS_GRAPH_PAD, STADIUM_LEAST, CARD_MOST), STADIUM_HEIGHT * scale };
    case LS_GRAPH_NODE_CALL:
      return (LsGraphSize) { CLAMP (width, CARD_LEAST * scale, CARD_MOST * scale), CARD_HEIGHT * scale };
    case LS_GRAPH_NODE_GROUP:
      return (LsGraphSize) { CLAMP (width, CARD_LEAST * scale, CARD_MOST * scale) + 6.0f, GROUP_HEIGHT * scale + 6.0f };
    }
  return (LsGraphSize) { CARD_LEAST, CARD_HEIGHT };
}

LsGraphSize *
ls_graph_measure_nodes (PangoContext  *pango,
                        LsGraphSeries *series)
{
  LsGraphSize *sizes = g_new0 (LsGraphSize, series->whole->nodes->len + 1);
  float scale = ls_graph_letter_scale (pango);
  Letters letters = { pango, series->whole->nodes->len > BY_LETTERS };

  for (guint s = 0; s < series->states->len; s++)
    {
      LsGraphState *state = ls_graph_series_state (series, s);

      for (guint i = 0; i < state->graph->nodes->len; i++)
        {
          LsGraphSize size = node_size (&letters, ls_graph_node (state->graph, i), scale);
          LsGraphSize *most = &sizes[state->places[i]];

          most->width = MAX (most->width, roundf (size.width));
          most->height = MAX (most->height, roundf (size.height));
        }
    }
  return sizes;
}

LsGraphSize *
ls_graph_measure_titles (PangoContext  *pango,
                         LsGraphSeries *series)
{
  LsGraph *whole = series->whole;
  LsGraphSize *sizes = g_new0 (LsGraphSize, whole->clusters->len + 1);
  float scale = ls_graph_letter_scale (pango);

  for (guint i = 0; i < whole->clusters->len; i++)
    {
      LsGraphCluster *cluster = ls_graph_cluster (whole, i);
      float width = ls_graph_text_width (pango, &ls_graph_name_font, cluster->title) + ls_graph_text_width (pango, &ls_graph_detail_font, cluster->detail) + 16.0f;

      sizes[i] = (LsGraphSize) { roundf (width), (cluster->kind == LS_GRAPH_CLUSTER_DATAFLOW ? -18.0f : 18.0f) * scale };
    }
  return sizes;
}

GVariant *
ls_graph_measure (PangoContext  *pango,
                  LsGraphSeries *series)
{
  g_autofree LsGraphSize *nodes = ls_graph_measure_nodes (pango, series);
  g_autofree LsGraphSize *titles = ls_graph_measure_titles (pango, series);
  g_autofree LsGraphSize *labels = series->whole->edges->len <= LS_GRAPH_MAX_LABELS ? ls_graph_measure_labels (pango, series) : NULL;

  return ls_graph_layout_request (series->whole, nodes, labels, titles);
}

const char *
ls_graph_own_name (const LsGraphNode *node,
                   gsize             *before)
{
  const char *end = node->kind == LS_GRAPH_NODE_GROUP ? strstr (node->title, " · ") : NULL;

  *before = end != NULL ? (gsize) (end - node->title) + strlen (" · ") : 0;
  return node->title + *before;
}
