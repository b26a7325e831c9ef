/* nest: one walk with the loops, the bindings of block variables, and the strides of each access. */
#include "engine/advice/nest.h"

#include "engine/arith/analyzer.h"
#include "engine/tir/rounds.h"
#include "engine/tir/vector-math.h"

#include <string.h>

#define GUESSED 16              /* rounds of a loop of which they are no number */
#define CALLED 0.5              /* calls in a round: fewer are outside the innermost loop */

typedef struct {
  GPtrArray      *loops;
  GArray         *rounds;       /* of gint64: of the body of each loop, in a call of the function */
  GHashTable     *bindings;     /* LsVar -> LsExpr (owned) */
  LsBlockRealize *realize;
  gboolean        guarded;      /* inside an if */
  guint           scope;
  GPtrArray      *nests;
  LsAnalyzer     *analyzer;
  char          **loop;
  double          rounds_of_whiles; /* around */
  gboolean        guesses;
} Walker;

static void
access_free (gpointer data)
{
  g_free (((LsNestAccess *) data)->strides);
  g_free (data);
}

static void
nest_free (gpointer data)
{
  LsNest *self = data;

  g_free (self->loops);
  g_free (self->extents);
  g_free (self->varies);
  g_free (self->given);
  g_free (self->drives);
  g_ptr_array_unref (self->accesses);
  g_free (self);
}

/* ---- strides ------------------------------------------------------------------- */

/* Adds `scale` times what the expression grows by when each loop goes one further; FALSE: it is no sum of multiples of variables, *grows is undefined then. */
static gboolean
add_linear (Walker *self,
            LsExpr *expr,
            gint64  scale,
            gint64 *grows)
{
  LsExpr *a = NULL, *b = NULL;
  gint64 factor, moved;

  if (ls_is_var (expr))
    {
      LsExpr *bound = g_hash_table_lookup (self->bindings, expr);

      if (bound != NULL)
        return add_linear (self, bound, scale, grows);
      for (guint i = 0; i < self->loops->len; i++)
        if ((LsNode *) ((LsFor *) self->loops->pdata[i])->loop_var == (LsNode *) expr)
          return !__builtin_add_overflow (grows[i], scale, &grows[i]);
      return TRUE;
    }
  if (ls_as_int (expr, &factor))
    return TRUE;
  if (!ls_is (expr, ADD) && !ls_is (expr, SUB) && !ls_is (expr, MUL))
    return FALSE;
  a = ((LsBinary *) expr)->a;
  b = ((LsBinary *) expr)->b;
  if (ls_is (expr, MUL))
    {
      if (ls_as_int (a, &factor))
        a = b;
      else if (!ls_as_int (b, &factor))
        return FALSE;
      return !__builtin_mul_overflow (scale, factor, &moved) && add_linear (self, a, moved, grows);
    }
  return add_linear (self, a, scale, grows) && add_linear (self, b, ls_is (expr, SUB) ? -scale : scale, grows);
}

/* The same of any expression, for one loop: its value in the second round less that in the first.  LS_STRIDE_UNKNOWN: that is no number. */
static gint64
grows_by (Walker *self,
          LsExpr *bound,
          LsVar  *var)
{
  g_autoptr (LsExpr) zero = NULL, one = NULL, a = NULL, b = NULL, difference = NULL;
  g_autoptr (GHashTable) at = NULL;
  gint64 own;

  if (!ls_uses (bound, var))
    return 0;
  zero = ls_const_int (ls_dtype (var), 0);
  one = ls_const_int (ls_dtype (var), 1);
  at = g_hash_table_new (NULL, NULL);
  g_hash_table_insert (at, var, zero);
  a = LS_EXPR (ls_substitute (bound, at));
  g_hash_table_insert (at, var, one);
  b = LS_EXPR (ls_substitute (bound, at));
  difference = ls_sub (g_steal_pointer (&b), g_steal_pointer (&a));
  ls_take (&difference, ls_analyzer_simplify (self->analyzer, difference));
  return ls_as_int (difference, &own) ? own : LS_STRIDE_UNKNOWN;
}

/* What an index grows by with each loop around. */
static void
grow_index (Walker *self,
            LsExpr *index,
            gint64 *grows)
{
  guint n = self->loops->len;

  memset (grows, 0, n * sizeof *grows);
  if (ls_is (index, RAMP))
    index = ((LsRamp *) index)->base;
  if (add_linear (self, index, 1, grows))
    return;
  {
    g_autoptr (LsExpr) bound = LS_EXPR (ls_substitute (index, self->bindings));

    for (guint i = 0; i < n; i++)
      grows[i] = grows_by (self, bound, ((LsFor *) self->loops->pdata[i])->loop_var);
  }
}

