/* exec: statements, blocks and functions. */
#include "engine/base/stack.h"
#include "engine/interp/interp-private.h"

#include <string.h>

/* ---- views ---------------------------------------------------------------------- */

static void
find_limits (LsMachine *m,
             LsView    *view)
{
  gsize size = MAX (ls_dtype_bytes (view->dtype), 1);

  view->low = view->high = 0;
  for (guint i = 0; i < m->memory->len; i++)
    {
      LsBlockOfMemory *block = &g_array_index (m->memory, LsBlockOfMemory, i);

      if (view->data < block->data || view->data > block->data + block->bytes)
        continue;
      view->low = -(gint64) ((gsize) (view->data - block->data) / size);
      view->high = (gint64) ((gsize) (block->data + block->bytes - view->data) / size);
      if (view->high > 0)
        return;
    }
}

static gboolean
set_shape (LsMachine    *m,
           LsBufferPlan *plan,
           LsView       *view)
{
  gint64 step = 1;

  view->dtype = plan->buffer->dtype;
  view->ndim = plan->ndim;
  view->offset = ls_machine_eval (m, plan->elem_offset, 0).i;
  for (guint i = plan->ndim; i-- > 0;)
    {
      view->shape[i] = ls_machine_eval (m, plan->shape[i], 0).i;
      view->strides[i] = plan->strides != NULL ? ls_machine_eval (m, plan->strides[i], 0).i : step;
      if (view->shape[i] < 0 || (view->shape[i] > 0 && step > G_MAXINT64 / MAX (view->shape[i], 1)))
        {
          ls_machine_fail (m, LS_INTERP_ERROR_BOUNDS, "Dimension %u of %s has the extent %" G_GINT64_FORMAT ".", i, plan->buffer->name, view->shape[i]);
          return FALSE;
        }
      step *= view->shape[i];
    }
  return !m->failed;
}

gboolean
ls_view_set_up (LsMachine    *m,
                LsBufferPlan *plan)
{
  LsView *view = &m->views[plan->slot];

  if (!set_shape (m, plan, view))
    return FALSE;
  view->data = (guint8 *) (gintptr) m->vars[plan->data_slot].i;
  find_limits (m, view);
  return TRUE;
}

gboolean
ls_view_element (LsMachine *m,
                 LsCode   **indices,
                 guint      n,
                 guint      lane,
                 LsView    *view,
                 LsBuffer  *buffer,
                 gint64    *element)
{
  gint64 at = view->offset;

  for (guint i = 0; i < n; i++)
    {
      gint64 index = ls_machine_eval (m, indices[i], indices[i]->t.lanes > 1 ? lane : 0).i;

      if (m->failed)
        return FALSE;
      if (index < 0 || index >= view->shape[i])
        {
          ls_machine_fail (m, LS_INTERP_ERROR_BOUNDS, "Index %u of %s is %" G_GINT64_FORMAT "; it goes from 0 to %" G_GINT64_FORMAT ".",
                           i, buffer->name, index, view->shape[i] - 1);
          return FALSE;
        }
      at += index * view->strides[i];
    }
  if (at < view->low || at >= view->high)
    {
      ls_machine_fail (m, LS_INTERP_ERROR_BOUNDS, "%s is accessed at element %" G_GINT64_FORMAT ", outside its memory.", buffer->name, at);
      return FALSE;
    }
  *element = at;
  return TRUE;
}

/* ---- statements --------------------------------------------------------------------- */

static gboolean
truth (LsMachine *m,
       LsCode    *code)
{
  LsScalar v = ls_machine_eval (m, code, 0);

  return ls_is_float_type (code->t) ? v.f != 0 : v.i != 0;
}

static gboolean
exec_loop (LsMachine *m,
           LsAct     *act,
           gint64     min,
           gint64     extent)
{
  for (gint64 i = 0; i < extent && !m->failed && !m->returned; i++)
    {
      m->vars[act->slot].i = min + i;
      ls_machine_exec (m, act->acts[0]);
    }
  return !m->failed;
}

