/* call: Python-like calls bound to the table of instructions.
 *
 * Positional and keyword arguments are matched to the row's parameters, names are looked up among the results of
 * earlier calls, calls inside arguments (`sch.get_loops (b)[0]`) and a block given by its name are carried out as
 * steps of their own first, as TVM's Python does.  When anything does not fit, the schedule is as before.
 */
#include "engine/schedule/explain.h"
#include "engine/schedule/schedule-private.h"

typedef struct {
  LsSchedule          *schedule;
  LsCallList          *list;
  const LsInstruction *instruction;     /* of the call that is being bound; NULL: none yet */
  LsDiagnostics       *diagnostics;
  LsNode             **args;            /* of that call, as far as they are bound */
  LsArray             *separators;      /* that an index map holds: a step of their own after the call; owned */
} Binder;

static void
refuse (Binder     *self,
        LsSpan      span,
        const char *condition,
        const char *format,
        ...) G_GNUC_PRINTF (4, 5);

static void
refuse (Binder     *self,
        LsSpan      span,
        const char *condition,
        const char *format,
        ...)
{
  g_autofree char *code = NULL;
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (ls_translate (format), args);
  va_end (args);
  code = g_strdup_printf ("schedule/%s/%s", self->instruction != NULL ? self->instruction->name : "call", condition);
  ls_diagnostics_add (self->diagnostics, LS_SEVERITY_ERROR, g_intern_string (code), span, "%s", message);
}

/* ---- values ---------------------------------------------------------------- */

/* A value or the finding that there is none; `found` tells None from nothing. */
static LsNode *value_of (Binder *self, const LsCallValue *value, gboolean *found);
static LsNode *run_step (Binder *self, const LsCallStep *call, gboolean *found);

static LsNode *
value_of_name (Binder            *self,
               const LsCallValue *value,
               gboolean          *found)
{
  LsNode *meaning = ls_schedule_get_binding (self->schedule, value->text);

  if (meaning == NULL)
    {
      refuse (self, value->span, "unknown-name", "No earlier step gives %s.", value->text);
      *found = FALSE;
    }
  return ls_node_ref (meaning);
}

/* The items of `*value` in a list. */
static void
spread_item (Binder            *self,
             const LsCallValue *value,
             GPtrArray         *items,
             gboolean          *found)
{
  g_autoptr(LsNode) whole = value_of (self, value, found);

  if (*found && !ls_is (whole, ARRAY))
    {
      refuse (self, value->span, "value", "Only a list of results can be spread with * or joined with +.");
      *found = FALSE;
    }
  for (guint i = 0; *found && i < ((LsArray *) whole)->n; i++)
    g_ptr_array_add (items, ls_node_ref (((LsArray *) whole)->items[i]));
}

static LsNode *
value_of_items (Binder            *self,
                const LsCallValue *value,
                gboolean          *found)
{
  GPtrArray *items = g_ptr_array_new ();

  for (guint i = 0; i < value->items->len; i++)
    {
      const LsCallValue *item = value->items->pdata[i];

      if (item->kind == LS_CALL_VALUE_STAR)
        spread_item (self, item->items->pdata[0], items, found);
      else
        g_ptr_array_add (items, value_of (self, item, found));
    }
  return LS_NODE (ls_array_take_ptr_array (items));
}