/* How far the element moves when each loop goes one further. */
static void
find_strides (Walker   *self,
              LsArray  *indices,
              LsBuffer *buffer,
              gint64   *strides)
{
  guint n = self->loops->len;
  g_autofree gint64 *grows = g_new (gint64, n + 1);
  gint64 scale = 1;

  for (guint d = ls_array_n (indices); d-- > 0;)
    {
      gint64 extent, moved;

      if (ls_buffer_has_strides (buffer) && !ls_as_int (ls_array_at (buffer->strides, d, LsExpr), &scale))
        {
          for (guint i = 0; i < n; i++)
            strides[i] = LS_STRIDE_UNKNOWN;
          return;
        }
      grow_index (self, ls_array_at (indices, d, LsExpr), grows);
      for (guint i = 0; i < n; i++)
        {
          if (strides[i] == LS_STRIDE_UNKNOWN || grows[i] == LS_STRIDE_UNKNOWN)
            strides[i] = LS_STRIDE_UNKNOWN;
          else if (!__builtin_mul_overflow (grows[i], scale, &moved))
            strides[i] += moved;
        }
      if (!ls_buffer_has_strides (buffer))
        scale = ls_as_int (ls_array_at (buffer->shape, d, LsExpr), &extent) ? scale * extent : scale;
    }
}

static gboolean
same_indices (LsArray *a,
              LsArray *b)
{
  gboolean same = ls_array_n (a) == ls_array_n (b);

  for (guint i = 0; same && i < ls_array_n (a); i++)
    same = ls_deep_equal (a->items[i], b->items[i]);
  return same;
}

static LsWalk
find_load (LsNode  *node,
           gpointer found)
{
  *(gboolean *) found |= ls_is (node, BUFFER_LOAD);
  return *(gboolean *) found ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

static void
add_access (Walker   *self,
            LsNest   *nest,
            LsBuffer *buffer,
            LsArray  *indices,
            gboolean  is_write)
{
  LsNestAccess *access;

  /* What is read twice in one statement is loaded once. */
  for (guint i = 0; !is_write && i < nest->accesses->len; i++)
    if (((LsNestAccess *) nest->accesses->pdata[i])->buffer == buffer
        && same_indices (((LsNestAccess *) nest->accesses->pdata[i])->indices, indices))
      return;
  access = g_new0 (LsNestAccess, 1);
  access->buffer = buffer;
  access->indices = indices;
  access->is_write = is_write;
  for (guint i = 0; i < ls_array_n (indices) && !access->is_gather; i++)
    ls_walk (LS_NODE (indices->items[i]), find_load, NULL, &access->is_gather);
  access->bytes = MAX (1, ls_dtype_bytes (buffer->dtype));
  access->strides = g_new0 (gint64, nest->n_loops + 1);
  find_strides (self, indices, buffer, access->strides);
  g_ptr_array_add (nest->accesses, access);
}

/* ---- one statement ---------------------------------------------------------------- */

typedef struct {
  Walker *walker;
  LsNest *nest;
} Value;

/* It loads what the statement stores. */
typedef struct { LsBuffer *buffer; gboolean *found; } Own;

static LsWalk
find_own (LsNode  *node,
          gpointer data)
{
  Own *own = data;

  *own->found |= ls_is (node, BUFFER_LOAD) && ((LsBufferLoad *) node)->buffer == own->buffer;
  return LS_WALK_CONTINUE;
}

static gboolean
is_library_call (LsNode *node)
{
  static const char *const cheap[] = { "tir.if_then_else", "tir.sqrt", "tir.fabs", "tir.fma", "tir.floor", "tir.ceil", "tir.rsqrt", "tir.trunc",
                                       "tir.likely", "tir.reinterpret", "tir.nearbyint", "tir.round", "tir.copysign" };

  if (!ls_is (node, CALL) || !ls_dtype_is_float (ls_dtype (node)))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (cheap); i++)
    if (ls_is_call (node, cheap[i]))
      return FALSE;
  return TRUE;
}

