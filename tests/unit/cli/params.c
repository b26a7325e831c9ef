/* params: BindParams with arrays from a folder of .npy files and from an .npz archive, whole and damaged. */
#include "engine/runtime/runtime.h"
#include "tests/support/support.h"

#include <string.h>

#define TEXT \
  "@I.ir_module\n" \
  "class Module:\n" \
  "    @R.function\n" \
  "    def main(x: R.Tensor((1, \"n\"), \"float32\"), w: R.Tensor((\"n\",), \"float32\")) -> R.Tensor((1, \"n\"), \"float32\"):\n" \
  "        y = R.add(x, w)\n" \
  "        return y\n"

static char *
file (const char *name)
{
  g_autofree char *folder = g_build_filename (g_getenv ("LS_BUILD_ROOT"), "tests", "cli-params", NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0755), ==, 0);
  return g_build_filename (folder, name, NULL);
}

static GBytes *
array_bytes (void)
{
  gint64 shape[] = { 3 };
  g_autoptr (GError) error = NULL;
  LsNDArray *array = ls_ndarray_new (1, shape, (LsDLDataType) { 2, 32, 1 }, &error);
  GBytes *bytes;

  g_assert_no_error (error);
  ((float *) array->tensor.data)[1] = 0.5f;
  bytes = ls_npy_format (&array->tensor, &error);
  g_assert_no_error (error);
  ls_ndarray_unref (array);
  return bytes;
}

static void
put (GByteArray *out,
     guint       value,
     guint       bytes)
{
  for (guint i = 0; i < bytes; i++)
    {
      guint8 byte = (guint8) (value >> (8 * i));

      g_byte_array_append (out, &byte, 1);
    }
}

/* One stored entry w.npy (check sums are not looked at). */
static GByteArray *
archive (void)
{
  g_autoptr (GBytes) npy = array_bytes ();
  GByteArray *out = g_byte_array_new ();
  guint n = (guint) g_bytes_get_size (npy), at;

  for (guint central = 0; central < 2; central++)
    {
      at = out->len;
      put (out, central ? 0x02014b50u : 0x04034b50u, 4);
      put (out, 20, central ? 4 : 2);
      for (guint i = 0; i < 5; i++)
        put (out, 0, 2);
      put (out, 0, 2);
      put (out, n, 4);
      put (out, n, 4);
      put (out, 5, 2);
      put (out, 0, 2);
      for (guint i = 0; central && i < 4; i++)
        put (out, 0, 4 - 1 * (i < 2));
      g_byte_array_set_size (out, at + (central ? 46 : 30));
      g_byte_array_append (out, (const guint8 *) "w.npy", 5);
      if (central)
        memset (out->data + at + 30, 0, 16);
      else
        g_byte_array_append (out, g_bytes_get_data (npy, NULL), n);
    }
  put (out, 0x06054b50u, 4);
  put (out, 0, 4);
  put (out, 1, 2);
  put (out, 1, 2);
  put (out, 51, 4);
  put (out, at, 4);
  put (out, 0, 2);
  return out;
}

/* What `loopscope-cli pass` writes: the module, or what it says when it refuses. */
static int
run_pass (char  *pass,
          char **out)
{
  g_autofree char *program = g_build_filename (g_getenv ("LS_BUILD_ROOT"), "app", "cli", "loopscope-cli", NULL), *module = file ("module.py");
  g_autofree char *err = NULL;
  char *argv[] = { program, (char *) "pass", module, (char *) "--pass", pass, NULL };
  g_autoptr (GError) error = NULL;
  int status;

  g_assert_true (g_file_set_contents (module, TEXT, -1, NULL));
  g_spawn_sync (NULL, argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, out, &err, &status, &error);
  g_assert_no_error (error);
  g_assert_true (WIFEXITED (status));
  if (WEXITSTATUS (status) != 0)
    {
      g_free (*out);
      *out = g_steal_pointer (&err);
    }
  return WEXITSTATUS (status);
}

static int
bind (const char *params,
      char      **out)
{
  g_autofree char *pass = g_strdup_printf ("BindParams(\"main\", \"%s\")", params);

  return run_pass (pass, out);
}

static void
assert_bound (const char *params)
{
  g_autofree char *text = NULL;

  g_assert_cmpint (bind (params, &text), ==, 0);
  g_assert_nonnull (strstr (text, "def main(x: R.Tensor((1, 3), dtype=\"float32\")) -> R.Tensor((1, 3), dtype=\"float32\"):"));
  g_assert_nonnull (strstr (text, "y: R.Tensor((1, 3), dtype=\"float32\") = R.add(x, metadata[\"relax.expr.Constant\"][0])"));
  g_assert_nonnull (strstr (text, "AAAAAAAAAD8AAAAA"));
}

static void
from_folder (void)
{
  g_autofree char *folder = file ("arrays"), *path = g_build_filename (folder, "w.npy", NULL);
  g_autoptr (GBytes) npy = array_bytes ();

  g_assert_cmpint (g_mkdir_with_parents (folder, 0755), ==, 0);
  g_assert_true (g_file_set_contents (path, g_bytes_get_data (npy, NULL), (gssize) g_bytes_get_size (npy), NULL));
  assert_bound (folder);
  assert_bound (path);
}

static void
from_archive (void)
{
  g_autofree char *path = file ("arrays.npz"), *text = NULL;
  g_autoptr (GByteArray) bytes = archive ();

  g_assert_true (g_file_set_contents (path, (const char *) bytes->data, bytes->len, NULL));
  assert_bound (path);
  for (guint n = 0; n < bytes->len; n += 7)
    {
      g_autofree char *said = NULL;

      g_assert_true (g_file_set_contents (path, (const char *) bytes->data, n, NULL));
      g_assert_cmpint (bind (path, &said), ==, 1);
      g_assert_nonnull (strstr (said, "arrays.npz"));
    }
}

/* A value that can't be read is said in a line, and nothing else is. */
static void
refused (void)
{
  g_autofree char *unknown = NULL, *none = NULL;

  g_assert_cmpint (run_pass ((char *) "BindParams(\"main\", {\"w\": C(3)})", &unknown), ==, 2);
  g_assert_nonnull (strstr (unknown, "The pattern language has no function of this name."));
  g_assert_null (strstr (unknown, "CRITICAL"));
  g_assert_cmpint (run_pass ((char *) "BindParams(\"main\", {\"w\": None})", &none), ==, 2);
  g_assert_nonnull (strstr (none, "An attribute holds a text, a number, a list or a dictionary."));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/params/folder", from_folder);
  g_test_add_func ("/cli/params/archive", from_archive);
  g_test_add_func ("/cli/params/refused", refused);
  return g_test_run ();
}
