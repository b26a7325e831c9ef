/* loopscope-worker's inside: requests arrive on the main thread and are handled one after the other on a
 * second one, so that a long request can report progress and the end of the caller is seen at
 * once.
 *
 * To add methods: write functions of type LsMethodFunc in a file method-<area>.c of this folder, list them in a table
 * that ends with { NULL }, declare the table here and add it to `tables` in main.c.
 */
#pragma once

#include "app/rpc/rpc.h"

G_BEGIN_DECLS

typedef struct _LsRequest LsRequest;

/* Handles one request on the handler thread.  Returns the answer (a{sv}, floating is sunk) or NULL with `error`; the
 * caller sees the error's message. */
typedef GVariant *(*LsMethodFunc) (LsRequest  *request,
                                   GVariant   *params,          /* a{sv} or NULL */
                                   GError    **error);

typedef struct {
  const char   *name;
  LsMethodFunc  func;
  const char   *summary;
} LsMethod;

extern const LsMethod ls_methods_basic[];
extern const LsMethod ls_methods_blas[];
extern const LsMethod ls_methods_check[];
extern const LsMethod ls_methods_code[];
extern const LsMethod ls_methods_debug[];
extern const LsMethod ls_methods_debug_graph[];
extern const LsMethod ls_methods_debug_pair[];
extern const LsMethod ls_methods_debug_vm[];
extern const LsMethod ls_methods_graph_values[];
extern const LsMethod ls_methods_layout[];
extern const LsMethod ls_methods_legalize[];
extern const LsMethod ls_methods_lower[];
extern const LsMethod ls_methods_foreign[];
extern const LsMethod ls_methods_time_passes[];
extern const LsMethod ls_methods_optimise[];
extern const LsMethod ls_methods_peaks[];
extern const LsMethod ls_methods_run[];
extern const LsMethod ls_methods_same[];
extern const LsMethod ls_methods_simt[];
extern const LsMethod ls_methods_time[];
extern const LsMethod ls_methods_time_graph[];
extern const LsMethod ls_methods_vm[];
extern const LsMethod ls_methods_classify[];
/* The ones that hurt; only when LS_WORKER_TEST is set. */
extern const LsMethod ls_methods_test[];

/* Sends a progress notification; fraction 0 to 1, or -1. */
void         ls_request_progress (LsRequest  *request,
                                  double      fraction,
                                  const char *text);
/* The i-th file descriptor that came with the call (borrowed; closed after the request).  Errors: REQUEST. -1 then. */
int          ls_request_get_fd   (LsRequest  *request,
                                  int         i,
                                  GError    **error);

/* Sets a REQUEST error, what it says printed as by printf (may be NULL: nothing is set).  FALSE. */
gboolean     ls_worker_refuse    (GError    **error,
                                  const char *format,
                                  ...) G_GNUC_PRINTF (2, 3);

/* Serves `tables` (NULL-terminated) on the socket until the other side closes it; then ends the
 * process, whatever is under way.  Does not return. */
void         ls_server_run       (int                    rpc_fd,
                                  int                    fds_fd,
                                  const LsMethod *const *tables) G_GNUC_NORETURN;

G_END_DECLS
