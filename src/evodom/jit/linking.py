"""How kernels that call each other are compiled: each is lowered once, and only what Python calls becomes machine code.

Numba treats every function alike: it optimises it, makes machine code and a wrapper for Python of it, and links it into
its callers, where all of that is done again, once more at each level of calls. It also compiles a function anew for
each type of integer and each constant it is called with. Of Dominion's kernels that is two thirds of all compiling.

A `Kernel` has two faces. Called from Python it is Numba's dispatcher as ever. Called by another kernel it is a *part*:
LLVM's intermediate code for it and what it calls, with all signed integers widened to 64 bits, to be optimised in the
one place where it ends up. Parts are kept on disk beside the compiled code, so that several processes share them.

This uses private parts of Numba. It was tested with the versions up to `NEWEST_NUMBA`. With a newer one, or where
something is missing (`CAN_LINK_PARTS`), `kernel` lets Numba compile its own way: equal results, a slower first start.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from llvmlite import binding
from numba import version_info
from numba.core import compiler, sigutils, types, typing
from numba.core.base import BaseContext
from numba.core.caching import NullCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher

from evodom.jit.compiled import KernelCache, KernelImpl, cache_of

OLDEST_NUMBA, NEWEST_NUMBA = (0, 61), (0, 68)
"""The versions of Numba that linking was tested with: from the first to the second."""

IS_TESTED = OLDEST_NUMBA <= version_info.short <= NEWEST_NUMBA
"""Whether this version of Numba is one of them."""

CAN_LINK_PARTS = (
    IS_TESTED
    and all(hasattr(JITCodeLibrary, name) for name in ("_optimize_final_module", "_finalize_final_module"))
    and all(hasattr(CPUDispatcher, name) for name in ("get_call_template", "get_overload", "fold_argument_types"))
    and "library" in compiler.compile_extra.__code__.co_varnames
)
"""Whether this version of Numba is tested and has the methods that are replaced here."""


class PartLibrary(JITCodeLibrary):
    """The intermediate code of a kernel and of those it calls, neither optimised as a whole nor made machine code."""

    def _optimize_final_module(self) -> None:
        """Leave it to the kernel that Python calls: there all parts are optimised together, once."""

    def _finalize_final_module(self) -> None:
        """Do without machine code."""
        self._finalize_dynamic_globals()
        self._finalized = True

    def serialize_using_object_code(self) -> tuple[str, bytes]:
        """Return what the cache keeps: there is no object code."""
        return self.name, self._final_module.as_bitcode()


class PartCacheImpl(KernelImpl):
    """What the cache keeps of a part."""

    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        """Return another name than that of the compiled kernel."""
        return f"{super().get_filename_base(fullname, abiflags)}.part"

    def rebuild(self, target_context: BaseContext, payload: tuple[Any, ...]) -> Any:
        """Return a part read from disk."""
        (name, bitcode), fndesc, environment, signature, *_ = payload
        library = PartLibrary(target_context.codegen(), name)
        library._final_module = binding.parse_bitcode(bitcode)
        library._finalize_final_module()
        return compiler.compile_result(
            target_context=target_context,
            typing_context=target_context.typing_context,
            library=library,
            fndesc=fndesc,
            environment=environment,
            signature=signature,
        )


class PartCache(KernelCache):
    """The cache of a kernel's parts."""

    _impl_class = PartCacheImpl


class PartFlags(compiler.Flags):
    """How parts are compiled: Numba's flags, which it hashes and compares whenever it looks at what a call may mean.

    A hash of Numba's is made of the names of all options alone, so it is the same for all; and flags that were set to
    the same are equal, whatever the defaults of the others. To see so at once is an eighth of all compiling.
    """

    def __hash__(self) -> int:
        return _HASH_OF_FLAGS

    def __eq__(self, other: object) -> bool:
        return (type(other) is PartFlags and self._values == other._values) or bool(super().__eq__(other))


_HASH_OF_FLAGS = hash(compiler.Flags())


class Kernel(CPUDispatcher):
    """A compiled function: with machine code where Python calls it, a part of its callers where kernels do."""

    def __init__(self, function: Callable[..., object], options: dict[str, Any]) -> None:
        super().__init__(function, targetoptions={"nopython": True, **options})
        self._parts: dict[Any, Any] = {}
        self._part_cache: Any = NullCache()
        self.is_cold = False
        """Never inlined: a kernel that is called rarely by one that is called often."""

    def enable_caching(self) -> None:
        """Keep compiled code and parts on disk."""
        self._cache = cache_of(self.py_func)
        self._part_cache = cache_of(self.py_func, PartCache)

    def get_call_template(self, args: Sequence[types.Type], kws: Mapping[str, types.Type]) -> Any:
        """Return the type of a call by another kernel, and make sure that there is a part for it."""
        signature, given = self.fold_argument_types(args, kws)
        widened = tuple(map(widen, given))
        part = self.part(widened)
        name = self.py_func.__name__
        template = typing.make_concrete_template(name, key=name, signatures=[part.signature])
        return template, signature, widened, {}

    def get_overload(self, sig: Sequence[types.Type]) -> Any:
        """Return what Numba knows a part by when it compiles a call of it."""
        arguments, _ = sigutils.normalize_signature(sig)
        return self._parts[tuple(arguments)].library

    def part(self, arguments: Sequence[types.Type]) -> Any:
        """Return the part for these types of arguments, out of the cache or lowered now."""
        if arguments not in self._parts:
            part = self._part_cache.load_overload(arguments, self.targetctx)
            if part is None:
                part = self._lower(arguments)
                self._part_cache.save_overload(arguments, part)
            self.targetctx.insert_user_function(part.library, part.fndesc, [part.library])
            self._parts[arguments] = part
        return self._parts[arguments]

    def prepare(self, *arguments: object) -> None:
        """Make the part for arguments like these."""
        with global_compiler_lock:
            self.part(tuple(widen(self.typeof_pyval(argument)) for argument in arguments))

    def _lower(self, arguments: Sequence[types.Type]) -> Any:
        """Lower the function to intermediate code."""
        flags = PartFlags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        part = compiler.compile_extra(
            self.typingctx,
            self.targetctx,
            self.py_func,
            args=arguments,
            return_type=None,
            flags=flags,
            locals={},
            library=PartLibrary(self.targetctx.codegen(), self.py_func.__qualname__),
        )
        if self.is_cold:
            part.library._final_module.get_function(part.fndesc.llvm_func_name).add_function_attribute("noinline")
        return part


def widen(kind: types.Type) -> Any:
    """Return the type that an argument is passed to a part as: no constants, and one type for all signed integers."""
    if isinstance(kind, types.Literal):
        kind = kind.literal_type
    if isinstance(kind, types.IntEnumMember):
        kind = kind.dtype
    return types.int64 if kind in types.signed_domain else kind
