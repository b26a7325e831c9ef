/* prim-func: create_prim_func, from a graph of stages to one TensorIR function.
 *
 * Stages become blocks in the order of ls_te_order.  A compute stage is a loop nest over its axes and reduce axes; the
 * block variable of axis i is v_i.  Axes whose domain depends on other axes (a window whose size depends on the place)
 * lie in a nest of blocks of their own: the outer block has the axes of the levels above, and the inner one takes each
 * of them as an axis of extent 1 that starts at the outer variable.  Values are simplified without knowing the loops'
 * ranges.  Reads and writes are detected last, as the script parser does.  Source of the rules: TVM v0.20,
 * te.create_prim_func.
 */
#include "engine/te/te-private.h"
#include "engine/tir/regions.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct {
  LsArray    *args;
  GHashTable *buffers;          /* LsTeOperation -> GPtrArray of LsBuffer (or NULL items) by output */
  GHashTable *names;            /* names of blocks that are taken -> last number */
  GPtrArray  *allocs;           /* of LsBuffer */
  LsAnalyzer *analyzer;
  GPtrArray  *layout_free;      /* of LsTeTensor, borrowed from attributes */
} Builder;

static LsBuffer **
buffer_slot (Builder       *self,
             LsTeOperation *op,
             guint          i)
{
  GPtrArray *outputs = g_hash_table_lookup (self->buffers, op);

  if (outputs == NULL)
    {
      outputs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
      g_ptr_array_set_size (outputs, (gint) ls_te_operation_n_outputs (op));
      g_hash_table_insert (self->buffers, op, outputs);
    }
  return (LsBuffer **) &outputs->pdata[i];
}

static gboolean
is_arg (Builder       *self,
        LsTeOperation *op,
        guint          i)
{
  for (guint k = 0; k < self->args->n; k++)
    if (ls_is (self->args->items[k], TE_TENSOR) && ls_array_at (self->args, k, LsTeTensor)->op == op
        && ls_array_at (self->args, k, LsTeTensor)->value_index == i)
      return TRUE;
  return FALSE;
}

static char *
fresh_name (Builder    *self,
            const char *wanted)
{
  g_autofree char *base = g_strdup (wanted);
  char *name;

  for (char *c = base; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && *c != '_')
      *c = '_';
  name = g_strdup (base);
  if (g_hash_table_contains (self->names, base))
    {
      guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->names, base));

      do
        {
          g_free (name);
          name = g_strdup_printf ("%s_%u", base, ++number);
        }
      while (g_hash_table_contains (self->names, name));
      g_hash_table_insert (self->names, g_strdup (base), GUINT_TO_POINTER (number));
    }
  g_hash_table_insert (self->names, g_strdup (name), GUINT_TO_POINTER (0));
  return name;
}

/* The buffer of an output: the one it has been given by an extern stage that reads it, or a new one. */
static LsBuffer *
declare (Builder       *self,
         LsTeOperation *op,
         guint          i)
{
  LsBuffer **slot = buffer_slot (self, op, i);
  g_autoptr (LsTeTensor) tensor = NULL;
  g_autofree char *name = NULL;

  if (*slot == NULL)
    {
      tensor = ls_te_operation_output (op, i);
      name = ls_te_tensor_dup_name (tensor);
      *slot = ls_buffer_new (name, tensor->dtype, ls_ref (tensor->shape), "global");
    }
  if (!is_arg (self, op, i))
    g_ptr_array_add (self->allocs, ls_ref (*slot));
  return *slot;
}

/* ---- values -------------------------------------------------------------- */

typedef struct {
  Builder    *builder;
  GHashTable *vars;             /* LsVar -> LsVar of the block */
} Remap;

static LsNode *
remap_filter (LsRewriter *rewriter,
              LsNode     *node,
              gpointer    user_data)
{
  Remap *self = user_data;
  LsNode *var;

  if (ls_is_var (node) && (var = g_hash_table_lookup (self->vars, node)) != NULL)
    return ls_ref (var);
  if (ls_kind (node) == LS_KIND_PRODUCER_LOAD && ls_is (((LsProducerLoad *) node)->producer, TE_TENSOR))
    {
      LsTeTensor *tensor = (LsTeTensor *) ((LsProducerLoad *) node)->producer;
      LsArray *indices = (LsArray *) ls_rewrite (rewriter, ((LsProducerLoad *) node)->indices);
      LsBuffer *buffer = *buffer_slot (self->builder, tensor->op, (guint) tensor->value_index);

      return LS_NODE (ls_buffer_load_new (ls_ref (buffer), indices, NULL));
    }
  return ls_rewrite_default (rewriter, node);
}

