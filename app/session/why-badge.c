/* session/why-badge: see the header. */
#include "app/session/why-badge.h"

#include "app/session/code-rows.h"
#include "views/models/format.h"

#include <glib/gi18n.h>

/* ---- which row ----------------------------------------------------------------- */

static gboolean
goes_round (LsLoopItem *item)
{
  LsLoopKind kind = ls_loop_item_get (item)->kind;

  return kind == LS_LOOP_SERIAL || kind == LS_LOOP_PARALLEL;
}

static gboolean
is_nest (LsLoopItem *item)
{
  LsLoopKind kind = ls_loop_item_get (item)->kind;

  return kind != LS_LOOP_BLOCK && kind != LS_LOOP_FUNCTION;
}

/* The row `id` below `rows`; *round gets the innermost loop on the way to it that goes round in machine code, itself too. Borrowed. */
static LsLoopItem *
find (GListModel  *rows,
      guint64      id,
      LsLoopItem **round)
{
  for (guint i = 0; rows != NULL && i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (LsLoopItem) item = g_list_model_get_item (rows, i);
      LsLoopItem *before = *round, *found;

      if (goes_round (item))
        *round = item;
      found = ls_loop_item_get (item)->id == id ? item : find (ls_loop_item_get_children (item), id, round);
      if (found != NULL)
        return found;
      *round = before;
    }
  return NULL;
}

/* A line such as T.grid opens several loops: the innermost one of those that stand alone in each other. */
static LsLoopItem *
innermost (LsLoopItem *item,
           LsLoopItem *round)
{
  for (;;)
    {
      GListModel *children = is_nest (item) ? ls_loop_item_get_children (item) : NULL;
      g_autoptr (LsLoopItem) child = children != NULL && g_list_model_get_n_items (children) == 1 ? g_list_model_get_item (children, 0) : NULL;

      if (child == NULL || !is_nest (child))
        return round;
      if (goes_round (child))
        round = child;
      item = child;
    }
}

static void
clear (GListModel *rows)
{
  for (guint i = 0; rows != NULL && i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (LsLoopItem) item = g_list_model_get_item (rows, i);

      ls_loop_item_set_code (item, NULL, NULL);
      clear (ls_loop_item_get_children (item));
    }
}

/* ---- its words -------------------------------------------------------------------- */

static void
add (GString *text,
     char    *words)
{
  g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", words);
  g_free (words);
}

static char *
badge_of (const LsInnerLoop *loop,
          const LsMca       *mca,
          double             share)
{
  GString *text = g_string_new (NULL);
  guint lanes = loop->bits > 64 ? loop->bits / 32 : 1;

  if (mca != NULL)
    add (text, g_strdup_printf (_("%.3g cycles"), mca->cycles));
  if (loop->arithmetic > 0)
    /* Translators: so many numbers of 32 bits does an instruction compute with */
    add (text, g_strdup_printf (ngettext ("%u lane", "%u lanes", lanes), lanes));
  if (loop->arithmetic > 1)
    /* Translators: so many instructions of arithmetic stand in a round of the loop, for it was unrolled */
    add (text, g_strdup_printf (_("unrolled × %u"), loop->arithmetic));
  if (loop->spills > 0)
    add (text, g_strdup_printf (ngettext ("%u spill", "%u spills", loop->spills), loop->spills));
  if (share >= 0.0)
    add (text, ls_format_share (share));
  if (text->len == 0)
    add (text, g_strdup_printf (ngettext ("%u instruction", "%u instructions", loop->n), loop->n));
  return g_string_free (text, FALSE);
}

static char *
words_of (const LsInnerLoop *loop,
          double             share)
{
  g_autofree char *round = g_strdup_printf (ngettext ("Machine code: a round has %u instruction", "Machine code: a round has %u instructions", loop->n), loop->n);
  g_autofree char *spilled = loop->spills > 0 ? g_strdup_printf (ngettext ("%u of them goes to the stack, since there are too few registers", "%u of them go to the stack, since there are too few registers",
                                                                           loop->spills), loop->spills) : g_strdup (_("none goes to the stack"));
  g_autofree char *reached = share >= 0.0 ? ls_format_share (share) : NULL;

  return reached != NULL ? g_strdup_printf (_("%s, %s; the step reaches %s of its roof. A click shows the code."), round, spilled, reached)
                         : g_strdup_printf (_("%s, %s. A click shows the code."), round, spilled);
}

void
ls_why_badge_show (LsSession         *session,
                   const LsInnerLoop *loop,
                   const LsMca       *mca,
                   double             share)
{
  GListModel *rows = ls_session_get_loops (session);
  LsScriptText *text = ls_session_get_script (session);
  guint64 id = loop != NULL && text != NULL && loop->line > 0 ? ls_code_id_at (text, loop->line) : 0;
  LsLoopItem *round = NULL, *found = id != 0 ? find (rows, id, &round) : NULL;
  g_autofree char *badge = NULL, *words = NULL;

  if (found != NULL)
    round = innermost (found, round);
  if (round == NULL)
    {
      clear (rows);
      return;
    }
  badge = badge_of (loop, mca, share);
  words = words_of (loop, share);
  if (g_strcmp0 (ls_loop_item_get_code (round), badge) != 0)
    clear (rows);
  ls_loop_item_set_code (round, badge, words);
}
