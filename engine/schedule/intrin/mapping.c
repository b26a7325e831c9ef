/* mapping: which loops a tensor intrinsic would take, and which layout would make a block fit it.
 *
 * Loops.  The block variables of the program and of the description are gone through from the last to the first, each of
 * the description's taking the next one of its type; the loops that both are bound to (v = loop + what no loop changes)
 * belong together.  So it does not matter how the loops are ordered.
 *
 * Mapping.  For each variable, the set of buffers that it indexes is noted on both sides (a matmul: m is in A and C).
 * Variables of the block with the set and the type of one of the description are fused, in their order, into that one;
 * those with no counterpart stay in front.  Two counterparts: no mapping.
 *
 * Source: TVM's GetTensorizeLoopMapping and AutoTensorizeMappingProposer.
 */
#include "engine/schedule/intrin/mapping.h"

#include "engine/schedule/intrin/match.h"

/* ---- the description -------------------------------------------------------------- */

typedef struct {
  GPtrArray      *loops;        /* of LsFor, outermost first */
  LsBlockRealize *realize;
} Desc;

static LsWalk
look_at_desc (LsNode   *node,
              gpointer  user_data)
{
  Desc *self = user_data;

  if (ls_is (node, BLOCK_REALIZE))
    {
      self->realize = (LsBlockRealize *) node;
      return LS_WALK_PRUNE;
    }
  if (ls_is (node, FOR))
    g_ptr_array_add (self->loops, node);
  return LS_WALK_CONTINUE;
}

static void
desc_clear (Desc *self)
{
  g_ptr_array_unref (self->loops);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Desc, desc_clear)

static gboolean
desc_init (Desc       *self,
           LsPrimFunc *desc)
{
  *self = (Desc) { g_ptr_array_new (), NULL };
  if (ls_is (desc->body, BLOCK_REALIZE))
    ls_walk (((LsBlockRealize *) desc->body)->block->body, look_at_desc, NULL, self);
  return self->realize != NULL;
}

/* ---- loops --------------------------------------------------------------------------- */

typedef struct {
  LsAnalyzer     *analyzer;
  LsState        *state;
  LsBlockRealize *realize;
  GPtrArray      *loops;        /* of LsFor around the block, outermost first */
  GPtrArray      *taken;        /* of LsFor: those that were given away, */
  GPtrArray      *asked;        /* ... and what for */
  gint64         *paddings;     /* for each variable of the block */
  gboolean        allow_padding;
  gboolean        pads;
} LoopMatch;

static void
loop_match_clear (LoopMatch *self)
{
  g_clear_pointer (&self->analyzer, ls_analyzer_free);
  g_clear_pointer (&self->state, ls_state_free);
  g_clear_pointer (&self->loops, g_ptr_array_unref);
  g_clear_pointer (&self->taken, g_ptr_array_unref);
  g_clear_pointer (&self->asked, g_ptr_array_unref);
  g_free (self->paddings);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LoopMatch, loop_match_clear)

static gboolean
is_loop_var (LsVar    *var,
             gpointer  user_data)
{
  GPtrArray *loops = user_data;

  for (guint i = 0; i < loops->len; i++)
    if (((LsFor *) loops->pdata[i])->loop_var == var)
      return TRUE;
  return FALSE;
}

/* Is the binding loop + what no loop changes?  *plain: and that is 0. */
static gboolean
is_bound_to (LsAnalyzer *analyzer,
             LsExpr     *binding,
             LsFor      *loop,
             GPtrArray  *loops,
             gboolean   *plain)
{
  g_autoptr(LsExpr) rest = NULL;

  if (!ls_dtype_equal (ls_dtype (binding), ls_dtype (loop->loop_var)))
    return FALSE;
  rest = ls_sub (ls_ref (binding), LS_EXPR (ls_ref (loop->loop_var)));
  ls_take (&rest, ls_analyzer_simplify (analyzer, rest));
  *plain = ls_is_zero (rest);
  return !ls_uses_var (rest, is_loop_var, loops);
}

static int
type_at (LsBlock *block,
         guint    i)
{
  return ls_array_at (block->iter_vars, i, LsIterVar)->iter_type;
}

