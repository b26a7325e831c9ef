/* The method blas: how long OpenBLAS takes for a matrix product of this size, on one thread: what a schedule is held to. */
#include "app/worker/server.h"

#include "engine/runtime/runtime.h"

#include <dlfcn.h>
#include <string.h>

#define MOST 8192

typedef void (*Sgemm) (int order, int trans_a, int trans_b, int m, int n, int k, float alpha, const float *a, int lda,
                       const float *b, int ldb, float beta, float *c, int ldc);
typedef void (*Dgemm) (int order, int trans_a, int trans_b, int m, int n, int k, double alpha, const double *a, int lda,
                       const double *b, int ldb, double beta, double *c, int ldc);

typedef struct {
  Sgemm    sgemm;
  Dgemm    dgemm;
  gboolean wide;                /* double */
  gboolean turned;              /* B as (m, k) */
  int      n, m, k;
  void    *a, *b, *c;
} Product;

static int
multiply (void *closure)
{
  const Product *p = closure;
  int turned = p->turned ? 112 : 111, ldb = p->turned ? p->k : p->m;

  if (p->wide)
    p->dgemm (101, 111, turned, p->n, p->m, p->k, 1.0, p->a, p->k, p->b, ldb, 0.0, p->c, p->m);
  else
    p->sgemm (101, 111, turned, p->n, p->m, p->k, 1.0f, p->a, p->k, p->b, ldb, 0.0f, p->c, p->m);
  return 0;
}

static void *
fill (gsize    n,
      gboolean wide)
{
  void *data = g_malloc0 (n * (wide ? sizeof (double) : sizeof (float)));

  for (gsize i = 0; i < n; i++)
    if (wide)
      ((double *) data)[i] = (double) (i % 17) / 17.0;
    else
      ((float *) data)[i] = (float) (i % 17) / 17.0f;
  return data;
}

static gboolean
find (Product *self,
      void    *library)
{
  void *symbol = library != NULL ? dlsym (library, self->wide ? "cblas_dgemm" : "cblas_sgemm") : NULL;

  if (self->wide)
    memcpy (&self->dgemm, &symbol, sizeof symbol);
  else
    memcpy (&self->sgemm, &symbol, sizeof symbol);
  return symbol != NULL;
}

/* On one thread; the number of threads is what it was afterwards. */
static LsTiming *
time_product (Product  *self,
              void     *library,
              gint64    samples,
              gboolean *pinned,
              GError  **error)
{
  LsTimeOptions options = LS_TIME_OPTIONS_DEFAULT;
  void *set = dlsym (library, "openblas_set_num_threads"), *get = dlsym (library, "openblas_get_num_threads");
  void (*set_threads) (int) = NULL;
  int (*get_threads) (void) = NULL;
  LsTiming *timing;
  int before = 0;

  memcpy (&set_threads, &set, sizeof set);
  memcpy (&get_threads, &get, sizeof get);
  if (get_threads != NULL)
    before = get_threads ();
  if (set_threads != NULL)
    set_threads (1);
  options.n_samples = (int) CLAMP (samples, 1, 1000);
  options.budget_ns = 2000000000;
  *pinned = ls_host_pin_thread (0);
  timing = ls_time_evaluate (multiply, self, &options, NULL, error);
  if (*pinned)
    ls_host_unpin_thread ();
  if (set_threads != NULL && before > 0)
    set_threads (before);
  return timing;
}

/* n, m, k, dtype ("float32", "float64"), turned, samples -> min, median (ns), library, pinned. */
static GVariant *
method_blas (LsRequest  *request,
             GVariant   *params,
             GError    **error)
{
  g_autofree char *library_words = ls_blas_describe ();
  Product self = { .n = (int) ls_params_int (params, "n", 0), .m = (int) ls_params_int (params, "m", 0),
                   .k = (int) ls_params_int (params, "k", 0), .turned = ls_params_bool (params, "turned", FALSE),
                   .wide = g_strcmp0 (ls_params_string (params, "dtype", "float32"), "float64") == 0 };
  void *library = dlopen ("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
  g_autoptr (LsTiming) timing = NULL;
  gboolean pinned = FALSE;
  GVariantDict dict;

  if (self.n < 1 || self.m < 1 || self.k < 1 || self.n > MOST || self.m > MOST || self.k > MOST || !find (&self, library))
    {
      ls_worker_refuse (error, "no product of that size: %s", library_words);
      return NULL;
    }
  self.a = fill ((gsize) self.n * (gsize) self.k, self.wide);
  self.b = fill ((gsize) self.k * (gsize) self.m, self.wide);
  self.c = fill ((gsize) self.n * (gsize) self.m, self.wide);
  timing = time_product (&self, library, ls_params_int (params, "samples", 30), &pinned, error);
  g_free (self.a);
  g_free (self.b);
  g_free (self.c);
  if (timing == NULL)
    return NULL;
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "min", "d", timing->min);
  g_variant_dict_insert (&dict, "median", "d", timing->median);
  g_variant_dict_insert (&dict, "library", "s", library_words);
  g_variant_dict_insert (&dict, "pinned", "b", pinned);
  return g_variant_dict_end (&dict);
}

const LsMethod ls_methods_blas[] = {
  { "blas", method_blas, "Times a matrix product of OpenBLAS on one thread." },
  { NULL, NULL, NULL },
};
