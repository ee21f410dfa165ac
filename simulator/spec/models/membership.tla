------------------------------ MODULE membership ------------------------------
\* Members change one at a time, each change is used from the moment at which it is in the log, and a leader begins the next
\* one only when the one before and an entry of its own term are committed (thesis 4.1, and the correction of 2015). New voters
\* are staged: nonvoters first, voters when the log has reached them. An entry is a term and the members that its log names.
\* A message is a step that reads both servers; a follower takes the whole log of its leader.

EXTENDS Naturals, FiniteSets, Sequences

CONSTANTS
    Server, First,
    LengthMax,
    \* Who may campaign in which term, as pairs; who may be added and who removed.
    Candidates, Adds, Removes

VARIABLES term, log, leads, match, commit, committed

vars == <<term, log, leads, match, commit, committed>>

None == "none"
Start == [term |-> 0, voters |-> First, learner |-> None]
Last(l) == IF Len(l) = 0 THEN Start ELSE l[Len(l)]
UpToDate(l, m) == Last(l).term > Last(m).term \/ (Last(l).term = Last(m).term /\ Len(l) >= Len(m))
Majority(s, of) == Cardinality(s \cap of) * 2 > Cardinality(of)

Init ==
    /\ term = [i \in Server |-> 0]
    /\ log = [i \in Server |-> <<>>]
    /\ leads = [i \in Server |-> FALSE]
    /\ match = [i \in Server |-> [j \in Server |-> 0]]
    /\ commit = [i \in Server |-> 0]
    /\ committed = {}

Write(i, entry) ==
    /\ Len(log[i]) < LengthMax
    /\ log' = [log EXCEPT ![i] = Append(log[i], entry)]

\* With these votes i leads the next term, and begins it with an entry.
Elect(i, voters) ==
    /\ <<term[i] + 1, i>> \in Candidates
    /\ i \in voters
    /\ Majority(voters, Last(log[i]).voters)
    /\ \A j \in voters : (j = i \/ term[j] < term[i] + 1) /\ UpToDate(log[i], log[j])
    /\ Write(i, [Last(log[i]) EXCEPT !.term = term[i] + 1])
    /\ term' = [j \in Server |-> IF j \in voters THEN term[i] + 1 ELSE term[j]]
    /\ leads' = [j \in Server |-> IF j \in voters THEN j = i ELSE leads[j]]
    /\ match' = [match EXCEPT ![i] = [j \in Server |-> IF j = i THEN Len(log[i]) + 1 ELSE 0]]
    /\ UNCHANGED <<commit, committed>>

Replicate(i, j) ==
    /\ i # j
    /\ leads[i]
    /\ j \in Last(log[i]).voters \/ j = Last(log[i]).learner
    /\ term[j] <= term[i]
    /\ match[i][j] < Len(log[i])
    /\ term' = [term EXCEPT ![j] = term[i]]
    /\ leads' = [leads EXCEPT ![j] = FALSE]
    /\ log' = [log EXCEPT ![j] = log[i]]
    /\ match' = [match EXCEPT ![i] = [match[i] EXCEPT ![j] = Len(log[i])]]
    /\ UNCHANGED <<commit, committed>>

\* Counted by the members that the end of the log names.
Commit(i) ==
    /\ leads[i]
    /\ commit[i] < Len(log[i])
    /\ Majority({j \in Server : match[i][j] >= Len(log[i])}, Last(log[i]).voters)
    /\ commit' = [commit EXCEPT ![i] = Len(log[i])]
    /\ committed' = committed \cup {<<k, log[i][k]>> : k \in 1..Len(log[i])}
    /\ UNCHANGED <<term, log, leads, match>>

\* Everything is committed, so also the entry with which the term began.
MayChange(i) == leads[i] /\ commit[i] = Len(log[i])

Change(i, voters, learner) ==
    /\ MayChange(i)
    /\ Write(i, [term |-> term[i], voters |-> voters, learner |-> learner])
    /\ match' = [match EXCEPT ![i] = [match[i] EXCEPT ![i] = Len(log[i]) + 1]]
    /\ UNCHANGED <<term, leads, commit, committed>>

Stage(i, x) ==
    /\ x \in Adds
    /\ x \notin Last(log[i]).voters
    /\ Last(log[i]).learner = None
    /\ Change(i, Last(log[i]).voters, x)

CaughtUp(i, x) == Last(log[i]).learner = x /\ match[i][x] = Len(log[i])
Promote(i, x) ==
    /\ x \in Adds
    /\ x \notin Last(log[i]).voters
    /\ CaughtUp(i, x)
    /\ Change(i, Last(log[i]).voters \cup {x}, None)

Remove(i, x) ==
    /\ x \in Removes
    /\ x \in Last(log[i]).voters
    /\ Change(i, Last(log[i]).voters \ {x}, Last(log[i]).learner)

Next ==
    \/ \E i \in Server : \E voters \in SUBSET Last(log[i]).voters : Elect(i, voters)
    \/ \E i \in Server : Commit(i)
    \/ \E i, j \in Server : Replicate(i, j) \/ Stage(i, j) \/ Promote(i, j) \/ Remove(i, j)

----
\* What has to fail, or the model says nothing.
NobodyJoins == \A c \in committed : c[2].voters = First

OneEntryPerIndex == \A a, b \in committed : a[1] = b[1] => a[2] = b[2]

LeadersAreComplete ==
    \A i \in Server :
        (leads[i] /\ \A j \in Server : term[j] <= term[i])
            => \A c \in committed : Len(log[i]) >= c[1] /\ log[i][c[1]] = c[2]

\* Where nobody is removed, no newcomer is needed before the log has reached it: of the members by which the leader of the
\* latest term counts, a majority holds everything that is committed.
Holds(j) == \A c \in committed : Len(log[j]) >= c[1] /\ log[j][c[1]] = c[2]
NewcomersAreNotNeeded ==
    Removes = {} => \A i \in Server :
        (leads[i] /\ \A j \in Server : term[j] <= term[i])
            => Majority({j \in Server : Holds(j)}, Last(log[i]).voters)

==============================================================================
