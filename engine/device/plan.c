/* plan: what the host has to do for a function: memory, kernels, in which order.
 *
 * The host's part of a split function is a list of allocations and calls of kernels when all its loops are bound to threads.  Anything else would
 * need an interpreter on the other machine and is refused with its place. */
#include "engine/device/device.h"

#include "engine/ir/structural.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"

#include <string.h>

G_DEFINE_QUARK (ls-device-error-quark, ls_device_error)

#define MOST_LAUNCHES 64        /* tables of the host program */
#define MOST_ARGS 64

typedef struct {
  LsModule     *split;
  LsPrimFunc   *host;
  LsDevicePlan *plan;
  GPtrArray    *temporaries;    /* of LsVar: pointers */
  GError       *error;
} Planner;

static void
refuse (Planner    *self,
        LsNode     *node,
        const char *format,
        ...) G_GNUC_PRINTF (3, 4);

static void
refuse (Planner    *self,
        LsNode     *node,
        const char *format,
        ...)
{
  va_list args;
  g_autofree char *text = NULL;

  if (self->error != NULL)
    return;
  va_start (args, format);
  text = g_strdup_vprintf (ls_translate (format), args);
  va_end (args);
  self->error = g_error_new (LS_DEVICE_ERROR, LS_DEVICE_ERROR_UNSUPPORTED, ls_translate ("%s A bundle's host starts kernels one after the other and does nothing else."), text);
}

/* ---- a kernel ---- */

typedef struct {
  Planner        *planner;
  LsDeviceLaunch *launch;
} Extents;

static void
note_axis (Extents    *self,
           LsIterVar  *axis,
           LsExpr     *extent)
{
  static const char *const AXES[] = { "blockIdx.x", "blockIdx.y", "blockIdx.z", "threadIdx.x", "threadIdx.y", "threadIdx.z" };
  gint64 value;

  for (guint i = 0; i < G_N_ELEMENTS (AXES); i++)
    if (strcmp (axis->thread_tag, AXES[i]) == 0)
      {
        if (!ls_as_int (extent, &value))
          refuse (self->planner, LS_NODE (axis), LS_TEXT ("The extent of %s in %s is not a number."), AXES[i], self->launch->kernel);
        else
          *(i < 3 ? &self->launch->grid[i] : &self->launch->block[i - 3]) = value;
        return;
      }
  refuse (self->planner, LS_NODE (axis), LS_TEXT ("%s binds a loop to %s."), self->launch->kernel, axis->thread_tag);
}

static LsWalk
note_extent (LsNode  *node,
             gpointer data)
{
  Extents *self = data;
  LsAllocate *allocate = (LsAllocate *) node;
  gint64 size = 1, extent;

  if (ls_is_attr (node, "thread_extent") && ls_thread_axis (node) != NULL)
    note_axis (self, ls_thread_axis (node), ((LsAttrStmt *) node)->value);
  if (!ls_is (node, ALLOCATE) || strcmp (ls_pointer_scope (allocate->buffer_var), "shared.dyn") != 0)
    return LS_WALK_CONTINUE;
  for (guint i = 0; i < allocate->extents->n; i++)
    if (ls_as_int (allocate->extents->items[i], &extent))
      size *= extent;
    else
      refuse (self->planner, node, LS_TEXT ("The size of %s is not a number."), allocate->buffer_var->name);
  self->launch->dynamic_shared += size * ls_dtype_bytes (allocate->dtype);
  return LS_WALK_CONTINUE;
}

static gboolean
argument_of (Planner *self,
             LsNode  *node,
             int     *out)
{
  guint at;

  for (guint i = 0; i < self->host->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (self->host, i);

      if (buffer != NULL && LS_NODE (buffer->data) == node)
        {
          *out = (int) i;
          return TRUE;
        }
    }
  if (!g_ptr_array_find (self->temporaries, node, &at))
    return FALSE;
  *out = -1 - (int) at;
  return TRUE;
}

static void
launch_free (gpointer data)
{
  LsDeviceLaunch *self = data;

  g_free (self->kernel);
  g_array_unref (self->args);
  g_free (self);
}

static void
add_launch (Planner *self,
            LsCall  *call)
{
  LsGlobalVar *name = (LsGlobalVar *) call->op;
  LsNode *kernel = ls_module_get (self->split, name->name_hint);
  LsDeviceLaunch *launch = g_new0 (LsDeviceLaunch, 1);
  Extents extents = { self, launch };

  *launch = (LsDeviceLaunch) { g_strdup (name->name_hint), { 1, 1, 1 }, { 1, 1, 1 }, 0, g_array_new (FALSE, FALSE, sizeof (int)) };
  g_ptr_array_add (self->plan->launches, launch);
  if (self->plan->launches->len > MOST_LAUNCHES || call->args->n > MOST_ARGS)
    refuse (self, LS_NODE (call), LS_TEXT ("There are more than %d kernels, or one has more than %d arguments."), MOST_LAUNCHES, MOST_ARGS);
  if (kernel == NULL || !ls_is (kernel, PRIM_FUNC))
    {
      refuse (self, LS_NODE (call), LS_TEXT ("There is no kernel %s."), name->name_hint);
      return;
    }
  ls_walk (((LsPrimFunc *) kernel)->body, note_extent, NULL, &extents);
  for (guint i = 0; i < call->args->n; i++)
    {
      LsNode *arg = call->args->items[i];
      int number = 0;

      if (argument_of (self, arg, &number))
        g_array_append_val (launch->args, number);
      else
        refuse (self, arg, LS_TEXT ("The kernel %s takes %s, which is a number that the host would have to compute."), name->name_hint,
                ls_is_var (arg) ? ((LsVar *) arg)->name : "an expression");
    }
}

