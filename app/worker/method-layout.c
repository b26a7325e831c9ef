/* The method layout: Graphviz places the nodes of a graph (engine/graph/layout).
 *
 * Lines between nodes that compute are kept straighter than those from parameters.  Graphviz knows no order of arguments: the
 * picture is mirrored when more nodes of one row stand against the order of their numbers than in it.
 *
 * Graphviz is not for two threads and knows no cancelling: both are why this is the worker's.  Nodes are boxes of fixed size,
 * so that no text is measured here; labels of edges and titles of clusters are empty tables of their sizes.  One point of
 * Graphviz is one pixel; its y goes up, ours down.
 */
#include "app/worker/layered.h"
#include "app/worker/server.h"
#include "app/worker/straighten.h"

#include <graphviz/cgraph.h>
#include <graphviz/gvc.h>
#include <string.h>

#define FLAT_NODES 400
#define MOST_LINES 16
#define GRAPHVIZ_NODES 400       /* more, or more edges than the next: layered does it, Graphviz takes seconds to minutes */
#define GRAPHVIZ_EDGES 1200
#define LONG 1500.0              /* pixels; a chain that is so long, and longer than wide by the next, is wrapped into columns */
#define SLENDER 2.5
#define AROUND 8.0               /* from a label to the frame around it */
#define MAX_NODES 200000
#define MAX_EDGES 600000

typedef struct {
  guint      n_nodes, n_edges, n_clusters;
  GVariant  *sizes, *homes, *edges, *parents, *labels, *titles;
  Agraph_t  *graph;
  Agraph_t **clusters;
  Agnode_t **nodes;
  Agedge_t **lines;             /* NULL: from a node to itself */
  guint     *n_in;              /* edges into each node */
  double     height, width;
  gboolean   mirrored;
  gboolean   flat;              /* large: clusters make dot slow, so frames are drawn around afterwards */
} Job;

static char *
text (const char *value)
{
  return (char *) value;
}

static void
set_number (gpointer    object,
            const char *name,
            double      value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (number, sizeof number, "%.4f", value);
  agsafeset (object, text (name), number, text (""));
}

/* An empty table of this size as the label. */
static void
set_label (gpointer  object,
           Agraph_t *root,
           double    width,
           double    height)
{
  g_autofree char *html = g_strdup_printf ("<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLPADDING=\"0\" FIXEDSIZE=\"TRUE\" WIDTH=\"%d\" HEIGHT=\"%d\"><TR><TD></TD></TR></TABLE>",
                                           (int) (width + 0.5), (int) (height + 0.5));
  char *label = agstrdup_html (root, html);

  agsafeset (object, text ("label"), label, text (""));
  agstrfree (root, label);
}

static void
add_clusters (Job *job)
{
  for (guint i = 0; i < job->n_clusters; i++)
    {
      g_autofree char *name = g_strdup_printf ("cluster_%u", i);
      gint parent;

      g_variant_get_child (job->parents, i, "i", &parent);
      job->clusters[i] = agsubg (parent >= 0 && parent < (gint) i ? job->clusters[parent] : job->graph, name, 1);
      set_number (job->clusters[i], "margin", 16.0);
      if (job->titles != NULL && i < g_variant_n_children (job->titles))
        {
          double width, height;

          g_variant_get_child (job->titles, i, "(dd)", &width, &height);
          agsafeset (job->clusters[i], text ("labelloc"), text (height < 0.0 ? "b" : "t"), text ("t"));
          agsafeset (job->clusters[i], text ("labeljust"), text ("l"), text (""));
          if (width > 0.0)
            set_label (job->clusters[i], job->graph, width, height < 0.0 ? -height : height);
        }
    }
}

