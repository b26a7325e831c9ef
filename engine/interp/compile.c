/* compile: a PrimFunc becomes Code and Acts in which variables and buffers are slots.
 *
 * The program keeps its shape; only names are resolved, so that running costs no look-ups.
 */
#include "engine/base/stack.h"
#include "engine/interp/interp-private.h"
#include "engine/tir/settle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

gpointer
ls_program_own (LsProgram *self,
                gsize      bytes)
{
  gpointer piece = g_malloc0 (MAX (bytes, 1));

  g_ptr_array_add (self->owned, piece);
  return piece;
}

#define OWN(self, Type, n) ((Type *) ls_program_own ((self), sizeof (Type) * (n)))

void
ls_program_fail (LsProgram  *self,
                 int         code,
                 const char *format,
                 ...)
{
  va_list args;

  if (self->error != NULL)
    return;
  va_start (args, format);
  self->error = g_error_new_valist (LS_INTERP_ERROR, code, format, args);
  va_end (args);
}

guint
ls_program_slot (LsProgram *self,
                 LsVar     *var,
                 gboolean   define)
{
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (self->slots, var));

  if (known != 0)
    return known - 1;
  if (!define)
    ls_program_fail (self, LS_INTERP_ERROR_PROGRAM, ls_translate ("%s is used where it is not defined."), var->name);
  g_hash_table_insert (self->slots, var, GUINT_TO_POINTER (self->n_slots + 1));
  self->n_slots += MAX (1u, ls_dtype (var).lanes);      /* one for each lane */
  return self->n_slots - MAX (1u, ls_dtype (var).lanes);
}

/* The slot of a let's variable, which has as many lanes as its value. */
static guint
let_slot (LsProgram *self,
          LsVar     *var,
          LsExpr    *value)
{
  if (ls_dtype (var).lanes != ls_dtype (value).lanes)
    ls_program_fail (self, LS_INTERP_ERROR_PROGRAM, ls_translate ("%s has %u lanes, its value %u."), var->name, ls_dtype (var).lanes, ls_dtype (value).lanes);
  return ls_program_slot (self, var, TRUE);
}

static LsCode *
new_code (LsProgram *self,
          gpointer   origin)
{
  LsCode *code = OWN (self, LsCode, 1);

  code->origin = origin;
  code->kind = ls_kind (origin);
  code->t = ls_dtype (origin);
  return code;
}

static LsCode **
exprs (LsProgram *self,
       LsArray   *array)
{
  LsCode **codes = OWN (self, LsCode *, array->n + 1);

  for (guint i = 0; i < array->n; i++)
    codes[i] = ls_program_expr (self, ls_array_at (array, i, LsExpr));
  return codes;
}

/* ---- calls ------------------------------------------------------------------ */

static double op_exp10 (double x) { return pow (10.0, x); }
static double op_sigmoid (double x) { return 1.0 / (1.0 + exp (-x)); }
static double op_rsqrt (double x) { return 1.0 / sqrt (x); }

static const struct { const char *name; LsMath1 f; } MATH1[] = {
  { "exp", exp }, { "exp2", exp2 }, { "exp10", op_exp10 }, { "erf", erf }, { "tanh", tanh }, { "sigmoid", op_sigmoid },
  { "sqrt", sqrt }, { "rsqrt", op_rsqrt }, { "log", log }, { "log2", log2 }, { "log1p", log1p }, { "log10", log10 },
  { "tan", tan }, { "cos", cos }, { "cosh", cosh }, { "sin", sin }, { "sinh", sinh }, { "asin", asin }, { "acos", acos },
  { "atan", atan }, { "acosh", acosh }, { "asinh", asinh }, { "atanh", atanh }, { "floor", floor }, { "ceil", ceil },
  { "round", nearbyint }, { "trunc", trunc }, { "nearbyint", nearbyint },
};

