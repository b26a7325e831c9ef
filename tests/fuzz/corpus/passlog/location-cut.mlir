// -----// IR Dump After CSE (cse) //----- //
func.func @f() {
  %0 = arith.constant 1 : i32 loc(#loc3)
  return loc(#loc1)
}
#loc1ro