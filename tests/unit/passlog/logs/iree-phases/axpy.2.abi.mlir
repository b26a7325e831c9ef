module {
  util.func public @axpy$async(%arg0: !hal.buffer_view, %arg1: !hal.fence, %arg2: !hal.fence) -> !hal.buffer_view {
    %0 = hal.tensor.import wait(%arg1) => %arg0 : !hal.buffer_view -> tensor<16xf32>
    %1 = tensor.empty() : tensor<16xf32>
    %2 = linalg.exp ins(%0 : tensor<16xf32>) outs(%1 : tensor<16xf32>) -> tensor<16xf32>
    %3 = hal.tensor.barrier join(%2 : tensor<16xf32>) => %arg2 : !hal.fence
    %4 = hal.tensor.export %3 : tensor<16xf32> -> !hal.buffer_view
    util.return %4 : !hal.buffer_view
  }
}
