/* matrix-plan: calls of tensor cores and of asynchronous copies, read: shapes, tiles, memory.
 *
 *     T.tvm_fill_fragment (F, m, n, k, number, value)                      T.ptx_mma (shape, "row", "col", types of A, B, C, A, a, B, b, C, c, saturate)
 *     T.tvm_load_matrix_sync (F, m, n, k, number, memory, stride, layout)  T.ptx_ldmatrix (transposed, matrices, ".b16", R, r, memory, offset)
 *     T.tvm_store_matrix_sync (the same)                                   T.mma_fill (n, R, r)
 *     T.tvm_mma_sync (D, d, A, a, B, b, C, c)                              T.mma_store (m, n, memory, R, r, stride)
 *     T.ptx_cp_async (to, offset, from, offset, bytes[, predicate])        T.ptx_commit_group ()    T.ptx_wait_group (n)
 *
 * A fragment is of the scope "wmma.matrix_a", "wmma.matrix_b" or "wmma.accumulator"; its shape is that of its attribute fragment_shape, or of the
 * calls that use it. */
#include "engine/simt/simt-private.h"
#include "engine/tir/pass/parts.h"

#include <stdio.h>
#include <string.h>

static const char *
text_of (LsCode *code)
{
  return ls_is (code->origin, STRING_IMM) ? ((LsStringImm *) code->origin)->value : "";
}

static gboolean
number_of (LsCode *code,
           guint  *number)
{
  *number = code->kind == LS_KIND_INT_IMM && code->i >= 0 && code->i < G_MAXINT32 ? (guint) code->i : 0;
  return code->kind == LS_KIND_INT_IMM && code->i >= 0;
}

LsVar *
simt_memory_of (LsCode  *code,
                LsDType *dtype)
{
  LsVar *var = NULL;
  LsNode *type;

  if (code->kind == LS_KIND_VAR)
    var = (LsVar *) code->origin;
  else if (code->kind == LS_KIND_CALL && code->call == LS_CALL_ACCESS_PTR && code->args[1]->kind == LS_KIND_VAR)
    var = (LsVar *) code->args[1]->origin;
  else if (code->kind == LS_KIND_CALL && code->call == LS_CALL_ADDRESS_OF && code->args[0]->kind == LS_KIND_BUFFER_LOAD)
    {
      LsBuffer *buffer = ((LsBufferPlan *) code->args[0]->b)->buffer;

      *dtype = buffer->dtype;
      return buffer->data;
    }
  if (var == NULL)
    return NULL;
  type = (LsNode *) var->type_annotation;
  if (code->kind == LS_KIND_CALL)
    *dtype = code->args[0]->t;
  else if (ls_is (type, POINTER_TYPE) && ls_is (((LsPointerType *) type)->element_type, PRIM_TYPE))
    *dtype = ((LsPrimType *) ((LsPointerType *) type)->element_type)->dtype;
  else
    return NULL;
  *dtype = ls_dtype_element (*dtype);
  return var;
}

static MatrixPlan *
plan_new (Compiler *self)
{
  MatrixPlan *plan = g_new0 (MatrixPlan, 1);

  plan->predicate = plan->value = plan->memory.pointer = plan->memory.offset = plan->memory.stride = OPERAND_NONE;
  plan->from = plan->memory;
  g_ptr_array_add (self->code->owned, plan);
  return plan;
}

static void
emit (Compiler   *self,
      OpCode      op,
      MatrixPlan *plan,
      CountAs     count)
{
  Instr *in = simt_emit (self, op);

  in->matrix = plan;
  in->count = count;
}

static void
wrong (Compiler   *self,
       const char *name,
       const char *what)
{
  simt_refuse (self, LS_INTERP_ERROR_UNSUPPORTED, "T.%s in line %u: %s", name, self->line, ls_translate (what));
}

/* ---- tiles --------------------------------------------------------------------------------------- */

