"""docs/pages.md shows every page: its list forgets none, and each picture lies beside it."""

from __future__ import annotations

import pytest
from django.conf import settings

from docs.pictures import PICTURES, contents
from docs.screenshots import LOOKS, MAX_BYTES, STATES
from tests.browser.test_every_page import page_names

IMAGES = settings.BASE_DIR / "docs" / "images"
FILES = {file for picture in PICTURES for _look, file in picture.files()}


@pytest.mark.django_db
def test_no_page_is_without_a_picture() -> None:
    assert page_names() - {picture.name for picture in PICTURES} == set()


def test_each_picture_is_named_once_and_taken_in_a_way_that_exists() -> None:
    assert len(FILES) == sum(len(picture.files()) for picture in PICTURES)
    assert {look for picture in PICTURES for look in picture.looks} <= set(LOOKS)
    assert {picture.state for picture in PICTURES} - {"", "stranger"} == set(STATES)


def test_each_picture_lies_in_the_folder_and_none_is_left_over() -> None:
    assert {file.stem for file in IMAGES.glob("*.webp")} == FILES
    assert {file.suffix for file in IMAGES.iterdir()} == {".webp"}
    assert max(file.stat().st_size for file in IMAGES.iterdir()) <= MAX_BYTES


def test_the_page_of_pictures_is_written_from_the_list() -> None:
    assert (settings.BASE_DIR / "docs" / "pages.md").read_text(encoding="utf-8") == contents()
