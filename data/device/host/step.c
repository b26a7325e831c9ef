/* step: one step on the device: load, run, compare, time; see bundle.h.
 *
 * Outputs start as random numbers too, as they did where the expected results were made: an element that the kernel should write and does not
 * is found, one that the program leaves alone is none. */
#define _POSIX_C_SOURCE 200809L
#include "bundle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_SAMPLES 200
#define LEAST_SAMPLES 20
#define LEAST_SLOW_SAMPLES 5    /* where one alone takes a tenth of the time there is */
#define SPREAD 0.02             /* of the quartiles over the median: small enough */

typedef struct {
  const Driver *driver;
  const Step   *step;
  void         *host[64];       /* inputs, then results */
  void         *device[64];
  void         *temporaries[64];
  void         *flush;          /* a buffer twice as large as the last cache */
  size_t        flush_bytes;
} Run;

static double
seconds_now (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec + (double) now.tv_nsec * 1e-9;
}

/* ---- memory ---- */

static bool
make_input (Run *run,
            int  i)
{
  const Argument *a = &plan->arguments[i];
  size_t bytes = bytes_of (a);

  run->host[i] = malloc (bytes + 1);
  if (run->host[i] == NULL)
    return fail ("This machine has no %zu bytes of memory for %s.", bytes, a->name);
  if (!bundle_fill (run->host[i], a->kind, a->bits, (uint64_t) count_elements (a), a->seed))
    return fail ("The type of %s (%c%d) is not known.", a->name, a->kind, a->bits);
  if (bundle_sum (BUNDLE_SUM, run->host[i], bytes) != a->input_sum)
    return fail ("The numbers made for %s are not those that the expected results were made for: plan.c was altered, or this machine is no "
                 "little-endian one.", a->name);
  return true;
}

static bool
make_memory (Run *run)
{
  for (int i = 0; i < plan->n_arguments; i++)
    if (!make_input (run, i) || !run->driver->allocate (bytes_of (&plan->arguments[i]), &run->device[i])
        || !run->driver->write (run->device[i], run->host[i], bytes_of (&plan->arguments[i])))
      return false;
  for (int i = 0; i < run->step->n_temporaries; i++)
    if (!run->driver->allocate ((size_t) run->step->temporaries[i], &run->temporaries[i]))
      return false;
  return true;
}

static void
clear (Run *run)
{
  for (int i = 0; i < plan->n_arguments; i++)
    free (run->host[i]);
}

/* ---- comparing ---- */

static void
put_first (FILE             *out,
           const Argument   *a,
           const Comparison *c)
{
  long long rest = c->first, index[8] = { 0 };

  for (int d = a->n_dims - 1; d >= 0; d--)
    {
      index[d] = rest % a->shape[d];
      rest /= a->shape[d];
    }
  put_open (out, "first", '{');
  put_open (out, "index", '[');
  for (int d = 0; d < a->n_dims; d++)
    put_integer (out, NULL, index[d]);
  put_close (out, ']');
  put_number (out, "expected", c->expected);
  put_number (out, "actual", c->actual);
  put_number (out, "allowed", c->allowed);
  put_number (out, "ulp", c->ulp);
  put_close (out, '}');
}

/* One output; *same becomes false where it differs. */
static bool
check_output (Run  *run,
              int   i,
              FILE *out,
              bool *same)
{
  const Argument *a = &plan->arguments[i];
  size_t length;
  char *expected = read_file (a->expected, &length);
  Comparison c;
  bool ok = expected != NULL;

  if (ok && (length != bytes_of (a) || bundle_sum (BUNDLE_SUM, expected, length) != a->expected_sum))
    ok = fail ("%s is not the file that belongs to this folder: its length or its checksum is another.", a->expected);
  ok = ok && run->driver->read (run->device[i], run->host[i], bytes_of (a)) && compare (a, run->host[i], expected, &c);
  free (expected);
  if (!ok)
    return false;
  put_open (out, NULL, '{');
  put_string (out, "name", a->name);
  put_integer (out, "elements", c.n);
  put_integer (out, "different", c.different);
  put_number (out, "allowed", c.allowed);
  put_number (out, "largest_difference", c.largest);
  put_number (out, "largest_ulp", c.largest_ulp);
  if (c.different > 0)
    {
      put_first (out, a, &c);
      *same = false;
    }
  put_close (out, '}');
  return true;
}

