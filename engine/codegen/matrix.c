/* matrix: tensor cores and asynchronous copies of NVIDIA's devices, by inline assembly: the texts are those of CUDA C (codegen/c/ptx.h).
 *
 * A fragment is an array of its registers in each lane; tiles of T.ptx_mma are memory of the lane, taken by registers of 32 bits.  LLVM keeps both in
 * registers where indices are known. */
#include "engine/codegen/c/ptx.h"
#include "engine/codegen/codegen-private.h"
#include "engine/tir/pass/parts.h"

#include <string.h>

#define ARG(call, i) ls_array_at ((call)->args, (i), LsExpr)
#define MOST_REGISTERS 40

/* What goes into an instruction and comes out of it. */
typedef struct {
  LLVMValueRef args[MOST_REGISTERS];
  guint        n;
  GString     *kinds;
} Operands;

static LLVMValueRef
fail (LsCg       *cg,
      LsCall     *call,
      const char *what)
{
  ls_cg_fail (cg, LS_CODEGEN_ERROR_UNSUPPORTED, "T.%s: %s", ls_is (call->op, OP) ? ((LsOp *) call->op)->script_name : "call", what);
  return ls_cg_none (cg, ls_dtype (call));
}

/* Has the architecture the instruction? */
static gboolean
has_arch (LsCg   *cg,
          LsCall *call,
          guint   wanted)
{
  const char *cpu = cg->target->cpu != NULL && g_str_has_prefix (cg->target->cpu, "sm_") ? cg->target->cpu : "sm_0";
  g_autofree char *what = NULL;

  if (g_ascii_strtoull (cpu + 3, NULL, 10) >= wanted)
    return TRUE;
  what = g_strdup_printf ("NVIDIA's devices have this instruction from sm_%u on; the target is %s.", wanted, cpu);
  fail (cg, call, what);
  return FALSE;
}

static LLVMTypeRef
register_type (LsCg *cg,
               char  kind)
{
  return kind == 'f' ? cg->f32 : kind == 'd' ? cg->f64 : cg->i32;
}

/* A pointer moved by some elements of what it points to. */
static LLVMValueRef
pointer (LsCg   *cg,
         LsExpr *expr,
         LsExpr *offset)
{
  LLVMValueRef base = ls_cg_expr (cg, expr), distance;

  if (offset == NULL || cg->error != NULL)
    return base;
  distance = ls_cg_index (cg, offset);
  return LLVMBuildGEP2 (cg->builder, ls_cg_memory_type (cg, ls_ptx_pointee (expr)), base, &distance, 1, "");
}

/* The registers of a fragment. */
static LLVMValueRef
fragment (LsCg          *cg,
          LsExpr        *expr,
          LsExpr        *number,
          LsPtxRegisters registers)
{
  LLVMValueRef base = ls_cg_expr (cg, expr), distance;

  if (cg->error != NULL)
    return base;
  distance = LLVMBuildMul (cg->builder, ls_cg_index (cg, number), ls_cg_i64 (cg, registers.n), "");
  return LLVMBuildGEP2 (cg->builder, register_type (cg, registers.type), base, &distance, 1, "");
}

static LLVMValueRef
register_at (LsCg        *cg,
             LLVMValueRef base,
             char         kind,
             guint        i)
{
  LLVMValueRef index = ls_cg_i64 (cg, i);

  return LLVMBuildGEP2 (cg->builder, register_type (cg, kind), base, &index, 1, "");
}

/* ---- operands --------------------------------------------------------------------------------------- */

static void
add_kind (Operands   *self,
          const char *kind)
{
  if (self->kinds->len > 0)
    g_string_append_c (self->kinds, ',');
  g_string_append (self->kinds, kind);
}

static void
add_value (Operands    *self,
           const char  *kind,
           LLVMValueRef value)
{
  add_kind (self, kind);
  if (self->n < MOST_REGISTERS)
    self->args[self->n++] = value;
}

static void
add_results (Operands      *self,
             LsPtxRegisters registers)
{
  char kind[] = { '=', registers.type, 0 };

  for (guint i = 0; i < registers.n; i++)
    add_kind (self, kind);
}

static void
add_registers (LsCg          *cg,
               Operands      *self,
               LsPtxRegisters registers,
               LLVMValueRef   base)
{
  char kind[] = { registers.type, 0 };

  for (guint i = 0; i < registers.n; i++)
    {
      LLVMValueRef value = LLVMBuildLoad2 (cg->builder, register_type (cg, registers.type), register_at (cg, base, registers.type, i), "");

      LLVMSetAlignment (value, registers.type == 'd' ? 8 : 4);
      add_value (self, kind, value);
    }
}

