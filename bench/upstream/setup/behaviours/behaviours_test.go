// What optimism's later acceptance tests demand of a cluster (pull requests 21977 and 22244), under their names, on the
// set-up of the end-to-end tests. Those that need no fresh cluster share one; the last of them takes the leader's op-node.
package conductor

import (
	"context"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/rpc"

	"github.com/ethereum-optimism/optimism/op-conductor/consensus"
	"github.com/ethereum-optimism/optimism/op-e2e/e2eutils/wait"
	"github.com/ethereum-optimism/optimism/op-e2e/system/e2esys"
)

const (
	patience     = 30 * time.Second
	safePatience = 60 * time.Second
	lookEvery    = 200 * time.Millisecond
	freshBlocks  = 2
	// What op-conductor's proxies answer where they do not lead.
	notLeader = "refusing to proxy request to non-leader sequencer"
)

// cluster is a formed system with its conductors by name.
type cluster struct {
	sys        *e2esys.System
	conductors map[string]*conductor
}

func TestBehaviours_Cluster(t *testing.T) {
	sys, conductors, cleanup := setupSequencerFailoverTest(t)
	defer cleanup()
	c := cluster{sys: sys, conductors: conductors}

	t.Run("TestConductorClusterStartsWithOneActiveSequencer", func(t *testing.T) {
		c.awaitOneActive(t, c.names())
	})
	t.Run("TestConductorProxyServesOnlyLeader", c.proxyServesOnlyLeader)
	t.Run("TestLeadershipTransferMovesActiveSequencer", func(t *testing.T) {
		first := c.awaitOneActive(t, c.names())
		from := first
		for _, to := range c.namesWithout(first) {
			c.transferTo(t, from, to)
			from = to
		}
		c.transferTo(t, from, first)
	})
	t.Run("TestLeadershipTransferSelectsAnotherActiveSequencer", func(t *testing.T) {
		from := c.awaitOneActive(t, c.names())
		require.NoError(t, c.conductors[from].client.TransferLeader(context.Background()))
		c.awaitOneActive(t, c.namesWithout(from))
		require.False(t, leader(t, context.Background(), c.conductors[from]))
	})
	t.Run("TestUnsafeChainAdvancesAfterLeadershipTransfer", func(t *testing.T) {
		from := c.awaitOneActive(t, c.names())
		to := c.namesWithout(from)[0]
		before := c.head(t, from)
		c.transferTo(t, from, to)
		c.awaitHead(t, to, before+freshBlocks)
		c.requireOneChain(t, c.names(), before+freshBlocks)
	})
	t.Run("TestConductorClusterMembershipChanges", c.membershipChanges)
	t.Run("TestConductorRejectsStaleMembershipVersion", c.rejectsStaleVersion)
	t.Run("TestFailoverOnActiveSequencerFailure", c.failsOver)
}

// Two of three conductors are lost, the leader's op-node with them: nobody may sequence until an operator says so.
func TestDisasterRecoveryLeaderOverride(t *testing.T) {
	sys, conductors, cleanup := setupSequencerFailoverTest(t)
	defer cleanup()
	c := cluster{sys: sys, conductors: conductors}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()

	lost := c.awaitOneActive(t, c.names())
	survivor, casualty := c.namesWithout(lost)[0], c.namesWithout(lost)[1]
	require.NoError(t, conductors[casualty].service.Stop(ctx))
	require.NoError(t, conductors[lost].service.Stop(ctx))
	require.NoError(t, sys.RollupNodes[lost].Stop(ctx))

	node := sys.RollupClient(survivor)
	require.ErrorContains(t, node.StartSequencer(ctx, c.headHash(t, survivor)), "sequencer is not the leader")
	require.NoError(t, node.OverrideLeader(ctx))
	require.NoError(t, conductors[survivor].client.OverrideLeader(ctx, true))
	require.NoError(t, node.StartSequencer(ctx, c.headHash(t, survivor)))
	c.awaitHead(t, survivor, c.head(t, survivor)+freshBlocks)
	c.requireProxies(t, survivor)
}

func (c cluster) names() []string { return []string{Sequencer1Name, Sequencer2Name, Sequencer3Name} }

