/* pair: two programs in step.
 *
 * Each is run once to its end, and its writes are kept in order; a write is known by its element and by how many of that element came before.
 * So for where one stands its next write is found, and from that the same write of the other.  A program that has no end, fails or writes too much is
 * known up to there, and nothing goes beyond.
 */
#include "engine/debug/part-private.h"

#include <math.h>
#include <string.h>

/* The writes of each element of one record, one after the other: those of element e are order[starts[e] .. starts[e + 1]]. */
typedef struct {
  guint32 *starts;
  guint32 *order;               /* numbers in the log */
} Index;

struct _LsDebugPair {
  LsPartSide *sides[2];
  Index      *indices[2];       /* for each record */
  guint       at[2];            /* the next write of each */
  gboolean    is_open;          /* both were run */
  gboolean  (*asked) (gpointer user_data);
  gpointer    asked_data;
};

/* ---- which write is which ------------------------------------------------------------------ */

static const LsPartWrite *
write_at (LsPartSide *side,
          guint       n)
{
  return &g_array_index (side->log, LsPartWrite, n);
}

static Index *
index_of (LsPartSide *side)
{
  Index *all = g_new0 (Index, side->records->len + 1);

  for (guint r = 0; r < side->records->len; r++)
    {
      LsPartRecord *record = side->records->pdata[r];
      guint32 sum = 0;

      all[r].starts = g_new0 (guint32, record->n + 1);
      for (gint64 e = 0; e < record->n; e++)
        {
          all[r].starts[e] = sum;
          sum += record->writes[e];
        }
      all[r].starts[record->n] = sum;
      all[r].order = g_new0 (guint32, sum + 1);
    }
  for (guint n = 0; n < side->log->len; n++)
    {
      const LsPartWrite *write = write_at (side, n);

      all[write->record].order[all[write->record].starts[write->element] + write->ordinal] = n;
    }
  return all;
}

/* The first write that is not before the clock; the length of the log: none is. */
static guint
next_write (LsPartSide *side,
            guint64     clock)
{
  guint low = 0, high = side->log->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (write_at (side, middle)->clock < clock)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* ---- opening -------------------------------------------------------------------------------- */

/* Nothing goes far beyond what is known. */
static gboolean
gives_up (LsDebugPair *self,
          guint        side)
{
  LsDebug *debug = self->sides[side]->debug;

  return (!ls_debug_goes_back (debug) && ls_run_get_clock (debug->run) >= self->sides[side]->limit) || (self->asked != NULL && self->asked (self->asked_data));
}

static gboolean
asked_left (gpointer user_data)
{
  return gives_up (user_data, 0);
}

static gboolean
asked_right (gpointer user_data)
{
  return gives_up (user_data, 1);
}

LsDebugPair *
ls_debug_pair_begin (LsModule            *left,
                     LsModule            *right,
                     const char          *name,
                     const LsDebugInputs *inputs,
                     GError             **error)
{
  LsModule *modules[] = { left, right };
  g_autoptr (LsDebugPair) self = g_new0 (LsDebugPair, 1);

  for (guint i = 0; i < 2; i++)
    {
      self->sides[i] = ls_part_side_begin (modules[i], name, inputs, LS_PAIR_WRITES, error);
      if (self->sides[i] == NULL)
        {
          if (i == 1)
            g_prefix_error (error, "%s ", ls_translate ("On the right:"));
          return NULL;
        }
      ls_debug_set_asker (self->sides[i]->debug, i == 0 ? asked_left : asked_right, self);
    }
  return g_steal_pointer (&self);
}

gboolean
ls_debug_pair_run (LsDebugPair *self,
                   guint        side)
{
  ls_part_side_go (self->sides[side]);
  if (self->is_open || self->sides[0]->end == LS_SIDE_RUNS || self->sides[1]->end == LS_SIDE_RUNS)
    return self->is_open;
  for (guint i = 0; i < 2; i++)
    {
      self->indices[i] = index_of (self->sides[i]);
      ls_part_side_go_to (self->sides[i], 0);
    }
  self->is_open = TRUE;
  return TRUE;
}

void
ls_debug_pair_cut (LsDebugPair *self)
{
  for (guint i = 0; i < 2; i++)
    ls_part_side_cut (self->sides[i]);
  ls_debug_pair_run (self, 0);
}

void
ls_debug_pair_set_asker (LsDebugPair *self,
                         gboolean   (*asked) (gpointer user_data),
                         gpointer     user_data)
{
  self->asked = asked;
  self->asked_data = user_data;
}

LsDebugPair *
ls_debug_pair_new (LsModule            *left,
                   LsModule            *right,
                   const char          *name,
                   const LsDebugInputs *inputs,
                   GError             **error)
{
  g_autoptr (LsDebugPair) self = ls_debug_pair_begin (left, right, name, inputs, error);

  for (guint i = 0; self != NULL && i < 2; i++)
    ls_debug_pair_run (self, i);
  return g_steal_pointer (&self);
}

void
ls_debug_pair_free (LsDebugPair *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < 2; i++)
    {
      if (self->sides[i] == NULL)
        continue;
      for (guint r = 0; self->indices[i] != NULL && r < self->sides[i]->records->len; r++)
        {
          g_free (self->indices[i][r].starts);
          g_free (self->indices[i][r].order);
        }
      g_free (self->indices[i]);
      ls_part_side_free (self->sides[i]);
    }
  g_free (self);
}

