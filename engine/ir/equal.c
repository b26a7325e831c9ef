/* equal: structural equality up to the names of bound variables (TVM's StructuralEqual), and deep equality.
 *
 * Two trees are walked side by side over the field tables.  A variable that is met in a field that binds (a loop's
 * variable, a parameter, what a buffer introduces) is matched with its partner one to one; everywhere else it
 * must be the partner, or the same pointer.  Buffers are compared by what they are made of, with their data
 * pointers deciding which is which.  Functions of modules are matched by name.
 */
#include "engine/base/ptr-map.h"
#include "engine/base/stack.h"
#include "engine/ir/structural.h"

#include <math.h>
#include <string.h>

typedef struct {
  LsPtrMap    partner;          /* variable of a -> variable of b */
  LsPtrMap    taken;            /* variable of b -> variable of a */
  LsPtrMap    known;            /* buffer or statement of a -> of b: found equal before, and so for good, as no variable changes its partner */
  GArray     *steps_a;          /* NULL: nobody asks where the difference is */
  GArray     *steps_b;
  LsPath     *where_a;          /* of the first difference */
  LsPath     *where_b;
  const char *field;            /* plain field that differs there, or NULL */
} Compare;

static gboolean same (Compare *self, LsNode *a, LsNode *b, gboolean binds);

static LsPath *
current_path (GArray *steps)
{
  return ls_path_new ((const guint32 *) (gpointer) steps->data, steps->len);
}

static gboolean
differ (Compare *self)
{
  if (self->where_a == NULL && self->steps_a != NULL)
    {
      self->where_a = current_path (self->steps_a);
      self->where_b = current_path (self->steps_b);
    }
  return FALSE;
}

static void
step_down (Compare *self,
           guint32  in_a,
           guint32  in_b)
{
  if (self->steps_a == NULL)
    return;
  g_array_append_val (self->steps_a, in_a);
  g_array_append_val (self->steps_b, in_b);
}

static void
step_up (Compare *self)
{
  if (self->steps_a == NULL)
    return;
  g_array_set_size (self->steps_a, self->steps_a->len - 1);
  g_array_set_size (self->steps_b, self->steps_b->len - 1);
}

static gboolean
differ_in (Compare    *self,
           const char *field)
{
  if (self->where_a == NULL)
    self->field = field;
  return differ (self);
}

/* Two lists or dictionaries, one of which goes on after n. */
static gboolean
differ_after (Compare *self,
              guint32  in_a,
              guint32  in_b)
{
  step_down (self, in_a, in_b);
  differ (self);
  step_up (self);
  return FALSE;
}

/* Child `ia` of one node and `ib` of another, which are a and b. */
static gboolean
same_child (Compare  *self,
            LsNode   *a,
            guint32   ia,
            LsNode   *b,
            guint32   ib,
            gboolean  binds)
{
  gboolean result;

  step_down (self, ia, ib);
  result = same (self, a, b, binds);
  step_up (self);
  return result;
}

/* The numbers that their type holds, as structural-hash.c mixes them.  (TVM v0.20 takes those less than 1e-9 apart to be
 * one, which its hash does not, and which makes 1e-10 and 7e-10 the same.) */
static gboolean
same_double (const void *node,
             double      a,
             double      b)
{
  a = ls_held_double (node, a);
  b = ls_held_double (node, b);
  return a == b || (isnan (a) && isnan (b));
}

static gboolean
same_plain (const LsField *field,
            const void    *a,
            const void    *b,
            gboolean       exact)
{
  const char *at_a = (const char *) a + field->offset, *at_b = (const char *) b + field->offset;

  switch (field->type)
    {
    case LS_FIELD_NODE: return TRUE;
    case LS_FIELD_INT: return *(const gint64 *) at_a == *(const gint64 *) at_b;
    case LS_FIELD_FLOAT:
      return exact ? memcmp (at_a, at_b, sizeof (double)) == 0 : same_double (a, *(const double *) at_a, *(const double *) at_b);
    case LS_FIELD_BOOL:
    case LS_FIELD_ENUM: return *(const int *) at_a == *(const int *) at_b;
    case LS_FIELD_STRING: return g_strcmp0 (*(char *const *) at_a, *(char *const *) at_b) == 0;
    case LS_FIELD_DTYPE: return ls_dtype_equal (*(const LsDType *) at_a, *(const LsDType *) at_b);
    }
  return FALSE;
}

