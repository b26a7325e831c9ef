/* node: allocation, references, and children by number.
 *
 * A node's class says where its fields are; everything generic (walk, rewrite, equality,
 * hash, diff, repr, property panel) is written against that table.  Releasing works off a
 * list instead of recursing, so that a chain of any length does not overflow the stack.
 */
#include "engine/ir/ir-private.h"

#include <string.h>

static const LsNodeClass *const *
class_table (void)
{
  static const LsNodeClass *classes[128];
  static gsize ready;

  if (g_once_init_enter (&ready))
    {
      ls_ir_fill_classes (classes);
      g_once_init_leave (&ready, 1);
    }
  return classes;
}

static const LsNodeClass *const *extra_classes;
static guint n_extra_classes;

void
ls_class_register (const LsNodeClass *const *classes,
                   guint                     n)
{
  extra_classes = classes;
  n_extra_classes = n;
}

const LsNodeClass *
ls_class_get (LsKind kind)
{
  const LsNodeClass *klass = class_table ()[kind];

  for (guint i = 0; klass == NULL && i < n_extra_classes; i++)
    if (extra_classes[i]->kind == kind)
      klass = extra_classes[i];
  return klass;
}

gpointer
ls_node_alloc (const LsNodeClass *klass)
{
  LsNode *node = g_malloc0 (klass->size);

  node->klass = klass;
  g_atomic_ref_count_init (&node->refs);
  return node;
}

static inline guint32
mix (guint32 h,
     guint32 v)
{
  h ^= v + 0x9e3779b9u + (h << 6) + (h >> 2);
  return h;
}

static guint32
own_facts (const LsNode *node)
{
  switch ((int) node->klass->kind)
    {
    case LS_KIND_VAR:
    case LS_KIND_SIZE_VAR:
      return LS_FACT_HAS_VAR;
    case LS_KIND_BUFFER_LOAD:
    case LS_KIND_PRODUCER_LOAD:
      return LS_FACT_HAS_LOAD;
    case LS_KIND_CALL:
      return LS_FACT_HAS_CALL;
    case LS_KIND_BLOCK:
      return LS_FACT_HAS_BLOCK;
    case LS_KIND_REDUCE:
      return LS_FACT_HAS_REDUCTION;
    default:
      return 0;
    }
}

static guint32
hash_field (const LsNode  *node,
            const LsField *field,
            guint32        h)
{
  const char *at = (const char *) node + field->offset;

  switch (field->type)
    {
    case LS_FIELD_NODE:
      break;
    case LS_FIELD_INT:
      {
        gint64 v = *(const gint64 *) at;
        h = mix (mix (h, (guint32) v), (guint32) (v >> 32));
        break;
      }
    case LS_FIELD_FLOAT:
      {
        guint64 v;
        memcpy (&v, at, sizeof v);
        h = mix (mix (h, (guint32) v), (guint32) (v >> 32));
        break;
      }
    case LS_FIELD_BOOL:
    case LS_FIELD_ENUM:
      h = mix (h, (guint32) *(const int *) at);
      break;
    case LS_FIELD_STRING:
      h = mix (h, *(char *const *) at != NULL ? g_str_hash (*(char *const *) at) : 0);
      break;
    case LS_FIELD_DTYPE:
      {
        guint32 v;
        memcpy (&v, at, sizeof v);
        h = mix (h, v);
        break;
      }
    }
  return h;
}

gpointer
ls_node_finish (gpointer self)
{
  LsNode *node = self;
  const LsNodeClass *klass = node->klass;
  guint32 h = mix (0x811c9dc5u, (guint32) klass->kind);
  guint n = ls_node_get_n_children (node);

  node->facts = own_facts (node);
  if (klass->flags & LS_CLASS_EXPR)
    {
      guint32 v;
      memcpy (&v, &((LsExpr *) node)->dtype, sizeof v);
      h = mix (h, v);
    }
  if (!(klass->flags & LS_CLASS_IDENTITY))
    {
      for (guint i = 0; i < klass->n_fields; i++)
        if (!(klass->fields[i].flags & LS_FIELD_HINT))
          h = hash_field (node, &klass->fields[i], h);
      for (guint i = 0; i < n; i++)
        {
          LsNode *child = ls_node_get_child (node, i);

          h = mix (h, child != NULL ? child->hash : 0);
          node->facts |= child != NULL ? child->facts : 0;
        }
      if (klass->kind == LS_KIND_MAP)
        for (guint i = 0; i < n; i++)
          h = mix (h, g_str_hash (((LsMap *) node)->keys[i]));
    }
  node->hash = h;
  return node;
}

LsNode *
ls_node_ref (LsNode *node)
{
  if (node != NULL)
    g_atomic_ref_count_inc (&node->refs);
  return node;
}

static void
push_dead (LsNode    *node,
           GPtrArray *dead)
{
  if (node != NULL && g_atomic_ref_count_dec (&node->refs))
    g_ptr_array_add (dead, node);
}

