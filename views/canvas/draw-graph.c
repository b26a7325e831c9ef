/* draw-graph: nodes and clusters; the lines are draw-graph-edges, the sizes draw-graph-sizes. */
#include "engine/graph/styles.h"
#include "views/canvas/draw-graph-private.h"

#include "views/canvas/draw-pin.h"
#include "views/canvas/text-cache.h"
#include "views/models/format.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define BAR_LENGTH 80.0f
#define NO_TEXT_BELOW 0.4        /* of a graph with more than FAR_NODES */
#define LEAST_LETTERS 6.5        /* pixels: smaller ones are not read, and names take the place of all texts */
#define FAR_NODES 800
#define FAR_PIXELS 11.0
#define FAR_MARK 11.0           /* pixels: what changed, from far away */
#define FAR_ZOOM 0.1
#define BOXES_BELOW 0.25        /* of a graph with more than FAR_NODES */

static const LsFont FIGURE = { .scale = 0.85f, .bold = TRUE, .tabular = TRUE };
static const LsFont SMALL = { .scale = 0.85f, .tabular = TRUE };

/* ---- the painter ---------------------------------------------------------------------- */

static const LsGraphNode *
shown_node (const LsGraphScene *scene,
            guint               place)
{
  LsGraphState *state = ls_graph_series_state (scene->series, scene->state);

  return state->nodes[place] >= 0 ? ls_graph_node (state->graph, state->nodes[place]) : ls_graph_node (scene->series->whole, place);
}

static void
put_text (LsGraphPaint *paint,
          const LsFont *font,
          LsLookToken   color,
          const char   *text,
          float         x,
          float         y,
          float         room,
          float         xalign)
{
  g_autoptr (PangoLayout) layout = NULL;
  int width, height;

  if (text == NULL || *text == '\0' || !paint->with_text || room < 8.0f)
    return;
  layout = ls_text_cache_get (paint->pango, font, text);
  pango_layout_get_pixel_size (layout, &width, &height);
  if ((float) width > room)
    {
      g_object_unref (layout);
      layout = ls_draw_layout (paint->pango, font, text);
      pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
      pango_layout_set_width (layout, (int) (room * PANGO_SCALE));
      pango_layout_get_pixel_size (layout, &width, &height);
    }
  gtk_snapshot_save (paint->snapshot);
  gtk_snapshot_translate (paint->snapshot, &GRAPHENE_POINT_INIT (roundf (x - xalign * (float) width), roundf (y - (float) height / 2.0f)));
  gtk_snapshot_append_layout (paint->snapshot, layout, ls_look_get (paint->look, color));
  gtk_snapshot_restore (paint->snapshot);
}

void
ls_graph_dashed (LsGraphPaint          *paint,
                 const graphene_rect_t *bounds,
                 float                  radius,
                 float                  width,
                 const double          *dashes,
                 LsLookToken            color)
{
  const graphene_rect_t area = GRAPHENE_RECT_INIT (bounds->origin.x - 2.0f, bounds->origin.y - 2.0f, bounds->size.width + 4.0f, bounds->size.height + 4.0f);
  cairo_t *cr = ls_draw_cairo (paint->snapshot, &area);
  double x = bounds->origin.x, y = bounds->origin.y, w = bounds->size.width, h = bounds->size.height, r = MIN (radius, MIN (w, h) / 2.0);

  gdk_cairo_set_source_rgba (cr, ls_look_get (paint->look, color));
  cairo_set_line_width (cr, width);
  cairo_set_dash (cr, dashes, 2, 0.0);
  cairo_new_sub_path (cr);
  cairo_arc (cr, x + w - r, y + r, r, -G_PI_2, 0.0);
  cairo_arc (cr, x + w - r, y + h - r, r, 0.0, G_PI_2);
  cairo_arc (cr, x + r, y + h - r, r, G_PI_2, G_PI);
  cairo_arc (cr, x + r, y + r, r, G_PI, 1.5 * G_PI);
  cairo_close_path (cr);
  cairo_stroke (cr);
  cairo_destroy (cr);
}

