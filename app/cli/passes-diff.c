/* passes-diff: see the header. */
#include "app/cli/passes-diff.h"

#include "app/cli/passes-list.h"

#include "engine/base/json.h"

#include <string.h>

static LsPassDump *
dump_at (LsPassLog *log,
         guint      i)
{
  return &g_array_index (log->dumps, LsPassDump, i);
}

static void
print_changes (const char *a,
               const char *b,
               GArray     *changes)
{
  static const char SIGNS[] = " ++-~>";
  g_auto (GStrv) lines_a = g_strsplit (a, "\n", -1);
  g_auto (GStrv) lines_b = g_strsplit (b, "\n", -1);

  for (guint i = 0; i < changes->len; i++)
    {
      LsPassChange *change = &g_array_index (changes, LsPassChange, i);

      if (change->kind == LS_PASS_REWRITTEN)
        printf ("~ %s\n  became\n", lines_a[change->a]);
      printf ("%c %s\n", SIGNS[change->kind], change->b >= 0 ? lines_b[change->b] : lines_a[change->a]);
    }
}

/* What stands for something else now: lines that mention it changed though they read the same. */
static void
print_aliases (GHashTable *before,
               GHashTable *after)
{
  g_auto (GStrv) names = ls_pass_aliases_changed (before, after);

  for (guint i = 0; names[i] != NULL; i++)
    printf ("%s stood for %s, and stands for %s\n", names[i], (char *) g_hash_table_lookup (before, names[i]), (char *) g_hash_table_lookup (after, names[i]));
}

