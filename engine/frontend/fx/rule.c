/* fx/rule: the language of rules, and which rule translates a node.
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
 * self.NAME is a hyper-parameter of the module or one of its tensors.
 */
#include "engine/frontend/fx/fx-private.h"

#include <math.h>
#include <string.h>

/* Numbers beyond it are cut, so that sums and products of a few stay numbers. */
#define LARGEST (G_GINT64_CONSTANT (1) << 48)
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

struct _LsFxRule {
  char         *name;           /* "relu", "module:ReLU" */
  GArray       *params;         /* of Param, of a text */
  Expr         *body;
  LsFxTranslate translate;      /* or built in */
  LsFxRuleFunc  func;           /* or the user's */
  gpointer      user_data;
};

static GHashTable *all_rules;   /* name -> LsFxRule; what was replaced stays alive */
static GMutex lock;

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
    return problem (self, "a number is expected");
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
    problem (self, "the expression is nested too deep");
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
            problem (self, "a comma or a closing bracket is expected");
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
        return problem (self, "a text has no end");
      expr = literal (LS_FX_TEXT, g_strndup (self->at + 1, (gsize) (end - self->at - 1)), 0);
      self->at = end + 1;
      return expr;
    }
  name = read_name (self);
  if (name == NULL)
    return problem (self, "a value is expected");
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
        problem (self, "the name of a parameter is expected");
      else if (take (self, '='))
        param.preset = read_expr (self);
      g_array_append_val (params, param);
      if (!take (self, ',') && *self->at != ')')
        problem (self, "a comma or a closing bracket is expected behind a parameter");
    }
}

static const char *const FUNCTIONS[] = { "shape", "dtype", "const", "either", NULL };

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
    problem (self, "a name is used that is no parameter");
  if (expr->kind == X_CALL && !g_strv_contains (FUNCTIONS, expr->text))
    {
      g_autofree char *full = g_strconcat ("relax.", expr->text, NULL);

      if (ls_relax_op_spec (full) == NULL)
        problem (self, "a function is used that is no operator of Relax");
    }
  for (guint i = 0; expr->items != NULL && i < expr->items->len; i++)
    check (self, params, expr->items->pdata[i]);
}

static void
rule_free (LsFxRule *self)
{
  g_free (self->name);
  g_clear_pointer (&self->params, g_array_unref);
  expr_free (self->body);
  g_free (self);
}

/* The rules of one line (or none, of a comment); FALSE and the problem. */
static gboolean
parse_line (const char  *line,
            GPtrArray   *rules,
            const char **what)
{
  Reader reader = { .at = line };
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  gboolean module = FALSE;
  char *name;

  reader.at += strspn (line, " \t\r");
  if (*reader.at == '\0' || *reader.at == '#')
    return TRUE;
  while ((name = read_name (&reader)) != NULL)
    {
      if (strcmp (name, "module") == 0 && names->len == 0 && !module && *reader.at == ' ')
        {
          module = TRUE;
          g_free (name);
          continue;
        }
      g_ptr_array_add (names, name);
    }
  if (names->len == 0 || !take (&reader, '('))
    problem (&reader, "the name of a function and its parameters in brackets are expected");
  for (guint i = 0; i < names->len && reader.problem == NULL; i++)
    {
      Reader rest = reader;
      LsFxRule *rule = g_new0 (LsFxRule, 1);

      rule->params = g_array_new (FALSE, TRUE, sizeof (Param));
      g_array_set_clear_func (rule->params, param_clear);
      rule->name = g_strconcat (module ? "module:" : "", names->pdata[i], NULL);
      read_params (&rest, rule->params);
      if (rest.problem == NULL && !take (&rest, '='))
        problem (&rest, "an = is expected behind the parameters");
      rule->body = rest.problem == NULL ? read_expr (&rest) : NULL;
      rest.at += strspn (rest.at, " \t\r");
      if (rest.problem == NULL && *rest.at != '\0' && *rest.at != '#')
        problem (&rest, "the line goes on behind the expression");
      check (&rest, rule->params, rule->body);
      reader.problem = rest.problem;
      if (rest.problem == NULL)
        g_ptr_array_add (rules, rule);
      else
        rule_free (rule);
    }
  *what = reader.problem;
  return reader.problem == NULL;
}

/* ---- the table ---------------------------------------------------------------------------- */

static void
add_handlers (const LsFxHandler *handlers)
{
  for (; handlers->names != NULL; handlers++)
    {
      g_auto (GStrv) names = g_strsplit (handlers->names, " ", -1);

      for (guint i = 0; names[i] != NULL; i++)
        {
          LsFxRule *rule = g_new0 (LsFxRule, 1);

          rule->name = g_strdup (names[i]);
          rule->translate = handlers->translate;
          g_hash_table_insert (all_rules, rule->name, rule);
        }
    }
}

