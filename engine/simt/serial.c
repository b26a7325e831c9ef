/* serial: a kernel as a program without threads: loops over blocks, and in a block loops over its threads, cut where threads meet.
 *
 *     S[tx] = A[bx * 32 + tx]                        for bx in range (4):
 *     T.tvm_storage_sync ("shared")           ->         for tx in range (32): S[tx] = A[bx * 32 + tx]
 *     B[bx * 32 + tx] = S[31 - tx]                       for tx in range (32): B[bx * 32 + tx] = S[31 - tx]
 *
 * A loop that holds a barrier stands outside of the loops over threads; one whose bounds differ among threads, a while or a condition goes under a mask,
 * an array of who takes part.  Local memory and T.let that live across a cut become arrays over all threads.  What a shuffle hands over is
 * written to an array before the cut and read behind it.  Compiled by LLVM this is the simulator's fast mode: exact like it, but nothing is checked and
 * nothing counted.  Source of the idea: how POCL runs work-groups on a CPU ("parallel region formation", Jääskeläinen et al. 2015). */
#include "engine/simt/serial.h"
#include "engine/simt/serial-private.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"

#include <string.h>

static const char *const TAGS[6] = { "blockIdx.x", "blockIdx.y", "blockIdx.z", "threadIdx.x", "threadIdx.y", "threadIdx.z" };

/* Of a mask. */
static const LsDType TRUTH = { LS_TYPE_INT, 8, 1 };

static void process (Serial *self, LsStmt *stmt);

/* ---- what is where ------------------------------------------------------------------------------ */

static int
axis_of (gpointer node)
{
  LsIterVar *axis = ls_thread_axis (node);

  for (guint i = 0; axis != NULL && i < G_N_ELEMENTS (TAGS); i++)
    if (g_strcmp0 (axis->thread_tag, TAGS[i]) == 0)
      return (int) i;
  return -1;
}

/* Do threads meet here, or does something begin that they share? */
static LsWalk
find_cut (LsNode   *node,
          gpointer  data)
{
  const char *scope = ls_is (node, ALLOCATE) ? serial_scope (((LsAllocate *) node)->buffer_var) : "";

  if (!ls_is_call (node, "tir.tvm_storage_sync") && !serial_is_shuffle (node) && !serial_is_matrix (node) && axis_of (node) < 0 && !g_str_has_prefix (scope, "shared")
      && !g_str_has_prefix (scope, "wmma."))
    return LS_WALK_CONTINUE;
  *(gboolean *) data = TRUE;
  return LS_WALK_STOP;
}

static gboolean
is_cut (Serial *self,
        LsStmt *stmt)
{
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (self->cuts, stmt));
  gboolean cut = FALSE;

  if (known == 0)
    {
      ls_walk (stmt, find_cut, NULL, &cut);
      known = cut ? 2 : 1;
      g_hash_table_insert (self->cuts, ls_ref (stmt), GUINT_TO_POINTER (known));
    }
  return known == 2;
}

static gboolean
is_of_thread (LsVar   *var,
              gpointer data)
{
  Serial *self = data;

  return GPOINTER_TO_UINT (g_hash_table_lookup (self->axes, var)) > 3 || g_hash_table_contains (self->held, var);
}

static LsWalk
find_load (LsNode   *node,
           gpointer  data)
{
  if (!ls_is (node, BUFFER_LOAD) && !ls_is (node, CALL))
    return LS_WALK_CONTINUE;
  if (ls_is (node, CALL) && ls_is_pure (node))
    return LS_WALK_CONTINUE;
  *(gboolean *) data = TRUE;
  return LS_WALK_STOP;
}

/* Is it the same for all threads of a block, whatever is in memory? */
static gboolean
is_uniform (Serial *self,
            LsExpr *expr)
{
  gboolean loads = FALSE;

  ls_walk (expr, find_load, NULL, &loads);
  return !loads && !ls_uses_var (expr, is_of_thread, self);
}

/* ---- what is cut ------------------------------------------------------------------------------------ */

