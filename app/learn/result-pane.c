/* LsResultPane: a head with what is shown, and one child that is made anew for each result.
 *
 * Programs are opened in a session of their own, so that the workbench's views show them; a schedule is opened with its base program and
 * its trace and stands at its last step, with the step before beside it where the cell added steps.
 */
#include "app/learn/result-pane.h"

#include "app/learn/access-view.h"
#include "app/learn/sides-view.h"
#include "app/learn/program-view.h"
#include "app/learn/result-parts.h"
#include "app/learn/run-view.h"
#include "app/learn/prose.h"
#include "app/learn/view-title.h"
#include "app/rpc/rpc.h"
#include "app/session/engine.h"
#include "views/explore/view.h"
#include "views/graph/view.h"
#include "views/script/pane.h"
#include "views/parts/theme.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

struct _LsResultPane {
  GtkBox      parent_instance;

  GtkWidget  *title;
  GtkWidget  *what;
  GtkWidget  *open;
  GtkWidget  *practice;         /* where a schedule with steps is shown */
  GtkWidget  *child;
  gboolean    plain;            /* nothing leads away from here */
  char       *text, *steps;     /* the program, for the workbench */
  int         cell;             /* whose result came last, or -1 */
  int         question;         /* whose two programs are shown instead, or -1 */
};

G_DEFINE_FINAL_TYPE (LsResultPane, ls_result_pane, GTK_TYPE_BOX)

static void
put (LsResultPane *self,
     GtkWidget    *child)
{
  if (self->child != NULL)
    gtk_box_remove (GTK_BOX (self), self->child);
  self->child = child;
  gtk_widget_set_vexpand (child, TRUE);
  gtk_widget_set_hexpand (child, TRUE);
  gtk_box_append (GTK_BOX (self), child);
}

/* ---- the accent mark ------------------------------------------------------------ */

static GtkWidget *
find_pane (GtkWidget *root)
{
  if (!gtk_widget_get_mapped (root))
    return NULL;
  if (LS_IS_SCRIPT_PANE (root))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_pane (child);

      if (found != NULL)
        return found;
    }
  return NULL;
}

typedef struct {
  GtkWidget *root;
  char      *mark;
} Marking;

static gboolean
mark_lines (gpointer data)
{
  Marking *marking = data;
  GtkWidget *pane = find_pane (marking->root);
  LsScriptText *text = pane != NULL ? ls_script_pane_get_text (LS_SCRIPT_PANE (pane)) : NULL;
  g_auto (GStrv) lines = text != NULL ? g_strsplit (ls_script_text_get_text (text), "\n", -1) : NULL;
  int first = -1;

  for (guint i = 0; lines != NULL && lines[i] != NULL && i < ls_script_text_n_lines (text); i++)
    if (strstr (lines[i], marking->mark) != NULL && lines[i][strspn (lines[i], " ")] != '#')
      {
        first = first < 0 ? (int) i : first;
        ls_script_pane_mark (LS_SCRIPT_PANE (pane), i);
      }
  if (first >= 0)
    ls_script_pane_reveal (LS_SCRIPT_PANE (pane), (guint) first);
  return G_SOURCE_REMOVE;
}

static void
marking_free (gpointer data)
{
  Marking *marking = data;

  g_object_unref (marking->root);
  g_free (marking->mark);
  g_free (marking);
}

/* The text is put in place when the session's views are mapped, so a moment later. */
static void
mark_soon (GtkWidget  *root,
           const char *mark)
{
  static const guint delays[] = { 80, 400 };

  for (gsize i = 0; i < G_N_ELEMENTS (delays); i++)
    {
      Marking *marking = g_new0 (Marking, 1);

      marking->root = g_object_ref (root);
      marking->mark = g_strdup (mark);
      g_timeout_add_full (G_PRIORITY_DEFAULT, delays[i], mark_lines, marking, marking_free);
    }
}

/* ---- programs --------------------------------------------------------------------- */

static void
keep_program (LsResultPane *self,
              const char   *text,
              const char   *steps)
{
  g_free (self->text);
  g_free (self->steps);
  self->text = g_strdup (text);
  self->steps = g_strdup (steps);
  gtk_widget_set_visible (self->open, text != NULL && !self->plain);
  gtk_widget_set_visible (self->practice, FALSE);
}