/* Which field is compared as the `i`-th: the body of a function before what is known of its result, so that the first
 * difference is the one that a reader looks for; the variable of a local function before the function, which may call itself. */
static guint
compared_at (LsNode *a,
             guint   i)
{
  if (ls_is (a, FUNCTION) && (i == 1 || i == 2))
    return 3 - i;
  if (ls_is (a, VAR_BINDING) && ls_is (ls_node_get_child (a, 0), FUNCTION))
    return 1 - i;
  return i;
}

static LsNode *
child_of (LsNode        *node,
          const LsField *field)
{
  return *(LsNode **) (gpointer) ((char *) node + field->offset);
}

/* Own fields in their order; those that bind open the search for partners. */
static gboolean
same_fields (Compare  *self,
             LsNode   *a,
             LsNode   *b,
             gboolean  binds)
{
  const LsNodeClass *klass = a->klass;
  guint32 child = 0;

  for (guint i = 0; i < klass->n_fields; i++)
    {
      guint at = compared_at (a, i);
      const LsField *field = &klass->fields[at];

      if (field->type == LS_FIELD_NODE)
        {
          guint32 k = at == i ? child : at;

          child++;
          if (!(field->flags & LS_FIELD_HINT) && !same_child (self, child_of (a, field), k, child_of (b, field), k, binds || (field->flags & LS_FIELD_BINDS)))
            return FALSE;
        }
      else if (!(field->flags & LS_FIELD_HINT) && !same_plain (field, a, b, FALSE))
        {
          return differ_in (self, field->name);
        }
    }
  return TRUE;
}

static gboolean
same_var (Compare  *self,
          LsVar    *a,
          LsVar    *b,
          gboolean  binds)
{
  gpointer partner = ls_ptr_map_get (&self->partner, a);

  if (partner != NULL)
    return partner == (gpointer) b || differ (self);
  if (!ls_dtype_equal (ls_dtype (a), ls_dtype (b)))
    return differ_in (self, "dtype");
  if (ls_ptr_map_contains (&self->taken, b) || (a != b && !binds))
    return differ (self);
  if (!same (self, a->type_annotation, b->type_annotation, binds))
    return FALSE;
  ls_ptr_map_set (&self->partner, a, b);
  ls_ptr_map_set (&self->taken, b, a);
  return TRUE;
}

/* Relax variables: matched like those of TensorIR; where they are bound, the shapes that they say bind theirs. */
static gboolean
same_relax_var (Compare  *self,
                LsNode   *a,
                LsNode   *b,
                gboolean  binds)
{
  gpointer partner = ls_ptr_map_get (&self->partner, a);

  if (partner != NULL)
    return partner == (gpointer) b || differ (self);
  if (ls_ptr_map_contains (&self->taken, b) || (a != b && !binds))
    return differ (self);
  if (!same_child (self, ls_node_get_child (a, 0), 0, ls_node_get_child (b, 0), 0, binds))
    return FALSE;
  ls_ptr_map_set (&self->partner, a, b);
  ls_ptr_map_set (&self->taken, b, a);
  return TRUE;
}

static gboolean
same_global_var (Compare *self,
                 LsNode  *a,
                 LsNode  *b)
{
  return g_str_equal (((LsGlobalVar *) a)->name_hint, ((LsGlobalVar *) b)->name_hint) || differ (self);
}

static gboolean
same_once (Compare  *self,
           LsNode   *a,
           LsNode   *b,
           gboolean  binds)
{
  if (ls_ptr_map_get (&self->known, a) == b)
    return TRUE;
  if (!same_fields (self, a, b, binds))
    return FALSE;
  ls_ptr_map_set (&self->known, a, b);
  return TRUE;
}

