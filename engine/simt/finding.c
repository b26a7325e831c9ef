/* finding: what a run did wrong: once for each pair of places, as a sentence. */
#include "engine/simt/simt-private.h"

#include <string.h>

const char *
ls_simt_finding_name (LsSimtFindingKind kind)
{
  static const char *const NAMES[] = { "race", "same-value", "barrier", "unwritten", "bounds", "shuffle", "partial", "pending" };

  return NAMES[kind];
}

const char *
ls_simt_space_name (LsSimtSpace space)
{
  static const char *const NAMES[] = { "global", "shared", "local", "warp", "fragment" };

  return NAMES[space];
}

guint
ls_simt_run_n_faults (LsSimtRun *self)
{
  guint n = 0;

  for (guint i = 0; i < self->findings->len; i++)
    n += ((LsSimtFinding *) self->findings->pdata[i])->kind != LS_SIMT_SAME_VALUE;
  return n;
}

/* A new finding, or NULL: the same places were found at odds before, or there are too many. */
LsSimtFinding *
simt_finding (Simt             *self,
              LsSimtFindingKind kind,
              guint             site,
              guint             other_site,
              guint             thread)
{
  GPtrArray *findings = self->run->findings;
  guint most = self->options != NULL && self->options->most_findings > 0 ? self->options->most_findings : 64;
  LsSimtFinding *finding;

  for (guint i = 0; i < findings->len; i++)
    {
      finding = findings->pdata[i];
      if (finding->kind == kind && finding->site == site && finding->other_site == other_site)
        {
          finding->times++;
          return NULL;
        }
    }
  if (findings->len >= most)
    return NULL;
  finding = g_new0 (LsSimtFinding, 1);
  finding->kind = kind;
  finding->site = site;
  finding->other_site = other_site;
  finding->element = -1;
  finding->times = 1;
  simt_thread_of (self, thread, &finding->thread);
  g_ptr_array_add (findings, finding);
  return finding;
}

void
simt_find_race (Simt             *self,
                LsSimtFindingKind kind,
                guint             site,
                guint             thread,
                const Stamp      *other,
                gboolean          other_writes,
                gint64            element)
{
  LsSimtFinding *finding = simt_finding (self, kind, site, other->site - 1u, thread);
  gint64 block = other->block;

  if (finding == NULL)
    return;
  finding->element = element;
  finding->has_other = TRUE;
  finding->other_is_store = other_writes;
  simt_thread_of (self, other->thread, &finding->other);
  finding->other.block[0] = block % self->grid[0];
  finding->other.block[1] = block / self->grid[0] % self->grid[1];
  finding->other.block[2] = block / self->grid[0] / self->grid[1];
}

/* ---- sentences ------------------------------------------------------------------------------- */

static char *
thread_text (const LsSimtThread *thread)
{
  return g_strdup_printf ("thread (%d, %d, %d) of block (%" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ")", thread->thread[0], thread->thread[1],
                          thread->thread[2], thread->block[0], thread->block[1], thread->block[2]);
}

static char *
place_text (const LsSimtSite *site)
{
  GString *text = g_string_new (NULL);

  if (site->line > 0)
    g_string_append_printf (text, " in line %u", site->line);
  if (*site->loops != 0)
    g_string_append_printf (text, " (loops %s)", site->loops);
  return g_string_free (text, FALSE);
}

static char *
race_text (LsSimtFinding    *f,
           const LsSimtSite *site,
           const LsSimtSite *other)
{
  const char *does = site->is_store ? "writes" : "reads", *other_does = other->is_store ? "writes" : "reads";
  g_autofree char *a = thread_text (&f->other), *b = thread_text (&f->thread), *at_a = place_text (other), *at_b = place_text (site);

  if (f->kind == LS_SIMT_RACE)
    return g_strdup_printf ("Race on element %" G_GINT64_FORMAT " of %s (%s memory): %s %s it%s and %s %s it%s, with no barrier between them.",
                            f->element, site->buffer->name, ls_simt_space_name (site->space), a, other_does, at_a, b, does, at_b);
  return g_strdup_printf ("Two threads touch element %" G_GINT64_FORMAT " of %s (%s memory) with no barrier between them: %s %s it%s and %s %s it%s; the same value was there, so these data show no harm.",
                          f->element, site->buffer->name, ls_simt_space_name (site->space), a, other_does, at_a, b, does, at_b);
}

void
simt_finding_say (LsSimtFinding *f,
                  LsSimtRun     *run)
{
  const LsSimtSite *site = f->site != G_MAXUINT ? &g_array_index (run->sites, LsSimtSite, f->site) : NULL;
  const LsSimtSite *other = f->other_site != G_MAXUINT ? &g_array_index (run->sites, LsSimtSite, f->other_site) : NULL;
  g_autofree char *who = thread_text (&f->thread), *at = site != NULL ? place_text (site) : NULL;
  g_autofree char *second = f->has_other ? thread_text (&f->other) : NULL, *copy_line = NULL;

  if (site != NULL)
    {
      f->line = site->line;
      f->is_store = site->is_store;
    }
  if (other != NULL)
    f->other_line = other->line;
  switch (f->kind)
    {
    case LS_SIMT_RACE:
    case LS_SIMT_SAME_VALUE:
      f->text = race_text (f, site, other);
      return;
    case LS_SIMT_BARRIER:
      f->text = g_strdup_printf ("The barrier in line %u is not reached by all threads of the block: %s waits there, %s does not come.", f->line, who, second);
      return;
    case LS_SIMT_UNWRITTEN:
      f->text = g_strdup_printf ("Element %" G_GINT64_FORMAT " of %s (%s memory) is read%s by %s, and nobody has written it.", f->element, site->buffer->name,
                                 ls_simt_space_name (site->space), at, who);
      return;
    case LS_SIMT_BOUNDS:
      f->text = g_strdup_printf ("%s is accessed at %" G_GINT64_FORMAT "%s by %s, outside of its memory.", site->buffer->name, f->element, at, who);
      return;
    case LS_SIMT_SHUFFLE:
      f->text = g_strdup_printf ("The shuffle in line %u: %s reads from lane %" G_GINT64_FORMAT " of its warp, which does not take part, and the value is used.", f->line,
                                 who, f->element);
      return;
    case LS_SIMT_PARTIAL:
      f->text = g_strdup_printf ("The instruction in line %u is one of the whole warp, and not all its 32 lanes reach it: %s does%s%s.", f->line, who,
                                 second != NULL ? ", not " : "; its warp has fewer threads", second != NULL ? second : "");
      return;
    case LS_SIMT_PENDING:
      f->text = g_strdup_printf ("Element %" G_GINT64_FORMAT " of %s (%s memory) is %s%s by %s while an asynchronous copy of %s into it%s%s is under way: it is not waited for.",
                                 f->element, site->buffer->name, ls_simt_space_name (site->space), site->is_store ? "written" : "read", at, who,
                                 second != NULL ? second : "another thread", other != NULL && other->line > 0 ? " in line " : "",
                                 other != NULL && other->line > 0 ? (copy_line = g_strdup_printf ("%u", other->line)) : "");
      return;
    }
}
