/* topi: the tensor operator inventory, TVM's operators as stages of te.
 *
 * Each function makes the stages that TVM v0.20's topi makes, with its names of stages and axes, so that
 * ls_te_create_prim_func gives the same text.  Tensors and lists are borrowed, results are new references.  Lists (axes,
 * shapes, pads) are LsArrays of Expr, mostly constants; where NULL is allowed it says so.  What a user can get wrong gives
 * NULL and LS_TE_ERROR.  A NULL tensor as argument gives NULL and leaves the error alone, so that calls can be chained.
 *
 *   elemwise   one argument            broadcast  two or three arguments          reduce     over axes
 *   transform  shapes and positions    create     from nothing                    linalg     products
 *   nn         networks: activations, convolutions, pooling, softmax, normalisation, losses
 *   scan, sort, scatter                statements over buffers (extern stages)    image      resizing
 */
#pragma once

#include "engine/te/te.h"

G_BEGIN_DECLS

/* ---- elemwise.c ----------------------------------------------------------- */

/* "exp", "tanh", "floor", "abs", "negative", "identity", "sigmoid", "isnan", ... : topi's functions of one tensor of that
 * name, TVM's stage names ("compute", T_sign, T_logical_not, T_bitwise_not). */
LsTeTensor *ls_topi_unary          (const char *name, LsTeTensor *x, GError **error);
gboolean    ls_topi_is_unary       (const char *name);
/* fast-math.c: "exp", "tanh" or "erf" by polynomials, stage T_fast_NAME. */
LsTeTensor *ls_topi_fast           (const char *name, LsTeTensor *x, GError **error);
LsTeTensor *ls_topi_cast           (LsTeTensor *x, LsDType dtype, GError **error);
/* topi::cast of C++, which others are made of: stage T_cast; the tensor itself when it has the type. */
LsTeTensor *ls_topi_cast_cpp       (LsTeTensor *x, LsDType dtype, GError **error);
LsTeTensor *ls_topi_reinterpret    (LsTeTensor *x, LsDType dtype, GError **error);
/* Both ends may be Exprs of any type. */
LsTeTensor *ls_topi_clip           (LsTeTensor *x, LsExpr *a_min, LsExpr *a_max, GError **error);
LsTeTensor *ls_topi_elemwise_sum   (LsArray *xs, GError **error);

/* ---- broadcast.c ---------------------------------------------------------- */

/* "add", "subtract", "multiply", "divide", "floor_divide", "mod", "floor_mod", "maximum", "minimum", "power",
 * "left_shift", "right_shift", "equal", ..., "logical_and", ..., "bitwise_and", ..., "log_add_exp", "atan2": stage T_NAME.
 * a and b: TeTensor or Expr, at least one tensor. */
LsTeTensor *ls_topi_binary         (const char *name, gpointer a, gpointer b, GError **error);
gboolean    ls_topi_is_binary      (const char *name);
/* The value of the operator on two scalars (taken). */
LsExpr     *ls_topi_binary_expr    (const char *name, LsExpr *a, LsExpr *b, GError **error);
LsTeTensor *ls_topi_broadcast_to   (LsTeTensor *x, LsArray *shape, GError **error);
LsTeTensor *ls_topi_where          (LsTeTensor *condition, LsTeTensor *x, LsTeTensor *y, GError **error);
/* The common shape, NULL with an error when there is none. (transfer full) */
LsArray    *ls_topi_broadcast_shape (LsArray *a, LsArray *b, GError **error);

/* ---- reduce.c ------------------------------------------------------------- */

/* "sum", "prod", "max", "min", "all", "any": stage NAME_red.  axis NULL: all. */
LsTeTensor *ls_topi_reduce         (const char *name, LsTeTensor *x, LsArray *axis, gboolean keepdims, GError **error);
/* "argmax" or "argmin": the index, int32 or the type of the axes; over several axes that of the flattened ones. */
LsTeTensor *ls_topi_arg_reduce     (const char *name, LsTeTensor *x, LsArray *axis, gboolean keepdims, gboolean select_last_index, GError **error);
/* Sums away what broadcasting from `shape` has added. */
LsTeTensor *ls_topi_collapse_sum   (LsTeTensor *x, LsArray *shape, GError **error);

/* ---- transform.c, transform-join.c, index.c ------------------------------- */

