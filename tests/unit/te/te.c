/* te: tensor expressions written by hand, as one function, against TVM's text. */
#include "tests/unit/te/support.h"

#include <math.h>

#define AT(...) ls_te_at (__VA_ARGS__, NULL)
#define AX(i) ls_te_axis (axes, (i))
#define F(value) ls_const_float (LS_FLOAT32, (value))
#define I(value) ls_int (value)

static LsTeTensor *
stage (const char *name,
       LsArray    *axes,
       LsExpr     *body)
{
  g_autoptr (GError) error = NULL;
  LsTeTensor *tensor = ls_te_compute (name, NULL, NULL, axes, body, &error);

  g_assert_no_error (error);
  return te_keep (tensor);
}

static LsArray *
over (const char *names,
      LsArray    *shape)
{
  return ls_te_axes (shape, names);
}

static LsArray *
reduce_axes (LsIterVar *a,
             LsIterVar *b,
             LsIterVar *c)
{
  return ls_array_of (ls_ref (a), b != NULL ? ls_ref (b) : NULL, c != NULL ? ls_ref (c) : NULL, NULL);
}

static LsIterVar *
axis (const char *name,
      gint64      extent)
{
  return te_keep (ls_te_reduce_axis (name, ls_int (0), ls_int (extent)));
}

#define K(k) ls_te_iter (k)

static TeResult
case_0 (void)
{
  LsTeTensor *p = te_in ("P", "float32", -1);
  LsArray *axes = over ("i", te_keep (ls_array_empty ()));

  return RESULT (p, stage ("Q", axes, ls_add (AT (p), F (2))));
}

static TeResult
case_3 (void)
{
  LsTeTensor *p = F32 ("P", 3, 5);
  LsArray *axes = over ("i j", p->shape);

  return RESULT (p, stage ("Q", axes, ls_add (AT (p, AX (0), AX (1)), F (2))));
}

static TeResult
case_4 (void)
{
  LsTeTensor *p = F32 (NULL, 4, 6);
  LsArray *axes = over ("i j", p->shape);

  return RESULT (p, stage (NULL, axes, ls_sub (AT (p, AX (0), AX (1)), F (1))));
}

static TeResult
case_5 (void)
{
  LsArray *axes = over ("i j", INTS (3, 3));

  return RESULT (stage ("eye", axes, ls_te_select (ls_eq (AX (0), AX (1)), F (1), F (0))));
}

static TeResult
case_7 (void)
{
  LsTeTensor *x = F32 ("X", 4, 1);
  LsTeTensor *b = F32 ("B", 4, 3);
  LsArray *axes = over (NULL, b->shape);

  return RESULT (x, b, stage ("bcast", axes, ls_add (AT (x, AX (0), I (0)), ls_te_load (b, ls_te_axis_vars (axes)))));
}

static TeResult
case_9 (void)
{
  LsTeTensor *x = F32 ("X", 4, 5, 7);
  LsIterVar *u = axis ("u", 5), *v = axis ("v", 7);
  LsArray *axes = over ("i", INTS (4));

  return RESULT (x, stage ("Y", axes, ls_te_sum (AT (x, AX (0), K (u), K (v)), reduce_axes (u, v, NULL))));
}

static TeResult
case_10 (void)
{
  LsTeTensor *x = I32 ("X", 4, 5, 7, 2);
  LsIterVar *r0 = axis ("r0", 4), *r1 = axis ("r1", 5), *r2 = axis ("r2", 2);
  LsArray *axes = over ("c", INTS (7));

  return RESULT (x, stage ("red3", axes, ls_te_sum (AT (x, K (r0), K (r1), AX (0), K (r2)), reduce_axes (r0, r1, r2))));
}

static TeResult
extreme (const char *dtype,
         gboolean    is_max)
{
  LsTeTensor *x = te_in ("X", dtype, 8, 3, -1);
  LsIterVar *k = axis (NULL, 8);
  LsArray *axes = over ("i", INTS (3));
  LsExpr *source = AT (x, K (k), AX (0));

  return RESULT (x, stage ("Y", axes, is_max ? ls_te_max (source, reduce_axes (k, NULL, NULL)) : ls_te_min (source, reduce_axes (k, NULL, NULL))));
}

