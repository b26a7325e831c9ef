/* command: the words that a person says to the debugger, the same in a terminal, a file of commands, a window and an editor.
 *
 * A command is a row of the table: its words, how it is called, what it does.  Those that move answer what is seen where they come to.
 */
#include "engine/debug/debug-private.h"

#include <string.h>

#define MOST_GRID 32            /* rows and columns that `grid` shows */

typedef GVariant *(*Does) (LsDebug *self, const char *rest, GError **error);

/* "" is `otherwise`. */
static gboolean
read_count (const char  *rest,
            guint64      otherwise,
            guint64     *n,
            GError     **error)
{
  char *end = NULL;

  *n = *rest == '\0' ? otherwise : g_ascii_strtoull (rest, &end, 0);
  if (*rest == '\0' || (end != rest && *end == '\0' && *rest != '-'))
    return TRUE;
  ls_debug_refuse (error, ls_translate ("A number is expected, not %s."), rest);
  return FALSE;
}

/* ---- moving ------------------------------------------------------------------------------------ */

static LsStop *
stop_new (LsDebug    *self,
          LsStopKind  kind,
          const char *words)
{
  LsStop *stop = g_new0 (LsStop, 1);

  stop->kind = kind;
  stop->number = LS_STOP_ANY;
  stop->words = g_strdup (words);
  stop->by_statement = g_hash_table_new (NULL, NULL);
  return stop;
}

static GVariant *
do_step (LsDebug     *self,
         const char  *rest,
         GError     **error)
{
  guint64 n;

  if (!read_count (rest, 1, &n, error))
    return NULL;
  ls_debug_forget_hit (self);
  ls_debug_go_to (self, ls_run_get_clock (self->run) + n);
  return ls_debug_look (self);
}

static GVariant *
do_back (LsDebug     *self,
         const char  *rest,
         GError     **error)
{
  guint64 clock = ls_run_get_clock (self->run), n;

  if (!read_count (rest, 1, &n, error))
    return NULL;
  ls_debug_forget_hit (self);
  ls_debug_go_to (self, clock - MIN (n, clock));
  return ls_debug_look (self);
}

static GVariant *
do_goto (LsDebug     *self,
         const char  *rest,
         GError     **error)
{
  guint64 n;

  if (*rest == '\0' || !read_count (rest, 0, &n, error))
    return ls_debug_refuse (error, ls_translate ("The number of a statement is expected."));
  ls_debug_forget_hit (self);
  ls_debug_go_to (self, n);
  return ls_debug_look (self);
}

static GVariant *
do_start (LsDebug     *self,
          const char  *rest,
          GError     **error)
{
  ls_debug_forget_hit (self);
  ls_debug_go_to (self, 0);
  return ls_debug_look (self);
}

static GVariant *
do_end (LsDebug     *self,
        const char  *rest,
        GError     **error)
{
  ls_debug_forget_hit (self);
  ls_debug_go_to (self, G_MAXUINT64);
  return ls_debug_look (self);
}

/* To a statement that is at most `depth` deep; from the begin or the end it is any that comes. */
static GVariant *
seek_depth (LsDebug    *self,
            gboolean    backwards,
            guint       up,
            const char *words)
{
  LsStop *stop = stop_new (self, LS_STOP_STATEMENT, words);
  LsPrimFunc *func = NULL;
  guint number = 0;
  const LsDebugPlace *place = ls_debug_here (self, &func, &number);

  stop->func = func;
  stop->depth = place != NULL ? place->depth - MIN (up, place->depth) : 0;
  ls_debug_seek (self, backwards, stop, FALSE);
  return ls_debug_look (self);
}

static GVariant *
do_over (LsDebug     *self,
         const char  *rest,
         GError     **error)
{
  return seek_depth (self, FALSE, 0, "over");
}

static GVariant *
do_back_over (LsDebug     *self,
              const char  *rest,
              GError     **error)
{
  return seek_depth (self, TRUE, 0, "back-over");
}

/* The innermost loop under way, or LS_STOP_ANY. */
static guint
loop_around (LsDebug     *self,
             LsPrimFunc **func,
             guint       *depth)
{
  for (guint i = ls_run_get_depth (self->run); i-- > 0;)
    {
      const LsDebugPlace *place;
      LsRunFrame frame;

      ls_run_get_frame (self->run, i, &frame);
      if (!frame.is_loop || i + 1 == ls_run_get_depth (self->run))
        continue;
      place = ls_debug_text_place (self->text, frame.func, frame.number);
      *func = frame.func;
      *depth = place != NULL ? place->depth : 0;
      return frame.number;
    }
  return LS_STOP_ANY;
}