static gboolean
exec_store (LsMachine *m,
            LsAct     *act)
{
  LsBufferPlan *plan = act->allocs[0];
  LsView *view = &m->views[act->slot];
  guint lanes = act->a->t.lanes;
  guint per_element;
  g_autofree LsScalar *many = NULL;
  LsScalar one;
  LsScalar *values = &one;

  if (plan->implicit && !ls_view_set_up (m, plan))
    return FALSE;
  per_element = MAX (view->dtype.lanes, 1);
  if (lanes > 1)
    values = many = g_new0 (LsScalar, lanes);
  for (guint lane = 0; lane < lanes; lane++)
    values[lane] = ls_machine_eval (m, act->a, lane);
  for (guint lane = 0; lane < lanes && !m->failed; lane++)
    {
      guint outer = lane / per_element;
      gint64 element;

      if (act->b != NULL && ls_machine_eval (m, act->b, act->b->t.lanes > 1 ? outer : 0).i == 0)
        continue;
      if (!ls_view_element (m, act->args, act->n, outer, view, plan->buffer, &element))
        return FALSE;
      if (m->options != NULL && m->options->on_access != NULL && lane % per_element == 0)
        {
          LsInterpAccess access = { act->origin, plan->buffer, element, TRUE };
          m->options->on_access (&access, m->options->user_data);
        }
      ls_element_set (ls_dtype_element (view->dtype),
                      view->data + element * ls_dtype_bytes (view->dtype) + (lane % per_element) * ((view->dtype.bits + 7u) / 8u),
                      values[lane]);
    }
  return !m->failed;
}

static gint64
view_size (LsView *view)
{
  gint64 n = 1;

  for (guint i = 0; i < view->ndim; i++)
    n = MAX (n, 0) == 0 ? 0 : n + (view->shape[i] - 1) * view->strides[i];
  for (guint i = 0; i < view->ndim; i++)
    if (view->shape[i] == 0)
      return 0;
  return n + view->offset;
}

static gboolean
match_one (LsMachine *m,
           LsCode    *wanted,
           gint64     value,
           const char *what,
           LsBuffer  *buffer)
{
  if (wanted->kind == LS_KIND_VAR || wanted->kind == LS_KIND_SIZE_VAR)
    {
      m->vars[wanted->slot].i = value;
      return TRUE;
    }
  if (ls_machine_eval (m, wanted, 0).i == value)
    return TRUE;
  ls_machine_fail (m, LS_INTERP_ERROR_ARGUMENT, "%s of %s is %" G_GINT64_FORMAT ", expected %" G_GINT64_FORMAT ".",
                   what, buffer->name, value, ls_machine_eval (m, wanted, 0).i);
  return FALSE;
}

static gboolean
exec_match (LsMachine   *m,
            LsMatchPlan *match)
{
  LsView *source = &m->views[match->source->slot];
  LsBufferPlan *target = match->target;
  gint64 offset;
  guint skipped;

  if (match->source->implicit && !ls_view_set_up (m, match->source))
    return FALSE;
  offset = source->offset;
  for (guint i = 0; i < match->n_mins; i++)
    offset += ls_machine_eval (m, match->mins[i], 0).i * source->strides[i];
  m->vars[target->data_slot].i = (gint64) (gintptr) source->data;
  match_one (m, target->elem_offset, offset, "The element offset", target->buffer);
  skipped = source->ndim - MIN (target->ndim, source->ndim);
  for (guint i = 0; target->strides != NULL && i < target->ndim && i + skipped < source->ndim; i++)
    match_one (m, target->strides[i], source->strides[i + skipped], "A stride", target->buffer);
  if (m->failed || !ls_view_set_up (m, target))
    return FALSE;
  m->views[target->slot].offset = offset;
  if (target->strides == NULL)
    for (guint i = 0; i < target->ndim; i++)
      m->views[target->slot].strides[i] = source->strides[i + skipped];
  return TRUE;
}

