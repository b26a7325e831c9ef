/* The Python process: output, values, interrupts, limits, crashes, restarts. */
#include "app/kernel/kernel.h"
#include "app/rpc/rpc.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static GVariant *
code_params (const char *code)
{
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "code", "s", code);
  g_variant_dict_insert (&params, "name", "s", "cell 1");
  return g_variant_dict_end (&params);
}

static GVariant *
run (LsKernel    *kernel,
     const char  *code,
     LsOutputs  **outputs)
{
  g_autoptr (GError) error = NULL;
  GVariant *answer = ls_kernel_request (kernel, "run", code_params (code), 60, outputs, &error);

  g_assert_no_error (error);
  return answer;
}

static void
expect_text (LsKernel   *kernel,
             const char *code,
             const char *text)
{
  g_autoptr (LsOutputs) outputs = NULL;
  g_autoptr (GVariant) answer = run (kernel, code, &outputs);
  g_autofree char *printed = ls_outputs_get_text (outputs);

  g_assert_cmpstr (ls_params_string (answer, "status", ""), ==, "ok");
  g_assert_cmpstr (printed, ==, text);
}

static void
expect_trouble (LsKernel   *kernel,
                const char *code,
                const char *name,
                const char *part)
{
  g_autoptr (GVariant) answer = run (kernel, code, NULL);

  g_assert_cmpstr (ls_params_string (answer, "status", ""), ==, "error");
  g_assert_cmpstr (ls_params_string (answer, "name", ""), ==, name);
  g_assert_nonnull (strstr (ls_params_string (answer, "traceback", ""), part));
}

static void
test_values (void)
{
  g_autoptr (LsKernel) kernel = ls_kernel_new ();

  expect_text (kernel, "x = 2\nx + 1", "3\n");
  expect_text (kernel, "_ + x", "5\n");
  expect_text (kernel, "x;", "");
  expect_text (kernel, "None", "");
  expect_text (kernel, "print('a', end='')\n'b'", "a\n'b'\n");
  expect_text (kernel, "import os\nos.write(1, b'from C\\n');\nprint('é')", "from C\né\n");
  expect_text (kernel, "import inspect\ndef f():\n    return 1\nprint(inspect.getsource(f), end='')", "def f():\n    return 1\n");
  expect_text (kernel, "from IPython.display import display\nprint(1)\ndisplay(2)\nprint(3)", "1\n2\n3\n");
  expect_text (kernel, "!ls\n%matplotlib inline\n1", "1\n");
}

static void
test_trouble (void)
{
  g_autoptr (LsKernel) kernel = ls_kernel_new ();

  expect_trouble (kernel, "def f():\n    return 1 / 0\n\nf()", "ZeroDivisionError", "File \"<cell 1>\", line 2, in f\n    return 1 / 0");
  expect_trouble (kernel, "class _Odd(RuntimeError, ValueError): pass\nraise _Odd('odd')", "ValueError", "_Odd: odd");
  expect_trouble (kernel, "x = = 1", "SyntaxError", "x = = 1");
  expect_trouble (kernel, "input('?')", "EOFError", "cannot ask");
  expect_trouble (kernel, "import sys; sys.exit(3)", "SystemExit", "");
  expect_trouble (kernel, "x = 'a' * (1 << 50)", "MemoryError", "MemoryError");
  expect_text (kernel, "1", "1\n");
}

static guint n_forks;

static void
count_fork (void)
{
  n_forks++;
}

/* Forking takes the longer the more memory we have, and a window with a large graph has much.  What is open here is not open there. */
static void
test_no_fork (void)
{
  g_autoptr (LsKernel) kernel = ls_kernel_new ();
  int file = open ("/dev/null", O_RDONLY);      /* as a library may leave one: not closed when something is started */

  if (g_strcmp0 (g_getenv ("LS_JAIL"), "off") == 0)
    {
      g_test_skip ("there is no jail");
      close (file);
      return;
    }
  g_assert_cmpint (dup2 (file, 77), ==, 77);
  g_assert_cmpint (pthread_atfork (count_fork, NULL, NULL), ==, 0);
  expect_text (kernel, "1", "1\n");
  g_assert_cmpuint (n_forks, ==, 0);
  expect_text (kernel, "import os\nos.path.exists('/proc/self/fd/77')", "False\n");
  close (file);
  close (77);
}

