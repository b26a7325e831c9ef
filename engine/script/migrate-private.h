/* What migrate.c (texts) asks of migrate-names.c (tables), migrate-text.c (tokens, edits) and migrate-imports.c (what names stand for). */
#pragma once

#include "engine/script/migrate.h"
#include "engine/script/script-private.h"

G_BEGIN_DECLS

/* ---- migrate-names.c: the tables ---- */

typedef struct {
  const char *before, *after;   /* dotted, from the top: "tvm.tir.Schedule"; `after` NULL: gone */
  const char *why;
} LsMigrateRule;

/* The rule for a dotted name or the longest beginning of it; NULL: it is called so still. */
const LsMigrateRule *ls_migrate_find_rule   (const char *path);
/* The name under `rule`. (transfer full) */
char                *ls_migrate_apply       (const LsMigrateRule *rule,
                                             const char          *path);
/* Of a method; NULL: it is called so still. */
const LsMigrateRule *ls_migrate_find_method (const char *name);
/* Of an attribute of any value, and of a keyword argument of calls of Relax; NULL: it is called so still. */
const LsMigrateRule *ls_migrate_find_attribute (const char *name);
const LsMigrateRule *ls_migrate_find_keyword (const char *name);
/* Of an attribute of what tvm.build gives. */
const LsMigrateRule *ls_migrate_find_of_built (const char *name);
/* Does `name` begin with the components of `path`? */
gboolean             ls_migrate_is_under    (const char *name,
                                             const char *path);
/* Of the contents of a string, "tir.noalias"; NULL: nothing of the kind. (transfer full) */
char                *ls_migrate_string      (const char *text,
                                             gsize       length);

/* ---- migrate-imports.c ---- */

typedef struct {
  char     *path;               /* what it is: "tvm.script.tir" */
  char     *later;              /* under its new name: "tvm.script.tirx" */
  char     *name;               /* how the text calls it afterwards */
  guint     n_kept;             /* places that still need it */
  guint     n_left;             /* places that are spelled by another name now */
} LsMigrateBinding;

typedef struct {
  guint first, last;            /* tokens of the statement, `last` after it */
} LsMigrateImport;

typedef struct {
  LsSource      *source;
  const char    *text;
  const LsToken *tokens;
  guint          n;
  GHashTable    *bindings;      /* name -> LsMigrateBinding */
  GArray        *imports;       /* of LsMigrateImport */
  GPtrArray     *needed;        /* lines of imports to be added */
  GHashTable    *built;         /* names that hold what tvm.build gives */
  GArray        *edits;         /* of LsMigrateEdit */
  GPtrArray     *report;
} LsMigrator;

/* ---- migrate-text.c ---- */

typedef struct {
  gsize       start, end;
  char       *after;            /* NULL: nothing is written */
  char       *before;           /* for the report; NULL: not reported */
  const char *why;
} LsMigrateEdit;

/* (transfer full) */
GArray     *ls_migrate_edits_new  (void);
gboolean    ls_migrator_is_op     (LsMigrator    *self,
                                   guint          at,
                                   guint32        op);
gboolean    ls_migrator_is_word   (LsMigrator    *self,
                                   guint          at,
                                   const char    *word);
/* (transfer full) */
char       *ls_migrator_word      (LsMigrator    *self,
                                   guint          at);
/* Replaces the tokens [from, to); `after` NULL: only says so. */
void        ls_migrator_replace   (LsMigrator    *self,
                                   guint          from,
                                   guint          to,
                                   const char    *after,
                                   const char    *why);
/* The same with bytes of the text. */
void        ls_migrator_rewrite   (LsMigrator    *self,
                                   gsize          start,
                                   gsize          end,
                                   const char    *after,
                                   const char    *why);
/* Takes a statement out, with the end of its line. */
void        ls_migrator_drop      (LsMigrator    *self,
                                   guint          from,
                                   guint          to,
                                   const char    *why);
/* Puts something in at a place of the text, said with what stands there as `before`. */
void        ls_migrator_insert    (LsMigrator    *self,
                                   gsize          at,
                                   const char    *text);

/* The text with its edits, which are added to the report. (transfer full) */
char       *ls_migrator_apply     (LsMigrator    *self);

/* ---- migrate-imports.c: statements ---- */

/* Of LsMigrateBinding by name. (transfer full) */
GHashTable *ls_migrate_bindings_new   (void);
/* Reads all import statements. */
void        ls_migrator_read_imports  (LsMigrator *self);
/* The statement of imports that begins at a token; NULL: none does. */
const LsMigrateImport *ls_migrator_import_at (LsMigrator *self,
                                              guint       at);
/* How the text says a dotted name where `binding` (or NULL) said its old one; an import is added where there is none. (transfer full) */
char       *ls_migrator_spell         (LsMigrator       *self,
                                       LsMigrateBinding *binding,
                                       const char       *path);
/* After all places were read. */
void        ls_migrator_write_imports (LsMigrator *self);

G_END_DECLS
