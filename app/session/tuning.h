/* LsEngineTuning: the Tune page's model over app/search: begins and follows searches of processes of their own, opens what they found as branches. */
#pragma once

#include "app/session/document.h"
#include "views/models/tuning.h"

G_BEGIN_DECLS

#define LS_TYPE_ENGINE_TUNING (ls_engine_tuning_get_type ())
G_DECLARE_FINAL_TYPE (LsEngineTuning, ls_engine_tuning, LS, ENGINE_TUNING, LsTuning)

/* The document is held. (transfer full) */
LsTuning *ls_engine_tuning_new    (LsDocument     *document);
/* Lets go of the search, which goes on by itself, and forgets what it found: another program, or the window goes. */
void      ls_engine_tuning_forget (LsEngineTuning *self);

G_END_DECLS