static gboolean
is_multiplied (LsDType    t,
               LsSimtTile role)
{
  if (role == LS_SIMT_TILE_C)
    return (t.code == LS_TYPE_FLOAT && (t.bits == 16 || t.bits == 32 || t.bits == 64)) || (t.code == LS_TYPE_INT && t.bits == 32);
  return (t.code == LS_TYPE_FLOAT && (t.bits == 16 || t.bits == 32 || t.bits == 64)) || t.code == LS_TYPE_BFLOAT
         || ((t.code == LS_TYPE_INT || t.code == LS_TYPE_UINT) && t.bits == 8);
}

static void
read_tile (Compiler   *self,
           const char *name,
           LsCode     *pointer,
           LsCode     *number,
           LsSimtTile  role,
           guint       rows,
           guint       columns,
           gboolean    is_store,
           LsNode     *node,
           Tile       *tile)
{
  LsVar *var = simt_memory_of (pointer, &tile->dtype);
  guint lane, at;

  tile->role = role;
  tile->rows = rows;
  tile->columns = columns;
  if (var == NULL)
    {
      wrong (self, name, LS_TEXT ("its tiles are variables of the kernel's memory."));
      return;
    }
  tile->is_fragment = simt_space_of (self, var) == LS_SIMT_FRAGMENT;
  if (!tile->is_fragment && simt_space_of (self, var) != LS_SIMT_LOCAL)
    wrong (self, name, LS_TEXT ("its tiles are fragments (\"wmma.\") or registers of the lanes (\"local\")."));
  else if (!is_multiplied (tile->dtype, role) || !ls_simt_tile_place (role, rows, columns, tile->dtype.bits, 0, 0, &lane, &at))
    simt_refuse (self, LS_INTERP_ERROR_UNSUPPORTED, "T.%s in line %u: tiles of %u x %u of %s are not run here.", name, self->line, rows, columns, ls_dtype_name (tile->dtype));
  tile->pointer = simt_expr (self, pointer);
  tile->number = simt_expr (self, number);
  tile->site = simt_site_of (self, node, var, tile->dtype, is_store);
}

static void
read_place (Compiler   *self,
            const char *name,
            LsCode     *pointer,
            LsCode     *offset,
            LsCode     *stride,
            gboolean    is_store,
            LsNode     *node,
            Place      *place)
{
  LsVar *var = simt_memory_of (pointer, &place->dtype);
  LsSimtSpace space;

  if (var == NULL)
    {
      wrong (self, name, LS_TEXT ("its memory is a variable, T.address_of or a pointer of a buffer (access_ptr)."));
      return;
    }
  space = simt_space_of (self, var);
  if (space != LS_SIMT_GLOBAL && space != LS_SIMT_SHARED)
    wrong (self, name, LS_TEXT ("its memory is shared or global."));
  place->pointer = simt_expr (self, pointer);
  place->offset = offset != NULL ? simt_expr (self, offset) : OPERAND_NONE;
  place->stride = stride != NULL ? simt_expr (self, stride) : OPERAND_NONE;
  place->site = simt_site_of (self, node, var, place->dtype, is_store);
}

/* ---- wmma ------------------------------------------------------------------------------------------- */

static LsSimtTile
role_of (LsCode *fragment)
{
  const char *scope = fragment->kind == LS_KIND_VAR ? ls_pointer_scope ((LsVar *) fragment->origin) : "";

  return strcmp (scope, "wmma.matrix_a") == 0 ? LS_SIMT_TILE_A : strcmp (scope, "wmma.matrix_b") == 0 ? LS_SIMT_TILE_B : LS_SIMT_TILE_C;
}