static gboolean
bind_iters (LsMachine *m,
            LsAct     *act,
            gboolean  *first)
{
  LsBlock *block = ((LsBlockRealize *) act->origin)->block;
  g_autofree gint64 *values = g_new (gint64, act->n + 1);

  *first = TRUE;
  for (guint i = 0; i < act->n; i++)
    values[i] = ls_machine_eval (m, act->args[i], 0).i;
  for (guint i = 0; i < act->n && !m->failed; i++)
    {
      gint64 min = ls_machine_eval (m, act->mins[i], 0).i;
      gint64 extent = ls_machine_eval (m, act->extents[i], 0).i;

      if (values[i] < min || values[i] >= min + extent)
        ls_machine_fail (m, LS_INTERP_ERROR_BOUNDS, "%s of block %s is %" G_GINT64_FORMAT "; it goes from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT ".",
                         ls_array_at (block->iter_vars, i, LsIterVar)->var->name, block->name_hint, values[i], min, min + extent - 1);
      if (act->is_reduce[i] && values[i] != min)
        *first = FALSE;
      m->vars[act->slots[i]].i = values[i];
    }
  return !m->failed;
}

static gboolean
exec_block (LsMachine *m,
            LsAct     *act)
{
  g_autofree guint8 **made = g_new0 (guint8 *, act->n_allocs + 1);
  gboolean first;

  if (!truth (m, act->a) || !bind_iters (m, act, &first))
    return !m->failed;
  for (guint i = 0; i < act->n_allocs && !m->failed; i++)
    {
      LsView *view = &m->views[act->allocs[i]->slot];

      if (set_shape (m, act->allocs[i], view))
        made[i] = ls_memory_new (m, view->dtype, view_size (view));
      m->vars[act->allocs[i]->data_slot].i = (gint64) (gintptr) made[i];
      if (made[i] != NULL)
        ls_view_set_up (m, act->allocs[i]);
    }
  for (guint i = 0; i < act->n_matches && !m->failed; i++)
    exec_match (m, &act->matches[i]);
  if (!m->failed && first && act->init != NULL)
    ls_machine_exec (m, act->init);
  if (!m->failed)
    ls_machine_exec (m, act->acts[0]);
  for (guint i = 0; i < act->n_allocs; i++)
    if (made[i] != NULL)
      ls_memory_drop (m, made[i]);
  return !m->failed;
}

static gboolean
exec_allocate (LsMachine *m,
               LsAct     *act)
{
  gint64 n = 1;
  guint8 *data;

  for (guint i = 0; i < act->n; i++)
    {
      gint64 extent = ls_machine_eval (m, act->extents[i], 0).i;

      n = extent < 0 || (extent > 0 && n > G_MAXINT64 / extent) ? -1 : n * extent;
      if (n < 0)
        break;
    }
  data = m->failed ? NULL : ls_memory_new (m, ((LsAllocate *) act->origin)->dtype, n);
  if (data == NULL)
    return FALSE;
  m->vars[act->slot].i = (gint64) (gintptr) data;
  ls_machine_exec (m, act->acts[0]);
  ls_memory_drop (m, data);
  return !m->failed;
}

static gboolean
exec_allocate_const (LsMachine *m,
                     LsAct     *act)
{
  gsize bytes;
  const guint8 *data = g_bytes_get_data (((LsAllocateConst *) act->origin)->data->data, &bytes);
  guint8 *copy = g_memdup2 (data, bytes);

  ls_memory_know (m, copy, bytes);
  m->vars[act->slot].i = (gint64) (gintptr) copy;
  ls_machine_exec (m, act->acts[0]);
  ls_memory_drop (m, copy);
  return !m->failed;
}

static gboolean
exec_assert (LsMachine *m,
             LsAct     *act)
{
  LsExpr *message = ((LsAssertStmt *) act->origin)->message;

  if (truth (m, act->a))
    return ls_machine_exec (m, act->acts[0]);
  if (!m->failed)
    ls_machine_fail (m, LS_INTERP_ERROR_ASSERT, "Assert failed: %s", ls_is (message, STRING_IMM) ? ((LsStringImm *) message)->value : "");
  return FALSE;
}

typedef struct {
  LsMachine *m;
  LsAct     *act;
  gboolean   result;
} Again;

static void
exec_again (gpointer data)
{
  Again *again = data;

  again->result = ls_machine_exec (again->m, again->act);
}

