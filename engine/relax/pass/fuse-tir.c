/* FuseTIR: functions with Primitive = 1, whose bodies only call PrimFuncs, become one PrimFunc each.
 *
 * The bodies of the PrimFuncs stand one behind the other in one root block, with variables and buffers of their own; results that
 * stay inside are allocated there (NAME_intermediate), the others are the parameters behind the inputs.  Results written in place
 * are the buffers of their arguments; where such a buffer is a parameter, the call becomes call_tir_inplace, else call_tir.
 * Before, tuples are passed field by field, and what a function does not read is not passed; after it, functions that nothing calls any more are dropped.
 */
#include "engine/ir/functions.h"
#include "engine/relax/analysis.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"

#include <string.h>

/* ---- a PrimFunc put into another --------------------------------------------------------- */

typedef struct {
  LsModule    *module;
  GHashTable  *values;          /* LsRelaxVar -> GPtrArray of LsBuffer (borrowed) */
  GPtrArray   *kept;            /* of LsBuffer, the references */
  GPtrArray   *allocs;          /* of LsBuffer: inside */
  GPtrArray   *outputs;         /* of LsRelaxVar or NULL: what is returned, in order */
  GPtrArray   *out_buffers;     /* of LsBuffer, same order, or NULL until it is written */
  GPtrArray   *body;            /* of LsStmt */
  GHashTable  *names;           /* of blocks */
  GArray      *in_place;        /* of gint64: for each result the input that it lies in, or -1 */
  GError      *error;
} Fused;

typedef struct {
  GHashTable *map;              /* Var or Buffer of the PrimFunc -> ours (kept) */
  Fused      *fused;
} Inlining;

static char *
unique_name (GHashTable *names,
             const char *name)
{
  char *unique = g_strdup (name);

  for (guint i = 1; g_hash_table_contains (names, unique); i++)
    {
      g_free (unique);
      unique = g_strdup_printf ("%s_%u", name, i);
    }
  g_hash_table_add (names, g_strdup (unique));
  return unique;
}

/* Another suffix for each buffer inside that has the name already, in their order, as TVM does it. (transfer full) */
static char *
buffer_name (Fused      *self,
             const char *theirs)
{
  char *name = g_strdup_printf ("%s_intermediate", theirs);
  guint n = 0;

  for (guint i = 0; i < self->allocs->len; i++)
    if (strcmp (((LsBuffer *) self->allocs->pdata[i])->name, name) == 0)
      {
        char *longer = g_strdup_printf ("%s_%u", name, ++n);

        g_free (name);
        name = longer;
      }
  return name;
}

/* Each buffer once, as TVM says it: where two became one buffer, the first region of it stands for both. */
static LsArray *
without_repetitions (LsArray *regions)
{
  GPtrArray *out = g_ptr_array_new ();

  for (guint i = 0; i < regions->n; i++)
    {
      gboolean known = FALSE;

      for (guint j = 0; j < out->len && !known; j++)
        known = ((LsBufferRegion *) out->pdata[j])->buffer == ((LsBufferRegion *) regions->items[i])->buffer;
      if (!known)
        g_ptr_array_add (out, ls_node_ref (regions->items[i]));
    }
  return ls_array_take_ptr_array (out);
}

static LsArray *
rewrite_all (LsRewriter *rewriter,
             LsArray    *array)
{
  GPtrArray *items = g_ptr_array_new ();

  for (guint i = 0; i < array->n; i++)
    g_ptr_array_add (items, ls_rewrite (rewriter, array->items[i]));
  return ls_array_take_ptr_array (items);
}

static LsNode *
own_buffer (LsRewriter *rewriter,
            Inlining   *self,
            LsBuffer   *buffer)
{
  LsNode *known = g_hash_table_lookup (self->map, buffer);

  if (known == NULL)
    {
      LsNode *data = g_hash_table_lookup (self->map, buffer->data);

      known = LS_NODE (ls_buffer_new_full (data != NULL ? (LsVar *) ls_node_ref (data) : ls_var_copy (buffer->data, NULL), buffer->dtype,
                                           rewrite_all (rewriter, buffer->shape), rewrite_all (rewriter, buffer->strides),
                                           (LsExpr *) ls_rewrite (rewriter, buffer->elem_offset), buffer->name, buffer->data_alignment,
                                           buffer->offset_factor, buffer->buffer_type, ls_ref (buffer->axis_separators)));
      g_hash_table_insert (self->map, ls_node_ref (LS_NODE (buffer)), known);
      if (data == NULL)
        g_hash_table_insert (self->map, ls_node_ref (LS_NODE (buffer->data)), ls_node_ref (LS_NODE (((LsBuffer *) known)->data)));
    }
  return ls_node_ref (known);
}

