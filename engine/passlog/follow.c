/* follow: from part to part along the functions of a log, forwards and backwards; see the header. */
#include "engine/passlog/follow.h"

#include "engine/passlog/private.h"

#include <string.h>

typedef struct {
  LsPassLog *log;
  GArray    *mentions;          /* of LsPassMention, in the order in which they were found */
  guint     *first, *n;         /* of each part: its mentions */
  gboolean   llvm;              /* is to read */
  char     **reader;            /* or NULL */
} Following;

const char *
ls_pass_link_kind_name (LsPassLinkKind kind)
{
  static const char *const NAMES[] = { "pinned", "text", "location", "same", "moved", "rewritten", "copy" };

  return NAMES[kind];
}

static LsPassPart *
part_at (LsPassLog *log,
         guint      i)
{
  return &g_array_index (log->parts, LsPassPart, i);
}

static LsPassMention *
mention_at (GArray *mentions,
            guint   i)
{
  return &g_array_index (mentions, LsPassMention, i);
}

/* Mentions of a part stand together: `part` is the one that is being looked at. */
static void
put (Following     *self,
     guint          part,
     guint          line,
     LsPassLinkKind how,
     int            from,
     gboolean       changed)
{
  LsPassMention mention = { part, line, how, from, changed };

  for (guint i = self->first[part]; i < self->first[part] + self->n[part]; i++)
    if (mention_at (self->mentions, i)->line == line)
      {
        if (!changed && mention_at (self->mentions, i)->changed)        /* nearer than the one it was matched with first */
          *mention_at (self->mentions, i) = mention;
        return;
      }
  if (self->n[part] == 0)
    self->first[part] = self->mentions->len;
  self->n[part]++;
  g_array_append_val (self->mentions, mention);
}

/* ---- two texts of a function ---- */

static LsPassOperation *
operation_of (LsPassLines *text,
              guint        line)
{
  return line < text->n && text->op[line] >= 0 ? text->ops->pdata[text->op[line]] : NULL;
}

static gboolean
is_like (LsPassOperation *a,
         LsPassOperation *b)
{
  return a != NULL && b != NULL && strcmp (a->name, b->name) == 0;
}

/* How often an operation of this shape is in the text. */
static guint
count_shape (LsPassLines *text,
             const char  *shape)
{
  guint n = 0;

  for (guint i = 0; i < text->ops->len; i++)
    n += strcmp (((LsPassOperation *) text->ops->pdata[i])->shape, shape) == 0;
  return n;
}

/* What the diff makes of a line; NULL: nothing. */
static LsPassChange *
change_of (GArray  *changes,
           guint    line,
           gboolean back)
{
  for (guint i = 0; i < changes->len; i++)
    {
      LsPassChange *change = &g_array_index (changes, LsPassChange, i);

      if ((back ? change->b : change->a) == (int) line)
        return change;
    }
  return NULL;
}

/* By the place in the source: operations of the same name that come from there, else all that do.  FALSE: there are none. */
static gboolean
link_by_place (Following   *self,
               LsPassLines *old,
               LsPassLines *new,
               guint        number,
               guint        part,
               GArray      *changes,
               gboolean     back)
{
  guint line = mention_at (self->mentions, number)->line;
  LsPassOperation *op = operation_of (old, line);
  const char *place = line < old->n ? old->place[line] : NULL;
  LsPassChange *same = change_of (changes, line, back);
  gboolean like = FALSE, found = FALSE;

  if (place == NULL)
    return FALSE;
  for (guint i = 0; i < new->n; i++)
    like |= g_strcmp0 (new->place[i], place) == 0 && is_like (op, operation_of (new, i));
  for (guint i = 0; i < new->n; i++)
    if (g_strcmp0 (new->place[i], place) == 0 && (!like || is_like (op, operation_of (new, i))))
      {
        gboolean unchanged = same != NULL && same->kind == LS_PASS_SAME && (back ? same->a : same->b) == (int) i;

        put (self, part, i, LS_PASS_LINK_LOCATION, (int) number, !unchanged);
        found = TRUE;
      }
  return found;
}

