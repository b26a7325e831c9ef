/* script: the text of TVMScript, read and written.
 *
 *   parser.h    text -> module, text -> expression
 *   calls.h     text of schedule steps -> list of calls
 *   printer.h   module, function, expression -> text
 */
#pragma once

#include "engine/script/parser.h"
#include "engine/script/calls.h"
#if __has_include("engine/script/printer.h")
#include "engine/script/printer.h"
#endif
