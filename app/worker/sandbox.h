/* What the worker gives up before it takes its first request. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What was asked for on the command line. */
typedef struct {
  guint64     memory_limit;     /* bytes; 0 = none */
  char      **readable;         /* NULL-terminated, or NULL */
  char      **writable;
} LsSandboxOptions;

/* Sets limits and drops privileges, as far as the system allows; never ends the process.  Call it before the first
 * thread starts.  LS_WORKER_SANDBOX=off leaves the privileges alone. */
void      ls_sandbox_enter  (const LsSandboxOptions *options);
/* What holds now: tried, not assumed.  a{sv}: enabled (b), no-new-privileges (b), landlock (i: ABI or 0), seccomp (b),
 * network, files-read, files-written, programs (s: "denied" or "allowed"), statement (s: the same in one sentence).
 * (floating) */
GVariant *ls_sandbox_status (void);

G_END_DECLS