static void
link_by_diff (Following   *self,
              LsPassLines *old,
              LsPassLines *new,
              guint        number,
              guint        part,
              GArray      *changes,
              gboolean     back)
{
  static const LsPassLinkKind KINDS[] = { LS_PASS_LINK_SAME, LS_PASS_LINK_COPY, LS_PASS_LINK_COPY, LS_PASS_LINK_SAME, LS_PASS_LINK_REWRITTEN, LS_PASS_LINK_MOVED };
  guint line = mention_at (self->mentions, number)->line;
  LsPassOperation *op = operation_of (old, line);
  LsPassChange *change = change_of (changes, line, back);
  int other = change == NULL ? -1 : back ? change->a : change->b;

  if (other >= 0)
    put (self, part, (guint) other, KINDS[change->kind], (int) number, change->kind != LS_PASS_SAME);
  if (op == NULL || change == NULL || strcmp (op->name, "label") == 0)
    return;
  if (!back && other >= 0 && count_shape (old, op->shape) == 1)
    for (guint i = 0; i < changes->len; i++)
      {
        LsPassChange *copy = &g_array_index (changes, LsPassChange, i);

        if (copy->kind == LS_PASS_DUPLICATED && operation_of (new, (guint) copy->b) != NULL && strcmp (operation_of (new, (guint) copy->b)->shape, op->shape) == 0)
          put (self, part, (guint) copy->b, LS_PASS_LINK_COPY, (int) number, TRUE);
      }
  if (back && change->kind == LS_PASS_DUPLICATED && count_shape (new, op->shape) == 1)
    for (guint i = 0; i < new->n; i++)
      if (operation_of (new, i) != NULL && strcmp (operation_of (new, i)->shape, op->shape) == 0)
        put (self, part, i, LS_PASS_LINK_COPY, (int) number, TRUE);
}

/* What makes the later text of the earlier one; `back`: `to` is the earlier one. (transfer full): of LsPassChange */
static GArray *
diff_of (Following   *self,
         LsPassLines *old,
         guint        from,
         LsPassLines *new,
         guint        to,
         gboolean     back)
{
  const LsPassSide a = { self->log, old->text, (int) from, FALSE }, b = { self->log, new->text, (int) to, FALSE };
  LsPassLogKind kind = g_array_index (self->log->dumps, LsPassDump, part_at (self->log, to)->dump).language;
  char *words = NULL;
  GArray *changes;

  if (self->llvm && kind == LS_PASS_LOG_LLVM)
    changes = back ? ls_pass_sides_diff (&b, &a, NULL, &words) : ls_pass_sides_diff (&a, &b, NULL, &words);
  else
    {
      changes = back ? ls_pass_diff_aliased (new->text, new->aliases, old->text, old->aliases, kind, NULL)
                     : ls_pass_diff_aliased (old->text, old->aliases, new->text, new->aliases, kind, NULL);
      words = kind == LS_PASS_LOG_LLVM ? g_strdup ("the tolerant reader") : NULL;
    }
  ls_pass_reader_take (self->reader, words);
  return changes;
}

/* The mentions of part `from` in part `to`, which is the same function later, or earlier where `back`. */
static void
link_parts (Following *self,
            guint      from,
            guint      to,
            gboolean   back)
{
  LsPassPart *a = part_at (self->log, from), *b = part_at (self->log, to);
  g_autoptr (LsPassLines) old = NULL, new = NULL;
  g_autoptr (GArray) changes = NULL;

  if (a->hash == b->hash && a->patch == b->patch && !a->patch)
    {
      for (guint i = 0; i < self->n[from]; i++)
        put (self, to, mention_at (self->mentions, self->first[from] + i)->line, LS_PASS_LINK_TEXT, (int) (self->first[from] + i), FALSE);
      return;
    }
  if (b->end <= b->start)
    return;
  old = ls_pass_lines_new (self->log, from);
  new = ls_pass_lines_new (self->log, to);
  changes = diff_of (self, old, from, new, to, back);
  for (guint i = 0; i < self->n[from]; i++)
    if (!link_by_place (self, old, new, self->first[from] + i, to, changes, back))
      link_by_diff (self, old, new, self->first[from] + i, to, changes, back);
}

