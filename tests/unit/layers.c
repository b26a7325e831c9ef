/* layers: reads the #include lines of engine, views and app, and what their compiled files call; fails on a forbidden edge.
 *
 * A row names a folder and what it may include besides itself and what these may include.  A file
 * belongs to the longest row that its path begins with.  `data` is the header made from the resource
 * bundle.  Toolkits are held to their places too: GTK to views and app, LLVM to codegen and the
 * worker.  A header NAME-private.h is for its own folder (and the folders in it) only, except that of
 * ir: who defines node kinds needs it.
 *
 * A call is an edge like an #include.  Files that call each other, in a round of any length, are listed in circles.txt with
 * the reason why they are one thing; any other round fails, and so does a file that stands there and has left its round.
 *
 * And what the compiler does not say: no array of texts is left to g_autofree, tasks go to threads by ls_task_run, and what a loop, a block, a
 * let, a condition or an assertion says of what is in it comes from engine/tir/scope.h.
 */
#include "tests/support/support.h"
#include "tests/unit/calls.h"

#include <string.h>

typedef struct {
  const char *folder;
  const char *above;            /* the rows it may include, separated by spaces */
  const char *toolkits;         /* prefixes of <...> headers that others may not use */
} Layer;

static const Layer layers[] = {
  { "engine/base",     "", "" },
  { "engine/ir",       "engine/base", "" },
  { "engine/arith",    "engine/ir", "" },
  { "engine/tir",      "engine/arith", "" },
  { "engine/tir/pass", "engine/tir", "" },
  { "engine/te",       "engine/tir", "" },
  { "engine/topi",     "engine/te", "" },
  { "engine/relax",    "engine/tir/pass engine/topi engine/interp", "" },
  { "engine/frontend", "engine/relax engine/runtime", "" },
  { "engine/script",   "engine/relax", "" },
  { "engine/schedule/state",     "engine/tir", "" },
  { "engine/schedule/step",      "engine/schedule/state engine/poly", "" },
  { "engine/schedule/trace",     "engine/schedule/step engine/script", "" },
  { "engine/schedule/rewrite",   "engine/schedule/step", "" },
  { "engine/schedule/legal",     "engine/schedule/rewrite engine/script", "" },
  { "engine/schedule/blockize",  "engine/schedule/legal", "" },
  { "engine/schedule/intrin",    "engine/schedule/legal", "" },
  { "engine/schedule/primitive", "engine/schedule/blockize engine/schedule/intrin", "" },
  { "engine/schedule/call",      "engine/schedule/trace engine/schedule/legal", "" },
  { "engine/schedule/lineage",   "engine/schedule/step engine/script", "" },
  { "engine/schedule",           "engine/schedule/call engine/schedule/lineage", "" },
  { "engine/schedule/inspect",   "engine/schedule", "" },
  { "engine/schedule/explain",   "engine/schedule engine/schedule/intrin data", "" },
  { "engine/schedule/moves",     "engine/schedule engine/schedule/intrin", "" },
  { "engine/schedule/space",     "engine/schedule", "" },
  { "engine/graph",    "engine/schedule/inspect engine/frontend", "" },
  { "engine/interp",   "engine/tir", "" },
  { "engine/simt",     "engine/interp engine/tir/pass", "" },
  { "engine/debug",    "engine/interp engine/script engine/runtime engine/schedule", "" },
  { "engine/passlog",  "engine/base", "" },
  { "engine/poly",     "engine/interp", "isl/" },
  { "engine/runtime",  "engine/base", "" },
  { "engine/codegen/c", "engine/tir/pass", "" },
  { "engine/codegen/numpy", "engine/codegen/c engine/relax", "" },
  { "engine/codegen/reading", "engine/codegen/numpy", "" },
  { "engine/device",   "engine/codegen/c data", "" },
  { "engine/codegen",  "engine/codegen/c engine/relax engine/runtime", "llvm-c/" },
  { "engine/advice",   "engine/schedule engine/runtime", "" },
  { "engine/tune",     "engine/schedule/space engine/advice engine/codegen", "" },
  { "engine/python",   "engine/device engine/simt engine/codegen/c engine/interp engine/topi engine/frontend engine/tune engine/schedule/intrin", "Python.h" },
  { "data",            "", "" },
  { "views/models",    "engine/graph engine/interp engine/runtime engine/topi", "" },
  { "views/canvas",    "views/models", "gtk/ gdk/ gsk/" },
  { "views/figures",   "views/canvas", "gtk/ gdk/ gsk/" },
  { "views/parts",     "views/canvas data", "gtk/ gdk/ gsk/ gtksourceview/ adwaita.h" },
  { "views/access",    "views/parts", "gtk/ gdk/ gsk/" },
  { "views/threads",   "views/parts", "gtk/ gdk/ gsk/" },
  { "views/run",       "views/parts", "gtk/ gdk/ gsk/ gtksourceview/" },
  { "views/script",    "views/parts", "gtk/ gdk/ gsk/ gtksourceview/" },
  { "views/loops",     "views/parts", "gtk/ gdk/ gsk/" },
  { "views/moves",     "views/parts", "gtk/ gdk/ gsk/" },
  { "views/history",   "views/moves", "gtk/ gdk/ gsk/" },
  { "views/time",      "views/history", "gtk/ gdk/ gsk/" },
  { "views/graph",     "views/loops views/script views/figures", "gtk/ gdk/ gsk/" },
  { "views/compare",   "views/script views/figures", "gtk/ gdk/ gsk/ gtksourceview/" },
  { "views/tune",      "views/parts", "gtk/ gdk/ gsk/" },
  { "views/explore",   "views/loops views/script views/time", "gtk/ gdk/ gsk/" },
  { "views/why",       "views/compare views/time", "gtk/ gdk/ gsk/" },
  { "app/about",       "", "" },
  { "app",             "app/about engine/schedule/intrin app/window app/report app/access app/beside app/code app/practice app/ranking app/reading app/rule app/threads app/run app/passes", "gtk/ gdk/ gsk/ gtksourceview/ adwaita.h" },
  { "app/base",        "views/parts", "gtk/ gdk/ gsk/" },
  { "app/fleet",       "engine/runtime app/rpc", "hiredis/" },
  { "app/bundle",      "engine/device engine/script engine/runtime engine/tir/pass app/jail app/rpc", "" },
  { "app/device",      "app/about engine/base data", "" },
  { "app/measure",     "app/about app/bundle app/fleet", "" },
  { "app/search",      "engine/tune engine/relax engine/script app/bundle app/fleet", "" },
  { "app/session",     "app/search engine/device engine/debug engine/advice engine/schedule/moves views/models app/mca app/rpc", "" },
  { "app/report",      "app/session app/page views/figures", "gtk/ gdk/ gsk/" },
  { "app/tool",        "app/base", "gtk/ gdk/ gsk/ adwaita.h" },
  { "app/beside",      "app/session app/tool views/parts views/graph", "gtk/ gdk/ gsk/" },
  { "app/access",      "app/session app/tool views/access", "gtk/ gdk/ gsk/" },
  { "app/code",        "app/session app/tool app/mca views/parts", "gtk/ gdk/ gsk/" },
  { "app/threads",     "app/session app/tool views/parts views/threads", "gtk/ gdk/ gsk/" },
  { "app/practice",    "app/tool views/compare", "gtk/ gdk/ gsk/" },
  { "app/reading",     "engine/codegen/reading app/session app/tool views/parts", "gtk/ gdk/ gsk/" },
  { "app/ranking",     "app/tool views/parts", "gtk/ gdk/ gsk/" },
  { "app/rule",        "engine/schedule/explain app/session app/tool views/parts", "gtk/ gdk/ gsk/" },
  { "app/run",         "app/kernel app/session app/tool views/parts views/run", "gtk/ gdk/ gsk/" },
  { "app/learn",       "app/base app/session app/lesson app/tool views/access views/run views/explore views/graph", "gtk/ gdk/ gsk/ gtksourceview/ adwaita.h" },
  { "app/help",        "app/learn app/tool", "gtk/ gdk/ gsk/" },
  { "app/passes",      "engine/passlog app/llvm engine/graph app/rpc app/session app/tool app/page views/compare views/graph", "gtk/ gdk/ gsk/ adwaita.h" },
  { "app/preferences", "app/base", "gtk/ gdk/ gsk/ adwaita.h" },
  { "app/window",      "engine/passlog app/session app/tool app/help app/preferences app/learn views/compare views/explore views/graph views/why views/tune",
                       "gtk/ gdk/ gsk/ gtksourceview/ adwaita.h" },
  { "app/draw",        "app/about app/report app/base app/rpc views/threads", "gtk/ gdk/ gsk/" },
  { "app/library",     "engine/schedule/intrin engine/schedule/moves app/base app/session views/explore views/graph views/moves", "gtk/ gdk/ gsk/" },
  { "app/cli",         "app/about app/base engine/device engine/codegen/reading engine/tune engine/advice engine/passlog engine/graph engine/debug engine/interp engine/simt engine/runtime engine/topi engine/schedule/explain engine/schedule/moves "
                       "app/rpc app/search app/lesson app/llvm app/mca app/page", "" },
  { "app/jail",        "app/about", "" },
  { "app/rpc",         "engine/base app/jail", "" },
  { "app/llvm",        "engine/passlog app/rpc", "" },
  { "app/mca",         "", "" },
  { "app/worker",      "app/about engine/debug engine/interp engine/simt engine/tune engine/graph app/rpc", "llvm-c/ graphviz/" },
  { "app/kernel",      "engine/base app/rpc", "" },
  { "app/lesson",      "engine/base engine/debug app/kernel app/rpc", "" },
  { "app/page",        "engine/passlog app/llvm engine/graph engine/interp engine/frontend engine/script engine/schedule/lineage engine/schedule/call app/lesson", "" },
};

