/* private: what files of this room share. */
#pragma once

#include "engine/device/device.h"

G_BEGIN_DECLS

/* tables.c: the letter of a type in the host program's tables (data/device/host/bundle.h). */
char   device_kind_letter (LsDType t);
/* tables.c: how much an element of a result may differ, as a share of the largest number of its array. */
double device_tolerance   (LsDType t);

/* What the drivers differ in: a row for each LsBundleApi. */
typedef struct {
  const char *name;             /* in plan.c and result.json */
  const char *extension;        /* of the kernels as text */
  const char *library;          /* what the other machine needs */
} DeviceApi;

/* tables.c */
const DeviceApi *device_api (LsBundleApi api);

G_END_DECLS
