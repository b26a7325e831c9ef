/* Markdown to parts: front matter, pages, cells, questions, exercises; and files that are broken in the ways people break them. */
#include "app/lesson/notebook.h"
#include "tests/support/support.h"

#include <glib/gstdio.h>
#include <string.h>

static LsLesson *
read_text (const char     *text,
           LsDiagnostics **findings)
{
  g_autoptr (LsSource) source = ls_source_new ("a/b.en.md", text, -1);
  g_autoptr (LsDiagnostics) found = ls_diagnostics_new ();
  LsLesson *lesson = ls_lesson_parse (source, found);

  if (findings != NULL)
    *findings = g_steal_pointer (&found);
  else
    g_assert_cmpuint (ls_diagnostics_get_n (found), ==, 0);
  return lesson;
}

static const LsLessonPart *
part_of_kind (LsLesson   *lesson,
              LsPartKind  kind)
{
  for (guint i = 0; i < ls_lesson_get_n_parts (lesson); i++)
    if (ls_lesson_get_part (lesson, i)->kind == kind)
      return ls_lesson_get_part (lesson, i);
  g_assert_not_reached ();
}

static gboolean
has_finding (LsDiagnostics *findings,
             const char    *code)
{
  for (guint i = 0; i < ls_diagnostics_get_n (findings); i++)
    if (strcmp (ls_diagnostics_get (findings, i)->code, code) == 0)
      return TRUE;
  return FALSE;
}

/* ---- what is right ---- */

static void
test_front_matter (void)
{
  g_autoptr (LsLesson) lesson = read_text ("---\ntitle: \"A: b\"\nid: x\nlanguage: ko\norder: 3\nneeds: numpy torch\ntags:\n- a\n---\n\nText.\n", NULL);

  g_assert_cmpstr (ls_lesson_get_title (lesson), ==, "A: b");
  g_assert_cmpstr (ls_lesson_get_id (lesson), ==, "x");
  g_assert_cmpstr (ls_lesson_get_language (lesson), ==, "ko");
  g_assert_cmpint (ls_lesson_get_order (lesson), ==, 3);
  g_assert_cmpstr (ls_lesson_get_needs (lesson), ==, "numpy torch");
  g_assert_cmpuint (ls_lesson_get_n_parts (lesson), ==, 1);
}

static void
test_pages (void)
{
  g_autoptr (LsLesson) lesson = read_text ("# Title\n\nFirst.\n\n## Two *words*\n\na\n\n<!-- page -->\nb\n\nThree\n---\nc\n", NULL);

  g_assert_cmpstr (ls_lesson_get_title (lesson), ==, "Title");
  g_assert_cmpstr (ls_lesson_get_id (lesson), ==, "b");
  g_assert_cmpuint (ls_lesson_get_n_pages (lesson), ==, 4);
  g_assert_cmpstr (ls_lesson_get_page (lesson, 1)->title, ==, "Two words");
  g_assert_cmpstr (ls_lesson_get_page (lesson, 2)->title, ==, "Two words");
}

static void
test_cells (void)
{
  g_autoptr (LsLesson) lesson = read_text ("```python {id=a, view=loops, mark=\"T.block (\", expect=ValueError, timeout=2.5, folded}\nx = 1\n\ny = 2\n```\n"
                                           "```output {close=1e-3}\n1.0\n```\n\n```py\nz\n```\n", NULL);
  const LsLessonPart *cell = ls_lesson_get_part (lesson, 0), *second = ls_lesson_get_part (lesson, 1);

  g_assert_cmpuint (ls_lesson_get_n_cells (lesson), ==, 2);
  g_assert_cmpstr (cell->code, ==, "x = 1\n\ny = 2\n");
  g_assert_cmpuint (cell->code_line, ==, 2);
  g_assert_cmpstr (cell->view, ==, "loops");
  g_assert_cmpstr (cell->mark, ==, "T.block (");
  g_assert_cmpstr (cell->expect, ==, "ValueError");
  g_assert_cmpfloat (cell->timeout, ==, 2.5);
  g_assert_true (cell->folded && !cell->skip);
  g_assert_cmpstr (cell->output, ==, "1.0\n");
  g_assert_cmpfloat (cell->close, ==, 1e-3);
  g_assert_cmpuint (second->number, ==, 2);
  g_assert_cmpfloat (second->timeout, ==, 900);
  g_assert_true (ls_lesson_find (lesson, "a") == cell);
  g_assert_true (ls_lesson_find (lesson, "2") == second);
  g_assert_null (ls_lesson_find (lesson, "9"));
}

