/* about: what a program says of itself: its version, and its command line as data.
 *
 * Manual pages and completions are made from the descriptions when Loopscope is built (data/man, data/completions): each
 * program prints its own with the hidden option --describe, out of the table that its --help is made from.
 *
 *   {"program": .., "version": .., "usage": .., "summary": .., "options": [OPTION..], "exits": [{"status", "meaning"}..]}
 *   OPTION: {"names": ["--steps", "-s"], "value": "STEPS" or "", "optional": false, "repeated": false, "file": true, "meaning": ..}
 *
 * loopscope-cli adds "commands" (app/cli/describe.c).
 */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef struct {
  int         status;
  const char *meaning;
} LsAboutExit;

typedef struct {
  const char *const *names;     /* ended by NULL */
  const char        *value;     /* NULL or "": it takes none */
  const char        *meaning;   /* NULL: it has none yet */
  gboolean           optional;  /* it may stand without its value */
  gboolean           repeated;
  gboolean           file;      /* its value is a path */
} LsAboutOption;

typedef struct {
  const char        *program;   /* "loopscope-draw" */
  const char        *usage;     /* "[FILE]", what follows the options */
  const char        *summary;   /* sentences */
  const LsAboutExit *exits;     /* ended by one without a meaning; or NULL */
} LsAbout;

/* "PROGRAM VERSION (git describe)" on standard output, and on a second line the libraries: their names and versions in turn,
 * then NULL. */
void ls_about_put_version     (const char         *program,
                               ...) G_GNUC_NULL_TERMINATED;

/* "2.74.6". (transfer full) */
char *ls_about_number         (guint               major,
                               guint               minor,
                               guint               micro);

/* The description on standard output; hidden options are left out.  `application`: with what GApplication adds. */
void ls_about_put_description (const LsAbout      *about,
                               const GOptionEntry *entries,
                               gboolean            application);

/* ---- for a program that has more to say than options ---- */

/* Opens the object: all members but the options. */
void ls_about_begin           (JsonBuilder        *builder,
                               const LsAbout      *about);
/* One member of an array of options. */
void ls_about_add_option      (JsonBuilder         *builder,
                               const LsAboutOption *option);
/* Closes the object and prints it. */
void ls_about_end             (JsonBuilder        *builder);

G_END_DECLS
