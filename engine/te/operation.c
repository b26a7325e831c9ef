/* operation: placeholder, compute and extern stages, and their tensors.
 *
 * A stage is an identity node without a pointer to its tensors, so that there is no cycle: a tensor holds its
 * operation, an expression in a later stage's body holds the tensor.
 */
#include "engine/te/te-private.h"

#include <string.h>

static const char *const STAGES[] = { "placeholder", "compute", "extern", NULL };

LS_CLASS (ls_te_operation_class, TE_OPERATION, "te.Operation", LsTeOperation, LS_CLASS_IDENTITY,
          { "stage", LS_FIELD_ENUM, G_STRUCT_OFFSET (LsTeOperation, stage), 0, STAGES },
          LS_FIELD (LsTeOperation, name, STRING, LS_FIELD_HINT),
          LS_FIELD (LsTeOperation, tag, STRING, 0),
          LS_FIELD (LsTeOperation, attrs, NODE, 0),
          LS_FIELD (LsTeOperation, shape, NODE, 0),
          LS_FIELD (LsTeOperation, dtype, DTYPE, 0),
          LS_FIELD (LsTeOperation, axis, NODE, LS_FIELD_BINDS),
          LS_FIELD (LsTeOperation, reduce_axis, NODE, LS_FIELD_BINDS),
          LS_FIELD (LsTeOperation, body, NODE, 0),
          LS_FIELD (LsTeOperation, inputs, NODE, 0),
          LS_FIELD (LsTeOperation, input_buffers, NODE, 0),
          LS_FIELD (LsTeOperation, output_buffers, NODE, 0),
          LS_FIELD (LsTeOperation, statement, NODE, 0));
LS_CLASS (ls_te_tensor_class, TE_TENSOR, "te.Tensor", LsTeTensor, LS_CLASS_IDENTITY,
          LS_FIELD (LsTeTensor, op, NODE, 0),
          LS_FIELD (LsTeTensor, value_index, INT, 0),
          LS_FIELD (LsTeTensor, shape, NODE, 0),
          LS_FIELD (LsTeTensor, dtype, DTYPE, 0));

G_DEFINE_QUARK (ls-te-error-quark, ls_te_error)

void
ls_te_register_classes (void)
{
  static const LsNodeClass *const classes[] = { &ls_te_operation_class, &ls_te_tensor_class };

  ls_class_register (classes, G_N_ELEMENTS (classes));
}

static LsTeOperation *
operation_alloc (LsTeStage   stage,
                 const char *name,
                 const char *tag,
                 LsMap      *attrs)
{
  LsTeOperation *self = ls_node_alloc (&ls_te_operation_class);

  self->stage = stage;
  self->name = g_strdup (name);
  self->tag = g_strdup (tag != NULL ? tag : "");
  self->attrs = attrs != NULL ? attrs : ls_map_empty ();
  return self;
}

static LsTeOperation *
operation_finish (LsTeOperation *self)
{
  LsArray **lists[] = { &self->shape, &self->axis, &self->reduce_axis, &self->body, &self->inputs, &self->input_buffers, &self->output_buffers };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    if (*lists[i] == NULL)
      *lists[i] = ls_array_empty ();
  return ls_node_finish (self);
}

guint
ls_te_operation_n_outputs (LsTeOperation *self)
{
  switch ((LsTeStage) self->stage)
    {
    case LS_TE_PLACEHOLDER: return 1;
    case LS_TE_COMPUTE: return self->body->n;
    case LS_TE_EXTERN: return self->output_buffers->n;
    }
  g_return_val_if_reached (0);
}

static LsArray *
output_shape (LsTeOperation *self,
              guint          i)
{
  GPtrArray *extents;

  if (self->stage == LS_TE_PLACEHOLDER)
    return ls_ref (self->shape);
  if (self->stage == LS_TE_EXTERN)
    return ls_ref (ls_array_at (self->output_buffers, i, LsBuffer)->shape);
  extents = g_ptr_array_new ();
  for (guint k = 0; k < self->axis->n; k++)
    g_ptr_array_add (extents, ls_ref (ls_array_at (self->axis, k, LsIterVar)->dom->extent));
  return ls_array_take_ptr_array (extents);
}

