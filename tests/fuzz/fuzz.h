/* fuzz: the one function that each fuzz target defines, in libFuzzer's form.
 *
 * tests/fuzz/NAME.c is a target, tests/fuzz/corpus/NAME/ its inputs.  In the ordinary build
 * driver.c runs it over the corpus, one test case per file; with -Dfuzz=true (clang) libFuzzer
 * drives it.  The input does not end with a NUL.
 */
#pragma once

#include <glib.h>

int LLVMFuzzerTestOneInput (const guint8 *data,
                            gsize         size);
