/* conditions: every condition of every primitive, with the code under which it is reported and its sentence.
 *
 * The sentences are those of the reports with names put in: b, c are blocks, i, j loops, v a variable, A, B buffers, n a
 * number.  Groups hold what primitives share (legal/condition.c and others).  tests/property/schedule.c sees to it that no
 * finding has a code that is missing here.
 */
#include "engine/schedule/explain/explain.h"

#include <string.h>

#define C(code, sentence) { code, sentence, FALSE },
#define W(code, sentence) { code, sentence, TRUE },

#define LEGAL_HAS_ROOT \
  C ("no-root-block", "Block b, or loop i, stands in a function without a root block.")

#define LEGAL_INNER_BLOCK \
  C ("root-block", "Block b is the root of its function; the primitive needs a block inside it.")

#define LEGAL_NOT_ROOT \
  LEGAL_INNER_BLOCK LEGAL_HAS_ROOT

#define LEGAL_SINGLE_CHILD \
  C ("not-one-block", "Loop i holds n blocks; the primitive needs a loop with one.")

#define LEGAL_SCOPE \
  C ("not-a-stage-pipeline", "In block b a buffer is overwritten after it was read, or read before all of it was written.")

#define LEGAL_ACCESS_BUFFER \
  W ("outside-blocks", "A is also used outside of blocks, by a statement or a block's condition, which the step does not look at.") \
  C ("buffer-index", "The buffer has to be a number, a name or (\"read\", 0).")

#define LEGAL_STORAGE_SCOPE \
  C ("unknown-scope", "The scope is no storage scope; there are global, shared, local and others.")

#define LEGAL_COVER \
  C ("not-covered", "Block b reads more of A than is written before it.")

#define BUFFER_OF_NAME \
  C ("buffer-name", "Block b reads or writes no buffer of that name.")

#define BUFFER_OF_INDEX \
  C ("buffer-index", "Block b has fewer buffers than the number asks for.")

#define LEGAL_ONE_WRITER \
  C ("several-writers", "A is written by n blocks; one may write it.")

#define DOUBT_GUARDED_COPY \
  W ("unguarded-copy", "Block b does not run for all rounds of loop i; the copy does, and may reach outside of A.") \
  W ("out-of-bounds", "What block b writes cannot be told exactly; the copy may reach outside of A.")

#define DOUBT_PARTLY \
  W ("partly-written", "Block b may not write all of A that is copied; the rest is overwritten by what lies in the cache.")

#define LEGAL_REMOVAL \
  C ("not-in-sequence", "Block b stands under a condition or definition and cannot be taken out alone.")

#define LEGAL_NOT_ALONE \
  C ("only-block", "Block b is the only block in loop i; nothing would be left there.")

#define DOUBT_ORDER \
  W ("read-too-early", "Block b reads what block c makes, but stands before loop i; it would read old values.") \
  W ("made-too-late", "Block b makes what block c reads, but stands behind loop i; block c would read old values.")

#define KEEPS_ORDER \
  W ("dependence", "An element of A is written in one round and read or written in another, and these change places or run at the same time; a strict schedule refuses it.") \
  W ("dependence-unknown", "Whether the rounds depend on each other is not decided.")

#define DOUBT_INSTANCES \
  W ("gaps", "Under loop i it is not certain that block b runs for all values of its variables.") \
  W ("repeats", "Under loop i block b may add some terms more than once.")

#define REFUSE_VARIABLES \
  C ("iter-type", "Variable v of block b is of another type; only spatial and reduction ones are allowed.") \
  C ("reduction-indexes-output", "Reduction variable v indexes what block b writes.")

#define REFUSE_OWN_OUTPUT \
  C ("reads-own-output", "Block b reads A, which it also writes.")

#define REFUSE_REDUCTION \
  C ("no-init", "Block b has no init; a reduction needs one.") \
  REFUSE_VARIABLES

#define REFUSE_COMPLETE \
  C ("not-spatial", "Variable v of block b is of another type; all of them have to be spatial.") \
  REFUSE_OWN_OUTPUT

#define REFUSE_BOTH \
  C ("reduction-without-init", "Block b adds up over variable v but has no init of its own.") \
  REFUSE_VARIABLES REFUSE_OWN_OUTPUT

#define LEGAL_AFFINE \
  C ("not-affine", "The bindings of block b are no affine map of the loops around it.")

#define REFUSE_DOMINANCE \
  C ("not-dominant", "A is written by other blocks too; block b has to be its only writer.")

#define LEGAL_NO_INIT \
  C ("has-init", "Block b adds up over several instances (it has an init); that cannot stand inside another block.")

#define LEGAL_NOT_OPAQUE \
  C ("opaque-access", "A is also used through its data pointer or a view, so it cannot go.") \
  C ("opaque-access", "A is also used by a statement outside of blocks, so it cannot go.")