/* Takes the list. */
static LsStmt *
in_sequence (GPtrArray *list)
{
  if (list->len > 0)
    return ls_seq (ls_array_take_ptr_array (list));
  g_ptr_array_unref (list);
  return ls_evaluate_zero ();
}

/* What the block does in there, as one statement. */
static LsStmt *
process_apart (Serial *self,
               LsStmt *stmt)
{
  GPtrArray *kept = self->out;
  GPtrArray *inner;

  serial_flush (self);
  self->out = inner = g_ptr_array_new ();
  process (self, stmt);
  serial_flush (self);
  self->out = kept;
  return in_sequence (inner);
}

static LsStmt *
set (LsBuffer *array,
     LsExpr   *index,
     LsExpr   *value)
{
  return ls_buffer_store_new (ls_ref (array), ls_cast (array->dtype, value), ls_array_of (index, NULL), NULL);
}

static LsExpr *
own_number (Serial *self)
{
  return ls_ref (self->own.number);
}

/* What stands there is rewritten already. */
static void
push_as_it_is (Serial *self,
               LsStmt *stmt)
{
  g_ptr_array_add (self->pending, stmt);
}

/* A mask: who takes part now and for whom the condition holds (or not). */
static LsBuffer *
masked (Serial  *self,
        LsExpr  *condition,
        gboolean holds)
{
  LsBuffer *mask = serial_array (self, "mask", TRUTH, self->n), *outer = self->mask;
  LsExpr *test = (LsExpr *) serial_rewrite (self, condition);

  if (!holds)
    test = ls_not (test);
  if (outer != NULL)
    test = ls_if_then_else (serial_takes_part (self), test, ls_bool (FALSE));
  serial_flush (self);
  self->mask = NULL;
  push_as_it_is (self, set (mask, own_number (self), test));
  serial_flush (self);
  self->mask = outer;
  return mask;
}

static void
process_under (Serial   *self,
               LsBuffer *mask,
               LsStmt   *stmt)
{
  LsBuffer *outer = self->mask;

  serial_flush (self);
  self->mask = mask;
  process (self, stmt);
  serial_flush (self);
  self->mask = outer;
}

static void
condition (Serial       *self,
           LsIfThenElse *node)
{
  if (is_uniform (self, node->condition))
    {
      LsStmt *then_case = process_apart (self, node->then_case), *else_case = node->else_case != NULL ? process_apart (self, node->else_case) : NULL;

      serial_emit (self, ls_if_then_else_new ((LsExpr *) serial_rewrite (self, node->condition), then_case, else_case));
      return;
    }
  {
    LsBuffer *yes = masked (self, node->condition, TRUE), *no = node->else_case != NULL ? masked (self, node->condition, FALSE) : NULL;

    process_under (self, yes, node->then_case);
    if (no != NULL)
      process_under (self, no, node->else_case);
  }
}

/* As long as the condition holds for some thread; those for which it does not are done. */
static void
while_any (Serial *self,
           LsExpr *test,
           LsStmt *body)
{
  LsBuffer *any = serial_array (self, "any", TRUTH, 1), *active = masked (self, test, TRUE), *outer = self->mask;
  GPtrArray *kept;
  LsStmt *round;

  self->mask = active;
  push_as_it_is (self, set (any, ls_int (0), ls_const_int (TRUTH, 1)));
  serial_emit (self, set (any, ls_int (0), ls_const_int (TRUTH, 0)));
  serial_flush (self);
  kept = self->out;
  self->out = g_ptr_array_new ();
  process (self, body);
  serial_flush (self);
  push_as_it_is (self, set (active, own_number (self), (LsExpr *) serial_rewrite (self, test)));
  serial_flush (self);
  serial_emit (self, set (any, ls_int (0), ls_const_int (TRUTH, 0)));
  push_as_it_is (self, set (any, ls_int (0), ls_const_int (TRUTH, 1)));
  serial_flush (self);
  round = ls_seq (ls_array_take_ptr_array (self->out));
  self->out = kept;
  serial_emit (self, ls_while_new (ls_ne (serial_value (any, ls_int (0)), ls_const_int (TRUTH, 0)), round));
  self->mask = outer;
}

