/* models: what the views show, without a display. */
#include "tests/ui/fixture-session.h"
#include "views/parts/refill.h"
#include "views/models/format.h"
#include "views/models/glossary.h"
#include "views/models/gradual-list.h"
#include "views/models/history-layout.h"
#include "views/models/script-tokens.h"
#include "views/models/slot-list.h"
#include "views/parts/theme.h"
#include "views/script/tags.h"

#include "engine/schedule/schedule.h"

#include <string.h>

#define NNBSP "\u202f"

static void
assert_text (char       *text,
             const char *expected)
{
  g_assert_cmpstr (text, ==, expected);
  g_free (text);
}

static void
test_date (void)
{
  g_autoptr (GDateTime) here = g_date_time_new_local (2026, 1, 5, 10, 11, 12.5);
  g_autofree char *text = g_date_time_format_iso8601 (here);

  assert_text (ls_format_date (text), "5 Jan 2026, 10:11");
  g_assert_null (ls_format_date ("yesterday"));
  g_assert_null (ls_format_date ("2026-01-05T10:11:12"));
  g_assert_null (ls_format_date (NULL));
}

static void
test_format (void)
{
  assert_text (ls_format_time (877e-6), "877" NNBSP "µs");
  assert_text (ls_format_time (1.6e-6), "1.60" NNBSP "µs");
  assert_text (ls_format_time (12.4e-3), "12.4" NNBSP "ms");
  assert_text (ls_format_time (2.1), "2.10" NNBSP "s");
  assert_text (ls_format_time (999.6e-6), "1.00" NNBSP "ms");
  /* In the unit of what stands beside it. */
  assert_text (ls_format_time_in (2.4e-3, LS_TIME_UNIT_MS), "2.40");
  assert_text (ls_format_time_in (615e-6, LS_TIME_UNIT_MS), "0.615");
  assert_text (ls_format_time_in (61.5e-6, LS_TIME_UNIT_MS), "0.0615");
  assert_text (ls_format_time_in (1.23e-6, LS_TIME_UNIT_MS), "0.0012");
  assert_text (ls_format_time_in (0.0, LS_TIME_UNIT_MS), "0.00");
  assert_text (ls_format_time_difference (75.8e-6, 1.55e-3, LS_TIME_UNIT_MS), "0.08");
  assert_text (ls_format_time_difference (24.6e-6, 369e-6, LS_TIME_UNIT_MS), "0.025");
  assert_text (ls_format_time_spread (225e-6, 2e-6), "225 ±2" NNBSP "µs");
  assert_text (ls_format_time_spread (8.19e-3, 11.04e-3), "8.19 ±11.0" NNBSP "ms");
  assert_text (ls_format_time_spread (757e-6, 3629e-6), "757" NNBSP "µs ±3.63" NNBSP "ms");
  assert_text (ls_format_time_spread (671e-6, 11174e-6), "671" NNBSP "µs ±11.2" NNBSP "ms");
  assert_text (ls_format_speedup (3.8), "×3.80");
  assert_text (ls_format_speedup (0.92), "×0.92, slower");
  assert_text (ls_format_speedup (0.095), "×0.10, slower");
  assert_text (ls_format_speedup (0.05), "20 times slower");
  assert_text (ls_format_speedup (0.0535), "18.7 times slower");
  assert_text (ls_format_speedup (0.00107), "935 times slower");
  assert_text (ls_format_speedup (0.00092), "1,090 times slower");
  assert_text (ls_format_speedup (0.0010001), "1,000 times slower");
  assert_text (ls_format_speedup (0.0), "×0.00, slower");
  assert_text (ls_format_speedup (0.997), "×1.00");
  assert_text (ls_format_count (2097152), "2,097,152");
  assert_text (ls_format_count (128), "128");
  assert_text (ls_format_count (-1000), "−1,000");
  assert_text (ls_format_bytes (12), "12" NNBSP "B");
  assert_text (ls_format_bytes (2560), "2.5" NNBSP "KiB");
  assert_text (ls_format_bytes (262144), "256" NNBSP "KiB");
  assert_text (ls_format_share (1.0), "100" NNBSP "%");
  assert_text (ls_format_share (0.996), "99.6" NNBSP "%");
  assert_text (ls_format_share (0.0), "0" NNBSP "%");
  assert_text (ls_format_short_count (4210688), "4.21" NNBSP "M");
}

static void
test_family (void)
{
  LsFamilies families = ls_families_one (2);

  assert_text (ls_family_letter (0), "a");
  assert_text (ls_family_letter (9), "c′");
  ls_families_add (&families, 2);
  g_assert_cmpuint (families.n, ==, 1);
  for (guint i = 10; i < 20; i++)
    ls_families_add (&families, i);
  g_assert_cmpuint (families.n, ==, 11);
  g_assert_cmpuint (ls_families_shown (&families), ==, LS_FAMILIES_MAX);
}

