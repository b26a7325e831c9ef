/* diff: what made one function of another; names and numbers that only changed are no change.
 *
 * Operations are aligned three times: by what they are with what their operands are, to three uses deep; what is between those,
 * one use deep; what is left by shape alone.  What is still left between those and has the same name is rewritten: first where both come from one place in
 * the source, then in order.  Then the pairs say which value became which: what is gone here and new there and reads the same
 * by that was moved, and a pair whose operands do not agree with it is rewritten. */
#include "engine/passlog/private.h"

#include <string.h>

#define ROUNDS 4                /* hashes: of the shape, then one use deeper each */
#define MAX_EDITS 3000

typedef struct {
  GPtrArray *ops;
  guint32   *hash[ROUNDS];
  int       *pair;              /* the operation of the other side; -1: none */
  guint     *values;            /* number of value to number + 1 of the other side's */
  int       *definition;        /* of a value: which operation; -1 */
  guint      n_values;
  guint8    *kind;              /* LsPassChangeKind */
} Side;

typedef struct {
  Side    a, b;
  guint   from_a, from_b, round;
} Diff;

static void
side_init (Side      *self,
           GPtrArray *operations)
{
  self->ops = g_ptr_array_ref (operations);
  for (guint i = 0; i < self->ops->len; i++)
    {
      LsPassOperation *op = self->ops->pdata[i];

      for (guint j = 0; j < op->results->len; j++)
        self->n_values = MAX (self->n_values, g_array_index (op->results, guint, j) + 1);
      for (guint j = 0; j < op->operands->len; j++)
        self->n_values = MAX (self->n_values, g_array_index (op->operands, guint, j) + 1);
    }
  self->pair = g_new (int, self->ops->len + 1);
  self->kind = g_new0 (guint8, self->ops->len + 1);
  self->values = g_new0 (guint, self->n_values + 1);
  self->definition = g_new (int, self->n_values + 1);
  for (guint i = 0; i < self->n_values; i++)
    self->definition[i] = -1;
  for (guint i = 0; i < self->ops->len; i++)
    {
      LsPassOperation *op = self->ops->pdata[i];

      self->pair[i] = -1;
      for (guint j = 0; j < op->results->len; j++)
        self->definition[g_array_index (op->results, guint, j)] = (int) i;
    }
  for (guint round = 0; round < ROUNDS; round++)
    {
      self->hash[round] = g_new (guint32, self->ops->len + 1);
      for (guint i = 0; i < self->ops->len; i++)
        {
          LsPassOperation *op = self->ops->pdata[i];
          guint32 hash = round == 0 ? g_str_hash (op->shape) : self->hash[0][i];

          for (guint j = 0; round > 0 && j < op->operands->len; j++)
            {
              int at = self->definition[g_array_index (op->operands, guint, j)];

              hash = (hash ^ (at >= 0 ? self->hash[round - 1][at] : 1)) * 0x9e3779b1u;
              hash ^= hash >> 15;
            }
          self->hash[round][i] = hash;
        }
    }
}

static void
side_clear (Side *self)
{
  g_ptr_array_unref (self->ops);
  for (guint i = 0; i < ROUNDS; i++)
    g_free (self->hash[i]);
  g_free (self->pair);
  g_free (self->values);
  g_free (self->definition);
  g_free (self->kind);
}

static gboolean
is_equal (guint    a,
          guint    b,
          gpointer user_data)
{
  Diff *self = user_data;

  return self->a.hash[self->round][self->from_a + a] == self->b.hash[self->round][self->from_b + b];
}

static void
align_gap (Diff *self,
           guint end_a,
           guint end_b)
{
  g_autoptr (GArray) pairs = NULL;

  if (end_a == self->from_a || end_b == self->from_b)
    return;
  pairs = ls_align (end_a - self->from_a, end_b - self->from_b, MAX_EDITS, is_equal, self);
  for (guint i = 0; i < pairs->len; i++)
    {
      LsAlignPair *pair = &g_array_index (pairs, LsAlignPair, i);

      self->a.pair[self->from_a + pair->a] = (int) (self->from_b + pair->b);
      self->b.pair[self->from_b + pair->b] = (int) (self->from_a + pair->a);
    }
}

