/* dpl/text: a pattern as it is written in Python, read without Python.
 *
 *   or       = and { "|" and }
 *   and      = sum { "&" sum }
 *   sum      = product { ("+" | "-") product }          operators of Relax: add, subtract
 *   product  = not { ("*" | "/") not }                  multiply, divide
 *   not      = "~" not | postfix
 *   postfix  = primary { "(" [patterns] ")" | "." constraint | "[" NUMBER "]" }
 *   primary  = "(" or ")" | NAME | FUNCTION "(" arguments ")"
 *   constraint = has_dtype ("float32") | has_shape ((1, 8)) | has_attr ({"axis": 1})
 *
 * A text may begin with names for parts, `x = wildcard();`, so that one part can occur twice and be the same expression.
 */
#include "engine/relax/dpl/dpl.h"

#include <string.h>

#define MOST_DEPTH 64

typedef struct {
  const char *text, *at;
  GHashTable *names;            /* char * -> LsPattern */
  guint       depth;
  GError    **error;
} Reader;

static LsPattern *read_or (Reader *self);

static void
skip (Reader *self)
{
  while (g_ascii_isspace (*self->at))
    self->at++;
}

/* NULL, with what was expected here. */
static gpointer
fail (Reader     *self,
      const char *expected)
{
  glong column = g_utf8_pointer_to_offset (self->text, self->at) + 1;

  if (self->error != NULL && *self->error == NULL)
    g_set_error (self->error, LS_RELAX_ERROR, LS_RELAX_ERROR_TYPE, *self->at == '\0' ? ls_translate ("Column %ld: %s is expected; the pattern ends.") : ls_translate ("Column %ld: %s is expected."), column, ls_translate (expected));
  return NULL;
}

static gboolean
accept (Reader     *self,
        const char *sign)
{
  skip (self);
  if (!g_str_has_prefix (self->at, sign))
    return FALSE;
  self->at += strlen (sign);
  return TRUE;
}

static gboolean
expect (Reader     *self,
        const char *sign)
{
  g_autofree char *words = g_strdup_printf ("\"%s\"", sign);

  if (accept (self, sign))
    return TRUE;
  fail (self, words);
  return FALSE;
}

/* (transfer full); NULL: none stands here */
static char *
read_name (Reader *self)
{
  gsize n = 0;

  skip (self);
  while (g_ascii_isalnum (self->at[n]) || self->at[n] == '_')
    n++;
  if (n == 0 || g_ascii_isdigit (*self->at))
    return NULL;
  self->at += n;
  return g_strndup (self->at - n, n);
}

/* (transfer full); NULL: said */
static char *
read_string (Reader *self)
{
  const char *begin, *end;

  skip (self);
  begin = self->at + 1;
  end = *self->at == '"' || *self->at == '\'' ? strchr (begin, *self->at) : NULL;
  if (end == NULL)
    return fail (self, LS_TEXT ("a text in quotes"));
  self->at = end + 1;
  return g_strndup (begin, (gsize) (end - begin));
}

static gboolean
read_int (Reader *self,
          gint64 *value)
{
  char *end;

  skip (self);
  *value = g_ascii_strtoll (self->at, &end, 10);
  if (end == self->at)
    {
      fail (self, LS_TEXT ("a whole number"));
      return FALSE;
    }
  self->at = end;
  return TRUE;
}

static void
unref_pattern (gpointer pattern)
{
  ls_node_unref (pattern);
}

/* Patterns with commas between, up to `close`, which is read too. (transfer full); NULL: said */
static LsArray *
read_patterns (Reader     *self,
               const char *close)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (unref_pattern);

  while (!accept (self, close))
    {
      LsPattern *one;

      if (items->len > 0 && !expect (self, ","))
        return NULL;
      if (items->len > 0 && accept (self, close))
        break;
      one = read_or (self);
      if (one == NULL)
        return NULL;
      g_ptr_array_add (items, one);
    }
  g_ptr_array_set_free_func (items, NULL);
  return ls_array_take_ptr_array (g_steal_pointer (&items));
}

/* Whole numbers in brackets as expressions. (transfer full); NULL: said */
static LsArray *
read_shape (Reader *self)
{
  g_autoptr (GPtrArray) dims = g_ptr_array_new_with_free_func (unref_pattern);
  gboolean square = accept (self, "[");

  if (!square && !expect (self, "("))
    return NULL;
  while (!accept (self, square ? "]" : ")"))
    {
      gint64 extent;

      if (dims->len > 0 && !expect (self, ","))
        return NULL;
      if (dims->len > 0 && accept (self, square ? "]" : ")"))
        break;
      if (!read_int (self, &extent))
        return NULL;
      g_ptr_array_add (dims, ls_int_imm_new (LS_INT64, extent));
    }
  g_ptr_array_set_free_func (dims, NULL);
  return ls_array_take_ptr_array (g_steal_pointer (&dims));
}

