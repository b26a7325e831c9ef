/* StorageRewrite: allocations share memory where their lives do not overlap, and move to the begin of their scope.
 *
 *     for i: B = T.allocate ([8]); B[...] = ...          B = T.allocate ([8])
 *     for i: C = T.allocate ([8]); C[...] = ...     ->   for i: B[...] = ...
 *                                                        for i: C_1[...] = ...          (a view of B's memory)
 *
 * storage-plan.c says which allocation lies where.  A place gets one allocation: that of its first user where all agree, else one
 * of as many bits as the largest needs.  Memory with a tag of its own (local.L0A) is one allocation, its places behind each other
 * at multiples of 32 bits.  Allocations that nobody uses go.  Then pointers that are only accessed by vectors become pointers to
 * vectors (pointer-value-type.c).  The option tir.merge_static_smem leaves shared memory to MergeSharedMemoryAllocations.
 * Descriptions of memories by registered functions are not asked.  Source of the concept: TVM's pass of the same name. */
#include "engine/arith/arith.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"
#include "engine/tir/pass/pointer-value-type.h"
#include "engine/tir/pass/storage.h"

#include <string.h>

#define ALIGNMENT 32u

typedef struct {
  LsLiveness    *liveness;
  LsStoragePlan *plan;
  GHashTable    *buffers;       /* Buffer -> Buffer in its place; owned */
  GHashTable    *declared;      /* Buffers whose declaration stands at the allocation */
  LsAnalyzer    *analyzer;
  GError        *error;
} State;

static LsBuffer *
buffer_in (State    *state,
           LsBuffer *buffer,
           LsVar    *data)
{
  LsBuffer *known = g_hash_table_lookup (state->buffers, buffer);

  if (known == NULL)
    {
      known = ls_buffer_new_full (ls_ref (data), buffer->dtype, ls_ref (buffer->shape), ls_ref (buffer->strides), ls_ref (buffer->elem_offset), data->name,
                                  buffer->data_alignment, buffer->offset_factor, buffer->buffer_type, ls_ref (buffer->axis_separators));
      g_hash_table_insert (state->buffers, ls_ref (buffer), known);
    }
  return ls_ref (known);
}

/* ---- the allocations -------------------------------------------------------------------- */

static gboolean
are_identical (LsStoragePlace *place)
{
  LsAllocate *first = place->allocations->pdata[0];

  for (guint i = 1; i < place->allocations->len; i++)
    {
      LsAllocate *other = place->allocations->pdata[i];

      if (!ls_dtype_equal (first->dtype, other->dtype) || first->extents->n != other->extents->n || !ls_deep_equal (first->extents, other->extents))
        return FALSE;
    }
  return TRUE;
}

static void
add_allocation (LsStoragePlace *place,
                LsDType         dtype,
                LsArray        *extents,
                LsExpr         *condition)
{
  g_ptr_array_add (place->nest, ls_allocate_new (ls_ref (place->var), dtype, extents, condition, ls_evaluate_zero (), NULL));
}

static void
allocate_first (State          *state,
                LsStoragePlace *place,
                LsDType         dtype)
{
  LsAllocate *first = place->allocations->pdata[0];
  LsDeclBuffer *declared = (LsDeclBuffer *) first->body;

  add_allocation (place, dtype, ls_ref (first->extents), ls_ref (first->condition));
  if (!ls_is (declared, DECL_BUFFER))
    return;
  g_ptr_array_add (place->nest, ls_decl_buffer_new (buffer_in (state, declared->buffer, place->var), ls_evaluate_zero ()));
  g_hash_table_add (state->declared, declared->buffer);
}

