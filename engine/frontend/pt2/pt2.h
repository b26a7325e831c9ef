/* pt2: programs of torch.export (.pt2) without torch: a zip archive with the graph as JSON and the weights as raw storages.
 *
 *   zip    the members of an archive
 *   read   the graph as one of torch.fx (engine/frontend/fx), whose rules translate it
 *
 * Read are archives whose graph is models/model.json and whose weights are data/weights/model_weights_config.json with a file for each (torch 2.8 on), by the
 * schema 8 of torch/_export/serde/schema.py.  Weights that are kept by pickle, as earlier ones all are, are not read: their files would be programs.
 */
#pragma once

#include "engine/frontend/fx/fx.h"

G_BEGIN_DECLS

/* The graph with its weights.  Errors (LS_FX_ERROR) name the file, the member, and what is wrong with it. (transfer full) */
LsFxGraph *ls_pt2_read   (const char    *path,
                          GError       **error);
/* The same from bytes; `name` stands in messages. */
LsFxGraph *ls_pt2_parse  (const char    *name,
                          gconstpointer  data,
                          gsize          size,
                          GError       **error);

/* ---- zip.c ---- */

typedef struct _LsZip LsZip;

/* Borrows the bytes.  NULL with an error: they are no zip archive that can be read. (transfer full) */
LsZip     *ls_zip_open   (const char    *name,
                          gconstpointer  data,
                          gsize          size,
                          GError       **error);
void       ls_zip_free   (LsZip         *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsZip, ls_zip_free)
/* Is there a member whose path ends so, as a whole ("models/model.json" in "mlp/models/model.json")? */
gboolean   ls_zip_has    (LsZip         *self,
                          const char    *path);
/* Its bytes; NULL with an error: there is none, or it is damaged (length and checksum are compared). (transfer full) */
GBytes    *ls_zip_read   (LsZip         *self,
                          const char    *path,
                          GError       **error);

G_END_DECLS
