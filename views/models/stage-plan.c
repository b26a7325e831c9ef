/* LsStagePlan: a computation stands one place behind the last one that it reads from; rows go to who comes first. */
#include "views/models/stage-plan.h"

#include "views/models/format.h"

#include <glib/gi18n.h>

#define MOST_STAGES 8
#define MOST_ROWS 3

typedef struct {
  LsStagePlan *plan;
  LsGraph     *graph;
  guint       *ranks;           /* of a stage: 1 and up; of what comes from outside: 0 */
  gint        *cells;           /* the cell that holds the buffer of a node */
  GHashTable  *taken;           /* column and row */
} Making;

static void
cell_free (gpointer data)
{
  LsStageCell *cell = data;

  g_free (cell->title);
  g_free (cell->words);
  g_free (cell->line);
  g_free (cell);
}

void
ls_stage_plan_free (LsStagePlan *self)
{
  g_ptr_array_unref (self->cells);
  g_array_unref (self->links);
  g_free (self);
}

/* ---- places ------------------------------------------------------------------------ */

/* The row that is wanted, or the next one that is free. */
static guint
add_cell (Making      *make,
          LsStageKind  kind,
          guint        column,
          guint        row,
          const char  *title,
          char        *words)
{
  LsStageCell *cell = g_new0 (LsStageCell, 1);

  while (g_hash_table_contains (make->taken, GUINT_TO_POINTER (column * 1000 + row + 1)))
    row++;
  g_hash_table_add (make->taken, GUINT_TO_POINTER (column * 1000 + row + 1));
  *cell = (LsStageCell) { kind, column, row, g_strdup (title), words, NULL };
  make->plan->n_columns = MAX (make->plan->n_columns, column + 1);
  make->plan->n_rows = MAX (make->plan->n_rows, row + 1);
  g_ptr_array_add (make->plan->cells, cell);
  return make->plan->cells->len - 1;
}

static void
add_link (Making *make,
          guint   from,
          guint   to)
{
  g_array_append_val (make->plan->links, ((LsStageLink) { from, to }));
}

static void
set_ranks (Making *make)
{
  for (guint i = 0; i < make->graph->nodes->len; i++)
    make->ranks[i] = ls_graph_node (make->graph, i)->kind == LS_GRAPH_NODE_CALL ? 1 : 0;
  /* Edges go from a lower to a higher number, but may come in any order. */
  for (guint to = 0; to < make->graph->nodes->len; to++)
    for (guint i = 0; i < make->graph->edges->len; i++)
      {
        const LsGraphEdge *edge = ls_graph_edge (make->graph, i);

        if (edge->to == to && make->ranks[to] > 0)
          make->ranks[to] = MAX (make->ranks[to], make->ranks[edge->from] + 1);
      }
}

/* ---- words --------------------------------------------------------------------------- */

static char *
bytes_of (const LsGraphNode *node)
{
  LsBuffer *buffer = ls_is (node->node, BUFFER) ? (LsBuffer *) node->node : NULL;
  gint64 n = buffer != NULL ? (gint64) ls_dtype_bytes (buffer->dtype) : 0, extent;

  for (guint i = 0; buffer != NULL && i < ls_array_n (buffer->shape); i++)
    {
      if (!ls_as_int (buffer->shape->items[i], &extent))
        return NULL;
      n *= extent;
    }
  return n > 0 ? ls_format_bytes (n) : NULL;
}

static char *
words_of_buffer (const LsGraphNode *node,
                 gboolean           inside)
{
  g_autofree char *bytes = bytes_of (node);

  if (!inside)
    return g_strdup (_("argument"));
  /* Translators: of a buffer that the function makes for itself; %s is a size */
  return bytes != NULL ? g_strdup_printf (_("%s, inside"), bytes) : g_strdup (_("inside"));
}

/* ---- cells ----------------------------------------------------------------------------- */

/* In the row of the first stage that it reads from. */
static guint
row_for (Making *make,
         guint   node)
{
  for (guint i = 0; i < make->graph->edges->len; i++)
    {
      const LsGraphEdge *edge = ls_graph_edge (make->graph, i);

      if (edge->to == node && make->ranks[edge->from] > 0 && make->cells[edge->from] >= 0)
        return ((LsStageCell *) make->plan->cells->pdata[make->cells[edge->from]])->row;
    }
  return 0;
}

static void
add_stage (Making *make,
           guint   at)
{
  const LsGraphNode *node = ls_graph_node (make->graph, at);
  gboolean inside = ls_graph_get_attribute (node, "parameter") == NULL;
  gboolean reduces = ls_graph_get_attribute (node, "reduce") != NULL;
  guint column = 2 * make->ranks[at] - 1;
  /* Translators: a computation of a function, as te calls it, and one that sums over an axis */
  guint work = add_cell (make, LS_STAGE_COMPUTES, column, row_for (make, at), node->title, g_strdup (reduces ? _("reduction") : _("stage")));
  LsStageCell *cell = make->plan->cells->pdata[work];
  guint held = add_cell (make, inside ? LS_STAGE_INSIDE : LS_STAGE_RESULT, column + 1, cell->row, node->title, words_of_buffer (node, inside));

  cell->line = g_strdup (node->detail);
  make->cells[at] = (gint) held;
  add_link (make, work, held);
}