/* ---- other functions ---- */

/* Is the line of one of the places anywhere in the dump?  Reading all of a dump for its places takes long. */
static gboolean
may_have_places (Following   *self,
                 LsPassLines *pinned,
                 guint        start,
                 guint        dump)
{
  LsPassDump *at = &g_array_index (self->log->dumps, LsPassDump, dump);
  const char *text = ls_pass_log_text (self->log, at->file, NULL);
  gboolean found = FALSE;

  for (guint i = 0; i < self->n[start] && !found; i++)
    {
      const char *place = pinned->place[mention_at (self->mentions, self->first[start] + i)->line], *colon = place != NULL ? strchr (place, ':') : NULL;
      g_autofree char *word = NULL;

      while (colon != NULL && !g_ascii_isdigit (colon[1]))
        colon = strchr (colon + 1, ':');
      if (colon == NULL)
        continue;
      word = g_strdup_printf (at->language == LS_PASS_LOG_LLVM ? "(line: %.*s," : at->language == LS_PASS_LOG_XLA ? "source_line=%.*s" : ":%.*s",
                              (int) strspn (colon + 1, "0123456789"), colon + 1);
      found = memmem (text + at->start, at->end - at->start, word, strlen (word)) != NULL;
    }
  return found;
}

/* What comes from the place of a pinned line in a function that has no mention yet: it was inlined there. */
static void
link_inlined (Following   *self,
              LsPassLines *pinned,
              guint        start,
              guint        part)
{
  LsPassPart *at = part_at (self->log, part);
  g_autoptr (LsPassLines) text = NULL;

  if (at->end <= at->start || (at->before > 0 && part_at (self->log, at->before - 1)->hash == at->hash) || !may_have_places (self, pinned, start, at->dump))
    return;
  text = ls_pass_lines_new (self->log, part);
  for (guint i = 0; i < self->n[start]; i++)
    {
      guint line = mention_at (self->mentions, self->first[start] + i)->line;

      for (guint j = 0; j < text->n && pinned->place[line] != NULL; j++)
        if (g_strcmp0 (text->place[j], pinned->place[line]) == 0 && is_like (operation_of (pinned, line), operation_of (text, j)))
          put (self, part, j, LS_PASS_LINK_LOCATION, (int) (self->first[start] + i), TRUE);
    }
}

static gboolean
has_places (LsPassLines *text,
            GArray      *lines)
{
  gboolean any = FALSE;

  for (guint i = 0; i < lines->len; i++)
    any |= g_array_index (lines, guint, i) < text->n && text->place[g_array_index (lines, guint, i)] != NULL;
  return any;
}

/* ---- the whole log ---- */

static int
by_place (gconstpointer a,
          gconstpointer b,
          gpointer      user_data)
{
  LsPassMention *x = mention_at (user_data, *(const guint *) a), *y = mention_at (user_data, *(const guint *) b);

  if (x->part != y->part)
    return x->part < y->part ? -1 : 1;
  return x->line < y->line ? -1 : x->line > y->line;
}

/* In the order of the log, with `from` as it is then. */
static GArray *
in_order (GArray *mentions)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree int *place = g_new (int, mentions->len + 1);
  GArray *sorted = g_array_new (FALSE, FALSE, sizeof (LsPassMention));

  for (guint i = 0; i < mentions->len; i++)
    g_array_append_val (order, i);
  g_array_sort_with_data (order, by_place, mentions);
  for (guint i = 0; i < order->len; i++)
    place[g_array_index (order, guint, i)] = (int) i;
  for (guint i = 0; i < order->len; i++)
    {
      LsPassMention mention = *mention_at (mentions, g_array_index (order, guint, i));

      mention.from = mention.from >= 0 ? place[mention.from] : -1;
      g_array_append_val (sorted, mention);
    }
  return sorted;
}

