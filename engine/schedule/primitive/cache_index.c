/* cache_index: what indices compute again and again is computed once, into buffers.
 *
 *   B[vi, vj] = A[vi // 4 + vj // 4, vj // 2]     ->     index_0: index_var_0[v0, v1] = v0 // 4 + v1 // 4
 *                                                        index_1: index_var_1[v0] = v0 // 2
 *                                                        B[vi, vj] = A[index_var_0[vi, vj], index_var_1[vj]]
 *
 * Candidates are the largest pure expressions of the block's stores; one that comes less often than cse_thresh is taken
 * apart into the expressions directly below it.  Expressions that simplify to the same count as the same.  The copies
 * stand before the statement of the scope that holds the block.  Source: TVM's tir cache_index.
 */
#include "engine/schedule/primitive/primitive.h"

#include "engine/base/plural.h"
#include "engine/script/printer.h"
#include "engine/tir/pass/parts.h"

enum { BLOCK, STORAGE_SCOPE, CSE_THRESH };

static const LsParam params[] = {
  { "block", LS_PARAM_BLOCK, 0, NULL, "the block whose indices are computed before" },
  { "storage_scope", LS_PARAM_STRING, 0, NULL, "global, shared, local, ..." },
  { "cse_thresh", LS_PARAM_INT, 0, "0", "how often an expression has to come to be worth it" },
};

/* ---- expressions and how often they come -------------------------------------- */

typedef struct {
  LsExpr *expr;                 /* owned */
  LsExpr *normal;               /* simplified; owned */
  guint   size;                 /* nodes */
  gint64  count;
  gboolean taken;               /* is in the list of results */
} Candidate;

static void
candidate_free (Candidate *self)
{
  ls_unref (self->expr);
  ls_unref (self->normal);
  g_free (self);
}

static gboolean
is_eligible (LsExpr *expr)
{
  if (ls_is (expr, RAMP) || ls_is (expr, BROADCAST) || ls_is_var (expr) || ls_is (expr, INT_IMM) || ls_is (expr, FLOAT_IMM) ||
      ls_is (expr, STRING_IMM))
    return FALSE;
  return ls_is_pure (expr);
}

static LsExpr *
normal_of (LsExpr *expr)
{
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();

  return ls_analyzer_simplify (analyzer, expr);
}

/* Largest first; one that is there already comes so many times more. */
static void
add_candidate (GPtrArray *list,
               LsExpr    *expr,
               gint64     count)
{
  g_autoptr(LsExpr) normal = normal_of (expr);
  Candidate *fresh;
  guint at = 0;

  for (guint i = 0; i < list->len; i++)
    if (ls_deep_equal (((Candidate *) list->pdata[i])->normal, normal))
      {
        ((Candidate *) list->pdata[i])->count += count;
        return;
      }
  fresh = g_new0 (Candidate, 1);
  fresh->expr = ls_ref (expr);
  fresh->normal = g_steal_pointer (&normal);
  fresh->size = ls_count_exprs (expr);
  fresh->count = count;
  while (at < list->len && ((Candidate *) list->pdata[at])->size >= fresh->size)
    at++;
  g_ptr_array_insert (list, (gint) at, fresh);
}

typedef struct {
  LsNode    *root;              /* itself left out */
  GPtrArray *found;             /* of LsExpr, borrowed */
} Largest;

static LsWalk
collect_largest (LsNode   *node,
                 gpointer  user_data)
{
  Largest *self = user_data;

  if (node == self->root || !ls_is_expr (node) || !is_eligible ((LsExpr *) node))
    return LS_WALK_CONTINUE;
  g_ptr_array_add (self->found, node);
  return LS_WALK_PRUNE;
}

/* The largest eligible expressions inside `root`. (transfer container) */
static GPtrArray *
largest_in (gpointer root)
{
  Largest self = { root, g_ptr_array_new () };

  ls_walk (root, collect_largest, NULL, &self);
  return self.found;
}

static gint
compare_texts (gconstpointer a,
               gconstpointer b)
{
  g_autofree char *x = ls_script_print_expr (*(LsExpr *const *) a);
  g_autofree char *y = ls_script_print_expr (*(LsExpr *const *) b);

  return strcmp (x, y);
}

