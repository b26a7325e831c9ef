/* program: see the header. */
#include "engine/schedule/inspect/inspect.h"

#include "engine/tir/regions.h"

#include <string.h>

const char *
ls_dependence_kind_name (LsDependenceKind kind)
{
  switch (kind)
    {
    case LS_DEPENDENCE_RAW: return "RAW";
    case LS_DEPENDENCE_WAW: return "WAW";
    case LS_DEPENDENCE_WAR: return "WAR";
    }
  return "";
}

/* ---- dependences ------------------------------------------------------------------- */

typedef struct {
  GPtrArray *blocks;            /* of LsBlock: directly inside the scope, in order */
  GPtrArray *scopes;            /* of LsStmt: bodies of blocks that are still to be looked into */
} Scope;

static LsWalk
collect_blocks (LsNode   *node,
                gpointer  user_data)
{
  Scope *self = user_data;

  if (ls_is_expr (node))
    return LS_WALK_PRUNE;
  if (!ls_is (node, BLOCK))
    return LS_WALK_CONTINUE;
  g_ptr_array_add (self->blocks, node);
  if (LS_NODE (((LsBlock *) node)->body)->facts & LS_FACT_HAS_BLOCK)
    g_ptr_array_add (self->scopes, ((LsBlock *) node)->body);
  return LS_WALK_PRUNE;
}

static gboolean
touches (LsArray  *regions,
         LsBuffer *buffer)
{
  for (guint i = 0; i < ls_array_n (regions); i++)
    if (ls_array_at (regions, i, LsBufferRegion)->buffer == buffer)
      return TRUE;
  return FALSE;
}

static void
add_between (GArray           *found,
             LsBlock          *from,
             LsBlock          *to,
             LsArray          *earlier,
             LsArray          *later,
             LsDependenceKind  kind)
{
  for (guint i = 0; i < ls_array_n (later); i++)
    {
      LsBuffer *buffer = ls_array_at (later, i, LsBufferRegion)->buffer;
      LsDependence dependence = { from, to, kind, buffer };
      gboolean seen = FALSE;

      for (guint k = 0; !seen && k < i; k++)
        seen = ls_array_at (later, k, LsBufferRegion)->buffer == buffer;
      if (!seen && touches (earlier, buffer))
        g_array_append_val (found, dependence);
    }
}

static void
scope_dependences (GArray    *found,
                   GPtrArray *blocks)
{
  for (guint t = 1; t < blocks->len; t++)
    for (guint f = 0; f < t; f++)
      {
        LsBlock *from = blocks->pdata[f], *to = blocks->pdata[t];

        add_between (found, from, to, from->writes, to->reads, LS_DEPENDENCE_RAW);
        add_between (found, from, to, from->writes, to->writes, LS_DEPENDENCE_WAW);
        add_between (found, from, to, from->reads, to->writes, LS_DEPENDENCE_WAR);
      }
}

static LsStmt *
body_of (LsPrimFunc *func)
{
  LsBlockRealize *root = ls_prim_func_root (func);

  return root != NULL ? root->block->body : func->body;
}

GArray *
ls_inspect_dependences (LsPrimFunc *func)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (LsDependence));
  g_autoptr(GPtrArray) scopes = g_ptr_array_new ();

  g_ptr_array_add (scopes, body_of (func));
  for (guint i = 0; i < scopes->len; i++)
    {
      g_autoptr(GPtrArray) blocks = g_ptr_array_new ();
      Scope scope = { blocks, scopes };

      ls_walk (scopes->pdata[i], collect_blocks, NULL, &scope);
      scope_dependences (found, blocks);
    }
  return found;
}

/* ---- footprints ------------------------------------------------------------------------ */

#define MAX_ROWS (1 << 22)

typedef struct {
  LsBuffer  *buffer;
  gboolean   is_read, is_written;
  GPtrArray *whole;             /* of LsBufferRegion (owned): over the loops from the asked one down */
  GPtrArray *once;              /* the same, one iteration of the asked one */
  gint64     accesses;
} Touched;

static void
touched_clear (gpointer data)
{
  Touched *self = data;

  g_ptr_array_unref (self->whole);
  g_ptr_array_unref (self->once);
}

static Touched *
touched_of (GArray   *list,
            LsBuffer *buffer)
{
  Touched fresh = { buffer, FALSE, FALSE, NULL, NULL, 0 };

  for (guint i = 0; i < list->len; i++)
    if (g_array_index (list, Touched, i).buffer == buffer)
      return &g_array_index (list, Touched, i);
  fresh.whole = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  fresh.once = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_array_append_val (list, fresh);
  return &g_array_index (list, Touched, list->len - 1);
}

