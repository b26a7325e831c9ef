/* model: what each cause alone would take, counted for each innermost statement.
 *
 * A round of the innermost body costs issue slots: two vectors of arithmetic, two loads and one store a cycle; a sum waits
 * four cycles for the one before it, nine when it goes through memory (which tests/own/verdicts.py holds to the clock).  What lies in loops that are unrolled or vectorised
 * shares its loads.  The caches are those of engine/tir/traffic.h; lines of which one element is used are counted here.
 * That is the execution-cache-memory model (Treibig and Hager 2009) with the simplification that the largest part hides
 * most of the others.
 */
#include "engine/advice/advice.h"
#include "engine/advice/nest.h"

#include "engine/tir/traffic.h"

#include <math.h>

#define SUM_CYCLES 4.0          /* one addition or multiply-add */
#define FORWARD_CYCLES 5.0      /* a stored value that is loaded again */
#define PIECES_CYCLES 60.0      /* the same of a vector that was stored in pieces */
#define CALL_CYCLES 24.0        /* expf, with what is saved around the call */
#define INSTEAD_OPERATIONS 45.0 /* of arithmetic instead of it, in vectors */
#define CALLS_TOGETHER 0.7
#define CALLS_IN_PIECES 1.15
#define WINDOW 96.0             /* rounds that a core works on at once: of a short sum those of the next ones are among them */
#define WRONG_CYCLES 20.0       /* of a branch that went the other way */
#define SHORT 8                 /* rounds */
#define LOOP_CYCLES 1.5         /* a round of a loop */
#define START_SECONDS 6e-6      /* of the threads behind a parallel loop */
#define SHARED_SECONDS 8e-9     /* a store to a line that another core has just written */
#define LINE 64
#define PAGE 4096
#define NEAR_PAGES 64           /* whose places a core knows without asking */
#define L2_SECONDS 2e-9         /* a line from behind each cache, of which several are under way */
#define L3_SECONDS 10e-9
#define DRAM_SECONDS 22e-9
#define HIDDEN 0.25             /* what of the smaller parts is not hidden */
#define IN_PIECES 0.3
#define SELF_VECTORISED 0.5     /* of the lanes, where LLVM vectorises a loop by itself */
#define SELF_UNROLLED 4.0       /* vectors in a round of such a loop */

static const char *const names[LS_CAUSE_N] = {
  "arithmetic", "bandwidth", "latency", "chain", "loads", "overhead", "lanes", "calls", "cores", "sharing", "threads",
};

const char *
ls_cause_name (LsCause cause)
{
  return names[cause];
}

static void
cost_free (gpointer data)
{
  g_free (((LsNestCost *) data)->name);
  g_free (data);
}

/* ---- lanes and sums --------------------------------------------------------------- */

static const LsNestAccess *
store_of (const LsNest *nest)
{
  return nest->accesses->pdata[nest->accesses->len - 1];
}

static gboolean
is_sum (const LsNest       *nest,
        const LsNestAccess *access)
{
  return nest->is_reduction && access->buffer == store_of (nest)->buffer;
}

/* A choice between one load and a number becomes a load with a mask, by LLVM itself; between several loads it stays a branch for each number, also where
 * the loop is vectorised. */
static gboolean
may_mask (const LsNest *nest)
{
  return nest->accesses->len <= 2;
}