/* ---- history ------------------------------------------------------------ */

static GPtrArray *
make_nodes (const guint *parents,
            guint        n)
{
  GPtrArray *nodes = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (nodes, ls_step_item_new (&(LsStepRecord) {
      .id = i, .parent = parents[i], .call = "c", .name = "n" }));
  return nodes;
}

static void
test_layout_fork (void)
{
  /* 0 - 1 - 2 on the main branch, 3 - 4 a side branch from 0. */
  const guint parents[] = { 0, 0, 1, 0, 3 };
  const guint order[] = { 0, 3, 4, 1, 2 };
  const guint lanes[] = { 0, 1, 1, 0, 0 };
  g_autoptr (GPtrArray) nodes = make_nodes (parents, 5);
  g_autoptr (GPtrArray) rows = ls_history_layout (nodes, NULL, NULL, 2);
  const LsStepRail *rail;

  g_assert_cmpuint (rows->len, ==, 5);
  for (guint i = 0; i < 5; i++)
    {
      g_assert_cmpuint (ls_step_item_get (g_ptr_array_index (rows, i))->id, ==, order[i]);
      g_assert_cmpuint (ls_step_item_get_rail (g_ptr_array_index (rows, i))->lane, ==, lanes[i]);
    }
  rail = ls_step_item_get_rail (g_ptr_array_index (rows, 0));
  g_assert_cmpuint (rail->above, ==, 0);
  g_assert_cmpuint (rail->below, ==, 1);
  g_assert_cmpuint (rail->forks, ==, 2);
  rail = ls_step_item_get_rail (g_ptr_array_index (rows, 1));
  g_assert_cmpuint (rail->above, ==, 3);
  g_assert_cmpuint (rail->below, ==, 3);
  rail = ls_step_item_get_rail (g_ptr_array_index (rows, 2));
  g_assert_cmpuint (rail->above, ==, 3);
  g_assert_cmpuint (rail->below, ==, 1);
  rail = ls_step_item_get_rail (g_ptr_array_index (rows, 4));
  g_assert_cmpuint (rail->above, ==, 1);
  g_assert_cmpuint (rail->below, ==, 0);
}

/* Long chains and many forks must neither recurse nor shift out of the mask. */
static void
test_layout_large (void)
{
  guint n = 2000;
  g_autofree guint *parents = g_new0 (guint, n);
  g_autoptr (GPtrArray) nodes = NULL;
  g_autoptr (GPtrArray) rows = NULL;

  for (guint i = 1; i < n; i++)
    parents[i] = i % 3 == 0 ? i / 2 : i - 1;
  nodes = make_nodes (parents, n);
  rows = ls_history_layout (nodes, NULL, NULL, n - 1);
  g_assert_cmpuint (rows->len, ==, n);
}

static void
test_step_words (void)
{
  g_autoptr (LsStepItem) item = ls_step_item_new (&(LsStepRecord) {
    .number = 2, .prime = 1, .call = "fuse(i, j)", .name = "fuse", .state = LS_STEP_MEASURED,
    .timing = { 90e-6, 95e-6, 100e-6, 125e-6, 30 }, .speedup = 2.0 });

  assert_text (ls_step_item_tag (item), "2′");
  assert_text (ls_step_item_detail (item), "100 ±15" NNBSP "µs · noisy");
  g_assert_true (ls_step_item_is_noisy (item));
  ls_step_item_set_current (item, TRUE);
  assert_text (ls_step_item_describe (item),
               "step 2′, fuse(i, j), 100 ±15" NNBSP "µs · you are here · noisy, ×2.00");
}

/* ---- text --------------------------------------------------------------- */

static void
test_compare (void)
{
  g_autoptr (LsScriptText) before = ls_script_text_new ("a\nfor i, k:\n  x\nz\n");
  g_autoptr (LsScriptText) after = ls_script_text_new ("a\nfor i:\n  for k:\n    x\nz\n");

  ls_script_text_compare (before, after);
  g_assert_cmpuint (ls_script_text_n_lines (before), ==, 4);
  g_assert_cmpint (ls_script_text_line (before, 0)->change, ==, LS_LINE_SAME);
  g_assert_cmpint (ls_script_text_line (before, 1)->change, ==, LS_LINE_GONE);
  g_assert_cmpint (ls_script_text_line (before, 2)->change, ==, LS_LINE_MOVED);
  g_assert_cmpint (ls_script_text_line (after, 1)->change, ==, LS_LINE_NEW);
  g_assert_cmpint (ls_script_text_line (after, 2)->change, ==, LS_LINE_NEW);
  g_assert_cmpint (ls_script_text_line (after, 3)->change, ==, LS_LINE_MOVED);
  g_assert_cmpint (ls_script_text_line (after, 4)->change, ==, LS_LINE_SAME);
  g_assert_cmpuint (ls_script_text_line (before, 1)->gap, ==, 1);
}