/* Texts as they stand in the picture; else only what is told from far away. */
static gboolean
shows_texts (PangoContext       *pango,
             const LsGraphScene *scene,
             double              zoom)
{
  if (scene->layout->n_nodes > FAR_NODES)
    return zoom >= NO_TEXT_BELOW;
  return zoom * ls_graph_smallest_letters (pango) >= LEAST_LETTERS;
}

/* Is what stands out told of a graph that is seen from so far that its texts are not? */
static gboolean
is_told_from_far (LsGraphPaint *paint)
{
  return !paint->with_text && paint->scene->layout->n_nodes <= FAR_NODES && paint->zoom >= FAR_ZOOM;
}

/* "+", "~" or "−" in a square at the upper right corner; from far away as large as it has to be. */
static void
draw_mark (LsGraphPaint          *paint,
           LsGraphMark            mark,
           const graphene_rect_t *box)
{
  const char *signs[] = { NULL, "+", "~", "−", NULL };
  float side = paint->with_text ? 16.0f : (float) (FAR_MARK / paint->zoom), x = box->origin.x + box->size.width - side / 2.0f, y = box->origin.y - side / 2.0f;

  if (signs[mark] == NULL || !(paint->with_text || is_told_from_far (paint)))
    return;
  ls_draw_rounded (paint->snapshot, &GRAPHENE_RECT_INIT (x - 1.0f, y - 1.0f, side + 2.0f, side + 2.0f), 3.0f, ls_look_get (paint->look, LS_LOOK_VIEW));
  ls_draw_badge (paint->snapshot, paint->pango, paint->look, x, y, side, mark == LS_GRAPH_ADDED ? LS_BADGE_FILLED : LS_BADGE_OUTLINED, signs[mark]);
}

/* How many matches begin in a group that is folded: on its lower edge, at the right. */
static void
draw_count (LsGraphPaint          *paint,
            guint                  place,
            const graphene_rect_t *box)
{
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (paint->matched, GUINT_TO_POINTER (place)));
  g_autofree char *words = NULL;
  float width, height = 18.0f * ls_graph_letter_scale (paint->pango);
  graphene_rect_t ground;

  if (n == 0 || !paint->with_text)
    return;
  words = g_strdup_printf (ngettext ("%u match", "%u matches", n), n);
  width = ls_graph_text_width (paint->pango, &FIGURE, words) + 12.0f;
  ground = GRAPHENE_RECT_INIT (box->origin.x + box->size.width - width - 8.0f, box->origin.y + box->size.height - height / 2.0f, width, height);
  ls_draw_rounded (paint->snapshot, &ground, 4.0f, ls_look_get (paint->look, LS_LOOK_VIEW));
  ls_draw_frame (paint->snapshot, &ground, 4.0f, 1.0f, ls_look_get (paint->look, LS_LOOK_TEXT));
  put_text (paint, &FIGURE, LS_LOOK_TEXT, words, ground.origin.x + 6.0f, ground.origin.y + height / 2.0f, width, 0.0f);
}

