/* What the simulator computes, computed once more by others: see threads-run.h. */
#include "tests/property/threads-run.h"

#include "data/device/host/bundle.h"
#include "engine/codegen/codegen.h"
#include "engine/device/device.h"
#include "engine/interp/interp.h"
#include "engine/simt/serial.h"
#include "engine/tir/pass/pass.h"
#include "tests/support/random.h"

#include <glib/gstdio.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The arrays as the runtime has them. (transfer full) */
static GPtrArray *
make_arrays (LsPrimFunc *func,
             guint64     seed)
{
  g_autoptr (GPtrArray) contents = ls_test_arguments (func, seed);
  GPtrArray *arrays = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_ndarray_unref);

  for (guint i = 0; i < contents->len; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);
      LsNDArray *array;
      gint64 shape[8];

      for (guint k = 0; k < buffer->shape->n; k++)
        ls_as_int (buffer->shape->items[k], &shape[k]);
      array = ls_ndarray_new ((int) buffer->shape->n, shape, (LsDLDataType) { buffer->dtype.code, buffer->dtype.bits, 1 }, NULL);
      memcpy (array->tensor.data, g_bytes_get_data (contents->pdata[i], NULL), array->n_bytes);
      g_ptr_array_add (arrays, array);
    }
  return arrays;
}

static GBytes *
contents_of (GPtrArray *arrays)
{
  GByteArray *all = g_byte_array_new ();

  for (guint i = 0; i < arrays->len; i++)
    {
      LsNDArray *array = arrays->pdata[i];

      g_byte_array_append (all, array->tensor.data, (guint) array->n_bytes);
    }
  return g_byte_array_free_to_bytes (all);
}

GBytes *
ls_threads_fast (LsPrimFunc *lowered,
                 guint64     seed,
                 GError    **error)
{
  static LsJit *jit;
  g_autoptr (LsPrimFunc) serial = ls_simt_serial (lowered, error);
  g_autoptr (LsModule) loops = NULL, ready = NULL;
  g_autoptr (LsObject) object = NULL;
  g_autoptr (LsKernel) kernel = NULL;
  g_autoptr (GPtrArray) arrays = make_arrays (lowered, seed);
  g_autofree char *prefix = ls_jit_unique_prefix ();
  LsCodegenOptions options = { .no_contract = TRUE, .prefix = prefix };
  LsTarget *target = ls_target_parse (NULL, NULL);
  LsArg args[16] = { 0 };

  if (jit == NULL)
    jit = ls_jit_new (NULL);
  if (serial != NULL)
    loops = ls_module_new (ls_array_of (ls_global_var_new ("main"), NULL), ls_array_of (ls_ref (serial), NULL), NULL, NULL);
  ready = loops != NULL ? ls_lower_module (loops, NULL, NULL, error) : NULL;
  object = ready != NULL ? ls_codegen_compile (ready, "main", target, &options, error) : NULL;
  kernel = object != NULL ? ls_jit_add (jit, object, error) : NULL;
  ls_target_free (target);
  for (guint i = 0; i < arrays->len; i++)
    {
      args[i].kind = LS_ARG_TENSOR;
      args[i].v_tensor = &((LsNDArray *) arrays->pdata[i])->tensor;
    }
  return kernel != NULL && ls_kernel_call (kernel, "main", args, (int) arrays->len, NULL, error) ? contents_of (arrays) : NULL;
}

/* ---- OpenCL: the driver of bundles ------------------------------------------------------------- */

const Plan *plan;

const char *
ls_threads_opencl_name (void)
{
  static Device device;
  static int state;

  if (state == 0)
    {
      g_autofree char *folder = g_dir_make_tmp ("loopscope-pocl-XXXXXX", NULL);

      if (folder != NULL)                                       /* nothing of it stays in the user's */
        g_setenv ("POCL_CACHE_DIR", folder, TRUE);
      g_setenv ("POCL_KERNEL_CACHE", "0", TRUE);
      state = opencl_driver.open (0, &device) ? 1 : -1;
    }
  return state > 0 ? device.name : NULL;
}

static gboolean
said (GError **error)
{
  gboolean lacks = strstr (failure (), "which this device does not") != NULL;

  g_set_error_literal (error, lacks ? LS_DEVICE_ERROR : G_IO_ERROR, lacks ? (gint) LS_DEVICE_ERROR_UNSUPPORTED : (gint) G_IO_ERROR_FAILED, failure ());
  forgive ();
  return FALSE;
}

