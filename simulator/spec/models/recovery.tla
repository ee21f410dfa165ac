------------------------------- MODULE recovery -------------------------------
\* Rule 9: a voter that has lost its disk recovers. It neither votes nor campaigns, and before it acknowledges anything it
\* asks every other voter for its term. Recovery ends when its log reaches a commit index of a leader of its own term.
\* Messages are steps that read both servers at once, in any order and any time apart; what is in flight when a disk is
\* lost, nobody answers for. Entries are their terms: a term has one leader, and at most EntriesMax of its own are needed.

EXTENDS Naturals, FiniteSets, Sequences

CONSTANTS
    Server,
    TermMax,
    LengthMax,
    \* How many disks may be lost in all, and whose; and who may campaign in which term, as pairs.
    LossesMax, Losers, Candidates

VARIABLES
    \* Durable.
    term, voted, log, recovering,
    \* Of the process: whom it has asked since its disk was lost; of a leader, what each server holds of its log.
    asked, leads, votes, match, commit,
    \* History: who led which term, and what was committed at which index.
    elected, committed, losses

vars == <<term, voted, log, recovering, asked, leads, votes, match, commit, elected, committed, losses>>

None == "none"
Nobody == "nobody"
Majority(s) == Cardinality(s) * 2 > Cardinality(Server)
LastTerm(l) == IF Len(l) = 0 THEN 0 ELSE l[Len(l)]
UpToDate(l, m) == LastTerm(l) > LastTerm(m) \/ (LastTerm(l) = LastTerm(m) /\ Len(l) >= Len(m))

Init ==
    /\ term = [i \in Server |-> 0]
    /\ voted = [i \in Server |-> None]
    /\ log = [i \in Server |-> <<>>]
    /\ recovering = [i \in Server |-> FALSE]
    /\ asked = [i \in Server |-> {}]
    /\ leads = [i \in Server |-> FALSE]
    /\ votes = [i \in Server |-> {}]
    /\ match = [i \in Server |-> [j \in Server |-> 0]]
    /\ commit = [i \in Server |-> 0]
    /\ elected = {}
    /\ committed = {}
    /\ losses = 0

Campaign(i) ==
    /\ <<term[i] + 1, i>> \in Candidates
    /\ term[i] < TermMax
    /\ ~recovering[i]
    /\ term' = [term EXCEPT ![i] = term[i] + 1]
    /\ voted' = [voted EXCEPT ![i] = i]
    /\ votes' = [votes EXCEPT ![i] = {i}]
    /\ leads' = [leads EXCEPT ![i] = FALSE]
    /\ UNCHANGED <<log, recovering, asked, match, commit, elected, committed, losses>>

\* A candidate is one whose vote in its term is its own and that does not lead; j votes for it.
Vote(i, j) ==
    /\ i # j
    /\ voted[i] = i
    /\ ~leads[i]
    /\ ~recovering[i]
    /\ ~recovering[j]
    /\ term[j] < term[i] \/ (term[j] = term[i] /\ voted[j] = None)
    /\ UpToDate(log[i], log[j])
    /\ term' = [term EXCEPT ![j] = term[i]]
    /\ voted' = [voted EXCEPT ![j] = i]
    /\ leads' = [leads EXCEPT ![j] = FALSE]
    /\ votes' = [votes EXCEPT ![i] = votes[i] \cup {j}]
    /\ UNCHANGED <<log, recovering, asked, match, commit, elected, committed, losses>>

\* A leader begins its term with an entry.
Lead(i) ==
    /\ voted[i] = i
    /\ ~leads[i]
    /\ ~recovering[i]
    /\ Majority(votes[i])
    /\ Len(log[i]) < LengthMax
    /\ leads' = [leads EXCEPT ![i] = TRUE]
    /\ log' = [log EXCEPT ![i] = Append(log[i], term[i])]
    /\ match' = [match EXCEPT ![i] = [j \in Server |-> IF j = i THEN Len(log[i]) + 1 ELSE 0]]
    /\ elected' = elected \cup {<<term[i], i>>}
    /\ UNCHANGED <<term, voted, recovering, asked, votes, commit, committed, losses>>

