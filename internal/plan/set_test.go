package plan

import (
	"fmt"
	"strings"
	"testing"
)

func TestSettings(t *testing.T) {
	for set, want := range map[string]string{
		"n=1..3":                    "n=1; n=2; n=3",
		"n=-1..1":                   "n=-1; n=0; n=1",
		"n=5..5":                    "n=5",
		"n=4,1..2":                  "n=4; n=1; n=2",
		"x=0.5,2":                   "x=0.5; x=2",
		"b=false,true":              "b=false; b=true",
		"mode=FAST,VERY_SLOW":       "mode=FAST; mode=VERY_SLOW",
		"n=1..3 m=0..2":             "n=1 m=0; n=1 m=1; n=2 m=0; n=1 m=2; n=2 m=1; n=3 m=0; n=2 m=2; n=3 m=1; n=3 m=2",
		"a=one n=1..2":              "a=one n=1; a=one n=2",
		`s="1..2" n=1,2`:            `s="1..2" n=1; s="1..2" n=2`,
		"n=1 s=a,b":                 "",
		"s=Hello,World":             "",
		`s="1,2"`:                   "",
		"s=a..b":                    "",
		"s=..":                      "",
		"n=1":                       "",
		"x=1.5":                     "",
		"":                          "",
		"n":                         `error --set takes name=value, not "n"`,
		"=1":                        `error --set takes name=value, not "=1"`,
		"n=1 n=2":                   "error --set names n twice",
		"n=4..1":                    "error --set n=4..1: a range goes from the smaller number to the larger one: write 1..4",
		"n=1..":                     `error --set n=1..: write several values as 1..4 or 1,2,4, and a text as n="1.."`,
		"n=1...4":                   `error --set n=1...4: write several values as 1..4 or 1,2,4, and a text as n="1...4"`,
		"n=1,":                      `error --set n=1,: write several values as 1..4 or 1,2,4, and a text as n="1,"`,
		"n=1,2,1":                   "error --set n=1,2,1: it has the value 1 twice",
		"n=1..9999999":              "error --set n=1..9999999: that makes more than 1000 settings: take fewer values",
		"n=1..100 m=1..100":         "error --set m=1..100: that makes more than 1000 settings: take fewer values",
		"n=1..99999999999999999999": "error --set n=1..99999999999999999999: 1..99999999999999999999 is beyond what a whole number of Java can be",
	} {
		parsed, err := ParseSet(strings.Fields(set))
		var settings []Set
		if err == nil {
			settings, err = parsed.Settings()
		}
		var texts []string
		for _, s := range settings {
			texts = append(texts, strings.Join(s, " "))
		}
		got := strings.Join(texts, "; ")
		if err != nil {
			got = fmt.Sprintf("error %v", err)
		}
		if got != want {
			t.Errorf("%s: %s\nwant %s", set, got, want)
		}
	}
}

func TestValuesOfOneText(t *testing.T) {
	for _, text := range []string{"1", "1..2", "a,b", `"`, `""`, `"a"`, ""} {
		set := Set{"s=" + Value(text)}
		settings, err := set.Settings()
		if settings != nil || err != nil || set.Parameters()["s"] != text {
			t.Errorf("%s is written %s, which stands for %s and %v, %v", text, Value(text), set.Parameters()["s"], settings, err)
		}
	}
}