/* How often a call is made in a run of the body: one whose arguments stay the same along the innermost loops is taken out of them by LLVM. */
static double
calls_of (Value  *value,
          LsNode *call)
{
  Walker *self = value->walker;
  g_autoptr (LsExpr) bound = LS_EXPR (ls_substitute (call, self->bindings));
  double often = 1.0;
  gboolean own = FALSE;

  ls_walk (call, find_own, NULL, &(Own) { ((LsBufferStore *) value->nest->stmt)->buffer, &own });
  for (guint i = self->loops->len; i-- > 0 && !own && !ls_uses (bound, ((LsFor *) self->loops->pdata[i])->loop_var);)
    often /= (double) MAX (value->nest->extents[i], 1);
  return often;
}

static void
add_calls (Value  *value,
           LsCall *call)
{
  gboolean is_light = ls_is_call (call, "tir.exp") || ls_is_call (call, "tir.log") || ls_is_call (call, "tir.exp2");
  double calls = calls_of (value, LS_NODE (call)) * MAX (1, ls_dtype (call).lanes) * (is_light ? 1.0 : 2.0);
  const char *name = ls_is (call->op, OP) ? ((LsOp *) call->op)->name : "";

  value->nest->calls += calls;
  if (!ls_vector_math_has (g_str_has_prefix (name, "tir.") ? name + strlen ("tir.") : name, ls_dtype (call), LS_VECTOR_MATH_LANES))
    value->nest->calls_but += calls;
}

static LsWalk
look_at_value (LsNode  *node,
               gpointer data)
{
  Value *value = data;

  if (ls_is (node, BUFFER_LOAD))
    {
      add_access (value->walker, value->nest, ((LsBufferLoad *) node)->buffer, ((LsBufferLoad *) node)->indices, FALSE);
      return LS_WALK_PRUNE;
    }
  value->nest->masked |= ls_is_call (node, "tir.if_then_else");
  value->nest->conditional |= value->nest->masked;
  value->nest->chooses |= ls_is (node, MAX) || ls_is (node, MIN);
  if (is_library_call (node))
    add_calls (value, (LsCall *) node);
  if (ls_is_expr (node) && ls_dtype_is_float (ls_dtype (node))
      && (ls_is (node, ADD) || ls_is (node, SUB) || ls_is (node, MUL) || ls_is (node, DIV) || ls_is (node, MAX) || ls_is (node, MIN) || ls_is (node, CALL)))
    value->nest->flop += MAX (1, ls_dtype (node).lanes);
  return LS_WALK_CONTINUE;
}

static LsDrives
drives_of (Walker         *self,
           LsBlockRealize *realize,
           LsVar          *var)
{
  LsDrives drives = LS_DRIVES_NOTHING;

  for (guint i = 0; realize != NULL && i < ls_array_n (realize->iter_values); i++)
    {
      LsIterVar *iter = ls_array_at (realize->block->iter_vars, i, LsIterVar);
      LsExpr *bound = g_hash_table_lookup (self->bindings, iter->var);

      if (bound != NULL && ls_uses (bound, var))
        drives |= iter->iter_type == LS_ITER_DATA_PAR ? LS_DRIVES_SPATIAL : LS_DRIVES_REDUCTION;   /* rounds of a scan wait for each other, too */
    }
  return drives;
}

static void
add_nest (Walker        *self,
          LsBufferStore *store)
{
  LsNest *nest = g_new0 (LsNest, 1);
  Value value = { self, nest };

  nest->realize = self->realize;
  nest->block = self->realize != NULL ? self->realize->block : NULL;
  nest->stmt = (LsStmt *) store;
  nest->n_loops = self->loops->len;
  nest->loops = g_new0 (LsFor *, nest->n_loops + 1);
  nest->extents = g_new0 (gint64, nest->n_loops + 1);
  nest->varies = g_new0 (gboolean, nest->n_loops + 1);
  nest->given = g_new0 (gboolean, nest->n_loops + 1);
  nest->drives = g_new0 (LsDrives, nest->n_loops + 1);
  nest->scope = self->scope;
  nest->init_inside = nest->block != NULL && nest->block->init != NULL;
  nest->conditional = self->guarded;
  nest->runs = self->rounds_of_whiles;
  nest->accesses = g_ptr_array_new_with_free_func (access_free);
  for (guint i = 0; i < nest->n_loops; i++)
    {
      double rounds = (double) g_array_index (self->rounds, gint64, i);

      nest->loops[i] = self->loops->pdata[i];
      nest->varies[i] = !ls_as_int (nest->loops[i]->extent, &nest->extents[i]);
      if (nest->varies[i])
        nest->extents[i] = MAX (1, (gint64) (rounds / MAX (nest->runs, 1.0) + 0.5));
      nest->drives[i] = drives_of (self, self->realize, nest->loops[i]->loop_var);
      nest->runs = nest->varies[i] ? rounds : nest->runs * (double) MAX (nest->extents[i], 0);
    }
  ls_walk (store->value, look_at_value, NULL, &value);
  add_access (self, nest, store->buffer, store->indices, TRUE);
  for (guint i = 0; i + 1 < nest->accesses->len; i++)
    nest->is_reduction |= ((LsNestAccess *) nest->accesses->pdata[i])->buffer == store->buffer;
  /* Outside blocks a loop adds up what it does not move. */
  for (guint i = 0; nest->is_reduction && nest->realize == NULL && i < nest->n_loops; i++)
    nest->drives[i] = ((LsNestAccess *) nest->accesses->pdata[nest->accesses->len - 1])->strides[i] == 0 ? LS_DRIVES_REDUCTION : LS_DRIVES_SPATIAL;
  g_ptr_array_add (self->nests, nest);
}