/* Chapters of the course: only {.python .input} runs. */
static void
test_course (void)
{
  g_autoptr (LsLesson) lesson = read_text ("# T\n\n```{.python .input  n=3}\na\n```\n\n```python\nnot run\n```\n\n```{.python .output}\nshown\n```\n"
                                           "\n- item\n\n    ```{.python .input}\n    if x:\n        b\n    ```\n", NULL);

  g_assert_cmpuint (ls_lesson_get_n_cells (lesson), ==, 2);
  g_assert_cmpstr (ls_lesson_find (lesson, "2")->code, ==, "if x:\n    b\n");
}

/* A file whose fences say nothing: Python, where it is Python. */
static void
test_plain_fences (void)
{
  g_autoptr (LsLesson) lesson = read_text ("```\nx = 1\n```\n", NULL);
  g_autoptr (LsLesson) other = read_text ("```\ntext\n```\n\n```python\nx\n```\n", NULL);

  g_assert_true (ls_lesson_find (lesson, "1")->maybe);
  g_assert_cmpuint (ls_lesson_get_n_cells (other), ==, 1);
}

/* A text without fences: numbered listings and indented blocks are cells; a listing without its indentation is shown and named. */
static void
test_listings (void)
{
  g_autoptr (LsDiagnostics) findings = NULL;
  g_autoptr (LsLesson) lesson = read_text ("Blog\n\n1\n2\n3\nfor i in range(3):\n    j = i\n    print(i)\n\nThen\n\n    x = f(1)\n\n    y = x\n\nand\n\n"
                                           "1\n2\n3\ndef f():\nx = 1\nreturn x\n\nthe end\n\n    - a list\n", &findings);
  const char *codes[] = { "for i in range(3):\n    j = i\n    print(i)\n", "x = f(1)\n\ny = x\n" };
  guint cells = 0;

  for (guint i = 0; i < ls_lesson_get_n_parts (lesson); i++)
    {
      const LsLessonPart *part = ls_lesson_get_part (lesson, i);

      if (part->kind == LS_PART_CELL)
        g_assert_cmpstr (part->code, ==, codes[cells++]);
    }
  g_assert_cmpuint (cells, ==, 2);
  g_assert_true (has_finding (findings, "lesson/indent-lost"));
  g_assert_cmpuint (ls_diagnostics_get_n (findings), ==, 1);
}

/* Pieces of a function, and printed programs, in a text of somebody else: nothing to run. */
static void
test_to_read (void)
{
  g_autoptr (LsLesson) lesson = read_text ("```python\nx = 1\n```\n\n```python\nwith R.dataflow():\n    R.output(x)\n```\n\n```python\n# from tvm.script import ir as I\n\n@I.ir_module\nclass M:\n    pass\n```\n\n"
                                           "```python\n@T.prim_func\ndef f(A: T.Buffer((1,), 'float32')):\n    for i in T.grid(1):\n        pass\n```\n", NULL);
  static const gboolean skipped[] = { FALSE, TRUE, TRUE, FALSE };
  guint cells = 0;

  for (guint i = 0; i < ls_lesson_get_n_parts (lesson); i++)
    if (ls_lesson_get_part (lesson, i)->kind == LS_PART_CELL)
      g_assert_true (ls_lesson_get_part (lesson, i)->skip == skipped[cells++]);
  g_assert_cmpuint (cells, ==, 4);
}

/* Answers are lines of text, numbers too. */
static void
test_choices (void)
{
  g_autoptr (LsLesson) lesson = read_text ("```predict\nHow many?\n\n- ( ) 8, **one** each\n- (x) 128.\n- ( ) # none < all\n- ( ) - 1\n```\n", NULL);
  const LsLessonPart *part = part_of_kind (lesson, LS_PART_PREDICT);
  static const char *const TEXTS[] = { "8, one each", "128.", "# none < all", "- 1" };

  g_assert_cmpuint (part->choices->len, ==, G_N_ELEMENTS (TEXTS));
  for (guint i = 0; i < G_N_ELEMENTS (TEXTS); i++)
    g_assert_cmpstr (((LsLessonChoice *) part->choices->pdata[i])->text, ==, TEXTS[i]);
  g_assert_cmpstr (((LsLessonChoice *) part->choices->pdata[2])->markup, ==, "# none &lt; all");
}

