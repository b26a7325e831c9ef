/* ThreadSync: barriers where threads read what others have written.
 *
 *     S[t] = A[t]                        S[t] = A[t]
 *     B[t] = S[7 - t]           ->       T.tvm_storage_sync ("shared")
 *                                        B[t] = S[7 - t]
 *
 * The statements of a kernel are followed in order with what each reads and writes in memory of the scope.  A read behind a write, or a
 * write behind a read, of one buffer needs a barrier between them, unless both are of one index that hangs on the innermost thread.  An
 * atomic function reads and writes its place; two of them need no barrier.  (TVM does not see them.)
 * A loop is followed twice, since its end comes before its begin; the accesses of an inner scope count for its statement, with the ranges
 * of its loop.  Barriers in a loop that may have no round, or in a condition, keep nothing apart that stands before it from what stands behind it.
 * A barrier cannot stand in a condition, but in one that T.tvm_thread_invariant says to be the same for all threads.  Behind T.attr (async_wait_queue_scope) one always stands.  Only scopes inside of a block of
 * threads: one for the global memory is refused.  Source of the concept: TVM's pass of the same name. */
#include "engine/arith/analyzer.h"
#include "engine/arith/arith.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"
#include "engine/tir/pass/thread-sync-access.h"

#include <string.h>

/* What one statement does. */
typedef struct {
  LsNode    *stmt;
  GPtrArray *accesses;          /* of LsSyncAccess */
  gboolean   may_skip;          /* a condition, or a loop of perhaps no round: its barriers are none for what stands around it */
} Step;

typedef struct {
  const char *scope;
  GHashTable *barriers;         /* statements before which one stands */
  GPtrArray  *scopes;           /* of GPtrArray of Step: the scopes around the place */
  GPtrArray  *threads;          /* Vars */
  Step       *current;          /* the statement whose expressions are visited, or NULL */
  guint       conditions;
  gboolean    in_kernel;
  GError     *error;
} Planner;

static LsVar *
innermost (Planner *self)
{
  return self->threads->len > 0 ? self->threads->pdata[self->threads->len - 1] : NULL;
}

static void
step_free (gpointer data)
{
  g_ptr_array_unref (((Step *) data)->accesses);
  g_free (data);
}

static Step *
step_new (LsNode *stmt)
{
  Step *self = g_new0 (Step, 1);

  self->stmt = stmt;
  self->accesses = ls_sync_accesses_new ();
  return self;
}

/* What is not behind a barrier yet. */
typedef struct { GPtrArray *reads, *writes; } Open;

static void
close_all (Open *open)
{
  g_ptr_array_set_size (open->reads, 0);
  g_ptr_array_set_size (open->writes, 0);
}

static gboolean
step_conflicts (Open     *given,
                Step     *step,
                gboolean  around)
{
  g_autoptr (GPtrArray) reads = step->may_skip ? g_ptr_array_copy (given->reads, NULL, NULL) : NULL;
  g_autoptr (GPtrArray) writes = step->may_skip ? g_ptr_array_copy (given->writes, NULL, NULL) : NULL;
  Open copy = { reads, writes }, *open = step->may_skip ? &copy : given;

  for (guint i = 0; i < step->accesses->len; i++)
    {
      LsSyncAccess *access = step->accesses->pdata[i];

      if (access->kind == LS_SYNC_BARRIER)
        close_all (open);
      else if (ls_sync_conflicts (access->kind == LS_SYNC_READ ? open->writes : open->reads, access, around))
        return TRUE;
    }
  return FALSE;
}

/* What is open behind a step. */
static void
add_open (Open *open,
          Step *step)
{
  guint first = 0;

  for (guint k = 0; k < step->accesses->len; k++)
    if (((LsSyncAccess *) step->accesses->pdata[k])->kind == LS_SYNC_BARRIER)
      first = k + 1;
  if (first > 0 && !step->may_skip)
    close_all (open);
  for (guint k = first; k < step->accesses->len; k++)
    {
      LsSyncAccess *access = step->accesses->pdata[k];

      g_ptr_array_add (access->kind == LS_SYNC_READ ? open->reads : open->writes, access);
    }
}

static void
refuse (Planner *self)
{
  if (self->error == NULL)
    g_set_error (&self->error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("A barrier for %s is needed inside of a condition, where not all threads reach it."), self->scope);
}