static LsNode *
own (LsRewriter *rewriter,
     LsNode     *node,
     gpointer    user_data)
{
  Inlining *self = user_data;
  LsNode *known;

  if (ls_is_var (node))
    {
      known = g_hash_table_lookup (self->map, node);
      if (known == NULL)
        {
          known = LS_NODE (ls_var_copy ((LsVar *) node, NULL));
          g_hash_table_insert (self->map, ls_node_ref (node), known);
        }
      return ls_node_ref (known);
    }
  if (ls_is (node, BUFFER))
    return own_buffer (rewriter, self, (LsBuffer *) node);
  if (ls_is (node, BLOCK))
    {
      g_autoptr (LsNode) fresh = ls_rewrite_default (rewriter, node);
      LsBlock *block = (LsBlock *) fresh;
      g_autofree char *name = unique_name (self->fused->names, block->name_hint);

      return LS_NODE (ls_block_new (ls_ref (block->iter_vars), without_repetitions (block->reads), without_repetitions (block->writes), name, ls_ref (block->body), ls_ref (block->init),
                                    ls_ref (block->alloc_buffers), ls_ref (block->match_buffers), ls_ref (block->annotations)));
    }
  return ls_rewrite_default (rewriter, node);
}

static void
bind (Inlining *self,
      gpointer  from,
      gpointer  to)
{
  g_hash_table_insert (self->map, ls_node_ref (LS_NODE (from)), ls_node_ref (LS_NODE (to)));
}

/* The parameter's buffer is ours; plain symbols of its shape are what ours has there. */
static void
bind_buffer (Inlining *self,
             LsBuffer *param,
             LsBuffer *ours)
{
  bind (self, param, ours);
  bind (self, param->data, ours->data);
  for (guint i = 0; i < param->shape->n && i < ours->shape->n; i++)
    if (ls_is_var (param->shape->items[i]) && g_hash_table_lookup (self->map, param->shape->items[i]) == NULL)
      bind (self, param->shape->items[i], ours->shape->items[i]);
}

static gboolean
refuse (Fused      *self,
        const char *format,
        const char *name)
{
  if (self->error == NULL)
    self->error = g_error_new (LS_RELAX_PASS_ERROR, LS_RELAX_PASS_ERROR_PROGRAM, ls_translate (format), name);
  return FALSE;
}

/* ---- values of the function ---------------------------------------------------------------- */

static GPtrArray *
buffers_of (Fused  *self,
            LsNode *expr)
{
  GPtrArray *out = g_ptr_array_new (), *known;

  if (ls_is (expr, RELAX_TUPLE))
    for (guint i = 0; i < ((LsRelaxTuple *) expr)->fields->n; i++)
      {
        g_autoptr (GPtrArray) part = buffers_of (self, ((LsRelaxTuple *) expr)->fields->items[i]);

        for (guint j = 0; j < part->len; j++)
          g_ptr_array_add (out, part->pdata[j]);
      }
  else if (ls_is (expr, TUPLE_GET_ITEM))
    {
      g_autoptr (GPtrArray) whole = buffers_of (self, ((LsTupleGetItem *) expr)->tuple);

      if (((LsTupleGetItem *) expr)->index < whole->len)
        g_ptr_array_add (out, whole->pdata[((LsTupleGetItem *) expr)->index]);
    }
  else if (ls_is_relax_var (expr) && (known = g_hash_table_lookup (self->values, expr)) != NULL)
    for (guint i = 0; i < known->len; i++)
      g_ptr_array_add (out, known->pdata[i]);
  return out;
}

