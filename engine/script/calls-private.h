/* calls, private: the list of steps and the reader that makes it. */
#pragma once

#include "engine/script/script-private.h"

G_BEGIN_DECLS

struct _LsCallList {
  gatomicrefcount refs;
  LsSource       *source;
  LsArena         arena;        /* syntax, steps, values */
  GPtrArray      *steps;        /* of LsCallStep */
  GPtrArray      *arrays;       /* of GArray: outputs */
  GPtrArray      *lists;        /* of GPtrArray: arguments, items */
  GHashTable     *constants;    /* name -> LsCallValue, as the text left them: what lambdas see */
};

typedef struct {
  LsCallList    *list;
  LsDiagnostics *diagnostics;
  const char    *text;
  GArray        *tokens;
  GHashTable    *values;        /* constants and parameters: name -> LsCallValue */
  GHashTable    *modules;       /* imported names */
  GHashTable    *defs;          /* name -> LsSyn */
  guint          depth;
  gboolean       full;
} LsCallReader;

/* A list that the call list owns. */
GPtrArray   *ls_call_list_new_list  (LsCallList        *list);
LsCallValue *ls_call_reader_value   (LsCallReader      *r,
                                     LsSyn             *syn);
/* The values that a loop over `value` sees: items of a list, numbers of range (...); NULL when not known. */
GPtrArray   *ls_call_reader_iterate (LsCallReader      *r,
                                     const LsCallValue *value);

G_END_DECLS
