/* text: see private.h.  isl reads sums, products with a number, floor (e/c), e mod c, min and max.  What chooses between two numbers (Select, a
 * quotient that is cut towards 0) is written as two cases. */
#include "engine/poly/private.h"

#include <inttypes.h>

static void
put_var (GString     *out,
         LsPolyNames *names,
         LsVar       *var)
{
  const char *name = g_hash_table_lookup (names->dims, var);
  guint at;

  if (name != NULL)
    {
      g_string_append (out, name);
      return;
    }
  if (!g_ptr_array_find (names->params, var, &at))
    {
      at = names->params->len;
      g_ptr_array_add (names->params, var);
    }
  g_string_append_printf (out, "p%u", at);
}

static gboolean put (GString *out, LsPolyNames *names, LsExpr *expr);

static gboolean
put_pair (GString     *out,
          LsPolyNames *names,
          LsExpr      *expr,
          const char  *open,
          const char  *between,
          const char  *close)
{
  LsBinary *pair = (LsBinary *) expr;

  g_string_append (out, open);
  if (!put (out, names, pair->a))
    return FALSE;
  g_string_append (out, between);
  if (!put (out, names, pair->b))
    return FALSE;
  g_string_append (out, close);
  return TRUE;
}

/* isl wants the number first, and bare. */
static gboolean
put_multiple (GString     *out,
              LsPolyNames *names,
              LsBinary    *product,
              gint64       number)
{
  gint64 unused;

  g_string_append_printf (out, "(%" PRId64 "*(", number);
  if (!put (out, names, ls_as_int (product->a, &unused) ? product->b : product->a))
    return FALSE;
  g_string_append (out, "))");
  return TRUE;
}

static gboolean
put_quotient (GString     *out,
              LsPolyNames *names,
              LsExpr      *expr,
              gboolean     is_remainder)
{
  LsBinary *pair = (LsBinary *) expr;
  gint64 divisor;

  if (!ls_as_int (pair->b, &divisor) || divisor <= 0)
    return FALSE;
  g_string_append (out, is_remainder ? "((" : "(floor((");
  if (!put (out, names, pair->a))
    return FALSE;
  g_string_append_printf (out, is_remainder ? ") mod %" PRId64 ")" : ")/%" PRId64 "))", divisor);
  return TRUE;
}

/* Shifts and low bits of a number are multiples, quotients and remainders. */
static gboolean
put_bits (GString     *out,
          LsPolyNames *names,
          LsCall      *call)
{
  LsExpr *a = call->args->n > 0 ? ls_array_at (call->args, 0, LsExpr) : NULL, *b = call->args->n > 1 ? ls_array_at (call->args, 1, LsExpr) : NULL;
  gint64 number = 0;

  if (ls_is_call (call, "tir.bitwise_not"))
    {
      g_string_append (out, "(-1 - (");
      if (!put (out, names, a))
        return FALSE;
      g_string_append (out, "))");
      return TRUE;
    }
  if (b == NULL || !ls_as_int (b, &number) || number < 0)
    return FALSE;
  if (ls_is_call (call, "tir.bitwise_and") && (number & (number + 1)) == 0 && number < G_MAXINT32)
    g_string_append (out, "((");
  else if (ls_is_call (call, "tir.shift_right") && number < 31)
    g_string_append (out, "(floor((");
  else if (ls_is_call (call, "tir.shift_left") && number < 31)
    g_string_append_printf (out, "(%" PRId64 "*(", (gint64) 1 << number);
  else
    return FALSE;
  if (!put (out, names, a))
    return FALSE;
  if (ls_is_call (call, "tir.bitwise_and"))
    g_string_append_printf (out, ") mod %" PRId64 ")", number + 1);
  else if (ls_is_call (call, "tir.shift_right"))
    g_string_append_printf (out, ")/%" PRId64 "))", (gint64) 1 << number);
  else
    g_string_append (out, "))");
  return TRUE;
}

