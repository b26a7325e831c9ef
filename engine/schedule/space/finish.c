/* finish: what is done to each program of a search before it is measured.
 *
 * DisallowDynamicLoop          a program with a loop of unknown extent is none
 * RewriteParallelVectorizeUnroll  what mark.c wrote at the root is done: finish-marks.c
 * RewriteReductionBlock        reductions are decomposed before their first loop that is not spatial, unless threads share them;
 *                              where the block is to become a tensor intrinsic, its init becomes the one that it names for that
 */
#include "engine/schedule/space/private.h"

#include <string.h>

#define TENSORIZE "meta_schedule.auto_tensorize"
#define TENSORIZE_INIT "meta_schedule.auto_tensorize_init"

/* ---- dynamic loops -------------------------------------------------------- */

static LsWalk
look_for_dynamic (LsNode   *node,
                  gpointer  user_data)
{
  const LsFor **found = user_data;

  if (ls_is_expr (node))
    return LS_WALK_PRUNE;
  if (!ls_is (node, FOR) || ls_is (((LsFor *) node)->extent, INT_IMM))
    return LS_WALK_CONTINUE;
  *found = (const LsFor *) node;
  return LS_WALK_STOP;
}

const LsFor *
ls_space_dynamic_loop (gpointer program)
{
  const LsFor *found = NULL;

  ls_walk (program, look_for_dynamic, NULL, &found);
  return found;
}

static gboolean
disallow_dynamic_loop (LsSchedule    *schedule,
                       LsDiagnostics *findings)
{
  if (ls_space_dynamic_loop (ls_schedule_get_module (schedule)) == NULL)
    return TRUE;
  if (findings != NULL)
    ls_diagnostics_add (findings, LS_SEVERITY_ERROR, "schedule/space/dynamic-loop", (LsSpan) { 0 },
                        "The program has a loop whose extent is not known.");
  return FALSE;
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
  if (strcmp (name, "RewriteParallelVectorizeUnroll") == 0 ? ls_space_rewrite_marks (schedule)
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
