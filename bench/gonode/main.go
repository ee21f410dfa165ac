// Command gonode is the reference peer of the tests and benchmarks: one server on the real
// hashicorp/raft v1.7.3 with raft-boltdb, set up as op-conductor sets it up, under the HTTP
// control API that tests/cluster/README.md describes.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/raft"
	raftboltdb "github.com/hashicorp/raft-boltdb/v2"
)

const (
	poolConnections  = 10
	transportTimeout = 5 * time.Second
	snapshotsKept    = 1
)

type settings struct {
	id, raftAddress, listen, directory, bootstrap, logLevel string
	controlPort                                             int
	heartbeatMs, electionMs, leaseMs                        int
	snapshotThreshold, trailing                             uint64
	snapshotIntervalMs                                      int
	exitWithStdin                                           bool
}

func parseSettings() settings {
	var s settings
	flag.StringVar(&s.id, "id", "", "server id")
	flag.StringVar(&s.raftAddress, "raft", "", "host:port of the raft transport as the configuration names it")
	flag.StringVar(&s.listen, "listen", "", "host:port to listen on where it is not the advertised one")
	flag.IntVar(&s.controlPort, "control", 0, "port of the control API on 127.0.0.1")
	flag.StringVar(&s.directory, "dir", "", "directory of log, votes and snapshots")
	flag.StringVar(&s.bootstrap, "bootstrap", "", "id=addr,id=addr: first configuration, where no state exists")
	flag.StringVar(&s.logLevel, "log-level", "warn", "level of the raft log on stderr")
	flag.IntVar(&s.heartbeatMs, "heartbeat-ms", 1000, "HeartbeatTimeout")
	flag.IntVar(&s.electionMs, "election-ms", 1000, "ElectionTimeout")
	flag.IntVar(&s.leaseMs, "lease-ms", 500, "LeaderLeaseTimeout")
	flag.Uint64Var(&s.snapshotThreshold, "snapshot-threshold", 8192, "entries that make a snapshot due")
	flag.IntVar(&s.snapshotIntervalMs, "snapshot-interval-ms", 120_000, "how often that is looked at")
	flag.Uint64Var(&s.trailing, "trailing", 10240, "entries kept behind a snapshot")
	flag.BoolVar(&s.exitWithStdin, "exit-with-stdin", false, "exit when stdin closes, so that no node outlives its test")
	flag.Parse()
	if s.listen == "" {
		s.listen = s.raftAddress
	}
	return s
}

func (s settings) raftConfig() *raft.Config {
	config := raft.DefaultConfig()
	config.LocalID = raft.ServerID(s.id)
	config.ProtocolVersion = raft.ProtocolVersionMax
	config.HeartbeatTimeout = time.Duration(s.heartbeatMs) * time.Millisecond
	config.ElectionTimeout = time.Duration(s.electionMs) * time.Millisecond
	config.LeaderLeaseTimeout = time.Duration(s.leaseMs) * time.Millisecond
	config.SnapshotThreshold = s.snapshotThreshold
	config.SnapshotInterval = time.Duration(s.snapshotIntervalMs) * time.Millisecond
	config.TrailingLogs = s.trailing
	config.ShutdownOnRemove = false
	config.Logger = hclog.New(&hclog.LoggerOptions{
		Name: s.id, Level: hclog.LevelFromString(s.logLevel), Output: os.Stderr,
	})
	return config
}

func parseServers(list string) (raft.Configuration, error) {
	var configuration raft.Configuration
	for _, item := range strings.Split(list, ",") {
		id, address, found := strings.Cut(item, "=")
		if !found {
			return configuration, fmt.Errorf("--bootstrap: %q is not id=address", item)
		}
		configuration.Servers = append(configuration.Servers, raft.Server{
			Suffrage: raft.Voter, ID: raft.ServerID(id), Address: raft.ServerAddress(address),
		})
	}
	return configuration, nil
}

func open(s settings) (*control, error) {
	if err := os.MkdirAll(s.directory, 0o755); err != nil {
		return nil, err
	}
	config := s.raftConfig()
	logs, err := raftboltdb.NewBoltStore(filepath.Join(s.directory, "raft-log.db"))
	if err != nil {
		return nil, err
	}
	stable, err := raftboltdb.NewBoltStore(filepath.Join(s.directory, "raft-stable.db"))
	if err != nil {
		return nil, err
	}
	snapshots, err := raft.NewFileSnapshotStoreWithLogger(s.directory, snapshotsKept, config.Logger)
	if err != nil {
		return nil, err
	}
	advertised, err := net.ResolveTCPAddr("tcp", s.raftAddress)
	if err != nil {
		return nil, err
	}
	transport, err := raft.NewTCPTransportWithLogger(s.listen, advertised, poolConnections, transportTimeout, config.Logger)
	if err != nil {
		return nil, err
	}
	if s.bootstrap != "" {
		configuration, err := parseServers(s.bootstrap)
		if err != nil {
			return nil, err
		}
		if err := raft.BootstrapCluster(config, logs, stable, snapshots, transport, configuration); err != nil && err != raft.ErrCantBootstrap {
			return nil, err
		}
	}
	machine := &operationLog{}
	node, err := raft.NewRaft(config, machine, logs, stable, snapshots, transport)
	if err != nil {
		return nil, err
	}
	return &control{id: s.id, raft: node, logs: logs, stable: stable, snapshots: snapshots, machine: machine}, nil
}

func run(s settings) error {
	if s.id == "" || s.raftAddress == "" || s.directory == "" || s.controlPort == 0 {
		return fmt.Errorf("--id, --raft, --control and --dir are required")
	}
	node, err := open(s)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", s.controlPort))
	if err != nil {
		return err
	}
	if s.exitWithStdin {
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			os.Exit(0)
		}()
	}
	ready, _ := json.Marshal(map[string]any{"ready": true, "id": s.id, "pid": os.Getpid(), "implementation": "go"})
	fmt.Println(string(ready))
	return http.Serve(listener, node.handler())
}

func main() {
	if err := run(parseSettings()); err != nil {
		fmt.Fprintln(os.Stderr, "gonode:", err)
		os.Exit(1)
	}
}