/* What is shown comes as data, at its place. */
static void
test_views (void)
{
  static const char *const kinds[] = { "module", "schedule", "array", "function", "text" };
  static const char program[] =
    "import numpy as np, tvm\nfrom tvm.script import tir as T\n"
    "@tvm.script.ir_module\nclass M:\n    @T.prim_func\n    def main(A: T.Buffer((8, 8), 'float32'), B: T.Buffer((8, 8), 'float32')):\n"
    "        for i, j in T.grid(8, 8):\n            with T.block('B'):\n                vi, vj = T.axis.remap('SS', [i, j])\n"
    "                B[vi, vj] = A[vi, vj] * T.float32(2)\n"
    "M.show()\ns = tvm.tir.Schedule(M)\ni, j = s.get_loops(s.get_block('B'))\ns.split(i, [2, 4])\ns.show()\n"
    "from IPython.display import display\ndisplay(np.arange(64.0).reshape(8, 8))\ndisplay(M['main'])\n[1, 2]\n";
  g_autoptr (LsKernel) kernel = ls_kernel_new ();
  g_autoptr (LsOutputs) outputs = NULL;
  g_autoptr (GVariant) answer = run (kernel, program, &outputs);
  const LsOutput *schedule, *array;

  g_assert_cmpstr (ls_params_string (answer, "traceback", ""), ==, "");
  g_assert_cmpuint (ls_outputs_get_n (outputs), ==, G_N_ELEMENTS (kinds));
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    g_assert_cmpstr (ls_params_string (ls_outputs_get (outputs, i)->view, "kind", ""), ==, kinds[i]);
  schedule = ls_outputs_get (outputs, 1);
  g_assert_cmpint (ls_params_int (schedule->view, "steps", 0), ==, 1);
  g_assert_nonnull (strstr (ls_params_string (schedule->view, "base", ""), "T.grid(8, 8)"));
  g_assert_nonnull (strstr (ls_params_string (schedule->view, "text", ""), "T.grid(2, 4, 8)"));
  g_assert_nonnull (strstr (ls_params_string (schedule->view, "trace", ""), "sch.split("));
  array = ls_outputs_get (outputs, 2);
  g_assert_cmpfloat (ls_params_double (array->view, "high", 0), ==, 63);
  g_assert_true (g_str_has_prefix (ls_params_string (array->view, "png", ""), "iVBOR"));
}

static gboolean
has_module (LsKernel   *kernel,
            const char *name)
{
  g_autofree char *code = g_strdup_printf ("import importlib.util as u\nu.find_spec('%s') is not None and 'fallback' not in u.find_spec('%s').origin", name, name);
  g_autoptr (LsOutputs) outputs = NULL;
  g_autoptr (GVariant) answer = run (kernel, code, &outputs);
  g_autofree char *text = ls_outputs_get_text (outputs);

  return strcmp (text, "True\n") == 0;
}

/* `from __future__` may stand anywhere in a cell, and holds for the cells that follow. */
static void
test_future (void)
{
  g_autoptr (LsKernel) kernel = ls_kernel_new ();

  expect_text (kernel, "import os\nfrom __future__ import annotations\ndef f(x: Unknown): return x\nf(1)", "1\n");
  expect_text (kernel, "def g(x: Unknown): return x\ng(2)", "2\n");
}

/* Figures are pictures at the place of show(), or at the end of the cell, and once when they are the value too. */
static void
test_figures (void)
{
  g_autoptr (LsKernel) kernel = ls_kernel_new ();
  g_autoptr (LsOutputs) outputs = NULL;
  g_autoptr (GVariant) answer = NULL;
  const LsOutput *first, *last;

  if (!has_module (kernel, "matplotlib"))
    {
      g_test_skip ("python3-matplotlib is not installed");
      return;
    }
  answer = run (kernel, "import matplotlib.pyplot as plt\nplt.plot([1, 2, 4])\nplt.title('growth')\nplt.show()\nprint('between')\n"
                        "fig, ax = plt.subplots()\nax.plot([3, 1])\nfig", &outputs);
  g_assert_cmpstr (ls_params_string (answer, "traceback", ""), ==, "");
  g_assert_cmpuint (ls_outputs_get_n (outputs), ==, 3);
  first = ls_outputs_get (outputs, 0);
  last = ls_outputs_get (outputs, 2);
  g_assert_cmpint (ls_outputs_get (outputs, 1)->kind, ==, LS_OUTPUT_TEXT);
  g_assert_cmpstr (ls_params_string (first->view, "title", ""), ==, "Figure 1: growth");
  g_assert_cmpstr (ls_params_string (last->view, "kind", ""), ==, "picture");
  g_assert_true (g_str_has_prefix (ls_params_string (last->view, "png", ""), "iVBOR"));
}

