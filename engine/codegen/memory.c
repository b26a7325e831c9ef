/* memory: where a buffer's elements are, loads and stores, and which of them cannot be the same.
 *
 * A vector access whose lanes follow each other is one vector load or store; lanes at a known distance are picked one by one; a
 * predicate makes it a masked access.  Each data pointer of a function with tir.noalias is a scope of its own
 * (LLVM's alias.scope and noalias metadata), which holds in outlined parallel bodies too; pointers that the program computes
 * itself belong to no scope and may be anything.
 */
#include "engine/codegen/codegen-private.h"

#include "engine/arith/analyzer.h"
#include "engine/tir/pass/parts.h"

#include <string.h>

/* ---- scopes --------------------------------------------------------------- */

static LLVMMetadataRef
distinct (LsCg            *cg,
          LLVMMetadataRef  parent)
{
  LLVMMetadataRef temporary = LLVMTemporaryMDNode (cg->context, NULL, 0);
  LLVMMetadataRef fields[2] = { temporary, parent };
  LLVMMetadataRef node = LLVMMDNodeInContext2 (cg->context, fields, parent != NULL ? 2 : 1);

  LLVMMetadataReplaceAllUsesWith (temporary, node);
  return node;
}

typedef struct {
  LsCg           *cg;
  LLVMMetadataRef domain;
} ScopeFinder;

static void
add_scope (ScopeFinder *self,
           LsVar       *data,
           guint        number)
{
  LsCg *cg = self->cg;

  if (g_hash_table_contains (cg->scopes, data))
    return;
  if (number == 0)
    {
      g_ptr_array_add (cg->scope_nodes, distinct (cg, self->domain));
      number = cg->scope_nodes->len;
    }
  g_hash_table_insert (cg->scopes, data, GUINT_TO_POINTER (number));
}

static LsWalk
find_scopes (LsNode  *node,
             gpointer data)
{
  if (ls_is (node, ALLOCATE))
    add_scope (data, ((LsAllocate *) node)->buffer_var, 0);
  else if (ls_is (node, ALLOCATE_CONST))
    add_scope (data, ((LsAllocateConst *) node)->buffer_var, 0);
  else if (ls_is (node, BLOCK))
    for (guint i = 0; i < ((LsBlock *) node)->alloc_buffers->n; i++)
      add_scope (data, ls_array_at (((LsBlock *) node)->alloc_buffers, i, LsBuffer)->data, 0);
  return ls_is_expr (node) ? LS_WALK_PRUNE : LS_WALK_CONTINUE;
}

void
ls_cg_scopes_init (LsCg       *cg,
                   LsPrimFunc *func)
{
  ScopeFinder self = { cg, distinct (cg, NULL) };
  gint64 noalias = 0;
  gboolean separate = ls_as_int (ls_map_get (func->attrs, "tir.noalias"), &noalias) && noalias != 0;
  guint shared = 0;

  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);
      LsVar *data = buffer != NULL ? buffer->data : ls_array_at (func->params, i, LsVar);

      if (ls_dtype (data).code != LS_TYPE_HANDLE)
        continue;
      add_scope (&self, data, separate ? 0 : shared);
      shared = cg->scope_nodes->len > 0 ? 1 : 0;
    }
  ls_walk (func->body, find_scopes, NULL, &self);
}

void
ls_cg_scopes_clear (LsCg *cg)
{
  g_hash_table_remove_all (cg->scopes);
  g_ptr_array_set_size (cg->scope_nodes, 0);
}

static void
set_metadata (LsCg            *cg,
              LLVMValueRef     access,
              const char      *kind,
              LLVMMetadataRef *nodes,
              guint            n)
{
  if (n > 0)
    LLVMSetMetadata (access, LLVMGetMDKindIDInContext (cg->context, kind, (unsigned) strlen (kind)),
                     LLVMMetadataAsValue (cg->context, LLVMMDNodeInContext2 (cg->context, nodes, n)));
}

