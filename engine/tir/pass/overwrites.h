/* overwrites: stores that make no difference, found by going through a program element by element; see overwrites.c.  Private to passes. */
#pragma once

#include "engine/tir/tir.h"

G_BEGIN_DECLS

typedef struct {
  GHashTable *dead;             /* LsBufferStores whose elements are always written again before they are read */
  GHashTable *redundant;        /* LsBufferStores that always write what the element holds */
} LsOverwrites;

/* Goes through a body.  Sets are empty where the program is too large or not known enough; buffers are read after its end. */
LsOverwrites *ls_overwrites_new  (LsStmt       *body);
void          ls_overwrites_free (LsOverwrites *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsOverwrites, ls_overwrites_free)

G_END_DECLS
