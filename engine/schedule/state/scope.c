/* scope: the blocks directly inside a block and the dependences between them.
 *
 * Two blocks of a scope are ordered when both access a buffer and at least one writes it: read after write (RAW),
 * write after write (WAW), write after read (WAR).  Buffers count as wholes, regions do not matter here.
 *
 * What is kept is who reads and who writes each buffer, in program order; the dependences of a block follow from that
 * when they are asked for.  When part of a scope is replaced, only its blocks are taken out and put in: the order of
 * the blocks is a number with gaps, so that others need no new one.
 * Source of the concept: TVM's BlockScope.
 */
#include "engine/schedule/state/state.h"

#define GAP ((guint64) 1 << 32)

/* ---- who accesses a buffer ------------------------------------------------ */

/* buffer -> GPtrArray of LsSref, ascending; a block that names it twice stands there twice */
typedef LsPtrMap Accesses;

/* The number of blocks in the list that come before `order`. */
static guint
place_of (GPtrArray *list,
          guint64    order)
{
  guint low = 0, high = list->len;

  if (high > 0 && ((LsSref *) list->pdata[high - 1])->order < order)
    return high;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (((LsSref *) list->pdata[middle])->order < order)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static void
accesses_add (Accesses *self,
              LsArray  *regions,
              LsSref   *block)
{
  for (guint r = 0; r < ls_array_n (regions); r++)
    {
      LsBuffer *buffer = ls_array_at (regions, r, LsBufferRegion)->buffer;
      GPtrArray *list = ls_ptr_map_get (self, buffer);

      if (list == NULL)
        {
          list = g_ptr_array_new ();
          ls_ptr_map_set (self, buffer, list);
        }
      g_ptr_array_insert (list, (gint) place_of (list, block->order), block);
    }
}

static void
accesses_remove (Accesses *self,
                 LsArray  *regions,
                 LsSref   *block)
{
  for (guint r = 0; r < ls_array_n (regions); r++)
    {
      LsBuffer *buffer = ls_array_at (regions, r, LsBufferRegion)->buffer;
      GPtrArray *list = ls_ptr_map_get (self, buffer);
      guint at = list != NULL ? place_of (list, block->order) : 0;

      if (list == NULL || at == list->len || list->pdata[at] != block)
        continue;
      g_ptr_array_remove_index (list, at);
      if (list->len == 0)
        g_ptr_array_unref (ls_ptr_map_remove (self, buffer));
    }
}

GPtrArray *
ls_scope_writers (LsScope  *self,
                  LsBuffer *buffer)
{
  return ls_ptr_map_get (&self->writers, buffer);
}

GPtrArray *
ls_scope_readers (LsScope  *self,
                  LsBuffer *buffer)
{
  return ls_ptr_map_get (&self->readers, buffer);
}

/* ---- dependences ---------------------------------------------------------- */

/* Dependences of one block: each source (or destination) once for each kind. */
typedef struct {
  GArray  *deps;                /* of LsDep */
  LsPtrMap known[3];            /* by kind: the other ends */
} Deps;

static void
deps_init (Deps *self)
{
  self->deps = g_array_new (FALSE, TRUE, sizeof (LsDep));
  for (guint i = 0; i < G_N_ELEMENTS (self->known); i++)
    ls_ptr_map_init (&self->known[i], 0);
}

static GArray *
deps_finish (Deps *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->known); i++)
    ls_ptr_map_clear (&self->known[i]);
  return self->deps;
}

static void
add_dep (Deps      *self,
         LsSref    *src,
         LsSref    *dst,
         LsDepKind  kind,
         LsSref    *other)
{
  LsDep dep = { src, dst, kind };

  if (ls_ptr_map_get (&self->known[kind], other) != NULL)
    return;
  ls_ptr_map_set (&self->known[kind], other, other);
  g_array_append_val (self->deps, dep);
}

static void
add_earlier (Deps      *deps,
             Accesses  *earlier,
             LsArray   *regions,
             LsSref    *dst,
             LsDepKind  kind)
{
  for (guint r = 0; r < ls_array_n (regions); r++)
    {
      GPtrArray *sources = ls_ptr_map_get (earlier, ls_array_at (regions, r, LsBufferRegion)->buffer);

      for (guint i = 0; sources != NULL && i < sources->len && ((LsSref *) sources->pdata[i])->order < dst->order; i++)
        add_dep (deps, sources->pdata[i], dst, kind, sources->pdata[i]);
    }
}

