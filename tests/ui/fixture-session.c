/* LsFixtureSession: data of one moment of work on mm_relu. */
#include "tests/ui/fixture-session.h"

#include "views/models/history-layout.h"

#include <stdlib.h>
#include <string.h>

struct _LsFixtureSession
{
  LsSession     parent_instance;

  GPtrArray    *nodes;
  guint         current;
  char         *last;
};

G_DEFINE_FINAL_TYPE (LsFixtureSession, ls_fixture_session, LS_TYPE_SESSION)

enum { ID_I = 1, ID_J0, ID_K, ID_J1, ID_Y, ID_AX0, ID_C };

static const char text_3[] =
  "# from tvm.script import ir as I\n"
  "# from tvm.script import tir as T\n"
  "\n"
  "@I.ir_module\n"
  "class Module:\n"
  "    @T.prim_func\n"
  "    def mm_relu(A: T.Buffer((128, 128), \"float32\"), B: T.Buffer((128, 128), \"float32\"), C: T.Buffer((128, 128), \"float32\")):\n"
  "        T.func_attr({\"tir.noalias\": T.bool(True)})\n"
  "        # with T.block(\"root\"):\n"
  "        Y = T.alloc_buffer((128, 128))\n"
  "        for i, j_0 in T.grid(128, 32):\n"
  "            for k, j_1 in T.grid(128, 4):\n"
  "                with T.block(\"Y\"):\n"
  "                    vi = T.axis.spatial(128, i)\n"
  "                    vj = T.axis.spatial(128, j_0 * 4 + j_1)\n"
  "                    vk = T.axis.reduce(128, k)\n"
  "                    T.reads(A[vi, vk], B[vk, vj])\n"
  "                    T.writes(Y[vi, vj])\n"
  "                    with T.init():\n"
  "                        Y[vi, vj] = T.float32(0.0)\n"
  "                    Y[vi, vj] = Y[vi, vj] + A[vi, vk] * B[vk, vj]\n"
  "            for ax0 in range(4):\n"
  "                with T.block(\"C\"):\n"
  "                    vi = T.axis.spatial(128, i)\n"
  "                    vj = T.axis.spatial(128, j_0 * 4 + ax0)\n"
  "                    T.reads(Y[vi, vj])\n"
  "                    T.writes(C[vi, vj])\n"
  "                    C[vi, vj] = T.max(Y[vi, vj], T.float32(0.0))\n";

static const char text_2[] =
  "# from tvm.script import ir as I\n"
  "# from tvm.script import tir as T\n"
  "\n"
  "@I.ir_module\n"
  "class Module:\n"
  "    @T.prim_func\n"
  "    def mm_relu(A: T.Buffer((128, 128), \"float32\"), B: T.Buffer((128, 128), \"float32\"), C: T.Buffer((128, 128), \"float32\")):\n"
  "        T.func_attr({\"tir.noalias\": T.bool(True)})\n"
  "        # with T.block(\"root\"):\n"
  "        Y = T.alloc_buffer((128, 128))\n"
  "        for i, j_0, k, j_1 in T.grid(128, 32, 128, 4):\n"
  "            with T.block(\"Y\"):\n"
  "                vi = T.axis.spatial(128, i)\n"
  "                vj = T.axis.spatial(128, j_0 * 4 + j_1)\n"
  "                vk = T.axis.reduce(128, k)\n"
  "                T.reads(A[vi, vk], B[vk, vj])\n"
  "                T.writes(Y[vi, vj])\n"
  "                with T.init():\n"
  "                    Y[vi, vj] = T.float32(0.0)\n"
  "                Y[vi, vj] = Y[vi, vj] + A[vi, vk] * B[vk, vj]\n"
  "        for i, j in T.grid(128, 128):\n"
  "            with T.block(\"C\"):\n"
  "                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
  "                T.reads(Y[vi, vj])\n"
  "                T.writes(C[vi, vj])\n"
  "                C[vi, vj] = T.max(Y[vi, vj], T.float32(0.0))\n";

static const struct { const char *word; guint64 id; guint family; } words[] = {
  { "ax0", ID_AX0, 4 }, { "j_0", ID_J0, 1 }, { "j_1", ID_J1, 1 }, { "k", ID_K, 2 },
  { "i", ID_I, 0 },
};

/* ---- texts -------------------------------------------------------------- */

