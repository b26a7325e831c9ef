/* session/pins: what is pinned, and where its lineage leads; see the header.  Its places in texts and rows: pin-places.c. */
#include "app/session/pins.h"

#include "app/session/code-rows.h"
#include "app/session/module.h"
#include "app/session/pins-private.h"

#include <string.h>

void
ls_pin_clear (LsPin *pin)
{
  g_free (pin->name);
  g_free (pin->function);
  g_free (pin->block);
  *pin = (LsPin) { 0 };
}

void
ls_pins_copy (LsPins       *self,
              const LsPins *from)
{
  for (guint i = 0; i < LS_PINS_MAX; i++)
    {
      LsPin *pin = &self->of[i];

      *pin = from->of[i];
      pin->name = g_strdup (pin->name);
      pin->function = g_strdup (pin->function);
      pin->block = g_strdup (pin->block);
    }
}

void
ls_pins_remove (LsPins *self,
                guint   slot)
{
  ls_pin_clear (&self->of[slot]);
}

void
ls_pins_clear (LsPins *self)
{
  for (guint i = 0; i < LS_PINS_MAX; i++)
    ls_pins_remove (self, i);
}

guint8
ls_pins_used (const LsPins *self)
{
  guint8 used = 0;

  for (guint i = 0; i < LS_PINS_MAX; i++)
    if (self->of[i].used)
      used |= LS_PIN_BIT (i);
  return used;
}

/* ---- what there is to pin --------------------------------------------------- */

LsVersion *
ls_pin_version (LsHistory *history,
                guint      node)
{
  LsSchedule *schedule = ls_history_get (history, node)->schedule;

  return ls_schedule_get_version (schedule, ls_schedule_get_n_steps (schedule));
}

static LsPinKind
kind_of (const LsEntity *entity)
{
  switch (entity->type)
    {
    case LS_ENTITY_LOOP:
      return LS_PIN_LOOP;
    case LS_ENTITY_BLOCK:
      return LS_PIN_BLOCK;
    case LS_ENTITY_BUFFER:
      return LS_PIN_BUFFER;
    }

  return LS_PIN_LOOP;
}

static const char *
function_of (LsVersion      *version,
             const LsEntity *entity)
{
  return ls_array_at (version->module->global_vars, entity->func, LsGlobalVar)->name_hint;
}

static gboolean
take_entity (LsPin     *pin,
             LsVersion *version,
             guint      node,
             gint       at)
{
  const LsEntity *entity = at >= 0 ? ls_version_at (version, at) : NULL;

  if (entity == NULL)
    return FALSE;
  *pin = (LsPin) { .used = TRUE, .kind = kind_of (entity), .node = node, .id = entity->id };
  pin->name = g_strdup (ls_entity_name (entity));
  pin->function = g_strdup (function_of (version, entity));
  return TRUE;
}

gboolean
ls_pin_from_row (LsPin     *pin,
                 LsHistory *history,
                 guint      node,
                 guint64    row)
{
  LsVersion *version = ls_pin_version (history, node);

  return row > 0 && row <= G_MAXUINT && take_entity (pin, version, node, ls_version_find_id (version, (guint) (row - 1)));
}

/* The entity that gives the name to its variable or is the buffer; -1: none. */
static gint
entity_of_node (LsVersion *version,
                gpointer   node)
{
  for (guint i = 0; ls_is (node, VAR) && i < ls_version_get_n (version); i++)
    {
      const LsEntity *entity = ls_version_at (version, i);

      if (entity->type == LS_ENTITY_LOOP && ((LsFor *) entity->node)->loop_var == node)
        return (gint) i;
    }
  return ls_is (node, BUFFER) ? ls_version_find_node (version, node) : -1;
}

static gboolean
take_variable (LsPin        *pin,
               LsVersion    *version,
               guint         node,
               LsScriptText *text,
               guint         thing)
{
  g_autoptr (GHashTable) homes = ls_pin_homes (version, text);
  LsPinHome *home = g_hash_table_lookup (homes, GUINT_TO_POINTER (thing));

  if (home == NULL || home->function == NULL)
    return FALSE;
  *pin = (LsPin) { .used = TRUE, .kind = LS_PIN_VARIABLE, .node = node, .id = home->id, .nth = home->nth };
  pin->name = g_strdup (home->name);
  pin->function = g_strdup (home->function);
  pin->block = g_strdup (home->block);
  return TRUE;
}

static guint
line_of (LsScriptText *text,
         guint         offset)
{
  const char *start = ls_script_text_get_text (text), *end = g_utf8_offset_to_pointer (start, offset);
  guint line = 0;

  for (const char *at = start; at < end; at++)
    line += *at == '\n';
  return line;
}

