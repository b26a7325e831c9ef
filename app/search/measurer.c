/* LsMeasurer: chooses who measures, and passes on. */
#include "app/search/measurer.h"

LsMeasurer *
ls_measurer_new (const LsMeasurerOptions  *options,
                 const LsMeasurerEvents   *events,
                 GError                  **error)
{
  LsMeasurer *self = options->queue != NULL ? ls_measurer_new_fleet (options, events, error)
                     : options->api != NULL ? ls_measurer_new_device (options, error) : ls_measurer_new_local (options);

  if (self != NULL)
    self->events = *events;
  return self;
}

void
ls_measurer_free (LsMeasurer *self)
{
  if (self != NULL)
    self->klass->free (self);
}

guint
ls_measurer_get_room (LsMeasurer *self)
{
  return self->klass->room (self);
}

guint
ls_measurer_get_ahead (LsMeasurer *self)
{
  return self->klass->ahead != NULL ? self->klass->ahead (self) : 0;
}

char *
ls_measurer_measure (LsMeasurer *self,
                     GVariant   *params,
                     const char *trace,
                     LsMeasured  measured,
                     gpointer    data)
{
  return self->klass->measure (self, params, trace, measured, data);
}

void
ls_measurer_settle (LsMeasurer *self,
                    const char *id)
{
  self->klass->settle (self, id);
}

void
ls_measurer_cancel (LsMeasurer *self)
{
  self->klass->cancel (self);
}

void
ls_measurer_close (LsMeasurer *self,
                   gboolean    forget,
                   void      (*done) (gpointer data),
                   gpointer    data)
{
  self->klass->close (self, forget, done, data);
}

const char *
ls_measurer_get_problem (LsMeasurer *self)
{
  return self->klass->problem (self);
}

const char *
ls_measurer_get_kind (LsMeasurer *self)
{
  return self->klass->kind (self);
}

GPtrArray *
ls_measurer_get_peers (LsMeasurer *self)
{
  return self->klass->peers (self);
}