/* An array that has a variable's value for each thread. */
static void
hold (Serial *self,
      LsVar  *var,
      LsExpr *value)
{
  LsBuffer *array = serial_array (self, var->name, ls_dtype (var), self->n);

  push_as_it_is (self, set (array, own_number (self), (LsExpr *) serial_rewrite (self, value)));
  g_hash_table_insert (self->held, ls_ref (var), ls_ref (array));
}

static void
loop (Serial *self,
      LsFor  *node)
{
  g_autoptr (LsVar) end = NULL;
  g_autoptr (LsExpr) stop = NULL, test = NULL;
  g_autoptr (LsNode) next = NULL, body = NULL;

  if (is_uniform (self, node->min) && is_uniform (self, node->extent))
    {
      LsStmt *inner = process_apart (self, node->body);

      serial_emit (self, (LsStmt *) ls_for_new (ls_ref (node->loop_var), (LsExpr *) serial_rewrite (self, node->min), (LsExpr *) serial_rewrite (self, node->extent),
                                                LS_FOR_SERIAL, inner, NULL, NULL));
      return;
    }
  end = ls_var_new ("end", ls_dtype (node->loop_var));
  stop = ls_add (ls_ref (node->min), ls_ref (node->extent));
  hold (self, end, stop);
  hold (self, node->loop_var, node->min);
  test = ls_lt (LS_EXPR (ls_ref (node->loop_var)), LS_EXPR (ls_ref (end)));
  next = ls_buffer_store_new (ls_ref ((LsBuffer *) g_hash_table_lookup (self->held, node->loop_var)), ls_add (LS_EXPR (ls_ref (node->loop_var)), ls_const_int (ls_dtype (end), 1)),
                              ls_array_of (own_number (self), NULL), NULL);
  body = ls_seq (ls_array_of (ls_ref (node->body), ls_ref (next), NULL));
  while_any (self, test, body);
}

static void
let (Serial    *self,
     LsLetStmt *node)
{
  if (is_uniform (self, node->value) || ls_dtype_is_handle (ls_dtype (node->var)))
    {
      LsStmt *body = process_apart (self, node->body);

      serial_emit (self, ls_let_stmt_new (ls_ref (node->var), (LsExpr *) serial_rewrite (self, node->value), body));
      return;
    }
  hold (self, node->var, node->value);
  process (self, node->body);
}

/* Memory that lives across a cut: of the block as it is, of each thread side by side. */
static void
allocate (Serial     *self,
          LsAllocate *node)
{
  const char *scope = serial_scope (node->buffer_var);
  gboolean shared = g_str_has_prefix (scope, "shared"), by_warp = g_str_has_prefix (scope, "wmma.");
  SerialMemory *memory = g_new0 (SerialMemory, 1);
  gint64 size, copies = shared ? 1 : by_warp ? (self->n + SERIAL_WARP - 1) / SERIAL_WARP : self->n;

  memory->data = ls_pointer_var_new (node->buffer_var->name, node->dtype, "global");
  memory->by_warp = by_warp;
  if (!ls_allocate_constant_size (node->extents, &size) || size < 0 || size > G_MAXINT32 / MAX (copies, 1))
    {
      serial_fail (self, "The size of %s is no number, or too large.", node->buffer_var->name);
      size = 1;
    }
  memory->bytes = shared ? 0 : size * ls_dtype_bytes (node->dtype);
  g_hash_table_insert (self->memories, node->buffer_var, memory);
  g_ptr_array_add (self->allocations, ls_allocate_new (ls_ref (memory->data), node->dtype, ls_array_of (ls_int (size * copies), NULL), ls_bool (TRUE), ls_evaluate_zero (), NULL));
  process (self, node->body);
}

/* ---- shuffles --------------------------------------------------------------------------------------------- */

static LsWalk
find_shuffle (LsNode   *node,
              gpointer  data)
{
  if (ls_is_call (node, "tir.if_then_else"))
    return LS_WALK_PRUNE;
  if (!serial_is_shuffle (node))
    return LS_WALK_CONTINUE;
  *(LsNode **) data = node;                  /* the innermost one */
  return LS_WALK_CONTINUE;
}

