/* What can be asked is listed, one of it is drawn, and wrong answers are names that could have been right. */
#include "app/practice/question.h"

#include "views/models/step-item.h"

#include <glib/gi18n.h>
#include <string.h>

/* Those of every schedule; a history's own come first. */
static const char *const primitives[] = { "split", "fuse", "reorder", "vectorize", "parallel", "unroll", "compute_at", "reverse_compute_at", "compute_inline",
                                          "cache_read", "cache_write", "decompose_reduction", "rfactor", "bind" };

typedef struct {
  LsPracticeKind kind;
  guint          left, right, subject;
} Candidate;

static const LsStepRecord *
row (GPtrArray *rows,
     guint      i)
{
  return rows->pdata[i];
}

static const LsStepRecord *
find (GPtrArray *rows,
      guint      id)
{
  for (guint i = 0; i < rows->len; i++)
    if (row (rows, i)->id == id)
      return row (rows, i);
  return NULL;
}

/* The records of the items, which the list has: a history may be long, and is gone through often. (transfer container) */
static GPtrArray *
records_of (GListModel *model)
{
  GPtrArray *rows = g_ptr_array_new ();

  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr (LsStepItem) item = g_list_model_get_item (model, i);

      g_ptr_array_add (rows, (gpointer) ls_step_item_get (item));
    }
  return rows;
}

/* It was done and is a step, not the program as it was opened. */
static gboolean
is_step (const LsStepRecord *record)
{
  return record->id != record->parent && record->state != LS_STEP_FAILED && record->state != LS_STEP_UNREACHED && record->name != NULL;
}

/* ---- which is faster ------------------------------------------------------------------------- */

/* -1: the left one, 1: the right one, 0: neither; FALSE: that cannot be said.  Their conditions also tell load and counters, of which no two are alike:
 * how far the samples lie apart is what counts. */
static gboolean
faster (const LsStepRecord *a,
        const LsStepRecord *b,
        int                *which)
{
  const LsStepTime *x = &a->timing, *y = &b->timing;

  if (a->state != LS_STEP_MEASURED || b->state != LS_STEP_MEASURED || x->samples < 5 || y->samples < 5)
    return FALSE;
  *which = x->q3 < y->q1 && x->median < 0.9 * y->median ? -1 : y->q3 < x->q1 && y->median < 0.9 * x->median ? 1 : 0;
  return *which != 0 || (x->median < 1.03 * y->median && y->median < 1.03 * x->median);
}

/* ---- what can be asked ------------------------------------------------------------------------ */

static void
list_steps (GPtrArray  *rows,
            GArray     *out)
{
  for (guint i = 0; i < rows->len; i++)
    {
      const LsStepRecord *step = row (rows, i), *before = is_step (step) ? find (rows, step->parent) : NULL;

      if (before == NULL || step->no_effect)
        continue;
      g_array_append_val (out, ((Candidate) { LS_PRACTICE_WHICH, before->id, step->id, step->id }));
      g_array_append_val (out, ((Candidate) { LS_PRACTICE_NEXT, is_step (before) ? before->parent : before->id, before->id, step->id }));
    }
}

static void
list_pairs (GPtrArray  *rows,
            GArray     *out)
{
  guint n = MIN (rows->len, 64);
  int which;

  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < n; k++)
      if (i != k && faster (row (rows, i), row (rows, k), &which))
        g_array_append_val (out, ((Candidate) { LS_PRACTICE_FASTER, row (rows, i)->id, row (rows, k)->id, 0 }));
}

/* Kinds are drawn first: there are many pairs. */
static const Candidate *
draw (GArray                   *candidates,
      GRand                    *random,
      const LsPracticeQuestion *last)
{
  static const LsPracticeKind kinds[] = { LS_PRACTICE_WHICH, LS_PRACTICE_WHICH, LS_PRACTICE_NEXT, LS_PRACTICE_FASTER };

  for (guint tries = 0; tries < 200; tries++)
    {
      LsPracticeKind kind = kinds[g_rand_int_range (random, 0, G_N_ELEMENTS (kinds))];
      const Candidate *one = &g_array_index (candidates, Candidate, (guint) g_rand_int_range (random, 0, (gint32) candidates->len));

      if (one->kind == kind && (last == NULL || last->kind != kind || last->left != one->left || last->right != one->right || last->subject != one->subject))
        return one;
    }
  return &g_array_index (candidates, Candidate, 0);
}