/* Emits the instruction and keeps its results in memory at `base`. Frees the kinds. */
static void
emit (LsCg          *cg,
      Operands      *operands,
      const char    *text,
      LsPtxRegisters results,
      LLVMValueRef   base)
{
  g_autofree LLVMTypeRef *types = g_new0 (LLVMTypeRef, results.n + 1);
  g_auto (GStrv) parts = g_strsplit (text, "%", -1);
  g_autofree char *numbered = g_strjoinv ("$", parts);
  LLVMTypeRef result = cg->none;
  LLVMValueRef made;

  for (guint i = 0; i < results.n; i++)
    types[i] = register_type (cg, results.type);
  if (results.n > 0)
    result = results.n == 1 ? types[0] : LLVMStructTypeInContext (cg->context, types, results.n, FALSE);
  made = ls_cg_inline_asm (cg, result, operands->args, operands->n, numbered, operands->kinds->str);
  for (guint i = 0; i < results.n; i++)
    {
      LLVMValueRef store = LLVMBuildStore (cg->builder, results.n == 1 ? made : LLVMBuildExtractValue (cg->builder, made, i, ""), register_at (cg, base, results.type, i));

      LLVMSetAlignment (store, results.type == 'd' ? 8 : 4);
    }
  g_string_free (operands->kinds, TRUE);
}

static Operands
operands_new (void)
{
  return (Operands) { .kinds = g_string_new (NULL) };
}

/* ---- products ------------------------------------------------------------------------------------------ */

static void
emit_product (LsCg               *cg,
              const LsPtxProduct *product,
              LLVMValueRef        d,
              LLVMValueRef        a,
              LLVMValueRef        b,
              LLVMValueRef        c)
{
  Operands operands = operands_new ();

  add_results (&operands, product->d);
  add_registers (cg, &operands, product->a, a);
  add_registers (cg, &operands, product->b, b);
  add_registers (cg, &operands, product->d, c);
  emit (cg, &operands, product->text, product->d, d);
}

static LLVMValueRef
mma (LsCg   *cg,
     LsCall *call)
{
  g_auto (LsPtxProduct) product = { NULL };
  LLVMValueRef a, b, c;

  if (!ls_ptx_mma (call, &product))
    return fail (cg, call, "NVIDIA has no such instruction for this shape and these types.");
  if (!has_arch (cg, call, product.arch))
    return ls_cg_none (cg, ls_dtype (call));
  a = pointer (cg, ARG (call, 6), ARG (call, 7));
  b = pointer (cg, ARG (call, 8), ARG (call, 9));
  c = pointer (cg, ARG (call, 10), ARG (call, 11));
  if (cg->error == NULL)
    emit_product (cg, &product, c, a, b, c);
  return ls_cg_none (cg, ls_dtype (call));
}

static LLVMValueRef
wmma_product (LsCg   *cg,
              LsCall *call)
{
  LsPtxFragment *all[4];
  LLVMValueRef at[4];
  g_auto (LsPtxProduct) product = { NULL };

  for (guint i = 0; i < 4; i++)
    {
      all[i] = g_hash_table_lookup (cg->fragments, ARG (call, 2 * i));
      if (all[i] == NULL)
        return fail (cg, call, "a fragment is multiplied that nobody fills or loads.");
    }
  if (!ls_ptx_wmma (all[0], all[1], all[2], all[3], &product))
    return fail (cg, call, "NVIDIA has no such product of fragments.");
  if (!has_arch (cg, call, product.arch))
    return ls_cg_none (cg, ls_dtype (call));
  for (guint i = 0; i < 4; i++)
    at[i] = fragment (cg, ARG (call, 2 * i), ARG (call, 2 * i + 1), ls_ptx_fragment_registers (all[i]));
  if (cg->error == NULL)
    emit_product (cg, &product, at[0], at[1], at[2], at[3]);
  return ls_cg_none (cg, ls_dtype (call));
}

/* ---- fragments --------------------------------------------------------------------------------------------- */

