/* fact-index: which of many facts are about a thing, found by its hash. */
#include "engine/arith/arith-private.h"

#define DEEP 6

guint32
ls_fact_hash (LsExpr *expr)
{
  const LsNode *node = LS_NODE (expr);
  guint32 hash = node->hash;

  for (guint i = 0; i < DEEP && node != NULL; i++)
    {
      if (node->klass->flags & LS_CLASS_IDENTITY)
        return hash * 31 + (g_direct_hash (node) >> 4);
      node = ls_node_get_n_children (node) > 0 ? ls_node_get_child (node, 0) : NULL;
    }
  return hash;
}

void
ls_fact_index_push (LsFactIndex *self,
                    guint32      hash)
{
  guint *head = &self->heads[hash % LS_FACT_SLOTS];

  if (self->n == self->size)
    {
      self->size = MAX (2 * self->size, 16);
      self->facts = g_renew (LsIndexedFact, self->facts, self->size);
    }
  self->facts[self->n] = (LsIndexedFact) { hash, *head };
  *head = ++self->n;
}

void
ls_fact_index_cut (LsFactIndex *self,
                   guint        n)
{
  while (self->n > n)
    {
      const LsIndexedFact *last = &self->facts[--self->n];

      self->heads[last->hash % LS_FACT_SLOTS] = last->before;
    }
}

static guint
alike (const LsFactIndex *self,
       guint              at,
       guint32            hash)
{
  while (at > 0 && self->facts[at - 1].hash != hash)
    at = self->facts[at - 1].before;
  return at;
}

guint
ls_fact_index_last (const LsFactIndex *self,
                    guint32            hash)
{
  return alike (self, self->heads[hash % LS_FACT_SLOTS], hash);
}

guint
ls_fact_index_before (const LsFactIndex *self,
                      guint              at)
{
  return alike (self, self->facts[at - 1].before, self->facts[at - 1].hash);
}

void
ls_fact_index_clear (LsFactIndex *self)
{
  g_free (self->facts);
  *self = (LsFactIndex) { 0 };
}
