/* session/source-lines: see the header. */
#include "app/session/source-lines.h"

#include "app/session/code-rows.h"
#include "app/session/module.h"

#include <string.h>

struct _LsSourceLines
{
  LsSchedule   *schedule;       /* borrowed */
  LsVersion    *first;
  LsVersion    *version;
  GHashTable   *loops;          /* family -> line of the opened text that its loop is in, where it is known */
  LsStem       *origins;        /* of the entities of this version, by the lineage; NULL until a block asks for them */
  LsScriptText *text;
  guint32       source;
  GHashTable   *moves;          /* or NULL */
  GPtrArray    *base;           /* lines of the opened text: where each begins */
  const char   *base_text;
  GArray       *stems;          /* of LsStem, by printed line */
};

/* ---- the same program in another text ------------------------------------------- */

static gboolean
holds_statements (const LsNode *node)
{
  return ls_is_stmt (node) || ls_is (node, ARRAY) || ls_is (node, MODULE) || ls_is (node, PRIM_FUNC) || ls_is (node, FUNCTION) ||
         ls_is (node, SEQ_EXPR) || ls_is (node, BINDING_BLOCK) || ls_is (node, DATAFLOW_BLOCK) || ls_is (node, VAR_BINDING);
}

static void
pair (GHashTable *moves,
      guint32     source,
      LsNode     *node,
      LsNode     *again)
{
  guint n = node != NULL ? ls_node_get_n_children (node) : 0;

  if (node == NULL || again == NULL || ls_kind (node) != ls_kind (again) || ls_node_get_n_children (again) != n)
    return;
  if (node->span.source == source)
    g_hash_table_insert (moves, GUINT_TO_POINTER (node->span.start), GUINT_TO_POINTER (again->span.start));
  for (guint i = 0; holds_statements (node) && i < n; i++)
    pair (moves, source, ls_node_get_child (node, i), ls_node_get_child (again, i));
}

GHashTable *
ls_source_moves (LsModule *module,
                 guint32   source,
                 LsModule *again)
{
  GHashTable *moves = g_hash_table_new (NULL, NULL);

  pair (moves, source, LS_NODE (module), LS_NODE (again));
  return moves;
}

/* ---- the opened text ---------------------------------------------------------- */

static void
find_base_lines (LsSourceLines *self)
{
  self->base = g_ptr_array_new ();
  for (const char *at = self->base_text; at != NULL;)
    {
      g_ptr_array_add (self->base, (gpointer) at);
      at = strchr (at, '\n');
      at = at != NULL ? at + 1 : NULL;
    }
}

/* Line of a byte, from 1. */
static guint
base_line (LsSourceLines *self,
           guint32        byte)
{
  guint low = 0, high = self->base->len;

  while (high - low > 1)
    {
      guint middle = (low + high) / 2;

      if ((const char *) self->base->pdata[middle] - self->base_text <= (gssize) byte)
        low = middle;
      else
        high = middle;
    }
  return low + 1;
}

/* 0: it was not read from the text. */
static guint
line_of_span (LsSourceLines *self,
              LsSpan         span)
{
  gpointer now = GUINT_TO_POINTER (span.start);

  if (span.source == 0 || span.source != self->source)
    return 0;
  if (self->moves != NULL && !g_hash_table_lookup_extended (self->moves, now, NULL, &now))
    return 0;
  return base_line (self, GPOINTER_TO_UINT (now));
}

static guint
depth_at (const char *line)
{
  guint spaces = (guint) strspn (line, " \t");

  return line[spaces] == '\n' || line[spaces] == '\0' ? G_MAXUINT : spaces;
}

/* ---- one printed line ------------------------------------------------------------ */

static void
add_line (LsStem *stem,
          guint   line)
{
  if (line == 0)
    return;
  for (guint i = 0; i < stem->n; i++)
    if (stem->lines[i] == line)
      return;
  if (stem->n < LS_STEMS_MOST)
    stem->lines[stem->n++] = line;
}

static void
find_loops (LsSourceLines *self)
{
  self->loops = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < ls_version_get_n (self->first); i++)
    {
      const LsEntity *entity = ls_version_at (self->first, i);

      if (entity->type == LS_ENTITY_LOOP && entity->n_families == 1)
        g_hash_table_insert (self->loops, GUINT_TO_POINTER (entity->families[0]),
                             GUINT_TO_POINTER (line_of_span (self, entity->node->span)));
    }
}

