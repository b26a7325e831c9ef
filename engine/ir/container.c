/* container: lists, dictionaries, texts and constant tensors as nodes. */
#include "engine/ir/ir-private.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* As many as anybody writes down as arguments. */
#define LS_ARRAY_OF_MAX 64

const LsNodeClass ls_array_class = { LS_KIND_ARRAY, "Array", sizeof (LsArray), LS_CLASS_PLAIN, NULL, 0 };
const LsNodeClass ls_map_class = { LS_KIND_MAP, "Map", sizeof (LsMap), LS_CLASS_PLAIN, NULL, 0 };
LS_CLASS (ls_string_class, STRING, "String", LsString, LS_CLASS_PLAIN,
          LS_FIELD (LsString, value, STRING, 0));
LS_CLASS (ls_tensor_class, TENSOR, "NDArray", LsTensor, LS_CLASS_PLAIN,
          LS_FIELD (LsTensor, dtype, DTYPE, 0),
          LS_FIELD (LsTensor, shape, NODE, 0));

LsArray *
ls_array_new (gpointer items,
              guint    n)
{
  LsArray *self = ls_node_alloc_more (&ls_array_class, sizeof (LsNode *) * n);

  self->n = n;
  if (n > 0)
    self->items = memcpy (self + 1, items, sizeof (LsNode *) * n);
  return ls_node_finish (self);
}

LsArray *
ls_array_of (gpointer first,
             ...)
{
  gpointer items[LS_ARRAY_OF_MAX];
  guint n = 0;
  va_list args;

  va_start (args, first);
  for (gpointer item = first; item != NULL; item = va_arg (args, gpointer))
    {
      g_assert (n < LS_ARRAY_OF_MAX);
      items[n++] = item;
    }
  va_end (args);
  return ls_array_new (items, n);
}

LsArray *
ls_array_take_ptr_array (GPtrArray *items)
{
  LsArray *self = ls_array_new (items->pdata, items->len);

  g_ptr_array_set_free_func (items, NULL);
  g_ptr_array_unref (items);
  return self;
}

LsArray *
ls_array_empty (void)
{
  static LsArray *empty;
  static gsize ready;

  if (g_once_init_enter (&ready))
    {
      empty = ls_array_new (NULL, 0);
      g_once_init_leave (&ready, 1);
    }
  return ls_ref (empty);
}

/* The items of `self` with `cut` of them at `at` replaced by `add` (borrowed, n_add of them). */
static LsArray *
splice (LsArray  *self,
        guint     at,
        guint     cut,
        gpointer *add,
        guint     n_add)
{
  g_autofree LsNode **items = g_new (LsNode *, self->n - cut + n_add + 1);
  guint n = 0;

  for (guint i = 0; i < at; i++)
    items[n++] = ls_node_ref (self->items[i]);
  for (guint i = 0; i < n_add; i++)
    items[n++] = ls_node_ref (add[i]);
  for (guint i = at + cut; i < self->n; i++)
    items[n++] = ls_node_ref (self->items[i]);
  return ls_array_new (items, n);
}

LsArray *
ls_array_append (LsArray *self,
                 gpointer item)
{
  return splice (self, self->n, 0, &item, 1);
}

void
ls_array_difference (LsArray *a,
                     LsArray *b,
                     guint   *first,
                     guint   *n_a,
                     guint   *n_b)
{
  guint start = 0, end_a = ls_array_n (a), end_b = ls_array_n (b);

  while (start < end_a && start < end_b && a->items[start] == b->items[start])
    start++;
  while (end_a > start && end_b > start && a->items[end_a - 1] == b->items[end_b - 1])
    {
      end_a--;
      end_b--;
    }
  *first = start;
  *n_a = end_a - start;
  *n_b = end_b - start;
}

LsArray *
ls_array_with (LsArray *self,
               guint    i,
               gpointer item)
{
  g_return_val_if_fail (i < self->n, NULL);
  return splice (self, i, 1, &item, 1);
}

