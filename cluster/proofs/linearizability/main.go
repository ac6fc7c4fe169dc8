// Reads the history of a register, a line for each operation, and lets Porcupine decide whether it is linearizable.
//
//	CLIENT w|r VALUE CALL RETURN
//
// Times are in nanoseconds; RETURN is -1 for an operation whose outcome is unknown. Exits with 0 if the history is
// linearizable, with 1 if not, and with 2 if that could not be found out.
package main

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/anishathalye/porcupine"
)

type operation struct {
	write bool
	value int64
}

func main() {
	model := porcupine.Model{
		Init: func() interface{} { return int64(0) },
		Step: func(state, input, output interface{}) (bool, interface{}) {
			asked := input.(operation)
			if asked.write {
				return true, asked.value
			}
			return state.(int64) == output.(int64), state
		},
	}
	var history []porcupine.Operation
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var client int
		var kind string
		var value, call, end int64
		if _, err := fmt.Sscan(lines.Text(), &client, &kind, &value, &call, &end); err != nil {
			fmt.Fprintf(os.Stderr, "line %d: %v\n", len(history)+1, err)
			os.Exit(2)
		}
		if end < 0 {
			if kind == "r" {
				continue
			}
			end = math.MaxInt64
			client = 1_000_000 + len(history)
		}
		history = append(history, porcupine.Operation{ClientId: client, Input: operation{kind == "w", value},
			Call: call, Output: value, Return: end})
	}
	switch porcupine.CheckOperationsTimeout(model, history, 2*time.Minute) {
	case porcupine.Ok:
		fmt.Printf("linearizable: %d operations\n", len(history))
	case porcupine.Illegal:
		fmt.Printf("NOT linearizable: %d operations\n", len(history))
		os.Exit(1)
	default:
		fmt.Printf("not decided within two minutes: %d operations\n", len(history))
		os.Exit(2)
	}
}
