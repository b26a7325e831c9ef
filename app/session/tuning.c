/* LsEngineTuning: a search that goes on in a process of its own, and its trials as items.
 *
 * The process is `loopscope-cli tune --detach`, in the folder of the user's cache for the program (app/search/run.h); here its log is read.  So it goes on
 * when the window is closed or killed, and is shown again when the page is; one that was cut short goes on when it is started again.
 */
#include "app/session/tuning-private.h"

#include "app/session/run.h"
#include "app/session/sizes.h"
#include "app/session/tuning-start.h"
#include "app/session/tuning-tree.h"
#include "engine/schedule/space/space.h"
#include "engine/script/printer.h"

#include <glib/gi18n.h>
#include <string.h>

G_DEFINE_FINAL_TYPE (LsEngineTuning, ls_engine_tuning, LS_TYPE_TUNING)

/* ---- what is wished -------------------------------------------------------------------- */

static void
tuning_branch (LsTuning       *tuning,
               LsDecisionItem *above,
               GPtrArray      *below)
{
  ls_tuning_tree_branch (LS_ENGINE_TUNING (tuning)->tree, above, below);
}

static void
tuning_show_task (LsTuning *tuning,
                  guint     number)
{
  ls_engine_tuning_show_task (LS_ENGINE_TUNING (tuning), number);
}

/* Is it a module that is searched as a whole? */
static gboolean
is_relax (LsModule *module)
{
  for (guint i = 0; i < ls_array_n (module->functions); i++)
    if (!ls_is (module->functions->items[i], PRIM_FUNC))
      return TRUE;
  return FALSE;
}

static const char *
tuning_get_refusal (LsTuning *tuning)
{
  LsEngineTuning *self = LS_ENGINE_TUNING (tuning);
  LsHistoryNode *node = ls_document_get_node (self->document);
  LsModule *module = node != NULL ? ls_schedule_get_module (node->schedule) : NULL;
  const char *func;
  const LsFor *loop;

  if (node == NULL)
    return _("There is no program to search schedules of.");
  if (is_relax (module))
    return NULL;
  func = ls_run_function (module);
  if (func == NULL)
    return _("Without a TensorIR function there is nothing to schedule here.");
  loop = ls_space_dynamic_loop (ls_module_get (module, func));
  if (loop == NULL)
    return NULL;
  g_free (self->refusal);
  self->refusal = g_strdup_printf (_("How often loop %s runs is no fixed number, and a search divides such numbers: it takes a program with numbers for its sizes."),
                                   loop->loop_var->name);
  return self->refusal;
}

/* What symbolic sizes are given as, "n=256 m=8", or NULL. (transfer full) */
static char *
sizes_of (LsEngineTuning *self)
{
  g_autoptr (GPtrArray) list = ls_sizes_list (self->document);

  if (list->len == 0)
    return NULL;
  g_ptr_array_add (list, NULL);
  return g_strjoinv (" ", (char **) list->pdata);
}

/* The program at a node as the process gets it; with other sizes it is searched anew, so they stand in it. (transfer full) */
static char *
text_at (LsEngineTuning *self,
         guint           node)
{
  const LsScriptPrintOptions whole = { .show_meta = TRUE };

  char *text = ls_script_print (ls_schedule_get_module (ls_history_get (ls_document_get (self->document)->history, node)->schedule), &whole, NULL);
  g_autofree char *sizes = sizes_of (self), *alone = sizes != NULL ? text : NULL;

  return sizes != NULL ? g_strdup_printf ("# sizes: %s\n%s", sizes, alone) : text;
}

/* The tasks of a module have runs beside its own. Of NULL where there is none. */
static const char *
choose_run (char       **names,
            const char  *folder)
{
  g_autofree char *own = g_path_get_basename (folder);

  for (guint i = 0; names[i] != NULL; i++)
    if (strcmp (names[i], own) == 0)
      return names[i];
  return names[0];
}