LsTeTensor *ls_topi_transpose      (LsTeTensor *x, LsArray *axes, GError **error);            /* axes NULL: reversed */
LsTeTensor *ls_topi_reshape        (LsTeTensor *x, LsArray *shape, GError **error);
LsTeTensor *ls_topi_squeeze        (LsTeTensor *x, LsArray *axis, GError **error);            /* axis NULL: all of extent 1 */
LsTeTensor *ls_topi_expand_dims    (LsTeTensor *x, gint64 axis, gint64 num_newaxis, GError **error);
LsTeTensor *ls_topi_flip           (LsTeTensor *x, gint64 axis, GError **error);
/* Along seq_axis backwards, each sequence of batch_axis as far as its length (of `lengths`, whole numbers); the rest stays. */
LsTeTensor *ls_topi_reverse_sequence (LsTeTensor *x, LsTeTensor *lengths, gint64 seq_axis, gint64 batch_axis, GError **error);
/* The steps behind the length of their sequence become mask_value; steps are axis 0 or 1, sequences the other of them. */
LsTeTensor *ls_topi_sequence_mask  (LsTeTensor *x, LsTeTensor *lengths, double mask_value, gint64 axis, GError **error);
LsTeTensor *ls_topi_tile           (LsTeTensor *x, LsArray *reps, GError **error);
LsTeTensor *ls_topi_repeat         (LsTeTensor *x, gint64 repeats, gint64 axis, GError **error);
LsTeTensor *ls_topi_concatenate    (LsArray *xs, gint64 axis, GError **error);
LsTeTensor *ls_topi_stack          (LsArray *xs, gint64 axis, GError **error);
/* Into `sections` equal parts (T_split_sections), or before the given indices (T_split). An array of TeTensor. */
LsArray    *ls_topi_split_sections (LsTeTensor *x, gint64 sections, gint64 axis, GError **error);
LsArray    *ls_topi_split_indices  (LsTeTensor *x, LsArray *indices, gint64 axis, GError **error);
/* strides NULL: 1; axes NULL: the first ones.  slice_mode "end" or "size". */
LsTeTensor *ls_topi_strided_slice  (LsTeTensor *x, LsArray *begin, LsArray *end, LsArray *strides, LsArray *axes, const char *slice_mode, GError **error);
LsTeTensor *ls_topi_dynamic_strided_slice (LsTeTensor *x, LsTeTensor *begin, LsTeTensor *end, LsTeTensor *strides, LsArray *shape, GError **error);
/* axis NULL: of the flattened tensor.  batch_dims: leading dimensions that both have in common.  mode "clip" (topi's default), "fast", "wrap". */
/* indices: a TeTensor or one index, an LsExpr, which takes the axis away */
LsTeTensor *ls_topi_take           (LsTeTensor *x, gpointer indices, const gint64 *axis, gint64 batch_dims, const char *mode, GError **error);
LsTeTensor *ls_topi_gather         (LsTeTensor *x, gint64 axis, LsTeTensor *indices, GError **error);
LsTeTensor *ls_topi_gather_nd      (LsTeTensor *x, LsTeTensor *indices, gint64 batch_dims, GError **error);
LsTeTensor *ls_topi_one_hot        (LsTeTensor *indices, LsExpr *on_value, LsExpr *off_value, gint64 depth, gint64 axis, LsDType dtype, GError **error);
LsTeTensor *ls_topi_unravel_index  (LsTeTensor *indices, LsTeTensor *shape, GError **error);
LsTeTensor *ls_topi_matrix_set_diag (LsTeTensor *x, LsTeTensor *diagonal, gint64 k1, gint64 k2, gboolean super_right, gboolean sub_right, GError **error);
LsTeTensor *ls_topi_layout_transform (LsTeTensor *x, const char *src_layout, const char *dst_layout, const char *schedule_rule, GError **error);
LsTeTensor *ls_topi_shape          (LsTeTensor *x, LsDType dtype, GError **error);
LsTeTensor *ls_topi_ndarray_size   (LsTeTensor *x, LsDType dtype, GError **error);
LsArray    *ls_topi_meshgrid       (LsArray *xs, const char *indexing, GError **error);

/* ---- create.c ------------------------------------------------------------- */

/* Stage T_full. */
LsTeTensor *ls_topi_full           (LsArray *shape, LsDType dtype, LsExpr *value, GError **error);
LsTeTensor *ls_topi_full_like      (LsTeTensor *x, LsExpr *value, GError **error);
LsTeTensor *ls_topi_arange         (LsExpr *start, LsExpr *stop, LsExpr *step, LsDType dtype, GError **error);
LsTeTensor *ls_topi_eye            (LsExpr *n, LsExpr *m, gint64 k, LsDType dtype, GError **error);
LsTeTensor *ls_topi_trilu          (LsTeTensor *x, LsExpr *k, gboolean upper, GError **error);

/* ---- linalg.c ------------------------------------------------------------- */

