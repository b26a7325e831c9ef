/* node: allocation, references, and children by number.
 *
 * A node's class says where its fields are; everything generic (walk, rewrite, equality,
 * hash, diff, repr, property panel) is written against that table.  Releasing works off a
 * list instead of recursing, so that a chain of any length does not overflow the stack.
 */
#include "engine/ir/ir-private.h"

#include <string.h>

#define LS_MAX_CHILDREN 16

static const LsNodeClass *const *
class_table (void)
{
  static const LsNodeClass *classes[192];
  static gsize ready;

  if (g_once_init_enter (&ready))
    {
      ls_ir_fill_classes (classes);
      g_once_init_leave (&ready, 1);
    }
  return classes;
}

static struct { const LsNodeClass *const *classes; guint n; } extra[8];
static guint n_extra;

void
ls_class_register (const LsNodeClass *const *classes,
                   guint                     n)
{
  for (guint i = 0; i < n_extra; i++)
    if (extra[i].classes == classes)
      return;
  g_assert (n_extra < G_N_ELEMENTS (extra));
  extra[n_extra].classes = classes;
  extra[n_extra++].n = n;
}

const LsNodeClass *
ls_class_get (LsKind kind)
{
  const LsNodeClass *klass = class_table ()[kind];

  for (guint k = 0; klass == NULL && k < n_extra; k++)
    for (guint i = 0; klass == NULL && i < extra[k].n; i++)
      if (extra[k].classes[i]->kind == kind)
        klass = extra[k].classes[i];
  return klass;
}

/* What the field table of a class says, ready for use: where the children are, what a node has of itself. */
typedef struct {
  gboolean ready;
  gboolean strings;             /* has texts of its own */
  guint8   n_children;
  guint16  children[LS_MAX_CHILDREN];
  guint32  facts;
} Layout;

static Layout layouts[192];
static GMutex layouts_lock;

static guint32 own_facts (LsKind kind);

static const Layout *
make_layout (const LsNodeClass *klass)
{
  Layout *self = &layouts[klass->kind];

  g_mutex_lock (&layouts_lock);
  if (!self->ready)
    {
      for (guint f = 0; f < klass->n_fields; f++)
        if (klass->fields[f].type == LS_FIELD_NODE)
          {
            g_assert (self->n_children < LS_MAX_CHILDREN);
            self->children[self->n_children++] = (guint16) klass->fields[f].offset;
          }
        else if (klass->fields[f].type == LS_FIELD_STRING)
          {
            self->strings = TRUE;
          }
      self->facts = own_facts (klass->kind);
      g_atomic_int_set (&self->ready, TRUE);
    }
  g_mutex_unlock (&layouts_lock);
  return self;
}

static inline const Layout *
layout_of (const LsNode *node)
{
  const Layout *self = &layouts[node->klass->kind];

  return G_LIKELY (g_atomic_int_get (&self->ready)) ? self : make_layout (node->klass);
}

static inline LsNode **
slot_at (const LsNode *node,
         guint         offset)
{
  return (LsNode **) ((char *) node + offset);
}

gpointer
ls_node_alloc (const LsNodeClass *klass)
{
  return ls_node_alloc_more (klass, 0);
}

