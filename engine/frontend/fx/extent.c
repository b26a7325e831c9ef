/* fx/extent: an extent as a text, which torch writes where it is not fixed: "s0", "2*s0 + 1", "((s77//2))", "Max(1, s0 - 3)", "Mod(s0, 4)"; its archives
 * up to 2.6 have "Mul(Integer(2), Symbol('s0', positive=True, integer=True))".
 *
 * Sums over products over names, whole numbers, parentheses and a few functions; a name is a variable of the import, which an input's shape
 * makes: what only a run knows (torch's u0) is none, and that is said. */
#include "engine/frontend/frontend-private.h"

#include <string.h>

#define MAX_DEPTH 64
#define MOST_POWER 8

typedef struct {
  LsFxImport *import;
  const char *text, *at;
  gboolean    fresh;            /* names that are not known become variables */
  guint       depth;
} Reader;

static gpointer
bad (Reader *self)
{
  return ls_fx_fail (self->import, LS_FX_ERROR_UNSUPPORTED, "an extent of %s cannot be written in Relax", self->text);
}

static gboolean
next_is (Reader     *self,
         const char *sign)
{
  while (*self->at == ' ')
    self->at++;
  if (!g_str_has_prefix (self->at, sign))
    return FALSE;
  self->at += strlen (sign);
  return TRUE;
}

static LsExpr *sum (Reader *self);

static LsExpr *
variable (Reader     *self,
          const char *name)
{
  LsVar *var = g_hash_table_lookup (self->import->extents, name);

  if (var == NULL && self->fresh)
    {
      var = ls_fx_keep (self->import, ls_var_new (name, LS_INT64));
      g_hash_table_insert (self->import->extents, g_strdup (name), var);
    }
  return var != NULL ? LS_EXPR (ls_ref (var)) : ls_fx_fail (self->import, LS_FX_ERROR_UNSUPPORTED, "%s is no extent of an input: it is known only when the program runs", name);
}

/* "Symbol('s0', positive=True, integer=True)": behind the parenthesis. */
static LsExpr *
symbol (Reader *self)
{
  gboolean quoted = next_is (self, "'");
  const char *end = quoted ? strchr (self->at, '\'') : NULL, *close = end != NULL ? strchr (end, ')') : NULL;
  g_autofree char *name = close != NULL ? g_strndup (self->at, (gsize) (end - self->at)) : NULL;

  if (name == NULL)
    return bad (self);
  self->at = close + 1;
  return variable (self, name);
}

static LsExpr *
power_of (Reader *self,
          LsExpr *base,
          LsExpr *exponent)
{
  LsExpr *value = NULL;
  gint64 n;

  if (exponent != NULL && ls_as_int (exponent, &n) && n >= 1 && n <= MOST_POWER)
    for (value = ls_ref (base); n > 1; n--)
      value = ls_mul (value, ls_ref (base));
  ls_unref (base);
  if (exponent != NULL)
    ls_unref (exponent);
  return value != NULL ? value : bad (self);
}

/* FloorDiv (a, b), Max (a, ...), Add (a, ...) and the like; the parenthesis is read. */
static LsExpr *
function (Reader     *self,
          const char *name)
{
  static const struct { const char *name; LsKind kind; guint most; } FUNCTIONS[] = {
    { "Integer", LS_KIND_ADD, 1 }, { "Add", LS_KIND_ADD, G_MAXUINT }, { "Mul", LS_KIND_MUL, G_MAXUINT }, { "Max", LS_KIND_MAX, G_MAXUINT }, { "Min", LS_KIND_MIN, G_MAXUINT },
    { "FloorDiv", LS_KIND_FLOOR_DIV, 2 }, { "CleanDiv", LS_KIND_FLOOR_DIV, 2 }, { "Mod", LS_KIND_FLOOR_MOD, 2 }, { "PythonMod", LS_KIND_FLOOR_MOD, 2 },
    { "Pow", LS_KIND_DIV, 2 },
  };
  LsExpr *value;
  guint row = 0, n = 1;

  if (strcmp (name, "Symbol") == 0)
    return symbol (self);
  while (row < G_N_ELEMENTS (FUNCTIONS) && strcmp (FUNCTIONS[row].name, name) != 0)
    row++;
  value = row < G_N_ELEMENTS (FUNCTIONS) ? sum (self) : bad (self);
  for (; value != NULL && next_is (self, ","); n++)
    {
      LsExpr *other = sum (self);

      if (other != NULL)
        value = FUNCTIONS[row].kind == LS_KIND_DIV ? power_of (self, value, other) : ls_binary (FUNCTIONS[row].kind, value, other);
      else
        {
          ls_unref (value);
          return NULL;
        }
    }
  if (value != NULL && next_is (self, ")") && (FUNCTIONS[row].most == G_MAXUINT || n == FUNCTIONS[row].most))
    return value;
  if (value != NULL)
    ls_unref (value);
  return bad (self);
}

