/* The method same: do two functions give the same results?  Both are run on the same random inputs, several times.
 *
 * Symbolic extents and numbers among the parameters are drawn too, the same ones for both sides.  Ends at the first input on
 * which they differ, or when the time is over; one input is always tried.
 */
#include "app/worker/fast-math.h"
#include "app/worker/program.h"

#include "engine/tir/signature.h"

#define MOST_INPUTS 1000
#define LARGEST_EXTENT 48

typedef struct {
  LsRequest  *request;
  GVariant   *params;
  LsProgram  *left;
  LsProgram  *right;
} Pair;

static const char *const DIFFS[] = {
  [LS_SIGNATURE_SAME] = "",
  [LS_SIGNATURE_COUNT] = "count",
  [LS_SIGNATURE_KIND] = "kind",
  [LS_SIGNATURE_DTYPE] = "dtype",
  [LS_SIGNATURE_SHAPE] = "shape",
};

/* ---- what the functions are called with ------------------------------------ */

static LsWalk
add_variable (LsNode  *node,
              gpointer names)
{
  if (ls_is_var (node) && !g_ptr_array_find_with_equal_func (names, ((LsVar *) node)->name, g_str_equal, NULL))
    g_ptr_array_add (names, ((LsVar *) node)->name);
  return LS_WALK_CONTINUE;
}

/* "n=17" for every size and number that a call has to know, in the order of the parameters. (transfer full) */
static char **
draw_sizes (LsPrimFunc *func,
            guint32     seed)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  g_autoptr (GStrvBuilder) sizes = g_strv_builder_new ();

  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);

      for (guint d = 0; buffer != NULL && d < buffer->shape->n; d++)
        ls_walk (buffer->shape->items[d], add_variable, NULL, names);
      if (buffer == NULL && ls_dtype (func->params->items[i]).code != LS_TYPE_HANDLE)
        add_variable (func->params->items[i], names);
    }
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *size = g_strdup_printf ("%s=%d", (char *) g_ptr_array_index (names, i), g_rand_int_range (random, 1, LARGEST_EXTENT + 1));

      g_strv_builder_add (sizes, size);
    }
  return g_strv_builder_end (sizes);
}

static LsArguments *
draw (Pair      *self,
      LsProgram *program,
      guint32    seed,
      GError   **error)
{
  g_auto (GStrv) given = ls_params_strv (self->params, "set");
  g_auto (GStrv) sizes = given == NULL || given[0] == NULL ? draw_sizes (program->func, seed) : g_strdupv (given);
  g_autoptr (GVariant) params = NULL;
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "seed", "x", (gint64) seed * 1000);
  g_variant_dict_insert_value (&dict, "set", g_variant_new_strv ((const char *const *) sizes, -1));
  params = g_variant_ref_sink (g_variant_dict_end (&dict));
  return ls_arguments_prepare (program, self->request, params, error);
}

/* What one side reads the other gets too, even when it only writes it. */
static LsArguments *
share (LsArguments *left,
       LsArguments *right,
       GError     **error)
{
  g_autoptr (LsArguments) copy = NULL;

  for (guint i = 0; i < left->n; i++)
    if (left->arguments[i].array != NULL && left->arguments[i].role == LS_ROLE_OUT && right->arguments[i].role != LS_ROLE_OUT)
      ls_tensor_copy_into (&right->arguments[i].array->tensor, &left->arguments[i].array->tensor, NULL);
  copy = ls_arguments_copy (left, error);
  for (guint i = 0; copy != NULL && i < copy->n; i++)
    copy->arguments[i].role = right->arguments[i].role;
  return g_steal_pointer (&copy);
}

static gboolean
call (LsProgram   *program,
      LsArguments *arguments,
      const char  *side,
      GError     **error)
{
  if (ls_kernel_call (program->kernel, program->name, arguments->args, (int) arguments->n, NULL, error))
    return TRUE;
  g_prefix_error (error, "%s: ", side);
  return FALSE;
}

static gboolean
try_input (Pair         *self,
           guint32       seed,
           LsArguments **actual,
           LsDifference *difference,
           gboolean     *equal,
           GError      **error)
{
  g_autoptr (LsArguments) left = draw (self, self->left, seed, error);
  g_autoptr (LsArguments) drawn = left != NULL ? draw (self, self->right, seed, error) : NULL;
  g_autoptr (LsArguments) right = drawn != NULL ? share (left, drawn, error) : NULL;

  if (right == NULL || !call (self->left, left, "left", error) || !call (self->right, right, "right", error))
    return FALSE;
  *equal = ls_arguments_compare (right, left, difference);
  *actual = g_steal_pointer (&right);
  return TRUE;
}

/* ---- the answer -------------------------------------------------------------- */

