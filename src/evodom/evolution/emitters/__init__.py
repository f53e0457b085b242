"""Emitters: functions that propose genomes.

An emitter has the parameters of `emit(parents, n, options, rng)` and returns `n` genomes with their origins. Its result
depends on its arguments alone. A further emitter is a function and a row of `evodom.evolution.emitters.table`.
"""
