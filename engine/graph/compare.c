/* compare: see the header.  A call is followed from what it is given: it is the one of the other side that has the same operator and is given what
 * is matched with it, so one pass over the program finds all that is the same. */
#include "engine/graph/compare-private.h"

#include <string.h>

#define MOST_ROUNDS 12
#define MOST_PARTS 64

const char *
ls_graph_match_kind_name (LsGraphMatchKind kind)
{
  static const char *const NAMES[] = { "same", "changed", "fused" };

  return NAMES[kind];
}

static void
match_free (gpointer data)
{
  LsGraphMatch *match = data;

  g_array_unref (match->left);
  g_array_unref (match->right);
  g_free (match->words);
  g_free (match);
}

/* ---- operators ------------------------------------------------------------------------------ */

/* What legalising calls otherwise. */
static const char *
plain_name (const char *op)
{
  static const struct { const char *op, *plain; } OTHER[] = { { "permute_dims", "transpose" }, { "astype", "cast" }, { "concat", "concatenate" } };

  for (guint i = 0; i < G_N_ELEMENTS (OTHER); i++)
    if (strcmp (op, OTHER[i].op) == 0)
      return OTHER[i].plain;
  return op;
}

/* Without the numbers that make names differ: "fused_matmul2_add1" is "fused_matmul_add"; conv2d keeps its own. (transfer full) */
static char *
op_of (const LsGraphNode *node)
{
  const char *name = node->callee != NULL ? node->callee : node->title;
  GString *out = g_string_new (NULL);

  if (node->kind != LS_GRAPH_NODE_CALL)
    return g_string_free (out, TRUE), NULL;
  for (const char *at = name; *at != '\0'; at++)
    {
      const char *end = at + strspn (at, "0123456789");

      if (end > at && (*end == '\0' || *end == '_'))
        at = end;
      if (*at == '\0')
        break;
      g_string_append_c (out, *at);
    }
  if (node->callee == NULL)
    g_string_assign (out, plain_name (out->str));
  return g_string_free (out, FALSE);
}

static void
side_set (LsGraphCompareSide    *self,
          LsGraph *graph)
{
  guint n = graph->nodes->len;

  self->graph = graph;
  self->inputs = ls_graph_side (graph, FALSE);
  self->users = ls_graph_side (graph, TRUE);
  self->ops = g_new0 (char *, n + 1);
  self->mate = g_new0 (gint, n + 1);
  self->done = g_new0 (gboolean, n + 1);
  self->made = g_new0 (gboolean, n + 1);
  for (guint i = 0; i < n; i++)
    {
      self->ops[i] = op_of (ls_graph_node (graph, i));
      self->mate[i] = -1;
      self->made[i] = self->ops[i] != NULL;
      for (guint k = self->inputs->start[i]; self->made[i] && k < self->inputs->start[i + 1]; k++)
        {
          guint from = ls_graph_edge (graph, self->inputs->edges[k])->from;

          self->made[i] = ls_graph_node (graph, from)->kind == LS_GRAPH_NODE_CONSTANT || (from < i && self->made[from]);
        }
    }
}

static void
side_clear (LsGraphCompareSide *self)
{
  for (guint i = 0; i < self->graph->nodes->len; i++)
    g_free (self->ops[i]);
  g_free (self->ops);
  g_free (self->mate);
  g_free (self->done);
  g_free (self->made);
  ls_graph_side_free (self->inputs);
  ls_graph_side_free (self->users);
}

/* The nodes that a node uses, without constants (legalising writes small ones into the function), in the order of its arguments. */
static GArray *
operands (const LsGraphCompareSide *side,
          guint       at)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = side->inputs->start[at]; i < side->inputs->start[at + 1]; i++)
    {
      guint from = ls_graph_edge (side->graph, side->inputs->edges[i])->from;

      if (ls_graph_node (side->graph, from)->kind != LS_GRAPH_NODE_CONSTANT)
        g_array_append_val (found, from);
    }
  return found;
}

/* ---- matches ------------------------------------------------------------------------------------ */