/* Numbers of a register that are used; *width: how many it has of this type. */
static double
lanes_of (const LsNest          *nest,
          const LsAdviceMachine *machine,
          double                *width)
{
  guint v = ls_nest_vector (nest), inner = nest->n_loops - 1;
  gboolean plain = TRUE;

  *width = MAX (1.0, machine->lanes * 4.0 / (double) store_of (nest)->bytes);
  if (v < nest->n_loops && nest->masked)
    return store_of (nest)->strides[v] == 1 && may_mask (nest) && (double) nest->extents[v] >= *width ? MAX (1.0, *width * SELF_VECTORISED) : 1.0;
  if (v < nest->n_loops && store_of (nest)->strides[v] == 1)
    {
      double vectors = ceil ((double) nest->extents[v] / *width), used = (double) nest->extents[v] / vectors;

      /* What is left over of several vectors of sums is written and read in pieces, which does not go on while the pieces are under way. */
      return vectors > 1.0 && nest->is_reduction && used < *width ? MAX (1.0, used * IN_PIECES) : used;
    }
  if (v < nest->n_loops)
    return 1.0;
  if (nest->n_loops == 0 || nest->loops[inner]->kind == LS_FOR_UNROLLED || (nest->conditional && (!nest->masked || !may_mask (nest))) || ls_nest_calls (nest)
      || store_of (nest)->strides[inner] != 1)
    return 1.0;
  for (guint i = 0; i < nest->accesses->len; i++)
    {
      gint64 stride = ((LsNestAccess *) nest->accesses->pdata[i])->strides[inner];

      plain = plain && (stride == 0 || stride == 1);
    }
  return plain && !nest->init_inside && nest->extents[inner] >= 2 * *width ? MAX (1.0, *width * SELF_VECTORISED) : 1.0;
}

/* Trailing loops that are unrolled or vectorised begin here. */
static guint
flat_from (const LsNest *nest)
{
  guint i = nest->n_loops;

  while (i > 0 && ls_nest_is_flat (nest, i - 1))
    i--;
  return i;
}

/* Sums side by side inside the innermost loop of the reduction, in numbers. */
static double
sums_of (const LsNest *nest,
         gboolean     *flat)
{
  guint r = ls_nest_reduce (nest);
  double n = 1.0;

  *flat = TRUE;
  for (guint i = r + 1; i < nest->n_loops; i++)
    {
      n *= (double) MAX (nest->extents[i], 1);
      *flat = *flat && ls_nest_is_flat (nest, i);
    }
  /* Reduction loops that are unrolled are one long body: what is between them is side by side too. */
  while (r < nest->n_loops && r > 0 && ls_nest_is_flat (nest, r) && ls_nest_is_flat (nest, r - 1))
    {
      r--;
      if (nest->drives[r] == LS_DRIVES_SPATIAL)
        n *= (double) MAX (nest->extents[r], 1);
    }
  return n;
}

/* ---- loads and stores ------------------------------------------------------------------ */

double
ls_advice_vector_loads (gint64 n,
                        gint64 width)
{
  double loads = (double) (n / width);
  guint rest = (guint) (n % width);

  for (guint pieces = 0; rest > 0; rest &= rest - 1)
    loads += pieces++ == 0 ? 1.0 : 2.0;
  return loads;
}

/* Instructions for one round of the body. */
static double
instructions_of (const LsNest       *nest,
                 const LsNestAccess *access,
                 double              lanes,
                 double              width)
{
  guint v = ls_nest_vector (nest);
  double n = 1.0;

  for (guint i = flat_from (nest); i < nest->n_loops; i++)
    if (access->strides[i] == 0 && nest->extents[i] > 0)
      n /= (double) nest->extents[i];
  if (v < nest->n_loops && access->strides[v] == 1)
    n *= lanes > 1.0 ? MAX (ls_advice_vector_loads (nest->extents[v], (gint64) width) / (double) nest->extents[v], 1.0 / lanes) : 1.0;
  else if (v == nest->n_loops && lanes > 1.0 && access->strides[nest->n_loops - 1] == 1)
    n /= lanes;
  return n;
}

/* The sum stays in a register while the innermost loops go round: nothing but the reduction is inside it, LLVM takes the first round out and stores
 * behind the last one; with tiles inside, that takes a start of its own.  A call leaves no vector register as it was. */
static gboolean
may_stay (const LsNest *nest,
          gboolean      flat)
{
  return flat && !ls_nest_calls (nest) && (!nest->init_inside || ls_nest_reduce (nest) + 1 == nest->n_loops);
}

/* Sums of a vector that are stored and loaded around a call, and are not as many as a register has: in pieces, which are not there yet when they are
 * loaded together. */
static gboolean
in_pieces (const LsNest *nest)
{
  guint v = ls_nest_vector (nest);

  return v < nest->n_loops && ls_nest_calls (nest) && (nest->extents[v] & (nest->extents[v] - 1)) != 0;
}

