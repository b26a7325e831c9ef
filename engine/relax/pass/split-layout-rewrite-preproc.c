/* SplitLayoutRewritePreproc: what brings weights into the layout that a PrimFunc wants becomes a function of its own.
 *
 * Blocks under the root with the annotation meta_schedule.layout_rewrite_preproc copy an input into a buffer of the
 * function.  They go to NAME_weight_prepack, which gives these buffers; NAME_prepacked takes them in the place of the
 * inputs and does the rest.  A call becomes two: the first depends on weights alone, so that others can lift it.
 */
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"

#include <string.h>

#define MARK "meta_schedule.layout_rewrite_preproc"

typedef struct {
  LsPrimFunc *prepack;          /* NULL: nothing to split off */
  LsPrimFunc *rest;
  GArray     *places;           /* of guint: the inputs that are laid out */
  GPtrArray  *buffers;          /* their new buffers, borrowed from the functions */
} Split;

static void
split_free (Split *self)
{
  ls_unref (self->prepack);
  ls_unref (self->rest);
  g_array_unref (self->places);
  g_ptr_array_unref (self->buffers);
  g_free (self);
}

/* ---- a function -------------------------------------------------------------------- */

static LsWalk
find_mark (LsNode   *node,
           gpointer  data)
{
  LsBlock **found = data;

  if (!ls_is (node, BLOCK))
    return LS_WALK_CONTINUE;
  if (ls_map_get (((LsBlock *) node)->annotations, MARK) != NULL)
    *found = (LsBlock *) node;
  return LS_WALK_STOP;
}

/* The marked block of a statement of the root block, or NULL. */
static LsBlock *
marked (LsStmt *stmt)
{
  LsBlock *found = NULL;

  ls_walk (stmt, find_mark, NULL, &found);
  return found != NULL && found->reads->n == 1 && found->writes->n == 1 ? found : NULL;
}

static LsNode *
unmark (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    data)
{
  LsBlock *block = (LsBlock *) node;

  g_autoptr (LsMap) left = NULL;

  if (!ls_is (node, BLOCK) || ls_map_get (block->annotations, MARK) == NULL)
    return ls_rewrite_default (rewriter, node);
  left = ls_map_remove (block->annotations, MARK);
  return LS_NODE (ls_block_with_annotations (block, left));
}

static LsBuffer *
buffer_of (LsArray *regions)
{
  return ls_array_at (regions, 0, LsBufferRegion)->buffer;
}

static LsPrimFunc *
function_with (LsPrimFunc *like,
               GPtrArray  *buffers,     /* LsBuffer, borrowed */
               GPtrArray  *allocated,   /* the same */
               LsArray    *statements)  /* taken */
{
  LsBlockRealize *root = ls_prim_func_root (like);
  GPtrArray *params = g_ptr_array_new (), *kept = g_ptr_array_new (), *alloc = g_ptr_array_new ();
  g_autoptr (LsBlock) block = NULL;
  g_autoptr (LsBlock) held = NULL;
  g_autoptr (LsArray) own = NULL;
  g_autoptr (LsNode) body = LS_NODE (ls_seq (statements));

  for (guint i = 0; i < buffers->len; i++)
    {
      LsBuffer *buffer = buffers->pdata[i];
      g_autofree char *name = g_strconcat ("var_", buffer->name, NULL);

      g_ptr_array_add (params, ls_var_new (name, LS_HANDLE));
      g_ptr_array_add (kept, ls_ref (buffer));
    }
  for (guint i = 0; i < allocated->len; i++)
    g_ptr_array_add (alloc, ls_ref (allocated->pdata[i]));
  own = ls_array_take_ptr_array (alloc);
  held = ls_block_with_alloc_buffers (root->block, own);
  block = ls_block_with_body (held, (LsStmt *) body);
  return ls_prim_func_new (ls_array_take_ptr_array (params), (LsStmt *) ls_block_realize_with_block (root, block), ls_ref (like->ret_type),
                           ls_array_take_ptr_array (kept), ls_map_remove (like->attrs, "layout_free_buffers"));
}