static TeResult case_13 (void) { return extreme ("uint8", TRUE); }
static TeResult case_14 (void) { return extreme ("float64", TRUE); }
static TeResult case_15 (void) { return extreme ("float16", FALSE); }
static TeResult case_16 (void) { return extreme ("uint8", FALSE); }
static TeResult case_17 (void) { return extreme ("float64", FALSE); }

static TeResult
case_18 (void)
{
  LsTeTensor *x = te_in ("X", "bool", 9, 4, -1);
  LsIterVar *k = axis ("k", 4);
  LsArray *axes = over ("i", INTS (9));

  return RESULT (x, stage ("Y", axes, ls_te_any (AT (x, AX (0), K (k)), reduce_axes (k, NULL, NULL))));
}

#define V(v) LS_EXPR (ls_node_ref (LS_NODE (v)))

static TeResult
case_19 (void)
{
  LsTeTensor *x = I32 ("X", 5, 9);
  LsTeTensor *ids = te_in ("I", "int64", 5, 9, -1);
  LsIterVar *k = axis ("k", 9);
  LsArray *axes = over ("i", INTS (5));
  LsVar *p0 = te_keep (ls_var_new ("p0", LS_INT64)), *p1 = te_keep (ls_var_new ("p1", LS_INT32));
  LsVar *q0 = te_keep (ls_var_new ("q0", LS_INT64)), *q1 = te_keep (ls_var_new ("q1", LS_INT32));
  LsCommReducer *best = ls_comm_reducer_new (ls_array_of (V (p0), V (p1), NULL), ls_array_of (V (q0), V (q1), NULL),
                                             ls_array_of (ls_te_select (ls_le (V (p1), V (q1)), V (p0), V (q0)),
                                                          ls_te_select (ls_le (V (p1), V (q1)), V (p1), V (q1)), NULL),
                                             ls_array_of (ls_const_int (LS_INT64, -1), ls_te_max_value (LS_INT32), NULL));
  LsArray *sources = ls_array_of (AT (ids, AX (0), K (k)), AT (x, AX (0), K (k)), NULL);
  LsArray *outputs = te_keep (ls_te_compute_many ("best", NULL, NULL, axes, ls_te_reduce (best, sources, reduce_axes (k, NULL, NULL), NULL, NULL, NULL), NULL));

  return RESULT (x, ids, outputs);
}

static TeResult
case_20 (void)
{
  LsTeTensor *x = F32 ("X", 5, 9);
  LsIterVar *k = axis ("k", 9);
  LsArray *axes = over ("i", INTS (5));
  LsVar *p0 = te_keep (ls_var_new ("p0", LS_FLOAT32)), *p1 = te_keep (ls_var_new ("p1", LS_FLOAT32));
  LsVar *q0 = te_keep (ls_var_new ("q0", LS_FLOAT32)), *q1 = te_keep (ls_var_new ("q1", LS_FLOAT32));
  LsCommReducer *mom = ls_comm_reducer_new (ls_array_of (V (p0), V (p1), NULL), ls_array_of (V (q0), V (q1), NULL),
                                            ls_array_of (ls_add (V (p0), V (q0)), ls_add (V (p1), V (q1)), NULL), ls_array_of (F (0), F (0), NULL));
  LsArray *sources = ls_array_of (AT (x, AX (0), K (k)), ls_mul (AT (x, AX (0), K (k)), AT (x, AX (0), K (k))), NULL);
  LsArray *outputs = te_keep (ls_te_compute_many ("mom", NULL, NULL, axes, ls_te_reduce (mom, sources, reduce_axes (k, NULL, NULL), NULL, NULL, NULL), NULL));
  LsTeTensor *s = ls_array_at (outputs, 0, LsTeTensor), *q = ls_array_at (outputs, 1, LsTeTensor);

  axes = over ("i", INTS (5));
  return RESULT (x, stage ("var", axes, ls_sub (ls_te_div (AT (q, AX (0)), F (9)), ls_te_div (ls_mul (AT (s, AX (0)), AT (s, AX (0))), F (81)))));
}

static TeResult
case_21 (void)
{
  LsTeTensor *x = F32 ("X", 8, 6), *y;
  LsArray *axes = over ("i j", x->shape);

  y = stage ("Y", axes, ls_mul (AT (x, AX (0), AX (1)), F (3)));
  axes = over ("i j", x->shape);
  return RESULT (x, stage ("Z", axes, ls_add (AT (y, AX (0), AX (1)), AT (y, AX (0), ls_sub (I (5), AX (1))))));
}