static void
put_barrier (Planner *self,
             Step    *step)
{
  if (self->conditions > 0)
    refuse (self);
  g_hash_table_add (self->barriers, step->stmt);
}

static void
follow (Planner   *self,
        GPtrArray *steps,
        gboolean   is_loop)
{
  g_autoptr (GPtrArray) reads = g_ptr_array_new ();
  g_autoptr (GPtrArray) writes = g_ptr_array_new ();
  Open open = { reads, writes };

  for (guint i = 0; i < steps->len; i++)
    {
      Step *step = steps->pdata[i];

      if (g_hash_table_contains (self->barriers, step->stmt))
        close_all (&open);
      if (step_conflicts (&open, step, FALSE))
        {
          put_barrier (self, step);
          close_all (&open);
        }
      add_open (&open, step);
    }
  for (guint i = 0; is_loop && i < steps->len; i++)
    {
      Step *step = steps->pdata[i];

      if (g_hash_table_contains (self->barriers, step->stmt) || (reads->len == 0 && writes->len == 0))
        return;
      if (!step_conflicts (&open, step, TRUE))
        continue;
      put_barrier (self, step);
      return;
    }
}

static void
note_exposed (Planner   *self,
              GPtrArray *head,
              GPtrArray *tail,
              guint     *n_barriers,
              LsSyncAccess    *access)
{
  if (access != NULL)
    {
      g_ptr_array_add (*n_barriers > 0 ? tail : head, ls_sync_access_ref (access));
      return;
    }
  if (*n_barriers > 0)
    g_ptr_array_set_size (tail, 0);
  else
    g_ptr_array_add (head, ls_sync_access_new (innermost (self), LS_SYNC_BARRIER, NULL));
  (*n_barriers)++;
}

/* What statements outside have to know: accesses before the first and behind the last barrier. (transfer full); takes the steps */
static GPtrArray *
summarize (Planner   *self,
           GPtrArray *steps,
           gboolean   is_loop)
{
  GPtrArray *head = ls_sync_accesses_new ();
  g_autoptr (GPtrArray) tail = ls_sync_accesses_new ();
  guint n_barriers = 0;

  follow (self, steps, is_loop);
  for (guint i = 0; i < steps->len; i++)
    {
      Step *step = steps->pdata[i];

      if (g_hash_table_contains (self->barriers, step->stmt))
        note_exposed (self, head, tail, &n_barriers, NULL);
      for (guint k = 0; k < step->accesses->len; k++)
        {
          LsSyncAccess *access = step->accesses->pdata[k];

          if (access->kind != LS_SYNC_BARRIER || !step->may_skip)
            note_exposed (self, head, tail, &n_barriers, access->kind == LS_SYNC_BARRIER ? NULL : access);
        }
    }
  for (guint i = 0; i < tail->len; i++)
    g_ptr_array_add (head, ls_sync_access_ref (tail->pdata[i]));
  g_ptr_array_unref (steps);
  return head;
}

/* ---- the program ------------------------------------------------------------------------- */

static void visit (Planner *self, gpointer node);

static void
enter_scope (Planner *self)
{
  g_ptr_array_add (self->scopes, g_ptr_array_new_with_free_func (step_free));
}

static GPtrArray *
leave_scope (Planner *self,
             gboolean is_loop)
{
  return summarize (self, g_ptr_array_steal_index (self->scopes, self->scopes->len - 1), is_loop);
}

static void
add_step (Planner *self,
          Step    *step)
{
  if (self->scopes->len > 0)
    g_ptr_array_add (self->scopes->pdata[self->scopes->len - 1], step);
  else
    step_free (step);
}

/* The step of a scope that was left. Takes the accesses. */
static void
add_summary (Planner   *self,
             LsNode    *stmt,
             GPtrArray *accesses,
             gboolean   may_skip)
{
  Step *step = step_new (stmt);

  step->may_skip = may_skip;

  g_ptr_array_unref (step->accesses);
  step->accesses = accesses;
  add_step (self, step);
}

static gboolean
is_watched (Planner *self,
            LsVar   *buffer)
{
  return self->in_kernel && self->current != NULL && strcmp (ls_pointer_scope (buffer), self->scope) == 0;
}

