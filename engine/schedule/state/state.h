/* state: the places of loops and blocks over an immutable module, and what is known of them.
 *
 *   version       what is in a version of the program, made from the one before when it is asked for
 *   links         which thing of the version before each thing of a version is
 *   tree          the tree of loops and blocks over a module
 *   replace       replacing a part of it
 *   scope         blocks of a scope and their dependences
 *   users         which places use a buffer
 *   cover         is what a block reads produced before it
 *   flags         affine_binding, region_cover, stage_pipeline of a block
 *
 * The module is immutable; LsState is the one thing that changes: it maps each For and Block node of the current
 * module to its LsSref, a place that stays the same object as long as the loop or block lives.
 */
#pragma once

#include "engine/base/ptr-map.h"
#include "engine/schedule/state/version.h"

G_BEGIN_DECLS

typedef struct _LsState LsState;
typedef struct _LsSref  LsSref;
typedef struct _LsScope LsScope;
typedef struct _LsUsers LsUsers;

/* ---- tree.c ------------------------------------------------------------------ */

/* A loop or block.  Owned by the state; dead ones stay until the state goes. */
struct _LsSref {
  LsNode  *stmt;                /* For or Block of the current module; NULL: it is gone */
  LsSref  *parent;              /* loop or block around it; NULL for the root block of a function */
  guint    func;                /* number of the function */
  guint    id;                  /* lineage id: the same as long as the place lives, over undo too */
  guint    mark;                /* private to replace.c */
  LsNode  *next;                /* likewise: what it stands for after the replacement */
  guint64  order;               /* blocks: ascending in the scope around it; private to scope.c */
  LsScope *member_of;           /* blocks: the scope that lists it; private to scope.c */
  GPtrArray *uses;              /* of LsVar: data; private to users.c */
  gboolean is_block;
  gboolean exact;               /* blocks: affine_binding is what flags.c found out, and nothing changed since */
  gboolean affine_binding;      /* blocks only, as TVM's BlockInfo */
  gboolean region_cover;
  gboolean stage_pipeline;
  gboolean covers_known;        /* blocks: the next three hold for the blocks inside */
  gboolean cover_known;         /* blocks: `cover` and `unsound` are what flags.c found out, and nothing changed since */
  gboolean cover;
  gboolean unsound;             /* private to flags.c: keeps the scope from being a stage pipeline */
  gboolean is_leaf;             /* private to flags.c: while `exact`, no blocks are inside */
  LsScope *scope;               /* blocks only: dependences of the blocks inside, made when asked for */
};

struct _LsState {
  LsModule   *module;
  LsPtrMap    by_stmt;          /* For or Block node -> LsSref (borrowed) */
  LsPtrMap    buffer_ids;       /* Buffer -> lineage id + 1 */
  GPtrArray  *by_id;            /* lineage id -> LsSref (owned), NULL for buffers and for what is not of this program */
  guint       generation;
  GArray     *notes;            /* of LsLineageNote: what the running primitive told */
  LsUsers    *users;            /* made when asked for */
  GPtrArray  *touched;          /* of LsSref: whose node or flags the running primitive changed */
  GArray     *fresh_buffers;    /* of LsVersionChange: buffers that got their ids in the running primitive */
  LsPrimFunc *named;            /* private to names.c, as the next two: the function that was asked about last, or NULL */
  GHashTable *names;            /* name -> GPtrArray of its Block nodes, borrowed from `named`; or NULL */
  guint       n_named;
};

/* What a primitive tells of the lineage of what it makes. */
typedef struct {
  LsLineageHow how;
  guint        id;              /* of the new loop, block or buffer */
  guint        from;            /* of the old one */
} LsLineageNote;

#define ls_sref_for(sref) ((LsFor *) (sref)->stmt)
#define ls_sref_block(sref) ((LsBlock *) (sref)->stmt)

/* A place with nothing set; the state that lists it in `by_id` drops it. */
LsSref   *ls_sref_alloc         (void);
void      ls_sref_free          (LsSref       *self);
/* The tree of a version with its ids and flags; ids up to `n_ids` are taken. */
LsState  *ls_state_new          (LsVersion    *version,
                                 guint         n_ids);
