/* parts/pace: a queue of what waits for frames; who got one goes to its end. */
#include "views/parts/pace.h"

#define FRAME_US 1500           /* of a frame for parts: laying them out takes some times as long */
#define IDLE_US 4000            /* of a turn, while nothing is laid out */

typedef struct {
  GtkWidget  *view;             /* borrowed: one that goes has nothing to come any more */
  LsPaceFunc  func;
  gpointer    object;
  guint       tick;             /* of the view, or 0 */
  guint       idle;             /* or 0 */
} Waiting;

static GQueue queue = G_QUEUE_INIT;

static Waiting *
find (gpointer object)
{
  for (GList *l = queue.head; l != NULL; l = l->next)
    if (((Waiting *) l->data)->object == object)
      return l->data;
  return NULL;
}

static gboolean
is_on_screen (GtkWidget *view)
{
  return view != NULL && gtk_widget_get_mapped (view);
}

static void
view_goes (gpointer  data,
           GObject  *view)
{
  Waiting *self = data;

  /* Its ticks went with it. */
  g_clear_handle_id (&self->idle, g_source_remove);
  g_queue_remove (&queue, self);
  g_free (self);
}

static void
stop (Waiting *self)
{
  if (self->tick != 0)
    gtk_widget_remove_tick_callback (self->view, self->tick);
  g_clear_handle_id (&self->idle, g_source_remove);
  if (self->view != NULL)
    g_object_weak_unref (G_OBJECT (self->view), view_goes, self);
  g_queue_remove (&queue, self);
  g_free (self);
}

/* What it does may take it away. FALSE: it is through. */
static void
work (Waiting *self,
      gint64   most)
{
  gpointer object = self->object;
  gint64 until = g_get_monotonic_time () + most;
  gboolean more;

  do
    more = self->func (object);
  while (more && find (object) == self && g_get_monotonic_time () < until);
  if (!more && find (object) == self)
    stop (self);
}

static void wait (Waiting *self);

static gboolean
frame (GtkWidget     *view,
       GdkFrameClock *clock,
       gpointer       data)
{
  static gint64 last;           /* frame in which one of them had its turn */
  static GdkFrameClock *last_clock;     /* compared only */
  gint64 now = gdk_frame_clock_get_frame_time (clock);
  Waiting *self = data, *first = NULL;

  if (!gtk_widget_get_mapped (view))
    {
      self->tick = 0;
      wait (self);
      return G_SOURCE_REMOVE;
    }
  if (last == now && last_clock == clock)
    return G_SOURCE_CONTINUE;
  last = now;
  last_clock = clock;
  for (GList *l = queue.head; l != NULL && first == NULL; l = l->next)
    if (((Waiting *) l->data)->tick != 0 && gtk_widget_get_frame_clock (((Waiting *) l->data)->view) == clock &&
        gtk_widget_get_mapped (((Waiting *) l->data)->view))
      first = l->data;
  g_queue_remove (&queue, first);
  g_queue_push_tail (&queue, first);
  work (first, FRAME_US);
  return G_SOURCE_CONTINUE;     /* stop() took it away */
}

static gboolean
idle (gpointer data)
{
  Waiting *self = data;
  gpointer object = self->object;

  if (is_on_screen (self->view))
    {
      self->idle = 0;
      wait (self);
      return G_SOURCE_REMOVE;
    }
  work (self, IDLE_US);
  return find (object) == self ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

static void
wait (Waiting *self)
{
  if (is_on_screen (self->view))
    self->tick = gtk_widget_add_tick_callback (self->view, frame, self, NULL);
  else
    self->idle = g_idle_add (idle, self);
}

void
ls_pace_add (GtkWidget  *view,
             LsPaceFunc  func,
             gpointer    object)
{
  Waiting *self = find (object);

  if (self != NULL)
    return;
  self = g_new0 (Waiting, 1);
  self->view = view;
  self->func = func;
  self->object = object;
  if (view != NULL)
    g_object_weak_ref (G_OBJECT (view), view_goes, self);
  g_queue_push_tail (&queue, self);
  wait (self);
}

void
ls_pace_remove (gpointer object)
{
  Waiting *self = find (object);

  if (self != NULL)
    stop (self);
}

/* ---- lists ------------------------------------------------------------------ */

static gboolean
grow (gpointer list)
{
  return ls_gradual_list_grow (list);
}

static void
list_waits (LsGradualList *list,
            gpointer       view)
{
  ls_pace_add (view, grow, list);
}

static void
list_goes (gpointer  data,
           GObject  *list)
{
  ls_pace_remove (list);
}

void
ls_pace_list (GtkWidget     *view,
              LsGradualList *list)
{
  g_object_weak_ref (G_OBJECT (list), list_goes, NULL);
  ls_gradual_list_set_pace (list, list_waits, view);
}
