/* session/step-params: reads the last call with script/calls and writes it again with keywords. */
#include "app/session/step-params.h"

#include "engine/schedule/moves/moves.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#define DECISION G_MAXUINT
#define MAX_CHOICES 64

static const char *const scopes[] = { "global", "shared", "local", "wmma.matrix_a", "wmma.matrix_b", "wmma.accumulator", NULL };
static const char *const threads[] = { "blockIdx.x", "blockIdx.y", "blockIdx.z", "threadIdx.x", "threadIdx.y",
                                       "threadIdx.z", "vthread.x", "vthread.y", "vthread.z", NULL };
static const char *const keys[] = { "pragma_auto_unroll_max_step", "pragma_unroll_explicit", "meta_schedule.parallel",
                                    "meta_schedule.vectorize", "meta_schedule.unroll_explicit", NULL };
static const char *const axes[] = { "0", "1", "2", "3", NULL };
static const char *const places[] = { "-1", "-2", NULL };

/* What a parameter of this name may be, whatever the primitive. */
static const struct { const char *param; const char *const *values; } legal[] = {
  { "storage_scope", scopes },
  { "thread_axis", threads },
  { "ann_key", keys },
  { "factor_axis", axes },
  { "index", places },
};

static void
param_free (gpointer data)
{
  LsStepParam *self = data;

  g_free (self->name);
  g_free (self->value);
  g_strfreev (self->choices);
  g_clear_pointer (&self->nodes, g_ptr_array_unref);
  g_free (self);
}

void
ls_step_params_free (LsStepParams *self)
{
  if (self->choosing != NULL)
    self->stop_choosing (self->choosing);
  g_free (self->lines);
  g_ptr_array_unref (self->params);
  g_clear_pointer (&self->before, ls_schedule_unref);
  g_free (self);
}

static gboolean
is_handle (LsParamType type)
{
  switch (type)
    {
    case LS_PARAM_BLOCK:
    case LS_PARAM_LOOP:
    case LS_PARAM_BLOCK_OR_LOOP:
    case LS_PARAM_LOOPS:
    case LS_PARAM_BLOCKS:
    case LS_PARAM_BLOCKS_OR_LOOP:
      return TRUE;
    case LS_PARAM_INT:
    case LS_PARAM_BOOL:
    case LS_PARAM_STRING:
    case LS_PARAM_FACTORS:
    case LS_PARAM_INTS:
    case LS_PARAM_FLOATS:
    case LS_PARAM_STRINGS:
    case LS_PARAM_BUFFER:
    case LS_PARAM_INDEX_MAP:
    case LS_PARAM_VALUE:
      return FALSE;
    }

  return FALSE;
}

/* ---- reading ---------------------------------------------------------------- */

static const LsCallValue *
value_of (const LsCallStep    *call,
          const LsInstruction *row,
          guint                p)
{
  const LsParam *param = &row->params[p];
  const LsCallValue *value = ls_call_step_keyword (call, param->name);

  if (value == NULL && param->trace_name != NULL)
    value = ls_call_step_keyword (call, param->trace_name);
  for (guint i = 0; value == NULL && i < p; i++)
    if (row->params[i].flags & LS_PARAM_VARIADIC)
      return NULL;
  return value != NULL ? value : ls_call_step_argument (call, p, param->name);
}

static char **
divisors_of (gint64 extent)
{
  GPtrArray *texts = g_ptr_array_new ();

  for (gint64 d = 2; d < extent && texts->len < MAX_CHOICES; d++)
    if (extent % d == 0)
      g_ptr_array_add (texts, g_strdup_printf ("%" G_GINT64_FORMAT, d));
  g_ptr_array_add (texts, NULL);
  return (char **) g_ptr_array_free (texts, FALSE);
}

static const char *
factor_name (guint i,
             guint n)
{
  return i == 0 ? _("outer") : i + 1 == n ? _("inner") : _("middle");
}