static gboolean
put (GString     *out,
     LsPolyNames *names,
     LsExpr      *expr)
{
  gint64 number;

  if (ls_as_int (expr, &number))
    {
      g_string_append_printf (out, "(%" PRId64 ")", number);
      return TRUE;
    }
  if (ls_is_var (expr) && ls_dtype_is_index (ls_dtype (expr)))
    {
      put_var (out, names, (LsVar *) expr);
      return TRUE;
    }
  /* what is made narrower may be another number */
  if (ls_is (expr, CAST) && ls_dtype_is_index (ls_dtype (expr)) && ls_dtype_is_index (ls_dtype (((LsCast *) expr)->value)) &&
      ls_dtype (expr).bits >= ls_dtype (((LsCast *) expr)->value).bits)
    return put (out, names, ((LsCast *) expr)->value);
  if (ls_is (expr, ADD))
    return put_pair (out, names, expr, "(", " + ", ")");
  if (ls_is (expr, SUB))
    return put_pair (out, names, expr, "(", " - (", "))");
  if (ls_is (expr, MIN))
    return put_pair (out, names, expr, "min(", ", ", ")");
  if (ls_is (expr, MAX))
    return put_pair (out, names, expr, "max(", ", ", ")");
  if (ls_is (expr, MUL) && (ls_as_int (((LsBinary *) expr)->a, &number) || ls_as_int (((LsBinary *) expr)->b, &number)))
    return put_multiple (out, names, (LsBinary *) expr, number);
  if (ls_is (expr, FLOOR_DIV) || ls_is (expr, FLOOR_MOD))
    return put_quotient (out, names, expr, ls_is (expr, FLOOR_MOD));
  return ls_is (expr, CALL) && ls_dtype_is_index (ls_dtype (expr)) && put_bits (out, names, (LsCall *) expr);
}

gboolean
ls_poly_put_expr (GString     *out,
                  LsPolyNames *names,
                  LsExpr      *expr)
{
  gsize length = out->len;

  if (put (out, names, expr))
    return TRUE;
  g_string_truncate (out, length);
  return FALSE;
}

/* ---- choices ------------------------------------------------------------------------ */

#define MOST_CHOICES 4          /* of one expression: each doubles the text */

static gboolean
is_choice (LsNode *node)
{
  gint64 divisor;

  if (!ls_is_expr (node) || !ls_dtype_is_index (ls_dtype (node)))
    return FALSE;
  if (ls_is (node, DIV) || ls_is (node, MOD))
    return ls_as_int (((LsBinary *) node)->b, &divisor) && divisor > 0;
  if (ls_is (node, CAST))
    return ls_dtype_is_bool (ls_dtype (((LsCast *) node)->value));
  return ls_is (node, SELECT) || ls_is_call (node, "tir.if_then_else");
}

static LsWalk
look_for_choice (LsNode   *node,
                 gpointer  found)
{
  if (ls_is (node, BUFFER_LOAD))
    return LS_WALK_PRUNE;
  if (!is_choice (node))
    return LS_WALK_CONTINUE;
  *(LsNode **) found = node;
  return LS_WALK_STOP;
}

/* The first of two values where the condition holds, else the second. (transfer full) */
static void
take_apart (LsNode  *choice,
            LsExpr **condition,
            LsExpr **first,
            LsExpr **second)
{
  LsDType t = ls_dtype (choice);
  LsBinary *pair = (LsBinary *) choice;
  LsKind kind = ls_is (choice, DIV) ? LS_KIND_FLOOR_DIV : LS_KIND_FLOOR_MOD;

  if (ls_is (choice, SELECT))
    {
      *condition = ls_ref (((LsSelect *) choice)->condition);
      *first = ls_ref (((LsSelect *) choice)->true_value);
      *second = ls_ref (((LsSelect *) choice)->false_value);
    }
  else if (ls_is (choice, CALL))
    {
      *condition = ls_ref ((LsExpr *) ((LsCall *) choice)->args->items[0]);
      *first = ls_ref ((LsExpr *) ((LsCall *) choice)->args->items[1]);
      *second = ls_ref ((LsExpr *) ((LsCall *) choice)->args->items[2]);
    }
  else if (ls_is (choice, CAST))
    {
      *condition = ls_ref (((LsCast *) choice)->value);
      *first = ls_const_int (t, 1);
      *second = ls_const_int (t, 0);
    }
  else
    {
      *condition = ls_binary_new (LS_KIND_GE, ls_ref (pair->a), ls_const_int (t, 0));
      *first = ls_binary_new (kind, ls_ref (pair->a), ls_ref (pair->b));
      *second = ls_binary_new (LS_KIND_SUB, ls_const_int (t, 0),
                               ls_binary_new (kind, ls_binary_new (LS_KIND_SUB, ls_const_int (t, 0), ls_ref (pair->a)), ls_ref (pair->b)));
    }
}

typedef struct {
  LsNode *choice, *value;
} Chosen;

static LsNode *
put_chosen (LsRewriter *rewriter,
            LsNode     *node,
            gpointer    user_data)
{
  Chosen *self = user_data;

  return node == self->choice ? ls_node_ref (self->value) : ls_rewrite_default (rewriter, node);
}

