/* LsPassesList: the passes of a log, one chosen; filtered by a word, without those that change nothing where that is wished. */
#pragma once

#include <gtk/gtk.h>

#include "app/passes/rows.h"

G_BEGIN_DECLS

#define LS_TYPE_PASSES_LIST (ls_passes_list_get_type ())
G_DECLARE_FINAL_TYPE (LsPassesList, ls_passes_list, LS, PASSES_LIST, GtkBox)

/* ::chosen comes when another row is, or the same of another log; ::counted(dump) when it is known what a dump changed whose row is seen. */
GtkWidget *ls_passes_list_new           (void);
/* While a log is read: more passes; their names are copied. */
void       ls_passes_list_grow          (LsPassesList     *self,
                                         const LsPassDump *dumps,
                                         guint             n);
/* Shows a log, with the first pass chosen that changes something; NULL empties. */
void       ls_passes_list_set           (LsPassesList     *self,
                                         LsPasses         *passes);
/* Shows another log of the same program, with the same dump chosen, else the next. */
void       ls_passes_list_update        (LsPassesList     *self,
                                         LsPasses         *passes);
/* Of passes of our own only those of this stage (LsPassesStage); -1: all. */
void       ls_passes_list_set_stage     (LsPassesList     *self,
                                         int               stage);
/* The chosen dump, or the one that the chosen other output stands in front of; -1: none. */
int        ls_passes_list_get_chosen    (LsPassesList     *self,
                                         gboolean         *other);
/* Chooses a dump; takes filters off that hide it. */
void       ls_passes_list_choose        (LsPassesList     *self,
                                         guint             dump);
/* What a dump is beside that of another log. */
typedef enum {
  LS_PASSES_AS_THERE,
  LS_PASSES_DIFFERS,
  LS_PASSES_ONLY_HERE
} LsPassesMark;

/* Marks dumps: LsPassesMark of each, copied; NULL: there is no other log. */
void       ls_passes_list_set_marks     (LsPassesList     *self,
                                         const guint8     *marks);
/* More is known of the dumps. */
void       ls_passes_list_refresh       (LsPassesList     *self);
/* Rows of the same function, or other unit, that stand together are one, which Right opens and Left closes. */
void       ls_passes_list_set_folded    (LsPassesList     *self,
                                         gboolean          folded);
/* Those that took longest first, where the log has times; else in the order of the log. */
void       ls_passes_list_set_slowest   (LsPassesList     *self,
                                         gboolean          slowest);
/* Marks the dumps that touch what is followed: LsPassTouch of each, copied; NULL: none is. */
void       ls_passes_list_set_touches   (LsPassesList     *self,
                                         const guint8     *touches);
/* Shows only those while something is followed; choosing another dump ends it. */
void       ls_passes_list_set_only_touched (LsPassesList  *self,
                                         gboolean          only);
gboolean   ls_passes_list_get_only_touched (LsPassesList  *self);
/* To the next (1) or previous (-1) pass that changes something. */
void       ls_passes_list_go            (LsPassesList     *self,
                                         int               direction);
/* Gives the rows the keyboard. */
void       ls_passes_list_take_keyboard (LsPassesList     *self);

G_END_DECLS
