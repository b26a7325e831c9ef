/* rewriter: rules, and what they replace among the bindings of a block.
 *
 * A rule for a pattern looks at each value; what it replaces is not looked through afterwards.  A rule for a tuple looks for
 * several bindings at once, the latest first, that are used by nothing else yet.  A rule for a context takes matches until
 * there are no more.
 */
#include "engine/relax/dpl/dpl.h"

#include "engine/relax/analysis.h"
#include "engine/relax/mutator.h"

typedef enum { ONE, TUPLE, OR, CONTEXT } RuleKind;

typedef struct {
  LsPatternReplaceFunc func;
  gpointer             user_data;
  GDestroyNotify       destroy;
  gatomicrefcount      refs;
} Callback;

struct _LsPatternRewriter {
  gatomicrefcount    refs;
  RuleKind           kind;
  LsPattern         *pattern;           /* ONE, TUPLE */
  GPtrArray         *also;              /* patterns above it that fit as well (references) */
  Callback          *callback;
  LsPatternRewriter *left, *right;      /* OR */
  LsPatternContext  *context;           /* CONTEXT */
  LsBlockReplaceFunc block_func;
  gpointer           user_data;
};

#define MAX_TUPLE 3

/* ---- rules ----------------------------------------------------------------------------- */

static void
callback_unref (Callback *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->refs))
    return;
  if (self->destroy != NULL)
    self->destroy (self->user_data);
  g_free (self);
}

static Callback *
callback_ref (Callback *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

static LsPatternRewriter *
rule_new (RuleKind kind)
{
  LsPatternRewriter *self = g_new0 (LsPatternRewriter, 1);

  g_atomic_ref_count_init (&self->refs);
  self->kind = kind;
  return self;
}

LsPatternRewriter *
ls_pattern_rewriter_ref (LsPatternRewriter *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
ls_pattern_rewriter_unref (LsPatternRewriter *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->refs))
    return;
  ls_node_unref (self->pattern);
  g_clear_pointer (&self->also, g_ptr_array_unref);
  callback_unref (self->callback);
  ls_pattern_rewriter_unref (self->left);
  ls_pattern_rewriter_unref (self->right);
  g_free (self);
}

static GPtrArray *
and_also (GPtrArray *also,
          LsPattern *pattern)
{
  GPtrArray *out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  for (guint i = 0; also != NULL && i < also->len; i++)
    g_ptr_array_add (out, ls_node_ref (also->pdata[i]));
  g_ptr_array_add (out, ls_node_ref (pattern));
  return out;
}

static LsPatternRewriter *
simple_rule (RuleKind   kind,
             LsPattern *pattern,
             GPtrArray *also,
             Callback  *callback)
{
  LsPatternRewriter *self = rule_new (kind);

  self->pattern = ls_node_ref (pattern);
  self->also = also != NULL ? g_ptr_array_ref (also) : NULL;
  self->callback = callback_ref (callback);
  return self;
}

static LsPatternRewriter *
rule_for (LsPattern *pattern,
          GPtrArray *also,
          Callback  *callback)
{
  LsPairPattern *pair = (LsPairPattern *) pattern;
  g_autoptr (GPtrArray) more = NULL;

  if (ls_is (pattern, OR_PATTERN))
    {
      LsPatternRewriter *left;

      more = and_also (also, pattern);
      left = rule_for (pair->left, more, callback);
      return ls_pattern_rewriter_or (left, rule_for (pair->right, more, callback));
    }
  if (!ls_is (pattern, TUPLE_PATTERN))
    return simple_rule (ONE, pattern, also, callback);
  more = and_also (also, pattern);
  return ls_pattern_rewriter_or (simple_rule (ONE, pattern, also, callback), simple_rule (TUPLE, pattern, more, callback));
}

LsPatternRewriter *
ls_pattern_rewriter_new (LsPattern            *pattern,
                         LsPatternReplaceFunc  func,
                         gpointer              user_data,
                         GDestroyNotify        destroy)
{
  Callback *callback = g_new0 (Callback, 1);
  LsPatternRewriter *self;

  g_atomic_ref_count_init (&callback->refs);
  callback->func = func;
  callback->user_data = user_data;
  callback->destroy = destroy;
  self = rule_for (pattern, NULL, callback);
  callback_unref (callback);
  return self;
}

