/* pin: letters and words of pins. */
#include "views/models/pin.h"

#include <glib/gi18n.h>

void
ls_pin_record_clear (LsPinRecord *self)
{
  g_free (self->name);
  *self = (LsPinRecord) { 0 };
}

const char *
ls_pin_letter (guint slot)
{
  static const char *const letters[LS_PINS_MAX] = { "A", "B", "C", "D", "E", "F", "G" };

  return slot < LS_PINS_MAX ? letters[slot] : "?";
}

char *
ls_pin_describe (const LsPinRecord *self)
{
  switch (self->kind)
    {
    case LS_PIN_LOOP:
      return g_strdup_printf (_("loop %s"), self->name);
    case LS_PIN_BLOCK:
      return g_strdup_printf (_("block %s"), self->name);
    case LS_PIN_BUFFER:
      return g_strdup_printf (_("buffer %s"), self->name);
    case LS_PIN_VARIABLE:
      return g_strdup_printf (_("variable %s"), self->name);
    }

  return g_strdup (self->name);
}

char *
ls_pins_letters (guint8 pins)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < LS_PINS_MAX; i++)
    if (pins & LS_PIN_BIT (i))
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", ls_pin_letter (i));
  return g_string_free (text, FALSE);
}

char *
ls_pins_describe (guint8 pins)
{
  g_autofree char *letters = ls_pins_letters (pins);

  /* Translators: of a loop, block or name; %s is the letter of the pin, or several with commas */
  return pins != 0 ? g_strdup_printf (_("pinned %s"), letters) : NULL;
}

char *
ls_pins_describe_uses (guint8 pins)
{
  g_autofree char *letters = ls_pins_letters (pins);

  /* Translators: of a block that reads or writes what has the pin with this letter, or these letters */
  return pins != 0 ? g_strdup_printf (_("uses what is pinned %s"), letters) : NULL;
}

guint
ls_pins_count (guint8 pins)
{
  guint n = 0;

  for (; pins != 0; pins &= (guint8) (pins - 1))
    n++;
  return n;
}
