"""Whole games in a real browser, by clicking and by keyboard alone."""

import re
import threading

import pytest
from playwright.sync_api import expect

from evodom.dominion.kingdom import Kingdom
from evodom.matches import playout_search as thinking
from evodom.sessions.content import read_game
from evodom.sessions.dominion import DominionSession
from evodom.sessions.files import games, write_session
from evodom.web import sessions
from evodom.web.task import DONE, AdviceAsked, Task, save, save_result
from tests.dominion.helpers import COLONY_GAME, MISSING_CARD, MISSING_SET
from tests.sessions.helpers import make_setup

from .accessibility import CUTS_ONLY, problems
from .browser import needs_browser, page_at
from .served import Player, Served

pytestmark = needs_browser

WANTED = {"Chapel": 1, "Militia": 1, "Throne Room": 2, "Library": 2}
"""How often the player of the whole game buys each of the cards that ask the most."""


class Table:
    """A person at the page of a game, who looks only at what it shows."""

    def __init__(self, page):
        self.page = page
        self.settle()

    def settle(self):
        """Wait until the page has drawn what the server told last."""
        self.page.wait_for_selector('#board[aria-busy="false"]')

    @property
    def question(self):
        return self.page.locator("#question").inner_text()

    @property
    def over(self):
        return self.page.locator(".ending").count() > 0

    def cards(self, where=""):
        """Return the names of the cards that can be clicked."""
        found = self.page.locator(f"#board {where} button.card")
        return found.evaluate_all("cards => cards.map(card => card.dataset.card)")

    def at(self):
        return self.page.locator("#board").get_attribute("data-at")

    def do(self, act):
        """Do something that chooses, and wait for what comes of it."""
        before = self.at()
        act()
        self.page.wait_for_function("before => document.querySelector('#board').dataset.at !== before", arg=before)
        self.settle()

    def card(self, name, where=""):
        self.do(self.page.locator(f'#board {where} button.card[data-card="{name}"]').first.click)

    def button(self, name):
        self.do(lambda: self.page.get_by_role("button", name=name, exact=True).click())

    def pick(self, names):
        """Pick cards of the hand for a choice of several."""
        for name in names:
            self.page.locator(f'.hand button.card[data-card="{name}"][aria-pressed="false"]').first.click()


def step(table, met):
    """Answer one question as a beginner might: the four cards, then money and Provinces; note what was ``met``."""
    question, cards = table.question, table.cards()
    if question.startswith("Chapel"):
        junk = [name for name in table.cards(".hand") if name in ("Estate", "Copper")][:2]
        table.pick(junk)
        assert "Chapel" in met or problems(table.page) == []
        table.button({0: "Trash none", 1: "Trash 1 card", 2: "Trash 2 cards"}[len(junk)])
        met.add("Chapel")
    elif question.startswith("Militia: which"):
        n = int(table.page.locator(".picked").inner_text().split()[2]) if table.page.locator(".picked").count() else 1
        if n > 1 and "Militia hint" not in met:
            ask_for_sets(table)
            met.add("Militia hint")
        table.pick(table.cards(".hand")[:n]) if n > 1 else None
        table.button("Discard 2 cards") if n > 1 else table.card(cards[0], ".hand")
        met.add("Militia")
    elif question.startswith("Library"):
        table.button(f"Set aside {re.search('you draw (.+?):', question)[1]}")
        met.add("Library sets aside")
    elif question.startswith("Throne Room"):
        table.card(next(name for name in ("Library", "Militia", "Chapel", "Throne Room") if name in cards), ".hand")
        met.add("Throne Room")
    elif question.startswith("Action phase"):
        playable = [name for name in ("Throne Room", "Library", "Militia", "Chapel") if name in cards]
        table.card(playable[-1] if playable[0] == "Throne Room" and len(cards) == 1 else playable[0], ".hand")
        met.update(playable[:1])
    else:
        assert question.startswith("Buy phase"), question
        wanted = next((name for name in ("Province", *lacking(table), "Gold", "Silver") if name in cards), None)
        table.card(wanted, ".supply") if wanted else table.button("End turn")


