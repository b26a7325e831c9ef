/* onnx/import: node by node.  A node that no rule translates, or whose rule does not take what it is given, becomes a call of a packed
 * function and is said, so that the rest is there to be looked at; with `strict` it is an error. */
#include "engine/frontend/onnx/onnx-private.h"

#include "engine/relax/pass/pass.h"

#include <string.h>

/* ---- rules -------------------------------------------------------------------------------- */

typedef struct { LsFxText *text; LsOnnxTranslate translate; } Rule;

static void
add_handlers (GHashTable          *rules,
              const LsOnnxHandler *handlers)
{
  for (; handlers->names != NULL; handlers++)
    {
      g_auto (GStrv) names = g_strsplit (handlers->names, " ", -1);

      for (guint i = 0; names[i] != NULL; i++)
        {
          Rule *rule = g_new0 (Rule, 1);

          rule->translate = handlers->translate;
          g_hash_table_replace (rules, g_strdup (names[i]), rule);
        }
    }
}

/* name -> Rule; made once. */
static GHashTable *
all_rules (void)
{
  static GHashTable *rules;

  if (g_once_init_enter (&rules))
    {
      GHashTable *table = g_hash_table_new (g_str_hash, g_str_equal);

      for (guint i = 0; ls_onnx_rule_texts[i] != NULL; i++)
        {
          g_autoptr (GPtrArray) names = g_ptr_array_new (), texts = g_ptr_array_new ();
          const char *what = NULL;

          if (!ls_fx_text_parse (ls_onnx_rule_texts[i], names, texts, &what))
            g_error ("the rule \"%s\": %s", ls_onnx_rule_texts[i], what);
          for (guint k = 0; k < names->len; k++)
            {
              Rule *rule = g_new0 (Rule, 1);

              rule->text = texts->pdata[k];
              g_hash_table_replace (table, names->pdata[k], rule);
            }
        }
      add_handlers (table, ls_onnx_handlers_basic);
      add_handlers (table, ls_onnx_handlers_shape);
      add_handlers (table, ls_onnx_handlers_nn);
      add_handlers (table, ls_onnx_handlers_resize);
      add_handlers (table, ls_onnx_handlers_rnn);
      add_handlers (table, ls_onnx_handlers_whole);
      add_handlers (table, ls_onnx_handlers_sample);
      add_handlers (table, ls_onnx_handlers_rare);
      add_handlers (table, ls_onnx_handlers_sequence);
      add_handlers (table, ls_onnx_handlers_random);
      add_handlers (table, ls_onnx_handlers_region);
      add_handlers (table, ls_onnx_handlers_math);
      add_handlers (table, ls_onnx_handlers_graphs);
      g_once_init_leave (&rules, table);
    }
  return rules;
}

static int
by_text (gconstpointer a,
         gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

char *
ls_onnx_list (void)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer name;

  g_hash_table_iter_init (&iter, all_rules ());
  while (g_hash_table_iter_next (&iter, &name, NULL))
    g_ptr_array_add (names, name);
  g_ptr_array_sort (names, by_text);
  g_ptr_array_add (names, NULL);
  return g_strjoinv (", ", (char **) names->pdata);
}

/* ---- what a node is given ------------------------------------------------------------------------ */

static LsFxValue *
attribute_value (LsOnnxImport             *self,
                 const LsOnnx__Attribute  *attribute)
{
  LsFxValue **items;
  LsTensor *tensor;
  GError *error = NULL;
  gsize n = MAX (attribute->n_ints, MAX (attribute->n_floats, attribute->n_strings));
  g_autofree char *text = NULL;

  if (attribute->t != NULL)
    {
      tensor = ls_onnx_tensor (self->model, attribute->t, &error);
      if (tensor != NULL)
        return ls_fx_node (&self->fx, ls_constant_new (tensor));
      self->fx.error = self->fx.error == NULL ? g_error_copy (error) : self->fx.error;
      g_error_free (error);
      return NULL;
    }
  if (attribute->has_s)
    {
      text = g_strndup ((const char *) attribute->s.data, attribute->s.len);
      return g_utf8_validate (text, -1, NULL) ? ls_fx_text (&self->fx, LS_FX_TEXT, text) : ls_fx_none (&self->fx);
    }
  /* type says which of the empty lists it is; 7: whole numbers, 6: reals, 8: texts, 2: a whole number, 1: a real one */
  if (n == 0 && attribute->type == 2)
    return ls_fx_int (&self->fx, attribute->i);
  if (n == 0 && attribute->type == 1)
    return ls_fx_real (&self->fx, (double) attribute->f);
  if (n == 0 && attribute->has_i)
    return ls_fx_int (&self->fx, attribute->i);
  if (n == 0 && attribute->has_f)
    return ls_fx_real (&self->fx, (double) attribute->f);
  if (attribute->has_g || attribute->n_graphs > 0)
    return ls_fx_none (&self->fx);
  items = ls_fx_alloc (&self->fx, n * sizeof *items);
  for (gsize i = 0; i < n; i++)
    {
      g_autofree char *word = attribute->n_strings == n ? g_strndup ((const char *) attribute->strings[i].data, attribute->strings[i].len) : NULL;

      items[i] = attribute->n_ints == n ? ls_fx_int (&self->fx, attribute->ints[i]) : attribute->n_floats == n ? ls_fx_real (&self->fx, (double) attribute->floats[i])
                 : ls_fx_text (&self->fx, LS_FX_TEXT, g_utf8_validate (word, -1, NULL) ? word : "");
    }
  return ls_fx_list (&self->fx, items, (guint) n);
}

