/* inplace: liveness and aliases in a dataflow block (see the header).
 *
 * Liveness goes backward through the bindings; taking a field of a tuple does not count as a use.  Each allocation is a
 * place; a variable has the places that it may stand for, a tuple a place of its own with the places of its fields.  What
 * is not an operator may return any of its arguments.  Source: TVM's DataflowUseInplaceCalls (v0.20: views made by reshape
 * count as copies, as there).  Cost: linear in the bindings, if few variables share a place. */
#include "engine/relax/inplace.h"

#include "engine/arith/analyzer.h"
#include "engine/relax/analysis.h"
#include "engine/relax/relation.h"

#include <string.h>

#define ANYTHING LS_INPLACE_ANYTHING

typedef struct { gint64 first, last; } Range;   /* numbers of bindings; one past the end: lives on */

struct _LsInplace {
  LsBindingBlock *block;
  LsAnalyzer     *analyzer;
  GHashTable     *ranges;       /* variable -> Range */
  GHashTable     *places;       /* variable -> GArray of gint */
  GPtrArray      *fields;       /* place -> GPtrArray of GArray of gint, or NULL */
  GPtrArray      *holders;      /* place -> GArray of Holder, as they begin to live */
  gboolean        brief;        /* of what unknown calls give only what decides who shares a place */
};

/* A variable that may be at a place, and of all that begin to live no later: who lives longest, and how long the next lives. */
typedef struct {
  gint64      first;
  LsRelaxVar *longest;
  gint64      last, next_last;
} Holder;

/* ---- liveness ---------------------------------------------------------------------- */

static LsWalk
add_var (LsNode  *node,
         gpointer vars)
{
  if (ls_is_relax_var (node))
    g_ptr_array_add (vars, node);
  return LS_WALK_CONTINUE;
}

/* Variables that a value uses. (transfer container) */
static GPtrArray *
uses_of (LsNode *value)
{
  GPtrArray *vars;

  if (ls_is (value, FUNCTION))
    return ls_relax_free_vars (value);
  vars = g_ptr_array_new ();
  if (!ls_is (value, TUPLE_GET_ITEM))
    ls_walk (value, add_var, NULL, vars);
  return vars;
}

static void
set_range (LsInplace *self,
           gpointer   var,
           gint64     first,
           gint64     last)
{
  Range *range = g_new (Range, 1);

  *range = (Range) { first, last };
  g_hash_table_insert (self->ranges, var, range);
}

static void
find_ranges (LsInplace *self)
{
  LsArray *bindings = self->block->bindings;

  for (gint64 i = (gint64) bindings->n - 1; i >= 0; i--)
    {
      LsRelaxVar *var = ls_binding_var (bindings->items[i]);
      g_autoptr (GPtrArray) uses = uses_of (ls_binding_value (bindings->items[i]));
      Range *known;

      for (guint k = 0; k < uses->len; k++)
        if (!g_hash_table_contains (self->ranges, uses->pdata[k]))
          set_range (self, uses->pdata[k], -1, ls_is (uses->pdata[k], DATAFLOW_VAR) ? i : bindings->n);
      known = var != NULL ? g_hash_table_lookup (self->ranges, var) : NULL;
      if (known != NULL)
        known->first = i;
      else if (var != NULL)
        set_range (self, var, i, ls_is (var, DATAFLOW_VAR) ? i : bindings->n);
    }
}

/* ---- places ---------------------------------------------------------------------------- */

static GArray *
set_new (void)
{
  return g_array_new (FALSE, FALSE, sizeof (gint));
}

static gboolean
set_has (GArray *set,
         gint    place)
{
  for (guint i = 0; i < set->len; i++)
    if (g_array_index (set, gint, i) == place)
      return TRUE;
  return FALSE;
}

static void
set_add (GArray *set,
         gint    place)
{
  if (!set_has (set, place))
    g_array_append_val (set, place);
}

static void
set_add_all (GArray *set,
             GArray *other)
{
  for (guint i = 0; i < other->len; i++)
    set_add (set, g_array_index (other, gint, i));
}

static void
unref_holders (gpointer list)
{
  if (list != NULL)
    g_array_unref (list);
}

static void
unref_fields (gpointer list)
{
  if (list != NULL)
    g_ptr_array_unref (list);
}

static gint
fresh_place (LsInplace *self)
{
  g_ptr_array_add (self->fields, NULL);
  g_ptr_array_add (self->holders, NULL);
  return (gint) self->fields->len - 1;
}

static GPtrArray *
fields_at (LsInplace *self,
           gint       place)
{
  return place >= 0 ? self->fields->pdata[place] : NULL;
}