/* Both sides have the same height, whatever the texts are. */
static char *
word_at (LsScriptText *text,
         guint         i)
{
  const LsScriptWord *word = ls_script_text_get_word (text, i);

  return g_utf8_substring (ls_script_text_get_text (text), word->start, word->end);
}

/* Of a changed line only the words that differ; a line that came alone has none; offsets count characters. */
static void
test_words (void)
{
  g_autoptr (LsScriptText) before = ls_script_text_new ("\"\u00e9\"\nfor i, j in T.grid(128, 128):\n  x\n");
  g_autoptr (LsScriptText) after = ls_script_text_new ("\"\u00e9\"\nwith T.block():\nfor i, j_0 in T.grid(128, 32):\n  x\n");
  g_autoptr (GArray) changes = NULL;
  LsTextChange *change;

  ls_script_text_compare (before, after);
  g_assert_cmpuint (ls_script_text_n_words (before), ==, 2);
  assert_text (word_at (before, 0), "j");
  assert_text (word_at (before, 1), "128");
  g_assert_cmpuint (ls_script_text_n_words (after), ==, 2);
  assert_text (word_at (after, 0), "j_0");
  assert_text (word_at (after, 1), "32");
  changes = ls_comparison_changes (before, after);
  g_assert_cmpuint (changes->len, ==, 1);
  change = &g_array_index (changes, LsTextChange, 0);
  g_assert_cmpint (change->left_first, ==, 1);
  g_assert_cmpint (change->left_last, ==, 1);
  g_assert_cmpint (change->right_first, ==, 1);
  g_assert_cmpint (change->right_last, ==, 2);
}

/* Both texts in one: words and uses of loops keep their places. */
static void
test_column (void)
{
  g_autoptr (LsComparison) comparison = ls_comparison_new ();
  g_autoptr (LsScriptText) column = NULL;
  LsScriptSpan span = { .start = 6, .end = 7, .id = 7 };

  comparison->left.text = ls_script_text_new ("a\nfor i in range(4):\nz");
  comparison->right.text = ls_script_text_new ("a\nfor i in range(8):\n  new\nz");
  ls_script_text_compare (comparison->left.text, comparison->right.text);
  ls_script_text_add_span (comparison->right.text, &span);
  column = ls_comparison_one_column (comparison);
  g_assert_cmpstr (ls_script_text_get_text (column), ==, "a\nfor i in range(4):\nfor i in range(8):\n  new\nz");
  g_assert_cmpuint (ls_script_text_n_words (column), ==, 2);
  assert_text (word_at (column, 0), "4");
  assert_text (word_at (column, 1), "8");
  g_assert_cmpuint (ls_script_text_get_span (column, 0)->start, ==, 25);
}

static void
test_compare_random (void)
{
  for (guint round = 0; round < 200; round++)
    {
      LsScriptText *sides[2];
      guint heights[2] = { 0, 0 };

      for (guint s = 0; s < 2; s++)
        {
          g_autoptr (GString) text = g_string_new (NULL);
          guint n = (guint) g_test_rand_int_range (1, 12);

          for (guint i = 0; i < n; i++)
            g_string_append_printf (text, "%*s%c\n", g_test_rand_int_range (0, 3), "",
                                    'a' + g_test_rand_int_range (0, 4));
          sides[s] = ls_script_text_new (text->str);
        }
      ls_script_text_compare (sides[0], sides[1]);
      for (guint s = 0; s < 2; s++)
        {
          for (guint i = 0; i < ls_script_text_n_lines (sides[s]); i++)
            heights[s] += 1 + ls_script_text_line (sides[s], i)->gap +
                          ls_script_text_line (sides[s], i)->gap_before;
          g_object_unref (sides[s]);
        }
      g_assert_cmpuint (heights[0], ==, heights[1]);
    }
}

