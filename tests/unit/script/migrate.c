/* migrate: each rule on a line of its own; what is no name of TVM stays; a program brought over is the same program. */
#include "engine/ir/ir.h"
#include "engine/script/migrate.h"
#include "engine/script/script.h"
#include "tests/support/support.h"

#include <string.h>

/* (transfer full) */
static char *
migrate (const char *text,
         guint      *n_places)
{
  g_autoptr (LsSource) source = ls_source_new ("old.py", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (GPtrArray) report = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_migration_free);
  char *now = ls_script_migrate (source, report, findings);

  g_assert_cmpuint (ls_diagnostics_get_n (findings), ==, 0);
  if (n_places != NULL)
    *n_places = report->len;
  return now;
}

static const struct { const char *before, *after; } CASES[] = {
  /* modules, by any name that they have */
  { "import tvm\nx = tvm.tir.Var('x', 'int32')\n", "import tvm\nx = tvm.tirx.Var('x', 'int32')\n" },
  { "from tvm import tir\nx = tir.Var('x', 'int32')\n", "from tvm import tirx\nx = tirx.Var('x', 'int32')\n" },
  { "from tvm import tir as t, te\nx = t.Var('x', 'int32')\n", "from tvm import tirx as t, te\nx = t.Var('x', 'int32')\n" },
  { "import tvm.tir as tir\nx = tir.Var('x', 'int32')\n", "import tvm.tirx as tir\nx = tir.Var('x', 'int32')\n" },
  { "from tvm.script import tir as T, ir as I\n", "from tvm.script import tirx as T, ir as I\n" },
  { "from tvm.script.parser import tir as T\n\n@T.prim_func\ndef f():\n    with T.block('a'):\n        pass\n",
    "from tvm.script.parser import tirx as T\n\n@T.prim_func(s_tir=True)\ndef f():\n    with T.sblock('a'):\n        pass\n" },
  /* what schedules went to s_tir: said by a name that is there, or by one that is added */
  { "import tvm\ns = tvm.tir.Schedule(m)\n", "import tvm\ns = tvm.s_tir.Schedule(m)\n" },
  { "from tvm import tir\ns = tir.Schedule(m)\n", "from tvm import s_tir\ns = s_tir.Schedule(m)\n" },
  { "from tvm import tir\ns = tir.Schedule(m)\nx = tir.Var('x', 'int32')\n", "from tvm import tirx\nfrom tvm import s_tir\ns = s_tir.Schedule(m)\nx = tirx.Var('x', 'int32')\n" },
  { "from tvm.tir import Schedule, Var\ns = Schedule(m), Var\n", "from tvm.s_tir import Schedule\nfrom tvm.tirx import Var\ns = Schedule(m), Var\n" },
  { "def f():\n    from tvm.tir import Schedule, Var\n    return Schedule, Var\n", "def f():\n    from tvm.s_tir import Schedule\n    from tvm.tirx import Var\n    return Schedule, Var\n" },
  { "from tvm.tir.schedule import BlockRV\nb: BlockRV = 1\nc: BlockRV\n", "from tvm.s_tir.schedule import SBlockRV\nb: SBlockRV = 1\nc: SBlockRV\n" },
  { "from tvm import tir\np = tir.transform.ThreadSync('shared'), tir.transform.Simplify()\n",
    "from tvm import tirx\nfrom tvm import s_tir\np = s_tir.transform.ThreadSync('shared'), tirx.transform.Simplify()\n" },
  { "from tvm import meta_schedule as ms\n", "from tvm.s_tir import meta_schedule as ms\n" },
  { "from tvm import dlight as dl, relax\nx = dl.ApplyDefaultSchedule(), relax.Var\n",
    "from tvm.s_tir import dlight as dl\nfrom tvm import relax\nx = dl.ApplyDefaultSchedule(), relax.Var\n" },
  { "from tvm.tir import (\n    Var,  # a name\n    IntImm,\n)\n", "from tvm.tirx import (\n    Var,  # a name\n    IntImm,\n)\n" },
  /* script */
  { "from tvm.script import tir as T\n@T.prim_func(private=True)\ndef f(A: T.Buffer[(4, 4), 'int8']):\n    B = T.alloc_buffer((4,))\n    n = T.var('int32')\n",
    "from tvm.script import tirx as T\n@T.prim_func(private=True, s_tir=True)\ndef f(A: T.Buffer((4, 4), 'int8')):\n    B = T.sblock_alloc_buffer((4,))\n    n = T.int32()\n" },
  { "from tvm.script import tir as T\nT.func_attr({\"tir.noalias\": True, 'tir.LoopPartition': 1, 'tirade': 2, 'a tir.b': 3})\n",
    "from tvm.script import tirx as T\nT.func_attr({\"tirx.noalias\": True, 's_tir.LoopPartition': 1, 'tirade': 2, 'a tir.b': 3})\n" },
  { "# from tvm.script import ir as I\n# from tvm.script import tir as T\n\n@T.prim_func\ndef f():\n    with T.block('a'):\n        pass\n",
    "# from tvm.script import ir as I\n# from tvm.script import tirx as T\n\n@T.prim_func(s_tir=True)\ndef f():\n    with T.sblock('a'):\n        pass\n" },
  /* running */
  { "import tvm\nlib = tvm.build(m, target='llvm')\nlib['f'](a)\nt = lib.time_evaluator('f', tvm.cpu())\nother.time_evaluator('f')\n",
    "import tvm\nlib = tvm.compile(m, target='llvm')\nlib['f'](a)\nt = lib.mod.time_evaluator('f', tvm.cpu())\nother.time_evaluator('f')\n" },
  { "from tvm import relax\nex = relax.build(m, 'llvm')\n", "from tvm import relax\nimport tvm\nex = tvm.compile(m, 'llvm')\n" },
  { "import tvm\na = tvm.nd.array(x)\nb = tvm.nd.empty((1,))\nprint(a.asnumpy(), isinstance(a, tvm.nd.NDArray))\n",
    "import tvm\na = tvm.runtime.tensor(x)\nb = tvm.runtime.empty((1,))\nprint(a.numpy(), isinstance(a, tvm.runtime.Tensor))\n" },
  { "import tvm\n@tvm.register_func('env.f')\ndef f():\n    pass\n", "import tvm\n@tvm.register_global_func('env.f')\ndef f():\n    pass\n" },
  { "import tvm\nsch.get_block('C').x\nb = get_block(1)\nsch.get_child_blocks(b)\n", "import tvm\nsch.get_sblock('C').x\nb = get_block(1)\nsch.get_child_sblocks(b)\n" },
  /* types of Relax: classes, attributes, keywords of calls */
  { "from tvm import relax\nx = relax.Var('x', relax.TensorStructInfo((2,), 'float32'))\nprint(x.struct_info.shape, f.ret_struct_info)\n",
    "from tvm import relax\nx = relax.Var('x', relax.TensorType((2,), 'float32'))\nprint(x.ty.shape, f.ret_ty)\n" },
  { "from tvm.relax.struct_info import TensorStructInfo\nx = TensorStructInfo((2,), 'float32')\n",
    "from tvm.relax import TensorType\nx = TensorType((2,), 'float32')\n" },
  { "from tvm.script import relax as R\ny = R.call_tir(cls.f, (x, g(1)), out_sinfo=R.Tensor((2,), 'float32'))\nz = R.call_packed('q', x, sinfo_args=(R.Any,))\n",
    "from tvm.script import relax as R\ny = R.call_tir(cls.f, (x, g(1)), out_ty=R.Tensor((2,), 'float32'))\nz = R.call_packed('q', x, ty_args=(R.Any,))\n" },
  { "import tvm\ndef call_mine(out_sinfo=None):\n    return mine(out_sinfo=1, struct_info=2)\nx.struct_info()\nout_sinfo = 3\n", NULL },
  /* what stays */
  { "import tvm  # tvm.tir.Schedule\ntext = 'tvm.tir.Schedule, T.block'\nf(tir=1)\nmy.tir.Schedule\n", NULL },
  { "import numpy as tir\nx = tir.Schedule\ns.get_block('C')\n'tir.noalias'\n", NULL },
  { "from .tvm import tir\nx = tir.Schedule\n", NULL },
  { "import tvm\nfrom tvm.script import ir as I\n\n@I.ir_module\nclass M:\n    pass\n", NULL },
  { "", NULL },
};

