"""Stands in for tabulate where it is not installed: rows as aligned columns (torch.fx prints its table through it)."""


def tabulate(rows, headers=(), **_):
    """The rows as text."""
    table = [[str(cell) for cell in row] for row in rows]
    head = [str(cell) for cell in headers]
    columns = max([len(row) for row in table] + [len(head)] + [0])
    widths = [max([len(row[i]) for row in table + [head] if i < len(row)] + [0]) for i in range(columns)]

    def line(row):
        return "  ".join(cell.ljust(widths[i]) for i, cell in enumerate(row)).rstrip()

    top = [line(head), "  ".join("-" * width for width in widths)] if head else []
    return "\n".join(top + [line(row) for row in table])
