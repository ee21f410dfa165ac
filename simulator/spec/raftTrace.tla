------------------------------ MODULE raftTrace ------------------------------
\* What it takes to walk a recorded run through raft.tla step by step: names for the messages a step is about, what is
\* compared with what a server really did, and the two liberties that a run takes and raft.tla does not know. Everything
\* else a step may be is one disjunct of the published Next.

EXTENDS raft

\* The highest commitIndex that a server ever had.
VARIABLE highest

\* The last conjunct of the published Next, and what is kept beside it. Of every step.
History ==
    /\ allLogs' = allLogs \cup {log[i] : i \in Server}
    /\ highest' = [i \in Server |-> Max({highest[i], commitIndex'[i]})]

----
\* Names for messages

VoteRequests(i, j, t) ==
    {m \in DOMAIN messages : m.mtype = RequestVoteRequest /\ m.msource = i /\ m.mdest = j /\ m.mterm = t}

Grants(i, j, t) ==
    {m \in DOMAIN messages : m.mtype = RequestVoteResponse /\ m.msource = i /\ m.mdest = j /\ m.mterm = t
                             /\ m.mvoteGranted}

\* Those that carry entry k, with what they say of commits.
Appends(i, j, t, k, c) ==
    {m \in DOMAIN messages : m.mtype = AppendEntriesRequest /\ m.msource = i /\ m.mdest = j /\ m.mterm = t
                             /\ m.mprevLogIndex = k - 1 /\ m.mcommitIndex = c}

Acknowledgements(i, j, t, k) ==
    {m \in DOMAIN messages : m.mtype = AppendEntriesResponse /\ m.msource = i /\ m.mdest = j /\ m.mterm = t
                             /\ m.msuccess /\ m.mmatchIndex = k}

\* Messages of one name differ in history variables alone.
ReceiveOne(ms) == ms /= {} /\ Receive(CHOOSE m \in ms : TRUE)

DropOne(ms) == ms /= {} /\ DropMessage(CHOOSE m \in ms : TRUE)

----
\* What is compared

\* The leader's commit index moves to exactly where it really moved.
AdvanceTo(i, c) == AdvanceCommitIndex(i) /\ commitIndex'[i] = c

\* Nothing happens, but what server i has written is what it holds here; v = Nil for no vote in its term.
Wrote(i, t, v) ==
    /\ currentTerm[i] = t
    /\ votedFor[i] = v
    /\ UNCHANGED <<messages, serverVars, candidateVars, leaderVars, logVars>>

\* Its log ends there (a leader's may be longer: it sends before it writes), with that entry.
Holds(i, n, entryTerm, value) ==
    /\ Len(log[i]) = n \/ state[i] = Leader /\ Len(log[i]) >= n
    /\ n > 0 => log[i][n] = [term |-> entryTerm, value |-> value]
    /\ UNCHANGED <<messages, serverVars, candidateVars, leaderVars, logVars>>

\* It takes entries up to c for committed, and leads in term t.
Knows(i, c) ==
    /\ highest[i] >= c
    /\ UNCHANGED <<messages, serverVars, candidateVars, leaderVars, logVars>>

Leads(i, t) ==
    /\ state[i] = Leader
    /\ currentTerm[i] = t
    /\ UNCHANGED <<messages, serverVars, candidateVars, leaderVars, logVars>>

----
\* Liberties

\* A leader looks at any place of its log as the next to send. raft.tla moves nextIndex by answers alone, one at a time:
\* it knows no pipelining, no batches and no search for where logs part. No guard of a follower and no commit reads it.
Aim(i, j, n) ==
    /\ state[i] = Leader
    /\ n \in 1..(Len(log[i]) + 1)
    /\ nextIndex' = [nextIndex EXCEPT ![i][j] = n]
    /\ UNCHANGED <<messages, serverVars, candidateVars, matchIndex, elections, logVars>>

\* raft.tla lets commitIndex go back when an older message comes late; a server of ours keeps what it knew.
Remember(i, c) ==
    /\ commitIndex[i] < c
    /\ c <= highest[i]
    /\ c <= Len(log[i])
    /\ commitIndex' = [commitIndex EXCEPT ![i] = c]
    /\ UNCHANGED <<messages, serverVars, candidateVars, leaderVars, log>>

==============================================================================
