/* keep: see the header.  Places of the two series are the same where they have a node with the same key in some state. */
#include "engine/graph/keep.h"

#include "engine/graph/layout-make.h"
#include "engine/graph/room.h"

#include <math.h>
#include <string.h>

#define MOST_NEW 4              /* of four nodes that stay one may be new */
#define GAP 8.0f                /* that a node leaves when it grows */
#define BELOW 50.0f             /* what it uses */
#define BESIDE 90.0f            /* between the picture and new functions */
#define PADDING 12.0f
#define UPWARDS 300.0           /* what it counts when a line goes up, */
#define STRANGE 400.0           /* and standing in a frame that lies within the own one */
#define LABEL_GAP 4.0f
#define LABEL (G_MAXUINT - 1)    /* the number of a label among what stands there */

typedef enum { STAYS, LOOSE, APART } Way;

struct _LsGraphKept
{
  LsGraphLayout *old;
  LsGraphSeries *before, *after;
  GVariant      *asked;         /* for what is apart, or NULL */
  gint          *was;           /* of each place: its place before, -1: none */
  guint8        *way;           /* Way of each place */
  gint          *cluster_was;   /* of each cluster: its number before, -1: new */
  guint         *in_part;       /* of each place and then of each cluster: its number in the part that is apart */
  LsGraph       *part;          /* what is apart, or NULL */
  LsGraphSize   *sizes, *titles;
  LsGraphLayout *layout;        /* what becomes */
  gint          *lines;         /* of each edge its number before, -1: it is drawn anew */
  LsGraphSize   *labels;        /* or NULL */
  LsGraphRoom   *room;
  LsGraphSide   *inputs, *users;
};

/* ---- what is the same ------------------------------------------------------------------ */

static gboolean
begin_alike (LsGraph *a,
             LsGraph *b)
{
  if (a->kind != b->kind || a->nodes->len != b->nodes->len)
    return FALSE;
  for (guint i = 0; i < a->nodes->len; i++)
    if (strcmp (ls_graph_node (a, i)->key, ls_graph_node (b, i)->key) != 0)
      return FALSE;
  return TRUE;
}

static void
match_places (LsGraphKept *self)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree gboolean *taken = g_new0 (gboolean, self->old->n_nodes + 1);

  for (guint s = 0; s < self->before->states->len; s++)
    {
      LsGraphState *state = ls_graph_series_state (self->before, s);

      for (guint i = 0; i < state->graph->nodes->len; i++)
        g_hash_table_insert (known, ls_graph_node (state->graph, i)->key, GUINT_TO_POINTER (state->places[i] + 1));
    }
  for (guint i = 0; i < self->after->whole->nodes->len; i++)
    self->was[i] = -1;
  for (guint s = 0; s < self->after->states->len; s++)
    {
      LsGraphState *state = ls_graph_series_state (self->after, s);

      for (guint i = 0; i < state->graph->nodes->len; i++)
        {
          guint place = state->places[i], old = GPOINTER_TO_UINT (g_hash_table_lookup (known, ls_graph_node (state->graph, i)->key));

          if (self->was[place] >= 0 || old == 0 || taken[old - 1] || self->old->nodes[old - 1].width <= 0.0f)
            continue;
          self->was[place] = (gint) old - 1;
          taken[old - 1] = TRUE;
        }
    }
}

/* FALSE: a part of something that was there is new, such as a group that was opened. */
static gboolean
match_clusters (LsGraphKept *self)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  LsGraph *old = self->before->whole, *whole = self->after->whole;

  for (guint i = 0; i < old->clusters->len; i++)
    g_hash_table_insert (known, ls_graph_cluster (old, i)->key, GUINT_TO_POINTER (i + 1));
  for (guint i = 0; i < whole->clusters->len; i++)
    {
      const LsGraphCluster *cluster = ls_graph_cluster (whole, i);

      self->cluster_was[i] = (gint) GPOINTER_TO_UINT (g_hash_table_lookup (known, cluster->key)) - 1;
      if (cluster->parent >= 0 && (self->cluster_was[i] < 0) != (self->cluster_was[cluster->parent] < 0))
        return FALSE;
    }
  return TRUE;
}

