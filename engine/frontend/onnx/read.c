/* onnx/read: a file, or bytes, unpacked by protobuf-c with as much memory as a file of its size can need; and its tensors. */
#include "engine/frontend/onnx/onnx-private.h"

#include <string.h>

#define MOST_EXTENT (G_GINT64_CONSTANT (1) << 40)

/* ---- memory: a few bytes of a damaged file must not ask for gigabytes ------------------------- */

typedef struct { gsize left; } Budget;

static void *
take_memory (void  *data,
             size_t size)
{
  Budget *budget = data;

  if (size > budget->left)
    return NULL;
  budget->left -= size;
  return g_try_malloc (MAX (size, 1));
}

static void
drop_memory (void *data,
             void *block)
{
  g_free (block);
}

/* ---- the model ----------------------------------------------------------------------------------- */

static gboolean
refuse (GError    **error,
        const char *name,
        const char *what)
{
  g_set_error (error, LS_FX_ERROR, LS_FX_ERROR_FILE, "%s: %s", name, ls_translate (what));
  return FALSE;
}

static gboolean
is_text (const char *text)
{
  return text == NULL || g_utf8_validate (text, -1, NULL);
}

static gboolean
infos_are_text (LsOnnx__ValueInfo **infos,
                gsize               n)
{
  for (gsize i = 0; i < n; i++)
    {
      const LsOnnx__Shape *shape = infos[i]->type != NULL && infos[i]->type->tensor_type != NULL ? infos[i]->type->tensor_type->shape : NULL;

      if (!is_text (infos[i]->name))
        return FALSE;
      for (gsize k = 0; shape != NULL && k < shape->n_dim; k++)
        if (!is_text (shape->dim[k]->dim_param))
          return FALSE;
    }
  return TRUE;
}

/* Names stand in messages and programs. */
static gboolean
names_are_text (const LsOnnx__Graph *graph)
{
  for (gsize i = 0; i < graph->n_node; i++)
    {
      const LsOnnx__Node *node = graph->node[i];

      if (!is_text (node->name) || !is_text (node->op_type) || !is_text (node->domain))
        return FALSE;
      for (gsize k = 0; k < node->n_input; k++)
        if (!is_text (node->input[k]))
          return FALSE;
      for (gsize k = 0; k < node->n_output; k++)
        if (!is_text (node->output[k]))
          return FALSE;
      for (gsize k = 0; k < node->n_attribute; k++)
        if (!is_text (node->attribute[k]->name))
          return FALSE;
    }
  for (gsize i = 0; i < graph->n_initializer; i++)
    if (!is_text (graph->initializer[i]->name))
      return FALSE;
  return infos_are_text (graph->input, graph->n_input) && infos_are_text (graph->output, graph->n_output)
         && infos_are_text (graph->value_info, graph->n_value_info);
}

LsOnnx__Graph *
ls_onnx_graph_unpack (const guint8 *data,
                      gsize         size)
{
  Budget budget = { size > G_MAXSIZE / 64 ? G_MAXSIZE : 64 * size + 65536 };
  ProtobufCAllocator allocator = { take_memory, drop_memory, &budget };
  LsOnnx__Graph *graph = ls_onnx__graph__unpack (&allocator, size, data);

  if (graph == NULL || names_are_text (graph))
    return graph;
  ls_onnx_graph_free (graph);
  return NULL;
}

void
ls_onnx_graph_free (gpointer graph)
{
  ProtobufCAllocator allocator = { take_memory, drop_memory, NULL };

  ls_onnx__graph__free_unpacked (graph, &allocator);
}

static gboolean
check_model (LsOnnxModel *self,
             GError     **error)
{
  const LsOnnx__Graph *graph = self->proto->graph;

  if (graph == NULL || self->proto->n_opset_import == 0)
    return refuse (error, self->path, LS_TEXT ("this is no model of ONNX: a graph and the version of its operators are expected"));
  if (!names_are_text (graph))
    return refuse (error, self->path, LS_TEXT ("a name in the graph is no UTF-8"));
  for (gsize i = 0; i < self->proto->n_opset_import; i++)
    {
      const LsOnnx__Opset *opset = self->proto->opset_import[i];

      if (opset->domain == NULL || opset->domain[0] == '\0' || strcmp (opset->domain, "ai.onnx") == 0)
        self->opset = opset->has_version ? opset->version : 1;
    }
  if (self->opset == 0)
    self->opset = 1;
  return TRUE;
}

