package rls

import (
	"strings"

	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
)

// CompactText is a message as protobuf text on one line. The library varies the
// blanks between fields on purpose; one is left.
func CompactText(m proto.Message) string {
	text := prototext.MarshalOptions{AllowPartial: true}.Format(m)
	var b strings.Builder
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			b.WriteByte(c)
			i++ // an escaped quote ends nothing
		case c == '"':
			quoted = !quoted
		case c == ' ' && !quoted && strings.HasSuffix(b.String(), " "):
			continue
		}
		b.WriteByte(text[i])
	}
	return b.String()
}
