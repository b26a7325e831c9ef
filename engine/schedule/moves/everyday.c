/* everyday: the moves that people look for at a loop or block, each with the words of what it does.
 *
 * Which primitive with which arguments makes sense here; offer.c tries them.
 */
#include "engine/schedule/moves/private.h"
#include "engine/tir/device.h"

#include <inttypes.h>
#include <string.h>

#define MAX_FACTORS 64

typedef LsMoveSearch Search;

static LsOffer *
offer_move (Search     *self,
            const char *primitive,
            const char *format,
            LsNode     *a,
            LsNode     *b,
            const char *effect,
            ...)
{
  va_list args;
  char *text;

  va_start (args, effect);
  text = g_strdup_vprintf (ls_translate (effect), args);
  va_end (args);
  return ls_moves_search (self, primitive, format, a, b, text, TRUE);
}

/* ---- candidates for a loop -------------------------------------------------------------- */

static GArray *
divisors (gint64 extent)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (gint64 d = 2; d < extent && d <= 65536 && list->len < MAX_FACTORS; d++)
    if (extent % d == 0)
      g_array_append_val (list, d);
  return list;
}

/* The inner extent to begin with: 4 if it divides, else the divisor nearest to it. */
static gint64
first_factor (GArray *list)
{
  gint64 best = 0;

  for (guint i = 0; i < list->len; i++)
    {
      gint64 d = g_array_index (list, gint64, i);

      if (best == 0 || ABS (d - 4) < ABS (best - 4))
        best = d;
    }
  return best;
}

static void
offer_split (Search *self,
             LsFor  *loop)
{
  GArray *list;
  gint64 extent = 0;
  gint64 inner;
  g_autofree char *format = NULL;
  LsOffer *offer;

  ls_as_int (loop->extent, &extent);
  list = divisors (extent);
  inner = first_factor (list);
  if (inner > 0)
    format = g_strdup_printf ("sch.split(%%1, factors=[%" G_GINT64_FORMAT ", %" G_GINT64_FORMAT "])", extent / inner, inner);
  else
    format = g_strdup ("sch.split(%1, factors=[None, 4])");
  offer = offer_move (self, "split", format, LS_NODE (loop), NULL,
               inner > 0 ? "Cuts %s into an outer and an inner loop."
                         : LS_TEXT ("Cuts %s into an outer and an inner loop, with a guard where 4 does not divide."),
               loop->loop_var->name);
  if (offer != NULL && inner == 0 && extent > 4 && offer->group == LS_OFFER_CAN)
    {
      offer->reason = g_strdup_printf (ls_translate ("split needs a factor that divides %" PRId64 ", and there is none."), extent);
      offer->code = g_strdup ("schedule/split/no-divisor");
      offer->checked_in = __FILE__;
      offer->checked_at = __LINE__;
      ls_offer_set_repair (offer, g_strdup_printf (ls_translate ("With a predicate it becomes possible: split(%s, [None, 4])"), loop->loop_var->name), g_strdup (offer->text), FALSE);
    }
  if (offer != NULL)
    {
      g_autofree char *call = g_strdup (offer->call);
      char *at = strstr (call, "factors=");

      if (at != NULL)
        memmove (at, at + strlen ("factors="), strlen (at + strlen ("factors=")) + 1);
      g_free (offer->call);
      offer->call = g_steal_pointer (&call);
      offer->factors = g_steal_pointer (&list);
    }
  g_clear_pointer (&list, g_array_unref);
}

static void
offer_order (Search *self,
             LsSref *sref)
{
  LsNode *loop = sref->stmt;
  g_autoptr(GPtrArray) blocks = ls_state_child_blocks (self->state, sref);
  g_autoptr(GPtrArray) loops = blocks->len > 0 ? ls_state_loops (self->state, blocks->pdata[0]) : NULL;
  guint at = 0;

  if (loops == NULL || !g_ptr_array_find (loops, sref, &at))
    return;
  for (guint i = 0; i < loops->len; i++)
    {
      LsNode *other = ((LsSref *) loops->pdata[i])->stmt;

      if (i == at || i + 2 < at || i > at + 2)
        continue;
      if (i < at)
        offer_move (self, "reorder", "sch.reorder(%1, %2)", loop, other, "Moves %s out, around %s.", ls_moves_name_of (loop), ls_moves_name_of (other));
      else
        offer_move (self, "reorder", "sch.reorder(%2, %1)", loop, other, "Moves %s in, inside %s.", ls_moves_name_of (loop), ls_moves_name_of (other));
    }
  if (at + 1 < loops->len)
    offer_move (self, "fuse", "sch.fuse(%1, %2)", loop, ((LsSref *) loops->pdata[at + 1])->stmt, "Makes one loop of %s and %s.", ls_moves_name_of (loop),
         ls_moves_name_of (((LsSref *) loops->pdata[at + 1])->stmt));
  if (at > 0)
    offer_move (self, "fuse", "sch.fuse(%2, %1)", loop, ((LsSref *) loops->pdata[at - 1])->stmt, "Makes one loop of %s and %s.",
         ls_moves_name_of (((LsSref *) loops->pdata[at - 1])->stmt), ls_moves_name_of (loop));
}

