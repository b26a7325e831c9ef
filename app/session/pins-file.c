/* session/pins-file: the pins of a session file.
 *
 * "pins": [{"pin": "A", "kind": "loop", "name": "j_0", "function": "mm_relu", "step": 3, "id": 17},
 *          {"pin": "B", "kind": "variable", "name": "vi", "function": "mm_relu", "block": "C", "step": 0, "id": 4, "nth": 0}]
 */
#include "app/session/pins-private.h"
#include "engine/base/json.h"

#include <string.h>

static const char *const kinds[] = { "loop", "block", "buffer", "variable" };

void
ls_pins_write (const LsPins *self,
               JsonBuilder  *out)
{
  ls_json_begin_array (out, "pins");
  for (guint slot = 0; slot < LS_PINS_MAX; slot++)
    {
      const LsPin *pin = &self->of[slot];

      if (!pin->used)
        continue;
      json_builder_begin_object (out);
      ls_json_put_text (out, "pin", ls_pin_letter (slot));
      ls_json_put_text (out, "kind", kinds[pin->kind]);
      ls_json_put_text (out, "name", pin->name);
      ls_json_put_text (out, "function", pin->function);
      if (pin->block != NULL)
        ls_json_put_text (out, "block", pin->block);
      ls_json_put_int (out, "step", pin->node);
      if (pin->id != LS_PIN_NO_ID)
        ls_json_put_int (out, "id", pin->id);
      if (pin->kind == LS_PIN_VARIABLE)
        ls_json_put_int (out, "nth", pin->nth);
      json_builder_end_object (out);
    }
  json_builder_end_array (out);
}

/* ---- reading ------------------------------------------------------------------- */

/* FALSE: it is something else than a number from 0 to `most`; without the member `*value` stays. */
static gboolean
number_of (JsonObject *object,
           const char *member,
           guint       most,
           guint      *value)
{
  JsonNode *node = json_object_get_member (object, member);
  gint64 number;

  if (node == NULL)
    return TRUE;
  if (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_INT64)
    return FALSE;
  number = json_node_get_int (node);
  if (number < 0 || number > most)
    return FALSE;
  *value = (guint) number;
  return TRUE;
}

static int
find_in (const char *const *list,
         guint              n,
         const char        *text)
{
  for (guint i = 0; text != NULL && i < n; i++)
    if (strcmp (list[i], text) == 0)
      return (int) i;
  return -1;
}

static int
slot_of (const char *letter)
{
  for (guint slot = 0; letter != NULL && slot < LS_PINS_MAX; slot++)
    if (strcmp (ls_pin_letter (slot), letter) == 0)
      return (int) slot;
  return -1;
}

static gboolean
read_pin (LsPins      *self,
          JsonNode    *node,
          LsHistory   *history,
          const guint *ids,
          guint        n)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  int slot = object != NULL ? slot_of (ls_json_text (object, "pin")) : -1;
  int kind = object != NULL ? find_in (kinds, G_N_ELEMENTS (kinds), ls_json_text (object, "kind")) : -1;
  const char *name = object != NULL ? ls_json_text (object, "name") : NULL, *function = object != NULL ? ls_json_text (object, "function") : NULL;
  guint step = 0, id = LS_PIN_NO_ID, nth = 0;

  if (slot < 0 || kind < 0 || name == NULL || *name == '\0' || function == NULL || self->of[slot].used || n == 0)
    return FALSE;
  if (!number_of (object, "step", n - 1, &step) || !number_of (object, "id", G_MAXUINT - 2, &id) || !number_of (object, "nth", G_MAXINT, &nth))
    return FALSE;
  if (ids[step] == LS_HISTORY_NONE || ids[step] >= ls_history_get_n (history))
    return FALSE;
  self->of[slot] = (LsPin) { .used = TRUE, .kind = (LsPinKind) kind, .node = ids[step], .id = id, .nth = nth };
  self->of[slot].name = g_strdup (name);
  self->of[slot].function = g_strdup (function);
  self->of[slot].block = kind == LS_PIN_VARIABLE ? g_strdup (ls_json_text (object, "block")) : NULL;
  return TRUE;
}

guint
ls_pins_read (LsPins      *self,
              JsonNode    *list,
              LsHistory   *history,
              const guint *ids,
              guint        n)
{
  JsonArray *array = list != NULL && JSON_NODE_HOLDS_ARRAY (list) ? json_node_get_array (list) : NULL;
  guint lost = list != NULL && array == NULL ? 1 : 0;

  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    lost += !read_pin (self, json_array_get_element (array, i), history, ids, n);
  return lost;
}
