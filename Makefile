# harrier: build, test and demonstrate. `make demo` and `make test` set up what they need.

STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
GRADLE      := gradle --no-daemon -q
JARS        := bridge/jar/harrier-api.jar bridge/jar/harrier-runtime.jar
LIBRARIES   := examples/microraft/lib examples/kafka-raft/lib examples/crdt-list/lib examples/zookeeper/lib examples/pekko-hakkers/lib examples/pekko-cart/lib build/akka examples/vertx-orders/lib cmd/harrier/testdata/loggers
JAVA_FILES  := $(shell find java -name '*.java' -path '*/src/*' -not -path '*/src/test/*') build.gradle settings.gradle
VERSION     := $(shell git describe --tags --always --dirty 2>/dev/null || echo development)

# Java's optimizing compiler costs builds as short as these more than it saves.
export GRADLE_OPTS ?= -XX:TieredStopAtLevel=1 -XX:+UseSerialGC
export MAVEN_OPTS ?= $(GRADLE_OPTS)

# No paths of this machine in what is built; the same for tests, so that packages are compiled once.
export GOFLAGS ?= -trimpath

# Java as harrier runs it, for benchmarks of its own side, which compile programs as tests do.
JAVA := java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --add-exports java.base/jdk.internal.misc=ALL-UNNAMED \
	$(foreach package,api code util,--add-exports jdk.compiler/com.sun.tools.javac.$(package)=ALL-UNNAMED)

# Limits of each run of table1, of hashing and of mp-models, and of all runs of table1 together.
TIMEOUT           ?= 10m
TABLE1_TIMEOUT    ?= 5m
TABLE1_WITHIN     ?= 45m
STATELESS_TIMEOUT ?= 30s
MAX_MEMORY        ?= 20g

# Which rows of a table of a paper to make and print, instead of all into the document.
INTO = $(if $(ROWS),-rows '$(ROWS)',-into bench/papers/README.md)

# Of papers: the time of all tables, and the folder.
WITHIN ?= 1h
PAPERS ?= harrier-out/papers

# Of differential.
PROGRAMS ?= 10000

# Of libraries-test.
ROUNDS ?= 3
SEED     ?= 0

.PHONY: demo test embedded dependencies lint race vet test-java test-go libraries-test differential mutants build jars libraries docs publish-local samples explore-browser setup setup-peers bench bench-codec bench-steps bench-orders bench-defaults kills bench-disk bench-sampling bench-simulation bench-cluster jdk-effects java-constants table1 hashing mp-models fig10 table2 papers bench-peers bench-liveness bench-register bench-counts clean

## demo: check an example that is correct and a wrong version of it
demo: build
	bin/harrier check examples/paxos
	@echo
	bin/harrier check examples/paxos-faulty || [ $$? -eq 1 ]

## test: pass vet and all tests: those of Java, the samples, those of Go
test: setup
	$(MAKE) -j2 embedded dependencies
	$(MAKE) vet build
	$(MAKE) -j2 test-java test-go

# By one Gradle, which takes seconds to start and waits for downloads. Meanwhile what others wrote in Go is compiled, which takes no jars.
embedded:
	$(GRADLE) embed libraries
	@touch $(JARS) $(LIBRARIES)

dependencies:
	@go build $$(go list -e -deps -test -f '{{with .Module}}{{if not .Main}}{{$$.ImportPath}}{{end}}{{end}}' ./... | grep -v ' ')

test-java:
	$(GRADLE) -PjarsOnly publishLocal test
	examples/builds/run

# The Go tool's own choice of vet's checks is left out: vet runs all. Tests that are linked without symbols are linked in half the time.
# Tests make thousands of small files: they are in memory where that has 4 GiB for files, of which programs may be run.
test-go:
	@files=$${TMPDIR:-/tmp}; memory=/dev/shm; \
	if [ "$$(df --output=avail -k $$memory 2>/dev/null | tail -1)" -ge 4194304 ] 2>/dev/null && [ -w $$memory ] && \
			options=$$(findmnt -no OPTIONS $$memory) && ! echo "$$options" | grep -qw noexec; then \
		files=$$(mktemp -d -p $$memory harrier-tests-XXXXXX); trap 'rm -rf '$$files EXIT; \
	fi; \
	GOTMPDIR=$${GOTMPDIR:-$${TMPDIR:-/tmp}} TMPDIR=$$files go test -vet=off -ldflags='-s -w' -timeout 30m ./...

