/* relation: see the header.  Each relation is written as a text, which store.c reads. */
#include "engine/poly/relation.h"

/* ---- texts -------------------------------------------------------------------------- */

typedef struct {
  LsPolySpace *space;
  LsPolyNames  names;
  GString     *where;           /* conditions, joined */
  gboolean     exact;
} Text;

static void
text_init (Text        *self,
           LsPolySpace *space)
{
  self->space = space;
  self->names = (LsPolyNames) { g_hash_table_new_full (NULL, NULL, NULL, g_free), space->params };
  self->where = g_string_new (NULL);
  self->exact = TRUE;
}

static void
text_clear (Text *self)
{
  g_hash_table_unref (self->names.dims);
  g_string_free (self->where, TRUE);
}

static void
put_and (Text *self)
{
  if (self->where->len > 0)
    g_string_append (self->where, " and ");
}

static void
put_condition (Text   *self,
               LsExpr *condition)
{
  gsize length = self->where->len;

  put_and (self);
  if (ls_poly_put_condition (self->where, &self->names, condition))
    return;
  g_string_truncate (self->where, length);
  self->exact = FALSE;
}

/* name (sign) expression */
static gboolean
put_bound (Text       *self,
           const char *name,
           const char *sign,
           LsExpr     *expr)
{
  gsize length = self->where->len;
  g_autofree char *head = g_strdup_printf ("%s %s ", name, sign);

  put_and (self);
  if (ls_poly_put_bound (self->where, &self->names, head, expr, &self->exact))
    return TRUE;
  g_string_truncate (self->where, length);
  return FALSE;
}

/* min <= name < min + extent */
static void
put_range (Text       *self,
           const char *name,
           LsExpr     *min,
           LsExpr     *extent)
{
  g_autoptr(LsExpr) end = ls_add (ls_ref (min), ls_ref (extent));

  put_bound (self, name, ">=", min);
  put_bound (self, name, "<", end);
}

static char *
put_dim (Text       *self,
         LsFor      *loop,
         const char *prefix,
         guint       number)
{
  char *name = g_strdup_printf ("%s%u", prefix, number);

  g_hash_table_insert (self->names.dims, loop->loop_var, name);
  return name;
}

static void
put_loops (Text       *self,
           LsPolyLeaf *leaf)
{
  for (guint i = 0; i < leaf->loops->len; i++)
    {
      LsFor *loop = leaf->loops->pdata[i];
      char *name = put_dim (self, loop, "s", i);

      put_range (self, name, loop->min, loop->extent);
    }
  for (guint i = 0; i < leaf->conditions->len; i++)
    put_condition (self, leaf->conditions->pdata[i]);
}

static void
put_tuple (GString    *out,
           const char *prefix,
           guint       n)
{
  g_string_append_c (out, '[');
  for (guint i = 0; i < n; i++)
    g_string_append_printf (out, "%s%s%u", i > 0 ? ", " : "", prefix, i);
  g_string_append_c (out, ']');
}

/* (transfer full) */
static char *
whole_text (Text       *self,
            const char *from,
            guint       n_from,
            const char *to,
            guint       n_to,
            GString    *exists)
{
  GString *text = g_string_new (NULL);

  put_tuple (text, "p", self->space->params->len);
  g_string_append (text, " -> { ");
  put_tuple (text, from, n_from);
  g_string_append (text, " -> ");
  put_tuple (text, to, n_to);
  if (self->where->len > 0 && exists != NULL && exists->len > 0)
    g_string_append_printf (text, " : exists (%s : %s)", exists->str, self->where->str);
  else if (self->where->len > 0)
    g_string_append_printf (text, " : %s", self->where->str);
  g_string_append (text, " }");
  return g_string_free (text, FALSE);
}

/* (transfer full) */
static char *
access_text (LsPolySpace  *space,
             LsPolyLeaf   *leaf,
             LsPolyAccess *access,
             gboolean     *exact)
{
  g_autoptr(GString) exists = g_string_new (NULL);
  guint n = ls_array_n (access->indices);
  char *whole;
  Text text;

  text_init (&text, space);
  put_loops (&text, leaf);
  for (guint i = 0; i < access->inner->len; i++)
    {
      LsFor *loop = access->inner->pdata[i];
      char *name = put_dim (&text, loop, "x", i);

      g_string_append_printf (exists, "%s%s", i > 0 ? ", " : "", name);
      put_range (&text, name, loop->min, loop->extent);
    }
  for (guint i = 0; i < access->conditions->len; i++)
    put_condition (&text, access->conditions->pdata[i]);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("e%u", i);

      put_bound (&text, name, "=", ls_array_at (access->indices, i, LsExpr));
    }
  whole = whole_text (&text, "s", leaf->loops->len, "e", n, exists);
  *exact = text.exact && !access->is_vague;
  text_clear (&text);
  return whole;
}