static void
expect_view (LsKernel   *kernel,
             const char *code,
             const char *kind,
             const char *title)
{
  g_autoptr (LsOutputs) outputs = NULL;
  g_autoptr (GVariant) answer = run (kernel, code, &outputs);

  g_assert_cmpstr (ls_params_string (answer, "traceback", ""), ==, "");
  g_assert_cmpuint (ls_outputs_get_n (outputs), ==, 1);
  g_assert_cmpstr (ls_params_string (ls_outputs_get (outputs, 0)->view, "kind", ""), ==, kind);
  g_assert_cmpstr (ls_params_string (ls_outputs_get (outputs, 0)->view, "title", ""), ==, title);
}

static void
test_tables (void)
{
  g_autoptr (LsKernel) kernel = ls_kernel_new ();

  expect_view (kernel, "import numpy as np\nnp.arange(6.0).reshape(2, 3)", "array", "array (2, 3) float64");
  expect_view (kernel, "import tvm\ntvm.nd.array(np.zeros((4, 2), 'float32'))", "array", "NDArray (4, 2) float32");
  expect_view (kernel, "[{'tile': 8, 'ms': 1.5}, {'tile': 16, 'ms': 1.25}]", "table", "list, 2 rows");
  expect_view (kernel, "[1, 2]", "text", "list");
  if (has_module (kernel, "torch"))
    {
      g_autoptr (LsOutputs) outputs = NULL;
      g_autoptr (GVariant) answer = run (kernel, "import torch\nclass M(torch.nn.Module):\n    def forward(self, x):\n        return torch.relu(x)\ntorch.fx.symbolic_trace(M())", &outputs);
      GVariant *view = ls_outputs_get_n (outputs) == 1 ? ls_outputs_get (outputs, 0)->view : NULL;

      g_assert_nonnull (view);
      g_assert_cmpstr (ls_params_string (view, "title", ""), ==, "torch.fx graph, 3 nodes");
      g_assert_nonnull (strstr (ls_params_string (view, "fx", ""), "\"target\": \"torch.relu\""));
    }
  if (has_module (kernel, "pandas"))
    expect_view (kernel, "import pandas\npandas.DataFrame({'tile': [8, 16, 32], 'ms': [1.5, 1.25, float('nan')]})", "table", "DataFrame, 3 rows, 2 columns");
}

/* No network, and no hand on the program that asks. */
static void
test_sandbox (void)
{
  g_autoptr (LsKernel) kernel = ls_kernel_new ();
  g_autoptr (LsOutputs) outputs = NULL;
  g_autoptr (GVariant) answer = run (kernel, "import socket\ntry:\n    socket.socket()\nexcept PermissionError:\n    print('refused')\nelse:\n    print('open')", &outputs);
  g_autofree char *text = ls_outputs_get_text (outputs);

  if (strcmp (text, "open\n") == 0)
    {
      g_test_skip ("this build or this system has no seccomp");
      return;
    }
  g_assert_cmpstr (text, ==, "refused\n");
  expect_trouble (kernel, "import urllib.request\nurllib.request.urlopen('http://127.0.0.1:9/')", "URLError", "without the network");
  expect_trouble (kernel, "import os\nos.kill(os.getppid(), 9)", "PermissionError", "os.kill");
  expect_text (kernel, "import subprocess, sys\nprint(subprocess.run(['/bin/echo', 'ran'], stdout=subprocess.PIPE, text=True).stdout, end='')", "ran\n");
  expect_text (kernel, "import tempfile, os\nwith tempfile.TemporaryFile() as f:\n    f.write(b'x')\n    f.seek(0)\n    print(f.read())", "b'x'\n");
}

static gboolean
interrupt (gpointer data)
{
  ls_kernel_interrupt (data);
  return G_SOURCE_REMOVE;
}

/* The cell has begun: it has printed. */
static void
interrupt_soon (LsKernel *kernel,
                gpointer  nothing)
{
  g_signal_handlers_disconnect_by_func (kernel, interrupt_soon, nothing);
  g_timeout_add (300, interrupt, kernel);
}

