/* recipe-tile: a tile of sums in registers.
 *
 * Rows and columns of the result become the innermost loops, inside those of the reduction: the columns are vectors, the
 * rows are unrolled, the sums start before the reduction and end after it.  Which sizes fit the registers and keep the
 * multipliers busy is counted; what is read with a stride along the columns, or along long columns, is packed first.
 * Source of the idea: K. Goto, R. van de Geijn, "Anatomy of high-performance matrix multiplication", ACM TOMS 34 (3), 2008.
 */
#include "engine/advice/recipe.h"

#include <math.h>
#include <string.h>

#define MOST_TILES 3

typedef struct {
  gint64 rows, columns;
  double cycles;                /* for one round of the reduction and number of the result; less is better */
} Tile;

typedef enum {
  ORDER_ROWS,                   /* rows outside columns */
  ORDER_COLUMNS,                /* columns outside rows: what belongs to a column stays near */
  ORDER_BLOCKS,                 /* blocks of rows outside columns, their rows inside: the rows of a block stay in the second cache */
  ORDER_SUMS,                   /* a part of the reduction outside both */
  ORDER_N
} Order;

typedef struct {
  LsRecipes    *all;
  const LsNest *nest;
  guint         row, column;    /* loops; row: n_loops when there is none */
  Order         order;
  gboolean      pack, spread, follow;
  gboolean      pad;            /* rows and columns are filled up to whole tiles */
  Tile          tile;
} Plan;

static gint64
whole (gint64 extent,
       gint64 size)
{
  return (extent + size - 1) / size;
}

/* ---- sizes ----------------------------------------------------------------------- */

static gint
compare_tiles (gconstpointer a,
               gconstpointer b)
{
  const Tile *x = a, *y = b;

  return (x->cycles > y->cycles) - (x->cycles < y->cycles);
}

static gint64
bytes_of (const LsNest *nest)
{
  return ((LsNestAccess *) nest->accesses->pdata[nest->accesses->len - 1])->bytes;
}

/* So many columns of all rounds of the reduction do not fit half of the first cache. */
static gboolean
is_long (const LsNest          *nest,
         const LsAdviceMachine *machine,
         gint64                 columns)
{
  gint64 rounds = 1;

  for (guint i = nest->scope; i < nest->n_loops; i++)
    rounds *= nest->drives[i] == LS_DRIVES_REDUCTION ? nest->extents[i] : 1;
  return machine->n_levels > 0 && machine->gb_per_s[0] > 0.0 && rounds * columns * bytes_of (nest) > machine->cache[0] / 2;
}

/* A loop that is none is divided by 1. */
static gboolean
divides (const LsNest *nest,
         guint         loop,
         gint64        size)
{
  return size == 1 || (loop < nest->n_loops && !nest->given[loop] && nest->extents[loop] % size == 0);
}

/* Loads of a round of the reduction: what a row or a column has of its own is loaded for each; a vector takes so many turns. */
static double
loads_of (const LsNest *nest,
          guint         row,
          guint         column,
          gint64        rows,
          gint64        columns,
          gint64        width,
          double        turns)
{
  double loads = 0.0;

  for (guint i = 0; i + 1 < nest->accesses->len; i++)
    {
      const LsNestAccess *access = nest->accesses->pdata[i];
      double of_rows = row < nest->n_loops && access->strides[row] != 0 ? (double) rows : 1.0;

      if (access->buffer == ((LsNestAccess *) nest->accesses->pdata[nest->accesses->len - 1])->buffer)
        continue;
      /* What is far apart will be packed, or is not proposed. */
      loads += of_rows * (access->strides[column] == 0 ? 1.0 : turns * ls_advice_vector_loads (columns, width));
    }
  return loads;
}