static const char *const toolkits[] = {
  "gtk/", "gdk/", "gsk/", "gtksourceview/", "adwaita.h", "llvm-c/", "graphviz/", "isl/", "hiredis/", "Python.h"
};

static const Layer *
find_layer (const char *path)
{
  const Layer *best = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (layers); i++)
    {
      gsize length = strlen (layers[i].folder);

      if (strncmp (path, layers[i].folder, length) == 0 && path[length] == '/'
          && (best == NULL || length > strlen (best->folder)))
        best = &layers[i];
    }
  return best;
}

static gboolean
may_include (const Layer *from,
             const Layer *to)
{
  g_auto (GStrv) above = NULL;

  if (from == to)
    return TRUE;
  above = g_strsplit (from->above, " ", -1);
  for (guint i = 0; above[i] != NULL; i++)
    for (guint j = 0; j < G_N_ELEMENTS (layers); j++)
      if (strcmp (layers[j].folder, above[i]) == 0 && may_include (&layers[j], to))
        return TRUE;
  return FALSE;
}

static gboolean
may_use_toolkit (const Layer *from,
                 const char  *header)
{
  g_auto (GStrv) own = g_strsplit (from->toolkits, " ", -1);

  for (guint i = 0; i < G_N_ELEMENTS (toolkits); i++)
    if (g_str_has_prefix (header, toolkits[i]))
      return g_strv_contains ((const char *const *) own, toolkits[i]);
  return TRUE;
}

