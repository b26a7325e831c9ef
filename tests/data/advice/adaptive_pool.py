# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(X: T.Buffer((1, 32, 30, 30), "float32"), adaptive_pool_avg: T.Buffer((1, 32, 7, 7), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        adaptive_pool_sum = T.alloc_buffer((1, 32, 7, 7))
        for ax0, ax1, ax2, ax3 in T.grid(1, 32, 7, 7):
            with T.block("adaptive_pool_sum_1"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(X[v_ax0, v_ax1, v_ax2 * 30 // 7:v_ax2 * 30 // 7 + ((v_ax2 * 2 % 7 + 30) // 7 + 1), v_ax3 * 30 // 7:v_ax3 * 30 // 7 + ((v_ax3 * 2 % 7 + 30) // 7 + 1)])
                T.writes(adaptive_pool_sum[v_ax0, v_ax1, v_ax2, v_ax3])
                for rv0, rv1 in T.grid(T.Select((v_ax2 * 2 + 2) % 7 == 0, (v_ax2 * 30 + 30) // 7, (v_ax2 * 30 + 30) // 7 + 1) - v_ax2 * 30 // 7, T.Select((v_ax3 * 2 + 2) % 7 == 0, (v_ax3 * 30 + 30) // 7, (v_ax3 * 30 + 30) // 7 + 1) - v_ax3 * 30 // 7):
                    with T.block("adaptive_pool_sum"):
                        v_ax0_1 = T.axis.spatial((v_ax0, v_ax0 + 1), v_ax0)
                        v_ax1_1 = T.axis.spatial((v_ax1, v_ax1 + 1), v_ax1)
                        v_ax2_1 = T.axis.spatial((v_ax2, v_ax2 + 1), v_ax2)
                        v_ax3_1 = T.axis.spatial((v_ax3, v_ax3 + 1), v_ax3)
                        v_rv0, v_rv1 = T.axis.remap("RR", [rv0, rv1])
                        T.reads(X[v_ax0_1, v_ax1_1, v_ax2_1 * 30 // 7 + v_rv0, v_ax3_1 * 30 // 7 + v_rv1])
                        T.writes(adaptive_pool_sum[v_ax0_1, v_ax1_1, v_ax2_1, v_ax3_1])
                        with T.init():
                            adaptive_pool_sum[v_ax0_1, v_ax1_1, v_ax2_1, v_ax3_1] = T.float32(0.0)
                        adaptive_pool_sum[v_ax0_1, v_ax1_1, v_ax2_1, v_ax3_1] = adaptive_pool_sum[v_ax0_1, v_ax1_1, v_ax2_1, v_ax3_1] + X[v_ax0_1, v_ax1_1, v_ax2_1 * 30 // 7 + v_rv0, v_ax3_1 * 30 // 7 + v_rv1]
        for ax0, ax1, ax2, ax3 in T.grid(1, 32, 7, 7):
            with T.block("adaptive_pool_avg"):
                v_ax0, v_ax1, v_ax2, v_ax3 = T.axis.remap("SSSS", [ax0, ax1, ax2, ax3])
                T.reads(adaptive_pool_sum[v_ax0, v_ax1, v_ax2, v_ax3])
                T.writes(adaptive_pool_avg[v_ax0, v_ax1, v_ax2, v_ax3])
                T.block_attr({"schedule_rule": "meta_schedule.adaptive_pool_avg"})
                adaptive_pool_avg[v_ax0, v_ax1, v_ax2, v_ax3] = adaptive_pool_sum[v_ax0, v_ax1, v_ax2, v_ax3] / (T.Cast("float32", T.Select((v_ax2 * 2 + 2) % 7 == 0, (v_ax2 * 30 + 30) // 7, (v_ax2 * 30 + 30) // 7 + 1) - v_ax2 * 30 // 7) * T.Cast("float32", T.Select((v_ax3 * 2 + 2) % 7 == 0, (v_ax3 * 30 + 30) // 7, (v_ax3 * 30 + 30) // 7 + 1) - v_ax3 * 30 // 7))