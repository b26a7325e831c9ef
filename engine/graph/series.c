/* series: see the header.  Matching is linear: keys by a table, the rest by the places of the users. */
#include "engine/graph/series.h"

#include <string.h>

const char *
ls_graph_mark_sign (LsGraphMark mark)
{
  switch (mark)
    {
    case LS_GRAPH_SAME:
    case LS_GRAPH_ABSENT:
      return "";
    case LS_GRAPH_ADDED:
      return "+";
    case LS_GRAPH_CHANGED:
      return "~";
    case LS_GRAPH_REMOVED:
      return "-";
    }
  return "";
}

char *
ls_graph_state_words (LsGraphState *state)
{
  g_autoptr (GString) words = g_string_new (NULL);
  const struct { guint n; const char *text; } counts[] = {
    { state->n_changed, LS_TEXT ("%u changed") }, { state->n_added, LS_TEXT ("%u added") }, { state->n_removed, LS_TEXT ("%u removed") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    if (counts[i].n > 0)
      {
        g_string_append (words, words->len > 0 ? ", " : "");
        g_string_append_printf (words, ls_translate (counts[i].text), counts[i].n);
      }
  return g_strdup (words->len > 0 ? words->str : ls_translate ("nothing changed"));
}

static void
state_free (gpointer data)
{
  LsGraphState *self = data;

  g_free (self->label);
  ls_graph_unref (self->graph);
  g_free (self->places);
  g_free (self->nodes);
  g_free (self->edges);
  g_free (self->marks);
  for (guint i = 0; i < 2; i++)
    {
      g_free (self->starts[i]);
      g_free (self->ends[i]);
    }
  g_free (self);
}

/* So that nobody goes through all edges to find those at a node. */
static void
find_ends (LsGraphState *self)
{
  LsGraph *graph = self->graph;

  for (guint side = 0; side < 2; side++)
    {
      guint *starts = g_new0 (guint, graph->nodes->len + 2), *ends = g_new (guint, graph->edges->len + 1);

      for (guint i = 0; i < graph->edges->len; i++)
        starts[(side == 0 ? ls_graph_edge (graph, i)->to : ls_graph_edge (graph, i)->from) + 2]++;
      for (guint i = 2; i < graph->nodes->len + 2; i++)
        starts[i] += starts[i - 1];
      for (guint i = 0; i < graph->edges->len; i++)     /* each start goes on to the next one */
        ends[starts[(side == 0 ? ls_graph_edge (graph, i)->to : ls_graph_edge (graph, i)->from) + 1]++] = i;
      self->starts[side] = starts;
      self->ends[side] = ends;
    }
}

/* ---- places --------------------------------------------------------------------------- */

#define NO_PLACE G_MAXUINT

/* The places of the users of a node, as a text; NULL when one has no place yet or there are none. (transfer full) */
static char *
users_text (LsGraph     *graph,
            LsGraphSide *users,
            const guint *places,
            guint        at)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = users->start[at]; i < users->start[at + 1]; i++)
    {
      guint place = places[ls_graph_edge (graph, users->edges[i])->to];

      if (place == NO_PLACE)
        return NULL;
      g_string_append_printf (text, "%u ", place);
    }
  return text->len > 0 ? g_strdup (text->str) : NULL;
}

/* What stood in the state before and has no counterpart, by what uses it. */
static GHashTable *
left_over (LsGraphState *before,
           GHashTable   *taken)
{
  GHashTable *table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (LsGraphSide) users = ls_graph_side (before->graph, TRUE);

  for (guint i = 0; i < before->graph->nodes->len; i++)
    {
      char *text;

      if (ls_graph_node (before->graph, i)->kind != LS_GRAPH_NODE_CALL || g_hash_table_contains (taken, GUINT_TO_POINTER (before->places[i])))
        continue;
      text = users_text (before->graph, users, before->places, i);
      if (text != NULL)
        g_hash_table_insert (table, text, GUINT_TO_POINTER (before->places[i] + 1));
    }
  return table;
}

