/* eval: the value of one lane of an expression. */
#include "engine/base/stack.h"
#include "engine/interp/interp-private.h"
#include "engine/ir/meaning.h"

#include <math.h>
#include <string.h>

static LsScalar
int_scalar (gint64 i)
{
  return (LsScalar) { .i = i };
}

static gboolean
is_true (LsMachine *m,
         LsCode    *code,
         guint      lane)
{
  LsScalar v = ls_machine_eval (m, code, code->t.lanes > 1 ? lane : 0);

  return ls_is_float_type (code->t) ? v.f != 0 : v.i != 0;
}

static guint
lane_of (LsCode *code,
         guint   lane)
{
  return code->t.lanes > 1 ? lane : 0;
}

static gboolean
int_binary (LsCode   *code,
            gint64    a,
            gint64    b,
            LsScalar *result)
{
  gboolean is_unsigned64 = code->a->t.code == LS_TYPE_UINT && code->a->t.bits == 64;

  result->i = 0;
  if (!ls_kind_is_compare (code->kind))
    return ls_meaning_of_ints (code->kind, is_unsigned64, a, b, &result->i);
  result->i = ls_meaning_compares_ints (code->kind, is_unsigned64, a, b);
  return TRUE;
}

static LsScalar
eval_float_binary (LsCode *code,
                   double  a,
                   double  b)
{
  LsScalar v = { 0 };

  if (ls_kind_is_compare (code->kind))
    v.i = ls_meaning_compares_floats (code->kind, a, b);
  else
    ls_meaning_of_floats (code->kind, a, b, &v.f);
  return v;
}

gboolean
ls_value_of_binary (LsCode   *code,
                    LsScalar  a,
                    LsScalar  b,
                    LsScalar *result)
{
  if (ls_is_float_type (code->a->t))
    {
      LsScalar v = eval_float_binary (code, a.f, b.f);

      *result = ls_kind_is_compare (code->kind) ? v : ls_scalar_fit (code->t, v);
      return TRUE;
    }
  if (!int_binary (code, a.i, b.i, result))
    return FALSE;
  *result = ls_scalar_fit (code->t, *result);
  return TRUE;
}

static LsScalar
eval_binary (LsMachine *m,
             LsCode    *code,
             guint      lane)
{
  LsScalar a, b;
  LsScalar v = { 0 };

  if (code->kind == LS_KIND_AND)
    return int_scalar (is_true (m, code->a, lane) && is_true (m, code->b, lane));
  if (code->kind == LS_KIND_OR)
    return int_scalar (is_true (m, code->a, lane) || is_true (m, code->b, lane));
  a = ls_machine_eval (m, code->a, lane_of (code->a, lane));
  b = ls_machine_eval (m, code->b, lane_of (code->b, lane));
  if (!ls_value_of_binary (code, a, b, &v))
    ls_machine_fail (m, LS_INTERP_ERROR_ARITHMETIC, ls_translate ("%lld is divided by zero."), (long long) a.i);
  return v;
}

/* Truncated; what is out of range becomes the nearest value of the type, NaN 0. */
static gint64
float_to_int (LsDType t,
              double  v)
{
  if (isnan (v))
    return 0;
  if (t.code == LS_TYPE_UINT)
    {
      double end = ldexp (1, t.bits);

      return v <= 0 ? 0 : v >= end ? ls_scalar_fit (t, int_scalar (-1)).i : (gint64) (guint64) v;
    }
  if (v >= ldexp (1, t.bits - 1))
    return t.bits >= 64 ? G_MAXINT64 : ((gint64) 1 << (t.bits - 1)) - 1;
  return v <= -ldexp (1, t.bits - 1) ? -1 - (gint64) (G_MAXUINT64 >> (65 - t.bits)) : (gint64) v;
}