static void
test_tokens (void)
{
  const char *text = "for é in x:  # note\n  s = \"a\\\"b\" + 'c'\n  format = 1\n\"\"\"open";
  g_autoptr (GArray) tokens = ls_script_tokens (text);
  const struct { LsTokenKind kind; guint start, end; } expected[] = {
    { LS_TOKEN_KEYWORD, 0, 3 }, { LS_TOKEN_KEYWORD, 6, 8 }, { LS_TOKEN_COMMENT, 13, 19 },
    { LS_TOKEN_STRING, 26, 32 }, { LS_TOKEN_STRING, 35, 38 }, { LS_TOKEN_STRING, 52, 59 },
  };

  g_assert_cmpuint (tokens->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < tokens->len; i++)
    {
      const LsToken *token = &g_array_index (tokens, LsToken, i);

      g_assert_cmpint (token->kind, ==, expected[i].kind);
      g_assert_cmpuint (token->start, ==, expected[i].start);
      g_assert_cmpuint (token->end, ==, expected[i].end);
    }
}

/* ---- session ------------------------------------------------------------ */

static void
test_session (void)
{
  g_autoptr (LsSession) session = ls_fixture_session_new ();
  g_autofree char *text = NULL;

  g_assert_cmpuint (ls_session_get_position (session), ==, 3);
  g_assert_true (ls_session_can_undo (session));
  text = ls_loop_item_describe (ls_session_get_selected (session));
  g_assert_cmpstr (text, ==, "k, reduction, extent 128, family c, level 3, 99.6" NNBSP
                             "% of flop, touches 2.5" NNBSP "KiB, moved out by reorder");
  ls_session_go_by (session, -1);
  g_assert_cmpuint (ls_session_get_position (session), ==, 2);
  g_assert_nonnull (ls_session_get_selected (session));
  ls_session_go_by (session, -10);
  g_assert_cmpuint (ls_session_get_position (session), ==, 0);
  g_assert_false (ls_session_can_undo (session));
  g_assert_null (ls_session_get_before (session));
  ls_session_go_last (session);
  g_assert_false (ls_session_can_redo (session));
}

/* Setting what was read from the session itself. */
static void
test_session_same_text (void)
{
  g_autoptr (LsSession) session = ls_fixture_session_new ();
  g_autofree char *before = g_strdup (ls_session_get_conditions (session));

  ls_session_set_conditions (session, ls_session_get_conditions (session), "reason");
  g_assert_cmpstr (ls_session_get_conditions (session), ==, before);
  ls_session_set_title (session, ls_session_get_title (session), ls_session_get_place (session));
  g_assert_cmpstr (ls_session_get_title (session), ==, "mm_relu");
}

static void
count_removed (GListModel *model,
               guint       position,
               guint       removed,
               guint       added,
               guint      *total)
{
  *total += removed;
}

/* A step that only appends must not rebuild the rows before it. */
static void
test_session_keeps_rows (void)
{
  g_autoptr (LsSession) session = ls_fixture_session_new ();
  guint removed = 0;

  g_signal_connect (ls_session_get_history (session), "items-changed", G_CALLBACK (count_removed),
                    &removed);
  ls_session_go_by (session, -1);
  g_assert_cmpuint (removed, ==, 0);
}

/* ---- rows that stay ------------------------------------------------------------ */

static void
note_change (guint *changes)
{
  (*changes)++;
}

static void
note_items (guint *items,
            guint  position,
            guint  removed,
            guint  added)
{
  items[0] = position;
  items[1] = removed;
  items[2] = added;
  items[3]++;
}

static void
test_slots (void)
{
  g_autoptr (LsSlotList) list = ls_slot_list_new ();
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) shown = g_ptr_array_new ();
  g_autoptr (LsSlot) first = NULL;
  guint changed[4] = { 0 }, changes = 0;

  for (guint i = 0; i < 5; i++)
    g_ptr_array_add (items, ls_loop_item_new (&(LsLoopRecord) { .id = i + 1 }));
  g_signal_connect_swapped (list, "items-changed", G_CALLBACK (note_items), changed);
  for (guint i = 0; i < 3; i++)
    g_ptr_array_add (shown, items->pdata[i]);
  ls_slot_list_fill (list, shown);
  g_assert_cmpuint (changed[2], ==, 3);
  first = g_list_model_get_item (G_LIST_MODEL (list), 0);
  g_signal_connect_swapped (first, "changed", G_CALLBACK (note_change), &changes);

  /* One more at the front: the slots stay, one comes at the end. */
  g_ptr_array_insert (shown, 0, items->pdata[4]);
  ls_slot_list_fill (list, shown);
  g_assert_cmpuint (changes, ==, 1);
  g_assert_true (ls_slot_get (first) == items->pdata[4]);
  g_assert_true (ls_slot_list_at (list, 3) == items->pdata[2]);
  g_assert_cmpuint (changed[0], ==, 3);
  g_assert_cmpuint (changed[1], ==, 0);
  g_assert_cmpuint (changed[2], ==, 1);

  ls_slot_list_fill (list, shown);
  g_assert_cmpuint (changes, ==, 1);
  g_assert_cmpuint (changed[3], ==, 2);
  g_ptr_array_set_size (shown, 0);
  ls_slot_list_fill (list, shown);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), ==, 0);
  g_assert_null (ls_slot_list_at (list, 0));
}

