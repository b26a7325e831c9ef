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
  GHashTable *places;           /* variable -> 1 + where it stands there */
  GHashTable *users;            /* variable -> GPtrArray of variables, each once */
  GHashTable *used;             /* variable -> GPtrArray: what its value uses, in order, with repetitions */
  LsRelaxVar *user;
} Uses;

static void
uses_init (Uses *self)
{
  self->vars = g_ptr_array_new ();
  self->places = g_hash_table_new (NULL, NULL);
  self->users = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  self->used = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
}

static void
uses_clear (Uses *self)
{
  g_ptr_array_unref (self->vars);
  g_hash_table_unref (self->places);
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
    {
      g_ptr_array_add (self->vars, node);
      g_hash_table_insert (self->places, node, GUINT_TO_POINTER (self->vars->len));
    }
  users = list_of (self->users, node);
  /* what one value uses comes in one piece */
  if (users->len == 0 || users->pdata[users->len - 1] != self->user)
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
  GPtrArray  *new_parts, *new_vars;     /* the keys in the order in which they came */
} Pairs;

static Pairs *
pairs_new (void)
{
  Pairs *self = g_new (Pairs, 1);

  *self = (Pairs) { g_hash_table_new (NULL, NULL), g_hash_table_new (NULL, NULL), g_ptr_array_new (), g_ptr_array_new () };
  return self;
}

static void
pairs_free (Pairs *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->vars);
  g_hash_table_unref (self->parts);
  g_ptr_array_unref (self->new_parts);
  g_ptr_array_unref (self->new_vars);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Pairs, pairs_free)

/* What was there first stays. */
static void
add_one (GHashTable *table,
         GPtrArray  *keys,
         gpointer    key,
         gpointer    value)
{
  if (g_hash_table_contains (table, key))
    return;
  g_hash_table_insert (table, key, value);
  g_ptr_array_add (keys, key);
}

static void
pairs_add (Pairs    *self,
           gpointer  part,
           gpointer  var)
{
  add_one (self->vars, self->new_parts, part, var);
  add_one (self->parts, self->new_vars, var, part);
}

static void
pairs_merge (Pairs *self,
             Pairs *other)
{
  for (guint i = 0; i < other->new_parts->len; i++)
    add_one (self->vars, self->new_parts, other->new_parts->pdata[i], g_hash_table_lookup (other->vars, other->new_parts->pdata[i]));
  for (guint i = 0; i < other->new_vars->len; i++)
    add_one (self->parts, self->new_vars, other->new_vars->pdata[i], g_hash_table_lookup (other->parts, other->new_vars->pdata[i]));
}

static void
forget_from (GHashTable *table,
             GPtrArray  *keys,
             guint       n)
{
  for (guint i = n; i < keys->len; i++)
    g_hash_table_remove (table, keys->pdata[i]);
  g_ptr_array_set_size (keys, (gint) n);
}

/* ---- matching ----------------------------------------------------------------------------------- */

typedef struct {
  LsPatternContext *context;
  GHashTable       *values;
  Uses              uses;
  GPtrArray        *roots;      /* of LsPatternPart */
  LsAnalyzer       *analyzer;
  GHashTable       *edges;      /* part -> what edges_of says */
} Search;

/* The edges of a part in groups of those that lead to one part, in the order in which they came: a GPtrArray of GArray of LsPatternEdge. */
static GPtrArray *
edges_of (Search        *self,
          LsPatternPart *part)
{
  GPtrArray *groups = g_hash_table_lookup (self->edges, part);
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);

  if (groups != NULL)
    return groups;
  groups = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  g_hash_table_insert (self->edges, part, groups);
  for (guint i = 0; i < part->edges->len; i++)
    {
      LsPatternEdge *edge = &g_array_index (part->edges, LsPatternEdge, i);
      GArray *same = g_hash_table_lookup (known, edge->to);

      if (same == NULL)
        {
          same = g_array_new (FALSE, FALSE, sizeof (LsPatternEdge));
          g_hash_table_insert (known, edge->to, same);
          g_ptr_array_add (groups, same);
        }
      g_array_append_val (same, *edge);
    }
  return groups;
}

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

static gboolean
edges_hold (Search   *self,
            GArray   *edges,
            gpointer  var,
            gpointer  user)
{
  for (guint i = 0; i < edges->len; i++)
    if (!edge_holds (self, &g_array_index (edges, LsPatternEdge, i), var, user))
      return FALSE;
  return TRUE;
}

static Pairs *try_part (Search *self, LsPatternPart *part, gpointer var, Pairs *known);