static void
test_predict (void)
{
  g_autoptr (LsLesson) lesson = read_text ("```predict {title=\"Now\"}\nWhat?\n\n- ( ) one\n  more\n- (x) `two`\n---\nBecause **so**.\n```\n\n```python\nx\n```\n", NULL);
  const LsLessonPart *part = part_of_kind (lesson, LS_PART_PREDICT);

  g_assert_cmpstr (part->title, ==, "Now");
  g_assert_cmpuint (part->choices->len, ==, 2);
  g_assert_cmpstr (((LsLessonChoice *) part->choices->pdata[0])->text, ==, "one more");
  g_assert_cmpstr (((LsLessonChoice *) part->choices->pdata[1])->markup, ==, "<tt>two</tt>");
  g_assert_true (((LsLessonChoice *) part->choices->pdata[1])->right);
  g_assert_cmpstr (((LsLessonBlock *) part->answer->pdata[0])->markup, ==, "Because <b>so</b>.");
  g_assert_cmpuint (part->reveal_cell, ==, 1);
}

static void
test_exercise (void)
{
  g_autoptr (LsLesson) lesson = read_text ("```exercise {id=e}\nDo it.\n--- start\ndef f():\n    ...\n--- cases\n# case: a\nassert f()\n--- hint\nThink.\n--- solution\ndef f():\n    return 1\n```\n", NULL);
  const LsLessonPart *part = part_of_kind (lesson, LS_PART_EXERCISE);

  g_assert_cmpstr (part->code, ==, "def f():\n    ...\n");
  g_assert_cmpuint (part->code_line, ==, 4);
  g_assert_cmpstr (part->cases, ==, "# case: a\nassert f()\n");
  g_assert_cmpstr (part->hint, ==, "Think.\n");
  g_assert_cmpstr (part->solution, ==, "def f():\n    return 1\n");
  g_assert_cmpuint (part->number, ==, 1);
}

/* ---- prose ---- */

static void
test_prose (void)
{
  g_autoptr (GPtrArray) blocks = ls_prose_parse ("a *b* `c<d` **e**\n\n1. x\n2. y\n   - z\n\n> q\n\n| A | B |\n|---|---|\n| 1 | `2` |\n\n![pic](p.png)\n\n[l](http://a?b&c)\n");
  const char *const markup[] = { "a <i>b</i> <tt>c&lt;d</tt> <b>e</b>", "x", "y", "z", "q", "A\tB\n1\t<tt>2</tt>\n", "pic", "<a href=\"http://a?b&amp;c\">l</a>" };
  const LsBlockKind kinds[] = { LS_BLOCK_PARAGRAPH, LS_BLOCK_ITEM, LS_BLOCK_ITEM, LS_BLOCK_ITEM, LS_BLOCK_QUOTE, LS_BLOCK_TABLE, LS_BLOCK_IMAGE, LS_BLOCK_PARAGRAPH };

  g_assert_cmpuint (blocks->len, ==, G_N_ELEMENTS (markup));
  for (guint i = 0; i < blocks->len; i++)
    {
      const LsLessonBlock *block = blocks->pdata[i];

      g_assert_cmpstr (block->markup, ==, markup[i]);
      g_assert_cmpint (block->kind, ==, kinds[i]);
    }
  g_assert_cmpstr (((LsLessonBlock *) blocks->pdata[2])->marker, ==, "2.");
  g_assert_cmpint (((LsLessonBlock *) blocks->pdata[3])->level, ==, 2);
}

