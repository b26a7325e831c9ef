/* call: functions, their arguments, and a whole run. */
#include "engine/interp/interp-private.h"
#include "engine/base/plural.h"

#include <string.h>

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
    ls_machine_fail (m, LS_INTERP_ERROR_ARGUMENT, ls_translate ("%s of %s is %lld, expected %lld."), what, buffer->name, (long long) value, (long long) expected);
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
      ls_machine_fail (m, LS_INTERP_ERROR_ARGUMENT, ls_translate ("%s is an array of %u dimensions of %s; got %s%u dimensions of %s."), buffer->name, plan->ndim,
                       ls_dtype_name (buffer->dtype), arg->is_array ? "" : ls_translate ("a number, "), arg->ndim, ls_dtype_name (arg->dtype));
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
  ls_view_limits (m, view);
  return TRUE;
}

gboolean
ls_machine_enter (LsMachine         *m,
                  LsProgram         *program,
                  const LsInterpArg *args,
                  guint              n_args)
{
  LsPrimFunc *func = program->func;
  g_autofree gboolean *defined = g_new0 (gboolean, program->n_slots + 1);
  LsActivation activation = { program, g_new0 (LsScalar, program->n_slots + 1), g_new0 (LsView, program->n_views + 1), m->n_frames > 0 ? m->n_frames - 1 : 0 };

  g_array_append_val (m->activations, activation);
  m->program = program;
  m->vars = activation.vars;
  m->views = activation.views;
  if (n_args != func->params->n)
    ls_machine_fail (m, LS_INTERP_ERROR_ARGUMENT, ls_translate_plural ("The function takes %u argument; got %u.", "The function takes %u arguments; got %u.", func->params->n), func->params->n, n_args);
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
  return !m->failed;
}

void
ls_machine_leave (LsMachine *m)
{
  LsActivation *last = &g_array_index (m->activations, LsActivation, m->activations->len - 1);

  g_free (last->vars);
  g_free (last->views);
  g_array_set_size (m->activations, m->activations->len - 1);
  m->program = NULL;
  m->vars = NULL;
  m->views = NULL;
  if (m->activations->len > 0)
    {
      last = &g_array_index (m->activations, LsActivation, m->activations->len - 1);
      m->program = last->program;
      m->vars = last->vars;
      m->views = last->views;
    }
}

LsProgram *
ls_machine_program (LsMachine  *m,
                    LsPrimFunc *func)
{
  LsProgram *program = g_hash_table_lookup (m->programs, func);

  if (program != NULL)
    return program;
  program = ls_program_new (func, m->error == NULL ? &m->error : NULL);
  if (program == NULL)
    {
      m->failed = TRUE;
      return NULL;
    }
  g_hash_table_insert (m->programs, func, program);
  if (m->onlookers != NULL)
    ls_observe_program (m, program);
  return program;
}

/* ---- calls ------------------------------------------------------------------------------ */

static LsPrimFunc *
callee_of (LsMachine *m,
           LsCode    *call)
{
  const char *name = ((LsGlobalVar *) ((LsCall *) call->origin)->op)->name_hint;
  LsModule *module = m->options != NULL ? m->options->module : NULL;
  LsNode *callee = module != NULL ? ls_module_get (module, name) : NULL;

  if (ls_is (callee, PRIM_FUNC))
    return (LsPrimFunc *) callee;
  ls_machine_fail (m, LS_INTERP_ERROR_UNSUPPORTED, ls_translate ("The function %s is not in the module."), name);
  return NULL;
}