static void
put_difference (GVariantDict       *dict,
                const LsDifference *difference,
                guint               input)
{
  g_variant_dict_insert (dict, "state", "s", "different");
  g_variant_dict_insert (dict, "input", "u", input);
  g_variant_dict_insert (dict, "text", "s", difference->text);
  if (difference->name == NULL)
    return;
  g_variant_dict_insert (dict, "argument", "s", difference->name);
  g_variant_dict_insert (dict, "place", "s", difference->place != NULL ? difference->place : "()");
  g_variant_dict_insert (dict, "left", "d", difference->expected);
  g_variant_dict_insert (dict, "right", "d", difference->actual);
  g_variant_dict_insert (dict, "elements-different", "x", difference->n_different);
  g_variant_dict_insert (dict, "elements", "x", difference->n_elements);
}

static gboolean
run_both (Pair         *self,
          GVariantDict *dict,
          GError      **error)
{
  guint n = (guint) CLAMP (ls_params_int (self->params, "inputs", 10), 1, MOST_INPUTS), done = 0;
  guint32 seed = (guint32) ls_params_int (self->params, "seed", 1);
  gint64 end = ls_clock_ns () + CLAMP (ls_params_int (self->params, "budget-ms", 5000), 1, 3600000) * 1000000;
  gboolean equal = TRUE;
  double largest = 0;

  for (; equal && done < n && (done == 0 || ls_clock_ns () < end); done++)
    {
      g_autoptr (LsArguments) actual = NULL;
      g_auto (LsDifference) difference = { 0 };

      if (!try_input (self, seed + done, &actual, &difference, &equal, error))
        return FALSE;
      largest = MAX (largest, difference.max_abs);
      if (!equal)
        put_difference (dict, &difference, done + 1);
      ls_request_progress (self->request, (double) (done + 1) / n, "");
    }
  g_variant_dict_insert (dict, "inputs", "u", done);
  if (equal)
    {
      g_variant_dict_insert (dict, "state", "s", "same");
      g_variant_dict_insert (dict, "max-error", "d", largest);
    }
  return TRUE;
}

static LsProgram *
build_side (GVariant   *params,
            const char *text_key,
            const char *func_key,
            GError    **error)
{
  const char *text = ls_params_require_string (params, text_key, error);
  const char *func = ls_params_string (params, func_key, NULL);
  g_autoptr (GVariant) own = NULL;
  GVariantDict side;

  if (text == NULL)
    return NULL;
  g_variant_dict_init (&side, params);
  g_variant_dict_remove (&side, "func");
  if (func != NULL)
    g_variant_dict_insert (&side, "func", "s", func);
  own = g_variant_ref_sink (g_variant_dict_end (&side));
  return ls_program_build (text, own, NULL, error);
}

/* The left program as IEEE 754 has it: with the function's name of the left, for its target without fast mathematics. */
static LsProgram *
build_strict (GVariant  *params,
              GError   **error)
{
  const char *text = ls_params_require_string (params, "left", error);
  g_autofree char *plain = text != NULL ? ls_fast_math_strict_text (text, error) : NULL;
  g_autofree char *target = g_strdup_printf ("%s -fast-math=0", ls_params_string (params, "target", "llvm"));
  g_autoptr (GVariant) own = NULL;
  GVariantDict side;

  if (plain == NULL)
    return NULL;
  g_variant_dict_init (&side, params);
  g_variant_dict_insert (&side, "strict", "s", plain);
  g_variant_dict_insert (&side, "target", "s", target);
  own = g_variant_ref_sink (g_variant_dict_end (&side));
  return build_side (own, "strict", "left-func", error);
}

/* left, right (modules as texts; no right: the left one that asks for fast mathematics nowhere), left-func, right-func, target, inputs,
 * seed, set, budget-ms
 * -> state: "same" (inputs, max-error), "different" (inputs, input: the first that differs, argument, place, left, right, elements-different,
 * elements, text) or "not comparable" (diff: count, kind, dtype or shape; param). */
static GVariant *
method_same (LsRequest  *request,
             GVariant   *params,
             GError    **error)
{
  gboolean strict = ls_params_string (params, "right", NULL) == NULL;
  g_autoptr (LsProgram) left = build_side (params, "left", "left-func", error);
  g_autoptr (LsProgram) right = left == NULL ? NULL : strict ? build_strict (params, error) : build_side (params, "right", "right-func", error);
  LsSignatureDiff diff;
  GVariantDict dict;
  guint param;
  Pair self;

  if (right == NULL)
    return NULL;
  self = (Pair) { request, params, left, right };
  g_variant_dict_init (&dict, NULL);
  diff = ls_prim_func_compare_signature (self.left->func, self.right->func, &param);
  if (diff != LS_SIGNATURE_SAME)
    {
      g_variant_dict_insert (&dict, "state", "s", "not comparable");
      g_variant_dict_insert (&dict, "diff", "s", DIFFS[diff]);
      g_variant_dict_insert (&dict, "param", "u", param);
      return g_variant_dict_end (&dict);
    }
  if (run_both (&self, &dict, error))
    return g_variant_dict_end (&dict);
  g_variant_dict_clear (&dict);
  return NULL;
}

const LsMethod ls_methods_same[] = {
  { "same", method_same, "Runs two functions on the same random inputs and compares what they give." },
  { NULL, NULL, NULL },
};