/* ---- the walk ------------------------------------------------------------------- */

static void walk (Walker *self, LsNode *node);

static void
walk_block (Walker         *self,
            LsBlockRealize *realize)
{
  LsBlockRealize *before = self->realize;
  gboolean guarded = self->guarded;
  guint scope = self->scope;
  gint64 one = 0;

  for (guint i = 0; i < MIN (ls_array_n (realize->block->iter_vars), ls_array_n (realize->iter_values)); i++)
    g_hash_table_insert (self->bindings, ls_array_at (realize->block->iter_vars, i, LsIterVar)->var,
                         ls_substitute (realize->iter_values->items[i], self->bindings));
  self->realize = realize;
  self->guarded |= !(ls_as_int (realize->predicate, &one) && one == 1);
  if ((LS_NODE (realize->block->body)->facts & LS_FACT_HAS_BLOCK) != 0)
    self->scope = self->loops->len;
  walk (self, LS_NODE (realize->block->body));
  self->realize = before;
  self->guarded = guarded;
  self->scope = scope;
}

/* Rounds of the loops around, in a call of the function. */
static double
rounds_around (Walker *self)
{
  double rounds = self->rounds_of_whiles;
  gint64 extent;

  for (guint i = 0; i < self->rounds->len; i++)
    rounds = ls_as_int (((LsFor *) self->loops->pdata[i])->extent, &extent) ? rounds * (double) MAX (extent, 0) : (double) g_array_index (self->rounds, gint64, i);
  return rounds;
}

static void
not_known (Walker     *self,
           const char *loop)
{
  if (*self->loop == NULL)
    *self->loop = g_strdup (loop);
}

static void
walk_loop (Walker *self,
           LsFor  *loop)
{
  gint64 extent, rounds = 0;

  g_ptr_array_add (self->loops, loop);
  if (!ls_as_int (loop->extent, &extent))
    rounds = ls_count_rounds (self->loops, self->bindings);
  if (rounds < 0)
    not_known (self, loop->loop_var->name);
  if (rounds < 0 && self->guesses)
    rounds = (gint64) (rounds_around (self) * GUESSED);
  g_array_append_val (self->rounds, rounds);
  walk (self, LS_NODE (loop->body));
  g_array_set_size (self->rounds, self->rounds->len - 1);
  g_ptr_array_set_size (self->loops, (gint) self->loops->len - 1);
}

static void
walk (Walker *self,
      LsNode *node)
{
  gboolean guarded = self->guarded;

  if (node == NULL)
    return;
  if (ls_is (node, BLOCK_REALIZE))
    walk_block (self, (LsBlockRealize *) node);
  else if (ls_is (node, FOR))
    walk_loop (self, (LsFor *) node);
  else if (ls_is (node, BUFFER_STORE))
    add_nest (self, (LsBufferStore *) node);
  else
    {
      double whiles = self->rounds_of_whiles;

      self->guarded |= ls_is (node, IF_THEN_ELSE);
      if (ls_is (node, WHILE))
        {
          not_known (self, LS_LOOP_WHILE);
          self->rounds_of_whiles *= GUESSED;
        }
      for (guint i = 0; i < ls_node_get_n_children (node); i++)
        {
          LsNode *child = ls_node_get_child (node, i);

          if (ls_is_stmt (child) || ls_is (child, ARRAY))
            walk (self, child);
        }
      self->guarded = guarded;
      self->rounds_of_whiles = whiles;
    }
}

