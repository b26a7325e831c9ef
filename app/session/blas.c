/* session/blas: what OpenBLAS takes for the product in the opened program, beside the measured times.
 *
 * A program holds a product when a block of it adds A[i, k] * B[k, j] (or B[j, k]) into C[i, j] over whole matrices of one
 * floating type.  It is asked for once in a document, after the first step was measured, and is the time of the product
 * alone.
 */
#include "app/session/blas.h"

#include "app/session/asked.h"
#include "views/models/format.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct {
  gint64      n, m, k;
  const char *dtype;
  gboolean    turned;
} Product;

static gboolean
is_matrix (LsBufferLoad *load,
           gint64        shape[2])
{
  return ls_is (load, BUFFER_LOAD) && ls_array_n (load->indices) == 2 && ls_array_n (load->buffer->shape) == 2 &&
         ls_as_int (ls_array_at (load->buffer->shape, 0, LsExpr), &shape[0]) &&
         ls_as_int (ls_array_at (load->buffer->shape, 1, LsExpr), &shape[1]);
}

static gboolean
indexed (LsArray *indices,
         LsNode  *first,
         LsNode  *second)
{
  return indices->items[0] == first && indices->items[1] == second;
}

/* C[i, j] = C[i, j] + A[i, k] * B[k, j] */
static gboolean
read_product (LsBufferStore *store,
              Product       *product)
{
  LsBinary *sum = (LsBinary *) store->value, *term;
  LsBufferLoad *a, *b;
  gint64 left[2], right[2];
  LsNode *i, *j, *k;

  if (!ls_is (sum, ADD) || !ls_is (sum->b, MUL) || ls_array_n (store->indices) != 2 || !ls_is (sum->a, BUFFER_LOAD) ||
      ((LsBufferLoad *) sum->a)->buffer != store->buffer)
    return FALSE;
  term = (LsBinary *) sum->b;
  a = (LsBufferLoad *) term->a;
  b = (LsBufferLoad *) term->b;
  if (!is_matrix (a, left) || !is_matrix (b, right) || a->buffer->dtype.bits != b->buffer->dtype.bits)
    return FALSE;
  i = store->indices->items[0];
  j = store->indices->items[1];
  k = a->indices->items[1];
  product->turned = indexed (b->indices, j, k);
  if (a->indices->items[0] != i || (!product->turned && !indexed (b->indices, k, j)))
    return FALSE;
  *product = (Product) { left[0], product->turned ? right[0] : right[1], left[1], ls_dtype_name (a->buffer->dtype), product->turned };
  return left[1] == right[product->turned ? 1 : 0] &&
         (strcmp (product->dtype, "float32") == 0 || strcmp (product->dtype, "float64") == 0);
}

typedef struct {
  Product  product;
  gboolean found;
} Search;

static LsWalk
look (LsNode   *node,
      gpointer  data)
{
  Search *search = data;

  if (ls_is (node, BUFFER_STORE) && read_product ((LsBufferStore *) node, &search->product))
    search->found = TRUE;
  return search->found ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

static gboolean
find_product (LsModule *module,
              Product  *product)
{
  Search search = { .found = FALSE };

  for (guint i = 0; i < ls_array_n (module->functions) && !search.found; i++)
    if (ls_is (module->functions->items[i], PRIM_FUNC))
      ls_walk (((LsPrimFunc *) module->functions->items[i])->body, look, NULL, &search);
  *product = search.product;
  return search.found;
}

/* ---- the call -------------------------------------------------------------------- */

struct _LsBlas
{
  LsSession  *session;
  LsDocument *document;
  LsWorker   *worker;
  double      seconds;          /* 0: unknown */
  guint       number;           /* of the document that it was asked for */
  GCancellable *asking;         /* of the question under way, or NULL */
};

static char *
blas_words (LsBlas *self)
{
  LsHistoryNode *node = ls_document_get_node (self->document);
  g_autofree char *time = ls_format_time (self->seconds);
  g_autofree char *factor = NULL;

  if (node->time.samples == 0 || node->stale)
    return g_strdup_printf (_("OpenBLAS %s on one thread"), time);
  factor = ls_format_factor (node->time.median / self->seconds);
  /* Translators: OpenBLAS 15 µs on one thread, this step takes ×3.2 of it */
  return g_strdup_printf (_("OpenBLAS %s on one thread, this step %s of that"), time, factor);
}

void
ls_blas_show (LsBlas     *self,
              const char *time_error)
{
  LsHistoryNode *node = ls_document_get_node (self->document);
  g_autofree char *blas = node != NULL && self->seconds > 0.0 ? blas_words (self) : NULL;
  g_autofree char *words = NULL;

  if (blas == NULL)
    return;
  words = node->conditions != NULL ? g_strconcat (blas, LS_PARTS, node->conditions, NULL) : g_steal_pointer (&blas);
  ls_session_set_conditions (self->session, words, time_error);
}

static void
answered (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  g_autoptr (LsSession) session = NULL;
  LsBlas *self = ls_asked_end (data, &session);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);

  if (self == NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->asking);
  if (answer == NULL || ls_document_get_node (self->document) == NULL || self->number != ls_document_get (self->document)->number)
    return;
  self->seconds = ls_params_double (answer, "median", 0.0) * 1e-9;
  ls_blas_show (self, ls_session_get_time_error (self->session));
}

void
ls_blas_ask (LsBlas *self)
{
  guint number = ls_document_get (self->document)->number;
  LsModule *base = ls_document_get_base (self->document);
  GVariantDict params;
  Product product;

  if (base == NULL || self->number == number)
    return;
  self->number = number;
  self->seconds = 0.0;
  if (!find_product (base, &product))
    return;
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "n", "x", product.n);
  g_variant_dict_insert (&params, "m", "x", product.m);
  g_variant_dict_insert (&params, "k", "x", product.k);
  g_variant_dict_insert (&params, "dtype", "s", product.dtype);
  g_variant_dict_insert (&params, "turned", "b", product.turned);
  ls_blas_cancel (self);
  self->number = number;
  self->asking = g_cancellable_new ();
  ls_worker_call_async (self->worker, "blas", g_variant_dict_end (&params), NULL, self->asking, answered, ls_asked_new (self->session, self));
}

void
ls_blas_cancel (LsBlas *self)
{
  if (self->asking == NULL)
    return;
  g_cancellable_cancel (self->asking);
  g_clear_object (&self->asking);
  self->number = 0;
}

/* ---- life ------------------------------------------------------------------------- */

LsBlas *
ls_blas_new (LsSession  *session,
             LsDocument *document,
             LsWorker   *worker)
{
  LsBlas *self = g_new0 (LsBlas, 1);

  self->session = session;
  self->document = g_object_ref (document);
  self->worker = g_object_ref (worker);
  return self;
}

void
ls_blas_free (LsBlas *self)
{
  ls_blas_cancel (self);
  g_object_unref (self->document);
  g_object_unref (self->worker);
  g_free (self);
}
