"""What this machine is worth, so that the rest of the table can be read: speeds of a shared one say
little by themselves.
"""

from __future__ import annotations

import multiprocessing
import timeit
from multiprocessing.synchronize import Event
from statistics import median

from euchre_arena.v1 import cards_pb2
from euchre_arena.wire import pb

MESSAGES = 100


def encode() -> bytes:
    """A frame of a hundred messages of sixteen fields, set one by one."""
    frame = pb.PlayResponse(frame=1)
    for _ in range(MESSAGES):
        frame.turns.add(
            game=123456789123456789,
            turn=5,
            seat=2,
            dealer=1,
            phase=cards_pb2.PHASE_PLAY,
            up_card=12,
            trump=cards_pb2.SUIT_HEARTS,
            maker=1,
            hand=[9, 10, 11, 12, 13],
            legal=[13321, 13322, 13323],
            history=[1024, 66560, 132096, 197632, 2049],
            trick=[9, 22],
            tricks_won=[1, 2],
            score=[3, 4],
            target=10,
            hand_number=3,
        )
    return frame.SerializeToString()


def encode_ns() -> float:
    """Nanoseconds a message, the median."""
    rounds = timeit.repeat(encode, number=5, repeat=40)
    return median(rounds) / 5 / MESSAGES * 1e9


def burn(stop: Event) -> None:
    """Keep a core busy."""
    while not stop.is_set():
        sum(i * i for i in range(20_000))


def work_s() -> float:
    """Seconds of a fixed piece of work, the median."""
    return median(timeit.repeat(lambda: sum(i * i for i in range(20_000)), number=5, repeat=30))


def second_core() -> float:
    """Speed of one core while another is busy, to its speed alone: 1 for two cores, ½ for one."""
    alone = work_s()
    stop = multiprocessing.Event()
    other = multiprocessing.Process(target=burn, args=(stop,))
    other.start()
    try:
        return alone / work_s()
    finally:
        stop.set()
        other.join()
