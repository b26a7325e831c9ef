/* LsLoopItem: one row of the loop nest. */
#include "views/models/loop-item.h"

#include "views/models/format.h"

#include <glib/gi18n.h>
#include <inttypes.h>

struct _LsLoopItem
{
  GObject      parent_instance;

  LsLoopRecord record;
  GListStore  *children;
  char       **ghost;
  guint8       pins;
  guint8       uses;           /* pins of what the block reads or writes */
  char        *code, *code_words;
};

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (LsLoopItem, ls_loop_item, G_TYPE_OBJECT)

static void
record_clear (LsLoopRecord *record)
{
  g_free ((char *) record->name);
  g_free ((char *) record->origin);
  g_free ((char *) record->origin_brief);
  g_free ((char *) record->block);
  g_free ((char *) record->thread);
  g_free ((char *) record->extent_text);
  *record = (LsLoopRecord) { 0 };
}

static void
record_copy (LsLoopRecord       *to,
             const LsLoopRecord *from)
{
  *to = *from;
  to->name = g_strdup (from->name);
  to->origin = g_strdup (from->origin);
  to->origin_brief = g_strdup (from->origin_brief);
  to->block = g_strdup (from->block);
  to->thread = g_strdup (from->thread);
  to->extent_text = g_strdup (from->extent_text);
}

static gboolean
record_equal (const LsLoopRecord *a,
              const LsLoopRecord *b)
{
  return a->id == b->id && a->kind == b->kind && a->reduction == b->reduction && a->level == b->level &&
         a->extent == b->extent && a->runs == b->runs && a->touches == b->touches && a->share == b->share &&
         a->made_by == b->made_by && ls_families_equal (&a->families, &b->families) &&
         g_strcmp0 (a->name, b->name) == 0 && g_strcmp0 (a->origin, b->origin) == 0 &&
         g_strcmp0 (a->origin_brief, b->origin_brief) == 0 &&
         g_strcmp0 (a->block, b->block) == 0 && g_strcmp0 (a->thread, b->thread) == 0 &&
         g_strcmp0 (a->extent_text, b->extent_text) == 0;
}

static void
ls_loop_item_finalize (GObject *object)
{
  LsLoopItem *self = LS_LOOP_ITEM (object);

  record_clear (&self->record);
  g_clear_object (&self->children);
  g_free (self->code);
  g_free (self->code_words);
  g_strfreev (self->ghost);
  G_OBJECT_CLASS (ls_loop_item_parent_class)->finalize (object);
}

static void
ls_loop_item_class_init (LsLoopItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ls_loop_item_finalize;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                   0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ls_loop_item_init (LsLoopItem *self)
{
}

LsLoopItem *
ls_loop_item_new (const LsLoopRecord *record)
{
  LsLoopItem *self = g_object_new (LS_TYPE_LOOP_ITEM, NULL);

  record_copy (&self->record, record);
  return self;
}

const LsLoopRecord *
ls_loop_item_get (LsLoopItem *self)
{
  return &self->record;
}

void
ls_loop_item_add (LsLoopItem *self,
                  LsLoopItem *child)
{
  if (self->children == NULL)
    self->children = g_list_store_new (LS_TYPE_LOOP_ITEM);
  g_list_store_append (self->children, child);
}

GListModel *
ls_loop_item_get_children (LsLoopItem *self)
{
  return self->children != NULL ? G_LIST_MODEL (self->children) : NULL;
}

void
ls_loop_item_set_ghost (LsLoopItem        *self,
                        const char *const *ghost)
{
  if (ghost == NULL && self->ghost == NULL)
    return;

  g_strfreev (self->ghost);
  self->ghost = g_strdupv ((char **) ghost);
  g_signal_emit (self, signals[CHANGED], 0);
}

const char *const *
ls_loop_item_get_ghost (LsLoopItem *self)
{
  return (const char *const *) self->ghost;
}

void
ls_loop_item_set_pins (LsLoopItem *self,
                       guint8      pins,
                       guint8      uses)
{
  if (self->pins == pins && self->uses == uses)
    return;
  self->pins = pins;
  self->uses = uses;
  g_signal_emit (self, signals[CHANGED], 0);
}

guint8
ls_loop_item_get_pins (LsLoopItem *self)
{
  return self->pins;
}

guint8
ls_loop_item_get_uses (LsLoopItem *self)
{
  return self->uses;
}

void
ls_loop_item_set_code (LsLoopItem *self,
                       const char *code,
                       const char *words)
{
  if (g_strcmp0 (self->code, code) == 0 && g_strcmp0 (self->code_words, words) == 0)
    return;
  g_free (self->code);
  g_free (self->code_words);
  self->code = g_strdup (code);
  self->code_words = g_strdup (words);
  g_signal_emit (self, signals[CHANGED], 0);
}

const char *
ls_loop_item_get_code (LsLoopItem *self)
{
  return self->code;
}

const char *
ls_loop_item_get_code_words (LsLoopItem *self)
{
  return self->code_words;
}

/* ---- another tree in the same items ------------------------------------------ */

/* What `from` says and has below it. */
static void
take (LsLoopItem *self,
      LsLoopItem *from)
{
  gboolean same = self->ghost == NULL && record_equal (&self->record, &from->record) && self->pins == from->pins &&
                  self->uses == from->uses && g_strcmp0 (self->code, from->code) == 0;
  LsLoopRecord old = self->record;
  g_autoptr (GPtrArray) below = NULL;
  guint n = from->children != NULL ? g_list_model_get_n_items (G_LIST_MODEL (from->children)) : 0;

  g_clear_pointer (&self->ghost, g_strfreev);
  self->pins = from->pins;
  self->uses = from->uses;
  g_free (self->code);
  g_free (self->code_words);
  self->code = g_strdup (from->code);
  self->code_words = g_strdup (from->code_words);
  if (!same)
    {
      record_copy (&self->record, &from->record);
      record_clear (&old);
      g_signal_emit (self, signals[CHANGED], 0);
    }
  if (self->children == NULL)
    return;
  below = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (below, g_list_model_get_item (G_LIST_MODEL (from->children), i));
  ls_loop_list_take (self->children, below);
}

/* A leaf stays one: a tree that asked once for the children of a row does not ask again. */
static gboolean
can_take (LsLoopItem *self,
          LsLoopItem *from)
{
  return (self->children != NULL) == (from->children != NULL);
}

void
ls_loop_list_take (GListStore *store,
                   GPtrArray  *items)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (store));
  guint m = items != NULL ? items->len : 0;
  guint both = MIN (n, m);

  for (guint i = 0; i < both; i++)
    {
      g_autoptr (LsLoopItem) old = g_list_model_get_item (G_LIST_MODEL (store), i);
      LsLoopItem *item = g_ptr_array_index (items, i);

      if (old == item)
        continue;
      if (can_take (old, item))
        take (old, item);
      else
        g_list_store_splice (store, i, 1, (gpointer *) &item, 1);
    }
  if (n != m)
    g_list_store_splice (store, both, n - both, m > both ? items->pdata + both : NULL, m - both);
}