/* FALSE: too little stays. */
static gboolean
choose_ways (LsGraphKept *self)
{
  guint n_loose = 0, n_stay = 0;

  for (guint i = 0; i < self->after->whole->nodes->len; i++)
    {
      gint home = ls_graph_node (self->after->whole, i)->cluster;

      if (home >= 0 && self->cluster_was[home] < 0)
        {
          if (self->was[i] >= 0)        /* it moved into a function that is new */
            return FALSE;
          self->way[i] = APART;
          continue;
        }
      self->way[i] = self->was[i] >= 0 ? STAYS : LOOSE;
      n_loose += self->way[i] == LOOSE;
      n_stay += self->way[i] == STAYS;
    }
  return n_stay > 0 && n_loose * MOST_NEW <= n_stay && n_stay * 2 >= self->old->n_nodes;
}

/* (transfer full), of `n`; NULL: there are none of this name. */
static LsGraphSize *
read_sizes (GVariant   *request,
            const char *name,
            guint       n)
{
  g_autoptr (GVariant) rows = g_variant_lookup_value (request, name, G_VARIANT_TYPE ("a(dd)"));
  LsGraphSize *sizes;
  gsize found = 0;
  const double *numbers = rows != NULL ? g_variant_get_fixed_array (rows, &found, 2 * sizeof (double)) : NULL;

  if (rows == NULL || found != n)
    return NULL;
  sizes = g_new0 (LsGraphSize, n + 1);
  for (guint i = 0; i < n; i++)
    sizes[i] = (LsGraphSize) { (float) numbers[2 * i], (float) numbers[2 * i + 1] };
  return sizes;
}

/* ---- what stays --------------------------------------------------------------------------- */

/* As large as it is to be, or as its neighbours let it be; its middle stays. */
static void
grow (LsGraphKept *self,
      guint        place)
{
  const LsGraphBox old = self->old->nodes[self->was[place]];
  LsGraphSize wish = self->sizes[place];

  for (guint part = 0; part <= 4; part++)       /* all of it, three fourths of what is missing and so on */
    {
      float share = 1.0f - (float) part / 4.0f;
      float width = part == 0 || wish.width < old.width ? wish.width : roundf (old.width + (wish.width - old.width) * share);
      float height = part == 0 || wish.height < old.height ? wish.height : roundf (old.height + (wish.height - old.height) * share);
      LsGraphBox box = { old.x + (old.width - width) / 2.0f, old.y + (old.height - height) / 2.0f, width, height };

      if (part < 4 && (box.x < 0.0f || box.y < 0.0f || ((width > old.width || height > old.height) && !ls_graph_room_is_free (self->room, &box, GAP, place))))
        continue;
      self->layout->nodes[place] = box;
      return;
    }
}

static gboolean
same_size (const LsGraphBox  *box,
           const LsGraphSize *size)
{
  return fabsf (box->width - size->width) < 0.6f && fabsf (box->height - size->height) < 0.6f;
}

