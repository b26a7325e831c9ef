/* target: what code is made for, as a map of options. */
#include "engine/script/target.h"

#include <string.h>
#include <sys/utsname.h>

/* What kinds of machines count as, and what they have, where nothing is said: numbers, and "yes" for what is true or false. */
static const struct { const char *kind, *keys, *defaults; } KINDS[] = {
  { "llvm", "cpu", "" },
  { "c", "cpu", "" },
  { "hexagon", "hexagon cpu", "" },
  { "cuda", "cuda gpu", "max_num_threads=1024 thread_warp_size=32" },
  { "nvptx", "cuda gpu", "max_num_threads=1024 thread_warp_size=32" },
  { "rocm", "rocm gpu", "max_num_threads=256 max_threads_per_block=256 max_shared_memory_per_block=65536 thread_warp_size=64" },
  { "opencl", "opencl gpu", "max_num_threads=256 max_threads_per_block=256 max_shared_memory_per_block=16384 thread_warp_size=1 "
                            "texture_spatial_limit=16384 max_function_args=128 image_base_address_alignment=64" },
  { "metal", "metal gpu", "max_num_threads=256 max_threads_per_block=256 max_shared_memory_per_block=32768 thread_warp_size=16 max_function_args=31" },
  { "vulkan", "vulkan gpu", "max_num_threads=256 max_threads_per_block=256 thread_warp_size=1 supports_float32=yes supports_int32=yes" },
  { "webgpu", "webgpu gpu", "max_num_threads=256" },
};

/* "a,b" as a list of texts. (transfer full) */
static LsArray *
words_of (const char *text,
          const char *between)
{
  g_auto (GStrv) words = g_strsplit (text, between, -1);
  g_autoptr (GPtrArray) list = g_ptr_array_new ();

  for (guint i = 0; words[i] != NULL; i++)
    if (*words[i] != '\0')
      g_ptr_array_add (list, ls_string_new (words[i]));
  return ls_array_take_ptr_array (g_steal_pointer (&list));
}

/* Takes the value. */
static void
put (LsMap      **map,
     const char  *key,
     gpointer     value)
{
  g_autoptr (LsNode) node = value;

  ls_take (map, ls_map_set (*map, key, node));
}

/* The value of an option in a text. (transfer full) */
static LsNode *
value_of (const char *key,
          const char *value)
{
  if (g_str_equal (key, "mattr") || g_str_equal (key, "keys") || g_str_equal (key, "libs"))
    return LS_NODE (words_of (value, ","));
  if (*value != '\0' && strspn (value, "0123456789") == strlen (value))
    return LS_NODE (ls_int (g_ascii_strtoll (value, NULL, 10)));
  return LS_NODE (ls_string_new (value));
}

LsMap *
ls_target_from_text (const char *text)
{
  g_auto (GStrv) words = g_strsplit_set (text, " ", -1);
  LsMap *map = ls_map_empty ();

  for (guint i = 0; words[i] != NULL; i++)
    {
      const char *key = i == 0 ? "kind" : words[i];
      const char *value = i == 0 ? words[i] : "";
      g_autofree char *name = NULL;
      char *equals;

      if (*words[i] == '\0')
        continue;
      if (i > 0)
        {
          while (*key == '-')
            key++;
          name = g_strdup (key);
          if ((equals = strchr (name, '=')) != NULL)
            {
              *equals = '\0';
              value = key + (equals - name) + 1;
            }
          else if (words[i + 1] != NULL && *words[i + 1] != '-')
            value = words[++i];
          key = name;
        }
      put (&map, key, value_of (key, value));
    }
  return map;
}

/* This machine as LLVM names it. */
static char *
host_triple (void)
{
  struct utsname name;
  const char *machine = uname (&name) == 0 ? name.machine : "unknown";

  return g_strdup_printf (g_str_equal (machine, "x86_64") || g_str_equal (machine, "i686") ? "%s-pc-linux-gnu" : "%s-unknown-linux-gnu", machine);
}

LsMap *
ls_target_defaults (const char *kind)
{
  LsMap *map = ls_map_empty ();
  g_autofree char *triple = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (KINDS); i++)
    if (g_str_equal (KINDS[i].kind, kind))
      {
        g_auto (GStrv) words = g_strsplit (KINDS[i].defaults, " ", -1);

        for (guint k = 0; words[k] != NULL; k++)
          {
            char *equals = strchr (words[k], '=');

            *equals = '\0';
            put (&map, words[k], g_str_equal (equals + 1, "yes") ? LS_NODE (ls_bool (TRUE)) : value_of (words[k], equals + 1));
          }
      }
  if (g_str_equal (kind, "llvm"))
    {
      triple = host_triple ();
      put (&map, "mtriple", ls_string_new (triple));
    }
  return map;
}

static gboolean
is_arm (LsNode *triple)
{
  return triple != NULL && ls_is (triple, STRING)
         && (g_str_has_prefix (((LsString *) triple)->value, "aarch64") || g_str_has_prefix (((LsString *) triple)->value, "arm"));
}

static LsArray *
keys_of (const char *kind,
         LsNode     *triple)
{
  if (g_str_equal (kind, "llvm") && is_arm (triple))
    return words_of ("arm_cpu cpu", " ");
  for (guint i = 0; i < G_N_ELEMENTS (KINDS); i++)
    if (g_str_equal (KINDS[i].kind, kind))
      return words_of (KINDS[i].keys, " ");
  return words_of (kind, " ");
}

static void
put_defaults (LsMap      **map,
              const char  *kind)
{
  g_autoptr (LsMap) own = ls_target_defaults (kind);

  if (ls_map_get (*map, "keys") == NULL)
    put (map, "keys", keys_of (kind, ls_map_get (*map, "mtriple")));
  for (guint i = 0; i < own->n; i++)
    if (ls_map_get (*map, own->keys[i]) == NULL)
      put (map, own->keys[i], ls_node_ref (own->values[i]));
}

LsMap *
ls_target_complete (LsMap *target)
{
  LsMap *map = ls_ref (target);
  LsNode *kind = ls_map_get (target, "kind"), *host = ls_map_get (target, "host");
  g_autoptr (LsMap) said = NULL;

  if (kind != NULL && ls_is (kind, STRING))
    put_defaults (&map, ((LsString *) kind)->value);
  if (ls_map_get (map, "tag") == NULL)
    put (&map, "tag", ls_string_new (""));
  if (host != NULL && ls_is (host, STRING))
    host = LS_NODE (said = ls_target_from_text (((LsString *) host)->value));
  if (host != NULL && ls_is (host, MAP))
    put (&map, "host", ls_target_complete ((LsMap *) host));
  return map;
}
