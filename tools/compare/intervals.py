"""Means and how well they are known."""
import math

# Student's t, two-sided, 95%, by degrees of freedom.
T = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110,
     2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042]
T_OF_MANY = 1.96
MOST_RUNS = 1000


def t_of(freedom):
    return T[freedom - 1] if freedom <= len(T) else T_OF_MANY


def mean(values):
    return sum(values) / len(values)


def deviation(values):
    """Of the values around their mean; 0 of one."""
    middle = mean(values)
    # math.dist squares nothing that is too large or small for it.
    return math.dist(values, [middle] * len(values)) / math.sqrt(len(values) - 1) if len(values) > 1 else 0.0


def half_width(values):
    """Of the 95% confidence interval of the mean; infinite for one value."""
    if len(values) < 2:
        return math.inf
    return t_of(len(values) - 1) * deviation(values) / math.sqrt(len(values))


def relative(values):
    return half_width(values) / abs(mean(values))


def runs_needed(values, accuracy, least):
    """How many values would be enough, if they go on varying like these."""
    if len(values) < 2:
        return least
    spread = deviation(values) / abs(mean(values))
    runs = max(least, 2)
    while runs < MOST_RUNS and t_of(runs - 1) * spread / math.sqrt(runs) > accuracy:
        runs += 1
    return runs
