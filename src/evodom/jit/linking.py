"""Link kernels that call each other: each is lowered once, and only kernels called from Python become machine code.

Numba optimises every function, compiles it to machine code with a wrapper for Python, and links it into its callers.
There the same work is repeated, once at each level of calls. Numba also compiles a function for each type of integer
and each constant argument. For Dominion's kernels this is two thirds of the compile time.

A `Kernel` has two forms. Called from Python, it is an ordinary Numba dispatcher. Called by another kernel, it is a
*part*: LLVM bitcode of the kernel and its callees, with all signed integers widened to 64 bits. The parts are optimised
together in the outermost kernel. Parts are cached on disk beside the compiled code, so that processes share them.

This module uses private parts of Numba, tested with the versions up to `NEWEST_NUMBA`. With a newer version, or if a
method is missing (`CAN_LINK_PARTS`), `kernel` uses plain Numba: equal results, a slower first start.
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

from evodom.jit.cache import KernelCache

OLDEST_NUMBA, NEWEST_NUMBA = (0, 61), (0, 68)
"""The oldest and the newest version of Numba with which linking was tested."""

IS_TESTED = OLDEST_NUMBA <= version_info.short <= NEWEST_NUMBA
"""True if linking was tested with this version of Numba."""

CAN_LINK_PARTS = (
    IS_TESTED
    and all(hasattr(JITCodeLibrary, name) for name in ("_optimize_final_module", "_finalize_final_module"))
    and all(hasattr(CPUDispatcher, name) for name in ("get_call_template", "get_overload", "fold_argument_types"))
    and "library" in compiler.compile_extra.__code__.co_varnames
)
"""True if this version of Numba is tested and has the methods that are overridden here."""


class PartLibrary(JITCodeLibrary):
    """The LLVM code of a kernel and its callees, neither optimised as a whole nor compiled to machine code."""

    def _optimize_final_module(self) -> None:
        """Do nothing: all parts are optimised together, once, in the kernel that Python calls."""

    def _finalize_final_module(self) -> None:
        """Mark the library as final without compiling it to machine code."""
        self._finalize_dynamic_globals()
        self._finalized = True

    def serialize_using_object_code(self) -> tuple[str, bytes]:
        """Return the name and the bitcode for the cache. A part has no object code."""
        return self.name, self._final_module.as_bitcode()


def _rebuild_part(target_context: BaseContext, *saved: Any) -> Any:
    """Return a part read from disk."""
    (name, bitcode), fndesc, environment, signature, *_ = saved
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


class PartFlags(compiler.Flags):
    """Numba's compiler flags, with a faster hash and comparison. Numba uses both whenever it resolves a call.

    Numba's hash depends on the names of the options alone and is therefore constant. Two sets of flags with equal set
    values are equal, whatever their defaults. This saves an eighth of the compile time.
    """

    def __hash__(self) -> int:
        return _HASH_OF_FLAGS

    def __eq__(self, other: object) -> bool:
        return (type(other) is PartFlags and self._values == other._values) or bool(super().__eq__(other))


_HASH_OF_FLAGS = hash(compiler.Flags())


class Kernel(CPUDispatcher):
    """A compiled function: machine code for calls from Python, a part for calls from other kernels."""

    def __init__(self, function: Callable[..., object], options: dict[str, Any]) -> None:
        super().__init__(function, targetoptions={"nopython": True, **options})
        self._parts: dict[Any, Any] = {}
        self._part_cache: Any = NullCache()
        self.is_cold = False
        """True if the kernel is never inlined (`cold_kernel`)."""

    def enable_caching(self) -> None:
        """Cache compiled code and parts on disk."""
        self._cache = KernelCache(self)
        self._part_cache = KernelCache(self, "part", _rebuild_part)

    def key_inputs(self) -> tuple[Any, ...]:
        """Return what the cache key covers: the function, its options, and how it is lowered."""
        options = sorted(self.targetoptions.items())
        return "kernel", self.py_func, options, self.is_cold, Kernel._lower.__code__, PartLibrary, widen

    def get_call_template(self, args: Sequence[types.Type], kws: Mapping[str, types.Type]) -> Any:
        """Return the template of a call from another kernel. Create the part if necessary."""
        signature, given = self.fold_argument_types(args, kws)
        widened = tuple(map(widen, given))
        part = self.part(widened)
        name = self.py_func.__name__
        template = typing.make_concrete_template(name, key=name, signatures=[part.signature])
        return template, signature, widened, {}

    def get_overload(self, sig: Sequence[types.Type]) -> Any:
        """Return the library of the part, which Numba uses to compile a call of it."""
        arguments, _ = sigutils.normalize_signature(sig)
        return self._parts[tuple(arguments)].library

    def part(self, arguments: Sequence[types.Type]) -> Any:
        """Return the part for these types of arguments, from the cache if possible."""
        if arguments not in self._parts:
            part = self._part_cache.load_overload(arguments, self.targetctx)
            if part is None:
                part = self._lower(arguments)
                self._part_cache.save_overload(arguments, part)
            self.targetctx.insert_user_function(part.library, part.fndesc, [part.library])
            self._parts[arguments] = part
        return self._parts[arguments]

    def precompile(self, *arguments: object) -> None:
        """Create the part for the types of these arguments."""
        with global_compiler_lock:
            self.part(tuple(widen(self.typeof_pyval(argument)) for argument in arguments))

    def _lower(self, arguments: Sequence[types.Type]) -> Any:
        """Lower the function to LLVM code."""
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
    """Return the type of an argument of a part: no literal types, and int64 for all signed integers."""
    if isinstance(kind, types.Literal):
        kind = kind.literal_type
    if isinstance(kind, types.IntEnumMember):
        kind = kind.dtype
    return types.int64 if kind in types.signed_domain else kind
