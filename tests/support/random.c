/* random: see the header.
 *
 * A program is a chain of stages over a pool of arrays of one or two dimensions.  Whatever a stage reads it
 * reads inside its bounds, so that the program as written always runs.
 */
#include "tests/support/random.h"

#include "engine/interp/interp.h"

#include <string.h>

typedef struct {
  char  name[8];
  guint ndim;
  int   shape[2];
  gboolean is_output;
} Array;

typedef struct {
  GRand      *rand;
  GString    *body;
  Array       arrays[16];
  guint       n_arrays;
  guint       n_inputs;
  const char *dtype;
  gboolean    is_float;
} Maker;

static int
pick (GRand *rand,
      int    low,
      int    high)
{
  return g_rand_int_range (rand, low, high + 1);
}

static int
pick_extent (GRand *rand)
{
  static const int extents[] = { 1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 12, 12, 16, 16, 10 };

  return extents[g_rand_int_range (rand, 0, G_N_ELEMENTS (extents))];
}

static Array *
add_array (Maker *m,
           guint  ndim,
           int    a,
           int    b)
{
  Array *array = &m->arrays[m->n_arrays];

  g_snprintf (array->name, sizeof array->name, "%c", (char) ('A' + m->n_arrays + (m->n_arrays >= 8)));
  array->ndim = ndim;
  array->shape[0] = a;
  array->shape[1] = b;
  m->n_arrays++;
  return array;
}

static Array *
any_array (Maker *m,
           guint  ndim)
{
  guint start = (guint) g_rand_int_range (m->rand, 0, (gint32) m->n_arrays);

  for (guint i = 0; i < m->n_arrays; i++)
    {
      /* late arrays are more likely, so that stages hang together */
      Array *array = &m->arrays[(start + m->n_arrays - i) % m->n_arrays];

      if (array->ndim == ndim)
        return array;
    }
  return NULL;
}

static char *
constant (Maker *m)
{
  int value = pick (m->rand, -3, 4);

  return m->is_float ? g_strdup_printf ("T.float32(%d)", value) : g_strdup_printf ("%d", value);
}

static void
line (Maker      *m,
      const char *format,
      ...)
{
  va_list args;

  va_start (args, format);
  g_string_append_vprintf (m->body, format, args);
  va_end (args);
  g_string_append_c (m->body, '\n');
}

static const char *
any_operator (Maker *m)
{
  static const char *operators[] = { "+", "-", "+" };

  return operators[pick (m->rand, 0, 2)];
}

/* B[i, j] = A[i, j] op c, or of two arrays, or with a bound, or a transposition */
static void
elementwise (Maker *m,
             guint  ndim)
{
  Array source = *any_array (m, ndim);
  gboolean transposed = ndim == 2 && pick (m->rand, 0, 4) == 0;
  Array *target = transposed ? add_array (m, ndim, source.shape[1], source.shape[0]) : add_array (m, ndim, source.shape[0], source.shape[1]);
  g_autofree char *c = constant (m);
  const char *at = ndim == 1 ? "vi" : transposed ? "vj, vi" : "vi, vj";
  int form = pick (m->rand, 0, 3);

  if (ndim == 1)
    line (m, "        for i in range(%d):\n            with T.block(\"%s\"):\n                vi = T.axis.spatial(%d, i)", target->shape[0], target->name, target->shape[0]);
  else
    line (m, "        for i, j in T.grid(%d, %d):\n            with T.block(\"%s\"):\n                vi, vj = T.axis.remap(\"SS\", [i, j])",
          target->shape[0], target->shape[1], target->name);
  if (form == 0)
    line (m, "                %s[%s] = T.max(%s[%s], %s)", target->name, ndim == 1 ? "vi" : "vi, vj", source.name, at, c);
  else if (form == 1)
    line (m, "                %s[%s] = %s[%s] * %s %s %s[%s]", target->name, ndim == 1 ? "vi" : "vi, vj", source.name, at, c, any_operator (m), source.name, at);
  else
    line (m, "                %s[%s] = %s[%s] %s %s", target->name, ndim == 1 ? "vi" : "vi, vj", source.name, at, any_operator (m), c);
}

