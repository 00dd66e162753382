"""The description holds: schemathesis asks every address whatever fits it, and what does not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings

from controller.api.openings import API_PAGES, COMMANDS, ROOT
from controller.pit.recall import Archive
from tests.api.serving import running
from tests.api.test_reading import evening
from tests.pit.sample import incident
from tests.recall.dealing import deal

# Streams have no end that could be waited for; the description itself is what the others are held against.
ENDING = [("GET", path) for path in API_PAGES if not path.endswith(("/events", ".json"))] + [("POST", COMMANDS)]
NO_INPUT = ("GET", f"{ROOT}/tables", "unfit")  # it takes nothing that could be unfit
ASKED = [(*one, way) for one in ENDING for way in ("fitting", "unfit") if (*one, way) != NO_INPUT]
EXAMPLES = 10


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Iterator[schemathesis.openapi.OpenApiSchema]:
    journal = deal(tmp_path_factory.mktemp("journal") / "1", evening)
    with running("middle", "face-down", archive=Archive({"1": journal})) as api:
        api.floor.incidents = {"1": (incident("1", 1),)}
        yield schemathesis.openapi.from_url(f"{api.address}/api/v1/openapi.json")


@pytest.mark.parametrize(("method", "path", "fitting"), [pytest.param(*one, id=" ".join(one)) for one in ASKED])
def test_every_answer_is_as_described(described, method: str, path: str, fitting: str):
    """Requirement: schemathesis over the interface: no failure of the server, no answer that is not described."""
    operation = described[path][method]
    mode = schemathesis.GenerationMode.POSITIVE if fitting == "fitting" else schemathesis.GenerationMode.NEGATIVE
    cases = operation.as_strategy(generation_mode=mode)

    @settings(max_examples=EXAMPLES, deadline=None, derandomize=True, database=None, suppress_health_check=HealthCheck)
    @given(case=cases)
    def ask(case: schemathesis.Case) -> None:
        case.call_and_validate()

    ask()
