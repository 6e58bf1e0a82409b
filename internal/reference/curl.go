package reference

import (
	"net/url"
	"strings"
)

// curl is an operation as a command, with the examples of its parameters.
func curl(origin string, o operation, item, op, body node) string {
	content := op.get("requestBody").get("content")
	sent := content.get(jsonBody).get("example")
	if sent.Node == nil {
		sent = body.get("example")
	}
	parts := []string{"curl " + verb(o, sent) + shell(origin+address(o, item, op))}
	if o.credential != "" {
		parts = append(parts, o.credential)
	}
	if content.get(jsonBody).Node != nil && content.get(formBody).Node == nil {
		if sent.Node != nil {
			parts = append(parts, "--json "+shell(oneLine(sent)))
		}
		return wrapped(parts)
	}
	for name, value := range sent.members() {
		parts = append(parts, field(name, strings.Join(value.texts(), ","), content.get(formBody).Node != nil))
	}
	return wrapped(parts)
}

// field is a parameter as a flag: a field of a form, or a part of one.
func field(name, value string, form bool) string {
	flag := "-F "
	switch {
	case form && strings.ContainsAny(value, "&%+"):
		flag = "--data-urlencode "
	case form:
		flag = "-d "
	}
	return flag + shell(name+"="+value)
}

// verb is the flags that say which method is meant, where curl does not guess it.
func verb(o operation, sent node) string {
	switch {
	case strings.HasSuffix(o.Path, "/events"):
		return "-N " // events are shown as they come
	case o.Method == "GET" || o.Method == "POST" && sent.Node != nil:
		return ""
	}
	return "-X " + o.Method + " "
}

// address is the path and query of the operation.
func address(o operation, item, op node) string {
	path, query := o.Path, url.Values{}
	for _, list := range []node{item.get("parameters"), op.get("parameters")} {
		for p := range list.items() {
			name, value := p.get("name").text(), p.get("example").text()
			switch {
			case p.get("in").text() == "path":
				path = strings.ReplaceAll(path, "{"+name+"}", value)
			case p.get("in").text() == "query" && value != "":
				query.Set(name, value)
			}
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return path
}

// shell quotes a word where a shell needs it.
func shell(word string) string {
	if strings.ContainsAny(word, " &?*;|<>()$`\"'") {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}

// wrapped breaks a command into lines.
func wrapped(parts []string) string {
	line, lines := "", []string{}
	for _, part := range parts {
		if line != "" && len(line)+len(part) > narrow {
			lines, line = append(lines, line), " "
		}
		line = strings.TrimPrefix(line+" "+part, " ")
	}
	return strings.Join(append(lines, line), " \\\n ")
}
