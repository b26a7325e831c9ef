/* AnnotateDeviceRegions, SplitHostDevice: what runs on a device becomes a function of its own.
 *
 *     with T.attr (threads ...): X      ->   with T.attr (target, "target", 0): X      (AnnotateDeviceRegions)
 *                                       ->   Module.f_kernel (what X uses)             (SplitHostDevice)
 *
 * The first pass puts the target of the function, without its host, around the outermost statements that enter threads or the
 * scope of a device or a pipeline.  The second takes every statement under such a mark out into a private function of the
 * module whose parameters are the variables that the statement uses and does not make: first pointers, then numbers, each by name.
 * The buffers over those pointers are declared inside.  A kernel for the processor gives an error code, which is asserted to be 0.  Source
 * of the concept: TVM's passes of the same names. */
#include "engine/ir/functions.h"
#include "engine/tir/fast-math.h"
#include "engine/tir/pass/pass.h"
#include "engine/tir/renew.h"

#include <string.h>

/* ---- AnnotateDeviceRegions ---------------------------------------------------------- */

/* A target is a dictionary of attributes. */
static LsNode *
without_host (LsNode *target)
{
  return ls_is (target, MAP) ? LS_NODE (ls_map_remove ((LsMap *) target, "host")) : ls_node_ref (target);
}

static gboolean
enters_device (LsNode *node)
{
  LsAttrStmt *attr = (LsAttrStmt *) node;

  return ls_is (node, ATTR_STMT) && (g_str_equal (attr->attr_key, "thread_extent") || g_str_equal (attr->attr_key, "pipeline_exec_scope")
                                     || g_str_equal (attr->attr_key, "device_scope"));
}

static LsNode *
annotate (LsRewriter *rewriter,
          LsNode     *node,
          gpointer    user_data)
{
  LsAttrStmt *attr = (LsAttrStmt *) node;

  if (ls_is_expr (node) || (ls_is (node, ATTR_STMT) && g_str_equal (attr->attr_key, "target")))
    return ls_node_ref (node);
  if (enters_device (node))
    return LS_NODE (ls_attr_stmt_new (ls_ref (user_data), "target", ls_int (0), ls_ref (LS_STMT (node))));
  return ls_rewrite_default (rewriter, node);
}

LsPrimFunc *
ls_pass_annotate_device_regions (LsPrimFunc  *func,
                                 GError     **error)
{
  LsNode *target = ls_map_get (func->attrs, "target");
  g_autoptr (LsNode) device = target != NULL ? without_host (target) : NULL;
  g_autoptr (LsNode) body = NULL;

  if (target == NULL || !ls_is (target, MAP) || ls_map_get ((LsMap *) target, "host") == NULL)
    return ls_ref (func);
  body = ls_rewrite_with (func->body, annotate, device);
  return ls_pass_with_body (func, body);
}

/* ---- SplitHostDevice ------------------------------------------------------------------- */

typedef struct {
  GHashTable *made;             /* variables that the statement makes */
  GHashTable *buffers;          /* buffers that it declares */
  GPtrArray  *used;             /* variables from outside, as they are met */
  GPtrArray  *views;            /* buffers over pointers from outside, as they are met */
  GHashTable *met;              /* what is in these two lists */
} Uses;

static void
use (Uses  *uses,
     LsVar *var)
{
  if (!g_hash_table_contains (uses->made, var) && g_hash_table_add (uses->met, var))
    g_ptr_array_add (uses->used, var);
}

static LsWalk
note_var (LsNode   *node,
          gpointer  user_data)
{
  if (ls_is_var (node))
    use (user_data, (LsVar *) node);
  return LS_WALK_CONTINUE;
}

static void
use_buffer (Uses     *uses,
            LsBuffer *buffer)
{
  if (!g_hash_table_contains (uses->buffers, buffer) && !g_hash_table_contains (uses->made, buffer->data)
      && g_hash_table_add (uses->met, buffer))
    g_ptr_array_add (uses->views, buffer);
  use (uses, buffer->data);
  ls_walk (buffer->shape, note_var, NULL, uses);
  ls_walk (buffer->strides, note_var, NULL, uses);
  ls_walk (buffer->elem_offset, note_var, NULL, uses);
}

