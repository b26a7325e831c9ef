/* run: see the header. */
#include "engine/interp/run.h"

#include "engine/interp/interp-private.h"

LsRun *
ls_run_new (LsPrimFunc            *func,
            const LsInterpArg     *args,
            guint                  n_args,
            const LsInterpOptions *options,
            GError               **error)
{
  LsRun *self = g_new0 (LsRun, 1);
  LsProgram *program;

  ls_machine_init (self, options);
  self->is_kept = TRUE;
  self->kept = g_ptr_array_new ();
  program = ls_machine_program (self, func);
  if (program != NULL && ls_machine_enter (self, program, args, n_args))
    {
      self->stop_at = 0;
      if (!ls_machine_go (self, program->body, 0) || !self->failed)
        return self;
    }
  if (self->error != NULL)
    g_propagate_error (error, g_steal_pointer (&self->error));
  ls_run_free (self);
  return NULL;
}

void
ls_run_free (LsRun *self)
{
  if (self == NULL)
    return;
  ls_machine_clear (self);
  g_free (self);
}

LsRunState
ls_run_get_state (LsRun *self)
{
  return self->failed ? LS_RUN_FAILED : self->next != NULL ? LS_RUN_STANDS : LS_RUN_FINISHED;
}

LsRunState
ls_run_go (LsRun   *self,
           guint64  until)
{
  if (ls_run_get_state (self) != LS_RUN_STANDS)
    return ls_run_get_state (self);
  self->stop_at = until;
  self->stop_wanted = FALSE;
  ls_machine_go (self, self->next, 0);
  return ls_run_get_state (self);
}

guint64
ls_run_get_clock (LsRun *self)
{
  return self->clock;
}

const GError *
ls_run_get_error (LsRun *self)
{
  return self->error;
}

/* ---- where it stands ------------------------------------------------------------------ */

/* Sequences and calls inside expressions are no statements of their own. */
static gboolean
is_shown (const LsFrame *frame)
{
  return frame->act != NULL && frame->act->kind != LS_KIND_SEQ_STMT;
}

guint
ls_run_get_depth (LsRun *self)
{
  guint n = 0;

  for (guint i = 0; i < self->n_frames; i++)
    n += is_shown (&self->frames[i]);
  return n + (self->next != NULL);
}

static LsPrimFunc *
func_of_frame (LsRun *self,
               guint  frame)
{
  LsActivation *activations = (LsActivation *) self->activations->data;
  guint i = self->activations->len - 1;

  while (i > 0 && activations[i].frame >= frame)
    i--;
  return activations[i].program->func;
}

void
ls_run_get_frame (LsRun      *self,
                  guint       number,
                  LsRunFrame *frame)
{
  guint at = 0, n = 0;
  LsFrame *it;

  *frame = (LsRunFrame) { 0 };
  while (at < self->n_frames && (!is_shown (&self->frames[at]) || n++ < number))
    at++;
  if (at == self->n_frames)
    {
      if (self->next == NULL)
        return;
      frame->func = self->program->func;
      frame->stmt = self->next->origin;
      frame->number = self->next->number;
      return;
    }
  it = &self->frames[at];
  frame->func = func_of_frame (self, at);
  frame->stmt = it->act->origin;
  frame->number = it->act->number;
  frame->is_loop = it->act->kind == LS_KIND_FOR || it->act->is_thread;
  frame->round = it->i;
  frame->extent = it->extent;
  frame->in_init = it->act->kind == LS_KIND_BLOCK_REALIZE && it->act->init != NULL && it->at == LS_IN_INIT;
}

LsPrimFunc *
ls_run_get_func (LsRun *self)
{
  return self->program->func;
}

static LsProgram *
program_of (LsRun      *self,
            LsPrimFunc *func)
{
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, self->programs);
  while (g_hash_table_iter_next (&iter, &key, &value))
    if (key == func || ((LsProgram *) value)->func == func)
      return value;
  return NULL;
}

GPtrArray *
ls_run_statements (LsRun      *self,
                   LsPrimFunc *func)
{
  LsProgram *program = program_of (self, func);
  GPtrArray *stmts = program != NULL ? g_ptr_array_new () : NULL;

  for (guint i = 0; program != NULL && i < program->acts->len; i++)
    g_ptr_array_add (stmts, ((LsAct *) program->acts->pdata[i])->origin);
  return stmts;
}

/* ---- values ------------------------------------------------------------------------------ */

static LsRunValue
value_of (LsDType  t,
          LsScalar v)
{
  LsRunValue value = { t, 0, 0 };

  if (ls_dtype_is_float (t))
    value.f = v.f;
  else
    {
      value.i = v.i;
      value.f = t.code == LS_TYPE_UINT && t.bits == 64 ? (double) (guint64) v.i : (double) v.i;
    }
  return value;
}

