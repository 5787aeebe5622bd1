/*
 * live/Service.java. Spin's weak fairness is that of processes, harrier's of messages and internal events: so each request
 * is received by a process of its own. A client asks or is answered, never both, and is one process.
 *
 * SIZE is how many clients there are, and FORGETS whether the server forgets who asks while it is busy; both are
 * defined before, and so is ALL(p), p(0) && p(1) ... for all clients.
 */
bit waiting[SIZE];
bit request[SIZE];
bit answer[SIZE];
byte queue[SIZE]; /* 0 in what is not used */
byte length;
bit up;
byte i;

proctype client(byte c) {
	do
	:: d_step { !waiting[c] -> waiting[c] = 1; request[c] = 1 }
	:: d_step { answer[c] -> answer[c] = 0; waiting[c] = 0 }
	od
}

proctype on_request(byte c) {
	do
	:: d_step {
		request[c] ->
		request[c] = 0;
		if
		:: !FORGETS || length == 0 -> queue[length] = c; length++
		:: else
		fi
	   }
	od
}

proctype finish() {
	do
	:: d_step {
		length > 0 ->
		answer[queue[0]] = 1;
		length--;
		for (i : 1 .. length) { queue[i - 1] = queue[i] };
		queue[length] = 0;
		i = 0
	   }
	od
}

proctype background() {
	do
	:: d_step { up -> up = 0 }
	:: d_step { !up -> up = 1 }
	od
}

init {
	atomic {
		run finish();
		run background();
		for (i : 0 .. SIZE - 1) { run client(i); run on_request(i) };
		i = 0
	}
}

#define SERVED(c) ([]<> !waiting[c])

ltl property { ALL(SERVED) }
