"""Greedy decoding and error counts for validation during training. The report uses Munadi's own decoders."""

import numpy
import torch


def ctc_greedy(logprobs, lengths):
    """[B, T, V+1] -> labels of each: best label a frame, repeats merged, blanks dropped."""
    blank = logprobs.shape[2] - 1
    best = logprobs.argmax(2)
    out = []
    for row, n in zip(best.tolist(), lengths.tolist()):
        row = row[:n]
        out.append([k for i, k in enumerate(row) if k != blank and (i == 0 or row[i - 1] != k)])
    return out


@torch.no_grad()
def rnnt_greedy(model, encoded, lengths, most=10):
    """[B, T, D] -> labels of each; the labels per frame are limited."""
    blank, out = model.size.vocabulary, []
    lstm, embed = model.decoder.prediction["dec_rnn"]["lstm"], model.decoder.prediction["embed"]
    frames = model.joint.enc(encoded)
    start, first = lstm(torch.zeros(1, 1, model.size.hidden, device=encoded.device))
    for row, n in zip(frames, lengths.tolist()):
        labels, state, predicted = [], first, model.joint.pred(start)[0, 0]
        for t in range(n):
            for _ in range(most):
                k = int(model.joint.joint_net(row[t] + predicted).argmax())
                if k == blank:
                    break
                labels.append(k)
                output, state = lstm(embed(torch.tensor([[k]], device=encoded.device)), state)
                predicted = model.joint.pred(output)[0, 0]
        out.append(labels)
    return out


@torch.no_grad()
def rnnt_greedy_batch(model, encoded, lengths, most=4):
    """As rnnt_greedy, for all utterances at once, which a GPU needs."""
    blank, written = model.size.vocabulary, []
    lstm, embed = model.decoder.prediction["dec_rnn"]["lstm"], model.decoder.prediction["embed"]
    frames, b = model.joint.enc(encoded), encoded.shape[0]
    output, (h, c) = lstm(torch.zeros(b, 1, model.size.hidden, device=encoded.device))
    predicted = model.joint.pred(output)[:, 0]
    for t in range(int(lengths.max())):
        reading = lengths > t
        for _ in range(most):
            k = model.joint.joint_net(frames[:, t] + predicted).argmax(1)
            reading = reading & (k != blank)
            if not reading.any():
                break
            written.append(torch.where(reading, k, -1))
            output, (h2, c2) = lstm(embed(k)[:, None], (h, c))
            h, c = torch.where(reading[None, :, None], h2, h), torch.where(reading[None, :, None], c2, c)
            predicted = torch.where(reading[:, None], model.joint.pred(output)[:, 0], predicted)
    rows = torch.stack(written, 1).tolist() if written else [[]] * b
    return [[k for k in row if k >= 0] for row in rows]


def distance(said, heard):
    """Words inserted, deleted and replaced."""
    row = numpy.arange(len(heard) + 1)
    for i, a in enumerate(said, 1):
        before, row[0] = row.copy(), i
        for j, b in enumerate(heard, 1):
            row[j] = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
    return int(row[-1])