static gint64
times (gint64 a,
       gint64 b)
{
  gint64 product;

  return a < 0 || b < 0 || __builtin_mul_overflow (a, b, &product) ? -1 : product;
}

/* The box of a region as numbers; FALSE: not known. */
static gboolean
box_of (LsBufferRegion *region,
        LsAnalyzer     *analyzer,
        gint64         *begin,
        gint64         *size)
{
  for (guint i = 0; i < ls_array_n (region->region); i++)
    {
      LsRange *range = ls_array_at (region->region, i, LsRange);
      g_autoptr(LsExpr) min = ls_analyzer_simplify (analyzer, range->min);
      g_autoptr(LsExpr) extent = ls_analyzer_simplify (analyzer, range->extent);
      gint64 shape;

      if (!ls_as_int (min, &begin[i]) || !ls_as_int (extent, &size[i]) || !ls_as_int (region->buffer->shape->items[i], &shape))
        return FALSE;
      if (begin[i] < 0)
        {
          size[i] += begin[i];
          begin[i] = 0;
        }
      size[i] = CLAMP (size[i], 0, MAX (shape - begin[i], 0));
    }
  return TRUE;
}

static gint64
count_elements (LsBufferRegion *region,
                LsAnalyzer     *analyzer)
{
  guint n = ls_array_n (region->region);
  g_autofree gint64 *begin = g_new0 (gint64, n + 1);
  g_autofree gint64 *size = g_new0 (gint64, n + 1);
  gint64 count = 1;

  if (!box_of (region, analyzer, begin, size))
    return -1;
  for (guint i = 0; i < n; i++)
    count = times (count, size[i]);
  return count;
}

/* What one instance declares, wherever it lies; -1: not known. */
static gint64
elements_of_instance (LsBufferRegion *region,
                      LsAnalyzer     *analyzer)
{
  gint64 count = 1;

  for (guint i = 0; i < ls_array_n (region->region); i++)
    {
      g_autoptr(LsExpr) extent = ls_analyzer_simplify (analyzer, ls_array_at (region->region, i, LsRange)->extent);
      gint64 n;

      count = times (count, ls_as_int (extent, &n) ? n : -1);
    }
  return count;
}

/* Lines of a compact row-major buffer: rows of the box in the order of their addresses, lines shared by two counted once. */
static gint64
count_lines (LsBufferRegion *region,
             LsAnalyzer     *analyzer,
             guint           line_bytes)
{
  guint n = ls_array_n (region->region);
  g_autofree gint64 *begin = g_new0 (gint64, n + 1);
  g_autofree gint64 *size = g_new0 (gint64, n + 1);
  g_autofree gint64 *at = g_new0 (gint64, n + 1);
  gint64 item = ls_dtype_bytes (region->buffer->dtype);
  gint64 rows = 1, lines = 0, last = -1;

  if (!box_of (region, analyzer, begin, size))
    return -1;
  for (guint i = 0; i + 1 < n; i++)
    rows = times (rows, size[i]);
  if (rows < 0 || rows > MAX_ROWS)
    return -1;
  for (gint64 row = 0; row < rows && (n == 0 || size[n - 1] > 0); row++)
    {
      gint64 offset = 0, first, end;
      guint d = n > 0 ? n - 1 : 0;

      for (guint i = 0; i < n; i++)
        {
          gint64 shape = 1;

          ls_as_int (region->buffer->shape->items[i], &shape);
          offset = offset * shape + begin[i] + at[i];
        }
      first = offset * item / line_bytes;
      end = ((offset + (n > 0 ? size[n - 1] : 1)) * item - 1) / line_bytes;
      lines += end - MAX (first, last + 1) + 1 > 0 ? end - MAX (first, last + 1) + 1 : 0;
      last = MAX (last, end);
      while (d-- > 0 && ++at[d] == size[d])
        at[d] = 0;
    }
  return lines;
}

/* The loops of an access that stand at or below the asked node; -1: none does. */
static gint
first_inner_loop (LsRegionAccess *access,
                  LsNode         *node)
{
  if (ls_is (node, BLOCK))
    return access->realize->block == (LsBlock *) node ? (gint) access->loops->len : -1;
  for (guint i = 0; i < access->loops->len; i++)
    if (access->loops->pdata[i] == node)
      return (gint) i;
  return -1;
}

