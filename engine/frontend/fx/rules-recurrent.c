/* fx/rules-recurrent: aten.lstm, gru, rnn_tanh and rnn_relu (`.input`: a tensor of sequences, no packed ones), and the modules LSTM, GRU and RNN, written
 * out step by step.
 *
 *   lstm (input, (h, c), params, has_biases, num_layers, dropout, train, bidirectional, batch_first) -> y, h, c       the others have h alone
 *
 * params: for each layer, and in it for each direction, the weights of the input (gates H, I) and of the state (gates H, H), then a bias of each.  The gates
 * are i, f, g, o of an lstm and r, z, n of a gru.  A module gives y and its states (h, or h and c in a tuple), and begins with zeros where none are given. */
#include "engine/frontend/frontend-private.h"

#include <string.h>

#define MOST_STEPS 1024
#define MOST_LAYERS 64

typedef struct {
  LsFxImport *import;
  char        kind;             /* 'l', 'g', 't', 'r' */
  guint       n_gates, per, n_directions, n_layers, n_states;
  gint64      time, n_steps;
  LsFxValue  *params, *states[2], *last[2][2 * MOST_LAYERS];
} Recurrent;

static LsFxValue *
line (Recurrent *self,
      LsFxValue *x,
      gint64     i,
      gint64     axis)
{
  LsFxImport *fx = self->import;

  return ls_fx_call (fx, "take", x, ls_fx_scalar (fx, ls_fx_int (fx, i), LS_INT64), ls_fx_int (fx, axis), NULL);
}

static LsFxValue *
two (Recurrent  *self,
     const char *op,
     LsFxValue  *a,
     LsFxValue  *b)
{
  return b != NULL ? ls_fx_call (self->import, op, a, b, NULL) : NULL;
}

static LsFxValue *
one (Recurrent  *self,
     const char *op,
     LsFxValue  *x)
{
  return ls_fx_call (self->import, op, x, NULL);
}

/* The gates beside each other in the last dimension. FALSE after an error. */
static gboolean
gates_of (Recurrent  *self,
          LsFxValue  *x,
          LsFxValue **gates)
{
  LsFxImport *fx = self->import;
  LsFxValue *parts = ls_fx_call (fx, "split", x, ls_fx_int (fx, self->n_gates), ls_fx_int (fx, -1), NULL);

  for (guint i = 0; i < self->n_gates; i++)
    if (parts == NULL || (gates[i] = ls_fx_emit (fx, ls_tuple_get_item_new (ls_node_ref (parts->node), i))) == NULL)
      return FALSE;
  return TRUE;
}

/* One step: of what the input and the state give, the next state. NULL after an error. */
static LsFxValue *
step (Recurrent  *self,
      LsFxValue  *from_input,
      LsFxValue  *from_state,
      LsFxValue  *h,
      LsFxValue **c)
{
  LsFxValue *x[4], *s[4], *n;

  if (self->kind == 't' || self->kind == 'r')
    return one (self, self->kind == 't' ? "tanh" : "nn.relu", two (self, "add", from_input, from_state));
  if (self->kind == 'l')
    {
      if (!gates_of (self, two (self, "add", from_input, from_state), x))
        return NULL;
      *c = two (self, "add", two (self, "multiply", one (self, "sigmoid", x[1]), *c), two (self, "multiply", one (self, "sigmoid", x[0]), one (self, "tanh", x[2])));
      return *c != NULL ? two (self, "multiply", one (self, "sigmoid", x[3]), one (self, "tanh", *c)) : NULL;
    }
  if (!gates_of (self, from_input, x) || !gates_of (self, from_state, s))
    return NULL;
  for (guint i = 0; i < 2; i++)
    x[i] = one (self, "sigmoid", two (self, "add", x[i], s[i]));
  n = one (self, "tanh", two (self, "add", x[2], two (self, "multiply", x[0], s[2])));
  return two (self, "add", n, two (self, "multiply", x[1], two (self, "subtract", h, n)));
}

