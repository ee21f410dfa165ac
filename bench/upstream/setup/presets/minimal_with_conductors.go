// Package presets stands in the place of optimism's own when op-conductor's acceptance test is built: its conductors are
// processes of a net that runs outside of the test, formed before the test begins.
package presets

import (
	"github.com/ethereum/go-ethereum/log"
	"github.com/ethereum/go-ethereum/rpc"

	conrpc "github.com/ethereum-optimism/optimism/op-conductor/rpc"
	"github.com/ethereum-optimism/optimism/op-devstack/devtest"
	"github.com/ethereum-optimism/optimism/op-devstack/dsl"
	"github.com/ethereum-optimism/optimism/op-devstack/stack"
	"github.com/ethereum-optimism/optimism/op-e2e/e2eutils/netcontrol"
	"github.com/ethereum-optimism/optimism/op-service/eth"
)

// MinimalWithConductors has one chain with three sequencers.
type MinimalWithConductors struct {
	ConductorSets map[eth.ChainID]dsl.ConductorSet
}

// NewMinimalWithConductors returns when one conductor leads, its sequencer makes blocks, and all are healthy.
func NewMinimalWithConductors(t devtest.T) *MinimalWithConductors {
	var cluster netcontrol.Cluster
	t.Require().NoError(netcontrol.Ask(t.Ctx(), "/cluster", struct{}{}, &cluster))
	chain := eth.ChainIDFromUInt64(cluster.ChainID)
	conductors := make([]stack.Conductor, 0, len(cluster.Conductors))
	for _, one := range cluster.Conductors {
		client, err := rpc.DialContext(t.Ctx(), one.RPC)
		t.Require().NoError(err)
		t.Cleanup(client.Close)
		conductors = append(conductors, &conductor{t: t, id: one.ID, chain: chain, api: conrpc.NewAPIClient(client)})
	}
	return &MinimalWithConductors{ConductorSets: map[eth.ChainID]dsl.ConductorSet{chain: dsl.NewConductorSet(conductors)}}
}

// conductor is one of the net's, by its URL.
type conductor struct {
	t     devtest.T
	id    string
	chain eth.ChainID
	api   conrpc.API
}

func (c *conductor) T() devtest.T { return c.t }

func (c *conductor) Logger() log.Logger { return c.t.Logger() }

func (c *conductor) Name() string { return c.id }

func (c *conductor) Label(string) string { return "" }

func (c *conductor) SetLabel(string, string) {}

func (c *conductor) ChainID() eth.ChainID { return c.chain }

func (c *conductor) RpcAPI() conrpc.API { return c.api }
