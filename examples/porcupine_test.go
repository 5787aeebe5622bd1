package examples

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/anishathalye/porcupine"

	"harrier/internal/check"
	"harrier/internal/model"
	"harrier/internal/plan"
	"harrier/internal/process/files"
	"harrier/internal/testkit/must"
	"harrier/serializer"
)

// Porcupine judges what the monitor of linearizable operations judges: its own corpus, random operations, and those of checks.

// store has the operations of the corpus on registers and on stores of keys and values. An operation is a text, with tabs between
// its words: the operation, the key, the value.
const store = `import harrier.*;

public class Judged extends Scenario {
    static class Nobody extends Actor {}

    static class Store {
        private String value = "";

        String apply(String operation) {
            String[] words = operation.split("\t", -1);
            switch (words[0]) {
                case "get":
                    return value;
                case "put":
                    value = words[2];
                    return "";
                case "append":
                    value += words[2];
                    return "";
                default:
                    boolean is = value.equals(words[2]);
                    value = is ? words[3] : value;
                    return String.valueOf(is);
            }
        }

        static String key(String operation) { return operation.split("\t", -1)[1]; }
    }

    @Override protected void setUp() {
        linearizable(Store.class);
        create("nobody", new Nobody());
    }
}
`

// apply is what Store does.
func apply(value, operation string) (result, after string) {
	words := strings.Split(operation, "\t")
	switch words[0] {
	case "get":
		return value, value
	case "put":
		return "", words[2]
	case "append":
		return "", value + words[2]
	}
	if value == words[2] {
		return "true", words[3]
	}
	return "false", value
}

func key(operation string) string { return strings.Split(operation, "\t")[1] }

// isLinearizable asks Porcupine. What did not return may have any result, at any time.
func isLinearizable(records []model.Record, key func(operation string) string, apply func(value, operation string) (result, after string)) bool {
	var operations []porcupine.Operation
	pending := map[string]int{}
	for at, r := range records {
		switch r.Kind {
		case model.Invoked:
			pending[r.Actor] = len(operations)
			operations = append(operations, porcupine.Operation{Input: text(r), Call: int64(at), Return: math.MaxInt64})
		case model.Returned:
			o := &operations[pending[r.Actor]]
			o.Output, o.Return = text(r), int64(at)
		}
	}
	return porcupine.CheckOperations(porcupine.Model{
		Partition: func(all []porcupine.Operation) [][]porcupine.Operation {
			parts := map[string][]porcupine.Operation{}
			for _, o := range all {
				k := key(o.Input.(string))
				parts[k] = append(parts[k], o)
			}
			return slices.Collect(maps.Values(parts))
		},
		Init: func() any { return "" },
		Step: func(state, input, output any) (bool, any) {
			result, after := apply(state.(string), input.(string))
			return output == nil || output == result, after
		},
	}, operations)
}

// text is the invocation, or the result, in a record.
func text(r model.Record) string {
	v := must.Get(serializer.Decode(r.Payload))
	if v.Kind == serializer.String {
		return v.Text
	}
	return serializer.Format(v)
}

func record(actor string, kind model.RecordKind, text string) model.Record {
	v := serializer.Value{Kind: serializer.String, Text: text}
	if kind == model.Abandoned {
		v = serializer.Value{Kind: serializer.Null}
	}
	return model.Record{Actor: "client" + actor, Kind: kind, Payload: serializer.Encode(v)}
}

// isRefused reports whether a history is that of operations that are not linearizable.
func isRefused(history []byte) bool {
	return len(history) > 0 && must.Get(serializer.Decode(history)).ClassName == "harrier.host.NotLinearizable"
}

func TestPorcupineAgreesOnTextOperations(t *testing.T) {
	file := filepath.Join(t.TempDir(), "Judged.java")
	must.Do(os.WriteFile(file, []byte(store), 0o644))
	program := load(t, file, "-")
	histories := corpus(t)
	for seed := range uint64(200) {
		histories[fmt.Sprint("seed ", seed)] = randomOperations(rand.New(rand.NewPCG(seed, 0)))
	}
	verdicts := map[bool]int{}
	for name, records := range histories {
		history := must.Get(program.Record(context.Background(), []model.Extension{{Records: records}}))[0]
		judged := isLinearizable(records, key, apply)
		if isRefused(history) == judged || strings.HasPrefix(name, "c") && judged != strings.HasSuffix(name, "-ok.txt") {
			t.Errorf("%s: refused %v, linearizable %v", name, isRefused(history), judged)
		}
		verdicts[judged]++
	}
	if verdicts[true] < 50 || verdicts[false] < 50 {
		t.Errorf("verdicts %v", verdicts)
	}
}

// mostTimedOut is after how many operations that timed out a history of the corpus is cut off: configurations double with each.
const mostTimedOut = 4

