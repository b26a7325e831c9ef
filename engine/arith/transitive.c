/* transitive: the order of two expressions from comparisons that are known.
 *
 * A fact is `lhs OP rhs + offset` with OP one of ==, <=, >=, != (strict ones lose their strictness to the offset).
 * Constants are split off both sides, so that i < j + 4 answers i + 2 against j + 8.  Facts come from ranges of
 * variables (for ever) and from constraints (scoped).  With propagation, facts are chained: a breadth-first walk
 * from lhs keeps the strongest fact about every expression reached.
 * Most bindings are never asked about: they wait until the first comparison.
 * Source of the concept: TVM's TransitiveComparisonAnalyzer.
 */
#include "engine/arith/arith-private.h"

typedef struct {
  guint     lhs, rhs;           /* numbers of expressions */
  gint64    offset;
  LsCompare op;                 /* EQ, LE, GE, NE */
} Fact;

/* A binding that waits; references. */
typedef struct {
  LsVar   *var;
  LsExpr  *min;
  LsExpr  *extent;              /* or NULL */
  gboolean allow_override;
} Binding;

struct _LsTransitive {
  GArray     *waiting;          /* Binding */
  GHashTable *numbers;          /* LsExpr -> its number */
  GHashTable *bound;            /* LsVar -> LsRange */
  GArray     *known;            /* Fact; those that were forgotten are about NO_NUMBER */
  GHashTable *pairs;            /* two numbers -> GArray of places in `known`, so that a comparison looks at what is about it */
  GArray     *scoped;           /* Fact */
  LsFactIndex scoped_pairs;     /* of them: by two numbers */
};

#define NO_NUMBER G_MAXUINT

static void settle (LsTransitive *self);

static gint64
pair_of (guint a,
         guint b)
{
  return (gint64) ((guint64) MIN (a, b) << 32 | MAX (a, b));
}

static guint32
pair_hash (guint a,
           guint b)
{
  return MIN (a, b) * 0x9e3779b1u + MAX (a, b);
}

/* Variables all have the same structural hash. */
static void
binding_clear (gpointer data)
{
  Binding *self = data;

  ls_unref (self->var);
  ls_unref (self->min);
  ls_unref (self->extent);
}

LsTransitive *
ls_transitive_new (void)
{
  LsTransitive *self = g_new0 (LsTransitive, 1);

  self->waiting = g_array_sized_new (FALSE, FALSE, sizeof (Binding), 8);
  g_array_set_clear_func (self->waiting, binding_clear);
  self->numbers = g_hash_table_new_full (ls_deep_hash, ls_deep_equal, (GDestroyNotify) ls_node_unref, NULL);
  self->bound = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, (GDestroyNotify) ls_node_unref);
  self->known = g_array_new (FALSE, FALSE, sizeof (Fact));
  self->pairs = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, (GDestroyNotify) g_array_unref);
  self->scoped = g_array_new (FALSE, FALSE, sizeof (Fact));
  return self;
}

void
ls_transitive_free (LsTransitive *self)
{
  g_array_unref (self->waiting);
  g_hash_table_unref (self->numbers);
  g_hash_table_unref (self->bound);
  g_array_unref (self->known);
  g_hash_table_unref (self->pairs);
  g_array_unref (self->scoped);
  ls_fact_index_clear (&self->scoped_pairs);
  g_free (self);
}

void
ls_transitive_reset (LsTransitive *self)
{
  g_array_set_size (self->waiting, 0);
  if (g_hash_table_size (self->numbers) > 0)
    g_hash_table_remove_all (self->numbers);
  if (g_hash_table_size (self->bound) > 0)
    g_hash_table_remove_all (self->bound);
  g_array_set_size (self->known, 0);
  if (g_hash_table_size (self->pairs) > 0)
    g_hash_table_remove_all (self->pairs);
  ls_transitive_leave (self, 0);
}