/* The steps's table; what it points to belongs to the plan and to `launches`. */
static Launch *
launches_of (LsDevicePlan *device_plan)
{
  Launch *launches = g_new0 (Launch, device_plan->launches->len + 1);

  for (guint i = 0; i < device_plan->launches->len; i++)
    {
      const LsDeviceLaunch *from = device_plan->launches->pdata[i];

      launches[i] = (Launch) { .kernel = from->kernel, .dynamic_shared = (unsigned) from->dynamic_shared, .n_args = (int) from->args->len };
      for (guint d = 0; d < 3; d++)
        {
          launches[i].grid[d] = (unsigned) from->grid[d];
          launches[i].block[d] = (unsigned) from->block[d];
        }
      for (guint k = 0; k < from->args->len; k++)
        launches[i].args[k] = g_array_index (from->args, int, k);
    }
  return launches;
}

static gboolean
run_there (const Step   *step,
           LsDevicePlan *device_plan,
           GPtrArray    *arrays,
           GError      **error)
{
  KernelFacts facts[64];
  void *arguments[16] = { NULL }, *temporaries[16] = { NULL };
  double ns;
  gboolean ok = opencl_driver.load (step, NULL, facts);

  for (guint i = 0; i < arrays->len && ok; i++)
    {
      LsNDArray *array = arrays->pdata[i];

      ok = opencl_driver.allocate (array->n_bytes, &arguments[i]) && opencl_driver.write (arguments[i], array->tensor.data, array->n_bytes);
    }
  for (guint i = 0; i < device_plan->temporaries->len && ok; i++)
    ok = opencl_driver.allocate ((size_t) g_array_index (device_plan->temporaries, gint64, i), &temporaries[i]);
  ok = ok && opencl_driver.run (step, arguments, temporaries, 1, &ns);
  for (guint i = 0; i < arrays->len && ok; i++)
    {
      LsNDArray *array = arrays->pdata[i];

      ok = opencl_driver.read (arguments[i], array->tensor.data, array->n_bytes);
    }
  for (guint i = 0; i < 16; i++)
    {
      if (arguments[i] != NULL)
        opencl_driver.release (arguments[i]);
      if (temporaries[i] != NULL)
        opencl_driver.release (temporaries[i]);
    }
  return ok || said (error);
}

GBytes *
ls_threads_opencl (LsPrimFunc *func,
                   guint64     seed,
                   GError    **error)
{
  g_autoptr (LsDeviceTarget) target = ls_device_target_parse ("opencl", NULL);
  g_autoptr (LsPrimFunc) lowered = ls_lower_device (func, target, NULL, NULL, error);
  g_autoptr (LsDeviceText) text = lowered != NULL ? ls_device_text_new ("main", lowered, target, error) : NULL;
  g_autoptr (LsDevicePlan) device_plan = text != NULL ? ls_device_plan_new ("main", lowered, error) : NULL;
  g_autoptr (GPtrArray) arrays = make_arrays (func, seed);
  g_autofree Launch *launches = device_plan != NULL ? launches_of (device_plan) : NULL;
  g_autofree char *path = NULL;
  Step step = { .name = "main", .launches = launches };
  gboolean ok;
  int file;

  if (device_plan == NULL)
    return NULL;
  file = g_file_open_tmp ("loopscope-XXXXXX.cl", &path, error);
  if (file < 0)
    return NULL;
  close (file);
  step.source = path;
  step.n_launches = (int) device_plan->launches->len;
  ok = g_file_set_contents (path, text->text, -1, error) && run_there (&step, device_plan, arrays, error);
  g_unlink (path);
  return ok ? contents_of (arrays) : NULL;
}

/* ---- comparing ----------------------------------------------------------------------------------------- */

gboolean
ls_threads_same (LsPrimFunc *func,
                 GBytes     *a,
                 GBytes     *b)
{
  gsize n, at = 0;
  const guint8 *left = g_bytes_get_data (a, &n), *right = g_bytes_get_data (b, NULL);

  if (n != g_bytes_get_size (b))
    return FALSE;
  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);
      gsize size = ls_dtype_bytes (buffer->dtype), count = 1;
      gint64 extent;

      for (guint k = 0; k < buffer->shape->n; k++)
        if (ls_as_int (buffer->shape->items[k], &extent))
          count *= (gsize) extent;
      for (gsize k = 0; k < count; k++, at += size)
        {
          double x = ls_dtype_is_float (buffer->dtype) ? ls_interp_load (buffer->dtype, left + at) : 0, y = ls_dtype_is_float (buffer->dtype) ? ls_interp_load (buffer->dtype, right + at) : 1;

          if (memcmp (left + at, right + at, size) != 0 && x != y && !(isnan (x) && isnan (y)))
            return FALSE;
        }
    }
  return at == n;
}