// corpus are the histories that are in Porcupine's module, by the names of their files, but for those of fifty clients at once.
func corpus(t *testing.T) map[string][]model.Record {
	t.Helper()
	module := strings.TrimSpace(string(must.Get(exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/anishathalye/porcupine").Output())))
	histories := map[string][]model.Record{}
	for pattern, parse := range map[string]func(string) (model.Record, bool){"jepsen/*.log": ofRegister, "kv/c[01]*.txt": ofStore} {
		for _, file := range must.Get(filepath.Glob(filepath.Join(module, "test_data", pattern))) {
			timedOut := 0
			for line := range strings.Lines(string(must.Get(os.ReadFile(file)))) {
				if timedOut == mostTimedOut {
					break
				}
				if r, ok := parse(line); ok {
					if r.Kind == model.Abandoned {
						timedOut++
					}
					histories[filepath.Base(file)] = append(histories[filepath.Base(file)], r)
				}
			}
		}
	}
	if len(histories) < 100 {
		t.Fatalf("%d histories in %s", len(histories), module)
	}
	return histories
}

var registerLine = regexp.MustCompile(`^INFO  jepsen.util - (\d+)\t:(\w+)\t:(\w+)\t(.*)`)

// ofRegister reads a line about the register of etcd, as Jepsen writes them. An operation that timed out may take effect later.
func ofRegister(line string) (model.Record, bool) {
	m := registerLine.FindStringSubmatch(line)
	if m == nil {
		return model.Record{}, false
	}
	client, kind, does, value := m[1], m[2], m[3], strings.Trim(m[4], "[]")
	if value == "nil" {
		value = ""
	}
	switch kind + " " + does {
	case "invoke read":
		return record(client, model.Invoked, "get\t"), true
	case "invoke write":
		return record(client, model.Invoked, "put\t\t"+value), true
	case "invoke cas":
		return record(client, model.Invoked, "cas\t\t"+strings.ReplaceAll(value, " ", "\t")), true
	case "ok read":
		return record(client, model.Returned, value), true
	case "ok write":
		return record(client, model.Returned, ""), true
	case "ok cas":
		return record(client, model.Returned, "true"), true
	case "fail cas":
		return record(client, model.Returned, "false"), true
	}
	return record(client, model.Abandoned, ""), true
}

var storeLine = regexp.MustCompile(`^\{:process (\d+), :type :(\w+), :f :(\w+), :key "(.*)", :value (?:nil|"(.*)")\}`)

// ofStore reads a line about a store of keys and values.
func ofStore(line string) (model.Record, bool) {
	m := storeLine.FindStringSubmatch(line)
	switch {
	case m == nil:
		return model.Record{}, false
	case m[2] == "invoke":
		return record(m[1], model.Invoked, strings.Join([]string{m[3], m[4], m[5]}, "\t")), true
	case m[3] == "get":
		return record(m[1], model.Returned, m[5]), true
	}
	return record(m[1], model.Returned, ""), true
}

// randomOperations are of three clients, some of which crash. They return what they would if they took effect when they return, or
// anything.
func randomOperations(random *rand.Rand) []model.Record {
	var records []model.Record
	pending, values := map[string]string{}, map[string]string{}
	for range 5 + random.IntN(25) {
		client, key := fmt.Sprint(random.IntN(3)), fmt.Sprint(random.IntN(2))
		operation, begun := pending[client]
		if !begun {
			pending[client] = []string{"get\t" + key, "put\t" + key + "\ta", "append\t" + key + "\tb", "cas\t" + key + "\ta\tb"}[random.IntN(4)]
			records = append(records, record(client, model.Invoked, pending[client]))
			continue
		}
		delete(pending, client)
		result, after := apply(values[operation[4:5]], operation)
		switch random.IntN(12) {
		case 0:
			records = append(records, record(client, model.Abandoned, ""))
			continue
		case 1:
			result = []string{"", "a", "true", "false"}[random.IntN(4)]
		default:
			values[operation[4:5]] = after
		}
		records = append(records, record(client, model.Returned, result))
	}
	return records
}

// dumped is a program that notes of each history by which operations a check came there first.
type dumped struct {
	*program
	operations map[string][]model.Record
	extensions []extension
}

// extension is what became of a history.
type extension struct {
	model.Extension
	after []byte
}

func (d *dumped) Record(ctx context.Context, questions []model.Extension) ([][]byte, error) {
	histories, err := d.program.Record(ctx, questions)
	for i, after := range histories {
		e := questions[i]
		d.extensions = append(d.extensions, extension{e, after})
		if _, known := d.operations[string(after)]; !known {
			d.operations[string(after)] = slices.Concat(d.operations[string(e.History)], e.Records)
		}
	}
	return histories, err
}

// TestPorcupineAgreesOnChecks has Porcupine judge operations of all runs of a check, equal histories once.
func TestPorcupineAgreesOnChecks(t *testing.T) {
	for _, e := range []example{{"kv", "crashes=0"}, {"kv-stale", "-"}, {"kv-forgetful", "-"}} {
		d := &dumped{program: load(t, e.program, e.parameters), operations: map[string][]model.Record{}}
		o := single("bfs")
		o.KeepGoing, o.MaxStates = true, 1500
		c := check.New(must.Get(plan.Resolve(o)), check.Environment{Keep: files.KeepIn(t.TempDir())})
		c.Program = d
		do(t, c, check.Decompose, check.Reduce, check.Search)
		verdicts := map[bool]int{}
		for _, x := range d.extensions {
			if isRefused(x.History) {
				continue // it stays so, whatever was pending
			}
			judged := isLinearizable(slices.Concat(d.operations[string(x.History)], x.Records), func(string) string { return "" }, applyCommand)
			if isRefused(x.after) == judged {
				t.Errorf("%v: refused %v, linearizable %v", e, isRefused(x.after), judged)
			}
			verdicts[judged]++
		}
		if verdicts[true] < 50 || (verdicts[false] > 0) != (e.program != "kv") {
			t.Errorf("%v: verdicts %v", e, verdicts)
		}
	}
}

// applyCommand is what kv.Entry does.
func applyCommand(value, command string) (result, after string) {
	if value == "" {
		value = "null"
	}
	if _, put, ok := strings.Cut(command, "value="); ok {
		return value, strings.TrimSuffix(put, ")")
	}
	return value, value
}