static const struct { const char *name; LsMath2 f; } MATH2[] = {
  { "atan2", atan2 }, { "nextafter", nextafter }, { "hypot", hypot }, { "copysign", copysign }, { "pow", pow }, { "fmod", fmod },
};

static const struct { const char *name; LsCallCode call; } CALLS[] = {
  { "if_then_else", LS_CALL_IF_THEN_ELSE }, { "likely", LS_CALL_IDENTITY }, { "tvm_thread_invariant", LS_CALL_IDENTITY },
  { "ignore_loop_partition", LS_CALL_IDENTITY }, { "reinterpret", LS_CALL_REINTERPRET },
  { "bitwise_and", LS_CALL_BIT_AND }, { "bitwise_or", LS_CALL_BIT_OR }, { "bitwise_xor", LS_CALL_BIT_XOR },
  { "bitwise_not", LS_CALL_BIT_NOT }, { "shift_left", LS_CALL_SHIFT_LEFT }, { "shift_right", LS_CALL_SHIFT_RIGHT },
  { "fabs", LS_CALL_ABS }, { "popcount", LS_CALL_POPCOUNT }, { "clz", LS_CALL_CLZ },
  { "isnan", LS_CALL_IS_NAN }, { "isinf", LS_CALL_IS_INF }, { "isfinite", LS_CALL_IS_FINITE },
  { "address_of", LS_CALL_ADDRESS_OF }, { "tvm_access_ptr", LS_CALL_ACCESS_PTR }, { "large_uint_imm", LS_CALL_LARGE_UINT },
  { "q_multiply_shift", LS_CALL_Q_MULTIPLY_SHIFT }, { "q_multiply_shift_per_axis", LS_CALL_Q_MULTIPLY_SHIFT_PER_AXIS }, { "isnullptr", LS_CALL_IS_NULL }, { "ret", LS_CALL_RET },
  { "assume", LS_CALL_NOTHING }, { "prefetch", LS_CALL_NOTHING }, { "type_annotation", LS_CALL_NOTHING },
  { "call_extern", LS_CALL_EXTERN }, { "call_pure_extern", LS_CALL_EXTERN }, { "tvm_call_packed", LS_CALL_EXTERN },
};

static const char *const DEVICE_CALLS[] = {
  "tvm_storage_sync", "tvm_warp_shuffle", "tvm_warp_shuffle_up", "tvm_warp_shuffle_down", "tvm_warp_activemask",
  "tvm_fill_fragment", "tvm_load_matrix_sync", "tvm_store_matrix_sync", "tvm_mma_sync", "ptx_mma", "ptx_ldmatrix", "mma_fill", "mma_store",
  "ptx_cp_async", "ptx_commit_group", "ptx_wait_group", "atomic_add",
};

static gboolean
find_device_call (const char *name,
                  LsCode     *code)
{
  for (guint i = 0; i < G_N_ELEMENTS (DEVICE_CALLS); i++)
    if (strcmp (DEVICE_CALLS[i], name) == 0)
      {
        code->call = LS_CALL_DEVICE;
        return TRUE;
      }
  return FALSE;
}

static gboolean
find_call (const char *name,
           LsCode     *code)
{
  for (guint i = 0; i < G_N_ELEMENTS (MATH1); i++)
    if (strcmp (MATH1[i].name, name) == 0)
      {
        code->call = LS_CALL_MATH1;
        code->math1 = MATH1[i].f;
        return TRUE;
      }
  for (guint i = 0; i < G_N_ELEMENTS (MATH2); i++)
    if (strcmp (MATH2[i].name, name) == 0)
      {
        code->call = LS_CALL_MATH2;
        code->math2 = MATH2[i].f;
        return TRUE;
      }
  for (guint i = 0; i < G_N_ELEMENTS (CALLS); i++)
    if (strcmp (CALLS[i].name, name) == 0)
      {
        code->call = CALLS[i].call;
        return TRUE;
      }
  return FALSE;
}

