/* finish-marks: RewriteParallelVectorizeUnroll does what mark.c wrote down at the root.
 *
 * For each block right below the root: outer loops over data are fused and run in parallel as long as their rounds are
 * not more than the mark says; inner ones that go through memory in order are fused and vectorized; what sums is told to
 * unroll.  Where all loops of a block are of that kind they are fused into one, whose vectors run in parallel.
 */
#include "engine/schedule/space/private.h"

#include <string.h>

static const char *const keys[] = {
  "meta_schedule.parallel", "meta_schedule.vectorize", "meta_schedule.unroll_explicit", "meta_schedule.unroll_implicit",
};
enum { PARALLEL, VECTORIZE, UNROLL_EXPLICIT, UNROLL_IMPLICIT, N_MARKS };

static gboolean
read_marks (LsBlock *block,
            gint64   marks[N_MARKS])
{
  gboolean found = FALSE;

  for (guint i = 0; i < N_MARKS; i++)
    {
      LsNode *value = ls_map_get (block->annotations, keys[i]);

      marks[i] = -1;
      if (value != NULL && ls_is (value, INT_IMM))
        ls_as_int (value, &marks[i]);
      found |= value != NULL;
    }
  return found;
}

/* The next root block with marks, which are taken off; NULL: none. */
static LsVar *
take_marks (LsSchedule *schedule,
            gint64      marks[N_MARKS])
{
  LsModule *module = ls_schedule_get_module (schedule);

  for (guint i = 0; i < ls_array_n (module->functions); i++)
    {
      LsPrimFunc *func = ls_array_at (module->functions, i, LsPrimFunc);
      LsBlock *block = ls_is (func, PRIM_FUNC) && ls_is (func->body, BLOCK_REALIZE) ? ((LsBlockRealize *) func->body)->block : NULL;
      LsArray *outputs;

      if (block == NULL || !read_marks (block, marks))
        continue;
      outputs = ls_space_step (schedule, NULL, "get_block", "name", ls_string_new (block->name_hint), "func_name",
                               ls_string_new (ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint), NULL);
      for (guint k = 0; outputs != NULL && k < N_MARKS; k++)
        if (marks[k] >= 0)
          ls_space_step (schedule, NULL, "unannotate", "block_or_loop", ls_node_ref (outputs->items[0]), "ann_key", ls_string_new (keys[k]), NULL);
      return outputs != NULL ? ls_space_handle (outputs, 0) : NULL;
    }
  return NULL;
}

/* How far an expression moves when the variable does by one; 0: it does not depend on it.  *known: it was seen. */
static gint64
stride_of (LsExpr   *expr,
           LsVar    *var,
           gboolean *known)
{
  LsBinary *binary = (LsBinary *) expr;
  gboolean in_a = FALSE, in_b = FALSE;
  gint64 a, b, factor;

  *known = expr == LS_EXPR (var);
  if (*known)
    return 1;
  if (!ls_is (expr, MUL) && !ls_is (expr, ADD))
    return 0;
  a = stride_of (binary->a, var, &in_a);
  b = stride_of (binary->b, var, &in_b);
  *known = in_a || in_b;
  if (ls_is (expr, ADD))
    return in_a && in_b ? MIN (a, b) : in_a ? a : b;
  if (ls_as_int (binary->a, &factor) && in_b)
    return b * factor;
  if (ls_as_int (binary->b, &factor) && in_a)
    return a * factor;
  *known = FALSE;
  return 0;
}

/* How far one round of the loop moves in the buffer; -1: that is not known. */
static gint64
stride_in (LsBufferRegion *access,
           GHashTable     *bindings,
           LsVar          *var)
{
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();
  gint64 scale = 1;

  for (guint i = ls_array_n (access->region); i-- > 0;)
    {
      g_autoptr(LsExpr) bound = (LsExpr *) ls_substitute (ls_array_at (access->region, i, LsRange)->min, bindings);
      g_autoptr(LsExpr) index = ls_analyzer_simplify (analyzer, bound);
      gboolean known;
      gint64 stride = stride_of (index, var, &known), size;

      if (known && stride != 0)
        return stride * scale;
      if (!ls_as_int (access->buffer->shape->items[i], &size))
        return -1;
      scale *= size;
    }
  return 0;
}

