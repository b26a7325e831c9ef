/* PointerValueTypeRewrite: pointers that are accessed by vectors of one size become pointers to vectors.
 *
 *     A = T.allocate ([16], "float32")                A = T.allocate ([4], "float32x4")
 *     A[i * 4:i * 4 + 4] = B[i * 4:i * 4 + 4]   ->    A_1[T.Div (i * 4, 4)] = ...
 *     C[i] = A[i * 4 + 1]                             C[i] = T.Shuffle ([A_1[T.Div (i * 4 + 1, 4)]], [1])
 *
 * Every access is looked at: an index that is a ramp of step 1 from a multiple of its lanes is an access by a vector.  Where all
 * accesses of a pointer have one base type and one number of lanes, which divides its extent, the pointer gets that type.  Single
 * elements that are read do not stand in the way where it is known which part of a vector they are.  Source of the concept: TVM's
 * pass of the same name. */
#include "engine/arith/arith.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"
#include "engine/tir/pass/pointer-value-type.h"
#include "engine/tir/renew.h"

typedef struct {
  LsVar   *var;                 /* borrowed */
  LsDType  element;
  LsExpr  *extent;              /* of the last dimension, borrowed; NULL: not known */
  guint    kind;                /* LsPointerKinds */
  GArray  *accessed;            /* of LsDType, each once */
  GArray  *read;                /* of LsDType: elements that are read, with the coefficient of the index for lanes */
  /* What becomes of it. */
  LsVar   *fresh;               /* owned, or NULL: it stays */
  LsDType  preferred;
} Pointer;

typedef struct {
  GHashTable *pointers;         /* Var -> Pointer; owned */
  GHashTable *buffers;          /* Buffer -> Buffer; owned */
  LsAnalyzer *analyzer;
  gboolean    shuffles;
} State;

static void
pointer_free (gpointer data)
{
  Pointer *self = data;

  g_array_unref (self->accessed);
  g_array_unref (self->read);
  ls_unref (self->fresh);
  g_free (self);
}

static void
declare (State   *state,
         LsVar   *var,
         LsDType  element,
         LsExpr  *extent,
         guint    kind)
{
  Pointer *self;

  if (g_hash_table_contains (state->pointers, var))
    return;
  self = g_new0 (Pointer, 1);
  self->var = var;
  self->element = ls_dtype_is_bool (element) ? (LsDType) { LS_TYPE_INT, 8, element.lanes } : element;
  self->extent = extent;
  self->kind = kind;
  self->accessed = g_array_new (FALSE, FALSE, sizeof (LsDType));
  self->read = g_array_new (FALSE, FALSE, sizeof (LsDType));
  g_hash_table_insert (state->pointers, var, self);
}

static void
declare_typed (State *state,
               LsVar *var,
               guint  kind)
{
  LsPointerType *type = (LsPointerType *) var->type_annotation;

  if (ls_is (type, POINTER_TYPE) && ls_is (type->element_type, PRIM_TYPE))
    declare (state, var, ((LsPrimType *) type->element_type)->dtype, NULL, kind);
  else if (kind == LS_POINTER_BINDINGS && ls_dtype_is_handle (ls_dtype (var)))
    declare (state, var, LS_HANDLE, NULL, kind);
}

static void
add_type (GArray  *types,
          LsDType  type)
{
  for (guint i = 0; i < types->len; i++)
    if (ls_dtype_equal (g_array_index (types, LsDType, i), type))
      return;
  g_array_append_val (types, type);
}

/* A ramp of step 1 with a constant number of lanes, or 0. */
static gint64
ramp_lanes (LsExpr *index)
{
  LsRamp *ramp = (LsRamp *) index;
  gint64 lanes;

  return ls_is (ramp, RAMP) && ls_is_one (ramp->stride) && ls_as_int (ramp->lanes, &lanes) ? lanes : 0;
}

static gboolean
is_multiple (State  *state,
             LsExpr *expr,
             gint64  of)
{
  LsModularSet set = ls_analyzer_modular_set (state->analyzer, expr);

  return set.coeff % of == 0 && set.base % of == 0;
}

