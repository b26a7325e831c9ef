/* threads/model: see the header. */
#include "views/threads/model.h"

#include <glib/gi18n.h>
#include <string.h>

/* ---- reading -------------------------------------------------------------------------------- */

static guint64
number (GVariant   *dict,
        const char *key)
{
  g_autoptr (GVariant) value = g_variant_lookup_value (dict, key, NULL);

  if (value == NULL)
    return 0;
  return g_variant_is_of_type (value, G_VARIANT_TYPE_UINT64) ? g_variant_get_uint64 (value)
         : g_variant_is_of_type (value, G_VARIANT_TYPE_UINT32) ? g_variant_get_uint32 (value)
         : g_variant_is_of_type (value, G_VARIANT_TYPE_INT64) ? (guint64) g_variant_get_int64 (value) : 0;
}

static char *
text (GVariant   *dict,
      const char *key)
{
  const char *value = "";

  g_variant_lookup (dict, key, "&s", &value);
  return g_strdup (value);
}

static gboolean
truth (GVariant   *dict,
       const char *key)
{
  gboolean value = FALSE;

  g_variant_lookup (dict, key, "b", &value);
  return value;
}

static gboolean
numbers (GVariant   *dict,
         const char *key,
         gint64     *out,
         guint       n)
{
  g_autoptr (GVariant) value = g_variant_lookup_value (dict, key, G_VARIANT_TYPE ("ax"));
  gsize m = 0;
  const gint64 *from = value != NULL ? g_variant_get_fixed_array (value, &m, sizeof (gint64)) : NULL;

  for (guint i = 0; i < n; i++)
    out[i] = i < m ? from[i] : 0;
  return value != NULL;
}

typedef void (*Reader) (LsThreads *self, GVariant *dict);

static void
read_kernel (LsThreads *self,
             GVariant  *dict)
{
  LsThreadsKernel k = { .warps = number (dict, "warps"), .blocks = number (dict, "blocks"), .barriers = number (dict, "barriers"),
                        .branches = number (dict, "branches"), .divergent = number (dict, "divergent"), .instructions = number (dict, "instructions"),
                        .shared_bytes = (gint64) number (dict, "shared-bytes"), .resident_blocks = (guint) number (dict, "resident-blocks"),
                        .resident_warps = (guint) number (dict, "resident-warps"), .most_warps = (guint) number (dict, "most-warps"),
                        .registers = (guint) number (dict, "registers-estimate"), .lanes = (guint) number (dict, "lanes"),
                        .vector_registers = (guint) number (dict, "vector-registers"), .scalar_registers = (guint) number (dict, "scalar-registers") };
  const char *limit = "", *arch = "";

  if (g_variant_lookup (dict, "limited-by", "&s", &limit))
    k.limit = limit[0];
  if (g_variant_lookup (dict, "arch", "&s", &arch))
    g_strlcpy (k.arch, arch, sizeof k.arch);
  numbers (dict, "grid", k.grid, 3);
  numbers (dict, "block", k.block, 3);
  g_array_append_val (self->kernels, k);
}

static void
read_site (LsThreads *self,
           GVariant  *dict)
{
  LsThreadsSite s = { (guint) number (dict, "kernel"), (guint) number (dict, "line"), (guint) number (dict, "lane-bytes"), (guint) number (dict, "most-ways"),
                      text (dict, "buffer"), text (dict, "space"), text (dict, "loops"), truth (dict, "store"), number (dict, "requests"), number (dict, "bytes"),
                      number (dict, "sectors"), number (dict, "sectors-needed"), number (dict, "passes"), number (dict, "passes-needed") };

  g_array_append_val (self->sites, s);
}

static void
read_finding (LsThreads *self,
              GVariant  *dict)
{
  LsThreadsFinding f = { .kind = text (dict, "kind"), .text = text (dict, "text"), .site = (gint64) number (dict, "site"), .other_site = (gint64) number (dict, "other-site"),
                         .line = (guint) number (dict, "line"), .other_line = (guint) number (dict, "other-line"), .element = (gint64) number (dict, "element"),
                         .is_store = truth (dict, "store"), .other_is_store = truth (dict, "other-store") };

  numbers (dict, "thread", f.thread, 6);
  f.has_other = numbers (dict, "other-thread", f.other, 6);
  g_array_append_val (self->findings, f);
}

