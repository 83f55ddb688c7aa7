"""What a user installs: pins, files, and a wheel that works in a fresh environment."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def _pins() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pins = [line.split("==") for line in lines if line and not line.startswith("#")]
    return {canonicalize_name(name): version for name, version in pins}


def test_everything_that_development_needs_is_pinned_and_fits() -> None:
    pins = _pins()
    for text in [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dev"]]:
        requirement = Requirement(text)
        pinned = pins[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(pinned), f"{text} is pinned to {pinned}"
    assert pins["torch"] == "2.13.0"


def test_the_version_is_the_same_everywhere() -> None:
    version = PROJECT["version"]
    assert f"version: {version}\n" in (ROOT / "CITATION.cff").read_text()
    assert version in (ROOT / "CHANGELOG.md").read_text()


def test_the_extra_all_is_everything_but_the_legacy_client() -> None:
    extras = PROJECT["optional-dependencies"]
    (everything,) = extras["all"]
    assert Requirement(everything).extras == set(extras) - {"all", "dev", "gemini-legacy"}


def test_documents_name_no_place_outside_the_project() -> None:
    for file in [ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")]:
        for link in re.findall(r"\]\(([^)#:]+)\)", file.read_text()):
            assert (file.parent / link).resolve().is_relative_to(ROOT), f"{file.name} links to {link}"
            assert (file.parent / link).exists(), f"{file.name} links to {link}, which is not there"


def _run(*command: str, cwd: Path, **environment: str) -> str:
    ran = subprocess.run(
        command, cwd=cwd, env={**os.environ, **environment}, capture_output=True, text=True, timeout=1500, check=False
    )
    assert ran.returncode == 0, f"{' '.join(command)}\n{ran.stdout}\n{ran.stderr}"
    return ran.stdout


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_the_wheel_works_in_a_fresh_environment(tmp_path: Path) -> None:
    pip = ["-m", "pip", "--disable-pip-version-check"]
    index = os.environ.get("TORCH_INDEX", "")
    _run(sys.executable, *pip, "wheel", "--quiet", "--no-deps", "-w", str(tmp_path), str(ROOT), cwd=tmp_path)
    (wheel,) = tmp_path.glob("distrl_sdk-*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    packages = ("distrl_sdk", "distrl_android_adb", "distrl_ios_simctl", "distrl_gemini_judge")
    assert {f"{package}/py.typed" for package in packages} <= names
    for licence in ("LICENSE", "NOTICE", "distrl_sdk/simphone/paint/fonts/OFL.txt"):
        assert any(name.endswith(f".dist-info/licenses/{licence}") for name in names)
    ours = {str(file.relative_to(ROOT)) for file in (ROOT / "distrl_sdk").rglob("*") if file.is_file()}
    assert {name for name in ours if "__pycache__" not in name} <= names, "the wheel lacks files of the package"

    _run(sys.executable, "-m", "venv", "fresh", cwd=tmp_path)
    python = str(tmp_path / "fresh" / "bin" / "python")
    extra_index = ["--extra-index-url", index] if index else []
    constraints = ["-c", str(ROOT / "constraints.txt")]
    _run(python, *pip, "install", "--quiet", str(wheel), *constraints, *extra_index, cwd=tmp_path)

    assert "No broken requirements found" in _run(python, *pip, "check", cwd=tmp_path)
    home = _run(python, "-c", "import distrl_sdk; print(distrl_sdk.__file__)", cwd=tmp_path)
    assert str(tmp_path / "fresh") in home
    distrl = str(tmp_path / "fresh" / "bin" / "distrl")
    listed = _run(distrl, "plugins", cwd=tmp_path)
    assert "policy compact" in listed
    assert "broken" not in listed
    assert _run(distrl, "--version", cwd=tmp_path) == f"distrl-sdk {PROJECT['version']}\n"
    assert "sim:" in _run(distrl, "devices", "sim:2", cwd=tmp_path)