static void
add_later (Deps      *deps,
           Accesses  *later,
           LsArray   *regions,
           LsSref    *src,
           LsDepKind  kind)
{
  for (guint r = 0; r < ls_array_n (regions); r++)
    {
      GPtrArray *list = ls_ptr_map_get (later, ls_array_at (regions, r, LsBufferRegion)->buffer);

      for (guint i = list != NULL ? place_of (list, src->order + 1) : 0; list != NULL && i < list->len; i++)
        add_dep (deps, src, list->pdata[i], kind, list->pdata[i]);
    }
}

static gint
compare_deps (gconstpointer a,
              gconstpointer b)
{
  const LsDep *x = a, *y = b;

  if (x->dst != y->dst)
    return x->dst->order < y->dst->order ? -1 : 1;
  return (gint) x->kind - (gint) y->kind;
}

GArray *
ls_scope_deps_to (LsScope *self,
                  LsSref  *block)
{
  LsBlock *dst = ls_sref_block (block);
  Deps deps;

  deps_init (&deps);
  if (block->member_of == self)
    {
      add_earlier (&deps, &self->writers, dst->reads, block, LS_DEP_RAW);
      add_earlier (&deps, &self->writers, dst->writes, block, LS_DEP_WAW);
      add_earlier (&deps, &self->readers, dst->writes, block, LS_DEP_WAR);
    }
  return deps_finish (&deps);
}

GArray *
ls_scope_deps_from (LsScope *self,
                    LsSref  *block)
{
  LsBlock *src = ls_sref_block (block);
  Deps deps;

  deps_init (&deps);
  if (block->member_of == self)
    {
      add_later (&deps, &self->readers, src->writes, block, LS_DEP_RAW);
      add_later (&deps, &self->writers, src->writes, block, LS_DEP_WAW);
      add_later (&deps, &self->writers, src->reads, block, LS_DEP_WAR);
    }
  g_array_sort (deps.deps, compare_deps);
  return deps_finish (&deps);
}

gboolean
ls_scope_overwrites (LsScope *self,
                     LsSref  *block)
{
  LsArray *writes = block->member_of == self ? ls_sref_block (block)->writes : NULL;

  for (guint r = 0; writes != NULL && r < ls_array_n (writes); r++)
    {
      GPtrArray *readers = ls_ptr_map_get (&self->readers, ls_array_at (writes, r, LsBufferRegion)->buffer);

      if (readers != NULL && ((LsSref *) readers->pdata[0])->order < block->order)
        return TRUE;
    }
  return FALSE;
}

guint
ls_scope_n_before (GPtrArray *list,
                   LsSref    *block)
{
  return place_of (list, block->order);
}

/* ---- the scope ------------------------------------------------------------ */

static void
number_blocks (LsScope *self)
{
  for (guint i = 0; i < self->blocks->len; i++)
    ((LsSref *) self->blocks->pdata[i])->order = (i + 1) * GAP;
}

static LsScope *
scope_new (LsState *state,
           LsSref  *root)
{
  LsScope *self = g_new0 (LsScope, 1);

  self->blocks = ls_state_child_blocks (state, root);
  ls_ptr_map_init (&self->readers, 0);
  ls_ptr_map_init (&self->writers, 0);
  number_blocks (self);
  for (guint i = 0; i < self->blocks->len; i++)
    {
      LsSref *sref = self->blocks->pdata[i];

      sref->member_of = self;
      if (!root->covers_known)
        sref->cover_known = FALSE;
      accesses_add (&self->readers, ls_sref_block (sref)->reads, sref);
      accesses_add (&self->writers, ls_sref_block (sref)->writes, sref);
    }
  return self;
}

LsScope *
ls_state_scope (LsState *self,
                LsSref  *scope_root)
{
  if (scope_root->scope == NULL)
    scope_root->scope = scope_new (self, scope_root);
  return scope_root->scope;
}

/* ---- changes -------------------------------------------------------------- */

guint
ls_scope_remove (LsScope       *self,
                 LsScopeMember *member)
{
  guint at = place_of (self->blocks, member->sref->order);

  accesses_remove (&self->readers, member->reads, member->sref);
  accesses_remove (&self->writers, member->writes, member->sref);
  g_ptr_array_remove_index (self->blocks, at);
  member->sref->member_of = NULL;
  return at;
}