/* The old ones all first, so that who grows sees them; who grew stands there once more. */
static void
place_what_stays (LsGraphKept *self)
{
  for (guint i = 0; i < self->layout->n_nodes; i++)
    if (self->way[i] == STAYS)
      {
        self->layout->nodes[i] = self->old->nodes[self->was[i]];
        ls_graph_room_add (self->room, &self->layout->nodes[i], i);
      }
  for (guint i = 0; i < self->layout->n_nodes; i++)
    if (self->way[i] == STAYS && !same_size (&self->layout->nodes[i], &self->sizes[i]))
      {
        grow (self, i);
        ls_graph_room_add (self->room, &self->layout->nodes[i], i);
      }
  for (guint i = 0; i < self->layout->n_clusters; i++)
    if (self->cluster_was[i] >= 0)
      self->layout->clusters[i] = self->old->clusters[self->cluster_was[i]];
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* What tells an edge apart from others between the same nodes, as the series does. */
typedef struct {
  guint       from, to, kind;
  const char *label;
} LineKey;

static LineKey
line_key (const LsGraphEdge *edge,
          guint              from,
          guint              to)
{
  return (LineKey) { from, to, edge->kind, edge->kind == LS_GRAPH_EDGE_FLOW || edge->label == NULL ? "" : edge->label };
}

static guint
hash_line (gconstpointer data)
{
  const LineKey *key = data;

  return (key->from * 2654435761u) ^ (key->to * 40503u) ^ key->kind ^ g_str_hash (key->label);
}

static gboolean
same_line (gconstpointer a,
           gconstpointer b)
{
  const LineKey *one = a, *two = b;

  return one->from == two->from && one->to == two->to && one->kind == two->kind && strcmp (one->label, two->label) == 0;
}

/* Those between nodes that stay; their labels stand there too. */
static void
match_lines (LsGraphKept *self)
{
  LsGraph *old = self->before->whole, *whole = self->after->whole;
  g_autoptr (GHashTable) known = g_hash_table_new (hash_line, same_line);
  g_autofree LineKey *keys = g_new (LineKey, old->edges->len + 1);

  for (guint i = 0; i < old->edges->len; i++)
    {
      keys[i] = line_key (ls_graph_edge (old, i), ls_graph_edge (old, i)->from, ls_graph_edge (old, i)->to);
      g_hash_table_insert (known, &keys[i], GUINT_TO_POINTER (i + 1));
    }
  for (guint i = 0; i < whole->edges->len; i++)
    {
      const LsGraphEdge *edge = ls_graph_edge (whole, i);
      guint ends[] = { edge->from, edge->to };
      gboolean stays = TRUE;

      for (guint k = 0; k < 2; k++)
        stays &= self->way[ends[k]] == STAYS && memcmp (&self->layout->nodes[ends[k]], &self->old->nodes[self->was[ends[k]]], sizeof (LsGraphBox)) == 0;
      self->lines[i] = -1;
      if (stays)
        {
          LineKey key = line_key (edge, (guint) self->was[edge->from], (guint) self->was[edge->to]);

          self->lines[i] = (gint) GPOINTER_TO_UINT (g_hash_table_lookup (known, &key)) - 1;
        }
      if (self->lines[i] >= 0 && self->labels != NULL && self->old->labels[self->lines[i]].x >= 0.0f)
        {
          const LsGraphPoint *at = &self->old->labels[self->lines[i]];
          LsGraphBox box = { at->x - self->labels[i].width / 2.0f, at->y - self->labels[i].height / 2.0f, self->labels[i].width, self->labels[i].height };

          ls_graph_room_add (self->room, &box, LABEL);
        }
    }
}

static void
put_points (GArray             *points,
            LsGraphLayout      *layout,
            guint               edge,
            const LsGraphPoint *from,
            guint               n)
{
  g_array_append_vals (points, from, n);
  layout->start[edge + 1] = points->len;
}

/* Beside its line, where nothing stands. */
static void
put_label (LsGraphKept        *self,
           guint               edge,
           const LsGraphSize  *label,
           const LsGraphPoint *line)
{
  float x = (line[0].x + 3.0f * line[1].x + 3.0f * line[2].x + line[3].x) / 8.0f, y = (line[0].y + 3.0f * line[1].y + 3.0f * line[2].y + line[3].y) / 8.0f;
  LsGraphBox box = { x + LABEL_GAP, y - label->height / 2.0f, label->width, label->height };

  if (label->width <= 0.0f || !ls_graph_room_is_free (self->room, &box, 1.0f, G_MAXUINT))
    return;
  self->layout->labels[edge] = (LsGraphPoint) { box.x + box.width / 2.0f, y };
  ls_graph_room_add (self->room, &box, LABEL);
}

/* `part`: of what is apart, moved to where it goes; or NULL. */
static void
put_lines (LsGraphKept   *self,
           LsGraphLayout *part)
{
  LsGraphLayout *layout = self->layout;
  const LsGraphSize *labels = self->labels;
  const gint *lines = self->lines;
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (LsGraphPoint));
  guint in_part = 0;

  for (guint i = 0; i < layout->n_edges; i++)
    {
      const LsGraphEdge *edge = ls_graph_edge (self->after->whole, i);
      const LsGraphLayout *source = part != NULL && self->way[edge->from] == APART && self->way[edge->to] == APART ? part : lines[i] >= 0 ? self->old : NULL;
      guint at = source == part && part != NULL ? in_part++ : (guint) lines[i];
      LsGraphPoint line[4];

      layout->labels[i] = (LsGraphPoint) { -1.0f, -1.0f };
      if (source != NULL)
        {
          put_points (points, layout, i, source->points + source->start[at], source->start[at + 1] - source->start[at]);
          if (labels != NULL && labels[i].width > 0.0f)
            layout->labels[i] = source->labels[at];
        }
      else if (edge->from == edge->to)
        layout->start[i + 1] = points->len;
      else
        {
          ls_graph_layout_bow (&layout->nodes[edge->from], &layout->nodes[edge->to], line);
          put_points (points, layout, i, line, 4);
          if (labels != NULL)
            put_label (self, i, &labels[i], line);
        }
    }
  layout->points = (LsGraphPoint *) g_array_free (g_steal_pointer (&points), FALSE);
}

