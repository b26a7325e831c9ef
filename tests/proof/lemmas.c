/* lemmas: the facts on products and quotients that quotients.c says of the terms of a rule, each proved by Z3 by itself.
 *
 * (quotient a b q): q is a / b rounded down.  (product b d): what the sign of d says of b d; itself the first lemma.
 */
#include "tests/proof/lemmas.h"

#include <z3.h>

static const char prelude[] =
  "(declare-const a Int) (declare-const b Int) (declare-const c Int) (declare-const d Int) (declare-const i Int)"
  "(declare-const p Int) (declare-const q Int) (declare-const r Int) (declare-const s Int) (declare-const t Int)"
  "(define-fun quotient ((a Int) (b Int) (q Int)) Bool"
  " (ite (> b 0) (and (<= 0 (- a (* b q))) (< (- a (* b q)) b))"
  "  (and (< b 0) (< b (- a (* b q))) (<= (- a (* b q)) 0))))"
  "(define-fun product ((b Int) (d Int)) Bool"
  " (and (=> (and (> b 0) (>= d 1)) (>= (* b d) b)) (=> (and (> b 0) (<= d (- 1))) (<= (* b d) (- b)))"
  "  (=> (and (> b 0) (>= d 0)) (>= (* b d) 0)) (=> (and (> b 0) (<= d 0)) (<= (* b d) 0))"
  "  (=> (and (< b 0) (>= d 1)) (<= (* b d) b)) (=> (and (< b 0) (<= d (- 1))) (>= (* b d) (- b)))"
  "  (=> (and (< b 0) (>= d 0)) (<= (* b d) 0)) (=> (and (< b 0) (<= d 0)) (>= (* b d) 0))))"
  /* towards zero */
  "(define-fun truncated ((a Int) (b Int) (t Int)) Bool"
  " (and (not (= b 0)) (=> (>= a 0) (and (<= 0 (- a (* b t))) (or (< (- a (* b t)) b) (< (- a (* b t)) (- b)))))"
  "  (=> (< a 0) (and (<= (- a (* b t)) 0) (or (< (- (* b t) a) b) (< (- (* b t) a) (- b)))))))";

/* What is known; what follows. */
static const struct { const char *name, *known, *claim; } lemmas[] = {
  { "product", "true", "(product b d)" },
  { "multiple: (b p + r) // b = p + r // b", "(and (quotient (+ (* b p) r) b q) (quotient r b s) (product b (- q (+ p s))))", "(= q (+ p s))" },
  { "sign: a // -b = -a // b", "(and (quotient a (- b) q) (quotient (- a) b s) (product b (- q s)))", "(= q s)" },
  { "scale: (c a) // (c b) = a // b, c > 0",
    "(and (> c 0) (quotient (* c a) (* c b) q) (quotient a b s) (product (* c b) (- q s))"
    " (product c (- a (* b s))) (product c (- b (- a (* b s)))) (product b c))", "(= q s)" },
  { "scale: (c a) // (c b) = a // b, c < 0",
    "(and (< c 0) (quotient (* c a) (* c b) q) (quotient a b s) (product (* c b) (- q s))"
    " (product c (- a (* b s))) (product c (- b (- a (* b s)))) (product b c))", "(= q s)" },
  { "nest: (a // b + d) // c = (a + d b) // (b c), b > 0, c > 0",
    "(and (> b 0) (> c 0) (quotient a b i) (quotient (+ i d) c q) (quotient (+ a (* d b)) (* b c) s)"
    " (product b (- (+ i d) (* c q))) (product b (- c (+ 1 (- (+ i d) (* c q))))) (product (* b c) (- q s)) (product b c))", "(= q s)" },
  { "nest: (a // b + d) // c = (a + d b) // (b c), b < 0, c > 0",
    "(and (< b 0) (> c 0) (quotient a b i) (quotient (+ i d) c q) (quotient (+ a (* d b)) (* b c) s)"
    " (product b (- (+ i d) (* c q))) (product b (- c (+ 1 (- (+ i d) (* c q))))) (product (* b c) (- q s)) (product b c))", "(= q s)" },
  { "monotone, b > 0", "(and (> b 0) (quotient a b q) (quotient c b s) (<= a c) (product b (- q s)))", "(<= q s)" },
  { "monotone, b < 0", "(and (< b 0) (quotient a b q) (quotient c b s) (<= a c) (product b (- q s)))", "(<= s q)" },
  { "truncate: by signs",
    "(and (truncated a b t) (quotient a b q) (quotient (- a) b s) (product b (- t q)) (product b (+ t s)))",
    "(= t (ite (= (> b 0) (>= a 0)) q (- s)))" },
  { "truncate: by -b", "(and (truncated a b t) (truncated a (- b) q) (product b (+ t q)))", "(= t (- q))" },
  { "truncate: once for twice, x >= 0",
    "(and (> b 0) (> c 0) (>= a 0) (quotient a b i) (quotient i c q) (quotient a (* b c) s)"
    " (product b (- i (* c q))) (product b (- c (+ 1 (- i (* c q))))) (product (* b c) (- q s)) (product b c))", "(= q s)" },
};

guint
proof_n_lemmas (void)
{
  return G_N_ELEMENTS (lemmas);
}

const char *
proof_lemma_name (guint i)
{
  return lemmas[i].name;
}

static Z3_lbool
ask (const char *text)
{
  Z3_config config = Z3_mk_config ();
  Z3_context z3 = Z3_mk_context (config);
  Z3_ast_vector asserted = Z3_parse_smtlib2_string (z3, text, 0, NULL, NULL, 0, NULL, NULL);
  Z3_solver solver;
  Z3_params params;
  Z3_lbool answer;

  Z3_ast_vector_inc_ref (z3, asserted);
  solver = Z3_mk_simple_solver (z3);
  Z3_solver_inc_ref (z3, solver);
  params = Z3_mk_params (z3);
  Z3_params_inc_ref (z3, params);
  Z3_params_set_uint (z3, params, Z3_mk_string_symbol (z3, "rlimit"), 20000000);
  Z3_solver_set_params (z3, solver, params);
  for (guint k = 0; k < Z3_ast_vector_size (z3, asserted); k++)
    Z3_solver_assert (z3, solver, Z3_ast_vector_get (z3, asserted, k));
  answer = Z3_solver_check (z3, solver);
  Z3_params_dec_ref (z3, params);
  Z3_solver_dec_ref (z3, solver);
  Z3_ast_vector_dec_ref (z3, asserted);
  Z3_del_context (z3);
  Z3_del_config (config);
  return answer;
}

/* What is known must be possible, else anything would follow. */
gboolean
proof_lemma_holds (guint i)
{
  g_autofree char *known = g_strdup_printf ("%s (assert %s)", prelude, lemmas[i].known);
  g_autofree char *text = g_strdup_printf ("%s (assert (not %s))", known, lemmas[i].claim);

  return ask (known) == Z3_L_TRUE && ask (text) == Z3_L_FALSE;
}