static LsSession *
open_program (const char *name,
              const char *text,
              const char *steps)
{
  LsSession *session = ls_engine_session_new ();

  ls_engine_session_open_text (LS_ENGINE_SESSION (session), name, text, steps);
  ls_session_select (session, 0);
  return session;
}

/* Programs of the graph level are looked at as graphs, unless the cell wants text. */
static gboolean
wants_graph (LsSession          *session,
             const LsLessonPart *of,
             const char         *text)
{
  if (ls_session_get_graph (session) == NULL || strstr (text, "@R.function") == NULL)
    return FALSE;
  return of->mark == NULL && (of->view == NULL || strcmp (of->view, "graph") == 0);
}

static GtkWidget *
make_graph (LsSession *session,
            gboolean   slide)
{
  GtkWidget *view = g_object_new (LS_TYPE_GRAPH_VIEW, NULL);

  ls_graph_view_set_narrow (LS_GRAPH_VIEW (view), TRUE, TRUE);
  ls_graph_view_set_overview (LS_GRAPH_VIEW (view), !slide);
  ls_graph_view_set_slide (LS_GRAPH_VIEW (view), slide);
  ls_graph_view_set_session (LS_GRAPH_VIEW (view), session);
  return view;
}

/* Tensor expressions are looked at as their stages, and functions whose cell asks for a graph. */
static gboolean
wants_stages (LsSession          *session,
              const LsLessonPart *of,
              gboolean            te)
{
  if (ls_session_get_graph (session) == NULL || of->mark != NULL)
    return FALSE;
  return g_strcmp0 (of->view, "graph") == 0 || (te && of->view == NULL);
}

/* A text whose constants are left out cannot be opened again: it is read as it is. */
static gboolean
is_excerpt (const char *text)
{
  return strstr (text, "metadata[\"") != NULL && strstr (text, "metadata = ") == NULL;
}

static void
show_excerpt (LsResultPane       *self,
              const LsLessonPart *of,
              const char         *text,
              const char         *whole)
{
  g_autoptr (LsSession) session = ls_engine_session_new ();
  g_autoptr (LsScriptText) script = ls_script_text_new (text);
  GtkWidget *pane = ls_script_pane_new (), *child = ls_result_scrolled (pane);

  ls_script_pane_set_session (LS_SCRIPT_PANE (pane), session);
  ls_script_pane_set_text (LS_SCRIPT_PANE (pane), script);
  ls_set_label (pane, _("TVMScript"));
  keep_program (self, whole, NULL);
  put (self, child);
  if (of->mark != NULL)
    mark_soon (child, of->mark);
}

static void
show_program (LsResultPane       *self,
              const LsLessonPart *of,
              const char         *text,
              gboolean            te)
{
  g_autofree char *name = g_strdup_printf (_("cell %u"), of->number);
  g_autoptr (LsSession) session = open_program (name, text, NULL);
  gboolean accesses = g_strcmp0 (of->view, "accesses") == 0;
  gboolean graph = !accesses && wants_graph (session, of, text), stages = !accesses && !graph && wants_stages (session, of, te);
  GtkWidget *child = accesses ? ls_access_view_new (text) : graph || stages ? make_graph (session, self->plain) : ls_program_view_new (session, of->view);

  if (stages)
    ls_graph_model_set_kind (ls_session_get_graph (session), LS_GRAPH_TE);

  keep_program (self, text, NULL);
  put (self, child);
  g_object_set_data_full (G_OBJECT (child), "ls-session", g_object_ref (session), g_object_unref);
  if (of->mark != NULL && !accesses)
    mark_soon (child, of->mark);
}

