/* What a lesson refers to outside of its own text, or by a name: pictures beside it, parts of it, other lessons.
 *
 * The parser reads no other file than its own; this looks around where the lesson lies.
 */
#include "app/lesson/lesson-private.h"

#include <gio/gio.h>
#include <string.h>

typedef struct {
  LsLesson      *lesson;
  LsSource      *source;
  LsDiagnostics *findings;
  char          *folder;
  char         **lines;
  GPtrArray     *others;        /* lessons of the same folder, read when one is first asked for */
} Looking;

/* The line of a part in which the word stands. */
static guint
line_of (Looking            *self,
         const LsLessonPart *part,
         const char         *word)
{
  for (guint line = part->line; line <= part->last_line && line <= g_strv_length (self->lines); line++)
    if (line > 0 && strstr (self->lines[line - 1], word) != NULL)
      return line;
  return part->line;
}

static gboolean
is_elsewhere (const char *target)
{
  g_autofree char *scheme = g_uri_parse_scheme (target);

  return scheme != NULL;
}

static void
look_at_picture (Looking             *self,
                 const LsLessonPart  *part,
                 const LsLessonBlock *block)
{
  g_autofree char *plain = g_uri_unescape_string (block->target, NULL);
  g_autofree char *path = g_build_filename (self->folder, plain != NULL ? plain : block->target, NULL);

  if (*block->target == 0 || is_elsewhere (block->target) || g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return;
  ls_lesson_warn (self->findings, self->source, line_of (self, part, block->target), LS_SEVERITY_ERROR, "lesson/picture",
                  "There is no picture %s beside the lesson.", block->target);
}

static gboolean
is_lesson (Looking    *self,
           const char *id)
{
  g_autofree char *own = ls_lesson_folder ();

  if (strcmp (id, self->lesson->id) == 0)
    return TRUE;
  if (self->others == NULL)
    self->others = ls_lesson_list (self->folder);
  if (self->others->len == 0 && own != NULL)
    {
      g_ptr_array_unref (self->others);
      self->others = ls_lesson_list (own);
    }
  for (guint i = 0; i < self->others->len; i++)
    if (strcmp (ls_lesson_get_id (self->others->pdata[i]), id) == 0)
      return TRUE;
  return FALSE;
}

/* A link of the text: "#part", or "loopscope:///lesson/ID?place". */
static void
look_at_link (Looking            *self,
              const LsLessonPart *part,
              const char         *href)
{
  const char *lesson = g_str_has_prefix (href, "loopscope:") ? strstr (href, "lesson/") : NULL;
  gsize n = lesson != NULL ? strcspn (lesson + 7, "?#") : 0;
  g_autofree char *id = lesson != NULL ? g_strndup (lesson + 7, n) : NULL;

  if (*href == '#' && href[1] != 0 && ls_lesson_find (self->lesson, href + 1) == NULL)
    ls_lesson_warn (self->findings, self->source, line_of (self, part, href), LS_SEVERITY_ERROR, "lesson/id-absent",
                    "There is no part with the id \"%s\" in this lesson.", href + 1);
  else if (id != NULL && !is_lesson (self, id))
    ls_lesson_warn (self->findings, self->source, line_of (self, part, href), LS_SEVERITY_ERROR, "lesson/id-absent", "There is no lesson \"%s\".", id);
}

static void
look_at_block (Looking             *self,
               const LsLessonPart  *part,
               const LsLessonBlock *block)
{
  if (block->kind == LS_BLOCK_IMAGE && block->target != NULL)
    look_at_picture (self, part, block);
  for (const char *at = block->markup != NULL && !self->lesson->foreign ? strstr (block->markup, "<a href=\"") : NULL; at != NULL; at = strstr (at, "<a href=\""))
    {
      g_autofree char *escaped = g_strndup (at + 9, strcspn (at + 9, "\""));
      g_autoptr (GString) href = g_string_new (escaped);

      g_string_replace (href, "&amp;", "&", 0);
      look_at_link (self, part, href->str);
      at += 9;
    }
}

static void
look_at_blocks (Looking            *self,
                const LsLessonPart *part,
                GPtrArray          *blocks)
{
  for (guint i = 0; blocks != NULL && i < blocks->len; i++)
    look_at_block (self, part, blocks->pdata[i]);
}

/* The lessons that it says it builds on. */
static void
look_at_after (Looking *self)
{
  g_auto (GStrv) ids = g_strsplit_set (ls_lesson_get_after (self->lesson), ", ", -1);

  for (guint i = 0; ids[i] != NULL; i++)
    if (*ids[i] != 0 && !is_lesson (self, ids[i]))
      ls_lesson_warn (self->findings, self->source, 1, LS_SEVERITY_ERROR, "lesson/id-absent", "There is no lesson \"%s\".", ids[i]);
}

void
ls_lesson_look_around (LsLesson      *lesson,
                       LsSource      *source,
                       LsDiagnostics *findings)
{
  g_autofree char *whole = g_canonicalize_filename (lesson->path, NULL);
  Looking self = { .lesson = lesson, .source = source, .findings = findings, .folder = g_path_get_dirname (whole),
                   .lines = g_strsplit (ls_source_get_text (source, NULL), "\n", -1) };

  if (lesson->foreign && (lesson->order > 0 || lesson->summary != NULL || lesson->needs != NULL))
    ls_lesson_warn (findings, source, 1, LS_SEVERITY_ERROR, "lesson/id-missing",
                    "The front matter has no id: the lesson is in no list, and its cells are taken for those of somebody else.");
  look_at_after (&self);
  for (guint i = 0; i < lesson->parts->len; i++)
    {
      const LsLessonPart *part = lesson->parts->pdata[i];

      look_at_blocks (&self, part, part->blocks);
      look_at_blocks (&self, part, part->answer);
    }
  g_free (self.folder);
  g_strfreev (self.lines);
  g_clear_pointer (&self.others, g_ptr_array_unref);
}
