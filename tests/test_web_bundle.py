"""The page's scripts and styles are joined into one each, in their order, and named by what is in them."""

import shutil
import subprocess

import pytest

from linesies.web.bundle import STATIC, BadModule, joined_modules, make_bundle

NODE = shutil.which("node")


@pytest.fixture
def folder(tmp_path):
    """A folder of modules that a test writes: path -> text."""

    def written(modules):
        for path, text in modules.items():
            (tmp_path / path).parent.mkdir(exist_ok=True)
            (tmp_path / path).write_text(text)
        return tmp_path

    return written


def said_by(script):
    told = subprocess.run([NODE, "--input-type=module"], input=script, capture_output=True, text=True, check=True)
    return told.stdout


@pytest.mark.skipif(NODE is None, reason="no node on this machine")
def test_joined_modules_do_what_they_did_apart(folder):
    where = folder(
        {
            "main.js": (
                'import { half as part, whole } from "./lib/it.js";\nimport told from "./told.js";\n'
                "const twice = whole * 2;\nconsole.log(told.word, part(twice));\n"
            ),
            "lib/it.js": (
                'import told from "../told.js";\n// a remark\nexport const whole = 21 * told.word.length;\n'
                "export function half(value) {\n  return value / 2;\n}\n"
            ),
            "told.js": 'export default { word: "ab" };\n',
        }
    )
    apart, joined = f'import "{where}/main.js";', joined_modules(where, "main.js")
    assert said_by(apart) == said_by(joined) == "ab 42\n"


@pytest.mark.skipif(NODE is None, reason="no node on this machine")
def test_the_page_modules_of_the_games_are_joined_as_each_game_names_its_own(folder):
    where = folder(
        {
            "main.js": 'import house from "./house.js";\nconsole.log(house.chess.pieces + house.go.pieces);\n',
            "games/chess.js": "export default { pieces: 32 };\n",
            "games/go.js": "export default { pieces: 361 };\n",
        }
    )
    joined = joined_modules(where, "main.js", house={"chess": "games/chess.js", "go": "games/go.js"})
    assert said_by(joined) == "393\n"


def test_modules_that_need_one_another_are_refused(folder):
    where = folder(
        {
            "main.js": 'import { a } from "./a.js";\n',
            "a.js": 'import { b } from "./b.js";\nexport const a = 1;\n',
            "b.js": 'import { a } from "./a.js";\nexport const b = a;\n',
        }
    )
    with pytest.raises(BadModule, match=r"a\.js imports itself through b\.js"):
        joined_modules(where, "main.js")


@pytest.mark.parametrize("line", ['import * as all from "./a.js";', "export { a };", "export class A {}"])
def test_what_cannot_be_joined_is_refused_and_named(folder, line):
    with pytest.raises(BadModule, match=r"main\.js"):
        joined_modules(folder({"main.js": f"{line}\n"}), "main.js")


def test_a_file_has_another_name_once_something_else_is_in_it(tmp_path):
    changed = shutil.copytree(STATIC, tmp_path / "static")
    (changed / "words_en.js").write_text("export default {};\n")
    before, after = make_bundle(), make_bundle(changed)
    assert after.scripts["en"].name != before.scripts["en"].name
    assert after.scripts["es"] == before.scripts["es"]
    assert (after.style, after.early, after.manifest) == (before.style, before.early, before.manifest)