static void
test_interrupt (void)
{
  static const char *const codes[] = { "print('begins')\nwhile True:\n    pass", "import time\nprint('begins')\ntime.sleep(600)" };
  g_autoptr (LsKernel) kernel = ls_kernel_new ();

  expect_text (kernel, "x = 7", "");
  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    {
      g_autoptr (GVariant) answer = NULL;

      g_signal_connect (kernel, "output", G_CALLBACK (interrupt_soon), NULL);
      answer = run (kernel, codes[i], NULL);
      g_assert_cmpstr (ls_params_string (answer, "status", ""), ==, "interrupted");
    }
  expect_text (kernel, "x", "7\n");
  g_assert_cmpuint (ls_kernel_get_life (kernel), ==, 1);
}

static void
expect_end (LsKernel      *kernel,
            const char    *code,
            double         seconds,
            LsKernelError  what,
            const char    *part)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsOutputs) outputs = NULL;
  g_autoptr (GVariant) answer = ls_kernel_request (kernel, "run", code_params (code), seconds, &outputs, &error);

  g_assert_null (answer);
  g_assert_error (error, LS_KERNEL_ERROR, (int) what);
  g_assert_nonnull (strstr (error->message, part));
  g_assert_false (ls_kernel_is_busy (kernel));
}

static gboolean
kill_it (gpointer data)
{
  kill (ls_kernel_get_pid (data), SIGKILL);
  return G_SOURCE_REMOVE;
}

static gboolean
stop_it (gpointer data)
{
  ls_kernel_stop (data);
  return G_SOURCE_REMOVE;
}

static void
test_ends (void)
{
  g_autoptr (LsKernel) kernel = ls_kernel_new ();

  expect_end (kernel, "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\nimport time\ntime.sleep(9)", 60, LS_KERNEL_ERROR_DIED, "SIGSEGV");
  expect_text (kernel, "1", "1\n");
  expect_end (kernel, "import os\nos._exit(3)", 60, LS_KERNEL_ERROR_DIED, "status 3");
  expect_end (kernel, "import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True:\n    time.sleep(1)", 3, LS_KERNEL_ERROR_TIMEOUT, "too long");
  expect_text (kernel, "2", "2\n");
  g_timeout_add (300, kill_it, kernel);
  expect_end (kernel, "import time\nprint('before')\ntime.sleep(60)", 60, LS_KERNEL_ERROR_DIED, "SIGKILL");
  g_timeout_add (300, stop_it, kernel);
  expect_end (kernel, "import time\ntime.sleep(60)", 60, LS_KERNEL_ERROR_STOPPED, "ended");
  expect_text (kernel, "3", "3\n");
}

/* Code that we compiled has no checks of its own: serial and parallel loops, alone, in the virtual machine and under a timer. */
static void
test_compiled (void)
{
  static const char *const calls[] = {
    "print('begins')\nserial(x, x)", "print('begins')\nparallel(x, x)", "print('begins')\nlib.time_evaluator('serial', tvm.cpu(), number=3)(x, x)",
    "print('begins')\nvm['main'](x)"
  };
  static const char program[] =
    "import numpy as np, tvm, sys\nfrom tvm import relax\nfrom tvm.script import tir as T, relax as R, ir as I\n"
    "@I.ir_module\nclass M:\n"
    "    @T.prim_func\n    def serial(A: T.Buffer((64,), 'float32'), B: T.Buffer((64,), 'float32')):\n"
    "        T.func_attr({'global_symbol': 'serial'})\n"
    "        for i, k in T.grid(64, 1 << 40):\n            with T.block('B'):\n                vi, vk = T.axis.remap('SR', [i, k])\n"
    "                B[vi] = B[vi] * T.float32(0.5) + A[vi]\n"
    "    @T.prim_func\n    def parallel(A: T.Buffer((64,), 'float32'), B: T.Buffer((64,), 'float32')):\n"
    "        T.func_attr({'global_symbol': 'parallel'})\n"
    "        for i in T.parallel(64):\n            for k in T.serial(1 << 40):\n                with T.block('B'):\n"
    "                    vi, vk = T.axis.remap('SR', [i, k])\n                    B[vi] = B[vi] * T.float32(0.5) + A[vi]\n"
    "    @R.function\n    def main(x: R.Tensor((64,), 'float32')):\n        cls = M\n        with R.dataflow():\n"
    "            gv = R.call_tir(cls.parallel, (x,), out_sinfo=R.Tensor((64,), 'float32'))\n            R.output(gv)\n        return gv\n"
    "lib = tvm.build(tvm.IRModule({'serial': M['serial'], 'parallel': M['parallel']}), target='llvm')\n"
    "serial, parallel = lib['serial'], lib['parallel']\nvm = relax.VirtualMachine(relax.build(M, target='llvm'), tvm.cpu())\n"
    "x = tvm.nd.array(np.ones(64, 'float32'))\n";
  g_autoptr (LsKernel) kernel = ls_kernel_new ();
  g_autoptr (GVariant) made = run (kernel, program, NULL);

  g_assert_cmpstr (ls_params_string (made, "traceback", ""), ==, "");
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      g_autoptr (GVariant) answer = NULL;

      g_signal_connect (kernel, "output", G_CALLBACK (interrupt_soon), NULL);
      answer = run (kernel, calls[i], NULL);
      g_test_message ("%s", calls[i]);
      g_assert_cmpstr (ls_params_string (answer, "status", ""), ==, "interrupted");
    }
  expect_text (kernel, "float(x.numpy()[0]) > 0", "True\n");
  g_assert_cmpuint (ls_kernel_get_life (kernel), ==, 1);
}

