/* window/panes: places of the panes of the main window at each size. */
#include "app/window/private.h"

#include "views/explore/view.h"
#include "views/parts/later.h"
#include "views/parts/theme.h"

#define TIGHT 1380
#define WIDE 1280
#define NARROW 1100
#define MEDIUM 1024
#define CRAMPED 760
#define SHORT 720
#define FLAT 600
#define HISTORY_WIDTH 288
#define HISTORY_LEAST 240
#define MOVES_WIDTH 368
#define MOVES_NARROW 336
#define MOVES_LEAST 320

/* History and moves stay in the overlay's revealers for good; GTK 4.8 does not like rows with a life on the
 * accessibility bus to change their parent.  While a pane is docked its revealer lies exactly over an empty place in
 * the GtkPaned, which so keeps its handle. */

gboolean
ls_window_history_floats (LsWindow *self)
{
  return self->size != SIZE_WIDE;
}

gboolean
ls_window_moves_float (LsWindow *self)
{
  return self->size == SIZE_SMALL;
}

static int
history_width (LsWindow *self)
{
  return ls_theme_grow (self->history_width > 0 ? self->history_width : HISTORY_WIDTH);
}

static int
moves_width (LsWindow *self)
{
  int designed = self->size == SIZE_MEDIUM ? MOVES_NARROW : MOVES_WIDTH;

  return ls_theme_grow (self->moves_width > 0 ? MIN (self->moves_width, self->size == SIZE_MEDIUM ? MOVES_NARROW : self->moves_width) : designed);
}

/* Larger letters have a wider pane, up to half the window. */
static int
floating_width (LsWindow *self,
                gboolean  left)
{
  int wanted = left ? history_width (self) : moves_width (self);
  int plain = left ? HISTORY_WIDTH : MOVES_WIDTH;

  return MAX (plain, MIN (wanted, gtk_widget_get_width (self->overlay) / 2));
}

/* Where a revealer lies. */
gboolean
ls_window_panes_position (LsWindow     *self,
                          GtkWidget    *child,
                          GdkRectangle *place)
{
  gboolean left = child == self->left;
  gboolean floats = left ? ls_window_history_floats (self) : ls_window_moves_float (self);
  GtkWidget *dock = left ? self->left_place : self->right_place;
  int width = gtk_widget_get_width (self->overlay);
  graphene_rect_t bounds;
  int natural;

  *place = (GdkRectangle) { 0, 0, 0, gtk_widget_get_height (self->overlay) };
  if (!floats)
    {
      if (gtk_widget_get_visible (dock) && gtk_widget_compute_bounds (dock, self->overlay, &bounds))
        {
          place->x = (int) bounds.origin.x;
          place->width = (int) bounds.size.width;
        }
      return TRUE;
    }

  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
  place->width = MIN (natural, floating_width (self, left));
  if (!left)
    place->x = width - place->width;
  return TRUE;
}

/* A docked pane that is away is not laid out at all: a revealer would give it its least width, and each row would be measured
 * for that and again when it comes back. */
static void
set_revealed (LsWindow  *self,
              GtkWidget *revealer,
              gboolean   floats,
              gboolean   shown)
{
  GtkRevealerTransitionType slide = revealer == self->left
                                         ? GTK_REVEALER_TRANSITION_TYPE_SLIDE_RIGHT
                                         : GTK_REVEALER_TRANSITION_TYPE_SLIDE_LEFT;

  gtk_revealer_set_transition_type (GTK_REVEALER (revealer),
                                    floats ? slide : GTK_REVEALER_TRANSITION_TYPE_NONE);
  gtk_revealer_set_reveal_child (GTK_REVEALER (revealer), shown);
  gtk_widget_set_visible (revealer, floats || shown);
  if (floats)
    gtk_widget_add_css_class (revealer, "floating");
  else
    gtk_widget_remove_css_class (revealer, "floating");
}

static void
set_action_state (LsWindow   *self,
                  const char *name,
                  gboolean    state)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);

  if (action != NULL)
    g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (state));
}

/* History and moves belong to the pages that are about one step; the others have the whole width. */
static gboolean
has_panes (LsWindow *self)
{
  return ls_window_shows_page (self, "explore") || ls_window_shows_page (self, "why");
}

void
ls_window_panes_show (LsWindow *self)
{
  gboolean page = has_panes (self);
  gboolean history = page && (ls_window_history_floats (self) ? self->history_floated : self->history_docked);
  gboolean moves = page && (ls_window_moves_float (self) ? self->moves_floated : self->moves_docked);

  gtk_widget_set_visible (self->left_place, history && !ls_window_history_floats (self));
  gtk_widget_set_visible (self->right_place, moves && !ls_window_moves_float (self));
  gtk_widget_set_size_request (self->history, ls_window_history_floats (self) ? floating_width (self, TRUE) : -1, -1);
  gtk_widget_set_size_request (self->moves, ls_window_moves_float (self) ? floating_width (self, FALSE) : -1, -1);
  set_revealed (self, self->left, ls_window_history_floats (self), history);
  set_revealed (self, self->right, ls_window_moves_float (self), moves);
  set_action_state (self, "history", history);
  set_action_state (self, "moves", moves);
  gtk_widget_set_visible (self->moves_button, page && ls_window_moves_float (self));
  gtk_widget_queue_allocate (self->overlay);
}

