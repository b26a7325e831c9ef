/* main: the table of commands, on top of them all; finds the one that is asked for and runs it. */
#include "app/about/about.h"
#include "app/base/language.h"
#include "app/cli/input.h"
#include "app/rpc/rpc.h"
#include "engine/schedule/intrin/intrin.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

static const LsCliCommand commands[] = {
  { "advise", "FILE [--steps STEPS.py] [--func F] [--follow N] [--cores one|all] [--budget S] [--most N] [--no-time] [--trace] [--timeout SECONDS] [--set NAME=VALUE]... [--json]",
    "Say what holds a program back and what to try next, with measurements; --follow N takes the best proposal and asks again.", ls_cli_advise },
  { "apply", "FILE --steps STEPS.py [--intrin FILE]... [--upto N] [--replace N LINE] [--decide N=VALUE]... [--trace [python|json]] [--simplified] [--strict] [--style 0.20|2023|2026] [--json]",
    "Apply schedule steps; print the module, or why a step is refused.", ls_cli_apply },
  { "check", "FILE [--json]", "Check a script: syntax, names, types, well-formedness; all findings at once.", ls_cli_check },
  { "debug", "FILE [--steps STEPS.py] [--func F] [--in A.npy]... [--set NAME=VALUE]... [--seed N] [--toy N] [--batch COMMANDS] [--part] [--pair] [--against OTHER] [--memory MIB] [--graph] [--vm [--plan]] [--pass NAME]... [--torch VALUES] [--json] | --dap",
    "Step through a run, forwards and backwards, with every value in view.  --part finds where two programs part, --pair steps through both; --graph and --vm run a function of Relax.", ls_cli_debug },
  { "device", "export FILE [--steps STEPS.py|FOLDER]... [--target T] [--arch sm_80,sm_90] [--func F] [--seed N] [--no-simulate] [--timeout SECONDS] -o DIR [--json] | run FILE [--steps STEPS.py|FOLDER]... [--target T] [--number N] [--seconds N] [--json] | import RESULT.json [--program FILE [--steps STEPS.py|FOLDER]...] [--json]",
    "Run kernels on a device, check and time them: run takes one of this machine (CUDA, OpenCL, HIP); export writes a folder that builds and checks itself on another machine, and import "
    "shows the times and counters that came back.", ls_cli_device },
  { "explain", "[PRIMITIVE [--source]] [--json]", "Explain a schedule primitive: its arguments, a picture, its conditions; without a name, list them.  --source shows its C source.", ls_cli_explain },
  { "inspect", "FILE [--steps STEPS.py] [--func F] [--block B [--loop L]] [--iterations] [--accesses] [--line-bytes N] [--json]",
    "Show dependences, footprints, lifetimes of buffers, and which loop came from which.", ls_cli_inspect },
  { "jail", "[--json]", "Try the jail for cells and generated code on this machine, and show which parts of it hold.", ls_cli_jail },
  { "lesson", "check FILE | run FILE | list [DIR] | export FILE [--to html|pdf|ipynb] [-o OUT] [--no-run] [--solutions] | grade DIR [--lesson FILE] [--csv OUT.csv] [--html OUT.html] [--jobs N] [--seconds N] [--no-jail] [--json]",
    "Run a lesson without a window: check compares outputs and tries solutions; list shows what there is; export makes a page for a browser, or a notebook; "
    "grade goes through what a class handed in.",
    ls_cli_lesson },
  { "lower", "FILE [--list | --pass 'NAME(OPTION=VALUE)' | --all] [--steps STEPS.py] [--json]", "Show a module after the lowering passes, or after one of them.",
    ls_cli_lower },
  { "migrate", "FILE.py|.ipynb|.md [-o OUT | --in-place] [--json]",
    "Rename what TVM renamed in 2026 (tvm.tirx, tvm.s_tir, T.sblock) in a script, notebook or Markdown text, and report each place.", ls_cli_migrate },
  { "moves", "FILE [--steps STEPS.py] [--func F] --block B [--loop L] [--target T] [--strict] [--json]",
    "List what can be done to a block or loop, what can be done after a change, and what cannot, with the reason.", ls_cli_moves },
  { "print", "FILE [--style 0.20|2023|2026] [--func F] [--no-meta] [--json]",
    "Print a module as TVMScript; --no-meta leaves the data of constants out, as --style 2023 does.", ls_cli_print },
  { "python-path", "[--json]", "Print what PYTHONPATH needs so that Python finds the module tvm.", ls_cli_python_path },
  { "graph", "FILE [--kind relax|te|blocks|loops|fx] [-o out.svg|png|pdf|dot|json|py] [--func F] [--steps STEPS.py] [--pass 'NAME(ARG=VALUE)']... [--each] [--fold-constants] [--fold N] [--search PATTERN] [--style PATTERN]... [--compare OTHER [--matches] [--times] [--values]] [--memory] [--times [-o out.csv]] [--trace out.json|pftrace]... [--extract CALLS [-o out.py]] [--repeat N] [--timeout S] [--numbers FILE.json] [--dark] [--json]",
    "Show a program as a graph, in the terminal or as a picture; step through passes; search it.", ls_cli_graph },
  { "import", "MODEL.fx.json|MODEL.onnx|MODEL.pt2 [--as ops|te] [--rules FILE] [--constants] [--no-unknown] [--table] [--no-meta] [--json]", "Make a Relax module of a saved graph of torch.fx, a model of ONNX, or a program of torch.export.", ls_cli_import },
  { "pass", "FILE --pass 'NAME(ARG=VALUE)'... [--each] [--style 0.20|2023|2026] [--no-meta] [--json] | --list [--json]",
    "Run passes of Relax or TensorIR on a module and print it; --each shows it before the first pass and after each one.", ls_cli_pass },
  { "passes", "LOG|FOLDER|MODULE.ll|- | --own FILE [--steps STEPS.py] [--func F] [--target T] [--time] [--pipeline PASSES] [--list [--effective] [--counts] [--nested [--depth N]] | --graph PASS FUNCTION [-o OUT.svg|png|pdf|dot] [--dark] | --run ENTRY [--args ARGUMENTS] [--seed N] | --diff A B | --follow X [--from PASS] | --search X | --who-removed X | --first X | --first-difference OTHER | --between | --to html|session -o OUT [--language L]] [--function F] [--kind auto|llvm|mlir|tvm|gcc|xla|ptx|text] [--reader llvm|tolerant] [--json] | -- COMMAND [ARGUMENT]...",
    "Show what each pass of a compiler did, from its log: LLVM, MLIR, Triton, TVM, GCC, XLA, PTX.", ls_cli_passes },
  { "equal", "A B [--inputs N [--func F] [--set NAME=VALUE]... [--seed N] [--timeout SECONDS]] [--json]",
    "Compare two modules up to the names of variables; with --inputs, by their results.", ls_cli_equal },
  { "diff", "BEFORE AFTER | FILE --steps STEPS.py [--step N] [--from M] [--format structure|text|words] [--json]",
    "Show what differs between two modules, or what schedule steps did.", ls_cli_diff },
  { "report", "FILE.loopscope | FILE [--steps STEPS.py] -o OUT.html [--no-time] [--json]",
    "Write one HTML page of a session, or of a program with its steps, that opens without a server.", ls_cli_report },
  { "rules", "[TABLE [N]] | --counts [--json]", "List the rules by which arithmetic is simplified, and what was proved of each.", ls_cli_rules },
  { "run", "FILE [--func F] [--in A.npy]... [--set NAME=VALUE]... [--out DIR] [--seed N] [--steps STEPS.py] [--target T] [--timeout SECONDS] [--check-bounds] [--full] [--json]",
    "Run a function on files or seeded random numbers.", ls_cli_run },
  { "time", "FILE [--func F] [--steps STEPS.py [--each-step]] [--target T] [--samples N] [--budget-ms N] [--timeout SECONDS] [--set NAME=VALUE]... [--seed N] [--json]",
    "Time a function, also after each step of a schedule, and compare the outputs.", ls_cli_time },
  { "caches", "FILE [--steps STEPS.py] [--func F] [--level BYTES:WAYS]... [--line-bytes N] [--most N] [--as-is] [--distances] [--counters] [--set NAME=VALUE]... [--json]",
    "Simulate the accesses of a program in caches: misses by cause, for each buffer and loop.", ls_cli_caches },
  { "roofline", "FILE [--steps STEPS.py] [--func F] [--again] [--cache BYTES] [--target T] [--device RESULT.json] [--budget-ms N] [--timeout SECONDS] [--set NAME=VALUE]... [--json]",
    "Show how near each step of a schedule comes to what this machine can do.", ls_cli_roofline },
  { "search", "FILE (--steps STOCHASTIC.py | --space post-order|cuda|cuda-tensorcore) [--strategy random|evolutionary] [--cost-model ridge|xgb|random] [--database DIR] [--queue URL [--auth FILE] [--kind KIND]] [--export-batch DIR [--arch sm_80,...]] [--import-batch RESULT.json] [--by sectors|passes|instructions] [--trials N] [--seconds N] [--jobs J] [--seed N] [--func F] [--target T] [--budget-ms N] [--timeout SECONDS] [--set NAME=VALUE]... [--json]",
    "Search schedules: draw, build, check and time each; show the best.", ls_cli_search },
  { "tune", "FILE [-o DIR] [--trials N] [--target T] [--cost-model ridge|xgb|random] [--strategy evolutionary|random] [--seed N] [--seconds N] [--detach | --follow | --pause | --resume | --stop] [--queue URL [--auth FILE] [--kind KIND]] [--jobs J] [--func F] [--budget-ms N] [--timeout SECONDS] [--set NAME=VALUE]... [--tree N] [--quiet] [--json]",
    "Search schedules by meta_schedule's rules and keep them in a database; --detach searches in the background, --follow watches.", ls_cli_tune },
  { "fleet", "--queue URL [--auth FILE] [--watch | --measure] [--json]",
    "List the machines that measure for a queue, what each is doing, and the jobs that were put aside.", ls_cli_fleet },
  { "simt", "FILE [--steps STEPS.py] [--func F] [--target T] [--layouts | --events] [--kernel N] [--block N] [-o out.svg|png|pdf [--event N | --finding N | --layout N] [--dark]] [--fast] [--set NAME=VALUE]... [--seed N] [--timeout SECONDS] [--json]",
    "Run a kernel on simulated threads: compare its result with the program before the steps, find races and barriers, count what each access costs.", ls_cli_simt },
  { "source", "FILE [--func F] [--steps STEPS.py] [--target T] [--lines] [--format numpy|ptx|amdgcn|llvm] [--json]",
    "Show a function as C, CUDA C, OpenCL C or NumPy, or its kernels as PTX or AMD's assembly.", ls_cli_source },
  { "llvm", "FILE [--func F] [--steps STEPS.py] [--target T] [--raw] [--json]", "Show LLVM's intermediate code of a function.", ls_cli_llvm },
  { "asm", "FILE [--func F] [--steps STEPS.py] [--target T] [--cycles] [--line N] [--json]", "Show machine code under the lines that it comes from.", ls_cli_asm },
  { "build", "FILE -o OUT.lsx [--target T] [--as-is] [--code] [--timeout SECONDS] [--json]",
    "Build a module for the virtual machine; --code shows its instructions.", ls_cli_build },
  { "vm", "OUT.lsx [--func F] [--in A.npy | NUMBER | SHAPE]... [--out DIR] [--lib X.so]... [--profile] [--repeat N] [--timeout SECONDS] [--full] [--json]",
    "Run a function of a built module.", ls_cli_vm },
  { "classify", "MODEL (--image N | --all) [--weights FILE] [--func F] [--timeout SECONDS] [--json]",
    "Run a model on test pictures of Fashion-MNIST: the picture and its logits, or accuracy and speed.", ls_cli_classify },
  { "reduce", "FILE --while COMMAND [-o SMALL.py] [--seconds N] [--json]",
    "Make a program smaller while a command still succeeds on it, to find the part that causes a fault.", ls_cli_reduce },
  { "simplify", "EXPR [--var NAME:LO..HI]... [--json]", "Simplify an integer expression; print it and its bounds.",
    ls_cli_simplify },
};

