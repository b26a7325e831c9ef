/* replace: puts a new subtree in the place of an old one and keeps the places of what lives on.
 *
 * What is the very same node at the start and at the end of a block's body is not looked at, so that the work follows
 * what changes.  The dependences of a scope are kept when its blocks and what they access are.
 *
 * Three things may live on below the replaced place: a subtree that is the very same node; a loop whose loop_var
 * occurs again; a block that the caller names in LsBlockReuse.  All other places die.  Then the ancestors are
 * rebuilt, each with the same place, up to the function and the module.
 * Source of the rules: TVM's ScheduleState::Replace.
 */
#include "engine/schedule/state/state.h"

struct _LsBlockReuse {
  LsPtrMap old_of_new;          /* new Block (kept alive) -> old Block */
};

LsBlockReuse *
ls_block_reuse_new (void)
{
  LsBlockReuse *self = g_new (LsBlockReuse, 1);

  ls_ptr_map_init (&self->old_of_new, 0);
  return self;
}

void
ls_block_reuse_free (LsBlockReuse *self)
{
  if (self == NULL)
    return;
  ls_ptr_map_foreach (&self->old_of_new, slot)
    ls_unref (slot->key);
  ls_ptr_map_clear (&self->old_of_new);
  g_free (self);
}

void
ls_block_reuse_add (LsBlockReuse *self,
                    LsBlock      *old_block,
                    LsBlock      *new_block)
{
  if (!ls_ptr_map_contains (&self->old_of_new, new_block))
    ls_ref (new_block);
  ls_ptr_map_set (&self->old_of_new, new_block, old_block);
}

void
ls_block_reuse_carry (LsBlockReuse *self,
                      LsBlock      *from,
                      LsBlock      *to)
{
  LsBlock *first = ls_block_reuse_get (self, from);

  if (self != NULL && from != to)
    ls_block_reuse_add (self, first != NULL ? first : from, to);
}

LsBlock *
ls_block_reuse_get (LsBlockReuse *self,
                    LsBlock      *new_block)
{
  return self != NULL ? ls_ptr_map_get (&self->old_of_new, new_block) : NULL;
}

/* ---- the new subtree ------------------------------------------------------ */

typedef struct {
  LsSref  *sref;
  LsSref  *parent;
  gboolean is_intact;
} Move;

typedef struct {
  LsState      *state;
  LsBlockReuse *reuse;
  LsPtrMap     *loops;          /* loop_var -> LsSref of the old subtree */
  GArray       *moves;          /* of Move */
  LsSref       *parent;
  guint         func;
} Updater;

static LsSref *
fresh_place (Updater  *self,
             gboolean  is_block)
{
  LsSref *sref = ls_sref_alloc ();

  sref->id = self->state->by_id->len;
  sref->func = self->func;
  sref->is_block = is_block;
  g_ptr_array_add (self->state->by_id, sref);
  return sref;
}

static LsSref *
reused_place (Updater *self,
              LsNode  *stmt)
{
  LsBlock *old;
  LsSref *sref;

  if (ls_is (stmt, FOR))
    sref = ls_ptr_map_get (self->loops, ((LsFor *) stmt)->loop_var);
  else
    sref = (old = ls_block_reuse_get (self->reuse, (LsBlock *) stmt)) != NULL ? ls_state_sref (self->state, old) : NULL;
  return sref != NULL && sref->mark != self->state->generation ? sref : NULL;
}

/* Below something new, the bindings of a block may mean something else. */
static gboolean
doubt_child (LsNode         *stmt,
             LsBlockRealize *realize,
             gpointer        user_data)
{
  LsState *state = user_data;
  LsSref *sref = ls_state_sref (state, stmt);

  if (sref->exact || sref->cover_known)
    {
      sref->exact = sref->cover_known = FALSE;
      ls_state_touch (state, sref);
    }
  ls_stmt_foreach_child (ls_sref_body (sref), doubt_child, state);
  return TRUE;
}

