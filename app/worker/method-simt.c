/* The method simt: a function on threads that are not there: its result compared with that of the program before its steps, what it does wrong,
 * and what its accesses cost. */
#include "app/worker/debugged.h"
#include "app/worker/program.h"

#include "engine/codegen/codegen.h"
#include "engine/simt/layout.h"
#include "engine/simt/occupancy.h"
#include "engine/tir/pass/pass.h"

#define MOST_EVENTS 6000

/* ---- running ---------------------------------------------------------------------------- */

typedef struct {
  LsSimtHolding  *holding;      /* watches what is copied, or NULL */
  gint64          block;        /* whose accesses are kept; -1: none */
  guint           kernel;
  guint           n;
  gboolean        more;         /* not all were kept */
  GVariantBuilder events;       /* (uuuttuax): kind, site or line, warp, mask, live, epoch, offsets */
} Trace;

static gboolean
keeps (Trace *self,
       guint  kernel,
       gint64 block)
{
  if (self->block < 0 || block != self->block || kernel != self->kernel)
    return FALSE;
  self->more = self->more || self->n >= MOST_EVENTS;
  return !self->more;
}

static void
on_access (const LsSimtAccess *access,
           gpointer            data)
{
  Trace *self = data;

  if (self->holding != NULL)
    ls_simt_holding_see (self->holding, access);
  if (!keeps (self, access->kernel, access->block))
    return;
  g_variant_builder_add (&self->events, "(uuuttu@ax)", 0u, access->site, access->warp, access->mask, access->live, access->epoch,
                         g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, access->offsets, access->lanes, sizeof (gint64)));
  self->n++;
}

static void
on_barrier (guint    kernel,
            gint64   block,
            guint    line,
            guint    epoch,
            gpointer data)
{
  Trace *self = data;

  if (!keeps (self, kernel, block))
    return;
  g_variant_builder_add (&self->events, "(uuuttu@ax)", 1u, line, 0u, (guint64) 0, (guint64) 0, epoch, g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, NULL, 0, sizeof (gint64)));
  self->n++;
}

/* Arguments as the simulator takes them. (transfer full) */
static LsInterpArg *
interp_args (LsProgram   *program,
             LsArguments *arguments)
{
  LsInterpArg *args = g_new0 (LsInterpArg, arguments->n + 1);

  for (guint i = 0; i < arguments->n; i++)
    {
      LsNDArray *array = arguments->arguments[i].array;
      LsBuffer *buffer = ls_prim_func_get_buffer (program->func, i);
      LsArg *arg = &arguments->args[i];

      if (array != NULL && buffer != NULL)
        args[i] = (LsInterpArg) { buffer->dtype, TRUE, array->tensor.data, (guint) array->tensor.ndim, array->tensor.shape, array->tensor.strides, 0, 0 };
      else
        args[i] = (LsInterpArg) { .dtype = ls_dtype (program->func->params->items[i]), .int_value = arg->kind == LS_ARG_INT ? arg->v_int : 0,
                                  .float_value = arg->kind == LS_ARG_FLOAT ? arg->v_float : (double) arg->v_int };
    }
  return args;
}

/* ---- the answer ----------------------------------------------------------------------------- */

static GVariant *
numbers (const gint64 *values,
         guint         n)
{
  return g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, values, n, sizeof (gint64));
}

static GVariant *
thread_value (const LsSimtThread *thread)
{
  gint64 all[6];

  for (guint i = 0; i < 3; i++)
    {
      all[i] = thread->block[i];
      all[i + 3] = thread->thread[i];
    }
  return numbers (all, 6);
}

static void
put_resident (GVariantDict      *dict,
              const char        *arch,
              const LsOccupancy *o)
{
  g_variant_dict_insert (dict, "arch", "s", arch);
  g_variant_dict_insert (dict, "resident-blocks", "u", o->resident);
  g_variant_dict_insert (dict, "resident-warps", "u", o->warps);
  g_variant_dict_insert (dict, "most-warps", "u", o->most_warps);
  g_variant_dict_insert (dict, "limited-by", "s", ls_occupancy_limit_name (o->limit));
}

