/* dialect: what C, CUDA C, OpenCL C and Metal's C++ differ in. */
#include "engine/codegen/c/text-private.h"

#include <string.h>

G_DEFINE_QUARK (ls-text-error-quark, ls_text_error)

const Dialect ls_text_dialects[] = {
  [LS_TEXT_C] = {
    .header = "#include <assert.h>\n#include <math.h>\n#include <stdbool.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n",
    .helper = "static inline", .shared = NULL, .local = "", .pointer = "", .restricted = "restrict",
    .int8 = "int8_t", .int64 = "int64_t", .uint8 = "uint8_t", .uint16 = "uint16_t", .uint32 = "uint32_t", .uint64 = "uint64_t", .boolean = "bool",
    .half = "_Float16", .f_suffix = TRUE, .has_bool_memory = TRUE,
  },
  [LS_TEXT_CUDA] = {
    .header = "",
    .helper = "static __device__ __forceinline__", .shared = "__shared__ ", .local = "", .pointer = "", .restricted = "__restrict__",
    .barrier = "__syncthreads();", .warp_barrier = "__syncwarp();",
    .axes = { "((int)blockIdx.x)", "((int)blockIdx.y)", "((int)blockIdx.z)", "((int)threadIdx.x)", "((int)threadIdx.y)", "((int)threadIdx.z)" },
    .int8 = "signed char", .int64 = "long long", .uint8 = "unsigned char", .uint16 = "unsigned short", .uint32 = "unsigned int", .uint64 = "unsigned long long",
    .boolean = "bool", .half = "half", .unroll = "#pragma unroll", .f_suffix = TRUE, .has_bool_memory = TRUE,
  },
  [LS_TEXT_OPENCL] = {
    .header = "",
    .helper = "static inline", .shared = "__local ", .local = "", .pointer = "__global ", .restricted = "restrict",
    .barrier = "barrier(CLK_LOCAL_MEM_FENCE);", .warp_barrier = "sub_group_barrier(CLK_LOCAL_MEM_FENCE);",
    .axes = { "((int)get_group_id(0))", "((int)get_group_id(1))", "((int)get_group_id(2))", "((int)get_local_id(0))", "((int)get_local_id(1))", "((int)get_local_id(2))" },
    .int8 = "char", .int64 = "long", .uint8 = "uchar", .uint16 = "ushort", .uint32 = "uint", .uint64 = "ulong", .boolean = "bool", .half = "half",
    .unroll = "#pragma unroll", .f_suffix = FALSE, .has_bool_memory = FALSE,
  },
  [LS_TEXT_METAL] = {
    .header = "#include <metal_stdlib>\nusing namespace metal;\n",
    .helper = "static inline", .shared = "threadgroup ", .local = "", .pointer = "device ", .restricted = "",
    .barrier = "threadgroup_barrier(mem_flags::mem_threadgroup);", .warp_barrier = "simdgroup_barrier(mem_flags::mem_threadgroup);",
    .axes = { "((int)blockIdx.x)", "((int)blockIdx.y)", "((int)blockIdx.z)", "((int)threadIdx.x)", "((int)threadIdx.y)", "((int)threadIdx.z)" },
    .int8 = "char", .int64 = "long", .uint8 = "uchar", .uint16 = "ushort", .uint32 = "uint", .uint64 = "ulong", .boolean = "bool", .half = "half",
    .unroll = "#pragma unroll", .f_suffix = FALSE, .has_bool_memory = TRUE,
  },
};

void
text_refuse (Writer     *self,
             const char *format,
             ...)
{
  va_list args;
  g_autofree char *text = NULL;
  static const char *const LANGUAGES[] = { "C", "CUDA C", "OpenCL C", "Metal's C++" };

  if (self->error != NULL)
    return;
  va_start (args, format);
  text = g_strdup_vprintf (ls_translate (format), args);
  va_end (args);
  self->error = g_error_new (LS_TEXT_ERROR, LS_TEXT_ERROR_UNSUPPORTED, ls_translate ("%s has no form in %s here."), text, LANGUAGES[self->language]);
  if (self->line > 0)
    g_prefix_error (&self->error, ls_translate ("Line %u: "), self->line);
}

