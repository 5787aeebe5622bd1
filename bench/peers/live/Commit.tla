---------------------------------- MODULE Commit ---------------------------------
(* examples/commit-live without what harrier finds auxiliary: what was voted and    *)
(* decided, and by whom. Votes in flight are then a number. What a coordinator that *)
(* has stopped keeps, and what is sent to it, is forgotten, as harrier has it.      *)
EXTENDS Integers, FiniteSets

CONSTANTS Managers, Stops

VARIABLES prepares, votes, decisions, counted, decided, stopped

vars == <<prepares, votes, decisions, counted, decided, stopped>>

Init ==
  /\ prepares = Managers
  /\ decisions = {} /\ decided = {}
  /\ votes = 0 /\ counted = 0
  /\ stopped = FALSE

OnPrepare(m) ==
  /\ m \in prepares
  /\ prepares' = prepares \ {m}
  /\ votes' = IF stopped THEN 0 ELSE votes + 1
  /\ UNCHANGED <<decisions, counted, decided, stopped>>

OnVote ==
  /\ votes > 0
  /\ votes' = votes - 1
  /\ counted' = counted + 1
  /\ decisions' = IF counted' = Cardinality(Managers) THEN Managers ELSE decisions
  /\ UNCHANGED <<prepares, decided, stopped>>

OnDecision(m) ==
  /\ m \in decisions
  /\ decisions' = decisions \ {m}
  /\ decided' = decided \union {m}
  /\ UNCHANGED <<prepares, votes, counted, stopped>>

Stop ==
  /\ Stops /\ ~stopped
  /\ stopped' = TRUE
  /\ votes' = 0 /\ counted' = 0
  /\ UNCHANGED <<prepares, decisions, decided>>

Next == (\E m \in Managers : OnPrepare(m) \/ OnDecision(m)) \/ OnVote \/ Stop

Fairness == WF_vars(OnVote) /\ \A m \in Managers : WF_vars(OnPrepare(m)) /\ WF_vars(OnDecision(m))

Spec == Init /\ [][Next]_vars /\ Fairness

Property == \A m \in Managers : <>(m \in decided)
==================================================================================
