"""Random bits of a seed, from any place of its stream on."""

from __future__ import annotations

import tensorflow as tf

_PHILOX = 1  # the algorithm of `tf.random.stateless_uniform` on a CPU
_IN_BLOCK = 8  # numbers of 16 bits for each value of Philox' counter
_IN_WORD = 4


def random_bits(count: tf.Tensor, seed: tf.Tensor, first: tf.Tensor | int = 0) -> tf.Tensor:
    """Draws `count` numbers of 16 bits, uint16: those from number `first` of the seed's stream on.

    So parts of a mask can be drawn apart from each other, and cost only what they have.

    >>> import tensorflow as tf
    >>> from mixhop_tf.ops.random_bits import random_bits
    >>> whole, part = random_bits(20, [1, 2]), random_bits(7, [1, 2], first=13)
    >>> bool(tf.reduce_all(whole[13:] == part))
    True

    Args:
        count: How many numbers.
        seed: The seed, int32 `[2]`.
        first: How many numbers of the stream are skipped.
    """
    if isinstance(first, int) and first == 0:
        words = tf.random.stateless_uniform(
            [(count + _IN_WORD - 1) // _IN_WORD], seed, minval=None, maxval=None, dtype=tf.uint64
        )
        return tf.reshape(tf.bitcast(words, tf.uint16), [-1])[:count]
    first = tf.cast(first, tf.int64)
    start = first % _IN_BLOCK
    stop = start + tf.cast(count, tf.int64)
    key, counter = tf.raw_ops.StatelessRandomGetKeyCounter(seed=seed)
    # The lower half of a fresh counter is zero, so nothing carries over to the upper half.
    skipped = tf.cast(tf.stack([first // _IN_BLOCK, tf.zeros([], tf.int64)]), tf.uint64)
    words = tf.raw_ops.StatelessRandomUniformFullIntV2(
        shape=[(stop + _IN_WORD - 1) // _IN_WORD],
        key=key,
        counter=counter + skipped,
        alg=_PHILOX,
        dtype=tf.uint64,
    )
    return tf.reshape(tf.bitcast(words, tf.uint16), [-1])[start:stop]