static void
each (LsThreads  *self,
      GVariant   *answer,
      const char *key,
      Reader      reader)
{
  g_autoptr (GVariant) list = g_variant_lookup_value (answer, key, G_VARIANT_TYPE ("aa{sv}"));

  for (gsize i = 0; list != NULL && i < g_variant_n_children (list); i++)
    {
      g_autoptr (GVariant) dict = g_variant_get_child_value (list, i);

      reader (self, dict);
    }
}

static void
read_events (LsThreads *self,
             GVariant  *answer)
{
  g_autoptr (GVariant) list = g_variant_lookup_value (answer, "events", G_VARIANT_TYPE ("a(uuuttuax)"));

  for (gsize i = 0; list != NULL && i < g_variant_n_children (list); i++)
    {
      LsThreadsEvent e = { 0 };
      g_autoptr (GVariant) offsets = NULL;
      guint kind;
      gsize n = 0;
      const gint64 *from;

      g_variant_get_child (list, i, "(uuuttu@ax)", &kind, &e.site, &e.warp, &e.mask, &e.live, &e.epoch, &offsets);
      from = g_variant_get_fixed_array (offsets, &n, sizeof (gint64));
      e.is_barrier = kind == 1;
      e.lanes = (guint) MIN (n, LS_THREADS_LANES);
      for (gsize k = 0; k < e.lanes; k++)
        e.offsets[k] = from[k];
      if (e.is_barrier || e.site < self->sites->len)
        g_array_append_val (self->events, e);
    }
}

static void
site_clear (gpointer data)
{
  LsThreadsSite *site = data;

  g_free (site->buffer);
  g_free (site->space);
  g_free (site->loops);
}

static void
finding_clear (gpointer data)
{
  g_free (((LsThreadsFinding *) data)->kind);
  g_free (((LsThreadsFinding *) data)->text);
}

LsThreads *
ls_threads_new (GVariant *answer,
                gint64    block,
                guint     kernel)
{
  LsThreads *self = g_new0 (LsThreads, 1);

  self->kernels = g_array_new (FALSE, TRUE, sizeof (LsThreadsKernel));
  self->sites = g_array_new (FALSE, TRUE, sizeof (LsThreadsSite));
  self->events = g_array_new (FALSE, TRUE, sizeof (LsThreadsEvent));
  self->findings = g_array_new (FALSE, TRUE, sizeof (LsThreadsFinding));
  g_array_set_clear_func (self->sites, site_clear);
  g_array_set_clear_func (self->findings, finding_clear);
  self->device = text (answer, "device");
  self->lanes = number (answer, "warp-size") > 32 ? LS_THREADS_LANES : 32;
  self->block = block;
  self->kernel = kernel;
  self->more = truth (answer, "more-events");
  each (self, answer, "kernels", read_kernel);
  each (self, answer, "sites", read_site);
  each (self, answer, "findings", read_finding);
  read_events (self, answer);
  return self;
}

void
ls_threads_free (LsThreads *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->kernels);
  g_array_unref (self->sites);
  g_array_unref (self->events);
  g_array_unref (self->findings);
  g_free (self->device);
  g_free (self);
}

const LsThreadsKernel *
ls_threads_kernel (const LsThreads *self,
                   guint            i)
{
  return i < self->kernels->len ? &g_array_index (self->kernels, LsThreadsKernel, i) : NULL;
}

const LsThreadsSite *
ls_threads_site (const LsThreads *self,
                 guint            i)
{
  return i < self->sites->len ? &g_array_index (self->sites, LsThreadsSite, i) : NULL;
}

const LsThreadsEvent *
ls_threads_event (const LsThreads *self,
                  guint            i)
{
  return i < self->events->len ? &g_array_index (self->events, LsThreadsEvent, i) : NULL;
}

const LsThreadsFinding *
ls_threads_finding (const LsThreads *self,
                    guint            i)
{
  return i < self->findings->len ? &g_array_index (self->findings, LsThreadsFinding, i) : NULL;
}