static void
show_schedule (LsResultPane       *self,
               const LsLessonPart *of,
               const LsPlayPart   *part,
               GVariant           *view)
{
  const char *base = ls_params_string (view, "program", ls_params_string (view, "base", "")), *trace = ls_params_string (view, "trace", "");
  guint steps = (guint) ls_params_int (view, "steps", 0);
  g_autofree char *name = g_strdup_printf (_("cell %u"), of->number);
  g_autofree char *words = NULL;
  g_autoptr (LsSession) session = open_program (name, base, trace);
  GtkWidget *child;

  keep_program (self, base, trace);
  if (g_strcmp0 (of->view, "text") == 0 || g_strcmp0 (of->view, "loops") == 0)
    child = ls_program_view_new (session, of->view);
  else
    {
      child = ls_explore_view_new ();
      ls_explore_view_set_session (LS_EXPLORE_VIEW (child), session);
      ls_explore_view_set_size (LS_EXPLORE_VIEW (child), TRUE, TRUE, TRUE, FALSE);
      if (steps > part->steps_before)
        ls_script_view_toggle_diff (ls_explore_view_get_script (LS_EXPLORE_VIEW (child)));
    }
  words = part->steps_before == 0 ? g_strdup_printf (ngettext ("Schedule, %u step", "Schedule, %u steps", steps), steps)
          : g_strdup_printf (ngettext ("Schedule, %u step, %u since it was shown last", "Schedule, %u steps, %u since it was shown last", steps),
                             steps, steps - MIN (steps, part->steps_before));
  gtk_label_set_label (GTK_LABEL (self->what), words);
  gtk_widget_set_visible (self->practice, steps > 0 && !self->plain);
  put (self, child);
  g_object_set_data_full (G_OBJECT (child), "ls-session", g_object_ref (session), g_object_unref);
  if (of->mark != NULL)
    mark_soon (child, of->mark);
}

/* A graph of torch.fx: drawn above, its table below. */
static GtkWidget *
make_fx (GVariant *view,
         gboolean  slide)
{
  const char *json = ls_params_string (view, "fx", "");
  g_autofree char *path = NULL;
  int fd = *json != 0 ? g_file_open_tmp ("loopscope-XXXXXX.fx.json", &path, NULL) : -1;
  g_autoptr (LsSession) session = NULL;
  g_autoptr (GFile) file = NULL;
  GtkWidget *paned, *graph, *table;
  int height;

  if (fd < 0)
    return ls_result_scrolled (ls_result_table_new (view));
  close (fd);
  session = ls_engine_session_new ();
  file = g_file_new_for_path (path);
  if (g_file_set_contents (path, json, -1, NULL))
    ls_session_open (session, file);
  g_unlink (path);
  ls_graph_model_tell (ls_session_get_graph (session), NULL, NULL);
  graph = make_graph (session, slide);
  paned = gtk_paned_new (GTK_ORIENTATION_VERTICAL);
  gtk_paned_set_start_child (GTK_PANED (paned), graph);
  table = ls_result_scrolled (ls_result_table_new (view));
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (table), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (table), 260);
  gtk_widget_measure (table, GTK_ORIENTATION_VERTICAL, -1, NULL, &height, NULL, NULL);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (table), height);
  gtk_paned_set_end_child (GTK_PANED (paned), table);
  gtk_paned_set_resize_end_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), TRUE);
  gtk_paned_set_shrink_end_child (GTK_PANED (paned), TRUE);
  gtk_widget_set_size_request (graph, -1, ls_theme_grow (300));
  g_object_set_data_full (G_OBJECT (paned), "ls-session", g_object_ref (session), g_object_unref);
  return paned;
}

/* ---- choosing ----------------------------------------------------------------------- */

/* A program whose text leaves its constants out comes with its whole text too, unless that is very large. */
static void
show_text (LsResultPane       *self,
           const LsLessonPart *of,
           GVariant           *view,
           const char         *text)
{
  const char *whole = ls_params_string (view, "program", NULL);
  gboolean graph = of->mark == NULL && (of->view == NULL || strcmp (of->view, "graph") == 0);

  if (is_excerpt (text) && (whole == NULL || !graph))
    show_excerpt (self, of, text, whole);
  else
    show_program (self, of, whole != NULL ? whole : text, strcmp (ls_params_string (view, "kind", ""), "te") == 0);
}

static gboolean
is_program (const char *kind)
{
  return strcmp (kind, "module") == 0 || strcmp (kind, "function") == 0 || strcmp (kind, "te") == 0 || strcmp (kind, "schedule") == 0;
}

