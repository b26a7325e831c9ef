/* models: Relax programs of any size, as text: what graphs, their layouts and their windows are tried on. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Encoder layers (30 calls each) with weights called layers_0_q_proj_weight and so on. (transfer full) */
char *ls_model_transformer (guint n_layers);
/* Residual blocks of two convolutions, batch_norm and relu, with weights called layer1_0_conv1_weight and so on. (transfer full) */
char *ls_model_resnet      (guint n_blocks);
/* Calls of add on values drawn at random from those before; every tenth uses one of the first few, which so go to many places.
 * (transfer full) */
char *ls_model_random      (guint n_calls,
                            guint seed);

G_END_DECLS