static gboolean
same_array (Compare  *self,
            LsArray  *a,
            LsArray  *b,
            gboolean  binds)
{
  for (guint i = 0; i < MIN (a->n, b->n); i++)
    if (!same_child (self, a->items[i], i, b->items[i], i, binds))
      return FALSE;
  return a->n == b->n || differ_after (self, MIN (a->n, b->n), MIN (a->n, b->n));
}

static guint32
key_of_map (LsMap      *map,
            const char *key)
{
  for (guint32 i = 0; i < map->n; i++)
    if (g_str_equal (map->keys[i], key))
      return i;
  return map->n;
}

static gboolean
same_map (Compare  *self,
          LsMap    *a,
          LsMap    *b,
          gboolean  binds)
{
  for (guint32 i = 0; i < a->n; i++)
    {
      guint32 k = key_of_map (b, a->keys[i]);

      if (k == b->n)
        return differ_after (self, i, b->n);
      if (!same_child (self, a->values[i], i, b->values[k], k, binds))
        return FALSE;
    }
  for (guint32 i = 0; i < b->n && b->n != a->n; i++)
    if (key_of_map (a, b->keys[i]) == a->n)
      return differ_after (self, a->n, i);
  return TRUE;
}

static gboolean
same_tensor (Compare  *self,
             LsTensor *a,
             LsTensor *b)
{
  if (!ls_dtype_equal (a->dtype, b->dtype) || !g_bytes_equal (a->data, b->data))
    return differ (self);
  return same_fields (self, LS_NODE (a), LS_NODE (b), FALSE);
}

static gboolean
same_pointer_type (Compare       *self,
                   LsPointerType *a,
                   LsPointerType *b)
{
  const char *scope_a = a->storage_scope != NULL && a->storage_scope[0] != '\0' ? a->storage_scope : "global";
  const char *scope_b = b->storage_scope != NULL && b->storage_scope[0] != '\0' ? b->storage_scope : "global";

  if (!g_str_equal (scope_a, scope_b))
    return differ (self);
  return same_child (self, ls_node_get_child (LS_NODE (a), 0), 0, ls_node_get_child (LS_NODE (b), 0), 0, FALSE);
}

/* ---- modules ------------------------------------------------------------------ */

/* Where the function of this name stands, or -1.  It is looked for at `guess` first; `*table` is made when it is not there. */
static int
find_function (LsModule    *module,
               const char  *name,
               guint32      guess,
               GHashTable **table)
{
  gpointer found;

  if (guess < module->global_vars->n && g_str_equal (ls_array_at (module->global_vars, guess, LsGlobalVar)->name_hint, name))
    return (int) guess;
  if (*table == NULL)
    {
      *table = g_hash_table_new (g_str_hash, g_str_equal);
      for (guint i = module->global_vars->n; i-- > 0;)
        g_hash_table_insert (*table, ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint, GUINT_TO_POINTER (i + 1));
    }
  found = g_hash_table_lookup (*table, name);
  return found != NULL ? (int) GPOINTER_TO_UINT (found) - 1 : -1;
}

/* A function that the other side has not. */
static gboolean
differ_at (Compare *self,
           GArray  *steps,
           guint32  i)
{
  if (steps != NULL)
    g_array_append_val (steps, i);
  differ (self);
  if (steps != NULL)
    g_array_set_size (steps, steps->len - 1);
  return FALSE;
}

/* The number of the NODE field at this offset. */
static guint32
child_number (const LsNode *node,
              gsize         offset)
{
  guint32 n = 0;

  for (guint i = 0; i < node->klass->n_fields && node->klass->fields[i].offset != offset; i++)
    n += node->klass->fields[i].type == LS_FIELD_NODE;
  return n;
}

