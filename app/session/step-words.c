/* session/step-words: one clause for each kind of change, in the order in which people tell it: cut and joined loops, what moved,
 * what is new, what got another kind, what is gone.  Buffers are told only when they are new or gone. */
#include "app/session/step-words.h"

#include "app/session/module.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct {
  LsLineage *lineage;
  GPtrArray *clauses;
} Tale;

static const LsEntity *
before_at (Tale                *tale,
           const LsLineageLink *link)
{
  return ls_version_at (tale->lineage->before, link->before);
}

static const LsEntity *
after_at (Tale                *tale,
          const LsLineageLink *link)
{
  return ls_version_at (tale->lineage->after, link->after);
}

/* "a", "a and b", "a, b and c" */
static char *
join (GPtrArray *names)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < names->len; i++)
    {
      if (i > 0)
        /* Translators: between names: a, b and c */
        g_string_append (text, i + 1 == names->len ? _(" and ") : _(", "));
      g_string_append (text, g_ptr_array_index (names, i));
    }
  return g_string_free (text, FALSE);
}

static void
add_unique (GPtrArray  *names,
            const char *name)
{
  if (!g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
    g_ptr_array_add (names, (gpointer) name);
}

G_GNUC_PRINTF (2, 3)
static void
tell (Tale       *tale,
      const char *format,
      ...)
{
  va_list args;

  va_start (args, format);
  g_ptr_array_add (tale->clauses, g_strdup_vprintf (format, args));
  va_end (args);
}

static const LsLineageLink *
link_at (Tale  *tale,
         guint  i)
{
  return &g_array_index (tale->lineage->links, LsLineageLink, i);
}

/* The links of kind `how` that share an end with link `i`; empty when an earlier one already does. */
static GPtrArray *
partners (Tale         *tale,
          guint         i,
          LsLineageHow  how,
          gboolean      same_before)
{
  GPtrArray *names = g_ptr_array_new ();
  const LsLineageLink *first = link_at (tale, i);

  for (guint k = 0; k < tale->lineage->links->len; k++)
    {
      const LsLineageLink *link = link_at (tale, k);

      if (link->how != how ||
          (same_before ? link->before != first->before : link->after != first->after))
        continue;
      if (k < i)
        break;
      g_ptr_array_add (names, (gpointer) ls_entity_name (same_before ? after_at (tale, link)
                                                              : before_at (tale, link)));
    }
  return names;
}

static void
tell_cuts (Tale *tale)
{
  for (guint i = 0; i < tale->lineage->links->len; i++)
    {
      const LsLineageLink *link = link_at (tale, i);
      gboolean split = link->how == LS_LINEAGE_SPLIT;
      g_autoptr (GPtrArray) names = NULL;
      g_autofree char *list = NULL;

      if (!split && link->how != LS_LINEAGE_FUSED)
        continue;
      names = partners (tale, i, link->how, split);
      list = join (names);
      if (names->len > 0 && split)
        tell (tale, _("%s becomes %s"), ls_entity_name (before_at (tale, link)), list);
      else if (names->len > 0 && after_at (tale, link)->type == LS_ENTITY_BLOCK)
        tell (tale, ngettext ("block %s is computed in %s", "blocks %s are computed in %s", names->len), list,
              ls_entity_name (after_at (tale, link)));
      else if (names->len > 0)
        tell (tale, ngettext ("%s becomes %s", "%s become %s", names->len), list, ls_entity_name (after_at (tale, link)));
    }
}

static gboolean
is_around (LsVersion      *version,
           const LsEntity *entity,
           gint            outer)
{
  gint up = entity->parent;

  while (up >= 0 && up != outer)
    up = ls_version_at (version, up)->parent;
  return up >= 0;
}

/* Was what is now entity `outer` already around `entity`? */
static gboolean
came_along (Tale           *tale,
            const LsEntity *entity,
            gint            outer)
{
  for (guint i = 0; i < tale->lineage->links->len; i++)
    {
      const LsLineageLink *link = link_at (tale, i);

      if (link->after == outer && link->before >= 0 &&
          is_around (tale->lineage->before, entity, link->before))
        return TRUE;
    }
  return FALSE;
}

/* The innermost loop that is around the block now and was not before: not the loops that came along. */
static const char *
name_around (Tale           *tale,
             const LsEntity *before,
             const LsEntity *after)
{
  LsVersion *version = tale->lineage->after;

  for (gint up = after->parent; up >= 0; up = ls_version_at (version, up)->parent)
    {
      const LsEntity *outer = ls_version_at (version, up);

      if (outer->type == LS_ENTITY_LOOP && !came_along (tale, before, up))
        return ls_entity_name (outer);
    }
  return NULL;
}

static void
tell_moves (Tale *tale)
{
  for (guint i = 0; i < tale->lineage->links->len; i++)
    {
      const LsLineageLink *link = link_at (tale, i);
      const LsEntity *after;
      const char *around;

      if (link->how != LS_LINEAGE_MOVED || after_at (tale, link)->type == LS_ENTITY_BUFFER)
        continue;
      after = after_at (tale, link);
      around = name_around (tale, before_at (tale, link), after);
      if (after->type == LS_ENTITY_LOOP && before_at (tale, link)->depth > after->depth)
        tell (tale, _("%s moves out"), ls_entity_name (after));
      else if (after->type == LS_ENTITY_LOOP && before_at (tale, link)->depth < after->depth)
        tell (tale, _("%s moves in"), ls_entity_name (after));
      else if (after->type == LS_ENTITY_BLOCK && around != NULL)
        tell (tale, _("block %s moves into %s"), ls_entity_name (after), around);
      else if (after->type == LS_ENTITY_BLOCK)
        tell (tale, _("block %s moves"), ls_entity_name (after));
      else
        tell (tale, _("%s moves"), ls_entity_name (after));
    }
}

static const char *
kind_word (const LsEntity *entity)
{
  switch ((LsForKind) ((LsFor *) entity->node)->kind)
    {
    case LS_FOR_SERIAL:
      return _("serial");
    case LS_FOR_PARALLEL:
      return _("parallel");
    case LS_FOR_VECTORIZED:
      return _("vectorized");
    case LS_FOR_UNROLLED:
      return _("unrolled");
    case LS_FOR_THREAD_BINDING:
      return _("bound to a thread");
    }

  return NULL;
}

static void
tell_change (Tale                *tale,
             const LsLineageLink *link)
{
  const LsEntity *before = before_at (tale, link), *after = after_at (tale, link);
  gboolean renamed = strcmp (ls_entity_name (before), ls_entity_name (after)) != 0;

  if (after->type == LS_ENTITY_LOOP &&
      ((LsFor *) before->node)->kind != ((LsFor *) after->node)->kind)
    tell (tale, _("%s is now %s"), ls_entity_name (after), kind_word (after));
  else if (renamed && after->type == LS_ENTITY_BLOCK)
    tell (tale, _("block %s is now %s"), ls_entity_name (before), ls_entity_name (after));
  else if (renamed && after->type == LS_ENTITY_BUFFER)
    tell (tale, _("buffer %s is now %s"), ls_entity_name (before), ls_entity_name (after));
  else if (renamed)
    tell (tale, _("%s is now %s"), ls_entity_name (before), ls_entity_name (after));
  else if (after->type == LS_ENTITY_LOOP &&
           !ls_deep_equal (((LsFor *) before->node)->annotations, ((LsFor *) after->node)->annotations))
    tell (tale, _("%s has other annotations"), ls_entity_name (after));
  else if (after->type == LS_ENTITY_BLOCK &&
           !ls_deep_equal (((LsBlock *) before->node)->annotations, ((LsBlock *) after->node)->annotations))
    tell (tale, _("block %s has other annotations"), ls_entity_name (after));
  else if (after->type == LS_ENTITY_BUFFER)
    tell (tale, _("buffer %s is stored in another way"), ls_entity_name (after));
}

static void
tell_changes (Tale *tale)
{
  for (guint i = 0; i < tale->lineage->links->len; i++)
    if (link_at (tale, i)->how == LS_LINEAGE_CHANGED)
      tell_change (tale, link_at (tale, i));
}

static void
tell_new (Tale *tale)
{
  for (guint i = 0; i < tale->lineage->links->len; i++)
    {
      const LsLineageLink *link = link_at (tale, i);
      const char *name = link->after >= 0 ? ls_entity_name (after_at (tale, link)) : NULL;

      if (link->how == LS_LINEAGE_COPIED && after_at (tale, link)->type == LS_ENTITY_BLOCK)
        tell (tale, _("block %s is new, from %s"), name, ls_entity_name (before_at (tale, link)));
      else if (link->how == LS_LINEAGE_COPIED && after_at (tale, link)->type == LS_ENTITY_LOOP)
        tell (tale, _("%s is new, like %s"), name, ls_entity_name (before_at (tale, link)));
      else if (link->how == LS_LINEAGE_CREATED && after_at (tale, link)->type == LS_ENTITY_BLOCK)
        tell (tale, _("block %s is new"), name);
      else if (link->how == LS_LINEAGE_CREATED && after_at (tale, link)->type == LS_ENTITY_BUFFER)
        tell (tale, _("buffer %s is new"), name);
    }
}

static char *
list_of (Tale         *tale,
         LsLineageHow  how,
         LsEntityType  type)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < tale->lineage->links->len; i++)
    {
      const LsLineageLink *link = link_at (tale, i);
      const LsEntity *entity;

      if (link->how != how)
        continue;
      entity = how == LS_LINEAGE_REMOVED ? before_at (tale, link) : after_at (tale, link);
      if (entity->type == type)
        add_unique (names, ls_entity_name (entity));
    }
  return names->len > 0 ? join (names) : NULL;
}

