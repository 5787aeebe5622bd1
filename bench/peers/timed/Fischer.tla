------------------------------ MODULE Fischer ------------------------------
(* examples/fischer in discrete time: Fischer's mutual exclusion, with a      *)
(* register and messages that take no time. Time goes on in rounds, when      *)
(* nothing is left to do at once: each clock goes on by one tick, or by none  *)
(* or two as long as it is within Drift of the number of rounds.              *)
EXTENDS Integers, Sequences, FiniteSets
CONSTANTS Process, Delta, Epsilon, Drift, Horizon
VARIABLES round, ahead, owner, timers, toRegister, toProcess, inside
vars == <<round, ahead, owner, timers, toRegister, toProcess, inside>>

Actor == Process \cup {"register"}
Timer(what, min, max) == [what |-> what, min |-> min, max |-> max]
Max(a, b) == IF a > b THEN a ELSE b

Init ==
  /\ round = 0
  /\ ahead = [a \in Actor |-> 0]
  /\ owner = "nobody"
  /\ timers = [p \in Process |-> {Timer("Begins", 0, 1)}]
  /\ toRegister = [p \in Process |-> <<>>]
  /\ toProcess = [p \in Process |-> <<>>]
  /\ inside = [p \in Process |-> FALSE]

Send(p, m) == toRegister' = [toRegister EXCEPT ![p] = Append(@, m)]

Fires(p) == \E t \in timers[p] :
  /\ t.min = 0
  /\ CASE t.what = "Begins" ->
            /\ timers' = [timers EXCEPT ![p] = @ \ {t}]
            /\ Send(p, <<"Read", "nobody">>)
       [] t.what = "Writes" ->
            /\ timers' = [timers EXCEPT ![p] = (@ \ {t}) \cup {Timer("Waited", Epsilon, Epsilon)}]
            /\ Send(p, <<"Write", p>>)
       [] t.what = "Waited" ->
            /\ timers' = [timers EXCEPT ![p] = @ \ {t}]
            /\ Send(p, <<"Check", "nobody">>)
  /\ UNCHANGED <<round, ahead, owner, toProcess, inside>>

MayTake(p) == toRegister[p] # <<>> /\ (Head(toRegister[p])[1] = "Read" => owner = "nobody")

Takes(p) ==
  /\ MayTake(p)
  /\ LET m == Head(toRegister[p]) IN
     /\ toRegister' = [toRegister EXCEPT ![p] = Tail(@)]
     /\ owner' = IF m[1] = "Write" THEN m[2] ELSE owner
     /\ toProcess' = CASE m[1] = "Read" -> [toProcess EXCEPT ![p] = Append(@, <<"Free", "nobody">>)]
                       [] m[1] = "Check" -> [toProcess EXCEPT ![p] = Append(@, <<"Owner", owner>>)]
                       [] OTHER -> toProcess
  /\ UNCHANGED <<round, ahead, timers, inside>>

Receives(p) ==
  /\ toProcess[p] # <<>>
  /\ LET m == Head(toProcess[p]) IN
     /\ toProcess' = [toProcess EXCEPT ![p] = Tail(@)]
     /\ IF m[1] = "Free"
          THEN /\ timers' = [timers EXCEPT ![p] = @ \cup {Timer("Writes", 0, Delta)}]
               /\ UNCHANGED <<toRegister, inside>>
          ELSE /\ UNCHANGED timers
               /\ IF m[2] = p
                    THEN inside' = [inside EXCEPT ![p] = TRUE] /\ UNCHANGED toRegister
                    ELSE Send(p, <<"Read", "nobody">>) /\ UNCHANGED inside
  /\ UNCHANGED <<round, ahead, owner>>

Leaves(p) ==
  /\ inside[p]
  /\ inside' = [inside EXCEPT ![p] = FALSE]
  /\ Send(p, <<"Write", "nobody">>)
  /\ UNCHANGED <<round, ahead, owner, timers, toProcess>>

IsUrgent == \E p \in Process :
  MayTake(p) \/ toProcess[p] # <<>> \/ \E t \in timers[p] : t.max = 0

After(t, ticks) == Timer(t.what, Max(0, t.min - ticks), Max(0, t.max - ticks))

Round ==
  /\ round < Horizon /\ ~IsUrgent
  /\ round' = round + 1
  /\ \E ticks \in [Actor -> IF Drift = 0 THEN {1} ELSE 0..2] :
       /\ \A a \in Actor : ahead[a] + ticks[a] - 1 \in -Drift..Drift
       /\ ahead' = [a \in Actor |-> ahead[a] + ticks[a] - 1]
       /\ timers' = [p \in Process |-> {After(t, ticks[p]) : t \in timers[p]}]
  /\ UNCHANGED <<owner, toRegister, toProcess, inside>>

Next == Round \/ \E p \in Process : Fires(p) \/ Takes(p) \/ Receives(p) \/ Leaves(p)

Spec == Init /\ [][Next]_vars

Excludes == Cardinality({p \in Process : inside[p]}) <= 1
=============================================================================