static TeResult
case_22 (void)
{
  LsTeTensor *x = I32 ("X", 16), *y, *z;
  LsArray *axes = over ("i", INTS (14));

  y = stage ("Y", axes, ls_add (ls_add (AT (x, AX (0)), AT (x, ls_add (AX (0), I (1)))), AT (x, ls_add (AX (0), I (2)))));
  axes = over ("i", INTS (7));
  z = stage ("Z", axes, AT (y, ls_mul (AX (0), I (2))));
  axes = over ("i", INTS (7));
  return RESULT (x, y, stage ("W", axes, ls_floordiv (AT (z, AX (0)), I (3))));
}

static TeResult
case_23 (void)
{
  LsTeTensor *x = F32 ("A", 4, 4), *y;
  LsArray *axes = over ("i j", x->shape);

  y = stage ("A", axes, ls_add (AT (x, AX (0), AX (1)), F (1)));
  axes = over ("i j", x->shape);
  return RESULT (x, stage ("A", axes, ls_add (AT (y, AX (0), AX (1)), F (2))));
}

static TeResult
case_24 (void)
{
  LsTeTensor *x = I32 ("X", 4);
  LsArray *axes = over ("i", INTS (4));
  LsArray *bodies = ls_array_of (ls_add (AT (x, AX (0)), I (1)), ls_mul (AT (x, AX (0)), I (2)), ls_floordiv (AT (x, AX (0)), I (2)), NULL);
  LsArray *tri = te_keep (ls_te_compute_many ("tri", NULL, NULL, axes, bodies, NULL));

  axes = over ("i", INTS (4));
  return RESULT (x, stage ("F", axes, ls_add (ls_add (AT (ls_array_at (tri, 0, LsTeTensor), AX (0)), AT (ls_array_at (tri, 1, LsTeTensor), AX (0))),
                                              AT (ls_array_at (tri, 2, LsTeTensor), AX (0)))));
}

static TeResult
case_28 (void)
{
  LsTeTensor *a = te_in ("A", "int8", 4, 8, -1), *b = te_in ("B", "int8", 8, 6, -1), *c;
  LsIterVar *k = axis ("k", 8);
  LsArray *axes = over ("i j", INTS (4, 6));

  c = stage ("C", axes, ls_te_sum (ls_mul (ls_cast (LS_INT32, AT (a, AX (0), K (k))), ls_cast (LS_INT32, AT (b, K (k), AX (1)))), reduce_axes (k, NULL, NULL)));
  axes = over ("i j", INTS (4, 6));
  return RESULT (a, b, stage ("D", axes, ls_cast (te_type ("int8"), ls_max (ls_min (ls_te_binary ("right_shift", AT (c, AX (0), AX (1)), I (4)), I (127)), I (-128)))));
}

static TeResult
case_30 (void)
{
  LsTeTensor *x = F32 ("X", 8);
  LsArray *axes = over ("i", x->shape);

  return RESULT (x, stage ("Y", axes, ls_if_then_else (ls_and (ls_ge (AX (0), I (2)), ls_lt (AX (0), I (6))), AT (x, ls_sub (AX (0), I (2))), F (0))));
}

static TeResult
case_35 (void)
{
  LsTeTensor *x = F32 ("X", 8);
  LsArray *axes = over ("i", x->shape);

  return RESULT (x, stage ("Y", axes, ls_sub (ls_te_unary ("floor", AT (x, AX (0))), ls_te_unary ("ceil", AT (x, AX (0))))));
}

static TeResult
case_37 (void)
{
  LsTeTensor *x = F32 ("X", 8);
  LsArray *axes = over ("i", x->shape);

  return RESULT (x, stage ("Y", axes, ls_mul (AT (x, AX (0)), AX (0))));
}

static TeResult
case_38 (void)
{
  LsTeTensor *x = F32 ("X", 8);
  LsArray *axes = over ("i", x->shape);

  return RESULT (x, stage ("Y", axes, ls_te_binary ("fmod", AT (x, AX (0)), F (2))));
}

static TeResult
case_39 (void)
{
  LsTeTensor *x = F32 ("X", 8);
  LsArray *axes = over ("i", x->shape);

  return RESULT (x, stage ("Y", axes, ls_and (ls_gt (AT (x, AX (0)), F (1)), ls_le (AT (x, AX (0)), F (4)))));
}

