/* InjectDoubleBuffer: the next round's data is fetched while this round computes.
 *
 *     for i in range (n):                                B = T.allocate ([8])
 *         B = T.allocate ([4])                           B[0 .. 3] = A[0 ...]                        (round 0)
 *         with T.attr (B, "double_buffer_scope", 1):     for i in range (n):
 *             B[...] = A[i ...]                    ->        if i + 1 < n:
 *         C[...] = B[...]                                        B[(i + 1) % 2 * 4 ...] = A[(i + 1) ...]
 *                                                            C[...] = B[i % 2 * 4 ...]
 *
 * The buffer gets twice its memory; it is allocated around the loop.  The option split_loop (1; 0 none) writes the loop out
 * by this factor, so that the halves are constant, with the rest behind it.  Source of the concept: TVM's pass of the same name. */
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"

typedef struct {
  LsExpr *stride;               /* elements of one half; owned */
  LsVar  *write;                /* the half that is written; owned */
  LsExpr *read;                 /* the half that is read; owned */
} Twin;

/* What stands before a loop. */
typedef struct {
  GPtrArray *fetches;           /* LsStmt; owned */
  GPtrArray *allocations;       /* LsAllocate; owned */
  GPtrArray *declared;          /* LsBuffer, of those allocations; owned */
} Before;

typedef struct {
  GHashTable *twins;            /* Var of a buffer -> Twin; owned */
  GHashTable *before;           /* LsFor -> Before; owned */
  GHashTable *buffers;          /* Buffer -> Buffer; owned */
  GPtrArray  *loops;            /* around the place */
  gint64      factor;
  gboolean    producing;
  GError     *error;
} State;

static void
twin_free (gpointer data)
{
  Twin *self = data;

  ls_unref (self->stride);
  ls_unref (self->write);
  ls_unref (self->read);
  g_free (self);
}

static void
before_free (gpointer data)
{
  Before *self = data;

  g_ptr_array_unref (self->fetches);
  g_ptr_array_unref (self->allocations);
  g_ptr_array_unref (self->declared);
  g_free (self);
}

static Before *
before_loop (State *state,
             LsFor *loop)
{
  Before *known = g_hash_table_lookup (state->before, loop);

  if (known != NULL)
    return known;
  known = g_new0 (Before, 1);
  known->fetches = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  known->allocations = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  known->declared = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_hash_table_insert (state->before, loop, known);
  return known;
}

/* Buffers that are doubled: marked, and never passed on as pointers. */
static LsWalk
note_marked (LsNode   *node,
             gpointer  user_data)
{
  GHashTable *twins = user_data;
  LsAttrStmt *attr = (LsAttrStmt *) node;

  if (ls_is_attr (node, "double_buffer_scope") && ls_is_var (attr->subject))
    g_hash_table_insert (twins, attr->subject, g_new0 (Twin, 1));
  return LS_WALK_CONTINUE;
}

static LsWalk
drop_passed (LsNode   *node,
             gpointer  user_data)
{
  LsCall *call = (LsCall *) node;

  for (guint i = 0; ls_is (node, CALL) && i < call->args->n; i++)
    g_hash_table_remove (user_data, call->args->items[i]);
  return LS_WALK_CONTINUE;
}

static LsExpr *
half (LsExpr *round)
{
  return ls_floormod (ls_ref (round), ls_const_int (ls_dtype (round), 2));
}

