/* topi: the operators, each family at least once, against TVM's text. */
#include "tests/unit/te/support.h"

#include "engine/topi/topi.h"

#define X46 F32 ("x", 4, 6)
#define OK(call) checked (call, &error)
#define E (&error)
#define ONE(input, call) \
  { g_autoptr (GError) error = NULL; LsTeTensor *x = (input); LsNode *r = OK (call); return RESULT (x, r); }
#define TWO(first, second, call) \
  { g_autoptr (GError) error = NULL; LsTeTensor *x = (first); LsTeTensor *y = (second); LsNode *r = OK (call); return RESULT (x, y, r); }
#define CASE(n) static TeResult case_##n (void)

static LsNode *
checked (gpointer node,
         GError **error)
{
  g_assert_no_error (*error);
  return te_keep (node);
}

static LsExpr *
num (double value)
{
  return te_keep (ls_const_float (LS_FLOAT32, value));
}

static LsExpr *
whole (gint64 value)
{
  return te_keep (ls_int (value));
}

CASE (61) ONE (F16 ("x", 3, 2, 2), ls_topi_unary ("exp", x, E))
CASE (62) ONE (X46, ls_topi_unary ("negative", x, E))
CASE (63) ONE (F16 ("x", 3, 2, 2), ls_topi_unary ("negative", x, E))
CASE (64) ONE (X46, ls_topi_unary ("ceil", x, E))
CASE (65) ONE (X46, ls_topi_unary ("round", x, E))
CASE (67) ONE (X46, ls_topi_unary ("sign", x, E))
CASE (68) ONE (X46, ls_topi_unary ("isnan", x, E))
CASE (69) ONE (X46, ls_topi_unary ("isfinite", x, E))
CASE (70) ONE (X46, ls_topi_unary ("isinf", x, E))
CASE (73) ONE (te_in ("x", "int8", 5, -1), ls_topi_unary ("negative", x, E))
CASE (74) ONE (te_in ("x", "bool", 5, -1), ls_topi_unary ("logical_not", x, E))
CASE (75) TWO (I32 ("x", 7), I32 ("y", 2, 1), ls_topi_binary ("add", x, y, E))
CASE (78) TWO (X46, F32 ("y", 4, 6), ls_topi_binary ("divide", x, y, E))
CASE (79) TWO (I32 ("x", 7), I32 ("y", 2, 1), ls_topi_binary ("floor_divide", x, y, E))
CASE (80) TWO (X46, F32 ("y", 4, 6), ls_topi_binary ("mod", x, y, E))
CASE (81) ONE (X46, ls_topi_binary ("add", x, num (2), E))
CASE (82) TWO (te_in ("x", "float32", -1), F32 ("y", 4, 2), ls_topi_binary ("add", x, y, E))
CASE (86) TWO (I32 ("x", 6), I32 ("y", 3, 6), ls_topi_binary ("left_shift", x, y, E))
CASE (87) TWO (I32 ("x", 6), I32 ("y", 3, 6), ls_topi_binary ("bitwise_and", x, y, E))
CASE (88) TWO (te_in ("x", "bool", 6, -1), te_in ("y", "bool", 3, 1, -1), ls_topi_binary ("logical_and", x, y, E))
CASE (89) TWO (te_in ("x", "bool", 6, -1), te_in ("y", "bool", 3, 1, -1), ls_topi_binary ("logical_xor", x, y, E))
CASE (91) TWO (I32 ("x", 5), I32 ("y", 5), ls_topi_binary ("greater", x, y, E))

static LsExpr *
v (LsVar *var)
{
  return LS_EXPR (ls_node_ref (LS_NODE (var)));
}

CASE (84)
{
  g_autoptr (GError) error = NULL;
  LsVar *n = te_keep (ls_var_new ("n", LS_INT64));
  LsTeTensor *x = te_in_shape ("x", "float32", v (n), ls_int (4), NULL), *y = F32 ("y", 4);

  return RESULT (x, y, OK (ls_topi_binary ("add", x, y, E)));
}

