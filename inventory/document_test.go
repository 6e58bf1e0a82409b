package inventory_test

import (
	"strings"
	"testing"
	"time"

	"stoa/inventory"
)

func TestRefusedWhileReading(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"nothing", "c.yaml", "", "1:1 parse-empty"},
		{"only a comment", "c.yaml", "# a\n", "1:1 parse-empty"},
		{"null", "c.yaml", "\n~\n", "2:1 parse-empty"},
		{"a list", "c.yaml", "- a\n", "1:1 parse-root"},
		{"a text", "c.yaml", "a\n", "1:1 parse-root"},
		{"two documents", "c.yaml", "a: 1\n---\nb: 2\n", "2:1 parse-documents"},
		{"an empty second document", "c.yaml", "a: 1\n---\n", "2:1 parse-documents"},
		{"a key twice", "c.yaml", "a: 1\nb: 2\na: 3\n", "3:1 parse-duplicate-key"},
		{"a key in two spellings", "c.yaml", "a: {16: x, 0x10: y}\n", "1:12 parse-duplicate-key"},
		{"true and yes", "c.yaml", "a: {yes: x, true: y}\n", "1:13 parse-duplicate-key"},
		{"a JSON key twice", "c.json", `{"a": 1, "a": 2}`, "1:10 parse-duplicate-key"},
		{"an alias without anchor", "c.yaml", "a: b\nc: *d\n", "2:4 parse-alias"},
		{"an anchor within itself", "c.yaml", "a: &a [*a]\n", "1:8 parse-alias"},
		{"a language's tag", "c.yaml", "a: !!python/name:os.system x\n", "1:4 parse-tag"},
		{"an application's tag", "c.yaml", "a: !vault x\n", "1:4 parse-tag"},
		{"a tag that does not fit", "c.yaml", "a: !!int x\n", "1:4 parse-tag"},
		{"not UTF-8", "c.yaml", "a: caf\xe9\n", "1:7 parse-encoding"},
		{"a control character", "c.yaml", "a: b\nc: \"\x07\"\n", "2:5 parse-control-character"},
		{"an unquoted template", "c.yaml", "a: b\nc: {{ d }}\n", "2:4 parse-unquoted-template"},
		{"an unquoted template with more text", "c.yaml", "c: {{ d }}.com\n", "1:4 parse-unquoted-template"},
		{"an unquoted merge symbol", "c.yaml", "a:\n  - <<: merge\n", "2:9 parse-merge-key"},
		{"a list as a key", "c.yaml", "? [a]\n: b\n", "1:3 parse-key"},
		{"a tab as indent", "c.yaml", "a:\n\t- b\n", "2:1 parse-syntax"},
		{"a wrong indent", "c.yaml", "a:\n  - x\n - y\n", "3:2 parse-syntax"},
		{"an open quote", "c.yaml", "a: 1\nb: \"x\nc: 2\n", "2:4 parse-syntax"},
		{"an open bracket", "c.yaml", "a: 1\nb: [1, 2\nc: 3\n", "3:1 parse-syntax"},
		{"a colon too many", "c.yaml", "a: 1\nb: c: d\n", "2:5 parse-syntax"},
		{"no colon", "c.yaml", "a: 1\nb\nc: 3\n", "2:1 parse-syntax"},
		{"an unknown escape", "c.yaml", "a: \"\\q\"\n", "1:5 parse-syntax"},
		{"a reserved character", "c.yaml", "a: 1\nb: @x\n", "2:4 parse-syntax"},
		{"after a line separator", "c.yaml", "a: \"x\u2028y\"\nb: *c\n", "2:4 parse-alias"},
		{"a key twice after a line separator", "c.yaml", "a: {b: \"x\u2028y\", b: 1}\n", "1:15 parse-duplicate-key"},
		{"a number too long", "c.yaml", "a: " + strings.Repeat("9", 5000), "1:4 parse-number"},
		{"a JSON number too large", "c.json", `{"a": 1e999}`, "1:7 parse-number"},
		{"half of JSON", "c.json", "{\"a\":\n 1", "2:3 parse-syntax"},
		{"JSON with a comment", "c.json", "{\n# x\n}", "2:1 parse-syntax"},
		{"wide characters before the place", "c.yaml", "ä: {ö: 1, ü: *x}\n", "1:14 parse-alias"},
		{"JSON with wide characters before the place", "c.json", `{"äöü€": x}`, "1:10 parse-syntax"},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, faults := inventory.Load(c.file, []byte(c.text))
			if doc != nil || strings.TrimSpace(list(faults)) != c.want {
				t.Errorf("got %q, want %q", list(faults), c.want)
			}
		})
	}
}