#define DOUBT_SPLIT_INIT \
  W ("repeats", "Loop i runs all of block b again; with the init outside of it terms are added more than once.") \
  W ("repeats", "Loop i may run instances of block b more than once; with the init outside of it terms are added more than once.") 

#define LEGAL_PLAIN_LOOP \
  C ("thread-bound", "Loop i is bound to a thread; the primitive needs a free loop.") \
  C ("annotated", "Loop i carries an annotation; the primitive needs a bare loop.")

#define LEGAL_STARTS_AT_ZERO \
  C ("not-from-zero", "Loop i does not start at 0; the primitive needs loops that start at 0.")

#define LEGAL_NOT_OUTPUT \
  C ("output-block", "Block b writes a result of the function; only blocks that fill a temporary buffer can be moved.")

#define LEGAL_NOT_VIEW \
  C ("view", "A is a view of another buffer; the primitive needs that one.")

#define LEGAL_ALLOCATED \
  C ("not-allocated", "A is a parameter or a view, not a buffer that a block allocates.")

#define LEGAL_LOOP \
  C ("not-divisible", "The bindings of block b do not divide into a part over the loops above loop i and a part over the rest.")

static const LsCondition add_unit_loop[] = {
  LEGAL_INNER_BLOCK
};

static const LsCondition unannotate[] = {
  C ("no-such-key", "The loop or block has no annotation with this key.")
};

static const LsCondition annotate_buffer_access[] = {
  C ("buffer-type", "buf_type is another word; there are read and write.")
  C ("buffer-index", "Block b has fewer buffers than the number asks for.")
  C ("arity", "The function takes n variables, but block b has n.")
  C ("dimensions", "The function gives n ranges, but A has n dimensions.")
  W ("narrower", "A dimension of the new region of A may not hold all that block b touches; later steps believe it.")
};

static const LsCondition blockize[] = {
  C ("not-a-loop", "b is a single block; blockize takes a loop or a list of blocks.")
  C ("not-a-block", "i in the list is a loop; blockize takes one loop, or a list that holds blocks only.")
  C ("not-divisible", "The bindings of block b do not divide into a part over the loops above loop i and a part over the rest.")
  W ("reads-own-output", "Block b reads elements of A that its init begins anew in another round; with the init before all rounds they are lost; a strict schedule refuses it.")
  W ("lost-guard", "The guard of block b over loop i is lost, as the bindings alone say how far the block runs.")
  W ("guarded-init", "The init of block b keeps a guard over loop i, a loop that it does not stand in.")
  C ("no-blocks", "blockize needs a loop or at least one block.")
  C ("no-sequence", "The blocks do not stand in one sequence, one after the other.")
  C ("not-consecutive", "Something else stands between the blocks; they have to follow one another.")
  C ("not-divisible", "The bindings of block b do not divide at the loops around all blocks.")
  C ("different-outer", "The part of block b over the loops around all blocks is not that of the first one.")
  C ("outer-reduction", "Block b adds up over a loop around all blocks; its init would not be done.")
  LEGAL_SINGLE_CHILD
  C ("twice", "Block b stands in the list twice.")
  C ("different-scope", "Blocks b and c stand inside different blocks; blockize takes blocks of one.")
  LEGAL_NOT_ROOT
  W ("order", "Block b comes after c in the list, but before it in the program.")
  W ("lost-init", "The init of block b is dropped; decompose the reduction first.")
  W ("lost-block", "Block c shares a loop with b and is not in the list; it is dropped.")
  W ("repeats", "Loop i stands around all blocks and again around b, which runs too often.")
};

static const LsCondition cache_index[] = {
  C ("threshold", "cse_thresh is at least 0.")
  C ("foreign-variable", "Block b computes with variable v, which is none of its variables.")
  C ("nothing-to-cache", "Block b has no expression that comes n times.")
  LEGAL_NOT_ROOT
  W ("undeclared", "Block b will not say that it reads the new index buffers; later steps may move it before they are filled.")
};

static const LsCondition cache_inplace[] = {
  C ("not-in-place", "Block b reads A but does not write it.")
  W ("out-of-bounds", "Block b does not run where it would reach outside of A, but the copy does.")
  LEGAL_ACCESS_BUFFER LEGAL_STORAGE_SCOPE LEGAL_COVER BUFFER_OF_NAME BUFFER_OF_INDEX LEGAL_NOT_ROOT DOUBT_PARTLY
};

static const LsCondition cache_read[] = {
  W ("varying-size", "The cache of A has another size for each variable v of block b.")
  W ("out-of-bounds", "Block b declares to read more than A holds; the copy may reach outside of it.")
  LEGAL_ACCESS_BUFFER LEGAL_STORAGE_SCOPE LEGAL_COVER LEGAL_ONE_WRITER DOUBT_GUARDED_COPY BUFFER_OF_NAME
  BUFFER_OF_INDEX LEGAL_NOT_ROOT KEEPS_ORDER
};

