/* expr: an expression as instructions that compute it for all lanes of a warp.
 *
 * What may fail or costs memory (a division, a load) is reached only by the lanes that need it: the branches of if_then_else and the right
 * sides of `and` and `or` stand under masks of their own. */
#include "engine/base/stack.h"
#include "engine/simt/simt-private.h"

#include <string.h>

/* ---- arithmetic --------------------------------------------------------------------------- */

static OpCode
quick_binary (LsCode *code)
{
  LsDType t = code->a->t;
  gboolean is_i32 = t.code == LS_TYPE_INT && t.bits == 32, is_i64 = t.code == LS_TYPE_INT && t.bits == 64;
  gboolean is_f32 = t.code == LS_TYPE_FLOAT && t.bits == 32;

  switch ((int) code->kind)
    {
    case LS_KIND_ADD: return is_i32 ? OP_ADD_I32 : is_i64 ? OP_ADD_I64 : is_f32 ? OP_ADD_F32 : OP_BINARY;
    case LS_KIND_SUB: return is_i32 ? OP_SUB_I32 : is_i64 ? OP_SUB_I64 : is_f32 ? OP_SUB_F32 : OP_BINARY;
    case LS_KIND_MUL: return is_i32 ? OP_MUL_I32 : is_i64 ? OP_MUL_I64 : is_f32 ? OP_MUL_F32 : OP_BINARY;
    case LS_KIND_LT: return is_i32 || is_i64 ? OP_LT_INT : OP_BINARY;
    case LS_KIND_GE: return is_i32 || is_i64 ? OP_GE_INT : OP_BINARY;
    case LS_KIND_EQ: return is_i32 || is_i64 ? OP_EQ_INT : OP_BINARY;
    default: return OP_BINARY;
    }
}

static CountAs
count_of (LsCode *code)
{
  return ls_is_float_type (code->t) || (code->a != NULL && ls_kind_is_compare (code->kind) && ls_is_float_type (code->a->t)) ? COUNT_FLOAT : COUNT_INT;
}

/* Units of an operand of which lane `l` of a vector is asked: the same one for a single number. */
static Operand
spread (Compiler *self,
        LsCode   *code,
        Operand   operand,
        guint     lanes)
{
  Instr *in;
  Operand dst;

  if (code->t.lanes == lanes || lanes == 1)
    return operand;
  dst = simt_scratch (self, lanes);
  in = simt_emit (self, OP_BROADCAST);
  in->lanes = lanes;
  in->dst = dst;
  in->a = operand;
  in->n = code->t.lanes;
  return dst;
}

static Operand
binary (Compiler *self,
        LsCode   *code)
{
  guint lanes = code->t.lanes;
  Operand a = simt_expr (self, code->a), b, dst;
  Instr *in;

  a = spread (self, code->a, a, lanes);
  b = spread (self, code->b, simt_expr (self, code->b), lanes);
  dst = simt_scratch (self, lanes);
  in = simt_emit (self, quick_binary (code));
  in->lanes = lanes;
  in->dst = dst;
  in->a = a;
  in->b = b;
  in->code = code;
  in->count = count_of (code);
  return dst;
}

/* May evaluating do more than compute a number? */
static gboolean
may_fail (LsCode *code)
{
  if (code == NULL)
    return FALSE;
  switch ((int) code->kind)
    {
    case LS_KIND_VAR:
    case LS_KIND_SIZE_VAR:
    case LS_KIND_INT_IMM:
    case LS_KIND_FLOAT_IMM:
      return FALSE;
    case LS_KIND_ADD:
    case LS_KIND_SUB:
    case LS_KIND_MUL:
    case LS_KIND_MIN:
    case LS_KIND_MAX:
    case LS_KIND_AND:
    case LS_KIND_OR:
      return may_fail (code->a) || may_fail (code->b);
    case LS_KIND_NOT:
    case LS_KIND_CAST:
      return may_fail (code->a);
    case LS_KIND_DIV:
    case LS_KIND_MOD:
    case LS_KIND_FLOOR_DIV:
    case LS_KIND_FLOOR_MOD:
      return may_fail (code->a) || code->b->kind != LS_KIND_INT_IMM || code->b->i == 0;
    default:
      return !ls_kind_is_compare (code->kind) || may_fail (code->a) || may_fail (code->b);
    }
}

