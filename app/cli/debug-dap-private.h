/* debug-dap-private: what the files of the adapter share. */
#pragma once

#include "app/cli/debug-dap.h"
#include "app/rpc/rpc.h"
#include "engine/debug/debug.h"

#include <jsonrpc-glib.h>

G_BEGIN_DECLS

typedef struct {
  JsonrpcInputStream  *input;
  JsonrpcOutputStream *output;
  gint64               seq;
  gboolean             is_over;

  LsDebug             *debug;   /* NULL: nothing was launched */
  LsSource            *source;
  char                *path;
  gboolean             has_file;        /* statements stand in the file */
  gboolean             stop_on_entry;
  gboolean             is_running, wants_pause;
  gboolean             was_at_end;

  GArray              *lines;   /* of guint: breakpoints on lines */
  GArray              *data;    /* of guint: breakpoints on data */
  guint                nan_stop;
  GPtrArray           *values;  /* of DapValue: what variablesReference - 1 stands for, until the next stop */
} Dap;

/* Reads one request and answers it. */
void      ls_dap_take_one      (Dap       *self);

/* ---- debug-dap-values.c: bodies of answers ---- */

void      ls_dap_forget_values (Dap       *self);
GVariant *ls_dap_stack_trace   (Dap       *self,
                                GVariant  *arguments,
                                GError   **error);
GVariant *ls_dap_scopes        (Dap       *self,
                                GVariant  *arguments,
                                GError   **error);
GVariant *ls_dap_variables     (Dap       *self,
                                GVariant  *arguments,
                                GError   **error);
GVariant *ls_dap_evaluate      (Dap       *self,
                                GVariant  *arguments,
                                GError   **error);

G_END_DECLS
