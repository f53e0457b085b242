"""The parts of the page. To add one, write a module with `routes`, and name it here."""

from evodom.web.play import routes as play

PARTS = (play.routes,)
"""The routes of each part."""
