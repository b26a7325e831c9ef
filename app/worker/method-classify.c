/* The method classify: a model on pictures of Fashion-MNIST through the virtual machine.
 *
 * The model's function takes one picture (its only parameter that no weight is named after) and gives logits in the last dimension.
 * For the whole test set the same weights also go through OpenBLAS called directly (two matrix-vector products, no
 * virtual machine), in the same process and in turns, so that the two times compare.
 */
#include "app/worker/program.h"
#include "engine/codegen/vm-build.h"
#include "engine/runtime/images.h"
#include "engine/runtime/weights.h"

#include <inttypes.h>
#include <dlfcn.h>
#include <string.h>

#define ROUNDS 3
#define WARM_UP 200

typedef struct {
  LsVMExecutable *executable;
  LsKernel       *kernel;
  LsVM           *vm;
  LsImageSet     *images;
  GHashTable     *weights;      /* or NULL */
  const char     *func;
  LsVMValue     **args;         /* one for each parameter */
  guint           n_args, picture;      /* which one is the picture */
  LsNDArray      *input;        /* its array */
} Classifier;

static void
classifier_clear (Classifier *self)
{
  for (guint i = 0; i < self->n_args; i++)
    if (self->args[i] != NULL)
      ls_vm_value_unref (self->args[i]);
  g_free (self->args);
  ls_vm_free (self->vm);
  ls_kernel_free (self->kernel);
  ls_vm_executable_unref (self->executable);
  ls_image_set_free (self->images);
  g_clear_pointer (&self->weights, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Classifier, classifier_clear)

/* ---- the model ------------------------------------------------------------------------ */

static LsVMExecutable *
read_executable (GVariant *params,
                 GError  **error)
{
  const char *path = ls_params_string (params, "executable", NULL);
  const char *text = path == NULL ? ls_params_require_string (params, "module", error) : NULL;
  g_autoptr (LsVMExecutable) executable = NULL;
  g_autofree char *data = NULL;
  gsize n;

  if (path != NULL && g_file_get_contents (path, &data, &n, error))
    {
      g_autoptr (GBytes) bytes = g_bytes_new_take (g_steal_pointer (&data), n);

      executable = ls_vm_executable_load (bytes, error);
      if (executable == NULL)
        g_prefix_error (error, "%s: ", path);
    }
  else if (text != NULL)
    {
      g_autoptr (LsTarget) target = ls_target_parse (ls_params_string (params, "target", NULL), error);
      g_autoptr (LsModule) module = target != NULL ? ls_program_read_module (text, error) : NULL;

      executable = module != NULL ? ls_vm_build (module, target, NULL, error) : NULL;
    }
  return g_steal_pointer (&executable);
}

static gboolean
load_model (Classifier *self,
            GVariant   *params,
            GError    **error)
{
  LsJit *jit = ls_program_jit (error);

  self->func = ls_params_string (params, "func", "main");
  self->executable = jit != NULL ? read_executable (params, error) : NULL;
  if (self->executable == NULL)
    return FALSE;
  self->kernel = ls_vm_link (jit, self->executable, error);
  if (self->kernel == NULL && self->executable->code != NULL)
    return FALSE;
  self->vm = ls_vm_new (self->executable, ls_vm_resolve_kernel, self->kernel, error);
  return self->vm != NULL;
}

/* The array of a parameter such as "x: (1, 784) float32" that holds one picture: extents of 1 before those of the picture. */
static LsNDArray *
picture_array (Classifier *self,
               const char *param,
               GError    **error)
{
  gint64 shape[4] = { 1, 1, self->images->rows, self->images->columns }, all = (gint64) self->images->rows * self->images->columns;
  const char *open = strchr (param, '('), *close = open != NULL ? strchr (open, ')') : NULL;
  g_autofree char *list = close != NULL ? g_strndup (open + 1, (gsize) (close - open - 1)) : NULL;
  g_auto (GStrv) extents = list != NULL ? g_strsplit (list, ",", -1) : NULL;
  guint n = extents != NULL ? g_strv_length (extents) : 0, first;

  n -= n > 0 && *g_strstrip (extents[n - 1]) == 0;
  first = n > 4 ? 4 : 4 - n;
  if (n == 1 || n == 2)
    {
      shape[3] = all;
      shape[2] = 1;
    }
  for (guint i = 0; i < n && n <= 4; i++)
    if (g_ascii_isdigit (*g_strstrip (extents[i])) && g_ascii_strtoll (extents[i], NULL, 10) != shape[first + i])
      n = 0;
  if (n >= 1 && n <= 4 && strstr (close, "float32") != NULL)
    return ls_ndarray_new ((int) n, shape + first, LS_DT_FLOAT32, error);
  ls_worker_refuse (error, "the parameter %s of %s takes no picture: (1, %" PRId64 "), (1, %u, %u) or (1, 1, %u, %u) float32 is expected", param, self->func, all,
         self->images->rows, self->images->columns, self->images->rows, self->images->columns);
  return NULL;
}

/* The parameters' values: weights by name, the picture for the one that is left. */
static gboolean
bind_arguments (Classifier *self,
                GError    **error)
{
  int number = ls_vm_executable_find (self->executable, self->func);
  g_autoptr (GString) open = g_string_new (NULL);
  LsVMFunction *function;
  guint n_open = 0;

  if (number < 0)
    return ls_worker_refuse (error, "the model has no function %s", self->func);
  function = self->executable->functions->pdata[number];
  self->n_args = function->n_params;
  self->args = g_new0 (LsVMValue *, self->n_args + 1);
  for (guint i = 0; i < self->n_args; i++)
    {
      g_autofree char *name = g_strndup (function->params[i], strcspn (function->params[i], ":"));
      LsNDArray *array = self->weights != NULL ? g_hash_table_lookup (self->weights, name) : NULL;

      if (array != NULL)
        {
          self->args[i] = ls_vm_tensor (ls_ndarray_ref (array));
          continue;
        }
      g_string_append_printf (open, "%s%s", n_open > 0 ? ", " : "", name);
      self->picture = n_open++ == 0 ? i : self->picture;
    }
  if (n_open == 0)
    return ls_worker_refuse (error, "all parameters of %s are weights; one takes the picture", self->func);
  if (n_open > 1)
    return ls_worker_refuse (error, "%s takes %s: one is the picture, the others are in no file of weights%s", self->func, open->str,
                  self->weights == NULL ? "; --weights names one" : "");
  self->input = picture_array (self, function->params[self->picture], error);
  if (self->input != NULL)
    self->args[self->picture] = ls_vm_tensor (self->input);
  return self->input != NULL;
}

/* ---- running ------------------------------------------------------------------------------ */

/* The tensor of logits of a result: itself, or the first field of a tuple.  Borrowed. */
static LsDLTensor *
logits_of (Classifier *self,
           LsVMValue  *result,
           GError    **error)
{
  g_autofree char *what = NULL;

  while (result->kind == LS_VM_TUPLE && result->n > 0)
    result = result->items[0];
  if (result->kind == LS_VM_TENSOR && result->tensor->tensor.ndim > 0 && ls_dl_dtype_is_float (result->tensor->tensor.dtype)
      && result->tensor->tensor.shape[result->tensor->tensor.ndim - 1] > 0
      && ls_tensor_n_elements (&result->tensor->tensor) == result->tensor->tensor.shape[result->tensor->tensor.ndim - 1])
    return &result->tensor->tensor;
  what = ls_vm_value_describe (result);
  ls_worker_refuse (error, "%s gives %s; one row of logits is expected", self->func, what);
  return NULL;
}

static guint
largest (const LsDLTensor *logits)
{
  gint64 n = ls_tensor_n_elements (logits), best = 0;

  for (gint64 i = 1; i < n; i++)
    if (ls_tensor_get_double (logits, i) > ls_tensor_get_double (logits, best))
      best = i;
  return (guint) best;
}

static GVariant *
classify_one (Classifier *self,
              gint64      number,
              GError    **error)
{
  g_autoptr (LsVMValue) result = NULL;
  GVariantBuilder list;
  GVariantDict dict;
  LsDLTensor *logits;
  gint64 start, ns;

  if (number < 0 || number >= self->images->n)
    {
      ls_worker_refuse (error, "there is no image %" PRId64 "; they go from 0 to %u", number, self->images->n - 1);
      return NULL;
    }
  ls_image_set_copy (self->images, (guint) number, 1, self->input->tensor.data);
  start = ls_clock_ns ();
  result = ls_vm_call (self->vm, self->func, self->args, self->n_args, error);
  ns = ls_clock_ns () - start;
  logits = result != NULL ? logits_of (self, result, error) : NULL;
  if (logits == NULL)
    return NULL;
  g_variant_builder_init (&list, G_VARIANT_TYPE ("ad"));
  for (gint64 i = 0; i < ls_tensor_n_elements (logits); i++)
    g_variant_builder_add (&list, "d", ls_tensor_get_double (logits, i));
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "image", "x", number);
  g_variant_dict_insert (&dict, "label", "u", self->images->labels[number]);
  g_variant_dict_insert (&dict, "prediction", "u", largest (logits));
  g_variant_dict_insert_value (&dict, "logits", g_variant_builder_end (&list));
  g_variant_dict_insert (&dict, "run-ns", "x", ns);
  return g_variant_dict_end (&dict);
}

