/* base/host-caches: see the header.  libc adds up the last caches of a processor of several dies (a core reaches one of them), and in a virtual machine
 * those of cores that are another's; the kernel lists what a core has. */
#include "engine/base/host-caches.h"

#include <string.h>
#include <unistd.h>

#define FOLDER "/sys/devices/system/cpu/cpu0/cache"
#define MOST_CACHES 8

/* The first word of a file. (transfer full) */
static char *
word_of (const char *folder,
         int         index,
         const char *name)
{
  g_autofree char *path = g_strdup_printf ("%s/index%d/%s", folder, index, name);
  char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) ? g_strstrip (text) : NULL;
}

/* "32768K" */
static gint64
size_of (const char *text)
{
  char *end;
  gint64 n = g_ascii_strtoll (text, &end, 10);

  return *end == 'K' ? n << 10 : *end == 'M' ? n << 20 : n;
}

static gboolean
listed (const char *folder,
        int         level,
        gint64     *bytes,
        guint      *ways)
{
  for (int i = 0; i < MOST_CACHES; i++)
    {
      g_autofree char *number = word_of (folder, i, "level"), *type = word_of (folder, i, "type"), *size = word_of (folder, i, "size");
      g_autofree char *associativity = word_of (folder, i, "ways_of_associativity");

      if (number == NULL || type == NULL || size == NULL || g_ascii_strtoll (number, NULL, 10) != level || strcmp (type, "Instruction") == 0 || size_of (size) <= 0)
        continue;
      *bytes = size_of (size);
      *ways = associativity != NULL ? (guint) CLAMP (g_ascii_strtoll (associativity, NULL, 10), 0, G_MAXINT) : 0;
      return TRUE;
    }
  return FALSE;
}

gboolean
ls_host_cache (const char *folder,
               int         level,
               gint64     *bytes,
               guint      *ways)
{
#ifdef _SC_LEVEL1_DCACHE_SIZE
  static const int sizes[] = { _SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE };
  static const int associative[] = { _SC_LEVEL1_DCACHE_ASSOC, _SC_LEVEL2_CACHE_ASSOC, _SC_LEVEL3_CACHE_ASSOC };
#endif

  *bytes = 0;
  *ways = 0;
  if (level < 1 || level > 3)
    return FALSE;
  if (listed (folder != NULL ? folder : FOLDER, level, bytes, ways))
    return TRUE;
#ifdef _SC_LEVEL1_DCACHE_SIZE
  *bytes = MAX (sysconf (sizes[level - 1]), 0);
  *ways = (guint) MAX (sysconf (associative[level - 1]), 0);
#endif
  return *bytes > 0;
}
