/* probe: two kernels that say what the device can do at best: one copies, one multiplies and adds.
 *
 *   copy    262144 threads, 16 bytes of each in a round: bytes read and written in a second, of arrays much larger than the last cache
 *   peak    262144 threads, 64 fused multiplications and additions of float32 in a round, eight of them independent: operations in a second
 *
 * How many rounds a launch makes stands in memory, so that it lasts long enough on any device.  They are texts of their own: for CUDA as PTX, which needs no
 * compiler on the way. */
#include "bundle.h"

#include <math.h>
#include <string.h>

#define BLOCKS 1024u
#define THREADS 256u
#define COPIED ((size_t) BLOCKS * THREADS * 16) /* bytes of a round */
#define SUMS ((size_t) BLOCKS * THREADS * 4)
#define OPERATIONS (2.0 * 64 * BLOCKS * THREADS)
#define LONG_ENOUGH 2e6         /* ns */
#define SAMPLES 5

/* ---- the texts ---- */

#define PTX_HEAD(name, parameters) ".version 6.0\n.target sm_50\n.address_size 64\n.visible .entry " name "(" parameters ")\n{\n"
#define PTX_THREAD \
  "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %tid.x;\nmad.lo.u32 %r3, %r1, 256, %r2;\nld.global.u32 %r0, [%a0];\nmov.u32 %r4, 0;\n"
#define PTX_LOOP(body) \
  "ROUND:\nsetp.ge.u32 %p0, %r4, %r0;\n@%p0 bra DONE;\n" body "add.u32 %r4, %r4, 1;\nbra ROUND;\nDONE:\n"
#define PTX_FMA(x) "fma.rn.f32 %f" x ", %f" x ", %f8, %f9;\n"
#define PTX_FMA8 PTX_FMA ("0") PTX_FMA ("1") PTX_FMA ("2") PTX_FMA ("3") PTX_FMA ("4") PTX_FMA ("5") PTX_FMA ("6") PTX_FMA ("7")
#define PTX_FMA64 PTX_FMA8 PTX_FMA8 PTX_FMA8 PTX_FMA8 PTX_FMA8 PTX_FMA8 PTX_FMA8 PTX_FMA8
#define PTX_BEGIN(x, k) "add.u32 %r5, %r3, " k ";\ncvt.rn.f32.u32 %f" x ", %r5;\n"
#define PTX_SUM(x) "add.rn.f32 %f0, %f0, %f" x ";\n"

static const char copy_ptx[] =
  PTX_HEAD ("copy_kernel", ".param .u64 A, .param .u64 B, .param .u64 N")
  ".reg .pred %p<1>;\n.reg .u32 %r<5>;\n.reg .u64 %a<4>;\n.reg .f32 %f<4>;\n"
  "ld.param.u64 %a0, [N];\nld.param.u64 %a1, [A];\nld.param.u64 %a2, [B];\n"
  "cvta.to.global.u64 %a0, %a0;\ncvta.to.global.u64 %a1, %a1;\ncvta.to.global.u64 %a2, %a2;\n"
  PTX_THREAD
  "mul.wide.u32 %a3, %r3, 16;\nadd.u64 %a1, %a1, %a3;\nadd.u64 %a2, %a2, %a3;\n"
  PTX_LOOP ("ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%a1];\nst.global.v4.f32 [%a2], {%f0, %f1, %f2, %f3};\n"
            "add.u64 %a1, %a1, 4194304;\nadd.u64 %a2, %a2, 4194304;\n")
  "ret;\n}\n";

static const char peak_ptx[] =
  PTX_HEAD ("peak_kernel", ".param .u64 B, .param .u64 N")
  ".reg .pred %p<1>;\n.reg .u32 %r<6>;\n.reg .u64 %a<3>;\n.reg .f32 %f<10>;\n"
  "ld.param.u64 %a0, [N];\nld.param.u64 %a1, [B];\ncvta.to.global.u64 %a0, %a0;\ncvta.to.global.u64 %a1, %a1;\n"
  PTX_THREAD
  PTX_BEGIN ("0", "0") PTX_BEGIN ("1", "1") PTX_BEGIN ("2", "2") PTX_BEGIN ("3", "3") PTX_BEGIN ("4", "4") PTX_BEGIN ("5", "5") PTX_BEGIN ("6", "6") PTX_BEGIN ("7", "7")
  "mov.f32 %f8, 0f3F000000;\nmov.f32 %f9, 0f3F800000;\n"        /* 0.5, 1 */
  PTX_LOOP (PTX_FMA64)
  PTX_SUM ("1") PTX_SUM ("2") PTX_SUM ("3") PTX_SUM ("4") PTX_SUM ("5") PTX_SUM ("6") PTX_SUM ("7")
  "mul.wide.u32 %a2, %r3, 4;\nadd.u64 %a1, %a1, %a2;\nst.global.f32 [%a1], %f0;\nret;\n}\n";

/* OpenCL C and HIP C++ differ in the words around the same lines. */
#define COPY_BODY "for (unsigned k = 0; k < N[0]; k++) B[i + k * 262144u] = A[i + k * 262144u]; }\n"
#define PEAK_BODY \
  "float a = 0.5f, b = 1.0f, x0 = i, x1 = i + 1, x2 = i + 2, x3 = i + 3, x4 = i + 4, x5 = i + 5, x6 = i + 6, x7 = i + 7;\n" \
  "#define E x0 = F (x0, a, b); x1 = F (x1, a, b); x2 = F (x2, a, b); x3 = F (x3, a, b); x4 = F (x4, a, b); x5 = F (x5, a, b); x6 = F (x6, a, b); x7 = F (x7, a, b);\n" \
  "for (unsigned k = 0; k < N[0]; k++) { E E E E E E E E }\n" \
  "B[i] = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7; }\n"