static gboolean
same_functions (Compare  *self,
                LsModule *a,
                LsModule *b)
{
  g_autoptr (GHashTable) in_a = NULL, in_b = NULL;

  for (guint32 i = 0; i < a->functions->n; i++)
    {
      int k = find_function (b, ls_array_at (a->global_vars, i, LsGlobalVar)->name_hint, i, &in_b);

      if (k < 0)
        return differ_at (self, self->steps_a, i);
      if (!same_child (self, a->functions->items[i], i, b->functions->items[k], (guint32) k, FALSE))
        return FALSE;
    }
  for (guint32 i = 0; i < b->functions->n; i++)
    if (find_function (a, ls_array_at (b->global_vars, i, LsGlobalVar)->name_hint, i, &in_a) < 0)
      return differ_at (self, self->steps_b, i);
  return TRUE;
}

static gboolean
is_empty_map (LsMap *map)
{
  return map == NULL || map->n == 0;
}

static gboolean
same_module (Compare  *self,
             LsModule *a,
             LsModule *b)
{
  guint32 functions = child_number (LS_NODE (a), G_STRUCT_OFFSET (LsModule, functions));
  guint32 attrs = child_number (LS_NODE (a), G_STRUCT_OFFSET (LsModule, attrs));
  guint32 infos = child_number (LS_NODE (a), G_STRUCT_OFFSET (LsModule, global_infos));
  gboolean result;

  step_down (self, functions, functions);
  result = same_functions (self, a, b);
  step_up (self);
  if (result && !(is_empty_map (a->attrs) && is_empty_map (b->attrs)))
    result = same_child (self, LS_NODE (a->attrs), attrs, LS_NODE (b->attrs), attrs, FALSE);
  if (result && !(is_empty_map (a->global_infos) && is_empty_map (b->global_infos)))
    result = same_child (self, LS_NODE (a->global_infos), infos, LS_NODE (b->global_infos), infos, FALSE);
  return result;
}

/* ---- all ----------------------------------------------------------------------- */

typedef struct {
  Compare  *self;
  LsNode   *a, *b;
  gboolean  binds, result;
} Again;

static void
same_again (gpointer data)
{
  Again *again = data;

  again->result = same (again->self, again->a, again->b, again->binds);
}

static gboolean
same (Compare  *self,
      LsNode   *a,
      LsNode   *b,
      gboolean  binds)
{
  if (ls_stack_is_short ())
    {
      Again again = { self, a, b, binds, FALSE };

      ls_stack_extend (same_again, &again);
      return again.result;
    }
  if (a == NULL || b == NULL)
    return a == b || differ (self);
  if (ls_kind (a) != ls_kind (b))
    return differ (self);
  if (a == b && (a->klass->flags & LS_CLASS_IDENTITY) == 0 && (a->facts & (LS_FACT_HAS_VAR | LS_FACT_HAS_LOAD | LS_FACT_HAS_BLOCK)) == 0
      && (a->klass->flags & LS_CLASS_EXPR))
    return TRUE;
  if ((a->klass->flags & LS_CLASS_EXPR) && !ls_dtype_equal (ls_dtype (a), ls_dtype (b)))
    return differ_in (self, "dtype");
  switch ((int) ls_kind (a))
    {
    case LS_KIND_VAR:
    case LS_KIND_SIZE_VAR: return same_var (self, (LsVar *) a, (LsVar *) b, binds);
    case LS_KIND_RELAX_VAR:
    case LS_KIND_DATAFLOW_VAR: return same_relax_var (self, a, b, binds);
    case LS_KIND_OP: return a == b || differ (self);
    case LS_KIND_GLOBAL_VAR: return same_global_var (self, a, b);
    case LS_KIND_BUFFER: return same_once (self, a, b, FALSE);
    case LS_KIND_FOR:
    case LS_KIND_BLOCK_REALIZE: return same_once (self, a, b, binds);
    case LS_KIND_ARRAY: return same_array (self, (LsArray *) a, (LsArray *) b, binds);
    case LS_KIND_MAP: return same_map (self, (LsMap *) a, (LsMap *) b, binds);
    case LS_KIND_TENSOR: return same_tensor (self, (LsTensor *) a, (LsTensor *) b);
    case LS_KIND_POINTER_TYPE: return same_pointer_type (self, (LsPointerType *) a, (LsPointerType *) b);
    case LS_KIND_MODULE: return same_module (self, (LsModule *) a, (LsModule *) b);
    default: return same_fields (self, a, b, binds);
    }
}