static TeResult
case_40 (void)
{
  LsTeTensor *x = F32 ("X", 8);
  LsArray *axes = over ("i", x->shape);

  return RESULT (x, stage ("Y", axes, ls_sub (F (INFINITY), AT (x, AX (0)))));
}

static TeResult
case_42 (void)
{
  LsTeTensor *x = F32 ("X", 8);
  LsArray *axes = over ("i", x->shape);

  return RESULT (x, stage ("Y", axes, ls_cast (LS_INT32, ls_likely (ls_lt (AX (0), I (5))))));
}

static TeResult
case_45 (void)
{
  LsTeTensor *x = I32 ("X", 6);
  LsArray *axes = over ("i", x->shape);

  return RESULT (x, stage ("Y", axes, ls_te_binary ("right_shift", AT (x, AX (0)), AX (0))));
}

static TeResult
case_48 (void)
{
  LsTeTensor *x = I32 ("X", 6);
  LsArray *axes = over ("i", x->shape);

  return RESULT (x, stage ("Y", axes, ls_te_div (AT (x, AX (0)), F (2))));
}

static TeResult
case_49 (void)
{
  LsTeTensor *x = I32 ("X", 6);
  LsArray *axes = over ("i", x->shape);

  return RESULT (x, stage ("Y", axes, ls_add (ls_sub (I (0), AT (x, AX (0))), I (0))));
}

static TeResult
case_51 (void)
{
  LsVar *n = te_keep (ls_var_new ("n", LS_INT64)), *m = te_keep (ls_var_new ("m", LS_INT64));
  LsTeTensor *a = te_in_shape ("A", "float32", V (n), V (m), NULL), *b = te_in_shape ("B", "float32", V (m), I (8), NULL);
  LsIterVar *k = te_keep (ls_te_reduce_range ("k", LS_EXPR (m)));
  g_autoptr (LsArray) shape = ls_array_of (V (n), I (8), NULL);
  LsArray *axes = over ("i j", shape);

  return RESULT (a, b, stage ("C", axes, ls_te_sum (ls_mul (AT (a, AX (0), K (k)), AT (b, K (k), AX (1))), reduce_axes (k, NULL, NULL))));
}

static TeResult
case_52 (void)
{
  LsVar *n = te_keep (ls_size_var_new ("n", LS_INT64));
  LsTeTensor *x = te_in_shape ("X", "float32", V (n), I (16), NULL);
  g_autoptr (LsArray) shape = ls_array_of (ls_floordiv (V (n), I (4)), I (4), I (16), NULL);
  LsArray *axes = over ("a b c", shape);

  return RESULT (x, stage ("Y", axes, AT (x, ls_add (ls_mul (AX (0), I (4)), AX (1)), AX (2))));
}

static TeResult
case_53 (void)
{
  LsVar *s = te_keep (ls_var_new ("s", LS_INT64));
  LsTeTensor *x = F32 ("X", 16);
  LsArray *axes = over ("i", x->shape);

  return RESULT (s, x, stage ("Y", axes, ls_mul (AT (x, AX (0)), ls_cast (LS_FLOAT32, V (s)))));
}

#define I64(value) ls_const_int (LS_INT64, (value))

static TeResult
case_54 (void)
{
  LsTeTensor *a = te_in_shape ("A", "float32", I64 (6), I64 (3), NULL);
  LsArray *axes = over ("i j", a->shape);

  return te_result (32, a, stage ("Y", axes, ls_mul (AT (a, AX (0), AX (1)), ls_cast (LS_FLOAT32, ls_add (AX (0), AX (1))))), NULL);
}

static TeResult
case_55 (void)
{
  LsTeTensor *x = F32 ("X", 4, 8);
  LsArray *axes = over ("i j", INTS (8, 4));

  return te_result (64, x, stage ("Y", axes, ls_add (AT (x, AX (1), AX (0)), F (1))), NULL);
}

static TeResult
case_57 (void)
{
  LsTeTensor *a = te_in_shape ("A", "float32", I64 (6), I64 (3), NULL);
  g_autoptr (LsArray) shape = ls_array_of (I64 (3), I64 (6), NULL);
  LsArray *axes = over ("i j", shape);

  return RESULT (a, stage ("Y", axes, AT (a, AX (1), AX (0))));
}

