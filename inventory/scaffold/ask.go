package scaffold

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"stoa/inventory"
)

// ErrNoAnswer is the end of the input in the middle of the questions.
var ErrNoAnswer = errors.New("no answer: the input ended")

// Ask fills what is left open in o by asking. A blank answer takes the default
// that is shown; a wrong one is asked for again.
func Ask(in io.Reader, out io.Writer, o *Options) error {
	a := asker{in: bufio.NewScanner(in), out: out}
	a.text(&o.Shape, "Shape: single (one node), ha (balancers, three control planes, workers) or gateway (nodes behind one)", Shapes[0], oneOf("shape", Shapes))
	a.text(&o.Name, "Full domain name of the cluster", "k8s.example.com", checkName)
	if o.Shape != "single" && len(o.Nodes) == 0 {
		d := counts[o.Shape]
		a.number(&o.Balancers, "How many balancers", d.balancers, between(0, maxBalancers))
		a.number(&o.ControlPlanes, "How many control planes: 1, 3 or 5", d.controlPlanes, oddUpTo(maxControlPlanes))
		a.number(&o.Workers, "How many workers; 0: the control planes do their work", d.workers, between(0, maxWorkers))
	}
	if o.Shape == "ha" && (o.Balancers == nil || *o.Balancers > 0) {
		a.text(&o.VRRP, "VRRP address that moves between the balancers, blank for an example", "", checkVRRP)
	}
	if o.Shape == "gateway" {
		a.text(&o.Gateway, "Gateway as [USER@]ADDRESS, blank for an example", "", checkGateway)
	}
	a.text(&o.User, "SSH user", "root", anything)
	a.text(&o.Keyfile, "SSH key", "{{ env.HOME }}/.ssh/id_ed25519", anything)
	a.text(&o.Kubernetes, "Kubernetes version: "+listing(inventory.Versions(), ", "), DefaultKubernetes, oneOf("Kubernetes version", inventory.Versions()))
	return a.err
}

type asker struct {
	in  *bufio.Scanner
	out io.Writer
	err error
}

func (a *asker) ask(question, standard string) string {
	if standard != "" {
		question += " [" + standard + "]"
	}
	fmt.Fprintf(a.out, "%s: ", question)
	if !a.in.Scan() {
		a.err = errors.Join(ErrNoAnswer, a.in.Err())
		return standard
	}
	if answer := strings.TrimSpace(a.in.Text()); answer != "" {
		return answer
	}
	return standard
}

// text asks until the answer is sound.
func (a *asker) text(field *string, question, standard string, sound func(string) error) {
	for *field == "" && a.err == nil {
		*field = a.ask(question, standard)
		if *field == "" {
			return
		}
		if err := sound(*field); err != nil {
			fmt.Fprintln(a.out, err)
			*field = ""
		}
	}
}

func (a *asker) number(field **int, question string, standard int, sound func(int) error) {
	for *field == nil && a.err == nil {
		n, err := strconv.Atoi(a.ask(question, strconv.Itoa(standard)))
		if err != nil {
			err = errors.New("want a whole number")
		} else {
			err = sound(n)
		}
		if err != nil {
			fmt.Fprintln(a.out, err)
			continue
		}
		*field = &n
	}
}

func between(least, most int) func(int) error {
	return func(n int) error {
		if n < least || n > most {
			return fmt.Errorf("want %d to %d", least, most)
		}
		return nil
	}
}

func oddUpTo(most int) func(int) error {
	return func(n int) error {
		if n%2 == 0 {
			return errors.New("want an odd number: of an even one, no more may fail")
		}
		return between(1, most)(n)
	}
}

func anything(string) error { return nil }

func oneOf(what string, words []string) func(string) error {
	return func(text string) error {
		if !slices.Contains(words, text) {
			return fmt.Errorf("%s %q: want %s", what, text, listing(words, ", "))
		}
		return nil
	}
}

func checkGateway(text string) error {
	_, err := parseGateway(text, "root")
	return err
}