/* Bits that an allocation needs; wider than 32 bits where they could overflow, as those of any number of elements may. */
static LsExpr *
bits_expr (LsAllocate *allocate)
{
  gint64 unit = (gint64) allocate->dtype.bits * allocate->dtype.lanes, extent;
  LsExpr *size = ls_array_at (allocate->extents, 0, LsExpr);

  if (ls_as_int (size, &extent))
    size = extent > G_MAXINT32 / unit ? ls_const_int (LS_INT64, extent) : ls_ref (size);
  else
    size = ls_cast (LS_INT64, ls_ref (size));
  return ls_mul (size, ls_const_int (ls_dtype (size), unit));
}

static void
allocate_largest (State          *state,
                  LsStoragePlace *place,
                  LsDType         dtype)
{
  gint64 unit = (gint64) dtype.bits * dtype.lanes;
  g_autoptr (LsExpr) bits = bits_expr (place->allocations->pdata[0]);
  g_autoptr (LsExpr) rest = NULL;
  g_autoptr (LsExpr) zero = NULL;

  for (guint i = 1; i < place->allocations->len; i++)
    ls_take (&bits, ls_max (ls_ref (bits), bits_expr (place->allocations->pdata[i])));
  rest = ls_floormod (ls_ref (bits), ls_const_int (ls_dtype (bits), unit));
  zero = ls_eq (ls_ref (rest), ls_const_int (ls_dtype (rest), 0));
  ls_take (&bits, ls_floordiv (ls_ref (bits), ls_const_int (ls_dtype (bits), unit)));
  if (!ls_analyzer_can_prove (state->analyzer, zero))
    ls_take (&bits, ls_add (ls_ref (bits), ls_const_int (ls_dtype (bits), 1)));
  add_allocation (place, dtype, ls_array_of (ls_analyzer_simplify (state->analyzer, bits), NULL), ls_bool (TRUE));
}