/* ---- what is new among it ------------------------------------------------------------------ */

typedef struct {
  LsGraphKept *self;
  guint        place;
  float        above, below;    /* where what it uses ends, and what uses it begins; infinite: there is nothing */
} Candidate;

static gboolean
is_within (LsGraph *graph,
           gint     cluster,
           gint     outer)
{
  while (cluster >= 0 && cluster != outer)
    cluster = ls_graph_cluster (graph, cluster)->parent;
  return cluster == outer;
}

/* The frame with this box in it, and with room around it. */
static LsGraphBox
frame_with (const LsGraphBox *frame,
            const LsGraphBox *box,
            float             pad,
            const LsGraphSize *title)
{
  float above = pad + (title != NULL ? MAX (title->height, 0.0f) : 0.0f), below = pad + (title != NULL ? MAX (-title->height, 0.0f) : 0.0f);
  LsGraphBox need = { box->x - pad, box->y - above, box->width + 2.0f * pad, box->height + above + below };
  float x, y;

  if (frame->width <= 0.0f)
    return need;
  x = MIN (frame->x, need.x);
  y = MIN (frame->y, need.y);
  return (LsGraphBox) { x, y, MAX (frame->x + frame->width, need.x + need.width) - x, MAX (frame->y + frame->height, need.y + need.height) - y };
}

static gboolean
boxes_meet (const LsGraphBox *one,
            const LsGraphBox *two)
{
  return one->width > 0.0f && two->width > 0.0f && one->x < two->x + two->width && two->x < one->x + one->width && one->y < two->y + two->height
         && two->y < one->y + one->height;
}

/* May a frame become so large?  Not over what is not in it, but for what it lies over as it is. */
static gboolean
may_grow (LsGraphKept      *self,
          gint              cluster,
          const LsGraphBox *grown)
{
  LsGraph *whole = self->after->whole;
  const LsGraphBox *frame = &self->layout->clusters[cluster];
  LsGraphBox strips[] = { { grown->x, grown->y, frame->x - grown->x, grown->height },
                          { frame->x + frame->width, grown->y, grown->x + grown->width - frame->x - frame->width, grown->height },
                          { grown->x, grown->y, grown->width, frame->y - grown->y },
                          { grown->x, frame->y + frame->height, grown->width, grown->y + grown->height - frame->y - frame->height } };

  if (grown->x < 0.0f || grown->y < 0.0f)
    return FALSE;
  for (guint i = 0; i < self->layout->n_clusters; i++)
    if (boxes_meet (grown, &self->layout->clusters[i]) && !boxes_meet (frame, &self->layout->clusters[i]) && !is_within (whole, (gint) i, cluster) && !is_within (whole, cluster, (gint) i))
      return FALSE;
  for (guint k = 0; k < G_N_ELEMENTS (strips); k++)
    {
      g_autoptr (GArray) there = strips[k].width > 0.0f && strips[k].height > 0.0f ? ls_graph_room_inside (self->room, &strips[k]) : NULL;

      for (guint i = 0; there != NULL && i < there->len; i++)
        {
          guint place = g_array_index (there, guint, i);

          if (place < self->layout->n_nodes && !boxes_meet (frame, &self->layout->nodes[place]) && !is_within (whole, ls_graph_node (whole, place)->cluster, cluster))
            return FALSE;
        }
    }
  return TRUE;
}

