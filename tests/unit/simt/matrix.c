/* Tensor cores and asynchronous copies in the simulator: where the lanes keep the elements of a tile, as the PTX manual's pictures have it; products
 * that are the program's, and each barrier missed; what goes wrong with instructions of a whole warp and with copies that nobody waits for. */
#include "tests/unit/simt/support.h"

#include <string.h>

/* ---- layouts -------------------------------------------------------------------------------- */

/* Read off the manual's pictures: lane and register of some elements of each operand. */
static const struct { LsSimtTile tile; guint rows, columns, bits, row, column, lane, number; } PLACES[] = {
  /* m16n8k16, float16 */
  { LS_SIMT_TILE_A, 16, 16, 16, 0, 0, 0, 0 }, { LS_SIMT_TILE_A, 16, 16, 16, 0, 1, 0, 1 }, { LS_SIMT_TILE_A, 16, 16, 16, 8, 0, 0, 2 },
  { LS_SIMT_TILE_A, 16, 16, 16, 0, 8, 0, 4 }, { LS_SIMT_TILE_A, 16, 16, 16, 8, 9, 0, 7 }, { LS_SIMT_TILE_A, 16, 16, 16, 1, 2, 5, 0 },
  { LS_SIMT_TILE_A, 16, 16, 16, 7, 7, 31, 1 }, { LS_SIMT_TILE_A, 16, 16, 16, 15, 15, 31, 7 },
  { LS_SIMT_TILE_B, 16, 8, 16, 0, 0, 0, 0 }, { LS_SIMT_TILE_B, 16, 8, 16, 1, 0, 0, 1 }, { LS_SIMT_TILE_B, 16, 8, 16, 8, 0, 0, 2 },
  { LS_SIMT_TILE_B, 16, 8, 16, 2, 0, 1, 0 }, { LS_SIMT_TILE_B, 16, 8, 16, 0, 1, 4, 0 }, { LS_SIMT_TILE_B, 16, 8, 16, 15, 7, 31, 3 },
  { LS_SIMT_TILE_C, 16, 8, 32, 0, 0, 0, 0 }, { LS_SIMT_TILE_C, 16, 8, 32, 0, 1, 0, 1 }, { LS_SIMT_TILE_C, 16, 8, 32, 8, 0, 0, 2 },
  { LS_SIMT_TILE_C, 16, 8, 32, 1, 2, 5, 0 }, { LS_SIMT_TILE_C, 16, 8, 32, 15, 7, 31, 3 },
  /* m16n8k8, float16 */
  { LS_SIMT_TILE_A, 16, 8, 16, 8, 1, 0, 3 }, { LS_SIMT_TILE_A, 16, 8, 16, 3, 6, 15, 0 }, { LS_SIMT_TILE_B, 8, 8, 16, 7, 7, 31, 1 },
  /* m16n8k32, int8: four to a register */
  { LS_SIMT_TILE_A, 16, 32, 8, 0, 3, 0, 3 }, { LS_SIMT_TILE_A, 16, 32, 8, 8, 0, 0, 4 }, { LS_SIMT_TILE_A, 16, 32, 8, 0, 16, 0, 8 },
  { LS_SIMT_TILE_A, 16, 32, 8, 15, 31, 31, 15 }, { LS_SIMT_TILE_B, 32, 8, 8, 4, 0, 1, 0 }, { LS_SIMT_TILE_B, 32, 8, 8, 16, 0, 0, 4 },
  { LS_SIMT_TILE_B, 32, 8, 8, 31, 7, 31, 7 }, { LS_SIMT_TILE_C, 16, 8, 32, 8, 7, 3, 3 },
  /* m8n8k4, float64: one to a lane of A and B */
  { LS_SIMT_TILE_A, 8, 4, 64, 3, 2, 14, 0 }, { LS_SIMT_TILE_B, 4, 8, 64, 2, 3, 14, 0 }, { LS_SIMT_TILE_C, 8, 8, 64, 7, 7, 31, 1 },
};

