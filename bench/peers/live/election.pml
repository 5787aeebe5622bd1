/*
 * examples/election. Spin's weak fairness is that of processes, harrier's of messages and timers: so each message, by its
 * content and its receiver, is received by a process of its own. Channels are sets: receiving takes a message out, and a
 * fault leaves it in.
 *
 * Nodes are 1 to SIZE. Only the name of node SIZE is ever told as that of the leader. SIZE, and LOSSY, whether channels
 * lose messages, are defined before, and so are EACH(p), p(0) p(1) ... for all nodes counted from 0, SQUARE(p), the same
 * for SIZE * SIZE, and ALL(p), EACH with && between them.
 */
#define AFTER(n) ((n) % SIZE + 1)
#define PLACE(id, n) (((n) - 1) * SIZE + (id) - 1)

byte leader[SIZE + 1];
bit timer[SIZE + 1];
bit candidate[SIZE * SIZE]; /* by id and receiver */
bit elected[SIZE + 1];      /* by receiver */

inline on_candidate(id, n) {
	if
	:: id == n && leader[n] == 0 -> assert(id == SIZE); leader[n] = id
	:: else
	fi;
	if
	:: leader[n] == n -> elected[AFTER(n)] = 1
	:: leader[n] != n && (id > n || leader[n] != 0) -> candidate[PLACE(id, AFTER(n))] = 1
	:: else
	fi
}

inline on_elected(n) {
	leader[n] = SIZE;
	if
	:: n != SIZE -> elected[AFTER(n)] = 1
	:: else
	fi
}

proctype receive_candidate(byte id; byte n) {
	do
	:: d_step { candidate[PLACE(id, n)] -> candidate[PLACE(id, n)] = 0; on_candidate(id, n) }
	od
}

proctype receive_elected(byte n) {
	do
	:: d_step { elected[n] -> elected[n] = 0; on_elected(n) }
	od
}

proctype again(byte n) {
	do
	:: d_step {
		timer[n] ->
		if
		:: leader[n] == 0 -> candidate[PLACE(n, AFTER(n))] = 1
		:: else -> timer[n] = 0
		fi
	   }
	od
}

#define FAULTS(place) \
	:: d_step { candidate[place] -> on_candidate((place) % SIZE + 1, (place) / SIZE + 1) } \
	:: d_step { LOSSY && candidate[place] -> candidate[place] = 0 }

#define FAULTS_OF_ELECTED(place) \
	:: d_step { elected[(place) + 1] -> on_elected(((place) + 1)) } \
	:: d_step { LOSSY && elected[(place) + 1] -> elected[(place) + 1] = 0 }

/* It may also do nothing, as faults need not happen. */
proctype fault() {
	do
	:: leader[0] = 0 /* which is nobody's */
	SQUARE(FAULTS)
	EACH(FAULTS_OF_ELECTED)
	od
}

init {
	byte id, n;
	atomic {
		run fault();
		for (n : 1 .. SIZE) {
			timer[n] = 1;
			candidate[PLACE(n, AFTER(n))] = 1;
			run again(n);
			run receive_elected(n);
			for (id : 1 .. SIZE) { run receive_candidate(id, n) }
		};
		n = 0;
		id = 0
	}
}

#define KNOWS(place) (leader[(place) + 1] != 0)

ltl property { <> (ALL(KNOWS)) }