/* {"axis": 1, "layout": "NCHW"}. (transfer full); NULL: said */
static LsMap *
read_attrs (Reader *self)
{
  LsMap *map = ls_map_empty ();
  gboolean first = TRUE;

  if (!expect (self, "{"))
    {
      ls_unref (map);
      return NULL;
    }
  while (!accept (self, "}"))
    {
      g_autofree char *name = !first && !expect (self, ",") ? NULL : read_string (self);
      g_autoptr (LsNode) value = NULL;
      gint64 number;

      first = FALSE;
      if (name == NULL || !expect (self, ":"))
        {
          ls_unref (map);
          return NULL;
        }
      skip (self);
      if (*self->at == '"' || *self->at == '\'')
        {
          g_autofree char *text = read_string (self);

          value = text != NULL ? LS_NODE (ls_string_new (text)) : NULL;
        }
      else if (read_int (self, &number))
        value = LS_NODE (ls_int_imm_new (LS_INT64, number));
      if (value == NULL)
        {
          ls_unref (map);
          return NULL;
        }
      ls_take (&map, ls_map_set (map, name, value));
    }
  return map;
}

/* ---- functions ---------------------------------------------------------------------------- */

/* "" where nothing is given, behind the opening bracket; reads the closing one. (transfer full); NULL: said */
static char *
name_argument (Reader *self)
{
  g_autofree char *name = NULL;

  skip (self);
  name = *self->at == ')' ? g_strdup ("") : read_string (self);
  return name != NULL && expect (self, ")") ? g_steal_pointer (&name) : NULL;
}

static LsPattern *
named_pattern (Reader *self,
               LsKind  kind)
{
  g_autofree char *name = name_argument (self);

  return name != NULL ? ls_name_pattern_new (kind, name) : NULL;
}

static LsPattern *
op_pattern (Reader *self)
{
  g_autofree char *name = name_argument (self), *full = NULL;

  if (name == NULL)
    return NULL;
  full = g_str_has_prefix (name, "relax.") ? g_strdup (name) : g_strconcat ("relax.", name, NULL);
  if (ls_relax_op_spec (full) != NULL)
    return ls_op_pattern_new (full);
  g_set_error (self->error, LS_RELAX_ERROR, LS_RELAX_ERROR_TYPE, ls_translate ("There is no operator %s."), full);
  return NULL;
}

/* ("name") or ("name", [patterns]): a call by `op` of what has this name. */
static LsPattern *
call_of (Reader     *self,
         const char *op,
         LsKind      kind)
{
  g_autofree char *name = read_string (self);
  LsPattern *operands;
  LsArray *fields;

  if (name == NULL)
    return NULL;
  if (accept (self, ","))
    {
      fields = expect (self, "[") ? read_patterns (self, "]") : NULL;
      if (fields == NULL)
        return NULL;
      operands = ls_fields_pattern_new (LS_KIND_TUPLE_PATTERN, fields);
    }
  else
    operands = ls_wildcard_new ();
  if (!expect (self, ")"))
    {
      ls_node_unref (operands);
      return NULL;
    }
  return ls_call_pattern_new (ls_op_pattern_new (op), ls_array_of (ls_name_pattern_new (kind, name), operands, NULL), FALSE);
}

static LsPattern *
item_pattern (Reader *self)
{
  LsPattern *tuple = read_or (self);
  gint64 index = -1;

  if (tuple == NULL)
    return NULL;
  if ((accept (self, ",") && !read_int (self, &index)) || !expect (self, ")"))
    {
      ls_node_unref (tuple);
      return NULL;
    }
  return ls_tuple_get_item_pattern_new (tuple, index);
}

static LsPattern *
plain_pattern (Reader *self,
               LsPattern *(*make) (void))
{
  return expect (self, ")") ? make () : NULL;
}