static void
draw_figure (LsGraphPaint          *paint,
             const LsGraphNode     *node,
             const graphene_rect_t *box,
             float                  y)
{
  double value = ls_graph_figure_value (&node->numbers, paint->scene->figure);
  g_autofree char *text = ls_graph_figure_text (&node->numbers, paint->scene->figure);
  g_autofree char *share = value >= 0.0 && paint->scene->figure != LS_GRAPH_FIGURE_ROOF && paint->total > 0.0 ? ls_format_share (value / paint->total) : NULL;
  float left = box->origin.x + LS_GRAPH_PAD, right = box->origin.x + box->size.width - LS_GRAPH_PAD;
  float bar, words;
  GdkRGBA color;

  if (paint->scene->figure == LS_GRAPH_FIGURE_NONE)
    {
      put_text (paint, &SMALL, LS_LOOK_DIM, node->type, left, y, right - left, 0.0f);
      return;
    }
  if (text == NULL)
    {
      put_text (paint, &SMALL, LS_LOOK_DIM, paint->scene->figure == LS_GRAPH_FIGURE_TIME || paint->scene->figure == LS_GRAPH_FIGURE_ROOF ? _("not measured") : _("not known"), left, y, right - left, 0.0f);
      return;
    }
  words = ls_graph_text_width (paint->pango, &FIGURE, text) + (share != NULL ? ls_graph_text_width (paint->pango, &SMALL, share) + 6.0f : 0.0f);
  bar = MIN (right - left - words - 14.0f, BAR_LENGTH * ls_graph_letter_scale (paint->pango));
  put_text (paint, &FIGURE, LS_LOOK_TEXT, text, right - (share != NULL ? ls_graph_text_width (paint->pango, &SMALL, share) + 6.0f : 0.0f), y, right - left, 1.0f);
  put_text (paint, &SMALL, LS_LOOK_TEXT, share, right, y, right - left, 1.0f);
  if (bar < 16.0f || !paint->with_text)
    return;
  color = ls_look_bar (paint->look);
  color.alpha *= 0.3f;
  ls_draw_rounded (paint->snapshot, &GRAPHENE_RECT_INIT (left, y - 4.0f, bar, 8.0f), 2.0f, &color);
  color = ls_look_fade (paint->look, LS_LOOK_TEXT, 0.62);
  ls_draw_rounded (paint->snapshot, &GRAPHENE_RECT_INIT (left, y - 4.0f, MAX (2.0f, bar * (float) (paint->most > 0.0 ? value / paint->most : 0.0)), 8.0f), 2.0f, &color);
}

static void
draw_card (LsGraphPaint          *paint,
           const LsGraphNode     *node,
           const graphene_rect_t *box)
{
  float left = box->origin.x + LS_GRAPH_PAD, room = box->size.width - 2.0f * LS_GRAPH_PAD;
  float row = box->size.height / 3.6f;

  put_text (paint, &ls_graph_title_font, LS_LOOK_TEXT, node->title, left, box->origin.y + row * 0.8f, room, 0.0f);
  put_text (paint, &ls_graph_detail_font, LS_LOOK_DIM, node->detail, left, box->origin.y + row * 1.72f, room, 0.0f);
  draw_figure (paint, node, box, box->origin.y + row * 2.75f);
}

static void
draw_group (LsGraphPaint          *paint,
            const LsGraphNode     *node,
            const graphene_rect_t *box)
{
  float left = box->origin.x + LS_GRAPH_PAD, room = box->size.width - 2.0f * LS_GRAPH_PAD;

  if (paint->scene->figure != LS_GRAPH_FIGURE_NONE)
    {
      draw_card (paint, node, box);
      return;
    }
  put_text (paint, &ls_graph_title_font, LS_LOOK_TEXT, node->title, left, box->origin.y + box->size.height * 0.32f, room, 0.0f);
  put_text (paint, &ls_graph_detail_font, LS_LOOK_DIM, node->detail, left, box->origin.y + box->size.height * 0.68f, room, 0.0f);
}

static float
radius_of (const LsGraphNode     *node,
           const graphene_rect_t *box)
{
  return node->kind == LS_GRAPH_NODE_CALL || node->kind == LS_GRAPH_NODE_GROUP ? 6.0f : box->size.height / 2.0f;
}

