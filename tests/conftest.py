"""Settings shared by all tests."""

from hypothesis import settings

from evodom.kernel import COMPILED

# Derandomized, so that a run is the same everywhere; plain Python gets a few examples only.
settings.register_profile("evodom", deadline=None, derandomize=True, database=None, max_examples=60 if COMPILED else 10)
settings.load_profile("evodom")
