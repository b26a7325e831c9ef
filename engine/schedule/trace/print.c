/* print: the steps of a schedule as the Python text that TVM prints.
 *
 *   # from tvm import tir
 *   def apply_trace(sch: tir.Schedule) -> None:
 *     b0 = sch.get_block(name="C", func_name="main")
 *     l1, l2 = sch.get_loops(block=b0)
 *
 * Handles are numbered through all steps: b for blocks, l for loops, v for sampled numbers.  The same text is read
 * back through script/calls.h.  Source of the form: TVM's Trace::AsPython.
 */
#include "engine/schedule/step/move.h"
#include "engine/schedule/trace/trace.h"

#include "engine/script/printer.h"

typedef struct {
  GHashTable *names;            /* LsVar -> name (owned) */
  guint       n;
} Names;

static LsTraceStep
plain_step (const LsStep *step)
{
  return (LsTraceStep) { step->instruction, step->args, step->outputs, step->decision };
}

static void
names_add (Names             *self,
           const LsTraceStep *step)
{
  for (guint i = 0; i < ls_array_n (step->outputs); i++)
    {
      LsVar *var = ls_array_at (step->outputs, i, LsVar);

      g_hash_table_insert (self->names, var, g_strdup_printf ("%s%u", var->name, self->n++));
    }
}

static void print_value (Names *names, GString *out, LsNode *value, const LsParam *param);

static void
print_string (GString    *out,
              const char *text)
{
  g_string_append_c (out, '"');
  for (const char *p = text; *p != '\0'; p++)
    {
      if (*p == '\n')
        g_string_append (out, "\\n");
      else if (*p == '"' || *p == '\\')
        g_string_append_printf (out, "\\%c", *p);
      else
        g_string_append_c (out, *p);
    }
  g_string_append_c (out, '"');
}

static void
print_items (Names         *names,
             GString       *out,
             LsArray       *array,
             const LsParam *param,
             gboolean       tuple)
{
  g_string_append_c (out, tuple ? '(' : '[');
  for (guint i = 0; i < array->n; i++)
    {
      if (i > 0)
        g_string_append (out, ", ");
      print_value (names, out, array->items[i], param);
    }
  g_string_append_c (out, tuple ? ')' : ']');
}

static void
print_map (Names   *names,
           GString *out,
           LsMap   *map)
{
  g_string_append_c (out, '{');
  for (guint i = 0; i < map->n; i++)
    {
      if (i > 0)
        g_string_append (out, ", ");
      print_string (out, map->keys[i]);
      g_string_append (out, ": ");
      print_value (names, out, map->values[i], NULL);
    }
  g_string_append_c (out, '}');
}

/* The text of an expression with drawn numbers under their names in the trace. */
static char *
named_text (Names  *names,
            LsNode *expr)
{
  g_autoptr(GHashTable) map = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr(LsNode) named = NULL;
  GHashTableIter iter;
  gpointer var, name;

  g_hash_table_iter_init (&iter, names->names);
  while (g_hash_table_iter_next (&iter, &var, &name))
    if (ls_uses (expr, var))
      g_hash_table_insert (map, var, ls_var_copy (var, name));
  named = ls_substitute (expr, map);
  return ls_script_print_expr ((LsExpr *) named);
}

/* lambda i0, i1: (i0 // 4, i1,) */
static void
print_index_map (Names      *names,
                 GString    *out,
                 LsIndexMap *map)
{
  g_string_append (out, "lambda ");
  for (guint i = 0; i < ls_array_n (map->initial_indices); i++)
    g_string_append_printf (out, "%s%s", i > 0 ? ", " : "", ls_array_at (map->initial_indices, i, LsVar)->name);
  g_string_append (out, ": (");
  for (guint i = 0; i < ls_array_n (map->final_indices); i++)
    {
      g_autofree char *index = named_text (names, map->final_indices->items[i]);

      g_string_append_printf (out, "%s%s,", i > 0 ? " " : "", index);
    }
  g_string_append_c (out, ')');
}

/* lambda vi, vj: [(vi - 1, vi + 1), vj] */
static void
print_ranges (GString    *out,
              LsIndexMap *map)
{
  g_string_append (out, "lambda ");
  for (guint i = 0; i < ls_array_n (map->initial_indices); i++)
    g_string_append_printf (out, "%s%s", i > 0 ? ", " : "", ls_array_at (map->initial_indices, i, LsVar)->name);
  g_string_append (out, ": [");
  for (guint i = 0; i + 1 < ls_array_n (map->final_indices); i += 2)
    {
      g_autofree char *begin = ls_script_print_expr (map->final_indices->items[i]);
      g_autofree char *end = ls_script_print_expr (map->final_indices->items[i + 1]);

      g_string_append_printf (out, "%s(%s, %s)", i > 0 ? ", " : "", begin, end);
    }
  g_string_append_c (out, ']');
}