static LsBufferRegion *
relaxed (LsRegionAccess *access,
         guint           from,
         GHashTable     *fixed,
         LsAnalyzer     *analyzer)
{
  g_autoptr(GPtrArray) inner = g_ptr_array_new ();
  g_autoptr(LsDomMap) domains = NULL;
  g_autoptr(LsBufferRegion) region = NULL;

  for (guint k = from; k < access->loops->len; k++)
    g_ptr_array_add (inner, access->loops->pdata[k]);
  domains = ls_loop_domains (inner);
  region = ls_buffer_region_relax (access->region, domains, NULL, analyzer);
  return ls_buffer_region_substitute (region, fixed, analyzer);
}

/* How often the block runs in one execution of the node; -1: not known. */
static gint64
runs_below (LsRegionAccess *access,
            guint           from)
{
  gint64 runs = 1, extent;

  for (guint k = from; k < access->loops->len; k++)
    runs = times (runs, ls_as_int (((LsFor *) access->loops->pdata[k])->extent, &extent) ? extent : -1);
  return runs;
}

static void
note_access (GArray         *list,
             LsRegionAccess *access,
             guint           from,
             gboolean        is_loop,
             LsAnalyzer     *analyzer)
{
  Touched *touched = touched_of (list, access->region->buffer);
  g_autoptr(GHashTable) fixed = g_hash_table_new (NULL, NULL);
  g_autoptr(GHashTable) first = g_hash_table_new (NULL, NULL);
  gint64 once = elements_of_instance (access->region, analyzer);

  for (guint k = 0; k < from; k++)
    g_hash_table_insert (fixed, ((LsFor *) access->loops->pdata[k])->loop_var, ((LsFor *) access->loops->pdata[k])->min);
  for (guint k = 0; k < from + is_loop; k++)
    g_hash_table_insert (first, ((LsFor *) access->loops->pdata[k])->loop_var, ((LsFor *) access->loops->pdata[k])->min);
  g_ptr_array_add (touched->whole, relaxed (access, from, fixed, analyzer));
  g_ptr_array_add (touched->once, relaxed (access, from + is_loop, first, analyzer));
  if (access->is_write)
    touched->is_written = TRUE;
  else
    touched->is_read = TRUE;
  touched->accesses = touched->accesses < 0 || once < 0 || runs_below (access, from) < 0 ? -1 : touched->accesses + once * runs_below (access, from);
}

static void
collect_below (GArray     *list,
               LsStmt     *root,
               LsNode     *node,
               LsAnalyzer *analyzer)
{
  g_autoptr(GPtrArray) accesses = ls_collect_regions (root, NULL, TRUE, TRUE);
  LsBlock *entered = NULL;

  for (guint i = 0; i < accesses->len; i++)
    {
      LsRegionAccess *access = accesses->pdata[i];
      gint from = first_inner_loop (access, node);

      if (from >= 0)
        note_access (list, access, (guint) from, ls_is (node, FOR), analyzer);
      else if (access->realize->block != entered && (LS_NODE (access->realize->block->body)->facts & LS_FACT_HAS_BLOCK))
        collect_below (list, access->realize->block->body, node, analyzer);
      entered = access->realize->block;
    }
}

GArray *
ls_inspect_footprint (LsPrimFunc *func,
                      LsNode     *node,
                      guint       line_bytes)
{
  GArray *result = g_array_new (FALSE, FALSE, sizeof (LsFootprint));
  g_autoptr(GArray) list = g_array_new (FALSE, FALSE, sizeof (Touched));
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();

  g_array_set_clear_func (list, touched_clear);
  collect_below (list, body_of (func), node, analyzer);
  for (guint i = 0; i < list->len; i++)
    {
      Touched *touched = &g_array_index (list, Touched, i);
      g_autoptr(LsBufferRegion) whole = ls_buffer_region_union ((LsBufferRegion **) touched->whole->pdata, touched->whole->len);
      g_autoptr(LsBufferRegion) once = ls_buffer_region_union ((LsBufferRegion **) touched->once->pdata, touched->once->len);
      LsFootprint footprint = { touched->buffer, touched->is_read, touched->is_written, count_elements (whole, analyzer), 0, 0,
                                count_elements (once, analyzer), touched->accesses };

      footprint.bytes = times (footprint.elements, ls_dtype_bytes (touched->buffer->dtype));
      footprint.lines = count_lines (whole, analyzer, line_bytes);
      g_array_append_val (result, footprint);
    }
  return result;
}

