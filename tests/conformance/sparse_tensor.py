"""Constants in the sparse form of the format: compressed rows, of single elements or of blocks in a row."""
import numpy as np

from cases import Tensor


def sparse(dense, block, kind="f32", **quantization):
    """A constant tensor of a matrix, of which most blocks, but not the last, are made zero and not stored."""
    rows, columns = dense.shape
    blocks = dense.reshape(rows, columns // block, block)
    keep = (np.arange(blocks.shape[0] * blocks.shape[1]).reshape(blocks.shape[:2]) * 7 + rows) % 5 < 2
    keep[-1, -1] = True
    segments = np.concatenate([[0], np.cumsum(keep.sum(1))]).tolist()
    metadata = [{"format": 0, "dense_size": rows},
                {"format": 1, "segments_type": 1, "segments": {"values": segments}, "indices_type": 1,
                 "indices": {"values": np.nonzero(keep)[1].tolist()}}]
    sparsity = {"traversal_order": [0, 1], "dim_metadata": metadata}
    if block > 1:
        metadata.append({"format": 0, "dense_size": block})
        sparsity.update(traversal_order=[0, 1, 2], block_map=[1])
    return Tensor(kind, [rows, columns], data=blocks[keep].reshape(-1), sparsity=sparsity, **quantization)


def from_sparse(tensor, block):
    """The matrix that such a tensor stands for."""
    segments, indices = (tensor.sparsity["dim_metadata"][1][name]["values"] for name in ("segments", "indices"))
    dense = np.zeros(tensor.shape)
    stored = iter(np.asarray(tensor.data, np.float64).reshape(-1, block))
    for r, (first, end) in enumerate(zip(segments, segments[1:])):
        for c in indices[first:end]:
            dense[r, c * block:(c + 1) * block] = next(stored)
    return dense