static LsNode *
value_of_subscript (Binder            *self,
                    const LsCallValue *value,
                    gboolean          *found)
{
  g_autoptr(LsNode) whole = value_of (self, value->items->pdata[0], found);
  const LsCallValue *index = value->items->pdata[1];
  gint64 i = index->integer, first, step;
  LsArray *array = (LsArray *) whole;
  guint count;

  if (!*found)
    return NULL;
  if (ls_is (whole, ARRAY) && ls_call_value_is_slice (index, array->n, &first, &step, &count))
    {
      GPtrArray *taken = g_ptr_array_new ();

      for (guint k = 0; k < count; k++, first += step)
        g_ptr_array_add (taken, ls_node_ref (array->items[first]));
      return LS_NODE (ls_array_take_ptr_array (taken));
    }
  if (!ls_is (whole, ARRAY) || index->kind != LS_CALL_VALUE_INT)
    {
      refuse (self, value->span, "subscript", "Only a list of results can be indexed, with a number.");
      *found = FALSE;
      return NULL;
    }
  if (i < 0)
    i += array->n;
  if (i < 0 || i >= array->n)
    {
      refuse (self, value->span, "subscript", "The list has %u items, so there is no number %" PRId64 ".",
              array->n, index->integer);
      *found = FALSE;
      return NULL;
    }
  return ls_node_ref (array->items[i]);
}

static LsNode *
value_of_expr (Binder            *self,
               const LsCallValue *value,
               gboolean          *found)
{
  g_autoptr(GHashTable) vars = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) ls_node_unref);
  LsExpr *expr;

  ls_schedule_add_names (self->schedule, vars);
  expr = ls_call_value_to_expr (self->list, value, vars, self->diagnostics);

  *found = *found && expr != NULL;
  return LS_NODE (expr);
}

/* A call inside an argument: a step of its own, or an expression as T.int64 (2). */
static LsNode *
value_of_call (Binder            *self,
               const LsCallValue *value,
               gboolean          *found)
{
  const char *dot = strrchr (value->text, '.');
  g_autoptr(GPtrArray) keywords = g_ptr_array_new ();
  g_autoptr(GPtrArray) none = g_ptr_array_new ();
  LsCallStep step = { 0 };
  Binder inner = { self->schedule, self->list, NULL, self->diagnostics, NULL, NULL };

  if (dot == NULL || ls_instruction_get (dot + 1) == NULL)
    {
      g_autoptr(LsNode) node = ls_call_value_to_node (value, NULL);

      if (node != NULL)
        return g_steal_pointer (&node);
      if (g_str_has_prefix (value->text, "T."))
        return value_of_expr (self, value, found);
      refuse (self, value->span, "value", "%s is no value that a step takes.", value->text);
      *found = FALSE;
      return NULL;
    }
  for (guint i = 0; value->keys != NULL && i < value->keys->len; i++)
    g_ptr_array_add (keywords, ((LsCallValue *) value->keys->pdata[i])->text);
  step.span = value->span;
  step.method = (char *) dot + 1;
  step.method_span = value->span;
  step.args = value->items != NULL ? value->items : none;
  step.keywords = keywords;
  step.keyword_values = value->keyword_values != NULL ? value->keyword_values : none;
  return run_step (&inner, &step, found);
}

static LsNode *
value_of_dict (Binder            *self,
               const LsCallValue *value,
               gboolean          *found)
{
  LsNode *node = ls_call_value_to_node (value, self->diagnostics);

  *found = *found && node != NULL;
  return node;
}

static LsNode *
value_of (Binder            *self,
          const LsCallValue *value,
          gboolean          *found)
{
  switch (value->kind)
    {
    case LS_CALL_VALUE_NONE:
      return NULL;
    case LS_CALL_VALUE_BOOL:
      return LS_NODE (ls_bool (value->integer != 0));
    case LS_CALL_VALUE_INT:
      return LS_NODE (ls_int_imm_new (value->integer >= G_MININT32 && value->integer <= G_MAXINT32 ? LS_INT32 : LS_INT64,
                                      value->integer));
    case LS_CALL_VALUE_FLOAT:
      return LS_NODE (ls_float_imm_new (LS_FLOAT32, value->number));
    case LS_CALL_VALUE_STRING:
      return LS_NODE (ls_string_new (value->text));
    case LS_CALL_VALUE_NAME:
      return value_of_name (self, value, found);
    case LS_CALL_VALUE_LIST:
    case LS_CALL_VALUE_TUPLE:
      return value_of_items (self, value, found);
    case LS_CALL_VALUE_DICT:
      return value_of_dict (self, value, found);
    case LS_CALL_VALUE_CALL:
      return value_of_call (self, value, found);
    case LS_CALL_VALUE_SUBSCRIPT:
      return value_of_subscript (self, value, found);
    case LS_CALL_VALUE_EXPR:
      return value_of_expr (self, value, found);
    case LS_CALL_VALUE_LAMBDA:
    case LS_CALL_VALUE_ATTRIBUTE:
    case LS_CALL_VALUE_STAR:
      break;
    }
  refuse (self, value->span, "value", "A value of this form has no place here.");
  *found = FALSE;
  return NULL;
}