static void
test_places (void)
{
  static const struct { LsSimtTile tile; guint rows, columns, bits; } TILES[] = {
    { LS_SIMT_TILE_A, 16, 16, 16 }, { LS_SIMT_TILE_B, 16, 8, 16 }, { LS_SIMT_TILE_C, 16, 8, 32 }, { LS_SIMT_TILE_A, 32, 16, 16 }, { LS_SIMT_TILE_B, 16, 32, 16 },
    { LS_SIMT_TILE_A, 16, 32, 8 }, { LS_SIMT_TILE_B, 32, 16, 8 }, { LS_SIMT_TILE_A, 16, 8, 32 }, { LS_SIMT_TILE_C, 16, 16, 16 }, { LS_SIMT_TILE_A, 8, 4, 64 },
  };
  guint lane, number, row, column;

  for (guint i = 0; i < G_N_ELEMENTS (PLACES); i++)
    {
      g_assert_true (ls_simt_tile_place (PLACES[i].tile, PLACES[i].rows, PLACES[i].columns, PLACES[i].bits, PLACES[i].row, PLACES[i].column, &lane, &number));
      if (lane != PLACES[i].lane || number != PLACES[i].number)
        g_error ("case %u: lane %u, number %u", i, lane, number);
    }
  for (guint i = 0; i < G_N_ELEMENTS (TILES); i++)
    for (guint l = 0; l < 32; l++)
      for (guint k = 0; k < TILES[i].rows * TILES[i].columns / 32; k++)
        {
          g_assert_true (ls_simt_tile_element (TILES[i].tile, TILES[i].rows, TILES[i].columns, TILES[i].bits, l, k, &row, &column));
          g_assert_true (ls_simt_tile_place (TILES[i].tile, TILES[i].rows, TILES[i].columns, TILES[i].bits, row, column, &lane, &number));
          g_assert_cmpuint (lane, ==, l);
          g_assert_cmpuint (number, ==, k);
        }
  g_assert_false (ls_simt_tile_place (LS_SIMT_TILE_A, 12, 16, 16, 0, 0, &lane, &number));
  g_assert_false (ls_simt_tile_place (LS_SIMT_TILE_A, 16, 16, 16, 16, 0, &lane, &number));
  g_assert_false (ls_simt_tile_element (LS_SIMT_TILE_A, 16, 16, 16, 0, 8, &row, &column));
}

/* ---- products --------------------------------------------------------------------------------- */

/* waits: for asynchronous copies. */
static const struct { const char *name, *steps, *barriers, *waits; guint products; } PRODUCTS[] = {
  { "wmma", "2_wmma.py", "xx", "", 4 * 4 * 4 }, { "mma", "3_mma.py", "xx", "", 2 * 4 * 4 * 4 }, { "async", "4_async.py", NULL, NULL, 2 * 4 * 4 * 4 },
};

static void
same_bytes (GPtrArray *a,
            GPtrArray *b)
{
  for (guint i = 0; i < a->len; i++)
    {
      LsNDArray *x = a->pdata[i], *y = b->pdata[i];
      gsize n = x->tensor.dtype.bits / 8;

      for (int d = 0; d < x->tensor.ndim; d++)
        n *= (gsize) x->tensor.shape[d];
      g_assert_cmpmem (x->tensor.data, n, y->tensor.data, n);
    }
}

static void
no_findings (LsSimtRun *run)
{
  for (guint i = 0; i < run->findings->len; i++)
    g_error ("%s", ((LsSimtFinding *) run->findings->pdata[i])->text);
}

typedef struct { const char *name; guint at, wanted; } Taking;