/* NULL: the memory is none that is looked at.  (transfer none) */
static LsSyncAccess *
note_access (Planner    *self,
             LsSyncKind  kind,
             LsVar      *buffer,
             LsArray    *indices)
{
  LsSyncAccess *access;

  if (!is_watched (self, buffer))
    return NULL;
  access = ls_sync_access_new (innermost (self), kind, buffer);
  for (guint i = 0; i < indices->n; i++)
    g_ptr_array_add (access->touched, ls_int_set_vector (ls_array_at (indices, i, LsExpr)));
  g_ptr_array_add (self->current->accesses, access);
  return access;
}

/* The place that an atomic function changes; NULL: it is another call.  (transfer none) */
static LsBufferLoad *
atomic_place (LsCall *call)
{
  guint first = ls_is_call (call, "tir.call_extern") ? 1 : 0;
  LsCall *pointer = call->args->n > first ? ls_array_at (call->args, first, LsCall) : NULL;

  if (first == 1 && !(ls_is (call->args->items[0], STRING_IMM) && g_str_has_prefix (((LsStringImm *) call->args->items[0])->value, "atomic")))
    return NULL;
  if ((first == 0 && !ls_is_call (call, "tir.atomic_add")) || pointer == NULL || !ls_is_call (pointer, "tir.address_of") || !ls_is (pointer->args->items[0], BUFFER_LOAD))
    return NULL;
  return ls_array_at (pointer->args, 0, LsBufferLoad);
}

static void
note_atomic (Planner      *self,
             LsBufferLoad *place)
{
  for (LsSyncKind kind = LS_SYNC_READ; place != NULL && kind <= LS_SYNC_WRITE; kind++)
    {
      LsSyncAccess *access = note_access (self, kind, place->buffer->data, place->indices);

      if (access != NULL)
        access->is_atomic = TRUE;
    }
}

static void
note_pointer (Planner *self,
              LsCall  *call)
{
  gint64 mask;

  if (!ls_is_var (call->args->items[1]) || !is_watched (self, (LsVar *) call->args->items[1]) || !ls_as_int (call->args->items[4], &mask))
    return;
  for (guint bit = 0; bit < 2; bit++)
    if (mask & (1 << bit))
      {
        LsSyncAccess *access = ls_sync_access_new (innermost (self), bit == 0 ? LS_SYNC_READ : LS_SYNC_WRITE, (LsVar *) call->args->items[1]);

        g_ptr_array_add (access->touched, ls_int_set_from_min_extent (ls_array_at (call->args, 2, LsExpr), ls_array_at (call->args, 3, LsExpr)));
        g_ptr_array_add (self->current->accesses, access);
      }
}

static void
visit_children (Planner *self,
                LsNode  *node)
{
  for (guint i = 0; i < ls_node_get_n_children (node); i++)
    visit (self, ls_node_get_child (node, i));
}

static void
visit_call (Planner *self,
            LsCall  *call)
{
  LsNode *first = call->args->n > 0 ? call->args->items[0] : NULL;

  if (ls_is_call (call, "tir.address_of") && ls_is (first, BUFFER_LOAD))
    visit (self, ((LsBufferLoad *) first)->indices);
  else if (ls_is_call (call, "tir.tvm_storage_sync"))
    {
      if (self->current != NULL && ls_is (first, STRING_IMM) && strcmp (((LsStringImm *) first)->value, "warp") != 0)
        g_ptr_array_add (self->current->accesses, ls_sync_access_new (innermost (self), LS_SYNC_BARRIER, NULL));
    }
  else
    {
      if (ls_is_call (call, "tir.tvm_access_ptr") && call->args->n == 5)
        note_pointer (self, call);
      note_atomic (self, atomic_place (call));
      visit_children (self, LS_NODE (call));
    }
}

/* A statement whose expressions are one step. */
static void
visit_leaf (Planner *self,
            LsNode  *node)
{
  LsBufferStore *store = (LsBufferStore *) node;
  Step *step = step_new (node);

  self->current = step;
  if (ls_is (node, BUFFER_STORE))
    note_access (self, LS_SYNC_WRITE, store->buffer->data, store->indices);
  if (ls_is (node, LET_STMT))
    visit (self, ((LsLetStmt *) node)->value);
  else
    visit_children (self, node);
  self->current = NULL;
  if (step->accesses->len > 0 || !ls_is (node, EVALUATE))
    add_step (self, step);
  else
    step_free (step);
  if (ls_is (node, LET_STMT))
    visit (self, ((LsLetStmt *) node)->body);
}

