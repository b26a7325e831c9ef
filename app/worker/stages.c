/* stages: kept until all are known, since only then it is known how much each may say. */
#include "app/worker/stages.h"

#include <string.h>

typedef struct {
  char   *name;
  gint64  ns;
  char   *trouble;
  char   *text;                 /* or NULL */
  GArray *places;               /* or NULL */
} Stage;

struct _LsStages
{
  GArray *all;                  /* of Stage */
};

static void
stage_clear (gpointer data)
{
  Stage *self = data;

  g_free (self->name);
  g_free (self->trouble);
  g_free (self->text);
  g_clear_pointer (&self->places, g_array_unref);
}

LsStages *
ls_stages_new (void)
{
  LsStages *self = g_new0 (LsStages, 1);

  self->all = g_array_new (FALSE, FALSE, sizeof (Stage));
  g_array_set_clear_func (self->all, stage_clear);
  return self;
}

void
ls_stages_free (LsStages *self)
{
  g_array_unref (self->all);
  g_free (self);
}

void
ls_stages_add (LsStages   *self,
               const char *name,
               gint64      ns,
               const char *trouble,
               char       *text,
               GArray     *places)
{
  Stage stage = { g_strdup (name), ns, g_strdup (trouble != NULL ? trouble : ""), text, places };

  g_array_append_val (self->all, stage);
}

static gsize
size_of (const Stage *stage)
{
  return (stage->text != NULL ? strlen (stage->text) : 0) + (stage->places != NULL ? stage->places->len * sizeof (LsStagePlace) : 0);
}

static guint
count_lines (const char *text)
{
  guint n = 0;

  for (; *text != '\0'; text++)
    n += *text == '\n';
  return n;
}

/* To about `most` bytes, whole lines of it. */
static void
cut (Stage *stage,
     gsize  most)
{
  gsize length = (gsize) ((double) strlen (stage->text) * (double) most / (double) size_of (stage));
  g_autofree char *whole = stage->text;
  guint characters;

  while (length > 0 && whole[length - 1] != '\n')
    length--;
  characters = (guint) g_utf8_strlen (whole, (gssize) length);
  stage->text = g_strdup_printf ("%.*s# ... %u more lines\n", (int) length, whole, count_lines (whole + length));
  while (stage->places != NULL && stage->places->len > 0 && g_array_index (stage->places, LsStagePlace, stage->places->len - 1).end > characters)
    g_array_set_size (stage->places, stage->places->len - 1);
}

static void
put (GVariantBuilder *builder,
     const Stage     *stage)
{
  g_variant_builder_open (builder, G_VARIANT_TYPE ("(sxssa(uuu))"));
  g_variant_builder_add (builder, "s", stage->name);
  g_variant_builder_add (builder, "x", stage->ns);
  g_variant_builder_add (builder, "s", stage->trouble);
  g_variant_builder_add (builder, "s", stage->text != NULL ? stage->text : "");
  g_variant_builder_open (builder, G_VARIANT_TYPE ("a(uuu)"));
  for (guint i = 0; stage->places != NULL && i < stage->places->len; i++)
    {
      const LsStagePlace *place = &g_array_index (stage->places, LsStagePlace, i);

      g_variant_builder_add (builder, "(uuu)", place->start, place->end, place->loop);
    }
  g_variant_builder_close (builder);
  g_variant_builder_close (builder);
}

GVariant *
ls_stages_end (LsStages *self,
               gsize     most)
{
  GVariantBuilder builder;
  gsize all = 0;

  for (guint i = 0; i < self->all->len; i++)
    all += size_of (&g_array_index (self->all, Stage, i));
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(sxssa(uuu))"));
  for (guint i = 0; i < self->all->len; i++)
    {
      Stage *stage = &g_array_index (self->all, Stage, i);

      if (all > most && size_of (stage) > most / self->all->len)
        cut (stage, most / self->all->len);
      put (&builder, stage);
    }
  return g_variant_builder_end (&builder);
}
