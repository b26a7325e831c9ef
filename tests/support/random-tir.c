/* random-tir: low-level programs of all types.
 *
 * Loops with negative, empty, far and loaded ranges, conditions and `while` over what memory holds, assertions, scalars, Let, casts, vectors,
 * several arrays of any type, some of extent 0, parts of them under other names, changed by stores and by atomic functions, numbers that the store
 * before tells.  Every index is a remainder by its extent or a variable whose range is known, divisors are not 0, so that each program has a
 * meaning; numbers of data wrap, those they meet lie near the ends of their types, floats may be NaN and infinite.
 */
#include "tests/support/random.h"

#include <string.h>

typedef struct {
  char        name[8];
  const char *dtype;
  int         extent;
  gboolean    is_local;
} Array;

typedef struct {
  char name[8];
  int  low, high;               /* a loop's variable: [low, high) */
} Index;

typedef struct {
  GRand   *rand;
  GString *text, *lets;         /* the statements; the variables of Let, declared before them */
  Array    arrays[8];
  guint    n_arrays;
  Index    indices[16];
  guint    n_indices;
  guint    n_made, indent, budget;
  struct { char name[8]; const char *dtype; } scalars[16];
  guint    n_scalars;
} Maker;

static const char *const TYPES[] = { "int32", "int32", "int32", "float32", "float32", "int8", "int16", "int64", "uint8", "uint16", "uint32", "uint64",
                                     "float64", "float16", "bfloat16", "bool" };

static guint
below (Maker *m,
       guint  n)
{
  return (guint) g_rand_int_range (m->rand, 0, (gint32) n);
}

static gboolean
is_float (const char *dtype)
{
  return strstr (dtype, "float") != NULL;
}

static void
line (Maker      *m,
      const char *format,
      ...)
{
  va_list args;

  g_string_append_printf (m->text, "%*s", (int) m->indent, "");
  va_start (args, format);
  g_string_append_vprintf (m->text, format, args);
  va_end (args);
  g_string_append_c (m->text, '\n');
}

/* ---- expressions: text (transfer full) ------------------------------------------------------ */

static char *expression (Maker *m, const char *dtype, guint depth);

static char *
constant (Maker      *m,
          const char *dtype)
{
  static const char *const numbers[] = { "0", "1", "2", "3", "5", "7", "100", "127" };
  static const char *const floats[] = { "0", "1", "-0.0", "0.5", "3", "-2", "1e-3", "100", "\"nan\"", "\"inf\"", "\"-inf\"" };
  const char *number = numbers[below (m, G_N_ELEMENTS (numbers))];

  if (strcmp (dtype, "bool") == 0)
    return g_strdup (below (m, 2) ? "T.bool(True)" : "T.bool(False)");
  if (is_float (dtype))
    return g_strdup_printf ("T.%s(%s)", dtype, floats[below (m, G_N_ELEMENTS (floats))]);
  return g_strdup_printf ("T.%s(%s%s)", dtype, dtype[0] == 'i' && below (m, 3) == 0 ? "-" : "", number);
}

/* An index of a loop, small sums of them: stays in its type. */
static char *
index_sum (Maker *m)
{
  if (m->n_indices == 0 || below (m, 6) == 0)
    return g_strdup_printf ("%d", (int) below (m, 12) - 3);
  switch (below (m, 5))
    {
    case 0: return g_strdup_printf ("(%s + %s)", m->indices[below (m, m->n_indices)].name, m->indices[below (m, m->n_indices)].name);
    case 1: return g_strdup_printf ("(%s * %u + %d)", m->indices[below (m, m->n_indices)].name, below (m, 5) + 1, (int) below (m, 9) - 4);
    case 2: return g_strdup_printf ("(%s // %u)", m->indices[below (m, m->n_indices)].name, below (m, 4) + 2);
    case 3: return g_strdup_printf ("(%s - %s)", m->indices[below (m, m->n_indices)].name, m->indices[below (m, m->n_indices)].name);
    default: return g_strdup (m->indices[below (m, m->n_indices)].name);
    }
}

/* Inside [0, extent). */
static char *
place (Maker *m,
       int    extent)
{
  for (guint k = 0; m->n_indices > 0 && k < 3; k++)
    {
      const Index *index = &m->indices[below (m, m->n_indices)];

      if (index->low < index->high && index->high - 1 - index->low < extent && below (m, 3) > 0)
        return index->low == 0 ? g_strdup (index->name) : g_strdup_printf ("%s + %d", index->name, -index->low);
      if (index->low >= 0 && index->high <= extent)
        return g_strdup_printf ("%d - %s", extent - 1, index->name);
    }
  {
    g_autofree char *sum = index_sum (m);

    return g_strdup_printf ("%s %% %d", sum, extent);
  }
}

