/* script/calls: the text of schedule steps as a list of method calls.
 *
 * Reads what TVM prints (`def apply_trace(sch: tir.Schedule) -> None:` and what follows) and what people type
 * (`j0, j1 = sch.split(j, factors=[None, 4])`), any indentation of the header, without knowing what the methods
 * mean: engine/schedule does.  Left out: imports, comments, docstrings, `sch = tvm.tir.Schedule(MyModule)`,
 * `return`, `pass`, print (...), `x.show (...)`, and definitions of modules.  Assignments of plain values
 * (`factors = [4, 8]`, `N = 16 * 8`) are carried out: a later use of the name gives the value.
 */
#pragma once

#include "engine/ir/ir.h"

G_BEGIN_DECLS

typedef enum {
  LS_CALL_VALUE_NONE,
  LS_CALL_VALUE_BOOL,           /* `integer` */
  LS_CALL_VALUE_INT,            /* `integer` */
  LS_CALL_VALUE_FLOAT,          /* `number` */
  LS_CALL_VALUE_STRING,         /* `text`; may hold any bytes but NUL */
  LS_CALL_VALUE_NAME,           /* `text`: a name that stands for an output of an earlier step, or is free */
  LS_CALL_VALUE_LIST,           /* `items` */
  LS_CALL_VALUE_TUPLE,          /* `items` */
  LS_CALL_VALUE_DICT,           /* `keys` and `items` */
  LS_CALL_VALUE_LAMBDA,         /* `params`; apply it with ls_call_value_apply */
  LS_CALL_VALUE_ATTRIBUTE,      /* `text`: "tvm.tir.IndexMap.AXIS_SEPARATOR", "T.float32" */
  LS_CALL_VALUE_CALL,           /* `text`: the callee ("T.int64", "sch.get_loops"), `items`: positional, `keys`+`keyword_values` */
  LS_CALL_VALUE_SUBSCRIPT,      /* items[0]: what, items[1]: index (`loops[2]`, `sch.get_loops (b)[0]`) */
  LS_CALL_VALUE_STAR,           /* items[0]: `*loops` among the arguments */
  LS_CALL_VALUE_EXPR            /* any other expression: its source is the span; `text` holds it */
} LsCallValueKind;

typedef struct _LsCallValue LsCallValue;
struct _LsCallValue {
  LsCallValueKind kind;
  LsSpan          span;
  gint64          integer;
  double          number;
  char           *text;
  GPtrArray      *items;          /* of LsCallValue, or NULL */
  GPtrArray      *keys;           /* DICT: of LsCallValue.  CALL: of STRING values, the keywords */
  GPtrArray      *keyword_values; /* CALL: of LsCallValue */
  GPtrArray      *params;         /* LAMBDA: of char *; a variadic one starts with '*' */
  gconstpointer   syntax;         /* private */
};

/* Where results go: a name, or a tuple of targets; `rest` collects (`*ls`). */
typedef struct {
  char   *name;                   /* "_" too */
  gboolean starred;
  LsSpan  span;
} LsCallOutput;

typedef enum {
  LS_CALL_OUTPUT_NONE,            /* sch.parallel (i) */
  LS_CALL_OUTPUT_ONE,             /* b = ...: the whole result, a list when the method gives several */
  LS_CALL_OUTPUT_TUPLE            /* i, j = ...   (i,) = ...   l1, = ...   a, *rest = ... : taken apart */
} LsCallOutputForm;

typedef struct {
  LsSpan           span;          /* the whole statement */
  guint            line;          /* of its first character, from 1 */
  LsCallOutputForm output_form;
  GArray          *outputs;       /* of LsCallOutput */
  char            *receiver;      /* "sch"; for a plain function call "" */
  char            *method;        /* "split" */
  LsSpan           method_span;
  GPtrArray       *args;          /* of LsCallValue */
  GPtrArray       *keywords;      /* of char * */
  GPtrArray       *keyword_values; /* of LsCallValue */
} LsCallStep;

/* `a = b`, `i = loops[0]`, `i, j = loops`: kept as a step with an empty method whose args[0] is the value. */
#define ls_call_step_is_alias(step) ((step)->method[0] == '\0')

/* The steps of one text; reference counted; owns everything that it points to. */
typedef struct _LsCallList LsCallList;

/* Never NULL: with findings in `diagnostics`, statements that could not be read are left out. (transfer full) */
LsCallList        *ls_script_parse_calls  (LsSource      *source,
                                           LsDiagnostics *diagnostics);
LsCallList        *ls_call_list_ref       (LsCallList    *self);
void               ls_call_list_unref     (LsCallList    *self);
guint              ls_call_list_get_n     (LsCallList    *self);
const LsCallStep  *ls_call_list_get       (LsCallList    *self,
                                           guint          i);
/* The keyword argument of this name, or NULL. Borrowed. */
const LsCallValue *ls_call_step_keyword   (const LsCallStep *step,
                                           const char       *name);
/* Argument by position or by keyword, NULL when neither is given (a None that was written is a NONE value). Borrowed. */
const LsCallValue *ls_call_step_argument  (const LsCallStep *step,
                                           guint             position,
                                           const char       *name);
/* A lambda applied to expressions (borrowed): the list of what it returns, one item when it returns one value.
 * The marker IndexMap.AXIS_SEPARATOR comes back as StringImm "axis_separator".  NULL with findings. (transfer full) */
LsArray           *ls_call_value_apply    (LsCallList        *list,
                                           const LsCallValue *lambda,
                                           LsExpr           **args,
                                           guint              n_args,
                                           LsDiagnostics     *diagnostics);
/* The same where each item is an index or a pair of begin and end: twice as many, an index i as i and i + 1. (transfer full) */
LsArray           *ls_call_value_apply_ranges (LsCallList    *list,
                                           const LsCallValue *lambda,
                                           LsExpr           **args,
                                           guint              n_args,
                                           LsDiagnostics     *diagnostics);
/* A value as an expression over `vars` (see ls_script_parse_expr; NULL: no variables). NULL with findings. (transfer full) */
LsExpr            *ls_call_value_to_expr  (LsCallList        *list,
                                           const LsCallValue *value,
                                           GHashTable        *vars,
                                           LsDiagnostics     *diagnostics);
/* A value as an attribute: IntImm (int32), FloatImm, IntImm (bool), String, Array, Map.  NULL with findings. (transfer full) */
LsNode            *ls_call_value_to_node  (const LsCallValue *value,
                                           LsDiagnostics     *diagnostics);
/* Is it the index a:b:c?  Then which of n items it takes: `count` of them, from `first` on, `step` apart. */
gboolean           ls_call_value_is_slice (const LsCallValue *value,
                                           guint              n,
                                           gint64            *first,
                                           gint64            *step,
                                           guint             *count);
/* The value as Python text. (transfer full) */
char              *ls_call_value_print    (const LsCallValue *value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsCallList, ls_call_list_unref)

G_END_DECLS
