/* remote: what the worker does for several commands. */
#pragma once

#include "app/cli/cli.h"
#include "app/rpc/rpc.h"

G_BEGIN_DECLS

/* Asks the worker, which may read `readable` and write `writable` (both may be NULL, NULL-terminated).  It is ended when
 * it takes longer than `timeout` seconds (0: no limit).  Prints what is wrong (with what the worker printed, and the way
 * out where there is one) to standard error and returns NULL then, also where the answer lacks what every one of the method has. (transfer full) */
GVariant *ls_cli_ask         (const char         *command,
                              const char         *method,
                              GVariantDict       *params,
                              double              timeout,
                              const char *const  *readable,
                              const char *const  *writable);
/* FALSE, and it is said: the answer lacks the field. */
gboolean  ls_cli_has         (const char         *command,
                              GVariant           *answer,
                              const char         *key);
/* The a{sv} on standard output as JSON. */
void      ls_cli_print_json  (GVariant           *answer);
/* Fields of an answer; 0, "" or FALSE when they are not there. */
double    ls_cli_number      (GVariant           *answer,
                              const char         *key);
/* "14.7 ms" with three digits. (transfer full) */
char     *ls_cli_duration    (double              ns);

G_END_DECLS
