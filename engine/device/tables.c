/* tables: plan.c of the host program as text; its types are in data/device/host/bundle.h. */
#include "engine/device/private.h"

#include "data/device/host/bundle.h"

#include <string.h>

/* A string literal of C; NULL becomes NULL. */
static void
put_literal (GString    *out,
             const char *text)
{
  if (text == NULL)
    {
      g_string_append (out, "NULL");
      return;
    }
  g_string_append_c (out, '"');
  for (const guchar *at = (const guchar *) text; *at != 0; at++)
    if (*at == '"' || *at == '\\')
      g_string_append_printf (out, "\\%c", *at);
    else if (*at == '\n')
      g_string_append (out, "\\n");
    else if (*at < 32 || *at >= 127 || *at == '?')      /* "??=" is a trigraph */
      g_string_append_printf (out, "\\%03o", *at);
    else
      g_string_append_c (out, (char) *at);
  g_string_append_c (out, '"');
}

char
device_kind_letter (LsDType t)
{
  if (ls_dtype_is_bool (t))
    return 'o';
  switch ((int) t.code)
    {
    case LS_TYPE_BFLOAT: return 'b';
    case LS_TYPE_FLOAT: return 'f';
    case LS_TYPE_UINT: return 'u';
    case LS_TYPE_INT: return 'i';
    default: return '?';        /* bundle_fill refuses it */
    }
}

/* How much an element may differ, as a share of the largest: as results are compared everywhere here, by what the format holds. */
double
device_tolerance (LsDType t)
{
  if (t.code == LS_TYPE_BFLOAT)
    return 0x1p-6;
  if (t.code != LS_TYPE_FLOAT)
    return 0;
  return t.bits == 64 ? 1e-10 : t.bits == 32 ? 1e-5 : 0x1p-9;
}

const DeviceApi *
device_api (LsBundleApi api)
{
  static const DeviceApi ROWS[] = {
    [LS_BUNDLE_CUDA] = { "cuda", "cu", "libcuda.so.1, which comes with NVIDIA's driver" },
    [LS_BUNDLE_OPENCL] = { "opencl", "cl", "libOpenCL.so.1 and an implementation of OpenCL" },
    [LS_BUNDLE_HIP] = { "hip", "hip", "libamdhip64.so with libhiprtc.so or hipcc, which come with ROCm 5 or later" },
  };

  return &ROWS[api];
}

static void
put_arguments (GString        *out,
               const LsBundle *self)
{
  g_string_append (out, "static const Argument arguments[] = {\n");
  for (guint i = 0; i < self->arguments->len; i++)
    {
      const LsBundleArgument *a = self->arguments->pdata[i];
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append (out, "  { ");
      put_literal (out, a->name);
      g_string_append_printf (out, ", '%c', %u, %u, { ", device_kind_letter (a->dtype), MAX (a->dtype.bits, 8u), a->shape->len);
      for (guint k = 0; k < a->shape->len; k++)
        g_string_append_printf (out, "%" G_GINT64_FORMAT ", ", g_array_index (a->shape, gint64, k));
      g_string_append_printf (out, "%s}, '%c', UINT64_C (%" G_GUINT64_FORMAT "), UINT64_C (%" G_GUINT64_FORMAT "), ", a->shape->len == 0 ? "1 " : "", a->role,
                              a->seed, a->input_sum);
      if (a->expected != NULL)
        {
          guint64 sum = bundle_sum (BUNDLE_SUM, g_bytes_get_data (a->expected, NULL), g_bytes_get_size (a->expected));

          g_string_append_printf (out, "\"expected/%s.bin\", UINT64_C (%" G_GUINT64_FORMAT ")", a->name, sum);
        }
      else
        g_string_append (out, "NULL, 0");
      g_string_append_printf (out, ", %s },\n", g_ascii_dtostr (number, sizeof number, device_tolerance (a->dtype)));
    }
  g_string_append (out, "};\n\n");
}