static LLVMValueRef
wmma_fill (LsCg          *cg,
           LsCall        *call,
           LsPtxFragment *fragment_type,
           LLVMValueRef   base)
{
  LsPtxRegisters registers = ls_ptx_fragment_registers (fragment_type);
  LLVMValueRef value = ls_cg_cast (cg, ls_dtype (ARG (call, 5)), fragment_type->dtype, ls_cg_expr (cg, ARG (call, 5)));

  if (cg->error != NULL)
    return ls_cg_none (cg, ls_dtype (call));
  if (fragment_type->dtype.bits < 32)
    {
      LLVMTypeRef narrow = LLVMIntTypeInContext (cg->context, fragment_type->dtype.bits);
      LLVMValueRef one = LLVMBuildZExt (cg->builder, LLVMBuildBitCast (cg->builder, value, narrow, ""), cg->i32, "");

      value = one;
      for (guint bits = fragment_type->dtype.bits; bits < 32; bits += fragment_type->dtype.bits)
        value = LLVMBuildOr (cg->builder, LLVMBuildShl (cg->builder, value, ls_cg_i32 (cg, fragment_type->dtype.bits), ""), one, "");
    }
  value = LLVMBuildBitCast (cg->builder, value, register_type (cg, registers.type), "");
  for (guint i = 0; i < registers.n; i++)
    LLVMBuildStore (cg->builder, value, register_at (cg, base, registers.type, i));
  return ls_cg_none (cg, ls_dtype (call));
}

static LLVMValueRef
wmma_memory (LsCg   *cg,
             LsCall *call)
{
  gboolean fills = ls_is_call (call, "tir.tvm_fill_fragment"), stores = ls_is_call (call, "tir.tvm_store_matrix_sync");
  LsPtxFragment *type = g_hash_table_lookup (cg->fragments, ARG (call, 0));
  LsPtxRegisters registers = type != NULL ? ls_ptx_fragment_registers (type) : (LsPtxRegisters) { 0 };
  gboolean by_column = !fills && ls_is (ARG (call, 7), STRING_IMM) && strcmp (((LsStringImm *) ARG (call, 7))->value, "col_major") == 0;
  g_autofree char *text = NULL;
  LLVMValueRef base, memory, stride;
  Operands operands;

  if (registers.n == 0)
    return fail (cg, call, "NVIDIA has no fragment of this shape and type.");
  base = fragment (cg, ARG (call, 0), ARG (call, 4), registers);
  if (fills)
    return wmma_fill (cg, call, type, base);
  memory = pointer (cg, ARG (call, 5), NULL);
  stride = ls_cg_cast (cg, ls_dtype (ARG (call, 6)), LS_INT32, ls_cg_expr (cg, ARG (call, 6)));
  if (cg->error != NULL)
    return ls_cg_none (cg, ls_dtype (call));
  operands = operands_new ();
  text = stores ? ls_ptx_wmma_store (type, by_column) : ls_ptx_wmma_load (type, by_column);
  if (stores)
    add_registers (cg, &operands, registers, base);
  else
    add_results (&operands, registers);
  add_value (&operands, "l", memory);
  add_value (&operands, "r", stride);
  add_kind (&operands, "~{memory}");
  emit (cg, &operands, text, stores ? (LsPtxRegisters) { 0 } : registers, base);
  return ls_cg_none (cg, ls_dtype (call));
}

/* ---- registers of the lanes ------------------------------------------------------------------------------------ */

static LLVMValueRef
lane_number (LsCg *cg)
{
  return LLVMBuildZExt (cg->builder, ls_cg_intrinsic (cg, "llvm.nvvm.read.ptx.sreg.laneid", NULL, 0, NULL, 0), cg->i64, "");
}

static LLVMValueRef
sum (LsCg        *cg,
     LLVMValueRef a,
     LLVMValueRef b)
{
  return LLVMBuildAdd (cg->builder, a, b, "");
}

static LLVMValueRef
times (LsCg        *cg,
       LLVMValueRef a,
       LLVMValueRef b)
{
  return LLVMBuildMul (cg->builder, a, b, "");
}

static void
copy_element (LsCg        *cg,
              LLVMTypeRef  type,
              LLVMValueRef to,
              LLVMValueRef to_index,
              LLVMValueRef from,
              LLVMValueRef from_index)
{
  LLVMValueRef value = LLVMBuildLoad2 (cg->builder, type, LLVMBuildGEP2 (cg->builder, type, from, &from_index, 1, ""), "");

  LLVMBuildStore (cg->builder, value, LLVMBuildGEP2 (cg->builder, type, to, &to_index, 1, ""));
}

