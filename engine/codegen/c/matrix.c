/* matrix: tensor cores and asynchronous copies in CUDA C: fragments by nvcuda::wmma, registers and copies by asm. */
#include "engine/codegen/c/ptx.h"
#include "engine/codegen/c/text-private.h"
#include "engine/tir/pass/parts.h"

#include <string.h>

#define ARG(call, i) ls_array_at ((call)->args, (i), LsExpr)

/* ---- pointers ----------------------------------------------------------------------------------- */

/* "((half *)A + 16)": a pointer moved by offset elements (NULL: none). */
static void
put_pointer (Writer *self,
             LsExpr *pointer,
             LsExpr *offset)
{
  LsCall *call = (LsCall *) pointer;
  gint64 zero = 1;

  if (offset != NULL && ls_as_int (offset, &zero) && zero == 0)
    offset = NULL;
  if (offset != NULL)
    g_string_append_c (self->out, '(');
  if (ls_is_call (pointer, "tir.tvm_access_ptr"))
    {
      Pointee *declared = g_hash_table_lookup (self->types, ARG (call, 1));

      g_string_append_c (self->out, '(');
      if (declared == NULL || !ls_dtype_equal (ls_dtype_element (declared->dtype), ls_dtype (ARG (call, 0))))
        g_string_append_printf (self->out, "(%s *)", text_memory_type (self, ls_dtype (ARG (call, 0))));
      text_expr (self, ARG (call, 1), 0, PREC_POSTFIX);
      g_string_append (self->out, " + ");
      text_expr (self, ARG (call, 2), 0, PREC_MUL);
      g_string_append_c (self->out, ')');
    }
  else
    text_expr (self, pointer, 0, PREC_POSTFIX);
  if (offset != NULL)
    {
      g_string_append (self->out, " + ");
      text_expr (self, offset, 0, PREC_MUL);
      g_string_append_c (self->out, ')');
    }
}

/* ---- asm -------------------------------------------------------------------------------------------- */

static const char *
register_type (char kind)
{
  return kind == 'f' ? "float" : kind == 'd' ? "double" : "unsigned int";
}

/* const unsigned int *a = (const unsigned int *)(A + 4); Its name. (transfer full) */
static char *
declare_registers (Writer     *self,
                   const char *wish,
                   char        kind,
                   LsExpr     *pointer,
                   LsExpr     *offset,
                   gboolean    is_const)
{
  char *name = text_fresh (self, wish);
  const char *type = register_type (kind);

  text_begin (self);
  g_string_append_printf (self->out, "%s%s *%s = (%s%s *)", is_const ? "const " : "", type, name, is_const ? "const " : "", type);
  put_pointer (self, pointer, offset);
  g_string_append_c (self->out, ';');
  text_end (self);
  return name;
}

static void
put_operands (Writer        *self,
              LsPtxRegisters registers,
              const char    *name,
              const char    *prefix,
              gboolean       first)
{
  for (guint i = 0; i < registers.n; i++)
    g_string_append_printf (self->out, "%s\"%s%c\"(%s[%u])", first && i == 0 ? "" : ", ", prefix, registers.type, name, i);
}

static void
mma (Writer *self,
     LsCall *call)
{
  g_auto (LsPtxProduct) product = { NULL };
  g_autofree char *d = NULL, *a = NULL, *b = NULL;

  if (!ls_ptx_mma (call, &product))
    {
      text_refuse (self, "A T.ptx_mma of this shape and these types");
      return;
    }
  text_put (self, "{");
  self->indent++;
  d = declare_registers (self, "mma_d", product.d.type, ARG (call, 10), ARG (call, 11), FALSE);
  a = declare_registers (self, "mma_a", product.a.type, ARG (call, 6), ARG (call, 7), TRUE);
  b = declare_registers (self, "mma_b", product.b.type, ARG (call, 8), ARG (call, 9), TRUE);
  text_put (self, "asm volatile(\"%s\"", product.text);
  text_begin (self);
  g_string_append (self->out, "  : ");
  put_operands (self, product.d, d, "=", TRUE);
  text_end (self);
  text_begin (self);
  g_string_append (self->out, "  : ");
  put_operands (self, product.a, a, "", TRUE);
  put_operands (self, product.b, b, "", FALSE);
  put_operands (self, product.d, d, "", FALSE);
  g_string_append (self->out, ");");
  text_end (self);
  self->indent--;
  text_put (self, "}");
}