static LsWalk
note_made (LsNode   *node,
           gpointer  user_data)
{
  Uses *uses = user_data;
  LsAttrStmt *attr = (LsAttrStmt *) node;

  if (ls_is (node, FOR))
    g_hash_table_add (uses->made, ((LsFor *) node)->loop_var);
  else if (ls_is (node, LET_STMT))
    g_hash_table_add (uses->made, ((LsLetStmt *) node)->var);
  else if (ls_is (node, LET))
    g_hash_table_add (uses->made, ((LsLet *) node)->var);
  else if (ls_is (node, ALLOCATE))
    g_hash_table_add (uses->made, ((LsAllocate *) node)->buffer_var);
  else if (ls_is (node, ALLOCATE_CONST))
    g_hash_table_add (uses->made, ((LsAllocateConst *) node)->buffer_var);
  else if (ls_is (node, DECL_BUFFER))
    g_hash_table_add (uses->buffers, ((LsDeclBuffer *) node)->buffer);
  else if (ls_is (node, ATTR_STMT) && ls_is (attr->subject, ITER_VAR))
    g_hash_table_add (uses->made, ((LsIterVar *) attr->subject)->var);
  else if (ls_is (node, COMM_REDUCER))
    for (guint i = 0; i < ls_array_n (((LsCommReducer *) node)->lhs); i++)
      {
        g_hash_table_add (uses->made, ((LsCommReducer *) node)->lhs->items[i]);
        g_hash_table_add (uses->made, ((LsCommReducer *) node)->rhs->items[i]);
      }
  else if (ls_is (node, BLOCK))
    for (guint i = 0; i < ls_array_n (((LsBlock *) node)->iter_vars); i++)
      g_hash_table_add (uses->made, ls_array_at (((LsBlock *) node)->iter_vars, i, LsIterVar)->var);
  return LS_WALK_CONTINUE;
}

static LsWalk
note_used (LsNode   *node,
           gpointer  user_data)
{
  if (ls_is (node, BUFFER))
    use_buffer (user_data, (LsBuffer *) node);
  return note_var (node, user_data);
}

/* Pointers before numbers, then by name. */
static gint
compare_params (gconstpointer a,
                gconstpointer b)
{
  LsVar *va = *(LsVar *const *) a, *vb = *(LsVar *const *) b;
  gboolean pa = ls_dtype_is_handle (ls_dtype (va)), pb = ls_dtype_is_handle (ls_dtype (vb));

  return pa != pb ? (pa ? -1 : 1) : strcmp (va->name, vb->name);
}

typedef struct {
  LsModuleBuilder *module;      /* grows */
  const char *name;             /* of the function that is split */
  guint       n_kernels;        /* the first number for a name that may be free */
  LsPrimFunc *func;
  gboolean    fast;             /* where we are fast mathematics are asked for: by the function, or by a pragma around */
} Split;

static char *
fresh_name (Split *split)
{
  g_autofree char *base = g_strdup_printf ("%s_kernel", split->name);
  char *name = g_strdup (base);

  while (ls_module_builder_get (split->module, name) != NULL)
    {
      g_free (name);
      name = g_strdup_printf ("%s_%u", base, ++split->n_kernels);
    }
  return name;
}

static gboolean
may_fail (LsNode *target)
{
  LsNode *kind = ls_is (target, MAP) ? ls_map_get ((LsMap *) target, "kind") : NULL;
  const char *name = ls_is (kind, STRING) ? ((LsString *) kind)->value : "";

  return g_str_equal (name, "llvm") || g_str_equal (name, "c") || g_str_equal (name, "ext_dev") || g_str_equal (name, "hexagon");
}

static LsPrimFunc *
kernel_of (LsStmt    *body,
           Uses      *uses,
           LsNode    *target,
           gboolean   fails,
           gboolean   fast)
{
  g_autoptr (GHashTable) table = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  GPtrArray *params = g_ptr_array_new (), *buffers = g_ptr_array_new ();
  LsStmt *inner;
  LsPrimFunc *kernel;

  for (guint i = 0; i < uses->used->len; i++)
    {
      LsVar *fresh = ls_var_copy (uses->used->pdata[i], NULL);

      g_hash_table_insert (table, uses->used->pdata[i], ls_ref (fresh));
      g_ptr_array_add (params, fresh);
      g_ptr_array_add (buffers, NULL);
    }
  inner = ls_stmt_renew (body, table);
  if (fails)
    inner = ls_seq (ls_array_of (inner, ls_evaluate_new (ls_call_op ("tir.ret", LS_INT32, ls_array_of (ls_int (0), NULL))), NULL));
  for (guint i = 0; i < uses->views->len; i++)      /* the last one that was met is declared first, as in TVM */
    {
      LsBuffer *view = uses->views->pdata[i];
      LsNode *fresh = g_hash_table_lookup (table, view);

      inner = ls_decl_buffer_new (fresh != NULL ? (LsBuffer *) ls_node_ref (fresh) : ls_buffer_replace (view, table), inner);
    }
  kernel = ls_prim_func_new (ls_array_take_ptr_array (params), inner, fails ? ls_prim_type_new (LS_INT32) : NULL, ls_array_take_ptr_array (buffers), NULL);
  ls_take (&kernel, ls_prim_func_with_attr (kernel, "target", target));
  {
    g_autoptr (LsExpr) yes = ls_bool (TRUE);

    ls_take (&kernel, ls_prim_func_with_attr (kernel, "tir.noalias", yes));
    ls_take (&kernel, ls_prim_func_with_attr (kernel, "tir.is_global_func", yes));
    if (fast)
      ls_take (&kernel, ls_prim_func_with_attr (kernel, LS_FAST_MATH_ATTR, yes));
  }
  return kernel;
}