static void
compile_call (LsProgram *self,
              LsCall    *call,
              LsCode    *code)
{
  const char *name = ls_is (call->op, OP) ? ((LsOp *) call->op)->name : NULL;

  code->n = call->args->n;
  if (ls_is (call->op, GLOBAL_VAR))
    code->call = LS_CALL_FUNCTION;
  else if (name == NULL)
    ls_program_fail (self, LS_INTERP_ERROR_UNSUPPORTED, "%s", ls_translate ("This call cannot be interpreted: it needs a device or a library."));
  else if (!self->for_threads && strcmp (name, "tir.atomic_add") == 0)
    code->call = LS_CALL_EXTERN;
  else if (!find_call (name + strlen ("tir."), code) && !(self->for_threads && find_device_call (name + strlen ("tir."), code)))
    ls_program_fail (self, LS_INTERP_ERROR_UNSUPPORTED, ls_translate ("%s cannot be interpreted: it needs a device or a library."), name);
  code->args = exprs (self, call->args);
}

/* ---- expressions ------------------------------------------------------------- */

static void
compile_load (LsProgram    *self,
              LsBufferLoad *load,
              LsCode       *code)
{
  LsBufferPlan *plan = ls_program_plan (self, load->buffer, FALSE);

  if (load->indices->n != load->buffer->shape->n)
    ls_program_fail (self, LS_INTERP_ERROR_PROGRAM, ls_translate ("%s has %u dimensions and is read with %u indices."),
                     load->buffer->name, load->buffer->shape->n, load->indices->n);
  code->slot = plan->slot;
  code->args = exprs (self, load->indices);
  code->n = load->indices->n;
  code->a = load->predicate != NULL ? ls_program_expr (self, load->predicate) : NULL;
  code->b = (LsCode *) plan;
}

typedef struct {
  LsProgram *self;
  gpointer   node;
  gpointer   result;
} Again;

static void
expr_again (gpointer data)
{
  Again *again = data;

  again->result = ls_program_expr (again->self, again->node);
}

LsCode *
ls_program_expr (LsProgram *self,
                 LsExpr    *expr)
{
  LsCode *code;

  if (ls_stack_is_short ())
    {
      Again again = { self, expr, NULL };

      ls_stack_extend (expr_again, &again);
      return again.result;
    }
  code = new_code (self, expr);
  switch ((int) code->kind)
    {
    case LS_KIND_VAR:
    case LS_KIND_SIZE_VAR:
      code->slot = ls_program_slot (self, (LsVar *) expr, FALSE);
      break;
    case LS_KIND_INT_IMM:
      code->i = ((LsIntImm *) expr)->value;
      break;
    case LS_KIND_FLOAT_IMM:
      code->f = ls_scalar_fit (code->t, (LsScalar) { .f = ((LsFloatImm *) expr)->value }).f;
      break;
    case LS_KIND_STRING_IMM:
      break;
    case LS_KIND_CAST:
      code->a = ls_program_expr (self, ((LsCast *) expr)->value);
      break;
    case LS_KIND_NOT:
      code->a = ls_program_expr (self, ((LsNot *) expr)->a);
      break;
    case LS_KIND_SELECT:
      code->a = ls_program_expr (self, ((LsSelect *) expr)->condition);
      code->b = ls_program_expr (self, ((LsSelect *) expr)->true_value);
      code->c = ls_program_expr (self, ((LsSelect *) expr)->false_value);
      break;
    case LS_KIND_RAMP:
      code->a = ls_program_expr (self, ((LsRamp *) expr)->base);
      code->b = ls_program_expr (self, ((LsRamp *) expr)->stride);
      break;
    case LS_KIND_BROADCAST:
      code->a = ls_program_expr (self, ((LsBroadcast *) expr)->value);
      break;
    case LS_KIND_LET:
      code->a = ls_program_expr (self, ((LsLet *) expr)->value);
      code->slot = let_slot (self, ((LsLet *) expr)->var, ((LsLet *) expr)->value);
      code->b = ls_program_expr (self, ((LsLet *) expr)->body);
      break;
    case LS_KIND_SHUFFLE:
      code->args = exprs (self, ((LsShuffle *) expr)->vectors);
      code->n = ((LsShuffle *) expr)->vectors->n;
      code->a = (LsCode *) exprs (self, ((LsShuffle *) expr)->indices);
      break;
    case LS_KIND_CALL:
      compile_call (self, (LsCall *) expr, code);
      break;
    case LS_KIND_BUFFER_LOAD:
      compile_load (self, (LsBufferLoad *) expr, code);
      break;
    default:
      if (ls_kind_is_binary (code->kind))
        {
          code->a = ls_program_expr (self, ((LsBinary *) expr)->a);
          code->b = ls_program_expr (self, ((LsBinary *) expr)->b);
        }
      else
        {
          ls_program_fail (self, LS_INTERP_ERROR_UNSUPPORTED, ls_translate ("%s cannot be interpreted; it is lowered first."), expr->node.klass->name);
        }
      break;
    }
  return code;
}