/* Behind NAME "(". */
static LsPattern *
read_function (Reader     *self,
               const char *name)
{
  LsArray *fields;

  if (strcmp (name, "wildcard") == 0)
    return plain_pattern (self, ls_wildcard_new);
  if (strcmp (name, "is_const") == 0)
    return plain_pattern (self, ls_constant_pattern_new);
  if (strcmp (name, "is_op") == 0)
    return op_pattern (self);
  if (strcmp (name, "is_var") == 0)
    return named_pattern (self, LS_KIND_VAR_PATTERN);
  if (strcmp (name, "is_dfv") == 0)
    return named_pattern (self, LS_KIND_DATAFLOW_VAR_PATTERN);
  if (strcmp (name, "is_gv") == 0)
    return named_pattern (self, LS_KIND_GLOBAL_VAR_PATTERN);
  if (strcmp (name, "is_call_tir") == 0)
    return call_of (self, "relax.call_tir", LS_KIND_GLOBAL_VAR_PATTERN);
  if (strcmp (name, "is_call_dps_packed") == 0)
    return call_of (self, "relax.call_dps_packed", LS_KIND_EXTERN_FUNC_PATTERN);
  if (strcmp (name, "is_tuple_get_item") == 0)
    return item_pattern (self);
  if (strcmp (name, "is_tuple") == 0)
    {
      fields = expect (self, "[") ? read_patterns (self, "]") : NULL;
      return fields != NULL && expect (self, ")") ? ls_fields_pattern_new (LS_KIND_TUPLE_PATTERN, fields) : NULL;
    }
  g_set_error (self->error, LS_RELAX_ERROR, LS_RELAX_ERROR_TYPE,
               ls_translate ("There is no pattern %s; there are wildcard, is_op, is_const, is_var, is_dfv, is_gv, is_call_tir, is_call_dps_packed, is_tuple, is_tuple_get_item."), name);
  return NULL;
}

/* ---- expressions ------------------------------------------------------------------------------ */

static LsPattern *
read_primary (Reader *self)
{
  g_autofree char *name = NULL;
  LsPattern *inner;

  if (accept (self, "("))
    {
      inner = read_or (self);
      if (inner != NULL && !expect (self, ")"))
        {
          ls_node_unref (inner);
          return NULL;
        }
      return inner;
    }
  name = read_name (self);
  if (name == NULL)
    return fail (self, LS_TEXT ("a pattern such as is_op(\"relax.matmul\")(wildcard(), wildcard())"));
  if (accept (self, "("))
    return read_function (self, name);
  inner = g_hash_table_lookup (self->names, name);
  if (inner != NULL)
    return ls_node_ref (inner);
  g_set_error (self->error, LS_RELAX_ERROR, LS_RELAX_ERROR_TYPE, ls_translate ("No part of the pattern is called %s; %s = wildcard(); before it would name one."), name, name);
  return NULL;
}

/* Behind "."; takes the pattern. */
static LsPattern *
constrain (Reader    *self,
           LsPattern *pattern)
{
  g_autofree char *name = read_name (self);
  LsPattern *made = NULL;

  if (name == NULL || !expect (self, "("))
    ;
  else if (strcmp (name, "has_dtype") == 0)
    {
      g_autofree char *text = read_string (self);
      LsDType dtype;

      if (text != NULL && ls_dtype_parse (text, &dtype))
        made = ls_data_type_pattern_new (ls_node_ref (pattern), dtype);
      else if (text != NULL)
        fail (self, LS_TEXT ("a type such as \"float32\""));
    }
  else if (strcmp (name, "has_shape") == 0)
    {
      LsArray *shape = read_shape (self);

      made = shape != NULL ? ls_shape_pattern_new (ls_node_ref (pattern), shape) : NULL;
    }
  else if (strcmp (name, "has_attr") == 0)
    {
      LsMap *attrs = read_attrs (self);

      made = attrs != NULL ? ls_attr_pattern_new (ls_node_ref (pattern), attrs) : NULL;
    }
  else
    fail (self, LS_TEXT ("has_dtype, has_shape or has_attr"));
  if (made != NULL && !expect (self, ")"))
    g_clear_pointer (&made, unref_pattern);
  if (made == NULL)
    fail (self, LS_TEXT ("has_dtype, has_shape or has_attr"));
  ls_node_unref (pattern);
  return made;
}

static LsPattern *
read_postfix (Reader *self)
{
  LsPattern *pattern = read_primary (self);

  while (pattern != NULL)
    if (accept (self, "("))
      {
        LsArray *args = read_patterns (self, ")");

        if (args == NULL)
          g_clear_pointer (&pattern, unref_pattern);
        else
          pattern = ls_call_pattern_new (pattern, args, FALSE);
      }
    else if (accept (self, "."))
      pattern = constrain (self, pattern);
    else if (accept (self, "["))
      {
        gint64 index;

        if (!read_int (self, &index) || !expect (self, "]"))
          g_clear_pointer (&pattern, unref_pattern);
        else
          pattern = ls_tuple_get_item_pattern_new (pattern, index);
      }
    else
      break;
  return pattern;
}

