/* session/pin-places: the places of pins in the text and the rows of one program. */
#include "app/session/pins-private.h"

#include "app/session/module.h"

#include <string.h>

struct _LsPinPlaces
{
  const LsPins *pins;           /* borrowed */
  LsVersion    *version;
  GHashTable   *sets[LS_PINS_MAX];
  GHashTable   *nodes;          /* LsVar of a loop, or LsBuffer -> mask */
  GHashTable   *rows;           /* lineage id -> mask: loops and blocks */
  GHashTable   *uses;           /* the same: blocks that read or write, or have the axis */
  guint8        found;
};

/* ---- entities ------------------------------------------------------------------- */

static guint8
mask_of (GHashTable    *table,
         gconstpointer  key)
{
  return (guint8) GPOINTER_TO_UINT (g_hash_table_lookup (table, key));
}

static void
add_mask (GHashTable *table,
          gpointer    key,
          guint8      mask)
{
  g_hash_table_insert (table, key, GUINT_TO_POINTER (mask_of (table, key) | mask));
}

static void
add_entity (LsPinPlaces *self,
            guint        slot,
            gint         at)
{
  const LsEntity *entity = ls_version_at (self->version, at);
  guint8 bit = LS_PIN_BIT (slot);

  if (self->pins->of[slot].kind == LS_PIN_VARIABLE)
    return;
  self->found |= bit;
  switch (entity->type)
    {
    case LS_ENTITY_LOOP:
      add_mask (self->nodes, ((LsFor *) entity->node)->loop_var, bit);
      add_mask (self->rows, GUINT_TO_POINTER (entity->id), bit);
      break;
    case LS_ENTITY_BLOCK:
      add_mask (self->rows, GUINT_TO_POINTER (entity->id), bit);
      break;
    case LS_ENTITY_BUFFER:
      add_mask (self->nodes, entity->node, bit);
      break;
    }
}

static guint8
touched (LsPinPlaces *self,
         LsArray     *regions)
{
  guint8 mask = 0;

  for (guint i = 0; i < ls_array_n (regions); i++)
    mask |= mask_of (self->nodes, ls_array_at (regions, i, LsBufferRegion)->buffer);
  return mask;
}

/* Blocks that read or write a pinned buffer. */
static void
add_uses (LsPinPlaces *self)
{
  for (guint i = 0; i < ls_version_get_n (self->version); i++)
    {
      const LsEntity *entity = ls_version_at (self->version, i);
      LsBlock *block = (LsBlock *) entity->node;
      guint8 mask;

      if (entity->type != LS_ENTITY_BLOCK)
        continue;
      mask = touched (self, block->reads) | touched (self, block->writes);
      if (mask != 0)
        add_mask (self->uses, GUINT_TO_POINTER (entity->id), mask);
    }
}

LsPinPlaces *
ls_pin_places_new (const LsPins *pins,
                   LsHistory    *history,
                   guint         node)
{
  LsPinPlaces *self = g_new0 (LsPinPlaces, 1);
  gboolean buffers = FALSE;

  self->pins = pins;
  self->version = ls_version_ref (ls_pin_version (history, node));
  self->nodes = g_hash_table_new (NULL, NULL);
  self->rows = g_hash_table_new (NULL, NULL);
  self->uses = g_hash_table_new (NULL, NULL);
  for (guint slot = 0; slot < LS_PINS_MAX; slot++)
    {
      GHashTableIter iter;
      gpointer at;

      if (!pins->of[slot].used)
        continue;
      self->sets[slot] = ls_pin_follow (&pins->of[slot], history, node);
      buffers |= pins->of[slot].kind == LS_PIN_BUFFER;
      g_hash_table_iter_init (&iter, self->sets[slot]);
      while (g_hash_table_iter_next (&iter, &at, NULL))
        add_entity (self, slot, GPOINTER_TO_INT (at));
    }
  if (buffers)
    add_uses (self);
  return self;
}

void
ls_pin_places_free (LsPinPlaces *self)
{
  for (guint slot = 0; slot < LS_PINS_MAX; slot++)
    g_clear_pointer (&self->sets[slot], g_hash_table_unref);
  g_hash_table_unref (self->nodes);
  g_hash_table_unref (self->rows);
  g_hash_table_unref (self->uses);
  ls_version_unref (self->version);
  g_free (self);
}

/* ---- the text ------------------------------------------------------------------- */

