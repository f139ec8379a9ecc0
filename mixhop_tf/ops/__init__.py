"""Makes graph operators as sparse tensors, and multiplies with them."""