static bool
check_outputs (Run  *run,
               FILE *out,
               bool *same)
{
  bool ok = true;

  *same = true;
  put_open (out, "outputs", '[');
  for (int i = 0; i < plan->n_arguments && ok; i++)
    ok = plan->arguments[i].expected == NULL || check_output (run, i, out, same);
  put_close (out, ']');
  return ok;
}

/* ---- timing ---- */

static int
by_size (const void *a,
         const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
quantile (const double *sorted,
          int           n,
          double        q)
{
  double at = q * (n - 1);
  int low = (int) at, high = low + 1 < n ? low + 1 : low;

  return sorted[low] + (sorted[high] - sorted[low]) * (at - low);
}

/* Samples until they agree, or the time is over.  Writes the member `name`. */
static bool
take_times (Run        *run,
            const char *name,
            bool        flushed,
            double      seconds,
            FILE       *out)
{
  double samples[MOST_SAMPLES], sorted[MOST_SAMPLES], start, ns = 0, spread = INFINITY;
  int n = 0, batch = 1, warm = 0;

  if (flushed && run->flush == NULL)
    return true;
  for (start = seconds_now (); warm < 3 && (warm == 0 || seconds_now () - start < seconds / 4); warm++)
    if (!run->driver->run (run->step, run->device, run->temporaries, 1, &ns))
      return false;
  if (!flushed && ns > 0 && ns < 100e3)         /* a sample of less than 0.1 ms is one of several rounds */
    batch = (int) fmin (1000, ceil (100e3 / ns));
  for (start = seconds_now (); n < MOST_SAMPLES; )
    {
      if (flushed && !run->driver->copy (run->flush, NULL, run->flush_bytes, NULL))
        return false;
      if (!run->driver->run (run->step, run->device, run->temporaries, batch, &samples[n]))
        return false;
      n++;
      memcpy (sorted, samples, sizeof (double) * (size_t) n);
      qsort (sorted, (size_t) n, sizeof (double), by_size);
      spread = (quantile (sorted, n, 0.75) - quantile (sorted, n, 0.25)) / quantile (sorted, n, 0.5);
      if ((n >= LEAST_SAMPLES && spread <= SPREAD) || (n >= LEAST_SLOW_SAMPLES && seconds_now () - start > seconds))
        break;
    }
  put_open (out, name, '{');
  put_string (out, "unit", "ns");
  put_bool (out, "cache_flushed", flushed);
  put_integer (out, "warm_up", warm);
  put_integer (out, "rounds_per_sample", batch);
  put_number (out, "min", sorted[0]);
  put_number (out, "q1", quantile (sorted, n, 0.25));
  put_number (out, "median", quantile (sorted, n, 0.5));
  put_number (out, "q3", quantile (sorted, n, 0.75));
  put_number (out, "spread", spread);
  put_bool (out, "settled", n >= LEAST_SAMPLES && spread <= SPREAD);
  put_open (out, "samples", '[');
  for (int i = 0; i < n; i++)
    put_number (out, NULL, samples[i]);
  put_close (out, ']');
  put_close (out, '}');
  return true;
}

/* ---- the step ---- */

static void
put_kernels (const Step        *step,
             const KernelFacts *facts,
             FILE              *out)
{
  static const char *const NAMES[] = { "registers", "shared_bytes", "local_bytes", "most_threads" };

  put_open (out, "kernels", '[');
  for (int i = 0; i < step->n_launches; i++)
    {
      const Launch *launch = &step->launches[i];
      long long values[] = { facts[i].registers, facts[i].shared_bytes, facts[i].local_bytes, facts[i].most_threads };

      put_open (out, NULL, '{');
      put_string (out, "name", launch->kernel);
      put_string (out, "made_from", facts[i].from);
      for (int k = 0; k < 2; k++)
        {
          put_open (out, k == 0 ? "grid" : "block", '[');
          for (int d = 0; d < 3; d++)
            put_integer (out, NULL, k == 0 ? launch->grid[d] : launch->block[d]);
          put_close (out, ']');
        }
      for (int k = 0; k < 4; k++)
        if (values[k] >= 0)
          put_integer (out, NAMES[k], values[k]);
      put_close (out, '}');
    }
  put_close (out, ']');
}

/* Both measurements, and the clocks on either side of them. */
static bool
take_all_times (Run           *run,
                const Device  *device,
                const Options *options,
                FILE          *out)
{
  Clocks before, after;
  bool told = read_clocks (device, &before);

  if (!take_times (run, "time", false, options->seconds, out))
    return false;
  told = told && read_clocks (device, &after);  /* before it cools down */
  if (!take_times (run, "time_flushed", true, options->seconds, out))
    return false;
  if (told)
    {
      put_open (out, "clocks", '{');
      put_clocks (out, "before", &before);
      put_clocks (out, "after", &after);
      put_close (out, '}');
    }
  return true;
}

static bool
work (Run           *run,
      const Device  *device,
      const Options *options,
      FILE          *out,
      bool          *same)
{
  KernelFacts facts[64] = { { 0 } };
  double ns;

  if (!run->driver->load (run->step, device, facts))
    return false;
  put_kernels (run->step, facts, out);
  if (!make_memory (run) || !run->driver->run (run->step, run->device, run->temporaries, 1, &ns) || !check_outputs (run, out, same))
    return false;
  if (options->once || !*same)
    return true;
  run->flush_bytes = device->cache_bytes > 0 && !options->quick ? (size_t) device->cache_bytes * 2 : 0;
  if (run->flush_bytes > 0 && !run->driver->allocate (run->flush_bytes, &run->flush))
    {
      run->flush = NULL;        /* no room for it: times are warm ones only */
      forgive ();
    }
  return take_all_times (run, device, options, out);
}

bool
run_step (const Driver  *driver,
          const Step    *step,
          const Options *options,
          FILE          *out)
{
  Run run = { .driver = driver, .step = step };
  Device device = { 0 };
  bool same = false, ok;

  put_open (out, NULL, '{');
  put_string (out, "name", step->name);
  put_string (out, "title", step->title);
  put_string (out, "hash", step->hash);
  ok = driver->open (options->device, &device) && work (&run, &device, options, out, &same);
  put_string (out, "verdict", !ok ? "failed" : same ? "same" : "differs");
  if (!ok)
    put_string (out, "reason", failure ());
  put_raw (out, "simulated", step->simulated);
  put_close (out, '}');
  clear (&run);
  driver->close ();
  return ok && same;
}

bool
run_probe (const Driver  *driver,
           const Options *options,
           FILE          *out)
{
  Device d = { 0 };
  double best = INFINITY, ns = 0;
  size_t bytes = (size_t) 256 << 20;
  void *from = NULL, *to = NULL;

  if (!driver->open (options->device, &d))
    return false;
  while (bytes > ((size_t) 1 << 20) && (long long) bytes > d.memory / 16)
    bytes /= 2;
  for (int i = 0; !options->once && !options->quick && i < 10; i++)
    if ((from == NULL && !driver->allocate (bytes, &from)) || (to == NULL && !driver->allocate (bytes, &to)) || !driver->copy (to, from, bytes, &ns))
      break;
    else if (ns > 0 && ns < best)
      best = ns;
  forgive ();
  put_open (out, NULL, '{');
  put_string (out, "api", plan->api);
  put_string (out, "name", d.name);
  put_string (out, "kind", d.kind);
  put_string (out, "driver", d.driver);
  put_string (out, "version", d.version);
  put_string (out, "architecture", d.architecture);
  put_integer (out, "memory_bytes", d.memory);
  put_integer (out, "units", d.units);
  put_integer (out, "most_threads", d.most_threads);
  put_integer (out, "most_shared_bytes", d.most_shared);
  if (d.clock_khz > 0)
    put_integer (out, "clock_khz", d.clock_khz);
  if (d.memory_clock_khz > 0)
    put_integer (out, "memory_clock_khz", d.memory_clock_khz);
  if (d.cache_bytes > 0)
    put_integer (out, "cache_bytes", d.cache_bytes);
  if (best < INFINITY)
    {
      put_integer (out, "copy_bytes", (long long) bytes);
      put_number (out, "copy_bytes_per_second", 2.0 * (double) bytes / best * 1e9);
    }
  if (from != NULL)
    driver->release (from);
  if (to != NULL)
    driver->release (to);
  if (!options->once && !options->quick)
    run_probe_kernels (driver, &d, out);
  put_close (out, '}');
  driver->close ();
  return true;
}
