/* text: functions and kernels as text. */
#include "engine/codegen/c/ptx.h"
#include "engine/codegen/c/text-private.h"
#include "engine/ir/functions.h"
#include "engine/tir/pass/pass.h"

#include <inttypes.h>
#include <string.h>

void
ls_device_text_free (LsDeviceText *self)
{
  if (self == NULL)
    return;
  g_free (self->text);
  g_clear_pointer (&self->lines, g_array_unref);
  g_strfreev (self->functions);
  g_free (self);
}

/* ---- parameters ------------------------------------------------------------------------------- */

typedef struct { Writer *self; gint64 threads; } Scan;

static LsWalk
scan (LsNode  *node,
      gpointer data)
{
  Scan *found = data;
  LsAttrStmt *attr = (LsAttrStmt *) node;
  gint64 extent;

  if (ls_is (node, BUFFER_STORE) && found->self->language == LS_TEXT_CUDA && text_copies (found->self, (LsBufferStore *) node) > 0)
    {
      g_hash_table_add (found->self->wide, ((LsBufferStore *) node)->buffer->data);
      g_hash_table_add (found->self->wide, ((LsBufferLoad *) ((LsBufferStore *) node)->value)->buffer->data);
    }
  if (ls_is (node, CALL))
    text_note_wide (found->self, (LsExpr *) node);
  if (!ls_is (node, ATTR_STMT))
    return LS_WALK_CONTINUE;
  if (strcmp (attr->attr_key, "volatile_scope") == 0)
    g_hash_table_add (found->self->quick, attr->subject);
  if (strcmp (attr->attr_key, "thread_extent") == 0 && ls_is (attr->subject, ITER_VAR) && g_str_has_prefix (((LsIterVar *) attr->subject)->thread_tag, "threadIdx")
      && found->threads > 0)
    found->threads = ls_as_int (attr->value, &extent) ? found->threads * extent : 0;
  return LS_WALK_CONTINUE;
}

typedef struct { LsVar *var; gboolean written, read; } Use;

static LsWalk
find_use (LsNode  *node,
          gpointer data)
{
  Use *use = data;

  if (ls_is (node, BUFFER_STORE) && ((LsBufferStore *) node)->buffer->data == use->var)
    use->written = TRUE;
  if (ls_is (node, BUFFER_LOAD) && ((LsBufferLoad *) node)->buffer->data == use->var)
    use->read = TRUE;
  /* where a pointer goes something may be written: T.call_extern ("int32", "atomicAdd", T.address_of (H[i]), 1) */
  if (ls_is (node, CALL) && ls_uses (node, use->var))
    use->written = TRUE;
  if (ls_is_call (node, "tir.address_of") && ls_is (((LsCall *) node)->args->items[0], BUFFER_LOAD)
      && ls_array_at (((LsCall *) node)->args, 0, LsBufferLoad)->buffer->data == use->var)
    use->written = TRUE;
  return LS_WALK_CONTINUE;
}

static LsDType
pointee_of (LsVar *var)
{
  LsNode *type = (LsNode *) var->type_annotation;

  if (ls_is (type, POINTER_TYPE) && ls_is (((LsPointerType *) type)->element_type, PRIM_TYPE))
    return ((LsPrimType *) ((LsPointerType *) type)->element_type)->dtype;
  return LS_FLOAT32;
}

/* Metal's parameters say where they are. */
static void
put_place (Writer *self,
           guint   i)
{
  if (self->language == LS_TEXT_METAL)
    g_string_append_printf (self->out, " [[ buffer(%u) ]]", i);
}

/* A parameter that is one number. */
static void
put_number (Writer *self,
            LsVar  *param,
            guint   i)
{
  const char *type = text_type (self, ls_dtype (param));

  g_string_append_printf (self->out, self->language == LS_TEXT_METAL ? "constant %s& %s" : "%s %s", type, text_declare (self, param));
  put_place (self, i);
}

