"""Refusals of every command: a line with the given value and the allowed values, nothing on stdout.

`test_bounds` tests the bounds of all options.
"""

import json
import shlex
from pathlib import Path

import click
import pytest

from evodom.cli import cli
from evodom.sessions.dominion import DominionSession
from evodom.sessions.files import write_session
from tests.cli.program import run_program
from tests.cli.test_bounds import bounds, commands
from tests.cli.test_strange_input import crooked
from tests.crafted import resave, save_evolved, save_learned
from tests.dominion.helpers import MISSING_CARD
from tests.learning.fights.test_run import begun
from tests.saved import save_answer
from tests.sessions.helpers import make_setup

WORDS = {
    "MAPS": str(Path(__file__).parents[1] / "data" / "maps"), "MISSING": MISSING_CARD, "LONG": "A" * 100_000,
    "FIGURES": "9" * 5000, "NEWLINE": "\n", "ESCAPE": "\x1b",
}  # fmt: skip
"""Words in the tables, and their meaning."""

USAGE = """
advise --minutes 1 --ngen 2 | --minutes & --ngen
advise --against operator:add | Error: --against: & too slow
advise --nstrat 10 | --nstrat & 10 & 8 & 512
advise --export /no/such/folder/best.toml | there is no folder /no/such/folder.
advise --key nul --minutes 1 | a run's key cannot be 'nul': Windows reserves it. Try: demo-nul
advise --key nul --minutes 1 --overwrite | a run's key cannot be 'nul'
evolve con | a run's key cannot be 'con': Windows reserves it. Try: demo-con
evolve con --overwrite | a run's key cannot be 'con'
train Prn | a run's key cannot be 'Prn': Windows reserves it. Try: demo-Prn
spire train lpt1 cultist | a run's key cannot be 'lpt1': Windows reserves it. Try: demo-lpt1
play --opponent random --save COM9 | a game's name cannot be 'COM9': Windows reserves it. Try: game-COM9
spire play cultist --save COM9 | a fight's name cannot be 'COM9': Windows reserves it. Try: game-COM9
evolve x --nstrat 516 | --nstrat & 516
evolve x --switch-index never | --switch-index & 'never' & 1 & 100
evolve x --clone-share 0.8 | --clone-share & --crossover-share & 1
evolve x --n-elite 99 | --n-elite & 99 & --clone-share & 0.25
evolve x --model flat | '--model' & 'flat' & 'graded' & 'classic'
evolve x --choices none | '--choices' & 'none' & 'evolved' & 'simple'
evolve x --start best | '--start' & 'best'
evolve x --search-rounds 1 --halving-games 0 | --search-rounds is 1, and --halving-games is 0
evolve x --kingdom 'Frist Game' | 'Frist Game' & First Game
evolve x --kingdom 'Moat, Vilage' | 'Vilage' & Village
evolve x --kingdom 'Moat, Chapel, moat' | Moat
evolve x --kingdom 'Moat, Copper' | Copper & Supply
evolve x --kingdom '' | the kingdom is empty.
evolve x --first-edition | --first-edition & --kingdom
evolve x --training-baselines bigmoney | 'bigmoney' & big-money
evolve x --training-baselines double-witch | Witch
evolve x --training-baselines big-money --model classic | --training-baselines & --halving-games & 0 & 32
evolve x --training-opponent network --halving-games 0 | --training-opponent & 'network' & --halving-games & 0
evolve x --training-opponent big-mony | 'big-mony' & big-money
evolve x --training-opponent network:1s | --training-opponent
evolve my_run | got & 'my_run'
evolve x --resume --overwrite | --resume & --overwrite
evolve demo --resume --ngen 2 | --ngen is 2, and run 'demo' has 3 generations. Allowed: 3 or more.
evolve | 'KEY'
evolve x --nonsense | --nonsense
evolve x --migrate-every 5 | --migrate-every & 5 & --islands & 8
evolve x --islands 2 --ngen 15 | --ngen & 15 & 10 & --migrate-every
evolve demo | 'demo' & --resume & --overwrite
evolve x --cluster tcp://127.0.0.1:1 | --islands & 8
evolve x --islands 2 --cluster host:8786 | 'host:8786' & tcp://host:8786
train x --games 2000 --minutes 1 | --games & --minutes
play | --opponent
play --opponent random --players 2 --seat 3 | seat 3 does not exist at a table of 2
play --opponent random --players 2 --opponent random | 2 opponents were given
play --continue --seed 1 | --continue
play --watch --opponent random --seat 1 | --watch & --seat
play --watch --opponent random --save mine | --watch & --save
play --opponent random --overwrite | --overwrite & --save
play --list --continue | --list & --continue & --review
play --opponent random --save 'my game' | A-Z
play --opponent random --json | --json & --list
play 'my game' --continue | 64 & letters
play --continue --kingdom random | --continue
play --continue --first-edition | --continue
play demo --kingdom random | 'demo' & --kingdom & --first-edition
play demo --first-edition | 'demo' & --kingdom & --first-edition
play --opponent big-money-smithy --kingdom 'deck top' | Smithy
play --review --continue | --list & --continue & --review
play --review --players 2 | --review
play --opponent network --save a.svg | --save & --review
play --review --save a.png | 'a.png' & .svg
play --opponent random --full | --full & --review
play --opponent ./nosuch.toml
play demo --seat 6 --players 3
serve --port 65536 | --port & 65,535
serve --port 0 --host nowhere.invalid | is no address of this machine
serve --port 0 --host 203.0.113.7 | is no address of this machine
serve --port 0 --host LONG | is no address of this machine
spire train x --iterations 0 | --iterations is 0. Allowed: 1 to 10,000.
spire train x --width 7 | --width is 7. Allowed: 8 to 1,024.
play --trust-agent --opponent random | --trust-agent & --continue & --review
report demo --html ./nosuch/page.html | nosuch & page.html
report ../demo | a run's key is
match random | 2 & 6 & 1 & --players
match random random random random random random random | 7 & --players
match random random random --players 2 | --players & 2 & 3
match random demo:0x | 'demo:0x' & names no strategy
match random big-money --csv ./nosuch/games.csv | nosuch/games.csv cannot be written: there is no folder
match gone.py random | there is no file gone.py.
match nosuchmodule:agent random | 'nosuchmodule:agent' & 'nosuchmodule'
tournament random | 2 & 64 & 1
tournament random big-money random | 'random'
tournament random big-mony | Did you mean big-money?
tournament random big-money --format duels --players 3 | --format & --players
tournament random big-money --games 9 --max-games 9 | --games & --max-games
tournament random big-money --format elimination --games 9 | --games & --format & --match-games
tournament random big-money --format elimination --max-games 9 | --max-games & --format & --match-games
tournament random big-money --match-games 9 | --match-games & --format & --games
tournament
strategies --raw | --raw
strategies random | random
strategies operator:add | operator:add & strategy file
strategies chapel-witch --kingdom 'first game' | Witch
kingdoms 'Chapel, MISSING' | is a card of
match colony-big-money random | colony-big-money buys Colony & --colonies yes
kingdoms random --sets bas | 'bas' & Did you mean Base?
kingdoms first-game --sets base | --sets & none is drawn
kingdoms random --colonies maybe | --colonies & 'maybe' & 'auto', 'yes', 'no'
kingdoms --colonies yes | --colonies & random
kingdoms 'Moat, Colony' --colonies no | Colony & --colonies is no
evolve x --kingdom 'first game' --sets base | --sets & none is drawn
play demo --colonies yes | 'demo' & --kingdom & --colonies
cards --set Bas | 'Bas' & Did you mean Base?
cards Moat --set base | --set
cards coppersmith | Coppersmith & Intrigue (1st edition) & Base
kingdoms --seed 3 | --seed & --first-edition
kingdoms --first-edition | --seed & --first-edition
cards Milita | 'Milita' & Militia
cards MISSING | is a card of & It has the cards of: Base
cards great-hall | Great Hall & Intrigue (1st edition)
cards coppersmith great-hall | Coppersmith is a card & Great Hall is a card & Intrigue (1st edition)
kingdoms 'Coppersmith, Moat, Great Hall' | Coppersmith is a card & Great Hall is a card
evolve x --kingdom 'Moat, Vilage, Chapell' | Did you mean Village & No card named 'Chapell'. Did you mean Chapel
evolve x --kingdom 'Chapel Witch, Gardens' | Commas are missing between the names: Chapel, Witch.
kingdoms 'sea witch Throne Room' | names: sea witch, Throne Room.
kingdoms random --sets 'Base Intrigue' | names: Base, Intrigue.
evolve x --training-baselines 'big-money smithy-ultimate' | names: big-money, smithy-ultimate.
spire solve --deck 'Bash Strike, Defend' | names: Bash, Strike.
match mine.yaml random | The name of a strategy file ends in .toml.
cards '' | ''
cards Moat --edition 2 | --edition
runs delete demo | --yes
runs exprot demo | 'exprot' & export
risk odds five 3 | 'five'
risk odds -5 3 | 'ATTACKERS': -5 & x>=0
risk odds -3 2 --sides 8 | 'ATTACKERS': -3
risk odds --sides 8 -3 2 | 'ATTACKERS': -3
risk odds 2 -3 | '[DEFENDERS]': -3
risk odds 2 -3 --sides 8 | '[DEFENDERS]': -3
risk odds 1000000 100 | 10,000,000 & 1000000
risk odds 5 | DEFENDERS & --chain
risk odds 5 3 --chain 3 | DEFENDERS & --chain
risk odds 5 --chain 3,x | '3,x' & 5,3,2
risk odds 5 3 --wanted 1 | 0.0001 to 0.9999
risk odds 5 3 --wanted 2 | --wanted & 2 & 0.0001 to 0.9999
risk odds 5 3 --sides 1 | --sides & 2 to 1,000
risk odds 5 3 --keep 0 | --keep & 1 to 10,000
risk odds 5 3 --defender-dice 4 | --defender-dice & 1 to 3
risk stop 10000 1001 | 10,000,000
risk stop 5 5 --unit nan | --unit & nan
risk odds 5 3 --save a.png | 'a.png' & .svg
risk xyz | 'xyz'
spire solve --enemy cultits | 'cultits' & Cultist
spire solve --enemy-hp 0 | --enemy-hp & 1 & 999 & '0'
spire solve --enemy sentries --enemy-hp 40 | --enemy-hp & 3 & 1 & 999
spire solve --deck '5 Stirke' | 'Stirke' & Strike
spire solve --remove '6 Strike' | --remove & 6 & 5 & Strike
spire solve --relic vayra | 'vayra' & Vajra
spire solve --potion water | 'water' & Elixir
spire solve --fight nowhere.toml | nowhere.toml cannot be read
spire solve --save picture.jpg | 'picture.jpg' & .svg
spire search --enemy-hp 1,2 | --enemy-hp & 1 & 999 & --player-hp
spire search --remove Havoc | --remove & 1 & 0 & Havoc
spire pick Cleave | 'Cleave'
spire pick 'Cleave, skip' --upgrade | Cleave
spire pick 'Bash, rest' --upgrade | Regret
spire pick | --upgrade & --rest
spire pick --upgrade --deck '3 Strike+, Clumsy' | nothing to choose among in the deck
spire pick --rest --upgrade | --rest & --upgrade
spire pick Bash+ --rest --deck Bash+ | Bash
spire play nob --enemy cultist | two fights are named
spire solve cultist --enemy nob | two fights are named
spire search --potion 'Entropic Brew' | Entropic Brew
spire map | 'SEED|FILE'
spire map 'AGC!' | 5 & 13
spire map -5x | 5 & 13
spire map -5 --bogus | '--bogus'
spire map -5 -6 | unexpected extra argument
spire map -9223372036854775809 | 9223372036854775808
spire map none.json | none.json & No such file
spire map MAPS/1_Act3.json --act 3 | --act
spire map MAPS/1_Act3.json --ascension 0 | --ascension
spire map 1 --save a | 'a' & .svg
spire route | a map is needed, from one source. Name a SEED, a FILE or --save-file FILE
spire route 1 --save-file x.autosave | a map is needed, from one source
spire route --save-file nothing | nothing cannot be read: No such file
spire search --save-file MAPS/1_Act3.json | has no run. Allowed: an autosave of the game, or a message
spire search --save-file x.autosave --run x.run | two runs are named. Leave --run or --save-file out
spire route AGCK93XT --preferences taste | --preferences
spire route AGCK93XT --preferences none.toml | none.toml cannot be read
spire route AGCK93XT --preferences rank --tolerance 0.5 | --tolerance & --preferences
spire route AGCK93XT --preferences rank --tolerances | --tolerances & --preferences
spire route AGCK93XT --tolerance 2 | 0 & 1
spire route AGCK93XT --at-least 'a shop' | is written like
spire route AGCK93XT --through 1,1 | floor 1 has rooms in columns 0, 2, 5
spire route AGCK93XT --avoid north | 3,5 & 'north'
spire route AGCK93XT --player-hp 90 --max-hp 80 | --player-hp
spire route AGCK93XT --max-hp 80 | --hp-changes & --max-hp & --player-hp
spire route AGCK93XT --samples 10 | --samples & --deck
spire route AGCK93XT --deck none.toml | none.toml cannot be read
spire route AGCK93XT --deck none.toml --act 2 | --deck & 2 & --act
spire route AGCK93XT --event-chances shop=70%,monster=70% | 0.7
spire route AGCK93XT --method lp --player-hp 80 | 80 & HP
spire search --run ./nosuch.run
spire play nosuch
spire play nosuch.toml
spire pick 'Anger, nosuch' --enemy nob
spire train new --network nosuch
spire compare act1 none --enemy nosuch
spire search --skip-unknown | --skip-unknown & --run
spire fight mine.toml --player-hp 99 | 99 HP of at most 75
spire fight mine.toml --potion 'Entropic Brew' | Entropic Brew
spire fight no/mine.toml | cannot be written: there is no folder
spire train tiny | run 'tiny' exists
spire train act1 | 'act1' is a reserved name
spire train new --width 64 | --width is 128 for a training that begins as the network of act 1
spire train new --network tiny | 'tiny' is not one of 'act1', 'none'
spire train new --pick Anger | nothing to choose among
spire train tiny --resume --iteration-games 4 | --iteration-games cannot change on --resume
spire train tiny --resume --enemy nob | --enemy cannot change on --resume
spire train tiny --resume --overwrite | exclude each other
spire play tiny --network tiny | two fights are named
spire play run: | a run's key is
spire compare tiny tiny | compared with itself
play tiny | run 'tiny'
train demo --resume | evodom evolve demo --resume
evolve learned --resume | evodom train learned --resume
strategies learned | a network strategy cannot be written as a file. Allowed: buy-list, preferences.
strategies first-game | no list is saved with the answer 'first-game'
evolve first-game --resume | was found by advice, not evolved: this is for runs of `evodom evolve` only
runs delete first-game | --yes
runs delete first-game:graded --yes | a run's key is
strategies learned@9 | run 'learned' has no generation 9
strategies learned:3 | run 'learned' has no strategy 3. Allowed: learned:1 to learned:2.
match learned random --kingdom deck-top | run 'learned' was made in First Game, not in
spire route MAPS/673465884448_Act1.json --through burning | 3,5
LONG | 'AAA
evolve x --LONG
evolve x --ngen FIGURES | --ngen & Allowed: 1 to
evolve x --seed FIGURES | --seed & Allowed: 0 to 9,223,372,036,854,775,807
evolve x --switch-index FIGURES | --switch-index
evolve x --training-baselines LONG
evolve x --kingdom LONG
evolve x --cellar LONG | --cellar
evolve x --vp-penalty nan | --vp-penalty
evolve x --vp-penalty -inf | --vp-penalty
tournament big-money random --confidence nan | --confidence
tournament big-money random --confidence inf | --confidence
train x --minutes -inf | --minutes
spire route AGCK93XT --tolerance nan | --tolerance
cards aNEWLINEb
play --opponent LONG.toml
match big-money network:FIGURESs
match demo@FIGURES big-money
match ./none.py big-money | there is no file
strategies ESCAPE[2JLONG
spire route AGCK93XT --at-least LONG
spire route AGCK93XT --at-least 'FIGURES shop before 8'
spire search --run LONG
plya | 'plya' & play
evolv | No such command 'evolv'. Did you mean evolve? See: evodom --help
report demo --evaluation-games few | '--evaluation-games': 'few' is not a valid integer & See: evodom report --help
"""
"""Commands with wrong arguments, and parts of the error."""