/* Loops that hold nothing beside the next one or the block; FALSE: one does not start at 0. */
static gboolean
collect_loops (LoopMatch *self,
               LsSref    *block)
{
  for (LsSref *p = block->parent; p != NULL && !p->is_block && !ls_is (ls_sref_for (p)->body, SEQ_STMT); p = p->parent)
    {
      if (!ls_is_zero (ls_sref_for (p)->min))
        return FALSE;
      g_ptr_array_insert (self->loops, 0, ls_sref_for (p));
    }
  return TRUE;
}

static gboolean
loop_match_init (LoopMatch  *self,
                 LsSchedule *schedule,
                 LsVar      *block,
                 gboolean    allow_padding)
{
  LsNode *node = ls_schedule_resolve (schedule, block);
  LsSref *sref;

  *self = (LoopMatch) { .analyzer = ls_analyzer_new (), .state = ls_state_plant (ls_schedule_get_module (schedule)),
                        .loops = g_ptr_array_new (), .taken = g_ptr_array_new (), .asked = g_ptr_array_new (), .allow_padding = allow_padding };
  sref = node != NULL && ls_is (node, BLOCK) ? ls_state_sref (self->state, node) : NULL;
  if (sref == NULL || ls_state_scope_root (self->state, sref) == NULL || !collect_loops (self, sref))
    return FALSE;
  self->realize = ls_state_realize (self->state, sref);
  self->paddings = g_new0 (gint64, ls_array_n (self->realize->iter_values) + 1);
  return TRUE;
}

/* Gives the loop of variable number `i` of the block away.  FALSE: its extent does not fit. */
static gboolean
take_loop (LoopMatch *self,
           guint      i,
           LsFor     *asked)
{
  gint64 have, want;

  for (guint k = 0; k < self->loops->len; k++)
    {
      LsFor *loop = self->loops->pdata[k];
      gboolean plain;

      if (g_ptr_array_find (self->taken, loop, NULL) ||
          !is_bound_to (self->analyzer, ls_array_at (self->realize->iter_values, i, LsExpr), loop, self->loops, &plain))
        continue;
      self->allow_padding &= plain;
      if (!ls_as_int (loop->extent, &have) || !ls_as_int (asked->extent, &want) || want < 1)
        return FALSE;
      if (have % want != 0)
        {
          if (!self->allow_padding)
            return FALSE;
          self->paddings[i] = want;
          self->pads = TRUE;
        }
      g_ptr_array_add (self->taken, loop);
      g_ptr_array_add (self->asked, asked);
      return TRUE;
    }
  return TRUE;
}

/* The loop that variable number `i` of the description is bound to; *place: which one it is. */
static LsFor *
loop_of_desc (LoopMatch *self,
              Desc      *desc,
              guint      i,
              guint     *place)
{
  gboolean plain;
  gint64 extent;

  for (*place = 0; *place < desc->loops->len; (*place)++)
    if (is_bound_to (self->analyzer, ls_array_at (desc->realize->iter_values, i, LsExpr), desc->loops->pdata[*place], desc->loops, &plain))
      return ls_as_int (((LsFor *) desc->loops->pdata[*place])->extent, &extent) ? desc->loops->pdata[*place] : NULL;
  return NULL;
}

static gboolean
match_loops (LoopMatch *self,
             Desc      *desc)
{
  guint next = ls_array_n (self->realize->iter_values);

  if (next < ls_array_n (desc->realize->iter_values) || next != self->loops->len || desc->loops->len != ls_array_n (desc->realize->iter_values))
    return FALSE;
  for (guint i = desc->loops->len; i-- > 0;)
    {
      guint place;
      LsFor *asked = loop_of_desc (self, desc, i, &place);

      if (asked == NULL)
        return FALSE;
      while (next > 0 && type_at (self->realize->block, next - 1) != type_at (desc->realize->block, place))
        next--;
      if (next == 0 || !take_loop (self, next - 1, asked))
        return FALSE;
      next--;
    }
  return !self->pads || self->allow_padding;
}

static LsArray *
as_array (GPtrArray *items)
{
  GPtrArray *copy = g_ptr_array_new ();

  for (guint i = 0; i < items->len; i++)
    g_ptr_array_add (copy, ls_node_ref (items->pdata[i]));
  return ls_array_take_ptr_array (copy);
}

