/* ptr-map: behaves as a GHashTable with the same keys does. */
#include "engine/base/ptr-map.h"

static void
assert_equal (LsPtrMap   *map,
              GHashTable *model)
{
  guint n = 0;

  ls_ptr_map_foreach (map, slot)
    {
      g_assert_true (g_hash_table_lookup (model, slot->key) == slot->value);
      n++;
    }
  g_assert_cmpuint (n, ==, g_hash_table_size (model));
  g_assert_cmpuint (n, ==, map->n);
}

static void
check_random (guint n_keys,
              guint reserved)
{
  g_autoptr (GHashTable) model = g_hash_table_new (NULL, NULL);
  g_auto (LsPtrMap) map;

  ls_ptr_map_init (&map, reserved);
  for (guint i = 0; i < 20 * n_keys; i++)
    {
      gpointer key = GUINT_TO_POINTER (16 * (guint) g_test_rand_int_range (1, (gint) n_keys + 1));
      gpointer value = GUINT_TO_POINTER (i + 1);

      g_assert_true (ls_ptr_map_get (&map, key) == g_hash_table_lookup (model, key));
      g_assert_cmpint (ls_ptr_map_contains (&map, key), ==, g_hash_table_contains (model, key));
      if (g_test_rand_int_range (0, 3) > 0)
        {
          ls_ptr_map_set (&map, key, value);
          g_hash_table_insert (model, key, value);
          continue;
        }
      g_assert_true (ls_ptr_map_remove (&map, key) == g_hash_table_lookup (model, key));
      g_hash_table_remove (model, key);
    }
  assert_equal (&map, model);
}

static void
test_random (void)
{
  for (guint n = 1; n < 60; n++)
    {
      check_random (n, 0);
      check_random (n, n);
    }
  check_random (5000, 0);
}

static void
test_nothing (void)
{
  g_auto (LsPtrMap) map;

  ls_ptr_map_init (&map, 0);
  g_assert_null (ls_ptr_map_get (&map, NULL));
  g_assert_false (ls_ptr_map_contains (&map, NULL));
  g_assert_null (ls_ptr_map_remove (&map, &map));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/ptr-map/random", test_random);
  g_test_add_func ("/base/ptr-map/nothing", test_nothing);
  return g_test_run ();
}