void      ls_state_free         (LsState      *self);
/* What is kept of the names of blocks goes: the function that they were asked of is no longer held. */
void      ls_state_forget_names (LsState      *self);
/* A primitive that sets flags of a place that it does not replace says so. */
void      ls_state_touch        (LsState      *self,
                                 LsSref       *sref);
/* Forgets what the last primitive told and touched. */
void      ls_state_begin        (LsState      *self);
/* A tree for a module of which nothing is known: every loop and block gets a fresh id, no flags. */
LsState  *ls_state_plant        (LsModule     *module);
/* Ids for the buffers of a block that the one whose place it takes (may be NULL) does not have. */
void      ls_state_name_buffers (LsState      *self,
                                 LsBlock      *before,
                                 LsBlock      *block);
/* The lineage id of a buffer; a fresh one when it has none yet. */
guint     ls_state_buffer_id    (LsState      *self,
                                 LsBuffer     *buffer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsState, ls_state_free)
/* The place of a For or Block node of the current module, or NULL. */
LsSref   *ls_state_sref         (LsState      *self,
                                 gpointer      stmt);
LsSref   *ls_state_sref_by_id   (LsState      *self,
                                 guint         id);         /* NULL when it is gone */
LsPrimFunc *ls_state_func       (LsState      *self,
                                 LsSref       *sref);
/* Calls `func` for each For and Block directly below a statement (not inside other ones, not in init).  `realize` is
 * the BlockRealize of a Block.  Stops and returns FALSE when it does. */
typedef gboolean (*LsChildFunc) (LsNode *stmt, LsBlockRealize *realize, gpointer user_data);
gboolean  ls_stmt_foreach_child (LsStmt       *stmt,
                                 LsChildFunc   func,
                                 gpointer      user_data);
#define ls_sref_body(sref) ((sref)->is_block ? ls_sref_block (sref)->body : ls_sref_for (sref)->body)
/* The BlockRealize of a block. Borrowed. */
LsBlockRealize *ls_state_realize (LsState     *self,
                                 LsSref       *block);
/* The block around a loop or block (not itself); NULL for a root block. */
LsSref   *ls_state_scope_root   (LsState      *self,
                                 LsSref       *sref);
/* The loops around a loop or block inside its scope, outermost first. (transfer container) */
GPtrArray *ls_state_loops       (LsState      *self,
                                 LsSref       *sref);
/* Blocks below, in pre-order, those inside other blocks left out; of a block: not itself, of a loop: all. (transfer container) */
GPtrArray *ls_state_child_blocks (LsState     *self,
                                 LsSref       *sref);
gboolean  ls_sref_is_ancestor   (LsSref       *ancestor,
                                 LsSref       *sref);       /* or equal */
LsSref   *ls_sref_common        (LsSref      **srefs,
                                 guint         n);          /* lowest common ancestor or equal */
/* Ranges of the loops from `low` (included) up to `high` (excluded, NULL: to the root), outermost last.
 * extra_scope (a storage scope, NULL: none) also takes the thread loops above that such a buffer is shared over. (transfer full) */
LsDomMap *ls_state_loop_domains (LsState      *self,
                                 LsSref       *low,
                                 LsSref       *high,
                                 const char   *extra_scope);
/* The name of a block or of a loop's variable. Borrowed. */
const char *ls_sref_name        (LsSref       *sref);
/* Printed path for LsDiagnostic.culprits. (transfer full) */
char     *ls_state_print_path   (LsState      *self,
                                 gpointer      node);

/* ---- version.c, links.c ------------------------------------------------------ */

/* The id and flags of a node that is new in a version. */
typedef struct {
  LsNode *node;
  guint   id;
  guint   flags;
} LsVersionChange;

guint      ls_sref_flags        (LsSref       *sref);       /* as LsEntity.flags */
/* What `before` became in the running primitive. (transfer full) */
LsVersion *ls_version_next      (LsVersion    *before,
                                 LsState      *state);
