"""The same seed learns the same on processors of other kinds, whose vectors are shorter and which round no products."""

import os
import platform
import subprocess
import sys

import pytest

LEARN = """
import hashlib
from evodom.dominion.kingdom import FIRST_GAME
from evodom.budget import Monitor
from evodom.learning.training import TrainOptions
from evodom.learning.training import Training

training = Training(TrainOptions(FIRST_GAME, 3, 12_000, n_starts=2), 1)
saved = [training.first()]
saved.append(training.following(saved, Monitor()))
print(hashlib.sha256(saved[-1].genomes.tobytes()).hexdigest())
"""

OLD_PROCESSOR = {
    "NUMBA_CPU_NAME": "x86-64",
    "NUMBA_CPU_FEATURES": "+sse2",
    "NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3 AVX512F AVX512_SKX",
    "OPENBLAS_CORETYPE": "Prescott",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F",
}


def learned(**environment):
    """Train for a moment in a process of its own and return what names the networks and their optimisers."""
    command = [sys.executable, "-W", "ignore", "-c", LEARN]
    done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.full
@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="names processors of one family")
def test_a_processor_without_long_vectors_learns_the_same():
    here = learned()

    assert len(here.strip()) == 64
    assert learned(**OLD_PROCESSOR) == here
