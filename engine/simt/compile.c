/* compile: a lowered function as instructions: the host's, and those of each kernel.
 *
 * A kernel is the outermost T.launch_thread with all that stands in it; what a device has to know before it starts (extents of the thread
 * axes, sizes of the memories) is found here, and refused where it hangs on what only threads know. */
#include "engine/base/stack.h"
#include "engine/simt/simt-private.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"

#include <string.h>

static const char *const TAGS[AXES] = { "blockIdx.x", "blockIdx.y", "blockIdx.z", "threadIdx.x", "threadIdx.y", "threadIdx.z" };

/* ---- what a kernel needs ------------------------------------------------------------------------- */

static int
axis_of (LsAct *act)
{
  const char *tag;

  if (act->kind != LS_KIND_ATTR_STMT || !act->is_thread)
    return -1;
  tag = ((LsIterVar *) ((LsAttrStmt *) act->origin)->subject)->thread_tag;
  for (guint i = 0; i < AXES; i++)
    if (strcmp (tag, TAGS[i]) == 0)
      return (int) i;
  return -1;
}

static gboolean
only_host (Compiler *self,
           LsCode   *code)
{
  if (code == NULL)
    return TRUE;
  switch ((int) code->kind)
    {
    case LS_KIND_VAR:
    case LS_KIND_SIZE_VAR: return self->host_slots[code->slot];
    case LS_KIND_INT_IMM: return TRUE;
    case LS_KIND_CAST: return only_host (self, code->a);
    case LS_KIND_CALL:
      for (guint i = 0; i < code->n; i++)
        if (!only_host (self, code->args[i]))
          return FALSE;
      return code->call != LS_CALL_DEVICE;
    default:
      return ls_kind_is_binary (code->kind) && only_host (self, code->a) && only_host (self, code->b);
    }
}

static gboolean
same_extent (LsCode *a,
             LsCode *b)
{
  return a == b || ls_deep_equal (a->origin, b->origin);
}

static void
add_allocation (Compiler   *self,
                KernelPlan *plan,
                LsAct      *act)
{
  LsAllocate *node = (LsAllocate *) act->origin;
  Allocation a = { .var = node->buffer_var, .dtype = node->dtype, .elements = 1, .slot = act->slot };
  gint64 *total;

  a.space = simt_space_of (self, node->buffer_var);
  if (a.space == LS_SIMT_GLOBAL)
    a.space = LS_SIMT_LOCAL;
  for (guint i = 0; i < act->n; i++)
    if (act->extents[i]->kind != LS_KIND_INT_IMM || act->extents[i]->i < 0 || __builtin_mul_overflow (a.elements, act->extents[i]->i, &a.elements)
        || a.elements > ((gint64) 1 << 30))
      {
        simt_refuse (self, LS_INTERP_ERROR_UNSUPPORTED, "The size of %s is %s: memory of a kernel has a size that is known when it is compiled.",
                     node->buffer_var->name, act->extents[i]->kind == LS_KIND_INT_IMM ? "too large" : "no number");
        return;
      }
  a.bytes = a.elements * ls_dtype_bytes (a.dtype);
  a.granule = GPOINTER_TO_UINT (g_hash_table_lookup (self->code->granules, a.var));
  if (a.granule == 0)
    a.granule = (guint) MAX (ls_dtype_bytes (ls_dtype_element (a.dtype)), 1);
  total = a.space == LS_SIMT_SHARED ? &plan->shared_bytes : a.space == LS_SIMT_LOCAL ? &plan->local_bytes : &plan->warp_bytes;
  *total = (*total + 15) / 16 * 16;
  a.offset = *total;
  *total += a.bytes;
  g_array_append_val (plan->allocations, a);
}

/* The innermost size of an element by which each piece of memory is accessed. */
static void
note_granules (Compiler *self)
{
  GHashTableIter iter;
  gpointer buffer;

  g_hash_table_iter_init (&iter, self->program->plans);
  while (g_hash_table_iter_next (&iter, &buffer, NULL))
    {
      LsBuffer *b = buffer;
      guint bytes = MAX ((guint) (b->dtype.bits + 7) / 8, 1), known = GPOINTER_TO_UINT (g_hash_table_lookup (self->code->granules, b->data));

      g_hash_table_insert (self->code->granules, b->data, GUINT_TO_POINTER (known == 0 ? bytes : MIN (known, bytes)));
    }
}

