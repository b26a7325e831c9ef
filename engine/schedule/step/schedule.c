/* schedule: a program, the steps applied to it, and the handles that the steps gave out.
 *
 * Steps and versions are immutable and shared between copies, so that a branch costs a few references and undo only
 * forgets steps.  The tree of places (LsState) is made from the current version when it is needed and then carried
 * along.  A handle is the lineage id of a place, so it means the same thing after undo, and a handle whose place has
 * died knows which step took it.
 */
#include "engine/schedule/step/move.h"

typedef struct {
  char   *name;
  LsNode *value;
  guint   n_steps;              /* steps there were when the name was bound */
} Binding;

struct _LsSchedule {
  gatomicrefcount refs;
  LsVersion      *first;
  GPtrArray      *steps;        /* of LsStep */
  LsState        *state;        /* of the current version, or NULL: not made yet */
  guint           n_ids;
  LsHandles       handles;
  GArray         *bindings;     /* of Binding */
  char           *working_function;
  guint64         random_state;
  gboolean        strict;
  gboolean        order_asked;  /* else no warning of it */
};

static gint strict_default;
static gint order_unasked_default;

/* ---- steps ---------------------------------------------------------------- */

static LsStep *
step_ref (LsStep *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

static void
step_unref (LsStep *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  ls_unref (self->args);
  ls_unref (self->decision);
  ls_unref (self->outputs);
  ls_unref (self->values);
  g_free (self->ids);
  ls_version_unref (self->version);
  g_free (self);
}

static void
binding_clear (gpointer data)
{
  Binding *self = data;

  g_free (self->name);
  ls_unref (self->value);
}

gboolean
ls_step_is_pure (const LsStep *step)
{
  return (step->instruction->flags & LS_INSTRUCTION_PURE) != 0;
}

/* ---- life ----------------------------------------------------------------- */

static LsSchedule *
schedule_alloc (LsVersion *first)
{
  LsSchedule *self = g_new0 (LsSchedule, 1);

  g_atomic_ref_count_init (&self->refs);
  self->first = ls_version_ref (first);
  self->steps = g_ptr_array_new_with_free_func ((GDestroyNotify) step_unref);
  ls_handles_init (&self->handles);
  self->bindings = g_array_new (FALSE, FALSE, sizeof (Binding));
  g_array_set_clear_func (self->bindings, binding_clear);
  self->random_state = ls_random_seed (1);
  self->strict = g_atomic_int_get (&strict_default);
  self->order_asked = !g_atomic_int_get (&order_unasked_default);
  return self;
}

LsSchedule *
ls_schedule_new (LsModule *module)
{
  g_autoptr(LsVersion) first = ls_version_new (module);
  LsSchedule *self = schedule_alloc (first);

  for (guint i = 0; i < ls_version_get_n (first); i++)
    self->n_ids = MAX (self->n_ids, ls_version_at (first, i)->id + 1);
  return self;
}

LsSchedule *
ls_schedule_ref (LsSchedule *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
ls_schedule_unref (LsSchedule *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->refs))
    return;
  ls_state_free (self->state);
  ls_handles_clear (&self->handles);
  g_array_unref (self->bindings);
  g_ptr_array_unref (self->steps);
  ls_version_unref (self->first);
  g_free (self->working_function);
  g_free (self);
}

static void
add_handles (LsSchedule *self,
             LsStep     *step)
{
  for (guint i = 0; i < ls_array_n (step->outputs); i++)
    {
      LsVar *var = ls_array_at (step->outputs, i, LsVar);
      LsExpr *value = ls_array_at (step->values, i, LsExpr);

      ls_handles_add (&self->handles, var, value != NULL ? LS_ENTITY_BUFFER : var->name[0] == 'b' ? LS_ENTITY_BLOCK : LS_ENTITY_LOOP,
                      step->ids[i], value);
    }
}

LsSchedule *
ls_schedule_copy (LsSchedule *self)
{
  LsSchedule *copy = schedule_alloc (self->first);

  copy->n_ids = self->state != NULL ? self->state->by_id->len : self->n_ids;
  copy->working_function = g_strdup (self->working_function);
  copy->random_state = self->random_state;
  copy->strict = self->strict;
  copy->order_asked = self->order_asked;
  for (guint i = 0; i < self->steps->len; i++)
    {
      g_ptr_array_add (copy->steps, step_ref (self->steps->pdata[i]));
      add_handles (copy, self->steps->pdata[i]);
    }
  for (guint i = 0; i < self->bindings->len; i++)
    {
      Binding *old = &g_array_index (self->bindings, Binding, i);
      Binding binding = { g_strdup (old->name), ls_ref (old->value), old->n_steps };

      g_array_append_val (copy->bindings, binding);
    }
  return copy;
}