static void
widen (GPtrArray *accesses,
       LsFor     *loop)
{
  g_autoptr (LsDomMap) dom = ls_dom_map_new ();
  g_autoptr (LsRange) range = ls_range_new (ls_ref (loop->min), ls_ref (loop->extent));

  ls_dom_map_set_range (dom, loop->loop_var, range);
  for (guint i = 0; i < accesses->len; i++)
    {
      LsSyncAccess *access = accesses->pdata[i];

      access->is_ahead = FALSE;
      for (guint k = 0; k < access->touched->len; k++)
        {
          LsIntSet *set = access->touched->pdata[k];

          access->touched->pdata[k] = ls_eval_set_set (set, dom);
          ls_int_set_unref (set);
        }
    }
}

static gboolean
has_rounds (LsFor *loop)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr (LsExpr) positive = ls_gt (ls_ref (loop->extent), ls_const_int (ls_dtype (loop->extent), 0));

  return ls_analyzer_can_prove (analyzer, positive);
}

static void
visit_for (Planner *self,
           LsFor   *loop)
{
  GPtrArray *accesses;

  enter_scope (self);
  visit (self, loop->body);
  accesses = leave_scope (self, TRUE);
  widen (accesses, loop);
  if (accesses->len > 0)
    add_summary (self, LS_NODE (loop), accesses, !has_rounds (loop));
  else
    g_ptr_array_unref (accesses);
}

static gboolean
has_barrier (Step *step)
{
  for (guint i = 0; i < step->accesses->len; i++)
    if (((LsSyncAccess *) step->accesses->pdata[i])->kind == LS_SYNC_BARRIER)
      return TRUE;
  return FALSE;
}

static void
visit_branches (Planner *self,
                LsNode  *node)
{
  LsIfThenElse *branch = (LsIfThenElse *) node;
  gboolean is_if = ls_is (node, IF_THEN_ELSE);
  LsExpr *condition = is_if ? branch->condition : ((LsWhile *) node)->condition;
  gboolean is_uniform = ls_is (condition, CALL) && ls_is_call ((LsCall *) condition, "tir.tvm_thread_invariant");
  Step *step = step_new (node);
  gpointer parts[] = { is_if ? branch->then_case : ((LsWhile *) node)->body, is_if ? branch->else_case : NULL };

  step->may_skip = TRUE;
  self->conditions += is_uniform ? 0 : 1;
  self->current = step;
  visit (self, condition);
  self->current = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i] != NULL)
      {
        g_autoptr (GPtrArray) inner = NULL;

        if (has_barrier (step))         /* which the other branch does not reach */
          {
            add_step (self, step);
            step = step_new (node);
            step->may_skip = TRUE;
          }
        enter_scope (self);
        visit (self, parts[i]);
        inner = leave_scope (self, !is_if);
        if (!is_if && ls_sync_changes_any (inner, step->accesses))      /* the next round asks for it again */
          refuse (self);
        for (guint k = 0; k < inner->len; k++)
          g_ptr_array_add (step->accesses, ls_sync_access_ref (inner->pdata[k]));
      }
  self->conditions -= is_uniform ? 0 : 1;
  add_step (self, step);
}

static void
visit_ahead (Planner    *self,
             LsAttrStmt *attr)
{
  GPtrArray *accesses;

  enter_scope (self);
  visit (self, attr->body);
  accesses = leave_scope (self, FALSE);
  for (guint i = 0; i < accesses->len; i++)
    {
      LsSyncAccess *access = accesses->pdata[i];

      access->is_ahead = access->is_ahead || (access->kind == LS_SYNC_WRITE && LS_NODE (access->buffer) == attr->subject);
    }
  if (accesses->len > 0)
    add_summary (self, LS_NODE (attr), accesses, FALSE);
  else
    g_ptr_array_unref (accesses);
}

static void
visit_threads (Planner    *self,
               LsAttrStmt *attr)
{
  gboolean begins = !self->in_kernel;

  g_ptr_array_add (self->threads, ls_thread_axis (attr)->var);
  self->in_kernel = TRUE;
  if (begins)
    enter_scope (self);
  visit (self, attr->body);
  if (begins)
    {
      g_ptr_array_unref (leave_scope (self, FALSE));
      self->in_kernel = FALSE;
    }
  g_ptr_array_set_size (self->threads, self->threads->len - 1);
}

