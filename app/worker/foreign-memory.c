/* foreign-memory: buffers and scalars by a short description. */
#include "app/worker/foreign-memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES (G_GUINT64_CONSTANT (1) << 30)       /* of a buffer */
#define LINE 64                 /* buffers begin at a cache line */
#define NEAR 1e-5

typedef struct {
  LsForeignType element;
  guint8       *bytes, *before;
  gsize         size;
} Buffer;

struct _LsForeignMemory
{
  GArray  *buffers;             /* of Buffer, one for each parameter; bytes NULL: a scalar */
  guint64 *words, *before;      /* and the result */
  guint    n;
  LsForeignType result;
};

static gsize
size_of (LsForeignType type)
{
  static const gsize SIZES[] = { 0, 1, 2, 4, 8, 4, 8, 8 };

  return SIZES[type];
}

/* "f32" and so on at the beginning of a word; LS_FOREIGN_NONE: none is. */
static LsForeignType
type_at (const char *word)
{
  for (guint type = LS_FOREIGN_I8; type <= LS_FOREIGN_F64; type++)
    {
      const char *name = ls_foreign_type_name ((LsForeignType) type);

      if (g_str_has_prefix (word, name) && (word[strlen (name)] == '[' || word[strlen (name)] == '='))
        return (LsForeignType) type;
    }
  return LS_FOREIGN_NONE;
}

/* One number of a type at an address. */
static void
put (gpointer      at,
     LsForeignType type,
     double        value)
{
  gint64 whole = (gint64) value;
  float single = (float) value;

  if (type == LS_FOREIGN_F32)
    memcpy (at, &single, sizeof single);
  else if (type == LS_FOREIGN_F64)
    memcpy (at, &value, sizeof value);
  else
    memcpy (at, &whole, size_of (type));        /* little endian */
}

static double
get (gconstpointer at,
     LsForeignType type)
{
  gint8 i8;
  gint16 i16;
  gint32 i32;
  gint64 i64;
  float f32;
  double f64;

  switch (type)
    {
    case LS_FOREIGN_I8:
      memcpy (&i8, at, sizeof i8);
      return i8;
    case LS_FOREIGN_I16:
      memcpy (&i16, at, sizeof i16);
      return i16;
    case LS_FOREIGN_I32:
      memcpy (&i32, at, sizeof i32);
      return i32;
    case LS_FOREIGN_F32:
      memcpy (&f32, at, sizeof f32);
      return f32;
    case LS_FOREIGN_F64:
      memcpy (&f64, at, sizeof f64);
      return f64;
    default:
      memcpy (&i64, at, sizeof i64);
      return (double) i64;
    }
}

static gboolean
refuse (GError    **error,
        guint       number,
        const char *word,
        const char *expected)
{
  g_set_error (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_CALL, ls_translate ("Argument %u is %s%s; expected is %s."), number, *word != '\0' ? word : ls_translate ("missing"), "", ls_translate (expected));
  return FALSE;
}

static gboolean
add_buffer (LsForeignMemory *self,
            const char      *word,
            GRand           *rand,
            GError         **error)
{
  Buffer buffer = { type_at (word), NULL, NULL, 0 };
  const char *number = strchr (word, '[');
  char *end = NULL;
  guint64 n = number != NULL ? g_ascii_strtoull (number + 1, &end, 10) : 0;

  if (buffer.element == LS_FOREIGN_NONE || number == NULL || n == 0 || strcmp (end, "]") != 0 || n > MOST_BYTES / size_of (buffer.element))
    return refuse (error, self->buffers->len + 1, word, LS_TEXT ("a buffer such as f32[1024], of i8, i16, i32, i64, f32 or f64"));
  buffer.size = n * size_of (buffer.element);
  buffer.bytes = aligned_alloc (LINE, (buffer.size + LINE - 1) / LINE * LINE);
  buffer.before = g_malloc (buffer.size);
  for (guint64 i = 0; i < n; i++)
    put (buffer.before + i * size_of (buffer.element), buffer.element,
         buffer.element >= LS_FOREIGN_F32 ? g_rand_double_range (rand, -1, 1) : (double) g_rand_int_range (rand, 0, 100));
  self->before[self->buffers->len] = (guint64) (gsize) buffer.bytes;
  g_array_append_val (self->buffers, buffer);
  return TRUE;
}

static gboolean
add_scalar (LsForeignMemory *self,
            const char      *word,
            LsForeignType    type,
            GError         **error)
{
  Buffer buffer = { type, NULL, NULL, 0 };
  const char *number = strchr (word, '=');
  g_autofree char *expected = g_strdup_printf ("%s=NUMBER", ls_foreign_type_name (type));
  char *end = NULL;
  double value = number != NULL ? g_ascii_strtod (number + 1, &end) : 0;
  gint64 whole = number != NULL ? g_ascii_strtoll (number + 1, NULL, 0) : 0;

  if (type_at (word) != type || number == NULL || number[1] == '\0' || *end != '\0')
    return refuse (error, self->buffers->len + 1, word, expected);
  if (type >= LS_FOREIGN_F32)
    put (&self->before[self->buffers->len], type, value);
  else
    memcpy (&self->before[self->buffers->len], &whole, size_of (type));
  g_array_append_val (self->buffers, buffer);
  return TRUE;
}