static GVariant *
do_out (LsDebug     *self,
        const char  *rest,
        GError     **error)
{
  LsPrimFunc *func;
  guint depth;
  LsStop *stop;

  if (loop_around (self, &func, &depth) == LS_STOP_ANY)
    return ls_debug_refuse (error, ls_translate ("No loop is under way."));
  stop = stop_new (self, LS_STOP_STATEMENT, "out");
  stop->func = func;
  stop->depth = depth;
  ls_debug_seek (self, FALSE, stop, FALSE);
  return ls_debug_look (self);
}

static GVariant *
do_back_out (LsDebug     *self,
             const char  *rest,
             GError     **error)
{
  LsPrimFunc *func;
  guint depth, number = loop_around (self, &func, &depth);
  LsStop *stop;

  if (number == LS_STOP_ANY)
    return ls_debug_refuse (error, ls_translate ("No loop is under way."));
  stop = stop_new (self, LS_STOP_STATEMENT, "back-out");
  stop->func = func;
  stop->number = number;
  ls_debug_seek (self, TRUE, stop, FALSE);
  return ls_debug_look (self);
}

static GVariant *
seek_words (LsDebug     *self,
            gboolean     backwards,
            const char  *kind,
            const char  *rest,
            GError     **error)
{
  g_autofree char *words = g_strconcat (kind, " ", rest, NULL);
  LsStop *stop = ls_debug_stop_parse (self, words, error);

  if (stop == NULL)
    return NULL;
  ls_debug_seek (self, backwards, stop, FALSE);
  return ls_debug_look (self);
}

static GVariant *
do_into (LsDebug     *self,
         const char  *rest,
         GError     **error)
{
  return seek_words (self, FALSE, "block", rest, error);
}

static GVariant *
seek_loop (LsDebug     *self,
           gboolean     backwards,
           const char  *rest,
           GError     **error)
{
  LsPrimFunc *func;
  guint depth, number;
  LsStop *stop;

  if (*rest != '\0')
    return seek_words (self, backwards, "loop", rest, error);
  number = loop_around (self, &func, &depth);
  if (number == LS_STOP_ANY)
    return ls_debug_refuse (error, ls_translate ("No loop is under way; its name is expected."));
  stop = stop_new (self, LS_STOP_ROUND, "loop");
  stop->func = func;
  stop->number = number;
  ls_debug_seek (self, backwards, stop, FALSE);
  return ls_debug_look (self);
}

static GVariant *
do_loop (LsDebug     *self,
         const char  *rest,
         GError     **error)
{
  return seek_loop (self, FALSE, rest, error);
}

static GVariant *
do_back_loop (LsDebug     *self,
              const char  *rest,
              GError     **error)
{
  return seek_loop (self, TRUE, rest, error);
}

static GVariant *
do_write (LsDebug     *self,
          const char  *rest,
          GError     **error)
{
  return seek_words (self, FALSE, "write", rest, error);
}

static GVariant *
do_back_write (LsDebug     *self,
               const char  *rest,
               GError     **error)
{
  return seek_words (self, TRUE, "write", rest, error);
}

static GVariant *
do_continue (LsDebug     *self,
             const char  *rest,
             GError     **error)
{
  ls_debug_seek (self, FALSE, NULL, FALSE);
  return ls_debug_look (self);
}

static GVariant *
do_back_continue (LsDebug     *self,
                  const char  *rest,
                  GError     **error)
{
  ls_debug_seek (self, TRUE, NULL, FALSE);
  return ls_debug_look (self);
}

static GVariant *
do_more (LsDebug     *self,
         const char  *rest,
         GError     **error)
{
  return ls_debug_more (self) ? ls_debug_look (self) : ls_debug_refuse (error, ls_translate ("Nothing was given up."));
}

/* ---- stops -------------------------------------------------------------------------------------- */

static GVariant *
stop_as_dict (LsDebug *self,
              LsStop  *stop)
{
  const LsDebugPlace *place = stop->number != LS_STOP_ANY ? ls_debug_text_place (self->text, stop->func, stop->number) : NULL;
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "stop", "u", stop->id);
  g_variant_dict_insert (&dict, "words", "s", stop->words);
  g_variant_dict_insert (&dict, "hits", "t", stop->hits);
  if (place != NULL)
    g_variant_dict_insert (&dict, "line", "u", place->line);
  return g_variant_dict_end (&dict);
}