static LsStmt *
produce (LsRewriter *rewriter,
         State      *state,
         LsAttrStmt *attr)
{
  Twin *twin = g_hash_table_lookup (state->twins, attr->subject);
  LsFor *loop = state->loops->len > 0 ? state->loops->pdata[state->loops->len - 1] : NULL;
  g_autoptr (GHashTable) values = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr (LsExpr) next = NULL;
  g_autofree char *name = NULL;
  g_autoptr (LsNode) body = NULL;
  LsStmt *later;

  if (twin == NULL)
    return (LsStmt *) ls_rewrite (rewriter, attr->body);
  if (loop == NULL)
    {
      if (state->error == NULL)
        g_set_error (&state->error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("A double buffer stands in a loop."));
      return ls_ref (LS_STMT (attr));
    }
  name = g_strdup_printf ("%s.db", loop->loop_var->name);
  ls_take (&twin->write, ls_var_copy (loop->loop_var, name));
  ls_take (&twin->read, half (LS_EXPR (loop->loop_var)));
  state->producing = TRUE;
  body = ls_rewrite (rewriter, attr->body);
  state->producing = FALSE;
  g_hash_table_insert (values, twin->write, ls_const_int (ls_dtype (loop->loop_var), 0));
  g_hash_table_insert (values, loop->loop_var, ls_const_int (ls_dtype (loop->loop_var), 0));
  g_ptr_array_add (before_loop (state, loop)->fetches, ls_substitute (body, values));
  next = ls_add (LS_EXPR (ls_ref (loop->loop_var)), ls_const_int (ls_dtype (loop->loop_var), 1));
  g_hash_table_insert (values, twin->write, half (next));
  g_hash_table_insert (values, loop->loop_var, ls_ref (next));
  later = ls_attr_stmt_new (ls_node_ref (attr->subject), "double_buffer_write", ls_int (1), ls_substitute (body, values));
  return ls_if_then_else_new (ls_lt (g_steal_pointer (&next), ls_ref (loop->extent)), later, NULL);
}

static LsStmt *
double_allocation (LsRewriter *rewriter,
                   State      *state,
                   LsAllocate *allocate,
                   Twin       *twin)
{
  LsFor *loop = state->loops->len > 0 ? state->loops->pdata[state->loops->len - 1] : NULL;
  LsExpr *extent = ls_array_at (allocate->extents, 0, LsExpr);
  LsStmt *body;

  if (loop == NULL || allocate->extents->n != 1)
    {
      if (state->error == NULL)
        g_set_error (&state->error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("The double buffer `%s` is allocated flat inside of a loop."), allocate->buffer_var->name);
      return ls_ref (LS_STMT (allocate));
    }
  ls_take (&twin->stride, ls_ref (extent));
  body = (LsStmt *) ls_rewrite (rewriter, allocate->body);
  g_ptr_array_add (before_loop (state, loop)->allocations,
                   ls_allocate_new (ls_ref (allocate->buffer_var), allocate->dtype, ls_array_of (ls_mul (ls_ref (extent), ls_const_int (ls_dtype (extent), 2)), NULL),
                                    ls_ref (allocate->condition), ls_evaluate_zero (), NULL));
  return body;
}

static LsNode *
without_writes (LsRewriter *rewriter,
                LsNode     *node,
                gpointer    user_data)
{
  if (ls_is_attr (node, "double_buffer_write"))
    return ls_rewrite (rewriter, ((LsAttrStmt *) node)->body);
  return ls_is_expr (node) ? ls_node_ref (node) : ls_rewrite_default (rewriter, node);
}

static LsStmt *
body_at (LsFor  *loop,
         LsStmt *body,
         LsExpr *round)
{
  g_autoptr (LsExpr) value = round;

  return ls_substitute_one (body, loop->loop_var, value);
}