/* Operator, and of what (numbers of the left side), without what is made of constants; NULL: an operand is not matched, or there is none. (transfer full) */
static char *
key_of (LsGraphCompare *self,
        LsGraphCompareSide    *side,
        guint    at)
{
  g_autoptr (GArray) from = operands (side, at);
  g_autoptr (GString) key = g_string_new (side->ops[at]);
  gboolean has_any = FALSE;

  for (guint i = 0; i < from->len; i++)
    {
      guint node = g_array_index (from, guint, i);

      if (side->made[node])
        continue;
      if (side->mate[node] < 0)
        return NULL;
      g_string_append_printf (key, "|%d", side == &self->left ? (gint) node : side->mate[node]);
      has_any = TRUE;
    }
  return has_any ? g_strdup (key->str) : NULL;
}

static gboolean
same_type (const LsGraphNode *a,
           const LsGraphNode *b)
{
  return g_strcmp0 (a->type, b->type) == 0;
}

/* An attribute that both have with other values, or NULL. */
static const char *
other_attribute (const LsGraphNode *a,
                 const LsGraphNode *b)
{
  for (guint i = 0; i + 1 < a->attributes->len; i += 2)
    {
      const char *other = ls_graph_get_attribute (b, a->attributes->pdata[i]);

      if (other != NULL && strcmp (other, a->attributes->pdata[i + 1]) != 0)
        return a->attributes->pdata[i];
    }
  return NULL;
}

/* Calls of the left side whose operands are all matched, by their keys: of GArray of guint. */
static GHashTable *
left_keys (LsGraphCompare *self)
{
  GHashTable *keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_array_unref);

  for (guint i = 0; i < self->left.graph->nodes->len; i++)
    {
      char *key = self->left.ops[i] != NULL && !self->left.done[i] ? key_of (self, &self->left, i) : NULL;
      GArray *nodes = key != NULL ? g_hash_table_lookup (keys, key) : NULL;

      if (key == NULL)
        continue;
      if (nodes == NULL)
        g_hash_table_insert (keys, key, nodes = g_array_new (FALSE, FALSE, sizeof (guint)));
      else
        g_free (key);
      g_array_append_val (nodes, i);
    }
  return keys;
}

/* Puts the users of a node that has just been matched to the keys, where that was the last of their operands. */
static void
add_users (LsGraphCompare    *self,
           GHashTable *keys,
           guint       left)
{
  for (guint i = self->left.users->start[left]; i < self->left.users->start[left + 1]; i++)
    {
      guint user = ls_graph_edge (self->left.graph, self->left.users->edges[i])->to;
      char *key = self->left.ops[user] != NULL && !self->left.done[user] ? key_of (self, &self->left, user) : NULL;
      GArray *nodes = key != NULL ? g_hash_table_lookup (keys, key) : NULL;

      if (key == NULL)
        continue;
      if (nodes == NULL)
        g_hash_table_insert (keys, g_strdup (key), nodes = g_array_new (FALSE, FALSE, sizeof (guint)));
      if (nodes->len == 0 || g_array_index (nodes, guint, nodes->len - 1) != user)
        g_array_append_val (nodes, user);
      g_free (key);
    }
}

/* ---- fused ------------------------------------------------------------------------------------------- */

/* "fused_layer_norm_matmul" as operators that the left side has: the longest that fits each time.  How many, 0: it says something else. */
static guint
parts_of (LsGraphCompare    *self,
          const char *op,
          char      **parts)
{
  g_auto (GStrv) words = g_strsplit (op, "_", -1);
  guint n_words = g_strv_length (words), n = 0;

  if (!g_str_has_prefix (op, "fused_"))
    return 0;
  for (guint at = 1; at < n_words;)
    {
      guint took = 0;

      for (guint length = MIN (4, n_words - at); length > 0 && took == 0; length--)
        {
          g_autoptr (GString) name = g_string_new (words[at]);

          for (guint i = 1; i < length; i++)
            g_string_append_printf (name, "_%s", words[at + i]);
          if (n == MOST_PARTS || !g_hash_table_contains (self->known, name->str))
            continue;
          parts[n++] = g_strdup (name->str);
          took = length;
        }
      if (took == 0)
        {
          while (n > 0)
            g_free (parts[--n]);
          return 0;
        }
      at += took;
    }
  return n;
}

