"""The verbs that need no learner: `distrl devices`, `plugins`, `doctor`, `keys`."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path

from distrl_sdk import plugins
from distrl_sdk.cli_settings import make_parser, parse
from distrl_sdk.cli_table import write_table
from distrl_sdk.errors import DeviceError, PluginError, StorageError, blame
from distrl_sdk.fleet import DeviceAddress, expand, open_device
from distrl_sdk.interfaces import Finding

DISK_GB = 5
"""Free space below which a long run may fill the disk: journal, checkpoints and episodes of a day."""


def devices(arguments: Sequence[str]) -> int:
    """Open every device of a fleet spec and print what it is; status 1 when one cannot be opened."""
    parser = make_parser("devices", "Open the devices of a fleet spec and say what they are.", "SPEC")
    parser.add_argument("spec", type=str, help="such as sim:4, android:all or package.module:Class?key=value*2")
    rows = [_look_at(address) for address in expand(parse(parser, arguments).spec)]
    write_table(("device", "platform", "model", "os", "screen", "apps"), rows)
    return 1 if any(row[1] == "failed" for row in rows) else 0


def show_plugins(arguments: Sequence[str]) -> int:
    """Print a line for each plugin."""
    parse(make_parser("plugins", "List the plugins, what they offer and why one cannot be used.", ""), arguments)
    rows = [
        (row.name, f"{row.distribution} {row.version}", row.state, ", ".join(row.offers), row.cause)
        for row in plugins.rows()
    ]
    write_table(("plugin", "distribution", "state", "offers", "cause"), rows)
    return 0


def doctor(arguments: Sequence[str]) -> int:
    """Print what is right and wrong with this machine and its device sources; status 1 when something is wrong."""
    parser = make_parser("doctor", "Look for what is missing on this machine.", "[SCHEME]")
    parser.add_argument("scheme", type=str, nargs="?", help="look at this device scheme only, such as android")
    scheme = parse(parser, arguments).scheme
    findings = plugins.device_source(scheme).doctor() if scheme else [*_environment(), *_plugins(), *_sources()]
    write_table(("state", "what", "remedy"), [(each.state, each.what, each.remedy) for each in findings])
    return 1 if any(each.state == "problem" for each in findings) else 0


def keys(arguments: Sequence[str]) -> int:
    """Make the learner's key pair and a key for each named worker; print where they are."""
    parser = make_parser(
        "keys", "Make the keys with which workers on other machines log in.", "[NAME ...] [--folder DIR]"
    )
    parser.add_argument("names", type=str, nargs="*", help="names of workers, one a machine; 'worker' if none is given")
    parser.add_argument("--folder", type=str, default="keys", help="where the learner's keys are, or shall be")
    parsed = parse(parser, arguments)
    from distrl_sdk.wire.keys import make_keys

    with blame(StorageError, f"writing keys to {parsed.folder}"):
        made = make_keys(Path(parsed.folder), parsed.names or ["worker"])
    sys.stdout.write(f"the learner's keys are in {parsed.folder}: nobody else needs to read them\n")
    for path in made:
        sys.stdout.write(f"copy {path} to its worker's machine: distrl worker --key {path.name} ...\n")
    return 0


def _look_at(address: DeviceAddress) -> tuple[str, ...]:
    try:
        device = open_device(address)
        try:
            about = device.about
        finally:
            device.close()
    except DeviceError as error:
        return str(address), "failed", str(error), "", "", ""
    screen = f"{about.width}x{about.height}"
    return str(address), about.platform, about.model, about.os, screen, ", ".join(about.apps)


def _environment() -> Iterator[Finding]:
    yield Finding("ok", f"Python {sys.version.split()[0]}, {os.cpu_count()} cores")
    yield _torch()
    yield _curve()
    free = shutil.disk_usage(Path.cwd()).free / 1e9
    if free < DISK_GB:
        yield Finding("warning", f"{free:.1f} GB free in {Path.cwd()}", f"a long run wants {DISK_GB} GB or more")
    else:
        yield Finding("ok", f"{free:.0f} GB free in {Path.cwd()}")


def _torch() -> Finding:
    try:
        import torch
    except (ImportError, OSError) as error:
        return Finding("problem", f"torch cannot be imported: {error}", "install distrl-sdk again")
    where = torch.cuda.get_device_name() if torch.cuda.is_available() else "CPU only"
    return Finding("ok", f"torch {torch.__version__}, {torch.get_num_threads()} threads, {where}")


def _curve() -> Finding:
    try:
        import zmq
    except (ImportError, OSError) as error:
        return Finding("problem", f"ZeroMQ cannot be imported: {error}", "install distrl-sdk again")
    if not zmq.has("curve"):
        return Finding("warning", "ZeroMQ has no CURVE: local workers only", "install pyzmq from its wheel")
    return Finding("ok", f"ZeroMQ {zmq.zmq_version()}, pyzmq {metadata.version('pyzmq')}, CURVE encryption")


def _plugins() -> Iterator[Finding]:
    for row in plugins.rows():
        if row.state == "broken":
            yield Finding("problem", f"plugin {row.source} is broken: {row.cause}", "update or uninstall it")
        elif row.cause:
            yield Finding("warning", f"plugin {row.source}: {row.cause}")


def _sources() -> Iterator[Finding]:
    for scheme in plugins.names("device"):
        try:
            findings = plugins.device_source(scheme).doctor()
        except PluginError as error:
            findings = [Finding("warning", str(error))]
        for each in findings:
            what = each.what if each.what.startswith(scheme) else f"{scheme}: {each.what}"
            yield Finding(each.state, what, each.remedy)
