/* Two programs side by side, what differs marked, and the first loop that does in a sentence. */
#include "app/learn/sides-view.h"

#include "app/learn/code-view.h"
#include "engine/schedule/schedule.h"
#include "engine/script/printer.h"
#include "engine/script/script.h"
#include "views/parts/scroller.h"

#include <glib/gi18n.h>
#include <string.h>

/* ---- side by side ------------------------------------------------------------------------------ */

/* Each line of one side, with a mark where it is not in the other. (transfer full) */
static char *
with_marks (const char *text,
            GArray     *edits,
            gboolean    left)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GString *out = g_string_new (NULL);
  guint n = g_strv_length (lines);

  for (guint i = 0; i < edits->len; i++)
    {
      const LsTextDiff *edit = &g_array_index (edits, LsTextDiff, i);
      guint line = left ? edit->a : edit->b;

      if (edit->edit == (left ? LS_TEXT_INSERT : LS_TEXT_DELETE) || line >= n)
        continue;
      g_string_append_printf (out, "%s%s\n", edit->edit == LS_TEXT_KEEP ? "  " : "≠ ", lines[line]);
    }
  return g_string_free (out, FALSE);
}

static GtkWidget *
make_side (const char *title,
           const char *text)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *label = gtk_label_new (title), *scroll = ls_scroller_new_wide (ls_code_view_new (text, FALSE, title));

  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_widget_add_css_class (label, "strong");
  gtk_widget_add_css_class (label, "lesson-side");
  gtk_widget_set_vexpand (scroll, TRUE);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroll), GTK_POLICY_AUTOMATIC, GTK_POLICY_AUTOMATIC);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), scroll);
  return box;
}

GtkWidget *
ls_sides_view_new (const char *yours,
                     const char *wanted)
{
  g_autoptr (GArray) edits = ls_text_diff_lines (yours, wanted);
  g_autofree char *left = with_marks (yours, edits, TRUE), *right = with_marks (wanted, edits, FALSE);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  gtk_box_set_homogeneous (GTK_BOX (box), TRUE);
  gtk_box_append (GTK_BOX (box), make_side (_("Yours"), left));
  gtk_box_append (GTK_BOX (box), make_side (_("Wanted"), right));
  return box;
}

/* ---- the first loop ----------------------------------------------------------------------------- */

static LsVersion *
read_program (const char *text)
{
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsSource) source = ls_source_new ("program", text, -1);
  LsModule *module = ls_script_parse (source, findings);
  LsVersion *version = module != NULL && !ls_diagnostics_has_error (findings) ? ls_version_new (module) : NULL;

  ls_unref (module);
  return version;
}

/* "j_1, 4, vectorized", or the name of a block. (transfer full) */
static char *
words_of (const LsEntity *entity)
{
  LsFor *loop = entity->type == LS_ENTITY_LOOP ? (LsFor *) entity->node : NULL;
  g_autofree char *extent = loop != NULL ? ls_script_print_expr (loop->extent) : NULL;

  if (loop == NULL)
    return g_strdup_printf (_("block %s"), ls_entity_name (entity));
  if (loop->kind == LS_FOR_SERIAL)
    return g_strdup_printf (_("loop %s (%s)"), ls_entity_name (entity), extent);
  return g_strdup_printf (_("loop %s (%s, %s)"), ls_entity_name (entity), extent, loop->thread_binding != NULL ? loop->thread_binding->thread_tag : ls_for_kind_name ((LsForKind) loop->kind));
}

/* The next loop or named block from `*at` on, or NULL. */
static const LsEntity *
next_of (LsVersion *version,
         guint     *at)
{
  while (*at < ls_version_get_n (version))
    {
      const LsEntity *entity = ls_version_at (version, (*at)++);

      if (entity->type == LS_ENTITY_LOOP || (entity->type == LS_ENTITY_BLOCK && entity->parent >= 0))
        return entity;
    }
  return NULL;
}

/* Variables may have other names; extents, kinds, depth and blocks may not. */
static gboolean
is_same (const LsEntity *a,
         const LsEntity *b)
{
  LsFor *x = (LsFor *) a->node, *y = (LsFor *) b->node;
  g_autofree char *left = NULL, *right = NULL;

  if (a->type != b->type || a->depth != b->depth)
    return FALSE;
  if (a->type == LS_ENTITY_BLOCK)
    return strcmp (ls_entity_name (a), ls_entity_name (b)) == 0;
  left = ls_script_print_expr (x->extent);
  right = ls_script_print_expr (y->extent);
  return x->kind == y->kind && strcmp (left, right) == 0;
}

char *
ls_sides_describe_loops (const char *yours,
                           const char *wanted)
{
  LsVersion *left = read_program (yours), *right = read_program (wanted);
  const LsEntity *a = NULL, *b = NULL;
  guint i = 0, k = 0;
  char *text = NULL;

  if (left != NULL && right != NULL)
    do
      {
        a = next_of (left, &i);
        b = next_of (right, &k);
      }
    while (a != NULL && b != NULL && is_same (a, b));
  if (a != NULL || b != NULL)
    {
      g_autofree char *mine = a != NULL ? words_of (a) : NULL, *other = b != NULL ? words_of (b) : NULL;

      if (a == NULL)
        text = g_strdup_printf (_("The first difference: yours ends where %s is wanted."), other);
      else if (b == NULL)
        text = g_strdup_printf (_("The first difference: yours has %s, where nothing more is wanted."), mine);
      else
        text = g_strdup_printf (_("The first difference: yours has %s where %s is wanted."), mine, other);
    }
  g_clear_pointer (&left, ls_version_unref);
  g_clear_pointer (&right, ls_version_unref);
  return text;
}