FAILURE = """
advise --against nosuch
evolve new --training-opponent nosuch
evolve nosuch --resume | 'nosuch'
play demo --review | 'demo'
play nosuch | 'nosuch'
play --continue
play damaged --continue
play nosuch --watch
report nosuch | 'nosuch'
match nosuch big-money
runs show nosuch | 'nosuch'
match crooked big-money | its genomes are damaged: pile
report crooked | its genomes are damaged: pile
play crooked | its genomes are damaged: pile
strategies crooked | its genomes are damaged: pile
evolve crooked --resume | its genomes are damaged: pile
tournament crooked random | its genomes are damaged: pile
spire route AGCK93XT --through 0,1 --at-most '3 events' --through 2,1 | 2 & 0,1 & 2,1
spire route AGCK93XT --at-least '9 shops' | 9 & 2 & Maximum
spire route AGCK93XT --player-hp 30 | 45
spire route AGCK93XT --player-hp 55 --events | 63 & HP
spire search --network nosuch | no run named 'nosuch'. Known: crooked, demo, first-game, learned, tiny.
spire compare nosuch act1 --enemy nob
spire play run:nosuch | no run named 'nosuch'. Known: crooked, demo, first-game, learned, tiny.
"""
"""Commands that fail, and parts of the error."""

AFTER_COMPILING = """
tournament random big-money --format elimination --players 4 --quiet | 2 & 4 & --players
spire solve --deck , --quiet | a deck needs at least one card
spire solve --hand '2 Bash, 3 Strike' --quiet | 5 & 4 & Bash & Strike
spire solve --hand Bash --quiet | 1 card & 5
spire solve --hand '5 Anger' --quiet | 'Anger' & Ascender
spire solve --player-hp 90 --quiet | 90 & 75 & HP
spire search --player-hp 90 --max-hp 80 --quiet | 90 & 80 & HP
spire search --network tiny --enemy nob --quiet | 'tiny' was not trained with Gremlin Nob
spire search --network tiny --add Anger --quiet | 'tiny' was not trained with Anger
spire pick 'Anger, skip' --network tiny --quiet | 'tiny' was not trained with Anger
"""
"""Commands with arguments that only compiled rules refuse, and parts of the error."""


