/* support: the pool, and the comparison with the recorded text. */
#include "tests/unit/te/support.h"

#include <string.h>

static GPtrArray *pool;

gpointer
te_keep (gpointer node)
{
  g_assert_nonnull (node);
  if (pool == NULL)
    pool = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_ptr_array_add (pool, node);
  return node;
}

LsDType
te_type (const char *name)
{
  LsDType dtype;

  g_assert_true (ls_dtype_parse (name, &dtype));
  return dtype;
}

LsTeTensor *
te_in (const char *name,
       const char *dtype,
       ...)
{
  GPtrArray *shape = g_ptr_array_new ();
  va_list args;

  va_start (args, dtype);
  for (int extent = va_arg (args, int); extent >= 0; extent = va_arg (args, int))
    g_ptr_array_add (shape, ls_int (extent));
  va_end (args);
  return te_keep (ls_te_placeholder (name, ls_array_take_ptr_array (shape), te_type (dtype)));
}

LsTeTensor *
te_in_shape (const char *name,
             const char *dtype,
             ...)
{
  GPtrArray *shape = g_ptr_array_new ();
  va_list args;

  va_start (args, dtype);
  for (LsNode *extent = va_arg (args, LsNode *); extent != NULL; extent = va_arg (args, LsNode *))
    g_ptr_array_add (shape, extent);
  va_end (args);
  return te_keep (ls_te_placeholder (name, ls_array_take_ptr_array (shape), te_type (dtype)));
}

LsArray *
te_ints (gint64 first,
         ...)
{
  GPtrArray *items = g_ptr_array_new ();
  va_list args;

  if (first != -1000)
    {
      g_ptr_array_add (items, ls_int (first));
      va_start (args, first);
      for (int item = va_arg (args, int); item != -1000; item = va_arg (args, int))
        g_ptr_array_add (items, ls_int (item));
      va_end (args);
    }
  return te_keep (ls_array_take_ptr_array (items));
}

TeResult
te_result (guint8 index_bits,
           ...)
{
  GPtrArray *items = g_ptr_array_new ();
  va_list args;

  va_start (args, index_bits);
  for (LsNode *item = va_arg (args, LsNode *); item != NULL; item = va_arg (args, LsNode *))
    {
      if (!ls_is (item, ARRAY))
        g_ptr_array_add (items, ls_node_ref (item));
      for (guint i = 0; ls_is (item, ARRAY) && i < ((LsArray *) item)->n; i++)
        g_ptr_array_add (items, ls_node_ref (((LsArray *) item)->items[i]));
    }
  va_end (args);
  return (TeResult) { ls_array_take_ptr_array (items), index_bits };
}

/* tests/golden/te/NNN-*.ref.tir */
static char *
read_expected (guint number)
{
  g_autofree char *folder = ls_test_path ("golden/te");
  g_autofree char *prefix = g_strdup_printf ("%03u-", number);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, prefix) && g_str_has_suffix (name, ".ref.tir"))
      {
        g_autofree char *path = g_build_filename ("golden/te", name, NULL);

        return ls_test_read (path, NULL);
      }
  g_error ("no recorded text for case %u", number);
}

static void
run_case (gconstpointer data)
{
  const TeCaseRow *row = data;
  g_autofree char *expected = read_expected (row->number);
  TeResult result = row->build ();
  LsDType dtype = LS_DTYPE (LS_TYPE_INT, result.index_bits);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsArray) args = result.args;
  g_autoptr (LsPrimFunc) func = NULL;
  g_autofree char *text = NULL;
  LsScriptPrintOptions options = { 0 };

  func = ls_te_create_prim_func (args, result.index_bits != 0 ? &dtype : NULL, &error);
  g_assert_no_error (error);
  text = ls_script_print (func, &options, NULL);
  if (!g_str_has_suffix (expected, "\n\n") && g_str_has_suffix (text, "\n\n"))
    text[strlen (text) - 1] = '\0';
  ls_assert_same_text (text, expected);
  g_clear_pointer (&pool, g_ptr_array_unref);
}

void
te_add_cases (const char      *suite,
              const TeCaseRow *rows,
              guint            n)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = g_strdup_printf ("/%s/%03u", suite, rows[i].number);

      g_test_add_data_func (path, &rows[i], run_case);
    }
}