static void
mark_line (LsScriptText *text,
           guint         line,
           const char   *start,
           const char   *end,
           guint         offset)
{
  LsScriptLine *info = ls_script_text_line (text, line);
  gboolean opens = g_str_has_prefix (start + strspn (start, " "), "for ");

  for (const char *p = start; p < end; p++)
    for (guint w = 0; w < G_N_ELEMENTS (words); w++)
      {
        gsize n = strlen (words[w].word);

        if (strncmp (p, words[w].word, n) != 0 || (p > start && g_ascii_isalnum (p[-1])) ||
            (p > start && (p[-1] == '_' || p[-1] == '.')) || g_ascii_isalnum (p[n]) ||
            p[n] == '_' || strstr (start, "T.func_attr") == start + 8)
          continue;
        ls_script_text_add_span (text, &(LsScriptSpan) {
          .start = offset + (guint) (p - start), .end = offset + (guint) (p - start + n),
          .id = words[w].id, .families = ls_families_one (words[w].family) });
        if (opens)
          {
            ls_families_add (&info->families, words[w].family);
            if (info->id == 0)
              info->id = words[w].id;
          }
        break;
      }
}

static LsScriptText *
make_text (const char *source)
{
  LsScriptText *text = ls_script_text_new (source);
  const char *start = source;
  guint line = 0;

  for (const char *p = source; *p != '\0'; p++)
    if (*p == '\n')
      {
        mark_line (text, line++, start, p, (guint) (start - source));
        start = p + 1;
      }

  return text;
}

/* ---- history ------------------------------------------------------------ */

static void
add_step (LsFixtureSession   *self,
          const LsStepRecord *record)
{
  g_ptr_array_add (self->nodes, ls_step_item_new (record));
}

#define US(x) ((x) * 1e-6)
#define TIMING(min, q1, median, q3) { US (min), US (q1), US (median), US (q3), 30 }

static void
fill_history (LsFixtureSession *self)
{
  const char *conditions = "30 samples · 1 core pinned, load 0.12 · output equals step 0";
  const LsStepRecord steps[] = {
    { .id = 0, .parent = 0, .number = 0, .call = "mm_relu, as opened", .name = "start",
      .state = LS_STEP_MEASURED, .timing = TIMING (869, 871, 877, 883), .speedup = 1.0 },
    { .id = 1, .parent = 0, .number = 1, .call = "split(j, [None, 4])", .name = "split",
      .state = LS_STEP_MEASURED, .timing = TIMING (861, 864, 870, 878), .speedup = 877.0 / 870,
      .no_difference = TRUE },
    { .id = 2, .parent = 1, .number = 2, .call = "reorder(j_0, k, j_1)", .name = "reorder",
      .state = LS_STEP_MEASURED, .timing = TIMING (228, 229, 231, 235), .speedup = 877.0 / 231 },
    { .id = 3, .parent = 2, .number = 3, .call = "reverse_compute_at(C, j_0)",
      .name = "reverse_compute_at", .state = LS_STEP_MEASURED,
      .timing = TIMING (223, 224, 225, 228), .speedup = 877.0 / 225 },
    { .id = 4, .parent = 3, .number = 4, .call = "decompose_reduction(Y, k)",
      .name = "decompose_reduction", .state = LS_STEP_MEASURED,
      .timing = TIMING (216, 217, 218, 221), .speedup = 877.0 / 218, .best = TRUE },
    { .id = 5, .parent = 4, .number = 5, .call = "vectorize(j_1)", .name = "vectorize",
      .state = LS_STEP_RUNNING, .done = 12, .total = 30 },
    { .id = 6, .parent = 0, .number = 1, .prime = 1, .call = "split(j, [None, 16])",
      .name = "split", .branch = "wide tile", .state = LS_STEP_MEASURED,
      .timing = TIMING (855, 860, 868, 876), .speedup = 877.0 / 868, .no_difference = TRUE },
    { .id = 7, .parent = 6, .number = 2, .prime = 1, .call = "reorder(j_0, k, j_1)",
      .name = "reorder", .branch = "wide tile", .state = LS_STEP_MEASURED,
      .timing = TIMING (340, 342, 345, 348), .speedup = 877.0 / 345 },
    { .id = 8, .parent = 7, .number = 3, .prime = 1, .call = "reverse_compute_at(C, j_0)",
      .name = "reverse_compute_at", .branch = "wide tile", .state = LS_STEP_STALE,
      .timing = TIMING (330, 331, 333, 336) },
    { .id = 9, .parent = 8, .number = 4, .prime = 1, .call = "fuse(j_0, k)", .name = "fuse",
      .branch = "wide tile", .state = LS_STEP_FAILED, .reason = "stops here: j_0 has 2 children" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      LsStepRecord record = steps[i];

      record.conditions = conditions;
      add_step (self, &record);
    }
}

static LsStepItem *
find_step (LsFixtureSession *self,
           guint             id)
{
  for (guint i = 0; i < self->nodes->len; i++)
    if (ls_step_item_get (g_ptr_array_index (self->nodes, i))->id == id)
      return g_ptr_array_index (self->nodes, i);

  return NULL;
}

static gboolean
on_side (guint id)
{
  return id >= 6;
}

static void
show_history (LsFixtureSession *self)
{
  g_autoptr (GPtrArray) rows = ls_history_layout (self->nodes, NULL, NULL, self->current);
  g_autoptr (GPtrArray) path = g_ptr_array_new ();
  g_autoptr (GPtrArray) branches = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < self->nodes->len; i++)
    {
      guint id = ls_step_item_get (g_ptr_array_index (self->nodes, i))->id;

      if (id == 0 || on_side (id) == on_side (self->current))
        g_ptr_array_add (path, g_ptr_array_index (self->nodes, i));
    }
  g_ptr_array_add (branches, ls_branch_item_new (&(LsBranchRecord) {
    .name = "main", .tip = 5, .n_steps = 5, .best = US (218),
    .current = !on_side (self->current) }));
  g_ptr_array_add (branches, ls_branch_item_new (&(LsBranchRecord) {
    .name = "wide tile", .tip = 9, .n_steps = 4, .n_failed = 1, .best = US (345),
    .current = on_side (self->current) }));
  ls_session_set_history (LS_SESSION (self), rows, path, find_step (self, self->current));
  ls_session_set_branches (LS_SESSION (self), branches);
}

