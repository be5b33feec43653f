"""Which notebook is whose: the shapes in which a class hands in its work."""

import errno
import io
import os
import subprocess
import sys
import unicodedata
import zipfile
from pathlib import Path

import pytest

from lab.grading.find import NoSubmissions, find

LESSON = "07_restart.ipynb"


def put(folder: Path, *places: str) -> Path:
    """Write files at some places below a folder."""
    for place in places:
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(place)
    return folder


def zipped(*files: tuple[str, bytes] | str) -> bytes:
    """Return a zip of files: names, or names with contents."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as packed:
        for one in files:
            name, text = (one, one.encode()) if isinstance(one, str) else one
            packed.writestr(name, text)
    return content.getvalue()


def students(submissions: Path, room: Path | None = None) -> list[tuple[str, str]]:
    """Return whose each file is; nothing is left over."""
    found, refused = find(submissions, room)
    assert refused == []
    return [(one.student, one.file) for one in found]


def reasons(submissions: Path, room: Path | None = None) -> dict[str, str]:
    return dict(find(submissions, room)[1])


def test_each_folder_is_a_student_at_any_depth(tmp_path: Path) -> None:
    put(tmp_path, f"anna/{LESSON}", f"anna/week 2/{LESSON}", f"ben/a/b/c/{LESSON}")
    assert students(tmp_path) == [
        ("anna", f"anna/{LESSON}"),
        ("anna", f"anna/week 2/{LESSON}"),
        ("ben", f"ben/a/b/c/{LESSON}"),
    ]
    assert find(tmp_path)[0][0].path == tmp_path / "anna" / LESSON


@pytest.mark.parametrize("leading", ["", "submitted/", "submissions/"])
def test_the_folders_of_nbgrader_are_students(tmp_path: Path, leading: str) -> None:
    put(tmp_path, f"{leading}anna/lesson7/{LESSON}", f"{leading}ben/lesson7/{LESSON}")
    put(tmp_path, f"{leading}anna/lesson7/timestamp.txt")
    assert [student for student, _ in students(tmp_path)] == ["anna", "ben"]


@pytest.mark.parametrize(
    ("file", "student"),
    [
        # Moodle, as folders and as files; a team; graded without names
        (f"Anna Ba_123456_assignsubmission_file_/{LESSON}", "Anna Ba"),
        (f"Anna Ba_123456_assignsubmission_file_{LESSON}", "Anna Ba"),
        (f"Anna Ba_123456_assignsubmission_file/{LESSON}", "Anna Ba"),
        (f"Default group_assignsubmission_file_/{LESSON}", "Default group"),
        # Canvas: in time, late, handed in again, graded without names
        (f"baanna_12345_67890_{LESSON}", "baanna"),
        (f"baanna_LATE_12345_67890_{LESSON}", "baanna"),
        ("baanna_12345_67890_07_restart-1.ipynb", "baanna"),
        ("baanna_12345_67890_My own name.ipynb", "baanna"),
        (f"anon_aB3cD_67890_{LESSON}", "anon_aB3cD"),
        (f"LATE_anon_aB3cD_67890_{LESSON}", "anon_aB3cD"),
        # Blackboard
        (f"hw1_s123_attempt_2024-05-01-10-00-05_{LESSON}", "s123"),
        ("Home work_s123_attempt_2024-05-01-10-00-05_mine.ipynb", "s123"),
        # Brightspace, as folders and as files
        (f"397063-2557369 - Mary-Ann Ba - Sep 24, 2024 926 PM/{LESSON}", "Mary-Ann Ba"),
        (f"397063-2557369 - Mary-Ann Ba - Sep 24, 2024 926 PM - {LESSON}", "Mary-Ann Ba"),
        # by hand
        (f"anna_{LESSON}", "anna"),
        (f"Ba, Anna - {LESSON}", "Ba, Anna"),
        ("anna_07_restart (1).ipynb", "anna"),
        ("anna.IPYNB", "anna"),
        (LESSON, "07_restart"),
        ("my work.ipynb", "my work"),
    ],
)
def test_the_names_of_a_download_tell_the_student(tmp_path: Path, file: str, student: str) -> None:
    assert students(put(tmp_path, file)) == [(student, file)]


def test_two_people_of_one_name_are_told_apart_by_their_numbers(tmp_path: Path) -> None:
    put(tmp_path, *(f"Participant_{n}_assignsubmission_file_/{LESSON}" for n in (11, 12)))
    put(tmp_path, f"Anna Ba_13_assignsubmission_file_/{LESSON}")
    names = [student for student, _ in students(tmp_path)]
    assert names == ["Anna Ba", "Participant 11", "Participant 12"]


def test_one_person_has_another_number_in_another_download(tmp_path: Path) -> None:
    put(
        tmp_path,
        f"restart/Anna Ba_11_assignsubmission_file_/{LESSON}",
        "silence/Anna Ba_29_assignsubmission_file_/01_silence.ipynb",
    )
    assert [student for student, _ in students(tmp_path)] == ["Anna Ba", "Anna Ba"]


def test_nobody_can_hand_in_under_another_name(tmp_path: Path) -> None:
    put(tmp_path, f"anna/Ben Li_7_assignsubmission_file_/{LESSON}", f"ben/{LESSON}")
    assert [student for student, _ in students(tmp_path)] == ["anna", "ben"]


def test_one_notebook_is_one_student(tmp_path: Path) -> None:
    put(tmp_path, f"anna_{LESSON}")
    assert students(tmp_path / f"anna_{LESSON}") == [("anna", f"anna_{LESSON}")]


def test_a_zip_of_a_class_is_read_as_its_folder_is(tmp_path: Path) -> None:
    path = tmp_path / "class.zip"
    path.write_bytes(zipped(f"anna/{LESSON}", f"ben/work/{LESSON}", "anna/"))
    found, _ = find(path, tmp_path)
    assert [(one.student, one.file) for one in found] == [
        ("anna", f"anna/{LESSON}"),
        ("ben", f"ben/work/{LESSON}"),
    ]
    assert found[0].path.read_text() == f"anna/{LESSON}"
    assert tmp_path in found[0].path.parents


@pytest.mark.parametrize(
    "names",
    [
        (f"class/anna/{LESSON}", f"class/ben/{LESSON}"),
        (f"class/anna_{LESSON}", f"class/ben_{LESSON}"),
        (f"class/anna_12345_67890_{LESSON}", f"class/ben_12346_67891_{LESSON}"),
    ],
)
def test_the_folder_that_a_zip_is_named_after_is_no_student(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    (tmp_path / "class.zip").write_bytes(zipped(*names))
    assert [student for student, _ in students(tmp_path / "class.zip", tmp_path)] == ["anna", "ben"]


def test_each_student_may_hand_in_a_zip(tmp_path: Path) -> None:
    put(tmp_path, f"zoe/{LESSON}")
    (tmp_path / "anna.zip").write_bytes(zipped(f"homework/{LESSON}"))
    (tmp_path / "ben_07_restart.zip").write_bytes(zipped(LESSON))
    (tmp_path / "cy_12345_67890_homework.zip").write_bytes(zipped(LESSON))
    (tmp_path / "zoe" / "more.zip").write_bytes(zipped(LESSON))
    assert students(tmp_path) == [
        ("anna", f"anna.zip/homework/{LESSON}"),
        ("ben", f"ben_07_restart.zip/{LESSON}"),
        ("cy", f"cy_12345_67890_homework.zip/{LESSON}"),
        ("zoe", f"zoe/{LESSON}"),
        ("zoe", f"zoe/more.zip/{LESSON}"),
    ]


def test_a_download_may_hold_zips_and_they_no_more_of_them(tmp_path: Path) -> None:
    inner = zipped(LESSON, ("deep.zip", zipped(LESSON)))
    path = tmp_path / "download.zip"
    path.write_bytes(zipped(("Anna Ba_12_assignsubmission_file_/hw.zip", inner)))
    found, refused = find(path, tmp_path)
    place = "Anna Ba_12_assignsubmission_file_/hw.zip"
    assert [(one.student, one.file) for one in found] == [("Anna Ba", f"{place}/{LESSON}")]
    [(file, reason)] = refused
    assert file == f"{place}/deep.zip"
    assert "Unpack it by hand" in reason


def test_a_folder_of_downloads_holds_no_student_of_its_own(tmp_path: Path) -> None:
    for number, name in ((7, "restart.zip"), (8, "nobody.zip")):
        place = f"Anna Ba_{number}_assignsubmission_file_/{LESSON}"
        (tmp_path / name).write_bytes(zipped(place))
    assert {student for student, _ in students(tmp_path)} == {"Anna Ba"}


def test_a_damaged_zip_of_one_student_is_told_and_the_rest_goes_on(tmp_path: Path) -> None:
    put(tmp_path, f"ben/{LESSON}", "anna.zip")
    found, refused = find(tmp_path)
    assert [one.student for one in found] == ["ben"]
    assert "damaged" in dict(refused)["anna.zip"]


def test_one_name_in_two_unicode_forms_is_one_student(tmp_path: Path) -> None:
    names = [unicodedata.normalize(form, "Zoë") for form in ("NFC", "NFD")]
    (tmp_path / "class.zip").write_bytes(zipped(*(f"{name}/{LESSON}" for name in names)))
    assert {student for student, _ in students(tmp_path / "class.zip", tmp_path)} == {"Zoë"}


def test_names_that_differ_in_case_are_two_students(tmp_path: Path) -> None:
    (tmp_path / "class.zip").write_bytes(zipped(f"Anna/{LESSON}", f"anna/{LESSON}"))
    assert [one for one, _ in students(tmp_path / "class.zip", tmp_path)] == ["Anna", "anna"]


def test_what_programs_leave_behind_is_passed_over(tmp_path: Path) -> None:
    put(
        tmp_path,
        f"anna/{LESSON}",
        "anna/.ipynb_checkpoints/07_restart-checkpoint.ipynb",
        f"__MACOSX/anna/._{LESSON}",
        f"anna/._{LESSON}",
        f".git/{LESSON}",
        "anna/.DS_Store",
        "anna/07_restart.kept-1.ipynb",
        "anna/venv/lib/a.py",
        "hw1_s123_attempt_2024-05-01-10-00-05.txt",
        "anna/picture.png",
    )
    assert students(tmp_path) == [("anna", f"anna/{LESSON}")]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("answer.py", "Ask for the notebook"),
        ("answer.txt", "Ask for the notebook"),
        ("answer.html", "Ask for the notebook"),
        ("answer.PDF", "Ask for the notebook"),
        ("answer.docx", "Ask for the notebook"),
        ("answer", "has no ending"),
        ("07_restart.ipynb.txt", "was renamed"),
        ("07_restart.json", "end its name in .ipynb"),
        ("answer.rar", "Unpack it by hand"),
    ],
)
def test_what_looks_like_a_submission_is_listed(tmp_path: Path, name: str, says: str) -> None:
    put(tmp_path, f"anna/{name}")
    assert says in reasons(tmp_path)[f"anna/{name}"]
    (tmp_path / "class.zip").write_bytes(zipped(f"anna/{name}"))
    assert says in reasons(tmp_path / "class.zip", tmp_path)[f"anna/{name}"]


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    put(tmp_path, f"secret/{LESSON}", f"class/ben/{LESSON}")
    (tmp_path / "class" / "anna").symlink_to(tmp_path / "secret")
    (tmp_path / "class" / "ben" / "08_mine.ipynb").symlink_to(tmp_path / "secret" / LESSON)
    found, refused = find(tmp_path / "class")
    assert [one.file for one in found] == [f"ben/{LESSON}"]
    assert [one.file for one in refused] == ["anna", "ben/08_mine.ipynb"]
    assert all("link" in one.reason for one in refused)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    put(tmp_path, f"anna/{LESSON}")
    os.mkfifo(tmp_path / "anna" / "08_mine.ipynb")
    assert list(reasons(tmp_path)) == ["anna/08_mine.ipynb"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_strange_names_can_be_printed_and_stay_apart(tmp_path: Path) -> None:
    for name in (b"a\xffnna", b"a\xfenna", b"a\nnna", b"\x1b[2J", b"x" * 255):
        folder = os.fsencode(tmp_path) + b"/" + name
        os.mkdir(folder)
        with open(folder + b"/" + LESSON.encode(), "w"):
            pass
    found = students(tmp_path)
    assert len({student for student, _ in found}) == 5
    assert all(text.isprintable() for pair in found for text in pair)
    "".join(text for pair in found for text in pair).encode("utf-8")


def test_a_very_deep_folder_is_listed_or_read(tmp_path: Path) -> None:
    put(tmp_path, f"anna/{LESSON}")
    here = os.getcwd()
    try:
        os.chdir(tmp_path / "anna")
        for _ in range(1500):
            os.mkdir("deep")
            os.chdir("deep")
    finally:
        os.chdir(here)
    found, refused = find(tmp_path)
    assert [one.file for one in found] == [f"anna/{LESSON}"]
    assert all("cannot be read" in one.reason for one in refused)
    subprocess.run(["rm", "-rf", str(tmp_path / "anna")], check=False)  # deeper than Python goes


def test_the_same_folder_gives_the_same_list(tmp_path: Path) -> None:
    put(tmp_path, *(f"{name}/{LESSON}" for name in "cab"), "b.py", "a.py")
    found, refused = find(tmp_path)
    assert found == sorted(found)
    assert refused == sorted(refused)
    assert find(tmp_path) == (found, refused)


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(NoSubmissions, match="is not there"):
        find(tmp_path / "nowhere")


def test_an_empty_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(NoSubmissions, match="no notebook in"):
        find(tmp_path)


def test_a_zip_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "class.zip").write_bytes(b"no zip")
    with pytest.raises(NoSubmissions, match="damaged"):
        find(tmp_path / "class.zip", tmp_path)


def test_a_file_of_another_kind_is_told(tmp_path: Path) -> None:
    with pytest.raises(NoSubmissions, match="no folder, no zip and no notebook"):
        find(put(tmp_path, "answer.pdf") / "answer.pdf")


def test_a_name_that_cannot_be_is_told() -> None:
    with pytest.raises(NoSubmissions, match="is not there"):
        find(Path("a\0b"))


def test_a_folder_that_may_not_be_read_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, f"anna/{LESSON}", f"ben/{LESSON}")
    read = os.scandir

    def forbidding(folder: Path) -> object:  # root may read every folder, so it is played
        if folder.name == "anna":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))
        return read(folder)

    monkeypatch.setattr(os, "scandir", forbidding)
    assert "cannot be read: Permission denied" in reasons(tmp_path)["anna"]
    assert find(tmp_path)[0][0].student == "ben"


@pytest.mark.skipif(os.name == "nt", reason="Windows does not fork")
def test_what_was_unpacked_without_a_room_is_gone_when_the_process_ends(tmp_path: Path) -> None:
    path = tmp_path / "class.zip"
    path.write_bytes(zipped(f"anna/{LESSON}"))
    program = (
        "import os, sys\nfrom pathlib import Path\nfrom lab.grading.find import find\n"
        "[[one], _] = find(Path(sys.argv[1]))\n"
        "if os.fork() == 0:\n    sys.exit()\n"
        "os.wait()\nprint(one.path)\nassert one.path.exists()\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True
    )
    assert not Path(ran.stdout.strip()).exists()
