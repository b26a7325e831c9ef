/* diagnostics: how findings look as text and as JSON, whatever the source line holds. */
#include "engine/base/base.h"
#include "engine/base/findings.h"
#include "engine/base/plural.h"

#include <json-glib/json-glib.h>
#include <string.h>

static void
assert_printed (const char *text,
                gssize      length,
                guint32     start,
                guint32     end,
                const char *expected)
{
  g_autoptr (LsDiagnostics) sink = ls_diagnostics_new ();
  LsSource *source = ls_source_new ("f.py", text, length);
  g_autofree char *printed = NULL;

  ls_diagnostics_add (sink, LS_SEVERITY_ERROR, "t/x",
                      (LsSpan) { ls_source_get_id (source), start, end }, "No.");
  ls_source_unref (source);
  printed = ls_diagnostics_print (sink);
  g_assert_cmpstr (printed, ==, expected);
}

static void
test_caret (void)
{
  assert_printed ("a\nx = foo (1)\n", -1, 6, 9,
                  "f.py:2:5: error[t/x]: No.\n"
                  "    x = foo (1)\n"
                  "        ^~~\n");
  assert_printed ("ab", -1, 2, 2,
                  "f.py:1:3: error[t/x]: No.\n"
                  "    ab\n"
                  "      ^\n");
  assert_printed ("", -1, 0, 0, "f.py:1:1: error[t/x]: No.\n    \n    ^\n");
  assert_printed ("ab", -1, 77, 99, "f.py:1:3: error[t/x]: No.\n    ab\n      ^\n");
  assert_printed ("ab", -1, 1, 0, "f.py:1:2: error[t/x]: No.\n    ab\n     ^\n");
}

static void
test_many_lines (void)
{
  assert_printed ("one two\nthree\n", -1, 4, 12,
                  "f.py:1:5: error[t/x]: No.\n"
                  "    one two\n"
                  "        ^~~\n");
  assert_printed ("one\r\ntwo\r\n", -1, 5, 8,
                  "f.py:2:1: error[t/x]: No.\n"
                  "    two\n"
                  "    ^~~\n");
  assert_printed ("one\r\ntwo", -1, 4, 5,
                  "f.py:1:5: error[t/x]: No.\n"
                  "    one\n"
                  "       ^\n");
}

static void
test_first (void)
{
  g_autoptr (LsDiagnostics) sink = ls_diagnostics_new ();
  g_autofree char *two = NULL;
  g_autofree char *three = NULL;
  g_autofree char *four = NULL;
  g_autofree char *all = NULL;

  for (guint i = 0; i < 4; i++)
    ls_diagnostics_add (sink, LS_SEVERITY_ERROR, "t/x", (LsSpan) { 0 }, "No %u.", i);
  all = ls_diagnostics_print (sink);
  two = ls_diagnostics_print_first (sink, 2);
  three = ls_diagnostics_print_first (sink, 3);
  four = ls_diagnostics_print_first (sink, 4);
  g_assert_cmpstr (four, ==, all);
  g_assert_nonnull (strstr (two, "No 1."));
  g_assert_null (strstr (two, "No 2."));
  g_assert_true (g_str_has_suffix (two, "\n2 more findings are not shown.\n"));
  g_assert_true (g_str_has_suffix (three, "\n1 more finding is not shown.\n"));
}

static void
test_widths (void)
{
  assert_printed ("\tx\ty", -1, 3, 4,
                  "f.py:1:4: error[t/x]: No.\n"
                  "            x       y\n"
                  "                    ^\n");
  assert_printed ("\xe4\xb8\xad\xc3\xa4 x", -1, 6, 7,
                  "f.py:1:4: error[t/x]: No.\n"
                  "    \xe4\xb8\xad\xc3\xa4 x\n"
                  "        ^\n");
  assert_printed ("\xe4\xb8\xad", -1, 0, 3,
                  "f.py:1:1: error[t/x]: No.\n"
                  "    \xe4\xb8\xad\n"
                  "    ^~\n");
}

