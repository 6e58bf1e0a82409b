package intake

import "encoding/binary"

// splitSized appends the units behind their lengths, up to the first that is broken. It
// answers how many bytes they have with their lengths.
func splitSized(units [][]byte, b []byte, length int) (all [][]byte, whole int) {
	for len(b)-whole >= length {
		at, size := whole+length, 0
		for _, v := range b[whole:at] {
			size = size<<8 | int(v)
		}
		if size > len(b)-at {
			break
		}
		whole = at + size
		units = append(units, b[at:whole])
	}
	return units, whole
}

// join puts units behind lengths of four bytes. Of none it makes nil.
func join(units [][]byte) []byte {
	if len(units) == 0 {
		return nil
	}
	payload := make([]byte, 0, sizeOf(units))
	for _, unit := range units {
		payload = binary.BigEndian.AppendUint32(payload, uint32(len(unit)))
		payload = append(payload, unit...)
	}
	return payload
}

func sizeOf(units [][]byte) (n int) {
	for _, unit := range units {
		n += 4 + len(unit)
	}
	return n
}

// hasRecovery looks for the message that decoding can begin here, among the additional
// information of a picture of H.264.
func hasRecovery(b []byte) bool {
	const recoveryPoint = 6
	for len(b) >= 2 {
		var kind, size int
		if kind, b = seiNumber(b); kind == recoveryPoint {
			return true
		}
		if size, b = seiNumber(b); size > len(b) {
			return false
		}
		b = b[size:]
	}
	return false
}

// seiNumber adds bytes up to the first that is not 255.
func seiNumber(b []byte) (n int, rest []byte) {
	for i, v := range b {
		n += int(v)
		if v != 255 {
			return n, b[i+1:]
		}
	}
	return n, nil
}
