/* Access regions that are found for blocks which give none. */
#include "engine/script/parser.h"
#include "engine/script/printer.h"
#include "engine/tir/regions.h"
#include "tests/support/support.h"

typedef struct {
  const char *name;
  const char *body;             /* of the function, four spaces in; A, B: (16, 16), C: (16,) float32 */
  const char *reads, *writes;   /* of the first marked block; NULL: an error is expected */
} Case;

#define GRID \
  "    for i, j in T.grid(16, 16):\n" \
  "        with T.block(\"b\"):\n" \
  "            vi, vj = T.axis.remap(\"SS\", [i, j])\n"
#define LOOP \
  "    for i in range(16):\n" \
  "        with T.block(\"b\"):\n" \
  "            vi = T.axis.spatial(16, i)\n"

static const Case cases[] = {
  { "point", GRID "            B[vi, vj] = A[vj, vi] + T.float32(1)\n", "A[vj, vi]", "B[vi, vj]" },
  { "point-as-written", GRID "            B[vi, vj] = A[vi + 0 - 0, 15 - vj]\n", "A[vi, 15 - vj]", "B[vi, vj]" },
  { "order", GRID "            B[vi, vj] = C[vi] + A[vi, vj] + C[vj]\n", "C[T.min(vi, vj):T.min(vi, vj) + (T.max(vi, vj) + 1 - T.min(vi, vj))], A[vi, vj]", "B[vi, vj]" },
  { "loop", LOOP
    "            for k in range(16):\n"
    "                C[vi] = A[vi, k] + B[k, k]\n", "A[vi, 0:16], B[0:16, 0:16]", "C[vi]" },
  { "loop-affine", LOOP
    "            for k in range(4):\n"
    "                C[vi] = A[vi, k * 2 + 3]\n", "A[vi, 3:10]", "C[vi]" },
  { "unit-loop", LOOP
    "            for k in range(1):\n"
    "                C[vi + k] = A[vi, k]\n", "A[vi, 0]", "C[vi]" },
  { "union", GRID "            B[vi, vj] = A[vi, vj] + A[vi, vj + 2]\n", "A[vi, vj:vj + 3]", "B[vi, vj]" },
  { "reduction", "    for i, k in T.grid(16, 16):\n"
    "        with T.block(\"b\"):\n"
    "            vi, vk = T.axis.remap(\"SR\", [i, k])\n"
    "            with T.init():\n"
    "                C[vi] = T.float32(0)\n"
    "            C[vi] = C[vi] + A[vi, vk]\n", "A[vi, vk]", "C[vi]" },
  { "update-without-init", "    for i, k in T.grid(16, 16):\n"
    "        with T.block(\"b\"):\n"
    "            vi, vk = T.axis.remap(\"SR\", [i, k])\n"
    "            C[vi] = C[vi] + A[vi, vk]\n", "C[vi], A[vi, vk]", "C[vi]" },
  { "if-narrows-loop", LOOP
    "            for k in range(16):\n"
    "                if 2 <= k and k < 5:\n"
    "                    C[k] = A[vi, k]\n", "A[vi, 2:5]", "C[2:5]" },
  { "else-narrows-loop", LOOP
    "            for k in range(16):\n"
    "                if k < 5:\n"
    "                    C[k] = T.float32(0)\n"
    "                else:\n"
    "                    C[k] = A[vi, k]\n", "A[vi, 5:16]", "C[0:16]" },
  { "if-then-else-narrows", LOOP
    "            for k in range(16):\n"
    "                C[k] = T.if_then_else(k >= 3, A[vi, k], T.float32(0))\n", "A[vi, 3:16]", "C[0:16]" },
  { "condition-of-two-narrows-nothing", LOOP
    "            for k, l in T.grid(16, 16):\n"
    "                if k + l < 4:\n"
    "                    C[vi] = A[k, l]\n", "A[0:16, 0:16]", "C[vi]" },
  { "let", LOOP
    "            with T.LetStmt(vi // 2) as t:\n"
    "                C[t] = A[vi, t + 1]\n", "A[vi, vi // 2 + 1]", "C[vi // 2]" },
  { "data-dependent", LOOP "            C[vi] = A[vi, T.Cast(\"int32\", C[vi])]\n", "A[vi, 0:16], C[vi]", "C[vi]" },
  { "match-buffer", LOOP
    "            M = T.match_buffer(A[vi, 4:12], (8,), strides=(1,), offset_factor=1)\n"
    "            for k in range(4):\n"
    "                C[vi] = M[k]\n", "A[vi, 4:8]", "C[vi]" },
  { "nested", LOOP
    "            for k in range(16):\n"
    "                with T.block(\"inner\"):\n"
    "                    vk = T.axis.spatial(16, k)\n"
    "                    B[vi, vk] = A[vk, vi]\n", "A[0:16, vi]", "B[vi, 0:16]" },
  { "allocation-inside", LOOP
    "            t = T.alloc_buffer((4,))\n"
    "            t[0] = A[vi, vi]\n"
    "            C[vi] = t[0]\n", "A[vi, vi]", "C[vi]" },
  { "vector", LOOP "            C[T.Ramp(0, 2, 4)] = A[vi, T.Ramp(0, 2, 4)]\n", "A[vi, 0:7]", "C[0:7]" },
  { "access-ptr-read", LOOP
    "            T.evaluate(T.tvm_access_ptr(T.type_annotation(\"float32\"), A.data, 0, 16, 1))\n"
    "            C[vi] = T.float32(0)\n", "A[0:16, 0:16]", "C[vi]" },
  { "access-ptr-write", LOOP
    "            T.evaluate(T.tvm_access_ptr(T.type_annotation(\"float32\"), B.data, 0, 16, 2))\n", "", "B[0:16, 0:16]" },
  { "opaque", LOOP "            T.evaluate(T.call_extern(\"int32\", \"f\", A.data))\n", NULL, NULL },
};

