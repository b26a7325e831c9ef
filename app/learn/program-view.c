/* program-view: the strip keeps its height, the loop nest gets whole rows, the text has the rest. */
#include "app/learn/program-view.h"

#include "app/session/engine.h"
#include "views/graph/stage-strip.h"
#include "views/loops/view.h"
#include "views/parts/later.h"
#include "views/parts/scroller.h"
#include "views/script/view.h"
#include "views/parts/theme.h"

#include <string.h>

/* ---- stages --------------------------------------------------------------------------- */

static guint64
find_block (GListModel *rows,
            const char *name)
{
  guint64 found = 0;

  for (guint i = 0; rows != NULL && found == 0 && i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (LsLoopItem) item = g_list_model_get_item (rows, i);
      const LsLoopRecord *record = ls_loop_item_get (item);

      found = record->kind == LS_LOOP_BLOCK && strcmp (record->name, name) == 0 ? record->id
                                                                               : find_block (ls_loop_item_get_children (item), name);
    }
  return found;
}

static void
chosen (LsStageStrip *strip,
        const char   *name,
        LsSession    *session)
{
  guint64 block = find_block (ls_session_get_loops (session), name);

  if (block != 0)
    ls_session_select (session, block);
}

/* NULL: one stage, or no function that is made of stages. */
static GtkWidget *
make_stages (LsSession *session)
{
  LsHistory *history = LS_IS_ENGINE_SESSION (session) ? ls_engine_session_get_history (LS_ENGINE_SESSION (session)) : NULL;
  g_autoptr (LsGraph) graph = history != NULL ? ls_graph_from_stages (ls_schedule_get_module (ls_history_get (history, 0)->schedule), NULL) : NULL;
  LsStagePlan *plan = graph != NULL ? ls_stage_plan_new (graph) : NULL;
  GtkWidget *scroller, *strip;

  if (plan == NULL)
    return NULL;
  strip = ls_stage_strip_new (plan);
  g_signal_connect_object (strip, "chosen", G_CALLBACK (chosen), session, 0);
  scroller = ls_scroller_new_wide (strip);
  gtk_widget_add_css_class (scroller, "stages");
  return scroller;
}

/* ---- text and loop nest ----------------------------------------------------------------- */

/* The loop nest gets whole rows, up to a half of the height, until the divider is moved by hand. */
static void
share_height (gpointer data)
{
  GtkPaned *paned = GTK_PANED (data);
  int height = gtk_widget_get_height (GTK_WIDGET (paned)), position = gtk_paned_get_position (paned);
  int given = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (paned), "ls-given"));
  int wanted = ls_loop_view_fit_height (LS_LOOP_VIEW (gtk_paned_get_end_child (paned)), height / 2);

  if (wanted == 0 || (given != 0 && given != position))
    return;
  gtk_paned_set_position (paned, height - wanted);
  g_object_set_data (G_OBJECT (paned), "ls-given", GINT_TO_POINTER (gtk_paned_get_position (paned)));
}

static void
queue_share (GtkWidget *paned)
{
  ls_later (paned, G_PRIORITY_DEFAULT, 60, share_height);
}

/* Text above, loop nest below, as a result is read. */
static GtkWidget *
make_nest (LsSession  *session,
           const char *view)
{
  GtkWidget *script = ls_script_view_new ();
  GtkWidget *loops;
  GtkWidget *paned;

  ls_script_view_set_session (LS_SCRIPT_VIEW (script), session);
  if (g_strcmp0 (view, "text") == 0 || g_list_model_get_n_items (ls_session_get_loops (session)) == 0)
    return script;
  paned = gtk_paned_new (GTK_ORIENTATION_VERTICAL);
  loops = ls_loop_view_new ();
  ls_loop_view_set_session (LS_LOOP_VIEW (loops), session);
  ls_loop_view_set_narrow (LS_LOOP_VIEW (loops), TRUE);
  gtk_paned_set_start_child (GTK_PANED (paned), script);
  gtk_paned_set_end_child (GTK_PANED (paned), loops);
  gtk_paned_set_resize_end_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), TRUE);
  gtk_paned_set_shrink_end_child (GTK_PANED (paned), TRUE);
  gtk_widget_set_size_request (loops, -1, ls_theme_grow (120));
  g_signal_connect (paned, "notify::max-position", G_CALLBACK (queue_share), NULL);
  g_signal_connect_after (paned, "map", G_CALLBACK (queue_share), NULL);
  return paned;
}

GtkWidget *
ls_program_view_new (LsSession  *session,
                     const char *view)
{
  GtkWidget *nest = make_nest (session, view), *stages = g_strcmp0 (view, "text") != 0 ? make_stages (session) : NULL;
  GtkWidget *box;

  if (stages == NULL)
    return nest;
  box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_vexpand (nest, TRUE);
  gtk_box_append (GTK_BOX (box), stages);
  gtk_box_append (GTK_BOX (box), nest);
  return box;
}