static const Array *
any_array (Maker      *m,
           const char *dtype)
{
  guint start = below (m, m->n_arrays);

  for (guint i = 0; i < m->n_arrays; i++)
    {
      const Array *array = &m->arrays[(start + i) % m->n_arrays];

      if (array->extent > 0 && (dtype == NULL || strcmp (array->dtype, dtype) == 0))
        return array;
    }
  return NULL;
}

static char *
load (Maker      *m,
      const char *dtype)
{
  const Array *array = any_array (m, below (m, 4) ? dtype : NULL);
  g_autofree char *at = NULL;

  if (array == NULL && (array = any_array (m, NULL)) == NULL)
    return constant (m, dtype);
  at = place (m, array->extent);
  if (strcmp (array->dtype, dtype) == 0)
    return g_strdup_printf ("%s[%s]", array->name, at);
  return g_strdup_printf ("T.Cast(\"%s\", %s[%s])", dtype, array->name, at);
}

/* Numbers made of loop variables do not leave these types (the program would have no meaning), those of memory may. */
static gboolean
is_index (const char *dtype)
{
  return strcmp (dtype, "int32") == 0 || strcmp (dtype, "int64") == 0;
}

/* What memory holds, or NULL where there is none. (transfer full) */
static char *
data_of (Maker      *m,
         const char *dtype)
{
  return any_array (m, NULL) != NULL ? load (m, dtype) : NULL;
}

static char *
condition (Maker *m,
           guint  depth)
{
  static const char *const compare[] = { "<", "<=", ">", ">=", "==", "!=" };
  g_autofree char *a = NULL, *b = NULL;
  const char *dtype = TYPES[below (m, G_N_ELEMENTS (TYPES) - 1)];

  if (depth > 0 && below (m, 4) == 0)
    {
      a = condition (m, depth - 1);
      b = condition (m, depth - 1);
      if (below (m, 6) == 0)
        return g_strdup_printf ("T.likely(%s)", a);
      return below (m, 4) == 0 ? g_strdup_printf ("(not (%s))", a) : g_strdup_printf ("((%s) %s (%s))", a, below (m, 2) ? "and" : "or", b);
    }
  if (below (m, 2) == 0)
    {
      a = index_sum (m);
      b = index_sum (m);
      if (g_ascii_isdigit (a[0]) || a[0] == '-')
        return g_strdup_printf ("T.int32(%s) %s T.int32(%s)", a, compare[below (m, 6)], "2");
      return g_strdup_printf ("%s %s %s", a, compare[below (m, 6)], b);
    }
  a = load (m, dtype);
  if (is_float (dtype) && below (m, 4) == 0)
    return g_strdup_printf ("T.%s(%s)", below (m, 2) ? "isnan" : "isinf", a);
  b = constant (m, dtype);
  return g_strdup_printf ("%s %s %s", a, compare[below (m, 6)], b);
}

static char *
scalar (Maker      *m,
        const char *dtype)
{
  for (guint i = 0; i < m->n_scalars; i++)
    if (strcmp (m->scalars[i].dtype, dtype) == 0 && below (m, 2))
      return g_strdup (m->scalars[i].name);
  if (strcmp (dtype, "int32") == 0 && m->n_indices > 0)
    return g_strdup (m->indices[below (m, m->n_indices)].name);
  return load (m, dtype);
}

static guint
bits_of (const char *dtype)
{
  return (guint) g_ascii_strtoull (dtype + (dtype[0] == 'u' ? 4 : 3), NULL, 10);
}

/* A divisor that is not 0: a number, also a negative one, or what memory holds, but at least 1. */
static char *
divisor (Maker      *m,
         const char *dtype)
{
  g_autofree char *a = NULL;

  if (below (m, 6) == 0)
    {
      a = load (m, dtype);
      return g_strdup_printf ("T.max(%s, T.%s(1))", a, dtype);
    }
  return g_strdup_printf ("T.%s(%s%u)", dtype, dtype[0] == 'i' && below (m, 4) == 0 ? "-" : "", below (m, 6) == 0 ? below (m, 100) + 20 : below (m, 9) + 1);
}