/* An expression besides the program's text, with the memory that its code takes. */
typedef struct {
  LsNode    *expr;
  GPtrArray *owned;
} Apart;

static void
apart_free (gpointer data)
{
  Apart *self = data;

  g_ptr_array_unref (self->owned);
  ls_unref (self->expr);
  g_free (self);
}

LsCode *
ls_program_expr_apart (LsProgram *self,
                       LsExpr    *expr)
{
  Apart *apart = g_new0 (Apart, 1);
  GPtrArray *owned = self->owned;
  LsCode *code;

  apart->expr = LS_NODE (ls_ref (expr));
  self->owned = apart->owned = g_ptr_array_new_with_free_func (g_free);
  code = ls_program_expr (self, expr);
  self->owned = owned;
  g_hash_table_insert (self->expressions, code, apart);
  return code;
}

gboolean
ls_program_forget_expr (LsProgram *self,
                        LsCode    *code)
{
  return g_hash_table_remove (self->expressions, code);
}

/* ---- buffers -------------------------------------------------------------------- */

LsBufferPlan *
ls_program_plan (LsProgram *self,
                 LsBuffer  *buffer,
                 gboolean   declare)
{
  LsBufferPlan *plan = g_hash_table_lookup (self->plans, buffer);
  gboolean fresh = plan == NULL;

  if (fresh)
    {
      plan = OWN (self, LsBufferPlan, 1);
      plan->buffer = buffer;
      plan->slot = self->n_views++;
      plan->ndim = buffer->shape->n;
      plan->implicit = !declare;
      g_hash_table_insert (self->plans, buffer, plan);
      g_ptr_array_add (self->plan_list, plan);
      if (plan->ndim > 16)
        ls_program_fail (self, LS_INTERP_ERROR_UNSUPPORTED, ls_translate ("%s has %u dimensions; 16 is the limit."), buffer->name, plan->ndim);
      plan->data_slot = ls_program_slot (self, buffer->data, declare);
    }
  else if (declare)
    {
      plan->implicit = FALSE;
    }
  if (fresh || declare)
    {
      plan->shape = exprs (self, buffer->shape);
      plan->strides = ls_buffer_has_strides (buffer) ? exprs (self, buffer->strides) : NULL;
      plan->elem_offset = ls_program_expr (self, buffer->elem_offset);
    }
  return plan;
}

