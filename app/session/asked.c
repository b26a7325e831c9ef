/* session/asked: see the header. */
#include "app/session/asked.h"

struct _LsAsked
{
  GWeakRef session;
  gpointer part;                /* borrowed: as long as the session is there */
};

LsAsked *
ls_asked_new (LsSession *session,
              gpointer   part)
{
  LsAsked *self = g_new0 (LsAsked, 1);

  g_weak_ref_init (&self->session, session);
  self->part = part;
  return self;
}

void
ls_asked_free (LsAsked *self)
{
  g_weak_ref_clear (&self->session);
  g_free (self);
}

gpointer
ls_asked_end (LsAsked    *self,
              LsSession **session)
{
  gpointer part;

  *session = g_weak_ref_get (&self->session);
  part = *session != NULL ? self->part : NULL;
  ls_asked_free (self);
  return part;
}