void
ls_scope_insert (LsScope       *self,
                 LsScopeMember *member,
                 guint          at)
{
  guint64 before = at > 0 ? ((LsSref *) self->blocks->pdata[at - 1])->order : 0;
  guint64 after = at < self->blocks->len ? ((LsSref *) self->blocks->pdata[at])->order : before + 2 * GAP;

  g_ptr_array_insert (self->blocks, (gint) at, member->sref);
  member->sref->order = before + (after - before) / 2;
  if (member->sref->order == before)
    number_blocks (self);
  member->sref->member_of = self;
  accesses_add (&self->readers, member->reads, member->sref);
  accesses_add (&self->writers, member->writes, member->sref);
}

guint
ls_scope_place_after (LsScope *self,
                      LsSref  *block)
{
  return block != NULL ? place_of (self->blocks, block->order) + 1 : 0;
}

static void
doubt_block (LsState *state,
             LsSref  *block)
{
  if (!block->cover_known)
    return;
  block->cover_known = FALSE;
  ls_state_touch (state, block);
}

static void
doubt_list (LsState   *state,
            GPtrArray *list)
{
  for (guint i = 0; list != NULL && i < list->len; i++)
    doubt_block (state, list->pdata[i]);
}

void
ls_scope_doubt (LsScope       *self,
                LsState       *state,
                LsScopeMember *member)
{
  doubt_block (state, member->sref);
  for (guint r = 0; r < ls_array_n (member->writes); r++)
    {
      LsBuffer *buffer = ls_array_at (member->writes, r, LsBufferRegion)->buffer;

      doubt_list (state, ls_scope_readers (self, buffer));
      doubt_list (state, ls_scope_writers (self, buffer));
    }
  for (guint r = 0; r < ls_array_n (member->reads); r++)
    doubt_list (state, ls_scope_writers (self, ls_array_at (member->reads, r, LsBufferRegion)->buffer));
}

/* ---- questions ------------------------------------------------------------ */

/* The other ends of dependences through what is written, each once. (transfer container) */
static GPtrArray *
other_ends (GArray   *deps,
            gboolean  sources)
{
  GPtrArray *found = g_ptr_array_new ();
  g_auto(LsPtrMap) known;

  ls_ptr_map_init (&known, 0);
  for (guint i = 0; deps != NULL && i < deps->len; i++)
    {
      LsDep *dep = &g_array_index (deps, LsDep, i);
      LsSref *other = sources ? dep->src : dep->dst;

      if (dep->kind == LS_DEP_WAR || ls_ptr_map_get (&known, other) != NULL)
        continue;
      ls_ptr_map_set (&known, other, other);
      g_ptr_array_add (found, other);
    }
  return found;
}

GPtrArray *
ls_state_producers (LsState *self,
                    LsSref  *block)
{
  LsSref *root = ls_state_scope_root (self, block);
  g_autoptr(GArray) deps = root != NULL ? ls_scope_deps_to (ls_state_scope (self, root), block) : NULL;

  return other_ends (deps, TRUE);
}

GPtrArray *
ls_state_consumers (LsState *self,
                    LsSref  *block)
{
  LsSref *root = ls_state_scope_root (self, block);
  g_autoptr(GArray) deps = root != NULL ? ls_scope_deps_from (ls_state_scope (self, root), block) : NULL;

  return other_ends (deps, FALSE);
}

static GPtrArray *
each_once (GPtrArray *list)
{
  GPtrArray *found = g_ptr_array_new ();

  for (guint i = 0; list != NULL && i < list->len; i++)
    if (i == 0 || list->pdata[i] != list->pdata[i - 1])
      g_ptr_array_add (found, list->pdata[i]);
  return found;
}

GPtrArray *
ls_state_writers (LsState  *self,
                  LsSref   *scope_root,
                  LsBuffer *buffer)
{
  return each_once (ls_scope_writers (ls_state_scope (self, scope_root), buffer));
}

GPtrArray *
ls_state_readers (LsState  *self,
                  LsSref   *scope_root,
                  LsBuffer *buffer)
{
  return each_once (ls_scope_readers (ls_state_scope (self, scope_root), buffer));
}