/* Attributes first: what is known needs no inputs as expressions. */
static gboolean
read_attributes (LsOnnxImport *self)
{
  const LsOnnx__Node *node = self->node;
  LsFxImport *fx = &self->fx;

  fx->n_args = fx->n_kwargs = 0;
  fx->kwargs = ls_fx_alloc (fx, node->n_attribute * sizeof *fx->kwargs);
  fx->names = ls_fx_alloc (fx, node->n_attribute * sizeof *fx->names);
  for (gsize i = 0; i < node->n_attribute; i++)
    {
      LsFxValue *value = node->attribute[i]->name != NULL ? attribute_value (self, node->attribute[i]) : NULL;

      if (fx->error != NULL)
        return FALSE;
      if (value == NULL || value->kind == LS_FX_NONE)
        continue;
      fx->names[fx->n_kwargs] = node->attribute[i]->name;
      fx->kwargs[fx->n_kwargs++] = value;
    }
  return TRUE;
}

static gboolean
read_inputs (LsOnnxImport *self)
{
  LsFxImport *fx = &self->fx;

  fx->args = ls_fx_alloc (fx, self->node->n_input * sizeof *fx->args);
  fx->n_args = (guint) self->node->n_input;
  for (guint i = 0; i < fx->n_args; i++)
    {
      LsFxValue *value = ls_onnx_input (self, i);

      if (fx->error != NULL)
        return FALSE;
      fx->args[i] = value != NULL ? value : ls_fx_none (fx);
    }
  return TRUE;
}

/* ---- types that the file states ------------------------------------------------------------------- */

static LsExpr *
extent_called (LsOnnxImport *self,
               const char   *name)
{
  LsVar *var = g_hash_table_lookup (self->extents, name);
  g_autofree char *plain = g_strdup (name);

  if (var != NULL)
    return ls_ref ((LsExpr *) var);
  g_strcanon (plain, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "_", '_');
  if (plain[0] == '\0' || g_ascii_isdigit (plain[0]))
    {
      char *fuller = g_strconcat ("n", plain, NULL);

      g_free (plain);
      plain = fuller;
    }
  var = ls_fx_keep (&self->fx, ls_var_new (plain, LS_INT64));
  g_hash_table_insert (self->extents, g_strdup (name), var);
  return ls_ref ((LsExpr *) var);
}

