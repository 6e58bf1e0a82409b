package ffmpeg

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// Confinement is what holds a program in on this system.
type Confinement struct {
	Landlock  int  // version of the kernel's; 0: files are not guarded, from 4 on TCP is refused
	Calls     bool // sockets and new processes are refused by a filter of system calls
	Namespace bool // it has a network of its own, with nothing in it
}

// Complete says whether a program that a file has taken over can neither read
// other files nor reach a network.
func (c Confinement) Complete() bool {
	return c.Landlock > 0 && (c.Calls || c.Namespace)
}

// String says it in a line for an operator.
func (c Confinement) String() string {
	var holds, missing []string
	note := func(ok bool, good, bad string) {
		if ok {
			holds = append(holds, good)
		} else {
			missing = append(missing, bad)
		}
	}
	note(c.Landlock > 0, fmt.Sprintf("files by landlock %d", c.Landlock), "landlock (files are not guarded)")
	note(c.Calls, "no sockets by seccomp", "seccomp")
	note(c.Namespace, "a network namespace of its own", "a network namespace")
	line := strings.Join(holds, ", ")
	if len(missing) > 0 {
		line = strings.TrimPrefix(line+"; without "+strings.Join(missing, ", "), "; ")
	}
	return line
}

// nothing stands in place of a program when only the confining is of interest.
const nothing = "confinement"

// Confinement shuts a process in as Run does and lets it tell what holds.
func (r *Runner) Confinement(ctx context.Context) (Confinement, error) {
	var out bytes.Buffer
	if err := r.Run(ctx, Command{Program: nothing, Stdout: &out}); err != nil {
		return Confinement{}, err
	}
	var c Confinement
	if err := json.Unmarshal(out.Bytes(), &c); err != nil {
		return Confinement{}, fmt.Errorf("read what the confined process said: %w", err)
	}
	c.Namespace = !r.shared.Load()
	return c, nil
}

// report ends a process that was only to tell. It tries rather than believes.
func report(landlock int) error {
	_, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	c := Confinement{Landlock: landlock, Calls: errors.Is(err, unix.EPERM)}
	if err := json.NewEncoder(os.Stdout).Encode(c); err != nil {
		return err
	}
	os.Exit(0)
	return nil
}

// namespaces asks for a network with nothing in it. Who is not root needs a
// namespace of users to be granted it.
func namespaces() syscall.SysProcAttr {
	attr := syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	if os.Geteuid() != 0 {
		attr.Cloneflags |= syscall.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Geteuid(), HostID: os.Geteuid(), Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getegid(), HostID: os.Getegid(), Size: 1}}
	}
	return attr
}

// refused tells a start that failed for want of namespaces.
func refused(err error) bool {
	for _, reason := range []error{unix.EPERM, unix.EACCES, unix.EINVAL, unix.ENOSYS, unix.ENOSPC, unix.EUSERS} {
		if errors.Is(err, reason) {
			return true
		}
	}
	return false
}