/* The variables that a buffer of the signature or of a match_buffer brings along. */
static void
define_buffer_vars (LsProgram *self,
                    LsBuffer  *buffer)
{
  ls_program_slot (self, buffer->data, TRUE);
  for (guint i = 0; i < buffer->shape->n; i++)
    if (ls_is_var (buffer->shape->items[i]))
      ls_program_slot (self, ls_array_at (buffer->shape, i, LsVar), TRUE);
  for (guint i = 0; i < buffer->strides->n; i++)
    if (ls_is_var (buffer->strides->items[i]))
      ls_program_slot (self, ls_array_at (buffer->strides, i, LsVar), TRUE);
  if (ls_is_var (buffer->elem_offset))
    ls_program_slot (self, (LsVar *) buffer->elem_offset, TRUE);
}

/* ---- statements -------------------------------------------------------------------- */

static LsAct *compile (LsProgram *self, LsStmt *stmt);

static LsAct *
new_act (LsProgram *self,
         LsStmt    *stmt)
{
  LsAct *act = OWN (self, LsAct, 1);

  act->origin = stmt;
  act->kind = ls_kind (stmt);
  act->number = self->acts->len;
  g_ptr_array_add (self->acts, act);
  return act;
}

static void
set_body (LsProgram *self,
          LsAct     *act,
          LsStmt    *body,
          LsStmt    *other)
{
  act->acts = OWN (self, LsAct *, 2);
  act->acts[act->n_acts++] = compile (self, body);
  if (other != NULL)
    act->acts[act->n_acts++] = compile (self, other);
}

static void
compile_block (LsProgram      *self,
               LsBlockRealize *realize,
               LsAct          *act)
{
  LsBlock *block = realize->block;

  act->n = block->iter_vars->n;
  if (realize->iter_values->n != act->n)
    {
      ls_program_fail (self, LS_INTERP_ERROR_PROGRAM, ls_translate ("Block %s has %u iteration variables and %u values."),
                       block->name_hint, act->n, realize->iter_values->n);
      act->n = 0;
    }
  act->args = exprs (self, realize->iter_values);
  act->a = ls_program_expr (self, realize->predicate);
  act->slots = OWN (self, guint, act->n);
  act->mins = OWN (self, LsCode *, act->n);
  act->extents = OWN (self, LsCode *, act->n);
  act->is_reduce = OWN (self, gboolean, act->n);
  for (guint i = 0; i < act->n; i++)
    {
      LsIterVar *iter = ls_array_at (block->iter_vars, i, LsIterVar);

      act->mins[i] = ls_program_expr (self, iter->dom->min);
      act->extents[i] = ls_program_expr (self, iter->dom->extent);
      act->slots[i] = ls_program_slot (self, iter->var, TRUE);
      act->is_reduce[i] = iter->iter_type == LS_ITER_COMM_REDUCE;
    }
  act->n_allocs = block->alloc_buffers->n;
  act->allocs = OWN (self, LsBufferPlan *, act->n_allocs);
  for (guint i = 0; i < act->n_allocs; i++)
    act->allocs[i] = ls_program_plan (self, ls_array_at (block->alloc_buffers, i, LsBuffer), TRUE);
  act->n_matches = block->match_buffers->n;
  act->matches = OWN (self, LsMatchPlan, act->n_matches);
  for (guint i = 0; i < act->n_matches; i++)
    {
      LsMatchBufferRegion *match = ls_array_at (block->match_buffers, i, LsMatchBufferRegion);
      LsArray *region = match->source->region;

      act->matches[i].source = ls_program_plan (self, match->source->buffer, FALSE);
      act->matches[i].n_mins = region->n;
      act->matches[i].mins = OWN (self, LsCode *, region->n);
      for (guint k = 0; k < region->n; k++)
        act->matches[i].mins[k] = ls_program_expr (self, ls_array_at (region, k, LsRange)->min);
      define_buffer_vars (self, match->buffer);
      act->matches[i].target = ls_program_plan (self, match->buffer, TRUE);
    }
  if (block->init != NULL)
    act->init = compile (self, block->init);
  set_body (self, act, block->body, NULL);
}

