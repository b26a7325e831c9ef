/* address: where a queue is, what is refused, and that no password is shown or left on a command line; what travels and what does not. */
#include "app/fleet/fleet.h"
#include "app/rpc/rpc.h"
#include "tests/support/support.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

typedef struct {
  const char *text, *path, *host, *queue, *user, *password, *shown;
  guint       port, database;
} Good;

static void
test_good (void)
{
  static const Good rows[] = {
    { "redis://h", NULL, "h", "loopscope", NULL, NULL, "redis://h:6379", 6379, 0 },
    { "redis://[::1]:7/3?queue=q", NULL, "::1", "q", NULL, NULL, "redis://::1:7?queue=q", 7, 3 },
    { "redis://me:s%40crt@h:1", NULL, "h", "loopscope", "me", "s@crt", "redis://me@h:1", 1, 0 },
    { "redis://:pw@h", NULL, "h", "loopscope", "", "pw", "redis://h:6379", 6379, 0 },
    { "unix:///run/r.sock?queue=a&db=2", "/run/r.sock", NULL, "a", NULL, NULL, "unix:///run/r.sock?queue=a", 0, 2 },
    { "/run/r.sock", "/run/r.sock", NULL, "loopscope", NULL, NULL, "unix:///run/r.sock", 0, 0 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsFleetAddress) address = ls_fleet_address_parse (rows[i].text, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpstr (address->path, ==, rows[i].path);
      g_assert_cmpstr (address->host, ==, rows[i].host);
      g_assert_cmpuint (address->port, ==, rows[i].port);
      g_assert_cmpuint (address->database, ==, rows[i].database);
      g_assert_cmpstr (address->queue, ==, rows[i].queue);
      g_assert_cmpstr (address->user, ==, rows[i].user);
      g_assert_cmpstr (address->password, ==, rows[i].password);
      g_assert_cmpstr (address->shown, ==, rows[i].shown);
    }
}

static void
test_refused (void)
{
  static const char *const rows[][2] = {
    { "rediss://u:hidden@h", "TLS" },          { "http://u:hidden@h", "a queue is named as" },  { "redis://", "a queue is named as" },
    { "", "a queue is named as" },             { "unix://r.sock", "the whole path" },           { "redis://u:hidden@h/x", "a number" },
    { "redis://u:hidden@h?q=1", "has no" },    { "redis://u:hidden@h?queue=a*", "no name" },    { "redis://u:hidden@h?queue=", "no name" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (ls_fleet_address_parse (rows[i][0], NULL, &error));
      g_assert_error (error, LS_FLEET_ERROR, LS_FLEET_ERROR_ADDRESS);
      g_assert_nonnull (strstr (error->message, rows[i][1]));
      g_assert_null (strstr (error->message, "hidden"));
    }
}

static void
test_file (void)
{
  g_autofree char *folder = g_dir_make_tmp ("fleet-XXXXXX", NULL), *path = g_build_filename (folder, "auth", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsFleetAddress) open = NULL, address = NULL;

  g_assert_true (g_file_set_contents (path, "# of the queue\n\nanna  two words\n", -1, NULL));
  g_assert_cmpint (g_chmod (path, 0640), ==, 0);
  g_assert_null (ls_fleet_address_parse ("redis://h", path, &error));
  g_assert_nonnull (strstr (error->message, "chmod 600"));
  g_clear_error (&error);
  g_assert_cmpint (g_chmod (path, 0600), ==, 0);
  address = ls_fleet_address_parse ("redis://h", path, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (address->user, ==, "anna");
  g_assert_cmpstr (address->password, ==, "two words");
  g_remove (path);
  g_assert_null (ls_fleet_address_parse ("redis://h", path, &error));
  g_assert_nonnull (strstr (error->message, "cannot be read"));
  g_rmdir (folder);
}

static void
test_hide (void)
{
  static const char *const rows[][2] = {
    { "redis://me:secret@h:1/2", "redis://me:xxxxxx@h:1/2" },
    { "--queue=redis://:pw@h", "--queue=redis://:xx@h" },
    { "redis://me:a@b@h", "redis://me:xxx@h" },
    { "redis://h:6379", "redis://h:6379" },
    { "unix:///a@b:c", "unix:///a@b:c" },
    { "matmul.py", "matmul.py" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *text = g_strdup (rows[i][0]);

      ls_fleet_address_hide (text);
      g_assert_cmpstr (text, ==, rows[i][1]);
    }
}

static GHashTable *
table_of (GPtrArray *fields)
{
  GHashTable *table = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i + 1 < fields->len; i += 2)
    g_hash_table_insert (table, fields->pdata[i], fields->pdata[i + 1]);
  return table;
}

/* Neither files nor descriptors of the asker get to a worker elsewhere; numbers come through whole. */
static void
test_travels (void)
{
  static const char *const set[] = { "n=3", "m=4", NULL }, *const inputs[] = { "/etc/passwd", NULL };
  GVariantDict dict;
  g_autoptr (GVariant) params = NULL, back = NULL, answer = NULL;
  g_autoptr (GPtrArray) fields = NULL, result = NULL;
  g_autoptr (GHashTable) table = NULL, told = NULL;
  g_auto (GStrv) sizes = NULL;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "module", "s", "text");
  g_variant_dict_insert (&dict, "budget-ms", "x", (gint64) 1 << 40);
  g_variant_dict_insert_value (&dict, "set", g_variant_new_strv (set, -1));
  g_variant_dict_insert_value (&dict, "inputs", g_variant_new_strv (inputs, -1));
  g_variant_dict_insert (&dict, "kernel", "x", (gint64) 1);
  params = g_variant_ref_sink (g_variant_dict_end (&dict));
  fields = ls_fleet_job_pack (params);
  ls_fleet_put (fields, "inputs", "/etc/passwd");
  ls_fleet_put (fields, "kernel", "1");
  table = table_of (fields);
  back = g_variant_ref_sink (ls_fleet_job_unpack (table, "base"));
  sizes = ls_params_strv (back, "set");
  g_assert_cmpstr (ls_params_string (back, "module", NULL), ==, "text");
  g_assert_cmpstr (ls_params_string (back, "reference", NULL), ==, "base");
  g_assert_cmpint (ls_params_int (back, "budget-ms", 0), ==, (gint64) 1 << 40);
  g_assert_cmpstrv (sizes, set);
  g_assert_null (g_variant_lookup_value (back, "inputs", NULL));
  g_assert_null (g_variant_lookup_value (back, "kernel", NULL));

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "median", "d", 1.0 / 3);
  g_variant_dict_insert (&dict, "max-error", "d", INFINITY);
  g_variant_dict_insert (&dict, "equal", "b", TRUE);
  g_variant_unref (params);
  params = g_variant_ref_sink (g_variant_dict_end (&dict));
  result = ls_fleet_result_pack (params);
  told = table_of (result);
  answer = g_variant_ref_sink (ls_fleet_result_unpack (told));
  g_assert_cmpfloat (ls_params_double (answer, "median", 0), ==, 1.0 / 3);
  g_assert_true (isinf (ls_params_double (answer, "max-error", 0)));
  g_assert_true (ls_params_bool (answer, "equal", FALSE));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fleet/address/good", test_good);
  g_test_add_func ("/fleet/address/refused", test_refused);
  g_test_add_func ("/fleet/address/file", test_file);
  g_test_add_func ("/fleet/address/hide", test_hide);
  g_test_add_func ("/fleet/job/travels", test_travels);
  return g_test_run ();
}
