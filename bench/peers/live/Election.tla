--------------------------------- MODULE Election --------------------------------
(* examples/election. Channels are sets: receiving takes a message out, and Repeat, *)
(* a fault, leaves it in.                                                           *)
EXTENDS Integers

CONSTANTS N, Lossy

VARIABLES leader, timers, messages

vars == <<leader, timers, messages>>

Nodes == 1..N
After(n) == (n % N) + 1

(* All that is ever sent: a candidacy or the leader's name, whose, and to whom. *)
Possible == ({"candidate"} \X Nodes \X Nodes) \union ({"elected"} \X {N} \X Nodes)

Init ==
  /\ leader = [n \in Nodes |-> 0]
  /\ timers = Nodes
  /\ messages = {<<"candidate", n, After(n)>> : n \in Nodes}

(* What a node does with a message, where these are in flight beside what it sends. *)
Handle(m, others) ==
  LET id == m[2]
      n == m[3]
      known == IF m[1] = "elected" \/ (id = n /\ leader[n] = 0) THEN id ELSE leader[n]
      sent == IF m[1] = "elected" /\ id = n THEN {}
              ELSE IF m[1] = "elected" THEN {<<"elected", id, After(n)>>}
              ELSE IF known = n THEN {<<"elected", n, After(n)>>}
              ELSE IF id > n \/ known # 0 THEN {<<"candidate", id, After(n)>>}
              ELSE {}
  IN leader' = [leader EXCEPT ![n] = known] /\ messages' = others \union sent /\ UNCHANGED timers

Receive(m) == m \in messages /\ Handle(m, messages \ {m})
Repeat(m) == m \in messages /\ Handle(m, messages)
Lose(m) == Lossy /\ m \in messages /\ messages' = messages \ {m} /\ UNCHANGED <<leader, timers>>

Again(n) ==
  /\ n \in timers
  /\ IF leader[n] = 0
     THEN messages' = messages \union {<<"candidate", n, After(n)>>} /\ UNCHANGED timers
     ELSE timers' = timers \ {n} /\ UNCHANGED messages
  /\ UNCHANGED leader

Next == (\E m \in Possible : Receive(m) \/ Repeat(m) \/ Lose(m)) \/ \E n \in Nodes : Again(n)

Timers == \A n \in Nodes : WF_vars(Again(n))
Weak == Timers /\ \A m \in Possible : WF_vars(Receive(m))
Strongly == Timers /\ \A m \in Possible : SF_vars(Receive(m))

WeakSpec == Init /\ [][Next]_vars /\ Weak
StrongSpec == Init /\ [][Next]_vars /\ Strongly

Agreement == messages \subseteq Possible /\ \A n, k \in Nodes : leader[n] = 0 \/ leader[k] = 0 \/ leader[n] = leader[k]

Property == <>(\A n \in Nodes : leader[n] # 0)
==================================================================================
