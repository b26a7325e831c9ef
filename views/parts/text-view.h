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
GtkWidget *ls_text_view_new (GtkSourceBuffer *buffer);

G_END_DECLS