/* How much of a compute unit of AMD's the kernel fills, by its object file. */
static void
put_amd (GVariantDict       *dict,
         const LsSimtKernel *k,
         const char         *name,
         GBytes             *code,
         const char         *arch)
{
  LsAmdKernel found;
  LsOccupancyAmd taken;
  LsOccupancy o;
  guint vector, scalar;

  if (!ls_amd_kernel_read (code, name, &found))
    return;
  taken = (LsOccupancyAmd) { found.vector_units, found.scalar_units, found.lanes, found.wide_groups };
  if (!ls_occupancy_amd (arch, k->block[0] * k->block[1] * k->block[2], MAX (k->shared_bytes, found.shared_bytes), &taken, &vector, &scalar, &o))
    return;
  put_resident (dict, arch, &o);
  g_variant_dict_insert (dict, "lanes", "u", found.lanes);
  g_variant_dict_insert (dict, "vector-registers", "u", vector);
  g_variant_dict_insert (dict, "scalar-registers", "u", scalar);
  g_variant_dict_insert (dict, "private-bytes", "x", found.private_bytes);
}

/* How much of a multiprocessor the kernel fills; nothing where the architecture's limits are not known. */
static void
put_occupancy (GVariantDict       *dict,
               const LsSimtKernel *k,
               guint               number,
               const LsObject     *object,
               const char         *arch)
{
  LsOccupancy o;

  if (object != NULL && object->code != NULL)
    {
      if (number < g_strv_length (object->functions))
        put_amd (dict, k, object->functions[number], object->code, arch);
      return;
    }
  if (!ls_occupancy (arch, k->block[0] * k->block[1] * k->block[2], k->shared_bytes, ls_occupancy_registers (k), &o))
    return;
  put_resident (dict, arch, &o);
  g_variant_dict_insert (dict, "registers-estimate", "u", ls_occupancy_registers (k));
}

static GVariant *
kernels_value (LsSimtRun      *run,
               const LsObject *object,
               const char     *arch)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < run->kernels->len; i++)
    {
      const LsSimtKernel *k = &g_array_index (run->kernels, LsSimtKernel, i);
      GVariantDict dict;

      g_variant_dict_init (&dict, NULL);
      g_variant_dict_insert (&dict, "line", "u", k->line);
      g_variant_dict_insert_value (&dict, "grid", numbers (k->grid, 3));
      g_variant_dict_insert_value (&dict, "block", numbers (k->block, 3));
      g_variant_dict_insert (&dict, "shared-bytes", "x", k->shared_bytes);
      g_variant_dict_insert (&dict, "local-bytes", "x", k->local_bytes);
      g_variant_dict_insert (&dict, "blocks", "t", k->blocks);
      g_variant_dict_insert (&dict, "warps", "t", k->warps);
      g_variant_dict_insert (&dict, "instructions", "t", k->instructions);
      g_variant_dict_insert (&dict, "lane-operations", "t", k->lane_ops);
      g_variant_dict_insert (&dict, "integer", "t", k->int_ops);
      g_variant_dict_insert (&dict, "float", "t", k->float_ops);
      g_variant_dict_insert (&dict, "special", "t", k->special_ops);
      g_variant_dict_insert (&dict, "loads", "t", k->loads);
      g_variant_dict_insert (&dict, "stores", "t", k->stores);
      g_variant_dict_insert (&dict, "shuffles", "t", k->shuffles);
      g_variant_dict_insert (&dict, "barriers", "t", k->barriers);
      g_variant_dict_insert (&dict, "warp-barriers", "t", k->warp_barriers);
      g_variant_dict_insert (&dict, "matrix", "t", k->matrix_ops);
      g_variant_dict_insert (&dict, "asynchronous-copies", "t", k->copies);
      g_variant_dict_insert (&dict, "atomics", "t", k->atomics);
      g_variant_dict_insert (&dict, "branches", "t", k->branches);
      g_variant_dict_insert (&dict, "divergent", "t", k->divergent);
      put_occupancy (&dict, k, i, object, arch);
      g_variant_builder_add_value (&list, g_variant_dict_end (&dict));
    }
  return g_variant_builder_end (&list);
}

static GVariant *
sites_value (LsSimtRun *run)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < run->sites->len; i++)
    {
      const LsSimtSite *s = &g_array_index (run->sites, LsSimtSite, i);
      GVariantDict dict;

      g_variant_dict_init (&dict, NULL);
      g_variant_dict_insert (&dict, "kernel", "u", s->kernel);
      g_variant_dict_insert (&dict, "buffer", "s", s->buffer->name);
      g_variant_dict_insert (&dict, "dtype", "s", ls_dtype_name (s->buffer->dtype));
      g_variant_dict_insert (&dict, "space", "s", ls_simt_space_name (s->space));
      g_variant_dict_insert (&dict, "store", "b", s->is_store);
      g_variant_dict_insert (&dict, "line", "u", s->line);
      g_variant_dict_insert (&dict, "loops", "s", s->loops);
      g_variant_dict_insert (&dict, "lane-bytes", "u", s->lane_bytes);
      g_variant_dict_insert (&dict, "requests", "t", s->requests);
      g_variant_dict_insert (&dict, "lanes", "t", s->lanes);
      g_variant_dict_insert (&dict, "bytes", "t", s->bytes);
      g_variant_dict_insert (&dict, "sectors", "t", s->sectors);
      g_variant_dict_insert (&dict, "lines", "t", s->lines);
      g_variant_dict_insert (&dict, "sectors-needed", "t", s->sectors_needed);
      g_variant_dict_insert (&dict, "most-sectors", "u", s->most_sectors);
      g_variant_dict_insert (&dict, "passes", "t", s->passes);
      g_variant_dict_insert (&dict, "passes-needed", "t", s->passes_needed);
      g_variant_dict_insert (&dict, "most-ways", "u", s->most_ways);
      g_variant_builder_add_value (&list, g_variant_dict_end (&dict));
    }
  return g_variant_builder_end (&list);
}