LsForeignMemory *
ls_foreign_memory_new (const char *text,
                       GArray     *types,
                       guint64     seed,
                       GError    **error)
{
  g_autoptr (LsForeignMemory) self = g_new0 (LsForeignMemory, 1);
  g_auto (GStrv) words = g_strsplit_set (text, " ,;", -1);
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) (seed ^ seed >> 32));
  guint at = 0;

  self->n = types->len - 1;
  self->result = (LsForeignType) g_array_index (types, guint, self->n);
  self->words = g_new0 (guint64, types->len);
  self->before = g_new0 (guint64, types->len);
  self->buffers = g_array_new (FALSE, FALSE, sizeof (Buffer));
  for (guint i = 0; i < self->n; i++)
    {
      LsForeignType type = (LsForeignType) g_array_index (types, guint, i);
      const char *word;

      while (words[at] != NULL && *words[at] == '\0')
        at++;
      word = words[at] != NULL ? words[at++] : "";
      if (!(type == LS_FOREIGN_PTR ? add_buffer (self, word, rand, error) : add_scalar (self, word, type, error)))
        return NULL;
    }
  while (words[at] != NULL && *words[at] == '\0')
    at++;
  if (words[at] != NULL)
    {
      g_set_error (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_CALL, ls_translate ("There are more arguments than the %u of the function: %s."), self->n, words[at]);
      return NULL;
    }
  ls_foreign_memory_reset (self);
  return g_steal_pointer (&self);
}

void
ls_foreign_memory_free (LsForeignMemory *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; self->buffers != NULL && i < self->buffers->len; i++)
    {
      free (g_array_index (self->buffers, Buffer, i).bytes);
      g_free (g_array_index (self->buffers, Buffer, i).before);
    }
  g_clear_pointer (&self->buffers, g_array_unref);
  g_free (self->words);
  g_free (self->before);
  g_free (self);
}

void
ls_foreign_memory_reset (LsForeignMemory *self)
{
  memcpy (self->words, self->before, (self->n + 1) * sizeof (guint64));
  for (guint i = 0; i < self->n; i++)
    {
      Buffer *buffer = &g_array_index (self->buffers, Buffer, i);

      if (buffer->bytes != NULL)
        memcpy (buffer->bytes, buffer->before, buffer->size);
    }
}

gpointer
ls_foreign_memory_words (LsForeignMemory *self)
{
  return self->words;
}

GVariant *
ls_foreign_memory_take (LsForeignMemory *self)
{
  GVariantBuilder all;

  g_variant_builder_init (&all, G_VARIANT_TYPE ("a(ssay)"));
  for (guint i = 0; i < self->n; i++)
    {
      Buffer *buffer = &g_array_index (self->buffers, Buffer, i);
      g_autofree char *name = g_strdup_printf ("argument %u", i + 1);

      if (buffer->bytes != NULL)
        g_variant_builder_add (&all, "(ss@ay)", name, ls_foreign_type_name (buffer->element),
                               g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, buffer->bytes, buffer->size, 1));
    }
  if (self->result != LS_FOREIGN_NONE && self->result != LS_FOREIGN_PTR)        /* an address says nothing */
    g_variant_builder_add (&all, "(ss@ay)", "result", ls_foreign_type_name (self->result),
                           g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, &self->words[self->n], size_of (self->result), 1));
  return g_variant_builder_end (&all);
}

static gboolean
is_same (double x,
         double y)
{
  return x == y || (isnan (x) && isnan (y)) || fabs (x - y) <= NEAR * MAX (fabs (x), fabs (y));
}

/* The first number that differs and how many do; NULL: none. (transfer full) */
static char *
compare_bytes (const char   *name,
               LsForeignType type,
               const guint8 *a,
               const guint8 *b,
               gsize         size)
{
  gsize step = size_of (type), first = 0, n = 0;

  for (gsize i = 0; i + step <= size; i += step)
    if (type >= LS_FOREIGN_F32 ? !is_same (get (a + i, type), get (b + i, type)) : memcmp (a + i, b + i, step) != 0)
      first = n++ == 0 ? i : first;
  if (n == 0)
    return NULL;
  return size > step ? g_strdup_printf ("%s[%" G_GSIZE_FORMAT "] is %g, was %g; %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " differ", name, first / step, get (b + first, type),
                                        get (a + first, type), n, size / step)
                     : g_strdup_printf ("%s is %g, was %g", name, get (b, type), get (a, type));
}

char *
ls_foreign_memory_compare (GVariant *a,
                           GVariant *b)
{
  for (gsize i = 0; i < MIN (g_variant_n_children (a), g_variant_n_children (b)); i++)
    {
      g_autoptr (GVariant) bytes_a = NULL, bytes_b = NULL;
      const char *name, *type;
      gsize n_a, n_b;
      const guint8 *x, *y;
      char *words;
      LsForeignType element = LS_FOREIGN_I8;

      g_variant_get_child (a, i, "(&s&s@ay)", &name, &type, &bytes_a);
      g_variant_get_child (b, i, "(&s&s@ay)", NULL, NULL, &bytes_b);
      for (guint one = LS_FOREIGN_I8; one <= LS_FOREIGN_F64; one++)
        if (strcmp (type, ls_foreign_type_name ((LsForeignType) one)) == 0)
          element = (LsForeignType) one;
      x = g_variant_get_fixed_array (bytes_a, &n_a, 1);
      y = g_variant_get_fixed_array (bytes_b, &n_b, 1);
      words = compare_bytes (name, element, x, y, MIN (n_a, n_b));
      if (words != NULL)
        return words;
    }
  return g_strdup ("");
}
