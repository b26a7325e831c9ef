/* save: the state of a run, kept and brought back.
 *
 * Frames, variables and views are copied; memory is cut into pages that are counted, and a page that did not change since the state
 * before is the same one in both.  Pointers stay right because memory that is kept has the same address again (memory.c).
 */
#include "engine/interp/run.h"

#include "engine/interp/interp-private.h"

#include <string.h>

#define PAGE_BYTES 4096u

typedef struct {
  guint  refs;
  guint  n;                     /* bytes */
  guint8 bytes[];
} Page;

/* One block of memory, its bytes and its marks. */
typedef struct {
  LsBlockOfMemory block;
  gsize           n_data;       /* pages of data; those of marks follow */
  gsize           n_pages;
  Page          **pages;
} Kept;

struct _LsSaved {
  LsRun   *run;
  gsize    own_bytes;           /* without pages */
  guint64  clock;
  LsAct   *next;
  gboolean stop_wanted;
  GArray  *frames;              /* of LsFrame */
  GArray  *activations;         /* of LsActivation, with copies of vars and views */
  GArray  *memory;              /* of Kept */
};

static gsize
marks_bytes (const LsBlockOfMemory *block)
{
  return block->written != NULL ? block->bytes / 8 + 1 : 0;
}

static gsize
pages_of (gsize bytes)
{
  return (bytes + PAGE_BYTES - 1) / PAGE_BYTES;
}

static guint8 *
page_at (const Kept *kept,
         gsize       i,
         gsize      *n)
{
  gboolean is_data = i < kept->n_data;
  gsize at = (is_data ? i : i - kept->n_data) * PAGE_BYTES;

  *n = MIN (PAGE_BYTES, (is_data ? kept->block.bytes : marks_bytes (&kept->block)) - at);
  return (is_data ? kept->block.data : kept->block.written) + at;
}

static void
kept_free (LsRun *run,
           Kept  *self)
{
  for (gsize i = 0; i < self->n_pages; i++)
    if (--self->pages[i]->refs == 0)
      {
        run->saved_bytes -= sizeof (Page) + self->pages[i]->n;
        g_free (self->pages[i]);
      }
  g_free (self->pages);
}

static void
activation_clear (gpointer data)
{
  g_free (((LsActivation *) data)->vars);
  g_free (((LsActivation *) data)->views);
}

static const Kept *
find_like (LsSaved               *like,
           const LsBlockOfMemory *block)
{
  for (guint i = 0; like != NULL && i < like->memory->len; i++)
    {
      const Kept *kept = &g_array_index (like->memory, Kept, i);

      if (kept->block.data == block->data && kept->block.bytes == block->bytes && kept->block.written == block->written)
        return kept;
    }
  return NULL;
}

static void
keep_block (LsSaved               *self,
            const LsBlockOfMemory *block,
            LsSaved               *like)
{
  Kept kept = { .block = *block, .n_data = pages_of (block->bytes) };
  const Kept *before = find_like (like, block);

  kept.n_pages = kept.n_data + pages_of (marks_bytes (block));
  kept.pages = g_new (Page *, kept.n_pages + 1);
  for (gsize i = 0; i < kept.n_pages; i++)
    {
      gsize n;
      const guint8 *bytes = page_at (&kept, i, &n);

      if (before != NULL && memcmp (before->pages[i]->bytes, bytes, n) == 0)
        {
          kept.pages[i] = before->pages[i];
          kept.pages[i]->refs++;
          continue;
        }
      kept.pages[i] = g_malloc (sizeof (Page) + n);
      kept.pages[i]->refs = 1;
      kept.pages[i]->n = (guint) n;
      self->run->saved_bytes += sizeof (Page) + n;
      memcpy (kept.pages[i]->bytes, bytes, n);
    }
  self->own_bytes += sizeof kept + sizeof (Page *) * (kept.n_pages + 1);
  g_array_append_val (self->memory, kept);
}

