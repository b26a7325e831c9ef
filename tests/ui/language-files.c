/* What is said of files of every kind that a window opens, whole, cut off and damaged, and of passes, operators, targets and searches that cannot
 * be, in the language of the window.  The files are those of the random tests (tests/fuzz/corpus) and of the golden ones. */
#include "tests/ui/language.h"

#include "app/session/module-file.h"
#include "engine/device/device.h"
#include "engine/graph/graph.h"
#include "engine/passlog/passlog.h"
#include "engine/relax/pass/pass.h"
#include "engine/runtime/weights.h"
#include "engine/script/script.h"
#include "engine/tir/device.h"
#include "engine/tir/pass/pass.h"
#include "tests/support/support.h"

#include <glib/gstdio.h>
#include <string.h>

/* Opens the file; (transfer full) what was said of it, or NULL: nothing. */
typedef char *(*Open) (const char *path);

static char *
said_of (const GError *error)
{
  return error != NULL ? g_strdup (error->message) : NULL;
}

static char *
open_model (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModelFile) file = ls_model_file_read (path, "model", &error);

  return file != NULL ? g_strdup (file->words) : said_of (error);
}

static char *
open_weights (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GHashTable) arrays = ls_weights_read (path, &error);

  return said_of (error);
}

static char *
open_array (const char *path)
{
  g_autoptr (GError) error = NULL;
  LsNDArray *array = ls_npy_read (path, &error);

  g_clear_pointer (&array, ls_ndarray_unref);
  return said_of (error);
}

static char *
open_log (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsPassLog) log = ls_pass_log_open (path, LS_PASS_LOG_AUTO, &error);

  return said_of (error);
}

static char *
open_result (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsDeviceResult) result = ls_device_result_read (path, &error);

  return said_of (error);
}

/* ---- damage -------------------------------------------------------------------------------------- */

/* Writes the bytes, opens them, and looks at what is said. Returns: 1 when something was said. */
static guint
try_bytes (const char *path,
           Open        open,
           const char *bytes,
           gsize       n,
           const char *where)
{
  g_autofree char *words = NULL;

  g_assert_true (g_file_set_contents (path, bytes, (gssize) n, NULL));
  words = open (path);
  if (words == NULL)
    return 0;
  ls_language_look (words, where);
  return 1;
}

/* One text in quotation marks becomes another, a number none. */
static guint
damage_words (const char *path,
              Open        open,
              const char *bytes,
              gsize       n,
              const char *name)
{
  static const char *const PATTERNS[] = { "\"[^\"\n]*\"", "(?<=[ :\\[])-?[0-9]+", "\\[[^][]*\\]" }, *const INSTEAD[] = { "\"nothing\"", "-7", "{}" };
  guint found = 0;

  if (!g_utf8_validate (bytes, (gssize) n, NULL) || memchr (bytes, '{', n) == NULL)
    return 0;
  for (guint p = 0; p < G_N_ELEMENTS (PATTERNS); p++)
    {
      g_autoptr (GRegex) regex = g_regex_new (PATTERNS[p], 0, 0, NULL);
      g_autoptr (GMatchInfo) match = NULL;
      guint i = 0;

      for (g_regex_match_full (regex, bytes, (gssize) n, 0, 0, &match, NULL); g_match_info_matches (match) && i < ls_test_count (60, 1000); g_match_info_next (match, NULL))
        {
          g_autoptr (GString) text = g_string_new_len (bytes, (gssize) n);
          g_autofree char *where = g_strdup_printf ("%s, %s %u", name, INSTEAD[p], i++);
          int from, to;

          g_match_info_fetch_pos (match, 0, &from, &to);
          g_string_erase (text, from, to - from);
          g_string_insert (text, from, INSTEAD[p]);
          found += try_bytes (path, open, text->str, text->len, where);
        }
    }
  return found;
}

