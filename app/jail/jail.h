/* jail: how code of somebody else is run - cells and graders (app/kernel), generated code (app/worker), loopscope.run_isolated (Python).
 *
 *   jail      the command line of loopscope-jail, its probe, consent
 *   the rest  the program loopscope-jail: helper.h
 *
 * Inside: namespaces (user, process, mount, network, ipc, uts, cgroup), a /proc of its own, a read-only view of the system, an empty home and
 * /tmp that are gone afterwards, an environment without secrets, limits, a filter of system calls; and of the user's files
 * only what was handed over here.  What is too wide to be handed over (the home itself, /tmp, the download folder, ...) is not.
 *
 * Where the machine refuses namespaces or the filter, ls_jail_probe() says so - it starts a jail in which everything that must not work is tried -
 * and nothing of the user's runs until ls_jail_consent().  LS_JAIL=try is consent beforehand (what the machine allows is used), LS_JAIL=off
 * is no jail at all.  LS_JAIL_READ and LS_JAIL_WRITE, lists of paths, hand more over; LS_KERNEL_NETWORK=1 leaves the network open to cells.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum {
  LS_JAIL_READ,                 /* read-only */
  LS_JAIL_WRITE,
  LS_JAIL_OVER,                 /* readable; what is written there is gone afterwards */
  LS_JAIL_SCRATCH,              /* an empty folder */
} LsJailAccess;

/* What one program gets. */
typedef struct _LsJail LsJail;

/* (transfer full) */
LsJail     *ls_jail_new             (void);
void        ls_jail_free            (LsJail        *self);
/* Absolute or relative to the current folder; what is not there or is too wide is left out, FALSE then. */
gboolean    ls_jail_hand_over       (LsJail        *self,
                                     LsJailAccess   access,
                                     const char    *path);
/* A list as PATH has it; NULL is fine. */
void        ls_jail_hand_over_list  (LsJail        *self,
                                     LsJailAccess   access,
                                     const char    *paths);
/* The folder of a lesson: cells start in it, read it, and write into it what is gone afterwards.  One that is too wide is empty for them. */
void        ls_jail_set_folder      (LsJail        *self,
                                     const char    *path);
/* Bytes of one process, and of all where a cgroup can be made; 0 = no limit. */
void        ls_jail_set_memory      (LsJail        *self,
                                     guint64        bytes);
/* An option of loopscope-jail that takes no value, such as "--counters". */
void        ls_jail_add_option      (LsJail        *self,
                                     const char    *option);
/* Appends what comes before the program's own name; nothing with LS_JAIL=off.  Errors: NOT_FOUND. */
gboolean    ls_jail_begin           (LsJail        *self,
                                     GPtrArray     *argv,
                                     GError       **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsJail, ls_jail_free)

/* The home itself or a folder above it, /tmp, the desktop, downloads, keys, folders of the system that hold secrets. */
gboolean    ls_jail_is_too_wide     (const char    *path);

/* ---- what this machine allows ---- */

typedef enum {
  LS_JAIL_HOLDS,                /* everything that must not work was tried and did not */
  LS_JAIL_PARTLY,               /* it starts, and something that must not work does */
  LS_JAIL_REFUSED,              /* neither namespaces nor the filter */
  LS_JAIL_OFF,                  /* LS_JAIL=off */
} LsJailState;

typedef struct {
  LsJailState  state;
  char        *why;             /* what is refused, or NULL */
  char       **names;           /* of what was tried, in order; NULL-terminated */
  char       **values;          /* what came of it */
} LsJailReport;

/* Starts a jail once and keeps what came of it; takes some 15 ms. (transfer none) */
const LsJailReport *ls_jail_probe   (void);
/* Forgets it, for tests. */
void        ls_jail_probe_again     (void);
/* The value of a name; "" when it was not tried. */
const char *ls_jail_report_get      (const LsJailReport *report,
                                     const char         *name);
/* "The jail does not hold on this machine: ..." in English, one sentence; NULL when it holds. (transfer full) */
char       *ls_jail_report_sentence (const LsJailReport *report);
/* Whether code of somebody else may run: it holds, or somebody said yes. */
gboolean    ls_jail_may_run         (void);
/* Yes, for the rest of this process. */
void        ls_jail_consent         (void);
/* With consent, LS_JAIL=try or where it holds anyway: --try belongs on the command line. */
gboolean    ls_jail_is_optional     (void);

/* ---- what runs in it ---- */

/* Resident bytes of the program that `pid`, a process of ls_jail_begin(), runs; with `all` of what it started too, shared pages counted once
 * where the sum is above `limit`.  0 when unknown. */
guint64     ls_jail_resident        (int            pid,
                                     gboolean       all,
                                     guint64        limit);

G_END_DECLS
