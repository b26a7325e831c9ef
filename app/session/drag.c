/* session/drag: a loop dragged onto another: the two change their order, or the reason why they cannot. */
#include "app/session/drag.h"

#include "app/session/module.h"
#include "engine/schedule/moves/moves.h"

#include <glib/gi18n.h>

/* The text that puts the inner of the two around the outer; NULL with `reason` when that makes no sense. */
static char *
reorder_text (LsDocument  *document,
              guint64      from,
              guint64      to,
              char       **reason)
{
  const LsDocumentRecord *opened = ls_document_get (document);
  LsEntity *a = ls_session_find_entity (opened->history, opened->current, from);
  LsEntity *b = ls_session_find_entity (opened->history, opened->current, to);
  LsSchedule *schedule = ls_document_get_node (document)->schedule;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *inner = NULL, *outer = NULL;

  if (a == NULL || b == NULL || a->type != LS_ENTITY_LOOP || b->type != LS_ENTITY_LOOP)
    {
      *reason = g_strdup (_("Only loops can be put into another order."));
      return NULL;
    }
  inner = ls_schedule_place_text (schedule, a->depth > b->depth ? a->node : b->node, text);
  outer = ls_schedule_place_text (schedule, a->depth > b->depth ? b->node : a->node, text);
  if (inner == NULL || outer == NULL)
    {
      *reason = g_strdup (_("No block with a name of its own is in this loop."));
      return NULL;
    }
  g_string_append_printf (text, "sch.reorder(%s, %s)\n", inner, outer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

gboolean
ls_drag_reorder (LsDocument  *document,
                 guint64      from,
                 guint64      to,
                 gboolean     apply,
                 char       **reason)
{
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  g_autofree char *text = NULL;

  *reason = NULL;
  if (ls_document_get_node (document) == NULL || from == to)
    return FALSE;
  text = reorder_text (document, from, to, reason);
  if (text == NULL)
    return FALSE;
  if (apply)
    ls_document_apply (document, ls_document_get (document)->current, text, diagnostics);
  else
    {
      g_autoptr (LsSchedule) copy = ls_schedule_copy (ls_document_get_node (document)->schedule);
      g_autoptr (LsSource) source = ls_source_new ("move", text, -1);

      ls_schedule_apply_text (copy, source, 0, diagnostics);
    }
  if (!ls_diagnostics_has_error (diagnostics))
    return TRUE;
  *reason = g_strdup (ls_history_finding (diagnostics, LS_SEVERITY_ERROR)->message);
  return FALSE;
}