/* What was printed before a crash is there. */
static void
test_last_words (void)
{
  g_autoptr (LsKernel) kernel = ls_kernel_new ();
  g_autoptr (LsOutputs) outputs = NULL;
  g_autoptr (GVariant) answer = ls_kernel_request (kernel, "run", code_params ("import os\nprint('before')\nos.abort()"), 60, &outputs, NULL);
  g_autofree char *text = ls_outputs_get_text (outputs);

  g_assert_null (answer);
  g_assert_cmpstr (text, ==, "before\n");
}

static void
test_memory (void)
{
  g_autoptr (LsKernel) kernel = ls_kernel_new ();

  ls_kernel_set_memory_limit (kernel, G_GUINT64_CONSTANT (600) << 20);
#if defined __SANITIZE_ADDRESS__
  g_test_skip ("sanitizers reserve memory");
#else
  expect_trouble (kernel, "x = bytearray(800 << 20)", "MemoryError", "MemoryError");
  expect_text (kernel, "1", "1\n");
#endif
}

static void
test_flood (void)
{
  g_autoptr (LsKernel) kernel = ls_kernel_new ();
  g_autoptr (LsOutputs) outputs = NULL;
  g_autoptr (GVariant) answer = run (kernel, "print('first')\nfor i in range(1000):\n    print('y' * 104857)\nprint('last')", &outputs);
  g_autofree char *text = ls_outputs_get_text (outputs);

  g_assert_cmpstr (ls_params_string (answer, "status", ""), ==, "ok");
  g_assert_cmpuint (strlen (text), <, 1 << 20);
  g_assert_cmpuint (ls_outputs_get_dropped (outputs), >, 90 << 20);
  g_assert_true (g_str_has_prefix (text, "first\n"));
  g_assert_nonnull (strstr (text, "left out"));
  g_assert_true (g_str_has_suffix (text, "last\n"));
}

static void
test_answers (void)
{
  static const struct { const char *answer; gboolean right; } CASES[] = {
    { "split", TRUE }, { "fuse", FALSE }, { "split(i, [2, 4])", TRUE }, { "sch.split(i, factors=[None, 4])", TRUE }, { "split(j, [2, 4])", FALSE }, { "nonsense(", FALSE },
  };
  g_autoptr (LsKernel) kernel = ls_kernel_new ();
  g_autoptr (GVariant) made = run (kernel,
    "import tvm\nfrom tvm import te\nA = te.placeholder((8, 8), name='A')\nB = te.compute((8, 8), lambda i, j: A[i, j] * 2, name='B')\n"
    "s = tvm.tir.Schedule(te.create_prim_func([A, B]))\nb = s.get_block('B')\ns.split(s.get_loops(b)[0], [2, 4])\n", NULL);
  GVariantDict params;

  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      g_autoptr (GVariant) answer = NULL;

      g_variant_dict_init (&params, NULL);
      g_variant_dict_insert (&params, "schedule", "s", "s");
      g_variant_dict_insert (&params, "answer", "s", CASES[i].answer);
      answer = ls_kernel_request (kernel, "primitive-check", g_variant_dict_end (&params), 30, NULL, NULL);
      g_test_message ("%s: %s", CASES[i].answer, ls_params_string (answer, "message", ""));
      g_assert_true (ls_params_bool (answer, "right", !CASES[i].right) == CASES[i].right);
    }
}

