/* graph-match: one graph held against another, of which one was made of the other by passes: the same tensors, and how far they are apart.
 *
 * What the passes noted (engine/relax/lineage.h) comes first: a variable of the one graph is followed back to the module before it was
 * legalized, through the passes, and on through the other one's legalizing.  For what nothing was noted for, and for two files, a value is
 * looked for by what makes it.  The answer says which of the two it was.
 */
#include "engine/debug/debug-private.h"

#include <math.h>
#include <string.h>

static LsGraphValue *
value_at (LsDebugGraph *self,
          guint         number)
{
  return self->values->pdata[number];
}

const char *
ls_graph_why_name (LsGraphWhy why)
{
  static const char *const NAMES[] = { "", "lineage", "position", "structure", "name", "result" };

  return NAMES[why];
}

/* ---- by what makes them ------------------------------------------------------------------------ */

static gboolean
is_alike (const LsGraphValue *a,
          const LsGraphValue *b)
{
  return a->trouble == NULL && b->trouble == NULL && a->n == b->n && a->ndim == b->ndim && memcmp (a->shape, b->shape, sizeof (gint64) * a->ndim) == 0;
}

/* What a value is but for its type: behind conversions. */
static guint
plain (LsDebugGraph *self,
       guint         number)
{
  const LsGraphValue *value = value_at (self, number);

  while (strcmp (value->op, "relax.astype") == 0 && value->inputs->len == 1)
    value = value_at (self, g_array_index (value->inputs, guint, 0));
  return value->number;
}

/* The inputs of both are matched with each other. */
static gboolean
has_same_inputs (LsDebugGraph       *self,
                 const LsGraphValue *a,
                 LsDebugGraph       *other,
                 const LsGraphValue *b,
                 GArray             *likes)
{
  if (a->inputs->len != b->inputs->len || a->inputs->len == 0)
    return FALSE;
  for (guint i = 0; i < a->inputs->len; i++)
    {
      int like = g_array_index (likes, LsGraphLike, plain (self, g_array_index (a->inputs, guint, i))).other;

      if (like < 0 || plain (other, (guint) like) != plain (other, g_array_index (b->inputs, guint, i)))
        return FALSE;
    }
  return TRUE;
}

/* How sure it is that `b` is what became of `a`; 0: it is not.  Names alone say little: a pass that adds bindings numbers the later ones anew. */
static int
likeness (LsDebugGraph       *self,
          const LsGraphValue *a,
          LsDebugGraph       *other,
          const LsGraphValue *b,
          GArray             *likes)
{
  gboolean op = strcmp (a->op, b->op) == 0, name = strcmp (a->name, b->name) == 0, inputs = has_same_inputs (self, a, other, b, likes);

  if (strcmp (a->op, "constant") == 0 || strcmp (b->op, "constant") == 0)
    return op && is_alike (a, b) && ls_dtype_equal (a->dtype, b->dtype) && memcmp (a->data, b->data, (gsize) a->n * ls_dtype_bytes (a->dtype)) == 0 ? 5 : 0;
  if (op && inputs)
    return name ? 6 : 5;
  if (!is_alike (a, b))
    return 0;
  return name && op ? 4 : name && inputs ? 3 : inputs ? 2 : name ? 1 : 0;
}

/* The most like of those that nothing else is like. */
static LsGraphLike
by_structure (LsDebugGraph       *self,
              const LsGraphValue *value,
              LsDebugGraph       *other,
              GArray             *likes,
              const gboolean     *taken)
{
  LsGraphLike like = { -1, LS_GRAPH_LIKE_NONE };
  int rank = 0;

  for (guint k = 0; k < other->values->len; k++)
    {
      const LsGraphValue *one = value_at (other, k);
      int how = taken[k] || strcmp (one->op, "parameter") == 0 ? 0 : likeness (self, value, other, one, likes);

      if (how > rank)
        {
          rank = how;
          like.other = (int) k;
        }
    }
  if (rank > 0)
    like.why = rank == 1 ? LS_GRAPH_LIKE_NAME : LS_GRAPH_LIKE_STRUCTURE;
  return like;
}

static LsGraphLike
by_position (LsDebugGraph *self,
             guint         number,
             LsDebugGraph *other)
{
  guint nth = 0, at = 0;

  for (guint i = 0; i < number; i++)
    nth += strcmp (value_at (self, i)->op, "parameter") == 0;
  for (guint k = 0; k < other->values->len; k++)
    if (strcmp (value_at (other, k)->op, "parameter") == 0 && at++ == nth)
      return (LsGraphLike) { (int) k, LS_GRAPH_LIKE_POSITION };
  return (LsGraphLike) { -1, LS_GRAPH_LIKE_NONE };
}

