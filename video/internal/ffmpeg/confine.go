package ffmpeg

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// confinedName is the name of a process that confines itself, as its argument 0.
const confinedName = "stoa-confined"

// confinedStatus is its exit status when it cannot. ffmpeg never uses it.
const confinedStatus = 126

// order is what the confining step has to do.
type order struct {
	Program string   // what to become; "": write a Confinement to the standard output
	Args    []string // with argument 0
	Folder  string
	Files   []string // that may be read
	Parent  int      // process id
	Nice    int

	CPU      uint64 // seconds
	Memory   uint64 // bytes
	FileSize uint64 // bytes
}

// Confined must be the first call of main, and of TestMain where a [Runner] is
// used. In a process that a Runner started it never returns: it gives up what
// ffmpeg does not need, and becomes ffmpeg. In any other process it does nothing.
func Confined() {
	if len(os.Args) != 2 || os.Args[0] != confinedName {
		return
	}
	err := become(os.Args[1])
	fmt.Fprintln(os.Stderr, "confine:", err)
	os.Exit(confinedStatus)
}

// become only returns if it fails.
func become(descriptor string) error {
	// What follows counts for one thread, the one that calls exec.
	runtime.LockOSThread()
	o, err := readOrder(descriptor)
	if err != nil {
		return fmt.Errorf("read the order: %w", err)
	}
	landlock, err := shutIn(o)
	if err != nil {
		return err
	}
	if o.Program == "" {
		return report(landlock)
	}
	if err := setLimits(o); err != nil {
		return fmt.Errorf("set limits: %w", err)
	}
	environment := []string{"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "HOME=/", "TMPDIR=" + o.Folder}
	return fmt.Errorf("exec %s: %w", o.Program, turnInto(o.Program, o.Args, environment, o.Memory))
}

func readOrder(descriptor string) (o order, err error) {
	n, err := strconv.Atoi(descriptor)
	if err != nil {
		return o, err
	}
	f := os.NewFile(uintptr(n), "order")
	if f == nil {
		return o, errors.New("no such descriptor")
	}
	defer f.Close()
	return o, json.NewDecoder(f).Decode(&o)
}

// shutIn gives up rights, the ones that the next steps need last.
func shutIn(o order) (landlock int, err error) {
	// Best effort: where it is refused, ffmpeg is merely not as polite.
	_ = unix.Setpriority(unix.PRIO_PROCESS, 0, o.Nice)
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("500"), 0)

	// Namespaces may have cleared what the start of the process had set.
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return 0, fmt.Errorf("die with the parent: %w", err)
	}
	if os.Getppid() != o.Parent {
		return 0, errors.New("the parent is gone")
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return 0, fmt.Errorf("no new privileges: %w", err)
	}
	if landlock, err = restrictFiles(o); err != nil {
		return 0, fmt.Errorf("landlock: %w", err)
	}
	if err := dropCapabilities(); err != nil {
		return 0, fmt.Errorf("drop capabilities: %w", err)
	}
	if err := filterCalls(); err != nil {
		return 0, fmt.Errorf("seccomp: %w", err)
	}
	return landlock, nil
}

func setLimits(o order) error {
	var files unix.Rlimit // ffmpeg opens all parts of a source at once
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &files); err != nil {
		return err
	}
	for what, most := range map[int]uint64{
		unix.RLIMIT_NOFILE: files.Max,
		unix.RLIMIT_CORE:   0,
		unix.RLIMIT_CPU:    o.CPU, // no lower limit for SIGXCPU: ffmpeg takes that for a wish to end well
		unix.RLIMIT_FSIZE:  o.FileSize,
	} {
		limit, err := lower(what, most)
		if err != nil {
			return err
		}
		if err := unix.Setrlimit(what, &limit); err != nil {
			return err
		}
	}
	return nil
}

// lower is a limit that is not above the one in force.
func lower(what int, most uint64) (unix.Rlimit, error) {
	var now unix.Rlimit
	err := unix.Getrlimit(what, &now)
	most = min(most, now.Max)
	return unix.Rlimit{Cur: most, Max: most}, err
}

// turnInto is syscall.Exec with a limit of memory. This process has more than that
// limit in its address space, and could not even make a copy of its arguments
// once it is set, so nothing may stand between the two calls.
func turnInto(program string, args, environment []string, memory uint64) error {
	limit, err := lower(unix.RLIMIT_AS, memory)
	if err != nil {
		return err
	}
	path, err := syscall.BytePtrFromString(program)
	if err != nil {
		return err
	}
	argv, err := syscall.SlicePtrFromStrings(args)
	if err != nil {
		return err
	}
	envv, err := syscall.SlicePtrFromStrings(environment)
	if err != nil {
		return err
	}
	debug.SetGCPercent(-1) // no thread of the runtime may want memory either
	syscall.RawSyscall6(unix.SYS_PRLIMIT64, 0, unix.RLIMIT_AS, uintptr(unsafe.Pointer(&limit)), 0, 0, 0)
	_, _, errno := syscall.RawSyscall(unix.SYS_EXECVE,
		uintptr(unsafe.Pointer(path)), uintptr(unsafe.Pointer(&argv[0])), uintptr(unsafe.Pointer(&envv[0])))
	return errno
}

// dropCapabilities leaves a process of root the right to pass over the owners
// of files, and of other users nothing. What is not there cannot be dropped.
func dropCapabilities() error {
	for c := 0; c <= unix.CAP_LAST_CAP; c++ {
		if c == unix.CAP_DAC_OVERRIDE {
			continue
		}
		err := unix.Prctl(unix.PR_CAPBSET_DROP, uintptr(c), 0, 0, 0)
		if err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.EPERM) {
			return err
		}
	}
	err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
	if errors.Is(err, unix.EINVAL) { // an old kernel has none
		return nil
	}
	return err
}
