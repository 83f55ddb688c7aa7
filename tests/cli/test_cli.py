"""The command line: one line for every mistake, exit statuses, and nothing heavy loaded for nothing."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from distrl_sdk import cli
from distrl_sdk.errors import DeviceError, UsageError

Ran = subprocess.CompletedProcess[str]


def distrl(*arguments: str, cwd: Path | None = None, path: Path | None = None) -> Ran:
    """Run the command line in its own process, with `path` on PYTHONPATH."""
    return subprocess.run(
        [sys.executable, "-c", "import sys; from distrl_sdk.cli import main; sys.exit(main())", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(path or ""), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def told(ran: Ran) -> str:
    """The one line that a refused command printed."""
    assert ran.returncode == 2, ran
    lines = ran.stderr.splitlines()
    assert len(lines) == 1, ran.stderr
    assert lines[0].startswith("distrl: ")
    assert ran.stdout == ""
    return lines[0].removeprefix("distrl: ")


HEAVY = "{'torch', 'lightning', 'transformers', 'zmq', 'matplotlib', 'PIL'}"


@pytest.mark.parametrize(
    "code",
    [
        "import distrl_sdk",
        "from distrl_sdk import Fleet; Fleet('sim:4')",
        "from distrl_sdk.cli import main; main(['--help'])",
    ],
)
def test_nothing_heavy_is_loaded_before_it_is_needed(code: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint(sorted({HEAVY} & set(sys.modules)))"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert ran.stdout.splitlines()[-1] == "[]"


def test_every_public_name_can_be_imported() -> None:
    import distrl_sdk

    assert all(hasattr(distrl_sdk, name) for name in distrl_sdk.__all__)
    with pytest.raises(AttributeError, match="no attribute 'Trianer'"):
        distrl_sdk.Trianer  # noqa: B018


def test_help_names_every_verb(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert all(verb in shown for verb in cli.VERBS)


@pytest.mark.parametrize("verb", sorted(cli.VERBS))
def test_every_verb_has_help(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main([verb, "--help"])
    assert ended.value.code == 0
    assert f"usage: distrl {verb}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["trian"], "unknown command 'trian': did you mean train?"),
        (["plugins", "--al"], "unknown option --al"),
        (["devices"], "the following arguments are required: spec"),
        (["devices", "simm:2"], "unknown device 'simm': did you mean sim?"),
        (["devices", "ios:booted"], "ios devices are not available in version 0.1.0 yet"),
        (["doctor", "andriod"], "unknown device 'andriod': did you mean android?"),
    ],
)
def test_a_mistake_is_told_in_one_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(arguments) == 2
    shown = capsys.readouterr()
    assert message in shown.err
    assert shown.err.count("\n") == 1
    assert shown.out == ""


def _raises(error: BaseException) -> Callable[[list[str]], int]:
    def run(arguments: list[str]) -> int:
        raise error

    return run


fails = _raises(DeviceError("the phone\n  fell down"))
refuses = _raises(UsageError("no"))
interrupted = _raises(KeyboardInterrupt())


@pytest.mark.parametrize(
    ("verb", "status", "line"),
    [("fails", 1, "the phone fell down"), ("refuses", 2, "no"), ("interrupted", 130, "interrupted")],
)
def test_exit_statuses(
    verb: str, status: int, line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(cli.VERBS, verb, (f"{__name__}:{verb}", ""))

    assert cli.main([verb]) == status

    assert capsys.readouterr().err == f"distrl: {line}\n"


def _commands_plugin(folder: Path) -> None:
    (folder / "distrl_testverbs.py").write_text(
        textwrap.dedent("""
            from distrl_sdk import DeviceError, UsageError, hookimpl

            class Verb:
                about = "say what was asked"
                def run(self, arguments):
                    if "lost" in arguments:
                        raise DeviceError("no phone\\n answers")
                    print(type(self).__name__, *arguments)
                    return len(arguments)

            class Enroll(Verb):
                pass

            def gone():
                import a_module_that_is_nowhere

            @hookimpl
            def distrl_commands():
                return {"recite": Verb, "devices enroll": Enroll, "vanish": gone, "keys": Verb}
        """)
    )
    info = folder / "verbs-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: verbs\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[distrl_sdk]\nverbs = distrl_testverbs\n")


def test_a_plugin_brings_commands_of_one_word_or_two(tmp_path: Path) -> None:
    _commands_plugin(tmp_path)

    one = distrl("recite", "--loud", "a poem", path=tmp_path)
    two = distrl("devices", "enroll", "SERIAL1", path=tmp_path)
    built_in = distrl("devices", "sim:1", path=tmp_path)
    failed = distrl("recite", "lost", path=tmp_path)

    assert (one.returncode, one.stdout) == (2, "Verb --loud a poem\n")
    assert (two.returncode, two.stdout) == (1, "Enroll SERIAL1\n")
    assert "simphone" in built_in.stdout
    assert (failed.returncode, failed.stderr) == (1, "distrl: no phone answers\n")


def test_help_lists_the_commands_of_plugins_and_what_is_wrong_with_them(tmp_path: Path) -> None:
    _commands_plugin(tmp_path)

    lines = [" ".join(line.split()) for line in distrl("--help", path=tmp_path).stdout.splitlines()]

    assert "recite say what was asked" in lines
    assert "devices enroll say what was asked" in lines
    assert "keys cannot be used: a command of this name is built in" in lines
    assert any(line.startswith("vanish cannot be used: command 'vanish': ModuleNotFoundError") for line in lines)


def test_a_command_that_is_misspelt_is_compared_with_those_of_plugins_too(tmp_path: Path) -> None:
    _commands_plugin(tmp_path)

    assert told(distrl("rectie", path=tmp_path)).startswith("unknown command 'rectie': did you mean recite?")


def test_plugins_lists_what_is_offered(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["plugins"]) == 0
    lines = capsys.readouterr().out.splitlines()
    builtin = next(line for line in lines if line.startswith("builtin"))
    assert "loaded" in builtin
    assert "policy compact" in builtin


def _broken_plugin(folder: Path) -> None:
    (folder / "distrl_testbroken.py").write_text("raise RuntimeError('no licence found')\n")
    info = folder / "broken-3.4.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 3.4\n")
    (info / "entry_points.txt").write_text("[distrl_sdk]\nbroken = distrl_testbroken\n")


def test_a_broken_plugin_is_warned_of_once_and_listed(tmp_path: Path) -> None:
    _broken_plugin(tmp_path)

    ran = distrl("plugins", path=tmp_path)

    assert ran.returncode == 0
    assert ran.stderr == "distrl: warning: plugin broken (broken 3.4) is broken: RuntimeError: no licence found\n"
    assert "broken   RuntimeError: no licence found" in " ".join(ran.stdout.split()).replace("broken R", "broken   R")


def test_asking_for_what_a_broken_plugin_might_offer_tells_its_cause(tmp_path: Path) -> None:
    _broken_plugin(tmp_path)

    ran = distrl("train", "--dry-run", "--judge", "oracle", path=tmp_path)

    assert ran.returncode == 2
    warning, error = ran.stderr.splitlines()
    assert warning == "distrl: warning: plugin broken (broken 3.4) is broken: RuntimeError: no licence found"
    assert error.startswith("distrl: unknown judge 'oracle': known: ")
    assert error.endswith("; plugin broken (broken 3.4) is broken: RuntimeError: no licence found")


def test_asking_for_a_plugin_without_its_extra_tells_the_command_that_brings_it(tmp_path: Path) -> None:
    (tmp_path / "distrl_testcoins.py").write_text(
        "from distrl_sdk import hookimpl\n"
        "EXTRAS = ('phones',)\n"
        "@hookimpl\n"
        "def distrl_judges():\n"
        "    return {'coin': dict}\n"
    )
    info = tmp_path / "coins-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: coins\nVersion: 1.0\n"
        "Provides-Extra: phones\nRequires-Dist: a-package-that-is-nowhere; extra == 'phones'\n"
    )
    (info / "entry_points.txt").write_text("[distrl_sdk]\ncoins = distrl_testcoins\n")

    ran = distrl("train", "--dry-run", "--judge", "coin", path=tmp_path)

    assert told(ran) == "judge 'coin' needs more packages: pip install 'coins[phones]'"
    listed = distrl("plugins", path=tmp_path)
    assert "missing extra" in listed.stdout
    assert listed.stderr == ""


def test_doctor_tells_of_a_broken_plugin_with_status_1(tmp_path: Path) -> None:
    _broken_plugin(tmp_path)

    ran = distrl("doctor", path=tmp_path)

    assert ran.returncode == 1
    assert "problem  plugin broken (broken 3.4) is broken" in ran.stdout
    assert "CURVE encryption" in ran.stdout
    assert "GB free in" in ran.stdout


PHONES = """
    from distrl_sdk import DeviceAbout
    class Phone:
        about = DeviceAbout("toy", "Model T", "1", 90, 200, apps=("Clock",))
        def __init__(self, fails=False):
            if fails:
                raise OSError("the cable fell out")
        def reset(self, task): ...
        def perform(self, action): ...
        def close(self): pass
"""


def test_devices_shows_each_device_and_fails_when_one_does(tmp_path: Path) -> None:
    (tmp_path / "toyphones.py").write_text(textwrap.dedent(PHONES))

    ran = distrl("devices", "toyphones:Phone*2,toyphones:Phone?fails=true", path=tmp_path)

    assert ran.returncode == 1, ran.stderr
    lines = [line.split() for line in ran.stdout.splitlines()]
    assert lines[1] == ["python:toyphones:Phone#1", "toy", "Model", "T", "1", "90x200", "Clock"]
    assert lines[2][0] == "python:toyphones:Phone#2"
    assert lines[3][:2] == ["python:toyphones:Phone?fails=True#1".replace("True", "true"), "failed"]
    assert "OSError: the cable fell out" in ran.stdout
    assert "Traceback" not in ran.stderr