/* ---- by lineage ---------------------------------------------------------------------------------- */

/* The values of the other graph that a variable of it stood for, each time it was bound, where it has as many fields as the place. */
static void
add_bound (GPtrArray          *found,
           const LsGraphPlace *place,
           LsDebugGraph       *other,
           LsRelaxVar         *var)
{
  GPtrArray *times = g_hash_table_lookup (other->bound, var);

  for (guint i = 0; times != NULL && i < times->len; i++)
    {
      GPtrArray *fields = times->pdata[i];

      if (fields->len == place->n_fields && !g_ptr_array_find (found, fields->pdata[place->field], NULL))
        g_ptr_array_add (found, fields->pdata[place->field]);
    }
}

/* All that became of what a place stands for. (transfer container) */
static GPtrArray *
follow (LsDebugGraph       *self,
        const LsGraphPlace *place,
        LsDebugGraph       *other,
        LsRelaxLineage     *passes)
{
  GPtrArray *found = g_ptr_array_new ();
  g_autoptr (GPtrArray) origins = ls_relax_lineage_before (self->legalized, place->var);

  for (guint i = 0; i < origins->len; i++)
    {
      g_autoptr (GPtrArray) passed = ls_relax_lineage_after (passes, origins->pdata[i]);

      for (guint k = 0; k < passed->len; k++)
        {
          g_autoptr (GPtrArray) now = ls_relax_lineage_after (other->legalized, passed->pdata[k]);

          for (guint v = 0; v < now->len; v++)
            add_bound (found, place, other, now->pdata[v]);
        }
    }
  return found;
}

/* A function that is called several times binds its variables as often; copies of it where it was called stand in the order of the calls. */
static LsGraphValue *
choose (const LsGraphValue *value,
        const LsGraphPlace *place,
        GPtrArray          *found)
{
  LsGraphValue *last = NULL;
  guint nth = 0;

  for (guint i = 0; i < found->len; i++)
    if (is_alike (value, found->pdata[i]))
      {
        last = found->pdata[i];
        if (nth++ == place->time)
          break;
      }
  return last;
}

/* Something of the same shape, else something of another one. */
static LsGraphLike
by_lineage (LsDebugGraph       *self,
            const LsGraphValue *value,
            LsDebugGraph       *other,
            LsRelaxLineage     *passes)
{
  LsGraphValue *any = NULL;

  for (guint i = 0; i < value->places->len; i++)
    {
      const LsGraphPlace *place = &g_array_index (value->places, LsGraphPlace, i);
      g_autoptr (GPtrArray) found = follow (self, place, other, passes);
      LsGraphValue *one = choose (value, place, found);

      if (one != NULL)
        return (LsGraphLike) { (int) one->number, LS_GRAPH_LIKE_LINEAGE };
      if (any == NULL && found->len > 0)
        any = found->pdata[0];
    }
  return any != NULL ? (LsGraphLike) { (int) any->number, LS_GRAPH_LIKE_LINEAGE } : (LsGraphLike) { -1, LS_GRAPH_LIKE_NONE };
}

/* ---- all of them ------------------------------------------------------------------------------------ */

/* A parameter that the passes took away is not the one that has its number now. */
static LsGraphLike
without_lineage (LsDebugGraph   *self,
                 guint           number,
                 LsDebugGraph   *other,
                 GArray         *likes,
                 const gboolean *taken,
                 gboolean        is_recorded)
{
  const LsGraphValue *value = value_at (self, number);
  LsGraphLike like;

  if (strcmp (value->op, "parameter") != 0)
    return by_structure (self, value, other, likes, taken);
  like = by_position (self, number, other);
  if (like.other >= 0 && is_recorded && (taken[like.other] || !is_alike (value, value_at (other, (guint) like.other))))
    return (LsGraphLike) { -1, LS_GRAPH_LIKE_NONE };
  return like;
}

GArray *
ls_debug_graph_match (LsDebugGraph   *self,
                      LsDebugGraph   *other,
                      LsRelaxLineage *passes)
{
  GArray *likes = g_array_sized_new (FALSE, FALSE, sizeof (LsGraphLike), self->values->len);
  g_autofree gboolean *taken = g_new0 (gboolean, other->values->len + 1);

  for (guint i = 0; i < self->values->len; i++)
    {
      LsGraphLike like = { -1, LS_GRAPH_LIKE_NONE };

      if (passes != NULL)
        like = by_lineage (self, value_at (self, i), other, passes);
      if (like.other >= 0)
        taken[like.other] = TRUE;
      g_array_append_val (likes, like);
    }
  for (guint i = 0; i < self->values->len; i++)
    {
      LsGraphLike *like = &g_array_index (likes, LsGraphLike, i);

      if (like->other >= 0)
        continue;
      *like = without_lineage (self, i, other, likes, taken, passes != NULL);
      if (like->other >= 0)
        taken[like->other] = TRUE;
    }
  if (self->result >= 0 && other->result >= 0 && g_array_index (likes, LsGraphLike, self->result).other < 0 && !taken[other->result])
    g_array_index (likes, LsGraphLike, self->result) = (LsGraphLike) { other->result, LS_GRAPH_LIKE_RESULT };
  return likes;
}