/* ---- module ------------------------------------------------------------- */

static LsLoopItem *
loop (const LsLoopRecord *record,
      LsLoopItem         *parent)
{
  LsLoopItem *item = ls_loop_item_new (record);

  if (parent != NULL)
    {
      ls_loop_item_add (parent, item);
      g_object_unref (item);
    }
  return item;
}

static LsLoopItem *
make_loops (void)
{
  LsLoopItem *i, *j0, *k, *j1, *ax0;

  i = loop (&(LsLoopRecord) { .id = ID_I, .name = "i", .origin = "of block Y", .level = 1,
                              .families = ls_families_one (0), .extent = 128, .runs = 128,
                              .touches = 262144, .share = 1.0, .block = "Y" }, NULL);
  j0 = loop (&(LsLoopRecord) { .id = ID_J0, .name = "j_0", .origin = "from j, by split", .origin_brief = "from j",
                               .level = 2, .families = ls_families_one (1), .extent = 32,
                               .runs = 4096, .touches = 67072, .share = 1.0 }, i);
  k = loop (&(LsLoopRecord) { .id = ID_K, .name = "k", .origin = "moved out by reorder",
                              .level = 3, .families = ls_families_one (2), .extent = 128,
                              .runs = 524288, .touches = 2560, .share = 0.996,
                              .reduction = TRUE, .block = "Y" }, j0);
  j1 = loop (&(LsLoopRecord) { .id = ID_J1, .name = "j_1", .origin = "from j, by split", .origin_brief = "from j",
                               .level = 4, .families = ls_families_one (1), .extent = 4,
                               .runs = 2097152, .touches = 36, .share = 0.996, .block = "Y" }, k);
  loop (&(LsLoopRecord) { .id = ID_Y, .kind = LS_LOOP_BLOCK, .name = "Y", .level = 5,
                          .origin = "Y[vi, vj] += A[vi, vk] * B[vk, vj]", .extent = -1,
                          .runs = 2097152, .touches = 12, .share = 0.996 }, j1);
  ax0 = loop (&(LsLoopRecord) { .id = ID_AX0, .name = "ax0", .origin = "from j of C, by step 3",
                                .level = 3, .families = ls_families_one (4), .extent = 4,
                                .runs = 16384, .touches = 32, .share = 0.004, .block = "C" }, j0);
  loop (&(LsLoopRecord) { .id = ID_C, .kind = LS_LOOP_BLOCK, .name = "C", .level = 4,
                          .origin = "C[vi, vj] = max(Y[vi, vj], 0)", .extent = -1, .runs = 16384,
                          .touches = 8, .share = 0.004 }, ax0);
  return i;
}