static gboolean
check_candidate (const LsGraphBox *box,
                 double           *cost,
                 gpointer          data)
{
  Candidate *candidate = data;
  LsGraphKept *self = candidate->self;
  LsGraph *whole = self->after->whole;
  gint home = ls_graph_node (whole, candidate->place)->cluster;
  float pad = PADDING;

  if (box->x < 0.0f || box->y < 0.0f)
    return FALSE;
  if (box->y < candidate->above || box->y + box->height > candidate->below)
    *cost += UPWARDS;
  for (guint i = 0; i < self->layout->n_clusters; i++)
    if (boxes_meet (box, &self->layout->clusters[i]) && !is_within (whole, home, (gint) i))
      {
        if (!is_within (whole, (gint) i, home))
          return FALSE;
        *cost += STRANGE;
      }
  for (gint c = home; c >= 0; c = ls_graph_cluster (whole, c)->parent, pad += PADDING)
    {
      const LsGraphBox *frame = &self->layout->clusters[c];
      LsGraphBox grown = frame_with (frame, box, pad, self->titles != NULL ? &self->titles[c] : NULL);

      if (frame->width > 0.0f && memcmp (frame, &grown, sizeof grown) != 0 && !may_grow (self, c, &grown))
        return FALSE;
    }
  return TRUE;
}

static void
hold (LsGraphKept *self,
      guint        place)
{
  LsGraph *whole = self->after->whole;
  float pad = PADDING;

  for (gint c = ls_graph_node (whole, place)->cluster; c >= 0; c = ls_graph_cluster (whole, c)->parent, pad += PADDING)
    self->layout->clusters[c] = frame_with (&self->layout->clusters[c], &self->layout->nodes[place], pad, self->titles != NULL ? &self->titles[c] : NULL);
}

/* Below what it uses and above what uses it, in the middle of both, as far as those have places. FALSE: there is no room. */
static gboolean
place_one (LsGraphKept *self,
           guint        place)
{
  Candidate candidate = { self, place, -INFINITY, INFINITY };
  LsGraphBox box = { 0, 0, self->sizes[place].width, self->sizes[place].height };
  LsGraphSide *sides[] = { self->inputs, self->users };
  float middle[2] = { 0.0f, 0.0f };
  guint n[2] = { 0, 0 };

  for (guint k = 0; k < 2; k++)
    for (guint i = sides[k]->start[place]; i < sides[k]->start[place + 1]; i++)
      {
        const LsGraphEdge *edge = ls_graph_edge (self->after->whole, sides[k]->edges[i]);
        const LsGraphBox *other = &self->layout->nodes[k == 0 ? edge->from : edge->to];

        if (other->width <= 0.0f || edge->from == edge->to)
          continue;
        n[k]++;
        middle[k] += other->x + other->width / 2.0f;
        if (k == 0)
          candidate.above = MAX (candidate.above, other->y + other->height);
        else
          candidate.below = MIN (candidate.below, other->y);
      }
  if (n[0] + n[1] == 0)         /* nothing has to do with it: at the end */
    box.y = self->layout->height - box.height;
  else
    {
      box.x = (middle[0] + middle[1]) / (float) (n[0] + n[1]) - box.width / 2.0f;
      if (n[0] > 0 && n[1] > 0 && candidate.above < candidate.below)
        box.y = (candidate.above + candidate.below - box.height) / 2.0f;
      else if (n[0] > 0)
        box.y = candidate.above + BELOW;
      else
        box.y = candidate.below - BELOW - box.height;
    }
  if (!ls_graph_room_find (self->room, &box, check_candidate, &candidate))
    return FALSE;
  self->layout->nodes[place] = box;
  ls_graph_room_add (self->room, &box, place);
  hold (self, place);
  return TRUE;
}

static gboolean
place_what_is_loose (LsGraphKept *self)
{
  for (guint i = 0; i < self->old->n_edges; i++)
    ls_graph_room_add_line (self->room, self->old->points + self->old->start[i], self->old->start[i + 1] - self->old->start[i]);
  for (guint i = 0; i < self->layout->n_nodes; i++)
    if (self->way[i] == LOOSE && !place_one (self, i))
      return FALSE;
  for (guint i = 0; i < self->layout->n_nodes; i++)
    if (self->way[i] == STAYS && memcmp (&self->layout->nodes[i], &self->old->nodes[self->was[i]], sizeof (LsGraphBox)) != 0)
      hold (self, i);
  return TRUE;
}

/* ---- what is apart ------------------------------------------------------------------------ */

