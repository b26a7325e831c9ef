/* tasks: the TensorIR functions that the Relax functions of a module call. */
#include "app/search/model.h"

#include "engine/relax/relax.h"
#include "engine/script/printer.h"
#include "engine/tir/tir.h"

#include <string.h>

static void
task_free (gpointer data)
{
  LsSearchTask *self = data;

  g_free (self->name);
  g_ptr_array_unref (self->names);
  ls_unref (self->module);
  g_free (self->text);
  g_free (self);
}

typedef struct {
  LsModule  *module;
  GPtrArray *tasks;
} Collect;

/* The function alone, under the name under which TVM's database has it. (transfer full) */
static LsModule *
bare_module (LsPrimFunc *func)
{
  g_autoptr (LsString) name = ls_string_new ("main");
  g_autoptr (LsPrimFunc) named = ls_prim_func_with_attr (func, "global_symbol", name);
  g_autoptr (LsModule) empty = ls_module_new (ls_array_empty (), ls_array_empty (), NULL, NULL);

  return ls_module_with (empty, "main", named);
}

static void
add_call (Collect    *self,
          const char *name,
          LsPrimFunc *func)
{
  const LsScriptPrintOptions whole = { .show_meta = TRUE };
  g_autoptr (LsModule) module = bare_module (func);
  LsSearchTask *task = NULL;

  for (guint i = 0; i < self->tasks->len && task == NULL; i++)
    if (ls_structural_equal (((LsSearchTask *) self->tasks->pdata[i])->module, module, FALSE, NULL, NULL))
      task = self->tasks->pdata[i];
  if (task == NULL)
    {
      task = g_new0 (LsSearchTask, 1);
      task->name = g_strdup (name);
      task->names = g_ptr_array_new_with_free_func (g_free);
      task->module = ls_ref (module);
      task->text = ls_script_print (module, &whole, NULL);
      g_ptr_array_add (self->tasks, task);
    }
  task->weight++;
  if (!g_ptr_array_find_with_equal_func (task->names, name, g_str_equal, NULL))
    g_ptr_array_add (task->names, g_strdup (name));
}

static LsWalk
look (LsNode  *node,
      gpointer data)
{
  Collect *self = data;
  LsRelaxCall *call = ls_is_relax_call_tir (node) ? (LsRelaxCall *) node : NULL;
  LsNode *callee = call != NULL && ls_array_n (call->args) > 0 ? call->args->items[0] : NULL;
  LsNode *func = callee != NULL && ls_is (callee, GLOBAL_VAR) ? ls_module_get (self->module, ((LsGlobalVar *) callee)->name_hint) : NULL;

  if (func != NULL && ls_is (func, PRIM_FUNC))
    add_call (self, ((LsGlobalVar *) callee)->name_hint, (LsPrimFunc *) func);
  return LS_WALK_CONTINUE;
}

GPtrArray *
ls_search_tasks_of (LsModule *module)
{
  Collect collect = { module, g_ptr_array_new_with_free_func (task_free) };

  for (guint i = 0; i < ls_array_n (module->functions); i++)
    if (!ls_is (module->functions->items[i], PRIM_FUNC))
      ls_walk (module->functions->items[i], look, NULL, &collect);
  return collect.tasks;
}

LsTrace *
ls_search_trace_for (LsTrace    *trace,
                     const char *name)
{
  g_autoptr (LsString) value = ls_string_new (name);
  LsTrace *renamed = ls_trace_ref (trace);

  for (guint i = 0; i < ls_trace_get_n (trace); i++)
    {
      const LsTraceStep *step = ls_trace_get (trace, i);

      for (guint k = 0; k < step->instruction->n_params; k++)
        if (strcmp (step->instruction->params[k].name, "func_name") == 0 && step->args->items[k] != NULL)
          {
            LsTrace *before = renamed;

            renamed = ls_trace_with_argument (before, i, k, LS_NODE (value));
            ls_trace_unref (before);
          }
    }
  return renamed;
}