/* Rounds of one sum. */
static double
rounds_of (const LsNest *nest)
{
  double n = 1.0;

  for (guint i = 0; i < nest->n_loops; i++)
    n *= (nest->drives[i] & LS_DRIVES_REDUCTION) != 0 ? (double) MAX (nest->extents[i], 1) : 1.0;
  return n;
}

/* The larger of two is taken by a branch where there are no vectors: of n numbers in any order about ln n are larger than all before. */
static double
wrong_branches (const LsNest *nest,
                double        lanes)
{
  double n = rounds_of (nest);

  return nest->chooses && nest->is_reduction && lanes <= 1.0 ? (log (n) + 0.58) / n : 0.0;
}

/* Of a call alone.  The numbers of half a register are called for one after the other, without what a loop costs in between; those of more are put
 * aside around each call, in pieces that a call does not leave as they were. */
static double
call_share (const LsNest          *nest,
            const LsAdviceMachine *machine)
{
  guint v = ls_nest_vector (nest);

  if (v == nest->n_loops || !ls_nest_calls (nest))
    return 1.0;
  return nest->extents[v] <= MAX (4, machine->lanes / 2) ? CALLS_TOGETHER : CALLS_IN_PIECES;
}

static void
count_core (LsNestCost            *cost,
            const LsNest          *nest,
            const LsAdviceMachine *machine)
{
  double width, lanes = lanes_of (nest, machine, &width), cycle = 1.0 / machine->hertz;
  guint v = ls_nest_vector (nest);
  double at_once = machine->at_once > 0 ? MAX (1.0, width * machine->at_once / machine->lanes) : width;
  gboolean flat = TRUE, sums = nest->is_reduction && ls_nest_reduce (nest) < nest->n_loops, by_itself = lanes > 1.0 && ls_nest_vector (nest) == nest->n_loops;
  double side = sums ? sums_of (nest, &flat) : 0.0, loads = 0.0, stores = 0.0, body = 1.0;
  double instead, called = ls_nest_called (nest, &instead);
  double operations = (sums && nest->flop >= 2.0 ? nest->flop - 1.0 : nest->flop) + instead * INSTEAD_OPERATIONS;

  cost->lanes = lanes;
  cost->chains = sums ? MAX (1.0, side / lanes) : 0.0;
  cost->in_registers = sums && may_stay (nest, flat) && cost->chains <= machine->registers - 2;
  for (guint i = flat_from (nest); i < nest->n_loops; i++)
    body *= (double) MAX (nest->extents[i], 1);
  /* Vectors of choices between loads are numbers with a branch each. */
  if (nest->masked && !may_mask (nest))
    body = 1.0;
  /* A short loop of a sum is written out by LLVM. */
  if (sums && body <= 1.0 && ls_nest_reduce (nest) + 1 == nest->n_loops && nest->extents[nest->n_loops - 1] <= SHORT)
    body *= (double) nest->extents[nest->n_loops - 1];
  for (guint i = 0; i < nest->accesses->len; i++)
    {
      const LsNestAccess *access = nest->accesses->pdata[i];
      double n = instructions_of (nest, access, lanes, width);

      if (is_sum (nest, access))
        n = cost->in_registers ? 0.0 : 1.0 / lanes;
      if (v == nest->n_loops || access->strides[v] != 0)
        n *= MAX (1.0, lanes / at_once);
      if (access->is_write)
        stores += n;
      else
        loads += n;
    }
  cost->by_cause[LS_CAUSE_ARITHMETIC] = nest->runs * operations / at_once / 2.0 * cycle;
  if (lanes < at_once)
    cost->by_cause[LS_CAUSE_LANES] = nest->runs * MAX (operations, 1.0) / lanes / 2.0 * cycle;
  cost->by_cause[LS_CAUSE_LOADS] = nest->runs * MAX (loads / 2.0, stores) * cycle;
  if (sums)
    cost->by_cause[LS_CAUSE_CHAIN] = nest->runs * (SUM_CYCLES + (may_stay (nest, flat) ? 0.0 : in_pieces (nest) ? PIECES_CYCLES : FORWARD_CYCLES))
                                     / MAX (MAX (side, WINDOW / rounds_of (nest)), 1.0) * cycle;
  cost->by_cause[LS_CAUSE_CALLS] = nest->runs * called * CALL_CYCLES * call_share (nest, machine) * cycle;
  cost->by_cause[LS_CAUSE_OVERHEAD] = nest->runs * (LOOP_CYCLES / (by_itself ? MAX (body, lanes * SELF_UNROLLED) : body) + (nest->init_inside && !may_stay (nest, flat) ? 1.0 / lanes : 0.0) + (nest->conditional ? 2.0 / lanes : 0.0)
                                                     + wrong_branches (nest, lanes) * WRONG_CYCLES) * cycle;
}