static gboolean
has_threads (Search *self)
{
  return ls_device_target_is (self->target);
}

static void
offer_kinds (Search *self,
             LsFor  *loop)
{
  LsNode *node = LS_NODE (loop);
  const char *name = loop->loop_var->name;
  LsOffer *bind;
  gint64 extent;

  offer_move (self, "parallel", "sch.parallel(%1)", node, NULL, "Runs the iterations of %s on several cores.", name);
  offer_move (self, "vectorize", "sch.vectorize(%1)", node, NULL, "Runs all iterations of %s as one vector operation.", name);
  if (ls_as_int (loop->extent, &extent) && extent == 1)
    offer_move (self, "unroll", "sch.unroll(%1)", node, NULL, "Writes out the one iteration of %s, without a loop.", name);
  else if (ls_as_int (loop->extent, &extent))
    offer_move (self, "unroll", "sch.unroll(%1)", node, NULL, "Writes out all %" PRId64 " iterations.", extent);
  else
    offer_move (self, "unroll", "sch.unroll(%1)", node, NULL, "Writes out all iterations of %s.", name);
  bind = offer_move (self, "bind", "sch.bind(%1, \"threadIdx.x\")", node, NULL, "Runs each iteration of %s on a thread of its own.", name);
  if (bind != NULL && !has_threads (self))
    {
      gboolean would = bind->group == LS_OFFER_CAN;

      bind->group = would ? LS_OFFER_WITH_CHANGE : LS_OFFER_CANNOT;
      g_clear_pointer (&bind->repair, g_free);
      g_clear_pointer (&bind->repair_text, g_free);
      bind->repair = would ? g_strdup (ls_translate ("Change the target to cuda")) : NULL;
      bind->retarget = would ? g_strdup ("cuda") : NULL;
      g_free (bind->reason);
      bind->reason = g_strdup_printf (ls_translate ("Target %s has no threads to bind to."), self->target != NULL ? self->target : "llvm");
      g_free (bind->code);
      bind->code = g_strdup ("schedule/bind/no-threads");
      bind->checked_in = __FILE__;
      bind->checked_at = __LINE__;
    }
}

static void
offer_with_blocks (Search *self,
                   LsSref *loop)
{
  g_autoptr(GPtrArray) below = ls_state_child_blocks (self->state, loop);
  LsSref *root = ls_state_scope_root (self->state, loop);
  LsScope *scope = root != NULL ? ls_state_scope (self->state, root) : NULL;

  for (guint i = 0; i < below->len; i++)
    {
      LsNode *block = ((LsSref *) below->pdata[i])->stmt;

      if (((LsBlock *) block)->init == NULL)
        continue;
      offer_move (self, "decompose_reduction", "sch.decompose_reduction(%2, %1)", loop->stmt, block,
           "Puts the start value of %s before loop %s, so that %s only adds.", ls_moves_name_of (block), ls_moves_name_of (loop->stmt), ls_moves_name_of (block));
      offer_move (self, "rfactor", "sch.rfactor(%1, 0)", loop->stmt, NULL, "Sums %s in parts, so that the parts can run apart.", ls_moves_name_of (loop->stmt));
    }
  for (guint i = 0; scope != NULL && i < scope->blocks->len; i++)
    {
      LsSref *block = scope->blocks->pdata[i];
      g_autoptr(GPtrArray) producers = NULL;
      g_autoptr(GPtrArray) consumers = NULL;
      gboolean related = FALSE;

      if (g_ptr_array_find (below, block, NULL))
        continue;
      producers = ls_state_producers (self->state, block);
      consumers = ls_state_consumers (self->state, block);
      for (guint k = 0; !related && k < below->len; k++)
        related = g_ptr_array_find (producers, below->pdata[k], NULL);
      if (related)
        {
          offer_move (self, "reverse_compute_at", "sch.reverse_compute_at(%2, %1)", loop->stmt, block->stmt,
               "Moves block %s into loop %s, right after what it reads is ready.", ls_moves_name_of (block->stmt), ls_moves_name_of (loop->stmt));
          continue;
        }
      for (guint k = 0; !related && k < below->len; k++)
        related = g_ptr_array_find (consumers, below->pdata[k], NULL);
      if (related)
        offer_move (self, "compute_at", "sch.compute_at(%2, %1)", loop->stmt, block->stmt, "Moves block %s into loop %s, right before it is needed.",
             ls_moves_name_of (block->stmt), ls_moves_name_of (loop->stmt));
    }
}