static LsPassOperation *
op_at (Side *side,
       guint i)
{
  return side->ops->pdata[i];
}

static void
pair_up (Diff            *self,
         guint            a,
         guint            b,
         LsPassChangeKind kind)
{
  self->a.pair[a] = (int) b;
  self->b.pair[b] = (int) a;
  self->a.kind[a] = self->b.kind[b] = (guint8) kind;
}

/* In a gap, operations of one name that come from one place in the source, in their order: rewritten. */
static void
place_gap (Diff *self,
           guint end_a,
           guint end_b)
{
  guint b = self->from_b;

  for (guint a = self->from_a; a < end_a; a++)
    for (guint at = b; at < end_b && op_at (&self->a, a)->place != 0; at++)
      if (op_at (&self->a, a)->place == op_at (&self->b, at)->place && strcmp (op_at (&self->a, a)->name, op_at (&self->b, at)->name) == 0
          && op_at (&self->a, a)->results->len == op_at (&self->b, at)->results->len)
        {
          pair_up (self, a, at, LS_PASS_REWRITTEN);
          b = at + 1;
          break;
        }
}

/* In a gap, operations of one name in their order: rewritten. */
static void
rewrite_gap (Diff *self,
             guint end_a,
             guint end_b)
{
  guint b = self->from_b;

  for (guint a = self->from_a; a < end_a; a++)
    for (guint at = b; at < end_b; at++)
      if (strcmp (op_at (&self->a, a)->name, op_at (&self->b, at)->name) == 0
          && op_at (&self->a, a)->results->len == op_at (&self->b, at)->results->len)
        {
          pair_up (self, a, at, LS_PASS_REWRITTEN);
          b = at + 1;
          break;
        }
}

static void
each_gap (Diff *self,
          void (*visit) (Diff *self, guint end_a, guint end_b))
{
  g_autofree int *pair = g_memdup2 (self->a.pair, self->a.ops->len * sizeof (int));

  self->from_a = self->from_b = 0;
  for (guint a = 0; a < self->a.ops->len; a++)
    if (pair[a] >= 0)
      {
        visit (self, a, (guint) pair[a]);
        self->from_a = a + 1;
        self->from_b = (guint) pair[a] + 1;
      }
  visit (self, self->a.ops->len, self->b.ops->len);
}

/* What is gone here and new there, with the same shape and definitions: moved. */
static void
find_moved (Diff *self)
{
  g_autoptr (GHashTable) gone = g_hash_table_new (NULL, NULL);

  for (guint a = self->a.ops->len; a-- > 0;)
    if (self->a.pair[a] < 0)
      g_hash_table_insert (gone, GUINT_TO_POINTER (self->a.hash[ROUNDS - 1][a]), GUINT_TO_POINTER (a + 1));
  for (guint b = 0; b < self->b.ops->len; b++)
    {
      gpointer key = GUINT_TO_POINTER (self->b.hash[ROUNDS - 1][b]);
      guint a = self->b.pair[b] < 0 ? GPOINTER_TO_UINT (g_hash_table_lookup (gone, key)) : 0;

      if (a > 0 && strcmp (op_at (&self->a, a - 1)->shape, op_at (&self->b, b)->shape) == 0)
        {
          pair_up (self, a - 1, b, LS_PASS_MOVED);
          g_hash_table_remove (gone, key);
        }
    }
}

/* May the operation of b at `at`, which changed places with the head of a region, be the one that moved? */
static gboolean
may_move (Diff *self,
          guint at)
{
  const LsPassOperation *op = op_at (&self->b, at);

  return self->b.kind[at] == LS_PASS_SAME && !op->opens && strcmp (op->name, "label") != 0;
}

