/* private: between the files of passlog. */
#pragma once

#include "engine/passlog/passlog.h"

G_BEGIN_DECLS

/* What a line that announces a dump says; pointers into the line. */
typedef struct {
  LsPassDumpKind kind;
  const char    *pass, *unit;
  gsize          pass_length, unit_length;
} LsPassHead;

/* Does a line (without its end) announce a dump, in the manner of this kind? */
gboolean      ls_pass_head_read   (const char   *line,
                                   gsize         length,
                                   LsPassLogKind kind,
                                   LsPassHead   *head);
/* The kind whose heads or first lines are in a text; LS_PASS_LOG_AUTO: none. */
LsPassLogKind ls_pass_kind_guess  (const char   *text,
                                   gsize         size);

typedef void (*LsPassPartFunc) (const char *name,
                                gsize       name_length,
                                gsize       start,
                                gsize       end,
                                gpointer    user_data);
/* Calls for each function of a text between two bytes; never for an empty text. */
void          ls_pass_parts_find  (const char    *text,
                                   gsize          start,
                                   gsize          end,
                                   LsPassLogKind  kind,
                                   LsPassPartFunc found,
                                   gpointer       user_data);

/* Is text[start, end) a dump whose lines have signs, of -print-changed=diff? */
gboolean      ls_pass_patch_is      (const char    *text,
                                     gsize          start,
                                     gsize          end);
/* Its functions; they have no names. */
void          ls_pass_patch_find    (const char    *text,
                                     gsize          start,
                                     gsize          end,
                                     LsPassPartFunc found,
                                     gpointer       user_data);
/* One of them as it was, or is after the pass. (transfer full) */
char         *ls_pass_patch_side    (const char    *text,
                                     gsize          size,
                                     gboolean       after);
gboolean      ls_pass_patch_changes (const char    *text,
                                     gsize          size);
/* A function, whole or as one side of a patch, tells itself from others by this number. */
guint64       ls_pass_patch_print   (const char    *body);

/* Where behind its last function a dump goes over into other output; `end`: it does not. */
gsize         ls_pass_other_begins  (const char    *text,
                                     gsize          start,
                                     gsize          end,
                                     LsPassLogKind  kind);

LsPassLog    *ls_pass_log_new     (void);
/* The whole of reading a text; see ls_pass_log_open_full(). */
LsPassLog    *ls_pass_log_read_full (GBytes        *bytes,
                                     LsPassLogKind  kind,
                                     LsPassProgress progress,
                                     gpointer       user_data,
                                     GError       **error);
/* Ends the reading; takes the log. NULL with an error: there is no dump in it. */
LsPassLog    *ls_pass_log_finish  (LsPassLog    *self,
                                   GError      **error);
/* Reads one more file; pass NULL: the text has heads, else all of it is one dump of this name. */
void          ls_pass_log_take    (LsPassLog    *self,
                                   GBytes       *bytes,
                                   const char   *file_name,
                                   const char   *pass);
/* Reads the files of a folder as dumps. FALSE: `error` is set. */
gboolean      ls_pass_folder_read (LsPassLog    *self,
                                   const char   *path,
                                   GError      **error);

/* ---- places ---- */

/* The nodes and aliases by which a dump says places in the source. */
typedef struct _LsPassPlaces LsPassPlaces;

LsPassPlaces *ls_pass_places_new  (LsPassLog    *log,
                                   guint         dump);
void          ls_pass_places_free (LsPassPlaces *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsPassPlaces, ls_pass_places_free)
/* "scale.c:4:17" that a line of the dump says it comes from; NULL: it does not say. (transfer full) */
char         *ls_pass_places_find (LsPassPlaces *self,
                                   const char   *line);

/* The lines of a text as operations. */
typedef struct {
  char         *text;
  char        **lines;
  guint         n;
  GPtrArray    *ops;            /* of LsPassOperation */
  int          *op;             /* of each line: which operation it is; -1 */
  char        **place;          /* of each line: where it comes from in the source, or NULL */
} LsPassLines;

LsPassLines  *ls_pass_lines_new   (LsPassLog    *log,
                                   guint         part);
void          ls_pass_lines_free  (LsPassLines  *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsPassLines, ls_pass_lines_free)

G_END_DECLS