CASE (85)
{
  g_autoptr (GError) error = NULL;
  LsVar *n = te_keep (ls_var_new ("n", LS_INT64)), *m = te_keep (ls_var_new ("m", LS_INT64));
  LsTeTensor *x = te_in_shape ("x", "float32", v (n), ls_int (4), NULL), *y = te_in_shape ("y", "float32", v (m), ls_int (4), NULL);

  return RESULT (x, y, OK (ls_topi_binary ("add", x, y, E)));
}

CASE (94)
{
  g_autoptr (GError) error = NULL;
  LsTeTensor *c = te_in ("c", "bool", 4, 1, -1), *x = I32 ("x", 6), *y = te_in ("y", "int32", -1);

  return RESULT (c, x, y, OK (ls_topi_where (c, x, y, E)));
}

CASE (95) ONE (F32 ("x", 2, 3, 5), ls_topi_reduce ("sum", x, INTS (-1), FALSE, E))
CASE (96) ONE (F32 ("x", 2, 3, 5), ls_topi_reduce ("max", x, INTS (1), TRUE, E))
CASE (98) ONE (F32 ("x", 2, 3, 5), ls_topi_reduce ("prod", x, NULL, FALSE, E))
CASE (100) ONE (F32 ("x", 2, 3, 5), ls_topi_reduce ("prod", x, INTS (0, 2), TRUE, E))
CASE (101) ONE (F32 ("x", 2, 3, 5), ls_topi_arg_reduce ("argmax", x, INTS (-1), FALSE, FALSE, E))
CASE (103) ONE (F32 ("x", 2, 3, 5), ls_topi_arg_reduce ("argmin", x, INTS (1), TRUE, FALSE, E))
CASE (105) ONE (te_in ("x", "bool", 2, 3, 5, -1), ls_topi_reduce ("all", x, INTS (1), TRUE, E))
CASE (107) ONE (te_in ("x", "bool", 4, 6, -1), ls_topi_reduce ("any", x, INTS (1), FALSE, E))
CASE (111) ONE (te_in ("x", "int8", 4, 6, -1), ls_topi_reduce ("sum", x, INTS (1), FALSE, E))
CASE (112) ONE (X46, ls_topi_arg_reduce ("argmax", x, INTS (1), FALSE, TRUE, E))
CASE (113) ONE (X46, ls_topi_binary ("divide", OK (ls_topi_reduce ("sum", x, INTS (1), FALSE, E)), num (6), E))
CASE (114) ONE (F32 ("x", 2, 3, 5), ls_topi_transpose (x, INTS (0, 2, 1), E))
CASE (115) ONE (F32 ("x", 2, 3, 5), ls_topi_transpose (x, INTS (2, -3, 1), E))
CASE (116) ONE (X46, ls_topi_reshape (x, INTS (2, 3, 4), E))
CASE (117) ONE (te_in ("x", "float32", -1), ls_topi_reshape (x, INTS (1, 1), E))

CASE (118)
{
  g_autoptr (GError) error = NULL;
  LsVar *n = te_keep (ls_var_new ("n", LS_INT64));
  LsTeTensor *x = te_in_shape ("x", "float32", v (n), ls_int (4), NULL);
  LsArray *shape = te_keep (ls_array_of (ls_mul (v (n), ls_int (4)), NULL));

  return RESULT (x, OK (ls_topi_reshape (x, shape, E)));
}

CASE (119) ONE (F32 ("x", 1, 1), ls_topi_squeeze (x, NULL, E))
CASE (120) ONE (F32 ("x", 3, 1, 5), ls_topi_squeeze (x, INTS (-2), E))
CASE (121) ONE (X46, ls_topi_expand_dims (x, 1, 2, E))
CASE (122) ONE (te_in ("x", "float32", -1), ls_topi_broadcast_to (x, INTS (5), E))

CASE (123)
{
  g_autoptr (GError) error = NULL;
  LsTeTensor *x = F32 ("x", 2, 6), *y = F32 ("y", 2, 1), *z = F32 ("z", 2, 3);
  LsArray *xs = te_keep (ls_array_of (ls_ref (x), ls_ref (y), ls_ref (z), NULL));

  return RESULT (x, y, z, OK (ls_topi_concatenate (xs, 1, E)));
}