/* A block has its name once, in the line that opens it. */
static void
mark_blocks (LsPinPlaces  *self,
             LsScriptText *text)
{
  const char *at = ls_script_text_get_text (text);
  guint character = 0;

  for (guint i = 0; i < ls_script_text_n_lines (text) && at != NULL; i++)
    {
      guint64 id = ls_script_text_line (text, i)->id;
      const char *end = strchr (at, '\n');
      const char *quote = id > 0 ? memchr (at, '"', end != NULL ? (gsize) (end - at) : strlen (at)) : NULL;
      const char *close = quote != NULL ? strchr (quote + 1, '"') : NULL;
      gint block = close != NULL ? ls_version_find_id (self->version, (guint) (id - 1)) : -1;
      guint8 mask = block >= 0 && ls_version_at (self->version, block)->type == LS_ENTITY_BLOCK
                      ? mask_of (self->rows, GUINT_TO_POINTER (ls_version_at (self->version, block)->id)) : 0;

      if (mask != 0)
        {
          guint start = character + (guint) g_utf8_strlen (at, quote - at);

          ls_script_text_add_pin (text, start, start + (guint) g_utf8_strlen (quote, close + 1 - quote), mask);
        }
      character += (guint) g_utf8_strlen (at, end != NULL ? end - at : -1) + 1;
      at = end != NULL ? end + 1 : NULL;
    }
}

/* The block of a variable is one of those that the pin's block became. */
static gboolean
is_home (LsPinPlaces     *self,
         guint            slot,
         const LsPinHome *home)
{
  const LsPin *pin = &self->pins->of[slot];
  gint block = home->id != LS_PIN_NO_ID ? ls_version_find_id (self->version, home->id) : -1;

  if (pin->kind != LS_PIN_VARIABLE || home->nth != pin->nth || strcmp (home->name, pin->name) != 0 ||
      g_strcmp0 (home->function, pin->function) != 0)
    return FALSE;
  if (pin->block == NULL)
    return home->id == LS_PIN_NO_ID;
  return block >= 0 && g_hash_table_contains (self->sets[slot], GINT_TO_POINTER (block));
}

/* Number of a thing -> mask, for names without a lineage of their own. (transfer full) */
static GHashTable *
find_variables (LsPinPlaces  *self,
                LsScriptText *text)
{
  GHashTable *things = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) homes = ls_pin_homes (self->version, text);
  GHashTableIter iter;
  gpointer thing, value;

  g_hash_table_iter_init (&iter, homes);
  while (g_hash_table_iter_next (&iter, &thing, &value))
    for (guint slot = 0; slot < LS_PINS_MAX; slot++)
      if (self->pins->of[slot].used && is_home (self, slot, value))
        {
          add_mask (things, thing, LS_PIN_BIT (slot));
          self->found |= LS_PIN_BIT (slot);
          if (((LsPinHome *) value)->id != LS_PIN_NO_ID)
            add_mask (self->uses, GUINT_TO_POINTER (((LsPinHome *) value)->id), LS_PIN_BIT (slot));
        }
  return things;
}

static gboolean
has_kind (LsPinPlaces *self,
          LsPinKind    kind)
{
  for (guint slot = 0; slot < LS_PINS_MAX; slot++)
    if (self->pins->of[slot].used && self->pins->of[slot].kind == kind)
      return TRUE;
  return FALSE;
}

guint8
ls_pin_places_mark_text (LsPinPlaces  *self,
                         LsScriptText *text)
{
  g_autoptr (GHashTable) variables = has_kind (self, LS_PIN_VARIABLE) ? find_variables (self, text) : NULL;

  ls_script_text_clear_pins (text);
  for (guint i = 0; i < ls_script_text_n_names (text); i++)
    {
      const LsScriptMention *name = ls_script_text_get_name (text, i);
      guint8 mask = mask_of (self->nodes, ls_script_text_peek_thing (text, name->thing)->node);

      if (variables != NULL)
        mask |= mask_of (variables, GUINT_TO_POINTER (name->thing));
      if (mask != 0)
        ls_script_text_add_pin (text, name->start, name->end, mask);
    }
  if (has_kind (self, LS_PIN_BLOCK))
    mark_blocks (self, text);
  ls_script_text_sort_pins (text);
  return self->found;
}

void
ls_pin_places_of_row (LsPinPlaces *self,
                      guint64      row,
                      guint8      *pins,
                      guint8      *uses)
{
  gpointer id = GUINT_TO_POINTER ((guint) (row - 1));

  *pins = *uses = 0;
  if (row == 0 || row > G_MAXUINT)
    return;
  *pins = mask_of (self->rows, id);
  *uses = mask_of (self->uses, id) & (guint8) ~*pins;
}
