/* schedule: programs transformed step by step, as TVM's tir.Schedule does it.
 *
 *   instruction   the table of primitives: name, parameters, documentation, check, apply
 *   schedule      a module, the steps applied so far, handles, undo
 *   call          binds Python-like calls (script/calls.h) to rows of the table
 *   trace         the steps as the Python text that TVM prints
 *   lineage       which loop, block and buffer became which
 *
 * Every primitive is one file in primitive/ with `check` (changes nothing, reports every condition that does not
 * hold), `apply` and its row of the table.  Menus, the command line and the Python bindings are made from the table.
 * Source of names, conditions and results: TVM v0.20's tir::Schedule.
 */
#pragma once

#include "engine/arith/arith.h"
#include "engine/script/calls.h"
#include "engine/tir/tir.h"

G_BEGIN_DECLS

/* ---- instruction.c ------------------------------------------------------ */

/* What an argument is and the node that carries it.  None is NULL. */
typedef enum {
  LS_PARAM_BLOCK,               /* handle: Var */
  LS_PARAM_LOOP,                /* handle: Var */
  LS_PARAM_BLOCK_OR_LOOP,       /* handle: Var */
  LS_PARAM_LOOPS,               /* Array of handles */
  LS_PARAM_BLOCKS,              /* Array of handles */
  LS_PARAM_BLOCKS_OR_LOOP,      /* Array of handles, or one handle */
  LS_PARAM_INT,                 /* IntImm int32; or an expression handle */
  LS_PARAM_BOOL,                /* IntImm bool */
  LS_PARAM_STRING,              /* String */
  LS_PARAM_FACTORS,             /* Array of None, IntImm, Expr */
  LS_PARAM_INTS,                /* Array of IntImm */
  LS_PARAM_FLOATS,              /* Array of FloatImm */
  LS_PARAM_STRINGS,             /* Array of String */
  LS_PARAM_BUFFER,              /* ("read", 0), "name" or an index: Array of String and IntImm, String, IntImm */
  LS_PARAM_INDEX_MAP,           /* IndexMap */
  LS_PARAM_VALUE                /* any attribute: IntImm, FloatImm, String, Array, Map, Expr */
} LsParamType;

typedef enum {
  LS_PARAM_PLAIN = 0,
  LS_PARAM_VARIADIC = 1 << 0,   /* takes all positional arguments; printed without a name */
  LS_PARAM_OPTIONAL = 1 << 1,   /* None is allowed */
  LS_PARAM_SILENT = 1 << 2,     /* printed in traces only when it differs from its default */
  LS_PARAM_UNPRINTED = 1 << 3,  /* never printed in traces (TVM does not keep it) */
  LS_PARAM_UNNAMED = 1 << 4,    /* printed in traces without its name */
  LS_PARAM_MARKS = 1 << 5,      /* a loop: what sample_compute_location gives for "inline it" and "leave it" too */
  LS_PARAM_INPUT = 1 << 6,      /* no handle, and TVM keeps it with the handles in JSON all the same */
  LS_PARAM_BY_INDEX = 1 << 7,   /* a buffer of one list only: its index is kept, not ("read", 0) */
  LS_PARAM_RANGES = 1 << 8,     /* an index map that gives begin and end of a range for each dimension */
  LS_PARAM_LAYOUT = 1 << 9,     /* an index map over the dimensions of the buffer before it; it may hold separators */
  LS_PARAM_ACCESS = 1 << 10     /* "read" or "write", in JSON 0 or 1 */
} LsParamFlags;

typedef struct {
  const char  *name;
  LsParamType  type;
  guint        flags;           /* LsParamFlags */
  const char  *default_text;    /* Python text ("True", "-1", "None", "global"); NULL: must be given */
  const char  *summary;
  const char  *trace_name;      /* NULL: as `name`.  TVM's traces call some parameters otherwise than its methods; both are read */
} LsParam;

typedef enum {
  LS_RESULT_NONE,
  LS_RESULT_BLOCK,
  LS_RESULT_LOOP,
  LS_RESULT_EXPR,
  LS_RESULT_BLOCKS,
  LS_RESULT_LOOPS,
  LS_RESULT_EXPRS
} LsResultType;

