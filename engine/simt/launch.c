/* launch: the host's part, and kernels block by block: each warp to its next barrier, until all are through. */
#include "engine/simt/simt-private.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- memory -------------------------------------------------------------------------------- */

/* What nobody has written shows: NaN, or a large odd number. */
static void
spoil (const Allocation *a,
       guint8           *data,
       gint64            copies)
{
  LsDType t = ls_dtype_element (a->dtype);
  guint step = (t.bits + 7u) / 8u;
  LsScalar garbage = { .i = 0x5a5a5a5a5a5a5a5b };

  if (ls_is_float_type (t))
    garbage.f = NAN;
  for (gint64 i = 0; i < a->bytes * copies / step; i++)
    ls_element_set (t, data + i * step, garbage);
}

static gint64
copies_of (Simt       *self,
           LsSimtSpace space)
{
  return space == LS_SIMT_SHARED ? 1 : space == LS_SIMT_LOCAL ? (gint64) self->n_warps * self->warp_size : self->n_warps;
}

static void
allocate_kernel (Simt *self)
{
  for (guint i = 0; i < self->plan->allocations->len; i++)
    {
      Allocation *a = &g_array_index (self->plan->allocations, Allocation, i);
      gint64 copies = copies_of (self, a->space);
      gint64 bytes = MAX (a->bytes, 1);
      Region *region = simt_region_around (self, a->space, g_malloc ((gsize) (bytes * copies) + 8), bytes, a->granule);

      region->owns = TRUE;
      if (a->space != LS_SIMT_SHARED)
        region->stride = bytes;
      if (a->space == LS_SIMT_WARP && region->pages != NULL)
        {
          g_free (region->pages);
          simt_region_shadow (region, bytes * copies);
        }
      if ((a->space == LS_SIMT_LOCAL || a->space == LS_SIMT_FRAGMENT) && (self->options == NULL || !self->options->unchecked) && bytes % region->granule == 0)
        region->written = g_malloc0 ((gsize) (bytes * copies / region->granule) + 1);
    }
}

static void
renew_memory (Simt *self)
{
  for (guint i = 0; i < self->plan->allocations->len; i++)
    {
      Allocation *a = &g_array_index (self->plan->allocations, Allocation, i);
      Region *region = self->regions->pdata[self->regions->len - self->plan->allocations->len + i];
      gint64 copies = copies_of (self, a->space);

      if (self->block_number == 0 || a->space != LS_SIMT_LOCAL)
        spoil (a, region->data, copies);
    }
}

/* ---- barriers -------------------------------------------------------------------------------- */

/* All warps wait or are through: does every thread stand at the same barrier?  FALSE: it is found, and the kernel ends. */
static gboolean
barrier_holds (Simt *self,
               Warp *warps)
{
  Warp *at = NULL;

  for (guint i = 0; i < self->n_warps && at == NULL; i++)
    if (warps[i].at_barrier)
      at = &warps[i];
  for (guint i = 0; i < self->n_warps; i++)
    {
      Warp *warp = &warps[i];
      LsSimtMask absent = warp->live & ~(warp->at_barrier && warp->pc == at->pc ? warp->mask : 0);
      const Instr *in = &g_array_index (self->code->instrs, Instr, at->pc - 1);
      LsSimtFinding *finding;

      if (absent == 0)
        continue;
      finding = simt_finding (self, LS_SIMT_BARRIER, G_MAXUINT, G_MAXUINT, at->number * self->warp_size + simt_first_lane (at->mask));
      if (finding != NULL)
        {
          finding->line = finding->other_line = in->line;
          finding->has_other = TRUE;
          simt_thread_of (self, warp->number * self->warp_size + simt_first_lane (absent), &finding->other);
        }
      self->run->stopped = TRUE;
      self->stop = TRUE;
      return FALSE;
    }
  if (self->options != NULL && self->options->on_barrier != NULL)
    self->options->on_barrier (self->kernel_number, self->block_number, g_array_index (self->code->instrs, Instr, at->pc - 1).line, self->block_epoch,
                               self->options->user_data);
  return TRUE;
}

static void
start_warp (Simt  *self,
            Warp  *warp,
            guint  number)
{
  guint first = number * self->warp_size;
  guint lanes = MIN (self->n_threads - first, self->warp_size);
  LsScalar *vars = warp->vars;
  GArray *under_way = warp->copies;

  memset (warp, 0, sizeof *warp);
  warp->vars = vars;
  warp->copies = under_way;
  if (under_way != NULL)
    g_array_set_size (under_way, 0);
  warp->number = number;
  warp->pc = self->plan->first;
  warp->live = lanes == self->warp_size ? simt_all_lanes (self) : LS_SIMT_LANE (lanes) - 1;
  warp->mask = warp->live;
  memcpy (warp->vars, self->host->vars, sizeof (LsScalar) * self->warp_size * self->code->n_units);
}

