/* metadata-print: see metadata.h.  Layout (indents, when a list breaks its lines) is that of dmlc's JSON writer. */
#include "engine/script/metadata.h"

#include <string.h>

#define MAGIC G_GUINT64_CONSTANT (0xDD5E40F096B4A13F)
#define DEVICE_CPU 1

typedef struct {
  GString *nodes;               /* the text of the list */
  guint    n;                   /* nodes so far */
} Writer;

/* ---- nodes ------------------------------------------------------------------------ */

static guint
open_node (Writer     *self,
           const char *type)
{
  g_string_append (self->nodes, self->n > 0 ? ", \n    {" : "\n    {");
  g_string_append_printf (self->nodes, "\n      \"type_key\": \"%s\"", type);
  return self->n++;
}

static void
close_node (Writer *self)
{
  g_string_append (self->nodes, "\n    }");
}

/* Attributes as name, text, name, text, ...; sorted by name. */
static void
put_attributes (Writer     *self,
                const char *first,
                ...)
{
  const char *separator = "";
  va_list list;

  g_string_append (self->nodes, ", \n      \"attrs\": {");
  va_start (list, first);
  for (const char *name = first; name != NULL; name = va_arg (list, const char *))
    {
      g_string_append_printf (self->nodes, "%s\n        \"%s\": \"%s\"", separator, name, va_arg (list, const char *));
      separator = ", ";
    }
  va_end (list);
  g_string_append (self->nodes, "\n      }");
}

static void
put_numbers (Writer      *self,
             const guint *numbers,
             guint        n)
{
  g_string_append (self->nodes, ", \n      \"data\": [");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (self->nodes, n > 10 ? "%s\n        %u" : "%s%u", i > 0 ? ", " : "", numbers[i]);
  g_string_append (self->nodes, n > 10 ? "\n      ]" : "]");
}

static void
put_array (Writer *self,
           guint   first,
           guint   n)
{
  g_autofree guint *numbers = g_new (guint, n + 1);

  for (guint i = 0; i < n; i++)
    numbers[i] = first + i;
  open_node (self, "Array");
  put_numbers (self, numbers, n);
  close_node (self);
}

static void
put_constant (Writer   *self,
              LsTensor *data,
              guint     number)
{
  guint at = self->n, ndim = data->shape->n;
  guint info = at + 1, shape = at + 2, values = at + 3, shape_info = values + ndim + 1;
  const char *dtype = ls_dtype_name (data->dtype);
  g_autofree char *array = g_strdup_printf ("%u", number), *rank = g_strdup_printf ("%u", ndim), *of_info = g_strdup_printf ("%u", info);
  g_autofree char *of_shape = g_strdup_printf ("%u", shape), *of_values = g_strdup_printf ("%u", values);
  g_autofree char *of_shape_info = g_strdup_printf ("%u", shape_info), *of_shape_type = g_strdup_printf ("%u", shape_info + 1);
  g_autofree char *of_type = g_strdup_printf ("%u", shape_info + 2);

  open_node (self, "relax.expr.Constant");
  put_attributes (self, "_checked_type_", of_type, "data", array, "span", "0", "struct_info_", of_info, NULL);
  close_node (self);
  open_node (self, "relax.TensorStructInfo");
  put_attributes (self, "dtype", dtype, "ndim", rank, "shape", of_shape, "span", "0", "vdevice", "0", NULL);
  close_node (self);
  open_node (self, "relax.expr.ShapeExpr");
  put_attributes (self, "_checked_type_", of_shape_type, "span", "0", "struct_info_", of_shape_info, "values", of_values, NULL);
  close_node (self);
  put_array (self, values + 1, ndim);
  for (guint i = 0; i < ndim; i++)
    {
      g_autofree char *extent = g_strdup_printf ("%" G_GINT64_FORMAT, ls_array_at (data->shape, i, LsIntImm)->value);

      open_node (self, "IntImm");
      put_attributes (self, "dtype", "int64", "span", "0", "value", extent, NULL);
      close_node (self);
    }
  open_node (self, "relax.ShapeStructInfo");
  put_attributes (self, "ndim", rank, "span", "0", "values", of_values, NULL);
  close_node (self);
  open_node (self, "relax.ShapeType");
  put_attributes (self, "ndim", rank, "span", "0", NULL);
  close_node (self);
  open_node (self, "relax.DynTensorType");
  put_attributes (self, "dtype", dtype, "ndim", rank, "span", "0", NULL);
  close_node (self);
}