static void
show_view (LsResultPane       *self,
           LsPlay             *play,
           guint               number,
           GVariant           *view)
{
  const LsLessonPart *of = ls_lesson_get_part (ls_play_get_lesson (play), number);
  const LsPlayPart *part = ls_play_get (play, number);
  const char *kind = ls_params_string (view, "kind", "text"), *text = ls_params_string (view, "text", "");
  g_autofree char *title = ls_view_title (view);

  keep_program (self, NULL, NULL);
  gtk_label_set_label (GTK_LABEL (self->what), title);
  if (ls_params_string (view, "refused", NULL) != NULL)
    {
      LsLessonPart lit = *of;

      /* As it was written: the comment at the loop at fault is not in what a session prints. */
      lit.mark = (char *) ls_params_string (view, "mark", NULL);
      show_excerpt (self, &lit, text, text);
    }
  else if (g_strcmp0 (of->view, "run") == 0 && is_program (kind))
    put (self, ls_run_view_new (view, play, number));
  else if (strcmp (kind, "schedule") == 0 && g_strcmp0 (of->view, "accesses") != 0)
    show_schedule (self, of, part, view);
  else if (strcmp (kind, "schedule") == 0)
    show_program (self, of, text, FALSE);
  else if (strcmp (kind, "module") == 0 || strcmp (kind, "function") == 0 || strcmp (kind, "te") == 0)
    show_text (self, of, view, text);
  else if (strcmp (kind, "picture") == 0)
    put (self, ls_result_picture_new (ls_params_string (view, "png", ls_params_string (view, "svg", "")), ls_params_string (view, "png", NULL) == NULL, title));
  else if (strcmp (kind, "array") == 0)
    put (self, ls_result_array_new (view, of->view));
  else if (strcmp (kind, "graph") == 0)
    put (self, make_fx (view, self->plain));
  else if (strcmp (kind, "table") == 0)
    put (self, ls_result_scrolled (ls_result_table_new (view)));
  else if (strcmp (kind, "timing") == 0)
    put (self, ls_result_chart_new (view, of));
  else
    put (self, ls_result_text_new (text));
}

/* The last thing with a view of its own; else the last text. */
static GVariant *
find_view (const LsPlayPart *part)
{
  GVariant *found = NULL;

  for (guint i = 0; part->outputs != NULL && i < ls_outputs_get_n (part->outputs); i++)
    {
      GVariant *view = ls_outputs_get (part->outputs, i)->view;

      if (view != NULL && strcmp (ls_params_string (view, "kind", "text"), "text") != 0)
        found = view;
    }
  return found;
}

/* What the learner made beside what is wanted, where a case compared two programs. */
static gboolean
show_sides (LsResultPane     *self,
            const LsPlayPart *part)
{
  g_autoptr (GVariant) row = ls_play_find_sides (part->answer);
  g_autofree char *words = NULL;

  if (row == NULL)
    return FALSE;
  words = ls_sides_describe_loops (ls_params_string (row, "yours", ""), ls_params_string (row, "wanted", ""));
  keep_program (self, ls_params_string (row, "yours", ""), NULL);
  gtk_label_set_label (GTK_LABEL (self->title), _("Yours and wanted"));
  gtk_label_set_label (GTK_LABEL (self->what), words != NULL ? words : "");
  put (self, ls_sides_view_new (ls_params_string (row, "yours", ""), ls_params_string (row, "wanted", "")));
  return TRUE;
}

void
ls_result_pane_show (LsResultPane *self,
                     LsPlay       *play,
                     guint         part)
{
  const LsLessonPart *of = ls_lesson_get_part (ls_play_get_lesson (play), part);
  const LsPlayPart *played = ls_play_get (play, part);
  GVariant *view = find_view (played);
  g_autofree char *title = g_strdup_printf (_("Result of cell %u"), of->number);

  if (of->kind == LS_PART_PRIMITIVE && played->answer != NULL && ls_params_string (played->answer, "before", NULL) != NULL)
    {
      keep_program (self, NULL, NULL);
      gtk_label_set_label (GTK_LABEL (self->title), _("Left and right"));
      gtk_label_set_label (GTK_LABEL (self->what), _("one step of the schedule lies between them"));
      put (self, ls_result_pair_new (played->answer));
      self->question = (int) part;
      return;
    }
  if (of->kind == LS_PART_EXERCISE && show_sides (self, played))
    {
      self->question = (int) part;
      return;
    }
  if (view == NULL || g_strcmp0 (of->view, "none") == 0)
    return;
  self->cell = (int) part;
  self->question = -1;
  gtk_label_set_label (GTK_LABEL (self->title), title);
  show_view (self, play, part, view);
}