def ask_for_sets(table):
    """Ask for a hint where several cards are chosen: its rows are sets, and no card has a chance of its own."""
    table.page.get_by_role("button", name="Hint", exact=True).click()
    table.page.wait_for_selector(".hint .chances.sets")
    assert all(" + " in row or " x" in row for row in table.page.locator(".hint .chances .who").all_inner_texts())
    assert "%" not in table.page.locator(".hand").inner_text()
    assert problems(table.page) == []


def lacking(table):
    """Return the cards of the four that were not yet bought often enough, by the log."""
    log = table.page.locator("#log").inner_text()
    return [name for name, n in WANTED.items() if len(re.findall(rf"buy {name}", log)) < n]


def start(page, kingdom, opponents):
    """Fill in the form of a new game and begin it."""
    for name in kingdom:
        page.fill("#typed", name)
        page.press("#typed", "Enter")
    page.get_by_text("More", exact=True).click()
    page.fill("#seed", "4")
    for place, opponent in enumerate(opponents, 1):
        page.select_option(f"#seat-{place}", opponent)
    page.uncheck("#drawSeats")
    page.click("#start")
    page.wait_for_url("**/play/*")
    page.wait_for_selector("#board[data-at]")
    return Table(page)


@pytest.mark.full
def test_a_whole_game_by_clicking_with_a_reload_in_the_middle(chromium, served, monkeypatch):
    for name, n in (("", 10), ("RECHECK_", 20), ("CHANCES_", 10), ("EFFECTS_", 10)):
        monkeypatch.setattr(thinking, f"{name}PLAYOUTS", n)
    monkeypatch.setattr(thinking, "N_RECHECKED", 1)
    met, n_steps = set(), 0
    with page_at(chromium, f"{served.address}/play") as page:
        table = start(page, WANTED, ["big-money-militia"])
        while not table.over:
            step(table, met)
            n_steps += 1
            if n_steps == 20:
                wide = page.viewport_size
                for size in ({"width": 390, "height": 800}, wide):
                    page.set_viewport_size(size)
                    shown = page.locator(".dock").inner_text(), page.locator("#log").inner_text()
                    page.reload()
                    page.wait_for_selector("#board[data-at]")
                    assert (page.locator(".dock").inner_text(), page.locator("#log").inner_text()) == shown
            if n_steps == 10:
                undo_and_hint(table)
        assert {"Chapel", "Militia", "Militia hint", "Throne Room", "Library"} <= met
        assert "The game is over" in table.question
        page.get_by_role("button", name="Review the game").click()
        page.wait_for_selector(".curve > svg")
        assert page.locator(".causes tbody tr").count() == 4
        assert page.locator(".dearest > li").count() > 0
        assert problems(page) == []
        name = page.url.split("/")[-1]
        page.goto(f"{served.address}/play")
        page.get_by_text("Finished games").click()
        assert page.locator(f'a[href="/play/{name}"]').is_visible()
    match = read_game(games(served.site.store.root).path / f"{name}.json")
    match.play_on()
    assert match.game.is_over


def undo_and_hint(table):
    """Take a choice back, and ask for the chances of what is asked then."""
    asked, hand = table.question, table.page.locator(".hand").inner_text()
    before = int(table.at())
    table.do(lambda: table.page.locator("#board [data-key=pass]").click())
    table.button("Undo")
    assert (table.question, table.page.locator(".hand").inner_text()) == (asked, hand)
    assert int(table.at()) == before
    assert "Undone" in table.page.locator("#message").inner_text()
    table.page.get_by_role("button", name="Hint", exact=True).click()
    assert "%" in table.page.locator(".hint .chances, .hint .opinions").first.inner_text()


