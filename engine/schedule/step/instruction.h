/* instruction: a primitive as a row: name, parameters, documentation, check, apply.
 *
 * Rows are found by name or from first to last; who uses them knows none by its symbol.  They come from
 * primitive/table.c, which hands them over when the program starts.
 */
#pragma once

#include "engine/ir/ir.h"

G_BEGIN_DECLS

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
  LS_INSTRUCTION_POSTPROC = 1 << 2, /* ends the part of a trace that is searched; changes nothing */
  LS_INSTRUCTION_REORDERS = 1 << 3, /* rounds run in another order, or at once: order.c looks whether that matters */
  LS_INSTRUCTION_MOVES_USES = 1 << 4 /* variables may come where they are not defined: it is looked whether they did */
} LsInstructionFlags;

typedef struct _LsInstruction LsInstruction;
typedef struct _LsMove        LsMove;       /* move.h: one call while it is checked or applied */
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
/* Called once, before main, by the table: the rows live as long as the program. */
void                        ls_instructions_register (const LsInstruction *const *instructions,
                                                      guint                       n);
/* A name for a result: "b", "l" or "v". */
const char *ls_result_prefix    (LsResultType         type);

/* ---- param.c ----------------------------------------------------------------- */

/* Is the value, NULL for None, of the type? */
gboolean   ls_param_has_type    (LsNode              *value,
                                 LsParamType          type);
/* Is the value of the parameter's type, or None where that may be left out? */
gboolean   ls_param_accepts     (const LsParam       *param,
                                 LsNode              *value);
/* The default value (transfer full), NULL for None. */
LsNode    *ls_param_default     (const LsParam       *param);
/* "a block or loop": what an argument has to be. */
const char *ls_param_type_words (LsParamType  type);

G_END_DECLS
