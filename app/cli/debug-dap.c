/* debug-dap: the Debug Adapter Protocol (microsoft.github.io/debug-adapter-protocol, 1.66) on standard input and output.
 *
 *   launch: program (a file), func, steps (a file), seed, set ("NAME=VALUE", ...), inputs (.npy, ...), toy, stopOnEntry
 *
 * There is one thread.  A frame is a statement under way, the innermost first, the function last.  Lines are those of the file where
 * the statement stands in it; what steps made is shown as a source of its own.  At the end of the run the client is told that it stands
 * there, so that it can step back; going on from there ends it.  While the run goes on, a request that arrives is answered
 * within a second or so.
 *
 * JSON and the frames of messages are jsonrpc-glib's; what a request means is here, what variables show in debug-dap-values.c.
 */
#include "app/cli/debug-dap-private.h"

#include "app/cli/input.h"

#include <gio/gunixinputstream.h>
#include <gio/gunixoutputstream.h>
#include <poll.h>
#include <string.h>

/* ---- the wire ------------------------------------------------------------------------------ */

static void
send (Dap      *self,
      GVariant *message)        /* floating */
{
  g_autoptr (GVariant) sunk = g_variant_ref_sink (message);
  g_autoptr (GError) error = NULL;

  if (!jsonrpc_output_stream_write_message (self->output, sunk, NULL, &error))
    self->is_over = TRUE;
}

static void
send_event (Dap          *self,
            const char   *name,
            GVariantDict *body)
{
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "seq", "x", ++self->seq);
  g_variant_dict_insert (&dict, "type", "s", "event");
  g_variant_dict_insert (&dict, "event", "s", name);
  if (body != NULL)
    g_variant_dict_insert_value (&dict, "body", g_variant_dict_end (body));
  send (self, g_variant_dict_end (&dict));
}

static void
respond (Dap          *self,
         GVariant     *request,
         GVariantDict *body,
         const char   *error)
{
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "seq", "x", ++self->seq);
  g_variant_dict_insert (&dict, "type", "s", "response");
  g_variant_dict_insert (&dict, "request_seq", "x", ls_params_int (request, "seq", 0));
  g_variant_dict_insert (&dict, "command", "s", ls_params_string (request, "command", ""));
  g_variant_dict_insert (&dict, "success", "b", error == NULL);
  if (error != NULL)
    g_variant_dict_insert (&dict, "message", "s", error);
  if (body != NULL)
    g_variant_dict_insert_value (&dict, "body", g_variant_dict_end (body));
  send (self, g_variant_dict_end (&dict));
}

/* Is there more to read? A run that goes on stops for it. */
static gboolean
is_asked (gpointer user_data)
{
  Dap *self = user_data;
  struct pollfd fd = { 0, POLLIN, 0 };

  return g_buffered_input_stream_get_available (G_BUFFERED_INPUT_STREAM (self->input)) > 0 || poll (&fd, 1, 0) > 0;
}

/* ---- where it stands -------------------------------------------------------------------------- */

static void
send_stopped (Dap        *self,
              const char *reason,
              const char *words)
{
  GVariantDict body;

  ls_dap_forget_values (self);
  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert (&body, "reason", "s", reason);
  g_variant_dict_insert (&body, "threadId", "x", (gint64) 1);
  g_variant_dict_insert (&body, "allThreadsStopped", "b", TRUE);
  if (words != NULL)
    {
      g_variant_dict_insert (&body, "description", "s", words);
      g_variant_dict_insert (&body, "text", "s", words);
    }
  send_event (self, "stopped", &body);
}

