package polls

import (
	"net/http"

	"stoa/polls/limits"
	"stoa/polls/pages"
)

// getSettingsPage is also where the link of a mail ends, perhaps in a browser that
// is not logged in.
func (s *Service) getSettingsPage(v *visit) error {
	switch v.form.Get("confirmed") {
	case "1":
		v.common.Notice = notices["confirmed"]
	case "0":
		v.common.Notice = notices["bad_link"]
	}
	if v.viewer.account == nil && v.form.Has("confirmed") {
		return s.render(v, http.StatusOK, pages.Message{
			Common: pages.Common{Here: "/settings"}, Title: "Your e-mail address", Text: v.common.Notice,
			LinkText: "Log in", LinkPath: "/login?next=/settings",
		})
	}
	return needAccount(func(v *visit) error {
		return s.render(v, http.StatusOK, settingsView(v))
	})(v)
}

func settingsView(v *visit) *pages.Settings {
	a := v.viewer.account
	return &pages.Settings{
		Common: v.common, Email: a.email, MailConfirmed: a.confirmed,
		Profile: pages.ProfileForm{Name: a.name, Location: a.location, Website: a.website, About: a.about, SocialUsername: a.social},
	}
}

// postSettingsPage changes what the pressed button is about.
func (s *Service) postSettingsPage(v *visit) error {
	action := v.form.Get("action")
	ch, known := settingsChange(v, action)
	if !known && action != "sign_out_everywhere" {
		return errNoAction
	}
	err := s.within(&v.call, limits.Call{Route: limits.Write})
	switch {
	case err != nil:
	case action == "sign_out_everywhere":
		if _, err = s.Revoke(v.r.Context(), v.viewer.account.username, ""); err == nil {
			s.signOut(v.w)
			return v.goTo(withNotice("/", "everywhere"))
		}
	default:
		var a *account
		if a, err = s.changeAccount(v.r.Context(), v.user(), v.viewer.token, ch); err == nil {
			return v.goTo(withNotice("/settings", settingsNotice(action, a)))
		}
	}
	return s.settingsRefused(v, action, err)
}

// settingsChange is what a form of the page asks for. Unlike a parameter of the API
// a field that is empty empties what it is about.
func settingsChange(v *visit, action string) (ch accountChange, known bool) {
	given := func(name string) *string { return new(v.form.Get(name)) }
	switch action {
	case "profile":
		ch.name, ch.location, ch.website = given("name"), given("location"), given("website")
		ch.about, ch.social = given("about"), given("social_username")
	case "email":
		ch.email, ch.currentPassword = given("email"), v.form.Get("current_password")
	case "password":
		ch.password, ch.currentPassword = given("new_password"), v.form.Get("current_password")
	default:
		return ch, false
	}
	return ch, true
}

func settingsNotice(action string, a *account) string {
	if action == "email" && !a.confirmed {
		return "confirm"
	}
	return action
}

// settingsRefused shows the page again with what was typed, except for passwords.
func (s *Service) settingsRefused(v *visit, action string, err error) error {
	view := settingsView(v)
	status := 0
	switch action {
	case "profile":
		view.ProfileErrors, status = s.formErrors(v, err, "name", "location", "website", "about", "social_username")
		view.Profile = pages.ProfileForm{
			Name: v.form.Get("name"), Location: v.form.Get("location"), Website: v.form.Get("website"),
			About: v.form.Get("about"), SocialUsername: v.form.Get("social_username"),
		}
	case "email":
		view.EmailErrors, status = s.formErrors(v, err, "current_password", ":email")
		view.Email = v.form.Get("email")
	case "password":
		view.PasswordErrors, status = s.formErrors(v, err, "current_password", ":new_password")
	default:
		return err
	}
	return s.render(v, status, view)
}