static LsNode *
take_call (LsRewriter *rewriter,
           LsNode     *node,
           gpointer    data)
{
  Taking *taking = data;
  LsExpr *value = ls_is (node, EVALUATE) ? ((LsEvaluate *) node)->value : NULL;

  if (ls_is (node, ATTR_STMT) && strcmp (((LsAttrStmt *) node)->attr_key, taking->name) == 0 && taking->at++ == taking->wanted)
    return LS_NODE (ls_rewrite (rewriter, ((LsAttrStmt *) ((LsAttrStmt *) node)->body)->body));
  if (value != NULL && ls_is_call (value, taking->name) && taking->at++ == taking->wanted)
    return LS_NODE (ls_evaluate_zero ());
  return ls_rewrite_default (rewriter, node);
}

static guint
count_kind (LsSimtRun        *run,
            LsSimtFindingKind kind)
{
  guint n = 0;

  for (guint i = 0; i < run->findings->len; i++)
    n += ((LsSimtFinding *) run->findings->pdata[i])->kind == kind;
  return n;
}

/* Each call (or attribute with what it waits for) of the name taken out in turn: `kind` is found where `needed` has an x, nothing where it has a
 * dot; NULL: it is found each time, and there is one to take out. */
static void
take_each (LsPrimFunc       *lowered,
           const char       *name,
           const char       *needed,
           LsSimtFindingKind kind)
{
  for (guint n = 0;; n++)
    {
      Taking taking = { name, 0, n };
      g_autoptr (LsNode) body = ls_rewrite_with (lowered->body, take_call, &taking);
      g_autoptr (LsPrimFunc) broken = ls_pass_with_body (lowered, body);
      g_autoptr (GPtrArray) arrays = ls_test_arrays (lowered, 7);
      g_autoptr (LsSimtRun) run = NULL;

      if (needed != NULL)
        g_assert_cmpuint (taking.at, ==, strlen (needed));
      if (n >= taking.at)
        {
          g_assert_true (n > 0 || (needed != NULL && *needed == 0));
          return;
        }
      run = simt_test_run (broken, arrays, NULL);
      if ((count_kind (run, kind) > 0) != (needed == NULL || needed[n] == 'x'))
        g_error ("without %s %u of %u: %u findings", name, n + 1, taking.at, count_kind (run, kind));
    }
}

static void
test_product (gconstpointer data)
{
  guint at = GPOINTER_TO_UINT (data);
  g_autofree char *file = g_strconcat ("../data/samples/gpu/history/matmul_f16/", PRODUCTS[at].steps, NULL);
  g_autofree char *program = ls_test_read ("../data/samples/gpu/history/matmul_f16/program.py", NULL), *steps = ls_test_read (file, NULL);
  GString *text = g_string_new (program);
  g_autoptr (LsPrimFunc) plain = NULL;
  g_autoptr (LsPrimFunc) scheduled = NULL;
  g_autoptr (LsPrimFunc) lowered = NULL;
  g_autoptr (GPtrArray) expected = NULL;
  g_autoptr (GPtrArray) arrays = NULL;
  g_autoptr (GPtrArray) again = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (LsSimtRun) run = NULL;
  g_autoptr (LsSimtRun) fast = NULL;
  LsSimtOptions unchecked = { .unchecked = TRUE };

  g_string_replace (text, "256", "64", 0);
  plain = simt_test_read (text->str, "");
  scheduled = simt_test_read (text->str, steps);
  lowered = simt_test_lower_for (scheduled, "cuda -arch=sm_80");
  expected = ls_test_arrays (plain, 7);
  arrays = ls_test_arrays (plain, 7);
  again = ls_test_arrays (plain, 7);
  ls_test_interpret (NULL, plain, expected, &error);
  g_assert_no_error (error);
  run = simt_test_run (lowered, arrays, NULL);
  no_findings (run);
  same_bytes (expected, arrays);
  g_assert_cmpuint (g_array_index (run->kernels, LsSimtKernel, 0).matrix_ops, ==, PRODUCTS[at].products);
  fast = simt_test_run (lowered, again, &unchecked);
  same_bytes (expected, again);
  take_each (lowered, "tir.tvm_storage_sync", PRODUCTS[at].barriers, LS_SIMT_RACE);
  take_each (lowered, "async_wait_queue_scope", PRODUCTS[at].waits, LS_SIMT_PENDING);
  g_string_free (text, TRUE);
}