/* ir knows no functions: one is told by its fields `params` and, beside it, `buffer_map`. */
static gboolean
is_by_parameter (LsNode *parent,
                 LsNode *node,
                 guint32 i)
{
  return parent != NULL && ls_is (parent, PRIM_FUNC) && ls_is (node, ARRAY) && ls_node_get_n_children (parent) > 1
         && node == ls_node_get_child (parent, 1) && i < ls_node_get_n_children (ls_node_get_child (parent, 0));
}

static const char *
parameter_name (LsNode  *func,
                guint32  i)
{
  return ((LsVar *) ls_node_get_child (ls_node_get_child (func, 0), i))->name;
}

/* One step of a path as TVM writes it. */
static void
append_step (GString *text,
             LsNode  *parent,
             LsNode  *node,
             guint32  i)
{
  g_autofree char *role = ls_node_dup_child_role (node, i);

  if (ls_is (node, ARRAY) && i >= ((LsArray *) node)->n)
    g_string_append_printf (text, "[<missing element #%u>]", i);
  else if (ls_is (node, MAP) && i >= ((LsMap *) node)->n)
    g_string_append (text, "[<missing entry>]");
  else if (is_by_parameter (parent, node, i))
    g_string_append_printf (text, "[%s]", parameter_name (parent, i));
  else if (parent != NULL && ls_is (parent, MODULE) && node == LS_NODE (((LsModule *) parent)->functions))
    g_string_append_printf (text, "[I.GlobalVar(\"%s\")]", ls_array_at (((LsModule *) parent)->global_vars, i, LsGlobalVar)->name_hint);
  else
    g_string_append_printf (text, "%s%s", role[0] == '[' ? "" : ".", role);
}

static char *
print_where (const LsPath *path,
             LsNode       *node,
             const char   *field)
{
  GString *text = g_string_new ("<root>");
  LsNode *parent = NULL;

  for (guint i = 0; path != NULL && node != NULL && i < path->n; i++)
    {
      append_step (text, parent, node, path->steps[i]);
      parent = node;
      node = path->steps[i] < ls_node_get_n_children (node) ? ls_node_get_child (node, path->steps[i]) : NULL;
    }
  if (field != NULL)
    g_string_append_printf (text, ".%s", field);
  return g_string_free (text, FALSE);
}

char *
ls_structural_path (gpointer      root,
                    const LsPath *path)
{
  return print_where (path, root, NULL);
}

static void
compare_clear (Compare *self)
{
  ls_path_free (self->where_a);
  ls_path_free (self->where_b);
  ls_ptr_map_clear (&self->partner);
  ls_ptr_map_clear (&self->taken);
  ls_ptr_map_clear (&self->known);
  g_clear_pointer (&self->steps_a, g_array_unref);
  g_clear_pointer (&self->steps_b, g_array_unref);
}

static gboolean
compare_once (Compare  *self,
              gpointer  a,
              gpointer  b,
              gboolean  map_free)
{
  ls_ptr_map_init (&self->partner, 0);
  ls_ptr_map_init (&self->taken, 0);
  ls_ptr_map_init (&self->known, 0);
  self->where_a = self->where_b = NULL;
  self->field = NULL;
  return same (self, a, b, map_free);
}

/* `where`: the place of a difference is asked for.  Most trees are the same, or it is not asked; so the places are noted in a second walk. */
static gboolean
compare (Compare  *self,
         gpointer  a,
         gpointer  b,
         gboolean  map_free,
         gboolean  where)
{
  self->steps_a = self->steps_b = NULL;
  if (compare_once (self, a, b, map_free))
    return TRUE;
  if (!where)
    return FALSE;
  compare_clear (self);
  self->steps_a = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->steps_b = g_array_new (FALSE, FALSE, sizeof (guint32));
  return compare_once (self, a, b, map_free);
}