/* After a move: what the client is told. */
static void
tell_stop (Dap        *self,
           const char *reason)
{
  const LsDebugHit *hit = ls_debug_get_hit (self->debug);
  const GError *error = ls_run_get_error (ls_debug_get_run (self->debug));
  LsRunState state = ls_run_get_state (ls_debug_get_run (self->debug));

  self->was_at_end = state != LS_RUN_STANDS;
  if (state == LS_RUN_FAILED)
    send_stopped (self, "exception", error->message);
  else if (state == LS_RUN_FINISHED)
    send_stopped (self, "step", "The run is over; it can be stepped back.");
  else if (hit != NULL && hit->stop > 0)
    {
      gboolean is_access = hit->buffer != NULL;
      gboolean is_exception = self->nan_stop != 0 && hit->stop == self->nan_stop;

      send_stopped (self, is_exception ? "exception" : is_access ? "data breakpoint" : "breakpoint", hit->words);
    }
  else
    send_stopped (self, reason, NULL);
}

/* Goes on in a direction; requests that come in between are answered, and `pause` stops it. */
static void
go_on (Dap      *self,
       gboolean  backwards)
{
  self->is_running = TRUE;
  self->wants_pause = FALSE;
  ls_debug_seek (self->debug, backwards, NULL, FALSE);
  while (ls_debug_was_interrupted (self->debug))
    {
      ls_dap_take_one (self);
      if (self->wants_pause || self->is_over)
        break;
      if (!ls_debug_more (self->debug))
        ls_debug_seek (self->debug, backwards, NULL, FALSE);    /* what came in between went somewhere */
    }
  self->is_running = FALSE;
  if (self->is_over)
    return;
  if (self->wants_pause)
    send_stopped (self, "pause", NULL);
  else if (backwards && ls_debug_get_hit (self->debug) == NULL)
    send_stopped (self, "step", "The begin of the run.");
  else
    tell_stop (self, "breakpoint");
}

/* ---- requests ------------------------------------------------------------------------------------ */

static void
do_initialize (Dap      *self,
               GVariant *request,
               GVariant *arguments)
{
  static const char *const can[] = {
    "supportsConfigurationDoneRequest", "supportsConditionalBreakpoints", "supportsStepBack", "supportsEvaluateForHovers", "supportsDataBreakpoints",
    "supportsTerminateRequest", "supportsDelayedStackTraceLoading",
  };
  GVariantDict body, filter;
  GVariantBuilder filters;

  g_variant_dict_init (&body, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (can); i++)
    g_variant_dict_insert (&body, can[i], "b", TRUE);
  g_variant_dict_init (&filter, NULL);
  g_variant_dict_insert (&filter, "filter", "s", "nan");
  g_variant_dict_insert (&filter, "label", "s", "NaN or infinity is written");
  g_variant_dict_insert (&filter, "default", "b", FALSE);
  g_variant_builder_init (&filters, G_VARIANT_TYPE ("aa{sv}"));
  g_variant_builder_add_value (&filters, g_variant_dict_end (&filter));
  g_variant_dict_insert_value (&body, "exceptionBreakpointFilters", g_variant_builder_end (&filters));
  respond (self, request, &body, NULL);
}

static LsModule *
read_module (Dap       *self,
             GVariant  *arguments,
             char     **error)
{
  const char *program = ls_params_string (arguments, "program", NULL), *steps = ls_params_string (arguments, "steps", NULL);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = NULL;
  g_autoptr (LsSchedule) schedule = NULL;
  g_autofree char *text = NULL;

  if (program == NULL)
    {
      *error = g_strdup ("launch needs a program, the path of a file");
      return NULL;
    }
  self->path = g_strdup (program);
  if (!g_file_get_contents (program, &text, NULL, NULL))
    {
      *error = g_strdup_printf ("%s cannot be read", program);
      return NULL;
    }
  self->source = ls_source_new (program, text, -1);
  module = ls_script_parse (self->source, findings);
  if (module == NULL || ls_diagnostics_has_error (findings))
    {
      *error = ls_diagnostics_print (findings);
      return NULL;
    }
  if (ls_params_int (arguments, "toy", 0) > 0)
    {
      g_autoptr (GError) trouble = NULL;
      LsModule *toy = ls_debug_toy (module, ls_params_int (arguments, "toy", 0), NULL, &trouble);

      if (toy == NULL)
        {
          *error = g_strdup (trouble->message);
          return NULL;
        }
      ls_node_unref (LS_NODE (module));
      module = toy;
    }
  if (steps == NULL)
    return g_steal_pointer (&module);
  schedule = ls_cli_schedule_module ("debug", module, steps, 0);
  if (schedule == NULL)
    *error = g_strdup_printf ("the steps of %s do not apply", steps);
  return schedule != NULL ? ls_ref (ls_schedule_get_module (schedule)) : NULL;
}