/* The loop written out by a factor and the rounds that are left.  Takes nothing. */
static LsStmt *
split_rounds (LsFor *loop,
              gint64 factor)
{
  LsDType type = ls_dtype (loop->loop_var);
  g_autofree char *name = g_strdup_printf ("%s.outer", loop->loop_var->name);
  LsVar *outer = ls_var_new (name, type);
  g_autoptr (LsExpr) times = ls_truncdiv (ls_sub (ls_ref (loop->extent), ls_const_int (type, 1)), ls_const_int (type, factor));
  g_autoptr (LsNode) last = ls_rewrite_with (loop->body, without_writes, NULL);
  GPtrArray *rounds = g_ptr_array_new (), *parts = g_ptr_array_new ();

  for (gint64 i = 0; i < factor; i++)
    g_ptr_array_add (rounds, body_at (loop, loop->body, ls_add (ls_mul (LS_EXPR (ls_ref (outer)), ls_const_int (type, factor)), ls_const_int (type, i))));
  g_ptr_array_add (parts, ls_for_new (outer, ls_ref (loop->min), ls_ref (times), loop->kind, ls_seq (ls_array_take_ptr_array (rounds)), NULL, NULL));
  for (gint64 i = 0; i < factor; i++)
    {
      LsExpr *round = ls_add (ls_mul (ls_ref (times), ls_const_int (type, factor)), ls_const_int (type, i));
      LsExpr *exists = ls_lt (ls_ref (round), ls_ref (loop->extent));

      g_ptr_array_add (parts, ls_if_then_else_new (exists, body_at (loop, last, round), NULL));
    }
  return ls_seq (ls_array_take_ptr_array (parts));
}

static LsStmt *
rewrite_loop (LsRewriter *rewriter,
              State      *state,
              LsFor      *loop)
{
  LsStmt *stmt;
  Before *before;

  g_ptr_array_add (state->loops, loop);
  stmt = (LsStmt *) ls_rewrite_default (rewriter, loop);
  g_ptr_array_set_size (state->loops, state->loops->len - 1);
  before = g_hash_table_lookup (state->before, loop);
  if (before != NULL && before->fetches->len > 0)
    {
      GPtrArray *parts = g_ptr_array_new ();

      if (state->factor > 0)
        ls_take (&stmt, split_rounds ((LsFor *) stmt, state->factor));
      for (guint i = 0; i < before->fetches->len; i++)
        g_ptr_array_add (parts, ls_node_ref (before->fetches->pdata[i]));
      g_ptr_array_add (parts, stmt);
      stmt = ls_seq (ls_array_take_ptr_array (parts));
    }
  for (guint i = before != NULL ? before->allocations->len : 0; i-- > 0;)
    {
      LsAllocate *allocate = before->allocations->pdata[i];

      for (guint j = before->declared->len; j-- > 0;)
        if (((LsBuffer *) before->declared->pdata[j])->data == allocate->buffer_var)
          stmt = ls_decl_buffer_new (ls_ref ((LsBuffer *) before->declared->pdata[j]), stmt);
      stmt = ls_allocate_new (ls_ref (allocate->buffer_var), allocate->dtype, ls_ref (allocate->extents), ls_ref (allocate->condition), stmt, NULL);
    }
  return stmt;
}

static LsBuffer *
doubled (State    *state,
         LsBuffer *buffer,
         Twin     *twin)
{
  LsBuffer *known = g_hash_table_lookup (state->buffers, buffer);
  g_autoptr (LsArray) shape = NULL;

  if (known == NULL)
    {
      shape = ls_array_of (ls_add (ls_ref (ls_array_at (buffer->shape, 0, LsExpr)), ls_ref (twin->stride)), NULL);
      known = ls_buffer_with (buffer, NULL, LS_VOID, shape);
      g_hash_table_insert (state->buffers, ls_ref (buffer), known);
    }
  return ls_ref (known);
}

/* The declaration of a doubled buffer goes where its allocation went. */
static LsStmt *
double_declaration (LsRewriter   *rewriter,
                    State        *state,
                    LsDeclBuffer *decl)
{
  Twin *twin = g_hash_table_lookup (state->twins, decl->buffer->data);
  LsFor *loop = state->loops->len > 0 ? state->loops->pdata[state->loops->len - 1] : NULL;

  if (twin == NULL || twin->stride == NULL || loop == NULL || decl->buffer->shape->n != 1)
    return ls_rewrite_default (rewriter, decl);
  g_ptr_array_add (before_loop (state, loop)->declared, doubled (state, decl->buffer, twin));
  return (LsStmt *) ls_rewrite (rewriter, decl->body);
}