/* ---- types ----------------------------------------------------------------- */

const char *
ls_param_type_words (LsParamType type)
{
  switch (type)
    {
    case LS_PARAM_BLOCK:          return "a block";
    case LS_PARAM_LOOP:           return "a loop";
    case LS_PARAM_BLOCK_OR_LOOP:  return "a block or loop";
    case LS_PARAM_LOOPS:          return "loops";
    case LS_PARAM_BLOCKS:         return "blocks";
    case LS_PARAM_BLOCKS_OR_LOOP: return "blocks or a loop";
    case LS_PARAM_INT:            return "a whole number";
    case LS_PARAM_BOOL:           return "True or False";
    case LS_PARAM_STRING:         return "a text";
    case LS_PARAM_FACTORS:        return "a list of numbers and None";
    case LS_PARAM_INTS:           return "a list of whole numbers";
    case LS_PARAM_FLOATS:         return "a list of numbers";
    case LS_PARAM_STRINGS:        return "a list of texts";
    case LS_PARAM_BUFFER:         return "a number, a name or (\"read\", 0)";
    case LS_PARAM_INDEX_MAP:      return "a lambda";
    case LS_PARAM_VALUE:          return "a value";
    }
  return "a value";
}

static gboolean
items_are (LsNode   *node,
           gboolean (*is) (LsNode *))
{
  if (!ls_is (node, ARRAY))
    return FALSE;
  for (guint i = 0; i < ((LsArray *) node)->n; i++)
    if (!is (((LsArray *) node)->items[i]))
      return FALSE;
  return TRUE;
}

static gboolean is_handle (LsNode *node) { return node != NULL && ls_is_var (node); }
static gboolean is_int (LsNode *node) { return ls_is (node, INT_IMM); }
static gboolean is_number (LsNode *node) { return ls_is (node, INT_IMM) || ls_is (node, FLOAT_IMM); }
static gboolean is_text (LsNode *node) { return ls_is (node, STRING); }
static gboolean is_factor (LsNode *node) { return node == NULL || (ls_is_expr (node) && !ls_is (node, FLOAT_IMM)); }

static gboolean
has_type (LsNode      *node,
          LsParamType  type)
{
  switch (type)
    {
    case LS_PARAM_BLOCK:
    case LS_PARAM_LOOP:
    case LS_PARAM_BLOCK_OR_LOOP:
      return is_handle (node);
    case LS_PARAM_LOOPS:
    case LS_PARAM_BLOCKS:
      return items_are (node, is_handle);
    case LS_PARAM_BLOCKS_OR_LOOP:
      return is_handle (node) || items_are (node, is_handle);
    case LS_PARAM_INT:
      return is_int (node) || is_handle (node);
    case LS_PARAM_BOOL:
      return is_int (node);
    case LS_PARAM_STRING:
      return is_text (node);
    case LS_PARAM_FACTORS:
      return items_are (node, is_factor);
    case LS_PARAM_INTS:
      return items_are (node, is_int);
    case LS_PARAM_FLOATS:
      return items_are (node, is_number);
    case LS_PARAM_STRINGS:
      return items_are (node, is_text);
    case LS_PARAM_BUFFER:
      return is_text (node) || is_int (node) || (ls_is (node, ARRAY) && ((LsArray *) node)->n == 2);
    case LS_PARAM_INDEX_MAP:
      return ls_is (node, INDEX_MAP);
    case LS_PARAM_VALUE:
      return node != NULL;
    }
  return FALSE;
}