static TeResult
case_58 (void)
{
  LsTeTensor *a = F32 ("A", 10, 12), *w = F32 ("W", 12, 6), *b = F32 ("b", 6), *m, *h;
  LsIterVar *k = axis ("k", 12);
  LsArray *axes = over ("i j", INTS (10, 6));

  m = stage ("M", axes, ls_te_sum (ls_mul (AT (a, AX (0), K (k)), AT (w, K (k), AX (1))), reduce_axes (k, NULL, NULL)));
  axes = over ("i j", INTS (10, 6));
  h = stage ("H", axes, ls_add (AT (m, AX (0), AX (1)), AT (b, AX (1))));
  axes = over ("i j", INTS (10, 6));
  return RESULT (a, w, b, stage ("O", axes, ls_max (AT (h, AX (0), AX (1)), F (0))));
}

static TeResult
case_59 (void)
{
  LsTeTensor *x = F32 ("X", 20);
  LsArray *axes = over ("i", x->shape);
  const char *keys[] = { "schedule_rule", "hint" };
  LsNode *values[] = { LS_NODE (ls_string_new ("None")), LS_NODE (I (3)) };

  return RESULT (x, te_keep (ls_te_compute ("Y", NULL, ls_map_new (keys, values, 2), axes, ls_mul (AT (x, AX (0)), F (2)), NULL)));
}

static TeResult
case_60 (void)
{
  LsTeTensor *a = F32 ("A", 4), *b, *c;
  LsArray *axes = over ("i", a->shape);

  b = stage ("B", axes, ls_add (AT (a, AX (0)), F (1)));
  axes = over ("i", a->shape);
  c = stage ("C", axes, ls_add (AT (a, AX (0)), F (2)));
  axes = over ("i", a->shape);
  return RESULT (a, stage ("D", axes, ls_mul (AT (c, AX (0)), AT (b, AX (0)))));
}

static const TeCaseRow rows[] = {
  { 0, case_0 }, { 3, case_3 }, { 4, case_4 }, { 5, case_5 }, { 7, case_7 }, { 9, case_9 }, { 10, case_10 },
  { 13, case_13 }, { 14, case_14 }, { 15, case_15 }, { 16, case_16 }, { 17, case_17 }, { 18, case_18 }, { 19, case_19 },
  { 20, case_20 }, { 21, case_21 }, { 22, case_22 }, { 23, case_23 }, { 24, case_24 }, { 28, case_28 }, { 30, case_30 },
  { 35, case_35 }, { 37, case_37 }, { 38, case_38 }, { 39, case_39 }, { 40, case_40 }, { 42, case_42 }, { 45, case_45 },
  { 48, case_48 }, { 49, case_49 }, { 51, case_51 }, { 52, case_52 }, { 53, case_53 }, { 54, case_54 }, { 55, case_55 },
  { 57, case_57 }, { 58, case_58 }, { 59, case_59 }, { 60, case_60 },
};

static void
test_errors (void)
{
  LsTeTensor *x = F32 ("X", 4, 4);
  LsIterVar *k = axis ("k", 4);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsArray) args = NULL;
  LsTeTensor *y;
  LsArray *axes = over ("i", INTS (4));

  g_assert_null (ls_te_compute ("Y", NULL, NULL, axes, ls_add (ls_te_sum (AT (x, AX (0), K (k)), reduce_axes (k, NULL, NULL)), F (1)), &error));
  g_assert_error (error, LS_TE_ERROR, LS_TE_ERROR_REDUCTION);
  g_clear_error (&error);
  g_assert_null (ls_te_load_checked (x, ls_array_of (I (0), NULL), &error));
  g_assert_error (error, LS_TE_ERROR, LS_TE_ERROR_SHAPE);
  g_clear_error (&error);
  axes = over ("i", INTS (4));
  y = stage ("Y", axes, AT (x, AX (0), AX (0)));
  args = ls_array_of (ls_ref (y), NULL);
  g_assert_null (ls_te_create_prim_func (args, NULL, &error));
  g_assert_error (error, LS_TE_ERROR, LS_TE_ERROR_PARAMETER);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  te_add_cases ("te/recorded", rows, G_N_ELEMENTS (rows));
  g_test_add_func ("/te/errors", test_errors);
  return g_test_run ();
}
