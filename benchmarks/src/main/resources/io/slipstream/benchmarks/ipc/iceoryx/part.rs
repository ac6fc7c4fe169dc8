//! Parts of the contests between processes by iceoryx2: part ROLE NAME; a round for each number on the standard input.

use iceoryx2::port::publisher::Publisher;
use iceoryx2::port::subscriber::Subscriber;
use iceoryx2::prelude::*;
use std::error::Error;
use std::io::{self, BufRead, Write};
use std::time::Instant;

type Message = [u64; 8];
type Out = Publisher<ipc::Service, Message, ()>;
type In = Subscriber<ipc::Service, Message, ()>;

fn send(out: &Out, number: u64) -> Result<(), Box<dyn Error>> {
    out.loan_uninit()?.write_payload([number; 8]).send()?;
    Ok(())
}

fn receive(from: &In) -> Result<u64, Box<dyn Error>> {
    loop {
        if let Some(sample) = from.receive()? {
            return Ok(sample[0] + sample[7]);
        }
        std::hint::spin_loop();
    }
}

fn say(what: &str) -> io::Result<()> {
    println!("{what}");
    io::stdout().flush()
}

fn main() -> Result<(), Box<dyn Error>> {
    set_log_level(LogLevel::Fatal);
    let arguments: Vec<String> = std::env::args().collect();
    let ping = arguments[1] == "ping";
    let node = NodeBuilder::new().create::<ipc::Service>()?;
    let service = |stream: &str| {
        node.service_builder(&format!("{}/{}", arguments[2], stream).as_str().try_into().unwrap())
            .publish_subscribe::<Message>()
            .max_publishers(1)
            .max_subscribers(1)
            .open_or_create()
    };
    let (there, back) = (service("there")?, service("back")?);
    let out = if ping { &there } else { &back }.publisher_builder().create()?;
    let from = if ping { &back } else { &there }.subscriber_builder().create()?;
    let mut sum = 0;
    say("ready")?;
    for line in io::stdin().lock().lines() {
        let count: u64 = line?.trim().parse()?;
        let mut nanos: Vec<u128> = Vec::with_capacity(count as usize);
        for number in 0..count {
            let begin = Instant::now();
            if ping {
                send(&out, number)?;
                sum += receive(&from)?;
                nanos.push(begin.elapsed().as_nanos());
            } else {
                sum += receive(&from)?;
                send(&out, number)?;
            }
        }
        if ping {
            nanos.sort_unstable();
            say(&format!("done {} {}", nanos[nanos.len() / 2], nanos[nanos.len() * 999 / 1000]))?;
        }
        say("ready")?;
    }
    std::process::exit(if sum == 1 { 1 } else { 0 })
}