typedef enum {
  LS_INSTRUCTION_PLAIN = 0,
  LS_INSTRUCTION_PURE = 1 << 0,     /* looks only: get_block */
  LS_INSTRUCTION_SAMPLES = 1 << 1,  /* has a decision; changes nothing else */
  LS_INSTRUCTION_POSTPROC = 1 << 2  /* ends the part of a trace that is searched; changes nothing */
} LsInstructionFlags;

typedef struct _LsInstruction LsInstruction;
typedef struct _LsMove        LsMove;       /* schedule-private.h: one call while it is checked or applied */
typedef struct _LsSchedule    LsSchedule;

struct _LsInstruction {
  const char    *name;          /* "split" */
  const LsParam *params;
  guint          n_params;
  LsResultType   result;
  guint          flags;         /* LsInstructionFlags */
  const char    *summary;       /* one line for menus */
  const char    *condition;     /* when it is allowed, for learners */
  const char    *source;        /* where name and rule come from */
  /* What the step keeps for an argument instead of what was given, after check (transfer full); NULL: as it is. */
  LsNode      *(*plain) (LsMove        *move,
                         guint          param);
  /* FALSE when a condition does not hold; every such condition is in the diagnostics.  Changes nothing. */
  gboolean     (*check) (LsMove        *move,
                         LsDiagnostics *diagnostics);
  /* After check: changes the state, puts results.  FALSE (with findings, state as before) only for what
   * shows during the work. */
  gboolean     (*apply) (LsMove        *move,
                         LsDiagnostics *diagnostics);
};

/* All rows, in the order of the menu. */
const LsInstruction *const *ls_instruction_list (guint      *n);
const LsInstruction        *ls_instruction_get  (const char *name);

/* ---- lineage.c ---------------------------------------------------------- */

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

typedef struct {
  LsVersion *before;
  LsVersion *after;
  GArray    *links;             /* of LsLineageLink, ordered by `after`, removals last */
} LsLineage;

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

void        ls_lineage_free     (LsLineage *self);
/* From step `from` to step `to` (0: the first program), composed over all steps between; from <= to. */
LsLineage  *ls_schedule_lineage (LsSchedule *schedule,
                                 guint       from,
                                 guint       to);
/* first then second; first->after and second->before are the same version. */
LsLineage  *ls_lineage_compose  (LsLineage  *first,
                                 LsLineage  *second);
/* Between two programs whose steps are unknown: matched by structure and names.  `after` (a fresh version) gets its
 * families from `before`. */
LsLineage  *ls_lineage_match    (LsVersion  *before,
                                 LsVersion  *after);
const char *ls_lineage_how_name (LsLineageHow how);         /* "split" */
/* "a" .. "g", then "a′" ...: the mark of a family (look: lineage). (transfer full) */
char       *ls_family_letter    (guint       family);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsVersion, ls_version_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsLineage, ls_lineage_free)

/* ---- schedule.c --------------------------------------------------------- */

/* One applied step.  Immutable, shared between copies of a schedule. */
typedef struct {
  gatomicrefcount      refs;
  const LsInstruction *instruction;
  LsArray             *args;    /* one for each parameter, None NULL */
  LsNode              *decision;
  LsArray             *outputs; /* of Var: handles and sampled numbers */
  LsArray             *values;  /* of Expr: what sampled numbers are; NULL items for handles */
  guint               *ids;     /* lineage ids of what handles stand for */
  LsVersion           *version; /* the program after the step; that of the step before when nothing changed */
} LsStep;

/* Borrows the module; its functions whose body is a block can be scheduled. */
LsSchedule   *ls_schedule_new          (LsModule      *module);
LsSchedule   *ls_schedule_ref          (LsSchedule    *self);
void          ls_schedule_unref        (LsSchedule    *self);
/* A branch: shares all steps made so far. Cheap. */
LsSchedule   *ls_schedule_copy         (LsSchedule    *self);
/* The current program. Borrowed. */
LsModule     *ls_schedule_get_module   (LsSchedule    *self);
/* The program after `step` steps (0: the first). Borrowed. */
LsVersion    *ls_schedule_get_version  (LsSchedule    *self,
                                        guint          step);
guint         ls_schedule_get_n_steps  (LsSchedule    *self);
const LsStep *ls_schedule_get_step     (LsSchedule    *self,
                                        guint          i);
/* Of LsLineageLink from the version before step i; NULL when the step changed nothing. Borrowed. */
GArray       *ls_schedule_get_links    (LsSchedule    *self,
                                        guint          i);
