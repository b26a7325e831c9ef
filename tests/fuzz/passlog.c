/* fuzz target: any bytes are a log or an error; each dump of it can be counted, and nothing compared with itself differs. */
#include "tests/fuzz/fuzz.h"

#include "engine/passlog/flow.h"
#include "engine/passlog/follow.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOST_BYTES (1u << 20)

/* The bytes right in front of a page that nobody may read: a log in a mapped file ends there, too, without a zero. (transfer full) */
static GBytes *
at_the_edge (const guint8 *data,
             gsize         size)
{
  static guint8 *room;

  if (room == NULL)
    {
      gsize page = (gsize) sysconf (_SC_PAGESIZE);

      room = mmap (NULL, MOST_BYTES + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      g_assert (room != MAP_FAILED && mprotect (room + MOST_BYTES, page, PROT_NONE) == 0);
    }
  if (size > MOST_BYTES)
    return g_bytes_new (data, size);
  memcpy (room + MOST_BYTES - size, data, size);
  return g_bytes_new_static (room + MOST_BYTES - size, size);
}

/* Blocks and edges of both sides; those of the second have keys, no two the same. */
static void
check_flow (const char   *before,
            const char   *after,
            LsPassLogKind kind)
{
  g_autoptr (LsPassFlow) a = ls_pass_flow_read (before, kind), b = ls_pass_flow_read (after, kind);
  g_autoptr (GHashTable) keys = g_hash_table_new (NULL, NULL);
  guint next = 0;

  ls_pass_flow_match (NULL, NULL, a, before, kind, &next);
  ls_pass_flow_match (a, before, b, after, kind, &next);
  for (guint i = 0; i < b->blocks->len; i++)
    if (!g_hash_table_add (keys, GUINT_TO_POINTER (((LsPassBlock *) b->blocks->pdata[i])->key)))
      g_error ("two blocks have one key");
  for (guint i = 0; i < b->edges->len; i++)
    if (((LsPassFlowEdge *) b->edges->pdata[i])->from >= b->blocks->len || ((LsPassFlowEdge *) b->edges->pdata[i])->to >= b->blocks->len)
      g_error ("an edge leads nowhere");
}

/* What is announced while it comes in pieces is announced at once, too. */
static void
check_scan (GBytes *bytes)
{
  g_autoptr (LsPassScan) whole = ls_pass_scan_new (LS_PASS_LOG_AUTO), pieces = ls_pass_scan_new (LS_PASS_LOG_AUTO);
  g_autoptr (GArray) a = g_array_new (FALSE, FALSE, sizeof (LsPassDump)), b = g_array_new (FALSE, FALSE, sizeof (LsPassDump));
  gsize size, step = 1 + g_bytes_hash (bytes) % 97;
  const char *text = g_bytes_get_data (bytes, &size);

  if (size == 0)
    return;
  ls_pass_scan_feed (whole, text, size, a);
  for (gsize at = 0; at < size; at += step)
    ls_pass_scan_feed (pieces, text + at, MIN (step, size - at), b);
  if (a->len != b->len)
    g_error ("%u dumps at once, %u in pieces", a->len, b->len);
}

/* What LLVM would be given. */
static void
check_module (LsPassLog *log,
              guint      part,
              gboolean   before)
{
  const char *words = NULL;
  g_autofree char *text = ls_pass_log_part_module (log, part, before, &words);

  if (text == NULL && words == NULL)
    g_error ("nothing is given to LLVM, and nothing said");
}

/* Both sides of each part, with and without what can be hidden. */
static void
check_parts (LsPassLog  *log,
             LsPassDump *dump)
{
  guint file, dump_of = (guint) (dump - (LsPassDump *) (void *) log->dumps->data);
  gsize start, end;

  if (ls_pass_log_between (log, dump_of, &file, &start, &end) && end > dump->end)
    g_error ("what stands in front of a dump stands behind it");
  for (guint i = dump->first; i < dump->first + dump->n; i++)
    {
      char *before = NULL, *after = NULL;
      g_autofree char *shown = NULL;

      ls_pass_log_part_sides (log, i, &before, &after);
      check_module (log, i, i % 2 == 0);
      if (after != NULL)
        shown = ls_pass_text_hide (after, dump->language, LS_PASS_HIDE_METADATA | LS_PASS_HIDE_DEBUG | LS_PASS_HIDE_ATTRIBUTES);
      if (shown != NULL && strlen (shown) > strlen (after))
        g_error ("there is more when something is hidden");
      if (after != NULL)
        {
          g_auto (GStrv) places = ls_pass_log_line_places (log, dump_of, after);

          for (guint j = 0; places != NULL && places[j] != NULL; j++)
            ls_pass_place_line (places[j]);
          check_flow (before != NULL ? before : "", after, dump->language);
        }
      g_free (before);
      g_free (after);
    }
}

/* A line of the first part that has one, or a source line: through everything, with links that lead to where they say. */
static void
follow_some (LsPassLog *log,
             guint      draw)
{
  static const char *const PINS[] = { "%", ":3", "=", "bb1:" };
  g_autoptr (GArray) lines = NULL, mentions = NULL;
  g_autofree guint8 *touches = NULL;
  int part = ls_pass_log_find_lines (log, PINS[draw % G_N_ELEMENTS (PINS)], NULL, 0, &lines);

  if (part < 0)
    return;
  mentions = ls_pass_log_follow (log, (guint) part, lines);
  touches = ls_pass_log_touches (log, mentions);
  for (guint i = 0; i < mentions->len; i++)
    {
      LsPassMention *mention = &g_array_index (mentions, LsPassMention, i);

      if (mention->part >= log->parts->len || mention->from >= (int) mentions->len || (mention->from < 0) != (mention->how == LS_PASS_LINK_PINNED))
        g_error ("a link leads nowhere");
    }
}

/* Every dump stands in the nests that it is said to stand in. */
static void
check_nesting (LsPassLog *log)
{
  g_autoptr (LsPassNesting) nesting = ls_pass_nesting_new (log);

  for (guint i = 0; i < log->dumps->len; i++)
    for (int at = nesting->of[i]; at >= 0; at = g_array_index (nesting->nests, LsPassNest, at).parent)
      {
        const LsPassNest *nest = &g_array_index (nesting->nests, LsPassNest, at);
        g_autofree char *words = ls_pass_nest_words (nest);

        if (nest->first > i || nest->end <= i || nest->parent >= at || *words == '\0')
          g_error ("a dump stands in no nest of its own");
      }
}

/* The bytes as a log of one kind. */
static void
check_kind (GBytes       *bytes,
            LsPassLogKind kind)
{
  gsize size = g_bytes_get_size (bytes);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsPassLog) log = ls_pass_log_read (bytes, kind, &error);

  if (log == NULL && (error == NULL || !g_utf8_validate (error->message, -1, NULL)))
    g_error ("an error without a readable sentence");
  for (guint i = 0; log != NULL && i < log->dumps->len; i++)
    {
      LsPassDump *dump = &g_array_index (log->dumps, LsPassDump, i);
      g_autofree char *text = ls_pass_log_dump_text (log, i);
      LsPassCounts counts = { 0 };
      g_autoptr (GArray) changes = ls_pass_diff (text, text, dump->language, &counts);

      if (dump->start > dump->end || dump->end > size)
        g_error ("a dump outside the log");
      if (counts.added + counts.duplicated + counts.removed + counts.rewritten + counts.moved > 0)
        g_error ("a text differs from itself");
      ls_pass_log_count (log, i, &counts);
      check_parts (log, dump);
    }
  if (log != NULL)
    {
      check_nesting (log);
      follow_some (log, g_bytes_hash (bytes) / 8);
    }
}