static void
add_families (LsSourceLines    *self,
              LsStem           *stem,
              const LsFamilies *families)
{
  for (guint i = 0; i < MIN (families->n, LS_FAMILIES_MAX); i++)
    add_line (stem, GPOINTER_TO_UINT (g_hash_table_lookup (self->loops, GUINT_TO_POINTER ((guint) families->family[i]))));
}

/* What each loop and block comes from. */
static void
find_origins (LsSourceLines *self)
{
  g_autoptr (LsLineage) lineage = ls_schedule_lineage (self->schedule, 0, ls_schedule_get_n_steps (self->schedule));

  self->origins = g_new0 (LsStem, ls_version_get_n (self->version) + 1);
  for (guint i = 0; i < lineage->links->len; i++)
    {
      const LsLineageLink *link = &g_array_index (lineage->links, LsLineageLink, i);

      if (link->after >= 0 && link->before >= 0)
        add_line (&self->origins[link->after], line_of_span (self, ls_version_at (self->first, link->before)->node->span));
    }
}

static void
add_lineage (LsSourceLines *self,
             LsStem        *stem,
             gint           at)
{
  if (self->origins == NULL)
    find_origins (self);
  for (guint i = 0; i < self->origins[at].n; i++)
    add_line (stem, self->origins[at].lines[i]);
}

static LsStem
own_stem (LsSourceLines      *self,
          const LsScriptLine *line)
{
  LsStem stem = { 0 };
  gint at = line->id > 0 && line->id <= G_MAXUINT ? ls_version_find_id (self->version, (guint) (line->id - 1)) : -1;

  add_line (&stem, line_of_span (self, (LsSpan) { line->source, line->source_byte, line->source_byte }));
  stem.how = stem.n > 0 ? LS_STEMS_EXACT : LS_STEMS_INSIDE;
  add_families (self, &stem, &line->families);
  if (stem.n == 0 && at >= 0)
    add_lineage (self, &stem, at);
  if (stem.how != LS_STEMS_EXACT && stem.n > 0)
    stem.how = LS_STEMS_LINEAGE;
  else if (stem.n == 0 && at >= 0)
    {
      stem.how = LS_STEMS_NOWHERE;
      stem.row = line->id;
    }
  return stem;
}

/* ---- all of them ---------------------------------------------------------------------- */

typedef struct {
  guint  depth;
  LsStem stem;
} Open;

/* Lines without a statement of their own take part in the one around them. */
static LsStem
inner_stem (GArray     *open,
            const char *line)
{
  const Open *around = open->len > 0 ? &g_array_index (open, Open, open->len - 1) : NULL;
  LsStem stem = { LS_STEMS_UNKNOWN };

  if (around == NULL || line[strspn (line, " ")] == '#')
    return stem;
  stem = around->stem;
  if (stem.how == LS_STEMS_EXACT || stem.how == LS_STEMS_LINEAGE)
    stem.how = LS_STEMS_INSIDE;
  return stem;
}

static void
find_stems (LsSourceLines *self)
{
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (Open));
  const char *at = ls_script_text_get_text (self->text);
  gboolean decorated = FALSE;

  self->stems = g_array_new (FALSE, FALSE, sizeof (LsStem));
  for (guint i = 0; i < ls_script_text_n_lines (self->text); i++)
    {
      guint depth = depth_at (at);
      LsStem stem = own_stem (self, ls_script_text_line (self->text, i));

      while (depth != G_MAXUINT && !decorated && open->len > 0 && g_array_index (open, Open, open->len - 1).depth >= depth)
        g_array_set_size (open, open->len - 1);
      if (stem.how == LS_STEMS_INSIDE)
        stem = inner_stem (open, at);
      else
        {
          Open one = { depth, stem };

          g_array_append_val (open, one);
        }
      g_array_append_val (self->stems, stem);
      /* The line of a def belongs to the decorator over it. */
      decorated = depth != G_MAXUINT && at[depth] == '@';
      at = strchr (at, '\n') != NULL ? strchr (at, '\n') + 1 : "";
    }
}