static guint
damage (const char *path,
        Open        open,
        const char *bytes,
        gsize       n,
        const char *name)
{
  const guint parts = ls_test_count (12, 200);
  guint found = try_bytes (path, open, bytes, n, name);

  for (guint i = 0; i < parts; i++)
    {
      const gsize at = n * i / parts;
      g_autofree char *cut = g_strdup_printf ("%s, cut at %" G_GSIZE_FORMAT, name, at), *changed = g_strdup_printf ("%s, byte %" G_GSIZE_FORMAT, name, at);
      g_autofree char *copy = g_memdup2 (bytes, MAX (n, 1));

      found += try_bytes (path, open, bytes, at, cut);
      if (at >= n)
        continue;
      copy[at] = (char) (copy[at] ^ 0x15);
      found += try_bytes (path, open, copy, n, changed);
    }
  return found + damage_words (path, open, bytes, n, name);
}

typedef struct {
  const char *name;             /* of the test */
  const char *folder;           /* below tests/ */
  const char *suffix;           /* of the files that are taken; "": all */
  const char *as;               /* what the file is called when it is opened; NULL: as there */
  Open        open;
  guint       least;            /* so many times something is said */
} Kind;

static const Kind KINDS[] = {
  { "onnx", "fuzz/corpus/onnx", "", ".onnx", open_model, 60 },
  { "pt2", "fuzz/corpus/pt2", "", ".pt2", open_model, 60 },
  { "fx", "fuzz/corpus/fx", ".json", ".fx.json", open_model, 100 },
  { "graph", "golden/fx", ".json", ".fx.json", open_model, 20 },
  { "weights", "fuzz/corpus/weights", "", ".safetensors", open_weights, 40 },
  { "npy", "fuzz/corpus/npy", "", ".npy", open_array, 60 },
  { "log", "fuzz/corpus/passlog", "", NULL, open_log, 20 },
  { "result", "device", "_result.json", ".json", open_result, 4 },
};

static void
test_kind (gconstpointer data)
{
  const Kind *kind = data;
  g_autofree char *folder = ls_test_path (kind->folder), *room = g_dir_make_tmp ("ls-language-XXXXXX", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint found = 0;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (folder, name, NULL), *called = kind->as != NULL ? g_strconcat ("file", kind->as, NULL) : g_strdup (name), *path = g_build_filename (room, called, NULL);
      g_autofree char *bytes = NULL;
      gsize n = 0;

      if (!g_str_has_suffix (name, kind->suffix) || !g_file_get_contents (file, &bytes, &n, NULL))
        continue;
      found += damage (path, kind->open, bytes, n, name);
      g_unlink (path);
    }
  g_rmdir (room);
  g_test_message ("%u sentences", found);
  g_assert_cmpuint (found, >=, kind->least);
}

/* ---- passes ------------------------------------------------------------------------------------------ */

static LsMap *
wrong_arguments (const LsRelaxPass *pass)
{
  LsMap *map = ls_map_empty ();

  for (const LsRelaxPassParam *param = pass->params; param != NULL && param->name != NULL; param++)
    {
      g_autoptr (LsNode) value = g_str_has_prefix (param->type, "str") ? LS_NODE (ls_int_imm_new (LS_INT64, 3)) : LS_NODE (ls_string_new ("nothing of that name"));

      ls_take (&map, ls_map_set (map, param->name, value));
    }
  return map;
}

static guint
run_pass (const LsRelaxPass *pass,
          LsModule          *module,
          LsMap             *keywords,
          const char        *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsMap) args = ls_relax_pass_arguments (pass, NULL, keywords, &error);
  g_autoptr (LsModule) after = args != NULL ? ls_relax_pass_run (pass, module, args, &error) : NULL;
  g_autofree char *where = g_strdup_printf ("%s of %s", pass->name, name);

  if (error != NULL)
    ls_language_look (error->message, where);
  return error != NULL;
}

static guint
run_passes (LsModule   *module,
            const char *name)
{
  guint n, found = 0;
  const LsRelaxPass *passes = ls_relax_pass_list (&n);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (LsMap) wrong = wrong_arguments (&passes[i]);

      found += run_pass (&passes[i], module, NULL, name) + run_pass (&passes[i], module, wrong, name);
    }
  return found;
}

