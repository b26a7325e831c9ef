/* writer: lines, names, types and constants. */
#include "engine/codegen/numpy/numpy-private.h"

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
  what = g_strdup_vprintf (ls_translate (format), args);
  va_end (args);
  self->error = g_error_new (LS_TEXT_ERROR, LS_TEXT_ERROR_UNSUPPORTED, ls_translate ("%s has no form in NumPy here."), what);
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
      numpy_refuse (self, "A constant of %zu numbers", n);
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

/* ---- helper functions --------------------------------------------------------------------------- */

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
