/* ptx: texts of instructions, by the tables of NVIDIA's PTX manual (warp-level matrix instructions, cp.async). */
#include "engine/codegen/c/ptx.h"
#include "engine/tir/pass/parts.h"

#include <stdio.h>
#include <string.h>

void
ls_ptx_product_clear (LsPtxProduct *self)
{
  g_clear_pointer (&self->text, g_free);
}

/* "{%4, %5}" */
static void
put_registers (GString *out,
               guint    first,
               guint    n)
{
  g_string_append_c (out, '{');
  for (guint i = 0; i < n; i++)
    g_string_append_printf (out, "%s%%%u", i > 0 ? ", " : "", first + i);
  g_string_append_c (out, '}');
}

/* d, a, b, c behind the name of the instruction. */
static char *
product_text (const char         *instruction,
              const LsPtxProduct *p)
{
  GString *text = g_string_new (instruction);
  guint sizes[] = { p->d.n, p->a.n, p->b.n, p->d.n };

  for (guint i = 0, first = 0; i < G_N_ELEMENTS (sizes); first += sizes[i++])
    {
      g_string_append (text, i > 0 ? ", " : " ");
      put_registers (text, first, sizes[i]);
    }
  g_string_append_c (text, ';');
  return g_string_free (text, FALSE);
}

LsDType
ls_ptx_pointee (LsExpr *pointer)
{
  LsNode *type = ls_is_var (pointer) ? (LsNode *) ((LsVar *) pointer)->type_annotation : NULL;
  LsNode *first = ls_is (pointer, CALL) && ((LsCall *) pointer)->args->n > 0 ? ((LsCall *) pointer)->args->items[0] : NULL;

  if (ls_is (type, POINTER_TYPE) && ls_is (((LsPointerType *) type)->element_type, PRIM_TYPE))
    return ls_dtype_element (((LsPrimType *) ((LsPointerType *) type)->element_type)->dtype);
  if (ls_is_call (pointer, "tir.tvm_access_ptr"))
    return ls_dtype (first);
  if (ls_is_call (pointer, "tir.address_of") && ls_is (first, BUFFER_LOAD))
    return ls_dtype_element (((LsBufferLoad *) first)->buffer->dtype);
  return LS_VOID;
}

/* ---- mma.sync ----------------------------------------------------------------------------------- */

/* Names of types in T.ptx_mma and in PTX. */
static const struct { const char *name, *ptx; guint bits; } TYPES[] = {
  { "fp16", "f16", 16 }, { "bf16", "bf16", 16 }, { "tf32", "tf32", 32 }, { "fp32", "f32", 32 }, { "fp64", "f64", 64 }, { "int8", "s8", 8 }, { "uint8", "u8", 8 },
  { "int32", "s32", 32 }, { "float16", "f16", 16 }, { "float32", "f32", 32 }, { "float64", "f64", 64 }, { "bfloat16", "bf16", 16 },
};

/* What there is: shape, types of factors, types of sums, architecture. */
static const struct { const char *shape, *factors, *sums; guint arch; } MMA[] = {
  { "m16n8k8", "f16", "f16 f32", 75 }, { "m16n8k16", "f16", "f16 f32", 80 }, { "m16n8k8", "bf16", "f32", 80 }, { "m16n8k16", "bf16", "f32", 80 },
  { "m16n8k4", "tf32", "f32", 80 }, { "m16n8k8", "tf32", "f32", 80 }, { "m8n8k4", "f64", "f64", 80 },
  { "m8n8k16", "s8 u8", "s32", 75 }, { "m16n8k16", "s8 u8", "s32", 80 }, { "m16n8k32", "s8 u8", "s32", 80 },
};

static gboolean
is_among (const char *list,
          const char *word)
{
  g_auto (GStrv) words = g_strsplit (list, " ", -1);

  return g_strv_contains ((const char *const *) words, word);
}

static const char *
string_of (LsArray *args,
           guint    i)
{
  return ls_is (args->items[i], STRING_IMM) ? ((LsStringImm *) args->items[i])->value : "";
}

static LsPtxRegisters
registers_of (guint       elements,
              const char *type,
              guint       bits)
{
  if (strcmp (type, "f64") == 0)
    return (LsPtxRegisters) { elements / 32, 'd' };
  if (strcmp (type, "f32") == 0)
    return (LsPtxRegisters) { elements / 32, 'f' };
  return (LsPtxRegisters) { elements * bits / 32 / 32, 'r' };
}

