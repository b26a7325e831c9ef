/* private: what files of this room share. */
#pragma once

#include "engine/device/device.h"

G_BEGIN_DECLS

/* tables.c: the letter of a type in the host program's tables (data/device/host/bundle.h). */
char   device_kind_letter (LsDType t);
/* tables.c: how much an element of a result may differ, as a share of the largest number of its array. */
double device_tolerance   (LsDType t);

G_END_DECLS
