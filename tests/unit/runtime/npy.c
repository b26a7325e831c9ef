/* .npy files: round trips, files as numpy writes them, and hostile headers. */
#include "engine/runtime/runtime.h"

#include <glib/gstdio.h>
#include <string.h>

static GByteArray *
file_new (int         version,
          const char *dictionary,
          const void *data,
          gsize       n_data)
{
  GByteArray *file = g_byte_array_new ();
  gsize n = strlen (dictionary);
  guint8 prefix[12] = { 0x93, 'N', 'U', 'M', 'P', 'Y', (guint8) version, 0, (guint8) n,
                        (guint8) (n >> 8), 0, 0 };

  g_byte_array_append (file, prefix, version == 1 ? 10 : 12);
  g_byte_array_append (file, (const guint8 *) dictionary, (guint) n);
  if (n_data > 0)
    g_byte_array_append (file, data, (guint) n_data);
  return file;
}

static LsNDArray *
parse (int          version,
       const char  *dictionary,
       const void  *data,
       gsize        n_data,
       GError     **error)
{
  g_autoptr (GByteArray) file = file_new (version, dictionary, data, n_data);
  g_autofree guint8 *exact = g_memdup2 (file->data, file->len);

  return ls_npy_parse (exact, file->len, error);
}

static void
test_round_trip (void)
{
  static const char *const names[] = { "bool", "int8", "int16", "int32", "int64", "uint8",
                                       "uint16", "uint32", "uint64", "float16", "bfloat16",
                                       "float32", "float64" };
  g_autofree char *folder = g_dir_make_tmp ("ls-npy-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.npy", NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsNDArray) array = NULL;
      g_autoptr (LsNDArray) back = NULL;
      LsDLDataType dtype;

      ls_dl_dtype_parse (names[i], &dtype, NULL);
      array = ls_ndarray_new (3, (gint64[]) { 2, 1, 5 }, dtype, NULL);
      ls_tensor_fill_random (&array->tensor, i);
      g_assert_true (ls_npy_write (path, &array->tensor, &error));
      g_assert_no_error (error);
      back = ls_npy_read (path, &error);
      g_assert_no_error (error);
      g_assert_true (ls_dl_dtype_equal (back->tensor.dtype, dtype));
      g_assert_cmpmem (back->tensor.data, back->n_bytes, array->tensor.data, array->n_bytes);
    }
  g_remove (path);
  g_rmdir (folder);
}

static void
test_header_text (void)
{
  g_autoptr (LsNDArray) array = ls_ndarray_new (1, (gint64[]) { 3 }, LS_DT_FLOAT32, NULL);
  g_autoptr (LsNDArray) lanes = ls_ndarray_new (1, (gint64[]) { 2 },
                                                (LsDLDataType) { LS_DL_INT, 8, 4 }, NULL);
  g_autoptr (GBytes) bytes = ls_npy_format (&array->tensor, NULL);
  g_autoptr (GBytes) vectors = ls_npy_format (&lanes->tensor, NULL);
  const char *text = g_bytes_get_data (bytes, NULL);

  g_assert_cmpuint (g_bytes_get_size (bytes), ==, 128 + 12);
  g_assert_true (g_str_has_prefix (text + 10,
                                   "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }"));
  text = g_bytes_get_data (vectors, NULL);
  g_assert_true (g_str_has_prefix (text + 10,
                                   "{'descr': '|i1', 'fortran_order': False, 'shape': (2, 4), }"));
}

static void
test_orders (void)
{
  static const guint8 big[12] = { 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 1, 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsNDArray) c = NULL;
  g_autoptr (LsNDArray) f = NULL;
  g_autofree char *c_text = NULL;
  g_autofree char *f_text = NULL;

  c = parse (1, "{'descr': '>i2', 'fortran_order': False, 'shape': (2, 3), }\n", big, 12, &error);
  g_assert_no_error (error);
  f = parse (3, "{\"shape\":(2L,3L),'fortran_order':True,'descr':'>i2'}", big, 12, &error);
  g_assert_no_error (error);
  c_text = ls_tensor_print (&c->tensor, 0);
  f_text = ls_tensor_print (&f->tensor, 0);
  g_assert_cmpstr (c_text, ==, "[[1, 2, 3],\n [4, 5, 256]]");
  g_assert_cmpstr (f_text, ==, "[[1, 3, 5],\n [2, 4, 256]]");
}

static void
test_hostile (void)
{
  static const struct { const char *dictionary; const char *says; } rows[] = {
    { "", "expected \"{\"" },
    { "{", "expected a key" },
    { "{}", "\"descr\" is missing" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)", "expected \"}\"" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (3)}", "expected \",\"" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (3,,)}", "expected an extent" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (-3,)}", "expected an extent" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}", "2^63" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 16,)}", "asks for more" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (1000000,)}", "asks for more" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'shape': (1,)}", "stands twice" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'x': 1}", "the key \"x\"" },
    { "{'descr': '<f4', 'fortran_order': 1, 'shape': (1,)}", "expected True or False" },
    { "{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", "\"|O\"" },
    { "{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}", "\"<c8\"" },
    { "{'descr': '<f4\\n', 'fortran_order': False, 'shape': (1,)}", "short string" },
    { "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", "structure" },
    { "{'descr': '\xff\xfe', 'fortran_order': False, 'shape': (1,)}", "element type" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x", "expected nothing more" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
      "1,1,1,1,1,1,1,1,1,1,1,1,1,1)}", "more than 32" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (parse (1, rows[i].dictionary, "\0\0\0", 3, &error));
      g_assert_nonnull (error);
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
      if (strstr (error->message, rows[i].says) == NULL)
        g_error ("%s: \"%s\" lacks \"%s\"", rows[i].dictionary, error->message, rows[i].says);
    }
}

/* Every truncation of a good file is refused (data) or readable, never worse. */
static void
test_truncated (void)
{
  g_autoptr (LsNDArray) array = ls_ndarray_new (2, (gint64[]) { 3, 3 }, LS_DT_FLOAT64, NULL);
  g_autoptr (GBytes) bytes = ls_npy_format (&array->tensor, NULL);

  for (gsize n = 0; n < g_bytes_get_size (bytes); n++)
    {
      g_autofree guint8 *part = g_memdup2 (g_bytes_get_data (bytes, NULL), MAX (n, 1));
      g_autoptr (GError) error = NULL;

      g_assert_null (ls_npy_parse (part, n, &error));
      g_assert_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_FORMAT);
    }
}

static void
test_zero_extent (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsNDArray) array =
    parse (1, "{'descr': '<f8', 'fortran_order': True, 'shape': (0, 4611686018427387904, 9)}", "",
           0, &error);

  g_assert_no_error (error);
  g_assert_cmpint (ls_tensor_n_elements (&array->tensor), ==, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/runtime/npy/round-trip", test_round_trip);
  g_test_add_func ("/runtime/npy/header-text", test_header_text);
  g_test_add_func ("/runtime/npy/orders", test_orders);
  g_test_add_func ("/runtime/npy/hostile", test_hostile);
  g_test_add_func ("/runtime/npy/truncated", test_truncated);
  g_test_add_func ("/runtime/npy/zero-extent", test_zero_extent);
  return g_test_run ();
}
