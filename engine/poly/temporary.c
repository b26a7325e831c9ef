/* temporary: buffers that nobody outside of a statement uses.
 *
 * Their elements may be written in another order, or be other memory in each round, as long as each read still finds the
 * value that it found.
 */
#include "engine/poly/conflict.h"

typedef struct {
  LsPolyCompare    *compare;
  GHashTable *found;
} Elsewhere;

static LsWalk
note_use (LsNode   *node,
          gpointer  user_data)
{
  Elsewhere *self = user_data;

  if (node == LS_NODE (self->compare->before))
    return LS_WALK_PRUNE;
  if (ls_is (node, BUFFER_LOAD))
    g_hash_table_add (self->found, ((LsBufferLoad *) node)->buffer->data);
  else if (ls_is (node, BUFFER_STORE))
    g_hash_table_add (self->found, ((LsBufferStore *) node)->buffer->data);
  else if (ls_is_var (node) && !ls_dtype_is_index (ls_dtype (node)))
    g_hash_table_add (self->found, node);
  else if (ls_is (node, MATCH_BUFFER_REGION))
    g_hash_table_add (self->found, ((LsMatchBufferRegion *) node)->source->buffer->data);
  else if (ls_is (node, BUFFER_REGION))
    return LS_WALK_PRUNE;
  return LS_WALK_CONTINUE;
}

/* Does only `before` use the buffer, and is it nobody's result? */
static gboolean
is_temporary (LsPolyCompare  *self,
              LsBuffer *buffer)
{
  if (self->elsewhere == NULL)
    {
      Elsewhere search = { self, g_hash_table_new (NULL, NULL) };

      self->elsewhere = search.found;
      for (guint i = 0; i < ls_array_n (self->func->buffers); i++)
        if (self->func->buffers->items[i] != NULL)
          g_hash_table_add (self->elsewhere, ls_array_at (self->func->buffers, i, LsBuffer)->data);
      for (guint i = 0; i < ls_array_n (self->func->params); i++)
        g_hash_table_add (self->elsewhere, self->func->params->items[i]);
      ls_walk (self->func->body, note_use, NULL, &search);
    }
  return !g_hash_table_contains (self->elsewhere, buffer->data);
}

/* Takes those pairs out of `pairs` (a -> b, a writes, b reads) between which the element is written anew. */
static isl_map *
without_overwritten (LsPolyCompare      *self,
                     isl_map      *pairs,
                     LsPolyPair         *a,
                     LsPolyAccess *from,
                     LsPolyPair         *b,
                     LsPolyAccess *to,
                     gboolean      is_new)
{
  for (guint i = 0; i < self->pairs->len; i++)
    {
      LsPolyPair *middle = &g_array_index (self->pairs, LsPolyPair, i);

      for (guint k = 0; middle->same_loops && k < middle->old->accesses->len; k++)
        {
          LsPolyAccess *access = &g_array_index (middle->old->accesses, LsPolyAccess, k);
          gboolean exact = TRUE;
          isl_map *to_middle, *from_middle;

          if (!access->is_write || !ls_poly_touches (access, from->buffer))
            continue;
          to_middle = ls_poly_conflicts (self, a, from, middle, access, is_new, &exact);
          from_middle = ls_poly_conflicts (self, middle, access, b, to, is_new, &exact);
          /* the leaf writes before it reads, in one round */
          if (middle == b && access < to)
            from_middle = isl_map_union (from_middle, isl_map_intersect (ls_poly_same (from_middle), isl_map_apply_range (ls_poly_access (&self->space, b->old, access, &exact), isl_map_reverse (ls_poly_access (&self->space, b->old, to, &exact)))));
          if (exact)
            pairs = isl_map_subtract (pairs, isl_map_apply_range (to_middle, from_middle));
          else
            {
              isl_map_free (to_middle);
              isl_map_free (from_middle);
            }
        }
    }
  return pairs;
}

/* Are all uses of a temporary inside one round of each loop that is not serial?  It then gets its own memory in each. */
static gboolean
is_private (LsPolyCompare  *self,
            LsPolyPair     *a,
            LsBuffer *buffer)
{
  for (guint l = 0; l < a->fresh->loops->len; l++)
    {
      LsFor *loop = a->fresh->loops->pdata[l];

      if (loop->kind == LS_FOR_SERIAL || loop->kind == LS_FOR_UNROLLED)
        continue;
      for (guint i = 0; i < self->pairs->len; i++)
        {
          LsPolyPair *other = &g_array_index (self->pairs, LsPolyPair, i);

          for (guint k = 0; k < other->old->accesses->len; k++)
            if (ls_poly_touches (&g_array_index (other->old->accesses, LsPolyAccess, k), buffer) && !g_ptr_array_find (other->fresh->loops, loop, NULL))
              return FALSE;
        }
    }
  return TRUE;
}

