/* vm-record: a run of the virtual machine, written down while it goes: see vm.h.
 *
 * The machine tells of each instruction before and after it.  Who holds what is followed by where values come from (a move hands on, a tuple's
 * field is what was put into it), not by keeping them: a value that were kept would keep its memory from being used again.  Only for the time
 * of a call of code its operands are held, so that what it did to them can be looked at.  Memory is known by its address: a tensor that comes
 * to lie where another one lay is the next tenant of the same block.
 */
#include "engine/debug/vm-private.h"

#include <string.h>

typedef struct {
  LsDebugVM *self;
  GArray    *stack;             /* of guint: frames under way */
  GPtrArray *held;              /* operands of the call of code under way: each a reference */
  GArray    *operands;          /* of int: things of the operands of the last instruction that was told before */
  GPtrArray *pointers;          /* of LsVMValue: the operands themselves, borrowed, as many */
  GHashTable *constants;        /* number + 1 -> thing + 1 */
  gint64     started;
  int        returned;          /* thing that the last RETURN gave, -1: none */
  gsize      kept;              /* bytes of changes and of blocks */
} Recorder;

static guint
position_of (LsDebugVM *self)
{
  return self->steps->len;
}

/* ---- blocks ------------------------------------------------------------------------------------ */

static void
block_free (gpointer data)
{
  LsVMBlock *self = data;

  for (guint i = 0; i < self->changes->len; i++)
    g_free (g_array_index (self->changes, LsVMChange, i).data);
  g_array_unref (self->changes);
  g_array_unref (self->tenants);
  g_free (self->now);
  g_free (self);
}

/* FALSE: from here on nothing more is kept. */
static gboolean
afford (Recorder *self,
        gsize     bytes)
{
  if (self->self->lost != G_MAXUINT)
    return FALSE;
  self->kept += bytes;
  if (self->kept <= LS_DEBUG_MEMORY)
    return TRUE;
  self->self->lost = position_of (self->self);
  return FALSE;
}

static void
grow (Recorder  *self,
      LsVMBlock *block,
      gsize      bytes)
{
  if (bytes <= block->bytes && block->now != NULL)
    return;
  if (afford (self, bytes - block->bytes))
    {
      block->now = g_realloc (block->now, bytes + 1);
      memset (block->now + block->bytes, 0, bytes - block->bytes);
    }
  block->bytes = MAX (block->bytes, bytes);
}

static int
new_block (Recorder *self,
           guintptr  address,
           gsize     bytes)
{
  LsVMBlock *block = g_new0 (LsVMBlock, 1);

  block->address = address;
  block->tenants = g_array_new (FALSE, FALSE, sizeof (guint));
  block->changes = g_array_new (FALSE, FALSE, sizeof (LsVMChange));
  grow (self, block, bytes);
  g_ptr_array_add (self->self->blocks, block);
  return (int) self->self->blocks->len - 1;
}

static gboolean
lies_in (const LsVMBlock *block,
         guintptr         address,
         gsize            bytes)
{
  return address >= block->address && address - block->address <= block->bytes && bytes <= block->bytes - (address - block->address);
}

/* The block of an operand that the memory is a part of: a view, a tensor in a storage; -1: none. */
static int
block_of_operands (Recorder *self,
                   guintptr  address,
                   gsize     bytes)
{
  for (guint i = 0; i < self->operands->len; i++)
    {
      int thing = g_array_index (self->operands, int, i);
      int block = thing >= 0 ? ls_debug_vm_thing (self->self, (guint) thing)->block : -1;

      if (block >= 0 && lies_in (self->self->blocks->pdata[block], address, bytes))
        return block;
    }
  return -1;
}

/* The newest block is what an address stands for: older ones there are long gone. */
static int
find_block (Recorder *self,
            guintptr  address,
            gsize     bytes)
{
  int inside = block_of_operands (self, address, bytes);

  for (guint i = self->self->blocks->len; inside < 0 && i-- > 0;)
    {
      LsVMBlock *block = self->self->blocks->pdata[i];

      if (block->address == address)
        {
          grow (self, block, bytes);
          return (int) i;
        }
      if (bytes > 0 && lies_in (block, address, bytes))
        return (int) i;
    }
  return inside >= 0 ? inside : new_block (self, address, bytes);
}