LsDebug *
ls_debug_pair_get (LsDebugPair *self,
                   guint        side)
{
  return self->sides[side]->debug;
}

/* ---- bringing the other one along ---------------------------------------------------------------- */

typedef struct {
  const LsPartWrite *writes[2];         /* NULL: that side makes no such one */
  LsPartRecord      *records[2];        /* NULL: that side has no such buffer */
  guint              n[2];              /* writes of the element in all */
} Same;

static guint
writes_of (LsDebugPair  *self,
           guint         side,
           LsPartRecord *record,
           gint64        element)
{
  const Index *index = &self->indices[side][record->number];

  return index->starts[element + 1] - index->starts[element];
}

/* The next write of the leading side, and its like in the other one: the last one of the element where that has fewer. */
static void
find_same (LsDebugPair *self,
           guint        leads,
           Same        *same)
{
  LsPartSide *side = self->sides[leads], *other = self->sides[1 - leads];
  LsPartRecord *partner;
  const LsPartWrite *write;

  *same = (Same) { { NULL, NULL }, { NULL, NULL }, { 0, 0 } };
  if (self->at[leads] >= side->log->len)
    return;
  write = same->writes[leads] = write_at (side, self->at[leads]);
  same->records[leads] = side->records->pdata[write->record];
  same->n[leads] = writes_of (self, leads, same->records[leads], write->element);
  partner = ls_part_partner (same->records[leads], other);
  if (partner == NULL)
    return;
  same->records[1 - leads] = partner;
  same->n[1 - leads] = writes_of (self, 1 - leads, partner, write->element);
  if (same->n[1 - leads] > 0)
    {
      const Index *index = &self->indices[1 - leads][partner->number];
      guint n = index->order[index->starts[write->element] + MIN (write->ordinal, same->n[1 - leads] - 1)];

      self->at[1 - leads] = n;
      same->writes[1 - leads] = write_at (other, n);
    }
}

/* A value half-way through a sum in another order is another one and need not be wrong: only what both have in the end says "real". */
static const char *
differ_of (LsDebugPair *self,
           const Same  *same)
{
  const LsPartRecord *record = same->records[0];
  double a = same->writes[0]->value, b = same->writes[1]->value, peak;
  gint64 element = same->writes[0]->element;
  gboolean is_last = same->writes[0]->ordinal + 1 == same->n[0] && same->writes[1]->ordinal + 1 == same->n[1]
                     && self->sides[0]->end == LS_SIDE_FINISHED && self->sides[1]->end == LS_SIDE_FINISHED;

  if (a == b || (isnan (a) && isnan (b)))
    return "none";
  if (!is_last)
    return "way";
  peak = fmax (fmax (record->peaks[element], same->records[1]->peaks[element]), fmax (fabs (a), fabs (b)));
  if (!ls_dtype_is_float (record->dtype) || !isfinite (a) || !isfinite (b))
    return "real";
  return fabs (a - b) <= ls_part_epsilon (record->dtype) * (8 + 4.0 * (same->n[0] + same->n[1])) * peak ? "rounding" : "real";
}

static void
put_value (GVariantDict      *dict,
           const char        *key,
           LsDType            dtype,
           const LsPartWrite *write)
{
  LsRunValue value = { dtype, (gint64) write->value, write->value };
  g_autofree char *words = ls_debug_value_words (&value);

  g_variant_dict_insert (dict, key, "s", words);
}