/* Nanoseconds for the pictures, or -1; counts the right ones of each class. */
static gint64
classify_all (Classifier *self,
              guint       n,
              guint      *right,
              GError    **error)
{
  gint64 start = ls_clock_ns ();

  memset (right, 0, 256 * sizeof *right);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (LsVMValue) result = NULL;
      LsDLTensor *logits;

      ls_image_set_copy (self->images, i, 1, self->input->tensor.data);
      result = ls_vm_call (self->vm, self->func, self->args, self->n_args, error);
      logits = result != NULL ? logits_of (self, result, error) : NULL;
      if (logits == NULL)
        {
          g_prefix_error (error, ls_translate ("image %u: "), i);
          return -1;
        }
      right[self->images->labels[i]] += largest (logits) == self->images->labels[i];
    }
  return ls_clock_ns () - start;
}

/* ---- OpenBLAS called directly ----------------------------------------------------------------- */

typedef void (*Sgemv) (int order, int trans, int m, int n, float alpha, const float *a, int lda, const float *x, int incx, float beta, float *y, int incy);

typedef struct {
  Sgemv        sgemv;
  const float *w[2], *b[2];
  int          rows[2], columns[2];
} Direct;

static const float *
floats (GHashTable *weights,
        const char *name,
        int         ndim,
        int        *rows,
        int        *columns)
{
  LsNDArray *array = weights != NULL ? g_hash_table_lookup (weights, name) : NULL;

  if (array == NULL || array->tensor.ndim != ndim || !ls_dl_dtype_equal (array->tensor.dtype, LS_DT_FLOAT32) || array->tensor.shape[0] > 4096)
    return NULL;
  *rows = (int) array->tensor.shape[0];
  *columns = ndim == 2 ? (int) array->tensor.shape[1] : 1;
  return array->tensor.data;
}