static void
scan_kernel (Compiler   *self,
             KernelPlan *plan,
             LsAct      *act,
             LsCode     *extents[AXES])
{
  int axis = axis_of (act);

  if (axis >= 0 && extents[axis] == NULL)
    extents[axis] = act->a;
  else if (axis >= 0 && !same_extent (extents[axis], act->a))
    simt_refuse (self, LS_INTERP_ERROR_PROGRAM, "%s has two extents in one kernel: all its loops need the same.", TAGS[axis]);
  if (act->kind == LS_KIND_ALLOCATE)
    add_allocation (self, plan, act);
  for (guint i = 0; i < act->n_acts; i++)
    scan_kernel (self, plan, act->acts[i], extents);
}

/* ---- statements ----------------------------------------------------------------------------------- */

static void statement (Compiler *self, LsAct *act);

static void
bodies (Compiler *self,
        LsAct    *act)
{
  for (guint i = 0; i < act->n_acts; i++)
    statement (self, act->acts[i]);
}

static void
patch (Compiler *self,
       guint     at)
{
  g_array_index (self->code->instrs, Instr, at).jump = self->code->instrs->len;
}

static void
move_to_var (Compiler *self,
             guint     slot,
             guint     lanes,
             Operand   value)
{
  Instr *in = simt_emit (self, OP_MOVE);

  in->lanes = lanes;
  in->dst = simt_var (self, slot);
  in->a = value;
}

static void
loop (Compiler   *self,
      LsAct      *act,
      LsCode     *min,
      LsCode     *extent,
      const char *name)
{
  Operand end = OPERAND_VAR | self->code->n_units++;
  Operand from = min != NULL ? simt_expr (self, min) : simt_const (self, (LsScalar) { 0 });
  Operand n = simt_expr (self, extent);
  guint enter, body;
  Instr *in;

  move_to_var (self, act->slot, 1, from);
  in = simt_emit (self, OP_ADD_I64);
  in->dst = end;
  in->a = from;
  in->b = n;
  enter = self->code->instrs->len;
  in = simt_emit (self, OP_LOOP);
  in->a = simt_var (self, act->slot);
  in->b = end;
  in->count = COUNT_BRANCH;
  simt_push (self);
  g_ptr_array_add (self->loops, (gpointer) name);
  body = self->code->instrs->len;
  statement (self, act->acts[0]);
  in = simt_emit (self, OP_NEXT);
  in->a = simt_var (self, act->slot);
  in->b = end;
  in->jump = body;
  in->count = COUNT_BRANCH;
  patch (self, enter);
  simt_emit (self, OP_POP);
  g_ptr_array_set_size (self->loops, (int) self->loops->len - 1);
  self->depth--;
}

static void
condition (Compiler *self,
           LsAct    *act)
{
  guint branch, other;
  Operand test = simt_expr (self, act->a);
  Instr *in;

  branch = self->code->instrs->len;
  in = simt_emit (self, OP_IF);
  in->a = test;
  in->count = COUNT_BRANCH;
  simt_push (self);
  statement (self, act->acts[0]);
  if (act->n_acts > 1)
    {
      other = self->code->instrs->len;
      patch (self, branch);
      simt_emit (self, OP_ELSE);
      branch = other;
      statement (self, act->acts[1]);
    }
  patch (self, branch);
  simt_emit (self, OP_POP);
  self->depth--;
}

