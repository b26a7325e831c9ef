/* LsScriptText: one printed module with its source map, as the text pane needs
 * it.  Immutable once built.
 *
 * Spans are uses of loop variables: character offsets into the text, the id of
 * the loop (as in LsLoopItem) and its families.  A line knows the loops that it
 * opens, the step that made it, and what happened to it against the text of the
 * step before.
 */
#pragma once

#include <gio/gio.h>

#include "views/models/family.h"
#include "views/models/pin.h"

G_BEGIN_DECLS

typedef enum {
  LS_LINE_SAME,
  LS_LINE_NEW,                  /* + : only in the later text */
  LS_LINE_GONE,                 /* − : only in the earlier text */
  LS_LINE_MOVED,                /* → : same line, other depth */
} LsLineChange;

typedef struct {
  guint      start;             /* characters from the start of the text */
  guint      end;
  guint64    id;
  LsFamilies families;
} LsScriptSpan;

typedef struct {
  LsFamilies   families;        /* chips in the gutter */
  guint64      id;              /* loop or block that the line opens, 0: none */
  guint        step;            /* step tag; 0: none */
  LsLineChange change;
  guint        gap;             /* empty rows to leave after this line */
  guint        gap_before;      /* the same before it; used on the first line */
  guint32      source;          /* number of the text that its statement was read from, and where it begins there; 0: unknown */
  guint32      source_byte;
  gboolean     here;            /* a lesson speaks of it: it looks selected and its gutter says so */
} LsScriptLine;

/* A word that differs from the one in the paired line of the other text: characters from the start of the text. */
typedef struct {
  guint start;
  guint end;
} LsScriptWord;

/* What a name stands for: words for a card, and where it gets its name (characters; G_MAXUINT: nowhere). */
typedef struct {
  char    *words;
  guint    start;
  guint    end;
  gpointer node;                /* what the words are made of */
} LsScriptThing;

/* Words for `node`, which the text calls `name`. (transfer full) */
typedef char *(*LsScriptNamer) (gpointer    node,
                                const char *name,
                                gpointer    data);

/* Each place of a name, in order. */
typedef struct {
  guint start;
  guint end;
  guint thing;
} LsScriptMention;

/* A place that has pins: characters from the start of the text. */
typedef struct {
  guint  start;
  guint  end;
  guint8 pins;
} LsScriptPin;

/* LsScriptNote: a finding at a place. line and column count from 1. */
typedef struct {
  guint line;
  guint column;
  char *message;
  char *code;
  char *repair;                 /* the way out, or NULL */
  char *fix;                    /* the same as what is to stand there, or NULL, */
  guint fix_start;              /* in the place of these characters */
  guint fix_end;
} LsScriptNote;

#define LS_TYPE_SCRIPT_TEXT (ls_script_text_get_type ())
G_DECLARE_FINAL_TYPE (LsScriptText, ls_script_text, LS, SCRIPT_TEXT, GObject)

LsScriptText       *ls_script_text_new       (const char          *text);
const char         *ls_script_text_get_text  (LsScriptText        *self);
/* It is not TVMScript: its words have no looks. */
void                ls_script_text_set_plain (LsScriptText        *self,
                                              gboolean             plain);
gboolean            ls_script_text_is_plain  (LsScriptText        *self);

void                ls_script_text_add_span  (LsScriptText        *self,
                                              const LsScriptSpan  *span);
void                ls_script_text_add_note  (LsScriptText        *self,
                                              guint                line,
                                              guint                column,
                                              const char          *code,
                                              const char          *message);
/* The way out of the note that was added last; `fix` may be NULL, start and end are bytes of the text. */
void                ls_script_text_add_repair (LsScriptText       *self,
                                              const char          *repair,
                                              gsize                start,
                                              gsize                end,
                                              const char          *fix);
void                ls_script_text_add_word  (LsScriptText        *self,
                                              guint                start,
                                              guint                end);
