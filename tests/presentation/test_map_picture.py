"""Pictures of maps, drawn with Matplotlib."""

import warnings

import pytest

from evodom.errors import EvodomError, UsageError
from evodom.presentation import act_map as layout
from evodom.presentation import map_picture as map_plot
from evodom.presentation.act_map import SIGNS, outline
from evodom.presentation.map_picture import plot_map
from evodom.spire.map import ActMap, Edge, Node, Room, generate

TWO_ROOMS = ActMap({Node(0, 0): Room.MONSTER, Node(0, 1): Room.REST}, (Edge(Node(0, 0), Node(0, 1)),))


@pytest.fixture
def drawn(monkeypatch):
    """The things drawn: rooms of signs, radii of rings and flames."""
    found = {"signs": [], "rings": [], "flames": []}

    def spy(name, key, pick):
        real = getattr(map_plot, name)
        monkeypatch.setattr(
            map_plot, name, lambda *args, **more: (real(*args, **more), found[key].append(pick(args, more)))
        )

    spy("_draw_sign", "signs", lambda args, more: args[2])
    spy("_draw_ring", "rings", lambda args, more: args[2])
    spy("_draw_flames", "flames", lambda args, more: args[2])
    return found


def test_the_same_map_is_the_same_file(tmp_path):
    for name in ("a.svg", "b.svg"):
        plot_map(TWO_ROOMS, tmp_path / name, path=TWO_ROOMS.starts)

    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_rooms_and_ways_are_drawn_with_the_boss_above_and_a_path_is_marked(drawn, tmp_path):
    act_map = generate(673465884448)
    path = [act_map.starts[0]]
    while act_map.successors[path[-1]]:
        path.append(act_map.successors[path[-1]][-1])
    plot_map(act_map, tmp_path / "a.svg", title="Act 1", path=path)

    kinds = set(act_map.rooms.values())
    assert len(drawn["signs"]) == len(act_map.rooms) + 1 + len(kinds) + 1  # the boss, the legend, its burning elite
    assert drawn["signs"].count(Room.BOSS) == 1
    assert len(drawn["flames"]) == 2
    assert len(drawn["rings"]) == len(path) + 2  # the boss and the legend
    ways = [list(layout.MapLayout(act_map).ways(marked)) for marked in ([], path)]
    assert [len(listed) for listed in ways] == [len(act_map.edges) + len(act_map.ends)] * 2
    assert [sum(way.is_marked for way in listed) for listed in ways] == [0, len(path)]
    picture = (tmp_path / "a.svg").read_text("utf-8")
    for text in ("Act 1", "Legend", "monster", "rest site", "treasure", "burning elite:", "the path"):
        assert text in picture, text


def test_a_map_with_a_boss_gets_no_other(drawn, tmp_path):
    plot_map(generate(1, 4), tmp_path / "a.svg")

    assert drawn["rings"] == []
    assert drawn["signs"].count(Room.BOSS) == 2  # on the map and in the legend
    assert len(list(layout.MapLayout(generate(1, 4)).ways([]))) == 3


def test_rooms_are_drawn_near_their_places_and_do_not_overlap():
    sheet = layout.MapLayout(generate(5))
    places = [sheet.place(node) for node in sheet.map.rooms]

    for node, (x, y) in zip(sheet.map.rooms, places, strict=True):
        assert abs(x - sheet.column(node.x)) <= layout.JITTER
        assert abs(y - sheet.row(node.y)) <= layout.JITTER
    assert 2 * layout.RADIUS + 2 * layout.JITTER < layout.ROW
    assert max(y for _, y in places) < sheet.boss[1] - layout.BOSS_RADIUS
    assert sheet.boss[1] + layout.BOSS_RADIUS < sheet.height - layout.MARGIN


def test_every_room_has_a_sign_within_its_disc():
    for part in (part for room in Room for part in SIGNS[room].parts):
        box = outline(part).get_extents()
        reach = layout.SIGN_SIZE * max(abs(corner) for corner in (box.x0, box.x1, box.y0, box.y1))
        assert 0 < reach <= 1


def test_a_png_is_written_with_any_title_and_other_files_are_refused(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plot_map(TWO_ROOMS, tmp_path / "a.PNG", title="$x$ 地図 " + "long " * 60)
    assert (tmp_path / "a.PNG").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(UsageError, match=r"ends in \.svg or \.png"):
        plot_map(TWO_ROOMS, tmp_path / "a.gif")
    (tmp_path / "folder.svg").mkdir()
    with pytest.raises(EvodomError, match="cannot be written"):
        plot_map(TWO_ROOMS, tmp_path / "folder.svg")
