/* vm-look: what is seen of a run of the virtual machine at a position, as data: see vm.h. */
#include "engine/debug/vm-private.h"

#include <string.h>

#define MOST_NAMES 6            /* of tensors in a sentence */

/* Without words: in the worker GLib knows no other language. */
static char *
bytes_words (gsize bytes)
{
  static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
  double size = (double) bytes;
  guint i = 0;

  for (; size >= 1024 && i + 1 < G_N_ELEMENTS (units); i++)
    size /= 1024;
  return i == 0 ? g_strdup_printf ("%" G_GSIZE_FORMAT " B", bytes) : g_strdup_printf ("%.1f %s", size, units[i]);
}

/* ---- what an instruction did ------------------------------------------------------------------- */

/* "block 3, from byte 0; r1 of 2 held that memory before" */
static void
add_place (LsDebugVM *self,
           GString   *words,
           guint      number)
{
  const LsVMThing *thing = ls_debug_vm_thing (self, number);
  int before = ls_debug_vm_before (self, number);
  g_autofree char *offset = g_strdup_printf ("%" G_GSIZE_FORMAT, thing->offset);

  g_string_append_c (words, ' ');
  g_string_append_printf (words, ls_translate ("It lies in memory block %d from byte %s on."), thing->block, offset);
  g_string_append_c (words, ' ');
  if (before >= 0)
    g_string_append_printf (words, ls_translate ("Before, %s held that memory."), ls_debug_vm_thing (self, (guint) before)->name);
  else
    g_string_append (words, ls_translate ("Nobody held that memory before."));
}

static void
add_given (LsDebugVM      *self,
           GString        *words,
           const LsVMStep *step)
{
  const LsVMThing *thing = step->gave >= 0 ? ls_debug_vm_thing (self, (guint) step->gave) : NULL;

  if (thing == NULL || step->code[1] < 0)
    return;
  g_string_append_printf (words, ls_translate ("r%d is %s."), (int) step->code[1], thing->words);
  if (thing->kind == LS_VM_TENSOR && !thing->is_given && thing->born == (guint) (step - (LsVMStep *) (gpointer) self->steps->data) + 1)
    add_place (self, words, thing->number);
}

/* The tensors of which it changed elements, with how many. */
static void
add_changes (LsDebugVM *self,
             GString   *words,
             guint      position)
{
  guint n = 0;

  for (guint b = 0; b < self->blocks->len; b++)
    {
      LsVMBlock *block = self->blocks->pdata[b];

      for (guint i = 0; i < block->changes->len; i++)
        {
          const LsVMChange *change = &g_array_index (block->changes, LsVMChange, i);
          const LsVMThing *thing = ls_debug_vm_thing (self, change->thing);
          gint64 all = 1;
          g_autofree char *changed = NULL;
          g_autofree char *of = NULL;

          if (change->position != position || (thing->is_given && thing->born == position) || n++ >= MOST_NAMES)
            continue;
          for (guint d = 0; d < thing->ndim; d++)
            all *= thing->shape[d];
          changed = g_strdup_printf ("%" G_GINT64_FORMAT, change->elements);
          of = g_strdup_printf ("%" G_GINT64_FORMAT, all);
          g_string_append (words, words->len > 0 ? " " : "");
          g_string_append_printf (words, ls_translate ("It changed %s of %s elements of %s."), changed, of, thing->name);
        }
    }
}

/* Blocks in which nothing lives any more. */
static void
add_freed (LsDebugVM *self,
           GString   *words,
           guint      step)
{
  g_autoptr (GArray) before = ls_debug_vm_living (self, step), after = ls_debug_vm_living (self, step + 1);

  for (guint b = 0; b < self->blocks->len; b++)
    {
      LsVMBlock *block = self->blocks->pdata[b];
      gboolean was = FALSE, is = FALSE;

      for (guint i = 0; i < block->tenants->len; i++)
        {
          was |= g_array_index (before, gboolean, g_array_index (block->tenants, guint, i));
          is |= g_array_index (after, gboolean, g_array_index (block->tenants, guint, i));
        }
      if (was && !is)
        {
          g_string_append (words, words->len > 0 ? " " : "");
          g_string_append_printf (words, ls_translate ("Memory block %u is free."), b);
        }
    }
}

