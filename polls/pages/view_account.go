package pages

// Join is the sign-up form: username, email, password, next. Passwords are
// never shown again.
type Join struct {
	Common
	Username, Email string
	Next            string // where to go afterwards, "/815"; the handler must check that it is local
	Errors          Errors
}

// Login is the form of email_or_username, password, next.
type Login struct {
	Common
	EmailOrUsername string
	Next            string // as in Join
	Errors          Errors
}

// Logout asks before a session ends, since any site can lead here. It posts to itself.
type Logout struct{ Common }

// Settings posts to /settings with an action: profile (name, location, website,
// about, social_username), email (email, current_password), password
// (new_password, current_password), sign_out_everywhere.
type Settings struct {
	Common
	Profile        ProfileForm
	Email          string
	MailConfirmed  bool
	ProfileErrors  Errors
	EmailErrors    Errors
	PasswordErrors Errors
}

// ProfileForm is what a person tells about themselves.
type ProfileForm struct {
	Name, Location, Website, About, SocialUsername string
}

func (Join) template() string     { return "join" }
func (Login) template() string    { return "login" }
func (Logout) template() string   { return "logout" }
func (Settings) template() string { return "settings" }
