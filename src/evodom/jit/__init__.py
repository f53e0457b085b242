"""Compiled functions: the kernel decorator, its cache, linking, dispatch tables and vector loops."""
