/* report/page: text is escaped where it is put in; the pictures are those of the exporter.  All of it is made in whatever thread asks. */
#include "app/report/page.h"

#include "app/page/page.h"
#include "app/session/compare.h"
#include "app/session/module.h"
#include "app/session/step-words.h"
#include "views/canvas/draw-roofline.h"
#include "views/canvas/draw-samples.h"
#include "views/figures/history.h"
#include "views/figures/nests.h"
#include "views/figures/times.h"
#include "views/models/format.h"
#include "views/models/script-tokens.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct {
  const LsReported *of;
  LsHistory    *history;        /* of that */
  guint         current;
  LsPage       *page;
  LsPageSteps  *steps;          /* while they are put */
  LsComparison *whole;          /* as opened, and the current step */
  guint         pictures;       /* so far */
  guint         part;           /* the next to be put */
  guint         step;           /* the next of the rows */
  guint         piece;          /* of the picture that is put */
  LsFigure      figure;         /* drawn and not yet written */
} Report;

/* A piece of the page; it is put again as long as it gives TRUE. */
typedef gboolean (*PartFunc) (Report *self);

typedef void (*DrawFunc) (Report   *self,
                          LsFigure *figure);

static const char style[] =
  "main{max-width:68rem}header+main{padding-top:1rem}main>.verdict{font-size:1.25rem}h1{letter-spacing:-.01em}"
  "figure{margin:14px 0;overflow-x:auto;border:1px solid var(--soft);border-radius:8px;width:fit-content;max-width:100%}"
  "figure svg{display:block;max-width:100%;min-width:560px;height:auto}figure figcaption{padding:.2rem .5rem}.grids figure{border:0}"
  ".dark{display:none}@media screen and (prefers-color-scheme:dark){.dark{display:block}.light{display:none}}"
  "section.step{border:1px solid var(--soft);border-radius:8px;padding:14px 18px;margin:12px 0}section.step h3{font:600 15px/1.4 ui-monospace,monospace;margin:0}"
  "section.failed{border-color:var(--bad)}.failed .why{color:var(--bad)}.figures{float:right;color:var(--dim)}"
  "table.loops{width:100%}.loops td,.loops th{text-align:right;white-space:nowrap}.loops td:first-child,.loops th:first-child,.loops td:nth-child(2){text-align:left}"
  ".loops th{font-weight:600;font-size:13px;color:var(--dim)}.loops td:nth-child(2){width:100%;color:var(--dim)}"
  ".loops td.name{font-family:ui-monospace,monospace}.loops tr:hover td{background:var(--window)}"
  "nav{display:flex;flex-wrap:wrap;gap:8px}nav a{padding:4px 12px;border:1px solid var(--border);border-radius:6px;"
  "background:var(--view);color:var(--text);text-decoration:none}nav a:hover,nav a:focus{border-color:var(--accent);color:var(--accent)}"
  "@media(max-width:44rem){.figures{float:none;display:block}}"
  "@media print{nav,details:not([open]){display:none}figure,section.step,tr{break-inside:avoid}h2,h3{break-after:avoid}figure svg{min-width:0}"
  "pre span.l{white-space:pre-wrap;min-width:0}}";

static void
put (Report     *self,
     const char *text)
{
  ls_page_put_text (self->page, text);
}

static void
put_html (Report     *self,
          const char *html)
{
  ls_page_put_html (self->page, html);
}

/* cairo gives the parts of each picture the same ids; on one page they must differ. */
static char *
with_own_ids (const char *svg,
              guint       number)
{
  static const char *const before[] = { "id=\"", "href=\"#", "url(#" };
  GString *text = g_string_sized_new (strlen (svg) + strlen (svg) / 8);
  const char *from = svg;

  for (const char *at = svg; *at != '\0'; at++)
    for (guint i = 0; i < G_N_ELEMENTS (before); i++)
      if (*at == *before[i] && g_str_has_prefix (at, before[i]))
        {
          const char *end = at + strlen (before[i]);

          g_string_append_len (text, from, end - from);
          g_string_append_printf (text, "p%u-", number);
          from = end;
        }
  g_string_append (text, from);
  return g_string_free (text, FALSE);
}

/* ---- pictures ---------------------------------------------------------------- */

