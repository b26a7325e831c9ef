/* migrate-file: what of a file is Python: a script, the code cells of a Jupyter notebook, the fences of a Markdown text. */
#pragma once

#include <glib.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef struct {
  JsonNode  *notebook;          /* NULL: no notebook */
  GPtrArray *kept;              /* lines that are no Python, by their number */
  GArray    *cells;             /* of guint: the line at which a cell of a notebook begins, from 1 */
  char      *python;            /* everything that is Python, with a remark in the place of every other line */
} LsMigrateFile;

/* Reads the text of a file; its name says what it is (.ipynb, .md, else a script).  FALSE with an error: no notebook. */
gboolean ls_migrate_file_read  (LsMigrateFile *self,
                                const char    *name,
                                const char    *text,
                                GError       **error);
void     ls_migrate_file_clear (LsMigrateFile *self);
/* The file with `python` in the place of what was read. (transfer full) */
char    *ls_migrate_file_write (LsMigrateFile *self,
                                const char    *python);
/* The cell and the line in it of a line of `python`; cell 0: no notebook. */
guint    ls_migrate_file_place (LsMigrateFile *self,
                                guint         *line);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LsMigrateFile, ls_migrate_file_clear)

G_END_DECLS
