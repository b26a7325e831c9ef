/* scope: the blocks directly inside a block and the dependences between them.
 *
 * Two blocks of a scope are ordered when both access a buffer and at least one writes it: read after write (RAW),
 * write after write (WAW), write after read (WAR).  Buffers count as wholes, regions do not matter here.
 * Source of the concept: TVM's BlockScope.
 */
#include "engine/schedule/schedule-private.h"

/* buffer -> GPtrArray of LsSref */
typedef GHashTable Accesses;

static Accesses *
accesses_new (void)
{
  return g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
}

static void
accesses_add (Accesses *self,
              LsBuffer *buffer,
              LsSref   *block)
{
  GPtrArray *list = g_hash_table_lookup (self, buffer);

  if (list == NULL)
    {
      list = g_ptr_array_new ();
      g_hash_table_insert (self, buffer, list);
    }
  g_ptr_array_add (list, block);
}

static gboolean
has_dep (GArray    *deps,
         guint      from,
         LsSref    *src,
         LsDepKind  kind)
{
  for (guint i = from; i < deps->len; i++)
    if (g_array_index (deps, LsDep, i).src == src && g_array_index (deps, LsDep, i).kind == kind)
      return TRUE;
  return FALSE;
}

static void
add_deps (LsScope   *self,
          guint      first,
          Accesses  *earlier,
          LsArray   *regions,
          LsSref    *dst,
          LsDepKind  kind)
{
  for (guint r = 0; r < ls_array_n (regions); r++)
    {
      GPtrArray *sources = g_hash_table_lookup (earlier, ls_array_at (regions, r, LsBufferRegion)->buffer);

      for (guint i = 0; sources != NULL && i < sources->len; i++)
        {
          LsDep dep = { sources->pdata[i], dst, kind };

          if (dep.src != dst && !has_dep (self->deps, first, dep.src, kind))
            g_array_append_val (self->deps, dep);
        }
    }
}

/* Counting sort of the deps by their source; those to a block stand together already. */
static void
index_deps (LsScope *self)
{
  guint n = self->blocks->len;
  guint at = 0;

  self->first_to = g_new0 (guint, n + 1);
  self->first_from = g_new0 (guint, n + 2);
  self->by_src = g_new (guint, self->deps->len + 1);
  for (guint i = 0; i < n; i++)
    {
      self->first_to[i] = at;
      while (at < self->deps->len && g_array_index (self->deps, LsDep, at).dst == self->blocks->pdata[i])
        self->first_from[g_array_index (self->deps, LsDep, at++).src->order + 2]++;
    }
  self->first_to[n] = at;
  for (guint i = 2; i <= n; i++)
    self->first_from[i] += self->first_from[i - 1];
  for (guint i = 0; i < self->deps->len; i++)
    self->by_src[self->first_from[g_array_index (self->deps, LsDep, i).src->order + 1]++] = i;
}

static gboolean
has_block (LsScope *self,
           LsSref  *block)
{
  return block->order < self->blocks->len && self->blocks->pdata[block->order] == block;
}

GPtrArray *
ls_scope_writers (LsScope  *self,
                  LsBuffer *buffer)
{
  return g_hash_table_lookup (self->writers, buffer);
}

LsDep *
ls_scope_deps_to (LsScope *self,
                  LsSref  *block,
                  guint   *n)
{
  guint first;

  *n = 0;
  if (!has_block (self, block))
    return NULL;
  first = self->first_to[block->order];
  *n = self->first_to[block->order + 1] - first;
  return *n > 0 ? &g_array_index (self->deps, LsDep, first) : NULL;
}

guint
ls_scope_n_deps_from (LsScope *self,
                      LsSref  *block)
{
  return has_block (self, block) ? self->first_from[block->order + 1] - self->first_from[block->order] : 0;
}

LsDep *
ls_scope_dep_from (LsScope *self,
                   LsSref  *block,
                   guint    i)
{
  return &g_array_index (self->deps, LsDep, self->by_src[self->first_from[block->order] + i]);
}

static LsScope *
scope_new (LsState *state,
           LsSref  *root)
{
  LsScope *self = g_new0 (LsScope, 1);
  g_autoptr(GHashTable) readers = accesses_new ();
  GHashTable *writers = self->writers = accesses_new ();

  self->blocks = ls_state_child_blocks (state, root);
  self->deps = g_array_new (FALSE, FALSE, sizeof (LsDep));
  for (guint i = 0; i < self->blocks->len; i++)
    {
      LsSref *sref = self->blocks->pdata[i];
      LsBlock *block = ls_sref_block (sref);
      guint first = self->deps->len;

      sref->order = i;
      add_deps (self, first, writers, block->reads, sref, LS_DEP_RAW);
      add_deps (self, first, writers, block->writes, sref, LS_DEP_WAW);
      add_deps (self, first, readers, block->writes, sref, LS_DEP_WAR);
      for (guint r = 0; r < ls_array_n (block->reads); r++)
        accesses_add (readers, ls_array_at (block->reads, r, LsBufferRegion)->buffer, sref);
      for (guint r = 0; r < ls_array_n (block->writes); r++)
        accesses_add (writers, ls_array_at (block->writes, r, LsBufferRegion)->buffer, sref);
    }
  index_deps (self);
  return self;
}

void
ls_scope_free (LsScope *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->blocks);
  g_array_unref (self->deps);
  g_hash_table_unref (self->writers);
  g_free (self->first_to);
  g_free (self->first_from);
  g_free (self->by_src);
  g_free (self);
}

LsScope *
ls_state_scope (LsState *self,
                LsSref  *scope_root)
{
  if (scope_root->scope == NULL)
    scope_root->scope = scope_new (self, scope_root);
  return scope_root->scope;
}

static void
add_once (GPtrArray *list,
          gpointer   item)
{
  if (!g_ptr_array_find (list, item, NULL))
    g_ptr_array_add (list, item);
}

GPtrArray *
ls_state_producers (LsState *self,
                    LsSref  *block)
{
  GPtrArray *found = g_ptr_array_new ();
  LsSref *root = ls_state_scope_root (self, block);
  guint n = 0;
  LsDep *deps = root != NULL ? ls_scope_deps_to (ls_state_scope (self, root), block, &n) : NULL;

  for (guint i = 0; i < n; i++)
    if (deps[i].kind != LS_DEP_WAR)
      add_once (found, deps[i].src);
  return found;
}

GPtrArray *
ls_state_consumers (LsState *self,
                    LsSref  *block)
{
  GPtrArray *found = g_ptr_array_new ();
  LsSref *root = ls_state_scope_root (self, block);
  LsScope *scope = root != NULL ? ls_state_scope (self, root) : NULL;
  guint n = scope != NULL ? ls_scope_n_deps_from (scope, block) : 0;

  for (guint i = 0; i < n; i++)
    if (ls_scope_dep_from (scope, block, i)->kind != LS_DEP_WAR)
      add_once (found, ls_scope_dep_from (scope, block, i)->dst);
  return found;
}

GPtrArray *
ls_state_writers (LsState  *self,
                  LsSref   *scope_root,
                  LsBuffer *buffer)
{
  GPtrArray *found = g_ptr_array_new ();
  GPtrArray *writers = ls_scope_writers (ls_state_scope (self, scope_root), buffer);

  for (guint i = 0; writers != NULL && i < writers->len; i++)
    add_once (found, writers->pdata[i]);
  return found;
}