static GVariant *
tell (LsDebugPair *self,
      guint        leads)
{
  g_autoptr (GVariant) left = ls_debug_look (self->sides[0]->debug);
  g_autoptr (GVariant) right = ls_debug_look (self->sides[1]->debug);
  GVariantDict dict;
  Same same;

  find_same (self, leads, &same);
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, "left", left);
  g_variant_dict_insert_value (&dict, "right", right);
  g_variant_dict_insert (&dict, "leads", "u", leads);
  g_variant_dict_insert (&dict, "at", "u", self->at[leads]);
  g_variant_dict_insert (&dict, "of", "u", self->sides[leads]->log->len);
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *why = ls_part_side_why (self->sides[i]);

      if (why != NULL)
        g_variant_dict_insert (&dict, i == 0 ? "ends-left" : "ends-right", "s", why);
    }
  if (ls_debug_was_interrupted (self->sides[leads]->debug))
    g_variant_dict_insert (&dict, "interrupted", "b", TRUE);
  if (same.writes[leads] != NULL)
    {
      g_autofree char *element = ls_part_element (same.records[leads], same.writes[leads]->element);

      g_variant_dict_insert (&dict, "element", "s", element);
      g_variant_dict_insert (&dict, "buffer", "s", same.records[leads]->name);
      g_variant_dict_insert (&dict, "partner", "s", same.records[1 - leads] != NULL ? same.records[1 - leads]->name : "");
      g_variant_dict_insert (&dict, "write", "u", same.writes[leads]->ordinal + 1);
      g_variant_dict_insert (&dict, "writes-left", "u", same.n[0]);
      g_variant_dict_insert (&dict, "writes-right", "u", same.n[1]);
      for (guint i = 0; i < 2; i++)
        if (same.writes[i] != NULL)
          put_value (&dict, i == 0 ? "value-left" : "value-right", same.records[i]->dtype, same.writes[i]);
      if (same.writes[0] != NULL && same.writes[1] != NULL)
        {
          g_variant_dict_insert (&dict, "differ", "s", differ_of (self, &same));
          g_variant_dict_insert (&dict, "ulp", "d", ls_part_ulp (same.records[0]->dtype, same.writes[0]->value, same.writes[1]->value));
        }
    }
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

/* The leading side has moved. */
static void
follow (LsDebugPair *self,
        guint        leads)
{
  LsDebug *debug = self->sides[leads]->debug;
  Same same;

  self->at[leads] = next_write (self->sides[leads], ls_run_get_clock (debug->run));
  find_same (self, leads, &same);
  if (self->at[leads] >= self->sides[leads]->log->len && (ls_run_get_state (debug->run) != LS_RUN_STANDS || ls_run_get_clock (debug->run) >= self->sides[leads]->limit))
    {
      ls_part_side_go_to (self->sides[1 - leads], G_MAXUINT64);
      self->at[1 - leads] = self->sides[1 - leads]->log->len;
    }
  else if (same.writes[1 - leads] != NULL)
    ls_part_side_go_to (self->sides[1 - leads], same.writes[1 - leads]->clock);
}

GVariant *
ls_debug_pair_command (LsDebugPair *self,
                       guint        leads,
                       const char  *line,
                       GError     **error)
{
  LsDebug *debug = self->sides[leads]->debug;
  g_autoptr (GVariant) answer = NULL;
  g_autofree char *command = NULL;
  const char *rest = line + strspn (line, " ");

  if (g_str_has_prefix (rest, "goto-write "))
    {
      guint64 n = g_ascii_strtoull (rest + strlen ("goto-write "), NULL, 10);
      LsPartSide *side = self->sides[leads];

      command = n < side->log->len ? g_strdup_printf ("goto %" G_GUINT64_FORMAT, write_at (side, (guint) n)->clock) : g_strdup ("end");
    }
  answer = ls_debug_command (debug, command != NULL ? command : line, error);
  if (answer == NULL)
    return NULL;
  if (!g_variant_lookup (answer, "state", "s", NULL))
    return g_steal_pointer (&answer);
  if (ls_run_get_clock (debug->run) >= self->sides[leads]->limit)
    ls_part_side_go_to (self->sides[leads], G_MAXUINT64);
  follow (self, leads);
  return tell (self, leads);
}
