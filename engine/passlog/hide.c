/* hide: a text without metadata, debug information or attributes.
 *
 * A table of what is taken out of texts of each kind.  All repetitions are possessive, so that no text makes them slow. */
#include "engine/passlog/passlog.h"

#define QUOTED "\"(?:[^\"\\\\\\n]++|\\\\.)*+\""
#define ROUND "(\\((?:[^()\"\\n]++|" QUOTED "|(?1))*+\\))"
#define CURLY "(\\{(?:[^{}\"\\n]++|" QUOTED "|(?1))*+\\})"
#define WORDS                                                                                                                            \
  "noundef|nonnull|nocapture|readonly|readnone|writeonly|noalias|nofree|nosync|nounwind|willreturn|mustprogress|local_unnamed_addr|"     \
  "unnamed_addr|dso_local|signext|zeroext|inreg|returned|immarg|norecurse|noinline|alwaysinline|cold|hot|noreturn|uwtable|range\\([^)\\n]*+\\)|" \
  "captures\\([^)\\n]*+\\)|initializes\\([^\\n]*?\\)\\)|memory\\([^)\\n]*+\\)|dereferenceable(?:_or_null)?\\(\\d++\\)|align \\d++(?= [%@])"

static const struct { LsPassLogKind kind; LsPassHide hide; const char *pattern; } TAKEN[] = {
  { LS_PASS_LOG_LLVM, LS_PASS_HIDE_METADATA, "^!.*\\n?|,? !(?!dbg )[A-Za-z_][\\w.]*+ !(?:\\d++|\\{\\})" },
  { LS_PASS_LOG_LLVM, LS_PASS_HIDE_DEBUG,
    "^[ \\t]*+(?:#dbg_|(?:tail )?call void @llvm\\.dbg\\.|(?:\\d++B[ \\t]*+)?DBG_).*\\n?|^!\\d++ = (?:distinct )?!DI.*\\n?|,? !dbg !\\d++|"
    ",? debug-location !.*$|,? debug-instr-number \\d++" },
  { LS_PASS_LOG_LLVM, LS_PASS_HIDE_ATTRIBUTES, "^attributes #.*\\n?|^; Function Attrs:.*\\n?| #\\d++\\b| (?:" WORDS ")(?=[ ,)])" },
  { LS_PASS_LOG_MLIR, LS_PASS_HIDE_METADATA, "^#(?!loc|di_)[\\w.]++ = .*\\n?|^!\\w++ = .*\\n?" },
  { LS_PASS_LOG_MLIR, LS_PASS_HIDE_DEBUG, " loc" ROUND "|^#(?:loc|di_)[\\w.]*+ = .*\\n?" },
  { LS_PASS_LOG_MLIR, LS_PASS_HIDE_ATTRIBUTES, "(?: attributes)? <?" CURLY ">?" },
  { LS_PASS_LOG_TVM, LS_PASS_HIDE_METADATA, "^ *+#.*\\n?" },
  { LS_PASS_LOG_TVM, LS_PASS_HIDE_ATTRIBUTES, "^ *+T\\.(?:func_attr|block_attr)\\(.*\\n?" },
  { LS_PASS_LOG_GCC, LS_PASS_HIDE_METADATA, "^;;.*\\n?|^\\(note .*\\n?" },
  { LS_PASS_LOG_GCC, LS_PASS_HIDE_DEBUG, "^ *+# DEBUG .*\\n?|\\[[^\\]\\n]*?:\\d++:\\d++[^\\]\\n]*+\\] ?| ?\"[^\"\\n]++\":\\d++(?::\\d++)?+" },
  { LS_PASS_LOG_GCC, LS_PASS_HIDE_ATTRIBUTES, "^__attribute__.*\\n?" },
  { LS_PASS_LOG_XLA, LS_PASS_HIDE_METADATA, ", metadata=" CURLY },
  { LS_PASS_LOG_XLA, LS_PASS_HIDE_DEBUG, ", metadata=" CURLY },
  { LS_PASS_LOG_PTX, LS_PASS_HIDE_DEBUG, "^[ \\t]*+\\.(?:loc|file)\\b.*\\n?" },
  { LS_PASS_LOG_XLA, LS_PASS_HIDE_ATTRIBUTES, ", (?:sharding|frontend_attributes|backend_config)=" CURLY },
};

/* Borrowed; made once. */
static GRegex *
regex_of (guint i)
{
  static GRegex *made[G_N_ELEMENTS (TAKEN)];
  static GMutex mutex;
  g_autoptr (GError) error = NULL;

  g_mutex_lock (&mutex);
  if (made[i] == NULL)
    made[i] = g_regex_new (TAKEN[i].pattern, G_REGEX_RAW | G_REGEX_MULTILINE | G_REGEX_OPTIMIZE, 0, &error);
  g_mutex_unlock (&mutex);
  g_assert_no_error (error);
  return made[i];
}

char *
ls_pass_text_hide (const char   *text,
                   LsPassLogKind kind,
                   LsPassHide    hide)
{
  char *shown = g_strdup (text);

  for (guint i = 0; i < G_N_ELEMENTS (TAKEN); i++)
    if (TAKEN[i].kind == kind && (TAKEN[i].hide & hide) != 0)
      {
        char *less = g_regex_replace_literal (regex_of (i), shown, -1, 0, "", 0, NULL);

        if (less == NULL)               /* a text that goes beyond the limits stays as it is */
          continue;
        g_free (shown);
        shown = less;
      }
  return shown;
}
