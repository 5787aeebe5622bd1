--------------------------------- MODULE PreVote ---------------------------------
(* examples/prevote. A node has at most one wish and one answer in flight, so that  *)
(* they are sets.                                                                   *)
EXTENDS Integers

CONSTANT Yields

VARIABLES role, granted, wishes, answers

vars == <<role, granted, wishes, answers>>

Nodes == {1, 2}
Other(n) == 3 - n

Init ==
  /\ role = [n \in Nodes |-> "follower"]
  /\ granted = [n \in Nodes |-> FALSE]
  /\ wishes = {}  \* who sent one
  /\ answers = {} \* who gets one, with what it is

Ask(n) ==
  /\ role[n] = "follower" /\ ~granted[n]
  /\ role' = [role EXCEPT ![n] = "asking"]
  /\ wishes' = wishes \union {n}
  /\ UNCHANGED <<granted, answers>>

OnMayI(n) ==
  /\ Other(n) \in wishes
  /\ LET grants == role[n] = "follower" \/ (Yields /\ role[n] = "asking" /\ Other(n) > n)
     IN /\ granted' = [granted EXCEPT ![n] = grants]
        /\ answers' = answers \union {<<Other(n), grants>>}
  /\ wishes' = wishes \ {Other(n)}
  /\ UNCHANGED role

OnAnswer(n, yes) ==
  /\ <<n, yes>> \in answers
  /\ answers' = answers \ {<<n, yes>>}
  /\ role' = [role EXCEPT ![n] = IF yes /\ ~granted[n] THEN "leader" ELSE "follower"]
  /\ UNCHANGED <<granted, wishes>>

Next == \E n \in Nodes : Ask(n) \/ OnMayI(n) \/ \E yes \in BOOLEAN : OnAnswer(n, yes)

Fairness == \A n \in Nodes : WF_vars(Ask(n)) /\ WF_vars(OnMayI(n)) /\ \A yes \in BOOLEAN : WF_vars(OnAnswer(n, yes))

Spec == Init /\ [][Next]_vars /\ Fairness

Property == <>(\E n \in Nodes : role[n] = "leader")
==================================================================================
