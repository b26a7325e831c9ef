/* device: loopscope-device runs kernels on a device of this machine, in the jail; the host program of bundles (data/device/host) with tables that are read.
 *
 *   main    the command line: check of a bundle, with --plan FILE or --probe API
 *   plan    plan.json of engine/device as the host program's tables
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Makes the tables of the file those of this program.  Errors: of GFileError and JsonParser, and G_FILE_ERROR_INVAL with what is wrong in it. */
gboolean device_plan_read  (const char  *path,
                            GError     **error);
/* Tables without a step: only the device is looked at. */
void     device_plan_probe (const char  *api);

G_END_DECLS
