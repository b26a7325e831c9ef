/* saved-private: the reader of saved modules, and the tables that it goes by. */
#pragma once

#include "engine/script/saved.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef struct _LsSavedReader LsSavedReader;
struct _LsSavedReader {
  JsonArray  *nodes, *arrays;
  LsNode    **made;                     /* of each node, or NULL */
  guint8     *open;                     /* is it being read? */
  guint       n, depth;
  GError     *error;
  LsNode   *(*node_at) (LsSavedReader *self, gint64 number);    /* any node, borrowed; NULL after an error */
};

/* What a kind of node holds: fields in the order of the engine's own, each NAME:CODE; `?` behind: may be none; `*` before: a list of these.
 *
 *   s text  d type  i whole number  f decimal  b truth  N array of numbers  M map  Z anything
 *   E expression  S statement  V variable  B buffer  R range  X iteration variable  T type
 *   G region  H matched region  K block  C combiner  J index map  O operator or function of a call
 *   I struct info  L shape or variable of a shape  Y variable of Relax  r expression of Relax  Q sequence  D binding  W block of bindings
 *   m mesh  p placement  q part of a placement */
typedef struct { const char *key; LsKind kind; const char *fields; } LsSavedRow;

/* By TVM's key; NULL: it has none. */
const LsSavedRow *ls_saved_row        (const char *key);
/* May a node of this kind stand where the code says? */
gboolean          ls_saved_may_stand  (char        code,
                                       LsNode     *node);
/* How an attribute of an operator is written: 'i', 'f', 'b', 'd' as itself, 'Z' as a node, 's' as a text that is one.  `kind` is that of the table of operators. */
char              ls_saved_written    (const char *attrs_key,
                                       const char *name,
                                       const char *kind);

/* ---- saved-json.c: NULL or FALSE after an error, as all that follows ---- */
gpointer    ls_saved_wrong     (LsSavedReader *self, LsSavedError code, const char *format, ...) G_GNUC_PRINTF (3, 4);      /* the first one stays; gives NULL */
#define LS_SAVED_DAMAGED(...) ls_saved_wrong (self, LS_SAVED_ERROR_DAMAGED, __VA_ARGS__)
JsonObject *ls_saved_entry     (LsSavedReader *self, gint64 number);
/* A number that is written as a text; FALSE without an error: it is none. */
gboolean    ls_saved_int       (const char *text, gint64 *number);
/* The node that a field names; 0: none. */
gboolean    ls_saved_reference (LsSavedReader *self, JsonObject *attrs, const char *name, gint64 *number);
/* Of a text, an operator or the kind of a target. Borrowed. */
const char *ls_saved_text      (LsSavedReader *self, gint64 number);

/* ---- saved-fields.c: nodes are (transfer full) ---- */
/* Takes the value; NULL: nothing is put. */
void        ls_saved_put       (LsMap **map, const char *name, LsNode *value);
LsNode     *ls_saved_list      (LsSavedReader *self, JsonObject *node);
LsNode     *ls_saved_map       (LsSavedReader *self, JsonObject *node);
/* A map from nodes to nodes, borrowed. */
gboolean    ls_saved_pairs     (LsSavedReader *self, JsonObject *attrs, const char *name, GPtrArray *firsts, GPtrArray *seconds);
/* May the node stand where this code is?  `what` names it in the error. */
gboolean    ls_saved_check     (LsSavedReader *self, const char *what, const char *code, LsNode *node);
/* Field `i` of the node, "name:code". */
gboolean    ls_saved_field     (LsSavedReader *self, const LsSavedRow *row, JsonObject *attrs, LsNode *node, guint i, const char *word);
LsNode     *ls_saved_fields    (LsSavedReader *self, const LsSavedRow *row, JsonObject *attrs);

/* ---- saved-kinds.c ---- */
LsNode     *ls_saved_kind      (LsSavedReader *self, gint64 number, JsonObject *node);

G_END_DECLS