static Operand
logic (Compiler *self,
       LsCode   *code)
{
  gboolean is_and = code->kind == LS_KIND_AND;
  guint lanes = code->t.lanes;
  Operand a = spread (self, code->a, simt_expr (self, code->a), lanes), b, dst;
  Instr *in;
  guint branch = 0;
  gboolean apart = lanes == 1 && may_fail (code->b);

  dst = simt_scratch (self, lanes);
  if (apart)
    {
      Operand test = a;

      if (!is_and)
        {
          test = simt_scratch (self, 1);
          in = simt_emit (self, OP_NOT);
          in->dst = test;
          in->a = a;
        }
      in = simt_emit (self, OP_MOVE);
      in->dst = dst;
      in->a = a;
      branch = self->code->instrs->len;
      in = simt_emit (self, OP_IF);
      in->a = test;
      simt_push (self);
    }
  b = spread (self, code->b, simt_expr (self, code->b), lanes);
  in = simt_emit (self, apart ? OP_MOVE : is_and ? OP_AND : OP_OR);
  in->lanes = lanes;
  in->dst = dst;
  in->a = apart ? b : a;
  in->b = b;
  in->count = apart ? COUNT_NONE : COUNT_INT;
  if (apart)
    {
      g_array_index (self->code->instrs, Instr, branch).jump = self->code->instrs->len;
      simt_emit (self, OP_POP);
      self->depth--;
    }
  return dst;
}

static Operand
choose (Compiler *self,
        LsCode   *code)
{
  guint lanes = code->t.lanes;
  LsCode *yes = code->args[1], *no = code->args[2];
  Operand test = simt_expr (self, code->args[0]);
  Operand dst = simt_scratch (self, lanes);
  guint branch = self->code->instrs->len, other;
  Operand value;
  Instr *in;

  if (code->args[0]->t.lanes > 1)
    simt_refuse (self, LS_INTERP_ERROR_UNSUPPORTED, "if_then_else with a vector as condition is not run on threads.");
  in = simt_emit (self, OP_IF);
  in->a = test;
  in->count = COUNT_BRANCH;
  simt_push (self);
  for (guint i = 0; i < 2; i++)
    {
      LsCode *side = i == 0 ? yes : no;

      value = spread (self, side, simt_expr (self, side), lanes);
      in = simt_emit (self, OP_MOVE);
      in->lanes = lanes;
      in->dst = dst;
      in->a = value;
      if (i > 0)
        break;
      other = self->code->instrs->len;
      g_array_index (self->code->instrs, Instr, branch).jump = other;
      simt_emit (self, OP_ELSE);
      branch = other;
    }
  g_array_index (self->code->instrs, Instr, branch).jump = self->code->instrs->len;
  simt_emit (self, OP_POP);
  self->depth--;
  return dst;
}

/* ---- memory --------------------------------------------------------------------------------- */

Operand *
simt_layout (Compiler     *self,
             LsBufferPlan *plan,
             LsCode      **indices,
             guint         n)
{
  Operand *args = simt_operands (self, 4 * n + 1);

  for (guint i = 0; i < n; i++)
    {
      args[i] = simt_expr (self, indices[i]);
      args[n + i] = indices[i]->t.lanes;
      args[2 * n + i] = simt_expr (self, plan->shape[i]);
      args[3 * n + i] = plan->strides != NULL ? simt_expr (self, plan->strides[i]) : OPERAND_NONE;
    }
  args[4 * n] = simt_expr (self, plan->elem_offset);
  return args;
}