/* The states of all steps of one direction of a layer, in the order of time. NULL after an error. */
static LsFxValue *
direction (Recurrent *self,
           LsFxValue *x,
           guint      which)
{
  LsFxImport *fx = self->import;
  LsFxValue **w = self->params->items + which * self->per, **all = ls_fx_alloc (fx, (gsize) self->n_steps * sizeof *all);
  LsFxValue *h = line (self, self->states[0], which, 0), *c = self->n_states == 2 ? line (self, self->states[1], which, 0) : NULL;

  x = ls_fx_dense (fx, x, w[0]);
  x = self->per == 4 ? two (self, "add", x, w[2]) : x;
  for (gint64 i = 0; i < self->n_steps; i++)
    {
      gint64 at = which % self->n_directions == 1 ? self->n_steps - 1 - i : i;
      LsFxValue *from_state = h != NULL && x != NULL ? ls_fx_dense (fx, h, w[1]) : NULL;

      from_state = self->per == 4 ? two (self, "add", from_state, w[3]) : from_state;
      h = from_state != NULL ? step (self, line (self, x, at, self->time), from_state, h, &c) : NULL;
      if (h == NULL)
        return NULL;
      all[at] = h;
    }
  self->last[0][which] = h;
  self->last[1][which] = c;
  return ls_fx_call (fx, "stack", ls_fx_list (fx, all, (guint) self->n_steps), ls_fx_int (fx, self->time), NULL);
}

/* An argument of the function, an attribute of the module. */
static LsFxValue *
setting (LsFxImport *fx,
         const char *name,
         guint       position)
{
  return fx->module != NULL ? ls_fx_attr (fx, name) : ls_fx_arg (fx, name, position);
}

/* The weights of a module in the order of those of the function. NULL: one is missing. */
static LsFxValue *
module_weights (Recurrent *self)
{
  static const char *const NAMES[] = { "weight_ih", "weight_hh", "bias_ih", "bias_hh" };
  LsFxImport *fx = self->import;
  guint n = self->n_layers * self->n_directions * self->per;
  LsFxValue **weights = ls_fx_alloc (fx, n * sizeof *weights);

  for (guint i = 0; i < n; i++)
    {
      guint which = i / self->per;
      g_autofree char *name = g_strdup_printf ("%s_l%u%s", NAMES[i % self->per], which / self->n_directions, which % self->n_directions == 1 ? "_reverse" : "");

      if ((weights[i] = ls_fx_weight (fx, name)) == NULL)
        return ls_fx_fail (fx, LS_FX_ERROR_GRAPH, "it has no weight `%s`", name);
    }
  return ls_fx_list (fx, weights, n);
}

/* The states that a module begins with where it is given none. NULL after an error. */
static LsFxValue *
zero_states (Recurrent *self,
             LsFxValue *x,
             LsFxValue *shape)
{
  LsFxImport *fx = self->import;
  LsFxValue *extents[] = { ls_fx_int (fx, self->n_layers * self->n_directions), shape->items[1 - self->time], ls_fx_attr (fx, "hidden_size") }, *zeros, *both[2];

  if (extents[2] == NULL)
    return ls_fx_fail (fx, LS_FX_ERROR_GRAPH, "it has no argument `hidden_size`");
  zeros = ls_fx_call (fx, "zeros", ls_fx_list (fx, extents, 3), ls_fx_text (fx, LS_FX_DTYPE, ls_dtype_name (ls_fx_dtype (fx, x))), NULL);
  both[0] = both[1] = zeros;
  return zeros == NULL || self->n_states == 1 ? zeros : ls_fx_list (fx, both, 2);
}

/* 'l', 'g', 't' or 'r'. */
static char
kind_of (LsFxImport *fx)
{
  LsFxValue *activation = fx->module != NULL ? ls_fx_attr (fx, "nonlinearity") : NULL;

  if (g_ascii_tolower (fx->name[0]) != 'r')
    return g_ascii_tolower (fx->name[0]);
  if (fx->module == NULL)
    return fx->name[4];
  return activation != NULL && activation->kind == LS_FX_TEXT && strcmp (activation->s, "relu") == 0 ? 'r' : 't';
}

