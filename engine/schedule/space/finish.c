/* finish: what is done to each program of a search before it is measured.
 *
 * DisallowDynamicLoop          a program with a loop of unknown extent is none
 * RewriteParallelVectorizeUnroll  what mark.c wrote at the root is done: outer spatial loops are fused and run in parallel,
 *                              inner ones that go through memory in order are fused and vectorized, the rest is told to unroll
 * RewriteReductionBlock        reductions are decomposed before their first loop that is not spatial, unless threads share them;
 *                              where the block is to become a tensor intrinsic, its init becomes the one that it names for that
 */
#include "engine/schedule/space/space-private.h"

#include <string.h>

#define TENSORIZE "meta_schedule.auto_tensorize"
#define TENSORIZE_INIT "meta_schedule.auto_tensorize_init"

/* ---- dynamic loops -------------------------------------------------------- */

static LsWalk
look_for_dynamic (LsNode   *node,
                  gpointer  user_data)
{
  if (ls_is_expr (node))
    return LS_WALK_PRUNE;
  return ls_is (node, FOR) && !ls_is (((LsFor *) node)->extent, INT_IMM) ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

static gboolean
disallow_dynamic_loop (LsSchedule    *schedule,
                       LsDiagnostics *findings)
{
  if (ls_walk (ls_schedule_get_module (schedule), look_for_dynamic, NULL, NULL))
    return TRUE;
  if (findings != NULL)
    ls_diagnostics_add (findings, LS_SEVERITY_ERROR, "schedule/space/dynamic-loop", (LsSpan) { 0 },
                        "The program has a loop whose extent is not known.");
  return FALSE;
}

/* ---- marks ---------------------------------------------------------------- */

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

/* How far one round of the loop moves in the buffer. */
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
        return 0;
      scale *= size;
    }
  return 0;
}

