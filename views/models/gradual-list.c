/* LsGradualList: always the first items of the model; an idle source adds to them while there are more. */
#include "views/models/gradual-list.h"

#define GROW_US 4000            /* of a turn, for more items */
#define AT_A_TIME 2             /* come between two looks at the clock, */
#define ROWS 240                /* until a list has all the rows that it makes widgets for; */
#define MANY 64                 /* then so many */

struct _LsGradualList
{
  GObject     parent_instance;

  GListModel *model;
  guint       shown;            /* of its items, the first ones */
  guint       step;
  guint       first;            /* of an empty list, or 0: as many as `step` */
  guint       growing;          /* idle that shows more, or 0 */
  LsGradualFunc waits;          /* is told that there are more, in the place of the idle, or NULL */
  gpointer    data;
};

static GType
get_item_type (GListModel *model)
{
  return g_list_model_get_item_type (LS_GRADUAL_LIST (model)->model);
}

static guint
get_n_items (GListModel *model)
{
  return LS_GRADUAL_LIST (model)->shown;
}

static gpointer
get_item (GListModel *model,
          guint       position)
{
  LsGradualList *self = LS_GRADUAL_LIST (model);

  return position < self->shown ? g_list_model_get_item (self->model, position) : NULL;
}

static void
list_model_init (GListModelInterface *interface)
{
  interface->get_item_type = get_item_type;
  interface->get_n_items = get_n_items;
  interface->get_item = get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (LsGradualList, ls_gradual_list, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

gboolean
ls_gradual_list_is_whole (LsGradualList *self)
{
  return self->shown == g_list_model_get_n_items (self->model);
}

gboolean
ls_gradual_list_grow (LsGradualList *self)
{
  guint from = self->shown;
  guint more = MIN (g_list_model_get_n_items (self->model) - from, from < ROWS ? AT_A_TIME : MANY);

  self->shown += more;
  if (ls_gradual_list_is_whole (self))
    self->growing = 0;
  g_list_model_items_changed (G_LIST_MODEL (self), from, 0, more);
  return !ls_gradual_list_is_whole (self);
}

static gboolean
grow (gpointer data)
{
  g_autoptr (LsGradualList) self = g_object_ref (LS_GRADUAL_LIST (data));
  gint64 until = g_get_monotonic_time () + GROW_US;

  while (ls_gradual_list_grow (self) && self->growing != 0 && g_get_monotonic_time () < until)
    continue;
  return self->growing != 0 ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

/* Items that take the place of others are shown at once; of more than `step` new ones the rest waits, and what stood behind
 * them waits with it. */
static void
items_changed (LsGradualList *self,
               guint          position,
               guint          removed,
               guint          added)
{
  guint n = g_list_model_get_n_items (self->model), gone = 0, come = 0, most = self->step;

  if (position <= self->shown)
    {
      gone = MIN (removed, self->shown - position);
      come = added;
      if (self->first > 0 && position == self->shown - gone)
        most = position < self->first ? self->first - position : 0;
      if (added > MAX (gone, most))
        {
          gone = self->shown - position;
          come = MIN (n - position, MAX (gone, most));
        }
    }
  self->shown = self->shown - gone + come;
  if (self->shown < n && self->waits != NULL)
    self->waits (self, self->data);
  else if (self->shown < n && self->growing == 0)
    self->growing = g_idle_add_full (LS_PIECES_LIST, grow, self, NULL);
  if (gone > 0 || come > 0)
    g_list_model_items_changed (G_LIST_MODEL (self), position, gone, come);
}

static void
ls_gradual_list_dispose (GObject *object)
{
  LsGradualList *self = LS_GRADUAL_LIST (object);

  g_clear_handle_id (&self->growing, g_source_remove);
  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  G_OBJECT_CLASS (ls_gradual_list_parent_class)->dispose (object);
}

static void
ls_gradual_list_finalize (GObject *object)
{
  g_clear_object (&LS_GRADUAL_LIST (object)->model);
  G_OBJECT_CLASS (ls_gradual_list_parent_class)->finalize (object);
}

static void
ls_gradual_list_class_init (LsGradualListClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ls_gradual_list_dispose;
  G_OBJECT_CLASS (klass)->finalize = ls_gradual_list_finalize;
}

static void
ls_gradual_list_init (LsGradualList *self)
{
}

LsGradualList *
ls_gradual_list_new (GListModel *model,
                     guint       step)
{
  LsGradualList *self = g_object_new (LS_TYPE_GRADUAL_LIST, NULL);

  g_return_val_if_fail (G_IS_LIST_MODEL (model) && step > 0, self);
  self->model = g_object_ref (model);
  self->step = step;
  g_signal_connect_swapped (model, "items-changed", G_CALLBACK (items_changed), self);
  items_changed (self, 0, 0, g_list_model_get_n_items (model));
  return self;
}

void
ls_gradual_list_set_pace (LsGradualList *self,
                          LsGradualFunc  waits,
                          gpointer       data)
{
  g_clear_handle_id (&self->growing, g_source_remove);
  self->waits = waits;
  self->data = data;
  if (!ls_gradual_list_is_whole (self))
    waits (self, data);
}

void
ls_gradual_list_set_first (LsGradualList *self,
                           guint          first)
{
  self->first = first;
}

void
ls_gradual_list_reach (LsGradualList *self,
                       guint          position)
{
  guint from = self->shown, n = MIN (position + 1, g_list_model_get_n_items (self->model));

  if (n <= from)
    return;
  self->shown = n;
  if (ls_gradual_list_is_whole (self))
    g_clear_handle_id (&self->growing, g_source_remove);
  g_list_model_items_changed (G_LIST_MODEL (self), from, 0, n - from);
}