/* C[i, j] = sum over k of A[i, k] * B[j, k], or a sum or maximum along the rows */
static void
reduction (Maker *m)
{
  Array a = *any_array (m, 2);
  Array *target;
  const char *low = m->is_float ? "T.float32(-1000000)" : "-1000000";
  const char *zero = m->is_float ? "T.float32(0)" : "0";

  switch (pick (m->rand, 0, 2))
    {
    case 0:
      target = add_array (m, 2, a.shape[0], a.shape[0]);
      line (m, "        for i, j, k in T.grid(%d, %d, %d):\n            with T.block(\"%s\"):\n                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])",
            a.shape[0], a.shape[0], a.shape[1], target->name);
      line (m, "                with T.init():\n                    %s[vi, vj] = %s", target->name, zero);
      line (m, "                %s[vi, vj] = %s[vi, vj] + %s[vi, vk] * %s[vj, vk]", target->name, target->name, a.name, a.name);
      break;
    case 1:
      target = add_array (m, 1, a.shape[0], 1);
      line (m, "        for i, k in T.grid(%d, %d):\n            with T.block(\"%s\"):\n                vi, vk = T.axis.remap(\"SR\", [i, k])",
            a.shape[0], a.shape[1], target->name);
      line (m, "                with T.init():\n                    %s[vi] = %s", target->name, zero);
      line (m, "                %s[vi] = %s[vi] + %s[vi, vk]", target->name, target->name, a.name);
      break;
    default:
      target = add_array (m, 1, a.shape[1], 1);
      line (m, "        for k, i in T.grid(%d, %d):\n            with T.block(\"%s\"):\n                vk, vi = T.axis.remap(\"RS\", [k, i])",
            a.shape[0], a.shape[1], target->name);
      line (m, "                with T.init():\n                    %s[vi] = %s", target->name, low);
      line (m, "                %s[vi] = T.max(%s[vi], %s[vk, vi])", target->name, target->name, a.name);
      break;
    }
}

/* B[i] = A[i] + A[i + 1] + A[i + 2] along one dimension */
static void
window (Maker *m,
        guint  ndim)
{
  Array a = *any_array (m, ndim);
  guint along = ndim == 1 ? 0 : (guint) pick (m->rand, 0, 1);
  int width = MIN (3, a.shape[along]);
  Array *target = add_array (m, ndim, a.shape[0], a.shape[1]);

  target->shape[along] -= width - 1;
  if (ndim == 1)
    {
      line (m, "        for i in range(%d):\n            with T.block(\"%s\"):\n                vi = T.axis.spatial(%d, i)", target->shape[0], target->name, target->shape[0]);
      line (m, "                %s[vi] = %s[vi] + %s[vi + %d]", target->name, a.name, a.name, width - 1);
      return;
    }
  line (m, "        for i, j in T.grid(%d, %d):\n            with T.block(\"%s\"):\n                vi, vj = T.axis.remap(\"SS\", [i, j])",
        target->shape[0], target->shape[1], target->name);
  line (m, along == 0 ? "                %s[vi, vj] = %s[vi, vj] - %s[vi + %d, vj]" : "                %s[vi, vj] = %s[vi, vj] - %s[vi, vj + %d]",
        target->name, a.name, a.name, width - 1);
}

static void
padding (Maker *m)
{
  Array a = *any_array (m, 2);
  Array *target = add_array (m, 2, a.shape[0] + 2, a.shape[1]);

  line (m, "        for i, j in T.grid(%d, %d):\n            with T.block(\"%s\"):\n                vi, vj = T.axis.remap(\"SS\", [i, j])",
        target->shape[0], target->shape[1], target->name);
  line (m, "                %s[vi, vj] = T.if_then_else(1 <= vi and vi < %d, %s[vi - 1, vj], %s)", target->name, a.shape[0] + 1, a.name,
        m->is_float ? "T.float32(0)" : "0");
}

static void
broadcast (Maker *m)
{
  Array a = *any_array (m, 2);
  Array *row = NULL;
  Array *target;

  for (guint i = 0; i < m->n_arrays; i++)
    if (m->arrays[i].ndim == 1 && m->arrays[i].shape[0] >= a.shape[1])
      row = &m->arrays[i];
  if (row == NULL)
    {
      elementwise (m, 2);
      return;
    }
  target = add_array (m, 2, a.shape[0], a.shape[1]);
  line (m, "        for i, j in T.grid(%d, %d):\n            with T.block(\"%s\"):\n                vi, vj = T.axis.remap(\"SS\", [i, j])",
        target->shape[0], target->shape[1], target->name);
  line (m, "                %s[vi, vj] = %s[vi, vj] %s %s[vj]", target->name, a.name, any_operator (m), row->name);
}

static void
stage (Maker *m)
{
  switch (pick (m->rand, 0, 9))
    {
    case 0:
    case 1:
    case 2: elementwise (m, 2); break;
    case 3: elementwise (m, 1); break;
    case 4:
    case 5:
    case 6: reduction (m); break;
    case 7: window (m, (guint) pick (m->rand, 1, 2)); break;
    case 8: padding (m); break;
    default: broadcast (m); break;
    }
}

static char *
shape_text (const Array *array)
{
  return array->ndim == 1 ? g_strdup_printf ("(%d,)", array->shape[0]) : g_strdup_printf ("(%d, %d)", array->shape[0], array->shape[1]);
}

