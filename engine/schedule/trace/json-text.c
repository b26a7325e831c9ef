/* json-text: a text in JSON's quotes.
 */
#include "engine/schedule/trace/json-private.h"

void
ls_json_write_text (GString    *out,
                    const char *text)
{
  g_string_append_c (out, '"');
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (c == '"' || c == '\\')
        g_string_append_printf (out, "\\%c", (char) c);
      else if (c == '\n')
        g_string_append (out, "\\n");
      else if (c < 0x20 || (c > 0x7e && c < 0x10000))
        g_string_append_printf (out, "\\u%04x", c);
      else if (c >= 0x10000)
        g_string_append_printf (out, "\\u%04x\\u%04x", 0xd800 + ((c - 0x10000) >> 10), 0xdc00 + ((c - 0x10000) & 0x3ff));
      else
        g_string_append_c (out, (char) c);
    }
  g_string_append_c (out, '"');
}
