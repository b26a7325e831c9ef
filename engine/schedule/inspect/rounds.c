/* rounds: which round of a loop needs which, for the first rounds.
 *
 * The part of the program below the loop is walked in the order in which it would run, with the loops around it at their
 * first value, the loop and the one directly in it for a few rounds and all others for fewer.  Of each instance of a
 * block the declared regions are made numbers; the last writer and the readers since of each element give the edges
 * (as engine/interp/dependence does by running the whole program, which only small programs allow).  A block that
 * reduces reads what it writes, save where its init part runs.  Regions that do not become numbers are left out.
 */
#include "engine/schedule/inspect/inspect.h"

#define OTHER_ROUNDS 2
#define MOST_ELEMENTS 64
#define MOST_INSTANCES 4000

typedef struct {
  gint  round;                  /* of the last writer */
  gint  block;                  /* position in `blocks`, or -1: nobody wrote it */
  GArray *readers;              /* of gint pairs: round, block; since that write */
} Element;

typedef struct {
  LsRoundDeps *result;
  LsFor       *outer;
  LsFor       *inner;           /* directly in it, or NULL */
  GHashTable  *values;          /* LsVar -> gint64 */
  GHashTable  *elements;        /* LsBuffer -> GHashTable of index -> Element */
  guint        rounds[2];       /* that run now */
  guint        n_instances;
} Walk;

static void
element_free (gpointer data)
{
  Element *self = data;

  g_array_unref (self->readers);
  g_free (self);
}

/* Whole numbers only; anything else is not known. */
static gboolean value_of (Walk *walk, LsExpr *expr, gint64 *value);

static gboolean
value_of_two (gint    kind,
              gint64  a,
              gint64  b,
              gint64 *value)
{
  if ((kind == LS_KIND_DIV || kind == LS_KIND_MOD || kind == LS_KIND_FLOOR_DIV || kind == LS_KIND_FLOOR_MOD) && b <= 0)
    return FALSE;
  if (kind == LS_KIND_ADD)
    return !__builtin_add_overflow (a, b, value);
  if (kind == LS_KIND_SUB)
    return !__builtin_sub_overflow (a, b, value);
  if (kind == LS_KIND_MUL)
    return !__builtin_mul_overflow (a, b, value);
  *value = kind == LS_KIND_DIV ? a / b
           : kind == LS_KIND_MOD ? a % b
           : kind == LS_KIND_FLOOR_DIV ? ls_floordiv_i64 (a, b)
           : kind == LS_KIND_FLOOR_MOD ? a - b * ls_floordiv_i64 (a, b)
           : kind == LS_KIND_MIN ? MIN (a, b)
           : kind == LS_KIND_MAX ? MAX (a, b)
           : kind == LS_KIND_EQ ? a == b
           : kind == LS_KIND_NE ? a != b
           : kind == LS_KIND_LT ? a < b
           : kind == LS_KIND_LE ? a <= b
           : kind == LS_KIND_GT ? a > b
           : kind == LS_KIND_GE ? a >= b
           : kind == LS_KIND_AND ? a != 0 && b != 0
                                 : a != 0 || b != 0;
  return TRUE;
}

static gboolean
value_of (Walk   *walk,
          LsExpr *expr,
          gint64 *value)
{
  gint kind = (gint) LS_NODE (expr)->klass->kind;
  gint64 a, b;

  if (ls_as_int (expr, value))
    return TRUE;
  if (ls_is_var (expr))
    {
      gint64 *known = g_hash_table_lookup (walk->values, expr);

      if (known != NULL)
        *value = *known;
      return known != NULL;
    }
  if (kind >= LS_KIND_ADD && kind <= LS_KIND_OR)
    return value_of (walk, ((LsBinary *) expr)->a, &a) && value_of (walk, ((LsBinary *) expr)->b, &b) &&
           value_of_two (kind, a, b, value);
  if (kind == LS_KIND_NOT && value_of (walk, ((LsNot *) expr)->a, &a))
    {
      *value = a == 0;
      return TRUE;
    }
  if (kind == LS_KIND_CAST)     /* what leaves the type becomes another number */
    return value_of (walk, ((LsCast *) expr)->value, value) &&
           (ls_dtype_is_bool (ls_dtype (expr)) || (*value >= ls_dtype_int_min (ls_dtype (expr)) && *value <= ls_dtype_int_max (ls_dtype (expr))));
  if (kind == LS_KIND_SELECT && value_of (walk, ((LsSelect *) expr)->condition, &a))
    return value_of (walk, a != 0 ? ((LsSelect *) expr)->true_value : ((LsSelect *) expr)->false_value, value);
  return FALSE;
}