/* ---- lines of which little is used -------------------------------------------------------- */

static const double line_costs[3] = { L2_SECONDS, L3_SECONDS, DRAM_SECONDS };

/* Lines that far strides leave room for: those of one set push each other out. */
static double
room_of (const LsAdviceMachine *machine,
         int                    level,
         gint64                 stride)
{
  gint64 ways = level < 2 ? 8 : 16, way = machine->cache[level] / ways, common = LINE;

  while (common < way && stride % (2 * common) == 0)
    common *= 2;
  return (double) ways * MAX (1.0, (double) way / (double) common);
}

static gboolean
moves (const LsNestAccess *access,
       const LsNest       *nest,
       guint               loop)
{
  return access->strides[loop] != 0 && nest->extents[loop] > 1;
}

/* Rounds in which an access may come to another line: what loops inside of those that move it repeat stays on the same one, and one that goes along
 * a line comes to the next when it is at its end. */
static double
lines_of_rounds (const LsNest       *nest,
                 const LsNestAccess *access)
{
  guint last = nest->n_loops;
  double rounds = 1.0;

  while (last > 0 && !moves (access, nest, last - 1))
    last--;
  for (guint i = 0; i < last; i++)
    {
      double bytes = access->strides[i] != LS_STRIDE_UNKNOWN ? (double) ABS (access->strides[i]) * (double) access->bytes : LINE;

      rounds *= i + 1 == last && bytes < LINE ? MAX (1.0, (double) nest->extents[i] * bytes / LINE) : (double) MAX (nest->extents[i], 1);
    }
  return rounds;
}

/* Lines that are touched where no loop goes along one: none is used twice before many others. */
static double
lone_seconds (const LsNest          *nest,
              const LsNestAccess    *access,
              const LsAdviceMachine *machine)
{
  double rounds = lines_of_rounds (nest, access), lines = rounds, all = (double) access->bytes;
  int level = 0;
  gint64 extent;

  for (guint k = 0; k < ls_array_n (access->buffer->shape); k++)
    all *= ls_as_int (ls_array_at (access->buffer->shape, k, LsExpr), &extent) ? (double) extent : 1.0;
  lines = MIN (lines, ceil (all / LINE));
  if (machine->n_levels == 0 || lines * LINE <= (double) machine->cache[0])
    return 0.0;
  while (level + 1 < machine->n_levels && lines * LINE > (double) machine->cache[level + 1])
    level++;
  return rounds * line_costs[MIN (level, 2)];
}