static LsPattern *
read_not (Reader *self)
{
  LsPattern *inner;

  if (!accept (self, "~"))
    return read_postfix (self);
  if (self->depth >= MOST_DEPTH)
    return fail (self, LS_TEXT ("a pattern that is not so deep"));
  self->depth++;
  inner = read_not (self);
  self->depth--;
  return inner != NULL ? ls_not_pattern_new (inner) : NULL;
}

static LsPattern *
arithmetic (const char *op,
            LsPattern  *left,
            LsPattern  *right)
{
  return ls_call_pattern_new (ls_op_pattern_new (op), ls_array_of (left, right, NULL), FALSE);
}

/* Two of a level with one of its signs between, from the left on; `next` reads the level below. */
static LsPattern *
read_level (Reader     *self,
            const char *signs,
            LsPattern *(*next) (Reader *self),
            LsPattern *(*join) (char sign, LsPattern *left, LsPattern *right))
{
  LsPattern *left = next (self);

  while (left != NULL)
    {
      LsPattern *right;
      char sign;

      skip (self);
      if (*self->at == '\0' || strchr (signs, *self->at) == NULL)
        break;
      sign = *self->at++;
      right = next (self);
      if (right == NULL)
        g_clear_pointer (&left, unref_pattern);
      else
        left = join (sign, left, right);
    }
  return left;
}

static LsPattern *
join (char       sign,
      LsPattern *left,
      LsPattern *right)
{
  switch (sign)
    {
    case '|':
      return ls_pair_pattern_new (LS_KIND_OR_PATTERN, left, right);
    case '&':
      return ls_pair_pattern_new (LS_KIND_AND_PATTERN, left, right);
    case '+':
      return arithmetic ("relax.add", left, right);
    case '-':
      return arithmetic ("relax.subtract", left, right);
    case '*':
      return arithmetic ("relax.multiply", left, right);
    default:
      return arithmetic ("relax.divide", left, right);
    }
}

static LsPattern *
read_product (Reader *self)
{
  return read_level (self, "*/", read_not, join);
}

static LsPattern *
read_sum (Reader *self)
{
  return read_level (self, "+-", read_product, join);
}

static LsPattern *
read_and (Reader *self)
{
  return read_level (self, "&", read_sum, join);
}

static LsPattern *
read_or (Reader *self)
{
  LsPattern *pattern;

  if (self->depth >= MOST_DEPTH)
    return fail (self, LS_TEXT ("a pattern that is not so deep"));
  self->depth++;
  pattern = read_level (self, "|", read_and, join);
  self->depth--;
  return pattern;
}

/* `x = pattern;`: TRUE when one was read; *wrong: it is no whole one. */
static gboolean
read_part (Reader   *self,
           gboolean *wrong)
{
  const char *start = self->at;
  g_autofree char *name = read_name (self);
  LsPattern *pattern;

  if (name == NULL || !accept (self, "="))
    {
      self->at = start;
      return FALSE;
    }
  pattern = read_or (self);
  *wrong = pattern == NULL || !expect (self, ";");
  if (*wrong && pattern != NULL)
    ls_node_unref (pattern);
  if (!*wrong)
    g_hash_table_insert (self->names, g_steal_pointer (&name), pattern);
  return !*wrong;
}

gboolean
ls_pattern_text_is (const char *text)
{
  static const char *const BEGINS[] = { "is_op", "wildcard", "is_const", "is_var", "is_dfv", "is_gv", "is_call_tir", "is_call_dps_packed", "is_tuple" };
  const char *at = text + strspn (text, " (~");
  const char *equals = strchr (text, '=');

  for (guint i = 0; i < G_N_ELEMENTS (BEGINS); i++)
    if (g_str_has_prefix (at, BEGINS[i]) && strchr (at, '(') != NULL)
      return TRUE;
  return equals != NULL && strchr (text, ';') != NULL && ls_pattern_text_is (equals + 1);
}

LsPattern *
ls_pattern_parse (const char *text,
                  GError    **error)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, unref_pattern);
  GError *problem = NULL;
  Reader self = { text, text, names, 0, &problem };
  gboolean wrong = FALSE;
  LsPattern *pattern;

  while (read_part (&self, &wrong))
    ;
  pattern = wrong ? NULL : read_or (&self);
  skip (&self);
  if (pattern != NULL && *self.at != '\0')
    {
      fail (&self, LS_TEXT ("the end of the pattern"));
      g_clear_pointer (&pattern, unref_pattern);
    }
  if (pattern == NULL)
    g_propagate_error (error, problem);
  return pattern;
}
