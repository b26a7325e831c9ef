/* fx/extent: an extent as a text, which torch writes where it is not fixed: "s0", "2*s0 + 1", "((s77//2))", "Max(1, s0 - 3)", "Mod(s0, 4)".
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

/* FloorDiv (a, b), Mod (a, b), Max (a, ...), Min (a, ...); the parenthesis is read. */
static LsExpr *
function (Reader     *self,
          const char *name)
{
  gboolean most = strcmp (name, "Max") == 0, least = strcmp (name, "Min") == 0;
  gboolean div = strcmp (name, "FloorDiv") == 0 || strcmp (name, "CleanDiv") == 0, mod = strcmp (name, "Mod") == 0 || strcmp (name, "PythonMod") == 0;
  LsExpr *value = most || least || div || mod ? sum (self) : bad (self);
  guint n = 1;

  for (; value != NULL && next_is (self, ","); n++)
    {
      LsExpr *other = sum (self);

      if (other == NULL)
        {
          ls_unref (value);
          return NULL;
        }
      value = most ? ls_max (value, other) : least ? ls_min (value, other) : div ? ls_floordiv (value, other) : ls_floormod (value, other);
    }
  if (value != NULL && next_is (self, ")") && (n == 2 || most || least))
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
  LsExpr *base, *power, *value;
  gint64 n;

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
  power = atom (self);
  if (power == NULL || !ls_as_int (power, &n) || n < 1 || n > MOST_POWER)
    {
      ls_unref (base);
      if (power != NULL)
        ls_unref (power);
      return bad (self);
    }
  ls_unref (power);
  value = ls_ref (base);
  for (; n > 1; n--)
    value = ls_mul (value, ls_ref (base));
  ls_unref (base);
  return value;
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
