/* parts/desktop: what the desktop wants of every program: dark or light, more contrast, how large letters are.
 *
 * A program that has called adw_init() hears it from AdwStyleManager, which asks the settings portal and GSettings.  One that has not
 * (libloopscope in somebody else's window) has GtkSettings alone, and keeps the style that it has.  Old desktops say all of it by the
 * name of a theme, as GTK_THEME does: "Adwaita:dark", "HighContrastInverse", "Yaru-dark".
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The letters that the look was drawn for. */
#define LS_DESIGN_POINTS 11
#define LS_DESIGN_DPI 96

typedef enum {
  LS_SCHEME_SYSTEM,
  LS_SCHEME_LIGHT,
  LS_SCHEME_DARK,
} LsScheme;

typedef struct {
  gboolean dark;
  gboolean contrast;
  int      letters;             /* percent of those that the look was drawn for: 11 points at 96 dots an inch */
} LsDesktop;

/* Begins to follow it; `changed` is told of everything.  Once, before any window. */
void             ls_desktop_follow (void    (*changed) (void));
/* As it is now. Borrowed. */
const LsDesktop *ls_desktop_get    (void);
/* What GTK's own widgets are drawn in; it may be other than what the desktop wants. */
void             ls_desktop_ask    (LsScheme  scheme);

G_END_DECLS