static void
draw_outline (LsGraphPaint          *paint,
              const LsGraphNode     *node,
              guint                  place,
              const graphene_rect_t *box)
{
  static const double DASHES[] = { 4.0, 3.0 };
  LsGraphMark mark = paint->state->marks[place];
  gboolean selected = paint->scene->selected == (gint) place || ls_graph_scene_is_marked (paint->scene, place);
  float radius = radius_of (node, box);

  if (mark == LS_GRAPH_REMOVED || node->kind == LS_GRAPH_NODE_CONSTANT || node->is_gone)
    ls_graph_dashed (paint, box, radius, 1.0f, DASHES, selected ? LS_LOOK_ACCENT : LS_LOOK_NEUTRAL);
  else if (selected)
    ls_draw_frame (paint->snapshot, box, radius, 2.0f, ls_look_get (paint->look, LS_LOOK_ACCENT));
  else if (node->kind == LS_GRAPH_NODE_RESULT)
    ls_draw_frame (paint->snapshot, box, radius, 2.0f, ls_look_get (paint->look, LS_LOOK_TEXT));
  else
    ls_draw_frame (paint->snapshot, box, radius, 1.0f, ls_look_get (paint->look, LS_LOOK_NEUTRAL));
  if (g_hash_table_contains (paint->matched, GUINT_TO_POINTER (place)))
    {
      graphene_rect_t around = *box;

      graphene_rect_inset (&around, -5.0f, -5.0f);
      ls_graph_dashed (paint, &around, radius + 3.0f, 1.5f, DASHES, LS_LOOK_TEXT);
    }
  if (paint->scene->focused == (gint) place)
    {
      graphene_rect_t around = *box;

      graphene_rect_inset (&around, -3.0f, -3.0f);
      ls_draw_frame (paint->snapshot, &around, radius + 2.0f, 2.0f, ls_look_get (paint->look, LS_LOOK_ACCENT));
    }
}

/* From far away only the title, in letters that can still be read. */
static void
draw_far_title (LsGraphPaint          *paint,
                const LsGraphNode     *node,
                const graphene_rect_t *box)
{
  LsFont font = { .pixels = (float) MIN (box->size.height * 0.8, FAR_PIXELS / paint->zoom), .bold = TRUE, .mono = TRUE };
  const char *title = node->title;
  gsize before;

  if (!is_told_from_far (paint) || (double) font.pixels * paint->zoom < LEAST_LETTERS)
    return;
  paint->with_text = TRUE;
  if (ls_graph_text_width (paint->pango, &font, title) > box->size.width - 8.0f)
    title = ls_graph_own_name (node, &before);
  put_text (paint, &font, LS_LOOK_TEXT, title, box->origin.x + box->size.width / 2.0f, box->origin.y + box->size.height / 2.0f, box->size.width - 8.0f, 0.5f);
  paint->with_text = FALSE;
}

/* At the upper left corner, half outside. */
static void
draw_node_pins (LsGraphPaint          *paint,
                const LsGraphNode     *node,
                const graphene_rect_t *box)
{
  guint value = paint->scene->pins != NULL && node->entity != 0
                  ? GPOINTER_TO_UINT (g_hash_table_lookup (paint->scene->pins, ls_graph_pin_key (node->entity))) : 0;

  if (value != 0)
    ls_draw_pins (paint->snapshot, paint->pango, paint->look, box->origin.x - 6.0f, box->origin.y - 8.0f, LS_CHIP_SIZE,
                  (guint8) (value & 0xff), (guint8) (value >> 8));
}

/* The letters of searches that are kept: of a node its one, of a folded group those that some of its calls have. */
static void
draw_style (LsGraphPaint          *paint,
            guint                  style,
            const graphene_rect_t *box)
{
  guint bits = (style & LS_GRAPH_STYLE_PARTLY) != 0 ? style & ~LS_GRAPH_STYLE_PARTLY : style > 0 ? 1u << (style - 1) : 0;
  float x = box->origin.x - 8.0f;

  for (guint i = 0; i < LS_GRAPH_MOST_STYLES; i++)
    if ((bits >> i & 1) != 0)
      {
        ls_draw_chip (paint->snapshot, paint->pango, paint->look, x, box->origin.y - 8.0f, 16.0f, i);
        x += 18.0f;
      }
}

