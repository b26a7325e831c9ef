/* Grounds behind code in a sentence: one for each stretch on each line, and none meets that of the next line. */
#include "app/learn/code-ground.h"

static GArray *
places_of (const char *markup)
{
  g_autoptr (GtkWidget) label = g_object_ref_sink (gtk_label_new (NULL));

  gtk_label_set_markup (GTK_LABEL (label), markup);
  return ls_code_ground_places (GTK_LABEL (label));
}

static void
test_none (void)
{
  g_autoptr (GArray) plain = places_of ("words alone");
  g_autoptr (GArray) other = places_of ("<b>bold</b>, <span face=\"sans\">sans</span>");

  g_assert_cmpuint (plain->len, ==, 0);
  g_assert_cmpuint (other->len, ==, 0);
}

static void
test_lines (void)
{
  static const char *const words[] = { "and", "和", "와" };

  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autofree char *markup = g_strdup_printf ("<span line_height=\"1.45\"><span face=\"monospace\">vi</span> %s <span face=\"monospace\">vj</span>\n"
                                                 "<span face=\"monospace\">T.axis</span> %s</span>", words[i], words[i]);
      g_autoptr (GArray) places = places_of (markup);
      graphene_rect_t *place = (graphene_rect_t *) places->data;

      g_assert_cmpuint (places->len, ==, 3);
      g_assert_cmpfloat (place[0].origin.x + place[0].size.width, <, place[1].origin.x);
      g_assert_cmpfloat (place[0].origin.y, ==, place[1].origin.y);
      g_assert_cmpfloat_with_epsilon (place[2].size.width, 3.0f * place[0].size.width, 1.0f);
      g_assert_cmpfloat (place[2].origin.y - place[0].origin.y, >, 1.2f * place[0].size.height);
    }
}

/* A name with a letter of another script in it is one stretch. */
static void
test_mixed (void)
{
  g_autoptr (GArray) places = places_of ("a <span face=\"monospace\">x和y</span> b");

  g_assert_cmpuint (places->len, ==, 1);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    {
      g_print ("1..0 # SKIP no display\n");
      return 0;
    }
  g_test_add_func ("/code-ground/none", test_none);
  g_test_add_func ("/code-ground/lines", test_lines);
  g_test_add_func ("/code-ground/mixed", test_mixed);
  return g_test_run ();
}