LsPatternRewriter *
ls_pattern_rewriter_new_context (LsPatternContext   *context,
                                 LsBlockReplaceFunc  func,
                                 gpointer            user_data)
{
  LsPatternRewriter *self = rule_new (CONTEXT);

  self->context = context;
  self->block_func = func;
  self->user_data = user_data;
  return self;
}

LsPatternRewriter *
ls_pattern_rewriter_or (LsPatternRewriter *left,
                        LsPatternRewriter *right)
{
  LsPatternRewriter *self = rule_new (OR);

  self->left = left;
  self->right = right;
  return self;
}

/* ---- one value after the other -------------------------------------------------------------- */

static void
add_also (LsPatternRewriter *self,
          LsPatternMatch    *match,
          LsNode            *expr)
{
  for (guint i = 0; self->also != NULL && i < self->also->len; i++)
    ls_pattern_match_add (match, self->also->pdata[i], expr);
}

/* FALSE with an error; *fresh is NULL when nothing is replaced. */
static gboolean
replace (LsPatternRewriter *self,
         LsNode            *expr,
         LsPatternMatch    *match,
         LsNode           **fresh,
         GError           **error)
{
  GError *own = NULL;

  *fresh = self->callback->func (expr, match, self->callback->user_data, &own);
  if (own != NULL)
    {
      g_clear_pointer (fresh, ls_node_unref);
      g_propagate_error (error, own);
      return FALSE;
    }
  if (*fresh == expr)
    g_clear_pointer (fresh, ls_node_unref);
  return TRUE;
}

static gboolean
find_values (LsPatternRewriter *self,
             LsArray           *bindings,
             GHashTable        *replacements,
             GError           **error)
{
  g_autoptr (GHashTable) values = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < bindings->n; i++)
    {
      LsRelaxVar *var = ls_binding_var (bindings->items[i]);
      LsNode *value = ls_binding_value (bindings->items[i]), *fresh = NULL;
      g_autoptr (LsPatternMatch) match = ls_pattern_match (self->pattern, value, values);

      if (match != NULL)
        {
          add_also (self, match, ls_pattern_jump (value, values));
          if (!replace (self, value, match, &fresh, error))
            return FALSE;
        }
      if (fresh != NULL && var != NULL)
        g_hash_table_insert (replacements, ls_ref (var), fresh);
      else if (var != NULL)
        g_hash_table_insert (values, var, value);
    }
  return TRUE;
}

/* ---- several values at once ------------------------------------------------------------------- */

typedef struct {
  LsRelaxVar     *var;
  LsNode         *value;
  LsPatternMatch *matches[MAX_TUPLE];   /* of each field's pattern, or NULL */
  GPtrArray      *users;                /* variables that use it so far */
  gboolean        taken;
} Candidate;

static void
candidate_clear (gpointer data)
{
  Candidate *self = data;

  for (guint i = 0; i < MAX_TUPLE; i++)
    ls_pattern_match_free (self->matches[i]);
  g_ptr_array_unref (self->users);
}

typedef struct {
  LsPatternRewriter *rule;
  LsArray           *fields;
  GArray            *all;               /* of Candidate */
  guint              chosen[MAX_TUPLE];
  GHashTable        *replacements;
  GError            *error;
} TupleSearch;

static Candidate *
candidate (TupleSearch *self,
           guint        i)
{
  return &g_array_index (self->all, Candidate, i);
}

static gboolean
merge (LsPatternMatch *into,
       LsPatternMatch *from)
{
  for (guint i = 0; i < ls_pattern_match_get_n (from); i++)
    {
      LsPattern *pattern = ls_pattern_match_pattern (from, i);
      LsNode *expr = ls_pattern_match_expr (from, i), *known = ls_pattern_match_get (into, pattern);

      if (known != NULL && known != expr && !ls_structural_equal (known, expr, FALSE, NULL, NULL))
        return FALSE;
      if (known == NULL)
        ls_pattern_match_add (into, pattern, expr);
    }
  return TRUE;
}

static gboolean
matches_var (LsPatternMatch *match,
             gpointer        var)
{
  for (guint i = 0; i < ls_pattern_match_get_n (match); i++)
    if (ls_pattern_match_expr (match, i) == var)
      return TRUE;
  return FALSE;
}

static gboolean
used_elsewhere (TupleSearch    *self,
                LsPatternMatch *match)
{
  for (guint i = 0; i < self->fields->n; i++)
    {
      GPtrArray *users = candidate (self, self->chosen[i])->users;

      for (guint k = 0; k < users->len; k++)
        if (!matches_var (match, users->pdata[k]))
          return TRUE;
    }
  return FALSE;
}