static void
add_nodes (Job *job)
{
  for (guint i = 0; i < job->n_nodes; i++)
    {
      g_autofree char *name = g_strdup_printf ("n%u", i);
      double width, height;
      gint home;

      g_variant_get_child (job->sizes, i, "(dd)", &width, &height);
      g_variant_get_child (job->homes, i, "i", &home);
      job->nodes[i] = agnode (job->graph, name, 1);
      set_number (job->nodes[i], "width", width / 72.0);
      set_number (job->nodes[i], "height", height / 72.0);
      if (home >= 0 && home < (gint) job->n_clusters && !job->flat)
        agsubnode (job->clusters[home], job->nodes[i], 1);
    }
}

/* What very many use would pull a line through every rank to each of them, which makes dot slow beyond use: after the first
 * few, such edges have no line of their own here, and the painter draws a straight one. */
static gboolean
add_edges (Job     *job,
           GError **error)
{
  g_autofree guint *n_out = g_new0 (guint, job->n_nodes + 1);

  job->n_in = g_new0 (guint, job->n_nodes + 1);
  for (guint i = 0; i < job->n_edges; i++)
    {
      guint from, to;

      g_variant_get_child (job->edges, i, "(uu)", &from, &to);
      if (from >= job->n_nodes || to >= job->n_nodes)
        {
          ls_worker_refuse (error, "Edge %u joins nodes %u and %u of %u.", i, from, to, job->n_nodes);
          return FALSE;
        }
      if (from == to || n_out[from]++ >= MOST_LINES)
        continue;
      job->n_in[to]++;
      job->lines[i] = agedge (job->graph, job->nodes[from], job->nodes[to], NULL, 1);
      if (job->n_in[from] > 0)
        agsafeset (job->lines[i], text ("weight"), text ("4"), text ("1"));
      if (job->labels != NULL && i < g_variant_n_children (job->labels))
        {
          double width, height;

          g_variant_get_child (job->labels, i, "(dd)", &width, &height);
          if (width > 0.0)
            set_label (job->lines[i], job->graph, width, height);
        }
    }
  return TRUE;
}

/* Do more pairs of nodes in one row stand against their order than in it? */
static gboolean
is_mirrored (Job *job)
{
  gint right = 0;

  for (guint i = 0; i < job->n_nodes; i++)
    for (guint k = i + 1; k < job->n_nodes; k++)
      {
        pointf a = ND_coord (job->nodes[i]), b = ND_coord (job->nodes[k]);

        if (ABS (a.y - b.y) < 1.0 && ABS (a.x - b.x) > 1.0)
          right += b.x > a.x ? 1 : -1;
      }
  return right < 0;
}

static double
mirror (Job   *job,
        double x)
{
  return job->mirrored ? job->width - x : x;
}

/* ---- answer -------------------------------------------------------------------------- */

static void
read_boxes (Job         *job,
            LsLayoutBox *boxes)
{
  for (guint i = 0; i < job->n_nodes; i++)
    {
      double width = ND_width (job->nodes[i]) * 72.0, height = ND_height (job->nodes[i]) * 72.0;

      boxes[i] = (LsLayoutBox) { mirror (job, ND_coord (job->nodes[i]).x) - width / 2.0,
                                 job->height - ND_coord (job->nodes[i]).y - height / 2.0, width, height };
    }
}

static GVariant *
boxes_variant (Job *job)
{
  g_autofree LsLayoutBox *boxes = g_new0 (LsLayoutBox, job->n_nodes + 1);
  GVariantBuilder builder;

  read_boxes (job, boxes);
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(dddd)"));
  for (guint i = 0; i < job->n_nodes; i++)
    g_variant_builder_add (&builder, "(dddd)", boxes[i].x, boxes[i].y, boxes[i].width, boxes[i].height);
  return g_variant_builder_end (&builder);
}