static char *
binary (Maker      *m,
        const char *dtype,
        guint       depth)
{
  g_autofree char *a = expression (m, dtype, depth - 1), *b = expression (m, dtype, depth - 1), *by = NULL, *data = NULL;
  guint kind = below (m, is_float (dtype) ? 6 : 11);

  if (kind >= 5 && !is_float (dtype))
    by = divisor (m, dtype);
  switch (kind)
    {
    case 0: return g_strdup_printf ("(%s + %s)", a, b);
    case 1: return g_strdup_printf ("(%s - %s)", a, b);
    case 2:
      /* products of products leave the type: only data may */
      data = depth > 1 && is_index (dtype) ? data_of (m, dtype) : NULL;
      return data != NULL ? g_strdup_printf ("(%s * %s)", below (m, 2) ? a : b, data) : g_strdup_printf ("(%s * %s)", a, depth > 1 && is_index (dtype) ? "1" : b);
    case 3: return g_strdup_printf ("T.max(%s, %s)", a, b);
    case 4: return g_strdup_printf ("T.min(%s, %s)", a, b);
    case 5:
      if (is_float (dtype))
        {
          /* by a number that is no power of two, it is multiplied with the inverse as TVM does, which rounds once more */
          static const char *const powers[] = { "2", "0.5", "-4", "1024", "0", "-0.0" };

          return g_strdup_printf ("(%s / T.%s(%s))", a, dtype, powers[below (m, 6)]);
        }
      return g_strdup_printf ("T.floordiv(%s, %s)", a, by);
    case 6: return g_strdup_printf ("T.floormod(%s, %s)", a, by);
    case 7: return g_strdup_printf ("T.truncdiv(%s, %s)", a, by);
    case 8: return g_strdup_printf ("T.shift_right(%s, T.%s(%u))", a, dtype, below (m, bits_of (dtype)));
    case 9:
      data = data_of (m, dtype);
      return g_strdup_printf (data != NULL ? "T.shift_left(%s, T.%s(%u))" : "T.shift_right(%s, T.%s(%u))", data != NULL ? data : a, dtype, below (m, bits_of (dtype)));
    default: return g_strdup_printf ("T.truncmod(%s, %s)", a, by);
    }
}

/* A number near an end of the type, or near a power of two; not 0. */
static char *
edge (Maker      *m,
      const char *dtype)
{
  guint bits = bits_of (dtype), power = below (m, bits - 1);
  gboolean is_signed = dtype[0] == 'i';
  gint64 highest = (gint64) ((~(guint64) 0 >> (64 - bits)) >> (is_signed || bits == 64)), near = below (m, 3), number;

  switch (below (m, 5))
    {
    case 0: number = highest - near; break;
    case 1: number = is_signed ? -highest - 1 + near : highest / 2 + near; break;
    case 2: number = bits == 32 ? 46340 + near : near + 1; break;
    default:
      number = ((gint64) 1 << power) + near - 1;
      number = is_signed && below (m, 3) == 0 ? -number : number;
    }
  return g_strdup_printf ("T.%s(%" G_GINT64_FORMAT ")", dtype, number != 0 ? number : 1);
}

/* Data (taken, or NULL) through some operations with such numbers: what rules make of these numbers may leave the type. (transfer full) */
static char *
edges (Maker      *m,
       const char *dtype,
       char       *value)
{
  static const char *const formats[] = { "(%s + %s)", "(%s - %s)", "(%s * %s)", "T.floordiv(%s, %s)", "T.floordiv(%s, %s)", "T.floormod(%s, %s)", "T.truncdiv(%s, %s)", "T.truncdiv(%s, %s)",
                                         "T.truncmod(%s, %s)", "T.max(%s, %s)", "T.min(%s, %s)" };
  static const char *const compare[] = { "<", "<=", ">", ">=", "==", "!=" };
  guint n = 2 + below (m, 2);

  for (guint i = 0; value != NULL && i < n; i++)
    {
      g_autofree char *inner = value, *number = edge (m, dtype);

G_GNUC_BEGIN_IGNORE_DEPRECATIONS
      value = g_strdup_printf (formats[below (m, G_N_ELEMENTS (formats))], inner, number);
G_GNUC_END_IGNORE_DEPRECATIONS
    }
  if (value != NULL && below (m, 3) == 0)
    {
      g_autofree char *inner = value, *bound = edge (m, dtype);

      value = g_strdup_printf ("T.Cast(\"%s\", %s %s %s)", dtype, inner, compare[below (m, 6)], bound);
    }
  return value != NULL ? value : constant (m, dtype);
}

