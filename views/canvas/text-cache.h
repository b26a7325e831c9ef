/* text-cache: laid out words that are drawn again and again.
 *
 * A gutter, a step bar or a canvas sets the same few numbers and names in every frame; shaping them costs more than all else that
 * is done to draw them.  A PangoContext that is told so once keeps what ls_draw_text() laid out with it; whatever changes the
 * context (font, size, language, resolution) empties it.
 */
#pragma once

#include "views/canvas/draw.h"

G_BEGIN_DECLS

/* From now on texts that are drawn with `pango` are kept, up to some thousands.  May be called again. */
void         ls_text_cache_add (PangoContext *pango);

/* `text` as ls_draw_layout() sets it; kept when the context is one that keeps.  Not to be changed. (transfer full) */
PangoLayout *ls_text_cache_get (PangoContext *pango,
                                const LsFont *font,
                                const char   *text);

G_END_DECLS
