/* bind: Python-like calls bound to the table of instructions.
 *
 * Positional and keyword arguments are matched to the row's parameters, names are looked up among the results of
 * earlier calls, calls inside arguments (`sch.get_loops (b)[0]`) and a block given by its name are carried out as
 * steps of their own first, as TVM's Python does.  When anything does not fit, the schedule is as before.
 */
#include "engine/schedule/call/private.h"
#include "engine/base/plural.h"
#include "engine/script/parser.h"

/* ---- binding --------------------------------------------------------------- */

static LsNode *
variadic (LsBinder         *self,
          const LsParam    *param,
          const LsCallStep *call,
          guint             from,
          gboolean         *found)
{
  GPtrArray *items = g_ptr_array_new ();
  LsNode *list;

  for (guint i = from; i < call->args->len; i++)
    {
      const LsCallValue *value = call->args->pdata[i];
      gboolean star = value->kind == LS_CALL_VALUE_STAR;
      LsNode *node = ls_binder_value (self, star ? value->items->pdata[0] : value, found);

      if (star && ls_is (node, ARRAY))
        {
          for (guint k = 0; k < ((LsArray *) node)->n; k++)
            g_ptr_array_add (items, ls_node_ref (((LsArray *) node)->items[k]));
          ls_unref (node);
        }
      else
        {
          g_ptr_array_add (items, node);
        }
    }
  list = LS_NODE (ls_array_take_ptr_array (items));
  if (*found && !ls_param_has_type (list, param->type))
    {
      ls_binder_refuse (self, call->span, "argument-type", "%s takes %s only.", self->instruction->name, ls_param_type_words (param->type));
      *found = FALSE;
    }
  return list;
}

static gboolean
is_called (const LsParam *param,
           const char    *name)
{
  return strcmp (param->name, name) == 0 || g_strcmp0 (param->trace_name, name) == 0;
}

/* The finding says which known name was meant, where one is near. */
static void
suggest (LsDiagnostic *finding,
         const char   *name,
         GPtrArray    *names)
{
  const char *near = ls_script_nearest (name, (const char *const *) names->pdata, names->len);

  if (near != NULL)
    ls_diagnostic_set_repair (finding, "Did you mean `%s`?", near);
}

static void
refuse_argument (LsBinder   *self,
                 const char *name,
                 LsSpan      span)
{
  g_autoptr(GPtrArray) names = g_ptr_array_new ();

  for (guint p = 0; p < self->instruction->n_params; p++)
    g_ptr_array_add (names, (gpointer) self->instruction->params[p].name);
  suggest (ls_binder_refuse (self, span, "unknown-argument", "%s has no argument %s.", self->instruction->name, name), name, names);
}

static void
refuse_method (LsBinder         *self,
               const LsCallStep *call)
{
  g_autoptr(GPtrArray) names = g_ptr_array_new ();
  guint n;
  const LsInstruction *const *list = ls_instruction_list (&n);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (names, (gpointer) list[i]->name);
  suggest (ls_binder_refuse (self, call->method_span, "unknown-method", "There is no primitive %s.", call->method), call->method, names);
}

static gboolean
keywords_are_known (LsBinder         *self,
                    const LsCallStep *call,
                    guint             n_positional)
{
  gboolean known = TRUE;

  for (guint k = 0; k < call->keywords->len; k++)
    {
      const char *name = call->keywords->pdata[k];
      guint p = 0;

      if (strcmp (name, "decision") == 0 && (self->instruction->flags & LS_INSTRUCTION_SAMPLES))
        continue;

      while (p < self->instruction->n_params && !is_called (&self->instruction->params[p], name))
        p++;
      if (p == self->instruction->n_params)
        refuse_argument (self, name, ((LsCallValue *) call->keyword_values->pdata[k])->span);
      else if (p < n_positional)
        ls_binder_refuse (self, ((LsCallValue *) call->keyword_values->pdata[k])->span, "argument-twice", "%s of %s is given twice.",
                          name, self->instruction->name);
      else
        continue;
      known = FALSE;
    }
  return known;
}

