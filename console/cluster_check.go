package console

import (
	"stoa/internal/fault"
	"stoa/inventory"
	"stoa/inventory/format"
	"stoa/inventory/scaffold"
)

// clusterCheck is what is wrong with a document.
type clusterCheck struct {
	Valid    bool             `json:"valid"`
	Errors   int              `json:"errors"`
	Warnings int              `json:"warnings"`
	Infos    int              `json:"infos"`
	Faults   inventory.Faults `json:"faults"` // the first of them
}

// Nobody mends more faults than these at a time; their paths may be long.
const (
	mostFaults     = 500
	mostFaultBytes = 1 << 20
)

func checked(faults inventory.Faults) clusterCheck {
	check := clusterCheck{
		Valid:  !faults.Invalid(),
		Errors: faults.Count(inventory.Error), Warnings: faults.Count(inventory.Warning), Infos: faults.Count(inventory.Info),
		Faults: inventory.Faults{},
	}
	room := mostFaultBytes
	for _, f := range faults[:min(len(faults), mostFaults)] {
		if room -= len(f.Path) + len(f.Message) + len(f.Hint); room < 0 {
			break
		}
		check.Faults = append(check.Faults, f)
	}
	return check
}

// checkCluster says everything that is wrong, and what is hardly meant.
func checkCluster(c *clusterCall, body clusterRequest) error {
	doc, faults := body.load()
	if doc != nil {
		faults = inventory.Lint(c.ctx, doc, c.options)
	}
	return c.answer(checked(faults))
}

// formatCluster answers with the document in canonical form; null when it cannot be read.
func formatCluster(c *clusterCall, body clusterRequest) error {
	var answer struct {
		Check    clusterCheck `json:"check"`
		Document *string      `json:"document"`
	}
	text, faults, err := format.Source(body.called(), []byte(body.Document))
	if err != nil && len(faults) == 0 {
		return fault.Wrap(fault.Invalid, err)
	}
	answer.Check = checked(faults)
	if len(faults) == 0 {
		answer.Document = new(string(text))
	}
	return c.answer(answer)
}

// example is a document to start from.
type example struct {
	Shape    string `json:"shape"`
	Document string `json:"document"`
}

func (c *Console) getClusterExamples(call *call) error {
	var answer struct {
		Examples []example `json:"examples"`
	}
	for _, shape := range scaffold.Shapes {
		text, err := scaffold.Document(scaffold.Options{Shape: shape})
		if err != nil {
			return err
		}
		answer.Examples = append(answer.Examples, example{shape, string(text)})
	}
	return call.answer(answer)
}
