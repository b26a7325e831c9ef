/* classify: a model on the test pictures of Fashion-MNIST.
 *
 *   MODEL            a Relax script, an executable of build (.lsx), or a saved graph of torch.fx (.fx.json)
 *   --image N        this picture, drawn, with its logits as bars and the prediction
 *   --all            the whole test set: how many are right, and how fast beside numpy and OpenBLAS called directly
 *   --weights FILE   values for the parameters that the model leaves open (.safetensors, .npz), by name
 *   --func F, --timeout SECONDS, --json
 *
 * Where the data set is not installed, its first 500 test pictures stand in (data/models/fashion-mnist).
 *
 * The times of --all are taken in one run: the virtual machine and OpenBLAS in turns in the worker, numpy in a Python of its own after
 * it (numpy's figure is left out where there is none).  One picture at a time everywhere.
 */
#include "app/cli/input.h"
#include "app/cli/remote.h"
#include "engine/frontend/fx/fx.h"
#include "engine/runtime/images.h"
#include "engine/script/saved.h"

#include <gio/gio.h>
#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BAR 44                  /* columns of the axis */

typedef struct {
  const char *file, *weights, *func, *pictures;
  gint64      image, timeout;
  gboolean    all, json;
} Request;

/* ---- the model ----------------------------------------------------------------------------- */

static LsModule *
read_model (const char *command,
            const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsFxGraph) graph = NULL;
  LsModule *module;

  if (!g_str_has_suffix (path, ".json") || ls_saved_is_file (path))
    return ls_cli_read_module (command, path);
  graph = ls_fx_graph_read (path, &error);
  module = graph != NULL ? ls_fx_graph_import (graph, NULL, &error) : NULL;
  if (module == NULL)
    ls_cli_fail (command, "%s", error->message);
  return module;
}

static GVariant *
ask (Request    *request,
     const char *command)
{
  g_autofree char *path = g_canonicalize_filename (request->file, NULL), *weights = request->weights != NULL ? g_canonicalize_filename (request->weights, NULL) : NULL;
  g_autoptr (LsModule) module = NULL;
  const char *readable[] = { request->pictures, path, weights, NULL };
  GVariantDict params;

  if (!g_str_has_suffix (path, ".lsx") && (module = read_model (command, request->file)) == NULL)
    return NULL;
  g_variant_dict_init (&params, NULL);
  if (module != NULL)
    g_variant_dict_insert_value (&params, "module", g_variant_new_take_string (ls_cli_module_text (module)));
  else
    g_variant_dict_insert (&params, "executable", "s", path);
  g_variant_dict_insert (&params, "pictures", "s", request->pictures);
  if (weights != NULL)
    g_variant_dict_insert (&params, "weights", "s", weights);
  if (request->func != NULL)
    g_variant_dict_insert (&params, "func", "s", request->func);
  g_variant_dict_insert (&params, "image", "x", MAX (request->image, 0));
  g_variant_dict_insert (&params, "all", "b", request->all);
  return ls_cli_ask (command, "classify", &params, (double) request->timeout, readable, NULL);
}

/* ---- one picture ------------------------------------------------------------------------------ */

/* Two rows of pixels in one of text: half blocks in 24-bit grey. */
static void
draw_in_grey (const guint8 *pixels,
              guint         rows,
              guint         columns)
{
  for (guint y = 0; y < rows; y += 2)
    {
      fputs ("  ", stdout);
      for (guint x = 0; x < columns; x++)
        {
          guint above = pixels[y * columns + x], below = y + 1 < rows ? pixels[(y + 1) * columns + x] : 0;

          printf ("\033[38;2;%u;%u;%um\033[48;2;%u;%u;%um▀", above, above, above, below, below, below);
        }
      fputs ("\033[0m\n", stdout);
    }
}

/* Two columns of text for each pixel. */
static void
draw_in_shades (const guint8 *pixels,
                guint         rows,
                guint         columns)
{
  static const char *const SHADES[] = { " ", "·", "░", "▒", "▓", "█" };

  for (guint y = 0; y < rows; y++)
    {
      GString *line = g_string_new ("  ");

      for (guint x = 0; x < columns; x++)
        {
          guint shade = pixels[y * columns + x] * G_N_ELEMENTS (SHADES) / 256;

          g_string_append (line, SHADES[shade]);
          g_string_append (line, SHADES[shade]);
        }
      puts (g_strchomp (line->str));
      g_string_free (line, TRUE);
    }
}

