/* lanes: one lane of a vector expression as a scalar expression.
 *
 * For what has no vector form: a choice whose sides must not both be read, calls of C functions, masked gathers.
 */
#include "engine/codegen/codegen-private.h"

typedef struct {
  guint       lane;
  GHashTable *vars;             /* vector Var of a Let -> its scalar Var */
} Picker;

static LsExpr *pick (Picker *self, LsExpr *expr, guint lane);

static LsExpr *
pick_ramp (Picker *self,
           LsRamp *ramp,
           guint   lane)
{
  guint inner = ls_dtype (ramp->base).lanes;
  LsExpr *base = pick (self, ramp->base, lane % inner);
  LsExpr *stride = pick (self, ramp->stride, lane % inner);

  return ls_add (base, ls_mul (stride, ls_const_int (ls_dtype (base), lane / inner)));
}

static LsExpr *
pick_let (Picker *self,
          LsLet  *let,
          guint   lane)
{
  LsVar *scalar;
  LsExpr *value;

  if (ls_dtype (let->var).lanes <= 1)
    return ls_let_new (ls_ref (let->var), ls_ref (let->value), pick (self, let->body, lane));
  value = pick (self, let->value, lane);
  scalar = ls_var_new (let->var->name, ls_dtype (value));
  g_hash_table_insert (self->vars, let->var, scalar);
  return ls_let_new (scalar, value, pick (self, let->body, lane));
}

static LsExpr *
pick_shuffle (Picker    *self,
              LsShuffle *shuffle,
              guint      lane)
{
  gint64 at = 0;

  if (lane < shuffle->indices->n && ls_as_int (shuffle->indices->items[lane], &at))
    for (guint i = 0; i < shuffle->vectors->n; i++)
      {
        guint n = ls_dtype (shuffle->vectors->items[i]).lanes;

        if (at >= 0 && at < n)
          return pick (self, ls_array_at (shuffle->vectors, i, LsExpr), (guint) at);
        at -= n;
      }
  return ls_shuffle_new (ls_ref (shuffle->vectors), ls_array_of (ls_ref (shuffle->indices->items[lane]), NULL));
}

/* Any other node: each child that is a vector of as many lanes, picked; the type made scalar. */
static LsArray *
pick_all (Picker  *self,
          LsArray *array,
          guint    lane)
{
  GPtrArray *items = g_ptr_array_new ();

  for (guint i = 0; i < array->n; i++)
    g_ptr_array_add (items, ls_is_expr (array->items[i]) ? pick (self, ls_array_at (array, i, LsExpr), lane) : (LsExpr *) ls_ref (array->items[i]));
  return ls_array_take_ptr_array (items);
}

static LsExpr *
pick_call (Picker *self,
           LsCall *call,
           guint   lane)
{
  for (guint i = 0; i < call->args->n; i++)
    if (ls_is_expr (call->args->items[i]) && ls_dtype (call->args->items[i]).lanes > 1
        && ls_dtype (call->args->items[i]).lanes != ls_dtype (call).lanes)
      return ls_shuffle_new (ls_array_of (ls_ref (call), NULL), ls_array_of (ls_int (lane), NULL));
  return ls_call_new (ls_dtype_element (ls_dtype (call)), ls_ref (call->op), pick_all (self, call->args, lane));
}

static LsExpr *
pick_load (Picker       *self,
           LsBufferLoad *load,
           guint         lane)
{
  LsArray *indices;

  if (load->buffer->dtype.lanes > 1)
    return ls_shuffle_new (ls_array_of (ls_ref (load), NULL), ls_array_of (ls_int (lane), NULL));
  indices = pick_all (self, load->indices, lane);
  return ls_buffer_load_new (ls_ref (load->buffer), indices, load->predicate != NULL ? pick (self, load->predicate, lane) : NULL);
}

static LsExpr *
pick (Picker *self,
      LsExpr *expr,
      guint   lane)
{
  LsKind kind = ls_kind (expr);
  LsExpr *known;

  if (ls_dtype (expr).lanes <= 1)
    return ls_ref (expr);
  switch ((int) kind)
    {
    case LS_KIND_VAR:
    case LS_KIND_SIZE_VAR:
      known = g_hash_table_lookup (self->vars, expr);
      return known != NULL ? ls_ref (known)
                           : ls_shuffle_new (ls_array_of (ls_ref (expr), NULL), ls_array_of (ls_int (lane), NULL));
    case LS_KIND_CAST:
      return ls_cast_new (ls_dtype_element (ls_dtype (expr)), pick (self, ((LsCast *) expr)->value, lane));
    case LS_KIND_NOT:
      return ls_not_new (pick (self, ((LsNot *) expr)->a, lane));
    case LS_KIND_SELECT:
      return ls_select_new (pick (self, ((LsSelect *) expr)->condition, lane), pick (self, ((LsSelect *) expr)->true_value, lane),
                            pick (self, ((LsSelect *) expr)->false_value, lane));
    case LS_KIND_RAMP:
      return pick_ramp (self, (LsRamp *) expr, lane);
    case LS_KIND_BROADCAST:
      return pick (self, ((LsBroadcast *) expr)->value, lane % ls_dtype (((LsBroadcast *) expr)->value).lanes);
    case LS_KIND_LET:
      return pick_let (self, (LsLet *) expr, lane);
    case LS_KIND_SHUFFLE:
      return pick_shuffle (self, (LsShuffle *) expr, lane);
    case LS_KIND_CALL:
      return pick_call (self, (LsCall *) expr, lane);
    case LS_KIND_BUFFER_LOAD:
      return pick_load (self, (LsBufferLoad *) expr, lane);
    default:
      return ls_binary_new (kind, pick (self, ((LsBinary *) expr)->a, lane), pick (self, ((LsBinary *) expr)->b, lane));
    }
}

LsExpr *
ls_lane_expr (LsExpr *expr,
              guint   lane)
{
  Picker self = { lane, g_hash_table_new (NULL, NULL) };
  LsExpr *out = pick (&self, expr, lane);

  g_hash_table_unref (self.vars);
  return out;
}
