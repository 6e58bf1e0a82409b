package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// passwordFlags is for commands that set a password. It is no argument: those are
// seen by everybody on the machine.
type passwordFlags struct {
	PasswordStdin bool `help:"Read the password from standard input, a line."`
}

// maxPassword is what is read of a line, in bytes; more is no password.
const maxPassword = 4096

func (f passwordFlags) read(p process) (string, error) {
	if !f.PasswordStdin {
		return askPassword(p)
	}
	if p.stdin == nil {
		return "", usageError{errors.New("standard input has no password")}
	}
	line, err := bufio.NewReader(io.LimitReader(p.stdin, maxPassword)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read the password: %w", err)
	}
	if line = strings.TrimRight(line, "\r\n"); line == "" {
		return "", usageError{errors.New("standard input has no password")}
	}
	return line, nil
}

// askPassword asks twice, since nobody sees what is typed.
func askPassword(p process) (string, error) {
	terminal, ok := p.stdin.(*os.File)
	if !ok || !term.IsTerminal(int(terminal.Fd())) {
		return "", usageError{errors.New("there is no terminal to ask for the password: use --password-stdin")}
	}
	var typed [2]string
	for i, prompt := range []string{"Password: ", "Once more: "} {
		fmt.Fprint(p.stderr, prompt)
		text, err := term.ReadPassword(int(terminal.Fd()))
		fmt.Fprintln(p.stderr)
		if err != nil {
			return "", fmt.Errorf("read the password: %w", err)
		}
		typed[i] = string(text)
	}
	if typed[0] != typed[1] {
		return "", errors.New("the two passwords differ: nothing was changed")
	}
	return typed[0], nil
}