\* j follows i and takes its log. One that is recovering acknowledges only when it has asked everybody.
MayAcknowledge(j) == ~recovering[j] \/ asked[j] = Server \ {j}
Replicate(i, j) ==
    /\ i # j
    /\ leads[i]
    /\ term[j] <= term[i]
    /\ term' = [term EXCEPT ![j] = term[i]]
    /\ voted' = [voted EXCEPT ![j] = IF term[j] < term[i] THEN None ELSE voted[j]]
    /\ leads' = [leads EXCEPT ![j] = FALSE]
    /\ log' = [log EXCEPT ![j] = log[i]]
    /\ match' = IF MayAcknowledge(j) THEN [match EXCEPT ![i] = [match[i] EXCEPT ![j] = Len(log[i])]] ELSE match
    /\ UNCHANGED <<recovering, asked, votes, commit, elected, committed, losses>>

Commit(i) ==
    /\ leads[i]
    /\ commit[i] < Len(log[i])
    /\ Majority({j \in Server : match[i][j] >= Len(log[i])})
    /\ log[i][Len(log[i])] = term[i]
    /\ commit' = [commit EXCEPT ![i] = Len(log[i])]
    /\ committed' = committed \cup {<<k, log[i][k]>> : k \in 1..Len(log[i])}
    /\ UNCHANGED <<term, voted, log, recovering, asked, leads, votes, match, elected, losses>>

\* The disk is lost, and with it the process. Fewer than half of the servers are ever without what they promised.
Lose(j) ==
    /\ j \in Losers
    /\ losses < LossesMax
    /\ Majority({k \in Server : k # j /\ ~recovering[k]})
    /\ losses' = losses + 1
    /\ term' = [term EXCEPT ![j] = 0]
    /\ voted' = [voted EXCEPT ![j] = None]
    /\ log' = [log EXCEPT ![j] = <<>>]
    /\ recovering' = [recovering EXCEPT ![j] = TRUE]
    /\ asked' = [asked EXCEPT ![j] = {}]
    /\ leads' = [leads EXCEPT ![j] = FALSE]
    /\ votes' = [votes EXCEPT ![j] = {}]
    /\ commit' = [commit EXCEPT ![j] = 0]
    /\ match' = [match EXCEPT ![j] = [k \in Server |-> 0]]
    /\ UNCHANGED <<elected, committed>>

Ask(i, j) ==
    /\ recovering[i]
    /\ i # j
    /\ j \notin asked[i]
    /\ asked' = [asked EXCEPT ![i] = asked[i] \cup {j}]
    /\ term' = [term EXCEPT ![i] = IF term[j] > term[i] THEN term[j] ELSE term[i]]
    /\ UNCHANGED <<voted, log, recovering, leads, votes, match, commit, elected, committed, losses>>

\* The term then counts as voted in, for nobody.
EndRecovery(i, j) ==
    /\ recovering[j]
    /\ MayAcknowledge(j)
    /\ leads[i]
    /\ term[j] = term[i]
    /\ commit[i] > 0
    /\ log[i][commit[i]] = term[i]
    /\ Len(log[j]) >= commit[i]
    /\ log[j] = log[i]
    /\ recovering' = [recovering EXCEPT ![j] = FALSE]
    /\ voted' = [voted EXCEPT ![j] = Nobody]
    /\ UNCHANGED <<term, log, asked, leads, votes, match, commit, elected, committed, losses>>

Next ==
    \/ \E i \in Server : Campaign(i) \/ Lead(i) \/ Commit(i) \/ Lose(i)
    \/ \E i, j \in Server : Vote(i, j) \/ Replicate(i, j) \/ Ask(i, j) \/ EndRecovery(i, j)

----
\* What has to fail, or the model says nothing.
NobodyRecovers == \A i \in Server : voted[i] # Nobody

OneLeaderPerTerm == \A a, b \in elected : a[1] = b[1] => a[2] = b[2]

OneEntryPerIndex == \A a, b \in committed : a[1] = b[1] => a[2] = b[2]

\* Whoever leads the latest term there is holds everything that is committed.
LeadersAreComplete ==
    \A i \in Server :
        (leads[i] /\ \A j \in Server : term[j] <= term[i])
            => \A c \in committed : Len(log[i]) >= c[1] /\ log[i][c[1]] = c[2]

==============================================================================
