/* onnx/rules-rnn: RNN, GRU and LSTM, step after step: the products of all inputs are one, and what is left of a step is the product with the state.
 *
 *     RNN   h' = f (x W + h R + b)
 *     GRU   z = f (..), r = f (..), h' = (1 - z) g (x Wh + (r h) Rh + b) + z h        the gates stand in the order z r h
 *     LSTM  i o f as f (..), c' = f c + i g (..), h' = o h (c')                       in the order i o f c
 *
 * The longest sequence has a known length, at most MOST_STEPS: a longer one would be a graph that nobody reads.  Behind the end of a shorter one the
 * state stays and the outputs are 0, from whichever end one begins. */
#include "engine/frontend/onnx/onnx-private.h"

#include <inttypes.h>
#include <string.h>

#define FX (&self->fx)
#define MOST_STEPS 256
#define MOST_GATES 4

typedef enum { PLAIN, GATED, LONG_SHORT } Form;         /* RNN, GRU, LSTM */

typedef struct {
  Form        form;
  guint       n_gates, n_states, n_directions, n_steps;
  gint64      width;                    /* of a state */
  gboolean    batch_first, reset_last;
  double      clip;                     /* or 0 */
  LsFxValue  *state_shape;              /* batch, width */
  LsFxValue **masks;                    /* of each step, or NULL: all sequences are of one length */
  LsDType     dtype;
} Layer;

/* What one direction works with; products of the weights stand as the input needs them. */
typedef struct {
  LsFxValue  *own[MOST_GATES];          /* R, turned, of each gate; all together in [0] but for a GRU */
  LsFxValue  *own_bias;                 /* of the last gate of a GRU, or NULL */
  LsFxValue  *peeps[3];                 /* or NULL */
  LsFxValue **inputs;                   /* x W + b of each step, in the order of the sequence */
  LsFxValue  *h, *c;
  guint       direction;
} Track;

/* ---- activations ------------------------------------------------------------------------------ */

static double
parameter_of (LsOnnxImport *self,
              const char   *name,
              guint         i,
              double        otherwise)
{
  LsFxValue *list = ls_onnx_attr (self, name);

  return list != NULL && list->kind == LS_FX_LIST && i < list->n && ls_fx_is_number (list->items[i]) ? ls_fx_number (list->items[i]) : otherwise;
}

static LsFxValue *
activate (LsOnnxImport *self,
          Layer        *layer,
          Track        *track,
          guint         which,          /* f, g, h of the direction */
          LsFxValue    *x)
{
  static const char *const DEFAULTS[][3] = { { "Tanh" }, { "Sigmoid", "Tanh" }, { "Sigmoid", "Tanh", "Tanh" } };
  static const struct { const char *name, *op; } OPS[] = { { "Tanh", "tanh" }, { "Sigmoid", "sigmoid" }, { "Relu", "nn.relu" }, { "Softplus", "nn.softplus" } };
  guint n = layer->form == PLAIN ? 1 : layer->form == GATED ? 2 : 3, at = track->direction * n + which;
  LsFxValue *list = ls_onnx_attr (self, "activations");
  const char *name = DEFAULTS[layer->form][which];

  if (list != NULL && (list->kind != LS_FX_LIST || at >= list->n || list->items[at]->kind != LS_FX_TEXT))
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "%u activations are expected in each direction", n);
  name = list != NULL ? list->items[at]->s : name;
  if (x != NULL && layer->clip > 0.0)
    x = ls_fx_call (FX, "clip", x, ls_fx_real (FX, -layer->clip), ls_fx_real (FX, layer->clip), NULL);
  for (guint i = 0; i < G_N_ELEMENTS (OPS); i++)
    if (g_ascii_strcasecmp (name, OPS[i].name) == 0)
      return ls_fx_call (FX, OPS[i].op, x, NULL);
  if (g_ascii_strcasecmp (name, "Softsign") == 0)
    return ls_fx_call (FX, "divide", x, ls_fx_call (FX, "add", ls_fx_call (FX, "abs", x, NULL), ls_fx_real (FX, 1.0), NULL), NULL);
  /* Which of the lists of parameters is whose is said for these only where they are the first. */
  if (at == 0 && g_ascii_strcasecmp (name, "LeakyRelu") == 0)
    return ls_fx_call (FX, "nn.leakyrelu", x, ls_fx_real (FX, parameter_of (self, "activation_alpha", 0, 0.01)), NULL);
  if (at == 0 && g_ascii_strcasecmp (name, "HardSigmoid") == 0)
    {
      LsFxValue *alpha = ls_fx_real (FX, parameter_of (self, "activation_alpha", 0, 0.2)), *beta = ls_fx_real (FX, parameter_of (self, "activation_beta", 0, 0.5));

      x = ls_fx_call (FX, "add", ls_fx_call (FX, "multiply", x, alpha, NULL), beta, NULL);
      return ls_fx_call (FX, "clip", x, ls_fx_real (FX, 0.0), ls_fx_real (FX, 1.0), NULL);
    }
  return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "the activation %s is not supported here", name);
}

