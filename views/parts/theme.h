/* parts/theme: the style sheets of the program, light or dark, and the text size.
 *
 * Follows the desktop's setting (the settings portal, else GtkSettings) unless a
 * scheme is chosen.  One theme for the process.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef enum {
  LS_SCHEME_SYSTEM,
  LS_SCHEME_LIGHT,
  LS_SCHEME_DARK,
} LsScheme;

#define LS_TEXT_SIZE_MIN 80
#define LS_TEXT_SIZE_MAX 250

/* Installs the style sheets for `display`; once. */
void     ls_theme_install       (GdkDisplay *display);
void     ls_theme_set_scheme    (LsScheme    scheme);
LsScheme ls_theme_get_scheme    (void);
gboolean ls_theme_is_dark       (void);
/* Stronger lines and text, over either scheme: when it is wished for, or when the desktop asks for it. */
void     ls_theme_set_contrast  (gboolean    wanted);
gboolean ls_theme_get_contrast  (void);
/* Whether it is so now. */
gboolean ls_theme_is_contrast   (void);
/* Percent of the system's size, kept between the limits. */
void     ls_theme_set_text_size (int         percent);
int      ls_theme_get_text_size (void);
/* Registers resources and search paths; call before any view is made. Also works
 * without a display. */
void     ls_views_init          (void);

G_END_DECLS