static Operand
load (Compiler *self,
      LsCode   *code,
      gboolean  address)
{
  LsBufferPlan *plan = (LsBufferPlan *) code->b;
  Operand *args = simt_layout (self, plan, code->args, code->n);
  Operand predicate = code->a != NULL ? simt_expr (self, code->a) : OPERAND_NONE;
  Operand dst = simt_scratch (self, address ? 1 : code->t.lanes);
  guint site = address ? G_MAXUINT : simt_site (self, code->origin, plan, FALSE);
  Instr *in = simt_emit (self, address ? OP_ADDRESS : OP_LOAD);

  in->lanes = address ? 1 : code->t.lanes;
  in->dst = dst;
  in->a = simt_var (self, plan->data_slot);
  in->b = predicate;
  in->args = args;
  in->n = code->n;
  in->site = site;
  in->code = code;
  in->plan = plan;
  return dst;
}

/* ---- calls ------------------------------------------------------------------------------------ */

static const char *
device_name (LsCode *code)
{
  return ((LsOp *) ((LsCall *) code->origin)->op)->name + strlen ("tir.");
}

static Operand
barrier (Compiler *self,
         LsCode   *code)
{
  const char *scope = code->n > 0 && ls_is (code->args[0]->origin, STRING_IMM) ? ((LsStringImm *) code->args[0]->origin)->value : "";
  LsScalar zero = { 0 };

  if (strcmp (scope, "warp") == 0)
    simt_emit (self, OP_WARP_BARRIER);
  else if (strcmp (scope, "shared") == 0 || strcmp (scope, "shared.dyn") == 0)
    simt_emit (self, OP_BARRIER);
  else
    simt_refuse (self, LS_INTERP_ERROR_UNSUPPORTED, "A barrier for \"%s\" is not one of a block: the simulator has those for \"shared\", \"shared.dyn\" and \"warp\".",
                 scope);
  return simt_const (self, zero);
}

static Operand
device_call (Compiler *self,
             LsCode   *code)
{
  const char *name = device_name (code);
  Operand *args;
  Operand dst;
  Instr *in;

  if (self->kernel == 0)
    simt_refuse (self, LS_INTERP_ERROR_PROGRAM, "%s is called outside of any thread.", name);
  if (strcmp (name, "tvm_storage_sync") == 0)
    return barrier (self, code);
  if (self->error == NULL && simt_matrix_call (self, code, name, &dst))
    return dst;
  if (self->error == NULL && strcmp (name, "atomic_add") == 0 && simt_atomic_call (self, code, "atomicAdd", 0, &dst))
    return dst;
  args = simt_operands (self, code->n);
  for (guint i = 0; i < code->n; i++)
    args[i] = simt_expr (self, code->args[i]);
  dst = simt_scratch (self, code->t.lanes);
  in = simt_emit (self, strcmp (name, "tvm_warp_activemask") == 0 ? OP_ACTIVE : OP_WARP_SHUFFLE);
  in->lanes = code->t.lanes;
  in->dst = dst;
  in->args = args;
  in->n = code->n;
  in->code = code;
  in->site = strcmp (name, "tvm_warp_shuffle_up") == 0 ? 1 : strcmp (name, "tvm_warp_shuffle_down") == 0 ? 2 : 0;
  return dst;
}

static Operand
values_call (Compiler *self,
             LsCode   *code,
             OpCode    op)
{
  Operand *args = simt_operands (self, MAX (code->n, LS_CALL_MAX_ARGS));
  gboolean is_math = code->call == LS_CALL_MATH1 || code->call == LS_CALL_MATH2;
  Operand dst;
  Instr *in;

  for (guint i = 0; i < MIN (code->n, LS_CALL_MAX_ARGS); i++)
    args[i] = spread (self, code->args[i], simt_expr (self, code->args[i]), code->t.lanes);
  dst = simt_scratch (self, code->t.lanes);
  in = simt_emit (self, op);
  in->lanes = code->t.lanes;
  in->dst = dst;
  in->args = args;
  in->n = MIN (code->n, LS_CALL_MAX_ARGS);
  in->code = code;
  in->count = is_math ? COUNT_SPECIAL : op == OP_CALL && code->call != LS_CALL_IDENTITY ? count_of (code) : COUNT_NONE;
  return dst;
}

