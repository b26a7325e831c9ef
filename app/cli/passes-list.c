/* passes-list: see the header. */
#include "app/cli/passes-list.h"

#include "app/cli/passes-nested.h"

#include "engine/base/json.h"

#include <string.h>

#define MOST_COUNTED (32u << 20)        /* bytes of a log whose list has counts without being asked: more takes seconds */

static LsPassDump *
dump_at (LsPassLog *log,
         guint      i)
{
  return &g_array_index (log->dumps, LsPassDump, i);
}

gboolean
ls_cli_passes_has_function (LsPassLog        *log,
                            const LsPassDump *dump,
                            const char       *function)
{
  const char *in = strstr (dump->unit, " in function ");

  if (function == NULL || strcmp (dump->unit, function) == 0 || (in != NULL && strcmp (in + strlen (" in function "), function) == 0))
    return TRUE;
  for (guint i = dump->first; i < dump->first + dump->n; i++)
    if (strcmp (g_array_index (log->parts, LsPassPart, i).name, function) == 0)
      return TRUE;
  return FALSE;
}

void
ls_cli_passes_put_counts (JsonBuilder  *builder,
                          LsPassCounts *counts)
{
  const struct { const char *name; guint n; } rows[] = {
    { "added", counts->added }, { "duplicated", counts->duplicated }, { "removed", counts->removed },
    { "rewritten", counts->rewritten }, { "moved", counts->moved }, { "same", counts->same },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      json_builder_set_member_name (builder, rows[i].name);
      json_builder_add_int_value (builder, rows[i].n);
    }
}

/* What the pass ran in, outermost first: level and name of each. */
static void
put_path (JsonBuilder   *builder,
          LsPassNesting *nesting,
          int            nest)
{
  const LsPassNest *at;

  if (nest < 0)
    return;
  at = &g_array_index (nesting->nests, LsPassNest, nest);
  put_path (builder, nesting, at->parent);
  json_builder_begin_object (builder);
  ls_json_put_text (builder, "level", at->level);
  ls_json_put_text (builder, "name", at->name);
  ls_json_put_int (builder, "first", at->first + 1);
  ls_json_put_int (builder, "last", at->end);
  json_builder_end_object (builder);
}

/* Loops of its functions that were changed meanwhile. */
static void
put_unprinted (JsonBuilder *builder,
               LsPassLog   *log,
               guint        number)
{
  g_autoptr (GArray) others = ls_pass_log_unprinted (log, number);

  ls_json_begin_array (builder, "not_printed_since");
  for (guint i = 0; i < others->len; i++)
    json_builder_add_int_value (builder, g_array_index (others, guint, i) + 1);
  json_builder_end_array (builder);
}

static void
put_members (JsonBuilder  *builder,
             LsPassLog    *log,
             guint         number,
             LsPassCounts *counts,
             const char   *reader)
{
  LsPassDump *dump = dump_at (log, number);

  ls_json_put_int (builder, "number", number + 1);
  ls_json_put_text (builder, "pass", dump->pass);
  ls_json_put_text (builder, "unit", dump->unit);
  ls_json_put_text (builder, "dump", ls_cli_passes_dumps[dump->kind]);
  ls_json_put_int (builder, "line", dump->line);
  json_builder_set_member_name (builder, "effective");
  if (ls_pass_log_tells (log, number))
    json_builder_add_boolean_value (builder, dump->effective);
  else
    json_builder_add_null_value (builder);
  if (dump->seconds >= 0)
    ls_json_put_double (builder, "seconds", dump->seconds);
  if (counts != NULL)
    ls_cli_passes_put_counts (builder, counts);
  if (reader != NULL)
    ls_json_put_text (builder, "reader", reader);
  if (counts != NULL && dump->effective)
    put_unprinted (builder, log, number);
}

void
ls_cli_passes_put_dump (JsonBuilder  *builder,
                        LsPassLog    *log,
                        guint         number,
                        LsPassCounts *counts,
                        const char   *reader)
{
  json_builder_begin_object (builder);
  put_members (builder, log, number, counts, reader);
  json_builder_end_object (builder);
}