/* The first version: everything in it is touched. (transfer full) */
LsVersion *ls_version_of        (LsState      *state);
/* Links from the version before, which is complete; fills in the families of `after`. (transfer full) */
GArray    *ls_lineage_links     (LsVersion    *before,
                                 LsVersion    *after,
                                 GArray       *notes);

/* ---- replace.c --------------------------------------------------------------- */

/* Old block -> new block, so that the new one inherits the place, flags and lineage of the old one. */
typedef struct _LsBlockReuse LsBlockReuse;
LsBlockReuse *ls_block_reuse_new  (void);
void          ls_block_reuse_free (LsBlockReuse *self);
void          ls_block_reuse_add  (LsBlockReuse *self,
                                   LsBlock      *old_block,
                                   LsBlock      *new_block);
/* `to` stands for whatever `from` stood for, or for `from` itself: a further step of the same rebuilding. */
void          ls_block_reuse_carry (LsBlockReuse *self,
                                   LsBlock      *from,
                                   LsBlock      *to);
/* The block that `new_block` takes over from, or NULL. */
LsBlock      *ls_block_reuse_get  (LsBlockReuse *self,
                                   LsBlock      *new_block);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsBlockReuse, ls_block_reuse_free)
/* Puts `stmt` (borrowed: For, Block or BlockRealize; a block's place takes a Block) in the place of `sref`.  Places
 * survive where the node is the same pointer, where a loop keeps its loop_var, and where `reuse` (may be NULL) says
 * so; all others below `sref` die.  New blocks have all flags FALSE.  Ancestors are rebuilt. */
void          ls_state_replace    (LsState      *self,
                                   LsSref       *sref,
                                   gpointer      stmt,
                                   LsBlockReuse *reuse);

/* `fresh` is the buffer of the parameter that had `old`. */
void      ls_state_replace_parameter (LsState *self,
                                   guint         func,
                                   LsBuffer     *old,
                                   LsBuffer     *fresh);

/* ---- scope.c ----------------------------------------------------------------- */

typedef enum { LS_DEP_RAW, LS_DEP_WAW, LS_DEP_WAR } LsDepKind;
typedef struct { LsSref *src; LsSref *dst; LsDepKind kind; } LsDep;

/* The blocks directly inside a block and what orders them. */
struct _LsScope {
  GPtrArray  *blocks;           /* of LsSref, in program order */
  LsPtrMap   readers;           /* private: buffer -> GPtrArray of LsSref */
  LsPtrMap   writers;           /* private */
};
/* Borrowed, until the state changes. */
LsScope   *ls_state_scope       (LsState      *self,
                                 LsSref       *scope_root);
void       ls_scope_free        (LsScope      *self);
/* Blocks that write (read) a buffer, in order; one that names it twice stands there twice; NULL: none. Borrowed. */
GPtrArray *ls_scope_writers     (LsScope      *self,
                                 LsBuffer     *buffer);
GPtrArray *ls_scope_readers     (LsScope      *self,
                                 LsBuffer     *buffer);
/* The deps to a block by kind, and from a block by the order of their dst. (transfer full) of LsDep */
GArray    *ls_scope_deps_to     (LsScope      *self,
                                 LsSref       *block);
GArray    *ls_scope_deps_from   (LsScope      *self,
                                 LsSref       *block);
/* Does the block write what one before it reads? */
gboolean   ls_scope_overwrites  (LsScope      *self,
                                 LsSref       *block);
/* How many of a list of writers or readers stand before a block. */
guint      ls_scope_n_before    (GPtrArray    *list,
                                 LsSref       *block);

/* What replace.c changes: a block with the regions by which it is known. */
typedef struct {
  LsSref  *sref;
  LsArray *reads, *writes;
} LsScopeMember;
/* Takes a block out; returns the number that it had. */
guint      ls_scope_remove      (LsScope      *self,
                                 LsScopeMember *member);
/* Puts a block in before the one of this number. */
void       ls_scope_insert      (LsScope      *self,
                                 LsScopeMember *member,
                                 guint         at);
/* The number of the place after a block; NULL: the first place. */
guint      ls_scope_place_after (LsScope      *self,
                                 LsSref       *block);
