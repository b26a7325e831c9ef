/* llvm/reader: see the header.  The worker lives in a main context of its own, which whoever asks takes along: questions come from several threads, one at a time. */
#include "app/llvm/reader.h"

#include "app/rpc/rpc.h"

#include <string.h>

#define TIMEOUT_MS 20000

typedef struct {
  GMainContext *context;
  LsWorker     *worker;
  GHashTable   *refused;        /* text's hash to sentence: what ended LLVM once is not asked again */
} Reader;

static void
reader_free (gpointer data)
{
  Reader *self = data;

  g_main_context_push_thread_default (self->context);
  g_object_unref (self->worker);
  g_main_context_pop_thread_default (self->context);
  g_main_context_unref (self->context);
  g_hash_table_unref (self->refused);
  g_free (self);
}

static GArray *
take_numbers (GVariant *numbers)
{
  gsize n;
  const guint32 *data = g_variant_get_fixed_array (numbers, &n, sizeof (guint32));
  GArray *array = g_array_new (FALSE, FALSE, sizeof (guint));

  for (gsize i = 0; i < n; i++)
    {
      guint number = data[i];

      g_array_append_val (array, number);
    }
  return array;
}

/* (transfer full) */
static GPtrArray *
take_operations (GVariant *rows)
{
  GPtrArray *operations = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_pass_operation_free);

  for (gsize i = 0; i < g_variant_n_children (rows); i++)
    {
      LsPassOperation *op = g_new0 (LsPassOperation, 1);
      g_autoptr (GVariant) results = NULL, operands = NULL;

      g_variant_get_child (rows, i, "(ss@au@au)", &op->name, &op->shape, &results, &operands);
      op->line = (guint) i;
      op->results = take_numbers (results);
      op->operands = take_numbers (operands);
      g_ptr_array_add (operations, op);
    }
  return operations;
}

/* LLVM's sentence without the name of the buffer and the lines that show the place: "3:14: expected type". (transfer full) */
static char *
short_words (const char *refused)
{
  const char *at = g_str_has_prefix (refused, "dump:") ? refused + strlen ("dump:") : refused;
  g_autofree char *line = g_strndup (at, strcspn (at, "\n"));
  g_auto (GStrv) pieces = g_strsplit (line, " error: ", 2);

  return g_strdup_printf ("LLVM: %s%s%s", pieces[0], pieces[0] != NULL && pieces[1] != NULL ? " " : "", pieces[0] != NULL && pieces[1] != NULL ? pieces[1] : "");
}

static GVariant *
call (Reader            *self,
      const char        *module,
      const char *const *functions,
      GError           **error)
{
  const LsWorkerOptions options = { .timeout_ms = TIMEOUT_MS };
  GVariant *answer;
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", module);
  g_variant_dict_insert (&params, "functions", "^as", functions);
  g_main_context_push_thread_default (self->context);
  answer = ls_worker_call (self->worker, "read-foreign", g_variant_dict_end (&params), &options, NULL, NULL, NULL, error);
  g_main_context_pop_thread_default (self->context);
  return answer;
}

/* LsPassIrRead */
static GHashTable *
read_functions (const char        *module,
                const char *const *functions,
                char             **words,
                gpointer           data)
{
  Reader *self = data;
  guint64 key = g_str_hash (module) + ((guint64) strlen (module) << 32);
  const char *ended = g_hash_table_lookup (self->refused, &key);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = NULL, rows = NULL;
  GHashTable *found;

  if (ended == NULL && !g_utf8_validate (module, -1, NULL))
    ended = ls_pass_reason_text (LS_PASS_REASON_BYTES);
  if (ended == NULL)
    answer = call (self, module, functions, &error);
  if (answer == NULL)
    {
      *words = ended != NULL ? g_strdup (ended) : ls_pass_reason_new (LS_PASS_REASON_SILENT, error->message, NULL);
      if (ended == NULL)
        g_hash_table_insert (self->refused, g_memdup2 (&key, sizeof key), g_strdup (*words));
      return NULL;
    }
  if (*ls_params_string (answer, "refused", "") != '\0')
    {
      *words = short_words (ls_params_string (answer, "refused", ""));
      return NULL;
    }
  *words = g_strdup (ls_params_string (answer, "version", "LLVM"));
  found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
  rows = g_variant_lookup_value (answer, "functions", G_VARIANT_TYPE ("a(sa(ssauau))"));
  for (gsize i = 0; rows != NULL && i < g_variant_n_children (rows); i++)
    {
      g_autoptr (GVariant) operations = NULL;
      char *name;

      g_variant_get_child (rows, i, "(s@a(ssauau))", &name, &operations);
      g_hash_table_insert (found, name, take_operations (operations));
    }
  return found;
}

static gboolean
has_llvm (LsPassLog *log)
{
  for (guint i = 0; i < log->dumps->len; i++)
    if (g_array_index (log->dumps, LsPassDump, i).language == LS_PASS_LOG_LLVM)
      return TRUE;
  return FALSE;
}

void
ls_llvm_reader_set (LsPassLog *log)
{
  Reader *self;

  if (!has_llvm (log))
    return;
  self = g_new0 (Reader, 1);
  self->context = g_main_context_new ();
  self->refused = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  g_main_context_push_thread_default (self->context);
  self->worker = ls_worker_new ();
  g_main_context_pop_thread_default (self->context);
  ls_pass_log_set_ir (log, read_functions, self, reader_free);
}
