/* cell: small pieces of memory that are used again.
 *
 * Nodes and sets of the compiler are made and dropped by the thousand.  Each thread keeps what it drops in lists by
 * size (multiples of 16 bytes) and hands it out again; a list keeps a bounded number of pieces, and a thread that ends
 * gives all of its own back.  A piece may be dropped by another thread than the one that asked for it.
 * Under a sanitizer every piece comes from malloc, so that misuse is seen.
 */
#include "engine/base/base.h"

#include <string.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define RECYCLE 0
#elif defined(__has_feature)
#if __has_feature (address_sanitizer) || __has_feature (thread_sanitizer) || __has_feature (memory_sanitizer)
#define RECYCLE 0
#endif
#endif
#ifndef RECYCLE
#define RECYCLE 1
#endif

#if RECYCLE

#define GRAIN 16u
#define N_LISTS 17u             /* up to 256 bytes */
#define MAX_KEPT 2048u          /* pieces of one size */

typedef struct _Cell Cell;
struct _Cell {
  Cell *next;
};

typedef struct {
  Cell *first;
  guint n;
} CellList;

static __thread CellList lists[N_LISTS];
static __thread gboolean known;

static void
give_back (gpointer mark)
{
  for (guint i = 0; i < N_LISTS; i++)
    while (lists[i].first != NULL)
      {
        Cell *cell = lists[i].first;

        lists[i].first = cell->next;
        g_free (cell);
      }
  memset (lists, 0, sizeof lists);
  known = FALSE;
}

static GPrivate ending = G_PRIVATE_INIT (give_back);

static inline guint
list_of (gsize size)
{
  return (guint) ((size + GRAIN - 1) / GRAIN);
}

gpointer
ls_cell_alloc (gsize size)
{
  guint i = list_of (size);
  Cell *cell;

  if (G_UNLIKELY (i >= N_LISTS))
    return g_malloc (size);
  cell = lists[i].first;
  if (G_UNLIKELY (cell == NULL))
    return g_malloc (i * GRAIN);
  lists[i].first = cell->next;
  lists[i].n--;
  return cell;
}

void
ls_cell_free (gpointer piece,
              gsize    size)
{
  guint i = list_of (size);
  Cell *cell = piece;

  if (piece == NULL)
    return;
  if (G_UNLIKELY (i == 0 || i >= N_LISTS || lists[i].n >= MAX_KEPT))
    {
      g_free (piece);
      return;
    }
  if (G_UNLIKELY (!known))
    {
      known = TRUE;
      g_private_set (&ending, &known);
    }
  cell->next = lists[i].first;
  lists[i].first = cell;
  lists[i].n++;
}

#else

gpointer
ls_cell_alloc (gsize size)
{
  return g_malloc (size);
}

void
ls_cell_free (gpointer piece,
              gsize    size)
{
  g_free (piece);
}

#endif

gpointer
ls_cell_alloc0 (gsize size)
{
  return memset (ls_cell_alloc (size), 0, size);
}
