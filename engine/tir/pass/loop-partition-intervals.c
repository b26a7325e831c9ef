/* loop-partition-intervals: the conditions inside of a loop, and where in it they hold. */
#include "engine/tir/pass/loop-partition-intervals.h"

#include "engine/arith/deduce.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/scope.h"

typedef struct {
  LsExpr   *condition;          /* borrowed */
  gboolean  holds;
  LsIntSet *interval;           /* owned */
} Part;

static void
part_clear (gpointer data)
{
  ls_int_set_unref (((Part *) data)->interval);
}

typedef struct {
  LsVar    *var;
  gboolean  hinted;
  LsDomMap *hints;
  LsDomMap *relaxed;
  LsDomMap *outside;            /* what stood in the two at the begin */
  GArray   *parts;              /* of Part */
  LsStmt   *body;               /* of the loop; borrowed */
  GHashTable *bound;            /* Vars that the body gives values, but those of its loops */
  LsAnalyzer *analyzer;
} Finder;

static LsWalk
note_bound (LsNode   *node,
            gpointer  user_data)
{
  if (ls_is (node, LET_STMT))
    g_hash_table_add (user_data, ((LsLetStmt *) node)->var);
  else if (ls_is (node, LET))
    g_hash_table_add (user_data, ((LsLet *) node)->var);
  else if (ls_is (node, BLOCK))
    for (guint i = 0; i < ls_array_n (((LsBlock *) node)->iter_vars); i++)
      g_hash_table_add (user_data, ls_array_at (((LsBlock *) node)->iter_vars, i, LsIterVar)->var);
  return LS_WALK_CONTINUE;
}

static LsWalk
look_for_bound (LsNode   *node,
                gpointer  user_data)
{
  return g_hash_table_contains (user_data, node) ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

/* Is it the same number in front of the loop and in all of its rounds, but for variables of loops? */
static gboolean
is_settled (Finder *self,
            LsExpr *expr)
{
  return ls_scope_lasts (self->analyzer, expr, self->body) && ls_walk (expr, look_for_bound, NULL, self->bound);
}

static void
deduce (Finder   *self,
        LsExpr   *condition,
        LsExpr   *asked,
        gboolean  holds)
{
  Part part = { condition, holds, ls_deduce_bound (self->var, asked, self->hints, self->relaxed) };

  if (ls_int_set_is_nothing (part.interval))
    ls_int_set_unref (part.interval);
  else
    g_array_append_val (self->parts, part);
}

static void
deduce_both (Finder *self,
             LsExpr *condition)
{
  static const LsKind OPPOSITES[][2] = {
    { LS_KIND_LT, LS_KIND_GE }, { LS_KIND_GT, LS_KIND_LE }, { LS_KIND_LE, LS_KIND_GT }, { LS_KIND_GE, LS_KIND_LT }, { LS_KIND_EQ, LS_KIND_NE }, { LS_KIND_NE, LS_KIND_EQ },
  };

  for (guint i = 0; i < self->parts->len; i++)
    if (g_array_index (self->parts, Part, i).condition == condition)
      return;
  if (!ls_uses (condition, self->var) || !is_settled (self, condition))
    return;
  deduce (self, condition, condition, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (OPPOSITES); i++)
    if (ls_kind (condition) == OPPOSITES[i][0])
      {
        LsBinary *binary = (LsBinary *) condition;
        g_autoptr (LsExpr) opposite = ls_binary_new (OPPOSITES[i][1], ls_ref (binary->a), ls_ref (binary->b));

        deduce (self, condition, opposite, FALSE);
      }
}

static void find_in (Finder *self, gpointer node);

static void
find_inside (Finder *self,
             LsVar  *var,
             LsExpr *min,
             LsExpr *extent,
             LsStmt *body)
{
  g_autoptr (LsIntSet) dom = ls_int_set_new_interval (ls_ref (min), ls_sub (ls_add (ls_ref (min), ls_ref (extent)), ls_const_int (ls_dtype (extent), 1)));

  ls_dom_map_set_set (self->hints, var, dom);
  ls_dom_map_set_set (self->relaxed, var, dom);
  find_in (self, body);
  ls_dom_map_remove (self->hints, var);
  ls_dom_map_remove (self->relaxed, var);
}

static void
find_in (Finder  *self,
         gpointer node)
{
  LsFor *loop = node;
  LsAttrStmt *attr = node;

  if (node == NULL)
    return;
  if (ls_is (node, FOR))
    {
      if (!ls_dom_map_used_in (self->outside, loop->min) && !ls_dom_map_used_in (self->outside, loop->extent) && is_settled (self, loop->min)
          && is_settled (self, loop->extent))
        find_inside (self, loop->loop_var, loop->min, loop->extent, loop->body);
    }
  else if (ls_is_attr (node, "thread_extent") && ls_thread_axis (node) != NULL)
    {
      g_autoptr (LsExpr) zero = ls_const_int (ls_dtype (attr->value), 0);

      find_inside (self, ls_thread_axis (node)->var, zero, attr->value, attr->body);
    }
  else if (ls_is_call (node, "tir.likely"))
    deduce_both (self, ls_array_at (((LsCall *) node)->args, 0, LsExpr));
  else if (self->hinted && ls_is_expr (node) && ls_kind_is_compare (ls_kind (node)))
    deduce_both (self, node);
  else
    for (guint i = 0; i < ls_node_get_n_children (node); i++)
      find_in (self, ls_node_get_child (node, i));
}

static void
union_into (LsDomMap *all,
            LsDomMap *some)
{
  for (guint i = 0; i < ls_dom_map_get_n (some); i++)
    ls_dom_map_set_set (all, ls_dom_map_get_var (some, i), ls_dom_map_get_set (some, ls_dom_map_get_var (some, i)));
}

GArray *
ls_loop_conditions (LsVar      *var,
                    gboolean    hinted,
                    LsDomMap   *around,
                    LsDomMap   *threads,
                    LsExpr     *min,
                    LsExpr     *max,
                    LsStmt     *body,
                    LsAnalyzer *analyzer)
{
  g_autoptr (LsDomMap) hints = ls_dom_map_copy (around), relaxed = ls_dom_map_copy (threads), outside = ls_dom_map_new ();
  g_autoptr (LsIntSet) own = ls_int_set_new_interval (ls_ref (min), ls_ref (max));
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (Part));
  g_autoptr (GHashTable) bound = g_hash_table_new (NULL, NULL);
  Finder finder = { var, hinted, hints, relaxed, outside, parts, body, bound, analyzer };

  g_array_set_clear_func (parts, part_clear);
  ls_walk (body, note_bound, NULL, bound);
  if (!is_settled (&finder, min) || !is_settled (&finder, max))
    return parts;
  ls_dom_map_set_set (hints, var, own);
  union_into (outside, hints);
  union_into (outside, relaxed);
  find_in (&finder, body);
  return parts;
}