static void
do_launch (Dap      *self,
           GVariant *request,
           GVariant *arguments)
{
  g_autofree char *words = NULL;
  g_autoptr (LsModule) module = self->debug == NULL ? read_module (self, arguments, &words) : NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) set = ls_params_strv (arguments, "set");
  g_auto (GStrv) files = ls_params_strv (arguments, "inputs");
  LsDebugInputs inputs = { (const char *const *) files, (const char *const *) set, (guint64) ls_params_int (arguments, "seed", 0) };

  if (module == NULL)
    {
      respond (self, request, NULL, words != NULL ? words : "the program runs already");
      return;
    }
  self->debug = ls_debug_new (module, ls_params_string (arguments, "func", NULL), &inputs, &error);
  if (self->debug == NULL)
    {
      respond (self, request, NULL, error->message);
      return;
    }
  ls_debug_set_asker (self->debug, is_asked, self);
  self->has_file = ls_debug_text_set_file (ls_debug_get_text (self->debug), self->source);
  self->stop_on_entry = ls_params_bool (arguments, "stopOnEntry", FALSE);
  respond (self, request, NULL, NULL);
  send_event (self, "initialized", NULL);
}

/* Adds one; 0: *error says why not. */
static guint
add_stop (Dap        *self,
          const char *words,
          GError    **error)
{
  LsStop *stop = ls_debug_stop_parse (self->debug, words, error);

  return stop != NULL ? ls_debug_add_stop (self->debug, stop) : 0;
}

static void
remove_stops (Dap    *self,
              GArray *stops)
{
  for (guint i = 0; i < stops->len; i++)
    ls_debug_remove_stop (self->debug, g_array_index (stops, guint, i));
  g_array_set_size (stops, 0);
}

static GVariant *
place_breakpoint (Dap      *self,
                  GVariant *wanted,
                  gboolean  of_file)
{
  gint64 line = ls_params_int (wanted, "line", 0);
  const char *condition = ls_params_string (wanted, "condition", NULL);
  g_autofree char *words = NULL;
  g_autoptr (GError) error = NULL;
  const LsDebugPlace *place;
  LsPrimFunc *func;
  guint number, id = 0;
  GVariantDict dict;

  place = of_file ? ls_debug_text_at_file_line (ls_debug_get_text (self->debug), (guint) line, &func, &number)
                  : ls_debug_text_at_line (ls_debug_get_text (self->debug), (guint) line, &func, &number);
  if (place != NULL)
    {
      words = g_strdup_printf ("line %u%s%s", place->line, condition != NULL && *condition != '\0' ? " if " : "", condition != NULL ? condition : "");
      id = add_stop (self, words, &error);
      if (id > 0)
        g_array_append_val (self->lines, id);
    }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "verified", "b", id > 0);
  g_variant_dict_insert (&dict, "line", "x", place != NULL ? (gint64) (of_file ? place->file_line : place->line) : line);
  if (id > 0)
    g_variant_dict_insert (&dict, "id", "x", (gint64) id);
  else
    g_variant_dict_insert (&dict, "message", "s", error != NULL ? error->message : "No statement begins on this line or after it.");
  return g_variant_dict_end (&dict);
}

