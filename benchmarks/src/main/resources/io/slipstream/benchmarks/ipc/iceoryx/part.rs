//! Parts of the contests between processes by iceoryx2: part ROLE NAME; a round for each number on the standard input.

use iceoryx2::port::publisher::Publisher;
use iceoryx2::port::subscriber::Subscriber;
use iceoryx2::prelude::*;
use std::error::Error;
use std::io::{self, BufRead, Write};
use std::time::Instant;

/// About as many samples as the ring of the others holds.
const STREAM_SAMPLES: usize = 1 << 13;
/// What it has by itself, for request and reply.
const SAMPLES: usize = 2;
const SPINS: u32 = 100;

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

/// Sends `count` messages; the subscriber makes room.
fn publish(out: &Out, count: u64) -> Result<(), Box<dyn Error>> {
    for number in 0..count {
        send(out, number)?;
    }
    Ok(())
}

fn subscribe(from: &In, count: u64) -> Result<u64, Box<dyn Error>> {
    let (mut sum, mut left, mut idle) = (0, count, 0);
    while left > 0 {
        match from.receive()? {
            Some(sample) => {
                sum += sample[0] + sample[7];
                left -= 1;
                idle = 0;
            }
            None if idle < SPINS => {
                idle += 1;
                std::hint::spin_loop();
            }
            None => std::thread::yield_now(),
        }
    }
    Ok(sum)
}

fn say(what: &str) -> io::Result<()> {
    println!("{what}");
    io::stdout().flush()
}

fn main() -> Result<(), Box<dyn Error>> {
    set_log_level(LogLevel::Fatal);
    let arguments: Vec<String> = std::env::args().collect();
    let role = arguments[1].as_str();
    let ping = role == "ping" || role == "publisher";
    let streams = role == "publisher" || role == "subscriber";
    let samples = if streams { STREAM_SAMPLES } else { SAMPLES };
    let node = NodeBuilder::new().create::<ipc::Service>()?;
    let service = |stream: &str| {
        node.service_builder(&format!("{}/{}", arguments[2], stream).as_str().try_into().unwrap())
            .publish_subscribe::<Message>()
            .max_publishers(1)
            .max_subscribers(1)
            .subscriber_max_buffer_size(samples)
            .enable_safe_overflow(!streams)
            .open_or_create()
    };
    let (there, back) = (service("there")?, service("back")?);
    let out = if ping { &there } else { &back }
        .publisher_builder()
        .backpressure_strategy(BackpressureStrategy::RetryUntilDelivered)
        .create()?;
    let from = if ping { &back } else { &there }
        .subscriber_builder()
        .buffer_size(samples)
        .create()?;
    let mut sum = 0;
    say("ready")?;
    for line in io::stdin().lock().lines() {
        let count: u64 = line?.trim().parse()?;
        match role {
            "publisher" => {
                publish(&out, count)?;
                say("ready")?;
                continue;
            }
            "subscriber" => {
                if subscribe(&from, count)? != count * (count - 1) {
                    return Err("the messages are not those that were sent".into());
                }
                say("done")?;
                say("ready")?;
                continue;
            }
            _ => {}
        }
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
