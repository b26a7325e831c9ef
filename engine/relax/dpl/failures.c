/* failures: what was found not to fit is not looked at again.
 *
 * add and multiply try their arguments in both orders and `|` tries both sides, so a pattern that does not fit only deep inside would be
 * tried twice, or four times, at each level.  Whether a part fits an expression depends on these two, and on what was met before: of
 * the parts below it that occur at several places, which fit what already.  All that together is the key.  A part that asks for shapes is
 * not remembered, for symbolic dimensions may be bound anywhere.
 */
#include "engine/base/stack.h"
#include "engine/relax/dpl/dpl-private.h"

#define MOST_SHARED 6u          /* below a part that is remembered */

typedef struct _Part Part;
struct _Part {
  LsPattern *pattern;
  GPtrArray *below;             /* of LsPattern */
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

struct _LsFailures {
  GHashTable *parts;            /* LsPattern -> Part */
  GPtrArray  *order;            /* of Part */
  GHashTable *keys;             /* of Key */
};

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

/* The parts right below one, lists opened. (transfer container) */
static GPtrArray *
parts_below (LsPattern *pattern)
{
  GPtrArray *below = g_ptr_array_new ();

  for (guint i = 0; i < ls_node_get_n_children (pattern); i++)
    {
      LsNode *child = ls_node_get_child (pattern, i);

      if (child != NULL && ls_is_pattern (child))
        g_ptr_array_add (below, child);
      for (guint k = 0; ls_is (child, ARRAY) && k < ((LsArray *) child)->n; k++)
        if (ls_is_pattern (((LsArray *) child)->items[k]))
          g_ptr_array_add (below, ((LsArray *) child)->items[k]);
    }
  return below;
}

typedef struct {
  LsFailures *self;
  LsPattern  *pattern;
} Visit;

static void note_parts (LsFailures *self, LsPattern *pattern);

static void
note_again (gpointer data)
{
  note_parts (((Visit *) data)->self, ((Visit *) data)->pattern);
}

/* How many places each part stands at; into the order, each behind those below it. */
static void
note_parts (LsFailures *self,
            LsPattern  *pattern)
{
  Part *part = g_hash_table_lookup (self->parts, pattern);

  if (part != NULL)
    {
      part->n_parents++;
      return;
    }
  if (ls_stack_is_short ())
    {
      ls_stack_extend (note_again, &(Visit) { self, pattern });
      return;
    }
  part = g_new0 (Part, 1);
  part->pattern = pattern;
  part->n_parents = 1;
  part->open = ls_is (pattern, STRUCT_INFO_PATTERN);
  part->below = parts_below (pattern);
  g_hash_table_insert (self->parts, pattern, part);
  for (guint i = 0; i < part->below->len; i++)
    note_parts (self, part->below->pdata[i]);
  g_ptr_array_add (self->order, part);
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
      for (guint k = 0; k < part->below->len; k++)
        {
          Part *below = g_hash_table_lookup (self->parts, part->below->pdata[k]);

          below->gate = below->gate == NULL ? part : common_gate (below->gate, part);
        }
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

      for (guint k = 0; k < part->below->len; k++)
        {
          Part *below = g_hash_table_lookup (self->parts, part->below->pdata[k]);

          part->open |= below->open;
          for (guint j = 0; j < below->n_shared; j++)
            add_shared (part, below->shared[j]);
          if (below->n_parents > 1)
            add_shared (part, below);
        }
    }
}

/* ---- remembering ------------------------------------------------------------------------------ */

static void
part_free (gpointer data)
{
  g_ptr_array_unref (((Part *) data)->below);
  g_free (data);
}

LsFailures *
ls_failures_new (LsPattern *root)
{
  LsFailures *self = g_new (LsFailures, 1);

  self->parts = g_hash_table_new_full (NULL, NULL, NULL, part_free);
  self->order = g_ptr_array_new ();
  self->keys = g_hash_table_new_full (key_hash, key_equal, g_free, NULL);
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
  Key key;

  if (make_key (self, pattern, expr, match, &key))
    g_hash_table_add (self->keys, g_memdup2 (&key, sizeof key));
}