static Operand
call (Compiler *self,
      LsCode   *code)
{
  LsScalar zero = { 0 };
  Operand value;
  Instr *in;

  switch (code->call)
    {
    case LS_CALL_IF_THEN_ELSE:
      return choose (self, code);
    case LS_CALL_ADDRESS_OF:
      return load (self, code->args[0], TRUE);
    case LS_CALL_ACCESS_PTR:
      {
        Operand *args = simt_operands (self, 2);

        args[0] = simt_expr (self, code->args[1]);
        args[1] = simt_expr (self, code->args[2]);
        value = simt_scratch (self, 1);
        in = simt_emit (self, OP_ACCESS_PTR);
        in->dst = value;
        in->a = args[0];
        in->b = args[1];
        in->n = ls_dtype_bytes (code->args[0]->t);
        return value;
      }
    case LS_CALL_NOTHING:
      return simt_const (self, zero);
    case LS_CALL_RET:
      simt_emit (self, OP_RETURN);
      return simt_const (self, zero);
    case LS_CALL_LARGE_UINT:
      return values_call (self, code, OP_LARGE_UINT);
    case LS_CALL_DEVICE:
      return device_call (self, code);
    case LS_CALL_EXTERN:
    case LS_CALL_FUNCTION:
      if (self->kernel > 0 && code->n > 0 && ls_is (code->args[0]->origin, STRING_IMM)
          && simt_atomic_call (self, code, ((LsStringImm *) code->args[0]->origin)->value, 1, &value))
        return value;
      simt_refuse (self, LS_INTERP_ERROR_UNSUPPORTED, "Calls of functions are not run on threads: %s.",
                   code->n > 0 && ls_is (code->args[0]->origin, STRING_IMM) ? ((LsStringImm *) code->args[0]->origin)->value : "a function of the module");
      return simt_const (self, zero);
    case LS_CALL_MATH1:
    case LS_CALL_MATH2:
    case LS_CALL_IDENTITY:
    case LS_CALL_REINTERPRET:
    case LS_CALL_BIT_AND:
    case LS_CALL_BIT_OR:
    case LS_CALL_BIT_XOR:
    case LS_CALL_BIT_NOT:
    case LS_CALL_SHIFT_LEFT:
    case LS_CALL_SHIFT_RIGHT:
    case LS_CALL_ABS:
    case LS_CALL_POPCOUNT:
    case LS_CALL_CLZ:
    case LS_CALL_IS_NAN:
    case LS_CALL_IS_INF:
    case LS_CALL_IS_FINITE:
    case LS_CALL_IS_NULL:
    case LS_CALL_Q_MULTIPLY_SHIFT:
    case LS_CALL_Q_MULTIPLY_SHIFT_PER_AXIS:
      break;
    }
  return values_call (self, code, OP_CALL);
}

/* ---- all of them --------------------------------------------------------------------------------- */

static Operand
unary (Compiler *self,
       LsCode   *code,
       OpCode    op)
{
  Operand a = simt_expr (self, code->a);
  Operand dst = simt_scratch (self, code->t.lanes);
  Instr *in = simt_emit (self, op);

  in->lanes = code->t.lanes;
  in->dst = dst;
  in->a = a;
  in->n = code->a->t.lanes;
  in->code = code;
  in->count = op == OP_CAST || op == OP_NOT ? count_of (code) : COUNT_NONE;
  return dst;
}