static void
put_parameter (Writer     *self,
               LsPrimFunc *func,
               guint       i)
{
  LsVar *param = ls_array_at (func->params, i, LsVar);
  LsBuffer *buffer = ls_prim_func_get_buffer (func, i);
  LsVar *data = buffer != NULL ? buffer->data : param;
  LsDType t = buffer != NULL ? buffer->dtype : pointee_of (param);
  Use use = { data, FALSE, FALSE };

  if (i > 0)
    g_string_append (self->out, ", ");
  if (buffer == NULL && ls_dtype (param).code != LS_TYPE_HANDLE)
    {
      put_number (self, param, i);
      return;
    }
  ls_walk (func->body, find_use, NULL, &use);
  text_points_to (self, data, t, self->words->pointer);
  g_string_append_printf (self->out, "%s%s%s", self->words->pointer, use.written ? "" : "const ", text_memory_type (self, t));
  if (ls_map_get (func->attrs, "tir.noalias") != NULL || self->language != LS_TEXT_C)
    g_string_append_printf (self->out, " *%s %s", self->words->restricted, text_declare (self, data));
  else
    g_string_append_printf (self->out, "* %s", text_declare (self, data));
  put_place (self, i);
}

/* Sizes of the signature that are variables come behind the arrays, each once. */
static void
put_sizes (Writer     *self,
           LsPrimFunc *func)
{
  guint n = func->params->n;

  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);

      for (guint k = 0; buffer != NULL && k < buffer->shape->n; k++)
        {
          LsVar *var = (LsVar *) buffer->shape->items[k];

          if (!ls_is_var (var) || g_hash_table_contains (self->names, var))
            continue;
          g_string_append (self->out, ", ");
          put_number (self, var, n++);
        }
    }
}

static void
put_function (Writer     *self,
              const char *name,
              LsPrimFunc *func,
              gboolean    is_kernel)
{
  Scan found = { self, 1 };

  g_hash_table_remove_all (self->names);
  g_hash_table_remove_all (self->types);
  g_hash_table_remove_all (self->taken);
  g_hash_table_remove_all (self->quick);
  g_hash_table_remove_all (self->wide);
  ls_walk (func->body, scan, NULL, &found);
  g_clear_pointer (&self->fragments, g_hash_table_unref);
  self->fragments = ls_ptx_fragments (func->body);
  self->line = 0;
  if (!is_kernel)
    g_string_append_printf (self->out, "void %s(", name);
  else if (self->language == LS_TEXT_OPENCL)
    g_string_append_printf (self->out, "__kernel void %s(", name);
  else if (self->language == LS_TEXT_METAL)
    g_string_append_printf (self->out, "kernel void %s(", name);
  else if (found.threads > 1)
    g_string_append_printf (self->out, "extern \"C\" __global__ void __launch_bounds__(%" G_GINT64_FORMAT ") %s(", found.threads, name);
  else
    g_string_append_printf (self->out, "extern \"C\" __global__ void %s(", name);
  for (guint i = 0; i < func->params->n; i++)
    put_parameter (self, func, i);
  put_sizes (self, func);
  if (self->language == LS_TEXT_METAL)
    g_string_append_printf (self->out, "%suint3 blockIdx [[threadgroup_position_in_grid]], uint3 threadIdx [[thread_position_in_threadgroup]]",
                            func->params->n > 0 ? ", " : "");
  else if (func->params->n == 0)
    g_string_append (self->out, "void");
  g_string_append (self->out, ")");
  text_end (self);
  text_put (self, "{");
  self->indent = 1;
  text_shared (self, func->body);
  text_stmt (self, func->body);
  self->indent = 0;
  text_put (self, "}");
}

/* ---- the whole -------------------------------------------------------------------------------------- */

static void
writer_init (Writer         *self,
             LsTextLanguage  language)
{
  memset (self, 0, sizeof *self);
  self->language = language;
  self->words = &ls_text_dialects[language];
  self->out = g_string_new (NULL);
  self->lines = g_array_new (FALSE, FALSE, sizeof (guint));
  self->names = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->types = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->taken = g_hash_table_new (g_str_hash, g_str_equal);
  self->quick = g_hash_table_new (NULL, NULL);
  self->wide = g_hash_table_new (NULL, NULL);
  self->externs = g_hash_table_new (g_str_hash, g_str_equal);
  self->helpers = g_hash_table_new (g_str_hash, g_str_equal);
  self->helper_text = g_string_new (NULL);
}

static guint
count_lines (const char *text)
{
  guint n = 0;

  for (; *text != 0; text++)
    n += *text == '\n';
  return n;
}

