/* printer-list: lists, maps, and accesses to buffers. */
#include "engine/script/parser.h"
#include "engine/script/printer-private.h"

#ifndef LS_SCRIPT_TARGET_KEY
#define LS_SCRIPT_TARGET_KEY "__target__"
#endif

void
ls_printer_items (LsPrinter *p,
                  LsArray   *items)
{
  for (guint i = 0; i < ls_array_n (items); i++)
    {
      if (i > 0)
        ls_put (p, ", ");
      LS_AT_ITEM (p, i, ls_printer_value (p, items->items[i]));
    }
}

void
ls_printer_tuple (LsPrinter *p,
                  LsArray   *items)
{
  ls_put_char (p, '(');
  ls_printer_items (p, items);
  ls_put (p, ls_array_n (items) == 1 ? ",)" : ")");
}

void
ls_printer_list (LsPrinter *p,
                 LsArray   *items)
{
  ls_put_char (p, '[');
  ls_printer_items (p, items);
  ls_put_char (p, ']');
}

void
ls_printer_map (LsPrinter *p,
                LsMap     *map)
{
  gboolean is_target = ls_map_get (map, LS_SCRIPT_TARGET_KEY) != NULL, first = TRUE;
  LsNode *kind = ls_map_get (map, "kind");

  if (map->n == 1 && ls_is (kind, STRING) && g_str_equal (((LsString *) kind)->value, "DummyGlobalInfo"))
    {
      ls_put (p, "I.dummy_global_info()");
      return;
    }
  if (ls_is (kind, STRING) && g_str_equal (((LsString *) kind)->value, "VDevice"))
    {
      static const char *const PARTS[] = { "target", "vdevice_id", "memory_scope" };

      ls_put (p, "I.vdevice(");
      for (guint i = 0; i < G_N_ELEMENTS (PARTS); i++)
        if (ls_map_get (map, PARTS[i]) != NULL)
          {
            ls_put (p, first ? "" : ", ");
            ls_put (p, ls_map_get (map, "target") == NULL ? PARTS[i] : "");
            ls_put (p, ls_map_get (map, "target") == NULL ? "=" : "");
            ls_printer_value (p, ls_map_get (map, PARTS[i]));
            first = FALSE;
          }
      ls_put_char (p, ')');
      return;
    }
  ls_put (p, is_target ? "T.target({" : "{");
  for (guint i = 0; i < map->n; i++)
    {
      if (is_target && g_str_equal (map->keys[i], LS_SCRIPT_TARGET_KEY))
        continue;
      if (!first)
        ls_put (p, ", ");
      first = FALSE;
      ls_printer_put_string (p, map->keys[i]);
      ls_put (p, ": ");
      LS_AT_ITEM (p, i, ls_printer_value (p, map->values[i]));
    }
  ls_put (p, is_target ? "})" : "}");
}

/* ---- accesses ------------------------------------------------------------------- */

void
ls_printer_temporary (LsPrinter *p,
                      LsExpr    *expr)
{
  guint range = ls_printer_open (p, expr, LS_SOURCE_USE);

  if (range != LS_NO_POSITION)
    g_array_index (p->ranges, LsSourceRange, range) = (LsSourceRange) { p->out->len, 0, 0, LS_SOURCE_NODE, p->path, NULL };
  p->temporary++;
  ls_printer_expr (p, expr, LS_BIND_NONE, FALSE);
  p->temporary--;
  ls_printer_close (p, range);
  ls_unref (expr);
}

static void
put_slice (LsPrinter *p,
           LsRamp    *ramp)
{
  guint range = ls_printer_open (p, ramp, LS_SOURCE_NODE);

  LS_AT (p, ramp, LsRamp, base, ls_printer_value (p, ramp->base));
  ls_put_char (p, ':');
  LS_AT (p, ramp, LsRamp, lanes,
         ls_printer_temporary (p, ls_add (ls_ref (ramp->base), ls_mul (ls_ref (ramp->lanes), ls_ref (ramp->stride)))));
  if (!ls_is_one (ramp->stride))
    {
      ls_put_char (p, ':');
      LS_AT (p, ramp, LsRamp, stride, ls_printer_value (p, ramp->stride));
    }
  ls_printer_close (p, range);
}

static void
put_index (LsPrinter *p,
           LsNode    *index)
{
  if (ls_is (index, RAMP) && ls_is (((LsRamp *) index)->stride, INT_IMM) && !ls_is_zero (((LsRamp *) index)->stride))
    put_slice (p, (LsRamp *) index);
  else
    ls_printer_value (p, index);
}

void
ls_printer_indices (LsPrinter *p,
                    LsArray   *indices)
{
  ls_put (p, indices->n == 0 ? "[()" : "[");
  for (guint i = 0; i < indices->n; i++)
    {
      if (i > 0)
        ls_put (p, ", ");
      LS_AT_ITEM (p, i, put_index (p, indices->items[i]));
    }
  ls_put_char (p, ']');
}

static void
put_range (LsPrinter *p,
           LsRange   *range)
{
  guint shown = ls_printer_open (p, range, LS_SOURCE_NODE);

  LS_AT (p, range, LsRange, min, ls_printer_value (p, range->min));
  if (!ls_is_one (range->extent))
    {
      ls_put_char (p, ':');
      LS_AT (p, range, LsRange, extent, ls_printer_temporary (p, ls_add (ls_ref (range->min), ls_ref (range->extent))));
    }
  ls_printer_close (p, shown);
}

void
ls_printer_region (LsPrinter *p,
                   LsArray   *region)
{
  ls_put (p, region->n == 0 ? "[()" : "[");
  for (guint i = 0; i < region->n; i++)
    {
      if (i > 0)
        ls_put (p, ", ");
      LS_AT_ITEM (p, i, put_range (p, ls_array_at (region, i, LsRange)));
    }
  ls_put_char (p, ']');
}

void
ls_printer_buffer (LsPrinter *p,
                   LsBuffer  *buffer)
{
  ls_printer_put_name (p, buffer, ls_printer_buffer_name (p, buffer), LS_SOURCE_USE);
}

void
ls_printer_load (LsPrinter    *p,
                 LsBufferLoad *load)
{
  LS_AT (p, load, LsBufferLoad, buffer, ls_printer_buffer (p, load->buffer));
  if (load->predicate == NULL)
    {
      LS_AT (p, load, LsBufferLoad, indices, ls_printer_indices (p, load->indices));
      return;
    }
  ls_put (p, ".vload(");
  LS_AT (p, load, LsBufferLoad, indices, ls_printer_list (p, load->indices));
  ls_put (p, ", predicate=");
  LS_AT (p, load, LsBufferLoad, predicate, ls_printer_value (p, load->predicate));
  ls_put_char (p, ')');
}

void
ls_printer_buffer_region (LsPrinter      *p,
                          LsBufferRegion *region)
{
  LS_AT (p, region, LsBufferRegion, buffer, ls_printer_buffer (p, region->buffer));
  LS_AT (p, region, LsBufferRegion, region, ls_printer_region (p, region->region));
}