static double
line_seconds (const LsNest          *nest,
              const LsNestAccess    *access,
              const LsAdviceMachine *machine)
{
  double lines = 1.0, misses = 1.0;
  gint64 far = LINE;
  int level = 0;
  guint unit = nest->n_loops;
  gboolean moved = FALSE;

  if (access->is_gather)
    return lone_seconds (nest, access, machine);
  for (guint i = 0; i < nest->n_loops; i++)
    {
      gint64 stride = access->strides[i];

      if (stride == LS_STRIDE_UNKNOWN)
        return 0.0;
      moved |= moves (access, nest, i);
      if (stride != 0 && ABS (stride) * access->bytes < LINE && nest->extents[i] > 1)
        unit = i;
    }
  if (unit == nest->n_loops)
    return moved ? lone_seconds (nest, access, machine) : 0.0;
  for (guint i = unit + 1; i < nest->n_loops; i++)
    if (access->strides[i] != 0 && nest->extents[i] > 1)
      {
        lines *= (double) nest->extents[i];
        far = ABS (access->strides[i]) * access->bytes;
      }
  if (machine->n_levels == 0 || lines <= room_of (machine, 0, far))
    return 0.0;
  while (level + 1 < machine->n_levels && lines > room_of (machine, level + 1, far))
    level++;
  for (guint i = 0; i < nest->n_loops; i++)
    misses *= access->strides[i] != 0 || i < unit ? (double) MAX (nest->extents[i], 1) : 1.0;
  return misses * line_costs[MIN (level, 2)];
}

/* What a loop reads again in each of its rounds lies a stride apart by which it pushes itself out of a cache that has room for it: a panel of a
 * matrix whose rows are a power of two long.  What there is no room for at all is counted with the memory. */
static double
conflict_seconds (const LsNest          *nest,
                  const LsNestAccess    *access,
                  const LsAdviceMachine *machine)
{
  double lines = 1.0, rounds = 1.0;
  gint64 far = 0;
  guint again = nest->n_loops;
  int room = -1, space = -1;

  for (guint i = nest->n_loops; i-- > 0 && again == nest->n_loops;)
    {
      gint64 stride = access->strides[i], bytes;

      if (stride == LS_STRIDE_UNKNOWN)
        return 0.0;
      bytes = ABS (stride) * access->bytes;
      if (bytes >= LINE && nest->extents[i] > 1)
        {
          lines *= (double) nest->extents[i];
          far = far == 0 ? bytes : MIN (far, bytes);      /* what lies between fills the sets */
        }
      else if (stride == 0 && far > 0 && nest->extents[i] > 1)
        again = i;
    }
  if (again == nest->n_loops)
    return 0.0;
  for (int i = 0; i < machine->n_levels; i++)
    {
      room = lines > room_of (machine, i, far) ? i : room;
      space = lines * LINE > (double) machine->cache[i] ? i : space;
    }
  for (guint i = 0; i <= again; i++)
    rounds *= (double) MAX (nest->extents[i], 1);
  /* From the second cache lines come while others are computed with, unless each lies in a page of its own. */
  if (room == 0 && space < 0 && far >= PAGE && lines > NEAR_PAGES)
    return rounds * lines * L2_SECONDS;
  return room > space && room > 0 ? rounds * lines * LINE / (machine->gb_per_s[room] * 1e9) : 0.0;
}

/* ---- threads --------------------------------------------------------------------- */

static void
count_threads (LsNestCost            *cost,
               const LsNest          *nest,
               const LsAdviceMachine *machine,
               GHashTable            *started)
{
  double entries = 1.0, rounds = 1.0;
  gboolean inside = FALSE, shares = FALSE, first = FALSE;

  for (guint i = 0; i < nest->n_loops; i++)
    if (nest->loops[i]->kind == LS_FOR_PARALLEL)
      {
        gint64 stride = store_of (nest)->strides[i];

        first |= g_hash_table_add (started, nest->loops[i]);
        inside = TRUE;
        rounds *= (double) MAX (nest->extents[i], 1);
        /* A core gets rounds that follow each other: what it writes shares lines where this is hardly more than one. */
        shares |= stride != LS_STRIDE_UNKNOWN && stride != 0
                  && (double) (ABS (stride) * store_of (nest)->bytes * nest->extents[i]) / machine->cores < LINE;
      }
    else if (!inside)
      entries *= (double) MAX (nest->extents[i], 1);
  cost->cores = 1.0;
  if (!inside)
    return;
  cost->cores = rounds / ceil (rounds / machine->cores);
  /* Blocks in one loop start its threads once. */
  cost->by_cause[LS_CAUSE_THREADS] = first ? entries * START_SECONDS : 0.0;
  if (shares && cost->cores > 1.0)
    cost->by_cause[LS_CAUSE_SHARING] = nest->runs / cost->cores / (cost->in_registers ? (double) nest->extents[ls_nest_reduce (nest)] : 1.0) * SHARED_SECONDS;
}