static void
write_figure (Report *self,
              guint   dark)
{
  g_autofree char *drawn = ls_figure_svg (&self->figure);
  g_autofree char *svg = drawn != NULL ? with_own_ids (drawn, self->pictures++) : NULL;

  ls_figure_clear (&self->figure);
  put_html (self, dark ? "<div class=\"dark\">" : "<div class=\"light\">");
  put_html (self, svg != NULL ? svg : "");
  put_html (self, "</div>");
}

/* The light one is drawn, written, and then the dark one, each in a piece of its own; TRUE: there is more to do. */
static gboolean
put_picture (Report     *self,
             const char *words,
             DrawFunc    draw)
{
  guint dark = self->piece / 2;

  if (self->piece == 0)
    ls_page_put_format (self->page, "<figure role=\"img\" aria-label=\"%s\">", words);
  if (self->piece % 2 == 0)
    {
      ls_figure_begin (&self->figure, dark == 1);
      draw (self, &self->figure);
    }
  else
    write_figure (self, dark);
  self->piece = (self->piece + 1) % 4;
  if (self->piece == 0)
    put_html (self, "</figure>\n");
  return self->piece != 0;
}

static void
draw_history (Report   *self,
              LsFigure *figure)
{
  GListModel *rows = G_LIST_MODEL (self->of->rows);
  g_auto (GStrv) words = ls_step_words_of (self->history, rows);

  ls_figure_history (figure, rows, (const char *const *) words, self->of->title, self->of->place);
}

static void
draw_times (Report   *self,
            LsFigure *figure)
{
  ls_figure_times (figure, G_LIST_MODEL (self->of->path), self->of->conditions);
}

static void
draw_roofline (Report   *self,
               LsFigure *figure)
{
  if (self->of->roofline != NULL)
    ls_figure_roofline (figure, self->of->roofline);
}

static void
draw_loops (Report   *self,
            LsFigure *figure)
{
  ls_figure_ribbons (figure, 1040.0f, self->whole->left.loops, self->whole->right.loops, self->whole->links,
                     self->whole->labels, self->whole->left.title, self->whole->right.title);
}

static void
draw_samples (Report   *self,
              LsFigure *figure)
{
  figure->width = 720.0f;
  figure->height = ls_samples_height (LS_SAMPLES_ROW) + 16.0f;
  ls_draw_samples (figure, self->whole, 20.0f, 8.0f, 680.0f, LS_SAMPLES_ROW);
}

/* ---- code -------------------------------------------------------------------- */

/* One line with its keywords, strings and comments. */
static void
put_code (Report     *self,
          const char *line)
{
  static const char *const spans[] = { [LS_TOKEN_KEYWORD] = "<span class=\"k\">", [LS_TOKEN_STRING] = "<span class=\"s\">",
                                       [LS_TOKEN_COMMENT] = "<span class=\"c\">" };
  g_autoptr (GArray) tokens = ls_script_tokens (line);
  guint at = 0, n = (guint) g_utf8_strlen (line, -1);

  for (guint i = 0; i < tokens->len; i++)
    {
      const LsToken *token = &g_array_index (tokens, LsToken, i);
      guint end = MIN (token->end, n);
      g_autofree char *plain = g_utf8_substring (line, at, MIN (token->start, n));
      g_autofree char *text = g_utf8_substring (line, MIN (token->start, n), end);

      put (self, plain);
      put_html (self, spans[token->kind]);
      put (self, text);
      put_html (self, "</span>");
      at = end;
    }
  put (self, g_utf8_offset_to_pointer (line, at));
}

static void
put_lines (Report       *self,
           LsScriptText *text,
           const char   *label,
           gboolean      marks)
{
  g_auto (GStrv) lines = g_strsplit (ls_script_text_get_text (text), "\n", -1);

  ls_page_put_format (self->page, "<pre tabindex=\"0\" aria-label=\"%s\">", label);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      LsLineChange change = i < ls_script_text_n_lines (text) ? ls_script_text_line (text, i)->change : LS_LINE_SAME;
      const char *mark = change == LS_LINE_NEW ? "+ " : change == LS_LINE_GONE ? "− " : change == LS_LINE_MOVED ? "→ " : "  ";

      put_html (self, !marks ? "<span class=\"l\">" : change == LS_LINE_NEW ? "<span class=\"l n\"><i>"
                              : change == LS_LINE_GONE ? "<span class=\"l g\"><i>" : "<span class=\"l\"><i>");
      if (marks)
        {
          put (self, mark);
          put_html (self, "</i>");
        }
      put_code (self, lines[i]);
      put_html (self, "</span>");
    }
  put_html (self, "</pre>\n");
}