LsScalar
ls_value_of_cast (LsCode   *code,
                  LsScalar  v)
{
  gboolean from = ls_is_float_type (code->a->t);
  gboolean to = ls_is_float_type (code->t);

  if (ls_dtype_is_bool (code->t))
    return int_scalar (from ? v.f != 0 : v.i != 0);
  if (from && !to)
    v.i = float_to_int (code->t, v.f);
  else if (!from && to)
    v.f = code->a->t.code == LS_TYPE_UINT ? (double) (guint64) v.i : (double) v.i;
  if (code->t.code == LS_TYPE_E5M2 && isinf (v.f) && code->a->t.code != LS_TYPE_E5M2)
    v.f = copysign (ls_dtype_float_max (code->t), v.f);         /* a conversion ends at the largest number */
  return ls_scalar_fit (code->t, v);
}

static LsScalar
reinterpret (LsDType  from,
             LsDType  to,
             LsScalar v)
{
  guint8 bytes[8] = { 0 };

  ls_element_set (ls_dtype_element (from), bytes, v);
  return ls_element_get (ls_dtype_element (to), bytes);
}

static gint64
q_multiply_shift (gint64 x,
                  gint64 y,
                  gint64 q,
                  gint64 s)
{
  gint64 shift = CLAMP (q - s, 1, 62);
  __int128 product = (__int128) x * y + ((__int128) 1 << (shift - 1));

  return (gint64) (product >> shift);
}

/* x, y, shifts to the left and right, q, and whether each shift is asked for */
static gint64
q_multiply_shift_per_axis (const LsScalar *args)
{
  gint64 shift = CLAMP (args[4].i + (args[6].i != 0 ? args[3].i : 0), 1, 62);
  __int128 x = (gint64) ((guint64) args[0].i << (args[5].i != 0 ? CLAMP (args[2].i, 0, 63) : 0));

  return (gint64) ((x * args[1].i + ((__int128) 1 << (shift - 1))) >> shift);
}

static gint64
shift (LsCode *code,
       gint64  a,
       gint64  b)
{
  if (b < 0 || b > 63)
    return 0;
  if (code->call == LS_CALL_SHIFT_LEFT)
    return (gint64) ((guint64) a << b);
  return code->t.code == LS_TYPE_UINT ? (gint64) ((guint64) a >> b) : a >> b;
}

static gint64
element_address (LsMachine *m,
                 LsCode    *load,
                 guint      lane)
{
  LsBufferPlan *plan = (LsBufferPlan *) load->b;
  LsView *view = &m->views[load->slot];
  gint64 element;

  if ((plan->implicit && !ls_view_set_up (m, plan))
      || !ls_view_element (m, load->args, load->n, lane, view, plan->buffer, &element))
    return 0;
  return (gint64) (gintptr) (view->data + element * ls_dtype_bytes (view->dtype));
}

/* A call of an atomic function (atomic.c), by T.call_extern or T.atomic_add; FALSE: it is none. */
static gboolean
call_atomic (LsMachine *m,
             LsCode    *code,
             LsScalar  *result)
{
  gboolean own = strcmp (((LsOp *) ((LsCall *) code->origin)->op)->name, "tir.atomic_add") == 0;
  guint first = own ? 0 : 1, which;
  LsCode *load;
  LsBufferPlan *plan;
  LsView *view;
  LsScalar value;
  gint64 element;
  guint8 *at;

  if (!own && (code->n == 0 || !ls_is (code->args[0]->origin, STRING_IMM)))
    return FALSE;
  if (!ls_atomic_find (own ? "atomicAdd" : ((LsStringImm *) code->args[0]->origin)->value, &which))
    return FALSE;
  if (code->n != first + 2 || code->args[first]->kind != LS_KIND_CALL || code->args[first]->call != LS_CALL_ADDRESS_OF ||
      !ls_atomic_takes (which, code->args[first]->args[0]->t, code->args[first + 1]->t))
    {
      ls_machine_fail (m, LS_INTERP_ERROR_UNSUPPORTED, ls_translate ("%s takes the address of a number of 32 or 64 bits and a value of its type."), ls_atomic_name (which));
      return TRUE;
    }
  load = code->args[first]->args[0];
  plan = (LsBufferPlan *) load->b;
  view = &m->views[load->slot];
  value = ls_machine_eval (m, code->args[first + 1], 0);
  if (m->failed || (plan->implicit && !ls_view_set_up (m, plan)) || !ls_view_element (m, load->args, load->n, 0, view, plan->buffer, &element))
    return TRUE;
  at = view->data + element * ls_dtype_bytes (view->dtype);
  *result = ls_element_get (view->dtype, at);
  value = ls_atomic_value (which, view->dtype, *result, value);
  if (G_UNLIKELY (plan->seen & LS_SEE_READ))
    ls_observe_access (m, LS_SEE_READ, load->origin, plan, element, *result);
  if (G_UNLIKELY (plan->seen & LS_SEE_WRITE) && !m->failed)
    ls_observe_access (m, LS_SEE_WRITE, load->origin, plan, element, value);
  if (!m->failed)
    ls_element_set (view->dtype, at, value);
  return TRUE;
}

