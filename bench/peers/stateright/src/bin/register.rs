//! The register of register/Abd.java, checked by Stateright.
//!
//! `register dfs|bfs|SEED checked|unchecked CLIENTS SERVERS QUORUM` searches depth or breadth first with one thread until it
//! met all states or a violation, or takes random runs from a seed until a violation, and prints which, what was counted and
//! how long it took. A quorum of 0 is a majority. `checked` holds operations to linearizability; `unchecked` keeps no history,
//! and so has the states of the protocol only.

use std::borrow::Cow;
use std::fmt::Debug;
use std::hash::Hash;
use std::process::ExitCode;
use std::time::Instant;

use stateright::actor::register::{RegisterActor, RegisterMsg};
use stateright::actor::{model_peers, Actor, ActorModel, Id, Network, Out};
use stateright::semantics::register::Register;
use stateright::semantics::LinearizabilityTester;
use stateright::util::{HashableHashMap, HashableHashSet};
use stateright::{Checker, Expectation, Model, UniformChooser};

/// In which order states are met.
#[derive(Clone, Copy)]
enum Order {
    DepthFirst,
    BreadthFirst,
    /// Random runs from a seed.
    Random(u64),
}

const LINEARIZABLE: &str = "operations are linearizable";

type Value = char;

/// A value under its version: a logical clock and the server that wrote it. Versions of different servers differ.
type Held = ((u32, Id), Value);

type Message = RegisterMsg<u64, Value, Internal>;

/// What servers tell each other, under the number of the request that it is for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Internal {
    Query(u64),
    Answer(u64, Held),
    Store(u64, Held),
    Stored(u64),
}
use Internal::*;

/// What never changes of a server.
#[derive(Clone)]
struct Server {
    others: Vec<Id>,
    quorum: usize,
}

/// What changes of a server.
#[derive(Clone, Debug, PartialEq, Hash)]
struct State {
    held: Held,
    current: Option<Request>,
}

/// A client's request, of which a server is in charge.
#[derive(Clone, Debug, PartialEq, Hash)]
struct Request {
    client: Id,
    number: u64,
    written: Option<Value>,
    phase: Phase,
}

#[derive(Clone, Debug, PartialEq, Hash)]
enum Phase {
    Querying(HashableHashMap<Id, Held>),
    Storing { held: Held, by: HashableHashSet<Id> },
}
use Phase::*;

impl Server {
    fn begin(&self, id: Id, state: &mut State, mut request: Request, out: &mut Out<Self>) {
        if state.current.is_some() {
            return;
        }
        self.send_others(out, Query(request.number));
        request.phase = Querying([(id, state.held)].into_iter().collect());
        state.current = Some(request);
        self.advance(id, state, out);
    }

    /// Goes on to the next phase where enough servers took part in the present one.
    fn advance(&self, id: Id, state: &mut State, out: &mut Out<Self>) {
        let Some(request) = &mut state.current else {
            return;
        };
        if let Querying(answers) = &request.phase {
            if answers.len() < self.quorum {
                return;
            }
            let newest = *answers.values().max().expect("a server answers itself");
            let newest = match request.written {
                Some(value) => ((newest.0 .0 + 1, id), value),
                None => newest,
            };
            self.send_others(out, Store(request.number, newest));
            state.held = state.held.max(newest);
            request.phase = Storing {
                held: newest,
                by: [id].into_iter().collect(),
            };
        }
        if let Storing { held, by } = &request.phase {
            if by.len() < self.quorum {
                return;
            }
            let done = match request.written {
                Some(_) => RegisterMsg::PutOk(request.number),
                None => RegisterMsg::GetOk(request.number, held.1),
            };
            out.send(request.client, done);
            state.current = None;
        }
    }

    fn send_others(&self, out: &mut Out<Self>, message: Internal) {
        out.broadcast(&self.others, &RegisterMsg::Internal(message));
    }
}

impl Actor for Server {
    type Msg = Message;
    type State = State;
    type Timer = ();
    type Random = ();
    type Storage = ();

    fn on_start(&self, id: Id, _: &Option<()>, _: &mut Out<Self>) -> State {
        State {
            held: ((0, id), Value::default()),
            current: None,
        }
    }

