/* LsScriptHover: a GtkSourceHoverProvider that asks a view of ours. */
#include "views/script/hover.h"

#include "views/parts/later.h"
#include "views/script/card.h"

#include <glib/gi18n.h>

#define LEFT_MS 300             /* to get from the word into the card */

#define LS_TYPE_SCRIPT_HOVER (ls_script_hover_get_type ())
G_DECLARE_FINAL_TYPE (LsScriptHover, ls_script_hover, LS, SCRIPT_HOVER, GObject)

struct _LsScriptHover
{
  GObject          parent_instance;

  LsScriptDescribe          describe;
  GtkWidget                *owner;      /* weak */
  GtkWidget                *card;       /* weak: what was said last */
  GtkEventControllerMotion *pointer;    /* of the text; borrowed, and only looked at while there is an owner */
};

/* GtkSourceView 5.6 takes a card away when the pointer goes on in the text, not when it leaves that. */
static void
take_away (gpointer object)
{
  LsScriptHover *self = object;
  GtkWidget *popover = self->card != NULL ? gtk_widget_get_ancestor (self->card, GTK_TYPE_POPOVER) : NULL;

  if (popover != NULL && self->owner != NULL && !gtk_event_controller_motion_contains_pointer (self->pointer) &&
      (gtk_widget_get_state_flags (popover) & GTK_STATE_FLAG_PRELIGHT) == 0)
    gtk_popover_popdown (GTK_POPOVER (popover));
}

static void
left (LsScriptHover *self)
{
  ls_later (self, G_PRIORITY_DEFAULT, LEFT_MS, take_away);
}

static void
show (LsScriptHover         *self,
      GtkSourceHoverDisplay *display,
      const char            *words)
{
  GtkWidget *card = ls_script_card_label (words);
  GtkEventController *pointer = gtk_event_controller_motion_new ();

  g_signal_connect_object (pointer, "leave", G_CALLBACK (left), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (card, pointer);
  gtk_source_hover_display_append (display, card);
  g_set_weak_pointer (&self->card, card);
}

static gboolean
populate (GtkSourceHoverProvider  *provider,
          GtkSourceHoverContext   *context,
          GtkSourceHoverDisplay   *display,
          GError                 **error)
{
  LsScriptHover *self = LS_SCRIPT_HOVER (provider);
  g_autofree char *words = NULL;
  GtkTextIter iter;

  if (self->owner != NULL && gtk_source_hover_context_get_iter (context, &iter))
    words = self->describe (self->owner, &iter);
  if (words == NULL)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, _("nothing is told of what stands there"));
      return FALSE;
    }
  show (self, display, words);
  return TRUE;
}

static void
provider_init (GtkSourceHoverProviderInterface *iface)
{
  iface->populate = populate;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (LsScriptHover, ls_script_hover, G_TYPE_OBJECT, G_IMPLEMENT_INTERFACE (GTK_SOURCE_TYPE_HOVER_PROVIDER, provider_init))

static void
ls_script_hover_dispose (GObject *object)
{
  g_clear_weak_pointer (&LS_SCRIPT_HOVER (object)->owner);
  g_clear_weak_pointer (&LS_SCRIPT_HOVER (object)->card);
  G_OBJECT_CLASS (ls_script_hover_parent_class)->dispose (object);
}

static void
ls_script_hover_class_init (LsScriptHoverClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ls_script_hover_dispose;
}

static void
ls_script_hover_init (LsScriptHover *self)
{
}

void
ls_script_hover_attach (GtkSourceView    *view,
                        LsScriptDescribe  describe,
                        GtkWidget        *owner)
{
  g_autoptr (LsScriptHover) self = g_object_new (LS_TYPE_SCRIPT_HOVER, NULL);
  GtkEventController *pointer = gtk_event_controller_motion_new ();

  self->describe = describe;
  self->pointer = GTK_EVENT_CONTROLLER_MOTION (pointer);
  g_set_weak_pointer (&self->owner, owner);
  g_signal_connect_object (pointer, "leave", G_CALLBACK (left), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (view), pointer);
  gtk_source_hover_add_provider (gtk_source_view_get_hover (view), GTK_SOURCE_HOVER_PROVIDER (self));
}