/* ---- by hand ------------------------------------------------------------------------------------ */

typedef struct {
  const char *name;
  const char *parameters;
  const char *body;             /* the body begins in line 6 */
  int         kind;             /* -1: no finding; -2: refused or failed with `says` */
  guint       line;
  const char *says;
} Case;

#define HALVES "A: T.Buffer((256,), \"float16\"), B: T.Buffer((256,), \"float16\"), C: T.Buffer((256,), \"float32\")"
#define FRAGMENTS(threads) \
  "with T.launch_thread(\"blockIdx.x\", 1) as b:\n" \
  "    F = T.allocate([256], \"float16\", \"wmma.matrix_a\")\n" \
  "    G = T.allocate([256], \"float16\", \"wmma.matrix_b\")\n" \
  "    H = T.allocate([256], \"float32\", \"wmma.accumulator\")\n" \
  "    t = T.launch_thread(\"threadIdx.x\", " threads ")\n"
#define LOAD_A "T.evaluate(T.tvm_load_matrix_sync(F, 16, 16, 16, 0, T.tvm_access_ptr(T.type_annotation(\"float16\"), A.data, 0, 256, 1), 16, \"row_major\"))\n"
#define LOAD_B "T.evaluate(T.tvm_load_matrix_sync(G, 16, 16, 16, 0, T.tvm_access_ptr(T.type_annotation(\"float16\"), B.data, 0, 256, 1), 16, \"row_major\"))\n"
#define FILL "T.evaluate(T.tvm_fill_fragment(H, 16, 16, 16, 0, T.float32(0)))\n"
#define MULTIPLY "T.evaluate(T.tvm_mma_sync(H, 0, F, 0, G, 0, H, 0))\n"
#define STORE "T.evaluate(T.tvm_store_matrix_sync(H, 16, 16, 16, 0, T.tvm_access_ptr(T.type_annotation(\"float32\"), C.data, 0, 256, 2), 16, \"row_major\"))\n"
#define COPIES \
  "with T.launch_thread(\"blockIdx.x\", 1) as b:\n" \
  "    S_data = T.allocate([256], \"float16\", \"shared\")\n" \
  "    t = T.launch_thread(\"threadIdx.x\", 32)\n" \
  "    S = T.Buffer((256,), \"float16\", data=S_data, scope=\"shared\")\n"
#define COPY "    T.evaluate(T.ptx_cp_async(\"float16\", S_data, t * 8, A.data, t * 8, 16))\n"
#define COMMIT "    T.evaluate(T.ptx_commit_group())\n"
#define WAIT "    T.evaluate(T.ptx_wait_group(0))\n"
#define SYNC "    T.evaluate(T.tvm_storage_sync(\"shared\"))\n"
#define READ_OWN "    B[t * 8] = S[t * 8]\n"
#define READ_OTHER "    B[t * 8] = S[248 - t * 8]\n"

