/* images: see the header.  An idx file is 0, 0, the type (8: bytes), the number of dimensions, each extent as four bytes with
 * the largest first, then the data. */
#include "engine/runtime/images.h"

#include "engine/base/plural.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

#define DATA_SETS "/usr/share/datasets"
#define MAX_BYTES (256u << 20)

static const char *const NAMES[] = {
  "T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot",
};

const char *
ls_fashion_mnist_name (guint label)
{
  static const char *const NUMBERS[] = { "10", "11", "12", "13", "14", "15" };

  return label < G_N_ELEMENTS (NAMES) ? NAMES[label] : label < 16 ? NUMBERS[label - 10] : "?";
}

/* ---- files -------------------------------------------------------------------------- */

static GBytes *
read_unpacked (const char *path,
               GError    **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GInputStream) stream = G_INPUT_STREAM (g_file_read (file, NULL, error));
  g_autoptr (GInputStream) unpacked = NULL;
  g_autoptr (GByteArray) out = g_byte_array_new ();
  guint8 buffer[65536];
  gssize n;

  if (stream == NULL)
    return NULL;
  if (g_str_has_suffix (path, ".gz"))
    {
      g_autoptr (GZlibDecompressor) zlib = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);

      unpacked = g_converter_input_stream_new (stream, G_CONVERTER (zlib));
    }
  while ((n = g_input_stream_read (unpacked != NULL ? unpacked : stream, buffer, sizeof buffer, NULL, error)) > 0 && out->len < MAX_BYTES)
    g_byte_array_append (out, buffer, (guint) n);
  if (n < 0)
    g_prefix_error (error, "%s: ", path);
  return n < 0 ? NULL : g_byte_array_free_to_bytes (g_steal_pointer (&out));
}

static guint32
big_endian (const guint8 *p)
{
  return (guint32) p[0] << 24 | (guint32) p[1] << 16 | (guint32) p[2] << 8 | p[3];
}

/* The data behind `ndim` extents, or NULL. */
static guint8 *
read_idx (const char *path,
          guint       ndim,
          guint      *extents,
          GError    **error)
{
  g_autoptr (GBytes) bytes = read_unpacked (path, error);
  gsize n, count = 1;
  const guint8 *data;

  if (bytes == NULL)
    return NULL;
  data = g_bytes_get_data (bytes, &n);
  if (n >= 4 + 4 * ndim && data[0] == 0 && data[1] == 0 && data[2] == 8 && data[3] == ndim)
    {
      for (guint i = 0; i < ndim; i++)
        {
          extents[i] = big_endian (data + 4 + 4 * i);
          count = count <= MAX_BYTES && extents[i] <= MAX_BYTES ? count * extents[i] : G_MAXSIZE / 2;
        }
      if (count == n - 4 - 4 * ndim)
        return g_memdup2 (data + 4 + 4 * ndim, MAX (count, 1));
    }
  g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_FORMAT,
               ls_translate_plural ("%s: an idx file of bytes with %u dimension is expected", "%s: an idx file of bytes with %u dimensions is expected", ndim),
               path, ndim);
  return NULL;
}

LsImageSet *
ls_image_set_read (const char *images_path,
                   const char *labels_path,
                   GError    **error)
{
  g_autoptr (LsImageSet) self = g_new0 (LsImageSet, 1);
  guint extents[3], n;

  self->pixels = read_idx (images_path, 3, extents, error);
  self->labels = self->pixels != NULL ? read_idx (labels_path, 1, &n, error) : NULL;
  if (self->labels == NULL)
    return NULL;
  if (n != extents[0])
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_FORMAT, ls_translate ("%s has %u labels, %s has %u images"), labels_path, n, images_path, extents[0]);
      return NULL;
    }
  self->n = n;
  self->rows = extents[1];
  self->columns = extents[2];
  return g_steal_pointer (&self);
}

