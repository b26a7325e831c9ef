/* LsLoopArrows: rows have one height, so that two rows that are on the screen say where all others are. */
#include "views/loops/arrows.h"

#include "views/canvas/draw-arrows.h"
#include "views/loops/places.h"

#define FIRST_LANE 27.0f
#define LANE_STEP 6.0f
#define N_LANES 4

struct _LsLoopArrows
{
  GtkWidget         parent_instance;

  LsSession        *session;
  GtkTreeListModel *tree;
  GPtrArray        *cells;
  GtkWidget        *view;
  LsDependences    *dependences;
  GArray           *ends;       /* of Ends, one for each arrow, or NULL: not known yet */
  guint             refresh;
  gboolean          on;
};

G_DEFINE_FINAL_TYPE (LsLoopArrows, ls_loop_arrows, GTK_TYPE_WIDGET)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- where rows are --------------------------------------------------------------- */

/* The rows of an arrow's ends; what is in a folded row is where that row is. */
typedef struct {
  guint from;
  guint to;
} Ends;

typedef struct {
  GHashTable *marks;            /* row number -> x of its cell */
  float       y;                /* middle of row 0 */
  float       height;
} Places;

static void
forget_ends (LsLoopArrows *self)
{
  g_clear_pointer (&self->ends, g_array_unref);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Until rows come, go, fold or unfold. */
static GArray *
need_ends (LsLoopArrows *self)
{
  GListModel *loops = ls_session_get_loops (self->session);

  if (self->ends != NULL)
    return self->ends;
  self->ends = g_array_new (FALSE, FALSE, sizeof (Ends));
  for (guint i = 0; i < self->dependences->arrows->len; i++)
    {
      const LsArrow *arrow = g_ptr_array_index (self->dependences->arrows, i);
      Ends ends = { ls_loop_places_find (self->tree, loops, arrow->from, NULL), ls_loop_places_find (self->tree, loops, arrow->to, NULL) };

      g_array_append_val (self->ends, ends);
    }
  return self->ends;
}

static gboolean
is_turned (LsLoopArrows *self)
{
  return gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
}

/* From the side where rows begin. */
static float
start_of (LsLoopArrows          *self,
          const graphene_rect_t *bounds)
{
  return is_turned (self) ? (float) gtk_widget_get_width (GTK_WIDGET (self)) - bounds->origin.x - bounds->size.width : bounds->origin.x;
}

static gboolean
find_places (LsLoopArrows *self,
             Places       *places)
{
  guint low = G_MAXUINT, high = 0;
  float low_y = 0.0f, high_y = 0.0f;

  for (guint i = 0; i < self->cells->len; i++)
    {
      GtkWidget *cell = g_ptr_array_index (self->cells, i), *expander = gtk_widget_get_parent (cell);
      GtkTreeListRow *shown = GTK_IS_TREE_EXPANDER (expander) ? gtk_tree_expander_get_list_row (GTK_TREE_EXPANDER (expander)) : NULL;
      graphene_rect_t bounds;
      guint row;

      if (shown == NULL || !gtk_widget_get_mapped (cell) || !gtk_widget_compute_bounds (cell, GTK_WIDGET (self), &bounds) ||
          bounds.size.height < 1.0f)
        continue;
      row = gtk_tree_list_row_get_position (shown);
      g_hash_table_insert (places->marks, GUINT_TO_POINTER (row), GINT_TO_POINTER ((int) start_of (self, &bounds)));
      if (low == G_MAXUINT || row < low)
        low = row, low_y = bounds.origin.y + bounds.size.height / 2.0f;
      if (row >= high)
        high = row, high_y = bounds.origin.y + bounds.size.height / 2.0f;
    }
  if (low == G_MAXUINT)
    return FALSE;
  places->height = high > low ? (high_y - low_y) / (float) (high - low) : 28.0f;
  places->y = low_y - places->height * (float) low;
  return TRUE;
}

/* ---- drawing ---------------------------------------------------------------------- */

static float
mark_x (Places *places,
        guint   row)
{
  gpointer x;

  return g_hash_table_lookup_extended (places->marks, GUINT_TO_POINTER (row), NULL, &x) ? (float) GPOINTER_TO_INT (x) - 3.0f
                                                                                       : FIRST_LANE + 12.0f;
}

static void
draw_arrow (GtkSnapshot   *snapshot,
            const LsLook  *look,
            Places        *places,
            const Ends    *ends,
            const LsArrow *arrow,
            guint          lane)
{
  LsArrowPlace place = { .lane = FIRST_LANE - LANE_STEP * (float) (lane % N_LANES) };

  if (ends->from == GTK_INVALID_LIST_POSITION || ends->to == GTK_INVALID_LIST_POSITION || ends->from == ends->to)
    return;
  /* What leaves a row and what comes to it keep apart. */
  place.from_y = places->y + places->height * (float) ends->from + 4.0f;
  place.to_y = places->y + places->height * (float) ends->to - 3.0f + 2.0f * (float) (lane % N_LANES);
  place.from_x = mark_x (places, ends->from);
  place.to_x = mark_x (places, ends->to);
  ls_draw_row_arrow (snapshot, look, &place, arrow->needs);
}

static void
ls_loop_arrows_snapshot (GtkWidget   *widget,
                         GtkSnapshot *snapshot)
{
  LsLoopArrows *self = LS_LOOP_ARROWS (widget);
  GtkWidget *list = self->view != NULL ? gtk_widget_get_last_child (self->view) : NULL;
  g_autoptr (GHashTable) marks = g_hash_table_new (NULL, NULL);
  Places places = { .marks = marks };
  GArray *ends;
  graphene_rect_t area;
  LsLook look;

  if (!self->on || self->dependences == NULL || self->dependences->arrows->len == 0 || list == NULL ||
      !gtk_widget_compute_bounds (list, widget, &area))
    return;
  if (!find_places (self, &places))
    return;
  ends = need_ends (self);
  ls_look_from_widget (widget, &look);
  gtk_snapshot_push_clip (snapshot, &area);
  gtk_snapshot_save (snapshot);
  if (is_turned (self))
    {
      gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) gtk_widget_get_width (widget), 0.0f));
      gtk_snapshot_scale (snapshot, -1.0f, 1.0f);
    }
  for (guint i = 0; i < self->dependences->arrows->len; i++)
    draw_arrow (snapshot, &look, &places, &g_array_index (ends, Ends, i), g_ptr_array_index (self->dependences->arrows, i), i);
  gtk_snapshot_restore (snapshot);
  gtk_snapshot_pop (snapshot);
}