static LsNode *
call_of (LsGlobalVar *name,
         GPtrArray   *used,
         gboolean     fails)
{
  GPtrArray *args = g_ptr_array_new ();
  LsExpr *call;
  LsVar *err;

  for (guint i = 0; i < used->len; i++)
    g_ptr_array_add (args, ls_node_ref (used->pdata[i]));
  call = ls_call_new (fails ? LS_INT32 : LS_VOID, name, ls_array_take_ptr_array (args));
  if (!fails)
    return LS_NODE (ls_evaluate_new (call));
  err = ls_var_new ("kernel_error_code", LS_INT32);
  return LS_NODE (ls_let_stmt_new (ls_ref (err), call,
                                   ls_assert_stmt_new (ls_eq (LS_EXPR (err), ls_int (0)), ls_string_imm_new ("Error executing compute kernel"),
                                                       ls_evaluate_zero ())));
}

static LsNode *
take_out (Split      *split,
          LsAttrStmt *attr)
{
  g_autoptr (GHashTable) made = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) declared = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) met = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) used = g_ptr_array_new ();
  g_autoptr (GPtrArray) views = g_ptr_array_new ();
  g_autofree char *name = fresh_name (split);
  g_autoptr (LsPrimFunc) kernel = NULL;
  Uses uses = { made, declared, used, views, met };
  gboolean fails = may_fail (attr->subject);

  ls_walk (attr->body, note_made, NULL, &uses);
  ls_walk (attr->body, note_used, NULL, &uses);
  g_ptr_array_sort (used, compare_params);
  kernel = kernel_of (attr->body, &uses, attr->subject, fails, split->fast);
  ls_module_builder_put (split->module, name, kernel);
  return call_of (ls_ref (ls_module_builder_get_global_var (split->module, name)), used, fails);
}

static LsNode *
split_filter (LsRewriter *rewriter,
              LsNode     *node,
              gpointer    user_data)
{
  LsAttrStmt *attr = (LsAttrStmt *) node;
  Split *split = user_data;
  gboolean around = split->fast;
  LsNode *now;

  if (ls_is_expr (node) || ls_is (node, MAP))
    return ls_node_ref (node);
  if (ls_is (node, ATTR_STMT) && g_str_equal (attr->attr_key, "target"))
    return take_out (split, attr);
  if (ls_is (node, ATTR_STMT) && g_str_equal (attr->attr_key, LS_FAST_MATH_PRAGMA))
    split->fast = ls_fast_math_value_asks (LS_NODE (attr->value));
  now = ls_rewrite_default (rewriter, node);
  split->fast = around;
  return now;
}

LsModule *
ls_pass_split_host_device (LsModule  *module,
                           LsMap     *options,
                           GError   **error)
{
  Split split = { .module = ls_module_builder_new (module) };

  for (guint i = 0; i < module->functions->n; i++)
    {
      LsPrimFunc *func = (LsPrimFunc *) module->functions->items[i];
      g_autoptr (LsNode) body = NULL;
      g_autoptr (LsPrimFunc) host = NULL;

      if (!ls_is (func, PRIM_FUNC))
        continue;
      split.name = ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint;
      split.n_kernels = 0;
      split.func = func;
      split.fast = ls_fast_math_value_asks (ls_map_get (func->attrs, LS_FAST_MATH_ATTR));
      body = ls_rewrite_with (func->body, split_filter, &split);
      host = ls_pass_with_body (func, body);
      if (host != func)
        ls_module_builder_put (split.module, split.name, host);
    }
  return ls_module_builder_finish (split.module);
}