func TestAcceptedWhileReading(t *testing.T) {
	for _, c := range []struct{ name, file, text string }{
		{"byte order mark", "c.yaml", "\ufeffvalues: {}\n"},
		{"carriage returns", "c.yaml", "values: {}\r\n"},
		{"a directive", "c.yaml", "%YAML 1.2\n---\nvalues: {}\n...\n"},
		{"an older directive", "c.yaml", "%YAML 1.1\n---\nvalues: {}\n"},
		{"keys that are no text", "c.yaml", "values: {1: a, yes: b, 2.5: c, ~: d}\n"},
		{"tabs in JSON", "c.json", "{\n\t\"values\":\t{}\n}\n"},
		{"escapes in JSON", "c.json", `{"values": {"a": "\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"}}`},
		{"flow YAML that looks like JSON", "c.yaml", "{values: {a: b}}\n"},
		{"JSON in a YAML file", "c.yaml", "{\"values\":\n\t{}}\n"},
		{"escaped control characters", "c.yaml", `values: {a: "\x07"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, faults := inventory.Load(c.file, []byte(c.text)); len(faults) > 0 {
				t.Error(faults[0].Message)
			}
		})
	}
}

func TestScalarsOfYAML11(t *testing.T) {
	for text, want := range map[string]string{
		"yes": "true", "Off": "false", "y": `"y"`, "0x16": "22", "017": "15", "0b11": "3", "22:30": "1350", "1_000": "1000", "0o17": `"0o17"`, "08": `"08"`,
		"1.5": "1.5", "10.0": "10.0", "1e3": `"1e3"`, "1.0e+3": "1000.0", ".5": "0.5", "~": "null", "": "null", "2001-12-14": `"2001-12-14"`,
		"'yes'": `"yes"`, `"22"`: `"22"`, "!!str 22": `"22"`, "99999999999999999999": "99999999999999999999", "-0x10": "-16", "v1.34": `"v1.34"`,
	} {
		doc, faults := inventory.Load("c.yaml", []byte("values: {a: "+text+"}"))
		if doc == nil {
			t.Fatal(text, faults)
		}
		var b strings.Builder
		if err := inventory.WriteJSON(&b, doc.Root.Get("values", "a")); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(b.String()); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestMergeKeys(t *testing.T) {
	doc, faults := inventory.Load("c.yaml", []byte("a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc: {<<: [*a, *b], x: 3}\n"))
	if doc == nil {
		t.Fatal(faults)
	}
	var b strings.Builder
	_ = inventory.WriteJSON(&b, doc.Root.Get("c"))
	if got, want := strings.Join(strings.Fields(b.String()), ""), `{"x":3,"y":1,"z":2}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestHostileDocumentsEndSoon(t *testing.T) {
	var bomb strings.Builder
	bomb.WriteString("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n")
	for i := range 9 {
		bomb.WriteString(strings.NewReplacer("N", string(rune('1'+i)), "P", string(rune('0'+i))).Replace("aN: &aN [*aP,*aP,*aP,*aP,*aP,*aP,*aP,*aP,*aP,*aP]\n"))
	}
	for _, c := range []struct{ name, file, text, want string }{
		{"alias bomb", "c.yaml", bomb.String(), "parse-too-many-values"},
		{"merge bomb", "c.yaml", "a: &a {" + manyKeys(10000) + "}\nb: {<<: [" + strings.Repeat("*a,", 100000) + "*a]}\n", "parse-too-many-values"},
		{"deep flow", "c.yaml", "a: " + strings.Repeat("[", 20000), "parse-depth"},
		{"deep block", "c.yaml", strings.Repeat("- ", 20000) + "a", "parse-depth"},
		{"deep JSON", "c.json", `{"a":` + strings.Repeat("[", 20000), "parse-depth"},
		{"1001 levels", "c.yaml", "a: " + strings.Repeat("[", 1000) + strings.Repeat("]", 1000), "parse-depth"},
		{"many items", "c.yaml", strings.Repeat("- a\n", 8<<20), "parse-too-many-values"},
		{"many flow items", "c.yaml", "a: [" + strings.Repeat("a,", 15<<20) + "a]", "parse-too-many-values"},
		{"many JSON items", "c.json", `{"a": [` + strings.Repeat("1,", 15<<20) + "1]}", "parse-too-many-values"},
		{"a large file", "c.yaml", "a: " + strings.Repeat("x", 33<<20), "parse-too-large"},
	} {
		t.Run(c.name, func(t *testing.T) {
			start := time.Now()
			_, faults := inventory.Load(c.file, []byte(c.text))
			if len(faults) != 1 || string(faults[0].Code) != c.want {
				t.Errorf("got %s, want %s", list(faults), c.want)
			}
			if took := time.Since(start); took > time.Minute {
				t.Errorf("took %s", took)
			}
		})
	}
}

func TestThousandLevelsPass(t *testing.T) {
	for file, text := range map[string]string{
		"c.yaml": "values: " + strings.Repeat("[", 999) + strings.Repeat("]", 999),
		"c.json": `{"values": ` + strings.Repeat("[", 999) + strings.Repeat("]", 999) + "}",
	} {
		if _, faults := inventory.Load(file, []byte(text)); len(faults) > 0 {
			t.Error(file, faults[0].Message)
		}
	}
}

func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("k" + strings.Repeat("i", i%7) + string(rune('a'+i%26)) + time.Duration(i).String() + ": 1, ")
	}
	return strings.TrimSuffix(b.String(), ", ")
}