static const LsCondition cache_write[] = {
  W ("reads-own-output", "Block b reads A, which it also writes; the cache does not hold what was there before; a strict schedule refuses it where b reads what its init does not begin.")
  LEGAL_ACCESS_BUFFER LEGAL_STORAGE_SCOPE LEGAL_ONE_WRITER DOUBT_GUARDED_COPY BUFFER_OF_NAME
  BUFFER_OF_INDEX LEGAL_NOT_ROOT DOUBT_PARTLY KEEPS_ORDER
};

static const LsCondition compute_at[] = {
  C ("output-block", "Block b writes a result of the function; compute_at moves only blocks with a temporary result.")
  C ("other-scope", "Loop i and block b stand in different outer blocks.")
  C ("already-under-loop", "Block b already stands under loop i.")
  C ("not-all-under-loop", "Block c reads what block b writes, but does not stand under loop i.")
  C ("not-all-under-loop", "Block c writes what block b reads, but does not stand under loop i.")
  C ("index", "Under loop i block b can stand at index n to n, or -1 (last) or -2 (first); not at n.")
  C ("region", "Block b cannot be cut to what loop i needs.")
  C ("domain", "The domain of v of block b depends on loop i, which is not around the new place.")
  LEGAL_SCOPE LEGAL_REMOVAL DOUBT_ORDER DOUBT_INSTANCES LEGAL_NOT_ROOT REFUSE_BOTH
  LEGAL_AFFINE REFUSE_DOMINANCE KEEPS_ORDER
};

static const LsCondition reverse_compute_at[] = {
  C ("other-scope", "Loop i and block b stand in different outer blocks.")
  C ("already-under-loop", "Block b already stands under loop i.")
  C ("not-all-under-loop", "Block c reads what block b writes, but does not stand under loop i.")
  C ("not-all-under-loop", "Block c writes what block b reads, but does not stand under loop i.")
  C ("index", "Under loop i block b can stand at index n to n, or -1 (last) or -2 (first); not at n.")
  C ("region", "Block b cannot be cut to what loop i needs.")
  C ("domain", "The domain of v of block b depends on loop i, which is not around the new place.")
  LEGAL_SCOPE LEGAL_REMOVAL DOUBT_ORDER DOUBT_INSTANCES LEGAL_NOT_ROOT REFUSE_BOTH
  LEGAL_AFFINE REFUSE_DOMINANCE KEEPS_ORDER
  W ("foreign", "X[0, 3] is made in the round t = 1; block b would read it in the round t = 0, which runs at the same time and does not make it; a strict schedule refuses it.")
};

static const LsCondition compute_inline[] = {
  C ("one-write", "Block b writes n regions; a block that is inlined writes one.")
  C ("output-block", "Block b writes a result of the function; only a temporary result can be inlined.")
  C ("body", "Block b is more than one store of a value; only that can be inlined.")
  C ("store-indices", "The indices at which block b stores A cannot be turned back into its variables one to one.")
  LEGAL_SCOPE LEGAL_NO_INIT LEGAL_REMOVAL LEGAL_NOT_ALONE LEGAL_NOT_OPAQUE LEGAL_NOT_ROOT REFUSE_COMPLETE REFUSE_DOMINANCE
};

static const LsCondition read_at[] = {
  W ("read-before", "Block b reads A, of which the copy holds only what was written in the loop.")
  W ("out-of-bounds", "The copy of A may reach outside of it.")
  C ("not-in-loop", "No block directly in loop i reads A.")
  C ("write-after-read", "In loop i A is written after it was read, so a copy made before is out of date.")
  C ("foreign-variable", "What loop i touches of A depends on variable v, which is no loop around it.")
  C ("unbounded", "What loop i touches of A has no bounds that can be found.")
  LEGAL_ACCESS_BUFFER LEGAL_STORAGE_SCOPE LEGAL_SCOPE BUFFER_OF_INDEX LEGAL_HAS_ROOT
};

static const LsCondition write_at[] = {
  W ("unwritten", "Under loop i it is not certain that all of the copied part of A is written.")
  W ("read-before", "Block b reads A, of which the copy holds only what was written in the loop.")
  W ("out-of-bounds", "The copy of A may reach outside of it.")
  C ("not-in-loop", "No block directly in loop i writes A.")
  C ("read-after-write", "In loop i A is read after the last block that writes it.")
  C ("foreign-variable", "What loop i touches of A depends on variable v, which is no loop around it.")
  C ("unbounded", "What loop i touches of A has no bounds that can be found.")
  LEGAL_ACCESS_BUFFER LEGAL_STORAGE_SCOPE LEGAL_SCOPE BUFFER_OF_INDEX LEGAL_HAS_ROOT
};

