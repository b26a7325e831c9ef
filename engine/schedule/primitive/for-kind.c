/* parallel, vectorize, bind, unroll: how the rounds of a loop are run.
 *
 * The first three let rounds run at the same time, so every block below has to be complete or a reduction within the
 * loop, and the loop may reach only spatial variables of the blocks; bound to threadIdx also reduction ones (the
 * reduction across threads).  unroll asks for nothing.  Four rows share this file because they share the condition.
 * Source: TVM's tir for_kind.
 */
#include "engine/schedule/primitive/primitive.h"

enum { LOOP, THREAD_AXIS };

static const LsParam params[] = {
  { "loop", LS_PARAM_LOOP, 0, NULL, "the loop" },
  { "thread_axis", LS_PARAM_STRING, 0, NULL, "blockIdx.x/y/z, threadIdx.x/y/z, vthread.x/y/z" },
};

/* May rounds with different values of a reduction variable run on this axis? */
static gboolean
axis_reduces (const char *axis)
{
  return axis != NULL && g_str_has_prefix (axis, "threadIdx.");
}

static gboolean
axis_is_known (const char *axis)
{
  return g_str_has_prefix (axis, "vthread") || strcmp (axis, "cthread") == 0 ||
         ((g_str_has_prefix (axis, "blockIdx.") || g_str_has_prefix (axis, "threadIdx.")) &&
          strlen (strchr (axis, '.')) == 2 && strchr ("xyz", axis[strlen (axis) - 1]) != NULL);
}

typedef struct {
  LsMove        *move;
  LsDiagnostics *diagnostics;
  LsFor         *loop;
  const char    *axis;
  gboolean       legal;
} BindingCheck;

static const char *
output_name (LsBlock *block)
{
  return ls_array_n (block->writes) > 0 ? ls_array_at (block->writes, 0, LsBufferRegion)->buffer->name : "its output";
}

static void
refuse_binding (BindingCheck *self,
                LsBlock      *block,
                LsIterVar    *iter)
{
  const char *name = self->loop->loop_var->name;
  LsDiagnostic *finding;
  gint64 extent;

  if (iter->iter_type != LS_ITER_COMM_REDUCE)
    finding = ls_move_refuse (self->move, self->diagnostics, "iter-type", block,
                              "%s reaches %s of block %s, which is not spatial.", name, iter->var->name, block->name_hint);
  else if (ls_as_int (self->loop->extent, &extent) && extent == 1)
    finding = ls_move_refuse (self->move, self->diagnostics, "reduction-loop", block,
                              "The one iteration of %s adds into %s, which other loops may add into too.", name, output_name (block));
  else if (ls_as_int (self->loop->extent, &extent))
    finding = ls_move_refuse (self->move, self->diagnostics, "reduction-loop", block,
                              "All %" PRId64 " iterations of %s add into the same %s.", extent, name, output_name (block));
  else
    finding = ls_move_refuse (self->move, self->diagnostics, "reduction-loop", block,
                              "All iterations of %s add into the same %s.", name, output_name (block));
  ls_move_add_culprit (self->move, finding, self->loop);
  if (finding != NULL && iter->iter_type == LS_ITER_COMM_REDUCE)
    ls_diagnostic_set_repair (finding, "rfactor(%s, 0)", name);
  self->legal = FALSE;
}

static gboolean
check_binding (LsNode         *stmt,
               LsBlockRealize *realize,
               gpointer        user_data)
{
  BindingCheck *self = user_data;

  for (guint i = 0; realize != NULL && i < ls_array_n (realize->iter_values); i++)
    {
      LsIterVar *iter = ls_array_at (realize->block->iter_vars, i, LsIterVar);

      if (iter->iter_type == LS_ITER_DATA_PAR || (iter->iter_type == LS_ITER_COMM_REDUCE && axis_reduces (self->axis)) ||
          !ls_uses (realize->iter_values->items[i], self->loop->loop_var))
        continue;
      refuse_binding (self, realize->block, iter);
    }
  ls_stmt_foreach_child (ls_is (stmt, FOR) ? ((LsFor *) stmt)->body : ((LsBlock *) stmt)->body, check_binding, self);
  return TRUE;
}

