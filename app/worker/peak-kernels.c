/* peak-kernels: twelve or sixteen sums that do not wait for each other keep all units for multiply-add busy; eight sums do the
 * same for loads.  Vectors are GCC's; what width they get is said by the target of each function.
 */
#include "app/worker/peak-kernels.h"

typedef float     Floats4 __attribute__ ((vector_size (16)));
typedef long long Words __attribute__ ((vector_size (32), aligned (32), may_alias));

#define SUMS 12
#define EACH(X) X (0) X (1) X (2) X (3) X (4) X (5) X (6) X (7) X (8) X (9) X (10) X (11)

#if defined (__x86_64__)
#include <immintrin.h>

#define START_8(i) __m256 s##i = _mm256_set1_ps (1.0f + (float) i);
#define STEP_8(i) s##i = _mm256_fmadd_ps (s##i, x, y);
#define ADD_8(i) sum = _mm256_add_ps (sum, s##i);

__attribute__ ((target ("avx2,fma"))) static double
run_avx2 (long rounds)
{
  __m256 x = _mm256_set1_ps (0.999f), y = _mm256_set1_ps (0.001f), sum = _mm256_setzero_ps ();

  EACH (START_8)
  for (long i = 0; i < rounds; i++)
    {
      EACH (STEP_8)
    }
  EACH (ADD_8)
  return (double) _mm256_cvtss_f32 (sum);
}

#define START_16(i) __m512 s##i = _mm512_set1_ps (1.0f + (float) i);
#define STEP_16(i) s##i = _mm512_fmadd_ps (s##i, x, y);
#define ADD_16(i) sum = _mm512_add_ps (sum, s##i);

__attribute__ ((target ("avx512f"))) static double
run_avx512 (long rounds)
{
  __m512 x = _mm512_set1_ps (0.999f), y = _mm512_set1_ps (0.001f), sum = _mm512_setzero_ps ();

  EACH (START_16)
  for (long i = 0; i < rounds; i++)
    {
      EACH (STEP_16)
    }
  EACH (ADD_16)
  return (double) _mm512_cvtss_f32 (sum);
}
#endif

#define START_4(i) Floats4 s##i = { 1.0f + (float) i, 1.0f, 1.0f, 1.0f };
#define STEP_4(i) s##i = s##i * x + y;
#define ADD_4(i) sum += s##i;

static double
run_plain (long rounds)
{
  Floats4 x = { 0.999f, 0.999f, 0.999f, 0.999f }, y = { 0.001f, 0.001f, 0.001f, 0.001f }, sum = { 0.0f, 0.0f, 0.0f, 0.0f };

  EACH (START_4)
  for (long i = 0; i < rounds; i++)
    {
      EACH (STEP_4)
    }
  EACH (ADD_4)
  return (double) sum[0];
}

const LsPeakLoop *
ls_peak_loops (int *n)
{
  static LsPeakLoop loops[3];

  *n = 0;
  loops[(*n)++] = (LsPeakLoop) { "plain", run_plain, SUMS * 4 * 2.0 };
#if defined (__x86_64__)
  if (__builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma"))
    loops[(*n)++] = (LsPeakLoop) { "AVX2", run_avx2, SUMS * 8 * 2.0 };
  if (__builtin_cpu_supports ("avx512f"))
    loops[(*n)++] = (LsPeakLoop) { "AVX-512", run_avx512, SUMS * 16 * 2.0 };
#endif
  return loops;
}

/* ---- reading --------------------------------------------------------------------- */

#define READ_BODY                                                             \
  const Words *p = memory;                                                    \
  size_t n = bytes / sizeof (Words);                                          \
  Words a = { 0 }, b = a, c = a, d = a, e = a, f = a, g = a, h = a;           \
  for (long pass = 0; pass < passes; pass++)                                  \
    {                                                                         \
      for (size_t i = 0; i + 8 <= n; i += 8)                                  \
        {                                                                     \
          a ^= p[i];                                                          \
          b ^= p[i + 1];                                                      \
          c ^= p[i + 2];                                                      \
          d ^= p[i + 3];                                                      \
          e ^= p[i + 4];                                                      \
          f ^= p[i + 5];                                                      \
          g ^= p[i + 6];                                                      \
          h ^= p[i + 7];                                                      \
        }                                                                     \
      __asm__ volatile ("" : : : "memory");                                   \
    }                                                                         \
  a ^= b ^ c ^ d ^ e ^ f ^ g ^ h;                                             \
  return (double) (a[0] ^ a[1] ^ a[2] ^ a[3]);

static double
read_plain (const void *memory,
            size_t      bytes,
            long        passes)
{
  READ_BODY
}

#if defined (__x86_64__)
__attribute__ ((target ("avx2"))) static double
read_avx2 (const void *memory,
           size_t      bytes,
           long        passes)
{
  READ_BODY
}
#endif

double
ls_peak_read (const void *memory,
              size_t      bytes,
              long        passes)
{
#if defined (__x86_64__)
  if (__builtin_cpu_supports ("avx2"))
    return read_avx2 (memory, bytes, passes);
#endif
  return read_plain (memory, bytes, passes);
}