static void
mark_scope (LsCg        *cg,
            LLVMValueRef access,
            LsVar       *data)
{
  guint own = GPOINTER_TO_UINT (g_hash_table_lookup (cg->scopes, data));
  g_autofree LLVMMetadataRef *others = NULL;
  guint n = 0;

  if (own == 0 || cg->scope_nodes->len > 64)
    return;
  others = g_new (LLVMMetadataRef, cg->scope_nodes->len);
  for (guint i = 0; i < cg->scope_nodes->len; i++)
    if (i + 1 != own)
      others[n++] = cg->scope_nodes->pdata[i];
  set_metadata (cg, access, "alias.scope", (LLVMMetadataRef *) &cg->scope_nodes->pdata[own - 1], 1);
  set_metadata (cg, access, "noalias", others, n);
}

/* ---- buffers -------------------------------------------------------------- */

LLVMValueRef
ls_cg_data (LsCg     *cg,
            LsBuffer *buffer)
{
  LLVMValueRef data = g_hash_table_lookup (cg->values, buffer->data);

  if (data != NULL)
    return data;
  ls_cg_fail (cg, LS_CODEGEN_ERROR_PROGRAM, "The buffer %s is used where it is not defined.", buffer->name);
  return LLVMGetUndef (cg->ptr);
}

LLVMValueRef
ls_cg_buffer_offset (LsCg     *cg,
                     LsBuffer *buffer)
{
  LsCgView *view = g_hash_table_lookup (cg->views, buffer);

  return view != NULL ? view->offset : ls_cg_index (cg, buffer->elem_offset);
}

LLVMValueRef
ls_cg_buffer_stride (LsCg     *cg,
                     LsBuffer *buffer,
                     guint     dim)
{
  LsCgView *view = g_hash_table_lookup (cg->views, buffer);
  LLVMValueRef stride;

  if (view != NULL && dim < view->n)
    return view->strides[dim];
  if (ls_buffer_has_strides (buffer))
    return ls_cg_index (cg, ls_array_at (buffer->strides, dim, LsExpr));
  stride = ls_cg_i64 (cg, 1);
  for (guint i = dim + 1; i < buffer->shape->n; i++)
    stride = LLVMBuildNSWMul (cg->builder, stride, ls_cg_index (cg, ls_array_at (buffer->shape, i, LsExpr)), "");
  return stride;
}

/* Is the index base + lane * stride with a constant stride? */
static gboolean
is_ramp (LsExpr *index)
{
  gint64 stride;

  if (ls_dtype (index).lanes <= 1)
    return TRUE;
  if (ls_is (index, RAMP))
    return ls_dtype (((LsRamp *) index)->base).lanes == 1 && ls_as_int (((LsRamp *) index)->stride, &stride);
  if (ls_is (index, BROADCAST))
    return ls_dtype (((LsBroadcast *) index)->value).lanes == 1;
  return (ls_is (index, ADD) || ls_is (index, SUB)) && is_ramp (((LsBinary *) index)->a) && is_ramp (((LsBinary *) index)->b);
}

/* The base of such an index, and its stride. */
static LLVMValueRef
ramp_base (LsCg   *cg,
           LsExpr *index,
           gint64 *stride)
{
  LsBinary *sum = (LsBinary *) index;
  LLVMValueRef left, right;
  gint64 other = 0;

  *stride = 0;
  if (ls_dtype (index).lanes <= 1)
    return ls_cg_index (cg, index);
  if (ls_is (index, RAMP))
    {
      ls_as_int (((LsRamp *) index)->stride, stride);
      return ls_cg_index (cg, ((LsRamp *) index)->base);
    }
  if (ls_is (index, BROADCAST))
    return ls_cg_index (cg, ((LsBroadcast *) index)->value);
  left = ramp_base (cg, sum->a, stride);
  right = ramp_base (cg, sum->b, &other);
  *stride += ls_is (index, ADD) ? other : -other;
  return ls_is (index, ADD) ? LLVMBuildNSWAdd (cg->builder, left, right, "") : LLVMBuildNSWSub (cg->builder, left, right, "");
}

