/* OptimizeLayoutTransform: two changes of layout in a row that undo each other go.
 *
 * layout_transform (layout_transform (x, there), back) is x where the composition of the maps is the identity over the
 * extents of x.  Between them there may be a call of a PrimFunc whose operator_name is remove_pad: what it cuts off is
 * padding that the second transformation brings again.
 */
#include "engine/relax/analysis.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/make.h"
#include "engine/relax/pass/pass.h"

#include <string.h>

static LsIndexMap *
map_of (LsRelaxCall *call)
{
  LsNode *map = ls_relax_pass_attr (call, "index_map");

  return ls_is (map, INDEX_MAP) ? (LsIndexMap *) map : NULL;
}

static LsRelaxCall *
transform_of (LsRelaxMutator *self,
              LsNode         *value)
{
  if (ls_is_relax_var (value))
    value = ls_relax_mutator_lookup (self, value);
  return ls_is_relax_call (value, "relax.layout_transform") ? (LsRelaxCall *) value : NULL;
}

/* The argument of a call of remove_pad, or NULL. */
static LsNode *
unpadded (LsRelaxMutator *self,
          LsNode         *value)
{
  LsRelaxCall *call;
  LsNode *func, *name;

  if (ls_is_relax_var (value))
    value = ls_relax_mutator_lookup (self, value);
  call = (LsRelaxCall *) value;
  if (!ls_is_relax_call (value, "relax.call_tir") || !ls_is (call->args->items[0], GLOBAL_VAR) || !ls_is (call->args->items[1], RELAX_TUPLE))
    return NULL;
  func = ls_block_builder_lookup_func (self->builder, (LsGlobalVar *) call->args->items[0]);
  name = ls_is (func, PRIM_FUNC) ? ls_map_get (((LsPrimFunc *) func)->attrs, "operator_name") : NULL;
  if (!ls_is (name, STRING) || strcmp (((LsString *) name)->value, "remove_pad") != 0)
    return NULL;
  return ((LsRelaxTuple *) call->args->items[1])->fields->n == 1 ? ((LsRelaxTuple *) call->args->items[1])->fields->items[0] : NULL;
}

static gboolean
is_identity (LsIndexMap *there,
             LsIndexMap *back,
             LsArray    *extents)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr (LsArray) indices = NULL;

  if (extents == NULL || there->initial_indices->n != extents->n || back->initial_indices->n != there->final_indices->n)
    return FALSE;
  for (guint i = 0; i < extents->n; i++)
    {
      g_autoptr (LsNode) zero = LS_NODE (ls_int_imm_new (ls_dtype (there->initial_indices->items[i]), 0));
      g_autoptr (LsNode) extent = LS_NODE (ls_cast (ls_dtype (there->initial_indices->items[i]), LS_EXPR (ls_node_ref (extents->items[i]))));
      g_autoptr (LsNode) range = LS_NODE (ls_range_new (LS_EXPR (ls_node_ref (zero)), LS_EXPR (ls_node_ref (extent))));

      ls_analyzer_bind_range (analyzer, (LsVar *) there->initial_indices->items[i], (LsRange *) range, TRUE);
    }
  indices = ls_index_map_map_indices (back, there->final_indices, analyzer);
  for (guint i = 0; i < extents->n; i++)
    if (i >= indices->n || !ls_analyzer_can_prove_equal (analyzer, LS_EXPR (indices->items[i]), LS_EXPR (there->initial_indices->items[i])))
      return FALSE;
  return indices->n == extents->n;
}

static gboolean
same_info (LsRelaxMutator *self,
           LsNode         *a,
           LsNode         *b)
{
  g_autoptr (LsNode) of_a = ls_block_builder_struct_info (self->builder, a), of_b = ls_block_builder_struct_info (self->builder, b);

  return ls_structural_equal (of_a, of_b, FALSE, NULL, NULL);
}

static LsNode *
undo (LsRelaxMutator *self,
      LsRelaxCall    *call)
{
  g_autoptr (LsNode) visited = ls_relax_mutator_default (self, call);
  LsRelaxCall *outer = ls_is_relax_call (visited, "relax.layout_transform") ? (LsRelaxCall *) visited : NULL;
  LsNode *cut = outer != NULL ? unpadded (self, outer->args->items[0]) : NULL;
  LsRelaxCall *inner = outer != NULL ? transform_of (self, cut != NULL ? cut : outer->args->items[0]) : NULL;
  g_autoptr (LsNode) info = NULL;
  LsNode *input;

  if (inner == NULL || map_of (inner) == NULL || map_of (outer) == NULL)
    return g_steal_pointer (&visited);
  input = inner->args->items[0];
  info = ls_block_builder_struct_info (self->builder, input);
  if (!same_info (self, input, visited) || (cut == NULL && !is_identity (map_of (inner), map_of (outer), ls_relax_known_extents (info))))
    return g_steal_pointer (&visited);
  return ls_node_ref (input);
}

static LsNode *
without_detours (LsModule   *module,
                 LsFunction *func,
                 gpointer    user_data,
                 GError    **error)
{
  return ls_relax_canonicalize (LS_NODE (func), error);
}

LsModule *
ls_relax_pass_optimize_layout_transform (LsModule  *module,
                                         LsMap     *args,
                                         GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .call = undo };
  g_autoptr (LsModule) plain = ls_relax_each_function (module, without_detours, NULL, error);
  g_autoptr (LsModule) undone = plain != NULL ? ls_relax_mutate_module (plain, &funcs, NULL, error) : NULL;

  return undone != NULL ? ls_relax_each_function (undone, without_detours, NULL, error) : NULL;
}
