// Package e2esys stands in the place of optimism's own when op-conductor's end-to-end tests are built: the L1, the
// execution clients and the op-nodes are processes of a net that runs outside of the test, not services inside of it.
// It has what those tests use, and no more.
package e2esys

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/log"
	"github.com/ethereum/go-ethereum/rpc"

	bss "github.com/ethereum-optimism/optimism/op-batcher/batcher"
	"github.com/ethereum-optimism/optimism/op-e2e/config/secrets"
	"github.com/ethereum-optimism/optimism/op-e2e/e2eutils/netcontrol"
	"github.com/ethereum-optimism/optimism/op-node/config"
	"github.com/ethereum-optimism/optimism/op-node/rollup"
	"github.com/ethereum-optimism/optimism/op-service/client"
	"github.com/ethereum-optimism/optimism/op-service/endpoint"
	"github.com/ethereum-optimism/optimism/op-service/sources"
	"github.com/ethereum-optimism/optimism/op-service/testlog"
)

const (
	l1Name      = "l1"
	batcherName = "batcher"
	callTimeout = 30 * time.Second
)

// SystemConfig is what a test changes before it starts.
type SystemConfig struct {
	Secrets     *secrets.Secrets
	Nodes       map[string]*config.Config
	Loggers     map[string]log.Logger
	P2PTopology map[string][]string
}

// EcotoneSystemConfig has a sequencer and a verifier. The net has every fork up to Jovian from its beginning.
func EcotoneSystemConfig(t *testing.T, _ *hexutil.Uint64) SystemConfig {
	return SystemConfig{
		Secrets: secrets.DefaultSecrets,
		Nodes:   map[string]*config.Config{"sequencer": {}, "verifier": {}},
		Loggers: map[string]log.Logger{batcherName: testlog.Logger(t, log.LevelInfo).New("role", batcherName)},
	}
}

// System is the net as a test sees it.
type System struct {
	Cfg            SystemConfig
	RollupConfig   *rollup.Config
	EthInstances   map[string]ethInstance
	RollupNodes    map[string]rollupNode
	BatchSubmitter *bss.BatcherService

	t *testing.T
	// By URL.
	clients map[string]*rpc.Client
}

// Start brings the nodes up, each op-node connected to every other; sequencers wait until they are started.
func (cfg SystemConfig) Start(t *testing.T) (*System, error) {
	request := netcontrol.NetRequest{}
	for name, node := range cfg.Nodes {
		if node.ConductorEnabled {
			request.Sequencers = append(request.Sequencers, name)
		} else {
			request.Verifiers = append(request.Verifiers, name)
		}
	}
	var net netcontrol.Net
	if err := netcontrol.Ask(context.Background(), "/net", request, &net); err != nil {
		return nil, err
	}
	sys := &System{
		Cfg:          cfg,
		RollupConfig: new(rollup.Config),
		EthInstances: map[string]ethInstance{l1Name: {url: net.L1}},
		RollupNodes:  make(map[string]rollupNode),
		t:            t,
		clients:      make(map[string]*rpc.Client),
	}
	if err := json.Unmarshal(net.Rollup, sys.RollupConfig); err != nil {
		return nil, err
	}
	for name, node := range net.Nodes {
		sys.EthInstances[name] = ethInstance{url: node.Execution}
		sys.RollupNodes[name] = rollupNode{name: name, url: node.Node}
	}
	t.Cleanup(sys.Close)
	return sys, nil
}

// Close ends the batcher; the net ends with whoever runs it. A second call does nothing.
func (sys *System) Close() {
	if sys.BatchSubmitter == nil {
		return
	}
	if err := sys.BatchSubmitter.Kill(); err != nil {
		sys.t.Logf("stopping the batcher: %v", err)
	}
	sys.BatchSubmitter = nil
}

func (sys *System) NodeEndpoint(name string) endpoint.RPC { return sys.EthInstances[name].UserRPC() }

func (sys *System) RollupEndpoint(name string) endpoint.RPC { return sys.RollupNodes[name].UserRPC() }

func (sys *System) NodeClient(name string) *ethclient.Client {
	return ethclient.NewClient(sys.dial(sys.NodeEndpoint(name)))
}

func (sys *System) RollupClient(name string) *sources.RollupClient {
	base := client.NewBaseRPCClient(sys.dial(sys.RollupEndpoint(name)), client.WithCallTimeout(callTimeout))
	return sources.NewRollupClient(base)
}

func (sys *System) dial(at endpoint.RPC) *rpc.Client {
	if known, ok := sys.clients[at.RPC()]; ok {
		return known
	}
	dialled, err := rpc.Dial(at.RPC())
	require.NoError(sys.t, err)
	sys.t.Cleanup(dialled.Close)
	sys.clients[at.RPC()] = dialled
	return dialled
}

// ethInstance is an execution client.
type ethInstance struct{ url string }

func (e ethInstance) UserRPC() endpoint.RPC { return endpoint.HttpURL(e.url) }

// rollupNode is an op-node.
type rollupNode struct{ name, url string }

func (n rollupNode) UserRPC() endpoint.RPC { return endpoint.HttpURL(n.url) }

// Stop ends its process as a service manager does, and waits for its end.
func (n rollupNode) Stop(ctx context.Context) error {
	return netcontrol.Ask(ctx, "/stop", netcontrol.StopRequest{Kind: "op-node", Name: n.name}, nil)
}