/* A buffer for a tensor.  `like`: the PrimFunc's buffer whose axis separators it has, or NULL. */
static LsBuffer *
make_buffer (Fused        *self,
             LsStructInfo *info,
             const char   *name,
             LsBuffer     *like)
{
  LsTensorStructInfo *tensor = (LsTensorStructInfo *) info;
  LsBuffer *buffer;

  if (!ls_is (info, TENSOR_STRUCT_INFO) || !ls_is (tensor->shape, SHAPE_EXPR))
    {
      refuse (self, LS_TEXT ("%s has no shape of its own; FuseTIR needs one."), name);
      return NULL;
    }
  buffer = ls_buffer_new (name, tensor->dtype, ls_ref (((LsShapeExpr *) tensor->shape)->values), "global");
  if (like != NULL && like->axis_separators->n > 0)
    {
      LsBuffer *plain = buffer;

      buffer = ls_buffer_new_full (ls_ref (plain->data), plain->dtype, ls_ref (plain->shape), ls_ref (plain->strides), ls_ref (plain->elem_offset),
                                   plain->name, plain->data_alignment, plain->offset_factor, plain->buffer_type, ls_ref (like->axis_separators));
      ls_unref (plain);
    }
  g_ptr_array_add (self->kept, buffer);
  return buffer;
}

static gboolean
is_output (Fused      *self,
           LsRelaxVar *var,
           guint      *at)
{
  return g_ptr_array_find (self->outputs, var, at);
}

/* The buffer becomes a result of the function: it is not allocated inside any more. */
static void
set_output (Fused    *self,
            guint     at,
            LsBuffer *buffer)
{
  self->out_buffers->pdata[at] = buffer;
  if (g_ptr_array_remove (self->allocs, buffer))
    ls_unref (buffer);
}

/* Buffers for what a call writes: those of arguments, results of the function, or allocated inside.  `inputs` grows by those
 * that the PrimFunc has parameters for. */
static GPtrArray *
make_results (Fused       *self,
              LsRelaxVar  *var,
              LsRelaxCall *call,
              LsPrimFunc  *func,
              GPtrArray   *inputs)
{
  LsNode *said = call->sinfo_args->items[0];
  LsArray *fields = ls_is (said, TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) said)->fields : NULL;
  GPtrArray *results = g_ptr_array_new ();
  guint n_given = inputs->len;

  for (guint i = 0; i < (fields != NULL ? fields->n : 1) && self->error == NULL; i++)
    {
      gint64 reused = ls_relax_call_inplace_index (call, i);
      LsBuffer *theirs = inputs->len < func->buffers->n ? ls_prim_func_get_buffer (func, inputs->len) : NULL;
      g_autofree char *name = buffer_name (self, theirs != NULL ? theirs->name : "result");
      LsBuffer *ours = reused >= 0 && reused < n_given ? inputs->pdata[reused] : make_buffer (self, fields != NULL ? fields->items[i] : said, name, theirs);
      guint at;

      if (ours == NULL)
        break;
      g_ptr_array_add (results, ours);
      if (reused < 0)
        {
          g_ptr_array_add (inputs, ours);
          g_ptr_array_add (self->allocs, ls_ref (ours));
        }
      if (is_output (self, var, &at))
        set_output (self, at + i, ours);
    }
  return results;
}

static gboolean
inline_func (Fused       *self,
             LsRelaxCall *call,
             LsPrimFunc  *func,
             GPtrArray   *buffers,
             guint        n_before)     /* of the buffers inside, those of other calls */
{
  g_autoptr (GHashTable) map = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, (GDestroyNotify) ls_node_unref);
  Inlining inlining = { map, self };
  LsRewriter rewriter = { .filter = own, .user_data = &inlining };
  LsBlockRealize *root = ls_prim_func_root (func);
  LsArray *symbols = call->args->n > 2 && ls_is (call->args->items[2], SHAPE_EXPR) ? ((LsShapeExpr *) call->args->items[2])->values : NULL;

  if (root == NULL || func->params->n != buffers->len + (symbols != NULL ? symbols->n : 0))
    return refuse (self, LS_TEXT ("%s cannot be put into another function: it has no root block, or other parameters."),
                   ((LsGlobalVar *) call->args->items[0])->name_hint);
  for (guint i = 0; symbols != NULL && i < symbols->n; i++)
    bind (&inlining, func->params->items[buffers->len + i], symbols->items[i]);
  for (guint i = 0; i < buffers->len; i++)
    {
      LsBuffer *param = ls_prim_func_get_buffer (func, i);

      if (param == NULL)
        return refuse (self, LS_TEXT ("%s takes a number where a tensor is passed."), ((LsGlobalVar *) call->args->items[0])->name_hint);
      if (!ls_deep_equal (LS_NODE (param->axis_separators), LS_NODE (((LsBuffer *) buffers->pdata[i])->axis_separators)))
        return refuse (self, LS_TEXT ("%s takes a tensor with other axis separators than it has elsewhere in the fused function."),
                       ((LsGlobalVar *) call->args->items[0])->name_hint);
      bind_buffer (&inlining, param, buffers->pdata[i]);
    }
  for (guint i = 0; i < root->block->alloc_buffers->n; i++)
    g_ptr_array_insert (self->allocs, (gint) (n_before + i), ls_rewrite (&rewriter, root->block->alloc_buffers->items[i]));
  g_ptr_array_add (self->body, ls_rewrite (&rewriter, root->block->body));
  return TRUE;
}