static void
draw_node (LsGraphPaint *paint,
           guint         place)
{
  const LsGraphNode *node = shown_node (paint->scene, place);
  const LsGraphBox *at = &paint->scene->layout->nodes[place];
  graphene_rect_t box = GRAPHENE_RECT_INIT (at->x, at->y, at->width, at->height);
  LsGraphMark mark = paint->state->marks[place];
  guint style = ls_graph_scene_style (paint->scene, paint->state, place);
  LsLookToken fill = paint->scene->selected == (gint) place || ls_graph_scene_is_marked (paint->scene, place) ? LS_LOOK_SELECTED : paint->scene->hovered == (gint) place ? LS_LOOK_HOVER : LS_LOOK_VIEW;

  if (node->kind == LS_GRAPH_NODE_GROUP)
    {
      graphene_rect_t behind = GRAPHENE_RECT_INIT (box.origin.x + 6.0f, box.origin.y + 6.0f, box.size.width - 6.0f, box.size.height - 6.0f);

      ls_draw_rounded (paint->snapshot, &behind, 6.0f, ls_look_get (paint->look, LS_LOOK_WINDOW));
      ls_draw_frame (paint->snapshot, &behind, 6.0f, 1.0f, ls_look_get (paint->look, LS_LOOK_NEUTRAL));
      box.size.width -= 6.0f;
      box.size.height -= 6.0f;
    }
  if (mark == LS_GRAPH_REMOVED)
    gtk_snapshot_push_opacity (paint->snapshot, 0.6);
  ls_draw_rounded (paint->snapshot, &box, radius_of (node, &box), ls_look_get (paint->look, fill));
  if (style > 0 && (style & LS_GRAPH_STYLE_PARTLY) == 0)
    {
      GdkRGBA wash = *ls_look_family (paint->look, style - 1u);

      wash.alpha *= 0.2f;
      ls_draw_rounded (paint->snapshot, &box, radius_of (node, &box), &wash);
    }
  draw_outline (paint, node, place, &box);
  switch (node->kind)
    {
    case LS_GRAPH_NODE_VALUE:
    case LS_GRAPH_NODE_CONSTANT:
    case LS_GRAPH_NODE_RESULT:
      put_text (paint, &ls_graph_title_font, node->kind == LS_GRAPH_NODE_CONSTANT ? LS_LOOK_DIM : LS_LOOK_TEXT, node->title, box.origin.x + box.size.width / 2.0f,
                box.origin.y + box.size.height / 2.0f, box.size.width - 12.0f, 0.5f);
      break;
    case LS_GRAPH_NODE_CALL:
      draw_card (paint, node, &box);
      break;
    case LS_GRAPH_NODE_GROUP:
      draw_group (paint, node, &box);
      break;
    }
  draw_far_title (paint, node, &box);
  if (mark == LS_GRAPH_REMOVED)
    gtk_snapshot_pop (paint->snapshot);
  draw_mark (paint, mark, &box);
  if (node->kind == LS_GRAPH_NODE_GROUP)
    draw_count (paint, place, &box);
  draw_node_pins (paint, node, &box);
  draw_style (paint, style, &box);
}

/* ---- clusters ---------------------------------------------------------------------------- */

static gboolean *
used_clusters (const LsGraphScene *scene,
               gboolean            ghosts)
{
  LsGraph *whole = scene->series->whole;
  LsGraphState *state = ls_graph_series_state (scene->series, scene->state);
  gboolean *used = g_new0 (gboolean, whole->clusters->len + 1);

  for (guint i = 0; i < whole->nodes->len; i++)
    if (ghosts ? state->marks[i] != LS_GRAPH_ABSENT : state->nodes[i] >= 0)
      for (gint c = ls_graph_node (whole, i)->cluster; c >= 0 && !used[c]; c = ls_graph_cluster (whole, c)->parent)
        used[c] = TRUE;
  return used;
}