static const guint8 *
memory_of (const LsNDArray *array)
{
  return (const guint8 *) array->tensor.data + array->tensor.byte_offset;
}

/* ---- what changed ---------------------------------------------------------------------------------- */

static gint64
count_elements (const guint8 *a,
                const guint8 *b,
                gsize         bytes,
                gsize         size)
{
  gint64 n = 0;

  for (gsize i = 0; size > 0 && i + size <= bytes; i += size)
    n += memcmp (a + i, b + i, size) != 0;
  return n;
}

static void
add_change (Recorder     *self,
            LsVMThing    *thing,
            LsVMBlock    *block,
            const guint8 *data,
            gsize         first,
            gsize         last,
            gint64        elements)
{
  LsVMChange change = { position_of (self->self), thing->number, thing->offset + first, last + 1 - first, NULL, elements };

  if (afford (self, change.bytes))
    {
      change.data = g_memdup2 (data + first, change.bytes);
      memcpy (block->now + change.offset, change.data, change.bytes);
    }
  g_array_append_val (block->changes, change);
}

/* Looks whether the tensor's memory is what is known of it. */
static void
look_at (Recorder        *self,
         LsVMThing       *thing,
         const LsNDArray *array,
         gboolean         whole)
{
  LsVMBlock *block = thing->block >= 0 ? self->self->blocks->pdata[thing->block] : NULL;
  const guint8 *data = memory_of (array), *known;
  gsize first = 0, last = thing->bytes;

  if (block == NULL || block->now == NULL || thing->bytes == 0 || !ls_tensor_is_compact (&array->tensor) || self->self->lost != G_MAXUINT)
    return;
  known = block->now + thing->offset;
  while (!whole && first < last && data[first] == known[first])
    first++;
  if (first == last)
    return;
  while (!whole && data[last - 1] == known[last - 1])
    last--;
  add_change (self, thing, block, data, first, last - 1, count_elements (data, known, thing->bytes, ls_dl_dtype_size (thing->dtype)));
}

/* ---- things ------------------------------------------------------------------------------------------ */

static void
thing_free (gpointer data)
{
  LsVMThing *self = data;

  g_free (self->name);
  g_free (self->words);
  g_array_unref (self->fields);
  g_free (self);
}

static void
set_tensor (Recorder        *self,
            LsVMThing       *thing,
            const LsNDArray *array)
{
  guintptr address = (guintptr) memory_of (array);
  LsVMBlock *block;

  thing->bytes = array->n_bytes;
  thing->dtype = array->tensor.dtype;
  thing->ndim = (guint) array->tensor.ndim;
  memcpy (thing->shape, array->tensor.shape, sizeof (gint64) * thing->ndim);
  thing->block = find_block (self, address, thing->bytes);
  block = self->self->blocks->pdata[thing->block];
  thing->offset = address - block->address;
  g_array_append_val (block->tenants, thing->number);
}

/* Takes the name. */
static int
new_thing (Recorder  *self,
           LsVMValue *value,
           char      *name)
{
  LsVMThing *thing = g_new0 (LsVMThing, 1);

  thing->number = self->self->things->len;
  thing->kind = value->kind;
  thing->name = name;
  thing->words = value->kind == LS_VM_INT ? g_strdup_printf ("%" G_GINT64_FORMAT, value->v_int)
                 : value->kind == LS_VM_FLOAT ? g_strdup_printf ("%.9g", value->v_float) : ls_vm_value_describe (value);
  thing->born = position_of (self->self);
  thing->touched = G_MAXUINT;
  thing->block = -1;
  thing->before = -2;
  thing->fields = g_array_new (FALSE, FALSE, sizeof (guint));
  thing->value = value;
  g_ptr_array_add (self->self->things, thing);
  if (value->kind == LS_VM_TENSOR)
    set_tensor (self, thing, value->tensor);
  return (int) thing->number;
}

