/* figures/nests: cards in two columns, indented by depth; the ribbons lie between.
 *
 * A ribbon has the colour of the loop's family, and the family's letter is on both of
 * its cards.  Loops that share an end divide its height.  Blocks are joined by a
 * thin line.  A card on the left with nothing on the right ends in a cross. */
#include "views/figures/nests.h"

#include "views/figures/nests-labels.h"
#include "views/models/format.h"

#include <glib/gi18n.h>
#include <math.h>

#define HEAD 96.0f
#define CARD 30.0f
#define PITCH 36.0f
#define GAP 16.0f
#define INDENT 20.0f
#define LEFT_WIDTH 300.0f
#define RIGHT_X 528.0f
#define RIGHT_WIDTH 448.0f
#define RIBBON_HEAD 44.0f
#define LABEL_ROOM 300.0f
#define LABEL_AWAY 12.0f        /* from the cards */
#define COLUMN_LEAST 140.0f     /* as a card */
#define COLUMN_MOST 340.0f
#define THICK 14.0f
#define STUB 44.0f

typedef struct {
  LsLoopItem *item;
  float       x;
  float       width;
  float       y;                /* its middle */
  guint       n;                /* ribbons at its end */
} Card;

/* A link between two cards that are there, with the places of its ends among those of the others. */
typedef struct {
  guint    before;              /* card on the left */
  guint    after;
  guint    from;                /* how many leave the card above it */
  guint    to;
} Ribbon;

struct _LsNests
{
  GArray     *left;             /* of Card */
  GArray     *right;
  GHashTable *left_of;          /* id -> card + 1 */
  GHashTable *right_of;
  GArray     *ribbons;
  GArray     *places;           /* of labels */
  gboolean    labelled;
  gboolean    with_origin;
  float       width;
  float       column;
  float       height;
  /* while it is drawn: */
  LsFigure   *figure;
  float       top;              /* nothing outside is seen */
  float       bottom;
};

typedef LsNests Nests;

#define CARD_AT(cards, i) (&g_array_index (cards, Card, i))

/* ---- places ------------------------------------------------------------- */

static void
place (GArray     *cards,
       LsLoopItem *item,
       float       x,
       float       right,
       float      *y)
{
  GListModel *children = ls_loop_item_get_children (item);
  Card card = { .item = item, .x = x, .width = right - x, .y = *y + CARD / 2.0f };

  g_array_append_val (cards, card);
  *y += PITCH;
  for (guint i = 0; children != NULL && i < g_list_model_get_n_items (children); i++)
    {
      g_autoptr (LsLoopItem) child = g_list_model_get_item (children, i);

      place (cards, child, MIN (x + INDENT, right - 140.0f), right, y);
    }
}

static GArray *
place_all (GPtrArray *roots,
           float      x,
           float      width,
           float      top,
           float     *bottom)
{
  GArray *cards = g_array_new (FALSE, FALSE, sizeof (Card));
  float y = top;

  for (guint i = 0; i < roots->len; i++)
    {
      place (cards, g_ptr_array_index (roots, i), x, x + width, &y);
      y += GAP;
    }
  *bottom = MAX (*bottom, y - GAP);
  return cards;
}

/* The items keep the ids where they are. */
static GHashTable *
index_of (GArray *cards)
{
  GHashTable *index = g_hash_table_new (g_int64_hash, g_int64_equal);

  for (guint i = 0; i < cards->len; i++)
    g_hash_table_insert (index, (gpointer) &ls_loop_item_get (CARD_AT (cards, i)->item)->id, GUINT_TO_POINTER (i + 1));
  return index;
}

static Card *
find (GArray     *cards,
      GHashTable *index,
      guint64     id)
{
  guint at = GPOINTER_TO_UINT (g_hash_table_lookup (index, &id));

  return at > 0 ? CARD_AT (cards, at - 1) : NULL;
}

/* Links both of whose ends are there. */
static GArray *
join (Nests  *self,
      GArray *links)
{
  GArray *ribbons = g_array_new (FALSE, FALSE, sizeof (Ribbon));

  for (guint i = 0; i < links->len; i++)
    {
      const LsNestLink *link = &g_array_index (links, LsNestLink, i);
      Card *a = find (self->left, self->left_of, link->before), *b = find (self->right, self->right_of, link->after);
      Ribbon ribbon;

      if (a == NULL || b == NULL)
        continue;
      ribbon = (Ribbon) { (guint) (a - CARD_AT (self->left, 0)), (guint) (b - CARD_AT (self->right, 0)), a->n++, b->n++ };
      g_array_append_val (ribbons, ribbon);
    }
  return ribbons;
}

