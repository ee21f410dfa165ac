// A history is what clients saw: one line of JSON per call, with the times at which it began and was answered.
// ../history.ts writes it and describes every field.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
)

// Longest line; a call is about 300 bytes.
const lineBytesMax = 1 << 20

type call struct {
	Client int    `json:"client"`
	Server string `json:"server"`
	// Nanoseconds of one clock for all clients; Answered is nil for a call that had no answer.
	Called   int64  `json:"called"`
	Answered *int64 `json:"answered"`
	// "commit", or what an answer told: "holds" of one height, "head" of the highest.
	Kind    string `json:"kind"`
	Number  int64  `json:"number"`
	Hash    string `json:"hash"`
	Parent  string `json:"parent"`
	Outcome string `json:"outcome"`
}

// returned is when the call had its effect at the latest: never, where nobody was told.
func (c call) returned() int64 {
	if c.Answered == nil || c.Outcome == "unknown" {
		return math.MaxInt64
	}
	return *c.Answered
}

func readHistory(path string) ([]call, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var calls []call
	lines := bufio.NewScanner(file)
	lines.Buffer(make([]byte, 0, 64*1024), lineBytesMax)
	for number := 1; lines.Scan(); number++ {
		var one call
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, number, err)
		}
		if err := one.check(); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, number, err)
		}
		calls = append(calls, one)
	}
	return calls, lines.Err()
}

// check refuses what no model would look at: a misspelt kind must not pass for a history without faults.
func (c call) check() error {
	switch {
	case c.Hash == "":
		return fmt.Errorf("a call without a hash")
	case c.Answered != nil && *c.Answered < c.Called:
		return fmt.Errorf("answered before it was called")
	case c.Kind == "holds" || c.Kind == "head":
		if c.Answered == nil {
			return fmt.Errorf("%q tells what an answer said, and has none", c.Kind)
		}
		return nil
	case c.Kind != "commit":
		return fmt.Errorf("unknown kind %q", c.Kind)
	case c.Outcome != "ok" && c.Outcome != "refused" && c.Outcome != "unknown":
		return fmt.Errorf("unknown outcome %q", c.Outcome)
	case c.Outcome != "unknown" && c.Answered == nil:
		return fmt.Errorf("outcome %q without an answer", c.Outcome)
	}
	return nil
}

// chain knows the parent of every block that was offered.
type chain map[string]call

func chainOf(calls []call) chain {
	blocks := chain{}
	for _, c := range calls {
		if c.Kind == "commit" {
			blocks[c.Hash] = c
		}
	}
	return blocks
}

// ancestor is the hash at a height on the branch that ends in `hash`; "" when the branch is not known so far down.
func (blocks chain) ancestor(hash string, number int64) string {
	for {
		block, known := blocks[hash]
		switch {
		case !known || block.Number < number:
			return ""
		case block.Number == number:
			return hash
		}
		hash = block.Parent
	}
}

// withoutUnseen leaves out the commits of unknown outcome of which nobody saw anything afterwards: neither the block nor
// one on top of it. Such a call can always be put at the end of an order, so the verdict stays the same; but each would
// double the orders to try.
func withoutUnseen(calls []call) []call {
	blocks := chainOf(calls)
	seen := map[string]bool{}
	for _, c := range calls {
		if c.Kind == "commit" && c.Outcome != "ok" {
			continue
		}
		for hash := c.Hash; hash != "" && !seen[hash]; hash = blocks[hash].Parent {
			seen[hash] = true
		}
	}
	var kept []call
	for _, c := range calls {
		if c.Kind != "commit" || c.Outcome != "unknown" || seen[c.Hash] {
			kept = append(kept, c)
		}
	}
	return kept
}
