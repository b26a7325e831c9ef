/* session/card: footprint by engine/schedule/inspect; strides by moving one loop by one round with all others at their first. */
#include "app/session/card.h"

#include "app/session/module.h"
#include "engine/arith/analyzer.h"
#include "engine/schedule/inspect/inspect.h"
#include "views/models/format.h"

#include <glib/gi18n.h>

#define LINE_BYTES 64
#define MOST_BUFFERS 8

typedef struct {
  LsBuffer *buffer;
  GArray   *strides;            /* of gint64: bytes between two rounds, each value once */
  LsFor    *loop;
  GPtrArray *realizes;          /* blocks around the place, outermost first */
} Walk;

/* ---- stride ------------------------------------------------------------------- */

/* The offset in elements of a region's first element; NULL when the shape is not known. (transfer full) */
static LsExpr *
flat_offset (LsBufferRegion *region)
{
  LsBuffer *buffer = region->buffer;
  LsExpr *offset = ls_int (0);
  gint64 step = 1;

  for (guint d = ls_array_n (region->region); d-- > 0;)
    {
      LsRange *range = ls_array_at (region->region, d, LsRange);
      gint64 extent;

      offset = ls_add (offset, ls_mul (ls_ref (range->min), ls_int (step)));
      if (!ls_as_int (ls_array_at (buffer->shape, d, LsExpr), &extent))
        {
          ls_unref (offset);
          return NULL;
        }
      step *= extent;
    }
  return offset;
}

typedef struct {
  LsVar      *moved;
  gint64      value;
  GHashTable *map;              /* LsVar -> LsExpr */
} Pin;

static LsWalk
pin_var (LsNode   *node,
         gpointer  data)
{
  Pin *pin = data;

  if (ls_is_var (node) && !g_hash_table_contains (pin->map, node))
    g_hash_table_insert (pin->map, node, ls_int (node == LS_NODE (pin->moved) ? pin->value : 0));
  return LS_WALK_CONTINUE;
}

/* The value of `offset` in the block with its loops at their first round but `moved` at `value`. */
static gboolean
offset_at (LsExpr         *offset,
           LsBlockRealize *realize,
           LsVar          *moved,
           gint64          value,
           gint64         *answer)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr (GHashTable) iters = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) map = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  Pin pin = { moved, value, map };
  LsExpr *bound, *fixed;
  gboolean known;

  for (guint i = 0; i < ls_array_n (realize->iter_values); i++)
    g_hash_table_insert (iters, ls_array_at (realize->block->iter_vars, i, LsIterVar)->var, realize->iter_values->items[i]);
  bound = (LsExpr *) ls_substitute (offset, iters);
  ls_walk (bound, pin_var, NULL, &pin);
  fixed = ls_analyzer_simplify_with (analyzer, bound, map);
  known = ls_as_int (fixed, answer);
  ls_unref (bound);
  ls_unref (fixed);
  return known;
}

static void
note_stride (Walk           *walk,
             LsBlockRealize *realize,
             LsBufferRegion *region)
{
  LsExpr *offset = region->buffer == walk->buffer ? flat_offset (region) : NULL;
  gint64 first, second, bytes;

  if (offset == NULL)
    return;
  if (offset_at (offset, realize, walk->loop->loop_var, 0, &first) &&
      offset_at (offset, realize, walk->loop->loop_var, 1, &second))
    {
      gboolean there = FALSE;

      bytes = (second - first) * ls_dtype_bytes (walk->buffer->dtype);
      for (guint i = 0; i < walk->strides->len; i++)
        there |= g_array_index (walk->strides, gint64, i) == bytes;
      if (!there)
        g_array_append_val (walk->strides, bytes);
    }
  ls_unref (offset);
}

static LsWalk
look_at_block (LsNode   *node,
               gpointer  data)
{
  Walk *walk = data;
  LsBlockRealize *realize = (LsBlockRealize *) node;

  if (!ls_is (node, BLOCK_REALIZE))
    return LS_WALK_CONTINUE;
  for (guint i = 0; i < ls_array_n (realize->block->reads); i++)
    note_stride (walk, realize, ls_array_at (realize->block->reads, i, LsBufferRegion));
  for (guint i = 0; i < ls_array_n (realize->block->writes); i++)
    note_stride (walk, realize, ls_array_at (realize->block->writes, i, LsBufferRegion));
  return LS_WALK_CONTINUE;
}

