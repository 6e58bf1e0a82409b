package inventory
import ("testing";"os")
func TestTry(t *testing.T){ f:=os.Getenv("TRY"); if f=="" {t.Skip()}; d,fs:=ReadFile(f); if d!=nil { fs=Validate(d)}; fs.WriteText(os.Stdout); fs.WriteSARIF(os.Stdout) }