/* (transfer full) */
static char *
instance_text (LsPolySpace *space,
               LsPolyLeaf  *leaf,
               gboolean    *exact)
{
  char *whole;
  Text text;

  text_init (&text, space);
  put_loops (&text, leaf);
  for (guint i = 0; i < leaf->iters->len; i++)
    {
      g_autofree char *name = g_strdup_printf ("v%u", i);

      put_bound (&text, name, "=", leaf->iters->pdata[i]);
    }
  whole = whole_text (&text, "s", leaf->loops->len, "v", leaf->iters->len, NULL);
  *exact = text.exact;
  text_clear (&text);
  return whole;
}

/* ---- kept relations --------------------------------------------------------------- */

typedef struct {
  char    *text;
  isl_map *map;                 /* NULL: not read yet, or the work grew too much */
  gboolean exact;
} Known;

static void
known_free (gpointer data)
{
  Known *self = data;

  isl_map_free (self->map);
  g_free (self->text);
  g_free (self);
}

void
ls_poly_space_init (LsPolySpace *self,
                    gulong       operations)
{
  self->store = ls_poly_store_take (operations);
  self->ctx = ls_poly_store_ctx (self->store);
  self->params = g_ptr_array_new ();
  self->known = g_hash_table_new_full (NULL, NULL, NULL, known_free);
}

void
ls_poly_space_clear (LsPolySpace *self)
{
  g_clear_pointer (&self->known, g_hash_table_unref);
  g_clear_pointer (&self->params, g_ptr_array_unref);
  g_clear_pointer (&self->store, ls_poly_store_give_back);
  self->ctx = NULL;
}

static Known *
know_access (LsPolySpace  *space,
             LsPolyLeaf   *leaf,
             LsPolyAccess *access)
{
  Known *known = g_hash_table_lookup (space->known, access);

  if (known == NULL)
    {
      known = g_new0 (Known, 1);
      known->text = access_text (space, leaf, access, &known->exact);
      g_hash_table_insert (space->known, access, known);
    }
  return known;
}

static Known *
know_instance (LsPolySpace *space,
               LsPolyLeaf  *leaf)
{
  Known *known = g_hash_table_lookup (space->known, leaf);

  if (known == NULL)
    {
      known = g_new0 (Known, 1);
      known->text = instance_text (space, leaf, &known->exact);
      g_hash_table_insert (space->known, leaf, known);
    }
  return known;
}

static isl_map *
map_of (LsPolySpace *space,
        Known       *known,
        gboolean    *exact)
{
  *exact &= known->exact;
  if (known->map == NULL)
    known->map = ls_poly_store_read (space->store, known->text);
  return isl_map_copy (known->map);
}

const char *
ls_poly_access_text (LsPolySpace  *space,
                     LsPolyLeaf   *leaf,
                     LsPolyAccess *access)
{
  return know_access (space, leaf, access)->text;
}

const char *
ls_poly_instance_text (LsPolySpace *space,
                       LsPolyLeaf  *leaf)
{
  return know_instance (space, leaf)->text;
}

isl_map *
ls_poly_access (LsPolySpace  *space,
                LsPolyLeaf   *leaf,
                LsPolyAccess *access,
                gboolean     *exact)
{
  return map_of (space, know_access (space, leaf, access), exact);
}

isl_map *
ls_poly_instance (LsPolySpace *space,
                  LsPolyLeaf  *leaf,
                  gboolean    *exact)
{
  return map_of (space, know_instance (space, leaf), exact);
}

/* ---- order ---------------------------------------------------------------------- */

static gint
number_of (LsPolyLeaf *dims,
           LsFor      *loop)
{
  for (guint i = 0; i < dims->loops->len; i++)
    if (((LsFor *) dims->loops->pdata[i])->loop_var == loop->loop_var)
      return (gint) i;
  return -1;
}

static gboolean
is_serial (LsFor *loop)
{
  return loop->kind == LS_FOR_SERIAL || loop->kind == LS_FOR_UNROLLED;
}

/* Some spatial variable of the two rounds differs. */
static void
put_other_sum (Text       *self,
               LsPolyLeaf *leaf,
               Text       *other)
{
  guint n = 0;

  put_and (self);
  g_string_append_c (self->where, '(');
  for (guint i = 0; i < leaf->iters->len; i++)
    {
      g_autoptr(GString) pair = g_string_new (NULL);

      if (((LsIterVar *) leaf->iter_vars->pdata[i])->iter_type != LS_ITER_DATA_PAR || !ls_poly_put_expr (pair, &self->names, leaf->iters->pdata[i]))
        continue;
      g_string_append (pair, " != ");
      if (ls_poly_put_expr (pair, &other->names, leaf->iters->pdata[i]))
        g_string_append_printf (self->where, "%s%s", n++ > 0 ? " or " : "", pair->str);
    }
  g_string_append (self->where, n > 0 ? ")" : "0 = 1)");
}

