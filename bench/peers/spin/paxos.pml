/*
 * Single-decree Paxos as in examples/paxos, without the fields that harrier finds auxiliary.
 *
 * Each actor is a process that waits in one loop. What it does with a message is one d_step, so the states
 * that Spin stores are those between events. All variables start with their values, so there is no step
 * before the first event.
 *
 * A proposer has one ballot, so no message is sent twice, and there is a byte for each that a run can ever
 * send. 0 is no message. Ballots are 1 and up, a value is the number of the proposer that has it, from 1.
 *
 * PROPOSERS, ACCEPTORS and LEARNERS are set with -D.
 */
#if PROPOSERS > 3 || ACCEPTORS > 5
#error there are options for 3 proposers and 5 acceptors
#endif

#define MAJORITY (ACCEPTORS / 2 + 1)

/* Processes are numbered in the order of their declarations. */
#define PROPOSER _pid
#define ACCEPTOR (_pid - PROPOSERS)
#define LEARNER (_pid - PROPOSERS - ACCEPTORS)

/* The ballot of a proposer, which is the number of its own value too. */
#define BALLOT(proposer) ((proposer) + 1)

/* Places of messages between a proposer and an acceptor, and from an acceptor to a learner. */
#define LINK(proposer, acceptor) ((proposer) * ACCEPTORS + (acceptor))
#define VOTE(acceptor, learner, proposer) (((acceptor) * LEARNERS + (learner)) * PROPOSERS + (proposer))

/* A promise with the ballot that is accepted and its value. */
#define PROMISE(ballot, value) (1 + ((ballot) << 3) + (value))
#define ACCEPTED(promise) (((promise) - 1) >> 3)
#define VALUE(promise) (((promise) - 1) & 7)

bit prepares[PROPOSERS * ACCEPTORS] = 1; /* sent by the proposers' start() */
byte promises[PROPOSERS * ACCEPTORS];
byte accepts[PROPOSERS * ACCEPTORS];            /* the value */
byte votes[ACCEPTORS * LEARNERS * PROPOSERS];   /* the value */
byte learned[LEARNERS];                         /* a bit for each value */

/* Of one step, not of the state. */
hidden byte i;
hidden byte content;

/* What a process does with a message, for one that may send it. */

#define ON_PREPARE(proposer) \
	:: d_step { \
		prepares[LINK(proposer, ACCEPTOR)] -> \
		prepares[LINK(proposer, ACCEPTOR)] = 0; \
		if \
		:: BALLOT(proposer) > promised -> \
			promised = BALLOT(proposer); \
			promises[LINK(proposer, ACCEPTOR)] = PROMISE(accepted, value) \
		:: else \
		fi \
	}

#define ON_PROMISE(acceptor) \
	:: d_step { \
		promises[LINK(PROPOSER, acceptor)] -> \
		content = promises[LINK(PROPOSER, acceptor)]; \
		promises[LINK(PROPOSER, acceptor)] = 0; \
		if \
		:: promised < MAJORITY -> \
			promised++; \
			if \
			:: ACCEPTED(content) > highest -> highest = ACCEPTED(content); value = VALUE(content) \
			:: else \
			fi; \
			if \
			:: promised == MAJORITY -> \
				for (i : 0 .. ACCEPTORS - 1) { accepts[LINK(PROPOSER, i)] = value } \
			:: else \
			fi \
		:: else /* it comes too late to matter */ \
		fi \
	}

#define ON_ACCEPT(proposer) \
	:: d_step { \
		accepts[LINK(proposer, ACCEPTOR)] -> \
		content = accepts[LINK(proposer, ACCEPTOR)]; \
		accepts[LINK(proposer, ACCEPTOR)] = 0; \
		if \
		:: BALLOT(proposer) >= promised -> \
			if \
			:: BALLOT(proposer) > accepted -> accepted = BALLOT(proposer); value = content \
			:: else \
			fi; \
			for (i : 0 .. LEARNERS - 1) { votes[VOTE(ACCEPTOR, i, proposer)] = content } \
		:: else \
		fi \
	}

#define ON_VOTE(acceptor, proposer) \
	:: d_step { \
		votes[VOTE(acceptor, LEARNER, proposer)] -> \
		content = votes[VOTE(acceptor, LEARNER, proposer)]; \
		votes[VOTE(acceptor, LEARNER, proposer)] = 0; \
		count[proposer]++; \
		if \
		:: count[proposer] >= MAJORITY -> \
			learned[LEARNER] = learned[LEARNER] | (1 << content); \
			content = 0; \
			for (i : 0 .. LEARNERS - 1) { content = content | learned[i] } \
			assert((content & (content - 1)) == 0) /* no two different values are learned */ \
		:: else \
		fi \
	}

/* An option for each proposer, for each acceptor, and for both. */

#if PROPOSERS == 1
#define EACH_PROPOSER(option) option(0)
#define EACH_VOTE_OF(acceptor) ON_VOTE(acceptor, 0)
#elif PROPOSERS == 2
#define EACH_PROPOSER(option) option(0) option(1)
#define EACH_VOTE_OF(acceptor) ON_VOTE(acceptor, 0) ON_VOTE(acceptor, 1)
#else
#define EACH_PROPOSER(option) option(0) option(1) option(2)
#define EACH_VOTE_OF(acceptor) ON_VOTE(acceptor, 0) ON_VOTE(acceptor, 1) ON_VOTE(acceptor, 2)
#endif

#if ACCEPTORS == 1
#define EACH_ACCEPTOR(option) option(0)
#elif ACCEPTORS == 2
#define EACH_ACCEPTOR(option) option(0) option(1)
#elif ACCEPTORS == 3
#define EACH_ACCEPTOR(option) option(0) option(1) option(2)
#elif ACCEPTORS == 4
#define EACH_ACCEPTOR(option) option(0) option(1) option(2) option(3)
#else
#define EACH_ACCEPTOR(option) option(0) option(1) option(2) option(3) option(4)
#endif

active [PROPOSERS] proctype proposer() {
	byte promised; /* how many acceptors */
	byte highest;
	byte value = PROPOSER + 1;
end:	do
	EACH_ACCEPTOR(ON_PROMISE)
	od
}

active [ACCEPTORS] proctype acceptor() {
	byte promised;
	byte accepted;
	byte value;
end:	do
	EACH_PROPOSER(ON_PREPARE)
	EACH_PROPOSER(ON_ACCEPT)
	od
}

active [LEARNERS] proctype learner() {
	byte count[PROPOSERS]; /* of the acceptors that accepted a proposer's ballot */
end:	do
	EACH_ACCEPTOR(EACH_VOTE_OF)
	od
}
