/* names: what a part of a model is called.
 *
 * Two witnesses are asked.  Its weights: the path that most of their names begin with ("layers.3.attn"), or for saved graphs
 * of torch.fx the path of the modules called.  Its operators, by their order: products before and after a softmax are
 * attention, two products around an activation are a feed-forward part, and so on.  A fused call counts as the operators in its
 * name.  Where neither says anything there is no name.
 */
#include "engine/graph/graph-private.h"

#include <string.h>

/* ---- operators ---------------------------------------------------------------------- */

typedef enum { OP_PRODUCT = 1, OP_CONVOLUTION, OP_SOFTMAX, OP_ACTIVATION, OP_NORM, OP_SUM, OP_POOL } Op;

static const struct { const char *word; Op op; } OPS[] = {
  { "matmul", OP_PRODUCT }, { "linear", OP_PRODUCT }, { "dense", OP_PRODUCT }, { "einsum", OP_PRODUCT },
  { "conv", OP_CONVOLUTION }, { "conv1d", OP_CONVOLUTION }, { "conv2d", OP_CONVOLUTION }, { "conv3d", OP_CONVOLUTION },
  { "softmax", OP_SOFTMAX },
  { "relu", OP_ACTIVATION }, { "gelu", OP_ACTIVATION }, { "silu", OP_ACTIVATION }, { "sigmoid", OP_ACTIVATION }, { "tanh", OP_ACTIVATION },
  { "erf", OP_ACTIVATION }, { "leakyrelu", OP_ACTIVATION },
  { "norm", OP_NORM }, { "layernorm", OP_NORM }, { "batchnorm", OP_NORM }, { "groupnorm", OP_NORM }, { "rmsnorm", OP_NORM },
  { "add", OP_SUM }, { "iadd", OP_SUM },
  { "pool2d", OP_POOL }, { "pool", OP_POOL },
};

/* "conv2d1" is "conv2d": as it stands first, then without the number behind it.  0: none that tells anything. */
static Op
op_of (const char *word,
       gsize       length)
{
  for (;;)
    {
      for (guint i = 0; i < G_N_ELEMENTS (OPS); i++)
        if (strlen (OPS[i].word) == length && g_ascii_strncasecmp (word, OPS[i].word, length) == 0)
          return OPS[i].op;
      if (length == 0 || !g_ascii_isdigit (word[length - 1]))
        return 0;
      length--;
    }
}

/* A bias is added too: a sum is one of the two ways around a block when both of what it adds was computed. */
static void
add_ops (GByteArray *ops,
         const char *text,
         gboolean    joins)
{
  while (*text != '\0')
    {
      gsize length = strcspn (text, "_. ");
      guint8 op = (guint8) op_of (text, length);

      if (op != 0 && (op != OP_SUM || joins))
        g_byte_array_append (ops, &op, 1);
      text += length + (text[length] != '\0');
    }
}

static guint
count (GByteArray *ops,
       guint       from,
       guint       to,
       Op          op)
{
  guint n = 0;

  for (guint i = from; i < to; i++)
    n += ops->data[i] == op;
  return n;
}

/* Where `op` stands from `from` on; the length when it does not. */
static guint
place (GByteArray *ops,
       guint       from,
       Op          op)
{
  while (from < ops->len && ops->data[from] != op)
    from++;
  return from;
}

/* A product, later an activation, later a product, in operators [from, to) without a softmax between. */
static gboolean
has_feed_forward (GByteArray *ops,
                  guint       from,
                  guint       to)
{
  guint act = place (ops, from, OP_ACTIVATION);

  while (act < to)
    {
      if (count (ops, from, act, OP_PRODUCT) > 0 && count (ops, act, to, OP_PRODUCT) > 0)
        return TRUE;
      act = place (ops, act + 1, OP_ACTIVATION);
    }
  return FALSE;
}

static const char *
pattern_name (GByteArray *ops)
{
  guint soft = place (ops, 0, OP_SOFTMAX), last = soft;
  gboolean attends = soft < ops->len && count (ops, 0, soft, OP_PRODUCT) > 0;
  guint convolutions = count (ops, 0, ops->len, OP_CONVOLUTION);

  for (guint at = soft; at < ops->len; at = place (ops, at + 1, OP_SOFTMAX))
    last = at;
  attends = attends && count (ops, soft, ops->len, OP_PRODUCT) > 0;
  if (attends)
    {
      guint mixed = place (ops, last, OP_PRODUCT);      /* the weights with the values: not of the feed-forward part */

      return has_feed_forward (ops, MIN (mixed + 1, ops->len), ops->len) ? ls_translate ("transformer layer") : ls_translate ("attention");
    }
  if (convolutions > 1 && count (ops, 0, ops->len, OP_SUM) > 0)
    return ls_translate ("residual block");
  if (convolutions > 0)
    return ls_translate ("convolution");
  if (has_feed_forward (ops, 0, ops->len))
    return ls_translate ("feed-forward");
  return NULL;
}