static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *sref = ls_move_sref (move, LOOP);
  const char *axis = move->instruction->n_params > 1 ? ls_move_string (move, THREAD_AXIS) : NULL;
  BindingCheck binding = { move, diagnostics, ls_sref_for (sref), axis, TRUE };
  gboolean legal;

  if (axis != NULL && !axis_is_known (axis))
    {
      ls_move_refuse (move, diagnostics, "unknown-axis", sref->stmt,
                      "\"%s\" is no thread axis; there are blockIdx.x, threadIdx.x, vthread.x and their y and z.", axis);
      return FALSE;
    }
  ls_stmt_foreach_child (binding.loop->body, check_binding, &binding);
  legal = ls_legal_compact_dataflow (move, binding.legal ? diagnostics : NULL, sref);
  return legal && binding.legal;
}

/* A parallel loop inside `stmt`, or NULL. */
static LsFor *
parallel_below (LsStmt *stmt)
{
  LsFor *found = NULL;
  guint n;

  if (stmt == NULL || ls_is_expr (stmt))
    return NULL;
  if (ls_is (stmt, FOR) && ((LsFor *) stmt)->kind == LS_FOR_PARALLEL)
    return (LsFor *) stmt;
  n = ls_node_get_n_children (stmt);
  for (guint i = 0; i < n && found == NULL; i++)
    {
      LsNode *child = ls_node_get_child (stmt, i);

      if (child != NULL && (ls_is_stmt (child) || ls_is (child, ARRAY)))
        found = parallel_below ((LsStmt *) child);
    }
  return found;
}

#define NESTED LS_TEXT ("The parallel loop %s stands inside the parallel loop %s, which takes the cores already; tvm.build refuses that.")

/* TVM takes a parallel loop inside another one as a step and refuses it in tvm.build: told here, and refused where the schedule is strict. */
static gboolean
check_nesting (LsMove        *move,
               LsDiagnostics *diagnostics)
{
  LsSref *sref = ls_move_sref (move, LOOP);
  LsFor *loop = ls_sref_for (sref);
  LsFor *other = parallel_below (loop->body);
  gboolean strict = ls_schedule_is_strict (move->schedule);
  LsDiagnostic *finding;
  const char *outer, *inner;

  for (LsSref *above = sref->parent; above != NULL && other == NULL; above = above->parent)
    if (ls_is (above->stmt, FOR) && ls_sref_for (above)->kind == LS_FOR_PARALLEL)
      other = ls_sref_for (above);
  if (other == NULL || (!strict && diagnostics == NULL))
    return TRUE;
  outer = parallel_below (loop->body) != NULL ? loop->loop_var->name : other->loop_var->name;
  inner = outer == other->loop_var->name ? loop->loop_var->name : other->loop_var->name;
  finding = strict ? ls_move_refuse (move, diagnostics, "nested-parallel", sref->stmt, NESTED, inner, outer)
                   : ls_move_warn (move, diagnostics, "nested-parallel", sref->stmt, NESTED, inner, outer);
  ls_move_add_culprit (move, finding, other);
  if (finding != NULL)
    ls_diagnostic_set_repair (finding, "fuse(%s, %s)", outer, inner);
  return !strict;
}

static gboolean
check_parallel (LsMove        *move,
                LsDiagnostics *diagnostics)
{
  return check (move, diagnostics) && check_nesting (move, diagnostics);
}

static gint64
times (gint64 a,
       gint64 b)
{
  gint64 product;

  return __builtin_mul_overflow (a, b, &product) ? G_MAXINT64 : product;
}

