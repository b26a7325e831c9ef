/* device: what the files of the command device share. */
#pragma once

#include "app/cli/input.h"
#include "engine/device/device.h"

G_BEGIN_DECLS

/* device-steps.c: what the first line of a file of steps says when it is a comment, else its name. (transfer full) */
char      *ls_cli_step_title     (const char *path);
/* The files that --steps names, folders as what is in them.  (element-type utf8) (transfer full) */
GPtrArray *ls_cli_step_files     (const char *command,
                                  GPtrArray  *given);
/* device-counts.c: the answer of the worker's method simt as the JSON of a bundle: for each kernel the counts, summed over its accesses. (transfer full) */
char      *ls_cli_simulated_json (GVariant   *answer);
/* cmd-device-import.c: reads a result and shows it.  program: the session or TVMScript file it has to belong to, or NULL; steps: files of steps of
 * that TVMScript file. */
int        ls_cli_device_import  (const char *command,
                                  const char *file,
                                  const char *program,
                                  GPtrArray  *steps,
                                  gboolean    json);

/* What a device has measured: text, or JSON. */
void       ls_cli_device_print   (const LsDeviceResult *result,
                                  gboolean    json);

G_END_DECLS