static LsScalar
call_extern (LsMachine *m,
             LsCode    *code)
{
  g_autofree LsInterpArg *args = g_new0 (LsInterpArg, code->n + 1);
  const char *name = code->n > 0 && ls_is (code->args[0]->origin, STRING_IMM) ? ((LsStringImm *) code->args[0]->origin)->value : "?";
  double result = 0;
  LsScalar v = { 0 };

  if (call_atomic (m, code, &v))
    return v;
  for (guint i = 1; i < code->n && !m->failed; i++)
    {
      LsScalar value = ls_machine_eval (m, code->args[i], 0);

      args[i - 1].dtype = code->args[i]->t;
      if (ls_is_float_type (code->args[i]->t))
        args[i - 1].float_value = value.f;
      else
        args[i - 1].int_value = value.i;
      args[i - 1].data = code->args[i]->t.code == LS_TYPE_HANDLE ? (void *) (gintptr) value.i : NULL;
    }
  if (m->failed)
    return v;
  if (m->options == NULL || m->options->on_extern == NULL
      || !m->options->on_extern (name, args, code->n > 0 ? code->n - 1 : 0, &result, m->options->user_data))
    ls_machine_fail (m, LS_INTERP_ERROR_UNSUPPORTED, ls_translate ("The extern function %s is not known to the interpreter."), name);
  if (ls_is_float_type (code->t))
    v.f = result;
  else
    v.i = (gint64) result;
  return v;
}

gboolean
ls_value_of_call (LsCode         *code,
                  const LsScalar *args,
                  LsScalar       *result)
{
  LsScalar v = args[0];
  LsScalar w = code->n > 1 ? args[1] : v;

  switch ((int) code->call)
    {
    case LS_CALL_MATH1:
      v.f = code->math1 (ls_is_float_type (code->args[0]->t) ? v.f : (double) v.i);
      break;
    case LS_CALL_MATH2:
      if (!ls_is_float_type (code->t))
        v.i = (gint64) code->math2 ((double) v.i, (double) w.i);
      else
        v.f = code->math2 (v.f, w.f);
      break;
    case LS_CALL_IDENTITY: break;
    case LS_CALL_REINTERPRET: *result = reinterpret (code->args[0]->t, code->t, v); return TRUE;
    case LS_CALL_BIT_AND: v.i &= w.i; break;
    case LS_CALL_BIT_OR: v.i |= w.i; break;
    case LS_CALL_BIT_XOR: v.i ^= w.i; break;
    case LS_CALL_BIT_NOT: v.i = ~v.i; break;
    case LS_CALL_SHIFT_LEFT:
    case LS_CALL_SHIFT_RIGHT: v.i = shift (code, v.i, w.i); break;
    case LS_CALL_ABS:
      if (ls_is_float_type (code->t))
        v.f = fabs (v.f);
      else
        v.i = v.i < 0 ? (gint64) (0 - (guint64) v.i) : v.i;
      break;
    case LS_CALL_POPCOUNT: v.i = __builtin_popcountll (code->t.bits >= 64 ? (guint64) v.i : (guint64) v.i & (((guint64) 1 << code->t.bits) - 1)); break;
    case LS_CALL_CLZ:
      {
        guint bits = code->args[0]->t.bits;
        guint64 u = bits >= 64 ? (guint64) v.i : (guint64) v.i & (((guint64) 1 << bits) - 1);
        v.i = u == 0 ? (gint64) bits : (gint64) __builtin_clzll (u) - (64 - (gint64) bits);
        break;
      }
    case LS_CALL_IS_NAN: *result = int_scalar (ls_is_float_type (code->args[0]->t) && isnan (v.f)); return TRUE;
    case LS_CALL_IS_INF: *result = int_scalar (ls_is_float_type (code->args[0]->t) && isinf (v.f)); return TRUE;
    case LS_CALL_IS_FINITE: *result = int_scalar (!ls_is_float_type (code->args[0]->t) || isfinite (v.f)); return TRUE;
    case LS_CALL_IS_NULL: *result = int_scalar (v.i == 0); return TRUE;
    case LS_CALL_Q_MULTIPLY_SHIFT: v.i = q_multiply_shift (v.i, w.i, args[2].i, args[3].i); break;
    case LS_CALL_Q_MULTIPLY_SHIFT_PER_AXIS: v.i = q_multiply_shift_per_axis (args); break;
    default: return FALSE;
    }
  *result = ls_scalar_fit (code->t, v);
  return TRUE;
}