LsTeTensor *ls_topi_matmul         (LsTeTensor *a, LsTeTensor *b, gboolean transp_a, gboolean transp_b, GError **error);
LsTeTensor *ls_topi_tensordot      (LsTeTensor *a, LsTeTensor *b, LsArray *a_axes, LsArray *b_axes, GError **error);
LsTeTensor *ls_topi_einsum         (const char *subscripts, LsArray *xs, GError **error);
/* topi.nn.matmul and dense; bias NULL: none; out_dtype NULL: that of a. */
LsTeTensor *ls_topi_nn_matmul      (LsTeTensor *a, LsTeTensor *b, LsTeTensor *bias, const LsDType *out_dtype, gboolean transpose_a, gboolean transpose_b, GError **error);
LsTeTensor *ls_topi_nn_dense       (LsTeTensor *x, LsTeTensor *weight, LsTeTensor *bias, const LsDType *out_dtype, GError **error);
LsTeTensor *ls_topi_nn_batch_matmul (LsTeTensor *a, LsTeTensor *b, const LsDType *out_dtype, gboolean transpose_a, gboolean transpose_b, GError **error);

/* ---- nn-activation.c ------------------------------------------------------ */

LsTeTensor *ls_topi_nn_relu        (LsTeTensor *x, GError **error);
LsTeTensor *ls_topi_nn_leaky_relu  (LsTeTensor *x, double alpha, GError **error);
LsTeTensor *ls_topi_nn_prelu       (LsTeTensor *x, LsTeTensor *slope, gint64 axis, GError **error);
LsTeTensor *ls_topi_nn_softplus    (LsTeTensor *x, double beta, double threshold, GError **error);
LsTeTensor *ls_topi_nn_flatten     (LsTeTensor *x, GError **error);
/* topi.nn.scale_shift_nchw, _nhwc: the channels are axis 1 or 3. */
LsTeTensor *ls_topi_nn_scale_shift (LsTeTensor *x, LsTeTensor *scale, LsTeTensor *shift, gint64 axis, GError **error);
LsTeTensor *ls_topi_nn_bias_add    (LsTeTensor *x, LsTeTensor *bias, gint64 axis, GError **error);

/* ---- nn-pad.c ------------------------------------------------------------- */

/* topi.nn.pad: after NULL: as before; value NULL: 0; name NULL: "PadInput". */
LsTeTensor *ls_topi_nn_pad         (LsTeTensor *x, LsArray *before, LsArray *after, LsExpr *value, const char *name, GError **error);
/* mode "SYMMETRIC" or "REFLECT". */
/* Of the dimensions behind the first, as many as `block` has: padded, then each place of a block becomes an entry of the batch
 * (place by place, the batch innermost); and back, without `begin` and `end` elements at the borders. */
LsTeTensor *ls_topi_nn_space_to_batch_nd (LsTeTensor *x, LsArray *block, LsArray *before, LsArray *after, double value, GError **error);
LsTeTensor *ls_topi_nn_batch_to_space_nd (LsTeTensor *x, LsArray *block, LsArray *begin, LsArray *end, GError **error);
LsTeTensor *ls_topi_nn_mirror_pad  (LsTeTensor *x, LsArray *before, LsArray *after, const char *mode, GError **error);
/* "reflect", "replicate" and "circular" of Relax's pad. */
LsTeTensor *ls_topi_nn_mode_pad    (LsTeTensor *x, LsArray *before, LsArray *after, const char *mode, GError **error);
LsTeTensor *ls_topi_nn_dilate      (LsTeTensor *x, LsArray *strides, double value, const char *name, GError **error);
LsTeTensor *ls_topi_nn_space_to_depth (LsTeTensor *x, gint64 block_size, const char *layout, GError **error);
LsTeTensor *ls_topi_nn_depth_to_space (LsTeTensor *x, gint64 block_size, const char *layout, const char *mode, GError **error);

/* ---- nn-conv.c, nn-conv-transpose.c --------------------------------------- */

/* Convolution of any number of spatial dimensions (topi.nn.conv with groups): strides and dilation of one number each (or
 * one for all), padding of one, n or 2 n numbers.  data_layout "NCW", "NCHW", "NHWC", "NCDHW", ...; kernel_layout "" for the
 * one that goes with it.  name: that of the stage ("conv2d_nchw"). */
LsTeTensor *ls_topi_nn_conv        (LsTeTensor *x, LsTeTensor *weight, LsArray *strides, LsArray *padding, LsArray *dilation, gint64 groups,
                                    const char *data_layout, const char *kernel_layout, const LsDType *out_dtype, const char *name, GError **error);
