/* session/equality: answers by program.
 *
 * What was found stays for as long as the session is open, by the two programs and not by the numbers of their steps: a
 * replayed history has other programs under the same numbers.
 */
#include "app/session/equality.h"

#include "app/session/asked.h"
#include "app/session/run.h"
#include "engine/script/printer.h"
#include "engine/tir/signature.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#define INPUTS 10
#define BUDGET_MS 5000
#define TIMEOUT_MS 60000

typedef struct {
  LsModule  *left;
  LsModule  *right;
  LsResults *results;
} Pair;

struct _LsEquality
{
  LsSession    *session;
  LsDocument   *document;
  LsWorker     *worker;
  GPtrArray    *pairs;          /* of Pair: what is known */
  GCancellable *trying;         /* of the call under way, or NULL */
};

typedef struct {
  LsAsked    *asked;
  LsEquality *asker;            /* borrowed; who cancels hears nothing more of it */
  LsModule   *left;
  LsModule   *right;
} Question;

static void
pair_free (gpointer data)
{
  Pair *self = data;

  ls_unref (self->left);
  ls_unref (self->right);
  ls_results_free (self->results);
  g_free (self);
}

static Pair *
find_pair (LsEquality *self,
           LsModule   *left,
           LsModule   *right)
{
  for (guint i = 0; i < self->pairs->len; i++)
    {
      Pair *pair = g_ptr_array_index (self->pairs, i);

      if (pair->left == left && pair->right == right)
        return pair;
    }
  return NULL;
}

/* Takes `results`; NULL: what is known of the two is forgotten. */
static void
keep (LsEquality *self,
      LsModule   *left,
      LsModule   *right,
      LsResults  *results)
{
  Pair *pair = find_pair (self, left, right);

  if (pair != NULL)
    g_ptr_array_remove (self->pairs, pair);
  if (results != NULL)
    {
      pair = g_new (Pair, 1);
      *pair = (Pair) { ls_ref (left), ls_ref (right), results };
      g_ptr_array_add (self->pairs, pair);
    }
  ls_session_results_changed (self->session);
}

/* ---- words ------------------------------------------------------------------- */

static char *
shape_text (LsPrimFunc *func,
            guint       param)
{
  LsBuffer *buffer = ls_prim_func_get_buffer (func, param);
  GString *text = g_string_new ("(");

  for (guint i = 0; i < buffer->shape->n; i++)
    {
      gint64 extent;

      if (i > 0)
        g_string_append (text, ", ");
      if (ls_as_int (buffer->shape->items[i], &extent))
        g_string_append_printf (text, "%" G_GINT64_FORMAT, extent);
      else
        g_string_append (text, ls_is_var (buffer->shape->items[i]) ? ls_array_at (buffer->shape, i, LsVar)->name : "…");
    }
  g_string_append (text, ")");
  return g_string_free (text, FALSE);
}

static const char *
dtype_text (LsPrimFunc *func,
            guint       param)
{
  LsBuffer *buffer = ls_prim_func_get_buffer (func, param);

  return ls_dtype_name (buffer != NULL ? buffer->dtype : ls_dtype (func->params->items[param]));
}

static const char *
name_text (LsPrimFunc *func,
           guint       param)
{
  LsBuffer *buffer = ls_prim_func_get_buffer (func, param);

  return buffer != NULL ? buffer->name : ls_array_at (func->params, param, LsVar)->name;
}

/* Why the two cannot be called alike. (transfer full); NULL when they can. */
static char *
signature_words (LsPrimFunc *left,
                 LsPrimFunc *right)
{
  g_autofree char *a = NULL, *b = NULL;
  guint param;

  switch (ls_prim_func_compare_signature (left, right, &param))
    {
    case LS_SIGNATURE_SAME:
      return NULL;
    case LS_SIGNATURE_COUNT:
      return g_strdup_printf (ngettext ("Not comparable: the left takes %u argument, the right %u.", "Not comparable: the left takes %u arguments, the right %u.", left->params->n),
                              left->params->n, right->params->n);
    case LS_SIGNATURE_KIND:
      return g_strdup_printf (_("Not comparable: %s is an array on one side and a number on the other."), name_text (left, param));
    case LS_SIGNATURE_DTYPE:
      return g_strdup_printf (_("Not comparable: %s is %s on the left and %s on the right."), name_text (left, param),
                              dtype_text (left, param), dtype_text (right, param));
    case LS_SIGNATURE_SHAPE:
      a = shape_text (left, param);
      b = shape_text (right, param);
      return g_strdup_printf (_("Not comparable: %s is %s on the left and %s on the right."), name_text (left, param), a, b);
    }
  return NULL;
}

