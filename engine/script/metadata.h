/* script/metadata: the constants of a Relax text, in the form in which TVM saves objects as JSON.
 *
 * The JSON is a list of nodes that name each other by number, with arrays as base64 of TVM's NDArray files.  Written is
 * exactly what TVM v0.20.0 writes; read is any such graph whose root is a dictionary of lists, of which constants are
 * understood.
 */
#pragma once

#include "engine/relax/relax.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define LS_METADATA_ERROR (ls_metadata_error_quark ())
GQuark ls_metadata_error_quark (void);

/* The statement `metadata = tvm.ir.load_json (...)` with its line end, for constants in this order. (transfer full) */
char      *ls_metadata_print (GPtrArray   *constants);
/* The constants (references) of such a JSON text; an entry of another kind is NULL.  NULL with an error. (transfer full) */
GPtrArray *ls_metadata_parse (const char  *json,
                              GError     **error);
/* Array `number` of such a text. (transfer full) */
LsTensor  *ls_metadata_tensor (JsonArray   *arrays,
                              guint        number,
                              GError     **error);

G_END_DECLS
