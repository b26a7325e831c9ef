/* slide: from the text of a program to few large lines.
 *
 *   text   -> lines without reads, writes, imports; a module with one function is that function; long signatures are broken up
 *   two    -> their difference line by line (engine/base: Myers)
 *   lines  -> as many as the slide has room for: all signatures and changes first, then what stands near to a change; gaps are "…"
 *
 * Code has four looks (bold keyword, plain, dim string, dim italic comment); a sign stands beside each colour.
 */
#include "app/learn/slide.h"

#include "app/learn/prose.h"
#include "engine/base/base.h"

#include <glib/gi18n.h>
#include <string.h>

#define USUAL_LINES 15
#define LONG_LINE 56
#define NEAR 2

/* ---- lines ---------------------------------------------------------------------- */

static gboolean
is_quiet (const char *line)
{
  static const char *const starts[] = { "T.reads(", "T.writes(", "# from tvm", "from tvm", "T.func_attr(", "# with T.block(\"root\")", "import ", NULL };
  const char *at = line + strspn (line, " ");

  for (gsize i = 0; starts[i] != NULL; i++)
    if (g_str_has_prefix (at, starts[i]))
      return TRUE;
  return FALSE;
}

/* A long signature has a line for each of its parameters. */
static void
append_line (GString    *out,
             const char *line)
{
  const char *def = strstr (line, "def "), *open = def != NULL ? strchr (def, '(') : NULL;
  int indent = (int) strspn (line, " "), depth = 0;

  if (open == NULL || strlen (line) < LONG_LINE || def != line + indent)
    {
      g_string_append_printf (out, "%s\n", line);
      return;
    }
  g_string_append_len (out, line, open + 1 - line);
  g_string_append_printf (out, "\n%*s", indent + 4, "");
  for (const char *at = open + 1; *at != 0; at++)
    {
      depth += *at == '(' || *at == '[' ? 1 : 0;
      if ((*at == ')' || *at == ']') && depth-- == 0)
        {
          g_string_append_printf (out, ",\n%*s%s\n", indent, "", at);
          return;
        }
      g_string_append_c (out, *at);
      if (*at == ',' && depth == 0)
        {
          g_string_append_printf (out, "\n%*s", indent + 4, "");
          at += at[1] == ' ';
        }
    }
  g_string_append_c (out, '\n');
}

/* The brackets that a text leaves open. */
static int
depth_of (const char *text)
{
  int depth = 0;

  for (; *text != 0; text++)
    depth += *text == '(' || *text == '[' ? 1 : *text == ')' || *text == ']' ? -1 : 0;
  return depth;
}

/* The line, and where it begins a signature that goes on below also the lines that follow, which *i then is the last of. (transfer full) */
static char *
whole_signature (const char *line,
                 char      **lines,
                 guint      *i)
{
  GString *whole = g_string_new (line);

  if (g_str_has_prefix (line + strspn (line, " "), "def "))
    while (depth_of (whole->str) > 0 && lines[*i + 1] != NULL)
      {
        const char *next;

        (*i)++;
        next = lines[*i] + strspn (lines[*i], " ");
        if (*next == ')' && whole->str[whole->len - 1] == ',')
          g_string_truncate (whole, whole->len - 1);
        g_string_append_printf (whole, "%s%s", *next == ')' || whole->str[whole->len - 1] == '(' ? "" : " ", next);
      }
  return g_string_free (whole, FALSE);
}

/* A module with one function is shown as this function. */
static gboolean
is_one_function (char **lines)
{
  guint n = 0, classes = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      n += g_str_has_prefix (lines[i], "    def ");
      classes += g_str_has_prefix (lines[i], "class ");
    }
  return n == 1 && classes == 1;
}

/* (transfer full) */
static char *
short_program (const char *text,
               gboolean   *hidden)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GString *out = g_string_new (NULL);
  gboolean script = strstr (text, "@T.prim_func") != NULL || strstr (text, "@R.function") != NULL;
  gboolean one = script && is_one_function (lines);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *line = one && g_str_has_prefix (lines[i], "    ") ? lines[i] + 4 : lines[i];
      g_autofree char *whole = NULL;

      if (script && is_quiet (lines[i]))
        {
          *hidden |= strstr (lines[i], "T.reads(") != NULL || strstr (lines[i], "T.writes(") != NULL;
          continue;
        }
      if ((out->len == 0 && *line == 0) || (one && (g_str_has_prefix (line, "@I.") || g_str_has_prefix (line, "@tvm.") || g_str_has_prefix (line, "class "))))
        continue;
      whole = whole_signature (line, lines, &i);
      append_line (out, whole);
    }
  while (out->len > 0 && g_ascii_isspace (out->str[out->len - 1]))
    g_string_truncate (out, out->len - 1);
  g_string_append_c (out, '\n');
  return g_string_free (out, FALSE);
}

