/* turns-blocks: inputs to one function of very many blocks. */
#include "tests/ui/turns-private.h"

#include "app/session/engine.h"

/* Each block takes what the one before it made. (transfer full) */
static char *
blocks_text (guint n)
{
  GString *text = g_string_new ("@T.prim_func\ndef many(A: T.Buffer((64,), \"float32\"), B: T.Buffer((64,), \"float32\")):\n");

  for (guint i = 1; i < n; i++)
    g_string_append_printf (text, "    T%u = T.alloc_buffer((64,))\n", i);
  for (guint i = 1; i <= n; i++)
    {
      g_autofree char *from = i == 1 ? g_strdup ("A") : g_strdup_printf ("T%u", i - 1), *to = i == n ? g_strdup ("B") : g_strdup_printf ("T%u", i);

      g_string_append_printf (text, "    for i in range(64):\n        with T.block(\"b%u\"):\n            vi = T.axis.spatial(64, i)\n            %s[vi] = %s[vi] + T.float32(1)\n",
                              i, to, from);
    }
  return g_string_free (text, FALSE);
}

/* The loop in the midst of them is selected. */
static void
show_blocks (LsTurns *self,
             guint    n)
{
  g_autoptr (LsLoopItem) item = NULL;

  if (!ls_turns_finds (self, "blocks", n))
    {
      ls_turns_open_file (self, ls_turns_put_file ("blocks.py", blocks_text (n)));
      ls_turns_wait_for (self, ls_turns_has_functions, n);
      ls_turns_settle (self, COPY_MS);
    }
  item = g_list_model_get_item (ls_session_get_loops (self->session), n / 2);
  ls_session_select (self->session, ls_loop_item_get (item)->id);
}

static gboolean
has_moves (LsTurns *self,
           guint    n)
{
  return !ls_session_moves_are_due (self->session) && g_list_model_get_n_items (ls_session_get_moves (self->session)) > 0;
}

static gboolean
has_focus_in_moves (LsTurns *self,
                    guint    n)
{
  GtkWidget *view = ls_turns_find_type (GTK_WIDGET (self->window), "LsMovesView"), *focus = gtk_root_get_focus (GTK_ROOT (self->window));

  return view != NULL && focus != NULL && focus != view && gtk_widget_is_ancestor (focus, view);
}

void
ls_turns_focus_moves (LsTurns *self,
                      guint    n)
{
  show_blocks (self, n);
  ls_turns_begin (self);
  ls_turns_act (self, "win.focus-moves");
  ls_turns_wait_for (self, has_moves, 0);
  ls_turns_wait_for (self, has_focus_in_moves, 0);
  ls_turns_settle (self, COPY_MS);
}

void
ls_turns_edit_step (LsTurns *self,
                    guint    n)
{
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  g_autofree char *step = g_strdup_printf ("sch.split(sch.get_loops(sch.get_block(\"b%u\"))[0], [None, 4])\n", n / 2);

  show_blocks (self, n);
  ls_turns_wait_for (self, has_moves, 0);
  if (!ls_engine_session_apply_text (LS_ENGINE_SESSION (self->session), step, diagnostics))
    g_error ("the step is refused");
  ls_turns_wait_for (self, ls_turns_has_shown, self->n_shown + 1);
  ls_turns_settle (self, COPY_MS);
  ls_turns_begin (self);
  ls_turns_act (self, "win.edit-step");
  ls_turns_settle (self, COPY_MS);
}
