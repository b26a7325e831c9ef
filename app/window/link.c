/* window/link: taken apart with GUri; each part that leads nowhere has a sentence of its own. */
#include "app/window/link.h"

#include "app/learn/lesson-window.h"
#include "app/tool/tool.h"
#include "app/tool/window.h"
#include "app/window/actions.h"
#include "app/window/private.h"
#include "engine/base/table-order.h"

#include <glib/gi18n.h>
#include <string.h>

#define LESSON "/lesson/"
#define SCHEME "loopscope:"

/* ---- reading ------------------------------------------------------------------ */

static char *
take (GHashTable *query,
      const char *key)
{
  return query != NULL ? g_strdup (g_hash_table_lookup (query, key)) : NULL;
}

static void
read_query (LsLink *self,
            GUri   *uri)
{
  static const char *const known[] = { "step", "page", "sel", "window", "pass", "function", "follow", NULL };
  const char *text = g_uri_get_query (uri);
  g_autoptr (GHashTable) query = text != NULL ? g_uri_parse_params (text, -1, "&", G_URI_PARAMS_NONE, NULL) : NULL;
  g_autoptr (GPtrArray) names = NULL;

  self->step = take (query, known[0]);
  self->page = take (query, known[1]);
  self->sel = take (query, known[2]);
  self->windows = take (query, known[3]);
  self->pass = take (query, known[4]);
  self->function = take (query, known[5]);
  self->follow = take (query, known[6]);
  if (query == NULL)
    return;
  names = ls_table_names (query);
  for (guint i = 0; i < names->len && self->trouble == NULL; i++)
    if (!g_strv_contains (known, names->pdata[i]))
      self->trouble = g_strdup_printf (_("A link says step, page, sel and window, not %s."), (char *) names->pdata[i]);
}

/* LOG#pass=12&function=f, where there is no file of this whole name. */
static void
read_place (LsLink *self,
            GFile  *given)
{
  g_autofree char *path = g_file_get_path (given);
  char *hash = path != NULL && !g_file_query_exists (given, NULL) ? strrchr (path, '#') : NULL;
  g_autoptr (GHashTable) places = hash != NULL ? g_uri_parse_params (hash + 1, -1, "&", G_URI_PARAMS_NONE, NULL) : NULL;

  if (places == NULL || (!g_hash_table_contains (places, "pass") && !g_hash_table_contains (places, "function") && !g_hash_table_contains (places, "follow")))
    return;
  *hash = '\0';
  g_clear_object (&self->file);
  self->file = g_file_new_for_path (path);
  self->pass = take (places, "pass");
  self->function = take (places, "function");
  self->follow = take (places, "follow");
}

static void
read_lesson (LsLink     *self,
             const char *text)
{
  const char *name = strstr (text, LESSON) + strlen (LESSON);
  g_autofree char *id = g_strndup (name, strcspn (name, "?#"));
  g_autofree char *plain = g_uri_unescape_string (id, NULL);

  self->lesson = TRUE;
  self->file = ls_lesson_link_resolve (text, &self->place);
  if (self->file == NULL)
    self->trouble = g_strdup_printf (_("There is no lesson named %s; the menu Lessons lists what there is."), plain != NULL ? plain : id);
}

static void
read_link (LsLink     *self,
           const char *text)
{
  g_autoptr (GUri) uri = g_uri_parse (text, G_URI_FLAGS_ENCODED_QUERY, NULL);
  const char *path = uri != NULL ? g_uri_get_path (uri) : "";

  if (g_str_has_prefix (path, LESSON))
    {
      read_lesson (self, text);
      return;
    }
  if (uri == NULL || strlen (path) < 2 || *path != '/' || (g_uri_get_host (uri) != NULL && *g_uri_get_host (uri) != '\0'))
    {
      self->trouble = g_strdup (_("A link reads loopscope:///PATH/FILE?step=3&page=compare&sel=j_0 or loopscope:///lesson/NAME?step=4."));
      return;
    }
  read_query (self, uri);
  self->file = g_file_new_for_path (path);
}

LsLink *
ls_link_read (GFile *given)
{
  LsLink *self = g_new0 (LsLink, 1);
  g_autofree char *text = g_file_get_uri (given);

  if (g_str_has_prefix (text, SCHEME))       /* a file of a scheme only where the rest can be read too */
    read_link (self, text);
  else
    {
      self->file = g_object_ref (given);
      read_place (self, given);
    }
  if (self->file != NULL && !self->lesson && ls_lesson_window_takes (self->file))
    {
      self->lesson = TRUE;
      self->place = self->step != NULL ? g_strconcat ("step=", self->step, NULL) : NULL;
    }
  return self;
}

void
ls_link_free (LsLink *self)
{
  if (self == NULL)
    return;
  g_clear_object (&self->file);
  g_free (self->place);
  g_free (self->step);
  g_free (self->page);
  g_free (self->sel);
  g_free (self->windows);
  g_free (self->pass);
  g_free (self->function);
  g_free (self->follow);
  g_free (self->trouble);
  g_free (self);
}

/* ---- going there ---------------------------------------------------------------- */

/* The row of the history with this tag. */
static gboolean
go_to_tag (LsSession  *session,
           const char *tag)
{
  GListModel *rows = ls_session_get_history (session);

  for (guint i = 0; i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (LsStepItem) item = g_list_model_get_item (rows, i);
      g_autofree char *own = ls_step_item_tag (item);

      if (strcmp (own, tag) == 0)
        {
          ls_session_go_to (session, ls_step_item_get (item)->id);
          return TRUE;
        }
    }
  return FALSE;
}