/* The last of the known facts is found by what it is about. */
static void
note_pair (LsTransitive *self)
{
  guint place = self->known->len - 1;
  const Fact *fact = &g_array_index (self->known, Fact, place);
  gint64 pair = pair_of (fact->lhs, fact->rhs);
  GArray *places = g_hash_table_lookup (self->pairs, &pair);

  if (places == NULL)
    {
      places = g_array_new (FALSE, FALSE, sizeof (guint));
      g_hash_table_insert (self->pairs, g_memdup2 (&pair, sizeof pair), places);
    }
  g_array_append_val (places, place);
}

LsTransitive *
ls_transitive_copy (LsTransitive *self)
{
  LsTransitive *copy = ls_transitive_new ();
  GHashTableIter iter;
  gpointer key, value;

  settle (self);
  g_hash_table_iter_init (&iter, self->numbers);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_insert (copy->numbers, ls_node_ref (key), value);
  g_hash_table_iter_init (&iter, self->bound);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_insert (copy->bound, ls_node_ref (key), ls_node_ref (value));
  for (guint i = 0; i < self->known->len; i++)
    {
      g_array_append_vals (copy->known, &g_array_index (self->known, Fact, i), 1);
      note_pair (copy);
    }
  return copy;
}

/* ---- facts ---- */

/* An offset beyond 64 bits says nothing. */
static Fact
fact_make (guint     lhs,
           guint     rhs,
           __int128  offset,
           LsCompare op)
{
  if (op == LS_COMPARE_LT || op == LS_COMPARE_GT)
    {
      offset += op == LS_COMPARE_LT ? -1 : 1;
      op |= LS_COMPARE_EQ;
    }
  if (offset <= G_MININT64 || offset > G_MAXINT64)
    return (Fact) { lhs, rhs, 0, LS_COMPARE_UNKNOWN };
  return (Fact) { lhs, rhs, (gint64) offset, op };
}

static LsCompare
turned (LsCompare op)
{
  return (op & LS_COMPARE_EQ) | (op & LS_COMPARE_LT ? LS_COMPARE_GT : 0) | (op & LS_COMPARE_GT ? LS_COMPARE_LT : 0);
}

/* The same fact with `lhs` on the left; FALSE if it speaks of something else. */
static gboolean
fact_from (Fact  *fact,
           guint  lhs)
{
  if (fact->lhs == lhs)
    return TRUE;
  if (fact->rhs != lhs)
    return FALSE;
  *fact = fact_make (fact->rhs, fact->lhs, -(__int128) fact->offset, turned (fact->op));
  return TRUE;
}

static gboolean
fact_implies (const Fact *a,
              const Fact *b)
{
  gboolean eq = a->op == LS_COMPARE_EQ;

  if (a->op == b->op && a->offset == b->offset)
    return TRUE;
  if (b->op == LS_COMPARE_LE)
    return (eq || a->op == LS_COMPARE_LE) && a->offset <= b->offset;
  if (b->op == LS_COMPARE_GE)
    return (eq || a->op == LS_COMPARE_GE) && a->offset >= b->offset;
  if (b->op == LS_COMPARE_NE)
    return (eq && a->offset != b->offset) || (a->op == LS_COMPARE_LE && a->offset < b->offset) ||
           (a->op == LS_COMPARE_GE && a->offset > b->offset);
  return FALSE;
}

/* ---- reading expressions ---- */

/* expr = the result (borrowed) + *offset; a constant gives NULL. */
static LsExpr *
split_offset (LsExpr *expr,
              gint64 *offset)
{
  *offset = 0;
  if (ls_is_imm (expr))
    {
      *offset = ls_imm (expr);
      return NULL;
    }
  if (!(ls_is (expr, ADD) || ls_is (expr, SUB)) || !ls_is_imm (ls_rhs (expr)) || ls_imm (ls_rhs (expr)) == G_MININT64)
    return expr;
  *offset = ls_is (expr, ADD) ? ls_imm (ls_rhs (expr)) : -ls_imm (ls_rhs (expr));
  return ls_lhs (expr);
}