/* Frames around nodes that were placed without clusters: inner ones first, each with room for its title. */
static GVariant *
boxes_around (Job *job)
{
  g_autofree boxf *boxes = g_new (boxf, job->n_clusters + 1);
  GVariantBuilder builder;

  for (guint i = 0; i < job->n_clusters; i++)
    boxes[i] = (boxf) { { G_MAXDOUBLE, G_MAXDOUBLE }, { -G_MAXDOUBLE, -G_MAXDOUBLE } };
  for (guint i = 0; i < job->n_nodes; i++)
    {
      double width = ND_width (job->nodes[i]) * 36.0, height = ND_height (job->nodes[i]) * 36.0;
      pointf at = ND_coord (job->nodes[i]);
      gint home;

      g_variant_get_child (job->homes, i, "i", &home);
      if (home >= 0 && home < (gint) job->n_clusters)
        boxes[home] = (boxf) { { MIN (boxes[home].LL.x, at.x - width), MIN (boxes[home].LL.y, at.y - height) },
                               { MAX (boxes[home].UR.x, at.x + width), MAX (boxes[home].UR.y, at.y + height) } };
    }
  for (guint i = job->n_clusters; i-- > 0;)
    {
      gint parent;

      g_variant_get_child (job->parents, i, "i", &parent);
      if (boxes[i].LL.x > boxes[i].UR.x)
        continue;
      boxes[i] = (boxf) { { boxes[i].LL.x - 16.0, boxes[i].LL.y - 30.0 }, { boxes[i].UR.x + 16.0, boxes[i].UR.y + 30.0 } };
      if (parent >= 0 && parent < (gint) i)
        boxes[parent] = (boxf) { { MIN (boxes[parent].LL.x, boxes[i].LL.x), MIN (boxes[parent].LL.y, boxes[i].LL.y) },
                                 { MAX (boxes[parent].UR.x, boxes[i].UR.x), MAX (boxes[parent].UR.y, boxes[i].UR.y) } };
    }
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(dddd)"));
  for (guint i = 0; i < job->n_clusters; i++)
    if (boxes[i].LL.x > boxes[i].UR.x)
      g_variant_builder_add (&builder, "(dddd)", 0.0, 0.0, 0.0, 0.0);
    else
      g_variant_builder_add (&builder, "(dddd)", boxes[i].LL.x, job->height - boxes[i].UR.y, boxes[i].UR.x - boxes[i].LL.x, boxes[i].UR.y - boxes[i].LL.y);
  return g_variant_builder_end (&builder);
}

static gint
parent_of (Job  *job,
           gint  cluster)
{
  gint parent;

  g_variant_get_child (job->parents, (gsize) cluster, "i", &parent);
  return parent < cluster ? parent : -1;
}

static gboolean
is_within (Job   *job,
           guint  node,
           gint   cluster)
{
  gint home;

  g_variant_get_child (job->homes, node, "i", &home);
  home = home < (gint) job->n_clusters ? home : -1;
  while (home >= 0 && home != cluster)
    home = parent_of (job, home);
  return home == cluster;
}

/* Wide enough for `box`, unless something that is not in the cluster stands there. */
static void
widen (Job               *job,
       gint               cluster,
       LsLayoutBox       *frame,
       const LsLayoutBox *box,
       const LsLayoutBox *boxes)
{
  double left = MAX (MIN (frame->x, box->x - AROUND), 0.0), right = MAX (frame->x + frame->width, box->x + box->width + AROUND);

  for (guint i = 0; i < job->n_nodes; i++)
    if (boxes[i].y < frame->y + frame->height && boxes[i].y + boxes[i].height > frame->y && boxes[i].x < right && boxes[i].x + boxes[i].width > left
        && !is_within (job, i, cluster))
      return;
  frame->x = left;
  frame->width = right - left;
}