/* Follows the search of the program at a node that goes on, or how the last one ended.  FALSE: there was none. */
static gboolean
find (LsEngineTuning *self,
      guint           node)
{
  g_autofree char *text = text_at (self, node), *folder = ls_search_run_folder (text);
  g_auto (GStrv) names = ls_search_run_list (folder);

  if (names[0] == NULL)
    return FALSE;
  ls_engine_tuning_clear (self);
  self->node = node;
  ls_engine_tuning_follow (self, folder, choose_run (names, folder));
  return TRUE;
}

static void
tuning_look (LsTuning *tuning)
{
  LsEngineTuning *self = LS_ENGINE_TUNING (tuning);
  const LsDocumentRecord *opened = ls_document_get (self->document);
  g_autofree char *none = ls_search_run_folder (""), *folders = g_path_get_dirname (none);

  if (self->run != NULL || self->starting != NULL || opened->history == NULL || opened->number + 1 == self->looked || tuning_get_refusal (tuning) != NULL)
    return;
  self->looked = opened->number + 1;
  /* Who never searched has no program printed for it. */
  if (!g_file_test (folders, G_FILE_TEST_IS_DIR))
    return;
  if (!find (self, 0) && opened->current != 0)
    find (self, opened->current);
}

/* ---- starting the process ----
 *
 * Whatever the command that starts it says: where there is a run it is followed, for its log knows best.  It may have begun late, or be over before
 * anybody saw it begin.
 */

typedef struct {
  LsEngineTuning *self;         /* held */
  char           *folder;
} Starting;

static void
starting_free (Starting *starting)
{
  g_object_unref (starting->self);
  g_free (starting->folder);
  g_free (starting);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Starting, starting_free)