/* Number 0 is the constant zero. */
static gboolean
number_of (LsTransitive *self,
           LsExpr       *expr,
           gboolean      add,
           guint        *number)
{
  gpointer found;

  *number = 0;
  if (expr == NULL)
    return TRUE;
  found = g_hash_table_lookup (self->numbers, expr);
  if (found == NULL)
    {
      if (!add)
        return FALSE;
      found = GUINT_TO_POINTER (g_hash_table_size (self->numbers) + 1);
      g_hash_table_insert (self->numbers, ls_ref (expr), found);
    }
  *number = GPOINTER_TO_UINT (found);
  return TRUE;
}

static LsCompare
compare_of_kind (LsKind kind)
{
  static const LsCompare ops[] = { LS_COMPARE_EQ, LS_COMPARE_NE, LS_COMPARE_LT, LS_COMPARE_LE, LS_COMPARE_GT, LS_COMPARE_GE };

  return ops[kind - LS_KIND_EQ];
}

static void
add_fact (LsTransitive *self,
          GArray       *facts,
          LsKind        kind,
          LsExpr       *a,
          LsExpr       *b)
{
  gint64 offset_a, offset_b;
  guint lhs, rhs;
  Fact fact;

  if (ls_is_imm (a) && ls_is_imm (b))
    return;
  a = split_offset (a, &offset_a);
  b = split_offset (b, &offset_b);
  number_of (self, a, TRUE, &lhs);
  number_of (self, b, TRUE, &rhs);
  fact = fact_make (lhs, rhs, (__int128) offset_b - offset_a, compare_of_kind (kind));
  g_array_append_val (facts, fact);
  if (facts == self->known)
    note_pair (self);
  else
    ls_fact_index_push (&self->scoped_pairs, pair_hash (lhs, rhs));
}

void
ls_transitive_enter (LsTransitive *self,
                     LsExpr       *constraint)
{
  g_autoptr (GPtrArray) terms = NULL;

  if (ls_expr_effect (constraint) > LS_EFFECT_PURE)
    return;
  settle (self);
  terms = ls_constraint_split (constraint, FALSE);
  for (guint i = 0; i < terms->len; i++)
    {
      LsExpr *term = terms->pdata[i];

      if (ls_kind_is_compare (ls_kind (term)))
        add_fact (self, self->scoped, ls_kind (term), ls_lhs (term), ls_rhs (term));
    }
}

guint
ls_transitive_get_n_scoped (LsTransitive *self)
{
  return self->scoped->len;
}

void
ls_transitive_leave (LsTransitive *self,
                     guint         n_scoped)
{
  g_array_set_size (self->scoped, n_scoped);
  ls_fact_index_cut (&self->scoped_pairs, n_scoped);
}

static void
forget (LsTransitive *self,
        LsVar        *var)
{
  guint number;

  if (!number_of (self, LS_EXPR (var), FALSE, &number))
    return;
  for (guint i = 0; i < self->known->len; i++)
    {
      Fact *fact = &g_array_index (self->known, Fact, i);

      if (fact->lhs == number || fact->rhs == number)
        *fact = (Fact) { NO_NUMBER, NO_NUMBER, 0, LS_COMPARE_UNKNOWN };
    }
}

static void
bind (LsTransitive *self,
      LsVar        *var,
      LsExpr       *min,
      LsExpr       *extent,
      gboolean      allow_override)
{
  LsRange *before = g_hash_table_lookup (self->bound, var);
  g_autoptr (LsExpr) width = extent != NULL ? ls_ref (extent) : ls_const_int (ls_dtype (min), 1);

  if (before != NULL && !(ls_deep_equal (before->min, min) && ls_deep_equal (before->extent, width)))
    {
      if (!allow_override)
        return;
      forget (self, var);
    }
  g_hash_table_insert (self->bound, ls_ref (var), ls_range_new (ls_ref (min), ls_ref (width)));
  if (ls_is_one (width))
    add_fact (self, self->known, LS_KIND_EQ, LS_EXPR (var), min);
  else
    {
      g_autoptr (LsExpr) end = ls_add (ls_ref (min), ls_ref (width));

      add_fact (self, self->known, LS_KIND_GE, LS_EXPR (var), min);
      if (!ls_fold_overflows (LS_KIND_ADD, min, width))
        add_fact (self, self->known, LS_KIND_LT, LS_EXPR (var), end);
    }
}