/* Goes back to the first n steps. */
void          ls_schedule_undo_to      (LsSchedule    *self,
                                        guint          n);
/* Checks one row with bound arguments (borrowed, one for each parameter; NULL is None).  TRUE: it can be applied. */
gboolean      ls_schedule_check        (LsSchedule          *self,
                                        const LsInstruction *instruction,
                                        LsNode             **args,
                                        LsDiagnostics       *diagnostics);
/* Checks and applies.  On FALSE nothing has changed.  *outputs (may be NULL) gets the new handles (borrowed). */
gboolean      ls_schedule_apply        (LsSchedule          *self,
                                        const LsInstruction *instruction,
                                        LsNode             **args,
                                        LsNode              *decision,
                                        LsArray            **outputs,
                                        LsDiagnostics       *diagnostics);
/* The For or Block that a handle stands for now; NULL when it is gone. Borrowed. */
LsNode       *ls_schedule_resolve      (LsSchedule    *self,
                                        LsVar         *handle);
/* The number that a sampled handle stands for; NULL for other handles. Borrowed. */
LsExpr       *ls_schedule_get_value    (LsSchedule    *self,
                                        LsVar         *handle);
/* A handle for a For or Block of the current program: the newest that there is, or NULL. Borrowed. */
LsVar        *ls_schedule_find_handle  (LsSchedule    *self,
                                        LsNode        *node);
/* The same, but where there is none the steps that get one are applied first (get_block, get_loops).  NULL with
 * findings when the node cannot be reached by name. Borrowed. */
LsVar        *ls_schedule_make_handle  (LsSchedule    *self,
                                        LsNode        *node,
                                        LsDiagnostics *diagnostics);
/* Sampling primitives draw from here on what this seed says (TVM's seed; at first 1). */
void          ls_schedule_set_seed     (LsSchedule    *self,
                                        gint64         seed);
/* The function in which get_block looks when func_name is not given.  Until it is set: the entry function, else
 * "main", else the only function. */
void          ls_schedule_work_on      (LsSchedule    *self,
                                        const char    *func_name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsSchedule, ls_schedule_unref)

/* ---- call.c ------------------------------------------------------------- */

/* Binds the arguments of a call to the row of the table and applies it.  Names in the call are those that earlier
 * calls gave to their results.  FALSE with findings: unknown method or name, argument missing, of the wrong type,
 * or a condition that does not hold; then nothing has changed. */
gboolean      ls_schedule_apply_call   (LsSchedule       *self,
                                        LsCallList       *list,
                                        const LsCallStep *call,
                                        LsDiagnostics    *diagnostics);
/* The same without changing anything. */
gboolean      ls_schedule_check_call   (LsSchedule       *self,
                                        LsCallList       *list,
                                        const LsCallStep *call,
                                        LsDiagnostics    *diagnostics);
/* All calls of a text up to number `upto` (0: all).  Stops at the first that is refused; returns how many were done. */
guint         ls_schedule_apply_text   (LsSchedule       *self,
                                        LsSource         *source,
                                        guint             upto,
                                        LsDiagnostics    *diagnostics);

/* ---- trace-list.c --------------------------------------------------------- */

/* Steps without a program: what a trace of TVM is.  Immutable, reference counted. */
typedef struct _LsTrace LsTrace;
typedef struct {
  const LsInstruction *instruction;
  LsArray *args;                /* one for each parameter; handles are outputs of earlier steps of the trace */
  LsArray *outputs;             /* of Var */
  LsNode  *decision;            /* of a sampling step, or NULL */
} LsTraceStep;

/* The steps of a schedule. (transfer full) */
LsTrace      *ls_trace_of              (LsSchedule    *schedule);
LsTrace      *ls_trace_ref             (LsTrace       *self);
void          ls_trace_unref           (LsTrace       *self);
guint         ls_trace_get_n           (LsTrace       *self);
const LsTraceStep *ls_trace_get        (LsTrace       *self,
                                        guint          i);
/* Applies the steps to a schedule of any program.  Without `decisions` sampling steps draw anew.  With `remove_postproc`
 * it ends before enter_postproc.  Returns how many steps were applied: fewer than there are when one is refused or gives
 * another number of results than in the trace; then the schedule stands behind the last good one. */
