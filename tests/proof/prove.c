/* prove: every rewrite rule to Z3, and the record of what it said (engine/arith/proofs.def).
 *
 * The record has each rule with its whole text, what was shown, and how long that took.  The quick run proves again what took
 * little then, and looks at the text of all others; `full` proves everything.  A rule that is not in the record, or is another
 * there, fails; so does one of which the prover says something else now.
 *
 *   LS_UPDATE_GOLDEN=1 tests/proof/prove -m thorough      writes the record; read the difference
 */
#include "tests/proof/finite.h"
#include "tests/proof/lemmas.h"
#include "tests/proof/planted.h"
#include "tests/proof/smt.h"
#include "tests/proof/steps.h"
#include "tests/support/support.h"

#include <string.h>
#include <time.h>

#define RECORD "../engine/arith/proofs.def"

/* What Z3 may use for one alternative of a rule; its own units, so that a slow machine says the same. */
#define LIMIT_INTEGERS 8000000
#define LIMIT_BITS 20000000
/* What the quick run proves again: as long as this in the record. */
#define QUICK_MILLISECONDS 60
/* How few of the cases of a step the quick run tries; no factor of what any step counts through, else one loop of it stood still. */
#define QUICK_STRIDE 11
#define FINITE_POINTS 200000

static const char *const theory_names[LS_N_THEORIES] = { "integers", "signed", "unsigned", "floats" };

/* The new record, when it is written. */
static GString *lines;

/* ---- one rule ---- */

static char
worst_letter (char a,
              char b)
{
  static const char order[] = "-PZT?";

  return strchr (order, a) > strchr (order, b) ? a : b;
}

static char
letter_of (const LsRuleForm *form,
           const LsPattern  *alternative,
           LsTheory          theory,
           const char       *name)
{
  ProofResult result = proof_ask (form, alternative, theory, theory == LS_THEORY_INTEGERS ? LIMIT_INTEGERS : LIMIT_BITS);
  FiniteResult points;

  switch (result.answer)
    {
    case PROOF_PROVED:
      return 'P';
    case PROOF_PROVED_NUMBER:
      return 'Z';
    case PROOF_REFUTED:
      g_test_message ("%s is wrong for %s: %s", name, theory_names[theory], result.example);
      g_test_fail ();
      g_free (result.example);
      return '?';
    case PROOF_OPEN:
      break;
    }
  points = finite_try (form, alternative, theory, FINITE_POINTS);
  if (points.wrong != NULL || points.points == 0)
    {
      g_test_message ("%s for %s: Z3 does not know, %s", name, theory_names[theory], points.wrong != NULL ? points.wrong : "and no point was tried");
      g_test_fail ();
      g_free (points.wrong);
      return '?';
    }
  return 'T';
}

/* A letter for each theory. */
static void
prove_rule (const LsRuleTable *table,
            guint              i,
            char               letters[LS_N_THEORIES + 1])
{
  g_autofree char *name = ls_rule_name (table, i);
  LsRuleForm form;

  ls_rule_read (&table->rules[i], &form);
  memset (letters, '-', LS_N_THEORIES);
  letters[LS_N_THEORIES] = '\0';
  for (guint k = 0; k < form.alternatives->len; k++)
    {
      const LsPattern *alternative = form.alternatives->pdata[k];
      char of_integers = '?';

      for (LsTheory theory = 0; theory < LS_N_THEORIES; theory++)
        {
          char letter;

          if (!proof_claims (&form, table->types, theory))
            continue;
          if (of_integers == 'P' && proof_is_for_integers (&form, alternative, theory))
            letter = 'P';
          else
            letter = letter_of (&form, alternative, theory, name);
          of_integers = theory == LS_THEORY_INTEGERS ? letter : of_integers;
          letters[theory] = worst_letter (letters[theory], letter);
        }
    }
  ls_rule_form_clear (&form);
  if (strspn (letters, "-") == LS_N_THEORIES)
    {
      g_test_message ("%s claims nothing for any type", name);
      g_test_fail ();
    }
}

static void
write_text (const char *text)
{
  g_string_append_c (lines, '"');
  for (; text != NULL && *text != '\0'; text++)
    {
      if (*text == '"' || *text == '\\')
        g_string_append_c (lines, '\\');
      g_string_append_c (lines, *text);
    }
  g_string_append (lines, "\", ");
}

