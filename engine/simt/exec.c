/* exec: the instructions of a warp, each for all its lanes.
 *
 * What cannot fail is computed for all lanes, masked or not; what writes a variable, touches memory or divides keeps to the mask. */
#include "engine/simt/simt-private.h"

#include <inttypes.h>
#include <string.h>

#define EACH(i, n) for (guint i = 0; i < (n); i++)
#define QUICK(result) \
  { \
    EACH (i, n) \
      d[i].result; \
    break; \
  }

static void
binary (Simt        *self,
        Warp        *warp,
        const Instr *in,
        LsScalar    *d,
        LsScalar    *a,
        LsScalar    *b)
{
  for (guint i = 0; i < in->lanes * self->warp_size; i++)
    if ((warp->mask >> (i & (self->warp_size - 1)) & 1) != 0 && !ls_value_of_binary (in->code, a[i], b[i], &d[i]))
      {
        LsSimtThread t;

        simt_thread_of (self, warp->number * self->warp_size + i % self->warp_size, &t);
        simt_fail (self, LS_INTERP_ERROR_ARITHMETIC, "Line %u: %" PRId64 " is divided by zero in thread (%d, %d, %d) of block (%" PRId64 ", %"
                   PRId64 ", %" PRId64 ").", in->line, a[i].i, t.thread[0], t.thread[1], t.thread[2], t.block[0], t.block[1], t.block[2]);
        return;
      }
}

static void
call (Simt        *self,
      Warp        *warp,
      const Instr *in,
      LsScalar    *d)
{
  LsScalar *from[LS_CALL_MAX_ARGS] = { NULL };
  LsScalar args[LS_CALL_MAX_ARGS] = { 0 };

  for (guint k = 0; k < in->n; k++)
    from[k] = simt_value (self, warp, in->args[k]);
  for (guint i = 0; i < in->lanes * self->warp_size; i++)
    {
      if ((warp->mask >> (i & (self->warp_size - 1)) & 1) == 0)
        continue;
      for (guint k = 0; k < in->n; k++)
        args[k] = from[k][i];
      if (in->op == OP_LARGE_UINT)
        d[i].i = (gint64) (((guint64) args[1].i << 32) | (guint64) args[0].i);
      else
        ls_value_of_call (in->code, args, &d[i]);
    }
}

static void
shuffle_lanes (Simt        *self,
               Warp        *warp,
               const Instr *in,
               LsScalar    *d)
{
  for (guint l = 0; l < in->lanes; l++)
    {
      LsScalar *index = simt_value (self, warp, in->args[in->n + l]);

      for (guint lane = 0; lane < self->warp_size; lane++)
        {
          gint64 at = index[lane].i;

          for (guint k = 0; k < in->n && at >= 0; k++)
            {
              guint lanes = in->code->args[k]->t.lanes;

              if (at < lanes)
                {
                  d[l * self->warp_size + lane] = simt_value (self, warp, in->args[k])[at * self->warp_size + lane];
                  break;
                }
              at -= lanes;
            }
        }
    }
}

/* mask, value, lane or distance, width, warp size */
static void
warp_shuffle (Simt        *self,
              Warp        *warp,
              const Instr *in,
              LsScalar    *d)
{
  LsSimtMask unknown = warp->unknown, shuffled = warp->shuffled;
  LsScalar *value = simt_value (self, warp, in->args[1]), *which = simt_value (self, warp, in->args[2]), *width = simt_value (self, warp, in->args[3]);

  for (guint lane = 0; lane < self->warp_size; lane++)
    {
      gint64 group = CLAMP (width[lane].i, 1, self->warp_size), from, first;

      if ((warp->mask >> lane & 1) == 0)
        continue;
      if (width[lane].i > self->warp_size)
        {
          simt_fail (self, LS_INTERP_ERROR_UNSUPPORTED, "Line %u: a shuffle among %" PRId64 " lanes; the warps of this target have %u.", in->line, width[lane].i,
                     self->warp_size);
          return;
        }
      first = lane / group * group;
      from = in->site == 0 ? first + (which[lane].i % group + group) % group : in->site == 1 ? lane - which[lane].i : lane + which[lane].i;
      if (from < first || from >= first + group)
        from = lane;
      if ((warp->mask >> from & 1) == 0)
        {
          warp->unknown |= LS_SIMT_LANE (lane);
          warp->shuffled |= LS_SIMT_LANE (lane);
          warp->shuffle_line = in->line;
          warp->shuffle_from[lane] = (guint8) from;
          continue;
        }
      for (guint l = 0; l < in->lanes; l++)
        d[l * self->warp_size + lane] = value[l * self->warp_size + from];
      warp->unknown = (warp->unknown & ~LS_SIMT_LANE (lane)) | (unknown >> from & 1) << lane;
      warp->shuffled = (warp->shuffled & ~LS_SIMT_LANE (lane)) | (shuffled >> from & 1) << lane;
    }
}

