/* rules: the rules of arithmetic, and what was proved of each. */
#include "app/cli/input.h"
#include "engine/arith/proof.h"
#include "engine/base/json.h"

#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>

/* ---- as JSON ---------------------------------------------------------------------- */

static const char *const theory_names[LS_N_THEORIES] = { "integers", "signed", "unsigned", "floats" };

static void
add_rule (JsonBuilder       *builder,
          const LsRuleTable *table,
          guint              i)
{
  const LsRule *rule = &table->rules[i];
  const LsRuleProof *proof = ls_rule_proof (table, i);
  g_autofree char *name = ls_rule_name (table, i);
  g_autofree char *statement = ls_rule_statement (table, i);

  json_builder_begin_object (builder);
  ls_json_put_text (builder, "name", name);
  ls_json_put_text (builder, "pattern", rule->pattern);
  ls_json_put_text (builder, "condition", rule->condition);
  ls_json_put_text (builder, "result", rule->result);
  ls_json_put_text (builder, "verdict", ls_verdict_word (ls_rule_proof_verdict (proof)));
  for (LsTheory theory = 0; theory < LS_N_THEORIES; theory++)
    if (ls_rule_proof_in (proof, theory) != LS_VERDICT_NONE)
      ls_json_put_text (builder, theory_names[theory], ls_verdict_word (ls_rule_proof_in (proof, theory)));
  ls_json_put_text (builder, "statement", statement);
  json_builder_end_object (builder);
}

static void
add_step (JsonBuilder       *builder,
          const LsStepProof *step)
{
  json_builder_begin_object (builder);
  ls_json_put_text (builder, "name", step->name);
  ls_json_put_text (builder, "verdict", ls_verdict_word (LS_VERDICT_TESTED));
  ls_json_put_text (builder, "statement", ls_translate (step->claim));
  ls_json_put_int (builder, "cases", step->cases);
  json_builder_end_object (builder);
}

static void
put_json (const LsRuleTable *only,
          guint              number)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  guint n, n_steps;
  LsRuleTable *const *tables = ls_rule_tables (&n);
  const LsStepProof *steps = ls_step_proofs (&n_steps);

  json_builder_begin_object (builder);
  ls_json_begin_array (builder, "rules");
  for (guint t = 0; t < n; t++)
    for (guint i = 0; i < tables[t]->n; i++)
      if (only == NULL || (only == tables[t] && (number == 0 || number == i + 1)))
        add_rule (builder, tables[t], i);
  json_builder_end_array (builder);
  ls_json_begin_array (builder, "steps");
  for (guint i = 0; only == NULL && i < n_steps; i++)
    add_step (builder, &steps[i]);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  ls_cli_put_json (builder);
}

/* ---- in words --------------------------------------------------------------------- */

static void
print_table (const LsRuleTable *table)
{
  for (guint i = 0; i < table->n; i++)
    {
      const LsRule *rule = &table->rules[i];
      g_autofree char *name = ls_rule_name (table, i);

      printf ("%-18s %-10s %s -> %s%s%s\n", name, ls_verdict_word (ls_rule_proof_verdict (ls_rule_proof (table, i))), rule->pattern, rule->result,
              rule->condition != NULL ? "   where " : "", rule->condition != NULL ? rule->condition : "");
    }
}

static void
print_summary (void)
{
  guint n, n_steps, all = 0, proved = 0;
  LsRuleTable *const *tables = ls_rule_tables (&n);
  const LsStepProof *steps = ls_step_proofs (&n_steps);

  printf ("%-18s %7s %7s\n", "table", "rules", "proved");
  for (guint t = 0; t < n; t++)
    {
      guint of_table = 0;

      for (guint i = 0; i < tables[t]->n; i++)
        of_table += ls_rule_proof_verdict (ls_rule_proof (tables[t], i)) >= LS_VERDICT_PROVED_NUMBER;
      printf ("%-18s %7u %7u\n", tables[t]->name, tables[t]->n, of_table);
      all += tables[t]->n;
      proved += of_table;
    }
  printf ("%-18s %7u %7u\n\nTested on every case of a small domain\n", "all", all, proved);
  for (guint i = 0; i < n_steps; i++)
    printf ("  %-42s %6u cases\n", steps[i].name, steps[i].cases);
}

/* ---- counted ------------------------------------------------------------------------ */

typedef struct {
  guint rules, proved, up_to_zero, tested, left;
  guint claims[LS_N_THEORIES];  /* rules that stand for such numbers, and hold there by proof */
  guint steps, cases, milliseconds;
} Counts;