static void
put_aliases (JsonBuilder *builder,
             GHashTable  *before,
             GHashTable  *after)
{
  g_auto (GStrv) names = ls_pass_aliases_changed (before, after);

  ls_json_begin_array (builder, "aliases");
  for (guint i = 0; names[i] != NULL; i++)
    {
      json_builder_begin_object (builder);
      ls_json_put_text (builder, "name", names[i]);
      ls_json_put_text (builder, "before", g_hash_table_lookup (before, names[i]));
      ls_json_put_text (builder, "after", g_hash_table_lookup (after, names[i]));
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
put_changes (JsonBuilder *builder,
             GArray      *changes)
{
  static const char *const KINDS[] = { "same", "added", "duplicated", "removed", "rewritten", "moved" };

  ls_json_begin_array (builder, "changes");
  for (guint i = 0; i < changes->len; i++)
    {
      LsPassChange *change = &g_array_index (changes, LsPassChange, i);

      json_builder_begin_object (builder);
      ls_json_put_text (builder, "kind", KINDS[change->kind]);
      ls_json_put_int (builder, "before", change->a + 1);
      ls_json_put_int (builder, "after", change->b + 1);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static gboolean
read_number (LsPassLog  *log,
             const char *text,
             guint      *dump)
{
  guint64 number;

  if (!g_ascii_string_to_unsigned (text, 10, 1, log->dumps->len, &number, NULL))
    return FALSE;
  *dump = (guint) number - 1;
  return TRUE;
}

/* A part of dump B as it was at dump A: what its own dump says where A is the dump before. (transfer full) */
static char *
side_at (LsPassLog *log,
         guint      part,
         guint      a,
         guint      b)
{
  LsPassPart *at = &g_array_index (log->parts, LsPassPart, part);
  int old = ls_pass_log_part_at (log, at->name, a);
  char *before = NULL;
  g_autofree char *after = NULL;

  if (!at->patch || a + 1 < b)
    return old >= 0 ? ls_pass_log_part_text (log, (guint) old) : g_strdup ("");
  ls_pass_log_part_sides (log, part, &before, &after);
  return before;
}

/* The functions of dump B, each against what it was at dump A. */
int
ls_cli_passes_diff (const char *command,
                    LsPassLog  *log,
                    const char *from,
                    const char *to,
                    const char *function,
                    gboolean    json)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  LsPassDump *dump;
  guint a, b, shown = 0;

  if (!read_number (log, from, &a) || !read_number (log, to, &b) || a > b)
    return ls_cli_fail (command, "--diff expects two numbers of dumps from 1 to %u in their order", log->dumps->len);
  dump = dump_at (log, b);
  json_builder_begin_array (builder);
  for (guint i = dump->first; i < dump->first + dump->n; i++)
    {
      LsPassPart *part = &g_array_index (log->parts, LsPassPart, i);
      g_autofree char *text_a = side_at (log, i, a, b), *text_b = ls_pass_log_part_text (log, i);
      g_autoptr (GArray) changes = NULL;
      g_autoptr (GHashTable) aliases_a = NULL, aliases_b = NULL;
      g_autofree char *reader = NULL;
      LsPassCounts counts = { 0 };
      int old;

      if (function != NULL && strcmp (function, part->name) != 0)
        continue;
      shown++;
      old = part->patch && a + 1 >= b ? (int) i : ls_pass_log_part_at (log, part->name, a);
      aliases_a = ls_pass_log_part_aliases (log, old >= 0 ? (guint) old : i);
      aliases_b = ls_pass_log_part_aliases (log, i);
      changes = ls_pass_sides_diff (&(LsPassSide) { log, text_a, old, old == (int) i }, &(LsPassSide) { log, text_b, (int) i, FALSE }, &counts, &reader);
      if (json)
        {
          json_builder_begin_object (builder);
          ls_json_put_text (builder, "function", part->name);
          ls_cli_passes_put_counts (builder, &counts);
          if (reader != NULL)
            ls_json_put_text (builder, "reader", reader);
          put_aliases (builder, aliases_a, aliases_b);
          put_changes (builder, changes);
          json_builder_end_object (builder);
          continue;
        }
      printf ("%s: +%u (%u of them copies) -%u ~%u moved %u same %u\n", part->name, counts.added + counts.duplicated, counts.duplicated,
              counts.removed, counts.rewritten, counts.moved, counts.same);
      if (reader != NULL)
        printf ("read by %s\n", reader);
      print_aliases (aliases_a, aliases_b);
      print_changes (text_a, text_b, changes);
    }
  json_builder_end_array (builder);
  if (shown == 0)
    return ls_cli_fail (command, "dump %u (%s on %s) has no text%s%s", b + 1, dump->pass, dump->unit,
                        function != NULL ? " of function " : "", function != NULL ? function : "");
  if (json)
    ls_cli_put_json (builder);
  return LS_CLI_DONE;
}

/* ---- two logs ---- */

/* Has it an effect, and is it of the function that is asked for? */
static gboolean
is_effective (LsPassLog       *log,
              int              dump,
              const LsPassTwo *how)
{
  return dump >= 0 && dump_at (log, (guint) dump)->effective && ls_cli_passes_has_function (log, dump_at (log, (guint) dump), how->function);
}

static gboolean
has_part (LsPassLog  *log,
          const char *name)
{
  for (guint i = 0; i < log->parts->len; i++)
    if (strcmp (g_array_index (log->parts, LsPassPart, i).name, name) == 0)
      return TRUE;
  return FALSE;
}

/* Passes with an effect that only one of the logs has, in front of row `end`. */
static void
put_only (JsonBuilder     *builder,
          LsPassLog       *log,
          GArray          *rows,
          guint            end,
          const LsPassTwo *how,
          gboolean         here)
{
  ls_json_begin_array (builder, here ? "only_here" : "only_there");
  for (guint i = 0; i < end; i++)
    {
      LsPassPair *row = &g_array_index (rows, LsPassPair, i);
      int dump = here ? row->a : row->b;

      if ((here ? row->b : row->a) < 0 && is_effective (log, dump, how))
        ls_cli_passes_put_dump (builder, log, (guint) dump, NULL, NULL);
    }
  json_builder_end_array (builder);
}

static void
print_only (LsPassLog       *log,
            GArray          *rows,
            guint            end,
            const LsPassTwo *how,
            gboolean         here)
{
  for (guint i = 0; i < end; i++)
    {
      LsPassPair *row = &g_array_index (rows, LsPassPair, i);
      int dump = here ? row->a : row->b;

      if ((here ? row->b : row->a) < 0 && is_effective (log, dump, how))
        printf ("only %s: %d %s on %s\n", here ? "here" : "there", dump + 1, dump_at (log, (guint) dump)->pass, dump_at (log, (guint) dump)->unit);
    }
}

/* Functions that are not the same at the end. */
static void
put_ends (JsonBuilder *builder,
          GArray      *ends)
{
  ls_json_begin_array (builder, "at_the_end");
  for (guint i = 0; i < ends->len; i++)
    {
      LsPassEnd *end = &g_array_index (ends, LsPassEnd, i);

      json_builder_begin_object (builder);
      ls_json_put_text (builder, "function", end->name);
      if (end->a < 0 || end->b < 0)
        ls_json_put_text (builder, "only", end->a >= 0 ? "here" : "there");
      else
        ls_cli_passes_put_counts (builder, &end->counts);
      if (end->reader != NULL)
        ls_json_put_text (builder, "reader", end->reader);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
print_ends (GArray *ends)
{
  for (guint i = 0; i < ends->len; i++)
    {
      LsPassEnd *end = &g_array_index (ends, LsPassEnd, i);
      const char *name = *end->name != '\0' ? end->name : "whole text";

      if (end->a < 0 || end->b < 0)
        printf ("at the end: %s is only %s\n", name, end->a >= 0 ? "here" : "there");
      else
        printf ("at the end: %s: +%u -%u ~%u moved %u there%s%s\n", name, end->counts.added + end->counts.duplicated, end->counts.removed, end->counts.rewritten,
                end->counts.moved, end->reader != NULL ? ", read by " : "", end->reader != NULL ? end->reader : "");
    }
}

/* The first pair of dumps, of the same pass on the same unit, that came out differently (renumbering aside), the passes with an effect that only one log has in
 * front of it, and what is different at the end. */
int
ls_cli_passes_first_difference (const char      *command,
                                LsPassLog       *log,
                                LsPassLog       *other,
                                const LsPassTwo *how,
                                gboolean         json)
{
  g_autoptr (GArray) rows = ls_pass_logs_align (log, other), ends = ls_pass_logs_ends (log, other, how);
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autofree char *reader = NULL;
  LsPassCounts counts = { 0 };
  LsPassPair found = { -1, -1 };
  const char *why = NULL;
  guint at;

  if (how->function != NULL && !has_part (log, how->function) && !has_part (other, how->function))
    return ls_cli_fail (command, "no dump of both has a function %s", how->function);
  for (at = 0; at < rows->len && found.a < 0; at++)
    {
      LsPassPair row = g_array_index (rows, LsPassPair, at);
      g_autofree char *one = NULL;

      if (row.a >= 0 && row.b >= 0 && ls_pass_dumps_differ (log, (guint) row.a, other, (guint) row.b, how, &counts, &one))
        {
          found = row;
          why = "other results";
          g_free (reader);
          reader = g_steal_pointer (&one);
        }
      else if ((row.a < 0 || row.b < 0) && why == NULL && (is_effective (log, row.a, how) || is_effective (other, row.b, how)))
        why = "another pass";
      if (one != NULL && reader == NULL)
        reader = g_steal_pointer (&one);
    }
  json_builder_begin_object (builder);
  ls_json_put_text (builder, "difference", why);
  if (reader != NULL)
    ls_json_put_text (builder, "reader", reader);
  if (found.a >= 0)
    {
      json_builder_set_member_name (builder, "here");
      ls_cli_passes_put_dump (builder, log, (guint) found.a, NULL, NULL);
      json_builder_set_member_name (builder, "there");
      ls_cli_passes_put_dump (builder, other, (guint) found.b, &counts, reader);
    }
  put_only (builder, log, rows, at, how, TRUE);
  put_only (builder, other, rows, at, how, FALSE);
  put_ends (builder, ends);
  json_builder_end_object (builder);
  if (json)
    {
      ls_cli_put_json (builder);
      return LS_CLI_DONE;
    }
  if (why == NULL)
    puts ("no difference");
  print_only (log, rows, at, how, TRUE);
  print_only (other, rows, at, how, FALSE);
  if (found.a >= 0)
    printf ("%d here, %d there: %s on %s: other results: +%u -%u ~%u moved %u there\n", found.a + 1, found.b + 1, dump_at (log, (guint) found.a)->pass,
            dump_at (log, (guint) found.a)->unit, counts.added + counts.duplicated, counts.removed, counts.rewritten, counts.moved);
  if (reader != NULL)
    printf ("read by %s\n", reader);
  print_ends (ends);
  return LS_CLI_DONE;
}