/* Graphviz leaves the labels of edges out of what it draws around a cluster: inner ones first, each gets the labels between its nodes, and its parent itself. */
static GVariant *
frames_variant (Job               *job,
                const LsLayoutBox *boxes,
                const LsLayoutBox *labels)
{
  g_autofree LsLayoutBox *frames = g_new0 (LsLayoutBox, job->n_clusters + 1);
  GVariantBuilder builder;

  for (guint i = 0; i < job->n_clusters; i++)
    {
      boxf box = GD_bb (job->clusters[i]);

      if (agfstnode (job->clusters[i]) != NULL)
        frames[i] = (LsLayoutBox) { job->mirrored ? job->width - box.UR.x : box.LL.x, job->height - box.UR.y, box.UR.x - box.LL.x, box.UR.y - box.LL.y };
    }
  for (guint i = job->n_clusters; i-- > 0;)
    {
      gint parent = parent_of (job, (gint) i);

      if (frames[i].width <= 0.0)
        continue;
      for (guint k = 0; k < job->n_edges; k++)
        {
          guint from, to;

          g_variant_get_child (job->edges, k, "(uu)", &from, &to);
          if (labels[k].width > 0.0 && is_within (job, from, (gint) i) && is_within (job, to, (gint) i))
            widen (job, (gint) i, &frames[i], &labels[k], boxes);
        }
      if (parent >= 0)
        widen (job, parent, &frames[parent], &frames[i], boxes);
      job->width = MAX (job->width, frames[i].x + frames[i].width);
    }
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(dddd)"));
  for (guint i = 0; i < job->n_clusters; i++)
    g_variant_builder_add (&builder, "(dddd)", frames[i].x, frames[i].y, frames[i].width, frames[i].height);
  return g_variant_builder_end (&builder);
}

/* A line as Graphviz drew it; an arrow's tip is a straight curve of its own. */
static void
read_line (Job           *job,
           Agedge_t      *line,
           LsLayoutCurve *curve)
{
  splines *curves = line != NULL ? ED_spl (line) : NULL;
  pointf *points;
  guint n = 0;

  if (curves == NULL || curves->size < 1)
    return;
  points = g_new (pointf, (gsize) curves->list[0].size + 6);
  for (guint k = 0; curves->list[0].sflag && k < 3; k++)
    points[n++] = curves->list[0].sp;
  for (int i = 0; i < (int) curves->list[0].size; i++)
    points[n++] = curves->list[0].list[i];
  for (guint k = 0; curves->list[0].eflag && k < 3; k++)
    points[n++] = curves->list[0].ep;
  curve->points = g_malloc_n (n, sizeof *curve->points);
  curve->n = n;
  for (guint k = 0; k < n; k++)
    {
      curve->points[k][0] = mirror (job, points[k].x);
      curve->points[k][1] = job->height - points[k].y;
    }
  g_free (points);
}

static void
read_label (Job         *job,
            guint        i,
            LsLayoutBox *label)
{
  textlabel_t *drawn = job->lines[i] != NULL ? ED_label (job->lines[i]) : NULL;
  double width, height;

  if (drawn == NULL || !drawn->set)
    return;
  g_variant_get_child (job->labels, i, "(dd)", &width, &height);
  *label = (LsLayoutBox) { mirror (job, drawn->pos.x) - width / 2.0, job->height - drawn->pos.y - height / 2.0, width, height };
}

static void
put_line (GVariantBuilder     *counts,
          GVariantBuilder     *points,
          GVariantBuilder     *labels,
          const LsLayoutCurve *curve,
          const LsLayoutBox   *label)
{
  g_variant_builder_add (counts, "u", curve->n);
  for (guint k = 0; k < curve->n; k++)
    g_variant_builder_add (points, "(dd)", curve->points[k][0], curve->points[k][1]);
  if (label->width > 0.0)
    g_variant_builder_add (labels, "(dd)", label->x + label->width / 2.0, label->y + label->height / 2.0);
  else
    g_variant_builder_add (labels, "(dd)", -1.0, -1.0);
}