static Counts
count (GPtrArray *left)
{
  Counts counts = { 0 };
  guint n, n_proofs;
  LsRuleTable *const *tables = ls_rule_tables (&n);
  const LsRuleProof *proofs = ls_rule_proofs (&n_proofs);
  const LsStepProof *steps = ls_step_proofs (&counts.steps);

  for (guint t = 0; t < n; t++)
    for (guint i = 0; i < tables[t]->n; i++)
      {
        const LsRuleProof *proof = ls_rule_proof (tables[t], i);
        LsVerdict verdict = ls_rule_proof_verdict (proof);

        counts.rules++;
        counts.proved += verdict == LS_VERDICT_PROVED;
        counts.up_to_zero += verdict == LS_VERDICT_PROVED_NUMBER;
        counts.tested += verdict == LS_VERDICT_TESTED;
        if (verdict <= LS_VERDICT_OPEN)
          {
            counts.left++;
            g_ptr_array_add (left, ls_rule_name (tables[t], i));
          }
        for (LsTheory theory = 0; proof != NULL && theory < LS_N_THEORIES; theory++)
          counts.claims[theory] += ls_rule_proof_in (proof, theory) >= LS_VERDICT_PROVED_NUMBER;
      }
  for (guint i = 0; i < n_proofs; i++)
    counts.milliseconds += proofs[i].milliseconds;
  for (guint i = 0; i < counts.steps; i++)
    counts.cases += steps[i].cases;
  return counts;
}

static void
put_counts_json (const Counts *counts,
                 GPtrArray    *left)
{
  const struct { const char *name; guint n; } numbers[] = {
    { "rules", counts->rules }, { "proved", counts->proved }, { "proved-up-to-the-sign-of-zero", counts->up_to_zero }, { "tested", counts->tested },
    { "left", counts->left }, { "steps", counts->steps }, { "cases", counts->cases }, { "milliseconds", counts->milliseconds },
  };
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      json_builder_set_member_name (builder, numbers[i].name);
      json_builder_add_int_value (builder, numbers[i].n);
    }
  ls_json_begin_object (builder, "proofs");
  for (LsTheory theory = 0; theory < LS_N_THEORIES; theory++)
    {
      json_builder_set_member_name (builder, theory_names[theory]);
      json_builder_add_int_value (builder, counts->claims[theory]);
    }
  json_builder_end_object (builder);
  ls_json_begin_array (builder, "names-left");
  for (guint i = 0; i < left->len; i++)
    json_builder_add_string_value (builder, left->pdata[i]);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  ls_cli_put_json (builder);
}

/* Fails where a rule has neither a proof nor a test. */
static int
put_counts (gboolean json)
{
  g_autoptr (GPtrArray) left = g_ptr_array_new_with_free_func (g_free);
  Counts counts = count (left);

  if (json)
    put_counts_json (&counts, left);
  else
    {
      printf ("%u rules: %u proved, %u proved up to the sign of zero, %u tested, %u left\n", counts.rules, counts.proved, counts.up_to_zero, counts.tested, counts.left);
      printf ("proofs: %u over integers, %u in 8 bits with a sign, %u without one, %u over floats; Z3 took %.1f s\n", counts.claims[LS_THEORY_INTEGERS],
              counts.claims[LS_THEORY_SIGNED], counts.claims[LS_THEORY_UNSIGNED], counts.claims[LS_THEORY_FLOATS], counts.milliseconds / 1000.0);
      printf ("steps in C: %u tested on %u cases of small domains, none proved\n", counts.steps, counts.cases);
    }
  if (left->len == 0)
    return LS_CLI_DONE;
  g_ptr_array_add (left, NULL);
  {
    g_autofree char *names = g_strjoinv (", ", (char **) left->pdata);

    return ls_cli_fail ("rules", "%u without a proof or a test: %s", counts.left, names);
  }
}

static const LsRuleTable *
find_table (const char *name)
{
  guint n;
  LsRuleTable *const *tables = ls_rule_tables (&n);

  for (guint t = 0; t < n; t++)
    if (strcmp (tables[t]->name, name) == 0)
      return tables[t];
  return NULL;
}

int
ls_cli_rules (int    argc,
              char **argv)
{
  LsCliArgs args;
  gboolean json = FALSE, counts = FALSE;
  const char *words[2] = { NULL, NULL };
  const LsRuleTable *table = NULL;
  gint64 number = 0;

  ls_cli_args_init (&args, argc, argv);
  while (ls_cli_args_more (&args))
    {
      guint at = words[0] == NULL ? 0 : 1;

      if (ls_cli_args_flag (&args, "--json"))
        json = TRUE;
      else if (ls_cli_args_flag (&args, "--counts"))
        counts = TRUE;
      else if (words[1] != NULL || (words[at] = ls_cli_args_word (&args)) == NULL)
        return ls_cli_args_refuse (&args);
    }
  if (counts && words[0] != NULL)
    return ls_cli_fail ("rules", "--counts counts the rules of all tables, not of %s alone", words[0]);
  if (counts)
    return put_counts (json);
  if (words[0] != NULL && (table = find_table (words[0])) == NULL)
    return ls_cli_fail ("rules", "there is no table of rules called %s; loopscope-cli rules lists them", words[0]);
  if (words[1] != NULL && (!g_ascii_string_to_signed (words[1], 10, 1, table->n, &number, NULL)))
    return ls_cli_fail ("rules", "the rules of %s have the numbers 1 to %u, not %s", table->name, table->n, words[1]);
  if (json)
    put_json (table, (guint) number);
  else if (number > 0)
    {
      g_autofree char *statement = ls_rule_statement (table, (guint) number - 1);

      printf ("%s\n", statement);
    }
  else if (table != NULL)
    print_table (table);
  else
    print_summary ();
  return LS_CLI_DONE;
}