static gboolean
is_private_to_others (const char *path,
                      const char *header)
{
  g_autofree char *folder = g_path_get_dirname (header);

  if (strcmp (header, "engine/ir/ir-private.h") == 0)
    return !g_str_has_prefix (path, "engine/ir/") && !g_str_has_prefix (path, "engine/arith/") && !g_str_has_prefix (path, "engine/tir/")
           && !g_str_has_prefix (path, "engine/te/") && !g_str_has_prefix (path, "engine/relax/");
  return (g_str_has_suffix (header, "-private.h") || g_str_has_suffix (header, "/private.h"))
         && !(g_str_has_prefix (path, folder) && path[strlen (folder)] == '/');
}

static void
check_include (const char *path,
               guint       line,
               char        opener,
               const char *header)
{
  const Layer *from = find_layer (path);
  const Layer *to = find_layer (header);

  if (from == NULL)
    g_test_fail_printf ("%s: the folder has no row in tests/unit/layers.c.", path);
  else if (opener == '<' && !may_use_toolkit (from, header))
    g_test_fail_printf ("%s:%u: <%s> is not for %s.", path, line, header, from->folder);
  else if (opener == '"' && to == NULL)
    g_test_fail_printf ("%s:%u: \"%s\" is not written from the root.", path, line, header);
  else if (opener == '"' && !may_include (from, to))
    g_test_fail_printf ("%s:%u: %s may not include \"%s\".", path, line, from->folder, header);
  else if (opener == '"' && is_private_to_others (path, header))
    g_test_fail_printf ("%s:%u: \"%s\" is private.", path, line, header);
}