/* ---- candidates for a block -------------------------------------------------------------- */

static void
offer_neighbours (Search     *self,
                  LsSref     *block,
                  GPtrArray  *neighbours,
                  const char *primitive,
                  const char *format,
                  const char *effect)
{
  for (guint i = 0; i < neighbours->len; i++)
    {
      g_autoptr(GPtrArray) loops = ls_state_loops (self->state, neighbours->pdata[i]);

      for (guint k = 0; k < loops->len; k++)
        if (!ls_sref_is_ancestor (loops->pdata[k], block))
          offer_move (self, primitive, format, block->stmt, ((LsSref *) loops->pdata[k])->stmt, effect, ls_moves_name_of (block->stmt),
               ls_moves_name_of (((LsSref *) loops->pdata[k])->stmt));
    }
}

static void
offer_for_block (Search *self,
                 LsSref *sref)
{
  LsNode *block = sref->stmt;
  g_autoptr(GPtrArray) producers = ls_state_producers (self->state, sref);
  g_autoptr(GPtrArray) consumers = ls_state_consumers (self->state, sref);
  g_autoptr(GPtrArray) loops = ls_state_loops (self->state, sref);

  offer_move (self, "compute_inline", "sch.compute_inline(%1)", block, NULL, "Puts what %s computes into the blocks that read it.", ls_moves_name_of (block));
  offer_move (self, "reverse_compute_inline", "sch.reverse_compute_inline(%1)", block, NULL, "Puts what %s computes into the block that it reads.", ls_moves_name_of (block));
  offer_neighbours (self, sref, consumers, "compute_at", "sch.compute_at(%1, %2)",
                    LS_TEXT ("Moves block %s into loop %s, right before it is needed."));
  offer_neighbours (self, sref, producers, "reverse_compute_at", "sch.reverse_compute_at(%1, %2)",
                    LS_TEXT ("Moves block %s into loop %s, right after what it reads is ready."));
  for (guint i = 0; ((LsBlock *) block)->init != NULL && i < loops->len; i++)
    offer_move (self, "decompose_reduction", "sch.decompose_reduction(%1, %2)", block, ((LsSref *) loops->pdata[i])->stmt,
         "Puts the start value of %s before loop %s.", ls_moves_name_of (block), ls_moves_name_of (((LsSref *) loops->pdata[i])->stmt));
  offer_move (self, "cache_read", "sch.cache_read(%1, 0, \"global\")", block, NULL, "Copies what %s reads first into a small buffer.", ls_moves_name_of (block));
  offer_move (self, "cache_write", "sch.cache_write(%1, 0, \"global\")", block, NULL, "Lets %s write into a small buffer that is copied out afterwards.", ls_moves_name_of (block));
  offer_move (self, "set_scope", "sch.set_scope(%1, 0, \"local\")", block, NULL, "Keeps what %s writes in local memory.", ls_moves_name_of (block));
}

gboolean
ls_moves_offer_own (Search *self,
                    guint   part)
{
  LsFor *loop = self->sref->is_block ? NULL : (LsFor *) self->node;

  if (loop == NULL)
    {
      if (part == 0 && self->sref->parent != NULL)
        offer_for_block (self, self->sref);
      return part == 0;
    }
  switch (part)
    {
    case 0:
      offer_split (self, loop);
      return TRUE;
    case 1:
      offer_order (self, self->sref);
      return TRUE;
    case 2:
      offer_with_blocks (self, self->sref);
      return TRUE;
    case 3:
      offer_kinds (self, loop);
      return TRUE;
    default:
      return FALSE;
    }
}