static LsArray *
paddings_of (LoopMatch *self)
{
  GPtrArray *list = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (self->realize->iter_values); i++)
    g_ptr_array_add (list, ls_const_int (ls_dtype (ls_array_at (self->realize->block->iter_vars, i, LsIterVar)->var), MAX (self->paddings[i], 1)));
  return ls_array_take_ptr_array (list);
}

LsTensorizeLoops *
ls_tensorize_loops (LsSchedule *schedule,
                    LsVar      *block,
                    LsPrimFunc *desc,
                    gboolean    allow_padding)
{
  g_auto(Desc) asked = { NULL };
  g_auto(LoopMatch) match = { NULL };
  LsTensorizeLoops *self;

  if (!desc_init (&asked, desc) || !loop_match_init (&match, schedule, block, allow_padding) || !match_loops (&match, &asked))
    return NULL;
  self = g_new0 (LsTensorizeLoops, 1);
  self->loops = as_array (match.taken);
  self->asked = as_array (match.asked);
  self->desc_loops = as_array (asked.loops);
  self->paddings = match.pads ? paddings_of (&match) : NULL;
  return self;
}

void
ls_tensorize_loops_free (LsTensorizeLoops *self)
{
  if (self == NULL)
    return;
  ls_unref (self->loops);
  ls_unref (self->asked);
  ls_unref (self->desc_loops);
  ls_unref (self->paddings);
  g_free (self);
}

/* ---- mapping --------------------------------------------------------------------------- */

/* Sets of buffers, one bit each. */
#define MAX_BUFFERS 64

typedef struct {
  GPtrArray *asked;             /* of LsBuffer: bit i of a set */
  GPtrArray *own;               /* of LsBuffer: what each is in the program */
  GPtrArray *own_indices;       /* of LsArray, */
  GPtrArray *asked_indices;     /* ... and of LsArray, of each of them */
} Uses;