/* The place as a path that can be followed: where an item is missing, the list that lacks it. */
static char *
print_existing (LsPath *path,
                LsNode *root)
{
  g_autofree LsPath *shorter = NULL;
  LsNode *parent;

  if (path == NULL || path->n == 0)
    return g_strdup ("");
  shorter = ls_path_new (path->steps, path->n - 1);
  parent = ls_path_get (shorter, root);
  return ls_path_print (parent != NULL && path->steps[path->n - 1] < ls_node_get_n_children (parent) ? path : shorter, root);
}

gboolean
ls_structural_equal (gpointer   a,
                     gpointer   b,
                     gboolean   map_free,
                     char     **mismatch_a,
                     char     **mismatch_b)
{
  Compare self;
  gboolean result = compare (&self, a, b, map_free, mismatch_a != NULL || mismatch_b != NULL);

  if (mismatch_a != NULL)
    *mismatch_a = result ? NULL : print_existing (self.where_a, a);
  if (mismatch_b != NULL)
    *mismatch_b = result ? NULL : print_existing (self.where_b, b);
  compare_clear (&self);
  return result;
}

gboolean
ls_structural_mismatch (gpointer   a,
                        gpointer   b,
                        gboolean   map_free,
                        char     **mismatch_a,
                        char     **mismatch_b)
{
  Compare self;
  gboolean result = compare (&self, a, b, map_free, mismatch_a != NULL || mismatch_b != NULL);

  *mismatch_a = result ? NULL : print_where (self.where_a, a, self.field);
  *mismatch_b = result ? NULL : print_where (self.where_b, b, self.field);
  compare_clear (&self);
  return result;
}

/* ---- deep equality ----------------------------------------------------------------- */

typedef struct {
  const LsNode *a, *b;
  gboolean      result;
} AgainDeep;

static void deep_again (gpointer data);

static gboolean
deep_equal (const LsNode *a,
            const LsNode *b)
{
  const LsNodeClass *klass;
  guint n;

  if (a == b)
    return TRUE;
  if (a == NULL || b == NULL || a->klass != b->klass || a->hash != b->hash || (a->klass->flags & LS_CLASS_IDENTITY))
    return FALSE;
  if (ls_stack_is_short ())
    {
      AgainDeep again = { a, b, FALSE };

      ls_stack_extend (deep_again, &again);
      return again.result;
    }
  klass = a->klass;
  n = ls_node_get_n_children (a);
  if (n != ls_node_get_n_children (b) || ((klass->flags & LS_CLASS_EXPR) && !ls_dtype_equal (ls_dtype (a), ls_dtype (b))))
    return FALSE;
  for (guint i = 0; i < klass->n_fields; i++)
    if (!(klass->fields[i].flags & LS_FIELD_HINT) && !same_plain (&klass->fields[i], a, b, TRUE))
      return FALSE;
  if (klass->kind == LS_KIND_TENSOR && !g_bytes_equal (((const LsTensor *) a)->data, ((const LsTensor *) b)->data))
    return FALSE;
  if (klass->kind == LS_KIND_MAP)
    for (guint i = 0; i < n; i++)
      if (!g_str_equal (((const LsMap *) a)->keys[i], ((const LsMap *) b)->keys[i]))
        return FALSE;
  for (guint i = 0; i < n; i++)
    if (!deep_equal (ls_node_get_child (a, i), ls_node_get_child (b, i)))
      return FALSE;
  return TRUE;
}

static void
deep_again (gpointer data)
{
  AgainDeep *again = data;

  again->result = deep_equal (again->a, again->b);
}

gboolean
ls_deep_equal (const void *a,
               const void *b)
{
  return deep_equal (a, b);
}
