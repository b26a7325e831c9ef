/* beside: see the header. */
#include "engine/graph/beside.h"

#include <math.h>
#include <string.h>

static void
row_clear (gpointer data)
{
  g_free (((LsGraphBeside *) data)->place);
  g_free (((LsGraphBeside *) data)->trouble);
}

static void
sum_of (LsGraph *graph,
        GArray  *nodes,
        double  *ns,
        double  *spread)
{
  *ns = *spread = -1.0;
  for (guint i = 0; i < nodes->len; i++)
    {
      const LsGraphNumbers *numbers = &ls_graph_node (graph, g_array_index (nodes, guint, i))->numbers;

      if (numbers->ns < 0.0)
        continue;
      *ns = MAX (*ns, 0.0) + numbers->ns;
      if (numbers->spread_ns >= 0.0)
        *spread = MAX (*spread, 0.0) + numbers->spread_ns;
    }
}

static LsGraphBeside
row_of_match (const LsGraphMatch *match,
              LsGraph            *left,
              LsGraph            *right)
{
  LsGraphBeside row = { match, (gint) g_array_index (match->left, guint, match->left->len - 1), (gint) g_array_index (match->right, guint, match->right->len - 1) };

  sum_of (left, match->left, &row.left_ns, &row.left_spread_ns);
  sum_of (right, match->right, &row.right_ns, &row.right_spread_ns);
  row.change_ns = row.left_ns >= 0.0 && row.right_ns >= 0.0 ? row.right_ns - row.left_ns : NAN;
  row.error = row.relative = -1.0;
  return row;
}

static LsGraphBeside
row_alone (LsGraph *graph,
           guint    at,
           gboolean is_right)
{
  const LsGraphNumbers *numbers = &ls_graph_node (graph, at)->numbers;
  LsGraphBeside row = { NULL, is_right ? -1 : (gint) at, is_right ? (gint) at : -1, -1.0, -1.0, -1.0, -1.0, NAN, -1.0, -1.0 };

  *(is_right ? &row.right_ns : &row.left_ns) = numbers->ns;
  *(is_right ? &row.right_spread_ns : &row.left_spread_ns) = numbers->spread_ns;
  if (numbers->ns >= 0.0)
    row.change_ns = is_right ? numbers->ns : -numbers->ns;
  return row;
}

/* Where a row stands that only one side has: its node, and of the other side what comes before. */
static gint
order_of (const LsGraphBeside *row)
{
  return row->left >= 0 ? row->left : row->right;
}

static gint
by_place (gconstpointer a,
          gconstpointer b)
{
  gint x = order_of (a), y = order_of (b);

  if (x != y)
    return x < y ? -1 : 1;
  return (((const LsGraphBeside *) a)->left < 0) - (((const LsGraphBeside *) b)->left < 0);
}

GArray *
ls_graph_beside_new (const LsGraphComparison *comparison,
                     LsGraph                 *left,
                     LsGraph                 *right)
{
  GArray *rows = g_array_new (FALSE, TRUE, sizeof (LsGraphBeside));

  g_array_set_clear_func (rows, row_clear);
  for (guint i = 0; i < comparison->matches->len; i++)
    {
      LsGraphBeside row = row_of_match (comparison->matches->pdata[i], left, right);

      g_array_append_val (rows, row);
    }
  for (guint i = 0; i < comparison->only_left->len; i++)
    {
      LsGraphBeside row = row_alone (left, g_array_index (comparison->only_left, guint, i), FALSE);

      g_array_append_val (rows, row);
    }
  for (guint i = 0; i < comparison->only_right->len; i++)
    {
      LsGraphBeside row = row_alone (right, g_array_index (comparison->only_right, guint, i), TRUE);

      g_array_append_val (rows, row);
    }
  g_array_sort (rows, by_place);
  return rows;
}

