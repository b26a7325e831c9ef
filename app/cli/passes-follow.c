/* passes-follow: see the header. */
#include "app/cli/passes-follow.h"

#include "app/cli/input.h"
#include "engine/base/json.h"
#include "engine/passlog/follow.h"

#include <string.h>

typedef struct {
  LsPassLog *log;
  GArray    *mentions;          /* of LsPassMention */
  guint8    *touches;
  const char *reader;           /* who read what was matched by a diff, or NULL */
} Followed;

static LsPassMention *
mention_at (Followed *self,
            guint     i)
{
  return &g_array_index (self->mentions, LsPassMention, i);
}

static LsPassPart *
part_of (Followed *self,
         guint     number)
{
  return &g_array_index (self->log->parts, LsPassPart, number);
}

static LsPassDump *
dump_of (Followed *self,
         guint     number)
{
  return &g_array_index (self->log->dumps, LsPassDump, number);
}

/* From a number or the name of a pass to a dump; FALSE: there is none. */
static gboolean
find_dump (LsPassLog  *log,
           const char *from,
           guint      *dump)
{
  guint64 number;

  *dump = 0;
  if (from == NULL)
    return TRUE;
  if (g_ascii_string_to_unsigned (from, 10, 1, log->dumps->len, &number, NULL))
    {
      *dump = (guint) number - 1;
      return TRUE;
    }
  for (; *dump < log->dumps->len; ++*dump)
    if (strcmp (g_array_index (log->dumps, LsPassDump, *dump).pass, from) == 0)
      return TRUE;
  return FALSE;
}

/* Line `line` of a part without its indentation. (transfer full) */
static char *
line_of (LsPassLog *log,
         guint      part,
         guint      line)
{
  g_autofree char *text = ls_pass_log_part_text (log, part);
  const char *at = text;

  for (; line > 0 && *at != '\0'; line--)
    {
      at += strcspn (at, "\n");
      at += *at != '\0';
    }
  at += strspn (at, " \t");
  return g_strndup (at, strcspn (at, "\n"));
}

static const char *
touch_words (guint8 touch)
{
  static const char *const WORDS[] = { "", "there", "changed", "gone" };

  return WORDS[touch];
}

/* Is the part worth a row: its function changed, or the pin is in it? */
static gboolean
is_shown (Followed *self,
          guint     first)
{
  return mention_at (self, first)->how == LS_PASS_LINK_PINNED || self->touches[part_of (self, mention_at (self, first)->part)->dump] != LS_PASS_TOUCH_NONE;
}

static void
put_mention (JsonBuilder *builder,
             Followed    *self,
             guint        i)
{
  LsPassMention *mention = mention_at (self, i);
  g_autofree char *text = line_of (self->log, mention->part, mention->line);

  json_builder_begin_object (builder);
  ls_json_put_int (builder, "line", mention->line + 1);
  ls_json_put_text (builder, "text", text);
  ls_json_put_text (builder, "how", ls_pass_link_kind_name (mention->how));
  ls_json_put_bool (builder, "changed", mention->changed);
  if (mention->from >= 0)
    {
      ls_json_begin_object (builder, "from");
      ls_json_put_int (builder, "number", part_of (self, mention_at (self, (guint) mention->from)->part)->dump + 1);
      ls_json_put_int (builder, "line", mention_at (self, (guint) mention->from)->line + 1);
      json_builder_end_object (builder);
    }
  json_builder_end_object (builder);
}

/* Mentions [first, end) of one part. */
static void
put_part (JsonBuilder *builder,
          Followed    *self,
          guint        first,
          guint        end)
{
  LsPassPart *part = part_of (self, mention_at (self, first)->part);

  json_builder_begin_object (builder);
  ls_json_put_int (builder, "number", part->dump + 1);
  ls_json_put_text (builder, "pass", dump_of (self, part->dump)->pass);
  ls_json_put_text (builder, "function", part->name);
  ls_json_put_text (builder, "touch", touch_words (self->touches[part->dump]));
  ls_json_begin_array (builder, "lines");
  for (guint i = first; i < end; i++)
    put_mention (builder, self, i);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

static void
print_part (Followed *self,
            guint     first,
            guint     end)
{
  LsPassPart *part = part_of (self, mention_at (self, first)->part);

  printf ("%5u  %-44s %-24s %s\n", part->dump + 1, dump_of (self, part->dump)->pass, part->name, touch_words (self->touches[part->dump]));
  for (guint i = first; i < end; i++)
    {
      LsPassMention *mention = mention_at (self, i);
      g_autofree char *text = line_of (self->log, mention->part, mention->line);

      printf ("       %-9s %4u: %s\n", ls_pass_link_kind_name (mention->how), mention->line + 1, text);
    }
}

/* Where it is no longer: dumps that removed it. */
static void
put_gone (JsonBuilder *builder,
          Followed    *self,
          gboolean     json)
{
  ls_json_begin_array (builder, "gone");
  for (guint i = 0; i < self->log->dumps->len; i++)
    if (self->touches[i] == LS_PASS_TOUCH_GONE)
      {
        json_builder_add_int_value (builder, i + 1);
        if (!json)
          printf ("%5u  %-44s %-24s gone\n", i + 1, dump_of (self, i)->pass, dump_of (self, i)->unit);
      }
  json_builder_end_array (builder);
}

static void
show (Followed *self,
      gboolean  json)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  guint unchanged = 0;

  json_builder_begin_object (builder);
  ls_json_begin_array (builder, "passes");
  for (guint first = 0, end; first < self->mentions->len; first = end)
    {
      for (end = first + 1; end < self->mentions->len && mention_at (self, end)->part == mention_at (self, first)->part;)
        end++;
      if (!is_shown (self, first))
        unchanged++;
      else if (json)
        put_part (builder, self, first, end);
      else
        print_part (self, first, end);
    }
  json_builder_end_array (builder);
  put_gone (builder, self, json);
  if (self->reader != NULL)
    ls_json_put_text (builder, "reader", self->reader);
  ls_json_put_int (builder, "unchanged", unchanged);
  json_builder_end_object (builder);
  if (json)
    ls_cli_put_json (builder);
  else
    {
      printf ("in %u more dumps its function is as before\n", unchanged);
      if (self->reader != NULL)
        printf ("what has no place in the source was matched as read by %s\n", self->reader);
    }
}

int
ls_cli_passes_follow (const char *command,
                      LsPassLog  *log,
                      const char *what,
                      const char *function,
                      const char *from,
                      gboolean    json)
{
  g_autoptr (GArray) lines = NULL, mentions = NULL;
  g_autofree guint8 *touches = NULL;
  g_autofree char *reader = NULL;
  guint dump;
  int part;

  if (!find_dump (log, from, &dump))
    return ls_cli_fail (command, "there is no pass %s; --from expects the name of a pass or a number from 1 to %u", from, log->dumps->len);
  part = ls_pass_log_find_lines (log, what, function, dump, &lines);
  if (part < 0)
    return ls_cli_fail (command, "no dump%s%s%s%s has %s", function != NULL ? " of function " : "", function != NULL ? function : "", from != NULL ? " from " : "",
                        from != NULL ? from : "", what);
  mentions = ls_pass_log_follow_full (log, (guint) part, lines, TRUE, &reader);
  touches = ls_pass_log_touches (log, mentions);
  show (&(Followed) { log, mentions, touches, reader }, json);
  return LS_CLI_DONE;
}
