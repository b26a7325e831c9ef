/* session/dependence: edges between blocks by ls_inspect_dependences(), between rounds by ls_inspect_rounds(), in words. */
#include "app/session/dependence.h"

#include "app/session/module.h"
#include "engine/schedule/inspect/inspect.h"

#include <glib/gi18n.h>

#define MOST_ROUNDS 8
#define MOST_INNER 4

typedef struct {
  LsVersion *version;
  LsEntity  *selected;
  guint      at;                /* of the selected entity */
} Place;

static guint
needs_of (LsDependenceKind kind)
{
  switch (kind)
    {
    case LS_DEPENDENCE_RAW:
      return LS_NEEDS_RAW;
    case LS_DEPENDENCE_WAW:
      return LS_NEEDS_WAW;
    case LS_DEPENDENCE_WAR:
      return LS_NEEDS_WAR;
    }

  return 0;
}

/* ---- between blocks ----------------------------------------------------------- */

static gboolean
is_inside (Place *place,
           gint   at)
{
  while (at >= 0 && (guint) at != place->at)
    at = ls_version_at (place->version, at)->parent;
  return at >= 0;
}

static void
add_words (GString    *buffers,
           const char *name)
{
  g_auto (GStrv) there = g_strsplit (buffers->str, ", ", -1);

  if (!g_strv_contains ((const char *const *) there, name))
    g_string_append_printf (buffers, "%s%s", buffers->len > 0 ? ", " : "", name);
}

/* All that holds between two blocks is one arrow. */
static void
add_between (LsDependences *self,
             Place         *place,
             GArray        *found,
             guint          first)
{
  const LsDependence *one = &g_array_index (found, LsDependence, first);
  gint from = ls_version_find_node (place->version, LS_NODE (one->from));
  gint to = ls_version_find_node (place->version, LS_NODE (one->to));
  g_autoptr (GString) buffers = g_string_new (NULL);
  g_autofree char *kinds = NULL, *words = NULL;
  guint needs = 0;

  for (guint i = 0; i < first; i++)
    if (g_array_index (found, LsDependence, i).from == one->from && g_array_index (found, LsDependence, i).to == one->to)
      return;
  if (from < 0 || to < 0 || (!is_inside (place, from) && !is_inside (place, to)))
    return;
  for (guint i = first; i < found->len; i++)
    {
      const LsDependence *other = &g_array_index (found, LsDependence, i);

      if (other->from != one->from || other->to != one->to)
        continue;
      needs |= needs_of (other->kind);
      add_words (buffers, other->buffer->name);
    }
  kinds = ls_needs_words (needs);
  /* Translators: block C after block Y: RAW on buffer Y */
  words = g_strdup_printf (_("%s after %s: %s on %s"), one->to->name_hint, one->from->name_hint, kinds, buffers->str);
  ls_dependences_add (self, LS_ROW_ID (ls_version_at (place->version, from)),
                      LS_ROW_ID (ls_version_at (place->version, to)), needs, words);
}

/* ---- between rounds ------------------------------------------------------------- */

/* The buffers for which one round of the outer loop needs another. (transfer full), or NULL */
static char *
carried_buffers (LsRoundDeps *deps,
                 guint       *needs)
{
  g_autoptr (GString) buffers = g_string_new (NULL);

  *needs = 0;
  for (guint i = 0; i < deps->edges->len; i++)
    {
      const LsRoundEdge *edge = &g_array_index (deps->edges, LsRoundEdge, i);

      if (edge->from / deps->n_inner == edge->to / deps->n_inner)
        continue;
      *needs |= needs_of (edge->kind);
      add_words (buffers, edge->buffer->name);
    }
  return buffers->len > 0 ? g_string_free (g_steal_pointer (&buffers), FALSE) : NULL;
}

static char *
rounds_words (LsRoundDeps *deps,
              const char  *name)
{
  guint needs;
  g_autofree char *buffers = carried_buffers (deps, &needs);
  g_autofree char *kinds = ls_needs_words (needs);

  if (deps->n_outer < 2)
    return g_strdup_printf (_("%s has one round only."), name);
  if (buffers == NULL)
    return g_strdup_printf (_("No round of %s needs another one: they can run in any order, also at the same time."), name);
  if (needs & LS_NEEDS_RAW)
    return g_strdup_printf (_("A round of %s needs what an earlier one left in %s (%s): the order has to stay."), name,
                            buffers, kinds);
  return g_strdup_printf (_("Rounds of %s write over the same %s (%s): the last one has to stay last."), name, buffers, kinds);
}

static gint64
extent_of (LsFor *loop)
{
  gint64 extent;

  return loop != NULL && ls_as_int (loop->extent, &extent) ? extent : -1;
}

static void
add_rounds (LsDependences *self,
            LsPrimFunc    *func,
            LsFor         *loop)
{
  g_autoptr (LsRoundDeps) deps = ls_inspect_rounds (func, loop, MOST_ROUNDS, MOST_INNER);
  LsRounds *rounds = ls_dependences_add_rounds (self);

  rounds->outer = g_strdup (loop->loop_var->name);
  rounds->inner = deps->inner != NULL ? g_strdup (deps->inner->loop_var->name) : NULL;
  rounds->n_outer = deps->n_outer;
  rounds->n_inner = deps->n_inner;
  rounds->extent_outer = extent_of (loop);
  rounds->extent_inner = extent_of (deps->inner);
  rounds->words = rounds_words (deps, loop->loop_var->name);
  for (guint i = 0; i < deps->edges->len; i++)
    {
      const LsRoundEdge *edge = &g_array_index (deps->edges, LsRoundEdge, i);
      LsRoundArrow arrow = { edge->from, edge->to, needs_of (edge->kind) };

      g_array_append_val (rounds->arrows, arrow);
    }
}

LsDependences *
ls_session_dependences (LsHistory *history,
                        guint      id,
                        guint64    row)
{
  LsSchedule *schedule = ls_history_get (history, id)->schedule;
  LsVersion *version = ls_schedule_get_version (schedule, ls_schedule_get_n_steps (schedule));
  LsEntity *entity = ls_session_find_entity (history, id, row);
  g_autoptr (GArray) found = NULL;
  LsDependences *self;
  LsPrimFunc *func;
  Place place;

  if (entity == NULL || entity->type == LS_ENTITY_BUFFER)
    return NULL;
  place = (Place) { version, entity, (guint) ls_version_find_id (version, entity->id) };
  func = (LsPrimFunc *) version->module->functions->items[entity->func];
  self = ls_dependences_new ();
  found = ls_inspect_dependences (func);
  for (guint i = 0; i < found->len; i++)
    add_between (self, &place, found, i);
  if (entity->type == LS_ENTITY_LOOP)
    add_rounds (self, func, (LsFor *) entity->node);
  return self;
}
