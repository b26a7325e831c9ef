/* vdevice: see the header. */
#include "engine/script/vdevice.h"

#include <string.h>

/* "cuda" of "cuda -arch=sm_80" or of {"kind": "cuda", ...}. (transfer full) */
static char *
kind_of (LsNode *device)
{
  LsNode *target = ls_is (device, MAP) ? ls_map_get ((LsMap *) device, "target") : NULL;
  LsNode *kind = ls_is (target, MAP) ? ls_map_get ((LsMap *) target, "kind") : target;
  const char *text = ls_is (kind, STRING) ? ((LsString *) kind)->value : "";

  return g_strndup (text, strcspn (text, " "));
}

LsNode *
ls_vdevice_find (LsArray    *devices,
                 const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, ":", 3);
  guint64 left = parts[0] != NULL && parts[1] != NULL ? g_ascii_strtoull (parts[1], NULL, 10) : 0;

  for (guint i = 0; parts[0] != NULL && i < ls_array_n (devices); i++)
    {
      g_autofree char *kind = kind_of (devices->items[i]);

      if ((g_str_equal (parts[0], "vdevice") || g_str_equal (parts[0], kind)) && left-- == 0)
        return devices->items[i];
    }
  return NULL;
}

char *
ls_vdevice_name (LsArray *devices,
                 LsNode  *device)
{
  g_autofree char *kind = kind_of (device);
  guint n = 0;

  for (guint i = 0; i < ls_array_n (devices); i++)
    {
      g_autofree char *other = kind_of (devices->items[i]);

      if (devices->items[i] == device)
        return g_strdup_printf ("%s:%u", kind, n);
      n += g_str_equal (other, kind);
    }
  return NULL;
}
