package render

import (
	"cmp"
	"slices"
	"strings"

	"stoa/inventory"
)

// coredns is the config map that CoreDNS reads, and a patch of its deployment that
// mounts it.
func (r *renderer) coredns() error {
	conf := r.services("coredns")
	records := strings.TrimRight(conf.Get("configmap", "Hosts").Str(), "\n")
	if records != "" {
		records += "\n"
	}
	if conf.Get("add_etc_hosts_generated").Bool() {
		generated, err := hostRecords(r.services("etc_hosts_generated"))
		if err != nil {
			return err
		}
		records += string(generated)
	}
	data := object("Corefile", corefile(conf.Get("configmap", "Corefile")), "Hosts", records)
	for _, m := range members(conf.Get("configmap")) {
		if data.Get(m.Name) == nil {
			data.Set(m.Name, m.Value)
		}
	}
	err := r.yaml(nil, File{Path: "coredns-configmap.yaml", Mode: public}, object(
		"apiVersion", "v1",
		"kind", "ConfigMap",
		"metadata", object("name", "coredns", "namespace", "kube-system"),
		"data", data,
	))
	if deployment := conf.Get("deployment"); err == nil && deployment != nil && len(deployment.Members) > 0 {
		err = r.yaml(nil, File{Path: "coredns-deployment-patch.yaml", Mode: public}, deployment)
	}
	return err
}

// corefile writes zones in CoreDNS's own language.
func corefile(zones *inventory.Value) string {
	var b strings.Builder
	for _, zone := range members(zones) {
		b.WriteString(zone.Name + " {\n")
		for _, plugin := range members(zone.Value) {
			if switchedOff(plugin.Value) {
				continue
			}
			if sections := sectionsOf(plugin.Value); sections != nil {
				for _, section := range sections {
					corefileLine(&b, "  ", plugin.Name+sectionArguments(section), section.Get("data"))
				}
				continue
			}
			corefileLine(&b, "  ", plugin.Name, plugin.Value)
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// sectionsOf is the enabled sections of a plugin by priority, those without one
// last; nil when the value is no map of sections.
func sectionsOf(v *inventory.Value) []*inventory.Value {
	if v.Kind != inventory.Map || slices.ContainsFunc(v.Members, func(m inventory.Member) bool { return m.Value.Kind != inventory.Map }) {
		return nil
	}
	sections := []*inventory.Value{}
	for _, m := range v.Members {
		if enabled := m.Value.Get("enabled"); enabled == nil || slices.Contains([]string{"1", "true", "True"}, enabled.Scalar()) && enabled.Str() != "true" {
			sections = append(sections, m.Value)
		}
	}
	slices.SortStableFunc(sections, func(a, b *inventory.Value) int { return cmp.Compare(priority(a), priority(b)) })
	return sections
}

func priority(section *inventory.Value) float64 {
	if p, ok := section.Get("priority").Number(); ok {
		return p
	}
	return 1 << 60
}

func sectionArguments(section *inventory.Value) string {
	var b strings.Builder
	for _, name := range []string{"file", "class", "type", "zone"} {
		for _, word := range section.Get(name).Strings() {
			b.WriteString(" " + corefileWord(word))
		}
	}
	return b.String()
}

// corefileLine writes a word with what follows it: nothing, words or a block.
func corefileLine(b *strings.Builder, indent, word string, v *inventory.Value) {
	b.WriteString(indent + word)
	switch {
	case v == nil:
	case v.Kind == inventory.Map && len(v.Members) > 0:
		b.WriteString(" {\n")
		for _, m := range v.Members {
			if !switchedOff(m.Value) {
				corefileLine(b, indent+"  ", m.Name, m.Value)
			}
		}
		b.WriteString(indent + "}")
	case v.Kind == inventory.Bool, v.Kind == inventory.Map:
	default:
		for _, word := range v.Strings() {
			if word != "" {
				b.WriteString(" " + corefileWord(word))
			}
		}
	}
	b.WriteByte('\n')
}

// switchedOff tells a setting that leaves its word out.
func switchedOff(v *inventory.Value) bool {
	n, isNumber := v.Number()
	return v.Kind == inventory.Null || v.Kind == inventory.Bool && !v.Bool() || isNumber && n == 0 || v.Str() == "False"
}

func corefileWord(word string) string {
	if strings.ContainsAny(word, " \t\n\"") || strings.HasPrefix(word, "#") || word == "{" || word == "}" {
		return `"` + strings.ReplaceAll(word, `"`, `\"`) + `"`
	}
	return word
}
