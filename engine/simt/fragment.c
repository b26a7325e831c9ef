/* fragment: how the lanes of a warp share a tile that tensor cores multiply.
 *
 *     lane      = 4 * (i % 8) + j % (4 * w) / w
 *     number    = j % w + w * (i / 8 + rows / 8 * (j / (4 * w)))
 *
 * where i counts along the side that lies across lanes (rows of A and C, columns of B), j along the other one, and w numbers fill a register of 32
 * bits (two of C, whatever its type).  Source: the pictures of mma.m16n8k8, .m16n8k16, .m16n8k32 and .m8n8k4 in NVIDIA's PTX manual. */
#include "engine/simt/simt.h"

static guint
in_register (LsSimtTile tile,
             guint      bits)
{
  return tile == LS_SIMT_TILE_C ? 2 : MAX (1, 32 / MAX (bits, 1));
}

static gboolean
is_shared_out (LsSimtTile tile,
               guint      rows,
               guint      columns,
               guint      bits)
{
  guint across = tile == LS_SIMT_TILE_B ? columns : rows, along = tile == LS_SIMT_TILE_B ? rows : columns;

  return across > 0 && along > 0 && across % 8 == 0 && along % (4 * in_register (tile, bits)) == 0;
}

gboolean
ls_simt_tile_place (LsSimtTile tile,
                    guint      rows,
                    guint      columns,
                    guint      bits,
                    guint      row,
                    guint      column,
                    guint     *lane,
                    guint     *number)
{
  guint w = in_register (tile, bits);
  guint i = tile == LS_SIMT_TILE_B ? column : row, j = tile == LS_SIMT_TILE_B ? row : column;
  guint across = tile == LS_SIMT_TILE_B ? columns : rows;

  if (!is_shared_out (tile, rows, columns, bits) || row >= rows || column >= columns)
    return FALSE;
  *lane = 4 * (i % 8) + j % (4 * w) / w;
  *number = j % w + w * (i / 8 + across / 8 * (j / (4 * w)));
  return TRUE;
}

gboolean
ls_simt_tile_element (LsSimtTile tile,
                      guint      rows,
                      guint      columns,
                      guint      bits,
                      guint      lane,
                      guint      number,
                      guint     *row,
                      guint     *column)
{
  guint w = in_register (tile, bits), eights = (tile == LS_SIMT_TILE_B ? columns : rows) / 8, i, j;

  if (!is_shared_out (tile, rows, columns, bits) || lane >= 32 || number >= rows * columns / 32)
    return FALSE;
  i = lane / 4 + 8 * (number / w % eights);
  j = lane % 4 * w + number % w + 4 * w * (number / w / eights);
  *row = tile == LS_SIMT_TILE_B ? j : i;
  *column = tile == LS_SIMT_TILE_B ? i : j;
  return TRUE;
}