/* The functions that are new, as a graph of their own. */
static void
make_part (LsGraphKept *self)
{
  LsGraph *whole = self->after->whole;
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (LsGraphSize)), labels = g_array_new (FALSE, FALSE, sizeof (LsGraphSize)), titles = g_array_new (FALSE, FALSE, sizeof (LsGraphSize));

  for (guint i = 0; i < whole->clusters->len; i++)
    if (self->cluster_was[i] < 0)
      {
        const LsGraphCluster *cluster = ls_graph_cluster (whole, i);
        LsGraphSize title = self->titles != NULL ? self->titles[i] : (LsGraphSize) { 0, 0 };

        if (self->part == NULL)
          self->part = ls_graph_new (whole->kind);
        self->in_part[whole->nodes->len + i] = self->part->clusters->len;
        ls_graph_add_cluster (self->part, cluster->kind, cluster->parent >= 0 ? (gint) self->in_part[whole->nodes->len + (guint) cluster->parent] : -1, cluster->key, cluster->title, cluster->detail);
        g_array_append_val (titles, title);
      }
  if (self->part == NULL)
    return;
  for (guint i = 0; i < whole->nodes->len; i++)
    if (self->way[i] == APART)
      {
        gint home = ls_graph_node (whole, i)->cluster;

        self->in_part[i] = self->part->nodes->len;
        ls_graph_copy_node (self->part, ls_graph_node (whole, i))->cluster = (gint) self->in_part[whole->nodes->len + (guint) home];
        g_array_append_val (sizes, self->sizes[i]);
      }
  for (guint i = 0; i < whole->edges->len; i++)
    {
      const LsGraphEdge *edge = ls_graph_edge (whole, i);

      if (self->way[edge->from] != APART || self->way[edge->to] != APART)
        continue;
      ls_graph_add_edge (self->part, edge->kind, self->in_part[edge->from], self->in_part[edge->to], edge->label, edge->type);
      if (self->labels != NULL)
        g_array_append_val (labels, self->labels[i]);
    }
  if (self->part->nodes->len > 0)
    self->asked = g_variant_ref_sink (ls_graph_layout_request (self->part, (LsGraphSize *) (gpointer) sizes->data, self->labels != NULL ? (LsGraphSize *) (gpointer) labels->data : NULL,
                                                               self->titles != NULL ? (LsGraphSize *) (gpointer) titles->data : NULL));
}

/* How far the picture goes. */
static void
measure_all (LsGraphLayout *layout)
{
  layout->width = layout->height = 0.0f;
  for (guint i = 0; i < layout->n_nodes + layout->n_clusters; i++)
    {
      const LsGraphBox *box = i < layout->n_nodes ? &layout->nodes[i] : &layout->clusters[i - layout->n_nodes];

      if (box->width <= 0.0f)
        continue;
      layout->width = MAX (layout->width, box->x + box->width);
      layout->height = MAX (layout->height, box->y + box->height);
    }
}

