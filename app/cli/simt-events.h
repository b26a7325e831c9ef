/* cli/simt-events: what the warps of one block do, access by access, and pictures of it. */
#pragma once

#include "app/cli/input.h"

/* One line for each event in the answer of the worker's method simt. */
void ls_cli_put_events  (GVariant   *answer,
                         guint       kernel,
                         gint64      block);

/* Which picture: of an event, a finding or a layout, counted from 1. */
typedef struct {
  const char *path;             /* .svg, .png or .pdf */
  gint64      event, finding, layout;   /* 0: not this one; all 0: the first finding if there is one, else the first event */
  gboolean    dark;
} LsCliThreadsPicture;

/* Writes it. Returns: the command's status. */
int  ls_cli_draw_threads (const char                *command,
                          GVariant                  *answer,
                          const LsCliThreadsPicture *picture,
                          guint                      kernel,
                          gint64                     block);
