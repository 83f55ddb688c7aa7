"""Value heads over a policy's encoding of the state."""

from __future__ import annotations

from torch import Tensor, nn


class Critics(nn.Module):
    """A state critic of two heads and a trajectory critic, each a logit of P(success)."""

    def __init__(self, state_size: int, width: int = 128) -> None:
        super().__init__()
        self.states = nn.ModuleList([_head(state_size, width) for _ in range(2)])
        self.start = _head(state_size, width)

    def state(self, encoded: Tensor) -> tuple[Tensor, Tensor]:
        """[B, T, D] -> the logits of the two heads, [B, T] each; their minimum bootstraps."""
        one, two = (head(encoded).squeeze(-1) for head in self.states)
        return one, two

    def trajectory(self, encoded_start: Tensor) -> Tensor:
        """[B, D], encodings of (task, s_0) -> [B] logits of V_traj, which labels and retains episodes."""
        logits: Tensor = self.start(encoded_start).squeeze(-1)
        return logits


def _head(state_size: int, width: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(state_size, width), nn.ReLU(), nn.Linear(width, 1))