/* How many loops, the innermost first, go through the memory of the access in order. */
static guint
contiguous_in (LsBufferRegion *access,
               GHashTable     *bindings,
               GPtrArray      *loops)
{
  gint64 last = 0, extent = 0;
  gboolean used = FALSE;
  guint n = 0;

  for (guint i = loops->len; i-- > 0;)
    {
      gint64 stride = stride_in (access, bindings, ls_sref_for ((LsSref *) loops->pdata[i])->loop_var);

      if (stride != 0)
        {
          if (used ? stride != last * extent : stride != 1 && n > 0)
            return n;
          used = TRUE;
          last = stride;
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

      if (ls_loop_iter_type (state, loop) != LS_ITER_DATA_PAR || is_marked (loop) || !holds_one (loop) || ls_loop_extent (loop) <= 0)
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

static gboolean
annotate_unroll (LsSchedule *schedule,
                 LsVar      *loop,
                 gint64      marks[N_MARKS])
{
  gint64 steps = marks[UNROLL_EXPLICIT] + marks[UNROLL_IMPLICIT] + 1;

  if (steps <= 0)
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
  if (marks[VECTORIZE] >= 0 && (ls_sref_body (place)->facts & LS_FACT_HAS_BLOCK) == 0)
    inner = n_vectorized (state, loops, fusible, marks[VECTORIZE]);
  if (outer != -1 && inner != -1)
    outer = MIN (outer, (gint) n - inner);
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
  return annotate_unroll (schedule, first, marks);
}

static gboolean
rewrite_marks (LsSchedule *schedule)
{
  gint64 marks[N_MARKS];
  LsVar *root;

  while ((root = take_marks (schedule, marks)) != NULL)
    {
      g_autoptr(GPtrArray) blocks = g_ptr_array_new ();
      g_autoptr(GHashTable) seen = g_hash_table_new (NULL, NULL);
      LsArray *children = ls_space_step (schedule, NULL, "get_child_blocks", "block_or_loop", ls_ref (root), NULL);

      for (guint i = 0; i < ls_array_n (children); i++)
        g_ptr_array_add (blocks, children->items[i]);
      while (blocks->len > 0)
        {
          LsVar *block = g_ptr_array_steal_index (blocks, blocks->len - 1);

          children = ls_space_step (schedule, NULL, "get_child_blocks", "block_or_loop", ls_ref (block), NULL);
          for (guint i = 0; i < ls_array_n (children); i++)
            if (g_hash_table_add (seen, ls_schedule_resolve (schedule, ls_space_handle (children, i))))
              g_ptr_array_add (blocks, children->items[i]);
          if (!rewrite_block (schedule, block, marks))
            return FALSE;
        }
    }
  return TRUE;
}

/* ---- reductions ----------------------------------------------------------- */

typedef struct {
  const char *func;
  GPtrArray  *blocks;           /* names of blocks with an init and their functions, in pairs (borrowed) */
} Reductions;

static LsWalk
collect_reduction (LsNode   *node,
                   gpointer  user_data)
{
  Reductions *self = user_data;

  if (ls_is_expr (node))
    return LS_WALK_PRUNE;
  if (ls_is (node, BLOCK) && ((LsBlock *) node)->init != NULL)
    {
      g_ptr_array_add (self->blocks, node);
      g_ptr_array_add (self->blocks, (gpointer) self->func);
    }
  return LS_WALK_CONTINUE;
}

/* The number of the first loop that is not spatial, or -1. */
static gint
decompose_point (LsState *state,
                 LsSref  *block)
{
  g_autoptr(GPtrArray) loops = ls_state_loops (state, block);

  for (guint i = 0; i < loops->len; i++)
    if (ls_loop_iter_type (state, loops->pdata[i]) != LS_ITER_DATA_PAR)
      return (gint) i;
  return -1;
}

/* Does a thread run over one of the block's reduction variables?  Threads sum together: nothing is decomposed. */
static gboolean
is_shared_by_threads (LsState *state,
                      LsSref  *block)
{
  g_autoptr(GPtrArray) loops = ls_state_loops (state, block);
  LsBlockRealize *realize = ls_state_realize (state, block);

  for (guint i = 0; i < loops->len; i++)
    {
      LsFor *loop = (LsFor *) ((LsSref *) loops->pdata[i])->stmt;

      for (guint k = 0; loop->thread_binding != NULL && k < ls_array_n (realize->iter_values); k++)
        if (ls_array_at (realize->block->iter_vars, k, LsIterVar)->iter_type == LS_ITER_COMM_REDUCE &&
            ls_uses (realize->iter_values->items[k], loop->loop_var))
          return TRUE;
    }
  return FALSE;
}

static gboolean
unannotate (LsSchedule *schedule,
            LsVar      *block,
            const char *key)
{
  return ls_space_step (schedule, NULL, "unannotate", "block_or_loop", ls_ref (block), "ann_key", ls_string_new (key), NULL) != NULL;
}

/* The intrinsic of a block is not that of its init: the init gets its own, or "" for none. */
static gboolean
move_intrinsic (LsSchedule *schedule,
                LsMap      *annotations,
                LsVar      *block,
                LsVar      *init)
{
  LsString *own = (LsString *) ls_map_get (annotations, TENSORIZE_INIT);

  if (ls_map_get (annotations, TENSORIZE) == NULL)
    return TRUE;
  return unannotate (schedule, init, TENSORIZE) &&
         ls_space_step (schedule, NULL, "annotate", "block_or_loop", ls_ref (init), "ann_key", ls_string_new (TENSORIZE), "ann_val",
                        ls_string_new (ls_is (own, STRING) ? own->value : ""), NULL) != NULL &&
         (own == NULL || (unannotate (schedule, block, TENSORIZE_INIT) && unannotate (schedule, init, TENSORIZE_INIT)));
}

static gboolean
decompose (LsSchedule *schedule,
           LsBlock    *block,
           const char *func,
           gboolean   *changed)
{
  LsState *state = ls_schedule_get_state (schedule);
  LsSref *place = ls_state_sref (state, block);
  gint at = place != NULL ? decompose_point (state, place) : -1;
  LsArray *handles, *loops, *made;
  g_autoptr(LsVar) handle = NULL;

  if (at < 0 || is_shared_by_threads (state, place))
    return TRUE;
  handles = ls_space_step (schedule, NULL, "get_block", "name", ls_string_new (block->name_hint), "func_name", ls_string_new (func), NULL);
  if (handles == NULL)
    return FALSE;
  handle = ls_ref (ls_space_handle (handles, 0));
  loops = ls_space_step (schedule, NULL, "get_loops", "block", ls_ref (handle), NULL);
  made = ls_space_step (schedule, NULL, "decompose_reduction", "block", ls_ref (handle), "loop", ls_node_ref (loops->items[at]), NULL);
  if (made == NULL)
    return FALSE;
  *changed = TRUE;
  return move_intrinsic (schedule, block->annotations, handle, ls_space_handle (made, 0));
}

static gboolean
rewrite_reductions (LsSchedule *schedule)
{
  gboolean changed = TRUE;

  while (changed)
    {
      g_autoptr(LsModule) module = ls_ref (ls_schedule_get_module (schedule));
      g_autoptr(GPtrArray) blocks = g_ptr_array_new ();
      Reductions found = { NULL, blocks };

      changed = FALSE;
      for (guint i = 0; i < ls_array_n (module->functions); i++)
        if (ls_is (module->functions->items[i], PRIM_FUNC))
          {
            found.func = ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint;
            ls_walk (ls_array_at (module->functions, i, LsPrimFunc)->body, collect_reduction, NULL, &found);
          }
      for (guint i = 0; i < blocks->len; i += 2)
        if (!decompose (schedule, blocks->pdata[i], blocks->pdata[i + 1], &changed))
          return FALSE;
    }
  return TRUE;
}

const char *const ls_space_postprocs[] = { "DisallowDynamicLoop", "RewriteParallelVectorizeUnroll", "RewriteReductionBlock", NULL };

gboolean
ls_space_postproc (LsSchedule    *schedule,
                   const char    *name,
                   LsDiagnostics *findings)
{
  if (strcmp (name, "DisallowDynamicLoop") == 0)
    return disallow_dynamic_loop (schedule, findings);
  if (strcmp (name, "RewriteParallelVectorizeUnroll") == 0 ? rewrite_marks (schedule)
                                                           : strcmp (name, "RewriteReductionBlock") != 0 || rewrite_reductions (schedule))
    return TRUE;
  if (findings != NULL)
    ls_diagnostics_add (findings, LS_SEVERITY_ERROR, "schedule/space/postproc", (LsSpan) { 0 },
                        "The program cannot be finished: a loop cannot be fused or a reduction cannot be decomposed.");
  return FALSE;
}

gboolean
ls_space_postprocess (LsSchedule    *schedule,
                      LsDiagnostics *findings)
{
  ls_space_step (schedule, NULL, "enter_postproc", NULL);
  for (guint i = 0; ls_space_postprocs[i] != NULL; i++)
    if (!ls_space_postproc (schedule, ls_space_postprocs[i], findings))
      return FALSE;
  return TRUE;
}