/* The same function over buffers of its own: two functions of a module share nothing. */
static LsPrimFunc *
with_own_buffers (LsPrimFunc *func)
{
  g_autoptr (GHashTable) map = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  GPtrArray *buffers = g_ptr_array_new ();
  LsPrimFunc *fresh;
  LsStmt *body;

  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i), *own = ls_buffer_copy (buffer, NULL, NULL, NULL);

      g_hash_table_insert (map, buffer, ls_ref (own));
      g_hash_table_insert (map, buffer->data, ls_ref (own->data));
      g_ptr_array_add (buffers, own);
    }
  body = (LsStmt *) ls_substitute (func->body, map);
  fresh = ls_prim_func_new (ls_ref (func->params), body, ls_ref (func->ret_type), ls_array_take_ptr_array (buffers), ls_ref (func->attrs));
  ls_unref (func);
  return fresh;
}

static int
place_of (LsPrimFunc *func,
          LsBuffer   *buffer)
{
  for (guint i = 0; i < func->params->n; i++)
    if (ls_prim_func_get_buffer (func, i) == buffer)
      return (int) i;
  return -1;
}

static gboolean
is_among (GPtrArray *list,
          gpointer   item)
{
  return g_ptr_array_find (list, item, NULL);
}

static void
make_functions (Split      *self,
                LsPrimFunc *func,
                LsArray    *before,     /* taken */
                LsArray    *after)      /* taken */
{
  LsArray *allocated = ls_prim_func_root (func)->block->alloc_buffers;
  g_autoptr (GPtrArray) first = g_ptr_array_new (), second = g_ptr_array_new (), left = g_ptr_array_new (), none = g_ptr_array_new ();

  for (guint i = 0; i < self->places->len; i++)
    g_ptr_array_add (first, ls_prim_func_get_buffer (func, g_array_index (self->places, guint, i)));
  for (guint i = 0; i < self->buffers->len; i++)
    g_ptr_array_add (first, self->buffers->pdata[i]);
  for (guint i = 0; i < func->params->n; i++)
    {
      gpointer buffer = ls_prim_func_get_buffer (func, i);

      for (guint k = 0; k < self->places->len; k++)
        if (g_array_index (self->places, guint, k) == i)
          buffer = self->buffers->pdata[k];
      g_ptr_array_add (second, buffer);
    }
  for (guint i = 0; i < allocated->n; i++)
    if (!is_among (self->buffers, allocated->items[i]))
      g_ptr_array_add (left, allocated->items[i]);
  self->prepack = with_own_buffers (function_with (func, first, none, before));
  self->rest = function_with (func, second, left, after);
}

static Split *
split_function (LsPrimFunc *func)
{
  Split *self = g_new0 (Split, 1);
  LsBlockRealize *root = ls_prim_func_root (func);
  LsStmt *body = root != NULL ? root->block->body : NULL;
  LsArray *seq = ls_is (body, SEQ_STMT) ? ((LsSeqStmt *) body)->seq : NULL;
  GPtrArray *before = g_ptr_array_new (), *after = g_ptr_array_new ();

  self->places = g_array_new (FALSE, FALSE, sizeof (guint));
  self->buffers = g_ptr_array_new ();
  for (guint i = 0; i < ls_array_n (seq); i++)
    {
      LsBlock *block = marked ((LsStmt *) seq->items[i]);
      int place = block != NULL ? place_of (func, buffer_of (block->reads)) : -1;
      guint number = (guint) place;

      if (place < 0)
        {
          g_ptr_array_add (after, ls_node_ref (seq->items[i]));
          continue;
        }
      g_ptr_array_add (before, ls_rewrite_with (seq->items[i], unmark, NULL));
      g_array_append_val (self->places, number);
      g_ptr_array_add (self->buffers, buffer_of (block->writes));
    }
  if (before->len == 0)
    {
      ls_unref (ls_array_take_ptr_array (before));
      ls_unref (ls_array_take_ptr_array (after));
      return self;
    }
  make_functions (self, func, ls_array_take_ptr_array (before), ls_array_take_ptr_array (after));
  return self;
}

/* ---- its calls ----------------------------------------------------------------------- */

static LsStructInfo *
info_of (LsBuffer *buffer)
{
  GPtrArray *extents = g_ptr_array_new ();

  for (guint i = 0; i < buffer->shape->n; i++)
    {
      gint64 extent;

      g_ptr_array_add (extents, ls_as_int (buffer->shape->items[i], &extent) ? (gpointer) ls_int_imm_new (LS_INT64, extent)
                       : ls_node_ref (buffer->shape->items[i]));
    }
  return ls_tensor_struct_info_new (ls_shape_expr_new (ls_array_take_ptr_array (extents)), LS_UNKNOWN_NDIM, buffer->dtype, NULL);
}

