"""Emitters: functions that propose genomes, each in a module named after what it does.

An emitter has the parameters of `emit(parents, n, options, rng)` and returns `n` genomes with their origins. It depends
on these alone. A further emitter is a module and a row of `EMITTERS` in `evodom.evolution.emitters.table`.
"""
