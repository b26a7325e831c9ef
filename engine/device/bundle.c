/* bundle: the folder that travels.
 *
 *   README, RESULT.md       what it is; what result.json holds
 *   run                     builds, runs, writes result.json
 *   host/                   the host program: the files of data/device/host and plan.c
 *   kernels/STEP.cu, STEP.sm_80.ptx; or STEP.cl; or STEP.hip
 *   programs/               TVMScript: the program, and what each step makes of it
 *   expected/NAME.bin       what has to come out, little-endian, as it stands in memory */
#include "engine/device/private.h"

#include "data/device/host/bundle.h"

#include <gio/gio.h>
#include <glib/gstdio.h>

#include <errno.h>
#include <string.h>

#define RESOURCES "/org/loopscope/device/"

/* ---- parts ---- */

GBytes *
ls_bundle_argument_data (LsBundleArgument *self)
{
  gint64 n = 1;
  int bits = MAX (self->dtype.bits, 8);
  guint8 *data;

  for (guint i = 0; i < self->shape->len; i++)
    n *= g_array_index (self->shape, gint64, i);
  data = g_try_malloc ((gsize) n * (gsize) bits / 8 + 1);
  if (data == NULL || self->dtype.lanes > 1 || self->dtype.code == LS_TYPE_HANDLE || self->dtype.bits % 8 > 1
      || !bundle_fill (data, device_kind_letter (self->dtype), bits, (guint64) n, self->seed))
    {
      g_free (data);
      return NULL;
    }
  self->input_sum = bundle_sum (BUNDLE_SUM, data, (gsize) n * (gsize) bits / 8);
  return g_bytes_new_take (data, (gsize) n * (gsize) bits / 8);
}

void
ls_bundle_argument_free (LsBundleArgument *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_clear_pointer (&self->shape, g_array_unref);
  g_clear_pointer (&self->expected, g_bytes_unref);
  g_free (self);
}

static void
ptx_clear (gpointer data)
{
  g_free (((LsBundlePtx *) data)->text);
}

LsBundleStep *
ls_bundle_step_new (void)
{
  LsBundleStep *self = g_new0 (LsBundleStep, 1);

  self->ptx = g_array_new (FALSE, FALSE, sizeof (LsBundlePtx));
  g_array_set_clear_func (self->ptx, ptx_clear);
  return self;
}

void
ls_bundle_step_free (LsBundleStep *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_free (self->title);
  g_free (self->hash);
  g_free (self->program);
  g_free (self->function);
  g_free (self->source);
  ls_device_plan_free (self->plan);
  g_array_unref (self->ptx);
  g_free (self->no_ptx);
  g_free (self->partly);
  g_free (self->simulated);
  g_free (self);
}

/* ---- files ---- */

static gboolean
make_folder (const char  *path,
             GError     **error)
{
  if (g_mkdir_with_parents (path, 0777) == 0)
    return TRUE;
  g_set_error (error, LS_DEVICE_ERROR, LS_DEVICE_ERROR_FILE, ls_translate ("The folder %s cannot be made: %s."), path, g_strerror (errno));
  return FALSE;
}

static gboolean
write_file (const char  *folder,
            const char  *name,
            const void  *data,
            gsize        length,
            GError     **error)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) inner = NULL;

  if (g_file_set_contents (path, data, (gssize) length, &inner))
    return TRUE;
  g_set_error (error, LS_DEVICE_ERROR, LS_DEVICE_ERROR_FILE, ls_translate ("%s cannot be written: %s."), path, inner->message);
  return FALSE;
}

static gboolean
write_text (const char  *folder,
            const char  *name,
            const char  *text,
            GError     **error)
{
  return write_file (folder, name, text, strlen (text), error);
}