static void
move (Simt        *self,
      Warp        *warp,
      const Instr *in,
      LsScalar    *d,
      LsScalar    *a)
{
  if (warp->mask == simt_all_lanes (self))
    memmove (d, a, sizeof (LsScalar) * self->warp_size * in->lanes);
  else
    for (guint i = 0; i < in->lanes * self->warp_size; i++)
      if ((warp->mask >> (i & (self->warp_size - 1)) & 1) != 0)
        d[i] = a[i];
}

static LsSimtMask
true_lanes (const Simt     *self,
            const LsScalar *v)
{
  LsSimtMask mask = 0;

  for (guint lane = 0; lane < self->warp_size; lane++)
    mask |= (LsSimtMask) (v[lane].i != 0) << lane;
  return mask;
}

static void
test (Simt      *self,
      LsSimtMask before,
      LsSimtMask after)
{
  if (self->kernel == NULL)
    return;
  self->kernel->branches++;
  if (after != 0 && after != before)
    self->kernel->divergent++;
}

static void
thread_axis (Simt        *self,
             Warp        *warp,
             const Instr *in,
             LsScalar    *d)
{
  for (guint lane = 0; lane < self->warp_size; lane++)
    {
      LsSimtThread t;

      simt_thread_of (self, warp->number * self->warp_size + lane, &t);
      d[lane].i = in->site < 3 ? t.block[in->site] : t.thread[in->site - 3];
    }
}

/* Enters an allocation: where it is; what was in memory of one thread is gone. */
static void
fresh (Simt        *self,
       Warp        *warp,
       const Instr *in,
       LsScalar    *d)
{
  Allocation *a = &g_array_index (self->plan->allocations, Allocation, in->site);
  Region *region = self->regions->pdata[self->regions->len - self->plan->allocations->len + in->site];

  if (region->written != NULL && a->space == LS_SIMT_FRAGMENT)
    memset (region->written + (gint64) warp->number * region->stride / region->granule, 0, (gsize) (region->stride / region->granule));
  for (guint lane = 0; lane < self->warp_size; lane++)
    {
      guint thread = warp->number * self->warp_size + lane;

      d[lane].i = simt_pointer (region, a->space == LS_SIMT_LOCAL ? (gint64) thread * region->stride
                                        : a->space != LS_SIMT_SHARED ? (gint64) warp->number * region->stride : 0);
      if (region->written != NULL && a->space == LS_SIMT_LOCAL && (warp->mask >> lane & 1) != 0)
        memset (region->written + (gint64) thread * region->stride / region->granule, 0, (gsize) (region->stride / region->granule));
    }
}

static void
host_alloc (Simt        *self,
            Warp        *warp,
            const Instr *in,
            LsScalar    *d)
{
  gint64 bytes = in->site;
  Region *region;

  for (guint i = 0; i < in->n; i++)
    if (__builtin_mul_overflow (bytes, simt_value (self, warp, in->args[i])[0].i, &bytes) || bytes < 0 || bytes > ((gint64) 1 << 31))
      {
        simt_fail (self, LS_INTERP_ERROR_BOUNDS, "Line %u: an allocation is larger than the simulator gives.", in->line);
        return;
      }
  region = simt_region_new (self, LS_SIMT_GLOBAL, bytes, in->lanes);
  for (guint lane = 0; lane < self->warp_size; lane++)
    d[lane].i = simt_pointer (region, 0);
}

static void
count (Simt        *self,
       Warp        *warp,
       const Instr *in)
{
  LsSimtKernel *k = self->kernel;

  if (k == NULL)
    return;
  switch (in->count)
    {
    case COUNT_NONE: return;
    case COUNT_INT: k->int_ops += in->lanes; break;
    case COUNT_FLOAT: k->float_ops += in->lanes; break;
    case COUNT_SPECIAL: k->special_ops += in->lanes; break;
    case COUNT_BRANCH: break;
    }
  k->lane_ops += (guint64) simt_popcount (warp->mask) * in->lanes;
}