static void
while_loop (Compiler *self,
            LsAct    *act)
{
  guint test_at, branch;
  Operand test;
  Instr *in = simt_emit (self, OP_IF);

  /* a mask of its own that only shrinks */
  in->a = simt_const (self, (LsScalar) { .i = 1 });
  simt_push (self);
  test_at = self->code->instrs->len;
  g_array_index (self->code->instrs, Instr, test_at - 1).jump = G_MAXUINT;
  test = simt_expr (self, act->a);
  branch = self->code->instrs->len;
  in = simt_emit (self, OP_TEST);
  in->a = test;
  in->count = COUNT_BRANCH;
  statement (self, act->acts[0]);
  in = simt_emit (self, OP_JUMP);
  in->jump = test_at;
  patch (self, branch);
  patch (self, test_at - 1);
  simt_emit (self, OP_POP);
  self->depth--;
}

static void
store (Compiler *self,
       LsAct    *act)
{
  LsBufferPlan *plan = act->allocs[0];
  Operand value = simt_expr (self, act->a);
  Operand *args = simt_layout (self, plan, act->args, act->n);
  Operand predicate = act->b != NULL ? simt_expr (self, act->b) : OPERAND_NONE;
  guint site = simt_site (self, act->origin, plan, TRUE);
  Instr *in = simt_emit (self, OP_STORE);

  in->lanes = act->a->t.lanes;
  in->a = simt_var (self, plan->data_slot);
  in->b = predicate;
  in->c = value;
  in->args = args;
  in->n = act->n;
  in->site = site;
  in->plan = plan;
}

static void
kernel (Compiler *self,
        LsAct    *act)
{
  KernelPlan plan = { .line = self->line, .allocations = g_array_new (FALSE, FALSE, sizeof (Allocation)) };
  LsCode *extents[AXES] = { NULL };
  guint launch, number = self->code->kernels->len;
  Instr *in;

  g_array_append_val (self->code->kernels, plan);
  scan_kernel (self, &plan, act, extents);
  plan.static_bytes = ls_static_shared_bytes ((LsStmt *) act->origin);
  plan.shared_bytes = plan.static_bytes + ls_dynamic_shared_bytes ((LsStmt *) act->origin);     /* as device text lays it out */
  for (guint i = 0; i < AXES; i++)
    {
      plan.extents[i] = OPERAND_NONE;
      if (extents[i] == NULL)
        continue;
      if (!only_host (self, extents[i]))
        simt_refuse (self, LS_INTERP_ERROR_UNSUPPORTED, "The extent of %s is known to threads only: it has to be known before the kernel starts.", TAGS[i]);
      else
        plan.extents[i] = simt_expr (self, extents[i]);
    }
  launch = self->code->instrs->len;
  in = simt_emit (self, OP_LAUNCH);
  in->site = number;
  plan.first = launch + 1;
  g_array_index (self->code->kernels, KernelPlan, number) = plan;
  self->kernel = number + 1;
  statement (self, act);
  simt_emit (self, OP_END);
  self->kernel = 0;
  patch (self, launch);
}

/* T.attr (0, "async_wait_queue_scope", 0) with T.attr (0, "async_wait_inflight_count", n) in it. */
static void
wait_group (Compiler   *self,
            LsAttrStmt *attr)
{
  gint64 most = ls_async_inflight (attr);

  if (most < 0)
    simt_refuse (self, LS_INTERP_ERROR_UNSUPPORTED, "Line %u: how many asynchronous copies may be under way is not a number.", self->line);
  else
    simt_group (self, TRUE, (guint) most);
}

static void
attribute (Compiler *self,
           LsAct    *act)
{
  int axis = axis_of (act);
  Instr *in;

  if (act->is_thread && axis < 0)
    {
      loop (self, act, NULL, act->a, ((LsIterVar *) ((LsAttrStmt *) act->origin)->subject)->var->name);
      return;
    }
  if (axis >= 0 && self->kernel == 0)
    {
      kernel (self, act);
      return;
    }
  if (axis >= 0)
    {
      in = simt_emit (self, OP_THREAD);
      in->dst = simt_var (self, act->slot);
      in->site = (guint) axis;
    }
  if (self->kernel > 0 && ls_is_attr (act->origin, "async_wait_queue_scope"))
    wait_group (self, (LsAttrStmt *) act->origin);
  bodies (self, act);
  if (self->kernel > 0 && ls_is_attr (act->origin, "async_commit_queue_scope"))
    simt_group (self, FALSE, 0);
}

