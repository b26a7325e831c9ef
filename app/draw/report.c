/* report: what the window shows, as text. */
#include "app/draw/draw.h"

#include "app/session/module.h"
#include "app/session/step-words.h"
#include "views/figures/times.h"
#include "views/models/format.h"

#include <glib/gi18n.h>
#include <stdio.h>

/* printf() counts bytes; this counts letters. */
static void
put_padded (const char *text,
            glong       width,
            gboolean    right)
{
  glong room = MAX (width - g_utf8_strlen (text, -1), 0);

  printf ("%*s%s%*s", right ? (int) room : 0, "", text, right ? 0 : (int) room, "");
}

/* ---- history --------------------------------------------------------------- */

static char *
time_words (const LsStepRecord *record)
{
  const LsStepTime *timing = &record->timing;

  if (record->state == LS_STEP_FAILED)
    return g_strdup (_("stops here"));
  if (timing->samples == 0)
    return g_strdup (_("not measured"));
  return ls_format_time_spread (timing->median, (timing->q3 - timing->q1) / 2.0);
}

static char *
speedup_words (const LsStepRecord *record)
{
  if (record->speedup <= 0.0)
    return NULL;
  return record->no_difference ? ls_format_factor (record->speedup) : ls_format_speedup (record->speedup);
}

static void
put_step (LsHistory  *history,
          LsStepItem *item)
{
  const LsStepRecord *record = ls_step_item_get (item);
  g_autofree char *tag = ls_step_item_tag (item);
  g_autofree char *words = ls_step_words (history, record->id);
  g_autofree char *time = time_words (record);
  g_autofree char *speedup = speedup_words (record);

  put_padded (tag, 4, TRUE);
  fputs ("  ", stdout);
  put_padded (record->call, 38, FALSE);
  put_padded (time, 20, TRUE);
  if (speedup != NULL)
    printf ("   %s", speedup);
  if (record->no_difference)
    printf ("  %s", _("no real difference"));
  putchar ('\n');
  if (words != NULL)
    printf ("      %s\n", words);
  if (record->reason != NULL)
    printf ("      %s\n", record->reason);
}

static void
put_history (LsSession *session,
             LsHistory *history)
{
  GListModel *rows = ls_session_get_history (session);
  const char *conditions = ls_session_get_conditions (session);
  g_autofree char *verdict = ls_figure_times_verdict (ls_session_get_path (session));

  printf ("%s\n", _("History"));
  for (guint i = 0; i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (LsStepItem) item = g_list_model_get_item (rows, i);

      put_step (history, item);
    }
  printf ("\n  %s\n", verdict);
  if (conditions != NULL)
    printf ("  %s\n", conditions);
  if (ls_session_get_time_error (session) != NULL)
    printf ("  %s\n", ls_session_get_time_error (session));
  putchar ('\n');
}

/* ---- loop nest ------------------------------------------------------------- */

static char *
letters (const LsLoopRecord *record)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < ls_families_shown (&record->families); i++)
    {
      g_autofree char *letter = ls_family_letter (record->families.family[i]);

      g_string_append (text, letter);
    }
  return g_string_free (text, FALSE);
}

static char *
name_words (const LsLoopRecord *record)
{
  const char *kind = ls_loop_kind_word (record->kind);

  if (record->kind == LS_LOOP_BLOCK || record->kind == LS_LOOP_FUNCTION)
    return g_strdup_printf (record->kind == LS_LOOP_BLOCK ? _("block %s") : "%s", record->name);
  return g_strconcat (record->name, ls_loop_kind_letter (record->kind) != NULL ? ", " : "",
                      ls_loop_kind_letter (record->kind) != NULL ? kind : "",
                      record->reduction ? ", " : "", record->reduction ? _("reduction") : "", NULL);
}

static void
put_row (LsLoopItem *item,
         guint       depth)
{
  const LsLoopRecord *record = ls_loop_item_get (item);
  GListModel *children = ls_loop_item_get_children (item);
  g_autofree char *marks = letters (record);
  g_autofree char *name = name_words (record);
  g_autofree char *extent = record->extent >= 0 ? ls_format_count (record->extent)
                            : g_strdup (record->extent_text != NULL ? record->extent_text : "");
  g_autofree char *share = record->share >= 0.0 ? ls_format_share (record->share) : g_strdup ("");

  put_padded (marks, 4, TRUE);
  printf ("  %*s", (int) (2 * depth), "");
  put_padded (name, 34 - 2 * (glong) depth, FALSE);
  put_padded (extent, 9, TRUE);
  put_padded (share, 10, TRUE);
  printf ("  %s\n", record->origin != NULL ? record->origin : "");
  for (guint i = 0; children != NULL && i < g_list_model_get_n_items (children); i++)
    {
      g_autoptr (LsLoopItem) child = g_list_model_get_item (children, i);

      put_row (child, depth + 1);
    }
}

static void
put_nest (LsHistory  *history,
          guint       id,
          const char *title)
{
  double flop;
  g_autoptr (GPtrArray) roots = ls_session_build_loops (history, id, &flop);

  put_padded (title, 40, FALSE);
  put_padded (_("extent"), 9, TRUE);
  put_padded (_("flop"), 10, TRUE);
  putchar ('\n');
  for (guint i = 0; i < roots->len; i++)
    put_row (g_ptr_array_index (roots, i), 0);
  putchar ('\n');
}

/* ---- the whole ------------------------------------------------------------- */

void
ls_draw_report (LsSession *session,
                LsHistory *history)
{
  const LsStepRecord *current = ls_step_item_get (ls_session_get_current (session));
  g_autofree char *after = g_strdup_printf (_("Loop nest after step %u"), current->number);
  g_autofree char *program = g_strdup_printf (_("Program after step %u"), current->number);

  printf ("%s · %s\n\n", ls_session_get_title (session), ls_session_get_place (session));
  put_history (session, history);
  put_nest (history, 0, _("Loop nest as opened"));
  if (current->id != 0)
    put_nest (history, current->id, after);
  printf ("%s\n\n%s\n", program, ls_script_text_get_text (ls_session_get_script (session)));
}