static gboolean
contains (GArray *nodes,
          guint   node)
{
  for (guint i = 0; i < nodes->len; i++)
    if (g_array_index (nodes, guint, i) == node)
      return TRUE;
  return FALSE;
}

/* The first call that does `op` on what is in `region` or `sources`, and else only on what is matched; -1: none. */
static gint
next_of (LsGraphCompare    *self,
         GArray     *region,
         GArray     *sources,
         const char *op)
{
  gint best = -1;

  for (guint k = 0; k < region->len + sources->len; k++)
    {
      guint from = k < region->len ? g_array_index (region, guint, k) : g_array_index (sources, guint, k - region->len);

      for (guint i = self->left.users->start[from]; i < self->left.users->start[from + 1]; i++)
        {
          guint user = ls_graph_edge (self->left.graph, self->left.users->edges[i])->to;
          g_autoptr (GArray) uses = NULL;
          gboolean ready = self->left.ops[user] != NULL && !self->left.done[user] && strcmp (self->left.ops[user], op) == 0 && !contains (region, user);

          if (!ready || (best >= 0 && user >= (guint) best))
            continue;
          uses = operands (&self->left, user);
          for (guint m = 0; ready && m < uses->len; m++)
            ready = contains (region, g_array_index (uses, guint, m)) || contains (sources, g_array_index (uses, guint, m));
          if (ready)
            best = (gint) user;
        }
    }
  return best;
}

static gboolean
match_fused (LsGraphCompare    *self,
             GHashTable *keys,
             guint       right)
{
  char *parts[MOST_PARTS];
  guint n = parts_of (self, self->right.ops[right], parts);
  g_autoptr (GArray) from = operands (&self->right, right), sources = g_array_new (FALSE, FALSE, sizeof (guint)), region = g_array_new (FALSE, FALSE, sizeof (guint));
  gboolean fits = n > 0;

  for (guint i = 0; fits && i < from->len; i++)
    {
      gint mate = self->right.mate[g_array_index (from, guint, i)];

      fits = mate >= 0;
      if (fits)
        g_array_append_val (sources, mate);
    }
  for (guint i = 0; fits && i < n; i++)
    {
      gint node = next_of (self, region, sources, parts[i]);

      fits = node >= 0;
      if (fits)
        g_array_append_val (region, node);
    }
  for (guint i = 0; i < n; i++)
    g_free (parts[i]);
  if (fits && same_type (ls_graph_node (self->left.graph, g_array_index (region, guint, region->len - 1)), ls_graph_node (self->right.graph, right)))
    {
      guint last = g_array_index (region, guint, region->len - 1);
      LsGraphMatch *match = ls_graph_compare_put (self, LS_GRAPH_MATCH_FUSED, last, right);

      g_array_set_size (match->left, 0);
      g_array_append_vals (match->left, region->data, region->len);
      for (guint i = 0; i < region->len; i++)
        self->left.done[g_array_index (region, guint, i)] = TRUE;
      add_users (self, keys, last);
      return TRUE;
    }
  return FALSE;
}

/* ---- passes -------------------------------------------------------------------------------------------- */

/* What is not computed; a constant is the same only as one of the same text. */
static gboolean
is_outer (const LsGraphNode *node,
          guint              round)
{
  return node->kind == LS_GRAPH_NODE_VALUE || (round == 0 && node->kind == LS_GRAPH_NODE_CONSTANT);
}

