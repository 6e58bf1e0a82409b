package polls_test

import (
	"bytes"
	"strings"
	"testing"

	"stoa/internal/db"
)

func TestNewPollIsRefusedByTheField(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		b := newBrowserOf(plantLogin(s, d, "ann"))
		b.sendFile("/new", nil, "caption", strings.Repeat("x", 201), "choice2", "Two", "tags", "a b", "private", "1", "first_image_context_url", "ftp://x").
			says(422).has(
			`id="caption-error">The caption`, `id="choice1-error">Please fill this in.`, `id="tags-error">The tag`, `id="picture-error">Choose a picture first.`,
			`id="first_image_context_url-error">Please give an address`, strings.Repeat("x", 201), `value="Two"`, `value="a b"`, `value="ftp://x"`, `name="private" value="1" checked`)
		b.sendFile("/new", somePicture, "caption", "A", "choice1", "Same", "choice2", "same").says(422).has(`id="choice2-error">`).lacks(`id="picture-error">C`)
		words := []string{"caption", "A or B?", "choice1", "A", "choice2", "B"}
		for name, file := range map[string][]byte{
			"a page": []byte("<html><script>alert(1)</script>"), "a drawing": []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`),
			"half a picture": somePicture[:len(somePicture)/2], "too small": paint(8, 8),
		} {
			page := b.sendFile("/new", file, words...).says(422).has(`value="A"`)
			if bytes.Contains(page.body, []byte(`id="picture-error"></p>`)) {
				t.Errorf("%s: got no word about it", name)
			}
		}
		b.sendFile("/new", make([]byte, 10<<20+1), words...).says(422, "larger than 10 MB")
		b.sendFile("/new", make([]byte, 12<<20), words...).says(413, "larger than 10 MB")
		b.do("POST", "/new", "multipart/form-data; boundary=x", strings.NewReader("--x\r\nbroken")).says(400, "try again")
		b.send("/new", words...).says(400)
		b.sendFile("/new", somePicture, "caption", "\xff", "choice1", "A", "choice2", "B").says(400)
		b.open("/users/ann").says(200, "No polls yet.")

		var left int
		if err := d.QueryRow(t.Context(), "SELECT count(*) FROM polls WHERE state <> 2").Scan(&left); err != nil || left != 0 {
			t.Errorf("got %d polls, %v want none left behind", left, err)
		}
		newBrowser(s).sendFile("/new", somePicture, words...).says(200).at("/login?next=%2Fnew")
	})
}
