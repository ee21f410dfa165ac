------------------------------- MODULE rollback -------------------------------
\* Rule 6: the committed chain moves back only on proof. One block is the tip; what its voters' nodes and clients show of it
\* is said by each voter about its own, and counted. The block is sound or not; L1 may take its origin away. Machines
\* restart and clients lose their heads as they like, the words of a minority may be wrong, and every word can be old: it is
\* said once and stays, also when what it was about has changed.

EXTENDS Naturals, FiniteSets

CONSTANTS
    Voter,
    \* Whose client says the opposite of what is true: fewer than half.
    Liars,
    RestartsMax

VARIABLES
    \* What is true: the block is valid for a client that works, and its origin is part of L1.
    sound, origin,
    \* Of each machine: its client has the block, its head is the block's parent at least; its node stands on the block, and
    \* has stood there in this life of node and client; its node has seen the block's origin leave L1.
    has, atParent, stands, stood, sawReorg,
    \* What each voter has said: of "left", "invalid", "valid".
    said,
    restarts, rolledBack

vars == <<sound, origin, has, atParent, stands, stood, sawReorg, said, restarts, rolledBack>>

Majority(s) == Cardinality(s) * 2 > Cardinality(Voter)

\* What a client answers that has the block's parent.
Answer(v) == IF (v \in Liars) # sound THEN "valid" ELSE "invalid"

Init ==
    /\ sound \in BOOLEAN
    /\ origin = TRUE
    /\ has = [v \in Voter |-> FALSE]
    /\ atParent = [v \in Voter |-> TRUE]
    /\ stands = [v \in Voter |-> FALSE]
    /\ stood = [v \in Voter |-> FALSE]
    /\ sawReorg = [v \in Voter |-> FALSE]
    /\ said = [v \in Voter |-> {}]
    /\ restarts = 0
    /\ rolledBack = FALSE

\* The node is given the block, and its client executes it.
Take(v) ==
    /\ atParent[v]
    /\ ~has[v]
    /\ ~sawReorg[v]
    /\ Answer(v) = "valid"
    /\ has' = [has EXCEPT ![v] = TRUE]
    /\ stands' = [stands EXCEPT ![v] = TRUE]
    /\ stood' = [stood EXCEPT ![v] = TRUE]
    /\ said' = [said EXCEPT ![v] = said[v] \cup {"valid"}]
    /\ UNCHANGED <<sound, origin, atParent, sawReorg, restarts, rolledBack>>

\* L1 takes the origin away; each node sees it when it does, and leaves the block while its client keeps it.
Reorg ==
    /\ origin
    /\ origin' = FALSE
    /\ UNCHANGED <<sound, has, atParent, stands, stood, sawReorg, said, restarts, rolledBack>>

SeeReorg(v) ==
    /\ ~origin
    /\ ~sawReorg[v]
    /\ sawReorg' = [sawReorg EXCEPT ![v] = TRUE]
    /\ stands' = [stands EXCEPT ![v] = FALSE]
    /\ UNCHANGED <<sound, origin, has, atParent, stood, said, restarts, rolledBack>>

\* A machine restarts, and its client comes back without its newest blocks: one of them, or its parent as well.
LoseHead(v, deep) ==
    /\ restarts < RestartsMax
    /\ restarts' = restarts + 1
    /\ has' = [has EXCEPT ![v] = FALSE]
    /\ atParent' = [atParent EXCEPT ![v] = ~deep]
    /\ stands' = [stands EXCEPT ![v] = FALSE]
    /\ stood' = [stood EXCEPT ![v] = FALSE]
    /\ UNCHANGED <<sound, origin, sawReorg, said, rolledBack>>

\* op-node alone restarts, and begins below the block; its client keeps it.
RestartNode(v) ==
    /\ restarts < RestartsMax
    /\ restarts' = restarts + 1
    /\ stands' = [stands EXCEPT ![v] = FALSE]
    /\ stood' = [stood EXCEPT ![v] = FALSE]
    /\ UNCHANGED <<sound, origin, has, atParent, sawReorg, said, rolledBack>>

\* The client gets the parent again.
Refill(v) ==
    /\ ~atParent[v]
    /\ atParent' = [atParent EXCEPT ![v] = TRUE]
    /\ UNCHANGED <<sound, origin, has, stands, stood, sawReorg, said, restarts, rolledBack>>

\* In one life of node and client the head was on the block and then off it, and the client has the block.
SayLeft(v) ==
    /\ stood[v]
    /\ ~stands[v]
    /\ has[v]
    /\ said' = [said EXCEPT ![v] = said[v] \cup {"left"}]
    /\ UNCHANGED <<sound, origin, has, atParent, stands, stood, sawReorg, restarts, rolledBack>>

\* A client answers INVALID where it cannot build on what it has lost, too; that counts only on the block's parent.
SaysInvalid(v) == ~has[v] /\ (~atParent[v] \/ Answer(v) = "invalid")
MayCount(v) == atParent[v]
SayInvalid(v) ==
    /\ SaysInvalid(v)
    /\ MayCount(v)
    /\ said' = [said EXCEPT ![v] = said[v] \cup {"invalid"}]
    /\ UNCHANGED <<sound, origin, has, atParent, stands, stood, sawReorg, restarts, rolledBack>>

\* The words of a majority, and for "invalid" nobody's word that the block is valid.
Speak(word) == {v \in Voter : word \in said[v]}
Proved == Majority(Speak("left")) \/ (Majority(Speak("invalid")) /\ Speak("valid") = {})

RollBack ==
    /\ Proved
    /\ rolledBack' = TRUE
    /\ UNCHANGED <<sound, origin, has, atParent, stands, stood, sawReorg, said, restarts>>

Next ==
    \/ Reorg
    \/ RollBack
    \/ \E v \in Voter :
        Take(v) \/ SeeReorg(v) \/ LoseHead(v, TRUE) \/ LoseHead(v, FALSE) \/ RestartNode(v) \/ Refill(v) \/ SayLeft(v) \/ SayInvalid(v)

----
\* What has to fail, or the model says nothing.
NothingMovesBack == ~rolledBack

\* A sound block whose origin stands is never given up.
SoundBlocksStay == rolledBack => (~sound \/ ~origin)

\* Words of a majority are never needed and missing for ever: an invalid block that all honest clients refuse can be given up.
HonestRefusalProves ==
    (~sound /\ \A v \in Voter \ Liars : "invalid" \in said[v]) /\ Speak("valid") = {} => Proved

==============================================================================