static void
doubt_below (LsState *state,
             LsSref  *sref)
{
  doubt_child (sref->stmt, NULL, state);
}

static gboolean
update_place (LsNode         *stmt,
              LsBlockRealize *realize,
              gpointer        user_data)
{
  Updater *self = user_data;
  LsSref *sref = ls_state_sref (self->state, stmt);
  LsSref *parent = self->parent;
  gboolean intact = sref != NULL;
  Move move;

  if (sref == NULL)
    sref = reused_place (self, stmt);
  if (sref == NULL)
    sref = fresh_place (self, ls_is (stmt, BLOCK));
  sref->mark = self->state->generation;
  sref->next = stmt;
  move = (Move) { sref, parent, intact };
  g_array_append_val (self->moves, move);
  if (intact)
    {
      doubt_below (self->state, sref);
      return TRUE;
    }
  sref->exact = FALSE;
  ls_state_touch (self->state, sref);
  if (sref->is_block)
    ls_state_name_buffers (self->state, (LsBlock *) sref->stmt, (LsBlock *) stmt);
  self->parent = sref;
  ls_stmt_foreach_child (ls_is (stmt, BLOCK) ? ((LsBlock *) stmt)->body : ((LsFor *) stmt)->body, update_place, self);
  self->parent = parent;
  return TRUE;
}

/* ---- the old subtree ------------------------------------------------------ */

static void
drop_scope (LsSref *sref)
{
  LsScope *scope = g_steal_pointer (&sref->scope);

  sref->covers_known = FALSE;
  for (guint i = 0; scope != NULL && i < scope->blocks->len; i++)
    {
      LsSref *block = scope->blocks->pdata[i];

      if (block->member_of == scope)
        block->member_of = NULL;
    }
  ls_scope_free (scope);
}

static gboolean
collect_loops (LsNode         *stmt,
               LsBlockRealize *realize,
               gpointer        user_data)
{
  Updater *self = user_data;

  if (ls_is (stmt, FOR))
    ls_ptr_map_set (self->loops, ((LsFor *) stmt)->loop_var, ls_state_sref (self->state, stmt));
  ls_stmt_foreach_child (ls_is (stmt, BLOCK) ? ((LsBlock *) stmt)->body : ((LsFor *) stmt)->body, collect_loops, self);
  return TRUE;
}

/* Takes the old nodes out of the table; what was not reached in the new subtree dies. */
static gboolean
prune (LsNode         *stmt,
       LsBlockRealize *realize,
       gpointer        user_data)
{
  Updater *self = user_data;
  LsSref *sref = ls_state_sref (self->state, stmt);

  if (sref != NULL && sref->mark == self->state->generation && sref->next == stmt)
    return TRUE;
  if (sref != NULL)
    {
      ls_ptr_map_remove (&self->state->by_stmt, stmt);
      drop_scope (sref);
      if (sref->mark != self->state->generation)
        {
          ls_users_forget (self->state, sref);
          sref->stmt = NULL;
        }
    }
  ls_stmt_foreach_child (ls_is (stmt, BLOCK) ? ((LsBlock *) stmt)->body : ((LsFor *) stmt)->body, prune, self);
  return TRUE;
}

/* ---- the ancestors -------------------------------------------------------- */

/* `stmt` with the For or Block `old` in it replaced (new reference), or NULL when it is not there.  Does not look
 * inside other loops and blocks. */