static LsDType
output_dtype (LsTeOperation *self,
              guint          i)
{
  if (self->stage == LS_TE_PLACEHOLDER)
    return self->dtype;
  if (self->stage == LS_TE_EXTERN)
    return ls_array_at (self->output_buffers, i, LsBuffer)->dtype;
  return ls_dtype (self->body->items[i]);
}

LsTeTensor *
ls_te_operation_output (LsTeOperation *self,
                        guint          i)
{
  LsTeTensor *tensor;

  g_return_val_if_fail (i < ls_te_operation_n_outputs (self), NULL);
  tensor = ls_node_alloc (&ls_te_tensor_class);
  tensor->op = ls_ref (self);
  tensor->value_index = i;
  tensor->shape = output_shape (self, i);
  tensor->dtype = output_dtype (self, i);
  return ls_node_finish (tensor);
}

gboolean
ls_te_tensor_same (LsTeTensor *a,
                   LsTeTensor *b)
{
  return a == b || (a->op == b->op && a->value_index == b->value_index);
}

char *
ls_te_tensor_dup_name (LsTeTensor *self)
{
  if (ls_te_operation_n_outputs (self->op) == 1)
    return g_strdup (self->op->name);
  return g_strdup_printf ("%s.v%" G_GINT64_FORMAT, self->op->name, self->value_index);
}

/* The outputs of an operation that nobody else holds. */
static LsArray *
take_outputs (LsTeOperation *op)
{
  GPtrArray *outputs = g_ptr_array_new ();

  for (guint i = 0; i < ls_te_operation_n_outputs (op); i++)
    g_ptr_array_add (outputs, ls_te_operation_output (op, i));
  ls_unref (op);
  return ls_array_take_ptr_array (outputs);
}

LsTeTensor *
ls_te_placeholder (const char *name,
                   LsArray    *shape,
                   LsDType     dtype)
{
  g_autoptr (LsTeOperation) op = operation_alloc (LS_TE_PLACEHOLDER, name != NULL ? name : "placeholder", NULL, NULL);

  op->shape = shape;
  op->dtype = dtype;
  operation_finish (op);
  return ls_te_operation_output (op, 0);
}

LsTeTensor *
ls_te_placeholder_ints (const char   *name,
                        LsDType       dtype,
                        guint         ndim,
                        const gint64 *shape)
{
  GPtrArray *extents = g_ptr_array_new ();

  for (guint i = 0; i < ndim; i++)
    g_ptr_array_add (extents, ls_int (shape[i]));
  return ls_te_placeholder (name, ls_array_take_ptr_array (extents), dtype);
}

/* ---- compute ------------------------------------------------------------ */

static char *
axis_name (char **names,
           guint  i)
{
  guint n = g_strv_length (names);
  guint last = MIN (i, n - 1);

  if (g_str_has_suffix (names[last], "*"))
    return g_strdup_printf ("%.*s%u", (int) strlen (names[last]) - 1, names[last], i - last);
  return g_strdup (names[last]);
}

LsArray *
ls_te_axes (LsArray    *shape,
            const char *names)
{
  g_auto (GStrv) parts = g_strsplit (names != NULL && names[0] != '\0' ? names : "i*", " ", -1);
  gboolean typed_zero = names != NULL && g_str_equal (names, "ax*");
  GPtrArray *axes = g_ptr_array_new ();

  for (guint i = 0; i < shape->n; i++)
    {
      LsExpr *extent = ls_array_at (shape, i, LsExpr);
      g_autofree char *name = axis_name (parts, i);

      g_ptr_array_add (axes, ls_iter_var_new (ls_range_new (ls_const_int (typed_zero ? ls_dtype (extent) : LS_INT32, 0), ls_ref (extent)),
                                              ls_var_new (name, ls_dtype (extent)), LS_ITER_DATA_PAR, ""));
    }
  return ls_array_take_ptr_array (axes);
}

