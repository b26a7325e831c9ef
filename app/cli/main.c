/* main: finds the command in the table and runs it. */
#include "app/about/about.h"
#include "app/cli/input.h"
#include "engine/schedule/intrin/intrin.h"

#include <stdio.h>
#include <string.h>

static const LsCliCommand commands[] = {
  { "apply", "FILE --steps STEPS.py [--intrin FILE]... [--upto N] [--replace N LINE] [--decide N=VALUE]... [--trace [python|json]] [--simplified] [--style 0.20|2023|2026] [--json]",
    "Apply schedule steps; print the module, or why a step is refused.", ls_cli_apply },
  { "check", "FILE [--json]", "Check a script: syntax, names, types, well-formedness; all findings at once.", ls_cli_check },
  { "explain", "[PRIMITIVE [--source]] [--json]", "Explain a schedule primitive: arguments, a picture, conditions; without a name list them. --source: the engine's own text of it, and where each condition is checked.", ls_cli_explain },
  { "inspect", "FILE [--steps STEPS.py] [--func F] [--block B [--loop L]] [--iterations] [--accesses] [--line-bytes N] [--json]",
    "Show dependences, footprints, lifetimes of buffers, and which loop came from which.", ls_cli_inspect },
  { "jail", "[--json]", "Show what of the jail for cells and generated code holds on this machine; it is tried.", ls_cli_jail },
  { "lesson", "check FILE | run FILE | list [DIR] [--no-jail] [--json]", "Run a lesson without a window: check compares outputs and tries solutions; list shows what there is.",
    ls_cli_lesson },
  { "lower", "FILE [--list | --pass 'NAME(OPTION=VALUE)' | --all] [--steps STEPS.py] [--json]", "Show a module after the lowering passes, or after one of them.",
    ls_cli_lower },
  { "moves", "FILE [--steps STEPS.py] [--func F] --block B [--loop L] [--target T] [--json]",
    "List what can be done to a block or loop, what with a change, what not and why.", ls_cli_moves },
  { "print", "FILE [--style 0.20|2023|2026] [--func F] [--no-meta] [--json]",
    "Print a module as TVMScript; --no-meta leaves the data of constants out, as --style 2023 does.", ls_cli_print },
  { "python-path", "[--json]", "Print what PYTHONPATH needs so that Python finds the module tvm.", ls_cli_python_path },
  { "graph", "FILE [--kind relax|te|blocks|loops|fx] [-o out.svg|png|pdf|dot] [--func F] [--steps STEPS.py] [--pass 'NAME(ARG=VALUE)']... [--each] [--fold-constants] [--fold N] [--search PATTERN] [--numbers FILE.json] [--dark] [--json]",
    "Show a program as a graph, in the terminal or as a picture; step through passes; search it.", ls_cli_graph },
  { "import", "MODEL.fx.json [--as ops|te] [--rules FILE] [--table] [--no-meta] [--json]", "Make a Relax module of a saved graph of torch.fx.", ls_cli_import },
  { "pass", "FILE --pass 'NAME(ARG=VALUE)'... [--each] [--style 0.20|2023|2026] [--no-meta] [--json] | --list [--json]",
    "Run passes of the graph level or of TensorIR on a module and print it; --each shows it before and after each pass.", ls_cli_pass },
  { "equal", "A B [--inputs N [--func F] [--set NAME=VALUE]... [--seed N] [--timeout SECONDS]] [--json]",
    "Compare two modules up to the names of variables; with --inputs by what they give.", ls_cli_equal },
  { "diff", "BEFORE AFTER | FILE --steps STEPS.py [--step N] [--from M] [--format structure|text|words] [--json]",
    "Show what differs between two modules, or what schedule steps did.", ls_cli_diff },
  { "report", "FILE.loopscope | FILE [--steps STEPS.py] -o OUT.html [--no-time] [--json]",
    "Write one HTML page of a session, or of a program with its steps, that opens without a server.", ls_cli_report },
  { "run", "FILE [--func F] [--in A.npy]... [--set NAME=VALUE]... [--out DIR] [--seed N] [--steps STEPS.py] [--target T] [--timeout SECONDS] [--check-bounds] [--full] [--json]",
    "Run a function on files or seeded random numbers.", ls_cli_run },
  { "time", "FILE [--func F] [--steps STEPS.py [--each-step]] [--target T] [--samples N] [--budget-ms N] [--timeout SECONDS] [--set NAME=VALUE]... [--seed N] [--json]",
    "Time a function, also after each step of a schedule, and compare the outputs.", ls_cli_time },
  { "roofline", "FILE [--steps STEPS.py] [--func F] [--again] [--cache BYTES] [--target T] [--budget-ms N] [--timeout SECONDS] [--set NAME=VALUE]... [--json]",
    "Show how near each step of a schedule comes to what this machine can do.", ls_cli_roofline },
  { "search", "FILE (--steps STOCHASTIC.py | --space post-order) [--strategy random|evolutionary] [--work-dir DIR] [--trials N] [--jobs J] [--seed N] [--func F] [--target T] [--budget-ms N] [--timeout SECONDS] [--set NAME=VALUE]... [--json]",
    "Search schedules: draw, build, check and time each; show the best.", ls_cli_search },
  { "llvm", "FILE [--func F] [--steps STEPS.py] [--target T] [--raw] [--json]", "Show LLVM's intermediate code of a function.", ls_cli_llvm },
  { "asm", "FILE [--func F] [--steps STEPS.py] [--target T] [--json]", "Show machine code under the lines that it comes from.", ls_cli_asm },
  { "build", "FILE -o OUT.lsx [--target T] [--as-is] [--code] [--timeout SECONDS] [--json]",
    "Build a module for the virtual machine; --code shows its instructions.", ls_cli_build },
  { "vm", "OUT.lsx [--func F] [--in A.npy | NUMBER | SHAPE]... [--out DIR] [--lib X.so]... [--profile] [--repeat N] [--timeout SECONDS] [--full] [--json]",
    "Run a function of a built module.", ls_cli_vm },
  { "classify", "MODEL (--image N | --all) [--weights FILE] [--func F] [--timeout SECONDS] [--json]",
    "Run a model on test pictures of Fashion-MNIST: the picture and its logits, or accuracy and speed.", ls_cli_classify },
  { "simplify", "EXPR [--var NAME:LO..HI]... [--json]", "Simplify an integer expression; print it and its bounds.",
    ls_cli_simplify },
};