#define OPENCL_HEAD(name, parameters) "#define F fma\n__kernel void " name "(" parameters ", __global const unsigned *restrict N) { unsigned i = (unsigned) get_global_id (0);\n"
#define HIP_HEAD(name, parameters) \
  "#ifndef __HIPCC_RTC__\n#include <hip/hip_runtime.h>\n#endif\n#define F fmaf\nextern \"C\" __global__ void " name "(" parameters ", const unsigned *__restrict__ N)" \
  " { unsigned i = blockIdx.x * 256u + threadIdx.x;\n"

static const char copy_opencl[] = OPENCL_HEAD ("copy_kernel", "__global const float4 *restrict A, __global float4 *restrict B") COPY_BODY;
static const char peak_opencl[] = OPENCL_HEAD ("peak_kernel", "__global float *restrict B") PEAK_BODY;
static const char copy_hip[] = HIP_HEAD ("copy_kernel", "const float4 *__restrict__ A, float4 *__restrict__ B") COPY_BODY;
static const char peak_hip[] = HIP_HEAD ("peak_kernel", "float *__restrict__ B") PEAK_BODY;

/* ---- running ---- */

typedef struct {
  const Driver *driver;
  const Step   *step;
  int           n;              /* arguments */
  void         *arguments[3];   /* the last is how many rounds */
} Probe;

/* ns of so many rounds; 0: it failed. */
static double
run_rounds (Probe    *self,
            uint32_t  rounds)
{
  double ns = 0;

  return self->driver->write (self->arguments[self->n - 1], &rounds, sizeof rounds) && self->driver->run (self->step, self->arguments, NULL, 1, &ns) ? ns : 0;
}

/* The fewest ns of some launches; 0: it failed. */
static double
best_of (Probe    *self,
         uint32_t  rounds)
{
  double best = INFINITY;

  for (int i = 0; i < SAMPLES && best > 0; i++)
    best = fmin (best, run_rounds (self, rounds));
  return best;
}

/* bytes: of each argument. */
static bool
prepare (Probe        *self,
         const Device *device,
         const size_t *bytes)
{
  KernelFacts facts[1];

  if (!self->driver->load (self->step, device, facts))
    return false;
  for (int i = 0; i < self->n; i++)
    if (!self->driver->allocate (bytes[i], &self->arguments[i]))
      return false;
  return true;
}

static void
release (Probe *self)
{
  for (int i = 0; i < 3; i++)
    if (self->arguments[i] != NULL)
      self->driver->release (self->arguments[i]);
}

static void
probe_copy (Probe        *self,
            const Device *device,
            FILE         *out)
{
  uint32_t rounds = 64;         /* 256 MiB, twice */
  size_t bytes[3] = { 0, 0, sizeof rounds };
  double ns = 0;

  while (rounds > 1 && (long long) (COPIED * rounds) > device->memory / 16)
    rounds /= 2;
  bytes[0] = bytes[1] = COPIED * rounds;
  if (prepare (self, device, bytes) && run_rounds (self, rounds) > 0)
    ns = best_of (self, rounds);
  if (ns > 0)
    {
      put_integer (out, "copy_kernel_bytes", (long long) bytes[1]);
      put_number (out, "copy_kernel_bytes_per_second", 2.0 * (double) bytes[1] / ns * 1e9);
    }
}

static void
probe_peak (Probe        *self,
            const Device *device,
            FILE         *out)
{
  uint32_t rounds = 1;
  const size_t bytes[2] = { SUMS, sizeof rounds };
  double ns = prepare (self, device, bytes) ? run_rounds (self, rounds) : 0;

  while (ns > 0 && ns < LONG_ENOUGH && rounds < 1u << 20)
    ns = run_rounds (self, rounds *= 2);
  ns = ns > 0 ? best_of (self, rounds) : 0;
  if (ns > 0)
    put_number (out, "peak_float32_operations_per_second", OPERATIONS * rounds / ns * 1e9);
}

void
run_probe_kernels (const Driver *driver,
                   const Device *device,
                   FILE         *out)
{
  static const struct { const char *name, *ptx, *opencl, *hip; int n_args; void (*probe) (Probe *, const Device *, FILE *); } KERNELS[] = {
    { "copy_kernel", copy_ptx, copy_opencl, copy_hip, 3, probe_copy }, { "peak_kernel", peak_ptx, peak_opencl, peak_hip, 2, probe_peak },
  };

  for (size_t i = 0; i < sizeof KERNELS / sizeof *KERNELS; i++)
    {
      const Launch launch = { KERNELS[i].name, { BLOCKS, 1, 1 }, { THREADS, 1, 1 }, 0, KERNELS[i].n_args, { 0, 1, 2 } };
      const Ptx ptx = { 50, KERNELS[i].name, KERNELS[i].ptx };
      const Step step = { .name = KERNELS[i].name, .source = KERNELS[i].name, .no_ptx = "none was made", .ptx = &ptx, .n_ptx = 1, .launches = &launch, .n_launches = 1,
                          .text = driver == &hip_driver ? KERNELS[i].hip : KERNELS[i].opencl };
      Probe probe = { .driver = driver, .step = &step, .n = KERNELS[i].n_args };

      KERNELS[i].probe (&probe, device, out);
      release (&probe);
      forgive ();               /* a device that does not take it has no such figure */
    }
}
