package env

import "regexp"

// Variable is one that a struct knows, as operators may see it.
type Variable struct {
	Name  string
	Value string // masked, or the default
	Given bool   // the environment has it
}

// Variables is those of a struct, or of what a pointer to one points to, in the order
// of its fields.
func Variables(v any, environ map[string]string) []Variable {
	params, err := variables(v, environ)
	if err != nil {
		return nil
	}
	var all []Variable
	seen := map[string]bool{}
	for _, p := range params {
		if seen[p.Key] {
			continue
		}
		seen[p.Key] = true
		v := Variable{Name: p.Key, Value: p.DefaultValue}
		if given := environ[p.Key]; given != "" {
			v.Value, v.Given = Mask(p.Key, given), true
		}
		all = append(all, v)
	}
	return all
}

// masked stands for what is not to be seen.
const masked = "••••••"

var secretParameter = regexp.MustCompile(`(?i)([?&][^=&]*(?:password|secret|token|key)[^=&]*=)[^&]*`)

// Mask is a value without what [Show] would hide, nor what a URL's parameters say of
// passwords.
func Mask(name, value string) string {
	if value != "" && hidden(name) {
		return masked
	}
	return secretParameter.ReplaceAllString(userinfo.ReplaceAllString(value, "://"+masked+"@"), "${1}"+masked)
}