CASE (125) ONE (X46, ls_topi_split_sections (x, 3, 1, E))
CASE (126) TWO (F32 ("x", 2, 3), F32 ("y", 2, 3), ls_topi_stack (te_keep (ls_array_of (ls_ref (x), ls_ref (y), NULL)), 0, E))
CASE (127) ONE (F32 ("x", 10), ls_topi_strided_slice (x, INTS (2), INTS (8), NULL, NULL, "end", E))
CASE (128) ONE (X46, ls_topi_strided_slice (x, INTS (0, 1), INTS (4, 5), INTS (1, 2), NULL, "end", E))
CASE (129) ONE (X46, ls_topi_strided_slice (x, INTS (1), INTS (3), INTS (1), INTS (1), "end", E))
CASE (130) TWO (X46, I32 ("y", 3), ls_topi_take (x, y, &(gint64) { 0 }, 0, "clip", E))
CASE (131) TWO (X46, I32 ("y", 3), ls_topi_take (x, y, &(gint64) { 1 }, 0, "clip", E))
CASE (132) TWO (F32 ("x", 5), I32 ("y", 2, 2), ls_topi_take (x, y, &(gint64) { 0 }, 0, "nan", E))
CASE (133) TWO (X46, I32 ("y", 4, 2), ls_topi_gather (x, 1, y, E))
CASE (134) ONE (F32 ("x", 2, 1, 2), ls_topi_tile (x, INTS (1, 3, 2), E))
CASE (135) ONE (F32 ("x", 2, 3), ls_topi_repeat (x, 2, 0, E))
CASE (137) ONE (F32 ("x", 2, 3, 4), ls_topi_flip (x, -1, E))
CASE (138) ONE (I32 ("x", 3, 4), ls_topi_cast (x, LS_FLOAT32, E))
CASE (139) ONE (F32 ("x", 3, 4), ls_topi_cast (x, LS_FLOAT32, E))

CASE (141)
{
  g_autoptr (GError) error = NULL;

  return RESULT (OK (ls_topi_full (INTS (5), LS_INT32, whole (7), E)));
}

CASE (142)
{
  g_autoptr (GError) error = NULL;

  return RESULT (OK (ls_topi_arange (whole (0), whole (5), whole (1), LS_INT64, E)));
}

CASE (143)
{
  g_autoptr (GError) error = NULL;

  return RESULT (OK (ls_topi_eye (whole (3), whole (5), 1, LS_FLOAT32, E)));
}

