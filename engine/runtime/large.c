/* large: memory for arrays and scratch buffers.
 *
 * A buffer of megabytes that is walked in tiles touches a new page every few accesses; with pages of 4 KiB the
 * processor's table of translations does not hold them all.  From one large page on, memory therefore starts at a
 * multiple of it, and the system is asked to use large pages for what they fill.  It may decline; nothing else changes.
 */
#include "engine/runtime/runtime-private.h"

#include <stdlib.h>
#include <sys/mman.h>

#define ALIGN ((gsize) 64)
#define LARGE_PAGE ((gsize) 2 << 20)

void
ls_memory_advise (void  *memory,
                  gsize  size)
{
#ifdef MADV_HUGEPAGE
  gsize start = ((gsize) memory + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
  gsize end = ((gsize) memory + size) / LARGE_PAGE * LARGE_PAGE;

  if (end > start)
    madvise ((void *) start, end - start, MADV_HUGEPAGE);
#endif
}

void *
ls_memory_alloc (gsize size)
{
  gsize align = size >= LARGE_PAGE ? LARGE_PAGE : ALIGN;
  void *memory;

  if (size > G_MAXSIZE / 2 || posix_memalign (&memory, align, (MAX (size, 1) + ALIGN - 1) / ALIGN * ALIGN) != 0)
    return NULL;
  if (align == LARGE_PAGE)
    ls_memory_advise (memory, size);
  return memory;
}