@pytest.mark.full
def test_opponents_turns_are_shown_one_by_one_and_a_copper_takes_a_second_click(chromium, served, player):
    player.begin("@You", "big-money", "big-money-militia", seed=2)
    with page_at(chromium, f"{served.address}/play/{player.state['name']}") as page:
        page.wait_for_selector("#board[data-at]")
        table, question = Table(page), page.locator("#question")
        assert (
            "The game ends after a turn that leaves no Province or 3 empty piles." in page.locator(".dock").inner_text()
        )
        copper = page.locator('.supply button.card[data-card="Copper"]')
        copper.click()
        expect(copper).to_have_attribute("aria-pressed", "true")
        assert table.at() == "0"
        table.do(copper.click)
        page.get_by_role("button", name="Their turns").click()
        expect(question).to_have_text("Turn 1 of big-money")
        page.get_by_role("button", name="Forward").click()
        expect(question).to_have_text("Turn 1 of big-money-militia")
        assert problems(page) == []
        page.keyboard.press("]")
        expect(question).to_contain_text("Buy phase")
        for turn in ("Turn 1 of big-money-militia", "Turn 1 of big-money", "Turn 1 of You"):
            page.keyboard.press("[")
            expect(question).to_have_text(turn)
        page.keyboard.press("Escape")
        expect(question).to_contain_text("Buy phase")
        page.get_by_text("Deck lists").click()
        expect(page.locator(".decks dd").first).to_contain_text("Copper \N{MULTIPLICATION SIGN}8")
        assert problems(page, CUTS_ONLY) == []


@pytest.mark.full
def test_options_are_buttons_with_keys_and_with_their_shares_after_a_hint(chromium, served):
    match = DominionSession(make_setup("random", n_players=2, kingdom=Kingdom(("Steward", "Village"))))
    match.play_on()
    while not match.decision.has_options:
        there = [answer.name for answer in match.decision.consequences]
        match.choose(next(name for name in ("Steward", "pass") if name in there))
        match.play_on()
    write_session(games(served.site.store.root).path / "menu.json", match)
    with page_at(chromium, f"{served.address}/play/menu", width=390) as page:
        table, options = Table(page), page.locator("button.option")
        assert table.question == "Steward: choose one:"
        expect(options).to_have_text(["1+2 Cards", "2+$2", "3Trash 2 cards from your hand"])
        page.get_by_role("button", name="Hint", exact=True).click()
        expect(options.first).to_contain_text("%")
        assert problems(page) == []
        table.do(lambda: page.keyboard.press("2"))
        assert "choose: +$2" in page.locator("#log").inner_text()
        page.get_by_role("button", name="Undo", exact=True).click()
        expect(page.locator("#message")).to_contain_text("Undone: +$2.")
        page.get_by_role("button", name="Cards", exact=True).click()
        expect(page.locator("#dialog")).to_contain_text("Action · Intrigue")


def test_a_game_by_keyboard_alone(chromium, served):
    with page_at(chromium, f"{served.address}/play?kingdom=Chapel,Village,Militia&who=big-money") as page:
        page.wait_for_selector("#start")
        tab_to(page, "#start")
        page.keyboard.press("Enter")
        page.wait_for_selector("#board[data-at]")
        table = Table(page)
        page.keyboard.press("?")
        page.wait_for_selector("dialog[open]")
        assert problems(page) == []
        page.keyboard.press("Escape")
        for _ in range(3):
            if "Silver" in table.cards(".supply"):
                seek(page, "Silver")
                page.keyboard.press("ArrowLeft")
                assert focused(page) == "Copper"
                page.keyboard.press("ArrowRight")
                table.do(lambda: page.keyboard.press("Enter"))
            else:
                table.do(lambda: page.keyboard.press("0"))
        said = page.locator("#announcer").inner_text()
        assert "big-money: " in said
        assert table.question in said
        table.do(lambda: page.keyboard.press("Backspace"))
        table.do(lambda: choose_first(page))
        assert page.evaluate("document.activeElement.closest('#board') !== null")


def choose_first(page):
    """Press the key of the first choice; twice if that is a card that takes a second key."""
    page.keyboard.press("1")
    if "again to confirm" in page.locator("#message").inner_text():
        page.keyboard.press("1")


def focused(page):
    """Return the card that has the focus."""
    return page.evaluate("document.activeElement.dataset.card")


def seek(page, name):
    """Type the first letter of a card until it has the focus."""
    for _ in range(5):
        page.keyboard.press(name[0].lower())
        if focused(page) == name:
            return
    raise AssertionError(f"no letter leads to {name}")


def tab_to(page, selector):
    """Press Tab until an element has the focus."""
    for _ in range(80):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {selector}")