LsExpr *
ls_te_axis (LsArray *axes,
            guint    i)
{
  return LS_EXPR (ls_node_ref (LS_NODE (ls_array_at (axes, i, LsIterVar)->var)));
}

LsArray *
ls_te_axis_vars (LsArray *axes)
{
  GPtrArray *vars = g_ptr_array_new ();

  for (guint i = 0; i < axes->n; i++)
    g_ptr_array_add (vars, ls_te_axis (axes, i));
  return ls_array_take_ptr_array (vars);
}

LsExpr *
ls_te_load (LsTeTensor *tensor,
            LsArray    *indices)
{
  g_return_val_if_fail (tensor != NULL && indices->n == tensor->shape->n, NULL);
  return ls_producer_load_new (ls_ref (tensor), tensor->dtype, indices);
}

LsExpr *
ls_te_load_checked (LsTeTensor *tensor,
                    LsArray    *indices,
                    GError    **error)
{
  g_autoptr (LsArray) taken = indices;

  if (tensor == NULL || indices == NULL)
    return NULL;
  if (indices->n != tensor->shape->n)
    {
      g_set_error (error, LS_TE_ERROR, LS_TE_ERROR_SHAPE, ls_translate ("tensor %s has %u dimensions, but %u indices are given"), tensor->op->name, tensor->shape->n, indices->n);
      return NULL;
    }
  return ls_te_load (tensor, g_steal_pointer (&taken));
}

LsExpr *
ls_te_at (LsTeTensor *tensor,
          ...)
{
  GPtrArray *indices = g_ptr_array_new ();
  va_list args;

  va_start (args, tensor);
  for (LsExpr *index = va_arg (args, LsExpr *); index != NULL; index = va_arg (args, LsExpr *))
    g_ptr_array_add (indices, index);
  va_end (args);
  return ls_te_load (tensor, ls_array_take_ptr_array (indices));
}

