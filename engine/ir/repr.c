/* repr: any node as an indented text or as JSON, straight from its field table.
 *
 *   For kind=serial
 *     .loop_var: Var i int32
 *     .extent: IntImm 16 int32
 */
#include "engine/ir/ir.h"

#include <math.h>

static void
append_number (GString *text,
               double   value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (text, g_ascii_dtostr (digits, sizeof digits, value));
}

static void
append_quoted (GString    *text,
               const char *value)
{
  g_string_append_c (text, '"');
  for (const guchar *c = (const guchar *) (value != NULL ? value : ""); *c != '\0'; c++)
    {
      if (*c == '"' || *c == '\\')
        g_string_append_printf (text, "\\%c", *c);
      else if (*c < 0x20)
        g_string_append_printf (text, "\\u%04x", *c);
      else
        g_string_append_c (text, (char) *c);
    }
  g_string_append_c (text, '"');
}

static void
append_field (GString       *text,
              const LsNode  *node,
              const LsField *field,
              gboolean       json)
{
  const char *at = (const char *) node + field->offset;

  switch (field->type)
    {
    case LS_FIELD_NODE: break;
    case LS_FIELD_INT: g_string_append_printf (text, "%" G_GINT64_FORMAT, *(const gint64 *) at); break;
    case LS_FIELD_FLOAT:
      if (json && !isfinite (*(const double *) at))
        append_quoted (text, isnan (*(const double *) at) ? "nan" : *(const double *) at < 0 ? "-inf" : "inf");
      else
        append_number (text, *(const double *) at);
      break;
    case LS_FIELD_BOOL: g_string_append (text, *(const gboolean *) at ? "true" : "false"); break;
    case LS_FIELD_STRING:
      if (*(char *const *) at == NULL)
        g_string_append (text, "null");
      else
        append_quoted (text, *(char *const *) at);
      break;
    case LS_FIELD_DTYPE: append_quoted (text, ls_dtype_name (*(const LsDType *) at)); break;
    case LS_FIELD_ENUM:
      if (field->enum_names != NULL)
        append_quoted (text, field->enum_names[*(const int *) at]);
      else
        g_string_append_printf (text, "%d", *(const int *) at);
      break;
    }
}

/* ---- text ------------------------------------------------------------------ */

static void
append_head (GString      *text,
             const LsNode *node)
{
  g_string_append (text, node->klass->name);
  if (ls_kind (node) == LS_KIND_OP)
    g_string_append_printf (text, " %s", ((const LsOp *) node)->name);
  for (guint i = 0; i < node->klass->n_fields; i++)
    if (node->klass->fields[i].type != LS_FIELD_NODE)
      {
        g_string_append_printf (text, " %s=", node->klass->fields[i].name);
        append_field (text, node, &node->klass->fields[i], FALSE);
      }
  if (node->klass->flags & LS_CLASS_EXPR)
    g_string_append_printf (text, " : %s", ls_dtype_name (ls_dtype (node)));
}

static void
append_text (GString *text,
             LsNode  *node,
             guint    indent,
             guint    depth)
{
  guint n;

  if (node == NULL)
    {
      g_string_append (text, "null\n");
      return;
    }
  append_head (text, node);
  n = ls_node_get_n_children (node);
  if (n > 0 && depth == 1)
    g_string_append (text, " ...");
  g_string_append_c (text, '\n');
  for (guint i = 0; depth != 1 && i < n; i++)
    {
      g_autofree char *role = ls_node_dup_child_role (node, i);

      g_string_append_printf (text, "%*s%s%s: ", (int) (2 * indent + 2), "", role[0] == '[' ? "" : ".", role);
      append_text (text, ls_node_get_child (node, i), indent + 1, depth > 0 ? depth - 1 : 0);
    }
}

char *
ls_repr (gpointer node,
         guint    depth)
{
  GString *text = g_string_new (NULL);

  append_text (text, node, 0, depth);
  return g_string_free (text, FALSE);
}

/* ---- JSON ------------------------------------------------------------------- */

static void append_json (GString *text, LsNode *node);

static void
append_json_fields (GString *text,
                    LsNode  *node)
{
  guint child = 0;

  for (guint i = 0; i < node->klass->n_fields; i++)
    {
      const LsField *field = &node->klass->fields[i];

      g_string_append_printf (text, ", \"%s\": ", field->name);
      if (field->type == LS_FIELD_NODE)
        append_json (text, ls_node_get_child (node, child++));
      else
        append_field (text, node, field, TRUE);
    }
}

static void
append_json_data (GString  *text,
                  LsTensor *tensor)
{
  gsize size;
  const guchar *data = g_bytes_get_data (tensor->data, &size);
  g_autofree char *encoded = g_base64_encode (data, size);

  g_string_append (text, ", \"data\": ");
  append_quoted (text, encoded);
}

static void
append_json_list (GString *text,
                  LsNode  *node)
{
  gboolean is_map = ls_kind (node) == LS_KIND_MAP;
  guint n = ls_node_get_n_children (node);

  g_string_append_c (text, is_map ? '{' : '[');
  for (guint i = 0; i < n; i++)
    {
      g_string_append (text, i > 0 ? ", " : "");
      if (is_map)
        {
          append_quoted (text, ((LsMap *) node)->keys[i]);
          g_string_append (text, ": ");
        }
      append_json (text, ls_node_get_child (node, i));
    }
  g_string_append_c (text, is_map ? '}' : ']');
}

static void
append_json (GString *text,
             LsNode  *node)
{
  if (node == NULL)
    {
      g_string_append (text, "null");
      return;
    }
  if (ls_kind (node) == LS_KIND_ARRAY || ls_kind (node) == LS_KIND_MAP)
    {
      append_json_list (text, node);
      return;
    }
  g_string_append_printf (text, "{\"class\": \"%s\"", node->klass->name);
  if (node->klass->flags & LS_CLASS_EXPR)
    g_string_append_printf (text, ", \"dtype\": \"%s\"", ls_dtype_name (ls_dtype (node)));
  if (ls_kind (node) == LS_KIND_OP)
    g_string_append_printf (text, ", \"name\": \"%s\"", ((LsOp *) node)->name);
  append_json_fields (text, node);
  if (ls_kind (node) == LS_KIND_TENSOR)
    append_json_data (text, (LsTensor *) node);
  g_string_append_c (text, '}');
}

char *
ls_repr_json (gpointer node)
{
  GString *text = g_string_new (NULL);

  append_json (text, node);
  return g_string_free (text, FALSE);
}
