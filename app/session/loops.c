/* session/loops: rows of the loop nest from the entities of a version, their costs and where they came from. */
#include "app/session/module.h"

#include "engine/graph/graph.h"
#include "engine/script/script.h"
#include "engine/tir/cost.h"
#include "views/models/session.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct {
  LsHistory  *history;
  guint       id;
  LsSchedule *schedule;
  LsVersion  *version;
  GPtrArray  *costs;            /* of LsCostTable or NULL, by function */
  double      flop;
} Build;

static LsVersion *
version_at (LsHistory *history,
            guint      id)
{
  LsSchedule *schedule = ls_history_get (history, id)->schedule;

  return ls_schedule_get_version (schedule, ls_schedule_get_n_steps (schedule));
}

LsEntity *
ls_session_find_entity (LsHistory *history,
                        guint      id,
                        guint64    row)
{
  LsVersion *version = version_at (history, id);
  gint at = row > 0 ? ls_version_find_id (version, (guint) (row - 1)) : -1;

  return at >= 0 ? ls_version_at (version, at) : NULL;
}

/* ---- where a loop came from ------------------------------------------------ */

/* The first block at or below entity `at`. */
static const LsEntity *
block_below (LsVersion *version,
             guint      at)
{
  guint depth = ls_version_at (version, at)->depth;

  for (guint i = at; i < ls_version_get_n (version); i++)
    {
      const LsEntity *entity = ls_version_at (version, i);

      if (i > at && entity->depth <= depth && entity->type != LS_ENTITY_BUFFER)
        return NULL;
      if (entity->type == LS_ENTITY_BLOCK)
        return entity;
    }
  return NULL;
}

/* "j of C": the loop of the opened program that family `family` is. */
static char *
base_name (Build *build,
           guint  family)
{
  LsVersion *base = ls_schedule_get_version (build->schedule, 0);

  for (guint i = 0; i < ls_version_get_n (base); i++)
    {
      const LsEntity *entity = ls_version_at (base, i);
      const LsEntity *block;

      if (entity->type != LS_ENTITY_LOOP || entity->n_families != 1 || entity->families[0] != family)
        continue;
      block = block_below (base, i);
      if (block == NULL)
        return g_strdup (ls_entity_name (entity));
      /* Translators: loop j of block C */
      return g_strdup_printf (_("%s of %s"), ls_entity_name (entity), ls_entity_name (block));
    }
  return NULL;
}

/* What people count: 1 for the first primitive. */
static guint
number_of_step (Build *build,
                guint  step)
{
  guint number = 0;

  for (guint i = 0; i <= step; i++)
    number += !ls_history_is_pure (ls_schedule_get_step (build->schedule, i));
  return number;
}

static char *
names_before (LsVersion *before,
              GArray    *links,
              guint      after)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < links->len; i++)
    {
      const LsLineageLink *link = &g_array_index (links, LsLineageLink, i);

      if (link->after != (gint) after || link->before < 0)
        continue;
      if (names->len > 0)
        /* Translators: between two names of loops: i and j */
        g_string_append (names, _(" and "));
      g_string_append (names, ls_entity_name (ls_version_at (before, link->before)));
    }
  return names->len > 0 ? g_string_free (g_steal_pointer (&names), FALSE) : NULL;
}

static char *
describe_renamed (Build          *build,
                  guint           step,
                  const LsEntity *entity,
                  char          **brief)
{
  g_autofree char *base = entity->n_families > 0 ? base_name (build, entity->families[0]) : NULL;

  if (base == NULL)
    return g_strdup_printf (_("made by step %u"), number_of_step (build, step));
  *brief = g_strdup_printf (_("from %s"), base);
  return g_strdup_printf (_("from %s, by step %u"), base, number_of_step (build, step));
}

