/* LsResults: a plain record. */
#include "views/models/results.h"

LsResults *
ls_results_new (LsResultsState state,
                char          *words,
                char          *detail)
{
  LsResults *self = g_new (LsResults, 1);

  *self = (LsResults) { .state = state, .words = words, .detail = detail };
  return self;
}

LsResults *
ls_results_copy (const LsResults *self)
{
  LsResults *copy = ls_results_new (self->state, g_strdup (self->words), g_strdup (self->detail));

  copy->fraction = self->fraction;
  return copy;
}

void
ls_results_free (LsResults *self)
{
  if (self == NULL)
    return;
  g_free (self->words);
  g_free (self->detail);
  g_free (self);
}