/* `places` get those of the labels. */
static void
put_lines (Job          *job,
           LsLayoutBox  *boxes,
           LsLayoutBox  *places,
           GVariantDict *dict)
{
  g_autofree guint *from = g_new0 (guint, job->n_edges + 1), *to = g_new0 (guint, job->n_edges + 1);
  g_autofree LsLayoutCurve *curves = g_new0 (LsLayoutCurve, job->n_edges + 1);
  LsLayoutLines lines = { job->n_edges, from, to, boxes, curves, places, job->width, job->mirrored };
  GVariantBuilder counts, points, labels;

  for (guint i = 0; i < job->n_edges; i++)
    {
      g_variant_get_child (job->edges, i, "(uu)", &from[i], &to[i]);
      read_line (job, job->lines[i], &curves[i]);
      read_label (job, i, &places[i]);
    }
  if (!job->flat)
    ls_layout_straighten (&lines);
  g_variant_builder_init (&counts, G_VARIANT_TYPE ("au"));
  g_variant_builder_init (&points, G_VARIANT_TYPE ("a(dd)"));
  g_variant_builder_init (&labels, G_VARIANT_TYPE ("a(dd)"));
  for (guint i = 0; i < job->n_edges; i++)
    {
      put_line (&counts, &points, &labels, &curves[i], &places[i]);
      g_free (curves[i].points);
    }
  g_variant_dict_insert_value (dict, "counts", g_variant_builder_end (&counts));
  g_variant_dict_insert_value (dict, "points", g_variant_builder_end (&points));
  g_variant_dict_insert_value (dict, "labels", g_variant_builder_end (&labels));
}

static GVariant *
answer (Job *job)
{
  g_autofree LsLayoutBox *boxes = g_new0 (LsLayoutBox, job->n_nodes + 1), *places = g_new0 (LsLayoutBox, job->n_edges + 1);
  GVariantDict dict;

  job->height = GD_bb (job->graph).UR.y;
  job->width = GD_bb (job->graph).UR.x;
  job->mirrored = !job->flat && is_mirrored (job);
  g_variant_dict_init (&dict, NULL);
  read_boxes (job, boxes);
  g_variant_dict_insert_value (&dict, "boxes", boxes_variant (job));
  put_lines (job, boxes, places, &dict);
  g_variant_dict_insert_value (&dict, "frames", job->flat ? boxes_around (job) : frames_variant (job, boxes, places));
  g_variant_dict_insert (&dict, "width", "d", job->width);
  g_variant_dict_insert (&dict, "height", "d", job->height);
  return g_variant_dict_end (&dict);
}

/* ---- the method ------------------------------------------------------------------------- */

static gboolean
read_job (Job      *job,
          GVariant *params,
          GError  **error)
{
  job->sizes = g_variant_lookup_value (params, "nodes", G_VARIANT_TYPE ("a(dd)"));
  job->homes = g_variant_lookup_value (params, "homes", G_VARIANT_TYPE ("ai"));
  job->edges = g_variant_lookup_value (params, "edges", G_VARIANT_TYPE ("a(uu)"));
  job->parents = g_variant_lookup_value (params, "clusters", G_VARIANT_TYPE ("ai"));
  job->labels = g_variant_lookup_value (params, "labels", G_VARIANT_TYPE ("a(dd)"));
  job->titles = g_variant_lookup_value (params, "titles", G_VARIANT_TYPE ("a(dd)"));
  if (job->sizes == NULL || job->homes == NULL || job->edges == NULL || job->parents == NULL
      || g_variant_n_children (job->homes) != g_variant_n_children (job->sizes))
    {
      ls_worker_refuse (error, "layout takes nodes, homes, edges and clusters.");
      return FALSE;
    }
  job->n_nodes = (guint) g_variant_n_children (job->sizes);
  job->n_edges = (guint) g_variant_n_children (job->edges);
  job->n_clusters = (guint) g_variant_n_children (job->parents);
  if (job->n_nodes <= MAX_NODES && job->n_edges <= MAX_EDGES)
    return TRUE;
  ls_worker_refuse (error, "A graph of %u nodes and %u edges is too large to be laid out; up to %d and %d go.",
               job->n_nodes, job->n_edges, MAX_NODES, MAX_EDGES);
  return FALSE;
}