static void
add_factors (LsStepParams      *self,
             guint              p,
             const LsCallValue *list)
{
  for (guint i = 0; i < list->items->len; i++)
    {
      LsStepParam *param = g_new0 (LsStepParam, 1);

      param->kind = LS_MOVE_PARAM_FACTOR;
      param->param = p;
      param->item = (gint) i;
      param->name = g_strdup (factor_name (i, list->items->len));
      param->value = ls_call_value_print (g_ptr_array_index (list->items, i));
      if (i + 1 == list->items->len)
        param->choices = divisors_of (self->extent);
      g_ptr_array_add (self->params, param);
    }
}

static LsMoveParamKind
kind_of (const LsParam  *row,
         char          **choices)
{
  if (row->type == LS_PARAM_BOOL)
    return LS_MOVE_PARAM_FLAG;
  return choices != NULL ? LS_MOVE_PARAM_CHOICE : LS_MOVE_PARAM_TEXT;
}

/* The known values with the present one among them. */
static char **
choices_of (const char *name,
            const char *value)
{
  for (guint i = 0; i < G_N_ELEMENTS (legal); i++)
    if (strcmp (legal[i].param, name) == 0)
      {
        g_autoptr (GStrvBuilder) list = g_strv_builder_new ();

        if (!g_strv_contains (legal[i].values, value))
          g_strv_builder_add (list, value);
        g_strv_builder_addv (list, (const char **) legal[i].values);
        return g_strv_builder_end (list);
      }
  return NULL;
}

static void
add_param (LsStepParams      *self,
           guint              p,
           const LsCallValue *value)
{
  const LsParam *row = &self->instruction->params[p];
  LsStepParam *param;
  const char *fallback = row->default_text;

  if (value == NULL && fallback == NULL)
    return;
  param = g_new0 (LsStepParam, 1);
  param->param = p;
  param->item = -1;
  param->name = g_strdup (row->name);
  param->quoted = value != NULL ? value->kind == LS_CALL_VALUE_STRING : row->type == LS_PARAM_STRING;
  if (value != NULL)
    param->value = param->quoted ? g_strdup (value->text) : ls_call_value_print (value);
  else
    param->value = g_strdup (strcmp (fallback, "\"\"") == 0 ? "" : fallback);
  param->choices = row->type == LS_PARAM_STRING || row->type == LS_PARAM_INT ? choices_of (row->name, param->value) : NULL;
  param->kind = kind_of (row, param->choices);
  g_ptr_array_add (self->params, param);
}

static void
add_decision (LsStepParams     *self,
              const LsCallStep *call)
{
  const LsCallValue *value = ls_call_step_keyword (call, "decision");
  LsStepParam *param;

  if (value == NULL)
    return;
  param = g_new0 (LsStepParam, 1);
  param->kind = LS_MOVE_PARAM_TEXT;
  param->param = DECISION;
  param->item = -1;
  param->name = g_strdup ("decision");
  param->value = ls_call_value_print (value);
  g_ptr_array_add (self->params, param);
}

LsStepParams *
ls_step_params_new (const char *lines,
                    gint64      extent)
{
  g_autoptr (LsSource) source = ls_source_new ("step", lines, -1);
  g_autoptr (LsDiagnostics) dropped = ls_diagnostics_new ();
  g_autoptr (LsCallList) list = ls_script_parse_calls (source, dropped);
  guint n = ls_call_list_get_n (list);
  const LsCallStep *call = n > 0 ? ls_call_list_get (list, n - 1) : NULL;
  const LsInstruction *row = call != NULL ? ls_instruction_get (call->method) : NULL;
  LsStepParams *self;

  if (row == NULL)
    return NULL;
  self = g_new0 (LsStepParams, 1);
  self->instruction = row;
  self->lines = g_strdup (lines);
  self->extent = extent;
  self->params = g_ptr_array_new_with_free_func (param_free);
  for (guint p = 0; p < row->n_params; p++)
    {
      const LsCallValue *value = value_of (call, row, p);

      if (is_handle (row->params[p].type) || (value == NULL && (row->params[p].flags & LS_PARAM_UNPRINTED)))
        continue;
      if (row->params[p].type == LS_PARAM_FACTORS && value != NULL && value->items != NULL)
        add_factors (self, p, value);
      else
        add_param (self, p, value);
    }
  add_decision (self, call);
  return self;
}

