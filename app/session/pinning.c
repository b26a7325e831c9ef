/* session/pinning: the pins of the session's document; app/pins knows what they mean. */
#include "app/session/engine-private.h"

#include "app/session/module.h"

#include <glib/gi18n.h>

/* ---- showing ------------------------------------------------------------------- */

static void
mark_row (LsPinPlaces *places,
          LsLoopItem  *item)
{
  guint8 pins = 0, uses = 0;

  if (places != NULL)
    ls_pin_places_of_row (places, ls_loop_item_get (item)->id, &pins, &uses);
  ls_loop_item_set_pins (item, pins, uses);
}

static void
mark_rows (LsPinPlaces *places,
           GListModel  *rows)
{
  for (guint i = 0; rows != NULL && i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (LsLoopItem) item = g_list_model_get_item (rows, i);

      mark_row (places, item);
      mark_rows (places, ls_loop_item_get_children (item));
    }
}

static void
mark_before (LsEngineSession *self,
             LsScriptText    *before)
{
  g_autoptr (LsPinPlaces) places = NULL;

  if (before == NULL)
    return;
  places = ls_pin_places_new (&self->pins, self->history, ls_history_get (self->history, self->current)->parent);
  ls_pin_places_mark_text (places, before);
}

/* What the session says of its pins; `found`: those that are somewhere in the shown program. */
static void
tell (LsEngineSession *self,
      guint8           found)
{
  LsPinRecord records[LS_PINS_MAX] = { 0 };

  for (guint i = 0; i < LS_PINS_MAX; i++)
    if (self->pins.of[i].used)
      records[i] = (LsPinRecord) { TRUE, self->pins.of[i].kind, self->pins.of[i].name, (found & LS_PIN_BIT (i)) != 0 };
  ls_session_set_pins (LS_SESSION (self), records);
}

void
ls_engine_session_place_pins (LsEngineSession *self,
                              GPtrArray       *roots,
                              LsScriptText    *text,
                              LsScriptText    *before)
{
  g_autoptr (LsPinPlaces) places = NULL;

  self->found_pins = 0;
  if (ls_pins_used (&self->pins) == 0)
    return;
  places = ls_pin_places_new (&self->pins, self->history, self->current);
  self->found_pins = ls_pin_places_mark_text (places, text);
  mark_before (self, before);
  for (guint i = 0; i < roots->len; i++)
    {
      mark_row (places, g_ptr_array_index (roots, i));
      mark_rows (places, ls_loop_item_get_children (g_ptr_array_index (roots, i)));
    }
}

void
ls_engine_session_tell_pins (LsEngineSession *self)
{
  if (ls_pins_used (&self->pins) != 0 || ls_session_get_pins (LS_SESSION (self)) != 0)
    tell (self, self->found_pins);
}

/* Other pins on what is shown. */
static void
changed (LsEngineSession *self)
{
  LsSession *session = LS_SESSION (self);
  g_autoptr (LsPinPlaces) places = ls_pin_places_new (&self->pins, self->history, self->current);

  self->found_pins = ls_pin_places_mark_text (places, ls_session_get_script (session));
  mark_before (self, ls_session_get_before (session));
  mark_rows (places, ls_session_get_loops (session));
  tell (self, self->found_pins);
}

void
ls_engine_session_forget_pins (LsEngineSession *self)
{
  ls_pins_clear (&self->pins);
  self->found_pins = 0;
  ls_engine_session_tell_pins (self);
}

/* ---- wishes ------------------------------------------------------------------------ */

static int
free_slot (LsEngineSession *self)
{
  for (guint i = 0; i < LS_PINS_MAX; i++)
    if (!self->pins.of[i].used)
      return (int) i;
  return -1;
}

static guint8
pins_of (LsEngineSession *self,
         guint64          row,
         guint            offset)
{
  LsSession *session = LS_SESSION (self);
  LsLoopItem *item = row > 0 ? ls_loop_list_find (ls_session_get_loops (session), row) : NULL;

  if (row > 0)
    return item != NULL ? ls_loop_item_get_pins (item) : 0;
  return ls_script_text_pins_at (ls_session_get_script (session), offset);
}

static void
take_away (LsEngineSession *self,
           guint8           pins)
{
  for (guint i = 0; i < LS_PINS_MAX; i++)
    if (pins & LS_PIN_BIT (i))
      ls_pins_remove (&self->pins, i);
}

static guint
line_start (LsScriptText *text,
            guint         offset)
{
  const char *start = ls_script_text_get_text (text), *at = g_utf8_offset_to_pointer (start, offset);

  while (at > start && at[-1] != '\n')
    at--;
  return (guint) g_utf8_strlen (start, at - start);
}

/* The line opens the selected loop, perhaps among others. */
static gboolean
opens_selected (LsEngineSession *self,
                LsScriptText    *text,
                guint            offset)
{
  guint64 selection = ls_session_get_selection (LS_SESSION (self));

  for (guint i = 0; selection != 0 && i < ls_script_text_n_spans (text); i++)
    if (ls_script_text_get_span (text, i)->id == selection)
      return line_start (text, ls_script_text_get_span (text, i)->start) == line_start (text, offset);
  return FALSE;
}

/* A line that opens a loop or block stands for it wherever in the line one is; of several loops for the selected one. */
static guint64
row_of_place (LsEngineSession *self,
              guint            offset)
{
  LsScriptText *text = ls_session_get_script (LS_SESSION (self));
  LsPin pin = { 0 };
  guint64 row = 0;

  if (ls_script_text_name_at (text, offset) == NULL && opens_selected (self, text, offset))
    return ls_session_get_selection (LS_SESSION (self));
  if (ls_script_text_name_at (text, offset) == NULL && ls_pin_from_text (&pin, self->history, self->current, text, offset))
    row = (guint64) pin.id + 1;
  ls_pin_clear (&pin);
  return row;
}

char *
ls_engine_session_pin (LsSession *session,
                       guint64    row,
                       guint      offset,
                       int        slot)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);
  LsScriptText *text = ls_session_get_script (session);
  LsPin pin = { 0 };
  guint8 has;
  gboolean any;

  if (self->history == NULL || text == NULL)
    return g_strdup (_("Nothing is opened."));
  if (row == 0)
    row = row_of_place (self, offset);
  has = pins_of (self, row, offset);
  if (has != 0 && (slot == LS_PIN_NEXT || (has & LS_PIN_BIT (slot))))
    {
      take_away (self, slot == LS_PIN_NEXT ? has : LS_PIN_BIT (slot));
      changed (self);
      return NULL;
    }
  any = row > 0 ? ls_pin_from_row (&pin, self->history, self->current, row)
                : ls_pin_from_text (&pin, self->history, self->current, text, offset);
  if (!any)
    return g_strdup (_("A loop, a block, a buffer or another name of the program can be pinned; none is selected."));
  if (slot == LS_PIN_NEXT && (slot = free_slot (self)) < 0)
    {
      ls_pin_clear (&pin);
      return g_strdup (_("All seven pins are in use; take one away, or choose the letter that shall stand here instead."));
    }
  take_away (self, has);
  ls_pins_remove (&self->pins, (guint) slot);
  self->pins.of[slot] = pin;
  changed (self);
  return NULL;
}

void
ls_engine_session_unpin (LsSession *session,
                         guint8     pins)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);

  if ((ls_pins_used (&self->pins) & pins) == 0 || self->history == NULL)
    return;
  take_away (self, pins);
  changed (self);
}
