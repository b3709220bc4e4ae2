"""The documents: each page of the guide answers its questions, links lead somewhere, code is that of the examples, sizes hold."""

import json
import pathlib
import re
import tempfile
import unittest

from links import dead_links, documents, links, read, without_code

ROOT = pathlib.Path(__file__).resolve().parents[2]
GUIDE = ROOT / "docs/guide"
QUESTIONS = ROOT / "tests/docs/questions"
PAGES = {page.stem: page for page in GUIDE.glob("*.md") if page.stem != "README"} | {"README": ROOT / "README.md"}
NOT_COUNTED = ("LICENSE", "CHANGELOG", "SPEC")
# All documents together, and on top a page of each layer that came since that was agreed.
WORDS, WORDS_OF_NEW_LAYER, NEW_LAYERS = 55_000, 1_500, ("tasks", "multi-block", "ranks")


def plain(text):
    """Without marks of code and emphasis, escapes and line breaks."""
    return re.sub(r"\s+", " ", re.sub(r"[`*]", "", text).replace("\\", ""))


class Questions(unittest.TestCase):
    def test_each_page_has_ten_and_three_ask_what_happens(self):
        self.assertEqual({path.stem for path in QUESTIONS.glob("*.json")}, set(PAGES))
        for path in QUESTIONS.glob("*.json"):
            with self.subTest(page=path.stem):
                asked = json.loads(read(path))
                self.assertEqual(len({each["question"] for each in asked}), 10)
                self.assertGreaterEqual(sum(each["question"].startswith("What happens if ") for each in asked), 3)
                self.assertTrue(all(each["answer"] and each["words"] for each in asked))

    def test_each_page_has_the_words_of_its_answers(self):
        for name, page in PAGES.items():
            text = plain(read(page))
            for each in json.loads(read(QUESTIONS / f"{name}.json")):
                for words in each["words"]:
                    with self.subTest(page=name, question=each["question"]):
                        self.assertIn(plain(words), text)


class Guide(unittest.TestCase):
    def test_each_page_has_its_parts_in_order(self):
        for name, page in PAGES.items():
            if name != "README":
                with self.subTest(page=name):
                    parts = re.findall(r"^## (.*)$", without_code(read(page)), re.MULTILINE)
                    self.assertIn(parts, (["How to", "Reference", "Decisions"], ["How to", "Reference"]))

    def test_each_page_is_listed(self):
        text = read(GUIDE / "README.md")
        for name in set(PAGES) - {"README"}:
            self.assertIn(f"]({name}.md)", text)

    def test_words_of_the_index_stand_on_their_pages(self):
        rows = re.findall(r"^\| (.*) \| \[.*\]\(([\w.-]+)(?:#[\w-]+)?\).* \|$", read(GUIDE / "README.md").split("## Index")[1], re.MULTILINE)
        self.assertGreater(len(rows), 30)
        for words, page in rows:
            text = plain(read(GUIDE / page)).lower()
            for word in words.split(", "):
                with self.subTest(word=word, page=page):
                    self.assertIn(plain(word).lower(), text)


class Links(unittest.TestCase):
    def test_each_leads_to_a_file_and_a_heading(self):
        self.assertEqual(list(dead_links(ROOT)), [])
        self.assertGreater(sum(len(links(read(path))) for path in documents(ROOT)), 200)

    def test_a_dead_one_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve()
            (root / "a.md").write_text("# One\n[b](b.md), [c](c.md#two), [d](c.md#one), [e](#three), [f](../f.md)\n", encoding="utf-8")
            (root / "c.md").write_text("## One\n", encoding="utf-8")
            self.assertEqual([line.split(": ")[1] for line in dead_links(root)], ["b.md", "c.md#two", "#three", "../f.md"])


class Code(unittest.TestCase):
    """A block behind `<!-- code of FILE -->` stands in FILE, which is compiled and run: line by line, indented as it may be."""

    def test_blocks_stand_in_their_examples(self):
        found = 0
        for path in documents(ROOT):
            for name, block in re.findall(r"<!-- code of (\S+) -->\n+```cpp\n(.*?)```", read(path), re.DOTALL):
                found += 1
                source = [line.strip() for line in read(ROOT / name).splitlines()]
                for part in block.strip().split("\n\n"):
                    lines = [line.strip() for line in part.splitlines()]
                    with self.subTest(page=str(path.relative_to(ROOT)), part=lines[0]):
                        self.assertTrue(any(source[at:at + len(lines)] == lines for at in range(len(source))), part)
        self.assertGreaterEqual(found, 4)

    def test_examples_are_programs_that_tests_run(self):
        built = read(ROOT / "docs/examples/CMakeLists.txt")
        run = read(ROOT / "tests/integration/examples.cmake")
        names = {name for path in documents(ROOT) for name in re.findall(r"<!-- code of (\S+) -->", read(path))}
        for name in names:
            file = name.removeprefix("docs/examples/")
            if file.endswith(".hpp"):  # a program includes it
                users = [path for path in (ROOT / name).parent.glob("*.cpp") if f'"{pathlib.Path(name).name}"' in read(path)]
                file = "|".join(str(path.relative_to(ROOT / "docs/examples")) for path in users)
            targets = re.findall(rf"^\s*\w+\((\S+) (?:{file})\)", built, re.MULTILINE)
            with self.subTest(example=name):
                self.assertTrue(any(target.removeprefix("yoke-") in run for target in targets), targets)


class Sizes(unittest.TestCase):
    def test_readme_results_and_all_together(self):
        self.assertLess(len(read(ROOT / "README.md").splitlines()), 120)
        self.assertLessEqual(len(read(ROOT / "docs/results.md").splitlines()), 350)
        words = sum(len(read(path).split()) for path in documents(ROOT) if not any(name in str(path) for name in NOT_COUNTED))
        self.assertLessEqual(words, WORDS + WORDS_OF_NEW_LAYER * len(NEW_LAYERS))


if __name__ == "__main__":
    unittest.main()
