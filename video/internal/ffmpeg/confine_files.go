package ffmpeg

import (
	"debug/elf"
	"strings"

	"github.com/landlock-lsm/go-landlock/landlock"
	llsys "github.com/landlock-lsm/go-landlock/landlock/syscall"
)

// What any run may read: libraries, and fonts for text in pictures.
var (
	libraryFolders = []string{"/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64", "/nix/store"}
	libraryFiles   = []string{"/etc/ld.so.cache", "/etc/ld.so.conf", "/dev/urandom", "/dev/zero"}
	fontFolders    = []string{"/etc/fonts", "/usr/share/fonts", "/usr/share/fontconfig", "/usr/local/share/fonts"}
)

const (
	readFile = landlock.AccessFSSet(llsys.AccessFSReadFile)
	readTree = landlock.AccessFSSet(llsys.AccessFSReadFile | llsys.AccessFSReadDir)
	execute  = landlock.AccessFSSet(llsys.AccessFSExecute | llsys.AccessFSReadFile)
)

// restrictFiles leaves the process what the order names, no TCP, and no signals
// to others, as far as the kernel can. It answers the version of what the kernel
// can; 0 is nothing at all.
func restrictFiles(o order) (version int, err error) {
	version, err = llsys.LandlockGetABIVersion()
	if err != nil {
		return 0, nil // not built in, or not switched on
	}
	rules := []landlock.Rule{
		landlock.PathAccess(readTree, libraryFolders...).IgnoreIfMissing(),
		landlock.PathAccess(readTree, fontFolders...).IgnoreIfMissing(),
		landlock.PathAccess(readFile, libraryFiles...).IgnoreIfMissing(),
		landlock.PathAccess(readFile, o.Files...),
		landlock.RWFiles("/dev/null").IgnoreIfMissing(),
	}
	if o.Folder != "" {
		rules = append(rules, landlock.RWDirs(o.Folder))
	}
	if o.Program != "" {
		loader, err := interpreter(o.Program)
		if err != nil {
			return 0, err
		}
		rules = append(rules, landlock.PathAccess(execute, o.Program))
		if loader != "" {
			rules = append(rules, landlock.PathAccess(execute, loader))
		}
	}
	return version, landlock.V10.BestEffort().Restrict(rules...)
}

// interpreter is the loader that the kernel starts together with a program;
// "" for one that is linked statically.
func interpreter(program string) (string, error) {
	f, err := elf.Open(program)
	if err != nil {
		return "", err
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type != elf.PT_INTERP || p.Filesz > 4096 {
			continue
		}
		name := make([]byte, p.Filesz)
		if _, err := p.ReadAt(name, 0); err != nil {
			return "", err
		}
		return strings.TrimRight(string(name), "\x00"), nil
	}
	return "", nil
}