def cases(table):
    """Yield each command of a table, its arguments, and the parts of its error."""
    for line in table.strip().splitlines():
        command, _, facts = line.partition(" | ")
        arguments = shlex.split(command)
        for word, meant in WORDS.items():
            arguments = [argument.replace(word, meant) for argument in arguments]
        yield command, arguments, facts.split(" & ")


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """Return a data folder with runs of evolution, learning and fights, an answer, and the damaged game `damaged`."""
    folder = tmp_path_factory.mktemp("data")
    save_evolved(folder, "demo")
    resave(save_evolved(folder, "crooked", "buy-list"), crooked)
    save_learned(folder, "learned")
    save_answer(folder)
    begun(folder, "tiny").close()
    path = folder / "games" / "damaged.json"
    write_session(path, DominionSession(make_setup(n_players=2)))
    path.write_text(json.dumps(json.loads(path.read_text()) | {"choices": [1]}))
    return folder


@pytest.fixture
def refuse(root, tmp_path, monkeypatch):
    """Run the commands of a table. Return those without their exit code, or without one short line with all facts."""
    monkeypatch.chdir(tmp_path)

    def wrong(table, code):
        for command, arguments, facts in cases(table):
            result = run_program(*arguments, EVODOM_DATA_DIR=str(root))
            line = result.stderr
            is_one_line = result.stdout == "" and line.startswith("Error: ") and line.count("\n") == 1
            is_one_line &= len(line) < 2200 and line[:-1].isprintable()
            if result.exit_code != code or not is_one_line or not all(fact in line for fact in facts):
                yield command, result.exit_code, line[:2200]

    yield lambda table, code: list(wrong(table, code))
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def nothing_compiled(monkeypatch):
    monkeypatch.setattr("evodom.kernel_groups.groups_to_compile", lambda *_: pytest.fail("kernels are compiled"))


