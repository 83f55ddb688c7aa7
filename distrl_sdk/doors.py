"""Where workers come in, and the keys of the doors that are open to a network."""

from __future__ import annotations

from pathlib import Path

from distrl_sdk.config import NetworkConfig
from distrl_sdk.errors import UsageError
from distrl_sdk.fleet import Fleet
from distrl_sdk.wire.keys import ServerKeys, load_server_keys
from distrl_sdk.wire.sockets import ipc_address


def addresses(fleet: Fleet, network: NetworkConfig, folder: Path) -> list[str]:
    """Local workers come by ipc, others by TCP. Raises UsageError when nobody could come."""
    own = [ipc_address(folder / "socket")] if fleet.launcher == "local" else []
    if not own and not network.listen:
        raise UsageError("a fleet with launcher 'none' needs an address: NetworkConfig(listen='tcp://HOST:PORT')")
    return own + ([network.listen] if network.listen else [])


def keys_of(network: NetworkConfig) -> ServerKeys | None:
    """None where nothing is open to a network, or its user gave up encryption."""
    if not network.listen or network.insecure:
        return None
    return load_server_keys(Path(network.keys))
