// -----// IR Dump After CSE (cse) //----- //
func.func @f() {
  %0 = arithn ('builtin.module' operation) //----- //
#loc = loc("a#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc"loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#loc#l