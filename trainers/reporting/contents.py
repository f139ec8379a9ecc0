"""The table of contents of a Markdown page."""

from __future__ import annotations

import re


def slug(heading: str) -> str:
    """The address of a heading within its page, as GitHub makes it.

    >>> slug("Table 1: Planetoid's splits")
    'table-1-planetoids-splits'
    """
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def contents(markdown: str) -> str:
    r"""A list of links to the sections of a page.

    >>> print(contents("# Title\n\n## First: a\n\nText.\n\n### Inner\n"))
    - [First: a](#first-a)
    """
    headings = re.findall(r"^## (.+)$", markdown, re.MULTILINE)
    return "\n".join(f"- [{heading}](#{slug(heading)})" for heading in headings)