static const LsCondition decompose_padding[] = {
  W ("lost-condition", "The padding of block b depends on a block around its loops; that condition is lost.")
  C ("loop-not-around", "Loop i does not stand around block b.")
  C ("not-alone", "Loop i holds more than block b.")
  W ("lost-block", "Block b stands in loop i too and is lost.")
  C ("pattern", "Block b is not one store of if_then_else (condition, value, constant).")
  LEGAL_NOT_ROOT REFUSE_COMPLETE REFUSE_DOMINANCE
};

static const LsCondition decompose_reduction[] = {
  C ("loop-not-around", "Loop i does not stand around block b.")
  C ("predicate-form", "The guard of block b is no plain comparison.")
  C ("loop-too-low", "A loop that block b adds up over stands outside loop i; the init would run again and again.")
  DOUBT_SPLIT_INIT LEGAL_NOT_ROOT REFUSE_REDUCTION LEGAL_AFFINE REFUSE_DOMINANCE KEEPS_ORDER
};

static const LsCondition parallel[] = {
  C ("iter-type", "Loop i reaches variable v of block b, which is not spatial.")
  C ("reduction-loop", "All n iterations of loop i add into the same element.")
  C ("reduction-loop", "All iterations of loop i add into the same element.")
  REFUSE_BOTH LEGAL_AFFINE REFUSE_DOMINANCE KEEPS_ORDER
  W ("nested-parallel", "Loop j would run in parallel inside the parallel loop i, which takes the cores already; tvm.build refuses that, a strict schedule here.")
};

static const LsCondition unroll[] = {
  W ("written-out", "Written out, loop i makes more than 1024 statements, so it is kept as a loop when code is made.")
};

static const LsCondition vectorize[] = {
  C ("iter-type", "Loop i reaches variable v of block b, which is not spatial.")
  C ("reduction-loop", "All n iterations of loop i add into the same element.")
  C ("reduction-loop", "All iterations of loop i add into the same element.")
  REFUSE_BOTH LEGAL_AFFINE REFUSE_DOMINANCE KEEPS_ORDER
};

static const LsCondition bind[] = {
  C ("unknown-axis", "The axis is no thread axis; there are blockIdx.x, threadIdx.x, vthread.x and their y and z.")
  C ("iter-type", "Loop i reaches variable v of block b, which is not spatial.")
  C ("reduction-loop", "All n iterations of loop i add into the same element.")
  C ("reduction-loop", "All iterations of loop i add into the same element.")
  REFUSE_BOTH LEGAL_AFFINE REFUSE_DOMINANCE KEEPS_ORDER
};

static const LsCondition fuse[] = {
  C ("no-loops", "fuse needs at least one loop.")
  C ("not-nested", "Loop j does not stand directly inside loop i.")
  C ("not-only-child", "Loop i holds something beside loop j.")
  C ("dependent-extent", "How often loop j runs depends on loop i.")
  C ("too-many", "Together the loops run more often than int64 counts.")
  LEGAL_PLAIN_LOOP LEGAL_STARTS_AT_ZERO
};

static const LsCondition get_block[] = {
  C ("no-function", "The module has several functions; name one with func_name.")
  C ("no-function", "The module has no PrimFunc f.")
  C ("several-blocks", "Function f has n blocks named b.")
  C ("no-block", "Function f has no block b.")
};

static const LsCondition get_producers[] = {
  LEGAL_NOT_ROOT
};

static const LsCondition get_consumers[] = {
  LEGAL_NOT_ROOT
};

static const LsCondition loop_partition[] = {
  C ("init", "Block b adds up over loop i; each part would run its init again.")
  W ("undeclared", "The block around the parts of loop i declares nothing that it reads or writes; later steps may move other blocks wrongly.")
  C ("not-constant", "The range of loop i is not known; loop_partition needs numbers.")
  W ("not-from-zero", "Loop i starts at n, but parts are counted from 0.")
  C ("not-a-chain", "Loop i holds more than one nest with a block.")
  C ("two-open-factors", "One factor may be None, not several.")
  C ("factor", "Factor number n of loop i is not a positive number.")
  C ("too-long", "The parts of loop i add up to n; they have to leave some of its n iterations.")
  LEGAL_PLAIN_LOOP
};

static const LsCondition merge[] = {
  C ("too-few", "merge takes at least two loops.")
  C ("nested", "Loop i stands around the others; merge takes loops beside each other.")
  C ("other-scope", "Loops i and j stand in different blocks.")
  C ("not-a-chain", "Loop i holds more than loop j.")
  C ("different-depth", "Loop i is one of n nested loops, loop j one of n; merged nests have to be equally deep.")
  C ("different-extent", "Loops i and j do not run equally often.")
  W ("order", "Block c depends on block b; merging their loops, or moving one past the other, may change the result.")
  LEGAL_HAS_ROOT LEGAL_PLAIN_LOOP LEGAL_STARTS_AT_ZERO KEEPS_ORDER
};

