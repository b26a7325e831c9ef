/* What a compiler has to know of CUDA to read the kernels that are written here, and no more. */
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __align__(n) __attribute__((aligned(n)))
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(n) __attribute__((launch_bounds(n)))

struct Axes { int x, y, z; };
struct uint2 { unsigned int x, y; };
struct uint4 { unsigned int x, y, z, w; };
struct float2 { float x, y; };
struct float4 { float x, y, z, w; };
struct int2 { int x, y; };
struct int4 { int x, y, z, w; };
extern const __device__ struct Axes blockIdx, threadIdx;

extern "C" {
__device__ void __syncthreads();
__device__ void __syncwarp();
__device__ unsigned int __activemask();
__device__ float __shfl_down_sync(unsigned int, float, int, int);
__device__ float __shfl_sync(unsigned int, float, int, int);
__device__ float expf(float);
__device__ float __int_as_float(int);
}
__device__ float atomicAdd(float *, float);
__device__ int atomicAdd(int *, int);
__device__ int atomicMax(int *, int);
