/* rule-list: all tables of rules, for who proves or shows them. */
#include "engine/arith/arith-private.h"

static LsRuleTable *const tables[] = {
  &ls_rules_add_vector, &ls_rules_add_index, &ls_rules_add_select, &ls_rules_sub_vector, &ls_rules_sub_index,
  &ls_rules_sub_other, &ls_rules_sub_select, &ls_rules_mul_vector, &ls_rules_mul_index, &ls_rules_div_vector,
  &ls_rules_div_index, &ls_rules_mod_vector, &ls_rules_mod_index, &ls_rules_floor_div_vector,
  &ls_rules_floor_div_chain, &ls_rules_floor_div_index, &ls_rules_floor_mod_vector, &ls_rules_floor_mod_index,
  &ls_rules_eq_vector, &ls_rules_eq_index, &ls_rules_eq_other, &ls_rules_lt_vector, &ls_rules_lt_index,
  &ls_rules_not_vector, &ls_rules_not, &ls_rules_and_vector, &ls_rules_and, &ls_rules_or_vector, &ls_rules_or,
  &ls_rules_min_vector, &ls_rules_max_vector, &ls_rules_min_index, &ls_rules_max_index, &ls_rules_select,
};

LsRuleTable *const *
ls_rule_tables (guint *n)
{
  *n = G_N_ELEMENTS (tables);
  return tables;
}

char *
ls_rule_name (const LsRuleTable *table,
              guint              i)
{
  return g_strdup_printf ("%s %u", table->name, i + 1);
}