static LsExpr *
remap (Builder    *self,
       GHashTable *vars,
       gpointer    expr)
{
  Remap remap = { self, vars };

  return (LsExpr *) ls_rewrite_with (expr, remap_filter, &remap);
}

static LsExpr *
remap_simplified (gpointer    builder,
                  GHashTable *vars,
                  gpointer    expr)
{
  Builder *self = builder;
  g_autoptr (LsExpr) value = remap (self, vars, expr);

  return ls_analyzer_simplify (self->analyzer, value);
}

/* ---- bodies --------------------------------------------------------------- */

static LsArray *
output_indices (LsTeOperation *op,
                GHashTable    *vars)
{
  GPtrArray *indices = g_ptr_array_new ();

  for (guint i = 0; i < op->axis->n; i++)
    g_ptr_array_add (indices, ls_node_ref (g_hash_table_lookup (vars, ls_array_at (op->axis, i, LsIterVar)->var)));
  return ls_array_take_ptr_array (indices);
}

static LsExpr *
combine (Builder    *self,
         LsReduce   *reduce,
         guint       i,
         GPtrArray  *lhs,
         GPtrArray  *rhs,
         GHashTable *vars)
{
  g_autoptr (GHashTable) map = g_hash_table_new (NULL, NULL);
  g_autoptr (LsExpr) result = remap (self, vars, reduce->combiner->result->items[i]);

  for (guint k = 0; k < lhs->len; k++)
    {
      g_hash_table_insert (map, reduce->combiner->lhs->items[k], lhs->pdata[k]);
      g_hash_table_insert (map, reduce->combiner->rhs->items[k], rhs->pdata[k]);
    }
  return (LsExpr *) ls_substitute (result, map);
}

/* What changes nothing: the identity.  That of a maximum or minimum of floats alone is infinite; TVM's is the lowest or greatest number, and
 * comes out where nothing is chosen. */
static LsExpr *
neutral (Builder    *self,
         LsReduce   *reduce,
         guint       i,
         GHashTable *vars)
{
  LsExpr *identity = ls_array_at (reduce->combiner->identity_element, i, LsExpr);
  LsExpr *result = ls_array_at (reduce->combiner->result, i, LsExpr);
  double most = ls_is (identity, FLOAT_IMM) ? ls_dtype_float_max (ls_dtype (identity)) : 0;

  if (reduce->source->n == 1 && ls_is (identity, FLOAT_IMM) && (ls_is (result, MAX) || ls_is (result, MIN))
      && ((LsFloatImm *) identity)->value == (ls_is (result, MAX) ? -most : most))
    return ls_float_imm_new (ls_dtype (identity), ls_is (result, MAX) ? -INFINITY : INFINITY);
  return remap (self, vars, identity);
}

/* Where the condition of a reduction does not hold, its identity takes part. */
static LsExpr *
reduce_source (Builder    *self,
               LsReduce   *reduce,
               guint       i,
               GHashTable *vars)
{
  g_autoptr (LsExpr) condition = remap_simplified (self, vars, reduce->condition);
  LsExpr *source = remap_simplified (self, vars, reduce->source->items[i]);

  if (ls_is_int_value (condition, 1))
    return source;
  return ls_if_then_else (g_steal_pointer (&condition), source, neutral (self, reduce, i, vars));
}

static LsStmt *
reduce_init (Builder       *self,
             LsTeOperation *op,
             LsBuffer     **buffers,
             LsReduce      *reduce,
             GHashTable    *vars)
{
  LsArray *values = reduce->init->n > 0 ? reduce->init : reduce->combiner->identity_element;
  GPtrArray *stores = g_ptr_array_new ();

  for (guint i = 0; i < op->body->n; i++)
    g_ptr_array_add (stores, ls_buffer_store_new (ls_ref (buffers[i]), remap (self, vars, values->items[i]), output_indices (op, vars), NULL));
  return ls_seq (ls_array_take_ptr_array (stores));
}

