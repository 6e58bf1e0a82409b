package inventory

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// checkPlugins looks at the steps of all plugins, installed or not.
func (r *resolver) checkPlugins() {
	plugins := r.root.Get("plugins")
	for _, plugin := range plugins.Members {
		steps := plugin.Value.Get("installation", "procedures")
		if steps == nil {
			continue
		}
		for i, step := range steps.Items {
			w := (*way)(nil).member("plugins").member(plugin.Name).member("installation").member("procedures").item(i)
			if step.Kind == Map && r.taint.sound(w.pointer()) {
				r.checkStep(step, w)
			}
		}
	}
}

func (r *resolver) checkStep(step *Value, w *way) {
	for _, file := range [][2]string{{"template", "source"}, {"config", "source"}, {"ansible", "playbook"}} {
		r.checkFile(step.Get(file[0], file[1]), r.stepPath(w, file[0], file[1]), file[0])
	}
	r.checkPython(step.Get("python"), w.member("python"))
	if v := step.Get("thirdparty"); v != nil {
		files := r.root.Get("services", "thirdparties")
		if files.Get(v.Str()) == nil {
			r.fault(PluginThirdparty, v, w.member("thirdparty").pointer(), didYouMean(v.Str(), sortedNames(files)), "third-party file %q is not in services.thirdparties", short(v.Str()))
		}
	}
	if shell := step.Get("shell"); shell != nil {
		r.checkShell(shell, w.member("shell"))
	}
}

// stepPath is the pointer of a step's file: of the short form, the step itself.
func (r *resolver) stepPath(w *way, step, member string) string {
	if v := r.doc.Root.at(w.member(step).segments()); v != nil && v.Kind == Map {
		return w.member(step).member(member).pointer()
	}
	return w.member(step).pointer()
}

// find is the files that a name or pattern means, below the document's folder.
func (r *resolver) find(name string) []string {
	if !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(r.doc.Name), name)
	}
	found, err := filepath.Glob(name)
	if err != nil || len(found) == 0 {
		if _, err := os.Stat(name); err == nil {
			return []string{name}
		}
	}
	return found
}

func (r *resolver) checkFile(v *Value, path, what string) {
	if v == nil || v.Kind != String || r.o.NoFiles {
		return
	}
	if len(r.find(v.Text)) == 0 {
		r.fault(PluginFile, v, path, "relative paths start at the folder of the document", "%s file %q does not exist", what, short(v.Text))
	}
}

func (r *resolver) checkPython(python *Value, w *way) {
	if python == nil || r.o.NoFiles {
		return
	}
	module, method := python.Get("module"), python.Get("method")
	files := r.find(module.Str())
	if len(files) == 0 {
		r.fault(PluginFile, module, w.member("module").pointer(), "relative paths start at the folder of the document", "python file %q does not exist", short(module.Str()))
		return
	}
	text, err := readBounded(files[0])
	if err != nil {
		r.fault(PluginFile, module, w.member("module").pointer(), "", "cannot read %s: %s", short(module.Str()), shortError(err))
		return
	}
	defined := regexp.MustCompile(`(?m)^(async[ \t]+)?def[ \t]+` + regexp.QuoteMeta(method.Str()) + `[ \t]*\(`)
	if !defined.Match(text) {
		r.fault(PluginMethod, method, w.member("method").pointer(), "", "%s does not define %s", short(module.Str()), short(method.Str()))
	}
}

var shellWord = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

func (r *resolver) checkShell(shell *Value, w *way) {
	for _, list := range []string{"in_vars", "out_vars"} {
		for i, item := range items(shell.Get(list)) {
			for _, member := range []string{"name", "save_as"} {
				v := item.Get(member)
				if v != nil && !shellWord.MatchString(v.Str()) {
					r.fault(PluginVariable, v, w.member(list).item(i).member(member).pointer(), "", "%q is no name of a shell variable", short(strings.TrimSpace(v.Str())))
				}
			}
		}
	}
	out := shell.Get("out_vars")
	if out == nil || shell.Get("groups") == nil && shell.Get("nodes") == nil || !r.sound("/nodes/*/roles", "/nodes/*/name") || r.anyTaintedNode() {
		return
	}
	chosen := 0
	for _, n := range r.nodes {
		if selected(shell, n) {
			chosen++
		}
	}
	if chosen != 1 {
		r.fault(PluginOutVars, out, w.member("out_vars").pointer(), "choose exactly one node, or leave groups and nodes out", "out_vars of %d nodes, want those of exactly one", chosen)
	}
}