static void
compile_store (LsProgram     *self,
               LsBufferStore *store,
               LsAct         *act)
{
  LsBufferPlan *plan = ls_program_plan (self, store->buffer, FALSE);

  if (store->indices->n != store->buffer->shape->n)
    ls_program_fail (self, LS_INTERP_ERROR_PROGRAM, ls_translate ("%s has %u dimensions and is written with %u indices."),
                     store->buffer->name, store->buffer->shape->n, store->indices->n);
  act->slot = plan->slot;
  act->allocs = OWN (self, LsBufferPlan *, 1);
  act->allocs[0] = plan;
  act->args = exprs (self, store->indices);
  act->n = store->indices->n;
  act->a = ls_program_expr (self, store->value);
  act->b = store->predicate != NULL ? ls_program_expr (self, store->predicate) : NULL;
}

static void
compile_for (LsProgram *self,
             LsFor     *loop,
             LsAct     *act)
{
  act->a = ls_program_expr (self, loop->min);
  act->b = ls_program_expr (self, loop->extent);
  act->slot = ls_program_slot (self, loop->loop_var, TRUE);
  set_body (self, act, loop->body, NULL);
}

static void
compile_attr (LsProgram  *self,
              LsAttrStmt *attr,
              LsAct      *act)
{
  gboolean is_extent = strcmp (attr->attr_key, "thread_extent") == 0 || strcmp (attr->attr_key, "virtual_thread") == 0;

  if (is_extent && ls_is (attr->subject, ITER_VAR))
    {
      act->is_thread = TRUE;
      act->a = ls_program_expr (self, attr->value);
      act->slot = ls_program_slot (self, ((LsIterVar *) attr->subject)->var, TRUE);
    }
  set_body (self, act, attr->body, NULL);
}

static void
stmt_again (gpointer data)
{
  Again *again = data;

  again->result = compile (again->self, again->node);
}

static LsAct *
compile (LsProgram *self,
         LsStmt    *stmt)
{
  LsAct *act;

  if (ls_stack_is_short ())
    {
      Again again = { self, stmt, NULL };

      ls_stack_extend (stmt_again, &again);
      return again.result;
    }
  act = new_act (self, stmt);
  switch ((int) act->kind)
    {
    case LS_KIND_SEQ_STMT:
      {
        LsArray *seq = ((LsSeqStmt *) stmt)->seq;

        act->acts = OWN (self, LsAct *, seq->n);
        for (guint i = 0; i < seq->n; i++)
          act->acts[act->n_acts++] = compile (self, seq->items[i]);
        break;
      }
    case LS_KIND_FOR:
      compile_for (self, (LsFor *) stmt, act);
      break;
    case LS_KIND_BLOCK_REALIZE:
      compile_block (self, (LsBlockRealize *) stmt, act);
      break;
    case LS_KIND_BUFFER_STORE:
      compile_store (self, (LsBufferStore *) stmt, act);
      break;
    case LS_KIND_EVALUATE:
      act->a = ls_program_expr (self, ((LsEvaluate *) stmt)->value);
      break;
    case LS_KIND_IF_THEN_ELSE:
      act->a = ls_program_expr (self, ((LsIfThenElse *) stmt)->condition);
      set_body (self, act, ((LsIfThenElse *) stmt)->then_case, ((LsIfThenElse *) stmt)->else_case);
      break;
    case LS_KIND_WHILE:
      act->a = ls_program_expr (self, ((LsWhile *) stmt)->condition);
      set_body (self, act, ((LsWhile *) stmt)->body, NULL);
      break;
    case LS_KIND_LET_STMT:
      act->a = ls_program_expr (self, ((LsLetStmt *) stmt)->value);
      act->slot = let_slot (self, ((LsLetStmt *) stmt)->var, ((LsLetStmt *) stmt)->value);
      set_body (self, act, ((LsLetStmt *) stmt)->body, NULL);
      break;
    case LS_KIND_ASSERT_STMT:
      act->a = ls_program_expr (self, ((LsAssertStmt *) stmt)->condition);
      set_body (self, act, ((LsAssertStmt *) stmt)->body, NULL);
      break;
    case LS_KIND_ATTR_STMT:
      compile_attr (self, (LsAttrStmt *) stmt, act);
      break;
    case LS_KIND_ALLOCATE:
      act->extents = exprs (self, ((LsAllocate *) stmt)->extents);
      act->n = ((LsAllocate *) stmt)->extents->n;
      act->slot = ls_program_slot (self, ((LsAllocate *) stmt)->buffer_var, TRUE);
      set_body (self, act, ((LsAllocate *) stmt)->body, NULL);
      break;
    case LS_KIND_ALLOCATE_CONST:
      act->slot = ls_program_slot (self, ((LsAllocateConst *) stmt)->buffer_var, TRUE);
      set_body (self, act, ((LsAllocateConst *) stmt)->body, NULL);
      break;
    case LS_KIND_DECL_BUFFER:
      act->allocs = OWN (self, LsBufferPlan *, 1);
      act->allocs[0] = ls_program_plan (self, ((LsDeclBuffer *) stmt)->buffer, FALSE);
      set_body (self, act, ((LsDeclBuffer *) stmt)->body, NULL);
      break;
    case LS_KIND_BUFFER_REALIZE:
      act->allocs = OWN (self, LsBufferPlan *, 1);
      act->allocs[0] = ls_program_plan (self, ((LsBufferRealize *) stmt)->buffer, TRUE);
      set_body (self, act, ((LsBufferRealize *) stmt)->body, NULL);
      break;
    default:
      ls_program_fail (self, LS_INTERP_ERROR_UNSUPPORTED, ls_translate ("%s cannot be interpreted."), stmt->klass->name);
      break;
    }
  return act;
}

