package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"sync"
	"time"
)

// Order says what one run is. Its links are good for minutes: while the run lasts, whoever waits for it writes the
// order anew, with new links, under the same name.
type Order struct {
	// Folder holds all that the run reads and writes.
	Folder string   `json:"folder"`
	Files  []File   `json:"files"`
	Args   []string `json:"args"`
	// StartsIn is where the engine is started; empty for where this program is.
	StartsIn string `json:"starts_in"`
	// Output is the folder that the engine may write to, made empty.
	Output string `json:"output"`
	// PrintsTo is the file of the output that what the engine prints goes to; empty where that is for the log alone.
	PrintsTo string `json:"prints_to"`
	Seconds  int    `json:"seconds"`
	// MaxInputBytes bounds what is fetched and unpacked, MaxOutputBytes what the engine leaves, MaxLogBytes what is kept
	// of what it says.
	MaxInputBytes  int64 `json:"max_input_bytes"`
	MaxOutputBytes int64 `json:"max_output_bytes"`
	MaxLogBytes    int   `json:"max_log_bytes"`
	// ToOutput and ToResult take what comes of it, by PUT.
	ToOutput string `json:"to_output"`
	ToResult string `json:"to_result"`
	// Again leads to this order, as it is by then, after so many seconds.
	Again        string `json:"again"`
	AgainSeconds int    `json:"again_seconds"`
	// LapseSeconds without another order end the run: nobody waits for it any more.
	LapseSeconds int `json:"lapse_seconds"`
}

// File is something that the engine reads: a file, or a folder as an archive.
type File struct {
	Link      string `json:"link"`
	Path      string `json:"path"`
	IsArchive bool   `json:"is_archive"`
}

const maxOrderBytes = 1 << 20

var errForgotten = errors.New("nobody has renewed the order: the run ends")

// client follows no redirects, and waits for no server that says nothing.
var client = &http.Client{
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	Transport: &http.Transport{
		ResponseHeaderTimeout: 60 * time.Second,
		TLSHandshakeTimeout:   20 * time.Second,
		ForceAttemptHTTP2:     false,
	},
}

// attempts is how often a request is made before it has failed.
const attempts = 5

// retried calls until it succeeds; what the store refuses (4xx) is refused for good.
func retried(what string, call func() error) error {
	var err error
	for attempt := range attempts {
		if attempt > 0 {
			time.Sleep(time.Duration(1<<attempt) * 500 * time.Millisecond)
		}
		if err = call(); err == nil {
			return nil
		}
		var refused refusal
		if errors.As(err, &refused) && refused.status/100 == 4 {
			break
		}
	}
	return fmt.Errorf("%s: %w", what, err)
}

// refusal is an answer that is none. It does not repeat the link, which is a right.
type refusal struct{ status int }

func (r refusal) Error() string { return fmt.Sprintf("the store answered %d", r.status) }

func get(link string, take func(io.Reader) error) error {
	response, err := client.Get(link)
	if err != nil {
		return withoutLink(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return refusal{response.StatusCode}
	}
	return take(response.Body)
}

// put sends a file, whose size the store is told first.
func put(link string, file *os.File, size int64) error {
	request, err := http.NewRequest(http.MethodPut, link, io.NewSectionReader(file, 0, size))
	if err != nil {
		return withoutLink(err)
	}
	request.ContentLength = size
	response, err := client.Do(request)
	if err != nil {
		return withoutLink(err)
	}
	defer response.Body.Close()
	if response.StatusCode/100 != 2 {
		return refusal{response.StatusCode}
	}
	return nil
}

// withoutLink keeps the address out of logs.
func withoutLink(err error) error {
	var told interface{ Unwrap() error }
	if errors.As(err, &told) {
		return told.Unwrap()
	}
	return err
}

func readOrder(link string) (Order, error) {
	var order Order
	err := get(link, func(body io.Reader) error {
		return json.NewDecoder(io.LimitReader(body, maxOrderBytes)).Decode(&order)
	})
	return order, err
}

// Renewed is an order as it is now. Lapsed closes when nobody has renewed it for too long.
type Renewed struct {
	mutex  sync.Mutex
	order  Order
	Lapsed chan struct{}
}

// renewing asks for the order again and again, for as long as this process lives.
func renewing(order Order) *Renewed {
	renewed := &Renewed{order: order, Lapsed: make(chan struct{})}
	go func() {
		since := time.Now()
		for {
			now := renewed.now()
			time.Sleep(time.Duration(now.AgainSeconds) * time.Second)
			next, err := readOrder(now.Again)
			switch {
			case err == nil:
				since = time.Now()
				renewed.mutex.Lock()
				renewed.order = next
				renewed.mutex.Unlock()
			case time.Since(since) > time.Duration(now.LapseSeconds)*time.Second:
				close(renewed.Lapsed)
				return
			default:
				log.Printf("the order could not be read again: %v", err)
			}
		}
	}()
	return renewed
}

func (r *Renewed) now() Order {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.order
}