void
ls_schedule_take_step (LsSchedule *self,
                       LsStep     *step)
{
  g_ptr_array_add (self->steps, step);
  add_handles (self, step);
}

/* ---- looking -------------------------------------------------------------- */

LsVersion *
ls_schedule_get_version (LsSchedule *self,
                         guint       step)
{
  if (step == 0 || self->steps->len == 0)
    return self->first;
  return ((LsStep *) self->steps->pdata[MIN (step, self->steps->len) - 1])->version;
}

static LsVersion *
current_version (LsSchedule *self)
{
  return ls_schedule_get_version (self, self->steps->len);
}

LsModule *
ls_schedule_get_module (LsSchedule *self)
{
  return current_version (self)->module;
}

guint
ls_schedule_get_n_steps (LsSchedule *self)
{
  return self->steps->len;
}

const LsStep *
ls_schedule_get_step (LsSchedule *self,
                      guint       i)
{
  return i < self->steps->len ? self->steps->pdata[i] : NULL;
}

GArray *
ls_schedule_get_links (LsSchedule *self,
                       guint       i)
{
  LsVersion *after = ls_schedule_get_version (self, i + 1);

  return after != ls_schedule_get_version (self, i) ? ls_version_completed (after)->links : NULL;
}

static LsState *
get_state (LsSchedule *self)
{
  if (self->state == NULL)
    self->state = ls_state_new (current_version (self), self->n_ids);
  return self->state;
}

LsState *
ls_schedule_get_state (LsSchedule *self)
{
  return get_state (self);
}

LsVar *
ls_schedule_lend_handle (LsSchedule *self,
                         LsSref     *sref)
{
  LsVar *var = ls_var_new (sref->is_block ? "b" : "l", LS_HANDLE);

  ls_handles_add (&self->handles, var, sref->is_block ? LS_ENTITY_BLOCK : LS_ENTITY_LOOP, sref->id, NULL);
  return var;
}

void
ls_schedule_take_back (LsSchedule *self,
                       LsVar      *handle)
{
  ls_handles_remove (&self->handles, handle);
  ls_unref (handle);
}

void
ls_schedule_drop_state (LsSchedule *self)
{
  if (self->state != NULL)
    self->n_ids = MAX (self->n_ids, self->state->by_id->len);
  g_clear_pointer (&self->state, ls_state_free);
}

const LsHandle *
ls_schedule_handle (LsSchedule *self,
                    LsVar      *var)
{
  return ls_handles_get (&self->handles, var);
}

LsNode *
ls_schedule_resolve (LsSchedule *self,
                     LsVar      *handle)
{
  const LsHandle *meaning = ls_schedule_handle (self, handle);
  LsSref *sref;

  if (meaning == NULL || meaning->value != NULL)
    return NULL;
  sref = ls_state_sref_by_id (get_state (self), meaning->id);
  return sref != NULL ? sref->stmt : NULL;
}

LsExpr *
ls_schedule_get_value (LsSchedule *self,
                       LsVar      *handle)
{
  const LsHandle *meaning = ls_schedule_handle (self, handle);

  return meaning != NULL ? meaning->value : NULL;
}

LsVar *
ls_schedule_find_handle (LsSchedule *self,
                         LsNode     *node)
{
  LsSref *sref = ls_state_sref (get_state (self), node);

  for (guint s = self->steps->len; sref != NULL && s-- > 0;)
    {
      LsStep *step = self->steps->pdata[s];

      for (guint i = 0; i < ls_array_n (step->outputs); i++)
        if (step->values->items[i] == NULL && step->ids[i] == sref->id)
          return ls_array_at (step->outputs, i, LsVar);
    }
  return NULL;
}

guint
ls_schedule_step_of_death (LsSchedule  *self,
                           guint        id,
                           char       **name)
{
  for (guint n = self->steps->len; n > 0; n--)
    {
      LsVersion *before = ls_schedule_get_version (self, n - 1);
      gint i = ls_version_find_id (before, id);
      LsEntity *entity;

      if (i < 0)
        continue;
      entity = ls_version_at (before, i);
      *name = g_strdup (entity->type == LS_ENTITY_LOOP ? ((LsFor *) entity->node)->loop_var->name
                                                       : ((LsBlock *) entity->node)->name_hint);
      return n;
    }
  return 0;
}

