package main

// The control API: plain HTTP on loopback, the same for the Go and the Bun test node.

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/raft"
	raftboltdb "github.com/hashicorp/raft-boltdb/v2"
)

const operationTimeout = 5 * time.Second

type control struct {
	id        string
	raft      *raft.Raft
	logs      *raftboltdb.BoltStore
	stable    *raftboltdb.BoltStore
	snapshots raft.SnapshotStore
	machine   *operationLog
}

type serverStatus struct {
	ID       string `json:"id"`
	Address  string `json:"address"`
	Suffrage string `json:"suffrage"`
}

type status struct {
	ID                 string         `json:"id"`
	State              string         `json:"state"`
	Term               uint64         `json:"term"`
	VotedTerm          uint64         `json:"votedTerm"`
	VotedFor           string         `json:"votedFor"`
	LeaderID           string         `json:"leaderId"`
	LeaderAddress      string         `json:"leaderAddress"`
	CommitIndex        uint64         `json:"commitIndex"`
	AppliedIndex       uint64         `json:"appliedIndex"`
	LastIndex          uint64         `json:"lastIndex"`
	FirstIndex         uint64         `json:"firstIndex"`
	SnapshotIndex      uint64         `json:"snapshotIndex"`
	ConfigurationIndex uint64         `json:"configurationIndex"`
	Servers            []serverStatus `json:"servers"`
}

func (c *control) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /apply", c.apply)
	mux.HandleFunc("POST /barrier", c.barrier)
	mux.HandleFunc("POST /read", c.barrier)
	mux.HandleFunc("POST /transfer", c.transfer)
	mux.HandleFunc("POST /add-voter", c.membership(func(q query) raft.IndexFuture {
		return c.raft.AddVoter(q.id, q.address, q.previous, operationTimeout)
	}))
	mux.HandleFunc("POST /add-nonvoter", c.membership(func(q query) raft.IndexFuture {
		return c.raft.AddNonvoter(q.id, q.address, q.previous, operationTimeout)
	}))
	mux.HandleFunc("POST /remove", c.membership(func(q query) raft.IndexFuture {
		return c.raft.RemoveServer(q.id, q.previous, operationTimeout)
	}))
	mux.HandleFunc("POST /demote", c.membership(func(q query) raft.IndexFuture {
		return c.raft.DemoteVoter(q.id, q.previous, operationTimeout)
	}))
	mux.HandleFunc("POST /snapshot", c.snapshot)
	mux.HandleFunc("GET /status", c.status)
	mux.HandleFunc("GET /operations", c.operations)
	return mux
}

// read returns the whole body, in one allocation where its length was announced.
func read(request *http.Request) ([]byte, error) {
	if request.ContentLength < 0 {
		return io.ReadAll(request.Body)
	}
	data := make([]byte, request.ContentLength)
	_, err := io.ReadFull(request.Body, data)
	return data, err
}

func (c *control) apply(writer http.ResponseWriter, request *http.Request) {
	command, err := read(request)
	if err != nil {
		answer(writer, http.StatusBadRequest, map[string]any{"error": "invalid", "message": err.Error()})
		return
	}
	future := c.raft.Apply(command, operationTimeout)
	finish(writer, future.Error(), future.Index)
}

func (c *control) barrier(writer http.ResponseWriter, _ *http.Request) {
	future := c.raft.Barrier(operationTimeout)
	finish(writer, future.Error(), c.raft.AppliedIndex)
}

func (c *control) transfer(writer http.ResponseWriter, request *http.Request) {
	q := parse(request)
	var future raft.Future
	if q.id == "" {
		future = c.raft.LeadershipTransfer()
	} else {
		future = c.raft.LeadershipTransferToServer(q.id, q.address)
	}
	finish(writer, future.Error(), c.raft.LastIndex)
}

func (c *control) membership(change func(query) raft.IndexFuture) http.HandlerFunc {
	return func(writer http.ResponseWriter, request *http.Request) {
		future := change(parse(request))
		finish(writer, future.Error(), future.Index)
	}
}

func (c *control) snapshot(writer http.ResponseWriter, _ *http.Request) {
	err := c.raft.Snapshot().Error()
	if err != nil && !errors.Is(err, raft.ErrNothingNewToSnapshot) {
		answer(writer, http.StatusConflict, map[string]any{"error": "failed", "message": err.Error()})
		return
	}
	answer(writer, http.StatusOK, map[string]any{"index": c.number("last_snapshot_index")})
}

