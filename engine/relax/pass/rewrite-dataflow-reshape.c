/* RewriteDataflowReshape: in dataflow, a call of a PrimFunc that only copies, element for element in row-major order, becomes
 * R.reshape, which the virtual machine does without moving anything. */
#include "engine/arith/analyzer.h"
#include "engine/arith/iter-map.h"
#include "engine/relax/mutator.h"
#include "engine/relax/analysis.h"
#include "engine/relax/pass/pass.h"
#include "engine/tir/scope.h"

typedef struct {
  GPtrArray     *blocks;        /* around the store, besides the root */
  LsBufferStore *store;
  guint          n_stores, n_others;
} Body;

static LsWalk
look (LsNode  *node,
      gpointer user_data)
{
  Body *self = user_data;

  if (ls_is (node, BLOCK) && ((LsBlock *) node)->iter_vars->n > 0)
    {
      g_ptr_array_add (self->blocks, node);
      self->n_others += ((LsBlock *) node)->init != NULL;
    }
  else if (ls_is (node, BUFFER_STORE))
    {
      self->n_stores++;
      self->store = (LsBufferStore *) node;
    }
  return LS_WALK_CONTINUE;
}

/* The position in row-major order. */
static LsExpr *
flatten (LsBuffer *buffer,
         LsArray  *indices)
{
  LsExpr *at = ls_int_imm_new (LS_INT64, 0);

  for (guint i = 0; i < indices->n; i++)
    {
      LsExpr *extent = ls_cast (LS_INT64, ls_ref (LS_EXPR (buffer->shape->items[i])));

      at = ls_add (ls_mul (at, extent), ls_cast (LS_INT64, ls_ref (LS_EXPR (indices->items[i]))));
    }
  return at;
}

static LsExpr *
count_elements (LsBuffer *buffer)
{
  LsExpr *n = ls_int_imm_new (LS_INT64, 1);

  for (guint i = 0; i < buffer->shape->n; i++)
    n = ls_mul (n, ls_cast (LS_INT64, ls_ref (LS_EXPR (buffer->shape->items[i]))));
  return n;
}

/* The same position as simple as the iterators allow, divisions by symbolic extents included. (transfer full) */
static LsExpr *
simple_position (LsBuffer   *buffer,
                 LsArray    *indices,
                 LsDomMap   *domains,
                 LsAnalyzer *analyzer)
{
  g_autoptr (LsArray) simple = ls_iter_map_simplify (indices, domains, NULL, LS_ITER_MAP_NO_CHECK, analyzer, TRUE);
  g_autoptr (LsExpr) flat = flatten (buffer, simple);
  g_autoptr (LsArray) one = ls_array_of (ls_ref (flat), NULL);
  g_autoptr (LsArray) result = ls_iter_map_simplify (one, domains, NULL, LS_ITER_MAP_NO_CHECK, analyzer, TRUE);

  return ls_ref (LS_EXPR (result->items[0]));
}

static void
bind_iterators (LsBlock    *block,
                LsAnalyzer *analyzer,
                LsDomMap   *domains)
{
  ls_scope_bind (analyzer, LS_NODE (block), LS_SCOPE_BLOCKS);
  for (guint i = 0; i < block->iter_vars->n; i++)
    {
      LsIterVar *iter = ls_array_at (block->iter_vars, i, LsIterVar);

      ls_dom_map_set_range (domains, iter->var, iter->dom);
    }
}

gboolean
ls_relax_has_reshape_pattern (LsPrimFunc *func)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr (LsDomMap) domains = ls_dom_map_new ();
  g_autoptr (LsExpr) from = NULL, to = NULL, n_from = NULL, n_to = NULL;
  g_autoptr (GPtrArray) blocks = g_ptr_array_new ();
  Body body = { blocks, NULL, 0, 0 };
  LsBufferLoad *load;

  ls_walk (func->body, look, NULL, &body);
  if (blocks->len == 0 || body.n_stores != 1 || body.n_others != 0 || !ls_is (body.store->value, BUFFER_LOAD))
    return FALSE;
  load = (LsBufferLoad *) body.store->value;
  for (guint b = 0; b < blocks->len; b++)
    bind_iterators (blocks->pdata[b], analyzer, domains);
  from = simple_position (load->buffer, load->indices, domains, analyzer);
  to = simple_position (body.store->buffer, body.store->indices, domains, analyzer);
  n_from = count_elements (load->buffer);
  n_to = count_elements (body.store->buffer);
  return ls_analyzer_can_prove_equal (analyzer, n_from, n_to) && ls_analyzer_can_prove_equal (analyzer, from, to);
}

static LsNode *
reshape (LsRelaxMutator *self,
         LsRelaxCall    *call)
{
  g_autoptr (LsNode) fresh = ls_relax_mutator_default (self, call);
  LsRelaxCall *now = (LsRelaxCall *) fresh;
  LsTensorStructInfo *info = now->sinfo_args->n == 1 ? (LsTensorStructInfo *) now->sinfo_args->items[0] : NULL;
  LsRelaxTuple *inputs = now->args->n == 2 ? (LsRelaxTuple *) now->args->items[1] : NULL;
  LsNode *func;

  if (!ls_block_builder_in_dataflow (self->builder) || !ls_is_relax_call (fresh, "relax.call_tir") || !ls_is (now->args->items[0], GLOBAL_VAR)
      || !ls_is (inputs, RELAX_TUPLE) || inputs->fields->n != 1 || !ls_is (info, TENSOR_STRUCT_INFO) || !ls_is (info->shape, SHAPE_EXPR))
    return g_steal_pointer (&fresh);
  func = ls_block_builder_lookup_func (self->builder, (LsGlobalVar *) now->args->items[0]);
  if (!ls_is (func, PRIM_FUNC) || !ls_relax_has_reshape_pattern ((LsPrimFunc *) func))
    return g_steal_pointer (&fresh);
  return ls_relax_call_new (ls_relax_op_new ("relax.reshape"), ls_array_of (ls_node_ref (inputs->fields->items[0]), ls_node_ref (info->shape), NULL), NULL, NULL,
                            NULL);
}

LsModule *
ls_relax_pass_rewrite_dataflow_reshape (LsModule  *module,
                                        LsMap     *args,
                                        GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .call = reshape };

  return ls_relax_mutate_module (module, &funcs, NULL, error);
}