static void
take_call (Fused       *self,
           LsRelaxVar  *var,
           LsRelaxCall *call)
{
  LsNode *callee = ls_is_relax_call_tir (call) ? call->args->items[0] : NULL;
  LsNode *func = ls_is (callee, GLOBAL_VAR) ? ls_module_get (self->module, ((LsGlobalVar *) callee)->name_hint) : NULL;
  g_autoptr (GPtrArray) buffers = NULL;
  GPtrArray *results;
  guint n_before = self->allocs->len;

  if (!ls_is (func, PRIM_FUNC) || call->sinfo_args->n != 1)
    {
      refuse (self, LS_TEXT ("%s is bound to something else than call_tir of a PrimFunc; it cannot be fused."), var->name);
      return;
    }
  buffers = buffers_of (self, call->args->items[1]);
  results = make_results (self, var, call, (LsPrimFunc *) func, buffers);
  g_hash_table_insert (self->values, var, results);
  if (self->error == NULL)
    inline_func (self, call, (LsPrimFunc *) func, buffers, MIN (n_before, self->allocs->len));
}

static void
take_binding (Fused  *self,
              LsNode *binding)
{
  LsRelaxVar *var = ls_binding_var (binding);
  LsNode *value = ls_binding_value (binding);

  if (var == NULL || self->error != NULL)
    return;
  if (ls_is (value, RELAX_CALL))
    take_call (self, var, (LsRelaxCall *) value);
  else
    {
      GPtrArray *known = buffers_of (self, value);
      guint at;

      g_hash_table_insert (self->values, var, known);
      /* a field of what a call makes is a result like another */
      for (guint i = 0; is_output (self, var, &at) && i < known->len; i++)
        if (g_ptr_array_find (self->allocs, known->pdata[i], NULL))
          set_output (self, at + i, known->pdata[i]);
    }
}

/* ---- one function ------------------------------------------------------------------------------ */

typedef struct {
  GPtrArray *params;            /* of LsVar */
  GPtrArray *buffers;           /* of LsBuffer or NULL */
} Signature;

static void
add_buffer_param (Signature  *self,
                  LsBuffer   *buffer,
                  const char *name)
{
  g_ptr_array_add (self->params, ls_var_new (name, LS_HANDLE));
  g_ptr_array_add (self->buffers, ls_ref (buffer));
}

/* The buffer of the PrimFunc that the parameter is passed to first. (transfer none) (nullable) */
static LsBuffer *
first_use (Fused      *self,
           LsFunction *func,
           LsRelaxVar *param)
{
  LsArray *blocks = ((LsSeqExpr *) func->body)->blocks;

  for (guint i = 0; i < blocks->n; i++)
    for (guint j = 0; j < ls_array_at (blocks, i, LsBindingBlock)->bindings->n; j++)
      {
        LsRelaxCall *call = (LsRelaxCall *) ls_binding_value (ls_array_at (blocks, i, LsBindingBlock)->bindings->items[j]);
        LsNode *callee = ls_is (call, RELAX_CALL) && ls_is_relax_call_tir (call) ? call->args->items[0] : NULL;
        LsNode *called = ls_is (callee, GLOBAL_VAR) ? ls_module_get (self->module, ((LsGlobalVar *) callee)->name_hint) : NULL;
        LsArray *args = ls_is (called, PRIM_FUNC) && ls_is (call->args->items[1], RELAX_TUPLE) ? ((LsRelaxTuple *) call->args->items[1])->fields : NULL;

        for (guint k = 0; args != NULL && k < args->n && k < ((LsPrimFunc *) called)->buffers->n; k++)
          if (args->items[k] == LS_NODE (param))
            return ls_prim_func_get_buffer ((LsPrimFunc *) called, k);
      }
  return NULL;
}

