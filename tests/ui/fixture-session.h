/* LsFixtureSession: a session with written-down data, for tests of the views.
 *
 * Shows the schedule of mm_relu at step 3 with a side branch, a running and a
 * stale measurement and moves in all three groups.  go_to, select, edit and
 * preview answer in a simple way; nothing is compiled or timed.
 */
#pragma once

#include "views/models/session.h"

G_BEGIN_DECLS

#define LS_TYPE_FIXTURE_SESSION (ls_fixture_session_get_type ())
G_DECLARE_FINAL_TYPE (LsFixtureSession, ls_fixture_session, LS, FIXTURE_SESSION, LsSession)

LsSession  *ls_fixture_session_new      (void);
/* Nothing opened. */
LsSession  *ls_fixture_session_new_empty (void);
/* A text with two findings. */
LsSession  *ls_fixture_session_new_broken (void);
/* The last wish that reached the session, such as "apply split". */
const char *ls_fixture_session_get_last (LsFixtureSession *self);

G_END_DECLS