/* Back on their page the loops have the focus, not the first button there; once they are on the screen. */
static void
focus_loops (gpointer data)
{
  LsWindow *self = data;

  if (gtk_stack_get_visible_child (GTK_STACK (self->pages)) == self->explore)
    ls_explore_view_focus_pane (LS_EXPLORE_VIEW (self->explore), 1);
}

void
ls_window_panes_focus (LsWindow *self)
{
  ls_later (self, G_PRIORITY_DEFAULT_IDLE, 0, focus_loops);
}

/* A stack remembers which page had the focus, and Tab does not get past a page that is no longer shown.  Who switched by the
 * tabs keeps the focus there. */
void
ls_window_panes_page_shown (LsWindow *self)
{
  GtkWidget *page = gtk_stack_get_visible_child (GTK_STACK (self->pages));
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self));

  if (page == NULL || focus == NULL || !gtk_widget_is_ancestor (focus, page))
    gtk_widget_set_focus_child (self->pages, NULL);
  /* A pane that goes does not take the keyboard to the title bar. */
  if (page != NULL && !has_panes (self) && focus != NULL &&
      (gtk_widget_is_ancestor (focus, self->left) || gtk_widget_is_ancestor (focus, self->right)))
    gtk_widget_child_focus (page, GTK_DIR_TAB_FORWARD);
  ls_window_panes_show (self);
  if (page == self->explore && gtk_widget_get_mapped (GTK_WIDGET (self)) &&
      (focus == NULL || (gtk_widget_is_ancestor (focus, self->pages) && !gtk_widget_is_ancestor (focus, page))))
    ls_window_panes_focus (self);
}

/* The inner divider keeps the right pane's width while the left one comes and goes, so it is set a frame later. */
static gboolean
set_moves_width (GtkWidget     *widget,
                 GdkFrameClock *clock,
                 gpointer       data)
{
  LsWindow *self = LS_WINDOW (widget);
  int width = gtk_widget_get_width (self->inner);

  self->tick = 0;
  if (!ls_window_moves_float (self) && self->moves_docked && width > 0)
    gtk_paned_set_position (GTK_PANED (self->inner), width - moves_width (self) - 1);
  return G_SOURCE_REMOVE;
}

static void
place_panes (LsWindow *self)
{
  ls_window_panes_show (self);
  gtk_widget_set_size_request (self->left_place, ls_theme_grow (HISTORY_LEAST), -1);
  gtk_widget_set_size_request (self->right_place, ls_theme_grow (MOVES_LEAST), -1);
  gtk_paned_set_position (GTK_PANED (self->outer), history_width (self));
  if (self->tick == 0)
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), set_moves_width, NULL, NULL);
  ls_explore_view_set_size (LS_EXPLORE_VIEW (self->explore), self->size != SIZE_WIDE, self->tight,
                            self->folded || self->size != SIZE_WIDE, self->flat);
  ls_window_place_pages (self);
}

/* Whether the window came to another class of sizes; with `adopt` it is one of it from now on. */
static gboolean
decide (LsWindow *self,
        gboolean  adopt)
{
  /* Larger letters need room as a smaller window does. */
  int percent = ls_theme_get_scale ();
  int width = self->width * 100 / percent, height = self->height * 100 / percent;
  SizeClass size = width >= WIDE ? SIZE_WIDE : width >= MEDIUM ? SIZE_MEDIUM : SIZE_SMALL;
  gboolean folded = height < SHORT, flat = height < FLAT, narrow = width < NARROW, cramped = width < CRAMPED, tight = width < TIGHT;

  if (self->placed && size == self->size && folded == self->folded && flat == self->flat && narrow == self->narrow &&
      cramped == self->cramped &&
      tight == self->tight)
    return FALSE;
  if (!adopt)
    return TRUE;
  self->placed = TRUE;
  self->size = size;
  self->folded = folded;
  self->flat = flat;
  self->narrow = narrow;
  self->cramped = cramped;
  self->tight = tight;
  return TRUE;
}

static void
place_idle (gpointer data)
{
  LsWindow *self = data;

  if (decide (self, TRUE))
    place_panes (self);
  ls_window_header_fit (self);
}

/* The class changes when the panes do, not while sizes are given out: a pane that is said to be docked before it has its place would get no
 * width at all. */
void
ls_window_panes_allocate (LsWindow *self,
                          int       width,
                          int       height)
{
  /* Maximised or tiled from the start: the dividers stand as for the size that it asked for. */
  if (!self->has_size && width != self->width && self->tick == 0)
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), set_moves_width, NULL, NULL);
  self->has_size = TRUE;
  self->width = width;
  self->height = height;
  if (decide (self, FALSE) || !ls_window_header_fits (self))
    ls_later (self, G_PRIORITY_HIGH_IDLE, 0, place_idle);
}

/* So that the first layout is the right one, unless the window gets another size than it asks for. */
void
ls_window_panes_place_first (LsWindow *self)
{
  int width, height;

  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  self->width = width;
  self->height = height;
  decide (self, TRUE);
  place_panes (self);
  gtk_paned_set_position (GTK_PANED (self->inner), width - (ls_window_history_floats (self) ? 0 : history_width (self) + 1) - moves_width (self) - 1);
}