/* GLib frees the first element of an array that is declared so, and no other. */
static void
check_cleanup (const char *path,
               guint       line,
               const char *text)
{
  const char *value = strchr (text, '='), *bracket = strchr (text, '[');

  if (g_str_has_prefix (text, "g_auto") && bracket != NULL && (value == NULL || bracket < value))
    g_test_fail_printf ("%s:%u: of an array only the first element is freed.", path, line);
}

/* GLib's thread may be the last to let go of a task, and takes apart what belongs to the main loop (engine/base/task.h). */
/* And a thread that wants something done on the main loop does it itself, by g_main_context_invoke, when nobody is in that loop. */
static void
check_task (const char *path,
            guint       line,
            const char *text)
{
  if (strstr (text, "g_main_context_invoke") != NULL)
    g_test_fail_printf ("%s:%u: what the main loop has to do goes there by g_idle_add.", path, line);
  if (strstr (text, "g_task_run_in_thread (") != NULL && strcmp (path, "engine/base/task.c") != 0)
    g_test_fail_printf ("%s:%u: a task goes to a thread by ls_task_run.", path, line);
}

/* What asks something of its own, and enters no scope of the program. */
static const struct { const char *file, *why; } questions[] = {
  { "engine/tir/scope.c", "the one place" },
  { "engine/tir/lasting.c", "how long it holds, for scope.c" },
  { "engine/tir/index_map.c", "variables of a map" },
  { "engine/tir/index-values.c", "ranges with the values of names in them, and loops whose range was loaded left open" },
  { "engine/tir/pass/software-pipeline.c", "a loop that the pass makes" },
  { "engine/schedule/legal/partly.c", "what would hold where the bindings stay in their domains" },
  { "engine/schedule/intrin/match.c", "a name of one program stands for a value of the other" },
  { "engine/schedule/primitive/reverse_compute_inline.c", "what the new predicate says of the old one; loops of a copy from 0" },
  { "engine/schedule/blockize/part.c", "domains with the loops' variables put in" },
  { "engine/relax/pass/adjust-matmul-order.c", "sizes of tensors" },
};

/* Scopes are entered in one place, where it is also known what ends what they say. */
static void
check_scope (const char *path,
             guint       line,
             const char *text)
{
  static const char *const calls[] = { "ls_analyzer_enter_constraint (", "ls_analyzer_bind_let (", "ls_analyzer_bind (", "ls_analyzer_note_data (",
                                       "ls_analyzer_note_let (", "ls_analyzer_enter_in (", "ls_analyzer_bind_loop (" };
  gboolean enters = strstr (text, "ls_analyzer_bind_range (") != NULL && (g_str_has_prefix (path, "engine/tir/") || strstr (text, "loop_var") != NULL || strstr (text, "iter->var") != NULL || strstr (text, "LsIterVar") != NULL);

  if (!g_str_has_prefix (path, "engine/") || g_str_has_prefix (path, "engine/arith/") || g_str_has_prefix (path, "engine/python/") || !g_str_has_suffix (path, ".c"))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    enters |= strstr (text, calls[i]) != NULL;
  for (guint i = 0; enters && i < G_N_ELEMENTS (questions); i++)
    if (strcmp (path, questions[i].file) == 0)
      return;
  if (enters)
    g_test_fail_printf ("%s:%u: what a scope says is known by engine/tir/scope.h (or stands in `questions`, with the reason).", path, line);
}

