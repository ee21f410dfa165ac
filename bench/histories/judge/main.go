// Judges histories with porcupine, a linearizability checker that is not ours: `judge [-seconds N] FILE …` prints a line
// of JSON for each file and leaves FILE.html with a picture of the first law that was broken. Exit code 1 when one was
// broken or not judged in time, 2 when a file cannot be read.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/anishathalye/porcupine"
)

type verdict struct {
	File  string `json:"file"`
	Calls int    `json:"calls"`
	// By law: "Ok", "Illegal", or "Unknown" when the time was over.
	Laws         map[string]string `json:"laws"`
	Picture      string            `json:"picture,omitempty"`
	Milliseconds int64             `json:"milliseconds"`
}

func main() {
	seconds := flag.Int("seconds", 60, "longest time for each law of each history")
	flag.Parse()
	code := 0
	for _, path := range flag.Args() {
		calls, err := readHistory(path)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		one := judge(path, calls, time.Duration(*seconds)*time.Second)
		for _, result := range one.Laws {
			if result != string(porcupine.Ok) {
				code = 1
			}
		}
		if err := json.NewEncoder(os.Stdout).Encode(one); err != nil {
			os.Exit(2)
		}
	}
	os.Exit(code)
}

func judge(path string, calls []call, limit time.Duration) verdict {
	started := time.Now()
	one := verdict{File: path, Calls: len(calls), Laws: map[string]string{}}
	kept := withoutUnseen(calls)
	for _, l := range laws {
		result, info := porcupine.CheckOperationsVerbose(l.model, l.part(kept), limit)
		one.Laws[l.name] = string(result)
		if result == porcupine.Illegal && one.Picture == "" {
			picture := path + ".html"
			if err := porcupine.VisualizePath(l.model, info, picture); err == nil {
				one.Picture = picture
			}
		}
	}
	one.Milliseconds = time.Since(started).Milliseconds()
	return one
}
