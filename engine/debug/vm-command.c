/* vm-command: the words that a person says to a run of the virtual machine: see vm.h. */
#include "engine/debug/debug-private.h"
#include "engine/debug/vm-private.h"

#include <string.h>

static guint
depth_of (LsDebugVM *self,
          guint      step)
{
  guint depth = 0;

  for (int f = (int) ls_debug_vm_step (self, step)->frame; f >= 0; f = ls_debug_vm_frame (self, (guint) f)->caller)
    depth++;
  return depth;
}

static GVariant *
where (LsDebugVM  *self,
       const char *stopped_for)
{
  g_autoptr (GVariant) look = ls_debug_vm_look (self, self->at);
  GVariantDict dict;

  if (stopped_for == NULL)
    return g_steal_pointer (&look);
  g_variant_dict_init (&dict, look);
  g_variant_dict_insert (&dict, "stopped-for", "s", stopped_for);
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

/* ---- moving --------------------------------------------------------------------------------- */

/* The next position in whose instruction the calls are no deeper than `most`. */
static void
go_on_to_depth (LsDebugVM *self,
                guint      most)
{
  guint n = self->steps->len;

  while (self->at < n && (++self->at == n || depth_of (self, self->at) > most))
    ;
}

static void
step_over (LsDebugVM *self)
{
  if (self->at < self->steps->len)
    go_on_to_depth (self, depth_of (self, self->at));
}

static void
step_out (LsDebugVM *self)
{
  if (self->at < self->steps->len)
    go_on_to_depth (self, depth_of (self, self->at) - 1);
}

/* ---- breakpoints ------------------------------------------------------------------------------- */

static const char *
op_name (const gint64 *code)
{
  static const char *const NAMES[] = { "move", "kernel", "packed", "call", "call-value", "jump", "jump-unless", "return", "alloc", "shape", "match",
                                       "tuple", "item", "closure", "closure-last", "code" };

  G_STATIC_ASSERT (G_N_ELEMENTS (NAMES) == LS_VM_N_OPS);
  return NAMES[code[0]];
}

/* Did the instruction change memory of this block, or make a tensor there? */
static gboolean
concerns_block (LsDebugVM *self,
                guint      step,
                guint      number)
{
  LsVMBlock *block = number < self->blocks->len ? self->blocks->pdata[number] : NULL;

  for (guint i = 0; block != NULL && i < block->changes->len; i++)
    if (g_array_index (block->changes, LsVMChange, i).position == step + 1)
      return TRUE;
  for (guint i = 0; block != NULL && i < block->tenants->len; i++)
    {
      const LsVMThing *thing = ls_debug_vm_thing (self, g_array_index (block->tenants, guint, i));

      if (!thing->is_given && thing->born == step + 1)
        return TRUE;
    }
  return FALSE;
}

/* "matmul", "alloc", "main", "vm.builtin.*", "block 3" */
static gboolean
matches (LsDebugVM  *self,
         guint       step,
         const char *pattern)
{
  const gint64 *code = ls_debug_vm_step (self, step)->code;
  gboolean has_name = code[0] == LS_VM_OP_KERNEL || code[0] == LS_VM_OP_PACKED || code[0] == LS_VM_OP_CODE;
  const char *name = has_name ? ls_debug_vm_callee (self, code) : NULL;

  if (g_str_has_prefix (pattern, "block "))
    return concerns_block (self, step, (guint) g_ascii_strtoull (pattern + strlen ("block "), NULL, 10));
  if (code[0] == LS_VM_OP_FUNCTION)
    name = ((LsVMFunction *) self->executable->functions->pdata[code[2]])->name;
  return g_pattern_match_simple (pattern, op_name (code)) || (name != NULL && g_pattern_match_simple (pattern, name));
}

/* On: behind the next instruction that is meant; back: behind the last one before. */
static GVariant *
seek (LsDebugVM *self,
      int        way)
{
  for (gint64 i = (gint64) self->at + (way > 0 ? 0 : -2); i >= 0 && i < self->steps->len; i += way)
    for (guint s = 0; s < self->stops->len; s++)
      if (matches (self, (guint) i, self->stops->pdata[s]))
        {
          self->at = (guint) i + 1;
          return where (self, self->stops->pdata[s]);
        }
  self->at = way > 0 ? self->steps->len : 0;
  return where (self, NULL);
}

static GVariant *
add_stop (LsDebugVM   *self,
          const char  *pattern,
          GError     **error)
{
  gboolean any = FALSE;

  for (guint i = 0; !any && i < self->steps->len; i++)
    any = matches (self, i, pattern);
  if (*pattern == '\0' || !any)
    return ls_debug_refuse (error, ls_translate ("No instruction of the run is or calls %s; * and ? stand for any letters, \"block N\" for what changes that memory."), pattern);
  g_ptr_array_add (self->stops, g_strdup (pattern));
  return ls_debug_stops_tell (self->stops);
}

static GVariant *
go_to (LsDebugVM   *self,
       const char  *rest,
       GError     **error)
{
  char *end = NULL;
  guint64 n = g_ascii_strtoull (rest, &end, 10);

  if (end == rest || *end != '\0' || n > self->steps->len)
    return ls_debug_refuse (error, ls_translate ("A position from 0 to %u is expected, not \"%s\"."), self->steps->len, rest);
  self->at = (guint) n;
  return where (self, NULL);
}

/* ---- values --------------------------------------------------------------------------------------- */

/* "r5 ...": the thing that register of the top frame holds, -1 with an error; *rest gets what follows. */
static int
held_by (LsDebugVM   *self,
         const char **rest,
         GError     **error)
{
  g_autoptr (GArray) held = ls_debug_vm_registers (self, ls_debug_vm_frame_at (self, self->at), self->at);
  char *end = NULL;
  guint64 reg = **rest == 'r' ? g_ascii_strtoull (*rest + 1, &end, 10) : 0;

  if (g_str_has_prefix (*rest, "result") && self->at == self->steps->len && self->result != NULL)
    {
      *rest += strlen ("result");
      *rest += strspn (*rest, " \t");
      return ls_debug_vm_step (self, self->steps->len - 1)->gave;
    }
  if (**rest != 'r' || end == *rest + 1)
    ls_debug_refuse (error, ls_translate ("A register such as r5 is expected, not \"%s\"."), *rest);
  else if (reg >= held->len || g_array_index (held, int, reg) < 0)
    ls_debug_refuse (error, ls_translate ("r%u holds nothing here."), (guint) reg);
  else
    {
      *rest = end + strspn (end, " \t");
      return g_array_index (held, int, reg);
    }
  return -1;
}

static LsDType
dtype_of (LsDLDataType t)
{
  LsDType dtype = LS_BOOL;

  if (t.code == LS_DL_BOOL)
    return dtype;
  dtype.code = t.code == LS_DL_BFLOAT ? LS_TYPE_BFLOAT : t.code;
  dtype.bits = t.bits;
  dtype.lanes = t.lanes;
  return dtype;
}

static GVariant *
tell_grid (LsDebugVM   *self,
           const char  *rest,
           GError     **error)
{
  int number = held_by (self, &rest, error);
  const LsVMThing *thing = number >= 0 ? ls_debug_vm_thing (self, (guint) number) : NULL;
  gint64 at[16] = { 0 }, from[2] = { 0, 0 };
  g_autofree guint8 *bytes = NULL;
  g_autoptr (GVariant) grid = NULL;
  LsGraphValue value = { 0 };
  GVariantDict dict;

  if (thing == NULL || !ls_debug_grid_place (rest, at, from, error))
    return NULL;
  if (thing->ndim > G_N_ELEMENTS (value.shape))
    return ls_debug_refuse (error, ls_translate ("%s has too many dimensions."), thing->name);
  bytes = ls_debug_vm_bytes (self, (guint) number, self->at, error);
  if (bytes == NULL)
    return NULL;
  value.name = thing->name;
  value.dtype = dtype_of (thing->dtype);
  value.ndim = thing->ndim;
  value.data = bytes;
  value.n = 1;
  for (guint d = 0; d < thing->ndim; d++)
    value.n *= value.shape[d] = thing->shape[d];
  ls_debug_value_summarise (&value);
  grid = ls_debug_value_grid (&value, at, from[0], from[1]);
  g_variant_dict_init (&dict, grid);
  g_variant_dict_insert (&dict, "mean", "d", value.mean);
  if (!thing->is_given && thing->touched > self->at)
    {
      g_autoptr (GVariant) all = g_variant_lookup_value (grid, "written", G_VARIANT_TYPE ("ab"));
      GVariantBuilder written;

      g_variant_builder_init (&written, G_VARIANT_TYPE ("ab"));
      for (gsize i = 0; i < g_variant_n_children (all); i++)
        g_variant_builder_add (&written, "b", FALSE);
      g_variant_dict_insert_value (&dict, "written", g_variant_builder_end (&written));
      g_variant_dict_insert (&dict, "n-written", "x", (gint64) 0);
    }
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

/* All that lay in the memory of what a register holds. */
static GVariant *
tell_history (LsDebugVM   *self,
              const char  *rest,
              GError     **error)
{
  int number = held_by (self, &rest, error);
  const LsVMThing *thing = number >= 0 ? ls_debug_vm_thing (self, (guint) number) : NULL;
  LsVMBlock *block;
  GVariantBuilder list;
  GVariantDict dict;

  if (thing == NULL)
    return NULL;
  if (thing->block < 0)
    return ls_debug_refuse (error, ls_translate ("%s is no tensor."), thing->name);
  block = self->blocks->pdata[thing->block];
  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < block->tenants->len; i++)
    {
      const LsVMThing *one = ls_debug_vm_thing (self, g_array_index (block->tenants, guint, i));
      GVariantDict row;

      g_variant_dict_init (&row, NULL);
      g_variant_dict_insert (&row, "name", "s", one->name);
      g_variant_dict_insert (&row, "words", "s", one->words);
      g_variant_dict_insert (&row, "born", "u", one->born);
      g_variant_dict_insert (&row, "offset", "t", (guint64) one->offset);
      g_variant_dict_insert (&row, "storage", "b", one->is_storage);
      g_variant_builder_add_value (&list, g_variant_dict_end (&row));
    }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "block", "u", (guint) thing->block);
  g_variant_dict_insert_value (&dict, "history", g_variant_builder_end (&list));
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

static GVariant *
tell_storages (LsDebugVM *self)
{
  g_autoptr (GVariant) list = ls_debug_vm_storages (self, self->at);
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, "storages", list);
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

/* ---- the run as a list -------------------------------------------------------------------------------- */

#define MOST_LISTED 20000u

static GVariant *
tell_list (LsDebugVM *self)
{
  GVariantBuilder list;
  GVariantDict dict;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("a(uus)"));
  for (guint i = 0; i < MIN (self->steps->len, MOST_LISTED); i++)
    {
      const LsVMStep *step = ls_debug_vm_step (self, i);
      g_autofree char *text = ls_vm_executable_print_one (self->executable, step->code);

      g_variant_builder_add (&list, "(uus)", step->number, depth_of (self, i), text);
    }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, "list", g_variant_builder_end (&list));
  g_variant_dict_insert (&dict, "of", "u", self->steps->len);
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

