"""Refusals of every command: one line with the reason, nothing on stdout, before anything is compiled.

Bounds of options are tested in `test_bounds`, for all of them.
"""

import json
import shlex
from pathlib import Path

import pytest

from evodom.sessions.dominion import DominionSession
from evodom.sessions.files import write_session
from tests.cli.program import run_program
from tests.crafted import save_evolved
from tests.sessions.helpers import make_setup

MAPS = str(Path(__file__).parents[1] / "data" / "maps")

USAGE = """
advise --minutes 1 --generations 2 | --minutes and --generations both say when to stop.
advise --population 10 | --population is 10. Allowed: 8 to 512, divisible by 4.
advise --export /no/such/folder/best.toml | there is no folder /no/such/folder.
advise --kingdom Nowhere | no kingdom and no card named 'Nowhere'.
evolve x --population 516 | --population is 516.
evolve x --switch-index never | --switch-index is 'never'. Allowed: 1 to 100, or evolved.
evolve x --switch-index 0 | --switch-index is '0'. Allowed: 1 to 100, or evolved.
evolve x --clone-share 0.8 | Allowed: at most 1 together.
evolve x --n-elite 99 | --n-elite is 99, and with --clone-share 0.25 there are 32 clones. Allowed: 0 to 32.
evolve x --model flat | Invalid value for '--model': 'flat' is not one of 'graded', 'classic', 'buy-list'.
evolve x --choices none | Invalid value for '--choices': 'none' is not one of 'evolved', 'simple'.
evolve x --resume --model classic | --model cannot change on --resume.
evolve x --resume --choices simple | --choices cannot change on --resume.
evolve x --kingdom 'Frist Game' | no kingdom and no card named 'Frist Game'. Did you mean First Game?
evolve x --kingdom 'Moat, Vilage' | no card named 'Vilage'. Did you mean Village?
evolve x --kingdom 'Moat, Chapel, moat' | Moat is twice in the kingdom.
evolve x --kingdom 'Moat, Copper' | Copper is in every Supply.
evolve x --kingdom '' | the kingdom is empty.
evolve x --first-edition | --first-edition is for drawn cards, and none is drawn.
evolve x --resume --kingdom random | --kingdom cannot change on --resume. Allowed: --generations.
evolve x --resume --players 3 | --players cannot change on --resume.
evolve x --resume --training-baselines big-money | --training-baselines cannot change on --resume.
evolve x --training-baselines bigmoney | no baseline named 'bigmoney'. Did you mean big-money?
evolve x --training-baselines double-witch | double-witch buys Witch, which the kingdom does not have. Fitting
evolve x --training-baselines big-money --model classic | and --halving-games is 0. Give --halving-games 8 too.
evolve x --training-opponent network --halving-games 0 | --training-opponent is 'network', and --halving-games is 0.
evolve x --training-opponent big-mony | 'big-mony' names no strategy.
evolve x --training-opponent network:1s | a network that thinks: they are too slow.
evolve x --resume --training-opponent network | --training-opponent cannot change on --resume.
evolve x --resume --first-edition | --first-edition cannot change on --resume.
evolve my_run | got 'my_run'
evolve x --resume --overwrite | exclude each other
evolve x --resume --population 16 | --population cannot change on --resume.
evolve | Missing argument 'KEY'
evolve x --nonsense | No such option
evolve x --migrate-every 5 | --migrate-every is 5, and there is one island. Say --islands 8 too.
evolve x --islands 2 --generations 15 | --generations is 15, and islands migrate every 10 generations.
evolve new --training-baselines nosuch
evolve demo | run 'demo' exists
train my_run | got 'my_run'
train | Missing argument 'KEY'
train x --kingdom 'Frist Game' | Did you mean First Game?
train x --first-edition | --first-edition is for drawn cards, and none is drawn.
train x --training-opponent big-mony | 'big-mony' names no strategy.
train x --training-opponent chapel-witch --kingdom deck-top | chapel-witch buys Witch, which the kingdom does not have
train x --cluster tcp://127.0.0.1:1 | here is one start. Say --starts 4 too.
train x --resume --starts 2 | --starts cannot change on --resume.
train x --resume --overwrite | --resume and --overwrite exclude each other.
train x --resume --seed 0 | --seed cannot change on --resume.
train x --resume --training-opponent random --players 2 | --players, --training-opponent cannot change on --resume.
train x --resume --first-edition | --first-edition cannot change on --resume.
train demo
train x --games 2000 --minutes 1 | --games and --minutes both say when to stop.
train x --resume --games 2000 | --games cannot change on --resume.
play | whom do you want to play?
play --opponent big-mony | 'big-mony' names no strategy. Allowed: a run's key
play --opponent random --players 2 --seat 3 | seat 3 does not exist at a table of 2
play --opponent random --players 2 --opponent random | 2 opponents were given
play --continue --seed 1 | Leave out the other options
play --watch --opponent random --seat 1 | Leave out --seat
play --watch --opponent random --save mine | Leave out --save
play --opponent random --overwrite | --overwrite replaces the game of a name. Say it with --save
play --list --continue | Say one of them
play --opponent random --save 'my game' | a game's name is 1 to 64 letters a-z, A-Z and digits, with hyphens between
play --opponent random --json | --json is for the list of saved games. Say it with --list
play 'my game' --continue | a game's name is 1 to 64 letters
play 'my game' | a run's key is 1 to 64 letters
play --list --save mine | --list lists games as they were saved. Leave out the other options
play --continue --kingdom random | Leave out the other options
play --continue --first-edition | Leave out the other options
play demo --kingdom random | run 'demo' is played in its own kingdom. Leave out --kingdom
play demo --first-edition | run 'demo' is played in its own kingdom.
play --opponent random --first-edition | --first-edition is for drawn cards, and none is drawn.
play --opponent random --kingdom 'Frist Game' | Did you mean First Game?
play --opponent random --kingdom 'Moat, Gold' | Gold is in every Supply.
play --opponent big-money-smithy --kingdom 'deck top' | buys Smithy, which the kingdom does not have. Fitting here
play --review --continue | Say one of them.
play --review --players 2 | --review looks back at games as they were saved. Leave out the other options.
play --opponent network --plot a.svg | --plot draws what --review finds. Say both.
play --review --plot a.jpg | a picture is a file that ends in .svg or .png
play --opponent ./nosuch.toml
play demo --seat 6 --players 3
play demo --seat 6 --players 3 --opponent random
play --trust-agent --opponent random | --trust-agent is about a saved game. Use it with --continue or --review.
report demo --html ./nosuch/page.html | nosuch to write page.html to. Make it first.
report ../demo | a run's key is
match random | a table has 2 to 6 seats, and got 1 strategies
match random random random random random random random | got 7 strategies
match random random random --players 2 | --players is 2, and got 3 strategies. Leave some out.
match random demo:0x | 'demo:0x' names no strategy
match random chapel-witch | chapel-witch buys Witch, which the kingdom does not have
match ./nosuch.toml big-money
match random big-money --csv ./nosuch/games.csv | cannot be written: there is no folder nosuch
match gone.py random | there is no file gone.py.
match nosuchmodule:agent random | 'nosuchmodule:agent': there is no module 'nosuchmodule'.
tournament random | a tournament needs 2 to 64 strategies, and got 1
tournament random big-money random | 'random' is entered twice: no number of games tells them apart
tournament random big-mony | Did you mean big-money?
tournament random big-money --format duels --players 3 | --format duels has tables of two
tournament random big-money --games 9 --max-games 9 | Give one of them.
tournament random big-money --format elimination --max-games 9 | Give --match-games instead.
tournament random big-money --match-games 9 | Give --games instead.
tournament random big-money --first-edition | --first-edition is for drawn cards
tournament
tournament random big-money --csv no/out.csv | cannot be written: there is no folder
solitaire --silvers 0 | cannot be reached
solitaire --provinces 1 --vp 9 | two targets
solitaire --vp 3 | more victory points than owned
solitaire Nosuch
strategies --raw | --raw is for a strategy of a run
strategies random | random takes anything
strategies chapel-witch --kingdom 'first game' | chapel-witch buys Witch
kingdoms 'Frist Game' | no kingdom and no card named 'Frist Game'. Did you mean First Game?
kingdoms Prince | Prince is a card of the promos, which evodom does not have.
kingdoms 'Chapel, ill-gotten gains' | Ill-Gotten Gains is a card of Hinterlands, which evodom does not have.
kingdoms 'Moat, Vilage' | no card named 'Vilage'. Did you mean Village?
kingdoms 'Moat, moat' | Moat is twice in the kingdom.
kingdoms 'Gold, moat' | Gold is in every Supply.
kingdoms --seed 3 | --seed and --first-edition are for drawing cards.
kingdoms --first-edition | --seed and --first-edition are for drawing cards.
kingdoms 'First Game' --first-edition | --first-edition is for drawn cards, and none is drawn.
cards Milita | no card named 'Milita'. Did you mean Militia?
cards Wharf | Wharf is a card of Seaside, which evodom does not have. It has the cards of: Base.
cards kings-court | King's Court is a card of Prosperity, which evodom does not have.
cards '' | no card named ''.
cards Moat --edition 2 | --edition chooses which cards are listed.
runs show 'a b' | a run's key is
runs delete demo | Add --yes
runs exprot demo | No such command 'exprot'. Did you mean export?
risk odds -5 3 | Numbers of units are not negative, got -5.
risk odds 5 -31 | Numbers of units are not negative, got -31.
risk table -1 | Numbers of units are not negative, got -1.
risk odds five 3 | 'five' is not a valid integer
risk odds 2.5 3 | '2.5' is not a valid integer
risk odds 5 1000000 | 1000000 is not in the range 0<=x<=500
risk odds 5 | Missing argument 'DEFENDERS'
risk odds 5 3 --bogus | --bogus
risk odds 5 3 --wanted 2 | above 0 and below 1, got 2
risk odds 5 3 --wanted 1/0 | '1/0' is not a number
risk odds 5 3 --wanted 1e999999999 | is not a number
risk odds 5 3 --seed 1 | --seed is for what is simulated
risk odds 5 3 --plot a.gif | ends in .svg or .png, got 'a.gif'
risk table 1 5 | 1 is not in the range 2<=x<=100
risk stop 5 101 | 101 is not in the range 1<=x<=100
risk stop 5 5 --unit nan | 'nan' is not a number from 0 to 1,000,000
risk xyz | No such command 'xyz'. See: evodom risk --help
spire solve --enemy cultits | no encounter or enemy named 'cultits'. Closest: Cultist
spire solve --enemy-hp 0 | --enemy-hp is the HP of the enemies, a number from 1 to 999, got '0'
spire solve --enemy sentries --enemy-hp 40 | 3 numbers from 1 to 999, got '40'
spire solve --deck '5 Stirke' | no card named 'Stirke'. Closest: Strike
spire solve --remove '6 Strike' | --remove 6 Strike, and the deck has 5
spire solve --deck Strike --bash-upgraded | --bash-upgraded upgrades a Bash, and the deck has none
spire solve --relic vayra | no relic named 'vayra'. Closest: Vajra
spire solve --potion water | no potion named 'water'
spire solve --fight nowhere.toml | nowhere.toml cannot be read
spire solve --step --json | --step asks questions
spire solve --seed 1 | --seed is for what chance decides in --step
spire solve --plot picture.jpg | a picture is a file that ends in .svg or .png
spire search --enemy-hp 1,2 | --enemy-hp is the HP of the enemies, a number from 1 to 999
spire search --remove Havoc | --remove 1 Havoc, and the deck has 0
spire pick Cleave | nothing to choose among
spire pick 'Cleave, skip' --upgrade | it has no Cleave
spire pick 'Bash, rest' --upgrade | rest
spire pick | name the cards to choose among
spire pick --upgrade --deck '3 Strike+, Clumsy' | nothing to choose among in the deck
spire pick --rest --upgrade | Leave --upgrade out
spire pick Bash+ --rest --deck Bash+ | Bash+ cannot be upgraded
spire play nob --enemy cultist | two fights are named
spire search nob --enemy cultist | two fights are named
spire pick 'Anger, skip' nob --enemy cultist | two fights are named
spire solve cultist --enemy nob | two fights are named
spire search dragon | no encounter or enemy named 'dragon'
spire pick Strke --upgrade | no card named 'Strke'
spire search --potion 'Attack Potion' | Attack Potion
spire map | Missing argument 'SEED|FILE'
spire map 'AGC!' | a seed is a number such as -5, or up to 13 digits and letters
spire map -5x | a seed is a number such as -5, or up to 13 digits and letters as in the game
spire map -5 --bogus | --bogus
spire map -5 -6 | unexpected extra argument
spire map -9223372036854775809 | a seed is a number from -9223372036854775808
spire map none.json | none.json cannot be read: No such file or directory
spire map MAPS/1_Act3.json --act 3 | --act is for the map of a seed
spire map MAPS/1_Act3.json --ascension 0 | --ascension is for the map of a seed
spire map MAPS/1_Act3.json --save . | --save is for the map of a seed
spire map 1 --save 'there is no such folder' | does not exist
spire map 1 --plot a.gif | ends in .svg or .png, got 'a.gif'
spire map -5 --plot a.gif | ends in .svg or .png, got 'a.gif'
spire route AGCK93XT --preferences taste | --preferences is rank, risk
spire route AGCK93XT --preferences none.toml | none.toml cannot be read
spire route AGCK93XT --preferences rank --tolerance 0.5 | --tolerance is for an evaluation with risks
spire route AGCK93XT --preferences rank --tolerances | --tolerances is for an evaluation with risks
spire route AGCK93XT --tolerance 2 | no number from 0 to 1
spire route AGCK93XT --at-least 'a shop' | is written like
spire route AGCK93XT --through 1,1 | floor 1 has rooms in columns 0, 2, 5
spire route AGCK93XT --avoid north | column,floor
spire route AGCK93XT --player-hp 90 --max-hp 80 | --player-hp is at most the maximum
spire route AGCK93XT --max-hp 80 | begin with --player-hp
spire route AGCK93XT --samples 10 | --samples is for searched fights
spire route AGCK93XT --deck none.toml | none.toml cannot be read
spire route AGCK93XT --deck none.toml --act 2 | this is act 2
spire route AGCK93XT --event-chances shop=70%,monster=70% | a sum of at most 1
spire route AGCK93XT --lp --player-hp 80 | cannot express: survive with 80 HP
spire search --run ./nosuch.run
spire play nosuch
spire play nosuch.toml
spire pick 'Anger, nosuch' --enemy nob
spire route AGCK93XT --deck ./nosuch.toml
spire route '!!' --deck ./nosuch.toml
spire train new --enemy nosuch
spire train new --network nosuch
spire compare act1 playouts --enemy nosuch
spire search --skip-unknown | --skip-unknown is for the cards and relics of a run
spire route MAPS/673465884448_Act1.json --through burning | the burning elite of this map is unknown
spire serch | No such command 'serch'. Did you mean search?
plya | No such command 'plya'. Did you mean play?
"""
"""Commands with wrong arguments, for exit code 2, and a part of the error."""