/* Sizes that divide the loops, or any with `pad`; the best first. (transfer full) of Tile */
static GArray *
list_tiles (const LsRecipes *all,
            const LsNest    *nest,
            guint            row,
            guint            column,
            gboolean         pad)
{
  GArray *tiles = g_array_new (FALSE, FALSE, sizeof (Tile));
  gint64 most_rows = row < nest->n_loops ? MIN (nest->extents[row], 16) : 1, most_columns = MIN (nest->extents[column], 4 * ls_recipe_lanes (all, nest));
  const LsAdviceMachine *machine = all->machine;
  double width = (double) ls_recipe_lanes (all, nest), at_once = machine->at_once > 0 ? width * machine->at_once / machine->lanes : width;

  for (gint64 rows = 1; rows <= most_rows; rows++)
    for (gint64 columns = 2; columns <= most_columns; columns++)
      {
        double vectors = ceil ((double) columns / width), sums = (double) rows * vectors, slots, turns = fmax (1.0, fmin ((double) columns, width) / at_once);
        Tile tile = { rows, columns, 0.0 };

        if ((!pad && (!divides (nest, row, rows) || !divides (nest, column, columns)))
            || sums + vectors + 1.0 > machine->registers || (columns > width && columns % ls_recipe_lanes (all, nest) != 0))
          continue;
        slots = fmax (fmax (sums * turns / 2.0, loads_of (nest, row, column, rows, columns, (gint64) width, turns) / 2.0), 4.0);
        /* What the columns read in a tile comes from behind the first cache again for each row of tiles. */
        if (is_long (nest, machine, columns))
          slots += 0.5 * vectors * width * (double) bytes_of (nest) * machine->hertz / (machine->gb_per_s[0] * 1e9);
        /* What is filled up is computed too. */
        if (pad)
          slots *= (row < nest->n_loops ? (double) (whole (nest->extents[row], rows) * rows) / (double) nest->extents[row] : 1.0)
                   * (double) (whole (nest->extents[column], columns) * columns) / (double) nest->extents[column];
        tile.cycles = (slots + 0.5 + 0.05 * (2.0 * vectors + (double) rows)) / (double) (rows * columns);
        g_array_append_val (tiles, tile);
      }
  g_array_sort (tiles, compare_tiles);
  return tiles;
}

/* ---- packing ------------------------------------------------------------------------ */

/* The dimension of a buffer that a read goes through with the variable of a loop, alone; -1: none. */
static gint
dimension_of (const LsNest *nest,
              LsBuffer     *buffer,
              guint         loop,
              guint        *read)
{
  LsVar *var = NULL;

  for (guint i = 0; i < ls_array_n (nest->realize->iter_values); i++)
    if (nest->realize->iter_values->items[i] == LS_NODE (nest->loops[loop]->loop_var))
      var = ls_array_at (nest->block->iter_vars, i, LsIterVar)->var;
  for (guint i = 0; var != NULL && i < ls_array_n (nest->block->reads); i++)
    {
      LsBufferRegion *region = ls_array_at (nest->block->reads, i, LsBufferRegion);

      if (region->buffer != buffer)
        continue;
      *read = i;
      for (guint d = 0; d < ls_array_n (region->region); d++)
        if (ls_array_at (region->region, d, LsRange)->min == LS_EXPR (var))
          return (gint) d;
    }
  return -1;
}

/* Is it needed (else the vectors would be gathered), or may it help? */
static const LsNestAccess *
operand_to_pack (const LsNest *nest,
                 guint         column,
                 gboolean     *needed)
{
  guint r = ls_nest_reduce (nest);
  const LsNestAccess *found = NULL;

  *needed = FALSE;
  for (guint a = 0; a + 1 < nest->accesses->len; a++)
    {
      const LsNestAccess *access = nest->accesses->pdata[a];
      gint64 stride = access->strides[column];
      guint read;

      if (stride == 0 || access->buffer == ((LsNestAccess *) nest->accesses->pdata[nest->accesses->len - 1])->buffer)
        continue;
      if (dimension_of (nest, access->buffer, column, &read) < 0)
        {
          /* Every second or fourth number of a line: shuffled, not gathered. */
          if (stride == LS_STRIDE_UNKNOWN || stride < 1 || stride > 4)
            *needed = TRUE;
          continue;
        }
      if (stride != 1)
        {
          *needed = TRUE;
          return access;
        }
      if (r < nest->n_loops && access->strides[r] != LS_STRIDE_UNKNOWN && access->strides[r] * access->bytes >= 512 && nest->extents[r] >= 32)
        found = access;
    }
  return found;
}

