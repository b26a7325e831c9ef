/* schedule-private: what the primitives are made with.
 *
 *   version       what is in a version of the program, made from the one before when it is asked for
 *   state         the tree of loops and blocks over a module; replacing a part of it
 *   scope         blocks of a scope and their dependences
 *   flags         affine_binding, region_cover, stage_pipeline of a block
 *   legality      conditions that several primitives share, with their sentences
 *   removal       what is left when a block goes
 *   cover         the iterations of a block that touch given regions
 *   doubt         warnings of moves that TVM allows although they may change the result
 *   inline        rewriting a scope when a block goes into others
 *   move          one call: its arguments as places in the tree, its results
 *
 * The module is immutable; LsState is the one thing that changes: it maps each For and Block node of the current
 * module to its LsSref, a place that stays the same object as long as the loop or block lives.
 */
#pragma once

#include "engine/base/ptr-map.h"
#include "engine/schedule/schedule.h"
#include "engine/tir/reducer.h"

#include <inttypes.h>

G_BEGIN_DECLS

typedef struct _LsState LsState;
typedef struct _LsSref  LsSref;
typedef struct _LsScope LsScope;
typedef struct _LsUsers LsUsers;

/* ---- state.c ------------------------------------------------------------ */

/* A loop or block.  Owned by the state; dead ones stay until the state goes. */
struct _LsSref {
  LsNode  *stmt;                /* For or Block of the current module; NULL: it is gone */
  LsSref  *parent;              /* loop or block around it; NULL for the root block of a function */
  guint    func;                /* number of the function */
  guint    id;                  /* lineage id: the same as long as the place lives, over undo too */
  guint    mark;                /* private to state-replace.c */
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
/* The tree of a version with its ids and flags; ids up to `n_ids` are taken. */
LsState  *ls_state_new          (LsVersion    *version,
                                 guint         n_ids);
void      ls_state_free         (LsState      *self);
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

/* ---- version.c ---------------------------------------------------------- */

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
/* lineage.c: links from the version before, which is complete; fills in the families of `after`. (transfer full) */
GArray    *ls_lineage_links     (LsVersion    *before,
                                 LsVersion    *after,
                                 GArray       *notes);

/* ---- state-replace.c ---------------------------------------------------- */

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

/* ---- scope.c ------------------------------------------------------------ */

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

/* What state-replace.c changes: a block with the regions by which it is known. */
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

/* ---- users.c ------------------------------------------------------------ */

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

/* ---- flags.c ------------------------------------------------------------ */

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

/* ---- move.c ------------------------------------------------------------- */

/* A loop handle that stands for no loop, as sample_compute_location gives it; kept where others have their id. */
#define LS_MARK_ROOT G_MAXUINT          /* leave the block where it is */
#define LS_MARK_INLINE (G_MAXUINT - 1)  /* inline the block */

/* One result: a place, a mark or a number. */
typedef struct {
  LsSref *sref;
  LsExpr *value;                /* owned */
  guint   mark;                 /* LS_MARK_..., or 0 */
} LsMoveResult;

struct _LsMove {
  LsSchedule          *schedule;
  LsState             *state;
  const LsInstruction *instruction;
  LsNode             **args;        /* one for each parameter; None is NULL */
  LsNode              *decision;    /* owned; a sampling primitive fills it in */
  GArray              *results;     /* of LsMoveResult */
  gpointer             kept;        /* what check found out and apply needs; owned */
  GDestroyNotify       drop_kept;
};

/* Keeps `data` with the move, from check until it was applied or is over. Takes it. */
void       ls_move_keep         (LsMove        *move,
                                 gpointer       data,
                                 GDestroyNotify drop);

/* Arguments by number of the parameter.  The handles were found alive before check is called. */
LsSref    *ls_move_sref         (LsMove       *self,
                                 guint         param);
GPtrArray *ls_move_srefs        (LsMove       *self,
                                 guint         param);      /* of LsSref (transfer container) */
gint64     ls_move_int          (LsMove       *self,
                                 guint         param);
gboolean   ls_move_bool         (LsMove       *self,
                                 guint         param);
const char *ls_move_string      (LsMove       *self,
                                 guint         param);
#define ls_move_array(move, i) ((LsArray *) (move)->args[i])
/* An expression argument with sampled numbers put in. (transfer full) */
LsExpr    *ls_move_expr         (LsMove       *self,
                                 LsNode       *value);
/* An index map over variables of the type of the block's. (transfer full) */
LsIndexMap *ls_move_index_map   (LsMove       *self,
                                 guint         param,
                                 LsSref       *block);
/* Results, in order. */
void       ls_move_result       (LsMove       *self,
                                 LsSref       *sref);
void       ls_move_result_expr  (LsMove       *self,
                                 LsExpr       *value);
void       ls_move_result_mark  (LsMove       *self,
                                 guint         mark);
/* The mark that a loop argument is, or 0. */
guint      ls_move_mark         (LsMove       *self,
                                 guint         param);
/* One violated condition.  `culprit` (may be NULL) is a For, Block or other node of the module.  Returns the
 * diagnostic (NULL when the sink is NULL) for ls_diagnostic_set_repair and more culprits. */
LsDiagnostic *ls_move_refuse_at (const char    *file,
                                 guint          line,
                                 LsMove        *self,
                                 LsDiagnostics *diagnostics,
                                 const char    *condition,  /* "not-a-chain": the last part of the code */
                                 gpointer       culprit,
                                 const char    *format,
                                 ...) G_GNUC_PRINTF (7, 8);
/* The same for a move that TVM allows and that may change what the program computes: it is accepted, with a warning. */
LsDiagnostic *ls_move_warn_at   (const char    *file,
                                 guint          line,
                                 LsMove        *self,
                                 LsDiagnostics *diagnostics,
                                 const char    *condition,
                                 gpointer       culprit,
                                 const char    *format,
                                 ...) G_GNUC_PRINTF (7, 8);
/* The finding remembers the line that it comes from: code-place.h shows it.  The build makes __FILE__ a path from the
 * top of the sources. */
#define ls_move_refuse(...) ls_move_refuse_at (__FILE__, __LINE__, __VA_ARGS__)
#define ls_move_warn(...) ls_move_warn_at (__FILE__, __LINE__, __VA_ARGS__)
void       ls_move_add_culprit  (LsMove       *self,
                                 LsDiagnostic *diagnostic,
                                 gpointer      node);
/* Lineage of what apply makes, told after ls_state_replace.  A place that lives on needs no note; a new one that
 * is not noted counts as created. */
void       ls_move_note         (LsMove       *self,
                                 LsLineageHow  how,
                                 LsSref       *fresh,
                                 LsSref       *from);       /* may be dead by now */
void       ls_move_note_buffer  (LsMove       *self,
                                 LsLineageHow  how,
                                 LsBuffer     *node,
                                 LsBuffer     *from);

/* ---- schedule.c, handles ------------------------------------------------- */

/* What a handle means: a place (by its id) or a number. */
typedef struct {
  LsEntityType type;            /* LOOP or BLOCK; BUFFER stands for a number */
  guint        id;
  LsExpr      *value;           /* owned */
} LsHandle;

const LsHandle *ls_schedule_handle (LsSchedule *self,
                                 LsVar        *var);       /* NULL: none of this schedule */
/* The state of the current program. Borrowed, until the schedule changes. */
LsState   *ls_schedule_get_state (LsSchedule *self);
/* A handle for a place without a step that gives it, for as long as it takes to check something. */
LsVar     *ls_schedule_lend_handle (LsSchedule *self,
                                 LsSref       *sref);
void       ls_schedule_take_back (LsSchedule  *self,
                                 LsVar        *handle);
/* Names that earlier steps gave to single results, with their handles, added to a table (char * -> LsNode). */
void       ls_schedule_add_names (LsSchedule  *self,
                                 GHashTable   *names);
/* What a name in the text of the steps means now: a handle (Var), several (Array), or another value. Borrowed, or NULL. */
LsNode    *ls_schedule_get_binding (LsSchedule *self,
                                 const char   *name);
void       ls_schedule_bind     (LsSchedule   *self,
                                 const char   *name,
                                 LsNode       *value);
/* The buffer that argument number `param` means, with the block in `args` before it; NULL: none. Borrowed. */
LsBuffer  *ls_schedule_find_buffer (LsSchedule *self,
                                 const LsInstruction *instruction,
                                 LsNode      **args,
                                 guint         param);
const char *ls_schedule_get_working_function (LsSchedule *self);    /* NULL when it is not clear */
/* The state of the schedule's random numbers, to draw with. */
guint64   *ls_schedule_random_state (LsSchedule *self);
/* Step (from 1) that took away the loop or block with this id, and its name before (transfer full); 0: not found. */
guint      ls_schedule_step_of_death (LsSchedule *self,
                                 guint         id,
                                 char        **name);

/* ---- rebuild.c ------------------------------------------------------------ */

/* A loop or realize of a scope that a rewriting can leave as it is: neither `place` (may be NULL) nor anything with one
 * of the bits `inside` (of ls_may_hold) is in it.  Keeps the cost of a step from growing with the scope. */
gboolean   ls_rebuild_can_skip  (LsNode       *stmt,
                                 LsSref       *place,
                                 guint32       inside);
/* A loop or block, or a realize that reads nothing itself, that is not in `entered` (NULL: everything is). */
gboolean   ls_rebuild_passes_by (LsNode       *stmt,
                                 GHashTable   *entered);
/* Where `node` defines `data` (Allocate, AllocateConst), the same definition over its rewritten body: a rewriting that
 * replaces what is read from a buffer's data never renames the place that makes it.  Else NULL. (transfer full) */
LsNode    *ls_rebuild_below_definition (LsRewriter *rewriter,
                                 LsNode        *node,
                                 LsVar         *data);
/* The bits of a buffer and its data. */
guint32    ls_facts_of_buffer   (LsBuffer     *buffer);

/* Replaces variables and buffers (LsVar or LsBuffer -> value, borrowed) below a statement.  Blocks that change hand
 * their place on in `reuse` (may be NULL).  A Block that allocates a buffer that is replaced allocates the new one. */
LsStmt    *ls_rebuild_substitute (LsStmt       *stmt,
                                 GHashTable   *map,
                                 LsBlockReuse *reuse);
/* The same where only what is `entered` (ls_state_entered) can hold a key. */
LsStmt    *ls_rebuild_substitute_in (LsStmt    *stmt,
                                 GHashTable   *entered,
                                 GHashTable   *map,
                                 LsBlockReuse *reuse);
/* `condition` is added to the predicate of each block directly below. */
LsStmt    *ls_rebuild_guard     (LsStmt       *stmt,
                                 LsExpr       *condition);
/* Simplifies the bindings of the blocks directly below (and in opaque blocks, that is blocks without iteration
 * variables) as iteration maps of the loops in `outer` and those in `stmt`.  `outer` is used up. */
LsStmt    *ls_rebuild_simplify_bindings (LsStmt *stmt,
                                 LsDomMap     *outer,
                                 gboolean      preserve_unit_iters,
                                 LsBlockReuse *reuse);
/* An expression of the type of `like` when it is a narrower constant: how TVM's For takes min and extent. Takes `value`. */
LsExpr    *ls_promote_const     (LsExpr       *value,
                                 LsDType       dtype);
/* Ranges of the loops around a place, outermost first. (transfer full) */
LsDomMap  *ls_outer_domains     (LsState      *state,
                                 LsSref       *sref);
/* Ranges of a block's own iteration variables. (transfer full) */
LsDomMap  *ls_block_domains     (LsBlock      *block);

/* ---- access-simplify.c ---------------------------------------------------- */

/* Indices as iteration maps of the variables in `domains`; a variable does not become a number. (transfer full) */
LsArray   *ls_simplify_indices  (LsArray      *indices,
                                 LsDomMap     *domains,
                                 LsExpr       *predicate,
                                 LsAnalyzer   *analyzer);
/* The block with the indices of its loads and stores and its regions simplified so. (transfer full) */
LsBlock   *ls_rebuild_simplify_accesses (LsBlock *block,
                                 LsBlockReuse *reuse);

/* The block with accesses of `from` mapped to `to` and simplified, regions found anew, `to` allocated where `from` was.
 * `enter` may give another statement for one (transfer full), or NULL. (transfer full) */
LsBlock   *ls_rebuild_map_accesses (LsBlock   *block,
                                 LsBuffer     *from,
                                 LsBuffer     *to,
                                 LsIndexMap   *map,
                                 LsNode     *(*enter) (LsNode *node, gpointer user_data),
                                 gpointer      user_data,
                                 GHashTable   *entered,     /* ls_state_entered, or NULL */
                                 LsBlockReuse *reuse);

/* ---- layout-padding.c ------------------------------------------------------ */

/* How the padding that a new layout brings is filled. */
typedef enum {
  LS_PADDING_NONE,
  LS_PADDING_ASSUMED,           /* nobody writes the buffer: `before` says what the padding holds */
  LS_PADDING_WRITTEN,           /* loops that write all of the buffer write the padding too */
  LS_PADDING_FILLED             /* `after` is done after the last write */
} LsPaddingKind;
typedef struct {
  LsPaddingKind kind;
  LsStmt     *nest;             /* owned: assumptions, or what fills the padding */
  LsNode     *place;            /* borrowed: For or BlockRealize after which it is filled */
  GHashTable *loops;            /* For -> the nest that replaces it (owned) */
} LsPadding;
void       ls_padding_clear     (LsPadding    *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LsPadding, ls_padding_clear)
/* `inverse` maps indices of `to` to those of `from`; `predicate` (of its variables) holds in the padding, which takes
 * the values of `pad_value`. */
void       ls_padding_plan      (LsPadding    *self,
                                 LsBlock      *scope,
                                 LsBuffer     *from,
                                 LsBuffer     *to,
                                 LsIndexMap   *inverse,
                                 LsExpr       *predicate,
                                 LsIndexMap   *pad_value,
                                 LsBlockReuse *reuse);

/* ---- legality.c --------------------------------------------------------- */

/* Each returns TRUE when the condition holds; when it does not, a finding is in `diagnostics`. */

/* The scope root exists; with require_stage_pipeline its blocks are produced before they are read. */
gboolean   ls_legal_scope       (LsMove        *move,
                                 LsDiagnostics *diagnostics,
                                 LsSref        *sref,
                                 gboolean       require_stage_pipeline,
                                 LsSref       **scope_root);
/* The loop has no annotation and no thread binding; it starts at zero. */
gboolean   ls_legal_plain_loop  (LsMove *move, LsDiagnostics *diagnostics, LsSref *loop);
gboolean   ls_legal_starts_at_zero (LsMove *move, LsDiagnostics *diagnostics, LsSref *loop);
/* 0: it is a complete block; else the number of the first condition that fails (see the file). */
guint      ls_complete_block_code  (LsState    *state,
                                 LsSref        *block,
                                 LsSref        *scope_root);
guint      ls_reduction_block_code (LsState    *state,
                                 LsSref        *block,
                                 LsSref        *scope_root);
#define ls_is_complete_block(state, block, root) (ls_complete_block_code ((state), (block), (root)) == 0)
#define ls_is_reduction_block(state, block, root) (ls_reduction_block_code ((state), (block), (root)) == 0)
gboolean   ls_legal_complete_block  (LsMove *move, LsDiagnostics *diagnostics, LsSref *block, LsSref *scope_root);
gboolean   ls_legal_reduction_block (LsMove *move, LsDiagnostics *diagnostics, LsSref *block, LsSref *scope_root);
gboolean   ls_legal_complete_or_reduction (LsMove *move, LsDiagnostics *diagnostics, LsSref *block, LsSref *scope_root);
gboolean   ls_legal_affine      (LsMove *move, LsDiagnostics *diagnostics, LsSref *block);
/* Every block under the loop is complete or a reduction with regard to that subtree alone. */
gboolean   ls_legal_compact_dataflow (LsMove *move, LsDiagnostics *diagnostics, LsSref *subtree);
gboolean   ls_legal_not_output  (LsMove *move, LsDiagnostics *diagnostics, LsSref *block, LsSref *scope_root);
/* The buffer that an LS_PARAM_BUFFER argument means: an index into the block's reads or writes, ("read", 0), or a name.
 * `writes` says which list a bare index or name is looked up in.  NULL with a finding. Borrowed. */
LsBuffer  *ls_legal_access_buffer (LsMove *move, LsDiagnostics *diagnostics, LsSref *block, guint param, gboolean writes);
/* The same for arguments that say themselves which list is meant; a bare name is looked up in both. */
LsBuffer  *ls_legal_buffer_access (LsMove *move, LsDiagnostics *diagnostics, LsSref *block, guint param, gboolean *is_write);
/* The block in whose alloc_buffers the buffer is, seen from `block` upwards. */
gboolean   ls_legal_allocated   (LsMove *move, LsDiagnostics *diagnostics, LsSref *block, LsBuffer *buffer, LsSref **site);
/* The buffer is none that a block matches on another one.  *site: the block that allocates it, NULL for a parameter. */
gboolean   ls_legal_not_view    (LsMove *move, LsDiagnostics *diagnostics, LsSref *block, LsBuffer *buffer, LsSref **site);
gboolean   ls_legal_not_root    (LsMove *move, LsDiagnostics *diagnostics, LsSref *block);
/* Does the block write a buffer that lives outside its scope? */
gboolean   ls_is_output_block   (LsState *state, LsSref *block, LsSref *scope_root);
gboolean   ls_is_dominant_block (LsState *state, LsSref *block, LsSref *scope_root);

/* ---- trace-list.c ------------------------------------------------------------ */

/* Applies one step of a trace; `map` (Var -> Var, borrowed) says what its outputs are in the schedule. */
gboolean   ls_trace_apply_step  (LsSchedule          *schedule,
                                 const LsTraceStep   *step,
                                 guint                number,
                                 GHashTable          *map,
                                 gboolean             decisions,
                                 LsDiagnostics       *diagnostics);
/* A trace of steps that are added one by one (nothing is changed once others have it). (transfer full) */
LsTrace   *ls_trace_new         (void);
/* Takes references of its own. */
void       ls_trace_add         (LsTrace             *self,
                                 const LsInstruction *instruction,
                                 LsArray             *args,
                                 LsArray             *outputs,
                                 LsNode              *decision);
/* A value of an argument with other nodes (Var -> Expr, borrowed) in place of variables. (transfer full) */
LsNode    *ls_trace_translate   (LsNode              *value,
                                 GHashTable          *map);
/* A name for a result: "b", "l" or "v". */
const char *ls_result_prefix    (LsResultType         type);

/* The decisions that sample_compute_location may make for a block (a handle), ascending. (transfer full) of gint64 */
GArray    *ls_compute_locations (LsSchedule          *schedule,
                                 LsNode              *block);

/* ---- trace-json.c, index-map-json.c ------------------------------------------ */

/* The text in JSON's quotes, beyond ASCII escaped. */
void       ls_json_write_text   (GString             *out,
                                 const char          *text);
/* TVM's SaveJSON of a map. (transfer full) */
char      *ls_index_map_to_json (LsIndexMap          *map);
/* NULL when the text is none that is known.  `results` (name -> Var, or NULL): what free variables stand for. (transfer full) */
LsIndexMap *ls_index_map_from_json (const char       *text,
                                 GHashTable          *results);

/* ---- param.c ------------------------------------------------------------------- */

/* Is the value, NULL for None, of the type? */
gboolean   ls_param_has_type    (LsNode              *value,
                                 LsParamType          type);
/* Is the value of the parameter's type, or None where that may be left out? */
gboolean   ls_param_accepts     (const LsParam       *param,
                                 LsNode              *value);
/* The default value (transfer full), NULL for None. */
LsNode    *ls_param_default     (const LsParam       *param);

/* ---- sampling.c ------------------------------------------------------------ */

/* A whole number in [low, high). */
gint       ls_random_int        (guint64       *state,
                                 gint           low,
                                 gint           high);
/* A number below n, each as likely as its weight says. */
guint      ls_random_weighted   (guint64       *state,
                                 const double  *weights,
                                 guint          n);
/* n factors of the extent, their product; the last is at most max_innermost (-1: any). */
void       ls_random_perfect_tile (guint64     *state,
                                 gint64         extent,
                                 gint           n,
                                 gint64         max_innermost,
                                 gint64        *tiles);

/* n factors of the extent (which `factor` divides): those from number `at` on make a multiple of it. */
void       ls_random_partitioned_tile (guint64 *state,
                                 gint64         extent,
                                 gint           n,
                                 gint           at,
                                 gint64         factor,
                                 gint64        *tiles);

/* ---- removal.c ----------------------------------------------------------- */

/* The loop or scope block that changes when `block` is taken out, and what becomes of it (For or Block, transfer
 * full).  NULL when nothing would be left, or the block is no statement of its own. */
LsNode    *ls_state_plan_removal (LsState      *self,
                                 LsSref        *block,
                                 LsSref       **place);
/* The same, with a finding. */
gboolean   ls_legal_removal     (LsMove        *move,
                                 LsDiagnostics *diagnostics,
                                 LsSref        *block,
                                 LsSref       **place,
                                 LsNode       **rest);

/* ---- cover.c -------------------------------------------------------------- */

/* What one instance of a block touches of a buffer, over the block's variables, and what is needed of it. */
typedef struct {
  LsBuffer  *buffer;            /* borrowed */
  GPtrArray *touched;           /* of LsNDIntSet */
  GPtrArray *needed;            /* of LsNDIntSet */
} LsCoverage;
LsCoverage *ls_coverage_new     (LsBuffer      *buffer);
void        ls_coverage_free    (LsCoverage    *self);
/* The values of one iteration variable: `dom` is bounded; `bound` (nothing: none) is what it must keep to besides. */
typedef struct {
  LsIntSet *dom;
  LsIntSet *bound;
} LsIterDomain;
void       ls_iter_domain_clear (LsIterDomain  *self);
void       ls_iter_domains_free (LsIterDomain  *domains,
                                 guint          n);
/* For each iteration variable the values that cover all that is needed (of LsCoverage).  NULL and why (transfer full,
 * a clause without a capital) when that cannot be solved. */
LsIterDomain *ls_cover_domains  (LsBlock       *block,
                                 GPtrArray     *coverages,
                                 LsAnalyzer    *analyzer,
                                 char         **reason);

/* ---- cache-stage.c ---------------------------------------------------------- */

/* A block that copies between a buffer and another one that stands in for it, and where it goes. */
typedef struct {
  LsSref         *root;         /* block of the scope */
  LsSref         *place;        /* loop of the scope, or its block: the copy goes into its body ... */
  guint           position;     /* ... before the statement of this number */
  LsBuffer       *buffer;       /* borrowed */
  LsBuffer       *cache;        /* owned */
  LsBufferRegion *region;       /* owned: what is copied, over the loops around `place` */
  gboolean        whole;        /* the cache is indexed as the buffer is; else from the region's begin */
  LsStmt         *nest;         /* owned: the copy with its loops */
  LsBlock        *block;        /* borrowed: the copy */
} LsCacheStage;
void       ls_cache_stage_clear (LsCacheStage  *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LsCacheStage, ls_cache_stage_clear)
/* Finds place and position: before the first of the readers that follows the writer, as deep as both are; at the end
 * of the scope when there is no reader. */
void       ls_cache_stage_find_place (LsCacheStage *self,
                                 LsState       *state,
                                 LsSref        *writer,
                                 GPtrArray     *readers);
/* The blocks of the scope that read what `writer` wrote, in order. (transfer container) */
GPtrArray *ls_cache_stage_readers (LsState      *state,
                                 LsSref        *root,
                                 LsSref        *writer);
/* What a block's region covers while the loops below `place` run. (transfer full) */
LsBufferRegion *ls_cache_stage_relax (LsCacheStage *self,
                                 LsState       *state,
                                 LsSref        *block,
                                 LsBufferRegion *region);
/* Decides `whole`, makes the cache buffer in this storage scope. */
void       ls_cache_stage_make_buffer (LsCacheStage *self,
                                 LsState       *state,
                                 const char    *scope);
/* Makes the copy; `from_cache`: the cache is copied to the buffer, not the other way. */
void       ls_cache_stage_make_copy (LsCacheStage *self,
                                 const char    *scope,
                                 gboolean       from_cache);
/* `stmt` (For or Block of `place`) with the copy in its body. (transfer full) */
LsNode    *ls_cache_stage_insert (LsCacheStage *self,
                                 LsNode        *stmt);
/* Regions (of BufferRegion or MatchBufferRegion) in which the cache stands for the buffer. (transfer full) */
LsArray   *ls_cache_stage_regions (LsCacheStage *self,
                                 LsArray       *regions,
                                 LsAnalyzer    *analyzer);
/* Indices of the buffer as those of the cache. (transfer full) */
LsArray   *ls_cache_stage_indices (LsCacheStage *self,
                                 LsArray       *indices,
                                 LsAnalyzer    *analyzer);
/* Puts the new scope in place, sets flags, notes and the result. */
void       ls_cache_stage_commit (LsCacheStage *self,
                                 LsMove        *move,
                                 LsBlock       *new_root,
                                 LsBlockReuse  *reuse);
/* The blocks of a parameter and those directly inside them; none when it is None. (transfer container) */
GPtrArray *ls_move_consumers    (LsMove        *move,
                                 guint          param);
/* The region of a list that is of this buffer, or NULL. Borrowed. */
LsBufferRegion *ls_region_of    (LsArray       *regions,
                                 LsBuffer      *buffer);
/* The statement with `fresh` (borrowed) before its part number `position`; definitions around it stay around. (transfer full) */
LsStmt    *ls_stmt_insert       (LsStmt        *stmt,
                                 guint          position,
                                 LsStmt        *fresh);
/* Every block that reads the buffer finds all that it reads written. */
gboolean   ls_legal_cover       (LsMove *move, LsDiagnostics *diagnostics, LsSref *root, LsBuffer *buffer);
/* The number of the part of a body that a For or Block directly below stands in; 0 when it has one part. */
guint      ls_stmt_part_with    (LsStmt        *body,
                                 LsNode        *stmt);
/* A block that stores from[source] in to[target]. Takes iter_vars. (transfer full) */
LsBlock   *ls_copy_block        (const char    *name,
                                 LsArray       *iter_vars,
                                 LsBuffer      *from,
                                 LsArray       *source,
                                 LsBuffer      *to,
                                 LsArray       *target);
/* The variables of an expression, each once, in the order in which they come. (transfer container) */
GPtrArray *ls_vars_in_order     (LsExpr        *expr);
/* Simplified, unless that leaves a number: then the expression itself. (transfer full) */
LsExpr    *ls_simplify_non_trivial (LsAnalyzer *analyzer,
                                 LsExpr        *expr);
/* The block into which blockize turns the loop (its realize, transfer full), or NULL with findings. */
LsBlockRealize *ls_blockize_loop (LsMove       *move,
                                 LsDiagnostics *diagnostics,
                                 LsSref        *loop,
                                 gboolean       preserve_unit_iters,
                                 LsBlockReuse  *reuse);
/* Below the loop there is exactly one block, not counting those inside blocks. */
gboolean   ls_legal_single_child (LsMove *move, LsDiagnostics *diagnostics, LsSref *loop, LsSref **block);
/* At most one block of the scope writes the buffer; *writer is NULL when there is none. */
gboolean   ls_legal_one_writer  (LsMove *move, LsDiagnostics *diagnostics, LsSref *root, LsBuffer *buffer, LsSref **writer);
/* The name of a storage scope is known. */
gboolean   ls_legal_storage_scope (LsMove *move, LsDiagnostics *diagnostics, const char *scope);
/* ---- doubt.c --------------------------------------------------------------- */

/* Warns when `block` goes under `loop` and one of `neighbours` (of LsSref: its readers, or those that make what it
 * reads) stands on the wrong side of the loop. */
void       ls_doubt_order       (LsMove        *move,
                                 LsDiagnostics *diagnostics,
                                 LsSref        *block,
                                 LsSref        *loop,
                                 GPtrArray     *neighbours,
                                 gboolean       are_readers);
/* Warns when it is not certain that `realize`, innermost in the loops `nest` under `loop`, runs for every instance of
 * its block, and, if it adds up, once for each. */
void       ls_doubt_instances   (LsMove         *move,
                                 LsDiagnostics  *diagnostics,
                                 LsSref         *loop,
                                 LsStmt         *nest,
                                 LsBlockRealize *realize);

/* Warns when a loop from `loop` down to the reduction `block` repeats it as a whole: its init goes before `loop`. */
void       ls_doubt_split_init  (LsMove        *move,
                                 LsDiagnostics *diagnostics,
                                 LsSref        *block,
                                 LsSref        *loop);

/* Warns when `indices`, over the variables of `block`, may lie outside of the buffer; a copy has no condition around it. */
void       ls_doubt_bounds      (LsMove        *move,
                                 LsDiagnostics *diagnostics,
                                 LsBlock       *block,
                                 LsBuffer      *buffer,
                                 LsArray       *indices);

/* Warns when a copy of `region`, made beside `block` without its guard, may reach outside of the buffer. */
void       ls_doubt_copied_region (LsMove      *move,
                                 LsDiagnostics  *diagnostics,
                                 LsSref         *block,
                                 LsBufferRegion *region);

/* Warns when a copy of what `writer` writes goes under loops of which its guard leaves out some rounds, or may reach
 * outside of the buffer. */
void       ls_doubt_guarded_copy (LsMove       *move,
                                 LsDiagnostics *diagnostics,
                                 LsSref        *root,
                                 LsBuffer      *buffer,
                                 LsSref        *writer);

/* Warns when a buffer that gets another layout has views (match_buffer), which do not follow it. */
void       ls_doubt_views       (LsMove        *move,
                                 LsDiagnostics *diagnostics,
                                 LsSref        *block,
                                 LsBuffer      *buffer);

/* ---- inline.c --------------------------------------------------------------- */

/* Rewrites a scope from which one block goes and in which accesses of a buffer are replaced. */
typedef struct _LsInliner LsInliner;
struct _LsInliner {
  LsState  *state;
  LsBuffer *buffer;             /* that goes */
  LsKind    access;             /* LS_KIND_BUFFER_LOAD or LS_KIND_BUFFER_STORE */
  LsBlock  *block;              /* that goes */
  LsBlock  *root;               /* of the scope */
  LsNode   *place;              /* loop or scope block that changes, and what it becomes: ls_state_plan_removal */
  LsNode   *rest;
  LsNode *(*replace) (LsInliner *self, LsNode *access);                     /* an access, its children done. (transfer full) */
  LsBlockRealize *(*finish) (LsInliner *self, LsBlock *was, LsBlockRealize *realize);  /* or NULL. (transfer full) */
  gpointer  data;
  gboolean  is_opaque;          /* result: the buffer is also used in another way */
  LsBlockReuse *reuse;          /* result */
  GPtrArray *visible;           /* private */
  GHashTable *entered;          /* private */
};
/* The new root block. (transfer full) */
LsBlock   *ls_inliner_run       (LsInliner     *self);
gboolean   ls_legal_no_init     (LsMove *move, LsDiagnostics *diagnostics, LsSref *block);
gboolean   ls_legal_not_opaque  (LsMove *move, LsDiagnostics *diagnostics, LsInliner *inliner);

G_END_DECLS
