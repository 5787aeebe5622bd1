----------------------------- MODULE Detector ------------------------------
(* examples/detector in discrete time: a detector suspects a node that it     *)
(* hears nothing of for TimeOut ticks. The node tells it every Period ticks   *)
(* that it is there, which takes up to Delay ticks, and may stop once.        *)
EXTENDS Integers
CONSTANTS Period, Delay, TimeOut, Drift, Horizon
VARIABLES round, ahead, up, tells, timesOut, suspects, flying
vars == <<round, ahead, up, tells, timesOut, suspects, flying>>

Actor == {"node", "detector"}
Max(a, b) == IF a > b THEN a ELSE b
NoTimer == -1

Init ==
  /\ round = 0
  /\ ahead = [a \in Actor |-> 0]
  /\ up = TRUE
  /\ tells = Period
  /\ timesOut = TimeOut
  /\ suspects = FALSE
  /\ flying = [age \in 0..Delay |-> IF age = 0 THEN 1 ELSE 0]

Tells ==
  /\ up /\ tells = 0
  /\ tells' = Period
  /\ flying' = [flying EXCEPT ![0] = @ + 1]
  /\ UNCHANGED <<round, ahead, up, timesOut, suspects>>

Hears(age) ==
  /\ flying[age] > 0
  /\ flying' = [flying EXCEPT ![age] = @ - 1]
  /\ timesOut' = IF suspects THEN timesOut ELSE TimeOut
  /\ UNCHANGED <<round, ahead, up, tells, suspects>>

TimesOut ==
  /\ timesOut = 0
  /\ suspects' = TRUE
  /\ timesOut' = NoTimer
  /\ UNCHANGED <<round, ahead, up, tells, flying>>

Stops ==
  /\ up
  /\ up' = FALSE
  /\ tells' = NoTimer
  /\ ahead' = [ahead EXCEPT !["node"] = 0] \* it has no clock any more
  /\ UNCHANGED <<round, timesOut, suspects, flying>>

IsUrgent == tells = 0 \/ timesOut = 0 \/ flying[Delay] > 0

After(timer, ticks) == IF timer = NoTimer THEN NoTimer ELSE Max(0, timer - ticks)

Clocks == IF up THEN Actor ELSE {"detector"}

Round ==
  /\ round < Horizon /\ ~IsUrgent
  /\ round' = round + 1
  /\ \E ticks \in [Clocks -> IF Drift = 0 THEN {1} ELSE 0..2] :
       /\ \A a \in Clocks : ahead[a] + ticks[a] - 1 \in -Drift..Drift
       /\ ahead' = [a \in Actor |-> IF a \in Clocks THEN ahead[a] + ticks[a] - 1 ELSE 0]
       /\ tells' = IF up THEN After(tells, ticks["node"]) ELSE NoTimer
       /\ timesOut' = After(timesOut, ticks["detector"])
  /\ flying' = [age \in 0..Delay |->
       IF Delay = 0 THEN flying[age]
       ELSE IF age = 0 THEN 0
       ELSE IF age = Delay THEN flying[age - 1] + flying[age]
       ELSE flying[age - 1]]
  /\ UNCHANGED <<up, suspects>>

Next == Round \/ Tells \/ TimesOut \/ Stops \/ \E age \in 0..Delay : Hears(age)

Spec == Init /\ [][Next]_vars

IsAccurate == up => ~suspects
=============================================================================