static void
allocate (Compiler *self,
          LsAct    *act)
{
  LsAllocate *node = (LsAllocate *) act->origin;
  Instr *in;

  if (self->kernel > 0)
    {
      GArray *allocations = g_array_index (self->code->kernels, KernelPlan, self->kernel - 1).allocations;
      guint at = 0;

      while (at < allocations->len && g_array_index (allocations, Allocation, at).slot != act->slot)
        at++;
      in = simt_emit (self, OP_FRESH);
      in->dst = simt_var (self, act->slot);
      in->site = at;
      bodies (self, act);
      return;
    }
  {
    Operand *args = simt_operands (self, act->n);
    guint granule = MAX (GPOINTER_TO_UINT (g_hash_table_lookup (self->code->granules, node->buffer_var)), 1);

    for (guint i = 0; i < act->n; i++)
      args[i] = simt_expr (self, act->extents[i]);
    in = simt_emit (self, OP_ALLOC);
    in->dst = simt_var (self, act->slot);
    in->args = args;
    in->n = act->n;
    in->lanes = granule;
    in->site = ls_dtype_bytes (node->dtype);
  }
  bodies (self, act);
}

typedef struct {
  Compiler *self;
  LsAct    *act;
} Again;

static void
statement_again (gpointer data)
{
  Again *again = data;

  statement (again->self, again->act);
}

static void
statement (Compiler *self,
           LsAct    *act)
{
  guint kept_line = self->line, line;

  if (ls_stack_is_short ())
    {
      Again again = { self, act };

      ls_stack_extend (statement_again, &again);
      return;
    }
  if (self->error != NULL)
    return;
  line = simt_line_of (act->origin);
  self->line = line > 0 ? line : kept_line;
  self->scratch = 0;
  switch ((int) act->kind)
    {
    case LS_KIND_SEQ_STMT:
    case LS_KIND_DECL_BUFFER:
      bodies (self, act);
      break;
    case LS_KIND_FOR:
      if (((LsFor *) act->origin)->kind == LS_FOR_THREAD_BINDING)
        simt_refuse (self, LS_INTERP_ERROR_PROGRAM, "The loop %s is bound to threads and not lowered.", ((LsFor *) act->origin)->loop_var->name);
      else
        loop (self, act, act->a, act->b, ((LsFor *) act->origin)->loop_var->name);
      break;
    case LS_KIND_BUFFER_STORE:
      store (self, act);
      break;
    case LS_KIND_EVALUATE:
      simt_expr (self, act->a);
      break;
    case LS_KIND_IF_THEN_ELSE:
      condition (self, act);
      break;
    case LS_KIND_WHILE:
      while_loop (self, act);
      break;
    case LS_KIND_LET_STMT:
      move_to_var (self, act->slot, act->a->t.lanes, simt_expr (self, act->a));
      bodies (self, act);
      break;
    case LS_KIND_ASSERT_STMT:
      {
        Operand test = simt_expr (self, act->a);
        Instr *in = simt_emit (self, OP_ASSERT);

        in->a = test;
        in->code = (LsCode *) act->origin;
        bodies (self, act);
        break;
      }
    case LS_KIND_ATTR_STMT:
      attribute (self, act);
      break;
    case LS_KIND_ALLOCATE:
      allocate (self, act);
      break;
    default:
      simt_refuse (self, LS_INTERP_ERROR_UNSUPPORTED, "%s is lowered before a kernel runs.", act->origin->klass->name);
      break;
    }
  self->line = kept_line;
}

/* ---- the whole --------------------------------------------------------------------------------------- */

static gboolean
has_kernel (LsAct *act)
{
  if (axis_of (act) >= 0 || (act->kind == LS_KIND_FOR && ((LsFor *) act->origin)->kind == LS_FOR_THREAD_BINDING))
    return TRUE;
  for (guint i = 0; i < act->n_acts; i++)
    if (has_kernel (act->acts[i]))
      return TRUE;
  return FALSE;
}

