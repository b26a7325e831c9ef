/* numbers: see the header.
 *
 * Numbers are small and whole, so that sums of floats are exact in whichever order they are added; functions of them may come out a little
 * different.  Sizes that are not known are small ones.  Elements that were NaN or never written before the step say nothing.
 *
 * Rounds that run at the same time have no order: the program after the step runs a second time with theirs backwards, but for those of
 * threads, which may add up together.
 */
#include "engine/schedule/step/numbers.h"

#include "engine/base/findings.h"
#include "engine/interp/interp.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define STATEMENTS 100000       /* of both programs in all runs, at the most: some 20 ms */
#define ROUNDS 8                /* other numbers for each */
#define ELEMENTS (1 << 20)      /* of all arrays together */
#define NEVER_WRITTEN 0x5a5a5a5a5a5a5a5b        /* what the interpreter fills memory with, cut to the type */

typedef struct {
  LsPrimFunc  *func;
  GHashTable  *sizes;           /* LsVar -> gint64 *, both owned by the tables */
  LsInterpArg *args;
  guint        n;
} Run;

static void
run_clear (Run *self)
{
  for (guint i = 0; i < self->n; i++)
    {
      g_free (self->args[i].data);
      g_free ((gpointer) self->args[i].shape);
    }
  g_free (self->args);
  g_clear_pointer (&self->sizes, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

static guint64
next_random (guint64 *state)
{
  guint64 z = (*state += 0x9e3779b97f4a7c15u);

  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* ---- arguments --------------------------------------------------------------------------- */

/* Small, and another one for each variable, so that they are not taken for each other. */
static gint64
number_of (Run   *self,
           LsVar *var)
{
  gint64 *size = g_hash_table_lookup (self->sizes, var);

  if (size == NULL)
    {
      size = g_new (gint64, 1);
      *size = 3 + 2 * (gint64) g_hash_table_size (self->sizes);
      g_hash_table_insert (self->sizes, var, size);
    }
  return *size;
}

static LsWalk
name_size (LsNode   *node,
           gpointer  user_data)
{
  if (ls_is_var (node))
    number_of (user_data, (LsVar *) node);
  return LS_WALK_CONTINUE;
}

static gboolean
size_of (Run    *self,
         LsExpr *expr,
         gint64 *size)
{
  double real;

  ls_walk (expr, name_size, NULL, self);
  return ls_interp_eval (expr, self->sizes, size, &real, NULL) && *size >= 0 && *size <= ELEMENTS;
}

/* `spread`: numbers from -spread to spread, or from 0 where the type has no others; 0: indices that are surely there. */
static void
fill (LsDType  t,
      guint8  *data,
      gint64   n,
      guint    spread,
      guint64  state)
{
  gsize size = ls_dtype_bytes (t);
  gboolean negative = spread > 0 && t.code != LS_TYPE_UINT && !ls_dtype_is_bool (t);

  for (gint64 i = 0; i < n; i++)
    {
      gint64 value = (gint64) (next_random (&state) % (negative ? 2 * spread + 1 : spread > 0 ? spread + 1 : 2)) - (negative ? (gint64) spread : 0);

      ls_interp_store (t, data + (gsize) i * size, ls_dtype_is_bool (t) ? value & 1 : (double) value);
    }
}

static gboolean
make_array (Run         *self,
            LsBuffer    *buffer,
            LsInterpArg *arg,
            guint        spread,
            guint        number,
            gint64      *total)
{
  gint64 *shape = g_new0 (gint64, ls_array_n (buffer->shape) + 1), n = 1;
  LsDType element = ls_dtype_element (buffer->dtype);

  *arg = (LsInterpArg) { buffer->dtype, TRUE, NULL, ls_array_n (buffer->shape), shape, NULL, 0, 0 };
  if (buffer->dtype.lanes != 1)
    return FALSE;
  for (guint d = 0; d < arg->ndim; d++)
    if (!size_of (self, ls_array_at (buffer->shape, d, LsExpr), &shape[d]) || (n *= shape[d]) > ELEMENTS)
      return FALSE;
  *total += n;
  if (*total > ELEMENTS)
    return FALSE;
  arg->int_value = n;
  arg->data = g_malloc0 ((gsize) n * ls_dtype_bytes (element) + 1);
  fill (element, arg->data, n, spread, number + 1);
  return TRUE;
}

/* FALSE: its parameters are no arrays and numbers of small sizes. */
static gboolean
run_init (Run        *self,
          LsPrimFunc *func,
          guint       spread,
          guint       round)
{
  gint64 total = 0;

  *self = (Run) { func, g_hash_table_new_full (NULL, NULL, NULL, g_free), g_new0 (LsInterpArg, ls_array_n (func->params) + 1), ls_array_n (func->params) };
  for (guint i = 0; i < self->n; i++)
    {
      LsVar *param = ls_array_at (func->params, i, LsVar);
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);

      self->args[i] = (LsInterpArg) { .dtype = ls_dtype (param), .int_value = 3, .float_value = 3 };
      if (buffer != NULL && !make_array (self, buffer, &self->args[i], spread, ROUNDS * i + round, &total))
        return FALSE;
      if (buffer == NULL && ls_dtype_is_int (ls_dtype (param)))
        self->args[i].int_value = number_of (self, param);
    }
  return TRUE;
}

static gboolean
run_go (Run       *self,
        LsModule  *module,
        LsBudget  *budget,
        GError   **error)
{
  LsInterpOptions options = { .module = module, .budget = budget };

  return ls_interp_run (self->func, self->args, self->n, &options, error);
}

static gboolean
has_no_order (LsFor *loop)
{
  const char *tag = loop->thread_binding != NULL ? loop->thread_binding->thread_tag : NULL;

  return loop->kind == LS_FOR_PARALLEL || loop->kind == LS_FOR_VECTORIZED || (tag != NULL && g_str_has_prefix (tag, "blockIdx"));
}

/* The rounds of loops that run at the same time, the last one first. */
static LsNode *
turn (LsRewriter *rewriter,
      LsNode     *node,
      gpointer    turns)
{
  LsFor *loop = (LsFor *) node;
  g_autoptr (LsNode) body = NULL;
  g_autoptr (LsNode) turned = NULL;
  g_autoptr (LsExpr) other = NULL;

  if (ls_is_expr (node))
    return ls_node_ref (node);
  if (!ls_is (node, FOR) || !has_no_order (loop))
    return ls_rewrite_default (rewriter, node);
  *(gboolean *) turns = TRUE;
  body = ls_rewrite (rewriter, loop->body);
  other = ls_sub (ls_add (ls_add (ls_ref (loop->min), ls_ref (loop->min)), ls_sub (ls_ref (loop->extent), ls_const_int (ls_dtype (loop->extent), 1))),
                  LS_EXPR (ls_ref (loop->loop_var)));
  turned = ls_substitute_one (body, loop->loop_var, LS_NODE (other));
  return LS_NODE (ls_for_new (ls_ref (loop->loop_var), ls_ref (loop->min), ls_ref (loop->extent), LS_FOR_SERIAL, g_steal_pointer (&turned), NULL, NULL));
}

/* NULL: no rounds run at the same time. (transfer full) */
static LsPrimFunc *
turned_func (LsPrimFunc *func)
{
  gboolean turns = FALSE;
  g_autoptr (LsNode) body = ls_rewrite_with (func->body, turn, &turns);

  return turns ? ls_prim_func_with_body (func, body) : NULL;
}

/* ---- comparing ----------------------------------------------------------------------------- */

/* How far apart functions of one number may come out, computed in another order: a part of it. */
static double
margin_of (LsDType t)
{
  return t.bits >= 32 ? 1e-3 : 0.1;
}

static gboolean
was_never_written (LsDType       t,
                   const guint8 *at)
{
  const gint64 unwritten = NEVER_WRITTEN;

  return ls_dtype_is_float (t) ? isnan (ls_interp_load (t, at)) : !ls_dtype_is_bool (t) && memcmp (at, &unwritten, ls_dtype_bytes (t)) == 0;
}

static gboolean
differs (LsDType       t,
         const guint8 *before,
         const guint8 *now)
{
  double a, b;

  if (memcmp (before, now, ls_dtype_bytes (t)) == 0 || was_never_written (t, before))
    return FALSE;
  if (!ls_dtype_is_float (t))
    return TRUE;
  a = ls_interp_load (t, before);
  b = ls_interp_load (t, now);
  if (a == b)
    return FALSE;
  return isnan (b) || isinf (a) || isinf (b) || fabs (a - b) > margin_of (t) * MAX (MAX (fabs (a), fabs (b)), 0.01);
}

/* "C[0, 1]" */
static char *
element_text (LsBuffer    *buffer,
              LsInterpArg *arg,
              gint64       at)
{
  GString *text = g_string_new (NULL);

  for (guint d = arg->ndim; d-- > 0; at /= arg->shape[d])
    {
      g_autofree char *index = g_strdup_printf ("%" PRId64 "%s", at % arg->shape[d], text->len > 0 ? ", " : "");

      g_string_prepend (text, index);
    }
  if (text->len > 0)
    g_string_append_c (text, ']');
  g_string_prepend (text, arg->ndim > 0 ? "[" : "");
  g_string_prepend (text, buffer->name);
  return g_string_free (text, FALSE);
}

static char *
value_text (LsDType       t,
            const guint8 *at)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup (g_ascii_formatd (digits, sizeof digits, ls_dtype_is_float (t) ? "%.7g" : "%.0f", ls_interp_load (t, at)));
}

/* (transfer full) */
static char *
first_difference (Run      *before,
                  Run      *now,
                  gboolean  backwards)
{
  for (guint i = 0; i < before->n; i++)
    {
      LsInterpArg *a = &before->args[i], *b = &now->args[i];
      gsize size = ls_dtype_bytes (a->dtype);

      for (gint64 k = 0; a->is_array && k < a->int_value; k++)
        if (differs (a->dtype, (guint8 *) a->data + (gsize) k * size, (guint8 *) b->data + (gsize) k * size))
          {
            g_autofree char *element = element_text (ls_prim_func_get_buffer (before->func, i), a, k);
            g_autofree char *old = value_text (a->dtype, (guint8 *) a->data + (gsize) k * size);
            g_autofree char *fresh = value_text (a->dtype, (guint8 *) b->data + (gsize) k * size);

            if (backwards)
              return g_strdup_printf (ls_translate ("In a run on random numbers, with the rounds that run at the same time backwards, %s becomes %s in place of %s."), element,
                                      fresh, old);
            if (was_never_written (a->dtype, (guint8 *) b->data + (gsize) k * size))
              return g_strdup_printf (ls_translate ("In a run on random numbers %s becomes what lay in memory, in place of %s."), element, old);
            return g_strdup_printf (ls_translate ("In a run on random numbers %s becomes %s in place of %s."), element, fresh, old);
          }
    }
  return NULL;
}

static gboolean
has_same_parameters (Run *before,
                     Run *now)
{
  if (before->n != now->n)
    return FALSE;
  for (guint i = 0; i < before->n; i++)
    {
      LsInterpArg *a = &before->args[i], *b = &now->args[i];

      if (a->is_array != b->is_array || a->ndim != b->ndim || !ls_dtype_equal (a->dtype, b->dtype) ||
          (a->is_array && memcmp (a->shape, b->shape, a->ndim * sizeof *a->shape) != 0))
        return FALSE;
    }
  return TRUE;
}

/* What is asked of one function. */
typedef struct {
  LsPrimFunc *before, *now;
  LsPrimFunc *before_turned, *now_turned;       /* or NULL */
  LsModule   *module_before, *module_now;
  LsBudget   *budget;           /* statements that it may still take */
} Question;

/* Does the order of rounds that run at the same time change what comes out, and did not before? (transfer full) */
static char *
turned_difference (Question *self,
                   Run      *before,
                   guint     spread,
                   guint     round)
{
  g_auto (Run) now = { 0 };
  g_auto (Run) turned = { 0 };
  g_autofree char *found = NULL, *old = NULL;

  if (self->now_turned == NULL || !run_init (&now, self->now_turned, spread, round) || !run_go (&now, self->module_now, self->budget, NULL))
    return NULL;
  found = first_difference (before, &now, TRUE);
  if (found == NULL || self->before_turned == NULL)
    return g_steal_pointer (&found);
  if (!run_init (&turned, self->before_turned, spread, round) || !run_go (&turned, self->module_before, self->budget, NULL))
    return NULL;
  old = first_difference (before, &turned, TRUE);
  return old == NULL ? g_steal_pointer (&found) : NULL;
}

/* *ran: both functions can be run on such numbers. (transfer full) */
static char *
difference_of (Question *self,
               guint     spread,
               guint     round,
               gboolean *ran,
               gboolean *stops)
{
  g_auto (Run) before = { 0 };
  g_auto (Run) now = { 0 };
  g_autoptr (GError) error = NULL;
  gboolean fit = run_init (&before, self->before, spread, round) && run_init (&now, self->now, spread, round);

  *ran = fit && has_same_parameters (&before, &now) && run_go (&before, self->module_before, self->budget, NULL);
  if (!*ran)
    return NULL;
  if (run_go (&now, self->module_now, self->budget, &error))
    {
      char *found = first_difference (&before, &now, FALSE);

      return found != NULL ? found : turned_difference (self, &before, spread, round);
    }
  *ran = g_error_matches (error, LS_INTERP_ERROR, LS_INTERP_ERROR_BOUNDS) || g_error_matches (error, LS_INTERP_ERROR, LS_INTERP_ERROR_ARITHMETIC);
  if (!*ran)
    return NULL;
  *stops = TRUE;
  return g_strdup_printf (ls_translate ("A run on random numbers then stops: %s"), error->message);
}

/* *rounds: so many gave the same. (transfer full) */
static char *
ask (Question *self,
     gboolean *stops,
     guint    *rounds)
{
  static const guint spreads[] = { 4, 2, 0 };
  gboolean ran = FALSE;

  *rounds = 0;
  /* what is read as an index may have to be smaller, or positive */
  for (guint k = 0; k < G_N_ELEMENTS (spreads) && !ran; k++)
    for (guint round = 0; round < ROUNDS && (round == 0 || ran) && !self->budget->exhausted; round++)
      {
        char *found = difference_of (self, spreads[k], round, &ran, stops);

        if (found != NULL)
          return found;
        *rounds += ran && !self->budget->exhausted;
      }
  return NULL;
}

char *
ls_numbers_difference (LsModule *before,
                       LsModule *now,
                       gboolean *stops,
                       guint    *rounds)
{
  *stops = FALSE;
  *rounds = G_MAXUINT;
  for (guint i = 0; i < MIN (ls_array_n (before->functions), ls_array_n (now->functions)); i++)
    {
      LsNode *old = before->functions->items[i], *fresh = now->functions->items[i];
      g_autoptr (LsPrimFunc) old_turned = NULL;
      g_autoptr (LsPrimFunc) fresh_turned = NULL;
      LsBudget budget;
      guint alike;
      char *found;

      if (old == fresh || !ls_is (old, PRIM_FUNC) || !ls_is (fresh, PRIM_FUNC))
        continue;
      ls_budget_init (&budget, STATEMENTS, NULL);
      old_turned = turned_func ((LsPrimFunc *) old);
      fresh_turned = turned_func ((LsPrimFunc *) fresh);
      found = ask (&(Question) { (LsPrimFunc *) old, (LsPrimFunc *) fresh, old_turned, fresh_turned, before, now, &budget }, stops, &alike);
      *rounds = MIN (*rounds, alike);
      if (found != NULL)
        return found;
    }
  *rounds = *rounds == G_MAXUINT ? 0 : *rounds;
  return NULL;
}

/* ---- what it says of a step ---- */

/* A warning that the step changes numbers; not one of what it is asked for, as a narrower type. */
static gboolean
doubts_numbers (const LsDiagnostic *finding)
{
  static const char *const meant[] = { "/rounding", "/fast-math", "/parameter", "/written-out" };
  gboolean is_meant = finding->severity != LS_SEVERITY_WARNING;

  for (guint i = 0; i < G_N_ELEMENTS (meant); i++)
    is_meant |= g_str_has_suffix (finding->code, meant[i]);
  return !is_meant;
}

static gboolean
is_about_bounds (const LsDiagnostic *finding)
{
  return g_str_has_suffix (finding->code, "/out-of-bounds");
}

gboolean
ls_numbers_keep (LsMove        *move,
                 LsModule      *before,
                 LsDiagnostics *diagnostics,
                 guint          first)
{
  g_autofree char *difference = NULL;
  guint n = ls_diagnostics_get_n (diagnostics), told, rounds = 0;
  gboolean stops;

  while (first < n && !doubts_numbers (ls_diagnostics_get (diagnostics, first)))
    first++;
  difference = first < n ? ls_numbers_difference (before, move->state->module, &stops, &rounds) : NULL;
  for (told = first; difference == NULL && rounds > 1 && told < n; told++)
    if (doubts_numbers (ls_diagnostics_get (diagnostics, told)))
      ls_diagnostics_add_sentence (diagnostics, told, ls_translate (LS_TEXT ("Runs on random numbers give the same results.")));
  if (difference == NULL)
    return TRUE;
  /* of several the one that speaks of it */
  for (told = first; told + 1 < n && (!doubts_numbers (ls_diagnostics_get (diagnostics, told)) || is_about_bounds (ls_diagnostics_get (diagnostics, told)) != stops); told++)
    ;
  ls_diagnostics_make_error (diagnostics, doubts_numbers (ls_diagnostics_get (diagnostics, told)) ? told : first, difference);
  return FALSE;
}