static const LsCondition pad_einsum[] = {
  W ("partly-written", "Block b may not write all of A, and all of it is copied back; the rest is overwritten by what lies in the cache.")
  W ("out-of-bounds", "Variable v of block b does not begin at 0, and would run past the end of the padded buffers.")
  W ("condition", "Whether block b runs is read from memory, also for the rounds in the padding.")
  W ("reads-own-output", "Block b reads A, which it also writes; the cache does not hold what was there before.")
  W ("company", "Loop i holds other blocks than block b; they get the padded buffers too.")
  W ("inner-scope", "Block b runs several times, and each time all of what A writes is copied back.")
  C ("padding", "The padding of block b is a list of n numbers, each at least 1.")
  C ("buffer-twice", "Block b names A twice in its reads and writes.")
  C ("not-an-einsum", "Block b uses A at other places than those that its variables name one by one.")
  W ("padding-counts", "The padding of A is 0, and block b may not leave 0 out of account.")
  W ("shared-loop", "Loop i gets longer, and other blocks run in it too.")
  C ("too-large", "Block b would run further than the type of its variables counts.")
  LEGAL_SCOPE LEGAL_NOT_ROOT
};

static const LsCondition reindex[] = {
  DOUBT_PARTLY
  W ("reads-own-output", "Block b reads and writes A, but only one copy is made.")
  C ("not-a-leaf", "Block b has blocks inside.")
  C ("opaque-access", "Block b uses A through its data pointer.")
  C ("no-access", "The body of block b does not access A.")
  C ("several-indices", "Block b accesses A at several places; all accesses have to have the same indices.")
  C ("no-loops", "Block b has no loops around it.")
  C ("not-a-chain", "Loop i holds more than loop j.")
  W ("out-of-bounds", "The copy of A for all variables of block b may reach outside of A.")
  W ("order", "Block c, which reads or writes A, stands in loop i with block b; the copy comes on the wrong side of it.")
  W ("order", "Block b may write an element of A more than once; the copy goes over them in the order of its variables.")
  LEGAL_SCOPE BUFFER_OF_NAME LEGAL_ACCESS_BUFFER LEGAL_NOT_ROOT BUFFER_OF_INDEX
};

static const LsCondition reindex_cache_read[] = {
  W ("out-of-bounds", "The copy of A for all variables of block b may reach outside of A.")
  W ("collision", "Two elements of A may come to the same place of the copy.")
  C ("arity", "The map takes n variables, but block b has n.")
  C ("no-access", "Block b does not read A.")
  W ("condition", "Block b runs under a condition that the copy does not have.")
  W ("reads-own-output", "Block b reads and writes A, but only one copy is made.")
  C ("not-single-point", "Block b touches a whole range of A at once; reindex_cache_read needs single elements.")
  C ("not-same-variables", "Variable v of block b indexes A, but the map leaves it out.")
  C ("not-same-variables", "The map uses variable v of block b, which does not index A.")
  LEGAL_ACCESS_BUFFER LEGAL_STORAGE_SCOPE LEGAL_SCOPE LEGAL_ONE_WRITER BUFFER_OF_NAME BUFFER_OF_INDEX LEGAL_NOT_ROOT
};

static const LsCondition reindex_cache_write[] = {
  DOUBT_PARTLY
  W ("out-of-bounds", "The copy of A for all variables of block b may reach outside of A.")
  W ("collision", "Two elements of A may come to the same place of the copy.")
  C ("arity", "The map takes n variables, but block b has n.")
  C ("no-access", "Block b does not write A.")
  W ("condition", "Block b runs under a condition that the copy does not have.")
  W ("reads-own-output", "Block b reads and writes A, but only one copy is made.")
  C ("not-single-point", "Block b touches a whole range of A at once; reindex_cache_write needs single elements.")
  C ("not-same-variables", "Variable v of block b indexes A, but the map leaves it out.")
  C ("not-same-variables", "The map uses variable v of block b, which does not index A.")
  LEGAL_ACCESS_BUFFER LEGAL_STORAGE_SCOPE LEGAL_SCOPE LEGAL_ONE_WRITER BUFFER_OF_NAME BUFFER_OF_INDEX LEGAL_NOT_ROOT
};

static const LsCondition reorder[] = {
  C ("twice", "A loop is named twice.")
  C ("not-a-chain", "Loops i and j are not nested in each other inside one block.")
  C ("not-single-branch", "Loop i holds more than loop j; between the loops nothing else may stand.")
  C ("iter-type", "Variable v of block b is neither spatial nor a reduction.")
  C ("dependent-bounds", "The bounds of loop j depend on loop i, so loop i has to stay outside.")
  W ("first-term", "With loop j outside loop i the instance of block b that starts a sum need not be the first of it.")
  LEGAL_AFFINE KEEPS_ORDER
};