/* The dimension is gone through by a spatial variable alone: a batch. */
static gboolean
goes_with_result (const LsNest *nest,
                  guint         read,
                  guint         dimension)
{
  LsRange *range = ls_array_at (ls_array_at (nest->block->reads, read, LsBufferRegion)->region, dimension, LsRange);

  for (guint i = 0; i < ls_array_n (nest->block->iter_vars); i++)
    {
      LsIterVar *iter = ls_array_at (nest->block->iter_vars, i, LsIterVar);

      if (range->min == LS_EXPR (iter->var))
        return iter->iter_type == LS_ITER_DATA_PAR;
    }
  return FALSE;
}

static gboolean
write_pack (Plan         *plan,
            GString      *steps,
            const LsNestAccess *operand)
{
  guint read = 0, n = ls_buffer_ndim (operand->buffer);
  gint dimension = dimension_of (plan->nest, operand->buffer, plan->column, &read);

  if (dimension < 0)
    return FALSE;
  g_string_append_printf (steps, "packed = sch.cache_read(b, %u, \"global\")\nsch.transform_layout(packed, (\"write\", 0), lambda ", read);
  for (guint d = 0; d < n; d++)
    g_string_append_printf (steps, "%sd%u", d > 0 ? ", " : "", d);
  g_string_append (steps, ": (");
  for (guint d = 0; d < n; d++)
    if (d != (guint) dimension && goes_with_result (plan->nest, read, d))
      g_string_append_printf (steps, "d%u, ", d);
  g_string_append_printf (steps, "d%d // %" G_GINT64_FORMAT ", ", dimension, plan->tile.columns);
  for (guint d = 0; d < n; d++)
    if (d != (guint) dimension && !goes_with_result (plan->nest, read, d))
      g_string_append_printf (steps, "d%u, ", d);
  g_string_append_printf (steps, "d%d %% %" G_GINT64_FORMAT "))\n", dimension, plan->tile.columns);
  g_string_append (steps, "l_packed = sch.get_loops(packed)\n");
  if (dimension == (gint) n - 1)
    g_string_append_printf (steps, "c0, c1 = sch.split(l_packed[%d], factors=[None, %" G_GINT64_FORMAT "])\nsch.vectorize(c1)\n", dimension, plan->tile.columns);
  if (plan->spread && n > 1)
    g_string_append (steps, "sch.parallel(l_packed[0])\n");
  return TRUE;
}

/* ---- loops ---------------------------------------------------------------------------- */

typedef struct {
  GPtrArray *names;             /* of char (owned) */
  GArray    *extents;           /* of gint64 */
} Names;

static void
names_add (Names *self,
           char  *name,
           gint64 extent)
{
  g_ptr_array_add (self->names, name);
  g_array_append_val (self->extents, extent);
}

static void
write_split (GString *steps,
             char     letter,
             guint    loop,
             gint64   inner)
{
  g_string_append_printf (steps, "%c0, %c1 = sch.split(l_b[%u], factors=[None, %" G_GINT64_FORMAT "])\n", letter, letter, loop, inner);
}

/* Part of the reduction that goes outside: a panel of 16 columns fits half of the first cache. */
static gint64
sums_inside (const Plan *plan)
{
  guint r = plan->nest->scope;
  gint64 room = plan->all->machine->cache[0] / 2 / (plan->tile.columns * bytes_of (plan->nest));

  while (r < plan->nest->n_loops && plan->nest->drives[r] != LS_DRIVES_REDUCTION)
    r++;
  return r < plan->nest->n_loops ? ls_recipe_factor (plan->nest, r, MAX (room, 2)) : 1;
}

/* Tiles of a block of rows: what they read for all rounds of the reduction fits half of the second cache.  1: none, or all. */
static gint64
tiles_of_block (const Plan *plan)
{
  gint64 rounds = 1, tiles = whole (plan->nest->extents[plan->row], plan->tile.rows), n;

  for (guint i = plan->nest->scope; i < plan->nest->n_loops; i++)
    rounds *= plan->nest->drives[i] == LS_DRIVES_REDUCTION ? plan->nest->extents[i] : 1;
  if (plan->all->machine->n_levels < 2 || plan->nest->given[plan->row])
    return 1;
  n = ls_recipe_divisor (tiles, plan->all->machine->cache[1] / 2 / (rounds * plan->tile.rows * bytes_of (plan->nest)));
  return n < tiles ? n : 1;
}