## race: look for data races among workers, and where goroutines, processes and Java's threads meet
race: jars
	go test -race -run 'Forgetting|SelectiveHashing/events' ./dbss -programs 20
	go test -race -short -run 'Goroutines|Readers' ./internal/ds/pairs ./internal/ds/wordset
	go test -race -short -run Macro ./por/macro -programs 3
	go test -race -short ./bridge ./internal/cluster ./internal/explore ./internal/live ./internal/distributed/tasks

## differential: hold searches and reductions of 10,000 random programs each (of macro steps, a fifth of each of eight kinds), and of examples with many states, to the naive search and to
##               golden counts; SEED=100000 takes others, PROGRAMS=500 fewer
differential:
	go test -timeout 0 -v ./dbss -programs $(PROGRAMS) -seed $(SEED)
	go test -timeout 0 -v ./por/macro -programs $$(($(PROGRAMS) / 5)) -seed $(SEED)
	go test -timeout 0 -v ./internal/lmc -run 'Twin|Pairs' -programs $$(($(PROGRAMS) / 10)) -seed $(SEED)
	go test -timeout 0 -v ./internal/liveness -programs $$(($(PROGRAMS) / 20)) -seed $(SEED)
	go test -timeout 0 -v ./por -run 'Twin|Definition' -programs $(PROGRAMS) -seed $(SEED)
	go test -timeout 0 -v ./por/dynamic -run Twin -programs $$(($(PROGRAMS) / 10))
	go test -timeout 0 -v ./examples -run HiddenDependence -readings 700 -programs $$(($(PROGRAMS) / 2)) -seed $(SEED)
	go test -timeout 0 -v ./examples -all
	$(GRADLE) :harrier-runtime:test --tests '*ThreadTwinTest' --tests '*SocketTwinTest' -Dharrier.programs=$$(($(PROGRAMS) / 10)) -Dharrier.seed=$(SEED)

## libraries-test: check the examples of Akka, which are Pekko's under its names, and of Vert.x; run the actors of the promises on the libraries
##                 themselves, with their threads, ROUNDS=3 times fifty of each, and compare what they tell with the outcomes that the promises
##                 declare; Orders and Stored show that those which threads and crashes choose from are explored; and run the scripts that take long
libraries-test: build libraries
	go test ./cmd/harrier -run TestScripts -long -v
	$(call right-and-wrong,build/akka/hakkers,build/akka/lib,givesBoth=true)
	$(call right-and-wrong,build/akka/cart,build/akka/lib,answersEarly=true)
	$(call right-and-wrong,build/akka/classic-hakkers,build/akka/lib,givesBoth=true)
	bin/harrier check build/akka/promises --scenario Promises --classpath 'build/akka/lib/*'
	$(GRADLE) scalaExample
	$(call right-and-wrong,examples/pekko-scala/lib/hakkers.jar,examples/pekko-scala/lib,trusting=true)
	$(call right-and-wrong,examples/vertx-orders,examples/vertx-orders/lib,forgets=true)
	bin/harrier check examples/vertx-promises --scenario Promises --classpath 'examples/vertx-orders/lib/*'
	for what in 0 1 2 3 4 5 6; do \
		bin/harrier check examples/vertx-promises --scenario Refused --set what=$$what --classpath 'examples/vertx-orders/lib/*' 2>&1 | \
			grep -F ' is not there: ' || exit 1; done
	bin/harrier check examples/pekko-promises --scenario Stored --classpath 'examples/pekko-cart/lib/*'
	$(call right-and-wrong,examples/pekko-cart,examples/pekko-cart/lib,answersEarly=true)
	$(call right-and-wrong,examples/pekko-cart,examples/pekko-cart/lib,mustAnswer=true)
	$(call actor-library,examples/pekko-promises,examples/pekko-cart/lib)
	$(call actor-library,build/akka/promises,build/akka/lib)
	$(call actor-library,examples/vertx-promises,examples/vertx-orders/lib)
	bin/harrier check build/akka/classic-promises --scenario Promises --classpath 'build/akka/lib/*'
	$(call actor-library,examples/pekko-classic-promises,examples/pekko-hakkers/lib)
	$(call actor-library,build/akka/classic-promises,build/akka/lib)

