// What the clients of a log of blocks may see, as three sequential models. An answer is right when there is one order
// of all calls, each at a moment between its beginning and its answer, in which the model gives these answers.
package main

import (
	"fmt"

	"github.com/anishathalye/porcupine"
)

// law is one model with the part of a history that it judges.
type law struct {
	name  string
	model porcupine.Model
	part  func(calls []call) []porcupine.Operation
}

var laws = []law{
	{"register-per-height", heights, heightCalls},
	{"acknowledged-heads", acknowledged, acknowledgedCalls},
	{"one-head", head, headCalls},
}

func operation(c call, input any) porcupine.Operation {
	return porcupine.Operation{ClientId: c.Client, Input: input, Call: c.Called, Return: c.returned()}
}

// heights: every height is a register that is written once. A refused commit writes nothing, whoever else wrote.
var heights = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		return partition(history, func(o porcupine.Operation) any { return o.Input.(call).Number })
	},
	Init: func() any { return "" },
	Step: func(state, input, _ any) (bool, any) {
		held, c := state.(string), input.(call)
		if c.Kind == "holds" || c.Kind == "head" {
			return held == c.Hash, held
		}
		switch {
		case c.Outcome == "refused":
			return true, held
		case held == "" || held == c.Hash:
			return true, c.Hash
		}
		// Of a call without an answer nothing is known: here it wrote nothing.
		return c.Outcome == "unknown", held
	},
	DescribeOperation: describeCall,
}

func heightCalls(calls []call) []porcupine.Operation {
	var history []porcupine.Operation
	for _, c := range calls {
		history = append(history, operation(c, c))
	}
	return history
}

// member asks whether one acknowledged block is on the chain: commits add it, what answers tell of the chain at or above
// its height says whether it is there.
type member struct {
	hash   string
	adds   bool
	has    bool
	source call
}

// acknowledged: the set of blocks whose commit was answered with success only grows.
var acknowledged = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		return partition(history, func(o porcupine.Operation) any { return o.Input.(member).hash })
	},
	Init: func() any { return false },
	Step: func(state, input, _ any) (bool, any) {
		isIn, m := state.(bool), input.(member)
		if m.adds {
			return true, true
		}
		return m.has == isIn, isIn
	},
	DescribeOperation: func(input, _ any) string { return describeCall(input.(member).source, nil) },
}

func acknowledgedCalls(calls []call) []porcupine.Operation {
	blocks := chainOf(calls)
	isAcknowledged := map[string]bool{}
	for _, c := range calls {
		if c.Kind == "commit" && c.Outcome == "ok" {
			isAcknowledged[c.Hash] = true
		}
	}
	var history []porcupine.Operation
	for _, c := range calls {
		switch {
		case c.Kind == "commit":
			if isAcknowledged[c.Hash] && c.Outcome != "refused" {
				history = append(history, operation(c, member{hash: c.Hash, adds: true, source: c}))
			}
		default:
			for hash := range isAcknowledged {
				if number := blocks[hash].Number; number <= c.Number {
					has := blocks.ancestor(c.Hash, number) == hash
					history = append(history, operation(c, member{hash: hash, has: has, source: c}))
				}
			}
		}
	}
	return history
}

// head: there is one highest block, a commit puts the next on top of it, and whoever is told the head is told this one.
var head = porcupine.Model{
	Init: func() any { return call{Number: -1} },
	Step: func(state, input, _ any) (bool, any) {
		tip, c := state.(call), input.(call)
		if c.Kind == "head" {
			return tip.Number == c.Number && tip.Hash == c.Hash, tip
		}
		if isOnTop := tip.Number < 0 || (c.Number == tip.Number+1 && c.Parent == tip.Hash); isOnTop {
			return true, call{Number: c.Number, Hash: c.Hash}
		}
		// Offered again; that it is the block of its height is the register's to judge.
		isBelow := c.Number < tip.Number || c.Hash == tip.Hash
		return isBelow || c.Outcome == "unknown", tip
	},
	DescribeOperation: describeCall,
	DescribeState:     func(state any) string { return fmt.Sprintf("%d %s", state.(call).Number, short(state.(call).Hash)) },
}

func headCalls(calls []call) []porcupine.Operation {
	var history []porcupine.Operation
	for _, c := range calls {
		if c.Kind == "head" || (c.Kind == "commit" && c.Outcome != "refused") {
			history = append(history, operation(c, c))
		}
	}
	return history
}

func partition(history []porcupine.Operation, keyOf func(porcupine.Operation) any) [][]porcupine.Operation {
	at := map[any]int{}
	var parts [][]porcupine.Operation
	for _, one := range history {
		key := keyOf(one)
		if _, known := at[key]; !known {
			at[key] = len(parts)
			parts = append(parts, nil)
		}
		parts[at[key]] = append(parts[at[key]], one)
	}
	return parts
}

func describeCall(input, _ any) string {
	c := input.(call)
	return fmt.Sprintf("%s: %s %d %s %s", c.Server, c.Kind, c.Number, short(c.Hash), c.Outcome)
}

func short(hash string) string {
	return hash[:min(len(hash), 10)]
}
