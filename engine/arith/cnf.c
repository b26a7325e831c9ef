/* cnf: a boolean as an and of ors, simplified pairwise.
 *
 *   a and (b or c) and (b or d)   is the list of chunks   [[a], [b, c], [b, d]]
 *
 * Pairs within a chunk are simplified as an or; two chunks that differ in one entry, in that entry, as an and; a
 * chunk that contains another one says nothing new.  Grows exponentially in the worst case: past MAX_CHUNKS the
 * expression stays as it is.  Source of the concept: TVM's SimplifyAsAndOfOrs.
 */
#include "engine/arith/arith-private.h"

#define MAX_CHUNKS 256


static GPtrArray *
terms_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
}

/* The operands of a chain of `kind`; below it, the other operator is multiplied out. */
static gboolean
flatten (LsExpr    *expr,
         LsKind     kind,
         GPtrArray *out)
{
  LsKind other = kind == LS_KIND_AND ? LS_KIND_OR : LS_KIND_AND;

  if (ls_kind (expr) == kind)
    return flatten (ls_lhs (expr), kind, out) && flatten (ls_rhs (expr), kind, out);
  if (ls_kind (expr) == other)
    {
      g_autoptr (GPtrArray) a = terms_new ();
      g_autoptr (GPtrArray) b = terms_new ();

      if (!flatten (ls_lhs (expr), kind, a) || !flatten (ls_rhs (expr), kind, b) || a->len * b->len > MAX_CHUNKS)
        return FALSE;
      for (guint i = 0; i < a->len; i++)
        for (guint k = 0; k < b->len; k++)
          g_ptr_array_add (out, ls_binary (other, ls_ref (LS_EXPR (a->pdata[i])), ls_ref (LS_EXPR (b->pdata[k]))));
    }
  else
    g_ptr_array_add (out, ls_ref (expr));
  return out->len <= MAX_CHUNKS;
}

static gboolean
contains (GPtrArray *terms,
          LsExpr    *expr)
{
  for (guint i = 0; i < terms->len; i++)
    if (ls_deep_equal (terms->pdata[i], expr))
      return TRUE;
  return FALSE;
}

static gboolean
contains_all (GPtrArray *terms,
              GPtrArray *others)
{
  for (guint i = 0; i < others->len; i++)
    if (!contains (terms, others->pdata[i]))
      return FALSE;
  return TRUE;
}

static gboolean
read_chunks (LsExpr    *expr,
             GPtrArray *chunks)
{
  g_autoptr (GPtrArray) outer = terms_new ();

  if (!flatten (expr, LS_KIND_AND, outer))
    return FALSE;
  for (guint i = 0; i < outer->len; i++)
    {
      g_autoptr (GPtrArray) all = terms_new ();
      g_autoptr (GPtrArray) chunk = terms_new ();
      gboolean known = FALSE;

      if (!flatten (outer->pdata[i], LS_KIND_OR, all))
        return FALSE;
      for (guint k = 0; k < all->len; k++)
        if (!contains (chunk, all->pdata[k]))
          g_ptr_array_add (chunk, ls_node_ref (all->pdata[k]));
      for (guint k = 0; k < chunks->len && !known; k++)
        known = ((GPtrArray *) chunks->pdata[k])->len == chunk->len && contains_all (chunks->pdata[k], chunk);
      if (!known)
        g_ptr_array_add (chunks, g_steal_pointer (&chunk));
    }
  return TRUE;
}

static void
set_term (GPtrArray *terms,
          guint      i,
          LsExpr    *expr)
{
  ls_node_unref (terms->pdata[i]);
  terms->pdata[i] = expr;
}

/* Entry i of `a` and entry k of `b` simplified together: two entries again, or the neutral one and the result. */
static void
simplify_pair (LsAnalyzer *self,
               LsKind      kind,
               GPtrArray  *a,
               guint       i,
               GPtrArray  *b,
               guint       k)
{
  g_autoptr (LsExpr) joint = ls_binary (kind, ls_ref (LS_EXPR (a->pdata[i])), ls_ref (LS_EXPR (b->pdata[k])));
  g_autoptr (LsExpr) simple = ls_analyzer_simplify (self, joint);

  if (ls_deep_equal (simple, joint))
    return;
  if (ls_kind (simple) == kind)
    {
      set_term (a, i, ls_ref (ls_lhs (simple)));
      set_term (b, k, ls_ref (ls_rhs (simple)));
    }
  else
    {
      set_term (a, i, ls_bool (kind == LS_KIND_AND));
      set_term (b, k, ls_ref (simple));
    }
}