/* An expression over sampled numbers: their handles are its variables. */
static void
print_expr (Names   *names,
            GString *out,
            LsNode  *expr)
{
  g_autofree char *text = named_text (names, expr);

  g_string_append (out, text);
}

/* As TVM's traces: all digits, and no point behind a whole number. */
static void
print_float (GString *out,
             double   value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (out, g_ascii_dtostr (text, sizeof text, value));
}

static void
print_value (Names         *names,
             GString       *out,
             LsNode        *value,
             const LsParam *param)
{
  const char *name = value != NULL ? g_hash_table_lookup (names->names, value) : NULL;

  if (value == NULL)
    g_string_append (out, "None");
  else if (name != NULL)
    g_string_append (out, name);
  else if (ls_is (value, STRING))
    print_string (out, ((LsString *) value)->value);
  else if (ls_is (value, STRING_IMM))
    print_string (out, ((LsStringImm *) value)->value);
  else if (ls_is (value, INT_IMM) && param != NULL && param->type == LS_PARAM_BOOL)
    g_string_append (out, ((LsIntImm *) value)->value != 0 ? "True" : "False");
  else if (ls_is (value, INT_IMM))
    g_string_append_printf (out, "%" G_GINT64_FORMAT, ((LsIntImm *) value)->value);
  else if (ls_is (value, FLOAT_IMM))
    print_float (out, ((LsFloatImm *) value)->value);
  else if (ls_is (value, ARRAY))
    print_items (names, out, (LsArray *) value, param, param != NULL && param->type == LS_PARAM_BUFFER);
  else if (ls_is (value, MAP))
    print_map (names, out, (LsMap *) value);
  else if (ls_is (value, INDEX_MAP) && param != NULL && (param->flags & LS_PARAM_RANGES))
    print_ranges (out, (LsIndexMap *) value);
  else if (ls_is (value, INDEX_MAP))
    print_index_map (names, out, (LsIndexMap *) value);
  else
    print_expr (names, out, value);
}

static gboolean
is_silent (const LsParam *param,
           LsNode        *value)
{
  if (param->flags & LS_PARAM_UNPRINTED)
    return TRUE;
  if ((param->flags & LS_PARAM_SILENT) == 0)
    return FALSE;
  if (value == NULL)
    return strcmp (param->default_text, "None") == 0;
  if (ls_is (value, STRING))
    return strcmp (((LsString *) value)->value, param->default_text) == 0;
  if (param->type == LS_PARAM_BOOL)
    return strcmp (ls_is_zero (value) ? "False" : "True", param->default_text) == 0;
  return ls_is (value, INT_IMM) && ((LsIntImm *) value)->value == g_ascii_strtoll (param->default_text, NULL, 10);
}

static void
print_outputs (Names             *names,
               GString           *out,
               const LsTraceStep *step)
{
  LsResultType type = step->instruction->result;
  gboolean list = type == LS_RESULT_BLOCKS || type == LS_RESULT_LOOPS || type == LS_RESULT_EXPRS;
  guint n = ls_array_n (step->outputs);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (out, "%s%s", i > 0 ? ", " : "",
                            (const char *) g_hash_table_lookup (names->names, step->outputs->items[i]));
  if (list && n == 1)
    g_string_append_c (out, ',');
  if (n > 0)
    g_string_append (out, " = ");
}

static void
print_argument (Names         *names,
                GString       *out,
                const LsParam *param,
                LsNode        *value,
                gboolean      *first)
{
  if (is_silent (param, value))
    return;
  if (param->flags & LS_PARAM_VARIADIC)
    {
      for (guint i = 0; i < ls_array_n ((LsArray *) value); i++)
        {
          g_string_append (out, *first ? "" : ", ");
          *first = FALSE;
          print_value (names, out, ((LsArray *) value)->items[i], param);
        }
      return;
    }
  g_string_append (out, *first ? "" : ", ");
  *first = FALSE;
  if ((param->flags & LS_PARAM_UNNAMED) == 0)
    g_string_append_printf (out, "%s=", param->trace_name != NULL ? param->trace_name : param->name);
  print_value (names, out, value, param);
}

/* Adds the outputs to the names and prints the step. */
static void
print_step (Names             *names,
            GString           *out,
            const LsTraceStep *step)
{
  gboolean first = TRUE;

  names_add (names, step);
  print_outputs (names, out, step);
  g_string_append_printf (out, "sch.%s(", step->instruction->name);
  for (guint i = 0; i < step->instruction->n_params; i++)
    print_argument (names, out, &step->instruction->params[i], step->args->items[i], &first);
  if (step->decision != NULL)
    {
      g_string_append (out, first ? "decision=" : ", decision=");
      print_value (names, out, step->decision, NULL);
    }
  g_string_append_c (out, ')');
}