static void
show_module (LsFixtureSession *self)
{
  g_autoptr (GPtrArray) loops = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (LsScriptText) before = make_text (text_2);
  g_autoptr (LsScriptText) after = make_text (text_3);

  g_ptr_array_add (loops, make_loops ());
  ls_script_text_compare (before, after);
  for (guint i = 21; i < 28; i++)
    ls_script_text_line (after, i)->step = 3;
  ls_session_set_module (LS_SESSION (self), loops, 4210688.0, after,
                         self->current > 0 ? before : NULL);
}

/* ---- moves -------------------------------------------------------------- */

static const char *const divisors[] = { "2", "4", "8", "16", "32", "64", NULL };

static void
set_split (LsMoveRecord *record,
           LsMoveParam  *params,
           int           inner,
           char        **call,
           char        **outer,
           char        **value)
{
  *outer = g_strdup_printf ("%d", inner > 0 ? 128 / inner : 0);
  *value = g_strdup_printf ("%d", inner);
  *call = g_strdup_printf ("split(k, [%s, %s])", *outer, *value);
  params[0] = (LsMoveParam) { LS_MOVE_PARAM_FACTOR, "outer", *outer, NULL };
  params[1] = (LsMoveParam) { LS_MOVE_PARAM_FACTOR, "inner", *value, divisors };
  *record = (LsMoveRecord) { .group = LS_MOVE_CAN, .call = *call, .name = "split",
                             .reason = "Cuts k into an outer and an inner loop.",
                             .product = inner > 0 && 128 % inner == 0 ? "= 128, exact"
                                                                      : "not a divisor of 128",
                             .preview = "k → k_0, k_1", .measurable = TRUE, .params = params,
                             .n_params = 2 };
}

static LsMoveItem *
make_split (void)
{
  LsMoveRecord record;
  LsMoveParam params[2];
  g_autofree char *call = NULL, *outer = NULL, *value = NULL;

  set_split (&record, params, 4, &call, &outer, &value);
  return ls_move_item_new (&record);
}

static void
show_moves (LsFixtureSession *self)
{
  static const LsMoveRecord moves[] = {
    { .group = LS_MOVE_CAN, .name = "decompose_reduction", .call = "decompose_reduction(Y, k)",
      .reason = "Puts Y = 0 before loop k, so that k only adds.", .tag = "step 4: ×1.03" },
    { .group = LS_MOVE_CAN, .name = "reorder", .call = "reorder(j_1, k)",
      .reason = "Swaps k with j_1. Undoes what step 2 gained." },
    { .group = LS_MOVE_CAN, .name = "unroll", .call = "unroll(k)",
      .reason = "Writes out all 128 iterations." },
    { .group = LS_MOVE_CAN, .name = "annotate", .call = "annotate(k, key, value)",
      .reason = "Leaves a note for later passes." },
    { .group = LS_MOVE_WITH_CHANGE, .name = "parallel", .call = "parallel(k)",
      .reason = "All 128 iterations of k add into the same Y[vi, vj].",
      .repair = "First rfactor(k, 0)", .repair_note = "2 steps" },
    { .group = LS_MOVE_WITH_CHANGE, .name = "vectorize", .call = "vectorize(k)",
      .reason = "Same reason; j_1 inside it has no such sum.", .repair = "Use j_1 instead" },
    { .group = LS_MOVE_WITH_CHANGE, .name = "reorder", .call = "reorder(k, j_0)",
      .reason = "Since step 3, j_0 also holds block C beside k.",
      .repair = "Do it before step 3, replay" },
    { .group = LS_MOVE_CANNOT, .name = "fuse", .call = "fuse(j_0, k)",
      .reason = "j_0 has two children, k and ax0; fuse needs one." },
    { .group = LS_MOVE_CANNOT, .name = "bind", .call = "bind(k, \"threadIdx.x\")",
      .reason = "Target llvm has no threads to bind to." },
    { .group = LS_MOVE_CANNOT, .name = "tensorize", .call = "tensorize(k, …)",
      .reason = "No float32 intrinsic for llvm takes a 4 × 128 body." },
  };
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  if (ls_session_get_selection (LS_SESSION (self)) == ID_K)
    {
      g_ptr_array_add (items, make_split ());
      for (guint i = 0; i < G_N_ELEMENTS (moves); i++)
        g_ptr_array_add (items, ls_move_item_new (&moves[i]));
    }
  else if (ls_session_get_selection (LS_SESSION (self)) != 0)
    g_ptr_array_add (items, ls_move_item_new (&moves[2]));
  ls_session_set_moves (LS_SESSION (self), items);
}

/* ---- wishes ------------------------------------------------------------- */

