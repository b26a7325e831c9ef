/* InlinePrivateFunctions: functions that only the module itself sees are put where they are called.
 *
 *     Module.sub (T.address_of (X[i, 0]), 16)   ->   <body of sub, where its parameter n is 16 and>
 *                                                    with T.LetStmt (T.address_of (X[i, 0])) as a:
 *                                                        A = T.decl_buffer ((n,), data=a)
 *
 * Parameters are replaced by what is passed (specialize.c); an address is bound where a buffer is declared on it.
 * A function is put in when it has no global_symbol, takes no buffers, holds no block, and does not call itself, not even
 * through others; a call counts where it stands alone as a statement and both sides have the same target.  Each copy has
 * variables of its own.  Functions that nobody calls any more leave the module.  Source of the concept: TVM's pass of the
 * same name. */
#include "engine/ir/functions.h"
#include "engine/tir/pass/pass.h"
#include "engine/tir/renew.h"
#include "engine/tir/specialize.h"

#include <string.h>

typedef struct {
  LsModule   *module;
  GHashTable *done;             /* name -> PrimFunc with the calls inside it replaced; owned */
  GHashTable *inlinable;        /* set of names, borrowed */
  GHashTable *still_called;     /* set of names, borrowed */
  LsPrimFunc *current;
} State;

static LsWalk
note_calls (LsNode   *node,
            gpointer  user_data)
{
  if (ls_is (node, GLOBAL_VAR))
    g_hash_table_add (user_data, ((LsGlobalVar *) node)->name_hint);
  return LS_WALK_CONTINUE;
}

/* ---- who calls itself ---- */

typedef struct {
  const char *name;
  GPtrArray  *calls;            /* names of functions of the module, borrowed */
  guint       at;               /* the next one to follow */
  guint       number, low;      /* when it was reached; the earliest on the way that it leads back to */
  gboolean    on_way;
  gboolean    recursive;
} Caller;

static void
caller_free (gpointer data)
{
  Caller *self = data;

  g_ptr_array_unref (self->calls);
  g_free (self);
}

static LsWalk
list_calls (LsNode   *node,
            gpointer  user_data)
{
  Caller *caller = user_data;

  if (ls_is (node, GLOBAL_VAR))
    g_ptr_array_add (caller->calls, ((LsGlobalVar *) node)->name_hint);
  return LS_WALK_CONTINUE;
}

/* Name -> Caller, for every PrimFunc. (transfer full) */
static GHashTable *
list_callers (LsModule *module)
{
  GHashTable *callers = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, caller_free);

  for (guint i = 0; i < module->functions->n; i++)
    if (ls_is (module->functions->items[i], PRIM_FUNC))
      {
        Caller *caller = g_new0 (Caller, 1);

        caller->name = ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint;
        caller->calls = g_ptr_array_new ();
        ls_walk (ls_array_at (module->functions, i, LsPrimFunc)->body, list_calls, NULL, caller);
        g_hash_table_insert (callers, (gpointer) caller->name, caller);
      }
  return callers;
}

static void
reach (Caller    *caller,
       guint     *n,
       GPtrArray *path,
       GPtrArray *open)
{
  caller->number = caller->low = ++*n;
  caller->on_way = TRUE;
  g_ptr_array_add (path, caller);
  g_ptr_array_add (open, caller);
}

/* All that has been reached since `caller` and leads back to it is one circle with it. */
static void
close_circle (Caller    *caller,
              GPtrArray *open)
{
  gboolean alone = open->pdata[open->len - 1] == caller;
  Caller *last;

  do
    {
      last = g_ptr_array_steal_index (open, open->len - 1);
      last->on_way = FALSE;
      last->recursive = last->recursive || !alone;
    }
  while (last != caller);
}

/* Marks the functions from which calls lead back to them, each function looked at once: R. Tarjan, "Depth-first search and linear graph
 * algorithms", 1972. */
static void
find_recursive (LsModule   *module,
                GHashTable *callers)
{
  g_autoptr (GPtrArray) path = g_ptr_array_new (), open = g_ptr_array_new ();
  guint n = 0;

  for (guint i = 0; i < module->global_vars->n; i++)
    {
      Caller *start = g_hash_table_lookup (callers, ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint);

      if (start != NULL && start->number == 0)
        reach (start, &n, path, open);
      while (path->len > 0)
        {
          Caller *caller = path->pdata[path->len - 1];
          Caller *next = caller->at < caller->calls->len ? g_hash_table_lookup (callers, caller->calls->pdata[caller->at]) : NULL;

          if (caller->at == caller->calls->len)
            {
              g_ptr_array_set_size (path, (gint) path->len - 1);
              if (path->len > 0)
                ((Caller *) path->pdata[path->len - 1])->low = MIN (((Caller *) path->pdata[path->len - 1])->low, caller->low);
              if (caller->low == caller->number)
                close_circle (caller, open);
              continue;
            }
          caller->at++;
          if (next == caller)
            caller->recursive = TRUE;
          else if (next != NULL && next->number == 0)
            reach (next, &n, path, open);
          else if (next != NULL && next->on_way)
            caller->low = MIN (caller->low, next->number);
        }
    }
}

static gboolean
is_inlinable (GHashTable *callers,
              const char *name,
              LsPrimFunc *func)
{
  if (ls_map_get (func->attrs, "global_symbol") != NULL || (func->body->facts & LS_FACT_HAS_BLOCK) != 0)
    return FALSE;
  for (guint i = 0; i < func->params->n; i++)
    if (ls_prim_func_get_buffer (func, i) != NULL)
      return FALSE;
  return !((Caller *) g_hash_table_lookup (callers, name))->recursive;
}

