// -----// IR Dump After A ('' operation: @) //----- //
module {
}
// -----// IR Dump After B //----- //
(reg:SI 5)
