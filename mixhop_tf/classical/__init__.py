"""The classical methods of `mixhop_tf.methods`: what each computes on a graph."""
