/* The method optimise: the LLVM IR of a function before and after each of LLVM's passes. */
#include "app/worker/program.h"
#include "app/worker/stages.h"

/* Without what says nothing to people: numbers of metadata and of groups of attributes, and the way to a comment in column 50. */
static char *
bare (const char *text)
{
  static GRegex *noise, *way;
  g_autofree char *short_text = NULL;

  if (noise == NULL)
    {
      noise = g_regex_new ("(,? ![a-zA-Z_.]+ !\\d+)+| #\\d+", G_REGEX_OPTIMIZE, 0, NULL);
      way = g_regex_new (" {3,}; preds", G_REGEX_OPTIMIZE, 0, NULL);
    }
  short_text = g_regex_replace_literal (noise, text, -1, 0, "", 0, NULL);
  return g_regex_replace_literal (way, short_text, -1, 0, "  ; preds", 0, NULL);
}

/* module, func, target -> function s; stages as of ls_stages_end(), without places; cpu s */
static GVariant *
method_optimise (LsRequest  *request,
                 GVariant   *params,
                 GError    **error)
{
  LsCodegenOptions options = { .want_passes = TRUE, .no_object = TRUE };
  const char *text = ls_params_require_string (params, "module", error);
  g_autoptr (LsProgram) program = text != NULL ? ls_program_build (text, params, &options, error) : NULL;
  g_autoptr (LsStages) stages = ls_stages_new ();
  GVariantDict dict;

  if (program == NULL)
    return NULL;
  for (guint i = 0; i < program->object->passes->len; i++)
    {
      const LsLlvmPass *pass = &g_array_index (program->object->passes, LsLlvmPass, i);

      ls_stages_add (stages, pass->name, pass->ns, NULL, pass->text != NULL ? bare (pass->text) : NULL, NULL);
    }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "function", "s", program->name);
  g_variant_dict_insert (&dict, "cpu", "s", program->target->cpu);
  g_variant_dict_insert_value (&dict, "stages", ls_stages_end (stages, LS_STAGES_MOST));
  return g_variant_dict_end (&dict);
}

const LsMethod ls_methods_optimise[] = {
  { "optimise", method_optimise, "LLVM IR before and after each of LLVM's passes." },
  { NULL, NULL, NULL },
};
