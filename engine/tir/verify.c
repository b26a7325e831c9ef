/* verify: is a PrimFunc well formed?
 *
 * Every variable is defined once and used only inside its scope; every buffer that is accessed is declared around the
 * access; the body of a block with iteration variables speaks of these and not of the loops outside (TVM's
 * VerifyWellFormed).  All violations are reported, each with the path of the node and, if the program was read from
 * text, its place there.
 */
#include "engine/tir/tir.h"

#include "engine/base/stack.h"

#include <string.h>

typedef struct {
  LsDiagnostics *diagnostics;
  LsNode        *root;
  GArray        *path;          /* of guint32 */
  GHashTable    *defined;       /* Var -> depth in `scopes` + 1 */
  GHashTable    *ever;          /* Var: was defined somewhere */
  GHashTable    *buffers;       /* Buffer: declared here */
  GHashTable    *data;          /* data Var: some declared buffer has it */
  GHashTable    *loops;         /* loop Var -> number of non-opaque blocks around it + 1 */
  guint          n_blocks;      /* non-opaque blocks around us */
  GHashTable    *reported;
  gboolean       ok;
} Verifier;

static void
report (Verifier   *v,
        LsNode     *node,
        gpointer    subject,
        const char *code,
        const char *format,
        ...)
{
  LsPath *path;
  g_autofree char *text = NULL;
  g_autofree char *message = NULL;
  va_list args;

  v->ok = FALSE;
  if (v->diagnostics == NULL || !g_hash_table_add (v->reported, subject))
    return;
  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  path = ls_path_new ((guint32 *) (void *) v->path->data, v->path->len);
  text = ls_path_print (path, v->root);
  ls_diagnostic_add_culprit (ls_diagnostics_add (v->diagnostics, LS_SEVERITY_ERROR, code, node->span, "%s", message), text);
  ls_path_free (path);
}

static void
define (Verifier *v,
        LsNode   *at,
        LsVar    *var)
{
  if (g_hash_table_contains (v->defined, var))
    report (v, at, var, "tir/redefined", "%s is defined here although it is defined already.", var->name);
  g_hash_table_insert (v->defined, var, var);
  g_hash_table_add (v->ever, var);
}

static void
undefine (Verifier *v,
          gpointer  var)
{
  g_hash_table_remove (v->defined, var);
}

/* A variable in a shape, stride or offset of a declared buffer defines itself. */
static void
define_if_var (Verifier *v,
               LsNode   *at,
               gpointer  expr)
{
  if (ls_is_var (expr) && !g_hash_table_contains (v->defined, expr))
    define (v, at, expr);
}

static void
declare_buffer (Verifier *v,
                LsNode   *at,
                LsBuffer *buffer,
                gboolean  defines)
{
  g_hash_table_add (v->buffers, buffer);
  g_hash_table_add (v->data, buffer->data);
  if (!g_hash_table_contains (v->defined, buffer->data))
    define (v, at, buffer->data);
  if (!defines)
    return;
  for (guint i = 0; i < buffer->shape->n; i++)
    define_if_var (v, at, buffer->shape->items[i]);
  for (guint i = 0; i < buffer->strides->n; i++)
    define_if_var (v, at, buffer->strides->items[i]);
  define_if_var (v, at, buffer->elem_offset);
}

static void visit (Verifier *v, LsNode *node);

typedef struct {
  Verifier *v;
  LsNode   *node;
} Again;

static void
visit_again (gpointer data)
{
  Again *again = data;

  visit (again->v, again->node);
}

static void
visit_child (Verifier *v,
             LsNode   *node,
             guint32   i)
{
  LsNode *child = ls_node_get_child (node, i);

  if (child == NULL)
    return;
  g_array_append_val (v->path, i);
  if (ls_stack_is_short ())
    ls_stack_extend (visit_again, &(Again) { v, child });
  else
    visit (v, child);
  g_array_set_size (v->path, v->path->len - 1);
}

static void
visit_children (Verifier *v,
                LsNode   *node)
{
  guint n = ls_node_get_n_children (node);

  for (guint32 i = 0; i < n; i++)
    visit_child (v, node, i);
}

static void
use_var (Verifier *v,
         LsNode   *node)
{
  LsVar *var = (LsVar *) node;
  guint outside;

  if (!g_hash_table_contains (v->defined, var))
    {
      report (v, node, var, "tir/undefined", g_hash_table_contains (v->ever, var) ? "%s is used outside the scope in which it is defined." : "%s is used but defined nowhere.", var->name);
      return;
    }
  outside = GPOINTER_TO_UINT (g_hash_table_lookup (v->loops, var));
  if (outside != 0 && v->n_blocks >= outside)
    report (v, node, var, "tir/loop-in-block", "Loop %s stands outside the block; inside it only the block's own iteration variables may be used.", var->name);
}