/* Lane number `lane` of base + lane * step. */
static LLVMValueRef
ramp_lane (LsCg        *cg,
           LLVMValueRef base,
           gint64       step,
           guint        lane)
{
  return step == 0 || lane == 0 ? base : LLVMBuildAdd (cg->builder, base, ls_cg_i64 (cg, step * (gint64) lane), "");
}

/* Adds the part of one dimension to the address; `checked`: after a look at the index, which is computed once for both, since an index that is
 * loaded by an index that is loaded would be twice the code with each of them. */
static void
add_dimension (LsCg        *cg,
               LsCgAddress *address,
               LsBuffer    *buffer,
               guint        dim,
               LsExpr      *index,
               gboolean     checked)
{
  guint lanes = ls_dtype (index).lanes;
  gboolean ramp = is_ramp (index);
  gint64 step = 0;
  LLVMValueRef v = ramp ? ramp_base (cg, index, &step) : ls_cg_index (cg, index);
  LLVMValueRef extent = checked ? ls_cg_index (cg, ls_array_at (buffer->shape, dim, LsExpr)) : NULL;
  LLVMValueRef stride, more;
  gboolean scalable = ls_dtype_is_scalable (ls_dtype (index));

  for (guint lane = 0; checked && lane < ((ramp && step == 0) || scalable ? 1 : lanes); lane++)
    ls_cg_check_index (cg, buffer, dim, ramp ? ramp_lane (cg, v, step, lane) : ls_cg_extract (cg, v, lane), extent);
  stride = ls_cg_buffer_stride (cg, buffer, dim);
  if (ramp && (step == 0 || LLVMIsAConstantInt (stride) != NULL))
    {
      address->base = LLVMBuildNSWAdd (cg->builder, address->base, LLVMBuildNSWMul (cg->builder, v, stride, ""), "");
      if (step != 0)
        address->stride += step * LLVMConstIntGetSExtValue (stride);
      return;
    }
  if (scalable)
    {
      ls_cg_fail (cg, LS_CODEGEN_ERROR_UNSUPPORTED, "%s is accessed by a vector of %s; lanes whose number is known only when they run lie one beside the other.",
                  buffer->name, ls_dtype_name (ls_dtype (index)));
      return;
    }
  if (ramp)
    {
      g_autofree LLVMValueRef *steps = g_new (LLVMValueRef, lanes);

      for (guint lane = 0; lane < lanes; lane++)
        steps[lane] = ls_cg_i64 (cg, step * (gint64) lane);
      v = LLVMBuildAdd (cg->builder, ls_cg_splat (cg, v, lanes), LLVMConstVector (steps, lanes), "");
    }
  more = LLVMBuildMul (cg->builder, v, ls_cg_splat (cg, stride, address->lanes), "");
  address->offsets = address->offsets == NULL ? more : LLVMBuildAdd (cg->builder, address->offsets, more, "");
}