static void
do_set_breakpoints (Dap      *self,
                    GVariant *request,
                    GVariant *arguments)
{
  g_autoptr (GVariant) source = ls_params_value (arguments, "source");
  g_autoptr (GVariant) wanted = ls_params_value (arguments, "breakpoints");
  gboolean of_file = self->has_file && (source == NULL || ls_params_int (source, "sourceReference", 0) == 0);
  GVariantBuilder list;
  GVariantDict body;

  remove_stops (self, self->lines);
  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (gsize i = 0; wanted != NULL && i < g_variant_n_children (wanted); i++)
    {
      g_autoptr (GVariant) child = g_variant_get_child_value (wanted, i);
      g_autoptr (GVariant) one = g_variant_is_of_type (child, G_VARIANT_TYPE_VARIANT) ? g_variant_get_variant (child) : g_variant_ref (child);

      g_variant_builder_add_value (&list, place_breakpoint (self, one, of_file));
    }
  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert_value (&body, "breakpoints", g_variant_builder_end (&list));
  respond (self, request, &body, NULL);
}

static void
do_set_exception_breakpoints (Dap      *self,
                              GVariant *request,
                              GVariant *arguments)
{
  g_auto (GStrv) filters = ls_params_strv (arguments, "filters");

  if (self->nan_stop != 0)
    ls_debug_remove_stop (self->debug, self->nan_stop);
  self->nan_stop = filters != NULL && g_strv_contains ((const char *const *) filters, "nan") ? add_stop (self, "nan", NULL) : 0;
  respond (self, request, NULL, NULL);
}

static void
do_data_breakpoint_info (Dap      *self,
                         GVariant *request,
                         GVariant *arguments)
{
  const char *name = ls_params_string (arguments, "name", "");
  g_autofree char *words = g_strconcat ("write ", name, NULL);
  LsStop *stop = ls_debug_stop_parse (self->debug, words, NULL);
  GVariantDict body;

  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert (&body, "description", "s", name);
  if (stop != NULL)
    {
      g_variant_dict_insert (&body, "dataId", "s", name);
      g_variant_dict_insert_value (&body, "accessTypes", g_variant_new_strv ((const char *const[]) { "read", "write" }, 2));
      ls_stop_free (stop);
    }
  else
    g_variant_dict_insert (&body, "dataId", "mv", NULL);
  respond (self, request, &body, NULL);
}

static void
do_set_data_breakpoints (Dap      *self,
                         GVariant *request,
                         GVariant *arguments)
{
  g_autoptr (GVariant) wanted = ls_params_value (arguments, "breakpoints");
  GVariantBuilder list;
  GVariantDict body;

  remove_stops (self, self->data);
  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (gsize i = 0; wanted != NULL && i < g_variant_n_children (wanted); i++)
    {
      g_autoptr (GVariant) child = g_variant_get_child_value (wanted, i);
      g_autoptr (GVariant) one = g_variant_is_of_type (child, G_VARIANT_TYPE_VARIANT) ? g_variant_get_variant (child) : g_variant_ref (child);
      const char *condition = ls_params_string (one, "condition", "");
      g_autofree char *words = g_strdup_printf ("%s %s%s%s", g_str_equal (ls_params_string (one, "accessType", "write"), "read") ? "read" : "write",
                                                ls_params_string (one, "dataId", ""), *condition != '\0' ? " if " : "", condition);
      g_autoptr (GError) error = NULL;
      guint id = add_stop (self, words, &error);
      GVariantDict dict;

      g_variant_dict_init (&dict, NULL);
      g_variant_dict_insert (&dict, "verified", "b", id > 0);
      if (id > 0)
        g_array_append_val (self->data, id);
      else
        g_variant_dict_insert (&dict, "message", "s", error->message);
      g_variant_builder_add_value (&list, g_variant_dict_end (&dict));
    }
  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert_value (&body, "breakpoints", g_variant_builder_end (&list));
  respond (self, request, &body, NULL);
}

static void
do_configuration_done (Dap      *self,
                       GVariant *request,
                       GVariant *arguments)
{
  respond (self, request, NULL, NULL);
  if (self->stop_on_entry)
    send_stopped (self, "entry", NULL);
  else
    go_on (self, FALSE);
}

