/* emit: instructions, numbers and places that access memory, for those who compile. */
#include "engine/simt/simt-private.h"
#include "engine/tir/pass/parts.h"

#include <string.h>

void
simt_refuse (Compiler   *self,
             int         code,
             const char *format,
             ...)
{
  va_list args;

  if (self->error != NULL)
    return;
  va_start (args, format);
  self->error = g_error_new_valist (LS_INTERP_ERROR, code, ls_translate (format), args);
  va_end (args);
}

guint
simt_line_of (gpointer node)
{
  LsSpan span = LS_NODE (node)->span;
  g_autoptr (LsSource) source = span.source != 0 ? ls_source_lookup (span.source) : NULL;

  return source != NULL ? ls_source_place (source, span.start).line : 0;
}

Operand *
simt_operands (Compiler *self,
               guint     n)
{
  Operand *operands = g_new0 (Operand, MAX (n, 1));

  g_ptr_array_add (self->code->owned, operands);
  return operands;
}

Instr *
simt_emit (Compiler *self,
           OpCode    op)
{
  Instr in = { .op = op, .lanes = 1, .dst = OPERAND_NONE, .a = OPERAND_NONE, .b = OPERAND_NONE, .c = OPERAND_NONE, .line = self->line };

  g_array_append_val (self->code->instrs, in);
  return &g_array_index (self->code->instrs, Instr, self->code->instrs->len - 1);
}

Operand
simt_scratch (Compiler *self,
              guint     lanes)
{
  guint at = self->scratch;

  self->scratch += MAX (lanes, 1);
  self->code->n_scratch = MAX (self->code->n_scratch, self->scratch);
  return at;
}

Operand
simt_const (Compiler *self,
            LsScalar  v)
{
  GArray *consts = self->code->consts;

  for (guint i = consts->len; i-- > 0 && consts->len - i < 32;)
    if (g_array_index (consts, LsScalar, i).i == v.i)
      return OPERAND_CONST | i;
  g_array_append_val (consts, v);
  return OPERAND_CONST | (consts->len - 1);
}

Operand
simt_var (Compiler *self,
          guint     slot)
{
  return OPERAND_VAR | self->code->slot_unit[slot];
}

void
simt_push (Compiler *self)
{
  if (++self->depth >= MOST_MASKS)
    simt_refuse (self, LS_INTERP_ERROR_UNSUPPORTED, "Conditions and loops are nested more than %d deep.", MOST_MASKS);
}

/* ---- places that access memory ------------------------------------------------------------------ */

LsSimtSpace
simt_space_of (Compiler *self,
          LsVar    *data)
{
  const char *scope = ls_pointer_scope (data);

  if (g_str_has_prefix (scope, "shared"))
    return LS_SIMT_SHARED;
  if (strcmp (scope, "warp") == 0)
    return LS_SIMT_WARP;
  if (g_str_has_prefix (scope, "wmma."))
    return LS_SIMT_FRAGMENT;
  if (strcmp (scope, "local") == 0)
    return LS_SIMT_LOCAL;
  for (guint k = 0; k < self->code->kernels->len; k++)
    {
      GArray *allocations = g_array_index (self->code->kernels, KernelPlan, k).allocations;

      for (guint i = 0; i < allocations->len; i++)
        if (g_array_index (allocations, Allocation, i).var == data)
          return LS_SIMT_LOCAL;
    }
  return LS_SIMT_GLOBAL;
}

static char *
loop_names (Compiler *self)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < self->loops->len; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", (const char *) self->loops->pdata[i]);
  return g_string_free (names, FALSE);
}

static guint
add_site (Compiler *self,
          LsNode   *node,
          LsBuffer *buffer,
          gboolean  is_store)
{
  guint line = simt_line_of (node);
  LsSimtSite site = { .node = node, .buffer = buffer, .space = simt_space_of (self, buffer->data), .is_store = is_store,
                      .line = line > 0 ? line : self->line, .loops = loop_names (self), .kernel = self->kernel - 1 };

  if (self->kernel == 0)
    simt_refuse (self, LS_INTERP_ERROR_PROGRAM, is_store ? "%s is written outside of any thread: bind a loop around it to blockIdx or threadIdx."
                                                          : LS_TEXT ("%s is read outside of any thread: bind a loop around it to blockIdx or threadIdx."), buffer->name);
  if (self->code->sites->len >= G_MAXUINT16 - 1)
    simt_refuse (self, LS_INTERP_ERROR_UNSUPPORTED, "The kernel has more than %d places that access memory.", G_MAXUINT16 - 1);
  g_array_append_val (self->code->sites, site);
  return self->code->sites->len - 1;
}

guint
simt_site (Compiler     *self,
           LsNode       *node,
           LsBufferPlan *plan,
           gboolean      is_store)
{
  return add_site (self, node, plan->buffer, is_store);
}

/* A buffer of the program in this memory; one is made where there is none. Borrowed. */
static LsBuffer *
buffer_in (Compiler *self,
           LsVar    *data,
           LsDType   dtype)
{
  LsPrimFunc *func = self->program->func;
  LsBuffer *made;

  for (guint i = 0; i < self->program->plan_list->len; i++)
    {
      LsBufferPlan *plan = self->program->plan_list->pdata[i];

      if (plan->buffer->data == data && ls_dtype_equal (plan->buffer->dtype, dtype))
        return plan->buffer;
    }
  for (guint i = 0; i < func->params->n; i++)
    if (ls_prim_func_get_buffer (func, i) != NULL && ls_prim_func_get_buffer (func, i)->data == data)
      return ls_prim_func_get_buffer (func, i);
  for (guint i = 0; i < self->code->buffers->len; i++)
    if (((LsBuffer *) self->code->buffers->pdata[i])->data == data)
      return self->code->buffers->pdata[i];
  made = ls_buffer_new_full (ls_ref (data), dtype, ls_array_of (ls_int (1), NULL), NULL, NULL, data->name, 0, 0, LS_BUFFER_DEFAULT, NULL);
  g_ptr_array_add (self->code->buffers, made);
  return made;
}

guint
simt_site_of (Compiler *self,
              LsNode   *node,
              LsVar    *data,
              LsDType   dtype,
              gboolean  is_store)
{
  return add_site (self, node, buffer_in (self, data, dtype), is_store);
}