gboolean
ls_param_accepts (const LsParam *param,
                  LsNode        *value)
{
  return (value == NULL && (param->flags & LS_PARAM_OPTIONAL) != 0) || has_type (value, param->type);
}

/* A block given by its name: the get_block step is made first. (transfer full) */
static LsNode *
block_by_name (Binder     *self,
               const char *name,
               gboolean   *found)
{
  g_autoptr(LsNode) text = LS_NODE (ls_string_new (name));
  const char *function = ls_schedule_get_working_function (self->schedule);
  g_autoptr(LsNode) func = function != NULL ? LS_NODE (ls_string_new (function)) : NULL;
  LsNode *args[2] = { text, func };
  LsArray *outputs = NULL;

  if (!ls_schedule_apply (self->schedule, ls_instruction_get ("get_block"), args, NULL, &outputs, self->diagnostics))
    {
      *found = FALSE;
      return NULL;
    }
  return ls_node_ref (outputs->items[0]);
}

/* ---- lambdas ---------------------------------------------------------------- */

static LsBlock *
block_of_call (Binder *self)
{
  LsNode *handle = self->instruction->params[0].type == LS_PARAM_BLOCK ? self->args[0] : NULL;
  LsNode *node = handle != NULL && ls_is_var (handle) ? ls_schedule_resolve (self->schedule, (LsVar *) handle) : NULL;

  return ls_is (node, BLOCK) ? (LsBlock *) node : NULL;
}

/* How many values a lambda for this parameter gets; -1: as many as it names. */
static gint
lambda_arity (Binder        *self,
              const LsParam *param)
{
  guint at = (guint) (param - self->instruction->params);
  LsBlock *block;

  if (param->flags & LS_PARAM_LAYOUT)
    {
      LsBuffer *buffer = at > 0 ? ls_schedule_find_buffer (self->schedule, self->instruction, self->args, at - 1) : NULL;

      return buffer != NULL ? (gint) ls_buffer_ndim (buffer) : -1;
    }
  if (param->type == LS_PARAM_VALUE)
    return at > 0 && ls_is (self->args[at - 1], INDEX_MAP) ? (gint) ls_array_n (((LsIndexMap *) self->args[at - 1])->final_indices) : -1;
  block = block_of_call (self);
  return block != NULL ? (gint) ls_array_n (block->iter_vars) : -1;
}

/* The variables that a lambda is called with: its own names, "*i" as i_0, i_1, ... (transfer full) */
static GPtrArray *
lambda_vars (Binder            *self,
             const LsParam     *param,
             const LsCallValue *value)
{
  GPtrArray *vars = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  gint arity = lambda_arity (self, param);
  guint named = 0;

  for (guint i = 0; i < value->params->len; i++)
    named += ((const char *) value->params->pdata[i])[0] != '*';
  for (guint i = 0; i < value->params->len; i++)
    {
      const char *name = value->params->pdata[i];

      if (name[0] != '*')
        g_ptr_array_add (vars, ls_var_new (name, LS_INT32));
      for (gint k = 0; name[0] == '*' && k < arity - (gint) named; k++)
        {
          g_autofree char *numbered = g_strdup_printf ("%s_%d", name + 1, k);

          g_ptr_array_add (vars, ls_var_new (numbered, LS_INT32));
        }
    }
  return vars;
}

/* The variables of the block itself: what ranges are made of. (transfer full) */
static GPtrArray *
block_vars (Binder *self)
{
  GPtrArray *vars = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  LsBlock *block = block_of_call (self);

  for (guint i = 0; block != NULL && i < ls_array_n (block->iter_vars); i++)
    g_ptr_array_add (vars, ls_var_copy (ls_array_at (block->iter_vars, i, LsIterVar)->var, NULL));
  return vars;
}

static gboolean
is_separator (LsNode *node)
{
  return ls_is (node, STRING_IMM) && strcmp (((LsStringImm *) node)->value, "axis_separator") == 0;
}

