/* conflict: see the header. */
#include "engine/poly/conflict.h"

isl_map *
ls_poly_same (isl_map *instances)
{
  return isl_map_identity (isl_space_map_from_set (isl_space_domain (isl_map_get_space (instances))));
}

isl_map *
ls_poly_naming (LsPolyCompare    *self,
        LsPolyPair       *pair,
        LsPolyLeaf *leaf,
        gboolean   *exact)
{
  isl_map *instances = ls_poly_instance (&self->space, leaf, exact);
  isl_map *same;

  if (!pair->same_loops)
    return instances;
  same = isl_map_intersect_domain (ls_poly_same (instances), isl_map_domain (isl_map_copy (instances)));
  isl_map_free (instances);
  return same;
}

isl_map *
ls_poly_conflicts (LsPolyCompare      *self,
           LsPolyPair         *a,
           LsPolyAccess *from,
           LsPolyPair         *b,
           LsPolyAccess *to,
           gboolean      is_new,
           gboolean     *exact)
{
  isl_map *left = ls_poly_access (&self->space, a->old, from, exact);
  isl_map *right = ls_poly_access (&self->space, b->old, to, exact);
  isl_map *order = is_new ? ls_poly_order (&self->space, a->fresh, a->old, a->number_fresh, b->fresh, b->old, b->number_fresh, LS_ORDER_BEFORE, FALSE)
                          : ls_poly_order (&self->space, a->old, a->old, a->number_old, b->old, b->old, b->number_old, LS_ORDER_BEFORE, FALSE);

  return isl_map_intersect (isl_map_apply_range (left, isl_map_reverse (right)), order);
}

gboolean
ls_poly_is_sum (LsPolyConflict *self)
{
  return self->a == self->b && self->from->role != LS_ACCESS_PLAIN && self->to->role != LS_ACCESS_PLAIN;
}

LsPolyKind
ls_poly_kind (LsPolyAccess *from,
              LsPolyAccess *to)
{
  return !from->is_write ? LS_POLY_WAR : to->is_write ? LS_POLY_WAW : LS_POLY_RAW;
}

/* ---- witness -------------------------------------------------------------------- */

static void
take_values (GArray    *values,
             isl_point *point,
             enum isl_dim_type type,
             guint      n)
{
  for (guint i = 0; i < n; i++)
    {
      isl_val *value = isl_point_get_coordinate_val (point, type, (int) i);
      gint64 number = value != NULL ? isl_val_get_num_si (value) : 0;

      g_array_append_val (values, number);
      isl_val_free (value);
    }
}

static void
fill_round (LsPolyRound *round,
            LsPolyPair        *pair,
            isl_set     *values)
{
  guint n = pair->same_loops ? pair->old->loops->len : pair->old->iter_vars->len;
  isl_point *point = isl_set_sample_point (values);

  round->block = pair->old->realize != NULL ? pair->old->realize->block : NULL;
  round->vars = g_ptr_array_new ();
  round->values = g_array_new (FALSE, FALSE, sizeof (gint64));
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (round->vars, pair->same_loops ? ((LsFor *) pair->old->loops->pdata[i])->loop_var : ((LsIterVar *) pair->old->iter_vars->pdata[i])->var);
  take_values (round->values, point, isl_dim_set, n);
  isl_point_free (point);
}

static isl_set *
elements_of (LsPolyConflict     *self,
             LsPolyPair         *pair,
             LsPolyAccess *access,
             isl_set      *round)
{
  gboolean exact = TRUE;
  isl_map *back = isl_map_reverse (ls_poly_naming (self->compare, pair, pair->old, &exact));

  return isl_set_apply (isl_set_apply (round, back), ls_poly_access (&self->compare->space, pair->old, access, &exact));
}

void
ls_poly_show (LsPolyConflict *self,
      isl_map  *pairs,
      gboolean  at_once)
{
  LsPolyVerdict *verdict = self->compare->verdict;
  isl_map *one = isl_map_from_basic_map (isl_map_sample (pairs));
  isl_set *first = isl_map_domain (isl_map_copy (one)), *second = isl_map_range (one);
  isl_set *elements;
  isl_point *point;

  verdict->answer = LS_POLY_BROKEN;
  verdict->kind = self->kind;
  verdict->buffer = self->from->buffer;
  verdict->at_once = at_once;
  fill_round (&verdict->first, self->a, isl_set_copy (first));
  fill_round (&verdict->second, self->b, isl_set_copy (second));
  elements = isl_set_intersect (elements_of (self, self->a, self->from, first), elements_of (self, self->b, self->to, second));
  point = isl_set_sample_point (elements);
  verdict->element = g_array_new (FALSE, FALSE, sizeof (gint64));
  take_values (verdict->element, point, isl_dim_set, ls_array_n (self->from->indices));
  isl_point_free (point);
}
