/* Methods that make code and show it: compile, llvm, asm.  All take module (text), func, target, contract (true), check-bounds (false). */
#include "app/worker/fast-math.h"
#include "app/worker/program.h"

#include "engine/tir/pass/pass.h"

/* -> kernel (id), function, cpu, times of ls_program_put_times */
static GVariant *
method_compile (LsRequest  *request,
                GVariant   *params,
                GError    **error)
{
  const char *text = ls_params_require_string (params, "module", error);
  g_autoptr (LsProgram) program = text != NULL ? ls_program_build (text, params, NULL, error) : NULL;
  GVariantDict dict;

  if (program == NULL)
    return NULL;
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "kernel", "x", ls_program_keep (program));
  g_variant_dict_insert (&dict, "function", "s", program->name);
  g_variant_dict_insert (&dict, "cpu", "s", program->target->cpu);
  ls_program_put_times (program, &dict);
  return g_variant_dict_end (&dict);
}

/* -> ir (optimised), raw-ir (as emitted), cpu */
static GVariant *
method_llvm (LsRequest  *request,
             GVariant   *params,
             GError    **error)
{
  LsCodegenOptions options = { .want_ir = TRUE, .want_raw_ir = TRUE, .no_object = TRUE };
  const char *text = ls_params_require_string (params, "module", error);
  g_autoptr (LsProgram) program = text != NULL ? ls_program_build (text, params, &options, error) : NULL;
  GVariantDict dict;

  if (program == NULL)
    return NULL;
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "ir", "s", program->object->ir);
  g_variant_dict_insert (&dict, "raw-ir", "s", program->object->raw_ir);
  g_variant_dict_insert (&dict, "cpu", "s", program->target->cpu);
  return g_variant_dict_end (&dict);
}

static GVariant *
list_groups (LsObject *object)
{
  GVariantBuilder builder;
  g_autoptr (GPtrArray) groups = ls_asm_parse (object->assembly, "");

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(usas)"));
  for (guint i = 0; i < groups->len; i++)
    {
      LsAsmGroup *group = groups->pdata[i];

      g_variant_builder_open (&builder, G_VARIANT_TYPE ("(usas)"));
      g_variant_builder_add (&builder, "u", group->line);
      g_variant_builder_add (&builder, "s", group->function);
      g_variant_builder_add_value (&builder, g_variant_new_strv ((const char *const *) group->instructions->pdata, (gssize) group->instructions->len));
      g_variant_builder_close (&builder);
    }
  return g_variant_builder_end (&builder);
}

/* *fast: of how many lines fast mathematics changed the instructions; -1: nobody asks for it. */
static GVariant *
list_remarks (LsProgram *program,
              int       *fast)
{
  LsObject *object = program->object;
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(us)"));
  for (guint i = 0; object->remarks != NULL && i < object->remarks->len; i++)
    {
      LsRemark *remark = &g_array_index (object->remarks, LsRemark, i);

      g_variant_builder_add (&builder, "(us)", remark->line, remark->text);
    }
  *fast = ls_fast_math_remarks (program, &builder);
  return g_variant_builder_end (&builder);
}

/* -> groups a(usas): line of `module` (0: none), function, instructions; remarks a(us): line, sentence; fast-lines (-1: nobody asks
 * for fast mathematics); assembly; cpu */
static GVariant *
method_asm (LsRequest  *request,
            GVariant   *params,
            GError    **error)
{
  LsCodegenOptions options = { .want_asm = TRUE, .debug_lines = TRUE, .remarks = TRUE, .no_object = TRUE };
  const char *text = ls_params_require_string (params, "module", error);
  g_autoptr (LsProgram) program = text != NULL ? ls_program_build (text, params, &options, error) : NULL;
  GVariantDict dict;
  int fast;

  if (program == NULL)
    return NULL;
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, "groups", list_groups (program->object));
  g_variant_dict_insert_value (&dict, "remarks", list_remarks (program, &fast));
  g_variant_dict_insert (&dict, "fast-lines", "i", fast);
  g_variant_dict_insert (&dict, "assembly", "s", program->object->assembly);
  g_variant_dict_insert (&dict, "cpu", "s", program->target->cpu);
  return g_variant_dict_end (&dict);
}

/* module, func, target (of a device) -> assembly: PTX or AMD's; llvm; functions as */
static GVariant *
method_kernels (LsRequest  *request,
                GVariant   *params,
                GError    **error)
{
  const char *text = ls_params_require_string (params, "module", error);
  g_autoptr (LsProgram) program = text != NULL ? ls_program_read (text, params, error) : NULL;
  g_autoptr (LsDeviceTarget) target = program != NULL ? ls_device_target_parse (ls_params_string (params, "target", "cuda"), error) : NULL;
  g_autoptr (LsPrimFunc) lowered = target != NULL ? ls_lower_device (program->func, target, NULL, NULL, error) : NULL;
  g_autoptr (LsObject) object = lowered != NULL ? ls_codegen_kernels (program->name, lowered, target, error) : NULL;
  GVariantDict dict;

  if (object == NULL)
    return NULL;
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "assembly", "s", object->assembly);
  g_variant_dict_insert (&dict, "llvm", "s", object->ir);
  g_variant_dict_insert (&dict, "arch", "s", target->arch);
  g_variant_dict_insert_value (&dict, "functions", g_variant_new_strv ((const char *const *) object->functions, -1));
  return g_variant_dict_end (&dict);
}

const LsMethod ls_methods_code[] = {
  { "compile", method_compile, "Makes machine code of a function and keeps it." },
  { "llvm", method_llvm, "LLVM's intermediate code of a function." },
  { "asm", method_asm, "Machine code of a function by lines of its text." },
  { "kernels", method_kernels, "A function's kernels as assembly text of a GPU." },
  { NULL, NULL, NULL },
};