static GVariant *
do_break (LsDebug     *self,
          const char  *rest,
          GError     **error)
{
  LsStop *stop = ls_debug_stop_parse (self, rest, error);

  if (stop == NULL)
    return NULL;
  ls_debug_add_stop (self, stop);
  return g_variant_ref_sink (stop_as_dict (self, stop));
}

static GVariant *
do_breaks (LsDebug     *self,
           const char  *rest,
           GError     **error)
{
  GVariantBuilder list;
  GVariantDict dict;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < self->stops->len; i++)
    g_variant_builder_add_value (&list, stop_as_dict (self, self->stops->pdata[i]));
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, "stops", g_variant_builder_end (&list));
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

static GVariant *
do_delete (LsDebug     *self,
           const char  *rest,
           GError     **error)
{
  guint64 n;

  if (*rest == '\0')
    ls_debug_clear_stops (self);
  else if (!read_count (rest, 0, &n, error))
    return NULL;
  else if (n > G_MAXUINT || !ls_debug_remove_stop (self, (guint) n))
    return ls_debug_refuse (error, ls_translate ("There is no breakpoint %s."), rest);
  return do_breaks (self, "", error);
}

/* ---- looking ------------------------------------------------------------------------------------- */

static GVariant *
do_where (LsDebug     *self,
          const char  *rest,
          GError     **error)
{
  return ls_debug_look (self);
}

/* "14 20": a line and a character of it, from 1. */
static GVariant *
do_at (LsDebug     *self,
       const char  *rest,
       GError     **error)
{
  char *end = NULL;
  guint64 line = g_ascii_strtoull (rest, &end, 10), column = end != rest ? g_ascii_strtoull (end, &end, 10) : 0;

  if (line == 0 || column == 0 || *end != '\0' || line > G_MAXINT || column > G_MAXINT)
    return ls_debug_refuse (error, ls_translate ("A line and a column are expected."));
  return ls_debug_ask_at (self, (guint) line, (guint) column, error);
}

static GVariant *
do_print (LsDebug     *self,
          const char  *rest,
          GError     **error)
{
  return *rest != '\0' ? ls_debug_ask (self, rest, error) : ls_debug_refuse (error, ls_translate ("An expression is expected."));
}

/* "C", "C[2]": the slice of a buffer with three dimensions, "C 8 0": from row 8 on. */
static GVariant *
do_grid (LsDebug     *self,
         const char  *rest,
         GError     **error)
{
  g_autoptr (GMatchInfo) match = NULL;
  g_autoptr (GRegex) regex = g_regex_new ("^(\\w+)\\s*(?:\\[([-0-9, ]*)\\])?(?:\\s+(\\d+)\\s+(\\d+))?$", 0, 0, NULL);
  g_autofree char *name = NULL;
  g_autofree char *slice = NULL;
  g_autofree char *row = NULL;
  g_autofree char *column = NULL;
  g_auto (GStrv) parts = NULL;
  gint64 at[16] = { 0 };
  LsBuffer *buffer;
  GVariant *grid;

  if (!g_regex_match (regex, rest, 0, &match))
    return ls_debug_refuse (error, ls_translate ("The name of a buffer is expected, with the indices before its last two in brackets."));
  name = g_match_info_fetch (match, 1);
  slice = g_match_info_fetch (match, 2);
  row = g_match_info_fetch (match, 3);
  column = g_match_info_fetch (match, 4);
  buffer = ls_debug_find_buffer (self, name);
  if (buffer == NULL)
    return ls_debug_refuse (error, ls_translate ("There is no buffer %s."), name);
  parts = g_strsplit (slice != NULL ? slice : "", ",", 17);
  for (guint i = 0; parts[i] != NULL && i < 16; i++)
    at[i] = g_ascii_strtoll (parts[i], NULL, 10);
  grid = ls_debug_grid (self, buffer, at, row != NULL ? g_ascii_strtoll (row, NULL, 10) : 0, column != NULL ? g_ascii_strtoll (column, NULL, 10) : 0,
                        MOST_GRID, MOST_GRID);
  return grid != NULL ? grid : ls_debug_refuse (error, ls_translate ("%s has no memory here."), name);
}

static GVariant *
do_list (LsDebug     *self,
         const char  *rest,
         GError     **error)
{
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "listing", "s", self->text->text);
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