/* ---- lifetimes --------------------------------------------------------------------------- */

typedef struct {
  GArray    *lifetimes;
  GPtrArray *loops;             /* of LsFor: around the place */
  GPtrArray *around;            /* for each lifetime its loops so far (GPtrArray), or NULL */
  guint      position;
} Lives;

static gint64
buffer_bytes (LsBuffer *buffer)
{
  gint64 bytes = ls_dtype_bytes (buffer->dtype), extent;

  for (guint i = 0; i < ls_array_n (buffer->shape); i++)
    bytes = times (bytes, ls_as_int (buffer->shape->items[i], &extent) ? extent : -1);
  return bytes;
}

static void
add_lifetime (Lives    *self,
              LsBuffer *buffer,
              gboolean  is_param)
{
  LsLifetime lifetime = { buffer, is_param, NULL, NULL, 0, 0, NULL, buffer_bytes (buffer) };

  g_array_append_val (self->lifetimes, lifetime);
  g_ptr_array_add (self->around, NULL);
}

/* Keeps the loops that all uses share. */
static void
use_buffer (Lives    *self,
            LsBuffer *buffer,
            LsBlock  *block)
{
  for (guint i = 0; i < self->lifetimes->len; i++)
    {
      LsLifetime *lifetime = &g_array_index (self->lifetimes, LsLifetime, i);
      GPtrArray *shared = self->around->pdata[i];
      guint n = 0;

      if (lifetime->buffer != buffer)
        continue;
      if (lifetime->first == NULL)
        {
          lifetime->first = block;
          lifetime->first_position = self->position;
          self->around->pdata[i] = shared = g_ptr_array_copy (self->loops, NULL, NULL);
        }
      while (n < shared->len && n < self->loops->len && shared->pdata[n] == self->loops->pdata[n])
        n++;
      g_ptr_array_set_size (shared, (gint) n);
      lifetime->last = block;
      lifetime->last_position = self->position;
      return;
    }
}

static void live (Lives *self, LsNode *node);

static void
live_in_block (Lives   *self,
               LsBlock *block)
{
  for (guint i = 0; i < ls_array_n (block->alloc_buffers); i++)
    add_lifetime (self, ls_array_at (block->alloc_buffers, i, LsBuffer), FALSE);
  if (LS_NODE (block->body)->facts & LS_FACT_HAS_BLOCK)
    {
      live (self, LS_NODE (block->body));
      return;
    }
  self->position++;
  for (guint i = 0; i < ls_array_n (block->reads); i++)
    use_buffer (self, ls_array_at (block->reads, i, LsBufferRegion)->buffer, block);
  for (guint i = 0; i < ls_array_n (block->writes); i++)
    use_buffer (self, ls_array_at (block->writes, i, LsBufferRegion)->buffer, block);
}

static void
live (Lives  *self,
      LsNode *node)
{
  if (node == NULL || ls_is_expr (node))
    return;
  if (ls_is (node, BLOCK))
    {
      live_in_block (self, (LsBlock *) node);
      return;
    }
  if (ls_is (node, FOR))
    g_ptr_array_add (self->loops, node);
  for (guint i = 0; i < ls_node_get_n_children (node); i++)
    {
      LsNode *child = ls_node_get_child (node, i);

      if (child != NULL && (ls_is_stmt (child) || ls_is (child, ARRAY) || ls_is (child, BLOCK)))
        live (self, child);
    }
  if (ls_is (node, FOR))
    g_ptr_array_set_size (self->loops, (gint) self->loops->len - 1);
}

/* A buffer whose uses share a loop is written and read again in each iteration: it lives as long as the loop runs. */
static gint64
peak_of (GArray *lifetimes,
         guint   n_positions)
{
  gint64 peak = 0;

  for (guint p = 1; p <= n_positions; p++)
    {
      gint64 sum = 0;

      for (guint i = 0; i < lifetimes->len; i++)
        {
          LsLifetime *lifetime = &g_array_index (lifetimes, LsLifetime, i);

          if (lifetime->is_param || lifetime->first == NULL || p < lifetime->first_position || p > lifetime->last_position)
            continue;
          if (lifetime->bytes < 0)
            return -1;
          sum += lifetime->bytes;
        }
      peak = MAX (peak, sum);
    }
  return peak;
}