/* The files that are the same in every folder. */
static gboolean
write_fixed (const char  *folder,
             GError     **error)
{
  static const struct { const char *resource, *name; } FILES[] = {
    { "RESULT", "RESULT.md" }, { "run", "run" },
    { "host/bundle.h", "host/bundle.h" }, { "host/clocks.c", "host/clocks.c" }, { "host/compare.c", "host/compare.c" }, { "host/cuda.c", "host/cuda.c" }, { "host/generate.c", "host/generate.c" },
    { "host/hip.c", "host/hip.c" }, { "host/json.c", "host/json.c" }, { "host/main.c", "host/main.c" }, { "host/opencl.c", "host/opencl.c" }, { "host/probe.c", "host/probe.c" }, { "host/step.c", "host/step.c" },
    { "host/say.c", "host/say.c" }, { "host/tools.c", "host/tools.c" },
  };
  g_autofree char *script = g_build_filename (folder, "run", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (FILES); i++)
    {
      g_autofree char *path = g_strconcat (RESOURCES, FILES[i].resource, NULL);
      g_autoptr (GBytes) bytes = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, error);

      if (bytes == NULL || !write_file (folder, FILES[i].name, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), error))
        return FALSE;
    }
  if (g_chmod (script, 0755) == 0)
    return TRUE;
  g_set_error (error, LS_DEVICE_ERROR, LS_DEVICE_ERROR_FILE, ls_translate ("%s cannot be made executable: %s."), script, g_strerror (errno));
  return FALSE;
}

/* ---- README ---- */

static char *
readme (const LsBundle *self)
{
  g_autoptr (GBytes) bytes = g_resources_lookup_data (RESOURCES "README", G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  GString *text = g_string_new_len (g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes));
  g_autoptr (GString) steps = g_string_new (NULL);
  g_autoptr (GString) arguments = g_string_new (NULL);

  for (guint i = 0; i < self->steps->len; i++)
    {
      const LsBundleStep *step = self->steps->pdata[i];

      g_string_append_printf (steps, "  %-20s %s\n", step->name, step->title);
      if (step->no_ptx != NULL && self->api == LS_BUNDLE_CUDA)
        g_string_append_printf (steps, "  %-20s no PTX (%s): nvcc or libnvrtc is needed there\n", "", step->no_ptx);
      if (step->partly != NULL)
        g_string_append_printf (steps, "  %-20s PTX not for all that was asked for: %s\n", "", step->partly);
    }
  for (guint i = 0; i < self->arguments->len; i++)
    {
      const LsBundleArgument *a = self->arguments->pdata[i];
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append_printf (arguments, "  %-10s %s (", a->name, ls_dtype_name (a->dtype));
      for (guint k = 0; k < a->shape->len; k++)
        g_string_append_printf (arguments, "%s%" G_GINT64_FORMAT, k > 0 ? ", " : "", g_array_index (a->shape, gint64, k));
      g_string_append_printf (arguments, "), %s, seed %" G_GUINT64_FORMAT ", checksum %016" G_GINT64_MODIFIER "x",
                              a->role == 'i' ? "read" : a->role == 'o' ? "written" : "read and written", a->seed, a->input_sum);
      if (a->role != 'i' && device_tolerance (a->dtype) > 0)
        g_string_append_printf (arguments, "; each element may differ by %s of the largest", g_ascii_formatd (number, sizeof number, "%.3g", device_tolerance (a->dtype)));
      else if (a->role != 'i')
        g_string_append (arguments, "; no element may differ");
      g_string_append_c (arguments, '\n');
    }
  g_string_replace (text, "@NAME@", self->name, 0);
  g_string_replace (text, "@MADE_BY@", self->made_by, 0);
  g_string_replace (text, "@TARGET@", self->target, 0);
  g_string_replace (text, "@LIBRARY@", device_api (self->api)->library, 0);
  g_string_replace (text, "@STEPS@", steps->str, 0);
  g_string_replace (text, "@ARGUMENTS@", arguments->str, 0);
  return g_string_free (text, FALSE);
}

/* ---- the whole ---- */

