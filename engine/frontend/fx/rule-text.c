/* fx/rule-text: the language of rules: a line is read once, and evaluated for each node that it translates.
 *
 *   rule    := ["module"] NAME "(" [param {"," param}] ")" "=" expr          several NAMEs with spaces between share it
 *   param   := NAME ["=" literal] | "*" NAME          the last: all that is left, or the one list that stands there
 *   expr    := literal | NAME | "self" "." NAME | "[" exprs "]" | FUNCTION "(" [NAME "="] expr ... ")"
 *   literal := number | "text" | None | True | False | -number
 *
 * A FUNCTION is an operator of Relax without "relax." (add, nn.relu), or one of
 *   shape(x)  dtype(x)       of a tensor
 *   const(number, dtype)     a constant without dimensions
 *   either(a, b)             a, or b where a is None or an empty list
 *   tir.NAME(x[, y])         a function of TensorIR on each element (tir.atan2), and tir.lgamma
 * self.NAME is a hyper-parameter of the module or one of its tensors.
 */
#include "engine/frontend/frontend-private.h"

#include <string.h>

#define MAX_NESTING 64

typedef enum { X_LITERAL, X_NAME, X_SELF, X_LIST, X_CALL } ExprKind;

typedef struct _Expr Expr;
struct _Expr {
  ExprKind   kind;
  LsFxKind   type;              /* of a literal */
  char      *text;              /* a name, a text */
  double     number;
  GPtrArray *items;             /* of Expr */
  GPtrArray *names;             /* of an item, or NULL */
};

typedef struct { char *name; Expr *preset; gboolean rest; } Param;

struct _LsFxText {
  GArray *params;               /* of Param */
  Expr   *body;
};

/* ---- parsing --------------------------------------------------------------------------- */

typedef struct {
  const char *at;
  const char *problem;          /* the first one */
  guint       depth;
} Reader;

static Expr *read_expr (Reader *self);

static gpointer
problem (Reader     *self,
         const char *text)
{
  self->problem = self->problem != NULL ? self->problem : text;
  return NULL;
}

static gboolean
take (Reader *self,
      char    c)
{
  self->at += strspn (self->at, " \t");
  if (*self->at != c)
    return FALSE;
  self->at++;
  return TRUE;
}

/* A name, dots inside allowed, or NULL. */
static char *
read_name (Reader *self)
{
  const char *from;

  self->at += strspn (self->at, " \t");
  from = self->at;
  while (g_ascii_isalpha (*self->at) || *self->at == '_' || (self->at > from && (g_ascii_isdigit (*self->at) || *self->at == '.')))
    self->at++;
  return self->at > from ? g_strndup (from, (gsize) (self->at - from)) : NULL;
}

static void
expr_free (gpointer data)
{
  Expr *expr = data;

  if (expr == NULL)
    return;
  g_free (expr->text);
  g_clear_pointer (&expr->items, g_ptr_array_unref);
  g_clear_pointer (&expr->names, g_ptr_array_unref);
  g_free (expr);
}

static Expr *
expr_new (ExprKind kind,
          char    *text)
{
  Expr *expr = g_new0 (Expr, 1);

  expr->kind = kind;
  expr->text = text;
  if (kind == X_LIST || kind == X_CALL)
    {
      expr->items = g_ptr_array_new_with_free_func (expr_free);
      expr->names = g_ptr_array_new_with_free_func (g_free);
    }
  return expr;
}

static Expr *
literal (LsFxKind type,
         char    *text,
         double   number)
{
  Expr *expr = expr_new (X_LITERAL, text);

  expr->type = type;
  expr->number = number;
  return expr;
}

static Expr *
read_number (Reader *self)
{
  char *end;
  double number = g_ascii_strtod (self->at, &end);
  gboolean whole = strcspn (self->at, ".eE") >= (gsize) (end - self->at);

  if (end == self->at)
    return problem (self, LS_TEXT ("a number is expected"));
  self->at = end;
  return literal (whole ? LS_FX_INT : LS_FX_REAL, NULL, number);
}

/* What stands before `close`, into an expression with items. */
static Expr *
read_items (Reader *self,
            Expr   *into,
            char    close)
{
  if (self->depth++ > MAX_NESTING)
    problem (self, LS_TEXT ("the expression is nested too deep"));
  while (!take (self, close) && self->problem == NULL)
    {
      const char *before = self->at;
      g_autofree char *name = into->kind == X_CALL ? read_name (self) : NULL;
      Expr *item;

      if (name != NULL && !take (self, '='))
        {
          self->at = before;
          g_clear_pointer (&name, g_free);
        }
      item = read_expr (self);
      if (item == NULL)
        break;
      g_ptr_array_add (into->items, item);
      g_ptr_array_add (into->names, g_steal_pointer (&name));
      if (!take (self, ','))
        {
          if (!take (self, close))
            problem (self, LS_TEXT ("a comma or a closing bracket is expected"));
          break;
        }
    }
  self->depth--;
  return into;
}