/* Fills args (one for each parameter, new references). */
static gboolean
bind_arguments (LsBinder         *self,
                const LsCallStep *call,
                LsNode          **args)
{
  const LsInstruction *row = self->instruction;
  gboolean spread = row->n_params > 0 && (row->params[0].flags & LS_PARAM_VARIADIC) != 0;
  gboolean found = TRUE;

  if (!keywords_are_known (self, call, spread ? 1 : call->args->len))
    return FALSE;
  if (!spread && call->args->len > row->n_params + ((row->flags & LS_INSTRUCTION_SAMPLES) != 0))
    {
      ls_binder_refuse (self, call->span, "too-many-arguments", ls_translate_plural ("%s takes %u argument, not %u.", "%s takes %u arguments, not %u.", row->n_params),
                        row->name, row->n_params, call->args->len);
      return FALSE;
    }
  for (guint p = 0; p < row->n_params; p++)
    {
      const LsParam *param = &row->params[p];
      const LsCallValue *value = spread ? ls_call_step_keyword (call, param->name)
                                        : ls_call_step_argument (call, p, param->name);

      if (value == NULL && param->trace_name != NULL)
        value = ls_call_step_keyword (call, param->trace_name);
      if (param->flags & LS_PARAM_VARIADIC)
        {
          args[p] = variadic (self, param, call, p, &found);
        }
      else if (value != NULL)
        {
          args[p] = ls_binder_convert (self, param, value, &found);
        }
      else if (param->default_text != NULL)
        {
          args[p] = ls_param_default (param);
        }
      else
        {
          ls_binder_refuse (self, call->span, "missing-argument", "%s needs %s: %s.", row->name, param->name, param->summary);
          found = FALSE;
        }
    }
  return found;
}

/* func_name is never None in a trace. */
static void
fill_in_function (LsBinder *self,
                  LsNode  **args)
{
  const char *name = ls_schedule_get_working_function (self->schedule);

  if (strcmp (self->instruction->name, "get_block") == 0 && args[1] == NULL && name != NULL)
    args[1] = LS_NODE (ls_string_new (name));
}

static void
free_args (LsNode **args,
           guint    n)
{
  for (guint i = 0; i < n; i++)
    ls_unref (args[i]);
  g_free (args);
}

static gboolean
gives_list (const LsInstruction *row)
{
  return row->result == LS_RESULT_BLOCKS || row->result == LS_RESULT_LOOPS || row->result == LS_RESULT_EXPRS;
}

/* What a sampling step was decided to be, or NULL. (transfer full) */
static LsNode *
decision_of (LsBinder         *self,
             const LsCallStep *call,
             gboolean         *found)
{
  const LsCallValue *value;

  if ((self->instruction->flags & LS_INSTRUCTION_SAMPLES) == 0)
    return NULL;
  value = ls_call_step_argument (call, self->instruction->n_params, "decision");
  return value != NULL ? ls_binder_value (self, value, found) : NULL;
}

/* Carries a step out.  Its result: a handle, or an Array of them. (transfer full) */
LsNode *
ls_binder_run (LsBinder         *self,
               const LsCallStep *call,
               gboolean         *found)
{
  LsArray *outputs = NULL;
  g_autoptr(LsNode) decision = NULL;
  LsNode **args;
  gboolean done;

  self->instruction = ls_instruction_get (call->method);
  if (self->instruction == NULL)
    {
      refuse_method (self, call);
      *found = FALSE;
      return NULL;
    }
  self->args = args = g_new0 (LsNode *, self->instruction->n_params + 1);
  done = bind_arguments (self, call, args);
  if (done)
    decision = decision_of (self, call, &done);
  if (done)
    {
      fill_in_function (self, args);
      done = ls_schedule_apply (self->schedule, self->instruction, args, decision, &outputs, self->diagnostics);
    }
  if (done && self->separators != NULL)
    {
      LsNode *own[3] = { args[0], args[1], LS_NODE (self->separators) };

      done = ls_schedule_apply (self->schedule, ls_instruction_get ("set_axis_separator"), own, NULL, NULL, self->diagnostics);
    }
  ls_take (&self->separators, NULL);
  self->args = NULL;
  free_args (args, self->instruction->n_params);
  if (!done)
    {
      *found = FALSE;
      return NULL;
    }
  if (gives_list (self->instruction))
    return LS_NODE (ls_ref (outputs));
  return ls_array_n (outputs) > 0 ? ls_node_ref (outputs->items[0]) : NULL;
}

/* ---- results --------------------------------------------------------------- */

static LsArray *
slice (LsArray *array,
       guint    from,
       guint    n)
{
  g_autofree LsNode **items = g_new0 (LsNode *, n + 1);

  for (guint i = 0; i < n; i++)
    items[i] = ls_node_ref (array->items[from + i]);
  return ls_array_new (items, n);
}