static LsProgram *
program_new (LsPrimFunc  *func,
             gboolean     for_threads,
             GError     **error)
{
  LsProgram *self = g_new0 (LsProgram, 1);

  self->for_threads = for_threads;
  self->func = ls_settle_sums (func);
  func = self->func;
  self->owned = g_ptr_array_new_with_free_func (g_free);
  self->slots = g_hash_table_new (NULL, NULL);
  self->plans = g_hash_table_new (NULL, NULL);
  self->acts = g_ptr_array_new ();
  self->plan_list = g_ptr_array_new ();
  self->expressions = g_hash_table_new_full (NULL, NULL, NULL, apart_free);
  for (guint i = 0; i < func->params->n; i++)
    ls_program_slot (self, ls_array_at (func->params, i, LsVar), TRUE);
  for (guint i = 0; i < func->params->n; i++)
    if (ls_prim_func_get_buffer (func, i) != NULL)
      define_buffer_vars (self, ls_prim_func_get_buffer (func, i));
  for (guint i = 0; i < func->params->n; i++)
    if (ls_prim_func_get_buffer (func, i) != NULL)
      ls_program_plan (self, ls_prim_func_get_buffer (func, i), TRUE);
  self->body = compile (self, func->body);
  if (self->error == NULL)
    return self;
  g_propagate_error (error, g_steal_pointer (&self->error));
  ls_program_free (self);
  return NULL;
}

LsProgram *
ls_program_new (LsPrimFunc  *func,
                GError     **error)
{
  return program_new (func, FALSE, error);
}

LsProgram *
ls_program_new_for_threads (LsPrimFunc  *func,
                            GError     **error)
{
  return program_new (func, TRUE, error);
}

void
ls_program_free (LsProgram *self)
{
  if (self == NULL)
    return;
  g_clear_error (&self->error);
  ls_unref (self->func);
  g_ptr_array_unref (self->owned);
  g_hash_table_unref (self->slots);
  g_hash_table_unref (self->plans);
  g_ptr_array_unref (self->acts);
  g_ptr_array_unref (self->plan_list);
  g_hash_table_unref (self->expressions);
  g_free (self);
}
