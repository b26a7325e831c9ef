/* first: the version that a plain module is: every loop, block and buffer gets an id, every block its flags.
 */
#include "engine/schedule/state/state.h"

static void
name_buffers (LsState *state,
              guint    f)
{
  LsPrimFunc *func = ls_array_at (state->module->functions, f, LsPrimFunc);

  for (guint i = 0; ls_is (func, PRIM_FUNC) && i < ls_array_n (func->buffers); i++)
    if (func->buffers->items[i] != NULL)
      ls_state_buffer_id (state, ls_array_at (func->buffers, i, LsBuffer));
}

LsVersion *
ls_version_new (LsModule *module)
{
  g_autoptr(LsState) state = ls_state_plant (module);
  guint n = state->by_id->len;

  for (guint f = 0, i = 0; f < ls_array_n (module->functions); f++)
    {
      name_buffers (state, f);
      for (; i < n && ((LsSref *) state->by_id->pdata[i])->func == f; i++)
        if (((LsSref *) state->by_id->pdata[i])->is_block)
          ls_state_name_buffers (state, NULL, ls_sref_block ((LsSref *) state->by_id->pdata[i]));
    }
  for (guint i = 0; i < n; i++)
    {
      LsSref *sref = state->by_id->pdata[i];

      if (sref->parent == NULL && sref->is_block)
        ls_state_update_flags (state, sref);
    }
  g_ptr_array_set_size (state->touched, 0);
  for (guint i = 0; i < n; i++)
    ls_state_touch (state, state->by_id->pdata[i]);
  return ls_version_of (state);
}