static Expr *
read_expr (Reader *self)
{
  g_autofree char *name = NULL;

  self->at += strspn (self->at, " \t");
  if (g_ascii_isdigit (*self->at) || *self->at == '-')
    return read_number (self);
  if (take (self, '['))
    return read_items (self, expr_new (X_LIST, NULL), ']');
  if (*self->at == '"')
    {
      const char *end = strchr (self->at + 1, '"');
      Expr *expr;

      if (end == NULL)
        return problem (self, LS_TEXT ("a text has no end"));
      expr = literal (LS_FX_TEXT, g_strndup (self->at + 1, (gsize) (end - self->at - 1)), 0);
      self->at = end + 1;
      return expr;
    }
  name = read_name (self);
  if (name == NULL)
    return problem (self, LS_TEXT ("a value is expected"));
  if (take (self, '('))
    return read_items (self, expr_new (X_CALL, g_steal_pointer (&name)), ')');
  if (g_str_has_prefix (name, "self."))
    return expr_new (X_SELF, g_strdup (name + strlen ("self.")));
  if (strcmp (name, "None") == 0)
    return literal (LS_FX_NONE, NULL, 0);
  if (strcmp (name, "True") == 0 || strcmp (name, "False") == 0)
    return literal (LS_FX_BOOL, NULL, name[0] == 'T');
  return expr_new (X_NAME, g_steal_pointer (&name));
}

static void
param_clear (gpointer data)
{
  Param *param = data;

  g_free (param->name);
  expr_free (param->preset);
}

static void
read_params (Reader *self,
             GArray *params)
{
  while (!take (self, ')') && self->problem == NULL)
    {
      Param param = { .rest = take (self, '*') };

      param.name = read_name (self);
      if (param.name == NULL)
        problem (self, LS_TEXT ("the name of a parameter is expected"));
      else if (take (self, '='))
        param.preset = read_expr (self);
      g_array_append_val (params, param);
      if (!take (self, ',') && *self->at != ')')
        problem (self, LS_TEXT ("a comma or a closing bracket is expected behind a parameter"));
    }
}

static const char *const FUNCTIONS[] = { "shape", "dtype", "const", "either", NULL };

/* The function of TensorIR that `text` names, or NULL. */
static const char *
elementwise (const char *text)
{
  return g_str_has_prefix (text, "tir.") && ls_fx_elementwise_arity (text + strlen ("tir.")) > 0 ? text + strlen ("tir.") : NULL;
}

/* Names that nothing stands for. */
static void
check (Reader *self,
       GArray *params,
       Expr   *expr)
{
  gboolean known = FALSE;

  if (expr == NULL)
    return;
  for (guint i = 0; expr->kind == X_NAME && i < params->len; i++)
    known |= strcmp (g_array_index (params, Param, i).name, expr->text) == 0;
  if (expr->kind == X_NAME && !known)
    problem (self, LS_TEXT ("a name is used that is no parameter"));
  if (expr->kind == X_CALL && !g_strv_contains (FUNCTIONS, expr->text) && elementwise (expr->text) == NULL)
    {
      g_autofree char *full = g_strconcat ("relax.", expr->text, NULL);

      if (ls_relax_op_spec (full) == NULL)
        problem (self, LS_TEXT ("a function is used that is no operator of Relax"));
    }
  for (guint i = 0; expr->items != NULL && i < expr->items->len; i++)
    check (self, params, expr->items->pdata[i]);
}

void
ls_fx_text_free (LsFxText *self)
{
  g_clear_pointer (&self->params, g_array_unref);
  expr_free (self->body);
  g_free (self);
}

gboolean
ls_fx_text_parse (const char  *line,
                  GPtrArray   *names,
                  GPtrArray   *texts,
                  const char **what)
{
  Reader reader = { .at = line };
  gboolean module = FALSE;
  guint first = names->len;
  char *name;

  reader.at += strspn (line, " \t\r");
  if (*reader.at == '\0' || *reader.at == '#')
    return TRUE;
  while ((name = read_name (&reader)) != NULL)
    {
      gboolean keyword = strcmp (name, "module") == 0 && names->len == first && !module && *reader.at == ' ';

      if (!keyword)
        g_ptr_array_add (names, g_strconcat (module ? "module:" : "", name, NULL));
      module |= keyword;
      g_free (name);
    }
  if (names->len == first || !take (&reader, '('))
    problem (&reader, LS_TEXT ("the name of a function and its parameters in brackets are expected"));
  for (guint i = first; i < names->len && reader.problem == NULL; i++)
    {
      Reader rest = reader;
      LsFxText *text = g_new0 (LsFxText, 1);

      text->params = g_array_new (FALSE, TRUE, sizeof (Param));
      g_array_set_clear_func (text->params, param_clear);
      g_ptr_array_add (texts, text);
      read_params (&rest, text->params);
      if (rest.problem == NULL && !take (&rest, '='))
        problem (&rest, LS_TEXT ("an = is expected behind the parameters"));
      text->body = rest.problem == NULL ? read_expr (&rest) : NULL;
      rest.at += strspn (rest.at, " \t\r");
      if (rest.problem == NULL && *rest.at != '\0' && *rest.at != '#')
        problem (&rest, LS_TEXT ("the line goes on behind the expression"));
      check (&rest, text->params, text->body);
      reader.problem = rest.problem;
    }
  *what = reader.problem;
  return reader.problem == NULL;
}