static void
run_block (Simt *self,
           Warp *warps)
{
  gboolean waiting = TRUE;

  self->block_epoch = 0;
  renew_memory (self);
  for (guint i = 0; i < self->n_warps; i++)
    start_warp (self, &warps[i], i);
  while (waiting && !self->failed && !self->stop)
    {
      waiting = FALSE;
      for (guint i = 0; i < self->n_warps && !self->failed && !self->stop; i++)
        {
          warps[i].at_barrier = FALSE;
          if (!warps[i].done)
            simt_exec (self, &warps[i]);
          waiting = waiting || warps[i].at_barrier;
        }
      if (waiting && !self->failed && !self->stop)
        waiting = barrier_holds (self, warps);
      self->block_epoch++;
    }
  self->kernel->blocks++;
  self->kernel->warps += self->n_warps;
}

/* ---- kernels ----------------------------------------------------------------------------------- */

static gboolean
read_extents (Simt *self)
{
  const LsSimtOptions *o = self->options;
  gint64 most_threads = o != NULL && o->most_threads > 0 ? o->most_threads : 1024;
  gint64 most_shared = o != NULL && o->most_shared > 0 ? o->most_shared : 49152;
  const char *device = o != NULL && o->device != NULL ? o->device : "the simulator";
  gint64 threads = 1, blocks = 1;

  for (guint i = 0; i < AXES; i++)
    {
      Operand extent = self->plan->extents[i];
      gint64 n = extent != OPERAND_NONE ? simt_value (self, self->host, extent)[0].i : 1;

      if (n < 0 || (i < 3 ? __builtin_mul_overflow (blocks, n, &blocks) : __builtin_mul_overflow (threads, n, &threads)))
        {
          simt_fail (self, LS_INTERP_ERROR_ARGUMENT, "A kernel cannot have %" PRId64 " threads or blocks along an axis.", n);
          return FALSE;
        }
      *(i < 3 ? &self->grid[i] : &self->block_size[i - 3]) = n;
    }
  if (blocks > G_MAXINT32)
    simt_fail (self, LS_INTERP_ERROR_ARGUMENT, "The grid has %" PRId64 " blocks; the simulator runs at most %d.", blocks, G_MAXINT32);
  else if (threads > most_threads)
    simt_fail (self, LS_INTERP_ERROR_ARGUMENT, "A block has %" PRId64 " threads (%" PRId64 " x %" PRId64 " x %" PRId64
               "); %s allows %" PRId64 ".", threads, self->block_size[0], self->block_size[1], self->block_size[2], device, most_threads);
  else if (self->plan->shared_bytes > most_shared)
    simt_fail (self, LS_INTERP_ERROR_ARGUMENT, "A block needs %" PRId64 " bytes of shared memory; %s has %" PRId64 " for a block.",
               self->plan->shared_bytes, device, most_shared);
  else if (o != NULL && o->most_static > 0 && self->plan->static_bytes > o->most_static)
    simt_fail (self, LS_INTERP_ERROR_ARGUMENT, "A block needs %" PRId64 " bytes of memory of the scope \"shared\"; for %s at most %" PRId64
               " of a block can have a fixed size, more of them only the scope \"shared.dyn\".", self->plan->static_bytes, device, o->most_static);
  self->n_threads = (guint) threads;
  return !self->failed && threads > 0 && blocks > 0;
}

static void
begin_kernel (Simt  *self,
              guint  number)
{
  LsSimtKernel *kernel = &g_array_index (self->run->kernels, LsSimtKernel, number);

  self->kernel_number = number;
  self->kernel = kernel;
  memcpy (kernel->grid, self->grid, sizeof kernel->grid);
  memcpy (kernel->block, self->block_size, sizeof kernel->block);
  kernel->shared_bytes = self->plan->shared_bytes;
  kernel->local_bytes = self->plan->local_bytes;
  self->n_warps = (self->n_threads + self->warp_size - 1) / self->warp_size;
}

static void
end_kernel (Simt *self)
{
  g_ptr_array_set_size (self->regions, (int) (self->regions->len - self->plan->allocations->len));
  for (guint i = 0; i < self->regions->len; i++)
    simt_region_forget (self->regions->pdata[i]);
  self->kernel = NULL;
}