static guint
lanes_of_slot (LsVar *var)
{
  return MAX (ls_dtype (var).lanes, 1);
}

static void
place_variables (Compiler *self)
{
  SimtCode *code = self->code;
  GHashTableIter iter;
  gpointer var, slot;

  code->slot_unit = g_new0 (guint, self->program->n_slots + 1);
  g_hash_table_iter_init (&iter, self->program->slots);
  while (g_hash_table_iter_next (&iter, &var, &slot))
    {
      code->slot_unit[GPOINTER_TO_UINT (slot) - 1] = code->n_units;
      code->n_units += lanes_of_slot (var);
    }
}

static void
note_host (Compiler *self,
           LsAct    *act)
{
  if (axis_of (act) >= 0)
    return;
  if (act->kind == LS_KIND_LET_STMT || act->kind == LS_KIND_FOR)
    self->host_slots[act->slot] = TRUE;
  for (guint i = 0; i < act->n_acts; i++)
    note_host (self, act->acts[i]);
}

static void
note_parameters (Compiler   *self,
                 LsPrimFunc *func)
{
  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);

      self->host_slots[ls_program_slot (self->program, ls_array_at (func->params, i, LsVar), FALSE)] = TRUE;
      for (guint k = 0; buffer != NULL && k < buffer->shape->n; k++)
        if (ls_is_var (buffer->shape->items[k]))
          self->host_slots[ls_program_slot (self->program, ls_array_at (buffer->shape, k, LsVar), FALSE)] = TRUE;
    }
}

static void
site_clear (gpointer data)
{
  g_free (((LsSimtSite *) data)->loops);
}

static void
kernel_clear (gpointer data)
{
  g_array_unref (((KernelPlan *) data)->allocations);
}

SimtCode *
simt_code_new (LsPrimFunc  *lowered,
               GError     **error)
{
  LsProgram *program = ls_program_new_for_threads (lowered, error);
  g_autoptr (GPtrArray) loops = g_ptr_array_new ();
  SimtCode *code;
  Compiler self = { .loops = loops };

  if (program == NULL)
    return NULL;
  code = g_new0 (SimtCode, 1);
  code->program = program;
  code->instrs = g_array_new (FALSE, FALSE, sizeof (Instr));
  code->consts = g_array_new (FALSE, FALSE, sizeof (LsScalar));
  code->kernels = g_array_new (FALSE, TRUE, sizeof (KernelPlan));
  g_array_set_clear_func (code->kernels, kernel_clear);
  code->sites = g_array_new (FALSE, TRUE, sizeof (LsSimtSite));
  g_array_set_clear_func (code->sites, site_clear);
  code->owned = g_ptr_array_new_with_free_func (g_free);
  code->buffers = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  code->granules = g_hash_table_new (NULL, NULL);
  code->shapes = g_hash_table_new (NULL, NULL);
  self.code = code;
  self.program = program;
  self.host_slots = g_new0 (guint8, program->n_slots + 1);
  place_variables (&self);
  note_granules (&self);
  note_parameters (&self, program->func);
  note_host (&self, program->body);
  if (has_kernel (program->body))
    {
      statement (&self, program->body);
      simt_emit (&self, OP_END);
    }
  else
    simt_refuse (&self, LS_INTERP_ERROR_PROGRAM, "No loop is bound to threads: nothing of the program runs on the device. Bind loops to blockIdx.x and threadIdx.x.");
  g_free (self.host_slots);
  if (self.error == NULL)
    return code;
  g_propagate_error (error, self.error);
  simt_code_free (code);
  return NULL;
}

void
simt_code_free (SimtCode *self)
{
  if (self == NULL)
    return;
  ls_program_free (self->program);
  g_array_unref (self->instrs);
  g_array_unref (self->consts);
  g_array_unref (self->kernels);
  g_array_unref (self->sites);
  g_ptr_array_unref (self->owned);
  g_clear_pointer (&self->buffers, g_ptr_array_unref);
  g_hash_table_unref (self->granules);
  g_hash_table_unref (self->shapes);
  g_free (self->slot_unit);
  g_free (self);
}
