/* What the files of pt2 share. */
#pragma once

#include "engine/frontend/pt2/pt2.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef struct {
  const char  *name;            /* of the file */
  char        *graph;           /* the member that has it */
  char        *model;           /* the name of the program in the archive */
  LsZip       *zip;
  JsonObject  *all_types, *types;       /* name of a value -> its TensorMeta: of the program, of the graph that is read */
  GHashTable  *names;           /* of the graph that is read: name of a value there -> its name in what is written, where that is another */
  GHashTable  *taken;           /* names that were given to values of regions */
  const char  *region;          /* the call whose graph is read, or NULL */
  GHashTable  *weights;         /* name of an input -> name of its weight */
  GHashTable  *tensors;         /* name of a weight -> LsTensor */
  JsonObject  *sym_ints;        /* name of a number -> its SymInt */
  GPtrArray   *notes;           /* of char * */
  JsonBuilder *out;
  GError     **error;
} LsPt2Reader;

/* ---- schema.c ---- */

/* NULL: it is no object. */
JsonObject *ls_pt2_object_at   (JsonArray   *array,
                                guint        i);
/* FALSE: it is no whole number. */
gboolean    ls_pt2_int_of      (JsonNode    *node,
                                gint64      *value);
/* Whether an input of a node is given by name. */
gboolean    ls_pt2_is_keyword  (JsonObject  *input);
/* The names of the tensors that a node or a graph gives, in order. (transfer container) */
GPtrArray  *ls_pt2_results     (JsonObject  *node);
/* The innermost module around a node; NULL: it does not say. (transfer full) */
char       *ls_pt2_module_of   (JsonObject  *node);
/* How a value of the graph that is read is called in what is written. */
const char *ls_pt2_real_name   (LsPt2Reader *self,
                                const char  *name);
/* The same of one that is made now. */
const char *ls_pt2_own_name    (LsPt2Reader *self,
                                const char  *name);
/* The graph of a node that runs one as it stands, and behind how many of the node's inputs those of that graph are; NULL: it is another node. */
JsonObject *ls_pt2_region      (JsonObject  *node,
                                guint       *n_given);
/* What the inputs of that graph are called in what is written. (transfer full) */
GHashTable *ls_pt2_names_inside (LsPt2Reader *self,
                                 JsonObject  *node,
                                 JsonObject  *region,
                                 guint        n_given);

/* ---- json.c ---- */

/* FALSE, with the error of the reader: the words, behind the name of the file. */
gboolean    ls_pt2_fail       (LsPt2Reader *self,
                               const char  *format,
                               ...) G_GNUC_PRINTF (2, 3);
/* The JSON of a member of the archive; NULL: said. (transfer full) */
JsonParser *ls_pt2_read_json  (LsPt2Reader *self,
                               const char  *path);
/* How we write a number that Python's JSON has and JSON has not ("Infinity"), which is read as a text; NULL: it is none. */
const char *ls_pt2_odd_float  (const char  *text);
/* What a file says of a type: the number, or its name as earlier ones do; 0: neither. */
gint64      ls_pt2_dtype_of   (JsonNode    *node);
/* Extents of a list of SymInt. FALSE: one is no number. */
gboolean    ls_pt2_read_ints  (JsonArray   *list,
                               GArray      *values);

/* ---- weights.c ---- */

/* All that there are, to `tensors`. */
gboolean    ls_pt2_read_weights (LsPt2Reader *self);

/* ---- tensor.c ---- */

/* torch's numbers of types (ScalarType of its schema); NULL: one that is not known here. */
const char *ls_pt2_dtype_name (gint64       number);
/* A tensor of a storage, row-major whatever its strides are; `where` and `name` stand in messages. (transfer full) */
LsTensor   *ls_pt2_tensor_new (const char  *where,
                               const char  *name,
                               gint64       dtype,
                               GArray      *shape,              /* of gint64 */
                               GArray      *strides,
                               gint64       offset,
                               GBytes      *storage,
                               GError     **error);

/* ---- pickle.c ---- */

/* Puts the tensors of what torch.save wrote (a dictionary of them) to `tensors` (name -> LsTensor).  FALSE with an error: it is damaged, or has
 * something else in it than tensors, numbers and texts. */
gboolean    ls_pt2_read_saved (const char  *name,
                               GBytes      *saved,
                               GHashTable  *tensors,
                               GError     **error);

G_END_DECLS