static void
draw_cluster (LsGraphPaint *paint,
              guint         i)
{
  static const double DOTS[] = { 1.5, 3.0 };
  LsGraphCluster *cluster = ls_graph_cluster (paint->scene->series->whole, i);
  const LsGraphBox *at = &paint->scene->layout->clusters[i];
  const graphene_rect_t box = GRAPHENE_RECT_INIT (at->x, at->y, at->width, at->height);

  switch (cluster->kind)
    {
    case LS_GRAPH_CLUSTER_FUNCTION:
      ls_draw_rounded (paint->snapshot, &box, 8.0f, ls_look_get (paint->look, LS_LOOK_WINDOW));
      ls_draw_frame (paint->snapshot, &box, 8.0f, 1.0f, ls_look_get (paint->look, LS_LOOK_BORDER));
      break;
    case LS_GRAPH_CLUSTER_DATAFLOW:
      ls_graph_dashed (paint, &box, 4.0f, 1.5f, DOTS, LS_LOOK_NEUTRAL);
      break;
    case LS_GRAPH_CLUSTER_BRANCH:
    case LS_GRAPH_CLUSTER_GROUP:
      ls_draw_frame (paint->snapshot, &box, 4.0f, 1.0f, ls_look_get (paint->look, LS_LOOK_NEUTRAL));
      break;
    }
}

/* Above the lines, on a ground of its own. */
static void
draw_title (LsGraphPaint *paint,
            guint         i)
{
  LsGraphCluster *cluster = ls_graph_cluster (paint->scene->series->whole, i);
  const LsGraphBox *at = &paint->scene->layout->clusters[i];
  gboolean bottom = cluster->kind == LS_GRAPH_CLUSTER_DATAFLOW;
  float x = at->x + 14.0f, y = bottom ? at->y + at->height - 15.0f : at->y + 15.0f;
  float name = ls_graph_text_width (paint->pango, &ls_graph_name_font, cluster->title), detail = ls_graph_text_width (paint->pango, &ls_graph_detail_font, cluster->detail);

  if (!paint->with_text)
    return;
  gtk_snapshot_append_color (paint->snapshot, ls_look_get (paint->look, ls_graph_function_around (paint, (gint) i) ? LS_LOOK_WINDOW : LS_LOOK_VIEW),
                             &GRAPHENE_RECT_INIT (x - 4.0f, y - 9.0f, MIN (name + detail + 16.0f, at->width - 20.0f), 18.0f));
  put_text (paint, &ls_graph_name_font, LS_LOOK_TEXT, cluster->title, x, y, at->width - 20.0f, 0.0f);
  put_text (paint, &ls_graph_detail_font, LS_LOOK_DIM, cluster->detail, x + name + 8.0f, y, at->width - name - 28.0f, 0.0f);
}

/* ---- match -------------------------------------------------------------------------------- */

static void
draw_bracket (LsGraphPaint *paint)
{
  GPtrArray *matches = paint->scene->matches;
  GArray *match = matches != NULL && paint->scene->match < matches->len ? matches->pdata[paint->scene->match] : NULL;
  const GdkRGBA *color = ls_look_get (paint->look, LS_LOOK_TEXT);
  float left = G_MAXFLOAT, top = G_MAXFLOAT, bottom = -G_MAXFLOAT, width;
  g_autofree char *words = NULL;

  if (match == NULL)
    return;
  for (guint i = 0; i < match->len; i++)
    {
      const LsGraphBox *box = &paint->scene->layout->nodes[paint->state->places[g_array_index (match, guint, i)]];

      left = MIN (left, box->x);
      top = MIN (top, box->y);
      bottom = MAX (bottom, box->y + box->height);
    }
  left -= 24.0f;
  ls_draw_line (paint->snapshot, left, top - 5.0f, left, bottom + 5.0f, 1.5f, color);
  ls_draw_line (paint->snapshot, left, top - 5.0f, left + 12.0f, top - 5.0f, 1.5f, color);
  ls_draw_line (paint->snapshot, left, bottom + 5.0f, left + 12.0f, bottom + 5.0f, 1.5f, color);
  words = g_strdup_printf (_("%u of %u"), paint->scene->match + 1, matches->len);
  width = ls_graph_text_width (paint->pango, &ls_graph_name_font, words);
  if (paint->with_text)         /* above it: what stands at the left of a picture leaves no room beside it */
    ls_draw_rounded (paint->snapshot, &GRAPHENE_RECT_INIT (left - 4.0f, top - 29.0f, width + 8.0f, 20.0f), 4.0f, ls_look_get (paint->look, LS_LOOK_WINDOW));
  put_text (paint, &ls_graph_name_font, LS_LOOK_TEXT, words, left, top - 19.0f, 200.0f, 0.0f);
}