/* TRUE: go on. */
static gboolean
step (Simt *self,
      Warp *warp)
{
  const Instr *in = &g_array_index (self->code->instrs, Instr, warp->pc);
  guint n = in->lanes * self->warp_size;
  LsScalar *d = in->dst != OPERAND_NONE ? simt_value (self, warp, in->dst) : NULL;
  LsScalar *a = in->a != OPERAND_NONE ? simt_value (self, warp, in->a) : NULL;
  LsScalar *b = in->b != OPERAND_NONE ? simt_value (self, warp, in->b) : NULL;
  LsSimtMask mask;

  count (self, warp, in);
  warp->pc++;
  switch (in->op)
    {
    case OP_ADD_I32: QUICK (i = (gint32) (guint32) ((guint64) a[i].i + (guint64) b[i].i))
    case OP_SUB_I32: QUICK (i = (gint32) (guint32) ((guint64) a[i].i - (guint64) b[i].i))
    case OP_MUL_I32: QUICK (i = (gint32) (guint32) ((guint64) a[i].i * (guint64) b[i].i))
    case OP_ADD_I64: QUICK (i = (gint64) ((guint64) a[i].i + (guint64) b[i].i))
    case OP_SUB_I64: QUICK (i = (gint64) ((guint64) a[i].i - (guint64) b[i].i))
    case OP_MUL_I64: QUICK (i = (gint64) ((guint64) a[i].i * (guint64) b[i].i))
    case OP_ADD_F32: QUICK (f = (double) (float) (a[i].f + b[i].f))
    case OP_SUB_F32: QUICK (f = (double) (float) (a[i].f - b[i].f))
    case OP_MUL_F32: QUICK (f = (double) (float) (a[i].f * b[i].f))
    case OP_LT_INT: QUICK (i = a[i].i < b[i].i)
    case OP_GE_INT: QUICK (i = a[i].i >= b[i].i)
    case OP_EQ_INT: QUICK (i = a[i].i == b[i].i)
    case OP_AND: QUICK (i = a[i].i != 0 && b[i].i != 0)
    case OP_OR: QUICK (i = a[i].i != 0 || b[i].i != 0)
    case OP_NOT: QUICK (i = a[i].i == 0)
    case OP_CAST:
      EACH (i, n)
        d[i] = ls_value_of_cast (in->code, a[i]);
      break;
    case OP_BINARY:
      binary (self, warp, in, d, a, b);
      break;
    case OP_SELECT:
      {
        LsScalar *c = simt_value (self, warp, in->c);

        EACH (i, n)
          d[i] = a[i].i != 0 ? b[i] : c[i];
        break;
      }
    case OP_RAMP:
      EACH (i, n)
        {
          guint inner = i / self->warp_size % in->n, lane = i % self->warp_size;

          d[i] = ls_scalar_fit (in->code->t, (LsScalar) { .i = a[inner * self->warp_size + lane].i + b[inner * self->warp_size + lane].i * (gint64) (i / self->warp_size / in->n) });
        }
      break;
    case OP_BROADCAST:
      EACH (i, n)
        d[i] = a[i / self->warp_size % in->n * self->warp_size + i % self->warp_size];
      break;
    case OP_SHUFFLE_LANES:
      shuffle_lanes (self, warp, in, d);
      break;
    case OP_CALL:
    case OP_LARGE_UINT:
      call (self, warp, in, d);
      break;
    case OP_ADDRESS:
      simt_address (self, warp, in);
      break;
    case OP_ACCESS_PTR:
      EACH (i, n)
        d[i].i = a[i].i + b[i].i * in->n;
      break;
    case OP_MOVE:
      move (self, warp, in, d, a);
      break;
    case OP_LOAD:
      simt_load (self, warp, in);
      break;
    case OP_STORE:
      simt_store (self, warp, in);
      break;
    case OP_IF:
      if (warp->unknown != 0 && in->count == COUNT_BRANCH)
        simt_use_unknown (self, warp, warp->mask);
      warp->masks[warp->n_masks] = warp->mask;
      mask = warp->mask & true_lanes (self, a);
      warp->taken[warp->n_masks++] = mask;
      if (in->count == COUNT_BRANCH)
        test (self, warp->mask, mask);
      warp->mask = mask;
      if (mask == 0)
        warp->pc = in->jump;
      break;
    case OP_ELSE:
      warp->mask = warp->masks[warp->n_masks - 1] & ~warp->gone & ~warp->taken[warp->n_masks - 1];
      if (warp->mask == 0)
        warp->pc = in->jump;
      break;
    case OP_POP:
      warp->mask = warp->masks[--warp->n_masks] & ~warp->gone;
      break;
    case OP_LOOP:
      simt_use_unknown (self, warp, warp->mask);
      warp->masks[warp->n_masks++] = warp->mask;
      mask = 0;
      EACH (lane, self->warp_size)
        mask |= (LsSimtMask) (a[lane].i < b[lane].i) << lane;
      test (self, warp->mask, warp->mask & mask);
      warp->mask &= mask;
      if (warp->mask == 0)
        warp->pc = in->jump;
      break;
    case OP_NEXT:
      mask = 0;
      EACH (lane, self->warp_size)
        {
          if ((warp->mask >> lane & 1) != 0)
            a[lane].i++;
          mask |= (LsSimtMask) (a[lane].i < b[lane].i) << lane;
        }
      test (self, warp->mask, warp->mask & mask);
      warp->mask &= mask;
      if (warp->mask != 0)
        warp->pc = in->jump;
      break;
    case OP_TEST:
      simt_use_unknown (self, warp, warp->mask);
      mask = warp->mask & true_lanes (self, a);
      test (self, warp->mask, mask);
      warp->mask = mask;
      if (mask == 0)
        warp->pc = in->jump;
      break;
    case OP_JUMP:
      warp->pc = in->jump;
      break;
    case OP_THREAD:
      thread_axis (self, warp, in, d);
      break;
    case OP_FRESH:
      fresh (self, warp, in, d);
      break;
    case OP_BARRIER:
      if (warp->mask == 0)
        break;
      warp->at_barrier = TRUE;
      self->kernel->barriers++;
      return FALSE;
    case OP_WARP_BARRIER:
      warp->warp_epoch++;
      self->kernel->warp_barriers++;
      break;
    case OP_WARP_SHUFFLE:
      self->kernel->shuffles++;
      warp_shuffle (self, warp, in, d);
      break;
    case OP_ACTIVE:
      EACH (lane, self->warp_size)
        d[lane].i = (gint64) (guint32) warp->mask;      /* the 32 bits that T.tvm_warp_activemask has */
      break;
    case OP_FILL_FRAGMENT:
    case OP_LOAD_MATRIX:
    case OP_STORE_MATRIX:
    case OP_MMA:
    case OP_LDMATRIX:
    case OP_FILL_REGISTERS:
      return simt_matrix (self, warp, in);
    case OP_COPY_ASYNC:
      simt_copy_async (self, warp, in);
      break;
    case OP_COMMIT_GROUP:
      simt_commit_group (self, warp);
      break;
    case OP_WAIT_GROUP:
      simt_wait_group (self, warp, in->matrix->matrices);
      break;
    case OP_ATOMIC:
      simt_atomic (self, warp, in);
      break;
    case OP_ALLOC:
      host_alloc (self, warp, in, d);
      break;
    case OP_FREE:
      break;
    case OP_LAUNCH:
      {
        guint after = in->jump;

        if (!self->launch (self, in->site))
          return FALSE;
        warp->pc = after;
        break;
      }
    case OP_ASSERT:
      if ((warp->mask & ~true_lanes (self, a)) != 0)
        {
          LsExpr *message = ((LsAssertStmt *) in->code)->message;

          simt_fail (self, LS_INTERP_ERROR_ASSERT, "Assert failed: %s", ls_is (message, STRING_IMM) ? ((LsStringImm *) message)->value : "");
        }
      break;
    case OP_RETURN:
      warp->gone |= warp->mask;
      warp->mask = 0;
      break;
    case OP_END:
      warp->done = TRUE;
      return FALSE;
    }
  return TRUE;
}

void
simt_exec (Simt *self,
           Warp *warp)
{
  guint n = 0;

  while (!self->failed && !self->stop && step (self, warp))
    if (++n % 256 == 0 && self->options != NULL && self->options->budget != NULL && !ls_budget_take (self->options->budget, 256))
      simt_fail (self, LS_INTERP_ERROR_BUDGET, "The simulator was stopped: its budget is used up.");
}
