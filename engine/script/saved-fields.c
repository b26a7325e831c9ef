/* saved-fields: lists, maps, and nodes by the table of what they hold. */
#include "engine/script/saved-private.h"

#include "engine/base/json.h"
#include "engine/relax/relax.h"
#include "engine/script/metadata.h"

#include <math.h>
#include <string.h>

/* Takes the value; NULL: nothing. */
void
ls_saved_put (LsMap     **map,
     const char *name,
     LsNode     *value)
{
  if (value != NULL)
    ls_take (map, ls_map_set (*map, name, value));
  ls_node_unref (value);
}

/* ---- containers --------------------------------------------------------------------------- */

static LsNode *
some_at (LsSavedReader *self,
         JsonArray *list,
         guint      i)
{
  JsonNode *item = json_array_get_element (list, i);
  gint64 number = JSON_NODE_HOLDS_VALUE (item) ? json_node_get_int (item) : -1;
  LsNode *node = number > 0 ? self->node_at (self, number) : NULL;

  return node != NULL ? node : LS_SAVED_DAMAGED ("a list or a map has no node in place %u", i);
}

LsNode *
ls_saved_list (LsSavedReader *self,
           JsonObject *node)
{
  JsonArray *data = ls_json_array (node, "data");
  GPtrArray *items = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  for (guint i = 0; data != NULL && i < json_array_get_length (data) && self->error == NULL; i++)
    {
      LsNode *item = some_at (self, data, i);

      if (item != NULL)
        g_ptr_array_add (items, ls_node_ref (item));
    }
  if (self->error == NULL)
    return LS_NODE (ls_array_take_ptr_array (items));
  g_ptr_array_unref (items);
  return NULL;
}

LsNode *
ls_saved_map (LsSavedReader *self,
          JsonObject *node)
{
  JsonArray *data = ls_json_array (node, "data"), *keys = ls_json_array (node, "keys");
  guint n = data != NULL ? json_array_get_length (data) : 0;
  LsMap *map = ls_map_empty ();

  if (n > 0 && (keys == NULL || json_array_get_length (keys) != n))
    LS_SAVED_DAMAGED ("a map whose keys are no texts");
  for (guint i = 0; i < n && self->error == NULL; i++)
    {
      JsonNode *key = json_array_get_element (keys, i);
      const char *word = JSON_NODE_HOLDS_VALUE (key) ? json_node_get_string (key) : NULL;
      LsNode *value = word != NULL ? some_at (self, data, i) : LS_SAVED_DAMAGED ("a map whose keys are no texts");

      ls_saved_put (&map, word, ls_node_ref (value));
    }
  if (self->error == NULL)
    return LS_NODE (map);
  ls_unref (map);
  return NULL;
}

/* Pairs of nodes; FALSE after an error. */
gboolean
ls_saved_pairs (LsSavedReader *self,
          JsonObject *attrs,
          const char *name,
          GPtrArray  *firsts,           /* borrowed */
          GPtrArray  *seconds)
{
  gint64 number;
  JsonObject *node;
  JsonArray *data;

  if (!ls_saved_reference (self, attrs, name, &number) || (node = ls_saved_entry (self, number)) == NULL)
    return FALSE;
  if (strcmp (ls_json_text (node, "type_key"), "Map") != 0 || json_object_has_member (node, "keys"))
    {
      LS_SAVED_DAMAGED ("%s is no map of nodes", name);
      return FALSE;
    }
  data = ls_json_array (node, "data");
  for (guint i = 0; data != NULL && i + 1 < json_array_get_length (data) && self->error == NULL; i += 2)
    {
      LsNode *first = some_at (self, data, i), *second = first != NULL ? some_at (self, data, i + 1) : NULL;

      if (second != NULL)
        {
          g_ptr_array_add (firsts, first);
          g_ptr_array_add (seconds, second);
        }
    }
  return self->error == NULL;
}

/* ---- fields ---------------------------------------------------------------------------------- */

