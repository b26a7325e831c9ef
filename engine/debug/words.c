/* words: what the tables of commands have in common: refusals, and breakpoints that are words. */
#include "engine/debug/debug-private.h"

GVariant *
ls_debug_refuse (GError    **error,
                 const char *format,
                 ...)
{
  va_list args;

  va_start (args, format);
  if (error != NULL && *error == NULL)
    *error = g_error_new_valist (LS_DEBUG_ERROR, LS_DEBUG_ERROR_COMMAND, format, args);
  va_end (args);
  return NULL;
}

GVariant *
ls_debug_stops_tell (GPtrArray *stops)
{
  GVariantBuilder list;
  GVariantDict dict;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < stops->len; i++)
    {
      GVariantDict one;

      g_variant_dict_init (&one, NULL);
      g_variant_dict_insert (&one, "stop", "u", i + 1);
      g_variant_dict_insert (&one, "words", "s", stops->pdata[i]);
      g_variant_builder_add_value (&list, g_variant_dict_end (&one));
    }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, "stops", g_variant_builder_end (&list));
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

GVariant *
ls_debug_stops_remove (GPtrArray   *stops,
                       const char  *rest,
                       GError     **error)
{
  guint64 n = g_ascii_strtoull (rest, NULL, 10);

  if (*rest == '\0')
    g_ptr_array_set_size (stops, 0);
  else if (n == 0 || n > stops->len)
    return ls_debug_refuse (error, ls_translate ("There is no breakpoint %s."), rest);
  else
    g_ptr_array_remove_index (stops, (guint) n - 1);
  return ls_debug_stops_tell (stops);
}