static void
put_plain (Report     *self,
           const char *text,
           const char *label)
{
  g_autoptr (LsScriptText) lines = ls_script_text_new (text);

  put_lines (self, lines, label, FALSE);
}

/* ---- steps ------------------------------------------------------------------- */

static void
put_figures (Report             *self,
             const LsStepRecord *record)
{
  g_autofree char *time = NULL, *factor = NULL;

  if (record->timing.samples == 0 || record->state != LS_STEP_MEASURED)
    return;
  time = ls_format_time_spread (record->timing.median, (record->timing.q3 - record->timing.q1) / 2.0);
  factor = record->speedup > 0.0 ? ls_format_factor (record->speedup) : g_strdup ("");
  ls_page_put_format (self->page, "<span class=\"figures\" title=\"%s\">%s · %s%s</span>",
              record->conditions != NULL ? record->conditions : "", time, factor,
              record->no_difference ? _(" · no real difference") : "");
}

static void
put_step (Report     *self,
          LsStepItem *item)
{
  const LsStepRecord *record = ls_step_item_get (item);
  LsHistoryNode *node = ls_history_get (self->history, record->id);
  g_autofree char *tag = ls_step_item_tag (item);
  g_autofree char *words = ls_step_words (self->history, record->id);
  g_autoptr (LsComparison) comparison = NULL;
  g_autoptr (LsScriptText) column = NULL;

  ls_page_put_format (self->page, "<section class=\"step%s\" id=\"step-%u\">", record->reason != NULL ? " failed" : "", record->id);
  put_figures (self, record);
  ls_page_put_format (self->page, "<h3>%s  %s</h3>", tag, record->call);
  if (words != NULL)
    ls_page_put_format (self->page, "<p>%s</p>", words);
  if (record->reason != NULL)
    ls_page_put_format (self->page, "<p class=\"why\">%s</p>", record->reason);
  if (node->unreached)
    ls_page_put_format (self->page, "<p class=\"dim\">%s</p>", _("not reached"));
  if (node->warning != NULL)
    ls_page_put_format (self->page, "<p class=\"dim\">%s</p>", node->warning);
  if (record->id != 0 && LS_HISTORY_DONE (node))
    {
      comparison = ls_session_compare (self->history, node->parent, self->history, node->id, NULL);
      column = ls_comparison_one_column (comparison);
      ls_page_put_format (self->page, "<details><summary>%s</summary>", _("What changed in the text"));
      put_lines (self, column, _("What changed in the text"), TRUE);
      put_html (self, "</details>");
    }
  put_html (self, "</section>\n");
}

/* One step at a time. */
static gboolean
put_steps (Report *self)
{
  g_autoptr (LsStepItem) item = NULL;

  if (self->step == 0)
    ls_page_put_format (self->page, "<h2 id=\"steps\">%s</h2>\n", _("Steps"));
  item = g_list_model_get_item (G_LIST_MODEL (self->of->rows), self->step++);
  if (item != NULL)
    put_step (self, item);
  return self->step < g_list_model_get_n_items (G_LIST_MODEL (self->of->rows));
}

/* ---- loop nest as a table ----------------------------------------------------- */

