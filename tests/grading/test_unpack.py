"""A zip is unpacked into the caller's folder and nowhere else, whatever it says of itself."""

import stat
import struct
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest

from lab.grading import unpack as module
from lab.grading.unpack import Limits, NotUnpacked, Unpacked, Unrecognised, shown, unpack

SMALL = Limits(files=3, bytes_in_one=1000, bytes_in_all=1500)


def zipped(folder: Path, *files: tuple[str | zipfile.ZipInfo, str | bytes]) -> Path:
    """Write a zip, well packed, with names as they are given."""
    path = folder / "class.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files:
            packed.writestr(name, content)
    return path


def opened(
    path: Path, limits: Limits = SMALL
) -> tuple[dict[str, bytes], dict[str, str], list[Path]]:
    """Unpack; return contents by name, reasons by name, and where the files are."""
    room = path.parent / "room"
    room.mkdir()
    found, refused = unpack(path, room, limits)
    paths = [one.path for one in found if one.path]
    assert all(room in one.resolve().parents for one in paths)
    written = [one for one in room.rglob("*") if one.is_file()]
    assert sorted(written) == sorted(paths)
    contents = {"/".join(one.parts): one.path.read_bytes() for one in found if one.path}
    return contents, dict(refused), paths


def linked(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


def test_files_come_out_as_they_went_in(tmp_path: Path) -> None:
    path = zipped(tmp_path, ("anna/07_restart.ipynb", "one"), ("anna/", ""), ("ben.ipynb", "two"))
    contents, refused, paths = opened(path)
    assert contents == {"anna/07_restart.ipynb": b"one", "ben.ipynb": b"two"}
    assert refused == {}
    assert paths[0].name.endswith("07_restart.ipynb")


@pytest.mark.parametrize(
    "name",
    ["/etc/passwd", "../up.ipynb", "a/../../up.ipynb", "C:/up.ipynb", "c:up.ipynb",
     "..\\up.ipynb", "a\\..\\..\\up.ipynb", "\\\\server\\up.ipynb", ".."],
)  # fmt: skip
def test_a_name_that_leads_out_is_refused_and_the_rest_goes_on(tmp_path: Path, name: str) -> None:
    contents, refused, _ = opened(zipped(tmp_path, (name, "bad"), ("fine.ipynb", "good")))
    assert contents == {"fine.ipynb": b"good"}
    [(file, reason)] = refused.items()
    assert file == shown(name)
    assert "leads out" in reason


def test_a_link_is_refused(tmp_path: Path) -> None:
    contents, refused, _ = opened(zipped(tmp_path, (linked("07_restart.ipynb"), "/etc/passwd")))
    assert contents == {}
    assert "link" in refused["07_restart.ipynb"]


def test_a_name_of_windows_has_folders(tmp_path: Path) -> None:
    contents, _, _ = opened(zipped(tmp_path, ("anna\\07_restart.ipynb", "one")))
    assert contents == {"anna/07_restart.ipynb": b"one"}


def test_names_that_differ_in_case_only_are_two_files(tmp_path: Path) -> None:
    contents, _, _ = opened(zipped(tmp_path, ("Anna.ipynb", "one"), ("anna.ipynb", "two")))
    assert contents == {"Anna.ipynb": b"one", "anna.ipynb": b"two"}


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_of_one_name_twice_the_later_file_is_taken(tmp_path: Path) -> None:
    contents, refused, _ = opened(zipped(tmp_path, ("a.ipynb", "one"), ("a.ipynb", "two")))
    assert contents == {"a.ipynb": b"two"}
    assert "again later" in refused["a.ipynb"]


def test_a_name_in_utf_8_is_read_though_the_zip_does_not_say_so(tmp_path: Path) -> None:
    path = zipped(tmp_path, ("zoë.ipynb", "one"))
    content = bytearray(path.read_bytes())
    for mark, at in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        place = content.index(mark) + at
        content[place : place + 2] = b"\0\0"
    path.write_bytes(content)
    assert list(opened(path)[0]) == ["zoë.ipynb"]


def test_an_old_name_is_read_in_the_old_way(tmp_path: Path) -> None:
    path = zipped(tmp_path, ("zo?.ipynb", "one"))
    path.write_bytes(path.read_bytes().replace(b"zo?", b"zo\x89"))
    assert list(opened(path)[0]) == ["zoë.ipynb"]


@pytest.mark.parametrize("name", ["a\nb.ipynb", "\x1b[31mred.ipynb", "x" * 900 + ".ipynb"])
def test_a_strange_name_does_no_harm(tmp_path: Path, name: str) -> None:
    contents, refused, _ = opened(zipped(tmp_path, (name, "one")))
    assert contents == {name: b"one"}
    assert refused == {}


def test_a_name_that_is_too_long_is_refused(tmp_path: Path) -> None:
    _, refused, _ = opened(zipped(tmp_path, ("x/" * 20_000 + "a.ipynb", "one")))
    [(file, reason)] = refused.items()
    assert "too long" in reason
    assert len(file) <= module.NAME_CHARACTERS


def test_a_file_that_is_too_large_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    contents, refused, _ = opened(zipped(tmp_path, ("big.ipynb", "x" * 1001), ("a.ipynb", "one")))
    assert contents == {"a.ipynb": b"one"}
    assert "too large" in refused["big.ipynb"]


def test_a_file_that_says_it_is_small_is_not_believed(tmp_path: Path) -> None:
    path = zipped(tmp_path, ("big.ipynb", "x" * 100_000))
    content = path.read_bytes()
    path.write_bytes(content.replace(struct.pack("<L", 100_000), struct.pack("<L", 10)))
    contents, refused, _ = opened(path)
    assert contents == {}
    assert "damaged" in refused["big.ipynb"]


def test_files_that_are_too_many_bytes_together_end_it(tmp_path: Path) -> None:
    files = [(f"{number}.ipynb", "x" * 900) for number in range(9)]
    contents, refused, _ = opened(zipped(tmp_path, *files))
    assert list(contents) == ["0.ipynb"]
    assert list(refused) == ["1.ipynb", "(the zip)"]


def test_what_is_refused_counts_too_so_that_bombs_take_no_time(tmp_path: Path) -> None:
    files = [(f"{number}.ipynb", "x" * 2000) for number in range(9)]
    contents, refused, _ = opened(zipped(tmp_path, *files))
    assert contents == {}
    assert list(refused) == ["0.ipynb", "(the zip)"]


def test_too_many_files_end_it_in_one_sentence(tmp_path: Path) -> None:
    contents, refused, _ = opened(zipped(tmp_path, *((f"{n}.ipynb", "") for n in range(9))))
    assert len(contents) == 3
    [reason] = refused.values()
    assert "Unpack it by hand" in reason


def test_what_packs_too_well_is_a_bomb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RATIO_FROM", 1_000_000)
    path = zipped(tmp_path, ("bomb.ipynb", "x" * 5_000_000))
    contents, refused, _ = opened(path, module.OF_A_CLASS)
    assert contents == {}
    assert "too large" in refused["bomb.ipynb"]


def test_files_that_share_their_bytes_count_each_time(tmp_path: Path) -> None:
    path = zipped(tmp_path, *((f"{number}.ipynb", "x" * 900) for number in range(3)))
    with zipfile.ZipFile(path) as packed:
        second = packed.infolist()[1].header_offset
    content = bytearray(path.read_bytes())
    entry = content.index(b"PK\1\2")
    for _ in range(3):  # all of them point to the first
        at = content.index(b"PK\1\2", entry) + 42
        content[at : at + 4] = struct.pack("<L", 0)
        entry = at
    assert second
    path.write_bytes(content)
    contents, refused, _ = opened(path)
    assert list(contents) == ["0.ipynb"]
    assert set(refused) == {"1.ipynb", "2.ipynb"}


def test_a_zip_with_a_list_that_is_too_long_is_refused_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "DIRECTORY_BYTES", 100_000)
    path = zipped(tmp_path, *((f"{number}.ipynb", "") for number in range(3000)))
    with pytest.raises(NotUnpacked, match="too many files"):
        unpack(path, tmp_path)


