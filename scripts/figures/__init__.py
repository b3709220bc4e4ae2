"""Tables and figures of the documents, each a function of the committed data; used by results.py.

A ratio is made by `over` only, which refuses two programs that did not run the same benchmark and class.
"""

from figures import choices, company, cpus, gpus, h200, paper, simulation, sources  # noqa: F401 - their figures enter FIGURES
from figures.cpus import against_fortran, class_of
from figures.data import FIGURES, Data, Measured, Unlike, over, rate
from figures.h200 import plot_of_loops_by_hand
from figures.headlines import picture, plot_of_class_d
from figures.sources import without_commit

__all__ = ["FIGURES", "Data", "Measured", "Unlike", "against_fortran", "class_of", "over", "picture", "plot_of_class_d", "plot_of_loops_by_hand", "rate",
           "without_commit"]
