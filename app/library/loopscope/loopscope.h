/* loopscope: the public headers of libloopscope.
 *
 * Everything that the library shows to others is called loopscope_*; the rest of Loopscope is in it, hidden (loopscope.map).
 * The comments below and in the other headers are the reference: gi-docgen and the typelib are made of them.
 */
#pragma once

#include <loopscope/loopscope-version.h>
#include <loopscope/loopscope-error.h>
#include <loopscope/loopscope-move.h>
#include <loopscope/loopscope-program.h>
#include <loopscope/loopscope-workbench.h>
#include <loopscope/loopscope-view.h>
#include <loopscope/loopscope-enums.h>