gboolean
ls_poly_may_be (LsPolyLeaf *a,
                guint       number_a,
                LsPolyLeaf *b,
                guint       number_b,
                LsOrder     order)
{
  for (guint k = 0; k < MIN (a->loops->len, b->loops->len) && a->loops->pdata[k] == b->loops->pdata[k]; k++)
    if (is_serial (a->loops->pdata[k]) == (order != LS_ORDER_AT_ONCE))
      return TRUE;
  return (order == LS_ORDER_BEFORE && number_a < number_b) || (order == LS_ORDER_AFTER && number_a > number_b);
}

char *
ls_poly_order_text (LsPolySpace *space,
                    LsPolyLeaf  *a,
                    LsPolyLeaf  *dims_a,
                    guint        number_a,
                    LsPolyLeaf  *b,
                    LsPolyLeaf  *dims_b,
                    guint        number_b,
                    LsOrder      order,
                    gboolean     sums)
{
  g_autoptr(GString) equal = g_string_new (NULL);
  g_autoptr(GString) text = g_string_new (NULL);
  guint n = 0, k = 0;
  Text left, right;
  char *whole;

  text_init (&left, space);
  text_init (&right, space);
  for (guint i = 0; i < a->loops->len; i++)
    put_dim (&left, a->loops->pdata[i], "s", (guint) number_of (dims_a, a->loops->pdata[i]));
  for (guint i = 0; i < b->loops->len; i++)
    put_dim (&right, b->loops->pdata[i], "t", (guint) number_of (dims_b, b->loops->pdata[i]));
  for (; k < MIN (a->loops->len, b->loops->len) && a->loops->pdata[k] == b->loops->pdata[k]; k++)
    {
      LsFor *loop = a->loops->pdata[k];
      gint s = number_of (dims_a, loop), t = number_of (dims_b, loop);
      const char *sign = order == LS_ORDER_BEFORE ? "<" : order == LS_ORDER_AFTER ? ">" : "!=";

      if (is_serial (loop) == (order != LS_ORDER_AT_ONCE))
        {
          g_string_append_printf (text, "%s(%ss%d %s t%d", n++ > 0 ? " or " : "", equal->str, s, sign, t);
          if (sums && loop->kind == LS_FOR_THREAD_BINDING)
            {
              put_other_sum (&left, a, &right);
              g_string_append_printf (text, " and %s", left.where->str);
              g_string_truncate (left.where, 0);
            }
          g_string_append_c (text, ')');
        }
      g_string_append_printf (equal, "s%d = t%d and ", s, t);
    }
  if ((order == LS_ORDER_BEFORE && number_a < number_b) || (order == LS_ORDER_AFTER && number_a > number_b))
    g_string_append_printf (text, "%s(%s0 = 0)", n++ > 0 ? " or " : "", equal->str);
  g_string_assign (left.where, n > 0 ? text->str : "0 = 1");
  whole = whole_text (&left, "s", dims_a->loops->len, "t", dims_b->loops->len, NULL);
  text_clear (&left);
  text_clear (&right);
  return whole;
}

isl_map *
ls_poly_order (LsPolySpace *space,
               LsPolyLeaf  *a,
               LsPolyLeaf  *dims_a,
               guint        number_a,
               LsPolyLeaf  *b,
               LsPolyLeaf  *dims_b,
               guint        number_b,
               LsOrder      order,
               gboolean     sums)
{
  g_autofree char *text = ls_poly_order_text (space, a, dims_a, number_a, b, dims_b, number_b, order, sums);

  return ls_poly_store_read (space->store, text);
}

isl_set *
ls_poly_context (LsPolySpace *space)
{
  g_autofree char *whole = NULL;
  Text text;

  text_init (&text, space);
  for (guint i = 0; i < space->around->len; i++)
    {
      LsFor *loop = space->around->pdata[i];
      LsBlock *block = ls_is (loop, BLOCK_REALIZE) ? ((LsBlockRealize *) loop)->block : NULL;
      guint at;

      for (guint k = 0; block != NULL && k < ls_array_n (block->iter_vars); k++)
        {
          LsIterVar *iter = ls_array_at (block->iter_vars, k, LsIterVar);

          if (g_ptr_array_find (space->params, iter->var, &at))
            {
              g_autofree char *name = g_strdup_printf ("p%u", at);

              put_range (&text, name, iter->dom->min, iter->dom->extent);
            }
        }
      if (block == NULL && g_ptr_array_find (space->params, loop->loop_var, &at))
        {
          g_autofree char *name = g_strdup_printf ("p%u", at);

          put_range (&text, name, loop->min, loop->extent);
        }
    }
  whole = whole_text (&text, "s", 0, "t", 0, NULL);
  text_clear (&text);
  return isl_map_params (ls_poly_store_read (space->store, whole));
}