/* NAME | NAME "(" sum {"," sum} ")" | NUMBER | "(" sum ")" */
static LsExpr *
atom (Reader *self)
{
  const char *from;
  LsExpr *value;

  if (next_is (self, "("))
    {
      value = sum (self);
      if (value == NULL || next_is (self, ")"))
        return value;
      ls_unref (value);
      return bad (self);
    }
  from = self->at;
  while (g_ascii_isalnum (*self->at) || *self->at == '_')
    self->at++;
  if (g_ascii_isdigit (*from) && self->at - from < 19)
    {
      g_autofree char *digits = g_strndup (from, (gsize) (self->at - from));
      char *end;
      gint64 number = g_ascii_strtoll (digits, &end, 10);

      return *end == '\0' ? LS_EXPR (ls_int_imm_new (LS_INT64, number)) : bad (self);
    }
  if (self->at > from && !g_ascii_isdigit (*from))
    {
      g_autofree char *name = g_strndup (from, (gsize) (self->at - from));

      return next_is (self, "(") ? function (self, name) : variable (self, name);
    }
  return bad (self);
}

/* atom ["**" NUMBER] | "-" factor */
static LsExpr *
factor (Reader *self)
{
  LsExpr *base, *value;

  if (++self->depth > MAX_DEPTH)
    return bad (self);
  if (next_is (self, "-"))
    {
      value = factor (self);
      self->depth--;
      return value != NULL ? ls_sub (ls_int_imm_new (LS_INT64, 0), value) : NULL;
    }
  base = atom (self);
  self->depth--;
  if (base == NULL || !next_is (self, "**"))
    return base;
  return power_of (self, base, atom (self));
}

/* factor {("*" | "//" | "%") factor} */
static LsExpr *
product (Reader *self)
{
  LsExpr *value = factor (self);

  while (value != NULL)
    {
      char op = next_is (self, "//") ? '/' : next_is (self, "*") ? '*' : next_is (self, "%") ? '%' : '\0';
      LsExpr *other = op != '\0' ? factor (self) : NULL;

      if (op == '\0')
        return value;
      if (other == NULL)
        {
          ls_unref (value);
          return NULL;
        }
      value = op == '/' ? ls_floordiv (value, other) : op == '*' ? ls_mul (value, other) : ls_floormod (value, other);
    }
  return NULL;
}

/* product {("+" | "-") product} */
static LsExpr *
sum (Reader *self)
{
  LsExpr *value = ++self->depth > MAX_DEPTH ? bad (self) : product (self);

  while (value != NULL)
    {
      char op = next_is (self, "+") ? '+' : next_is (self, "-") ? '-' : '\0';
      LsExpr *other = op != '\0' ? product (self) : NULL;

      if (op == '\0')
        break;
      if (other == NULL)
        {
          ls_unref (value);
          value = NULL;
        }
      else
        value = op == '+' ? ls_add (value, other) : ls_sub (value, other);
    }
  self->depth--;
  return value;
}

LsExpr *
ls_fx_extent_read (LsFxImport *self,
                   const char *text,
                   gboolean    fresh)
{
  Reader reader = { self, text, text, fresh, 0 };
  LsExpr *value = sum (&reader);

  if (value == NULL || (next_is (&reader, "") && *reader.at == '\0'))
    return value;
  ls_unref (value);
  return bad (&reader);
}

LsArray *
ls_fx_extents_read (LsFxImport *self,
                    JsonArray  *shape,
                    gboolean    fresh)
{
  GPtrArray *extents = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  for (guint i = 0; i < json_array_get_length (shape); i++)
    {
      JsonNode *one = json_array_get_element (shape, i);
      GType type = JSON_NODE_HOLDS_VALUE (one) ? json_node_get_value_type (one) : G_TYPE_INVALID;
      LsExpr *extent = NULL;

      if (type == G_TYPE_INT64 && json_node_get_int (one) >= 0)
        extent = ls_int_imm_new (LS_INT64, json_node_get_int (one));
      else if (type == G_TYPE_STRING)
        extent = ls_fx_extent_read (self, json_node_get_string (one), fresh);
      else
        ls_fx_fail (self, LS_FX_ERROR_GRAPH, "the shape of an input is a list of whole numbers");
      if (extent == NULL)
        {
          g_ptr_array_unref (extents);
          return NULL;
        }
      g_ptr_array_add (extents, extent);
    }
  g_ptr_array_set_free_func (extents, NULL);
  return ls_array_take_ptr_array (extents);
}