static void
check_file (const char *root,
            const char *path)
{
  g_autofree char *full = g_build_filename (root, path, NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  g_assert_true (g_file_get_contents (full, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *at = lines[i] + strspn (lines[i], " \t");
      g_autofree char *header = NULL;

      check_cleanup (path, i + 1, at);
      check_task (path, i + 1, at);
      check_scope (path, i + 1, at);
      if (*at != '#')
        continue;
      at += 1 + strspn (at + 1, " \t");
      if (!g_str_has_prefix (at, "include"))
        continue;
      at += strlen ("include") + strspn (at + strlen ("include"), " \t");
      if (*at != '<' && *at != '"')
        continue;
      header = g_strndup (at + 1, strcspn (at + 1, ">\""));
      check_include (path, i + 1, *at, header);
    }
}

static guint
check_folder (const char *root,
              const char *folder)
{
  g_autofree char *full = g_build_filename (root, folder, NULL);
  g_autoptr (GDir) dir = g_dir_open (full, 0, NULL);
  const char *name;
  guint n_files = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *below = g_build_filename (root, path, NULL);

      if (g_file_test (below, G_FILE_TEST_IS_DIR))
        n_files += check_folder (root, path);
      else if (g_str_has_suffix (name, ".c") || g_str_has_suffix (name, ".h"))
        {
          check_file (root, path);
          n_files++;
        }
    }
  return n_files;
}

static void
test_tree (gconstpointer folder)
{
  g_autofree char *root = ls_test_path ("..");

  if (check_folder (root, folder) == 0)
    g_test_skip ("no C file here yet");
}

static void
test_table (void)
{
  g_assert_true (may_include (find_layer ("engine/tir/pass/x.c"), find_layer ("engine/base/base.h")));
  g_assert_true (may_include (find_layer ("app/window/window.c"), find_layer ("engine/base/base.h")));
  g_assert_false (may_include (find_layer ("engine/base/x.c"), find_layer ("engine/ir/ir.h")));
  g_assert_false (may_include (find_layer ("engine/runtime/x.c"), find_layer ("engine/ir/ir.h")));
  g_assert_false (may_include (find_layer ("engine/script/x.c"), find_layer ("engine/schedule/schedule.h")));
  g_assert_false (may_include (find_layer ("engine/schedule/state/x.c"), find_layer ("engine/schedule/step/step.h")));
  g_assert_false (may_include (find_layer ("engine/schedule/trace/x.c"), find_layer ("engine/schedule/primitive/primitive.h")));
  g_assert_false (may_include (find_layer ("engine/schedule/moves/x.c"), find_layer ("engine/schedule/primitive/primitive.h")));
  g_assert_true (may_include (find_layer ("engine/schedule/primitive/x.c"), find_layer ("engine/schedule/state/state.h")));
  g_assert_false (may_include (find_layer ("app/cli/x.c"), find_layer ("views/x.h")));
  g_assert_false (may_use_toolkit (find_layer ("app/cli/x.c"), "gtk/gtk.h"));
  g_assert_true (may_use_toolkit (find_layer ("app/x.c"), "gtk/gtk.h"));
  g_assert_false (may_use_toolkit (find_layer ("engine/tir/x.c"), "llvm-c/Core.h"));
  g_assert_true (is_private_to_others ("engine/interp/x.c", "engine/ir/ir-private.h"));
  g_assert_false (is_private_to_others ("engine/tir/pass/x.c", "engine/tir/tir-private.h"));
}

/* ---- calls ------------------------------------------------------------------- */

/* What the build calls; NULL: the test is skipped. */
static LsCalls *
read_calls (void)
{
  g_autofree char *root = ls_test_path ("..");
  g_autofree char *reason = NULL;
  LsCalls *calls = ls_calls_read (root, g_getenv ("LS_BUILD_ROOT"), &reason);

  if (calls == NULL)
    g_test_skip (reason);
  return calls;
}

static void
test_calls (void)
{
  g_autoptr(LsCalls) calls = read_calls ();

  for (guint i = 0; calls != NULL && i < calls->files->len; i++)
    {
      const char *file = calls->files->pdata[i];
      GArray *list = calls->calls->pdata[i];

      for (guint k = 0; k < list->len; k++)
        {
          LsCall *call = &g_array_index (list, LsCall, k);
          const Layer *from = find_layer (file);
          const Layer *to = find_layer (calls->files->pdata[call->to]);

          if (from == NULL || to == NULL || !may_include (from, to))
            g_test_fail_printf ("%s may not call %s, which stands in %s.", file, call->symbol, (char *) calls->files->pdata[call->to]);
        }
    }
}

/* The rounds of circles.txt: of GPtrArray of char. (transfer full) */
static GPtrArray *
read_circles (void)
{
  g_autofree char *text = ls_test_read ("unit/circles.txt", NULL);
  g_auto(GStrv) lines = g_strsplit (text, "\n", -1);
  GPtrArray *circles = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  GPtrArray *circle = NULL;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (lines[i][0] == '#' || lines[i][0] == '\0')
        {
          circle = NULL;
          continue;
        }
      if (circle == NULL)
        {
          circle = g_ptr_array_new_with_free_func (g_free);
          g_ptr_array_add (circles, circle);
        }
      g_ptr_array_add (circle, g_strdup (lines[i]));
    }
  return circles;
}

static gboolean
lists (GPtrArray  *circle,
       const char *file)
{
  return g_ptr_array_find_with_equal_func (circle, file, g_str_equal, NULL);
}