static LsWalk
look_for_data (LsNode   *node,
               gpointer  user_data)
{
  LsCg *cg = user_data;

  return ls_is (node, BUFFER_LOAD) || g_hash_table_contains (cg->is_data, node) ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

/* Does a value come from memory? Then nobody has shown that it lies inside of a buffer. */
gboolean
ls_cg_is_data (LsCg   *cg,
               LsExpr *expr)
{
  if ((LS_NODE (expr)->facts & LS_FACT_HAS_LOAD) == 0 && g_hash_table_size (cg->is_data) == 0)
    return FALSE;
  return !ls_walk (expr, look_for_data, NULL, cg);
}

static LsCgAddress
address_of (LsCg     *cg,
            LsBuffer *buffer,
            LsArray  *indices,
            gboolean  checked)
{
  LsCgAddress address = { ls_cg_buffer_offset (cg, buffer), 0, NULL, 1 };
  gboolean is_compared;

  if (indices->n != buffer->shape->n)
    {
      ls_cg_fail (cg, LS_CODEGEN_ERROR_PROGRAM, "%s has %u dimensions and is accessed with %u indices.", buffer->name, buffer->shape->n, indices->n);
      return address;
    }
  for (guint i = 0; i < indices->n; i++)
    address.lanes = MAX (address.lanes, ls_dtype (indices->items[i]).lanes);
  is_compared = checked && (cg->options->check_bounds || g_hash_table_contains (cg->leaves, indices));
  for (guint i = 0; i < indices->n; i++)
    {
      LsExpr *index = ls_array_at (indices, i, LsExpr);

      add_dimension (cg, &address, buffer, i, index, is_compared || (checked && ls_cg_is_data (cg, index)));
    }
  return address;
}

LLVMValueRef
ls_cg_element_of (LsCg     *cg,
                  LsBuffer *buffer,
                  LsArray  *indices)
{
  LsCgAddress address = address_of (cg, buffer, indices, TRUE);

  if (address.offsets == NULL)
    return address.base;
  return LLVMBuildAdd (cg->builder, address.base, ls_cg_extract (cg, address.offsets, 0), "");
}

LLVMValueRef
ls_cg_pointer (LsCg        *cg,
               LsBuffer    *buffer,
               LLVMValueRef element)
{
  return LLVMBuildInBoundsGEP2 (cg->builder, ls_cg_memory_type (cg, buffer->dtype), ls_cg_data (cg, buffer), &element, 1, "");
}

static LLVMValueRef
lane_pointer (LsCg        *cg,
              LsBuffer    *buffer,
              LsCgAddress *address,
              guint        lane)
{
  LLVMValueRef element = address->base;

  if (address->stride != 0 && lane > 0)
    element = LLVMBuildNSWAdd (cg->builder, element, ls_cg_i64 (cg, address->stride * (gint64) lane), "");
  if (address->offsets != NULL)
    element = LLVMBuildAdd (cg->builder, element, ls_cg_extract (cg, address->offsets, lane), "");
  return ls_cg_pointer (cg, buffer, element);
}

guint
ls_cg_alignment (LsDType t)
{
  guint bytes = (t.bits + 7u) / 8u;

  return MIN (bytes & -bytes, 8);
}

/* A GPU takes a vector with one instruction only from a multiple of its size.  Says so of an access (a load or store of `bytes`) of global or shared
 * memory where the index is one; arrays there begin at multiples of 16 bytes. */
static void
tell_alignment (LsCg         *cg,
                LsBuffer     *buffer,
                LsArray      *indices,
                guint         lanes,
                LLVMValueRef  access)
{
  LsRamp *ramp = indices->n == 1 && ls_is (indices->items[0], RAMP) ? (LsRamp *) indices->items[0] : NULL;
  guint bytes = lanes * ((buffer->dtype.bits + 7u) / 8u);
  g_autoptr (LsAnalyzer) analyzer = NULL;
  LsModularSet set;

  if (!cg->target->is_device || ramp == NULL || buffer->dtype.lanes > 1 || (bytes != 8 && bytes != 16) || strcmp (ls_pointer_scope (buffer->data), "local") == 0
      || (buffer->elem_offset != NULL && !ls_is_zero (buffer->elem_offset)))
    return;
  analyzer = ls_analyzer_new ();
  set = ls_analyzer_modular_set (analyzer, ramp->base);
  if (set.coeff % lanes == 0 && set.base % lanes == 0)
    LLVMSetAlignment (access, bytes);
}

/* ---- loads ------------------------------------------------------------------ */

/* LLVM finds out by itself that a pointer is to shared memory, but for AMD's GPUs it leaves volatile accesses as they are: these say it. */
static LLVMValueRef
volatile_pointer (LsCg        *cg,
                  LsBuffer    *buffer,
                  LLVMValueRef pointer)
{
  return cg->target->is_device && g_str_has_prefix (ls_pointer_scope (buffer->data), "shared") ? ls_cg_device_shared_pointer (cg, pointer) : pointer;
}

static LLVMValueRef
plain_load (LsCg        *cg,
            LsBuffer    *buffer,
            LsDType      t,
            LLVMValueRef pointer)
{
  gboolean is_volatile = g_hash_table_contains (cg->is_volatile, buffer->data);
  LLVMValueRef load = LLVMBuildLoad2 (cg->builder, ls_cg_memory_type (cg, t), is_volatile ? volatile_pointer (cg, buffer, pointer) : pointer, "");

  LLVMSetAlignment (load, ls_cg_alignment (t));
  LLVMSetVolatile (load, is_volatile);
  mark_scope (cg, load, buffer->data);
  return load;
}

static LLVMValueRef
masked_load (LsCg        *cg,
             LsBuffer    *buffer,
             LsDType      t,
             LLVMValueRef pointer,
             LLVMValueRef mask)
{
  LLVMTypeRef type = ls_cg_memory_type (cg, t);
  LLVMTypeRef overload[2] = { type, cg->ptr };
  LLVMValueRef args[4] = { pointer, ls_cg_i32 (cg, ls_cg_alignment (t)), mask, LLVMConstNull (type) };
  LLVMValueRef load = ls_cg_intrinsic (cg, "llvm.masked.load", overload, 2, args, 4);

  mark_scope (cg, load, buffer->data);
  return load;
}

/* One lane, or a 0 where its mask says no. */
static LLVMValueRef
guarded_load (LsCg        *cg,
              LsBuffer    *buffer,
              LLVMValueRef pointer,
              LLVMValueRef condition)
{
  LLVMBasicBlockRef blocks[2] = { LLVMGetInsertBlock (cg->builder), ls_cg_block (cg, "load") };
  LLVMBasicBlockRef join = ls_cg_block (cg, "join");
  LLVMTypeRef type = ls_cg_memory_type (cg, buffer->dtype);
  LLVMValueRef values[2] = { LLVMConstNull (type), NULL };
  LLVMValueRef phi;

  LLVMBuildCondBr (cg->builder, condition, blocks[1], join);
  ls_cg_at (cg, blocks[1]);
  values[1] = plain_load (cg, buffer, buffer->dtype, pointer);
  LLVMBuildBr (cg->builder, join);
  ls_cg_at (cg, join);
  phi = LLVMBuildPhi (cg->builder, type, "");
  LLVMAddIncoming (phi, values, blocks, 2);
  return phi;
}

static LLVMValueRef
reversed (LsCg        *cg,
          LLVMValueRef v,
          guint        lanes)
{
  g_autofree LLVMValueRef *mask = g_new (LLVMValueRef, lanes);

  for (guint i = 0; i < lanes; i++)
    mask[i] = ls_cg_i32 (cg, lanes - 1 - i);
  return LLVMBuildShuffleVector (cg->builder, v, LLVMGetPoison (LLVMTypeOf (v)), LLVMConstVector (mask, lanes), "");
}

/* Puts element `part` (one or more lanes) of the result in its place. */
static LLVMValueRef
put_part (LsCg        *cg,
          LLVMValueRef out,
          LLVMValueRef part,
          guint        at,
          guint        inner)
{
  if (inner <= 1)
    return ls_cg_insert (cg, out, part, at);
  for (guint i = 0; i < inner; i++)
    out = ls_cg_insert (cg, out, ls_cg_extract (cg, part, i), at * inner + i);
  return out;
}

static LLVMValueRef
load_lanes (LsCg        *cg,
            LsBuffer    *buffer,
            LsDType      t,
            LsCgAddress *address,
            LLVMValueRef mask)
{
  guint inner = MAX (buffer->dtype.lanes, 1);
  LLVMValueRef out = LLVMGetPoison (ls_cg_memory_type (cg, t));

  for (guint lane = 0; lane < address->lanes; lane++)
    {
      LLVMValueRef pointer = lane_pointer (cg, buffer, address, lane);
      LLVMValueRef part = mask == NULL ? plain_load (cg, buffer, buffer->dtype, pointer)
                                       : guarded_load (cg, buffer, pointer, ls_cg_extract (cg, mask, lane));

      out = put_part (cg, out, part, lane, inner);
    }
  return out;
}

/* Would lanes have to be taken one by one that nobody can count? `each_once`: also those of one element, which a load spreads. */
static gboolean
is_uncountable (LsCg        *cg,
                LsBuffer    *buffer,
                LsCgAddress *address,
                gboolean     each_once)
{
  gboolean wrong = ls_dtype_is_scalable (ls_dtype_with_lanes (LS_INT32, address->lanes))
                   && (address->offsets != NULL || (address->stride != 1 && (each_once || address->stride != 0)) || buffer->dtype.lanes > 1);

  if (wrong)
    ls_cg_fail (cg, LS_CODEGEN_ERROR_UNSUPPORTED, "Elements of %s that do not lie one beside the other are accessed by a vector whose length is known only when it runs.",
                buffer->name);
  return wrong;
}

LLVMValueRef
ls_cg_load (LsCg         *cg,
            LsBufferLoad *load)
{
  LsBuffer *buffer = load->buffer;
  LsDType t = ls_dtype (load);
  LsCgAddress address = address_of (cg, buffer, load->indices, load->predicate == NULL);
  LLVMValueRef mask = load->predicate != NULL ? ls_cg_truth (cg, load->predicate) : NULL;
  guint inner = MAX (buffer->dtype.lanes, 1);
  LLVMValueRef v;

  if (mask != NULL && g_hash_table_contains (cg->is_volatile, buffer->data))
    ls_cg_fail (cg, LS_CODEGEN_ERROR_UNSUPPORTED, "The masked load intrinsic does not support declaring load as volatile.");
  if (cg->error != NULL || is_uncountable (cg, buffer, &address, mask != NULL))
    return ls_cg_none (cg, t);
  t.lanes = (guint16) (address.lanes * inner);
  if (mask != NULL)
    mask = ls_cg_splat (cg, mask, address.lanes);
  if (address.lanes == 1)
    {
      LLVMValueRef pointer = lane_pointer (cg, buffer, &address, 0);

      v = mask != NULL ? guarded_load (cg, buffer, pointer, mask) : plain_load (cg, buffer, t, pointer);
    }
  else if (address.offsets == NULL && address.stride == 1 && (mask == NULL || inner == 1))
    {
      LLVMValueRef pointer = lane_pointer (cg, buffer, &address, 0);

      v = mask != NULL ? masked_load (cg, buffer, t, pointer, mask) : plain_load (cg, buffer, t, pointer);
      if (mask == NULL)
        tell_alignment (cg, buffer, load->indices, t.lanes, v);
    }
  else if (address.offsets == NULL && address.stride == 0 && mask == NULL && inner == 1)
    v = ls_cg_splat (cg, plain_load (cg, buffer, buffer->dtype, lane_pointer (cg, buffer, &address, 0)), address.lanes);
  else if (address.offsets == NULL && address.stride == -1 && mask == NULL && inner == 1)
    v = reversed (cg, plain_load (cg, buffer, t, lane_pointer (cg, buffer, &address, address.lanes - 1)), address.lanes);
  else
    v = load_lanes (cg, buffer, t, &address, mask);
  return ls_cg_from_memory (cg, t, v);
}

/* ---- stores ------------------------------------------------------------------ */

static LLVMValueRef
plain_store (LsCg        *cg,
             LsBuffer    *buffer,
             LLVMValueRef pointer,
             LLVMValueRef v)
{
  gboolean is_volatile = g_hash_table_contains (cg->is_volatile, buffer->data);
  LLVMValueRef store = LLVMBuildStore (cg->builder, v, is_volatile ? volatile_pointer (cg, buffer, pointer) : pointer);

  LLVMSetAlignment (store, ls_cg_alignment (buffer->dtype));
  LLVMSetVolatile (store, is_volatile);
  mark_scope (cg, store, buffer->data);
  return store;
}

static void
guarded_store (LsCg        *cg,
               LsBuffer    *buffer,
               LLVMValueRef pointer,
               LLVMValueRef v,
               LLVMValueRef condition)
{
  LLVMBasicBlockRef yes = ls_cg_block (cg, "store");
  LLVMBasicBlockRef join = ls_cg_block (cg, "join");

  LLVMBuildCondBr (cg->builder, condition, yes, join);
  ls_cg_at (cg, yes);
  plain_store (cg, buffer, pointer, v);
  LLVMBuildBr (cg->builder, join);
  ls_cg_at (cg, join);
}

static void
masked_store (LsCg        *cg,
              LsBuffer    *buffer,
              LLVMValueRef pointer,
              LLVMValueRef v,
              LLVMValueRef mask)
{
  LLVMTypeRef overload[2] = { LLVMTypeOf (v), cg->ptr };
  LLVMValueRef args[4] = { v, pointer, ls_cg_i32 (cg, ls_cg_alignment (buffer->dtype)), mask };

  mark_scope (cg, ls_cg_intrinsic (cg, "llvm.masked.store", overload, 2, args, 4), buffer->data);
}

static LLVMValueRef
part_of (LsCg        *cg,
         LsBuffer    *buffer,
         LLVMValueRef v,
         guint        lane)
{
  guint inner = MAX (buffer->dtype.lanes, 1);
  LLVMValueRef out;

  if (inner == 1)
    return ls_cg_extract (cg, v, lane);
  out = LLVMGetPoison (ls_cg_memory_type (cg, buffer->dtype));
  for (guint i = 0; i < inner; i++)
    out = ls_cg_insert (cg, out, ls_cg_extract (cg, v, lane * inner + i), i);
  return out;
}

void
ls_cg_store (LsCg          *cg,
             LsBufferStore *store)
{
  LsBuffer *buffer = store->buffer;
  guint inner = MAX (buffer->dtype.lanes, 1);
  LsDType given = ls_dtype (store->value);
  LLVMValueRef v = ls_cg_expr (cg, store->value);
  LsCgAddress address = address_of (cg, buffer, store->indices, store->predicate == NULL);
  LLVMValueRef mask = store->predicate != NULL ? ls_cg_truth (cg, store->predicate) : NULL;
  LsDType t = ls_dtype_with_lanes (buffer->dtype, address.lanes * inner);

  if (mask != NULL && g_hash_table_contains (cg->is_volatile, buffer->data))
    ls_cg_fail (cg, LS_CODEGEN_ERROR_UNSUPPORTED, "The masked store intrinsic does not support declaring store as volatile.");
  if (cg->error != NULL || is_uncountable (cg, buffer, &address, TRUE))
    return;
  if (given.lanes > t.lanes && inner == 1 && address.lanes == 1)
    {
      ls_cg_fail (cg, LS_CODEGEN_ERROR_PROGRAM, "%u lanes are stored into one element of %s.", given.lanes, buffer->name);
      return;
    }
  v = ls_cg_to_memory (cg, t, ls_cg_splat (cg, ls_cg_cast (cg, given, ls_dtype_with_lanes (t, given.lanes), v), t.lanes));
  if (address.lanes == 1 && mask == NULL)
    plain_store (cg, buffer, lane_pointer (cg, buffer, &address, 0), v);
  else if (address.lanes == 1)
    guarded_store (cg, buffer, lane_pointer (cg, buffer, &address, 0), v, mask);
  else if (address.offsets == NULL && address.stride == 1 && mask == NULL)
    tell_alignment (cg, buffer, store->indices, t.lanes, plain_store (cg, buffer, lane_pointer (cg, buffer, &address, 0), v));
  else if (address.offsets == NULL && address.stride == 1 && inner == 1)
    masked_store (cg, buffer, lane_pointer (cg, buffer, &address, 0), v, ls_cg_splat (cg, mask, address.lanes));
  else if (address.offsets == NULL && address.stride == -1 && mask == NULL && inner == 1)
    plain_store (cg, buffer, lane_pointer (cg, buffer, &address, address.lanes - 1), reversed (cg, v, address.lanes));
  else
    for (guint lane = 0; lane < address.lanes; lane++)
      {
        LLVMValueRef pointer = lane_pointer (cg, buffer, &address, lane);
        LLVMValueRef part = part_of (cg, buffer, v, lane);

        if (mask == NULL)
          plain_store (cg, buffer, pointer, part);
        else
          guarded_store (cg, buffer, pointer, part, ls_cg_extract (cg, ls_cg_splat (cg, mask, address.lanes), lane));
      }
}