static void
put_bar (const LsScores *scores,
         guint           i)
{
  const LsScore *score = &scores->scores[i];
  guint from = (guint) (score->from * BAR + 0.5), to = (guint) (score->to * BAR + 0.5), zero = (guint) (scores->zero * BAR + 0.5);

  for (guint c = 0; c < BAR; c++)
    fputs (c >= from && c < to ? (c < zero ? "▒" : "█") : c == zero ? "│" : " ", stdout);
}

static void
print_picture (GVariant     *answer,
               LsImageSet   *images,
               LsScores     *scores)
{
  gint64 number = ls_params_int (answer, "image", 0);
  guint label = images->labels[number];
  g_autofree char *duration = ls_cli_duration (ls_cli_number (answer, "run-ns"));
  gboolean colours = isatty (STDOUT_FILENO) && g_strcmp0 (g_getenv ("TERM"), "dumb") != 0 && g_getenv ("NO_COLOR") == NULL;

  printf ("image %" G_GINT64_FORMAT " of %u, labelled %s\n\n", number, images->n, ls_fashion_mnist_name (label));
  (colours ? draw_in_grey : draw_in_shades) (ls_image_set_get (images, (guint) number), images->rows, images->columns);
  printf ("\n  %-12s %11s  %-*s %7s\n", "class", "logit", BAR, "", "softmax");
  for (guint i = 0; i < scores->n; i++)
    {
      printf ("%s %-12s %11.6g  ", i == scores->best ? "▶" : " ", ls_fashion_mnist_name (i), scores->scores[i].value);
      put_bar (scores, i);
      printf (" %6.2f%%%s\n", 100 * scores->scores[i].share, i == label ? "  label" : "");
    }
  printf ("\nprediction: %s, %s; one run took %s\n", ls_fashion_mnist_name (scores->best), scores->best == label ? "right" : "wrong", duration);
}

static int
show_picture (Request    *request,
              const char *command,
              GVariant   *answer)
{
  g_autoptr (GVariant) logits = ls_params_value (answer, "logits");
  g_autoptr (GError) error = NULL;
  g_autoptr (LsImageSet) images = NULL;
  g_autoptr (LsScores) scores = NULL;
  const double *values;
  gsize n;

  if (request->json)
    {
      ls_cli_print_json (answer);
      return LS_CLI_DONE;
    }
  images = ls_fashion_mnist_read (request->pictures, &error);
  if (images == NULL)
    return ls_cli_fail (command, "%s", error->message);
  values = g_variant_get_fixed_array (logits, &n, sizeof (double));
  scores = ls_scores_new (values, (guint) n);
  print_picture (answer, images, scores);
  return LS_CLI_DONE;
}

/* ---- the whole set ---------------------------------------------------------------------------------- */

/* argv: the folder of the data set, a file of weights or "" (then random ones: the time is the same).  Prints ns for one picture and,
 * with weights, how many are right. */
static const char NUMPY[] =
  "import gzip, json, struct, sys, time\n"
  "import numpy as np\n"
  "folder, path = sys.argv[1:]\n"
  "def idx(name, skip): return np.frombuffer(gzip.open(folder + '/t10k-' + name + '-ubyte.gz').read(), np.uint8, offset=skip)\n"
  "x, y = idx('images-idx3', 16).reshape(-1, 1, 784), idx('labels-idx1', 8)\n"
  "if path.endswith('.npz'):\n"
  "    p = dict(np.load(path))\n"
  "elif path:\n"
  "    data = open(path, 'rb').read()\n"
  "    n = struct.unpack('<Q', data[:8])[0]\n"
  "    p = {k: np.frombuffer(data[8 + n:][slice(*v['data_offsets'])], np.float32).reshape(v['shape']) for k, v in json.loads(data[8:8 + n]).items() if k[0] != '_'}\n"
  "else:\n"
  "    r = np.random.default_rng(1)\n"
  "    p = {k: r.standard_normal(s, np.float32) for k, s in (('w0', (128, 784)), ('b0', 128), ('w1', (10, 128)), ('b1', 10))}\n"
  "w0, b0, w1, b1 = (p[k] for k in ('w0', 'b0', 'w1', 'b1'))\n"
  "def one(i): return np.maximum(x[i].astype(np.float32) / np.float32(255) @ w0.T + b0, 0) @ w1.T + b1\n"
  "best = float('inf')\n"
  "for r in range(3):\n"
  "    start = time.perf_counter_ns()\n"
  "    right = sum(int(one(i).argmax()) == y[i] for i in range(len(x)))\n"
  "    best = min(best, time.perf_counter_ns() - start)\n"
  "print(best / len(x), right if path else -1)\n";

