/* LsTextView: a source view whose lines may get their heights while sizes are given out. */
#pragma once

#include <gtksourceview/gtksource.h>

G_BEGIN_DECLS

#define LS_TYPE_TEXT_VIEW (ls_text_view_get_type ())
G_DECLARE_DERIVABLE_TYPE (LsTextView, ls_text_view, LS, TEXT_VIEW, GtkSourceView)

struct _LsTextViewClass
{
  GtkSourceViewClass parent_class;
};

/* (transfer none, floating): shows the buffer, to which it keeps a reference. */
GtkWidget *ls_text_view_new    (GtkSourceBuffer *buffer);
/* Scrolls `to` to where `from` is; for handlers of a scroll that two texts share.  At once, or, while `from` is given its size, when that
 * layout has ended: `to` may have had its own by then, and what it asks for would be lost.  What `to` tells of it is not followed back. */
void       ls_text_view_follow (LsTextView      *to,
                                LsTextView      *from);

G_END_DECLS