/* What is told adds up to the first items of the model, whatever comes and goes in it. */
static void
follow (GArray     *told,
        guint       position,
        guint       removed,
        guint       added,
        GListModel *list)
{
  g_array_remove_range (told, position, removed);
  for (guint i = 0; i < added; i++)
    {
      g_autoptr (GObject) item = g_list_model_get_item (list, position + i);

      g_assert_nonnull (item);
      g_array_insert_val (told, position + i, item);
    }
  g_assert_cmpuint (told->len, ==, g_list_model_get_n_items (list));
}

static void
test_gradual (void)
{
  g_autoptr (GListStore) store = g_list_store_new (G_TYPE_OBJECT);
  g_autoptr (LsGradualList) list = ls_gradual_list_new (G_LIST_MODEL (store), 10);
  g_autoptr (GArray) told = g_array_new (FALSE, FALSE, sizeof (gpointer));
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  guint most = 0;

  g_signal_connect_swapped (list, "items-changed", G_CALLBACK (follow), told);
  for (guint round = 0; round < 400; round++)
    {
      guint n = g_list_model_get_n_items (G_LIST_MODEL (store)), before = told->len;
      guint position = g_rand_int_range (random, 0, (int) n + 1), removed = g_rand_int_range (random, 0, (int) MIN (n - position, 30) + 1);
      guint added = g_rand_int_range (random, 0, round % 9 == 0 ? 60 : 8);
      g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

      for (guint i = 0; i < added; i++)
        g_ptr_array_add (items, g_object_new (G_TYPE_OBJECT, NULL));
      g_list_store_splice (store, position, removed, items->pdata, added);
      g_assert_cmpuint (told->len, <=, before + 10);
      if (round % 5 == 0)
        g_main_context_iteration (NULL, FALSE);
      for (guint i = 0; i < told->len; i++)
        {
          g_autoptr (GObject) item = g_list_model_get_item (G_LIST_MODEL (store), i);

          g_assert_true (g_array_index (told, gpointer, i) == item);
        }
      most = MAX (most, g_list_model_get_n_items (G_LIST_MODEL (store)) - told->len);
    }
  g_assert_cmpuint (most, >, 20);
  while (!ls_gradual_list_is_whole (list))
    g_assert_true (g_main_context_iteration (NULL, FALSE));
  g_assert_cmpuint (told->len, ==, g_list_model_get_n_items (G_LIST_MODEL (store)));
  g_assert_null (g_list_model_get_item (G_LIST_MODEL (list), told->len));
}

static void
take_long (void)
{
  g_usleep (3000);
}

/* Whoever takes long to show some does not get many in one turn. */
static void
test_gradual_slow (void)
{
  g_autoptr (GListStore) store = g_list_store_new (G_TYPE_OBJECT);
  g_autoptr (LsGradualList) list = ls_gradual_list_new (G_LIST_MODEL (store), 8);

  for (guint i = 0; i < 40; i++)
    {
      g_autoptr (GObject) item = g_object_new (G_TYPE_OBJECT, NULL);

      g_list_store_append (store, item);
    }
  while (!ls_gradual_list_is_whole (list))
    g_main_context_iteration (NULL, FALSE);
  g_signal_connect (list, "items-changed", G_CALLBACK (take_long), NULL);
  for (guint i = 0; i < 40; i++)
    {
      g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

      for (guint k = 0; k < 20; k++)
        g_ptr_array_add (items, g_object_new (G_TYPE_OBJECT, NULL));
      g_list_store_splice (store, g_list_model_get_n_items (G_LIST_MODEL (store)), 0, items->pdata, items->len);
    }
  for (guint i = 0; i < 20; i++)
    {
      guint before = g_list_model_get_n_items (G_LIST_MODEL (list));

      g_main_context_iteration (NULL, FALSE);
      g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), <=, before + 4);
    }
}

static LsLoopItem *
loop_row (guint64     id,
          const char *name,
          LsLoopItem *child)
{
  LsLoopItem *item = ls_loop_item_new (&(LsLoopRecord) { .id = id, .name = name });

  if (child != NULL)
    ls_loop_item_add (item, child);
  g_clear_object (&child);
  return item;
}

