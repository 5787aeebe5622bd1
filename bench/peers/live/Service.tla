--------------------------------- MODULE Service ---------------------------------
(* live/Service.java: the server works for the first of its queue. A client has at  *)
(* most one request or answer in flight, so that they are sets.                     *)
EXTENDS Sequences

CONSTANTS Clients, Forgets

VARIABLES waiting, requests, queue, answers, up

vars == <<waiting, requests, queue, answers, up>>

Init == waiting = {} /\ requests = {} /\ queue = <<>> /\ answers = {} /\ up = FALSE

Ask(c) ==
  /\ c \notin waiting
  /\ waiting' = waiting \union {c}
  /\ requests' = requests \union {c}
  /\ UNCHANGED <<queue, answers, up>>

OnRequest(c) ==
  /\ c \in requests
  /\ requests' = requests \ {c}
  /\ queue' = IF Forgets /\ queue # <<>> THEN queue ELSE Append(queue, c)
  /\ UNCHANGED <<waiting, answers, up>>

Finish ==
  /\ queue # <<>>
  /\ answers' = answers \union {Head(queue)}
  /\ queue' = Tail(queue)
  /\ UNCHANGED <<waiting, requests, up>>

OnAnswer(c) ==
  /\ c \in answers
  /\ answers' = answers \ {c}
  /\ waiting' = waiting \ {c}
  /\ UNCHANGED <<requests, queue, up>>

Rise == ~up /\ up' = TRUE /\ UNCHANGED <<waiting, requests, queue, answers>>
Fall == up /\ up' = FALSE /\ UNCHANGED <<waiting, requests, queue, answers>>

Next == (\E c \in Clients : Ask(c) \/ OnRequest(c) \/ OnAnswer(c)) \/ Finish \/ Rise \/ Fall

Fairness ==
  /\ \A c \in Clients : WF_vars(Ask(c)) /\ WF_vars(OnRequest(c)) /\ WF_vars(OnAnswer(c))
  /\ WF_vars(Finish)
  /\ WF_vars(Rise) /\ WF_vars(Fall)

Spec == Init /\ [][Next]_vars /\ Fairness

Property == \A c \in Clients : []<>(c \notin waiting)
==================================================================================