static LsNode *
call_tir (LsRelaxCall *like,
          LsGlobalVar *callee,
          GPtrArray   *args,            /* taken */
          LsArray     *infos)           /* taken */
{
  return ls_relax_call_new (ls_node_ref (like->op), ls_array_of (ls_ref (callee), ls_relax_tuple_new (ls_array_take_ptr_array (args)), NULL),
                            ls_ref (like->attr_names), ls_ref (like->attrs), infos);
}

static LsNode *
call_prepack (LsRelaxMutator *self,
              Split          *split,
              LsRelaxCall    *call,
              const char     *name)
{
  LsArray *fields = ((LsRelaxTuple *) call->args->items[1])->fields;
  g_autofree char *hint = g_strconcat (name, "_weight_prepack", NULL);
  LsGlobalVar *callee = ls_block_builder_add_func (self->builder, split->prepack, hint);
  GPtrArray *args = g_ptr_array_new (), *infos = g_ptr_array_new ();
  LsArray *list;

  for (guint i = 0; i < split->places->len; i++)
    {
      g_ptr_array_add (args, ls_node_ref (fields->items[g_array_index (split->places, guint, i)]));
      g_ptr_array_add (infos, info_of (split->buffers->pdata[i]));
    }
  list = ls_array_take_ptr_array (infos);
  if (split->places->len > 1)
    list = ls_array_of (ls_tuple_struct_info_new (list), NULL);
  return LS_NODE (ls_ref (ls_block_builder_emit_take (self->builder, call_tir (call, callee, args, list), NULL)));
}

static LsNode *
call_both (LsRelaxMutator *self,
           LsRelaxCall    *call)
{
  GHashTable *splits = self->user_data;
  g_autoptr (LsNode) visited = ls_relax_mutator_default (self, call);
  LsGlobalVar *callee;
  Split *split;
  g_autoptr (LsNode) packed = NULL;
  g_autofree char *hint = NULL;
  LsArray *fields;
  GPtrArray *args;

  call = (LsRelaxCall *) visited;
  callee = ls_is_relax_call (call, "relax.call_tir") ? (LsGlobalVar *) call->args->items[0] : NULL;
  split = ls_is (callee, GLOBAL_VAR) ? g_hash_table_lookup (splits, callee->name_hint) : NULL;
  if (split == NULL || split->prepack == NULL || call->args->n > 2 || !ls_is (call->args->items[1], RELAX_TUPLE))
    return g_steal_pointer (&visited);
  packed = call_prepack (self, split, call, callee->name_hint);
  fields = ((LsRelaxTuple *) call->args->items[1])->fields;
  args = g_ptr_array_new ();
  for (guint i = 0; i < fields->n; i++)
    {
      LsNode *arg = ls_node_ref (fields->items[i]);

      for (guint k = 0; k < split->places->len; k++)
        if (g_array_index (split->places, guint, k) == i)
          {
            ls_node_unref (arg);
            arg = split->places->len == 1 ? ls_node_ref (packed)
                  : LS_NODE (ls_ref (ls_block_builder_emit_take (self->builder, ls_tuple_get_item_new (ls_node_ref (packed), k), NULL)));
          }
      g_ptr_array_add (args, arg);
    }
  hint = g_strconcat (callee->name_hint, "_prepacked", NULL);
  return LS_NODE (ls_ref (ls_block_builder_emit_take (self->builder, call_tir (call, ls_block_builder_add_func (self->builder, split->rest, hint), args,
                                                                              ls_ref (call->sinfo_args)), NULL)));
}

LsModule *
ls_relax_pass_split_layout_rewrite_preproc (LsModule  *module,
                                            LsMap     *args,
                                            GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .call = call_both };
  g_autoptr (GHashTable) splits = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) split_free);
  g_autoptr (LsModule) called = NULL;
  g_autoptr (LsMap) none = ls_map_empty ();

  for (guint i = 0; i < module->functions->n; i++)
    if (ls_is (module->functions->items[i], PRIM_FUNC))
      g_hash_table_insert (splits, ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint, split_function ((LsPrimFunc *) module->functions->items[i]));
  called = ls_relax_mutate_module (module, &funcs, splits, error);
  return called != NULL ? ls_relax_pass_dead_code_elimination (called, none, error) : NULL;
}