static void
match_users (LsGraphState *before,
             LsGraphState *state,
             GHashTable   *taken)
{
  g_autoptr (LsGraphSide) users = ls_graph_side (state->graph, TRUE);
  g_autoptr (GHashTable) left = left_over (before, taken);

  for (guint i = state->graph->nodes->len; i-- > 0;)
    {
      g_autofree char *text = NULL;
      guint place;

      if (state->places[i] != NO_PLACE || ls_graph_node (state->graph, i)->kind != LS_GRAPH_NODE_CALL)
        continue;
      text = users_text (state->graph, users, state->places, i);
      place = text != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (left, text)) : 0;
      if (place == 0 || g_hash_table_contains (taken, GUINT_TO_POINTER (place - 1)))
        continue;
      state->places[i] = place - 1;
      g_hash_table_add (taken, GUINT_TO_POINTER (place - 1));
    }
}

static void
find_places (LsGraphSeries *self,
             GHashTable    *keys,       /* key -> place + 1 */
             LsGraphState  *state,
             gboolean       by_users,   /* not only by keys */
             guint         *n_places)
{
  LsGraphState *before = self->states->len > 0 ? ls_graph_series_state (self, self->states->len - 1) : NULL;
  g_autoptr (GHashTable) taken = g_hash_table_new (NULL, NULL);
  guint n = state->graph->nodes->len;

  state->places = g_new (guint, n + 1);
  for (guint i = 0; i < n; i++)
    {
      guint place = GPOINTER_TO_UINT (g_hash_table_lookup (keys, ls_graph_node (state->graph, i)->key));

      state->places[i] = place > 0 && g_hash_table_add (taken, GUINT_TO_POINTER (place - 1)) ? place - 1 : NO_PLACE;
    }
  if (before != NULL && by_users)
    match_users (before, state, taken);
  for (guint i = 0; i < n; i++)
    {
      if (state->places[i] == NO_PLACE)
        state->places[i] = (*n_places)++;
      g_hash_table_insert (keys, ls_graph_node (state->graph, i)->key, GUINT_TO_POINTER (state->places[i] + 1));
    }
}

/* ---- the whole -------------------------------------------------------------------------- */

static gint
whole_cluster (LsGraph    *whole,
               GHashTable *made,        /* key -> number + 1 */
               LsGraph    *graph,
               gint        cluster)
{
  LsGraphCluster *old;
  guint number;

  if (cluster < 0)
    return -1;
  old = ls_graph_cluster (graph, cluster);
  number = GPOINTER_TO_UINT (g_hash_table_lookup (made, old->key));
  if (number == 0)
    {
      number = (guint) ls_graph_add_cluster (whole, old->kind, whole_cluster (whole, made, graph, old->parent), old->key, old->title, old->detail) + 1;
      g_hash_table_insert (made, old->key, GUINT_TO_POINTER (number));
    }
  return (gint) number - 1;
}

/* `known`: the numbers of edges that the states before brought, plus 1, by what they join. */
static void
add_edges (LsGraphSeries *self,
           LsGraphState  *state,
           GHashTable    *known,
           GArray        *numbers)
{
  for (guint i = 0; i < state->graph->edges->len; i++)
    {
      LsGraphEdge *edge = ls_graph_edge (state->graph, i);
      guint from = state->places[edge->from], to = state->places[edge->to];
      g_autofree char *key = g_strdup_printf ("%u %u %d %s", from, to, edge->kind, edge->kind == LS_GRAPH_EDGE_FLOW ? "" : edge->label);
      guint at = self->states->len > 1 ? GPOINTER_TO_UINT (g_hash_table_lookup (known, key)) : 0;

      if (at == 0)
        {
          ls_graph_add_edge (self->whole, edge->kind, from, to, edge->label, edge->type)->argument = edge->argument;
          at = self->whole->edges->len;
          g_hash_table_insert (known, g_steal_pointer (&key), GUINT_TO_POINTER (at));
        }
      at--;
      g_array_append_val (numbers, at);
    }
}