static void
job_clear (Job *job)
{
  g_clear_pointer (&job->sizes, g_variant_unref);
  g_clear_pointer (&job->homes, g_variant_unref);
  g_clear_pointer (&job->edges, g_variant_unref);
  g_clear_pointer (&job->parents, g_variant_unref);
  g_clear_pointer (&job->labels, g_variant_unref);
  g_clear_pointer (&job->titles, g_variant_unref);
  g_free (job->clusters);
  g_free (job->nodes);
  g_free (job->lines);
  g_free (job->n_in);
  if (job->graph != NULL)
    agclose (job->graph);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Job, job_clear)

static void
set_up (Job *job)
{
  job->graph = agopen (text ("g"), Agdirected, NULL);
  job->clusters = g_new0 (Agraph_t *, job->n_clusters + 1);
  job->nodes = g_new0 (Agnode_t *, job->n_nodes + 1);
  job->lines = g_new0 (Agedge_t *, job->n_edges + 1);
  agattr (job->graph, AGRAPH, text ("nodesep"), text ("0.4"));
  agattr (job->graph, AGRAPH, text ("ranksep"), text (job->labels != NULL ? "0.2" : "0.5"));
  agattr (job->graph, AGRAPH, text ("label"), text (""));
  agattr (job->graph, AGRAPH, text ("labeljust"), text (""));
  agattr (job->graph, AGRAPH, text ("margin"), text (""));
  agattr (job->graph, AGRAPH, text ("labelloc"), text ("t"));
  agattr (job->graph, AGNODE, text ("shape"), text ("box"));
  agattr (job->graph, AGNODE, text ("fixedsize"), text ("true"));
  agattr (job->graph, AGNODE, text ("label"), text (""));
  agattr (job->graph, AGNODE, text ("width"), text ("1"));
  agattr (job->graph, AGNODE, text ("height"), text ("0.5"));
  agattr (job->graph, AGEDGE, text ("label"), text (""));
  agattr (job->graph, AGEDGE, text ("arrowsize"), text ("0.8"));
  agattr (job->graph, AGEDGE, text ("weight"), text ("1"));
}

/* nodes a(dd), homes ai, edges a(uu), clusters ai, labels a(dd), titles a(dd), quick b: without Graphviz, however small
 * -> width, height, boxes a(dddd), frames a(dddd), counts au, points a(dd), labels a(dd) */
static GVariant *
method_layout (LsRequest  *request,
               GVariant   *params,
               GError    **error)
{
  static GVC_t *context;
  g_auto (Job) job = { 0 };
  gboolean quick = FALSE;
  GVariant *result;

  if (params == NULL || !read_job (&job, params, error))
    return NULL;
  g_variant_lookup (params, "quick", "b", &quick);
  if (quick || job.n_nodes > GRAPHVIZ_NODES || job.n_edges > GRAPHVIZ_EDGES)
    {
      result = ls_layout_layered (job.sizes, job.homes, job.edges, job.parents, job.labels, job.titles);
      if (result == NULL)
        ls_worker_refuse (error, "An edge or a cluster of the layout is none.");
      return result;
    }
  if (context == NULL)
    context = gvContext ();
  job.flat = job.n_nodes > FLAT_NODES;
  set_up (&job);
  if (!job.flat)
    add_clusters (&job);
  add_nodes (&job);
  if (!add_edges (&job, error))
    return NULL;
  if (context == NULL || gvLayout (context, job.graph, "dot") != 0)
    {
      ls_worker_refuse (error, "Graphviz has no layout \"dot\" here.");
      return NULL;
    }
  result = GD_bb (job.graph).UR.y > LONG && GD_bb (job.graph).UR.y > SLENDER * GD_bb (job.graph).UR.x
             ? ls_layout_layered (job.sizes, job.homes, job.edges, job.parents, job.labels, job.titles) : NULL;
  if (result == NULL)
    result = answer (&job);
  gvFreeLayout (context, job.graph);
  return result;
}

const LsMethod ls_methods_layout[] = {
  { "layout", method_layout, "Places the nodes of a graph." },
  { NULL, NULL, NULL },
};
