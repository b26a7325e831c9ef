/* clocks: how fast a GPU runs now, where that can be read without rights; see bundle.h.
 *
 * NVIDIA: libnvidia-ml.so.1, which comes with the driver.  AMD: files of the kernel's driver.  A time says little when the clock behind it is not
 * known: GPUs change theirs with heat, power and who else is there. */
#define _POSIX_C_SOURCE 200809L
#include "bundle.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* ---- NVIDIA ---- */

typedef struct nvmlDevice_st *nvmlDevice_t;

enum { CLOCK_SM = 1, CLOCK_MEMORY = 2 };

static bool
read_nvidia (const Device *device,
             Clocks       *out)
{
  static const char *const needed[] = { "nvmlInit_v2", "nvmlDeviceGetHandleByPciBusId_v2", "nvmlDeviceGetClockInfo", "nvmlShutdown" };
  int (*init) (void), (*find) (const char *, nvmlDevice_t *), (*clock) (nvmlDevice_t, int, unsigned *), (*end) (void);
  void *library = dlopen ("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL), *symbols[4] = { 0 };
  nvmlDevice_t handle = NULL;
  unsigned core = 0, memory = 0;
  bool good = library != NULL;

  for (int i = 0; good && i < 4; i++)
    good = (symbols[i] = dlsym (library, needed[i])) != NULL;
  memcpy (&init, &symbols[0], sizeof init);
  memcpy (&find, &symbols[1], sizeof find);
  memcpy (&clock, &symbols[2], sizeof clock);
  memcpy (&end, &symbols[3], sizeof end);
  if (good && init () == 0)
    {
      good = find (device->bus, &handle) == 0 && clock (handle, CLOCK_SM, &core) == 0 && core > 0;
      if (good && clock (handle, CLOCK_MEMORY, &memory) != 0)
        memory = 0;
      end ();
    }
  else
    good = false;
  if (library != NULL)
    dlclose (library);
  *out = (Clocks) { (long long) core * 1000, (long long) memory * 1000 };
  return good;
}

/* ---- AMD ---- */

/* The line with a * behind it: "1: 1700Mhz *". */
static long long
marked (const char *bus,
        const char *name)
{
  char path[256], line[128];
  long long khz = 0;
  FILE *file;

  snprintf (path, sizeof path, "/sys/bus/pci/devices/%s/%s", bus, name);
  file = fopen (path, "r");
  while (file != NULL && fgets (line, sizeof line, file) != NULL)
    if (strchr (line, '*') != NULL && strchr (line, ':') != NULL)
      khz = (long long) (strtod (strchr (line, ':') + 1, NULL) * 1000);
  if (file != NULL)
    fclose (file);
  return khz;
}

bool
read_clocks (const Device *device,
             Clocks       *out)
{
  *out = (Clocks) { 0, 0 };
  if (device->bus[0] == 0)
    return false;
  if (strcmp (plan->api, "cuda") == 0)
    return read_nvidia (device, out);
  *out = (Clocks) { marked (device->bus, "pp_dpm_sclk"), marked (device->bus, "pp_dpm_mclk") };
  return out->core_khz > 0;
}

void
put_clocks (FILE         *out,
            const char   *name,
            const Clocks *clocks)
{
  put_open (out, name, '{');
  put_integer (out, "core_khz", clocks->core_khz);
  if (clocks->memory_khz > 0)
    put_integer (out, "memory_khz", clocks->memory_khz);
  put_close (out, '}');
}
