/* glossary: a table, looked up by the longest tail of a dotted word that is in it. */
#include "views/models/glossary.h"

#include <glib/gi18n.h>
#include <string.h>

static const struct {
  const char *word;
  const char *meaning;
} ENTRIES[] = {
  { "I.ir_module", N_("A module: functions that may call each other.") },
  { "R.function", N_("A graph-level function: calls of operators on whole tensors.") },
  { "R.dataflow", N_("A part without side effects: its calls may be moved, joined and left out.") },
  { "R.output", N_("What of the dataflow part is used after it.") },
  { "R.call_tir", N_("Calls a loop-level function that writes its result into a tensor made for it.") },
  { "R.Tensor", N_("The type of a tensor: shape and element type.") },
  { "T.prim_func", N_("A function on buffers, written as loops: what is scheduled and compiled.") },
  { "T.func_attr", N_("Notes on the function: its exported name, or that its buffers do not overlap.") },
  { "T.Buffer", N_("A buffer: shape and element type, in memory row by row.") },
  { "T.match_buffer", N_("Names a buffer behind a pointer argument and says its shape.") },
  { "T.alloc_buffer", N_("A buffer that the function makes for itself; its scope says in which memory.") },
  { "T.decl_buffer", N_("Another view of memory that exists already.") },
  { "T.grid", N_("Nested loops, one for each extent, the first outermost.") },
  { "T.serial", N_("A loop whose rounds run one after the other.") },
  { "T.parallel", N_("A loop whose rounds run on several cores at a time; they must not depend on each other.") },
  { "T.vectorized", N_("A loop whose rounds become the lanes of vector instructions.") },
  { "T.unroll", N_("A loop that is written out, round by round.") },
  { "T.thread_binding", N_("A loop whose rounds are threads of a GPU.") },
  { "range", N_("A loop whose rounds run one after the other.") },
  { "T.block", N_("The unit of computation: what is computed for one set of axis values. Primitives move blocks, never parts of one.") },
  { "T.block_name_suffix_", N_("The end of the block's name.") },
  { "T.axis.spatial", N_("An axis along which each value gives another element: its rounds are independent.") },
  { "T.axis.reduce", N_("An axis that is summed over: all its values go into the same element.") },
  { "T.axis.remap", N_("Several axes at once; S is spatial, R is reduce.") },
  { "T.axis.opaque", N_("An axis of which nothing is known.") },
  { "T.axis.scan", N_("An axis whose rounds have to come in order.") },
  { "T.reads", N_("The regions that one run of the block reads. Checks and moves go by this line.") },
  { "T.writes", N_("The regions that one run of the block writes. Checks and moves go by this line.") },
  { "T.init", N_("What the element is before the first round of the reduction.") },
  { "T.where", N_("The block runs only when this holds: a guard for sizes that do not divide.") },
  { "T.block_attr", N_("Notes on the block for later passes.") },
  { "T.max", N_("The larger of two values.") },
  { "T.min", N_("The smaller of two values.") },
  { "T.exp", N_("The exponential function.") },
  { "T.if_then_else", N_("One of two values; the other is not computed.") },
  { "T.Select", N_("One of two values; both are computed.") },
  { "T.float32", N_("A number of 32 bits with a fraction.") },
  { "T.float16", N_("A number of 16 bits with a fraction.") },
  { "T.int32", N_("A whole number of 32 bits.") },
  { "T.int64", N_("A whole number of 64 bits.") },
  { "T.bool", N_("True or false.") },
  { "T.cast", N_("The value as another type.") },
  { "T.Cast", N_("The value as another type.") },
  { "T.evaluate", N_("Runs an expression for its effect.") },
  { "T.handle", N_("A pointer.") },
  { "T.ptr", N_("A pointer to elements of one type.") },
  { "T.ramp", N_("A vector of indices: first, step, number of lanes.") },
  { "T.broadcast", N_("A vector with the same value in each lane.") },
};

const char *
ls_glossary_get (const char *word)
{
  for (guint i = 0; i < G_N_ELEMENTS (ENTRIES); i++)
    if (strcmp (ENTRIES[i].word, word) == 0)
      return _(ENTRIES[i].meaning);

  return NULL;
}

static gboolean
belongs (gunichar c)
{
  return g_unichar_isalnum (c) || c == '_' || c == '.';
}

char *
ls_glossary_word (const char *line,
                  guint       at)
{
  glong n = g_utf8_strlen (line, -1);
  glong start = at, end = at;

  if ((glong) at >= n || !belongs (g_utf8_get_char (g_utf8_offset_to_pointer (line, at))))
    return NULL;
  while (start > 0 && belongs (g_utf8_get_char (g_utf8_offset_to_pointer (line, start - 1))))
    start--;
  while (end < n && belongs (g_utf8_get_char (g_utf8_offset_to_pointer (line, end))))
    end++;
  return g_utf8_substring (line, start, end);
}