/* `first`: the users before it are taken. */
static gboolean
try_consumer (Search        *self,
              GArray        *edges,
              gpointer       var,
              Pairs         *known,
              Pairs         *found,
              guint         *first)
{
  GPtrArray *users = g_hash_table_lookup (self->uses.users, var);
  LsPatternPart *to = g_array_index (edges, LsPatternEdge, 0).to;
  gpointer before = g_hash_table_lookup (known->vars, to);

  while (users != NULL && *first < users->len && g_hash_table_contains (found->parts, users->pdata[*first]))
    (*first)++;
  for (guint i = *first; users != NULL && i < users->len; i++)
    {
      gpointer user = users->pdata[i];
      g_autoptr (Pairs) below = NULL;

      if ((before != NULL && before != user) || g_hash_table_contains (found->parts, user) || !edges_hold (self, edges, var, user))
        continue;
      below = try_part (self, to, user, known);
      if (below == NULL)
        continue;
      pairs_add (found, to, user);
      pairs_merge (found, below);
      return TRUE;
    }
  return FALSE;
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
  GPtrArray *edges;
  guint first = 0;

  if (match == NULL)
    return NULL;
  found = pairs_new ();
  pairs_add (found, part, var);
  edges = edges_of (self, part);
  for (guint i = 0; i < edges->len; i++)
    if (g_hash_table_contains (found->vars, g_array_index ((GArray *) edges->pdata[i], LsPatternEdge, 0).to) ||
        !try_consumer (self, edges->pdata[i], var, known, found, &first))
      return NULL;
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

static gint
by_place (gconstpointer a,
          gconstpointer b,
          gpointer      places)
{
  guint i = GPOINTER_TO_UINT (g_hash_table_lookup (places, *(gpointer *) a)), k = GPOINTER_TO_UINT (g_hash_table_lookup (places, *(gpointer *) b));

  return (i > k) - (i < k);
}

/* The variables that a root can be, in the order of their first uses: where one that follows from it is known, only what that uses.
 * (transfer full) */
static GPtrArray *
candidates (Search        *self,
            LsPatternPart *root,
            Pairs         *known)
{
  for (guint i = 0; i < root->edges->len; i++)
    {
      gpointer user = g_hash_table_lookup (known->vars, g_array_index (root->edges, LsPatternEdge, i).to);
      GPtrArray *used = user != NULL ? g_hash_table_lookup (self->uses.used, user) : NULL, *out;

      if (user == NULL)
        continue;
      out = g_ptr_array_new ();
      for (guint k = 0; used != NULL && k < used->len; k++)
        if (!g_ptr_array_find (out, used->pdata[k], NULL))
          g_ptr_array_add (out, used->pdata[k]);
      g_ptr_array_sort_with_data (out, by_place, self->uses.places);
      return out;
    }
  return g_ptr_array_ref (self->uses.vars);
}

/* Adds to `known` what follows from the roots from `at` on; FALSE: nothing fits, and nothing is added. */
static gboolean
try_roots (Search *self,
           guint   at,
           Pairs  *known)
{
  g_autoptr (GPtrArray) vars = NULL;
  guint n_parts = known->new_parts->len, n_vars = known->new_vars->len;

  while (at < self->roots->len && g_hash_table_contains (known->vars, self->roots->pdata[at]))
    at++;
  if (at == self->roots->len)
    return TRUE;
  vars = candidates (self, self->roots->pdata[at], known);
  for (guint i = 0; i < vars->len; i++)
    {
      g_autoptr (Pairs) found = NULL;

      if (g_hash_table_contains (known->parts, vars->pdata[i]))
        continue;
      found = try_part (self, self->roots->pdata[at], vars->pdata[i], known);
      if (found == NULL)
        continue;
      pairs_merge (known, found);
      if (constraints_hold (self, known) && try_roots (self, at + 1, known))
        return TRUE;
      forget_from (known->vars, known->new_parts, n_parts);
      forget_from (known->parts, known->new_vars, n_vars);
    }
  return FALSE;
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
  g_autoptr (GHashTable) edges = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  Search search = { self, values != NULL ? values : own, { NULL }, roots, analyzer, edges };
  g_autoptr (Pairs) found = pairs_new ();
  gboolean fits;

  for (guint i = 0; i < self->sources->len; i++)
    if (!((LsPatternPart *) self->sources->pdata[i])->has_producer)
      g_ptr_array_add (roots, self->sources->pdata[i]);
  if (roots->len == 0)
    return NULL;
  uses_init (&search.uses);
  collect (&search.uses, bindings);
  fits = try_roots (&search, 0, found);
  uses_clear (&search.uses);
  return fits ? by_pattern (self, found) : NULL;
}