/* ---- writing ---------------------------------------------------------------- */

static char *
value_text (LsStepParams *self,
            guint        *i)
{
  LsStepParam *param = g_ptr_array_index (self->params, *i);
  GString *text;

  if (param->item < 0 && param->quoted)
    {
      g_autofree char *escaped = g_strescape (param->value, NULL);

      return g_strdup_printf ("\"%s\"", escaped);
    }
  if (param->item < 0)
    return g_strdup (param->value);

  text = g_string_new ("[");
  for (; *i < self->params->len; (*i)++)
    {
      LsStepParam *factor = g_ptr_array_index (self->params, *i);

      if (factor->param != param->param)
        break;
      g_string_append_printf (text, "%s%s", factor->item > 0 ? ", " : "", factor->value);
    }
  (*i)--;
  return g_string_free (g_string_append_c (text, ']'), FALSE);
}

static void
put_argument (GString    *out,
              const char *name,
              const char *value)
{
  if (out->len > 0)
    g_string_append (out, ", ");
  if (name != NULL)
    g_string_append_printf (out, "%s=", name);
  g_string_append (out, value);
}

/* The field of loop or block number i of the call, or NULL. */
static LsStepParam *
handle_at (LsStepParams *self,
           guint         i)
{
  for (guint k = 0; k < self->params->len; k++)
    {
      LsStepParam *param = g_ptr_array_index (self->params, k);

      if (param->nodes != NULL && param->item == (gint) i)
        return param;
    }
  return NULL;
}

/* The node that a field of a loop or block says, when that is not the one of the text, which is the first choice. */
static LsNode *
chosen_node (const LsStepParam *param)
{
  for (guint i = 0; param->nodes != NULL && i < param->nodes->len; i++)
    if (strcmp (param->choices[i], param->value) == 0)
      return i > 0 ? g_ptr_array_index (param->nodes, i) : NULL;
  return NULL;
}

/* A loop or block as the text has it, or the one that was chosen instead; that needs lines of its own before. */
static void
put_handle (LsStepParams      *self,
            guint              number,
            const char        *name,
            const LsCallValue *value,
            GString           *lines,
            GString           *out)
{
  LsStepParam *param = handle_at (self, number);
  LsNode *node = param != NULL ? chosen_node (param) : NULL;
  g_autofree char *text = node != NULL ? ls_schedule_place_text (self->before, node, lines) : NULL;

  if (text == NULL)
    text = ls_call_value_print (value);
  put_argument (out, name, text);
}

static void
put_handles (LsStepParams     *self,
             const LsCallStep *call,
             GString          *lines,
             GString          *out)
{
  const LsInstruction *row = self->instruction;
  guint number = 0;

  for (guint p = 0; p < row->n_params; p++)
    {
      const LsCallValue *value = value_of (call, row, p);
      gboolean variadic = (row->params[p].flags & LS_PARAM_VARIADIC) != 0;

      if (!is_handle (row->params[p].type))
        continue;
      for (guint i = p; variadic && i < call->args->len; i++)
        put_handle (self, number++, NULL, g_ptr_array_index (call->args, i), lines, out);
      if (!variadic && value != NULL)
        put_handle (self, number++, row->params[p].name, value, lines, out);
    }
}

char *
ls_step_params_text (LsStepParams *self)
{
  g_autoptr (LsSource) source = ls_source_new ("step", self->lines, -1);
  g_autoptr (LsDiagnostics) dropped = ls_diagnostics_new ();
  g_autoptr (LsCallList) list = ls_script_parse_calls (source, dropped);
  const LsCallStep *call = ls_call_list_get (list, ls_call_list_get_n (list) - 1);
  g_autoptr (GString) arguments = g_string_new (NULL);
  g_autoptr (GString) bound = g_string_new (NULL);
  g_autofree char *head = g_strndup (self->lines, call->method_span.end);
  const char *last = strrchr (head, '\n');
  gsize start = last != NULL ? (gsize) (last + 1 - head) : 0;

  put_handles (self, call, bound, arguments);
  for (guint i = 0; i < self->params->len; i++)
    {
      LsStepParam *param = g_ptr_array_index (self->params, i);
      g_autofree char *text = param->nodes == NULL ? value_text (self, &i) : NULL;

      if (text == NULL)
        continue;
      if (param->param == DECISION)
        put_argument (arguments, "decision", text);
      else if (self->instruction->params[param->param].default_text == NULL ||
               strcmp (self->instruction->params[param->param].default_text, text) != 0)
        put_argument (arguments, self->instruction->params[param->param].name, text);
    }
  return g_strdup_printf ("%.*s%s%s(%s)\n", (int) start, head, bound->str, head + start, arguments->str);
}

