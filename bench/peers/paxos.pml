// Paxos as in examples/consensus/paxos.c, for Spin: two proposers with one round each, three acceptors, a learner. A message is
// taken, worked on and answered in one step; messages between two processes arrive in order. Both have sent their first messages in the
// first state. So it has the states of `heddle cluster --policy states --cflags -DWHOLE` on that file one for one, and also those that heddle does
// not count: 225 in which nothing can happen any more, and the one before anything was sent. bench/consensus.sh runs it.
#define PROPOSERS 2
#define ACCEPTORS 3
#define QUORUM(set) (set == 3 || set == 5 || set == 6)

mtype = { START, PROPOSE };

chan ask[PROPOSERS * ACCEPTORS] = [2] of { mtype, byte };     // PROPOSE has a value
chan joins[PROPOSERS * ACCEPTORS] = [1] of { byte, byte };    // where the acceptor voted last, and for what
chan votes[ACCEPTORS] = [PROPOSERS] of { byte, byte };        // round and value

inline ask_all(self, kind, what)
{
    ask[self * ACCEPTORS] ! kind, what;
    ask[self * ACCEPTORS + 1] ! kind, what;
    ask[self * ACCEPTORS + 2] ! kind, what
}

inline count_join(a)
{
    if
    :: !QUORUM(joined) ->
        joined = joined | (1 << a);
        if
        :: voted > highest -> highest = voted; value = other
        :: else
        fi;
        if
        :: QUORUM(joined) -> ask_all(self, PROPOSE, value)
        :: else
        fi
    :: else
    fi;
    voted = 0;
    other = 0
}

proctype proposer(byte self)
{
    byte joined, highest, value = self + 1, voted, other;
end:
    do
    :: atomic { joins[self * ACCEPTORS] ? voted, other -> count_join(0) }
    :: atomic { joins[self * ACCEPTORS + 1] ? voted, other -> count_join(1) }
    :: atomic { joins[self * ACCEPTORS + 2] ? voted, other -> count_join(2) }
    od
}

inline work(p)
{
    if
    :: kind == START && p + 1 > joined -> joined = p + 1; joins[p * ACCEPTORS + self] ! voted, value
    :: kind == PROPOSE && p + 1 >= joined -> joined = p + 1; voted = p + 1; value = new; votes[self] ! voted, value
    :: else
    fi;
    new = 0;
    kind = 0
}

proctype acceptor(byte self)
{
    byte joined, voted, value, new;
    mtype kind;
end:
    do
    :: atomic { ask[self] ? kind, new -> work(0) }
    :: atomic { ask[ACCEPTORS + self] ? kind, new -> work(1) }
    od
}

inline learn(a)
{
    if
    :: !QUORUM(voted[round]) ->
        voted[round] = voted[round] | (1 << a);
        if
        :: QUORUM(voted[round]) -> assert(decided == 0 || decided == value); decided = value
        :: else
        fi
    :: else
    fi;
    round = 0;
    value = 0
}

proctype learner()
{
    byte voted[PROPOSERS + 1], decided, round, value;
end:
    do
    :: atomic { votes[0] ? round, value -> learn(0) }
    :: atomic { votes[1] ? round, value -> learn(1) }
    :: atomic { votes[2] ? round, value -> learn(2) }
    od
}

init {
    atomic {
        run proposer(0);
        run proposer(1);
        run acceptor(0);
        run acceptor(1);
        run acceptor(2);
        run learner();
        ask_all(0, START, 0);
        ask_all(1, START, 0)
    }
}
