/* relation: see the header.  Each relation is written as a text; to read it takes isl longer than most that is asked of it, and the
 * steps that are tried one after the other ask the same, so that each thread keeps those it read. */
#include "engine/poly/relation.h"

#define MOST_KEPT 2048

/* ---- what a thread keeps ------------------------------------------------------------ */

typedef struct {
  isl_ctx    *ctx;
  GHashTable *read;             /* text, owned -> isl_map, owned */
  gulong      operations;       /* of the comparison that has it */
  gboolean    is_taken;
} Store;

static void
map_free (gpointer map)
{
  isl_map_free (map);
}

static Store *
store_new (void)
{
  Store *self = g_new0 (Store, 1);

  self->ctx = isl_ctx_alloc ();
  isl_options_set_on_error (self->ctx, ISL_ON_ERROR_CONTINUE);
  self->read = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, map_free);
  return self;
}

static void
store_free (gpointer data)
{
  Store *self = data;

  g_hash_table_unref (self->read);
  isl_ctx_free (self->ctx);
  g_free (self);
}

static GPrivate thread_store = G_PRIVATE_INIT (store_free);

/* The thread's own, or another one where a comparison within a comparison finds that taken. */
static Store *
store_take (gulong operations)
{
  Store *self = g_private_get (&thread_store);

  if (self == NULL)
    g_private_set (&thread_store, self = store_new ());
  if (self->is_taken)
    self = store_new ();
  self->is_taken = TRUE;
  self->operations = operations;
  isl_ctx_reset_error (self->ctx);
  isl_ctx_reset_operations (self->ctx);
  isl_ctx_set_max_operations (self->ctx, operations);
  return self;
}

static void
store_give_back (Store *self)
{
  self->is_taken = FALSE;
  if (self != g_private_get (&thread_store))
    store_free (self);
  else if (g_hash_table_size (self->read) > MOST_KEPT)
    g_hash_table_remove_all (self->read);
}

/* Reading is not counted: how much a comparison may do must not depend on what was read before. */
static isl_map *
store_read (Store      *self,
            const char *text)
{
  isl_map *map = g_hash_table_lookup (self->read, text);

  if (map == NULL)
    {
      isl_ctx_set_max_operations (self->ctx, 0);
      map = isl_map_read_from_str (self->ctx, text);
      isl_ctx_set_max_operations (self->ctx, self->operations);
      if (map == NULL)
        return NULL;
      g_hash_table_insert (self->read, g_strdup (text), map);
    }
  return isl_map_copy (map);
}

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

static isl_map *
read_map (Text       *self,
          const char *from,
          guint       n_from,
          const char *to,
          guint       n_to,
          GString    *exists)
{
  g_autoptr(GString) text = g_string_new (NULL);

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
  return store_read (self->space->store, text->str);
}

static isl_map *
access_new (LsPolySpace  *space,
                LsPolyLeaf   *leaf,
                LsPolyAccess *access,
                gboolean     *exact)
{
  g_autoptr(GString) exists = g_string_new (NULL);
  guint n = ls_array_n (access->indices);
  isl_map *map;
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
  map = read_map (&text, "s", leaf->loops->len, "e", n, exists);
  *exact &= text.exact && !access->is_vague;
  text_clear (&text);
  return map;
}

static isl_map *
instance_new (LsPolySpace *space,
                  LsPolyLeaf  *leaf,
                  gboolean    *exact)
{
  isl_map *map;
  Text text;

  text_init (&text, space);
  put_loops (&text, leaf);
  for (guint i = 0; i < leaf->iters->len; i++)
    {
      g_autofree char *name = g_strdup_printf ("v%u", i);

      put_bound (&text, name, "=", leaf->iters->pdata[i]);
    }
  map = read_map (&text, "s", leaf->loops->len, "v", leaf->iters->len, NULL);
  *exact &= text.exact;
  text_clear (&text);
  return map;
}

/* ---- kept relations --------------------------------------------------------------- */

typedef struct {
  isl_map *map;
  gboolean exact;
} Known;

static void
known_free (gpointer data)
{
  isl_map_free (((Known *) data)->map);
  g_free (data);
}

void
ls_poly_space_init (LsPolySpace *self,
                    gulong       operations)
{
  Store *store = store_take (operations);

  self->store = store;
  self->ctx = store->ctx;
  self->params = g_ptr_array_new ();
  self->known = g_hash_table_new_full (NULL, NULL, NULL, known_free);
}

void
ls_poly_space_clear (LsPolySpace *self)
{
  g_clear_pointer (&self->known, g_hash_table_unref);
  g_clear_pointer (&self->params, g_ptr_array_unref);
  g_clear_pointer (&self->store, store_give_back);
  self->ctx = NULL;
}

static isl_map *
recall (LsPolySpace *space,
        gpointer     key,
        gboolean    *exact)
{
  Known *known = g_hash_table_lookup (space->known, key);

  if (known == NULL)
    return NULL;
  *exact &= known->exact;
  return isl_map_copy (known->map);
}

static isl_map *
remember (LsPolySpace *space,
          gpointer     key,
          isl_map     *map,
          gboolean     is_exact,
          gboolean    *exact)
{
  Known *known = g_new (Known, 1);

  *known = (Known) { map, is_exact };
  g_hash_table_insert (space->known, key, known);
  *exact &= is_exact;
  return isl_map_copy (map);
}

isl_map *
ls_poly_access (LsPolySpace  *space,
                LsPolyLeaf   *leaf,
                LsPolyAccess *access,
                gboolean     *exact)
{
  isl_map *map = recall (space, access, exact);
  gboolean is_exact = TRUE;

  if (map != NULL)
    return map;
  map = access_new (space, leaf, access, &is_exact);
  return remember (space, access, map, is_exact, exact);
}

isl_map *
ls_poly_instance (LsPolySpace *space,
                  LsPolyLeaf  *leaf,
                  gboolean    *exact)
{
  isl_map *map = recall (space, leaf, exact);
  gboolean is_exact = TRUE;

  if (map != NULL)
    return map;
  map = instance_new (space, leaf, &is_exact);
  return remember (space, leaf, map, is_exact, exact);
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
  g_autoptr(GString) equal = g_string_new (NULL);
  g_autoptr(GString) text = g_string_new (NULL);
  guint n = 0, k = 0;
  Text left, right;
  isl_map *map;

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
  map = read_map (&left, "s", dims_a->loops->len, "t", dims_b->loops->len, NULL);
  text_clear (&left);
  text_clear (&right);
  return map;
}

isl_set *
ls_poly_context (LsPolySpace *space)
{
  isl_map *map;
  isl_set *set;
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
  map = read_map (&text, "s", 0, "t", 0, NULL);
  set = isl_map_params (map);
  text_clear (&text);
  return set;
}