def test_a_locked_file_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path, ("a.ipynb", "one"))
    content = bytearray(path.read_bytes())
    content[content.index(b"PK\1\2") + 8] |= 1
    path.write_bytes(content)
    assert "password" in opened(path)[1]["a.ipynb"]


def test_a_file_that_is_packed_in_a_rare_way_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "class.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as packed:
        packed.writestr("a.ipynb", "one")
    assert "rare" in opened(path)[1]["a.ipynb"]


def test_damaged_bytes_are_told_and_the_rest_goes_on(tmp_path: Path) -> None:
    path = zipped(tmp_path, ("a.ipynb", "one" * 50), ("b.ipynb", "two"))
    content = bytearray(path.read_bytes())
    content[content.index(b"a.ipynb") + 8] ^= 0xFF
    path.write_bytes(content)
    contents, refused, _ = opened(path)
    assert contents == {"b.ipynb": b"two"}
    assert "damaged" in refused["a.ipynb"]


@pytest.mark.parametrize(
    "content", [b"", b"no zip", b"PK\3\4" + b"\0" * 50, b"PK\5\6" + b"\xff" * 18]
)
def test_what_is_no_zip_is_told(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "class.zip"
    path.write_bytes(content)
    with pytest.raises(NotUnpacked, match=r"damaged"):
        unpack(path, tmp_path)


def test_a_zip_cut_off_anywhere_is_told(tmp_path: Path) -> None:
    whole = zipped(tmp_path, ("a.ipynb", "one"), ("b.ipynb", "two")).read_bytes()
    path = tmp_path / "cut.zip"
    for length in range(len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(NotUnpacked, match=r"damaged"):
            unpack(path, tmp_path)


def test_a_zip_with_any_byte_changed_never_stops_the_program(tmp_path: Path) -> None:
    whole = zipped(tmp_path, ("a.ipynb", "one"), ("b.ipynb", "two")).read_bytes()
    path = tmp_path / "changed.zip"
    for at in range(len(whole)):
        for value in (0, 0xFF, whole[at] ^ 1):
            path.write_bytes(whole[:at] + bytes([value]) + whole[at + 1 :])
            with suppress(NotUnpacked):
                unpack(path, tmp_path, SMALL)


def test_a_zip_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(NotUnpacked, match="cannot be read: No such file"):
        unpack(tmp_path / "nowhere.zip", tmp_path)


def test_what_is_not_wanted_is_named_and_not_unpacked(tmp_path: Path) -> None:
    path = zipped(tmp_path, ("a.py", "one"), ("a.ipynb", "two"))
    found, refused = unpack(path, tmp_path, SMALL, lambda parts: parts[-1].endswith(".ipynb"))
    assert found[0] == Unpacked(("a.py",), None)
    assert found[1].path is not None
    assert refused == []


def test_what_is_refused_is_named_by_its_place(tmp_path: Path) -> None:
    path = zipped(tmp_path, ("../a.ipynb", "one"))
    _, [refused] = unpack(path, tmp_path, place="anna/hw.zip")
    assert refused == Unrecognised("anna/hw.zip/../a.ipynb", refused.reason)


def test_names_are_shown_in_one_line_and_different_ones_differ() -> None:
    names = ["a\nb", "a\\nb", "\x1b[2J", "caf\udce9", "\u202egpj", "zoë", "Ärzte in אב"]
    assert [shown(name) for name in names] == [
        "a\\nb", "a\\\\nb", "\\x1b[2J", "caf\\udce9", "\\u202egpj", "zoë", "Ärzte in אב",
    ]  # fmt: skip
