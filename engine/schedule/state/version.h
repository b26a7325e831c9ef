/* version: one version of a program: its module, the loops, blocks and buffers in it, and what they were before.
 */
#pragma once

#include "engine/arith/arith.h"
#include "engine/tir/tir.h"

G_BEGIN_DECLS

typedef enum { LS_ENTITY_LOOP, LS_ENTITY_BLOCK, LS_ENTITY_BUFFER } LsEntityType;

/* A loop, block or buffer of one version of the program, in pre-order (buffers of a block before its body;
 * parameters of the function first). */
typedef struct {
  LsEntityType type;
  guint        id;              /* stays the same as long as the thing does; unique in the schedule's history */
  LsNode      *node;            /* For, Block or Buffer; borrowed from the version's module */
  guint        func;            /* number of the function in the module */
  gint         parent;          /* entity number of the loop or block around it, -1: none */
  guint        depth;           /* loops and blocks around it */
  guint        flags;           /* private: what is known of a block */
  guint        n_families;      /* loops only: the loops of the first program that it comes from */
  guint       *families;
} LsEntity;

typedef struct _LsVersionSource LsVersionSource;

/* One version of the program: its module and what is in it.  Immutable, reference counted.  What is in it is found
 * out when somebody asks, since a step should not cost what the whole module costs; ask through ls_version_get_n,
 * ls_version_at and ls_version_get_links. */
typedef struct {
  gatomicrefcount  refs;
  LsModule        *module;
  GArray          *entities;    /* private: of LsEntity */
  GArray          *numbers;     /* private: lineage id -> number of the entity + 1 (guint), 0: none */
  GArray          *links;       /* private: of LsLineageLink from the version before; NULL for a first version */
  LsVersionSource *source;      /* private: what the entities are made from, as long as they are not */
} LsVersion;

typedef enum {
  LS_LINEAGE_KEPT,
  LS_LINEAGE_MOVED,             /* the same, at another place */
  LS_LINEAGE_CHANGED,           /* the same with another kind, annotation, binding, region or scope */
  LS_LINEAGE_SPLIT,
  LS_LINEAGE_FUSED,
  LS_LINEAGE_COPIED,            /* C -> C_init */
  LS_LINEAGE_CREATED,           /* before = -1 */
  LS_LINEAGE_REMOVED            /* after = -1 */
} LsLineageHow;

typedef struct {
  LsLineageHow how;
  gint         before;          /* entity number in the version before, or -1 */
  gint         after;           /* entity number in the version after, or -1 */
} LsLineageLink;

/* The name that the program gives it: of a loop's variable, of a block, of a buffer. Borrowed from the node. */
const char *ls_entity_name      (const LsEntity *self);
/* Do two loops come, in part, from one loop of the first program? */
gboolean    ls_entity_is_related (const LsEntity *a,
                                  const LsEntity *b);

LsVersion  *ls_version_ref      (LsVersion *self);
void        ls_version_unref    (LsVersion *self);
void        ls_version_complete (LsVersion *self);           /* private */
static inline LsVersion *
ls_version_completed (LsVersion *self)
{
  if (g_atomic_pointer_get (&self->source) != NULL)
    ls_version_complete (self);
  return self;
}
#define ls_version_get_n(version) (ls_version_completed (version)->entities->len)
#define ls_version_at(version, i) (&g_array_index (ls_version_completed (version)->entities, LsEntity, (i)))
/* Number of the entity with this id, or of this node; -1: none. */
gint        ls_version_find_id  (LsVersion *self,
                                 guint      id);
gint        ls_version_find_node (LsVersion *self,
                                 gpointer   node);
/* Every version of a plain module: fresh ids, each loop its own family. */
LsVersion  *ls_version_new      (LsModule  *module);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsVersion, ls_version_unref)

G_END_DECLS