static void
add_inputs (Fused      *self,
            Signature  *signature,
            LsFunction *func)
{
  for (guint i = 0; i < func->params->n; i++)
    {
      LsRelaxVar *param = ls_array_at (func->params, i, LsRelaxVar);
      g_autofree char *name = g_strdup_printf ("p_%s", param->name);
      GPtrArray *one;
      LsBuffer *buffer;

      if (ls_is (param->struct_info, SHAPE_STRUCT_INFO) || ls_is (param->struct_info, PRIM_STRUCT_INFO))
        continue;
      buffer = make_buffer (self, param->struct_info, param->name, first_use (self, func, param));
      if (buffer == NULL)
        return;
      one = g_ptr_array_new ();
      g_ptr_array_add (one, buffer);
      g_hash_table_insert (self->values, param, one);
      add_buffer_param (signature, buffer, name);
    }
}

static void
add_outputs (Fused     *self,
             Signature *signature)
{
  guint n_inputs = signature->buffers->len, n_made = 0, at;

  for (guint i = 0; i < self->out_buffers->len; i++)
    {
      LsBuffer *buffer = self->out_buffers->pdata[i];
      gint64 reused = -1;

      if (buffer == NULL)
        {
          refuse (self, LS_TEXT ("%s returns something that no call in it makes."), "A function");
          return;
        }
      if (g_ptr_array_find (signature->buffers, buffer, &at) && at < n_inputs)
        reused = at;
      else
        {
          g_autofree char *name = g_strdup_printf ("p_output%u", n_made++);

          add_buffer_param (signature, buffer, name);
        }
      g_array_append_val (self->in_place, reused);
    }
}

static void
add_symbol (Signature *signature,
            LsNode    *value)
{
  if (!ls_is_var (value))
    return;
  g_ptr_array_add (signature->params, ls_node_ref (value));
  g_ptr_array_add (signature->buffers, NULL);
}

static void
add_symbols (Signature  *signature,
             LsFunction *func)
{
  for (guint i = 0; i < func->params->n; i++)
    {
      LsStructInfo *info = ls_array_at (func->params, i, LsRelaxVar)->struct_info;
      LsArray *values = ls_is (info, SHAPE_STRUCT_INFO) ? ((LsShapeStructInfo *) info)->values : NULL;

      for (guint j = 0; values != NULL && j < values->n; j++)
        add_symbol (signature, values->items[j]);
      if (ls_is (info, PRIM_STRUCT_INFO))
        add_symbol (signature, (LsNode *) ((LsPrimStructInfo *) info)->value);
    }
}

static void
find_outputs (Fused  *self,
              LsNode *result)
{
  LsArray *fields = ls_is (result, RELAX_TUPLE) ? ((LsRelaxTuple *) result)->fields : NULL;

  for (guint i = 0; i < (fields != NULL ? fields->n : 1); i++)
    {
      LsNode *one = fields != NULL ? fields->items[i] : result;
      LsStructInfo *info = ls_is_relax_var (one) ? ((LsRelaxVar *) one)->struct_info : NULL;
      guint n = ls_is (info, TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) info)->fields->n : 1;

      g_ptr_array_add (self->outputs, one);
      for (guint j = 1; j < n; j++)
        g_ptr_array_add (self->outputs, NULL);
      g_ptr_array_set_size (self->out_buffers, (int) self->outputs->len);
    }
}

/* Through bindings that only rename. */
static LsNode *
resolve (LsSeqExpr *body,
         LsNode    *result)
{
  for (guint i = body->blocks->n; i-- > 0;)
    {
      LsArray *bindings = ls_array_at (body->blocks, i, LsBindingBlock)->bindings;

      for (guint j = bindings->n; j-- > 0;)
        if (LS_NODE (ls_binding_var (bindings->items[j])) == result
            && (ls_is_relax_var (ls_binding_value (bindings->items[j])) || ls_is (ls_binding_value (bindings->items[j]), RELAX_TUPLE)))
          result = ls_binding_value (bindings->items[j]);
    }
  return result;
}