static LsScalar
eval_call (LsMachine *m,
           LsCode    *code,
           guint      lane)
{
  LsScalar args[LS_CALL_MAX_ARGS] = { 0 };
  LsScalar v = { 0 };
  LsScalar w;

  switch (code->call)
    {
    case LS_CALL_IF_THEN_ELSE:
      return ls_machine_eval (m, is_true (m, code->args[0], lane) ? code->args[1] : code->args[2], lane);
    case LS_CALL_ADDRESS_OF:
      return int_scalar (element_address (m, code->args[0], lane));
    case LS_CALL_ACCESS_PTR:
      v = ls_machine_eval (m, code->args[1], 0);
      w = ls_machine_eval (m, code->args[2], 0);
      return int_scalar (v.i + w.i * ls_dtype_bytes (code->args[0]->t));
    case LS_CALL_EXTERN:
      return call_extern (m, code);
    case LS_CALL_FUNCTION:
      ls_call_function (m, code);
      return v;
    case LS_CALL_NOTHING:
      return v;
    case LS_CALL_RET:
      m->returned = TRUE;
      return code->n > 0 ? ls_machine_eval (m, code->args[0], 0) : v;
    case LS_CALL_LARGE_UINT:
      v = ls_machine_eval (m, code->args[0], 0);
      w = ls_machine_eval (m, code->args[1], 0);
      return int_scalar ((gint64) (((guint64) w.i << 32) | (guint64) v.i));
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
    case LS_CALL_DEVICE:
      return v;
    }

  for (guint i = 0; i < MIN (code->n, LS_CALL_MAX_ARGS); i++)
    args[i] = ls_machine_eval (m, code->args[i], lane_of (code->args[i], lane));
  ls_value_of_call (code, args, &v);
  return v;
}

static LsScalar
eval_load (LsMachine *m,
           LsCode    *code,
           guint      lane)
{
  LsBufferPlan *plan = (LsBufferPlan *) code->b;
  LsView *view = &m->views[code->slot];
  guint inner = view->dtype.lanes > 1 ? lane % view->dtype.lanes : 0;
  guint outer = view->dtype.lanes > 1 ? lane / view->dtype.lanes : lane;
  LsScalar v = { 0 };
  gint64 element;

  if (plan->implicit && !ls_view_set_up (m, plan))
    return v;
  if (code->a != NULL && !is_true (m, code->a, outer))
    return v;
  if (!ls_view_element (m, code->args, code->n, outer, view, plan->buffer, &element))
    return v;
  v = ls_element_get (ls_dtype_element (view->dtype),
                      view->data + element * ls_dtype_bytes (view->dtype) + inner * ((view->dtype.bits + 7u) / 8u));
  if (G_UNLIKELY (plan->seen & LS_SEE_READ) && inner == 0)
    ls_observe_access (m, LS_SEE_READ, code->origin, plan, element, v);
  return v;
}