static void
write_rule (const LsRuleTable *table,
            guint              i,
            const char        *letters,
            guint              milliseconds)
{
  g_string_append (lines, "RULE_PROOF (");
  write_text (table->name);
  write_text (table->rules[i].pattern);
  write_text (table->rules[i].condition);
  write_text (table->rules[i].result);
  g_string_append_printf (lines, "\"%s\", %u)\n", letters, milliseconds);
}

/* Is that what the letters of a quick look must be? */
static gboolean
claims_match (const LsRuleTable *table,
              guint              i,
              const LsRuleProof *proof)
{
  gboolean same = TRUE;
  LsRuleForm form;

  ls_rule_read (&table->rules[i], &form);
  for (LsTheory theory = 0; theory < LS_N_THEORIES; theory++)
    same = same && proof_claims (&form, table->types, theory) == (ls_rule_proof_in (proof, theory) != LS_VERDICT_NONE);
  ls_rule_form_clear (&form);
  return same;
}

static void
check_rule (const LsRuleTable *table,
            guint              i)
{
  const LsRuleProof *proof = ls_rule_proof (table, i);
  g_autofree char *name = ls_rule_name (table, i);
  char letters[LS_N_THEORIES + 1];
  clock_t start = clock ();

  if (lines == NULL && (proof == NULL || !claims_match (table, i, proof)))
    {
      g_test_message ("%s (%s) is not in the record as it is now: LS_UPDATE_GOLDEN=1 tests/proof/prove -m thorough", name, table->rules[i].pattern);
      g_test_fail ();
    }
  if (lines == NULL && !g_test_thorough () && proof != NULL && proof->milliseconds > QUICK_MILLISECONDS)
    return;
  prove_rule (table, i, letters);
  if (lines != NULL)
    write_rule (table, i, letters, (guint) ((clock () - start) / (CLOCKS_PER_SEC / 1000)));
  else if (proof != NULL && strcmp (proof->verdicts, letters) != 0)
    {
      g_test_message ("%s: the record says %s, Z3 %s", name, proof->verdicts, letters);
      g_test_fail ();
    }
}

static void
test_table (gconstpointer data)
{
  const LsRuleTable *table = data;

  for (guint i = 0; i < table->n; i++)
    check_rule (table, i);
}

/* ---- the record ---- */

/* Nothing in it that is no rule any more. */
static void
test_record (void)
{
  guint n_tables, n_proofs, n_rules = 0, count[LS_VERDICT_PROVED + 1] = { 0 };
  LsRuleTable *const *tables = ls_rule_tables (&n_tables);
  const LsRuleProof *proofs = ls_rule_proofs (&n_proofs);
  g_autoptr (GHashTable) used = g_hash_table_new (NULL, NULL);

  for (guint t = 0; t < n_tables; t++)
    for (guint i = 0; i < tables[t]->n; i++, n_rules++)
      {
        const LsRuleProof *proof = ls_rule_proof (tables[t], i);

        count[ls_rule_proof_verdict (proof)]++;
        g_hash_table_add (used, (gpointer) proof);
      }
  for (guint i = 0; i < n_proofs; i++)
    if (!g_hash_table_contains (used, &proofs[i]))
      {
        g_test_message ("no rule any more: %s, %s", proofs[i].table, proofs[i].pattern);
        g_test_fail ();
      }
  g_test_message ("%u rules: %u proved, %u proved up to the sign of zero, %u tested, %u open", n_rules, count[LS_VERDICT_PROVED],
                  count[LS_VERDICT_PROVED_NUMBER], count[LS_VERDICT_TESTED], count[LS_VERDICT_OPEN]);
  g_assert_cmpuint (count[LS_VERDICT_OPEN], ==, 0);
}

/* A new rule is not in the record, nor is one whose condition was changed. */
static void
test_unknown_rule (void)
{
  static const LsRule rules[] = {
    RULE ("(x - y) + (y - z)", "z - x"),
    RULE_IF ("(x + c1) % 2 + x % 2", "1", "c1 % 2 == 0"),
    RULE ("(x - y) + y", "x"),
  };
  LS_RULE_TABLE (table, rules, "add/index", LS_RULE_INDEX);

  g_assert_null (ls_rule_proof (&table, 0));
  g_assert_null (ls_rule_proof (&table, 1));
  g_assert_nonnull (ls_rule_proof (&table, 2));
  g_assert_cmpint (ls_rule_proof_verdict (ls_rule_proof (&table, 0)), ==, LS_VERDICT_OPEN);
}