typedef struct {
  char  sign;                   /* ' ', '+', '-' */
  guint number;                 /* in the new program */
  char *text;
  guint distance;               /* to the nearest change */
} Line;

static void
line_clear (gpointer data)
{
  g_free (((Line *) data)->text);
}

static GArray *
plain_lines (const char *text)
{
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (Line));
  g_auto (GStrv) parts = g_strsplit (text, "\n", -1);

  g_array_set_clear_func (lines, line_clear);
  for (guint i = 0; parts[i] != NULL && (parts[i + 1] != NULL || *parts[i] != 0); i++)
    {
      Line line = { ' ', i + 1, g_strdup (parts[i]), 0 };

      g_array_append_val (lines, line);
    }
  return lines;
}

/* The lines without what stands before them: code that only moved to another depth did not change. (transfer full) */
static char *
without_indent (char **lines)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; lines[i] != NULL; i++)
    g_string_append_printf (out, "%s\n", lines[i] + strspn (lines[i], " "));
  return g_string_free (out, FALSE);
}

static GArray *
changed_lines (const char *text,
               const char *before)
{
  g_auto (GStrv) then = g_strsplit (before, "\n", -1), now = g_strsplit (text, "\n", -1);
  g_autofree char *flat_then = without_indent (then), *flat_now = without_indent (now);
  g_autoptr (GArray) edits = ls_text_diff_lines (flat_then, flat_now);
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (Line));

  g_array_set_clear_func (lines, line_clear);
  for (guint i = 0; i < edits->len; i++)
    {
      const LsTextDiff *edit = &g_array_index (edits, LsTextDiff, i);
      gboolean gone = edit->edit == LS_TEXT_DELETE;
      const char *from = gone ? then[edit->a] : now[edit->b];
      Line line = { gone ? '-' : edit->edit == LS_TEXT_INSERT ? '+' : ' ', edit->b + 1, g_strdup (from), G_MAXUINT };

      if (*from != 0 || i + 1 < edits->len)
        g_array_append_val (lines, line);
      else
        g_free (line.text);
    }
  return lines;
}

/* Two programs that have little in common are not compared. */
static gboolean
is_alike (GArray *lines)
{
  guint kept = 0;

  for (guint i = 0; i < lines->len; i++)
    kept += g_array_index (lines, Line, i).sign == ' ';
  return 2 * kept >= lines->len;
}

/* Is it what the slide is about: a change, or a line with the mark? */
static gboolean
is_telling (const Line *line,
            const char *mark)
{
  return line->sign != ' ' || (mark != NULL && strstr (line->text, mark) != NULL);
}

static void
set_distances (GArray     *lines,
               const char *mark)
{
  guint since = G_MAXUINT / 2;

  for (guint i = 0; i < lines->len; i++)
    {
      Line *line = &g_array_index (lines, Line, i);

      since = is_telling (line, mark) ? 0 : since + 1;
      line->distance = since;
    }
  since = G_MAXUINT / 2;
  for (guint i = lines->len; i-- > 0;)
    {
      Line *line = &g_array_index (lines, Line, i);

      since = is_telling (line, mark) ? 0 : since + 1;
      line->distance = MIN (line->distance, since);
    }
}

/* The largest distance that is shown when not all lines are. */
static guint
choose_distance (GArray *lines,
                 guint   most)
{
  for (guint limit = NEAR + 20; limit > 0; limit--)
    {
      guint n = 0;

      for (guint i = 0; i < lines->len; i++)
        n += g_array_index (lines, Line, i).distance <= limit;
      if (n <= most)
        return limit;
    }
  return 0;
}