CASE (144) ONE (X46, ls_topi_trilu (x, whole (0), TRUE, E))
CASE (145) ONE (I32 ("x", 4), ls_topi_one_hot (x, num (1), num (0), 5, -1, LS_FLOAT32, E))
CASE (146) TWO (X46, F32 ("y", 5, 6), ls_topi_matmul (x, y, FALSE, TRUE, E))
CASE (147) TWO (F32 ("x", 2, 3), F32 ("y", 3, 5), ls_topi_tensordot (x, y, INTS (1), INTS (0), E))
CASE (148) TWO (F32 ("x", 2, 3), F32 ("y", 3, 5), ls_topi_einsum ("ij,jk->ik", te_keep (ls_array_of (ls_ref (x), ls_ref (y), NULL)), E))
CASE (149) TWO (F32 ("x", 2, 3, 4), F32 ("y", 2, 3, 4), ls_topi_einsum ("bij,bij->b", te_keep (ls_array_of (ls_ref (x), ls_ref (y), NULL)), E))
CASE (150) TWO (F16 ("x", 4, 8), F16 ("w", 5, 8), ls_topi_nn_dense (x, y, NULL, &LS_FLOAT32, E))
CASE (152) TWO (F32 ("x", 2, 3, 6), F32 ("y", 2, 4, 6), ls_topi_nn_batch_matmul (x, y, NULL, FALSE, TRUE, E))
CASE (153) TWO (F32 ("x", 1, 2, 10, 10), F32 ("w", 4, 2, 3, 3), ls_topi_nn_conv2d_nchw (x, y, INTS (1), INTS (2), INTS (2), NULL, E))
CASE (154) TWO (F32 ("x", 1, 3, 8, 8), F32 ("w", 4, 3, 1, 1), ls_topi_nn_conv2d_nchw (x, y, INTS (1), INTS (0), INTS (1), NULL, E))
CASE (155) TWO (F16 ("x", 1, 3, 6, 6), F16 ("w", 4, 3, 3, 3), ls_topi_nn_conv2d_nchw (x, y, INTS (1), INTS (1), INTS (1), &LS_FLOAT32, E))
CASE (156) TWO (F32 ("x", 1, 6, 6, 3), F32 ("w", 3, 3, 3, 4), ls_topi_nn_conv2d_nhwc (x, y, INTS (1), INTS (1), INTS (1), NULL, E))
CASE (157) TWO (F32 ("x", 1, 3, 10), F32 ("w", 4, 3, 3), ls_topi_nn_conv1d (x, y, INTS (1), INTS (1), INTS (1), "NCW", "", NULL, E))
CASE (158) TWO (F32 ("x", 1, 3, 4, 4), F32 ("w", 3, 2, 3, 3), ls_topi_nn_conv2d_transpose_nchw (x, y, INTS (2, 2), INTS (1, 1), &LS_FLOAT32, INTS (0, 0), 1, E))
CASE (159) TWO (F32 ("x", 1, 4, 8, 8), F32 ("w", 4, 1, 3, 3), ls_topi_nn_depthwise_conv2d_nchw (x, y, INTS (1), INTS (1), INTS (1), NULL, E))
CASE (160) TWO (F32 ("x", 1, 4, 9, 9), F32 ("w", 4, 1, 3, 3), ls_topi_nn_depthwise_conv2d_nchw (x, y, INTS (1), INTS (2), INTS (2), NULL, E))
CASE (161) TWO (F32 ("x", 1, 6, 8, 8), F32 ("w", 6, 2, 1, 1), ls_topi_nn_group_conv2d_nchw (x, y, INTS (2), INTS (0), INTS (1), 3, NULL, E))
CASE (162) ONE (F32 ("x", 1, 4, 8, 8), ls_topi_nn_pool (x, INTS (2, 2), INTS (2, 2), INTS (1, 1), INTS (0, 0, 0, 0), "max", FALSE, "NCHW", TRUE, E))
CASE (163) ONE (F32 ("x", 1, 4, 8, 8), ls_topi_nn_pool (x, INTS (3, 3), INTS (2, 2), INTS (1, 1), INTS (0, 0, 0, 0), "max", TRUE, "NCHW", TRUE, E))
CASE (164) ONE (F32 ("x", 1, 4, 8, 8), ls_topi_nn_pool (x, INTS (2, 2), INTS (1, 1), INTS (2, 2), INTS (0, 0, 0, 0), "max", FALSE, "NCHW", TRUE, E))
CASE (165) ONE (F32 ("x", 1, 8, 8, 4), ls_topi_nn_pool (x, INTS (2, 2), INTS (2, 2), INTS (1, 1), INTS (0, 0, 0, 0), "max", FALSE, "NHWC", TRUE, E))
CASE (166) ONE (F32 ("x", 1, 4, 6, 6), ls_topi_nn_global_pool (x, "avg", "NCHW", E))
CASE (167) ONE (F32 ("x", 1, 4, 8, 8), ls_topi_nn_adaptive_pool (x, INTS (1, 1), "avg", "NCHW", E))
CASE (168) ONE (F32 ("x", 1, 4, 8, 8), ls_topi_nn_adaptive_pool (x, INTS (2, 4), "max", "NCHW", E))
CASE (169) ONE (X46, ls_topi_nn_softmax (x, -1, E))
CASE (170) ONE (F32 ("x", 2, 3, 5), ls_topi_nn_softmax (x, 1, E))
CASE (171) ONE (F32 ("x", 2, 3, 5), ls_topi_nn_log_softmax (x, 1, E))

CASE (172)
{
  g_autoptr (GError) error = NULL;
  LsTeTensor *x = X46, *g = F32 ("g", 6), *b = F32 ("b", 6);

  return RESULT (x, g, b, OK (ls_topi_nn_layer_norm (x, g, b, INTS (1), 1e-5, E)));
}

CASE (173)
{
  g_autoptr (GError) error = NULL;
  LsTeTensor *x = F16 ("x", 2, 3, 5), *g = F16 ("g", 5), *b = F16 ("b", 5);

  return RESULT (x, g, b, OK (ls_topi_nn_layer_norm (x, g, b, INTS (2), 1e-6, E)));
}

