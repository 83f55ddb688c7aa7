# Needs Python 3.11 or newer (with venv), make and git. Everything else goes into .venv.
#
#   make demo               train on 16 drawn phones, write runs/demo/report.html    (QUICK=1: three minutes at most)
#   make test               what every change must pass
#   make test-long          the slow rest
#   make lint               formatting, lint, types, import layers
#
# PyPI's torch for Linux brings several GB of CUDA. On a machine without an NVIDIA GPU take the CPU build instead:
#   make demo TORCH_INDEX=https://download.pytorch.org/whl/cpu

PYTHON ?= $(shell command -v python3.11 || command -v python3)
TORCH_INDEX ?=
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
CHECKED := distrl_sdk plugins tests benchmarks examples
READY := .venv/installed

export TORCH_INDEX

.PHONY: demo test test-long lint clean
.DELETE_ON_ERROR:

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "distrl-sdk needs Python 3.11 or newer: make PYTHON=...")'
	$(PYTHON) -m venv .venv
	$(PIP) install --quiet -e '.[dev]' -c constraints.txt $(if $(TORCH_INDEX),--extra-index-url $(TORCH_INDEX))
	touch $@

demo: $(READY)
	$(BIN)/distrl train --name demo --config examples/$(if $(QUICK),quick,demo).yaml

lint: $(READY)
	$(BIN)/ruff format --check $(CHECKED)
	$(BIN)/ruff check $(CHECKED)
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint
	$(BIN)/pytest -n 2 --dist loadscope -m 'not long'

test-long: $(READY)
	$(BIN)/pytest -m long

clean:
	rm -rf .venv build dist
