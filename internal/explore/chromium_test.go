package explore

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"harrier/internal/testkit/must"
)

// chromium is a browser that is driven through two pipes, by the DevTools protocol.
type chromium struct {
	t       *testing.T
	out     *os.File
	mu      sync.Mutex
	number  int
	waiting map[int]chan reply
	loaded  chan struct{}
	session string
	// Errors are the errors written to the console since they were taken last, and uncaught exceptions.
	errors []string
}

type reply struct {
	Result json.RawMessage
	Error  *struct{ Message string }
}

// startChromium starts the browser with a page.
func startChromium(t *testing.T, arguments ...string) *chromium {
	t.Helper()
	in, toBrowser, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	fromBrowser, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	profile := must.Get(os.MkdirTemp("", "chromium"))
	t.Cleanup(func() { os.RemoveAll(profile) })
	c := exec.Command("chromium", append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--hide-scrollbars", "--user-data-dir=" + profile}, arguments...)...)
	c.ExtraFiles = []*os.File{in, out}
	if err := c.Start(); err != nil {
		t.Fatalf("%v: chromium is in Debian's package of that name", err)
	}
	in.Close()
	out.Close()
	b := &chromium{t: t, out: toBrowser, waiting: map[int]chan reply{}, loaded: make(chan struct{}, 10)}
	t.Cleanup(func() {
		b.session = ""
		b.call("Browser.close", nil, nil)
		c.Wait()
	})
	go b.listen(bufio.NewReaderSize(fromBrowser, 1<<20))
	var target struct{ TargetID string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log"} {
		b.call(domain+".enable", nil, nil)
	}
	return b
}

// listen takes in what the browser says.
func (b *chromium) listen(from *bufio.Reader) {
	for {
		line, err := from.ReadBytes(0)
		if err != nil {
			return
		}
		var m struct {
			reply
			ID     int
			Method string
			Params struct {
				Type             string
				Args             []struct{ Value, Description any }
				Entry            struct{ Level, Text, URL string }
				ExceptionDetails struct {
					Text      string
					Exception struct{ Description string }
				}
			}
		}
		if json.Unmarshal(line[:len(line)-1], &m) != nil {
			continue
		}
		b.mu.Lock()
		switch {
		case m.ID != 0:
			b.waiting[m.ID] <- m.reply
			delete(b.waiting, m.ID)
		case m.Method == "Page.loadEventFired":
			b.loaded <- struct{}{}
		case m.Method == "Runtime.exceptionThrown":
			b.errors = append(b.errors, m.Params.ExceptionDetails.Text+" "+m.Params.ExceptionDetails.Exception.Description)
		case m.Method == "Runtime.consoleAPICalled" && m.Params.Type == "error":
			b.errors = append(b.errors, fmt.Sprint(m.Params.Args))
		case m.Method == "Log.entryAdded" && m.Params.Entry.Level == "error":
			b.errors = append(b.errors, m.Params.Entry.Text+" "+m.Params.Entry.URL)
		}
		b.mu.Unlock()
	}
}

// call has the browser do something, and waits for it.
func (b *chromium) call(method string, params, result any) {
	b.t.Helper()
	b.mu.Lock()
	b.number++
	answer := make(chan reply, 1)
	b.waiting[b.number] = answer
	message := map[string]any{"id": b.number, "method": method}
	if params != nil {
		message["params"] = params
	}
	if b.session != "" {
		message["sessionId"] = b.session
	}
	b.mu.Unlock()
	line, err := json.Marshal(message)
	if err == nil {
		_, err = b.out.Write(append(line, 0))
	}
	if err != nil {
		b.t.Fatal(err)
	}
	select {
	case r := <-answer:
		if r.Error != nil {
			b.t.Fatalf("%s: %s", method, r.Error.Message)
		}
		if result != nil {
			if err := json.Unmarshal(r.Result, result); err != nil {
				b.t.Fatal(err)
			}
		}
	case <-time.After(time.Minute):
		b.t.Fatalf("%s: the browser does not answer", method)
	}
}

// open opens a page in a window of a size, and waits until it is loaded.
func (b *chromium) open(url string, width, height int) {
	b.t.Helper()
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
	b.call("Page.navigate", map[string]any{"url": url}, nil)
	select {
	case <-b.loaded:
	case <-time.After(time.Minute):
		b.t.Fatalf("%s is not loaded", url)
	}
}

// eval is the value of an expression in the page, which may be a promise.
func (b *chromium) eval(expression string) any {
	b.t.Helper()
	var r struct {
		Result           struct{ Value any }
		ExceptionDetails *struct {
			Exception struct{ Description string }
		}
	}
	b.call("Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true}, &r)
	if r.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expression, r.ExceptionDetails.Exception.Description)
	}
	return r.Result.Value
}

// await waits until an expression is true.
func (b *chromium) await(expression string) {
	b.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if b.eval("Boolean("+expression+")") == true {
			return
		}
	}
	b.t.Fatalf("%s does not come true; the page has: %v", expression, b.eval("document.body.innerText.slice(0, 2000)"))
}

// click clicks where an element is.
func (b *chromium) click(selector string) {
	b.t.Helper()
	at, _ := b.eval(fmt.Sprintf(`(() => { const e = document.querySelector(%q); if (!e) return null; e.scrollIntoView({block: "nearest"});
		const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`, selector)).([]any)
	if at == nil {
		b.t.Fatalf("there is no %s", selector)
	}
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		b.call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": at[0], "y": at[1], "button": "left", "clickCount": 1}, nil)
	}
}

// press presses a key.
func (b *chromium) press(key string) {
	b.t.Helper()
	for _, kind := range []string{"keyDown", "keyUp"} {
		b.call("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": key}, nil)
	}
}

// screenshot is the window as PNG.
func (b *chromium) screenshot() []byte {
	b.t.Helper()
	var shot struct{ Data string }
	b.call("Page.captureScreenshot", map[string]any{"format": "png"}, &shot)
	png, err := base64.StdEncoding.DecodeString(shot.Data)
	if err != nil {
		b.t.Fatal(err)
	}
	return png
}

// quiet demands that there was no error since the last time.
func (b *chromium) quiet(page string) {
	b.t.Helper()
	b.eval("1") // what the page said before has come by now
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range b.errors {
		b.t.Errorf("%s: in the console: %s", page, e)
	}
	b.errors = nil
}