static gint
by_change (gconstpointer a,
           gconstpointer b)
{
  double x = ((const LsGraphBeside *) a)->change_ns, y = ((const LsGraphBeside *) b)->change_ns;

  if (isnan (x) || isnan (y))
    return isnan (x) != isnan (y) ? (isnan (x) ? 1 : -1) : by_place (a, b);
  if (fabs (x) != fabs (y))
    return fabs (x) > fabs (y) ? -1 : 1;
  return by_place (a, b);
}

void
ls_graph_beside_sort (GArray *rows)
{
  g_array_sort (rows, by_change);
}

void
ls_graph_beside_pairs (GArray    *rows,
                       LsGraph   *left,
                       LsGraph   *right,
                       GPtrArray *left_names,
                       GPtrArray *right_names,
                       GArray    *numbers)
{
  for (guint i = 0; i < rows->len; i++)
    {
      const LsGraphBeside *row = &g_array_index (rows, LsGraphBeside, i);

      if (row->match == NULL || ls_graph_node (left, row->left)->name == NULL || ls_graph_node (right, row->right)->name == NULL)
        continue;
      g_ptr_array_add (left_names, ls_graph_node (left, row->left)->name);
      g_ptr_array_add (right_names, ls_graph_node (right, row->right)->name);
      g_array_append_val (numbers, i);
    }
}

GVariant *
ls_graph_beside_places (const LsGraphComparison *comparison,
                        LsGraph                 *left,
                        LsGraph                 *right)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("ai"));
  for (guint i = 0; i < right->nodes->len; i++)
    {
      gint mate = comparison->right_values[i], place = -1;

      if (ls_graph_node (right, i)->kind != LS_GRAPH_NODE_VALUE)
        continue;
      for (gint k = 0; k <= mate; k++)
        place += ls_graph_node (left, k)->kind == LS_GRAPH_NODE_VALUE;
      g_variant_builder_add (&list, "i", mate >= 0 ? place : -1);
    }
  return g_variant_builder_end (&list);
}

static gboolean
has_value (GHashTable *given,
           guint       place)
{
  return given != NULL && g_hash_table_contains (given, GUINT_TO_POINTER (place));
}

char *
ls_graph_beside_unpaired (const LsGraphComparison *comparison,
                          LsGraph                 *left,
                          LsGraph                 *right,
                          GHashTable              *left_given,
                          GHashTable              *right_given)
{
  guint n_left = 0, n_right = 0, n_pairs = 0, place = 0;

  for (guint i = 0; i < left->nodes->len; i++)
    if (ls_graph_node (left, i)->kind == LS_GRAPH_NODE_VALUE)
      n_left += !has_value (left_given, place++);
  place = 0;
  for (guint i = 0; i < right->nodes->len; i++)
    if (ls_graph_node (right, i)->kind == LS_GRAPH_NODE_VALUE && !has_value (right_given, place++))
      {
        n_right++;
        n_pairs += comparison->right_values[i] >= 0;
      }
  if (n_pairs == n_left && n_pairs == n_right)
    return NULL;
  return g_strdup_printf (ls_translate ("Of %u parameters on the left and %u on the right %u are known to be the same; the others got random numbers of their own, so that what is computed with them differs."),
                          n_left, n_right, n_pairs);
}

void
ls_graph_beside_put (GArray   *rows,
                     GArray   *numbers,
                     GVariant *pairs)
{
  for (gsize i = 0; i < MIN (numbers->len, g_variant_n_children (pairs)); i++)
    {
      LsGraphBeside *row = &g_array_index (rows, LsGraphBeside, g_array_index (numbers, guint, i));
      g_autoptr (GVariant) pair = g_variant_get_child_value (pairs, i);

      g_clear_pointer (&row->place, g_free);
      g_clear_pointer (&row->trouble, g_free);
      row->error = row->relative = -1.0;
      if (g_variant_lookup (pair, "trouble", "s", &row->trouble))
        continue;
      g_variant_lookup (pair, "error", "d", &row->error);
      g_variant_lookup (pair, "relative", "d", &row->relative);
      g_variant_lookup (pair, "place", "s", &row->place);
    }
}