/* Bytes are transposed one by one: there is no instruction for it; the offset is the stride. */
static void
load_bytes_transposed (Writer *self,
                       LsCall *call)
{
  text_put (self, "for (int i = 0; i < 16; ++i)");
  text_begin (self);
  g_string_append (self->out, "  ");
  put_pointer (self, ARG (call, 3), ARG (call, 4));
  g_string_append (self->out, "[i] = ");
  put_pointer (self, ARG (call, 5), NULL);
  g_string_append (self->out, "[(i % 8 / 4 * 16 + (int)threadIdx.x % 4 * 4 + i % 4) * ");
  text_expr (self, ARG (call, 6), 0, PREC_UNARY);
  g_string_append (self->out, " + (int)threadIdx.x / 4 + i / 8 * 8];");
  text_end (self);
}

static void
ldmatrix (Writer *self,
          LsCall *call)
{
  gint64 transposed = 0, matrices = 0;
  g_autofree char *text = NULL, *registers = NULL;

  if (!ls_as_int (ARG (call, 0), &transposed) || !ls_as_int (ARG (call, 1), &matrices) || (matrices != 1 && matrices != 2 && matrices != 4))
    {
      text_refuse (self, "A T.ptx_ldmatrix of other than 1, 2 or 4 matrices");
      return;
    }
  if (transposed != 0 && ls_ptx_pointee (ARG (call, 3)).bits == 8)
    {
      load_bytes_transposed (self, call);
      return;
    }
  text = ls_ptx_ldmatrix ((guint) matrices, transposed != 0);
  text_put (self, "{");
  self->indent++;
  registers = declare_registers (self, "tile", 'r', ARG (call, 3), ARG (call, 4), FALSE);
  text_put (self, "asm volatile(\"%s\"", text);
  text_begin (self);
  g_string_append (self->out, "  : ");
  put_operands (self, (LsPtxRegisters) { (guint) matrices, 'r' }, registers, "=", TRUE);
  g_string_append (self->out, " : \"l\"(");
  put_pointer (self, ARG (call, 5), ARG (call, 6));
  g_string_append (self->out, ") : \"memory\");");
  text_end (self);
  self->indent--;
  text_put (self, "}");
}

static void
copy_async (Writer *self,
            LsCall *call)
{
  gint64 bytes = 0;
  g_autofree char *text = NULL;

  if (!ls_as_int (ARG (call, 4), &bytes) || (bytes != 4 && bytes != 8 && bytes != 16))
    {
      text_refuse (self, "A T.ptx_cp_async of other than 4, 8 or 16 bytes");
      return;
    }
  text = ls_ptx_copy_async ((guint) bytes, call->args->n > 5);
  text_begin (self);
  g_string_append_printf (self->out, "asm volatile(\"%s\" :: \"l\"(", text);
  put_pointer (self, ARG (call, 0), ARG (call, 1));
  g_string_append (self->out, "), \"l\"(");
  put_pointer (self, ARG (call, 2), ARG (call, 3));
  g_string_append_c (self->out, ')');
  if (call->args->n > 5)
    {
      g_string_append (self->out, ", \"r\"((");
      text_expr (self, ARG (call, 5), 0, PREC_UNARY);
      g_string_append_printf (self->out, ") ? %d : 0)", (int) bytes);
    }
  g_string_append (self->out, " : \"memory\");");
  text_end (self);
}

static void
group (Writer *self,
       LsCall *call)
{
  gint64 most = 0;

  if (ls_is_call (call, "tir.ptx_commit_group"))
    text_put (self, "asm volatile(\"cp.async.commit_group;\" ::: \"memory\");");
  else if (call->args->n == 1 && ls_as_int (ARG (call, 0), &most))
    text_put (self, "asm volatile(\"cp.async.wait_group %d;\" ::: \"memory\");", (int) most);
  else
    text_refuse (self, "A T.ptx_wait_group without a number");
}

/* ---- registers without asm ------------------------------------------------------------------------------ */

static void
fill_registers (Writer *self,
                LsCall *call)
{
  text_begin (self);
  g_string_append (self->out, "for (int i = 0; i < ");
  text_expr (self, ARG (call, 0), 0, PREC_SHIFT);
  g_string_append (self->out, "; ++i)");
  text_end (self);
  text_begin (self);
  g_string_append (self->out, "  ");
  put_pointer (self, ARG (call, 1), ARG (call, 2));
  g_string_append (self->out, "[i] = 0;");
  text_end (self);
}

static void
store_registers (Writer *self,
                 LsCall *call)
{
  text_put (self, "for (int i = 0; i < 8; ++i)");
  text_begin (self);
  g_string_append (self->out, "  ");
  put_pointer (self, ARG (call, 2), NULL);
  g_string_append (self->out, "[(i / 2 % 2 * 8 + (int)threadIdx.x / 4) * ");
  text_expr (self, ARG (call, 5), 0, PREC_UNARY);
  g_string_append (self->out, " + i / 4 * 8 + (int)threadIdx.x % 4 * 2 + i % 2] = ");
  put_pointer (self, ARG (call, 3), ARG (call, 4));
  g_string_append (self->out, "[i];");
  text_end (self);
}

