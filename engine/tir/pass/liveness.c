/* liveness: a statement as a line of points, with what each touches of the memory that is allocated inside.
 *
 * A use is noted at the scope in which its allocation stands: inside of a loop it counts for the whole loop.  The life of an
 * allocation lasts from the begin of the first point that touches it to the end of the last; both are found by one scan in
 * either direction.  Who uses a pointer into an allocation uses that.  Source of the concept: TVM's LinearAccessPatternFinder. */
#include "engine/tir/pass/liveness.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/scope.h"

typedef struct {
  LsLiveness *result;
  GPtrArray  *scopes;           /* of GPtrArray: what is touched in each scope around the place */
  LsLiveScope is_scope;
  gboolean    in_threads;
  GHashTable *pointers;         /* Var of a pointer -> Var that it points into */
} Finder;

static void
point_free (gpointer data)
{
  LsLivePoint *self = data;

  g_ptr_array_unref (self->touched);
  g_ptr_array_unref (self->gen);
  g_ptr_array_unref (self->kill);
  g_free (self);
}

static LsLivePoint *
add_point (Finder    *self,
           LsNode    *stmt,
           GPtrArray *touched)
{
  LsLivePoint *point = g_new0 (LsLivePoint, 1);

  point->stmt = stmt;
  point->touched = touched != NULL ? touched : g_ptr_array_new ();
  point->gen = g_ptr_array_new ();
  point->kill = g_ptr_array_new ();
  g_ptr_array_add (self->result->points, point);
  return point;
}

static void
touch (Finder  *self,
       gpointer var)
{
  LsLiveAllocation *allocation;

  while (g_hash_table_contains (self->pointers, var))
    var = g_hash_table_lookup (self->pointers, var);
  allocation = g_hash_table_lookup (self->result->allocations, var);
  if (allocation == NULL)
    return;
  allocation->used = TRUE;
  if (allocation->level < self->scopes->len)
    g_ptr_array_add (self->scopes->pdata[allocation->level], var);
}

static void visit (Finder *self,
                   gpointer node);

/* The children of a scope: all of them, without what the statement binds. */
static void
visit_inside (Finder *self,
              LsNode *node)
{
  LsAttrStmt *attr = (LsAttrStmt *) node;
  LsLiveAllocation *allocation;

  if (ls_is (node, ATTR_STMT))
    {
      if ((allocation = g_hash_table_lookup (self->result->allocations, attr->subject)) != NULL)
        allocation->used = TRUE;
      visit (self, attr->value);
      visit (self, attr->body);
      return;
    }
  for (guint i = 0; i < ls_node_get_n_children (node); i++)
    visit (self, ls_node_get_child (node, i));
}

static void
visit_scope (Finder *self,
             LsNode *node)
{
  gint begin = (gint) self->result->points->len, end;
  GPtrArray *touched = g_ptr_array_new ();

  add_point (self, node, NULL);
  g_ptr_array_add (self->scopes, touched);
  visit_inside (self, node);
  g_ptr_array_set_size (self->scopes, self->scopes->len - 1);
  end = (gint) self->result->points->len;
  add_point (self, node, touched)->pair = begin - end;
  ((LsLivePoint *) self->result->points->pdata[begin])->pair = end - begin;
}

static void
visit_leaf (Finder *self,
            LsNode *node)
{
  GPtrArray *touched = g_ptr_array_new ();
  LsBufferStore *store = (LsBufferStore *) node;

  g_ptr_array_add (self->scopes, touched);
  visit_inside (self, node);
  if (ls_is (node, BUFFER_STORE))
    {
      g_hash_table_add (self->result->accessed, store->buffer);
      touch (self, store->buffer->data);
    }
  g_ptr_array_set_size (self->scopes, self->scopes->len - 1);
  if (touched->len > 0)
    add_point (self, node, touched);
  else
    g_ptr_array_unref (touched);
}

static void
visit_attribute (Finder     *self,
                 LsAttrStmt *attr)
{
  gboolean around = self->in_threads;

  if (!self->is_scope (attr, around))
    {
      visit_inside (self, LS_NODE (attr));
      return;
    }
  self->in_threads = around || ls_is_attr (attr, "thread_extent");
  visit_scope (self, LS_NODE (attr));
  self->in_threads = around;
}

