package ffmpeg

import (
	"errors"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// refusedCalls are those that a program that turns bytes into bytes never
// needs: sockets, other processes, and what has often led out of a cage.
var refusedCalls = []uint32{
	unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_IO_URING_SETUP,
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PIDFD_GETFD,
	unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT,
	unix.SYS_FSOPEN, unix.SYS_OPEN_TREE, unix.SYS_MOVE_MOUNT,
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_OPEN_BY_HANDLE_AT,
	unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_KEXEC_LOAD,
}

// callFilters names the machines whose calls are known here.
var callFilters = map[string]struct {
	arch  uint32
	forks []uint32 // older calls that start a process
}{
	"amd64": {unix.AUDIT_ARCH_X86_64, []uint32{57, 58}}, // fork, vfork
	"arm64": {unix.AUDIT_ARCH_AARCH64, nil},
}

// Offsets in struct seccomp_data.
const (
	callNumber = 0
	callArch   = 4
	callArg0   = 16 // lower half, little endian
)

// filterCalls makes the refused calls fail with EPERM from here on, for this
// thread. On other machines it does nothing.
func filterCalls() error {
	machine, known := callFilters[runtime.GOARCH]
	if !known {
		return nil
	}
	const refuse = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	program := []unix.SockFilter{
		load(callArch), jumpIf(unix.BPF_JEQ, machine.arch, 1), answer(unix.SECCOMP_RET_KILL_PROCESS),
		load(callNumber),
	}
	add := func(f ...unix.SockFilter) { program = append(program, f...) }

	// The 32-bit face of amd64 has numbers of its own.
	add(jumpUnless(unix.BPF_JGE, 0x40000000, 1), answer(refuse))
	for _, call := range append(refusedCalls, machine.forks...) {
		add(jumpUnless(unix.BPF_JEQ, call, 1), answer(refuse))
	}
	// The arguments of clone3 are out of sight; libc falls back to clone, which
	// may only make threads.
	add(jumpUnless(unix.BPF_JEQ, unix.SYS_CLONE3, 1), answer(unix.SECCOMP_RET_ERRNO|uint32(unix.ENOSYS)))
	add(jumpUnless(unix.BPF_JEQ, unix.SYS_CLONE, 3), load(callArg0), jumpIf(unix.BPF_JSET, unix.CLONE_THREAD, 1), answer(refuse))
	add(answer(unix.SECCOMP_RET_ALLOW))

	_, _, errno := syscall.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0,
		uintptr(unsafe.Pointer(&unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]})))
	runtime.KeepAlive(program)
	if errno != 0 && !errors.Is(errno, unix.ENOSYS) && !errors.Is(errno, unix.EINVAL) {
		return errno
	}
	return nil
}

func load(offset uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
}

func jumpIf(test uint16, k uint32, skip uint8) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, K: k, Jt: skip}
}

func jumpUnless(test uint16, k uint32, skip uint8) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, K: k, Jf: skip}
}

func answer(verdict uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: verdict}
}