static void
do_threads (Dap      *self,
            GVariant *request,
            GVariant *arguments)
{
  GVariantDict body, thread;
  GVariantBuilder list;

  g_variant_dict_init (&thread, NULL);
  g_variant_dict_insert (&thread, "id", "x", (gint64) 1);
  g_variant_dict_insert (&thread, "name", "s", "interpreter");
  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  g_variant_builder_add_value (&list, g_variant_dict_end (&thread));
  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert_value (&body, "threads", g_variant_builder_end (&list));
  respond (self, request, &body, NULL);
}

static void
do_source (Dap      *self,
           GVariant *request,
           GVariant *arguments)
{
  GVariantDict body;

  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert (&body, "content", "s", ls_debug_get_text (self->debug)->text);
  g_variant_dict_insert (&body, "mimeType", "s", "text/x-python");
  respond (self, request, &body, NULL);
}

static void
do_move (Dap      *self,
         GVariant *request,
         GVariant *arguments)
{
  static const char *const moves[][2] = { { "next", "over" }, { "stepIn", "step" }, { "stepOut", "out" }, { "stepBack", "back-over" } };
  const char *name = ls_params_string (request, "command", "");

  respond (self, request, NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (moves); i++)
    if (strcmp (moves[i][0], name) == 0)
      {
        g_autoptr (GError) error = NULL;
        g_autoptr (GVariant) answer = NULL;

        if (self->was_at_end && strcmp (name, "stepBack") != 0)
          {
            send_event (self, "terminated", NULL);
            return;
          }
        answer = ls_debug_command (self->debug, moves[i][1], &error);
        if (answer == NULL)
          {
            /* out of no loop: the next statement that is no deeper */
            g_clear_error (&error);
            answer = ls_debug_command (self->debug, "over", &error);
          }
        tell_stop (self, "step");
      }
}

static void
do_continue (Dap      *self,
             GVariant *request,
             GVariant *arguments)
{
  GVariantDict body;

  g_variant_dict_init (&body, NULL);
  g_variant_dict_insert (&body, "allThreadsContinued", "b", TRUE);
  respond (self, request, &body, NULL);
  if (self->was_at_end)
    send_event (self, "terminated", NULL);
  else
    go_on (self, FALSE);
}

static void
do_reverse_continue (Dap      *self,
                     GVariant *request,
                     GVariant *arguments)
{
  respond (self, request, NULL, NULL);
  self->was_at_end = FALSE;
  go_on (self, TRUE);
}

static void
do_pause (Dap      *self,
          GVariant *request,
          GVariant *arguments)
{
  self->wants_pause = TRUE;
  respond (self, request, NULL, NULL);
  if (!self->is_running)
    send_stopped (self, "pause", NULL);
}

static void
do_leave (Dap      *self,
          GVariant *request,
          GVariant *arguments)
{
  respond (self, request, NULL, NULL);
  if (strcmp (ls_params_string (request, "command", ""), "terminate") == 0)
    send_event (self, "terminated", NULL);
  else
    self->is_over = TRUE;
}

/* ---- the table ------------------------------------------------------------------------------------ */

static void
answer_body (Dap       *self,
             GVariant  *request,
             GVariant  *arguments,
             GVariant *(*make) (Dap *, GVariant *, GError **))
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) body = make (self, arguments, &error);
  GVariantDict dict;

  g_variant_dict_init (&dict, body);
  respond (self, request, body != NULL ? &dict : NULL, error != NULL ? error->message : NULL);
  if (body == NULL)
    g_variant_dict_clear (&dict);
}

typedef struct {
  const char *name;
  gboolean    needs_run;
  void      (*does) (Dap *self, GVariant *request, GVariant *arguments);
  GVariant *(*make) (Dap *self, GVariant *arguments, GError **error);
} Request;