static char *
describe_birth (Build               *build,
                guint                step,
                const LsLineageLink *link,
                const LsEntity      *entity,
                char               **brief)
{
  const LsStep *record = ls_schedule_get_step (build->schedule, step);
  LsVersion *before = ls_schedule_get_version (build->schedule, step);
  g_autofree char *names = names_before (before, ls_schedule_get_links (build->schedule, step), (guint) link->after);

  if (names == NULL)
    return describe_renamed (build, step, entity, brief);
  if (link->how == LS_LINEAGE_COPIED)
    {
      *brief = g_strdup_printf (_("copy of %s"), names);
      return g_strdup_printf (_("copy of %s, by %s"), names, record->instruction->name);
    }
  *brief = g_strdup_printf (_("from %s"), names);
  return g_strdup_printf (_("from %s, by %s"), names, record->instruction->name);
}

static char *
describe_move (Build               *build,
               guint                step,
               const LsLineageLink *link)
{
  const LsStep *record = ls_schedule_get_step (build->schedule, step);
  guint before = ls_version_at (ls_schedule_get_version (build->schedule, step), link->before)->depth;
  guint after = ls_version_at (record->version, link->after)->depth;

  if (after < before)
    return g_strdup_printf (_("moved out by %s"), record->instruction->name);
  if (after > before)
    return g_strdup_printf (_("moved in by %s"), record->instruction->name);
  return g_strdup_printf (_("moved by %s"), record->instruction->name);
}

/* compute_at makes a loop of its own (ax0) out of one of the block's old loops. */
static gboolean
is_renamed (Build               *build,
            guint                step,
            const LsLineageLink *link)
{
  const LsStep *record = ls_schedule_get_step (build->schedule, step);

  return link->before >= 0 &&
         strcmp (ls_entity_name (ls_version_at (ls_schedule_get_version (build->schedule, step), link->before)),
                 ls_entity_name (ls_version_at (record->version, link->after))) != 0;
}

/* The latest step that made the loop, else the latest that moved it; *brief: the same in fewer words, or as it was. */
static char *
origin (Build          *build,
        const LsEntity *entity,
        guint          *made_by,
        char          **brief)
{
  g_autofree char *moved = NULL;

  for (guint step = ls_schedule_get_n_steps (build->schedule); step-- > 0;)
    {
      const LsStep *record = ls_schedule_get_step (build->schedule, step);
      GArray *links = ls_schedule_get_links (build->schedule, step);
      gint at = ls_version_find_id (record->version, entity->id);

      for (guint i = 0; at >= 0 && links != NULL && i < links->len; i++)
        {
          const LsLineageLink *link = &g_array_index (links, LsLineageLink, i);

          if (link->after != at)
            continue;
          switch (link->how)
            {
            case LS_LINEAGE_SPLIT:
            case LS_LINEAGE_FUSED:
            case LS_LINEAGE_COPIED:
            case LS_LINEAGE_CREATED:
              *made_by = number_of_step (build, step);
              return describe_birth (build, step, link, entity, brief);
            case LS_LINEAGE_MOVED:
              if (moved == NULL)
                moved = describe_move (build, step, link);
              break;
            case LS_LINEAGE_CHANGED:
              if (is_renamed (build, step, link))
                {
                  *made_by = number_of_step (build, step);
                  return describe_renamed (build, step, entity, brief);
                }
              break;
            case LS_LINEAGE_KEPT:
            case LS_LINEAGE_REMOVED:
              break;
            }
          break;
        }
    }

  return g_steal_pointer (&moved);
}

/* ---- one row --------------------------------------------------------------- */

static LsLoopKind
loop_kind (LsFor *loop)
{
  switch ((LsForKind) loop->kind)
    {
    case LS_FOR_SERIAL:
      return LS_LOOP_SERIAL;
    case LS_FOR_PARALLEL:
      return LS_LOOP_PARALLEL;
    case LS_FOR_VECTORIZED:
      return LS_LOOP_VECTORIZED;
    case LS_FOR_UNROLLED:
      return LS_LOOP_UNROLLED;
    case LS_FOR_THREAD_BINDING:
      return LS_LOOP_BOUND;
    }

  return LS_LOOP_SERIAL;
}

