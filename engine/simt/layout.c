/* layout: which lane of a warp has which element of the tiles that a kernel multiplies on tensor cores, and which bank has which element of its shared
 * memory. */
#include "engine/simt/layout.h"

#include "engine/simt/simt-private.h"
#include "engine/tir/pass/pass.h"

#include <string.h>

void
ls_simt_layout_free (LsSimtLayout *self)
{
  g_free (self->name);
  g_free (self->other);
  g_free (self->numbers);
  g_free (self->places);
  g_free (self);
}

static gboolean
is_known (GPtrArray    *layouts,
          LsSimtLayout *layout)
{
  for (guint i = 0; i < layouts->len; i++)
    {
      LsSimtLayout *known = layouts->pdata[i];

      if (known->kind == layout->kind && known->tile == layout->tile && known->rows == layout->rows && known->columns == layout->columns
          && ls_dtype_equal (known->dtype, layout->dtype) && known->pitch == layout->pitch && strcmp (known->name, layout->name) == 0)
        return TRUE;
    }
  return FALSE;
}

/* Takes the layout. */
static void
add (GPtrArray    *layouts,
     LsSimtLayout *layout)
{
  if (is_known (layouts, layout))
    ls_simt_layout_free (layout);
  else
    g_ptr_array_add (layouts, layout);
}

/* ---- tiles ----------------------------------------------------------------------------------- */

static void
add_tile (GPtrArray  *layouts,
          SimtCode   *code,
          const Tile *tile)
{
  LsSimtLayout *layout;

  if (tile->rows == 0)
    return;
  layout = g_new0 (LsSimtLayout, 1);
  *layout = (LsSimtLayout) { .kind = LS_SIMT_LAYOUT_LANES, .name = g_strdup (g_array_index (code->sites, LsSimtSite, tile->site).buffer->name), .tile = tile->role,
                             .dtype = tile->dtype, .rows = tile->rows, .columns = tile->columns, .pitch = tile->columns,
                             .places = g_new0 (guint, tile->rows * tile->columns), .numbers = g_new0 (guint, tile->rows * tile->columns) };
  for (guint i = 0; i < tile->rows; i++)
    for (guint j = 0; j < tile->columns; j++)
      ls_simt_tile_place (tile->role, tile->rows, tile->columns, tile->dtype.bits, i, j, &layout->places[i * tile->columns + j], &layout->numbers[i * tile->columns + j]);
  add (layouts, layout);
}

static gboolean
add_tiles (GPtrArray   *layouts,
           LsPrimFunc  *lowered,
           GError     **error)
{
  SimtCode *code = simt_code_new (lowered, error);

  if (code == NULL)
    return FALSE;
  for (guint i = 0; i < code->instrs->len; i++)
    {
      const Instr *in = &g_array_index (code->instrs, Instr, i);

      if (in->op == OP_MMA)
        {
          add_tile (layouts, code, &in->matrix->a);
          add_tile (layouts, code, &in->matrix->b);
          add_tile (layouts, code, &in->matrix->c);
        }
    }
  simt_code_free (code);
  return TRUE;
}

/* ---- shared memory ------------------------------------------------------------------------------ */

static void
add_shared (GPtrArray *layouts,
            LsBuffer  *buffer)
{
  guint n = buffer->shape->n;
  gint64 rows = 1, columns, pitch, bytes = ls_dtype_bytes (buffer->dtype);
  LsSimtLayout *layout;

  if (n == 0 || !ls_as_int (buffer->shape->items[n - 1], &columns) || (n > 1 && !ls_as_int (buffer->shape->items[n - 2], &rows)) || rows <= 0 || columns <= 0)
    return;
  pitch = columns;
  if (n > 1 && ls_buffer_has_strides (buffer) && !ls_as_int (buffer->strides->items[n - 2], &pitch))
    return;
  rows = MIN (rows, LS_SIMT_LAYOUT_MOST);
  columns = MIN (columns, LS_SIMT_LAYOUT_MOST);
  layout = g_new0 (LsSimtLayout, 1);
  *layout = (LsSimtLayout) { .kind = LS_SIMT_LAYOUT_BANKS, .name = g_strdup (buffer->name), .dtype = buffer->dtype, .rows = (guint) rows, .columns = (guint) columns,
                             .pitch = pitch, .places = g_new0 (guint, (gsize) (rows * columns)) };
  for (gint64 i = 0; i < rows; i++)
    for (gint64 j = 0; j < columns; j++)
      layout->places[i * columns + j] = (guint) ((i * pitch + j) * bytes / 4 % 32);
  add (layouts, layout);
}

static LsWalk
find_shared (LsNode  *node,
             gpointer layouts)
{
  if (ls_is (node, BLOCK))
    for (guint i = 0; i < ((LsBlock *) node)->alloc_buffers->n; i++)
      {
        LsBuffer *buffer = ls_array_at (((LsBlock *) node)->alloc_buffers, i, LsBuffer);

        if (g_str_has_prefix (ls_buffer_scope (buffer), "shared"))
          add_shared (layouts, buffer);
      }
  return LS_WALK_CONTINUE;
}

/* Behind this pass buffers have their last shapes and strides, and are not flat yet. */
static void
look (const LsPass *pass,
      LsPrimFunc   *before,
      LsPrimFunc   *after,
      gint64        ns,
      gpointer      layouts)
{
  if (strcmp (pass->name, "InjectSoftwarePipeline") == 0)
    ls_walk (after->body, find_shared, NULL, layouts);
}

GPtrArray *
ls_simt_layouts (LsPrimFunc            *func,
                 const LsDeviceTarget  *target,
                 GError               **error)
{
  g_autoptr (GPtrArray) layouts = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_simt_layout_free);
  g_autoptr (LsPrimFunc) lowered = ls_lower_device (func, target, look, layouts, error);

  return lowered != NULL && add_tiles (layouts, lowered, error) ? g_steal_pointer (&layouts) : NULL;
}
