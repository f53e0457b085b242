"""Matches: strategies of any origin at tables, played and counted; tournaments, ratings and intervals."""
