/* What came when a lesson ran, part by part. */
#include "app/page/record.h"

struct _LsRecord {
  LsLesson   *lesson;
  GHashTable *parts;            /* LsLessonPart -> LsRecorded */
};

static void
recorded_free (gpointer data)
{
  LsRecorded *self = data;

  g_free (self->sentence);
  g_free (self->trouble);
  g_clear_pointer (&self->outputs, ls_outputs_unref);
  g_clear_pointer (&self->answer, g_variant_unref);
  g_free (self);
}

LsRecord *
ls_record_new (LsLesson *lesson)
{
  LsRecord *self = g_new0 (LsRecord, 1);

  self->lesson = ls_lesson_ref (lesson);
  self->parts = g_hash_table_new_full (NULL, NULL, NULL, recorded_free);
  return self;
}

void
ls_record_free (LsRecord *self)
{
  if (self == NULL)
    return;
  ls_lesson_unref (self->lesson);
  g_hash_table_unref (self->parts);
  g_free (self);
}

void
ls_record_take (const LsRunReport *report,
                gpointer           data)
{
  LsRecord *self = data;
  LsRecorded *of = g_new0 (LsRecorded, 1);

  of->status = report->status;
  of->sentence = g_strdup (report->sentence);
  of->trouble = g_strdup (report->trouble);
  of->outputs = report->outputs != NULL ? ls_outputs_ref (report->outputs) : NULL;
  of->answer = report->answer != NULL ? g_variant_ref (report->answer) : NULL;
  g_hash_table_insert (self->parts, (gpointer) report->part, of);
}

const LsRecorded *
ls_record_get (LsRecord           *self,
               const LsLessonPart *part)
{
  return self != NULL ? g_hash_table_lookup (self->parts, part) : NULL;
}

char *
ls_record_text (const LsLessonPart *part,
                gpointer            record)
{
  const LsRecorded *of = ls_record_get (record, part);

  return of != NULL && of->outputs != NULL && part->kind == LS_PART_CELL ? ls_outputs_get_text (of->outputs) : NULL;
}