char *
ls_equality_element (GVariant *answer)
{
  g_autofree char *place = g_strdup (ls_params_string (answer, "place", "()"));
  gsize n = strlen (place);

  if (n < 2)
    return g_strdup (ls_params_string (answer, "argument", "?"));
  place[n - 1] = '\0';
  return g_strdup_printf ("%s[%s]", ls_params_string (answer, "argument", "?"), place + 1);
}

static LsResults *
same_words (GVariant *answer)
{
  guint n = (guint) ls_params_int (answer, "inputs", 0);
  double error = ls_params_double (answer, "max-error", 0.0);

  return ls_results_new (LS_RESULTS_SAME, g_strdup_printf (ngettext ("Same results on %u input", "Same results on %u inputs", n), n),
                         error > 0.0 ? g_strdup_printf (_("Random inputs; the largest difference is %.2g."), error)
                                     : g_strdup (_("Random inputs; no element differs.")));
}

static LsResults *
different_words (GVariant *answer)
{
  g_autofree char *element = ls_equality_element (answer);
  double left = ls_params_double (answer, "left", 0.0), right = ls_params_double (answer, "right", 0.0);
  gint64 n = ls_params_int (answer, "elements-different", 0), all = ls_params_int (answer, "elements", 0);

  return ls_results_new (LS_RESULTS_DIFFERENT,
                         g_strdup_printf (_("Different results: %s is %.7g on the left and %.7g on the right."), element, left, right),
                         g_strdup_printf (_("First seen on input %u; %" PRId64 " of %" PRId64 " elements differ."),
                                          (guint) ls_params_int (answer, "input", 1), n, all));
}

static LsResults *
read_answer (GVariant *answer)
{
  const char *state = ls_params_string (answer, "state", "");

  if (strcmp (state, "same") == 0)
    return same_words (answer);
  if (strcmp (state, "different") == 0)
    return different_words (answer);
  return ls_results_new (LS_RESULTS_NOT_COMPARABLE, g_strdup (_("Not comparable: they do not take the same arguments.")), NULL);
}

/* ---- the call ---------------------------------------------------------------- */

static void
question_free (Question *self)
{
  ls_unref (self->left);
  ls_unref (self->right);
  g_free (self);
}

static void
answered (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  Question *question = data;
  g_autoptr (LsSession) session = NULL;
  LsEquality *self = ls_asked_end (question->asked, &session);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);

  if (self != NULL)
    g_clear_object (&self->trying);
  if (self == NULL)
    g_debug ("an answer for a session that is closed");
  else if (answer != NULL)
    keep (self, question->left, question->right, read_answer (answer));
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    keep (self, question->left, question->right, NULL);
  else
    keep (self, question->left, question->right,
          ls_results_new (LS_RESULTS_TROUBLE, ls_run_end_words (error, NULL, TIMEOUT_MS), NULL));
  question_free (question);
}

static void
progress (LsWorker   *worker,
          double      fraction,
          const char *text,
          gpointer    data)
{
  Question *question = data;
  Pair *pair = find_pair (question->asker, question->left, question->right);

  if (pair == NULL || pair->results->state != LS_RESULTS_RUNNING)
    return;
  pair->results->fraction = fraction;
  ls_session_results_changed (question->asker->session);
}

/* The function of a side that is compared: the one with this name, else the first. */
static LsPrimFunc *
function_of (LsModule    *module,
             const char **name)
{
  LsNode *named = *name != NULL ? ls_module_get (module, *name) : NULL;

  if (named == NULL || !ls_is (named, PRIM_FUNC))
    *name = ls_run_function (module);
  return *name != NULL ? (LsPrimFunc *) ls_module_get (module, *name) : NULL;
}