static LsPrimFunc *
finish (Fused     *self,
        Signature *signature)
{
  g_autoptr (LsMap) empty = ls_map_empty ();
  g_autoptr (LsNode) yes = LS_NODE (ls_bool (TRUE));
  LsBlock *root = ls_block_new (ls_array_empty (), ls_array_empty (), ls_array_empty (), "root", ls_seq (ls_array_take_ptr_array (self->body)), NULL,
                                ls_array_take_ptr_array (self->allocs), ls_array_empty (), NULL);

  return ls_prim_func_new (ls_array_take_ptr_array (signature->params), (LsStmt *) ls_block_realize_new (ls_array_empty (), ls_bool (TRUE), root), NULL,
                           ls_array_take_ptr_array (signature->buffers), ls_map_set (empty, "tir.noalias", yes));
}

static LsPrimFunc *
fuse_function (LsModule   *module,
               LsFunction *func,
               GArray     *in_place,
               GError    **error)
{
  Fused self = { module, g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref), g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref),
                 g_ptr_array_new (), g_ptr_array_new (), g_ptr_array_new (), g_ptr_array_new (),
                 g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL), in_place, NULL };
  Signature signature = { g_ptr_array_new (), g_ptr_array_new () };
  LsSeqExpr *body = (LsSeqExpr *) func->body;
  LsPrimFunc *result = NULL;

  find_outputs (&self, resolve (body, body->body));
  add_inputs (&self, &signature, func);
  for (guint i = 0; i < body->blocks->n; i++)
    for (guint j = 0; j < ls_array_at (body->blocks, i, LsBindingBlock)->bindings->n; j++)
      take_binding (&self, ls_array_at (body->blocks, i, LsBindingBlock)->bindings->items[j]);
  if (self.error == NULL)
    add_outputs (&self, &signature);
  if (self.error == NULL)
    {
      add_symbols (&signature, func);
      result = finish (&self, &signature);
    }
  else
    {
      g_propagate_error (error, self.error);
      g_ptr_array_foreach (self.body, (GFunc) (void (*) (void)) ls_node_unref, NULL);
      g_ptr_array_foreach (self.allocs, (GFunc) (void (*) (void)) ls_node_unref, NULL);
      g_ptr_array_foreach (signature.params, (GFunc) (void (*) (void)) ls_node_unref, NULL);
      g_ptr_array_foreach (signature.buffers, (GFunc) (void (*) (void)) ls_node_unref, NULL);
      g_ptr_array_unref (self.body);
      g_ptr_array_unref (self.allocs);
      g_ptr_array_unref (signature.params);
      g_ptr_array_unref (signature.buffers);
    }
  g_hash_table_unref (self.values);
  g_hash_table_unref (self.names);
  g_ptr_array_unref (self.kept);
  g_ptr_array_unref (self.outputs);
  g_ptr_array_unref (self.out_buffers);
  return result;
}

/* ---- calls -------------------------------------------------------------------------------------- */

typedef struct {
  LsPrimFunc *func;
  GArray     *in_place;         /* as in Fused */
} Made;

static void
made_free (gpointer data)
{
  Made *self = data;

  ls_unref (self->func);
  g_array_unref (self->in_place);
  g_free (self);
}

/* Extents and numbers that are passed: a PrimFunc takes them behind its buffers. */
static gboolean
add_symbols_of (LsNode    *arg,
                GPtrArray *symbols)
{
  g_autoptr (LsNode) info = ls_relax_struct_info (arg);
  LsArray *values = ls_is (info, SHAPE_STRUCT_INFO) ? ((LsShapeStructInfo *) info)->values : NULL;

  for (guint i = 0; values != NULL && i < values->n; i++)
    g_ptr_array_add (symbols, ls_node_ref (values->items[i]));
  if (ls_is (info, PRIM_STRUCT_INFO) && ((LsPrimStructInfo *) info)->value != NULL)
    g_ptr_array_add (symbols, ls_node_ref (LS_NODE (((LsPrimStructInfo *) info)->value)));
  return values != NULL || ls_is (info, PRIM_STRUCT_INFO);
}

static gboolean
has_in_place (GArray *in_place)
{
  for (guint i = 0; i < in_place->len; i++)
    if (g_array_index (in_place, gint64, i) >= 0)
      return TRUE;
  return FALSE;
}

static LsArray *
numbers (GArray *values)
{
  GPtrArray *out = g_ptr_array_new ();

  for (guint i = 0; i < values->len; i++)
    g_ptr_array_add (out, ls_int_imm_new (LS_INT64, g_array_index (values, gint64, i)));
  return ls_array_take_ptr_array (out);
}

