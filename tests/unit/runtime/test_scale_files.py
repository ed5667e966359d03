"""The files in ``deploy/scale``: they are valid, and give each of their shards to exactly one job."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import kubernetes_validate  # type: ignore[import-untyped]
import pytest
import yaml

FOLDER = Path(__file__).parents[3] / "deploy" / "scale"
DOCUMENTS: list[dict[str, Any]] = list(yaml.safe_load_all((FOLDER / "job.yaml").read_text("utf-8")))
JOB = next(each for each in DOCUMENTS if each["metadata"]["name"] == "farm-run")
WORKFLOW: dict[str, Any] = yaml.safe_load((FOLDER / "github.yml").read_text("utf-8"))


@pytest.fixture
def farm(tmp_path: Path) -> Path:
    """A folder with a stand-in for ``farm`` that prints its words as JSON."""
    folder = tmp_path / "bin"
    folder.mkdir()
    stub = folder / "farm"
    stub.write_text("#!/usr/bin/env python3\nimport json, sys\nprint(json.dumps(sys.argv[1:]))\n", "utf-8")
    stub.chmod(0o755)
    return folder


def words(command: list[str], farm: Path, folder: Path, **environment: str) -> list[str]:
    """Run a script whose ``farm`` is the stand-in, and return the words that it was given."""
    given = {"PATH": f"{farm}{os.pathsep}{os.environ['PATH']}", **environment}
    done = subprocess.run(command, cwd=folder, env=given, capture_output=True, text=True, check=True)
    found: list[str] = json.loads(done.stdout)
    return found


def option(given: list[str], name: str) -> str:
    return given[given.index(name) + 1]


def job_words(farm: Path, folder: Path, index: int) -> list[str]:
    (container,) = JOB["spec"]["template"]["spec"]["containers"]
    variables = {each["name"]: each["value"] for each in container["env"]}
    return words(
        container["command"], farm, folder, **variables | {"RUNS": str(folder), "JOB_COMPLETION_INDEX": str(index)}
    )


def array_words(farm: Path, folder: Path, task: int, first: int, last: int, *more: str) -> list[str]:
    array = {"ID": task, "MIN": first, "MAX": last, "COUNT": last - first + 1}
    return words(
        ["bash", str(FOLDER / "slurm.sh"), "demo", "llm:a model", *more],
        farm,
        folder,
        **{f"SLURM_ARRAY_TASK_{name}": str(number) for name, number in array.items()},
    )


def test_every_document_fits_the_schema_of_its_kind() -> None:
    for each in DOCUMENTS:
        kubernetes_validate.validate(each, kubernetes_validate.latest_version(), strict=True)


def test_each_completion_of_the_job_runs_one_shard_into_a_folder_of_its_own(farm: Path, tmp_path: Path) -> None:
    count = JOB["spec"]["completions"]
    given = [job_words(farm, tmp_path, index) for index in range(count)]

    assert [option(each, "--shard") for each in given] == [f"{number}/{count}" for number in range(1, count + 1)]
    assert len({option(each, "--out") for each in given}) == count
    assert all(each[:2] == ["run", "demo"] and "--resume" not in each for each in given)


def test_a_pod_that_comes_back_goes_on_with_its_shard(farm: Path, tmp_path: Path) -> None:
    folder = Path(option(job_words(farm, tmp_path, 3), "--out"))
    folder.mkdir()
    (folder / "run.json").touch()

    assert job_words(farm, tmp_path, 3)[-1] == "--resume"
    assert "--resume" not in job_words(farm, tmp_path, 4)


def test_the_merge_reads_the_folders_that_the_shards_write(farm: Path, tmp_path: Path) -> None:
    merging = next(each for each in DOCUMENTS if each["metadata"]["name"] == "farm-merge")
    (container,) = merging["spec"]["template"]["spec"]["containers"]
    for index in range(2):
        Path(option(job_words(farm, tmp_path, index), "--out")).mkdir()

    command = [each.replace("/runs", str(tmp_path)) for each in container["command"]]
    given = words(command, farm, tmp_path)

    assert given == ["merge", f"{tmp_path}/shard-0", f"{tmp_path}/shard-1", "--out", f"{tmp_path}/whole"]


def test_the_array_script_is_valid() -> None:
    subprocess.run(["bash", "-n", str(FOLDER / "slurm.sh")], check=True)


@pytest.mark.parametrize(("first", "last"), [(1, 4), (0, 3), (1, 1)])
def test_each_task_of_an_array_runs_one_shard(farm: Path, tmp_path: Path, first: int, last: int) -> None:
    count = last - first + 1
    given = [array_words(farm, tmp_path, task, first, last, "-k", "3") for task in range(first, last + 1)]

    assert [option(each, "--shard") for each in given] == [f"{number}/{count}" for number in range(1, count + 1)]
    assert len({option(each, "--out") for each in given}) == count
    assert all((option(each, "--agent"), option(each, "-k")) == ("llm:a model", "3") for each in given)


def test_a_task_that_is_requeued_goes_on_with_its_shard(farm: Path, tmp_path: Path) -> None:
    folder = tmp_path / option(array_words(farm, tmp_path, 2, 1, 4), "--out")
    folder.mkdir(parents=True)
    (folder / "run.json").touch()

    assert array_words(farm, tmp_path, 2, 1, 4)[-1] == "--resume"


def test_an_array_with_gaps_is_refused(tmp_path: Path) -> None:
    array = {"ID": "1", "MIN": "1", "MAX": "9", "COUNT": "2"}
    environment = {"PATH": os.environ["PATH"], **{f"SLURM_ARRAY_TASK_{name}": each for name, each in array.items()}}

    for words, said in ((("demo", "oracle"), "the array has gaps: 2 tasks from 1 to 9"), (("demo",), "usage: sbatch")):
        done = subprocess.run(
            ["bash", str(FOLDER / "slurm.sh"), *words], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 2
        assert said in done.stderr


def test_the_matrix_has_each_shard_once() -> None:
    matrix = WORKFLOW["jobs"]["shard"]["strategy"]["matrix"]["shard"]

    assert matrix == list(range(1, WORKFLOW["env"]["SHARDS"] + 1))
    assert WORKFLOW["jobs"]["report"]["needs"] == "shard"