static GVariant *
do_checkpoints (LsDebug     *self,
                const char  *rest,
                GError     **error)
{
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  ls_debug_put_checkpoints (self, &dict);
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

/* ---- the table ------------------------------------------------------------------------------------- */

static const struct {
  const char *name, *other;     /* other: a short form */
  const char *arguments;
  const char *summary;
  Does        does;
} commands[] = {
  { "step", "s", "[N]", "the next statement, or N on", do_step },
  { "over", "n", "", "the next statement that is no deeper: over what this one holds", do_over },
  { "into", "i", "[BLOCK]", "into the next block", do_into },
  { "out", "o", "", "out of the innermost loop", do_out },
  { "loop", "l", "[NAME [if COND]]", "the next change of a loop; without a name of the innermost one", do_loop },
  { "write", "w", "[C[3, 0:4]] [if COND]", "the next write of an element, a region, a buffer", do_write },
  { "continue", "c", "", "on to the next breakpoint", do_continue },
  { "back", "b", "[N]", "a statement back, or N", do_back },
  { "back-over", "bn", "", "back to the last statement that is no deeper", do_back_over },
  { "back-out", "bo", "", "back to the begin of the innermost loop", do_back_out },
  { "back-loop", "bl", "[NAME [if COND]]", "back to the last change of a loop", do_back_loop },
  { "back-write", "bw", "[C[3, 0:4]] [if COND]", "back to the last write", do_back_write },
  { "back-continue", "bc", "", "back to the last breakpoint", do_back_continue },
  { "goto", "g", "CLOCK", "the statement of this number", do_goto },
  { "start", NULL, "", "the first statement", do_start },
  { "end", NULL, "", "the end of the run", do_end },
  { "more", NULL, "", "on with what was interrupted", do_more },
  { "break", NULL, "line N | loop NAME | block NAME | write C[i, j] | read C | nan | range LOW HIGH [C], each with [if COND]",
    "stop there from now on", do_break },
  { "breaks", NULL, "", "the breakpoints", do_breaks },
  { "delete", NULL, "[N]", "away with a breakpoint, or all", do_delete },
  { "where", "vars", "", "where it stands: the statement, what is around it, variables, values", do_where },
  { "print", "p", "EXPRESSION", "the value of an expression", do_print },
  { "at", NULL, "LINE COLUMN", "the value of what stands at a place of the text", do_at },
  { "grid", NULL, "BUFFER[SLICE] [ROW COLUMN]", "the values of a buffer, what is not yet written told apart", do_grid },
  { "writes", NULL, "C[3, 5]", "the writes of an element so far", ls_debug_past_writes },
  { "trail", NULL, "[N] [BUFFER]", "the last accesses", ls_debug_past_trail },
  { "plot", NULL, "EXPRESSION [line N] [from CLOCK]", "a value over the run so far: of an element at each write, else each time the run comes to the statement", ls_debug_past_plot },
  { "list", NULL, "", "the text of the program", do_list },
  { "checkpoints", NULL, "", "what is kept for going back, and how much that may be", do_checkpoints },
};

GVariant *
ls_debug_command (LsDebug     *self,
                  const char  *line,
                  GError     **error)
{
  g_autofree char *copy = g_strstrip (g_strdup (line));
  gsize length = strcspn (copy, " \t");
  g_autofree char *name = g_strndup (copy, length);
  const char *rest = copy + length + strspn (copy + length, " \t");

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (strcmp (commands[i].name, name) == 0 || g_strcmp0 (commands[i].other, name) == 0)
      {
        g_autoptr (GVariant) answer = commands[i].does (self, rest, error);
        GVariantDict dict;

        if (answer == NULL)
          return NULL;
        g_variant_dict_init (&dict, answer);
        g_variant_dict_insert (&dict, "command", "s", commands[i].name);
        return g_variant_ref_sink (g_variant_dict_end (&dict));
      }
  return ls_debug_refuse (error, ls_translate ("There is no command %s; help lists them."), name);
}

const char *
ls_debug_help (void)
{
  static char *help;

  if (g_once_init_enter (&help))
    {
      GString *text = g_string_new (NULL);

      for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
        {
          g_autofree char *call = g_strdup_printf ("%s%s%s %s", commands[i].name, commands[i].other != NULL ? ", " : "",
                                                   commands[i].other != NULL ? commands[i].other : "", commands[i].arguments);

          g_string_append_printf (text, "  %-34s%s%s\n", call, strlen (call) > 33 ? "\n                                    " : "", commands[i].summary);
        }
      g_once_init_leave (&help, g_string_free (text, FALSE));
    }
  return help;
}