/* Expressions of one store with how often they come, those that come too seldom taken apart. (transfer full) */
static GPtrArray *
candidates_of (LsBufferStore *store,
               gint64         threshold)
{
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify) candidate_free);
  g_autoptr(GPtrArray) first = largest_in (store);

  g_ptr_array_sort (first, compare_texts);
  for (guint i = 0; i < first->len; i++)
    add_candidate (list, first->pdata[i], 1);
  for (guint i = 0; i < list->len; i++)
    {
      Candidate *candidate = list->pdata[i];
      g_autoptr(GPtrArray) parts = NULL;

      if (candidate->count >= threshold)
        continue;
      parts = largest_in (candidate->expr);
      for (guint k = 0; k < parts->len; k++)
        add_candidate (list, parts->pdata[k], candidate->count);
    }
  return list;
}

/* ---- what is cached ----------------------------------------------------------- */

typedef struct {
  GPtrArray *exprs;             /* of LsExpr (owned): largest first */
  GPtrArray *candidates;        /* of the store that is looked at */
  gint64     threshold;
  LsBlock   *block;
} Choice;

static void
choose (LsNode   *node,
        gpointer  user_data)
{
  Choice *self = user_data;
  g_autoptr(LsExpr) normal = NULL;

  if (!ls_is_expr (node) || ls_is_var (node) || ls_is (node, INT_IMM))
    return;
  for (guint i = 0; i < self->candidates->len; i++)
    {
      Candidate *candidate = self->candidates->pdata[i];

      if (candidate->count < self->threshold || candidate->taken)
        continue;
      if (normal == NULL)
        normal = normal_of ((LsExpr *) node);
      if (!ls_deep_equal (normal, candidate->normal))
        continue;
      candidate->taken = TRUE;
      g_ptr_array_add (self->exprs, ls_ref (candidate->expr));
    }
}

static LsWalk
look_at_store (LsNode   *node,
               gpointer  user_data)
{
  Choice *self = user_data;

  if (ls_is (node, BLOCK) && node != LS_NODE (self->block))
    return LS_WALK_PRUNE;
  if (ls_is (node, BUFFER_STORE))
    {
      self->candidates = candidates_of ((LsBufferStore *) node, self->threshold);
      ls_walk (((LsBufferStore *) node)->value, NULL, choose, self);
      g_ptr_array_unref (self->candidates);
    }
  return LS_WALK_CONTINUE;
}

static gint
larger_first (gconstpointer a,
              gconstpointer b)
{
  guint x = ls_count_exprs (*(LsExpr *const *) a), y = ls_count_exprs (*(LsExpr *const *) b);

  return x > y ? -1 : x < y;
}

/* (transfer full) of LsExpr */
static GPtrArray *
chosen_exprs (LsBlock *block,
              gint64   threshold)
{
  Choice choice = { g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref), NULL, threshold, block };

  if (block->init != NULL)
    ls_walk (block->init, look_at_store, NULL, &choice);
  ls_walk (block->body, look_at_store, NULL, &choice);
  g_ptr_array_sort (choice.exprs, larger_first);
  return choice.exprs;
}

/* ---- check --------------------------------------------------------------------- */

/* Variables of the expression that are none of the block's. */
static LsVar *
foreign_var (LsBlock *block,
             LsExpr  *expr)
{
  g_autoptr(GPtrArray) vars = ls_vars_in_order (expr);

  for (guint i = 0; i < vars->len; i++)
    {
      gboolean own = FALSE;

      for (guint k = 0; k < ls_array_n (block->iter_vars); k++)
        own |= ls_array_at (block->iter_vars, k, LsIterVar)->var == vars->pdata[i];
      if (!own)
        return vars->pdata[i];
    }
  return NULL;
}