/* One output: a store.  Several: their new values are bound first, as each may need the others' old ones. */
static LsStmt *
reduce_update (Builder       *self,
               LsTeOperation *op,
               LsBuffer     **buffers,
               LsReduce      *reduce,
               GHashTable    *vars)
{
  g_autoptr (GPtrArray) lhs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr (GPtrArray) rhs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr (GPtrArray) temps = g_ptr_array_new ();
  GPtrArray *stores = g_ptr_array_new ();
  LsStmt *body;

  for (guint i = 0; i < op->body->n; i++)
    {
      g_ptr_array_add (lhs, ls_buffer_load_new (ls_ref (buffers[i]), output_indices (op, vars), NULL));
      g_ptr_array_add (rhs, reduce_source (self, reduce, i, vars));
    }
  if (op->body->n == 1)
    {
      g_ptr_array_free (stores, TRUE);
      return ls_buffer_store_new (ls_ref (buffers[0]), combine (self, reduce, 0, lhs, rhs, vars), output_indices (op, vars), NULL);
    }
  for (guint i = 0; i < op->body->n; i++)
    {
      g_autofree char *name = g_strconcat ("v_", buffers[i]->name, NULL);
      LsVar *temp = ls_var_new_typed (name, ls_prim_type_new (buffers[i]->dtype));

      g_ptr_array_add (temps, temp);
      g_ptr_array_add (stores, ls_buffer_store_new (ls_ref (buffers[i]), LS_EXPR (ls_node_ref (LS_NODE (temp))), output_indices (op, vars), NULL));
    }
  body = ls_seq (ls_array_take_ptr_array (stores));
  for (guint i = op->body->n; i-- > 0;)
    body = ls_let_stmt_new (temps->pdata[i], combine (self, reduce, i, lhs, rhs, vars), body);
  return body;
}

/* ---- stages --------------------------------------------------------------- */

/* The buffers of the tensors that the schedule may lay out anew: those of parameters become an attribute of the function,
 * the others stay with the block. */
static LsArray *
layout_free_buffers (Builder *self,
                     LsNode  *tensors)
{
  GPtrArray *buffers = g_ptr_array_new ();

  for (guint i = 0; tensors != NULL && ls_is (tensors, ARRAY) && i < ((LsArray *) tensors)->n; i++)
    {
      LsTeTensor *tensor = ls_array_at ((LsArray *) tensors, i, LsTeTensor);

      if (!ls_is (tensor, TE_TENSOR))
        continue;
      if (is_arg (self, tensor->op, (guint) tensor->value_index))
        g_ptr_array_add (self->layout_free, tensor);
      else
        g_ptr_array_add (buffers, ls_ref (*buffer_slot (self, tensor->op, (guint) tensor->value_index)));
    }
  return ls_array_take_ptr_array (buffers);
}

static LsMap *
block_annotations (Builder       *self,
                   LsTeOperation *op)
{
  g_autoptr (LsNode) detect = LS_NODE (ls_int (3));
  g_autoptr (LsArray) buffers = layout_free_buffers (self, ls_map_get (op->attrs, "layout_free_placeholders"));
  LsMap *annotations = ls_map_set (op->attrs, LS_DETECT_ACCESS, detect);

  if (buffers->n > 0)
    ls_take (&annotations, ls_map_set (annotations, "layout_free_placeholders", buffers));
  else
    ls_take (&annotations, ls_map_remove (annotations, "layout_free_placeholders"));
  return annotations;
}

static LsArray *
copy_list (GPtrArray *list)
{
  GPtrArray *copy = g_ptr_array_new ();

  for (guint i = 0; i < list->len; i++)
    g_ptr_array_add (copy, ls_node_ref (list->pdata[i]));
  return ls_array_take_ptr_array (copy);
}