/* A traceback shows the lines of the cell, not those of the package tvm; the message is without the program that TVM prints. */
static void
test_trouble_of_tvm (void)
{
  g_autoptr (LsKernel) kernel = ls_kernel_new ();
  g_autoptr (GVariant) answer = run (kernel,
    "import tvm\nfrom tvm import te\nA = te.placeholder((8, 8), name='A')\nB = te.compute((8, 8), lambda i, j: A[i, j] * 2, name='B')\n"
    "s = tvm.tir.Schedule(te.create_prim_func([A, B]))\ns.compute_inline(s.get_block('B'))\n", NULL);
  const char *traceback = ls_params_string (answer, "traceback", ""), *message = ls_params_string (answer, "message", "");

  g_assert_nonnull (strstr (message, "\nerror["));
  g_assert_null (strstr (message, "IR with diagnostic"));
  g_assert_nonnull (strstr (traceback, "IR with diagnostic"));
  g_assert_nonnull (strstr (traceback, "line 6, in <module>"));
  g_assert_nonnull (strstr (traceback, "output block"));
  g_assert_null (strstr (traceback, "schedule.py"));
  g_assert_null (strstr (traceback, "<schedule"));
}

/* numpy.testing begins with an empty line and says in its second one how much differs. */
static void
test_case_of_numpy (void)
{
  g_autoptr (LsKernel) kernel = ls_kernel_new ();
  g_autoptr (GVariant) answer = NULL;
  g_autofree char *text = NULL;
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "code", "s", "import numpy as np\n");
  g_variant_dict_insert (&params, "cases", "s", "# case: near\nnp.testing.assert_allclose(np.zeros(4), np.ones(4))\n");
  answer = ls_kernel_request (kernel, "cases", g_variant_dict_end (&params), 60, NULL, NULL);
  g_assert_nonnull (answer);
  text = g_variant_print (answer, FALSE);
  g_assert_nonnull (strstr (text, "Not equal to tolerance"));
  g_assert_nonnull (strstr (text, "; Mismatched elements: 4 / 4 (100%)"));
}

/* A file that an earlier cell would have fetched is named when it is missing; another one is not. */
static void
test_not_fetched (void)
{
  g_autoptr (LsKernel) kernel = ls_kernel_new ();
  g_autoptr (GVariant) fetched = run (kernel, "!wget -nc https://example.org/models/some_weights.bin\n", NULL);
  g_autoptr (GVariant) missing = run (kernel, "open('some_weights.bin', 'rb')\n", NULL);
  g_autoptr (GVariant) other = run (kernel, "open('other_weights.bin', 'rb')\n", NULL);

  g_assert_cmpstr (ls_params_string (fetched, "status", ""), ==, "ok");
  g_assert_nonnull (strstr (ls_params_string (missing, "traceback", ""), "would have fetched this file"));
  g_assert_null (strstr (ls_params_string (other, "traceback", ""), "would have fetched this file"));
}

/* A module of the course that is not here comes with the name of its package; one of the reader's own does not. */
static void
test_not_installed (void)
{
  g_autoptr (LsKernel) kernel = ls_kernel_new ();
  g_autoptr (GVariant) known = run (kernel, "raise ModuleNotFoundError('no', name='torchvision.transforms')\n", NULL);
  g_autoptr (GVariant) own = run (kernel, "import a_module_of_nobody\n", NULL);

  g_assert_nonnull (strstr (ls_params_string (known, "traceback", ""), "apt-get install python3-torchvision"));
  g_assert_null (strstr (ls_params_string (own, "traceback", ""), "apt-get"));
}