static void
use_buffer (Verifier *v,
            LsNode   *at,
            LsBuffer *buffer)
{
  if (g_hash_table_contains (v->buffers, buffer))
    return;
  /* T.Buffer(..., data=ptr): an alias of memory that is defined. */
  if (g_hash_table_contains (v->defined, buffer->data))
    return;
  report (v, at, buffer, "tir/undeclared-buffer", "%s is accessed but declared nowhere around the access.", buffer->name);
}

static void
visit_block_realize (Verifier       *v,
                     LsBlockRealize *realize)
{
  LsBlock *block = realize->block;
  LsNode *node = LS_NODE (realize);
  gboolean opaque = block->iter_vars->n == 0;

  visit_child (v, node, 0);
  visit_child (v, node, 1);
  if (realize->iter_values->n != block->iter_vars->n)
    report (v, node, block, "tir/block-bindings", "Block %s has %u iteration variables and %u values for them.", block->name_hint,
            block->iter_vars->n, realize->iter_values->n);
  for (guint i = 0; i < block->iter_vars->n; i++)
    define (v, node, ls_array_at (block->iter_vars, i, LsIterVar)->var);
  for (guint i = 0; i < block->alloc_buffers->n; i++)
    declare_buffer (v, node, ls_array_at (block->alloc_buffers, i, LsBuffer), FALSE);
  for (guint i = 0; i < block->match_buffers->n; i++)
    declare_buffer (v, node, ls_array_at (block->match_buffers, i, LsMatchBufferRegion)->buffer, TRUE);
  v->n_blocks += !opaque;
  visit_child (v, node, 2);
  v->n_blocks -= !opaque;
  for (guint i = 0; i < block->iter_vars->n; i++)
    undefine (v, ls_array_at (block->iter_vars, i, LsIterVar)->var);
  for (guint i = 0; i < block->alloc_buffers->n; i++)
    {
      g_hash_table_remove (v->buffers, block->alloc_buffers->items[i]);
      undefine (v, ls_array_at (block->alloc_buffers, i, LsBuffer)->data);
    }
}

/* The domain of a block's variable stands outside the block: for k in range (i) gives T.axis.reduce (i, k). */
static void
visit_domain (Verifier *v,
              LsNode   *iter_var)
{
  guint inside = v->n_blocks;

  v->n_blocks = 0;
  visit_child (v, iter_var, 0);
  v->n_blocks = inside;
}

static void
visit_for (Verifier *v,
           LsFor    *loop)
{
  LsNode *node = LS_NODE (loop);
  guint n = ls_node_get_n_children (node);

  visit_child (v, node, 1);
  visit_child (v, node, 2);
  define (v, node, loop->loop_var);
  g_hash_table_insert (v->loops, loop->loop_var, GUINT_TO_POINTER (v->n_blocks + 1));
  visit_child (v, node, n - 1);
  undefine (v, loop->loop_var);
}

/* Statements that define one variable for their body, which is the last child but for annotations. */
static void
visit_scope (Verifier *v,
             LsNode   *node,
             LsVar    *var)
{
  guint n = ls_node_get_n_children (node);
  guint first = ls_is (node, LET_STMT) || ls_is (node, LET) ? 1 : 0;

  for (guint32 i = 0; i < first; i++)
    visit_child (v, node, i);
  define (v, node, var);
  for (guint32 i = first; i < n; i++)
    if (ls_node_get_child (node, i) != LS_NODE (var))
      visit_child (v, node, i);
  undefine (v, var);
}

static void
visit_attr (Verifier   *v,
            LsAttrStmt *attr)
{
  LsVar *var = ls_is (attr->subject, ITER_VAR) ? ((LsIterVar *) attr->subject)->var : NULL;
  gboolean fresh = var != NULL && !g_hash_table_contains (v->defined, var);

  visit_child (v, LS_NODE (attr), 1);
  if (fresh)
    define (v, LS_NODE (attr), var);
  visit_child (v, LS_NODE (attr), 2);
  if (fresh)
    undefine (v, var);
}

