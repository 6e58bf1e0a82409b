package video

import (
	"stoa/video/internal/language"
	"stoa/video/internal/problem"
)

// Bounds of what people write about a video, in characters.
const (
	maxTitle       = 1000
	maxDescription = 100_000
)

// readVideo reads what can be said of a video when it is made and later on. A field
// that is absent changes nothing; null unsets what can be without a value.
func readVideo(f fields, v *video) []*problem.Error {
	problems := []*problem.Error{
		f.given("title", &v.title, wantText),
		f.given("public", &v.public, wantBool),
		f.given("panoramic", &v.panoramic, wantBool),
		f.given(mp4Field(f), &v.mp4, wantBool),
		f.unset("description", &v.description),
		f.unset("playerId", &v.playerID),
		f.readLanguage(v),
	}
	if f.has("title") && problems[0] == nil {
		problems = append(problems, checkText("title", v.title, 1, maxTitle))
	}
	problems = append(problems, checkText("description", v.description, 0, maxDescription))
	problems = append(problems, readTags(f, v)...)
	problems = append(problems, readMetadata(f, v)...)
	return append(problems, readTranscript(f)...)
}

// mp4Field is the name under which a body speaks of the MP4: some write it in small
// letters.
func mp4Field(f fields) string {
	if !f.has("mp4Support") && f.has("mp4support") {
		return "mp4support"
	}
	return "mp4Support"
}

func (f fields) readLanguage(v *video) *problem.Error {
	if string(f["language"]) == "false" { // what "no" became in some generated clients
		f["language"] = []byte(`"no"`)
	}
	if p := f.unset("language", &v.language); p != nil {
		return p
	}
	kept, ok := language.Video(v.language)
	if v.language != "" && !ok {
		return problem.Attribute("language", "Give a language of two letters, such as en.")
	}
	v.language = kept
	return nil
}

// readTranscript checks what is asked about speech. It has no effect: nothing here
// listens to videos.
func readTranscript(f fields) []*problem.Error {
	var wanted bool
	return []*problem.Error{
		f.read("transcript", &wanted, wantBool),
		f.read("transcriptSummary", &wanted, wantBool),
		f.readAttributes("transcriptSummaryAttributes"),
	}
}

// readAttributes checks a list of the parts that a generated summary would have.
func (f fields) readAttributes(name string) *problem.Error {
	var attributes []string
	if p := f.read(name, &attributes, wantTexts); p != nil {
		return p
	}
	for _, a := range attributes {
		if a != "abstract" && a != "takeaways" {
			return problem.Attribute(name, "Name abstract, takeaways or both.")
		}
	}
	return nil
}