/* AMD's: what the object file says. (transfer full) */
static char *
amd_words (const LsThreadsKernel *kernel)
{
  const char *limit = kernel->limit == 't' ? _("its threads are the limit") : kernel->limit == 'b' ? _("the number of blocks is the limit")
                      : kernel->limit == 's' ? _("shared memory is the limit") : _("registers are the limit");
  g_autofree char *scalar = kernel->scalar_registers > 0 ? g_strdup_printf (_("%u of a thread, %u scalar ones of a wavefront"), kernel->vector_registers, kernel->scalar_registers)
                            : g_strdup_printf (_("%u of a thread"), kernel->vector_registers);

  return g_strdup_printf (_("A compute unit of %s holds %u of %u wavefronts of %u lanes (blocks at a time: %u): %s. Registers, by its object file: %s."), kernel->arch,
                          kernel->resident_warps, kernel->most_warps, kernel->lanes, kernel->resident_blocks, limit, scalar);
}

char *
ls_threads_occupancy_words (const LsThreadsKernel *kernel)
{
  const char *limit = kernel->limit == 't' ? _("its threads are the limit") : kernel->limit == 'b' ? _("the number of blocks is the limit")
                      : kernel->limit == 's' ? _("shared memory is the limit") : _("registers are the limit, as estimated");

  if (kernel->most_warps == 0)
    return NULL;
  if (kernel->lanes > 0)
    return amd_words (kernel);
  return g_strdup_printf (_("A multiprocessor of %s holds %u of %u warps (blocks at a time: %u): %s. Registers of a thread: about %u, an estimate."), kernel->arch, kernel->resident_warps,
                          kernel->most_warps, kernel->resident_blocks, limit, kernel->registers);
}

/* ---- counting ---------------------------------------------------------------------------------- */

static gint64
floor_div (gint64 a,
           gint64 b)
{
  return a / b - (a % b < 0);
}

static int
by_number (gconstpointer a,
           gconstpointer b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;

  return x < y ? -1 : x > y;
}

guint
ls_threads_sectors (const LsThreadsEvent *event,
                    guint                 bytes,
                    gint64               *sectors,
                    guint                 most)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (gint64));
  guint n = 0;

  for (guint lane = 0; lane < LS_THREADS_LANES; lane++)
    if ((event->mask >> lane & 1) != 0)
      for (gint64 at = floor_div (event->offsets[lane], 32); at <= floor_div (event->offsets[lane] + MAX (bytes, 1) - 1, 32); at++)
        g_array_append_val (all, at);
  g_array_sort (all, by_number);
  for (guint i = 0; i < all->len; i++)
    {
      if (i > 0 && g_array_index (all, gint64, i) == g_array_index (all, gint64, i - 1))
        continue;
      if (n < most)
        sectors[n] = g_array_index (all, gint64, i);
      n++;
    }
  return n;
}

/* As the simulator counts (engine/simt/count.c): 32 lanes at a time, 16 of 8 bytes, 8 of more. */
guint
ls_threads_banks (const LsThreadsEvent *event,
                  guint                 bytes,
                  guint                 words[32])
{
  guint size = bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8, most = 0;

  memset (words, 0, sizeof (guint) * 32);
  for (guint first = 0; first < LS_THREADS_LANES; first += size)
    {
      g_autoptr (GHashTable) seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
      guint own[32] = { 0 };

      for (guint lane = first; lane < first + size; lane++)
        if ((event->mask >> lane & 1) != 0)
          for (gint64 at = floor_div (event->offsets[lane], 4); at <= floor_div (event->offsets[lane] + MAX (bytes, 1) - 1, 4); at++)
            if (g_hash_table_add (seen, g_memdup2 (&at, sizeof at)))
              own[(guint) (at & 31)]++;
      for (guint bank = 0; bank < 32; bank++)
        {
          words[bank] = MAX (words[bank], own[bank]);
          most = MAX (most, own[bank]);
        }
    }
  return most;
}

/* ---- words --------------------------------------------------------------------------------------- */

/* These stand in a sentence, one behind the other. */
char *
ls_threads_blocks_words (gint64 n)
{
  return g_strdup_printf (ngettext ("%lld block", "%lld blocks", (gulong) n), (long long) n);
}

char *
ls_threads_warps_words (gint64 n)
{
  return g_strdup_printf (ngettext ("%lld warp", "%lld warps", (gulong) n), (long long) n);
}

char *
ls_threads_barriers_words (gint64 n)
{
  return g_strdup_printf (ngettext ("%lld barrier", "%lld barriers", (gulong) n), (long long) n);
}

