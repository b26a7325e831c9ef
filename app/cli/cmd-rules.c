/* rules: the rules of arithmetic, and what was proved of each. */
#include "app/cli/input.h"
#include "engine/arith/proof.h"

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
  ls_cli_add_text (builder, "name", name);
  ls_cli_add_text (builder, "pattern", rule->pattern);
  ls_cli_add_text (builder, "condition", rule->condition);
  ls_cli_add_text (builder, "result", rule->result);
  ls_cli_add_text (builder, "verdict", ls_verdict_word (ls_rule_proof_verdict (proof)));
  for (LsTheory theory = 0; theory < LS_N_THEORIES; theory++)
    if (ls_rule_proof_in (proof, theory) != LS_VERDICT_NONE)
      ls_cli_add_text (builder, theory_names[theory], ls_verdict_word (ls_rule_proof_in (proof, theory)));
  ls_cli_add_text (builder, "statement", statement);
  json_builder_end_object (builder);
}

static void
add_step (JsonBuilder       *builder,
          const LsStepProof *step)
{
  json_builder_begin_object (builder);
  ls_cli_add_text (builder, "name", step->name);
  ls_cli_add_text (builder, "verdict", ls_verdict_word (LS_VERDICT_TESTED));
  ls_cli_add_text (builder, "statement", ls_translate (step->claim));
  json_builder_set_member_name (builder, "cases");
  json_builder_add_int_value (builder, step->cases);
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
  json_builder_set_member_name (builder, "rules");
  json_builder_begin_array (builder);
  for (guint t = 0; t < n; t++)
    for (guint i = 0; i < tables[t]->n; i++)
      if (only == NULL || (only == tables[t] && (number == 0 || number == i + 1)))
        add_rule (builder, tables[t], i);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "steps");
  json_builder_begin_array (builder);
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
  gboolean json = FALSE;
  const char *words[2] = { NULL, NULL };
  const LsRuleTable *table = NULL;
  gint64 number = 0;

  ls_cli_args_init (&args, argc, argv);
  while (ls_cli_args_more (&args))
    {
      guint at = words[0] == NULL ? 0 : 1;

      if (ls_cli_args_flag (&args, "--json"))
        json = TRUE;
      else if (words[1] != NULL || (words[at] = ls_cli_args_word (&args)) == NULL)
        return ls_cli_args_refuse (&args);
    }
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