/* T.tvm_warp_shuffle (mask, value, lane or distance, width, warp size): the number of the thread whose value comes. */
static LsExpr *
giver (Serial *self,
       LsCall *call)
{
  LsExpr *number = self->own.number, *which = (LsExpr *) serial_rewrite (self, call->args->items[2]), *from, *inside;
  gint64 width = self->warp;
  g_autoptr (LsExpr) first = NULL;

  if (!ls_as_int (call->args->items[3], &width) || width < 1 || width > self->warp)
    serial_fail (self, "A shuffle is among 1 to %u lanes, a number.", self->warp);
  which = ls_cast (LS_INT32, which);
  first = ls_sub (ls_ref (number), ls_floormod (ls_floormod (ls_ref (number), ls_int (self->warp)), ls_int (width)));
  if (ls_is_call (call, "tir.tvm_warp_shuffle"))
    from = ls_add (ls_ref (first), ls_floormod (which, ls_int (width)));
  else if (ls_is_call (call, "tir.tvm_warp_shuffle_up"))
    from = ls_sub (ls_ref (number), which);
  else
    from = ls_add (ls_ref (number), which);
  inside = ls_and (ls_and (ls_ge (ls_ref (from), ls_ref (first)), ls_lt (ls_ref (from), ls_add (ls_ref (first), ls_int (width)))), ls_lt (ls_ref (from), ls_int (self->n)));
  return ls_if_then_else (inside, from, ls_ref (number));
}

/* Its value is written by all before it is read by some. (transfer full) */
static LsStmt *
hand_over (Serial *self,
           LsStmt *stmt,
           LsNode *call)
{
  LsExpr *value = ls_array_at (((LsCall *) call)->args, 1, LsExpr);
  LsBuffer *array = serial_array (self, "handed", ls_dtype (value), self->n);
  g_autoptr (LsVar) got = ls_var_new ("got", ls_dtype (value));

  push_as_it_is (self, set (array, own_number (self), (LsExpr *) serial_rewrite (self, value)));
  serial_flush (self);
  push_as_it_is (self, set (serial_array (self, "got", ls_dtype (value), self->n), own_number (self), serial_value (array, giver (self, (LsCall *) call))));
  serial_flush (self);
  g_hash_table_insert (self->held, ls_ref (got), ls_ref ((LsBuffer *) self->buffers->pdata[self->buffers->len - 1]));
  return serial_instead (stmt, call, got);
}

/* ---- all statements ---------------------------------------------------------------------------------------- */

static void
process_cut (Serial *self,
             LsStmt *stmt)
{
  LsExpr *value = ls_is (stmt, EVALUATE) ? ((LsEvaluate *) stmt)->value : NULL;
  LsNode *shuffle = NULL;
  int axis = axis_of (stmt);

  if (value != NULL && ls_is_call (value, "tir.tvm_storage_sync"))
    serial_flush (self);
  else if (value != NULL && serial_is_matrix (value))
    {
      serial_flush (self);
      if (!serial_matrix (self, (LsCall *) value))
        serial_fail (self, "An instruction of tensor cores has a form that does not become loops.");
      serial_flush (self);
    }
  else if (ls_is (stmt, SEQ_STMT))
    for (guint i = 0; i < ((LsSeqStmt *) stmt)->seq->n; i++)
      process (self, ((LsSeqStmt *) stmt)->seq->items[i]);
  else if (ls_is (stmt, FOR))
    loop (self, (LsFor *) stmt);
  else if (ls_is (stmt, ALLOCATE))
    allocate (self, (LsAllocate *) stmt);
  else if (ls_is (stmt, DECL_BUFFER))
    process (self, ((LsDeclBuffer *) stmt)->body);
  else if (ls_is (stmt, ATTR_STMT))
    {
      if (axis >= 0)
        g_hash_table_insert (self->axes, ls_thread_axis (stmt)->var, GINT_TO_POINTER (axis + 1));
      process (self, ((LsAttrStmt *) stmt)->body);
    }
  else
    {
      LsNode *head = ls_is (stmt, LET_STMT) ? LS_NODE (((LsLetStmt *) stmt)->value) : ls_is (stmt, IF_THEN_ELSE) ? LS_NODE (((LsIfThenElse *) stmt)->condition)
                     : ls_is (stmt, WHILE) ? LS_NODE (((LsWhile *) stmt)->condition) : LS_NODE (stmt);

      ls_walk (head, find_shuffle, NULL, &shuffle);
      if (shuffle != NULL && !ls_is (stmt, WHILE))
        {
          g_autoptr (LsNode) rest = hand_over (self, stmt, shuffle);

          process (self, rest);
        }
      else if (ls_is (stmt, LET_STMT))
        let (self, (LsLetStmt *) stmt);
      else if (ls_is (stmt, IF_THEN_ELSE))
        condition (self, (LsIfThenElse *) stmt);
      else if (ls_is (stmt, WHILE) && shuffle == NULL)
        while_any (self, ((LsWhile *) stmt)->condition, ((LsWhile *) stmt)->body);
      else
        serial_fail (self, "A barrier or a shuffle stands in a statement of the kind %s, which is not cut there.", LS_NODE (stmt)->klass->name);
    }
}