/* What is to be a scalar: numbers made of loop variables are made small, so that products of it stay in its type. (takes value, transfer full) */
static char *
scalar_value (Maker      *m,
              const char *dtype,
              char       *value)
{
  g_autofree char *wide = value;

  if (is_index (dtype) && strchr (value, '[') == NULL)
    return g_strdup_printf ("T.%smod(%s, T.%s(1000))", below (m, 2) ? "floor" : "trunc", wide, dtype);
  return g_steal_pointer (&wide);
}

/* An expression with a name for a part of it. */
static char *
let (Maker      *m,
     const char *dtype,
     guint       depth)
{
  const char *other = TYPES[below (m, G_N_ELEMENTS (TYPES) - 1)];
  guint number = m->n_made++;
  g_autofree char *value = scalar_value (m, other, expression (m, other, depth - 1)), *body = NULL;

  if (m->n_scalars == G_N_ELEMENTS (m->scalars))
    return binary (m, dtype, depth);
  g_string_append_printf (m->lets, "        e%u = T.%s()\n", number, other);
  g_snprintf (m->scalars[m->n_scalars].name, sizeof m->scalars[0].name, "e%u", number);
  m->scalars[m->n_scalars++].dtype = other;
  body = expression (m, dtype, depth - 1);
  m->n_scalars--;
  return g_strdup_printf ("T.Let(%s, where={e%u: %s})", body, number, value);
}

static char *
expression (Maker      *m,
            const char *dtype,
            guint       depth)
{
  g_autofree char *a = NULL, *b = NULL, *c = NULL;
  const char *other;

  if (strcmp (dtype, "bool") == 0)
    return depth == 0 ? load (m, dtype) : condition (m, depth - 1);
  if (depth == 0)
    return below (m, 3) == 0 ? constant (m, dtype) : below (m, 3) == 0 ? scalar (m, dtype) : load (m, dtype);
  switch (below (m, 9))
    {
    case 0:
      a = condition (m, 1);
      b = expression (m, dtype, depth - 1);
      c = expression (m, dtype, depth - 1);
      return g_strdup_printf ("%s(%s, %s, %s)", below (m, 2) ? "T.Select" : "T.if_then_else", a, b, c);
    case 1:
      other = TYPES[below (m, G_N_ELEMENTS (TYPES))];
      a = expression (m, other, depth - 1);
      return g_strdup_printf ("T.Cast(\"%s\", %s)", dtype, a);
    case 2:
      if (is_float (dtype))
        {
          static const char *const calls[] = { "floor", "ceil", "trunc", "fabs", "sqrt", "round", "nearbyint" };

          a = expression (m, dtype, depth - 1);
          return g_strdup_printf ("T.%s(%s)", calls[below (m, G_N_ELEMENTS (calls))], a);
        }
      a = expression (m, dtype, depth - 1);
      if (below (m, 4) == 0)
        return g_strdup_printf (dtype[0] == 'i' && below (m, 2) ? "T.abs(%s)" : "T.bitwise_not(%s)", a);
      b = expression (m, dtype, depth - 1);
      return g_strdup_printf ("T.bitwise_%s(%s, %s)", below (m, 2) ? "and" : below (m, 2) ? "or" : "xor", a, b);
    case 3:
      return is_float (dtype) ? binary (m, dtype, depth) : edges (m, dtype, data_of (m, dtype));
    case 4:
      return below (m, 3) == 0 ? let (m, dtype, depth) : binary (m, dtype, depth);
    default:
      return binary (m, dtype, depth);
    }
}

/* ---- statements --------------------------------------------------------------------------------- */

static void statements (Maker *m, guint depth);

static void
store (Maker *m)
{
  const Array *array = any_array (m, NULL);
  g_autofree char *at = NULL, *value = NULL;

  if (array == NULL)
    {
      line (m, "T.evaluate(0)");
      return;
    }
  at = place (m, array->extent);
  value = expression (m, array->dtype, below (m, 4));
  line (m, "%s[%s] = %s", array->name, at, value);
}