static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *sref = ls_move_sref (move, BLOCK);
  LsBlock *block = ls_sref_block (sref);
  g_autoptr(GPtrArray) exprs = NULL;
  LsDiagnostic *finding;
  LsSref *root;

  if (ls_move_int (move, CSE_THRESH) < 0)
    {
      ls_move_refuse (move, diagnostics, "threshold", block, "cse_thresh is at least 0.");
      return FALSE;
    }
  if (!ls_legal_scope (move, diagnostics, sref, FALSE, &root))
    return FALSE;
  exprs = chosen_exprs (block, ls_move_int (move, CSE_THRESH));
  for (guint i = 0; i < exprs->len; i++)
    {
      LsVar *var = foreign_var (block, exprs->pdata[i]);

      if (var == NULL)
        continue;
      ls_move_refuse (move, diagnostics, "foreign-variable", block, "Block %s computes with %s, which is none of its variables.", block->name_hint, var->name);
      return FALSE;
    }
  if (exprs->len > 0)
    {
      ls_move_warn (move, diagnostics, "undeclared", block,
                    "Block %s will not say that it reads the new index buffers; later steps may move it before they are filled.", block->name_hint);
      return TRUE;
    }
  finding = ls_move_refuse (move, diagnostics, "nothing-to-cache", block,
                            ls_translate_plural ("Block %s has no expression that comes %" PRId64 " time.", "Block %s has no expression that comes %" PRId64 " times.",
                                                 (gulong) ls_move_int (move, CSE_THRESH)), block->name_hint, ls_move_int (move, CSE_THRESH));
  if (finding != NULL)
    ls_diagnostic_set_repair (finding, "Give a smaller cse_thresh.");
  return FALSE;
}

/* ---- apply --------------------------------------------------------------------- */

typedef struct {
  LsExpr   *expr;               /* borrowed */
  LsBuffer *buffer;             /* owned */
  LsArray  *vars;               /* of the block, that index it; owned */
  LsStmt   *nest;               /* owned */
  LsBlock  *block;              /* borrowed */
} Cached;

typedef struct {
  LsBlock      *target;
  LsBlockRealize *realize;
  LsSref       *root;
  GArray       *cached;         /* of Cached */
  guint         position;
  gboolean      inside;
  guint         at;             /* the expression that is replaced now */
  LsBlockReuse *reuse;
} CacheIndex;

static void
cached_clear (gpointer data)
{
  Cached *self = data;

  ls_unref (self->buffer);
  ls_unref (self->vars);
  ls_unref (self->nest);
}

static LsExpr *
binding_of (CacheIndex *self,
            LsVar      *var)
{
  for (guint i = 0; i < ls_array_n (self->target->iter_vars); i++)
    if (ls_array_at (self->target->iter_vars, i, LsIterVar)->var == var)
      return ls_array_at (self->realize->iter_values, i, LsExpr);
  return NULL;
}

/* The loops that bind the variables, each once, in order. (transfer container) */
static GPtrArray *
loops_of (CacheIndex *self,
          LsState    *state,
          GPtrArray  *vars)
{
  g_autoptr(GPtrArray) around = ls_state_loops (state, ls_state_sref (state, self->target));
  GPtrArray *loops = g_ptr_array_new ();

  for (guint i = 0; i < vars->len; i++)
    {
      g_autoptr(GPtrArray) used = ls_vars_in_order (binding_of (self, vars->pdata[i]));

      for (guint k = 0; k < used->len; k++)
        for (guint l = 0; l < around->len; l++)
          if (ls_sref_for ((LsSref *) around->pdata[l])->loop_var == used->pdata[k] && !g_ptr_array_find (loops, around->pdata[l], NULL))
            g_ptr_array_add (loops, around->pdata[l]);
    }
  return loops;
}

static LsBuffer *
make_buffer (CacheIndex *self,
             LsState    *state,
             LsExpr     *expr,
             GPtrArray  *vars,
             guint       number,
             const char *scope)
{
  g_autofree char *name = g_strdup_printf ("index_var_%u", number);
  g_autoptr(LsDomMap) domains = ls_state_loop_domains (state, ls_state_sref (state, self->target)->parent, self->root, NULL);
  GPtrArray *shape = g_ptr_array_new ();
  /* A truth is stored in a byte, as in every buffer that a script declares. */
  LsDType stored = ls_dtype_equal (ls_dtype (expr), LS_BOOL) ? LS_DTYPE (LS_TYPE_INT, 8) : ls_dtype (expr);
  LsVar *data = ls_var_new_typed (name, ls_pointer_type_new (ls_prim_type_new (stored), scope));

  for (guint i = 0; i < vars->len; i++)
    {
      LsExpr *value = binding_of (self, vars->pdata[i]);
      g_autoptr(LsIntSet) set = ls_eval_set (value, domains, NULL);

      g_ptr_array_add (shape, ls_add (ls_ref (ls_int_set_max (set)), ls_const_int (ls_dtype (value), 1)));
    }
  return ls_buffer_new_full (data, ls_dtype (expr), ls_array_take_ptr_array (shape), ls_array_of (ls_int (1), NULL), NULL, name, 64, 1,
                             LS_BUFFER_DEFAULT, NULL);
}

