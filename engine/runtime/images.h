/* images: labelled pictures of ten classes and what a classifier says about one, as data for the CLI and the views.
 *
 *   LsImageSet   pixels and labels of an idx file pair (LeCun's format, as MNIST and Fashion-MNIST have it), gzipped or not
 *   LsScores     the logits of one picture: for each class its number, its place on an axis and its share after softmax
 *
 * Fashion-MNIST comes from Debian's package dataset-fashion-mnist; LS_FASHION_MNIST names another folder and
 * LS_DATASETS_PATH another one of data sets.  Where neither is there,
 * the first 500 of its test pictures stand in, which come with Loopscope (data/models/fashion-mnist).
 */
#pragma once

#include "engine/runtime/runtime.h"

G_BEGIN_DECLS

typedef struct {
  guint    n, rows, columns;
  guint8  *pixels;              /* n x rows x columns, 0 black to 255 white */
  guint8  *labels;              /* n */
} LsImageSet;

/* Errors: those of reading, FORMAT, NOT_FOUND with the name of the package. (transfer full) */
LsImageSet  *ls_image_set_read     (const char  *images_path,
                                    const char  *labels_path,
                                    GError     **error);
/* The test set of Fashion-MNIST in `folder`: 10,000 of 28x28, 500 in the sample. (transfer full) */
LsImageSet  *ls_fashion_mnist_read (const char  *folder,
                                    GError     **error);
/* Its folder, be it there or not.  `sample` (out) says that it is the one of 500 pictures. (transfer full) */
char        *ls_fashion_mnist_folder (gboolean  *sample);
void         ls_image_set_free     (LsImageSet  *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsImageSet, ls_image_set_free)
/* rows x columns of one picture. Borrowed. */
const guint8 *ls_image_set_get     (const LsImageSet *self,
                                    guint        number);
/* Pixels / 255 of `count` pictures from `first` on into `out` (float32). */
void         ls_image_set_copy     (const LsImageSet *self,
                                    guint        first,
                                    guint        count,
                                    float       *out);
/* "T-shirt/top" ... "Ankle boot"; the number itself as a text for other classes. Borrowed. */
const char  *ls_fashion_mnist_name (guint        label);
#define LS_FASHION_MNIST_CLASSES 10

typedef struct {
  double value;                 /* the logit */
  double from, to;              /* its bar on an axis from 0 to 1 that holds all logits and 0; from < to */
  double share;                 /* softmax */
} LsScore;

/* What one row of logits says. */
typedef struct {
  guint    n;
  guint    best;                /* the class with the largest logit */
  double   zero;                /* where 0 stands on the axis */
  LsScore *scores;
} LsScores;

/* (transfer full) */
LsScores    *ls_scores_new         (const double *logits,
                                    guint        n);        /* from 1 */
void         ls_scores_free        (LsScores    *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsScores, ls_scores_free)

G_END_DECLS