/* ---- wmma ------------------------------------------------------------------------------------------------- */

static LsPtxFragment *
fragment_of (Writer *self,
             LsExpr *pointer)
{
  LsPtxFragment *fragment = g_hash_table_lookup (self->fragments, pointer);

  if (fragment != NULL && ls_ptx_fragment_registers (fragment).n > 0)
    return fragment;
  text_refuse (self, fragment == NULL ? LS_TEXT ("A fragment that nobody fills or loads") : LS_TEXT ("A fragment of this shape and type"));
  return NULL;
}

/* "F[2]" */
static void
put_fragment (Writer *self,
              LsExpr *pointer,
              LsExpr *number)
{
  text_expr (self, pointer, 0, PREC_POSTFIX);
  g_string_append_c (self->out, '[');
  text_expr (self, number, 0, PREC_COMMA);
  g_string_append_c (self->out, ']');
}

static void
fragment_call (Writer *self,
               LsCall *call)
{
  gboolean fills = ls_is_call (call, "tir.tvm_fill_fragment"), stores = ls_is_call (call, "tir.tvm_store_matrix_sync");
  LsPtxFragment *fragment = call->args->n >= (fills ? 6u : 8u) ? fragment_of (self, ARG (call, 0)) : NULL;
  gboolean by_column = !fills && call->args->n >= 8 && ls_is (ARG (call, 7), STRING_IMM) && strcmp (((LsStringImm *) ARG (call, 7))->value, "col_major") == 0;

  if (fragment == NULL)
    return;
  text_begin (self);
  g_string_append (self->out, fills ? "nvcuda::wmma::fill_fragment(" : stores ? "nvcuda::wmma::store_matrix_sync(" : "nvcuda::wmma::load_matrix_sync(");
  if (stores)
    {
      put_pointer (self, ARG (call, 5), NULL);
      g_string_append (self->out, ", ");
    }
  put_fragment (self, ARG (call, 0), ARG (call, 4));
  g_string_append (self->out, ", ");
  if (fills)
    {
      g_string_append_printf (self->out, "(%s)", text_memory_type (self, fragment->dtype));
      text_expr (self, ARG (call, 5), 0, PREC_POSTFIX);
    }
  else
    {
      if (!stores)
        {
          put_pointer (self, ARG (call, 5), NULL);
          g_string_append (self->out, ", ");
        }
      text_expr (self, ARG (call, 6), 0, PREC_CHOOSE);
      if (fragment->role == LS_PTX_C)
        g_string_append (self->out, by_column ? ", nvcuda::wmma::mem_col_major" : ", nvcuda::wmma::mem_row_major");
    }
  g_string_append (self->out, ");");
  text_end (self);
}

static void
product (Writer *self,
         LsCall *call)
{
  LsPtxFragment *all[4] = { NULL };
  g_auto (LsPtxProduct) made = { NULL };

  for (guint i = 0; i < 4; i++)
    if (call->args->n != 8 || (all[i] = fragment_of (self, ARG (call, 2 * i))) == NULL)
      return;
  if (!ls_ptx_wmma (all[0], all[1], all[2], all[3], &made))
    text_refuse (self, "A product of these fragments");
  text_begin (self);
  g_string_append (self->out, "nvcuda::wmma::mma_sync(");
  for (guint i = 0; i < 4; i++)
    {
      g_string_append (self->out, i > 0 ? ", " : "");
      put_fragment (self, ARG (call, 2 * i), ARG (call, 2 * i + 1));
    }
  g_string_append (self->out, ");");
  text_end (self);
}

/* ---- the whole ------------------------------------------------------------------------------------------------ */