LsTeTensor *ls_topi_nn_conv1d      (LsTeTensor *x, LsTeTensor *weight, LsArray *strides, LsArray *padding, LsArray *dilation, const char *data_layout,
                                    const char *kernel_layout, const LsDType *out_dtype, GError **error);
LsTeTensor *ls_topi_nn_conv2d_nchw (LsTeTensor *x, LsTeTensor *weight, LsArray *strides, LsArray *padding, LsArray *dilation, const LsDType *out_dtype, GError **error);
LsTeTensor *ls_topi_nn_conv2d_nhwc (LsTeTensor *x, LsTeTensor *weight, LsArray *strides, LsArray *padding, LsArray *dilation, const LsDType *out_dtype, GError **error);
LsTeTensor *ls_topi_nn_group_conv2d_nchw (LsTeTensor *x, LsTeTensor *weight, LsArray *strides, LsArray *padding, LsArray *dilation, gint64 groups,
                                    const LsDType *out_dtype, GError **error);
LsTeTensor *ls_topi_nn_depthwise_conv2d_nchw (LsTeTensor *x, LsTeTensor *weight, LsArray *strides, LsArray *padding, LsArray *dilation,
                                    const LsDType *out_dtype, GError **error);
LsTeTensor *ls_topi_nn_conv1d_transpose_ncw (LsTeTensor *x, LsTeTensor *weight, LsArray *strides, LsArray *padding, const LsDType *out_dtype,
                                    LsArray *output_padding, gint64 groups, GError **error);
LsTeTensor *ls_topi_nn_conv2d_transpose_nchw (LsTeTensor *x, LsTeTensor *weight, LsArray *strides, LsArray *padding, const LsDType *out_dtype,
                                    LsArray *output_padding, gint64 groups, GError **error);
LsTeTensor *ls_topi_nn_conv3d_transpose_ncdhw (LsTeTensor *x, LsTeTensor *weight, LsArray *strides, LsArray *padding, const LsDType *out_dtype,
                                    LsArray *output_padding, gint64 groups, GError **error);

/* ---- nn-pool.c ------------------------------------------------------------ */

/* pool_type "max" or "avg"; kernel, stride, dilation: one number for each pooled dimension; padding: before all, then after
 * all.  layout "NCW", "NCHW", "NCDHW" or one with the letters elsewhere. */
LsTeTensor *ls_topi_nn_pool        (LsTeTensor *x, LsArray *kernel, LsArray *stride, LsArray *dilation, LsArray *padding, const char *pool_type,
                                    gboolean ceil_mode, const char *layout, gboolean count_include_pad, GError **error);
LsTeTensor *ls_topi_nn_adaptive_pool (LsTeTensor *x, LsArray *output_size, const char *pool_type, const char *layout, GError **error);
LsTeTensor *ls_topi_nn_global_pool (LsTeTensor *x, const char *pool_type, const char *layout, GError **error);

/* ---- nn-softmax.c, nn-norm.c, nn-loss.c ----------------------------------- */

LsTeTensor *ls_topi_nn_softmax     (LsTeTensor *x, gint64 axis, GError **error);
/* With fast_exp. */
LsTeTensor *ls_topi_nn_fast_softmax (LsTeTensor *x, gint64 axis, GError **error);
LsTeTensor *ls_topi_nn_log_softmax (LsTeTensor *x, gint64 axis, GError **error);
/* beta NULL: none. */
LsTeTensor *ls_topi_nn_layer_norm  (LsTeTensor *x, LsTeTensor *gamma, LsTeTensor *beta, LsArray *axis, double epsilon, GError **error);
LsTeTensor *ls_topi_nn_group_norm  (LsTeTensor *x, LsTeTensor *gamma, LsTeTensor *beta, gint64 num_groups, gint64 channel_axis, LsArray *axes,
                                    double epsilon, GError **error);
LsTeTensor *ls_topi_nn_instance_norm (LsTeTensor *x, LsTeTensor *gamma, LsTeTensor *beta, LsArray *axis, double epsilon, GError **error);
LsTeTensor *ls_topi_nn_rms_norm    (LsTeTensor *x, LsTeTensor *weight, LsArray *axis, double epsilon, GError **error);
/* Three tensors: the result, the running mean and the running variance. */
LsArray    *ls_topi_nn_batch_norm  (LsTeTensor *x, LsTeTensor *gamma, LsTeTensor *beta, LsTeTensor *moving_mean, LsTeTensor *moving_var, gint64 axis,
                                    double epsilon, gboolean center, gboolean scale, gboolean training, double momentum, GError **error);