FAILURE = """
advise --against nosuch
evolve new --training-opponent nosuch
evolve nosuch --resume | no run named 'nosuch'
train new --training-opponent nosuch
train nosuch --resume | no run named 'nosuch'
play demo --review | no game named 'demo' is saved.
play nosuch | no run named 'nosuch'
play nosuch --continue
play nosuch --review
play --continue
play damaged --continue
play damaged --review
play nosuch --watch
report nosuch | no run named 'nosuch'. Known: demo. Start one with: evodom evolve nosuch
match nosuch big-money
tournament nosuch big-money
solitaire --max-states 50 | --max-states sets the limit.
strategies nosuch
runs show nosuch | no run named 'nosuch'
runs delete nosuch | no run named 'nosuch'
spire route AGCK93XT --through 0,1 --at-most '3 events' --through 2,1 | 2 rules together: through 0,1; through 2,1
spire route AGCK93XT --at-least '9 shops' | at least 9 shops. Most that a path has: 2
spire route AGCK93XT --player-hp 30 | it takes 45
spire route AGCK93XT --player-hp 55 --events | 63 HP suffice.
spire search --network nosuch
spire play nob --network nosuch
spire train nosuch --resume
spire compare nosuch act1 --enemy nob
spire play run:nosuch | no run named 'nosuch'
"""
"""Commands that cannot be carried out, for exit code 1, and a part of the error."""

