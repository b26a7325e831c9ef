/* rule: the rewrite rules as data, for the rewriter that runs them, for who proves them, and for who lists them.
 *
 *   rules-read.c    text to trees
 *   rules.c         trees matched, conditions asked, results built
 *   rule-list.c     all tables by name
 *   proof.c         what was proved of each rule (proofs.def, written by tests/proof)
 *
 * There is one source: the text of a rule in its table.  The tree that is matched is the tree that is proved.
 */
#pragma once

#include "engine/ir/ir.h"

G_BEGIN_DECLS

/* A rule as text.  Pattern: x y z w p q r s are any expression, l lanes, c1..c4 integer constants, f a float
 * constant, digits themselves; + - * // % (floor), tdiv tmod min max, comparisons, && || !, select ramp bcast.
 * A name that stands twice must match equal expressions.  `;` separates alternatives; `~` before an operator
 * adds the alternative with its operands swapped.  The condition (or NULL) speaks of constants and of
 * ge (e, n), lt (e, n): provable by bounds; zero (e): e == 0 provable; prove (e); pure (x): no effect worse than
 * reading; fzero (f); vscale (x); whole (x): no float; index (x): elements of int32 or int64 whose sums and products do
 * not wrap.  `again`: the result is visited again.
 * A rule must be right by itself, not by the ones before it: these may have been passed over. */
typedef struct {
  const char *pattern;
  const char *result;
  const char *condition;
  gboolean    again;
} LsRule;

#define RULE(pattern, result)                { pattern, result, NULL, FALSE }
#define RULE_IF(pattern, result, condition)  { pattern, result, condition, FALSE }
#define AGAIN(pattern, result)               { pattern, result, NULL, TRUE }
#define AGAIN_IF(pattern, result, condition) { pattern, result, condition, TRUE }

/* What the expressions of a table are: bits. */
typedef enum {
  LS_RULE_INDEX = 1 << 0,       /* int32 and int64, taken not to leave their type; sums and products also where they wrap */
  LS_RULE_WRAP = 1 << 1,        /* integers of any width that wrap, signed and unsigned */
  LS_RULE_FLOAT = 1 << 2,
  LS_RULE_ANY = LS_RULE_INDEX | LS_RULE_WRAP | LS_RULE_FLOAT
} LsRuleTypes;

typedef struct {
  const LsRule *rules;
  guint         n;
  const char   *name;           /* "add/index" */
  LsRuleTypes   types;
  gpointer      compiled;       /* filled at the first use */
  gsize         once;
} LsRuleTable;

#define LS_RULE_TABLE(table, rules, name, types) LsRuleTable table = { rules, G_N_ELEMENTS (rules), name, types, NULL, 0 }

/* ---- trees -------------------------------------------------------------- */

typedef enum {
  LS_PATTERN_EXPR, LS_PATTERN_INT, LS_PATTERN_FLOAT,    /* a slot */
  LS_PATTERN_NUMBER, LS_PATTERN_BINARY, LS_PATTERN_NOT, LS_PATTERN_SELECT, LS_PATTERN_RAMP, LS_PATTERN_BROADCAST,
  LS_PATTERN_ASK                                        /* in conditions only */
} LsPatternOp;

typedef enum { LS_ASK_GE, LS_ASK_LT, LS_ASK_ZERO, LS_ASK_PROVE, LS_ASK_PURE, LS_ASK_FZERO, LS_ASK_VSCALE, LS_ASK_WHOLE, LS_ASK_INDEX } LsAsk;

#define LS_RULE_N_SLOTS 14

typedef struct _LsPattern LsPattern;
struct _LsPattern {
  LsPatternOp op;
  int         kind;             /* LsKind of LS_PATTERN_BINARY, LsAsk of LS_PATTERN_ASK */
  guint       slot;
  gint64      number;
  gboolean    swappable;
  LsPattern  *args[3];
};

typedef struct {
  GPtrArray *alternatives;      /* LsPattern */
  LsPattern *result;
  LsPattern *condition;         /* or NULL */
  gboolean   again;
  gboolean   ring;              /* sums, differences and products only: holds where they wrap, too */
} LsRuleForm;

/* Reads a rule; a text that cannot be read is an error of ours and ends the program. */
void                ls_rule_read       (const LsRule    *rule,
                                        LsRuleForm      *form);
void                ls_rule_form_clear (LsRuleForm      *form);
/* "x", "c1" */
const char         *ls_rule_slot_name  (guint            slot);

/* ---- all of them -------------------------------------------------------- */

/* Every table of the rewriter, in the order of the kinds. */
LsRuleTable *const *ls_rule_tables     (guint           *n);
/* "add/index 12": the table and the place in it, from 1. (transfer full) */
char               *ls_rule_name       (const LsRuleTable *table,
                                        guint            i);

G_END_DECLS