/* ---- words ----------------------------------------------------------------- */

const char *
ls_loop_kind_letter (LsLoopKind kind)
{
  switch (kind)
    {
    case LS_LOOP_PARALLEL:
      return "P";
    case LS_LOOP_VECTORIZED:
      return "V";
    case LS_LOOP_UNROLLED:
      return "U";
    case LS_LOOP_BOUND:
      return "B";
    case LS_LOOP_SERIAL:
    case LS_LOOP_BLOCK:
    case LS_LOOP_FUNCTION:
      return NULL;
    }

  return NULL;
}

const char *
ls_loop_kind_word (LsLoopKind kind)
{
  switch (kind)
    {
    case LS_LOOP_PARALLEL:
      return _("parallel");
    case LS_LOOP_VECTORIZED:
      return _("vector");
    case LS_LOOP_UNROLLED:
      return _("unrolled");
    case LS_LOOP_BOUND:
      return _("bound");
    case LS_LOOP_SERIAL:
      return _("serial");
    case LS_LOOP_BLOCK:
      return _("block");
    case LS_LOOP_FUNCTION:
      return _("function");
    }

  return NULL;
}

static void
append (GString *text,
        char    *part)
{
  if (part == NULL)
    return;
  if (text->len > 0)
    g_string_append (text, ", ");
  g_string_append (text, part);
  g_free (part);
}

char *
ls_loop_item_describe (LsLoopItem *self)
{
  const LsLoopRecord *record = &self->record;
  GString *text = g_string_new (NULL);

  if (record->kind == LS_LOOP_BLOCK)
    append (text, g_strdup_printf (_("block %s"), record->name));
  else
    append (text, g_strdup (record->name));
  append (text, ls_pins_describe (self->pins));
  append (text, ls_pins_describe_uses (self->uses));
  append (text, g_strdup (self->code));
  if (record->reduction)
    append (text, g_strdup (_("reduction")));
  if (ls_loop_kind_letter (record->kind) != NULL)
    append (text, g_strdup (ls_loop_kind_word (record->kind)));
  if (record->extent >= 0)
    append (text, g_strdup_printf (_("extent %" PRId64), record->extent));
  else if (record->extent_text != NULL)
    append (text, g_strdup_printf (_("extent %s"), record->extent_text));
  append (text, ls_families_describe (&record->families));
  append (text, g_strdup_printf (_("level %u"), record->level));
  if (record->share >= 0.0)
    {
      g_autofree char *share = ls_format_share (record->share);

      append (text, g_strdup_printf (_("%s of flop"), share));
    }
  if (record->touches >= 0)
    {
      g_autofree char *bytes = ls_format_bytes (record->touches);

      append (text, g_strdup_printf (_("touches %s"), bytes));
    }
  if (record->origin != NULL)
    append (text, g_strdup (record->origin));

  return g_string_free (text, FALSE);
}

LsLoopItem *
ls_loop_list_find (GListModel *roots,
                   guint64     id)
{
  guint n = roots != NULL ? g_list_model_get_n_items (roots) : 0;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (LsLoopItem) item = g_list_model_get_item (roots, i);
      LsLoopItem *found;

      if (item->record.id == id)
        return item;
      found = ls_loop_list_find (ls_loop_item_get_children (item), id);
      if (found != NULL)
        return found;
    }

  return NULL;
}