guint         ls_trace_apply           (LsTrace       *self,
                                        LsSchedule    *schedule,
                                        gboolean       decisions,
                                        gboolean       remove_postproc,
                                        LsDiagnostics *diagnostics);
/* The same trace with another decision of step i. Borrows `decision`. (transfer full) */
LsTrace      *ls_trace_with_decision   (LsTrace       *self,
                                        guint          i,
                                        LsNode        *decision);
/* The same trace with another value of one argument of step i. (transfer full) */
LsTrace      *ls_trace_with_argument   (LsTrace       *self,
                                        guint          i,
                                        guint          param,
                                        LsNode        *value);
/* Without the steps that only look or draw and whose results nobody uses. (transfer full) */
LsTrace      *ls_trace_simplified      (LsTrace       *self,
                                        gboolean       remove_postproc);
/* A new schedule of the schedule's first program in which the lines of `text` (in the names of the printed trace) stand
 * for step i and the later steps are replayed.  A single call without results to the left takes over those of step i.
 * *n_kept (may be NULL) is how many of the old steps are in it: all but i, unless one is refused, with findings.
 * (transfer full) */
LsSchedule   *ls_schedule_replay_with  (LsSchedule    *self,
                                        guint          i,
                                        const char    *text,
                                        guint         *n_kept,
                                        LsDiagnostics *diagnostics);

/* ---- trace-anchor.c ------------------------------------------------------- */

/* Applies the steps to a schedule of a program that has the heavy block in common with the trace's own: steps that need
 * a block that is not there are left out, the two ways of inlining stand in for each other.  FALSE with findings when a
 * step is refused; the schedule then stands behind the last good one. */
gboolean      ls_trace_apply_anchored  (LsTrace       *self,
                                        LsSchedule    *schedule,
                                        LsDiagnostics *diagnostics);

/* ---- trace-json.c --------------------------------------------------------- */

/* As Python's json.dumps (trace.as_json ()) of TVM: [[[kind, inputs, attrs, outputs], ..], [[index, decision], ..]]. (transfer full) */
char         *ls_trace_to_json         (LsTrace       *self,
                                        gboolean       remove_postproc);
/* NULL with findings when the text is no such JSON, names an unknown instruction or a result that no step gives. (transfer full) */
LsTrace      *ls_trace_from_json       (const char    *text,
                                        LsDiagnostics *diagnostics);
/* "GetBlock": the instruction's name in JSON. (transfer full) */
char         *ls_instruction_kind      (const LsInstruction *instruction);

/* ---- mutate.c -------------------------------------------------------------- */

/* The state of random numbers that a seed stands for, for the functions below. */
guint64       ls_random_seed           (gint64         seed);
/* A whole number below n. */
gint64        ls_random_below          (guint64       *random_state,
                                        gint           n);
/* Each gives a trace in which one decision is another one, or NULL when there is nothing to change; as TVM's
 * meta_schedule mutators do it.  `module`: the program that the trace is for. (transfer full) */
LsTrace      *ls_trace_mutate_tile     (LsTrace       *self,
                                        guint64       *random_state);
LsTrace      *ls_trace_mutate_unroll   (LsTrace       *self,
                                        guint64       *random_state);
LsTrace      *ls_trace_mutate_compute_location (LsTrace *self,
                                        LsModule      *module,
                                        guint64       *random_state);
LsTrace      *ls_trace_mutate_parallel (LsTrace       *self,
                                        LsModule      *module,
                                        gint64         max_jobs,
                                        guint64       *random_state);
/* One of the four at random, as likely as meta_schedule makes them for a CPU. (transfer full) */
LsTrace      *ls_trace_mutate          (LsTrace       *self,
                                        LsModule      *module,
                                        gint64         max_jobs,
                                        guint64       *random_state);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsTrace, ls_trace_unref)

/* ---- trace.c ------------------------------------------------------------ */

/* A trace as TVM prints it. (transfer full) */
char         *ls_trace_print           (LsTrace       *self);
/* The steps of a schedule as TVM prints a trace: "# from tvm import tir\ndef apply_trace(sch: tir.Schedule) -> None:\n  b0 = ...". (transfer full) */
char         *ls_schedule_print_trace  (LsSchedule    *self);
/* One step as its line of that text, numbered as in the whole trace. (transfer full) */
char         *ls_schedule_print_step   (LsSchedule    *self,
                                        guint          i);

G_END_DECLS