static void
add_kind (LsDebugVM      *self,
          GString        *words,
          const LsVMStep *step,
          guint           number)
{
  switch ((LsVMOp) step->code[0])
    {
    case LS_VM_OP_KERNEL: g_string_append_printf (words, ls_translate ("The compiled function %s ran."), ls_debug_vm_callee (self, step->code)); break;
    case LS_VM_OP_PACKED: g_string_append_printf (words, ls_translate ("The function %s ran."), ls_debug_vm_callee (self, step->code)); break;
    case LS_VM_OP_FUNCTION:
      g_string_append_printf (words, ls_translate ("%s was called."), ((LsVMFunction *) self->executable->functions->pdata[step->code[2]])->name);
      break;
    case LS_VM_OP_VALUE: g_string_append (words, ls_translate ("A closure was called.")); break;
    case LS_VM_OP_JUMP:
    case LS_VM_OP_JUMP_UNLESS:
      if (number + 1 < self->steps->len)
        g_string_append_printf (words, ls_translate ("It goes on at instruction %u."), ls_debug_vm_step (self, number + 1)->number);
      break;
    case LS_VM_OP_RETURN:
      if (step->gave >= 0)
        g_string_append_printf (words, ls_translate ("%s returned %s."), ls_debug_vm_function (self, step->frame)->name, ls_debug_vm_thing (self, (guint) step->gave)->words);
      break;
    case LS_VM_OP_MATCH: g_string_append (words, ls_translate ("The value is what is expected.")); break;
    case LS_VM_OP_MOVE:
    case LS_VM_OP_ALLOC:
    case LS_VM_OP_SHAPE:
    case LS_VM_OP_TUPLE:
    case LS_VM_OP_ITEM:
    case LS_VM_OP_CLOSURE:
    case LS_VM_OP_CLOSURE_LAST:
    case LS_VM_OP_CODE:
    case LS_VM_N_OPS: break;
    }
}

char *
ls_debug_vm_did (LsDebugVM *self,
                 guint      number)
{
  const LsVMStep *step = ls_debug_vm_step (self, number);
  g_autoptr (GString) words = g_string_new (NULL);
  gboolean calls = step->code[0] == LS_VM_OP_FUNCTION || step->code[0] == LS_VM_OP_VALUE;

  if (!step->is_done && !calls)
    return g_strdup (self->problem != NULL ? self->problem : ls_translate ("It failed."));
  add_kind (self, words, step, number);
  if (!calls)
    {
      g_autoptr (GString) given = g_string_new (NULL);

      add_given (self, given, step);
      if (given->len > 0)
        g_string_append_printf (words, "%s%s", words->len > 0 ? " " : "", given->str);
      add_changes (self, words, number + 1);
      add_freed (self, words, number);
    }
  return g_strdup (words->str);
}

/* ---- registers ------------------------------------------------------------------------------------ */

/* Did the instruction before the position change what lies in the tensor's memory? */
static gboolean
was_written (LsDebugVM       *self,
             const LsVMThing *thing,
             guint            position)
{
  LsVMBlock *block = self->blocks->pdata[thing->block];

  for (guint i = 0; i < block->changes->len; i++)
    {
      const LsVMChange *change = &g_array_index (block->changes, LsVMChange, i);

      if (change->position == position && change->offset < thing->offset + thing->bytes && thing->offset < change->offset + change->bytes)
        return !thing->is_given || thing->born < position;
    }
  return FALSE;
}

static void
add_tensor (LsDebugVM    *self,
            GVariantDict *dict,
            guint         number,
            guint         position)
{
  const LsVMThing *thing = ls_debug_vm_thing (self, number);
  int before = ls_debug_vm_before (self, number);

  g_variant_dict_insert (dict, "block", "i", thing->block);
  g_variant_dict_insert (dict, "offset", "t", (guint64) thing->offset);
  g_variant_dict_insert (dict, "bytes", "t", (guint64) thing->bytes);
  if (before >= 0)
    g_variant_dict_insert (dict, "before", "s", ls_debug_vm_thing (self, (guint) before)->name);
  g_variant_dict_insert (dict, "wrote", "b", was_written (self, thing, position));
  g_variant_dict_insert (dict, "written", "b", thing->is_given || thing->touched <= position);
}

static GVariant *
registers (LsDebugVM *self,
           guint      frame,
           guint      position)
{
  g_autoptr (GArray) held = ls_debug_vm_registers (self, frame, position);
  g_autoptr (GArray) was = position > 0 ? ls_debug_vm_registers (self, frame, position - 1) : NULL;
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < held->len; i++)
    {
      int number = g_array_index (held, int, i);
      const LsVMThing *thing = number >= 0 ? ls_debug_vm_thing (self, (guint) number) : NULL;
      GVariantDict dict;

      if (thing == NULL)
        continue;
      g_variant_dict_init (&dict, NULL);
      g_variant_dict_insert (&dict, "register", "u", i);
      g_variant_dict_insert (&dict, "name", "s", thing->name);
      g_variant_dict_insert (&dict, "words", "s", thing->words);
      g_variant_dict_insert (&dict, "changed", "b", was != NULL && g_array_index (was, int, i) != number);
      if (thing->kind == LS_VM_TENSOR)
        add_tensor (self, &dict, (guint) number, position);
      g_variant_builder_add_value (&list, g_variant_dict_end (&dict));
    }
  return g_variant_builder_end (&list);
}