static LsScalar
eval_shuffle (LsMachine *m,
              LsCode    *code,
              guint      lane)
{
  LsCode **indices = (LsCode **) code->a;
  gint64 at = ls_machine_eval (m, indices[lane], 0).i;

  for (guint i = 0; i < code->n; i++)
    {
      if (at < code->args[i]->t.lanes)
        return ls_machine_eval (m, code->args[i], (guint) at);
      at -= code->args[i]->t.lanes;
    }
  ls_machine_fail (m, LS_INTERP_ERROR_BOUNDS, ls_translate ("T.Shuffle picks lane %lld, which its vectors do not have."), (long long) at);
  return int_scalar (0);
}

typedef struct {
  LsMachine *m;
  LsCode    *code;
  guint      lane;
  LsScalar   result;
} Again;

static void
eval_again (gpointer data)
{
  Again *again = data;

  again->result = ls_machine_eval (again->m, again->code, again->lane);
}

LsScalar
ls_machine_eval (LsMachine *m,
         LsCode    *code,
         guint      lane)
{
  LsScalar v = { 0 };

  if (ls_stack_is_short ())
    {
      Again again = { m, code, lane, v };

      ls_stack_extend (eval_again, &again);
      return again.result;
    }
  if (m->failed)
    return v;
  switch ((int) code->kind)
    {
    case LS_KIND_VAR:
    case LS_KIND_SIZE_VAR:
      return m->vars[code->slot + lane_of (code, lane)];
    case LS_KIND_INT_IMM:
      return int_scalar (code->i);
    case LS_KIND_FLOAT_IMM:
      v.f = code->f;
      return v;
    case LS_KIND_STRING_IMM:
      return int_scalar ((gint64) (gintptr) ((LsStringImm *) code->origin)->value);
    case LS_KIND_CAST:
      return ls_value_of_cast (code, ls_machine_eval (m, code->a, lane_of (code->a, lane)));
    case LS_KIND_NOT:
      return int_scalar (!is_true (m, code->a, lane));
    case LS_KIND_SELECT:
      {
        /* The other value may be computed too, but does no harm: that it reads outside or divides by zero is nobody's business. */
        LsCode *chosen = is_true (m, code->a, lane) ? code->b : code->c;

        return ls_machine_eval (m, chosen, lane_of (chosen, lane));
      }
    case LS_KIND_RAMP:
      {
        guint inner = code->a->t.lanes;
        gint64 base = ls_machine_eval (m, code->a, lane % inner).i;
        return ls_scalar_fit (code->t, int_scalar (base + ls_machine_eval (m, code->b, lane_of (code->b, lane % inner)).i * (gint64) (lane / inner)));
      }
    case LS_KIND_BROADCAST:
      return ls_machine_eval (m, code->a, lane % code->a->t.lanes);
    case LS_KIND_LET:
      {
        guint lanes = MAX (1u, code->a->t.lanes);
        LsScalar one, *kept = lanes == 1 ? &one : g_newa (LsScalar, lanes), *now = &m->vars[code->slot];

        memcpy (kept, now, lanes * sizeof *kept);
        for (guint i = 0; i < lanes; i++)
          now[i] = ls_machine_eval (m, code->a, i);
        v = ls_machine_eval (m, code->b, lane_of (code->b, lane));
        memcpy (now, kept, lanes * sizeof *kept);
        return v;
      }
    case LS_KIND_SHUFFLE:
      return eval_shuffle (m, code, lane);
    case LS_KIND_CALL:
      return eval_call (m, code, lane);
    case LS_KIND_BUFFER_LOAD:
      return eval_load (m, code, lane);
    default:
      return eval_binary (m, code, lane);
    }
}