/* The pictures of the course's chapters, with torchvision or what stands in for it. */
static void
test_pictures (void)
{
  g_autoptr (LsKernel) kernel = ls_kernel_new ();
  g_autoptr (LsOutputs) found = NULL;
  g_autoptr (GVariant) look = run (kernel, "import os, importlib.util\n"
                                           "print(os.path.isdir('/usr/share/datasets/fashion-mnist') and importlib.util.find_spec('torch') is not None)\n", &found);
  g_autofree char *answer = ls_outputs_get_text (found);

  if (!g_str_has_prefix (answer, "True"))
    {
      g_test_skip ("dataset-fashion-mnist or python3-torch is not installed");
      return;
    }
  expect_text (kernel, "import sys, io\n"
                       "errors, sys.stderr = sys.stderr, io.StringIO()\n"
                       "import torchvision, torch\n"
                       "pictures = torchvision.datasets.FashionMNIST(root='data', train=False, download=True, transform=torchvision.transforms.ToTensor())\n"
                       "picture, label = pictures[0]\n"
                       "sys.stderr = errors\n"
                       "print(len(pictures), tuple(picture.shape), picture.dtype, float(picture.max()) <= 1, pictures.classes[label])\n"
                       "img, labels = next(iter(torch.utils.data.DataLoader(pictures, batch_size=2)))\n"
                       "print(tuple(img.shape), labels)\n",
               "10000 (1, 28, 28) torch.float32 True Ankle boot\n(2, 1, 28, 28) tensor([9, 2])\n");
}

/* Without the data set its first 500 pictures stand in; what the sample has not is asked for. */
static void
test_sample (void)
{
  g_autoptr (LsKernel) kernel = NULL;

  g_setenv ("LS_DATASETS_PATH", "/nowhere", TRUE);
  kernel = ls_kernel_new ();
  expect_text (kernel, "import sys, io\n"
                       "errors, sys.stderr = sys.stderr, io.StringIO()\n"
                       "import torchvision\n"
                       "pictures = torchvision.datasets.FashionMNIST(root='data', train=False, download=True)\n"
                       "try: torchvision.datasets.FashionMNIST(root='data')\n"
                       "except RuntimeError as problem: missing = str(problem)\n"
                       "said, sys.stderr = sys.stderr.getvalue(), errors\n"
                       "print(len(pictures), pictures.classes[pictures[19][1]], 'first 500' in said, 'apt-get install dataset-fashion-mnist' in missing)\n",
               "500 T-shirt/top True True\n");
  g_unsetenv ("LS_DATASETS_PATH");
}

/* Threads of NumPy's library that have nothing to do do nothing: they used to look for work for 25 ms after each product. */
static void
test_idle_threads (void)
{
  g_autofree char *given = g_strdup (g_getenv ("OPENBLAS_THREAD_TIMEOUT"));
  g_autoptr (LsKernel) kernel = ls_kernel_new ();

  g_unsetenv ("OPENBLAS_THREAD_TIMEOUT");
  expect_text (kernel, "import numpy, time\na = numpy.ones((192, 192), dtype='float32')\na @ a\nbegun = time.process_time()\n"
                       "for _ in range(10):\n    a @ a\n    time.sleep(0.05)\nused = time.process_time() - begun\nprint(used if used > 0.12 else 'idle')\n", "idle\n");
  if (given != NULL)
    g_setenv ("OPENBLAS_THREAD_TIMEOUT", given, TRUE);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lesson/kernel/sample", test_sample);
  g_test_add_func ("/lesson/kernel/no-fork", test_no_fork);
  g_test_add_func ("/lesson/kernel/values", test_values);
  g_test_add_func ("/lesson/kernel/trouble", test_trouble);
  g_test_add_func ("/lesson/kernel/views", test_views);
  g_test_add_func ("/lesson/kernel/future", test_future);
  g_test_add_func ("/lesson/kernel/figures", test_figures);
  g_test_add_func ("/lesson/kernel/tables", test_tables);
  g_test_add_func ("/lesson/kernel/sandbox", test_sandbox);
  g_test_add_func ("/lesson/kernel/interrupt", test_interrupt);
  g_test_add_func ("/lesson/kernel/compiled", test_compiled);
  g_test_add_func ("/lesson/kernel/ends", test_ends);
  g_test_add_func ("/lesson/kernel/last-words", test_last_words);
  g_test_add_func ("/lesson/kernel/memory", test_memory);
  g_test_add_func ("/lesson/kernel/flood", test_flood);
  g_test_add_func ("/lesson/kernel/answers", test_answers);
  g_test_add_func ("/lesson/kernel/case-of-numpy", test_case_of_numpy);
  g_test_add_func ("/lesson/kernel/idle-threads", test_idle_threads);
  g_test_add_func ("/lesson/kernel/trouble-of-tvm", test_trouble_of_tvm);
  g_test_add_func ("/lesson/kernel/not-fetched", test_not_fetched);
  g_test_add_func ("/lesson/kernel/not-installed", test_not_installed);
  g_test_add_func ("/lesson/kernel/pictures", test_pictures);
  return g_test_run ();
}