static void
make_true (GPtrArray *chunk)
{
  g_ptr_array_set_size (chunk, 0);
  g_ptr_array_add (chunk, ls_bool (TRUE));
}

/* A true in a chunk is the chunk, a false in it goes; a true chunk goes, an empty one is everything. */
static void
tidy (GPtrArray *chunks)
{
  for (guint i = 0; i < chunks->len; i++)
    {
      GPtrArray *chunk = chunks->pdata[i];

      for (guint k = chunk->len; k-- > 0;)
        if (ls_is_one (chunk->pdata[k]))
          {
            make_true (chunk);
            break;
          }
        else if (ls_is_zero (chunk->pdata[k]))
          g_ptr_array_remove_index (chunk, k);
      if (chunk->len == 0)
        {
          g_ptr_array_set_size (chunks, 0);
          g_ptr_array_add (chunks, terms_new ());
          return;
        }
    }
  for (guint i = chunks->len; i-- > 0;)
    if (((GPtrArray *) chunks->pdata[i])->len == 1 && ls_is_one (((GPtrArray *) chunks->pdata[i])->pdata[0]))
      g_ptr_array_remove_index (chunks, i);
}

static void
simplify_within (LsAnalyzer *self,
                 GPtrArray  *chunk)
{
  for (guint i = 0; i < chunk->len; i++)
    for (guint k = i + 1; k < chunk->len; k++)
      simplify_pair (self, LS_KIND_OR, chunk, i, chunk, k);
}

static guint
first_missing (GPtrArray *chunk,
               GPtrArray *other)
{
  guint i = 0;

  while (i < chunk->len && contains (other, chunk->pdata[i]))
    i++;
  return i;
}

static void
simplify_across (LsAnalyzer *self,
                 GPtrArray  *a,
                 GPtrArray  *b)
{
  guint i, k, shared = 0;

  if (a->len == 1 && b->len == 1)
    {
      simplify_pair (self, LS_KIND_AND, a, 0, b, 0);
      return;
    }
  i = first_missing (a, b);
  if (i == a->len)
    {
      make_true (b);
      return;
    }
  k = first_missing (b, a);
  if (k == b->len)
    {
      make_true (a);
      return;
    }
  for (guint n = 0; n < b->len; n++)
    shared += contains (a, b->pdata[n]) ? 1 : 0;
  if (a->len == b->len && shared + 1 == a->len)
    simplify_pair (self, LS_KIND_AND, a, i, b, k);
}

static LsExpr *
join (GPtrArray *chunks)
{
  LsExpr *result = ls_bool (TRUE);

  for (guint i = 0; i < chunks->len; i++)
    {
      GPtrArray *chunk = chunks->pdata[i];
      LsExpr *either = ls_bool (FALSE);

      for (guint k = 0; k < chunk->len; k++)
        either = ls_or (either, ls_ref (LS_EXPR (chunk->pdata[k])));
      result = ls_and (result, either);
    }
  return result;
}

LsExpr *
ls_simplify_and_of_ors (LsAnalyzer *self,
                        LsExpr     *expr)
{
  guint extensions = ls_analyzer_get_extensions (self);
  g_autoptr (GPtrArray) chunks = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  g_autoptr (LsExpr) simple = NULL;
  LsExpr *result;

  ls_analyzer_set_extensions (self, extensions & ~LS_REWRITE_CONVERT_BOOLEAN_TO_AND_OF_ORS);
  simple = ls_analyzer_simplify (self, expr);
  if (read_chunks (simple, chunks))
    {
      for (guint i = 0; i < chunks->len; i++)
        simplify_within (self, chunks->pdata[i]);
      tidy (chunks);
      for (guint i = 0; i < chunks->len; i++)
        for (guint k = i + 1; k < chunks->len; k++)
          simplify_across (self, chunks->pdata[i], chunks->pdata[k]);
      tidy (chunks);
      result = join (chunks);
    }
  else
    result = g_steal_pointer (&simple);
  ls_analyzer_set_extensions (self, extensions);
  return result;
}