static void
tell_rest (Tale *tale)
{
  g_autofree char *fresh = list_of (tale, LS_LINEAGE_CREATED, LS_ENTITY_LOOP);
  g_autofree char *loops = list_of (tale, LS_LINEAGE_REMOVED, LS_ENTITY_LOOP);
  g_autofree char *blocks = list_of (tale, LS_LINEAGE_REMOVED, LS_ENTITY_BLOCK);
  g_autofree char *buffers = list_of (tale, LS_LINEAGE_REMOVED, LS_ENTITY_BUFFER);

  if (fresh != NULL)
    tell (tale, _("new: %s"), fresh);
  if (blocks != NULL)
    tell (tale, _("block %s is gone"), blocks);
  if (loops != NULL)
    tell (tale, _("gone: %s"), loops);
  if (buffers != NULL)
    tell (tale, _("buffer %s is gone"), buffers);
}

static LsLineage *
lineage_between (LsHistory *history,
                 guint      from,
                 guint      to)
{
  return ls_schedule_lineage (ls_history_get (history, to)->schedule,
                              ls_schedule_get_n_steps (ls_history_get (history, from)->schedule),
                              ls_schedule_get_n_steps (ls_history_get (history, to)->schedule));
}

char *
ls_step_words (LsHistory *history,
               guint      id)
{
  LsHistoryNode *node = ls_history_get (history, id);
  g_autoptr (LsLineage) lineage = NULL;
  g_autoptr (GPtrArray) clauses = g_ptr_array_new_with_free_func (g_free);
  Tale tale = { .clauses = clauses };

  if (node->number == 0 || !LS_HISTORY_DONE (node))
    return NULL;
  tale.lineage = lineage = lineage_between (history, node->parent, id);
  tell_cuts (&tale);
  tell_moves (&tale);
  tell_new (&tale);
  tell_changes (&tale);
  tell_rest (&tale);
  if (clauses->len == 0)
    return NULL;
  g_ptr_array_add (clauses, NULL);
  return g_strjoinv ("; ", (char **) clauses->pdata);
}