static LsWalk
meet_reduce (LsNode  *node,
             gpointer user_data)
{
  gboolean *found = user_data;

  *found = *found || ls_kind (node) == LS_KIND_REDUCE;
  return *found ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

static gboolean
has_inner_reduce (LsExpr *body)
{
  gboolean found = FALSE;

  if (ls_is (body, REDUCE))
    {
      LsReduce *reduce = (LsReduce *) body;

      ls_walk (reduce->source, meet_reduce, NULL, &found);
      if (!found && reduce->condition != NULL)
        ls_walk (reduce->condition, meet_reduce, NULL, &found);
      return found;
    }
  ls_walk (body, meet_reduce, NULL, &found);
  return found;
}

/* Outputs are all reductions with one combiner over the same axes, or none is one. */
static gboolean
check_bodies (const char *name,
              LsArray    *bodies,
              GError    **error)
{
  LsReduce *first = ls_is (bodies->items[0], REDUCE) ? (LsReduce *) bodies->items[0] : NULL;

  for (guint i = 0; i < bodies->n; i++)
    {
      LsReduce *reduce = ls_is (bodies->items[i], REDUCE) ? (LsReduce *) bodies->items[i] : NULL;

      if (has_inner_reduce (ls_array_at (bodies, i, LsExpr)))
        {
          g_set_error (error, LS_TE_ERROR, LS_TE_ERROR_REDUCTION,
                       ls_translate ("compute %s: a reduction stands inside an expression; reductions are only allowed at the top level of compute"), name);
          return FALSE;
        }
      if ((reduce == NULL) != (first == NULL)
          || (reduce != NULL && (reduce->combiner != first->combiner || !ls_structural_equal (reduce->axis, first->axis, TRUE, NULL, NULL))))
        {
          g_set_error (error, LS_TE_ERROR, LS_TE_ERROR_REDUCTION, ls_translate ("compute %s: its outputs must be the values of one reduction, or none of them a reduction"), name);
          return FALSE;
        }
    }
  return TRUE;
}

LsArray *
ls_te_compute_many (const char *name,
                    const char *tag,
                    LsMap      *attrs,
                    LsArray    *axes,
                    LsArray    *bodies,
                    GError    **error)
{
  g_autoptr (LsMap) own_attrs = attrs;
  g_autoptr (LsArray) own_axes = axes;
  g_autoptr (LsArray) own_bodies = bodies;
  LsTeOperation *op;

  name = name != NULL ? name : "compute";
  if (axes == NULL || bodies == NULL)
    return NULL;
  if (bodies->n == 0)
    {
      g_set_error (error, LS_TE_ERROR, LS_TE_ERROR_ARGUMENT, ls_translate ("compute %s: it has no outputs; at least one is needed"), name);
      return NULL;
    }
  if (!check_bodies (name, bodies, error))
    return NULL;
  op = operation_alloc (LS_TE_COMPUTE, name, tag, g_steal_pointer (&own_attrs));
  op->axis = g_steal_pointer (&own_axes);
  op->reduce_axis = ls_is (bodies->items[0], REDUCE) ? ls_ref (((LsReduce *) bodies->items[0])->axis) : NULL;
  op->body = g_steal_pointer (&own_bodies);
  return take_outputs (operation_finish (op));
}

LsTeTensor *
ls_te_compute (const char *name,
               const char *tag,
               LsMap      *attrs,
               LsArray    *axes,
               LsExpr     *body,
               GError    **error)
{
  g_autoptr (LsArray) outputs = NULL;

  outputs = ls_te_compute_many (name, tag, attrs, axes, body != NULL ? ls_array_of (body, NULL) : NULL, error);
  return outputs != NULL ? ls_ref (ls_array_at (outputs, 0, LsTeTensor)) : NULL;
}

LsArray *
ls_te_compute_with (const char  *name,
                    const char  *tag,
                    LsMap       *attrs,
                    LsArray     *shape,
                    const char  *axis_names,
                    LsTeCompute  func,
                    gpointer     user_data,
                    GError     **error)
{
  LsArray *axes = ls_te_axes (shape, axis_names);
  g_autoptr (LsArray) vars = ls_te_axis_vars (axes);
  LsNode *value = func (vars, user_data, error);

  if (value != NULL && !ls_is (value, ARRAY))
    value = LS_NODE (ls_array_of (value, NULL));
  return ls_te_compute_many (name, tag, attrs, axes, (LsArray *) value, error);
}

/* ---- extern ------------------------------------------------------------- */

LsBuffer *
ls_te_extern_buffer (LsTeTensor *input)
{
  g_autofree char *name = g_strdup (input->op->name);

  return ls_buffer_new_full (ls_var_new_typed (name, ls_pointer_type_new (ls_prim_type_new (input->dtype), "global")), input->dtype,
                             ls_ref (input->shape), ls_array_empty (), LS_EXPR (ls_var_new ("elem_offset", LS_INT32)), name, 64, 1,
                             LS_BUFFER_DEFAULT, NULL);
}

static LsArray *
extern_buffers (LsArray *inputs)
{
  GPtrArray *buffers = g_ptr_array_new ();

  for (guint i = 0; i < inputs->n; i++)
    g_ptr_array_add (buffers, ls_te_extern_buffer (ls_array_at (inputs, i, LsTeTensor)));
  return ls_array_take_ptr_array (buffers);
}

LsArray *
ls_te_extern (const char *name,
              const char *tag,
              LsMap      *attrs,
              LsArray    *inputs,
              LsArray    *input_buffers,
              LsArray    *output_buffers,
              LsStmt     *statement,
              GError    **error)
{
  LsTeOperation *op = operation_alloc (LS_TE_EXTERN, name != NULL ? name : "extern", tag, attrs);

  op->inputs = inputs;
  op->input_buffers = input_buffers != NULL ? input_buffers : extern_buffers (inputs);
  op->output_buffers = output_buffers;
  op->statement = statement;
  operation_finish (op);
  if (op->inputs->n != op->input_buffers->n)
    {
      g_set_error (error, LS_TE_ERROR, LS_TE_ERROR_ARGUMENT, ls_translate ("extern %s: %u inputs need as many buffers, but there are %u"), op->name, op->inputs->n,
                   op->input_buffers->n);
      ls_unref (op);
      return NULL;
    }
  return take_outputs (op);
}

typedef struct {
  GHashTable *loaded, *stored;  /* of Buffer */
} Touched;

static LsWalk
note_touched (LsNode  *node,
              gpointer data)
{
  Touched *touched = data;

  if (ls_is (node, BUFFER_LOAD))
    g_hash_table_add (touched->loaded, ((LsBufferLoad *) node)->buffer);
  else if (ls_is (node, BUFFER_STORE))
    g_hash_table_add (touched->stored, ((LsBufferStore *) node)->buffer);
  return LS_WALK_CONTINUE;
}

/* Sets `is_output` for the parameters that a function stores to and never loads; where there are none, for the last one that it
 * stores to (TVM's rule).  FALSE when this does not leave n_inputs parameters: then the last ones are the outputs. */
static gboolean
find_outputs (LsPrimFunc *func,
              guint       n_inputs,
              gboolean   *is_output)
{
  g_autoptr (GHashTable) loaded = g_hash_table_new (NULL, NULL), stored = g_hash_table_new (NULL, NULL);
  Touched touched = { loaded, stored };
  guint n = func->params->n, last = n, n_outputs = 0, n_loaded = 0;

  ls_walk (func->body, note_touched, NULL, &touched);
  for (guint i = 0; i < n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);
      gboolean is_loaded = g_hash_table_contains (loaded, buffer), is_stored = g_hash_table_contains (stored, buffer);

      is_output[i] = is_stored && !is_loaded;
      n_outputs += is_output[i];
      n_loaded += is_loaded;
      last = is_stored && is_loaded ? i : last;
    }
  if (n_outputs == 0 && last < n)
    {
      is_output[last] = TRUE;
      n_outputs++;
      n_loaded--;
    }
  return n_outputs > 0 && n_loaded == n_inputs && n_outputs + n_inputs == n;
}