static void
test_unsafe_bytes (void)
{
  assert_printed ("a\xff\x1b[x", -1, 4, 5,
                  "f.py:1:5: error[t/x]: No.\n"
                  "    a\\xff\\x1b[x\n"
                  "              ^\n");
  assert_printed ("a\0b", 3, 2, 3,
                  "f.py:1:3: error[t/x]: No.\n"
                  "    a\\x00b\n"
                  "         ^\n");
  assert_printed ("\xe2\x80\xae" "b", -1, 3, 4,
                  "f.py:1:2: error[t/x]: No.\n"
                  "    \\u202eb\n"
                  "          ^\n");
}

static void
test_unsafe_message (void)
{
  g_autoptr (LsDiagnostics) sink = ls_diagnostics_new ();
  g_autofree char *printed = NULL;

  ls_diagnostics_add (sink, LS_SEVERITY_WARNING, "t/x", LS_SPAN_NONE, "%s is\nbad",
                      "\xff\x1b");
  printed = ls_diagnostics_print (sink);
  g_assert_cmpstr (printed, ==, "warning[t/x]: \\xff\\x1b is\\x0abad\n");
  g_assert_false (ls_diagnostics_has_error (sink));
}

static void
test_long_line (void)
{
  g_autofree char *text = g_strnfill (300000, 'x');
  g_auto (GStrv) lines = NULL;
  g_autoptr (LsDiagnostics) sink = ls_diagnostics_new ();
  g_autoptr (LsSource) source = NULL;
  g_autofree char *printed = NULL;

  text[200000] = 'A';
  text[200001] = 'B';
  source = ls_source_new ("f.py", text, -1);
  ls_diagnostics_add (sink, LS_SEVERITY_ERROR, "t/x",
                      (LsSpan) { ls_source_get_id (source), 200000, 200002 }, "No.");
  printed = ls_diagnostics_print (sink);
  lines = g_strsplit (printed, "\n", -1);
  g_assert_true (g_str_has_prefix (lines[0], "f.py:1:200001: "));
  g_assert_cmpuint (strlen (lines[1]), <, 200);
  g_assert_true (g_str_has_prefix (lines[1], "    ...x"));
  g_assert_true (g_str_has_suffix (lines[1], "x..."));
  g_assert_true (strchr (lines[2], '^') - lines[2] == strchr (lines[1], 'A') - lines[1]);
  g_assert_true (g_str_has_suffix (lines[2], " ^~"));
}

static void
test_notes (void)
{
  g_autoptr (LsDiagnostics) sink = ls_diagnostics_new ();
  g_autoptr (LsSource) source = ls_source_new ("f.py", "f (a, b\n", -1);
  guint32 id = ls_source_get_id (source);
  g_autofree char *printed = NULL;
  LsDiagnostic *finding;

  finding = ls_diagnostics_add (sink, LS_SEVERITY_ERROR, "t/x", (LsSpan) { id, 7, 7 },
                                "A \")\" is missing.");
  ls_diagnostic_add_note (finding, (LsSpan) { id, 2, 3 }, "The opener is here.");
  ls_diagnostic_set_repair (finding, "First %s", "close it");
  ls_diagnostic_add_culprit (finding, "body.seq[0]");
  printed = ls_diagnostics_print (sink);
  g_assert_cmpstr (printed, ==,
                   "f.py:1:8: error[t/x]: A \")\" is missing.\n"
                   "    f (a, b\n"
                   "           ^\n"
                   "f.py:1:3: note: The opener is here.\n"
                   "    f (a, b\n"
                   "      ^\n"
                   "repair: First close it\n");
  g_assert_true (ls_diagnostics_has_error (sink));
  g_assert_cmpuint (ls_diagnostics_get_n (sink), ==, 1);
  g_assert_true (ls_diagnostics_get (sink, 0) == finding);
}

static void
test_no_sink (void)
{
  LsDiagnostic *finding;

  finding = ls_diagnostics_add (NULL, LS_SEVERITY_ERROR, "t/x", LS_SPAN_NONE, "No.");
  g_assert_null (finding);
  g_assert_null (ls_diagnostic_add_note (finding, LS_SPAN_NONE, "Note."));
  ls_diagnostic_set_repair (finding, "Nothing");
  ls_diagnostic_add_culprit (finding, "x");
}

