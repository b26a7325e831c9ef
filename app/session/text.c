/* session/text: the printed module as the text pane shows it.
 *
 * The printer's source map gives byte ranges and nodes; here they become character
 * spans of loop variables, chips and ids of the lines that open loops and blocks, and
 * step tags on the lines that the step of this node made, by lineage.
 */
#include "app/session/module.h"

#include "app/session/names.h"
#include "engine/script/script.h"

#include <string.h>

typedef struct {
  LsHistory    *history;
  LsSchedule   *schedule;
  LsVersion    *version;
  LsHistoryNode *node;
  LsScriptText *text;
  LsSourceMap  *map;
  const char   *source;
  GHashTable   *loops;          /* LsVar -> number of the loop's entity */
  GHashTable   *things;         /* node -> number of its thing plus one */
  guint32       byte;           /* how far characters were counted */
  guint         characters;
} Build;

/* Ranges come in order, so counting goes on from the last one. */
static guint
character_at (Build   *build,
              guint32  byte)
{
  if (byte < build->byte)
    build->byte = build->characters = 0;
  build->characters += (guint) g_utf8_strlen (build->source + build->byte,
                                              (gssize) (byte - build->byte));
  build->byte = byte;
  return build->characters;
}

static LsFamilies
families_of (const LsEntity *entity)
{
  LsFamilies families = LS_FAMILIES_NONE;

  for (guint i = 0; i < entity->n_families; i++)
    ls_families_add (&families, entity->families[i]);
  return families;
}

static void
add_variable (Build               *build,
              const LsSourceRange *range,
              const LsEntity      *entity)
{
  LsScriptSpan span = { .id = LS_ROW_ID (entity), .families = families_of (entity) };

  span.start = character_at (build, range->start);
  span.end = span.start + (guint) g_utf8_strlen (build->source + range->start,
                                                 (gssize) (range->end - range->start));
  ls_script_text_add_span (build->text, &span);
  if (range->role == LS_SOURCE_DEFINE && range->line <= ls_script_text_n_lines (build->text))
    {
      LsScriptLine *line = ls_script_text_line (build->text, range->line - 1);

      for (guint i = 0; i < entity->n_families; i++)
        ls_families_add (&line->families, entity->families[i]);
      if (line->id == 0)
        line->id = span.id;
    }
}

static void
add_block (Build               *build,
           const LsSourceRange *range)
{
  gint at = ls_version_find_node (build->version, range->node);
  LsScriptLine *line;

  if (at < 0 || range->line > ls_script_text_n_lines (build->text))
    return;
  line = ls_script_text_line (build->text, range->line - 1);
  if (line->id == 0)
    line->id = LS_ROW_ID (ls_version_at (build->version, at));
}

static char *
name_words (gpointer    node,
            const char *name,
            gpointer    words)
{
  return ls_name_words_get (words, node, name);
}

static void
add_name (Build               *build,
          const LsSourceRange *range)
{
  guint thing = GPOINTER_TO_UINT (g_hash_table_lookup (build->things, range->node));
  guint start = character_at (build, range->start);
  guint length = (guint) g_utf8_strlen (build->source + range->start, (gssize) (range->end - range->start));

  if (!ls_name_words_has (range->node))
    return;
  if (thing == 0)
    {
      thing = ls_script_text_add_thing (build->text, range->node) + 1;
      g_hash_table_insert (build->things, range->node, GUINT_TO_POINTER (thing));
    }
  ls_script_text_add_name (build->text, start, start + length, thing - 1, range->role == LS_SOURCE_DEFINE);
}

static gboolean
is_statement (LsNode *node)
{
  return ls_is_stmt (node) || ls_is (node, PRIM_FUNC) || ls_is (node, FUNCTION) || ls_is (node, VAR_BINDING) || ls_is (node, MATCH_CAST);
}

/* Statements know where they were read; of those that begin in one line the outermost counts.  Of a text that stands for no
 * node, such as the end of a slice, nothing is known. */
static void
add_source (Build               *build,
            const LsSourceRange *range)
{
  LsSpan span = range->node != NULL ? range->node->span : (LsSpan) { 0 };
  LsScriptLine *line;

  if (span.source == 0 || range->line > ls_script_text_n_lines (build->text) ||
      !(range->role == LS_SOURCE_NODE ? is_statement (range->node) : range->role == LS_SOURCE_DEFINE && ls_is (range->node, BUFFER)))
    return;
  line = ls_script_text_line (build->text, range->line - 1);
  if (line->source != 0)
    return;
  line->source = span.source;
  line->source_byte = span.start;
}

