/* tables-json: what plan.c of a bundle's host program says, as JSON, for loopscope-device, which has that program in it.  Numbers of 64 bits are texts of
 * hexadecimal digits: a number of JSON has 53. */
#include "engine/device/private.h"

#include "data/device/host/bundle.h"
#include "engine/base/json.h"

static void
put_bits (JsonBuilder *out,
          const char  *name,
          guint64      value)
{
  g_autofree char *text = g_strdup_printf ("%016" G_GINT64_MODIFIER "x", value);

  ls_json_put_text (out, name, text);
}

static void
put_numbers (JsonBuilder  *out,
             const char   *name,
             const gint64 *values,
             guint         n)
{
  ls_json_begin_array (out, name);
  for (guint i = 0; i < n; i++)
    json_builder_add_int_value (out, values[i]);
  json_builder_end_array (out);
}

static void
put_argument (JsonBuilder            *out,
              const LsBundleArgument *a)
{
  const char kind[] = { device_kind_letter (a->dtype), 0 }, role[] = { a->role, 0 };

  json_builder_begin_object (out);
  ls_json_put_text (out, "name", a->name);
  ls_json_put_text (out, "kind", kind);
  ls_json_put_int (out, "bits", MAX (a->dtype.bits, 8u));
  put_numbers (out, "shape", (const gint64 *) (gpointer) a->shape->data, a->shape->len);
  ls_json_put_text (out, "role", role);
  put_bits (out, "seed", a->seed);
  put_bits (out, "input_sum", a->input_sum);
  if (a->expected != NULL)
    {
      g_autofree char *path = g_strdup_printf ("expected/%s.bin", a->name);

      ls_json_put_text (out, "expected", path);
      put_bits (out, "expected_sum", bundle_sum (BUNDLE_SUM, g_bytes_get_data (a->expected, NULL), g_bytes_get_size (a->expected)));
    }
  ls_json_put_double (out, "relative", device_tolerance (a->dtype));
  json_builder_end_object (out);
}

static void
put_launch (JsonBuilder          *out,
            const LsDeviceLaunch *l)
{
  json_builder_begin_object (out);
  ls_json_put_text (out, "kernel", l->kernel);
  put_numbers (out, "grid", l->grid, 3);
  put_numbers (out, "block", l->block, 3);
  ls_json_put_int (out, "dynamic_shared", l->dynamic_shared);
  ls_json_begin_array (out, "args");
  for (guint k = 0; k < l->args->len; k++)
    json_builder_add_int_value (out, g_array_index (l->args, int, k));
  json_builder_end_array (out);
  json_builder_end_object (out);
}

static void
put_step (JsonBuilder        *out,
          const LsBundle     *self,
          const LsBundleStep *step)
{
  g_autofree char *source = g_strdup_printf ("kernels/%s.%s", step->name, device_api (self->api)->extension);

  json_builder_begin_object (out);
  ls_json_put_text (out, "name", step->name);
  ls_json_put_text (out, "title", step->title);
  ls_json_put_text (out, "hash", step->hash);
  ls_json_put_text (out, "source", source);
  ls_json_put_text (out, "no_ptx", step->no_ptx);
  ls_json_begin_array (out, "ptx");
  for (guint i = 0; i < step->ptx->len; i++)
    json_builder_add_int_value (out, g_array_index (step->ptx, LsBundlePtx, i).capability);
  json_builder_end_array (out);
  put_numbers (out, "temporaries", (const gint64 *) (gpointer) step->plan->temporaries->data, step->plan->temporaries->len);
  ls_json_begin_array (out, "launches");
  for (guint i = 0; i < step->plan->launches->len; i++)
    put_launch (out, step->plan->launches->pdata[i]);
  json_builder_end_array (out);
  json_builder_end_object (out);
}

char *
ls_bundle_tables_json (const LsBundle *self)
{
  g_autoptr (JsonBuilder) out = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;

  json_builder_begin_object (out);
  ls_json_put_text (out, "api", device_api (self->api)->name);
  ls_json_put_text (out, "name", self->name);
  ls_json_put_text (out, "program", self->program_hash);
  ls_json_put_text (out, "made_by", self->made_by);
  ls_json_put_text (out, "target", self->target);
  ls_json_begin_array (out, "arguments");
  for (guint i = 0; i < self->arguments->len; i++)
    put_argument (out, self->arguments->pdata[i]);
  json_builder_end_array (out);
  ls_json_begin_array (out, "steps");
  for (guint i = 0; i < self->steps->len; i++)
    put_step (out, self, self->steps->pdata[i]);
  json_builder_end_array (out);
  json_builder_end_object (out);
  root = json_builder_get_root (out);
  return json_to_string (root, FALSE);
}