/* A range that does not fit int32 takes int64 loops. */
static LsDType
loop_dtype (LsFor *loop)
{
  gint64 min, extent;

  if (!ls_as_int (loop->min, &min) || !ls_as_int (loop->extent, &extent))
    return ls_dtype (loop->loop_var);
  return min >= G_MININT32 && min + extent - 1 <= G_MAXINT32 ? LS_INT32 : LS_INT64;
}

static Cached
make_cached (CacheIndex *self,
             LsState    *state,
             LsExpr     *expr,
             guint       number,
             const char *scope)
{
  g_autofree char *name = g_strdup_printf ("index_%u", number);
  g_autoptr(GPtrArray) vars = ls_vars_in_order (expr);
  g_autoptr(GPtrArray) loops = loops_of (self, state, vars);
  g_autoptr(GHashTable) map = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  Cached cached = { expr, make_buffer (self, state, expr, vars, number, scope) };
  g_autoptr(LsArray) own = NULL;
  LsExpr *value;
  GPtrArray *iter_vars = g_ptr_array_new ();
  GPtrArray *values = g_ptr_array_new ();
  GPtrArray *indices = g_ptr_array_new ();
  GPtrArray *block_vars = g_ptr_array_new ();

  for (guint i = 0; i < loops->len; i++)
    {
      LsFor *loop = ls_sref_for ((LsSref *) loops->pdata[i]);
      g_autofree char *loop_name = g_strdup_printf ("ax%u", i);

      g_hash_table_insert (map, loop->loop_var, ls_var_new (loop_name, loop_dtype (loop)));
    }
  for (guint i = 0; i < vars->len; i++)
    {
      LsVar *var = vars->pdata[i];
      g_autofree char *var_name = g_strdup_printf ("v%u", i);
      LsVar *fresh = ls_var_new (var_name, ls_dtype (var));
      LsExpr *extent = ls_promote_const (ls_ref (ls_array_at (cached.buffer->shape, i, LsExpr)), ls_dtype (var));

      g_ptr_array_add (values, ls_substitute (binding_of (self, var), map));
      g_ptr_array_add (iter_vars, ls_iter_var_new (ls_range_new (ls_const_int (ls_dtype (var), 0), extent), ls_ref (fresh), LS_ITER_DATA_PAR, NULL));
      g_ptr_array_add (indices, ls_ref (fresh));
      g_ptr_array_add (block_vars, ls_ref (var));
      g_hash_table_insert (map, var, fresh);
    }
  own = ls_array_take_ptr_array (indices);
  cached.vars = ls_array_take_ptr_array (block_vars);
  value = (LsExpr *) ls_substitute (expr, map);
  cached.block = ls_block_new (ls_array_take_ptr_array (iter_vars), NULL,
                               ls_array_of (ls_buffer_region_point (ls_ref (cached.buffer), ls_ref (own)), NULL), name,
                               ls_buffer_store_new (ls_ref (cached.buffer), value, ls_ref (own), NULL), NULL, NULL, NULL, NULL);
  cached.nest = LS_STMT (ls_block_realize_new (ls_array_take_ptr_array (values), ls_bool (TRUE), cached.block));
  for (guint i = loops->len; i-- > 0;)
    {
      LsFor *loop = ls_sref_for ((LsSref *) loops->pdata[i]);
      LsVar *var = g_hash_table_lookup (map, loop->loop_var);

      cached.nest = LS_STMT (ls_for_new (ls_ref (var), ls_promote_const (ls_ref (loop->min), ls_dtype (var)),
                                         ls_promote_const (ls_ref (loop->extent), ls_dtype (var)),
                                         LS_FOR_SERIAL, cached.nest, NULL, NULL));
    }
  return cached;
}

static LsNode *
replace_expr (LsRewriter *rewriter,
              LsNode     *node,
              gpointer    user_data)
{
  CacheIndex *self = user_data;
  Cached *cached = &g_array_index (self->cached, Cached, self->at);

  if (ls_is_expr (node) && !ls_is_var (node) && !ls_is (node, INT_IMM))
    {
      g_autoptr(LsExpr) normal = normal_of ((LsExpr *) node);
      g_autoptr(LsExpr) wanted = normal_of (cached->expr);

      if (ls_deep_equal (normal, wanted))
        return LS_NODE (ls_buffer_load_new (ls_ref (cached->buffer), ls_ref (cached->vars), NULL));
    }
  return ls_rewrite_default (rewriter, node);
}

