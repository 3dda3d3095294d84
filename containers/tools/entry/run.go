package main

import (
	"encoding/json"
	"errors"
	"io"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// Result is what came of a run.
type Result struct {
	// End is "exit", or what ended it: "time", "output", "input", "start".
	End string `json:"end"`
	// ExitCode is null where a signal ended the engine.
	ExitCode *int `json:"exit_code"`
	// Log is the end of what it printed.
	Log string `json:"log"`
	// Message says what went wrong before it ran.
	Message     string `json:"message"`
	OutputBytes int64  `json:"output_bytes"`
	Seconds     int    `json:"seconds"`
}

// carryOut does what the order says. An error says that there is no result.
func carryOut(link string, program []string) error {
	var order Order
	err := retried("the order could not be read", func() (err error) {
		order, err = readOrder(link)
		return err
	})
	if err != nil {
		return err
	}
	renewed := renewing(order)
	stopped := make(chan os.Signal, 1)
	signal.Notify(stopped, syscall.SIGTERM, syscall.SIGINT)
	ending := make(chan struct{})
	why := errors.New("the run was stopped")
	go func() {
		select {
		case <-stopped:
		case <-renewed.Lapsed:
			why = errForgotten
		}
		close(ending)
	}()

	result, err := perform(order, program, ending)
	select {
	case <-ending:
		return why
	default:
	}
	if err != nil {
		return err
	}
	return handBack(renewed, result)
}

// perform fetches and runs; nil errors beside results that are none say why there is no more.
func perform(order Order, program []string, ending <-chan struct{}) (Result, error) {
	within := &budget{order.MaxInputBytes}
	for _, file := range order.Files {
		if err := fetch(order.Folder, file, within); err != nil {
			return Result{End: "input", Message: err.Error()}, nil
		}
	}
	output, err := below(order.Folder, order.Output)
	if err != nil {
		return Result{}, err
	}
	if err := os.MkdirAll(output, 0o755); err != nil {
		return Result{}, err
	}
	return runEngine(order, program, ending)
}

// runEngine runs the program in a group of its own, all of which goes with it.
func runEngine(order Order, program []string, ending <-chan struct{}) (Result, error) {
	said := &tail{most: order.MaxLogBytes}
	command := exec.Command(program[0], append(program[1:], order.Args...)...)
	command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + order.Folder, "TMPDIR=/tmp", "LANG=C.UTF-8"}
	command.Dir = order.StartsIn
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Stdout, command.Stderr = said, said
	// What a program of its own that it leaves behind holds open is not waited for.
	command.WaitDelay = 5 * time.Second
	if order.PrintsTo != "" {
		path, err := below(order.Output, filepath.Join(order.Output, order.PrintsTo))
		if err != nil {
			return Result{}, err
		}
		file, err := os.Create(path)
		if err != nil {
			return Result{}, err
		}
		defer file.Close()
		command.Stdout = file
	}
	began := time.Now()
	if err := startLimited(command, order.MaxOutputBytes); err != nil {
		return Result{End: "start", Message: err.Error()}, nil
	}
	end := watch(command, order, ending)
	code := command.ProcessState.ExitCode()
	result := Result{End: end, Log: said.String(), Seconds: int(time.Since(began).Seconds()), OutputBytes: sizeOf(order.Output)}
	if code >= 0 {
		result.ExitCode = &code
	}
	if result.End == "exit" && result.OutputBytes > order.MaxOutputBytes {
		result.End = "output"
	}
	return result, nil
}

// startLimited has no file of the engine grow beyond the limit. Limits are those of the process that starts it.
func startLimited(command *exec.Cmd, most int64) error {
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		return err
	}
	limited := before
	limited.Cur = min(uint64(most)+1, before.Max)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limited); err != nil {
		return err
	}
	return errors.Join(command.Start(), syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before))
}

// watch waits for the end of the engine, or ends it, and tells which.
func watch(command *exec.Cmd, order Order, ending <-chan struct{}) string {
	ended := make(chan struct{})
	go func() {
		if err := command.Wait(); err != nil {
			log.Printf("the engine: %v", err)
		}
		close(ended)
	}()
	kill := func(why string) string {
		_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
		<-ended
		return why
	}
	late := time.NewTimer(time.Duration(order.Seconds) * time.Second)
	defer late.Stop()
	looking := time.NewTicker(time.Second)
	defer looking.Stop()
	for {
		select {
		case <-ended:
			// What it has left behind goes, too.
			return kill("exit")
		case <-ending:
			return kill("stopped")
		case <-late.C:
			return kill("time")
		case <-looking.C:
			if sizeOf(order.Output) > order.MaxOutputBytes {
				return kill("output")
			}
		}
	}
}

// handBack leaves what was put out, and then the result, which says that the rest is there.
func handBack(renewed *Renewed, result Result) error {
	folder := renewed.now().Folder
	if result.End == "exit" {
		err := handOver(filepath.Join(folder, "output.tar.gz"), "what the engine put out could not be left",
			func() string { return renewed.now().ToOutput },
			func(file io.Writer) error { return pack(renewed.now().Output, file) })
		if err != nil {
			return err
		}
	}
	return handOver(filepath.Join(folder, "result.json"), "the result could not be left",
		func() string { return renewed.now().ToResult },
		func(file io.Writer) error { return json.NewEncoder(file).Encode(result) })
}

func handOver(path, what string, link func() string, fill func(io.Writer) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := fill(file); err != nil {
		return err
	}
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	return retried(what, func() error { return put(link(), file, size) })
}

// tail keeps the end of what is written to it.
type tail struct {
	mutex sync.Mutex
	most  int
	kept  []byte
}

func (t *tail) Write(piece []byte) (int, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.kept = append(t.kept, piece...)
	if len(t.kept) > 2*t.most {
		t.kept = append([]byte(nil), t.kept[len(t.kept)-t.most:]...)
	}
	return len(piece), nil
}

func (t *tail) String() string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return string(t.kept[max(0, len(t.kept)-t.most):])
}