/* ---- pieces ------------------------------------------------------------------------------------- */

/* `n` equal parts of a known extent, along an axis; with `drop` the axis goes. */
static gboolean
cut (LsOnnxImport *self,
     LsFxValue    *x,
     guint         axis,
     guint         n,
     gint64        size,
     gboolean      drop,
     LsFxValue   **parts)
{
  g_autofree LsFxValue **places = g_new (LsFxValue *, n);
  LsFxValue *tuple = NULL;

  for (guint i = 1; i < n; i++)
    places[i - 1] = ls_fx_int (FX, (gint64) i * size);
  if (n > 1 && x != NULL)
    tuple = ls_fx_call (FX, "split", x, LS_FX_BY_NAME, "indices_or_sections", ls_fx_list (FX, places, n - 1), "axis", ls_fx_int (FX, axis), NULL);
  for (guint i = 0; i < n; i++)
    {
      parts[i] = n > 1 ? ls_onnx_field (self, tuple, i) : x;
      if (drop && parts[i] != NULL)
        parts[i] = ls_fx_call (FX, "squeeze", parts[i], LS_FX_BY_NAME, "axis", ls_fx_list (FX, (LsFxValue *[]) { ls_fx_int (FX, axis) }, 1), NULL);
    }
  return self->fx.error == NULL;
}

/* The part of a direction of an input whose first axis they are; NULL: it is missing, or an error. */
static LsFxValue *
of_direction (LsOnnxImport *self,
              Layer        *layer,
              guint         input,
              guint         direction)
{
  LsFxValue *parts[2] = { NULL, NULL }, *x = ls_onnx_input (self, input);

  return x != NULL && cut (self, x, 0, layer->n_directions, 1, TRUE, parts) ? parts[direction] : NULL;
}

static LsFxValue *
first_state (LsOnnxImport *self,
             Layer        *layer,
             guint         input,
             guint         direction)
{
  LsFxValue *x = ls_onnx_input (self, input), *parts[2] = { NULL, NULL };

  if (x == NULL)
    return self->fx.error == NULL ? ls_fx_call (FX, "full", layer->state_shape, ls_fx_scalar (FX, ls_fx_real (FX, 0.0), layer->dtype), NULL) : NULL;
  return cut (self, x, layer->batch_first ? 1 : 0, layer->n_directions, 1, TRUE, parts) ? parts[direction] : NULL;
}

static LsFxValue *
sum_of (LsOnnxImport *self,
        LsFxValue    *a,
        LsFxValue    *b)        /* or NULL */
{
  return b != NULL ? ls_fx_call (FX, "add", a, b, NULL) : a;
}