/* The round of the list in which most of these files stand, or NULL. */
static GPtrArray *
find_circle (GPtrArray *allowed,
             GPtrArray *circle)
{
  GPtrArray *best = NULL;
  guint most = 0;

  for (guint i = 0; i < allowed->len; i++)
    {
      guint n = 0;

      for (guint k = 0; k < circle->len; k++)
        n += lists (allowed->pdata[i], circle->pdata[k]);
      if (n > most)
        best = allowed->pdata[i];
      most = MAX (most, n);
    }
  return best;
}

/* FALSE when a file of the round stands in no round of the list, or in another one. */
static gboolean
check_circle (GPtrArray *circle,
              GPtrArray *known)
{
  gboolean fine = known != NULL;

  if (known == NULL)
    g_test_message ("a new circle of %u files", circle->len);
  for (guint i = 0; known != NULL && i < circle->len; i++)
    if (!lists (known, circle->pdata[i]))
      {
        g_test_message ("%s has come into the circle of %s", (char *) circle->pdata[i], (char *) known->pdata[0]);
        fine = FALSE;
      }
  for (guint i = 0; known != NULL && i < known->len; i++)
    if (!lists (circle, known->pdata[i]))
      {
        g_test_message ("%s has left the circle of %s: take it out of circles.txt", (char *) known->pdata[i], (char *) circle->pdata[0]);
        fine = FALSE;
      }
  return fine;
}

static void
test_circles (void)
{
  g_autoptr(LsCalls) calls = read_calls ();
  g_autoptr(GPtrArray) circles = calls != NULL ? ls_calls_circles (calls) : NULL;
  g_autoptr(GPtrArray) allowed = read_circles ();
  g_autoptr(GString) sizes = g_string_new (NULL);

  for (guint i = 0; circles != NULL && i < circles->len; i++)
    {
      GPtrArray *circle = circles->pdata[i];
      GPtrArray *known = find_circle (allowed, circle);

      g_string_append_printf (sizes, " %u", circle->len);
      if (!check_circle (circle, known))
        {
          g_autofree char *inside = ls_calls_inside (calls, circle);

          g_auto (GStrv) lines = g_strsplit (inside, "\n", -1);

          for (guint n = 0; lines[n] != NULL; n++)
            if (*lines[n] != '\0')
              g_test_message ("%s", lines[n]);
          g_test_fail_printf ("%u files call each other", circle->len);
        }
      if (known != NULL)
        g_ptr_array_remove (allowed, known);
    }
  for (guint i = 0; circles != NULL && i < allowed->len; i++)
    g_test_fail_printf ("%s stands in circles.txt and is in no circle any more.", (char *) ((GPtrArray *) allowed->pdata[i])->pdata[0]);
  if (circles != NULL)
    g_test_message ("circles of files that call each other:%s", sizes->len > 0 ? sizes->str : " none");
}

/* The measure itself, on graphs that are known. */
static void
test_measure (void)
{
  static const struct { const char *calls, *circles; } CASES[] = {
    { "a>b b>c a>c", "" },
    { "a>b b>a b>c c>d", "a b." },
    { "a>b b>c c>a c>d d>e e>d", "a b c.d e." },
    { "a>b b>c c>d d>b a>e e>a c>x", "b c d.a e." },
    { "a>a a>b", "" },
    { "m>n n>o o>p p>m o>q q>r r>o r>z", "m n o p q r." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      g_autoptr(LsCalls) calls = ls_calls_of (CASES[i].calls);
      g_autoptr(GPtrArray) circles = ls_calls_circles (calls);
      g_autoptr(GString) text = g_string_new (NULL);

      for (guint k = 0; k < circles->len; k++)
        {
          GPtrArray *circle = circles->pdata[k];

          for (guint f = 0; f < circle->len; f++)
            g_string_append_printf (text, "%s%s", f > 0 ? " " : "", (char *) circle->pdata[f]);
          g_string_append_c (text, '.');
        }
      g_assert_cmpstr (text->str, ==, CASES[i].circles);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layers/table", test_table);
  g_test_add_data_func ("/layers/engine", "engine", test_tree);
  g_test_add_data_func ("/layers/views", "views", test_tree);
  g_test_add_data_func ("/layers/app", "app", test_tree);
  g_test_add_func ("/layers/measure", test_measure);
  g_test_add_func ("/layers/calls", test_calls);
  g_test_add_func ("/layers/circles", test_circles);
  return g_test_run ();
}