/* Makes at most `most` of them, those around changes and around lines with the mark first; what is left out becomes one line "…". */
static void
shorten (GArray     *lines,
         const char *mark,
         guint       most)
{
  gboolean changed = FALSE;
  guint limit;

  for (guint i = 0; i < lines->len; i++)
    changed |= is_telling (&g_array_index (lines, Line, i), mark);
  if (lines->len <= most)
    return;
  set_distances (lines, mark);
  limit = changed ? choose_distance (lines, most) : 0;
  for (guint i = 0, shown = 0; i < lines->len;)
    {
      Line *line = &g_array_index (lines, Line, i);
      guint last = i;
      gboolean shows = shown < most && (!changed || line->distance <= limit);

      if (shows)
        {
          shown++;
          i++;
          continue;
        }
      while (last < lines->len && (shown >= most || g_array_index (lines, Line, last).distance > limit))
        last++;
      if (last - i > 1)
        g_array_remove_range (lines, i + 1, last - i - 1);
      line = &g_array_index (lines, Line, i);
      g_free (line->text);
      line->text = g_strdup ("…");
      line->number = 0;
      line->sign = ' ';
      i++;
    }
}

static GArray *
lines_of (const char *text,
          const char *before,
          gboolean   *hidden,
          const char *mark,
          guint       most)
{
  g_autofree char *now = short_program (text, hidden);
  gboolean ignored;
  g_autofree char *then = before != NULL ? short_program (before, &ignored) : NULL;
  GArray *lines = then != NULL && strcmp (then, now) != 0 ? changed_lines (now, then) : plain_lines (now);

  if (!is_alike (lines))
    {
      g_array_unref (lines);
      lines = plain_lines (now);
    }
  shorten (lines, mark, most);
  return lines;
}

char *
ls_slide_describe (const char *text,
                   const char *before)
{
  gboolean hidden = FALSE;
  g_autoptr (GArray) lines = lines_of (text, before, &hidden, NULL, USUAL_LINES);
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < lines->len; i++)
    {
      const Line *line = &g_array_index (lines, Line, i);

      g_string_append_printf (out, "%c %s\n", line->sign, line->text);
    }
  return g_string_free (out, FALSE);
}

/* ---- looks ------------------------------------------------------------------------ */

static gboolean
is_keyword (const char *word,
            gsize       n)
{
  static const char *const keywords[] = { "def", "for", "in", "with", "if", "else", "elif", "class", "return", "while", "lambda", "import", "from", "as", "not", "and", "or", "None", "True", "False", NULL };

  for (gsize i = 0; keywords[i] != NULL; i++)
    if (strlen (keywords[i]) == n && strncmp (keywords[i], word, n) == 0)
      return TRUE;
  return FALSE;
}

static void
append_escaped (GString    *out,
                const char *text,
                gsize       n,
                const char *tag,
                const char *end)
{
  g_autofree char *escaped = g_markup_escape_text (text, (gssize) n);

  g_string_append_printf (out, "%s%s%s", tag, escaped, end);
}

/* (transfer full) */
static char *
markup_of (const char *line)
{
  GString *out = g_string_new (NULL);

  for (const char *at = line; *at != 0;)
    {
      gsize n = 1;

      if (*at == '#')
        {
          append_escaped (out, at, strlen (at), "<i><span alpha=\"65%\">", "</span></i>");
          break;
        }
      if (*at == '"' || *at == '\'')
        {
          const char *close = strchr (at + 1, *at);

          n = close != NULL ? (gsize) (close + 1 - at) : strlen (at);
          append_escaped (out, at, n, "<span alpha=\"70%\">", "</span>");
        }
      else if (g_ascii_isalpha (*at) || *at == '_' || *at == '@')
        {
          while (g_ascii_isalnum (at[n]) || at[n] == '_' || (*at == '@' && at[n] == '.'))
            n++;
          if (*at == '@' || (is_keyword (at, n) && (at == line || at[-1] != '.')))
            append_escaped (out, at, n, "<b>", "</b>");
          else
            append_escaped (out, at, n, "", "");
        }
      else
        append_escaped (out, at, n = (gsize) (g_utf8_next_char (at) - at), "", "");
      at += n;
    }
  return g_string_free (out, FALSE);
}

static GtkWidget *
make_label (const char *text,
            const char *class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_widget_add_css_class (label, class);
  gtk_widget_set_valign (label, GTK_ALIGN_START);
  return label;
}