static gboolean
launch (Simt  *self,
        guint  number)
{
  Warp *warps;

  self->plan = &g_array_index (self->code->kernels, KernelPlan, number);
  if (!read_extents (self))
    return !self->failed;
  begin_kernel (self, number);
  allocate_kernel (self);
  warps = g_new0 (Warp, self->n_warps);
  for (guint i = 0; i < self->n_warps; i++)
    warps[i].vars = g_new (LsScalar, (gsize) self->code->n_units * self->warp_size + 1);
  for (self->block_number = 0; self->block_number < self->grid[0] * self->grid[1] * self->grid[2] && !self->failed && !self->stop; self->block_number++)
    {
      self->block[0] = self->block_number % self->grid[0];
      self->block[1] = self->block_number / self->grid[0] % self->grid[1];
      self->block[2] = self->block_number / self->grid[0] / self->grid[1];
      run_block (self, warps);
    }
  for (guint i = 0; i < self->n_warps; i++)
    {
      g_free (warps[i].vars);
      g_clear_pointer (&warps[i].copies, g_array_unref);
    }
  g_free (warps);
  end_kernel (self);
  return !self->failed && !self->stop;
}

/* ---- arguments -------------------------------------------------------------------------------------- */

static void
fill (Simt    *self,
      guint    slot,
      LsScalar v)
{
  LsScalar *at = self->host->vars + (gsize) self->code->slot_unit[slot] * self->warp_size;

  for (guint lane = 0; lane < self->warp_size; lane++)
    at[lane] = v;
}

static guint
slot_of (Simt  *self,
         LsVar *var)
{
  return ls_program_slot (self->code->program, var, FALSE);
}

/* A size of the signature: a variable gets it, a number has to be it. */
static gboolean
match (Simt       *self,
       LsBuffer   *buffer,
       LsExpr     *wanted,
       gint64      value,
       const char *what)
{
  gint64 known;

  if (ls_is_var (wanted))
    fill (self, slot_of (self, (LsVar *) wanted), (LsScalar) { .i = value });
  else if (ls_as_int (wanted, &known) && known != value)
    simt_fail (self, LS_INTERP_ERROR_ARGUMENT, "%s of %s is %" PRId64 ", expected %" PRId64 ".", what, buffer->name, value, known);
  return !self->failed;
}

static void
bind_array (Simt              *self,
            LsBuffer          *buffer,
            const LsInterpArg *arg)
{
  gint64 n = 1, step = 1;
  guint granule;
  Region *region;

  if (!arg->is_array || arg->ndim != buffer->shape->n || !ls_dtype_equal (arg->dtype, buffer->dtype))
    {
      simt_fail (self, LS_INTERP_ERROR_ARGUMENT, "%s is an array of %u dimensions of %s; got %s%u dimensions of %s.", buffer->name, buffer->shape->n,
                 ls_dtype_name (buffer->dtype), arg->is_array ? "" : "a number, ", arg->ndim, ls_dtype_name (arg->dtype));
      return;
    }
  for (guint i = arg->ndim; i-- > 0;)
    {
      if (!match (self, buffer, ls_array_at (buffer->shape, i, LsExpr), arg->shape[i], "The extent"))
        return;
      if (arg->strides != NULL && arg->shape[i] > 1 && arg->strides[i] != step)
        simt_fail (self, LS_INTERP_ERROR_ARGUMENT, "%s is not compact: a device gets arrays without gaps.", buffer->name);
      step *= arg->shape[i];
      n *= arg->shape[i];
    }
  if (ls_is_var (buffer->elem_offset))
    fill (self, slot_of (self, (LsVar *) buffer->elem_offset), (LsScalar) { .i = 0 });
  granule = MAX (GPOINTER_TO_UINT (g_hash_table_lookup (self->code->granules, buffer->data)), 1);
  region = simt_region_around (self, LS_SIMT_GLOBAL, arg->data, n * ls_dtype_bytes (buffer->dtype), granule);
  fill (self, slot_of (self, buffer->data), (LsScalar) { .i = simt_pointer (region, 0) });
}

/* A function whose buffers were flattened knows sizes of its signature from the buffers that it had before. */
static void
bind (Simt              *self,
      const LsInterpArg *args,
      guint              n_args)
{
  LsPrimFunc *func = self->code->program->func;

  if (n_args != func->params->n)
    {
      simt_fail (self, LS_INTERP_ERROR_ARGUMENT, "The function takes %u arguments; got %u.", func->params->n, n_args);
      return;
    }
  for (guint i = 0; i < n_args && !self->failed; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);
      LsVar *param = ls_array_at (func->params, i, LsVar);

      if (buffer != NULL)
        bind_array (self, buffer, &args[i]);
      else if (args[i].is_array)
        simt_fail (self, LS_INTERP_ERROR_ARGUMENT, "The argument %s is a pointer without a buffer.", param->name);
      else
        fill (self, slot_of (self, param), ls_is_float_type (ls_dtype (param)) ? (LsScalar) { .f = args[i].float_value } : (LsScalar) { .i = args[i].int_value });
    }
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