func (c cluster) namesWithout(names ...string) []string {
	left := make([]string, 0, len(c.conductors))
	for _, name := range c.names() {
		isLeft := true
		for _, other := range names {
			isLeft = isLeft && name != other
		}
		if isLeft {
			left = append(left, name)
		}
	}
	return left
}

// awaitOneActive returns who leads with an active sequencer when, of those named, one does and no other does either.
func (c cluster) awaitOneActive(t *testing.T, names []string) string {
	found := ""
	c.eventually(t, patience, "one leader with an active sequencer", func(ctx context.Context) bool {
		leaders, active := []string{}, []string{}
		for _, name := range names {
			if leads, err := c.conductors[name].client.Leader(ctx); err != nil {
				return false
			} else if leads {
				leaders = append(leaders, name)
			}
			if sequences, err := c.sys.RollupClient(name).SequencerActive(ctx); err != nil {
				return false
			} else if sequences {
				active = append(active, name)
			}
		}
		if len(leaders) != 1 || len(active) != 1 || leaders[0] != active[0] {
			return false
		}
		found = leaders[0]
		return true
	})
	return found
}

func (c cluster) transferTo(t *testing.T, from, to string) {
	target := c.conductors[to]
	require.NoError(t, c.conductors[from].client.TransferLeaderToServer(context.Background(), to, target.ConsensusEndpoint()))
	require.Equal(t, to, c.awaitOneActive(t, c.names()))
}

// proxyServesOnlyLeader has the batcher bring fresh blocks to L1 through the proxies, then calls each proxied method.
func (c cluster) proxyServesOnlyLeader(t *testing.T) {
	leads := c.awaitOneActive(t, c.names())
	wanted := c.head(t, leads) + freshBlocks
	c.awaitHead(t, leads, wanted)
	c.eventually(t, safePatience, "the batcher to make fresh blocks safe", func(ctx context.Context) bool {
		status, err := c.sys.RollupClient(leads).SyncStatus(ctx)
		return err == nil && status.SafeL2.Number >= wanted
	})
	c.requireProxies(t, leads)
	for _, method := range proxied(big.NewInt(int64(wanted))) {
		for _, name := range c.namesWithout(leads) {
			err := c.call(t, name, new(any), method)
			require.ErrorContains(t, err, notLeader, "%s at %s", method.name, name)
		}
	}
}

type proxiedMethod struct {
	name string
	args []any
}

func proxied(height *big.Int) []proxiedMethod {
	number := "0x" + height.Text(16)
	return []proxiedMethod{
		{name: "admin_sequencerActive"},
		{name: "optimism_syncStatus"},
		{name: "eth_getBlockByNumber", args: []any{"latest", false}},
		{name: "optimism_outputAtBlock", args: []any{number}},
		{name: "optimism_rollupConfig"},
	}
}

// requireProxies has every proxied method answered by the conductor.
func (c cluster) requireProxies(t *testing.T, name string) {
	var active bool
	require.NoError(t, c.call(t, name, &active, proxiedMethod{name: "admin_sequencerActive"}))
	require.True(t, active)
	for _, method := range proxied(big.NewInt(int64(c.head(t, name)) - 1)) {
		var answer any
		require.NoError(t, c.call(t, name, &answer, method), method.name)
		require.NotNil(t, answer, method.name)
	}
}

func (c cluster) call(t *testing.T, name string, answer any, method proxiedMethod) error {
	client, err := rpc.Dial(c.conductors[name].RPCEndpoint())
	require.NoError(t, err)
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return client.CallContext(ctx, answer, method.name, method.args...)
}

// membershipChanges takes a follower out, and back in as a nonvoter and then as a voter.
func (c cluster) membershipChanges(t *testing.T) {
	ctx := context.Background()
	leads := c.awaitOneActive(t, c.names())
	member := c.namesWithout(leads)[0]
	client, address := c.conductors[leads].client, c.conductors[member].ConsensusEndpoint()

	require.NoError(t, client.RemoveServer(ctx, member, c.membership(t, leads).Version))
	require.NotContains(t, memberIDs(c.membership(t, leads)), member)
	require.NoError(t, client.AddServerAsNonvoter(ctx, member, address, c.membership(t, leads).Version))
	c.requireSuffrage(t, leads, member, consensus.Nonvoter)
	require.NoError(t, client.AddServerAsVoter(ctx, member, address, c.membership(t, leads).Version))
	c.requireSuffrage(t, leads, member, consensus.Voter)
	require.Len(t, c.membership(t, leads).Servers, len(c.conductors))
}

