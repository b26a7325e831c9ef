/* where: what a test program does when it ends badly. */
#pragma once

/* Says where it is, and ends by that signal. A handler: who has one of its own calls it last. */
void ls_test_say_where (int number);
