"""The process that does a task, as `evodom.web.jobs` does it, but advice in it takes a few seconds.

python -m tests.web.small_work
"""

import pytest

from evodom.web.jobs import main
from tests.advice.small import shrink

if __name__ == "__main__":
    shrink(pytest.MonkeyPatch())
    main()
