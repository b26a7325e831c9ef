"""Features of RISC-V processors by their names, as clang 19 hands them to LLVM."""

# (names, the processor that it is like, what it has besides; -what it has not)
CPUS = [
    ("generic-rv32 generic-rv64", "", ""),
    ("rocket-rv32 rocket-rv64", "", "zicsr zifencei"),
    ("syntacore-scr1-base", "", "c zicsr zifencei"),
    ("sifive-e20 syntacore-scr1-max syntacore-scr3-rv32", "syntacore-scr1-base", "m zmmul"),
    ("sifive-e21 sifive-e31 sifive-s21 sifive-s51 syntacore-scr3-rv64", "sifive-e20", "a"),
    ("sifive-e24 sifive-e34 sifive-e76", "sifive-e21", "f"),
    ("sifive-s54 sifive-u54 sifive-u74", "sifive-e24", "d"),
    ("sifive-s76", "sifive-s54", "zihintpause"),
    ("generic rocket sifive-7-series", "sifive-s54", "-zifencei"),
    ("sifive-p450", "sifive-s76",
     "unaligned-scalar-mem unaligned-vector-mem za64rs zba zbb zbs zfhmin zic64b zicbom zicbop zicboz ziccamoa ziccif zicclsm ziccrse "
     "zihintntl zihpm"),
    ("sifive-p670", "sifive-p450", "v zvbb zvbc zvkb zvkg zvkn zvknc zvkned zvkng zvknhb zvks zvksc zvksed zvksg zvksh zvkt"),
    ("sifive-x280", "sifive-s54", "v zba zbb zfh zfhmin zvfh zvfhmin zvl512b"),
    ("spacemit-x60", "sifive-p450",
     "ssccptr sscofpmf sscounterenw sstc sstvala sstvecd svade svbare svinval svnapot svpbmt v zbc zbkc zfh zicntr zicond zkt zvfh zvfhmin "
     "zvkt zvl256b -unaligned-scalar-mem -unaligned-vector-mem -zihintntl"),
    ("veyron-v1", "sifive-s76", "xventanacondops zba zbb zbc zbs zicbom zicbop zicboz zicntr zihpm"),
    ("xiangshan-nanhu", "sifive-s54", "svinval zba zbb zbc zbkb zbkc zbkx zbs zicbom zicboz zkn zknd zkne zknh zks zksed zksh"),
]

# What a feature brings along: of registers of 512 bits all that is said of those of 256.
IMPLIED = {
    "d": "f", "f": "zicsr", "m": "zmmul", "v": "zve64d zvl128b", "zfh": "zfhmin", "zfhmin": "f", "zve32f": "zve32x f", "zve32x": "zvl32b zicsr",
    "zve64d": "zve64f d", "zve64f": "zve32f zve64x", "zve64x": "zve32x zvl64b", "zvfh": "zvfhmin zfhmin", "zvfhmin": "zve32f",
    **{f"zvl{2 * bits}b": f"zvl{bits}b" for bits in (32 << n for n in range(11))},
}


def register_bits(features):
    """Bits of a vector register, at least: what is said of them, and 128 where nothing is."""
    return max([128, *(int(name[3:-1]) for name in features if name.startswith("zvl"))])
