/* failures: what was found not to fit is not looked at again.
 *
 * add and multiply try their arguments in both orders and `|` tries both sides, so a pattern that does not fit only deep inside would be
 * tried twice, or four times, at each level.  Whether a part fits an expression depends on these two, and on what was met before: of
 * the parts below it that occur at several places, which fit what already.  All that together is the key.  A part that asks for shapes is
 * not remembered, for symbolic dimensions may be bound anywhere.
 */
#include "engine/base/stack.h"
#include "engine/relax/dpl/dpl-private.h"

#include <stddef.h>
#include <string.h>

#define MOST_SHARED 6u          /* below a part that is remembered */
#define PIECE 32752u            /* bytes */

typedef struct _Part Part;
struct _Part {
  LsPattern *pattern;
  Part     **below;             /* the parts right below it, lists opened; in the memory of the whole */
  guint      n_below;
  Part      *gate;
  guint      depth;             /* of gates above it */
  guint      n_parents;
  gboolean   open;              /* not remembered */
  guint      n_shared;
  Part      *shared[MOST_SHARED];
};

typedef struct {
  LsPattern *pattern;
  LsNode    *expr;
  guint      n;
  LsNode    *known[MOST_SHARED];
} Key;

/* All of it dies together, and one piece for each part and key would lie all over the memory. */
typedef struct _Piece Piece;
struct _Piece {
  Piece *before;
  gsize  used, size;
  max_align_t bytes[];
};

struct _LsFailures {
  GHashTable *parts;            /* LsPattern -> Part */
  GPtrArray  *order;            /* of Part */
  GHashTable *keys;             /* of Key */
  Piece      *memory;           /* of parts, what is below them, and keys; the last piece first */
};

/* So many bytes, not zeroed, which go with the whole. */
static gpointer
take_bytes (LsFailures *self,
            gsize       n)
{
  gsize size = (n + 15) & ~(gsize) 15;
  Piece *piece = self->memory;
  gpointer bytes;

  if (piece == NULL || piece->used + size > piece->size)
    {
      piece = g_malloc (sizeof *piece + MAX (size, PIECE));
      piece->before = self->memory;
      piece->used = 0;
      piece->size = MAX (size, PIECE);
      self->memory = piece;
    }
  bytes = (guint8 *) piece->bytes + piece->used;
  piece->used += size;
  return bytes;
}

static guint
key_hash (gconstpointer data)
{
  const Key *key = data;
  guint h = g_direct_hash (key->pattern) * 31u + g_direct_hash (key->expr);

  for (guint i = 0; i < key->n; i++)
    h = h * 31u + g_direct_hash (key->known[i]);
  return h;
}

static gboolean
key_equal (gconstpointer a,
           gconstpointer b)
{
  const Key *x = a, *y = b;

  if (x->pattern != y->pattern || x->expr != y->expr || x->n != y->n)
    return FALSE;
  for (guint i = 0; i < x->n; i++)
    if (x->known[i] != y->known[i])
      return FALSE;
  return TRUE;
}

/* ---- what is below a part ---------------------------------------------------------------- */

/* The pattern that is child `i` of one, or item *item of the list that is: *item goes on, *i behind the list.  NULL: neither is a pattern. */
static LsPattern *
next_below (LsPattern *pattern,
            guint     *i,
            guint     *item)
{
  LsNode *child = ls_node_get_child (pattern, *i);
  LsNode *found = child;

  if (ls_is (child, ARRAY))
    {
      found = *item < ((LsArray *) child)->n ? ((LsArray *) child)->items[*item] : NULL;
      if (++*item < ((LsArray *) child)->n)
        return ls_is_pattern (found) ? found : NULL;
    }
  *item = 0;
  ++*i;
  return found != NULL && ls_is_pattern (found) ? found : NULL;
}

static guint
count_below (LsPattern *pattern)
{
  guint n = 0, item = 0, children = ls_node_get_n_children (pattern);

  for (guint i = 0; i < children;)
    n += next_below (pattern, &i, &item) != NULL;
  return n;
}

typedef struct {
  LsFailures *self;
  LsPattern  *pattern;
  Part       *part;
} Visit;

static Part *note_parts (LsFailures *self, LsPattern *pattern);

static void
note_again (gpointer data)
{
  ((Visit *) data)->part = note_parts (((Visit *) data)->self, ((Visit *) data)->pattern);
}