static void
set_value (Walk   *walk,
           LsVar  *var,
           gint64  value)
{
  gint64 *slot = g_hash_table_lookup (walk->values, var);

  if (slot == NULL)
    {
      slot = g_new (gint64, 1);
      g_hash_table_insert (walk->values, var, slot);
    }
  *slot = value;
}

/* ---- edges ---------------------------------------------------------------------- */

static void
add_edge (Walk             *walk,
          gint              from,
          gint              from_block,
          gint              to_block,
          LsDependenceKind  kind,
          LsBuffer         *buffer)
{
  GArray *blocks = walk->result->blocks;
  gint to = (gint) (walk->rounds[0] * walk->result->n_inner + walk->rounds[1]);
  LsRoundEdge edge = { (guint) from, (guint) to, kind, buffer, g_array_index (blocks, LsBlock *, from_block),
                       g_array_index (blocks, LsBlock *, to_block) };

  if (from == to)
    return;
  for (guint i = walk->result->edges->len; i-- > 0;)
    {
      const LsRoundEdge *one = &g_array_index (walk->result->edges, LsRoundEdge, i);

      if (one->to != edge.to)
        break;
      if (one->from == edge.from && one->kind == kind && one->buffer == buffer && one->from_block == edge.from_block &&
          one->to_block == edge.to_block)
        return;
    }
  g_array_append_val (walk->result->edges, edge);
}

static Element *
element_at (Walk     *walk,
            LsBuffer *buffer,
            gint64    index)
{
  GHashTable *table = g_hash_table_lookup (walk->elements, buffer);
  Element *element;

  if (table == NULL)
    {
      table = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, element_free);
      g_hash_table_insert (walk->elements, buffer, table);
    }
  element = g_hash_table_lookup (table, &index);
  if (element == NULL)
    {
      element = g_new0 (Element, 1);
      element->block = -1;
      element->readers = g_array_new (FALSE, FALSE, 2 * sizeof (gint));
      g_hash_table_insert (table, g_memdup2 (&index, sizeof index), element);
    }
  return element;
}

static void
touch (Walk     *walk,
       LsBuffer *buffer,
       gint64    index,
       gint      block,
       gboolean  writes)
{
  Element *element = element_at (walk, buffer, index);
  gint here[2] = { (gint) (walk->rounds[0] * walk->result->n_inner + walk->rounds[1]), block };

  if (!writes)
    {
      if (element->block >= 0)
        add_edge (walk, element->round, element->block, block, LS_DEPENDENCE_RAW, buffer);
      g_array_append_vals (element->readers, here, 1);
      return;
    }
  for (guint i = 0; i < element->readers->len; i++)
    {
      const gint *reader = (const gint *) (gpointer) element->readers->data + 2 * i;

      add_edge (walk, reader[0], reader[1], block, LS_DEPENDENCE_WAR, buffer);
    }
  if (element->block >= 0)
    add_edge (walk, element->round, element->block, block, LS_DEPENDENCE_WAW, buffer);
  element->round = here[0];
  element->block = block;
  g_array_set_size (element->readers, 0);
}

/* ---- regions -------------------------------------------------------------------- */

/* One number for element `k` of a box. */
static gint64
mixed (const gint64 *from,
       const gint64 *extent,
       guint         n,
       gint64        k)
{
  guint64 index = 0;
  gint64 below = 1;

  for (guint d = 1; d < n; d++)
    below *= extent[d];
  for (guint d = 0; d < n; d++)
    {
      index = index * 1000003 + (guint64) (from[d] + k / below % extent[d]);
      below = d + 1 < n ? below / extent[d + 1] : 1;
    }
  return (gint64) index;
}

