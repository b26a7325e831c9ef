/* numpy: names, helper functions, the whole text. */
#include "engine/codegen/numpy/numpy-private.h"

#include "engine/relax/relax.h"

#include <math.h>
#include <string.h>

#define MOST_NUMBERS 65536      /* of a constant */

void
numpy_refuse (Numpy      *self,
              const char *format,
              ...)
{
  g_autofree char *what = NULL;
  va_list args;

  if (self->error != NULL)
    return;
  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  self->error = g_error_new (LS_TEXT_ERROR, LS_TEXT_ERROR_UNSUPPORTED, "%s has no form in NumPy here.", what);
}

void
numpy_begin (Numpy *self)
{
  for (guint i = 0; i < self->indent; i++)
    g_string_append (self->out, "    ");
}

void
numpy_end (Numpy *self)
{
  g_string_append_c (self->out, '\n');
  g_array_append_val (self->lines, self->line);
}

void
numpy_put (Numpy      *self,
           const char *format,
           ...)
{
  va_list args;

  numpy_begin (self);
  va_start (args, format);
  g_string_append_vprintf (self->out, format, args);
  va_end (args);
  numpy_end (self);
}

guint
numpy_line_of (LsNode *node)
{
  g_autoptr (LsSource) source = node->span.source != 0 ? ls_source_lookup (node->span.source) : NULL;

  return source != NULL ? ls_source_place (source, node->span.start).line : 0;
}

/* ---- names -------------------------------------------------------------------------------- */

static const char *const KEPT[] = {
  "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if",
  "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield", "None", "True", "False",
  "np", "math", "range", "min", "max", "int", "float", "bin",
  "truncdiv", "truncmod", "to_int", "exp10", "erf", "sigmoid", "rsqrt", "round_away", "popcount", "softmax", "log_softmax", "gelu", "silu",
};

static char *
as_name (const char *wanted)
{
  GString *name = g_string_new (NULL);

  for (const char *c = wanted; *c != '\0'; c++)
    g_string_append_c (name, g_ascii_isalnum (*c) ? *c : '_');
  if (name->len == 0 || g_ascii_isdigit (name->str[0]))
    g_string_prepend_c (name, '_');
  return g_string_free (name, FALSE);
}

static gboolean
is_kept (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (KEPT); i++)
    if (strcmp (KEPT[i], name) == 0)
      return TRUE;
  return FALSE;
}

guint
numpy_mark (Numpy *self)
{
  return self->declared->len;
}

void
numpy_release (Numpy *self,
               guint  mark)
{
  for (guint i = mark; i < self->declared->len; i++)
    g_hash_table_remove (self->taken, self->declared->pdata[i]);
  g_ptr_array_set_size (self->declared, (gint) mark);
}

const char *
numpy_declare (Numpy      *self,
               gpointer    node,
               const char *wanted)
{
  g_autofree char *plain = as_name (wanted);
  char *name = g_strdup (plain);

  for (guint i = 1; is_kept (name) || g_hash_table_contains (self->taken, name) || g_hash_table_contains (self->functions, name); i++)
    {
      g_free (name);
      name = i == 1 && is_kept (plain) ? g_strconcat (plain, "_", NULL) : g_strdup_printf ("%s_%u", plain, i);
    }
  g_hash_table_add (self->taken, g_strdup (name));
  g_ptr_array_add (self->declared, g_strdup (name));
  g_hash_table_insert (self->names, node, name);
  return name;
}

const char *
numpy_name (Numpy      *self,
            gpointer    node,
            const char *hint)
{
  const char *name = g_hash_table_lookup (self->names, node);

  if (name == NULL)
    numpy_refuse (self, "The name %s, which has no value that a NumPy array brings along,", hint);
  return name != NULL ? name : "";
}

const char *
numpy_function (Numpy      *self,
                const char *name)
{
  char *text = g_hash_table_lookup (self->functions, name);

  if (text == NULL)
    {
      text = as_name (name);
      if (is_kept (text))
        {
          char *longer = g_strconcat (text, "_", NULL);

          g_free (text);
          text = longer;
        }
      g_hash_table_insert (self->functions, g_strdup (name), text);
      g_queue_push_tail (self->wanted, g_strdup (name));
    }
  return text;
}

/* ---- types and constants ----------------------------------------------------------------------- */