/* Where the kernels come from; hipcc needs to be told of threads, HIPRTC knows them. (transfer full) */
static char *
kernels_text (const LsBundle     *self,
              const LsBundleStep *step)
{
  if (self->api != LS_BUNDLE_HIP)
    return g_strdup (step->source);
  return g_strdup_printf ("// programs/%s.py, function %s, target %s\n#ifndef __HIPCC_RTC__\n#include <hip/hip_runtime.h>\n#endif\n%s", step->name,
                          step->function, self->target, step->source);
}

static gboolean
write_step (const LsBundle     *self,
            const LsBundleStep *step,
            const char         *folder,
            GError            **error)
{
  g_autofree char *program = g_strdup_printf ("programs/%s.py", step->name);
  g_autofree char *kernels = g_strdup_printf ("kernels/%s.%s", step->name, device_api (self->api)->extension);

  g_autofree char *source = kernels_text (self, step);

  if (!write_text (folder, program, step->program, error) || !write_text (folder, kernels, source, error))
    return FALSE;
  for (guint i = 0; i < step->ptx->len; i++)
    {
      const LsBundlePtx *ptx = &g_array_index (step->ptx, LsBundlePtx, i);
      g_autofree char *name = g_strdup_printf ("kernels/%s.sm_%d.ptx", step->name, ptx->capability);
      g_autofree char *text = g_strdup_printf ("// programs/%s.py, function %s, target %s -arch=sm_%d\n%s", step->name, step->function, self->target,
                                               ptx->capability, ptx->text);

      if (!write_text (folder, name, text, error))
        return FALSE;
    }
  return TRUE;
}

/* Kernels, programs, expected results. */
static gboolean
write_data (const LsBundle  *self,
            const char      *folder,
            GError         **error)
{
  for (guint i = 0; i < self->arguments->len; i++)
    {
      const LsBundleArgument *a = self->arguments->pdata[i];
      g_autofree char *name = g_strdup_printf ("expected/%s.bin", a->name);

      if (a->expected != NULL && !write_file (folder, name, g_bytes_get_data (a->expected, NULL), g_bytes_get_size (a->expected), error))
        return FALSE;
    }
  for (guint i = 0; i < self->steps->len; i++)
    if (!write_step (self, self->steps->pdata[i], folder, error))
      return FALSE;
  return TRUE;
}

static gboolean
write_all (const LsBundle  *self,
           const char      *folder,
           GError         **error)
{
  g_autofree char *tables = ls_bundle_tables (self);
  g_autofree char *text = readme (self);

  return write_fixed (folder, error) && write_text (folder, "host/plan.c", tables, error) && write_text (folder, "README", text, error)
         && write_text (folder, "programs/original.py", self->program, error) && write_data (self, folder, error);
}

static gboolean
make_folders (const char         *folder,
              const char *const  *names,
              GError            **error)
{
  for (; *names != NULL; names++)
    {
      g_autofree char *path = g_build_filename (folder, *names, NULL);

      if (!make_folder (path, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
ls_bundle_write_parts (const LsBundle *self,
                       const char     *folder,
                       GError        **error)
{
  static const char *const FOLDERS[] = { "", "kernels", "programs", "expected", NULL };
  g_autofree char *tables = ls_bundle_tables_json (self);

  return make_folders (folder, FOLDERS, error) && write_text (folder, "plan.json", tables, error) && write_data (self, folder, error);
}

gboolean
ls_bundle_write (const LsBundle *self,
                 const char     *folder,
                 GError        **error)
{
  static const char *const FOLDERS[] = { "", "host", "kernels", "programs", "expected", NULL };
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);

  if (dir != NULL && g_dir_read_name (dir) != NULL)
    {
      g_set_error (error, LS_DEVICE_ERROR, LS_DEVICE_ERROR_FILE, ls_translate ("The folder %s is not empty; a bundle gets one of its own."), folder);
      return FALSE;
    }
  return make_folders (folder, FOLDERS, error) && write_all (self, folder, error);
}