static GPtrArray *
nests_of (LsPrimFunc *func,
          gboolean    guesses,
          char      **loop)
{
  g_autoptr (GPtrArray) loops = g_ptr_array_new ();
  g_autoptr (GArray) rounds = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GHashTable) bindings = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  Walker self = { .loops = loops, .rounds = rounds, .bindings = bindings, .analyzer = analyzer, .loop = loop, .rounds_of_whiles = 1.0, .guesses = guesses };

  self.nests = g_ptr_array_new_with_free_func (nest_free);
  walk (&self, LS_NODE (func->body));
  return self.nests;
}

GPtrArray *
ls_nests_of (LsPrimFunc *func,
             char      **loop)
{
  GPtrArray *nests = nests_of (func, FALSE, loop);

  if (*loop != NULL)
    g_clear_pointer (&nests, g_ptr_array_unref);
  return nests;
}

GPtrArray *
ls_nests_guess (LsPrimFunc *func)
{
  g_autofree char *loop = NULL;

  return nests_of (func, TRUE, &loop);
}

/* ---- sizes that were given ------------------------------------------------------- */

/* Stores with their loops, in program order. */
typedef struct {
  GPtrArray *loops;             /* around, of LsFor */
  GPtrArray *nests;
  guint      n;                 /* stores so far */
} Give;

static void
give (Give   *self,
      LsNode *node)
{
  gint64 extent;

  if (node == NULL)
    return;
  if (ls_is (node, BUFFER_STORE))
    {
      LsNest *nest = self->n < self->nests->len ? self->nests->pdata[self->n] : NULL;

      for (guint i = 0; nest != NULL && nest->n_loops == self->loops->len && i < nest->n_loops; i++)
        nest->given[i] = !nest->varies[i] && !ls_as_int (((LsFor *) self->loops->pdata[i])->extent, &extent);
      self->n++;
      return;
    }
  if (ls_is (node, BLOCK_REALIZE))
    {
      give (self, LS_NODE (((LsBlockRealize *) node)->block->body));
      return;
    }
  if (ls_is (node, FOR))
    g_ptr_array_add (self->loops, node);
  for (guint i = 0; i < ls_node_get_n_children (node); i++)
    {
      LsNode *child = ls_node_get_child (node, i);

      if (ls_is_stmt (child) || ls_is (child, ARRAY))
        give (self, child);
    }
  if (ls_is (node, FOR))
    g_ptr_array_set_size (self->loops, (gint) self->loops->len - 1);
}

void
ls_nests_give (GPtrArray  *nests,
               LsPrimFunc *func)
{
  g_autoptr (GPtrArray) loops = g_ptr_array_new ();
  Give self = { loops, nests, 0 };

  give (&self, LS_NODE (func->body));
}

gboolean
ls_nest_is_scan (const LsNest *self)
{
  const LsNestAccess *store = self->accesses->pdata[self->accesses->len - 1];

  for (guint i = 0; i + 1 < self->accesses->len; i++)
    {
      const LsNestAccess *load = self->accesses->pdata[i];

      if (load->buffer == store->buffer && !same_indices (load->indices, store->indices))
        return TRUE;
    }
  return FALSE;
}

/* ---- questions ------------------------------------------------------------------- */

guint
ls_nest_vector (const LsNest *self)
{
  for (guint i = self->n_loops; i-- > 0;)
    if (self->loops[i]->kind == LS_FOR_VECTORIZED)
      return i;
  return self->n_loops;
}

guint
ls_nest_reduce (const LsNest *self)
{
  for (guint i = self->n_loops; i-- > 0;)
    if ((self->drives[i] & LS_DRIVES_REDUCTION) != 0 && self->extents[i] > 1)
      return i;
  return self->n_loops;
}

double
ls_nest_called (const LsNest *self,
                double       *instead)
{
  guint v = ls_nest_vector (self);
  gboolean in_vectors = v < self->n_loops && self->extents[v] >= LS_VECTOR_MATH_LANES;

  *instead = in_vectors ? self->calls - self->calls_but : 0.0;
  return in_vectors ? self->calls_but : self->calls;
}

gboolean
ls_nest_calls (const LsNest *self)
{
  double instead;

  return ls_nest_called (self, &instead) >= CALLED;
}

gboolean
ls_nest_calls_in_vectors (const LsNest *self)
{
  return self->calls_but >= CALLED;
}

gboolean
ls_nest_frees_of_calls (const LsNest *self)
{
  return ls_nest_calls (self) && !ls_nest_calls_in_vectors (self);
}

gboolean
ls_nest_is_flat (const LsNest *self,
                 guint         loop)
{
  return self->loops[loop]->kind == LS_FOR_UNROLLED || self->loops[loop]->kind == LS_FOR_VECTORIZED || self->extents[loop] == 1;
}