@pytest.mark.full
def test_two_persons_pass_the_screen_and_see_no_hand_before(chromium, served, player):
    player.begin("@Ann", "@Ben", kingdom="Militia", seed=4)
    with page_at(chromium, f"{served.address}/play/{player.state['name']}", width=390, height=844) as page:
        page.wait_for_selector("#board[data-at]")
        table = Table(page)
        for name in ("Ann", "Ben", "Ann"):
            assert table.question == f"Pass the screen to {name}"
            assert page.locator(".hand").count() == 0
            page.get_by_role("button", name=f"I am {name}: show my hand").click()
            page.wait_for_selector(".hand")
            table.settle()
            table.button("End turn")


@pytest.mark.full
def test_a_table_of_six_is_accessible_and_no_wider_than_its_window(chromium, served, player):
    player.begin("@You", *["big-money"] * 5, kingdom="random", seed=4)
    with page_at(chromium, f"{served.address}/play/{player.state['name']}") as page:
        page.wait_for_selector("#board[data-at]")
        assert problems(page) == []


def test_the_form_of_a_new_game_fits_a_phone_with_long_names_of_opponents(chromium, served, monkeypatch):
    name = "a-run-of-a-very-long-name-" * 3
    run = {"key": name, "name": name, "kingdom": "custom", "cards": ["Chapel"], "players": 2}
    monkeypatch.setattr(sessions, "saved_opponents", lambda root: [run])
    with page_at(chromium, f"{served.address}/play", width=390, height=844) as page:
        page.wait_for_selector("#start")
        assert "a-run-of" in page.locator("#seat-1").inner_text()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("place", ["/play?kingdom={}", pytest.param("/ask?cards={}", marks=pytest.mark.full)])
def test_a_name_that_is_no_card_stays_in_sight_with_the_closest_cards(chromium, served, place):
    with page_at(chromium, served.address + place.format("Chapel,Vilage")) as page:
        unknown = page.get_by_role("list", name="Unknown card names").get_by_role("listitem")
        expect(unknown).to_contain_text("No card named 'Vilage'. Did you mean Village")
        page.locator("#typed").fill("intrigue")
        page.locator("#typed").press("Enter")
        expect(page.locator("#found")).to_have_text("The cards of Intrigue are shown below.")
        expect(page.locator('.pick[data-card="Steward"]')).to_be_visible()
        page.locator("#typed").fill(f"Festivl, {MISSING_CARD}")
        page.locator("#typed").press("Enter")
        expect(unknown).to_have_count(3)
        expect(unknown.nth(2)).to_contain_text(f"{MISSING_CARD} is a card of {MISSING_SET}")
        page.locator("form button[type=submit]").click()
        assert page.evaluate("document.activeElement.textContent") == "Village"
        page.keyboard.press("Enter")
        unknown.get_by_role("button", name="Festival").click()
        assert problems(page) == []
        unknown.get_by_role("button", name=f"Remove '{MISSING_CARD}'").click()
        expect(unknown).to_have_count(0)
        taken = page.locator(".slots button").all_inner_texts()
        assert taken == ["Chapel\n\u00d7", "Village\n\u00d7", "Festival\n\u00d7"]


def test_a_list_of_cards_that_is_pasted_is_taken_as_a_whole(chromium, served):
    with page_at(chromium, f"{served.address}/play") as page:
        page.locator("#typed").fill("cellar, throne room, Mar, Shop, ")
        expect(page.locator(".not-found li")).to_contain_text("Shop is a card of Cornucopia")
        taken = page.locator(".slots button").all_inner_texts()
        assert [name.split("\n")[0] for name in taken] == ["Cellar", "Throne Room", "Market"]


