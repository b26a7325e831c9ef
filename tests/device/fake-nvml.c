/* fake-nvml: a libnvidia-ml.so.1 for tests: a GPU whose clock falls from question to question. */
#include <glib.h>

#include <string.h>

#define API __attribute__ ((visibility ("default")))

enum { NOT_FOUND = 6 };

API int
nvmlInit_v2 (void)
{
  return 0;
}

API int
nvmlShutdown (void)
{
  return 0;
}

API int
nvmlDeviceGetHandleByPciBusId_v2 (const char *bus,
                                  void      **device)
{
  *device = NULL;
  return strcmp (bus, "0000:17:00.0") == 0 ? 0 : NOT_FOUND;
}

/* The library is closed between two questions: what it remembers stands in the environment. */
API int
nvmlDeviceGetClockInfo (void     *device,
                        int       which,
                        unsigned *mhz)
{
  gboolean again = g_getenv ("LS_FAKE_NVML_ASKED") != NULL;

  *mhz = which == 2 ? 2619 : again ? 1755 : 1980;
  if (which == 2)
    g_setenv ("LS_FAKE_NVML_ASKED", "1", TRUE);
  return 0;
}
