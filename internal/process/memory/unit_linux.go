package memory

// maxrssUnit is what the system counts resident memory in.
const maxrssUnit = 1024