/* A number that is known where it is stored, an index or a constant, and what is done with it there: what is loaded wraps. */
static void
store_known (Maker *m)
{
  static const int starts[] = { 46330, -46360, 65500, 1 << 30, -(1 << 30), G_MAXINT32 - 50, G_MININT32 + 50 };
  const Array *array = any_array (m, "int32");
  const Index *index = m->n_indices > 0 ? &m->indices[below (m, m->n_indices)] : NULL;
  g_autofree char *at = NULL, *used = NULL;

  if (array == NULL || strcmp (array->dtype, "int32") != 0)
    {
      store (m);
      return;
    }
  at = place (m, array->extent);
  if (index != NULL && index->low >= -50 && index->high <= 50 && below (m, 3) > 0)
    line (m, "%s[%s] = %s + %d", array->name, at, index->name, starts[below (m, G_N_ELEMENTS (starts))]);
  else
    line (m, "%s[%s] = %d", array->name, at, starts[below (m, G_N_ELEMENTS (starts))]);
  used = edges (m, "int32", g_strdup_printf ("%s[%s]", array->name, at));
  line (m, "%s[%s] = %s", array->name, at, used);
}

/* A number of 32 or 64 bits, changed through its address: what is known of it ends there. */
static void
atomic (Maker *m)
{
  static const char *const functions[] = { "atomicAdd", "atomicSub", "atomicMax", "atomicMin", "atomicExch" };
  const Array *array = any_array (m, NULL);
  gboolean is_wide = array != NULL && (g_str_has_suffix (array->dtype, "32") || g_str_has_suffix (array->dtype, "64"));
  const char *function = functions[is_wide && is_float (array->dtype) ? 4 * below (m, 2) : below (m, 5)];
  g_autofree char *at = NULL, *value = NULL;

  if (!is_wide)
    {
      store (m);
      return;
    }
  at = place (m, array->extent);
  value = expression (m, array->dtype, below (m, 3));
  line (m, "T.evaluate(T.call_extern(\"%s\", \"%s\", T.address_of(%s[%s]), %s))", array->dtype, function, array->name, at, value);
}

/* ---- vectors ------------------------------------------------------------------------------------- */

/* Elements of an array: in order, backwards, every second one, one for all, or those that loops' indices lead to. */
static char *
lanes_of (Maker *m,
          int    extent,
          guint  lanes)
{
  int n = (int) lanes;

  switch (below (m, 5))
    {
    case 0:
      if (extent >= n)
        return g_strdup_printf ("T.Ramp(%u, -1, %u)", lanes - 1 + below (m, (guint) (extent - n) + 1), lanes);
      break;
    case 1:
      if (extent > 2 * (n - 1))
        return g_strdup_printf ("T.Ramp(%u, 2, %u)", below (m, (guint) (extent - 2 * (n - 1))), lanes);
      break;
    case 2:
      {
        g_autofree char *sum = index_sum (m);

        return g_strdup_printf ("T.Ramp(%s, %d, %u) %% T.Broadcast(%d, %u)", sum, (int) below (m, 7) - 3, lanes, extent, lanes);
      }
    case 3:
      {
        g_autofree char *one = place (m, extent);

        return g_strdup_printf ("T.Broadcast(%s, %u)", one, lanes);
      }
    default: break;
    }
  return extent >= n ? g_strdup_printf ("T.Ramp(%u, 1, %u)", below (m, (guint) (extent - n) + 1), lanes) : NULL;
}