static LsStmt *
make_block (Builder    *self,
            LsTeNest   *nest,
            LsArray    *iter_vars,
            const char *wanted,
            LsMap      *annotations,
            LsStmt     *body,
            LsStmt     *init)
{
  g_autofree char *name = fresh_name (self, wanted);
  LsBlock *block = ls_block_new (iter_vars, NULL, NULL, name, body, init, NULL, NULL, annotations);

  return LS_STMT (ls_block_realize_new (copy_list (nest->iter_values), ls_bool (TRUE), block));
}

/* starts: the reduction begins here, and not in a block around it. */
static LsStmt *
innermost_blocks (Builder       *self,
                  LsTeOperation *op,
                  LsBuffer     **buffers,
                  LsTeNest      *nest,
                  gboolean       starts)
{
  GPtrArray *blocks;

  if (nest->iter_vars->len == 0)
    ls_te_nest_add_scalar (nest);
  if (ls_is (op->body->items[0], REDUCE))
    {
      LsReduce *reduce = (LsReduce *) op->body->items[0];
      LsStmt *update = reduce_update (self, op, buffers, reduce, nest->vars);

      return make_block (self, nest, copy_list (nest->iter_vars), op->name, block_annotations (self, op), update,
                         starts ? reduce_init (self, op, buffers, reduce, nest->vars) : NULL);
    }
  blocks = g_ptr_array_new ();
  for (guint i = 0; i < op->body->n; i++)
    {
      g_autoptr (GHashTable) vars = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
      LsArray *iter_vars;
      LsStmt *store;

      ls_te_nest_copy_iters (nest, &iter_vars, vars);
      store = ls_buffer_store_new (ls_ref (buffers[i]), remap_simplified (self, vars, op->body->items[i]), output_indices (op, vars), NULL);
      g_ptr_array_add (blocks, make_block (self, nest, iter_vars, buffers[i]->name, block_annotations (self, op), store, NULL));
    }
  return ls_seq (ls_array_take_ptr_array (blocks));
}

/* A reduction over axes of which one's extent is read at another: a block around others.  It starts at the outermost block that goes over one
 * of its axes, and there alone; TVM starts it in each, and the inner ones forget what was added before. */
static LsStmt *
compute_stage (Builder       *self,
               LsTeOperation *op)
{
  g_autoptr (GPtrArray) nests = ls_te_nests (op, remap_simplified, self);
  g_autofree LsBuffer **buffers = g_new0 (LsBuffer *, op->body->n);
  guint start = 0;
  LsStmt *body;

  for (guint i = 0; i < op->body->n; i++)
    buffers[i] = declare (self, op, i);
  while (start + 1 < nests->len && !ls_te_nest_reduces (nests->pdata[start]))
    start++;
  body = innermost_blocks (self, op, buffers, nests->pdata[nests->len - 1], start + 1 == nests->len);
  body = ls_te_nest_wrap (nests->pdata[nests->len - 1], body);
  for (guint i = nests->len - 1; i-- > 0;)
    {
      LsTeNest *nest = nests->pdata[i];
      g_autoptr (LsNode) detect = LS_NODE (ls_int (3));
      const char *keys[] = { LS_DETECT_ACCESS };
      LsNode *values[] = { ls_ref (detect) };

      body = make_block (self, nest, copy_list (nest->iter_vars), op->name, ls_map_new (keys, values, 1), body,
                         i == start ? reduce_init (self, op, buffers, (LsReduce *) op->body->items[0], nest->vars) : NULL);
      body = ls_te_nest_wrap (nest, body);
    }
  return body;
}

/* The buffer of an output that nobody outside sees: where its data begins is known. */
static LsBuffer *
at_its_begin (LsBuffer *buffer)
{
  return ls_buffer_new_full (ls_ref (buffer->data), buffer->dtype, ls_ref (buffer->shape), ls_ref (buffer->strides), NULL, buffer->name, buffer->data_alignment,
                             0, buffer->buffer_type, ls_ref (buffer->axis_separators));
}

/* A stage may hand the place where its data begins on as a number: that of the buffer that takes its buffer's place. */
static void
map_offset (GHashTable *map,
            LsBuffer   *from,
            LsBuffer   *to)
{
  if (ls_is_var (from->elem_offset) && from->elem_offset != to->elem_offset)
    g_hash_table_insert (map, from->elem_offset, to->elem_offset);
}