static void
print_command_help (const LsCliCommand *command)
{
  g_autoptr (GPtrArray) options = ls_cli_options_of (command);

  ls_cli_print_usage (stdout, command);
  printf ("%s\n", command->summary);
  for (guint i = 0; i < options->len; i++)
    {
      const LsCliOptionText *option = options->pdata[i];
      g_autofree char *name = g_strdup_printf ("%s%s%s%s", option->name, option->optional ? " [" : *option->value != '\0' ? " " : "",
                                               option->value, option->optional ? "]" : "");

      printf ("%s  %-19s%s%s\n", i == 0 ? "\n" : "", name, strlen (name) > 19 ? "\n                      " : " ",
              option->meaning != NULL ? option->meaning : "");
    }
}

static void
print_help (FILE *file)
{
  fputs ("Usage: loopscope-cli COMMAND ...\n\nCommands:\n", file);
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    fprintf (file, "  %-11s %s\n", commands[i].name, commands[i].summary);
  fputs ("\nloopscope-cli COMMAND --help shows the arguments of a command and what its options mean.\n"
         "Exit status: 0 done, 1 the input or the request is wrong, 2 the command line is wrong, 3 this machine refuses a jail for cells.\n", file);
}

/* Takes `--intrin FILE` out of the arguments of any command and registers what the files define. */
static gboolean
take_intrinsics (int   *argc,
                 char **argv)
{
  int n = 2;

  for (int i = 2; i < *argc; i++)
    {
      const char *path = g_str_has_prefix (argv[i], "--intrin=") ? argv[i] + strlen ("--intrin=")
                         : strcmp (argv[i], "--intrin") == 0 && i + 1 < *argc ? argv[++i] : NULL;
      g_autoptr (LsSource) source = path != NULL ? ls_cli_read_source (argv[1], path) : NULL;
      g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();

      if (path == NULL)
        argv[n++] = argv[i];
      else if (source == NULL)
        return FALSE;
      else if (ls_tensor_intrin_register_text (source, findings) == 0 || ls_diagnostics_has_error (findings))
        {
          ls_cli_fail_with (findings);
          return FALSE;
        }
    }
  *argc = n < *argc ? n : *argc;
  argv[*argc] = NULL;
  return TRUE;
}