gpointer
ls_node_alloc_more (const LsNodeClass *klass,
                    gsize              more)
{
  LsNode *node = ls_cell_alloc (klass->size + more);

  memset (node, 0, klass->size);
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
own_facts (LsKind kind)
{
  switch ((int) kind)
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

/* Hash and facts of a child join those of the node. */
static inline guint32
join (LsNode  *node,
      LsNode  *child,
      guint32  h)
{
  if (child == NULL)
    return mix (h, 0);
  node->facts |= child->facts;
  return mix (h, child->hash);
}

static guint32
hash_plain (LsNode       *node,
            const Layout *layout,
            guint32       h)
{
  const LsNodeClass *klass = node->klass;

  for (guint i = 0; layout->n_children < klass->n_fields && i < klass->n_fields; i++)
    if (klass->fields[i].type != LS_FIELD_NODE && !(klass->fields[i].flags & LS_FIELD_HINT))
      h = hash_field (node, &klass->fields[i], h);
  for (guint i = 0; i < layout->n_children; i++)
    h = join (node, *slot_at (node, layout->children[i]), h);
  return h;
}

/* One of the bits above LS_FACT_INSIDE_SHIFT: the lower eight for numbers, since every index has some of them, the
 * others for buffers and what they point to. */
static inline guint32
inside_bit (const LsNode *node)
{
  guint64 mixed = ((guint64) (gsize) node >> 4) * 0x9e3779b97f4a7c15u;
  gboolean number = (node->klass->flags & LS_CLASS_EXPR) != 0 && ((const LsExpr *) node)->dtype.code != LS_TYPE_HANDLE;

  return number ? 1u << (LS_FACT_INSIDE_SHIFT + (guint) (mixed >> 61)) : 1u << (LS_FACT_INSIDE_SHIFT + 8 + (guint) (mixed >> 60));
}

/* The beginning and the end of what a tensor holds: constants of one shape and type are told apart by it. */
static guint32
hash_data (const LsTensor *tensor,
           guint32         h)
{
  gsize n = 0;
  const guint8 *bytes = tensor->data != NULL ? g_bytes_get_data (tensor->data, &n) : NULL;

  for (gsize i = 0; i < MIN (n, 64); i++)
    h = (h ^ bytes[i]) * 0x01000193u;
  for (gsize i = n > 128 ? n - 64 : MIN (n, 64); i < n; i++)
    h = (h ^ bytes[i]) * 0x01000193u;
  return mix (h, (guint32) n);
}

gpointer
ls_node_finish (gpointer self)
{
  LsNode *node = self;
  const LsNodeClass *klass = node->klass;
  guint32 h = mix (0x811c9dc5u, (guint32) klass->kind);
  const Layout *layout;

  if (klass->flags & LS_CLASS_EXPR)
    {
      guint32 v;
      memcpy (&v, &((LsExpr *) node)->dtype, sizeof v);
      h = mix (h, v);
    }
  if (klass->flags & LS_CLASS_BINARY)
    {
      node->facts = 0;
      node->hash = join (node, LS_NODE (((LsBinary *) node)->b), join (node, LS_NODE (((LsBinary *) node)->a), h));
      return node;
    }
  layout = layout_of (node);
  node->facts = layout->facts;
  if (klass->flags & LS_CLASS_IDENTITY)
    {
      node->facts |= inside_bit (node);
      node->hash = h;
      return node;
    }
  h = hash_plain (node, layout, h);
  if (klass->kind == LS_KIND_ARRAY)
    {
      for (guint i = 0; i < ((LsArray *) node)->n; i++)
        h = join (node, ((LsArray *) node)->items[i], h);
    }
  else if (klass->kind == LS_KIND_TENSOR)
    {
      h = hash_data ((const LsTensor *) node, h);
    }
  else if (klass->kind == LS_KIND_MAP)
    {
      LsMap *map = (LsMap *) node;

      for (guint i = 0; i < map->n; i++)
        h = join (node, map->values[i], h);
      for (guint i = 0; i < map->n; i++)
        h = mix (h, g_str_hash (map->keys[i]));
    }
  node->hash = h;
  return node;
}

static guint
mix_variables (LsNode *node,
               guint   hash,
               guint  *left)
{
  if (*left == 0)
    return hash;
  --*left;
  if (node->klass->flags & LS_CLASS_IDENTITY)
    return mix (hash, g_direct_hash (node) >> 4);
  for (guint i = 0; i < ls_node_get_n_children (node) && *left > 0; i++)
    if (ls_node_get_child (node, i) != NULL && (ls_node_get_child (node, i)->klass->flags & LS_CLASS_EXPR))
      hash = mix_variables (ls_node_get_child (node, i), hash, left);
  return hash;
}

guint
ls_deep_hash (const void *expr)
{
  guint left = 8;

  return mix_variables ((LsNode *) expr, ((const LsNode *) expr)->hash, &left);
}

/* Nodes that nobody refers to any more are linked through the place of their count and hash. */
#define LINK_OFFSET G_STRUCT_OFFSET (LsNode, refs)
G_STATIC_ASSERT (G_STRUCT_OFFSET (LsNode, hash) == LINK_OFFSET + sizeof (gatomicrefcount));
G_STATIC_ASSERT (G_STRUCT_OFFSET (LsNode, facts) >= LINK_OFFSET + sizeof (gpointer));

static inline void
push_dead (LsNode  *node,
           LsNode **dead)
{
  /* Who holds the only reference needs no atomic write to give it up. */
  if (node == NULL || (g_atomic_int_get (&node->refs) != 1 && !g_atomic_int_dec_and_test (&node->refs)))
    return;
  memcpy ((char *) node + LINK_OFFSET, dead, sizeof *dead);
  *dead = node;
}

static inline LsNode *
pop_dead (LsNode **dead)
{
  LsNode *node = *dead;

  memcpy (dead, (char *) node + LINK_OFFSET, sizeof *dead);
  return node;
}

static void
release_strings (LsNode *node)
{
  const LsNodeClass *klass = node->klass;

  for (guint i = 0; i < klass->n_fields; i++)
    if (klass->fields[i].type == LS_FIELD_STRING)
      g_free (*(char **) ((char *) node + klass->fields[i].offset));
}

static void
release_map (LsMap   *map,
             LsNode **dead)
{
  for (guint i = 0; i < map->n; i++)
    {
      push_dead (map->values[i], dead);
      g_free (map->keys[i]);
    }
  g_free (map->keys);
  g_free (map->values);
}

static void
release_fields (LsNode  *node,
                LsNode **dead)
{
  const Layout *layout = layout_of (node);
  gsize size = node->klass->size;

  for (guint i = 0; i < layout->n_children; i++)
    push_dead (*slot_at (node, layout->children[i]), dead);
  if (layout->strings)
    release_strings (node);
  if (node->klass->kind == LS_KIND_ARRAY)
    {
      LsArray *array = (LsArray *) node;

      for (guint i = 0; i < array->n; i++)
        push_dead (array->items[i], dead);
      size += sizeof (LsNode *) * array->n;
    }
  else if (node->klass->kind == LS_KIND_MAP)
    {
      release_map ((LsMap *) node, dead);
    }
  else if (node->klass->kind == LS_KIND_TENSOR)
    {
      g_clear_pointer (&((LsTensor *) node)->data, g_bytes_unref);
    }
  else if (node->klass->kind == LS_KIND_MODULE)
    {
      g_clear_pointer (&((LsModuleNode *) node)->places, g_hash_table_unref);
    }
  ls_cell_free (node, size);
}

void
ls_node_unref (LsNode *node)
{
  LsNode *dead = NULL;

  push_dead (node, &dead);
  while (dead != NULL)
    release_fields (pop_dead (&dead), &dead);
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
  if (node->klass->kind == LS_KIND_ARRAY)
    return ((const LsArray *) node)->n;
  if (node->klass->kind == LS_KIND_MAP)
    return ((const LsMap *) node)->n;
  return layout_of (node)->n_children;
}

LsNode **
ls_node_child_slot (const LsNode *node,
                    guint         i)
{
  const Layout *layout;

  if (node->klass->kind == LS_KIND_ARRAY)
    return i < ((LsArray *) node)->n ? &((LsArray *) node)->items[i] : NULL;
  if (node->klass->kind == LS_KIND_MAP)
    return i < ((LsMap *) node)->n ? &((LsMap *) node)->values[i] : NULL;
  layout = layout_of (node);
  return i < layout->n_children ? slot_at (node, layout->children[i]) : NULL;
}

LsNode *
ls_node_get_child (const LsNode *node,
                   guint         i)
{
  LsNode **slot = ls_node_child_slot (node, i);

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

static void
copy_map (LsMap *from,
          LsMap *copy)
{
  copy->keys = g_new0 (char *, copy->n);
  for (guint i = 0; i < copy->n; i++)
    copy->keys[i] = g_strdup (from->keys[i]);
  copy->values = g_memdup2 (from->values, sizeof (LsNode *) * copy->n);
}

/* A shallow copy that owns its texts and still lacks references to its children. */
static LsNode *
copy_shell (LsNode       *node,
            const Layout *layout)
{
  const LsNodeClass *klass = node->klass;
  gsize more = klass->kind == LS_KIND_ARRAY ? sizeof (LsNode *) * ((LsArray *) node)->n : 0;
  LsNode *copy = ls_cell_alloc (klass->size + more);

  memcpy (copy, node, klass->size + more);
  g_atomic_ref_count_init (&copy->refs);
  if (klass->kind == LS_KIND_MODULE)
    ((LsModuleNode *) copy)->places = NULL;
  for (guint f = 0; layout->strings && f < klass->n_fields; f++)
    if (klass->fields[f].type == LS_FIELD_STRING)
      {
        char **slot = (char **) ((char *) copy + klass->fields[f].offset);
        *slot = g_strdup (*slot);
      }
  if (klass->kind == LS_KIND_ARRAY)
    ((LsArray *) copy)->items = more > 0 ? (LsNode **) ((LsArray *) copy + 1) : NULL;
  else if (klass->kind == LS_KIND_MAP)
    copy_map ((LsMap *) node, (LsMap *) copy);
  else if (klass->kind == LS_KIND_TENSOR)
    g_bytes_ref (((LsTensor *) copy)->data);
  return copy;
}

guint
ls_node_list_children (const LsNode  *node,
                       LsNode       **out,
                       guint          max)
{
  const Layout *layout = layout_of (node);
  guint n = ls_node_get_n_children (node);

  if (n > max)
    return n;
  if (n != layout->n_children)
    for (guint i = 0; i < n; i++)
      out[i] = ls_node_get_child (node, i);
  else
    for (guint i = 0; i < n; i++)
      out[i] = *slot_at (node, layout->children[i]);
  return n;
}

LsNode *
ls_node_take_children (LsNode  *node,
                       LsNode **children)
{
  const Layout *layout = layout_of (node);
  guint n = ls_node_get_n_children (node);
  LsNode *copy = copy_shell (node, layout);

  if (n != layout->n_children)
    for (guint i = 0; i < n; i++)
      *ls_node_child_slot (copy, i) = children[i];
  else
    for (guint i = 0; i < n; i++)
      *slot_at (copy, layout->children[i]) = children[i];
  return ls_node_finish (copy);
}

LsNode *
ls_node_with_children (LsNode  *node,
                       LsNode **children)
{
  guint n = ls_node_get_n_children (node);
  gboolean same = TRUE;

  for (guint i = 0; same && i < n; i++)
    same = children[i] == ls_node_get_child (node, i);
  if (same)
    return ls_node_ref (node);
  for (guint i = 0; i < n; i++)
    ls_node_ref (children[i]);
  return ls_node_take_children (node, children);
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