static gboolean
is_seen (const Nests *self,
         float        top,
         float        bottom)
{
  return bottom >= self->top && top <= self->bottom;
}

static gboolean
is_card_seen (const Nests *self,
              const Card  *card)
{
  return is_seen (self, card->y - CARD, card->y + CARD);
}

/* ---- ribbons ------------------------------------------------------------ */

static void
trace_ribbon (cairo_t *cr,
              float    x1,
              float    y1,
              float    x2,
              float    y2,
              float    thick)
{
  float middle = (x1 + x2) / 2.0f, half = thick / 2.0f;

  cairo_move_to (cr, x1, y1 - half);
  cairo_curve_to (cr, middle, y1 - half, middle, y2 - half, x2, y2 - half);
  cairo_line_to (cr, x2, y2 + half);
  cairo_curve_to (cr, middle, y2 + half, middle, y1 + half, x1, y1 + half);
  cairo_close_path (cr);
}

static double
ribbon_strength (LsFigure *self)
{
  return self->look->contrast ? 0.70 : 0.34;
}

static void
set_color (LsFigure           *self,
           cairo_t            *cr,
           const LsLoopRecord *record,
           double              alpha)
{
  GdkRGBA color = *ls_look_get (self->look, LS_LOOK_NEUTRAL);

  if (record->families.n > 0)
    {
      color = *ls_look_family (self->look, record->families.family[0]);
      color.alpha *= alpha;
    }
  gdk_cairo_set_source_rgba (cr, &color);
}

/* The middle of part number `i` of a card's end. */
static float
slot (const Card *card,
      guint       i,
      float       thick)
{
  return card->y + ((float) i - (float) (card->n - 1) / 2.0f) * thick;
}

static void
draw_ribbon (Nests        *self,
             cairo_t      *cr,
             const Ribbon *ribbon)
{
  const Card *a = CARD_AT (self->left, ribbon->before), *b = CARD_AT (self->right, ribbon->after);
  const LsLoopRecord *record;
  float thick;

  if (!is_seen (self, MIN (a->y, b->y) - CARD, MAX (a->y, b->y) + CARD))
    return;
  record = ls_loop_item_get (a->item);
  if (record->families.n == 0)
    {
      set_color (self->figure, cr, record, 1.0);
      trace_ribbon (cr, a->x + a->width, a->y, b->x, b->y, 1.6f);
    }
  else
    {
      thick = THICK / (float) MAX (MAX (a->n, b->n), 1);
      set_color (self->figure, cr, record, ribbon_strength (self->figure));
      trace_ribbon (cr, a->x + a->width, slot (a, ribbon->from, thick), b->x, slot (b, ribbon->to, thick), thick);
    }
  cairo_fill (cr);
}

static gboolean
is_gone (const Card *card)
{
  return card->n == 0 && ls_loop_item_get (card->item)->kind != LS_LOOP_FUNCTION;
}

static void
draw_ends (Nests   *self,
           cairo_t *cr)
{
  for (guint i = 0; i < self->left->len; i++)
    {
      Card *card = CARD_AT (self->left, i);
      const LsLoopRecord *record = ls_loop_item_get (card->item);
      float x = card->x + card->width;
      float thick = record->families.n > 0 ? THICK : 1.6f;

      if (!is_gone (card) || !is_card_seen (self, card))
        continue;
      set_color (self->figure, cr, record, ribbon_strength (self->figure));
      cairo_rectangle (cr, x, card->y - thick / 2.0f, STUB, thick);
      cairo_fill (cr);
    }
}

/* With labels the words stand in the label of the step that did it. */
static void
draw_gone_marks (Nests *self)
{
  LsFigure *figure = self->figure;

  for (guint i = 0; i < self->left->len; i++)
    {
      Card *card = CARD_AT (self->left, i);
      float x = card->x + card->width + STUB + 10.0f;

      if (!is_gone (card) || !is_card_seen (self, card))
        continue;
      ls_draw_cross (figure->snapshot, x, card->y, 4.5f, ls_look_get (figure->look, LS_LOOK_ERROR));
      if (self->with_origin)
        ls_figure_text (figure, LS_ROLE_CAPTION, LS_LOOK_DIM, _("gone"), x + 12.0f, card->y, 0.0f);
    }
}

