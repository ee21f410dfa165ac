----------------------------- MODULE fastElections -----------------------------
\* Rule 13: voters elect without waiting where a leader's process is plainly gone. Evidence is a voter's own: all connections
\* from the leader are closed, none has reopened, and a redial found nobody there, or somebody who leads no more. It is about
\* the leader of one term. Networks may close connections of leaders that live, and nothing here takes time into account: what
\* is shown is that waiting is never what keeps a leader that lives in office, so that not to wait costs none.

EXTENDS Naturals, FiniteSets

CONSTANTS
    Server, TermMax, CrashesMax, ClosesMax,
    \* Whose redials something on the way refuses, though the leader lives: fewer than half.
    Fooled

VARIABLES
    term, voted,
    \* The process leads, in its term; it is up.
    leads, up,
    \* A follower's connection from its leader is open; the last term whose leader it has heard; the term of whose leader it
    \* has evidence; 0 for none.
    open, heard, gone,
    \* Votes of a candidate in its term.
    votes,
    \* History: leaders of terms that have ended by themselves (a crash, or a step down), and terms won by fast elections, with
    \* the term of the leader who was taken to be gone.
    ended, won, crashes, closes

vars == <<term, voted, leads, up, open, heard, gone, votes, ended, won, crashes, closes>>

None == "none"
Majority(s) == Cardinality(s) * 2 > Cardinality(Server)

\* One server leads the first term, and all follow it.
Init ==
    \E first \in Server :
        /\ term = [i \in Server |-> 1]
        /\ voted = [i \in Server |-> first]
        /\ leads = [i \in Server |-> i = first]
        /\ up = [i \in Server |-> TRUE]
        /\ open = [i \in Server |-> i # first]
        /\ heard = [i \in Server |-> IF i = first THEN 0 ELSE 1]
        /\ gone = [i \in Server |-> 0]
        /\ votes = [i \in Server |-> {}]
        /\ ended = {}
        /\ won = {}
        /\ crashes = 0
        /\ closes = 0

LeaderOf(t) == {i \in Server : leads[i] /\ term[i] = t}

\* A process ends and is started again by its supervisor when Restart comes; its kernel closes its connections.
Crash(i) ==
    /\ up[i]
    /\ crashes < CrashesMax
    /\ crashes' = crashes + 1
    /\ up' = [up EXCEPT ![i] = FALSE]
    /\ ended' = IF leads[i] THEN ended \cup {term[i]} ELSE ended
    /\ leads' = [leads EXCEPT ![i] = FALSE]
    /\ open' = [j \in Server |-> IF j = i \/ (leads[i] /\ term[j] = term[i]) THEN FALSE ELSE open[j]]
    /\ gone' = [gone EXCEPT ![i] = 0]
    /\ heard' = [heard EXCEPT ![i] = 0]
    /\ votes' = [votes EXCEPT ![i] = {}]
    /\ UNCHANGED <<term, voted, won, closes>>

Restart(i) ==
    /\ ~up[i]
    /\ up' = [up EXCEPT ![i] = TRUE]
    /\ UNCHANGED <<term, voted, leads, open, gone, votes, ended, won, crashes, closes, heard>>

\* Something between two machines closes a connection of a leader that lives.
Close(j) ==
    /\ open[j]
    /\ closes < ClosesMax
    /\ closes' = closes + 1
    /\ open' = [open EXCEPT ![j] = FALSE]
    /\ UNCHANGED <<term, voted, leads, up, gone, votes, ended, won, crashes, heard>>

\* The leader of a follower's term, or of a later one, reaches it: what was suspected is forgotten.
Hear(i, j) ==
    /\ i # j
    /\ up[i] /\ up[j]
    /\ leads[i]
    /\ term[j] <= term[i]
    /\ voted' = IF term[j] < term[i] THEN [voted EXCEPT ![j] = None] ELSE voted
    /\ term' = [term EXCEPT ![j] = term[i]]
    /\ ended' = IF leads[j] THEN ended \cup {term[j]} ELSE ended
    /\ leads' = [leads EXCEPT ![j] = FALSE]
    /\ open' = [open EXCEPT ![j] = TRUE]
    /\ gone' = [gone EXCEPT ![j] = 0]
    /\ heard' = [heard EXCEPT ![j] = term[i]]
    /\ UNCHANGED <<up, votes, won, crashes, closes>>

\* The redial: whom the follower took for its leader does not lead its term any more, or nobody listens there.
Redialled(j) == LeaderOf(term[j]) = {} \/ j \in Fooled
Probe(j) ==
    /\ up[j]
    /\ ~leads[j]
    /\ heard[j] = term[j]
    /\ ~open[j]
    /\ Redialled(j)
    /\ gone' = [gone EXCEPT ![j] = term[j]]
    /\ UNCHANGED <<term, voted, leads, up, open, votes, ended, won, crashes, closes, heard>>

\* A pre-vote of a majority, each of whom waives what it owes the leader on its own evidence alone, about the leader of the
\* candidate's term; then the vote.
Evident(k, t) == up[k] /\ gone[k] = t /\ term[k] = t
Waives(k, t) == Evident(k, t)
Campaign(j) ==
    /\ ~leads[j]
    /\ term[j] < TermMax
    /\ Evident(j, term[j])
    /\ Majority({k \in Server : Waives(k, term[j])})
    /\ term' = [term EXCEPT ![j] = term[j] + 1]
    /\ voted' = [voted EXCEPT ![j] = j]
    /\ votes' = [votes EXCEPT ![j] = {j}]
    /\ UNCHANGED <<leads, up, open, gone, ended, won, crashes, closes, heard>>

\* A voter that is in contact with a leader, as far as it knows, votes for nobody else.
Vote(i, j) ==
    /\ i # j
    /\ up[i] /\ up[j]
    /\ votes[i] # {}
    /\ ~leads[i]
    /\ voted[i] = i
    /\ term[j] < term[i]
    /\ Waives(j, term[i] - 1)
    /\ term' = [term EXCEPT ![j] = term[i]]
    /\ voted' = [voted EXCEPT ![j] = i]
    /\ ended' = IF leads[j] THEN ended \cup {term[j]} ELSE ended
    /\ leads' = [leads EXCEPT ![j] = FALSE]
    /\ votes' = [votes EXCEPT ![i] = votes[i] \cup {j}]
    /\ UNCHANGED <<up, open, gone, won, crashes, closes, heard>>

Lead(i) ==
    /\ up[i]
    /\ voted[i] = i
    /\ ~leads[i]
    /\ Majority(votes[i])
    /\ leads' = [leads EXCEPT ![i] = TRUE]
    /\ won' = won \cup {term[i]}
    /\ votes' = [votes EXCEPT ![i] = {}]
    /\ UNCHANGED <<term, voted, up, open, gone, ended, crashes, closes, heard>>

Next ==
    \/ \E i \in Server : Crash(i) \/ Restart(i) \/ Close(i) \/ Probe(i) \/ Campaign(i) \/ Lead(i)
    \/ \E i, j \in Server : Hear(i, j) \/ Vote(i, j)

----
\* What has to fail, or the model says nothing.
NobodyIsElected == won = {}

OneLeaderPerTerm == \A i, j \in Server : (leads[i] /\ leads[j] /\ term[i] = term[j]) => i = j

\* A fast election is won only when the leader of the term before it had ended by itself.
NobodyAliveIsDeposed == \A t \in won : LeaderOf(t - 1) = {}

==============================================================================