/* A thing that was not made of things that are known: its fields are new too. Takes the name. */
static int
new_tree (Recorder  *self,
          LsVMValue *value,
          char      *name)
{
  int number = new_thing (self, value, name);

  for (guint i = 0; (value->kind == LS_VM_TUPLE || value->kind == LS_VM_CLOSURE) && i < value->n; i++)
    {
      guint field = (guint) new_tree (self, value->items[i], g_strdup_printf ("%s[%u]", name, i));

      g_array_append_val (ls_debug_vm_thing (self->self, (guint) number)->fields, field);
    }
  return number;
}

/* Tensors whose values are theirs from the beginning. */
static void
give (Recorder  *self,
      int        number,
      LsVMValue *value)
{
  LsVMThing *thing = ls_debug_vm_thing (self->self, (guint) number);

  thing->is_given = TRUE;
  if (value->kind == LS_VM_TENSOR)
    look_at (self, thing, value->tensor, TRUE);
  for (guint i = 0; i < thing->fields->len && i < value->n; i++)
    give (self, (int) g_array_index (thing->fields, guint, i), value->items[i]);
}

/* ---- frames ------------------------------------------------------------------------------------------ */

static void
frame_free (gpointer data)
{
  LsVMFrameNote *self = data;

  g_array_unref (self->effects);
  g_array_unref (self->extents);
  g_free (self->slots);
  g_free (self);
}

static LsVMFrameNote *
top (Recorder *self)
{
  return ls_debug_vm_frame (self->self, g_array_index (self->stack, guint, self->stack->len - 1));
}

static void
put_effect (Recorder      *self,
            LsVMFrameNote *frame,
            gint64         reg,
            int            thing)
{
  LsVMEffect effect = { position_of (self->self), (guint) reg, thing };

  if (reg >= 0)
    g_array_append_val (frame->effects, effect);
}

/* What a register holds now. */
static int
held_in (LsVMFrameNote *frame,
         gint64         reg)
{
  for (guint i = frame->effects->len; i-- > 0;)
    {
      const LsVMEffect *effect = &g_array_index (frame->effects, LsVMEffect, i);

      if (effect->reg == (guint) reg)
        return effect->thing;
    }
  return -1;
}

static int
by_address (Recorder  *self,
            LsVMValue *value)
{
  for (guint i = 0; i < self->operands->len; i++)
    {
      int thing = g_array_index (self->operands, int, i);
      LsVMThing *one = thing >= 0 ? ls_debug_vm_thing (self->self, (guint) thing) : NULL;

      if (one != NULL && self->pointers->pdata[i] == value)
        return thing;
      for (guint k = 0; one != NULL && k < one->fields->len; k++)
        if (ls_debug_vm_thing (self->self, g_array_index (one->fields, guint, k))->value == value)
          return (int) g_array_index (one->fields, guint, k);
    }
  return -1;
}

/* A function begins: its parameters are the operands of the call, or what the run was given. */
static void
push_frame (Recorder         *self,
            const LsVMMoment *moment)
{
  LsVMFunction *function = self->self->executable->functions->pdata[moment->function];
  LsVMFrameNote *frame = g_new0 (LsVMFrameNote, 1);
  guint number = self->self->frames->len;

  frame->function = moment->function;
  frame->caller = self->stack->len > 0 ? (int) g_array_index (self->stack, guint, self->stack->len - 1) : -1;
  frame->begin = position_of (self->self);
  frame->end = G_MAXUINT;
  frame->effects = g_array_new (FALSE, FALSE, sizeof (LsVMEffect));
  frame->extents = g_array_new (FALSE, FALSE, sizeof (LsVMExtent));
  frame->slots = g_new0 (gint64, function->n_slots + 1);
  g_ptr_array_add (self->self->frames, frame);
  for (guint i = 0; i < function->n_params; i++)
    {
      LsVMValue *value = moment->registers[i];
      int thing = value != NULL && frame->caller >= 0 ? by_address (self, value) : -1;

      if (value == NULL)
        continue;
      if (thing < 0)
        {
          g_auto (GStrv) parts = g_strsplit (function->params != NULL && function->params[i] != NULL ? function->params[i] : "", ":", 2);

          thing = new_tree (self, value, parts[0] != NULL && *parts[0] != '\0' ? g_strdup (parts[0]) : g_strdup_printf (ls_translate ("argument %u"), i));
          give (self, thing, value);
        }
      put_effect (self, frame, i, thing);
    }
  g_array_append_val (self->stack, number);
}

