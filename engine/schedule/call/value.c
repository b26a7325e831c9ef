/* value: what stands between the brackets of a call, as arguments of a step.
 *
 * Names are results of earlier calls; a call inside an argument, and a block given by its name, become steps of their own
 * first; a lambda becomes an index map over as many variables as the buffer or the block has.
 */
#include "engine/schedule/call/private.h"
#include "engine/base/plural.h"
#include "engine/schedule/legal/legal.h"

LsDiagnostic *
ls_binder_refuse (LsBinder   *self,
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
  return ls_diagnostics_add (self->diagnostics, LS_SEVERITY_ERROR, g_intern_string (code), span, "%s", message);
}

/* ---- values ---------------------------------------------------------------- */

static LsNode *
value_of_name (LsBinder          *self,
               const LsCallValue *value,
               gboolean          *found)
{
  LsNode *meaning = ls_schedule_get_binding (self->schedule, value->text);

  if (meaning == NULL)
    {
      ls_binder_refuse (self, value->span, "unknown-name", "No earlier step gives %s.", value->text);
      *found = FALSE;
    }
  return ls_node_ref (meaning);
}

/* The items of `*value` in a list. */
static void
spread_item (LsBinder          *self,
             const LsCallValue *value,
             GPtrArray         *items,
             gboolean          *found)
{
  g_autoptr(LsNode) whole = ls_binder_value (self, value, found);

  if (*found && !ls_is (whole, ARRAY))
    {
      ls_binder_refuse (self, value->span, "value", "Only a list of results can be spread with * or joined with +.");
      *found = FALSE;
    }
  for (guint i = 0; *found && i < ((LsArray *) whole)->n; i++)
    g_ptr_array_add (items, ls_node_ref (((LsArray *) whole)->items[i]));
}

static LsNode *
value_of_items (LsBinder          *self,
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
        g_ptr_array_add (items, ls_binder_value (self, item, found));
    }
  return LS_NODE (ls_array_take_ptr_array (items));
}

static LsNode *
value_of_subscript (LsBinder          *self,
                    const LsCallValue *value,
                    gboolean          *found)
{
  g_autoptr(LsNode) whole = ls_binder_value (self, value->items->pdata[0], found);
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
      ls_binder_refuse (self, value->span, "subscript", "Only a list of results can be indexed, with a number.");
      *found = FALSE;
      return NULL;
    }
  if (i < 0)
    i += array->n;
  if (i < 0 || i >= array->n)
    {
      ls_binder_refuse (self, value->span, "subscript", ls_translate_plural ("The list has %u item, so there is no number %" PRId64 ".",
                                                                                 "The list has %u items, so there is no number %" PRId64 ".", array->n), array->n, index->integer);
      *found = FALSE;
      return NULL;
    }
  return ls_node_ref (array->items[i]);
}

