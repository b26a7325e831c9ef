/* poly: polynomials over numbered variables with whole coefficients, in a normal form.
 *
 * By value; what gets larger than this is an error of the test's (rules are small).
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  gint64 factor;
  guint  n;
  guint8 vars[10];              /* sorted; a square has its variable twice */
} Term;

typedef struct {
  guint n;
  Term  terms[40];              /* sorted by variables, no two alike, no factor 0 */
} Poly;

Poly     poly_number   (gint64      value);
Poly     poly_var      (guint       var);
Poly     poly_add      (const Poly *a,
                        const Poly *b);
Poly     poly_sub      (const Poly *a,
                        const Poly *b);
Poly     poly_mul      (const Poly *a,
                        const Poly *b);
Poly     poly_negate   (const Poly *a);
gboolean poly_equal    (const Poly *a,
                        const Poly *b);
/* a = b * quotient + rest, with as much as can be in the quotient; b is one term. */
void     poly_divide   (const Poly *a,
                        const Term *b,
                        Poly       *quotient,
                        Poly       *rest);
/* What divides every term of a and b: a term with a positive factor. */
Term     poly_common   (const Poly *a,
                        const Term *b);
gboolean poly_is_zero  (const Poly *a);

G_END_DECLS
