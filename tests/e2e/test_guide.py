"""docs/organizers.md, typed in as it stands: every command of every shell block, in order."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.e2e.halls import environment, gone, hall

GUIDE = Path(__file__).parents[2] / "docs" / "organizers.md"
BLOCK = re.compile(r"^```(sh|toml)\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.timeout(400)
def test_the_guide_does_what_it_says(tmp_path):
    data = tmp_path / "arena-data"
    blocks = [
        (kind, text.replace("games = 100 ", "games = 2   ").replace("games = 30 ", "games = 3  "))
        for kind, text in BLOCK.findall(GUIDE.read_text(encoding="utf-8"))
    ]
    assert blocks[0] == ("sh", "arena up\n")
    files = ["friday.toml", "cut-throat.toml", "club.toml"]
    lines = ["set -e", "trap 'kill $(jobs -p)' EXIT"]
    with hall(data) as arena:
        for kind, text in blocks[1:]:
            if kind == "toml":
                text = f"cat > {files.pop(0)} <<'END'\n{text}END\n"
            if "--id second-night" in text:  # to be paused and cancelled before it is over
                lines.append("sed -i 's/games = 2 /games = 9000 /' friday.toml")
            text = text.replace("127.0.0.1:7600", arena.at["referee"])
            lines.append(text.replace("127.0.0.1:7601", arena.at["admin"]))
        done = subprocess.run(
            ["bash", "-c", "\n".join(lines)],
            cwd=tmp_path,
            env=environment(data),
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert arena.stop() == 0
    gone(data)
    for shown in (
        "good: Friday night, 3 entrants, 3 matches, 6 games",
        "friday-night\n",
        "second-night is cancelled",
        "the hall is closed",
        "ratings over duplicate pairs",
        "deals verified",
        "3 results and 3 records",
        "good: Cut-throat, 3 entrants, 3 matches, 9 games",
        "games finished ahead and behind",
        "good: Club night, 5 entrants, 5 matches, 100 games",
        "per deal",
    ):
        assert shown in done.stdout, done.stdout
    assert (tmp_path / "friday-night" / "crosstable.csv").exists()


def test_the_keys_of_the_guides_file_are_all_there_are():
    import tomllib

    from arena.tournament import SpecError, parse

    blocks = (text for kind, text in BLOCK.findall(GUIDE.read_text("utf-8")) if kind == "toml")
    text = next(blocks)
    spec = parse(text)
    assert spec.clock == parse('name = "n"\n[entrants]\nbots = ["a", "b"]\n').clock
    for table, keys in tomllib.loads(text).items():
        if isinstance(keys, dict) and table != "options":
            with pytest.raises(SpecError) as refused:
                parse(text.replace(f"[{table}]", f"[{table}]\nno_such_key = 1", 1))
            known = set(re.findall(r"\w+", str(refused.value).partition("; there are ")[2]))
            if known:
                assert set(keys) <= known
                missing = known - set(keys)
                assert missing <= {
                    "best_of", "deals", "rubber", "stake_per_point", "stake_per_trick", "skunk",
                    "secret_seed", "revoke_lone", "rounds",
                }  # fmt: skip  # a list of words
