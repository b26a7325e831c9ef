/* text-move: where things have gone.
 *
 * A thing is moved when a loop or block around it has no source around its source, or when something that comes from what
 * stood around it does so no longer.  Only the chain of loops around the thing that lives on counts, not its copies (the
 * loops of an init block beside those of the update).
 */
#include "engine/schedule/lineage/text-private.h"

#include "engine/script/printer.h"

#include <string.h>

/* ---- places ------------------------------------------------------------------- */

/* What stood around and does so no longer (as it is now called), and what does so only now. */
typedef struct {
  GArray *lost;                 /* entities after; or before, when nothing of it is left */
  GArray *gone;                 /* entities before */
  GArray *gained;               /* entities after */
} Move;

static void
move_clear (Move *self)
{
  g_clear_pointer (&self->lost, g_array_unref);
  g_clear_pointer (&self->gone, g_array_unref);
  g_clear_pointer (&self->gained, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Move, move_clear)

static void
find_lost (LsTeller *self,
           guint     after,
           gint      outer,
           Move     *move)
{
  g_autoptr (GArray) now = ls_teller_main_results_of (self, outer);

  if (now->len == 0)
    ls_teller_list_add (move->gone, (guint) outer);
  for (guint i = 0; i < now->len; i++)
    if (!ls_teller_is_around (self->after, (gint) g_array_index (now, guint, i), (gint) after))
      ls_teller_list_add (move->lost, g_array_index (now, guint, i));
}

static gboolean
is_gained (LsTeller *self,
           gint      before,
           gint      outer)
{
  g_autoptr (GArray) sources = ls_teller_sources_of (self, outer, ALL_HOW);

  for (guint i = 0; i < sources->len; i++)
    if (ls_teller_is_around (self->before, (gint) g_array_index (sources, guint, i), before))
      return FALSE;
  return sources->len > 0;
}

static gboolean
find_move (LsTeller *self,
           guint     after,
           Move     *move)
{
  g_autoptr (GArray) all = ls_teller_sources_of (self, (gint) after, ~how_bit (LS_LINEAGE_COPIED));
  gint before;

  *move = (Move) { ls_teller_list_new (), ls_teller_list_new (), ls_teller_list_new () };
  if (all->len != 1 || ls_teller_is_root (ls_version_at (self->after, after)))
    return FALSE;
  before = (gint) g_array_index (all, guint, 0);
  for (gint p = ls_version_at (self->before, before)->parent; p >= 0; p = ls_version_at (self->before, p)->parent)
    find_lost (self, after, p, move);
  for (gint p = ls_version_at (self->after, after)->parent; p >= 0; p = ls_version_at (self->after, p)->parent)
    if (is_gained (self, before, p))
      ls_teller_list_add (move->gained, (guint) p);
  return move->lost->len > 0 || move->gained->len > 0;
}

/* Does a block inside the loop, or a block around the thing, say the same? */
static gboolean
is_told_by_block (LsTeller *self,
                  guint     after,
                  Move     *move)
{
  for (guint i = 0; i < ls_version_get_n (self->after); i++)
    {
      g_auto (Move) other = { NULL, NULL, NULL };
      LsEntity *entity = ls_version_at (self->after, i);
      gboolean inside = ls_version_at (self->after, after)->type == LS_ENTITY_LOOP && ls_teller_is_around (self->after, (gint) after, (gint) i);

      if (i == after || entity->type != LS_ENTITY_BLOCK || !(inside || ls_teller_is_around (self->after, (gint) i, (gint) after)))
        continue;
      if (find_move (self, i, &other) && ls_teller_lists_equal (other.lost, move->lost) && ls_teller_lists_equal (other.gained, move->gained))
        return TRUE;
    }
  return FALSE;
}

static void
reverse (GArray *list)
{
  for (guint i = 0; i < list->len / 2; i++)
    {
      guint *a = &g_array_index (list, guint, i), *b = &g_array_index (list, guint, list->len - 1 - i), swap = *a;

      *a = *b;
      *b = swap;
    }
}

void
ls_teller_move (LsTeller *self,
                guint     after)
{
  LsEntity *entity = ls_version_at (self->after, after);
  g_auto (Move) move = { NULL, NULL, NULL };
  g_autoptr (GArray) sources = NULL;
  g_autofree char *name = NULL, *lost = NULL, *gone = NULL, *gained = NULL;
  GString *text;

  if (!find_move (self, after, &move) || is_told_by_block (self, after, &move))
    return;
  reverse (move.lost);
  reverse (move.gone);
  reverse (move.gained);
  sources = ls_teller_sources_of (self, (gint) after, ALL_HOW);
  name = ls_version_describe (self->after, after);
  lost = ls_teller_list_names (self->after, move.lost);
  gone = ls_teller_list_names (self->before, move.gone);
  gained = ls_teller_list_names (self->after, move.gained);
  text = g_string_new (name);
  if (move.lost->len + move.gone->len > 0)
    g_string_append_printf (text, ls_translate (" out of %s%s%s,"), gone, move.gone->len > 0 && move.lost->len > 0 ? ", " : "", lost);
  if (move.gained->len > 0)
    g_string_append_printf (text, ls_translate (" into %s"), gained);
  else if (entity->parent >= 0 && !ls_teller_is_root (ls_version_at (self->after, entity->parent)))
    {
      g_autofree char *parent = ls_version_describe (self->after, (guint) entity->parent);

      g_string_append_printf (text, ls_translate (" now inside %s"), parent);
    }
  else
    g_string_append (text, ls_translate (" now outermost"));
  ls_teller_take_lists (ls_teller_tell (self, LS_TEXT ("moved"), entity->type, 1, g_string_free (text, FALSE), NULL), sources, NULL);
  ls_teller_take_pair (self->changes->pdata[self->changes->len - 1], -1, (gint) after);
}
