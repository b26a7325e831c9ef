/* Every primitive that changes or draws something is offered for each loop and block, and what can be applied can. */
#include "engine/schedule/moves/moves.h"
#include "engine/script/parser.h"
#include "tests/support/support.h"

#include <string.h>

static const char PROGRAM[] =
  "@I.ir_module\nclass Module:\n"
  "    @T.prim_func\n"
  "    def main(A: T.Buffer((127, 16), \"float32\"), D: T.Buffer((127,), \"float32\")):\n"
  "        B = T.alloc_buffer((127, 16))\n"
  "        for i, j in T.grid(127, 16):\n"
  "            with T.block(\"B\"):\n"
  "                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
  "                B[vi, vj] = A[vi, vj] + T.float32(1)\n"
  "        for i, k in T.grid(127, 16):\n"
  "            with T.block(\"D\"):\n"
  "                vi, vk = T.axis.remap(\"SR\", [i, k])\n"
  "                with T.init():\n"
  "                    D[vi] = T.float32(0)\n"
  "                D[vi] = D[vi] + B[vi, vk]\n";

/* Everything is there once: loops of one round, buffers of one dimension, blocks of one variable. */
static const char ONCE[] =
  "@I.ir_module\nclass Module:\n"
  "    @T.prim_func\n"
  "    def main(A: T.Buffer((1,), \"float32\"), D: T.Buffer((1,), \"float32\")):\n"
  "        B = T.alloc_buffer((1,))\n"
  "        for i in range(1):\n"
  "            with T.block(\"B\"):\n"
  "                vi = T.axis.spatial(1, i)\n"
  "                B[vi] = A[vi] + T.float32(1)\n"
  "        for k in range(1):\n"
  "            with T.block(\"D\"):\n"
  "                vk = T.axis.reduce(1, k)\n"
  "                with T.init():\n"
  "                    D[0] = T.float32(0)\n"
  "                D[0] = D[0] + B[vk]\n";

/* Two functions; in the first the loop k can be parallel as it is. */
static const char TWO[] =
  "@I.ir_module\nclass Module:\n"
  "    @T.prim_func\n"
  "    def first(A: T.Buffer((16,), \"float32\"), B: T.Buffer((16,), \"float32\")):\n"
  "        for k in range(16):\n"
  "            with T.block(\"B\"):\n"
  "                vk = T.axis.remap(\"S\", [k])\n"
  "                B[vk] = A[vk] + T.float32(1)\n"
  "    @T.prim_func\n"
  "    def second(A: T.Buffer((127, 16), \"float32\"), D: T.Buffer((127,), \"float32\")):\n"
  "        for i, k in T.grid(127, 16):\n"
  "            with T.block(\"D\"):\n"
  "                vi, vk = T.axis.remap(\"SR\", [i, k])\n"
  "                with T.init():\n"
  "                    D[vi] = T.float32(0)\n"
  "                D[vi] = D[vi] + A[vi, vk]\n";

static LsSchedule *
schedule_on (const char *program, const char *steps)
{
  g_autoptr (LsSource) source = ls_source_new ("program", program, -1);
  g_autoptr (LsSource) text = ls_source_new ("steps", steps, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, findings);
  LsSchedule *schedule = ls_schedule_new (module);

  ls_schedule_apply_text (schedule, text, 0, findings);
  g_assert_false (ls_diagnostics_has_error (findings));
  return schedule;
}

static LsSchedule *
schedule_of (const char *steps)
{
  return schedule_on (PROGRAM, steps);
}