static LsNode *
replace_inside (LsNode *stmt,
                LsNode *old,
                LsNode *fresh)
{
  if (stmt == old)
    return ls_node_ref (fresh);
  if (stmt != NULL && ls_is (stmt, ARRAY))
    for (guint i = 0; i < ((LsArray *) stmt)->n; i++)
      if (((LsArray *) stmt)->items[i] == old)
        return LS_NODE (ls_array_with ((LsArray *) stmt, i, fresh));
  if (stmt == NULL || ls_is (stmt, FOR) || ls_is (stmt, BLOCK) || !(ls_is_stmt (stmt) || ls_is (stmt, ARRAY)))
    return NULL;
  if (ls_is (stmt, BLOCK_REALIZE))
    {
      LsBlockRealize *realize = (LsBlockRealize *) stmt;

      if (LS_NODE (realize->block) != old)
        return NULL;
      if (ls_is (fresh, BLOCK))
        return LS_NODE (ls_block_realize_with_block (realize, (LsBlock *) fresh));
      return ls_node_ref (fresh);
    }
  for (guint i = 0; i < ls_node_get_n_children (stmt); i++)
    {
      LsNode *child = ls_node_get_child (stmt, i);
      g_autoptr(LsNode) changed = NULL;

      if (child == NULL || ls_is_expr (child))
        continue;
      changed = replace_inside (child, old, fresh);
      if (changed != NULL)
        return ls_node_with_child (stmt, i, changed);
    }
  return NULL;
}

static void
set_stmt (LsState *self,
          LsSref  *sref,
          LsNode  *stmt)
{
  ls_ptr_map_remove (&self->by_stmt, sref->stmt);
  sref->stmt = stmt;
  ls_ptr_map_set (&self->by_stmt, stmt, sref);
  ls_state_touch (self, sref);
}

static void
replace_module (LsState *self,
                guint    func,
                LsNode  *old,
                LsNode  *fresh)
{
  LsPrimFunc *old_func = ls_array_at (self->module->functions, func, LsPrimFunc);
  LsGlobalVar *name = ls_array_at (self->module->global_vars, func, LsGlobalVar);
  g_autoptr(LsNode) body = replace_inside (old_func->body, old, fresh);
  g_autoptr(LsPrimFunc) changed = NULL;

  g_assert (body != NULL);
  changed = ls_prim_func_with_body (old_func, body);
  ls_take (&self->module, ls_module_with (self->module, name->name_hint, changed));
}

static void
rebuild_ancestors (LsState *self,
                   guint    func,
                   LsSref  *parent,
                   LsNode  *old,
                   LsNode  *fresh)
{
  g_autoptr(LsNode) now = ls_node_ref (fresh);

  for (LsSref *p = parent; p != NULL; p = p->parent)
    {
      g_autoptr(LsNode) body = replace_inside (ls_sref_body (p), old, now);
      LsNode *changed;

      g_assert (body != NULL);
      if (p->is_block)
        changed = LS_NODE (ls_block_with_body (ls_sref_block (p), body));
      else
        changed = LS_NODE (ls_for_with_body (ls_sref_for (p), body));
      old = p->stmt;
      set_stmt (self, p, changed);
      ls_take (&now, changed);
    }
  replace_module (self, func, old, now);
}

/* ---- both subtrees -------------------------------------------------------- */

/* The parts of a replaced statement that are not the very same nodes as before. */
typedef struct {
  LsNode   **old, **fresh;
  guint      n_old, n_fresh;
  LsSref    *parent;            /* around the fresh ones */
  LsNode   **start;             /* first of the list that `fresh` is in */
  GPtrArray *gone, *made;       /* of those: what is not in the other list */
} Parts;