CASE (174)
{
  g_autoptr (GError) error = NULL;
  LsTeTensor *x = F32 ("x", 2, 3, 4, 4), *g = F32 ("g", 3), *be = F32 ("be", 3), *mu = F32 ("mu", 3), *va = F32 ("va", 3);
  LsArray *r = (LsArray *) OK (ls_topi_nn_batch_norm (x, g, be, mu, va, 1, 1e-5, TRUE, TRUE, FALSE, 0.1, E));

  return RESULT (x, g, be, mu, va, r->items[0]);
}

CASE (175) ONE (X46, ls_topi_nn_leaky_relu (x, 0.1, E))
CASE (176) TWO (F32 ("x", 1, 4, 8, 8), F32 ("s", 4), ls_topi_nn_prelu (x, y, 1, E))
CASE (177) ONE (F32 ("x", 2, 3, 5), ls_topi_nn_flatten (x, E))
CASE (178) ONE (X46, ls_topi_nn_pad (x, INTS (2, 0), NULL, num (-1), NULL, E))
CASE (179) ONE (X46, ls_topi_nn_dilate (x, INTS (2, 1), 0, NULL, E))
CASE (180) ONE (X46, ls_topi_clip (x, num (0), num (6), E))
CASE (181) ONE (I32 ("x", 5), ls_topi_clip (x, whole (0), whole (100), E))
CASE (182) ONE (I32 ("x", 3, 4), ls_topi_scan ("cumsum", x, &(gint64) { 1 }, NULL, TRUE, E))
CASE (183) ONE (I32 ("x", 5), ls_topi_scan ("cumsum", x, &(gint64) { 0 }, &LS_INT64, FALSE, E))
CASE (184) ONE (F32 ("x", 1, 2, 3, 3, 4), ls_topi_layout_transform (x, "NCHW4c", "NCHW", "None", E))
CASE (186) ONE (X46, ls_topi_topk (x, whole (3), 1, "both", FALSE, LS_INT64, E))
CASE (187) ONE (X46, ls_topi_topk (x, whole (2), -1, "values", FALSE, LS_INT64, E))
CASE (185) ONE (F32 ("x", 1, 4, 8, 8), ls_topi_nn_space_to_depth (x, 2, "NCHW", E))

CASE (188)
{
  g_autoptr (GError) error = NULL;
  LsTeTensor *x = F32 ("x", 3, 2), *y = F32 ("y", 3, 2), *z = F32 ("z", 3, 2);

  return RESULT (x, y, z, OK (ls_topi_elemwise_sum (te_keep (ls_array_of (ls_ref (x), ls_ref (y), ls_ref (z), NULL)), E)));
}

CASE (189) TWO (F32 ("x", 3, 4), F32 ("d", 3), ls_topi_matrix_set_diag (x, y, 0, 0, FALSE, FALSE, E))
CASE (190) ONE (F32 ("x", 1, 4, 8, 8), ls_topi_image_resize2d (x, INTS (16, 16), "NCHW", "linear", "half_pixel", "", -0.5, FALSE, NULL, E))
CASE (191) ONE (X46, ls_topi_ndarray_size (x, LS_INT32, E))
CASE (192) TWO (I32 ("i", 5), I32 ("s", 2), ls_topi_unravel_index (x, y, E))

CASE (193)
{
  g_autoptr (GError) error = NULL;
  LsTeTensor *x = X46, *b = te_in ("b", "int64", 2, -1), *e = te_in ("e", "int64", 2, -1), *s = te_in ("s", "int64", 2, -1);

  return RESULT (x, b, e, s, OK (ls_topi_dynamic_strided_slice (x, b, e, s, INTS (2, 3), E)));
}

CASE (194) ONE (X46, ls_topi_transpose ((LsTeTensor *) OK (ls_topi_reshape (x, INTS (2, 2, 6), E)), INTS (1, 0, 2), E))
CASE (195) TWO (F32 ("x", 4), F32 ("y", 4), ls_topi_binary ("add", OK (ls_topi_binary ("add", OK (ls_topi_binary ("add", x, y, E)), y, E)), x, E))