/* Header and helpers before the functions; their lines come from nowhere. */
static LsDeviceText *
writer_finish (Writer     *self,
               GPtrArray  *functions,
               const char *header,
               GError    **error)
{
  LsDeviceText *result = NULL;

  if (self->error == NULL)
    {
      g_autofree char *head = g_strconcat (header, self->words->header, *header != 0 || *self->words->header != 0 ? "\n" : "", self->helper_text->str, NULL);
      guint n = count_lines (head), zero = 0;

      for (guint i = 0; i < n; i++)
        g_array_prepend_val (self->lines, zero);
      result = g_new0 (LsDeviceText, 1);
      result->language = self->language;
      result->text = g_strconcat (head, self->out->str, NULL);
      result->lines = g_array_ref (self->lines);
      g_ptr_array_add (functions, NULL);
      result->functions = g_strdupv ((char **) functions->pdata);
    }
  else
    g_propagate_error (error, self->error);
  g_string_free (self->out, TRUE);
  g_string_free (self->helper_text, TRUE);
  g_array_unref (self->lines);
  g_hash_table_unref (self->names);
  g_hash_table_unref (self->types);
  g_hash_table_unref (self->taken);
  g_hash_table_unref (self->quick);
  g_hash_table_unref (self->wide);
  g_hash_table_unref (self->externs);
  g_hash_table_unref (self->helpers);
  g_clear_pointer (&self->fragments, g_hash_table_unref);
  return result;
}

/* Divisions as the language has them, where signs are known. */
static LsPrimFunc *
with_divisions (LsPrimFunc *func,
                GError    **error)
{
  return ls_pass_get ("LowerIntrin")->run (func, error);
}

static gboolean
uses_half (const char *text)
{
  return strstr (text, "half ") != NULL || strstr (text, "(half)") != NULL;
}

gboolean
ls_check_static_shared (const char            *kernel,
                        LsPrimFunc            *func,
                        const LsDeviceTarget  *target,
                        GError               **error)
{
  gint64 bytes = ls_static_shared_bytes (func->body), most = ls_device_target_most_static (target);

  if (most > 0 && bytes > most)
    g_set_error (error, LS_TEXT_ERROR, LS_TEXT_ERROR_UNSUPPORTED, ls_translate ("%s has %" PRId64 " bytes of memory of the scope \"shared\" in a block; NVIDIA's assembler takes "
                 "at most %" PRId64 ", more of them only of the scope \"shared.dyn\"."), kernel, bytes, most);
  return most == 0 || bytes <= most;
}

/* Dynamic shared memory is one piece: the size that a launch asks for.  (transfer full) */
static LsModule *
with_merged_memory (LsModule    *split,
                    const char  *host,
                    GError     **error)
{
  g_autoptr (LsModuleBuilder) result = ls_module_builder_new (split);

  for (guint i = 0; i < split->functions->n; i++)
    {
      const char *kernel = ls_array_at (split->global_vars, i, LsGlobalVar)->name_hint;
      g_autoptr (LsPrimFunc) merged = NULL;

      if (!ls_is (split->functions->items[i], PRIM_FUNC) || strcmp (kernel, host) == 0)
        continue;
      merged = ls_merge_dynamic_shared (ls_array_at (split->functions, i, LsPrimFunc), error);
      if (merged == NULL)
        return NULL;
      ls_module_builder_put (result, kernel, merged);
    }
  return ls_module_builder_finish (g_steal_pointer (&result));
}

LsModule *
ls_device_split (const char  *name,
                 LsPrimFunc  *lowered,
                 GError     **error)
{
  g_autoptr (LsModule) empty = ls_module_new (ls_array_empty (), ls_array_empty (), NULL, NULL);
  g_autoptr (LsModule) module = ls_module_with (empty, name, lowered);
  g_autoptr (LsModule) marked = ls_pass_run_module (ls_pass_get ("AnnotateDeviceRegions"), module, error);
  g_autoptr (LsModule) split = marked != NULL ? ls_pass_run_module (ls_pass_get ("SplitHostDevice"), marked, error) : NULL;

  return split != NULL ? with_merged_memory (split, name, error) : NULL;
}