static const LsCondition reorder_block_iter_var[] = {
  C ("not-all", "Block b has n variables, but the order names n.")
  C ("out-of-range", "Block b has no variable number n.")
  C ("twice", "The order names variable v of block b twice.")
  LEGAL_NOT_ROOT
};

static const LsCondition reverse_compute_inline[] = {
  W ("gaps", "Block b has more instances than block c; those that read nothing of it are lost.")
  W ("inner-scope", "Block c runs several times, and each time only a part of what block b computes may be made.")
  C ("one-read", "Block b reads A and B of this scope; it may read one.")
  C ("one-read", "Block b reads nothing that another block of the scope makes.")
  C ("producer-not-complete", "Block b, which makes A, adds up over several instances; the result is not there at once.")
  C ("producer-not-complete", "Block b, which makes A, is no complete block.")
  C ("one-producer", "n blocks make A, which block b reads; it has to be one.")
  C ("producer-is-output", "A is a result of the function, so block b has to keep storing it.")
  C ("other-reader", "Block b reads A too, so it has to be stored.")
  C ("guarded", "Block b has a guard (T.where); without one it could be inlined.")
  C ("body", "Block b is more than one store of a value; only that can be inlined.")
  C ("load-indices", "Block b reads A at several places at once; it has to be one place.")
  C ("load-indices", "The value of block b does not read A.")
  C ("indices-not-invertible", "The indices at which block b reads A cannot be turned back into its variables.")
  C ("not-covered", "Block b does not run over all values that A has.")
  LEGAL_SCOPE LEGAL_NO_INIT LEGAL_REMOVAL LEGAL_NOT_ALONE LEGAL_NOT_OPAQUE LEGAL_NOT_ROOT REFUSE_COMPLETE REFUSE_DOMINANCE
};

static const LsCondition rfactor[] = {
  W ("reads-own-output", "Block b reads A, which it also writes; the parts are made before it is written.")
  W ("repeats", "Loop i runs all of block b again; as a loop that adds up it counts every term more than once.")
  C ("not-serial", "Loop i is not serial; rfactor takes a serial loop.")
  C ("not-first", "Another block stands before block b in loop i.")
  C ("reducer", "Block b does not add up with a reducer that is known: sum, product, min, max, argmin, argmax.")
  C ("factor-axis", "The parts of A have n dimensions, so there is no dimension n.")
  W ("guard", "Block b runs under a guard; the block that puts the parts together has none and may use parts that were not made.")
  C ("mixed-loop", "Loop i is used by spatial and by reduction variables of block b.")
  C ("spatial-loop", "Block b does not add up over loop i; rfactor takes a loop that it adds up over.")
  C ("unbound-loop", "Loop i, below a reduction loop, repeats block b with the same variables.")
  LEGAL_SINGLE_CHILD LEGAL_SCOPE LEGAL_HAS_ROOT REFUSE_REDUCTION LEGAL_AFFINE REFUSE_DOMINANCE
};

static const LsCondition rolling_buffer[] = {
  W ("two-overlaps", "Tiles of A overlap along loop i too; only one dimension becomes a ring.")
  C ("not-tiled", "No loop stands around block b and all blocks that read A.")
  C ("no-overlap", "No dimension of A moves over tiles that overlap: none begins at a loop variable times a number and is longer than that.")
  LEGAL_ACCESS_BUFFER LEGAL_NOT_OUTPUT BUFFER_OF_INDEX LEGAL_NOT_ROOT
  W ("other-variable", "A dimension of A is not indexed by the variable of block b at its place; the ring counts by that one.")
  W ("several-rows", "Block b writes several elements of the ring's dimension at once; those that the tile before has not made are left out.")
  W ("opaque-sum", "A variable of block c becomes opaque with the ring; its init then runs in every round.")
};

static const LsCondition sample_categorical[] = {
  C ("lengths", "There are n candidates and n probabilities; there has to be one for each, and one at least.")
  C ("probabilities", "Probabilities are at least 0, and not all of them 0.")
  C ("decision", "The decision of sample_categorical is the number of a candidate, from 0 to n.")
};

static const LsCondition sample_perfect_tile[] = {
  C ("n", "A loop is split into 2 to n loops.")
  C ("max-innermost-factor", "max_innermost_factor is at least 1, or -1 for any.")
  C ("extent", "Loop i does not run at all, or more than 2^31 times.")
  C ("decision", "The decision is a list of n factors.")
};