func (c *control) status(writer http.ResponseWriter, _ *http.Request) {
	term, state := c.termAndState()
	address, id := c.raft.LeaderWithID()
	first, _ := c.logs.FirstIndex()
	votedTerm, _ := c.stable.GetUint64([]byte("LastVoteTerm"))
	votedFor, _ := c.stable.Get([]byte("LastVoteCand"))
	membership := c.raft.GetConfiguration()
	servers := []serverStatus{}
	for _, server := range membership.Configuration().Servers {
		servers = append(servers, serverStatus{
			ID: string(server.ID), Address: string(server.Address), Suffrage: strings.ToLower(server.Suffrage.String()),
		})
	}
	answer(writer, http.StatusOK, status{
		ID: c.id, State: strings.ToLower(state.String()), Term: term,
		VotedTerm: votedTerm, VotedFor: string(votedFor),
		LeaderID: string(id), LeaderAddress: string(address),
		CommitIndex: c.raft.CommitIndex(), AppliedIndex: c.raft.AppliedIndex(),
		LastIndex: c.raft.LastIndex(), FirstIndex: first, SnapshotIndex: c.number("last_snapshot_index"),
		ConfigurationIndex: c.configurationIndex(), Servers: servers,
	})
}

// termAndState reads both from one moment: a leader of the old term must not be seen with the new one.
func (c *control) termAndState() (uint64, raft.RaftState) {
	for {
		term := c.raft.CurrentTerm()
		state := c.raft.State()
		if c.raft.CurrentTerm() == term && c.raft.State() == state {
			return term, state
		}
	}
}

func (c *control) operations(writer http.ResponseWriter, request *http.Request) {
	from, _ := strconv.ParseUint(request.URL.Query().Get("from"), 10, 64)
	records := c.machine.from(from)
	writer.Header().Set("Content-Type", "application/octet-stream")
	writer.Header().Set("Content-Length", strconv.Itoa(len(records)))
	_, _ = writer.Write(records)
}

// configurationIndex is that of the last committed configuration: the library has no call that tells
// it (GetConfiguration leaves the index of its answer at zero).
func (c *control) configurationIndex() uint64 {
	index := c.machine.configurationIndex.Load()
	if list, err := c.snapshots.List(); err == nil && len(list) > 0 {
		index = max(index, list[0].ConfigurationIndex)
	}
	return index
}

func (c *control) number(name string) uint64 {
	value, _ := strconv.ParseUint(c.raft.Stats()[name], 10, 64)
	return value
}

type query struct {
	id       raft.ServerID
	address  raft.ServerAddress
	previous uint64
}

func parse(request *http.Request) query {
	values := request.URL.Query()
	previous, _ := strconv.ParseUint(values.Get("previous"), 10, 64)
	return query{raft.ServerID(values.Get("id")), raft.ServerAddress(values.Get("address")), previous}
}

// refusal names the errors after which the operation was surely not appended; "" for all others.
func refusal(err error) string {
	switch {
	case errors.Is(err, raft.ErrNotLeader):
		return "not-leader"
	case errors.Is(err, raft.ErrLeadershipTransferInProgress):
		return "transferring"
	case errors.Is(err, raft.ErrEnqueueTimeout):
		return "busy"
	case strings.HasPrefix(err.Error(), "configuration changed since"):
		return "configuration-changed"
	}
	return ""
}

func finish(writer http.ResponseWriter, err error, index func() uint64) {
	if err == nil {
		answer(writer, http.StatusOK, map[string]any{"index": index()})
	} else if reason := refusal(err); reason != "" {
		answer(writer, http.StatusConflict, map[string]any{"error": reason, "message": err.Error()})
	} else {
		answer(writer, http.StatusServiceUnavailable, map[string]any{"error": "unknown", "message": err.Error()})
	}
}

func answer(writer http.ResponseWriter, code int, body any) {
	text, _ := json.Marshal(body)
	writer.Header().Set("Content-Type", "application/json")
	writer.Header().Set("Content-Length", strconv.Itoa(len(text)))
	writer.WriteHeader(code)
	_, _ = writer.Write(text)
}