static void
put_loop (Report     *self,
          LsLoopItem *item,
          guint       depth)
{
  const LsLoopRecord *record = ls_loop_item_get (item);
  GListModel *children = ls_loop_item_get_children (item);
  g_autofree char *families = ls_families_describe (&record->families);
  g_autofree char *extent = record->extent >= 0 ? ls_format_count (record->extent)
                                                : g_strdup (record->extent_text != NULL ? record->extent_text : "");
  g_autofree char *runs = record->runs >= 0 ? ls_format_count (record->runs) : g_strdup ("");
  g_autofree char *share = record->share >= 0.0 ? ls_format_share (record->share) : g_strdup ("");

  ls_page_put_format (self->page, "<tr><td class=\"name\" style=\"padding-left:%uem\">%s</td><td class=\"dim\">%s%s%s</td><td>%s</td><td>%s</td><td>%s</td></tr>\n",
              1 + depth, record->name, record->origin != NULL ? record->origin : "",
              record->origin != NULL && families != NULL ? " · " : "", families != NULL ? families : "", extent, runs, share);
  for (guint i = 0; children != NULL && i < g_list_model_get_n_items (children); i++)
    {
      g_autoptr (LsLoopItem) child = g_list_model_get_item (children, i);

      put_loop (self, child, depth + 1);
    }
}

static gboolean
put_nest (Report *self)
{
  ls_page_put_format (self->page, "<table class=\"loops\"><tr><th>%s</th><th></th><th>%s</th><th>%s</th><th>%s</th></tr>\n", _("Loop or block"), _("Extent"),
              _("Runs"), _("Share of flop"));
  for (guint i = 0; i < self->whole->right.loops->len; i++)
    put_loop (self, g_ptr_array_index (self->whole->right.loops, i), 0);
  put_html (self, "</table>\n");
  return FALSE;
}

/* ---- the whole ---------------------------------------------------------------- */

static void
put_head (Report *self)
{
  const char *title = self->of->title, *place = self->of->place, *conditions = self->of->conditions;
  g_autofree char *verdict = ls_figure_times_verdict (G_LIST_MODEL (self->of->path));

  ls_page_put_style (self->page, style);
  ls_page_put_format (self->page, "<header><strong>%s</strong><nav>", title);
  if (self->current != 0)
    ls_page_put_format (self->page, "<a href=\"#try\">%s</a>", _("Step through"));
  ls_page_put_format (self->page, "<a href=\"#history\">%s</a><a href=\"#loops\">%s</a><a href=\"#steps\">%s</a>"
                      "<a href=\"#program\">%s</a><a href=\"#trace\">%s</a></nav></header>\n<main id=\"main\">\n<h1>%s</h1><p class=\"dim\">%s</p>\n",
                      _("History"), _("Loops"), _("Steps"), _("Program"), _("Trace"), title, place != NULL ? place : "");
  if (self->of->timed)
    ls_page_put_format (self->page, "<p class=\"verdict\">%s</p><p class=\"dim\">%s</p>\n", verdict, conditions != NULL ? conditions : "");
  ls_page_put_format (self->page, "<noscript><p class=\"dim\">%s</p></noscript>\n", ls_page_word (self->page, "noScript"));
}

static gboolean
put_start (Report *self)
{
  self->whole = ls_session_compare (self->history, 0, self->history, self->current, self->of->device);
  put_head (self);
  return FALSE;
}

static gboolean
put_history (Report *self)
{
  if (self->piece == 0)
    ls_page_put_format (self->page, "<h2 id=\"history\">%s</h2>\n", _("History"));
  return put_picture (self, _("History"), draw_history);
}

/* The steps that lead to the current one, one at a time, and what is asked about them. */
static gboolean
put_stepper (Report *self)
{
  g_autofree char *trace = NULL;
  LsSchedule *schedule = ls_history_get (self->history, self->current)->schedule;

  if (self->current == 0 || schedule == NULL)
    return FALSE;
  if (self->steps == NULL)
    self->steps = ls_page_steps_new (schedule, NULL);
  if (ls_page_steps_put (self->steps))
    return TRUE;
  ls_page_put_format (self->page, "<h2 id=\"try\">%s</h2>\n", _("Step through"));
  trace = ls_schedule_print_trace (schedule);
  ls_page_put_view (self->page, ls_page_steps_end (g_steal_pointer (&self->steps)), trace);
  return FALSE;
}

static gboolean
is_machine_known (Report *self)
{
  return self->of->roofline != NULL && self->of->roofline->known;
}

static gboolean
put_times (Report *self)
{
  return self->of->timed && put_picture (self, _("Time per step"), draw_times);
}

static gboolean
put_roofline (Report *self)
{
  return self->of->timed && is_machine_known (self) && put_picture (self, _("Roofline"), draw_roofline);
}