@pytest.mark.parametrize(("table", "code"), [(USAGE, 2), (FAILURE, 1)], ids=["usage", "failure"])
@pytest.mark.usefixtures("nothing_compiled")
def test_usage_errors_exit_with_2_and_failures_with_1_before_compiling(refuse, table, code):
    assert refuse(table, code) == []


def test_usage_errors_found_by_a_game_exit_with_2(refuse):
    assert refuse(AFTER_COMPILING, 2) == []


WITCH_FILE = 'buy = ["Province", "Witch", "Gold", "Silver"]'
TEN = "moat,gardens,market,mine,cellar,village,smithy,militia,remodel,workshop"


@pytest.mark.usefixtures("nothing_compiled")
@pytest.mark.parametrize(
    ("command", "fact"),
    [
        ("match k1.tml random", "Did you mean k1.toml?"),
        ("play --opponent k1.toml1", "Did you mean k1.toml?"),
        ("benchmark k1", "Did you mean k1.toml?"),
        ("strategies ./k2.toml", "cannot be read: No such file or directory. Did you mean k1.toml?"),
        ("compare k1.tolm", "cannot be read: No such file or directory. Did you mean k1.toml?"),
        ("match k1.toml random", "Give --kingdom witch\n"),
        (f"match k1.toml random --kingdom {TEN}", "does not have. Name Witch in place of other cards of --kingdom.\n"),
        ("match k1.toml random --kingdom moat,mine --seed 1", "Give --kingdom mine,moat,witch\n"),
        (f"evolve x --training-opponent k1.toml --kingdom {TEN}", "Name Witch in place of other cards"),
    ],
)
def test_a_file_and_its_kingdom_are_suggested(tmp_path, monkeypatch, command, fact):
    monkeypatch.chdir(tmp_path)
    Path("k1.toml").write_text(WITCH_FILE)

    result = run_program(*command.split(), EVODOM_DATA_DIR=str(tmp_path))

    assert result.exit_code in (1, 2)
    assert fact in result.stderr