gboolean
text_declare_fragment (Writer     *self,
                       LsAllocate *node,
                       gint64      elements)
{
  static const char *const ROLES[] = { "matrix_a", "matrix_b", "accumulator" };
  LsPtxFragment *fragment;

  if (!g_str_has_prefix (ls_pointer_scope (node->buffer_var), "wmma."))
    return FALSE;
  if (self->language != LS_TEXT_CUDA || self->is_hip)
    {
      text_refuse (self, "A fragment of tensor cores (%s)", node->buffer_var->name);
      return TRUE;
    }
  fragment = fragment_of (self, (LsExpr *) node->buffer_var);
  if (fragment == NULL)
    return TRUE;
  text_put (self, "nvcuda::wmma::fragment<nvcuda::wmma::%s, %u, %u, %u, %s%s> %s[%" G_GINT64_FORMAT "];", ROLES[fragment->role], fragment->m, fragment->n, fragment->k,
            fragment->role != LS_PTX_C && fragment->dtype.code == LS_TYPE_FLOAT && fragment->dtype.bits == 32 ? "nvcuda::wmma::precision::tf32" : text_memory_type (self, fragment->dtype),
            fragment->role == LS_PTX_C ? "" : fragment->by_column ? ", nvcuda::wmma::col_major" : ", nvcuda::wmma::row_major", text_declare (self, node->buffer_var),
            MAX (elements / ls_ptx_fragment_size (fragment), 1));
  return TRUE;
}

gboolean
text_matrix (Writer *self,
             LsExpr *value)
{
  static const struct { const char *name; guint least; void (*write) (Writer *self, LsCall *call); } CALLS[] = {
    { "tir.tvm_fill_fragment", 6, fragment_call }, { "tir.tvm_load_matrix_sync", 8, fragment_call }, { "tir.tvm_store_matrix_sync", 8, fragment_call },
    { "tir.tvm_mma_sync", 8, product }, { "tir.ptx_mma", 13, mma }, { "tir.ptx_ldmatrix", 7, ldmatrix }, { "tir.mma_fill", 3, fill_registers },
    { "tir.mma_store", 6, store_registers }, { "tir.ptx_cp_async", 5, copy_async }, { "tir.ptx_commit_group", 0, group }, { "tir.ptx_wait_group", 1, group },
  };

  for (guint i = 0; i < G_N_ELEMENTS (CALLS); i++)
    if (ls_is_call (value, CALLS[i].name))
      {
        if (self->language != LS_TEXT_CUDA || self->is_hip)
          text_refuse (self, "T.%s, an instruction of NVIDIA's,", CALLS[i].name + strlen ("tir."));
        else if (((LsCall *) value)->args->n < CALLS[i].least)
          text_refuse (self, "T.%s with %u arguments", CALLS[i].name + strlen ("tir."), ((LsCall *) value)->args->n);
        else
          CALLS[i].write (self, (LsCall *) value);
        return TRUE;
      }
  return FALSE;
}

gboolean
text_async (Writer     *self,
            LsAttrStmt *node)
{
  gboolean waits = ls_is_attr (node, "async_wait_queue_scope");
  gint64 most = waits ? ls_async_inflight (node) : 0;

  if (!waits && !ls_is_attr (node, "async_commit_queue_scope"))
    return FALSE;
  if (self->language != LS_TEXT_CUDA || self->is_hip)
    text_refuse (self, "A group of asynchronous copies");
  if (most < 0)
    text_refuse (self, "A wait for asynchronous copies without a number");
  if (waits)
    text_put (self, "asm volatile(\"cp.async.wait_group %d;\" ::: \"memory\");", (int) most);
  text_stmt (self, node->body);
  if (!waits)
    text_put (self, "asm volatile(\"cp.async.commit_group;\" ::: \"memory\");");
  return TRUE;
}

/* Memory that asm takes by registers of 32 bits or in rows of 16 bytes. */
void
text_note_wide (Writer *self,
                LsExpr *value)
{
  static const struct { const char *name; guint places[3]; guint n; } POINTERS[] = {
    { "tir.ptx_mma", { 6, 8, 10 }, 3 }, { "tir.ptx_ldmatrix", { 3, 5 }, 2 }, { "tir.ptx_cp_async", { 0 }, 1 }, { "tir.tvm_load_matrix_sync", { 5 }, 1 },
    { "tir.tvm_store_matrix_sync", { 5 }, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (POINTERS); i++)
    for (guint k = 0; ls_is_call (value, POINTERS[i].name) && k < POINTERS[i].n; k++)
      {
        LsArray *args = ((LsCall *) value)->args;
        LsNode *pointer = POINTERS[i].places[k] < args->n ? args->items[POINTERS[i].places[k]] : NULL;

        if (pointer != NULL && ls_is_call (pointer, "tir.tvm_access_ptr"))
          pointer = ((LsCall *) pointer)->args->items[1];
        else if (pointer != NULL && ls_is_call (pointer, "tir.address_of") && ls_is (((LsCall *) pointer)->args->items[0], BUFFER_LOAD))
          pointer = LS_NODE (((LsBufferLoad *) ((LsCall *) pointer)->args->items[0])->buffer->data);
        if (pointer != NULL && ls_is_var (pointer))
          g_hash_table_add (self->wide, pointer);
      }
}