GArray *
ls_inspect_lifetimes (LsPrimFunc *func,
                      gint64     *peak_bytes)
{
  Lives self = { g_array_new (FALSE, FALSE, sizeof (LsLifetime)), g_ptr_array_new (), g_ptr_array_new (), 0 };

  for (guint i = 0; i < ls_array_n (func->params); i++)
    if (ls_prim_func_get_buffer (func, i) != NULL)
      add_lifetime (&self, ls_prim_func_get_buffer (func, i), TRUE);
  live (&self, LS_NODE (func->body));
  for (guint i = 0; i < self.lifetimes->len; i++)
    {
      GPtrArray *shared = self.around->pdata[i];

      if (shared == NULL)
        continue;
      g_array_index (self.lifetimes, LsLifetime, i).around = shared->len > 0 ? shared->pdata[shared->len - 1] : NULL;
      g_ptr_array_unref (shared);
    }
  if (peak_bytes != NULL)
    *peak_bytes = peak_of (self.lifetimes, self.position);
  g_ptr_array_unref (self.loops);
  g_ptr_array_unref (self.around);
  return self.lifetimes;
}

/* ---- the family tree of loops ---------------------------------------------------------------- */

static void
loop_node_free (gpointer data)
{
  LsLoopNode *self = data;

  g_free (self->name);
  g_ptr_array_unref (self->children);
  g_ptr_array_unref (self->parents);
  g_free (self);
}

/* The node of a lineage id, made when it is new. */
static LsLoopNode *
node_of (GPtrArray    *tree,
         LsEntity     *entity,
         guint         step,
         LsLineageHow  how)
{
  LsLoopNode *node = NULL;

  for (guint i = 0; i < tree->len; i++)
    if (((LsLoopNode *) tree->pdata[i])->id == entity->id)
      node = tree->pdata[i];
  if (node == NULL)
    {
      node = g_new0 (LsLoopNode, 1);
      node->id = entity->id;
      node->step = step;
      node->how = how;
      node->children = g_ptr_array_new ();
      node->parents = g_ptr_array_new ();
      g_ptr_array_add (tree, node);
    }
  g_free (node->name);
  node->name = g_strdup (((LsFor *) entity->node)->loop_var->name);
  return node;
}

static void
add_links (GPtrArray *tree,
           LsLineage *lineage,
           guint      step)
{
  for (guint i = 0; i < lineage->links->len; i++)
    {
      LsLineageLink *link = &g_array_index (lineage->links, LsLineageLink, i);
      LsEntity *before = link->before >= 0 ? ls_version_at (lineage->before, link->before) : NULL;
      LsEntity *after = link->after >= 0 ? ls_version_at (lineage->after, link->after) : NULL;
      LsLoopNode *parent, *child;

      if (after == NULL || after->type != LS_ENTITY_LOOP)
        continue;
      child = node_of (tree, after, step, link->how);
      if (before == NULL || before->type != LS_ENTITY_LOOP || before->id == after->id)
        continue;
      parent = node_of (tree, before, step, LS_LINEAGE_CREATED);
      if (g_ptr_array_find (parent->children, child, NULL))
        continue;
      g_ptr_array_add (parent->children, child);
      g_ptr_array_add (child->parents, parent);
    }
}

GPtrArray *
ls_schedule_loop_tree (LsSchedule *schedule)
{
  GPtrArray *tree = g_ptr_array_new_with_free_func (loop_node_free);
  LsVersion *first = ls_schedule_get_version (schedule, 0);
  guint n = ls_schedule_get_n_steps (schedule);
  LsVersion *now = ls_schedule_get_version (schedule, n);
  guint number = 0;

  for (guint i = 0; i < ls_version_get_n (first); i++)
    if (ls_version_at (first, i)->type == LS_ENTITY_LOOP)
      node_of (tree, ls_version_at (first, i), 0, LS_LINEAGE_KEPT);
  for (guint s = 0; s < n; s++)
    {
      g_autoptr(LsLineage) lineage = NULL;

      number += !ls_step_is_pure (ls_schedule_get_step (schedule, s));
      if (ls_schedule_get_version (schedule, s)->module == ls_schedule_get_version (schedule, s + 1)->module)
        continue;
      lineage = ls_schedule_lineage (schedule, s, s + 1);
      add_links (tree, lineage, number);
    }
  for (guint i = 0; i < tree->len; i++)
    {
      LsLoopNode *node = tree->pdata[i];

      node->is_alive = ls_version_find_id (now, node->id) >= 0;
    }
  return tree;
}