@pytest.mark.usefixtures("nothing_compiled")
@pytest.mark.parametrize(
    ("words", "allowed"),
    [(("evolve",), {"--ngen"}), (("train",), set()), (("spire", "train"), {"--evaluation-games", "--optimum"})],
)
def test_options_that_cannot_change_on_resume_are_refused(root, words, allowed):
    command = dict(commands(cli))[words]
    shared = {"--resume", "--overwrite", "--jobs", "--data-dir", "--json", "--quiet", "--cluster", "--help"}
    flags = {param.opts[-1]: param for param in command.params if isinstance(param, click.Option)}

    for flag in flags.keys() - shared - allowed:
        value = VALUES.get(flag, str(bounds(flags[flag].type)[0]))
        given = [flag] if flags[flag].is_flag else [flag, value]
        result = run_program(*words, "demo", "--resume", *given, EVODOM_DATA_DIR=str(root))
        assert result.exit_code == 2, flag
        assert f"{flag} cannot change on --resume" in result.stderr
        assert all(other in result.stderr for other in allowed)


VALUES = {
    "--clone-share": "0.5", "--model": "classic", "--choices": "simple", "--cellar": "victory", "--start": "random",
    "--payoff": "win", "--network": "none", "--colonies": "yes", "--training-opponent": "random",
}  # fmt: skip