/* With the lock held. */
static void
ensure_rules (void)
{
  if (all_rules != NULL)
    return;
  all_rules = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; ls_fx_rule_texts[i] != NULL; i++)
    {
      g_autoptr (GPtrArray) rules = g_ptr_array_new ();
      const char *what = NULL;

      if (!parse_line (ls_fx_rule_texts[i], rules, &what))
        g_error ("the rule \"%s\": %s", ls_fx_rule_texts[i], what);
      for (guint k = 0; k < rules->len; k++)
        g_hash_table_insert (all_rules, ((LsFxRule *) rules->pdata[k])->name, rules->pdata[k]);
    }
  add_handlers (ls_fx_handlers_basic);
  add_handlers (ls_fx_handlers_shape);
  add_handlers (ls_fx_handlers_nn);
}

static void
add_rule (LsFxRule *rule)
{
  g_mutex_lock (&lock);
  ensure_rules ();
  g_hash_table_replace (all_rules, rule->name, rule);
  g_mutex_unlock (&lock);
}

void
ls_fx_rules_add (const char   *name,
                 LsFxRuleFunc  func,
                 gpointer      user_data)
{
  LsFxRule *rule = g_new0 (LsFxRule, 1);

  rule->name = g_str_has_prefix (name, "module ") ? g_strconcat ("module:", name + strlen ("module "), NULL) : g_strdup (name);
  rule->func = func;
  rule->user_data = user_data;
  add_rule (rule);
}

gboolean
ls_fx_rules_add_text (const char *text,
                      GError    **error)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GPtrArray) rules = g_ptr_array_new ();

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *what = NULL;

      if (parse_line (lines[i], rules, &what))
        continue;
      g_set_error (error, LS_FX_ERROR, LS_FX_ERROR_FILE, "line %u: %s: %s", i + 1, what, g_strstrip (lines[i]));
      g_ptr_array_set_free_func (rules, (GDestroyNotify) rule_free);
      return FALSE;
    }
  for (guint i = 0; i < rules->len; i++)
    add_rule (rules->pdata[i]);
  return TRUE;
}

static const LsFxRule *
find_rule (const char *name)
{
  const LsFxRule *rule;

  g_mutex_lock (&lock);
  ensure_rules ();
  rule = g_hash_table_lookup (all_rules, name);
  g_mutex_unlock (&lock);
  return rule;
}

char *
ls_fx_rules_list (const char *op)
{
  gboolean modules = strcmp (op, "call_module") == 0;
  GString *out = g_string_new (NULL);
  g_autoptr (GList) names = NULL;

  g_mutex_lock (&lock);
  ensure_rules ();
  names = g_list_sort (g_hash_table_get_keys (all_rules), (GCompareFunc) strcmp);
  g_mutex_unlock (&lock);
  for (GList *l = names; l != NULL; l = l->next)
    if (g_str_has_prefix (l->data, "module:") == modules)
      g_string_append_printf (out, "%s%s", out->len > 0 ? ", " : "", (char *) l->data + (modules ? strlen ("module:") : 0));
  return g_string_free (out, FALSE);
}

/* ---- what a node was given ---------------------------------------------------------------------- */

LsFxValue *
ls_fx_arg (LsFxImport *self,
           const char *name,
           guint       position)
{
  LsFxValue *value = position < self->n_args ? self->args[position] : NULL;

  for (guint i = 0; value == NULL && i < self->n_kwargs; i++)
    if (strcmp (self->names[i], name) == 0)
      value = self->kwargs[i];
  return value != NULL && value->kind != LS_FX_NONE ? value : NULL;
}

LsFxValue *
ls_fx_needed (LsFxImport *self,
              const char *name,
              guint       position)
{
  LsFxValue *value = ls_fx_arg (self, name, position);

  return value != NULL ? value : ls_fx_fail (self, LS_FX_ERROR_GRAPH, "it has no argument `%s` (number %u)", name, position + 1);
}

LsFxValue *
ls_fx_attr (LsFxImport *self,
            const char *name)
{
  JsonNode *member = self->module != NULL ? json_object_get_member (self->module, name) : NULL;
  LsFxValue *value = member != NULL ? ls_fx_of_json (self, member) : NULL;

  return value != NULL && value->kind != LS_FX_NONE ? value : NULL;
}

LsFxValue *
ls_fx_weight (LsFxImport *self,
              const char *name)
{
  g_autofree char *path = self->module != NULL ? g_strconcat (self->node->target, ".", name, NULL) : NULL;

  return path != NULL ? ls_fx_tensor (self, path) : NULL;
}