LsArray *
ls_te_extern_primfunc (LsArray    *inputs,
                       LsPrimFunc *func,
                       GError    **error)
{
  g_autoptr (GPtrArray) in = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autofree gboolean *is_output = g_new0 (gboolean, func->params->n + 1);
  gboolean found = find_outputs (func, inputs->n, is_output);
  LsNode *symbol = ls_map_get (func->attrs, "global_symbol");

  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);

      if (buffer == NULL)
        {
          g_set_error (error, LS_TE_ERROR, LS_TE_ERROR_ARGUMENT, ls_translate ("extern_primfunc: parameter %u of the function is no buffer"), i);
          return NULL;
        }
      g_ptr_array_add ((found ? !is_output[i] : i < inputs->n) ? in : out, ls_ref (buffer));
    }
  if (out->len == 0)
    {
      g_set_error (error, LS_TE_ERROR, LS_TE_ERROR_ARGUMENT, ls_translate ("extern_primfunc: %u inputs leave no parameter of the function's %u for an output"), inputs->n, func->params->n);
      return NULL;
    }
  return ls_te_extern (symbol != NULL && ls_is (symbol, STRING) ? ((LsString *) symbol)->value : "extern", NULL, NULL, ls_ref (inputs),
                       ls_array_take_ptr_array (g_steal_pointer (&in)), ls_array_take_ptr_array (g_steal_pointer (&out)), ls_ref (func->body), error);
}