/* "stride 512 B", "same element", "strides 4 B and 512 B"; NULL for a block or when nothing is known. */
static char *
stride_words (LsNode   *node,
              LsBuffer *buffer)
{
  g_autoptr (GArray) strides = g_array_new (FALSE, FALSE, sizeof (gint64));
  Walk walk = { .buffer = buffer, .strides = strides, .loop = (LsFor *) node };
  GString *text;

  if (!ls_is (node, FOR))
    return NULL;
  ls_walk (walk.loop->body, look_at_block, NULL, &walk);
  if (strides->len == 0)
    return NULL;
  if (strides->len == 1 && g_array_index (strides, gint64, 0) == 0)
    return g_strdup (_("the same element each round"));
  text = g_string_new (strides->len == 1 ? _("stride ") : _("strides "));
  for (guint i = 0; i < strides->len; i++)
    {
      gint64 bytes = g_array_index (strides, gint64, i);
      g_autofree char *size = ls_format_bytes (ABS (bytes));

      g_string_append_printf (text, "%s%s%s", i > 0 ? ", " : "", bytes < 0 ? "−" : "", size);
    }
  return g_string_free (text, FALSE);
}

/* ---- the card ------------------------------------------------------------------ */

static void
put_buffer (GString           *card,
            LsNode            *node,
            const LsFootprint *footprint)
{
  g_autofree char *bytes = footprint->bytes >= 0 ? ls_format_bytes (footprint->bytes) : g_strdup (_("unknown size"));
  g_autofree char *lines = footprint->lines >= 0 ? ls_format_count (footprint->lines) : NULL;
  g_autofree char *stride = stride_words (node, footprint->buffer);
  const char *how = footprint->is_read && footprint->is_written ? _("reads and writes")
                    : footprint->is_written ? _("writes") : _("reads");

  g_string_append_printf (card, "\n%s  %s %s", footprint->buffer->name, how, bytes);
  if (lines != NULL)
    g_string_append_printf (card, ngettext (", %s cache line", ", %s cache lines", (gulong) footprint->lines), lines);
  if (stride != NULL)
    g_string_append_printf (card, ", %s", stride);
}

static void
put_dependences (GString    *card,
                 LsPrimFunc *func,
                 LsNode     *node)
{
  g_autoptr (GArray) dependences = ls_inspect_dependences (func);

  for (guint i = 0; i < dependences->len; i++)
    {
      const LsDependence *one = &g_array_index (dependences, LsDependence, i);

      if (LS_NODE (one->from) == node)
        g_string_append_printf (card, _("\nblock %s needs its %s"), one->to->name_hint, one->buffer->name);
      else if (LS_NODE (one->to) == node)
        g_string_append_printf (card, _("\nneeds %s of block %s"), one->buffer->name, one->from->name_hint);
    }
}

char *
ls_session_card (LsHistory *history,
                 guint      id,
                 guint64    row)
{
  LsEntity *entity = ls_session_find_entity (history, id, row);
  LsHistoryNode *at = ls_history_get (history, id);
  LsVersion *version = ls_schedule_get_version (at->schedule, ls_schedule_get_n_steps (at->schedule));
  g_autoptr (GArray) footprints = NULL;
  GString *card;
  LsPrimFunc *func;

  if (entity == NULL || entity->type == LS_ENTITY_BUFFER)
    return NULL;
  func = (LsPrimFunc *) version->module->functions->items[entity->func];
  footprints = ls_inspect_footprint (func, entity->node, LINE_BYTES);
  card = g_string_new (entity->type == LS_ENTITY_LOOP ? _("One run of the loop:") : _("One run of the block:"));
  for (guint i = 0; i < MIN (footprints->len, MOST_BUFFERS); i++)
    put_buffer (card, entity->node, &g_array_index (footprints, LsFootprint, i));
  if (footprints->len > MOST_BUFFERS)
    g_string_append_printf (card, ngettext ("\nand %u more buffer", "\nand %u more buffers", footprints->len - MOST_BUFFERS), footprints->len - MOST_BUFFERS);
  put_dependences (card, func, entity->node);
  return g_string_free (card, FALSE);
}