static void
test_math (void)
{
  static const struct { const char *tex, *text; } CASES[] = {
    { "C_{ij} = \\sum_k A_{ik} B_{kj}", "Cᵢⱼ = ∑ₖ Aᵢₖ Bₖⱼ" },
    { "x^2 \\times y^{10}", "x² × y¹⁰" },
    { "\\frac{a+b}{2}", "(a+b)/2" },
    { "\\mathbb{R}^{W}", "R^W" },
    { "a_{", "a" },
    { "\\unknown{x}", "unknownx" },
    { "", "" },
  };
  g_autoptr (GPtrArray) blocks = ls_prose_parse ("It costs $5 and $6; $a_i$ and `$x$` and :numref:`sec_x`. $$\\alpha\n\\beta$$\n");

  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      g_autofree char *text = ls_math_to_text (CASES[i].tex);

      g_assert_cmpstr (text, ==, CASES[i].text);
    }
  g_assert_cmpstr (((LsLessonBlock *) blocks->pdata[0])->markup, ==, "It costs $5 and $6; aᵢ and <tt>$x$</tt> and <tt>sec_x</tt>. α β");
}

static void
test_compare (void)
{
  static const struct { const char *want, *have; double close; gboolean same; } CASES[] = {
    { "a\nb\n", "\na  \nb\n\n", 0, TRUE },
    { "a\n...\nz", "a\nb\nc\nz", 0, TRUE },
    { "a\n...\nz", "a\nb", 0, FALSE },
    { "at 0x... done", "at 0x7f12 done", 0, TRUE },
    { "1.0 2.0", "1.0004 1.9996", 1e-3, TRUE },
    { "1.0 2.0", "1.1 2.0", 1e-3, FALSE },
    { "[ 1.  2.]", "[1. 2.]", 0, FALSE },
    { "nan", "nan", 1e-3, TRUE },
    { "...", "", 0, TRUE },
    { "", "x", 0, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      g_autofree char *difference = ls_output_compare (CASES[i].want, CASES[i].have, CASES[i].close);

      g_assert_true ((difference == NULL) == CASES[i].same);
    }
}

/* ---- what is broken ---- */

static void
test_broken (void)
{
  static const struct { const char *text, *code; guint cells; } CASES[] = {
    { "# T\n\n```python\nx = 1\n", "lesson/fence-open", 1 },
    { "```python\nx = 1\n\n## Next\n\nText.\n", "lesson/fence-open", 1 },
    { "```python\nx = 1\n\nText.\n\n```python\ny = 2\n```\n", "lesson/fence-in-fence", 2 },
    { "---\ntitle: x\n\nText.\n", "lesson/front-matter", 0 },
    { "---\ntitle: x\norder: two\n---\nText.\n", "lesson/order", 0 },
    { "Text.\n\n```python {view=graph, mark=\"env.\"}\nx\n```\n", "lesson/mark", 1 },
    { "```python {view=loops, names=\"a, b\"}\nx\n```\n", "lesson/names", 1 },
    { "```predict\nWhat?\n- ( ) a\n- ( ) b\n```\n", "lesson/choices", 0 },
    { "```predict\n- (x) a\n- ( ) b\n```\n", "lesson/question", 0 },
    { "```predict\nWhat?\n```\n", "lesson/choices", 0 },
    { "```predict\nWhat?\n- ( )\n- (x) b\n```\n", "lesson/choices", 0 },
    { "```exercise\nDo.\n--- start\nx\n```\n", "lesson/exercise-cases", 1 },
    { "```exercise\nDo.\n--- begin\nx\n--- cases\nx\n--- solution\nx\n```\n", "lesson/exercise-section", 1 },
    { "```primitive\nWhich?\n```\n", "lesson/schedule", 0 },
    { "```primitive {schedule=sch, step=2, drill}\nWhich?\n```\n", "lesson/option", 0 },
    { "text\n\n```output\n1\n```\n", "lesson/output-alone", 0 },
    { "```python {view=looops}\nx\n```\n", "lesson/view", 1 },
    { "```python {view=loops, stops=\"loop i\"}\nx\n```\n", "lesson/stops", 1 },
    { "```python {view=run, ask=element}\nx\n```\n", "lesson/stops", 1 },
    { "```python {view=run, stops=\"loop i\", ask=weather}\nx\n```\n", "lesson/ask", 1 },
    { "```python {timeout=soon}\nx\n```\n", "lesson/option", 1 },
    { "```python {id=a}\nx\n```\n```python {id=a}\nx\n```\n", "lesson/id", 2 },
    { "```predict {reveal=b}\nWhat?\n---\nx\n```\n", "lesson/reveal", 0 },
    { "Text \xff\xfe.\n", "lesson/utf-8", 0 },
    { "", "lesson/empty", 0 },
    { "```python {id=\"a\nx\n", "lesson/fence-open", 1 },
    { "~~~python\nx\n```\n", "lesson/fence-open", 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      g_autoptr (LsDiagnostics) findings = NULL;
      g_autoptr (LsLesson) lesson = read_text (CASES[i].text, &findings);

      g_test_message ("%s", CASES[i].code);
      g_assert_true (has_finding (findings, CASES[i].code));
      g_assert_cmpuint (ls_lesson_get_n_cells (lesson), ==, CASES[i].cells);
    }
}

static void
test_names (void)
{
  g_autoptr (LsDiagnostics) findings = NULL;
  g_autoptr (LsLesson) lesson = read_text ("```python {view=chart, names=\"as written , tiled\"}\nx\n```\n", &findings);
  char **names = ls_lesson_find (lesson, "1")->names;

  g_assert_cmpuint (g_strv_length (names), ==, 2);
  g_assert_cmpstr (names[0], ==, "as written");
  g_assert_cmpstr (names[1], ==, "tiled");
  g_assert_false (has_finding (findings, "lesson/names"));
}

/* What follows an unclosed cell is prose again from the next heading on. */
static void
test_recovers (void)
{
  g_autoptr (LsDiagnostics) findings = NULL;
  g_autoptr (LsLesson) lesson = read_text ("```python\nx = 1\n\n## Next\n\nText.\n", &findings);

  g_assert_cmpuint (ls_lesson_get_n_pages (lesson), ==, 2);
  g_assert_cmpstr (ls_lesson_get_page (lesson, 1)->title, ==, "Next");
  g_assert_cmpstr (ls_lesson_find (lesson, "1")->code, ==, "x = 1\n\n");
}

/* Any cut and any noise opens. */
static void
test_noise (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("LS_LESSONS"), "01-loops.en.md", NULL);
  g_autofree char *text = NULL;
  gsize n;

  g_assert_true (g_file_get_contents (path, &text, &n, NULL));
  for (int i = 0; i < 300; i++)
    {
      g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
      g_autofree char *noisy = g_memdup2 (text, n + 1);
      gsize length = (gsize) g_test_rand_int_range (0, (int) n + 1);
      g_autoptr (LsSource) source = NULL;
      g_autoptr (LsLesson) lesson = NULL;

      for (int k = 0; k < 20 && length > 0; k++)
        noisy[g_test_rand_int_range (0, (int) length)] = "`~-{}\"\n$|<>\\_*[]() x\xe2\x00"[g_test_rand_int_range (0, 23)];
      source = ls_source_new ("noise", noisy, (gssize) length);
      lesson = ls_lesson_parse (source, findings);
      g_assert_nonnull (ls_lesson_get_title (lesson));
    }
}

static void
test_binary (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autofree char *path = NULL;
  int fd = g_file_open_tmp ("lesson-XXXXXX.md", &path, NULL);

  g_close (fd, NULL);
  g_assert_true (g_file_set_contents (path, "a\0b", 3, NULL));
  g_assert_null (ls_lesson_load (path, findings, &error));
  g_assert_error (error, LS_LESSON_ERROR, LS_LESSON_ERROR_READ);
  g_unlink (path);
  g_clear_error (&error);
  g_assert_null (ls_lesson_load (path, findings, &error));
  g_assert_error (error, LS_LESSON_ERROR, LS_LESSON_ERROR_READ);
}

/* The lessons that come with the program have nothing wrong in them; each id is there once in a language. */
static void
test_own (void)
{
  g_autoptr (GPtrArray) lessons = ls_lesson_list (g_getenv ("LS_LESSONS"));
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  g_assert_cmpuint (lessons->len, >, 0);
  for (guint i = 0; i < lessons->len; i++)
    {
      LsLesson *lesson = lessons->pdata[i];
      g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
      g_autoptr (LsLesson) again = ls_lesson_load (ls_lesson_get_path (lesson), findings, NULL);
      g_autofree char *text = ls_diagnostics_print (findings);

      g_assert_cmpstr (text, ==, "");
      g_assert_true (g_hash_table_add (seen, g_strconcat (ls_lesson_get_id (lesson), ".", ls_lesson_get_language (lesson), NULL)));
    }
}

/* What is misspelt was meant to do something: an error.  What is just unknown is left out. */
static void
test_misspelt (void)
{
  g_autoptr (LsDiagnostics) findings = NULL, other = NULL, none = NULL;
  g_autoptr (LsLesson) lesson = read_text ("```python {expct=ValueError}\nx\n```\n", &findings);
  g_autoptr (LsLesson) unknown = read_text ("```python {theme=dark}\nx\n```\n", &other);
  g_autoptr (LsLesson) swapped = read_text ("```python {veiw=loops}\nx\n```\n", &none);

  g_assert_true (ls_diagnostics_has_error (findings) && has_finding (findings, "lesson/option"));
  g_assert_nonnull (strstr (ls_diagnostics_get (findings, 0)->message, "expect"));
  g_assert_false (ls_diagnostics_has_error (other));
  g_assert_true (has_finding (other, "lesson/option"));
  g_assert_nonnull (strstr (ls_diagnostics_get (none, 0)->message, "view may be meant"));
}

/* What the text refers to has to be there. */
static void
test_references (void)
{
  static const char TEXT[] = "---\ntitle: T\nid: t\n---\n\n![p](there.png) and [a](#cell) [b](loopscope:///lesson/t)\n\n```python {id=cell}\nx\n```\n"
                             "\n![p](nowhere.png)\n\n[a](#nothing), [b](loopscope:///lesson/nothing?step=1), [c](https://example.org/#x)\n";
  g_autofree char *folder = g_dir_make_tmp ("lesson-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "t.en.md", NULL), *picture = g_build_filename (folder, "there.png", NULL);
  g_autoptr (LsSource) source = ls_source_new (path, TEXT, -1), headless = ls_source_new (path, "---\ntitle: T\norder: 3\n---\n\nText.\n", -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new (), found = ls_diagnostics_new ();
  g_autoptr (LsLesson) lesson = NULL, other = NULL;

  g_assert_true (g_file_set_contents (picture, "x", 1, NULL));
  lesson = ls_lesson_parse (source, findings);
  g_assert_cmpuint (ls_diagnostics_get_n (findings), ==, 0);
  ls_lesson_look_around (lesson, source, findings);
  g_assert_cmpuint (ls_diagnostics_get_n (findings), ==, 3);
  g_assert_cmpstr (ls_diagnostics_get (findings, 0)->code, ==, "lesson/picture");
  g_assert_cmpuint (ls_source_place (source, ls_diagnostics_get (findings, 0)->span.start).line, ==, 12);
  g_assert_nonnull (strstr (ls_diagnostics_get (findings, 1)->message, "\"nothing\" in this lesson"));
  g_assert_nonnull (strstr (ls_diagnostics_get (findings, 2)->message, "no lesson \"nothing\""));
  other = ls_lesson_parse (headless, found);
  ls_lesson_look_around (other, headless, found);
  g_assert_true (has_finding (found, "lesson/id-missing"));
  g_unlink (picture);
  g_rmdir (folder);
}

/* ---- notebooks ---- */

static const char NOTEBOOK[] = "{\"cells\": [{\"cell_type\": \"markdown\", \"metadata\": {}, \"source\": [\"# Title\\n\", \"Words.\"]},"
                               "{\"cell_type\": \"code\", \"metadata\": {}, \"source\": \"x = '''\\n```\\n'''\\nx\", \"outputs\": ["
                               "{\"output_type\": \"stream\", \"text\": [\"a\\n\"]}, {\"output_type\": \"execute_result\", \"data\": {\"text/plain\": \"b\"}}]},"
                               "{\"cell_type\": \"raw\", \"source\": \"{\\\"cells\\\": []}\"}, 7, {\"cell_type\": \"code\", \"source\": [3, \"y\"]}], \"nbformat\": 4}";

static void
test_notebook (void)
{
  g_autoptr (LsDiagnostics) findings = NULL, empty = NULL, broken = NULL, deep = NULL;
  g_autoptr (LsLesson) lesson = read_text (NOTEBOOK, &findings), nothing = NULL, bad = NULL, high = NULL;
  g_autoptr (GString) nested = g_string_new ("{\"cells\": ");

  g_assert_cmpuint (ls_diagnostics_get_n (findings), ==, 0);
  g_assert_cmpstr (ls_lesson_get_title (lesson), ==, "Title");
  g_assert_cmpuint (ls_lesson_get_n_cells (lesson), ==, 2);
  g_assert_cmpstr (ls_lesson_find (lesson, "1")->code, ==, "x = '''\n```\n'''\nx\n");
  g_assert_cmpstr (ls_lesson_find (lesson, "2")->code, ==, "y\n");
  g_assert_null (ls_lesson_find (lesson, "1")->output);
  nothing = read_text ("{\"cells\": []}", &empty);
  g_assert_true (has_finding (empty, "lesson/empty"));
  bad = read_text ("{\"cells\": [", &broken);
  g_assert_true (has_finding (broken, "lesson/notebook"));
  for (int i = 0; i < 100000; i++)
    g_string_append_c (nested, '[');
  high = read_text (nested->str, &deep);
  g_assert_true (has_finding (deep, "lesson/notebook"));
}

static char *
printed (const LsLessonPart *part,
         gpointer            data)
{
  return g_strdup ("printed");
}

/* There and back: the same cells with the same options, the same questions; no solution and no notes on the way. */
static void
test_notebook_of_lesson (void)
{
  static const char TEXT[] = "---\ntitle: T\nid: t\n---\n\nWords.\n\n```python {id=a, view=loops}\nx = 1\nprint(x)\n```\n```output\n1\n```\n\n## Two\n\n"
                             "```predict {title=\"Why\"}\nWhat?\n- ( ) a\n- (x) b\n---\nSo.\n```\n\n```notes\nsecret notes\n```\n\n"
                             "```exercise {id=e}\nDo it.\n--- start\ny = 0\n--- cases\n# case: one\nassert y\n--- hint\nsecret hint\n--- solution\ny = 'secret'\n```\n";
  g_autoptr (LsLesson) lesson = read_text (TEXT, NULL), again = NULL;
  g_autofree char *notebook = ls_notebook_from_lesson (lesson, TEXT, printed, NULL);

  g_assert_true (ls_notebook_is (notebook));
  g_assert_null (strstr (notebook, "secret"));
  g_assert_nonnull (strstr (notebook, "\"printed\""));
  again = read_text (notebook, NULL);
  g_assert_cmpstr (ls_lesson_get_id (again), ==, "t");
  g_assert_cmpstr (ls_lesson_get_title (again), ==, "T");
  g_assert_cmpuint (ls_lesson_get_n_pages (again), ==, 2);
  g_assert_cmpstr (ls_lesson_find (again, "a")->view, ==, "loops");
  g_assert_cmpstr (ls_lesson_find (again, "a")->output, ==, "1\n");
  g_assert_cmpuint (part_of_kind (again, LS_PART_PREDICT)->choices->len, ==, 2);
  g_assert_cmpstr (part_of_kind (again, LS_PART_PREDICT)->title, ==, "Why");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lesson/parse/front-matter", test_front_matter);
  g_test_add_func ("/lesson/parse/pages", test_pages);
  g_test_add_func ("/lesson/parse/cells", test_cells);
  g_test_add_func ("/lesson/parse/course", test_course);
  g_test_add_func ("/lesson/parse/plain-fences", test_plain_fences);
  g_test_add_func ("/lesson/parse/listings", test_listings);
  g_test_add_func ("/lesson/parse/to-read", test_to_read);
  g_test_add_func ("/lesson/parse/predict", test_predict);
  g_test_add_func ("/lesson/parse/choices", test_choices);
  g_test_add_func ("/lesson/parse/exercise", test_exercise);
  g_test_add_func ("/lesson/parse/prose", test_prose);
  g_test_add_func ("/lesson/parse/math", test_math);
  g_test_add_func ("/lesson/parse/compare", test_compare);
  g_test_add_func ("/lesson/parse/broken", test_broken);
  g_test_add_func ("/lesson/parse/names", test_names);
  g_test_add_func ("/lesson/parse/recovers", test_recovers);
  g_test_add_func ("/lesson/parse/noise", test_noise);
  g_test_add_func ("/lesson/parse/binary", test_binary);
  g_test_add_func ("/lesson/parse/misspelt", test_misspelt);
  g_test_add_func ("/lesson/parse/references", test_references);
  g_test_add_func ("/lesson/parse/notebook", test_notebook);
  g_test_add_func ("/lesson/parse/notebook-of-lesson", test_notebook_of_lesson);
  g_test_add_func ("/lesson/parse/own", test_own);
  return g_test_run ();
}