/* The frame of the statement that calls is on top. */
static LsProgram *
enter_call (LsMachine *m,
            LsCode    *call)
{
  LsPrimFunc *func = callee_of (m, call);
  g_autofree LsInterpArg *args = g_new0 (LsInterpArg, call->n + 1);
  LsProgram *program;

  if (func != NULL && m->activations->len > 65)
    ls_machine_fail (m, LS_INTERP_ERROR_BUDGET, ls_translate ("Functions call each other more than 64 deep."));
  for (guint i = 0; func != NULL && i < call->n && !m->failed; i++)
    {
      LsScalar v = ls_machine_eval (m, call->args[i], 0);
      LsBuffer *buffer = i < func->params->n ? ls_prim_func_get_buffer (func, i) : NULL;

      args[i].dtype = call->args[i]->t;
      if (ls_is_float_type (call->args[i]->t))
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
  program = m->failed ? NULL : ls_machine_program (m, func);
  if (program == NULL)
    return NULL;
  return ls_machine_enter (m, program, args, call->n) ? program : NULL;
}

LsAct *
ls_call_begin (LsMachine *m,
               LsCode    *call)
{
  LsProgram *program = enter_call (m, call);

  return program != NULL ? program->body : NULL;
}

gboolean
ls_call_function (LsMachine *m,
                  LsCode    *call)
{
  guint base = m->n_frames;
  gboolean returned = m->returned;
  LsProgram *program;

  ls_machine_push (m, NULL);
  m->atomic++;
  program = enter_call (m, call);
  if (program != NULL)
    ls_machine_go (m, program->body, base + 1);
  m->atomic--;
  if (m->n_frames > base)
    {
      while (m->n_frames > base + 1)
        ls_machine_pop (m);
      if (m->activations->len > 1 && g_array_index (m->activations, LsActivation, m->activations->len - 1).frame == base)
        ls_machine_leave (m);
      ls_machine_pop (m);
    }
  m->returned = returned;
  return !m->failed;
}

/* ---- a whole run ------------------------------------------------------------------------ */

void
ls_machine_init (LsMachine             *m,
                 const LsInterpOptions *options)
{
  memset (m, 0, sizeof *m);
  m->options = options;
  m->stop_at = G_MAXUINT64;
  m->memory = g_array_new (FALSE, FALSE, sizeof (LsBlockOfMemory));
  m->activations = g_array_new (FALSE, FALSE, sizeof (LsActivation));
  m->marks = g_ptr_array_new_with_free_func (g_free);
  m->programs = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_program_free);
  if (options != NULL && options->observer != NULL)
    ls_run_observe (m, options->observer, options->user_data);
}

void
ls_machine_unwind (LsMachine *m)
{
  while (m->n_frames > 0)
    ls_machine_pop (m);
  while (m->activations->len > 0)
    ls_machine_leave (m);
}

static void
free_kept (LsMachine *m)
{
  for (guint i = 0; m->kept != NULL && i < m->kept->len; i++)
    {
      GArray *known = m->kept->pdata[i];

      for (guint k = 0; k < known->len; k++)
        {
          g_free (g_array_index (known, LsBlockOfMemory, k).data);
          g_free (g_array_index (known, LsBlockOfMemory, k).written);
        }
      g_array_unref (known);
    }
  g_clear_pointer (&m->kept, g_ptr_array_unref);
}

void
ls_machine_clear (LsMachine *m)
{
  ls_machine_unwind (m);
  ls_memory_cut (m, 0);
  free_kept (m);
  g_array_unref (m->memory);
  g_array_unref (m->activations);
  g_ptr_array_unref (m->marks);
  g_hash_table_unref (m->programs);
  g_clear_pointer (&m->onlookers, g_array_unref);
  g_free (m->frames);
  g_clear_error (&m->error);
}

static gboolean
machine_finish (LsMachine  *m,
                GError    **error)
{
  gboolean ok = !m->failed;

  if (m->error != NULL)
    g_propagate_error (error, g_steal_pointer (&m->error));
  ls_machine_clear (m);
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

  ls_machine_init (&m, options);
  program = ls_machine_program (&m, func);
  if (program != NULL && ls_machine_enter (&m, program, args, n_args))
    ls_machine_go (&m, program->body, 0);
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

  ls_machine_init (&m, NULL);
  program = ls_machine_program (&m, shell);
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