static void
build_whole (LsGraphSeries *self,
             guint          n_places)
{
  g_autoptr (GHashTable) clusters = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) numbers = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  LsGraphState *first = ls_graph_series_state (self, 0);

  self->whole = ls_graph_new (first->graph->kind);
  for (guint s = 0; s < self->states->len; s++)
    for (guint i = 0; i < ls_graph_series_state (self, s)->graph->clusters->len; i++)
      whole_cluster (self->whole, clusters, ls_graph_series_state (self, s)->graph, (gint) i);
  for (guint place = 0; place < n_places; place++)
    for (guint s = self->states->len; s-- > 0;)
      {
        LsGraphState *state = ls_graph_series_state (self, s);

        if (state->nodes[place] >= 0)
          {
            LsGraphNode *node = ls_graph_node (state->graph, state->nodes[place]);
            gint cluster = node->cluster;

            ls_graph_copy_node (self->whole, node)->cluster = whole_cluster (self->whole, clusters, state->graph, cluster);
            break;
          }
      }
  for (guint s = 0; s < self->states->len; s++)
    {
      g_ptr_array_add (numbers, g_array_new (FALSE, FALSE, sizeof (guint)));
      add_edges (self, ls_graph_series_state (self, s), known, numbers->pdata[s]);
    }
  for (guint s = 0; s < self->states->len; s++)
    {
      LsGraphState *state = ls_graph_series_state (self, s);

      state->edges = g_new (gint, self->whole->edges->len + 1);
      for (guint i = 0; i < self->whole->edges->len; i++)
        state->edges[i] = -1;
      for (guint i = 0; i < ((GArray *) numbers->pdata[s])->len; i++)
        state->edges[g_array_index ((GArray *) numbers->pdata[s], guint, i)] = (gint) i;
    }
}

/* ---- marks ------------------------------------------------------------------------------- */

static gboolean
same_inputs (LsGraphState *a,
             LsGraphSide  *a_inputs,
             guint         at,
             LsGraphState *b,
             LsGraphSide  *b_inputs,
             guint         bt)
{
  guint n = a_inputs->start[at + 1] - a_inputs->start[at];

  if (n != b_inputs->start[bt + 1] - b_inputs->start[bt])
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      LsGraphEdge *x = ls_graph_edge (a->graph, a_inputs->edges[a_inputs->start[at] + i]);
      LsGraphEdge *y = ls_graph_edge (b->graph, b_inputs->edges[b_inputs->start[bt] + i]);

      if (a->places[x->from] != b->places[y->from])
        return FALSE;
    }
  return TRUE;
}

static gboolean
same_attributes (const LsGraphNode *a,
                 const LsGraphNode *b)
{
  if (a->attributes->len != b->attributes->len)
    return FALSE;
  for (guint i = 0; i < a->attributes->len; i++)
    if (strcmp (a->attributes->pdata[i], b->attributes->pdata[i]) != 0)
      return FALSE;
  return TRUE;
}

static guint32
hash_text (guint32     hash,
           const char *text)
{
  for (const char *at = text != NULL ? text : ""; *at != '\0'; at++)
    hash = (hash ^ (guint8) *at) * 16777619u;
  return (hash ^ 0xffu) * 16777619u;
}

/* Of each folded group what its nodes are, in their order; NULL: nothing is folded. (transfer full) */
static guint32 *
hash_members (LsGraph *graph)
{
  LsGraph *whole = ls_graph_get_whole (graph);
  guint32 *hashes = graph->shown != NULL ? g_new0 (guint32, graph->nodes->len + 1) : NULL;

  for (guint i = 0; hashes != NULL && i < whole->nodes->len; i++)
    {
      const LsGraphNode *node = ls_graph_node (whole, i);
      guint32 *hash = &hashes[ls_graph_get_shown (graph, i)];

      if (node->kind != LS_GRAPH_NODE_CALL)
        continue;
      *hash = hash_text (hash_text (hash_text (*hash, ls_graph_get_attribute (node, "version") == NULL ? node->title : NULL), node->detail), node->type);
      for (guint k = 0; k < node->attributes->len; k++)
        *hash = hash_text (*hash, node->attributes->pdata[k]);
    }
  return hashes;
}