/* ---- how far they are apart ----------------------------------------------------------------------------- */

/* Puts how far `other` is from a value of the same shape into the answer. */
static void
put_distance (GVariantDict       *dict,
              const LsGraphValue *a,
              LsDType             dtype,
              const guint8       *other)
{
  double worst = -1, sum = 0, scale = 0;
  gint64 n_other = 0, place = -1;

  for (gint64 i = 0; i < a->n; i++)
    {
      double x = ls_interp_load (a->dtype, a->data + i * ls_dtype_bytes (a->dtype)), y = ls_interp_load (dtype, other + i * ls_dtype_bytes (dtype));
      double distance = x == y || (isnan (x) && isnan (y)) ? 0 : isfinite (x) && isfinite (y) ? fabs (x - y) : INFINITY;

      n_other += distance > 0;
      scale = isfinite (x) ? fmax (scale, fabs (x)) : scale;
      sum += isfinite (distance) ? distance : 0;
      if (distance > worst)
        {
          worst = distance;
          place = i;
        }
    }
  g_variant_dict_insert (dict, "error", "d", fmax (worst, 0));
  g_variant_dict_insert (dict, "relative", "d", worst > 0 ? worst / fmax (scale, 1e-300) : 0.0);
  g_variant_dict_insert (dict, "mean-error", "d", a->n > 0 ? sum / (double) a->n : 0.0);
  g_variant_dict_insert (dict, "differ", "x", n_other);
  g_variant_dict_insert (dict, "n", "x", a->n);
  if (worst > 0)
    {
      g_autofree char *words = ls_debug_graph_element (a, place);

      g_variant_dict_insert (dict, "place", "s", words);
    }
}

GVariant *
ls_debug_graph_compare_array (LsDebugGraph *self,
                              guint         number,
                              const char   *name,
                              LsNDArray    *array)
{
  const LsGraphValue *a = value_at (self, number);
  LsDType dtype = ls_debug_dtype_of_dl (array->tensor.dtype);
  gboolean same = a->trouble == NULL && array->tensor.ndim == (int) a->ndim && memcmp (array->tensor.shape, a->shape, a->ndim * sizeof (gint64)) == 0;
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "binding", "s", a->name);
  g_variant_dict_insert (&dict, "other", "s", name);
  g_variant_dict_insert (&dict, "op", "s", a->op);
  g_variant_dict_insert (&dict, "number", "u", number);
  g_variant_dict_insert (&dict, "matched", "s", ls_graph_why_name (LS_GRAPH_LIKE_LINEAGE));
  g_variant_dict_insert (&dict, "type", "s", ls_dtype_name (a->dtype));
  g_variant_dict_insert (&dict, "other-type", "s", ls_dtype_name (dtype));
  if (same)
    put_distance (&dict, a, dtype, array->tensor.data);
  else
    g_variant_dict_insert (&dict, "trouble", "s", a->trouble != NULL ? a->trouble : ls_translate ("they have different shapes"));
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

GVariant *
ls_debug_graph_compare (LsDebugGraph *self,
                        guint         number,
                        LsDebugGraph *other,
                        LsGraphLike   like)
{
  const LsGraphValue *a = value_at (self, number), *b = value_at (other, (guint) like.other);
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "binding", "s", a->name);
  g_variant_dict_insert (&dict, "other", "s", b->name);
  g_variant_dict_insert (&dict, "op", "s", a->op);
  g_variant_dict_insert (&dict, "other-op", "s", b->op);
  g_variant_dict_insert (&dict, "number", "u", number);
  g_variant_dict_insert (&dict, "other-number", "u", (guint) like.other);
  g_variant_dict_insert (&dict, "matched", "s", ls_graph_why_name (like.why));
  g_variant_dict_insert (&dict, "type", "s", ls_dtype_name (a->dtype));
  g_variant_dict_insert (&dict, "other-type", "s", ls_dtype_name (b->dtype));
  if (!is_alike (a, b))
    {
      g_variant_dict_insert (&dict, "trouble", "s", a->trouble != NULL ? a->trouble : b->trouble != NULL ? b->trouble : ls_translate ("they have different shapes"));
      return g_variant_ref_sink (g_variant_dict_end (&dict));
    }
  put_distance (&dict, a, b->dtype, b->data);
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}
