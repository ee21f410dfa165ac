package main

// The test state machine, the same as tests/cluster/operation-log.ts: an ordered list of
// (index, client, sequence), taken from the first 16 bytes of every command. A snapshot is the
// count as u64 big endian followed by 24-byte records, so that snapshots cross implementations.

import (
	"encoding/binary"
	"fmt"
	"io"
	"sort"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/raft"
)

const (
	operationBytes = 16
	recordBytes    = 24
	countBytes     = 8
)

type record struct {
	index    uint64
	client   uint64
	sequence uint64
}

// operationLog implements raft.FSM and raft.ConfigurationStore.
type operationLog struct {
	configurationIndex atomic.Uint64
	mutex              sync.Mutex
	records            []record
}

// Apply appends the operation named by the command; short commands are padded with zeros.
func (o *operationLog) Apply(entry *raft.Log) interface{} {
	var id [operationBytes]byte
	copy(id[:], entry.Data)
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.records = append(o.records, record{
		index:    entry.Index,
		client:   binary.BigEndian.Uint64(id[:8]),
		sequence: binary.BigEndian.Uint64(id[8:]),
	})
	return nil
}

// StoreConfiguration remembers where the last committed configuration stands in the log.
func (o *operationLog) StoreConfiguration(index uint64, _ raft.Configuration) {
	o.configurationIndex.Store(index)
}

// Snapshot shares the prefix of the list: it is only ever appended to or replaced whole.
func (o *operationLog) Snapshot() (raft.FSMSnapshot, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return operationSnapshot(o.records[:len(o.records):len(o.records)]), nil
}

// Restore replaces the list by a snapshot's.
func (o *operationLog) Restore(source io.ReadCloser) error {
	defer source.Close()
	data, err := io.ReadAll(source)
	if err != nil {
		return err
	}
	if len(data) < countBytes || (len(data)-countBytes)%recordBytes != 0 ||
		binary.BigEndian.Uint64(data) != uint64((len(data)-countBytes)/recordBytes) {
		return fmt.Errorf("%d bytes are not a snapshot of an operation log", len(data))
	}
	records := make([]record, 0, (len(data)-countBytes)/recordBytes)
	for at := countBytes; at < len(data); at += recordBytes {
		records = append(records, record{
			index:    binary.BigEndian.Uint64(data[at:]),
			client:   binary.BigEndian.Uint64(data[at+8:]),
			sequence: binary.BigEndian.Uint64(data[at+16:]),
		})
	}
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.records = records
	return nil
}

// from returns the encoded records whose index is at least the given one.
func (o *operationLog) from(index uint64) []byte {
	o.mutex.Lock()
	records := o.records
	o.mutex.Unlock()
	first := sort.Search(len(records), func(at int) bool { return records[at].index >= index })
	return encodeRecords(nil, records[first:])
}

func encodeRecords(into []byte, records []record) []byte {
	for _, r := range records {
		into = binary.BigEndian.AppendUint64(into, r.index)
		into = binary.BigEndian.AppendUint64(into, r.client)
		into = binary.BigEndian.AppendUint64(into, r.sequence)
	}
	return into
}

type operationSnapshot []record

func (s operationSnapshot) Persist(sink raft.SnapshotSink) error {
	data := encodeRecords(binary.BigEndian.AppendUint64(nil, uint64(len(s))), s)
	if _, err := sink.Write(data); err != nil {
		sink.Cancel()
		return err
	}
	return sink.Close()
}

func (s operationSnapshot) Release() {}