static void
process (Serial *self,
         LsStmt *stmt)
{
  if (self->error != NULL)
    return;
  if (is_cut (self, stmt))
    process_cut (self, stmt);
  else
    serial_push (self, ls_ref (stmt));
}

/* ---- a kernel ------------------------------------------------------------------------------------------------ */

static LsWalk
note_axis (LsNode   *node,
           gpointer  data)
{
  Serial *self = data;
  int axis = axis_of (node);

  if (ls_is_call (node, "tir.ret"))
    serial_fail (self, "A kernel that returns before its end does not become loops.");
  if (ls_is_expr (node) && !ls_is (node, CALL))
    return LS_WALK_CONTINUE;
  if (axis >= 0 && self->extents[axis] == NULL)
    self->extents[axis] = ls_ref (((LsAttrStmt *) node)->value);
  return LS_WALK_CONTINUE;
}

static void
begin (Serial *self)
{
  self->n = 1;
  for (guint i = 0; i < 6; i++)
    {
      g_autofree char *name = g_strdelimit (g_strdup (TAGS[i]), ".", '_');

      self->loops[i] = ls_var_new (name, LS_INT32);
    }
  for (guint i = 0; i < 3; i++)
    {
      self->sizes[i] = 1;
      if (self->extents[3 + i] != NULL && (!ls_as_int (self->extents[3 + i], &self->sizes[i]) || self->sizes[i] < 1 || self->sizes[i] > 1 << 16))
        {
          serial_fail (self, "The extent of %s is no number: how many threads a block has is known before its threads become loops.", TAGS[3 + i]);
          self->sizes[i] = 1;
        }
      self->n *= self->sizes[i];
    }
  for (guint i = 0; i < 3; i++)
    self->own.thread[i] = self->extents[3 + i] != NULL ? LS_EXPR (ls_ref (self->loops[3 + i])) : ls_int (0);
  self->own.number = ls_add (ls_mul (ls_add (ls_mul (ls_ref (self->own.thread[2]), ls_int (self->sizes[1])), ls_ref (self->own.thread[1])), ls_int (self->sizes[0])),
                             ls_ref (self->own.thread[0]));
  self->at = self->own;
}

static void
memory_free (gpointer data)
{
  ls_unref (((SerialMemory *) data)->data);
  g_free (data);
}

static void
end (Serial *self)
{
  for (guint i = 0; i < 6; i++)
    {
      ls_unref (self->loops[i]);
      ls_unref (self->extents[i]);
    }
  for (guint i = 0; i < 3; i++)
    ls_unref (self->own.thread[i]);
  ls_unref (self->own.number);
  g_hash_table_unref (self->axes);
  g_hash_table_unref (self->memories);
  g_hash_table_unref (self->held);
  g_hash_table_unref (self->cuts);
  g_hash_table_unref (self->shapes);
  g_ptr_array_unref (self->buffers);
  g_ptr_array_unref (self->allocations);
  g_ptr_array_unref (self->out);
  g_ptr_array_unref (self->pending);
}

