/* Lamport's mutual exclusion ("Time, Clocks, and the Ordering of Events in a Distributed System", CACM, 1978) as LamportMutex.java has
 * it: a channel from each process to each other one. What a process does is one d_step in a loop, so that only states between events
 * are stored. Clocks go up to MAXCLOCK. */
#define N 3
#define MAXCLOCK 6

mtype = { Request, Acknowledge, Release };

/* Of a channel at most one message of each kind is on its way. */
chan net[N * N] = [3] of { mtype, byte };
byte clock[N] = 1;
byte requested[N * N]; /* at N*p+q: when q requested, as p knows; 0 for not */
byte acknowledged[N];  /* a bit for each process */
bool critical[N];
hidden byte c;

#define TO(p, q) net[N * (p) + (q)]
#define BEATS(p, q) (q == p || requested[N * p + q] == 0 || requested[N * p + p] < requested[N * p + q] || \
	requested[N * p + p] == requested[N * p + q] && p < q)
#define LATER(a, b) ((a > b -> a : b) + 1)

#define SEND(q, kind, value) if :: q != p -> TO(p, q)!kind, value :: else fi
#define BROADCAST(kind, value) SEND(0, kind, value); SEND(1, kind, value); SEND(2, kind, value)

/* A request stays what it is until it is acknowledged, so its clock is that of its sender's request. */
#define RECEIVE(q) \
	:: d_step { q != p && TO(q, p)?[Request, eval(requested[N * q + q])] && LATER(requested[N * q + q], clock[p]) <= MAXCLOCK -> \
		TO(q, p)?Request, c; requested[N * p + q] = c; clock[p] = LATER(c, clock[p]); TO(p, q)!Acknowledge, 0 } \
	:: d_step { q != p && TO(q, p)?[Acknowledge, 0] -> TO(q, p)?Acknowledge, _; acknowledged[p] = acknowledged[p] | (1 << q) } \
	:: d_step { q != p && TO(q, p)?[Release, 0] -> TO(q, p)?Release, _; requested[N * p + q] = 0 }

active [N] proctype process() {
	byte p = _pid;
end:	do
	:: d_step { requested[N * p + p] == 0 ->
		requested[N * p + p] = clock[p]; acknowledged[p] = 1 << p; BROADCAST(Request, clock[p]) }
	:: d_step { !critical[p] && acknowledged[p] == (1 << N) - 1 && BEATS(p, 0) && BEATS(p, 1) && BEATS(p, 2) ->
		critical[p] = true; assert(critical[0] + critical[1] + critical[2] == 1) }
	:: d_step { critical[p] ->
		critical[p] = false; requested[N * p + p] = 0; acknowledged[p] = 0; BROADCAST(Release, 0) }
	RECEIVE(0)
	RECEIVE(1)
	RECEIVE(2)
	od
}