// rejectsStaleVersion asks for changes against a version that is past: nothing changes.
func (c cluster) rejectsStaleVersion(t *testing.T) {
	ctx := context.Background()
	leads := c.awaitOneActive(t, c.names())
	member := c.namesWithout(leads)[0]
	client, before := c.conductors[leads].client, c.membership(t, leads)
	stale, address := before.Version-1, c.conductors[member].ConsensusEndpoint()

	require.ErrorContains(t, client.RemoveServer(ctx, member, stale), "configuration changed since")
	require.ErrorContains(t, client.AddServerAsNonvoter(ctx, member, address, stale), "configuration changed since")
	require.ErrorContains(t, client.AddServerAsVoter(ctx, member, address, stale), "configuration changed since")
	require.Equal(t, before, c.membership(t, leads))
}

// failsOver ends the leader's op-node: another takes over, makes blocks, and the third follows it.
func (c cluster) failsOver(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	failed := c.awaitOneActive(t, c.names())
	before := c.head(t, failed)
	require.NoError(t, c.sys.RollupNodes[failed].Stop(ctx))

	c.eventually(t, patience, "the failed leader to give up the lead", func(ctx context.Context) bool {
		leads, err := c.conductors[failed].client.Leader(ctx)
		return err == nil && !leads
	})
	survivors := c.namesWithout(failed)
	next := c.awaitOneActive(t, survivors)
	c.eventually(t, patience, "the new leader to be healthy", func(ctx context.Context) bool {
		ok, err := c.conductors[next].client.SequencerHealthy(ctx)
		return err == nil && ok
	})
	c.awaitHead(t, next, before+1)
	wanted := c.head(t, next) + freshBlocks
	c.awaitHead(t, next, wanted)
	c.requireOneChain(t, survivors, wanted)
}

func (c cluster) membership(t *testing.T, name string) *consensus.ClusterMembership {
	membership, err := c.conductors[name].client.ClusterMembership(context.Background())
	require.NoError(t, err)
	return membership
}

func (c cluster) requireSuffrage(t *testing.T, name, member string, wanted consensus.ServerSuffrage) {
	for _, server := range c.membership(t, name).Servers {
		if server.ID == member {
			require.Equal(t, wanted, server.Suffrage)
			return
		}
	}
	require.Fail(t, "not a member", member)
}

// requireOneChain waits until all have a block at the height, and compares them.
func (c cluster) requireOneChain(t *testing.T, names []string, height uint64) {
	var hash common.Hash
	for _, name := range names {
		c.awaitHead(t, name, height)
		header, err := c.sys.NodeClient(name).HeaderByNumber(context.Background(), new(big.Int).SetUint64(height))
		require.NoError(t, err)
		if hash == (common.Hash{}) {
			hash = header.Hash()
		}
		require.Equal(t, hash, header.Hash(), name)
	}
}

func (c cluster) head(t *testing.T, name string) uint64 {
	number, err := c.sys.NodeClient(name).BlockNumber(context.Background())
	require.NoError(t, err)
	return number
}

func (c cluster) headHash(t *testing.T, name string) common.Hash {
	header, err := c.sys.NodeClient(name).HeaderByNumber(context.Background(), nil)
	require.NoError(t, err)
	return header.Hash()
}

func (c cluster) awaitHead(t *testing.T, name string, height uint64) {
	c.eventually(t, patience, "blocks", func(ctx context.Context) bool {
		number, err := c.sys.NodeClient(name).BlockNumber(ctx)
		return err == nil && number >= height
	})
}

func (c cluster) eventually(t *testing.T, within time.Duration, what string, holds func(ctx context.Context) bool) {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	err := wait.For(ctx, lookEvery, func() (bool, error) { return holds(ctx), nil })
	require.NoError(t, err, "waited in vain for %s", what)
}
