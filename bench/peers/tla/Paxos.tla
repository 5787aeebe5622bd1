---------------------------------- MODULE Paxos ----------------------------------
(* Single-decree Paxos as in examples/paxos, without the fields that harrier finds *)
(* auxiliary. A step is the delivery of one message. Nobody sends a message twice,  *)
(* as a proposer has one ballot, so messages in flight are a set.                   *)
EXTENDS Integers, FiniteSets, TLC

CONSTANTS Proposers, \* how many; each has the ballot and the value of its number
          Acceptors, \* a set of model values
          Learners,  \* how many
          Accepts,   \* acceptors that accept every proposal, whatever they promised
          Remembers  \* acceptors that remember what they accepted last, whatever its ballot

VARIABLES proposers, acceptors, learners, messages

vars == <<proposers, acceptors, learners, messages>>

Ballots == 1..Proposers
Majority == Cardinality(Acceptors) \div 2 + 1

Init ==
  /\ proposers = [p \in Ballots |-> [promises |-> 0, highest |-> 0, value |-> p]]
  /\ acceptors = [a \in Acceptors |-> [promised |-> 0, accepted |-> 0, value |-> 0]]
  /\ learners = [l \in 1..Learners |-> [votes |-> [b \in Ballots |-> 0], learned |-> {}]]
  /\ messages = {[type |-> "prepare", ballot |-> b, acceptor |-> a] : b \in Ballots, a \in Acceptors}

OnPrepare(m) ==
  LET a == acceptors[m.acceptor] IN
  /\ m.type = "prepare"
  /\ IF m.ballot > a.promised
     THEN /\ acceptors' = [acceptors EXCEPT ![m.acceptor].promised = m.ballot]
          /\ messages' = (messages \ {m}) \union
               {[type |-> "promise", ballot |-> m.ballot, acceptor |-> m.acceptor,
                 accepted |-> a.accepted, value |-> a.value]}
     ELSE UNCHANGED acceptors /\ messages' = messages \ {m}
  /\ UNCHANGED <<proposers, learners>>

OnPromise(m) ==
  /\ m.type = "promise"
  /\ LET p == proposers[m.ballot]
         higher == m.accepted > p.highest
         q == [promises |-> p.promises + 1,
               highest |-> IF higher THEN m.accepted ELSE p.highest,
               value |-> IF higher THEN m.value ELSE p.value]
     IN IF p.promises < Majority
        THEN /\ proposers' = [proposers EXCEPT ![m.ballot] = q]
             /\ messages' = (messages \ {m}) \union
                  IF q.promises < Majority THEN {}
                  ELSE {[type |-> "accept", ballot |-> m.ballot, acceptor |-> a, value |-> q.value] : a \in Acceptors}
        ELSE UNCHANGED proposers /\ messages' = messages \ {m}
  /\ UNCHANGED <<acceptors, learners>>

OnAccept(m) ==
  LET a == acceptors[m.acceptor] IN
  /\ m.type = "accept"
  /\ IF m.ballot >= a.promised \/ m.acceptor \in Accepts
     THEN /\ acceptors' = IF m.ballot > a.accepted \/ m.acceptor \in Remembers
               THEN [acceptors EXCEPT ![m.acceptor] = [@ EXCEPT !.accepted = m.ballot, !.value = m.value]]
               ELSE acceptors
          /\ messages' = (messages \ {m}) \union
               {[type |-> "accepted", ballot |-> m.ballot, acceptor |-> m.acceptor, learner |-> l, value |-> m.value]
                 : l \in 1..Learners}
     ELSE UNCHANGED acceptors /\ messages' = messages \ {m}
  /\ UNCHANGED <<proposers, learners>>

OnAccepted(m) ==
  /\ m.type = "accepted"
  /\ LET l == learners[m.learner]
         votes == [l.votes EXCEPT ![m.ballot] = @ + 1]
     IN learners' = [learners EXCEPT ![m.learner] =
          [votes |-> votes, learned |-> IF votes[m.ballot] >= Majority THEN l.learned \union {m.value} ELSE l.learned]]
  /\ messages' = messages \ {m}
  /\ UNCHANGED <<proposers, acceptors>>

Next == \E m \in messages : OnPrepare(m) \/ OnPromise(m) \/ OnAccept(m) \/ OnAccepted(m)

Spec == Init /\ [][Next]_vars

(* No two different values are learned. *)
Agreement == Cardinality(UNION {learners[l].learned : l \in 1..Learners}) <= 1

Symmetry == Permutations(Acceptors)
==================================================================================