static void
uses_clear (Uses *self)
{
  g_clear_pointer (&self->asked, g_ptr_array_unref);
  g_clear_pointer (&self->own, g_ptr_array_unref);
  g_clear_pointer (&self->own_indices, g_ptr_array_unref);
  g_clear_pointer (&self->asked_indices, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Uses, uses_clear)

static gint
compare_names (gconstpointer a,
               gconstpointer b)
{
  return g_strcmp0 ((*(LsBuffer **) a)->name, (*(LsBuffer **) b)->name);
}

/* FALSE: a buffer of the description is not indexed by variables, or there are too many. */
static gboolean
uses_init (Uses          *self,
           LsIntrinMatch *match)
{
  *self = (Uses) { g_ptr_array_new (), g_ptr_array_new (), g_ptr_array_new (), g_ptr_array_new () };
  g_ptr_array_extend (self->asked, match->asked, NULL, NULL);
  g_ptr_array_sort (self->asked, compare_names);
  for (guint i = 0; i < self->asked->len; i++)
    {
      LsArray *indices = g_hash_table_lookup (match->asked_indices, self->asked->pdata[i]);
      LsBuffer *own = g_hash_table_lookup (match->buffers, self->asked->pdata[i]);

      for (guint k = 0; indices != NULL && k < ls_array_n (indices); k++)
        if (!ls_is_var (indices->items[k]))
          return FALSE;
      g_ptr_array_add (self->own, own);
      g_ptr_array_add (self->own_indices, g_hash_table_lookup (match->bases, own));
      g_ptr_array_add (self->asked_indices, indices);
    }
  return self->asked->len <= MAX_BUFFERS;
}

static guint64
users_of (GPtrArray *indices,
          LsVar     *var)
{
  guint64 set = 0;

  for (guint i = 0; i < indices->len; i++)
    if (indices->pdata[i] != NULL && ls_uses (indices->pdata[i], var))
      set |= G_GUINT64_CONSTANT (1) << i;
  return set;
}

/* How many variables of the description the variable may stand for; *found is the last of them. */
static guint
counterparts (Uses      *uses,
              LsIterVar *own,
              LsArray   *asked_iters,
              guint     *found)
{
  guint64 set = users_of (uses->own_indices, own->var);
  guint n = 0;

  for (guint i = 0; set != 0 && i < ls_array_n (asked_iters); i++)
    {
      LsIterVar *asked = ls_array_at (asked_iters, i, LsIterVar);

      if (asked->iter_type != own->iter_type || users_of (uses->asked_indices, asked->var) != set)
        continue;
      *found = i;
      n++;
    }
  return n;
}

static void
fuse_into (LsExpr    **sum,
           LsIterVar  *iter,
           LsVar      *var)
{
  LsExpr *next = LS_EXPR (ls_ref (var));

  *sum = *sum == NULL ? next : ls_add (ls_mul (*sum, ls_ref (iter->dom->extent)), next);
}

/* NULL: a variable has two counterparts, or one of the description has none. */
static LsIndexMap *
propose (Uses    *uses,
         LsArray *own_iters,
         LsArray *asked_iters)
{
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();
  guint n = ls_array_n (asked_iters);
  g_autofree LsExpr **sums = g_new0 (LsExpr *, n + 1);
  GPtrArray *from = g_ptr_array_new ();
  GPtrArray *to = g_ptr_array_new ();
  gboolean good = TRUE;
  g_autoptr(LsIndexMap) map = NULL;

  for (guint i = 0; i < ls_array_n (own_iters); i++)
    {
      LsIterVar *iter = ls_array_at (own_iters, i, LsIterVar);
      LsVar *var = ls_var_copy (iter->var, NULL);
      guint place = 0, ways = counterparts (uses, iter, asked_iters, &place);

      g_ptr_array_add (from, var);
      good &= ways <= 1;
      if (ways == 0)
        g_ptr_array_add (to, ls_ref (var));
      else
        fuse_into (&sums[place], iter, var);
    }
  for (guint i = 0; i < n; i++)
    {
      good &= sums[i] != NULL;
      if (sums[i] != NULL)
        g_ptr_array_add (to, ls_analyzer_simplify (analyzer, sums[i]));
      ls_unref (sums[i]);
    }
  map = ls_index_map_new (ls_array_take_ptr_array (from), ls_array_take_ptr_array (to), NULL);
  return good ? g_steal_pointer (&map) : NULL;
}

static LsArray *
indices_of (Uses *uses)
{
  GPtrArray *list = g_ptr_array_new ();

  for (guint i = 0; i < uses->asked_indices->len; i++)
    g_ptr_array_add (list, uses->asked_indices->pdata[i] != NULL ? ls_node_ref (uses->asked_indices->pdata[i]) : LS_NODE (ls_array_new (NULL, 0)));
  return ls_array_take_ptr_array (list);
}

LsTensorizeMapping *
ls_tensorize_mapping (LsSchedule *schedule,
                      LsVar      *block,
                      LsPrimFunc *desc)
{
  LsNode *node = ls_schedule_resolve (schedule, block);
  g_auto(Desc) asked = { NULL };
  g_auto(LsIntrinMatch) match;
  g_auto(Uses) uses = { NULL };
  LsTensorizeMapping *self;
  LsIndexMap *map;

  ls_intrin_match_init (&match, TRUE);
  if (!desc_init (&asked, desc) || node == NULL || !ls_is (node, BLOCK) ||
      !ls_intrin_match_block (&match, (LsBlock *) node, asked.realize->block) || !uses_init (&uses, &match))
    return NULL;
  map = propose (&uses, ((LsBlock *) node)->iter_vars, asked.realize->block->iter_vars);
  if (map == NULL)
    return NULL;
  self = g_new0 (LsTensorizeMapping, 1);
  self->mappings = ls_array_of (map, NULL);
  self->own_buffers = as_array (uses.own);
  self->asked_buffers = as_array (uses.asked);
  self->asked_indices = indices_of (&uses);
  self->own_iters = ls_ref (((LsBlock *) node)->iter_vars);
  self->asked_iters = ls_ref (asked.realize->block->iter_vars);
  return self;
}

void
ls_tensorize_mapping_free (LsTensorizeMapping *self)
{
  if (self == NULL)
    return;
  ls_unref (self->mappings);
  ls_unref (self->own_buffers);
  ls_unref (self->asked_buffers);
  ls_unref (self->asked_indices);
  ls_unref (self->own_iters);
  ls_unref (self->asked_iters);
  g_free (self);
}
