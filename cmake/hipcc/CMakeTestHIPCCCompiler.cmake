# Nothing to try out: the first kernel file says more than a test could.
set(CMAKE_HIPCC_COMPILER_WORKS TRUE)
