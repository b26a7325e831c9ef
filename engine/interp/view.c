/* view: where the elements of a buffer are, and whether an access stays inside. */
#include "engine/interp/interp-private.h"

void
ls_view_limits (LsMachine *m,
                LsView    *view)
{
  gsize size = MAX (ls_dtype_bytes (view->dtype), 1);

  view->low = view->high = 0;
  view->written = NULL;
  for (guint i = 0; i < m->memory->len; i++)
    {
      LsBlockOfMemory *block = &g_array_index (m->memory, LsBlockOfMemory, i);

      if (view->data < block->data || view->data > block->data + block->bytes)
        continue;
      view->low = -(gint64) ((gsize) (view->data - block->data) / size);
      view->high = (gint64) ((gsize) (block->data + block->bytes - view->data) / size);
      view->written = block->written;
      view->written_base = view->data - block->data;
      if (view->high > 0)
        return;
    }
}

gboolean
ls_view_shape (LsMachine    *m,
               LsBufferPlan *plan,
               LsView       *view)
{
  gint64 step = 1;

  view->dtype = plan->buffer->dtype;
  view->ndim = plan->ndim;
  view->offset = ls_machine_eval (m, plan->elem_offset, 0).i;
  for (guint i = plan->ndim; i-- > 0;)
    {
      view->shape[i] = ls_machine_eval (m, plan->shape[i], 0).i;
      view->strides[i] = plan->strides != NULL ? ls_machine_eval (m, plan->strides[i], 0).i : step;
      if (view->shape[i] < 0 || (view->shape[i] > 0 && step > G_MAXINT64 / MAX (view->shape[i], 1)))
        {
          ls_machine_fail (m, LS_INTERP_ERROR_BOUNDS, ls_translate ("Dimension %u of %s has the extent %lld."), i, plan->buffer->name, (long long) view->shape[i]);
          return FALSE;
        }
      step *= view->shape[i];
    }
  return !m->failed;
}

gboolean
ls_view_set_up (LsMachine    *m,
                LsBufferPlan *plan)
{
  LsView *view = &m->views[plan->slot];

  if (!ls_view_shape (m, plan, view))
    return FALSE;
  view->data = (guint8 *) (gintptr) m->vars[plan->data_slot].i;
  ls_view_limits (m, view);
  return TRUE;
}

gboolean
ls_view_element (LsMachine *m,
                 LsCode   **indices,
                 guint      n,
                 guint      lane,
                 LsView    *view,
                 LsBuffer  *buffer,
                 gint64    *element)
{
  gint64 at = view->offset;

  for (guint i = 0; i < n; i++)
    {
      gint64 index = ls_machine_eval (m, indices[i], indices[i]->t.lanes > 1 ? lane : 0).i;

      if (m->failed)
        return FALSE;
      if (index < 0 || index >= view->shape[i])
        {
          ls_machine_fail (m, LS_INTERP_ERROR_BOUNDS, ls_translate ("Index %u of %s is %lld; it goes from 0 to %lld."), i, buffer->name, (long long) index, (long long) (view->shape[i] - 1));
          return FALSE;
        }
      at += index * view->strides[i];
    }
  if (at < view->low || at >= view->high)
    {
      ls_machine_fail (m, LS_INTERP_ERROR_BOUNDS, ls_translate ("%s is accessed at element %lld, outside its memory."), buffer->name, (long long) at);
      return FALSE;
    }
  *element = at;
  return TRUE;
}

gint64
ls_view_size (LsView *view)
{
  gint64 n = 1;

  for (guint i = 0; i < view->ndim; i++)
    n = MAX (n, 0) == 0 ? 0 : n + (view->shape[i] - 1) * view->strides[i];
  for (guint i = 0; i < view->ndim; i++)
    if (view->shape[i] == 0)
      return 0;
  return n + view->offset;
}

gboolean
ls_match_value (LsMachine  *m,
                LsCode     *wanted,
                gint64      value,
                const char *what,
                LsBuffer   *buffer)
{
  if (wanted->kind == LS_KIND_VAR || wanted->kind == LS_KIND_SIZE_VAR)
    {
      m->vars[wanted->slot].i = value;
      return TRUE;
    }
  if (ls_machine_eval (m, wanted, 0).i == value)
    return TRUE;
  ls_machine_fail (m, LS_INTERP_ERROR_ARGUMENT, ls_translate ("%s of %s is %lld, expected %lld."), what, buffer->name, (long long) value, (long long) (ls_machine_eval (m, wanted, 0).i));
  return FALSE;
}

gboolean
ls_view_match (LsMachine   *m,
               LsMatchPlan *match)
{
  LsView *source = &m->views[match->source->slot];
  LsBufferPlan *target = match->target;
  gint64 offset;
  guint skipped;

  if (match->source->implicit && !ls_view_set_up (m, match->source))
    return FALSE;
  offset = source->offset;
  for (guint i = 0; i < match->n_mins; i++)
    offset += ls_machine_eval (m, match->mins[i], 0).i * source->strides[i];
  m->vars[target->data_slot].i = (gint64) (gintptr) source->data;
  ls_match_value (m, target->elem_offset, offset, "The element offset", target->buffer);
  skipped = source->ndim - MIN (target->ndim, source->ndim);
  for (guint i = 0; target->strides != NULL && i < target->ndim && i + skipped < source->ndim; i++)
    ls_match_value (m, target->strides[i], source->strides[i + skipped], "A stride", target->buffer);
  if (m->failed || !ls_view_set_up (m, target))
    return FALSE;
  m->views[target->slot].offset = offset;
  if (target->strides == NULL)
    for (guint i = 0; i < target->ndim; i++)
      m->views[target->slot].strides[i] = source->strides[i + skipped];
  return TRUE;
}