/* Everything of a direction that does not go with the steps. x: (steps, batch, inputs) */
static gboolean
track_init (LsOnnxImport *self,
            Layer        *layer,
            Track        *track,
            LsFxValue    *x,
            guint         direction)
{
  LsFxValue *w, *r, *bias, *halves[2] = { NULL, NULL }, *gates[MOST_GATES], *peeps, *all;

  track->direction = direction;
  w = ls_fx_call (FX, "permute_dims", of_direction (self, layer, 1, direction), NULL);
  r = of_direction (self, layer, 2, direction);
  bias = of_direction (self, layer, 3, direction);
  peeps = layer->form == LONG_SHORT ? of_direction (self, layer, 7, direction) : NULL;
  if (w == NULL || r == NULL || self->fx.error != NULL)
    return FALSE;
  if (bias != NULL && !cut (self, bias, 0, 2, layer->n_gates * layer->width, FALSE, halves))
    return FALSE;
  if (layer->form == GATED)
    {
      if (!cut (self, r, 0, 3, layer->width, FALSE, gates))
        return FALSE;
      for (guint i = 0; i < 3; i++)
        track->own[i] = ls_fx_call (FX, "permute_dims", gates[i], NULL);
      if (layer->reset_last && bias != NULL)           /* that of the state's last gate is inside of the reset */
        {
          LsFxValue *parts[3], *zero = ls_fx_filled (FX, 0.0, ls_fx_ints (FX, &layer->width, 1), layer->dtype);

          if (!cut (self, halves[1], 0, 3, layer->width, FALSE, parts))
            return FALSE;
          track->own_bias = parts[2];
          parts[2] = zero;
          halves[1] = ls_fx_call (FX, "concat", ls_fx_list (FX, parts, 3), LS_FX_BY_NAME, "axis", ls_fx_int (FX, 0), NULL);
        }
    }
  else
    track->own[0] = ls_fx_call (FX, "permute_dims", r, NULL);
  if (peeps != NULL && !cut (self, peeps, 0, 3, layer->width, FALSE, track->peeps))
    return FALSE;
  all = ls_fx_call (FX, "matmul", x, w, NULL);
  if (bias != NULL)
    all = sum_of (self, all, sum_of (self, halves[0], halves[1]));
  track->inputs = ls_fx_alloc (FX, layer->n_steps * sizeof *track->inputs);
  if (all == NULL || !cut (self, all, 0, layer->n_steps, 1, TRUE, track->inputs))
    return FALSE;
  track->h = first_state (self, layer, 5, direction);
  track->c = layer->form == LONG_SHORT ? first_state (self, layer, 6, direction) : NULL;
  return self->fx.error == NULL;
}

/* ---- a step ------------------------------------------------------------------------------------- */

static LsFxValue *
times (LsOnnxImport *self,
       LsFxValue    *a,
       LsFxValue    *b)
{
  return ls_fx_call (FX, "multiply", a, b, NULL);
}

static void
step_gru (LsOnnxImport *self,
          Layer        *layer,
          Track        *track,
          LsFxValue    *input)
{
  LsFxValue *x[3], *gates[2], *fresh, *part;

  if (!cut (self, input, 1, 3, layer->width, FALSE, x))
    return;
  for (guint i = 0; i < 2; i++)
    gates[i] = activate (self, layer, track, 0, ls_fx_call (FX, "add", x[i], ls_fx_call (FX, "matmul", track->h, track->own[i], NULL), NULL));
  part = layer->reset_last ? times (self, gates[1], sum_of (self, ls_fx_call (FX, "matmul", track->h, track->own[2], NULL), track->own_bias))
                           : ls_fx_call (FX, "matmul", times (self, gates[1], track->h), track->own[2], NULL);
  fresh = activate (self, layer, track, 1, ls_fx_call (FX, "add", x[2], part, NULL));
  /* (1 - z) fresh + z h */
  track->h = ls_fx_call (FX, "add", fresh, times (self, gates[0], ls_fx_call (FX, "subtract", track->h, fresh, NULL)), NULL);
}

static void
step_lstm (LsOnnxImport *self,
           Layer        *layer,
           Track        *track,
           LsFxValue    *input)
{
  LsFxValue *x[4], *in, *out, *forget, *fresh, *kept;

  if (!cut (self, ls_fx_call (FX, "add", input, ls_fx_call (FX, "matmul", track->h, track->own[0], NULL), NULL), 1, 4, layer->width, FALSE, x))
    return;
  in = activate (self, layer, track, 0, track->peeps[0] != NULL ? sum_of (self, x[0], times (self, track->peeps[0], track->c)) : x[0]);
  forget = activate (self, layer, track, 0, track->peeps[2] != NULL ? sum_of (self, x[2], times (self, track->peeps[2], track->c)) : x[2]);
  fresh = activate (self, layer, track, 1, x[3]);
  kept = times (self, forget, track->c);
  fresh = times (self, in, fresh);
  track->c = ls_fx_call (FX, "add", kept, fresh, NULL);
  out = activate (self, layer, track, 0, track->peeps[1] != NULL && track->c != NULL ? sum_of (self, x[1], times (self, track->peeps[1], track->c)) : x[1]);
  kept = out != NULL && track->c != NULL ? activate (self, layer, track, 2, track->c) : NULL;
  track->h = kept != NULL ? times (self, out, kept) : NULL;
}