/* What it is made of, told by arguments or attributes. FALSE after an error. */
static gboolean
read_settings (Recurrent *self)
{
  LsFxImport *fx = self->import;
  gint64 layers = ls_fx_whole (fx, fx->module != NULL ? ls_fx_attr (fx, "num_layers") : ls_fx_needed (fx, "num_layers", 4), "num_layers", 1);
  LsFxValue *dropout = setting (fx, "dropout", 5), *training = fx->module == NULL ? ls_fx_arg (fx, "train", 6) : NULL;

  self->kind = kind_of (fx);
  self->n_gates = self->kind == 'l' ? 4 : self->kind == 'g' ? 3 : 1;
  self->n_states = self->kind == 'l' ? 2 : 1;
  self->per = ls_fx_truth (setting (fx, fx->module != NULL ? "bias" : "has_biases", 3), TRUE) ? 4 : 2;
  self->n_directions = ls_fx_truth (setting (fx, "bidirectional", 7), FALSE) ? 2 : 1;
  self->time = ls_fx_truth (setting (fx, "batch_first", 8), FALSE) ? 1 : 0;
  if (ls_fx_truth (training, FALSE) && dropout != NULL && ls_fx_is_number (dropout) && ls_fx_number (dropout) != 0)
    ls_fx_fail (fx, LS_FX_ERROR_UNSUPPORTED, "dropout that is in training is not supported");
  else if (fx->module != NULL && ls_fx_whole (fx, ls_fx_attr (fx, "proj_size"), "proj_size", 0) != 0)
    ls_fx_fail (fx, LS_FX_ERROR_UNSUPPORTED, "`proj_size` is not supported");
  else if (layers < 1 || layers > MOST_LAYERS)
    ls_fx_fail (fx, LS_FX_ERROR_UNSUPPORTED, "1 to %d layers are expected", MOST_LAYERS);
  self->n_layers = (guint) layers;
  return fx->error == NULL;
}

static LsFxValue *
recurrent (LsFxImport *fx)
{
  LsFxValue *x = ls_fx_needed (fx, "input", 0), *shape = ls_fx_shape (fx, x), *hx = ls_fx_arg (fx, "hx", 1), *results[3], *states;
  Recurrent self = { .import = fx };

  if (shape == NULL || !read_settings (&self))
    return NULL;
  if (shape->n != 3 || shape->items[self.time]->kind != LS_FX_INT || shape->items[self.time]->i < 1 || shape->items[self.time]->i > MOST_STEPS)
    return ls_fx_fail (fx, LS_FX_ERROR_UNSUPPORTED, "sequences of 1 to %d steps, a constant number, are written out", MOST_STEPS);
  self.params = fx->module != NULL ? module_weights (&self) : ls_fx_needed (fx, "params", 2);
  if (fx->module != NULL && (hx == NULL || hx->kind == LS_FX_NONE))
    hx = zero_states (&self, x, shape);
  if (self.params == NULL || (hx == NULL && fx->error != NULL))
    return NULL;
  if (hx == NULL || self.params->kind != LS_FX_LIST || self.params->n != self.n_layers * self.n_directions * self.per || (self.n_states == 2 && (hx->kind != LS_FX_LIST || hx->n != 2)))
    return ls_fx_fail (fx, LS_FX_ERROR_UNSUPPORTED, "%u weights for each layer and direction, and a state of each, are expected", self.per);
  self.n_steps = shape->items[self.time]->i;
  self.states[0] = self.n_states == 2 ? hx->items[0] : hx;
  self.states[1] = self.n_states == 2 ? hx->items[1] : NULL;
  for (guint i = 0; i < self.n_layers && x != NULL; i++)
    {
      LsFxValue *both[2] = { direction (&self, x, i * self.n_directions), self.n_directions == 2 ? direction (&self, x, i * 2 + 1) : NULL };

      x = self.n_directions == 1 ? both[0] : both[0] != NULL && both[1] != NULL ? ls_fx_call (fx, "concat", ls_fx_list (fx, both, 2), ls_fx_int (fx, 2), NULL) : NULL;
    }
  results[0] = x;
  for (guint i = 0; i < self.n_states && x != NULL; i++)
    results[1 + i] = ls_fx_call (fx, "stack", ls_fx_list (fx, self.last[i], self.n_layers * self.n_directions), ls_fx_int (fx, 0), NULL);
  if (x == NULL || fx->error != NULL)
    return NULL;
  if (fx->module == NULL)
    return ls_fx_list (fx, results, 1 + self.n_states);
  states = self.n_states == 2 ? ls_fx_list (fx, results + 1, 2) : results[1];
  return ls_fx_list (fx, (LsFxValue *[]) { x, states }, 2);
}

const LsFxHandler ls_fx_handlers_recurrent[] = { { "lstm gru rnn_tanh rnn_relu module:LSTM module:GRU module:RNN", recurrent }, { NULL, NULL } };
