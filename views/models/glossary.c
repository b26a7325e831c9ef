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
  { "I.module_attrs", N_("Notes on the whole module.") },
  { "R.call_tir_inplace", N_("As R.call_tir, but the result takes the place of an argument.") },
  { "R.call_dps_packed", N_("Calls a packed function of another library that writes its result into a tensor made for it.") },
  { "R.call_packed", N_("Calls a packed function that may have effects, so it stays where it is.") },
  { "R.call_pure_packed", N_("Calls a packed function that is promised to have no effect but its result.") },
  { "R.match_cast", N_("Claims a shape for a value, checks it when it runs, and names its sizes.") },
  { "R.Tuple", N_("The type of several values together.") },
  { "R.tuple", N_("Several values together.") },
  { "R.Shape", N_("The type of a shape.") },
  { "R.shape", N_("A shape as a value.") },
  { "R.const", N_("A tensor that is written into the program.") },
  { "R.func_attr", N_("Notes on the function for later passes.") },
  { "R.prim_value", N_("A single number as a value of the graph.") },
  { "R.Prim", N_("The type of a single number.") },
  { "R.Object", N_("The type of something of which nothing is known.") },
  { "R.Callable", N_("The type of a function.") },
  { "R.str", N_("A text as a value.") },
  { "R.dtype", N_("An element type as a value.") },
  { "R.print", N_("Prints values when it runs.") },
  { "R.null_value", N_("No value.") },
  { "R.vm.alloc_storage", N_("Memory that the virtual machine allocates once and gives to tensors.") },
  { "R.vm.alloc_tensor", N_("A tensor at a place in such memory.") },
  { "R.vm.kill_object", N_("The value is no longer needed; its memory may be used again.") },
  { "T.allocate", N_("Memory as lowered code allocates it: a number of elements, in one scope.") },
  { "T.allocate_const", N_("Memory that holds numbers from the start.") },
  { "T.launch_thread", N_("What follows runs once in each thread of this axis.") },
  { "T.env_thread", N_("An axis of threads that the machine provides.") },
  { "T.attr", N_("A note on what follows, for later passes.") },
  { "T.LetStmt", N_("Names a value for the statements that follow.") },
  { "T.Let", N_("Names a value inside of an expression.") },
  { "T.call_extern", N_("Calls a function of C by its name.") },
  { "T.call_pure_extern", N_("Calls a function of C that has no effect but its result.") },
  { "T.call_packed", N_("Calls a function that is registered under this name.") },
  { "T.tvm_storage_sync", N_("All threads wait here for each other.") },
  { "T.tvm_access_ptr", N_("A pointer into a buffer, with what may be done there.") },
  { "T.address_of", N_("The place of an element in memory.") },
  { "T.Ramp", N_("A vector of indices: first, step, number of lanes.") },
  { "T.Broadcast", N_("A vector with the same value in each lane.") },
  { "T.Shuffle", N_("A vector of chosen lanes of others.") },
  { "T.likely", N_("The condition nearly always holds: code is laid out for that.") },
  { "T.reinterpret", N_("The same bits as another type.") },
  { "T.target", N_("The machine that the function is compiled for.") },
  { "T.index_map", N_("A rule that gives each index its new place.") },
  { "T.comm_reducer", N_("How two partial results become one, and the value to begin with.") },
  { "T.max_value", N_("The largest number of this type.") },
  { "T.min_value", N_("The smallest number of this type.") },
  { "T.tanh", N_("A mathematical function of one element.") },
  { "T.sqrt", N_("A mathematical function of one element.") },
  { "T.rsqrt", N_("A mathematical function of one element.") },
  { "T.sigmoid", N_("A mathematical function of one element.") },
  { "T.abs", N_("A mathematical function of one element.") },
  { "T.pow", N_("A mathematical function of one element.") },
  { "T.log", N_("A mathematical function of one element.") },
  { "T.sin", N_("A mathematical function of one element.") },
  { "T.cos", N_("A mathematical function of one element.") },
  { "T.erf", N_("A mathematical function of one element.") },
  { "T.floor", N_("A mathematical function of one element.") },
  { "T.ceil", N_("A mathematical function of one element.") },
  { "T.round", N_("A mathematical function of one element.") },
  { "T.trunc", N_("A mathematical function of one element.") },
  { "T.nearbyint", N_("A mathematical function of one element.") },
  { "T.bitwise_and", N_("Works on the bits of whole numbers.") },
  { "T.bitwise_or", N_("Works on the bits of whole numbers.") },
  { "T.bitwise_xor", N_("Works on the bits of whole numbers.") },
  { "T.bitwise_not", N_("Works on the bits of whole numbers.") },
  { "T.shift_left", N_("Works on the bits of whole numbers.") },
  { "T.shift_right", N_("Works on the bits of whole numbers.") },
  { "T.float64", N_("A number of 64 bits with a fraction.") },
  { "T.bfloat16", N_("A number of 16 bits with a fraction, as wide in range as one of 32.") },
  { "T.int8", N_("A whole number of 8 bits.") },
  { "T.uint8", N_("A whole number of 8 bits that is not negative.") },
};

const char *
ls_glossary_get (const char *word)
{
  for (guint i = 0; i < G_N_ELEMENTS (ENTRIES); i++)
    if (strcmp (ENTRIES[i].word, word) == 0)
      return _(ENTRIES[i].meaning);

  if (g_str_has_prefix (word, "R.") && g_ascii_islower (word[2]))
    return _("An operator on whole tensors; lowering turns its call into that of a loop-level function.");

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
