/* diff: where two trees differ, as the smallest changed subtrees.
 *
 * Equal pointers stop the walk, nodes of one class are compared field by field, lists are aligned (ls_align) by
 * structural hash with a bound on the number of edits.  Within a run of deletions and insertions items of one class
 * are paired and compared inside.  Variables and buffers correspond when the places that bind
 * them do; a binder with another name is a difference, its uses are not.
 */
#include "engine/ir/ir.h"

#include <string.h>

#define MAX_EDITS 400

typedef struct {
  LsDiffFunc  func;
  gpointer    user_data;
  GHashTable *partner;          /* identity node of a -> identity node of b */
  GArray     *steps_a;
  GArray     *steps_b;
  guint       n;
} Diff;

static void diff (Diff *self, LsNode *a, LsNode *b, gboolean binds);

static void
report (Diff     *self,
        LsDiffOp  op)
{
  g_autoptr (LsPath) a = ls_path_new ((const guint32 *) (gpointer) self->steps_a->data, self->steps_a->len);
  g_autoptr (LsPath) b = ls_path_new ((const guint32 *) (gpointer) self->steps_b->data, self->steps_b->len);

  self->n++;
  if (self->func != NULL)
    self->func (op, a, b, self->user_data);
}

static void
push (Diff    *self,
      guint32  a,
      guint32  b)
{
  g_array_append_val (self->steps_a, a);
  g_array_append_val (self->steps_b, b);
}

static void
pop (Diff *self)
{
  g_array_set_size (self->steps_a, self->steps_a->len - 1);
  g_array_set_size (self->steps_b, self->steps_b->len - 1);
}

static void
diff_child (Diff     *self,
            LsNode   *a,
            guint32   ia,
            LsNode   *b,
            guint32   ib,
            gboolean  binds)
{
  push (self, ia, ib);
  diff (self, ls_node_get_child (a, ia), ls_node_get_child (b, ib), binds);
  pop (self);
}

/* ---- identity nodes ------------------------------------------------------------ */

static const char *
name_of (const LsNode *node)
{
  for (guint i = 0; i < node->klass->n_fields; i++)
    if (node->klass->fields[i].type == LS_FIELD_STRING)
      return *(char *const *) ((const char *) node + node->klass->fields[i].offset);
  return "";
}

static void
diff_identity (Diff     *self,
               LsNode   *a,
               LsNode   *b,
               gboolean  binds)
{
  gpointer partner;
  gboolean alike = g_strcmp0 (name_of (a), name_of (b)) == 0;

  if (g_hash_table_lookup_extended (self->partner, a, NULL, &partner))
    {
      if (partner != (gpointer) b)
        report (self, LS_DIFF_CHANGE);
      return;
    }
  if ((a->klass->flags & LS_CLASS_EXPR) && !ls_dtype_equal (ls_dtype (a), ls_dtype (b)))
    alike = FALSE;
  if (a == b || alike || binds)
    g_hash_table_insert (self->partner, a, b);
  if (a != b && !alike)
    report (self, LS_DIFF_CHANGE);
}

/* ---- lists ---------------------------------------------------------------------- */

static gboolean
items_match (guint    a,
             guint    b,
             gpointer user_data)
{
  LsArray **lists = user_data;
  LsNode *x = lists[0]->items[a], *y = lists[1]->items[b];

  return x == y || (x != NULL && y != NULL && x->klass == y->klass && x->hash == y->hash);
}

/* A run in which nothing matched: items are paired in order as long as their classes agree. */
static void
diff_run (Diff     *self,
          LsArray  *a,
          guint     a0,
          guint     a1,
          LsArray  *b,
          guint     b0,
          guint     b1,
          gboolean  binds)
{
  while (a0 < a1 || b0 < b1)
    {
      LsNode *x = a0 < a1 ? a->items[a0] : NULL, *y = b0 < b1 ? b->items[b0] : NULL;

      if (a0 < a1 && b0 < b1 && (x == NULL || y == NULL || x->klass == y->klass || a1 - a0 == b1 - b0))
        {
          diff_child (self, LS_NODE (a), a0++, LS_NODE (b), b0++, binds);
        }
      else if (a0 < a1 && (b0 == b1 || a1 - a0 > b1 - b0))
        {
          push (self, a0++, b0);
          report (self, LS_DIFF_DELETE);
          pop (self);
        }
      else
        {
          push (self, a0, b0++);
          report (self, LS_DIFF_INSERT);
          pop (self);
        }
    }
}