/* ---- arrays --------------------------------------------------------------------------- */

static void
put_little (GByteArray *out,
            guint64     value,
            guint       bytes)
{
  for (guint i = 0; i < bytes; i++)
    {
      guint8 byte = (guint8) (value >> (8 * i));

      g_byte_array_append (out, &byte, 1);
    }
}

static char *
array_text (LsTensor *data)
{
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autofree guint8 *all = NULL;
  gsize n;
  const guint8 *bytes = g_bytes_get_data (data->data, &n);

  put_little (out, MAGIC, 8);
  put_little (out, 0, 8);
  put_little (out, DEVICE_CPU, 4);
  put_little (out, 0, 4);
  put_little (out, data->shape->n, 4);
  put_little (out, data->dtype.code, 1);
  put_little (out, data->dtype.bits, 1);
  put_little (out, data->dtype.lanes, 2);
  for (guint i = 0; i < data->shape->n; i++)
    put_little (out, (guint64) ls_array_at (data->shape, i, LsIntImm)->value, 8);
  put_little (out, n, 8);
  all = g_malloc (out->len + n);        /* a GByteArray counts in 32 bits */
  memcpy (all, out->data, out->len);
  if (n > 0)
    memcpy (all + out->len, bytes, n);
  return g_base64_encode (all, out->len + n);
}

/* ---- the statement ------------------------------------------------------------------------- */

/* As the text of a Python string in double quotes. */
static void
put_escaped (GString    *out,
             const char *text)
{
  for (const char *c = text; *c != '\0'; c++)
    {
      if (*c == '"' || *c == '\\')
        g_string_append_c (out, '\\');
      g_string_append_c (out, *c);
    }
}

static void
put_nodes (Writer    *self,
           GPtrArray *constants)
{
  g_autofree guint *numbers = g_new (guint, constants->len + 1);
  guint next = 3;

  for (guint i = 0; i < constants->len; i++)
    {
      numbers[i] = next;
      next += ((LsConstant *) constants->pdata[i])->data->shape->n + 7;
    }
  open_node (self, "");
  close_node (self);
  open_node (self, "Map");
  g_string_append (self->nodes, ", \n      \"keys\": [\n        \"relax.expr.Constant\"\n      ], \n      \"data\": [2]");
  close_node (self);
  open_node (self, "Array");
  put_numbers (self, numbers, constants->len);
  close_node (self);
  for (guint i = 0; i < constants->len; i++)
    put_constant (self, ((LsConstant *) constants->pdata[i])->data, i);
}

char *
ls_metadata_print (GPtrArray *constants)
{
  Writer writer = { g_string_new (NULL), 0 };
  GString *json = g_string_new (NULL), *out = g_string_new ("metadata = tvm.ir.load_json(\"\"\"");

  put_nodes (&writer, constants);
  g_string_append_printf (json, "{\n  \"root\": 1, \n  \"nodes\": [%s\n  ], \n  \"b64ndarrays\": [", writer.nodes->str);
  for (guint i = 0; i < constants->len; i++)
    {
      g_autofree char *text = array_text (((LsConstant *) constants->pdata[i])->data);

      g_string_append_printf (json, "%s\n    \"%s\"", i > 0 ? ", " : "", text);
    }
  g_string_append (json, "\n  ], \n  \"attrs\": {\"tvm_version\": \"0.20.0\"}\n}");
  put_escaped (out, json->str);
  g_string_append (out, "\"\"\")\n");
  g_string_free (writer.nodes, TRUE);
  g_string_free (json, TRUE);
  return g_string_free (out, FALSE);
}