static void
note_access (State   *state,
             LsDType  value,
             LsVar   *var,
             LsExpr  *last,
             gboolean is_load)
{
  Pointer *self = g_hash_table_lookup (state->pointers, var);
  guint used;
  gint64 lanes = last != NULL ? ramp_lanes (last) : 0;

  if (self == NULL)
    return;
  if (ls_dtype_is_bool (ls_dtype_element (value)))
    value = (LsDType) { LS_TYPE_INT, 8, value.lanes };
  if (ls_dtype_is_handle (self->element))
    self->element = ls_dtype_element (value);
  used = self->element.lanes;
  if ((last != NULL ? ls_dtype (last).lanes : 1u) * self->element.lanes != value.lanes)
    {
      used = 1;
      self->element = ls_dtype_element (self->element);
    }
  if (lanes > 0 && is_multiple (state, ((LsRamp *) last)->base, lanes))
    used = (guint) lanes;
  if (state->shuffles && is_load && last != NULL && ls_dtype (last).lanes == 1)
    add_type (self->read, ls_dtype_with_lanes (value, (guint) ls_analyzer_modular_set (state->analyzer, last).coeff));
  else
    add_type (self->accessed, ls_dtype_with_lanes (value, used));
}

static LsExpr *
last_of (LsArray *exprs)
{
  return exprs->n > 0 ? ls_array_at (exprs, exprs->n - 1, LsExpr) : NULL;
}

static void
note_call (State  *state,
           LsCall *call)
{
  LsBufferLoad *load = call->args->n > 0 ? (LsBufferLoad *) call->args->items[0] : NULL;

  if (ls_is_call (call, "tir.tvm_access_ptr") && call->args->n == 5 && ls_is_var (call->args->items[1]))
    note_access (state, ls_dtype (call->args->items[0]), (LsVar *) call->args->items[1], ls_array_at (call->args, 2, LsExpr), FALSE);
  else if (ls_is_call (call, "tir.address_of") && ls_is (load, BUFFER_LOAD))
    note_access (state, ls_dtype (load), load->buffer->data, last_of (load->indices), FALSE);
}

static LsWalk
note (LsNode   *node,
      gpointer  user_data)
{
  State *state = user_data;
  LsBufferLoad *load = (LsBufferLoad *) node;
  LsBufferStore *store = (LsBufferStore *) node;
  LsAllocate *allocate = (LsAllocate *) node;
  LsAllocateConst *constant = (LsAllocateConst *) node;

  if (ls_is (node, BUFFER_LOAD))
    note_access (state, ls_dtype (load), load->buffer->data, last_of (load->indices), TRUE);
  else if (ls_is (node, BUFFER_STORE))
    note_access (state, ls_dtype (store->value), store->buffer->data, last_of (store->indices), FALSE);
  else if (ls_is (node, CALL))
    note_call (state, (LsCall *) node);
  else if (ls_is (node, ALLOCATE))
    declare (state, allocate->buffer_var, allocate->dtype, last_of (allocate->extents), LS_POINTER_ALLOCATIONS);
  else if (ls_is (node, ALLOCATE_CONST))
    declare (state, constant->buffer_var, constant->dtype, last_of (constant->extents), LS_POINTER_CONSTANTS);
  else if (ls_is (node, LET_STMT))
    declare_typed (state, ((LsLetStmt *) node)->var, LS_POINTER_BINDINGS);
  else if (ls_is (node, LET))
    declare_typed (state, ((LsLet *) node)->var, LS_POINTER_BINDINGS);
  return LS_WALK_CONTINUE;
}

/* The one base type of all accesses; FALSE: there are several, or none. */
static gboolean
base_type (Pointer *self,
           LsDType *base)
{
  g_autoptr (GArray) bases = g_array_new (FALSE, FALSE, sizeof (LsDType));

  for (guint i = 0; i < self->accessed->len; i++)
    add_type (bases, ls_dtype_element (g_array_index (self->accessed, LsDType, i)));
  for (guint i = 0; i < self->read->len; i++)
    add_type (bases, ls_dtype_element (g_array_index (self->read, LsDType, i)));
  if (bases->len != 1)
    return FALSE;
  *base = g_array_index (bases, LsDType, 0);
  return TRUE;
}

static LsDType
preferred_type (State   *state,
                Pointer *self)
{
  guint lanes = self->element.lanes;
  LsDType base;

  if (!base_type (self, &base))
    return self->element;
  if (lanes == 1 && self->accessed->len == 1)
    {
      guint wanted = g_array_index (self->accessed, LsDType, 0).lanes;

      for (guint i = 0; i < self->read->len; i++)
        if (g_array_index (self->read, LsDType, i).lanes % wanted != 0)
          return self->element;
      if (self->extent == NULL || is_multiple (state, self->extent, wanted))
        lanes = wanted;
    }
  return ls_dtype_with_lanes (base, lanes);
}

static gboolean
decide (State *state,
        guint  kinds)
{
  GHashTableIter iter;
  gpointer value;
  gboolean any = FALSE;

  g_hash_table_iter_init (&iter, state->pointers);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      Pointer *self = value;

      self->preferred = preferred_type (state, self);
      if (ls_dtype_equal (self->preferred, self->element) || !(self->kind & kinds))
        continue;
      self->fresh = ls_pointer_var_new (self->var->name, self->preferred, ls_pointer_scope (self->var));
      any = TRUE;
    }
  return any;
}