/* A fragment of a product m x n x k. */
static void
read_fragment (Compiler   *self,
               const char *name,
               LsCode     *pointer,
               LsCode     *number,
               MatrixPlan *plan,
               gboolean    is_store,
               LsNode     *node,
               Tile       *tile)
{
  LsSimtTile role = role_of (pointer);

  read_tile (self, name, pointer, number, role, role == LS_SIMT_TILE_B ? plan->k : plan->m, role == LS_SIMT_TILE_A ? plan->k : plan->n, is_store, node, tile);
}

/* The shape by which a fragment was filled or loaded. */
static void
note_shape (Compiler   *self,
            const char *name,
            LsCode     *fragment,
            MatrixPlan *plan)
{
  MatrixPlan *known = g_hash_table_lookup (self->code->shapes, fragment->origin);

  if (known == NULL)
    g_hash_table_insert (self->code->shapes, fragment->origin, plan);
  else if (known->m != plan->m || known->n != plan->n || known->k != plan->k)
    wrong (self, name, LS_TEXT ("the fragment has another shape elsewhere."));
}

static void
fragment_call (Compiler   *self,
               LsCode     *code,
               const char *name)
{
  gboolean fills = strcmp (name, "tvm_fill_fragment") == 0, stores = strcmp (name, "tvm_store_matrix_sync") == 0;
  MatrixPlan *plan = plan_new (self);

  if (code->n != (fills ? 6u : 8u) || !number_of (code->args[1], &plan->m) || !number_of (code->args[2], &plan->n) || !number_of (code->args[3], &plan->k))
    {
      wrong (self, name, fills ? LS_TEXT ("it takes a fragment, its shape m, n, k, its number and a value.") : LS_TEXT ("it takes a fragment, its shape m, n, k, its number, memory, stride and layout."));
      return;
    }
  note_shape (self, name, code->args[0], plan);
  read_fragment (self, name, code->args[0], code->args[4], plan, !stores, code->origin, &plan->d);
  if (fills)
    plan->value = simt_expr (self, code->args[5]);
  else
    {
      plan->by_column = strcmp (text_of (code->args[7]), "col_major") == 0;
      read_place (self, name, code->args[5], NULL, code->args[6], stores, code->origin, &plan->memory);
      if (!ls_dtype_equal (plan->memory.dtype, plan->d.dtype))
        wrong (self, name, LS_TEXT ("fragment and memory have one type."));
    }
  if (fills && ls_is_float_type (code->args[5]->t) != ls_dtype_is_float (plan->d.dtype))
    plan->value = simt_const (self, (LsScalar) { .i = 0 });     /* T.float32(0) for int32, as TVM's intrinsics have it */
  emit (self, fills ? OP_FILL_FRAGMENT : stores ? OP_STORE_MATRIX : OP_LOAD_MATRIX, plan, COUNT_NONE);
}

static void
product_call (Compiler   *self,
              LsCode     *code,
              const char *name)
{
  MatrixPlan *plan = plan_new (self), *shape = code->n == 8 ? g_hash_table_lookup (self->code->shapes, code->args[2]->origin) : NULL;
  Tile *tiles[] = { &plan->d, &plan->a, &plan->b, &plan->c };

  if (shape == NULL)
    {
      wrong (self, name, code->n == 8 ? LS_TEXT ("its fragments are loaded before.") : LS_TEXT ("it takes four fragments and their numbers."));
      return;
    }
  plan->m = shape->m;
  plan->n = shape->n;
  plan->k = shape->k;
  for (guint i = 0; i < 4; i++)
    {
      read_fragment (self, name, code->args[2 * i], code->args[2 * i + 1], plan, i == 0, code->origin, tiles[i]);
      if (role_of (code->args[2 * i]) != (i == 1 ? LS_SIMT_TILE_A : i == 2 ? LS_SIMT_TILE_B : LS_SIMT_TILE_C))
        wrong (self, name, LS_TEXT ("a fragment has the scope of another operand: accumulator, matrix_a, matrix_b, accumulator is the order."));
    }
  emit (self, OP_MMA, plan, COUNT_NONE);
}

/* ---- mma ---------------------------------------------------------------------------------------------- */