static void
note_slots (Recorder         *self,
            const LsVMMoment *moment)
{
  LsVMFrameNote *frame = top (self);
  LsVMFunction *function = self->self->executable->functions->pdata[moment->function];

  for (guint i = 0; i < function->n_slots; i++)
    if (frame->slots[i] != moment->slots[i])
      {
        LsVMExtent extent = { position_of (self->self), i, moment->slots[i] };

        frame->slots[i] = extent.value;
        g_array_append_val (frame->extents, extent);
      }
}

/* ---- before an instruction ------------------------------------------------------------------------------ */

static int
constant_of (Recorder *self,
             gint64    number)
{
  int known = GPOINTER_TO_INT (g_hash_table_lookup (self->constants, GINT_TO_POINTER ((int) number + 1)));

  if (known == 0)
    {
      LsVMValue *value = self->self->executable->constants->pdata[number];

      known = new_tree (self, value, g_strdup_printf ("c%" G_GINT64_FORMAT, number)) + 1;
      g_hash_table_insert (self->constants, GINT_TO_POINTER ((int) number + 1), GINT_TO_POINTER (known));
      give (self, known - 1, value);
    }
  return known - 1;
}

static gboolean
calls_code (const gint64 *code)
{
  return code[0] == LS_VM_OP_KERNEL || code[0] == LS_VM_OP_PACKED;
}

static void
note_operands (Recorder         *self,
               const LsVMMoment *moment)
{
  const gint64 *code = moment->code;

  g_array_set_size (self->operands, 0);
  g_ptr_array_set_size (self->pointers, 0);
  for (gint64 i = 0; i < code[3]; i++)
    {
      const gint64 *pair = code + 4 + 2 * i;
      gboolean in_register = pair[0] == LS_VM_REG || pair[0] == LS_VM_LAST;
      LsVMValue *value = in_register ? moment->registers[pair[1]] : pair[0] == LS_VM_CONST ? self->self->executable->constants->pdata[pair[1]] : NULL;
      int thing = in_register ? held_in (top (self), pair[1]) : pair[0] == LS_VM_CONST ? constant_of (self, pair[1]) : -1;

      g_array_append_val (self->operands, thing);
      g_ptr_array_add (self->pointers, value);
      if (thing >= 0 && value != NULL)
        ls_debug_vm_thing (self->self, (guint) thing)->value = value;
      if (calls_code (code) && value != NULL)
        g_ptr_array_add (self->held, ls_vm_value_ref (value));
    }
}

static void
empty_registers (Recorder     *self,
                 const gint64 *code)
{
  for (gint64 i = 0; i < code[3]; i++)
    if (code[4 + 2 * i] == LS_VM_LAST)
      put_effect (self, top (self), code[5 + 2 * i], -1);
}

static gboolean
before (Recorder         *self,
        const LsVMMoment *moment)
{
  LsVMStep step = { 0, moment->number, moment->code, -1, 0, FALSE };

  if (self->self->steps->len >= LS_DEBUG_VM_STEPS)
    {
      self->self->problem = g_strdup_printf (ls_translate ("The run was ended after %u instructions; the debugger keeps no more."), LS_DEBUG_VM_STEPS);
      return FALSE;
    }
  while (self->stack->len > moment->depth)      /* a call that failed and was caught by the host */
    g_array_set_size (self->stack, moment->depth);
  if (self->stack->len < moment->depth)
    push_frame (self, moment);
  note_operands (self, moment);
  step.frame = g_array_index (self->stack, guint, self->stack->len - 1);
  g_array_append_val (self->self->steps, step);
  if (moment->code[0] == LS_VM_OP_FUNCTION || moment->code[0] == LS_VM_OP_VALUE)
    empty_registers (self, moment->code);       /* they go to the callee */
  self->started = ls_clock_ns ();
  return TRUE;
}

/* ---- after it ----------------------------------------------------------------------------------------------- */

/* What code may have changed, or made. */
static void
look_at_all (Recorder  *self,
             int        number,
             LsVMValue *value)
{
  LsVMThing *thing = ls_debug_vm_thing (self->self, (guint) number);

  if (value->kind == LS_VM_TENSOR)
    {
      look_at (self, thing, value->tensor, FALSE);
      if (thing->touched == G_MAXUINT)
        thing->touched = position_of (self->self);
    }
  for (guint i = 0; value->kind == LS_VM_TUPLE && i < thing->fields->len && i < value->n; i++)
    look_at_all (self, (int) g_array_index (thing->fields, guint, i), value->items[i]);
}