/* Those who read `value`, as a text to compare. */
static char *
users_of (Making *make,
          guint   value,
          guint  *first_rank)
{
  GString *out = g_string_new (NULL);

  *first_rank = G_MAXUINT;
  for (guint i = 0; i < make->graph->edges->len; i++)
    {
      const LsGraphEdge *edge = ls_graph_edge (make->graph, i);

      if (edge->from != value)
        continue;
      g_string_append_printf (out, "%u ", edge->to);
      *first_rank = MIN (*first_rank, make->ranks[edge->to]);
    }
  return g_string_free (out, FALSE);
}

/* Values with the same users go into the cell of the first of them. */
static void
add_values (Making *make)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < make->graph->nodes->len; i++)
    {
      const LsGraphNode *node = ls_graph_node (make->graph, i);
      guint rank;
      g_autofree char *users = make->ranks[i] == 0 ? users_of (make, i, &rank) : NULL;
      gpointer at;

      if (users == NULL || *users == '\0')
        continue;
      if (g_hash_table_lookup_extended (known, users, NULL, &at))
        {
          LsStageCell *cell = make->plan->cells->pdata[GPOINTER_TO_UINT (at)];
          g_autofree char *before = cell->title;

          cell->title = g_strdup_printf ("%s, %s", before, node->title);
          g_free (cell->words);
          cell->words = g_strdup (_("arguments"));
        }
      else
        {
          at = GUINT_TO_POINTER (add_cell (make, LS_STAGE_ARGUMENTS, 2 * rank - 2, 0, node->title, g_strdup (_("argument"))));
          g_hash_table_insert (known, g_steal_pointer (&users), at);
        }
      make->cells[i] = (gint) GPOINTER_TO_UINT (at);
    }
}

static gboolean
has_link (LsStagePlan *plan,
          guint        from,
          guint        to)
{
  for (guint i = 0; i < plan->links->len; i++)
    {
      const LsStageLink *link = &g_array_index (plan->links, LsStageLink, i);

      if (link->from == from && link->to == to)
        return TRUE;
    }
  return FALSE;
}

static void
add_links (Making *make)
{
  for (guint i = 0; i < make->graph->edges->len; i++)
    {
      const LsGraphEdge *edge = ls_graph_edge (make->graph, i);
      gint from = make->cells[edge->from], held = make->cells[edge->to];

      /* The computation stands right before what it fills. */
      if (from >= 0 && held > 0 && !has_link (make->plan, (guint) from, (guint) held - 1))
        add_link (make, (guint) from, (guint) held - 1);
    }
}

/* ---- the plan ----------------------------------------------------------------------------- */

static gboolean
is_worth_it (LsGraph *graph)
{
  guint n = 0, functions = 0;

  for (guint i = 0; i < graph->nodes->len; i++)
    n += ls_graph_node (graph, i)->kind == LS_GRAPH_NODE_CALL;
  for (guint i = 0; i < graph->clusters->len; i++)
    functions += ls_graph_cluster (graph, i)->kind == LS_GRAPH_CLUSTER_FUNCTION;
  return functions == 1 && n >= 2 && n <= MOST_STAGES;
}

/* Not so when a stage reads what a later one overwrites. */
static gboolean
goes_forward (LsStagePlan *plan)
{
  for (guint i = 0; i < plan->links->len; i++)
    {
      const LsStageLink *link = &g_array_index (plan->links, LsStageLink, i);
      const LsStageCell *from = plan->cells->pdata[link->from], *to = plan->cells->pdata[link->to];

      if (from->column >= to->column)
        return FALSE;
    }
  return TRUE;
}

LsStagePlan *
ls_stage_plan_new (LsGraph *stages)
{
  guint n = stages->nodes->len;
  g_autofree guint *ranks = g_new0 (guint, n + 1);
  g_autofree gint *cells = g_new (gint, n + 1);
  g_autoptr (GHashTable) taken = g_hash_table_new (NULL, NULL);
  g_autoptr (LsStagePlan) plan = NULL;
  Making make = { NULL, stages, ranks, cells, taken };

  if (!is_worth_it (stages))
    return NULL;
  make.plan = plan = g_new0 (LsStagePlan, 1);
  plan->cells = g_ptr_array_new_with_free_func (cell_free);
  plan->links = g_array_new (FALSE, FALSE, sizeof (LsStageLink));
  for (guint i = 0; i < n; i++)
    cells[i] = -1;
  set_ranks (&make);
  for (guint i = 0; i < n; i++)
    if (ranks[i] > 0)
      add_stage (&make, i);
  add_values (&make);
  add_links (&make);
  return plan->n_rows <= MOST_ROWS && goes_forward (plan) ? g_steal_pointer (&plan) : NULL;
}