/* ---- rewriting -------------------------------------------------------------------------- */

static Pointer *
rewritten (State *state,
           LsVar *var)
{
  Pointer *self = g_hash_table_lookup (state->pointers, var);

  return self != NULL && self->fresh != NULL ? self : NULL;
}

static gint64
factor_of (Pointer *self)
{
  return self->preferred.lanes / MAX (1, self->element.lanes);
}

static LsExpr *
divided (LsExpr *expr,
         gint64  by)
{
  return ls_truncdiv (ls_ref (expr), ls_const_int (ls_dtype (expr), by));
}

static LsArray *
last_divided (LsArray *exprs,
              gint64   by)
{
  g_autoptr (LsExpr) last = divided (last_of (exprs), by);

  return ls_array_with (exprs, exprs->n - 1, last);
}

static LsBuffer *
vector_buffer (State    *state,
               LsBuffer *buffer,
               Pointer  *self)
{
  LsBuffer *known = g_hash_table_lookup (state->buffers, buffer);

  if (known == NULL)
    {
      g_autoptr (LsArray) shape = buffer->shape->n > 0 ? last_divided (buffer->shape, factor_of (self)) : ls_ref (buffer->shape);

      known = ls_buffer_new_full (ls_ref (self->fresh), self->preferred, g_steal_pointer (&shape), ls_ref (buffer->strides), ls_ref (buffer->elem_offset),
                                  buffer->name, buffer->data_alignment, buffer->offset_factor, buffer->buffer_type, ls_ref (buffer->axis_separators));
      g_hash_table_insert (state->buffers, ls_ref (buffer), known);
    }
  return ls_ref (known);
}

/* The index of a vector; *element is set where one element of it is meant. */
static LsArray *
vector_indices (State   *state,
                LsArray *indices,
                Pointer *self,
                gint64  *element)
{
  LsExpr *last = last_of (indices);
  gint64 lanes = last != NULL ? ramp_lanes (last) : 0, factor = factor_of (self);
  g_autoptr (LsExpr) index = NULL;

  if (lanes > 0)
    {
      index = divided (((LsRamp *) last)->base, lanes);
      if (lanes != factor && factor > 0)
        index = ls_ramp_new (ls_mul (g_steal_pointer (&index), ls_const_int (ls_dtype (((LsRamp *) last)->base), lanes / factor)),
                             ls_ref (((LsRamp *) last)->stride), ls_int (lanes / factor));
    }
  else if (last != NULL && ls_dtype (last).lanes == 1 && factor > 1)
    {
      index = divided (last, factor);
      *element = ls_analyzer_modular_set (state->analyzer, last).base % factor;
    }
  return index != NULL ? ls_array_with (indices, indices->n - 1, index) : ls_ref (indices);
}

static LsNode *
rewrite_load (State        *state,
              LsBufferLoad *load,
              Pointer      *self)
{
  gint64 element = -1;
  LsArray *indices = vector_indices (state, load->indices, self, &element);
  LsExpr *vector = ls_buffer_load_new (vector_buffer (state, load->buffer, self), indices, ls_ref (load->predicate));

  return LS_NODE (element < 0 ? vector : ls_shuffle_new (ls_array_of (vector, NULL), ls_array_of (ls_int (element), NULL)));
}

static LsNode *
rewrite_access_ptr (LsCall  *call,
                    Pointer *self)
{
  gint64 factor = factor_of (self);
  LsExpr *type = ls_call_op ("tir.type_annotation", self->preferred, ls_array_empty ());

  return LS_NODE (ls_call_op ("tir.tvm_access_ptr", self->preferred,
                              ls_array_of (type, ls_ref (self->fresh), divided (ls_array_at (call->args, 2, LsExpr), factor),
                                           divided (ls_array_at (call->args, 3, LsExpr), factor), ls_node_ref (call->args->items[4]), NULL)));
}