static LsNode *
call_fused (LsRelaxMutator *self,
            LsRelaxCall    *call)
{
  GHashTable *fused = self->user_data;
  g_autoptr (LsNode) fresh = ls_relax_mutator_default (self, call);
  LsRelaxCall *now = (LsRelaxCall *) fresh;
  Made *made = ls_is (now->op, GLOBAL_VAR) ? g_hash_table_lookup (fused, ((LsGlobalVar *) now->op)->name_hint) : NULL;
  GPtrArray *inputs, *args, *symbols;
  g_autoptr (LsNode) info = NULL;
  gboolean in_place;

  if (made == NULL)
    return g_steal_pointer (&fresh);
  info = ls_block_builder_struct_info (self->builder, fresh);
  inputs = g_ptr_array_new ();
  symbols = g_ptr_array_new ();
  args = g_ptr_array_new ();
  for (guint i = 0; i < now->args->n; i++)
    if (!add_symbols_of (now->args->items[i], symbols))
      g_ptr_array_add (inputs, ls_node_ref (now->args->items[i]));
  g_ptr_array_add (args, ls_node_ref (now->op));
  g_ptr_array_add (args, ls_relax_tuple_new (ls_array_take_ptr_array (inputs)));
  if (symbols->len > 0)
    g_ptr_array_add (args, ls_shape_expr_new (ls_array_take_ptr_array (symbols)));
  else
    g_ptr_array_unref (symbols);
  in_place = has_in_place (made->in_place);
  return ls_relax_call_new (ls_relax_op_new (in_place ? "relax.call_tir_inplace" : "relax.call_tir"), ls_array_take_ptr_array (args),
                            in_place ? ls_array_of (ls_string_new ("inplace_indices"), NULL) : NULL,
                            in_place ? ls_array_of (numbers (made->in_place), NULL) : NULL, ls_array_of (g_steal_pointer (&info), NULL));
}

/* Another pass as part of this one, with nothing said. */
static LsModule *
run_inside (const char *name,
            LsModule *(*apply) (LsModule *module, LsMap *args, GError **error),
            LsModule   *module,
            GError    **error)
{
  g_autoptr (LsMap) args = ls_map_empty ();
  GError *own = NULL;
  LsModule *result = apply (module, args, &own);

  if (result == NULL)
    g_propagate_prefixed_error (error, own, "%s: ", name);
  return result;
}

LsModule *
ls_relax_pass_fuse_tir (LsModule  *module,
                        LsMap     *args,
                        GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .call = call_fused };
  g_autoptr (LsModule) flat = run_inside ("ExpandTupleArguments", ls_relax_pass_expand_tuple_arguments, module, error);
  g_autoptr (LsModule) expanded = flat != NULL ? run_inside ("RemoveUnusedParameters", ls_relax_pass_remove_unused_parameters, flat, error) : NULL;
  g_autoptr (GHashTable) fused = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, made_free);
  g_autoptr (LsModule) called = NULL, merged = NULL;
  LsModuleBuilder *builder;
  GHashTableIter iter;
  gpointer name, made;

  for (guint i = 0; expanded != NULL && i < expanded->functions->n; i++)
    {
      LsFunction *one = (LsFunction *) expanded->functions->items[i];
      Made *made_one;

      if (!ls_is (one, FUNCTION) || one->attrs == NULL || ls_map_get (one->attrs, "Primitive") == NULL)
        continue;
      made_one = g_new0 (Made, 1);
      made_one->in_place = g_array_new (FALSE, FALSE, sizeof (gint64));
      g_hash_table_insert (fused, ls_array_at (expanded->global_vars, i, LsGlobalVar)->name_hint, made_one);
      made_one->func = fuse_function (expanded, one, made_one->in_place, error);
      if (made_one->func == NULL)
        return NULL;
    }
  called = expanded != NULL ? ls_relax_mutate_module (expanded, &funcs, fused, error) : NULL;
  if (called == NULL)
    return NULL;
  builder = ls_module_builder_new (called);
  g_hash_table_iter_init (&iter, fused);
  while (g_hash_table_iter_next (&iter, &name, &made))
    ls_module_builder_put (builder, name, ((Made *) made)->func);
  merged = ls_module_builder_finish (builder);
  return run_inside ("DeadCodeElimination", ls_relax_pass_dead_code_elimination, merged, error);
}