static void
put_version (void)
{
  g_autofree char *glib = ls_about_number (glib_major_version, glib_minor_version, glib_micro_version);

  ls_about_put_version ("loopscope-cli", "GLib", glib, NULL);
}

/* The window shows what the programs that it starts say of their failures: LS_SPEAK asks for the user's language. */
static void
speak (void)
{
  g_autoptr (GBytes) catalogue = NULL;

  if (g_getenv ("LS_SPEAK") == NULL)
    return;
  setlocale (LC_CTYPE, "");
  setlocale (LC_MESSAGES, "");
  ls_language_bind ();
  catalogue = ls_language_catalogue ();
  ls_worker_set_catalogue (catalogue);
  ls_cli_set_heard ();
}

int
main (int    argc,
      char **argv)
{
  const LsCliCommand *command;

  speak ();
  ls_cli_set_commands (commands, G_N_ELEMENTS (commands));
  if (argc < 2)
    {
      print_help (stderr);
      return LS_CLI_USAGE;
    }
  if (strcmp (argv[1], "--help") == 0 || strcmp (argv[1], "help") == 0)
    {
      print_help (stdout);
      return LS_CLI_DONE;
    }
  if (strcmp (argv[1], "--version") == 0)
    {
      put_version ();
      return LS_CLI_DONE;
    }
  if (strcmp (argv[1], "--describe") == 0)
    {
      ls_cli_put_description (commands, G_N_ELEMENTS (commands));
      return LS_CLI_DONE;
    }
  if (!take_intrinsics (&argc, argv))
    return LS_CLI_FAILED;
  command = ls_cli_find_command (argv[1]);
  if (command == NULL)
    {
      fprintf (stderr, "loopscope-cli: there is no command \"%s\"; loopscope-cli --help lists them\n", argv[1]);
      return LS_CLI_USAGE;
    }
  if (argc > 2 && (strcmp (argv[2], "--help") == 0 || (argc == 4 && strcmp (argv[3], "--help") == 0)))
    {
      print_command_help (command);
      return LS_CLI_DONE;
    }
  return command->run (argc - 1, argv + 1);
}
