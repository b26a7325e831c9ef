/* look: the colour tokens as drawing code sees them.
 *
 * One X-macro names every token; data/light.css and data/dark.css define them.
 * A widget asks with ls_look_from_widget(), which goes through its style
 * context, so that a user's or a high-contrast style sheet wins.  The exporter,
 * which has no display, asks with ls_look_load(), which reads the same two
 * files out of the resource.  No other place in C knows a colour.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_LOOK_TOKENS(X)                                                     \
  X (VIEW, "ls_view")                                                         \
  X (WINDOW, "ls_window")                                                     \
  X (HEADER, "ls_header")                                                     \
  X (BORDER, "ls_border")                                                     \
  X (BORDER_SOFT, "ls_border_soft")                                           \
  X (HOVER, "ls_hover")                                                       \
  X (SELECTED, "ls_selected")                                                 \
  X (TEXT, "ls_text")                                                         \
  X (DIM, "ls_dim")                                                           \
  X (NEUTRAL, "ls_neutral")                                                   \
  X (ACCENT, "ls_accent")                                                     \
  X (ACCENT_FILL, "ls_accent_fill")                                           \
  X (ACCENT_TEXT, "ls_accent_text")                                           \
  X (ERROR, "ls_error")                                                       \
  X (ERROR_BG, "ls_error_bg")                                                 \
  X (WARN, "ls_warn")                                                         \
  X (WARN_BG, "ls_warn_bg")                                                   \
  X (OK, "ls_ok")                                                             \
  X (CHIP_TEXT, "ls_chip_text")                                               \
  X (FAMILY_A, "ls_family_a")                                                 \
  X (FAMILY_B, "ls_family_b")                                                 \
  X (FAMILY_C, "ls_family_c")                                                 \
  X (FAMILY_D, "ls_family_d")                                                 \
  X (FAMILY_E, "ls_family_e")                                                 \
  X (FAMILY_F, "ls_family_f")                                                 \
  X (FAMILY_G, "ls_family_g")                                                 \
  X (PIN_A, "ls_pin_a")                                                       \
  X (PIN_B, "ls_pin_b")                                                       \
  X (PIN_C, "ls_pin_c")                                                       \
  X (PIN_D, "ls_pin_d")                                                       \
  X (PIN_E, "ls_pin_e")                                                       \
  X (PIN_F, "ls_pin_f")                                                       \
  X (PIN_G, "ls_pin_g")

typedef enum {
#define LS_LOOK_ENUM(id, name) LS_LOOK_##id,
  LS_LOOK_TOKENS (LS_LOOK_ENUM)
#undef LS_LOOK_ENUM
} LsLookToken;

#define LS_LOOK_N_TOKENS (LS_LOOK_PIN_G + 1)
#define LS_LOOK_RESOURCE "/org/loopscope/"

typedef struct {
  GdkRGBA  colors[LS_LOOK_N_TOKENS];
  gboolean dark;
  gboolean contrast;            /* chips have outlines, ribbons are stronger */
  gboolean turned;              /* what is drawn is mirrored, from right to left: its texts are to be turned back (ls_look_turn) */
} LsLook;

/* The tokens as `widget`'s style context resolves them, copied into `look`.  All that ask in one frame get the same answer. */
void           ls_look_from_widget (GtkWidget   *widget,
                                    LsLook      *look);

/* Where the widget reads from right to left, mirrors what is drawn from now on until the snapshot is restored (it is saved here, in either
 * case), and says so in `look`. */
void           ls_look_turn        (LsLook      *look,
                                    GtkWidget   *widget,
                                    GtkSnapshot *snapshot);

/* To be called when the style sheets of the program change. */
void           ls_look_forget      (void);

/* The tokens of data/light.css or data/dark.css, without a display.
 * The answer lives as long as the process. */
const LsLook  *ls_look_load        (gboolean     dark);

/* Borrowed; valid as long as `look`. */
const GdkRGBA *ls_look_get         (const LsLook *look,
                                    LsLookToken   token);

/* The token with its opacity multiplied by `alpha`. */
GdkRGBA        ls_look_fade        (const LsLook *look,
                                    LsLookToken   token,
                                    double        alpha);

/* The colour of a lineage family; families beyond seven reuse the colours. */
const GdkRGBA *ls_look_family      (const LsLook *look,
                                    guint         family);

/* The colour of pin `slot`, from 0. */
const GdkRGBA *ls_look_pin         (const LsLook *look,
                                    guint         slot);

/* Colour for data bars: the text colour, light enough to read figures beside. */
GdkRGBA        ls_look_bar         (const LsLook *look);

const char    *ls_look_token_name  (LsLookToken   token);

G_END_DECLS
