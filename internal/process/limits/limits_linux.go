package limits

import "C" // for limits_linux.c, which the C library runs before Go's runtime starts