static void
test_cases (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      guint n, again;
      g_autofree char *now = migrate (CASES[i].before, &n);
      g_autofree char *twice = migrate (now, &again);

      g_assert_cmpstr (now, ==, CASES[i].after != NULL ? CASES[i].after : CASES[i].before);
      g_assert_true ((n > 0) == (CASES[i].after != NULL));
      /* what is new is not brought over again */
      g_assert_cmpstr (twice, ==, now);
      g_assert_cmpuint (again, ==, 0);
    }
}

/* A name that is gone is told, at its place, and stays. */
static void
test_gone (void)
{
  static const char *const TEXT = "import tvm\nfrom tvm import te\n\nif 1:\n    s = te.create_schedule(op)\nmod = tvm.relay.frontend.from_onnx(m)\nfrom tvm.tir import *\n";
  g_autoptr (LsSource) source = ls_source_new ("old.py", TEXT, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (GPtrArray) report = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_migration_free);
  g_autofree char *now = ls_script_migrate (source, report, findings);
  const LsMigration *place;

  g_assert_cmpstr (now, ==, TEXT);
  g_assert_cmpuint (report->len, ==, 3);
  place = report->pdata[0];
  g_assert_cmpuint (place->line, ==, 5);
  g_assert_cmpuint (place->column, ==, 9);
  g_assert_cmpstr (place->before, ==, "te.create_schedule");
  g_assert_null (place->after);
  g_assert_nonnull (strstr (place->why, "te.create_prim_func"));
  g_assert_cmpuint (((LsMigration *) report->pdata[2])->line, ==, 7);
}