/* The head of a region is not moved where others changed places with it: they left the region, or came into it. */
static void
keep_regions (Diff *self)
{
  for (guint b = 0; b < self->b.ops->len; b++)
    {
      guint a = (guint) self->b.pair[b];
      gboolean all = self->b.pair[b] >= 0 && self->b.kind[b] == LS_PASS_MOVED && op_at (&self->b, b)->opens;

      for (guint round = 0; round < 2 && all; round++)
        for (guint at = 0; at < self->b.ops->len && all; at++)
          {
            int pair = self->b.pair[at];

            if (pair < 0 || self->b.kind[at] == LS_PASS_MOVED || ((guint) pair < a) == (at < b))
              continue;
            if (round == 0)
              all = may_move (self, at);
            else
              pair_up (self, (guint) pair, at, LS_PASS_MOVED);
          }
      if (all)
        pair_up (self, a, b, LS_PASS_SAME);
    }
}

static void
find_duplicated (Diff *self)
{
  g_autoptr (GHashTable) kept = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint a = 0; a < self->a.ops->len; a++)
    if (self->a.pair[a] >= 0)
      g_hash_table_add (kept, op_at (&self->a, a)->shape);
  for (guint b = 0; b < self->b.ops->len; b++)
    if (self->b.pair[b] < 0)
      self->b.kind[b] = g_hash_table_contains (kept, op_at (&self->b, b)->shape) ? LS_PASS_DUPLICATED : LS_PASS_ADDED;
}

static gboolean
bind (Diff    *self,
      guint    x,
      guint    y,
      gboolean result)
{
  if (self->a.values[x] == 0 && self->b.values[y] == 0)
    {
      if (!result && (self->a.definition[x] >= 0 || self->b.definition[y] >= 0))
        return FALSE;
      self->a.values[x] = y + 1;
      self->b.values[y] = x + 1;
    }
  return self->a.values[x] == y + 1 && self->b.values[y] == x + 1;
}

static void
bind_results (Diff *self,
              guint a)
{
  GArray *x = op_at (&self->a, a)->results, *y = op_at (&self->b, (guint) self->a.pair[a])->results;

  for (guint i = 0; i < MIN (x->len, y->len); i++)
    bind (self, g_array_index (x, guint, i), g_array_index (y, guint, i), TRUE);
}

/* Shape and operands of an operation without a partner, in the numbers of side b. (transfer full); NULL: an operand has no partner.  What comes from
 * outside, such as the label that begins a function, has none before somebody who uses it has one. */
static char *
bound_key (Side    *side,
           guint    i,
           gboolean is_a)
{
  LsPassOperation *op = op_at (side, i);
  g_autoptr (GString) key = g_string_new (op->shape);

  for (guint j = 0; j < op->operands->len; j++)
    {
      guint value = g_array_index (op->operands, guint, j);

      if (side->values[value] == 0 && side->definition[value] >= 0)
        return NULL;
      if (side->values[value] == 0)
        g_string_append (key, "\n?");
      else
        g_string_append_printf (key, "\n%u", is_a ? side->values[value] - 1 : value);
    }
  return g_string_free (g_steal_pointer (&key), FALSE);
}

/* One round; FALSE: nothing was found. */
static gboolean
find_bound (Diff *self)
{
  g_autoptr (GHashTable) gone = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gboolean found = FALSE;

  for (guint a = self->a.ops->len; a-- > 0;)
    {
      char *key = self->a.pair[a] < 0 ? bound_key (&self->a, a, TRUE) : NULL;

      if (key != NULL)
        g_hash_table_replace (gone, key, GUINT_TO_POINTER (a + 1));
    }
  for (guint b = 0; b < self->b.ops->len && g_hash_table_size (gone) > 0; b++)
    {
      g_autofree char *key = self->b.pair[b] < 0 ? bound_key (&self->b, b, FALSE) : NULL;
      guint a = key != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (gone, key)) : 0;

      if (a == 0 || op_at (&self->a, a - 1)->results->len != op_at (&self->b, b)->results->len)
        continue;
      pair_up (self, a - 1, b, LS_PASS_MOVED);
      bind_results (self, a - 1);
      g_hash_table_remove (gone, key);
      found = TRUE;
    }
  return found;
}

