/* docs: what a name of the script language means, one sentence each, for hover and glossary.
 *
 * The signatures come from the specifications by which calls are bound (names.c), so they cannot differ from what is
 * read.  A test holds that every name has its sentence. */
#include "engine/script/script-private.h"

typedef struct { const char *name; const char *doc; } Doc;

static const Doc DOCS[] = {
  { "I.GlobalVar", "A reference to a function of a module by its name." },
  { "I.Range", "Whole numbers from the first to before the second, as the devices of a mesh." },
  { "I.dummy_global_info", "An entry of the module's global infos that says nothing." },
  { "I.module_attrs", "The attributes of the module." },
  { "I.module_global_infos", "Named lists of facts that the functions of the module share, such as devices." },
  { "I.vdevice", "A device on which tensors can stand: target, number and memory scope." },
  { "T.Add", "The plain node a + b; nothing is folded." },
  { "T.And", "The plain node a and b." },
  { "T.Assert", "A scope that holds only while a condition is true; otherwise the program stops with the message." },
  { "T.Broadcast", "One value repeated over all lanes of a vector." },
  { "T.Buffer", "A multi-dimensional array: its shape, element type, strides, memory scope and alignment." },
  { "T.BufferLoad", "The element of a buffer at some indices." },
  { "T.Call", "The plain node of a call: result type, intrinsic or function, arguments." },
  { "T.Cast", "The plain node that converts a value to a type." },
  { "T.Div", "The plain node a / b, rounding towards zero for whole numbers." },
  { "T.EQ", "The plain node a == b." },
  { "T.Else", "The branch of a T.If that runs when the condition is false." },
  { "T.FloatImm", "A floating-point constant of a type." },
  { "T.FloorDiv", "The plain node a // b, rounding down." },
  { "T.FloorMod", "The plain node a % b with the sign of b." },
  { "T.GE", "The plain node a >= b." },
  { "T.GT", "The plain node a > b." },
  { "T.If", "A scope for T.Then and T.Else." },
  { "T.IntImm", "A whole-number constant of a type." },
  { "T.LE", "The plain node a <= b." },
  { "T.LT", "The plain node a < b." },
  { "T.Let", "An expression in which a variable stands for a value." },
  { "T.LetStmt", "A scope in which a variable stands for a value." },
  { "T.Max", "The plain node that takes the larger of two values." },
  { "T.Min", "The plain node that takes the smaller of two values." },
  { "T.Mod", "The plain node of the remainder that rounds towards zero." },
  { "T.Mul", "The plain node a * b." },
  { "T.NE", "The plain node a != b." },
  { "T.Not", "The plain node not a." },
  { "T.Or", "The plain node a or b." },
  { "T.ProducerLoad", "An element of a tensor expression; not part of TensorIR programs." },
  { "T.Ptr", "A pointer variable with its element type and memory scope." },
  { "T.Ramp", "The vector base, base + stride, base + 2 * stride, ..." },
  { "T.Range", "The whole numbers from begin up to, not including, end." },
  { "T.Reduce", "A reduction of a tensor expression; not part of TensorIR programs." },
  { "T.Select", "One of two values by a condition; both are computed." },
  { "T.Shuffle", "A vector made of chosen lanes of other vectors." },
  { "T.SizeVar", "A variable that is never negative, such as a size." },
  { "T.StringImm", "A text as an expression." },
  { "T.Sub", "The plain node a - b." },
  { "T.TVMBackendAllocWorkspace", "Asks the runtime for temporary memory on a device." },
  { "T.TVMBackendFreeWorkspace", "Gives temporary memory back to the runtime." },
  { "T.Tensor", "What the scripts of late 2026 call T.Buffer." },
  { "T.Then", "The branch of a T.If that runs when the condition is true." },
  { "T.Var", "A variable with a name and a type." },
  { "T.While", "A scope that repeats while a condition is true." },
  { "T.abs", "The absolute value." },
  { "T.acos", "The inverse cosine." },
  { "T.acosh", "The inverse hyperbolic cosine." },
  { "T.address_of", "The address of an element of a buffer." },
  { "T.alloc_buffer", "A buffer that lives as long as the block or function around it." },
  { "T.allocate", "Raw memory for the rest of the block, named by a pointer." },
  { "T.allocate_const", "Constant data for the rest of the block, named by a pointer." },
  { "T.anylist_getitem", "An element of a list that the virtual machine keeps." },
  { "T.anylist_resetitem", "Empties an element of a list that the virtual machine keeps." },
  { "T.anylist_setitem_call_cpacked", "Calls a C-packed function and puts the result into a list." },
  { "T.anylist_setitem_call_packed", "Calls a packed function and puts the result into a list." },
  { "T.asin", "The inverse sine." },
  { "T.asinh", "The inverse hyperbolic sine." },
  { "T.assume", "Promises a condition to later passes." },
  { "T.atan", "The inverse tangent." },
  { "T.atan2", "The angle of the point (x2, x1)." },
  { "T.atanh", "The inverse hyperbolic tangent." },
  { "T.attr", "A fact about a variable, buffer or thread, for the statements inside." },
  { "T.axis.R", "Short for T.axis.reduce." },
  { "T.axis.S", "Short for T.axis.spatial." },
  { "T.axis.opaque", "A block variable about which nothing is promised." },
  { "T.axis.reduce", "A block variable over which the block accumulates." },
  { "T.axis.remap", "Block variables that are loop variables: S spatial, R reduce." },
  { "T.axis.scan", "A block variable whose values must come in order." },
  { "T.axis.spatial", "A block variable whose values are independent: each makes its own part of the output." },
  { "T.bitwise_and", "The bits that both numbers have." },
  { "T.bitwise_not", "All bits turned round." },
  { "T.bitwise_or", "The bits that either number has." },
  { "T.bitwise_xor", "The bits that exactly one number has." },
  { "T.block", "A unit of computation with variables of its own: what schedules move." },
  { "T.block_attr", "Annotations of a block." },
  { "T.broadcast", "One value repeated over all lanes of a vector." },
  { "T.buffer_decl", "The old name of T.Buffer." },
  { "T.buffer_store", "Writes an element of a buffer." },
  { "T.buffer_var", "The old name of a pointer variable." },
  { "T.call_cpacked", "Calls a function of the C-packed convention by its name." },
  { "T.call_cpacked_lowered", "A C-packed call whose arguments lie on the stack." },
  { "T.call_extern", "Calls a C function by its name." },
  { "T.call_intrin", "Calls an intrinsic by its name." },
  { "T.call_kernel", "Calls a GPU kernel written elsewhere; not carried out." },
  { "T.call_llvm_intrin", "Calls an LLVM intrinsic." },
  { "T.call_llvm_pure_intrin", "Calls an LLVM intrinsic that has no side effect." },
  { "T.call_packed", "Calls a registered packed function by its name." },
  { "T.call_packed_lowered", "A packed call whose arguments lie on the stack." },
  { "T.call_pure_extern", "Calls a C function that has no side effect." },
  { "T.cast", "Converts a value to a type; constants are converted at once." },
  { "T.ceil", "The next whole number, upwards." },
  { "T.ceildiv", "a divided by b, rounded up." },
  { "T.clz", "The number of zero bits at the top." },
  { "T.comm_reducer", "A commutative operation with its neutral elements, for reductions." },
  { "T.const", "A constant of a type." },
  { "T.copysign", "The size of the first number with the sign of the second." },
  { "T.cos", "The cosine." },
  { "T.cosh", "The hyperbolic cosine." },
  { "T.create_barriers", "Makes barriers for threads of a GPU." },
  { "T.decl_buffer", "A buffer over memory that is given, or over memory of its own, for the rest of the block." },
  { "T.div", "a / b, rounding towards zero for whole numbers." },
  { "T.dma_copy", "Starts a copy by the DMA engine." },
  { "T.dma_end_group", "Ends a group of DMA copies." },
  { "T.dma_start_group", "Starts a group of DMA copies." },
  { "T.dma_wait", "Waits for DMA copies." },
  { "T.dp4a", "The scalar product of two vectors of four bytes, added to a number." },
  { "T.dynamic", "An extent that only a run knows, made outside of the functions that use it." },
  { "T.end_profile_intrinsic", "Ends a measured stretch." },
  { "T.env_thread", "A variable that is the index of a thread or thread block." },
  { "T.erf", "The error function." },
  { "T.evaluate", "Computes an expression for its effect." },
  { "T.exp", "e to the power of x." },
  { "T.exp10", "10 to the power of x." },
  { "T.exp2", "2 to the power of x." },
  { "T.fabs", "The absolute value of a floating-point number." },
  { "T.floor", "The next whole number, downwards." },
  { "T.floordiv", "a divided by b, rounded down." },
  { "T.floormod", "The remainder of a divided by b, with the sign of b." },
  { "T.fmod", "The floating-point remainder." },
  { "T.func_attr", "Attributes of the function, such as \"tir.noalias\"." },
  { "T.get_active_lane_mask", "The lanes of a vector that lie below a limit." },
  { "T.grid", "A nest of serial loops, one for each extent." },
  { "T.handle_add_byte_offset", "A pointer moved by some bytes." },
  { "T.hypot", "The square root of x1 * x1 + x2 * x2." },
  { "T.if_then_else", "One of two values by a condition; only the chosen one is computed." },
  { "T.ignore_loop_partition", "A condition by which loops are not to be split." },
  { "T.index_map", "How indices of a buffer or loop turn into others." },
  { "T.indexdiv", "a divided by b, for indices." },
  { "T.indexmod", "The remainder of a divided by b, for indices." },
  { "T.infinity", "The infinity of a floating-point type." },
  { "T.init", "What a block does before the first round of its reduction." },
  { "T.isfinite", "Is the number neither infinite nor NaN?" },
  { "T.isinf", "Is the number infinite?" },
  { "T.isnan", "Is it no number?" },
  { "T.isnullptr", "Does the pointer point to nothing?" },
  { "T.iter_var", "A variable with its domain and kind." },
  { "T.large_uint_imm", "A uint64 constant above the int64 range, from its two halves." },
  { "T.launch_thread", "A scope that runs on all threads of an index." },
  { "T.ldexp", "x1 times 2 to the power of x2." },
  { "T.let", "A scope or expression in which a variable stands for a value." },
  { "T.likely", "A condition that is nearly always true." },
  { "T.llvm_lookup_intrinsic_id", "Names an LLVM intrinsic in a call of it." },
  { "T.log", "The natural logarithm." },
  { "T.log10", "The logarithm to base 10." },
  { "T.log1p", "The natural logarithm of 1 + x." },
  { "T.log2", "The logarithm to base 2." },
  { "T.lookup_param", "A parameter of the model by its name." },
  { "T.make_filled_simdgroup_matrix", "A matrix of a Metal SIMD group, filled with one value." },
  { "T.match_buffer", "A buffer that describes a parameter of the function or a region of another buffer." },
  { "T.max", "The larger of two values." },
  { "T.max_value", "The highest value of a type." },
  { "T.meta_var", "A name for an expression while the script is read; no variable is made." },
  { "T.min", "The smaller of two values." },
  { "T.min_value", "The lowest value of a type." },
  { "T.mma_fill", "Fills the accumulator of a tensor-core operation." },
  { "T.mma_store", "Stores the accumulator of a tensor-core operation." },
  { "T.nearbyint", "The nearest whole number by the current rounding mode." },
  { "T.nextafter", "The next number from x1 in the direction of x2." },
  { "T.parallel", "A loop whose rounds may run at the same time on the CPU's threads." },
  { "T.popcount", "The number of bits that are set." },
  { "T.pow", "x to the power of y." },
  { "T.power", "x to the power of y." },
  { "T.prefetch", "A hint to load a region early; not carried out." },
  { "T.ptr", "A pointer variable with its element type and memory scope." },
  { "T.ptx_arrive_barrier", "A thread arrives at a barrier." },
  { "T.ptx_arrive_barrier_expect_tx", "A thread arrives at a barrier that also waits for bytes." },
  { "T.ptx_commit_group", "Closes a group of asynchronous copies." },
  { "T.ptx_cp_async", "Copies from global to shared memory without waiting." },
  { "T.ptx_cp_async_barrier", "Ties asynchronous copies to a barrier." },
  { "T.ptx_cp_async_bulk", "Copies a large piece from global to shared memory without waiting." },
  { "T.ptx_init_barrier_thread_count", "Sets how many threads a barrier waits for." },
  { "T.ptx_ldg32", "A guarded load of 32 bits from global memory." },
  { "T.ptx_ldmatrix", "Loads parts of matrices from shared memory into registers." },
  { "T.ptx_mma", "A matrix product on tensor cores." },
  { "T.ptx_mma_sp", "A matrix product on tensor cores with a sparse matrix." },
  { "T.ptx_wait_barrier", "Waits at a barrier." },
  { "T.ptx_wait_group", "Waits for groups of asynchronous copies." },
  { "T.q_multiply_shift", "A product of fixed-point numbers, rounded and shifted." },
  { "T.q_multiply_shift_per_axis", "A product of fixed-point numbers with a shift for each channel." },
  { "T.ramp", "The vector base, base + stride, base + 2 * stride, ..." },
  { "T.reads", "The regions of buffers that a block reads." },
  { "T.realize", "A region of a buffer that exists for the statements inside." },
  { "T.reinterpret", "The same bits as another type." },
  { "T.ret", "Ends the function with a result." },
  { "T.round", "The nearest whole number." },
  { "T.rsqrt", "1 divided by the square root." },
  { "T.sblock", "TVM's later name of T.block." },
  { "T.sblock_alloc_buffer", "TVM's later name of T.alloc_buffer." },
  { "T.sblock_attr", "TVM's later name of T.block_attr." },
  { "T.serial", "A loop whose rounds run one after the other." },
  { "T.shift_left", "The bits moved up by y." },
  { "T.shift_right", "The bits moved down by y." },
  { "T.sigmoid", "1 / (1 + exp (-x))." },
  { "T.simdgroup_load", "Loads a matrix of a Metal SIMD group." },
  { "T.simdgroup_multiply_accumulate", "Multiplies matrices of a Metal SIMD group and adds." },
  { "T.simdgroup_store", "Stores a matrix of a Metal SIMD group." },
  { "T.sin", "The sine." },
  { "T.sinh", "The hyperbolic sine." },
  { "T.sqrt", "The square root." },
  { "T.start_profile_intrinsic", "Starts a measured stretch." },
  { "T.tan", "The tangent." },
  { "T.tanh", "The hyperbolic tangent." },
  { "T.target", "A machine to compile for, with its options." },
  { "T.thread_binding", "A loop whose rounds are threads or thread blocks of a GPU." },
  { "T.trunc", "The whole part of a number." },
  { "T.truncdiv", "a divided by b, rounded towards zero." },
  { "T.truncmod", "The remainder of a divided by b, with the sign of a." },
  { "T.tvm_access_ptr", "A pointer into a buffer with its extent and whether it reads (1) or writes (2)." },
  { "T.tvm_bmma_sync", "A matrix product of single bits on tensor cores." },
  { "T.tvm_call_cpacked", "Calls a function of the C-packed convention by its name." },
  { "T.tvm_call_cpacked_lowered", "A C-packed call whose arguments lie on the stack." },
  { "T.tvm_call_packed", "Calls a registered packed function by its name." },
  { "T.tvm_call_packed_lowered", "A packed call whose arguments lie on the stack." },
  { "T.tvm_check_return", "Calls a function and stops when its result is another than expected." },
  { "T.tvm_fill_fragment", "Fills a fragment of a tensor-core operation." },
  { "T.tvm_global_barrier_kinit", "Prepares a barrier over all blocks of a GPU." },
  { "T.tvm_load_matrix_sync", "Loads a fragment of a tensor-core operation." },
  { "T.tvm_mma_sync", "A matrix product on tensor-core fragments." },
  { "T.tvm_stack_alloca", "Memory on the stack." },
  { "T.tvm_stack_make_array", "A description of an array on the stack, as packed functions take it." },
  { "T.tvm_stack_make_shape", "A list of extents on the stack." },
  { "T.tvm_storage_sync", "Waits until all threads see what was written to a memory." },
  { "T.tvm_store_matrix_sync", "Stores a fragment of a tensor-core operation." },
  { "T.tvm_struct_get", "A field of a runtime structure." },
  { "T.tvm_struct_set", "Sets a field of a runtime structure." },
  { "T.tvm_thread_allreduce", "A reduction over the threads of a GPU block." },
  { "T.tvm_thread_invariant", "A value that is the same in all threads." },
  { "T.tvm_throw_last_error", "Hands the last runtime error on." },
  { "T.tvm_tuple", "Several values as one argument." },
  { "T.tvm_warp_activemask", "The threads of a warp that take part." },
  { "T.tvm_warp_shuffle", "A value from another thread of the warp." },
  { "T.tvm_warp_shuffle_down", "A value from a thread further down the warp." },
  { "T.tvm_warp_shuffle_up", "A value from a thread further up the warp." },
  { "T.type_annotation", "A type as an argument." },
  { "T.undef", "Any value: what was written does not matter." },
  { "T.unroll", "A loop that is written out round by round." },
  { "T.var", "The old form of a variable; write T.int32 ()." },
  { "T.vectorcombine", "Two vectors put together." },
  { "T.vectorhigh", "The upper half of a vector." },
  { "T.vectorized", "A loop whose rounds become lanes of vector instructions." },
  { "T.vectorlow", "The lower half of a vector." },
  { "T.vscale", "How many times the base length a scalable vector has." },
  { "T.where", "The condition under which a block runs." },
  { "T.writes", "The regions of buffers that a block writes." },
};