/* Takes the separators out of the indices and keeps them for a step of their own. */
static gboolean
take_separators (Binder            *self,
                 const LsParam     *param,
                 const LsCallValue *value,
                 LsArray          **indices)
{
  GPtrArray *rest = g_ptr_array_new ();
  GPtrArray *found = g_ptr_array_new ();
  guint n;

  for (guint i = 0; i < (*indices)->n; i++)
    if (is_separator ((*indices)->items[i]))
      g_ptr_array_add (found, ls_int (rest->len));
    else
      g_ptr_array_add (rest, ls_node_ref ((*indices)->items[i]));
  n = found->len;
  ls_take (indices, ls_array_take_ptr_array (rest));
  ls_take (&self->separators, ls_array_take_ptr_array (found));
  if (n == 0)
    ls_take (&self->separators, NULL);
  if (n == 0 || (param->flags & LS_PARAM_LAYOUT))
    return TRUE;
  refuse (self, value->span, "axis-separator", "%s of %s takes no AXIS_SEPARATOR; only the layout of a buffer has them.", param->name,
          self->instruction->name);
  return FALSE;
}

static LsNode *
index_map_of (Binder            *self,
              const LsParam     *param,
              const LsCallValue *value,
              gboolean          *found)
{
  gboolean ranges = (param->flags & LS_PARAM_RANGES) != 0;
  g_autoptr(GPtrArray) vars = ranges ? block_vars (self) : lambda_vars (self, param, value);
  LsArray *indices = ranges ? ls_call_value_apply_ranges (self->list, value, (LsExpr **) vars->pdata, vars->len, self->diagnostics)
                            : ls_call_value_apply (self->list, value, (LsExpr **) vars->pdata, vars->len, self->diagnostics);
  GPtrArray *initial = g_ptr_array_new ();

  for (guint i = 0; i < vars->len; i++)
    g_ptr_array_add (initial, ls_node_ref (vars->pdata[i]));
  if (indices != NULL && take_separators (self, param, value, &indices))
    return LS_NODE (ls_index_map_new (ls_array_take_ptr_array (initial), indices, NULL));
  ls_unref (indices);
  ls_unref (ls_array_take_ptr_array (initial));
  *found = FALSE;
  return NULL;
}

static LsNode *
convert (Binder            *self,
         const LsParam     *param,
         const LsCallValue *value,
         gboolean          *found)
{
  gboolean given = TRUE;
  LsNode *node;

  if ((param->type == LS_PARAM_INDEX_MAP || param->type == LS_PARAM_VALUE) && value->kind == LS_CALL_VALUE_LAMBDA)
    return index_map_of (self, param, value, found);
  node = value_of (self, value, &given);
  if (given && node == NULL && (param->flags & LS_PARAM_OPTIONAL))
    return NULL;
  if (given && ls_is (node, STRING) && (param->type == LS_PARAM_BLOCK || param->type == LS_PARAM_BLOCK_OR_LOOP))
    ls_take (&node, block_by_name (self, ((LsString *) node)->value, &given));
  if (given && !has_type (node, param->type))
    {
      g_autofree char *text = ls_call_value_print (value);

      refuse (self, value->span, "argument-type", "%s of %s has to be %s, not %s.", param->name, self->instruction->name,
              ls_param_type_words (param->type), text);
      given = FALSE;
    }
  if (given)
    return node;
  ls_unref (node);
  *found = FALSE;
  return NULL;
}

LsNode *
ls_param_default (const LsParam *param)
{
  const char *text = param->default_text;
  char *end;
  gint64 number;

  if (strcmp (text, "None") == 0)
    return NULL;
  if (strcmp (text, "True") == 0 || strcmp (text, "False") == 0)
    return LS_NODE (ls_bool (text[0] == 'T'));
  number = g_ascii_strtoll (text, &end, 10);
  if (*text != '\0' && *end == '\0')
    return LS_NODE (ls_int ((gint) number));
  return LS_NODE (ls_string_new (text));
}