void
ls_result_pane_clear (LsResultPane *self)
{
  GtkWidget *label = gtk_label_new (_("Programs, schedules, arrays and pictures that cells show come here. Shift+Enter runs the next cell."));

  gtk_widget_add_css_class (label, "caption");
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_label (GTK_LABEL (self->title), _("Result"));
  gtk_label_set_label (GTK_LABEL (self->what), "");
  keep_program (self, NULL, NULL);
  put (self, label);
  self->cell = self->question = -1;
}

void
ls_result_pane_turn_to (LsResultPane *self,
                        LsPlay       *play,
                        guint         page)
{
  if (self->question < 0 || ls_lesson_get_part (ls_play_get_lesson (play), (guint) self->question)->page == page)
    return;
  if (self->cell >= 0)
    ls_result_pane_show (self, play, (guint) self->cell);
  else
    ls_result_pane_clear (self);
}

const char *
ls_result_pane_get_text (LsResultPane  *self,
                         const char   **steps)
{
  *steps = self->steps;
  return self->text;
}

void
ls_result_pane_set_plain (LsResultPane *self)
{
  self->plain = TRUE;
}

LsSession *
ls_result_pane_get_session (LsResultPane *self)
{
  return gtk_widget_get_visible (self->practice) ? g_object_get_data (G_OBJECT (self->child), "ls-session") : NULL;
}

static void
ls_result_pane_finalize (GObject *object)
{
  LsResultPane *self = LS_RESULT_PANE (object);

  g_free (self->text);
  g_free (self->steps);
  G_OBJECT_CLASS (ls_result_pane_parent_class)->finalize (object);
}

static void
ls_result_pane_class_init (LsResultPaneClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ls_result_pane_finalize;
}

static GtkWidget *
make_open_words (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_box_append (GTK_BOX (box), gtk_label_new (_("Open in Explore")));
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("go-next-symbolic"));
  return box;
}

static void
ls_result_pane_init (LsResultPane *self)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class (GTK_WIDGET (self), "lesson-right");
  self->title = gtk_label_new (NULL);
  self->what = gtk_label_new (NULL);
  self->open = gtk_button_new ();
  gtk_button_set_child (GTK_BUTTON (self->open), make_open_words ());
  ls_set_label (self->open, _("Open in Explore"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->open), "win.workbench");
  self->practice = gtk_button_new_with_label (_("Practice"));
  gtk_widget_set_tooltip_text (self->practice, _("Questions about the steps of this schedule, one after the other"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->practice), "win.practice");
  gtk_widget_set_valign (self->practice, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (head, "pane-header");
  gtk_widget_add_css_class (self->title, "pane-title");
  gtk_widget_add_css_class (self->what, "caption");
  gtk_widget_set_hexpand (self->what, TRUE);
  gtk_widget_set_valign (self->open, GTK_ALIGN_CENTER);
  gtk_label_set_xalign (GTK_LABEL (self->what), 0.0f);
  gtk_label_set_ellipsize (GTK_LABEL (self->what), PANGO_ELLIPSIZE_END);
  gtk_box_append (GTK_BOX (head), self->title);
  gtk_box_append (GTK_BOX (head), self->what);
  gtk_box_append (GTK_BOX (head), self->practice);
  gtk_box_append (GTK_BOX (head), self->open);
  gtk_box_append (GTK_BOX (self), head);
  ls_result_pane_clear (self);
}

GtkWidget *
ls_result_pane_new (void)
{
  return g_object_new (LS_TYPE_RESULT_PANE, NULL);
}