gboolean
ls_ptx_mma (LsCall       *call,
            LsPtxProduct *product)
{
  LsArray *args = call->args;
  const char *types[3] = { NULL }, *shape;
  guint bits[3] = { 0 }, m, n, k;
  gint64 saturates = 0;
  g_autofree char *instruction = NULL;

  memset (product, 0, sizeof *product);
  if (args->n < 13 || sscanf (string_of (args, 0), "m%un%uk%u", &m, &n, &k) != 3 || strcmp (string_of (args, 1), "row") != 0 || strcmp (string_of (args, 2), "col") != 0)
    return FALSE;
  shape = string_of (args, 0);
  for (guint i = 0; i < 3; i++)
    for (guint t = 0; t < G_N_ELEMENTS (TYPES); t++)
      if (strcmp (TYPES[t].name, string_of (args, 3 + i)) == 0)
        {
          types[i] = TYPES[t].ptx;
          bits[i] = TYPES[t].bits;
        }
  for (guint i = 0; i < G_N_ELEMENTS (MMA) && types[0] != NULL && types[1] != NULL && types[2] != NULL; i++)
    if (strcmp (MMA[i].shape, shape) == 0 && is_among (MMA[i].factors, types[0]) && is_among (MMA[i].factors, types[1]) && is_among (MMA[i].sums, types[2]))
      product->arch = MMA[i].arch;
  if (product->arch == 0)
    return FALSE;
  ls_as_int (args->items[12], &saturates);
  product->d = registers_of (m * n, types[2], bits[2]);
  product->a = registers_of (m * k, strcmp (types[0], "f32") == 0 ? "tf32" : types[0], bits[0]);
  product->b = registers_of (k * n, strcmp (types[1], "f32") == 0 ? "tf32" : types[1], bits[1]);
  instruction = g_strdup_printf ("mma.sync.aligned.%s.row.col%s.%s.%s.%s.%s", shape, saturates != 0 && strcmp (types[2], "s32") == 0 ? ".satfinite" : "", types[2], types[0],
                                 types[1], types[2]);
  product->text = product_text (instruction, product);
  return TRUE;
}

/* ---- wmma ------------------------------------------------------------------------------------------- */

static LsWalk
note_fragment (LsNode  *node,
               gpointer data)
{
  GHashTable *fragments = data;
  LsCall *call = (LsCall *) node;
  gboolean fills = ls_is_call (node, "tir.tvm_fill_fragment"), stores = ls_is_call (node, "tir.tvm_store_matrix_sync");
  gint64 m, n, k;
  LsPtxFragment *known;
  const char *scope;
  LsDType dtype;

  if (!fills && !stores && !ls_is_call (node, "tir.tvm_load_matrix_sync"))
    return LS_WALK_CONTINUE;
  if (call->args->n < (fills ? 6u : 8u) || !ls_is_var (call->args->items[0]) || !ls_as_int (call->args->items[1], &m) || !ls_as_int (call->args->items[2], &n)
      || !ls_as_int (call->args->items[3], &k))
    return LS_WALK_CONTINUE;
  dtype = ls_ptx_pointee (ls_array_at (call->args, 0, LsExpr));
  if (ls_dtype_is_void (dtype))
    return LS_WALK_CONTINUE;
  known = g_hash_table_lookup (fragments, call->args->items[0]);
  if (known == NULL)
    {
      known = g_new0 (LsPtxFragment, 1);
      g_hash_table_insert (fragments, call->args->items[0], known);
      scope = ls_pointer_scope ((LsVar *) call->args->items[0]);
      known->role = strcmp (scope, "wmma.matrix_a") == 0 ? LS_PTX_A : strcmp (scope, "wmma.matrix_b") == 0 ? LS_PTX_B : LS_PTX_C;
      known->m = (guint) m;
      known->n = (guint) n;
      known->k = (guint) k;
      known->dtype = dtype;
    }
  if (!fills && !stores)
    known->by_column = strcmp (string_of (call->args, 7), "col_major") == 0;
  return LS_WALK_CONTINUE;
}

GHashTable *
ls_ptx_fragments (LsStmt *body)
{
  GHashTable *fragments = g_hash_table_new_full (NULL, NULL, NULL, g_free);

  ls_walk (body, note_fragment, NULL, fragments);
  return fragments;
}

guint
ls_ptx_fragment_size (const LsPtxFragment *self)
{
  return self->role == LS_PTX_A ? self->m * self->k : self->role == LS_PTX_B ? self->k * self->n : self->m * self->n;
}

static const char *
wmma_type (const LsPtxFragment *self)
{
  LsDType t = self->dtype;

  if (t.code == LS_TYPE_FLOAT)
    return t.bits == 16 ? "f16" : t.bits == 64 ? "f64" : t.bits == 32 ? (self->role == LS_PTX_C ? "f32" : "tf32") : NULL;
  if (t.code == LS_TYPE_BFLOAT)
    return "bf16";
  if (t.code == LS_TYPE_INT || t.code == LS_TYPE_UINT)
    return t.bits == 8 ? (t.code == LS_TYPE_INT ? "s8" : "u8") : t.bits == 32 && self->role == LS_PTX_C ? "s32" : NULL;
  return NULL;
}

