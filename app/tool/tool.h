/* tool/tool: the windows beside the main one, as rows of a table.
 *
 * A tool window knows what it was asked about (LsToolPlace) and nothing of who asked; the main window knows the rows and none of
 * the windows.  Its actions, accelerators, menu and links are made from the rows, so that another tool is one file and one row of
 * app/tools.c.
 */
#pragma once

#include <gtk/gtk.h>

#include "views/models/session.h"

G_BEGIN_DECLS

/* What a tool window is shown for; all borrowed, and only for the call. */
typedef struct {
  GtkWindow          *parent;   /* it stands before this one */
  LsSession          *session;
  const LsMoveRecord *move;     /* that is asked about, or NULL */
  gboolean            compared; /* two programs are compared: `left` and `right`; else `right` is the shown step */
  guint               left;
  guint               right;
  const char         *names[2]; /* what the two are called here, translated, or NULL */
  gboolean            differ;   /* they were found to differ */
  /* Says in `parent` that there is nothing to show: what, and why. */
  void              (*say) (GtkWindow *parent, const char *what, const char *why);
} LsToolPlace;

typedef struct {
  const char *id;               /* of the action (win.ID), of its kind among the windows of a parent, and in links */
  const char *label;            /* in the menu, N_() */
  const char *accel;
  gboolean    waits;            /* cannot be asked for while something is measured */
  gboolean    follows;          /* shows what its parent shows, so that a link may open it */
  /* Shows it, or brings it to the front. */
  void      (*show) (const LsToolPlace *place);
} LsTool;

/* Another row; it has to live on.  Twice the same is one. */
void          ls_tool_register (const LsTool *tool);
guint         ls_tool_get_n    (void);
/* The next row that is registered begins another section of the menu. */
void          ls_tool_end_section    (void);
gboolean      ls_tool_begins_section (guint         n);
/* In the order in which they were registered. */
const LsTool *ls_tool_get      (guint         n);
/* NULL: there is none of this name. */
const LsTool *ls_tool_find     (const char   *id);

G_END_DECLS
