/* pipeline-groups: which asynchronous parts of a software pipeline make a group, and how many groups may be under way where a part waits for one. */
#include "engine/tir/pass/pipeline.h"

static gboolean
reads_from (LsPipelinePart *reader,
            LsPipelinePart *writer)
{
  gboolean reads = FALSE;

  for (guint k = 0; k < writer->block->writes->n && !reads; k++)
    reads = ls_pipeline_region (reader->block->reads, ls_array_at (writer->block->writes, k, LsBufferRegion)->buffer) != NULL;
  return reads && (writer->stage < reader->stage || (writer->stage == reader->stage && writer->order < reader->order));
}

/* Groups that are surely begun between the writer's and the reader: of the stages up to the writer's, since these run in all of its rounds. */
static gint64
groups_between (LsPipeline     *self,
                LsPipelinePart *reader,
                LsPipelinePart *writer)
{
  gint64 apart = reader->stage - writer->stage, n = 0;

  for (guint g = 0; g < self->group_stages->len; g++)
    if (g_array_index (self->group_stages, gint64, g) <= writer->stage)
      n += apart == 0 ? (g > writer->group && g < reader->group) : (g > writer->group) + (g < reader->group) + apart - 1;
  return n;
}

static gboolean
has_one_stage (LsPipeline *self)
{
  for (guint g = 1; g < self->group_stages->len; g++)
    if (g_array_index (self->group_stages, gint64, g) != g_array_index (self->group_stages, gint64, 0))
      return FALSE;
  return TRUE;
}

/* The same in the epilogue, where less and less groups are begun: none of a stage s from round over + s on. (transfer full) */
static LsExpr *
groups_of_end (LsPipeline     *self,
               LsPipelinePart *reader,
               LsPipelinePart *writer,
               LsExpr         *round,
               LsExpr         *over)
{
  gint64 n = self->group_stages->len, between = groups_between (self, reader, writer);
  LsExpr *stopped;

  if (reader->stage == writer->stage)
    return ls_int (between);
  if (!has_one_stage (self) || !ls_is (self->loop->extent, INT_IMM))    /* the number stays one: no loop of the epilogue in it */
    return ls_int (0);
  stopped = ls_sub (ls_int (between - (gint64) reader->group), ls_mul (ls_int (n), ls_sub (ls_sub (ls_ref (round), ls_ref (over)), ls_int (writer->stage))));
  return writer->stage == 0 ? stopped : ls_min (ls_int (between), stopped);
}

LsExpr *
ls_pipeline_groups_since (LsPipeline     *self,
                          LsPipelinePart *reader,
                          LsExpr         *round,
                          LsExpr         *over,
                          gboolean        is_sure)
{
  LsExpr *least = NULL;

  for (guint i = 0; i < self->parts->len; i++)
    {
      LsPipelinePart *writer = &g_array_index (self->parts, LsPipelinePart, i);
      LsExpr *since;

      if (!writer->is_async || !reads_from (reader, writer))
        continue;
      since = over != NULL ? groups_of_end (self, reader, writer, round, over) : ls_int (is_sure ? groups_between (self, reader, writer) : 0);
      least = least != NULL ? ls_min (least, since) : since;
    }
  return least;
}

/* Does a part of the group under way write what this one reads? */
static gboolean
reads_group (GPtrArray *ordered,
             guint      at)
{
  LsPipelinePart *reader = ordered->pdata[at];

  for (guint i = at; i-- > 0;)
    {
      LsPipelinePart *part = ordered->pdata[i];

      if (!part->is_async || part->group != reader->group)
        return FALSE;
      if (reads_from (reader, part))
        return TRUE;
    }
  return FALSE;
}

void
ls_pipeline_number_groups (LsPipeline *self,
                           GPtrArray  *ordered)
{
  LsPipelinePart *before = NULL;

  g_array_set_size (self->group_stages, 0);
  for (guint i = 0; i < ordered->len; i++)
    {
      LsPipelinePart *part = ordered->pdata[i];
      gboolean joins = part->is_async && before != NULL && before->is_async && before->stage == part->stage;

      part->group = joins ? before->group : self->group_stages->len;
      if (joins && reads_group (ordered, i))
        {
          joins = FALSE;
          part->group = self->group_stages->len;
        }
      if (part->is_async && !joins)
        g_array_append_val (self->group_stages, part->stage);
      before = part;
    }
}
