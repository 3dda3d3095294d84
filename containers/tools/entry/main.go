// Command entry is what the images of engines begin with. Told nothing, it is the engine: it becomes the program that
// it is given. With an order, on a machine that was started for one run, it fetches what the engine reads, runs it
// within limits, and hands back what it put out. All that it can reach are the links of the order.
package main

import (
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"syscall"
)

// orderVariable holds the link to the order. The engine does not get it, nor any other variable.
const orderVariable = "SVC_ENGINE_ORDER"

// Statuses tell whoever looks at the task alone why there is no result.
const (
	statusRefused   = 64
	statusNoResult  = 74
	statusForgotten = 75
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("entry: ")
	if len(os.Args) < 2 {
		log.Print("says which program it begins with: entry PROGRAM ARGUMENT…")
		os.Exit(statusRefused)
	}
	link, isOrdered := os.LookupEnv(orderVariable)
	if !isOrdered {
		log.Fatal(become(os.Args[1:]))
	}
	if err := carryOut(link, os.Args[1:]); err != nil {
		log.Print(err)
		if errors.Is(err, errForgotten) {
			os.Exit(statusForgotten)
		}
		os.Exit(statusNoResult)
	}
}

// become puts the program in the place of this one.
func become(command []string) error {
	path, err := exec.LookPath(command[0])
	if err != nil {
		return fmt.Errorf("there is no program %s: %w", command[0], err)
	}
	return syscall.Exec(path, command, os.Environ())
}