/* A new value: a place, and one for each field if it is a tuple. */
static gint
fresh_value (LsInplace    *self,
             LsStructInfo *info)
{
  gint place = fresh_place (self);
  GPtrArray *fields;

  if (!ls_is (info, TUPLE_STRUCT_INFO))
    return place;
  fields = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  for (guint i = 0; i < ((LsTupleStructInfo *) info)->fields->n; i++)
    {
      GArray *one = set_new ();

      set_add (one, fresh_value (self, ((LsTupleStructInfo *) info)->fields->items[i]));
      g_ptr_array_add (fields, one);
    }
  self->fields->pdata[place] = fields;
  return place;
}

static void
capture (LsInplace *self,
         GArray    *set,
         gint       place)
{
  GPtrArray *fields = fields_at (self, place);

  if (set_has (set, place))
    return;
  set_add (set, place);
  for (guint i = 0; fields != NULL && i < fields->len; i++)
    for (guint k = 0; k < ((GArray *) fields->pdata[i])->len; k++)
      capture (self, set, g_array_index ((GArray *) fields->pdata[i], gint, k));
}

static void
mix_into_fields (LsInplace *self,
                 gint       place,
                 GArray    *set)
{
  GPtrArray *fields = fields_at (self, place);

  for (guint i = 0; fields != NULL && i < fields->len; i++)
    {
      GArray *field = fields->pdata[i];
      guint n = field->len;

      for (guint k = 0; k < n; k++)
        mix_into_fields (self, g_array_index (field, gint, k), set);
      set_add_all (field, set);
    }
}

static GArray *places_of (LsInplace *self, LsNode *value, LsStructInfo *info);

/* A call of something that may return whatever it was given.  Two variables that may be what one call made may also be what it was given: where that
 * has places, those say who shares one, and along a row of calls the sets do not grow. */
static GArray *
places_of_unknown (LsInplace    *self,
                   LsRelaxCall  *call,
                   LsStructInfo *info,
                   guint         from)
{
  GArray *set = set_new ();
  gboolean late = self->brief && !ls_is (info, TUPLE_STRUCT_INFO);
  gint result = fresh_value (self, info);

  if (!late)
    capture (self, set, result);
  for (guint i = from; i < call->args->n; i++)
    {
      GArray *arg = places_of (self, call->args->items[i], info);

      for (guint k = 0; k < arg->len; k++)
        capture (self, set, g_array_index (arg, gint, k));
      g_array_unref (arg);
    }
  if (late && set->len == 0)
    set_add (set, result);
  mix_into_fields (self, result, set);
  return set;
}

static GArray *
places_of_item (LsInplace      *self,
                LsTupleGetItem *item,
                LsStructInfo   *info)
{
  GArray *tuple = places_of (self, item->tuple, info);
  GArray *set = set_new ();

  if (set_has (tuple, ANYTHING))
    set_add (set, ANYTHING);
  for (guint i = 0; set->len == 0 && i < tuple->len; i++)
    {
      GPtrArray *fields = fields_at (self, g_array_index (tuple, gint, i));

      if (fields != NULL && item->index < (gint64) fields->len)
        set_add_all (set, fields->pdata[item->index]);
    }
  g_array_unref (tuple);
  return set;
}

static GArray *
places_of_tuple (LsInplace    *self,
                 LsRelaxTuple *tuple,
                 LsStructInfo *info)
{
  GArray *set = set_new ();
  gint place = fresh_place (self);
  GPtrArray *fields = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);

  for (guint i = 0; i < tuple->fields->n; i++)
    g_ptr_array_add (fields, places_of (self, tuple->fields->items[i], info));
  self->fields->pdata[place] = fields;
  set_add (set, place);
  return set;
}

/* (transfer full) */
static GArray *
places_of (LsInplace    *self,
           LsNode       *value,
           LsStructInfo *info)
{
  LsRelaxCall *call = (LsRelaxCall *) value;
  GArray *known, *set;

  if (ls_is (value, RELAX_TUPLE))
    return places_of_tuple (self, (LsRelaxTuple *) value, info);
  if (ls_is (value, TUPLE_GET_ITEM))
    return places_of_item (self, (LsTupleGetItem *) value, info);
  if (ls_is (value, RELAX_CALL) && (!ls_is (call->op, RELAX_OP) || ls_is_relax_call (call, "relax.call_pure_packed")))
    return places_of_unknown (self, call, info, ls_is (call->op, RELAX_OP));
  set = set_new ();
  known = ls_is_relax_var (value) ? g_hash_table_lookup (self->places, value) : NULL;
  if (known != NULL)
    set_add_all (set, known);
  else if (ls_is_relax_var (value))
    set_add (set, ANYTHING);
  else if (ls_is (value, RELAX_CALL))
    set_add (set, fresh_value (self, call->sinfo_args->n > 0 && ls_is_relax_call (value, "relax.call_tir") ? call->sinfo_args->items[0] : info));
  else
    set_add (set, fresh_place (self));
  return set;
}