static void
mma_call (Compiler   *self,
          LsCode     *code,
          const char *name)
{
  MatrixPlan *plan = plan_new (self);
  guint saturates = 0;

  if (code->n < 13 || sscanf (text_of (code->args[0]), "m%un%uk%u", &plan->m, &plan->n, &plan->k) != 3)
    {
      wrong (self, name, LS_TEXT ("it takes a shape like \"m16n8k16\", two layouts, three types, three tiles with their offsets, and whether it saturates."));
      return;
    }
  if (strcmp (text_of (code->args[1]), "row") != 0 || strcmp (text_of (code->args[2]), "col") != 0)
    wrong (self, name, LS_TEXT ("A is \"row\" and B is \"col\"."));
  number_of (code->args[12], &saturates);
  plan->saturates = saturates != 0;
  read_tile (self, name, code->args[6], code->args[7], LS_SIMT_TILE_A, plan->m, plan->k, FALSE, code->origin, &plan->a);
  read_tile (self, name, code->args[8], code->args[9], LS_SIMT_TILE_B, plan->k, plan->n, FALSE, code->origin, &plan->b);
  read_tile (self, name, code->args[10], code->args[11], LS_SIMT_TILE_C, plan->m, plan->n, FALSE, code->origin, &plan->c);
  plan->d = plan->c;
  emit (self, OP_MMA, plan, COUNT_NONE);
}

static void
ldmatrix_call (Compiler   *self,
               LsCode     *code,
               const char *name)
{
  MatrixPlan *plan = plan_new (self);
  guint transposed = 0;
  LsVar *registers = code->n == 7 ? simt_memory_of (code->args[3], &plan->d.dtype) : NULL;

  if (registers == NULL || !number_of (code->args[0], &transposed) || !number_of (code->args[1], &plan->matrices)
      || (plan->matrices != 1 && plan->matrices != 2 && plan->matrices != 4))
    {
      wrong (self, name, LS_TEXT ("it takes whether it transposes, how many matrices (1, 2, 4), \".b16\", registers and their offset, shared memory and its offset."));
      return;
    }
  if (simt_space_of (self, registers) != LS_SIMT_LOCAL)
    wrong (self, name, LS_TEXT ("it loads into registers of the lanes (\"local\")."));
  plan->transposed = transposed != 0;
  plan->d.pointer = simt_expr (self, code->args[3]);
  plan->d.number = simt_expr (self, code->args[4]);
  plan->d.site = simt_site_of (self, code->origin, registers, plan->d.dtype, TRUE);
  /* bytes cannot be transposed by the instruction: they are fetched one by one, and the offset is the stride, as in TVM */
  plan->by_column = plan->transposed && plan->d.dtype.bits == 8;
  read_place (self, name, code->args[5], plan->by_column ? NULL : code->args[6], plan->by_column ? code->args[6] : NULL, FALSE, code->origin, &plan->memory);
  emit (self, OP_LDMATRIX, plan, COUNT_NONE);
}

static void
fill_call (Compiler   *self,
           LsCode     *code,
           const char *name)
{
  MatrixPlan *plan = plan_new (self);
  LsVar *registers = code->n == 3 ? simt_memory_of (code->args[1], &plan->d.dtype) : NULL;

  if (registers == NULL || !number_of (code->args[0], &plan->matrices) || simt_space_of (self, registers) != LS_SIMT_LOCAL)
    {
      wrong (self, name, LS_TEXT ("it takes how many, registers of the lanes (\"local\") and their offset."));
      return;
    }
  plan->d.pointer = simt_expr (self, code->args[1]);
  plan->d.number = simt_expr (self, code->args[2]);
  plan->d.site = simt_site_of (self, code->origin, registers, plan->d.dtype, TRUE);
  emit (self, OP_FILL_REGISTERS, plan, COUNT_NONE);
}

