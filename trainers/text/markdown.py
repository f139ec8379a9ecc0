"""Tables as Markdown that also reads well in a terminal."""

from collections.abc import Sequence


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table with the first column flush left and the others flush right.

    >>> print(markdown_table(["graph", "nodes"], [["cora", "2,708"]]))
    | graph | nodes |
    |:------|------:|
    | cora  | 2,708 |
    """
    rows = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        first, *others = zip(cells, widths, strict=True)
        padded = [first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)]
        return f"| {' | '.join(padded)} |"

    rule = [f":{'-' * (widths[0] + 1)}", *(f"{'-' * (width + 1)}:" for width in widths[1:])]
    return "\n".join([line(header), f"|{'|'.join(rule)}|", *map(line, rows)])


def paragraphs(*texts: str) -> str:
    """Markdown of these paragraphs, without the empty ones."""
    return "\n\n".join(text for text in texts if text)
