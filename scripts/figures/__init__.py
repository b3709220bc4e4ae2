"""Tables and figures of the documents, each a function of the committed data; used by results.py.

A ratio is made by `over` only, which refuses two programs that did not run the same benchmark and class.
"""

from figures import choices, company, cpus, gpus, h200, paper, simulation, sources  # noqa: F401 - their figures enter FIGURES
from figures.cpus import against_fortran, class_of
from figures.data import FIGURES, Data, Measured, Unlike, over, rate
from figures.h200 import plot_of_loops_by_hand, plot_of_slices
from figures.headlines import plot_of_class_d

__all__ = ["FIGURES", "Data", "Measured", "Unlike", "against_fortran", "class_of", "over", "plot_of_class_d", "plot_of_loops_by_hand", "plot_of_slices",
           "rate"]
