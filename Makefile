.DEFAULT_GOAL := help
.PHONY: build demo test bench validate format lint clean help

build: ## the program, its reproductions, studies and FMUs, build/release/flexura
	@scripts/setup build
	@scripts/build flexura_cli flexura_reproduce flexura_study_program flexura_fmu

demo: ## build the program and run the elephant
	@scripts/setup build
	@scripts/build
	@scripts/demo

test: ## what every change must pass; parts: make test PARTS="rooms release"
	@scripts/setup test
	@scripts/test $(PARTS)

bench: ## benchmarks, best of 20, and the same models in other programs
	@scripts/setup bench
	@scripts/bench $(NAMES)

validate: ## everything long: reproductions, peers, sanitizers, fuzzing; writes docs/validation/<date>.md
	@scripts/setup validate
	@scripts/validate $(PARTS)

format: ## format C++ and Python
	@scripts/setup test
	@scripts/format

lint: ## room order, formatting, ruff, clang-tidy
	@scripts/setup test
	@scripts/test rooms format ruff tidy

clean: ## remove build/
	rm -rf build

help: ## this list
	@sed -n 's/^\([a-z]*\): ## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 12