/* FALSE where no Python has numpy, or the weights are not those of two layers. */
static gboolean
time_numpy (Request *request,
            double  *ns,
            gint64  *right)
{
  static const char *const PYTHONS[] = { "python3", "/usr/bin/python3" };

  for (guint i = 0; i < G_N_ELEMENTS (PYTHONS); i++)
    {
      g_autoptr (GSubprocess) process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, NULL,
                                                          PYTHONS[i], "-c", NUMPY, request->pictures, request->weights != NULL ? request->weights : "", NULL);
      g_autofree char *out = NULL;
      char *rest;

      if (process == NULL || !g_subprocess_communicate_utf8 (process, NULL, NULL, &out, NULL, NULL) || !g_subprocess_get_successful (process))
        continue;
      *ns = g_ascii_strtod (out, &rest);
      *right = g_ascii_strtoll (rest, NULL, 10);
      return *ns > 0;
    }
  return FALSE;
}

static void
print_speed (const char *name,
             double      ns,
             double      vm_ns)
{
  g_autofree char *duration = ls_cli_duration (ns);

  printf ("  %-28s %12.0f %12s %10.2f\n", name, 1e9 / ns, duration, vm_ns / ns);
}

static void
print_set (GVariant *answer)
{
  g_autoptr (GVariant) classes = ls_params_value (answer, "classes");
  double vm = ls_cli_number (answer, "vm-ns"), n = ls_cli_number (answer, "images");

  printf ("%.0f of %.0f right, %.2f %%\n\n", ls_cli_number (answer, "right"), n, 100 * ls_cli_number (answer, "right") / n);
  for (gsize i = 0; i < g_variant_n_children (classes); i++)
    {
      g_autoptr (GVariant) row = g_variant_get_child_value (classes, i);
      double share = ls_cli_number (row, "right") / MAX (ls_cli_number (row, "images"), 1);

      printf ("  %-12s %5.0f of %4.0f  ", ls_params_string (row, "name", ""), ls_cli_number (row, "right"), ls_cli_number (row, "images"));
      for (guint c = 0; c < BAR; c++)
        fputs (c < share * BAR ? "█" : "░", stdout);
      putchar ('\n');
    }
  printf ("\n  %-28s %12s %12s %10s\n", "one picture at a time", "images/s", "one", "VM takes");
  print_speed ("virtual machine", vm, vm);
  if (ls_cli_number (answer, "openblas-ns") > 0)
    print_speed ("OpenBLAS called directly", ls_cli_number (answer, "openblas-ns"), vm);
  if (ls_cli_number (answer, "numpy-ns") > 0)
    print_speed ("numpy", ls_cli_number (answer, "numpy-ns"), vm);
  else
    puts ("  numpy                        not measured: no python3 here has it, or the weights are not w0, b0, w1, b1");
}

static int
show_set (Request    *request,
          const char *command,
          GVariant   *answer)
{
  g_autoptr (GVariant) whole = NULL;
  GVariantDict dict;
  double ns;
  gint64 right;

  g_variant_dict_init (&dict, answer);
  if (time_numpy (request, &ns, &right))
    {
      g_variant_dict_insert (&dict, "numpy-ns", "d", ns);
      if (right >= 0)
        g_variant_dict_insert (&dict, "numpy-right", "x", right);
    }
  whole = g_variant_ref_sink (g_variant_dict_end (&dict));
  if (request->json)
    ls_cli_print_json (whole);
  else
    print_set (whole);
  return LS_CLI_DONE;
}

int
ls_cli_classify (int    argc,
                 char **argv)
{
  Request request = { .image = -1, .timeout = 300 };
  const LsCliOption options[] = {
    { "--json", LS_CLI_FLAG, &request.json },
    { "--all", LS_CLI_FLAG, &request.all },
    { "--image", LS_CLI_NUMBER, &request.image },
    { "--weights", LS_CLI_TEXT, &request.weights },
    { "--func", LS_CLI_TEXT, &request.func },
    { "--timeout", LS_CLI_NUMBER, &request.timeout },
    { NULL },
  };
  int status = ls_cli_args_read (argc, argv, options, &request.file);
  gboolean sample;
  g_autofree char *pictures = ls_fashion_mnist_folder (&sample);
  g_autoptr (GVariant) answer = NULL;

  if (status != LS_CLI_DONE)
    return status;
  if (request.file == NULL || request.all == (request.image >= 0))
    return ls_cli_usage (argv[0], "a model and --image N or --all are expected");
  if (sample)
    fprintf (stderr, "%s: %s\n", argv[0], "the package dataset-fashion-mnist is not installed: the 500 of its pictures that come with Loopscope stand in");
  request.pictures = pictures;
  answer = ask (&request, argv[0]);
  if (answer == NULL)
    return LS_CLI_FAILED;
  return request.all ? show_set (&request, argv[0], answer) : show_picture (&request, argv[0], answer);
}