static void
release_fields (LsNode    *node,
                GPtrArray *dead)
{
  const LsNodeClass *klass = node->klass;
  guint n = ls_node_get_n_children (node);

  for (guint i = 0; i < n; i++)
    push_dead (ls_node_get_child (node, i), dead);
  for (guint i = 0; i < klass->n_fields; i++)
    if (klass->fields[i].type == LS_FIELD_STRING)
      g_free (*(char **) ((char *) node + klass->fields[i].offset));
  if (klass->kind == LS_KIND_ARRAY)
    {
      g_free (((LsArray *) node)->items);
    }
  else if (klass->kind == LS_KIND_MAP)
    {
      LsMap *map = (LsMap *) node;

      for (guint i = 0; i < map->n; i++)
        g_free (map->keys[i]);
      g_free (map->keys);
      g_free (map->values);
    }
  else if (klass->kind == LS_KIND_TENSOR)
    {
      g_clear_pointer (&((LsTensor *) node)->data, g_bytes_unref);
    }
  g_free (node);
}

void
ls_node_unref (LsNode *node)
{
  g_autoptr (GPtrArray) dead = NULL;

  if (node == NULL || !g_atomic_ref_count_dec (&node->refs))
    return;
  dead = g_ptr_array_new ();
  g_ptr_array_add (dead, node);
  while (dead->len > 0)
    release_fields (g_ptr_array_steal_index_fast (dead, dead->len - 1), dead);
}

gpointer
ls_node_set_span (gpointer node,
                  LsSpan   span)
{
  ((LsNode *) node)->span = span;
  return node;
}

static const LsField *
child_field (const LsNodeClass *klass,
             guint              i)
{
  for (guint f = 0; f < klass->n_fields; f++)
    if (klass->fields[f].type == LS_FIELD_NODE && i-- == 0)
      return &klass->fields[f];
  return NULL;
}

guint
ls_node_get_n_children (const LsNode *node)
{
  guint n = 0;

  if (node->klass->kind == LS_KIND_ARRAY)
    return ((const LsArray *) node)->n;
  if (node->klass->kind == LS_KIND_MAP)
    return ((const LsMap *) node)->n;
  for (guint f = 0; f < node->klass->n_fields; f++)
    n += node->klass->fields[f].type == LS_FIELD_NODE;
  return n;
}

static LsNode **
child_slot (const LsNode *node,
            guint         i)
{
  const LsField *field;

  if (node->klass->kind == LS_KIND_ARRAY)
    return i < ((LsArray *) node)->n ? &((LsArray *) node)->items[i] : NULL;
  if (node->klass->kind == LS_KIND_MAP)
    return i < ((LsMap *) node)->n ? &((LsMap *) node)->values[i] : NULL;
  field = child_field (node->klass, i);
  return field != NULL ? (LsNode **) ((char *) node + field->offset) : NULL;
}

LsNode *
ls_node_get_child (const LsNode *node,
                   guint         i)
{
  LsNode **slot = child_slot (node, i);

  return slot != NULL ? *slot : NULL;
}

char *
ls_node_dup_child_role (const LsNode *node,
                        guint         i)
{
  const LsField *field;

  if (node->klass->kind == LS_KIND_ARRAY)
    return g_strdup_printf ("[%u]", i);
  if (node->klass->kind == LS_KIND_MAP)
    return g_strdup_printf ("[\"%s\"]", i < ((const LsMap *) node)->n ? ((const LsMap *) node)->keys[i] : "");
  field = child_field (node->klass, i);
  return g_strdup (field != NULL ? field->name : "");
}

/* A shallow copy that owns its texts and still lacks references to its children. */
static LsNode *
copy_shell (LsNode *node)
{
  const LsNodeClass *klass = node->klass;
  LsNode *copy = g_memdup2 (node, klass->size);

  g_atomic_ref_count_init (&copy->refs);
  for (guint f = 0; f < klass->n_fields; f++)
    if (klass->fields[f].type == LS_FIELD_STRING)
      {
        char **slot = (char **) ((char *) copy + klass->fields[f].offset);
        *slot = g_strdup (*slot);
      }
  if (klass->kind == LS_KIND_ARRAY)
    {
      ((LsArray *) copy)->items = g_memdup2 (((LsArray *) node)->items, sizeof (LsNode *) * ((LsArray *) node)->n);
    }
  else if (klass->kind == LS_KIND_MAP)
    {
      LsMap *map = (LsMap *) copy;

      map->keys = g_new0 (char *, map->n);
      for (guint i = 0; i < map->n; i++)
        map->keys[i] = g_strdup (((LsMap *) node)->keys[i]);
      map->values = g_memdup2 (((LsMap *) node)->values, sizeof (LsNode *) * map->n);
    }
  else if (klass->kind == LS_KIND_TENSOR)
    {
      g_bytes_ref (((LsTensor *) copy)->data);
    }
  return copy;
}

LsNode *
ls_node_with_children (LsNode  *node,
                       LsNode **children)
{
  guint n = ls_node_get_n_children (node);
  gboolean same = TRUE;
  LsNode *copy;

  for (guint i = 0; same && i < n; i++)
    same = children[i] == ls_node_get_child (node, i);
  if (same)
    return ls_node_ref (node);
  copy = copy_shell (node);
  for (guint i = 0; i < n; i++)
    *child_slot (copy, i) = ls_node_ref (children[i]);
  return ls_node_finish (copy);
}

LsNode *
ls_node_with_child (LsNode *node,
                    guint   i,
                    LsNode *child)
{
  guint n = ls_node_get_n_children (node);
  g_autofree LsNode **children = g_new (LsNode *, n + 1);

  g_return_val_if_fail (i < n, NULL);
  for (guint k = 0; k < n; k++)
    children[k] = k == i ? child : ls_node_get_child (node, k);
  return ls_node_with_children (node, children);
}
