/* base/json: members that were written are read again; what is missing, damaged or no number counts as not there. */
#include "engine/base/json.h"

#include <math.h>

static JsonNode *
parsed (const char *text)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (json_parser_load_from_data (parser, text, -1, &error));
  g_assert_no_error (error);
  return json_parser_steal_root (parser);
}

static void
test_there_and_back (void)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (JsonNode) again = NULL;
  g_autofree char *text = NULL;
  JsonObject *object;

  json_builder_begin_object (builder);
  ls_json_put_text (builder, "name", "a \"b\"\n");
  ls_json_put_text (builder, "nothing", NULL);
  ls_json_put_int (builder, "large", G_MININT64);
  ls_json_put_double (builder, "half", 0.5);
  ls_json_put_double (builder, "nan", NAN);
  ls_json_put_double (builder, "inf", -INFINITY);
  ls_json_put_bool (builder, "no", FALSE);
  ls_json_put_true (builder, "yes", TRUE);
  ls_json_put_true (builder, "absent", FALSE);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  text = json_to_string (root, FALSE);
  g_assert_cmpstr (text, ==, "{\"name\":\"a \\\"b\\\"\\n\",\"large\":-9223372036854775808,\"half\":0.5,\"nan\":null,\"inf\":null,"
                             "\"no\":false,\"yes\":true}");
  again = parsed (text);
  object = json_node_get_object (again);
  g_assert_cmpstr (ls_json_text (object, "name"), ==, "a \"b\"\n");
  g_assert_cmpint (ls_json_int (object, "large", 0), ==, G_MININT64);
  g_assert_cmpfloat (ls_json_double (object, "half", 0.0), ==, 0.5);
  g_assert_cmpfloat (ls_json_double (object, "nan", 3.0), ==, 3.0);
  g_assert_false (ls_json_is_true (object, "no"));
  g_assert_true (ls_json_is_true (object, "yes"));
}

static void
test_other_kinds (void)
{
  g_autoptr (JsonNode) root = parsed ("{\"text\": \"7\", \"int\": 7, \"double\": 7.5, \"bool\": true, \"list\": [1], \"object\": {\"a\": 1}, \"null\": null}");
  JsonObject *object = json_node_get_object (root);
  static const char *const MEMBERS[] = { "text", "int", "double", "bool", "list", "object", "null", "missing" };

  for (guint i = 0; i < G_N_ELEMENTS (MEMBERS); i++)
    {
      const char *name = MEMBERS[i];

      g_assert_cmpint (ls_json_text (object, name) != NULL, ==, i == 0);
      g_assert_cmpint (ls_json_int (object, name, -1) != -1, ==, i == 1);
      g_assert_cmpint (ls_json_double (object, name, -1.0) >= 0.0, ==, i == 1 || i == 2);
      g_assert_cmpint (ls_json_is_true (object, name), ==, i == 3);
      g_assert_cmpint (ls_json_array (object, name) != NULL, ==, i == 4);
      g_assert_cmpint (ls_json_object (object, name) != NULL, ==, i == 5);
    }
  g_assert_null (ls_json_text (NULL, "text"));
  g_assert_null (ls_json_array (NULL, "list"));
  g_assert_null (ls_json_object (NULL, "object"));
  g_assert_cmpint (ls_json_int (NULL, "int", 4), ==, 4);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/json/there-and-back", test_there_and_back);
  g_test_add_func ("/base/json/other-kinds", test_other_kinds);
  return g_test_run ();
}