static void
match_values (LsGraphCompare *self)
{
  LsGraph *left = self->left.graph, *right = self->right.graph;

  for (guint round = 0; round < 2; round++)     /* by name, then by type in their order */
    {
      g_autoptr (GHashTable) waiting = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_queue_free);

      for (guint i = 0; i < left->nodes->len; i++)
        {
          LsGraphNode *node = ls_graph_node (left, i);
          g_autofree char *key = g_strdup_printf ("%s|%s", round == 0 ? node->title : "", node->type != NULL ? node->type : "");
          GQueue *queue = g_hash_table_lookup (waiting, key);

          if (!is_outer (node, round) || self->left.mate[i] >= 0)
            continue;
          if (queue == NULL)
            g_hash_table_insert (waiting, g_strdup (key), queue = g_queue_new ());
          g_queue_push_tail (queue, GUINT_TO_POINTER (i));
        }
      for (guint i = 0; i < right->nodes->len; i++)
        {
          LsGraphNode *node = ls_graph_node (right, i);
          g_autofree char *key = g_strdup_printf ("%s|%s", round == 0 ? node->title : "", node->type != NULL ? node->type : "");
          GQueue *queue = is_outer (node, round) && self->right.mate[i] < 0 ? g_hash_table_lookup (waiting, key) : NULL;
          guint mate;

          if (queue == NULL || g_queue_is_empty (queue))
            continue;
          mate = GPOINTER_TO_UINT (g_queue_pop_head (queue));
          self->left.mate[mate] = (gint) i;
          self->right.mate[i] = (gint) mate;
        }
    }
}

/* From the inputs on. */
static gboolean
match_forward (LsGraphCompare *self)
{
  g_autoptr (GHashTable) keys = left_keys (self);
  gboolean changed = FALSE;

  for (guint i = 0; i < self->right.graph->nodes->len; i++)
    {
      LsGraphNode *node = ls_graph_node (self->right.graph, i);
      g_autofree char *key = self->right.ops[i] != NULL && !self->right.done[i] ? key_of (self, &self->right, i) : NULL;
      GArray *nodes = key != NULL ? g_hash_table_lookup (keys, key) : NULL;
      gint best = -1;

      if (key == NULL)
        continue;
      for (guint k = 0; nodes != NULL && k < nodes->len; k++)
        {
          guint left = g_array_index (nodes, guint, k);
          LsGraphNode *other = ls_graph_node (self->left.graph, left);

          if (self->left.done[left])
            continue;
          if (same_type (other, node) && other_attribute (other, node) == NULL)
            {
              best = (gint) left;
              break;
            }
          best = best < 0 ? (gint) left : best;
        }
      if (best >= 0)
        {
          ls_graph_compare_put (self, LS_GRAPH_MATCH_SAME, (guint) best, i);
          add_users (self, keys, (guint) best);
          changed = TRUE;
        }
      else
        changed |= match_fused (self, keys, i);
    }
  return changed;
}

/* A user of the left node at the same place among its operands, or (backward) its operand there, that is free and does the same. */
static gint
beside (LsGraphCompare *self,
        guint    left,
        guint    right,         /* the free node of the right side */
        guint    place,
        gboolean backward)
{
  g_autoptr (GArray) uses = backward ? operands (&self->left, left) : NULL;

  if (backward)
    {
      guint node = place < uses->len ? g_array_index (uses, guint, place) : 0;

      return place < uses->len && self->left.ops[node] != NULL && !self->left.done[node] && strcmp (self->left.ops[node], self->right.ops[right]) == 0 ? (gint) node : -1;
    }
  for (guint i = self->left.users->start[left]; i < self->left.users->start[left + 1]; i++)
    {
      guint user = ls_graph_edge (self->left.graph, self->left.users->edges[i])->to;
      g_autoptr (GArray) other = self->left.ops[user] != NULL && !self->left.done[user] && strcmp (self->left.ops[user], self->right.ops[right]) == 0 ? operands (&self->left, user) : NULL;

      if (other != NULL && place < other->len && g_array_index (other, guint, place) == left)
        return (gint) user;
    }
  return -1;
}