static guint64
aligned (guint64 bits)
{
  return (bits + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static void
allocate_merged (LsStoragePlace *place)
{
  LsAllocate *first = place->allocations->pdata[0];
  guint64 total = aligned (place->bits), unit = (guint64) place->element.bits * place->element.lanes;

  for (guint i = 0; i < place->children->len; i++)
    {
      LsStoragePlace *child = place->children->pdata[i];

      child->offset = total;
      child->var = place->var;
      total = aligned (total + child->bits);
    }
  add_allocation (place, place->element, ls_array_of (ls_const_int (ls_dtype (first->extents->items[0]), (gint64) ((total + unit - 1) / unit)), NULL), ls_bool (TRUE));
}

static void
allocate_place (State          *state,
                LsStoragePlace *place)
{
  LsAllocate *first = place->allocations->pdata[0];
  LsDType dtype = first->dtype;

  if (place->offset > 0)
    return;
  place->var = first->buffer_var;
  if (place->children->len > 0)
    {
      allocate_merged (place);
      return;
    }
  for (guint i = 1; i < place->allocations->len; i++)
    if (((LsAllocate *) place->allocations->pdata[i])->dtype.lanes > dtype.lanes)
      dtype = ((LsAllocate *) place->allocations->pdata[i])->dtype;
  if (are_identical (place))
    allocate_first (state, place, dtype);
  else
    allocate_largest (state, place, dtype);
}

/* Puts a place with a tag of its own behind the first one of that memory. */
static void
merge_special (State *state,
               guint  i)
{
  LsStoragePlace *place = state->plan->places->pdata[i];

  if (place->bits == 0 && state->error == NULL)
    g_set_error (&state->error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("An allocation in %s has a constant size."), place->name);
  for (guint k = 0; k < i; k++)
    {
      LsStoragePlace *other = state->plan->places->pdata[k];

      if (other->scope == place->scope && strcmp (other->name, place->name) == 0)
        {
          g_ptr_array_add (other->children, place);
          return;
        }
    }
}

static void
allocate_places (State *state)
{
  for (guint i = 0; i < state->plan->places->len; i++)
    if (ls_storage_is_special (state->plan->places->pdata[i]))
      merge_special (state, i);
  for (guint i = 0; i < state->plan->places->len && state->error == NULL; i++)
    allocate_place (state, state->plan->places->pdata[i]);
}

/* ---- the program -------------------------------------------------------------------------- */

/* The allocations that stand at the begin of a scope, around a body.  Takes the body. */
static LsStmt *
attach (State   *state,
        gpointer scope,
        LsStmt  *body)
{
  for (guint i = state->plan->places->len; i-- > 0;)
    {
      LsStoragePlace *place = state->plan->places->pdata[i];

      for (guint k = place->scope == scope ? place->nest->len : 0; k-- > 0;)
        {
          LsNode *node = place->nest->pdata[k];
          LsAllocate *allocate = (LsAllocate *) node;

          body = ls_is (node, ALLOCATE) ? ls_allocate_new (ls_ref (allocate->buffer_var), allocate->dtype, ls_ref (allocate->extents),
                                                           ls_ref (allocate->condition), body, NULL)
                                        : ls_decl_buffer_new (ls_ref (((LsDeclBuffer *) node)->buffer), body);
        }
    }
  return body;
}

static LsArray *
shifted (LsBuffer       *buffer,
         LsArray        *indices,
         LsStoragePlace *place)
{
  LsExpr *last = ls_array_at (indices, indices->n - 1, LsExpr);
  g_autoptr (LsExpr) moved = NULL;

  if (place->offset == 0)
    return ls_ref (indices);
  moved = ls_add (ls_const_int (ls_dtype (last), (gint64) (place->offset / buffer->dtype.bits)), ls_ref (last));
  return ls_array_with (indices, indices->n - 1, moved);
}

static LsNode *
rewrite_access (State  *state,
                LsNode *node)
{
  LsBufferStore *store = ls_is (node, BUFFER_STORE) ? (LsBufferStore *) node : NULL;
  LsBufferLoad *load = ls_is (node, BUFFER_LOAD) ? (LsBufferLoad *) node : NULL;
  LsBuffer *buffer = store != NULL ? store->buffer : load->buffer;
  LsStoragePlace *place = g_hash_table_lookup (state->plan->by_var, buffer->data);

  if (place == NULL)
    return node;
  if (store != NULL)
    ls_take (&node, LS_NODE (ls_buffer_store_new (buffer_in (state, buffer, place->var), ls_ref (store->value), shifted (buffer, store->indices, place),
                                                  ls_ref (store->predicate))));
  else
    ls_take (&node, LS_NODE (ls_buffer_load_new (buffer_in (state, buffer, place->var), shifted (buffer, load->indices, place), ls_ref (load->predicate))));
  return node;
}

static LsNode *
rewrite_pointer (LsRewriter     *rewriter,
                 LsCall         *call,
                 LsStoragePlace *place)
{
  LsDType type = ls_dtype (call->args->items[0]);
  LsExpr *offset = (LsExpr *) ls_rewrite (rewriter, call->args->items[2]), *extent = (LsExpr *) ls_rewrite (rewriter, call->args->items[3]);

  if (place->offset > 0)
    offset = ls_add (ls_const_int (ls_dtype (offset), (gint64) (place->offset / ((guint64) type.bits * type.lanes))), offset);
  return LS_NODE (ls_call_new (ls_dtype (call), ls_node_ref (call->op),
                               ls_array_of (ls_node_ref (call->args->items[0]), ls_ref (place->var), offset, extent, ls_node_ref (call->args->items[4]), NULL)));
}

static LsNode *
rewrite_declaration (LsRewriter   *rewriter,
                     State        *state,
                     LsDeclBuffer *decl)
{
  LsStoragePlace *place = g_hash_table_lookup (state->plan->by_var, decl->buffer->data);
  LsStmt *body = (LsStmt *) ls_rewrite (rewriter, decl->body);

  if (g_hash_table_contains (state->declared, decl->buffer) || !g_hash_table_contains (state->liveness->accessed, decl->buffer))
    return LS_NODE (body);
  return LS_NODE (ls_decl_buffer_new (place != NULL ? buffer_in (state, decl->buffer, place->var) : ls_ref (decl->buffer), body));
}

static LsNode *
rewrite_scope (LsRewriter *rewriter,
               State      *state,
               LsNode     *node)
{
  LsNode *result;
  LsStmt *body;
  LsAttrStmt *attr;

  result = ls_rewrite_default (rewriter, node);
  attr = (LsAttrStmt *) result;
  body = attach (state, node, ls_ref (ls_is (result, FOR) ? ((LsFor *) result)->body : attr->body));
  if (body == (ls_is (result, FOR) ? ((LsFor *) result)->body : attr->body))
    {
      ls_unref (body);
      return result;
    }
  if (ls_is (result, FOR))
    {
      ls_take (&result, LS_NODE (ls_for_with_body ((LsFor *) result, body)));
      ls_unref (body);
    }
  else
    ls_take (&result, LS_NODE (ls_attr_stmt_new (ls_node_ref (attr->subject), attr->attr_key, ls_ref (attr->value), body)));
  return result;
}

/* An allocation goes from where it stands: to its place, or for good where nobody uses it. */
static gboolean
is_moved (State *state,
          LsVar *var)
{
  LsLiveAllocation *allocation = g_hash_table_lookup (state->liveness->allocations, var);

  return g_hash_table_contains (state->plan->by_var, var) || (allocation != NULL && !allocation->used);
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  State *state = user_data;
  LsCall *call = (LsCall *) node;
  LsStoragePlace *place;

  if (ls_is_var (node))
    {
      place = g_hash_table_lookup (state->plan->by_var, node);
      return ls_node_ref (place != NULL ? LS_NODE (place->var) : node);
    }
  if (ls_is (node, ALLOCATE) && is_moved (state, ((LsAllocate *) node)->buffer_var))
    return ls_rewrite (rewriter, ((LsAllocate *) node)->body);
  if (ls_is (node, DECL_BUFFER))
    return rewrite_declaration (rewriter, state, (LsDeclBuffer *) node);
  if (ls_is (node, FOR) || ls_is (node, ATTR_STMT))
    return rewrite_scope (rewriter, state, node);
  if (ls_is (node, BUFFER_STORE) || ls_is (node, BUFFER_LOAD))
    return rewrite_access (state, ls_rewrite_default (rewriter, node));
  if (ls_is_call (node, "tir.tvm_access_ptr") && call->args->n == 5)
    {
      place = g_hash_table_lookup (state->plan->by_var, call->args->items[1]);
      if (place != NULL)
        return rewrite_pointer (rewriter, call, place);
    }
  return ls_rewrite_default (rewriter, node);
}

LsPrimFunc *
ls_pass_storage_rewrite (LsPrimFunc  *func,
                         LsMap       *options,
                         GError     **error)
{
  g_autoptr (LsLiveness) liveness = ls_liveness_new (func->body, NULL);
  const char *kind = ls_target_kind (ls_map_get (func->attrs, "target"));
  g_autoptr (LsStoragePlan) plan = ls_storage_plan_new (liveness, ls_pass_option (options, "tir.merge_static_smem", 0) == 0,
                                                        strcmp (kind, "vulkan") == 0 || strcmp (kind, "webgpu") == 0);
  g_autoptr (GHashTable) buffers = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, (GDestroyNotify) ls_node_unref);
  g_autoptr (GHashTable) declared = g_hash_table_new (NULL, NULL);
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  State state = { liveness, plan, buffers, declared, analyzer, NULL };
  g_autoptr (LsNode) body = NULL;
  g_autoptr (LsPrimFunc) result = NULL;

  allocate_places (&state);
  if (state.error != NULL)
    {
      g_propagate_error (error, state.error);
      return NULL;
    }
  body = attach (&state, NULL, ls_rewrite_with (func->body, filter, &state));
  result = ls_pass_with_body (func, body);
  return ls_pointer_value_types (result, LS_POINTER_ALLOCATIONS | LS_POINTER_BINDINGS, FALSE);
}