/* Bytes are transposed one by one: there is no instruction for it; the offset is the stride. */
static LLVMValueRef
load_bytes_transposed (LsCg   *cg,
                       LsCall *call)
{
  LLVMValueRef to = pointer (cg, ARG (call, 3), ARG (call, 4)), from = pointer (cg, ARG (call, 5), NULL);
  LLVMValueRef stride = ls_cg_index (cg, ARG (call, 6)), lane = lane_number (cg);
  LLVMValueRef quarter = LLVMBuildURem (cg->builder, lane, ls_cg_i64 (cg, 4), ""), eighth = LLVMBuildUDiv (cg->builder, lane, ls_cg_i64 (cg, 4), "");

  for (guint i = 0; i < 16 && cg->error == NULL; i++)
    {
      LLVMValueRef row = sum (cg, times (cg, quarter, ls_cg_i64 (cg, 4)), ls_cg_i64 (cg, i % 8 / 4 * 16 + i % 4));

      copy_element (cg, cg->i8, to, ls_cg_i64 (cg, i), from, sum (cg, times (cg, row, stride), sum (cg, eighth, ls_cg_i64 (cg, i / 8 * 8))));
    }
  return ls_cg_none (cg, ls_dtype (call));
}

static LLVMValueRef
ldmatrix (LsCg   *cg,
          LsCall *call)
{
  gint64 transposed = 0, matrices = 0;
  g_autofree char *text = NULL;
  LLVMValueRef registers, memory;
  LsPtxRegisters results;
  Operands operands;

  if (!ls_as_int (ARG (call, 0), &transposed) || !ls_as_int (ARG (call, 1), &matrices) || (matrices != 1 && matrices != 2 && matrices != 4))
    return fail (cg, call, "it loads 1, 2 or 4 matrices.");
  if (transposed != 0 && ls_ptx_pointee (ARG (call, 3)).bits == 8)
    return load_bytes_transposed (cg, call);
  if (!has_arch (cg, call, 75))
    return ls_cg_none (cg, ls_dtype (call));
  registers = pointer (cg, ARG (call, 3), ARG (call, 4));
  memory = pointer (cg, ARG (call, 5), ARG (call, 6));
  if (cg->error != NULL)
    return ls_cg_none (cg, ls_dtype (call));
  results = (LsPtxRegisters) { (guint) matrices, 'r' };
  text = ls_ptx_ldmatrix ((guint) matrices, transposed != 0);
  operands = operands_new ();
  add_results (&operands, results);
  add_value (&operands, "l", memory);
  add_kind (&operands, "~{memory}");
  emit (cg, &operands, text, results, registers);
  return ls_cg_none (cg, ls_dtype (call));
}

static LLVMValueRef
fill_registers (LsCg   *cg,
                LsCall *call)
{
  LLVMTypeRef type = ls_cg_memory_type (cg, ls_ptx_pointee (ARG (call, 1)));
  LLVMValueRef base = pointer (cg, ARG (call, 1), ARG (call, 2));
  gint64 n = 0;

  if (!ls_as_int (ARG (call, 0), &n) || n < 0 || n > 1024)
    return fail (cg, call, "how many registers are filled is a number.");
  for (gint64 i = 0; i < n && cg->error == NULL; i++)
    {
      LLVMValueRef index = ls_cg_i64 (cg, i);

      LLVMBuildStore (cg->builder, LLVMConstNull (type), LLVMBuildGEP2 (cg->builder, type, base, &index, 1, ""));
    }
  return ls_cg_none (cg, ls_dtype (call));
}

static LLVMValueRef
store_registers (LsCg   *cg,
                 LsCall *call)
{
  LLVMTypeRef type = ls_cg_memory_type (cg, ls_ptx_pointee (ARG (call, 3)));
  LLVMValueRef to = pointer (cg, ARG (call, 2), NULL), from = pointer (cg, ARG (call, 3), ARG (call, 4)), stride = ls_cg_index (cg, ARG (call, 5));
  LLVMValueRef lane = lane_number (cg);
  LLVMValueRef row = LLVMBuildUDiv (cg->builder, lane, ls_cg_i64 (cg, 4), ""), column = times (cg, LLVMBuildURem (cg->builder, lane, ls_cg_i64 (cg, 4), ""), ls_cg_i64 (cg, 2));

  for (guint i = 0; i < 8 && cg->error == NULL; i++)
    copy_element (cg, type, to, sum (cg, times (cg, sum (cg, row, ls_cg_i64 (cg, i / 2 % 2 * 8)), stride), sum (cg, column, ls_cg_i64 (cg, i / 4 * 8 + i % 2))), from,
                  ls_cg_i64 (cg, i));
  return ls_cg_none (cg, ls_dtype (call));
}

/* ---- asynchronous copies ----------------------------------------------------------------------------------------- */

