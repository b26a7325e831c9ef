/* pt2: programs of torch.export (.pt2) without torch: a zip archive with the graph as JSON and the weights as raw storages.
 *
 *   zip    the members of an archive
 *   pickle the tensors that torch.save wrote, without running anything
 *   tensor one tensor of a storage
 *   read   the graph as one of torch.fx (engine/frontend/fx), whose rules translate it
 *
 * By torch/_export/serde/schema.py, versions 5 to 8, and torch/export/pt2_archive.  There are three ways in which weights are kept: a file with the bytes of each
 * (data/weights/NAME_weights_config.json, torch 2.9 on; the written specification calls it NAME_model_param_config.json), torch.save's dictionary in data/weights/model.pt (2.8), and the same in serialized_state_dict.pt beside
 * serialized_exported_program.json (before).  An extent that is not fixed is a variable (engine/frontend/fx/extent.c); of several programs in one
 * archive the one called "model" is read, else the first.  Files of AOTInductor, sample inputs and custom objects are left alone.  It was tried on
 * archives that torch 2.6 wrote (tests/python/archives has two), and, of later ones, on what the schema (up to 8.17) and docs/source/export/pt2_archive.md say.
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
/* The name, without `ending`, of the first member of `folder` ("models/") that ends so; NULL: there is none. (transfer full) */
char      *ls_zip_first  (LsZip         *self,
                          const char    *folder,
                          const char    *ending);
/* Its bytes; NULL with an error: there is none, or it is damaged (length and checksum are compared). (transfer full) */
GBytes    *ls_zip_read   (LsZip         *self,
                          const char    *path,
                          GError       **error);

G_END_DECLS