static const Case CASES[] = {
  { "a product of fragments", HALVES, FRAGMENTS ("32") "    " FILL "    " LOAD_A "    " LOAD_B "    " MULTIPLY "    " STORE, -1, 0, NULL },
  { "half a warp", HALVES, FRAGMENTS ("32") "    if t < 16:\n        " FILL, LS_SIMT_PARTIAL, 12, "thread (0, 0, 0) of block (0, 0, 0) does, not thread (16, 0, 0)" },
  { "a warp with fewer threads", HALVES, FRAGMENTS ("16") "    " FILL, LS_SIMT_PARTIAL, 11, "its warp has fewer threads" },
  { "a fragment that nobody filled", HALVES, FRAGMENTS ("32") "    " LOAD_A "    " LOAD_B "    " MULTIPLY, LS_SIMT_UNWRITTEN, 13, "of H (fragment memory) is read in line 13" },
  { "two warps store one tile", HALVES, FRAGMENTS ("64") "    " FILL "    " LOAD_A "    " LOAD_B "    " MULTIPLY "    T.evaluate(T.tvm_fill_fragment(H, 16, 16, 16, 0, T.Cast(\"float32\", t // 32)))\n    " STORE,
    LS_SIMT_RACE, 16, "Race on element" },
  { "a tile outside of its buffer", HALVES,
    FRAGMENTS ("32") "    T.evaluate(T.tvm_load_matrix_sync(F, 16, 16, 16, 0, T.tvm_access_ptr(T.type_annotation(\"float16\"), A.data, 16, 256, 1), 16, \"row_major\"))\n",
    LS_SIMT_BOUNDS, 11, "A is accessed at 256 in line 11" },
  { "a fragment that is not there", HALVES, FRAGMENTS ("32") "    T.evaluate(T.tvm_fill_fragment(H, 16, 16, 16, 1, T.float32(0)))\n", LS_SIMT_BOUNDS, 11, "H is accessed at 256" },
  { "a tile that is not aligned", HALVES,
    FRAGMENTS ("32") "    T.evaluate(T.tvm_load_matrix_sync(F, 16, 16, 16, 0, T.tvm_access_ptr(T.type_annotation(\"float16\"), A.data, 1, 255, 1), 8, \"row_major\"))\n", -2, 11,
    "a tile begins at byte 2 of A; these fragments come from and go to multiples of 32" },
  { "rows that are not aligned", HALVES,
    FRAGMENTS ("32") "    T.evaluate(T.tvm_load_matrix_sync(F, 16, 16, 16, 0, T.tvm_access_ptr(T.type_annotation(\"float16\"), A.data, 0, 255, 1), 9, \"row_major\"))\n", -2, 11,
    "the rows of a tile in A are 18 bytes apart" },
  { "lanes that do not agree", HALVES, FRAGMENTS ("32") "    T.evaluate(T.tvm_fill_fragment(H, 16, 16, 16, t, T.float32(0)))\n", -2, 11, "the number of a fragment is 0 in lane 0 of a warp and 1 in lane 1" },
  { "a shape that there is not", HALVES, FRAGMENTS ("32") "    T.evaluate(T.tvm_fill_fragment(H, 12, 16, 16, 0, T.float32(0)))\n", -2, 11, "tiles of 12 x 16 of float32 are not run here" },

  { "a copy that is waited for", HALVES, COPIES COPY COMMIT WAIT READ_OWN, -1, 0, NULL },
  { "a copy that is not waited for", HALVES, COPIES COPY COMMIT READ_OWN, LS_SIMT_PENDING, 12, "is read in line 12 by thread (0, 0, 0) of block (0, 0, 0) while an asynchronous copy of thread (0, 0, 0)" },
  { "a copy that is in no group", HALVES, COPIES COPY WAIT READ_OWN, LS_SIMT_PENDING, 12, "into it in line 10 is under way" },
  { "a group that may be under way", HALVES, COPIES COPY COMMIT "    T.evaluate(T.ptx_wait_group(1))\n" READ_OWN, LS_SIMT_PENDING, 13, "not waited for" },
  { "the copy of another thread, with a barrier", HALVES, COPIES COPY COMMIT WAIT SYNC READ_OTHER, -1, 0, NULL },
  { "the copy of another thread, without a barrier", HALVES, COPIES COPY COMMIT WAIT READ_OTHER, LS_SIMT_RACE, 13, "with no barrier between them" },
  { "the copy of another thread, a barrier before the wait", HALVES, COPIES COPY COMMIT SYNC WAIT READ_OTHER, LS_SIMT_RACE, 14, "with no barrier between them" },
  { "a write into a copy", HALVES, COPIES COPY COMMIT "    S[t * 8] = T.float16(0)\n" WAIT, LS_SIMT_PENDING, 12, "is written in line 12" },
  { "a copy that is not aligned", HALVES, COPIES "    T.evaluate(T.ptx_cp_async(\"float16\", S_data, t * 8, A.data, t * 8 + 1, 16))\n", -2, 10, "an asynchronous copy of 16 bytes is at byte 2 of A" },
  { "a copy of a size that there is not", HALVES, COPIES "    T.evaluate(T.ptx_cp_async(\"float16\", S_data, t * 8, A.data, t * 8, 2))\n", -2, 10, "4, 8 or 16 bytes" },
  { "a copy of zeros where a condition does not hold", HALVES,
    COPIES "    T.evaluate(T.ptx_cp_async(\"float16\", S_data, t * 8, A.data, t * 8, 16, t < 31))\n" COMMIT WAIT READ_OWN, -1, 0, NULL },

  { "ldmatrix with a row that is not aligned", HALVES,
    COPIES "    R = T.allocate([8], \"float16\", \"local\")\n    S[t * 8] = A[t * 8]\n" SYNC
    "    T.evaluate(T.ptx_ldmatrix(\"float16\", T.bool(False), 4, \".b16\", R, 0, T.tvm_access_ptr(T.type_annotation(\"float16\"), S_data, 0, 256, 1), t * 8 + 4))\n", -2, 13,
    "lane 0 of a warp gives T.ptx_ldmatrix a row at byte 8 of S" },
  { "registers that nobody loaded", HALVES,
    COPIES "    R = T.allocate([8], \"float16\", \"local\")\n    Q = T.allocate([4], \"float32\", \"local\")\n    T.evaluate(T.mma_fill(\"float32\", 4, Q, 0))\n"
    "    T.evaluate(T.ptx_mma(\"float32\", \"m16n8k8\", \"row\", \"col\", \"fp16\", \"fp16\", \"fp32\", R, 0, R, 4, Q, 0, T.bool(False)))\n", LS_SIMT_UNWRITTEN, 13, "of R (local memory)" },
};