    fn on_msg(&self, id: Id, state: &mut Cow<State>, src: Id, msg: Message, out: &mut Out<Self>) {
        let request = |number, written| Request {
            client: src,
            number,
            written,
            phase: Querying(Default::default()),
        };
        let state = state.to_mut();
        match msg {
            RegisterMsg::Put(number, value) => {
                self.begin(id, state, request(number, Some(value)), out)
            }
            RegisterMsg::Get(number) => self.begin(id, state, request(number, None), out),
            RegisterMsg::Internal(Query(number)) => {
                out.send(src, RegisterMsg::Internal(Answer(number, state.held)))
            }
            RegisterMsg::Internal(Store(number, held)) => {
                state.held = state.held.max(held);
                out.send(src, RegisterMsg::Internal(Stored(number)))
            }
            RegisterMsg::Internal(Answer(number, held)) => {
                match &mut state.current {
                    Some(Request {
                        number: n,
                        phase: Querying(answers),
                        ..
                    }) if *n == number => answers.insert(src, held),
                    _ => return,
                };
                self.advance(id, state, out)
            }
            RegisterMsg::Internal(Stored(number)) => {
                match &mut state.current {
                    Some(Request {
                        number: n,
                        phase: Storing { by, .. },
                        ..
                    }) if *n == number => by.insert(src),
                    _ => return,
                };
                self.advance(id, state, out)
            }
            RegisterMsg::PutOk(_) | RegisterMsg::GetOk(..) => {
                unreachable!("{msg:?} is for clients")
            }
        }
    }
}

/// The closed system, with a history that starts with this one. The clients are the library's.
fn model<H>(
    clients: usize,
    servers: usize,
    quorum: usize,
    history: H,
) -> ActorModel<RegisterActor<Server>, (), H>
where
    H: Clone + Debug + Hash,
{
    ActorModel::new((), history)
        .init_network(Network::new_ordered([]))
        .actors((0..servers).map(|i| {
            RegisterActor::Server(Server {
                others: model_peers(i, servers),
                quorum,
            })
        }))
        .actors((0..clients).map(|_| RegisterActor::Client {
            put_count: 1,
            server_count: servers,
        }))
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("register: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<(), String> {
    let [order, how, numbers @ ..] = arguments else {
        return Err("say dfs, bfs or a seed, checked or unchecked, and how many clients, servers and servers of a quorum".into());
    };
    let order = match order.as_str() {
        "dfs" => Order::DepthFirst,
        "bfs" => Order::BreadthFirst,
        other => Order::Random(
            other
                .parse()
                .map_err(|_| format!("say dfs, bfs or a seed, not {other}"))?,
        ),
    };
    let numbers: Vec<usize> = numbers
        .iter()
        .map(|n| n.parse().map_err(|_| format!("{n} is no number")))
        .collect::<Result<_, _>>()?;
    let &[clients, servers, quorum] = &numbers[..] else {
        return Err("say how many clients, servers and servers of a quorum there are".into());
    };
    let quorum = if quorum == 0 { servers / 2 + 1 } else { quorum };
    match how.as_str() {
        "checked" => check(
            model(
                clients,
                servers,
                quorum,
                LinearizabilityTester::new(Register(Value::default())),
            )
            .record_msg_in(RegisterMsg::record_returns)
            .record_msg_out(RegisterMsg::record_invocations)
            .property(Expectation::Always, LINEARIZABLE, |_, state| {
                state.history.serialized_history().is_some()
            }),
            order,
        ),
        // Without a property Stateright searches nothing.
        "unchecked" => check(
            model(clients, servers, quorum, ()).property(
                Expectation::Always,
                LINEARIZABLE,
                |_, _| true,
            ),
            order,
        ),
        other => return Err(format!("say checked or unchecked, not {other}")),
    }
    Ok(())
}

/// Checks a model, and prints a line.
fn check<M>(model: M, order: Order)
where
    M: Model + Send + Sync + 'static,
    M::State: Clone + Debug + Hash + PartialEq + Send + Sync + 'static,
    M::Action: Clone + Debug + PartialEq,
{
    let start = Instant::now();
    let builder = model.checker().threads(1);
    match order {
        Order::DepthFirst => print(builder.spawn_dfs().join(), start),
        Order::BreadthFirst => print(builder.spawn_bfs().join(), start),
        Order::Random(seed) => print(builder.spawn_simulation(seed, UniformChooser).join(), start),
    }
}

fn print<M>(checker: impl Checker<M>, start: Instant)
where
    M: Model,
    M::State: Clone + Debug + Hash + PartialEq,
    M::Action: Clone + Debug + PartialEq,
{
    println!(
        "unique={} generated={} seconds={:.6} violated={}",
        checker.unique_state_count(),
        checker.state_count(),
        start.elapsed().as_secs_f64(),
        checker.discovery(LINEARIZABLE).is_some()
    );
}
