/* look: resolves colour tokens, either through a widget's style context or by
 * reading the @define-color lines of the two token files in the resource. */
#include "views/canvas/look.h"

static const char *const token_names[] = {
#define LS_LOOK_NAME(id, name) name,
  LS_LOOK_TOKENS (LS_LOOK_NAME)
#undef LS_LOOK_NAME
};

G_STATIC_ASSERT (G_N_ELEMENTS (token_names) == LS_LOOK_N_TOKENS);

const char *
ls_look_token_name (LsLookToken token)
{
  g_return_val_if_fail (token < LS_LOOK_N_TOKENS, NULL);

  return token_names[token];
}

static gboolean
is_dark (const LsLook *look)
{
  const GdkRGBA *view = &look->colors[LS_LOOK_VIEW];

  return view->red + view->green + view->blue < 1.5;
}

static int
find_token (const char *name,
            gsize       length)
{
  for (guint i = 0; i < LS_LOOK_N_TOKENS; i++)
    if (strlen (token_names[i]) == length && memcmp (token_names[i], name, length) == 0)
      return (int) i;

  return -1;
}

static void
read_line (LsLook     *look,
           const char *line)
{
  const char *prefix = "@define-color ";
  const char *name, *space, *end;
  g_autofree char *value = NULL;
  int token;

  if (!g_str_has_prefix (line, prefix))
    return;

  name = line + strlen (prefix);
  space = strchr (name, ' ');
  end = space != NULL ? strchr (space, ';') : NULL;
  if (end == NULL)
    return;

  token = find_token (name, space - name);
  value = g_strndup (space + 1, end - space - 1);
  if (token >= 0)
    gdk_rgba_parse (&look->colors[token], g_strstrip (value));
}

static LsLook *
load (const char *file)
{
  g_autofree char *path = g_strconcat (LS_LOOK_RESOURCE, file, NULL);
  g_autoptr (GBytes) bytes = g_resources_lookup_data (path, 0, NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  LsLook *look = g_new0 (LsLook, 1);

  g_return_val_if_fail (bytes != NULL, look);

  text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    read_line (look, lines[i]);
  look->dark = is_dark (look);

  return look;
}

const LsLook *
ls_look_load (gboolean dark)
{
  static gsize looks[2];

  if (g_once_init_enter (&looks[dark ? 1 : 0]))
    g_once_init_leave (&looks[dark ? 1 : 0],
                       GPOINTER_TO_SIZE (load (dark ? "dark.css" : "light.css")));

  return GSIZE_TO_POINTER (looks[dark ? 1 : 0]);
}

static struct {
  GdkFrameClock *clock;         /* only compared; NULL: nothing is kept */
  gint64         time;
  LsLook         look;
} last;

void
ls_look_forget (void)
{
  last.clock = NULL;
}

static void
resolve (GtkWidget *widget,
         LsLook    *look)
{
  GtkStyleContext *context = gtk_widget_get_style_context (widget);
  GdkRGBA mark;

  *look = *ls_look_load (FALSE);
  for (guint i = 0; i < LS_LOOK_N_TOKENS; i++)
    gtk_style_context_lookup_color (context, token_names[i], &look->colors[i]);
  look->contrast = gtk_style_context_lookup_color (context, "ls_contrast", &mark);
  look->dark = is_dark (look);
}

void
ls_look_from_widget (GtkWidget *widget,
                     LsLook    *look)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (widget);
  gint64 now = clock != NULL ? gdk_frame_clock_get_frame_time (clock) : 0;

  if (clock == NULL || clock != last.clock || now != last.time)
    {
      resolve (widget, &last.look);
      last.clock = clock;
      last.time = now;
    }
  *look = last.look;
}

void
ls_look_turn (LsLook      *look,
              GtkWidget   *widget,
              GtkSnapshot *snapshot)
{
  look->turned = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  gtk_snapshot_save (snapshot);
  if (!look->turned)
    return;
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) gtk_widget_get_width (widget), 0.0f));
  gtk_snapshot_scale (snapshot, -1.0f, 1.0f);
}

const GdkRGBA *
ls_look_get (const LsLook *look,
             LsLookToken   token)
{
  return &look->colors[token];
}

GdkRGBA
ls_look_fade (const LsLook *look,
              LsLookToken   token,
              double        alpha)
{
  GdkRGBA color = look->colors[token];

  color.alpha *= alpha;
  return color;
}

const GdkRGBA *
ls_look_family (const LsLook *look,
                guint         family)
{
  return &look->colors[LS_LOOK_FAMILY_A + family % 7];
}

const GdkRGBA *
ls_look_pin (const LsLook *look,
             guint         slot)
{
  return &look->colors[LS_LOOK_PIN_A + slot % 7];
}

GdkRGBA
ls_look_bar (const LsLook *look)
{
  return ls_look_fade (look, LS_LOOK_TEXT, 0.34);
}
