/* walk: pre-order traversal over the field tables. */
#include "engine/ir/ir.h"

#include "engine/base/stack.h"

typedef struct {
  LsNode      *node;
  LsEnterFunc  enter;
  LsLeaveFunc  leave;
  gpointer     user_data;
  LsWalk       result;
} Again;

static void walk_again (gpointer data);

static LsWalk
walk (LsNode      *node,
      LsEnterFunc  enter,
      LsLeaveFunc  leave,
      gpointer     user_data)
{
  LsWalk code;
  guint n;

  if (ls_stack_is_short ())
    {
      Again again = { node, enter, leave, user_data, LS_WALK_CONTINUE };

      ls_stack_extend (walk_again, &again);
      return again.result;
    }
  code = enter != NULL ? enter (node, user_data) : LS_WALK_CONTINUE;
  if (code == LS_WALK_STOP)
    return LS_WALK_STOP;
  if (code == LS_WALK_CONTINUE && !(node->klass->flags & LS_CLASS_IDENTITY))
    {
      n = ls_node_get_n_children (node);
      for (guint i = 0; i < n; i++)
        {
          LsNode *child = ls_node_get_child (node, i);

          if (child != NULL && walk (child, enter, leave, user_data) == LS_WALK_STOP)
            return LS_WALK_STOP;
        }
    }
  if (leave != NULL)
    leave (node, user_data);
  return LS_WALK_CONTINUE;
}

static void
walk_again (gpointer data)
{
  Again *again = data;

  again->result = walk (again->node, again->enter, again->leave, again->user_data);
}

gboolean
ls_walk (gpointer    root,
         LsEnterFunc enter,
         LsLeaveFunc leave,
         gpointer    user_data)
{
  return root == NULL || walk (root, enter, leave, user_data) != LS_WALK_STOP;
}

static LsWalk
stop_at (LsNode  *node,
         gpointer identity)
{
  if (node == identity)
    return LS_WALK_STOP;
  return ls_may_hold (node, identity) ? LS_WALK_CONTINUE : LS_WALK_PRUNE;
}

gboolean
ls_uses (gpointer root,
         gpointer identity)
{
  return !ls_walk (root, stop_at, NULL, identity);
}

typedef struct {
  gboolean (*is) (LsVar *, gpointer);
  gpointer user_data;
} VarQuery;

static LsWalk
stop_at_var (LsNode  *node,
             gpointer user_data)
{
  VarQuery *query = user_data;

  if (!(node->facts & LS_FACT_HAS_VAR))
    return LS_WALK_PRUNE;
  if (ls_is_var (node) && (query->is == NULL || query->is ((LsVar *) node, query->user_data)))
    return LS_WALK_STOP;
  return LS_WALK_CONTINUE;
}

gboolean
ls_uses_var (gpointer   root,
             gboolean (*is) (LsVar *, gpointer),
             gpointer   user_data)
{
  VarQuery query = { is, user_data };

  return !ls_walk (root, stop_at_var, NULL, &query);
}