/* What options mean; a command shows those that its arguments name. */
const LsCliMeaning ls_cli_meanings[] = {
  { "--steps STOCHASTIC.py", "schedule steps of which some draw: sch.sample_perfect_tile(...), sch.sample_categorical(...)" },
  { "--steps STEPS.py", "schedule steps, one call a line: j0, j1 = sch.split(j, factors=[None, 4])" },
  { "--upto N", "only the first N steps that change the program; get_block and get_loops do not count" },
  { "--step N", "what step N did, counted like --upto; without it all steps" },
  { "--from M", "compare with the program after step M; 0 is the file" },
  { "--each-step", "the program after every step, not only after the last" },
  { "--replace N LINE", "another step in place of number N (counted like --upto); the rest is replayed" },
  { "--decide N=VALUE", "another decision of sampling step N, such as 3=[8, 16]; all is replayed" },
  { "--intrin FILE", "tensor intrinsics: functions and TensorIntrin.register (\"name\", desc, impl)" },
  { "--trace", "the steps as TVM's Python, or as its JSON, instead of the module" },
  { "--simplified", "the steps without those whose results nobody uses" },
  { "--format", "structure: loops, blocks and buffers; text: changed lines; words: changed words" },
  { "--style", "0.20: as TVM v0.20 prints (the default); 2023: as in the course; 2026: TVM's main" },
  { "--kind", "relax: dataflow; te: stages; blocks: dependences; loops: which came from which; fx: as saved" },
  { "-o out.svg", "a picture (svg, png, pdf), or Graphviz's text (dot); with --each one file a state: out-0.svg, ..." },
  { "--fold-constants", "constants and weights into the calls that use them" },
  { "--fold N", "parts into groups until about N nodes are left; 0: never; 400 unless given" },
  { "--search PATTERN", "nodes by name (with * and ?), ATTRIBUTE=TEXT, a shape or a type; \"A -> B\": a value of A goes to B" },
  { "--numbers FILE.json", "times from vm --profile --json, put to the calls" },
  { "--dark", "a picture light on dark" },
  { "--func F", "this function; needed where the file has several" },
  { "--block B", "the block with this name" },
  { "--loop L", "the loop with this name around the block; without it the block itself" },
  { "--target T", "what it is compiled for, such as llvm" },
  { "--list", "the passes in their order" },
  { "--pass NAME", "this pass, with its options; several run in their order" },
  { "lower --pass", "the module after this pass" },
  { "--each", "before the first pass and after every one, with what it changed" },
  { "--all", "the module after each pass that changes it" },
  { "classify --all", "all test pictures" },
  { "--no-meta", "without the data of constants" },
  { "--in A.npy", "an argument, in the order of the parameters; seeded random numbers stand for the rest" },
  { "-o OUT.lsx", "the file that is written" },
  { "-o OUT.html", "the page that is written" },
  { "--code", "also the instructions of the virtual machine" },
  { "--source", "the engine's own text of the primitive, and where each condition is checked" },
  { "--as-is", "no passes first: what is not lowered is an error" },
  { "--lib X.so", "a shared object with packed functions (it exports loopscope_register)" },
  { "--profile", "how often each function was called, how long it took, its bytes and operations" },
  { "--repeat N", "calls it N times; the best time is shown" },
  { "--out DIR", "where the results are written as .npy files" },
  { "--no-time", "does not measure; a session that was measured has its times already" },
  { "--set NAME=VALUE", "the value of a symbolic size" },
  { "--seed N", "where the random numbers start" },
  { "--inputs N", "run both on N random inputs; the same when every result agrees" },
  { "--again", "measure what the machine can do anew; else what was measured before is used" },
  { "--cache BYTES", "what the first cache holds: bytes are counted for it" },
  { "--accesses", "also reuse distances and simulated cache misses of the first 100,000 accesses" },
  { "--iterations", "also which iteration has to come after which (the program runs once; small extents only)" },
  { "--line-bytes N", "the size of a cache line" },
  { "--space post-order", "rules in place of steps: tiling, rfactor, inlining, parallel, vector and unrolled loops" },
  { "--strategy", "random: each trial is drawn anew (unless given, with steps); evolutionary: fast ones are changed, a model of cost chooses (with rules)" },
  { "--work-dir DIR", "adds what was measured to TVM's database files there" },
  { "--trials N", "how many schedules are drawn" },
  { "--jobs J", "how many are measured at the same time; more than 1 makes the times less certain" },
  { "--samples N", "how many samples are taken" },
  { "--budget-ms N", "how long sampling may take" },
  { "--timeout SECONDS", "how long it may take before it is ended" },
  { "--check-bounds", "stop at the first access outside a buffer" },
  { "--full", "print arrays whole" },
  { "--raw", "before the optimiser" },
  { "--var NAME:LO..HI", "a variable and its bounds, both included" },
  { "--image N", "this test picture, from 0" },
  { "--weights FILE", "values for the parameters that the model leaves open, by name: .safetensors or .npz" },
  { "--as", "ops: operators of Relax; te: calls of TensorIR functions made of tensor expressions" },
  { "--rules FILE", "one rule a line for what is not known: mish(x) = multiply(x, tanh(nn.softplus(x)))" },
  { "--table", "the graph as torch.fx prints it" },
  { "--no-jail", "cells run also where this machine refuses a jail, with what it allows" },
  { "--json", "the same as JSON" },
  { NULL, NULL },
};

static const LsCliCommand *
find_command (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    if (strcmp (commands[i].name, name) == 0)
      return &commands[i];
  return NULL;
}

static void
print_command_usage (FILE               *file,
                     const LsCliCommand *command)
{
  fprintf (file, "Usage: loopscope-cli %s %s\n", command->name, command->arguments);
}

static void
print_command_help (const LsCliCommand *command)
{
  g_autoptr (GPtrArray) options = ls_cli_options_of (command);

  print_command_usage (stdout, command);
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

int
ls_cli_fail (const char *command,
             const char *format,
             ...)
{
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  fprintf (stderr, "loopscope-cli %s: %s\n", command, message);
  return LS_CLI_FAILED;
}

int
ls_cli_usage (const char *command,
              const char *format,
              ...)
{
  const LsCliCommand *found = find_command (command);
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  fprintf (stderr, "loopscope-cli %s: %s\n", command, message);
  if (found != NULL)
    print_command_usage (stderr, found);
  return LS_CLI_USAGE;
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

int
main (int    argc,
      char **argv)
{
  const LsCliCommand *command;

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
  command = find_command (argv[1]);
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