/* The rows of a step take the words of the next; only what has another shape comes and goes. */
static void
test_loop_rows (void)
{
  g_autoptr (GListStore) store = g_list_store_new (LS_TYPE_LOOP_ITEM);
  g_autoptr (GPtrArray) one = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) two = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (LsLoopItem) root = NULL, leaf = NULL;
  guint changes = 0;

  g_ptr_array_add (one, loop_row (1, "i", loop_row (2, "Y", NULL)));
  ls_loop_list_take (store, one);
  root = g_list_model_get_item (G_LIST_MODEL (store), 0);
  ls_loop_item_set_ghost (root, (const char *const[]) { "i_0", NULL });
  g_signal_connect_swapped (root, "changed", G_CALLBACK (note_change), &changes);

  g_ptr_array_add (two, loop_row (3, "i_0", loop_row (4, "i_1", loop_row (2, "Y", NULL))));
  g_ptr_array_add (two, loop_row (5, "j", NULL));
  ls_loop_list_take (store, two);
  g_assert_cmpuint (changes, ==, 1);
  g_assert_cmpstr (ls_loop_item_get (root)->name, ==, "i_0");
  g_assert_cmpuint (ls_loop_item_get (root)->id, ==, 3);
  g_assert_null (ls_loop_item_get_ghost (root));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (store)), ==, 2);
  leaf = g_list_model_get_item (ls_loop_item_get_children (root), 0);
  g_assert_cmpstr (ls_loop_item_get (leaf)->name, ==, "i_1");
  g_assert_cmpstr (ls_loop_item_get (ls_loop_list_find (G_LIST_MODEL (store), 2))->name, ==, "Y");
  ls_loop_list_take (store, NULL);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (store)), ==, 0);
}

/* A row hears of news only. */
static void
test_step_news (void)
{
  g_autoptr (LsStepItem) item = ls_step_item_new (&(LsStepRecord) { .call = "split(j)", .name = "split" });
  LsStepRecord record = *ls_step_item_get (item);
  guint changes = 0;

  g_signal_connect_swapped (item, "changed", G_CALLBACK (note_change), &changes);
  ls_step_item_set (item, &record);
  g_assert_cmpuint (changes, ==, 0);
  record.timing.samples = 3;
  ls_step_item_set (item, &record);
  record = *ls_step_item_get (item);
  record.reason = "no";
  ls_step_item_set (item, &record);
  g_assert_cmpuint (changes, ==, 2);
}

/* ---- a text with its tags --------------------------------------------------------- */

/* Lines of loops and strings; `n` of them, each with a span. */
static LsScriptText *
random_text (GRand *rand,
             guint  n)
{
  static const char *const lines[] = { "for i in range (4):\n", "  x = \"a\u00e9b\"  # note\n", "\n", "    with T.block (\"Y\"):\n", "pass\n" };
  g_autoptr (GString) all = g_string_new (NULL);
  LsScriptText *text;
  guint at = 0;

  for (guint i = 0; i < n; i++)
    g_string_append (all, lines[(guint) g_rand_int_range (rand, 0, G_N_ELEMENTS (lines))]);
  text = ls_script_text_new (all->str);
  for (const char *line = all->str; *line != '\0'; line = strchr (line, '\n') + 1)
    {
      guint length = (guint) g_utf8_strlen (line, strchr (line, '\n') - line);

      if (length > 3)
        ls_script_text_add_span (text, &(LsScriptSpan) { .start = at + 1, .end = at + 3, .id = at,
                                                         .families = ls_families_one ((guint) (*line == 'f')) });
      at += length + 1;
    }
  return text;
}

static void
assert_same_tags (GtkTextBuffer *a,
                  GtkTextBuffer *b)
{
  GtkTextIter i, j, end;

  g_assert_cmpint (gtk_text_buffer_get_char_count (a), ==, gtk_text_buffer_get_char_count (b));
  gtk_text_buffer_get_start_iter (b, &j);
  gtk_text_buffer_get_bounds (a, &i, &end);
  while (!gtk_text_iter_equal (&i, &end))
    {
      g_autoptr (GSList) x = gtk_text_iter_get_tags (&i), y = gtk_text_iter_get_tags (&j);

      g_assert_cmpuint (gtk_text_iter_get_char (&i), ==, gtk_text_iter_get_char (&j));
      g_assert_cmpuint (g_slist_length (x), ==, g_slist_length (y));
      for (GSList *p = x, *q = y; p != NULL; p = p->next, q = q->next)
        g_assert_cmpint (gtk_text_tag_get_priority (p->data), ==, gtk_text_tag_get_priority (q->data));
      gtk_text_iter_forward_char (&i);
      gtk_text_iter_forward_char (&j);
    }
}

