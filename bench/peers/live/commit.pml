/*
 * examples/commit-live without what harrier finds auxiliary: what was voted and decided, and by whom. Votes in flight are
 * then a number. What a coordinator that has stopped keeps, and what is sent to it, is forgotten, as harrier has it.
 *
 * A manager has one message at a time, so that it is a process, and fairness of processes is that of messages.
 *
 * SIZE is how many managers there are, and STOPS whether the coordinator may stop; both are defined before, and so is
 * ALL(p), p(0) && p(1) ... for all managers.
 */
bit prepared[SIZE];
bit told[SIZE]; /* whether the decision is on its way */
bit decided[SIZE];
byte votes, counted;
bit stopped;
byte i;

proctype manager(byte m) {
	do
	:: d_step { !prepared[m] -> prepared[m] = 1; votes = (stopped -> 0 : votes + 1) }
	:: d_step { told[m] -> told[m] = 0; decided[m] = 1 }
	od
}

proctype coordinator() {
	do
	:: d_step {
		votes > 0 ->
		votes--;
		counted++;
		if
		:: counted == SIZE -> for (i : 0 .. SIZE - 1) { told[i] = 1 }; i = 0
		:: else
		fi
	   }
	od
}

/* It may also do nothing, as faults need not happen. */
proctype fault() {
	do
	:: d_step { !stopped -> stopped = 1; votes = 0; counted = 0 }
	:: i = 0
	od
}

init {
	atomic {
		run coordinator();
		for (i : 0 .. SIZE - 1) { run manager(i) };
		i = 0;
		if
		:: STOPS -> run fault()
		:: else
		fi
	}
}

#define DECIDED(m) (<> decided[m])

ltl property { ALL(DECIDED) }