LsIntSet *
ls_loop_interval (LsAnalyzer *analyzer,
                  GArray     *parts,
                  LsIntSet   *loop,
                  gboolean    holds,
                  gboolean    hinted,
                  GHashTable *conditions)
{
  LsIntSet *result = NULL;

  for (guint i = 0; i < parts->len; i++)
    {
      Part *part = &g_array_index (parts, Part, i);
      g_autoptr (LsIntSet) inside = part->holds == holds ? ls_int_set_intersect2 (analyzer, part->interval, loop) : NULL;
      LsIntSet *both;

      if (inside == NULL || ls_int_set_is_nothing (inside))
        continue;
      both = result != NULL ? ls_int_set_intersect2 (analyzer, result, part->interval) : ls_int_set_ref (part->interval);
      if (result != NULL && hinted && ls_int_set_is_nothing (both))
        {
          ls_int_set_unref (both);
          continue;
        }
      ls_int_set_unref (result);
      result = both;
      g_hash_table_add (conditions, part->condition);
    }
  return result != NULL ? result : ls_int_set_nothing ();
}

gboolean
ls_loop_conditions_lie_outside (LsAnalyzer *analyzer,
                                GArray     *parts,
                                LsExpr     *min,
                                LsExpr     *max)
{
  for (guint i = 0; i < parts->len; i++)
    {
      LsIntSet *set = g_array_index (parts, Part, i).interval;
      g_autoptr (LsExpr) below = NULL, above = NULL;

      if (!ls_int_set_is_single_point (set))
        return FALSE;
      below = ls_lt (ls_ref (set->min_value), ls_ref (min));
      above = ls_gt (ls_ref (set->min_value), ls_ref (max));
      if (!ls_analyzer_can_prove (analyzer, below) && !ls_analyzer_can_prove (analyzer, above))
        return FALSE;
    }
  return TRUE;
}