AFTER_COMPILING = """
tournament random big-money --format elimination --players 4 --quiet | 2 entrants do not fill a table of 4
spire solve --deck , --quiet | a deck needs at least one card
spire solve --hand '2 Bash, 3 Strike' --quiet | cannot be drawn from the deck: Bash, 5 Strike, 4 Defend
spire solve --hand Bash --quiet | a hand of 1 card was given, and 5 are drawn
spire solve --hand '5 Anger' --quiet | no card named 'Anger'. Closest:
spire solve --player-hp 90 --quiet | 90 HP of at most 75
spire search --player-hp 90 --max-hp 80 --quiet | 90 HP of at most 80
"""
"""Commands with arguments that only the game itself can judge, for exit code 2."""


def cases(table):
    """Return each command of a table with the part of its error."""
    return [tuple(line.partition(" | ")[::2]) for line in table.strip().splitlines()]


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """Return a data folder with the run `demo` and the damaged game `damaged`."""
    folder = tmp_path_factory.mktemp("data")
    save_evolved(folder, "demo")
    path = folder / "games" / "damaged.json"
    write_session(path, DominionSession(make_setup(n_players=2)))
    content = json.loads(path.read_text())
    path.write_text(json.dumps(content | {"choices": [1]}))
    return folder


@pytest.fixture
def refused(root, tmp_path, monkeypatch):
    """Run a command, which must fail in one line, and return its exit code and that line."""

    def run(command):
        monkeypatch.chdir(tmp_path)
        result = run_program(*shlex.split(command.replace("MAPS", MAPS)), EVODOM_DATA_DIR=str(root))
        assert result.stdout == ""
        assert result.stderr.startswith("Error: ")
        assert result.stderr.count("\n") == 1
        assert not list(tmp_path.iterdir())
        return result.exit_code, result.stderr

    return run


@pytest.fixture
def nothing_compiled(monkeypatch):
    monkeypatch.setattr("evodom.jit.groups.groups_to_compile", lambda *_: pytest.fail("kernels are compiled"))


@pytest.mark.usefixtures("nothing_compiled")
@pytest.mark.parametrize(("command", "message"), cases(USAGE))
def test_wrong_arguments_are_refused_in_one_line(refused, command, message):
    code, line = refused(command)

    assert code == 2
    assert message in line


@pytest.mark.usefixtures("nothing_compiled")
@pytest.mark.parametrize(("command", "message"), cases(FAILURE))
def test_what_cannot_be_done_is_told_in_one_line(refused, command, message):
    code, line = refused(command)

    assert code == 1
    assert message in line


@pytest.mark.parametrize(("command", "message"), cases(AFTER_COMPILING))
def test_arguments_that_no_game_has_are_refused_in_one_line(refused, command, message):
    code, line = refused(command)

    assert code == 2
    assert message in line
