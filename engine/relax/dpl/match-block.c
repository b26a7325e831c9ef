/* match-block: a graph of patterns in a dataflow block.
 *
 * The roots of the graph (patterns that nothing produces) are tried against the variables of the block, in the order of
 * their first uses, with all patterns that follow from them; when the rest fits nowhere, the next variable is tried.
 * Within one root the first consumer that fits is taken; a pattern that follows from a producer in two ways, directly and
 * through another, is not found (nor by TVM).
 */
#include "engine/relax/dpl/dpl-private.h"

#include "engine/arith/analyzer.h"
#include "engine/relax/analysis.h"

/* ---- who uses whom ----------------------------------------------------------------------- */

typedef struct {
  GPtrArray  *vars;             /* in the order of their first uses */
  GHashTable *users;            /* variable -> GPtrArray of variables, each once */
  GHashTable *used;             /* variable -> GPtrArray: what its value uses, in order, with repetitions */
  LsRelaxVar *user;
} Uses;

static void
uses_init (Uses *self)
{
  self->vars = g_ptr_array_new ();
  self->users = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  self->used = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
}

static void
uses_clear (Uses *self)
{
  g_ptr_array_unref (self->vars);
  g_hash_table_unref (self->users);
  g_hash_table_unref (self->used);
}

static GPtrArray *
list_of (GHashTable *lists,
         gpointer    key)
{
  GPtrArray *list = g_hash_table_lookup (lists, key);

  if (list == NULL)
    {
      list = g_ptr_array_new ();
      g_hash_table_insert (lists, key, list);
    }
  return list;
}

static LsWalk
note_use (LsNode  *node,
          gpointer user_data)
{
  Uses *self = user_data;
  GPtrArray *users;

  if (!ls_is_relax_var (node))
    return LS_WALK_CONTINUE;
  if (!g_hash_table_contains (self->users, node))
    g_ptr_array_add (self->vars, node);
  users = list_of (self->users, node);
  if (!g_ptr_array_find (users, self->user, NULL))
    g_ptr_array_add (users, self->user);
  g_ptr_array_add (list_of (self->used, self->user), node);
  return LS_WALK_CONTINUE;
}

static void
collect (Uses    *self,
         LsArray *bindings)
{
  for (guint i = 0; i < bindings->n; i++)
    if (ls_is (bindings->items[i], VAR_BINDING))
      {
        self->user = ls_binding_var (bindings->items[i]);
        ls_walk (ls_binding_value (bindings->items[i]), note_use, NULL, self);
      }
}

/* ---- pairs of parts and variables ------------------------------------------------------------ */

typedef struct {
  GHashTable *vars;             /* part -> variable */
  GHashTable *parts;            /* variable -> part */
} Pairs;

static Pairs *
pairs_new (Pairs *from)
{
  Pairs *self = g_new0 (Pairs, 1);
  GHashTableIter iter;
  gpointer key, value;

  self->vars = g_hash_table_new (NULL, NULL);
  self->parts = g_hash_table_new (NULL, NULL);
  if (from == NULL)
    return self;
  g_hash_table_iter_init (&iter, from->vars);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_insert (self->vars, key, value);
  g_hash_table_iter_init (&iter, from->parts);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_insert (self->parts, key, value);
  return self;
}

static void
pairs_free (Pairs *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->vars);
  g_hash_table_unref (self->parts);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Pairs, pairs_free)

static void
pairs_add (Pairs    *self,
           gpointer  part,
           gpointer  var)
{
  if (!g_hash_table_contains (self->vars, part))
    g_hash_table_insert (self->vars, part, var);
  if (!g_hash_table_contains (self->parts, var))
    g_hash_table_insert (self->parts, var, part);
}

/* What was there first stays. */
static void
pairs_merge (Pairs *self,
             Pairs *other)
{
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, other->vars);
  while (g_hash_table_iter_next (&iter, &key, &value))
    if (!g_hash_table_contains (self->vars, key))
      g_hash_table_insert (self->vars, key, value);
  g_hash_table_iter_init (&iter, other->parts);
  while (g_hash_table_iter_next (&iter, &key, &value))
    if (!g_hash_table_contains (self->parts, key))
      g_hash_table_insert (self->parts, key, value);
}

/* ---- matching ----------------------------------------------------------------------------------- */

typedef struct {
  LsPatternContext *context;
  GHashTable       *values;
  Uses              uses;
  GPtrArray        *roots;      /* of LsPatternPart */
  LsAnalyzer       *analyzer;
} Search;

static gboolean
edge_holds (Search        *self,
            LsPatternEdge *edge,
            gpointer       var,
            gpointer       user)
{
  GPtrArray *users = g_hash_table_lookup (self->uses.users, var), *used = g_hash_table_lookup (self->uses.used, user);

  if (edge->only && users->len != 1)
    return FALSE;
  return edge->index == -1 || (used != NULL && (int) used->len > edge->index && used->pdata[edge->index] == var);
}