/* ---- answers ---------------------------------------------------------------------------------- */

/* Would this name be right too: another branch goes on with it. */
static gboolean
is_right (GPtrArray       *rows,
          const Candidate *asked,
          const char      *name)
{
  const LsStepRecord *subject = find (rows, asked->subject);

  if (strcmp (name, subject->name) == 0)
    return TRUE;
  for (guint i = 0; asked->kind == LS_PRACTICE_NEXT && i < rows->len; i++)
    if (is_step (row (rows, i)) && row (rows, i)->parent == subject->parent && strcmp (row (rows, i)->name, name) == 0)
      return TRUE;
  return FALSE;
}

static void
add_once (GPtrArray  *names,
          const char *name)
{
  if (!g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
    g_ptr_array_add (names, (gpointer) name);
}

static void
shuffle (GPtrArray *names,
         GRand     *random)
{
  for (guint i = names->len; i > 1; i--)
    {
      guint k = (guint) g_rand_int_range (random, 0, (gint32) i);
      gpointer kept = names->pdata[i - 1];

      names->pdata[i - 1] = names->pdata[k];
      names->pdata[k] = kept;
    }
}

static void
add_names (LsPracticeQuestion *self,
           GPtrArray          *rows,
           GRand              *random,
           const Candidate    *asked)
{
  g_autoptr (GPtrArray) own = g_ptr_array_new (), others = g_ptr_array_new (), chosen = g_ptr_array_new ();
  const char *right = find (rows, asked->subject)->name;
  guint at;

  for (guint i = 0; i < rows->len; i++)
    if (is_step (row (rows, i)))
      add_once (own, row (rows, i)->name);
  for (guint i = own->len; i > 0; i--)
    if (is_right (rows, asked, own->pdata[i - 1]))
      g_ptr_array_remove_index (own, i - 1);
  for (guint i = 0; i < G_N_ELEMENTS (primitives); i++)
    if (!is_right (rows, asked, primitives[i]))
      add_once (others, primitives[i]);
  shuffle (own, random);
  shuffle (others, random);
  add_once (chosen, right);
  for (guint i = 0; i < own->len && chosen->len < LS_PRACTICE_CHOICES - 1; i++)
    add_once (chosen, own->pdata[i]);
  for (guint i = 0; i < others->len && chosen->len < LS_PRACTICE_CHOICES; i++)
    add_once (chosen, others->pdata[i]);
  shuffle (chosen, random);
  for (self->n_choices = 0; self->n_choices < chosen->len; self->n_choices++)
    self->choices[self->n_choices] = g_strdup (chosen->pdata[self->n_choices]);
  g_ptr_array_find_with_equal_func (chosen, right, g_str_equal, &at);
  self->answer = at;
}

static void
add_sides (LsPracticeQuestion *self,
           GPtrArray          *rows)
{
  int which = 0;

  faster (find (rows, self->left), find (rows, self->right), &which);
  self->choices[0] = g_strdup (_("The left one"));
  self->choices[1] = g_strdup (_("The right one"));
  self->choices[2] = g_strdup (_("Neither"));
  self->n_choices = 3;
  self->answer = which < 0 ? 0 : which > 0 ? 1 : 2;
}

LsPracticeQuestion *
ls_practice_ask (GListModel               *model,
                 GRand                    *random,
                 const LsPracticeQuestion *last)
{
  g_autoptr (GPtrArray) rows = records_of (model);
  g_autoptr (GArray) candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  LsPracticeQuestion *self;
  const Candidate *asked;

  list_steps (rows, candidates);
  list_pairs (rows, candidates);
  if (candidates->len == 0)
    return NULL;
  asked = draw (candidates, random, last);
  self = g_new0 (LsPracticeQuestion, 1);
  self->kind = asked->kind;
  self->left = asked->left;
  self->right = asked->right;
  self->subject = asked->subject;
  if (self->kind == LS_PRACTICE_FASTER)
    add_sides (self, rows);
  else
    add_names (self, rows, random, asked);
  return self;
}

void
ls_practice_free (LsPracticeQuestion *self)
{
  for (guint i = 0; i < self->n_choices; i++)
    g_free (self->choices[i]);
  g_free (self);
}