char *
ls_trace_print (LsTrace *self)
{
  GString *out = g_string_new ("# from tvm import tir\ndef apply_trace(sch: tir.Schedule) -> None:\n");
  g_autoptr(GHashTable) table = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  Names names = { table, 0 };
  guint n = ls_trace_get_n (self);

  for (guint i = 0; i < n; i++)
    {
      g_string_append (out, i > 0 ? "\n  " : "  ");
      print_step (&names, out, ls_trace_get (self, i));
    }
  if (n == 0)
    g_string_append (out, "  pass");
  return g_string_free (out, FALSE);
}

char *
ls_schedule_print_trace (LsSchedule *self)
{
  g_autoptr(LsTrace) trace = ls_trace_of (self);

  return ls_trace_print (trace);
}

char *
ls_schedule_print_step (LsSchedule *self,
                        guint       i)
{
  GString *out = g_string_new (NULL);
  g_autoptr(GHashTable) table = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  Names names = { table, 0 };
  LsTraceStep step;

  for (guint s = 0; s < i; s++)
    {
      step = plain_step (ls_schedule_get_step (self, s));
      names_add (&names, &step);
    }
  step = plain_step (ls_schedule_get_step (self, i));
  print_step (&names, out, &step);
  return g_string_free (out, FALSE);
}

GPtrArray *
ls_schedule_print_steps (LsSchedule *self,
                         guint       first)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func (g_free);
  g_autoptr(GHashTable) table = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  Names names = { table, 0 };

  for (guint i = 0; i < MIN (first, ls_schedule_get_n_steps (self)); i++)
    {
      LsTraceStep step = plain_step (ls_schedule_get_step (self, i));

      names_add (&names, &step);
    }
  for (guint i = first; i < ls_schedule_get_n_steps (self); i++)
    {
      LsTraceStep step = plain_step (ls_schedule_get_step (self, i));
      GString *out = g_string_new (NULL);

      print_step (&names, out, &step);
      g_ptr_array_add (lines, g_string_free (out, FALSE));
    }
  return lines;
}

/* ---- in the program's own names -------------------------------------------- */

static void
name_handles (LsSchedule *self,
              Names      *names,
              guint       i)
{
  LsVersion *before = ls_schedule_get_version (self, i);

  for (guint s = 0; s < i; s++)
    {
      const LsStep *step = ls_schedule_get_step (self, s);

      for (guint k = 0; k < ls_array_n (step->outputs); k++)
        {
          LsVar *var = ls_array_at (step->outputs, k, LsVar);
          const LsHandle *handle = ls_schedule_handle (self, var);
          gint at = handle != NULL && handle->type != LS_ENTITY_BUFFER ? ls_version_find_id (before, handle->id) : -1;
          LsNode *node = at >= 0 ? ls_version_at (before, at)->node : NULL;

          if (handle != NULL && handle->value != NULL)
            g_hash_table_insert (names->names, var, ls_script_print_expr (handle->value));
          else if (ls_is (node, FOR))
            g_hash_table_insert (names->names, var, g_strdup (((LsFor *) node)->loop_var->name));
          else if (ls_is (node, BLOCK))
            g_hash_table_insert (names->names, var, g_strdup (((LsBlock *) node)->name_hint));
        }
    }
}

static gboolean
is_default (const LsParam *param,
            LsNode        *value)
{
  LsParam shown = *param;

  if (param->default_text == NULL)
    return FALSE;
  shown.flags |= LS_PARAM_SILENT;
  return is_silent (&shown, value);
}

char *
ls_schedule_describe_step (LsSchedule *self,
                           guint       i)
{
  const LsStep *step = ls_schedule_get_step (self, i);
  g_autoptr(GHashTable) table = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  Names names = { table, 0 };
  GString *out = g_string_new (step->instruction->name);
  gboolean first = TRUE;

  name_handles (self, &names, i);
  g_string_append_c (out, '(');
  for (guint k = 0; k < step->instruction->n_params; k++)
    {
      LsParam param = step->instruction->params[k];

      if (is_default (&param, step->args->items[k]))
        continue;
      param.flags |= LS_PARAM_UNNAMED;
      param.flags &= ~(guint) LS_PARAM_SILENT;
      print_argument (&names, out, &param, step->args->items[k], &first);
    }
  g_string_append_c (out, ')');
  return g_string_free (out, FALSE);
}
