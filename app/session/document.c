/* LsDocument: a record with two signals. */
#include "app/session/document.h"

#include "views/models/session.h"

struct _LsDocument
{
  GObject          parent_instance;

  LsDocumentRecord record;
  LsHistory       *other;
  guint            other_node;
};

enum { MOVED, CHANGED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (LsDocument, ls_document, G_TYPE_OBJECT)

const LsDocumentRecord *
ls_document_get (LsDocument *self)
{
  return &self->record;
}

LsHistoryNode *
ls_document_get_node (LsDocument *self)
{
  return self->record.history != NULL ? ls_history_get (self->record.history, self->record.current) : NULL;
}

LsModule *
ls_document_get_base (LsDocument *self)
{
  return self->record.history != NULL ? ls_schedule_get_module (ls_history_get (self->record.history, 0)->schedule) : NULL;
}

/* ---- another document --------------------------------------------------------- */

void
ls_document_renew (LsDocument *self)
{
  self->record.number++;
  g_clear_pointer (&self->record.device, g_free);
}

void
ls_document_set_device (LsDocument *self,
                        const char *device)
{
  char *copy = g_strdup (device);

  g_free (self->record.device);
  self->record.device = copy;
}

void
ls_document_set_history (LsDocument *self,
                         LsHistory  *history,
                         guint       current)
{
  if (self->record.history != history)
    g_clear_pointer (&self->record.history, ls_history_free);
  self->record.history = history;
  self->record.current = current;
}

LsHistory *
ls_document_take_history (LsDocument *self)
{
  return g_steal_pointer (&self->record.history);
}

void
ls_document_set_name (LsDocument *self,
                      const char *name)
{
  char *copy = g_strdup (name);

  g_free (self->record.name);
  self->record.name = copy;
}

void
ls_document_set_target (LsDocument *self,
                        const char *target)
{
  char *copy = g_strdup (target);

  g_free (self->record.target);
  self->record.target = copy;
}

void
ls_document_set_sizes (LsDocument *self,
                       const char *sizes)
{
  char *copy = sizes != NULL && *sizes != '\0' ? g_strdup (sizes) : NULL;

  g_free (self->record.sizes);
  self->record.sizes = copy;
}

void
ls_document_set_passes (LsDocument        *self,
                        const char *const *passes)
{
  g_strfreev (self->record.passes);
  self->record.passes = passes != NULL && passes[0] != NULL ? g_strdupv ((char **) passes) : NULL;
}

void
ls_document_set_styles (LsDocument        *self,
                        const char *const *styles)
{
  char **fresh = styles != NULL && styles[0] != NULL ? g_strdupv ((char **) styles) : NULL;

  g_strfreev (self->record.styles);
  self->record.styles = fresh;
}

void
ls_document_take_text (LsDocument *self,
                       char       *text)
{
  g_free (self->record.text);
  g_free (self->record.text_sum);
  self->record.text = text;
  self->record.text_sum = text != NULL ? g_compute_checksum_for_string (G_CHECKSUM_SHA1, text, -1) : NULL;
}

/* ---- steps ---------------------------------------------------------------------- */

void
ls_document_go (LsDocument *self,
                guint       id)
{
  guint from = self->record.current;

  self->record.current = id;
  ls_history_visit (self->record.history, id);
  g_signal_emit (self, signals[MOVED], 0, from);
}

gboolean
ls_document_apply (LsDocument    *self,
                   guint          at,
                   const char    *text,
                   LsDiagnostics *diagnostics)
{
  guint id = ls_history_apply (self->record.history, at, text, diagnostics);

  if (id != LS_HISTORY_NONE)
    ls_document_go (self, id);
  return id != LS_HISTORY_NONE;
}

void
ls_document_changed (LsDocument *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

/* ---- what it is compared with ------------------------------------------------------ */

void
ls_document_set_other (LsDocument *self,
                       LsHistory  *history,
                       guint       node)
{
  g_clear_pointer (&self->other, ls_history_free);
  self->other = history;
  self->other_node = node;
}

LsHistory *
ls_document_compared (LsDocument *self,
                      guint      *id)
{
  if (*id == LS_COMPARE_FILE)
    {
      *id = self->other_node;
      return self->other;
    }
  return self->record.history != NULL && *id < ls_history_get_n (self->record.history) ? self->record.history : NULL;
}

/* ---- class ---------------------------------------------------------------------------- */

static void
ls_document_finalize (GObject *object)
{
  LsDocument *self = LS_DOCUMENT (object);

  g_clear_pointer (&self->record.history, ls_history_free);
  g_clear_pointer (&self->other, ls_history_free);
  g_free (self->record.name);
  g_free (self->record.target);
  g_free (self->record.device);
  g_free (self->record.text);
  g_free (self->record.text_sum);
  g_free (self->record.sizes);
  g_strfreev (self->record.passes);
  g_strfreev (self->record.styles);
  G_OBJECT_CLASS (ls_document_parent_class)->finalize (object);
}

static void
ls_document_class_init (LsDocumentClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ls_document_finalize;
  signals[MOVED] = g_signal_new ("moved", LS_TYPE_DOCUMENT, G_SIGNAL_RUN_FIRST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[CHANGED] = g_signal_new ("changed", LS_TYPE_DOCUMENT, G_SIGNAL_RUN_FIRST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ls_document_init (LsDocument *self)
{
  self->record.target = g_strdup ("llvm");
}

LsDocument *
ls_document_new (void)
{
  return g_object_new (LS_TYPE_DOCUMENT, NULL);
}