/* (transfer full) */
static LsStructInfo *
stated_info (LsOnnxImport             *self,
             const LsOnnx__ValueInfo  *info,
             gboolean                  fresh)   /* extents without a name become variables */
{
  const LsOnnx__TensorType *type = info != NULL && info->type != NULL ? info->type->tensor_type : NULL;
  LsArray *given = fresh && self->options->shapes != NULL ? g_hash_table_lookup (self->options->shapes, info->name) : NULL;
  const char *dtype_name = fresh && self->options->dtypes != NULL ? g_hash_table_lookup (self->options->dtypes, info->name) : NULL;
  GPtrArray *extents;
  LsDType dtype = LS_VOID;

  if (type == NULL || !ls_onnx_dtype (type->elem_type, &dtype))
    dtype = LS_VOID;
  if (dtype_name != NULL && !ls_dtype_parse (dtype_name, &dtype))
    return ls_fx_fail (&self->fx, LS_FX_ERROR_UNSUPPORTED, "%s is no type of an input", dtype_name);
  if (given != NULL)
    return ls_tensor_struct_info_new (ls_shape_expr_new (ls_ref (given)), LS_UNKNOWN_NDIM, dtype, NULL);
  if (type == NULL || type->shape == NULL)
    return ls_tensor_struct_info_new (NULL, LS_UNKNOWN_NDIM, dtype, NULL);
  extents = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  for (gsize i = 0; i < type->shape->n_dim; i++)
    {
      const LsOnnx__Dimension *dim = type->shape->dim[i];
      g_autofree char *name = g_strdup_printf ("%s_%" G_GSIZE_FORMAT, info->name != NULL ? info->name : "n", i);

      if (dim->has_dim_value && dim->dim_value >= 0)
        g_ptr_array_add (extents, ls_int_imm_new (LS_INT64, dim->dim_value));
      else if (dim->dim_param != NULL && dim->dim_param[0] != '\0' && (fresh || g_hash_table_contains (self->extents, dim->dim_param)))
        g_ptr_array_add (extents, extent_called (self, dim->dim_param));
      else if (fresh)
        g_ptr_array_add (extents, extent_called (self, name));
      else
        break;
    }
  if (extents->len < type->shape->n_dim)
    {
      g_ptr_array_unref (extents);
      return ls_tensor_struct_info_new (NULL, (gint64) type->shape->n_dim, dtype, NULL);
    }
  g_ptr_array_set_free_func (extents, NULL);
  return ls_tensor_struct_info_new (ls_shape_expr_new (ls_array_take_ptr_array (extents)), LS_UNKNOWN_NDIM, dtype, NULL);
}

/* ---- a node ------------------------------------------------------------------------------------------ */

/* NULL: not translated, with the reason in fx.error. */
static LsFxValue *
translate (LsOnnxImport *self)
{
  const char *op = self->node->op_type != NULL ? self->node->op_type : "";
  Rule *rule = ls_onnx_is_main (self->node) ? g_hash_table_lookup (all_rules (), op) : NULL;
  const GError *error;
  LsFxValue *value = NULL;

  if (rule == NULL)
    return ls_fx_fail (&self->fx, LS_FX_ERROR_UNSUPPORTED, "no rule translates it");
  if (read_inputs (self))
    value = rule->text != NULL ? ls_fx_text_apply (&self->fx, rule->text) : rule->translate (self);
  error = ls_block_builder_get_error (self->fx.builder);
  if (error != NULL)
    {
      g_clear_error (&self->fx.error);
      self->fx.error = g_error_copy (error);
      ls_block_builder_clear_error (self->fx.builder);
    }
  if (self->fx.error != NULL)
    return NULL;
  return value != NULL ? value : ls_fx_fail (&self->fx, LS_FX_ERROR_UNSUPPORTED, "its arguments are not supported");
}

/* What stands in the node's place when it was not translated. */
static LsFxValue *
opaque (LsOnnxImport *self)
{
  const LsOnnx__Node *node = self->node;
  g_autofree char *name = g_strdup_printf ("onnx.%s%s%s", ls_onnx_is_main (node) ? "" : node->domain, ls_onnx_is_main (node) ? "" : ".", node->op_type != NULL ? node->op_type : "");
  GPtrArray *args = g_ptr_array_new (), *infos = g_ptr_array_new ();
  LsFxValue *call, **items;
  LsStructInfo *info;
  guint n = (guint) node->n_output;

  g_ptr_array_add (args, ls_extern_func_new (name));
  for (guint i = 0; i < node->n_input; i++)
    {
      LsFxValue *value = node->input[i][0] != '\0' ? ls_onnx_value (self, node->input[i]) : NULL;

      if (value != NULL)
        g_ptr_array_add (args, ls_node_ref (value->node));
    }
  g_clear_error (&self->fx.error);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (infos, stated_info (self, g_hash_table_lookup (self->stated, node->output[i]), FALSE));
  info = n == 1 ? g_ptr_array_remove_index (infos, 0) : ls_tuple_struct_info_new (ls_array_take_ptr_array (g_steal_pointer (&infos)));
  g_clear_pointer (&infos, g_ptr_array_unref);
  call = ls_fx_emit (&self->fx, ls_relax_call_new (ls_relax_op_new ("relax.call_pure_packed"), ls_array_take_ptr_array (args), NULL, NULL, ls_array_new ((gpointer *) &info, 1)));
  if (n == 1 || call == NULL)
    return call;
  items = ls_fx_alloc (&self->fx, n * sizeof *items);
  for (guint i = 0; i < n; i++)
    items[i] = ls_onnx_field (self, call, i);
  return ls_fx_list (&self->fx, items, n);
}