/* The index in one half, or NULL where the buffer is none, or stands where it cannot. */
static LsArray *
index_in (State    *state,
          LsBuffer *buffer,
          LsArray  *indices,
          LsExpr   *which,
          Twin     *twin)
{
  if (twin->stride == NULL || which == NULL || indices->n != 1)
    {
      if (state->error == NULL)
        g_set_error (&state->error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("The double buffer `%s` is written under its T.attr, read behind it, by one index."),
                     buffer->name);
      return NULL;
    }
  return ls_array_of (ls_add (ls_mul (ls_ref (which), ls_ref (twin->stride)), ls_ref (ls_array_at (indices, 0, LsExpr))), NULL);
}

static LsNode *
rewrite_access (State  *state,
                LsNode *node)
{
  LsBufferStore *store = ls_is (node, BUFFER_STORE) ? (LsBufferStore *) node : NULL;
  LsBufferLoad *load = ls_is (node, BUFFER_LOAD) ? (LsBufferLoad *) node : NULL;
  LsBuffer *buffer = store != NULL ? store->buffer : load != NULL ? load->buffer : NULL;
  Twin *twin = buffer != NULL ? g_hash_table_lookup (state->twins, buffer->data) : NULL;
  LsArray *indices;

  if (twin == NULL)
    return node;
  indices = store != NULL ? index_in (state, buffer, store->indices, state->producing ? LS_EXPR (twin->write) : NULL, twin)
                          : index_in (state, buffer, load->indices, twin->read, twin);
  if (indices == NULL)
    return node;
  if (store != NULL)
    ls_take (&node, LS_NODE (ls_buffer_store_new (doubled (state, buffer, twin), ls_ref (store->value), indices, ls_ref (store->predicate))));
  else
    ls_take (&node, LS_NODE (ls_buffer_load_new (doubled (state, buffer, twin), indices, ls_ref (load->predicate))));
  return node;
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  State *state = user_data;
  Twin *twin = ls_is (node, ALLOCATE) ? g_hash_table_lookup (state->twins, ((LsAllocate *) node)->buffer_var) : NULL;

  if (ls_is_attr (node, "double_buffer_scope") && ls_is_var (((LsAttrStmt *) node)->subject))
    return LS_NODE (produce (rewriter, state, (LsAttrStmt *) node));
  if (twin != NULL)
    return LS_NODE (double_allocation (rewriter, state, (LsAllocate *) node, twin));
  if (ls_is (node, DECL_BUFFER))
    return LS_NODE (double_declaration (rewriter, state, (LsDeclBuffer *) node));
  if (ls_is (node, FOR))
    return LS_NODE (rewrite_loop (rewriter, state, (LsFor *) node));
  return rewrite_access (state, ls_rewrite_default (rewriter, node));
}

LsPrimFunc *
ls_pass_inject_double_buffer (LsPrimFunc  *func,
                              LsMap       *options,
                              GError     **error)
{
  g_autoptr (GHashTable) twins = g_hash_table_new_full (NULL, NULL, NULL, twin_free);
  g_autoptr (GHashTable) before = g_hash_table_new_full (NULL, NULL, NULL, before_free);
  g_autoptr (GHashTable) buffers = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, (GDestroyNotify) ls_node_unref);
  g_autoptr (GPtrArray) loops = g_ptr_array_new ();
  State state = { twins, before, buffers, loops, ls_pass_option (options, "split_loop", 1), FALSE, NULL };
  g_autoptr (LsNode) body = NULL;
  g_autoptr (LsNode) unique = NULL;

  ls_walk (func->body, note_marked, NULL, twins);
  ls_walk (func->body, drop_passed, NULL, twins);
  if (g_hash_table_size (twins) == 0)
    return ls_ref (func);
  if (state.factor < 0 || (state.factor > 1 && state.factor % 2 != 0))
    {
      g_set_error (error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("split_loop is 0, 1 or an even number."));
      return NULL;
    }
  body = ls_rewrite_with (func->body, filter, &state);
  if (state.error != NULL)
    {
      g_propagate_error (error, state.error);
      return NULL;
    }
  unique = ls_stmt_convert_ssa (body);
  return ls_pass_with_body (func, unique);
}
