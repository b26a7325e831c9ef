/* thread-sync-access: see the header. */
#include "engine/tir/pass/thread-sync-access.h"

#include "engine/arith/analyzer.h"
#include "engine/arith/arith.h"
#include "engine/tir/pass/parts.h"

#include <string.h>

LsSyncAccess *
ls_sync_access_ref (LsSyncAccess *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
ls_sync_access_unref (gpointer data)
{
  LsSyncAccess *self = data;

  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_ptr_array_unref (self->touched);
  g_free (self);
}

LsSyncAccess *
ls_sync_access_new (LsVar      *thread,
                    LsSyncKind  kind,
                    LsVar      *buffer)
{
  LsSyncAccess *self = g_new0 (LsSyncAccess, 1);

  g_atomic_ref_count_init (&self->refs);
  self->kind = kind;
  self->buffer = buffer;
  self->touched = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_int_set_unref);
  self->thread = thread;
  return self;
}

GPtrArray *
ls_sync_accesses_new (void)
{
  return g_ptr_array_new_with_free_func (ls_sync_access_unref);
}

/* Does it read memory that the kernel changes as it goes: that of a thread or a block? */
static gboolean
reads_own_memory (LsNode *node)
{
  if (!(node->facts & LS_FACT_HAS_LOAD))
    return FALSE;
  if (ls_is (node, BUFFER_LOAD) && !g_str_has_prefix (ls_pointer_scope (((LsBufferLoad *) node)->buffer->data), "global"))
    return TRUE;
  for (guint i = 0; i < ls_node_get_n_children (node); i++)
    if (ls_node_get_child (node, i) != NULL && reads_own_memory (ls_node_get_child (node, i)))
      return TRUE;
  return FALSE;
}

static gboolean
is_private (LsSyncAccess *a,
            LsSyncAccess *b)
{
  for (guint i = 0; i < a->touched->len && i < b->touched->len; i++)
    {
      LsIntSet *x = a->touched->pdata[i], *y = b->touched->pdata[i];

      if (!ls_int_set_is_single_point (x) || !ls_int_set_is_single_point (y) || !ls_deep_equal (x->min_value, y->min_value))
        return FALSE;
      if (reads_own_memory (LS_NODE (x->min_value)))    /* which may be another number by now */
        return FALSE;
      if (b->thread != NULL && (!ls_uses (x->min_value, b->thread) || !ls_uses (y->min_value, b->thread)))
        return FALSE;
    }
  return TRUE;
}

/* Dynamic shared memory is one allocation in the end: its buffers may lie over each other. */
static gboolean
may_overlap (LsSyncAccess *a,
             LsSyncAccess *b)
{
  return a->buffer == b->buffer || strcmp (ls_pointer_scope (b->buffer), "shared.dyn") == 0;
}

gboolean
ls_sync_conflicts (GPtrArray *before,
                LsSyncAccess    *access,
                gboolean   around)
{
  for (guint i = 0; i < before->len; i++)
    {
      LsSyncAccess *other = before->pdata[i];

      if (other->is_atomic && access->is_atomic)
        continue;
      if (may_overlap (other, access) && !(other->buffer == access->buffer && is_private (other, access)) && !(other->is_ahead && access->kind == LS_SYNC_READ && !around))
        return TRUE;
    }
  return FALSE;
}

/* Do some write what others read? */
gboolean
ls_sync_changes_any (GPtrArray *some,
             GPtrArray *others)
{
  for (guint i = 0; i < some->len; i++)
    for (guint k = 0; k < others->len && ((LsSyncAccess *) some->pdata[i])->kind == LS_SYNC_WRITE; k++)
      if (((LsSyncAccess *) others->pdata[k])->buffer == ((LsSyncAccess *) some->pdata[i])->buffer)
        return TRUE;
  return FALSE;
}