gboolean
ls_machine_exec (LsMachine *m,
         LsAct     *act)
{
  if (ls_stack_is_short ())
    {
      Again again = { m, act, FALSE };

      ls_stack_extend (exec_again, &again);
      return again.result;
    }
  if (m->failed)
    return FALSE;
  if (m->options != NULL && m->options->budget != NULL && !ls_budget_take (m->options->budget, 1))
    {
      ls_machine_fail (m, LS_INTERP_ERROR_BUDGET, "The interpreter was stopped: its budget is used up.");
      return FALSE;
    }
  switch ((int) act->kind)
    {
    case LS_KIND_SEQ_STMT:
      for (guint i = 0; i < act->n_acts && !m->failed && !m->returned; i++)
        ls_machine_exec (m, act->acts[i]);
      break;
    case LS_KIND_FOR:
      exec_loop (m, act, ls_machine_eval (m, act->a, 0).i, ls_machine_eval (m, act->b, 0).i);
      break;
    case LS_KIND_BLOCK_REALIZE:
      exec_block (m, act);
      break;
    case LS_KIND_BUFFER_STORE:
      exec_store (m, act);
      break;
    case LS_KIND_EVALUATE:
      ls_machine_eval (m, act->a, 0);
      break;
    case LS_KIND_IF_THEN_ELSE:
      if (truth (m, act->a))
        ls_machine_exec (m, act->acts[0]);
      else if (act->n_acts > 1)
        ls_machine_exec (m, act->acts[1]);
      break;
    case LS_KIND_WHILE:
      while (!m->failed && !m->returned && truth (m, act->a))
        ls_machine_exec (m, act->acts[0]);
      break;
    case LS_KIND_LET_STMT:
      for (guint lane = 0; lane < MAX (1u, act->a->t.lanes); lane++)
        m->vars[act->slot + lane] = ls_machine_eval (m, act->a, lane);
      ls_machine_exec (m, act->acts[0]);
      break;
    case LS_KIND_ASSERT_STMT:
      exec_assert (m, act);
      break;
    case LS_KIND_ATTR_STMT:
      if (act->is_thread)
        exec_loop (m, act, 0, ls_machine_eval (m, act->a, 0).i);
      else
        ls_machine_exec (m, act->acts[0]);
      break;
    case LS_KIND_ALLOCATE:
      exec_allocate (m, act);
      break;
    case LS_KIND_ALLOCATE_CONST:
      exec_allocate_const (m, act);
      break;
    case LS_KIND_DECL_BUFFER:
    case LS_KIND_BUFFER_REALIZE:
      if (ls_view_set_up (m, act->allocs[0]))
        ls_machine_exec (m, act->acts[0]);
      break;
    default:
      g_assert_not_reached ();
    }
  return !m->failed;
}

/* ---- functions -------------------------------------------------------------------------- */

/* What is a variable in a parameter gets its value from the first that names it, whatever is computed of it in others. */
static void
define (LsMachine *m,
        LsCode    *wanted,
        gint64     value,
        gboolean  *defined)
{
  if ((wanted->kind != LS_KIND_VAR && wanted->kind != LS_KIND_SIZE_VAR) || defined[wanted->slot])
    return;
  defined[wanted->slot] = TRUE;
  m->vars[wanted->slot].i = value;
}

static void
define_extents (LsMachine         *m,
                LsBufferPlan      *plan,
                const LsInterpArg *arg,
                gboolean          *defined)
{
  gint64 step = 1;

  for (guint i = plan->ndim; i-- > 0 && arg->is_array && arg->ndim == plan->ndim;)
    {
      define (m, plan->shape[i], arg->shape[i], defined);
      if (plan->strides != NULL)
        define (m, plan->strides[i], arg->strides != NULL ? arg->strides[i] : step, defined);
      step *= arg->shape[i];
    }
  define (m, plan->elem_offset, 0, defined);
}

static gboolean
is_value (LsMachine  *m,
          LsCode     *wanted,
          gint64      value,
          const char *what,
          LsBuffer   *buffer)
{
  gint64 expected = ls_machine_eval (m, wanted, 0).i;

  if (expected != value)
    ls_machine_fail (m, LS_INTERP_ERROR_ARGUMENT, "%s of %s is %" G_GINT64_FORMAT ", expected %" G_GINT64_FORMAT ".", what, buffer->name, value, expected);
  return expected == value;
}