/* The kernel as loops over its blocks; warp: its lanes. */
static LsStmt *
kernel (LsStmt  *stmt,
        guint    warp,
        GError **error)
{
  Serial self = { .warp = warp, .axes = g_hash_table_new (NULL, NULL), .memories = g_hash_table_new_full (NULL, NULL, NULL, memory_free),
                  .held = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, (GDestroyNotify) ls_node_unref),
                  .cuts = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, NULL), .shapes = g_hash_table_new_full (NULL, NULL, NULL, g_free),
                  .buffers = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref),
                  .allocations = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref), .out = g_ptr_array_new (), .pending = g_ptr_array_new () };
  LsStmt *body;

  ls_walk (stmt, note_axis, NULL, &self);
  begin (&self);
  process (&self, stmt);
  serial_flush (&self);
  body = in_sequence (self.out);
  self.out = g_ptr_array_new ();
  for (guint i = 0; i < 3; i++)
    if (self.extents[i] != NULL)
      body = (LsStmt *) ls_for_new (ls_ref (self.loops[i]), ls_const_int (LS_INT32, 0), ls_cast (LS_INT32, ls_ref (self.extents[i])), LS_FOR_SERIAL, body, NULL, NULL);
  for (guint i = self.buffers->len; i-- > 0;)
    {
      LsBuffer *buffer = self.buffers->pdata[i];

      body = ls_allocate_new (ls_ref (buffer->data), buffer->dtype, ls_ref (buffer->shape), ls_bool (TRUE), body, NULL);
    }
  for (guint i = self.allocations->len; i-- > 0;)
    {
      LsAllocate *node = self.allocations->pdata[i];

      body = ls_allocate_new (ls_ref (node->buffer_var), node->dtype, ls_ref (node->extents), ls_bool (TRUE), body, NULL);
    }
  if (self.error != NULL && *error == NULL)
    *error = g_steal_pointer (&self.error);
  g_clear_error (&self.error);
  end (&self);
  return body;
}

typedef struct { GError *error; guint kernels, warp; } Whole;

static LsNode *
find_kernels (LsRewriter *rewriter,
              LsNode     *node,
              gpointer    data)
{
  Whole *whole = data;

  if (!ls_is_stmt (node))
    return ls_is_expr (node) ? ls_node_ref (node) : ls_rewrite_default (rewriter, node);
  if (axis_of (node) < 0)
    return ls_rewrite_default (rewriter, node);
  whole->kernels++;
  return LS_NODE (kernel ((LsStmt *) node, whole->warp, &whole->error));
}

static LsWalk
find_binding (LsNode   *node,
              gpointer  data)
{
  if (ls_is_expr (node) || !((ls_is (node, FOR) && ((LsFor *) node)->kind == LS_FOR_THREAD_BINDING) || axis_of (node) >= 0))
    return ls_is_expr (node) ? LS_WALK_PRUNE : LS_WALK_CONTINUE;
  *(gboolean *) data = TRUE;
  return LS_WALK_STOP;
}

gboolean
ls_simt_is_bound (LsPrimFunc *func)
{
  gboolean bound = FALSE;

  ls_walk (func->body, find_binding, NULL, &bound);
  return bound;
}

LsPrimFunc *
ls_simt_serial (LsPrimFunc  *lowered,
                GError     **error)
{
  Whole whole = { NULL, 0, ls_simt_warp_size (lowered) };
  g_autoptr (LsNode) body = ls_rewrite_with (lowered->body, find_kernels, &whole);
  g_autoptr (LsNode) unique = NULL;
  g_autoptr (LsPrimFunc) func = NULL, plain = NULL;

  if (whole.error == NULL && whole.kernels == 0)
    g_set_error (&whole.error, LS_INTERP_ERROR, LS_INTERP_ERROR_PROGRAM, ls_translate ("No loop is bound to threads: nothing of the program runs on the device."));
  if (whole.error != NULL)
    {
      g_propagate_error (error, whole.error);
      return NULL;
    }
  unique = ls_stmt_convert_ssa (body);
  func = ls_prim_func_with_body (lowered, ls_ref (unique));
  plain = ls_prim_func_with_attr (func, "target", NULL);
  return ls_legalize_fp8 (plain);
}