static LLVMValueRef
copy_async (LsCg   *cg,
            LsCall *call)
{
  gint64 bytes = 0;
  gboolean with_size = call->args->n > 5;
  g_autofree char *text = NULL;
  LLVMValueRef to, from;
  Operands operands;

  if (!ls_as_int (ARG (call, 4), &bytes) || (bytes != 4 && bytes != 8 && bytes != 16))
    return fail (cg, call, "it copies 4, 8 or 16 bytes.");
  if (!has_arch (cg, call, 80))
    return ls_cg_none (cg, ls_dtype (call));
  to = pointer (cg, ARG (call, 0), ARG (call, 1));
  from = pointer (cg, ARG (call, 2), ARG (call, 3));
  if (cg->error != NULL)
    return ls_cg_none (cg, ls_dtype (call));
  operands = operands_new ();
  add_value (&operands, "l", to);
  add_value (&operands, "l", from);
  if (with_size)
    add_value (&operands, "r", LLVMBuildSelect (cg->builder, ls_cg_cast (cg, ls_dtype (ARG (call, 5)), LS_BOOL, ls_cg_expr (cg, ARG (call, 5))), ls_cg_i32 (cg, bytes), ls_cg_i32 (cg, 0), ""));
  add_kind (&operands, "~{memory}");
  text = ls_ptx_copy_async ((guint) bytes, with_size);
  emit (cg, &operands, text, (LsPtxRegisters) { 0 }, NULL);
  return ls_cg_none (cg, ls_dtype (call));
}

static LLVMValueRef
group (LsCg   *cg,
       LsCall *call)
{
  gint64 most = 0;
  g_autofree char *text = NULL;

  if (!has_arch (cg, call, 80))
    return ls_cg_none (cg, ls_dtype (call));
  if (ls_is_call (call, "tir.ptx_wait_group") && !ls_as_int (ARG (call, 0), &most))
    return fail (cg, call, "how many groups may be under way is a number.");
  text = ls_is_call (call, "tir.ptx_wait_group") ? g_strdup_printf ("cp.async.wait_group %d;", (int) most) : g_strdup ("cp.async.commit_group;");
  ls_cg_inline_asm (cg, cg->none, NULL, 0, text, "~{memory}");
  return ls_cg_none (cg, ls_dtype (call));
}

gboolean
ls_cg_async (LsCg       *cg,
             LsAttrStmt *stmt)
{
  gboolean waits = ls_is_attr (stmt, "async_wait_queue_scope");
  gint64 most = waits ? ls_async_inflight (stmt) : 0;

  if (!waits && !ls_is_attr (stmt, "async_commit_queue_scope"))
    return FALSE;
  if (!g_str_has_prefix (cg->target->triple, "nvptx") || most < 0)
    ls_cg_fail (cg, LS_CODEGEN_ERROR_UNSUPPORTED, waits ? "How many asynchronous copies may be under way is not a number that the device takes." : LS_TEXT ("A group of asynchronous copies is NVIDIA's."));
  if (waits && cg->error == NULL)
    {
      g_autofree char *text = g_strdup_printf ("cp.async.wait_group %d;", (int) most);

      ls_cg_inline_asm (cg, cg->none, NULL, 0, text, "~{memory}");
    }
  ls_cg_stmt (cg, stmt->body);
  if (!waits && cg->error == NULL)
    ls_cg_inline_asm (cg, cg->none, NULL, 0, "cp.async.commit_group;", "~{memory}");
  return TRUE;
}

LLVMValueRef
ls_cg_matrix_call (LsCg       *cg,
                   const char *name,
                   LsCall     *call)
{
  static const struct { const char *name; guint least; LLVMValueRef (*emit) (LsCg *cg, LsCall *call); } CALLS[] = {
    { "tvm_fill_fragment", 6, wmma_memory }, { "tvm_load_matrix_sync", 8, wmma_memory }, { "tvm_store_matrix_sync", 8, wmma_memory },
    { "tvm_mma_sync", 8, wmma_product }, { "ptx_mma", 13, mma }, { "ptx_ldmatrix", 7, ldmatrix }, { "mma_fill", 3, fill_registers },
    { "mma_store", 6, store_registers }, { "ptx_cp_async", 5, copy_async }, { "ptx_commit_group", 0, group }, { "ptx_wait_group", 1, group },
  };

  for (guint i = 0; i < G_N_ELEMENTS (CALLS); i++)
    if (strcmp (CALLS[i].name, name) == 0)
      return call->args->n >= CALLS[i].least && (i > 3 || cg->fragments != NULL) ? CALLS[i].emit (cg, call) : fail (cg, call, "it has too few arguments.");
  return NULL;
}