static gboolean
bind_array (LsMachine         *m,
            LsBufferPlan      *plan,
            const LsInterpArg *arg)
{
  LsBuffer *buffer = plan->buffer;
  LsView *view = &m->views[plan->slot];
  gint64 step = 1;
  gint64 last = 0;

  if (!arg->is_array || arg->ndim != plan->ndim || !ls_dtype_equal (arg->dtype, buffer->dtype))
    {
      ls_machine_fail (m, LS_INTERP_ERROR_ARGUMENT, "%s is an array of %u dimensions of %s; got %s%u dimensions of %s.", buffer->name,
                       plan->ndim, ls_dtype_name (buffer->dtype), arg->is_array ? "" : "a number, ", arg->ndim, ls_dtype_name (arg->dtype));
      return FALSE;
    }
  m->vars[plan->data_slot].i = (gint64) (gintptr) arg->data;
  view->dtype = buffer->dtype;
  view->ndim = plan->ndim;
  for (guint i = plan->ndim; i-- > 0;)
    {
      gint64 stride = arg->strides != NULL ? arg->strides[i] : step;

      if (!is_value (m, plan->shape[i], arg->shape[i], "The extent", buffer)
          || (plan->strides != NULL && !is_value (m, plan->strides[i], stride, "A stride", buffer)))
        return FALSE;
      view->shape[i] = arg->shape[i];
      view->strides[i] = stride;
      last += (arg->shape[i] - 1) * stride;
      step *= arg->shape[i];
    }
  if (!is_value (m, plan->elem_offset, 0, "The element offset", buffer))
    return FALSE;
  view->offset = 0;
  view->data = arg->data;
  ls_memory_know (m, arg->data, step == 0 ? 0 : (gsize) (last + 1) * ls_dtype_bytes (view->dtype));
  find_limits (m, view);
  return TRUE;
}

static gboolean
run_program (LsMachine         *m,
             LsProgram         *program,
             const LsInterpArg *args,
             guint              n_args)
{
  LsPrimFunc *func = program->func;
  g_autofree gboolean *defined = g_new0 (gboolean, program->n_slots + 1);

  m->program = program;
  m->vars = g_new0 (LsScalar, program->n_slots + 1);
  m->views = g_new0 (LsView, program->n_views + 1);
  if (n_args != func->params->n)
    ls_machine_fail (m, LS_INTERP_ERROR_ARGUMENT, "The function takes %u arguments; got %u.", func->params->n, n_args);
  for (guint i = 0; i < n_args && !m->failed; i++)
    {
      LsVar *param = ls_array_at (func->params, i, LsVar);
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);
      guint number = ls_program_slot (program, param, FALSE);
      LsScalar *slot = &m->vars[number];

      defined[number] = TRUE;
      if (buffer != NULL)
        continue;
      if (args[i].is_array)
        slot->i = (gint64) (gintptr) args[i].data;
      else if (ls_is_float_type (ls_dtype (param)))
        slot->f = args[i].float_value;
      else
        slot->i = args[i].int_value;
    }
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < n_args && !m->failed; i++)
      {
        LsBuffer *buffer = ls_prim_func_get_buffer (func, i);
        LsBufferPlan *plan = buffer != NULL ? ls_program_plan (program, buffer, FALSE) : NULL;

        if (plan != NULL && pass == 0)
          define_extents (m, plan, &args[i], defined);
        else if (plan != NULL)
          bind_array (m, plan, &args[i]);
      }
  if (!m->failed)
    ls_machine_exec (m, program->body);
  g_free (m->vars);
  g_free (m->views);
  return !m->failed;
}

static LsProgram *
program_for (LsMachine  *m,
             LsPrimFunc *func)
{
  LsProgram *program = g_hash_table_lookup (m->programs, func);

  if (program != NULL)
    return program;
  program = ls_program_new (func, m->error == NULL ? &m->error : NULL);
  if (program == NULL)
    m->failed = TRUE;
  else
    g_hash_table_insert (m->programs, func, program);
  return program;
}