/* ---- changing --------------------------------------------------------------- */

static gint64
number_of (LsStepParams *self,
           guint         i)
{
  LsStepParam *param = g_ptr_array_index (self->params, i);
  gint64 number = 0;

  g_ascii_string_to_signed (param->value, 10, 1, G_MAXINT32, &number, NULL);
  return number;
}

static guint
n_factors (LsStepParams *self)
{
  guint n = 0;

  while (n < self->params->len && ((LsStepParam *) g_ptr_array_index (self->params, n))->kind == LS_MOVE_PARAM_FACTOR)
    n++;
  return n;
}

static void
follow (LsStepParams *self,
        guint         i)
{
  LsStepParam *other = g_ptr_array_index (self->params, 1 - i);
  gint64 number = number_of (self, i);

  if (self->extent <= 0 || number <= 0)
    return;
  g_free (other->value);
  other->value = g_strdup_printf ("%" G_GINT64_FORMAT, (self->extent + number - 1) / number);
}

/* A loop that the step has elsewhere: the two change places. */
static void
change_places (LsStepParams *self,
               LsStepParam  *param,
               const char   *value)
{
  for (guint i = 0; i < self->params->len; i++)
    {
      LsStepParam *other = g_ptr_array_index (self->params, i);

      if (other == param || other->nodes == NULL || strcmp (other->value, value) != 0 ||
          !g_strv_contains ((const char *const *) other->choices, param->value))
        continue;
      g_free (other->value);
      other->value = g_strdup (param->value);
    }
}

gboolean
ls_step_params_set (LsStepParams *self,
                    guint         i,
                    const char   *value)
{
  LsStepParam *param = i < self->params->len ? g_ptr_array_index (self->params, i) : NULL;
  gint64 number;

  if (param == NULL)
    return FALSE;
  if (param->kind == LS_MOVE_PARAM_FACTOR && strcmp (value, "None") != 0 &&
      !g_ascii_string_to_signed (value, 10, 1, G_MAXINT32, &number, NULL))
    return FALSE;
  if (strchr (value, '\n') != NULL)
    return FALSE;
  if (param->nodes != NULL && !g_strv_contains ((const char *const *) param->choices, value))
    return FALSE;
  if (param->nodes != NULL)
    change_places (self, param, value);
  g_free (param->value);
  param->value = g_strdup (value);
  if (param->kind == LS_MOVE_PARAM_FACTOR && n_factors (self) == 2 && i < 2)
    follow (self, i);
  return TRUE;
}

GArray *
ls_step_params_shown (LsStepParams *self)
{
  GArray *shown = g_array_new (FALSE, TRUE, sizeof (LsMoveParam));

  for (guint i = 0; i < self->params->len; i++)
    {
      LsStepParam *param = g_ptr_array_index (self->params, i);
      LsMoveParam one = { param->kind, param->name, param->value, (const char *const *) param->choices };

      g_array_append_val (shown, one);
    }
  return shown;
}

char *
ls_step_params_product (LsStepParams *self)
{
  guint n = n_factors (self);
  gint64 product = 1;

  if (n == 0 || self->extent <= 0)
    return NULL;
  for (guint i = 0; i < n; i++)
    {
      gint64 number = number_of (self, i);

      if (number <= 0)
        return NULL;
      product *= number;
    }
  if (product == self->extent)
    return g_strdup_printf (_("= %" PRId64 ", exact"), product);
  return g_strdup_printf (_("= %" PRId64 ", with a guard at %" PRId64), product, self->extent);
}
