"""What distrl-sdk itself offers, and how it says no."""

from __future__ import annotations

import pytest

from distrl_sdk import plugins
from distrl_sdk.errors import PluginError, UsageError
from distrl_sdk.types import Task


def test_the_built_in_names_are_there() -> None:
    assert set(plugins.names("device")) >= {"sim", "python", "android", "ios"}
    assert set(plugins.names("judge")) >= {"programmatic", "gemini"}
    assert "compact" in plugins.names("policy")
    assert "a-ride" in plugins.names("learner")
    assert "general" in plugins.names("task set")
    assert {row.state for row in plugins.rows() if row.distribution == "distrl-sdk"} == {"loaded"}


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: plugins.make_policy("compcat"), "unknown policy 'compcat': did you mean compact? known: compact"),
        (lambda: plugins.make_judge("programatic"), "unknown judge 'programatic': did you mean programmatic?"),
        (lambda: plugins.make_learner("aride", "compact"), "unknown learner 'aride': did you mean a-ride?"),
        (lambda: plugins.task_set("genral/train"), "unknown task set 'genral': did you mean general?"),
        (lambda: plugins.device_source("simm"), "unknown device 'simm': did you mean sim?"),
        (lambda: plugins.make_judge("gemini"), "the judge gemini is not available in version 0.1.0 yet"),
        (lambda: plugins.device_source("ios"), "ios devices are not available in version 0.1.0 yet"),
        (lambda: plugins.make_judge("json:nothing"), "judge 'json:nothing': json has no 'nothing'"),
        (lambda: plugins.make_judge("nowhere_at_all:X"), "no module 'nowhere_at_all' is installed or on PYTHONPATH"),
    ],
)
def test_what_is_not_there_is_told_in_one_line(ask: object, message: str) -> None:
    assert callable(ask)
    with pytest.raises(PluginError) as raised:
        ask()
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_an_unknown_option_of_a_policy_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"policy 'compact' has no option 'widht': did you mean width\?"):
        plugins.make_policy("compact", {"widht": 32})


class FewTasks:
    """A task set that is not packaged."""

    name = "few"
    tasks = (Task("few/1", "few", "Do one thing"),)

    def demonstrations(self, count: int, seed: int) -> list[object]:
        return []


FEW = FewTasks()


def few(split: str) -> FewTasks:
    made = FewTasks()
    made.name = f"few/{split}"
    return made


def test_a_task_set_need_not_be_packaged() -> None:
    assert plugins.task_set(f"{__name__}:FEW").tasks[0].id == "few/1"
    assert plugins.task_set(f"{__name__}:few/test").name == "few/test"


def test_a_task_set_in_a_file_is_found_by_its_path() -> None:
    assert plugins.task_set(f"{__file__}:few/test").name == "few/test"


def test_one_source_serves_a_process() -> None:
    assert plugins.device_source("python") is plugins.device_source("python")
