#include "tests/support/expr-io.h"

#include <string.h>

/* ---- reading ---- */

typedef struct { const char *at; GHashTable *vars; gboolean failed; guint depth; } Reader;

static LsExpr *read_level (Reader *self, guint level);

GHashTable *
ls_test_vars_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) ls_node_unref);
}

LsVar *
ls_test_var (GHashTable *vars,
             const char *name)
{
  LsVar *var = g_hash_table_lookup (vars, name);

  if (var == NULL)
    {
      var = ls_var_new (name, LS_INT32);
      g_hash_table_insert (vars, g_strdup (name), var);
    }
  return var;
}

static gboolean
skip (Reader     *self,
      const char *token)
{
  gsize length = strlen (token);

  while (*self->at == ' ')
    self->at++;
  if (strncmp (self->at, token, length) != 0)
    return FALSE;
  if (g_ascii_isalpha (token[0]) && (g_ascii_isalnum (self->at[length]) || self->at[length] == '_'))
    return FALSE;
  self->at += length;
  return TRUE;
}

static LsExpr *
fail (Reader *self)
{
  self->failed = TRUE;
  return ls_int (0);
}

static const struct { const char *name; LsKind kind; } functions[] = {
  { "T.min", LS_KIND_MIN }, { "T.max", LS_KIND_MAX }, { "T.Div", LS_KIND_DIV }, { "T.Mod", LS_KIND_MOD },
  { "T.EQ", LS_KIND_EQ }, { "T.NE", LS_KIND_NE },
};

static void
read_args (Reader  *self,
           LsExpr **args,
           guint    n)
{
  for (guint i = 0; i < n; i++)
    {
      if (!skip (self, i == 0 ? "(" : ","))
        self->failed = TRUE;
      args[i] = self->failed ? ls_int (0) : read_level (self, 0);
    }
  if (!skip (self, ")"))
    self->failed = TRUE;
}