static void
visit (Verifier *v,
       LsNode   *node)
{
  switch ((int) ls_kind (node))
    {
    case LS_KIND_VAR:
    case LS_KIND_SIZE_VAR:
      use_var (v, node);
      return;
    case LS_KIND_BUFFER_LOAD:
      use_buffer (v, node, ((LsBufferLoad *) node)->buffer);
      if (((LsBufferLoad *) node)->indices->n != ((LsBufferLoad *) node)->buffer->shape->n)
        report (v, node, node, "tir/dimensions", "%s has %u dimensions and is read with %u indices.", ((LsBufferLoad *) node)->buffer->name,
                ((LsBufferLoad *) node)->buffer->shape->n, ((LsBufferLoad *) node)->indices->n);
      break;
    case LS_KIND_BUFFER_STORE:
      use_buffer (v, node, ((LsBufferStore *) node)->buffer);
      if (((LsBufferStore *) node)->indices->n != ((LsBufferStore *) node)->buffer->shape->n)
        report (v, node, node, "tir/dimensions", "%s has %u dimensions and is written with %u indices.", ((LsBufferStore *) node)->buffer->name,
                ((LsBufferStore *) node)->buffer->shape->n, ((LsBufferStore *) node)->indices->n);
      break;
    case LS_KIND_BLOCK_REALIZE:
      visit_block_realize (v, (LsBlockRealize *) node);
      return;
    case LS_KIND_ITER_VAR:
      visit_domain (v, node);
      return;
    case LS_KIND_MATCH_BUFFER_REGION:
      visit_child (v, node, 1);
      return;
    case LS_KIND_BUFFER:
      return;
    case LS_KIND_FOR:
      visit_for (v, (LsFor *) node);
      return;
    case LS_KIND_LET_STMT:
      visit_scope (v, node, ((LsLetStmt *) node)->var);
      return;
    case LS_KIND_LET:
      visit_scope (v, node, ((LsLet *) node)->var);
      return;
    case LS_KIND_ALLOCATE:
      visit_scope (v, node, ((LsAllocate *) node)->buffer_var);
      return;
    case LS_KIND_ALLOCATE_CONST:
      visit_scope (v, node, ((LsAllocateConst *) node)->buffer_var);
      return;
    case LS_KIND_DECL_BUFFER:
      declare_buffer (v, node, ((LsDeclBuffer *) node)->buffer, FALSE);
      break;
    case LS_KIND_BUFFER_REALIZE:
      declare_buffer (v, node, ((LsBufferRealize *) node)->buffer, FALSE);
      break;
    case LS_KIND_ATTR_STMT:
      visit_attr (v, (LsAttrStmt *) node);
      return;
    case LS_KIND_COMM_REDUCER:
    case LS_KIND_INDEX_MAP:
      return;
    default:
      break;
    }
  visit_children (v, node);
}

static gboolean
verify (LsPrimFunc    *func,
        LsNode        *root,
        guint32        position,
        LsDiagnostics *diagnostics)
{
  Verifier v = { diagnostics, root, g_array_new (FALSE, FALSE, sizeof (guint32)), g_hash_table_new (NULL, NULL), g_hash_table_new (NULL, NULL),
                 g_hash_table_new (NULL, NULL), g_hash_table_new (NULL, NULL), g_hash_table_new (NULL, NULL), 0, g_hash_table_new (NULL, NULL), TRUE };
  guint n = ls_node_get_n_children (LS_NODE (func));

  if (LS_NODE (func) != root)
    {
      guint32 functions = 1;

      g_array_append_val (v.path, functions);
      g_array_append_val (v.path, position);
    }
  for (guint i = 0; i < func->params->n; i++)
    define (&v, LS_NODE (func), ls_array_at (func->params, i, LsVar));
  for (guint i = 0; i < func->buffers->n; i++)
    if (ls_prim_func_get_buffer (func, i) != NULL)
      declare_buffer (&v, LS_NODE (func), ls_prim_func_get_buffer (func, i), TRUE);
  visit_child (&v, LS_NODE (func), n - 1);
  g_array_unref (v.path);
  g_hash_table_unref (v.defined);
  g_hash_table_unref (v.ever);
  g_hash_table_unref (v.buffers);
  g_hash_table_unref (v.data);
  g_hash_table_unref (v.loops);
  g_hash_table_unref (v.reported);
  return v.ok;
}

gboolean
ls_verify_prim_func (LsPrimFunc    *func,
                     LsDiagnostics *diagnostics)
{
  return verify (func, LS_NODE (func), 0, diagnostics);
}

gboolean
ls_verify_module (LsModule      *module,
                  LsDiagnostics *diagnostics)
{
  gboolean ok = TRUE;

  for (guint i = 0; i < module->functions->n; i++)
    if (ls_is (module->functions->items[i], PRIM_FUNC))
      ok = verify (ls_array_at (module->functions, i, LsPrimFunc), LS_NODE (module), i, diagnostics) && ok;
  return ok;
}