/* Variables come in the order in which they begin to live. */
static void
add_holder (LsInplace  *self,
            gint        place,
            LsRelaxVar *var,
            Range      *range)
{
  GArray *holders = self->holders->pdata[place];
  Holder holder = { range->first, var, range->last, G_MININT64 }, *before;

  if (holders == NULL)
    self->holders->pdata[place] = holders = g_array_new (FALSE, FALSE, sizeof (Holder));
  before = holders->len > 0 ? &g_array_index (holders, Holder, holders->len - 1) : NULL;
  if (before != NULL && before->last >= range->last)
    holder = (Holder) { range->first, before->longest, before->last, MAX (before->next_last, range->last) };
  else if (before != NULL)
    holder.next_last = before->last;
  g_array_append_val (holders, holder);
}

static void
keep_places (LsInplace  *self,
             LsRelaxVar *var,
             GArray     *set)
{
  Range *range = g_hash_table_lookup (self->ranges, var);

  g_hash_table_insert (self->places, var, set);
  for (guint k = 0; range != NULL && k < set->len; k++)
    if (g_array_index (set, gint, k) >= 0)
      add_holder (self, g_array_index (set, gint, k), var, range);
}

static void
find_places (LsInplace *self,
             LsArray   *inputs)
{
  for (guint i = 0; inputs != NULL && i < inputs->n; i++)
    {
      LsRelaxVar *var = ls_array_at (inputs, i, LsRelaxVar);
      GArray *set = set_new ();

      set_add (set, fresh_value (self, var->struct_info));
      keep_places (self, var, set);
    }
  for (guint i = 0; i < self->block->bindings->n; i++)
    {
      LsRelaxVar *var = ls_binding_var (self->block->bindings->items[i]);

      if (var != NULL)
        keep_places (self, var, places_of (self, ls_binding_value (self->block->bindings->items[i]), var->struct_info));
    }
}

/* ---- life -------------------------------------------------------------------------------- */

static LsInplace *
inplace_new (LsBindingBlock *block,
             LsArray        *inputs,
             gboolean        brief)
{
  LsInplace *self = g_new0 (LsInplace, 1);

  self->block = block;
  self->brief = brief;
  self->analyzer = ls_analyzer_new ();
  self->ranges = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->places = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  self->fields = g_ptr_array_new_with_free_func (unref_fields);
  self->holders = g_ptr_array_new_with_free_func (unref_holders);
  find_ranges (self);
  find_places (self, inputs);
  return self;
}

LsInplace *
ls_inplace_new (LsBindingBlock *block,
                LsArray        *inputs)
{
  return inplace_new (block, inputs, FALSE);
}

LsInplace *
ls_inplace_new_brief (LsBindingBlock *block)
{
  return inplace_new (block, NULL, TRUE);
}

void
ls_inplace_free (LsInplace *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->analyzer, ls_analyzer_free);
  g_hash_table_unref (self->ranges);
  g_hash_table_unref (self->places);
  g_ptr_array_unref (self->fields);
  g_ptr_array_unref (self->holders);
  g_free (self);
}

/* ---- questions ------------------------------------------------------------------------------ */

/* Does one of the holders other than `var` begin to live by `at` and live on behind it? */
static gboolean
one_lives_on (GArray     *holders,
              LsRelaxVar *var,
              gint64      at)
{
  guint low = 0, high = holders->len;
  Holder *holder;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (holders, Holder, middle).first <= at)
        low = middle + 1;
      else
        high = middle;
    }
  holder = low > 0 ? &g_array_index (holders, Holder, low - 1) : NULL;
  return holder != NULL && (holder->longest != var ? holder->last : holder->next_last) > at;
}

/* Does another variable that may be at this place live on behind binding `at`? */
static gboolean
is_held (LsInplace  *self,
         gint        place,
         LsRelaxVar *var,
         guint       at)
{
  GArray *holders = place >= 0 ? self->holders->pdata[place] : NULL;
  GPtrArray *fields = fields_at (self, place);

  if (holders != NULL && one_lives_on (holders, var, at))
    return TRUE;
  for (guint i = 0; fields != NULL && i < fields->len; i++)
    for (guint k = 0; k < ((GArray *) fields->pdata[i])->len; k++)
      {
        gint member = g_array_index ((GArray *) fields->pdata[i], gint, k);

        if (member == ANYTHING || (member != place && is_held (self, member, var, at)))
          return TRUE;
      }
  return FALSE;
}