/* Statements that would be written out; the code generator stops at LS_MAX_WRITTEN_OUT. */
static gboolean
check_unroll (LsMove        *move,
              LsDiagnostics *diagnostics)
{
  LsSref *sref = ls_move_sref (move, LOOP);
  LsFor *loop = ls_sref_for (sref);
  gint64 n = 0, extent;

  if (diagnostics == NULL || !ls_as_int (loop->extent, &extent) || loop->kind == LS_FOR_UNROLLED)
    return TRUE;
  n = ls_stmt_count_written_out (loop->body);
  for (LsSref *above = sref->parent; above != NULL && ls_is (above->stmt, FOR); above = above->parent)
    if (ls_sref_for (above)->kind == LS_FOR_UNROLLED && ls_as_int (ls_sref_for (above)->extent, &extent))
      n = times (n, extent);
  ls_as_int (loop->extent, &extent);
  n = times (n, extent);
  if (n > LS_MAX_WRITTEN_OUT)
    ls_move_warn (move, diagnostics, "written-out", sref->stmt,
                  "Written out, %s makes %" PRId64 " statements; more than %d are kept as a loop when code is made.", loop->loop_var->name, n, LS_MAX_WRITTEN_OUT);
  return TRUE;
}

static gboolean
set_kind (LsMove     *move,
          LsForKind   kind,
          const char *axis)
{
  LsSref *sref = ls_move_sref (move, LOOP);
  LsFor *loop = ls_sref_for (sref);
  LsIterVar *binding = NULL;
  g_autoptr(LsFor) fresh = NULL;

  if (axis != NULL)
    binding = ls_iter_var_new (NULL, ls_var_new (axis, ls_dtype (loop->loop_var)), LS_ITER_THREAD_INDEX, axis);
  fresh = ls_for_new (ls_ref (loop->loop_var), ls_ref (loop->min), ls_ref (loop->extent), kind, ls_ref (loop->body),
                      binding, ls_ref (loop->annotations));
  ls_state_replace (move->state, sref, fresh, NULL);
  return TRUE;
}

static gboolean
apply_parallel (LsMove        *move,
                LsDiagnostics *diagnostics)
{
  return set_kind (move, LS_FOR_PARALLEL, NULL);
}

static gboolean
apply_vectorize (LsMove        *move,
                 LsDiagnostics *diagnostics)
{
  return set_kind (move, LS_FOR_VECTORIZED, NULL);
}

static gboolean
apply_unroll (LsMove        *move,
              LsDiagnostics *diagnostics)
{
  return set_kind (move, LS_FOR_UNROLLED, NULL);
}

static gboolean
apply_bind (LsMove        *move,
            LsDiagnostics *diagnostics)
{
  return set_kind (move, LS_FOR_THREAD_BINDING, ls_move_string (move, THREAD_AXIS));
}

#define CONDITION \
  "Every block below is complete or a reduction within the loop, and the loop reaches only spatial variables of them"

const LsInstruction ls_instruction_parallel = {
  .name = "parallel",
  .params = params,
  .n_params = 1,
  .result = LS_RESULT_NONE,
  .flags = LS_INSTRUCTION_REORDERS,
  .summary = LS_TEXT ("Runs the rounds of a loop on several cores"),
  .condition = CONDITION ".",
  .source = "TVM v0.20 tir.Schedule.parallel",
  .check = check_parallel,
  .apply = apply_parallel,
};

const LsInstruction ls_instruction_vectorize = {
  .name = "vectorize",
  .params = params,
  .n_params = 1,
  .result = LS_RESULT_NONE,
  .flags = LS_INSTRUCTION_REORDERS,
  .summary = LS_TEXT ("Runs the rounds of a loop as one vector operation"),
  .condition = CONDITION ".",
  .source = "TVM v0.20 tir.Schedule.vectorize",
  .check = check,
  .apply = apply_vectorize,
};

const LsInstruction ls_instruction_unroll = {
  .name = "unroll",
  .params = params,
  .n_params = 1,
  .result = LS_RESULT_NONE,
  .summary = LS_TEXT ("Writes the rounds of a loop out one after the other"),
  .condition = "Always possible.",
  .source = "TVM v0.20 tir.Schedule.unroll",
  .check = check_unroll,
  .apply = apply_unroll,
};

const LsInstruction ls_instruction_bind = {
  .name = "bind",
  .params = params,
  .n_params = 2,
  .result = LS_RESULT_NONE,
  .flags = LS_INSTRUCTION_REORDERS,
  .summary = LS_TEXT ("Runs the rounds of a loop on a GPU thread axis"),
  .condition = CONDITION "; bound to threadIdx it may also reach reduction variables.",
  .source = "TVM v0.20 tir.Schedule.bind",
  .check = check,
  .apply = apply_bind,
};
