/* Fragments of tensor cores: what can be said and called, without what it does. */
#pragma once

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };

template <typename Use, int M, int N, int K, typename T, typename Layout = void> struct fragment { T x[8]; };

template <int M, int N, int K, typename T, typename Layout>
__device__ void load_matrix_sync(fragment<matrix_a, M, N, K, T, Layout> &, const T *, unsigned);
template <int M, int N, int K, typename T, typename Layout>
__device__ void load_matrix_sync(fragment<matrix_b, M, N, K, T, Layout> &, const T *, unsigned);
template <int M, int N, int K, typename T>
__device__ void load_matrix_sync(fragment<accumulator, M, N, K, T> &, const T *, unsigned, layout_t);
template <int M, int N, int K, typename T>
__device__ void store_matrix_sync(T *, const fragment<accumulator, M, N, K, T> &, unsigned, layout_t);
template <typename Use, int M, int N, int K, typename T, typename Layout>
__device__ void fill_fragment(fragment<Use, M, N, K, T, Layout> &, T);
template <int M, int N, int K, typename D, typename A, typename B, typename C, typename LayoutA, typename LayoutB>
__device__ void mma_sync(fragment<accumulator, M, N, K, D> &, const fragment<matrix_a, M, N, K, A, LayoutA> &, const fragment<matrix_b, M, N, K, B, LayoutB> &,
                         const fragment<accumulator, M, N, K, C> &);

}
}