static guint64
find_named (GListModel *rows,
            const char *name)
{
  guint64 found = 0;

  for (guint i = 0; rows != NULL && found == 0 && i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (LsLoopItem) item = g_list_model_get_item (rows, i);

      found = strcmp (ls_loop_item_get (item)->name, name) == 0 ? ls_loop_item_get (item)->id
                                                                : find_named (ls_loop_item_get_children (item), name);
    }
  return found;
}

static char *
step_trouble (const LsLink *self,
              LsSession    *session)
{
  LsStepItem *current;
  g_autofree char *tag = NULL;

  if (self->step == NULL || go_to_tag (session, self->step))
    return NULL;
  current = ls_session_get_current (session);
  tag = current != NULL ? ls_step_item_tag (current) : g_strdup ("0");
  return g_strdup_printf (_("There is no step %s; this is step %s."), self->step, tag);
}

static char *
page_trouble (const LsLink *self,
              LsWindow     *window)
{
  static const char *const pages[] = { "explore", "compare", "graph", "why", NULL };

  if (self->page == NULL)
    return NULL;
  if (!g_strv_contains (pages, self->page))
    return g_strdup_printf (_("There is no page %s; there are explore, compare, graph and why."), self->page);
  ls_window_show_page (window, self->page);
  return NULL;
}

static char *
selection_trouble (const LsLink *self,
                   LsSession    *session)
{
  guint64 row = self->sel != NULL ? find_named (ls_session_get_loops (session), self->sel) : 0;

  if (self->sel == NULL)
    return NULL;
  if (row == 0)
    return g_strdup_printf (_("There is no loop and no block named %s at this step."), self->sel);
  ls_session_select (session, row);
  return NULL;
}

/* "machine-code, access-order, threads, lowering" (transfer full) */
static char *
known_windows (void)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < ls_tool_get_n (); i++)
    if (ls_tool_get (i)->follows)
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", ls_tool_get (i)->id);
  return g_string_free (g_steal_pointer (&names), FALSE);
}

static char *
windows_trouble (const LsLink *self,
                 LsWindow     *window)
{
  g_auto (GStrv) names = self->windows != NULL ? g_strsplit (self->windows, ",", -1) : NULL;
  char *trouble = NULL;

  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    {
      const LsTool *tool = ls_tool_find (names[i]);
      g_autofree char *action = g_strconcat ("win.", names[i], NULL), *known = known_windows ();

      if (tool != NULL && tool->follows)
        gtk_widget_activate_action (GTK_WIDGET (window), action, NULL);
      else if (trouble == NULL)
        trouble = g_strdup_printf (_("There is no window %s; there are: %s."), names[i], known);
    }
  return trouble;
}

void
ls_link_go (const LsLink *self,
            LsWindow     *window)
{
  LsSession *session = ls_window_get_session (window);
  g_autoptr (GPtrArray) troubles = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *words = NULL;
  char *found[5] = { g_strdup (self->trouble), NULL, NULL, NULL, NULL };

  if (ls_session_get_state (session) == LS_SESSION_READY && ls_session_get_not_opened (session) == NULL)
    {
      found[1] = step_trouble (self, session);
      found[2] = page_trouble (self, window);
      found[3] = selection_trouble (self, session);
      found[4] = windows_trouble (self, window);
    }
  for (guint i = 0; i < G_N_ELEMENTS (found); i++)
    if (found[i] != NULL)
      g_ptr_array_add (troubles, found[i]);
  if (troubles->len == 0)
    return;
  g_ptr_array_add (troubles, NULL);
  words = g_strjoinv (" ", (char **) troubles->pdata);
  ls_window_say (window, _("Not all of the link was found"), words);
}

/* ---- making one ------------------------------------------------------------------- */

static void
add_part (GString    *link,
          const char *key,
          const char *value)
{
  g_autofree char *plain = g_uri_escape_string (value, NULL, FALSE);

  g_string_append_printf (link, "%c%s=%s", strchr (link->str, '?') == NULL ? '?' : '&', key, plain);
}

/* Those that stand open. */
static void
add_windows (GString   *link,
             GtkWindow *window)
{
  g_autoptr (GString) open = g_string_new (NULL);

  for (guint i = 0; i < ls_tool_get_n (); i++)
    if (ls_tool_get (i)->follows && ls_tool_window_find (window, ls_tool_get (i)->id) != NULL)
      g_string_append_printf (open, "%s%s", open->len > 0 ? "," : "", ls_tool_get (i)->id);
  if (open->len > 0)
    g_string_append_printf (link, "%cwindow=%s", strchr (link->str, '?') == NULL ? '?' : '&', open->str);
}

char *
ls_link_write (GFile    *file,
               LsWindow *window)
{
  static const char *const pages[] = { "compare", "graph", "why" };
  LsSession *session = ls_window_get_session (window);
  LsStepItem *current = ls_session_get_current (session);
  LsLoopItem *selected = ls_session_get_selected (session);
  g_autofree char *uri = g_file_get_uri (file);
  g_autofree char *tag = current != NULL ? ls_step_item_tag (current) : NULL;
  GString *link = g_string_new (SCHEME);

  g_string_append (link, uri + strlen ("file:"));
  if (tag != NULL)
    add_part (link, "step", tag);
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    if (ls_window_shows_page (window, pages[i]))
      add_part (link, "page", pages[i]);
  if (selected != NULL && find_named (ls_session_get_loops (session), ls_loop_item_get (selected)->name) == ls_loop_item_get (selected)->id)
    add_part (link, "sel", ls_loop_item_get (selected)->name);
  add_windows (link, GTK_WINDOW (window));
  return g_string_free (link, FALSE);
}
