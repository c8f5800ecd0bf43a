"""The answers of custom operators that LiteRT lacks, in plain loops."""
import numpy as np


def max_pool_argmax(x, out, filter, stride, before):
    """Maxima, and their taps y * width + x with 0.1 on top, of windows that begin `before` the image."""
    values, places = np.full(out, -np.finfo(np.float32).max, np.float32), np.zeros(out, np.float32)
    for n, oy, ox, c in np.ndindex(*out):
        for tap in range(filter[0] * filter[1]):
            y, at = oy * stride[0] - before[0] + tap // filter[1], ox * stride[1] - before[1] + tap % filter[1]
            if 0 <= y < x.shape[1] and 0 <= at < x.shape[2] and x[n, y, at, c] > values[n, oy, ox, c]:
                values[n, oy, ox, c], places[n, oy, ox, c] = x[n, y, at, c], tap
    return [values, places + np.float32(0.1)]


def max_unpool(x, places, out, filter, stride, before):
    y = np.zeros(out, np.float32)
    for n, iy, ix, c in np.ndindex(*x.shape):
        tap = int(places[n, iy, ix, c])
        oy, ox = iy * stride[0] - before[0] + tap // filter[1], ix * stride[1] - before[1] + tap % filter[1]
        if 0 <= tap < filter[0] * filter[1] and 0 <= oy < out[1] and 0 <= ox < out[2]:
            y[n, oy, ox, c] = x[n, iy, ix, c]
    return [y]


def transposed_with_bias(x, weights, bias, out, stride, before):
    y = np.broadcast_to(bias.astype(np.float64), out).copy()
    for n, iy, ix, fy, fx in np.ndindex(*x.shape[:3], *weights.shape[1:3]):
        oy, ox = iy * stride[0] - before[0] + fy, ix * stride[1] - before[1] + fx
        if 0 <= oy < out[1] and 0 <= ox < out[2]:
            y[n, oy, ox] += weights[:, fy, fx].astype(np.float64) @ x[n, iy, ix].astype(np.float64)
    return [y.astype(np.float32)]


def resample(image, warp):
    y = np.zeros((*warp.shape[:-1], image.shape[3]), np.float64)
    padded = np.pad(image.astype(np.float64), ((0, 0), (1, 2), (1, 2), (0, 0)))
    for at in np.ndindex(*warp.shape[:-1]):
        px, py = warp[at].astype(np.float64)
        if px > -1 and py > -1 and px < image.shape[2] and py < image.shape[1]:
            ix, iy = int(np.floor(px)), int(np.floor(py))
            corners = padded[at[0], iy + 1:iy + 3, ix + 1:ix + 3]
            y[at] = np.einsum("y,x,yxc->c", [iy + 1 - py, py - iy], [ix + 1 - px, px - ix], corners)
    return [y.astype(np.float32)]
