/* param: what the parameters of the instructions take, and what they are when a call leaves them out.
 */
#include "engine/schedule/step/move.h"

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

gboolean
ls_param_has_type (LsNode      *node,
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
  return (value == NULL && (param->flags & LS_PARAM_OPTIONAL) != 0) || ls_param_has_type (value, param->type);
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