LsOnnxModel *
ls_onnx_parse (const char    *name,
               gconstpointer  data,
               gsize          size,
               const char    *folder,
               GError       **error)
{
  g_autoptr (LsOnnxModel) self = g_new0 (LsOnnxModel, 1);
  Budget budget = { size > G_MAXSIZE / 64 ? G_MAXSIZE : 64 * size + 65536 };
  ProtobufCAllocator allocator = { take_memory, drop_memory, &budget };

  self->path = g_strdup (name);
  self->folder = g_strdup (folder);
  if (size > 0)
    self->proto = ls_onnx__model__unpack (&allocator, size, data);
  if (self->proto == NULL)
    {
      refuse (error, name, LS_TEXT ("this is no file of ONNX, or it is damaged: its messages do not end where they should"));
      return NULL;
    }
  return check_model (self, error) ? g_steal_pointer (&self) : NULL;
}

LsOnnxModel *
ls_onnx_read (const char *path,
              GError    **error)
{
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, error);
  g_autofree char *folder = g_path_get_dirname (path);

  if (file == NULL)
    return NULL;
  return ls_onnx_parse (path, g_mapped_file_get_contents (file), g_mapped_file_get_length (file), folder, error);
}

void
ls_onnx_free (LsOnnxModel *self)
{
  ProtobufCAllocator allocator = { take_memory, drop_memory, NULL };

  if (self == NULL)
    return;
  if (self->proto != NULL)
    ls_onnx__model__free_unpacked (self->proto, &allocator);
  g_free (self->path);
  g_free (self->folder);
  g_free (self);
}

/* ---- tensors ---------------------------------------------------------------------------------------- */

gboolean
ls_onnx_dtype (gint32   type,
               LsDType *dtype)
{
  static const char *const NAMES[] = { NULL, "float32", "uint8", "int8", "uint16", "int16", "int32", "int64", NULL, "bool", "float16", "float64", "uint32", "uint64",
                                       NULL, NULL, "bfloat16" };

  return type > 0 && (gsize) type < G_N_ELEMENTS (NAMES) && NAMES[type] != NULL && ls_dtype_parse (NAMES[type], dtype);
}

static GBytes *
problem (GError              **error,
         const LsOnnx__Tensor *tensor,
         const char           *what)
{
  g_set_error (error, LS_FX_ERROR, LS_FX_ERROR_FILE, ls_translate ("the tensor \"%s\" %s"), tensor->name != NULL ? tensor->name : "", ls_translate (what));
  return NULL;
}

/* Of a file beside the model. */
static GBytes *
outside_bytes (LsOnnxModel          *model,
               const LsOnnx__Tensor *tensor,
               gsize                 size,
               GError              **error)
{
  const char *location = NULL;
  guint64 offset = 0;
  g_autofree char *path = NULL;
  g_autoptr (GMappedFile) file = NULL;
  g_autoptr (GBytes) whole = NULL;

  for (gsize i = 0; i < tensor->n_external_data; i++)
    {
      const LsOnnx__Pair *pair = tensor->external_data[i];

      if (g_strcmp0 (pair->key, "location") == 0)
        location = pair->value;
      if (g_strcmp0 (pair->key, "offset") == 0 && (pair->value == NULL || !g_ascii_string_to_unsigned (pair->value, 10, 0, G_MAXINT64, &offset, NULL)))
        return problem (error, tensor, LS_TEXT ("has an offset that is no number"));
    }
  if (location == NULL || location[0] == '\0' || g_path_is_absolute (location) || strstr (location, "..") != NULL || !is_text (location))
    return problem (error, tensor, LS_TEXT ("lies in a file whose name does not stay in the folder of the model"));
  if (model->folder == NULL)
    return problem (error, tensor, LS_TEXT ("lies in another file, which is not here"));
  path = g_build_filename (model->folder, location, NULL);
  file = g_mapped_file_new (path, FALSE, error);
  if (file == NULL)
    return NULL;
  whole = g_mapped_file_get_bytes (file);
  if (offset > g_bytes_get_size (whole) || size > g_bytes_get_size (whole) - offset)
    return problem (error, tensor, LS_TEXT ("ends behind the end of its file"));
  return g_bytes_new_from_bytes (whole, offset, size);
}

