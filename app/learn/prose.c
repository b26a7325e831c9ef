/* Blocks as labels, grids and pictures; one column, at most as wide as a line is readable. */
#include "app/learn/prose.h"

#include "app/learn/code-ground.h"
#include "app/learn/code-view.h"
#include "views/parts/scroller.h"

#include <glib/gi18n.h>
#include <string.h>

#define LINE_CHARS 64
#define CELL_CHARS 28
#define PICTURE_HEIGHT 280

void
ls_set_label (GtkWidget  *widget,
              const char *label)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

void
ls_set_unhyphenated (GtkLabel *label)
{
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_insert_hyphens_new (FALSE));
  gtk_label_set_attributes (label, attributes);
}

void
ls_set_icon_and_word (GtkButton  *button,
                      const char *icon,
                      const char *word)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name (icon));
  gtk_box_append (GTK_BOX (box), gtk_label_new (word));
  gtk_button_set_child (button, box);
  ls_set_label (GTK_WIDGET (button), word);
}

/* Code in a sentence is a little smaller than the words. (transfer full) */
static char *
set_code (const char *markup)
{
  g_autoptr (GString) text = g_string_new (markup);

  g_string_replace (text, "<tt>", "<span face=\"monospace\" size=\"92%\">", 0);
  g_string_replace (text, "</tt>", "</span>", 0);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static GtkWidget *
make_wide_label (const char *markup,
                 const char *class,
                 int         chars)
{
  GtkWidget *label = gtk_label_new (NULL);
  g_autofree char *set = set_code (markup);

  gtk_label_set_markup (GTK_LABEL (label), set);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_label_set_max_width_chars (GTK_LABEL (label), chars);
  ls_set_unhyphenated (GTK_LABEL (label));
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_focusable (label, FALSE);
  if (class != NULL)
    gtk_widget_add_css_class (label, class);
  return strstr (markup, "<tt>") != NULL ? ls_code_ground_new (GTK_LABEL (label)) : label;
}

static GtkWidget *
make_label (const char *markup,
            const char *class)
{
  return make_wide_label (markup, class, LINE_CHARS);
}

static GtkWidget *
make_code (const LsLessonBlock *block)
{
  GtkWidget *scroll = ls_scroller_new_wide (ls_code_view_new (block->text, FALSE, _("Code in the text")));

  gtk_widget_add_css_class (scroll, "lesson-quote-code");
  if (block->recorded)
    {
      GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4), *words = make_label (_("As recorded in the file:"), "dim");

      gtk_box_append (GTK_BOX (box), words);
      gtk_box_append (GTK_BOX (box), scroll);
      return box;
    }
  return scroll;
}

static GtkWidget *
make_table (const LsLessonBlock *block)
{
  GtkWidget *grid = gtk_grid_new ();
  g_auto (GStrv) rows = g_strsplit (block->markup, "\n", -1);

  for (int i = 0; rows[i] != NULL; i++)
    {
      g_auto (GStrv) cells = g_strsplit (rows[i], "\t", -1);

      for (int k = 0; cells[k] != NULL; k++)
        {
          GtkWidget *label = make_wide_label (cells[k], i == 0 ? "strong" : NULL, CELL_CHARS);

          gtk_widget_set_valign (label, GTK_ALIGN_START);
          gtk_grid_attach (GTK_GRID (grid), label, k, i, 1, 1);
        }
    }
  gtk_grid_set_column_spacing (GTK_GRID (grid), 16);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 4);
  return grid;
}

static GtkWidget *
make_image (const LsLessonBlock *block,
            const char          *folder)
{
  g_autofree char *path = g_build_filename (folder, block->target, NULL);
  GtkWidget *picture;
  g_autofree char *words = NULL;

  if (strstr (block->target, "://") != NULL || strstr (block->target, "..") != NULL || !g_file_test (path, G_FILE_TEST_IS_REGULAR))
    {
      words = g_markup_printf_escaped ("[picture: %s]", *block->text != 0 ? block->text : block->target);
      return make_label (words, "reason");
    }
  picture = gtk_picture_new_for_filename (path);
  gtk_picture_set_can_shrink (GTK_PICTURE (picture), TRUE);
  gtk_picture_set_alternative_text (GTK_PICTURE (picture), block->text);
  gtk_widget_set_size_request (picture, -1, PICTURE_HEIGHT);
  gtk_widget_set_halign (picture, GTK_ALIGN_START);
  return picture;
}

static GtkWidget *
make_item (const LsLessonBlock *block)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *marker = gtk_label_new (block->marker != NULL ? block->marker : "");
  GtkWidget *label = make_label (block->markup, NULL);

  gtk_widget_set_valign (marker, GTK_ALIGN_START);
  gtk_widget_set_size_request (marker, 18, -1);
  gtk_label_set_xalign (GTK_LABEL (marker), 1.0f);
  gtk_widget_set_margin_start (box, 16 * (block->level - 1));
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (box), marker);
  gtk_box_append (GTK_BOX (box), label);
  return box;
}

static GtkWidget *
make_block (const LsLessonBlock *block,
            const char          *folder)
{
  switch (block->kind)
    {
    case LS_BLOCK_HEADING:
      return make_label (block->markup, block->level <= 2 ? "lesson-heading" : "lesson-subheading");
    case LS_BLOCK_PARAGRAPH:
      return make_label (block->markup, NULL);
    case LS_BLOCK_ITEM:
      return make_item (block);
    case LS_BLOCK_QUOTE:
      return make_label (block->markup, "lesson-quote");
    case LS_BLOCK_CODE:
      return make_code (block);
    case LS_BLOCK_TABLE:
      return make_table (block);
    case LS_BLOCK_IMAGE:
      return make_image (block, folder);
    case LS_BLOCK_RULE:
      return gtk_separator_new (GTK_ORIENTATION_HORIZONTAL);
    }

  return gtk_label_new (NULL);
}

GtkWidget *
ls_prose_new (GPtrArray  *blocks,
              const char *folder)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 10);

  for (guint i = 0; blocks != NULL && i < blocks->len; i++)
    gtk_box_append (GTK_BOX (box), make_block (blocks->pdata[i], folder));
  gtk_widget_add_css_class (box, "lesson-prose");
  return box;
}