static Operand
select_value (Compiler *self,
              LsCode   *code)
{
  guint lanes = code->t.lanes;
  Operand test = spread (self, code->a, simt_expr (self, code->a), lanes);
  Operand yes = spread (self, code->b, simt_expr (self, code->b), lanes);
  Operand no = spread (self, code->c, simt_expr (self, code->c), lanes);
  Operand dst = simt_scratch (self, lanes);
  Instr *in = simt_emit (self, OP_SELECT);

  in->lanes = lanes;
  in->dst = dst;
  in->a = test;
  in->b = yes;
  in->c = no;
  in->code = code;
  in->count = COUNT_INT;
  return dst;
}

static Operand
ramp (Compiler *self,
      LsCode   *code)
{
  Operand a = simt_expr (self, code->a), b = spread (self, code->b, simt_expr (self, code->b), code->a->t.lanes);
  Operand dst = simt_scratch (self, code->t.lanes);
  Instr *in = simt_emit (self, OP_RAMP);

  in->lanes = code->t.lanes;
  in->dst = dst;
  in->a = a;
  in->b = b;
  in->n = code->a->t.lanes;
  in->code = code;
  return dst;
}

static Operand
let (Compiler *self,
     LsCode   *code)
{
  Operand value = simt_expr (self, code->a);
  Instr *in = simt_emit (self, OP_MOVE);

  in->lanes = code->a->t.lanes;
  in->dst = simt_var (self, code->slot);
  in->a = value;
  return simt_expr (self, code->b);
}

static Operand
shuffle (Compiler *self,
         LsCode   *code)
{
  LsCode **indices = (LsCode **) code->a;
  Operand *args = simt_operands (self, code->n + code->t.lanes);
  Operand dst;
  Instr *in;

  for (guint i = 0; i < code->n; i++)
    args[i] = simt_expr (self, code->args[i]);
  for (guint i = 0; i < code->t.lanes; i++)
    args[code->n + i] = simt_expr (self, indices[i]);
  dst = simt_scratch (self, code->t.lanes);
  in = simt_emit (self, OP_SHUFFLE_LANES);
  in->lanes = code->t.lanes;
  in->dst = dst;
  in->args = args;
  in->n = code->n;
  in->code = code;
  return dst;
}

typedef struct {
  Compiler *self;
  LsCode   *code;
  Operand   result;
} Again;

static void
expr_again (gpointer data)
{
  Again *again = data;

  again->result = simt_expr (again->self, again->code);
}

Operand
simt_expr (Compiler *self,
           LsCode   *code)
{
  if (ls_stack_is_short ())
    {
      Again again = { self, code, OPERAND_NONE };

      ls_stack_extend (expr_again, &again);
      return again.result;
    }
  switch ((int) code->kind)
    {
    case LS_KIND_VAR:
    case LS_KIND_SIZE_VAR: return simt_var (self, code->slot);
    case LS_KIND_INT_IMM: return simt_const (self, (LsScalar) { .i = code->i });
    case LS_KIND_FLOAT_IMM: return simt_const (self, (LsScalar) { .f = code->f });
    case LS_KIND_STRING_IMM: return simt_const (self, (LsScalar) { 0 });
    case LS_KIND_CAST: return unary (self, code, OP_CAST);
    case LS_KIND_NOT: return unary (self, code, OP_NOT);
    case LS_KIND_BROADCAST: return unary (self, code, OP_BROADCAST);
    case LS_KIND_SELECT: return select_value (self, code);
    case LS_KIND_RAMP: return ramp (self, code);
    case LS_KIND_LET: return let (self, code);
    case LS_KIND_SHUFFLE: return shuffle (self, code);
    case LS_KIND_CALL: return call (self, code);
    case LS_KIND_BUFFER_LOAD: return load (self, code, FALSE);
    case LS_KIND_AND:
    case LS_KIND_OR: return logic (self, code);
    default: return binary (self, code);
    }
}
