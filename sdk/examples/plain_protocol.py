"""The protocol without the SDK, for authors who write in another language.

Only gRPC and the generated classes are used: what is here is what a client in any language does.
It plays one match, then leaves.

    EUCHRE_ARENA_TOKEN=... python plain_protocol.py 127.0.0.1:7600
"""

import os
import queue
import sys

import grpc
from euchre_arena.v1 import referee_pb2 as pb
from euchre_arena.v1 import referee_pb2_grpc


def play(address: str, token: str) -> None:
    outgoing: queue.Queue[pb.PlayRequest | None] = queue.Queue()
    frames = 0
    read = 0

    def send(**fields) -> None:
        nonlocal frames
        frames += 1
        outgoing.put(pb.PlayRequest(frame=frames, ack=read, **fields))

    # 1. The first frame says who we are; 64 games at once are enough.
    send(hello=pb.Hello(protocol=1, sdk="plain-example/1", token=token, capacity=64))

    with grpc.insecure_channel(address) as channel:
        stub = referee_pb2_grpc.RefereeServiceStub(channel)
        for frame in stub.Play(iter(outgoing.get, None)):
            read = frame.frame
            if frame.HasField("welcome"):
                print("connected as", frame.welcome.bot)

            # 2. Give bytes to the shuffle where they are asked for.
            nonces = [
                pb.Entropy(game=wanted.game, nonce=os.urandom(32))
                for wanted in frame.entropy_wanted
            ]

            # 3. Decide every turn of the frame: here the middle one of the legal actions.
            answers = []
            for turn in frame.turns:
                choices = len(turn.legal) + len(turn.legal_more)
                answers.append(pb.Answer(game=turn.game, turn=turn.turn, choice=choices // 2))

            # 4. One frame answers it, acknowledges it, and returns the ping. Without an answer to
            #    give, a frame that carries only the acknowledgement lets the server go on.
            send(answers=answers, entropy=nonces, pong=frame.ping)

            for rejected in frame.rejections:
                print("refused:", rejected.reason, rejected.detail)
            for match in frame.matches_ended:
                print("match", match.match_id, "won by", ", ".join(match.winners))
            if frame.matches_ended:
                outgoing.put(None)  # ends the stream in good order


if __name__ == "__main__":
    play(sys.argv[1], os.environ["EUCHRE_ARENA_TOKEN"])