static GVariant *
findings_value (LsSimtRun *run)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < run->findings->len; i++)
    {
      const LsSimtFinding *f = run->findings->pdata[i];
      GVariantDict dict;

      g_variant_dict_init (&dict, NULL);
      g_variant_dict_insert (&dict, "kind", "s", ls_simt_finding_name (f->kind));
      g_variant_dict_insert (&dict, "text", "s", f->text);
      g_variant_dict_insert (&dict, "line", "u", f->line);
      g_variant_dict_insert (&dict, "other-line", "u", f->other_line);
      g_variant_dict_insert (&dict, "store", "b", f->is_store);
      g_variant_dict_insert (&dict, "other-store", "b", f->other_is_store);
      g_variant_dict_insert (&dict, "site", "x", f->site == G_MAXUINT ? (gint64) -1 : (gint64) f->site);
      g_variant_dict_insert (&dict, "other-site", "x", f->other_site == G_MAXUINT ? (gint64) -1 : (gint64) f->other_site);
      g_variant_dict_insert (&dict, "element", "x", f->element);
      g_variant_dict_insert (&dict, "times", "t", f->times);
      g_variant_dict_insert_value (&dict, "thread", thread_value (&f->thread));
      if (f->has_other)
        g_variant_dict_insert_value (&dict, "other-thread", thread_value (&f->other));
      g_variant_builder_add_value (&list, g_variant_dict_end (&dict));
    }
  return g_variant_builder_end (&list);
}

/* ---- against the program before its steps -------------------------------------------------------- */

/* Says in `dict` whether `actual` is what the program `base` gives for `inputs`, on the CPU. */
static gboolean
compare (const char   *base,
         GVariant     *params,
         LsArguments  *inputs,
         LsArguments  *actual,
         GVariantDict *dict,
         GError      **error)
{
  g_autoptr (GVariant) cpu = NULL;
  g_autoptr (LsProgram) program = NULL;
  g_auto (LsDifference) difference = { 0 };
  GVariantDict plain;
  gboolean same;

  g_variant_dict_init (&plain, params);
  g_variant_dict_insert (&plain, "target", "s", "llvm");
  g_variant_dict_insert (&plain, "threads-as-loops", "b", TRUE);
  cpu = g_variant_ref_sink (g_variant_dict_end (&plain));
  program = ls_program_build (base, cpu, NULL, error);
  if (program == NULL || !ls_kernel_call (program->kernel, program->name, inputs->args, (int) inputs->n, NULL, error))
    {
      g_prefix_error (error, ls_translate ("The program before its steps, on the CPU: "));
      return FALSE;
    }
  same = ls_arguments_compare (actual, inputs, &difference);
  g_variant_dict_insert (dict, "same", "b", same);
  g_variant_dict_insert (dict, "max-difference", "d", difference.max_abs);
  if (difference.text != NULL)
    g_variant_dict_insert (dict, "difference", "s", difference.text);
  return TRUE;
}

/* ---- layouts ------------------------------------------------------------------------------------------ */

static GVariant *
numbers_value (const guint *numbers,
               gsize        n)
{
  return g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, numbers, numbers != NULL ? n : 0, sizeof (guint32));
}

