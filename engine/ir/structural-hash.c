/* structural-hash: a number that goes with structural equality (TVM's StructuralHash).
 *
 * The tree is walked as equal.c walks it: over the field tables, names that are hints left out, a variable in a field
 * that binds gets the next number, the functions of a module count in the order of their names.
 */
#include "engine/base/stack.h"
#include "engine/ir/structural.h"

#include <math.h>
#include <string.h>

#define DATA_END 1024           /* so many bytes of each end of a tensor count */

typedef struct {
  GHashTable *numbers;          /* variable or buffer -> its number */
  guint64     hash;
} Hasher;

static void hash_node (Hasher *self, LsNode *node, gboolean binds);

static void
mix (Hasher  *self,
     guint64  value)
{
  self->hash ^= value + 0x9e3779b97f4a7c15ull + (self->hash << 12) + (self->hash >> 4);
  self->hash *= 0xff51afd7ed558ccdull;
}

static void
mix_text (Hasher     *self,
          const char *text)
{
  mix (self, text != NULL ? g_str_hash (text) : 0);
}

double
ls_held_double (const void *node,
                double      value)
{
  return ls_is (node, FLOAT_IMM) ? ls_dtype_round (ls_dtype (node), value) : value;
}

static void
mix_double (Hasher *self,
            double  value)
{
  guint64 bits = 0;

  if (isnan (value))
    bits = 0x7ff8000000000000ull;
  else if (value != 0)
    memcpy (&bits, &value, sizeof bits);
  mix (self, bits);
}

static void
mix_dtype (Hasher  *self,
           LsDType  dtype)
{
  mix (self, ((guint64) dtype.code << 32) | ((guint64) dtype.bits << 16) | dtype.lanes);
}

static void
hash_plain (Hasher        *self,
            const LsField *field,
            LsNode        *node)
{
  const char *at = (const char *) node + field->offset;

  switch (field->type)
    {
    case LS_FIELD_NODE: break;
    case LS_FIELD_INT: mix (self, (guint64) *(const gint64 *) at); break;
    case LS_FIELD_FLOAT: mix_double (self, ls_held_double (node, *(const double *) at)); break;
    case LS_FIELD_BOOL:
    case LS_FIELD_ENUM: mix (self, (guint64) *(const int *) at); break;
    case LS_FIELD_STRING: mix_text (self, *(char *const *) at); break;
    case LS_FIELD_DTYPE: mix_dtype (self, *(const LsDType *) at); break;
    }
}

static void
hash_fields (Hasher   *self,
             LsNode   *node,
             gboolean  binds)
{
  guint child = 0;

  for (guint i = 0; i < node->klass->n_fields; i++)
    {
      const LsField *field = &node->klass->fields[i];
      guint k = child;

      child += field->type == LS_FIELD_NODE;
      if (field->flags & LS_FIELD_HINT)
        continue;
      if (field->type == LS_FIELD_NODE)
        hash_node (self, ls_node_get_child (node, k), binds || (field->flags & LS_FIELD_BINDS));
      else
        hash_plain (self, field, node);
    }
}

/* TRUE the first time that a variable or buffer is met; its number then counts everywhere. */
static gboolean
hash_number (Hasher   *self,
             LsNode   *node,
             gboolean  binds)
{
  gpointer number;

  if (g_hash_table_lookup_extended (self->numbers, node, NULL, &number))
    {
      mix (self, GPOINTER_TO_UINT (number));
      return FALSE;
    }
  if (!binds)
    {
      mix (self, (guint64) (guintptr) node);
      return FALSE;
    }
  g_hash_table_insert (self->numbers, node, GUINT_TO_POINTER (g_hash_table_size (self->numbers) + 1));
  return TRUE;
}

static int
by_name (gconstpointer a,
         gconstpointer b)
{
  return g_strcmp0 ((*(LsGlobalVar *const *) a)->name_hint, (*(LsGlobalVar *const *) b)->name_hint);
}

