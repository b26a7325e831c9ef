/* session/pinning: the pins of the session's document; pins.c knows what they mean. */
#include "app/session/pinning.h"

#include <glib/gi18n.h>

struct _LsPinning
{
  LsSession  *session;
  LsDocument *document;
  LsPins      pins;
  guint8      found;            /* those that are in the shown program */
};

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
mark_before (LsPinning    *self,
             LsScriptText *before)
{
  g_autoptr (LsPinPlaces) places = NULL;

  if (before == NULL)
    return;
  places = ls_pin_places_new (&self->pins, ls_document_get (self->document)->history, ls_document_get_node (self->document)->parent);
  ls_pin_places_mark_text (places, before);
}

/* What the session says of its pins; `found`: those that are somewhere in the shown program. */
static void
tell (LsPinning *self,
      guint8     found)
{
  LsPinRecord records[LS_PINS_MAX] = { 0 };

  for (guint i = 0; i < LS_PINS_MAX; i++)
    if (self->pins.of[i].used)
      records[i] = (LsPinRecord) { TRUE, self->pins.of[i].kind, self->pins.of[i].name, (found & LS_PIN_BIT (i)) != 0 };
  ls_session_set_pins (self->session, records);
}

void
ls_pinning_place (LsPinning    *self,
                  GPtrArray    *roots,
                  LsScriptText *text,
                  LsScriptText *before)
{
  const LsDocumentRecord *opened = ls_document_get (self->document);
  g_autoptr (LsPinPlaces) places = NULL;

  self->found = 0;
  if (ls_pins_used (&self->pins) == 0)
    return;
  places = ls_pin_places_new (&self->pins, opened->history, opened->current);
  self->found = ls_pin_places_mark_text (places, text);
  mark_before (self, before);
  for (guint i = 0; i < roots->len; i++)
    {
      mark_row (places, g_ptr_array_index (roots, i));
      mark_rows (places, ls_loop_item_get_children (g_ptr_array_index (roots, i)));
    }
}

void
ls_pinning_tell (LsPinning *self)
{
  if (ls_pins_used (&self->pins) != 0 || ls_session_get_pins (self->session) != 0)
    tell (self, self->found);
}

/* Other pins on what is shown. */
static void
changed (LsPinning *self)
{
  const LsDocumentRecord *opened = ls_document_get (self->document);
  LsSession *session = self->session;
  g_autoptr (LsPinPlaces) places = ls_pin_places_new (&self->pins, opened->history, opened->current);

  self->found = ls_pin_places_mark_text (places, ls_session_get_script (session));
  mark_before (self, ls_session_get_before (session));
  mark_rows (places, ls_session_get_loops (session));
  tell (self, self->found);
}

void
ls_pinning_forget (LsPinning *self)
{
  ls_pins_clear (&self->pins);
  self->found = 0;
  ls_pinning_tell (self);
}

/* ---- wishes ------------------------------------------------------------------------ */

static int
free_slot (LsPinning *self)
{
  for (guint i = 0; i < LS_PINS_MAX; i++)
    if (!self->pins.of[i].used)
      return (int) i;
  return -1;
}

static guint8
pins_of (LsPinning *self,
         guint64    row,
         guint      offset)
{
  LsSession *session = self->session;
  LsLoopItem *item = row > 0 ? ls_loop_list_find (ls_session_get_loops (session), row) : NULL;

  if (row > 0)
    return item != NULL ? ls_loop_item_get_pins (item) : 0;
  return ls_script_text_pins_at (ls_session_get_script (session), offset);
}

static void
take_away (LsPinning *self,
           guint8     pins)
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
opens_selected (LsPinning    *self,
                LsScriptText *text,
                guint         offset)
{
  guint64 selection = ls_session_get_selection (self->session);

  for (guint i = 0; selection != 0 && i < ls_script_text_n_spans (text); i++)
    if (ls_script_text_get_span (text, i)->id == selection)
      return line_start (text, ls_script_text_get_span (text, i)->start) == line_start (text, offset);
  return FALSE;
}

/* A line that opens a loop or block stands for it wherever in the line one is; of several loops for the selected one. */
static guint64
row_of_place (LsPinning *self,
              guint      offset)
{
  const LsDocumentRecord *opened = ls_document_get (self->document);
  LsScriptText *text = ls_session_get_script (self->session);
  LsPin pin = { 0 };
  guint64 row = 0;

  if (ls_script_text_name_at (text, offset) == NULL && opens_selected (self, text, offset))
    return ls_session_get_selection (self->session);
  if (ls_script_text_name_at (text, offset) == NULL && ls_pin_from_text (&pin, opened->history, opened->current, text, offset))
    row = (guint64) pin.id + 1;
  ls_pin_clear (&pin);
  return row;
}

char *
ls_pinning_pin (LsPinning *self,
                guint64    row,
                guint      offset,
                int        slot)
{
  const LsDocumentRecord *opened = ls_document_get (self->document);
  LsScriptText *text = ls_session_get_script (self->session);
  LsPin pin = { 0 };
  guint8 has;
  gboolean any;

  if (opened->history == NULL || text == NULL)
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
  any = row > 0 ? ls_pin_from_row (&pin, opened->history, opened->current, row)
                : ls_pin_from_text (&pin, opened->history, opened->current, text, offset);
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
ls_pinning_unpin (LsPinning *self,
                  guint8     pins)
{
  if ((ls_pins_used (&self->pins) & pins) == 0 || ls_document_get_node (self->document) == NULL)
    return;
  take_away (self, pins);
  changed (self);
}

/* ---- the file, life ------------------------------------------------------------------ */

const LsPins *
ls_pinning_get (LsPinning *self)
{
  return &self->pins;
}

void
ls_pinning_take (LsPinning *self,
                 LsPins    *pins)
{
  ls_pins_clear (&self->pins);
  self->pins = *pins;
  *pins = (LsPins) { 0 };
}

LsPinning *
ls_pinning_new (LsSession  *session,
                LsDocument *document)
{
  LsPinning *self = g_new0 (LsPinning, 1);

  self->session = session;
  self->document = g_object_ref (document);
  return self;
}

void
ls_pinning_free (LsPinning *self)
{
  ls_pins_clear (&self->pins);
  g_object_unref (self->document);
  g_free (self);
}