static void
visit_allocate (Finder     *self,
                LsAllocate *node)
{
  LsLiveAllocation *allocation = g_new0 (LsLiveAllocation, 1);

  allocation->allocate = node;
  allocation->level = self->scopes->len;
  g_hash_table_insert (self->result->allocations, node->buffer_var, allocation);
  visit (self, node->extents);
  visit (self, node->condition);
  visit (self, node->body);
}

static void
note_pointer (Finder    *self,
              LsLetStmt *let)
{
  LsVar *memory = ls_pointer_memory (let->value);
  LsLiveAllocation *allocation;

  if (memory == NULL || memory == let->var)
    return;
  while (g_hash_table_contains (self->pointers, memory))
    memory = g_hash_table_lookup (self->pointers, memory);
  allocation = g_hash_table_lookup (self->result->allocations, memory);
  if (allocation == NULL)
    return;
  allocation->pointed = TRUE;
  g_hash_table_insert (self->pointers, let->var, memory);
}

static void
visit (Finder  *self,
       gpointer node)
{
  if (node == NULL || ls_is (node, BUFFER))
    return;
  if (ls_is (node, LET_STMT))
    note_pointer (self, node);
  if (ls_is_var (node))
    touch (self, node);
  else if (ls_is (node, ALLOCATE))
    visit_allocate (self, node);
  else if (ls_is (node, ATTR_STMT))
    visit_attribute (self, node);
  else if (ls_is (node, FOR) || ls_is (node, IF_THEN_ELSE) || ls_is (node, WHILE) || ls_is (node, ASSERT_STMT) || ls_is (node, LET_STMT))
    visit_scope (self, node);
  else if (ls_is (node, BUFFER_STORE) || ls_is (node, EVALUATE))
    visit_leaf (self, node);
  else
    visit_inside (self, node);
  if (ls_is (node, BUFFER_LOAD))
    {
      g_hash_table_add (self->result->accessed, ((LsBufferLoad *) node)->buffer);
      touch (self, ((LsBufferLoad *) node)->buffer->data);
    }
}

static gboolean
default_scope (LsAttrStmt *attr,
               gboolean    in_threads)
{
  return (ls_is_attr (attr, "thread_extent") && !in_threads) || ls_is_attr (attr, "extern_scope") || ls_is_attr (attr, "virtual_thread");
}

static void
find_lives (LsLiveness *self)
{
  g_autoptr (GHashTable) ended = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) begun = g_hash_table_new (NULL, NULL);

  for (guint i = self->points->len; i-- > 0;)
    {
      LsLivePoint *point = self->points->pdata[i];

      for (guint k = 0; k < point->touched->len; k++)
        if (g_hash_table_add (ended, point->touched->pdata[k]))
          g_ptr_array_add (point->kill, point->touched->pdata[k]);
    }
  for (guint i = 0; i < self->points->len; i++)
    {
      LsLivePoint *point = self->points->pdata[i], *end;

      if (point->pair < 0)
        continue;
      end = self->points->pdata[i + (guint) point->pair];
      for (guint k = 0; k < end->touched->len; k++)
        if (g_hash_table_add (begun, end->touched->pdata[k]))
          g_ptr_array_add (end->gen, end->touched->pdata[k]);
    }
}

LsLiveness *
ls_liveness_new (LsStmt      *body,
                 LsLiveScope  is_scope)
{
  g_autoptr (GPtrArray) scopes = g_ptr_array_new ();
  g_autoptr (GHashTable) pointers = g_hash_table_new (NULL, NULL);
  LsLiveness *self = g_new0 (LsLiveness, 1);
  Finder finder = { self, scopes, is_scope != NULL ? is_scope : default_scope, FALSE, pointers };

  self->points = g_ptr_array_new_with_free_func (point_free);
  self->allocations = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->accessed = g_hash_table_new (NULL, NULL);
  visit (&finder, body);
  find_lives (self);
  return self;
}

void
ls_liveness_free (LsLiveness *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->points);
  g_hash_table_unref (self->allocations);
  g_hash_table_unref (self->accessed);
  g_free (self);
}