/* How many places each part stands at; into the order, each behind those below it. */
static Part *
note_parts (LsFailures *self,
            LsPattern  *pattern)
{
  Part *part = g_hash_table_lookup (self->parts, pattern);
  guint item = 0, children = ls_node_get_n_children (pattern), n_below;

  if (part != NULL)
    {
      part->n_parents++;
      return part;
    }
  if (ls_stack_is_short ())
    {
      Visit again = { self, pattern, NULL };

      ls_stack_extend (note_again, &again);
      return again.part;
    }
  n_below = count_below (pattern);
  part = take_bytes (self, sizeof *part);
  *part = (Part) { .pattern = pattern, .n_parents = 1, .open = ls_is (pattern, STRUCT_INFO_PATTERN) };
  part->below = take_bytes (self, n_below * sizeof (Part *));
  g_hash_table_insert (self->parts, pattern, part);
  for (guint i = 0; i < children;)
    {
      LsPattern *below = next_below (pattern, &i, &item);
      Part *noted = below != NULL ? note_parts (self, below) : NULL;

      if (noted != NULL)
        part->below[part->n_below++] = noted;
    }
  g_ptr_array_add (self->order, part);
  return part;
}

static Part *
common_gate (Part *a,
             Part *b)
{
  while (a != b)
    if (a->depth >= b->depth)
      a = a->gate;
    else
      b = b->gate;
  return a;
}

/* The gate of a part: the lowest one that all ways from the root to it go through (its immediate dominator). */
static void
find_gates (LsFailures *self)
{
  for (guint i = self->order->len; i-- > 0;)
    {
      Part *part = self->order->pdata[i];

      part->depth = part->gate != NULL ? part->gate->depth + 1 : 0;
      for (guint k = 0; k < part->n_below; k++)
        part->below[k]->gate = part->below[k]->gate == NULL ? part : common_gate (part->below[k]->gate, part);
    }
}

static void
add_shared (Part *part,
            Part *shared)
{
  if (shared->gate == part)
    return;
  for (guint i = 0; i < part->n_shared; i++)
    if (part->shared[i] == shared)
      return;
  if (part->n_shared == MOST_SHARED)
    part->open = TRUE;
  else
    part->shared[part->n_shared++] = shared;
}

/* What a part has below it that stands outside it, too.  Behind its gate it is met for the first time. */
static void
find_shared (LsFailures *self)
{
  for (guint i = 0; i < self->order->len; i++)
    {
      Part *part = self->order->pdata[i];

      for (guint k = 0; k < part->n_below; k++)
        {
          Part *below = part->below[k];

          part->open |= below->open;
          for (guint j = 0; j < below->n_shared; j++)
            add_shared (part, below->shared[j]);
          if (below->n_parents > 1)
            add_shared (part, below);
        }
    }
}

/* ---- remembering ------------------------------------------------------------------------------ */

LsFailures *
ls_failures_new (LsPattern *root)
{
  LsFailures *self = g_new0 (LsFailures, 1);

  self->parts = g_hash_table_new (NULL, NULL);
  self->order = g_ptr_array_new ();
  self->keys = g_hash_table_new (key_hash, key_equal);
  note_parts (self, root);
  find_gates (self);
  find_shared (self);
  return self;
}

void
ls_failures_free (LsFailures *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->keys);
  g_ptr_array_unref (self->order);
  g_hash_table_unref (self->parts);
  for (Piece *piece = self->memory, *before; piece != NULL; piece = before)
    {
      before = piece->before;
      g_free (piece);
    }
  g_free (self);
}

static gboolean
make_key (LsFailures     *self,
          LsPattern      *pattern,
          LsNode         *expr,
          LsPatternMatch *match,
          Key            *key)
{
  const Part *part = g_hash_table_lookup (self->parts, pattern);

  if (part == NULL || part->open)
    return FALSE;
  *key = (Key) { pattern, expr, part->n_shared, { NULL } };
  for (guint i = 0; i < part->n_shared; i++)
    key->known[i] = ls_pattern_match_get (match, part->shared[i]->pattern);
  return TRUE;
}

gboolean
ls_failures_has (LsFailures     *self,
                 LsPattern      *pattern,
                 LsNode         *expr,
                 LsPatternMatch *match)
{
  Key key;

  return make_key (self, pattern, expr, match, &key) && g_hash_table_contains (self->keys, &key);
}

void
ls_failures_add (LsFailures     *self,
                 LsPattern      *pattern,
                 LsNode         *expr,
                 LsPatternMatch *match)
{
  Key key, *kept;

  if (!make_key (self, pattern, expr, match, &key) || g_hash_table_contains (self->keys, &key))
    return;
  kept = take_bytes (self, G_STRUCT_OFFSET (Key, known) + key.n * sizeof (LsNode *));
  memcpy (kept, &key, G_STRUCT_OFFSET (Key, known) + key.n * sizeof (LsNode *));
  g_hash_table_add (self->keys, kept);
}
