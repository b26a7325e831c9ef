/* numpy: functions and helper functions put together. */
#include "engine/codegen/numpy/numpy-private.h"

#include "engine/relax/relax.h"

#include <string.h>

/* ---- helpers ------------------------------------------------------------------------------------- */

static const struct { const char *name, *text; } HELPERS[] = {
  { "truncdiv", "def truncdiv(a, b):  # rounds towards zero\n    return (a - truncmod(a, b)) // b\n" },
  { "truncmod", "def truncmod(a, b):  # has the sign of a\n    return np.fmod(a, b) if isinstance(a, np.generic) else int(math.fmod(a, b))\n" },
  { "to_int", "def to_int(x, dtype):  # cut towards zero, held to what the type has\n    info = np.iinfo(dtype)\n"
              "    cut = [0 if v != v else int(min(max(v, info.min), info.max)) for v in np.ravel(x).tolist()]\n"
              "    return np.array(cut, dtype=dtype).reshape(np.shape(x))[()]\n" },
  { "exp10", "def exp10(x):\n    return np.power(x.dtype.type(10), x)\n" },
  { "erf", "def erf(x):\n    return np.asarray(np.vectorize(math.erf)(x), dtype=x.dtype)[()]\n" },
  { "sigmoid", "def sigmoid(x):\n    return x.dtype.type(1) / (x.dtype.type(1) + np.exp(-x))\n" },
  { "rsqrt", "def rsqrt(x):\n    return x.dtype.type(1) / np.sqrt(x)\n" },
  { "round_away", "def round_away(x):  # halves away from zero\n    return x.dtype.type(np.trunc(np.float64(x) + np.copysign(0.5, x)))\n" },
  { "popcount", "def popcount(x):\n    return x.dtype.type(bin(int(x) & (2 ** (8 * x.dtype.itemsize) - 1)).count(\"1\"))\n" },
  { "softmax", "def softmax(x, axis):\n    e = np.exp(x - np.max(x, axis=axis, keepdims=True))\n    return e / np.sum(e, axis=axis, keepdims=True)\n" },
  { "log_softmax", "def log_softmax(x, axis):\n    s = x - np.max(x, axis=axis, keepdims=True)\n    return s - np.log(np.sum(np.exp(s), axis=axis, keepdims=True))\n" },
  { "gelu", "def gelu(x):\n    return x.dtype.type(0.5) * x * (x.dtype.type(1) + erf(x * x.dtype.type(0.5 ** 0.5)))\n" },
  { "silu", "def silu(x):\n    return x * sigmoid(x)\n" },
};

static gboolean
uses_helper (Numpy      *self,
             const char *name)
{
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, self->helpers);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (strcmp (key, name) == 0)
      return TRUE;
  return FALSE;
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

static void
put_blank (Numpy *self)
{
  guint kept = self->line;

  self->line = 0;
  g_string_append_c (self->out, '\n');
  g_array_append_val (self->lines, self->line);
  g_string_append_c (self->out, '\n');
  g_array_append_val (self->lines, self->line);
  self->line = kept;
}

static void
write_function (Numpy      *self,
                LsModule   *original,
                const char *name)
{
  LsNode *node = ls_module_get (self->module, name);
  const char *text = g_hash_table_lookup (self->functions, name);

  g_hash_table_remove_all (self->names);
  g_hash_table_remove_all (self->numbers);
  numpy_release (self, 0);
  if (self->out->len > 0)
    put_blank (self);
  if (ls_is (node, PRIM_FUNC))
    numpy_prim_func (self, text, (LsPrimFunc *) node);
  else if (ls_is (node, FUNCTION))
    numpy_relax_func (self, text, node, ls_module_get (original, name));
  else
    numpy_refuse (self, "The function %s, which the module has not,", name);
  if (self->error != NULL)
    g_prefix_error (&self->error, "%s: ", name);
}

static LsDeviceText *
finish (Numpy     *self,
        GPtrArray *functions)
{
  LsDeviceText *result = g_new0 (LsDeviceText, 1);
  GString *head = g_string_new (uses_helper (self, "erf") || uses_helper (self, "truncmod") ? "import math\n\nimport numpy as np\n\n\n" : "import numpy as np\n\n\n");
  guint zero = 0;

  for (guint i = 0; i < G_N_ELEMENTS (HELPERS); i++)
    if (uses_helper (self, HELPERS[i].name))
      g_string_append_printf (head, "%s\n\n", HELPERS[i].text);
  for (const char *c = head->str; *c != '\0'; c++)
    if (*c == '\n')
      g_array_prepend_val (self->lines, zero);
  result->language = LS_TEXT_NUMPY;
  result->text = g_strconcat (head->str, self->out->str, NULL);
  result->lines = g_array_ref (self->lines);
  g_ptr_array_add (functions, NULL);
  result->functions = g_strdupv ((char **) functions->pdata);
  g_string_free (head, TRUE);
  return result;
}

LsDeviceText *
ls_numpy_text_new (LsModule    *module,
                   const char  *func,
                   GError     **error)
{
  g_autoptr (LsModule) legalized = numpy_legalized (module, error);
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GHashTable) names = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (GHashTable) numbers = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) helpers = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) function_names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GPtrArray) declared = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) functions = g_ptr_array_new ();
  g_autoptr (GPtrArray) done = g_ptr_array_new_with_free_func (g_free);
  GQueue wanted = G_QUEUE_INIT;
  Numpy self = { .module = legalized, .out = out, .lines = lines, .names = names, .numbers = numbers, .taken = taken, .declared = declared, .helpers = helpers,
                 .functions = function_names, .wanted = &wanted };
  LsDeviceText *result = NULL;

  if (legalized == NULL)
    return NULL;
  for (guint i = 0; i < module->functions->n; i++)
    {
      const char *name = ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint;

      if (func == NULL || strcmp (func, name) == 0)
        numpy_function (&self, name);
    }
  while (self.error == NULL && !g_queue_is_empty (&wanted))
    {
      char *name = g_queue_pop_head (&wanted);

      g_ptr_array_add (done, name);
      g_ptr_array_add (functions, g_hash_table_lookup (function_names, name));
      write_function (&self, module, name);
    }
  g_queue_clear_full (&wanted, g_free);
  if (self.error != NULL)
    g_propagate_error (error, self.error);
  else
    result = finish (&self, functions);
  return result;
}