LsDeviceText *
ls_device_text_new (const char            *name,
                    LsPrimFunc            *lowered,
                    const LsDeviceTarget  *target,
                    GError               **error)
{
  g_autoptr (LsModule) module = ls_device_split (name, lowered, error);
  g_autoptr (GPtrArray) functions = g_ptr_array_new ();
  LsString *note = (LsString *) ls_map_get (lowered->attrs, LS_DEVICE_NOTE);
  g_autofree char *header = NULL;
  GString *headers;
  Writer self;

  if (module == NULL)
    return NULL;
  headers = g_string_new (NULL);
  if (ls_is (note, STRING))
    g_string_append_printf (headers, "// %s\n", note->value);
  writer_init (&self, strcmp (target->kind, "opencl") == 0 ? LS_TEXT_OPENCL : strcmp (target->kind, "metal") == 0 ? LS_TEXT_METAL : LS_TEXT_CUDA);
  self.is_hip = strcmp (target->kind, "rocm") == 0;
  if (strcmp (target->kind, "vulkan") == 0 || strcmp (target->kind, "webgpu") == 0)
    text_refuse (&self, "A kernel for %s", target->kind);
  for (guint i = 0; i < module->functions->n && self.error == NULL; i++)
    {
      const char *kernel = ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint;
      g_autoptr (LsPrimFunc) func = NULL;

      if (!ls_is (module->functions->items[i], PRIM_FUNC) || strcmp (kernel, name) == 0)
        continue;
      func = with_divisions (ls_array_at (module->functions, i, LsPrimFunc), &self.error);
      if (func != NULL && (self.language != LS_TEXT_CUDA || self.is_hip))
        ls_take (&func, ls_pass_bf16_storage_legalize (func, &self.error));
      if (func != NULL && (self.language != LS_TEXT_CUDA || self.is_hip))
        ls_take (&func, ls_legalize_fp8 (func));
      if (func == NULL)
        break;
      if (functions->len > 0)
        text_end (&self);
      g_ptr_array_add (functions, (gpointer) kernel);
      if (!ls_check_static_shared (kernel, func, target, &self.error))
        break;
      put_function (&self, kernel, func, TRUE);
    }
  if (self.error == NULL && functions->len == 0)
    text_refuse (&self, "A function without a loop that is bound to threads");
  if (strstr (self.out->str, "nvcuda::wmma") != NULL)
    g_string_append (headers, "#include <cuda_fp16.h>\n#include <mma.h>\n");
  else if (uses_half (self.out->str) && self.language != LS_TEXT_METAL)
    g_string_append (headers, self.language == LS_TEXT_OPENCL ? "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                              : strcmp (target->kind, "rocm") == 0 ? "#include <hip/hip_fp16.h>\n" : "#include <cuda_fp16.h>\n");
  if (strstr (self.out->str, "__nv_bfloat16") != NULL)
    g_string_append (headers, "#include <cuda_bf16.h>\n");
  if (strstr (self.out->str, "__nv_fp8_") != NULL)
    g_string_append (headers, "#include <cuda_fp8.h>\n");
  header = g_string_free (headers, FALSE);
  return writer_finish (&self, functions, header, error);
}

static LsWalk
find_call (LsNode  *node,
           gpointer data)
{
  gboolean *calls = data;

  *calls = *calls || (ls_is (node, CALL) && ls_is (((LsCall *) node)->op, GLOBAL_VAR));
  return *calls ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

LsDeviceText *
ls_c_text_new (LsModule  *lowered,
               GError   **error)
{
  g_autoptr (GPtrArray) functions = g_ptr_array_new ();
  g_autoptr (GString) declared = g_string_new (NULL);
  gboolean calls = FALSE;
  Writer self;

  writer_init (&self, LS_TEXT_C);
  for (guint i = 0; i < lowered->functions->n && self.error == NULL; i++)
    {
      const char *name = ls_array_at (lowered->global_vars, i, LsGlobalVar)->name_hint;
      g_autoptr (LsPrimFunc) func = NULL;
      gsize start;

      if (!ls_is (lowered->functions->items[i], PRIM_FUNC))
        continue;
      func = with_divisions (ls_array_at (lowered->functions, i, LsPrimFunc), &self.error);
      if (func == NULL)
        break;
      ls_take (&func, ls_legalize_fp8 (func));
      if (strcmp (name, "main") == 0)
        name = "main_";
      if (functions->len > 0)
        text_end (&self);
      g_ptr_array_add (functions, (gpointer) name);
      start = self.out->len;
      put_function (&self, name, func, FALSE);
      ls_walk (func->body, find_call, NULL, &calls);
      g_string_append_printf (declared, "%.*s;\n", (int) strcspn (self.out->str + start, "\n"), self.out->str + start);
    }
  if (calls)                    /* a function may be called before it is there */
    g_string_append_printf (self.helper_text, "%s\n", declared->str);
  return writer_finish (&self, functions, "", error);
}
