/* session/devices: what devices of other machines have measured of a step; it stands in the session file under "devices". */
#pragma once

#include "engine/device/device.h"
#include "views/models/step-item.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* One result of one device.  Times in seconds. */
typedef struct {
  char   *device, *kind, *when;
  char   *verdict;              /* "same", "differs", "failed" */
  char   *reason;               /* or NULL */
  double  min, median, q1, q3;  /* 0: not measured; of files of older versions the least is not known */
  guint   samples;
  double  flushed;              /* median with the cache emptied before each sample; 0: not measured */
  double  bandwidth, peak;      /* bytes and operations on float32 a second that kernels reach there that do nothing else; 0: not measured */
  char   *counts;               /* "sectors read: 2048 (simulator 2048)", a line each; NULL: nothing was counted */
} LsDeviceNote;

void       ls_device_note_free   (gpointer                  note);
/* What a result says of one of its steps. (transfer full) */
LsDeviceNote *ls_device_note_new (const LsDeviceResult     *result,
                                  const LsDeviceResultStep *step);
/* NULL stays NULL. (element-type LsDeviceNote) (transfer full) */
GPtrArray *ls_device_notes_copy  (GPtrArray                *notes);
/* Adds one to *notes, which may be NULL; one of the same device and time takes the place of the old one.  Takes `note`. */
void       ls_device_notes_add   (GPtrArray               **notes,
                                  LsDeviceNote             *note);
/* From the member "devices"; what is not understood is passed over.  NULL: nothing. (transfer full) */
GPtrArray *ls_device_notes_read  (JsonArray                *list);
/* The member "devices"; nothing where there are none. */
void       ls_device_notes_write (GPtrArray                *notes,
                                  JsonBuilder              *out);
/* The last that this device measured, with its time; NULL: nothing. Borrowed. */
const LsDeviceNote *ls_device_notes_of (GPtrArray          *notes,
                                        const char         *device);
/* Its time as that of a step; nothing where it has none. */
LsStepTime ls_device_note_time   (const LsDeviceNote       *note);
/* "12.3 µs on NVIDIA A100", of the last one; NULL: none. (transfer full) */
char      *ls_device_notes_brief (GPtrArray                *notes);
/* All of them, a paragraph each. (transfer full) */
char      *ls_device_notes_words (GPtrArray                *notes);

G_END_DECLS