static void
hash_module (Hasher   *self,
             LsModule *module)
{
  g_autoptr (GPtrArray) order = g_ptr_array_new ();

  for (guint i = 0; i < module->global_vars->n; i++)
    g_ptr_array_add (order, module->global_vars->items[i]);
  g_ptr_array_sort (order, by_name);
  for (guint i = 0; i < order->len; i++)
    {
      const char *name = ((LsGlobalVar *) order->pdata[i])->name_hint;

      mix_text (self, name);
      hash_node (self, ls_module_get (module, name), FALSE);
    }
  if (module->attrs != NULL && module->attrs->n > 0)
    hash_node (self, LS_NODE (module->attrs), FALSE);
}

/* Both ends of large data: weights are hashed often, and seldom differ in the middle alone. */
static void
hash_data (Hasher *self,
           GBytes *data)
{
  gsize n;
  const guint8 *bytes = g_bytes_get_data (data, &n);
  gsize end = MIN (n, DATA_END);

  mix (self, n);
  for (gsize i = 0; i < end; i++)
    mix (self, (guint64) bytes[i] << 8 | bytes[n - 1 - i]);
}

static void
hash_map (Hasher   *self,
          LsMap    *map,
          gboolean  binds)
{
  guint64 sum = 0, outer = self->hash;

  for (guint i = 0; i < map->n; i++)
    {
      self->hash = 0;
      mix_text (self, map->keys[i]);
      hash_node (self, map->values[i], binds);
      sum += self->hash;
    }
  self->hash = outer;
  mix (self, sum);
}

typedef struct {
  Hasher   *self;
  LsNode   *node;
  gboolean  binds;
} Again;

static void
hash_again (gpointer data)
{
  Again *again = data;

  hash_node (again->self, again->node, again->binds);
}

static void
hash_node (Hasher   *self,
           LsNode   *node,
           gboolean  binds)
{
  if (ls_stack_is_short ())
    {
      ls_stack_extend (hash_again, &(Again) { self, node, binds });
      return;
    }
  if (node == NULL)
    {
      mix (self, 0);
      return;
    }
  mix (self, (guint64) ls_kind (node) + 1);
  if (node->klass->flags & LS_CLASS_EXPR)
    mix_dtype (self, ls_dtype (node));
  switch ((int) ls_kind (node))
    {
    case LS_KIND_VAR:
    case LS_KIND_SIZE_VAR:
      if (hash_number (self, node, binds))
        hash_node (self, LS_NODE (((LsVar *) node)->type_annotation), binds);
      break;
    case LS_KIND_RELAX_VAR:
    case LS_KIND_DATAFLOW_VAR:
      if (hash_number (self, node, binds))
        hash_node (self, ls_node_get_child (node, 0), binds);
      break;
    case LS_KIND_BUFFER:
      if (hash_number (self, node, TRUE))
        hash_fields (self, node, FALSE);
      break;
    case LS_KIND_GLOBAL_VAR: mix_text (self, ((LsGlobalVar *) node)->name_hint); break;
    case LS_KIND_OP: mix_text (self, ((LsOp *) node)->name); break;
    case LS_KIND_MODULE: hash_module (self, (LsModule *) node); break;
    case LS_KIND_MAP: hash_map (self, (LsMap *) node, binds); break;
    case LS_KIND_ARRAY:
      mix (self, ((LsArray *) node)->n);
      for (guint i = 0; i < ((LsArray *) node)->n; i++)
        hash_node (self, ((LsArray *) node)->items[i], binds);
      break;
    case LS_KIND_TENSOR:
      mix_dtype (self, ((LsTensor *) node)->dtype);
      hash_data (self, ((LsTensor *) node)->data);
      hash_fields (self, node, FALSE);
      break;
    case LS_KIND_POINTER_TYPE:
      {
        const char *scope = ((LsPointerType *) node)->storage_scope;

        mix_text (self, scope == NULL || scope[0] == '\0' ? "global" : scope);
        hash_node (self, ls_node_get_child (node, 0), FALSE);
        break;
      }
    default: hash_fields (self, node, binds);
    }
}

guint64
ls_structural_hash (gpointer root,
                    gboolean map_free)
{
  Hasher self = { g_hash_table_new (NULL, NULL), 0xcbf29ce484222325ull };

  hash_node (&self, root, map_free);
  g_hash_table_unref (self.numbers);
  return self.hash;
}
