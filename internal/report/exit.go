package report

// The exit codes of harrier's commands. A comparison ends with ExitViolated if runs of one program disagree.
const (
	ExitVerified = iota
	ExitViolated
	ExitUsage
	ExitInconclusive
	ExitRule           // the program broke a rule
	ExitInternal       // harrier broke down
	ExitSignal   = 128 // and the number of the signal that ended it
)
