/* schedule: programs transformed step by step, as TVM's tir.Schedule does it.
 *
 *   state/        the places of loops and blocks over an immutable module, and its versions
 *   step/         a row of the table, one call of it, the schedule with its steps
 *   trace/        steps without a program, as text and JSON
 *   rewrite/      parts of a scope rebuilt, legal/ conditions with their sentences: what primitives share
 *   intrin/       tensor intrinsics: descriptions of what one instruction of a machine does
 *   primitive/    one primitive per file, and the table of all of them
 *   call/         calls as Python text (script/calls.h) bound to rows of the table
 *   lineage/      which loop, block and buffer became which, and how that is told
 *   inspect/      dependences, footprints, lifetimes; explain/ the page of a primitive; moves/ what can be done here
 *   space/        the schedules that are worth trying
 *
 * This header is the whole of what others need to transform programs; the rooms from intrin/ on have headers of their own.
 * Menus, the command line and the Python bindings are made from the table.
 * Source of names, conditions and results: TVM v0.20's tir::Schedule.
 */
#pragma once

#include "engine/schedule/call/call.h"
#include "engine/schedule/lineage/lineage.h"
#include "engine/schedule/state/version.h"
#include "engine/schedule/step/instruction.h"
#include "engine/schedule/step/step.h"
#include "engine/schedule/trace/trace.h"