LsSourceLines *
ls_source_lines_new (LsHistory    *history,
                     guint         node,
                     LsScriptText *text,
                     const char   *base,
                     guint32       source,
                     GHashTable   *moves)
{
  LsSourceLines *self = g_new0 (LsSourceLines, 1);

  self->schedule = ls_history_get (history, node)->schedule;
  self->first = ls_version_ref (ls_schedule_get_version (self->schedule, 0));
  self->version = ls_version_ref (ls_schedule_get_version (self->schedule, ls_schedule_get_n_steps (self->schedule)));
  self->text = g_object_ref (text);
  self->source = source;
  self->moves = moves != NULL ? g_hash_table_ref (moves) : NULL;
  self->base_text = base;
  find_base_lines (self);
  find_loops (self);
  find_stems (self);
  return self;
}

void
ls_source_lines_free (LsSourceLines *self)
{
  g_hash_table_unref (self->loops);
  g_free (self->origins);
  ls_version_unref (self->first);
  ls_version_unref (self->version);
  g_object_unref (self->text);
  g_clear_pointer (&self->moves, g_hash_table_unref);
  g_ptr_array_unref (self->base);
  g_array_unref (self->stems);
  g_free (self);
}

LsScriptText *
ls_source_lines_get_text (LsSourceLines *self)
{
  return self->text;
}

const LsStem *
ls_source_lines_get (LsSourceLines *self,
                     guint          line)
{
  return line < self->stems->len ? &g_array_index (self->stems, LsStem, line) : NULL;
}

/* ---- back --------------------------------------------------------------------------------- */

/* The family of the loop that this line of the opened text opens, with this name if there is one; -1: none. */
static int
family_of_line (LsSourceLines *self,
                guint          line,
                const char    *word,
                gboolean      *named)
{
  int family = -1;

  for (guint i = 0; i < ls_version_get_n (self->first); i++)
    {
      const LsEntity *entity = ls_version_at (self->first, i);

      if (entity->type != LS_ENTITY_LOOP || entity->n_families != 1 || line_of_span (self, entity->node->span) != line)
        continue;
      if (word != NULL && strcmp (word, ls_entity_name (entity)) == 0)
        {
          *named = TRUE;
          return (int) entity->families[0];
        }
      if (family < 0)
        family = (int) entity->families[0];
    }
  return family;
}

static guint64
row_of_family (LsSourceLines *self,
               int            family)
{
  for (guint i = 0; family >= 0 && i < ls_version_get_n (self->version); i++)
    {
      const LsEntity *entity = ls_version_at (self->version, i);

      for (guint f = 0; entity->type == LS_ENTITY_LOOP && f < entity->n_families; f++)
        if (entity->families[f] == (guint) family)
          return LS_ROW_ID (entity);
    }
  return 0;
}

static gboolean
stems_from (const LsStem *stem,
            guint         line)
{
  for (guint i = 0; (stem->how == LS_STEMS_EXACT || stem->how == LS_STEMS_LINEAGE) && i < stem->n; i++)
    if (stem->lines[i] == line)
      return TRUE;
  return FALSE;
}

/* The line of the opened text that this one is inside of; 0: none. */
static guint
line_around (LsSourceLines *self,
             guint          line)
{
  guint depth = depth_at (self->base->pdata[line - 1]);

  while (--line > 0)
    if (depth_at (self->base->pdata[line - 1]) < depth)
      return line;
  return 0;
}

GArray *
ls_source_lines_find (LsSourceLines *self,
                      guint          line,
                      const char    *word,
                      guint64       *row,
                      int           *family)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (guint));
  gboolean named = FALSE;

  *row = 0;
  *family = -1;
  if (line == 0 || line > self->base->len)
    return found;
  for (; line > 0 && found->len == 0; line = line_around (self, line))
    {
      for (guint i = 0; i < self->stems->len; i++)
        if (stems_from (&g_array_index (self->stems, LsStem, i), line))
          {
            g_array_append_val (found, i);
            if (found->len == 1)
              *row = ls_code_id_at (self->text, i + 1);
          }
      *family = found->len > 0 ? family_of_line (self, line, word, &named) : -1;
    }
  for (guint i = found->len; named && i-- > 0;)         /* one loop of several in the line */
    if (!ls_families_contains (&ls_script_text_line (self->text, g_array_index (found, guint, i))->families, (guint) *family))
      g_array_remove_index (found, i);
  if (*family >= 0 && row_of_family (self, *family) != 0)
    *row = row_of_family (self, *family);
  return found;
}
