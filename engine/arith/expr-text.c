/* expr-text: a short infix text of an expression.
 *
 * For the reasons that detection gives and for tests: the TVMScript printer stands in a
 * layer above.  Iteration maps are shown by their parts.  What has no infix form is shown
 * by the name of its class.
 */
#include "engine/arith/iter-map.h"
#include "engine/arith/pool.h"

#define MAX_DEPTH 64

static const struct { LsKind kind; const char *text; int strength; } operators[] = {
  { LS_KIND_OR, " or ", 1 }, { LS_KIND_AND, " and ", 2 },
  { LS_KIND_EQ, " == ", 4 }, { LS_KIND_NE, " != ", 4 }, { LS_KIND_LT, " < ", 4 }, { LS_KIND_LE, " <= ", 4 },
  { LS_KIND_GT, " > ", 4 }, { LS_KIND_GE, " >= ", 4 },
  { LS_KIND_ADD, " + ", 5 }, { LS_KIND_SUB, " - ", 5 },
  { LS_KIND_MUL, " * ", 6 }, { LS_KIND_FLOOR_DIV, " // ", 6 }, { LS_KIND_FLOOR_MOD, " % ", 6 },
};

static void put (GString *out, gpointer e, int strength, guint depth);

static void
put_list (GString    *out,
          const char *name,
          gpointer    first,
          gpointer    second,
          gpointer    third,
          guint       depth)
{
  g_string_append_printf (out, "%s(", name);
  put (out, first, 0, depth);
  if (second != NULL)
    g_string_append (out, ", "), put (out, second, 0, depth);
  if (third != NULL)
    g_string_append (out, ", "), put (out, third, 0, depth);
  g_string_append_c (out, ')');
}

static void
put_binary (GString  *out,
            LsBinary *e,
            int       strength,
            guint     depth)
{
  for (guint i = 0; i < G_N_ELEMENTS (operators); i++)
    if (operators[i].kind == ls_kind (e))
      {
        int own = operators[i].strength;

        if (own < strength)
          g_string_append_c (out, '(');
        put (out, e->a, own, depth);
        g_string_append (out, operators[i].text);
        put (out, e->b, own + 1, depth);
        if (own < strength)
          g_string_append_c (out, ')');
        return;
      }
  put_list (out, ls_is (e, MIN) ? "min" : ls_is (e, MAX) ? "max" : ls_is (e, DIV) ? "truncdiv" : "truncmod",
            e->a, e->b, NULL, depth);
}

static void
put_call (GString *out,
          LsCall  *e,
          guint    depth)
{
  g_string_append (out, ls_is (e->op, OP) ? ((LsOp *) e->op)->script_name : "call");
  g_string_append_c (out, '(');
  for (guint i = 0; i < ls_array_n (e->args); i++)
    {
      g_string_append (out, i > 0 ? ", " : "");
      put (out, e->args->items[i], 0, depth);
    }
  g_string_append_c (out, ')');
}

static void
put_split (GString     *out,
           LsIterSplit *e,
           guint        depth)
{
  g_string_append (out, "IterSplit(");
  put (out, e->source->source, 0, depth);
  g_string_append (out, " in [0, ");
  put (out, e->source->extent, 0, depth);
  g_string_append (out, "), lower_factor=");
  put (out, e->lower_factor, 0, depth);
  g_string_append (out, ", extent=");
  put (out, e->extent, 0, depth);
  g_string_append (out, ", scale=");
  put (out, e->scale, 0, depth);
  g_string_append_c (out, ')');
}

static void
put_sum (GString   *out,
         LsIterSum *e,
         guint      depth)
{
  g_string_append (out, "IterSum([");
  for (guint i = 0; i < ls_array_n (e->args); i++)
    {
      g_string_append (out, i > 0 ? ", " : "");
      put (out, e->args->items[i], 0, depth);
    }
  g_string_append (out, "], ");
  put (out, e->base, 0, depth);
  g_string_append_c (out, ')');
}

static void
put (GString *out,
     gpointer e,
     int      strength,
     guint    depth)
{
  if (e == NULL || depth > MAX_DEPTH)
    {
      g_string_append (out, "...");
      return;
    }
  depth++;
  if (ls_kind_is_binary (ls_kind (e)))
    {
      put_binary (out, e, strength, depth);
      return;
    }
  switch ((int) ls_kind (e))
    {
    case LS_KIND_VAR:
    case LS_KIND_SIZE_VAR:
      g_string_append (out, ((LsVar *) e)->name);
      break;
    case LS_KIND_INT_IMM:
      if (ls_dtype_is_bool (ls_dtype (e)))
        g_string_append (out, ((LsIntImm *) e)->value ? "True" : "False");
      else
        g_string_append_printf (out, "%" G_GINT64_FORMAT, ((LsIntImm *) e)->value);
      break;
    case LS_KIND_NOT:
      g_string_append (out, "not ");
      put (out, ((LsNot *) e)->a, 3, depth);
      break;
    case LS_KIND_CAST:
      put_list (out, ls_dtype_name (ls_dtype (e)), ((LsCast *) e)->value, NULL, NULL, depth);
      break;
    case LS_KIND_SELECT:
      put_list (out, "Select", ((LsSelect *) e)->condition, ((LsSelect *) e)->true_value,
                ((LsSelect *) e)->false_value, depth);
      break;
    case LS_KIND_CALL:
      put_call (out, e, depth);
      break;
    case LS_KIND_ITER_SPLIT:
      put_split (out, e, depth);
      break;
    case LS_KIND_ITER_SUM:
      put_sum (out, e, depth);
      break;
    default:
      g_string_append (out, LS_NODE (e)->klass->name);
      break;
    }
}

char *
ls_expr_text (gpointer expr)
{
  GString *out = g_string_new (NULL);

  put (out, expr, 0, 0);
  return g_string_free (out, FALSE);
}
