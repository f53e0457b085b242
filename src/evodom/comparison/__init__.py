"""Compare settings of `evolve` or `train` over the same seeds (`evodom compare`).

- `plan` has the settings, the seeds, and the judges: held-out baselines that measure each run.
- `run` computes the missing runs of a plan (`carry_on`), and saves each with its learning curve.
- `result` has the mean win rates of the settings, and tests of their differences.
"""