void
ls_transitive_bind (LsTransitive *self,
                    LsVar        *var,
                    LsExpr       *min,
                    LsExpr       *extent,
                    gboolean      allow_override)
{
  Binding binding = { ls_ref (var), ls_ref (min), ls_ref (extent), allow_override };

  g_array_append_val (self->waiting, binding);
}

static void
settle (LsTransitive *self)
{
  for (guint i = 0; i < self->waiting->len; i++)
    {
      Binding *binding = &g_array_index (self->waiting, Binding, i);

      bind (self, binding->var, binding->min, binding->extent, binding->allow_override);
    }
  g_array_set_size (self->waiting, 0);
}

void
ls_transitive_unbind (LsTransitive *self,
                      LsVar        *var)
{
  settle (self);
  forget (self, var);
  g_hash_table_remove (self->bound, var);
}

/* ---- asking ---- */

static void
collect_direct (LsTransitive *self,
                guint         lhs,
                guint         rhs,
                GArray       *found)
{
  gint64 pair = pair_of (lhs, rhs);
  GArray *places = g_hash_table_lookup (self->pairs, &pair);

  for (guint i = 0; places != NULL && i < places->len; i++)
    {
      Fact fact = g_array_index (self->known, Fact, g_array_index (places, guint, i));

      if (fact_from (&fact, lhs) && fact.rhs == rhs)
        g_array_append_val (found, fact);
    }
  for (guint at = ls_fact_index_last (&self->scoped_pairs, pair_hash (lhs, rhs)); at > 0; at = ls_fact_index_before (&self->scoped_pairs, at))
    {
      Fact fact = g_array_index (self->scoped, Fact, at - 1);

      if (fact_from (&fact, lhs) && fact.rhs == rhs)
        g_array_append_val (found, fact);
    }
}

/* Adds a fact about the start of the walk unless it is implied; TRUE if it is news. */
static gboolean
learn (GArray *facts,
       Fact    fact)
{
  for (guint i = 0; i < facts->len; i++)
    {
      Fact *old = &g_array_index (facts, Fact, i);

      if (old->rhs == fact.rhs && fact_implies (old, &fact))
        return FALSE;
    }
  for (guint i = 0; i < facts->len; i++)
    {
      Fact *old = &g_array_index (facts, Fact, i);

      if (old->rhs == fact.rhs && fact_implies (&fact, old))
        {
          *old = fact;
          return TRUE;
        }
    }
  g_array_append_val (facts, fact);
  return TRUE;
}

/* x A y + c, y B z + d: what of x and z? */
static gboolean
chain (const Fact *a,
       const Fact *b,
       Fact       *out)
{
  LsCompare op;

  if (a->op == LS_COMPARE_EQ)
    op = b->op;
  else if (b->op == LS_COMPARE_EQ || (a->op == b->op && a->op != LS_COMPARE_NE))
    op = a->op;
  else
    return FALSE;
  *out = fact_make (a->lhs, b->rhs, (__int128) a->offset + b->offset, op);
  return TRUE;
}

static void
visit_facts (GArray     *facts,
             guint       start,
             guint       middle,
             guint       goal,
             GArray     *learned,
             GArray     *todo,
             GHashTable *seen)
{
  for (guint i = 0; i < facts->len; i++)
    {
      Fact step = g_array_index (facts, Fact, i);

      if (!fact_from (&step, middle) || step.rhs == start)
        continue;
      for (guint k = 0, n = learned->len; k < n; k++)
        {
          Fact from = g_array_index (learned, Fact, k), next;

          if (from.rhs == middle && chain (&from, &step, &next) && learn (learned, next) && next.rhs != goal &&
              g_hash_table_add (seen, GUINT_TO_POINTER (next.rhs + 1)))
            g_array_append_val (todo, next.rhs);
        }
    }
}