const char *
text_type (Writer  *self,
           LsDType  t)
{
  const Dialect *w = self->words;
  const char *name = NULL;

  if (ls_dtype_is_bool (t))
    return w->boolean;
  if (t.code == LS_TYPE_FLOAT)
    name = t.bits == 32 ? "float" : t.bits == 64 && self->language != LS_TEXT_METAL ? "double" : t.bits == 16 ? w->half : NULL;
  else if (t.code == LS_TYPE_INT)
    name = t.bits == 8 ? w->int8 : t.bits == 16 ? (self->language == LS_TEXT_C ? "int16_t" : "short")
           : t.bits == 32 ? (self->language == LS_TEXT_C ? "int32_t" : "int") : t.bits == 64 ? w->int64 : NULL;
  else if (t.code == LS_TYPE_UINT)
    name = t.bits == 8 ? w->uint8 : t.bits == 16 ? w->uint16 : t.bits == 32 ? w->uint32 : t.bits == 64 ? w->uint64 : NULL;
  else if (t.code == LS_TYPE_BFLOAT || t.code == LS_TYPE_E4M3 || t.code == LS_TYPE_E5M2)
    name = self->language != LS_TEXT_CUDA || self->is_hip ? NULL : t.code == LS_TYPE_BFLOAT ? "__nv_bfloat16" : t.code == LS_TYPE_E4M3 ? "__nv_fp8_e4m3" : "__nv_fp8_e5m2";
  else if (t.code == LS_TYPE_HANDLE)
    return "void *";
  if (name == NULL)
    text_refuse (self, "The type %s", ls_dtype_name (t));
  return name != NULL ? name : "int";
}

const char *
text_memory_type (Writer  *self,
                  LsDType  t)
{
  return ls_dtype_is_bool (t) && !self->words->has_bool_memory ? self->words->uint8 : text_type (self, ls_dtype_element (t));
}

/* Bodies of helpers: $T the type, $U its unsigned one, $N the name. */
static const struct { const char *name, *text; } HELPERS[] = {
  { "floordiv", "$T $N($T a, $T b)\n{\n  $T q = a / b;\n\n  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;\n}\n" },
  { "floormod", "$T $N($T a, $T b)\n{\n  $T r = a % b;\n\n  return r != 0 && (r < 0) != (b < 0) ? r + b : r;\n}\n" },
  { "fmaxn", "$T $N($T a, $T b)\n{\n  return a != a || a > b ? a : b;\n}\n" },
  { "fminn", "$T $N($T a, $T b)\n{\n  return a != a || a < b ? a : b;\n}\n" },
  { "max", "$T $N($T a, $T b)\n{\n  return a > b ? a : b;\n}\n" },
  { "min", "$T $N($T a, $T b)\n{\n  return a < b ? a : b;\n}\n" },
  { "add", "$T $N($T a, $T b)\n{\n  return ($T) (($U) a + ($U) b);\n}\n" },
  { "sub", "$T $N($T a, $T b)\n{\n  return ($T) (($U) a - ($U) b);\n}\n" },
  { "mul", "$T $N($T a, $T b)\n{\n  return ($T) (($U) a * ($U) b);\n}\n" },
  { "sigmoid", "$T $N($T a)\n{\n  return 1 / (1 + exp(-a));\n}\n" },
};

const char *
text_helper (Writer     *self,
             const char *name,
             LsDType     t)
{
  g_autofree char *whole = g_strdup_printf ("ls_%s_%c%u", name, t.code == LS_TYPE_FLOAT ? 'f' : t.code == LS_TYPE_UINT ? 'u' : 'i', (guint) t.bits);
  const char *interned = g_intern_string (whole);
  LsDType u = t;
  GString *text;

  if (!g_hash_table_add (self->helpers, (gpointer) interned))
    return interned;
  u.code = LS_TYPE_UINT;
  u.bits = MAX (u.bits, 32);    /* smaller ones would become int */
  text = g_string_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (HELPERS); i++)
    if (strcmp (HELPERS[i].name, name) == 0)
      g_string_append_printf (text, "%s %s\n", self->words->helper, HELPERS[i].text);
  g_string_replace (text, "$N", interned, 0);
  g_string_replace (text, "$T", text_type (self, ls_dtype_element (t)), 0);
  if (strstr (text->str, "$U") != NULL)
    g_string_replace (text, "$U", text_type (self, ls_dtype_element (u)), 0);
  if (t.code == LS_TYPE_FLOAT && t.bits == 32 && self->words->f_suffix)
    g_string_replace (text, "exp(", "expf(", 0);
  g_string_append (self->helper_text, text->str);
  g_string_free (text, TRUE);
  return interned;
}