static void
assert_same_lines (char  **before,
                   char  **after,
                   int     first,
                   int     last)
{
  g_assert_cmpint (first, <=, (int) MIN (g_strv_length (before), g_strv_length (after)));
  for (int i = 0; i < first; i++)
    g_assert_cmpstr (before[i], ==, after[i]);
  if (last < 0)
    return;
  g_assert_cmpuint (g_strv_length (before), ==, g_strv_length (after));
  for (int i = last + 1; before[i] != NULL; i++)
    g_assert_cmpstr (before[i], ==, after[i]);
}

/* A text that takes the place of another looks as one that is shown alone; also when it comes while tags of the last wait. */
static void
test_tags (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) g_test_rand_int ());
  g_autoptr (GtkTextBuffer) buffer = gtk_text_buffer_new (NULL);
  LsScriptTags *tags = ls_script_tags_new (buffer);
  g_auto (GStrv) before = g_strsplit ("", "\n", -1);

  for (guint round = 0; round < 200; round++)
    {
      g_autoptr (LsScriptText) text = random_text (rand, round % 50 == 7 ? 9000 : (guint) g_rand_int_range (rand, 0, 7));
      g_autoptr (GtkTextBuffer) alone = gtk_text_buffer_new (NULL);
      LsScriptTags *other = ls_script_tags_new (alone);
      char **lines = g_strsplit (ls_script_text_get_text (text), "\n", -1);
      int first, last;

      ls_script_tags_show (tags, text);
      ls_script_tags_get_changed (tags, &first, &last);
      assert_same_lines (before, lines, first, last);
      g_strfreev (before);
      before = lines;
      ls_script_tags_show (other, text);
      g_assert_true (round % 50 != 7 || !ls_script_tags_is_done (tags));
      if (round % 100 == 7)
        while (!ls_script_tags_is_done (tags) || !ls_script_tags_is_done (other))
          g_main_context_iteration (NULL, TRUE);
      if (ls_script_tags_is_done (tags) && ls_script_tags_is_done (other))
        assert_same_tags (buffer, alone);
      ls_script_tags_free (other);
    }
  ls_script_tags_show (tags, NULL);
  g_assert_cmpint (gtk_text_buffer_get_char_count (buffer), ==, 0);
  ls_script_tags_free (tags);
}

/* Every construct of the samples has an entry; operators of the graph level share one. */
static void
test_glossary (void)
{
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "..", "data", "samples", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GRegex) words = g_regex_new ("\\b[TIR]\\.[A-Za-z_][A-Za-z_0-9.]*", 0, 0, NULL);

  g_assert_nonnull (dir);
  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *text = NULL;
      g_autoptr (GMatchInfo) match = NULL;

      if (!g_file_get_contents (path, &text, NULL, NULL) || strstr (name, "_steps") != NULL)
        continue;
      for (gboolean more = g_regex_match (words, text, 0, &match); more; more = g_match_info_next (match, NULL))
        {
          g_autofree char *word = g_match_info_fetch (match, 0);

          if (ls_glossary_get (word) == NULL)
            g_error ("%s: nothing is said of %s", name, word);
        }
    }
  g_assert_nonnull (ls_glossary_get ("R.nn.conv2d"));
  g_assert_null (ls_glossary_get ("R.Nothing"));
  g_assert_null (ls_glossary_get ("sch.split"));
}

static void
test_things_by_name (void)
{
  g_autoptr (LsScriptText) text = ls_script_text_new ("é = i\ni = i\n");
  guint unnamed = ls_script_text_add_thing (text, NULL);

  ls_script_text_add_name (text, 4, 5, unnamed, FALSE);
  ls_script_text_add_name (text, 0, 1, ls_script_text_add_thing (text, NULL), TRUE);
  ls_script_text_add_name (text, 6, 7, ls_script_text_add_thing (text, NULL), TRUE);
  g_assert_null (ls_script_text_find_thing (text, "T", 1));
  g_assert_null (ls_script_text_find_thing (text, "", 1));
  g_assert_true (ls_script_text_find_thing (text, "é", 1) == ls_script_text_get_thing (text, 1));
  g_assert_true (ls_script_text_find_thing (text, "i", 1) == ls_script_text_get_thing (text, 2));
  g_assert_true (ls_script_text_find_thing (text, "i", 5) == ls_script_text_get_thing (text, 2));
}

/* ---- other items for a list, a part at a time ------------------------------------------- */

typedef struct {
  guint n_done, n_changes, most;        /* of rows in one change, among the first 240 */
} Refilled;

static void
items_changed (GListModel *model,
               guint       at,
               guint       removed,
               guint       added,
               Refilled   *self)
{
  self->n_changes++;
  if (at < 200)
    self->most = MAX (self->most, MAX (removed, added));
}

static Refilled *counted;

static void
refilled (gpointer object)
{
  counted->n_done++;
}

