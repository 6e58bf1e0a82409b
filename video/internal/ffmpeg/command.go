package ffmpeg

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// Command is one run of ffmpeg or ffprobe.
type Command struct {
	Program string   // "ffmpeg" or "ffprobe"
	Args    []string // all of them but -nostdin, -hide_banner and -v; those of Input stand where they belong
	Input   Input    // its files may be read
	Folder  string   // scratch folder that it may read and write, and where it runs; "": none

	// Stdin writes what the program reads from pipe:0, in a goroutine of its own; its
	// return is the end of that. ctx ends with the program; its error ends the run and
	// is the error of Run. Not with an Input of several parts.
	Stdin func(ctx context.Context, w io.Writer) error

	// Outputs read what the program writes to pipe:3, pipe:4, …, each in a
	// goroutine of its own. What one leaves unread is thrown away; the error of
	// one ends the run and is the error of Run.
	Outputs []func(io.Reader) error
	Stdout  io.Writer // nil: thrown away; an error of it ends the run

	Limits Limits
}

// Limits bound a run. A zero is the default.
type Limits struct {
	CPU      time.Duration // of all threads together, whole seconds; 4 h
	Wall     time.Duration // 12 h
	Memory   int64         // bytes of address space, libraries included; 6 GiB
	FileSize int64         // bytes of a file in Folder; 64 GiB
}

func (l Limits) orDefault() Limits {
	return Limits{
		CPU:      cmp.Or(l.CPU, 4*time.Hour),
		Wall:     cmp.Or(l.Wall, 12*time.Hour),
		Memory:   cmp.Or(l.Memory, 6<<30),
		FileSize: cmp.Or(l.FileSize, 64<<30),
	}
}

// grace is how long a program has between SIGTERM and SIGKILL.
const grace = 3 * time.Second

// Run runs a command to its end. A program that fails, is killed or takes too
// long gives an *Error; one that was ended with ctx gives the error of ctx. When
// Run returns, the program has ended and every reader has returned.
func (r *Runner) Run(ctx context.Context, c Command) error {
	_, err := r.run(ctx, c)
	return err
}

// run is Run, and what the program said. It is a span of the trace that ctx belongs to,
// if any.
func (r *Runner) run(ctx context.Context, c Command) (said string, err error) {
	ctx, span := trace.SpanFromContext(ctx).TracerProvider().Tracer("stoa/ffmpeg").Start(ctx, c.Program)
	defer func() {
		if err != nil {
			span.SetStatus(codes.Error, err.Error())
		}
		span.End()
	}()
	if err := c.Input.check(); err != nil {
		return "", fmt.Errorf("%s: %w", c.Program, err)
	}
	c.Limits = c.Limits.orDefault()

	timed, stop := context.WithTimeout(ctx, c.Limits.Wall)
	defer stop()
	running, fail := context.WithCancelCause(timed)
	defer fail(nil)

	// The kernel kills the program when the thread that started it ends, not
	// when the process does. So that thread must stay as long as the program.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()

	stderr := &tail{}
	cmd, pipes, err := r.start(running, c, stderr)
	if err != nil {
		return "", fmt.Errorf("%s: start: %w", c.Program, err)
	}
	pipes.read(fail)
	pipes.write(running, c.Stdin, fail)
	err = cmd.Wait()
	pipes.stop()
	pipes.wait()

	said = stderr.String()
	if c.Folder != "" {
		err = cmp.Or(unwritten(said), err)
	}
	var failed *outputError
	switch cause := context.Cause(running); {
	case errors.As(cause, &failed):
		return said, fmt.Errorf("%s: %w", c.Program, failed)
	case ctx.Err() != nil:
		return said, context.Cause(ctx)
	case err != nil:
		return said, newError(c.Program, said, cmd.ProcessState, timed.Err() != nil, err)
	}
	return said, nil
}

// start starts the program in namespaces of its own where the system grants
// them, and remembers when it does not.
func (r *Runner) start(ctx context.Context, c Command, stderr io.Writer) (*exec.Cmd, *pipes, error) {
	var refusal error
	if !r.shared.Load() {
		cmd, p, err := r.startIn(ctx, c, stderr, namespaces())
		if !refused(err) {
			return cmd, p, err
		}
		refusal = err
	}
	cmd, p, err := r.startIn(ctx, c, stderr, syscall.SysProcAttr{})
	if err == nil && refusal != nil && !r.shared.Swap(true) {
		r.log.Warn("ffmpeg gets no network namespace of its own", "reason", refusal)
	}
	return cmd, p, err
}

func (r *Runner) startIn(ctx context.Context, c Command, stderr io.Writer, attr syscall.SysProcAttr) (*exec.Cmd, *pipes, error) {
	p, err := openPipes(c)
	if err != nil {
		return nil, nil, err
	}
	cmd := exec.CommandContext(ctx, "/proc/self/exe")
	cmd.Args = []string{confinedName, strconv.Itoa(2 + len(p.given))}
	cmd.Env = []string{}
	cmd.Dir = cmp.Or(c.Folder, "/")
	if list := c.Input.listing(); list != "" {
		cmd.Stdin = strings.NewReader(list)
	}
	if p.stdin != nil {
		cmd.Stdin = p.stdin
	}
	cmd.Stdout, cmd.Stderr = c.Stdout, stderr
	cmd.ExtraFiles = p.given

	attr.Setpgid, attr.Pdeathsig = true, syscall.SIGKILL
	cmd.SysProcAttr = &attr
	cmd.Cancel = func() error {
		if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM); errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return nil
	}
	cmd.WaitDelay = grace // then SIGKILL, to it alone: it may not fork

	if err := cmd.Start(); err != nil {
		p.close()
		return nil, nil, err
	}
	p.started(r.order(c))
	return cmd, p, nil
}

// order is what the confining step is told.
func (r *Runner) order(c Command) order {
	o := order{Program: r.ffmpeg, Folder: c.Folder, Parent: os.Getpid(), Nice: r.Nice}
	o.CPU = uint64((c.Limits.CPU + time.Second - 1) / time.Second)
	o.Memory, o.FileSize = uint64(c.Limits.Memory), uint64(c.Limits.FileSize)
	for _, p := range c.Input.Parts {
		o.Files = append(o.Files, p.Path)
	}
	if c.Program == nothing {
		o.Program = ""
		return o
	}
	o.Args = []string{c.Program, "-hide_banner", "-v", "error"}
	if c.Program == "ffprobe" {
		o.Program = r.ffprobe
	} else {
		o.Args = append(o.Args, "-nostdin")
	}
	o.Args = append(o.Args, c.Args...)
	return o
}