static gboolean
take_apart (LsBinder         *self,
            const LsCallStep *call,
            LsNode           *result)
{
  guint n_names = call->outputs->len;
  guint n = ls_is (result, ARRAY) ? ((LsArray *) result)->n : 0;
  gboolean starred = FALSE;
  guint at = 0;

  for (guint i = 0; i < n_names; i++)
    starred |= g_array_index (call->outputs, LsCallOutput, i).starred;
  if (!ls_is (result, ARRAY) || (starred ? n + 1 < n_names : n != n_names))
    {
      guint given = ls_is (result, ARRAY) ? n : 1;
      g_autofree char *names = g_strdup_printf (ls_translate_plural ("%u name", "%u names", n_names), n_names);

      ls_binder_refuse (self, call->span, "unpack", ls_translate_plural ("%s gives %u result for %s.", "%s gives %u results for %s.", given),
                        self->instruction != NULL ? self->instruction->name : "This", given, names);
      return FALSE;
    }
  for (guint i = 0; i < n_names; i++)
    {
      LsCallOutput *output = &g_array_index (call->outputs, LsCallOutput, i);
      guint count = output->starred ? n + 1 - n_names : 1;

      if (output->starred)
        {
          g_autoptr(LsArray) rest = slice ((LsArray *) result, at, count);

          ls_schedule_bind (self->schedule, output->name, LS_NODE (rest));
        }
      else
        {
          ls_schedule_bind (self->schedule, output->name, ((LsArray *) result)->items[at]);
        }
      at += count;
    }
  return TRUE;
}

static gboolean
bind_results (LsBinder         *self,
              const LsCallStep *call,
              LsNode           *result)
{
  switch (call->output_form)
    {
    case LS_CALL_OUTPUT_NONE:
      return TRUE;
    case LS_CALL_OUTPUT_ONE:
      if (result != NULL)
        ls_schedule_bind (self->schedule, g_array_index (call->outputs, LsCallOutput, 0).name, result);
      return TRUE;
    case LS_CALL_OUTPUT_TUPLE:
      return take_apart (self, call, result);
    }
  return TRUE;
}

static gboolean
work_on (LsBinder         *self,
         const LsCallStep *call)
{
  const LsCallValue *name = ls_call_step_argument (call, 0, "func_name");

  if (name == NULL || name->kind != LS_CALL_VALUE_STRING)
    {
      ls_binder_refuse (self, call->span, "argument-type", "work_on needs the name of a function.");
      return FALSE;
    }
  ls_schedule_work_on (self->schedule, name->text);
  return TRUE;
}

gboolean
ls_schedule_apply_call (LsSchedule       *self,
                        LsCallList       *list,
                        const LsCallStep *call,
                        LsDiagnostics    *diagnostics)
{
  LsBinder binder = { self, list, NULL, diagnostics, NULL, NULL };
  guint before = ls_schedule_get_n_steps (self);
  gboolean found = TRUE;
  g_autoptr(LsNode) result = NULL;

  if (strcmp (call->method, "work_on") == 0)
    return work_on (&binder, call);
  if (ls_call_step_is_alias (call))
    result = ls_binder_value (&binder, call->args->pdata[0], &found);
  else
    result = ls_binder_run (&binder, call, &found);
  if (found && bind_results (&binder, call, result))
    return TRUE;
  ls_schedule_undo_to (self, before);
  return FALSE;
}

gboolean
ls_schedule_check_call (LsSchedule       *self,
                        LsCallList       *list,
                        const LsCallStep *call,
                        LsDiagnostics    *diagnostics)
{
  g_autoptr(LsSchedule) copy = ls_schedule_copy (self);

  return ls_schedule_apply_call (copy, list, call, diagnostics);
}

guint
ls_schedule_apply_text (LsSchedule    *self,
                        LsSource      *source,
                        guint          upto,
                        LsDiagnostics *diagnostics)
{
  g_autoptr(LsDiagnostics) findings = diagnostics != NULL ? ls_diagnostics_ref (diagnostics) : ls_diagnostics_new ();
  g_autoptr(LsCallList) list = ls_script_parse_calls (source, findings);
  guint n = ls_call_list_get_n (list);
  guint i = 0;

  if (ls_diagnostics_has_error (findings))
    return 0;
  while (i < n && (upto == 0 || i < upto) && ls_schedule_apply_call (self, list, ls_call_list_get (list, i), findings))
    i++;
  return i;
}
