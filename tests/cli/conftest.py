"""Short rounds of local search for all commands."""

from tests.saved import short_rounds as short_rounds
