"""The cache of the compiled code is named after every file that holds a kernel."""

from pathlib import Path

import evodom
from evodom.jit.kernel import KERNEL_SOURCES


def test_every_file_with_a_kernel_is_hashed_into_the_name_of_the_cache():
    package = Path(evodom.__file__).parent
    hashed = {
        file
        for source in KERNEL_SOURCES
        for file in ((package / source).rglob("*.py") if (package / source).is_dir() else [package / source])
    }

    with_kernels = {file for file in package.rglob("*.py") if "\n@kernel\n" in file.read_text(encoding="utf-8")}

    assert len(with_kernels) > 10
    assert with_kernels <= hashed