char *
ls_threads_site_words (const LsThreadsSite *site)
{
  const char *does = site->is_store ? _("write") : _("read");

  if (site->requests == 0)
    return g_strdup_printf (_("%s %s: never reached"), does, site->buffer);
  if (strcmp (site->space, "global") == 0)
    return g_strdup_printf (_("%s %s: %.3g sectors a warp"), does, site->buffer, (double) site->sectors / (double) site->requests);
  if (strcmp (site->space, "shared") == 0 && site->most_ways > 1)
    return g_strdup_printf (_("%s %s: bank conflict, %u ways"), does, site->buffer, site->most_ways);
  if (strcmp (site->space, "shared") == 0)
    return g_strdup_printf (_("%s %s: no bank conflict"), does, site->buffer);
  return g_strdup_printf (_("%s %s: memory of each thread"), does, site->buffer);
}

char *
ls_threads_finding_words (const LsThreads *self,
                          guint            i)
{
  const LsThreadsFinding *f = ls_threads_finding (self, i);
  const LsThreadsSite *site = f->site >= 0 ? ls_threads_site (self, (guint) f->site) : NULL;
  const char *buffer = site != NULL ? site->buffer : "";

  if (strcmp (f->kind, "race") == 0)
    return g_strdup_printf (_("Race on element %lld of %s: lines %u and %u, no barrier between them"), (long long) f->element, buffer, f->other_line, f->line);
  if (strcmp (f->kind, "same-value") == 0)
    return g_strdup_printf (_("Two threads write element %lld of %s without a barrier, the same value: no harm on these data"), (long long) f->element, buffer);
  if (strcmp (f->kind, "barrier") == 0)
    return g_strdup_printf (_("The barrier in line %u is not reached by all threads of the block"), f->line);
  if (strcmp (f->kind, "unwritten") == 0)
    return g_strdup_printf (_("Element %lld of %s is read in line %u, and nobody has written it"), (long long) f->element, buffer, f->line);
  if (strcmp (f->kind, "bounds") == 0)
    return g_strdup_printf (_("%s is accessed in line %u at %lld, outside of its memory"), buffer, f->line, (long long) f->element);
  if (strcmp (f->kind, "partial") == 0)
    return g_strdup_printf (_("The instruction in line %u is one of the whole warp, and not all its lanes reach it"), f->line);
  if (strcmp (f->kind, "pending") == 0)
    return g_strdup_printf (_("Element %lld of %s is touched in line %u while an asynchronous copy into it is under way"), (long long) f->element, buffer, f->line);
  return g_strdup_printf (_("The shuffle in line %u reads from a lane that does not take part"), f->line);
}

char *
ls_threads_event_words (const LsThreads *self,
                        guint            i)
{
  const LsThreadsEvent *event = ls_threads_event (self, i);
  const LsThreadsSite *site = event != NULL && !event->is_barrier ? ls_threads_site (self, event->site) : NULL;
  g_autofree char *what = NULL;
  gint64 sectors[LS_THREADS_LANES * 4];
  guint words[32];

  if (event == NULL)
    return g_strdup ("");
  if (event->is_barrier)
    return g_strdup_printf (_("Barrier in line %u: all threads of the block have come, and go on."), event->site);
  if (strcmp (site->space, "global") == 0)
    {
      guint n = ls_threads_sectors (event, site->lane_bytes, sectors, G_N_ELEMENTS (sectors));

      what = g_strdup_printf (ngettext ("%u sector of 32 bytes is fetched", "%u sectors of 32 bytes are fetched", n), n);
    }
  else if (strcmp (site->space, "shared") == 0)
    {
      guint ways = ls_threads_banks (event, site->lane_bytes, words);

      what = ways > 1 ? g_strdup_printf (_("bank conflict, %u ways"), ways) : g_strdup (_("no bank conflict"));
    }
  else
    what = g_strdup (_("each lane has memory of its own"));
  return g_strdup_printf (_("Line %u, %s %s: warp %u, %u of %u lanes; %s."), site->line, site->is_store ? _("write") : _("read"), site->buffer, event->warp,
                          (guint) __builtin_popcountll (event->mask), (guint) __builtin_popcountll (event->live), what);
}