/* Beside what is there or below it, as makes the picture less long. */
static void
place_part (LsGraphKept   *self,
            LsGraphLayout *part)
{
  LsGraphLayout *layout = self->layout;
  gboolean below = layout->width > 1.6f * layout->height;
  float dx = below ? 0.0f : layout->width + BESIDE, dy = below ? layout->height + BESIDE : 0.0f;

  for (guint i = 0; i < layout->n_nodes; i++)
    if (self->way[i] == APART)
      {
        const LsGraphBox *box = &part->nodes[self->in_part[i]];

        layout->nodes[i] = (LsGraphBox) { box->x + dx, box->y + dy, box->width, box->height };
      }
  for (guint i = 0; i < layout->n_clusters; i++)
    if (self->cluster_was[i] < 0)
      {
        const LsGraphBox *box = &part->clusters[self->in_part[layout->n_nodes + i]];

        layout->clusters[i] = box->width > 0.0f ? (LsGraphBox) { box->x + dx, box->y + dy, box->width, box->height } : *box;
      }
  for (guint i = 0; i < part->start[part->n_edges]; i++)
    part->points[i] = (LsGraphPoint) { part->points[i].x + dx, part->points[i].y + dy };
  for (guint i = 0; i < part->n_edges; i++)
    if (part->labels[i].x >= 0.0f)
      part->labels[i] = (LsGraphPoint) { part->labels[i].x + dx, part->labels[i].y + dy };
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* A frame whose nodes are all gone is none. */
static void
drop_empty_frames (LsGraphKept *self)
{
  LsGraph *whole = self->after->whole;
  g_autofree gboolean *holds = g_new0 (gboolean, whole->clusters->len + 1);

  for (guint i = 0; i < whole->nodes->len; i++)
    for (gint c = ls_graph_node (whole, i)->cluster; c >= 0 && !holds[c]; c = ls_graph_cluster (whole, c)->parent)
      holds[c] = TRUE;
  for (guint i = 0; i < whole->clusters->len; i++)
    if (!holds[i])
      self->layout->clusters[i] = (LsGraphBox) { 0, 0, 0, 0 };
}

LsGraphKept *
ls_graph_kept_new (const LsGraphLayout *layout,
                   LsGraphSeries       *before,
                   LsGraphSeries       *after,
                   GVariant            *request)
{
  g_autoptr (LsGraphKept) self = NULL;
  guint n = after->whole->nodes->len, n_clusters = after->whole->clusters->len;

  if (layout->n_nodes != before->whole->nodes->len || layout->n_edges != before->whole->edges->len || layout->n_clusters != before->whole->clusters->len
      || !begin_alike (ls_graph_series_state (before, 0)->graph, ls_graph_series_state (after, 0)->graph))
    return NULL;
  self = g_new0 (LsGraphKept, 1);
  self->old = ls_graph_layout_copy (layout);
  self->before = ls_graph_series_ref (before);
  self->after = ls_graph_series_ref (after);
  self->was = g_new0 (gint, n + 1);
  self->way = g_new0 (guint8, n + 1);
  self->cluster_was = g_new0 (gint, n_clusters + 1);
  self->in_part = g_new0 (guint, n + n_clusters + 1);
  self->sizes = read_sizes (request, "nodes", n);
  self->titles = read_sizes (request, "titles", n_clusters);
  self->labels = read_sizes (request, "labels", after->whole->edges->len);
  self->lines = g_new0 (gint, after->whole->edges->len + 1);
  match_places (self);
  if (self->sizes == NULL || !match_clusters (self) || !choose_ways (self))
    return NULL;
  self->layout = ls_graph_layout_new (after->whole);
  self->layout->height = layout->height;
  self->room = ls_graph_room_new ();
  self->inputs = ls_graph_side (after->whole, FALSE);
  self->users = ls_graph_side (after->whole, TRUE);
  place_what_stays (self);
  match_lines (self);
  if (!place_what_is_loose (self))
    return NULL;
  drop_empty_frames (self);
  make_part (self);
  return g_steal_pointer (&self);
}

void
ls_graph_kept_free (LsGraphKept *self)
{
  if (self == NULL)
    return;
  ls_graph_layout_free (self->old);
  ls_graph_layout_free (self->layout);
  ls_graph_series_unref (self->before);
  ls_graph_series_unref (self->after);
  ls_graph_unref (self->part);
  ls_graph_room_free (self->room);
  g_clear_pointer (&self->inputs, ls_graph_side_free);
  g_clear_pointer (&self->users, ls_graph_side_free);
  g_clear_pointer (&self->asked, g_variant_unref);
  g_free (self->was);
  g_free (self->way);
  g_free (self->cluster_was);
  g_free (self->in_part);
  g_free (self->sizes);
  g_free (self->titles);
  g_free (self->labels);
  g_free (self->lines);
  g_free (self);
}

GVariant *
ls_graph_kept_get_request (LsGraphKept *self)
{
  return self->asked;
}

LsGraphLayout *
ls_graph_kept_finish (LsGraphKept *self,
                      GVariant    *answer,
                      GError     **error)
{
  g_autoptr (LsGraphLayout) part = NULL;

  g_return_val_if_fail (self->layout != NULL && (answer != NULL) == (self->asked != NULL), NULL);

  measure_all (self->layout);
  if (answer != NULL)
    {
      part = ls_graph_layout_read (answer, self->part, error);
      if (part == NULL)
        return NULL;
      place_part (self, part);
    }
  put_lines (self, part);
  measure_all (self->layout);
  return g_steal_pointer (&self->layout);
}