static void
put_outputs (LsOnnxImport *self,
             LsFxValue    *value)
{
  for (guint i = 0; i < self->node->n_output; i++)
    {
      LsFxValue *one = value->kind == LS_FX_LIST ? (i < value->n ? value->items[i] : NULL) : i == 0 ? value : NULL;

      if (one != NULL && self->node->output[i][0] != '\0')
        g_hash_table_insert (self->values, self->node->output[i], one);
    }
}

static void
import_node (LsOnnxImport *self)
{
  LsFxValue *value = NULL;
  g_autofree char *node = NULL;

  if (self->node->n_output == 0)        /* nothing can use it */
    return;
  if (read_attributes (self) && ls_onnx_is_main (self->node) && self->node->op_type != NULL && (value = ls_onnx_known (self)) != NULL
      && self->fx.error == NULL)
    {
      g_hash_table_insert (self->known, self->node->output[0], value);
      return;
    }
  if (self->fx.error == NULL && (value = translate (self)) != NULL)
    {
      put_outputs (self, value);
      return;
    }
  node = ls_onnx_describe_node (self);
  if (self->said != NULL)
    g_ptr_array_add (self->said, g_strdup_printf ("%s: %s: %s", self->model->path, node, self->fx.error->message));
  g_clear_error (&self->fx.error);
  value = opaque (self);
  if (value != NULL)
    put_outputs (self, value);
  if (ls_block_builder_get_error (self->fx.builder) != NULL && self->fx.error == NULL)
    self->fx.error = g_error_copy (ls_block_builder_get_error (self->fx.builder));
  if (self->fx.error != NULL)
    g_prefix_error (&self->fx.error, "%s: %s: ", self->model->path, node);
}

/* ---- the function ----------------------------------------------------------------------------------------- */

/* As an identifier of Python. (transfer full) */
static char *
parameter_name (LsOnnxImport *self,
                const char   *name)
{
  g_autofree char *plain = g_strdup (name);

  if (self->options->keep_names && g_ascii_isalpha (name[0]) && strspn (name, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "_") == strlen (name))
    return g_steal_pointer (&plain);
  g_strcanon (plain, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "_", '_');
  return g_ascii_isdigit (plain[0]) || plain[0] == '\0' ? g_strconcat ("input_", plain, NULL) : g_steal_pointer (&plain);
}

/* "layers.0.attention.q_proj" of "/layers/layers.0/attention/q_proj/MatMul": where exporters say the node stands. NULL: it says nothing.
 * (transfer full) */
static char *
place_of_node (const LsOnnx__Node *node)
{
  g_auto (GStrv) parts = g_strsplit (node->name != NULL ? node->name : "", "/", -1);
  g_autoptr (GPtrArray) kept = g_ptr_array_new ();
  guint n = g_strv_length (parts);

  for (guint i = 0; i + 1 < n; i++)
    {
      const char *last = kept->len > 0 ? kept->pdata[kept->len - 1] : NULL;

      if (parts[i][0] == '\0')
        continue;
      if (last != NULL && g_str_has_prefix (parts[i], last) && parts[i][strlen (last)] == '.')
        kept->pdata[kept->len - 1] = parts[i];
      else
        g_ptr_array_add (kept, parts[i]);
    }
  g_ptr_array_add (kept, NULL);
  return kept->len > 1 ? g_strjoinv (".", (char **) kept->pdata) : NULL;
}

/* What torch calls "onnx::MatMul_123" is the weight of the module that uses it. (transfer full) */
static char *
weight_name (LsOnnxImport         *self,
             const LsOnnx__Tensor *tensor)
{
  const LsOnnx__Graph *graph = self->model->proto->graph;
  const char *name = tensor->name;

  for (gsize i = 0; g_str_has_prefix (name, "onnx::") && i < graph->n_node; i++)
    for (gsize k = 0; k < graph->node[i]->n_input; k++)
      if (strcmp (graph->node[i]->input[k], name) == 0)
        {
          g_autofree char *place = place_of_node (graph->node[i]);
          g_autofree char *full = g_strconcat (place != NULL ? place : "", tensor->n_dims == 1 ? ".bias" : ".weight", NULL);

          return parameter_name (self, place != NULL ? full : name);
        }
  return parameter_name (self, name);
}