static void
add_ranges (Build *build)
{
  guint n;
  const LsSourceRange *ranges = ls_source_map_get_ranges (build->map, &n);

  for (guint i = 0; i < n; i++)
    {
      gpointer at;

      add_source (build, &ranges[i]);
      if (ranges[i].role != LS_SOURCE_NODE)
        add_name (build, &ranges[i]);
      if (ranges[i].role != LS_SOURCE_NODE &&
          g_hash_table_lookup_extended (build->loops, ranges[i].node, NULL, &at))
        add_variable (build, &ranges[i], ls_version_at (build->version, GPOINTER_TO_UINT (at)));
      else if (ranges[i].role == LS_SOURCE_NODE && ls_is (ranges[i].node, BLOCK))
        add_block (build, &ranges[i]);
    }
}

/* ---- step tags ------------------------------------------------------------- */

static void
tag_lines (Build *build,
           guint  first,
           guint  last)
{
  for (guint i = first; i <= last && i <= ls_script_text_n_lines (build->text); i++)
    ls_script_text_line (build->text, i - 1)->step = build->node->number;
}

static void
tag_entity (Build          *build,
            const LsEntity *entity)
{
  gpointer shown = entity->type == LS_ENTITY_LOOP ? (gpointer) ((LsFor *) entity->node)->loop_var
                                                  : (gpointer) entity->node;
  g_autoptr (GPtrArray) ranges = ls_source_map_find_node (build->map, shown);

  for (guint i = 0; i < ranges->len; i++)
    {
      const LsSourceRange *range = g_ptr_array_index (ranges, i);

      if (range->role == LS_SOURCE_USE)
        continue;
      if (entity->type == LS_ENTITY_LOOP)
        tag_lines (build, range->line, range->line);
      else
        tag_lines (build, range->line, ls_source_map_line_of (build->map, range->end - 1));
      return;
    }
}

static gboolean
makes_lines (LsLineageHow how)
{
  switch (how)
    {
    case LS_LINEAGE_MOVED:
    case LS_LINEAGE_SPLIT:
    case LS_LINEAGE_FUSED:
    case LS_LINEAGE_COPIED:
    case LS_LINEAGE_CREATED:
      return TRUE;
    case LS_LINEAGE_KEPT:
    case LS_LINEAGE_CHANGED:
    case LS_LINEAGE_REMOVED:
      return FALSE;
    }

  return FALSE;
}

/* A changed loop (another kind) is on its own line; of a changed block only the lines that read differently count,
 * which the comparison of the two texts finds. */
static void
add_tags (Build *build)
{
  g_autoptr (LsLineage) lineage = NULL;

  if (build->node->number == 0 || !LS_HISTORY_DONE (build->node))
    return;
  lineage = ls_schedule_lineage (build->schedule, build->node->first_step,
                                 ls_schedule_get_n_steps (build->schedule));
  for (guint i = 0; i < lineage->links->len; i++)
    {
      const LsLineageLink *link = &g_array_index (lineage->links, LsLineageLink, i);
      const LsEntity *entity = link->after >= 0 ? ls_version_at (lineage->after, link->after) : NULL;

      if (entity == NULL || entity->type == LS_ENTITY_BUFFER || entity->parent < 0)
        continue;
      if (makes_lines (link->how) ||
          (link->how == LS_LINEAGE_CHANGED && entity->type == LS_ENTITY_LOOP))
        tag_entity (build, entity);
    }
}

LsScriptText *
ls_session_build_text (LsHistory *history,
                       guint      id)
{
  LsHistoryNode *node = ls_history_get (history, id);
  Build build = { .history = history, .schedule = node->schedule, .node = node };
  g_autofree char *source = NULL;

  build.version = ls_schedule_get_version (node->schedule, ls_schedule_get_n_steps (node->schedule));
  source = ls_history_print (history, id, FALSE, &build.map);
  build.source = source;
  build.text = ls_script_text_new (source);
  build.loops = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < ls_version_get_n (build.version); i++)
    {
      const LsEntity *entity = ls_version_at (build.version, i);

      if (entity->type == LS_ENTITY_LOOP)
        g_hash_table_insert (build.loops, ((LsFor *) entity->node)->loop_var, GUINT_TO_POINTER (i));
    }
  ls_script_text_set_namer (build.text, name_words, ls_name_words_new (build.version->module), (GDestroyNotify) ls_name_words_free);
  build.things = g_hash_table_new (NULL, NULL);
  add_ranges (&build);
  add_tags (&build);

  g_hash_table_unref (build.loops);
  g_hash_table_unref (build.things);
  ls_source_map_unref (build.map);
  return build.text;
}