static void
parts_clear (Parts *self)
{
  g_clear_pointer (&self->gone, g_ptr_array_unref);
  g_clear_pointer (&self->made, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Parts, parts_clear)

static void
list_of (LsStmt **stmt,
         LsNode ***items,
         guint    *n)
{
  LsArray *seq = ls_is (*stmt, SEQ_STMT) ? ((LsSeqStmt *) *stmt)->seq : NULL;

  *items = seq != NULL ? seq->items : (LsNode **) stmt;
  *n = seq != NULL ? ls_array_n (seq) : 1;
}

static void
leave_out_same (Parts *self)
{
  while (self->n_old > 0 && self->n_fresh > 0 && self->old[0] == self->fresh[0])
    {
      self->old++;
      self->fresh++;
      self->n_old--;
      self->n_fresh--;
    }
  while (self->n_old > 0 && self->n_fresh > 0 && self->old[self->n_old - 1] == self->fresh[self->n_fresh - 1])
    {
      self->n_old--;
      self->n_fresh--;
    }
}

static GPtrArray *
not_among (LsNode **items,
           guint    n,
           LsNode **others,
           guint    n_others)
{
  g_auto(LsPtrMap) set;
  GPtrArray *rest = g_ptr_array_new ();

  ls_ptr_map_init (&set, n_others);
  for (guint i = 0; i < n_others; i++)
    ls_ptr_map_set (&set, others[i], NULL);
  for (guint i = 0; i < n; i++)
    if (!ls_ptr_map_contains (&set, items[i]))
      g_ptr_array_add (rest, items[i]);
  return rest;
}

/* Do the items that stay come in the same order? */
static gboolean
keeps_order (Parts *self)
{
  guint i = 0, gone = 0, made = 0;

  for (guint k = 0; k < self->n_fresh; k++)
    {
      if (made < self->made->len && self->made->pdata[made] == self->fresh[k])
        {
          made++;
          continue;
        }
      for (; i < self->n_old && gone < self->gone->len && self->gone->pdata[gone] == self->old[i]; i++)
        gone++;
      if (i == self->n_old || self->old[i++] != self->fresh[k])
        return FALSE;
    }
  return TRUE;
}

static GPtrArray *
all_of (LsNode **items,
        guint    n)
{
  GPtrArray *all = g_ptr_array_new ();

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (all, items[i]);
  return all;
}

static void
find_differences (Parts *self)
{
  self->gone = not_among (self->old, self->n_old, self->fresh, self->n_fresh);
  self->made = not_among (self->fresh, self->n_fresh, self->old, self->n_old);
  if (keeps_order (self))
    return;
  parts_clear (self);
  self->gone = all_of (self->old, self->n_old);
  self->made = all_of (self->fresh, self->n_fresh);
}

/* A block that keeps its place: only what changed in its body has to be looked at. */
static gboolean
enter_block (Updater *self,
             LsSref  *sref,
             LsNode  *fresh,
             Parts   *parts)
{
  LsBlock *before = (LsBlock *) sref->stmt;
  LsBlock *after = (LsBlock *) fresh;
  Move move = { sref, sref->parent, FALSE };

  if (!sref->is_block || !ls_is (fresh, BLOCK) || ls_block_reuse_get (self->reuse, after) != before)
    return FALSE;
  sref->mark = self->state->generation;
  sref->next = fresh;
  sref->exact = FALSE;
  g_array_append_val (self->moves, move);
  ls_ptr_map_remove (&self->state->by_stmt, before);
  ls_state_touch (self->state, sref);
  ls_state_name_buffers (self->state, before, after);
  list_of (&before->body, &parts->old, &parts->n_old);
  list_of (&after->body, &parts->fresh, &parts->n_fresh);
  parts->start = parts->fresh;
  leave_out_same (parts);
  parts->parent = sref;
  return TRUE;
}

/* ---- the scope ------------------------------------------------------------ */

static gboolean
add_member (LsNode         *stmt,
            LsBlockRealize *realize,
            gpointer        user_data)
{
  gpointer *data = user_data;

  if (ls_is (stmt, BLOCK))
    {
      LsScopeMember member = { ls_state_sref (data[0], stmt), ((LsBlock *) stmt)->reads, ((LsBlock *) stmt)->writes };

      g_array_append_val (data[1], member);
      return TRUE;
    }
  return ls_stmt_foreach_child (((LsFor *) stmt)->body, add_member, data);
}

/* The blocks of the scope in some of its statements, in order. */
static GArray *
members_of (LsState   *state,
            GPtrArray *stmts)
{
  GArray *members = g_array_sized_new (FALSE, FALSE, sizeof (LsScopeMember), 8);
  gpointer data[2] = { state, members };

  for (guint i = 0; i < stmts->len; i++)
    ls_stmt_foreach_child (stmts->pdata[i], add_member, data);
  return members;
}

static gboolean
same_members (GArray *a,
              GArray *b)
{
  return a->len == b->len && (a->len == 0 || memcmp (a->data, b->data, a->len * sizeof (LsScopeMember)) == 0);
}

static gboolean
same_accesses (LsBlock *a,
               LsBlock *b)
{
  return a->reads == b->reads && a->writes == b->writes;
}

static LsSref *
block_around (LsSref *sref)
{
  while (sref != NULL && !sref->is_block)
    sref = sref->parent;
  return sref;
}

#define member_at(members, i) (&g_array_index (members, LsScopeMember, (i)))

/* The last block of the scope before an item of the list, or NULL. */
static LsSref *
block_before (LsState *state,
              Parts   *parts,
              LsNode **item)
{
  while (item > parts->start)
    {
      gpointer data[2] = { state, NULL };
      g_autoptr(GArray) members = g_array_new (FALSE, FALSE, sizeof (LsScopeMember));

      data[1] = members;
      ls_stmt_foreach_child (*--item, add_member, data);
      if (members->len > 0)
        return member_at (members, members->len - 1)->sref;
    }
  return NULL;
}

static void
insert_made (LsState *state,
             LsScope *scope,
             Parts   *parts)
{
  for (guint k = 0, made = 0; k < parts->n_fresh && made < parts->made->len; k++)
    {
      g_autoptr(GArray) members = NULL;
      g_autoptr(GPtrArray) item = NULL;
      guint at;

      if (parts->fresh[k] != parts->made->pdata[made])
        continue;
      made++;
      item = all_of (&parts->fresh[k], 1);
      members = members_of (state, item);
      at = members->len > 0 ? ls_scope_place_after (scope, block_before (state, parts, &parts->fresh[k])) : 0;
      for (guint i = 0; i < members->len; i++)
        ls_scope_insert (scope, member_at (members, i), at + i);
    }
}

/* Several parts: a block may have gone from one to another, past blocks of parts that stay. */
static gboolean
keep_places (Parts *parts)
{
  return parts->gone->len <= 1 && parts->made->len <= 1;
}

/* Takes the blocks of the old parts out of the scope and puts those of the fresh ones in. */
static void
update_scope (LsState *state,
              LsSref  *root,
              Parts   *parts,
              GArray  *before)
{
  LsScope *scope = root->scope;
  g_autoptr(GArray) after = members_of (state, parts->made);
  guint at = 0;

  for (guint i = 0; i < before->len; i++)
    ls_scope_doubt (scope, state, member_at (before, i));
  if (keep_places (parts) && same_members (before, after))
    return;
  if (parts->start == NULL && before->len == 0)
    {
      drop_scope (root);
      return;
    }
  for (guint i = before->len; i-- > 0;)
    at = ls_scope_remove (scope, member_at (before, i));
  if (parts->start != NULL)
    insert_made (state, scope, parts);
  for (guint i = 0; parts->start == NULL && i < after->len; i++)
    ls_scope_insert (scope, member_at (after, i), at + i);
  for (guint i = 0; i < after->len; i++)
    ls_scope_doubt (scope, state, member_at (after, i));
}

/* The block itself stands in the scope around it by its regions. */
static void
update_own_member (LsState *state,
                   LsSref  *sref,
                   LsNode  *old,
                   LsNode  *fresh)
{
  LsSref *root = sref->parent != NULL ? block_around (sref->parent) : NULL;
  LsScopeMember before = { sref, ((LsBlock *) old)->reads, ((LsBlock *) old)->writes };
  LsScopeMember after = { sref, ((LsBlock *) fresh)->reads, ((LsBlock *) fresh)->writes };
  guint at;

  if (root != NULL && root->scope == NULL)
    root->covers_known = FALSE;
  if (root == NULL || root->scope == NULL || sref->member_of != root->scope)
    return;
  ls_scope_doubt (root->scope, state, &before);
  if (same_accesses ((LsBlock *) old, (LsBlock *) fresh))
    return;
  at = ls_scope_remove (root->scope, &before);
  ls_scope_insert (root->scope, &after, at);
  ls_scope_doubt (root->scope, state, &after);
}

/* ---- all of it ------------------------------------------------------------ */

static void
carry_out (Updater *self)
{
  for (guint i = 0; i < self->moves->len; i++)
    {
      Move *move = &g_array_index (self->moves, Move, i);

      move->sref->parent = move->parent;
      move->sref->stmt = move->sref->next;
      ls_ptr_map_set (&self->state->by_stmt, move->sref->stmt, move->sref);
      if (!move->is_intact)
        ls_users_update (self->state, move->sref);
    }
}

static void
update_parts (Updater *self,
              Parts   *parts)
{
  for (guint i = 0; i < parts->gone->len; i++)
    ls_stmt_foreach_child (parts->gone->pdata[i], collect_loops, self);
  self->parent = parts->parent;
  for (guint i = 0; i < parts->made->len; i++)
    ls_stmt_foreach_child (parts->made->pdata[i], update_place, self);
  for (guint i = 0; i < parts->gone->len; i++)
    ls_stmt_foreach_child (parts->gone->pdata[i], prune, self);
}

void
ls_state_replace (LsState      *self,
                  LsSref       *sref,
                  gpointer      stmt,
                  LsBlockReuse *reuse)
{
  g_autoptr(LsModule) keep = ls_ref (self->module);
  g_auto(LsPtrMap) loops;
  g_autoptr(GArray) moves = g_array_sized_new (FALSE, FALSE, sizeof (Move), 16);
  g_autoptr(GArray) before = NULL;
  LsNode *old = sref->stmt;
  LsNode *fresh = stmt;
  LsSref *parent = sref->parent;
  guint func = sref->func;
  Updater updater = { self, reuse, &loops, moves, parent, func };
  g_auto(Parts) parts = { &old, &fresh, 1, 1, parent };
  LsSref *scope_root;

  ls_ptr_map_init (&loops, 0);
  if (old == fresh)
    return;
  self->generation++;
  if (enter_block (&updater, sref, fresh, &parts))
    update_own_member (self, sref, old, fresh);
  find_differences (&parts);
  scope_root = block_around (parts.parent);
  if (scope_root != NULL && scope_root->scope != NULL)
    before = members_of (self, parts.gone);
  else if (scope_root != NULL)
    scope_root->covers_known = FALSE;
  update_parts (&updater, &parts);
  carry_out (&updater);
  if (before != NULL)
    update_scope (self, scope_root, &parts, before);
  rebuild_ancestors (self, func, parent, old, fresh);
  if (ls_is (fresh, BLOCK_REALIZE) && parent != NULL)
    ls_users_update (self, parent);
}

void
ls_state_replace_parameter (LsState  *self,
                            guint     func,
                            LsBuffer *old,
                            LsBuffer *fresh)
{
  LsPrimFunc *before = ls_array_at (self->module->functions, func, LsPrimFunc);
  LsGlobalVar *name = ls_array_at (self->module->global_vars, func, LsGlobalVar);
  g_autoptr(LsArray) buffers = ls_ref (before->buffers);
  g_autoptr(LsPrimFunc) after = NULL;

  for (guint i = 0; i < ls_array_n (before->buffers); i++)
    if (before->buffers->items[i] == LS_NODE (old))
      ls_take (&buffers, ls_array_with (buffers, i, fresh));
  ls_state_buffer_id (self, fresh);
  after = ls_prim_func_new (ls_ref (before->params), ls_ref (before->body), ls_ref (before->ret_type), g_steal_pointer (&buffers),
                            ls_ref (before->attrs));
  ls_take (&self->module, ls_module_with (self->module, name->name_hint, after));
}
