/* Read once for the files of views and app in a build from nothing, where reading GTK's headers is half of what a file takes (meson's b_pch).
 * Sources name what they need themselves: most builds are made without this. */
#include <gtk/gtk.h>
