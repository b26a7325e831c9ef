/* Results that come back: what is read, and what is refused with which sentence. */
#include "tests/support/support.h"

#include "data/device/host/bundle.h"
#include "engine/device/device.h"

#include <string.h>

#define HEAD "{\n\"format\": \"loopscope-device-result\",\n\"version\": 1,\n\"name\": \"a.py\",\n\"program\": \"0123456789abcdef\",\n\"made_by\": \"loopscope 0\",\n" \
  "\"when\": \"2026-01-01T00:00:00Z\",\n\"device\": {\"api\": \"cuda\", \"name\": \"X\"},\n"
#define TIME "{\"unit\": \"ns\", \"cache_flushed\": false, \"min\": 1, \"q1\": 2, \"median\": 3, \"q3\": 4, \"settled\": true, \"samples\": [1, 3, 5]}"
#define STEP(verdict, time) "{\"name\": \"s\", \"hash\": \"00000000000000ff\", \"verdict\": \"" verdict "\", \"time\": " time "}"
#define GOOD HEAD "\"steps\": [" STEP ("same", TIME) "]"

/* With its checksum. (transfer full) */
static char *
signed_text (const char *text)
{
  return g_strdup_printf ("%s,\n\"checksum\": \"%016" G_GINT64_MODIFIER "x\"\n}\n", text, (guint64) bundle_sum (BUNDLE_SUM, text, strlen (text)));
}

static void
refused (const char *text,
         gssize      length,
         const char *sentence)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsDeviceResult) result = ls_device_result_parse ("r.json", text, length < 0 ? strlen (text) : (gsize) length, &error);

  g_assert_null (result);
  if (strstr (error->message, sentence) == NULL)
    g_error ("\"%s\" is not in: %s", sentence, error->message);
  g_assert_true (g_str_has_prefix (error->message, "r.json: "));
}

static void
test_good (void)
{
  g_autofree char *text = signed_text (GOOD);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsDeviceResult) result = ls_device_result_parse ("r.json", text, strlen (text), &error);
  const LsDeviceResultStep *step;

  g_assert_no_error (error);
  g_assert_cmpstr (result->device, ==, "X");
  step = ls_device_result_find (result, "00000000000000ff");
  g_assert_nonnull (step);
  g_assert_cmpfloat (step->time.median, ==, 3);
  g_assert_cmpuint (step->time.n, ==, 3);
  g_assert_null (ls_device_result_find (result, "00000000000000fe"));
}

static void
test_refused (void)
{
  static const struct { const char *text, *sentence; } CASES[] = {
    { HEAD "\"steps\": []", "it has no steps" },
    { HEAD "\"steps\": [4]", "step 1 is no object" },
    { HEAD "\"steps\": [{\"name\": \"s\", \"verdict\": \"same\"}]", "step 1 has no text \"hash\"" },
    { HEAD "\"steps\": [" STEP ("fine", TIME) "]", "the verdict of step 1 is \"fine\"; same, differs or failed is expected" },
    { HEAD "\"steps\": [" STEP ("differs", TIME) "]", "step 1 has a time although its result is not right" },
    { HEAD "\"steps\": [" STEP ("same", "{\"unit\": \"ns\", \"min\": 9, \"q1\": 2, \"median\": 3, \"q3\": 4, \"samples\": [1]}") "]", "contradicts itself" },
    { HEAD "\"steps\": [" STEP ("same", "{\"unit\": \"ms\", \"min\": 1, \"q1\": 2, \"median\": 3, \"q3\": 4, \"samples\": [1]}") "]", "is not ns" },
    { HEAD "\"steps\": [{\"name\": \"s\", \"verdict\": \"same\", \"hash\": \"12\"}]", "16 hexadecimal digits are expected" },
    { "{\n\"format\": \"other\",\n\"version\": 1", "it is no result of a device: \"format\" is \"other\"" },
    { "{\n\"version\": 1", "\"format\" is not there" },
    { "{\n\"format\": \"loopscope-device-result\",\n\"version\": 2", "its version is 2; this program reads version 1" },
    { "{\n\"format\": \"loopscope-device-result\",\n\"version\": 1,\n\"name\": \"a\", \"program\": \"0\", \"made_by\": \"m\", \"when\": \"w\"", "does not say on which device" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      g_autofree char *text = signed_text (CASES[i].text);

      refused (text, -1, CASES[i].sentence);
    }
  refused ("[]", -1, "it is JSON, but no object");
  refused ("", -1, "it is JSON, but no object");
  refused ("{\"format\": \"loopscope-device-result\", \"version\": 1}", -1, "it has no checksum at its end");
  refused ("\xff\xfe", -1, "it is no text in UTF-8");
  refused ("{\"format\": \"loopscope-device-result\",\n \"version\": 1,\n \"name\": }\n", -1, "r.json: line 3, column 10: it is no JSON, or was cut off: a value is expected here.");
  refused ("{\"a\": 1\n\"b\": 2}", -1, "r.json: line 1, column 7: it is no JSON, or was cut off: a comma or a closing bracket is expected behind this.");
  refused ("{\"a\": [1, 2\n", -1, "line 1, column 11: it is no JSON, or was cut off: a comma or a closing bracket is expected behind this.");
}

/* Each byte that is another, and each end that is missing, is found. */
static void
test_damaged (void)
{
  g_autofree char *text = signed_text (GOOD);
  gsize length = strlen (text), body = strlen (GOOD);

  for (gsize i = 0; i < length; i++)
    {
      g_autofree char *other = g_strdup (text);
      g_autoptr (LsDeviceResult) result = NULL;

      other[i] = other[i] == '7' ? '8' : '7';
      result = ls_device_result_parse ("r.json", other, length, NULL);
      if (i < body)
        g_assert_null (result);
    }
  for (gsize i = 0; i + 2 < length; i++)
    {
      g_autoptr (LsDeviceResult) result = ls_device_result_parse ("r.json", text, i, NULL);

      g_assert_null (result);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/device/result/good", test_good);
  g_test_add_func ("/device/result/refused", test_refused);
  g_test_add_func ("/device/result/damaged", test_damaged);
  return g_test_run ();
}
