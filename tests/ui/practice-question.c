/* Questions about the steps of a history: whatever is drawn, the answer is the right one and no other choice is right too. */
#include "app/practice/question.h"
#include "views/models/step-item.h"

#include <string.h>

static const LsStepTime slow = { 0.9, 0.95, 1.0, 1.05, 20 }, fast = { 0.09, 0.095, 0.1, 0.105, 20 }, slow_again = { 0.9, 0.96, 1.01, 1.06, 20 },
                        noisy = { 0.1, 0.3, 0.9, 2.0, 20 };

static void
add (GListStore *rows,
     guint       id,
     guint       parent,
     const char *name,
     LsStepState state,
     LsStepTime  timing)
{
  const LsStepRecord record = { .id = id, .parent = parent, .name = name, .call = name, .state = state, .timing = timing, .conditions = id % 2 == 0 ? "30 samples, one core, load 0.12" : "30 samples, one core, load 0.31" };
  g_autoptr (LsStepItem) item = ls_step_item_new (&record);

  g_list_store_append (rows, item);
}

/* 0 - 1 split - 2 reorder - 4 vectorize, and from 2 on to 5 unroll; 3 and 6 were refused. */
static GListModel *
make_rows (void)
{
  GListStore *rows = g_list_store_new (LS_TYPE_STEP_ITEM);

  add (rows, 0, 0, NULL, LS_STEP_MEASURED, slow);
  add (rows, 1, 0, "split", LS_STEP_MEASURED, slow_again);
  add (rows, 2, 1, "reorder", LS_STEP_UNMEASURED, (LsStepTime) { 0 });
  add (rows, 3, 2, "bind", LS_STEP_FAILED, (LsStepTime) { 0 });
  add (rows, 4, 2, "vectorize", LS_STEP_MEASURED, fast);
  add (rows, 5, 2, "unroll", LS_STEP_MEASURED, noisy);
  add (rows, 6, 3, "rfactor", LS_STEP_UNREACHED, (LsStepTime) { 0 });
  return G_LIST_MODEL (rows);
}

static const char *
name_of (guint id)
{
  static const char *const names[] = { NULL, "split", "reorder", "bind", "vectorize", "unroll", "rfactor" };

  return names[id];
}

static gboolean
has_choice (const LsPracticeQuestion *question,
            const char               *name)
{
  for (guint i = 0; i < question->n_choices; i++)
    if (strcmp (question->choices[i], name) == 0)
      return TRUE;
  return FALSE;
}

static void
check_names (const LsPracticeQuestion *question)
{
  const char *right = name_of (question->subject);

  g_assert_cmpuint (question->n_choices, ==, LS_PRACTICE_CHOICES);
  g_assert_cmpstr (question->choices[question->answer], ==, right);
  for (guint i = 0; i < question->n_choices; i++)
    for (guint k = 0; k < i; k++)
      g_assert_cmpstr (question->choices[i], !=, question->choices[k]);
  if (question->kind == LS_PRACTICE_NEXT && question->subject == 4)
    g_assert_false (has_choice (question, "unroll"));           /* that came next, too */
  if (question->kind == LS_PRACTICE_NEXT && question->subject == 5)
    g_assert_false (has_choice (question, "vectorize"));
}

static void
check_faster (const LsPracticeQuestion *question)
{
  gboolean left = question->left == 4, right = question->right == 4;

  g_assert_cmpuint (question->n_choices, ==, 3);
  g_assert_true (question->left != 2 && question->right != 2);
  if (question->left == 5 || question->right == 5)
    g_assert_true (left || right);      /* noisy as it is, it is slower than that one; beside the others nothing can be said */
  g_assert_cmpuint (question->answer, ==, left ? 0 : right ? 1 : 2);
}

static void
test_many (void)
{
  g_autoptr (GListModel) rows = make_rows ();
  g_autoptr (LsPracticeQuestion) last = NULL;
  GRand *random = g_rand_new_with_seed (7);
  guint kinds[3] = { 0 }, neither = 0;

  for (guint i = 0; i < 2000; i++)
    {
      LsPracticeQuestion *question = ls_practice_ask (rows, random, last);

      g_assert_nonnull (question);
      if (last != NULL)
        g_assert_false (question->kind == last->kind && question->left == last->left && question->right == last->right && question->subject == last->subject);
      kinds[question->kind]++;
      if (question->kind == LS_PRACTICE_FASTER)
        {
          check_faster (question);
          neither += question->answer == 2;
        }
      else
        check_names (question);
      g_clear_pointer (&last, ls_practice_free);
      last = question;
    }
  g_assert_cmpuint (MIN (kinds[0], MIN (kinds[1], kinds[2])), >, 300);
  g_assert_cmpuint (neither, >, 30);
  g_rand_free (random);
}

static void
test_few (void)
{
  g_autoptr (GListStore) rows = g_list_store_new (LS_TYPE_STEP_ITEM);
  GRand *random = g_rand_new_with_seed (1);

  g_assert_null (ls_practice_ask (G_LIST_MODEL (rows), random, NULL));
  add (rows, 0, 0, NULL, LS_STEP_UNMEASURED, (LsStepTime) { 0 });
  g_assert_null (ls_practice_ask (G_LIST_MODEL (rows), random, NULL));
  add (rows, 1, 0, "bind", LS_STEP_FAILED, (LsStepTime) { 0 });
  g_assert_null (ls_practice_ask (G_LIST_MODEL (rows), random, NULL));
  add (rows, 2, 0, "split", LS_STEP_UNMEASURED, (LsStepTime) { 0 });
  for (guint i = 0; i < 50; i++)
    {
      g_autoptr (LsPracticeQuestion) question = ls_practice_ask (G_LIST_MODEL (rows), random, NULL);

      g_assert_cmpuint (question->subject, ==, 2);
      g_assert_cmpstr (question->choices[question->answer], ==, "split");
      if (question->kind == LS_PRACTICE_NEXT)
        g_assert_true (question->left == 0 && question->right == 0);
    }
  g_rand_free (random);
}

/* A history of thousands of steps is asked about as one of five is. */
static void
test_long (void)
{
  g_autoptr (GListStore) rows = g_list_store_new (LS_TYPE_STEP_ITEM);
  GRand *random = g_rand_new_with_seed (3);

  add (rows, 0, 0, NULL, LS_STEP_UNMEASURED, (LsStepTime) { 0 });
  for (guint i = 1; i <= 3000; i++)
    add (rows, i, i - 1, i % 3 == 0 ? "split" : i % 3 == 1 ? "reorder" : "vectorize", LS_STEP_UNMEASURED, (LsStepTime) { 0 });
  g_test_timer_start ();
  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (LsPracticeQuestion) question = ls_practice_ask (G_LIST_MODEL (rows), random, NULL);

      g_assert_cmpstr (question->choices[question->answer], ==, question->subject % 3 == 0 ? "split" : question->subject % 3 == 1 ? "reorder" : "vectorize");
    }
  g_test_minimized_result (g_test_timer_elapsed () / 20.0, "a question about 3,000 steps");
  g_rand_free (random);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/practice/many", test_many);
  g_test_add_func ("/practice/few", test_few);
  g_test_add_func ("/practice/long", test_long);
  return g_test_run ();
}