static const LsCondition sample_partitioned_tile[] = {
  C ("n", "A loop is split into 2 to n loops.")
  C ("partition", "The second part begins at one of the n loops, and innerpart_factor is at least 1.")
  C ("extent", "Loop i does not run at all, or more than 2^31 times.")
  C ("decision", "The decision is a list of n factors.")
};

static const LsCondition sample_compute_location[] = {
  C ("decision", "The decision of sample_compute_location is a number: -2 inline it, -1 leave it, or the position of a loop.")
  LEGAL_NOT_ROOT
};

static const LsCondition set_axis_separator[] = {
  C ("separators", "Separators of A are numbers from 0 to n that do not fall; n does not fit.")
  LEGAL_NOT_ROOT LEGAL_NOT_VIEW BUFFER_OF_NAME LEGAL_ACCESS_BUFFER BUFFER_OF_INDEX
};

static const LsCondition set_scope[] = {
  LEGAL_ACCESS_BUFFER LEGAL_STORAGE_SCOPE LEGAL_ALLOCATED BUFFER_OF_NAME BUFFER_OF_INDEX
};

static const LsCondition split[] = {
  C ("no-factors", "split needs at least one factor.")
  C ("several-open-factors", "Only one factor of split may be None.")
  C ("factor-too-large", "Factor n is a larger number than the type that the loop counts in holds.")
  C ("factor-not-positive", "Factor n is not positive; factors are at least 1.")
  C ("factors-too-small", "The factors reach fewer iterations than loop i has.")
  C ("factors-too-large", "The factors reach further than the type of loop i counts.")
  LEGAL_PLAIN_LOOP LEGAL_STARTS_AT_ZERO
};

static const LsCondition storage_align[] = {
  C ("factor", "The factor of storage_align is at least 1.")
  C ("axis", "A has n dimensions, so there is no dimension n.")
  C ("annotation", "The annotation buffer_dim_align of block b is no list of alignments.")
  LEGAL_ACCESS_BUFFER LEGAL_ALLOCATED BUFFER_OF_NAME BUFFER_OF_INDEX
};

static const LsCondition tensorize[] = {
  W ("reads-own-output", "Block b reads elements of A that its init begins anew in another round; with the init before all rounds they are lost; a strict schedule refuses it.")
  C ("unknown-intrin", "There is no tensor intrinsic x; it has to be registered first.")
  C ("mismatch", "The block or loop is not what the intrinsic describes; the first difference is named.")
  LEGAL_NOT_ROOT LEGAL_LOOP LEGAL_SINGLE_CHILD
};

static const LsCondition transform_block_layout[] = {
  C ("bindings", "The variables of block b are not bound to the loops around it, one to one and in order.")
  C ("not-from-zero", "A variable of block b does not start at 0.")
  C ("arity", "The map takes n indices, but block b has n variables.")
  C ("mixed-types", "Index n of the map is made of spatial and reduction variables of block b together.")
  C ("not-one-to-one", "The map is not one to one over the variables of block b.")
  C ("too-large", "Block b would run further than the type of its variables counts.")
  W ("guard", "The guard of block b keeps loop i, which goes.")
  W ("reach", "Index n of the map does not begin at 0 for the first rounds of block b, or goes backwards; the new loop would miss them; a strict schedule refuses it.")
  LEGAL_STARTS_AT_ZERO LEGAL_NOT_ROOT LEGAL_SINGLE_CHILD KEEPS_ORDER
};

static const LsCondition transform_layout[] = {
  W ("parameter", "A is a parameter: whoever calls the function has to lay it out in the new way.")
  C ("arity", "The map takes n indices, but A has n dimensions.")
  C ("pad-type", "The value of the padding is not of the type of the elements of A.")
  C ("pad-arity", "The value of the padding is a function of the n new indices with one result.")
  C ("pad-load", "The value of the padding reads another buffer than A.")
  C ("not-one-to-one", "The map takes several elements of A to one place, or is not affine.")
  C ("padding", "The new layout of A has elements that the old one has not, and there is no pad_value.")
  BUFFER_OF_NAME LEGAL_ACCESS_BUFFER LEGAL_NOT_ROOT LEGAL_NOT_VIEW BUFFER_OF_INDEX
  W ("matched", "B is matched on A and keeps its shape, so it would show other elements.")
};

static const LsCondition unsafe_hide_buffer_access[] = {
  C ("buffer-type", "buf_type is another word; there are read and write.")
  C ("buffer-index", "Block b has fewer buffers than the number asks for.")
  W ("hidden", "What block b writes is no longer known; later steps may move it wrongly.")
};

static const LsCondition unsafe_set_dtype[] = {
  C ("dtype", "The dtype is no type of elements.")
  W ("rounding", "A then holds another type; results may change.")
  LEGAL_ACCESS_BUFFER LEGAL_ALLOCATED BUFFER_OF_NAME BUFFER_OF_INDEX
};

