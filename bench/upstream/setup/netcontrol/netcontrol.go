// Package netcontrol asks whoever runs the net (UPSTREAM_CONTROL, a URL) for what op-conductor's own tests need of it:
// one request, one JSON answer.
package netcontrol

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
)

// ConductorRequest asks for a conductor beside a sequencer.
type ConductorRequest struct {
	Name         string   `json:"name"`
	NodeRPC      string   `json:"nodeRpc"`
	ExecutionRPC string   `json:"executionRpc"`
	Flags        []string `json:"flags"`
}

// Conductor tells where a conductor answers, and where it speaks to the others.
type Conductor struct {
	ID        string `json:"id"`
	RPC       string `json:"rpc"`
	Consensus string `json:"consensus"`
}

// StopRequest ends a process; Kind is conductor or op-node.
type StopRequest struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
}

// NetRequest asks for an L1, and an execution client and op-node for each name.
type NetRequest struct {
	Sequencers []string `json:"sequencers"`
	Verifiers  []string `json:"verifiers"`
}

// Node tells where an execution client and its op-node answer.
type Node struct {
	Execution string `json:"execution"`
	Node      string `json:"node"`
}

// Net is what runs after a NetRequest.
type Net struct {
	L1     string          `json:"l1"`
	Rollup json.RawMessage `json:"rollup"`
	Nodes  map[string]Node `json:"nodes"`
}

// Cluster is a net whose conductors are formed already.
type Cluster struct {
	ChainID    uint64      `json:"chainId"`
	Conductors []Conductor `json:"conductors"`
}

// Ask posts the request and reads the answer into answer, which may be nil.
func Ask(ctx context.Context, path string, request any, answer any) error {
	body, err := json.Marshal(request)
	if err != nil {
		return err
	}
	post, err := http.NewRequestWithContext(ctx, http.MethodPost, os.Getenv("UPSTREAM_CONTROL")+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(post)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the net answered %s to %s: %s", response.Status, path, text)
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(text, answer)
}