static void
check_operands (Diff *self)
{
  for (guint a = 0; a < self->a.ops->len; a++)
    if (self->a.pair[a] >= 0)
      bind_results (self, a);
  while (find_bound (self))     /* what is gone here and new there reads the same by now */
    ;
  for (guint a = 0; a < self->a.ops->len; a++)
    if (self->a.pair[a] >= 0)
      {
        guint b = (guint) self->a.pair[a];
        GArray *x = op_at (&self->a, a)->operands, *y = op_at (&self->b, b)->operands;
        gboolean agree = x->len == y->len;

        for (guint i = 0; i < MIN (x->len, y->len); i++)
          agree &= bind (self, g_array_index (x, guint, i), g_array_index (y, guint, i), FALSE);
        if (!agree || strcmp (op_at (&self->a, a)->shape, op_at (&self->b, b)->shape) != 0)
          self->a.kind[a] = self->b.kind[b] = LS_PASS_REWRITTEN;
      }
}

static void
put (GArray          *changes,
     LsPassCounts    *counts,
     LsPassChangeKind kind,
     LsPassOperation *a,
     LsPassOperation *b)
{
  guint *count[] = { &counts->same, &counts->added, &counts->duplicated, &counts->removed, &counts->rewritten, &counts->moved };
  LsPassChange change = { kind, a != NULL ? (int) a->line : -1, b != NULL ? (int) b->line : -1 };

  if (strcmp ((b != NULL ? b : a)->name, "label") != 0)
    ++*count[kind];
  g_array_append_val (changes, change);
}

GArray *
ls_pass_diff (const char   *a,
              const char   *b,
              LsPassLogKind kind,
              LsPassCounts *counts)
{
  return ls_pass_diff_aliased (a, NULL, b, NULL, kind, counts);
}

GArray *
ls_pass_diff_aliased (const char   *a,
                      GHashTable   *aliases_a,
                      const char   *b,
                      GHashTable   *aliases_b,
                      LsPassLogKind kind,
                      LsPassCounts *counts)
{
  g_autoptr (GPtrArray) before = ls_pass_operations_read_aliased (a, kind, aliases_a), after = ls_pass_operations_read_aliased (b, kind, aliases_b);

  return ls_pass_diff_operations (before, after, counts);
}

GArray *
ls_pass_diff_operations (GPtrArray    *a,
                         GPtrArray    *b,
                         LsPassCounts *counts)
{
  static const guint ORDER[] = { ROUNDS - 1, 1, 0 };
  GArray *changes = g_array_new (FALSE, FALSE, sizeof (LsPassChange));
  LsPassCounts ignored = { 0 };
  Diff self = { 0 };
  guint next = 0;

  side_init (&self.a, a);
  side_init (&self.b, b);
  for (guint i = 0; i < G_N_ELEMENTS (ORDER); i++)
    {
      self.round = ORDER[i];
      each_gap (&self, align_gap);
    }
  each_gap (&self, place_gap);
  each_gap (&self, rewrite_gap);
  find_moved (&self);
  keep_regions (&self);
  find_duplicated (&self);
  check_operands (&self);
  if (counts == NULL)
    counts = &ignored;
  for (guint i = 0; i < self.b.ops->len; i++)
    {
      int pair = self.b.pair[i];

      while (pair >= 0 && self.b.kind[i] != LS_PASS_MOVED && next < (guint) pair)
        {
          if (self.a.pair[next] < 0)
            put (changes, counts, LS_PASS_REMOVED, op_at (&self.a, next), NULL);
          next++;
        }
      put (changes, counts, (LsPassChangeKind) self.b.kind[i], pair >= 0 ? op_at (&self.a, (guint) pair) : NULL, op_at (&self.b, i));
    }
  for (; next < self.a.ops->len; next++)
    if (self.a.pair[next] < 0)
      put (changes, counts, LS_PASS_REMOVED, op_at (&self.a, next), NULL);
  side_clear (&self.a);
  side_clear (&self.b);
  return changes;
}