/* Every table that a file of the engine defines is in the list. */
static void
test_tables (void)
{
  g_autofree char *folder = ls_test_path ("../engine/arith");
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GHashTable) listed = g_hash_table_new (g_str_hash, g_str_equal);
  guint n, found = 0;
  LsRuleTable *const *tables = ls_rule_tables (&n);
  const char *file;

  for (guint i = 0; i < n; i++)
    g_assert_true (g_hash_table_add (listed, (gpointer) tables[i]->name));
  while ((file = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, file, NULL);
      g_autofree char *text = NULL;

      if (!g_str_has_suffix (file, ".c"))
        continue;
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      for (const char *at = text; (at = strstr (at, "\nLS_RULE_TABLE (")) != NULL; at++)
        {
          const char *name = strchr (at, '"') + 1;
          g_autofree char *word = g_strndup (name, strcspn (name, "\""));

          found++;
          if (!g_hash_table_contains (listed, word))
            g_error ("%s: the table %s is not in rule-list.c", file, word);
        }
    }
  g_assert_cmpuint (found, ==, n);
}

/* ---- the prover itself ---- */

static void
test_lemma (gconstpointer data)
{
  g_assert_true (proof_lemma_holds (GPOINTER_TO_UINT (data)));
}

static ProofResult
ask (const LsRule *rule,
     LsTheory      theory,
     LsRuleTypes   types)
{
  LsRuleForm form;
  ProofResult result;

  ls_rule_read (rule, &form);
  g_assert_true (proof_claims (&form, types, theory));
  result = proof_ask (&form, form.alternatives->pdata[0], theory, LIMIT_INTEGERS);
  ls_rule_form_clear (&form);
  return result;
}

static void
test_planted (gconstpointer data)
{
  const PlantedRule *planted = data;
  ProofResult wrong = ask (&planted->wrong, planted->theory, planted->types);
  ProofResult right = ask (&planted->right, planted->theory, planted->types);

  g_assert_cmpint (wrong.answer, ==, PROOF_REFUTED);
  g_assert_nonnull (strstr (wrong.example, " = "));
  g_test_message ("%s -> %s: %s", planted->wrong.pattern, planted->wrong.result, wrong.example);
  g_assert_cmpint (right.answer, ==, PROOF_PROVED);
  g_free (wrong.example);
}

/* The step that tries all small cases finds what is wrong in it; so does the few of the quick run. */
static void
test_planted_step (gconstpointer data)
{
  g_assert_true (proof_planted_step_found (GPOINTER_TO_UINT (data), QUICK_STRIDE));
}

/* The interpreter finds the same rules wrong and right: what the prover takes // for is what programs do. */
static void
test_meaning (void)
{
  guint n_tables, n_planted;
  LsRuleTable *const *tables = ls_rule_tables (&n_tables);
  const PlantedRule *planted = proof_planted (&n_planted);
  guint64 most = g_test_thorough () ? 3000 : 60, points = 0;

  for (guint t = 0; t < n_tables; t++)
    for (guint i = 0; i < tables[t]->n; i++)
      {
        g_autofree char *name = ls_rule_name (tables[t], i);
        LsRuleForm form;

        ls_rule_read (&tables[t]->rules[i], &form);
        for (LsTheory theory = 0; theory < LS_THEORY_FLOATS; theory++)
          if (proof_claims (&form, tables[t]->types, theory))
            for (guint k = 0; k < form.alternatives->len; k++)
              {
                FiniteResult result = finite_try (&form, form.alternatives->pdata[k], theory, most);

                if (result.wrong != NULL)
                  g_error ("%s: %s for %s", name, theory_names[theory], result.wrong);
                /* a condition that never holds would prove anything */
                if (g_test_thorough () && result.points == 0)
                  g_error ("%s: its condition holds nowhere", name);
                points += result.points;
              }
        ls_rule_form_clear (&form);
      }
  g_test_message ("%" G_GUINT64_FORMAT " points", points);
  for (guint i = 0; i < n_planted; i++)
    if (planted[i].theory != LS_THEORY_FLOATS)
      {
        FiniteResult result;
        LsRuleForm form;

        ls_rule_read (&planted[i].wrong, &form);
        result = finite_try (&form, form.alternatives->pdata[0], planted[i].theory, 20000);
        g_assert_nonnull (result.wrong);
        g_free (result.wrong);
        ls_rule_form_clear (&form);
      }
}

/* ---- steps ---- */

