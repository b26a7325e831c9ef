/* LsImageView: a picture of a data set, its label, and what a classifier says about it: a bar for each logit on one axis, the
 * prediction marked.  Nothing is shown as true by colour alone: the label and the prediction stand in words.
 */
#pragma once

#include "engine/runtime/images.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_TYPE_IMAGE_VIEW (ls_image_view_get_type ())
G_DECLARE_FINAL_TYPE (LsImageView, ls_image_view, LS, IMAGE_VIEW, GtkWidget)

GtkWidget *ls_image_view_new          (void);
/* Shows picture `number` with its label; what was said about another one goes. */
void       ls_image_view_set_picture  (LsImageView      *self,
                                       const LsImageSet *images,
                                       guint             number);
/* The logits of the picture, one for each class; n 0: none. */
void       ls_image_view_set_logits   (LsImageView      *self,
                                       const double     *logits,
                                       guint             n);

G_END_DECLS
