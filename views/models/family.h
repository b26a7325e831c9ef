/* family: lineage as the views show it.
 *
 * A family is numbered in order of first appearance in the base module and
 * shown by a letter a to g, then a′ to g′.  A fused loop has several.  The
 * letter always accompanies the colour.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LS_FAMILIES_MAX 4

/* LsFamilies: a short ordered list, by value. `n` counts all, also those that
 * do not fit. */
typedef struct {
  guint8  n;
  guint16 family[LS_FAMILIES_MAX];
} LsFamilies;

#define LS_FAMILIES_NONE ((LsFamilies) { 0 })

LsFamilies ls_families_one      (guint              family);
void       ls_families_add      (LsFamilies        *families,
                                 guint              family);
gboolean   ls_families_contains (const LsFamilies  *families,
                                 guint              family);
gboolean   ls_families_equal    (const LsFamilies  *a,
                                 const LsFamilies  *b);
guint      ls_families_shown    (const LsFamilies  *families);

/* "family c", "families a and b"; NULL when there is none. (transfer full) */
char      *ls_families_describe (const LsFamilies  *families);

G_END_DECLS
