"""Link kernels that call each other. Only kernels called from Python or by a `DispatchTable` become machine code.

Plain Numba optimises every function, compiles it to machine code with a wrapper for Python, and links it into its
callers. Each caller repeats the work for its callees. Numba also compiles a function for each type of integer and each
constant argument. For Dominion's kernels this is two thirds of the compile time.

A `Kernel` has two forms. Called from Python or by a table, it is an ordinary Numba dispatcher. Called by a kernel, it
is a *part*: LLVM bitcode of the kernel alone, with all signed integers widened to 64 bits. The outermost kernel links
its parts and optimises them together. Parts are cached on disk with the compiled code, so that processes share them.

This module uses private members of Numba, tested with the versions up to `NEWEST_NUMBA`. With a newer version, or if a
method is missing (`CAN_LINK_PARTS`), `kernel` uses plain Numba. Results are equal, but the first start is slower.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from llvmlite import binding
from numba import version_info
from numba.core import compiler, sigutils, types, typing
from numba.core.base import BaseContext
from numba.core.caching import NullCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import FunctionPass, PassManager
from numba.core.registry import CPUDispatcher

from evodom.jit.cache import CACHES, KernelCache
from evodom.jit.passes import KERNEL_PASSES

OLDEST_NUMBA = (0, 61)
"""The oldest version of Numba with which linking was tested."""

NEWEST_NUMBA = (0, 68)
"""The newest version of Numba with which linking was tested."""

IS_TESTED = OLDEST_NUMBA <= version_info.short <= NEWEST_NUMBA
"""True if linking was tested with this version of Numba."""

CAN_LINK_PARTS = (
    IS_TESTED
    and all(hasattr(JITCodeLibrary, name) for name in ("_optimize_final_module", "_finalize_final_module"))
    and all(hasattr(CPUDispatcher, name) for name in ("get_call_template", "get_overload", "fold_argument_types"))
    and hasattr(PassManager, "_runPass")
    and {"library", "pipeline_class"} <= set(compiler.compile_extra.__code__.co_varnames)
)
"""True if this version of Numba is tested and has the methods that are overridden here."""


class KernelPasses(PassManager):
    """The passes of Numba's compiler that kernels need.

    Passes of Numba are left out for what kernels lack: comprehensions, inner functions, ``with``, ``raise`` of computed
    errors, branches on ``None``, literal arguments, and functions that Numba inlines. The fusion of loops is left out,
    too: each operation on whole arrays makes an array.
    """

    def __init__(self) -> None:
        super().__init__("nopython")
        for one in KERNEL_PASSES:
            self.add_pass(one, one.name())
        self.finalize()

    def _runPass(self, index: int, one: FunctionPass, state: Any) -> None:  # noqa: N802
        """Run a pass, without events, timers, checks and descriptions of arguments."""
        one.run_pass(state)


class PartLibrary(JITCodeLibrary):
    """The LLVM code of a part: neither linked with its callees, nor compiled to machine code."""

    def __init__(self, codegen: Any, name: str, source: Any) -> None:
        super().__init__(codegen, name)
        self.source = source
        """The key of the part: its kernel's name in `CACHES` and the types of its arguments. None if not cached."""
        self.parts: dict[PartLibrary, None] = {self: None}
        """This library and the libraries of all callees, in order."""

    @property
    def has_dynamic_globals(self) -> bool:
        """True if the code cannot be cached."""
        return super().has_dynamic_globals or any(part.source is None for part in self.parts)

    def add_linking_library(self, library: Any) -> None:
        """Add the library of a callee. A kernel is linked later; a function of Numba is linked into the code now."""
        if isinstance(library, PartLibrary):
            self.parts[library] = None
        else:
            super().add_linking_library(library)

    def _optimize_final_module(self) -> None:
        """Do nothing: all parts are optimised together, once, in a `KernelLibrary`."""

    def _finalize_final_module(self) -> None:
        """Mark the library as final without compiling it to machine code.

        The linkage "weak_odr" makes a linker keep all functions, and accept the same function from several libraries.
        """
        self._finalize_dynamic_globals()
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == binding.Linkage.external:
                function.linkage = "weak_odr"
        self._finalized = True

    def _get_module_for_linking(self) -> binding.ModuleRef:
        """Return the code. Its functions already have the linkage for callers."""
        self._ensure_finalized()
        return self._final_module


class KernelLibrary(JITCodeLibrary):
    """The code of a kernel that Python or a table calls, linked with its parts."""

    def _optimize_final_module(self) -> None:
        """Optimise the module, with the functions of parts as internal functions.

        No other module can call internal functions. So LLVM can inline each function that is called once, unless it is
        cold. This makes games up to an eighth faster.
        """
        for function in self._final_module.functions:
            if function.linkage == binding.Linkage.weak_odr:
                function.linkage = "internal"
        super()._optimize_final_module()


class KernelTyping(typing.Context):
    """Numba's table of functions, with a cache of signatures. 19 of 20 look-ups repeat an earlier look-up."""

    def __init__(self, context: typing.Context) -> None:
        self.__dict__ = context.__dict__  # share all tables with Numba's context

    def resolve_function_type(self, func: Any, args: Sequence[types.Type], kws: Mapping[str, types.Type]) -> Any:
        """Return the signature of a call, None if there is none."""
        call = func, tuple(args)
        if kws or isinstance(func, types.Dispatcher):
            return super().resolve_function_type(func, args, kws)
        if _SIGNATURES.get(call) is None:
            _SIGNATURES[call] = super().resolve_function_type(func, args, kws)
        return _SIGNATURES[call]


_SIGNATURES: dict[tuple[Any, ...], Any] = {}


