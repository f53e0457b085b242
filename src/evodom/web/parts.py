"""The parts of the page. To add one, write a module with `routes`, and name it here."""

from evodom.web.ask import routes as ask
from evodom.web.fights import routes as fights
from evodom.web.maps import routes as maps
from evodom.web.play import routes as play
from evodom.web.runs import routes as runs
from evodom.web.tasks import routes as tasks

PARTS = (play.routes, ask.routes, runs.routes, tasks.routes, fights.routes, maps.routes)
"""The routes of each part."""
