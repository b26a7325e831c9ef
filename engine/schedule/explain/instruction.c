/* instruction: see the header. */
#include "engine/schedule/explain/explain.h"

#include "engine/schedule/intrin/intrin.h"
#include "engine/schedule/step/move.h"
#include "engine/script/parser.h"
#include "engine/script/script.h"

/* ---- the signature --------------------------------------------------------------- */

static const char *
result_words (LsResultType type)
{
  switch (type)
    {
    case LS_RESULT_NONE:   return NULL;
    case LS_RESULT_BLOCK:  return "block";
    case LS_RESULT_LOOP:   return "loop";
    case LS_RESULT_EXPR:   return "number";
    case LS_RESULT_BLOCKS: return "blocks";
    case LS_RESULT_LOOPS:  return "loops";
    case LS_RESULT_EXPRS:  return "numbers";
    }
  return NULL;
}

static void
print_default (GString       *out,
               const LsParam *param)
{
  g_autoptr(LsNode) value = NULL;

  if (param->default_text == NULL)
    return;
  value = ls_param_default (param);
  g_string_append_printf (out, ls_is (value, STRING) ? "=\"%s\"" : "=%s", param->default_text);
}

char *
ls_instruction_signature (const LsInstruction *instruction)
{
  GString *out = g_string_new (NULL);
  const char *result = result_words (instruction->result);

  g_string_append_printf (out, "sch.%s(", instruction->name);
  for (guint i = 0; i < instruction->n_params; i++)
    {
      const LsParam *param = &instruction->params[i];

      g_string_append_printf (out, "%s%s%s", i > 0 ? ", " : "", param->flags & LS_PARAM_VARIADIC ? "*" : "", param->name);
      print_default (out, param);
    }
  if (instruction->flags & LS_INSTRUCTION_SAMPLES)
    g_string_append (out, instruction->n_params > 0 ? ", decision=None" : "decision=None");
  g_string_append_c (out, ')');
  if (result != NULL)
    g_string_append_printf (out, " -> %s", result);
  return g_string_free (out, FALSE);
}

/* ---- the example -------------------------------------------------------------------- */

void
ls_example_free (LsExample *self)
{
  if (self == NULL)
    return;
  g_free (self->call);
  g_free (self->before);
  g_free (self->after);
  g_free (self->changes);
  g_free (self->trace);
  g_free (self);
}

static gboolean
says_something (const char *line,
                gboolean    with_regions)
{
  const char *text = line;

  while (*text == ' ')
    text++;
  if (*text == '\0' || strcmp (text, "# with T.block(\"root\"):") == 0 || g_str_has_prefix (text, "T.func_attr"))
    return FALSE;
  return with_regions || !(g_str_has_prefix (text, "T.reads(") || g_str_has_prefix (text, "T.writes("));
}

/* The body of the only function, without what is the same in all programs. */
static char *
body_of (LsModule *module,
         gboolean  with_regions)
{
  g_autofree char *text = ls_script_print (module, NULL, NULL);
  g_auto(GStrv) lines = g_strsplit (text, "\n", -1);
  GString *body = g_string_new (NULL);
  gboolean inside = FALSE;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      gboolean head = g_str_has_prefix (lines[i], "    def ");

      if ((inside || head) && (head || says_something (lines[i], with_regions)))
        g_string_append_printf (body, "%s\n", lines[i] + MIN (strlen (lines[i]), 4));
      inside |= head;
    }
  return g_string_free (body, FALSE);
}

/* Longest common subsequence of lines: how many lines from a[i..] and b[j..] are the same in order. */
static char *
changes_between (const char *before,
                 const char *after)
{
  g_auto(GStrv) a = g_strsplit (before, "\n", -1);
  g_auto(GStrv) b = g_strsplit (after, "\n", -1);
  guint n = g_strv_length (a), m = g_strv_length (b);
  g_autofree guint *common = g_new0 (guint, (n + 1) * (m + 1));
  GString *out = g_string_new (NULL);
  guint i = 0, j = 0;

#define COMMON(x, y) common[(x) * (m + 1) + (y)]
  for (guint x = n; x-- > 0;)
    for (guint y = m; y-- > 0;)
      COMMON (x, y) = strcmp (a[x], b[y]) == 0 ? COMMON (x + 1, y + 1) + 1 : MAX (COMMON (x + 1, y), COMMON (x, y + 1));
  while (i < n || j < m)
    {
      gboolean same = i < n && j < m && strcmp (a[i], b[j]) == 0;
      gboolean drop = !same && i < n && (j == m || COMMON (i + 1, j) >= COMMON (i, j + 1));
      const char *line = same || drop ? a[i] : b[j];

      if (*line != '\0')
        g_string_append_printf (out, "%s %s\n", same ? " " : drop ? "-" : "+", line);
      i += same || drop;
      j += !drop;
    }
#undef COMMON
  return g_string_free (out, FALSE);
}

static gboolean
apply_lines (LsSchedule    *schedule,
             const char    *text,
             LsDiagnostics *diagnostics)
{
  LsSource *source = ls_source_new ("example", text, -1);

  ls_schedule_apply_text (schedule, source, 0, diagnostics);
  ls_source_unref (source);
  return !ls_diagnostics_has_error (diagnostics);
}

static LsModule *
read_program (const char    *program,
              const char    *intrin,
              LsDiagnostics *diagnostics)
{
  g_autofree char *text = g_strconcat ("from tvm.script import ir as I\nfrom tvm.script import tir as T\n@I.ir_module\nclass Module:\n    @T.prim_func\n", program, NULL);
  LsSource *source = ls_source_new ("example", text, -1);
  LsModule *module = ls_script_parse (source, diagnostics);

  ls_source_unref (source);
  if (intrin != NULL)
    {
      source = ls_source_new ("example", intrin, -1);
      ls_tensor_intrin_register_text (source, diagnostics);
      ls_source_unref (source);
    }
  return module;
}