CASE (196)
{
  g_autoptr (GError) error = NULL;
  LsTeTensor *x = X46, *y = F32 ("y", 4, 6);

  return te_result (64, x, y, OK (ls_topi_binary ("add", OK (ls_topi_nn_relu (x, E)), y, E)), NULL);
}

CASE (197)
{
  g_autoptr (GError) error = NULL;
  LsTeTensor *x = F32 ("x", 1, 3, 6, 6), *w = F32 ("w", 4, 3, 3, 3);

  return te_result (64, x, w, OK (ls_topi_nn_conv2d_nchw (x, w, INTS (1), INTS (1), INTS (1), NULL, E)), NULL);
}

CASE (198)
{
  g_autoptr (GError) error = NULL;
  LsTeTensor *x = X46;

  return te_result (64, x, OK (ls_topi_transpose (x, NULL, E)), NULL);
}

#define ROW(n) { n, case_##n },
static const TeCaseRow rows[] = {
  ROW (61) ROW (62) ROW (63) ROW (64) ROW (65) ROW (67) ROW (68) ROW (69) ROW (70) ROW (73) ROW (74) ROW (75) ROW (78) ROW (79) ROW (80)
  ROW (81) ROW (82) ROW (84) ROW (85) ROW (86) ROW (87) ROW (88) ROW (89) ROW (91) ROW (94) ROW (95) ROW (96) ROW (98) ROW (100) ROW (101)
  ROW (103) ROW (105) ROW (107) ROW (111) ROW (112) ROW (113) ROW (114) ROW (115) ROW (116) ROW (117) ROW (118) ROW (119) ROW (120)
  ROW (121) ROW (122) ROW (123) ROW (125) ROW (126) ROW (127) ROW (128) ROW (129) ROW (130) ROW (131) ROW (132) ROW (133) ROW (134)
  ROW (135) ROW (137) ROW (138) ROW (139) ROW (141) ROW (142) ROW (143) ROW (144) ROW (145) ROW (146) ROW (147) ROW (148) ROW (149)
  ROW (150) ROW (152) ROW (153) ROW (154) ROW (155) ROW (156) ROW (157) ROW (158) ROW (159) ROW (160) ROW (161) ROW (162) ROW (163)
  ROW (164) ROW (165) ROW (166) ROW (167) ROW (168) ROW (169) ROW (170) ROW (171) ROW (172) ROW (173) ROW (174) ROW (175) ROW (176)
  ROW (177) ROW (178) ROW (179) ROW (180) ROW (181) ROW (182) ROW (183) ROW (184) ROW (185) ROW (186) ROW (187) ROW (188) ROW (189) ROW (190) ROW (191) ROW (192) ROW (193) ROW (194) ROW (195)
  ROW (196) ROW (197) ROW (198)
};

static void
test_errors (void)
{
  LsTeTensor *x = X46;
  LsTeTensor *y = F32 ("y", 5, 6);
  g_autoptr (GError) error = NULL;

  g_assert_null (ls_topi_binary ("add", x, y, &error));
  g_assert_error (error, LS_TE_ERROR, LS_TE_ERROR_SHAPE);
  g_clear_error (&error);
  g_assert_null (ls_topi_matmul (x, y, FALSE, FALSE, &error));
  g_assert_error (error, LS_TE_ERROR, LS_TE_ERROR_SHAPE);
  g_clear_error (&error);
  g_assert_null (ls_topi_reshape (x, INTS (5, 5), &error));
  g_assert_error (error, LS_TE_ERROR, LS_TE_ERROR_SHAPE);
  g_clear_error (&error);
  g_assert_null (ls_topi_nn_softmax (x, 2, &error));
  g_assert_error (error, LS_TE_ERROR, LS_TE_ERROR_ARGUMENT);
  g_clear_error (&error);
  g_assert_null (ls_topi_transpose (x, INTS (0, 0), &error));
  g_assert_error (error, LS_TE_ERROR, LS_TE_ERROR_ARGUMENT);
  g_clear_error (&error);
  g_assert_null (ls_topi_reduce ("all", x, NULL, FALSE, &error));
  g_assert_error (error, LS_TE_ERROR, LS_TE_ERROR_DTYPE);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  te_add_cases ("topi/recorded", rows, G_N_ELEMENTS (rows));
  g_test_add_func ("/topi/errors", test_errors);
  return g_test_run ();
}