/* How many loops, the innermost first, go through the memory of the access in order; 0 where the size of a dimension is not known. */
static guint
contiguous_in (LsBufferRegion *access,
               GHashTable     *bindings,
               GPtrArray      *loops)
{
  g_autofree gint64 *strides = g_new0 (gint64, loops->len + 1);
  gint64 last = 0, extent = 0;
  gboolean used = FALSE;
  guint n = 0;

  for (guint i = 0; i < loops->len; i++)
    if ((strides[i] = stride_in (access, bindings, ls_sref_for ((LsSref *) loops->pdata[i])->loop_var)) < 0)
      return 0;
  for (guint i = loops->len; i-- > 0;)
    {
      if (strides[i] != 0)
        {
          if (used ? extent < 0 || strides[i] != last * extent : strides[i] != 1 && n > 0)
            return n;
          used = TRUE;
          last = strides[i];
          extent = ls_loop_extent (loops->pdata[i]);
        }
      n++;
    }
  return n;
}

static guint
contiguous (LsState   *state,
            LsSref    *block,
            GPtrArray *loops)
{
  LsBlockRealize *realize = ls_state_realize (state, block);
  g_autoptr(GHashTable) bindings = g_hash_table_new (NULL, NULL);
  guint n = G_MAXUINT;

  for (guint i = 0; i < ls_array_n (realize->iter_values); i++)
    g_hash_table_insert (bindings, ls_array_at (realize->block->iter_vars, i, LsIterVar)->var, realize->iter_values->items[i]);
  for (guint i = 0; i < ls_array_n (realize->block->reads); i++)
    n = MIN (n, contiguous_in (ls_array_at (realize->block->reads, i, LsBufferRegion), bindings, loops));
  for (guint i = 0; i < ls_array_n (realize->block->writes); i++)
    n = MIN (n, contiguous_in (ls_array_at (realize->block->writes, i, LsBufferRegion), bindings, loops));
  return n;
}

static gboolean
is_marked (LsSref *loop)
{
  return ls_sref_for (loop)->kind == LS_FOR_THREAD_BINDING || ls_sref_for (loop)->annotations->n > 0;
}

static gboolean
holds_one (LsSref *loop)
{
  return !ls_is (ls_sref_for (loop)->body, SEQ_STMT);
}

/* A loop over data of known extent with one statement in it, to which nothing was done. */
static gboolean
is_open (LsState *state,
         LsSref  *loop)
{
  return ls_loop_iter_type (state, loop) == LS_ITER_DATA_PAR && !is_marked (loop) && holds_one (loop) && ls_loop_extent (loop) >= 0;
}

static gboolean
all_open (LsState   *state,
          GPtrArray *loops)
{
  for (guint i = 0; i < loops->len; i++)
    if (!is_open (state, loops->pdata[i]))
      return FALSE;
  return TRUE;
}

/* How many of the outer loops run in parallel; -1: that would be one round. */
static gint
n_parallel (LsState   *state,
            GPtrArray *loops,
            gint64     limit)
{
  gint64 product = 1;
  gint n = 0;

  for (guint i = 0; i < loops->len; i++)
    {
      LsSref *loop = loops->pdata[i];

      if (ls_loop_iter_type (state, loop) != LS_ITER_DATA_PAR || is_marked (loop) || ls_loop_extent (loop) < 0)
        break;
      n++;
      product *= ls_loop_extent (loop);
      if (product > limit || !holds_one (loop))
        break;
    }
  return product == 1 ? -1 : n;
}

static gint
n_vectorized (LsState   *state,
              GPtrArray *loops,
              guint      fusible,
              gint64     limit)
{
  gint64 product = 1;
  gint n = 0;

  for (guint i = loops->len; i-- > 0 && (guint) n < fusible;)
    {
      LsSref *loop = loops->pdata[i];

      if (!is_open (state, loop))
        break;
      product *= ls_loop_extent (loop);
      if (product > limit)
        break;
      n++;
    }
  return product == 1 ? -1 : n;
}

/* Fuses loops and gives the fused one a kind. */
static LsVar *
fuse_as (LsSchedule *schedule,
         LsArray    *loops,
         guint       first,
         guint       n,
         const char *kind)
{
  GPtrArray *list = g_ptr_array_new ();
  LsArray *fused;

  for (guint i = first; i < first + n; i++)
    g_ptr_array_add (list, ls_node_ref (loops->items[i]));
  fused = ls_space_step (schedule, NULL, "fuse", "loops", ls_array_take_ptr_array (list), NULL);
  if (fused == NULL || ls_space_step (schedule, NULL, kind, "loop", ls_node_ref (fused->items[0]), NULL) == NULL)
    return NULL;
  return ls_space_handle (fused, 0);
}