@pytest.mark.full
def test_platinum_and_colony_are_chosen_together_beside_the_ten_cards(chromium, served):
    cards = ",".join(COLONY_GAME.cards[:-2])
    with page_at(chromium, f"{served.address}/play?kingdom={cards}") as page:
        counted = page.locator("legend .note")
        expect(counted).to_have_text("10 of 10")
        page.locator("button[data-card=Colony]").click()
        expect(counted).to_have_text("10 of 10, Platinum and Colony")
        page.locator("button[data-card=Platinum]").click()
        expect(counted).to_have_text("10 of 10")
        page.locator("#typed").fill("Colony")
        page.locator("#typed").press("Enter")
        page.locator("#start").click()
        page.wait_for_selector("#board[data-at]")
        piles = page.locator(".supply .basic .name").all_inner_texts()
        assert piles[-2:] == ["Platinum", "Colony"]
        assert problems(page, CUTS_ONLY) == []


COVERED = """() => {
  const covered = (one) => {
    const box = one.getBoundingClientRect();
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return !one.contains(top) && !one.closest("button")?.contains(top);
  };
  const seen = [...document.querySelectorAll(".supply .coin, .in-play .chip")];
  return seen.filter(covered).map((one) => one.closest("[data-card]")?.dataset.card ?? one.textContent);
}"""
"""The costs and cards in play that something lies over, or that are outside the window."""

OVERPRINTED = """() => [...document.querySelectorAll(".card .mark")].filter((mark) => {
  const at = mark.getBoundingClientRect();
  const text = document.createRange();
  return [...document.querySelectorAll(".card .name, .card .left")].some((one) => {
    text.selectNodeContents(one);
    const box = text.getBoundingClientRect();
    return box.x < at.right && at.x < box.right && box.y + 2 < at.bottom && at.y < box.bottom - 2;
  });
}).map((mark) => mark.parentElement.dataset.card)"""
"""The cards with a key that lies over a name or a number of cards, but for the empty edges of a line."""

HIDDEN = """() => [...document.querySelectorAll(".supply .mark")].filter((mark) => {
  const card = mark.closest(".card");
  card.scrollIntoView({ block: "start" });
  const at = mark.getBoundingClientRect();
  const corners = [at.left + 2, at.right - 2].flatMap((x) => [at.top + 2, at.bottom - 2].map((y) => [x, y]));
  const lies = (box) => box.left < at.right && at.left < box.right && box.top < at.bottom && at.top < box.bottom;
  const others = [...document.querySelectorAll(".supply .card")].filter((one) => one !== card);
  const bare = getComputedStyle(mark).paddingLeft === "0px" || mark.scrollWidth > mark.clientWidth;
  const covered = corners.some(([x, y]) => document.elementFromPoint(x, y) !== mark);
  return bare || covered || others.some((one) => lies(one.getBoundingClientRect()));
}).map((mark) => mark.closest(".card").dataset.card)"""
"""The piles whose badge lies over another pile or is hidden in part."""

LONG = "Moat, Harbinger, Vassal, Bureaucrat, Poacher, Throne Room, Bandit, Library, Sentry, Artisan"


def test_the_hand_covers_no_cost_and_no_card_in_play_and_keys_cover_no_name(chromium, served, player):
    player.begin("@You", "big-money", kingdom=LONG, seed=3)
    with page_at(chromium, f"{served.address}/play/{player.state['name']}", width=1366, height=640) as page:
        assert Table(page).question.startswith("Buy phase")
        assert page.locator(".in-play .chip").count() > 0
        assert page.locator(".mark").count() > 0
        assert page.evaluate(COVERED) == []
        assert page.evaluate(OVERPRINTED) == []


@pytest.mark.full
@pytest.mark.parametrize(
    "kingdom", [LONG, ", ".join(COLONY_GAME.cards), "Fishing Village, Torturer, King's Court, Wharf"]
)
def test_badges_of_all_piles_are_whole(chromium, served, player, kingdom):
    state = player.begin("@You", "big-money", kingdom=kingdom, seed=3)
    names = [pile["name"] for pile in state["supply"]]
    state["question"] |= {"zone": "supply", "choices": names, "most": 1, "there": []}
    hinted = {"chances": [], "shares": dict.fromkeys(names, 0.28), "notes": [], "hints": []}
    with page_at(chromium, served.address) as page:
        page.wait_for_load_state("networkidle")
        page.route("**/api/play/games/*", lambda route: route.fulfill(json=state))
        page.route("**/hint", lambda route: route.fulfill(json=hinted))
        page.goto(f"{served.address}/play/{state['name']}")
        page.wait_for_selector("#board[data-at]")
        for n in (9, len(names)):
            expect(page.locator(".supply .mark")).to_have_count(n)
            for width, height in ((1920, 1080), (1366, 640), (1280, 844), (700, 800), (390, 844)):
                page.set_viewport_size({"width": width, "height": height})
                if n > 9 or width > 640:  # a phone shows no keys
                    assert page.evaluate(HIDDEN) == []
            if n == 9:
                page.get_by_role("button", name="Hint", exact=True).click()