static GVariant *
tell_code (LsDebugVM *self)
{
  g_autofree char *text = ls_vm_executable_print (self->executable);
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "listing", "s", text);
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

GVariant *
ls_debug_vm_command (LsDebugVM   *self,
                     const char  *line,
                     GError     **error)
{
  g_autofree char *copy = g_strstrip (g_strdup (line));
  gsize length = strcspn (copy, " \t");
  g_autofree char *name = g_strndup (copy, length);
  const char *rest = copy + length + strspn (copy + length, " \t");

  if (strcmp (name, "step") == 0)
    self->at = MIN (self->at + 1, self->steps->len);
  else if (strcmp (name, "back") == 0)
    self->at -= self->at > 0;
  else if (strcmp (name, "over") == 0)
    step_over (self);
  else if (strcmp (name, "out") == 0)
    step_out (self);
  else if (strcmp (name, "start") == 0)
    self->at = 0;
  else if (strcmp (name, "end") == 0)
    self->at = self->steps->len;
  else if (strcmp (name, "continue") == 0 || strcmp (name, "back-continue") == 0)
    return seek (self, *name == 'c' ? 1 : -1);
  else if (strcmp (name, "goto") == 0)
    return go_to (self, rest, error);
  else if (strcmp (name, "break") == 0)
    return add_stop (self, rest, error);
  else if (strcmp (name, "breaks") == 0)
    return ls_debug_stops_tell (self->stops);
  else if (strcmp (name, "delete") == 0)
    return ls_debug_stops_remove (self->stops, rest, error);
  else if (strcmp (name, "grid") == 0)
    return tell_grid (self, rest, error);
  else if (strcmp (name, "history") == 0)
    return tell_history (self, rest, error);
  else if (strcmp (name, "storages") == 0)
    return tell_storages (self);
  else if (strcmp (name, "list") == 0)
    return tell_list (self);
  else if (strcmp (name, "code") == 0)
    return tell_code (self);
  else if (strcmp (name, "where") != 0)
    return ls_debug_refuse (error, ls_translate ("step, over, out, back, start, end, goto N, continue, back-continue, break PATTERN, breaks, delete, grid rN, history rN, storages, "
                                        "list, code or where is expected, not \"%s\"."), name);
  return where (self, NULL);
}