/* ---- the whole ----------------------------------------------------------------------------- */

GHashTable *
ls_graph_scene_matches (const LsGraphScene *scene)
{
  GHashTable *begin = g_hash_table_new (NULL, NULL);
  const guint *places = scene->matches != NULL ? ls_graph_series_state (scene->series, scene->state)->places : NULL;

  for (guint i = 0; places != NULL && i < scene->matches->len; i++)
    for (guint k = 0; k < ((GArray *) scene->matches->pdata[i])->len; k++)
      {
        gpointer place = GUINT_TO_POINTER (places[g_array_index ((GArray *) scene->matches->pdata[i], guint, k)]);
        guint n = GPOINTER_TO_UINT (g_hash_table_lookup (begin, place));

        g_hash_table_insert (begin, place, GUINT_TO_POINTER (n + (k == 0 ? 1 : 0)));
      }
  return begin;
}

static void
sum_figures (LsGraphPaint *paint)
{
  for (guint i = 0; i < paint->state->graph->nodes->len; i++)
    {
      double value = ls_graph_figure_value (&ls_graph_node (paint->state->graph, i)->numbers, paint->scene->figure);

      paint->total += MAX (value, 0.0);
      paint->most = MAX (paint->most, value);
    }
  if (paint->scene->figure == LS_GRAPH_FIGURE_ROOF)
    paint->most = MAX (paint->most, 1.0);       /* the roof itself */
}

static void
draw_nodes (LsGraphPaint *paint)
{
  g_autoptr (GArray) rest = g_array_new (FALSE, FALSE, sizeof (guint));

  if (paint->is_far)
    ls_draw_graph_far (paint, rest);
  for (guint i = 0; i < rest->len; i++)
    draw_node (paint, g_array_index (rest, guint, i));
  for (guint i = 0; !paint->is_far && i < paint->scene->layout->n_nodes; i++)
    if (paint->state->marks[i] != LS_GRAPH_ABSENT && ls_graph_paint_sees (paint, &paint->scene->layout->nodes[i]))
      draw_node (paint, i);
}

void
ls_draw_graph (GtkSnapshot           *snapshot,
               PangoContext          *pango,
               const LsLook          *look,
               const LsGraphScene    *scene,
               const graphene_rect_t *visible,
               double                 zoom)
{
  g_autoptr (GHashTable) matched = ls_graph_scene_matches (scene);
  LsGraphPaint paint = { snapshot, pango, look, scene, ls_graph_series_state (scene->series, scene->state), visible, zoom, shows_texts (pango, scene, zoom),
                         visible != NULL && zoom < BOXES_BELOW && scene->layout->n_nodes > FAR_NODES, matched };
  g_autofree gboolean *used = used_clusters (scene, TRUE);

  sum_figures (&paint);
  for (guint i = 0; i < scene->layout->n_clusters; i++)
    if (used[i] && scene->layout->clusters[i].width > 0.0f)
      draw_cluster (&paint, i);
  ls_draw_graph_edges (&paint);
  for (guint i = 0; i < scene->layout->n_clusters; i++)
    if (used[i] && scene->layout->clusters[i].width > 0.0f && ls_graph_paint_sees (&paint, &scene->layout->clusters[i]))
      draw_title (&paint, i);
  draw_nodes (&paint);
  draw_bracket (&paint);
}