LsExample *
ls_instruction_example (const LsInstruction *instruction,
                        LsDiagnostics       *diagnostics)
{
  const char *program, *prepare, *call, *intrin;
  gboolean with_regions = strstr (instruction->name, "buffer_access") != NULL;
  g_autoptr(LsModule) module = NULL;
  g_autoptr(LsSchedule) schedule = NULL;
  LsExample *example;

  if (!ls_instruction_example_source (instruction, &program, &prepare, &call, &intrin))
    return NULL;
  module = read_program (program, intrin, diagnostics);
  if (module == NULL || ls_diagnostics_has_error (diagnostics))
    return NULL;
  schedule = ls_schedule_new (module);
  if (prepare != NULL && !apply_lines (schedule, prepare, diagnostics))
    return NULL;
  example = g_new0 (LsExample, 1);
  example->call = g_strdup (call);
  example->before = body_of (ls_schedule_get_module (schedule), with_regions);
  if (!apply_lines (schedule, call, diagnostics))
    {
      ls_example_free (example);
      return NULL;
    }
  example->after = body_of (ls_schedule_get_module (schedule), with_regions);
  example->changes = changes_between (example->before, example->after);
  example->trace = ls_schedule_print_step (schedule, ls_schedule_get_n_steps (schedule) - 1);
  return example;
}

/* ---- the page -------------------------------------------------------------------------- */

static void
print_params (GString             *out,
              const LsInstruction *instruction)
{
  if (instruction->n_params == 0 && (instruction->flags & LS_INSTRUCTION_SAMPLES) == 0)
    return;
  g_string_append (out, "\nArguments\n");
  for (guint i = 0; i < instruction->n_params; i++)
    {
      const LsParam *param = &instruction->params[i];

      g_string_append_printf (out, "  %-22s %s (%s", param->name, param->summary, ls_param_type_words (param->type));
      if (param->flags & LS_PARAM_OPTIONAL)
        g_string_append (out, ", or None");
      if (param->default_text != NULL)
        g_string_append_printf (out, "; default %s", param->default_text);
      g_string_append (out, ")\n");
    }
  if (instruction->flags & LS_INSTRUCTION_SAMPLES)
    g_string_append_printf (out, "  %-22s %s\n", "decision", "what is taken instead of drawing (default None: draw)");
}

static void
indent (GString    *out,
        const char *text)
{
  g_auto(GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0' || lines[i + 1] != NULL)
      g_string_append_printf (out, "  %s\n", lines[i]);
}

static void
print_example (GString             *out,
               const LsInstruction *instruction)
{
  g_autoptr(LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr(LsExample) example = ls_instruction_example (instruction, findings);

  if (example == NULL)
    return;
  g_string_append_printf (out, "\nExample: %s\n\nBefore\n", example->call);
  indent (out, example->before);
  if (strcmp (example->before, example->after) == 0)
    {
      g_string_append_printf (out, "\nAfter: the program is the same; the step gives\n  %s\n", example->trace);
      return;
    }
  g_string_append (out, "\nAfter (- goes, + is new)\n");
  indent (out, example->changes);
}

static void
print_conditions (GString             *out,
                  const LsInstruction *instruction,
                  gboolean             warnings)
{
  guint n;
  const LsCondition *conditions = ls_instruction_conditions (instruction, &n);
  gboolean first = TRUE;

  for (guint i = 0; i < n; i++)
    {
      if (conditions[i].is_warning != warnings)
        continue;
      if (first)
        g_string_append (out, warnings ? "\nAllowed, with a warning, because the result may change; a strict schedule refuses it where a run shows that it does\n" : "\nRefused when\n");
      first = FALSE;
      g_string_append_printf (out, "  %-24s %s\n", conditions[i].code, conditions[i].sentence);
    }
}

/* The names that an argument may be where the list of them is known. */
static void
print_names (GString             *out,
             const LsInstruction *instruction)
{
  g_autoptr(GPtrArray) names = NULL;
  gsize column = 0;

  if (strcmp (instruction->name, "tensorize") != 0)
    return;
  names = ls_tensor_intrin_list ();
  g_string_append (out, "\nIntrinsics that are registered\n");
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = names->pdata[i];

      if (column > 0 && column + strlen (name) + 2 > 100)
        {
          g_string_append (out, "\n");
          column = 0;
        }
      g_string_append_printf (out, "%s%s", column == 0 ? "  " : " ", name);
      column += strlen (name) + 1;
    }
  g_string_append (out, "\n");
}

char *
ls_instruction_explain (const LsInstruction *instruction)
{
  g_autofree char *signature = ls_instruction_signature (instruction);
  g_autofree char *kind = ls_instruction_kind (instruction);
  GString *out = g_string_new (NULL);

  g_string_append_printf (out, "%s: %s\n\n  %s\n", instruction->name, instruction->summary, signature);
  print_params (out, instruction);
  print_example (out, instruction);
  g_string_append_printf (out, "\nWhen it is possible\n  %s\n", instruction->condition);
  print_conditions (out, instruction, FALSE);
  print_conditions (out, instruction, TRUE);
  print_names (out, instruction);
  g_string_append_printf (out, "\nSource: %s; %s in JSON traces\n", instruction->source, kind);
  return g_string_free (out, FALSE);
}