static void
put_launches (GString            *out,
              const LsBundleStep *step,
              guint               number)
{
  g_string_append_printf (out, "static const Launch launches_%u[] = {\n", number);
  for (guint i = 0; i < step->plan->launches->len; i++)
    {
      const LsDeviceLaunch *l = step->plan->launches->pdata[i];

      g_string_append (out, "  { ");
      put_literal (out, l->kernel);
      g_string_append_printf (out, ", { %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT " }, { %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ", %"
                              G_GINT64_FORMAT " }, %" G_GINT64_FORMAT ", %u, { ", l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2],
                              l->dynamic_shared, l->args->len);
      for (guint k = 0; k < l->args->len; k++)
        g_string_append_printf (out, "%s%d", k > 0 ? ", " : "", g_array_index (l->args, int, k));
      g_string_append_printf (out, "%s } },\n", l->args->len == 0 ? "0" : "");
    }
  g_string_append (out, "};\n\n");
}

static void
put_step_lists (GString            *out,
                const LsBundleStep *step,
                guint               number)
{
  put_launches (out, step, number);
  if (step->plan->temporaries->len > 0)
    {
      g_string_append_printf (out, "static const long long temporaries_%u[] = { ", number);
      for (guint i = 0; i < step->plan->temporaries->len; i++)
        g_string_append_printf (out, "%s%" G_GINT64_FORMAT, i > 0 ? ", " : "", g_array_index (step->plan->temporaries, gint64, i));
      g_string_append (out, " };\n\n");
    }
  if (step->ptx->len > 0)
    {
      g_string_append_printf (out, "static const Ptx ptx_%u[] = {\n", number);
      for (guint i = 0; i < step->ptx->len; i++)
        g_string_append_printf (out, "  { %d, \"kernels/%s.sm_%d.ptx\", NULL },\n", g_array_index (step->ptx, LsBundlePtx, i).capability, step->name,
                                g_array_index (step->ptx, LsBundlePtx, i).capability);
      g_string_append (out, "};\n\n");
    }
}

static void
put_step (GString            *out,
          const LsBundle     *self,
          const LsBundleStep *step,
          guint               number)
{
  g_autofree char *source = g_strdup_printf ("kernels/%s.%s", step->name, device_api (self->api)->extension);
  const char *texts[] = { step->name, step->title, step->hash, source, step->no_ptx };

  g_string_append (out, "  { ");
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      put_literal (out, texts[i]);
      g_string_append (out, ", ");
    }
  if (step->ptx->len > 0)
    g_string_append_printf (out, "ptx_%u, %u, ", number, step->ptx->len);
  else
    g_string_append (out, "NULL, 0, ");
  if (step->plan->temporaries->len > 0)
    g_string_append_printf (out, "temporaries_%u, %u, ", number, step->plan->temporaries->len);
  else
    g_string_append (out, "NULL, 0, ");
  g_string_append_printf (out, "launches_%u, %u,\n    ", number, step->plan->launches->len);
  put_literal (out, step->simulated != NULL ? step->simulated : "null");
  g_string_append (out, ", NULL },\n");
}

char *
ls_bundle_tables (const LsBundle *self)
{
  GString *out = g_string_new ("/* plan: what this folder holds; made by the program that made the folder. */\n#include \"bundle.h\"\n\n");
  const char *texts[] = { device_api (self->api)->name, self->name, self->program_hash, self->made_by, self->target };

  put_arguments (out, self);
  for (guint i = 0; i < self->steps->len; i++)
    put_step_lists (out, self->steps->pdata[i], i);
  g_string_append (out, "static const Step steps[] = {\n");
  for (guint i = 0; i < self->steps->len; i++)
    put_step (out, self, self->steps->pdata[i], i);
  g_string_append (out, "};\n\nstatic const Plan tables = { ");
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      put_literal (out, texts[i]);
      g_string_append (out, ", ");
    }
  g_string_append_printf (out, "arguments, %u, steps, %u };\n\nconst Plan *plan = &tables;\n", self->arguments->len, self->steps->len);
  return g_string_free (out, FALSE);
}