GArray *
ls_pass_log_follow (LsPassLog *log,
                    guint      part,
                    GArray    *lines)
{
  return ls_pass_log_follow_full (log, part, lines, FALSE, NULL);
}

GArray *
ls_pass_log_follow_full (LsPassLog *log,
                         guint      part,
                         GArray    *lines,
                         gboolean   llvm,
                         char     **reader)
{
  g_autoptr (GArray) mentions = g_array_new (FALSE, FALSE, sizeof (LsPassMention));
  g_autofree guint *first = g_new0 (guint, log->parts->len), *n = g_new0 (guint, log->parts->len);
  Following self = { log, mentions, first, n, llvm && log->ir != NULL, reader };
  g_autoptr (LsPassLines) pinned = ls_pass_lines_new (log, part);
  gboolean places = has_places (pinned, lines);

  if (reader != NULL)
    *reader = NULL;
  for (guint i = 0; i < lines->len; i++)
    if (g_array_index (lines, guint, i) < pinned->n)
      put (&self, part, g_array_index (lines, guint, i), LS_PASS_LINK_PINNED, -1, FALSE);
  for (guint at = part; part_at (log, at)->before > 0 && n[at] > 0; at = part_at (log, at)->before - 1)
    link_parts (&self, at, part_at (log, at)->before - 1, TRUE);
  for (guint i = part + 1; i < log->parts->len; i++)
    {
      guint before = part_at (log, i)->before;

      if (n[i] > 0)
        continue;
      if (before > 0 && before - 1 >= part && n[before - 1] > 0)
        link_parts (&self, before - 1, i, FALSE);
      else if (places)
        link_inlined (&self, pinned, part, i);
    }
  return in_order (mentions);
}

/* The part at which a link is a change: the later one of two of the same function, else that of the mention. */
static guint
later_part (LsPassLog     *log,
            LsPassMention *mention,
            LsPassMention *from)
{
  return part_at (log, from->part)->before == mention->part + 1 ? from->part : mention->part;
}

guint8 *
ls_pass_log_touches (LsPassLog *log,
                     GArray    *mentions)
{
  guint8 *touches = g_new0 (guint8, log->dumps->len);
  g_autofree guint *n = g_new0 (guint, log->parts->len);
  g_autofree guint8 *how = g_new0 (guint8, log->parts->len);

  for (guint i = 0; i < mentions->len; i++)
    {
      LsPassMention *mention = mention_at (mentions, i), *from = mention->from >= 0 ? mention_at (mentions, (guint) mention->from) : NULL;
      guint part = from != NULL ? later_part (log, mention, from) : mention->part;
      LsPassTouch touch = mention->changed ? LS_PASS_TOUCH_CHANGED : mention->how != LS_PASS_LINK_TEXT && from != NULL ? LS_PASS_TOUCH_THERE : LS_PASS_TOUCH_NONE;

      n[mention->part]++;
      how[part] = MAX (how[part], touch);
    }
  for (guint i = 0; i < log->parts->len; i++)
    {
      LsPassPart *part = part_at (log, i);
      guint before = part->before, earlier = before > 0 ? n[before - 1] : 0;
      guint dump = log->before_only && before > 0 ? part_at (log, before - 1)->dump : part->dump;
      LsPassTouch touch = (LsPassTouch) how[i];

      if (earlier > 0 && n[i] == 0)
        touch = LS_PASS_TOUCH_GONE;
      else if (n[i] != earlier && before > 0)
        touch = LS_PASS_TOUCH_CHANGED;
      else if (n[i] > 0 && before == 0)
        touch = MAX (touch, LS_PASS_TOUCH_THERE);
      if (touch == LS_PASS_TOUCH_CHANGED || touches[dump] == LS_PASS_TOUCH_CHANGED)
        touches[dump] = LS_PASS_TOUCH_CHANGED;  /* gone here, and inlined there */
      else
        touches[dump] = MAX (touches[dump], touch);
    }
  return touches;
}