static void
diff_array (Diff     *self,
            LsArray  *a,
            LsArray  *b,
            gboolean  binds)
{
  LsArray *lists[] = { a, b };
  g_autoptr (GArray) pairs = ls_align (a->n, b->n, MAX_EDITS, items_match, lists);
  guint a0 = 0, b0 = 0;

  for (guint i = 0; i < pairs->len; i++)
    {
      LsAlignPair pair = g_array_index (pairs, LsAlignPair, i);

      diff_run (self, a, a0, pair.a, b, b0, pair.b, binds);
      diff_child (self, LS_NODE (a), pair.a, LS_NODE (b), pair.b, binds);
      a0 = pair.a + 1;
      b0 = pair.b + 1;
    }
  diff_run (self, a, a0, a->n, b, b0, b->n, binds);
}

static void
diff_map (Diff  *self,
          LsMap *a,
          LsMap *b)
{
  guint i = 0, k = 0;

  while (i < a->n || k < b->n)
    {
      int order = i == a->n ? 1 : k == b->n ? -1 : strcmp (a->keys[i], b->keys[k]);

      if (order == 0)
        {
          diff_child (self, LS_NODE (a), i++, LS_NODE (b), k++, FALSE);
          continue;
        }
      push (self, i, k);
      report (self, order < 0 ? LS_DIFF_DELETE : LS_DIFF_INSERT);
      pop (self);
      i += order < 0;
      k += order > 0;
    }
}

/* ---- fields ---------------------------------------------------------------------- */

static gboolean
plain_differs (const LsNode *a,
               const LsNode *b)
{
  const LsNodeClass *klass = a->klass;

  if ((klass->flags & LS_CLASS_EXPR) && !ls_dtype_equal (ls_dtype (a), ls_dtype (b)))
    return TRUE;
  for (guint i = 0; i < klass->n_fields; i++)
    {
      const char *x = (const char *) a + klass->fields[i].offset, *y = (const char *) b + klass->fields[i].offset;

      switch (klass->fields[i].type)
        {
        case LS_FIELD_NODE: break;
        case LS_FIELD_INT: if (*(const gint64 *) x != *(const gint64 *) y) return TRUE; break;
        case LS_FIELD_FLOAT: if (memcmp (x, y, sizeof (double)) != 0) return TRUE; break;
        case LS_FIELD_BOOL:
        case LS_FIELD_ENUM: if (*(const int *) x != *(const int *) y) return TRUE; break;
        case LS_FIELD_STRING: if (g_strcmp0 (*(char *const *) x, *(char *const *) y) != 0) return TRUE; break;
        case LS_FIELD_DTYPE: if (!ls_dtype_equal (*(const LsDType *) x, *(const LsDType *) y)) return TRUE; break;
        }
    }
  return klass->kind == LS_KIND_TENSOR && !g_bytes_equal (((const LsTensor *) a)->data, ((const LsTensor *) b)->data);
}

static void
diff_fields (Diff     *self,
             LsNode   *a,
             LsNode   *b,
             gboolean  binds)
{
  guint32 child = 0;

  for (guint i = 0; i < a->klass->n_fields; i++)
    if (a->klass->fields[i].type == LS_FIELD_NODE)
      {
        diff_child (self, a, child, b, child, binds || (a->klass->fields[i].flags & LS_FIELD_BINDS));
        child++;
      }
}

static void
diff (Diff     *self,
      LsNode   *a,
      LsNode   *b,
      gboolean  binds)
{
  if (a == b)
    return;
  if (a == NULL || b == NULL)
    report (self, a == NULL ? LS_DIFF_INSERT : LS_DIFF_DELETE);
  else if (a->klass != b->klass)
    report (self, LS_DIFF_CHANGE);
  else if (a->klass->flags & LS_CLASS_IDENTITY)
    diff_identity (self, a, b, binds);
  else if (ls_kind (a) == LS_KIND_ARRAY)
    diff_array (self, (LsArray *) a, (LsArray *) b, binds);
  else if (ls_kind (a) == LS_KIND_MAP)
    diff_map (self, (LsMap *) a, (LsMap *) b);
  else if (plain_differs (a, b))
    report (self, LS_DIFF_CHANGE);
  else
    diff_fields (self, a, b, binds);
}

gboolean
ls_diff (gpointer    a,
         gpointer    b,
         LsDiffFunc  func,
         gpointer    user_data)
{
  Diff self = {
    func, user_data, g_hash_table_new (NULL, NULL),
    g_array_new (FALSE, FALSE, sizeof (guint32)), g_array_new (FALSE, FALSE, sizeof (guint32)), 0
  };

  diff (&self, a, b, FALSE);
  g_hash_table_unref (self.partner);
  g_array_unref (self.steps_a);
  g_array_unref (self.steps_b);
  return self.n == 0;
}