static LsArray *
make_params (LsOnnxImport *self,
             GPtrArray    *weights,
             guint        *n_inputs)
{
  const LsOnnx__Graph *graph = self->model->proto->graph;
  GPtrArray *params = g_ptr_array_new ();

  for (gsize i = 0; i < graph->n_initializer && self->fx.error == NULL; i++)
    if (graph->initializer[i]->name != NULL)
      g_hash_table_insert (self->tensors, graph->initializer[i]->name, graph->initializer[i]);
  for (gsize i = 0; i < graph->n_input && self->fx.error == NULL; i++)
    {
      const LsOnnx__ValueInfo *info = graph->input[i];
      g_autofree char *name = NULL;
      LsStructInfo *type;
      LsRelaxVar *var;

      if (info->name == NULL || g_hash_table_contains (self->tensors, info->name))
        continue;
      type = stated_info (self, info, TRUE);
      if (type == NULL)
        continue;
      name = parameter_name (self, info->name);
      var = ls_relax_var_new (name, type);
      g_ptr_array_add (params, var);
      g_hash_table_insert (self->values, info->name, ls_fx_node (&self->fx, ls_ref (var)));
    }
  *n_inputs = params->len;
  for (gsize i = 0; i < graph->n_initializer && self->fx.error == NULL; i++)
    {
      const LsOnnx__Tensor *proto = graph->initializer[i];
      LsTensor *tensor = proto->name != NULL ? ls_onnx_tensor (self->model, proto, &self->fx.error) : NULL;
      LsFxValue *constant, *known;

      if (tensor == NULL)
        continue;
      known = ls_onnx_known_tensor (self, tensor);
      constant = ls_fx_node (&self->fx, ls_constant_new (ls_ref (tensor)));
      if (known != NULL)
        g_hash_table_insert (self->known, proto->name, known);
      else if (self->options->keep_params)
        {
          g_autofree char *name = weight_name (self, proto);
          LsRelaxVar *var = ls_relax_var_new (name, ls_node_ref (((LsConstant *) constant->node)->struct_info));

          g_ptr_array_add (params, var);
          constant = ls_fx_node (&self->fx, ls_ref (var));
          if (weights != NULL)
            g_ptr_array_add (weights, ls_ref (tensor));
        }
      g_hash_table_insert (self->values, proto->name, constant);
      ls_unref (tensor);
    }
  if (self->fx.error != NULL)
    g_prefix_error (&self->fx.error, "%s: ", self->model->path);
  return ls_array_take_ptr_array (params);
}

static LsNode *
make_result (LsOnnxImport *self)
{
  const LsOnnx__Graph *graph = self->model->proto->graph;
  GPtrArray *fields = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  LsNode *one;

  for (gsize i = 0; i < graph->n_output && self->fx.error == NULL; i++)
    {
      LsFxValue *value = graph->output[i]->name != NULL ? ls_onnx_value (self, graph->output[i]->name) : NULL;

      if (value != NULL)
        g_ptr_array_add (fields, ls_node_ref (value->node));
    }
  if (self->fx.error == NULL && fields->len == 0)
    ls_fx_fail (&self->fx, LS_FX_ERROR_GRAPH, "the graph gives nothing");
  if (self->fx.error != NULL)
    {
      g_prefix_error (&self->fx.error, ls_translate ("%s: the result: "), self->model->path);
      g_ptr_array_unref (fields);
      return NULL;
    }
  g_ptr_array_set_free_func (fields, NULL);
  one = fields->len == 1 ? fields->pdata[0] : NULL;
  if (one != NULL)
    g_ptr_array_unref (fields);
  one = ls_fx_keep (&self->fx, one != NULL ? one : ls_relax_tuple_new (ls_array_take_ptr_array (fields)));
  if (!ls_block_builder_in_dataflow (self->fx.builder))
    return LS_NODE (ls_block_builder_emit (self->fx.builder, one, NULL));
  return LS_NODE (ls_block_builder_emit_output (self->fx.builder, one, NULL));
}

/* A dataflow block has no branches: where there may be some, what lies between them becomes dataflow in the end. */
static gboolean
may_branch (const LsOnnx__Graph *graph)
{
  static const char *const NAMES[] = { "If", "Loop", "Scan", NULL };

  for (gsize i = 0; i < graph->n_node; i++)
    if (graph->node[i]->op_type != NULL && g_strv_contains (NAMES, graph->node[i]->op_type))
      return TRUE;
  return FALSE;
}