static void
step (LsOnnxImport *self,
      Layer        *layer,
      Track        *track,
      LsFxValue    *input)
{
  if (layer->form == GATED)
    step_gru (self, layer, track, input);
  else if (layer->form == LONG_SHORT)
    step_lstm (self, layer, track, input);
  else
    track->h = activate (self, layer, track, 0, ls_fx_call (FX, "add", input, ls_fx_call (FX, "matmul", track->h, track->own[0], NULL), NULL));
}

/* ---- a layer ------------------------------------------------------------------------------------- */

/* What keeps the state of those sequences that are through before the step, or were not begun: (batch, 1) of truths for each step. */
static LsFxValue **
read_lengths (LsOnnxImport *self,
              Layer        *layer)
{
  LsFxValue *lengths = ls_onnx_input (self, 4), *axis = ls_fx_list (FX, (LsFxValue *[]) { ls_fx_int (FX, 1) }, 1), **masks;
  LsTensor *tensor = lengths != NULL && lengths->kind == LS_FX_NODE && ls_is (lengths->node, CONSTANT) ? ((LsConstant *) lengths->node)->data : NULL;
  const guint8 *data = tensor != NULL ? g_bytes_get_data (tensor->data, NULL) : NULL;
  gboolean full = tensor != NULL && ls_dtype_equal (tensor->dtype, LS_INT32);

  for (gsize i = 0; full && i < g_bytes_get_size (tensor->data) / 4; i++)
    {
      gint32 n;

      memcpy (&n, data + 4 * i, 4);
      full = (guint32) GINT32_FROM_LE (n) == layer->n_steps;
    }
  if (lengths == NULL || full)
    return NULL;
  masks = ls_fx_alloc (FX, layer->n_steps * sizeof *masks);
  lengths = ls_fx_call (FX, "expand_dims", lengths, LS_FX_BY_NAME, "axis", axis, NULL);
  for (guint i = 0; lengths != NULL && i < layer->n_steps; i++)
    masks[i] = ls_fx_call (FX, "greater", lengths, ls_fx_int (FX, i), NULL);
  return masks;
}

static gboolean
layer_init (LsOnnxImport *self,
            Layer        *layer,
            LsFxValue    *shape)
{
  const char *op = self->node->op_type, *direction = ls_onnx_attr_text (self, "direction", "forward");
  LsFxValue *own = ls_onnx_needed (self, 2), *own_shape = own != NULL ? ls_fx_shape (FX, own) : NULL, *steps, *batch;
  guint n_gates = strcmp (op, "RNN") == 0 ? 1 : strcmp (op, "GRU") == 0 ? 3 : 4;

  if (shape == NULL || own_shape == NULL)
    return FALSE;
  *layer = (Layer) { .form = n_gates == 1 ? PLAIN : n_gates == 3 ? GATED : LONG_SHORT, .n_gates = n_gates, .n_states = n_gates == 4 ? 2 : 1,
                     .n_directions = strcmp (direction, "bidirectional") == 0 ? 2 : 1, .batch_first = ls_onnx_attr_int (self, "layout", 0) != 0,
                     .reset_last = ls_onnx_attr_int (self, "linear_before_reset", 0) != 0, .clip = ls_onnx_attr_real (self, "clip", 0.0) };
  if (shape->n != 3 || own_shape->n != 3 || own_shape->items[2]->kind != LS_FX_INT || own_shape->items[0]->kind != LS_FX_INT || own_shape->items[1]->kind != LS_FX_INT)
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "a sequence of three dimensions, and weights of three known ones, are expected"), FALSE;
  layer->width = own_shape->items[2]->i;
  if (own_shape->items[0]->i != layer->n_directions || own_shape->items[1]->i != n_gates * layer->width || ls_onnx_attr_int (self, "hidden_size", layer->width) != layer->width)
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "the weights of the state are not those of %u gates in %u directions", n_gates, layer->n_directions), FALSE;
  if (ls_onnx_attr_int (self, "input_forget", 0) != 0)
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "`input_forget` is not supported"), FALSE;
  steps = shape->items[layer->batch_first ? 1 : 0];
  batch = shape->items[layer->batch_first ? 0 : 1];
  if (steps->kind != LS_FX_INT)
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "the length of the sequence has to be known while importing"), FALSE;
  if (steps->i < 1 || steps->i > MOST_STEPS)
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "a sequence of %" PRId64 " steps is not written out, one of at most %d is", steps->i, MOST_STEPS), FALSE;
  layer->n_steps = (guint) steps->i;
  layer->dtype = ls_fx_dtype (FX, own);
  layer->state_shape = ls_fx_list (FX, (LsFxValue *[]) { batch, ls_fx_int (FX, layer->width) }, 2);
  layer->masks = read_lengths (self, layer);
  return self->fx.error == NULL;
}