static LsStmt *
extern_stage (Builder       *self,
              LsTeOperation *op)
{
  g_autoptr (GHashTable) map = g_hash_table_new (NULL, NULL);
  g_autofree char *name = NULL;
  LsStmt *body;

  for (guint i = 0; i < op->inputs->n; i++)
    {
      LsTeTensor *input = ls_array_at (op->inputs, i, LsTeTensor);
      LsBuffer *from = ls_array_at (op->input_buffers, i, LsBuffer);
      LsBuffer *to = *buffer_slot (self, input->op, (guint) input->value_index);

      if (from != to)
        {
          g_hash_table_insert (map, from, to);
          g_hash_table_insert (map, from->data, to->data);
          map_offset (map, from, to);
        }
    }
  for (guint i = 0; i < op->output_buffers->n; i++)
    {
      LsBuffer **slot = buffer_slot (self, op, i);
      LsBuffer *own = ls_array_at (op->output_buffers, i, LsBuffer);

      if (*slot == NULL)
        *slot = ls_is_var (own->elem_offset) && !is_arg (self, op, i) ? at_its_begin (own) : ls_ref (own);
      if (*slot != own)
        {
          g_hash_table_insert (map, own, *slot);
          g_hash_table_insert (map, own->data, (*slot)->data);
          map_offset (map, own, *slot);
        }
      declare (self, op, i);
    }
  body = ls_substitute (op->statement, map);
  name = fresh_name (self, op->name);
  return LS_STMT (ls_block_realize_new (ls_array_empty (), ls_bool (TRUE),
                                        ls_block_new (NULL, NULL, NULL, name, body, NULL, NULL, NULL, ls_ref (op->attrs))));
}

/* What an extern stage calls its inputs that come from outside is what they are called everywhere. */
static void
bind_extern_inputs (Builder       *self,
                    LsTeOperation *op)
{
  for (guint i = 0; i < op->inputs->n; i++)
    {
      LsTeTensor *input = ls_array_at (op->inputs, i, LsTeTensor);
      LsBuffer **slot = buffer_slot (self, input->op, (guint) input->value_index);

      if (input->op->stage == LS_TE_PLACEHOLDER)
        ls_take (slot, ls_ref (ls_array_at (op->input_buffers, i, LsBuffer)));
    }
}

static gboolean
add_stage (Builder       *self,
           LsTeOperation *op,
           GPtrArray     *body,
           GError       **error)
{
  switch ((LsTeStage) op->stage)
    {
    case LS_TE_PLACEHOLDER:
      if (!is_arg (self, op, 0))
        {
          g_set_error (error, LS_TE_ERROR, LS_TE_ERROR_PARAMETER, ls_translate ("placeholder %s is read, but it is not among the parameters of the function"), op->name);
          return FALSE;
        }
      declare (self, op, 0);
      return TRUE;
    case LS_TE_COMPUTE:
      g_ptr_array_add (body, compute_stage (self, op));
      return TRUE;
    case LS_TE_EXTERN:
      g_ptr_array_add (body, extern_stage (self, op));
      return TRUE;
    }
  g_return_val_if_reached (FALSE);
}

/* ---- the function ----------------------------------------------------------- */

static LsNode *
layout_free_indices (Builder *self)
{
  GPtrArray *indices = g_ptr_array_new ();

  for (guint i = 0; i < self->args->n; i++)
    for (guint k = 0; k < self->layout_free->len; k++)
      if (ls_is (self->args->items[i], TE_TENSOR) && ls_is (self->layout_free->pdata[k], TE_TENSOR)
          && ls_te_tensor_same (ls_array_at (self->args, i, LsTeTensor), self->layout_free->pdata[k]))
        {
          g_ptr_array_add (indices, ls_int (i));
          break;
        }
  return LS_NODE (ls_array_take_ptr_array (indices));
}