static void
draw_ribbons (Nests *self)
{
  LsFigure *figure = self->figure;
  float top = MAX (self->top, 0.0f);
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (0.0f, top, figure->width, MAX (MIN (self->bottom, figure->height) - top, 1.0f));
  cairo_t *cr = ls_draw_cairo (figure->snapshot, &bounds);

  for (guint i = 0; i < self->ribbons->len; i++)
    draw_ribbon (self, cr, &g_array_index (self->ribbons, Ribbon, i));
  draw_ends (self, cr);
  cairo_destroy (cr);
  draw_gone_marks (self);
}

/* ---- cards -------------------------------------------------------------- */

static void
draw_dashed_frame (LsFigure              *self,
                   const graphene_rect_t *bounds)
{
  cairo_t *cr = ls_draw_cairo (self->snapshot, bounds);
  double dash = 4.0;

  gdk_cairo_set_source_rgba (cr, ls_look_get (self->look, LS_LOOK_NEUTRAL));
  cairo_set_dash (cr, &dash, 1, 0.0);
  cairo_set_line_width (cr, 1.0);
  cairo_rectangle (cr, bounds->origin.x + 0.5f, bounds->origin.y + 0.5f, bounds->size.width - 1.0f,
                   bounds->size.height - 1.0f);
  cairo_stroke (cr);
  cairo_destroy (cr);
}

static float
draw_badges (LsFigure           *self,
             const LsLoopRecord *record,
             float               x,
             float               y)
{
  const char *letter = ls_loop_kind_letter (record->kind);

  if (letter != NULL)
    {
      ls_draw_badge (self->snapshot, self->pango, self->look, x, y - LS_CHIP_SIZE / 2.0f,
                     LS_CHIP_SIZE, ls_badge_for_kind (record->kind), letter);
      x += LS_CHIP_SIZE + 6.0f * (float) g_utf8_strlen (letter, -1);
    }
  if (record->reduction)
    {
      ls_draw_badge (self->snapshot, self->pango, self->look, x, y - LS_CHIP_SIZE / 2.0f,
                     LS_CHIP_SIZE, LS_BADGE_DOUBLE, "R");
      x += LS_CHIP_SIZE + 6.0f;
    }
  return x;
}

static float
draw_mark (LsFigure           *self,
           const LsLoopRecord *record,
           float               x,
           float               y)
{
  if (record->kind == LS_LOOP_BLOCK)
    {
      ls_draw_badge (self->snapshot, self->pango, self->look, x + 2.0f, y - 5.5f, 11.0f,
                     LS_BADGE_EMPTY, NULL);
      return x + LS_CHIP_SIZE + 8.0f;
    }
  ls_draw_chips (self->snapshot, self->pango, self->look, x, y - LS_CHIP_SIZE / 2.0f, LS_CHIP_SIZE,
                 &record->families);
  return x + ls_draw_chips_width (&record->families, LS_CHIP_SIZE) +
         (record->families.n > 0 ? 8.0f : 0.0f);
}

static char *
extent_text (const LsLoopRecord *record)
{
  if (record->kind == LS_LOOP_BLOCK)
    return g_strdup (_("block"));
  if (record->extent >= 0)
    return ls_format_count (record->extent);
  return g_strdup (record->extent_text != NULL ? record->extent_text : "");
}

static void
draw_card (LsFigure   *self,
           const Card *card,
           gboolean    gone,
           gboolean    with_origin)
{
  const LsLoopRecord *record = ls_loop_item_get (card->item);
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (card->x, card->y - CARD / 2.0f, card->width, CARD);
  g_autofree char *extent = extent_text (record);
  float right = card->x + card->width - 12.0f;
  float x, start;

  if (gone)
    draw_dashed_frame (self, &bounds);
  else
    {
      ls_draw_rounded (self->snapshot, &bounds, 4.0f, ls_look_get (self->look, LS_LOOK_VIEW));
      ls_draw_frame (self->snapshot, &bounds, 4.0f, 1.0f, ls_look_get (self->look, LS_LOOK_BORDER));
    }
  start = draw_mark (self, record, card->x + 10.0f, card->y);
  x = start + ls_figure_text_within (self, LS_ROLE_CODE_STRONG, gone ? LS_LOOK_DIM : LS_LOOK_TEXT,
                                     record->name, start, card->y, right - start - 56.0f);
  if (gone)
    ls_draw_line (self->snapshot, start, card->y, x, card->y, 1.0f,
                  ls_look_get (self->look, LS_LOOK_DIM));
  x = draw_badges (self, record, x + 8.0f, card->y);
  right -= 10.0f + ls_figure_text (self, LS_ROLE_BODY,
                                   record->kind == LS_LOOP_BLOCK ? LS_LOOK_DIM : LS_LOOK_TEXT,
                                   extent, right, card->y, 1.0f);
  if (with_origin && record->origin != NULL)
    ls_figure_text_within (self, LS_ROLE_REASON, LS_LOOK_DIM, record->origin, x + 2.0f, card->y,
                           right - x - 2.0f);
}