static gboolean
put_loops (Report *self)
{
  if (self->piece == 0)
    ls_page_put_format (self->page, "<h2 id=\"loops\">%s</h2>\n", _("What happened to the loops"));
  return put_picture (self, _("What happened to the loops"), draw_loops);
}

static gboolean
put_samples (Report *self)
{
  gboolean all = self->whole->left.samples != NULL && self->whole->right.samples != NULL;

  if (self->piece == 0 && (all || (self->of->device != NULL && self->current != 0)))
    ls_page_put_format (self->page, "<p class=\"verdict\">%s</p><p>%s</p>", self->whole->verdict,
                self->whole->why != NULL ? self->whole->why : "");
  return all && put_picture (self, _("All samples"), draw_samples);
}

static gboolean
put_program (Report *self)
{
  const char *text = ls_script_text_get_text (self->whole->right.text);
  g_autofree char *trace = ls_schedule_print_trace (ls_history_get (self->history, self->current)->schedule);
  JsonNode *view = ls_page_program (text, NULL, NULL, NULL, "accesses");

  ls_page_put_format (self->page, "<h2 id=\"program\">%s</h2>\n", _("Program"));
  ls_page_put_view (self->page, view, text);
  ls_page_put_format (self->page, "<h2 id=\"trace\">%s</h2><p class=\"dim\">%s</p>\n", _("Trace"), _("as TVM reads it"));
  put_plain (self, trace, _("Trace"));
  if (self->current != 0)
    ls_page_put_drill (self->page);
  put_html (self, "</main>\n");
  return FALSE;
}

static const PartFunc parts[] = { put_start, put_stepper, put_history, put_times, put_roofline, put_loops, put_samples, put_nest, put_steps, put_program };

static void
start (Report           *self,
       const LsReported *of)
{
  *self = (Report) { .of = of, .history = of->history, .current = of->current };
}

static void
clear (Report *self)
{
  if (self->piece % 2 == 1)
    ls_figure_clear (&self->figure);
  g_clear_pointer (&self->whole, ls_comparison_unref);
}

static gpointer
begin (const LsReported *of)
{
  Report *self = g_new0 (Report, 1);
  g_autofree char *key = g_strconcat ("session/", of->title, NULL);

  start (self, of);
  self->page = ls_page_new (of->title, _("en"), key);
  return self;
}

static gboolean
put_next (gpointer data)
{
  Report *self = data;

  if (self->part < G_N_ELEMENTS (parts) && !parts[self->part] (self))
    self->part++;
  return self->part < G_N_ELEMENTS (parts);
}

static char *
end (gpointer data,
     gboolean text)
{
  Report *self = data;
  char *page = text ? ls_page_finish (self->page) : NULL;

  if (self->steps != NULL)
    json_node_unref (ls_page_steps_end (self->steps));
  ls_page_free (self->page);
  clear (self);
  g_free (self);
  return page;
}

/* ---- one picture as a file ------------------------------------------------------ */

static gboolean
write_picture (const LsReported *of,
               LsFigureKind      kind,
               const char       *path,
               gboolean          dark,
               GError          **error)
{
  static const DrawFunc draw[] = { [LS_FIGURE_HISTORY] = draw_history, [LS_FIGURE_LOOPS] = draw_loops,
                                   [LS_FIGURE_TIMES] = draw_times, [LS_FIGURE_ROOFLINE] = draw_roofline };
  Report self;
  LsFigureFormat format = g_str_has_suffix (path, ".pdf") ? LS_FIGURE_PDF
                          : g_str_has_suffix (path, ".png") ? LS_FIGURE_PNG : LS_FIGURE_SVG;
  LsFigure figure;
  gboolean done;

  start (&self, of);
  self.whole = ls_session_compare (of->history, 0, of->history, of->current, of->device);
  ls_figure_begin (&figure, dark);
  draw[kind] (&self, &figure);
  done = ls_figure_write (&figure, format, 2.0, path, error);
  ls_figure_clear (&figure);
  clear (&self);
  return done;
}

/* ---- handed in ------------------------------------------------------------------- */

static const LsReporter reporter = { begin, put_next, end, write_picture };

void
ls_report_register (void)
{
  ls_session_set_reporter (&reporter);
}