const char *
numpy_dtype (Numpy  *self,
             LsDType t)
{
  static const char *const has[] = { "\"bool\"", "\"int8\"", "\"int16\"", "\"int32\"", "\"int64\"", "\"uint8\"", "\"uint16\"", "\"uint32\"", "\"uint64\"",
                                     "\"float16\"", "\"float32\"", "\"float64\"" };
  const char *name = ls_dtype_name (ls_dtype_element (t));

  for (guint i = 0; i < G_N_ELEMENTS (has); i++)
    if (strlen (has[i]) == strlen (name) + 2 && strncmp (has[i] + 1, name, strlen (name)) == 0)
      return has[i];
  numpy_refuse (self, "The type %s", name);
  return "\"float32\"";
}

static void
put_number (Numpy   *self,
            LsDType  t,
            const guint8 *at)
{
  guint bytes = ls_dtype_bytes (t);

  if (ls_dtype_is_float (t) && bytes == 4)
    {
      float f;
      char text[G_ASCII_DTOSTR_BUF_SIZE];

      memcpy (&f, at, 4);
      g_string_append (self->out, isnan (f) ? "np.nan" : isinf (f) ? f > 0 ? "np.inf" : "-np.inf" : g_ascii_formatd (text, sizeof text, "%.9g", (double) f));
    }
  else if (ls_dtype_is_float (t) && bytes == 8)
    {
      double f;
      char text[G_ASCII_DTOSTR_BUF_SIZE];

      memcpy (&f, at, 8);
      g_string_append (self->out, isnan (f) ? "np.nan" : isinf (f) ? f > 0 ? "np.inf" : "-np.inf" : g_ascii_dtostr (text, sizeof text, f));
    }
  else if (ls_dtype_is_float (t))
    numpy_refuse (self, "A constant of type %s", ls_dtype_name (t));
  else
    {
      gint64 value = 0;

      memcpy (&value, at, bytes);
      if (ls_dtype_is_int (t) && bytes < 8 && (value & ((gint64) 1 << (8 * bytes - 1))) != 0)
        value -= (gint64) 1 << (8 * bytes);
      if (ls_dtype_is_bool (t))
        g_string_append (self->out, value != 0 ? "True" : "False");
      else
        g_string_append_printf (self->out, ls_dtype_is_uint (t) ? "%" G_GUINT64_FORMAT : "%" G_GINT64_FORMAT, value);
    }
}

void
numpy_constant (Numpy    *self,
                LsTensor *tensor)
{
  gsize length, n = 1, bytes = ls_dtype_bytes (tensor->dtype);
  const guint8 *data = g_bytes_get_data (tensor->data, &length);
  const char *type = numpy_dtype (self, tensor->dtype);

  for (guint i = 0; i < tensor->shape->n; i++)
    {
      gint64 extent = 1;

      ls_as_int (tensor->shape->items[i], &extent);
      n *= (gsize) extent;
    }
  if (n > MOST_NUMBERS || n * bytes > length)
    {
      numpy_refuse (self, "A constant of %" G_GSIZE_FORMAT " numbers", n);
      return;
    }
  g_string_append (self->out, "np.array([");
  for (gsize i = 0; i < n && self->error == NULL; i++)
    {
      g_string_append (self->out, i > 0 ? ", " : "");
      put_number (self, tensor->dtype, data + i * bytes);
    }
  g_string_append_printf (self->out, "], dtype=%s).reshape((", type);
  for (guint i = 0; i < tensor->shape->n; i++)
    {
      gint64 extent = 1;

      ls_as_int (tensor->shape->items[i], &extent);
      g_string_append_printf (self->out, "%" G_GINT64_FORMAT ",%s", extent, i + 1 < tensor->shape->n ? " " : "");
    }
  g_string_append (self->out, "))");
}

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

const char *
numpy_helper (Numpy      *self,
              const char *name)
{
  g_hash_table_add (self->helpers, (gpointer) name);
  if (strcmp (name, "truncdiv") == 0)
    g_hash_table_add (self->helpers, (gpointer) "truncmod");
  if (strcmp (name, "gelu") == 0)
    g_hash_table_add (self->helpers, (gpointer) "erf");
  if (strcmp (name, "silu") == 0)
    g_hash_table_add (self->helpers, (gpointer) "sigmoid");
  return name;
}

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