LsArray *
ls_array_remove (LsArray *self,
                 guint    i)
{
  g_return_val_if_fail (i < self->n, NULL);
  return splice (self, i, 1, NULL, 0);
}

LsArray *
ls_array_insert (LsArray *self,
                 guint    i,
                 gpointer item)
{
  g_return_val_if_fail (i <= self->n, NULL);
  return splice (self, i, 0, &item, 1);
}

gint
ls_array_index_of (LsArray *self,
                   gpointer item)
{
  for (guint i = 0; i < self->n; i++)
    if (self->items[i] == item)
      return (gint) i;
  return -1;
}

gboolean
ls_array_same_items (LsArray *a,
                     LsArray *b)
{
  for (guint i = 0; a->n == b->n && i < a->n; i++)
    if (a->items[i] != b->items[i])
      return FALSE;
  return a->n == b->n;
}

typedef struct {
  const char *key;
  LsNode     *value;
  guint       order;
} Entry;

static int
compare_entries (const void *a,
                 const void *b)
{
  const Entry *x = a;
  const Entry *y = b;
  int c = strcmp (x->key, y->key);

  return c != 0 ? c : (x->order > y->order) - (x->order < y->order);
}

LsMap *
ls_map_new (const char **keys,
            gpointer     values,
            guint        n)
{
  LsMap *self = ls_node_alloc (&ls_map_class);
  g_autofree Entry *entries = g_new (Entry, n + 1);

  for (guint i = 0; i < n; i++)
    entries[i] = (Entry) { keys[i], ((LsNode **) values)[i], i };
  qsort (entries, n, sizeof *entries, compare_entries);
  self->keys = g_new0 (char *, n + 1);
  self->values = g_new0 (LsNode *, n + 1);
  for (guint i = 0; i < n; i++)
    {
      if (i + 1 < n && strcmp (entries[i].key, entries[i + 1].key) == 0)
        {
          ls_node_unref (entries[i].value);
          continue;
        }
      self->keys[self->n] = g_strdup (entries[i].key);
      self->values[self->n++] = entries[i].value;
    }
  return ls_node_finish (self);
}

LsMap *
ls_map_empty (void)
{
  static LsMap *empty;
  static gsize ready;

  if (g_once_init_enter (&ready))
    {
      empty = ls_map_new (NULL, NULL, 0);
      g_once_init_leave (&ready, 1);
    }
  return ls_ref (empty);
}

LsNode *
ls_map_get (LsMap      *self,
            const char *key)
{
  for (guint i = 0; self != NULL && i < self->n; i++)
    if (strcmp (self->keys[i], key) == 0)
      return self->values[i];
  return NULL;
}

static LsMap *
map_edit (LsMap      *self,
          const char *key,
          LsNode     *value,
          gboolean    keeps)
{
  g_autofree const char **keys = g_new (const char *, self->n + 1);
  g_autofree LsNode **values = g_new (LsNode *, self->n + 1);
  guint n = 0;

  for (guint i = 0; i < self->n; i++)
    if (strcmp (self->keys[i], key) != 0)
      {
        keys[n] = self->keys[i];
        values[n++] = ls_node_ref (self->values[i]);
      }
  if (keeps)
    {
      keys[n] = key;
      values[n++] = ls_node_ref (value);
    }
  return ls_map_new (keys, values, n);
}

LsMap *
ls_map_set (LsMap      *self,
            const char *key,
            gpointer    value)
{
  return map_edit (self, key, value, TRUE);
}

LsMap *
ls_map_remove (LsMap      *self,
               const char *key)
{
  return map_edit (self, key, NULL, FALSE);
}

LsString *
ls_string_new (const char *value)
{
  LsString *self = ls_node_alloc (&ls_string_class);

  self->value = g_strdup (value);
  return ls_node_finish (self);
}

LsTensor *
ls_tensor_new (LsDType  dtype,
               LsArray *shape,
               GBytes  *data)
{
  LsTensor *self = ls_node_alloc (&ls_tensor_class);

  self->dtype = dtype;
  self->shape = shape;
  self->data = data;
  return ls_node_finish (self);
}