/* From the results back, or from one matched operand on. */
static gboolean
match_neighbours (LsGraphCompare *self,
                  gboolean backward)
{
  guint n = self->right.graph->nodes->len;
  gboolean changed = FALSE;

  for (guint k = 0; k < n; k++)
    {
      guint at = backward ? n - 1 - k : k;
      gint found = -1;

      if (self->right.ops[at] == NULL || self->right.done[at])
        continue;
      if (backward)
        for (guint i = self->right.users->start[at]; i < self->right.users->start[at + 1] && found < 0; i++)
          {
            guint user = ls_graph_edge (self->right.graph, self->right.users->edges[i])->to;
            g_autoptr (GArray) uses = operands (&self->right, user);

            for (guint m = 0; m < uses->len && found < 0; m++)
              if (g_array_index (uses, guint, m) == at && self->right.mate[user] >= 0)
                found = beside (self, (guint) self->right.mate[user], at, m, TRUE);
          }
      else
        {
          g_autoptr (GArray) uses = operands (&self->right, at);

          for (guint m = 0; m < uses->len && found < 0; m++)
            if (self->right.mate[g_array_index (uses, guint, m)] >= 0 && ls_graph_node (self->right.graph, g_array_index (uses, guint, m))->kind == LS_GRAPH_NODE_CALL)
              found = beside (self, (guint) self->right.mate[g_array_index (uses, guint, m)], at, m, FALSE);
        }
      if (found >= 0)
        {
          ls_graph_compare_put (self, LS_GRAPH_MATCH_CHANGED, (guint) found, at);
          changed = TRUE;
        }
    }
  return changed;
}

static void
match_results (LsGraphCompare *self)
{
  guint at = 0;

  for (guint i = 0; i < self->right.graph->nodes->len; i++)
    {
      if (ls_graph_node (self->right.graph, i)->kind != LS_GRAPH_NODE_RESULT)
        continue;
      while (at < self->left.graph->nodes->len && ls_graph_node (self->left.graph, at)->kind != LS_GRAPH_NODE_RESULT)
        at++;
      if (at == self->left.graph->nodes->len)
        return;
      self->right.mate[i] = (gint) at;
      self->left.mate[at++] = (gint) i;
    }
}

/* ---- how good -------------------------------------------------------------------------------------------- */

/* That they are one is certain; what is said is whether they still do the same. */
static void
judge_known (LsGraphCompare           *self,
             LsGraphMatch      *match,
             const LsGraphNode *a,
             const LsGraphNode *b,
             const char        *attribute)
{
  const char *op = self->left.ops[g_array_index (match->left, guint, 0)], *other = self->right.ops[g_array_index (match->right, guint, 0)];

  if (strcmp (op, other) != 0)
    match->words = g_strdup_printf ("%s / %s", op, other);
  else if (!same_type (a, b))
    match->words = g_strdup_printf ("%s / %s", a->type != NULL ? a->type : "?", b->type != NULL ? b->type : "?");
  else if (attribute != NULL)
    match->words = g_strdup_printf ("%s: %s / %s", attribute, ls_graph_get_attribute (a, attribute), ls_graph_get_attribute (b, attribute));
  if (match->words != NULL)
    match->kind = LS_GRAPH_MATCH_CHANGED;
}