# right-and-wrong checks an example, with the libraries in a folder, and the wrong version of it that a parameter chooses.
define right-and-wrong
	bin/harrier check $(1) --classpath '$(2)/*'
	bin/harrier check $(1) --classpath '$(2)/*' --set $(3); [ $$? -eq 1 ]
endef

# actor-library checks Orders of the promises in a folder, with the libraries in another one, and does real-runs.
define actor-library
	bin/harrier check $(1) --scenario Orders --classpath '$(2)/*'
	$(call real-runs,$(1),$(2))
endef

# real-runs runs the promises in a folder on the library itself.
define real-runs
	@folder=$$(mktemp -d); trap 'rm -rf $$folder' EXIT; \
		javac -d $$folder -cp 'bridge/jar/harrier-api.jar:$(2)/*' $(1)/*.java && \
		java -cp "$$folder:bridge/jar/harrier-api.jar:$(2)/*" promises.RealRuns $(ROUNDS)
endef

## mutants: plant all defects that the tests of searches and reductions must see
mutants:
	go test -timeout 0 -v ./por -run Mutants -mutants
	go test -timeout 0 -v ./por/macro -run Mutants -mutants
	go test -timeout 0 -v ./por/demeter -run Mutants -mutants
	go test -timeout 0 -v ./por/dynamic -run Mutants -mutants
	go test -timeout 0 -v ./symmetry -run Mutants -mutants
	go test -timeout 0 -v ./internal/check/audit -run Mutants -mutants
	go test -timeout 0 -v ./internal/property -run Mutants -mutants
	go test -timeout 0 -v ./internal/lmc -run Mutants -mutants
	go test -timeout 0 -v ./dbss -run Mutants -mutants
	go test -timeout 0 -v ./internal/distributed/tasks -run Mutants -mutants
	go test -timeout 0 -v ./internal/liveness -run Mutants -mutants
	go test -timeout 0 -v ./internal/model/network -run Mutants -mutants
	go test -timeout 0 -v ./bridge -run Mutants -mutants
	go test -timeout 0 -v ./examples -run Mutants -mutants

## build: leave bin/harrier, one file with the Java runtime inside
build: jars
	go build -ldflags '-s -w -X main.Version=$(VERSION)' -o bin/harrier ./cmd/harrier

## jars: build the Java side to where Go embeds it
jars: setup $(JARS)

$(JARS) &: $(JAVA_FILES)
	$(GRADLE) embed
	@touch $(JARS)

## libraries: fetch the libraries that examples and tests need
libraries: setup $(LIBRARIES)

$(LIBRARIES) &: build.gradle $(filter java/pekko/% java/vertx/%,$(JAVA_FILES)) $(wildcard examples/pekko-*/*.java)
	$(GRADLE) libraries
	@touch $(LIBRARIES)

## lint: vet, staticcheck, and the API's documentation without warnings
lint: vet docs
	go run $(STATICCHECK) ./...

## vet: formatting, and what the Go tool finds suspicious
vet: jars
	@test -z "$$(gofmt -l .)" || { gofmt -l . ; echo 'not gofmt-clean: run gofmt -w .'; exit 1; }
	go vet ./...

## bench: the figures of docs/benchmarks.md, in Go's benchmark format
bench: build
	go test -run '^$$' -bench . -benchtime 1x -timeout 60m ./bench

## bench-codec: how many local steps Java takes in a second, by the size of the actor
bench-codec: setup
	@$(JAVA) -cp "$$($(GRADLE) :harrier-runtime:testClasspath 2>/dev/null | tail -1)" harrier.runtime.codec.StepsBench

## bench-steps: how many local steps Java takes in a second with MicroRaft, Kafka's messages and their thousands of static fields, and Pekko's actors
bench-steps: libraries
	@$(GRADLE) :harrier-runtime:testAgent
	@path="$$($(GRADLE) :harrier-runtime:testClasspath 2>/dev/null | tail -1)"; \
	for program in 'examples/microraft examples/microraft/lib' 'examples/kafka-raft examples/kafka-raft/lib' 'bench/steps/Votes.java examples/kafka-raft/lib' \
			'bench/steps/Votes.java examples/kafka-raft/lib statics=frozen' \
			'bench/steps/Handled.java examples/crdt-list/lib' 'bench/steps/Threaded.java examples/crdt-list/lib' \
			'examples/pekko-hakkers examples/pekko-hakkers/lib' 'examples/pekko-classic-hakkers examples/pekko-hakkers/lib'; do \
		$(JAVA) -javaagent:java/runtime/build/libs/test-agent.jar -cp "$$path" harrier.runtime.StepsOfLibrariesBench $$program; \
	done