guint               ls_script_text_n_words   (LsScriptText        *self);
const LsScriptWord *ls_script_text_get_word  (LsScriptText        *self,
                                              guint                i);
/* Who makes the words of things when they are asked for: most never are.  `data` keeps the nodes of things alive. */
void                ls_script_text_set_namer (LsScriptText        *self,
                                              LsScriptNamer        namer,
                                              gpointer             data,
                                              GDestroyNotify       destroy);
/* Returns its number. */
guint               ls_script_text_add_thing (LsScriptText        *self,
                                              gpointer             node);
/* Names come in the order of the text; a defining one says where the thing has its name. */
void                ls_script_text_add_name  (LsScriptText        *self,
                                              guint                start,
                                              guint                end,
                                              guint                thing,
                                              gboolean             defines);
/* The name at character `offset`, and the thing that it stands for; NULL: none. */
const LsScriptMention *ls_script_text_name_at   (LsScriptText        *self,
                                              guint                offset);
const LsScriptThing *ls_script_text_get_thing (LsScriptText       *self,
                                              guint                i);
/* The n-th thing (from 1) that gets its name in the text and has this one, in the order they were added; the last one where
 * there are fewer, NULL where there is none. */
const LsScriptThing *ls_script_text_find_thing (LsScriptText      *self,
                                              const char          *name,
                                              guint                n);
guint               ls_script_text_n_things  (LsScriptText        *self);
/* The same as ls_script_text_get_thing() without its words, which cost something to make. */
const LsScriptThing *ls_script_text_peek_thing (LsScriptText      *self,
                                              guint                i);
guint               ls_script_text_n_names   (LsScriptText        *self);
const LsScriptMention *ls_script_text_get_name (LsScriptText      *self,
                                              guint                i);
/* The places that have pins, in the order of the text once they are sorted; the views ask for them whenever they draw. */
void                ls_script_text_clear_pins (LsScriptText       *self);
void                ls_script_text_add_pin   (LsScriptText        *self,
                                              guint                start,
                                              guint                end,
                                              guint8               pins);
/* Brings them in order; what was added twice becomes one with both sets. */
void                ls_script_text_sort_pins (LsScriptText        *self);
guint               ls_script_text_n_pins    (LsScriptText        *self);
const LsScriptPin  *ls_script_text_get_pin   (LsScriptText        *self,
                                              guint                i);
/* The first one that ends behind `offset`: ls_script_text_n_pins() when there is none. */
guint               ls_script_text_find_pin  (LsScriptText        *self,
                                              guint                offset);
/* The pins of the place at character `offset`; 0: none. */
guint8              ls_script_text_pins_at   (LsScriptText        *self,
                                              guint                offset);
guint               ls_script_text_n_spans   (LsScriptText        *self);
const LsScriptSpan *ls_script_text_get_span  (LsScriptText        *self,
                                              guint                i);
guint               ls_script_text_n_notes   (LsScriptText        *self);
const LsScriptNote *ls_script_text_get_note  (LsScriptText        *self,
                                              guint                i);
guint               ls_script_text_n_lines   (LsScriptText        *self);
/* Line `i` counts from 0; writable while the text is being built. */
LsScriptLine       *ls_script_text_line      (LsScriptText        *self,
                                              guint                i);
/* The innermost span at character `offset`, or NULL. */
const LsScriptSpan *ls_script_text_span_at   (LsScriptText        *self,
                                              guint                offset);

/* Marks the lines of both texts (new, gone, moved) and the gaps that bring equal
 * lines to the same height.  Longest common subsequence over lines without their
 * indentation; above LS_SCRIPT_COMPARE_MAX changed lines only common head and tail. */
#define LS_SCRIPT_COMPARE_MAX 3000
void                ls_script_text_compare   (LsScriptText        *before,
                                              LsScriptText        *after);
/* The last part of it: marks the words that differ in lines that went and came in the same place. */
void                ls_script_text_mark_words (LsScriptText       *before,
                                               LsScriptText       *after);

G_END_DECLS