static void
kernel_clear (gpointer data)
{
  g_free (((LsSimtKernel *) data)->name);
}

static void
finding_free (gpointer data)
{
  g_free (((LsSimtFinding *) data)->text);
  g_free (data);
}

static LsSimtRun *
run_new (SimtCode *code)
{
  LsSimtRun *run = g_new0 (LsSimtRun, 1);

  run->func = ls_ref (code->program->func);
  run->kernels = g_array_new (FALSE, TRUE, sizeof (LsSimtKernel));
  g_array_set_clear_func (run->kernels, kernel_clear);
  run->findings = g_ptr_array_new_with_free_func (finding_free);
  for (guint i = 0; i < code->kernels->len; i++)
    {
      LsSimtKernel kernel = { .name = g_strdup_printf ("kernel %u", i + 1), .line = g_array_index (code->kernels, KernelPlan, i).line };

      g_array_append_val (run->kernels, kernel);
    }
  return run;
}

void
ls_simt_run_free (LsSimtRun *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->kernels, g_array_unref);
  g_clear_pointer (&self->sites, g_array_unref);
  g_clear_pointer (&self->findings, g_ptr_array_unref);
  g_clear_pointer (&self->buffers, g_ptr_array_unref);
  ls_unref (self->func);
  g_free (self);
}

/* A read before the write of another thread is found twice: as a race, and because in this order nobody had written yet.  The race says it. */
static gboolean
is_told_by_race (LsSimtRun     *run,
                 LsSimtFinding *finding)
{
  for (guint i = 0; finding->kind == LS_SIMT_UNWRITTEN && i < run->findings->len; i++)
    {
      LsSimtFinding *race = run->findings->pdata[i];

      if (race->kind == LS_SIMT_RACE && (race->site == finding->site || race->other_site == finding->site))
        return TRUE;
    }
  return FALSE;
}

static void
sum_up (LsSimtRun *run)
{
  for (guint i = run->findings->len; i-- > 0;)
    if (is_told_by_race (run, run->findings->pdata[i]))
      g_ptr_array_remove_index (run->findings, i);
  for (guint i = 0; i < run->kernels->len; i++)
    {
      LsSimtKernel *k = &g_array_index (run->kernels, LsSimtKernel, i);

      k->instructions = k->int_ops + k->float_ops + k->special_ops + k->loads + k->stores + k->shuffles + k->barriers + k->warp_barriers + k->branches
                        + k->matrix_ops + k->copies + k->atomics;
    }
  for (guint i = 0; i < run->findings->len; i++)
    simt_finding_say (run->findings->pdata[i], run);
}

LsSimtRun *
ls_simt_run (LsPrimFunc          *lowered,
             const LsInterpArg   *args,
             guint                n_args,
             const LsSimtOptions *options,
             GError             **error)
{
  SimtCode *code = simt_code_new (lowered, error);
  Warp host = { .mask = 1, .live = 1 };
  Simt self = { .code = code, .options = options, .host = &host, .launch = launch };

  if (code == NULL)
    return NULL;
  self.warp_size = options != NULL && options->warp_size > 0 ? options->warp_size : ls_simt_warp_size (lowered);
  self.regions = g_ptr_array_new_with_free_func (simt_region_free);
  self.scratch = g_new0 (LsScalar, (gsize) (code->n_scratch + 1) * self.warp_size);
  self.consts = g_new (LsScalar, (gsize) (code->consts->len + 1) * self.warp_size);
  for (guint i = 0; i < code->consts->len * self.warp_size; i++)
    self.consts[i] = g_array_index (code->consts, LsScalar, i / self.warp_size);
  host.vars = g_new0 (LsScalar, (gsize) (code->n_units + 1) * self.warp_size);
  self.run = run_new (code);
  bind (&self, args, n_args);
  if (!self.failed)
    simt_exec (&self, &host);
  self.run->sites = g_steal_pointer (&code->sites);
  code->sites = g_array_new (FALSE, TRUE, sizeof (LsSimtSite));
  self.run->buffers = g_steal_pointer (&code->buffers);
  sum_up (self.run);
  g_free (host.vars);
  g_free (self.scratch);
  g_free (self.consts);
  g_ptr_array_unref (self.regions);
  simt_code_free (code);
  if (!self.failed)
    return self.run;
  ls_simt_run_free (self.run);
  g_propagate_error (error, self.error);
  return NULL;
}