static LsExpr *
read_primary (Reader *self)
{
  LsExpr *args[3];
  gsize length = 0;
  g_autofree char *name = NULL;

  if (skip (self, "("))
    {
      args[0] = read_level (self, 0);
      if (!skip (self, ")"))
        self->failed = TRUE;
      return args[0];
    }
  if (skip (self, "-"))
    return g_ascii_isdigit (*self->at) ? ls_int (-g_ascii_strtoll (self->at, (char **) &self->at, 10))
                                       : ls_mul (read_primary (self), ls_int (-1));
  if (skip (self, "T.bool(True)") || skip (self, "True"))
    return ls_bool (TRUE);
  if (skip (self, "T.bool(False)") || skip (self, "False"))
    return ls_bool (FALSE);
  if (skip (self, "T.Select"))
    {
      read_args (self, args, 3);
      return ls_select_new (args[0], args[1], args[2]);
    }
  if (skip (self, "T.if_then_else"))
    {
      read_args (self, args, 3);
      return ls_if_then_else (args[0], args[1], args[2]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    if (skip (self, functions[i].name))
      {
        read_args (self, args, 2);
        return ls_binary (functions[i].kind, args[0], args[1]);
      }
  if (g_ascii_isdigit (*self->at))
    return ls_int (g_ascii_strtoll (self->at, (char **) &self->at, 10));
  while (g_ascii_isalnum (self->at[length]) || self->at[length] == '_')
    length++;
  if (length == 0)
    return fail (self);
  name = g_strndup (self->at, length);
  self->at += length;
  return LS_EXPR (ls_ref (ls_test_var (self->vars, name)));
}

static const struct { const char *token; guint level; LsKind kind; } operators[] = {
  { "or", 0, LS_KIND_OR },  { "and", 1, LS_KIND_AND }, { "==", 3, LS_KIND_EQ },        { "!=", 3, LS_KIND_NE },
  { "<=", 3, LS_KIND_LE },  { ">=", 3, LS_KIND_GE },   { "<", 3, LS_KIND_LT },         { ">", 3, LS_KIND_GT },
  { "+", 4, LS_KIND_ADD },  { "-", 4, LS_KIND_SUB },   { "//", 5, LS_KIND_FLOOR_DIV }, { "*", 5, LS_KIND_MUL },
  { "%", 5, LS_KIND_FLOOR_MOD },
};

static LsExpr *
read_level (Reader *self,
            guint   level)
{
  LsExpr *expr;
  gboolean found = TRUE;

  if (++self->depth > 5000)
    self->failed = TRUE;
  if (self->failed)
    return ls_int (0);
  if (level > 5)
    expr = read_primary (self);
  else if (level == 2 && skip (self, "not"))
    expr = ls_not (read_level (self, 2));
  else
    expr = read_level (self, level + 1);
  while (found && !self->failed)
    {
      found = FALSE;
      for (guint i = 0; i < G_N_ELEMENTS (operators) && !found; i++)
        if (operators[i].level == level && skip (self, operators[i].token))
          {
            expr = ls_binary (operators[i].kind, expr, read_level (self, level + 1));
            found = TRUE;
          }
    }
  self->depth--;
  return expr;
}

LsExpr *
ls_test_expr_read (const char *text,
                   GHashTable *vars)
{
  Reader reader = { text, vars, FALSE, 0 };
  LsExpr *expr = read_level (&reader, 0);

  skip (&reader, "");
  if (!reader.failed && *reader.at == '\0')
    return expr;
  ls_unref (expr);
  return NULL;
}

/* ---- printing ---- */

static void put (GString *out, LsExpr *expr, guint level);

static void
put_call (GString    *out,
          const char *name,
          LsExpr    **args,
          guint       n)
{
  g_string_append_printf (out, "%s(", name);
  for (guint i = 0; i < n; i++)
    {
      if (i > 0)
        g_string_append (out, ", ");
      put (out, args[i], 0);
    }
  g_string_append_c (out, ')');
}

static void
put_binary (GString *out,
            LsExpr  *expr,
            guint    level)
{
  LsBinary *binary = (LsBinary *) expr;

  for (guint i = 0; i < G_N_ELEMENTS (operators); i++)
    if (operators[i].kind == ls_kind (expr))
      {
        gboolean parens = operators[i].level < level;

        g_string_append (out, parens ? "(" : "");
        put (out, binary->a, operators[i].level);
        g_string_append_printf (out, " %s ", operators[i].token);
        put (out, binary->b, operators[i].level + 1);
        g_string_append (out, parens ? ")" : "");
        return;
      }
  for (guint i = 0; i < 4; i++)
    if (functions[i].kind == ls_kind (expr))
      put_call (out, functions[i].name, &binary->a, 2);
}

static void
put (GString *out,
     LsExpr  *expr,
     guint    level)
{
  if (ls_kind_is_binary (ls_kind (expr)))
    put_binary (out, expr, level);
  else if (ls_is_var (expr))
    g_string_append (out, ((LsVar *) expr)->name);
  else if (ls_is (expr, INT_IMM) && ls_dtype_is_bool (ls_dtype (expr)))
    g_string_append (out, ((LsIntImm *) expr)->value != 0 ? "T.bool(True)" : "T.bool(False)");
  else if (ls_is (expr, INT_IMM))
    g_string_append_printf (out, "%" G_GINT64_FORMAT, ((LsIntImm *) expr)->value);
  else if (ls_is (expr, SELECT))
    put_call (out, "T.Select", &((LsSelect *) expr)->condition, 3);
  else if (ls_is_call (expr, "tir.if_then_else"))
    put_call (out, "T.if_then_else", (LsExpr **) ((LsCall *) expr)->args->items, 3);
  else if (ls_is (expr, NOT))
    {
      g_string_append (out, level > 2 ? "(not " : "not ");
      put (out, ((LsNot *) expr)->a, 3);
      g_string_append (out, level > 2 ? ")" : "");
    }
  else if (ls_is (expr, CAST))
    put_call (out, ls_dtype_name (ls_dtype (expr)), &((LsCast *) expr)->value, 1);
  else
    g_string_append (out, LS_NODE (expr)->klass->name);
}

char *
ls_test_expr_print (LsExpr *expr)
{
  GString *out = g_string_new (NULL);

  put (out, expr, 0);
  return g_string_free (out, FALSE);
}

/* ---- evaluating ---- */

static gboolean
eval_binary (LsKind  kind,
             gint64  a,
             gint64  b,
             gint64 *out)
{
  gboolean divides = kind == LS_KIND_DIV || kind == LS_KIND_MOD || kind == LS_KIND_FLOOR_DIV || kind == LS_KIND_FLOOR_MOD;

  if (divides && (b == 0 || (a == G_MININT64 && b == -1)))
    return FALSE;
  switch ((int) kind)
    {
    case LS_KIND_ADD:
      return !__builtin_add_overflow (a, b, out);
    case LS_KIND_SUB:
      return !__builtin_sub_overflow (a, b, out);
    case LS_KIND_MUL:
      return !__builtin_mul_overflow (a, b, out);
    case LS_KIND_DIV:
      *out = a / b;
      return TRUE;
    case LS_KIND_MOD:
      *out = a % b;
      return TRUE;
    case LS_KIND_FLOOR_DIV:
      *out = ls_floordiv_i64 (a, b);
      return TRUE;
    case LS_KIND_FLOOR_MOD:
      *out = ls_floormod_i64 (a, b);
      return TRUE;
    case LS_KIND_MIN:
      *out = MIN (a, b);
      return TRUE;
    case LS_KIND_MAX:
      *out = MAX (a, b);
      return TRUE;
    case LS_KIND_EQ:
      *out = a == b;
      return TRUE;
    case LS_KIND_NE:
      *out = a != b;
      return TRUE;
    case LS_KIND_LT:
      *out = a < b;
      return TRUE;
    case LS_KIND_LE:
      *out = a <= b;
      return TRUE;
    case LS_KIND_GT:
      *out = a > b;
      return TRUE;
    case LS_KIND_GE:
      *out = a >= b;
      return TRUE;
    case LS_KIND_AND:
      *out = a && b;
      return TRUE;
    case LS_KIND_OR:
      *out = a || b;
      return TRUE;
    default:
      return FALSE;
    }
}

gboolean
ls_test_expr_eval (LsExpr     *expr,
                   GHashTable *point,
                   gint64     *value)
{
  gint64 a, b, *known;

  if (ls_as_int (expr, value))
    return TRUE;
  if (ls_is_var (expr))
    {
      known = g_hash_table_lookup (point, expr);
      *value = known != NULL ? *known : 0;
      return known != NULL;
    }
  if (ls_is (expr, NOT))
    {
      if (!ls_test_expr_eval (((LsNot *) expr)->a, point, &a))
        return FALSE;
      *value = !a;
      return TRUE;
    }
  if (ls_is (expr, SELECT) || ls_is_call (expr, "tir.if_then_else"))
    {
      LsExpr **args = ls_is (expr, SELECT) ? &((LsSelect *) expr)->condition : (LsExpr **) ((LsCall *) expr)->args->items;

      return ls_test_expr_eval (args[0], point, &a) && ls_test_expr_eval (args[a ? 1 : 2], point, value);
    }
  if (ls_is (expr, CAST))
    return ls_test_expr_eval (((LsCast *) expr)->value, point, value);
  if (!ls_kind_is_binary (ls_kind (expr)))
    return FALSE;
  return ls_test_expr_eval (((LsBinary *) expr)->a, point, &a) && ls_test_expr_eval (((LsBinary *) expr)->b, point, &b) &&
         eval_binary (ls_kind (expr), a, b, value);
}