## jdk-effects: make the table of what the JDK's methods do to objects from their bytecode, with the JDK 17
jdk-effects: setup
	@java --add-exports java.base/jdk.internal.misc=ALL-UNNAMED \
		-cp "$$($(GRADLE) :harrier-runtime:testClasses :harrier-runtime:testClasspath 2>/dev/null | tail -1)" \
		harrier.runtime.jdk.JdkTable java/runtime/src/main/resources/harrier/runtime/jdk/methods.txt

## java-constants: make Java's package of the kinds, numbers and names that Go has too
java-constants:
	go test ./internal -run JavaConstants -update

## bench-orders: what other orders of hash collections and the second copy of a program add to a set-up, and to steps
bench-orders: build
	go test -run '^$$' -bench Orders -benchtime 1x -timeout 30m ./bench
	@$(JAVA) -javaagent:java/runtime/build/libs/test-agent.jar \
		-cp "$$($(GRADLE) :harrier-runtime:testAgent :harrier-runtime:testClasspath 2>/dev/null | tail -1)" \
		harrier.runtime.codec.OrdersBench

## kills: searches that are killed at random moments, or with -share 2 lose workers, server, network, disk or, with -place folder, files, held to one that is not: KILLS='-kills 10 -check "PROGRAM FLAGS"'
kills: build
	@go run ./bench/kills $(KILLS)

## table1: the paper's Table I beside ours, into bench/papers/README.md; what is finished is kept, TABLE1=-fresh runs it again,
##         ROWS='register:objects=3 dbss; zab dbss' makes and prints only such rows, by words of program, protocol and mode
table1: build
	@go run ./bench/papers -table table1 -timeout $(TABLE1_TIMEOUT) -stateless-timeout $(STATELESS_TIMEOUT) -max-memory $(MAX_MEMORY) \
		-within $(TABLE1_WITHIN) $(INTO) $(if $(ROWS),,-plot docs/table1.svg) $(TABLE1)

## hashing: what hashing leaves out of the states of that table and the next, likewise; ROWS, HASHING=-fresh
hashing: build
	@go run ./bench/papers -table hashing -timeout $(TIMEOUT) -max-memory $(MAX_MEMORY) $(INTO) $(HASHING)

## mp-models: the table of the paper on models of message passing likewise; ROWS, MP_MODELS=-fresh
mp-models: build
	@go run ./bench/papers -table mp-models -timeout $(TIMEOUT) -max-memory $(MAX_MEMORY) $(INTO) $(MP_MODELS)

## fig10: the figures of the paper on local model checking likewise; ROWS, FIG10=-fresh
fig10: build
	@go run ./bench/papers -table fig10 -timeout 60s -stateless-timeout 30s -max-memory 6g $(INTO) $(FIG10)
	@$(if $(ROWS),:,go test -count 1 -timeout 60m ./examples -run BoundedSearchByDepth -by-depth $(CURDIR)/bench/papers/by-depth)

## papers: all tables of papers within an hour, as a page in harrier-out/papers with what each run came to; WITHIN=3m to try it,
##         and the same again goes on
papers: build
	@go run ./bench/papers -page $(PAPERS) -within $(WITHIN) -max-memory $(MAX_MEMORY)

## table2: Table 2 of the paper on DEMETER likewise, beside macro steps; ROWS, TABLE2=-fresh
table2: build
	@go run ./bench/papers -table table2 -timeout 60s -stateless-timeout 20s -max-memory 6g $(INTO) $(TABLE2)

## bench-peers: harrier beside Spin, Stateright and TLC on one protocol, as Markdown; PEERS='-runs 1 -only spin' runs less
bench-peers: build setup-peers
	@go run ./bench/peers $(PEERS)

## bench-liveness: harrier beside TLC and Spin on liveness properties of four protocols, into bench/peers/README.md; LIVENESS='-liveness 1' runs less
bench-liveness: build setup-peers
	@go run ./bench/peers -liveness 3 -runs 1 -timeout 60s -into bench/peers/README.md $(LIVENESS)

## bench-register: harrier beside Stateright on the register of Stateright's benchmark, into bench/peers/README.md; REGISTER='-register 1' runs less
bench-register: build
	@go run ./bench/peers -register 3 -timeout 120s -into bench/peers/README.md $(REGISTER)