static LsModule *
run (LsOnnxImport *self,
     GPtrArray    *weights)
{
  const LsOnnx__Graph *graph = self->model->proto->graph;
  guint n_inputs = 0;
  g_autoptr (LsArray) params = make_params (self, weights, &n_inputs);
  g_autoptr (LsMap) attrs = NULL;
  g_autoptr (LsModule) module = NULL;
  gboolean branches = may_branch (graph);
  LsNode *result;

  if (self->fx.error != NULL)
    return NULL;
  if (self->options->keep_params)
    {
      const char *key = "num_input";
      LsNode *number = LS_NODE (ls_int_imm_new (LS_INT32, n_inputs));

      attrs = ls_map_new (&key, (gpointer *) &number, 1);
    }
  for (gsize i = 0; i < graph->n_value_info; i++)
    if (graph->value_info[i]->name != NULL)
      g_hash_table_insert (self->stated, graph->value_info[i]->name, graph->value_info[i]);
  for (gsize i = 0; i < graph->n_output; i++)
    if (graph->output[i]->name != NULL)
      g_hash_table_insert (self->stated, graph->output[i]->name, graph->output[i]);
  ls_block_builder_begin_function (self->fx.builder, "main", params, attrs, TRUE, FALSE);
  if (!branches)
    ls_block_builder_begin_dataflow (self->fx.builder);
  for (gsize i = 0; i < graph->n_node && self->fx.error == NULL; i++)
    {
      self->node = graph->node[i];
      self->place = (guint) i + 1;
      import_node (self);
    }
  if (self->fx.error != NULL || (result = make_result (self)) == NULL)
    return NULL;
  if (!branches)
    ls_block_builder_end_dataflow (self->fx.builder);
  ls_block_builder_emit_func_output (self->fx.builder, result, NULL);
  if (ls_block_builder_get_error (self->fx.builder) != NULL)
    {
      self->fx.error = g_error_copy (ls_block_builder_get_error (self->fx.builder));
      return NULL;
    }
  module = ls_block_builder_get (self->fx.builder);
  return branches ? ls_relax_pass_convert_to_dataflow (module, NULL, &self->fx.error) : g_steal_pointer (&module);
}

LsModule *
ls_onnx_import (LsOnnxModel         *model,
                const LsOnnxOptions *options,
                GPtrArray           *said,
                GPtrArray           *weights,
                GError             **error)
{
  static const LsOnnxOptions DEFAULTS;
  static const LsFxOptions FX_DEFAULTS;
  g_autoptr (LsBlockBuilder) builder = ls_block_builder_new (NULL);
  g_autoptr (GHashTable) values = g_hash_table_new (g_str_hash, g_str_equal), known = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) tensors = g_hash_table_new (g_str_hash, g_str_equal), stated = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) extents = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) specs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_array_unref);
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr (GPtrArray) arena = g_ptr_array_new_with_free_func (g_free), own = g_ptr_array_new_with_free_func (g_free);
  LsOnnxImport self = { .model = model, .options = options != NULL ? options : &DEFAULTS, .values = values, .known = known, .tensors = tensors,
                        .stated = stated, .extents = extents, .import_node = import_node, .said = said != NULL ? said : own,
                        .fx = { .options = &FX_DEFAULTS, .builder = builder, .specs = specs, .kept = kept, .arena = arena } };
  g_autoptr (LsModule) module = NULL;

  self.opset = self.options->opset > 0 ? self.options->opset : model->opset;
  module = run (&self, weights);
  g_clear_pointer (&self.fx.made, g_hash_table_unref);
  g_clear_pointer (&self.graphs, g_hash_table_unref);
  if (self.fx.error != NULL)
    {
      g_propagate_error (error, self.fx.error);
      return NULL;
    }
  if (self.options->strict && self.said->len > 0)
    {
      g_ptr_array_add (self.said, NULL);
      g_autofree char *all = g_strjoinv ("\n", (char **) self.said->pdata);

      g_ptr_array_set_size (self.said, (gint) self.said->len - 1);
      g_set_error_literal (error, LS_FX_ERROR, LS_FX_ERROR_UNSUPPORTED, all);
      return NULL;
    }
  return g_steal_pointer (&module);
}