LsPtxRegisters
ls_ptx_fragment_registers (const LsPtxFragment *self)
{
  const char *type = wmma_type (self);
  guint bits = self->dtype.bits, m = self->m, n = self->n, k = self->k;
  gboolean wide = (m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32);

  if (type == NULL)
    return (LsPtxRegisters) { 0, 'r' };
  if (self->role == LS_PTX_C)
    return wide && (k == 16 || k == 8) ? registers_of (m * n, type, bits) : m == 8 && n == 8 && k == 4 ? (LsPtxRegisters) { 2, 'd' } : (LsPtxRegisters) { 0, 'r' };
  if (strcmp (type, "f16") == 0)
    return (LsPtxRegisters) { wide && k == 16 ? 8 : 0, 'r' };   /* each element twice in some shapes */
  if (strcmp (type, "f64") == 0)
    return (LsPtxRegisters) { m == 8 && n == 8 && k == 4 ? 1 : 0, 'd' };
  if (strcmp (type, "tf32") == 0)
    return (LsPtxRegisters) { m == 16 && n == 16 && k == 8 ? 4 : 0, 'r' };
  return (LsPtxRegisters) { wide && k == 16 ? ls_ptx_fragment_size (self) * bits / 32 / 32 : 0, 'r' };
}

static guint
wmma_arch (const char *type)
{
  return strcmp (type, "f16") == 0 ? 70 : strcmp (type, "s8") == 0 || strcmp (type, "u8") == 0 ? 72 : 80;
}

gboolean
ls_ptx_wmma (const LsPtxFragment *d,
             const LsPtxFragment *a,
             const LsPtxFragment *b,
             const LsPtxFragment *c,
             LsPtxProduct        *product)
{
  const LsPtxFragment *all[] = { d, a, b, c };
  const char *types[4];
  g_autofree char *instruction = NULL;

  memset (product, 0, sizeof *product);
  for (guint i = 0; i < 4; i++)
    {
      if (all[i] == NULL || all[i]->m != a->m || all[i]->n != a->n || all[i]->k != a->k || ls_ptx_fragment_registers (all[i]).n == 0)
        return FALSE;
      types[i] = wmma_type (all[i]);
    }
  product->d = ls_ptx_fragment_registers (d);
  product->a = ls_ptx_fragment_registers (a);
  product->b = ls_ptx_fragment_registers (b);
  product->arch = wmma_arch (types[1]);
  if (a->role != LS_PTX_A || b->role != LS_PTX_B || c->role != LS_PTX_C || d->role != LS_PTX_C || ls_ptx_fragment_registers (c).n != product->d.n)
    return FALSE;
  instruction = strcmp (types[1], "f16") == 0
                ? g_strdup_printf ("wmma.mma.sync.aligned.%s.%s.m%un%uk%u.%s.%s", a->by_column ? "col" : "row", b->by_column ? "col" : "row", a->m, a->n, a->k, types[0], types[3])
                : g_strdup_printf ("wmma.mma.sync.aligned.%s.%s.m%un%uk%u.%s.%s.%s.%s", a->by_column ? "col" : "row", b->by_column ? "col" : "row", a->m, a->n, a->k, types[0],
                                   types[1], types[2], types[3]);
  product->text = product_text (instruction, product);
  return TRUE;
}

char *
ls_ptx_wmma_load (const LsPtxFragment *self,
                  gboolean             by_column)
{
  static const char *const ROLES[] = { "a", "b", "c" };
  guint n = ls_ptx_fragment_registers (self).n;
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "wmma.load.%s.sync.aligned.%s.m%un%uk%u.%s ", ROLES[self->role], by_column ? "col" : "row", self->m, self->n, self->k, wmma_type (self));
  put_registers (text, 0, n);
  g_string_append_printf (text, ", [%%%u], %%%u;", n, n + 1);
  return g_string_free (text, FALSE);
}

char *
ls_ptx_wmma_store (const LsPtxFragment *self,
                   gboolean             by_column)
{
  guint n = ls_ptx_fragment_registers (self).n;
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "wmma.store.d.sync.aligned.%s.m%un%uk%u.%s [%%%u], ", by_column ? "col" : "row", self->m, self->n, self->k, wmma_type (self), n);
  put_registers (text, 0, n);
  g_string_append_printf (text, ", %%%u;", n + 1);
  return g_string_free (text, FALSE);
}

/* ---- others -------------------------------------------------------------------------------------------- */

char *
ls_ptx_ldmatrix (guint    matrices,
                 gboolean transposed)
{
  GString *text = g_string_new ("{ .reg .u64 p; cvta.to.shared.u64 p, ");

  g_string_append_printf (text, "%%%u; ldmatrix.sync.aligned.m8n8.x%u%s.shared.b16 ", matrices, matrices, transposed ? ".trans" : "");
  put_registers (text, 0, matrices);
  g_string_append (text, ", [p]; }");
  return g_string_free (text, FALSE);
}

char *
ls_ptx_copy_async (guint    bytes,
                   gboolean with_size)
{
  return g_strdup_printf ("{ .reg .u64 p, q; cvta.to.shared.u64 p, %%0; cvta.to.global.u64 q, %%1; cp.async.%s.shared.global [p], [q], %u%s; }", bytes == 16 ? "cg" : "ca", bytes,
                          with_size ? ", %2" : "");
}