static gboolean
can_be_applied (LsSchedule *schedule, const char *text)
{
  g_autoptr (LsSchedule) copy = ls_schedule_copy (schedule);
  g_autoptr (LsSource) source = ls_source_new ("steps", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();

  ls_schedule_apply_text (copy, source, 0, findings);
  return !ls_diagnostics_has_error (findings);
}

static void
check_offers (LsSchedule *schedule, LsNode *node)
{
  g_autoptr (GPtrArray) offers = ls_schedule_offers (schedule, node, "llvm");
  guint n;
  const LsInstruction *const *rows = ls_instruction_list (&n);

  for (guint i = 0; i < n; i++)
    {
      gboolean found = (rows[i]->flags & LS_INSTRUCTION_PURE) != 0;

      for (guint k = 0; !found && k < offers->len; k++)
        found = ((LsOffer *) offers->pdata[k])->instruction == rows[i];
      if (!found)
        g_error ("%s is not offered", rows[i]->name);
    }
  for (guint k = 0; k < offers->len; k++)
    {
      LsOffer *offer = offers->pdata[k];

      g_assert_nonnull (offer->call);
      if (offer->group == LS_OFFER_CAN)
        g_assert_true (can_be_applied (schedule, offer->text));
      else
        g_assert_nonnull (offer->reason);
      if (offer->group == LS_OFFER_WITH_CHANGE)
        g_assert_true (offer->repair != NULL || offer->advice != NULL);
      if (offer->group == LS_OFFER_WITH_CHANGE && offer->repair_text != NULL && !offer->replays)
        g_assert_true (can_be_applied (schedule, offer->repair_text));
    }
}

static void
test_all (void)
{
  static const char *const STEPS[] = { "", "b = sch.get_block(\"B\")\nsch.compute_inline(b)\n", "d = sch.get_block(\"D\")\ni, k = sch.get_loops(d)\nsch.annotate(i, \"x\", 1)\nsch.split(k, [4, 4])\n" };

  for (guint s = 0; s < G_N_ELEMENTS (STEPS); s++)
    {
      g_autoptr (LsSchedule) schedule = schedule_of (STEPS[s]);
      LsVersion *version = ls_schedule_get_version (schedule, ls_schedule_get_n_steps (schedule));

      for (guint i = 0; i < ls_version_get_n (version); i++)
        {
          LsEntity *entity = ls_version_at (version, i);

          if (entity->type == LS_ENTITY_LOOP || (entity->type == LS_ENTITY_BLOCK && entity->parent >= 0))
            check_offers (schedule, entity->node);
        }
    }
}

static const LsOffer *
find_offer (GPtrArray *offers, const char *primitive)
{
  for (guint k = 0; k < offers->len; k++)
    if (strcmp (((LsOffer *) offers->pdata[k])->instruction->name, primitive) == 0)
      return offers->pdata[k];
  return NULL;
}

static LsNode *
loop_named (LsSchedule *schedule, const char *name)
{
  LsVersion *version = ls_schedule_get_version (schedule, ls_schedule_get_n_steps (schedule));
  LsNode *last = NULL;

  for (guint i = 0; i < ls_version_get_n (version); i++)
    if (ls_version_at (version, i)->type == LS_ENTITY_LOOP && strcmp (((LsFor *) ls_version_at (version, i)->node)->loop_var->name, name) == 0)
      last = ls_version_at (version, i)->node;
  return last;
}

static void
test_repairs (void)
{
  g_autoptr (LsSchedule) plain = schedule_of ("");
  g_autoptr (LsSchedule) noted = schedule_of ("d = sch.get_block(\"D\")\ni, k = sch.get_loops(d)\nsch.annotate(i, \"x\", 1)\n");
  g_autoptr (GPtrArray) prime = ls_schedule_offers (plain, loop_named (plain, "i"), NULL);
  g_autoptr (GPtrArray) sum = ls_schedule_offers (plain, loop_named (plain, "k"), NULL);
  g_autoptr (GPtrArray) annotated = ls_schedule_offers (noted, loop_named (noted, "i"), NULL);

  g_assert_cmpint (find_offer (prime, "split")->group, ==, LS_OFFER_WITH_CHANGE);
  g_assert_cmpstr (find_offer (prime, "split")->reason, ==, "split needs a factor that divides 127, and there is none.");
  g_assert_cmpstr (find_offer (prime, "split")->repair, ==, "With a predicate it becomes possible: split(i, [None, 4])");
  g_assert_cmpstr (find_offer (sum, "parallel")->repair, ==, "First rfactor(k, 0)");
  g_assert_cmpstr (find_offer (annotated, "split")->repair, ==, "First unannotate(i, \"x\")");
}

static void
no_plural_of_one (const char *words)
{
  g_autofree char *found = NULL;
  g_autoptr (GRegex) regex = g_regex_new ("(?<![0-9.,\\[(×x=+*/-])(?<![=+*/,-] )\\b1 [a-z]{3,}s\\b", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  if (words == NULL || !g_regex_match (regex, words, 0, &match))
    return;
  found = g_match_info_fetch (match, 0);
  g_error ("\"%s\" in \"%s\"", found, words);
}

/* No sentence says "1 iterations". */
static void
test_once (void)
{
  g_autoptr (LsSchedule) schedule = schedule_on (ONCE, "");
  LsVersion *version = ls_schedule_get_version (schedule, 0);
  guint n = 0;

  for (guint i = 0; i < ls_version_get_n (version); i++)
    {
      LsEntity *entity = ls_version_at (version, i);
      g_autoptr (GPtrArray) offers = entity->type == LS_ENTITY_LOOP || (entity->type == LS_ENTITY_BLOCK && entity->parent >= 0)
                                     ? ls_schedule_offers (schedule, entity->node, "llvm") : g_ptr_array_new ();

      for (guint k = 0; k < offers->len; k++)
        {
          LsOffer *offer = offers->pdata[k];

          no_plural_of_one (offer->effect);
          no_plural_of_one (offer->reason);
          no_plural_of_one (offer->repair);
          no_plural_of_one (offer->advice);
        }
      n += offers->len;
    }
  g_assert_cmpuint (n, >, 100);
}

/* What is refused counts right too. */
static void
test_refused_once (void)
{
  static const char *const calls[] = {
    "sch.storage_align(\"B\", 0, 3, 4, 0)", "sch.transform_layout(\"D\", (\"read\", 0), lambda i, j: [i, j])", "sch.transform_block_layout(\"B\", lambda i, j: [i, j])",
    "sch.reorder_block_iter_var(\"B\", [0, 1])", "sch.pad_einsum(\"D\", [0, 0])", "sch.cache_read(\"B\", 1, \"local\")", "sch.cache_write(\"B\", 1, \"local\")",
    "sch.unsafe_hide_buffer_access(\"B\", \"read\", [1])", "sch.get_block(\"B\", \"main\", 3)", "sch.compute_inline(\"B\", 1)",
  };

  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      g_autoptr (LsSchedule) schedule = schedule_on (ONCE, "");
      g_autoptr (LsSource) source = ls_source_new ("steps", calls[i], -1);
      g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();

      ls_schedule_apply_text (schedule, source, 0, findings);
      if (!ls_diagnostics_has_error (findings))
        g_error ("%s is not refused", calls[i]);
      for (guint k = 0; k < ls_diagnostics_get_n (findings); k++)
        no_plural_of_one (ls_diagnostics_get (findings, k)->message);
    }
}

/* A repair is about the loop that was asked about, not one of the same name in another function. */
static void
test_namesakes (void)
{
  g_autoptr (LsSchedule) two = schedule_on (TWO, "");
  g_autoptr (GPtrArray) offers = ls_schedule_offers (two, loop_named (two, "k"), NULL);
  const LsOffer *parallel = find_offer (offers, "parallel");

  g_assert_cmpstr (parallel->repair, ==, "First rfactor(k, 0)");
  g_assert_nonnull (strstr (parallel->repair_text, "second"));
  g_assert_null (strstr (parallel->repair_text, "first"));
}

/* Who does not want the rest any more says so, also from another thread. */
static void
test_stopped (void)
{
  g_autoptr (LsSchedule) two = schedule_on (TWO, "");
  int stopped = 0;
  LsOfferRun *run = ls_offer_run_new (two, loop_named (two, "k"), NULL);
  g_autoptr (GPtrArray) offers = NULL;

  ls_offer_run_set_stopped (run, &stopped);
  g_assert_true (ls_offer_run_step (run));
  stopped = 1;
  g_assert_false (ls_offer_run_step (run));
  offers = ls_offer_run_finish (run);
  g_assert_null (find_offer (offers, "sample_categorical"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/schedule/moves/all", test_all);
  g_test_add_func ("/schedule/moves/repairs", test_repairs);
  g_test_add_func ("/schedule/moves/once", test_once);
  g_test_add_func ("/schedule/moves/refused-once", test_refused_once);
  g_test_add_func ("/schedule/moves/namesakes", test_namesakes);
  g_test_add_func ("/schedule/moves/stopped", test_stopped);
  return g_test_run ();
}
