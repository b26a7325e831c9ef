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
/* Reads one more file; pass NULL: the text has heads, else all of it is one dump of this name, on `unit`. */
void          ls_pass_log_take    (LsPassLog    *self,
                                   GBytes       *bytes,
                                   const char   *file_name,
                                   const char   *pass,
                                   const char   *unit);
/* What comes next is another program, or another language: nothing in it is what was before. */
void          ls_pass_log_forget  (LsPassLog    *self);
/* Is it a file of ls_pass_log_save()? */
gboolean      ls_pass_session_is  (const char   *text,
                                   gsize         size);
/* Puts one together and reads it. NULL: `error` is set. (transfer full) */
LsPassLog    *ls_pass_session_read (GBytes      *bytes,
                                   GError      **error);
/* Reads the files of a folder as dumps. FALSE: `error` is set. */
gboolean      ls_pass_folder_read (LsPassLog    *self,
                                   const char   *path,
                                   GError      **error);

/* Was the text in the part's function before this part, and is nowhere in its dump any more? */
gboolean      ls_pass_log_part_removes (LsPassLog *self,
                                   guint         part,
                                   const char   *what);

/* ls_pass_sides_diff() by the tolerant reader, whoever may be asked. */
GArray       *ls_pass_sides_diff_tolerant (const LsPassSide *a,
                                     const LsPassSide *b,
                                     LsPassCounts     *counts,
                                     char            **reader);
/* Of several functions the first that LLVM did not take says who read them: takes `words` into *reader; both may be NULL. */
void          ls_pass_reader_take   (char        **reader,
                                     char         *words);

/* ---- times ---- */

/* A report of times while a text is read line by line; zeros at its beginning. */
typedef struct {
  gboolean open, gcc;
  int      wall;                /* of GCC's: the wall's column, from 0 */
  guint    numbers;             /* columns without shares before the name */
} LsPassTimes;

/* Takes a line into the log's times where it is one of a report.  FALSE: it is none. */
gboolean      ls_pass_times_line  (LsPassTimes   *self,
                                   LsPassLog     *log,
                                   const char    *line,
                                   gsize          length);
/* Is a text nothing but such a report, by how it begins? */
gboolean      ls_pass_times_is    (const char    *text,
                                   gsize          size);
/* Gives each dump the time of its pass. */
void          ls_pass_times_set   (LsPassLog     *log);
/* The row of GCC's report that has a pass; NULL: none has it alone. */
const char   *ls_pass_gcc_measure (const char    *pass);

void          ls_pass_ir_free      (LsPassIr    *self);

/* ---- aliases of MLIR ---- */

/* "#blocked" to what it stands for, of the lines of text[start, end) that say so; NULL: none does. (transfer full) */
GHashTable   *ls_pass_aliases_read   (const char    *text,
                                      gsize          start,
                                      gsize          end);
/* Puts what the alias at `at` stands for into `to`; its length, 0: there is none (self may be NULL). */
gsize         ls_pass_aliases_take   (GHashTable    *self,
                                      const char    *at,
                                      GString       *to);
/* Another number when one of those that text[start, end) mentions stands for something else. */
guint64       ls_pass_aliases_hash   (GHashTable    *self,
                                      const char    *text,
                                      gsize          start,
                                      gsize          end);
/* A text as operations, where aliases (or NULL) are read as what they stand for. (transfer full): of LsPassOperation */
GPtrArray    *ls_pass_operations_read_aliased (const char    *text,
                                      LsPassLogKind  kind,
                                      GHashTable    *aliases);

/* ---- words of a line ---- */

/* Can it stand in a name? */
static inline gboolean
ls_pass_is_word (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '.' || c == '$' || c == '-';
}

/* Length of the value that begins at line[i]; 0: none does.  split: where what the line writes ends; known: names of the values so far. */
gsize         ls_pass_value_length   (const char    *line,
                                      gsize          i,
                                      gsize          split,
                                      LsPassLogKind  kind,
                                      GHashTable    *known);
/* "%a, %b = ", "%0:2 = ", "%18:gr32 = ", "_12 = ": where what follows begins; 0: the line defines nothing. */
gsize         ls_pass_results_length (const char    *line,
                                      LsPassLogKind  kind);
/* Where of n bytes what is no part of the meaning begins: metadata, comments, locations. */
gsize         ls_pass_meaning_length (const char    *line,
                                      gsize          n,
                                      LsPassLogKind  kind);
/* Takes every " loc(...)" out of a line of MLIR: behind an operation, and behind each argument of a function or block. */
void          ls_pass_drop_locations (char          *line);
/* "f32[8]{0} add(...", "(f32[8], s32[]) tuple(...": where the name of the operation begins. */
const char   *ls_pass_hlo_skip_type  (const char    *at);
/* An instruction of PTX: where the registers that it writes end; *name gets where its name begins. */
gsize         ls_pass_ptx_split      (const char    *line,
                                      const char   **name);

/* ---- names of files in a folder of dumps ---- */

/* The order in which they were written, as far as the names say. */
int           ls_pass_file_compare (const char  *a,
                                    const char  *b);
/* Which of several programs in a folder: XLA's module, Triton's kernel; NULL: it does not say. (transfer full) */
char         *ls_pass_file_program (const char  *name);
/* "a.c.021t.ssa" is of ssa, "0_1_cse.mlir" of cse, "module_0001.f.0002.fusion.after_dce.before_cse.txt" of dce; otherwise the name. (transfer full) */
char         *ls_pass_file_pass    (const char  *name);
/* What the pass ran on: XLA's module and pipeline; "" where the name does not say. (transfer full) */
char         *ls_pass_file_unit    (const char  *name);

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
  GHashTable   *aliases;        /* or NULL */
  int          *op;             /* of each line: which operation it is; -1 */
  char        **place;          /* of each line: where it comes from in the source, or NULL */
} LsPassLines;

LsPassLines  *ls_pass_lines_new   (LsPassLog    *log,
                                   guint         part);
void          ls_pass_lines_free  (LsPassLines  *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsPassLines, ls_pass_lines_free)

G_END_DECLS