/* The size for each variable of the block. */
static void
write_padding (Plan    *plan,
               GString *steps)
{
  const LsNest *nest = plan->nest;

  g_string_append (steps, "sch.pad_einsum(b, [");
  for (guint i = 0; i < ls_array_n (nest->realize->iter_values); i++)
    {
      LsNode *value = nest->realize->iter_values->items[i];
      gint64 size = value == LS_NODE (nest->loops[plan->column]->loop_var) ? plan->tile.columns
                    : plan->row < nest->n_loops && value == LS_NODE (nest->loops[plan->row]->loop_var) ? plan->tile.rows : 1;

      g_string_append_printf (steps, "%s%" G_GINT64_FORMAT, i > 0 ? ", " : "", size);
    }
  g_string_append (steps, "])\nl_b = sch.get_loops(b)\n");
}

static gint64
all_sums (const LsNest *nest)
{
  gint64 n = 1;

  for (guint i = nest->scope; i < nest->n_loops; i++)
    n *= nest->drives[i] == LS_DRIVES_REDUCTION ? nest->extents[i] : 1;
  return n;
}

/* All that is read goes along the columns: written out, LLVM reads the numbers of several rounds of the sum at once, which the registers do not hold. */
static gboolean
all_are_vectors (const Plan *plan)
{
  const LsNest *nest = plan->nest;

  for (guint i = 0; i + 1 < nest->accesses->len; i++)
    if (((LsNestAccess *) nest->accesses->pdata[i])->strides[plan->column] == 0)
      return FALSE;
  return TRUE;
}

