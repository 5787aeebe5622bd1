/*
 * examples/prevote. Spin's weak fairness is that of processes, harrier's of messages and internal events: so each of them
 * is a process. The nodes are 0 and 1, and the wish of n is on its way to the other one.
 *
 * YIELDS is defined before.
 */
#define FOLLOWER 0
#define ASKING 1
#define LEADER 2

#define NONE 0
#define NO 1
#define YES 2

byte role[2];
bit granted[2];
bit wish[2];
byte answer[2]; /* by who gets it */

proctype ask(byte n) {
	do
	:: d_step { role[n] == FOLLOWER && !granted[n] -> role[n] = ASKING; wish[n] = 1 }
	od
}

proctype on_may_i(byte n) {
	do
	:: d_step {
		wish[1 - n] ->
		wish[1 - n] = 0;
		granted[n] = (role[n] == FOLLOWER || (YIELDS && role[n] == ASKING && n == 0));
		answer[1 - n] = (granted[n] -> YES : NO)
	   }
	od
}

proctype on_answer(byte n) {
	do
	:: d_step {
		answer[n] != NONE ->
		role[n] = (answer[n] == YES && !granted[n] -> LEADER : FOLLOWER);
		answer[n] = NONE
	   }
	od
}

init {
	atomic {
		run ask(0); run ask(1);
		run on_may_i(0); run on_may_i(1);
		run on_answer(0); run on_answer(1)
	}
}

ltl property { <> (role[0] == LEADER || role[1] == LEADER) }