static void
store_call (Compiler   *self,
            LsCode     *code,
            const char *name)
{
  MatrixPlan *plan = plan_new (self);

  if (code->n != 6 || !number_of (code->args[0], &plan->m) || !number_of (code->args[1], &plan->n))
    {
      wrong (self, name, LS_TEXT ("it takes m, n, memory, registers and their offset, and a stride."));
      return;
    }
  read_tile (self, name, code->args[3], code->args[4], LS_SIMT_TILE_C, plan->m, plan->n, FALSE, code->origin, &plan->d);
  read_place (self, name, code->args[2], NULL, code->args[5], TRUE, code->origin, &plan->memory);
  emit (self, OP_STORE_MATRIX, plan, COUNT_NONE);
}

/* ---- asynchronous copies ---------------------------------------------------------------------------------- */

static void
copy_call (Compiler   *self,
           LsCode     *code,
           const char *name)
{
  MatrixPlan *plan = plan_new (self);

  if (code->n < 5 || !number_of (code->args[4], &plan->matrices) || (plan->matrices != 4 && plan->matrices != 8 && plan->matrices != 16))
    {
      wrong (self, name, LS_TEXT ("it takes shared memory and its offset, global memory and its offset, and 4, 8 or 16 bytes."));
      return;
    }
  read_place (self, name, code->args[0], code->args[1], NULL, TRUE, code->origin, &plan->memory);
  read_place (self, name, code->args[2], code->args[3], NULL, FALSE, code->origin, &plan->from);
  if (self->error == NULL && (g_array_index (self->code->sites, LsSimtSite, plan->memory.site).space != LS_SIMT_SHARED
                              || g_array_index (self->code->sites, LsSimtSite, plan->from.site).space != LS_SIMT_GLOBAL))
    wrong (self, name, LS_TEXT ("it copies from global to shared memory."));
  if (code->n > 5)
    plan->predicate = simt_expr (self, code->args[5]);
  emit (self, OP_COPY_ASYNC, plan, COUNT_NONE);
}

static void
group_call (Compiler   *self,
            LsCode     *code,
            const char *name)
{
  MatrixPlan *plan = plan_new (self);
  gboolean waits = strcmp (name, "ptx_wait_group") == 0;

  if (waits && (code->n != 1 || !number_of (code->args[0], &plan->matrices)))
    wrong (self, name, LS_TEXT ("it takes a number: how many groups may still be under way."));
  emit (self, waits ? OP_WAIT_GROUP : OP_COMMIT_GROUP, plan, COUNT_NONE);
}

void
simt_group (Compiler *self,
            gboolean  waits,
            guint     most)
{
  MatrixPlan *plan = plan_new (self);

  plan->matrices = most;
  emit (self, waits ? OP_WAIT_GROUP : OP_COMMIT_GROUP, plan, COUNT_NONE);
}

gboolean
simt_matrix_call (Compiler   *self,
                  LsCode     *code,
                  const char *name,
                  Operand    *result)
{
  static const struct { const char *name; void (*read) (Compiler *self, LsCode *code, const char *name); } CALLS[] = {
    { "tvm_fill_fragment", fragment_call }, { "tvm_load_matrix_sync", fragment_call }, { "tvm_store_matrix_sync", fragment_call },
    { "tvm_mma_sync", product_call }, { "ptx_mma", mma_call }, { "ptx_ldmatrix", ldmatrix_call }, { "mma_fill", fill_call }, { "mma_store", store_call },
    { "ptx_cp_async", copy_call }, { "ptx_commit_group", group_call }, { "ptx_wait_group", group_call },
  };

  for (guint i = 0; i < G_N_ELEMENTS (CALLS); i++)
    if (strcmp (CALLS[i].name, name) == 0)
      {
        CALLS[i].read (self, code, name);
        *result = simt_const (self, (LsScalar) { .i = 0 });
        return TRUE;
      }
  return FALSE;
}