/* All or the first elements of a region. */
static void
touch_region (Walk           *walk,
              LsBufferRegion *region,
              gint            block,
              gboolean        writes)
{
  guint n = ls_array_n (region->region);
  g_autofree gint64 *from = g_new0 (gint64, n + 1), *extent = g_new0 (gint64, n + 1);
  gint64 all = 1;

  for (guint d = 0; d < n; d++)
    {
      LsRange *range = ls_array_at (region->region, d, LsRange);

      if (!value_of (walk, range->min, &from[d]) || !value_of (walk, range->extent, &extent[d]) || extent[d] < 1)
        return;
      extent[d] = MIN (extent[d], MOST_ELEMENTS);
      all = MIN (all * extent[d], MOST_ELEMENTS);
    }
  for (gint64 k = 0; k < all; k++)
    touch (walk, region->buffer, mixed (from, extent, n, k), block, writes);
}

/* Adds to what it writes, and this is not the first time. */
static gboolean
adds_up (Walk           *walk,
         LsBlockRealize *realize)
{
  gboolean reduces = FALSE, first = TRUE;

  for (guint i = 0; i < ls_array_n (realize->iter_values); i++)
    {
      LsIterVar *iter = ls_array_at (realize->block->iter_vars, i, LsIterVar);
      gint64 value, min = 0;

      if (iter->iter_type != LS_ITER_COMM_REDUCE)
        continue;
      reduces = TRUE;
      if (iter->dom != NULL)
        value_of (walk, iter->dom->min, &min);
      first = first && value_of (walk, ls_array_at (realize->iter_values, i, LsExpr), &value) && value == min;
    }
  return reduces && (realize->block->init == NULL || !first);
}

static gint
number_of (Walk    *walk,
           LsBlock *block)
{
  GArray *blocks = walk->result->blocks;

  for (guint i = 0; i < blocks->len; i++)
    if (g_array_index (blocks, LsBlock *, i) == block)
      return (gint) i;
  g_array_append_val (blocks, block);
  return (gint) blocks->len - 1;
}

static void
touch_all (Walk     *walk,
           LsArray  *regions,
           gint      block,
           gboolean  writes)
{
  for (guint i = 0; i < ls_array_n (regions); i++)
    touch_region (walk, ls_array_at (regions, i, LsBufferRegion), block, writes);
}

/* ---- the walk ------------------------------------------------------------------- */

static void run (Walk *walk, LsStmt *stmt);

static void
run_block (Walk           *walk,
           LsBlockRealize *realize)
{
  LsBlock *block = realize->block;
  gint number;
  gint64 value;

  if (value_of (walk, realize->predicate, &value) && value == 0)
    return;
  for (guint i = 0; i < ls_array_n (realize->iter_values); i++)
    if (value_of (walk, ls_array_at (realize->iter_values, i, LsExpr), &value))
      set_value (walk, ls_array_at (block->iter_vars, i, LsIterVar)->var, value);
  if (LS_NODE (block->body)->facts & LS_FACT_HAS_BLOCK)
    {
      run (walk, block->body);
      return;
    }
  number = number_of (walk, block);
  walk->n_instances++;
  touch_all (walk, block->reads, number, FALSE);
  if (adds_up (walk, realize))
    touch_all (walk, block->writes, number, FALSE);
  touch_all (walk, block->writes, number, TRUE);
}

static guint
rounds_of (Walk  *walk,
           LsFor *loop)
{
  gint64 extent;
  guint most = loop == walk->outer ? walk->result->n_outer : loop == walk->inner ? walk->result->n_inner : OTHER_ROUNDS;

  return value_of (walk, loop->extent, &extent) ? (guint) CLAMP (extent, 0, (gint64) most) : most;
}

static void
run_loop (Walk  *walk,
          LsFor *loop)
{
  gint64 min = 0;
  guint n = rounds_of (walk, loop);

  value_of (walk, loop->min, &min);
  for (guint i = 0; i < n && walk->n_instances < MOST_INSTANCES; i++)
    {
      if (loop == walk->outer)
        walk->rounds[0] = i;
      else if (loop == walk->inner)
        walk->rounds[1] = i;
      set_value (walk, loop->loop_var, min + i);
      run (walk, loop->body);
    }
}