GStrv
ls_step_words_of (LsHistory  *history,
                  GListModel *rows)
{
  GStrvBuilder *words = g_strv_builder_new ();
  GStrv out;

  for (guint i = 0; i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (LsStepItem) item = g_list_model_get_item (rows, i);
      g_autofree char *text = ls_step_words (history, ls_step_item_get (item)->id);

      g_strv_builder_add (words, text != NULL ? text : "");
    }
  out = g_strv_builder_end (words);
  g_strv_builder_unref (words);
  return out;
}

GArray *
ls_step_links (LsHistory *history,
               guint      from,
               guint      to)
{
  g_autoptr (LsLineage) lineage = lineage_between (history, from, to);
  GArray *links = g_array_new (FALSE, FALSE, sizeof (LsNestLink));

  for (guint i = 0; i < lineage->links->len; i++)
    {
      const LsLineageLink *link = &g_array_index (lineage->links, LsLineageLink, i);
      LsNestLink pair;

      if (link->before < 0 || link->after < 0)
        continue;
      pair.before = LS_ROW_ID (ls_version_at (lineage->before, link->before));
      pair.after = LS_ROW_ID (ls_version_at (lineage->after, link->after));
      pair.copy = link->how == LS_LINEAGE_COPIED;
      g_array_append_val (links, pair);
    }
  return links;
}