static gboolean
is_allocation (Recorder     *self,
               const gint64 *code)
{
  return code[0] == LS_VM_OP_ALLOC || (code[0] == LS_VM_OP_PACKED && (g_str_has_suffix (ls_debug_vm_callee (self->self, code), "alloc_storage")
                                                                      || g_str_has_suffix (ls_debug_vm_callee (self->self, code), "alloc_tensor")));
}

static char *
given_name (Recorder     *self,
            const gint64 *code,
            guint         step)
{
  g_autofree char *number = g_strdup_printf ("r%" G_GINT64_FORMAT, code[1]);

  return code[1] >= 0 ? g_strdup_printf (ls_translate ("%s of %u"), number, step) : g_strdup_printf (ls_translate ("result of %u"), step);
}

/* The thing that the instruction gave, -1: None. */
static int
given_thing (Recorder         *self,
             const LsVMMoment *moment)
{
  const gint64 *code = moment->code;
  LsVMValue *value = moment->value;
  int first = self->operands->len > 0 ? g_array_index (self->operands, int, 0) : -1, known = -1;
  guint step = position_of (self->self) - 1;

  if (value == NULL || value->kind == LS_VM_NONE)
    return -1;
  if (code[0] == LS_VM_OP_FUNCTION || code[0] == LS_VM_OP_VALUE)
    return self->returned >= 0 ? self->returned : new_tree (self, value, given_name (self, code, step));
  if ((code[0] == LS_VM_OP_MOVE || code[0] == LS_VM_OP_MATCH || code[0] == LS_VM_OP_RETURN) && first >= 0)
    return first;
  if (code[0] == LS_VM_OP_ITEM && first >= 0)
    {
      GArray *fields = ls_debug_vm_thing (self->self, (guint) first)->fields;

      if (code[7] >= 0 && code[7] < (gint64) fields->len)
        return (int) g_array_index (fields, guint, code[7]);
    }
  if (code[0] == LS_VM_OP_TUPLE || code[0] == LS_VM_OP_CLOSURE || code[0] == LS_VM_OP_CLOSURE_LAST)
    {
      int made = new_thing (self, value, given_name (self, code, step));

      for (guint i = 0; i < self->operands->len && i < value->n; i++)
        {
          int thing = g_array_index (self->operands, int, i);
          guint field = thing >= 0 ? (guint) thing : (guint) new_tree (self, value->items[i], g_strdup_printf ("%s[%u]", ls_debug_vm_thing (self->self, (guint) made)->name, i));

          g_array_append_val (ls_debug_vm_thing (self->self, (guint) made)->fields, field);
        }
      return made;
    }
  known = calls_code (code) ? by_address (self, value) : -1;
  return known >= 0 ? known : new_tree (self, value, given_name (self, code, step));
}

static void
look_after_call (Recorder         *self,
                 const LsVMMoment *moment,
                 int               gave)
{
  for (guint i = 0; i < self->operands->len; i++)
    if (g_array_index (self->operands, int, i) >= 0 && !is_allocation (self, moment->code))
      look_at_all (self, g_array_index (self->operands, int, i), self->pointers->pdata[i]);
  if (gave >= 0 && !is_allocation (self, moment->code))
    look_at_all (self, gave, moment->value);
  if (gave >= 0 && moment->code[0] == LS_VM_OP_PACKED && g_str_has_suffix (ls_debug_vm_callee (self->self, moment->code), "alloc_storage"))
    ls_debug_vm_thing (self->self, (guint) gave)->is_storage = TRUE;
  g_ptr_array_set_size (self->held, 0);
}

static void
pop_frame (Recorder *self,
           int       gave)
{
  top (self)->end = position_of (self->self);
  self->returned = gave;
  g_array_set_size (self->stack, self->stack->len - 1);
}

