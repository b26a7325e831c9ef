/* LsCodeGround: the ground of a run is as high as its own letters.
 *
 * Pango's background is as high as the line, with the room that line-height adds and with the highest letters beside the code: in
 * Chinese and Korean that is twice the code's own height, and the grounds of two lines meet.
 */
#include "app/learn/code-ground.h"

#include <string.h>

#define ACROSS 2.0f             /* beside the letters */
#define DOWN 1.0f               /* above and below them */
#define RADIUS 3.0f

struct _LsCodeGround
{
  GtkWidget  parent_instance;

  GtkWidget *label;
};

G_DEFINE_FINAL_TYPE (LsCodeGround, ls_code_ground, GTK_TYPE_WIDGET)

/* Is the run set in the face of code?  The markup asks for it by that name. */
static gboolean
is_code (PangoAttrList        *attrs,
         const PangoLayoutRun *run)
{
  g_autoptr (GSList) all = pango_attr_list_get_attributes (attrs);
  gboolean found = FALSE;

  for (GSList *l = all; l != NULL; l = l->next)
    {
      PangoAttribute *attr = l->data;
      PangoAttrString *family = pango_attribute_as_string (attr);

      if (attr->klass->type == PANGO_ATTR_FAMILY && family != NULL && strcmp (family->value, "monospace") == 0)
        found |= (guint) run->item->offset >= attr->start_index && (guint) run->item->offset < attr->end_index;
    }
  g_slist_foreach (all, (GFunc) pango_attribute_destroy, NULL);
  return found;
}

/* Runs of one stretch follow each other: they have one ground. */
static void
add_place (GArray                *places,
           const graphene_rect_t *place)
{
  graphene_rect_t *last = places->len > 0 ? &g_array_index (places, graphene_rect_t, places->len - 1) : NULL;

  if (last != NULL && ABS (last->origin.x + last->size.width - place->origin.x) < 0.5f &&
      ABS (last->origin.y - place->origin.y) < place->size.height / 2.0f)
    graphene_rect_union (last, place, last);
  else
    g_array_append_val (places, *place);
}

GArray *
ls_code_ground_places (GtkLabel *label)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (graphene_rect_t));
  PangoLayout *layout = gtk_label_get_layout (label);
  PangoAttrList *attrs = pango_layout_get_attributes (layout);
  PangoLayoutIter *iter;
  int x, y;

  if (attrs == NULL)
    return places;
  iter = pango_layout_get_iter (layout);
  gtk_label_get_layout_offsets (label, &x, &y);
  do
    {
      PangoLayoutRun *run = pango_layout_iter_get_run_readonly (iter);
      PangoRectangle where, letters;
      int base = pango_layout_iter_get_baseline (iter);

      if (run == NULL || !is_code (attrs, run))
        continue;
      pango_layout_iter_get_run_extents (iter, NULL, &where);
      pango_glyph_string_extents (run->glyphs, run->item->analysis.font, NULL, &letters);
      add_place (places, &GRAPHENE_RECT_INIT ((float) x + (float) where.x / PANGO_SCALE,
                                              (float) y + (float) (base + letters.y) / PANGO_SCALE,
                                              (float) where.width / PANGO_SCALE, (float) letters.height / PANGO_SCALE));
    }
  while (pango_layout_iter_next_run (iter));
  pango_layout_iter_free (iter);
  return places;
}

/* Thin grey, which light and dark share. */
static void
ls_code_ground_snapshot (GtkWidget   *widget,
                         GtkSnapshot *snapshot)
{
  LsCodeGround *self = LS_CODE_GROUND (widget);
  g_autoptr (GArray) places = ls_code_ground_places (GTK_LABEL (self->label));
  graphene_point_t origin;

  if (!gtk_widget_compute_point (self->label, widget, &GRAPHENE_POINT_INIT (0, 0), &origin))
    return;
  for (guint i = 0; i < places->len; i++)
    {
      const graphene_rect_t *place = &g_array_index (places, graphene_rect_t, i);
      GskRoundedRect outline;

      gsk_rounded_rect_init_from_rect (&outline, &GRAPHENE_RECT_INIT (origin.x + place->origin.x - ACROSS, origin.y + place->origin.y - DOWN,
                                                                      place->size.width + 2 * ACROSS, place->size.height + 2 * DOWN), RADIUS);
      gtk_snapshot_push_rounded_clip (snapshot, &outline);
      gtk_snapshot_append_color (snapshot, &(GdkRGBA) { 0.5f, 0.5f, 0.5f, 0.13f }, &outline.bounds);
      gtk_snapshot_pop (snapshot);
    }
  gtk_widget_snapshot_child (widget, self->label, snapshot);
}

static void
ls_code_ground_dispose (GObject *object)
{
  g_clear_pointer (&LS_CODE_GROUND (object)->label, gtk_widget_unparent);
  G_OBJECT_CLASS (ls_code_ground_parent_class)->dispose (object);
}

static void
ls_code_ground_class_init (LsCodeGroundClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ls_code_ground_dispose;
  GTK_WIDGET_CLASS (klass)->snapshot = ls_code_ground_snapshot;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
ls_code_ground_init (LsCodeGround *self)
{
}

GtkWidget *
ls_code_ground_new (GtkLabel *label)
{
  LsCodeGround *self = g_object_new (LS_TYPE_CODE_GROUND, NULL);

  self->label = GTK_WIDGET (label);
  gtk_widget_set_parent (self->label, GTK_WIDGET (self));
  return GTK_WIDGET (self);
}

GtkLabel *
ls_code_ground_get_label (LsCodeGround *self)
{
  return GTK_LABEL (self->label);
}