/* "start stop? | annotations?" as "(start, stop=None, *, annotations=None)" */
static char *
signature_of (const char *spec)
{
  g_auto (GStrv) words = g_strsplit (spec, " ", -1);
  GString *out = g_string_new ("(");

  for (guint i = 0; words[i] != NULL; i++)
    {
      gsize n = strlen (words[i]);

      if (n == 0)
        continue;
      if (out->len > 1)
        g_string_append (out, ", ");
      if (strcmp (words[i], "|") == 0)
        g_string_append_c (out, '*');
      else if (words[i][n - 1] == '?')
        g_string_append_printf (out, "%.*s=None", (int) n - 1, words[i]);
      else
        g_string_append (out, words[i]);
    }
  g_string_append_c (out, ')');
  return g_string_free (out, FALSE);
}

const LsScriptName *
ls_script_names (guint *n)
{
  static LsScriptName table[G_N_ELEMENTS (DOCS)];
  static gsize ready;

  if (g_once_init_enter (&ready))
    {
      for (guint i = 0; i < G_N_ELEMENTS (DOCS); i++)
        {
          g_autofree char *space = g_strndup (DOCS[i].name, 1);
          const LsEntry *entry = ls_entry_lookup (space, DOCS[i].name + 2);

          table[i] = (LsScriptName) { DOCS[i].name, entry != NULL ? signature_of (entry->spec) : "()", DOCS[i].doc };
        }
      g_once_init_leave (&ready, 1);
    }
  if (n != NULL)
    *n = G_N_ELEMENTS (DOCS);
  return table;
}

const LsScriptName *
ls_script_name_lookup (const char *name)
{
  guint n;
  const LsScriptName *table = ls_script_names (&n);
  guint low = 0, high = n;

  while (low < high)
    {
      guint mid = (low + high) / 2;
      int order = strcmp (name, table[mid].name);

      if (order == 0)
        return &table[mid];
      if (order < 0)
        high = mid;
      else
        low = mid + 1;
    }
  return NULL;
}