static LsNode *
rewrite_store (CacheIndex *self,
               LsNode     *store)
{
  LsNode *fresh = ls_node_ref (store);

  for (self->at = 0; self->at < self->cached->len; self->at++)
    ls_take (&fresh, ls_rewrite_with (fresh, replace_expr, self));
  return fresh;
}

/* The scope with the copies before the statement with the block, and their buffers. (transfer full) */
static LsBlock *
with_copies (CacheIndex *self,
             LsBlock    *root)
{
  g_autoptr(LsArray) buffers = ls_ref (root->alloc_buffers);
  g_autoptr(LsNode) body = LS_NODE (ls_ref (root->body));
  g_autoptr(LsBlock) with_body = NULL;

  for (guint i = 0; i < self->cached->len; i++)
    {
      Cached *cached = &g_array_index (self->cached, Cached, i);

      ls_take (&body, ls_stmt_insert (body, self->position + i, cached->nest));
      ls_take (&buffers, ls_array_append (buffers, cached->buffer));
    }
  with_body = ls_block_with_body (root, body);
  return ls_block_with_alloc_buffers (with_body, buffers);
}

static LsNode *
rewrite (LsRewriter *rewriter,
         LsNode     *node,
         gpointer    user_data)
{
  CacheIndex *self = user_data;
  gboolean was_inside = self->inside;
  LsNode *fresh;

  if (ls_is (node, BUFFER_STORE) && self->inside)
    return rewrite_store (self, node);
  if (!ls_is (node, BLOCK))
    return ls_rewrite_default (rewriter, node);
  self->inside = node == LS_NODE (self->target);
  fresh = ls_rewrite_default (rewriter, node);
  self->inside = was_inside;
  if (node == self->root->stmt)
    ls_take (&fresh, LS_NODE (with_copies (self, (LsBlock *) fresh)));
  if (fresh != node)
    ls_block_reuse_add (self->reuse, (LsBlock *) node, (LsBlock *) fresh);
  return fresh;
}

static gboolean
apply (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *block = ls_move_sref (move, BLOCK);
  g_autoptr(GPtrArray) exprs = chosen_exprs (ls_sref_block (block), ls_move_int (move, CSE_THRESH));
  g_autoptr(GArray) cached = g_array_new (FALSE, FALSE, sizeof (Cached));
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();
  g_autoptr(LsNode) new_root = NULL;
  CacheIndex self = { ls_sref_block (block), ls_state_realize (move->state, block), ls_state_scope_root (move->state, block), cached };
  gboolean pipeline = block->stage_pipeline;
  LsSref *top = block;

  g_array_set_clear_func (cached, cached_clear);
  while (top->parent != self.root)
    top = top->parent;
  self.position = ls_stmt_part_with (ls_sref_body (self.root), top->stmt);
  self.reuse = reuse;
  for (guint i = 0; i < exprs->len; i++)
    {
      Cached made = make_cached (&self, move->state, exprs->pdata[i], i, ls_move_string (move, STORAGE_SCOPE));

      g_array_append_val (cached, made);
    }
  new_root = ls_rewrite_with (self.root->stmt, rewrite, &self);
  ls_state_replace (move->state, self.root, new_root, reuse);
  for (guint i = 0; i < cached->len; i++)
    {
      LsSref *made = ls_state_sref (move->state, g_array_index (cached, Cached, i).block);

      made->affine_binding = ls_state_is_affine (move->state, made);
      made->region_cover = TRUE;
      made->stage_pipeline = pipeline;
      ls_move_result (move, made);
    }
  return TRUE;
}

const LsInstruction ls_instruction_cache_index = {
  .name = "cache_index",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_BLOCKS,
  .flags = LS_INSTRUCTION_MOVES_USES,
  .summary = LS_TEXT ("Computes indices before, into buffers"),
  .condition = "The block has expressions over its own variables that come often enough.",
  .source = "TVM v0.20 tir.Schedule.cache_index",
  .check = check,
  .apply = apply,
};
