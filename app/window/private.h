/* What the files of the window share: window.c (panes and places), header.c (the title bar), say.c (what happened), state.c (what is kept of it), pages.c (the pages
 * beside Explore). */
#pragma once

#include "app/session/autosave.h"
#include "app/window/window.h"
#include "views/compare/view.h"
#include "views/graph/view.h"
#include "views/tune/view.h"
#include "views/why/view.h"

#include <adwaita.h>

G_BEGIN_DECLS

typedef enum {
  SIZE_WIDE,                    /* all three panes */
  SIZE_MEDIUM,                  /* history is an overlay */
  SIZE_SMALL,                   /* moves too */
} SizeClass;

struct _LsWindow
{
  GtkApplicationWindow parent_instance;

  LsSession *session;
  LsAutosave *autosave;         /* keeps its document */
  gboolean   closing;           /* it is as good as gone */
  gboolean   given_up;          /* closing was refused once, because nothing could be written */
  gboolean   told;              /* or because the changes will be kept elsewhere than in the file */
  int        width;             /* that was given last */
  int        height;
  SizeClass  size;              /* that the panes are placed for; so are the next four */
  gboolean   folded;
  gboolean   flat;
  gboolean   tight;             /* below 1380: no room for all columns of the loops beside both panes */
  gboolean   cramped;           /* below 760: nothing stands beside anything */
  gboolean   narrow;            /* below 1100: the graph's right pane goes below */
  gboolean   placed;
  gboolean   has_size;           /* was laid out once */
  guint      tick;
  gboolean   history_docked;    /* wanted, when there is room */
  gboolean   moves_docked;
  int        history_width;     /* that the user gave them, with usual letters; 0: as designed */
  int        moves_width;
  gboolean   history_floated;   /* opened by hand over the rest */
  gboolean   moves_floated;
  gboolean   edit_floated;      /* the history was opened over the rest for an edit: it goes with it */

  GtkWidget *history;
  GtkWidget *moves;
  GtkWidget *header;
  GtkWidget *menu_button;
  GMenuModel *main_menu;
  GtkWidget *page_tabs;
  GtkWidget *page_list;         /* in the place of the tabs where there is no room for them */
  GtkWidget *unsaved;           /* mark beside the name */
  GtkWidget *fast;              /* and one while fast mathematics is asked for */
  struct _LsFastMathLook *fast_look;    /* what that was last looked for in, or NULL */
  GCancellable *looking_fast;   /* or NULL */
  void     (*fast_found) (LsWindow *self, gboolean can, const char *words);
  GtkWidget *history_button;
  GtkWidget *moves_button;
  GtkWidget *name;
  GtkWidget *place;
  GtkWidget *overlay;
  GtkWidget *toasts;
  AdwToast  *toast;             /* that is shown; the overlay's; NULL: none */
  AdwToast  *toast_next;        /* that comes when it has gone, or NULL */
  gboolean   toast_changes;     /* the next one, or none, is to be shown instead */
  guint      toast_tick;        /* while one comes or goes, or 0 */
  gint64     toast_rests;       /* when it has */
  gboolean   toast_last_frame;
  GMenu     *recent_menu;
  GMenu     *tool_menu;
  GtkWidget *outer;
  GtkWidget *inner;
  GtkWidget *pages;
  GtkWidget *explore;
  GtkWidget *compare;           /* these are made when they are first needed; NULL before */
  GtkWidget *graph;
  GtkWidget *why;
  GtkWidget *tune;
  GtkWidget *compare_place;     /* where they go */
  GtkWidget *graph_place;
  GtkWidget *why_place;
  GtkWidget *tune_place;
  guint      prepare;           /* timer that makes them when nobody waits, or 0 */
  GtkWidget *left;
  GtkWidget *right;
  GtkWidget *left_place;
  GtkWidget *right_place;
};

/* panes.c */

/* Whether they lie over the page instead of beside it. */
gboolean ls_window_history_floats   (LsWindow     *self);
gboolean ls_window_moves_float      (LsWindow     *self);
/* Shows or hides them, as is wished for this page and size. */
void     ls_window_panes_show       (LsWindow     *self);
/* Of the overlay: where a pane's revealer lies. */
gboolean ls_window_panes_position   (LsWindow     *self,
                                     GtkWidget    *child,
                                     GdkRectangle *place);
/* The loops get the keyboard, once they are on the screen. */
void     ls_window_panes_focus      (LsWindow     *self);
/* Another page is in front. */
void     ls_window_panes_page_shown (LsWindow     *self);
/* The window gets this size. */
void     ls_window_panes_allocate   (LsWindow     *self,
                                     int           width,
                                     int           height);
void     ls_window_panes_place_first (LsWindow    *self);

/* header.c */

/* Fills the title bar; once. */
void ls_window_header_init   (LsWindow *self);
/* Whether there are tabs where they have room, and a list where not; makes it so, not while sizes are given out.  A squeezer by itself keeps
 * the room of the tabs for the list too, which the name of the document can use. */
gboolean ls_window_header_fits (LsWindow *self);
void ls_window_header_fit    (LsWindow *self);
/* Tabs and list of pages know the stack no more: held beyond it, GTK's would read it.  Again does nothing. */
void ls_window_header_forget (LsWindow *self);
/* Name and state of the document. */
void ls_window_header_update (LsWindow *self);
/* The mark beside the name, and what it says; NULL: none. */
void ls_window_header_set_fast (LsWindow *self, const char *words);

/* say.c */

/* Whether a message is there, or to come. */
gboolean ls_window_says             (LsWindow *self);
/* The window goes. */
void     ls_window_say_nothing_more (LsWindow *self);

/* state.c */

/* As the last window was when it closed. */
void ls_window_state_restore (LsWindow *self);
void ls_window_state_keep    (LsWindow *self);

/* pages.c */

/* The pages; they are made here. */
LsCompareView *ls_window_need_compare  (LsWindow   *self);
LsGraphView   *ls_window_need_graph    (LsWindow   *self);
LsWhyView     *ls_window_need_why      (LsWindow   *self);
/* Makes the page that is in front, when it is not there yet. */
void           ls_window_need_page     (LsWindow   *self);
/* Makes them a while after the first key or move of the pointer, one in a turn. */
void           ls_window_prepare_pages (LsWindow   *self);
/* Tells them whether there is room beside each other. */
void           ls_window_place_pages   (LsWindow   *self);
/* F6 among the panes of the Graph page. */
void           ls_window_cycle_graph   (LsWindow   *self,
                                        int         direction);
gboolean       ls_window_shows_page    (LsWindow   *self,
                                        const char *page);

G_END_DECLS