void
ls_draw_graph_node (GtkSnapshot        *snapshot,
                    PangoContext       *pango,
                    const LsLook       *look,
                    const LsGraphScene *scene,
                    guint               place,
                    double              zoom)
{
  g_autoptr (GHashTable) matched = ls_graph_scene_matches (scene);
  LsGraphPaint paint = { snapshot, pango, look, scene, ls_graph_series_state (scene->series, scene->state), NULL, zoom, shows_texts (pango, scene, zoom), FALSE, matched };

  sum_figures (&paint);
  draw_node (&paint, place);
}

void
ls_graph_scene_around (const LsGraphScene *scene,
                       guint               place,
                       graphene_rect_t    *area)
{
  const LsGraphLayout *layout = scene->layout;
  const LsGraphBox *box = &layout->nodes[place];

  *area = GRAPHENE_RECT_INIT (box->x, box->y, box->width, box->height);
  for (guint i = 0; i < layout->n_edges; i++)
    {
      const LsGraphEdge *edge = ls_graph_edge (scene->series->whole, i);
      guint other = edge->from == place ? edge->to : edge->from;

      if (edge->from != place && edge->to != place)
        continue;
      box = &layout->nodes[other];
      graphene_rect_union (area, &GRAPHENE_RECT_INIT (box->x, box->y, box->width, box->height), area);
      for (guint k = layout->start[i]; k < layout->start[i + 1]; k++)
        graphene_rect_union (area, &GRAPHENE_RECT_INIT (layout->points[k].x, layout->points[k].y, 1.0f, 1.0f), area);
    }
}

void
ls_graph_scene_bounds (const LsGraphScene *scene,
                       gboolean            ghosts,
                       graphene_rect_t    *bounds)
{
  LsGraphState *state = ls_graph_series_state (scene->series, scene->state);
  g_autofree gboolean *used = used_clusters (scene, ghosts);
  float left = G_MAXFLOAT, top = G_MAXFLOAT, right = -G_MAXFLOAT, bottom = -G_MAXFLOAT;

  for (guint i = 0; i < scene->layout->n_nodes + scene->layout->n_clusters; i++)
    {
      gboolean is_node = i < scene->layout->n_nodes;
      const LsGraphBox *box = is_node ? &scene->layout->nodes[i] : &scene->layout->clusters[i - scene->layout->n_nodes];

      if (is_node ? (ghosts ? state->marks[i] == LS_GRAPH_ABSENT : state->nodes[i] < 0) : !used[i - scene->layout->n_nodes])
        continue;
      left = MIN (left, box->x);
      top = MIN (top, box->y);
      right = MAX (right, box->x + box->width);
      bottom = MAX (bottom, box->y + box->height);
    }
  for (guint i = 0; i < scene->layout->n_edges && right > left; i++)    /* a line may go around what is not in this state */
    for (guint j = scene->layout->start[i]; (state->edges[i] >= 0 || (ghosts && ls_graph_scene_is_shadow_line (scene, i))) && j < scene->layout->start[i + 1]; j++)
      {
        const LsGraphPoint *point = &scene->layout->points[j];

        left = MIN (left, point->x);
        top = MIN (top, point->y);
        right = MAX (right, point->x);
        bottom = MAX (bottom, point->y);
      }
  *bounds = right > left ? GRAPHENE_RECT_INIT (left, top, right - left, bottom - top) : GRAPHENE_RECT_INIT (0, 0, 0, 0);
}

gint
ls_graph_scene_hit (const LsGraphScene *scene,
                    float               x,
                    float               y)
{
  LsGraphState *state = ls_graph_series_state (scene->series, scene->state);

  for (guint i = scene->layout->n_nodes; i-- > 0;)
    {
      const LsGraphBox *box = &scene->layout->nodes[i];

      if (state->marks[i] != LS_GRAPH_ABSENT && x >= box->x && x <= box->x + box->width && y >= box->y && y <= box->y + box->height)
        return (gint) i;
    }
  return -1;
}
