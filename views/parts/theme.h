/* parts/theme: the style sheets of the program, light or dark, and the text size.
 *
 * Follows the desktop (parts/desktop) unless a scheme is chosen.  One theme for the process.
 */
#pragma once

#include "views/parts/desktop.h"

G_BEGIN_DECLS

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
/* Percent, at least 100: how large letters are against those that the sizes in pixels were drawn for: the text size, the desktop's
 * text scale and its font together.  Whoever lays out in pixels asks for it. */
int      ls_theme_get_scale     (void);
/* A length of the design, in pixels, as it is with these letters. */
int      ls_theme_grow          (int         pixels);
/* The same with the letters of a widget, which are larger on a slide than elsewhere. */
int      ls_theme_grow_in       (GtkWidget  *widget,
                                 int         pixels);
/* Registers resources and search paths; call before any view is made. Also works
 * without a display. */
void     ls_views_init          (void);

G_END_DECLS
