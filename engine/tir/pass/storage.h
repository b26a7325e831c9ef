/* storage: which allocations lie where; what StorageRewrite is made of. */
#pragma once

#include "engine/tir/pass/liveness.h"

G_BEGIN_DECLS

typedef enum {                  /* TVM's StorageRank */
  LS_STORAGE_GLOBAL,
  LS_STORAGE_SHARED,
  LS_STORAGE_WARP,
  LS_STORAGE_LOCAL,
  LS_STORAGE_OTHER              /* fragments, textures */
} LsStorageRank;

/* One place in memory. */
typedef struct {
  LsNode        *scope;         /* the statement that the allocation stands in; NULL: the function */
  char          *name;          /* storage scope */
  LsStorageRank  rank;
  const char    *tag;           /* what stands behind the rank's name; inside of `name` */
  guint64        bits;          /* 0: not constant */
  guint64        offset;        /* in bits, in the memory of another place */
  LsDType        element;
  GPtrArray     *allocations;   /* of LsAllocate, the first one gives the variable */
  GPtrArray     *children;      /* of LsStoragePlace: places that are put behind this one */
  GPtrArray     *nest;          /* of LsStmt with an empty body: what is written at the scope; owned */
  LsVar         *var;           /* borrowed */
} LsStoragePlace;

typedef struct {
  GPtrArray  *places;           /* of LsStoragePlace, as they were made */
  GHashTable *by_var;           /* Var -> LsStoragePlace */
} LsStoragePlan;

/* Gives each allocation a place, but those whose size is known inside only.  Without reuse every allocation has one of its own; exact_type: only one of the same type. */
LsStoragePlan *ls_storage_plan_new  (LsLiveness    *liveness,
                                     gboolean       reuse,
                                     gboolean       exact_type);
void           ls_storage_plan_free (LsStoragePlan *self);
/* Memory with a tag of its own, which is one allocation. */
gboolean       ls_storage_is_special (LsStoragePlace *place);
/* May the statement write `target` where `source` lies? */
gboolean       ls_storage_is_inplace (LsNode        *stmt,
                                      LsVar         *target,
                                      LsVar         *source);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsStoragePlan, ls_storage_plan_free)

G_END_DECLS
