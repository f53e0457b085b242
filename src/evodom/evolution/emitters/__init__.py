"""Emitters: functions that propose genomes.

An emitter is called as `emit(parents, n, options, rng)` and returns `n` genomes with their origins. Its result depends
only on its arguments. To add an emitter, write such a function and a row of `NEW_EMITTERS` in `generation`.
"""