/* ---- binding --------------------------------------------------------------- */

static LsNode *
variadic (Binder           *self,
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
      LsNode *node = value_of (self, star ? value->items->pdata[0] : value, found);

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
  if (*found && !has_type (list, param->type))
    {
      refuse (self, call->span, "argument-type", "%s takes %s only.", self->instruction->name, ls_param_type_words (param->type));
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

static gboolean
keywords_are_known (Binder           *self,
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
        refuse (self, ((LsCallValue *) call->keyword_values->pdata[k])->span, "unknown-argument", "%s has no argument %s.",
                self->instruction->name, name);
      else if (p < n_positional)
        refuse (self, ((LsCallValue *) call->keyword_values->pdata[k])->span, "argument-twice", "%s of %s is given twice.",
                name, self->instruction->name);
      else
        continue;
      known = FALSE;
    }
  return known;
}

/* Fills args (one for each parameter, new references). */
static gboolean
bind_arguments (Binder            *self,
                const LsCallStep  *call,
                LsNode           **args)
{
  const LsInstruction *row = self->instruction;
  gboolean spread = row->n_params > 0 && (row->params[0].flags & LS_PARAM_VARIADIC) != 0;
  gboolean found = TRUE;

  if (!keywords_are_known (self, call, spread ? 1 : call->args->len))
    return FALSE;
  if (!spread && call->args->len > row->n_params + ((row->flags & LS_INSTRUCTION_SAMPLES) != 0))
    {
      refuse (self, call->span, "too-many-arguments", "%s takes %u argument%s, not %u.", row->name, row->n_params,
              row->n_params == 1 ? "" : "s", call->args->len);
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
          args[p] = convert (self, param, value, &found);
        }
      else if (param->default_text != NULL)
        {
          args[p] = ls_param_default (param);
        }
      else
        {
          refuse (self, call->span, "missing-argument", "%s needs %s: %s.", row->name, param->name, param->summary);
          found = FALSE;
        }
    }
  return found;
}

/* func_name is never None in a trace. */
static void
fill_in_function (Binder  *self,
                  LsNode **args)
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
decision_of (Binder           *self,
             const LsCallStep *call,
             gboolean         *found)
{
  const LsCallValue *value;

  if ((self->instruction->flags & LS_INSTRUCTION_SAMPLES) == 0)
    return NULL;
  value = ls_call_step_argument (call, self->instruction->n_params, "decision");
  return value != NULL ? value_of (self, value, found) : NULL;
}

/* Carries a step out.  Its result: a handle, or an Array of them. (transfer full) */
static LsNode *
run_step (Binder           *self,
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
      refuse (self, call->method_span, "unknown-method", "There is no primitive %s.", call->method);
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
take_apart (Binder           *self,
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
      refuse (self, call->span, "unpack", "%s gives %u result%s for %u name%s.",
              self->instruction != NULL ? self->instruction->name : "This", ls_is (result, ARRAY) ? n : 1,
              n == 1 || !ls_is (result, ARRAY) ? "" : "s", n_names, n_names == 1 ? "" : "s");
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
bind_results (Binder           *self,
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
work_on (Binder           *self,
         const LsCallStep *call)
{
  const LsCallValue *name = ls_call_step_argument (call, 0, "func_name");

  if (name == NULL || name->kind != LS_CALL_VALUE_STRING)
    {
      refuse (self, call->span, "argument-type", "work_on needs the name of a function.");
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
  Binder binder = { self, list, NULL, diagnostics, NULL, NULL };
  guint before = ls_schedule_get_n_steps (self);
  gboolean found = TRUE;
  g_autoptr(LsNode) result = NULL;

  if (strcmp (call->method, "work_on") == 0)
    return work_on (&binder, call);
  if (ls_call_step_is_alias (call))
    result = value_of (&binder, call->args->pdata[0], &found);
  else
    result = run_step (&binder, call, &found);
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