static guint
first_frame (LsRun *self)
{
  return self->activations->len > 1 ? g_array_index (self->activations, LsActivation, self->activations->len - 1).frame + 1 : 0;
}

static void
add_block_vars (GPtrArray *vars,
                LsAct     *act)
{
  LsBlock *block = ((LsBlockRealize *) act->origin)->block;

  for (guint i = 0; i < act->n; i++)
    g_ptr_array_add (vars, ls_array_at (block->iter_vars, i, LsIterVar)->var);
}

GPtrArray *
ls_run_vars (LsRun *self)
{
  GPtrArray *vars = g_ptr_array_new ();
  LsPrimFunc *func = self->program != NULL ? self->program->func : NULL;

  for (guint i = 0; func != NULL && i < func->params->n; i++)
    if (ls_prim_func_get_buffer (func, i) == NULL && ls_dtype (func->params->items[i]).code != LS_TYPE_HANDLE)
      g_ptr_array_add (vars, func->params->items[i]);
  for (guint i = 0; func != NULL && i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);

      for (guint k = 0; buffer != NULL && k < buffer->shape->n; k++)
        if (ls_is_var (buffer->shape->items[k]) && !g_ptr_array_find (vars, buffer->shape->items[k], NULL))
          g_ptr_array_add (vars, buffer->shape->items[k]);
    }
  for (guint i = first_frame (self); i < self->n_frames; i++)
    {
      LsAct *act = self->frames[i].act;

      if (act == NULL)
        continue;
      if (act->kind == LS_KIND_FOR)
        g_ptr_array_add (vars, ((LsFor *) act->origin)->loop_var);
      else if (act->kind == LS_KIND_BLOCK_REALIZE)
        add_block_vars (vars, act);
      else if (act->kind == LS_KIND_LET_STMT && ls_dtype (((LsLetStmt *) act->origin)->var).code != LS_TYPE_HANDLE)
        g_ptr_array_add (vars, ((LsLetStmt *) act->origin)->var);
      else if (act->is_thread)
        g_ptr_array_add (vars, ((LsIterVar *) ((LsAttrStmt *) act->origin)->subject)->var);
    }
  return vars;
}

gboolean
ls_run_get_var (LsRun      *self,
                LsVar      *var,
                LsRunValue *value)
{
  guint known = self->program != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (self->program->slots, var)) : 0;

  if (known == 0)
    return FALSE;
  *value = value_of (ls_dtype (var), self->vars[known - 1]);
  return TRUE;
}

/* The pointers whose memory is there. */
static GHashTable *
live_data (LsRun *self)
{
  GHashTable *live = g_hash_table_new (NULL, NULL);
  LsPrimFunc *func = self->program->func;

  for (guint i = 0; i < func->params->n; i++)
    if (ls_prim_func_get_buffer (func, i) != NULL)
      g_hash_table_add (live, ls_prim_func_get_buffer (func, i)->data);
    else if (ls_dtype (func->params->items[i]).code == LS_TYPE_HANDLE)
      g_hash_table_add (live, func->params->items[i]);
  for (guint i = first_frame (self); i < self->n_frames; i++)
    {
      LsAct *act = self->frames[i].act;

      if (act == NULL)
        continue;
      if (act->kind == LS_KIND_ALLOCATE)
        g_hash_table_add (live, ((LsAllocate *) act->origin)->buffer_var);
      else if (act->kind == LS_KIND_ALLOCATE_CONST)
        g_hash_table_add (live, ((LsAllocateConst *) act->origin)->buffer_var);
      else if (act->kind == LS_KIND_LET_STMT && ls_dtype (((LsLetStmt *) act->origin)->var).code == LS_TYPE_HANDLE)
        g_hash_table_add (live, ((LsLetStmt *) act->origin)->var);
      else if (act->kind == LS_KIND_BLOCK_REALIZE)
        {
          for (guint k = 0; k < act->n_allocs; k++)
            g_hash_table_add (live, act->allocs[k]->buffer->data);
          for (guint k = 0; k < act->n_matches; k++)
            g_hash_table_add (live, act->matches[k].target->buffer->data);
        }
    }
  return live;
}

GPtrArray *
ls_run_buffers (LsRun *self)
{
  GPtrArray *buffers = g_ptr_array_new ();
  g_autoptr (GHashTable) live = NULL;

  if (self->program == NULL)
    return buffers;
  live = live_data (self);
  for (guint i = 0; i < self->program->plan_list->len; i++)
    {
      LsBufferPlan *plan = self->program->plan_list->pdata[i];

      if (g_hash_table_contains (live, plan->buffer->data))
        g_ptr_array_add (buffers, plan->buffer);
    }
  return buffers;
}