static GPtrArray *
numbered (guint from,
          guint n)
{
  GPtrArray *items = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = g_strdup_printf ("%u", from + i);

      g_ptr_array_add (items, gtk_string_object_new (text));
    }
  return items;
}

static void
assert_numbers (GListStore *store,
                guint       from,
                guint       n)
{
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (store)), ==, n);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GtkStringObject) item = g_list_model_get_item (G_LIST_MODEL (store), i);

      g_assert_cmpuint ((guint) atoi (gtk_string_object_get_string (item)), ==, from + i);
    }
}

static void
wait_refilled (GListStore *store)
{
  while (ls_refill_is_busy (store))
    g_main_context_iteration (NULL, TRUE);
}

static void
test_refill (void)
{
  static const guint sizes[][2] = { { 0, 1000 }, { 1000, 1000 }, { 1000, 300 }, { 300, 50 }, { 50, 0 }, { 0, 7 }, { 7, 500 } };
  g_autoptr (GListStore) store = g_list_store_new (GTK_TYPE_STRING_OBJECT);
  Refilled seen = { 0 };

  counted = &seen;
  g_signal_connect (store, "items-changed", G_CALLBACK (items_changed), &seen);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      seen = (Refilled) { 0 };
      ls_refill (store, NULL, numbered (i * 10000, sizes[i][1]), refilled, store);
      if (MAX (sizes[i][0], sizes[i][1]) <= 24)
        g_assert_false (ls_refill_is_busy (store));     /* a few are there at once */
      else
        g_assert_cmpuint (seen.n_done, ==, 0);
      wait_refilled (store);
      g_assert_cmpuint (seen.n_done, ==, 1);
      g_assert_cmpuint (seen.most, <=, 24);
      assert_numbers (store, i * 10000, sizes[i][1]);
    }
  seen = (Refilled) { 0 };
  g_signal_connect (store, "items-changed", G_CALLBACK (take_long), NULL);
  ls_refill (store, NULL, numbered (1, 400), refilled, store);        /* given up for the next one */
  g_main_context_iteration (NULL, TRUE);
  g_assert_true (ls_refill_is_busy (store));    /* who takes long to show some does not get many in one turn */
  g_signal_handlers_disconnect_by_func (store, take_long, NULL);
  ls_refill (store, NULL, numbered (5, 100), refilled, store);
  wait_refilled (store);
  g_assert_cmpuint (seen.n_done, ==, 1);
  assert_numbers (store, 5, 100);
  ls_refill (store, NULL, numbered (9, 400), refilled, store);        /* it goes before all is there */
}

/* Who follows the list may be the last to hold it, and let go in the middle. */
static void
test_refill_let_go (void)
{
  GListStore *store = g_list_store_new (GTK_TYPE_STRING_OBJECT);

  g_signal_connect (store, "items-changed", G_CALLBACK (g_object_unref), NULL);
  g_object_add_weak_pointer (G_OBJECT (store), (gpointer *) &store);
  ls_refill (store, NULL, numbered (0, 400), NULL, NULL);
  g_assert_null (store);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_unsetenv ("DISPLAY");
  g_unsetenv ("WAYLAND_DISPLAY");
  gtk_init_check ();
  ls_views_init ();

  g_test_add_func ("/models/date", test_date);
  g_test_add_func ("/models/glossary", test_glossary);
  g_test_add_func ("/models/format", test_format);
  g_test_add_func ("/models/family", test_family);
  g_test_add_func ("/models/history/fork", test_layout_fork);
  g_test_add_func ("/models/history/large", test_layout_large);
  g_test_add_func ("/models/step-words", test_step_words);
  g_test_add_func ("/models/script/compare", test_compare);
  g_test_add_func ("/models/script/compare-random", test_compare_random);
  g_test_add_func ("/models/script/words", test_words);
  g_test_add_func ("/models/script/column", test_column);
  g_test_add_func ("/models/script/tokens", test_tokens);
  g_test_add_func ("/models/session/steps", test_session);
  g_test_add_func ("/models/session/same-text", test_session_same_text);
  g_test_add_func ("/models/session/keeps-rows", test_session_keeps_rows);
  g_test_add_func ("/models/slots", test_slots);
  g_test_add_func ("/models/gradual", test_gradual);
  g_test_add_func ("/models/gradual-slow", test_gradual_slow);
  g_test_add_func ("/models/loop-rows", test_loop_rows);
  g_test_add_func ("/models/step-news", test_step_news);
  g_test_add_func ("/models/script/tags", test_tags);
  g_test_add_func ("/models/script-text/things", test_things_by_name);
  g_test_add_func ("/models/refill", test_refill);
  g_test_add_func ("/models/refill-let-go", test_refill_let_go);
  return g_test_run ();
}