gboolean
ls_pin_from_text (LsPin        *pin,
                  LsHistory    *history,
                  guint         node,
                  LsScriptText *text,
                  guint         offset)
{
  LsVersion *version = ls_pin_version (history, node);
  const LsScriptMention *name = ls_script_text_name_at (text, offset);
  guint line;

  if (name != NULL)
    {
      gint at = entity_of_node (version, ls_script_text_peek_thing (text, name->thing)->node);

      return at >= 0 ? take_entity (pin, version, node, at) : take_variable (pin, version, node, text, name->thing);
    }
  line = line_of (text, MIN (offset, (guint) g_utf8_strlen (ls_script_text_get_text (text), -1)));
  return line < ls_script_text_n_lines (text) &&
         ls_pin_from_row (pin, history, node, ls_script_text_line (text, line)->id);
}

/* ---- what became of it -------------------------------------------------------- */

/* The entity that a pin means at its own node; -1: it is not there any more. */
static gint
find_entity (const LsPin  *pin,
             LsVersion    *version,
             LsEntityType  type,
             const char   *name)
{
  gint at = pin->id != LS_PIN_NO_ID ? ls_version_find_id (version, pin->id) : -1;

  if (at >= 0 && ls_version_at (version, at)->type == type && strcmp (ls_entity_name (ls_version_at (version, at)), name) == 0)
    return at;
  for (guint i = 0; i < ls_version_get_n (version); i++)
    {
      const LsEntity *entity = ls_version_at (version, i);

      if (entity->type == type && strcmp (ls_entity_name (entity), name) == 0 &&
          strcmp (function_of (version, entity), pin->function) == 0)
        return (gint) i;
    }
  return -1;
}

/* Entities that one link leads to, or, with `back`, comes from. */
static void
follow_links (GHashTable **set,
              GArray      *links,
              gboolean     back)
{
  GHashTable *next = g_hash_table_new (NULL, NULL);

  for (guint i = 0; links != NULL && i < links->len; i++)
    {
      const LsLineageLink *link = &g_array_index (links, LsLineageLink, i);
      gint from = back ? link->after : link->before, to = back ? link->before : link->after;

      if (from >= 0 && to >= 0 && g_hash_table_contains (*set, GINT_TO_POINTER (from)))
        g_hash_table_add (next, GINT_TO_POINTER (to));
    }
  g_hash_table_unref (*set);
  *set = next;
}

/* Through the steps from number `from` to number `to` of a schedule, either way. */
static void
follow_steps (GHashTable **set,
              LsSchedule  *schedule,
              guint        from,
              guint        to)
{
  gboolean back = to < from;

  while (from != to && g_hash_table_size (*set) > 0)
    {
      guint step = back ? from - 1 : from;

      if (ls_schedule_get_version (schedule, step) != ls_schedule_get_version (schedule, step + 1))
        follow_links (set, ls_schedule_get_links (schedule, step), back);
      from = back ? from - 1 : from + 1;
    }
}

/* The last node that the ways to both have. */
static guint
common_node (LsHistory *history,
             guint      a,
             guint      b)
{
  while (a != b)
    if (a > b)
      a = ls_history_get (history, a)->parent;
    else
      b = ls_history_get (history, b)->parent;
  return a;
}

GHashTable *
ls_pin_follow (const LsPin *pin,
               LsHistory   *history,
               guint        node)
{
  GHashTable *set = g_hash_table_new (NULL, NULL);
  LsEntityType type = pin->kind == LS_PIN_LOOP ? LS_ENTITY_LOOP : pin->kind == LS_PIN_BUFFER ? LS_ENTITY_BUFFER : LS_ENTITY_BLOCK;
  const char *name = pin->kind == LS_PIN_VARIABLE ? pin->block : pin->name;
  guint from = MIN (pin->node, ls_history_get_n (history) - 1), common;
  LsSchedule *start = ls_history_get (history, from)->schedule, *end = ls_history_get (history, node)->schedule;
  gint at = name != NULL ? find_entity (pin, ls_pin_version (history, from), type, name) : -1;
  guint shared;

  if (at < 0)
    return set;
  g_hash_table_add (set, GINT_TO_POINTER (at));
  common = common_node (history, from, node);
  shared = ls_schedule_get_n_steps (ls_history_get (history, common)->schedule);
  follow_steps (&set, start, ls_schedule_get_n_steps (start), shared);
  follow_steps (&set, end, shared, ls_schedule_get_n_steps (end));
  return set;
}