static void
judge (LsGraphCompare      *self,
       LsGraphMatch *match)
{
  guint left = g_array_index (match->left, guint, match->left->len - 1), right = g_array_index (match->right, guint, match->right->len - 1);
  LsGraphNode *a = ls_graph_node (self->left.graph, left), *b = ls_graph_node (self->right.graph, right);
  const char *attribute = other_attribute (a, b);
  g_autoptr (GArray) of_a = operands (&self->left, left), of_b = operands (&self->right, right);
  guint fit = 0, all = MAX (of_a->len, of_b->len);

  match->score = 1.0;
  if (match->kind == LS_GRAPH_MATCH_FUSED)
    return;
  if (match->is_known)
    {
      judge_known (self, match, a, b, attribute);
      return;
    }
  for (guint i = 0; i < MIN (of_a->len, of_b->len); i++)
    fit += self->right.mate[g_array_index (of_b, guint, i)] == (gint) g_array_index (of_a, guint, i);
  if (match->kind == LS_GRAPH_MATCH_CHANGED && fit == all)      /* found from behind, by what was matched after it: it has the same operands */
    match->kind = LS_GRAPH_MATCH_SAME;
  for (guint i = self->right.users->start[right]; i < self->right.users->start[right + 1]; i++)
    {
      gint user = self->right.mate[ls_graph_edge (self->right.graph, self->right.users->edges[i])->to];
      g_autoptr (GArray) uses = user >= 0 ? operands (&self->left, (guint) user) : NULL;

      all++;
      fit += uses != NULL && contains (uses, left);
    }
  if (match->kind == LS_GRAPH_MATCH_CHANGED)
    match->score = all > 0 ? (double) fit / all : 0.0;
  if (!same_type (a, b))
    {
      match->kind = LS_GRAPH_MATCH_CHANGED;
      match->score /= 2.0;
      match->words = g_strdup_printf ("%s / %s", a->type != NULL ? a->type : "?", b->type != NULL ? b->type : "?");
    }
  else if (attribute != NULL)
    {
      match->kind = LS_GRAPH_MATCH_CHANGED;
      match->words = g_strdup_printf ("%s: %s / %s", attribute, ls_graph_get_attribute (a, attribute), ls_graph_get_attribute (b, attribute));
    }
  else if (match->kind == LS_GRAPH_MATCH_CHANGED)
    match->words = g_strdup ("other operands");
}

static gint
by_first (gconstpointer a,
          gconstpointer b)
{
  guint x = g_array_index ((*(LsGraphMatch *const *) a)->left, guint, 0), y = g_array_index ((*(LsGraphMatch *const *) b)->left, guint, 0);

  return (x > y) - (x < y);
}

static GArray *
rest_of (const LsGraphCompareSide *side,
         guint      *n)
{
  GArray *rest = g_array_new (FALSE, FALSE, sizeof (guint));

  *n = 0;
  for (guint i = 0; i < side->graph->nodes->len; i++)
    if (side->ops[i] != NULL)
      {
        (*n)++;
        if (!side->done[i])
          g_array_append_val (rest, i);
      }
  return rest;
}

static guint
n_fused (const LsGraphCompareSide *side)
{
  guint n = 0;

  for (guint i = 0; i < side->graph->nodes->len; i++)
    n += side->ops[i] != NULL && g_str_has_prefix (side->ops[i], "fused_");
  return n;
}

static void
turn_round (LsGraphComparison *self,
            guint              n_left,  /* nodes of the left side that it had */
            guint              n_right)
{
  gint *values = g_new (gint, n_left + 1);
  GArray *rest = self->only_left;
  guint n = self->n_left;

  self->only_left = self->only_right;
  self->only_right = rest;
  self->n_left = self->n_right;
  self->n_right = n;
  for (guint i = 0; i < n_left; i++)
    values[i] = -1;
  for (guint i = 0; i < n_right; i++)
    if (self->right_values[i] >= 0)
      values[self->right_values[i]] = (gint) i;
  g_free (self->right_values);
  self->right_values = values;
  for (guint i = 0; i < self->matches->len; i++)
    {
      LsGraphMatch *match = self->matches->pdata[i];
      GArray *left = match->left;

      match->left = match->right;
      match->right = left;
    }
  g_ptr_array_sort (self->matches, by_first);
}

/* What is left after what is known: by structure. */
static LsGraphComparison *
compare_rest (LsGraphCompare *self)
{
  LsGraphComparison *result = g_new0 (LsGraphComparison, 1);
  double sum = 0.0;
  guint rounds = 0;

  match_values (self);
  match_results (self);
  while (rounds++ < MOST_ROUNDS && (match_forward (self) || match_neighbours (self, TRUE) || match_neighbours (self, FALSE)))
    ;
  result->matches = self->matches;
  result->only_left = rest_of (&self->left, &result->n_left);
  result->only_right = rest_of (&self->right, &result->n_right);
  for (guint i = 0; i < self->matches->len; i++)
    {
      LsGraphMatch *match = self->matches->pdata[i];

      judge (self, match);
      result->n_known += match->is_known;
      sum += match->score * (match->left->len + match->right->len);
    }
  result->score = result->n_left + result->n_right > 0 ? sum / (result->n_left + result->n_right) : 1.0;
  result->right_values = g_memdup2 (self->right.mate, MAX (1u, self->right.graph->nodes->len) * sizeof (gint));
  g_ptr_array_sort (result->matches, by_first);
  return result;
}