static void
after (Recorder         *self,
       const LsVMMoment *moment)
{
  gboolean calls_function = moment->code[0] == LS_VM_OP_FUNCTION || moment->code[0] == LS_VM_OP_VALUE;
  guint number = self->self->steps->len - 1;
  int gave;

  if (calls_function)           /* its step is before those of what it called */
    while (number > 0 && (ls_debug_vm_step (self->self, number)->code != moment->code
                          || ls_debug_vm_step (self->self, number)->frame != g_array_index (self->stack, guint, self->stack->len - 1)))
      number--;
  gave = given_thing (self, moment);
  if (calls_code (moment->code))
    {
      ls_debug_vm_step (self->self, number)->ns = ls_clock_ns () - self->started;
      look_after_call (self, moment, gave);
    }
  if (!calls_function)
    empty_registers (self, moment->code);
  if (moment->code[0] != LS_VM_OP_RETURN)
    put_effect (self, top (self), moment->code[1], gave);
  note_slots (self, moment);
  ls_debug_vm_step (self->self, number)->gave = gave;
  ls_debug_vm_step (self->self, number)->is_done = TRUE;
  if (moment->code[0] == LS_VM_OP_RETURN)
    pop_frame (self, gave);
  else if (calls_function)
    self->returned = -1;
}

static gboolean
watch (const LsVMMoment *moment,
       gpointer          user_data)
{
  Recorder *self = user_data;

  if (!moment->done)
    return before (self, moment);
  after (self, moment);
  return TRUE;
}

/* ---- the run -------------------------------------------------------------------------------------------------- */

void
ls_debug_vm_free (LsDebugVM *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->steps);
  g_ptr_array_unref (self->frames);
  g_ptr_array_unref (self->things);
  g_ptr_array_unref (self->blocks);
  g_ptr_array_unref (self->stops);
  if (self->result != NULL)
    ls_vm_value_unref (self->result);
  ls_vm_executable_unref (self->executable);
  g_free (self->problem);
  g_free (self);
}

static LsDebugVM *
debug_vm_new (LsVMExecutable *executable)
{
  LsDebugVM *self = g_new0 (LsDebugVM, 1);

  self->executable = ls_vm_executable_ref (executable);
  self->steps = g_array_new (FALSE, FALSE, sizeof (LsVMStep));
  self->frames = g_ptr_array_new_with_free_func (frame_free);
  self->things = g_ptr_array_new_with_free_func (thing_free);
  self->blocks = g_ptr_array_new_with_free_func (block_free);
  self->stops = g_ptr_array_new_with_free_func (g_free);
  self->lost = G_MAXUINT;
  return self;
}

LsDebugVM *
ls_debug_vm_new (LsVM            *vm,
                 LsVMExecutable  *executable,
                 const char      *function,
                 LsVMValue      **args,
                 guint            n_args,
                 GError         **error)
{
  g_autoptr (LsDebugVM) self = debug_vm_new (executable);
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) operands = g_array_new (FALSE, FALSE, sizeof (int));
  g_autoptr (GPtrArray) held = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_vm_value_unref);
  g_autoptr (GPtrArray) pointers = g_ptr_array_new ();
  g_autoptr (GHashTable) constants = g_hash_table_new (NULL, NULL);
  g_autoptr (GError) trouble = NULL;
  Recorder recorder = { self, stack, held, operands, pointers, constants, 0, -1, 0 };

  ls_vm_set_watch (vm, watch, &recorder);
  self->result = ls_vm_call (vm, function, args, n_args, &trouble);
  ls_vm_set_watch (vm, NULL, NULL);
  if (self->steps->len == 0)
    {
      g_propagate_error (error, trouble != NULL ? g_steal_pointer (&trouble) : g_error_new (LS_DEBUG_ERROR, LS_DEBUG_ERROR_INPUT, ls_translate ("%s has no instruction."), function));
      return NULL;
    }
  if (trouble != NULL && self->problem == NULL)
    self->problem = g_strdup (trouble->message);
  return g_steal_pointer (&self);
}

guint
ls_debug_vm_get_n_steps (LsDebugVM *self)
{
  return self->steps->len;
}

const char *
ls_debug_vm_get_problem (LsDebugVM *self)
{
  return self->problem;
}

LsVMValue *
ls_debug_vm_get_result (LsDebugVM *self)
{
  return self->result;
}