static void
set_marks (LsGraphState *before,
           LsGraphState *state,
           guint         n_places)
{
  g_autofree guint32 *old_members = before != NULL ? hash_members (before->graph) : NULL, *members = before != NULL ? hash_members (state->graph) : NULL;
  g_autoptr (LsGraphSide) old_inputs = before != NULL ? ls_graph_side (before->graph, FALSE) : NULL;
  g_autoptr (LsGraphSide) inputs = ls_graph_side (state->graph, FALSE);

  for (guint place = 0; place < n_places; place++)
    {
      gint now = state->nodes[place], old = before != NULL ? before->nodes[place] : now;
      LsGraphMark mark = now >= 0 ? LS_GRAPH_SAME : LS_GRAPH_ABSENT;

      if (now >= 0 && old < 0)
        mark = LS_GRAPH_ADDED;
      else if (now < 0 && old >= 0)
        mark = LS_GRAPH_REMOVED;
      else if (now >= 0 && before != NULL)
        {
          LsGraphNode *a = ls_graph_node (before->graph, old), *b = ls_graph_node (state->graph, now);

          if ((strcmp (a->title, b->title) != 0 && ls_graph_get_attribute (b, "version") == NULL) || g_strcmp0 (a->detail, b->detail) != 0 || g_strcmp0 (a->type, b->type) != 0
              || a->is_gone != b->is_gone || !same_attributes (a, b)
              || (b->kind == LS_GRAPH_NODE_GROUP && old_members != NULL && members != NULL && old_members[old] != members[now])
              || !same_inputs (before, old_inputs, (guint) old, state, inputs, (guint) now))
            mark = LS_GRAPH_CHANGED;
        }
      state->marks[place] = mark;
      state->n_added += mark == LS_GRAPH_ADDED;
      state->n_changed += mark == LS_GRAPH_CHANGED;
      state->n_removed += mark == LS_GRAPH_REMOVED;
    }
}

/* ---- the series ---------------------------------------------------------------------------- */

static LsGraphSeries *
series_new (GPtrArray *graphs,
            GPtrArray *labels,
            gboolean   by_users)
{
  LsGraphSeries *self = g_new0 (LsGraphSeries, 1);
  g_autoptr (GHashTable) keys = g_hash_table_new (g_str_hash, g_str_equal);
  guint n_places = 0;

  g_return_val_if_fail (graphs->len > 0 && graphs->len == labels->len, NULL);

  g_atomic_ref_count_init (&self->refs);
  self->is_pair = !by_users;
  self->states = g_ptr_array_new_with_free_func (state_free);
  for (guint i = 0; i < graphs->len; i++)
    {
      LsGraphState *state = g_new0 (LsGraphState, 1);

      state->label = g_strdup (labels->pdata[i]);
      state->graph = ls_graph_ref (graphs->pdata[i]);
      find_ends (state);
      find_places (self, keys, state, by_users, &n_places);
      g_ptr_array_add (self->states, state);
    }
  for (guint i = 0; i < self->states->len; i++)
    {
      LsGraphState *state = ls_graph_series_state (self, i);

      state->nodes = g_new (gint, n_places + 1);
      state->marks = g_new0 (guint8, n_places + 1);
      for (guint k = 0; k < n_places; k++)
        state->nodes[k] = -1;
      for (guint k = 0; k < state->graph->nodes->len; k++)
        state->nodes[state->places[k]] = (gint) k;
    }
  for (guint i = 0; i < self->states->len; i++)
    set_marks (i > 0 ? ls_graph_series_state (self, i - 1) : NULL, ls_graph_series_state (self, i), n_places);
  build_whole (self, n_places);
  return self;
}

LsGraphSeries *
ls_graph_series_new (GPtrArray *graphs,
                     GPtrArray *labels)
{
  return series_new (graphs, labels, TRUE);
}

LsGraphSeries *
ls_graph_series_pair (LsGraph    *left,
                      LsGraph    *right,
                      const char *left_label,
                      const char *right_label)
{
  g_autoptr (GPtrArray) graphs = g_ptr_array_new (), labels = g_ptr_array_new ();

  g_ptr_array_add (graphs, left);
  g_ptr_array_add (graphs, right);
  g_ptr_array_add (labels, (gpointer) left_label);
  g_ptr_array_add (labels, (gpointer) right_label);
  return series_new (graphs, labels, FALSE);
}

LsGraphSeries *
ls_graph_series_one (LsGraph    *graph,
                     const char *label)
{
  g_autoptr (GPtrArray) graphs = g_ptr_array_new (), labels = g_ptr_array_new ();

  g_ptr_array_add (graphs, graph);
  g_ptr_array_add (labels, (gpointer) label);
  return ls_graph_series_new (graphs, labels);
}

LsGraphSeries *
ls_graph_series_ref (LsGraphSeries *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
ls_graph_series_unref (LsGraphSeries *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->refs))
    return;
  g_ptr_array_unref (self->states);
  ls_graph_unref (self->whole);
  g_free (self);
}