static LsNode *
tuple_of (TupleSearch *self)
{
  GPtrArray *fields = g_ptr_array_new ();

  for (guint i = 0; i < self->fields->n; i++)
    g_ptr_array_add (fields, ls_node_ref (candidate (self, self->chosen[i])->value));
  return ls_relax_tuple_new (ls_array_take_ptr_array (fields));
}

/* The same sequence with variables of its own. (transfer full) */
static LsNode *
copy_sequence (LsNode *seq)
{
  g_autoptr (LsFunction) func = ls_function_new (ls_array_empty (), ls_node_ref (seq), ls_object_struct_info_new (), NULL, FALSE);
  g_autoptr (LsFunction) copy = ls_relax_copy_function (func);

  return ls_node_ref (copy->body);
}

/* Field i of a tuple; of a sequence, the sequence with that field as its result. (transfer full) */
static LsNode *
field_of (LsNode *tuple,
          guint   i,
          guint   n)
{
  if (ls_is (tuple, RELAX_TUPLE) && ((LsRelaxTuple *) tuple)->fields->n == n)
    return ls_node_ref (((LsRelaxTuple *) tuple)->fields->items[i]);
  if (ls_is (tuple, SEQ_EXPR))
    {
      g_autoptr (LsNode) own = i > 0 ? copy_sequence (tuple) : ls_node_ref (tuple);

      return ls_seq_expr_new (ls_ref (((LsSeqExpr *) own)->blocks), field_of (((LsSeqExpr *) own)->body, i, n));
    }
  return ls_tuple_get_item_new (ls_node_ref (tuple), i);
}

static void
put (TupleSearch *self,
     LsNode      *fresh)
{
  for (guint i = 0; i < self->fields->n; i++)
    {
      Candidate *item = candidate (self, self->chosen[i]);

      item->taken = TRUE;
      g_hash_table_insert (self->replacements, ls_ref (item->var), field_of (fresh, i, self->fields->n));
    }
}

/* The chosen candidates together. TRUE: done, or an error. */
static gboolean
try_chosen (TupleSearch *self)
{
  g_autoptr (LsPatternMatch) all = ls_pattern_match_new ();
  g_autoptr (LsNode) tuple = NULL, fresh = NULL;

  for (guint i = 0; i < self->fields->n; i++)
    if (!merge (all, candidate (self, self->chosen[i])->matches[i]))
      return FALSE;
  if (used_elsewhere (self, all))
    return FALSE;
  tuple = tuple_of (self);
  add_also (self->rule, all, tuple);
  if (!replace (self->rule, tuple, all, &fresh, &self->error))
    return TRUE;
  if (fresh == NULL)
    return FALSE;
  put (self, fresh);
  return TRUE;
}

static gboolean
is_chosen (TupleSearch *self,
           guint        from,
           guint        index)
{
  for (guint i = from; i < self->fields->n; i++)
    if (self->chosen[i] == index)
      return TRUE;
  return FALSE;
}

/* Fields before `n` get candidates before the last one, the latest first; field `fixed` has the last one. */
static gboolean
choose (TupleSearch *self,
        guint        n,
        guint        fixed)
{
  guint last = self->all->len - 1;

  if (n == 0)
    return try_chosen (self);
  if (n - 1 == fixed)
    {
      self->chosen[fixed] = last;
      return choose (self, n - 1, fixed);
    }
  for (guint i = last; i-- > 0;)
    {
      Candidate *item = candidate (self, i);

      if (item->matches[n - 1] == NULL || item->taken || is_chosen (self, n, i))
        continue;
      self->chosen[n - 1] = i;
      if (choose (self, n - 1, fixed))
        return TRUE;
    }
  return FALSE;
}

static void
note_uses (TupleSearch *self,
           GHashTable  *numbers,
           LsRelaxVar  *var,
           LsNode      *value)
{
  g_autoptr (GPtrArray) used = ls_relax_free_vars (value);

  for (guint i = 0; i < used->len; i++)
    {
      guint number = GPOINTER_TO_UINT (g_hash_table_lookup (numbers, used->pdata[i]));

      if (number > 0)
        g_ptr_array_add (candidate (self, number - 1)->users, var);
    }
}