static void
visit (Planner *self,
       gpointer node)
{
  LsBufferLoad *load = node;

  if (node == NULL || ls_is (node, BUFFER))
    return;
  if (ls_is (node, BUFFER_LOAD))
    {
      note_access (self, LS_SYNC_READ, load->buffer->data, load->indices);
      visit_children (self, node);
    }
  else if (ls_is (node, CALL))
    visit_call (self, node);
  else if (ls_is (node, BUFFER_STORE) || ls_is (node, EVALUATE) || ls_is (node, LET_STMT))
    visit_leaf (self, node);
  else if (ls_is (node, FOR))
    visit_for (self, node);
  else if (ls_is (node, IF_THEN_ELSE) || ls_is (node, WHILE))
    visit_branches (self, node);
  else if (ls_is_attr (node, "double_buffer_write"))
    visit_ahead (self, node);
  else if (ls_is_attr (node, "thread_extent") && ls_thread_axis (node) != NULL)
    visit_threads (self, node);
  else if (ls_is (node, ATTR_STMT))
    visit (self, ((LsAttrStmt *) node)->body);
  else
    visit_children (self, node);
}

static LsStmt *
barrier (const char *scope)
{
  return ls_evaluate_new (ls_call_op ("tir.tvm_storage_sync", LS_INT32, ls_array_of (ls_string_imm_new (scope), NULL)));
}

static LsNode *
barrier_filter (LsRewriter *rewriter,
                LsNode     *node,
                gpointer    user_data)
{
  Planner *self = user_data;
  g_autoptr (LsNode) result = NULL;

  if (ls_is_expr (node))
    return ls_node_ref (node);
  result = ls_rewrite_default (rewriter, node);
  if (result != node && ls_is (result, SEQ_STMT))
    ls_take (&result, LS_NODE (ls_seq (ls_ref (((LsSeqStmt *) result)->seq))));
  if (!g_hash_table_contains (self->barriers, node))
    return g_steal_pointer (&result);
  return LS_NODE (ls_seq (ls_array_of (barrier (self->scope), g_steal_pointer (&result), NULL)));
}

/* A barrier behind each wait for an asynchronous copy. */
static LsNode *
wait_filter (LsRewriter *rewriter,
             LsNode     *node,
             gpointer    user_data)
{
  LsAttrStmt *attr = (LsAttrStmt *) node, *inner = ls_is_attr (node, "async_wait_queue_scope") ? (LsAttrStmt *) attr->body : NULL;
  LsStmt *body;

  if (ls_is_expr (node))
    return ls_node_ref (node);
  if (inner == NULL || !ls_is_attr (inner, "async_wait_inflight_count"))
    return ls_rewrite_default (rewriter, node);
  body = ls_seq (ls_array_of (barrier (user_data), ls_ref (inner->body), NULL));
  body = ls_attr_stmt_new (ls_int (0), "async_wait_inflight_count", ls_ref (inner->value), body);
  return LS_NODE (ls_attr_stmt_new (ls_int (0), "async_wait_queue_scope", ls_ref (attr->value), body));
}

LsPrimFunc *
ls_pass_thread_sync (LsPrimFunc  *func,
                     LsMap       *options,
                     GError     **error)
{
  const char *scope = ls_pass_word (options, "storage_scope", "shared");
  g_autoptr (GHashTable) barriers = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) scopes = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  g_autoptr (GPtrArray) threads = g_ptr_array_new ();
  Planner self = { .scope = scope, .barriers = barriers, .scopes = scopes, .threads = threads };
  g_autoptr (LsNode) waits = NULL;
  g_autoptr (LsNode) body = NULL;

  if (g_str_has_prefix (scope, "global"))
    {
      g_set_error (error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("Barriers are for memory of one block of threads; %s is seen by all of them."), scope);
      return NULL;
    }
  waits = strcmp (scope, "shared") == 0 ? ls_rewrite_with (func->body, wait_filter, (gpointer) scope) : ls_node_ref (LS_NODE (func->body));
  visit (&self, waits);
  if (self.error != NULL)
    {
      g_propagate_error (error, self.error);
      return NULL;
    }
  body = ls_rewrite_with (waits, barrier_filter, &self);
  return ls_pass_with_body (func, body);
}
