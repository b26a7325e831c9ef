/* graph-inputs: random numbers for a graph, and for the machine that runs it, that mean something: what picks rows of a table lies within it, as tokens lie within a vocabulary.
 */
#include "engine/debug/debug-private.h"

#include "engine/relax/pass/make.h"
#include "engine/relax/pass/pass.h"
#include "engine/relax/relax.h"

#include <string.h>

/* Operators whose values are those of their first argument, in another type or shape. */
static const char *const SAME[] = { "relax.astype", "relax.reshape", "relax.squeeze", "relax.expand_dims", "relax.flatten", "relax.permute_dims" };

static void
narrow (LsRelaxCall *call,
        GHashTable  *stems,
        gint64      *bound)
{
  LsNode *table = ls_array_at (call->args, 0, LsNode);
  LsStructInfo *info = ls_relax_struct_info (table);
  LsArray *extents = ls_relax_known_extents (info);
  gint64 axis = 0, extent;

  ls_as_int (ls_relax_pass_attr (call, "axis"), &axis);
  axis += axis < 0 && extents != NULL ? extents->n : 0;
  if (g_hash_table_contains (stems, call->args->items[1]) && extents != NULL && axis >= 0 && axis < extents->n && ls_as_int (extents->items[axis], &extent) && extent > 0 && (*bound == 0 || extent < *bound))
    *bound = extent;
  ls_unref (info);
}

static void
follow_binding (LsVarBinding *binding,
                GHashTable   *stems,
                gint64       *bound)
{
  LsRelaxCall *call = (LsRelaxCall *) binding->value;

  if (g_hash_table_contains (stems, binding->value))
    g_hash_table_add (stems, binding->var);
  for (guint i = 0; i < G_N_ELEMENTS (SAME); i++)
    if (ls_is_relax_call (binding->value, SAME[i]) && call->args->n > 0 && g_hash_table_contains (stems, call->args->items[0]))
      g_hash_table_add (stems, binding->var);
  if (ls_is_relax_call (binding->value, "relax.take") && call->args->n > 1)
    narrow (call, stems, bound);
}

/* How many rows the table has of which the parameter picks some; 0: it picks none. */
static gint64
index_bound (LsFunction *func,
             guint       param)
{
  g_autoptr (GHashTable) stems = g_hash_table_new (NULL, NULL);
  LsSeqExpr *seq = ls_is (func->body, SEQ_EXPR) ? (LsSeqExpr *) func->body : NULL;
  gint64 bound = 0;

  g_hash_table_add (stems, func->params->items[param]);
  for (guint b = 0; seq != NULL && b < seq->blocks->n; b++)
    {
      LsArray *bindings = ls_array_at (seq->blocks, b, LsBindingBlock)->bindings;

      for (guint i = 0; i < bindings->n; i++)
        if (ls_is (bindings->items[i], VAR_BINDING))
          follow_binding ((LsVarBinding *) bindings->items[i], stems, &bound);
    }
  return bound;
}

void
ls_debug_keep_indices (LsDType     t,
                       guint8     *data,
                       gint64      n,
                       LsFunction *func,
                       guint       param)
{
  gint64 bound = ls_dtype_is_float (t) || ls_dtype_is_bool (t) ? 0 : index_bound (func, param);

  for (gint64 i = 0; bound > 0 && i < n; i++)
    {
      guint8 *at = data + i * ls_dtype_bytes (t);
      gint64 number = (gint64) ls_interp_load (t, at);

      if (number < 0 || number >= bound)
        {
          number = (number % bound + bound) % bound;
          memcpy (at, &number, ls_dtype_bytes (t));     /* little endian */
        }
    }
}