static gboolean
write_plan (Plan    *plan,
            GString *steps)
{
  const LsNest *nest = plan->nest;
  gboolean has_row = plan->row < nest->n_loops && plan->tile.rows > 1, needed, parallel = ls_recipe_is_parallel (nest);
  const LsNestAccess *operand = operand_to_pack (nest, plan->column, &needed);
  g_autoptr (GPtrArray) outer_names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) outer_extents = g_array_new (FALSE, FALSE, sizeof (gint64));
  Names outer = { outer_names, outer_extents };
  g_autoptr (GString) sums = g_string_new (NULL), unrolls = g_string_new (NULL);
  const char *first_sum = NULL, *last;
  g_autofree char *first_name = NULL;
  gint64 inside = plan->order == ORDER_SUMS ? sums_inside (plan) : 0, rounds = 1, in_block = plan->order == ORDER_BLOCKS && has_row ? tiles_of_block (plan) : 1;
  guint r_first = nest->n_loops, k = 0;

  ls_recipe_bind (plan->all, steps, "b", nest);
  if (plan->pad)
    write_padding (plan, steps);
  if (plan->pack && (operand == NULL || !write_pack (plan, steps, operand)))
    return FALSE;
  if (!plan->pack && needed)
    return FALSE;
  if (has_row)
    write_split (steps, 'r', plan->row - nest->scope, plan->tile.rows);
  if (plan->order == ORDER_BLOCKS)
    {
      if (!has_row || in_block < 2)
        return FALSE;
      g_string_append_printf (steps, "r2, r3 = sch.split(r0, factors=[None, %" G_GINT64_FORMAT "])\n", in_block);
    }
  write_split (steps, 'c', plan->column - nest->scope, plan->tile.columns);
  for (guint i = nest->scope; i < nest->n_loops; i++)
    if (i == plan->row && has_row)
      {
        if (plan->order == ORDER_ROWS)
          names_add (&outer, g_strdup ("r0"), whole (nest->extents[i], plan->tile.rows));
        else if (plan->order == ORDER_BLOCKS)
          names_add (&outer, g_strdup ("r2"), whole (nest->extents[i], plan->tile.rows) / in_block);
      }
    else if (i == plan->column)
      continue;
    else if (nest->drives[i] == LS_DRIVES_REDUCTION)
      {
        if (r_first == nest->n_loops)
          r_first = i;
        if (i == r_first && inside > 0)
          {
            if (inside == nest->extents[i] || inside < 16)
              return FALSE;
            write_split (steps, 'k', i - nest->scope, inside);
            g_string_append (sums, "k1, ");
          }
        else
          g_string_append_printf (sums, "l_b[%u], ", i - nest->scope);
        if (nest->extents[i] <= 4 && !nest->given[i] && (i > r_first || all_sums (nest) <= 16) && !all_are_vectors (plan))
          g_string_append_printf (unrolls, "sch.unroll(l_b[%u])\n", i - nest->scope);
      }
    else
      names_add (&outer, g_strdup_printf ("l_b[%u]", i - nest->scope), nest->extents[i]);
  if (r_first == nest->n_loops)
    return FALSE;
  names_add (&outer, g_strdup ("c0"), whole (nest->extents[plan->column], plan->tile.columns));
  if (has_row && plan->order == ORDER_BLOCKS)
    names_add (&outer, g_strdup ("r3"), in_block);
  else if (has_row && plan->order != ORDER_ROWS)
    names_add (&outer, g_strdup ("r0"), whole (nest->extents[plan->row], plan->tile.rows));
  first_name = g_strdup_printf ("l_b[%u]", r_first - nest->scope);
  first_sum = inside > 0 ? "k0" : first_name;
  /* With a part of the sums outside, the columns stay outside it and the rows go inside. */
  last = outer_names->pdata[outer_names->len - 1];
  g_string_append (steps, "sch.reorder(");
  for (guint i = 0; i < outer_names->len; i++)
    {
      if (inside > 0 && i + 1 == outer_names->len)
        g_string_append (steps, "k0, ");
      g_string_append_printf (steps, "%s, ", (char *) outer_names->pdata[i]);
    }
  g_string_append_printf (steps, "%s%sc1)\n", sums->str, has_row ? "r1, " : "");
  g_string_append (steps, unrolls->str);
  if (has_row)
    g_string_append (steps, "sch.unroll(r1)\n");
  g_string_append (steps, "sch.vectorize(c1)\n");
  if (inside > 0 && (outer_names->len < 2 || !has_row))
    return FALSE;
  if (plan->spread && !parallel)
    {
      guint most = outer_names->len - (inside > 0 ? 1 : 0);

      while (k < most && rounds < 8 * plan->all->machine->cores)
        rounds *= g_array_index (outer_extents, gint64, k++);
      if (rounds < 2)
        return FALSE;
    }
  if (k > 0)
    {
      g_string_append (steps, k > 1 ? "p = sch.fuse(" : "");
      for (guint i = 0; k > 1 && i < k; i++)
        g_string_append_printf (steps, "%s%s", (char *) outer_names->pdata[i], i + 1 < k ? ", " : ")\n");
      g_string_append_printf (steps, "sch.parallel(%s)\n", k > 1 ? "p" : (char *) outer_names->pdata[0]);
    }
  if (plan->follow)
    {
      const char *at = k == outer_names->len ? k > 1 ? "p" : outer_names->pdata[0] : last;

      if (inside > 0)
        return FALSE;
      g_string_append_printf (steps, "users = sch.get_consumers(b)\nsch.reverse_compute_at(users[0], %s)\nl_u = sch.get_loops(users[0])\nsch.vectorize(l_u[-1])\n", at);
    }
  g_string_append_printf (steps, "sch.decompose_reduction(b, %s)\n", first_sum);
  return TRUE;
}

static gboolean
try_plan (Plan *plan)
{
  static const guint orders[ORDER_N] = { 0, LS_ADVICE_COLUMNS_OUTSIDE, LS_ADVICE_ROWS_IN_BLOCKS, LS_ADVICE_SUMS_OUTSIDE };
  GString *steps = g_string_new (NULL);

  if (!write_plan (plan, steps))
    {
      g_string_free (steps, TRUE);
      return FALSE;
    }
  return ls_recipe_try (plan->all, LS_CAUSE_CHAIN,
                        (LsAdviceMove) { .kind = LS_ADVICE_TILE, .block = plan->nest->block->name_hint, .a = plan->tile.rows, .b = plan->tile.columns,
                                         .flags = orders[plan->order] | (plan->pad ? LS_ADVICE_PADDED : 0u) | (plan->pack ? LS_ADVICE_PACKED : 0u)
                                                  | (plan->spread ? LS_ADVICE_ALL_CORES : 0u) | (plan->follow ? LS_ADVICE_READER_INSIDE : 0u) },
                        steps);
}

/* ---- which loops -------------------------------------------------------------------------- */

/* Rows share what the columns load: a read that goes along the columns and not along the rows; else one that stays the same along
 * the rows. (transfer full) of guint */