static gboolean
find_tuples (LsPatternRewriter *self,
             LsArray           *bindings,
             GHashTable        *replacements,
             GError           **error)
{
  LsArray *fields = ((LsFieldsPattern *) self->pattern)->fields;
  g_autoptr (GHashTable) values = g_hash_table_new (NULL, NULL), numbers = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) all = g_array_new (FALSE, TRUE, sizeof (Candidate));
  TupleSearch search = { self, fields, all, { 0 }, replacements, NULL };

  if (fields->n > MAX_TUPLE || fields->n == 0)
    return TRUE;
  g_array_set_clear_func (all, candidate_clear);
  for (guint i = 0; i < bindings->n && search.error == NULL; i++)
    {
      Candidate item = { ls_binding_var (bindings->items[i]), ls_binding_value (bindings->items[i]), { NULL }, g_ptr_array_new (), FALSE };

      item.taken = item.var == NULL || g_hash_table_contains (replacements, item.var);
      for (guint k = 0; k < fields->n && !item.taken; k++)
        item.matches[k] = ls_pattern_match (fields->items[k], item.value, values);
      g_array_append_val (all, item);
      for (guint k = fields->n; k-- > 0 && !candidate (&search, all->len - 1)->taken;)
        {
          for (guint m = 0; m < MAX_TUPLE; m++)
            search.chosen[m] = G_MAXUINT;
          if (item.matches[k] != NULL && choose (&search, fields->n, k))
            break;
        }
      if (item.var == NULL)
        continue;
      g_hash_table_insert (numbers, item.var, GUINT_TO_POINTER (all->len));
      if (!candidate (&search, all->len - 1)->taken)
        g_hash_table_insert (values, item.var, item.value);
      for (guint k = 0; k < all->len; k++)
        if (candidate (&search, k)->taken && candidate (&search, k)->var != NULL)
          g_hash_table_remove (values, candidate (&search, k)->var);
      note_uses (&search, numbers, item.var, item.value);
    }
  if (search.error != NULL)
    g_propagate_error (error, search.error);
  return search.error == NULL;
}

/* ---- contexts --------------------------------------------------------------------------------------- */

static LsArray *
without (LsArray    *bindings,
         GHashTable *vars)
{
  GPtrArray *out = g_ptr_array_new ();

  for (guint i = 0; i < bindings->n; i++)
    if (ls_binding_var (bindings->items[i]) == NULL || !g_hash_table_contains (vars, ls_binding_var (bindings->items[i])))
      g_ptr_array_add (out, ls_node_ref (bindings->items[i]));
  return ls_array_take_ptr_array (out);
}

static GHashTable *
values_of (LsArray *bindings)
{
  GHashTable *values = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < bindings->n; i++)
    if (ls_binding_var (bindings->items[i]) != NULL)
      g_hash_table_insert (values, ls_binding_var (bindings->items[i]), ls_binding_value (bindings->items[i]));
  return values;
}

static gboolean
find_graphs (LsPatternRewriter *self,
             LsArray           *bindings,
             GHashTable        *replacements,
             GError           **error)
{
  g_autoptr (LsArray) rest = ls_ref (bindings);

  while (TRUE)
    {
      g_autoptr (GHashTable) values = values_of (rest), match = ls_pattern_context_match (self->context, rest, values);
      g_autoptr (GHashTable) found = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, (GDestroyNotify) ls_node_unref);
      GHashTableIter iter;
      gpointer var, fresh;
      LsArray *fewer;

      if (match == NULL)
        return TRUE;
      if (!self->block_func (match, values, found, self->user_data, error))
        return FALSE;
      g_hash_table_iter_init (&iter, found);
      while (g_hash_table_iter_next (&iter, &var, &fresh))
        g_hash_table_insert (replacements, ls_node_ref (var), ls_node_ref (fresh));
      fewer = without (rest, found);
      if (fewer->n == rest->n)
        {
          ls_unref (fewer);
          return TRUE;
        }
      ls_take (&rest, fewer);
    }
}

gboolean
ls_pattern_rewriter_find (LsPatternRewriter *self,
                          LsArray           *bindings,
                          GHashTable        *replacements,
                          GError           **error)
{
  g_autoptr (LsArray) rest = NULL;

  switch (self->kind)
    {
    case ONE: return find_values (self, bindings, replacements, error);
    case TUPLE: return find_tuples (self, bindings, replacements, error);
    case CONTEXT: return find_graphs (self, bindings, replacements, error);
    case OR: break;
    }
  if (!ls_pattern_rewriter_find (self->left, bindings, replacements, error))
    return FALSE;
  rest = without (bindings, replacements);
  return rest->n == 0 || ls_pattern_rewriter_find (self->right, rest, replacements, error);
}