static LsPrimFunc *finished (State *state, const char *name);

typedef struct {
  LsVar      *data;
  GHashTable *declared;         /* LsBuffer on that data */
  gboolean    undeclared;       /* a buffer on it that is not is accessed */
} Views;

static LsWalk
note_views (LsNode   *node,
            gpointer  user_data)
{
  Views *views = user_data;
  LsBuffer *buffer = NULL;

  if (ls_is (node, DECL_BUFFER))
    g_hash_table_add (views->declared, ((LsDeclBuffer *) node)->buffer);
  else if (ls_is (node, BUFFER_LOAD))
    buffer = ((LsBufferLoad *) node)->buffer;
  else if (ls_is (node, BUFFER_STORE))
    buffer = ((LsBufferStore *) node)->buffer;
  if (buffer != NULL && buffer->data == views->data && !g_hash_table_contains (views->declared, buffer))
    views->undeclared = TRUE;
  return LS_WALK_CONTINUE;
}

/* Is memory at this address accessed by buffers that no statement declares?  Then its variable is bound around everything. */
static gboolean
has_undeclared_views (LsPrimFunc *func,
                      LsVar      *data)
{
  g_autoptr (GHashTable) declared = g_hash_table_new (NULL, NULL);
  Views views = { data, declared, FALSE };

  ls_walk (func->body, note_views, NULL, &views);
  return views.undeclared;
}

static LsNode *
put_in (LsPrimFunc *callee,
        LsArray    *args)
{
  g_autoptr (GHashTable) values = g_hash_table_new (NULL, NULL);
  LsPrimFunc *copy = ls_prim_func_renew_definitions (callee);
  LsPrimFunc *special;
  LsStmt *body;

  for (guint i = 0; i < copy->params->n; i++)
    if (ls_is_var (args->items[i]) || !has_undeclared_views (copy, ls_array_at (copy->params, i, LsVar)))
      g_hash_table_insert (values, copy->params->items[i], args->items[i]);
  special = ls_prim_func_specialize (copy, values);
  body = ls_ref (special->body);
  for (guint i = copy->params->n; i-- > 0;)
    if (!g_hash_table_contains (values, copy->params->items[i]))
      body = ls_let_stmt_new (ls_ref (ls_array_at (copy->params, i, LsVar)), ls_ref (ls_array_at (args, i, LsExpr)), body);
  ls_unref (special);
  ls_unref (copy);
  return LS_NODE (body);
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  State *state = user_data;
  LsCall *call = ls_is (node, EVALUATE) ? (LsCall *) ((LsEvaluate *) node)->value : NULL;

  if (ls_is_expr (node))
    {
      ls_walk (node, note_calls, NULL, state->still_called);
      return ls_node_ref (node);
    }
  if (ls_is (call, CALL) && ls_is (call->op, GLOBAL_VAR) && g_hash_table_contains (state->inlinable, ((LsGlobalVar *) call->op)->name_hint))
    {
      LsPrimFunc *caller = state->current;
      LsPrimFunc *callee = finished (state, ((LsGlobalVar *) call->op)->name_hint);
      LsNode *ours, *theirs;

      state->current = caller;
      ours = ls_map_get (caller->attrs, "target");
      theirs = ls_map_get (callee->attrs, "target");
      if (callee->params->n == call->args->n && (theirs == ours || (theirs != NULL && ours != NULL && ls_structural_equal (ours, theirs, FALSE, NULL, NULL))))
        return put_in (callee, call->args);
    }
  return ls_rewrite_default (rewriter, node);
}

/* The function of a name with its calls replaced. Borrowed. */
static LsPrimFunc *
finished (State      *state,
          const char *name)
{
  LsPrimFunc *func = g_hash_table_lookup (state->done, name);
  LsRewriter rewriter = { filter, state, NULL, NULL };
  LsNode *body;

  if (func != NULL)
    return func;
  func = (LsPrimFunc *) ls_module_get (state->module, name);
  state->current = func;
  body = ls_rewrite (&rewriter, func->body);
  func = ls_pass_with_body (func, body);
  ls_unref (body);
  g_hash_table_insert (state->done, (gpointer) name, func);
  return func;
}

LsModule *
ls_pass_inline_private_functions (LsModule  *module,
                                  LsMap     *options,
                                  GError   **error)
{
  g_autoptr (GHashTable) done = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr (GHashTable) inlinable = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) still_called = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) callers = list_callers (module);
  State state = { module, done, inlinable, still_called, NULL };
  LsModuleBuilder *result = ls_module_builder_new (module);

  find_recursive (module, callers);
  for (guint i = 0; i < module->functions->n; i++)
    {
      char *name = ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint;

      if (ls_is (module->functions->items[i], PRIM_FUNC) && is_inlinable (callers, name, ls_array_at (module->functions, i, LsPrimFunc)))
        g_hash_table_add (inlinable, name);
    }
  for (guint i = 0; i < module->functions->n; i++)
    {
      char *name = ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint;
      LsNode *func = module->functions->items[i];

      if (!ls_is (func, PRIM_FUNC))
        ls_walk (func, note_calls, NULL, still_called);
      else if (!g_hash_table_contains (inlinable, name))
        ls_module_builder_put (result, name, finished (&state, name));
    }
  for (guint i = 0; i < module->functions->n; i++)
    {
      char *name = ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint;

      if (g_hash_table_contains (inlinable, name) && g_hash_table_contains (still_called, name))
        ls_module_builder_put (result, name, finished (&state, name));
      else if (g_hash_table_contains (inlinable, name))
        ls_module_builder_remove (result, name);
    }
  return ls_module_builder_finish (result);
}