/* ---- the host ---- */

static void
add_temporary (Planner    *self,
               LsAllocate *allocate)
{
  gint64 bytes = ls_dtype_bytes (allocate->dtype), extent;

  for (guint i = 0; i < allocate->extents->n; i++)
    if (!ls_as_int (allocate->extents->items[i], &extent) || __builtin_mul_overflow (bytes, extent, &bytes))
      refuse (self, LS_NODE (allocate), LS_TEXT ("The size of %s is not a number."), allocate->buffer_var->name);
  g_ptr_array_add (self->temporaries, allocate->buffer_var);
  g_array_append_val (self->plan->temporaries, bytes);
}

static void
plan_stmt (Planner *self,
           LsNode  *node)
{
  LsCall *call;

  if (node == NULL || self->error != NULL)
    return;
  switch ((int) ls_kind (node))
    {
    case LS_KIND_SEQ_STMT:
      for (guint i = 0; i < ((LsSeqStmt *) node)->seq->n; i++)
        plan_stmt (self, ((LsSeqStmt *) node)->seq->items[i]);
      return;
    case LS_KIND_ATTR_STMT:
      plan_stmt (self, LS_NODE (((LsAttrStmt *) node)->body));
      return;
    case LS_KIND_DECL_BUFFER:
      plan_stmt (self, LS_NODE (((LsDeclBuffer *) node)->body));
      return;
    case LS_KIND_ALLOCATE:
      add_temporary (self, (LsAllocate *) node);
      plan_stmt (self, LS_NODE (((LsAllocate *) node)->body));
      return;
    case LS_KIND_EVALUATE:
      call = (LsCall *) ((LsEvaluate *) node)->value;
      if (ls_is (call, CALL) && ls_is (call->op, GLOBAL_VAR))
        add_launch (self, call);
      else if (!ls_is (call, INT_IMM))
        refuse (self, node, LS_TEXT ("The host calls a function."));
      return;
    case LS_KIND_FOR:
      refuse (self, node, LS_TEXT ("The loop %s is bound to no thread and stands outside of the kernels."), ((LsFor *) node)->loop_var->name);
      return;
    case LS_KIND_BUFFER_STORE:
      refuse (self, node, LS_TEXT ("%s is computed outside of the kernels."), ((LsBufferStore *) node)->buffer->name);
      return;
    case LS_KIND_IF_THEN_ELSE:
      refuse (self, node, LS_TEXT ("A condition stands outside of the kernels."));
      return;
    default:
      refuse (self, node, LS_TEXT ("A statement stands outside of the kernels."));
    }
}

/* ---- the whole ---- */

LsDevicePlan *
ls_device_plan_new (const char  *name,
                    LsPrimFunc  *lowered,
                    GError     **error)
{
  g_autoptr (LsModule) split = ls_device_split (name, lowered, error);
  g_autoptr (GPtrArray) temporaries = g_ptr_array_new ();
  g_autoptr (LsDevicePlan) plan = NULL;
  Planner self = { 0 };

  if (split == NULL)
    return NULL;
  plan = g_new0 (LsDevicePlan, 1);
  plan->launches = g_ptr_array_new_with_free_func (launch_free);
  plan->temporaries = g_array_new (FALSE, FALSE, sizeof (gint64));
  self = (Planner) { split, (LsPrimFunc *) ls_module_get (split, name), plan, temporaries, NULL };
  for (guint i = 0; i < self.host->params->n; i++)
    if (ls_prim_func_get_buffer (self.host, i) == NULL)
      refuse (&self, self.host->params->items[i], LS_TEXT ("The function takes the number %s."), ls_array_at (self.host->params, i, LsVar)->name);
  plan_stmt (&self, LS_NODE (self.host->body));
  if (self.error == NULL && plan->launches->len == 0)
    refuse (&self, LS_NODE (self.host), LS_TEXT ("%s has no loop that is bound to threads."), name);
  if (self.error == NULL)
    return g_steal_pointer (&plan);
  g_propagate_error (error, self.error);
  return NULL;
}

void
ls_device_plan_free (LsDevicePlan *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->launches);
  g_array_unref (self->temporaries);
  g_free (self);
}

char *
ls_device_hash (LsModule *module)
{
  return g_strdup_printf ("%016" G_GINT64_MODIFIER "x", ls_structural_hash (module, TRUE));
}