static LsNode *
rewrite_allocate (LsNode  *node,
                  Pointer *self)
{
  LsAllocate *allocate = (LsAllocate *) node;
  LsAllocateConst *constant = (LsAllocateConst *) node;

  if (ls_is (node, ALLOCATE))
    return LS_NODE (ls_allocate_new (ls_ref (self->fresh), self->preferred, last_divided (allocate->extents, factor_of (self)), ls_ref (allocate->condition),
                                     ls_ref (allocate->body), NULL));
  return LS_NODE (ls_allocate_const_new (ls_ref (self->fresh), ls_ref (constant->data), self->preferred, last_divided (constant->extents, factor_of (self)),
                                         ls_ref (constant->body), ls_ref (constant->annotations)));
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  State *state = user_data;
  LsNode *result = ls_rewrite_default (rewriter, node);
  LsBufferLoad *load = (LsBufferLoad *) result;
  LsBufferStore *store = (LsBufferStore *) result;
  LsCall *call = (LsCall *) result;
  Pointer *self = NULL;
  gint64 element = -1;

  if (ls_is (result, BUFFER_LOAD) && (self = rewritten (state, load->buffer->data)) != NULL)
    ls_take (&result, rewrite_load (state, load, self));
  else if (ls_is (result, BUFFER_STORE) && (self = rewritten (state, store->buffer->data)) != NULL)
    ls_take (&result, LS_NODE (ls_buffer_store_new (vector_buffer (state, store->buffer, self), ls_ref (store->value),
                                                    vector_indices (state, store->indices, self, &element), ls_ref (store->predicate))));
  else if (ls_is_call (result, "tir.tvm_access_ptr") && call->args->n == 5 && ls_is_var (call->args->items[1])
           && (self = rewritten (state, (LsVar *) call->args->items[1])) != NULL)
    ls_take (&result, rewrite_access_ptr (call, self));
  else if (ls_is (result, ALLOCATE) && (self = rewritten (state, ((LsAllocate *) result)->buffer_var)) != NULL)
    ls_take (&result, rewrite_allocate (result, self));
  else if (ls_is (result, ALLOCATE_CONST) && (self = rewritten (state, ((LsAllocateConst *) result)->buffer_var)) != NULL)
    ls_take (&result, rewrite_allocate (result, self));
  return result;
}

static LsWalk
note_views (LsNode   *node,
            gpointer  user_data)
{
  GHashTable *table = user_data;
  LsBuffer *fresh;

  if (!ls_is (node, BUFFER) || g_hash_table_contains (table, node))
    return LS_WALK_CONTINUE;
  fresh = ls_buffer_replace ((LsBuffer *) node, table);
  if (fresh != (LsBuffer *) node)
    g_hash_table_insert (table, node, ls_ref (fresh));
  ls_unref (fresh);
  return LS_WALK_CONTINUE;
}

/* The function with the new pointers wherever the old ones are still named. */
static LsPrimFunc *
finish (State      *state,
        LsPrimFunc *func,
        LsStmt     *body)
{
  g_autoptr (GHashTable) table = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  GPtrArray *params = g_ptr_array_new (), *buffers = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, state->pointers);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    if (((Pointer *) value)->fresh != NULL)
      g_hash_table_insert (table, ((Pointer *) value)->var, ls_ref (((Pointer *) value)->fresh));
  ls_walk (body, note_views, NULL, table);
  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);
      LsNode *param = g_hash_table_lookup (table, func->params->items[i]);
      Pointer *self = buffer != NULL ? rewritten (state, buffer->data) : NULL;

      g_ptr_array_add (params, ls_node_ref (param != NULL ? param : func->params->items[i]));
      g_ptr_array_add (buffers, self != NULL ? vector_buffer (state, buffer, self) : ls_ref (buffer));
    }
  return ls_prim_func_new (ls_array_take_ptr_array (params), (LsStmt *) ls_substitute (body, table), ls_ref (func->ret_type),
                           ls_array_take_ptr_array (buffers), ls_ref (func->attrs));
}

LsPrimFunc *
ls_pointer_value_types (LsPrimFunc *func,
                        guint       kinds,
                        gboolean    shuffles)
{
  g_autoptr (GHashTable) pointers = g_hash_table_new_full (NULL, NULL, NULL, pointer_free);
  g_autoptr (GHashTable) buffers = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, (GDestroyNotify) ls_node_unref);
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  State state = { pointers, buffers, analyzer, shuffles };
  g_autoptr (LsNode) body = NULL;

  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);

      if (buffer != NULL)
        declare (&state, buffer->data, buffer->dtype, last_of (buffer->shape), LS_POINTER_PARAMS);
      else
        declare_typed (&state, ls_array_at (func->params, i, LsVar), LS_POINTER_PARAMS);
    }
  ls_walk (func->body, note, NULL, &state);
  if (!decide (&state, kinds))
    return ls_ref (func);
  body = ls_rewrite_with (func->body, filter, &state);
  return finish (&state, func, body);
}

LsPrimFunc *
ls_pass_pointer_value_type_rewrite (LsPrimFunc  *func,
                                    GError     **error)
{
  return ls_pointer_value_types (func, LS_POINTER_ALL, TRUE);
}