/* The text hangs under itself where it is too long for the wall. */
static GtkWidget *
make_code (const Line *line)
{
  gsize indent = strspn (line->text, " ");
  g_autofree char *markup = markup_of (line->text + indent);
  GtkWidget *label = make_label (NULL, "slide-code"), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  g_autofree char *spaces = g_strnfill (indent, ' ');

  if (line->sign == '-')
    {
      char *struck = g_strdup_printf ("<s>%s</s>", markup);

      g_free (markup);
      markup = struck;
    }
  gtk_label_set_markup (GTK_LABEL (label), markup);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (box), make_label (spaces, "slide-code"));
  gtk_box_append (GTK_BOX (box), label);
  return box;
}

static GtkWidget *
make_row (const Line *line,
          gboolean    marked)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  g_autofree char *number = line->number > 0 && line->sign != '-' ? g_strdup_printf ("%u", line->number) : g_strdup ("");
  g_autofree char *words = g_strdup_printf ("%s%s", line->sign == '+' ? _("new: ") : line->sign == '-' ? _("gone: ") : "", line->text);
  GtkWidget *count = make_label (number, "slide-number"), *sign = make_label (line->sign == '+' ? "→" : line->sign == '-' ? "×" : "", "slide-sign");

  gtk_label_set_width_chars (GTK_LABEL (count), 2);
  gtk_label_set_xalign (GTK_LABEL (count), 1.0f);
  gtk_label_set_width_chars (GTK_LABEL (sign), 1);
  gtk_box_append (GTK_BOX (row), count);
  gtk_box_append (GTK_BOX (row), sign);
  gtk_box_append (GTK_BOX (row), make_code (line));
  gtk_widget_add_css_class (row, "slide-row");
  if (line->sign == '+' || (marked && line->sign == ' '))
    gtk_widget_add_css_class (row, "slide-new");
  if (line->sign == '-')
    gtk_widget_add_css_class (row, "slide-gone");
  ls_set_label (row, words);
  return row;
}

static GtkWidget *
make_legend (GArray   *lines,
             gboolean  hidden)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 18), *quiet;
  gboolean new = FALSE, gone = FALSE;

  for (guint i = 0; i < lines->len; i++)
    {
      new |= g_array_index (lines, Line, i).sign == '+';
      gone |= g_array_index (lines, Line, i).sign == '-';
    }
  if (new)
    gtk_box_append (GTK_BOX (box), make_label (_("→ new"), "presenter-small"));
  if (gone)
    gtk_box_append (GTK_BOX (box), make_label (_("× gone"), "presenter-small"));
  quiet = make_label (hidden ? _("reads and writes hidden") : "", "presenter-small");
  gtk_widget_set_hexpand (quiet, TRUE);
  gtk_widget_set_halign (quiet, GTK_ALIGN_END);
  gtk_box_append (GTK_BOX (box), quiet);
  gtk_widget_set_visible (box, new || gone || hidden);
  return box;
}

GtkWidget *
ls_slide_new (const char *text,
              const char *before,
              const char *mark,
              guint       most)
{
  gboolean hidden = FALSE;
  g_autoptr (GArray) lines = lines_of (text, before, &hidden, mark, most);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 14), *rows = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  for (guint i = 0; i < lines->len; i++)
    {
      const Line *line = &g_array_index (lines, Line, i);

      gtk_box_append (GTK_BOX (rows), make_row (line, mark != NULL && strstr (line->text, mark) != NULL));
    }
  gtk_widget_add_css_class (rows, "slide");
  gtk_box_append (GTK_BOX (box), make_legend (lines, hidden));
  gtk_box_append (GTK_BOX (box), rows);
  gtk_widget_set_can_target (box, FALSE);
  gtk_widget_add_css_class (box, "slide-program");
  return box;
}

/* ---- how large ------------------------------------------------------------------------ */

/* Pixels that do not grow: the paddings of style.css. */
#define PAD_Y 72
#define PAD_X 80

static const double growth[] = { 1.0, 1.15, 1.3, 1.5 };       /* of style.css */

