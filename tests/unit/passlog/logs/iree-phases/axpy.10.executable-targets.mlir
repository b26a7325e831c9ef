module {
  util.func public @axpy$async(%arg0: !hal.buffer_view, %arg1: !hal.fence, %arg2: !hal.fence) -> !hal.buffer_view {
    %0 = hal.tensor.import wait(%arg1) => %arg0 : !hal.buffer_view -> tensor<16xf32>
    %1 = flow.dispatch @axpy_dispatch_0::@f(%0) : (tensor<16xf32>) -> tensor<16xf32>
    %2 = hal.tensor.barrier join(%1 : tensor<16xf32>) => %arg2 : !hal.fence
    %3 = hal.tensor.export %2 : tensor<16xf32> -> !hal.buffer_view
    util.return %3 : !hal.buffer_view
  }
}