static const struct {
  const char        *primitive;
  const LsCondition *conditions;
  guint              n;
} TABLE[] = {
  { "add_unit_loop", add_unit_loop, G_N_ELEMENTS (add_unit_loop) },
  { "unannotate", unannotate, G_N_ELEMENTS (unannotate) },
  { "annotate_buffer_access", annotate_buffer_access, G_N_ELEMENTS (annotate_buffer_access) },
  { "blockize", blockize, G_N_ELEMENTS (blockize) },
  { "cache_index", cache_index, G_N_ELEMENTS (cache_index) },
  { "cache_inplace", cache_inplace, G_N_ELEMENTS (cache_inplace) },
  { "cache_read", cache_read, G_N_ELEMENTS (cache_read) },
  { "cache_write", cache_write, G_N_ELEMENTS (cache_write) },
  { "compute_at", compute_at, G_N_ELEMENTS (compute_at) },
  { "reverse_compute_at", reverse_compute_at, G_N_ELEMENTS (reverse_compute_at) },
  { "compute_inline", compute_inline, G_N_ELEMENTS (compute_inline) },
  { "read_at", read_at, G_N_ELEMENTS (read_at) },
  { "write_at", write_at, G_N_ELEMENTS (write_at) },
  { "decompose_padding", decompose_padding, G_N_ELEMENTS (decompose_padding) },
  { "decompose_reduction", decompose_reduction, G_N_ELEMENTS (decompose_reduction) },
  { "parallel", parallel, G_N_ELEMENTS (parallel) },
  { "unroll", unroll, G_N_ELEMENTS (unroll) },
  { "vectorize", vectorize, G_N_ELEMENTS (vectorize) },
  { "bind", bind, G_N_ELEMENTS (bind) },
  { "fuse", fuse, G_N_ELEMENTS (fuse) },
  { "get_block", get_block, G_N_ELEMENTS (get_block) },
  { "get_producers", get_producers, G_N_ELEMENTS (get_producers) },
  { "get_consumers", get_consumers, G_N_ELEMENTS (get_consumers) },
  { "loop_partition", loop_partition, G_N_ELEMENTS (loop_partition) },
  { "merge", merge, G_N_ELEMENTS (merge) },
  { "pad_einsum", pad_einsum, G_N_ELEMENTS (pad_einsum) },
  { "reindex", reindex, G_N_ELEMENTS (reindex) },
  { "reindex_cache_read", reindex_cache_read, G_N_ELEMENTS (reindex_cache_read) },
  { "reindex_cache_write", reindex_cache_write, G_N_ELEMENTS (reindex_cache_write) },
  { "reorder", reorder, G_N_ELEMENTS (reorder) },
  { "reorder_block_iter_var", reorder_block_iter_var, G_N_ELEMENTS (reorder_block_iter_var) },
  { "reverse_compute_inline", reverse_compute_inline, G_N_ELEMENTS (reverse_compute_inline) },
  { "rfactor", rfactor, G_N_ELEMENTS (rfactor) },
  { "rolling_buffer", rolling_buffer, G_N_ELEMENTS (rolling_buffer) },
  { "sample_categorical", sample_categorical, G_N_ELEMENTS (sample_categorical) },
  { "sample_perfect_tile", sample_perfect_tile, G_N_ELEMENTS (sample_perfect_tile) },
  { "sample_partitioned_tile", sample_partitioned_tile, G_N_ELEMENTS (sample_partitioned_tile) },
  { "sample_compute_location", sample_compute_location, G_N_ELEMENTS (sample_compute_location) },
  { "set_axis_separator", set_axis_separator, G_N_ELEMENTS (set_axis_separator) },
  { "set_scope", set_scope, G_N_ELEMENTS (set_scope) },
  { "split", split, G_N_ELEMENTS (split) },
  { "storage_align", storage_align, G_N_ELEMENTS (storage_align) },
  { "tensorize", tensorize, G_N_ELEMENTS (tensorize) },
  { "transform_block_layout", transform_block_layout, G_N_ELEMENTS (transform_block_layout) },
  { "transform_layout", transform_layout, G_N_ELEMENTS (transform_layout) },
  { "unsafe_hide_buffer_access", unsafe_hide_buffer_access, G_N_ELEMENTS (unsafe_hide_buffer_access) },
  { "unsafe_set_dtype", unsafe_set_dtype, G_N_ELEMENTS (unsafe_set_dtype) },
};

const LsCondition *
ls_instruction_conditions (const LsInstruction *instruction,
                           guint               *n)
{
  for (guint i = 0; i < G_N_ELEMENTS (TABLE); i++)
    if (strcmp (TABLE[i].primitive, instruction->name) == 0)
      {
        *n = TABLE[i].n;
        return TABLE[i].conditions;
      }
  *n = 0;
  return NULL;
}