class KernelCompiler(compiler.CompilerBase):
    """Numba's compiler with the passes that kernels need."""

    def __init__(self, typingctx: typing.Context, *others: Any) -> None:
        super().__init__(KernelTyping(typingctx), *others)

    def define_pipelines(self) -> list[PassManager]:
        """Return the passes. They write to the given library, by default to a new `KernelLibrary`."""
        if self.state.library is None:
            self.state.library = KernelLibrary(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
            self.state.library.enable_object_caching()
        return [KernelPasses()]


class KernelPart(NamedTuple):
    """A kernel as bitcode, for calls from other kernels."""

    library: PartLibrary
    fndesc: Any
    environment: Any
    signature: typing.Signature

    def _reduce(self) -> tuple[Any, ...]:
        """Return the content of the part's file, for `KernelCache`. It has the names of the callees, not their code."""
        library = self.library
        self.fndesc.typemap = self.fndesc.calltypes = None
        sources = [part.source for part in library.parts]
        return library.name, library._final_module.as_bitcode(), sources, *self[1:]


def _rebuild_part(
    target_context: BaseContext, name: str, bitcode: bytes, sources: list[Any], *others: Any
) -> KernelPart:
    """Return a part read from disk."""
    source, *callees = sources
    library = PartLibrary(target_context.codegen(), name, source)
    library._final_module = binding.parse_bitcode(bitcode)
    library._finalize_final_module()
    for kernel, arguments in callees:
        library.add_linking_library(CACHES[kernel].kernel.part(arguments).library)
    return KernelPart(library, *others)


class PartFlags(compiler.Flags):
    """Numba's compiler flags, with a faster hash and comparison. Numba uses both whenever it resolves a call.

    Numba's hash depends only on the names of the options, so it is constant. Flags are equal if the same values were
    set. This saves an eighth of the compile time.
    """

    def __hash__(self) -> int:
        return _HASH_OF_FLAGS

    def __eq__(self, other: object) -> bool:
        return (type(other) is PartFlags and self._values == other._values) or bool(super().__eq__(other))


_HASH_OF_FLAGS = hash(compiler.Flags())


class Kernel(CPUDispatcher):
    """A compiled function: machine code for calls from Python, a part for calls from other kernels."""

    def __init__(self, function: Callable[..., object], options: dict[str, Any]) -> None:
        super().__init__(function, targetoptions={"nopython": True, **options}, pipeline_class=KernelCompiler)
        self._parts: dict[Any, KernelPart] = {}
        self._part_cache: Any = NullCache()
        self.is_cold = False
        """True if the kernel is never inlined (`cold_kernel`)."""

    def enable_caching(self) -> None:
        """Cache compiled code and parts on disk."""
        self._cache = KernelCache(self)
        self._part_cache = KernelCache(self, "part", _rebuild_part)

    def key_inputs(self) -> tuple[Any, ...]:
        """Return the inputs of the cache key: the function, its options, and the code that lowers it."""
        lowering = Kernel._lower.__code__, KernelCompiler.define_pipelines, KernelPasses, PartLibrary, KernelPart, widen
        return "kernel", self.py_func, sorted(self.targetoptions.items()), self.is_cold, lowering

    def get_call_template(self, args: Sequence[types.Type], kws: Mapping[str, types.Type]) -> Any:
        """Return the template of a call from another kernel. Create the part if necessary."""
        signature, given = self.fold_argument_types(args, kws)
        widened = tuple(map(widen, given))
        part = self.part(widened)
        name = self.py_func.__name__
        template = typing.make_concrete_template(name, key=name, signatures=[part.signature])
        return template, signature, widened, {}

    def get_overload(self, sig: Sequence[types.Type]) -> Any:
        """Return the library of a part. Numba needs it to compile a call of the part."""
        arguments, _ = sigutils.normalize_signature(sig)
        return self._parts[tuple(arguments)].library

    def part(self, arguments: Sequence[types.Type]) -> Any:
        """Return the part for these types of arguments, from the cache if possible."""
        if arguments not in self._parts:
            part = self._part_cache.load_overload(arguments, self.targetctx)
            if part is None:
                part = self._lower(arguments)
                self._part_cache.save_overload(arguments, part)
            self.targetctx.insert_user_function(part.library, part.fndesc, part.library.parts)
            self._parts[arguments] = part
        return self._parts[arguments]

    def precompile(self, *arguments: object) -> None:
        """Create the part for the types of these arguments."""
        with global_compiler_lock:
            self.part(tuple(widen(self.typeof_pyval(argument)) for argument in arguments))

    def _lower(self, arguments: Sequence[types.Type]) -> KernelPart:
        """Lower the function to LLVM code."""
        flags = PartFlags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        file = self._part_cache.file(arguments) if isinstance(self._part_cache, KernelCache) else ""
        source = (self._part_cache.name, arguments) if file else None
        library = PartLibrary(self.targetctx.codegen(), self.py_func.__qualname__, source)
        library.is_cold = self.is_cold
        made = compiler.compile_extra(
            self.typingctx,
            self.targetctx,
            self.py_func,
            args=arguments,
            return_type=None,
            flags=flags,
            locals={},
            library=library,
            pipeline_class=KernelCompiler,
        )
        function = library._final_module.get_function(made.fndesc.llvm_func_name)
        if file:  # the names given by Numba contain numbers that differ between processes
            function.name = made.fndesc.mangled_name = file
        return KernelPart(library, made.fndesc, made.environment, made.signature)


def widen(kind: types.Type) -> Any:
    """Return the type of an argument of a part: no literal types, and int64 for all signed integers."""
    if isinstance(kind, types.Literal):
        kind = kind.literal_type
    if isinstance(kind, types.IntEnumMember):
        kind = kind.dtype
    return types.int64 if kind in types.signed_domain else kind
