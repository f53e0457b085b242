"""Quick runs of evolution for all commands."""

from tests.saved import short_runs as short_runs
