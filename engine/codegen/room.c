/* room: how far past the number of its elements a function with symbolic shapes of int32 may count.
 *
 * Where n * m is known only when it runs, a tile of T goes up to (n * m + T - 1) // T rounds, and its last round asks `i_0 * T + i_1 < n * m`
 * with numbers up to n * m + T - 1, all of int32.  The number of elements alone is no bound of them; the entry keeps so much room
 * below 2^31.  Tiles of tiles count up to their product, and so do the constant loops of a nest together. */
#include "engine/codegen/codegen-private.h"

/* What was written out or became part of an index is as small as this. */
#define LEAST 1024
#define MOST ((gint64) 1 << 29)

typedef struct {
  gint64 here, most;            /* the product of the constant extents around this place, and the largest one */
} Room;

static gint64
factor_of (LsNode *node)
{
  gint64 extent = 1;

  if (ls_is (node, FOR))
    return ls_as_int (((LsFor *) node)->extent, &extent) && extent > 1 ? extent : 1;
  if (ls_is (node, RAMP))
    return ls_dtype (node).lanes > 1 ? ls_dtype (node).lanes : 1;
  return 1;
}

static LsWalk
enter (LsNode  *node,
       gpointer user_data)
{
  Room *self = user_data;
  gint64 factor = factor_of (node);

  /* Beyond MOST it is no matter by how much: the remainder stays exact, so that leaving finds the way back. */
  if (factor > 1 && self->here <= G_MAXINT64 / factor)
    self->here *= factor;
  else if (factor > 1)
    {
      self->most = MOST;
      return LS_WALK_STOP;
    }
  self->most = MIN (MAX (self->most, self->here), MOST);
  return LS_WALK_CONTINUE;
}

static void
leave (LsNode  *node,
       gpointer user_data)
{
  ((Room *) user_data)->here /= factor_of (node);
}

guint32
ls_cg_room (LsPrimFunc *func)
{
  Room self = { 1, LEAST };

  ls_walk (func->body, enter, leave, &self);
  return (guint32) self.most;
}