/* The longest word of titles and texts: none is to be broken because its letters are so large. */
static int
longest_word (GtkWidget *left)
{
  int longest = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (left); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_LABEL (child))
      {
        g_autoptr (PangoLayout) layout = pango_layout_copy (gtk_label_get_layout (GTK_LABEL (child)));
        int least;

        pango_layout_set_wrap (layout, PANGO_WRAP_WORD);
        pango_layout_set_width (layout, 0);
        pango_layout_get_pixel_size (layout, &least, NULL);
        longest = MAX (longest, least);
      }
  return longest;
}

/* Whether the words fit when their letters are `ratio` times as large; words that wrap need that twice. */
static gboolean
words_fit (GtkWidget *left,
           int        width,
           int        height,
           double     ratio)
{
  int natural, least;

  gtk_widget_measure (left, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  gtk_widget_measure (left, GTK_ORIENTATION_VERTICAL, MAX (width, least), NULL, &natural, NULL, NULL);
  if ((least - PAD_X) * ratio + PAD_X > width)
    return FALSE;
  return (natural - PAD_Y) * ratio * ratio + PAD_Y <= height && longest_word (left) * ratio + PAD_X <= width;
}

static gboolean
program_fits (GtkWidget *right,
              int        width,
              int        height,
              double     ratio)
{
  int wide, high;

  gtk_widget_measure (right, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &wide, NULL, NULL);
  gtk_widget_measure (right, GTK_ORIENTATION_VERTICAL, width, NULL, &high, NULL, NULL);
  return (wide - PAD_X) * ratio + PAD_X <= width && (high - PAD_Y) * ratio + PAD_Y <= height;
}

/* Programs, one below the other: not a picture, nor a pane, nor something to write into. */
static gboolean
is_programs (GtkWidget *right)
{
  for (GtkWidget *child = gtk_widget_get_first_child (right); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (!gtk_widget_has_css_class (child, "slide-program"))
      return FALSE;
  return TRUE;
}

typedef struct {
  GtkWidget *left, *right;      /* right: programs, or NULL */
  guint      now[2];            /* the steps at which they are measured */
} Fitting;

/* The largest step at which words in so much room, and programs in so much, fit. */
static guint
step_for (const Fitting *self,
          const int      widths[2],
          const int      heights[2])
{
  guint step = G_N_ELEMENTS (growth) - 1;

  while (step > 0 && (!words_fit (self->left, widths[0], heights[0], growth[step] / growth[self->now[0]])
                      || (self->right != NULL && !program_fits (self->right, widths[1], heights[1], growth[step] / growth[self->now[1]]))))
    step--;
  return step;
}

guint
ls_slide_fit (GtkWidget *left,
              GtkWidget *right,
              int        width,
              int        height,
              guint      steps[2])
{
  GtkWidget *title = gtk_widget_get_first_child (left);
  gboolean alone = title != NULL && gtk_widget_get_next_sibling (title) == NULL && gtk_widget_has_css_class (title, "presenter-title");
  gboolean programs = right != NULL && is_programs (right);
  const Fitting fitting = { left, programs ? right : NULL, { steps[0], steps[1] } };
  const int whole[2] = { width, width }, halves[2] = { width / 2, width - width / 2 }, narrow[2] = { width * 2 / 5, width - width * 2 / 5 };
  const int above[2] = { right != NULL ? height / 4 : height, height - height / 4 }, beside[2] = { height, height };
  guint columns = 0, half, less;
  int wide;

  if (right == NULL || alone)
    steps[0] = step_for (&fitting, whole, above);
  else
    {
      half = step_for (&fitting, halves, beside);
      less = step_for (&fitting, narrow, beside);
      gtk_widget_measure (right, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &wide, NULL, NULL);
      /* A pane, and a program with long lines, take what the words leave. */
      columns = less > half || ((wide > width / 2 || !programs) && words_fit (left, narrow[0], height, 1.0 / growth[steps[0]])) ? 4 : 5;
      steps[0] = columns == 4 ? less : half;
    }
  steps[1] = programs ? steps[0] : 0;
  return columns;
}

/* ---- words ----------------------------------------------------------------------- */

GtkWidget *
ls_slide_label (const char *markup,
                const char *class)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_markup (GTK_LABEL (label), markup);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  ls_set_unhyphenated (GTK_LABEL (label));
  gtk_widget_add_css_class (label, class);
  return label;
}

void
ls_slide_empty (GtkWidget *box)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (box)) != NULL)
    gtk_box_remove (GTK_BOX (box), child);
}