static void
draw_cards (Nests *self)
{
  for (guint i = 0; i < self->left->len; i++)
    if (is_card_seen (self, CARD_AT (self->left, i)))
      draw_card (self->figure, CARD_AT (self->left, i), is_gone (CARD_AT (self->left, i)), FALSE);
  for (guint i = 0; i < self->right->len; i++)
    if (is_card_seen (self, CARD_AT (self->right, i)))
      draw_card (self->figure, CARD_AT (self->right, i), FALSE, self->with_origin);
}

/* ---- the whole ---------------------------------------------------------- */

static void
draw_head (LsFigure   *self,
           const char *title,
           const char *left,
           const char *right)
{
  float y = HEAD - 18.0f, x;

  x = LS_FIGURE_MARGIN + ls_figure_text (self, LS_ROLE_VERDICT, LS_LOOK_TEXT,
                                         _("What happened to the loops"), LS_FIGURE_MARGIN, 28.0f,
                                         0.0f);
  ls_figure_text (self, LS_ROLE_CAPTION, LS_LOOK_DIM, title, x + 14.0f, 30.0f, 0.0f);
  gtk_snapshot_append_color (self->snapshot, ls_look_get (self->look, LS_LOOK_WINDOW),
                             &GRAPHENE_RECT_INIT (0.0f, 56.0f, self->width, self->height - 56.0f));
  ls_figure_rule (self, LS_LOOK_BORDER, 0.0f, 56.0f, self->width);
  x = LS_FIGURE_MARGIN + ls_figure_text (self, LS_ROLE_STRONG, LS_LOOK_TEXT, _("Before"), LS_FIGURE_MARGIN, y, 0.0f);
  ls_figure_text (self, LS_ROLE_CAPTION, LS_LOOK_DIM, left, x + 10.0f, y, 0.0f);
  x = RIGHT_X + ls_figure_text (self, LS_ROLE_STRONG, LS_LOOK_TEXT, _("After"), RIGHT_X, y, 0.0f);
  ls_figure_text (self, LS_ROLE_CAPTION, LS_LOOK_DIM, right, x + 10.0f, y, 0.0f);
}

/* The cards of both sides and what joins them. */
static void
set_up (Nests     *self,
        GPtrArray *before,
        GPtrArray *after,
        GArray    *links,
        float      left_width,
        float      right_x,
        float      right_width,
        float      head)
{
  self->height = head;
  self->left = place_all (before, LS_FIGURE_MARGIN, left_width, head, &self->height);
  self->right = place_all (after, right_x, right_width, head, &self->height);
  self->left_of = index_of (self->left);
  self->right_of = index_of (self->right);
  self->ribbons = join (self, links);
  self->top = -G_MAXFLOAT;
  self->bottom = G_MAXFLOAT;
}

static void
tear_down (Nests *self)
{
  g_array_unref (self->left);
  g_array_unref (self->right);
  g_hash_table_unref (self->left_of);
  g_hash_table_unref (self->right_of);
  g_array_unref (self->ribbons);
  g_clear_pointer (&self->places, g_array_unref);
}

void
ls_figure_nests (LsFigure   *self,
                 GPtrArray  *before,
                 GPtrArray  *after,
                 GArray     *links,
                 const char *title,
                 const char *left,
                 const char *right)
{
  Nests nests = { .figure = self, .with_origin = TRUE };

  set_up (&nests, before, after, links, LEFT_WIDTH, RIGHT_X, RIGHT_WIDTH, HEAD);
  self->width = RIGHT_X + RIGHT_WIDTH + LS_FIGURE_MARGIN;
  self->height = nests.height + LS_FIGURE_MARGIN - (PITCH - CARD);
  draw_head (self, title, left, right);
  draw_ribbons (&nests);
  draw_cards (&nests);
  tear_down (&nests);
}

/* ---- ribbons with words ---------------------------------------------------- */