/* How many accesses write it, and one of them. */
static guint
count_writes (LsPolyCompare *self,
              LsBuffer      *buffer,
              LsPolyPair   **writer,
              LsPolyAccess **write)
{
  guint n = 0;

  for (guint i = 0; i < self->pairs->len; i++)
    {
      LsPolyPair *pair = &g_array_index (self->pairs, LsPolyPair, i);

      for (guint k = 0; k < pair->old->accesses->len; k++)
        {
          LsPolyAccess *access = &g_array_index (pair->old->accesses, LsPolyAccess, k);

          if (!access->is_write || !ls_poly_touches (access, buffer))
            continue;
          *writer = pair;
          *write = access;
          n++;
        }
    }
  return n;
}

/* Is each element written by one round of its block alone? */
static gboolean
is_of_one_round (LsPolyCompare *self,
                 LsPolyPair    *writer,
                 LsPolyAccess  *write)
{
  gboolean exact = TRUE;
  isl_map *rounds = isl_map_apply_range (isl_map_reverse (ls_poly_access (&self->space, writer->old, write, &exact)),
                                         ls_poly_instance (&self->space, writer->old, &exact));
  isl_bool single = isl_map_is_single_valued (rounds);

  isl_map_free (rounds);
  return exact && single == isl_bool_true;
}

/* Has each element of a temporary one value, however often it is written?  So it is where one round of one block makes it, without adding, of what has
 * one value too or is not written here.  `asked`: buffers of which it is asked already; what is made of itself has no such value. */
static gboolean
has_one_value (LsPolyCompare *self,
               LsBuffer      *buffer,
               GPtrArray     *asked)
{
  LsPolyPair *writer = NULL;
  LsPolyAccess *write = NULL;

  if (g_ptr_array_find (asked, buffer->data, NULL) || !is_temporary (self, buffer) || count_writes (self, buffer, &writer, &write) != 1 ||
      write->role != LS_ACCESS_PLAIN || writer->old->realize == NULL || !is_of_one_round (self, writer, write))
    return FALSE;
  g_ptr_array_add (asked, buffer->data);
  for (guint k = 0; k < writer->old->accesses->len; k++)
    {
      LsPolyAccess *read = &g_array_index (writer->old->accesses, LsPolyAccess, k);
      LsPolyPair *other;
      LsPolyAccess *its;

      if (!read->is_write && count_writes (self, read->buffer, &other, &its) > 0 && !has_one_value (self, read->buffer, asked))
        return FALSE;
    }
  g_ptr_array_remove (asked, buffer->data);
  return TRUE;
}

gboolean
ls_poly_may_matter (LsPolyConflict *self,
                    gboolean        turns,
                    gboolean        at_once)
{
  LsBuffer *buffer = self->from->buffer;

  if (self->kind == LS_POLY_RAW || !self->a->same_loops || !self->b->same_loops || (self->kind == LS_POLY_WAR && turns) || !is_temporary (self->compare, buffer))
    return TRUE;
  return at_once && !is_private (self->compare, self->a, buffer);
}

/* What of `pairs`, which change places, matters where the buffer is a temporary: values that are read must stay. */
isl_map *
ls_poly_what_matters (LsPolyConflict *self,
              isl_map  *pairs,
              gboolean  at_once)
{
  LsPolyCompare *compare = self->compare;
  LsBuffer *buffer = self->from->buffer;

  if (!is_temporary (compare, buffer) || (at_once && !is_private (compare, self->a, buffer)))
    return pairs;
  if (!self->a->same_loops || !self->b->same_loops)
    {
      g_autoptr (GPtrArray) asked = g_ptr_array_new ();

      /* it matters that it is there when it is read, and not whether it is written once more */
      if (self->kind == LS_POLY_RAW || !has_one_value (compare, buffer, asked))
        return pairs;
      isl_map_free (pairs);
      return NULL;
    }
  if (self->kind == LS_POLY_RAW)
    return without_overwritten (compare, pairs, self->a, self->from, self->b, self->to, FALSE);
  if (self->kind == LS_POLY_WAR && !at_once)
    return isl_map_reverse (without_overwritten (compare, isl_map_reverse (pairs), self->b, self->to, self->a, self->from, TRUE));
  isl_map_free (pairs);
  return NULL;
}
