/* why-private: what session/why and its tables share: the facts about a program, and the record that is being made of two steps. */
#pragma once

#include "app/mca/mca.h"
#include "app/session/history.h"
#include "engine/advice/advice.h"
#include "engine/interp/memory-lab.h"
#include "views/models/why.h"

G_BEGIN_DECLS

/* About one program; in a reference counted box. */
typedef struct {
  LsModule    *module;
  char        *sizes;           /* for which, or NULL */
  gboolean     looking;         /* the thread is at it */
  gboolean     looked;
  LsAdviceMachine machine;      /* that `cost` is for; no gflops: there is none */
  LsAdviceCost *cost;
  LsMemoryLab *memory;          /* its accesses in this machine's caches */
  char        *cache_trouble;   /* why there is none */
  gboolean     compiling, compiled;
  LsInnerLoop *loop;
  char        *cpu;
  LsMca       *mca;
  char        *code_trouble, *mca_trouble;
} LsWhyFacts;

/* The two steps; `facts` and `nodes` of the one beside may be NULL. */
typedef struct {
  LsWhy         *why;
  LsHistoryNode *nodes[LS_WHY_N_SIDES];
  LsWhyFacts       *facts[LS_WHY_N_SIDES];
  LsAdviceVerdict *verdicts[LS_WHY_N_SIDES];
} LsWhyPair;

/* It has a time that is of the program as it is now. */
gboolean ls_why_is_measured (LsHistoryNode *node);
/* Fill the tables of `pair->why`. */
void     ls_why_put_counts  (LsWhyPair     *pair);
void     ls_why_put_caches  (LsWhyPair     *pair);
void     ls_why_put_code    (LsWhyPair     *pair);

G_END_DECLS