@pytest.mark.full
def test_a_review_has_three_mistakes_in_sight_and_all_others_behind_a_click(chromium, served, monkeypatch):
    for name in ("PLAYOUTS", "RECHECK_PLAYOUTS", "CHANCES_PLAYOUTS", "EFFECTS_PLAYOUTS"):
        monkeypatch.setattr(thinking, name, 20)
    match = DominionSession(make_setup("big-money", n_players=2, seed=2))
    match.play_on()
    while match.decision:
        there = {answer.name for answer in match.decision.consequences}
        wanted = "Copper" if len(match.choices) % 3 else "Silver"
        match.choose(next(name for name in ("Province", wanted, "pass") if name in there))
        match.play_on()
    write_session(games(served.site.store.root).path / "lost.json", match)
    with page_at(chromium, f"{served.address}/play/lost") as page:
        page.get_by_role("button", name="Review the game").click()
        expect(page.locator(".curve > svg")).to_be_visible(timeout=60_000)
        mistakes = page.locator(".dearest > li")
        expect(mistakes.nth(2)).to_be_visible()
        expect(mistakes.nth(3)).to_be_hidden()
        for details in page.locator(".review summary").all():
            details.click()
        n = int(page.locator(".review").inner_text().split(" of ")[0].split()[-1])
        assert mistakes.count() == n > 3
        expect(mistakes.last).to_be_visible()
        assert problems(page, CUTS_ONLY) == []


def test_the_first_page_shows_recent_games_and_answers_and_a_first_step(chromium, tmp_path):
    save(Task("b" * 16, "Chapel, Militia", AdviceAsked([*WANTED]), DONE), tmp_path)
    save_result("b" * 16, {}, tmp_path)
    with Served(tmp_path) as site:
        Player(site).begin("@You", "big-money", kingdom=LONG, seed=3, name="the-last-one")
        with page_at(chromium, f"{site.address}/") as page:
            expect(page.get_by_role("link", name=re.compile("the-last-one.*You, big-money.*turn 1"))).to_be_visible()
            expect(page.get_by_role("link", name=re.compile("Chapel, Militia.*2 players"))).to_be_visible()
            expect(page.locator(".lede")).to_contain_text("evodom finds strong strategies for Dominion")
            assert problems(page) == []
            page.get_by_role("link", name="Find a plan for ten cards").click()
            page.wait_for_url("**/ask")


@pytest.mark.full
def test_the_page_of_an_address_that_has_none_leads_back(chromium, served):
    with page_at(chromium, f"{served.address}/nothing", status=404) as page:
        expect(page.get_by_role("navigation")).to_be_visible()
        assert problems(page) == []
        page.get_by_role("link", name="To the first page").click()
        page.wait_for_url(f"{served.address}/")


@pytest.mark.full
def test_the_first_visit_shows_what_is_compiled_without_an_error_on_the_console(chromium, tmp_path):
    go_on, compiled = threading.Event(), threading.Event()

    def prepare(doing):
        doing("Compiling the engine")
        go_on.wait(60)
        doing("Compiling networks")
        compiled.wait(60)

    with Served(tmp_path, prepare) as served, page_at(chromium, f"{served.address}/play") as page:
        line = page.locator("#message")
        expect(line).to_have_text(re.compile(r"^Compiling the engine [1-9]\d* s$"), timeout=30_000)
        go_on.set()
        expect(line).to_have_text(re.compile(r"^Compiling networks \d+ s$"), timeout=30_000)
        compiled.set()
        expect(page.get_by_role("button", name="Start the game")).to_be_visible()
        expect(line).to_be_hidden()