gboolean
ls_saved_check (LsSavedReader *self,
       const char *what,
       const char *code,
       LsNode     *node)
{
  gboolean listed = code[0] == '*';
  char plain = code[listed ? 1 : 0];

  if (node == NULL)
    {
      if (strchr (code, '?') == NULL)
        LS_SAVED_DAMAGED ("there is no %s", what);
      return strchr (code, '?') != NULL;
    }
  if (listed && !ls_is (node, ARRAY))
    {
      LS_SAVED_DAMAGED ("%s is a %s where a list is expected", what, node->klass->name);
      return FALSE;
    }
  for (guint i = 0; i < (listed ? ((LsArray *) node)->n : 1); i++)
    {
      LsNode *one = listed ? ((LsArray *) node)->items[i] : node;

      if (!ls_saved_may_stand (plain, one))
        {
          LS_SAVED_DAMAGED ("%s cannot be a %s", what, one->klass->name);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
put_plain (LsSavedReader *self,
           LsNode        *node,
           const LsField *field,
           char           code,
           const char    *name,
           const char    *value)
{
  char *at = (char *) node + field->offset;
  gint64 number = 0, n = 0;
  double real;
  char *end = NULL;

  switch (code)
    {
    case 's':
      if (!ls_saved_int (value, &number))
        break;
      *(char **) at = g_strdup (ls_saved_text (self, number));
      return self->error == NULL;
    case 'd':
      if (!ls_dtype_parse (value[0] != '\0' ? value : "void", (LsDType *) at))
        break;
      return TRUE;
    case 'f':
      real = strcmp (value, "inf") == 0 ? HUGE_VAL : strcmp (value, "-inf") == 0 ? -HUGE_VAL : g_ascii_strtod (value, &end);
      if (end != NULL && (end == value || *end != '\0'))
        break;
      *(double *) at = real;
      return TRUE;
    default:
      if (!ls_saved_int (value, &number))
        break;
      while (field->type == LS_FIELD_ENUM && field->enum_names != NULL && field->enum_names[n] != NULL)
        n++;
      if (field->type == LS_FIELD_ENUM && (number < 0 || number >= n))
        break;
      if (field->type == LS_FIELD_INT)
        *(gint64 *) at = number;
      else
        *(int *) at = field->type == LS_FIELD_BOOL ? number != 0 : (int) number;
      return TRUE;
    }
  LS_SAVED_DAMAGED ("%s is \"%s\"", name, value);
  return FALSE;
}

static LsTensor *
array_at (LsSavedReader *self,
          const char *value)
{
  gint64 number = -1;
  GError *error = NULL;
  LsTensor *tensor;

  if (!ls_saved_int (value, &number) || number < 0 || number > G_MAXINT32)
    return LS_SAVED_DAMAGED ("\"%s\" is no number of an array", value);
  tensor = ls_metadata_tensor (self->arrays, (guint) number, &error);
  if (tensor == NULL)
    {
      LS_SAVED_DAMAGED ("%s", error->message);
      g_error_free (error);
    }
  return tensor;
}

/* Field `i`; FALSE after an error. */
gboolean
ls_saved_field (LsSavedReader *self,
            const LsSavedRow *row,
            JsonObject       *attrs,
            LsNode           *node,
            guint             i,
            const char       *word)
{
  const LsField *field = &node->klass->fields[i];
  const char *code = strchr (word, ':') + 1, *value;
  g_autofree char *name = g_strndup (word, (gsize) (code - 1 - word)), *what = g_strdup_printf ("%s of a %s", name, row->key);
  LsNode **at = (LsNode **) ((char *) node + field->offset), *child;
  gint64 number;

  value = ls_json_text (attrs, name);
  if (value == NULL && strchr (code, '?') == NULL)
    {
      LS_SAVED_DAMAGED ("there is no %s", what);
      return FALSE;
    }
  if (code[0] == 'N')
    return (*at = LS_NODE (array_at (self, value))) != NULL;
  if (field->type != LS_FIELD_NODE)
    return put_plain (self, node, field, code[0], what, value);
  if (!ls_saved_reference (self, attrs, name, &number))
    return FALSE;
  child = number != 0 ? self->node_at (self, number) : NULL;
  if (self->error != NULL || !ls_saved_check (self, what, code, child))
    return FALSE;
  *at = ls_node_ref (child);
  return TRUE;
}

LsNode *
ls_saved_fields (LsSavedReader *self,
          const LsSavedRow *row,
          JsonObject       *attrs)
{
  g_auto (GStrv) words = g_strsplit (row->fields, " ", -1);
  LsNode *node = ls_node_alloc (ls_class_get (row->kind));
  const char *dtype = ls_json_text (attrs, "dtype");

  for (guint i = 0; words[i] != NULL && words[i][0] != '\0' && self->error == NULL; i++)
    ls_saved_field (self, row, attrs, node, i, words[i]);
  if (self->error == NULL && (node->klass->flags & LS_CLASS_EXPR) && (dtype == NULL || !ls_dtype_parse (dtype[0] != '\0' ? dtype : "void", &((LsExpr *) node)->dtype)))
    LS_SAVED_DAMAGED ("a %s of the type \"%s\"", row->key, dtype != NULL ? dtype : "");
  if (self->error == NULL && ls_is (node, FUNCTION) && ((LsFunction *) node)->attrs == NULL)
    ((LsFunction *) node)->attrs = ls_map_empty ();
  ls_node_finish (node);
  if (self->error == NULL)
    return node;
  ls_node_unref (node);
  return NULL;
}