static LsActivation
copy_activation (const LsActivation *from)
{
  return (LsActivation) { from->program, g_memdup2 (from->vars, sizeof (LsScalar) * (from->program->n_slots + 1)),
                          g_memdup2 (from->views, sizeof (LsView) * (from->program->n_views + 1)), from->frame };
}

LsSaved *
ls_run_save (LsRun   *run,
             LsSaved *like)
{
  LsSaved *self = g_new0 (LsSaved, 1);

  self->run = run;
  self->own_bytes = sizeof *self + sizeof (LsFrame) * run->n_frames;
  self->clock = run->clock;
  self->next = run->next;
  self->stop_wanted = run->stop_wanted;
  self->frames = g_array_sized_new (FALSE, FALSE, sizeof (LsFrame), run->n_frames);
  if (run->n_frames > 0)
    g_array_append_vals (self->frames, run->frames, run->n_frames);
  self->activations = g_array_new (FALSE, FALSE, sizeof (LsActivation));
  g_array_set_clear_func (self->activations, activation_clear);
  for (guint i = 0; i < run->activations->len; i++)
    {
      LsActivation copy = copy_activation (&g_array_index (run->activations, LsActivation, i));

      self->own_bytes += sizeof (LsScalar) * (copy.program->n_slots + 1) + sizeof (LsView) * (copy.program->n_views + 1);
      g_array_append_val (self->activations, copy);
    }
  self->memory = g_array_new (FALSE, FALSE, sizeof (Kept));
  for (guint i = 0; i < run->memory->len; i++)
    keep_block (self, &g_array_index (run->memory, LsBlockOfMemory, i), like);
  run->saved_bytes += self->own_bytes;
  return self;
}

void
ls_run_restore (LsRun   *run,
                LsSaved *saved)
{
  ls_machine_unwind (run);
  g_array_set_size (run->memory, 0);
  for (guint i = 0; i < saved->memory->len; i++)
    {
      const Kept *kept = &g_array_index (saved->memory, Kept, i);

      g_array_append_val (run->memory, kept->block);
      for (gsize k = 0; k < kept->n_pages; k++)
        {
          gsize n;
          guint8 *bytes = page_at (kept, k, &n);

          memcpy (bytes, kept->pages[k]->bytes, n);
        }
    }
  for (guint i = 0; i < saved->activations->len; i++)
    {
      LsActivation copy = copy_activation (&g_array_index (saved->activations, LsActivation, i));

      g_array_append_val (run->activations, copy);
      run->program = copy.program;
      run->vars = copy.vars;
      run->views = copy.views;
    }
  for (guint i = 0; i < saved->frames->len; i++)
    {
      ls_machine_push (run, NULL);
      run->frames[i] = g_array_index (saved->frames, LsFrame, i);
    }
  run->clock = saved->clock;
  run->next = saved->next;
  run->stop_wanted = saved->stop_wanted;
  run->failed = run->is_aborted = run->returned = FALSE;
  run->atomic = 0;
  g_clear_error (&run->error);
}

guint64
ls_saved_get_clock (LsSaved *self)
{
  return self->clock;
}

gsize
ls_run_saved_bytes (LsRun *self)
{
  return self->saved_bytes;
}

gsize
ls_run_bytes (LsRun *self)
{
  gsize bytes = 0;

  for (guint i = 0; i < self->memory->len; i++)
    {
      const LsBlockOfMemory *block = &g_array_index (self->memory, LsBlockOfMemory, i);

      bytes += block->bytes + marks_bytes (block);
    }
  return bytes;
}

void
ls_saved_free (LsSaved *self)
{
  if (self == NULL)
    return;
  self->run->saved_bytes -= self->own_bytes;
  for (guint i = 0; i < self->memory->len; i++)
    kept_free (self->run, &g_array_index (self->memory, Kept, i));
  g_array_unref (self->frames);
  g_array_unref (self->activations);
  g_array_unref (self->memory);
  g_free (self);
}