static void
collect_chained (LsTransitive *self,
                 guint         start,
                 guint         goal,
                 GArray       *found)
{
  g_autoptr (GArray) learned = g_array_new (FALSE, FALSE, sizeof (Fact));
  g_autoptr (GArray) todo = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  GArray *sources[] = { self->known, self->scoped };

  for (guint s = 0; s < 2; s++)
    for (guint i = 0; i < sources[s]->len; i++)
      {
        Fact fact = g_array_index (sources[s], Fact, i);

        if (fact_from (&fact, start) && learn (learned, fact) && fact.rhs != goal &&
            g_hash_table_add (seen, GUINT_TO_POINTER (fact.rhs + 1)))
          g_array_append_val (todo, fact.rhs);
      }
  for (guint i = 0; i < todo->len; i++)
    for (guint s = 0; s < 2; s++)
      visit_facts (sources[s], start, g_array_index (todo, guint, i), goal, learned, todo, seen);
  for (guint i = 0; i < learned->len; i++)
    if (g_array_index (learned, Fact, i).rhs == goal)
      g_array_append_val (found, g_array_index (learned, Fact, i));
}

/* What facts lhs OP rhs + c say of lhs against rhs + offset. */
static LsCompare
merge (GArray *facts,
       gint64  offset)
{
  LsCompare result = LS_COMPARE_UNKNOWN;

  for (guint i = 0; i < facts->len; i++)
    {
      Fact fact = g_array_index (facts, Fact, i);

      if (fact.op == LS_COMPARE_EQ)
        result &= fact.offset == offset ? LS_COMPARE_EQ : fact.offset < offset ? LS_COMPARE_LT : LS_COMPARE_GT;
      else if (fact.op == LS_COMPARE_LE && fact.offset <= offset)
        result &= fact.offset < offset ? LS_COMPARE_LT : LS_COMPARE_LE;
      else if (fact.op == LS_COMPARE_GE && fact.offset >= offset)
        result &= fact.offset > offset ? LS_COMPARE_GT : LS_COMPARE_GE;
      else if (fact.op == LS_COMPARE_NE && fact.offset == offset)
        result &= LS_COMPARE_NE;
    }
  return result;
}

LsCompare
ls_transitive_compare (LsTransitive *self,
                       LsExpr       *a,
                       LsExpr       *b,
                       gboolean      propagate)
{
  g_autoptr (GArray) found = NULL;
  gint64 offset_a, offset_b, offset;
  guint lhs, rhs;

  if (!ls_is_index_expr (a) || !ls_is_index_expr (b))
    return LS_COMPARE_UNKNOWN;
  settle (self);
  a = split_offset (a, &offset_a);
  b = split_offset (b, &offset_b);
  if (a == NULL && b == NULL)
    return offset_a < offset_b ? LS_COMPARE_LT : offset_a > offset_b ? LS_COMPARE_GT : LS_COMPARE_EQ;
  if (!number_of (self, a, FALSE, &lhs) || !number_of (self, b, FALSE, &rhs) ||
      __builtin_sub_overflow (offset_b, offset_a, &offset))
    return LS_COMPARE_UNKNOWN;
  found = g_array_new (FALSE, FALSE, sizeof (Fact));
  if (propagate)
    {
      guint n;

      collect_chained (self, lhs, rhs, found);
      n = found->len;
      collect_chained (self, rhs, lhs, found);
      for (; n < found->len; n++)
        fact_from (&g_array_index (found, Fact, n), lhs);
    }
  else
    {
      collect_direct (self, lhs, rhs, found);
    }
  return merge (found, offset);
}