/* Fuses all loops and splits the fused one in vectors that run in parallel; the outer of the two, NULL when that is refused. */
static LsVar *
fuse_and_split (LsSchedule *schedule,
                LsArray    *loops,
                gint64      lanes)
{
  GPtrArray *list = g_ptr_array_new (), *factors = g_ptr_array_new ();
  LsArray *fused, *parts;

  for (guint i = 0; i < ls_array_n (loops); i++)
    g_ptr_array_add (list, ls_node_ref (loops->items[i]));
  g_ptr_array_add (factors, NULL);
  g_ptr_array_add (factors, ls_int (lanes));
  fused = ls_space_step (schedule, NULL, "fuse", "loops", ls_array_take_ptr_array (list), NULL);
  if (fused == NULL)
    {
      ls_unref (ls_array_take_ptr_array (factors));
      return NULL;
    }
  parts = ls_space_step (schedule, NULL, "split", "loop", ls_node_ref (fused->items[0]), "factors", ls_array_take_ptr_array (factors), NULL);
  if (parts == NULL || ls_space_step (schedule, NULL, "parallel", "loop", ls_node_ref (parts->items[0]), NULL) == NULL ||
      ls_space_step (schedule, NULL, "vectorize", "loop", ls_node_ref (parts->items[1]), NULL) == NULL)
    return NULL;
  return ls_space_handle (parts, 0);
}

static gboolean
annotate_unroll (LsSchedule *schedule,
                 LsVar      *block,
                 LsVar      *loop,
                 gint64      marks[N_MARKS])
{
  gint64 steps = marks[UNROLL_EXPLICIT] + marks[UNROLL_IMPLICIT] + 1;

  if (steps <= 0 || ls_block_is_spatial (ls_space_place (schedule, block)))
    return TRUE;
  return ls_space_step (schedule, NULL, "annotate", "block_or_loop", ls_ref (loop), "ann_key", ls_string_new ("pragma_auto_unroll_max_step"), "ann_val",
                        ls_int (steps), NULL) != NULL &&
         ls_space_step (schedule, NULL, "annotate", "block_or_loop", ls_ref (loop), "ann_key", ls_string_new ("pragma_unroll_explicit"), "ann_val",
                        ls_int (marks[UNROLL_EXPLICIT] != -1), NULL) != NULL;
}

static gboolean
rewrite_block (LsSchedule *schedule,
               LsVar      *block,
               gint64      marks[N_MARKS])
{
  LsArray *handles = ls_space_step (schedule, NULL, "get_loops", "block", ls_ref (block), NULL);
  LsState *state = ls_schedule_get_state (schedule);
  LsSref *place = ls_space_place (schedule, block);
  g_autoptr(GPtrArray) loops = ls_state_loops (state, place);
  guint n = loops->len, fusible;
  gint outer = -1, inner = -1;
  LsVar *first;

  if (n == 0)
    return TRUE;
  fusible = contiguous (state, place, loops);
  if (marks[PARALLEL] >= 0)
    outer = n_parallel (state, loops, marks[PARALLEL]);
  if (marks[VECTORIZE] >= 0)
    inner = n_vectorized (state, loops, fusible, marks[VECTORIZE]);
  if (outer != -1 && inner != -1)
    {
      if (fusible == n && all_open (state, loops))
        {
          first = fuse_and_split (schedule, handles, marks[VECTORIZE]);
          return first != NULL && annotate_unroll (schedule, block, first, marks);
        }
      outer = MIN (outer, (gint) n - inner);
    }
  first = ls_space_handle (handles, 0);
  if (outer > 0 && (first = fuse_as (schedule, handles, 0, (guint) outer, "parallel")) == NULL)
    return FALSE;
  if (inner > 0)
    {
      LsVar *fused = fuse_as (schedule, handles, n - (guint) inner, (guint) inner, "vectorize");

      if (fused == NULL)
        return FALSE;
      first = (guint) inner == n ? fused : first;
    }
  return annotate_unroll (schedule, block, first, marks);
}

gboolean
ls_space_rewrite_marks (LsSchedule *schedule)
{
  gint64 marks[N_MARKS];
  LsVar *root;

  while ((root = take_marks (schedule, marks)) != NULL)
    {
      LsArray *blocks = ls_space_step (schedule, NULL, "get_child_blocks", "block_or_loop", ls_ref (root), NULL);

      for (guint i = 0; i < ls_array_n (blocks); i++)
        if (!rewrite_block (schedule, ls_space_handle (blocks, i), marks))
          return FALSE;
    }
  return TRUE;
}
