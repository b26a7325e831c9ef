/* fuzz target: any text is a lesson, with at least one page, parts in their pages, and strings that can be shown. */
#include "app/lesson/lesson.h"
#include "tests/fuzz/fuzz.h"

static void
check_blocks (GPtrArray *blocks)
{
  for (guint i = 0; blocks != NULL && i < blocks->len; i++)
    {
      const LsLessonBlock *block = blocks->pdata[i];

      if (!g_utf8_validate (block->markup, -1, NULL) || !g_utf8_validate (block->text, -1, NULL))
        g_error ("a block that is not UTF-8");
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  g_autoptr (LsSource) source = ls_source_new ("fuzz.md", (const char *) data, (gssize) size);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsLesson) lesson = ls_lesson_parse (source, findings);
  g_autofree char *printed = ls_diagnostics_print (findings);
  guint n = 0;

  if (ls_lesson_get_n_pages (lesson) == 0)
    g_error ("a lesson without a page");
  for (guint i = 0; i < ls_lesson_get_n_pages (lesson); i++)
    {
      const LsLessonPage *page = ls_lesson_get_page (lesson, i);

      if (page->first != n || !g_utf8_validate (page->title, -1, NULL))
        g_error ("page %u does not follow", i);
      n += page->n_parts;
    }
  if (n != ls_lesson_get_n_parts (lesson))
    g_error ("parts outside of pages");
  for (guint i = 0; i < n; i++)
    {
      const LsLessonPart *part = ls_lesson_get_part (lesson, i);

      check_blocks (part->blocks);
      check_blocks (part->answer);
      if (part->code != NULL && !g_utf8_validate (part->code, -1, NULL))
        g_error ("code that is not UTF-8");
    }
  return 0;
}