/* ---- following the session ---------------------------------------------------------- */

static gboolean
refresh_idle (gpointer data)
{
  LsLoopArrows *self = data;
  guint64 id = ls_session_get_selection (self->session);

  self->refresh = 0;
  g_clear_pointer (&self->dependences, ls_dependences_free);
  g_clear_pointer (&self->ends, g_array_unref);
  if (self->on && id != 0)
    self->dependences = ls_session_find_dependences (self->session, id);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[CHANGED], 0);
  return G_SOURCE_REMOVE;
}

static void
queue_refresh (LsLoopArrows *self)
{
  if (self->refresh == 0)
    self->refresh = g_idle_add (refresh_idle, self);
}

/* ---- class ------------------------------------------------------------------------ */

void
ls_loop_arrows_detach (LsLoopArrows *self)
{
  GtkAdjustment *scroll = self->view != NULL ? gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->view)) : NULL;

  g_clear_handle_id (&self->refresh, g_source_remove);
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  if (self->tree != NULL)
    g_signal_handlers_disconnect_by_data (self->tree, self);
  if (scroll != NULL)
    g_signal_handlers_disconnect_by_data (scroll, self);
  self->cells = NULL;
  self->view = NULL;
  g_clear_object (&self->tree);
  g_clear_object (&self->session);
}

static void
ls_loop_arrows_dispose (GObject *object)
{
  LsLoopArrows *self = LS_LOOP_ARROWS (object);

  ls_loop_arrows_detach (self);
  g_clear_pointer (&self->dependences, ls_dependences_free);
  g_clear_pointer (&self->ends, g_array_unref);
  G_OBJECT_CLASS (ls_loop_arrows_parent_class)->dispose (object);
}

static void
ls_loop_arrows_class_init (LsLoopArrowsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ls_loop_arrows_dispose;
  GTK_WIDGET_CLASS (klass)->snapshot = ls_loop_arrows_snapshot;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_PRESENTATION);
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
}

static void
ls_loop_arrows_init (LsLoopArrows *self)
{
  self->on = TRUE;
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
}

GtkWidget *
ls_loop_arrows_new (void)
{
  return g_object_new (LS_TYPE_LOOP_ARROWS, NULL);
}

void
ls_loop_arrows_attach (LsLoopArrows     *self,
                       LsSession        *session,
                       GtkTreeListModel *tree,
                       GPtrArray        *cells,
                       GtkWidget        *view)
{
  self->session = g_object_ref (session);
  self->tree = g_object_ref (tree);
  self->cells = cells;
  self->view = view;
  g_signal_connect_swapped (session, "notify::selection", G_CALLBACK (queue_refresh), self);
  g_signal_connect_swapped (session, "module-changed", G_CALLBACK (queue_refresh), self);
  g_signal_connect_swapped (tree, "items-changed", G_CALLBACK (forget_ends), self);
  g_signal_connect_swapped (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (view)), "value-changed",
                            G_CALLBACK (gtk_widget_queue_draw), self);
  queue_refresh (self);
}

void
ls_loop_arrows_set_on (LsLoopArrows *self,
                       gboolean      on)
{
  if (self->on == on)
    return;
  self->on = on;
  if (self->session != NULL)
    queue_refresh (self);
}

const LsDependences *
ls_loop_arrows_get (LsLoopArrows *self)
{
  return self->dependences;
}