static GArray *
list_rows (const LsNest *nest,
           guint         column)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint pass = 0; pass < 2; pass++)
    for (guint i = nest->n_loops; i-- > nest->scope;)
      {
        gboolean shares = FALSE, listed = FALSE;

        if (i == column || nest->drives[i] != LS_DRIVES_SPATIAL || nest->extents[i] < 2)
          continue;
        for (guint a = 0; a + 1 < nest->accesses->len; a++)
          {
            const LsNestAccess *access = nest->accesses->pdata[a];

            shares |= access->strides[i] == 0 && (pass == 1 || access->strides[column] != 0);
          }
        for (guint k = 0; k < rows->len; k++)
          listed |= g_array_index (rows, guint, k) == i;
        if (shares && !listed)
          g_array_append_val (rows, i);
      }
  return rows;
}

/* Another block reads the result. */
static gboolean
has_reader (LsRecipes    *self,
            const LsNest *nest)
{
  LsBuffer *result = ((LsNestAccess *) nest->accesses->pdata[nest->accesses->len - 1])->buffer;

  for (guint i = 0; i < self->nests->len; i++)
    {
      const LsNest *other = self->nests->pdata[i];

      for (guint a = 0; other != nest && a + 1 < other->accesses->len; a++)
        if (((LsNestAccess *) other->accesses->pdata[a])->buffer == result)
          return TRUE;
    }
  return FALSE;
}

/* One size in all orders, packed or not, on one core or all, with the reader inside or not. */
static void
try_tile (LsRecipes    *self,
          const LsNest *nest,
          guint         row,
          guint         column,
          const Tile   *tile,
          gboolean      pad,
          gboolean      may_pack,
          gboolean      must_pack)
{
  gboolean may_spread = self->machine->cores > 1 && !ls_recipe_is_parallel (nest), must_spread = may_spread && nest->runs > 2e7;

  for (Order order = 0; order < ORDER_N; order++)
    for (guint pack = must_pack ? 1 : 0; pack <= (may_pack ? 1u : 0u); pack++)
      for (guint follow = 0; follow < (pad || !has_reader (self, nest) ? 1 : 2); follow++)
        for (guint spread = must_spread ? 1 : 0; spread <= (may_spread ? 1u : 0u); spread++)
          {
            Plan plan = { .all = self, .nest = nest, .row = row, .column = column, .order = order, .pack = pack == 1, .spread = spread == 1,
                          .follow = follow == 1, .pad = pad, .tile = *tile };

            if (order == ORDER_ROWS || row < nest->n_loops)
              try_plan (&plan);
          }
}

static void
tile_nest (LsRecipes    *self,
           const LsNest *nest)
{
  guint column = ls_recipe_unit (nest), none = nest->n_loops;
  g_autoptr (GArray) rows = NULL;
  gboolean needed = FALSE;
  const LsNestAccess *operand;

  if (!ls_recipe_is_fresh (nest) || !nest->is_reduction || !nest->init_inside || column == nest->n_loops || ls_nest_reduce (nest) == nest->n_loops)
    return;
  rows = list_rows (nest, column);
  g_array_append_val (rows, none);
  operand = operand_to_pack (nest, column, &needed);
  for (guint k = 0; k < MIN (rows->len, 3); k++)
    {
      guint row = g_array_index (rows, guint, k);
      g_autoptr (GArray) tiles = list_tiles (self, nest, row, column, FALSE);
      g_autoptr (GArray) padded = list_tiles (self, nest, row, column, TRUE);

      for (guint t = 0; t < MIN (tiles->len, k == 0 ? MOST_TILES : 2); t++)
        try_tile (self, nest, row, column, &g_array_index (tiles, Tile, t), FALSE, operand != NULL, needed);
      /* Filling up is worth a copy where nothing that fits comes near. */
      if (k == 0 && row != none && padded->len > 0
          && (tiles->len == 0 || g_array_index (tiles, Tile, 0).cycles > 1.05 * g_array_index (padded, Tile, 0).cycles))
        for (guint t = 0; t < MIN (padded->len, 2); t++)
          try_tile (self, nest, row, column, &g_array_index (padded, Tile, t), TRUE, operand != NULL, needed);
    }
}

void
ls_recipe_tile (LsRecipes *self)
{
  for (guint i = 0; i < self->nests->len; i++)
    tile_nest (self, self->nests->pdata[i]);
}