/* Beside this program, built or installed: the sample, or NULL. */
static char *
find_sample (void)
{
  static const char *const places[] = { "../../data/models", "../../../data/models", "../../../../data/models", "../share/loopscope/models" };
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = program != NULL ? g_path_get_dirname (program) : NULL;

  for (gsize i = 0; folder != NULL && i < G_N_ELEMENTS (places); i++)
    {
      g_autofree char *path = g_build_filename (folder, places[i], "fashion-mnist", NULL);

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        return g_canonicalize_filename (path, NULL);
    }
  return NULL;
}

char *
ls_fashion_mnist_folder (gboolean *sample)
{
  const char *given = g_getenv ("LS_FASHION_MNIST"), *sets = g_getenv ("LS_DATASETS_PATH");
  g_autofree char *folder = given != NULL ? g_strdup (given) : g_build_filename (sets != NULL ? sets : DATA_SETS, "fashion-mnist", NULL);
  char *found = given == NULL && !g_file_test (folder, G_FILE_TEST_IS_DIR) ? find_sample () : NULL;

  *sample = found != NULL;
  return found != NULL ? found : g_steal_pointer (&folder);
}

LsImageSet *
ls_fashion_mnist_read (const char *folder,
                       GError    **error)
{
  g_autofree char *images = g_build_filename (folder, "t10k-images-idx3-ubyte.gz", NULL);
  g_autofree char *labels = g_build_filename (folder, "t10k-labels-idx1-ubyte.gz", NULL);

  if (g_file_test (images, G_FILE_TEST_EXISTS))
    return ls_image_set_read (images, labels, error);
  g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_NOT_FOUND,
               ls_translate ("the test images are not in %s; the package dataset-fashion-mnist brings them, LS_FASHION_MNIST names another folder"), folder);
  return NULL;
}

void
ls_image_set_free (LsImageSet *self)
{
  if (self == NULL)
    return;
  g_free (self->pixels);
  g_free (self->labels);
  g_free (self);
}

const guint8 *
ls_image_set_get (const LsImageSet *self,
                  guint             number)
{
  g_return_val_if_fail (number < self->n, NULL);

  return self->pixels + (gsize) number * self->rows * self->columns;
}

void
ls_image_set_copy (const LsImageSet *self,
                   guint             first,
                   guint             count,
                   float            *out)
{
  gsize size = (gsize) self->rows * self->columns;
  const guint8 *from = self->pixels + first * size;

  g_return_if_fail (first <= self->n && count <= self->n - first);
  for (gsize i = 0; i < count * size; i++)
    out[i] = (float) from[i] / 255.0f;
}

/* ---- scores ---------------------------------------------------------------------------- */

LsScores *
ls_scores_new (const double *logits,
               guint         n)
{
  LsScores *self = g_new0 (LsScores, 1);
  double low = 0, high = 0, sum = 0, width;

  g_return_val_if_fail (n > 0, NULL);
  self->n = n;
  self->scores = g_new0 (LsScore, n);
  for (guint i = 0; i < n; i++)
    {
      low = isfinite (logits[i]) ? MIN (low, logits[i]) : low;
      high = isfinite (logits[i]) ? MAX (high, logits[i]) : high;
      self->best = logits[i] > logits[self->best] ? i : self->best;
    }
  width = high > low ? high - low : 1;
  self->zero = -low / width;
  for (guint i = 0; i < n; i++)
    {
      LsScore *score = &self->scores[i];
      double place = isfinite (logits[i]) ? (logits[i] - low) / width : self->zero;

      *score = (LsScore) { logits[i], MIN (place, self->zero), MAX (place, self->zero), exp (logits[i] - logits[self->best]) };
      sum += score->share;
    }
  for (guint i = 0; i < n; i++)
    self->scores[i].share /= sum;
  return self;
}

void
ls_scores_free (LsScores *self)
{
  if (self == NULL)
    return;
  g_free (self->scores);
  g_free (self);
}