/* ---- paths ---------------------------------------------------------------------------- */

/* Where the component that begins at `at` ends. */
static const char *
component_end (const char *at)
{
  return at + strcspn (at, "._");
}

/* "0.5" is a number that stands as itself, "onnx::MatMul_883" what torch's exporter calls a weight that it changed.  `seen` owns what is in `paths`. */
static void
add_path (GPtrArray  *paths,
          GHashTable *seen,
          const char *name)
{
  char *copy;

  if (g_ascii_isdigit (name[0]) || name[0] == '-' || g_str_has_prefix (name, "onnx_") || *component_end (name) == '\0' || g_hash_table_contains (seen, name))
    return;
  copy = g_strdup (name);
  g_hash_table_add (seen, copy);
  g_ptr_array_add (paths, copy);
}

/* A weight that was folded into its user stands there as name and type. */
static gboolean
is_weight_type (const char *value)
{
  const char *end = strchr (value, ')');

  return value[0] == '(' && end != NULL && end[1] == ' ' && g_ascii_isalpha (end[2]);
}

gboolean
ls_graph_is_weight_name (const char *name)
{
  return g_str_has_suffix (name, "weight") || g_str_has_suffix (name, "bias");
}

/* "layers_0_attn_matmul", as imports call what a module of a list computes: a number stands between other parts. */
static gboolean
tells_layer (const char *name)
{
  const char *start = strchr (name, '_');

  for (; start != NULL; start = strchr (start + 1, '_'))
    {
      gsize n = strspn (start + 1, "0123456789");

      if (n > 0 && start[n + 1] == '_' && start[n + 2] != '\0')
        return TRUE;
    }
  return FALSE;
}

static void
paths_of (LsGraph     *self,
          LsGraphSide *inputs,
          guint        at,
          GPtrArray   *paths,
          GHashTable  *seen)
{
  LsGraphNode *node = ls_graph_node (self, at);
  guint n_before = paths->len;
  gboolean with_call = FALSE;   /* what stands beside something computed is a weight, also as first argument (exporters write bias + x) */

  if (self->kind == LS_GRAPH_FX)
    {
      const char *op = ls_graph_get_attribute (node, "op"), *target = ls_graph_get_attribute (node, "target");

      const char *module = ls_graph_get_attribute (node, "module");

      if (op != NULL && strcmp (op, "call_module") == 0 && target != NULL)
        add_path (paths, seen, target);
      else if (module != NULL)          /* the last component says which part of it it is, as everywhere */
        {
          g_autofree char *full = g_strdup_printf ("%s.%s", module, node->title);

          add_path (paths, seen, full);
          return;
        }
    }
  else
    for (guint i = 0; i + 1 < node->attributes->len; i += 2)
      if (is_weight_type (node->attributes->pdata[i + 1]))
        add_path (paths, seen, node->attributes->pdata[i]);
  for (guint i = inputs->start[at]; i < inputs->start[at + 1]; i++)
    with_call |= ls_graph_node (self, ls_graph_edge (self, inputs->edges[i])->from)->kind == LS_GRAPH_NODE_CALL;
  for (guint i = inputs->start[at]; i < inputs->start[at + 1]; i++)
    {
      LsGraphEdge *edge = ls_graph_edge (self, inputs->edges[i]);
      LsGraphNode *from = ls_graph_node (self, edge->from);

      if ((from->kind == LS_GRAPH_NODE_VALUE || from->kind == LS_GRAPH_NODE_CONSTANT) && (edge->argument >= 1 || ls_graph_is_weight_name (from->title) || with_call))
        add_path (paths, seen, from->title);
    }
  if (paths->len == n_before && node->kind == LS_GRAPH_NODE_CALL && node->name != NULL && tells_layer (node->name))
    add_path (paths, seen, node->name);
}

/* The longest path, without the last component of any name, with which three quarters of the names begin; one name alone
 * needs three components.  (transfer full), or NULL */