gboolean
ls_run_get_buffer (LsRun       *self,
                   LsBuffer    *buffer,
                   LsRunBuffer *out)
{
  LsBufferPlan *plan = self->program != NULL ? g_hash_table_lookup (self->program->plans, buffer) : NULL;
  gboolean failed = self->failed;
  LsView *view;

  if (plan == NULL)
    return FALSE;
  self->failed = FALSE;
  if (plan->implicit && !ls_view_set_up (self, plan))
    {
      if (!failed)
        g_clear_error (&self->error);
      self->failed = failed;
      return FALSE;
    }
  self->failed = failed;
  view = &self->views[plan->slot];
  *out = (LsRunBuffer) { .buffer = buffer, .dtype = view->dtype, .ndim = view->ndim, .offset = view->offset, .data = view->data, .low = view->low,
                         .high = view->high, .written = view->written, .written_base = view->written_base };
  for (guint i = 0; i < view->ndim; i++)
    {
      out->shape[i] = view->shape[i];
      out->strides[i] = view->strides[i];
    }
  return view->data != NULL;
}

gboolean
ls_run_element (const LsRunBuffer *view,
                gint64             element,
                LsRunValue        *value)
{
  LsDType t = ls_dtype_element (view->dtype);
  gint64 byte = element * ls_dtype_bytes (view->dtype);

  *value = (LsRunValue) { t, 0, 0 };
  if (element < view->low || element >= view->high)
    return FALSE;
  *value = value_of (t, ls_element_get (t, view->data + byte));
  byte += view->written_base;
  return view->written != NULL && (view->written[byte >> 3] >> (byte & 7) & 1) != 0;
}

/* ---- expressions ---------------------------------------------------------------------------- */

typedef struct {
  LsProgram  *program;
  const char *unknown;
} Names;

static LsWalk
look_up (LsNode  *node,
         gpointer user_data)
{
  Names *self = user_data;

  if (ls_is_var (node) && !g_hash_table_contains (self->program->slots, node))
    self->unknown = ((LsVar *) node)->name;
  else if (ls_is (node, BUFFER_LOAD) && !g_hash_table_contains (self->program->plans, ((LsBufferLoad *) node)->buffer))
    self->unknown = ((LsBufferLoad *) node)->buffer->name;
  else if (ls_is (node, CALL))
    {
      LsNode *op = ((LsCall *) node)->op;

      if (op == NULL || ls_is (op, GLOBAL_VAR))
        self->unknown = "what it calls";
    }
  return self->unknown != NULL ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

LsRunExpr *
ls_run_prepare (LsRun       *self,
                LsPrimFunc  *func,
                LsExpr      *expr,
                GError     **error)
{
  LsProgram *program = program_of (self, func);
  Names names = { program, NULL };
  LsRunExpr *code;

  if (program == NULL)
    {
      g_set_error (error, LS_INTERP_ERROR, LS_INTERP_ERROR_PROGRAM, ls_translate ("The function was not entered yet."));
      return NULL;
    }
  ls_walk (expr, look_up, NULL, &names);
  if (names.unknown != NULL)
    {
      g_set_error (error, LS_INTERP_ERROR, LS_INTERP_ERROR_PROGRAM, ls_translate ("%s is not known here."), names.unknown);
      return NULL;
    }
  code = ls_program_expr_apart (program, expr);
  if (program->error == NULL)
    return code;
  ls_program_forget_expr (program, code);
  g_propagate_error (error, g_steal_pointer (&program->error));
  return NULL;
}

void
ls_run_release (LsRun     *self,
                LsRunExpr *code)
{
  GHashTableIter iter;
  gpointer program;

  g_hash_table_iter_init (&iter, self->programs);
  while (g_hash_table_iter_next (&iter, NULL, &program))
    if (ls_program_forget_expr (program, code))
      return;
}

guint
ls_run_get_n_prepared (LsRun *self)
{
  GHashTableIter iter;
  gpointer program;
  guint n = 0;

  g_hash_table_iter_init (&iter, self->programs);
  while (g_hash_table_iter_next (&iter, NULL, &program))
    n += g_hash_table_size (((LsProgram *) program)->expressions);
  return n;
}

gboolean
ls_run_ask (LsRun       *self,
            LsRunExpr   *code,
            guint        lane,
            LsRunValue  *value,
            GError     **error)
{
  gboolean failed = self->failed, aborted = self->is_aborted, returned = self->returned;
  GArray *onlookers = self->onlookers;
  GArray none = { NULL, 0 };
  GError *kept = g_steal_pointer (&self->error);
  LsScalar v;
  gboolean ok;

  self->failed = FALSE;
  if (onlookers != NULL)
    self->onlookers = &none;
  v = ls_machine_eval (self, code, lane);
  ok = !self->failed;
  self->onlookers = onlookers;
  *value = value_of (ls_dtype_element (code->t), v);
  if (self->error != NULL)
    {
      g_propagate_error (error, self->error);
      self->error = NULL;
    }
  self->error = kept;
  self->failed = failed;
  self->is_aborted = aborted;
  self->returned = returned;
  return ok;
}