typedef struct {
  LsVar   *var;
  gboolean found;
} Reduced;

static LsWalk
find_reduction (LsNode   *node,
                gpointer  data)
{
  Reduced *reduced = data;

  if (ls_is (node, BLOCK_REALIZE))
    {
      LsBlockRealize *realize = (LsBlockRealize *) node;

      for (guint i = 0; i < ls_array_n (realize->iter_values); i++)
        if (ls_array_at (realize->block->iter_vars, i, LsIterVar)->iter_type == LS_ITER_COMM_REDUCE &&
            ls_uses (realize->iter_values->items[i], reduced->var))
          reduced->found = TRUE;
    }
  return reduced->found ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

static gboolean
is_reduction (LsFor *loop)
{
  Reduced reduced = { loop->loop_var, FALSE };

  ls_walk (loop->body, find_reduction, NULL, &reduced);
  return reduced.found;
}

static void
fill_cost (Build          *build,
           const LsEntity *entity,
           LsLoopRecord   *record)
{
  LsCostTable *table = g_ptr_array_index (build->costs, entity->func);
  const LsCost *cost = table != NULL ? ls_cost_table_get (table, entity->node) : NULL;

  record->runs = record->touches = -1;
  record->share = -1.0;
  if (cost == NULL)
    return;
  record->runs = cost->runs;
  record->touches = cost->touches;
  if (cost->flop >= 0.0 && build->flop > 0.0)
    record->share = cost->flop / build->flop;
}

/* What stands before a constant of one type: "T.float32(". */
static gsize
typed_constant (const char *at)
{
  gsize name = strspn (at + 2, "abcdefghijklmnopqrstuvwxyz0123456789_");
  gsize number = at[2 + name] == '(' ? strspn (at + 3 + name, "-+.0123456789e") : 0;

  return number > 0 && at[3 + name + number] == ')' && g_ascii_isdigit (at[1 + name]) ? 3 + name : 0;
}

/* A row has little room: "T.max(Y[vi, vj], T.float32(0))" says no more than "max(Y[vi, vj], 0)". */
static char *
without_namespace (const char *line)
{
  GString *out = g_string_new (NULL);
  gsize drop;

  for (const char *at = line; *at != '\0'; at++)
    if (at[0] != 'T' || at[1] != '.' || (at > line && (g_ascii_isalnum (at[-1]) || at[-1] == '_' || at[-1] == '.')))
      g_string_append_c (out, *at);
    else if ((drop = typed_constant (at)) > 0)
      {
        gsize length = strcspn (at + drop, ")");

        g_string_append_len (out, at + drop, (gssize) length);
        if (length > 2 && g_str_has_suffix (out->str, ".0"))
          g_string_truncate (out, out->len - 2);
        at += drop + length;
      }
    else
      at++;
  return g_string_free (out, FALSE);
}

static LsLoopItem *
make_row (Build *build,
          guint  at,
          guint  level)
{
  const LsEntity *entity = ls_version_at (build->version, at);
  const LsEntity *block = block_below (build->version, at);
  LsLoopRecord record = { .id = LS_ROW_ID (entity), .name = ls_entity_name (entity), .level = level,
                          .extent = -1 };
  g_autofree char *line = NULL, *words = NULL, *brief = NULL;
  g_autofree char *extent = NULL;

  fill_cost (build, entity, &record);
  record.block = block != NULL ? ls_entity_name (block) : NULL;
  for (guint i = 0; i < entity->n_families; i++)
    ls_families_add (&record.families, entity->families[i]);
  if (entity->type == LS_ENTITY_BLOCK)
    {
      record.kind = LS_LOOP_BLOCK;
      record.block = NULL;
      line = ls_graph_block_line ((LsBlock *) entity->node);
      words = without_namespace (line);
    }
  else
    {
      LsFor *loop = (LsFor *) entity->node;

      record.kind = loop_kind (loop);
      record.reduction = is_reduction (loop);
      if (!ls_as_int (loop->extent, &record.extent))
        {
          record.extent = -1;
          record.extent_text = extent = ls_script_print_expr (loop->extent);
        }
      if (loop->thread_binding != NULL)
        record.thread = loop->thread_binding->thread_tag;
      words = origin (build, entity, &record.made_by, &brief);
      if (words == NULL && level == 1 && block != NULL)
        words = g_strdup_printf (_("of block %s"), ls_entity_name (block));
    }
  record.origin = words;
  record.origin_brief = brief;

  return ls_loop_item_new (&record);
}

/* ---- the tree -------------------------------------------------------------- */

/* The block that TVM puts around a whole body is not shown. */
static gboolean
is_hidden (LsVersion      *version,
           const LsEntity *entity)
{
  LsNode *func;

  if (entity->type == LS_ENTITY_BUFFER)
    return TRUE;
  if (entity->type != LS_ENTITY_BLOCK || entity->parent >= 0)
    return FALSE;
  func = version->module->functions->items[entity->func];
  return ls_is (func, PRIM_FUNC) && ls_prim_func_root ((LsPrimFunc *) func) != NULL &&
         LS_NODE (ls_prim_func_root ((LsPrimFunc *) func)->block) == entity->node &&
         ls_array_n (((LsBlock *) entity->node)->iter_vars) == 0;
}

static LsLoopItem *
function_row (Build *build,
              guint  func)
{
  LsModule *module = build->version->module;
  LsCostTable *table = g_ptr_array_index (build->costs, func);
  LsLoopRecord record = {
    .id = G_MAXUINT32 + (guint64) func + 1, .kind = LS_LOOP_FUNCTION,
    .name = ls_array_at (module->global_vars, func, LsGlobalVar)->name_hint,
    .origin = _("function"), .level = 1, .extent = -1, .runs = -1, .touches = -1, .share = -1.0,
  };

  if (table != NULL && table->flop >= 0.0 && build->flop > 0.0)
    record.share = table->flop / build->flop;
  return ls_loop_item_new (&record);
}

static guint
count_functions (LsModule *module)
{
  guint n = 0;

  for (guint i = 0; i < ls_array_n (module->functions); i++)
    n += ls_is (module->functions->items[i], PRIM_FUNC);
  return n;
}

static GPtrArray *
make_rows (Build *build)
{
  LsVersion *version = build->version;
  guint n = ls_version_get_n (version);
  gboolean several = count_functions (version->module) > 1;
  GPtrArray *roots = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree LsLoopItem **rows = g_new0 (LsLoopItem *, n);
  LsLoopItem *function = NULL;
  guint func = LS_HISTORY_NONE;

  for (guint i = 0; i < n; i++)
    {
      const LsEntity *entity = ls_version_at (version, i);
      gint up = entity->parent;
      LsLoopItem *parent;

      if (several && entity->func != func)
        g_ptr_array_add (roots, function = function_row (build, func = entity->func));
      if (is_hidden (version, entity))
        continue;
      while (up >= 0 && rows[up] == NULL)
        up = ls_version_at (version, up)->parent;
      parent = up >= 0 ? rows[up] : function;
      rows[i] = make_row (build, i, parent != NULL ? ls_loop_item_get (parent)->level + 1 : 1);
      if (parent == NULL)
        {
          g_ptr_array_add (roots, rows[i]);
          continue;
        }
      ls_loop_item_add (parent, rows[i]);
      g_object_unref (rows[i]);
    }

  return roots;
}

/* Tables of the functions that were shown last: a step changes one function, and people go back and forth. */
#define N_KEPT 24

typedef struct {
  LsPrimFunc  *func;
  LsCostTable *table;
  guint64      used;
} Kept;

static struct {
  Kept    of[N_KEPT];
  guint64 now;
} kept;

/* The place of the function, or the one that was used longest ago. */
static Kept *
find_kept (LsPrimFunc *func)
{
  Kept *oldest = &kept.of[0];

  for (guint i = 0; i < N_KEPT; i++)
    {
      if (kept.of[i].func == func)
        return &kept.of[i];
      if (kept.of[i].used < oldest->used)
        oldest = &kept.of[i];
    }
  return oldest;
}

/* Takes the table. */
static void
keep_costs (Kept        *place,
            LsPrimFunc  *func,
            LsCostTable *table)
{
  g_clear_pointer (&place->table, ls_cost_table_free);
  ls_take (&place->func, ls_ref (func));
  place->table = table;
}

static LsCostTable *
costs_of (LsPrimFunc *func)
{
  Kept *place = find_kept (func);

  if (place->func != func)
    keep_costs (place, func, ls_cost_table_new (func));
  place->used = ++kept.now;
  return place->table;
}

/* More functions than are kept: all of them, each time. */
static gboolean
are_many (LsModule *module)
{
  return ls_array_n (module->functions) > N_KEPT;
}

LsModuleCosts *
ls_module_costs_new (LsModule *module)
{
  LsModuleCosts *self = g_new0 (LsModuleCosts, 1);

  self->module = ls_ref (module);
  self->tables = g_ptr_array_new ();
  for (guint i = 0; !are_many (module) && i < ls_array_n (module->functions); i++)
    g_ptr_array_add (self->tables, ls_is (module->functions->items[i], PRIM_FUNC)
                                     ? ls_cost_table_new ((LsPrimFunc *) module->functions->items[i]) : NULL);
  return self;
}

void
ls_module_costs_free (LsModuleCosts *self)
{
  for (guint i = 0; i < self->tables->len; i++)
    g_clear_pointer ((LsCostTable **) &self->tables->pdata[i], ls_cost_table_free);
  g_ptr_array_unref (self->tables);
  ls_unref (self->module);
  g_free (self);
}

void
ls_module_costs_keep (LsModuleCosts *self)
{
  for (guint i = 0; i < self->tables->len; i++)
    {
      LsPrimFunc *func = (LsPrimFunc *) self->module->functions->items[i];

      if (self->tables->pdata[i] == NULL)
        continue;
      keep_costs (find_kept (func), func, g_steal_pointer (&self->tables->pdata[i]));
      find_kept (func)->used = ++kept.now;
    }
}

/* `known` may be NULL. */
static void
count_costs (Build         *build,
             LsModuleCosts *known)
{
  LsModule *module = build->version->module;
  gboolean many = are_many (module);

  build->costs = g_ptr_array_new ();
  for (guint i = 0; i < ls_array_n (module->functions); i++)
    {
      LsPrimFunc *func = ls_is (module->functions->items[i], PRIM_FUNC) ? (LsPrimFunc *) module->functions->items[i] : NULL;
      LsCostTable *table = func == NULL ? NULL : many ? ls_cost_table_new (func)
                           : known != NULL ? known->tables->pdata[i] : costs_of (func);

      g_ptr_array_add (build->costs, table);
      if (table != NULL)
        build->flop = build->flop < 0.0 || table->flop < 0.0 ? -1.0 : build->flop + table->flop;
    }
}

GPtrArray *
ls_session_build_loops_from (LsHistory     *history,
                             guint          id,
                             LsModuleCosts *costs,
                             double        *flop)
{
  Build build = { .history = history, .id = id,
                  .schedule = ls_history_get (history, id)->schedule,
                  .version = version_at (history, id) };
  GPtrArray *roots;

  count_costs (&build, costs);
  roots = make_rows (&build);
  *flop = MAX (build.flop, 0.0);
  for (guint i = 0; are_many (build.version->module) && i < build.costs->len; i++)
    g_clear_pointer ((LsCostTable **) &build.costs->pdata[i], ls_cost_table_free);
  g_ptr_array_unref (build.costs);
  return roots;
}

GPtrArray *
ls_session_build_loops (LsHistory *history,
                        guint      id,
                        double    *flop)
{
  return ls_session_build_loops_from (history, id, NULL, flop);
}
