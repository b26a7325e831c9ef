/* script/broken: scripts that are none, from tests/data/broken-scripts.txt (`%% NUMBER CODE`, then the text).
 *
 * Each gives a finding with the code, at a place inside the text, and neither crashes nor hangs; the same texts are
 * also read as steps and as expressions.
 */
#include "engine/script/script.h"
#include "tests/support/support.h"

#include <string.h>

static gboolean
has_code (LsDiagnostics *findings,
          const char    *code)
{
  for (guint i = 0; i < ls_diagnostics_get_n (findings); i++)
    if (strcmp (ls_diagnostics_get (findings, i)->code, code) == 0)
      return TRUE;
  return FALSE;
}

static void
assert_places (LsDiagnostics *findings,
               gsize          length)
{
  for (guint i = 0; i < ls_diagnostics_get_n (findings); i++)
    {
      const LsDiagnostic *d = ls_diagnostics_get (findings, i);

      g_assert_cmpstr (d->message, !=, "");
      g_assert_cmpuint (d->span.start, <=, d->span.end);
      g_assert_cmpuint (d->span.end, <=, length);
    }
}

static void
read_aside (LsSource *source,
            gsize     length)
{
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsCallList) list = ls_script_parse_calls (source, findings);
  g_autoptr (LsExpr) expr = ls_script_parse_expr (source, NULL, LS_SCRIPT_EXPR_PLAIN, findings);

  assert_places (findings, length);
}

static void
one_script (const char *label,
            const char *code,
            const char *text,
            gsize       length)
{
  g_autoptr (LsSource) source = ls_source_new (label, text, (gssize) length);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, findings);
  g_autofree char *said = ls_diagnostics_print (findings);
  g_autofree char *json = ls_diagnostics_to_json (findings);

  if (!ls_diagnostics_has_error (findings) || !has_code (findings, code))
    g_test_fail_printf ("%s: %s was expected; found:\n%s", label, code, said);
  assert_places (findings, length);
  read_aside (source, length);
}

static void
test_broken (void)
{
  gsize length;
  g_autofree char *all = ls_test_read ("data/broken-scripts.txt", &length);
  const char *end = all + length;
  guint n = 0;

  for (const char *at = all; at < end; n++)
    {
      const char *line_end = memchr (at, '\n', (gsize) (end - at));
      g_autofree char *head = g_strndup (at, (gsize) (line_end - at));
      const char *code = strrchr (head, ' ') + 1;
      const char *next = line_end + 1;

      while (next < end && !(next[-1] == '\n' && next[0] == '%' && next[1] == '%' && next[2] == ' '))
        next++;
      one_script (head, code, line_end + 1, (gsize) (next - line_end - 1));
      at = next;
    }
  g_assert_cmpuint (n, >=, 200);
}

/* A picture that was taken for a script: a few findings, not one for each of its lines. */
static void
test_no_text (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsSource) source = NULL;
  g_autoptr (LsModule) module = NULL;

  for (guint i = 0; i < 4096; i++)
    {
      const guint8 byte = (guint8) (i * 37 % 251);

      g_byte_array_append (bytes, &byte, 1);
    }
  source = ls_source_new ("picture.py", (const char *) bytes->data, bytes->len);
  module = ls_script_parse (source, findings);
  g_assert_true (ls_diagnostics_has_error (findings));
  g_assert_cmpuint (ls_diagnostics_get_n (findings), <=, 6);
  for (guint i = 0; i < ls_diagnostics_get_n (findings); i++)
    g_assert_cmpstr (ls_diagnostics_get (findings, i)->code, ==, "script/encoding");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/script/broken", test_broken);
  g_test_add_func ("/script/no-text", test_no_text);
  return g_test_run ();
}
