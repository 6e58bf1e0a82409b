package redistest

import (
	"fmt"
	"os/exec"
	"strconv"
	"strings"
)

// Command asks the server by redis-cli, with the right credentials, and returns
// what it prints.
func (s *Server) Command(args ...string) (string, error) {
	path, err := binary("redis-cli")
	if err != nil {
		return "", err
	}
	cmd := exec.Command(path, append(s.cliFlags(), args...)...)
	out, err := cmd.CombinedOutput()
	text := strings.TrimSpace(string(out))
	if err != nil {
		return "", fmt.Errorf("redis-cli %s: %w: %s", strings.Join(args, " "), err, text)
	}
	if isError(text) {
		return "", fmt.Errorf("redis-cli %s: %s", strings.Join(args, " "), text)
	}
	return text, nil
}

// isError knows an error reply by its first word, such as ERR or NOAUTH.
func isError(text string) bool {
	for _, kind := range []string{"ERR ", "NOAUTH ", "NOPERM ", "WRONGPASS ", "LOADING ", "CLUSTERDOWN ", "NOGOODSLAVE ", "INPROG "} {
		if strings.HasPrefix(text, kind) {
			return true
		}
	}
	return false
}

func (s *Server) cliFlags() []string {
	flags := []string{"-h", "127.0.0.1", "-p", strconv.Itoa(s.port)}
	if s.set.socket {
		flags = []string{"-s", s.addr}
	}
	if s.set.tls {
		flags = append(flags, "--tls", "--insecure", "--cert", s.Certs.ClientCert, "--key", s.Certs.ClientKey, "--cacert", s.Certs.CA)
	}
	if s.set.password != "" {
		flags = append(flags, "--no-auth-warning", "-a", s.set.password)
	}
	if s.set.user != "" {
		flags = append(flags, "--user", s.set.user)
	}
	return flags
}