/* Numbers that were written one by one. */
static GBytes *
listed_bytes (const LsOnnx__Tensor *tensor,
              gsize                 n,
              LsDType               dtype,
              GError              **error)
{
  guint bytes = ls_dtype_bytes (dtype);
  const gboolean is_float = ls_dtype_is_float (dtype);
  gsize given = is_float && bytes == 4 ? tensor->n_float_data : is_float && bytes == 8 ? tensor->n_double_data
                : !is_float && bytes == 8 ? (tensor->n_int64_data > 0 ? tensor->n_int64_data : tensor->n_uint64_data)
                : tensor->n_int32_data > 0 ? tensor->n_int32_data : tensor->n_uint64_data;
  guint8 *data;

  if (given != n)
    return problem (error, tensor, LS_TEXT ("has another number of values than its shape says"));
  data = g_malloc0 (MAX (n * bytes, 1));
  for (gsize i = 0; i < n; i++)
    {
      guint64 word = 0;

      if (is_float && bytes == 4)
        memcpy (data + i * 4, &tensor->float_data[i], 4);
      else if (is_float && bytes == 8)
        memcpy (data + i * 8, &tensor->double_data[i], 8);
      else
        {
          word = bytes == 8 ? (tensor->n_int64_data > 0 ? (guint64) tensor->int64_data[i] : tensor->uint64_data[i])
                 : tensor->n_int32_data > 0 ? (guint64) (gint64) tensor->int32_data[i] : tensor->uint64_data[i];
          word = GUINT64_TO_LE (word);
          memcpy (data + i * bytes, &word, bytes);
        }
    }
  return g_bytes_new_take (data, n * bytes);
}

LsTensor *
ls_onnx_tensor (LsOnnxModel          *model,
                const LsOnnx__Tensor *tensor,
                GError              **error)
{
  GPtrArray *shape;
  GBytes *data = NULL;
  gint64 n = 1, size;
  LsDType dtype;

  if (!ls_onnx_dtype (tensor->data_type, &dtype))
    {
      g_set_error (error, LS_FX_ERROR, LS_FX_ERROR_UNSUPPORTED, ls_translate ("the tensor \"%s\" has elements of type %d, which is not supported"),
                   tensor->name != NULL ? tensor->name : "", tensor->data_type);
      return NULL;
    }
  for (gsize i = 0; i < tensor->n_dims; i++)
    if (tensor->dims[i] < 0 || __builtin_mul_overflow (n, tensor->dims[i], &n) || n > MOST_EXTENT)
      return (LsTensor *) problem (error, tensor, LS_TEXT ("has a shape that cannot be"));
  size = n * ls_dtype_bytes (dtype);
  if (tensor->has_data_location && tensor->data_location == 1)
    data = outside_bytes (model, tensor, (gsize) size, error);
  else if (tensor->has_raw_data && (tensor->raw_data.len > 0 || n == 0))
    data = tensor->raw_data.len == (gsize) size ? g_bytes_new (tensor->raw_data.data, (gsize) size)
                                                : problem (error, tensor, LS_TEXT ("has another number of bytes than its shape says"));
  else
    data = listed_bytes (tensor, (gsize) n, dtype, error);
  if (data == NULL)
    return NULL;
  shape = g_ptr_array_new ();
  for (gsize i = 0; i < tensor->n_dims; i++)
    g_ptr_array_add (shape, ls_int_imm_new (LS_INT64, tensor->dims[i]));
  return ls_tensor_new (dtype, ls_array_take_ptr_array (shape), data);
}