/* ---- evaluation -------------------------------------------------------------------------------------- */

static LsFxValue *evaluate (LsFxImport *self, const LsFxText *rule, LsFxValue **values, const Expr *expr);

static LsFxValue *
member (LsFxImport *self,
        const char *name)
{
  LsFxValue *value = ls_fx_attr (self, name);

  if (value == NULL)
    value = ls_fx_weight (self, name);
  return value != NULL || self->error != NULL ? value : ls_fx_none (self);
}

static LsFxValue *
call_function (LsFxImport *self,
               const char *name,
               LsFxValue **args,
               guint       n)
{
  LsDType dtype;

  if (strcmp (name, "shape") == 0 && n == 1)
    return ls_fx_shape (self, args[0]);
  if (strcmp (name, "dtype") == 0 && n == 1)
    {
      dtype = ls_fx_dtype (self, args[0]);
      return self->error == NULL ? ls_fx_text (self, LS_FX_DTYPE, ls_dtype_name (dtype)) : NULL;
    }
  if (strcmp (name, "const") == 0 && n == 2)
    return args[0]->kind == LS_FX_NODE ? args[0] : ls_fx_to_dtype (self, args[1], &dtype) ? ls_fx_scalar (self, args[0], dtype) : NULL;
  if (strcmp (name, "either") == 0 && n == 2)
    return args[0]->kind == LS_FX_NONE || (args[0]->kind == LS_FX_LIST && args[0]->n == 0) ? args[1] : args[0];
  return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "a rule gives %s %u arguments", name, n);
}

static LsFxValue *
evaluate_call (LsFxImport     *self,
               const LsFxText *rule,
               LsFxValue     **values,
               const Expr     *expr)
{
  LsFxValue *args[16], *named[16];
  const char *names[16];
  guint n = 0, n_named = 0;

  for (guint i = 0; i < expr->items->len && i < 16; i++)
    {
      LsFxValue *value = evaluate (self, rule, values, expr->items->pdata[i]);

      if (value == NULL)
        return NULL;
      if (expr->names->pdata[i] == NULL)
        args[n++] = value;
      else
        {
          names[n_named] = expr->names->pdata[i];
          named[n_named++] = value;
        }
    }
  if (g_strv_contains (FUNCTIONS, expr->text))
    return call_function (self, expr->text, args, n);
  if (elementwise (expr->text) != NULL)
    return ls_fx_elementwise (self, elementwise (expr->text), args, n);
  return ls_fx_call_with (self, expr->text, args, n, names, named, n_named);
}

static LsFxValue *
evaluate_list (LsFxImport     *self,
               const LsFxText *rule,
               LsFxValue     **values,
               const Expr     *expr)
{
  LsFxValue **items = ls_fx_alloc (self, expr->items->len * sizeof *items);

  for (guint i = 0; i < expr->items->len; i++)
    if ((items[i] = evaluate (self, rule, values, expr->items->pdata[i])) == NULL)
      return NULL;
  return ls_fx_list (self, items, expr->items->len);
}

static LsFxValue *
evaluate (LsFxImport     *self,
          const LsFxText *rule,
          LsFxValue     **values,
          const Expr     *expr)
{
  switch (expr->kind)
    {
    case X_LITERAL:
      return expr->type == LS_FX_NONE ? ls_fx_none (self) : expr->type == LS_FX_BOOL ? ls_fx_bool (self, expr->number != 0)
             : expr->type == LS_FX_INT ? ls_fx_int (self, (gint64) expr->number) : expr->type == LS_FX_REAL ? ls_fx_real (self, expr->number)
             : ls_fx_text (self, LS_FX_TEXT, expr->text);
    case X_NAME:
      for (guint i = 0; i < rule->params->len; i++)
        if (strcmp (g_array_index (rule->params, Param, i).name, expr->text) == 0)
          return values[i];
      break;
    case X_SELF: return member (self, expr->text);
    case X_LIST: return evaluate_list (self, rule, values, expr);
    case X_CALL: return evaluate_call (self, rule, values, expr);
    }
  return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "a rule uses the name %s, which is no parameter", expr->text);
}

LsFxValue *
ls_fx_text_apply (LsFxImport     *self,
                  const LsFxText *rule)
{
  LsFxValue **values = ls_fx_alloc (self, rule->params->len * sizeof *values);

  for (guint i = 0; i < rule->params->len; i++)
    {
      const Param *param = &g_array_index (rule->params, Param, i);

      values[i] = param->rest ? ls_fx_rest (self, param->name, i) : ls_fx_arg (self, param->name, i);
      if (values[i] == NULL && param->preset != NULL)
        values[i] = evaluate (self, rule, values, param->preset);
      if (values[i] == NULL)
        return ls_fx_needed (self, param->name, i);
    }
  return evaluate (self, rule, values, rule->body);
}