## bench-counts: harrier beside TraceForge, Stateright, TLC and Spin on these' own examples: equal executions and states, into
##               bench/peers/README.md; COUNTS='-runs 1 -protocol Lamport' runs less
bench-counts: build setup-peers
	@go run ./bench/peers -counts -timeout 300s $(if $(findstring -protocol,$(COUNTS)),,-into bench/peers/README.md) $(COUNTS)

## bench-simulation: random runs of wrong protocols beside those of Stateright and TLC, into docs/benchmarks.md; SIMULATION='-simulation 3' runs less
bench-simulation: build setup-peers
	@go run ./bench/peers -simulation 20 -timeout 120s -into docs/benchmarks.md $(SIMULATION)

## bench-defaults: hold the default search to the best of {macro, off} x {symmetry auto, off}, on all examples and on programs as people write them
bench-defaults: build
	@go run ./bench/defaults $(DEFAULTS)

## bench-disk: hold a search of 114,665,729 states on disk, within 1 GiB, to the same in memory, which takes 3.4 GiB; DISK='-limit 200m -check "PROGRAM FLAGS"'
bench-disk: build
	@go run ./bench/disk $(DISK)

## docs: put the Javadoc of the API, with the pages of docs that it refers to, into build/docs
docs: setup
	$(GRADLE) :harrier-api:docs

## bench-cluster: how much sooner a check with workers ends than one in one process, by turns; CLUSTER='-workers 4 -runs 3' changes that, CLUSTER='-share servers' has them explore states
bench-cluster: build
	@go run ./bench/cluster $(CLUSTER)

## bench-sampling: how soon random runs, the default search and breadth-first search meet the violations of the wrong examples, into
##                 docs/benchmarks.md; SAMPLING='-seeds 3 -only paxos' runs less
bench-sampling: build
	@go run ./bench/sampling -into docs/benchmarks.md $(SAMPLING)

## publish-local: put the artifacts for Maven and Gradle into build/repository
publish-local: build
	$(GRADLE) publishLocal

## samples: build the projects of examples/builds, those of actor libraries too, with these artifacts: the right protocol passes, and the wrong one is
##          told with its trace
samples: publish-local libraries
	examples/builds/run
	examples/builds/run-actors

## explore-browser: do in Chromium what users of harrier explore and of --html do, and make the screenshots of docs/
explore-browser: build
	@command -v chromium >/dev/null || { echo 'Chromium is missing: apt-get install chromium'; exit 1; }
	go test -count 1 -v ./internal/explore -run Browser -browser -screenshots $(CURDIR)/docs

## setup: install what is missing
setup:
	@command -v go    >/dev/null || { echo 'Go 1.26 or later is missing: see go.dev/doc/install'; exit 1; }
	@command -v javac >/dev/null || { echo 'a JDK is missing: apt-get install openjdk-17-jdk'; exit 1; }
	@command -v gcc   >/dev/null || { echo 'gcc is missing: apt-get install gcc'; exit 1; }
	@command -v gradle >/dev/null && command -v mvn >/dev/null || { \
		root=; [ "$$(id -u)" -eq 0 ] || root=sudo; \
		$$root apt-get update -qq && $$root apt-get install -y -qq gradle maven >/dev/null; }

# asked is a tool, unless a flag -only of a comparison leaves it out.
flags = $(PEERS) $(LIVENESS) $(COUNTS) $(SIMULATION)
asked = $(if $(findstring -only,$(flags)),$(findstring $(1),$(flags)),$(1))

setup-peers:
	@[ -z "$(call asked,spin)" ] || command -v spin >/dev/null || { \
		root=; [ "$$(id -u)" -eq 0 ] || root=sudo; \
		$$root apt-get update -qq && $$root apt-get install -y -qq spin >/dev/null; }
	@[ -z "$(call asked,tlc)" ] || python3 -m pip --version >/dev/null 2>&1 || { \
		root=; [ "$$(id -u)" -eq 0 ] || root=sudo; \
		$$root apt-get update -qq && $$root apt-get install -y -qq python3-pip >/dev/null; }

clean:
	rm -rf bin bridge/jar build $(LIBRARIES) java/*/build examples/builds/*/build examples/builds/*/target examples/builds/*/project/target examples/builds/*/project/project bench/peers/build harrier-out