/* Beside itself nothing of a log differs, at no time and not at the end; beside half of its bytes whatever comes out. */
static void
check_two (GBytes *bytes)
{
  gsize size = g_bytes_get_size (bytes);
  g_autoptr (GBytes) half = g_bytes_new_from_bytes (bytes, 0, size / 2);
  g_autoptr (LsPassLog) log = ls_pass_log_read (bytes, LS_PASS_LOG_AUTO, NULL), again = ls_pass_log_read (bytes, LS_PASS_LOG_AUTO, NULL);
  g_autoptr (LsPassLog) other = ls_pass_log_read (half, LS_PASS_LOG_AUTO, NULL);
  LsPassCounts counts;

  for (guint i = 0; log != NULL && i < log->dumps->len; i++)
    if (ls_pass_dumps_differ (log, i, again, i, NULL, &counts, NULL))
      g_error ("a dump differs from itself");
  if (log != NULL)
    {
      g_autoptr (GArray) ends = ls_pass_logs_ends (log, again, NULL);

      if (ends->len > 0)
        g_error ("a log ends otherwise than itself");
    }
  if (log != NULL && other != NULL)
    {
      g_autoptr (GArray) rows = ls_pass_logs_align (log, other), ends = ls_pass_logs_ends (log, other, NULL);
      const LsPassTwo how = { ends->len > 0 ? g_array_index (ends, LsPassEnd, 0).name : "f", TRUE };

      for (guint i = 0; i < rows->len; i++)
        {
          LsPassPair *pair = &g_array_index (rows, LsPassPair, i);

          if (pair->a >= 0 && pair->b >= 0)
            ls_pass_dumps_differ (log, (guint) pair->a, other, (guint) pair->b, i % 2 == 0 ? &how : NULL, &counts, NULL);
        }
    }
}

static const char *
as_it_is (const char *text,
          gpointer    user_data)
{
  return text;
}

/* A reason that is not translated reads as it was. */
static void
check_reason (const guint8 *data,
              gsize         size)
{
  g_autofree char *sentence = g_strndup ((const char *) data, MIN (size, 300)), *said = ls_pass_reason_new ((LsPassReason) (size % (LS_PASS_REASON_SILENT + 1)), sentence, "7");
  g_autofree char *again = ls_pass_reason_words (sentence, as_it_is, NULL), *words = ls_pass_reason_words (said, as_it_is, NULL);

  if (strcmp (again, sentence) != 0 || strcmp (words, said) != 0)
    g_error ("a reason reads otherwise");
}

/* As what it seems to be, and as a kind that its bytes draw. */
int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size), edge = at_the_edge (data, size);

  check_scan (edge);
  check_two (edge);
  check_reason (data, size);
  check_kind (edge, LS_PASS_LOG_AUTO);
  check_kind (bytes, (LsPassLogKind) (LS_PASS_LOG_LLVM + g_bytes_hash (bytes) % LS_PASS_LOG_TEXT));
  return 0;
}