static void
run (Walk   *walk,
     LsStmt *stmt)
{
  gint64 value;

  if (stmt == NULL)
    return;
  if (ls_is (stmt, FOR))
    run_loop (walk, (LsFor *) stmt);
  else if (ls_is (stmt, BLOCK_REALIZE))
    run_block (walk, (LsBlockRealize *) stmt);
  else if (ls_is (stmt, SEQ_STMT))
    for (guint i = 0; i < ls_array_n (((LsSeqStmt *) stmt)->seq); i++)
      run (walk, (LsStmt *) ((LsSeqStmt *) stmt)->seq->items[i]);
  else if (ls_is (stmt, IF_THEN_ELSE))
    {
      LsIfThenElse *branch = (LsIfThenElse *) stmt;
      gboolean known = value_of (walk, branch->condition, &value);

      if (!known || value != 0)
        run (walk, branch->then_case);
      if (!known || value == 0)
        run (walk, branch->else_case);
    }
  else if (ls_is (stmt, ATTR_STMT))
    run (walk, ((LsAttrStmt *) stmt)->body);
  else if (ls_is (stmt, LET_STMT))
    run (walk, ((LsLetStmt *) stmt)->body);
}

/* ---- what is around the loop ------------------------------------------------------ */

typedef struct {
  LsFor     *loop;
  GPtrArray *around;            /* of LsFor and LsBlockRealize, outermost first */
  gboolean   found;
} Path;

static LsWalk
enter (LsNode  *node,
       gpointer data)
{
  Path *path = data;

  if (path->found)
    return LS_WALK_STOP;
  if (node == LS_NODE (path->loop))
    {
      path->found = TRUE;
      return LS_WALK_STOP;
    }
  if (ls_is (node, FOR) || ls_is (node, BLOCK_REALIZE))
    g_ptr_array_add (path->around, node);
  return LS_WALK_CONTINUE;
}

static void
leave (LsNode  *node,
       gpointer data)
{
  Path *path = data;

  if (!path->found && path->around->len > 0 && path->around->pdata[path->around->len - 1] == node)
    g_ptr_array_set_size (path->around, (gint) path->around->len - 1);
}

static void
fix_around (Walk      *walk,
            GPtrArray *around)
{
  for (guint i = 0; i < around->len; i++)
    {
      LsNode *node = around->pdata[i];
      gint64 value = 0;

      if (ls_is (node, FOR))
        {
          value_of (walk, ((LsFor *) node)->min, &value);
          set_value (walk, ((LsFor *) node)->loop_var, value);
          continue;
        }
      for (guint k = 0; k < ls_array_n (((LsBlockRealize *) node)->iter_values); k++)
        if (value_of (walk, ls_array_at (((LsBlockRealize *) node)->iter_values, k, LsExpr), &value))
          set_value (walk, ls_array_at (((LsBlockRealize *) node)->block->iter_vars, k, LsIterVar)->var, value);
    }
}

static guint
shown_rounds (Walk  *walk,
              LsFor *loop,
              guint  most)
{
  gint64 extent;

  return value_of (walk, loop->extent, &extent) ? (guint) CLAMP (extent, 1, (gint64) most) : most;
}

LsRoundDeps *
ls_inspect_rounds (LsPrimFunc *func,
                   LsFor      *loop,
                   guint       most,
                   guint       most_inner)
{
  LsRoundDeps *self = g_new0 (LsRoundDeps, 1);
  g_autoptr (GHashTable) values = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (GHashTable) elements = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_hash_table_unref);
  g_autoptr (GPtrArray) around = g_ptr_array_new ();
  Walk walk = { .result = self, .outer = loop, .values = values, .elements = elements };
  Path path = { loop, around, FALSE };

  self->edges = g_array_new (FALSE, FALSE, sizeof (LsRoundEdge));
  self->blocks = g_array_new (FALSE, FALSE, sizeof (LsBlock *));
  ls_walk (func->body, enter, leave, &path);
  fix_around (&walk, around);
  if (ls_is (loop->body, FOR))
    walk.inner = self->inner = (LsFor *) loop->body;
  self->outer = loop;
  self->n_outer = shown_rounds (&walk, loop, most);
  self->n_inner = walk.inner != NULL ? shown_rounds (&walk, walk.inner, most_inner) : 1;
  run_loop (&walk, loop);
  return self;
}

void
ls_round_deps_free (LsRoundDeps *self)
{
  g_array_unref (self->edges);
  g_array_unref (self->blocks);
  g_free (self);
}

gboolean
ls_round_deps_carried (const LsRoundDeps *self)
{
  for (guint i = 0; i < self->edges->len; i++)
    {
      const LsRoundEdge *edge = &g_array_index (self->edges, LsRoundEdge, i);

      if (edge->from / self->n_inner != edge->to / self->n_inner)
        return TRUE;
    }
  return FALSE;
}