static void
note (LsFixtureSession *self,
      const char       *verb,
      const char       *what)
{
  g_free (self->last);
  self->last = g_strconcat (verb, " ", what, NULL);
}

static void
fixture_go_to (LsSession *session,
               guint      step)
{
  LsFixtureSession *self = LS_FIXTURE_SESSION (session);

  self->current = step;
  show_history (self);
  show_module (self);
}

static void
fixture_select (LsSession *session,
                guint64    id)
{
  ls_session_set_selection (session, id);
  show_moves (LS_FIXTURE_SESSION (session));
}

static void
fixture_apply (LsSession  *session,
               LsMoveItem *move)
{
  note (LS_FIXTURE_SESSION (session), "apply", ls_move_item_get (move)->call);
}

static void
fixture_repair (LsSession  *session,
                LsMoveItem *move)
{
  note (LS_FIXTURE_SESSION (session), "repair", ls_move_item_get (move)->call);
}

static void
fixture_edit (LsSession  *session,
              LsMoveItem *move,
              guint       param,
              const char *value)
{
  LsMoveRecord record;
  LsMoveParam params[2];
  g_autofree char *call = NULL, *outer = NULL, *inner = NULL;

  if (param != 1)
    return;
  set_split (&record, params, atoi (value), &call, &outer, &inner);
  ls_move_item_set (move, &record);
}

static void
fixture_preview (LsSession  *session,
                 LsMoveItem *move)
{
  static const char *const ghost[] = { "k_0 32", "k_1 4", NULL };
  LsLoopItem *k = ls_loop_list_find (ls_session_get_loops (session), ID_K);
  gboolean split = move != NULL && strcmp (ls_move_item_get (move)->name, "split") == 0;

  if (k != NULL)
    ls_loop_item_set_ghost (k, split ? ghost : NULL);
}

static void
fixture_cancel (LsSession *session)
{
  note (LS_FIXTURE_SESSION (session), "cancel", "measuring");
  ls_session_set_running (session, FALSE);
}

static void
fixture_finalize (GObject *object)
{
  LsFixtureSession *self = LS_FIXTURE_SESSION (object);

  g_ptr_array_unref (self->nodes);
  g_free (self->last);
  G_OBJECT_CLASS (ls_fixture_session_parent_class)->finalize (object);
}

static void
ls_fixture_session_class_init (LsFixtureSessionClass *klass)
{
  LsSessionClass *session_class = LS_SESSION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = fixture_finalize;
  session_class->go_to = fixture_go_to;
  session_class->select = fixture_select;
  session_class->apply = fixture_apply;
  session_class->repair = fixture_repair;
  session_class->edit = fixture_edit;
  session_class->preview = fixture_preview;
  session_class->cancel = fixture_cancel;
}

static void
ls_fixture_session_init (LsFixtureSession *self)
{
  self->nodes = g_ptr_array_new_with_free_func (g_object_unref);
}

LsSession *
ls_fixture_session_new (void)
{
  LsFixtureSession *self = g_object_new (LS_TYPE_FIXTURE_SESSION, NULL);
  LsSession *session = LS_SESSION (self);

  self->current = 3;
  fill_history (self);
  ls_session_set_title (session, "mm_relu", "mm_relu.py · llvm, 1 core");
  ls_session_set_conditions (session,
                             "30 samples · 1 core pinned, load 0.12 · output equals step 0", NULL);
  ls_session_set_running (session, TRUE);
  show_history (self);
  show_module (self);
  fixture_select (session, ID_K);
  ls_session_set_state (session, LS_SESSION_READY, NULL);
  return session;
}

LsSession *
ls_fixture_session_new_empty (void)
{
  return g_object_new (LS_TYPE_FIXTURE_SESSION, NULL);
}

LsSession *
ls_fixture_session_new_broken (void)
{
  LsSession *session = g_object_new (LS_TYPE_FIXTURE_SESSION, NULL);
  g_autoptr (LsScriptText) text = make_text (text_2);

  ls_script_text_add_note (text, 11, 31, "grid-extents",
                           "T.grid got 2 extents for 3 loop variables i, j, k.");
  ls_script_text_add_note (text, 17, 17, "unknown-name", "T.writs is not known; T.writes is.");
  ls_session_set_title (session, "mm_relu", "broken.py");
  ls_session_set_module (session, NULL, 0.0, text, NULL);
  ls_session_set_state (session, LS_SESSION_BROKEN, NULL);
  return session;
}

const char *
ls_fixture_session_get_last (LsFixtureSession *self)
{
  return self->last;
}
