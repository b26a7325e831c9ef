/* fast-math: what fast mathematics changed in machine code, line by line.
 *
 * Where the target, a function, a loop or a block asks for it, the program is compiled once more as IEEE 754 has it, and the instructions
 * of each line of the text are compared, by their names: what stands there instead of what.
 */
#include "app/worker/fast-math.h"

#include "engine/ir/functions.h"
#include "engine/script/printer.h"
#include "engine/tir/fast-math.h"

#include <string.h>

static gboolean
asks (LsProgram *program)
{
  gboolean any = program->target->fast_math;

  for (guint i = 0; i < program->module->functions->n; i++)
    any = any || (ls_is (program->module->functions->items[i], PRIM_FUNC) && ls_fast_math_is_asked ((LsPrimFunc *) program->module->functions->items[i]));
  return any;
}

/* The module that asks for it nowhere. (transfer full) */
static LsModule *
strict_module (LsModule *module)
{
  LsModuleBuilder *builder = ls_module_builder_new (module);

  for (guint i = 0; i < module->functions->n; i++)
    if (ls_is (module->functions->items[i], PRIM_FUNC))
      {
        g_autoptr (LsPrimFunc) func = ls_fast_math_without ((LsPrimFunc *) module->functions->items[i]);

        ls_module_builder_put (builder, ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint, func);
      }
  return ls_module_builder_finish (builder);
}

/* (transfer full), NULL: it cannot be compiled so */
static LsObject *
compile_strict (LsProgram *program)
{
  LsCodegenOptions options = { .want_asm = TRUE, .debug_lines = TRUE, .no_object = TRUE, .prefix = "" };
  g_autoptr (LsModule) module = strict_module (program->module);
  g_autoptr (LsModule) lowered = ls_lower_module (module, NULL, NULL, NULL);
  LsTarget target = *program->target;

  target.fast_math = FALSE;
  return lowered != NULL ? ls_codegen_compile (lowered, program->name, &target, &options, NULL) : NULL;
}

/* ---- lines ------------------------------------------------------------------------------ */

/* Line -> GHashTable of names of instructions -> how many. (transfer full) */
static GHashTable *
count (const char *assembly)
{
  g_autoptr (GPtrArray) groups = ls_asm_parse (assembly, "");
  GHashTable *lines = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_hash_table_unref);

  for (guint i = 0; i < groups->len; i++)
    {
      LsAsmGroup *group = groups->pdata[i];
      GHashTable *names = g_hash_table_lookup (lines, GUINT_TO_POINTER (group->line));

      if (names == NULL)
        {
          names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
          g_hash_table_insert (lines, GUINT_TO_POINTER (group->line), names);
        }
      for (guint k = 0; k < group->instructions->len; k++)
        {
          const char *text = group->instructions->pdata[k];
          g_autofree char *name = g_strndup (text, strcspn (text, " \t"));

          if (!g_str_has_suffix (name, ":"))
            g_hash_table_insert (names, g_steal_pointer (&name), GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (names, name)) + 1));
        }
    }
  return lines;
}

static guint
sum (GHashTable *names)
{
  GHashTableIter iter;
  gpointer n;
  guint all = 0;

  if (names == NULL)
    return 0;
  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, NULL, &n))
    all += GPOINTER_TO_UINT (n);
  return all;
}

/* "vdivss, vsqrtss": of which there are more in `a` than in `b`. (transfer full) */
static char *
more_of (GHashTable *a,
         GHashTable *b)
{
  g_autoptr (GPtrArray) names = a != NULL ? ls_table_names (a) : g_ptr_array_new ();
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < names->len; i++)
    {
      guint there = b != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (b, names->pdata[i])) : 0;

      if (GPOINTER_TO_UINT (g_hash_table_lookup (a, names->pdata[i])) > there)
        g_string_append_printf (out, "%s%s", out->len > 0 ? ", " : "", (char *) names->pdata[i]);
    }
  return g_string_free (out, FALSE);
}

static int
by_number (gconstpointer a,
           gconstpointer b)
{
  guint first = GPOINTER_TO_UINT (*(gpointer *) a), second = GPOINTER_TO_UINT (*(gpointer *) b);

  return first < second ? -1 : first > second;
}

char *
ls_fast_math_strict_text (const char  *text,
                          GError     **error)
{
  const LsScriptPrintOptions whole = { .show_meta = TRUE };
  g_autoptr (LsModule) module = ls_program_read_module (text, error);
  g_autoptr (LsModule) plain = module != NULL ? strict_module (module) : NULL;

  return plain != NULL ? ls_script_print (plain, &whole, NULL) : NULL;
}

/* The lines that either has instructions of, in order. (transfer container) */
static GPtrArray *
lines_of (GHashTable *a,
          GHashTable *b)
{
  g_autoptr (GHashTable) all = g_hash_table_new (NULL, NULL);
  GHashTable *const tables[] = { a, b };

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      g_autoptr (GPtrArray) own = ls_table_sorted_keys (tables[i], by_number);

      for (guint k = 0; k < own->len; k++)
        g_hash_table_add (all, own->pdata[k]);
    }
  return ls_table_sorted_keys (all, by_number);
}

int
ls_fast_math_remarks (LsProgram       *program,
                      GVariantBuilder *remarks)
{
  g_autoptr (LsObject) strict = asks (program) ? compile_strict (program) : NULL;
  g_autoptr (GHashTable) fast_lines = NULL, strict_lines = NULL;
  g_autoptr (GPtrArray) lines = NULL;
  int n = 0;

  if (strict == NULL)
    return -1;
  fast_lines = count (program->object->assembly);
  strict_lines = count (strict->assembly);
  lines = lines_of (fast_lines, strict_lines);
  for (guint i = 0; i < lines->len; i++)
    {
      GHashTable *fast = g_hash_table_lookup (fast_lines, lines->pdata[i]), *plain = g_hash_table_lookup (strict_lines, lines->pdata[i]);
      g_autofree char *here = more_of (fast, plain), *there = more_of (plain, fast);
      g_autofree char *sentence = NULL;

      if (GPOINTER_TO_UINT (lines->pdata[i]) == 0 || (*here == 0 && *there == 0))
        continue;
      sentence = *there == 0 ? g_strdup_printf (ls_translate ("fast math: %u instructions here, %u as IEEE 754; more of %s"), sum (fast), sum (plain), here)
                 : *here == 0 ? g_strdup_printf (ls_translate ("fast math: %u instructions here, %u as IEEE 754; fewer of %s"), sum (fast), sum (plain), there)
                 : g_strdup_printf (ls_translate ("fast math: %u instructions here, %u as IEEE 754; more of %s; fewer of %s"), sum (fast), sum (plain), here, there);
      g_variant_builder_add (remarks, "(us)", GPOINTER_TO_UINT (lines->pdata[i]), sentence);
      n++;
    }
  if (n == 0)
    g_variant_builder_add (remarks, "(us)", 0, ls_translate ("fast math: the same instructions as IEEE 754"));
  return n;
}