static guint
run_lowering (LsModule   *module,
              const char *name)
{
  guint n, found = 0;
  const LsPass *const *passes = ls_pass_all (&n);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsModule) after = ls_pass_run_module (passes[i], module, &error);
      g_autofree char *where = g_strdup_printf ("%s of %s", passes[i]->name, name);

      if (error != NULL)
        ls_language_look (error->message, where);
      found += error != NULL;
    }
  return found;
}

static int
by_name (gconstpointer a,
         gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Each pass over a part of the programs: many of them need something that those have not. */
static void
over_programs (const char *below,
               guint       every,
               guint       least,
               guint     (*run) (LsModule *module, const char *name))
{
  g_autofree char *folder = ls_test_path (below);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;
  guint found = 0;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".py"))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, by_name);
  for (guint i = 0; i < names->len; i += every)
    {
      g_autofree char *file = g_build_filename (folder, names->pdata[i], NULL), *text = NULL;
      g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
      g_autoptr (LsSource) source = NULL;
      g_autoptr (LsModule) module = NULL;

      g_assert_true (g_file_get_contents (file, &text, NULL, NULL));
      source = ls_source_new (names->pdata[i], text, -1);
      module = ls_script_parse (source, findings);
      if (module != NULL)
        found += run (module, names->pdata[i]);
    }
  g_test_message ("%u sentences", found);
  g_assert_cmpuint (found, >=, least);
}

static void
test_passes (void)
{
  over_programs ("golden/pass", ls_test_count (12, 1), 100, run_passes);
}

static void
test_lowering (void)
{
  over_programs ("golden/pass", ls_test_count (12, 1), 1, run_lowering);
  over_programs ("golden/print", ls_test_count (4, 1), 1, run_lowering);
}

/* ---- operators ------------------------------------------------------------------------------------------ */

/* `x` is (2, 3) float32, `v` (5,), `m` (4, 4), `q` (1, 8, 8, 3), `i` (2,) int64. */
static const char *const CALLS[] = {
  "R.matmul(x, v)", "R.add(x, v)", "R.add(x, i)", "R.concat([x, m], 0)", "R.concat([x, x], 5)", "R.reshape(x, (4, 4))", "R.reshape(x, (-1, -1))",
  "R.permute_dims(x, [0, 0])", "R.permute_dims(x, [0])", "R.sum(x, axis=[7])", "R.mean(i, axis=[0])", "R.nn.softmax(x, axis=3)", "R.nn.conv2d(x, m)",
  "R.nn.conv2d(q, q)", "R.nn.max_pool2d(x)", "R.nn.layer_norm(x, v, v, axes=[-1])", "R.nn.batch_norm(q, v, v, v, v, axis=3)", "R.squeeze(x, axis=[0])",
  "R.broadcast_to(x, (4, 4))", "R.split(x, 0, axis=0)", "R.split(x, 2, axis=9)", "R.take(x, i)", "R.take(x, x, axis=0)", "R.strided_slice(x, [0], [0], [2], [0])",
  "R.where(x, x, x)", "R.one_hot(x, R.prim_value(1), R.prim_value(0), -3)", "R.argmax(x, axis=4)", "R.topk(x, 1, -1, \"none\")", "R.expand_dims(x, [9])",
  "R.einsum((x, m), \"ij,jk->ik\")", "R.einsum((x,), \"ij->k\")", "R.outer(x, v)", "R.tril(v)", "R.astype(x)", "R.image.resize2d(x, (2, 2))",
  "R.nn.attention(q, x, x)", "R.nn.dropout(i)", "R.nn.group_norm(q, v, v, num_groups=2, channel_axis=3, axes=[1, 2])", "R.scatter_elements(x, i, v)",
  "R.gather_nd(x, i, 7)", "R.cumsum(x, axis=8)", "R.sqrt(i)", "R.flatten(7)", "R.nosuch(x)", "R.call_tir(nothing, (x,), out_sinfo=R.Tensor((2, 3), \"float32\"))",
  "x[7]", "R.add(x)", "R.add(x, x, x)", "R.layout_transform(x, index_map=lambda a: (a,))", "R.collapse_sum_to(x, (5,))", "R.flip(x, 4)", "R.repeat(x, 2, 5)", "R.tile(x, 2, 3)",
  "R.quantize(x, x, x)", "R.nn.nll_loss(x, x, v)", "R.nn.cross_entropy_with_logits(x, v)", "R.meshgrid((x, x))", "R.bucketize(x, x)", "R.stack([x, m])", "R.hamming_window(0, True, 1.0, 1.0, \"int32\")",
};

