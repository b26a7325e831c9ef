/* random-hand: events of the X server's own test extension, so that they take the way of real ones: grabs, popovers, drag and drop, tooltips
 * and focus included.  The libraries are there where GTK's accessibility is; they are opened when asked for, no build needs them. */
#include "tests/ui/random-hand.h"

#include <dlfcn.h>

#define WIDTH 1440
#define HEIGHT 900
#define BETWEEN_MS 6

typedef struct _Display Display;

static struct {
  Display *display;
  int      (*motion) (Display *display, int screen, int x, int y, unsigned long delay);
  int      (*button) (Display *display, unsigned int button, int is_press, unsigned long delay);
  int      (*key)    (Display *display, unsigned int code, int is_press, unsigned long delay);
  guint8   (*code)   (Display *display, unsigned long symbol);
  int      (*flush)  (Display *display);
} x;

static gboolean
passed (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

/* Sends what was faked, and lets windows see it. */
static void
let_see (void)
{
  gboolean done = FALSE;

  x.flush (x.display);
  g_timeout_add (BETWEEN_MS, passed, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
}

/* FALSE: the library has none of that name. */
static gboolean
find (gpointer    library,
      const char *name,
      gpointer   *place)
{
  *place = library != NULL ? dlsym (library, name) : NULL;
  return *place != NULL;
}

gboolean
ls_hand_init (void)
{
  gpointer xlib = dlopen ("libX11.so.6", RTLD_LAZY), test = dlopen ("libXtst.so.6", RTLD_LAZY);
  Display *(*open) (const char *name) = NULL;

  if (!find (xlib, "XOpenDisplay", (gpointer *) &open) || !find (xlib, "XFlush", (gpointer *) &x.flush) ||
      !find (xlib, "XKeysymToKeycode", (gpointer *) &x.code) || !find (test, "XTestFakeMotionEvent", (gpointer *) &x.motion) ||
      !find (test, "XTestFakeButtonEvent", (gpointer *) &x.button) || !find (test, "XTestFakeKeyEvent", (gpointer *) &x.key))
    return FALSE;
  x.display = open (NULL);
  return x.display != NULL;
}

static void
go_anywhere (guint (*below) (guint n))
{
  x.motion (x.display, -1, (int) below (WIDTH), (int) below (HEIGHT), 0);
}

static void
click (guint button)
{
  x.button (x.display, button, TRUE, 0);
  x.button (x.display, button, FALSE, 0);
}

static void
drag (guint (*below) (guint n))
{
  guint stops = 2 + below (5);

  go_anywhere (below);
  let_see ();
  x.button (x.display, 1, TRUE, 0);
  let_see ();
  for (guint i = 0; i < stops; i++)
    {
      go_anywhere (below);
      let_see ();
    }
  x.button (x.display, 1, FALSE, 0);
}

static void
press_key (guint (*below) (guint n))
{
  static const guint symbols[] = { GDK_KEY_Tab, GDK_KEY_Tab, GDK_KEY_Up, GDK_KEY_Down, GDK_KEY_Left, GDK_KEY_Right, GDK_KEY_Return, GDK_KEY_space,
                                   GDK_KEY_Escape, GDK_KEY_Home, GDK_KEY_End, GDK_KEY_Page_Up, GDK_KEY_Page_Down, GDK_KEY_BackSpace, GDK_KEY_Delete,
                                   GDK_KEY_Menu, GDK_KEY_F6, GDK_KEY_F10, 'a', 'e', '4', '0', '(', 'z', 'y', 'f', 'c', 'v', GDK_KEY_plus, GDK_KEY_minus };
  static const guint held[] = { 0, 0, 0, GDK_KEY_Shift_L, GDK_KEY_Control_L, GDK_KEY_Alt_L };
  guint key = symbols[below (G_N_ELEMENTS (symbols))], modifier = held[below (G_N_ELEMENTS (held))];
  guint code = x.code (x.display, key), with = modifier != 0 ? x.code (x.display, modifier) : 0;

  if (code == 0)
    return;
  if (with != 0)
    x.key (x.display, with, TRUE, 0);
  x.key (x.display, code, TRUE, 0);
  x.key (x.display, code, FALSE, 0);
  if (with != 0)
    x.key (x.display, with, FALSE, 0);
}

const char *
ls_hand_move (guint (*below) (guint n))
{
  switch (below (10))
    {
    case 0:
      go_anywhere (below);
      let_see ();
      return "the pointer goes";
    case 1:
      go_anywhere (below);
      let_see ();
      click (3);
      let_see ();
      return "a click with the other button";
    case 2:
      go_anywhere (below);
      let_see ();
      click (1);
      click (1);
      let_see ();
      return "two clicks";
    case 3:
      drag (below);
      let_see ();
      return "a drag";
    case 4:
      for (guint i = below (8); i < 9; i++)
        click (4 + below (4));
      let_see ();
      return "the wheel turns";
    case 5:
    case 6:
      go_anywhere (below);
      let_see ();
      click (1);
      let_see ();
      return "a click";
    default:
      press_key (below);
      let_see ();
      return "a key";
    }
}
