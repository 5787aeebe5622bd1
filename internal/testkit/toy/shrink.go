package toy

// Shrink makes a program that has too many states smaller: it takes away a message of the start, a round, or a fault. It reports whether it did.
func (p *Protocol) Shrink() bool {
	const messages = 2
	switch {
	case len(p.Mail) > messages:
		p.Mail = p.Mail[:len(p.Mail)-1]
	case p.Clocks.Rounds > 1:
		p.Clocks.Rounds--
	case len(p.Faults) > 1:
		p.Faults = p.Faults[1:]
	case len(p.Mail) > 1:
		p.Mail = p.Mail[:1]
	default:
		return false
	}
	p.program = nil
	return true
}
