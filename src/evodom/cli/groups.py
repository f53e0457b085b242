"""Define the click group of all commands with subcommands: a mistyped subcommand gets a suggestion."""

from __future__ import annotations

import click

from evodom.errors import did_you_mean


class Group(click.Group):
    """Suggest the nearest subcommand for one that does not exist, in all supported versions of click."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the name, the subcommand and its arguments; raise click.UsageError if there is none."""
        name = args[0]
        if not ctx.resilient_parsing and name[:1].isalnum() and self.get_command(ctx, name) is None:
            suggestion = did_you_mean(name, self.list_commands(ctx))
            ctx.fail(f"No such command '{name}'. {suggestion}".rstrip())
        return super().resolve_command(ctx, args)