/* ---- together -------------------------------------------------------------------------- */

static LsNestCost *
cost_nest (const LsNest          *nest,
           const LsAdviceMachine *machine,
           GHashTable            *started)
{
  LsNestCost *cost = g_new0 (LsNestCost, 1);
  double largest = 0.0, sum = 0.0;

  cost->name = g_strdup (nest->block != NULL ? nest->block->name_hint : "");
  cost->block = nest->block;
  cost->runs = nest->runs;
  cost->flop = nest->runs * nest->flop;
  count_core (cost, nest, machine);
  count_threads (cost, nest, machine, started);
  for (guint i = 0; i < nest->accesses->len; i++)
    if (!is_sum (nest, nest->accesses->pdata[i]) || ((LsNestAccess *) nest->accesses->pdata[i])->is_write)
      cost->by_cause[LS_CAUSE_LATENCY] += line_seconds (nest, nest->accesses->pdata[i], machine) + conflict_seconds (nest, nest->accesses->pdata[i], machine);
  for (int i = 0; i < LS_CAUSE_CORES; i++)
    {
      cost->by_cause[i] /= cost->cores;
      largest = MAX (largest, cost->by_cause[i]);
      sum += i == LS_CAUSE_ARITHMETIC || i == LS_CAUSE_LANES ? 0.0 : cost->by_cause[i];
    }
  /* What a sum waits for is the call before it, too. */
  if (ls_nest_calls (nest) && largest > cost->by_cause[LS_CAUSE_CHAIN])
    sum += cost->by_cause[LS_CAUSE_CHAIN] * (1.0 / HIDDEN - 1.0);
  cost->seconds = largest + HIDDEN * MAX (0.0, sum - largest) + cost->by_cause[LS_CAUSE_THREADS] + cost->by_cause[LS_CAUSE_SHARING];
  if (cost->cores < machine->cores)
    cost->by_cause[LS_CAUSE_CORES] = cost->seconds * (1.0 - cost->cores / machine->cores);
  return cost;
}

double
ls_nests_seconds (GPtrArray             *nests,
                  const LsAdviceMachine *machine)
{
  g_autoptr (GHashTable) started = g_hash_table_new (NULL, NULL); /* of LsFor */
  double sum = 0.0;

  for (guint i = 0; i < nests->len; i++)
    {
      LsNestCost *cost = cost_nest (nests->pdata[i], machine, started);

      sum += cost->seconds;
      cost_free (cost);
    }
  return sum;
}

/* A run touches so many bytes at most: the least distance between two rounds, but no more than a line. */
static double
bytes_of_run (const LsNestAccess *access,
              const LsNest       *nest)
{
  gint64 least = LINE;

  for (guint i = 0; i < nest->n_loops; i++)
    if (access->strides[i] != LS_STRIDE_UNKNOWN && access->strides[i] != 0 && nest->extents[i] > 1)
      least = MIN (least, ABS (access->strides[i]) * access->bytes);
  return (double) least;
}

/* Runs that touch something else than the one before: loops that do not move an access touch the same again. */
static double
runs_that_move (const LsNestAccess *access,
                const LsNest       *nest)
{
  double runs = nest->runs;

  for (guint i = 0; i < nest->n_loops; i++)
    if (!moves (access, nest, i) && nest->extents[i] > 1)
      runs /= (double) nest->extents[i];
  return runs;
}

/* Lines come whole: so many bytes are touched at most, of one buffer (NULL: of all). */
static double
most_touched (GPtrArray *nests,
              LsBuffer  *buffer)
{
  double sum = 0.0;

  for (guint i = 0; nests != NULL && i < nests->len; i++)
    {
      const LsNest *nest = nests->pdata[i];

      for (guint a = 0; a < nest->accesses->len; a++)
        if (buffer == NULL || ((LsNestAccess *) nest->accesses->pdata[a])->buffer == buffer)
          sum += (buffer != NULL ? runs_that_move (nest->accesses->pdata[a], nest) : nest->runs) * bytes_of_run (nest->accesses->pdata[a], nest);
    }
  return sum > 0.0 ? sum : G_MAXDOUBLE; /* it is touched by what is no statement of its own */
}

