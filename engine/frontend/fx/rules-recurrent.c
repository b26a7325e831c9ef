/* fx/rules-recurrent: aten.lstm, gru, rnn_tanh and rnn_relu (`.input`: a tensor of sequences, no packed ones), written out step by step.
 *
 *   lstm (input, (h, c), params, has_biases, num_layers, dropout, train, bidirectional, batch_first) -> y, h, c       the others have h alone
 *
 * params: for each layer, and in it for each direction, the weights of the input (gates H, I) and of the state (gates H, H), then a bias of each.  The gates
 * are i, f, g, o of an lstm and r, z, n of a gru. */
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

static LsFxValue *
recurrent (LsFxImport *fx)
{
  LsFxValue *x = ls_fx_needed (fx, "input", 0), *shape = ls_fx_shape (fx, x), *hx = ls_fx_needed (fx, "hx", 1), *results[3];
  Recurrent self = { .import = fx, .kind = fx->name[0] == 'r' ? fx->name[4] : fx->name[0], .params = ls_fx_needed (fx, "params", 2) };
  gint64 layers = ls_fx_whole (fx, ls_fx_needed (fx, "num_layers", 4), "num_layers", 1);
  LsFxValue *dropout = ls_fx_arg (fx, "dropout", 5);

  if (shape == NULL || hx == NULL || self.params == NULL)
    return NULL;
  self.n_gates = self.kind == 'l' ? 4 : self.kind == 'g' ? 3 : 1;
  self.n_states = self.kind == 'l' ? 2 : 1;
  self.per = ls_fx_truth (ls_fx_arg (fx, "has_biases", 3), TRUE) ? 4 : 2;
  self.n_directions = ls_fx_truth (ls_fx_arg (fx, "bidirectional", 7), FALSE) ? 2 : 1;
  self.time = ls_fx_truth (ls_fx_arg (fx, "batch_first", 8), FALSE) ? 1 : 0;
  if (shape->n != 3 || shape->items[self.time]->kind != LS_FX_INT || shape->items[self.time]->i < 1 || shape->items[self.time]->i > MOST_STEPS)
    return ls_fx_fail (fx, LS_FX_ERROR_UNSUPPORTED, "sequences of 1 to %d steps, a constant number, are written out", MOST_STEPS);
  if (layers < 1 || layers > MOST_LAYERS || self.params->kind != LS_FX_LIST || self.params->n != layers * self.n_directions * self.per
      || (self.n_states == 2 && (hx->kind != LS_FX_LIST || hx->n != 2)))
    return ls_fx_fail (fx, LS_FX_ERROR_UNSUPPORTED, "%u weights for each layer and direction, and a state of each, are expected", self.per);
  if (ls_fx_truth (ls_fx_arg (fx, "train", 6), FALSE) && dropout != NULL && ls_fx_is_number (dropout) && ls_fx_number (dropout) != 0)
    return ls_fx_fail (fx, LS_FX_ERROR_UNSUPPORTED, "dropout that is in training is not supported");
  self.n_steps = shape->items[self.time]->i;
  self.states[0] = self.n_states == 2 ? hx->items[0] : hx;
  self.states[1] = self.n_states == 2 ? hx->items[1] : NULL;
  for (guint i = 0; i < layers && x != NULL; i++)
    {
      LsFxValue *both[2] = { direction (&self, x, i * self.n_directions), self.n_directions == 2 ? direction (&self, x, i * 2 + 1) : NULL };

      x = self.n_directions == 1 ? both[0] : both[0] != NULL && both[1] != NULL ? ls_fx_call (fx, "concat", ls_fx_list (fx, both, 2), ls_fx_int (fx, 2), NULL) : NULL;
    }
  results[0] = x;
  for (guint i = 0; i < self.n_states && x != NULL; i++)
    results[1 + i] = ls_fx_call (fx, "stack", ls_fx_list (fx, self.last[i], (guint) layers * self.n_directions), ls_fx_int (fx, 0), NULL);
  return x != NULL && fx->error == NULL ? ls_fx_list (fx, results, 1 + self.n_states) : NULL;
}

const LsFxHandler ls_fx_handlers_recurrent[] = { { "lstm gru rnn_tanh rnn_relu", recurrent }, { NULL, NULL } };