static LsPrimFunc *
make_function (Builder   *self,
               GPtrArray *stages)
{
  GPtrArray *params = g_ptr_array_new ();
  GPtrArray *buffers = g_ptr_array_new ();
  const char *keys[] = { "global_symbol", "tir.noalias" };
  LsNode *values[] = { LS_NODE (ls_string_new ("main")), LS_NODE (ls_bool (TRUE)) };
  g_autoptr (LsPrimFunc) func = NULL;
  g_autoptr (LsNode) layout_free = layout_free_indices (self);
  g_autoptr (LsArray) allocs = ls_array_take_ptr_array (g_steal_pointer (&self->allocs));

  for (guint i = 0; i < self->args->n; i++)
    {
      LsTeTensor *tensor = ls_array_at (self->args, i, LsTeTensor);
      g_autofree char *name = NULL;
      g_autofree char *var_name = NULL;

      if (!ls_is (tensor, TE_TENSOR))
        {
          g_ptr_array_add (params, ls_ref (tensor));
          g_ptr_array_add (buffers, NULL);
          continue;
        }
      name = ls_te_tensor_dup_name (tensor);
      var_name = g_strconcat ("var_", name, NULL);
      g_ptr_array_add (params, ls_var_new (var_name, LS_HANDLE));
      g_ptr_array_add (buffers, ls_ref (*buffer_slot (self, tensor->op, (guint) tensor->value_index)));
    }
  func = ls_prim_func_new (ls_array_take_ptr_array (params), ls_seq (ls_array_take_ptr_array (stages)), NULL, ls_array_take_ptr_array (buffers),
                           ls_map_new (keys, values, 2));
  ls_take (&func, ls_complete_prim_func (func, allocs, NULL));
  if (((LsArray *) layout_free)->n > 0)
    ls_take (&func, ls_prim_func_with_attr (func, "layout_free_buffers", layout_free));
  return g_steal_pointer (&func);
}

static gboolean
check_args (LsArray *args,
            GError **error)
{
  for (guint i = 0; i < args->n; i++)
    if (!ls_is (args->items[i], TE_TENSOR) && !(args->items[i] != NULL && ls_is_var (args->items[i])))
      {
        g_set_error (error, LS_TE_ERROR, LS_TE_ERROR_PARAMETER, ls_translate ("argument %u of create_prim_func is neither a tensor nor a variable"), i);
        return FALSE;
      }
  return TRUE;
}

/* Sizes that were computed in int32 and left it are below zero. */
static gboolean
check_sizes (LsArray *order,
             GError **error)
{
  for (guint i = 0; i < order->n; i++)
    {
      LsTeOperation *op = ls_array_at (order, i, LsTeOperation);

      for (guint k = 0; k < ls_array_n (op->axis); k++)
        {
          gint64 extent;

          if (!ls_as_int (ls_array_at (op->axis, k, LsIterVar)->dom->extent, &extent) || extent >= 0)
            continue;
          g_set_error (error, LS_TE_ERROR, LS_TE_ERROR_SHAPE, ls_translate ("dimension %u of %s has the size %" PRId64 "; sizes past 2147483647 have to be computed from shapes of int64"),
                       k, op->name, extent);
          return FALSE;
        }
    }
  return TRUE;
}

LsPrimFunc *
ls_te_create_prim_func (LsArray       *args,
                        const LsDType *index_dtype,
                        GError       **error)
{
  g_autoptr (LsArray) order = NULL;
  g_autoptr (GHashTable) buffers = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) layout_free = g_ptr_array_new ();
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr (GPtrArray) stages = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr (LsPrimFunc) func = NULL;
  Builder self = { args, buffers, names, NULL, analyzer, layout_free };

  if (!check_args (args, error))
    return NULL;
  order = ls_te_order (args);
  if (!check_sizes (order, error))
    return NULL;
  self.allocs = g_ptr_array_new ();
  for (guint i = 0; i < order->n; i++)
    bind_extern_inputs (&self, ls_array_at (order, i, LsTeOperation));
  for (guint i = 0; i < order->n; i++)
    if (!add_stage (&self, ls_array_at (order, i, LsTeOperation), stages, error))
      {
        g_ptr_array_set_free_func (self.allocs, (GDestroyNotify) ls_node_unref);
        g_ptr_array_unref (self.allocs);
        return NULL;
      }
  g_ptr_array_set_free_func (stages, NULL);
  func = make_function (&self, g_steal_pointer (&stages));
  if (index_dtype != NULL)
    ls_take (&func, ls_te_with_index_dtype (func, *index_dtype));
  return g_steal_pointer (&func);
}