static char *
vector (Maker      *m,
        const char *dtype,
        guint       lanes,
        guint       depth)
{
  static const char *const compare[] = { "<", "<=", ">", ">=", "==", "!=" };
  g_autofree char *a = NULL, *b = NULL, *c = NULL, *d = NULL;
  const char *other;

  switch (depth == 0 ? below (m, 3) : below (m, 9))
    {
    case 0:
    case 3:
      {
        const Array *array = any_array (m, dtype);

        a = array != NULL ? lanes_of (m, array->extent, lanes) : NULL;
        if (a != NULL)
          return g_strdup_printf ("%s[%s]", array->name, a);
        break;
      }
    case 1:
      if (strcmp (dtype, "int32") == 0)
        {
          a = index_sum (m);
          return g_strdup_printf ("T.Ramp(%s, %d, %u)", a, (int) below (m, 7) - 3, lanes);
        }
      break;
    case 2:
      break;
    case 4:
      other = TYPES[below (m, G_N_ELEMENTS (TYPES) - 1)];
      a = vector (m, other, lanes, depth - 1);
      return g_strdup_printf ("T.Cast(\"%sx%u\", %s)", dtype, lanes, a);
    case 5:
      other = TYPES[below (m, G_N_ELEMENTS (TYPES) - 1)];
      a = vector (m, other, lanes, depth - 1);
      b = vector (m, other, lanes, depth - 1);
      c = vector (m, dtype, lanes, depth - 1);
      d = vector (m, dtype, lanes, depth - 1);
      return g_strdup_printf ("T.Select(%s %s %s, %s, %s)", a, compare[below (m, 6)], b, c, d);
    default:
      a = vector (m, dtype, lanes, depth - 1);
      b = vector (m, dtype, lanes, depth - 1);
      switch (below (m, is_float (dtype) ? 5 : 8))
        {
        case 0: return g_strdup_printf ("(%s + %s)", a, b);
        case 1: return g_strdup_printf ("(%s - %s)", a, b);
        case 2: return g_strdup_printf ("(%s * %s)", a, b);
        case 3: return g_strdup_printf ("T.max(%s, %s)", a, b);
        case 4: return g_strdup_printf ("T.min(%s, %s)", a, b);
        case 5: return g_strdup_printf ("T.floordiv(%s, T.Broadcast(T.%s(%u), %u))", a, dtype, below (m, 9) + 1, lanes);
        case 6: return g_strdup_printf ("T.floormod(%s, T.Broadcast(T.%s(%u), %u))", a, dtype, below (m, 9) + 1, lanes);
        default: return g_strdup_printf ("T.truncmod(%s, T.Broadcast(T.%s(%u), %u))", a, dtype, below (m, 9) + 1, lanes);
        }
    }
  a = expression (m, dtype, MIN (depth, 1));
  return g_strdup_printf ("T.Broadcast(%s, %u)", a, lanes);
}

static void
vector_store (Maker *m)
{
  const Array *array = any_array (m, NULL);
  guint lanes = below (m, 2) ? 4 : 2;
  g_autofree char *value = NULL, *at = NULL;

  if (array == NULL || array->extent < (int) lanes || strcmp (array->dtype, "bool") == 0)
    {
      store (m);
      return;
    }
  value = vector (m, array->dtype, lanes, below (m, 3) + 1);
  /* no place twice: which lane wins is nobody's to say */
  if (below (m, 4) == 0)
    at = g_strdup_printf ("T.Ramp(%u, -1, %u)", lanes - 1 + below (m, (guint) array->extent - lanes + 1), lanes);
  else
    at = g_strdup_printf ("T.Ramp(%u, 1, %u)", below (m, (guint) array->extent - lanes + 1), lanes);
  line (m, "%s[%s] = %s", array->name, at, value);
}

static void
loop (Maker *m,
      guint  depth)
{
  Index *index = &m->indices[m->n_indices];
  guint kind = below (m, 8);

  if (m->n_indices == G_N_ELEMENTS (m->indices))
    return;
  g_snprintf (index->name, sizeof index->name, "i%u", m->n_made++);
  index->low = kind == 0 ? -(int) below (m, 6) : kind == 1 ? (int) below (m, 4) : 0;
  index->high = index->low + (below (m, 9) == 0 ? -(int) below (m, 3) : (int) below (m, 8) + 1);
  if (kind == 2 || kind == 3)
    line (m, "for %s in T.%s(%d, %d):", index->name, kind == 2 ? "unroll" : "serial", index->low, index->high);
  else if (kind == 4 && (index->low = 0) == 0)
    line (m, "for %s in T.vectorized(%d):", index->name, index->high = below (m, 2) ? 4 : 2);
  else if (kind == 5 && (index->low = 0) == 0)
    {
      g_autofree char *extent = load (m, "int32");      /* a store in the loop does not change how many rounds there are */

      line (m, "for %s in range(T.floormod(%s, 5)):", index->name, extent);
      index->high = 4;
    }
  else
    line (m, "for %s in range(%d, %d):", index->name, index->low, index->high);
  m->n_indices++;
  m->indent += 4;
  if (kind == 4)
    {
      /* lanes do not see each other: each writes its own place of an array that is read nowhere else */
      const Array *array = any_array (m, NULL);
      g_autofree char *value = NULL;

      if (array != NULL && array->extent >= index->high)
        {
          value = constant (m, array->dtype);
          line (m, "%s[%s] = %s", array->name, index->name, value);
        }
      else
        line (m, "T.evaluate(0)");
    }
  else
    {
      statements (m, depth - 1);
    }
  m->indent -= 4;
  m->n_indices--;
}