static void
test_step (gconstpointer data)
{
  const ProofStep *step = data;
  guint n, cases = step->run (g_test_thorough () ? 1 : QUICK_STRIDE);
  const LsStepProof *proofs = ls_step_proofs (&n);

  g_test_message ("%u cases", cases);
  g_assert_cmpuint (cases, >, 0);
  if (lines != NULL)
    {
      g_string_append (lines, "STEP_PROOF (");
      write_text (step->name);
      g_string_append (lines, "LS_TEXT (");
      write_text (step->claim);
      g_string_truncate (lines, lines->len - 2);
      g_string_append_printf (lines, "), %u)\n", cases);
      return;
    }
  for (guint i = 0; i < n; i++)
    if (strcmp (proofs[i].name, step->name) == 0 && strcmp (proofs[i].claim, step->claim) == 0 &&
        (!g_test_thorough () || proofs[i].cases == cases))
      return;
  g_error ("%s is not in the record with %u cases", step->name, cases);
}

/* Every function that makes a set or a new expression is one that a step names: what is new needs its test. */
static void
test_covered (void)
{
  static const char *const files[] = { "bound", "modular", "int-set-eval", "rewrite-arith", "rewrite-compare", "rewrite-div", "rewrite-logic", "rewrite-minmax" };
  g_autoptr (GRegex) function = g_regex_new ("^static (?:LsExpr \\*|LsConstIntBound|LsModularSet|Interval)\\n(\\w+) \\(", G_REGEX_MULTILINE, 0, NULL);
  g_autoptr (GString) covered = g_string_new (" ");
  guint n, found = 0;
  const ProofStep *steps = proof_steps (&n);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (covered, "%s ", steps[i].functions);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_strdup_printf ("../engine/arith/%s.c", files[i]);
      g_autofree char *text = ls_test_read (path, NULL);
      g_autoptr (GMatchInfo) match = NULL;

      for (g_regex_match (function, text, 0, &match); g_match_info_matches (match); g_match_info_next (match, NULL), found++)
        {
          g_autofree char *name = g_match_info_fetch (match, 1);
          g_autofree char *word = g_strdup_printf (" %s ", name);

          if (strstr (covered->str, word) == NULL)
            {
              g_test_message ("%s: no step of tests/proof/steps.c names %s", path, name);
              g_test_fail ();
            }
        }
    }
  g_assert_cmpuint (found, >, 50);
}

int
main (int    argc,
      char **argv)
{
  guint n;
  LsRuleTable *const *tables;
  const PlantedRule *planted;
  const ProofStep *steps;
  int status;

  g_test_init (&argc, &argv, NULL);
  if (g_getenv ("LS_UPDATE_GOLDEN") != NULL && g_test_thorough ())
    lines = g_string_new ("/* Written by tests/proof/prove: what Z3 says of each rewrite rule; not by hand. */\n");
  tables = ls_rule_tables (&n);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = g_strdup_printf ("/proof/rules/%s", tables[i]->name);

      g_test_add_data_func (path, tables[i], test_table);
    }
  steps = proof_steps (&n);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = g_strdup_printf ("/proof/steps/%s", steps[i].name);

      g_test_add_data_func (path, &steps[i], test_step);
    }
  for (guint i = 0; i < proof_n_lemmas (); i++)
    {
      g_autofree char *path = g_strdup_printf ("/proof/lemmas/%u", i + 1);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_lemma);
    }
  planted = proof_planted (&n);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = g_strdup_printf ("/proof/planted/%s", planted[i].kind);

      g_test_add_data_func (path, &planted[i], test_planted);
    }
  for (guint i = 0; i < proof_n_planted_steps (); i++)
    {
      g_autofree char *path = g_strdup_printf ("/proof/planted-steps/%s", proof_planted_step_kind (i));

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_planted_step);
    }
  g_test_add_func ("/proof/meaning", test_meaning);
  g_test_add_func ("/proof/tables", test_tables);
  g_test_add_func ("/proof/covered", test_covered);
  if (lines == NULL)
    {
      g_test_add_func ("/proof/record", test_record);
      g_test_add_func ("/proof/unknown-rule", test_unknown_rule);
    }
  status = g_test_run ();
  if (lines != NULL && status == 0)
    {
      g_autofree char *path = ls_test_path (RECORD);

      g_assert_true (g_file_set_contents (path, lines->str, (gssize) lines->len, NULL));
    }
  return status;
}