char *
ls_test_random_program (GRand *rand)
{
  Maker m = { .rand = rand, .body = g_string_new (NULL) };
  g_autoptr (GString) text = g_string_new ("@I.ir_module\nclass Module:\n    @T.prim_func\n    def main(");
  guint stages = (guint) pick (rand, 1, 4);
  const char *comma = "";

  m.is_float = pick (rand, 0, 3) > 0;
  m.dtype = m.is_float ? "float32" : "int32";
  add_array (&m, 2, pick_extent (rand), pick_extent (rand));
  add_array (&m, 1, pick_extent (rand), 1);
  m.n_inputs = m.n_arrays;
  for (guint i = 0; i < stages; i++)
    stage (&m);
  for (guint i = 0; i < m.n_arrays; i++)
    {
      g_autofree char *shape = shape_text (&m.arrays[i]);

      m.arrays[i].is_output = i >= m.n_inputs && (i + 1 == m.n_arrays || pick (rand, 0, 3) == 0);
      if (i >= m.n_inputs && !m.arrays[i].is_output)
        continue;
      g_string_append_printf (text, "%s%s: T.Buffer(%s, \"%s\")", comma, m.arrays[i].name, shape, m.dtype);
      comma = ", ";
    }
  g_string_append (text, "):\n");
  for (guint i = m.n_inputs; i < m.n_arrays; i++)
    {
      g_autofree char *shape = shape_text (&m.arrays[i]);

      if (!m.arrays[i].is_output)
        g_string_append_printf (text, "        %s = T.alloc_buffer(%s, \"%s\")\n", m.arrays[i].name, shape, m.dtype);
    }
  g_string_append (text, m.body->str);
  g_string_free (m.body, TRUE);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char **
ls_test_block_names (const char *program)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  for (const char *at = strstr (program, "T.block(\""); at != NULL; at = strstr (at + 1, "T.block(\""))
    {
      const char *start = at + strlen ("T.block(\"");
      g_autofree char *name = g_strndup (start, strcspn (start, "\""));

      g_strv_builder_add (names, name);
    }
  return g_strv_builder_end (names);
}

/* ---- running ------------------------------------------------------------------------------- */

static guint64
next_random (guint64 *state)
{
  guint64 z = (*state += 0x9e3779b97f4a7c15u);

  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static gsize
n_elements (LsBuffer *buffer)
{
  gsize n = 1;

  for (guint i = 0; i < buffer->shape->n; i++)
    {
      gint64 extent = 1;

      g_assert_true (ls_as_int (buffer->shape->items[i], &extent));
      n *= (gsize) extent;
    }
  return n;
}

GPtrArray *
ls_test_arguments (LsPrimFunc *func,
                   guint64     seed)
{
  GPtrArray *arrays = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);

  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);
      guint64 state = seed + i;
      guint8 *data;
      gsize n, size;

      if (buffer == NULL)
        {
          g_ptr_array_add (arrays, NULL);
          continue;
        }
      n = n_elements (buffer);
      size = ls_dtype_bytes (buffer->dtype);
      data = g_malloc (MAX (n * size, 1));
      for (gsize k = 0; k < n; k++)
        ls_interp_store (buffer->dtype, data + k * size, (double) (gint64) (next_random (&state) % 9) - (buffer->dtype.code == LS_TYPE_UINT ? 0 : 4));
      g_ptr_array_add (arrays, g_bytes_new_take (data, n * size));
    }
  return arrays;
}

GBytes *
ls_test_interpret_func (LsPrimFunc  *func,
                   guint64      seed,
                   GError     **error)
{
  g_autoptr (GPtrArray) arrays = ls_test_arguments (func, seed);
  g_autofree LsInterpArg *args = g_new0 (LsInterpArg, func->params->n + 1);
  g_autoptr (GPtrArray) shapes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GByteArray) result = g_byte_array_new ();
  gboolean ok;

  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);
      gint64 *shape;
      gsize size;
      gpointer data;

      args[i].dtype = ls_dtype (func->params->items[i]);
      args[i].int_value = 3;
      if (buffer == NULL)
        continue;
      shape = g_new0 (gint64, buffer->shape->n + 1);
      g_ptr_array_add (shapes, shape);
      for (guint k = 0; k < buffer->shape->n; k++)
        ls_as_int (buffer->shape->items[k], &shape[k]);
      data = g_bytes_unref_to_data (g_steal_pointer (&arrays->pdata[i]), &size);
      args[i] = (LsInterpArg) { buffer->dtype, TRUE, data, buffer->shape->n, shape, NULL, (gint64) size, 0 };
    }
  ok = ls_interp_run (func, args, func->params->n, NULL, error);
  for (guint i = 0; i < func->params->n; i++)
    if (args[i].is_array)
      {
        g_byte_array_append (result, args[i].data, (guint) args[i].int_value);
        g_free (args[i].data);
      }
  return ok ? g_byte_array_free_to_bytes (g_steal_pointer (&result)) : NULL;
}

LsModule *
ls_test_parse (const char *text)
{
  LsSource *source = ls_source_new ("test", text, -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  LsModule *module = ls_script_parse (source, diagnostics);

  if (module == NULL || ls_diagnostics_has_error (diagnostics))
    {
      g_autofree char *findings = ls_diagnostics_print (diagnostics);

      g_error ("%s\n%s", findings, text);
    }
  ls_source_unref (source);
  return module;
}