gint64
ls_fx_whole (LsFxImport *self,
             LsFxValue  *value,
             const char *name,
             gint64      otherwise)
{
  if (value != NULL && value->kind != LS_FX_INT && value->kind != LS_FX_BOOL)
    ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "`%s` is a whole number, not %s", name, ls_fx_describe (self, value));
  return value != NULL && (value->kind == LS_FX_INT || value->kind == LS_FX_BOOL) ? CLAMP (value->i, -LARGEST, LARGEST) : otherwise;
}

gboolean
ls_fx_truth (LsFxValue *value,
             gboolean   otherwise)
{
  return value != NULL && (value->kind == LS_FX_BOOL || value->kind == LS_FX_INT) ? value->i != 0 : otherwise;
}

LsFxValue *
ls_fx_rest (LsFxImport *self,
            const char *name,
            guint       position)
{
  LsFxValue *first = ls_fx_arg (self, name, position);

  if (first != NULL && (first->kind == LS_FX_LIST || position >= self->n_args))
    return first;
  if (first != NULL && self->n_args == position + 1 && first->kind == LS_FX_NODE && ls_is (first->node, SHAPE_EXPR))
    return first;
  return ls_fx_list (self, self->args + MIN (position, self->n_args), self->n_args - MIN (position, self->n_args));
}

/* ---- evaluation -------------------------------------------------------------------------------------- */

static LsFxValue *evaluate (LsFxImport *self, const LsFxRule *rule, LsFxValue **values, const Expr *expr);

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
               const LsFxRule *rule,
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
  return ls_fx_call_with (self, expr->text, args, n, names, named, n_named);
}

static LsFxValue *
evaluate_list (LsFxImport     *self,
               const LsFxRule *rule,
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
          const LsFxRule *rule,
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

static LsFxValue *
apply_text (LsFxImport     *self,
            const LsFxRule *rule)
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

static LsFxValue *
apply_func (LsFxImport     *self,
            const LsFxRule *rule)
{
  LsNode **args = ls_fx_alloc (self, self->n_args * sizeof *args), *expr;

  for (guint i = 0; i < self->n_args; i++)
    args[i] = self->args[i]->kind == LS_FX_NODE ? self->args[i]->node : NULL;
  expr = rule->func (self->builder, args, self->n_args, rule->user_data, &self->error);
  return expr != NULL ? ls_fx_emit (self, expr) : NULL;
}

static LsFxValue *
apply (LsFxImport     *self,
       const LsFxRule *rule)
{
  return rule->translate != NULL ? rule->translate (self) : rule->func != NULL ? apply_func (self, rule) : apply_text (self, rule);
}

/* ---- which rule ---------------------------------------------------------------------------------------- */

/* Behind the last dot; of "aten.add.Tensor" and the like what stands before the overload. */
static char *
last_part (const char *target)
{
  g_auto (GStrv) parts = g_strsplit (target, ".", -1);
  guint n = g_strv_length (parts);
  gboolean overload = n >= 2 && strstr (target, "aten.") != NULL && strcmp (parts[n - 2], "aten") != 0;

  return g_strdup (n == 0 ? "" : overload ? parts[n - 2] : parts[n - 1]);
}

/* "relu_" is "relu", and the tensor is that from now on. */
static LsFxValue *
apply_in_place (LsFxImport     *self,
                const LsFxRule *rule)
{
  LsFxValue *value = apply (self, rule);
  JsonNode *first = json_array_get_length (self->node->args) > 0 ? json_array_get_element (self->node->args, 0) : NULL;
  JsonNode *name = first != NULL && JSON_NODE_HOLDS_OBJECT (first) ? json_object_get_member (json_node_get_object (first), "node") : NULL;

  if (value != NULL && name != NULL && JSON_NODE_HOLDS_VALUE (name))
    g_hash_table_insert (self->values, (gpointer) json_node_get_string (name), value);
  return value;
}

LsFxValue *
ls_fx_translate (LsFxImport *self)
{
  const char *target = self->node->target;
  g_autofree char *name = NULL, *key = NULL, *known = NULL;
  const LsFxRule *rule;
  gsize n;

  if (self->module != NULL)
    target = json_object_get_string_member (self->module, "type");
  name = last_part (target);
  key = g_strconcat (self->module != NULL ? "module:" : "", name, NULL);
  rule = find_rule (key);
  if (rule != NULL)
    return apply (self, rule);
  n = strlen (key);
  if (self->module == NULL && n > 1 && key[n - 1] == '_')
    {
      key[n - 1] = '\0';
      rule = find_rule (key);
      if (rule != NULL)
        return apply_in_place (self, rule);
    }
  known = ls_fx_rules_list (self->node->op);
  return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "no rule translates %s %s; supported are %s; rules of one's own can be added", self->node->op, target, known);
}