/* lanes: lanes, numbers; banks: banks; registers: other, threads, numbers, holders; staged: other, banks, numbers.  4294967295: an element that was not copied. */
static GVariant *
layouts_value (GPtrArray *layouts)
{
  static const char *const TILES[] = { "A", "B", "C" }, *const KINDS[] = { "lanes", "banks", "registers", "staged" };
  static const char *const PLACES[] = { "lanes", "banks", "threads", "banks" };
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < layouts->len; i++)
    {
      const LsSimtLayout *layout = layouts->pdata[i];
      gsize n = (gsize) layout->rows * layout->columns;
      GVariantDict dict;

      g_variant_dict_init (&dict, NULL);
      g_variant_dict_insert (&dict, "kind", "s", KINDS[layout->kind]);
      g_variant_dict_insert (&dict, "buffer", "s", layout->name);
      g_variant_dict_insert (&dict, "dtype", "s", ls_dtype_name (layout->dtype));
      if (layout->kind == LS_SIMT_LAYOUT_LANES)
        g_variant_dict_insert (&dict, "tile", "s", TILES[layout->tile]);
      if (layout->other != NULL)
        {
          g_variant_dict_insert (&dict, "other", "s", layout->other);
          g_variant_dict_insert (&dict, "row", "x", layout->row);
          g_variant_dict_insert (&dict, "column", "x", layout->column);
        }
      if (layout->kind == LS_SIMT_LAYOUT_REGISTERS)
        g_variant_dict_insert (&dict, "holders", "u", layout->holders);
      g_variant_dict_insert (&dict, "bytes", "u", ls_dtype_bytes (layout->dtype));
      g_variant_dict_insert (&dict, "rows", "u", layout->rows);
      g_variant_dict_insert (&dict, "columns", "u", layout->columns);
      g_variant_dict_insert (&dict, "pitch", "x", layout->pitch);
      g_variant_dict_insert_value (&dict, PLACES[layout->kind], numbers_value (layout->places, n));
      if (layout->numbers != NULL)
        g_variant_dict_insert_value (&dict, "numbers", numbers_value (layout->numbers, n));
      g_variant_builder_add_value (&builder, g_variant_dict_end (&dict));
    }
  return g_variant_builder_end (&builder);
}

/* ---- the fast mode ---------------------------------------------------------------------------------- */

#define MOST_RUNS 5

/* The kernel as loops over blocks and threads, compiled for this CPU: its result, and the least time of some runs, which is no GPU's. */
static GVariant *
run_fast (const char           *text,
          const char           *base,
          const LsDeviceTarget *target,
          LsArguments          *actual,
          LsArguments          *inputs,
          GVariant             *params,
          GError              **error)
{
  g_autoptr (GVariant) loops = NULL;
  g_autoptr (LsProgram) program = NULL;
  GVariantDict dict;
  gint64 best = G_MAXINT64, spent = 0;

  g_variant_dict_init (&dict, params);
  g_variant_dict_insert (&dict, "target", "s", "llvm");
  g_variant_dict_insert (&dict, "device", "s", target->text);
  g_variant_dict_insert (&dict, "threads-as-loops", "b", TRUE);
  loops = g_variant_ref_sink (g_variant_dict_end (&dict));
  program = ls_program_build (text, loops, NULL, error);
  for (guint i = 0; i < MOST_RUNS && spent < G_USEC_PER_SEC * 1000 && program != NULL; i++)
    {
      g_autoptr (LsArguments) again = ls_arguments_copy (inputs, error);
      gint64 start = ls_clock_ns ();

      if (again == NULL || !ls_kernel_call (program->kernel, program->name, i == 0 ? actual->args : again->args, (int) actual->n, NULL, error))
        return NULL;
      best = MIN (best, ls_clock_ns () - start);
      spent += ls_clock_ns () - start;
    }
  if (program == NULL)
    return NULL;
  g_variant_dict_init (&dict, NULL);
  if (base != NULL && !compare (base, params, inputs, actual, &dict, error))
    {
      g_variant_dict_clear (&dict);
      return NULL;
    }
  g_variant_dict_insert (&dict, "fast", "b", TRUE);
  g_variant_dict_insert (&dict, "function", "s", program->name);
  g_variant_dict_insert (&dict, "target", "s", target->text);
  g_variant_dict_insert (&dict, "device", "s", target->tag != NULL ? target->tag : target->kind);
  g_variant_dict_insert (&dict, "cpu-ns", "x", best);
  return g_variant_dict_end (&dict);
}

/* ---- the method -------------------------------------------------------------------------------------- */

/* module, base (or none), func, target, set, seed, fast (-> cpu-ns, same, difference only), unchecked, layouts, layouts-block, trace-block (or none), trace-kernel -> kernels, sites, findings, stopped, faults, same,
 * difference, device, note, layouts, events, more-events */