/* ---- names ---------------------------------------------------------------- */

LsNode *
ls_schedule_get_binding (LsSchedule *self,
                         const char *name)
{
  for (guint i = self->bindings->len; i-- > 0;)
    if (strcmp (g_array_index (self->bindings, Binding, i).name, name) == 0)
      return g_array_index (self->bindings, Binding, i).value;
  return NULL;
}

void
ls_schedule_add_names (LsSchedule *self,
                       GHashTable *names)
{
  for (guint i = 0; i < self->bindings->len; i++)
    {
      Binding *binding = &g_array_index (self->bindings, Binding, i);

      if (binding->value != NULL && ls_is_var (binding->value))
        g_hash_table_insert (names, g_strdup (binding->name), ls_node_ref (binding->value));
    }
}

void
ls_schedule_bind (LsSchedule *self,
                  const char *name,
                  LsNode     *value)
{
  Binding binding = { g_strdup (name), ls_node_ref (value), self->steps->len };

  g_array_append_val (self->bindings, binding);
}

void
ls_schedule_work_on (LsSchedule *self,
                     const char *func_name)
{
  g_free (self->working_function);
  self->working_function = g_strdup (func_name);
}

void
ls_schedule_set_seed (LsSchedule *self,
                      gint64      seed)
{
  self->random_state = ls_random_seed (seed);
}

void
ls_schedule_set_strict (LsSchedule *self,
                        gboolean    strict)
{
  self->strict = strict;
}

gboolean
ls_schedule_is_strict (LsSchedule *self)
{
  return self->strict;
}

void
ls_schedule_set_order_asked (LsSchedule *self,
                             gboolean    asked)
{
  self->order_asked = asked;
}

gboolean
ls_schedule_is_order_asked (LsSchedule *self)
{
  return self->order_asked;
}

gboolean
ls_schedule_set_order_asked_default (gboolean asked)
{
  gboolean was = !g_atomic_int_get (&order_unasked_default);

  g_atomic_int_set (&order_unasked_default, !asked);
  return was;
}

void
ls_schedule_set_strict_default (gboolean strict)
{
  g_atomic_int_set (&strict_default, strict);
}

gboolean
ls_schedule_get_strict_default (void)
{
  return g_atomic_int_get (&strict_default);
}

guint64 *
ls_schedule_random_state (LsSchedule *self)
{
  return &self->random_state;
}

static gboolean
is_entry (LsPrimFunc *func)
{
  gint64 value;

  return ls_as_int (ls_map_get (func->attrs, "tir.is_entry_func"), &value) && value != 0;
}

const char *
ls_schedule_get_working_function (LsSchedule *self)
{
  LsModule *module = ls_schedule_get_module (self);
  const char *only = NULL;
  const char *main_name = NULL;
  guint n = 0;

  if (self->working_function != NULL)
    return self->working_function;
  for (guint i = 0; i < ls_array_n (module->functions); i++)
    {
      const char *name = ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint;

      if (!ls_is (module->functions->items[i], PRIM_FUNC))
        continue;
      if (is_entry (ls_array_at (module->functions, i, LsPrimFunc)))
        return name;
      if (strcmp (name, "main") == 0)
        main_name = name;
      only = name;
      n++;
    }
  return main_name != NULL ? main_name : n == 1 ? only : NULL;
}

/* ---- applying ------------------------------------------------------------- */

void
ls_schedule_undo_to (LsSchedule *self,
                     guint       n)
{
  if (n >= self->steps->len)
    return;
  ls_schedule_drop_state (self);
  for (guint s = n; s < self->steps->len; s++)
    {
      LsArray *outputs = ((LsStep *) self->steps->pdata[s])->outputs;

      for (guint i = 0; i < ls_array_n (outputs); i++)
        ls_handles_remove (&self->handles, outputs->items[i]);
    }
  while (self->bindings->len > 0 && g_array_index (self->bindings, Binding, self->bindings->len - 1).n_steps > n)
    g_array_set_size (self->bindings, self->bindings->len - 1);
  g_ptr_array_set_size (self->steps, (gint) n);
}

LsMove
ls_schedule_move (LsSchedule           *self,
                  const LsInstruction  *instruction,
                  LsNode              **args)
{
  return (LsMove) { self, &self->handles, get_state (self), instruction, args, NULL, NULL, NULL, NULL };
}
