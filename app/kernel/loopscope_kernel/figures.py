"""The backend of matplotlib in a cell: figures are drawn in memory, show() puts them below the cell at its place."""
import base64
import io

from matplotlib._pylab_helpers import Gcf
from matplotlib.backend_bases import FigureManagerBase
from matplotlib.backends.backend_agg import FigureCanvasAgg

RESOLUTION = 110


class FigureCanvas(FigureCanvasAgg):
    """Memory."""


class FigureManager(FigureManagerBase):
    """What figure.show() asks."""

    def show(self):
        """Shows this figure below the cell and closes it."""
        from . import shows

        shows.put(picture(self.canvas.figure, self.num))
        Gcf.destroy(self)


FigureCanvas.manager_class = FigureManager


def new_figure_manager_given_figure(number, figure):
    """pyplot.figure()."""
    return FigureManager(FigureCanvas(figure), number)


def new_figure_manager(number, *args, FigureClass=None, **options):
    """pyplot.figure(), for matplotlib before 3.6."""
    from matplotlib.figure import Figure

    return new_figure_manager_given_figure(number, (FigureClass or Figure)(*args, **options))


def show(*_args, **_options):
    """Shows all open figures, in the order of their numbers, and closes them."""
    for manager in Gcf.get_all_fig_managers():
        manager.show()


def words_of(figure):
    """What a figure says of itself: titles and labels, for those who do not see it."""
    words = []
    for axes in figure.axes:
        words += [axes.get_title(), axes.get_xlabel(), axes.get_ylabel()]
        words += [line.get_label() for line in axes.get_lines() if not line.get_label().startswith("_")]
    return ", ".join(word for word in words if word)


def picture(figure, number=0):
    """A figure as a description; pyplot's figures have numbers."""
    data = io.BytesIO()
    figure.savefig(data, format="png", dpi=RESOLUTION, bbox_inches="tight")
    words, title = words_of(figure), f"Figure {number}" if number else "Figure"
    return {"kind": "picture", "title": f"{title}: {words}" if words else title, "figure": int(number), "words": words,
            "png": base64.b64encode(data.getvalue()).decode(), "text": ""}


def close(figure):
    """A figure that was shown as a value is not shown again at the end of the cell."""
    for number, manager in list(Gcf.figs.items()):
        if manager.canvas.figure is figure:
            Gcf.destroy(number)
