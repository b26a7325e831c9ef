/* saved-json: entries of the list of nodes, and the numbers and texts in them. */
#include "engine/script/saved-private.h"

#include "engine/base/json.h"

#include <string.h>

G_DEFINE_QUARK (ls-saved-error-quark, ls_saved_error)

gpointer
ls_saved_wrong (LsSavedReader *self,
       LsSavedError code,
       const char  *format,
       ...)
{
  va_list list;

  va_start (list, format);
  if (self->error == NULL)
    self->error = g_error_new_valist (LS_SAVED_ERROR, (int) code, ls_translate (format), list);
  va_end (list);
  return NULL;
}

/* ---- JSON ------------------------------------------------------------------------------ */

JsonObject *
ls_saved_entry (LsSavedReader *self,
       gint64  number)
{
  JsonNode *node = number > 0 && number < self->n ? json_array_get_element (self->nodes, (guint) number) : NULL;

  if (node != NULL && JSON_NODE_HOLDS_OBJECT (node) && ls_json_text (json_node_get_object (node), "type_key") != NULL)
    return json_node_get_object (node);
  return LS_SAVED_DAMAGED ("there is no node %" G_GINT64_FORMAT, number);
}

/* A number that is written as a text; FALSE: it is none. */
gboolean
ls_saved_int (const char *text,
        gint64     *number)
{
  return text != NULL && g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64, number, NULL);
}

/* The node that a field names; FALSE after an error. */
gboolean
ls_saved_reference (LsSavedReader *self,
           JsonObject *attrs,
           const char *name,
           gint64     *number)
{
  const char *text = ls_json_text (attrs, name);

  *number = 0;
  if (text == NULL || ls_saved_int (text, number))
    return TRUE;
  LS_SAVED_DAMAGED ("%s is \"%s\", which is no number of a node", name, text);
  return FALSE;
}

const char *
ls_saved_text (LsSavedReader *self,
         gint64  number)
{
  JsonObject *node = number != 0 ? ls_saved_entry (self, number) : NULL;
  const char *key = ls_json_text (node, "type_key"), *text;

  if (node == NULL)
    return "";
  if (strcmp (key, "runtime.String") != 0 && strcmp (key, "Op") != 0 && strcmp (key, "TargetKind") != 0)
    return LS_SAVED_DAMAGED ("node %" G_GINT64_FORMAT " is a %s where a text is expected", number, key);
  if (json_object_has_member (node, "repr_b64"))
    return LS_SAVED_DAMAGED ("node %" G_GINT64_FORMAT " is a text that is none of UTF-8", number);
  text = ls_json_text (node, "repr_str");
  return text != NULL ? text : "";
}
