/* job: what travels through a queue, as fields of text.
 *
 * A table says which parameters of a measurement travel and how each is written, so that nothing else gets to a worker: no path, no descriptor, no
 * kernel.  Numbers are in the notation of C.
 */
#include "app/fleet/fleet.h"

#include "app/rpc/rpc.h"

#include <math.h>
#include <string.h>

typedef struct {
  const char *name;
  char        type;             /* s, b, x, d, or l: a list of texts, one a line */
} Field;

static const Field job_fields[] = {
  { "module", 's' }, { "func", 's' }, { "target", 's' }, { "set", 'l' }, { "budget-ms", 'x' }, { "give-up-ns", 'x' }, { "slow-ns", 'x' }, { "seed", 'x' }, { NULL, 0 },
};

static const Field result_fields[] = {
  { "min", 'd' }, { "q1", 'd' }, { "median", 'd' }, { "q3", 'd' }, { "iqr", 'd' }, { "equal", 'b' }, { "mismatch", 's' }, { "max-error", 'd' },
  { "given-up", 'b' }, { "threads", 'x' }, { "pinned", 'b' }, { "conditions", 's' }, { "cpu", 's' }, { "load", 'd' }, { "machine", 's' }, { "kind", 's' },
  { "error", 's' }, { NULL, 0 },
};

void
ls_fleet_put (GPtrArray  *fields,
              const char *name,
              const char *value)
{
  g_ptr_array_add (fields, g_strdup (name));
  g_ptr_array_add (fields, g_strdup (value));
}

static char *
text_of (GVariant    *values,
         const Field *field)
{
  g_auto (GStrv) list = NULL;
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  switch (field->type)
    {
    case 'b':
      return g_strdup (ls_params_bool (values, field->name, FALSE) ? "1" : "0");
    case 'x':
      return g_strdup_printf ("%" G_GINT64_FORMAT, ls_params_int (values, field->name, 0));
    case 'd':
      return g_strdup (g_ascii_dtostr (number, sizeof number, ls_params_double (values, field->name, NAN)));
    case 'l':
      list = ls_params_strv (values, field->name);
      return list != NULL && *list != NULL ? g_strjoinv ("\n", list) : NULL;
    default:
      return g_strdup (ls_params_string (values, field->name, NULL));
    }
}

static GPtrArray *
pack (GVariant    *values,
      const Field *fields)
{
  GPtrArray *packed = g_ptr_array_new_with_free_func (g_free);

  for (const Field *field = fields; field->name != NULL; field++)
    {
      g_autoptr (GVariant) value = ls_params_value (values, field->name);
      g_autofree char *text = value != NULL ? text_of (values, field) : NULL;

      if (text != NULL)
        ls_fleet_put (packed, field->name, text);
    }
  return packed;
}

static void
unpack (GHashTable   *from,
        const Field  *fields,
        GVariantDict *dict)
{
  for (const Field *field = fields; field->name != NULL; field++)
    {
      const char *text = g_hash_table_lookup (from, field->name);
      g_auto (GStrv) list = NULL;

      if (text == NULL || !g_utf8_validate (text, -1, NULL))
        continue;
      switch (field->type)
        {
        case 'b':
          g_variant_dict_insert (dict, field->name, "b", strcmp (text, "1") == 0);
          break;
        case 'x':
          g_variant_dict_insert (dict, field->name, "x", g_ascii_strtoll (text, NULL, 10));
          break;
        case 'd':
          g_variant_dict_insert (dict, field->name, "d", g_ascii_strtod (text, NULL));
          break;
        case 'l':
          list = g_strsplit (text, "\n", -1);
          g_variant_dict_insert_value (dict, field->name, g_variant_new_strv ((const char *const *) list, -1));
          break;
        default:
          g_variant_dict_insert (dict, field->name, "s", text);
        }
    }
}

GPtrArray *
ls_fleet_job_pack (GVariant *params)
{
  return pack (params, job_fields);
}

GVariant *
ls_fleet_job_unpack (GHashTable *fields,
                     const char *base)
{
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  unpack (fields, job_fields, &dict);
  g_variant_dict_insert (&dict, "reference", "s", base);
  g_variant_dict_insert (&dict, "keep-reference", "b", TRUE);
  return g_variant_dict_end (&dict);
}

GPtrArray *
ls_fleet_result_pack (GVariant *answer)
{
  return pack (answer, result_fields);
}

GVariant *
ls_fleet_result_unpack (GHashTable *fields)
{
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  unpack (fields, result_fields, &dict);
  return g_variant_dict_end (&dict);
}

void
ls_fleet_client_ask (LsFleetClient *self,
                     const char    *id,
                     GVariant      *params,
                     const char    *trace,
                     gint64         timeout_ms)
{
  g_autoptr (GVariant) held = g_variant_ref_sink (params);
  g_autofree char *timeout = g_strdup_printf ("%" G_GINT64_FORMAT, timeout_ms);
  GPtrArray *fields = ls_fleet_job_pack (held);

  ls_fleet_put (fields, "timeout-ms", timeout);
  if (trace != NULL)
    ls_fleet_put (fields, "trace", trace);
  ls_fleet_client_submit (self, id, fields);
}
