package ratelimit

// ParseDomain reads rules that are written for one domain and hold in another, since
// environments may share a file. What it returns compiles. The error is Faults.
func ParseDomain(name string, text []byte, written, domain string) (DomainSpec, error) {
	spec, err := ParseYAML(name, text)
	faults, _ := err.(Faults)
	if spec.Domain == "" && len(faults) > 0 {
		return DomainSpec{}, faults // half read: that the domain is missing may not be true
	}
	if spec.Domain != "" && spec.Domain != written {
		faults.add(spec.At, "want domain: %s, got %s", written, spec.Domain)
	}
	if _, err := NewRules([]DomainSpec{spec}, false, faults...); err != nil {
		return DomainSpec{}, err
	}
	spec.Domain = domain
	return spec, nil
}