LsTeTensor *ls_topi_nn_nll_loss    (LsTeTensor *predictions, LsTeTensor *targets, LsTeTensor *weights, const char *reduction, gint64 ignore_index, GError **error);

/* ---- scan.c, sort.c, scatter.c, place.c, image.c ------------------------------------- */

/* "cumsum" or "cumprod".  axis NULL: of the flattened tensor; dtype NULL: that of x. */
LsTeTensor *ls_topi_scan           (const char *name, LsTeTensor *x, const gint64 *axis, const LsDType *dtype, gboolean exclusive, GError **error);
LsTeTensor *ls_topi_sort           (LsTeTensor *x, gint64 axis, gboolean is_ascend, GError **error);
LsTeTensor *ls_topi_argsort        (LsTeTensor *x, gint64 axis, gboolean is_ascend, LsDType dtype, GError **error);
/* ret_type "both" (values, indices), "values", "indices". An array of TeTensor. */
LsArray    *ls_topi_topk           (LsTeTensor *x, LsExpr *k, gint64 axis, const char *ret_type, gboolean is_ascend, LsDType dtype, GError **error);
/* reduction "update", "add", "mul", "mean", "max", "min". */
LsTeTensor *ls_topi_scatter_elements (LsTeTensor *x, LsTeTensor *indices, LsTeTensor *updates, gint64 axis, const char *reduction, GError **error);
LsTeTensor *ls_topi_scatter_nd     (LsTeTensor *x, LsTeTensor *indices, LsTeTensor *updates, const char *mode, GError **error);
/* src written into x[start:end:step] of an axis; bounds below 0 count from the end. */
LsTeTensor *ls_topi_slice_scatter  (LsTeTensor *x, LsTeTensor *src, LsExpr *start, LsExpr *end, LsExpr *step, gint64 axis, GError **error);
/* How many of the boundaries, sorted upwards, lie below each element; `right`: or are equal to it. */
LsTeTensor *ls_topi_bucketize      (LsTeTensor *x, LsTeTensor *boundaries, gboolean right, LsDType dtype, GError **error);
/* method "nearest_neighbor", "linear", "cubic"; alpha and exclude are those of cubic; coordinate_transformation_mode "half_pixel", "align_corners", "asymmetric",
 * "pytorch_half_pixel"; rounding_method "" for the mode's own. */
LsTeTensor *ls_topi_image_resize2d (LsTeTensor *x, LsArray *size, const char *layout, const char *method, const char *coordinate_transformation_mode,
                                    const char *rounding_method, double alpha, gboolean exclude, const LsDType *out_dtype, GError **error);

/* ---- grid-sample.c, index-put.c -------------------------------------------------------- */

/* An image at the places of a grid with the channels x, y (and z) from -1 to 1: (n, c, h, w) at (n, 2, rows, columns), layout "NCHW", or "NCDHW"; method
 * "bilinear", "nearest", "bicubic" (of two axes); padding_mode "zeros", "border", "reflection". */
LsTeTensor *ls_topi_image_grid_sample (LsTeTensor *x, LsTeTensor *grid, const char *method, const char *layout, const char *padding_mode, gboolean align_corners,
                                       GError **error);
/* values written to the places that tensors of indices (an array of TeTensor) name, one for each of the first axes; accumulate: added to what is there. */
LsTeTensor *ls_topi_index_put      (LsTeTensor *x, LsArray *indices, LsTeTensor *values, gboolean accumulate, GError **error);

/* ---- boxes.c ------------------------------------------------------------------------------ */

/* Boxes (batch, n, 4) of float32, scores (batch, classes, n), and for each class the boxes from the highest score on: as int64 which of these stay, by
 * rank, and how many there are of each class.  One stays where its score is over `least`, fewer than `most` stay before it, and it shares no more than
 * `overlap` of the area of both with any of those.  A box: two corners y, x, y, x, or with `center` x, y, width, height. (transfer full) of TeTensor */
LsArray    *ls_topi_nms_keep       (LsTeTensor *boxes, LsTeTensor *scores, LsTeTensor *order, gint64 most, double overlap, double least, gboolean center, GError **error);
/* Regions (n, 4) of pictures (batch, channels, h, w) in rows x columns parts, (n, channels, rows, columns): of each the mean (or the greatest share) of
 * samples a pixel apart.  `half`: a pixel's place is its middle. */
LsTeTensor *ls_topi_roi_align      (LsTeTensor *x, LsTeTensor *regions, LsTeTensor *batch, gint64 rows, gint64 columns, double scale, gboolean half, gboolean greatest,
                                    GError **error);

G_END_DECLS
