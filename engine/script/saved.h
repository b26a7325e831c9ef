/* script/saved: modules as save_json of TVM 0.20 writes them.
 *
 * Such a file is a list of nodes that name each other by their place, number 0 standing for none, with arrays of numbers as base64.  It is read to nodes by a
 * table of what each kind holds, every field checked for what may stand there, and then printed and parsed as TVMScript: what comes out is as sound as any
 * script.  TensorIR, Relax with the attributes of its operators, targets and virtual devices are known; other kinds are refused by their name.
 */
#pragma once

#include "engine/script/script.h"

G_BEGIN_DECLS

#define LS_SAVED_ERROR (ls_saved_error_quark ())
GQuark    ls_saved_error_quark (void);
typedef enum { LS_SAVED_ERROR_DAMAGED, LS_SAVED_ERROR_UNKNOWN } LsSavedError;

/* Does the text look like one?  Says nothing about whether it can be read.  `length` may be that of its beginning. */
gboolean  ls_saved_is     (const char *text,
                           gsize       length);
/* The same of the beginning of a file whose name ends with .json; FALSE also where it cannot be read. */
gboolean  ls_saved_is_file (const char *path);
/* The module, a function standing alone as one of its own.  NULL with an error that tells the node, a sentence that goes on behind the name of the file. (transfer full) */
LsModule *ls_saved_read   (const char *text,
                           gsize       length,
                           GError    **error);
/* The same as TVMScript with its constants: what is shown of it. (transfer full) */
char     *ls_saved_script (const char *text,
                           gsize       length,
                           GError    **error);

G_END_DECLS
