/* threads/window-private: what window.c (list, clock, widgets) and asking.c (the worker) share. */
#pragma once

#include "app/rpc/rpc.h"
#include "views/threads/layout.h"
#include "views/threads/model.h"
#include "views/models/session.h"
#include "views/threads/picture.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct _Window Window;

struct _Window {
  GtkWidget    *window;         /* owns this */
  GtkWidget    *sentence;
  GtkWidget    *list;
  GtkWidget    *picture;
  GtkWidget    *words;
  GtkWidget    *block;          /* spin button */
  GtkWidget    *kernel_box, *kernel;    /* spin button with its word, seen where there are several */
  GtkWidget    *fast, *fast_words;
  GtkWidget    *play, *slider, *save;
  LsSession    *session;
  LsScriptText *text;
  LsWorker     *worker;
  GCancellable *asking;         /* or NULL */
  LsThreads    *threads;        /* or NULL */
  GArray       *layouts;        /* of LsThreadsLayout, or NULL */
  int           layout;         /* the one that the clock goes through, lane by lane; -1: none */
  GArray       *shown;          /* of guint: numbers of the events that the clock goes through */
  gint64        wanted_block;
  guint         wanted_kernel;
  guint         at;
  guint         timer;          /* that plays, or 0 */
  gboolean      filling;        /* list, slider and block are being set */
  /* window.c: the clock stands still; the list is emptied; it is filled with what the run found. */
  void        (*pause) (Window *self), (*clear) (Window *self), (*fill) (Window *self);
};

/* asking.c: runs the kernel of the shown step, or runs it as loops that are compiled; forgets the answer that is on its way. */
void threads_ask        (Window *self);
void threads_run_fast   (Window *self);
void threads_stop       (Window *self);

G_END_DECLS