/* Equal tensors side by side along a new axis. */
static LsFxValue *
stack (LsOnnxImport *self,
       LsFxValue   **parts,
       guint         n,
       guint         axis)
{
  g_autofree LsFxValue **items = g_new (LsFxValue *, n);
  LsFxValue *at = ls_fx_list (FX, (LsFxValue *[]) { ls_fx_int (FX, axis) }, 1);

  for (guint i = 0; i < n; i++)
    if (parts[i] == NULL || (items[i] = ls_fx_call (FX, "expand_dims", parts[i], LS_FX_BY_NAME, "axis", at, NULL)) == NULL)
      return NULL;
  return n == 1 ? items[0] : ls_fx_call (FX, "concat", ls_fx_list (FX, items, n), LS_FX_BY_NAME, "axis", ls_fx_int (FX, axis), NULL);
}

/* Y (steps, directions, batch, width), and the last states (directions, batch, width); the batch in front with layout 1. */
static LsFxValue *
recurrent (LsOnnxImport *self)
{
  static const gint64 SWAP[] = { 1, 0, 2 };
  LsFxValue *x = ls_onnx_needed (self, 0), *shape = x != NULL ? ls_fx_shape (FX, x) : NULL, *ends[2][2] = { { NULL } }, *items[3] = { NULL };
  g_autofree LsFxValue **all = NULL;
  Layer layer;

  if (!layer_init (self, &layer, shape))
    return NULL;
  if (layer.batch_first)
    x = ls_fx_call (FX, "permute_dims", x, ls_fx_ints (FX, SWAP, 3), NULL);
  all = g_new0 (LsFxValue *, layer.n_steps * 2);
  for (guint d = 0; d < layer.n_directions; d++)
    {
      gboolean back = d == 1 || strcmp (ls_onnx_attr_text (self, "direction", "forward"), "reverse") == 0;
      Track track = { .h = NULL };

      if (!track_init (self, &layer, &track, x, d))
        return NULL;
      for (guint i = 0; i < layer.n_steps; i++)
        {
          guint at = back ? layer.n_steps - 1 - i : i;
          LsFxValue *h = track.h, *c = track.c, *nothing = layer.masks != NULL ? ls_fx_scalar (FX, ls_fx_real (FX, 0.0), layer.dtype) : NULL;

          step (self, &layer, &track, track.inputs[at]);
          if (self->fx.error != NULL || track.h == NULL)
            return NULL;
          all[at * layer.n_directions + d] = layer.masks != NULL ? ls_fx_call (FX, "where", layer.masks[at], track.h, nothing, NULL) : track.h;
          if (layer.masks != NULL)
            track.h = ls_fx_call (FX, "where", layer.masks[at], track.h, h, NULL);
          if (layer.masks != NULL && c != NULL)
            track.c = ls_fx_call (FX, "where", layer.masks[at], track.c, c, NULL);
        }
      ends[0][d] = track.h;
      ends[1][d] = track.c;
    }
  if (self->node->output[0][0] != '\0')
    {
      g_autofree LsFxValue **steps = g_new (LsFxValue *, layer.n_steps);

      /* of a step (directions, batch, width), with the batch in front (batch, directions, width) */
      for (guint i = 0; i < layer.n_steps; i++)
        steps[i] = stack (self, all + i * layer.n_directions, layer.n_directions, layer.batch_first ? 1 : 0);
      if ((items[0] = stack (self, steps, layer.n_steps, layer.batch_first ? 1 : 0)) == NULL)
        return NULL;
    }
  for (guint i = 0; i < layer.n_states; i++)
    if (self->node->n_output > i + 1 && self->node->output[i + 1][0] != '\0' && (items[i + 1] = stack (self, ends[i], layer.n_directions, layer.batch_first ? 1 : 0)) == NULL)
      return NULL;
  return ls_fx_list (FX, items, 1 + layer.n_states);
}

const LsOnnxHandler ls_onnx_handlers_rnn[] = { { "RNN GRU LSTM", recurrent }, { NULL, NULL } };