static void
compare_set (LsGraphCompare *self,
             LsGraph *left,
             LsGraph *right)
{
  side_set (&self->left, left);
  side_set (&self->right, right);
  self->matches = g_ptr_array_new_with_free_func (match_free);
  self->known = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < left->nodes->len; i++)
    if (self->left.ops[i] != NULL)
      g_hash_table_add (self->known, self->left.ops[i]);
}

/* All but the matches, which the answer has. */
static void
compare_clear (LsGraphCompare *self)
{
  g_hash_table_unref (self->known);
  side_clear (&self->left);
  side_clear (&self->right);
}

LsGraphComparison *
ls_graph_compare (LsGraph *left,
                  LsGraph *right)
{
  LsGraphComparison *result;
  LsGraphCompare self = { 0 };

  compare_set (&self, left, right);
  if (n_fused (&self.left) > n_fused (&self.right))
    {
      g_ptr_array_unref (self.matches);
      compare_clear (&self);
      result = ls_graph_compare (right, left);
      turn_round (result, right->nodes->len, left->nodes->len);
      return result;
    }
  result = compare_rest (&self);
  compare_clear (&self);
  return result;
}

LsGraphComparison *
ls_graph_compare_made (LsGraph               *left,
                       LsGraph               *right,
                       LsRelaxLineage *const *parts,
                       guint                  n)
{
  LsGraphComparison *result;
  LsGraphCompare self = { 0 };

  compare_set (&self, left, right);
  ls_graph_compare_known (&self, parts, n);
  result = compare_rest (&self);
  compare_clear (&self);
  return result;
}

void
ls_graph_comparison_free (LsGraphComparison *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->matches);
  g_array_unref (self->only_left);
  g_array_unref (self->only_right);
  g_free (self->right_values);
  g_free (self);
}

LsGraph *
ls_graph_comparison_align (const LsGraphComparison *self,
                           LsGraph                 *left,
                           LsGraph                 *right)
{
  LsGraph *graph = ls_graph_copy (right);
  g_autoptr (GPtrArray) results = g_ptr_array_new ();
  g_autofree const char **keys = g_new0 (const char *, graph->nodes->len + 1);
  guint n_results = 0;

  for (guint i = 0; i < left->nodes->len; i++)
    if (ls_graph_node (left, i)->kind == LS_GRAPH_NODE_RESULT)
      g_ptr_array_add (results, ls_graph_node (left, i)->key);
  for (guint i = 0; i < graph->nodes->len; i++)
    {
      LsGraphNodeKind kind = ls_graph_node (graph, i)->kind;

      if (kind == LS_GRAPH_NODE_RESULT && n_results < results->len)
        keys[i] = results->pdata[n_results++];
      else if ((kind == LS_GRAPH_NODE_VALUE || kind == LS_GRAPH_NODE_CONSTANT) && self->right_values[i] >= 0)
        keys[i] = ls_graph_node (left, (guint) self->right_values[i])->key;
    }
  for (guint i = 0; i < self->matches->len; i++)
    {
      LsGraphMatch *match = self->matches->pdata[i];

      keys[g_array_index (match->right, guint, match->right->len - 1)] = ls_graph_node (left, g_array_index (match->left, guint, match->left->len - 1))->key;
    }
  g_hash_table_remove_all (graph->keys);
  for (guint i = 0; i < graph->nodes->len; i++)
    {
      LsGraphNode *node = ls_graph_node (graph, i);
      char *key = keys[i] != NULL ? g_strdup (keys[i]) : g_strconcat ("right/", node->key, NULL);

      g_free (node->key);
      node->key = key;
      g_hash_table_insert (graph->keys, node->key, GUINT_TO_POINTER (i));
    }
  return graph;
}

double
ls_graph_score_told (double score)
{
  return score < 1.0 ? MIN (score, 0.99) : score;
}
