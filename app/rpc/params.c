/* Call parameters: an a{sv} read leniently, because JSON knows fewer types than GVariant. */
#include "app/rpc/rpc.h"

#include "engine/base/base.h"

GVariant *
ls_params_value (GVariant   *params,
                 const char *key)
{
  GVariant *value;

  if (params == NULL || !g_variant_is_of_type (params, G_VARIANT_TYPE_VARDICT))
    return NULL;
  value = g_variant_lookup_value (params, key, NULL);
  while (value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_VARIANT))
    {
      GVariant *inner = g_variant_get_variant (value);

      g_variant_unref (value);
      value = inner;
    }
  return value;
}

GVariant *
ls_params_require (GVariant    *answer,
                   const char  *key,
                   GError     **error)
{
  GVariant *value = ls_params_value (answer, key);

  if (value == NULL && answer != NULL)
    g_set_error (error, LS_WORKER_ERROR, LS_WORKER_ERROR_PROTOCOL, ls_translate ("the worker's answer lacks \"%s\""), key);
  return value;
}

static gboolean
row_has (GVariant *row,
         char    **keys,
         char    **lacks)
{
  for (guint i = 0; keys[i] != NULL; i++)
    {
      g_autoptr (GVariant) value = ls_params_value (row, keys[i]);

      *lacks = keys[i];
      if (value == NULL)
        return FALSE;
    }

  return TRUE;
}

gboolean
ls_params_require_rows (GVariant    *answer,
                        const char  *list,
                        const char  *keys,
                        GError     **error)
{
  g_autoptr (GVariant) rows = ls_params_value (answer, list);
  g_auto (GStrv) names = g_strsplit (keys, " ", -1);

  if (rows != NULL && !g_variant_is_container (rows))
    {
      g_set_error (error, LS_WORKER_ERROR, LS_WORKER_ERROR_PROTOCOL, ls_translate ("the worker's answer lacks \"%s\""), list);
      return FALSE;
    }
  for (gsize i = 0; rows != NULL && i < g_variant_n_children (rows); i++)
    {
      g_autoptr (GVariant) row = g_variant_get_child_value (rows, i);
      char *lacks = NULL;

      if (row_has (row, names, &lacks))
        continue;
      g_set_error (error, LS_WORKER_ERROR, LS_WORKER_ERROR_PROTOCOL, ls_translate ("the worker's answer lacks \"%s\" in row %u of \"%s\""), lacks, (guint) i + 1, list);
      return FALSE;
    }
  return TRUE;
}

const char *
ls_params_string (GVariant   *params,
                  const char *key,
                  const char *fallback)
{
  g_autoptr (GVariant) value = ls_params_value (params, key);

  if (value == NULL || !g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    return fallback;
  return g_variant_get_string (value, NULL);
}

/* FALSE when it is no integer (or too large a one). */
static gboolean
to_int (GVariant *value,
        gint64   *result)
{
  switch (g_variant_classify (value))
    {
    case G_VARIANT_CLASS_BYTE:
      *result = g_variant_get_byte (value);
      return TRUE;
    case G_VARIANT_CLASS_INT16:
      *result = g_variant_get_int16 (value);
      return TRUE;
    case G_VARIANT_CLASS_UINT16:
      *result = g_variant_get_uint16 (value);
      return TRUE;
    case G_VARIANT_CLASS_INT32:
      *result = g_variant_get_int32 (value);
      return TRUE;
    case G_VARIANT_CLASS_UINT32:
      *result = g_variant_get_uint32 (value);
      return TRUE;
    case G_VARIANT_CLASS_INT64:
      *result = g_variant_get_int64 (value);
      return TRUE;
    case G_VARIANT_CLASS_UINT64:
      *result = (gint64) g_variant_get_uint64 (value);
      return *result >= 0;
    default:
      return FALSE;
    }
}

gint64
ls_params_int (GVariant   *params,
               const char *key,
               gint64      fallback)
{
  g_autoptr (GVariant) value = ls_params_value (params, key);
  gint64 result;

  return value != NULL && to_int (value, &result) ? result : fallback;
}

double
ls_params_double (GVariant   *params,
                  const char *key,
                  double      fallback)
{
  g_autoptr (GVariant) value = ls_params_value (params, key);
  gint64 whole;

  if (value == NULL)
    return fallback;
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE))
    return g_variant_get_double (value);
  return to_int (value, &whole) ? (double) whole : fallback;
}

gboolean
ls_params_bool (GVariant   *params,
                const char *key,
                gboolean    fallback)
{
  g_autoptr (GVariant) value = ls_params_value (params, key);

  if (value == NULL || !g_variant_is_of_type (value, G_VARIANT_TYPE_BOOLEAN))
    return fallback;
  return g_variant_get_boolean (value);
}

char **
ls_params_strv (GVariant   *params,
                const char *key)
{
  g_autoptr (GVariant) value = ls_params_value (params, key);
  g_autoptr (GStrvBuilder) list = NULL;

  if (value == NULL)
    return NULL;
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING_ARRAY))
    return g_variant_dup_strv (value, NULL);
  if (!g_variant_is_of_type (value, G_VARIANT_TYPE ("av")))
    return NULL;
  list = g_strv_builder_new ();
  for (gsize i = 0; i < g_variant_n_children (value); i++)
    {
      g_autoptr (GVariant) child = g_variant_get_child_value (value, i);
      g_autoptr (GVariant) item = g_variant_get_variant (child);

      if (!g_variant_is_of_type (item, G_VARIANT_TYPE_STRING))
        return NULL;
      g_strv_builder_add (list, g_variant_get_string (item, NULL));
    }
  return g_strv_builder_end (list);
}

const char *
ls_params_require_string (GVariant    *params,
                          const char  *key,
                          GError     **error)
{
  const char *value = ls_params_string (params, key, NULL);

  if (value == NULL)
    g_set_error (error, LS_WORKER_ERROR, LS_WORKER_ERROR_REQUEST,
                 ls_translate ("the parameter \"%s\" is missing or no string"), key);
  return value;
}