/* The same pass on the same unit once more, and both times without an effect. */
static gboolean
is_repeat (LsPassLog *log,
           guint      a,
           guint      b)
{
  LsPassDump *x = dump_at (log, a), *y = dump_at (log, b);
  const char *name = x->n == 1 ? g_array_index (log->parts, LsPassPart, x->first).name : "";
  const char *other = y->n == 1 ? g_array_index (log->parts, LsPassPart, y->first).name : "";

  return !x->effective && !y->effective && strcmp (x->pass, y->pass) == 0 && strcmp (x->unit, y->unit) == 0 && strcmp (name, other) == 0
         && x->kind == y->kind && ls_pass_log_tells (log, a) == ls_pass_log_tells (log, b);
}

/* Who read what was counted: "28 dumps read by LLVM 19.1.7, 2 by the tolerant reader: ...". */
static void
print_readers (LsPassLog *log,
               char     **readers)
{
  guint llvm = 0, other = 0;
  int first = -1, by_llvm = -1;

  for (guint i = 0; i < log->dumps->len; i++)
    if (readers[i] != NULL && g_str_has_prefix (readers[i], "LLVM "))
      {
        by_llvm = (int) i;
        llvm++;
      }
    else if (readers[i] != NULL)
      {
        first = first < 0 ? (int) i : first;
        other++;
      }
  if (llvm > 0)
    printf ("counted of dumps that %s read: %u\n", readers[by_llvm], llvm);
  if (other > 0 && llvm + other > 0)
    printf ("counted of dumps that the tolerant reader read: %u (%d: %s)\n", other, first + 1, readers[first]);
}

int
ls_cli_passes_list (LsPassLog              *log,
                    const LsCliPassesShown *shown)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  gboolean counted = shown->counts || ls_pass_log_size (log) <= MOST_COUNTED;
  char **readers = g_new0 (char *, log->dumps->len + 1);
  g_autofree LsPassCounts *all = counted ? ls_pass_log_count_all (log, readers) : NULL;
  g_autoptr (LsPassNesting) nesting = shown->json ? ls_pass_nesting_new (log) : NULL;
  guint n = 0, effective = 0, unknown = 0;

  json_builder_begin_object (builder);
  ls_json_put_text (builder, "kind", ls_pass_log_kind_name (log->kind));
  ls_json_begin_array (builder, "dumps");
  if (!shown->json)
    printf ("%s (%s)\n", ls_pass_log_kind_name (log->kind), log->recognised ? "recognised; --kind corrects it" : "as asked");
  if (shown->nested && !shown->json)
    ls_cli_passes_nested (log, shown->depth, all);
  for (guint i = 0; i < log->dumps->len && (!shown->nested || shown->json); i++)
    {
      LsPassDump *dump = dump_at (log, i);
      guint first = i;

      if (!ls_cli_passes_has_function (log, dump, shown->function) || (shown->effective && !dump->effective))
        continue;
      n++;
      effective += dump->effective;
      unknown += !ls_pass_log_tells (log, i);
      if (shown->json)
        {
          json_builder_begin_object (builder);
          put_members (builder, log, i, counted ? &all[i] : NULL, readers[i]);
          ls_json_begin_array (builder, "in");
          put_path (builder, nesting, nesting->of[i]);
          json_builder_end_array (builder);
          json_builder_end_object (builder);
          continue;
        }
      while (i + 1 < log->dumps->len && is_repeat (log, i, i + 1))
        {
          i++, n++;
          unknown += !ls_pass_log_tells (log, i);
        }
      ls_cli_passes_print_dump (log, first, counted ? &all[first] : NULL, i - first + 1);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  if (shown->json)
    ls_cli_put_json (builder);
  else if (!shown->nested)
    {
      printf ("%u dumps, %u with an effect", n, effective);
      if (unknown > 0)
        printf (", %u with nothing to compare with", unknown);
      fputs (counted ? "\n" : "; --counts says how much each changed\n", stdout);
      print_readers (log, readers);
    }
  for (guint i = 0; i < log->dumps->len; i++)
    g_free (readers[i]);
  g_free (readers);
  return LS_CLI_DONE;
}

void
ls_cli_passes_print_unprinted (LsPassLog *log,
                               guint      number)
{
  g_autoptr (GArray) others = ls_pass_log_unprinted (log, number);

  if (others->len == 0)
    return;
  printf ("       not printed since: ");
  for (guint i = 0; i < others->len; i++)
    printf ("%s%u %s", i > 0 ? ", " : "", g_array_index (others, guint, i) + 1, dump_at (log, g_array_index (others, guint, i))->pass);
  puts ("; it may have been one of these (-print-module-scope tells)");
}
