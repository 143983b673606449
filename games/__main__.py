"""The command line, ``python -m games``: lists games, lets bots play them, replays records."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from games import catalogue
from games.core import BadOption, BadRecord, Game, RulesFailed, handicap
from games.core.terminal import lines, one_line
from games.lab import command_line
from games.lab.interrupt import listen
from games.lab.logs import BadLogs
from games.lab.plugins import PluginFailed, hidden_arguments
from games.lab.pool import INTERRUPTED, ClusterFailed

NOBODY_READS = 141  # exit code of a program that was killed by SIGPIPE


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Returns the exit code: 0 done; 1 a plug-in bot, the rules, a cluster or a check failed; 2 invalid request; 130
    interrupted; 141 standard output was closed. Raises SystemExit as argparse does: 0 after help, 2 for invalid
    arguments.
    """
    try:
        return _run(arguments)
    except SystemExit:  # after --help; its output may still be buffered
        _flush_or_discard()
        raise
    except BrokenPipeError:  # for example with ``| head``
        _flush_or_discard()
        return NOBODY_READS


def _flush_or_discard() -> None:
    """Flush the output, or discard it if nobody reads it: the interpreter would report an error on exit."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(arguments: Sequence[str] | None) -> int:
    parser = _parser()
    args, rest = parser.parse_known_args(arguments)
    if rest and getattr(args, "bots", None) == [] and not any(word.startswith("-") for word in rest):
        args.bots = rest  # argparse has already matched an empty list before the options
    elif rest:
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    if getattr(args, "matches", None) == []:  # argparse of Python 3.11 takes a second -- for an argument, and drops it
        parser.error("-- stands between options and other arguments, once at most")
    return exit_code(f"{parser.prog} {args.command}", lambda: args.run(args))


def exit_code(command: str, run: Callable[[], int | None]) -> int:
    """Run a command, print why it fails in a sentence that begins with its name, and return its exit code: see main.

    Raises BrokenPipeError.
    """
    try:
        code = run()
        sys.stdout.flush()
    except RulesFailed as failed:
        print(f"{command}: the rules failed. {lines(str(failed))}", file=sys.stderr)
        return 1
    except BrokenPipeError:  # an OSError, but not a refusal
        raise
    except catalogue.UnreadableGame as error:  # the message may list every error in a text
        print(f"{command}: {lines(str(error))}", file=sys.stderr)
        _flush_or_discard()
        return 2
    except (BadOption, BadRecord, BadLogs, catalogue.UnknownGame, OSError) as error:
        print(f"{command}: {one_line(str(error))}", file=sys.stderr)
        _flush_or_discard()
        return 2
    except (PluginFailed, ClusterFailed) as failed:
        print(f"{command}: {failed}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return INTERRUPTED
    return code or 0


class _Parser(argparse.ArgumentParser):
    """Refuses an option that is given twice, instead of silently using the last one."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.register("action", None, _Once)

    def error(self, message: str) -> NoReturn:
        super().error(one_line(message))


class _Once(argparse.Action):
    """Stores a value, but only once."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        given = namespace.__dict__.setdefault("_given", set())
        if option and self.dest in given:
            raise argparse.ArgumentError(self, "can be given only once")
        given.add(self.dest)
        setattr(namespace, self.dest, values)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="python -m games", description="Simulate games between bots, analyse games, and replay records."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("list", help="list the games, their options and their bots").set_defaults(run=_list)
    command_line.add_to(commands)
    for name, module in catalogue.commands().items():
        module.add_to(commands.add_parser(name, help=module.ABOUT))
    return parser


def _list(args: argparse.Namespace) -> None:
    for index, provider in enumerate(catalogue.providers):
        games = catalogue.listed(provider)
        if games:
            if index:
                print()
            print(provider.title)
        if isinstance(provider, catalogue.TextFolder):
            _list_texts(games, provider.suffix)
        else:
            for game in games:
                _list_game(game)


def _list_game(game: Game) -> None:
    print(f"{game.name}: {game.title}, {game.seats_in_words} (usually {game.default_seats})")
    print(f"    {game.summary}")
    for option in game.options:
        default = option.label_of(option.default) if option.default == "" else option.default
        print(f"    option {option.name}={option.allowed}, default {default}: {option.help or option.label}")
    if game.handicap:
        noun = game.handicap.noun.lower()
        print(f"    option {handicap.OPTION}={game.handicap.allowed}: {noun} at the start, more or less than usual")
    for bot in catalogue.bots(game):
        print(f"    bot {bot.name}: {bot.title}")


def _list_texts(games: Sequence[Game], suffix: str) -> None:
    """List games that differ only in their source: one line each, then what they have in common."""
    for game in games:
        print(f"{game.name}: {game.title}, {game.seats_in_words}. {game.summary}")
    for bot in dict.fromkeys(bot for game in games for bot in catalogue.bots(game)):
        print(f"    bot {bot.name}: {bot.title}")
    print(f"    Play any other text by its path: python -m games simulate PATH{suffix} 100 random random")


if __name__ == "__main__":
    listen()
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # a terminal that knows no suits
    sys.exit(main(hidden_arguments()))