static char *
script_of (const Case *c)
{
  return g_strconcat ("from tvm.script import tir as T\n\n"
                      "@T.prim_func\n"
                      "def main(A: T.Buffer((16, 16), \"float32\"), B: T.Buffer((16, 16), \"float32\"), C: T.Buffer((16,), \"float32\")):\n",
                      c->body, NULL);
}

static LsWalk
find_block (LsNode  *node,
            gpointer out)
{
  if (!ls_is (node, BLOCK) || strcmp (((LsBlock *) node)->name_hint, "b") != 0)
    return LS_WALK_CONTINUE;
  *(LsBlock **) out = (LsBlock *) node;
  return LS_WALK_STOP;
}

static char *
regions_text (LsArray *regions)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < ls_array_n (regions); i++)
    {
      g_autofree char *text = ls_script_print (regions->items[i], NULL, NULL);

      g_string_append_printf (out, "%s%s", i > 0 ? ", " : "", g_strchomp (text));
    }
  return g_string_free (out, FALSE);
}

static void
test_case (gconstpointer data)
{
  const Case *c = data;
  g_autofree char *text = script_of (c);
  g_autoptr (LsSource) source = ls_source_new (c->name, text, -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, diagnostics);
  g_autofree char *findings = ls_diagnostics_print (diagnostics);
  g_autofree char *reads = NULL;
  g_autofree char *writes = NULL;
  LsBlock *block = NULL;

  if (c->reads == NULL)
    {
      g_assert_true (ls_diagnostics_has_error (diagnostics));
      g_assert_cmpstr (ls_diagnostics_get (diagnostics, 0)->code, ==, "tir/opaque-access");
      return;
    }
  g_assert_cmpstr (findings, ==, "");
  ls_walk (module, find_block, NULL, &block);
  g_assert_nonnull (block);
  g_assert_null (ls_map_get (block->annotations, LS_DETECT_ACCESS));
  reads = regions_text (block->reads);
  writes = regions_text (block->writes);
  g_assert_cmpstr (reads, ==, c->reads);
  g_assert_cmpstr (writes, ==, c->writes);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/tir/regions/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  return g_test_run ();
}