static char *
common_path (GPtrArray *paths)
{
  g_autofree char *best = NULL;

  for (guint depth = 1; paths->len > 0; depth++)
    {
      g_autoptr (GHashTable) counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      const char *most = NULL;
      guint n = 0;

      for (guint i = 0; i < paths->len; i++)
        {
          const char *name = paths->pdata[i], *end = component_end (name);
          guint at = 1;
          char *prefix;

          while (at < depth && *end != '\0')
            {
              end = component_end (end + 1);
              at++;
            }
          if (*end == '\0')             /* the last component says which weight it is, not where */
            continue;
          prefix = g_strndup (name, (gsize) (end - name));
          if (best != NULL && !g_str_has_prefix (prefix, best))
            {
              g_free (prefix);
              continue;
            }
          at = GPOINTER_TO_UINT (g_hash_table_lookup (counts, prefix)) + 1;
          g_hash_table_replace (counts, prefix, GUINT_TO_POINTER (at));
          if (at > n)
            {
              n = at;
              most = prefix;
            }
        }
      if (most == NULL || 4 * n < 3 * paths->len)
        break;
      g_free (best);
      best = g_strdup (most);
    }
  if (best == NULL || strlen (best) < 2 || (paths->len == 1 && *component_end (best) == '\0'))
    return NULL;
  return g_steal_pointer (&best);
}

char *
ls_graph_numbered_path (LsGraph     *self,
                        LsGraphSide *inputs,
                        guint        at,
                        guint        level,
                        gboolean    *has_path)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const char *name, *start, *end;

  paths_of (self, inputs, at, paths, seen);
  *has_path = paths->len > 0;
  if (paths->len == 0)
    return NULL;
  name = start = paths->pdata[0];
  for (end = component_end (start); *end != '\0'; start = end + 1, end = component_end (start))        /* the last component says which weight it is */
    if (end > start && strspn (start, "0123456789") == (gsize) (end - start) && --level == 0)
      return g_strndup (name, (gsize) (end - name));
  return NULL;
}

/* "layers.3" and "layers.6" are "layers.3–6"; else what both begin with.  (transfer full), or NULL */
static char *
joined_path (const char *first,
             const char *last)
{
  gsize same = 0;
  const char *a, *b;

  while (first[same] != '\0' && first[same] == last[same])
    same++;
  while (same > 0 && g_ascii_isdigit (first[same - 1]))
    same--;
  a = component_end (first + same);
  b = component_end (last + same);
  if (g_ascii_isdigit (first[same]) && g_ascii_isdigit (last[same]) && strspn (first + same, "0123456789") == (gsize) (a - first) - same
      && strspn (last + same, "0123456789") == (gsize) (b - last) - same && strcmp (a, b) == 0)
    return g_strdup_printf ("%.*s–%s", (int) (a - first), first, last + same);
  while (same > 0 && first[same - 1] != '.' && first[same - 1] != '_')
    same--;
  return same > 1 ? g_strndup (first, same - 1) : NULL;
}

static gboolean
joins_calls (LsGraph     *self,
             LsGraphSide *inputs,
             guint        at)
{
  guint n = 0;

  for (guint i = inputs->start[at]; i < inputs->start[at + 1]; i++)
    n += ls_graph_node (self, ls_graph_edge (self, inputs->edges[i])->from)->kind == LS_GRAPH_NODE_CALL;
  return n > 1;
}

/* ---- the name ------------------------------------------------------------------------------ */

static char *
path_of_nodes (LsGraph     *self,
               LsGraphSide *inputs,
               const guint *order,
               guint        n)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < n; i++)
    paths_of (self, inputs, order[i], paths, seen);
  return common_path (paths);
}

char *
ls_graph_part_name (LsGraph     *self,
                    LsGraphSide *inputs,
                    const guint *order,
                    guint        n,
                    guint        period,
                    guint        number)
{
  g_autoptr (GByteArray) ops = g_byte_array_new ();
  guint repeats = period > 0 ? n / period : 1;
  guint one = period > 0 ? period : n;
  g_autofree char *first = path_of_nodes (self, inputs, order, one);
  g_autofree char *last = repeats > 1 ? path_of_nodes (self, inputs, order + n - one, one) : NULL;
  g_autofree char *path = repeats > 1 && first != NULL && last != NULL ? joined_path (first, last) : g_strdup (repeats > 1 ? NULL : first);
  const char *pattern;

  for (guint i = 0; i < one; i++)
    {
      LsGraphNode *node = ls_graph_node (self, order[i]);

      add_ops (ops, self->kind == LS_GRAPH_FX && node->detail != NULL && strncmp (node->detail, "call_", 5) != 0 ? node->detail : node->title,
               joins_calls (self, inputs, order[i]));
    }
  pattern = pattern_name (ops);
  if (path != NULL)
    return pattern != NULL ? g_strdup_printf ("%s · %s", pattern, path) : g_steal_pointer (&path);
  if (pattern == NULL)
    return NULL;
  if (period == 0)
    return g_strdup (pattern);
  return repeats > 1 ? g_strdup_printf ("%s %u–%u", pattern, number, number + repeats - 1) : g_strdup_printf ("%s %u", pattern, number);
}