static gboolean
is_free (LsInplace  *self,
         LsRelaxVar *var,
         guint       at)
{
  Range *range = g_hash_table_lookup (self->ranges, var);
  GArray *set = g_hash_table_lookup (self->places, var);

  if ((range != NULL && range->last > (gint64) at) || set == NULL || set_has (set, ANYTHING))
    return FALSE;
  for (guint i = 0; i < set->len; i++)
    if (is_held (self, g_array_index (set, gint, i), var, at))
      return FALSE;
  return TRUE;
}

/* Of no dimensions: 1. (transfer full) */
static LsExpr *
product (LsArray *extents)
{
  LsExpr *all = ls_int_imm_new (LS_INT64, 1);

  for (guint i = 0; i < extents->n; i++)
    all = ls_mul (all, ls_cast (LS_INT64, ls_ref (LS_EXPR (extents->items[i]))));
  return all;
}

/* Is there the same room in both? */
static gboolean
same_size (LsInplace *self,
           LsArray   *a,
           LsArray   *b)
{
  g_autoptr (LsExpr) x = product (a), y = product (b);

  return ls_analyzer_can_prove_equal (self->analyzer, x, y);
}

static gboolean
same_extents (LsInplace *self,
              LsArray   *a,
              LsArray   *b)
{
  if (a->n != b->n)
    return FALSE;
  for (guint i = 0; i < a->n; i++)
    if (!ls_analyzer_can_prove_equal (self->analyzer, LS_EXPR (a->items[i]), LS_EXPR (b->items[i])))
      return FALSE;
  return TRUE;
}

static gboolean
fits_in (LsInplace    *self,
         LsStructInfo *a,
         LsStructInfo *b,
         gboolean      exact)
{
  LsTensorStructInfo *x = (LsTensorStructInfo *) a, *y = (LsTensorStructInfo *) b;
  LsArray *u, *v;

  if (!ls_is (a, TENSOR_STRUCT_INFO) || !ls_is (b, TENSOR_STRUCT_INFO) || ls_dtype_is_void (x->dtype) || !ls_dtype_equal (x->dtype, y->dtype)
      || !ls_is (x->shape, SHAPE_EXPR) || !ls_is (y->shape, SHAPE_EXPR))
    return FALSE;
  u = ((LsShapeExpr *) x->shape)->values;
  v = ((LsShapeExpr *) y->shape)->values;
  return exact ? same_extents (self, u, v) : same_size (self, u, v);
}

static gboolean
may_be_in_place (LsNode *value)
{
  static const char *const OPS[] = { "relax.add", "relax.subtract", "relax.multiply", "relax.divide", "relax.nn.silu", "relax.nn.relu" };

  for (guint i = 0; i < G_N_ELEMENTS (OPS); i++)
    if (ls_is_relax_call (value, OPS[i]))
      return TRUE;
  return FALSE;
}

GArray *
ls_inplace_candidates (LsInplace *self,
                       guint      at,
                       gboolean   exact)
{
  LsNode *binding = self->block->bindings->items[at];
  LsRelaxVar *var = ls_binding_var (binding);
  GArray *found = set_new ();
  LsArray *args;

  if (var == NULL || !may_be_in_place (ls_binding_value (binding)))
    return found;
  args = ((LsRelaxCall *) ls_binding_value (binding))->args;
  for (gint i = 0; i < (gint) args->n; i++)
    if (ls_is_relax_var (args->items[i]) && fits_in (self, var->struct_info, ls_array_at (args, i, LsRelaxVar)->struct_info, exact)
        && is_free (self, ls_array_at (args, i, LsRelaxVar), at))
      g_array_append_val (found, i);
  return found;
}

int
ls_inplace_find (LsInplace *self,
                 guint      at)
{
  g_autoptr (GArray) found = ls_inplace_candidates (self, at, TRUE);

  return found->len > 0 ? g_array_index (found, gint, found->len - 1) : -1;
}

gboolean
ls_inplace_get_life (LsInplace  *self,
                     LsRelaxVar *var,
                     gint64     *first,
                     gint64     *last)
{
  Range *range = g_hash_table_lookup (self->ranges, var);

  if (range == NULL)
    return FALSE;
  *first = range->first;
  *last = range->last;
  return TRUE;
}

GArray *
ls_inplace_get_places (LsInplace  *self,
                       LsRelaxVar *var)
{
  return g_hash_table_lookup (self->places, var);
}

guint
ls_inplace_get_n_places (LsInplace *self)
{
  return self->fields->len;
}

GPtrArray *
ls_inplace_get_fields (LsInplace *self,
                       guint      place)
{
  return fields_at (self, (gint) place);
}
