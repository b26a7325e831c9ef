/* base/plural: sentences that count, in the language of the user; the others are in base.h (ls_translate).
 *
 * A header of its own: few files count, and all of the engine includes base.h.
 */
#pragma once

#include <glib.h>

/* Which of the forms of a sentence the user's language has for `n`. The result lives on. */
typedef const char *(*LsTranslatePluralFunc) (const char *one,
                                              const char *many,
                                              gulong      n);

/* How they are translated from now on, NULL: not at all. Call it before other threads start. */
void        ls_set_plural_translator (LsTranslatePluralFunc  translate);
/* The sentence for `n` things: `one` for 1, `many` otherwise, or what the user's language has for them. Both take the same
 * arguments.  What takes a template (ls_move_refuse) takes this one too. Borrowed. */
const char *ls_translate_plural      (const char            *one,
                                      const char            *many,
                                      gulong                 n) G_GNUC_FORMAT (1) G_GNUC_FORMAT (2);