static void
test_json (void)
{
  g_autoptr (LsDiagnostics) sink = ls_diagnostics_new ();
  g_autoptr (LsSource) source = ls_source_new ("f\xff.py", "a\nbcd\n", -1);
  g_autofree char *json = NULL;
  LsDiagnostic *finding;

  finding = ls_diagnostics_add (sink, LS_SEVERITY_ERROR, "t/x",
                                (LsSpan) { ls_source_get_id (source), 3, 5 }, "\"q\"");
  ls_diagnostic_add_note (finding, LS_SPAN_NONE, "n");
  ls_diagnostic_add_culprit (finding, "body");
  json = ls_diagnostics_to_json (sink);
  g_assert_cmpstr (json, ==,
                   "[{\"severity\":\"error\",\"code\":\"t/x\",\"file\":\"f\\\\xff.py\","
                   "\"line\":2,\"column\":2,\"end_line\":2,\"end_column\":4,"
                   "\"message\":\"\\\"q\\\"\",\"repair\":null,\"culprits\":[\"body\"],"
                   "\"notes\":[{\"severity\":\"note\",\"code\":null,\"file\":null,"
                   "\"line\":null,\"column\":null,\"end_line\":null,\"end_column\":null,"
                   "\"message\":\"n\",\"repair\":null,\"culprits\":[],\"notes\":[]}]}]");
}

static const char *
other_words (const char *text)
{
  return strcmp (text, "%s holds %u blocks.") == 0 ? "%2$u in %1$s" : text;
}

static const char *
other_number (const char *one,
              const char *many,
              gulong      n)
{
  return strcmp (one, "%u block") != 0 ? "?" : n == 1 ? "%u Block" : n == 2 ? "%u Blöcke, ein Paar" : "%u Blöcke";
}

/* Templates are looked up before their arguments go in, so another language may turn them round. */
static void
test_translated (void)
{
  g_autoptr (LsDiagnostics) sink = ls_diagnostics_new ();
  LsDiagnostic *finding;

  ls_set_translator (other_words);
  finding = ls_diagnostics_add (sink, LS_SEVERITY_ERROR, "test/holds", LS_SPAN_NONE, "%s holds %u blocks.", "k", 3u);
  ls_diagnostic_set_repair (finding, "First %s", "close it");
  g_assert_cmpstr (ls_translate (""), ==, "");
  g_assert_cmpstr (ls_translate_plural ("%u block", "%u blocks", 1), ==, "%u block");
  g_assert_cmpstr (ls_translate_plural ("%u block", "%u blocks", 0), ==, "%u blocks");
  ls_set_plural_translator (other_number);
  g_assert_cmpstr (ls_translate_plural ("%u block", "%u blocks", 1), ==, "%u Block");
  g_assert_cmpstr (ls_translate_plural ("%u block", "%u blocks", 2), ==, "%u Blöcke, ein Paar");
  ls_set_plural_translator (NULL);
  ls_set_translator (NULL);
  g_assert_cmpstr (finding->message, ==, "3 in k");
  g_assert_cmpstr (finding->repair, ==, "First close it");
  g_assert_cmpstr (ls_translate ("%s holds %u blocks."), ==, "%s holds %u blocks.");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/diagnostics/caret", test_caret);
  g_test_add_func ("/base/diagnostics/many-lines", test_many_lines);
  g_test_add_func ("/base/diagnostics/first", test_first);
  g_test_add_func ("/base/diagnostics/widths", test_widths);
  g_test_add_func ("/base/diagnostics/unsafe-bytes", test_unsafe_bytes);
  g_test_add_func ("/base/diagnostics/unsafe-message", test_unsafe_message);
  g_test_add_func ("/base/diagnostics/long-line", test_long_line);
  g_test_add_func ("/base/diagnostics/notes", test_notes);
  g_test_add_func ("/base/diagnostics/no-sink", test_no_sink);
  g_test_add_func ("/base/diagnostics/translated", test_translated);
  g_test_add_func ("/base/diagnostics/json", test_json);
  return g_test_run ();
}