static gboolean put_truth (GString *out, LsPolyNames *names, LsExpr *expr, guint n_choices);
static gboolean put_compare (GString *out, LsPolyNames *names, LsExpr *expr);

/* `head` and the expression; a comparison has no head.  *exact: FALSE when a condition is left out, so that both cases are there (NULL: none may be). */
static gboolean
put_cases (GString     *out,
           LsPolyNames *names,
           const char  *head,
           LsExpr      *expr,
           guint        n_choices,
           gboolean    *exact)
{
  LsNode *choice = NULL;
  g_autoptr (LsExpr) condition = NULL, first = NULL, second = NULL;
  g_autoptr (GString) when = NULL;
  gboolean known;

  ls_walk (expr, look_for_choice, NULL, &choice);
  if (choice == NULL)
    {
      g_string_append (out, head != NULL ? head : "");
      if (head != NULL)
        return put (out, names, expr);
      return ls_kind_is_compare (ls_kind (expr)) ? put_compare (out, names, expr) : put_truth (out, names, expr, n_choices);     /* it was folded */
    }
  if (n_choices == MOST_CHOICES)
    return FALSE;
  take_apart (choice, &condition, &first, &second);
  when = g_string_new (NULL);
  known = put_truth (when, names, condition, n_choices + 1);
  if (!known && exact == NULL)
    return FALSE;
  if (!known)
    *exact = FALSE;
  for (guint side = 0; side < 2; side++)
    {
      Chosen chosen = { choice, LS_NODE (side == 0 ? first : second) };
      g_autoptr (LsNode) one = ls_rewrite_with (expr, put_chosen, &chosen);

      g_string_append (out, side == 0 ? "((" : " or (");
      if (known)
        g_string_append_printf (out, side == 0 ? "(%s) and " : "(not (%s)) and ", when->str);
      if (!put_cases (out, names, head, (LsExpr *) one, n_choices + 1, exact))
        return FALSE;
      g_string_append_c (out, ')');
    }
  g_string_append_c (out, ')');
  return TRUE;
}

gboolean
ls_poly_put_bound (GString     *out,
                   LsPolyNames *names,
                   const char  *head,
                   LsExpr      *expr,
                   gboolean    *exact)
{
  gsize length = out->len;

  if (put_cases (out, names, head, expr, 0, exact))
    return TRUE;
  g_string_truncate (out, length);
  *exact = FALSE;
  return FALSE;
}

/* ---- conditions ------------------------------------------------------------------------ */

static gboolean
put_compare (GString     *out,
             LsPolyNames *names,
             LsExpr      *expr)
{
  static const char *const signs[] = { " = ", " != ", " < ", " <= ", " > ", " >= " };      /* ORDER LsKind, from EQ */

  return ls_dtype_is_index (ls_dtype (((LsBinary *) expr)->a)) && put_pair (out, names, expr, "(", signs[ls_kind (expr) - LS_KIND_EQ], ")");
}

static gboolean
put_truth (GString     *out,
           LsPolyNames *names,
           LsExpr      *expr,
           guint        n_choices)
{
  LsBinary *pair = (LsBinary *) expr;
  gint64 number;

  if (ls_as_int (expr, &number))
    {
      g_string_append (out, number != 0 ? "0 = 0" : "0 = 1");
      return TRUE;
    }
  if (ls_is_call (expr, "tir.likely"))
    return put_truth (out, names, ((LsExpr **) ((LsCall *) expr)->args->items)[0], n_choices);
  if (ls_kind_is_compare (ls_kind (expr)))
    return put_cases (out, names, NULL, expr, n_choices, NULL);
  if (ls_is (expr, NOT))
    {
      g_string_append (out, "(not ");
      if (!put_truth (out, names, ((LsNot *) expr)->a, n_choices))
        return FALSE;
      g_string_append_c (out, ')');
      return TRUE;
    }
  if (!ls_is (expr, AND) && !ls_is (expr, OR))
    return FALSE;
  g_string_append_c (out, '(');
  if (!put_truth (out, names, pair->a, n_choices))
    return FALSE;
  g_string_append (out, ls_is (expr, AND) ? " and " : " or ");
  if (!put_truth (out, names, pair->b, n_choices))
    return FALSE;
  g_string_append_c (out, ')');
  return TRUE;
}

gboolean
ls_poly_put_condition (GString     *out,
                       LsPolyNames *names,
                       LsExpr      *condition)
{
  gsize length = out->len;

  if (put_truth (out, names, condition, 0))
    return TRUE;
  g_string_truncate (out, length);
  return FALSE;
}