/* Where the words of each label want to be; then until none covers another. */
static GArray *
place_labels (Nests     *self,
              GPtrArray *labels,
              float      left,
              float      right)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (LsNestPlace));
  float room = (right - left) / 2.0f;

  for (guint i = 0; i < labels->len; i++)
    {
      const LsNestLabel *label = g_ptr_array_index (labels, i);
      Card *a = find (self->left, self->left_of, label->before), *b = find (self->right, self->right_of, label->after);
      LsNestPlace place = { .label = label, .x = left + room };

      if (a == NULL && b == NULL)
        continue;
      place.y = a != NULL && b != NULL ? (a->y + b->y) / 2.0f : a != NULL ? a->y : b->y;
      if (a != NULL && b == NULL && is_gone (a))
        {
          place.gone = TRUE;
          place.x = a->x + a->width + STUB + 26.0f;
        }
      g_array_append_val (places, place);
    }
  ls_nest_places_spread (places);
  return places;
}

LsNests *
ls_nests_new (float      width,
              GPtrArray *before,
              GPtrArray *after,
              GArray    *links,
              GPtrArray *labels)
{
  LsNests *self = g_new0 (LsNests, 1);
  float inner = width - 2.0f * LS_FIGURE_MARGIN;

  self->width = width;
  self->column = CLAMP ((inner - LABEL_ROOM) / 2.0f, COLUMN_LEAST, COLUMN_MOST);
  self->labelled = labels != NULL && labels->len > 0;
  set_up (self, before, after, links, self->column, width - LS_FIGURE_MARGIN - self->column, self->column, RIBBON_HEAD);
  self->height += 8.0f;
  if (labels != NULL)
    self->places = place_labels (self, labels, LS_FIGURE_MARGIN + self->column, width - LS_FIGURE_MARGIN - self->column);
  for (guint i = 0; self->places != NULL && i < self->places->len; i++)
    self->height = MAX (self->height, g_array_index (self->places, LsNestPlace, i).y + LS_NEST_LABEL);
  return self;
}

void
ls_nests_free (LsNests *self)
{
  tear_down (self);
  g_free (self);
}

float
ls_nests_get_height (LsNests *self)
{
  return self->height;
}

void
ls_nests_draw (LsNests    *self,
               LsFigure   *figure,
               float       top,
               float       bottom,
               const char *left,
               const char *right)
{
  float y = RIBBON_HEAD - 22.0f, x = self->width - LS_FIGURE_MARGIN - self->column;

  self->figure = figure;
  self->top = top;
  self->bottom = bottom;
  figure->width = self->width;
  figure->height = self->height;
  if (top < RIBBON_HEAD)
    {
      ls_figure_text_within (figure, LS_ROLE_STRONG, LS_LOOK_TEXT, left, LS_FIGURE_MARGIN, y, self->column);
      ls_figure_text_within (figure, LS_ROLE_STRONG, LS_LOOK_TEXT, right, x, y, self->column);
      if (self->labelled && self->width - 2.0f * LS_FIGURE_MARGIN - 2.0f * self->column > 260.0f)
        ls_figure_text (figure, LS_ROLE_CAPTION, LS_LOOK_DIM, _("the small number is the step that did it"), self->width / 2.0f, y, 0.5f);
    }
  draw_ribbons (self);
  draw_cards (self);
  for (guint i = 0; self->places != NULL && i < self->places->len; i++)
    {
      const LsNestPlace *place = &g_array_index (self->places, LsNestPlace, i);

      if (is_seen (self, place->y - LS_NEST_LABEL, place->y + LS_NEST_LABEL))
        ls_nest_place_draw (figure, place, LS_FIGURE_MARGIN + self->column + LABEL_AWAY, x - LABEL_AWAY);
    }
  self->figure = NULL;
}

guint
ls_nests_count_labels (LsNests *self)
{
  return self->places != NULL ? self->places->len : 0;
}

void
ls_nests_get_label (LsNests         *self,
                    LsFigure        *figure,
                    guint            i,
                    graphene_rect_t *bounds,
                    float           *least,
                    float           *most)
{
  *least = LS_FIGURE_MARGIN + self->column;
  *most = self->width - LS_FIGURE_MARGIN - self->column;
  ls_nest_place_find (figure, &g_array_index (self->places, LsNestPlace, i), *least + LABEL_AWAY, *most - LABEL_AWAY, bounds);
}

void
ls_figure_ribbons (LsFigure   *self,
                   float       width,
                   GPtrArray  *before,
                   GPtrArray  *after,
                   GArray     *links,
                   GPtrArray  *labels,
                   const char *left,
                   const char *right)
{
  LsNests *nests = ls_nests_new (width, before, after, links, labels);

  ls_nests_draw (nests, self, -G_MAXFLOAT, G_MAXFLOAT, left, right);
  ls_nests_free (nests);
}