static void
test_operators (void)
{
  guint found = 0;

  for (guint i = 0; i < G_N_ELEMENTS (CALLS); i++)
    {
      g_autofree char *text = g_strdup_printf ("from tvm.script import ir as I\nfrom tvm.script import relax as R\n\n@I.ir_module\nclass Module:\n    @R.function\n"
                                               "    def main(x: R.Tensor((2, 3), \"float32\"), v: R.Tensor((5,), \"float32\"), m: R.Tensor((4, 4), \"float32\"), "
                                               "q: R.Tensor((1, 8, 8, 3), \"float32\"), i: R.Tensor((2,), \"int64\")):\n        y = %s\n        return y\n", CALLS[i]);
      g_autoptr (LsSource) source = ls_source_new ("draft.py", text, -1);
      g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
      g_autoptr (LsModule) module = ls_script_parse (source, findings);

      for (guint n = 0; n < ls_diagnostics_get_n (findings); n++)
        ls_language_look (ls_diagnostics_get (findings, n)->message, CALLS[i]);
      if (ls_diagnostics_get_n (findings) == 0)
        g_test_message ("nothing is wrong with %s", CALLS[i]);
      found += ls_diagnostics_get_n (findings) > 0;
    }
  g_assert_cmpuint (found, >=, G_N_ELEMENTS (CALLS) * 3 / 4);
}

/* ---- words ------------------------------------------------------------------------------------------- */

static void
test_targets (void)
{
  static const char *const TEXTS[] = {
    "", "nothing", "llvm", "cuda -arch=nothing", "cuda -arch", "rocm -mcpu=sm_80", "cuda -max_num_threads=-1", "cuda -nothing=2", "nvidia/nothing", "opencl -max_threads_per_block=x",
  };

  for (guint i = 0; i < G_N_ELEMENTS (TEXTS); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsDeviceTarget) target = ls_device_target_parse (TEXTS[i], &error);

      g_assert_nonnull (error);
      ls_language_look (error->message, TEXTS[i]);
    }
}

static void
test_searches (void)
{
  static const char *const TEXTS[] = { "->", "add ->", "-> add", "/", "//", "/(/", "is_op(", "is_op(3)", "is_op(\"relax.nothing\")", "nothing()", "wildcard().has_dtype(3)", "is_tuple(",
                                       "is_op(\"relax.add\")(wildcard(), nothing)", "wildcard() | ", "wildcard() x" };
  g_autoptr (LsSource) source = ls_source_new ("draft.py", "from tvm.script import ir as I\nfrom tvm.script import relax as R\n\n@I.ir_module\nclass Module:\n    @R.function\n"
                                               "    def main(x: R.Tensor((2, 3), \"float32\")):\n        y = R.add(x, x)\n        return y\n", -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, findings);
  g_autoptr (LsGraph) graph = ls_graph_from_relax (module, "main");
  guint found = 0;

  for (guint i = 0; i < G_N_ELEMENTS (TEXTS); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) matches = ls_graph_search (graph, TEXTS[i], &error);

      if (error != NULL)
        ls_language_look (error->message, TEXTS[i]);
      found += error != NULL;
    }
  g_assert_cmpuint (found, >=, 8);
}

void
ls_language_add_files (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (KINDS); i++)
    {
      g_autofree char *name = g_strconcat ("/language/files/", KINDS[i].name, NULL);

      g_test_add_data_func (name, &KINDS[i], test_kind);
    }
  g_test_add_func ("/language/files/passes", test_passes);
  g_test_add_func ("/language/files/lowering", test_lowering);
  g_test_add_func ("/language/files/operators", test_operators);
  g_test_add_func ("/language/files/targets", test_targets);
  g_test_add_func ("/language/files/searches", test_searches);
}