static void
ask (LsEquality *self,
     LsModule   *left,
     LsModule   *right)
{
  const LsScriptPrintOptions whole = { .show_meta = TRUE };
  g_autofree char *left_text = ls_script_print (left, &whole, NULL);
  g_autofree char *right_text = ls_script_print (right, &whole, NULL);
  const char *names[2] = { NULL, NULL };
  Question *question = g_new (Question, 1);
  LsWorkerOptions options = { .timeout_ms = TIMEOUT_MS, .progress = progress, .progress_data = question };
  GVariantDict dict;

  function_of (left, &names[0]);
  names[1] = names[0];
  function_of (right, &names[1]);
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "left", "s", left_text);
  g_variant_dict_insert (&dict, "right", "s", right_text);
  g_variant_dict_insert (&dict, "left-func", "s", names[0]);
  g_variant_dict_insert (&dict, "right-func", "s", names[1]);
  g_variant_dict_insert (&dict, "target", "s", ls_document_get (self->document)->target);
  g_variant_dict_insert (&dict, "inputs", "i", INPUTS);
  g_variant_dict_insert (&dict, "budget-ms", "i", BUDGET_MS);
  *question = (Question) { ls_asked_new (self->session, self), self, ls_ref (left), ls_ref (right) };
  self->trying = g_cancellable_new ();
  keep (self, left, right, ls_results_new (LS_RESULTS_RUNNING, g_strdup (_("Running both on random inputs…")), NULL));
  ls_worker_call_async (self->worker, "same", g_variant_dict_end (&dict), &options, self->trying, answered, question);
}

static LsModule *
module_of (LsEquality *self,
           guint       id)
{
  LsHistory *history = ls_document_compared (self->document, &id);

  return history != NULL ? ls_schedule_get_module (ls_history_get (history, id)->schedule) : NULL;
}

LsResults *
ls_equality_get (LsEquality *self,
                 guint       left,
                 guint       right)
{
  LsModule *modules[2] = { module_of (self, left), module_of (self, right) };
  const char *name = NULL;
  LsPrimFunc *funcs[2];
  Pair *pair;
  char *words;

  if (modules[0] == NULL || modules[1] == NULL)
    return NULL;
  pair = find_pair (self, modules[0], modules[1]);
  if (pair != NULL)
    return ls_results_copy (pair->results);
  funcs[0] = function_of (modules[0], &name);
  funcs[1] = function_of (modules[1], &name);
  if (funcs[0] == NULL || funcs[1] == NULL)
    return ls_results_new (LS_RESULTS_NOT_COMPARABLE, g_strdup (_("Not comparable: there is no TensorIR function to run.")), NULL);
  words = signature_words (funcs[0], funcs[1]);
  return words != NULL ? ls_results_new (LS_RESULTS_NOT_COMPARABLE, words, NULL)
                       : ls_results_new (LS_RESULTS_UNKNOWN, g_strdup (_("Run both to see whether their results agree.")), NULL);
}

void
ls_equality_ask (LsEquality *self,
                 guint       left,
                 guint       right)
{
  g_autoptr (LsResults) known = ls_equality_get (self, left, right);

  if (known != NULL && known->state != LS_RESULTS_NOT_COMPARABLE && self->trying == NULL)
    ask (self, module_of (self, left), module_of (self, right));
}

void
ls_equality_cancel (LsEquality *self)
{
  if (self->trying != NULL)
    g_cancellable_cancel (self->trying);
}

void
ls_equality_forget (LsEquality *self)
{
  g_ptr_array_set_size (self->pairs, 0);
}

/* ---- life ------------------------------------------------------------------------ */

LsEquality *
ls_equality_new (LsSession  *session,
                 LsDocument *document,
                 LsWorker   *worker)
{
  LsEquality *self = g_new0 (LsEquality, 1);

  self->session = session;
  self->document = g_object_ref (document);
  self->worker = g_object_ref (worker);
  self->pairs = g_ptr_array_new_with_free_func (pair_free);
  return self;
}

void
ls_equality_free (LsEquality *self)
{
  ls_equality_cancel (self);
  g_clear_object (&self->trying);
  g_ptr_array_unref (self->pairs);
  g_object_unref (self->document);
  g_object_unref (self->worker);
  g_free (self);
}