/* All edges from a part to another. */
static gboolean
edges_hold (Search        *self,
            LsPatternPart *part,
            LsPatternPart *to,
            gpointer       var,
            gpointer       user)
{
  for (guint i = 0; i < part->edges->len; i++)
    {
      LsPatternEdge *edge = &g_array_index (part->edges, LsPatternEdge, i);

      if (edge->to == to && !edge_holds (self, edge, var, user))
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_first_edge (LsPatternPart *part,
               guint          at)
{
  for (guint i = 0; i < at; i++)
    if (g_array_index (part->edges, LsPatternEdge, i).to == g_array_index (part->edges, LsPatternEdge, at).to)
      return FALSE;
  return TRUE;
}

static Pairs *try_part (Search *self, LsPatternPart *part, gpointer var, Pairs *known);

static gboolean
try_consumer (Search        *self,
              LsPatternPart *part,
              LsPatternPart *to,
              gpointer       var,
              Pairs         *known,
              Pairs         *found)
{
  GPtrArray *users = g_hash_table_lookup (self->uses.users, var);

  for (guint i = 0; users != NULL && i < users->len; i++)
    {
      gpointer user = users->pdata[i], before = g_hash_table_lookup (known->vars, to);
      g_autoptr (Pairs) below = NULL;

      if (g_hash_table_contains (found->parts, user) || (before != NULL && before != user) || !edges_hold (self, part, to, var, user)
          || g_hash_table_contains (found->vars, to))
        continue;
      below = try_part (self, to, user, known);
      if (below != NULL)
        {
          pairs_add (found, to, user);
          pairs_merge (found, below);
        }
    }
  return g_hash_table_contains (found->vars, to);
}

/* The pairs that follow when the part is this variable; NULL: it cannot be. */
static Pairs *
try_part (Search        *self,
          LsPatternPart *part,
          gpointer       var,
          Pairs         *known)
{
  g_autoptr (LsPatternMatch) match = ls_pattern_match (part->pattern, var, self->values);
  g_autoptr (Pairs) found = NULL;

  if (match == NULL)
    return NULL;
  found = pairs_new (NULL);
  pairs_add (found, part, var);
  for (guint i = 0; i < part->edges->len; i++)
    {
      LsPatternPart *to = g_array_index (part->edges, LsPatternEdge, i).to;

      if (!is_first_edge (part, i))
        continue;
      if (g_hash_table_contains (found->vars, to) || !try_consumer (self, part, to, var, known, found))
        return NULL;
    }
  return g_steal_pointer (&found);
}

static LsArray *
extents (LsRelaxVar *var)
{
  LsStructInfo *info = var->struct_info;

  if (ls_is (info, TENSOR_STRUCT_INFO) && ls_is (((LsTensorStructInfo *) info)->shape, SHAPE_EXPR))
    return ((LsShapeExpr *) ((LsTensorStructInfo *) info)->shape)->values;
  return ls_is (info, SHAPE_STRUCT_INFO) ? ((LsShapeStructInfo *) info)->values : NULL;
}

/* FALSE where shapes that have to be the same are not known to be. */
static gboolean
constraint_holds (Search      *self,
                  LsSameShape *constraint,
                  Pairs       *known)
{
  LsArray *first = NULL;

  for (guint i = 0; i < constraint->args->n; i++)
    {
      LsPatternPart *part = g_hash_table_lookup (self->context->parts, constraint->args->items[i]);
      LsRelaxVar *var = part != NULL ? g_hash_table_lookup (known->vars, part) : NULL;
      LsArray *shape = var != NULL ? extents (var) : NULL;

      if (var == NULL)
        continue;
      if (shape == NULL || (first != NULL && first->n != shape->n))
        return FALSE;
      for (guint d = 0; first != NULL && d < shape->n; d++)
        if (!ls_analyzer_can_prove_equal (self->analyzer, LS_EXPR (first->items[d]), LS_EXPR (shape->items[d])))
          return FALSE;
      first = first != NULL ? first : shape;
    }
  return TRUE;
}

static gboolean
constraints_hold (Search *self,
                  Pairs  *known)
{
  for (guint i = 0; i < self->context->constraints->len; i++)
    if (!constraint_holds (self, self->context->constraints->pdata[i], known))
      return FALSE;
  return TRUE;
}

static Pairs *
try_roots (Search *self,
           guint   at,
           Pairs  *known)
{
  while (at < self->roots->len && g_hash_table_contains (known->vars, self->roots->pdata[at]))
    at++;
  if (at == self->roots->len)
    return pairs_new (known);
  for (guint i = 0; i < self->uses.vars->len; i++)
    {
      gpointer var = self->uses.vars->pdata[i];
      g_autoptr (Pairs) found = NULL, all = NULL;
      Pairs *rest;

      if (g_hash_table_contains (known->parts, var))
        continue;
      found = try_part (self, self->roots->pdata[at], var, known);
      if (found == NULL)
        continue;
      all = pairs_new (known);
      pairs_merge (all, found);
      rest = constraints_hold (self, all) ? try_roots (self, at + 1, all) : NULL;
      if (rest != NULL)
        return rest;
    }
  return NULL;
}

static GHashTable *
by_pattern (LsPatternContext *context,
            Pairs            *pairs)
{
  GHashTable *out = g_hash_table_new (NULL, NULL);
  GHashTableIter iter;
  gpointer part, var;

  g_hash_table_iter_init (&iter, pairs->vars);
  while (g_hash_table_iter_next (&iter, &part, &var))
    g_hash_table_insert (out, ((LsPatternPart *) part)->pattern, var);
  return out;
}

GHashTable *
ls_pattern_context_match (LsPatternContext *self,
                          LsArray          *bindings,
                          GHashTable       *values)
{
  g_autoptr (GHashTable) own = values == NULL ? ls_relax_values (bindings) : NULL;
  g_autoptr (GPtrArray) roots = g_ptr_array_new ();
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  Search search = { self, values != NULL ? values : own, { NULL }, roots, analyzer };
  g_autoptr (Pairs) nothing = pairs_new (NULL), found = NULL;

  for (guint i = 0; i < self->sources->len; i++)
    if (!((LsPatternPart *) self->sources->pdata[i])->has_producer)
      g_ptr_array_add (roots, self->sources->pdata[i]);
  if (roots->len == 0)
    return NULL;
  uses_init (&search.uses);
  collect (&search.uses, bindings);
  found = try_roots (&search, 0, nothing);
  uses_clear (&search.uses);
  return found != NULL ? by_pattern (self, found) : NULL;
}