static GVariant *
method_simt (LsRequest  *request,
             GVariant   *params,
             GError    **error)
{
  const char *text = ls_params_require_string (params, "module", error);
  const char *base = ls_params_string (params, "base", NULL);
  g_autoptr (LsProgram) program = text != NULL ? ls_program_read (text, params, error) : NULL;
  g_autoptr (LsDeviceTarget) target = program != NULL ? ls_device_target_parse (ls_params_string (params, "target", "cuda"), error) : NULL;
  g_autoptr (LsArguments) actual = target != NULL ? ls_arguments_prepare (program, request, params, error) : NULL;
  g_autoptr (LsArguments) inputs = actual != NULL ? ls_arguments_copy (actual, error) : NULL;
  g_autoptr (LsPrimFunc) lowered = inputs != NULL ? ls_lower_device (program->func, target, NULL, NULL, error) : NULL;
  g_autofree LsInterpArg *args = lowered != NULL ? interp_args (program, actual) : NULL;
  g_autoptr (LsObject) object = NULL;
  g_autofree char *device = NULL;
  Trace trace = { .block = ls_params_int (params, "trace-block", -1), .kernel = (guint) ls_params_int (params, "trace-kernel", 0) };
  LsSimtOptions options = { 0 };
  g_autoptr (LsSimtHolding) holding = NULL;
  g_autoptr (LsSimtRun) run = NULL;
  g_autoptr (GPtrArray) layouts = lowered != NULL && ls_params_bool (params, "layouts", FALSE) ? ls_simt_layouts (program->func, target, error) : NULL;
  GVariantDict dict;
  GVariant *events;

  if (lowered != NULL && ls_params_bool (params, "fast", FALSE))
    return run_fast (text, base, target, actual, inputs, params, error);
  if (lowered == NULL || (layouts == NULL && ls_params_bool (params, "layouts", FALSE)))
    return NULL;
  device = g_strdup (target->tag != NULL ? target->tag : target->kind);
  options = (LsSimtOptions) { .most_threads = target->max_threads, .most_shared = target->max_shared,
                              .most_static = ls_device_target_most_static (target), .device = device,
                              .unchecked = ls_params_bool (params, "unchecked", FALSE), .user_data = &trace };
  g_variant_builder_init (&trace.events, G_VARIANT_TYPE ("a(uuuttuax)"));
  if (layouts != NULL)
    trace.holding = holding = ls_simt_holding_new (trace.kernel, ls_params_int (params, "layouts-block", MAX (trace.block, 0)));
  if (trace.block >= 0 || holding != NULL)
    {
      options.on_access = on_access;
      options.on_barrier = on_barrier;
    }
  run = ls_simt_run (lowered, args, actual->n, &options, error);
  events = g_variant_ref_sink (g_variant_builder_end (&trace.events));
  if (run == NULL)
    {
      g_variant_unref (events);
      return NULL;
    }
  g_variant_dict_init (&dict, NULL);
  if (base != NULL && !run->stopped && !compare (base, params, inputs, actual, &dict, error))
    {
      g_variant_dict_clear (&dict);
      g_variant_unref (events);
      return NULL;
    }
  if (strcmp (target->kind, "rocm") == 0)               /* where LLVM makes nothing of it, there is nothing to tell */
    object = ls_codegen_kernels (program->name, lowered, target, NULL);
  g_variant_dict_insert (&dict, "warp-size", "u", ls_simt_warp_size (lowered));
  g_variant_dict_insert (&dict, "function", "s", program->name);
  g_variant_dict_insert (&dict, "target", "s", target->text);
  g_variant_dict_insert (&dict, "device", "s", device);
  if (ls_is (ls_map_get (lowered->attrs, LS_DEVICE_NOTE), STRING))
    g_variant_dict_insert (&dict, "note", "s", ((LsString *) ls_map_get (lowered->attrs, LS_DEVICE_NOTE))->value);
  g_variant_dict_insert (&dict, "stopped", "b", run->stopped);
  g_variant_dict_insert (&dict, "faults", "u", ls_simt_run_n_faults (run));
  g_variant_dict_insert_value (&dict, "kernels", kernels_value (run, object, target->arch));
  g_variant_dict_insert_value (&dict, "sites", sites_value (run));
  g_variant_dict_insert_value (&dict, "findings", findings_value (run));
  if (layouts != NULL)
    {
      ls_simt_holding_layouts (holding, program->func, layouts);
      g_variant_dict_insert_value (&dict, "layouts", layouts_value (layouts));
    }
  if (trace.block >= 0)
    g_variant_dict_insert_value (&dict, "events", events);
  g_variant_dict_insert (&dict, "more-events", "b", trace.more);
  g_variant_unref (events);
  return g_variant_dict_end (&dict);
}

const LsMethod ls_methods_simt[] = {
  { "simt", method_simt, "Runs a kernel on simulated threads: findings and counts." },
  { NULL, NULL, NULL },
};