static GVariant *
extents (LsDebugVM *self,
         guint      frame,
         guint      position)
{
  LsVMFrameNote *note = ls_debug_vm_frame (self, frame);
  guint n = ls_debug_vm_function (self, frame)->n_slots;
  g_autofree gint64 *values = g_new0 (gint64, n + 1);

  for (guint i = 0; i < note->extents->len; i++)
    {
      const LsVMExtent *extent = &g_array_index (note->extents, LsVMExtent, i);

      if (extent->position <= position)
        values[extent->slot] = extent->value;
    }
  return g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, values, n, sizeof (gint64));
}

/* "main, instruction 4" of each call under way, the innermost first. */
static GVariant *
calls (LsDebugVM *self,
       guint      frame,
       guint      position)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("as"));
  for (int f = (int) frame; f >= 0; f = ls_debug_vm_frame (self, (guint) f)->caller)
    {
      guint at = 0;

      for (guint i = 0; i < MIN (position + 1, self->steps->len); i++)
        if (ls_debug_vm_step (self, i)->frame == (guint) f)
          at = ls_debug_vm_step (self, i)->number;
      g_variant_builder_add_value (&list, g_variant_new_take_string (g_strdup_printf (ls_translate ("%s, instruction %u"), ls_debug_vm_function (self, (guint) f)->name, at)));
    }
  return g_variant_builder_end (&list);
}

GVariant *
ls_debug_vm_look (LsDebugVM *self,
                  guint      position)
{
  guint frame = ls_debug_vm_frame_at (self, position), n = self->steps->len;
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "position", "u", position);
  g_variant_dict_insert (&dict, "of", "u", n);
  g_variant_dict_insert (&dict, "function", "s", ls_debug_vm_function (self, frame)->name);
  if (position > 0)
    {
      const LsVMStep *last = ls_debug_vm_step (self, position - 1);
      g_autofree char *text = ls_vm_executable_print_one (self->executable, last->code);
      g_autofree char *did = ls_debug_vm_did (self, position - 1);

      g_variant_dict_insert (&dict, "last", "s", text);
      g_variant_dict_insert (&dict, "did", "s", did);
      if (last->ns > 0)
        g_variant_dict_insert (&dict, "ns", "x", last->ns);
    }
  if (position < n)
    {
      const LsVMStep *next = ls_debug_vm_step (self, position);
      g_autofree char *text = ls_vm_executable_print_one (self->executable, next->code);

      g_variant_dict_insert (&dict, "number", "u", next->number);
      g_variant_dict_insert (&dict, "next", "s", text);
    }
  else
    g_variant_dict_insert (&dict, "end", "s", self->problem != NULL ? self->problem : ls_translate ("The function returned."));
  g_variant_dict_insert (&dict, "limit", "t", (guint64) LS_DEBUG_MEMORY);
  if (position >= self->lost)
    g_variant_dict_insert (&dict, "lost", "b", TRUE);
  g_variant_dict_insert_value (&dict, "registers", registers (self, frame, position));
  g_variant_dict_insert_value (&dict, "extents", extents (self, frame, position));
  g_variant_dict_insert_value (&dict, "calls", calls (self, frame, position));
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

/* ---- memory ----------------------------------------------------------------------------------------- */

GVariant *
ls_debug_vm_storages (LsDebugVM *self,
                      guint      position)
{
  g_autoptr (GArray) living = ls_debug_vm_living (self, position);
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (guint b = 0; b < self->blocks->len; b++)
    {
      LsVMBlock *block = self->blocks->pdata[b];
      g_autofree char *size = bytes_words (block->bytes);
      GVariantBuilder now, past;
      gboolean any = FALSE;
      GVariantDict dict;

      g_variant_builder_init (&now, G_VARIANT_TYPE ("as"));
      g_variant_builder_init (&past, G_VARIANT_TYPE ("as"));
      for (guint i = 0; i < block->tenants->len; i++)
        {
          const LsVMThing *thing = ls_debug_vm_thing (self, g_array_index (block->tenants, guint, i));

          if (thing->born > position)
            continue;
          any = TRUE;
          g_variant_builder_add (g_array_index (living, gboolean, thing->number) ? &now : &past, "s", thing->name);
        }
      if (!any)
        {
          g_variant_builder_clear (&now);
          g_variant_builder_clear (&past);
          continue;
        }
      g_variant_dict_init (&dict, NULL);
      g_variant_dict_insert (&dict, "block", "u", b);
      g_variant_dict_insert (&dict, "bytes", "t", (guint64) block->bytes);
      g_variant_dict_insert (&dict, "size", "s", size);
      g_variant_dict_insert_value (&dict, "holds", g_variant_builder_end (&now));
      g_variant_dict_insert_value (&dict, "held", g_variant_builder_end (&past));
      g_variant_builder_add_value (&list, g_variant_dict_end (&dict));
    }
  return g_variant_ref_sink (g_variant_builder_end (&list));
}