static LsSimtRun *
run_case (const Case *c,
          GError    **error)
{
  g_auto (GStrv) lines = g_strsplit (c->body, "\n", -1);
  g_autofree char *indented = g_strjoinv ("\n    ", lines);
  g_autofree char *program = g_strdup_printf ("from tvm.script import tir as T\n\n@T.prim_func\ndef main(%s):\n    T.func_attr({\"tir.noalias\": True})\n    %s\n", c->parameters, indented);
  g_autoptr (LsPrimFunc) func = simt_test_read (program, "");
  g_autoptr (GPtrArray) arrays = ls_test_arrays (func, 1);

  return simt_test_try (func, arrays, NULL, error);
}

static void
test_case (gconstpointer data)
{
  const Case *c = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (LsSimtRun) run = run_case (c, &error);

  if (c->kind == -2)
    {
      g_autofree char *line = g_strdup_printf ("ine %u:", c->line);

      g_assert_null (run);
      if (strstr (error->message, c->says) == NULL || strstr (error->message, line) == NULL)
        g_error ("\"%s\" of line %u is not in: %s", c->says, c->line, error->message);
      return;
    }
  g_assert_no_error (error);
  if (c->kind == -1)
    {
      no_findings (run);
      return;
    }
  g_assert_cmpuint (run->findings->len, >, 0);
  {
    LsSimtFinding *f = run->findings->pdata[0];

    if ((int) f->kind != c->kind || f->line != c->line || strstr (f->text, c->says) == NULL)
      g_error ("\"%s\" in line %u is not: %s (line %u, %s)", c->says, c->line, f->text, f->line, ls_simt_finding_name (f->kind));
  }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/simt/matrix/places", test_places);
  for (guint i = 0; i < G_N_ELEMENTS (PRODUCTS); i++)
    {
      g_autofree char *path = g_strconcat ("/simt/matrix/", PRODUCTS[i].name, NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_product);
    }
  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      g_autofree char *path = g_strconcat ("/simt/matrix/", CASES[i].name, NULL);

      g_test_add_data_func (path, &CASES[i], test_case);
    }
  return g_test_run ();
}