static const Request requests[] = {
  { "initialize", FALSE, do_initialize, NULL },
  { "launch", FALSE, do_launch, NULL },
  { "setBreakpoints", TRUE, do_set_breakpoints, NULL },
  { "setExceptionBreakpoints", TRUE, do_set_exception_breakpoints, NULL },
  { "dataBreakpointInfo", TRUE, do_data_breakpoint_info, NULL },
  { "setDataBreakpoints", TRUE, do_set_data_breakpoints, NULL },
  { "configurationDone", TRUE, do_configuration_done, NULL },
  { "threads", FALSE, do_threads, NULL },
  { "stackTrace", TRUE, NULL, ls_dap_stack_trace },
  { "scopes", TRUE, NULL, ls_dap_scopes },
  { "variables", TRUE, NULL, ls_dap_variables },
  { "evaluate", TRUE, NULL, ls_dap_evaluate },
  { "source", TRUE, do_source, NULL },
  { "next", TRUE, do_move, NULL },
  { "stepIn", TRUE, do_move, NULL },
  { "stepOut", TRUE, do_move, NULL },
  { "stepBack", TRUE, do_move, NULL },
  { "continue", TRUE, do_continue, NULL },
  { "reverseContinue", TRUE, do_reverse_continue, NULL },
  { "pause", TRUE, do_pause, NULL },
  { "disconnect", FALSE, do_leave, NULL },
  { "terminate", FALSE, do_leave, NULL },
};

/* What moves the run cannot be done while it goes on. */
static gboolean
is_move (const Request *request)
{
  return request->does == do_move || request->does == do_continue || request->does == do_reverse_continue || request->does == do_configuration_done
         || request->does == do_launch;
}

void
ls_dap_take_one (Dap *self)
{
  g_autoptr (GVariant) message = NULL;
  g_autoptr (GVariant) arguments = NULL;
  const char *name;

  if (!jsonrpc_input_stream_read_message (self->input, NULL, &message, NULL) || message == NULL)
    {
      self->is_over = TRUE;
      return;
    }
  if (!g_variant_is_of_type (message, G_VARIANT_TYPE_VARDICT) || strcmp (ls_params_string (message, "type", ""), "request") != 0)
    return;
  name = ls_params_string (message, "command", "");
  arguments = ls_params_value (message, "arguments");
  if (arguments == NULL || !g_variant_is_of_type (arguments, G_VARIANT_TYPE_VARDICT))
    {
      g_clear_pointer (&arguments, g_variant_unref);
      arguments = g_variant_ref_sink (g_variant_new_array (G_VARIANT_TYPE ("{sv}"), NULL, 0));
    }
  for (guint i = 0; i < G_N_ELEMENTS (requests); i++)
    {
      const Request *request = &requests[i];

      if (strcmp (request->name, name) != 0)
        continue;
      if (request->needs_run && self->debug == NULL)
        respond (self, message, NULL, "no program was launched");
      else if (self->is_running && is_move (request))
        respond (self, message, NULL, "the program runs");
      else if (request->does != NULL)
        request->does (self, message, arguments);
      else
        answer_body (self, message, arguments, request->make);
      return;
    }
  respond (self, message, NULL, "this request is not known");
}

int
ls_cli_debug_dap (void)
{
  g_autoptr (GInputStream) in = g_unix_input_stream_new (0, FALSE);
  g_autoptr (GOutputStream) out = g_unix_output_stream_new (1, FALSE);
  Dap self = { .input = jsonrpc_input_stream_new (in), .output = jsonrpc_output_stream_new (out) };

  self.lines = g_array_new (FALSE, FALSE, sizeof (guint));
  self.data = g_array_new (FALSE, FALSE, sizeof (guint));
  self.values = g_ptr_array_new_with_free_func (g_free);
  while (!self.is_over)
    ls_dap_take_one (&self);
  ls_debug_free (self.debug);
  g_clear_pointer (&self.source, ls_source_unref);
  g_array_unref (self.lines);
  g_array_unref (self.data);
  g_ptr_array_unref (self.values);
  g_free (self.path);
  g_object_unref (self.input);
  g_object_unref (self.output);
  return LS_CLI_DONE;
}