gboolean
ls_call_function (LsMachine  *m,
                  LsPrimFunc *func,
                  LsCode    **codes,
                  guint       n)
{
  LsMachine inner = *m;
  g_autofree LsInterpArg *args = g_new0 (LsInterpArg, n + 1);
  LsProgram *program;

  if (m->depth > 64)
    {
      ls_machine_fail (m, LS_INTERP_ERROR_BUDGET, "Functions call each other more than 64 deep.");
      return FALSE;
    }
  for (guint i = 0; i < n && !m->failed; i++)
    {
      LsScalar v = ls_machine_eval (m, codes[i], 0);
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);

      args[i].dtype = codes[i]->t;
      if (ls_is_float_type (codes[i]->t))
        args[i].float_value = v.f;
      else
        args[i].int_value = v.i;
      if (buffer != NULL)
        {
          gint64 *shape = ls_program_own (m->program, sizeof (gint64) * buffer->shape->n);

          for (guint k = 0; k < buffer->shape->n; k++)
            ls_as_int (buffer->shape->items[k], &shape[k]);
          args[i] = (LsInterpArg) { buffer->dtype, TRUE, (void *) (gintptr) v.i, buffer->shape->n, shape, NULL, 0, 0 };
        }
    }
  program = m->failed ? NULL : program_for (m, func);
  if (program == NULL)
    return FALSE;
  inner.depth = m->depth + 1;
  inner.returned = FALSE;
  run_program (&inner, program, args, n);
  m->failed = inner.failed;
  m->error = inner.error;
  return !m->failed;
}

static void
machine_init (LsMachine             *m,
              const LsInterpOptions *options)
{
  memset (m, 0, sizeof *m);
  m->options = options;
  m->memory = g_array_new (FALSE, FALSE, sizeof (LsBlockOfMemory));
  m->programs = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_program_free);
}

static gboolean
machine_finish (LsMachine  *m,
                GError    **error)
{
  gboolean ok = !m->failed;

  g_array_unref (m->memory);
  g_hash_table_unref (m->programs);
  if (m->error != NULL)
    g_propagate_error (error, m->error);
  return ok;
}

gboolean
ls_interp_run (LsPrimFunc            *func,
               const LsInterpArg     *args,
               guint                  n_args,
               const LsInterpOptions *options,
               GError               **error)
{
  LsMachine m;
  LsProgram *program;

  machine_init (&m, options);
  program = program_for (&m, func);
  if (program != NULL)
    run_program (&m, program, args, n_args);
  return machine_finish (&m, error);
}

gboolean
ls_interp_eval (LsExpr      *expr,
                GHashTable  *vars,
                gint64      *int_value,
                double      *float_value,
                GError     **error)
{
  LsMachine m;
  g_autoptr (LsArray) none = ls_array_empty ();
  g_autoptr (LsPrimFunc) shell = ls_prim_func_new (ls_ref (none), ls_evaluate_zero (), NULL, NULL, NULL);
  LsProgram *program;
  LsScalar v = { 0 };
  GHashTableIter iter;
  gpointer var, value;
  LsCode *code;

  machine_init (&m, NULL);
  program = program_for (&m, shell);
  if (vars != NULL)
    {
      g_hash_table_iter_init (&iter, vars);
      while (g_hash_table_iter_next (&iter, &var, NULL))
        ls_program_slot (program, var, TRUE);
    }
  code = ls_program_expr (program, expr);
  m.program = program;
  m.vars = g_new0 (LsScalar, program->n_slots + 1);
  m.views = g_new0 (LsView, program->n_views + 1);
  if (program->error != NULL)
    {
      m.failed = TRUE;
      m.error = g_steal_pointer (&program->error);
    }
  if (vars != NULL)
    {
      g_hash_table_iter_init (&iter, vars);
      while (g_hash_table_iter_next (&iter, &var, &value))
        m.vars[ls_program_slot (program, var, TRUE)].i = *(gint64 *) value;
    }
  v = ls_machine_eval (&m, code, 0);
  if (int_value != NULL)
    *int_value = ls_is_float_type (code->t) ? (gint64) v.f : v.i;
  if (float_value != NULL)
    *float_value = ls_is_float_type (code->t) ? v.f : (double) v.i;
  g_free (m.vars);
  g_free (m.views);
  return machine_finish (&m, error);
}