/* Far from 0: numbers that come near the ends of int32. */
static void
far_loop (Maker *m)
{
  static const int starts[] = { 60000, -60000, 46000, 1 << 30, -(1 << 30), G_MAXINT32 - 20, G_MININT32 + 20 };
  static const char *const operators[] = { "T.floordiv", "T.floormod", "T.truncdiv", "T.truncmod" };
  static const int divisors[] = { 7, 8, 1000, 65521, 65536, 100000, 1000000007, -3, -65521 };
  const Array *array = any_array (m, NULL);
  int start = starts[below (m, G_N_ELEMENTS (starts))], factor = (int) below (m, 41) - 20, more = (int) below (m, 21) - 10;
  guint number = m->n_made++;
  g_autofree char *i = g_strdup_printf ("f%u", number), *value = NULL;

  if (array == NULL || is_float (array->dtype) || strcmp (array->dtype, "bool") == 0)
    return;
  while (ABS ((gint64) factor * start) > G_MAXINT32 - 1000)
    factor /= 2;
  if (factor == 0)
    factor = 1;
  if (factor == 1)
    more = start > 0 ? -ABS (more) : ABS (more);
  value = g_strdup_printf ("%s(%s * %d + %d, %d)", operators[below (m, 4)], i, factor, more, divisors[below (m, G_N_ELEMENTS (divisors))]);
  line (m, "for %s in range(%d, %d):", i, start, start + array->extent);
  if (below (m, 3) == 0)
    line (m, "    %s[%s - %d] = T.Cast(\"%s\", T.max(%s, %d) - %d)", array->name, i, start, array->dtype, value, (int) below (m, 9), (int) below (m, 9));
  else
    line (m, "    %s[%s - %d] = T.Cast(\"%s\", %s)", array->name, i, start, array->dtype, value);
}

static void
branch (Maker *m,
        guint  depth)
{
  g_autofree char *test = condition (m, 2);

  line (m, "if %s:", test);
  m->indent += 4;
  if (below (m, 4) == 0)
    line (m, "assert %s, \"so\"", test);
  statements (m, depth - 1);
  m->indent -= 4;
  if (below (m, 2))
    return;
  line (m, "else:");
  m->indent += 4;
  statements (m, depth - 1);
  m->indent -= 4;
}

/* A counter of its own ends it. */
static void
while_loop (Maker *m,
            guint  depth)
{
  guint number = m->n_made++;
  g_autofree char *test = condition (m, 1);

  line (m, "w%u = T.decl_buffer((1,), \"int32\")", number);
  line (m, "w%u[0] = 0", number);
  line (m, "while w%u[0] < %u and (%s):", number, below (m, 4) + 1, test);
  m->indent += 4;
  line (m, "w%u[0] = w%u[0] + 1", number, number);
  statements (m, depth - 1);
  m->indent -= 4;
}

static void
define (Maker *m)
{
  const char *dtype = TYPES[below (m, G_N_ELEMENTS (TYPES) - 1)];
  g_autofree char *value = scalar_value (m, dtype, expression (m, dtype, 2));

  if (m->n_scalars == G_N_ELEMENTS (m->scalars))
    return;
  g_snprintf (m->scalars[m->n_scalars].name, sizeof m->scalars[0].name, "s%u", m->n_made++);
  m->scalars[m->n_scalars].dtype = dtype;
  line (m, "%s: T.%s = %s", m->scalars[m->n_scalars].name, dtype, value);
  m->n_scalars++;
}

/* A block that adds up, with its init. */
static void
block (Maker *m)
{
  const Array *array = any_array (m, NULL);
  guint number = m->n_made++;
  int inner = (int) below (m, 4) + (below (m, 6) != 0);

  if (array == NULL || strcmp (array->dtype, "bool") == 0)
    return;
  line (m, "for a%u, b%u in T.grid(%d, %d):", number, number, array->extent, inner);
  line (m, "    with T.block(\"B%u\"):", number);
  line (m, "        v%u, r%u = T.axis.remap(\"SR\", [a%u, b%u])", number, number, number, number);
  line (m, "        with T.init():");
  line (m, "            %s[v%u] = T.%s(%u)", array->name, number, array->dtype, below (m, 3));
  line (m, "        %s[v%u] = %s[v%u] %s T.Cast(\"%s\", v%u * 3 + r%u)", array->name, number, array->name, number, below (m, 2) ? "+" : "-", array->dtype, number, number);
}

