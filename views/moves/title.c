/* LsMoveTitle: see the header. */
#include "views/moves/title.h"

#include "views/parts/fit-label.h"
#include "views/parts/mark.h"

#include <glib/gi18n.h>
#include <inttypes.h>

struct _LsMoveTitle
{
  GtkWidget  parent_instance;

  GtkWidget *title;
  GtkWidget *chips;
  GtkWidget *name;
  GtkWidget *kind;
  GtkWidget *reduction;
  GtkWidget *subtitle;
};

G_DEFINE_FINAL_TYPE (LsMoveTitle, ls_move_title, GTK_TYPE_WIDGET)

/* How long it is and where, only how long, or nothing where even that has no room. (transfer full) */
static char **
selection_details (const LsLoopRecord *record)
{
  g_autoptr (GStrvBuilder) texts = g_strv_builder_new ();
  g_autofree char *extent = NULL, *place = NULL, *both = NULL;

  if (record->kind != LS_LOOP_BLOCK && record->extent >= 0)
    extent = g_strdup_printf (_("extent %" PRId64), record->extent);
  else if (record->kind != LS_LOOP_BLOCK && record->extent_text != NULL)
    extent = g_strdup_printf (_("extent %s"), record->extent_text);
  if (record->block != NULL)
    place = g_strdup_printf (_("in block %s"), record->block);
  if (extent != NULL && place != NULL)
    both = record->extent >= 0 ? g_strdup_printf (_("extent %" PRId64 ", in block %s"), record->extent, record->block)
                               : g_strdup_printf (_("extent %s, in block %s"), record->extent_text, record->block);
  if (both != NULL)
    g_strv_builder_add (texts, both);
  if (extent != NULL || place != NULL)
    g_strv_builder_add (texts, extent != NULL ? extent : place);
  g_strv_builder_add (texts, "");
  return g_strv_builder_end (texts);
}

void
ls_move_title_set (LsMoveTitle *self,
                   LsLoopItem  *item)
{
  const LsLoopRecord *record = item != NULL ? ls_loop_item_get (item) : NULL;
  const char *letter = record != NULL ? ls_loop_kind_letter (record->kind) : NULL;
  g_auto (GStrv) details = record != NULL ? selection_details (record) : g_new0 (char *, 1);

  gtk_label_set_label (GTK_LABEL (self->title), record != NULL ? _("Moves for") : _("Moves"));
  gtk_label_set_label (GTK_LABEL (self->name), record != NULL ? record->name : "");
  ls_fit_label_set (LS_FIT_LABEL (self->subtitle), (const char *const *) details);
  gtk_widget_set_visible (self->name, record != NULL);
  if (record != NULL && record->kind == LS_LOOP_BLOCK)
    ls_mark_set_badge (LS_MARK (self->chips), LS_BADGE_EMPTY, NULL);
  else
    ls_mark_set_families (LS_MARK (self->chips),
                          record != NULL ? &record->families : &LS_FAMILIES_NONE);
  if (letter != NULL)
    ls_mark_set_badge (LS_MARK (self->kind), ls_badge_for_kind (record->kind), letter);
  gtk_widget_set_visible (self->kind, letter != NULL);
  if (record != NULL && record->reduction)
    ls_mark_set_badge (LS_MARK (self->reduction), LS_BADGE_DOUBLE, "R");
  gtk_widget_set_visible (self->reduction, record != NULL && record->reduction);
}

static void
ls_move_title_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (ls_move_title_parent_class)->dispose (object);
}

static void
ls_move_title_class_init (LsMoveTitleClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_move_title_dispose;
  g_type_ensure (LS_TYPE_FIT_LABEL);
  g_type_ensure (LS_TYPE_MARK);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/loopscope/views/moves/title.ui");
#define BIND(name) gtk_widget_class_bind_template_child (widget_class, LsMoveTitle, name)
  BIND (title);
  BIND (chips);
  BIND (name);
  BIND (kind);
  BIND (reduction);
  BIND (subtitle);
#undef BIND
  gtk_widget_class_set_css_name (widget_class, "box");
}

static void
ls_move_title_init (LsMoveTitle *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
