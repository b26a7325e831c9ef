/* window/target: the dialog, and what is said when the target changed, by it or by a move. */
#include "app/window/target.h"

#include "app/window/actions.h"
#include "app/session/engine.h"
#include "engine/tir/device.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <string.h>

/* Kinds without a tag. */
static const char *const kinds[] = { "llvm", "cuda", "opencl", "rocm", "metal", "vulkan", "nvptx" };

typedef struct {
  LsWindow         *window;             /* the dialog lives no longer than it */
  LsEngineSession  *session;
  AdwMessageDialog *dialog;
  GtkEditable      *entry;
  GtkLabel         *words;
} Ask;

/* What the typed target allows, or why there is no such one. (transfer full) */
static char *
describe (const char *target,
          gboolean   *good)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsDeviceTarget) device = NULL;

  *good = strcmp (target, "llvm") == 0 || g_str_has_prefix (target, "llvm ");
  if (*good)
    return g_strdup (_("This machine’s processor: loops run one after the other, in vectors, or on its cores."));
  device = ls_device_target_parse (target, &error);
  *good = device != NULL;
  if (device == NULL)
    return g_strdup (error->message);
  /* Translators: kind of a target, size of a warp, threads, KiB. */
  return g_strdup_printf (_("%s: warps of %d threads, at most %d threads and %d KiB of shared memory in a block."), device->kind, (int) device->warp_size,
                          (int) device->max_threads, (int) (device->max_shared >> 10));
}

static void
typed (Ask *self)
{
  gboolean good;
  g_autofree char *words = describe (gtk_editable_get_text (self->entry), &good);

  gtk_label_set_label (self->words, words);
  adw_message_dialog_set_response_enabled (self->dialog, "change", good);
}

static void
picked (GtkDropDown *known,
        GParamSpec  *pspec,
        Ask         *self)
{
  GtkStringObject *item = gtk_drop_down_get_selected_item (known);

  if (item != NULL && gtk_drop_down_get_selected (known) > 0)
    gtk_editable_set_text (self->entry, gtk_string_object_get_string (item));
}

static void
answered (AdwMessageDialog *dialog,
          const char       *response,
          Ask              *self)
{
  if (strcmp (response, "change") == 0)
    ls_window_set_target (self->window, self->session, gtk_editable_get_text (self->entry));
}

/* (transfer none, floating) */
static GtkWidget *
known_targets (void)
{
  guint n;
  const LsDeviceTag *tags = ls_device_tags (&n);
  GtkStringList *list = gtk_string_list_new (NULL);

  gtk_string_list_append (list, _("Known targets"));
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    gtk_string_list_append (list, kinds[i]);
  for (guint i = 0; i < n; i++)
    gtk_string_list_append (list, tags[i].name);
  return gtk_drop_down_new (G_LIST_MODEL (list), NULL);
}

void
ls_window_ask_target (LsWindow        *self,
                      LsEngineSession *session)
{
  Ask *ask = g_new0 (Ask, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12), *entry = gtk_entry_new (), *known = known_targets (), *words = gtk_label_new (NULL);

  ask->window = self;
  ask->session = session;
  ask->dialog = ADW_MESSAGE_DIALOG (adw_message_dialog_new (GTK_WINDOW (self), _("Target"), _("What the program is made for. The steps stay as they are.")));
  ask->entry = GTK_EDITABLE (entry);
  ask->words = GTK_LABEL (words);
  adw_message_dialog_add_responses (ask->dialog, "cancel", _("Cancel"), "change", _("Change"), NULL);
  adw_message_dialog_set_response_appearance (ask->dialog, "change", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ask->dialog, "change");
  adw_message_dialog_set_close_response (ask->dialog, "cancel");
  gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Target, as TVM writes it"), -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (known), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Known targets"), -1);
  gtk_label_set_wrap (GTK_LABEL (words), TRUE);
  gtk_label_set_xalign (GTK_LABEL (words), 0.0f);
  gtk_label_set_width_chars (GTK_LABEL (words), 44);
  gtk_label_set_max_width_chars (GTK_LABEL (words), 44);
  gtk_widget_add_css_class (words, "reason");
  gtk_box_append (GTK_BOX (box), entry);
  gtk_box_append (GTK_BOX (box), known);
  gtk_box_append (GTK_BOX (box), words);
  adw_message_dialog_set_extra_child (ask->dialog, box);
  gtk_editable_set_text (ask->entry, ls_engine_session_get_target (session));
  typed (ask);
  g_signal_connect_swapped (entry, "changed", G_CALLBACK (typed), ask);
  g_signal_connect (known, "notify::selected", G_CALLBACK (picked), ask);
  g_signal_connect_data (ask->dialog, "response", G_CALLBACK (answered), ask, (GClosureNotify) (GCallback) g_free, 0);
  gtk_widget_add_css_class (GTK_WIDGET (ask->dialog), "loopscope");
  gtk_window_present (GTK_WINDOW (ask->dialog));
}

void
ls_window_set_target (LsWindow        *self,
                      LsEngineSession *session,
                      const char      *target)
{
  g_autoptr (GError) error = NULL;

  if (!ls_engine_session_set_target (session, target, &error))
    ls_window_say (self, _("The target stays as it is"), error->message);
}

static void
changed (LsEngineSession *session,
         const char      *old,
         LsWindow        *self)
{
  const char *target = ls_engine_session_get_target (session);
  g_autofree char *words = g_strdup_printf (_("The target is %s now"), target), *back = NULL;
  g_autoptr (GVariant) parameter = g_variant_ref_sink (g_variant_new_string (old));

  back = g_action_print_detailed_name ("win.set-target", parameter);
  ls_window_offer (self, words, ls_device_target_is (target) ? _("Loops can be bound to its threads; Threads (in Tools) runs them here, without the device.") : NULL,
                   _("Change back"), back);
}

void
ls_window_watch_target (LsWindow        *self,
                        LsEngineSession *session)
{
  g_signal_connect_object (session, "target-changed", G_CALLBACK (changed), self, 0);
}