static LsNode *
value_of_expr (LsBinder          *self,
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
value_of_call (LsBinder          *self,
               const LsCallValue *value,
               gboolean          *found)
{
  const char *dot = strrchr (value->text, '.');
  g_autoptr(GPtrArray) keywords = g_ptr_array_new ();
  g_autoptr(GPtrArray) none = g_ptr_array_new ();
  LsCallStep step = { 0 };
  LsBinder inner = { self->schedule, self->list, NULL, self->diagnostics, NULL, NULL };

  if (dot == NULL || ls_instruction_get (dot + 1) == NULL)
    {
      g_autoptr(LsNode) node = ls_call_value_to_node (value, NULL);

      if (node != NULL)
        return g_steal_pointer (&node);
      if (g_str_has_prefix (value->text, "T."))
        return value_of_expr (self, value, found);
      ls_binder_refuse (self, value->span, "value", "%s is no value that a step takes.", value->text);
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
  return ls_binder_run (&inner, &step, found);
}

static LsNode *
value_of_dict (LsBinder          *self,
               const LsCallValue *value,
               gboolean          *found)
{
  LsNode *node = ls_call_value_to_node (value, self->diagnostics);

  *found = *found && node != NULL;
  return node;
}

LsNode *
ls_binder_value (LsBinder          *self,
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
  ls_binder_refuse (self, value->span, "value", "A value of this form has no place here.");
  *found = FALSE;
  return NULL;
}
/* A block given by its name: the get_block step is made first. (transfer full) */
static LsNode *
block_by_name (LsBinder   *self,
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
block_of_call (LsBinder *self)
{
  LsNode *handle = self->instruction->params[0].type == LS_PARAM_BLOCK ? self->args[0] : NULL;
  LsNode *node = handle != NULL && ls_is_var (handle) ? ls_schedule_resolve (self->schedule, (LsVar *) handle) : NULL;

  return ls_is (node, BLOCK) ? (LsBlock *) node : NULL;
}

/* The buffer that argument number `param` means, with the block in `args` before it; NULL: none. Borrowed. */
static LsBuffer *
find_buffer (LsSchedule           *self,
             const LsInstruction  *instruction,
             LsNode              **args,
             guint                 param)
{
  LsMove move = ls_schedule_move (self, instruction, args);
  const LsHandle *meaning = ls_is_var (args[0]) ? ls_schedule_handle (self, (LsVar *) args[0]) : NULL;
  LsSref *block = meaning != NULL && meaning->type == LS_ENTITY_BLOCK ? ls_state_sref_by_id (move.state, meaning->id) : NULL;
  gboolean is_write;

  return block != NULL && args[param] != NULL ? ls_legal_buffer_access (&move, NULL, block, param, &is_write) : NULL;
}

/* How many values a lambda for this parameter gets; -1: as many as it names. */
static gint
lambda_arity (LsBinder      *self,
              const LsParam *param)
{
  guint at = (guint) (param - self->instruction->params);
  LsBlock *block;

  if (param->flags & LS_PARAM_LAYOUT)
    {
      LsBuffer *buffer = at > 0 ? find_buffer (self->schedule, self->instruction, self->args, at - 1) : NULL;

      return buffer != NULL ? (gint) ls_buffer_ndim (buffer) : -1;
    }
  if (param->type == LS_PARAM_VALUE)
    return at > 0 && ls_is (self->args[at - 1], INDEX_MAP) ? (gint) ls_array_n (((LsIndexMap *) self->args[at - 1])->final_indices) : -1;
  block = block_of_call (self);
  return block != NULL ? (gint) ls_array_n (block->iter_vars) : -1;
}

/* The variables that a lambda is called with: its own names, "*i" as i_0, i_1, ... (transfer full) */
static GPtrArray *
lambda_vars (LsBinder          *self,
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
block_vars (LsBinder *self)
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
take_separators (LsBinder          *self,
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
  ls_binder_refuse (self, value->span, "axis-separator", "%s of %s takes no AXIS_SEPARATOR; only the layout of a buffer has them.",
                    param->name, self->instruction->name);
  return FALSE;
}

static LsNode *
index_map_of (LsBinder          *self,
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

LsNode *
ls_binder_convert (LsBinder          *self,
                   const LsParam     *param,
                   const LsCallValue *value,
                   gboolean          *found)
{
  gboolean given = TRUE;
  LsNode *node;

  if ((param->type == LS_PARAM_INDEX_MAP || param->type == LS_PARAM_VALUE) && value->kind == LS_CALL_VALUE_LAMBDA)
    return index_map_of (self, param, value, found);
  node = ls_binder_value (self, value, &given);
  if (given && node == NULL && (param->flags & LS_PARAM_OPTIONAL))
    return NULL;
  if (given && ls_is (node, STRING) && (param->type == LS_PARAM_BLOCK || param->type == LS_PARAM_BLOCK_OR_LOOP))
    ls_take (&node, block_by_name (self, ((LsString *) node)->value, &given));
  if (given && !ls_param_has_type (node, param->type))
    {
      g_autofree char *text = ls_call_value_print (value);

      ls_binder_refuse (self, value->span, "argument-type", "%s of %s has to be %s, not %s.", param->name, self->instruction->name,
                        ls_param_type_words (param->type), text);
      given = FALSE;
    }
  if (given)
    return node;
  ls_unref (node);
  *found = FALSE;
  return NULL;
}