static void
test_no_python (void)
{
  g_autoptr (LsSource) source = ls_source_new ("old.py", "import tvm\nx = 'never closed\n", -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (GPtrArray) report = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_migration_free);

  g_assert_null (ls_script_migrate (source, report, findings));
  g_assert_true (ls_diagnostics_has_error (findings));
}

/* Programs of the corpus of the reader, old and new, read as the same module. */
static void
test_same_program (void)
{
  static const char *const FILES[] = {
    "golden/parse/d22.py", "golden/parse/blocks.py", "golden/parse/base-softmax.py", "golden/parse/lowlevel.py",
    "golden/parse/dtypes.py", "golden/parse/base-stencil.py", "../data/samples/mm_relu.py",
  };

  for (guint i = 0; i < G_N_ELEMENTS (FILES); i++)
    {
      g_autofree char *old = ls_test_read (FILES[i], NULL);
      guint n;
      g_autofree char *now = migrate (old, &n);
      g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
      g_autoptr (LsSource) a = ls_source_new (FILES[i], old, -1);
      g_autoptr (LsSource) b = ls_source_new (FILES[i], now, -1);
      g_autoptr (LsModule) before = ls_script_parse (a, findings);
      g_autoptr (LsModule) after = ls_script_parse (b, findings);

      g_assert_cmpuint (n, >, 0);
      g_assert_nonnull (before);
      if (after == NULL)
        g_test_message ("%s", ls_diagnostics_print (findings));
      g_assert_nonnull (after);
      g_assert_true (ls_structural_equal (before, after, FALSE, NULL, NULL));
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/script/migrate/cases", test_cases);
  g_test_add_func ("/script/migrate/gone", test_gone);
  g_test_add_func ("/script/migrate/no-python", test_no_python);
  g_test_add_func ("/script/migrate/same-program", test_same_program);
  return g_test_run ();
}
