/* absent: a build without hiredis.  Nothing can be made, so the rest is never called. */
#include "app/fleet/fleet.h"

#include <glib/gi18n.h>

static gpointer
absent (GError **error)
{
  g_set_error (error, LS_FLEET_ERROR, LS_FLEET_ERROR_ABSENT, _("this build has no client for Redis: install libhiredis-dev and build again"));
  return NULL;
}

gboolean
ls_fleet_is_here (void)
{
  return FALSE;
}

LsFleetMachine *
ls_fleet_machine_new (const LsFleetAddress *address, const LsFleetMachineOptions *options, GError **error)
{
  return absent (error);
}

LsFleetClient *
ls_fleet_client_new (const LsFleetAddress *address, const LsFleetClientOptions *options, GError **error)
{
  return absent (error);
}

void
ls_fleet_machine_free (LsFleetMachine *self)
{
}

void
ls_fleet_client_free (LsFleetClient *self)
{
}

void
ls_fleet_machine_give (LsFleetMachine *self, LsFleetJob *job, GPtrArray *fields)
{
  g_assert_not_reached ();
}

void
ls_fleet_machine_died (LsFleetMachine *self, LsFleetJob *job, const char *reason)
{
  g_assert_not_reached ();
}

void
ls_fleet_machine_stop (LsFleetMachine *self, gboolean at_once)
{
  g_assert_not_reached ();
}

const char *
ls_fleet_machine_get_name (LsFleetMachine *self)
{
  g_assert_not_reached ();
}

const char *
ls_fleet_machine_get_kind (LsFleetMachine *self)
{
  g_assert_not_reached ();
}

guint
ls_fleet_machine_get_done (LsFleetMachine *self)
{
  g_assert_not_reached ();
}

void
ls_fleet_client_submit (LsFleetClient *self, const char *id, GPtrArray *fields)
{
  g_assert_not_reached ();
}

void
ls_fleet_client_settle (LsFleetClient *self, const char *id)
{
  g_assert_not_reached ();
}

guint
ls_fleet_client_get_room (LsFleetClient *self)
{
  g_assert_not_reached ();
}

guint
ls_fleet_client_get_n_out (LsFleetClient *self)
{
  g_assert_not_reached ();
}

gboolean
ls_fleet_client_is_ready (LsFleetClient *self)
{
  g_assert_not_reached ();
}

void
ls_fleet_client_close (LsFleetClient *self, gboolean forget, void (*done) (gpointer data), gpointer data)
{
  g_assert_not_reached ();
}

GPtrArray *
ls_fleet_client_get_peers (LsFleetClient *self)
{
  g_assert_not_reached ();
}

const char *
ls_fleet_client_get_kind (LsFleetClient *self)
{
  g_assert_not_reached ();
}

const char *
ls_fleet_client_get_problem (LsFleetClient *self)
{
  g_assert_not_reached ();
}

GPtrArray *
ls_fleet_client_get_aside (LsFleetClient *self)
{
  g_assert_not_reached ();
}
