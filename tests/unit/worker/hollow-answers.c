/* A worker whose answers lack what they should hold, planted into loopscope-worker at link time (--wrap): LS_HOLLOW=all leaves nothing in them,
 * a number leaves out some fields, always the same for the same number.  hollow.c here and in tests/ui look whether programs live through that. */
#include <jsonrpc-glib.h>

#include "app/rpc/rpc.h"

#include <stdlib.h>
#include <string.h>

void __real_jsonrpc_client_reply_async (JsonrpcClient *client, GVariant *id, GVariant *result, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data);
void __wrap_jsonrpc_client_reply_async (JsonrpcClient *client, GVariant *id, GVariant *result, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data);

static GVariant *hollow (GVariant *value, GRand *rand);

/* A row or list of dictionaries, each hollowed out; all else as it is. (transfer none, floating or borrowed) */
static GVariant *
inner (GVariant *value,
       GRand    *rand)
{
  GVariantBuilder builder;

  if (g_variant_is_of_type (value, G_VARIANT_TYPE_VARDICT))
    return hollow (value, rand);
  if (!g_variant_is_of_type (value, G_VARIANT_TYPE ("aa{sv}")))
    return value;
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (gsize i = 0; i < g_variant_n_children (value); i++)
    {
      g_autoptr (GVariant) child = g_variant_get_child_value (value, i);

      g_variant_builder_add_value (&builder, hollow (child, rand));
    }
  return g_variant_builder_end (&builder);
}

static GVariant *
hollow (GVariant *value,
        GRand    *rand)
{
  GVariantBuilder builder;
  GVariantIter iter;
  const char *key;
  GVariant *field;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  g_variant_iter_init (&iter, value);
  while (g_variant_iter_next (&iter, "{&sv}", &key, &field))
    {
      if (g_rand_int_range (rand, 0, 4) > 0)
        g_variant_builder_add (&builder, "{sv}", key, inner (field, rand));
      g_variant_unref (field);
    }
  return g_variant_builder_end (&builder);
}

void
__wrap_jsonrpc_client_reply_async (JsonrpcClient       *client,
                                   GVariant            *id,
                                   GVariant            *result,
                                   GCancellable        *cancellable,
                                   GAsyncReadyCallback  callback,
                                   gpointer             data)
{
  static GRand *rand;
  const char *how = g_getenv ("LS_HOLLOW");
  g_autoptr (GVariant) answer = ls_params_value (result, LS_ANSWER_KEY);
  GVariantDict dict;

  if (how == NULL || answer == NULL || !g_variant_is_of_type (answer, G_VARIANT_TYPE_VARDICT))
    {
      __real_jsonrpc_client_reply_async (client, id, result, cancellable, callback, data);
      return;
    }
  if (rand == NULL)
    rand = g_rand_new_with_seed ((guint32) atoi (how));
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, LS_ANSWER_KEY, strcmp (how, "all") == 0 ? g_variant_new ("a{sv}", NULL) : hollow (answer, rand));
  result = g_variant_ref_sink (g_variant_dict_end (&dict));
  __real_jsonrpc_client_reply_async (client, id, result, cancellable, callback, data);
  g_variant_unref (result);
}