static void
started (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  g_autoptr (Starting) starting = data;
  LsEngineTuning *self = starting->self;
  g_autofree char *said = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;
  gboolean done = g_subprocess_communicate_utf8_finish (G_SUBPROCESS (source), result, NULL, &said, &error);

  /* Another program is shown meanwhile: the search goes on without us. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->starting);
  names = ls_search_run_list (starting->folder);
  if ((!done || !g_subprocess_get_successful (G_SUBPROCESS (source))) &&
      (names[0] == NULL || ls_search_run_get_holder (starting->folder, choose_run (names, starting->folder)) == 0))
    self->unstarted = error != NULL ? g_strdup (error->message) : g_strdup (said != NULL ? g_strstrip (said) : NULL);
  if (names[0] != NULL)
    ls_engine_tuning_follow (self, starting->folder, choose_run (names, starting->folder));
  else
    ls_tuning_clear (LS_TUNING (self));
  if (self->unstarted != NULL)
    ls_tuning_tell (LS_TUNING (self), self->unstarted);
}

/* FALSE with the reason. */
static gboolean
spawn (LsEngineTuning  *self,
       const char      *text,
       guint            trials,
       guint            seconds,
       GError         **error)
{
  const LsDocumentRecord *opened = ls_document_get (self->document);
  LsModule *module = ls_schedule_get_module (ls_history_get (opened->history, self->node)->schedule);
  g_autofree char *sizes = sizes_of (self);
  const LsTuningCommand command = { text, is_relax (module) ? NULL : ls_run_function (module), opened->target, is_relax (module) ? NULL : sizes,
                                    ls_tuning_get_queue (LS_TUNING (self)), trials, seconds };
  g_autoptr (GSubprocess) child = ls_tuning_spawn (&command, error);
  Starting *starting;

  if (child == NULL)
    return FALSE;
  self->starting = g_cancellable_new ();
  starting = g_new0 (Starting, 1);
  starting->self = g_object_ref (self);
  starting->folder = ls_search_run_folder (text);
  g_subprocess_communicate_utf8_async (child, NULL, self->starting, started, starting);
  return TRUE;
}

static void
tuning_start (LsTuning *tuning,
              gboolean  shown,
              guint     trials,
              guint     seconds)
{
  LsEngineTuning *self = LS_ENGINE_TUNING (tuning);
  const LsDocumentRecord *opened = ls_document_get (self->document);
  const LsTuningRecord begun = { .state = LS_TUNING_RUNNING, .planned = trials, .seconds_left = -1.0 };
  g_autoptr (LsFleetAddress) queue = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (tuning_get_refusal (tuning) != NULL)
    return;
  if (*ls_tuning_get_queue (tuning) != '\0' && (queue = ls_fleet_address_parse (ls_tuning_get_queue (tuning), NULL, &error)) == NULL)
    {
      ls_tuning_tell (tuning, error->message);
      return;
    }
  ls_engine_tuning_let_go (self);
  ls_engine_tuning_clear (self);
  self->node = shown ? opened->current : 0;
  self->number = opened->number;
  text = text_at (self, self->node);
  if (spawn (self, text, trials, seconds, &error))
    ls_tuning_set (tuning, &begun);
  else
    ls_tuning_tell (tuning, error->message);
}

static void
wish (LsEngineTuning *self,
      const char     *what)
{
  if (self->run != NULL && !ls_search_run_wish (self->run, what, NULL))
    ls_tuning_tell (LS_TUNING (self), ls_tuning_end_words (LS_SEARCH_RUN_LOST));
}

static void
tuning_pause (LsTuning *tuning)
{
  wish (LS_ENGINE_TUNING (tuning), "pause");
}

static void
tuning_resume (LsTuning *tuning)
{
  wish (LS_ENGINE_TUNING (tuning), "resume");
}

static void
tuning_stop (LsTuning *tuning)
{
  LsEngineTuning *self = LS_ENGINE_TUNING (tuning);

  if (self->run == NULL || ls_search_run_get_state (self->run) == LS_SEARCH_ENDED)
    return;
  self->stopping = TRUE;
  wish (self, "stop");
  ls_engine_tuning_changed (self);
}

static void
tuning_open (LsTuning    *tuning,
             LsTrialItem *item)
{
  ls_engine_tuning_open (LS_ENGINE_TUNING (tuning), item);
}

static void
tuning_keep_all (LsTuning *tuning)
{
  ls_engine_tuning_keep_all (LS_ENGINE_TUNING (tuning));
}

static gboolean
tuning_compare (LsTuning    *tuning,
                LsTrialItem *left,
                LsTrialItem *right,
                guint        nodes[2])
{
  return ls_engine_tuning_compare (LS_ENGINE_TUNING (tuning), left, right, nodes);
}

/* ---- life ---------------------------------------------------------------------------------- */

void
ls_engine_tuning_forget (LsEngineTuning *self)
{
  ls_engine_tuning_let_go (self);
  ls_engine_tuning_clear (self);
  self->looked = 0;
}

static void
ls_engine_tuning_finalize (GObject *object)
{
  LsEngineTuning *self = LS_ENGINE_TUNING (object);

  ls_engine_tuning_let_go (self);
  g_hash_table_unref (self->opened);
  g_free (self->refusal);
  g_free (self->trouble);
  g_free (self->unstarted);
  g_free (self->folder);
  g_clear_pointer (&self->tree, ls_tune_tree_free);
  g_object_unref (self->document);
  G_OBJECT_CLASS (ls_engine_tuning_parent_class)->finalize (object);
}

static void
ls_engine_tuning_class_init (LsEngineTuningClass *klass)
{
  LsTuningClass *tuning = LS_TUNING_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ls_engine_tuning_finalize;
  tuning->start = tuning_start;
  tuning->look = tuning_look;
  tuning->pause = tuning_pause;
  tuning->resume = tuning_resume;
  tuning->stop = tuning_stop;
  tuning->open = tuning_open;
  tuning->compare = tuning_compare;
  tuning->branch = tuning_branch;
  tuning->show_task = tuning_show_task;
  tuning->keep_all = tuning_keep_all;
  tuning->get_refusal = tuning_get_refusal;
}

static void
ls_engine_tuning_init (LsEngineTuning *self)
{
  self->opened = g_hash_table_new (NULL, NULL);
}

LsTuning *
ls_engine_tuning_new (LsDocument *document)
{
  LsEngineTuning *self = g_object_new (LS_TYPE_ENGINE_TUNING, NULL);

  self->document = g_object_ref (document);
  return LS_TUNING (self);
}
