// In the place of op-conductor's service when its own tests are built: what the tests construct is not a service inside
// the test but a process, started with the flags that say what the test's Config says. Config itself (config.go) is
// op-conductor's. Addresses are given by whoever runs the net, at the URL in UPSTREAM_CONTROL.
package conductor

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/log"
	"github.com/ethereum/go-ethereum/rpc"

	"github.com/ethereum-optimism/optimism/op-conductor/consensus"
	conrpc "github.com/ethereum-optimism/optimism/op-conductor/rpc"
	"github.com/ethereum-optimism/optimism/op-e2e/e2eutils/netcontrol"
)

// OpConductor is a conductor in a process of its own.
type OpConductor struct {
	config    *Config
	endpoints netcontrol.Conductor
	api       conrpc.API
}

// New checks the configuration; nothing runs yet.
func New(_ context.Context, config *Config, _ log.Logger, _ string) (*OpConductor, error) {
	if err := config.Check(); err != nil {
		return nil, err
	}
	return &OpConductor{config: config}, nil
}

// Start returns when the process answers calls.
func (c *OpConductor) Start(ctx context.Context) error {
	request := netcontrol.ConductorRequest{
		Name:         c.config.RaftServerID,
		NodeRPC:      c.config.NodeRPC,
		ExecutionRPC: c.config.ExecutionRPC,
		Flags:        flagsOf(c.config),
	}
	if err := netcontrol.Ask(ctx, "/conductor", request, &c.endpoints); err != nil {
		return err
	}
	client, err := rpc.DialContext(ctx, c.endpoints.RPC)
	if err != nil {
		return err
	}
	c.api = conrpc.NewAPIClient(client)
	return nil
}

// Stop ends the process as a service manager does, and waits for its end.
func (c *OpConductor) Stop(ctx context.Context) error {
	return netcontrol.Ask(ctx, "/stop", netcontrol.StopRequest{Kind: "conductor", Name: c.config.RaftServerID}, nil)
}

func (c *OpConductor) ConsensusEndpoint() string { return c.endpoints.Consensus }

func (c *OpConductor) HTTPEndpoint() string { return c.endpoints.RPC }

// Leader is false where nobody answers, too.
func (c *OpConductor) Leader(ctx context.Context) bool {
	leads, err := c.api.Leader(ctx)
	return err == nil && leads
}

// SequencerHealthy is false where nobody answers, too.
func (c *OpConductor) SequencerHealthy(ctx context.Context) bool {
	healthy, err := c.api.SequencerHealthy(ctx)
	return err == nil && healthy
}

func (c *OpConductor) Resume(ctx context.Context) error { return c.api.Resume(ctx) }

func (c *OpConductor) AddServerAsVoter(ctx context.Context, id, addr string, version uint64) error {
	return c.api.AddServerAsVoter(ctx, id, addr, version)
}

func (c *OpConductor) AddServerAsNonvoter(ctx context.Context, id, addr string, version uint64) error {
	return c.api.AddServerAsNonvoter(ctx, id, addr, version)
}

func (c *OpConductor) ClusterMembership(ctx context.Context) (*consensus.ClusterMembership, error) {
	return c.api.ClusterMembership(ctx)
}

// flagsOf says the configuration as flags, but for what is known only on the machine: ports, and the rollup's file.
func flagsOf(config *Config) []string {
	health := config.HealthCheck
	values := []struct {
		name  string
		value any
	}{
		{"raft.server.id", config.RaftServerID},
		{"raft.storage.dir", config.RaftStorageDir},
		{"raft.bootstrap", config.RaftBootstrap},
		{"raft.snapshot-interval", config.RaftSnapshotInterval},
		{"raft.snapshot-threshold", config.RaftSnapshotThreshold},
		{"raft.trailing-logs", config.RaftTrailingLogs},
		{"raft.heartbeat-timeout", config.RaftHeartbeatTimeout},
		{"raft.lease-timeout", config.RaftLeaderLeaseTimeout},
		{"paused", config.Paused},
		{"healthcheck.interval", health.Interval},
		{"healthcheck.unsafe-interval", health.UnsafeInterval},
		{"healthcheck.safe-enabled", health.SafeEnabled},
		{"healthcheck.safe-interval", health.SafeInterval},
		{"healthcheck.min-peer-count", health.MinPeerCount},
		{"rpc.enable-proxy", config.RPCEnableProxy},
	}
	flags := make([]string, 0, len(values))
	for _, flag := range values {
		flags = append(flags, fmt.Sprintf("--%s=%v", flag.name, flag.value))
	}
	return flags
}