/* A block that may read and write all of every array: which parts it does is not told in one way only (the text of a difference of minima). */
static void
all_regions (Maker      *m,
             const char *word)
{
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; i < m->n_arrays; i++)
    if (m->arrays[i].extent > 0)
      g_string_append_printf (list, "%s%s[0:%d]", list->len > 0 ? ", " : "", m->arrays[i].name, m->arrays[i].extent);
  line (m, "    T.%s(%s)", word, list->str);
}

/* A block with a part of an array under another name: both name the same memory. */
static void
view (Maker *m,
      guint  depth)
{
  const Array *array = any_array (m, NULL);
  Array *own = &m->arrays[m->n_arrays];
  guint number = m->n_made++;
  g_autofree char *first = NULL;

  if (array == NULL || m->n_arrays == G_N_ELEMENTS (m->arrays) || g_str_has_prefix (m->arrays[m->n_arrays - 1].name, "V"))
    return;
  g_snprintf (own->name, sizeof own->name, "V%u", number);
  own->dtype = array->dtype;
  own->extent = (int) below (m, (guint) array->extent) + 1;
  own->is_local = array->is_local;
  first = place (m, array->extent - own->extent + 1);
  line (m, "with T.block(\"V%u\"):", number);
  all_regions (m, "reads");
  all_regions (m, "writes");
  line (m, "    V%u = T.match_buffer(%s[%s:%s + %d], (%d,), \"%s\", offset_factor=1)", number, array->name, first, first, own->extent, own->extent, own->dtype);
  m->n_arrays++;
  m->indent += 4;
  statements (m, depth - 1);
  m->indent -= 4;
  m->n_arrays--;
}

static void
statements (Maker *m,
            guint  depth)
{
  guint n = below (m, 3) + 1, scalars = m->n_scalars;

  for (guint i = 0; i < n; i++)
    {
      guint kind = depth == 0 || m->budget == 0 ? 0 : below (m, 17);

      m->budget -= m->budget > 0;
      if (kind < 4 && below (m, 6) == 0)
        store_known (m);
      else if (kind < 4)
        store (m);
      else if (kind < 8)
        loop (m, depth);
      else if (kind < 10)
        branch (m, depth);
      else if (kind == 10)
        while_loop (m, depth);
      else if (kind == 11)
        define (m);
      else if (kind == 12 || kind == 14)
        vector_store (m);
      else if (kind == 15 && below (m, 2))
        atomic (m);
      else if (kind == 15)
        far_loop (m);
      else if (kind == 16)
        view (m, depth);
      else if (m->n_indices == 0)
        block (m);
    }
  store (m);
  m->n_scalars = scalars;
}

char *
ls_test_random_tir (GRand *rand)
{
  Maker m = { .rand = rand, .text = g_string_new (NULL), .lets = g_string_new (NULL), .indent = 8, .budget = 24 };
  guint n_params = below (&m, 3) + 2, n_local = below (&m, 3);
  GString *text;

  for (guint i = 0; i < n_params + n_local; i++)
    {
      Array *array = &m.arrays[m.n_arrays++];

      g_snprintf (array->name, sizeof array->name, "%c", (char) ('A' + i));
      array->dtype = TYPES[below (&m, G_N_ELEMENTS (TYPES))];
      array->extent = below (&m, 12) == 0 ? 0 : (int) below (&m, 9) + 1;
      array->is_local = i >= n_params;
      if (!array->is_local)
        continue;
      array->extent = MAX (array->extent, 1);
      line (&m, "%s = T.alloc_buffer((%d,), \"%s\")", array->name, array->extent, array->dtype);
    }
  for (guint i = n_params; i < m.n_arrays; i++)
    {
      g_autofree char *value = constant (&m, m.arrays[i].dtype);

      line (&m, "for z%u in range(%d):", i, m.arrays[i].extent);
      line (&m, "    %s[z%u] = %s", m.arrays[i].name, i, value);
    }
  statements (&m, 3);
  statements (&m, 3);
  text = g_string_new ("# from tvm.script import ir as I\n# from tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n    @T.prim_func\n    def main(");
  for (guint i = 0; i < n_params; i++)
    g_string_append_printf (text, "%s%s: T.Buffer((%d,), \"%s\")", i > 0 ? ", " : "", m.arrays[i].name, m.arrays[i].extent, m.arrays[i].dtype);
  g_string_append_printf (text, "):\n%s%s", m.lets->str, m.text->str);
  g_string_free (m.text, TRUE);
  g_string_free (m.lets, TRUE);
  return g_string_free (text, FALSE);
}