double
ls_advice_touched (LsPrimFunc *func)
{
  g_autofree char *loop = NULL;
  g_autoptr (GPtrArray) nests = ls_nests_of (func, &loop);

  return most_touched (nests, NULL);
}

/* Each once, as far as it is touched. */
static double
bytes_of_params (LsPrimFunc *func,
                 GPtrArray  *nests)
{
  double sum = 0.0;

  for (guint i = 0; i < ls_array_n (func->params); i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);
      double bytes = buffer != NULL ? (double) ls_dtype_bytes (buffer->dtype) : 0.0;

      for (guint k = 0; buffer != NULL && k < ls_array_n (buffer->shape); k++)
        {
          gint64 extent;

          bytes *= ls_as_int (ls_array_at (buffer->shape, k, LsExpr), &extent) ? (double) extent : 1.0;
        }
      sum += nests != NULL && buffer != NULL ? MIN (bytes, most_touched (nests, buffer)) : bytes;
    }
  return sum;
}

/* The last cache is others' too. */
gboolean
ls_advice_fits (const LsAdviceMachine *machine,
                int                    level,
                double                 bytes)
{
  return bytes <= (double) machine->cache[level] * (level > 1 ? 0.5 : 1.0);
}

/* The level that holds most, with the cores that work. */
static void
count_memory (LsAdviceCost          *self,
              LsPrimFunc            *func,
              LsModule              *module,
              const LsAdviceMachine *machine,
              double                 most,  /* bytes, that are touched */
              double                 cores)
{
  g_autoptr (LsCostTable) costs = ls_cost_table_new_in (func, module);

  self->level = -1;
  self->flop = MAX (costs->flop, 0.0);
  for (int i = 0; i < machine->n_levels; i++)
    {
      gboolean shared = i == machine->n_levels - 1;
      double fits = ls_advice_fits (machine, i, self->least_bytes) ? 0.0 : 1.0, seconds;

      self->bytes[i] = MIN (ls_cost_traffic (func, costs, machine->cache[i]), most);
      /* What fits whole is there from the call before. */
      seconds = MAX (self->bytes[i], 0.0) * fits / (machine->gb_per_s[i] * 1e9 * (shared ? MIN (cores, 1.5) : cores));
      if (seconds > self->memory_seconds)
        {
          self->memory_seconds = seconds;
          self->level = i;
        }
    }
}

LsAdviceCost *
ls_advice_cost_new (LsPrimFunc            *func,
                    LsModule              *module,
                    const LsAdviceMachine *machine)
{
  LsAdviceCost *self = g_new0 (LsAdviceCost, 1);
  g_autoptr (GPtrArray) nests = ls_nests_of (func, &self->loop);
  g_autoptr (GHashTable) started = g_hash_table_new (NULL, NULL); /* of LsFor */
  double core = 0.0, busy = 0.0;

  self->level = -1;
  self->nests = g_ptr_array_new_with_free_func (cost_free);
  self->least_bytes = bytes_of_params (func, nests);
  for (guint i = 0; nests != NULL && i < nests->len; i++)
    {
      LsNestCost *cost = cost_nest (nests->pdata[i], machine, started);

      core += cost->seconds;
      busy += cost->seconds * cost->cores;
      g_ptr_array_add (self->nests, cost);
    }
  if (nests == NULL)
    {
      g_autoptr (GPtrArray) guessed = ls_nests_guess (func);

      self->guess = ls_nests_seconds (guessed, machine);
      return self;
    }
  count_memory (self, func, module, machine, most_touched (nests, NULL), core > 0.0 ? MAX (1.0, busy / core) : 1.0);
  self->seconds = MAX (core, self->memory_seconds) + HIDDEN * MIN (core, self->memory_seconds);
  return self;
}

void
ls_advice_cost_free (LsAdviceCost *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->nests);
  g_free (self->loop);
  g_free (self);
}
