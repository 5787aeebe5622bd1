//! Counts the executions of a protocol with TraceForge:
//!
//!     executions commit|wakeup|senders N
//!
//! prints one line, `executions=N blocked=N seconds=S`. The protocols are those of Commit.java and Wakeup.java. Channels are FIFO, of each
//! sender its own, as TraceForge's own tests of them have it.

use std::time::Instant;
use traceforge::thread::{self, ThreadId};
use traceforge::{recv_msg_block, send_msg, Config, ConsType, Stats};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let usage = "usage: executions commit|wakeup|senders N";
    let (protocol, n) = match arguments.as_slice() {
        [protocol, n] => (protocol.as_str(), n.parse::<usize>().expect(usage)),
        _ => panic!("{usage}"),
    };
    let start = Instant::now();
    let stats = match protocol {
        "commit" => explore(move || commit(n)),
        "wakeup" => explore(move || wakeup(n)),
        "senders" => explore(move || senders(n)),
        _ => panic!("{usage}"),
    };
    println!("executions={} blocked={} seconds={}", stats.execs, stats.block, start.elapsed().as_secs_f64());
}

fn explore(program: impl Fn() + Send + Sync + 'static) -> Stats {
    traceforge::verify(Config::builder().with_cons_type(ConsType::FIFO).build(), program)
}

#[derive(Clone, Debug, PartialEq)]
enum ToCoordinator {
    Participants(Vec<ThreadId>),
    Vote(bool),
}

#[derive(Clone, Debug, PartialEq)]
enum ToParticipant {
    Prepare(ThreadId),
    Decide(bool),
}

fn commit(n: usize) {
    let coordinator = thread::spawn(|| {
        let ToCoordinator::Participants(all) = recv_msg_block() else { panic!("a vote came first") };
        for &p in &all {
            send_msg(p, ToParticipant::Prepare(thread::current().id()));
        }
        let mut agreed = true;
        for _ in &all {
            match recv_msg_block() {
                ToCoordinator::Vote(yes) => agreed &= yes,
                ToCoordinator::Participants(_) => panic!("nobody sends it again"),
            }
        }
        for &p in &all {
            send_msg(p, ToParticipant::Decide(agreed));
        }
    });
    let participants = (0..n).map(|_| thread::spawn(participant).thread().id()).collect();
    send_msg(coordinator.thread().id(), ToCoordinator::Participants(participants));
}

fn participant() {
    let ToParticipant::Prepare(coordinator) = recv_msg_block() else { panic!("it was not asked") };
    let yes = traceforge::nondet();
    send_msg(coordinator, ToCoordinator::Vote(yes));
    match recv_msg_block() {
        ToParticipant::Decide(commit) => assert!(yes || !commit, "who voted no is to commit"),
        ToParticipant::Prepare(_) => panic!("nobody asks again"),
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Wake {
    Start,
    Done,
    Value(usize),
}

fn wakeup(n: usize) {
    let main = thread::current().id();
    receive_all(n, Some(main));
    send_msg(main, Wake::Start);
    let _: Wake = recv_msg_block();
}

fn senders(n: usize) {
    receive_all(n, None);
}

/// Has n senders send to a waiter, which then wakes somebody.
fn receive_all(n: usize, wakes: Option<ThreadId>) {
    let waiter = thread::spawn(move || {
        for _ in 0..n {
            let _: Wake = recv_msg_block();
        }
        if let Some(id) = wakes {
            send_msg(id, Wake::Done);
        }
    });
    let id = waiter.thread().id();
    for i in 0..n {
        thread::spawn(move || send_msg(id, Wake::Value(i)));
    }
}