/* TRUE when the weights are w0, b0, w1, b1 of two layers for these pictures and OpenBLAS is there. */
static gboolean
direct_init (Direct     *self,
             Classifier *model)
{
  void *library = dlopen ("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL), *symbol = library != NULL ? dlsym (library, "cblas_sgemv") : NULL;
  int n[2], one;

  memcpy (&self->sgemv, &symbol, sizeof symbol);
  self->w[0] = floats (model->weights, "w0", 2, &self->rows[0], &self->columns[0]);
  self->w[1] = floats (model->weights, "w1", 2, &self->rows[1], &self->columns[1]);
  self->b[0] = floats (model->weights, "b0", 1, &n[0], &one);
  self->b[1] = floats (model->weights, "b1", 1, &n[1], &one);
  return self->sgemv != NULL && self->w[0] != NULL && self->w[1] != NULL && self->b[0] != NULL && self->b[1] != NULL
         && self->columns[0] == (int) (model->images->rows * model->images->columns) && self->columns[1] == self->rows[0]
         && n[0] == self->rows[0] && n[1] == self->rows[1] && self->rows[1] > 0;
}

static void
direct_layer (const Direct *self,
              guint         i,
              const float  *x,
              float        *y)
{
  memcpy (y, self->b[i], sizeof (float) * (gsize) self->rows[i]);
  self->sgemv (101, 111, self->rows[i], self->columns[i], 1, self->w[i], self->columns[i], x, 1, 1, y, 1);
}

static gint64
direct_all (const Direct *self,
            LsImageSet   *images,
            guint         n,
            guint        *right)
{
  g_autofree float *x = g_new (float, (gsize) images->rows * images->columns), *hidden = g_new (float, self->rows[0]), *y = g_new (float, self->rows[1]);
  gint64 start = ls_clock_ns ();

  *right = 0;
  for (guint i = 0; i < n; i++)
    {
      int best = 0;

      ls_image_set_copy (images, i, 1, x);
      direct_layer (self, 0, x, hidden);
      for (int k = 0; k < self->rows[0]; k++)
        hidden[k] = MAX (hidden[k], 0);
      direct_layer (self, 1, hidden, y);
      for (int k = 1; k < self->rows[1]; k++)
        best = y[k] > y[best] ? k : best;
      *right += best == images->labels[i];
    }
  return ls_clock_ns () - start;
}

static GVariant *
classify_set (Classifier *self,
              LsRequest  *request,
              GError    **error)
{
  guint right[256], direct_right = 0, n = self->images->n, total = 0;
  gint64 best = G_MAXINT64, direct_best = G_MAXINT64;
  GVariantBuilder classes;
  GVariantDict dict;
  Direct direct;
  gboolean compare = direct_init (&direct, self);
  guint of_class[LS_FASHION_MNIST_CLASSES] = { 0 };

  if (classify_all (self, MIN (n, WARM_UP), right, error) < 0)
    return NULL;
  for (guint round = 0; round < ROUNDS; round++)
    {
      gint64 ns = classify_all (self, n, right, error);

      if (ns < 0)
        return NULL;
      best = MIN (best, ns);
      ns = compare ? direct_all (&direct, self->images, n, &direct_right) : 0;
      direct_best = MIN (direct_best, ns);
      ls_request_progress (request, (round + 1.0) / ROUNDS, "classify");
    }
  for (guint i = 0; i < n; i++)
    if (self->images->labels[i] < LS_FASHION_MNIST_CLASSES)
      of_class[self->images->labels[i]]++;
  g_variant_builder_init (&classes, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < LS_FASHION_MNIST_CLASSES; i++)
    {
      GVariantDict row;

      total += right[i];
      g_variant_dict_init (&row, NULL);
      g_variant_dict_insert (&row, "name", "s", ls_fashion_mnist_name (i));
      g_variant_dict_insert (&row, "right", "u", right[i]);
      g_variant_dict_insert (&row, "images", "u", of_class[i]);
      g_variant_builder_add_value (&classes, g_variant_dict_end (&row));
    }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "images", "u", n);
  g_variant_dict_insert (&dict, "right", "u", total);
  g_variant_dict_insert (&dict, "vm-ns", "d", (double) best / n);
  if (compare)
    {
      g_variant_dict_insert (&dict, "openblas-ns", "d", (double) direct_best / n);
      g_variant_dict_insert (&dict, "openblas-right", "u", direct_right);
    }
  g_variant_dict_insert_value (&dict, "classes", g_variant_builder_end (&classes));
  return g_variant_dict_end (&dict);
}

/* pictures (a folder), module or executable (a path), func, weights (a path), image or all -> of one: image, label, prediction, logits ad, run-ns; of
 * all: images, right, vm-ns and openblas-ns of one image, classes aa{sv} */
static GVariant *
method_classify (LsRequest  *request,
                 GVariant   *params,
                 GError    **error)
{
  const char *weights = ls_params_string (params, "weights", NULL);
  g_auto (Classifier) self = { 0 };

  self.images = ls_fashion_mnist_read (ls_params_string (params, "pictures", ""), error);
  if (self.images == NULL)
    return NULL;
  if (weights != NULL && (self.weights = ls_weights_read (weights, error)) == NULL)
    return NULL;
  if (!load_model (&self, params, error) || !bind_arguments (&self, error))
    return NULL;
  return ls_params_bool (params, "all", FALSE) ? classify_set (&self, request, error) : classify_one (&self, ls_params_int (params, "image", 0), error);
}

const LsMethod ls_methods_classify[] = {
  { "classify", method_classify, "Runs a model on pictures of Fashion-MNIST." },
  { NULL, NULL, NULL },
};