/* Something changed at or around a block: what depends on it is no longer known to be covered. */
void       ls_scope_doubt       (LsScope      *self,
                                 LsState      *state,
                                 LsScopeMember *member);
/* Blocks that this one must follow (RAW and WAW), or that must follow it: each once, in order. (transfer container) */
GPtrArray *ls_state_producers   (LsState      *self,
                                 LsSref       *block);
GPtrArray *ls_state_consumers   (LsState      *self,
                                 LsSref       *block);
/* Blocks of the scope that write (read) this buffer, each once, in order. (transfer container) */
GPtrArray *ls_state_writers     (LsState      *self,
                                 LsSref       *scope_root,
                                 LsBuffer     *buffer);
GPtrArray *ls_state_readers     (LsState      *self,
                                 LsSref       *scope_root,
                                 LsBuffer     *buffer);

/* ---- names.c ----------------------------------------------------------------- */

/* The blocks of this name in a function of the state's module, in their order. (transfer container) of LsSref */
GPtrArray  *ls_state_blocks_of_name (LsState    *self,
                                     LsPrimFunc *func,
                                     const char *name);

/* ---- users.c ----------------------------------------------------------------- */

/* Which loops and blocks use a buffer or its data, by their own parts; kept up to date once it was asked for. */
void        ls_users_free       (LsUsers      *self);
void        ls_users_update     (LsState      *state,
                                 LsSref       *sref);       /* its own parts changed */
void        ls_users_forget     (LsState      *state,
                                 LsSref       *sref);
/* The For and Block nodes below `root` that use one of the buffers or hold something that does, with all that is around
 * `place` (may be NULL).  A rewriting has to enter these only: ls_rebuild_passes_by. (transfer full) */
GHashTable *ls_state_entered    (LsState      *self,
                                 LsSref       *root,
                                 LsSref       *place,
                                 LsBuffer    **buffers,
                                 guint         n);
/* One more place to go to. */
void        ls_entered_add      (GHashTable   *entered,
                                 LsSref       *sref);

/* A loop or block, or a realize that reads nothing itself, that is not in `entered` (NULL: everything is). */
gboolean   ls_rebuild_passes_by (LsNode       *stmt,
                                 GHashTable   *entered);

/* ---- cover.c ----------------------------------------------------------------- */

/* Asks of the blocks of a scope, in their order, whether what they read was all produced before: `root` is the block around the scope, loops from
 * `top` on are known.  Nothing of the scope changes while it is kept. */
typedef struct _LsCover LsCover;

LsCover   *ls_cover_new           (LsState        *state,
                                   LsScope        *scope,
                                   LsSref         *root,
                                   LsSref         *top);
void       ls_cover_free          (LsCover        *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsCover, ls_cover_free)
gboolean   ls_cover_holds         (LsCover        *self,
                                   LsSref         *consumer);

/* Tells the analyzer of the loops around a place up to `top` (NULL: all), the outermost first. */
void       ls_state_know_loops    (LsAnalyzer     *analyzer,
                                   LsSref         *low,
                                   LsSref         *top);

/* ---- flags.c ----------------------------------------------------------------- */

/* Recomputes the flags of a block and everything below it, as TVM's UpdateScopeBlockInfo of a BlockRealize does:
 * the block itself then counts as a root, affine only when it has no iteration variables. */
void       ls_state_update_flags  (LsState        *self,
                                   LsSref         *block);
/* Recomputes the flags of everything below a block, but not its own (UpdateScopeBlockInfo of a Block). */
void       ls_state_update_flags_below (LsState   *self,
                                   LsSref         *block);
/* Are the bindings an affine map of the loops around the block? */
gboolean   ls_state_is_affine     (LsState        *self,
                                   LsSref         *block);
/* The same for a realize that stands (or would stand) under loops with these domains. */
gboolean   ls_is_affine_binding   (LsBlockRealize *realize,
                                   LsDomMap       *loops,
                                   LsAnalyzer     *analyzer);
/* Are the bindings different loops, or indices as split makes them, from 0, with nothing left to simplify? */
gboolean   ls_is_simple_binding   (LsBlockRealize *realize,
                                   LsDomMap       *loops);

G_END_DECLS
